//! The `junit` format: XML as JUnit's runners write it, which every continuous integration reads.
//! There is no specification but its readers: we follow Jenkins' schema.
//!
//! A suite is a file, a case a link: failed, skipped or passed; a link with a warning passes, with
//! the warning as its output. A note that input was lost is a case with an error. A suite begins
//! with the count of its cases, so it is kept until it is complete; one that would grow too large
//! is written as several. There are no times, so that equal runs produce equal reports.

use std::io::Write as _;

use super::entry::{Level, note_entry, shown};
use super::escape::xml::Xml;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::{Statement, from_the_top, holder, statements};
use super::{Document, Form, Report};
use crate::finding::Verdict;

/// The `junit` format.
pub struct Junit;

impl Report for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn about(&self) -> &'static str {
        "XML of JUnit, a suite for each file and a case for each link, for any CI"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Suites::default()))
    }
}

/// Maximum number of cases of one suite, and maximum bytes of them that are kept; a larger file has
/// several suites of the same name.
const CASES_MAX: u64 = 10_000;
const CASES_LEN_MAX: usize = 2 * 1024 * 1024;

/// The suites, which are written one by one.
#[derive(Default)]
struct Suites {
    /// The suite that is not written yet.
    open: Suite,
}

/// The test suite of one file.
#[derive(Default)]
struct Suite {
    name: String,
    /// The cases, encoded.
    cases: Vec<u8>,
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

/// One case.
struct Case {
    /// The link and its position within the file, or the text of a note.
    name: String,
    /// The line in the file; `None` for members of archives, and for notes.
    line: Option<u64>,
    outcome: Outcome,
}

/// The outcome of a case.
enum Outcome {
    /// The link is fine or has warnings, or a note loses nothing: the words.
    Passed(String),
    /// The link has an error: the name of the reason, the first error, all statements.
    Failed(String, String, String),
    /// Input was not read: the kind of the note, and its message.
    Lost(String, String),
    /// The link was not probed, or a baseline lists it: the statements.
    Skipped(String),
}

impl Suites {
    fn add(&mut self, path: &[u8], case: &Case, out: &mut Vec<u8>) {
        let name = shown(&from_the_top(path));
        if self.open.name != name || self.open.is_full() {
            self.close(out);
            self.open.name = name;
        }
        self.open.add(case);
    }

    fn close(&mut self, out: &mut Vec<u8>) {
        let Suite { name, cases, tests, failures, errors, skipped } =
            std::mem::take(&mut self.open);
        if tests > 0 {
            // Writing to a vector cannot fail.
            let _ = writeln!(
                out,
                "<testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" \
                 errors=\"{errors}\" skipped=\"{skipped}\">",
                Xml(&name)
            );
            out.extend_from_slice(&cases);
            out.extend_from_slice(b"</testsuite>\n");
        }
    }
}

impl Suite {
    fn is_full(&self) -> bool {
        self.tests >= CASES_MAX || self.cases.len() >= CASES_LEN_MAX
    }

    fn add(&mut self, case: &Case) {
        self.tests += 1;
        match case.outcome {
            Outcome::Passed(_) => {}
            Outcome::Failed(..) => self.failures += 1,
            Outcome::Lost(..) => self.errors += 1,
            Outcome::Skipped(_) => self.skipped += 1,
        }
        let (name, file) = (Xml(&case.name), Xml(&self.name));
        let line = case.line.map(|line| format!(" line=\"{line}\"")).unwrap_or_default();
        let head = format!("<testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\"{line}");
        // Writing to a vector cannot fail.
        let _ = match &case.outcome {
            Outcome::Passed(words) if words.is_empty() => writeln!(self.cases, "{head}/>"),
            Outcome::Passed(words) => {
                let words = Xml(words);
                writeln!(self.cases, "{head}>\n<system-out>{words}</system-out>\n</testcase>")
            }
            Outcome::Failed(kind, message, words) => {
                let (kind, message, words) = (Xml(kind), Xml(message), Xml(words));
                let failure = format!("<failure message=\"{message}\" type=\"{kind}\">{words}");
                writeln!(self.cases, "{head}>\n{failure}</failure>\n</testcase>")
            }
            Outcome::Lost(kind, message) => {
                let error = format!("<error message=\"{}\" type=\"{}\"/>", Xml(message), Xml(kind));
                writeln!(self.cases, "{head}>\n{error}\n</testcase>")
            }
            Outcome::Skipped(message) => {
                writeln!(
                    self.cases,
                    "{head}>\n<skipped message=\"{}\"/>\n</testcase>",
                    Xml(message)
                )
            }
        };
    }
}

impl Document for Suites {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.extend_from_slice(b"<testsuites name=\"linktrawl\">\n");
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        let place = &record.place;
        let members = holder(b"", place.members());
        let numbers = format!(":{}:{}", place.line, place.column);
        // Readers would merge two cases of the same name.
        let name = [record.uri(), b" at ", &members, numbers.as_bytes()].concat();
        let case = Case {
            name: shown(&name).replacen(" at :", " at ", 1),
            line: members.is_empty().then_some(place.line),
            outcome: outcome(record),
        };
        self.add(place.path(), &case, out);
    }

    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>) {
        let entry = note_entry(note);
        let outcome = match entry.level {
            Level::Error | Level::Loss => Outcome::Lost(entry.code.clone(), entry.words.clone()),
            Level::Warning | Level::Info => Outcome::Passed(entry.words.clone()),
        };
        let name = format!("{}: {}", entry.code, entry.words);
        self.add(note.place.path(), &Case { name, line: None, outcome }, out);
    }

    fn finish(&mut self, _: &SummaryRecord, out: &mut Vec<u8>) {
        self.close(out);
        out.extend_from_slice(b"</testsuites>\n");
    }
}

fn outcome(record: &Record) -> Outcome {
    let said = statements(record);
    let sentence = |statement: &Statement<'_>| {
        let of = statement.topic.map(|(_, name)| format!("[{name}]")).unwrap_or_default();
        let head = format!("{}{of}: ", statement.verdict.name());
        shown(&[head.as_bytes(), record.uri(), &statement.words].concat())
    };
    let all = || said.iter().map(sentence).collect::<Vec<_>>().join("\n");
    match record.verdict {
        Verdict::Ok => Outcome::Passed(String::new()),
        Verdict::Warn => Outcome::Passed(all()),
        Verdict::Skipped if record.known.is_some() => {
            Outcome::Skipped(format!("a baseline lists it: {}", all()))
        }
        Verdict::Skipped => Outcome::Skipped(all()),
        Verdict::Error => {
            let worst = said.iter().find(|statement| statement.verdict == Verdict::Error);
            let name = worst.and_then(|statement| statement.topic).map(|(_, name)| name);
            let kind = shown(name.unwrap_or(Verdict::Error.name()).as_bytes());
            Outcome::Failed(kind, worst.map(sentence).unwrap_or_default(), all())
        }
    }
}
