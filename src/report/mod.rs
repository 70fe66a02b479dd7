//! The report formats. Each encodes findings one by one, on whatever thread made them; one
//! writer puts the pieces in order.

use crate::finding::{Finding, Note, Summary};

pub mod escape;
pub mod json;
pub mod ndjson;
mod number;
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

/// One report format. It judges nothing.
pub trait Report: Sync {
    /// The name that `--format` takes.
    fn name(&self) -> &'static str;

    /// One line for help texts.
    fn about(&self) -> &'static str;

    /// Appends the record of `finding` to `out`.
    fn finding(&self, finding: &Finding<'_>, paint: Paint, out: &mut Vec<u8>);

    /// Appends `note` to `out`, where the format has a place for notes.
    fn note(&self, note: &Note, out: &mut Vec<u8>);

    /// Appends the totals to `out`, where the format has a place for them.
    fn summary(&self, summary: &Summary, out: &mut Vec<u8>);

    /// True when the format's summary says how many different URIs there are.
    fn counts_distinct(&self) -> bool;

    /// True when the format's records tell the identity and date of messages, and lines of
    /// decoded text, which must be found out for it.
    fn tells_messages(&self) -> bool;
}

/// Every format; the first is the default.
pub static REPORTS: &[&dyn Report] = &[&text::Text, &ndjson::Ndjson];

/// The format called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Report> {
    REPORTS.iter().copied().find(|report| report.name() == name)
}
