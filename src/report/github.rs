//! The `github` format: workflow commands, which GitHub shows as annotations beside the lines of a
//! change ("Workflow commands for GitHub Actions").
//!
//! GitHub accepts few annotations from one step, so the most useful ones are written: first input
//! that was not read, then faults in the text itself, then faults that may be the server's and
//! temporary. Equal statements about one link are one annotation. The last annotation counts those
//! that are omitted. Links that were not probed get none: the job summary, a format of its own,
//! counts them.

use std::io::Write as _;

use super::escape::Shown;
use super::escape::workflow::{Data, Property};
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::{
    Statement, counted, end_column, from_the_top, holder, noted, standing, troubles,
};
use super::{Document, Form, Report};
use crate::finding::topic::TopicKind;
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

/// Maximum number of annotations of one level that GitHub's runner accepts from a step; it silently
/// drops the rest ("Limits of annotations": 10 of each level a step, 50 a job).
const SHOWN_MAX: usize = 10;

/// The level of an annotation.
#[derive(Clone, Copy)]
enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    /// Returns the name of the command.
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }

    /// Returns the maximum number of annotations of this level.
    const fn kept_max(self) -> usize {
        match self {
            Self::Error | Self::Warning => SHOWN_MAX,
            // One notice is reserved for the count of omitted annotations.
            Self::Notice => SHOWN_MAX - 1,
        }
    }
}

/// The usefulness of an annotation; the most useful comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// It affects the whole run: other results are not reliable before it is fixed.
    Run,
    /// The reader of the change can fix it.
    Text,
    /// It may be temporary, or work for readers.
    Server,
}

/// Classes of answers that say more about a server or the network than about the link.
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

/// The annotations that will be written.
#[derive(Default)]
struct Annotations([Shelf; Level::ALL.len()]);

/// The annotations of one level, the most useful first.
#[derive(Default)]
struct Shelf {
    kept: Vec<Annotation>,
    /// The number of annotations, including those that are omitted.
    total: u64,
}

/// One workflow command.
struct Annotation {
    usefulness: Use,
    /// The title; `words` holds the link and the message.
    title: String,
    words: String,
    /// The first position, as `file=…,line=…`; empty without a file.
    place: String,
    /// The number of occurrences.
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
        if kind == Some(TopicKind::Class) && is_of_server() { Use::Server } else { Use::Text };
    let has_members = place.members().next().is_some();
    let within = if has_members { standing(place) } else { Vec::new() };
    let between: &[u8] = if has_members { b": " } else { b"" };
    let mut at = file(place.path());
    // The line of a member is not a line of the archive.
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

/// Returns `file=…`; empty for standard input, which is no file.
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
