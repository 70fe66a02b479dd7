//! Defines the report formats. Formats of lines encode each finding on the thread that made it, and
//! one writer puts the lines in order. Documents are written from the records of the `ndjson`
//! format, which are encoded once for all documents, in the order of the findings; tables are
//! written from rows, which are encoded in the same way. `fields` lists the fields of both.

#[cfg(feature = "report")]
use std::io::{self, Write};

use crate::finding::{Finding, Note, Summary};
#[cfg(feature = "report")]
pub use hyperlink::Home;
#[cfg(feature = "report")]
use record::{Line, NoteRecord, Record, SummaryRecord};

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "report")]
pub mod cdxj;
#[cfg(feature = "report")]
pub mod checkstyle;
#[cfg(feature = "arrow")]
mod columns;
#[cfg(feature = "report")]
pub mod comparison;
#[cfg(feature = "report")]
pub mod csv;
#[cfg(feature = "report")]
pub mod day;
#[cfg(feature = "report")]
mod entry;
#[cfg(feature = "report")]
pub mod escape;
#[cfg(feature = "report")]
mod fields;
#[cfg(feature = "report")]
pub mod github;
#[cfg(feature = "report")]
pub mod gitlab;
#[cfg(feature = "report")]
pub mod groups;
#[cfg(feature = "report")]
mod host;
#[cfg(feature = "report")]
pub mod html;
#[cfg(feature = "report")]
mod hyperlink;
#[cfg(feature = "report")]
pub mod job_summary;
#[cfg(feature = "report")]
pub mod json;
#[cfg(feature = "report")]
pub mod junit;
#[cfg(feature = "report")]
mod key;
#[cfg(feature = "report")]
pub mod markdown;
#[cfg(feature = "report")]
pub mod ndjson;
#[cfg(feature = "report")]
mod number;
#[cfg(feature = "report")]
pub mod own;
#[cfg(feature = "report")]
pub mod rdjson;
#[cfg(feature = "report")]
pub mod record;
#[cfg(feature = "report")]
pub(crate) mod rot;
#[cfg(feature = "report")]
pub mod sarif;
#[cfg(feature = "report")]
mod site;
#[cfg(feature = "report")]
pub mod sqlite;
#[cfg(feature = "report")]
pub(crate) mod start;
#[cfg(feature = "report")]
pub mod statement;
#[cfg(feature = "report")]
pub mod tap;
#[cfg(feature = "report")]
pub mod text;
#[cfg(feature = "report")]
mod year;

/// The colours of a text report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paint {
    /// No colours.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

/// The appearance of a text report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The colours.
    pub paint: Paint,
    /// The targets of hyperlinked paths; `None` if paths are not linked.
    #[cfg(feature = "report")]
    pub links: Option<Home>,
}

/// One report format. It does not judge findings.
pub trait Report: Sync {
    /// Returns the name that `--format` takes.
    fn name(&self) -> &'static str;

    /// Returns one line for help texts.
    fn about(&self) -> &'static str;

    /// Returns the way in which the format is written.
    fn form(&self) -> Form;

    /// Checks, before a run begins, that the report can be created, so that the result of a long
    /// run is not lost because of a missing directory.
    ///
    /// # Errors
    /// A description of the obstacle.
    fn try_out(&self) -> Result<(), String> {
        Ok(())
    }

    /// Reports whether the format is not meant for a terminal.
    fn is_binary(&self) -> bool {
        false
    }
}

/// The way in which a format is written.
pub enum Form {
    /// Line by line, on the thread that made the finding.
    Lines(&'static dyn Lines),
    /// As a whole, from the records in their order.
    #[cfg(feature = "report")]
    Document(Box<dyn Document>),
}

/// An encoding of findings one by one. Reports with the same one share its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Lines for people.
    Text,
    /// Records, which have no style.
    Records,
    /// Rows of columns, which some documents take.
    Rows,
    /// Items for programs that embed the library.
    Items,
}

/// A format whose findings are encoded one by one.
pub trait Lines: Sync {
    /// Returns the encoding, which no other format has.
    fn encoding(&self) -> Encoding;

    /// Appends the record of `finding` to `out`.
    fn finding(&self, finding: &Finding<'_>, style: &Style, out: &mut Vec<u8>);

    /// Appends `note` to `out`, if the format has notes.
    fn note(&self, note: &Note, out: &mut Vec<u8>);

    /// Appends the totals to `out`, if the format has them.
    fn summary(&self, summary: &Summary, out: &mut Vec<u8>);

    /// Appends the encoding of `line`, which was parsed from `text`: the same bytes as for the
    /// finding, note or summary that the line encodes.
    #[cfg(feature = "report")]
    fn saved(&self, line: &Line, text: &[u8], style: &Style, out: &mut Vec<u8>);

    /// Reports whether the format uses colours and hyperlinks.
    fn is_styled(&self) -> bool;

    /// Reports whether the format's summary has the number of distinct URIs.
    fn counts_distinct(&self) -> bool;

    /// Reports whether the format's records have the identity and date of messages, and lines of
    /// decoded text, which must be computed for it.
    fn wants_messages(&self) -> bool;
}

/// A report that is one whole, written from the records of a run in their order.
///
/// Bytes appended to `out` are written at once. A document keeps no more than it needs, because
/// there may be millions of findings.
#[cfg(feature = "report")]
pub trait Document: Send {
    /// Appends the text before all findings.
    fn begin(&mut self, _out: &mut Vec<u8>) {}

    /// Adds a finding.
    fn finding(&mut self, record: &Record, out: &mut Vec<u8>);

    /// Adds a note.
    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>);

    /// Adds the totals, and appends the rest of the text.
    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>);

    /// Writes the last part, which is too long to be appended in memory: it may be as long as all
    /// other parts together.
    ///
    /// # Errors
    /// Errors of `out`, and of the place where that part is stored.
    fn rest(&mut self, _summary: &SummaryRecord, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Reports whether the format uses [`Record::fixed`].
    fn wants_fixes(&self) -> bool {
        false
    }

    /// Returns the encoder of rows, if the document takes rows in place of the records of a run;
    /// the records of a saved run it takes as they are.
    fn rows(&self) -> Option<&'static dyn Lines> {
        None
    }

    /// Adds everything that the encoder of rows encoded, in order.
    fn take_rows(&mut self, _rows: &[u8], _out: &mut Vec<u8>) {}

    /// Returns the reason why the report could not be created, or `None` if it was.
    fn failure(&self) -> Option<String> {
        None
    }
}

/// All formats; the first is the default.
#[cfg(feature = "report")]
#[rustfmt::skip]
pub static REPORTS: &[&dyn Report] = &[
    &text::Text,
    &ndjson::Ndjson,
    &json::Json,
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
    &cdxj::Cdxj,
    #[cfg(feature = "arrow")]
    &arrow::Arrow,
    #[cfg(feature = "arrow")]
    &arrow::Parquet,
];

/// Returns the format called `name`.
#[cfg(feature = "report")]
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Report> {
    REPORTS.iter().copied().find(|report| report.name() == name)
}
