//! Encodes findings as rows, on the threads that make them.
//!
//! Notes and totals, which are rare, are lines of the `ndjson` format between the rows.

use super::row::Row;
use crate::finding::{Finding, Note, Summary};
use crate::report::fields::{Fields as _, visit};
use crate::report::ndjson::Ndjson;
use crate::report::record::Line;
use crate::report::{Encoding, Lines, Style};

/// The encoder of rows. Each row, and each line, is an entry.
pub(super) struct Rows;

/// The number of a row.
pub(super) const ROW: u8 = 0;
/// The number of a line.
pub(super) const LINE: u8 = 1;

impl Lines for Rows {
    fn encoding(&self) -> Encoding {
        Encoding::Rows
    }

    fn finding(&self, finding: &Finding<'_>, _: &Style, out: &mut Vec<u8>) {
        append(ROW, out, |row| visit(finding, row));
    }

    fn note(&self, note: &Note, out: &mut Vec<u8>) {
        append(LINE, out, |row| Ndjson.note(note, row.bytes()));
    }

    fn summary(&self, summary: &Summary, out: &mut Vec<u8>) {
        append(LINE, out, |row| Ndjson.summary(summary, row.bytes()));
    }

    /// Appends nothing: a document takes the records of a saved run itself.
    fn saved(&self, _: &Line, _: &[u8], _: &Style, _: &mut Vec<u8>) {}

    fn is_styled(&self) -> bool {
        false
    }

    fn counts_distinct(&self) -> bool {
        true
    }

    fn wants_messages(&self) -> bool {
        true
    }
}

/// Appends an entry whose bytes `fill` appends.
fn append(number: u8, out: &mut Vec<u8>, fill: impl FnOnce(&mut Row)) {
    let mut row = Row::after(std::mem::take(out));
    row.list(number, fill);
    *out = row.into_bytes();
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::civil::date;

    use super::{LINE, ROW, Rows};
    use crate::finding::{
        Archived, CLASSES, Content, Cue, Facts, Fault, Finding, Hop, LINTS, Memento, Message,
        NotLookedUp, Note, NoteKind, Origin, Place, REPAIRS, RULES, Reach, Repairs, Syntax, Twin,
        Verdict, Warning, Wrapped,
    };
    use crate::platform::path_of;
    use crate::report::arrow::row::{Entries, Row, Value};
    use crate::report::arrow::saved;
    use crate::report::ndjson::Ndjson;
    use crate::report::record::Line;
    use crate::report::{Lines as _, Style};
    use crate::span::Position;
    use crate::uri::Redacted;

    fn value(value: Value<'_>) -> String {
        match value {
            Value::Bytes(bytes) => bytes.escape_ascii().to_string(),
            Value::Number(number) => number.to_string(),
        }
    }

    /// Returns the entries of a row, sorted by column.
    #[track_caller]
    fn entries(row: &[u8]) -> Vec<(u8, String)> {
        let mut entries = Entries::of(row);
        let mut found: Vec<_> = entries.by_ref().map(|(column, it)| (column, value(it))).collect();
        assert!(!entries.is_broken());
        found.sort();
        assert!(found.is_sorted_by(|one, next| one.0 < next.0), "{found:?}");
        found
    }

    /// Holds the row of a finding to its record in the `ndjson` format, which hides all secrets.
    #[track_caller]
    fn same(finding: &Finding<'_>) {
        let [mut rows, mut line] = [Vec::new(), Vec::new()];
        Rows.finding(finding, &Style::default(), &mut rows);
        Ndjson.finding(finding, &Style::default(), &mut line);
        let Ok(Line::Finding(record)) = Line::parse(&line) else { panic!("no record") };
        let mut wanted = Row::default();
        saved::visit(&record, &mut wanted);
        let [Some((ROW, Value::Bytes(row))), None] =
            [Entries::of(&rows).next(), Entries::of(&rows).nth(1)]
        else {
            panic!("no row")
        };
        assert_eq!(entries(row), entries(&wanted.into_bytes()));
        let shown = rows.escape_ascii().to_string();
        assert!(!shown.contains("secret"), "{shown}");
    }

    fn origin(path: &[u8], members: &[&[u8]]) -> Origin {
        let members = members.iter().map(|member| member.to_vec()).collect();
        Origin { path: path_of(path).into_owned(), members, ..Origin::default() }
    }

    fn place(origin: &Origin) -> Place<'_> {
        Place::example(origin, [51, 18, 8, 3])
    }

    fn facts(scheme: &'static str) -> Facts {
        Facts { scheme: scheme.into(), ..Facts::default() }
    }

    fn facts_of_all() -> Facts {
        let fault = Fault {
            rule: &RULES[0],
            at: Some(3),
            expected: b"0123456789".iter().copied().collect(),
            end_expected: true,
            message: "a\u{1b}b".into(),
            hint: Some("a hint".into()),
            spec: "RFC 3986 \u{a7}2.1".into(),
        };
        let vague = Fault { at: None, hint: None, ..fault.clone() };
        let repairs = Repairs::NONE.with(Repairs::of(0)).with(Repairs::of(1));
        assert!(REPAIRS.len() > 1);
        let syntax = [Some(fault), None, Some(vague)].map(|fault| {
            let repairs = if fault.is_none() { repairs } else { Repairs::NONE };
            Syntax { grammar: "current", fault, repairs }
        });
        let warning = |lint| Warning { lint, at: 7, message: "\"\u{e9}".to_owned() };
        Facts {
            syntax: syntax.to_vec(),
            warnings: vec![warning(LINTS[0]), warning(LINTS[1])],
            verdict: Verdict::Error,
            ..facts("http")
        }
    }

    fn finding<'f>(uri: &'f [u8], origin: &'f Origin, facts: &'f Arc<Facts>) -> Finding<'f> {
        Finding::example(uri, place(origin), facts)
    }

    #[test]
    fn each_kind_of_text_is_that_of_the_record() {
        let origin = origin(b"a", &[]);
        let uris: [&[u8]; 12] = [
            b"http://WWW.Example.co.uk:80/a?b#c",
            b"http://u:secret@h.example/\xff",
            b"http://b\xc3\xbccher.example/",
            b"http://\xff.example/",
            b"HTTP://[::1]/",
            b"mailto:a@Example.org",
            b"www.example.org/1",
            b"//u:secret@h.example/x",
            b"../a",
            b"",
            b"http:",
            b"a\0\"\x1b\\",
        ];
        for uri in uris {
            for scheme in ["http", "mailto", ""] {
                for cue in Cue::ALL {
                    let facts = Arc::new(facts(scheme));
                    let finding = Finding { cue, ..finding(uri, &origin, &facts) };
                    // The second time fills the caches, and the third uses them.
                    (0..3).for_each(|_| same(&finding));
                    same(&Finding { raw: Redacted::source_of(uri, b"a\nb"), ..finding });
                }
            }
        }
    }

    #[test]
    fn each_field_is_that_of_the_record() {
        let plain = origin(b"lists/2001-02.mbox", &[]);
        let dated =
            Origin { date: Some(date(2003, 2, 28)), ..origin(b"a.warc", &[b"record 1998"]) };
        let hostile = origin(b"http://u:secret@h/\xff", &[b"ftp://u:secret@h/", b"\xff"]);
        let (all, bare) = (Arc::new(facts_of_all()), Arc::new(facts("http")));
        let named = Message {
            id: Some(b"<ftp://u:secret".to_vec()),
            date: Some("1994-12-01T00:00:01Z".to_owned()),
            list_id: Some(b"l\xff.example".to_vec()),
            number: Some(u64::MAX),
            ..Message::default()
        };
        let odd = Message { date: Some("9994-12-01T00:00:01Z".to_owned()), ..Message::default() };
        let by = vec!["safelinks", "urldefense"];
        let known = Arc::new(Wrapped { by: by.clone(), unknown: None });
        let unknown = Arc::new(Wrapped { by, unknown: Some("its reason") });
        let decoded = Some(Position { line: 2, column: 7, byte: 9 });
        for origin in [&plain, &dated, &hostile] {
            let whole = place(origin);
            let place = Place { column_bytes: 9, file_offset: Some(0), decoded, ..whole };
            let twins = [Twin { part: Some("1.2"), place }, Twin { part: None, place: whole }];
            for facts in [&all, &bare] {
                let first = finding(b"http://h.example/", origin, facts);
                (0..3).for_each(|_| same(&first));
                same(&Finding {
                    place,
                    base: Some(Redacted::new(b"http://u:secret@h/")),
                    ..first.clone()
                });
                same(&Finding { twins: &twins, part: Some("1.2"), is_mail: true, ..first.clone() });
                same(&Finding { header: Some(b"List-\xff"), ..first.clone() });
                same(&Finding {
                    known: Some(Verdict::Warn),
                    verdict: Verdict::Skipped,
                    ..first.clone()
                });
                for message in [&named, &odd] {
                    let finding = Finding { message: Some(message), ..first.clone() };
                    (0..2).for_each(|_| same(&finding));
                    same(&Finding { header: Some(b"Subject"), part: Some("1"), ..finding });
                }
                for wrapped in [&known, &unknown] {
                    same(&Finding { wrapped: Some(Arc::clone(wrapped)), ..first.clone() });
                }
            }
        }
    }

    #[test]
    fn each_answer_is_that_of_the_record() {
        let origin = origin(b"a", &[]);
        let facts = Arc::new(facts("http"));
        let first = finding(b"http://www.h.example/", &origin, &facts);
        let hop = |status, to: &[u8]| Hop { status, to: to.to_vec() };
        let hops = [
            vec![],
            vec![hop(301, b"http://u:secret@h/\xff")],
            vec![hop(302, b"http://h.example/"), hop(308, b"https://www.sedo.com/")],
            vec![hop(302, b"https://www.dan.com/")],
        ];
        let changed_since = Some(1_000_000_000);
        let content = Some(Box::new(Content { digest: 1, sketch: 2, changed_since }));
        for (row, hops) in CLASSES.iter().zip(hops.iter().cycle()) {
            for probe in ["http", "local", "ftp"] {
                let message = "found http://u:secret@h/";
                let reach = Reach { hops: hops.clone(), ..Reach::new(row.class, probe, message) };
                same(&Finding { reach: Some(&reach), ..first.clone() });
                let (hint, dead_runs) = (Some("ftp://u:secret@h/".to_owned()), Some(3));
                let reach = Reach { hint, dead_runs, content: content.clone(), ..reach };
                let reach = reach.with_status(404);
                let verdict = Verdict::Warn;
                same(&Finding { reach: Some(&reach), verdict, ..first.clone() });
            }
        }
        let memento = |uri: Option<&str>, distance_days, time: &str| {
            Archived::Found(Memento {
                uri: uri.map(str::to_owned),
                time: time.parse().expect("a time"),
                distance_days,
                archive: "a\u{202e}".to_owned(),
            })
        };
        let archived = [
            memento(Some("https://h/"), Some(-3), "2001-02-03T04:05:06Z"),
            memento(None, None, "-000001-02-03T04:05:06Z"),
            memento(None, Some(1), "2001-02-03T04:05:06.5Z"),
            Archived::Absent,
            Archived::Unknown(NotLookedUp::NoAnswer),
        ];
        for archived in &archived {
            same(&Finding { archived: Some(archived), ..first.clone() });
        }
    }

    #[test]
    fn notes_are_lines_between_rows() {
        let note = Note {
            kind: NoteKind::InputShrank,
            origin: origin(b"box", &[]),
            offset: None,
            message: "expected 10 bytes, found 9".to_owned(),
        };
        let mut out = b"before".to_vec();
        Rows.note(&note, &mut out);
        let entry = out.strip_prefix(b"before").expect("what was there");
        let Some((LINE, Value::Bytes(line))) = Entries::of(entry).next() else { panic!("no line") };
        assert!(matches!(Line::parse(line), Ok(Line::Note(_))));
    }
}
