//! Encodes findings for reports, on the threads that make them.

use crate::finding::{Finding, Note, Summary};
#[cfg(feature = "report")]
use crate::report::ndjson::Ndjson;
#[cfg(feature = "report")]
use crate::report::record::Line;
use crate::report::{Lines, Report, Style};

/// The name of the encoder of rows, which is that of no format.
#[cfg(feature = "report")]
const ROWS: &str = "rows";

/// An encoder of findings, shared by all reports with the same format and style.
#[derive(Clone)]
pub(super) struct Encoder {
    name: &'static str,
    lines: &'static dyn Lines,
    style: Style,
}

impl Encoder {
    pub(super) fn of(report: &dyn Report, lines: &'static dyn Lines, style: Style) -> Self {
        let style = if lines.is_styled() { style } else { Style::default() };
        Self { name: report.name(), lines, style }
    }

    /// Creates the encoder of the rows that some documents take.
    #[cfg(feature = "report")]
    pub(super) fn of_rows(lines: &'static dyn Lines) -> Self {
        Self { name: ROWS, lines, style: Style::default() }
    }

    /// Reports whether it writes findings as rows.
    #[cfg(feature = "report")]
    pub(super) fn writes_rows(&self) -> bool {
        self.name == ROWS
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        (self.name, &self.style) == (other.name, &other.style)
    }

    /// Reports whether it writes findings as records, which have no style.
    #[cfg(feature = "report")]
    pub(super) fn writes_records(&self) -> bool {
        self.name == Ndjson.name()
    }

    pub(super) fn finding(&self, finding: &Finding<'_>, out: &mut Vec<u8>) {
        self.lines.finding(finding, &self.style, out);
    }

    pub(super) fn note(&self, note: &Note, out: &mut Vec<u8>) {
        self.lines.note(note, out);
    }

    pub(super) fn summary(&self, summary: &Summary, out: &mut Vec<u8>) {
        self.lines.summary(summary, out);
    }

    #[cfg(feature = "report")]
    pub(super) fn saved(&self, line: &Line, text: &[u8], out: &mut Vec<u8>) {
        self.lines.saved(line, text, &self.style, out);
    }

    pub(super) fn counts_distinct(&self) -> bool {
        self.lines.counts_distinct()
    }

    pub(super) fn wants_messages(&self) -> bool {
        self.lines.wants_messages()
    }
}
