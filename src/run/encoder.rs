//! Encodes findings for reports, on the threads that make them.

use crate::finding::{Finding, Note, Summary};
#[cfg(feature = "report")]
use crate::report::record::Line;
use crate::report::{Encoding, Lines, Style};

/// An encoder of findings, shared by all reports with the same encoding and style.
#[derive(Clone)]
pub(super) struct Encoder {
    lines: &'static dyn Lines,
    style: Style,
}

impl Encoder {
    pub(super) fn of(lines: &'static dyn Lines, style: Style) -> Self {
        let style = if lines.is_styled() { style } else { Style::default() };
        Self { lines, style }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        (self.encoding(), &self.style) == (other.encoding(), &other.style)
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.lines.encoding()
    }

    pub(super) fn finding(&self, finding: &Finding<'_>, out: &mut Vec<u8>) {
        self.lines.finding(finding, &self.style, out);
    }

    pub(super) fn note(&self, note: &Note, out: &mut Vec<u8>) {
        self.lines.note(note, out);
    }

    /// Encodes the notes about the whole run, and the totals.
    pub(super) fn ending(&self, notes: &[Note], summary: &Summary) -> Vec<u8> {
        let mut text = Vec::new();
        notes.iter().for_each(|note| self.note(note, &mut text));
        self.lines.summary(summary, &mut text);
        text
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
