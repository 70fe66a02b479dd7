//! The `html` format: one file that a browser shows, with all in it that it needs.
//!
//! The page works without a server and without a network: its policy (CSP Level 3) allows the
//! one style sheet and the one script in it, by their hashes, and nothing else. Without script
//! it shows totals, tables and the worst findings; with it, all that it holds can be
//! searched, sorted and paged through. What it does not hold is counted in it.
//!
//! URIs are shown and never linked. Those of mail may act for their reader when they are
//! opened, or tell a sender that an address is read; dead ones lead nowhere, or to whoever
//! has bought the name since. A reader who wants to open one copies it.

mod breakdown;
mod chart;
mod data;
mod facets;
mod findings;
mod gather;
mod markup;
mod overview;
mod page;

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

/// The page, while findings come by.
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

    /// Totals stand at the top of the page.
    fn finish(&mut self, _: &SummaryRecord, _: &mut Vec<u8>) {}

    fn rest(&mut self, summary: &SummaryRecord, out: &mut dyn Write) -> io::Result<()> {
        page::write(std::mem::take(&mut self.gathered), summary, out)
    }
}
