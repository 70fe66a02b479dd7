//! The `checkstyle` format: XML as the program Checkstyle writes it, which Jenkins, reviewdog and
//! many others read. Its only specification is that program.
//!
//! Findings arrive file by file, so that a file is one element; a file that occurs again gets
//! another element.

use std::io::Write as _;

use super::entry::{Entry, Level, entries, note_entry};
use super::escape::xml::Xml;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::{Document, Form, Report};

/// The `checkstyle` format.
pub struct Checkstyle;

impl Report for Checkstyle {
    fn name(&self) -> &'static str {
        "checkstyle"
    }

    fn about(&self) -> &'static str {
        "XML of Checkstyle, one error for each problem, for Jenkins and the like"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Files::default()))
    }
}

/// The file elements, which are written at once.
#[derive(Default)]
struct Files {
    /// The file whose element is open.
    open: Option<String>,
}

impl Files {
    fn add(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        if self.open.as_ref() != Some(&entry.path) {
            self.close(out);
            // Writing to a vector cannot fail.
            let _ = writeln!(out, "<file name=\"{}\">", Xml(&entry.path));
            self.open = Some(entry.path.clone());
        }
        append(entry, out);
    }

    fn close(&mut self, out: &mut Vec<u8>) {
        if self.open.take().is_some() {
            out.extend_from_slice(b"</file>\n");
        }
    }
}

impl Document for Files {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.extend_from_slice(b"<checkstyle version=\"4.3\">\n");
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        entries(record).for_each(|entry| self.add(&entry, out));
    }

    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>) {
        self.add(&note_entry(note), out);
    }

    fn finish(&mut self, _: &SummaryRecord, out: &mut Vec<u8>) {
        self.close(out);
        out.extend_from_slice(b"</checkstyle>\n");
    }
}

/// Appends one entry. Line 0 means the whole file.
fn append(entry: &Entry, out: &mut Vec<u8>) {
    let severity = match entry.level {
        Level::Error | Level::Loss => "error",
        Level::Warning => "warning",
        Level::Info => "info",
    };
    let line = entry.at.map_or(0, |at| at.line);
    let column = entry.at.map(|at| format!(" column=\"{}\"", at.column)).unwrap_or_default();
    // Writing to a vector cannot fail.
    let _ = writeln!(
        out,
        "<error line=\"{line}\"{column} severity=\"{severity}\" message=\"{}\" \
         source=\"linktrawl.{}\"/>",
        Xml(&entry.words),
        Xml(&entry.code),
    );
}
