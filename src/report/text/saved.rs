//! Lines of text from saved records: the same as those from the findings themselves.

use std::io::Write as _;

use super::{Answer, append_answer, append_origin, append_word, is_news};
use crate::finding::{Class, Verdict};
use crate::report::Paint;
use crate::report::escape::Shown;
use crate::report::record::{ReachRecord, Record, bytes};

/// Appends the lines of `record`.
pub(super) fn append(record: &Record, paint: Paint, out: &mut Vec<u8>) {
    let head = Head { record, paint };
    let mut faults = record.faults().peekable();
    if let Some(reach) = record.reach.as_ref().filter(|reach| has_news(reach, record.verdict)) {
        head.append(record.verdict, Some(&reach.class), out);
        append_answer(&answer(reach), out);
    } else if faults.peek().is_none() && record.warnings.is_empty() {
        head.append(record.verdict, None, out);
        out.push(b'\n');
    }
    let has_several = record.grammars().nth(1).is_some();
    for (grammar, fault) in faults {
        head.append(record.verdict, Some(&fault.rule), out);
        if has_several {
            out.extend_from_slice(b": ");
            Shown(grammar.as_bytes()).append_to(out);
        }
        // Writing to a vector cannot fail.
        let _ = writeln!(out, ": {}", Shown(fault.sentence().as_bytes()));
    }
    for warning in &record.warnings {
        head.append(Verdict::Warn, Some(&warning.rule), out);
        let (message, spec) = (Shown(warning.message.as_bytes()), Shown(warning.spec.as_bytes()));
        let _ = writeln!(out, ": {message} ({spec})");
    }
}

/// What each line of a record begins with.
struct Head<'r> {
    record: &'r Record,
    paint: Paint,
}

impl Head<'_> {
    fn append(&self, verdict: Verdict, id: Option<&str>, out: &mut Vec<u8>) {
        let place = &self.record.place;
        append_origin(place.path(), place.members(), [place.line, place.column], self.paint, out);
        append_word(verdict, id, self.paint, out);
        out.extend_from_slice(if id.is_some() { b": " } else { b" " });
        Shown(self.record.uri()).append_to(out);
    }
}

fn has_news(reach: &ReachRecord, verdict: Verdict) -> bool {
    is_news(reach.class == Class::Alive.row().name, reach.hint.is_some(), verdict)
}

fn answer(reach: &ReachRecord) -> Answer<'_> {
    let hops = reach.hops.iter().map(|hop| bytes(&hop.to, hop.to_bytes.as_ref()).into());
    let hint = reach.hint.as_deref().map(|hint| bytes(hint, reach.hint_bytes.as_ref()).into());
    Answer {
        hops: hops.collect(),
        message: bytes(&reach.message, reach.message_bytes.as_ref()).into(),
        dead_runs: reach.dead_runs,
        hint,
    }
}
