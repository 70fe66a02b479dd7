//! The report formats. Those of lines encode findings one by one, on whatever thread made them,
//! and one writer puts the pieces in order. Documents are made of the records of the `ndjson`
//! format, which are encoded once for all of them, in their order.

use std::io::{self, Write};

use crate::finding::{Finding, Note, Summary};
pub use hyperlink::Home;
use record::{Line, NoteRecord, Record, SummaryRecord};

pub mod checkstyle;
pub mod csv;
mod entry;
pub mod escape;
pub mod github;
pub mod gitlab;
pub mod groups;
mod host;
pub mod html;
mod hyperlink;
pub mod job_summary;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod ndjson;
mod number;
pub mod object;
pub mod own;
pub mod rdjson;
pub mod record;
pub mod sarif;
pub mod sqlite;
pub(crate) mod start;
pub mod statement;
pub mod tap;
pub mod text;

/// How a text report colours what it prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paint {
    /// No colours.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

/// What a text report looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Its colours.
    pub paint: Paint,
    /// Where its paths lead, when they are hyperlinks.
    pub links: Option<Home>,
}

/// One report format. It judges nothing.
pub trait Report: Sync {
    /// The name that `--format` takes.
    fn name(&self) -> &'static str;

    /// One line for help texts.
    fn about(&self) -> &'static str;

    /// How it is written.
    fn form(&self) -> Form;

    /// Finds out whether it can be made here, before a run begins: what was asked for hours is
    /// not to be lost for a directory that is missing.
    ///
    /// # Errors
    /// What is missing.
    fn try_out(&self) -> Result<(), String> {
        Ok(())
    }

    /// True when it is nothing that a terminal could show.
    fn is_binary(&self) -> bool {
        false
    }
}

/// How a format is written.
pub enum Form {
    /// Line by line: whatever thread made a finding encodes it.
    Lines(&'static dyn Lines),
    /// As a whole, from records, in their order.
    Document(Box<dyn Document>),
}

/// A format whose findings are encoded one by one.
pub trait Lines: Sync {
    /// Appends the record of `finding` to `out`.
    fn finding(&self, finding: &Finding<'_>, style: &Style, out: &mut Vec<u8>);

    /// Appends `note` to `out`, where the format has a place for notes.
    fn note(&self, note: &Note, out: &mut Vec<u8>);

    /// Appends the totals to `out`, where the format has a place for them.
    fn summary(&self, summary: &Summary, out: &mut Vec<u8>);

    /// Appends to `out` what the format says of `line`, which `text` was read as: the same as
    /// it said of what the line was made of.
    fn saved(&self, line: &Line, text: &[u8], style: &Style, out: &mut Vec<u8>);

    /// True when colours and hyperlinks make a difference.
    fn is_styled(&self) -> bool;

    /// True when the format's summary says how many different URIs there are.
    fn counts_distinct(&self) -> bool;

    /// True when the format's records tell the identity and date of messages, and lines of
    /// decoded text, which must be found out for it.
    fn tells_messages(&self) -> bool;
}

/// A report that is one whole, made of the records of a run in their order.
///
/// What is appended to `out` is written at once. A document keeps no more than it needs: there
/// may be millions of findings.
pub trait Document: Send {
    /// Appends what stands before all findings.
    fn begin(&mut self, _out: &mut Vec<u8>) {}

    /// Takes a finding.
    fn finding(&mut self, record: &Record, out: &mut Vec<u8>);

    /// Takes a note.
    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>);

    /// Takes the totals, and appends what is left to be said.
    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>);

    /// Writes what stands behind all that and is too much to be appended: it may be as long as
    /// everything else together.
    ///
    /// # Errors
    /// Those of `out`, and of where it is kept.
    fn rest(&mut self, _summary: &SummaryRecord, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// True when it tells what should be written in the place of links.
    fn wants_mends(&self) -> bool {
        false
    }

    /// Why it could not be made, where it could not.
    fn failure(&self) -> Option<String> {
        None
    }
}

/// Every format; the first is the default.
#[rustfmt::skip]
pub static REPORTS: &[&dyn Report] = &[
    &text::Text,
    &ndjson::Ndjson,
    &object::Json,
    &html::Html,
    &sarif::Sarif,
    &junit::Junit,
    &github::Github,
    &job_summary::JobSummary,
    &gitlab::Gitlab,
    &checkstyle::Checkstyle,
    &rdjson::Rdjson,
    &tap::Tap,
    &markdown::Comment,
    &csv::Csv,
    &sqlite::Sqlite,
];

/// The format called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Report> {
    REPORTS.iter().copied().find(|report| report.name() == name)
}
