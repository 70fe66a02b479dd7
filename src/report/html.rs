//! The `html` format: one self-contained file for browsers.
//!
//! The page works without a server and without a network: its policy (CSP Level 3) allows only the
//! style sheet and the script within it, by their hashes. Without script, it shows totals, tables
//! and the worst findings; with script, all findings that it contains can be searched, sorted and
//! paged through. Findings that it does not contain are counted.
//!
//! URIs are shown and never linked. URIs in mail may trigger an action when they are opened, or
//! confirm to a sender that an address is read; dead ones lead nowhere, or to a new owner of the
//! name. Readers who want to open one copy it.

mod breakdown;
mod chart;
pub(super) mod compared;
mod data;
mod facets;
mod findings;
mod gather;
mod markup;
mod overview;
mod page;
mod rot;
mod rotted;
mod sites;
mod table;

use std::io::{self, Write};

use super::record::{NoteRecord, Record, SummaryRecord};
use super::{Document, Form, Report};
use gather::Gathered;

/// The `html` format.
pub struct Html;

impl Report for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn about(&self) -> &'static str {
        "one page with charts and tables, to search and sort without a server, for people"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Page { gathered: Gathered::with_room_for(gather::ROWS_MAX) }))
    }
}

/// The page, which is written at the end of the run.
struct Page {
    gathered: Gathered,
}

impl Document for Page {
    fn finding(&mut self, record: &Record, _: &mut Vec<u8>) {
        self.gathered.finding(record);
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        self.gathered.note(note);
    }

    /// Writes nothing yet, because the totals are at the top of the page.
    fn finish(&mut self, _: &SummaryRecord, _: &mut Vec<u8>) {}

    fn rest(&mut self, summary: &SummaryRecord, out: &mut dyn Write) -> io::Result<()> {
        page::write(std::mem::take(&mut self.gathered), summary, out)
    }
}
