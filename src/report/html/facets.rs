//! Computes the properties of findings that the page shows: the class of the answer, and the words
//! for the problems. It does not judge findings.

use super::markup::{counted, shown};
use crate::finding::{Class, Verdict};
use crate::report::record::{Record, bytes};
use crate::report::statement::{archived, changed, hint};

/// Returns the verdict of the answer's class; `None` if the link was not probed, or the class is
/// one of skipped links.
pub(super) fn answer(record: &Record) -> Option<Verdict> {
    let class = Class::find(&record.reach.as_ref()?.class)?;
    Some(class.row().verdict).filter(|&verdict| verdict != Verdict::Skipped)
}

/// Returns the targets of redirects and the problems in words; empty if there are none.
pub(super) fn detail(record: &Record) -> String {
    let mut parts = Vec::new();
    if let Some(reach) = &record.reach {
        let hops = reach.hops.iter().map(|hop| bytes(&hop.to, hop.to_bytes.as_ref()));
        parts.extend(hops.map(|to| format!("\u{2192} {}", shown(to))));
        parts.push(shown(bytes(&reach.message, reach.message_bytes.as_ref())));
        parts.extend(
            reach.dead_runs.map(|runs| format!("dead in {} in a row", counted(runs.into(), "run"))),
        );
        parts.extend(reach.changed_since.as_deref().map(|time| shown(changed(time).as_bytes())));
        parts.extend(hint(reach).map(|hint| shown(&hint)));
    }
    parts.extend(archived(record).map(|words| shown(words.as_bytes())));
    for (_, fault) in record.faults() {
        parts.push(shown(fault.sentence().as_bytes()));
    }
    for warning in &record.warnings {
        parts.push(shown(format!("{} ({})", warning.message, warning.spec).as_bytes()));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}
