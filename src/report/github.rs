//! The `github` format: workflow commands, which GitHub shows as annotations beside the lines of
//! a change ("Workflow commands for GitHub Actions").
//!
//! GitHub takes few of one step, so these are the most useful ones: what was not read; then what
//! is wrong in the text itself; then what may be a server's fault and pass. The same said of the
//! same link is one annotation. What is left out is counted in the last one. Links that were not
//! asked are none: the job summary, a format of its own, counts them.

use std::io::Write as _;

use super::escape::Shown;
use super::escape::workflow::{Data, Property};
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::{
    Statement, counted, end_column, from_the_top, holder, noted, standing, troubles,
};
use super::{Document, Form, Report};
use crate::finding::topic::Kind;
use crate::finding::{Class, Loss, NOTES, Verdict};

/// The `github` format.
pub struct Github;

impl Report for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    fn about(&self) -> &'static str {
        "annotations of GitHub's workflows; appends the job summary to GITHUB_STEP_SUMMARY"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Annotations::default()))
    }
}

/// Annotations of one level that GitHub's runner takes from a step; it drops the rest unseen
/// ("Limits of annotations": 10 of each level a step, 50 a job).
const SHOWN_MAX: usize = 10;

/// How loud an annotation is.
#[derive(Clone, Copy)]
enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    /// The name of the command.
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }

    /// How many of these are kept.
    const fn kept_max(self) -> usize {
        match self {
            Self::Error | Self::Warning => SHOWN_MAX,
            // One more tells what was left out.
            Self::Notice => SHOWN_MAX - 1,
        }
    }
}

/// What is useful first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Nothing else can be trusted before it is mended.
    Run,
    /// Somebody who reads the change can mend it.
    Text,
    /// It may pass, or be well for readers.
    Server,
}

/// Classes of answers that say more of a server or of the network than of the link.
const OF_SERVERS: [Class; 9] = [
    Class::Forbidden,
    Class::Blocked,
    Class::Throttled,
    Class::AuthRequired,
    Class::ServerError,
    Class::DnsFailure,
    Class::Refused,
    Class::Unreachable,
    Class::Timeout,
];

/// The annotations that will be shown.
#[derive(Default)]
struct Annotations([Shelf; Level::ALL.len()]);

/// Annotations of one level, the most useful first.
#[derive(Default)]
struct Shelf {
    kept: Vec<Annotation>,
    /// How many there are, with those that were left out.
    total: u64,
}

/// One command.
struct Annotation {
    usefulness: Use,
    /// What is said, of which link.
    title: String,
    words: String,
    /// `file=…,line=…` where it is said first; empty where it is said of no file.
    place: String,
    /// How often it is said.
    times: u64,
}

impl Annotations {
    fn add(&mut self, level: Level, annotation: Annotation) {
        if let Some(shelf) = self.0.get_mut(level as usize) {
            shelf.add(annotation, level.kept_max());
        }
    }

    fn leveled(&self) -> impl Iterator<Item = (Level, &Shelf)> {
        Level::ALL.into_iter().zip(&self.0)
    }
}

impl Shelf {
    fn add(&mut self, new: Annotation, kept_max: usize) {
        self.total += 1;
        let is_same = |kept: &&mut Annotation| kept.title == new.title && kept.words == new.words;
        if let Some(same) = self.kept.iter_mut().find(is_same) {
            same.times += 1;
            return;
        }
        let at = self.kept.partition_point(|kept| kept.usefulness <= new.usefulness);
        self.kept.insert(at, new);
        self.kept.truncate(kept_max);
    }

    fn shown(&self) -> u64 {
        self.kept.iter().map(|kept| kept.times).sum()
    }
}

impl Document for Annotations {
    fn finding(&mut self, record: &Record, _: &mut Vec<u8>) {
        for statement in troubles(record) {
            let level = match statement.verdict {
                Verdict::Error => Level::Error,
                _ => Level::Warning,
            };
            self.add(level, annotation(record, &statement));
        }
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        let row = NOTES.iter().find(|row| row.name == note.kind);
        let level = match row.map(|row| row.loss) {
            Some(Loss::Input) => Level::Error,
            Some(Loss::None) | None => Level::Notice,
        };
        let path = note.place.path();
        let has_members = note.place.members().next().is_some();
        let within = if has_members { holder(path, note.place.members()) } else { Vec::new() };
        let words = said(&[&within, if has_members { b": " } else { b"" }, noted(note).as_bytes()]);
        let title = title(&note.kind);
        let place = file(path);
        self.add(level, Annotation { usefulness: Use::Run, title, words, place, times: 1 });
    }

    fn finish(&mut self, _: &SummaryRecord, out: &mut Vec<u8>) {
        for (level, shelf) in self.leveled() {
            shelf.kept.iter().for_each(|kept| kept.append_to(level, out));
        }
        let left_out = |(_, shelf): &(Level, &Shelf)| shelf.total > shelf.shown();
        let parts: Vec<_> = self
            .leveled()
            .filter(left_out)
            .map(|(level, shelf)| {
                format!("{} of {}", shelf.shown(), counted(shelf.total, level.name()))
            })
            .collect();
        if !parts.is_empty() {
            let words = format!(
                "Shown here: {}. GitHub takes {SHOWN_MAX} of each from one step; the job \
                 summary and the other formats have more.",
                parts.join(", ")
            );
            // Writing to a vector cannot fail.
            let _ = writeln!(out, "::notice title=linktrawl::{}", Data(&words));
        }
    }
}

impl Annotation {
    fn append_to(&self, level: Level, out: &mut Vec<u8>) {
        let Self { place, title, words, times, .. } = self;
        let comma = if place.is_empty() { "" } else { "," };
        let again = match times {
            1 => String::new(),
            2 => " (and once more)".to_owned(),
            _ => format!(" (and {} more times)", times - 1),
        };
        // Writing to a vector cannot fail.
        let _ = writeln!(
            out,
            "::{} {place}{comma}title={}::{}{again}",
            level.name(),
            Property(title),
            Data(words)
        );
    }
}

fn annotation(record: &Record, statement: &Statement<'_>) -> Annotation {
    let place = &record.place;
    let (kind, name) = statement.topic.unzip();
    let is_of_server = || OF_SERVERS.iter().any(|class| Some(class.row().name) == name);
    let usefulness =
        if kind == Some(Kind::Class) && is_of_server() { Use::Server } else { Use::Text };
    let has_members = place.members().next().is_some();
    let within = if has_members { standing(place) } else { Vec::new() };
    let between: &[u8] = if has_members { b": " } else { b"" };
    let mut at = file(place.path());
    // Lines of a member are not those of the file that it is packed in.
    if !at.is_empty() && !has_members {
        at.push_str(&format!(",line={},col={}", place.line, place.column));
        if let Some(end) = end_column(record) {
            at.push_str(&format!(",endColumn={end}"));
        }
    }
    Annotation {
        usefulness,
        title: title(name.unwrap_or_else(|| statement.verdict.name())),
        words: said(&[&within, between, record.uri(), &statement.words]),
        place: at,
        times: 1,
    }
}

fn title(name: &str) -> String {
    format!("linktrawl: {}", Shown(name.as_bytes()))
}

/// `file=…`; empty for standard input, which is no file.
fn file(path: &[u8]) -> String {
    if path == b"-" {
        return String::new();
    }
    let path = Shown(&from_the_top(path)).to_string();
    format!("file={}", Property(&path))
}

fn said(parts: &[&[u8]]) -> String {
    Shown(&parts.concat()).to_string()
}
