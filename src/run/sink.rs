//! Where reports go. Formats of lines are written as they come; documents are fed with the
//! records of the run, and what they make of them is written.

use std::borrow::Cow;

use super::Output;
use crate::error::Error;
use crate::finding::{Finding, Note, Summary};
use crate::report::ndjson::Ndjson;
use crate::report::record::{Line, SummaryRecord};
use crate::report::{Document, Form, Lines, Report, Style};

/// One way to encode findings, for all reports that want it.
#[derive(Clone)]
pub(super) struct Encoder {
    name: &'static str,
    lines: &'static dyn Lines,
    style: Style,
}

impl Encoder {
    fn of(report: &dyn Report, lines: &'static dyn Lines, style: Style) -> Self {
        let style = if lines.is_styled() { style } else { Style::default() };
        Self { name: report.name(), lines, style }
    }

    fn is(&self, other: &Self) -> bool {
        (self.name, &self.style) == (other.name, &other.style)
    }

    pub(super) fn finding(&self, finding: &Finding<'_>, out: &mut Vec<u8>) {
        self.lines.finding(finding, &self.style, out);
    }

    pub(super) fn note(&self, note: &Note, out: &mut Vec<u8>) {
        self.lines.note(note, out);
    }

    pub(super) fn counts_distinct(&self) -> bool {
        self.lines.counts_distinct()
    }

    pub(super) fn tells_messages(&self) -> bool {
        self.lines.tells_messages()
    }
}

/// Every report of a run.
#[derive(Default)]
pub(super) struct Sinks(Vec<Sink>);

/// A report, and why nothing more is written to it.
struct Sink {
    output: Output,
    /// What encodes the findings: it is the report, or a document is made of it.
    encoder: Encoder,
    document: Option<Box<dyn Document>>,
    /// What is to be written next.
    text: Vec<u8>,
    failed: Option<Error>,
}

/// Bytes that wait to be written where lines come one by one.
const TEXT_LEN_MAX: usize = 64 * 1024;

impl Sinks {
    pub(super) fn of(outputs: Vec<Output>) -> Self {
        Self(outputs.into_iter().map(Sink::of).collect())
    }

    /// What encodes findings for all of them, each once.
    pub(super) fn encoders(&self) -> Vec<Encoder> {
        let mut encoders: Vec<Encoder> = Vec::new();
        for Sink { encoder, .. } in &self.0 {
            if !encoders.iter().any(|known| known.is(encoder)) {
                encoders.push(encoder.clone());
            }
        }
        encoders
    }

    /// Writes what `encoder` made, without what lies in `cuts`, which are in order.
    pub(super) fn write(
        &mut self,
        encoder: &Encoder,
        text: &[u8],
        cuts: impl Iterator<Item = (usize, usize)>,
    ) {
        let text = without(text, cuts);
        let mut documents: Vec<&mut Sink> = Vec::new();
        for sink in self.0.iter_mut().filter(|sink| sink.encoder.is(encoder)) {
            match sink.document {
                None => sink.write(&text),
                Some(_) => documents.push(sink),
            }
        }
        if documents.is_empty() {
            return;
        }
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            match Line::parse(line) {
                Ok(line) => documents.iter_mut().for_each(|sink| sink.take(&line)),
                Err(error) => documents.iter_mut().for_each(|sink| sink.fail(error.to_string())),
            }
        }
        documents.into_iter().for_each(Sink::write_text);
    }

    /// Takes a line of a saved run, which was read as `line`.
    pub(super) fn write_saved(&mut self, line: &Line, text: &[u8]) {
        for sink in &mut self.0 {
            match sink.document {
                None => sink.encoder.lines.saved(line, text, &sink.encoder.style, &mut sink.text),
                Some(_) => sink.take(line),
            }
            if sink.text.len() > TEXT_LEN_MAX {
                sink.write_text();
            }
        }
    }

    /// True when nothing can be written any more, or what could be is no use without the rest.
    ///
    /// A reader of ours that went away may leave others.
    pub(super) fn are_useless(&self) -> bool {
        let failed = self.0.iter().filter_map(|sink| sink.failed.as_ref());
        let broken = failed.clone().filter(|error| error.is_broken_pipe()).count();
        // Without any reports there is nobody to go away.
        let is_alone = broken > 0 && broken == self.0.len();
        is_alone || failed.count() > broken
    }

    /// Writes what is to be said of the whole run, the totals, and what waits to be written.
    ///
    /// # Errors
    /// Those of [`Sinks::close`].
    pub(super) fn finish(mut self, notes: &[Note], summary: &Summary) -> Result<(), Error> {
        for encoder in self.encoders() {
            let mut text = Vec::new();
            notes.iter().for_each(|note| encoder.note(note, &mut text));
            encoder.lines.summary(summary, &mut text);
            self.write(&encoder, &text, std::iter::empty());
        }
        self.close()
    }

    /// Writes what waits to be written.
    ///
    /// # Errors
    /// The first failure to write. A reader of ours that went away is one only when nobody
    /// else got a report.
    pub(super) fn close(mut self) -> Result<(), Error> {
        self.0.iter_mut().for_each(Sink::flush);
        let others = self.0.iter().any(|sink| sink.failed.is_none());
        let mut errors = self.0.into_iter().filter_map(|sink| sink.failed);
        match errors.find(|error| !(others && error.is_broken_pipe())) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Sink {
    fn of(output: Output) -> Self {
        let mut text = Vec::new();
        let (encoder, document) = match output.report.form() {
            Form::Lines(lines) => (Encoder::of(output.report, lines, output.style.clone()), None),
            Form::Document(mut document) => {
                document.begin(&mut text);
                (Encoder::of(&Ndjson, &Ndjson, Style::default()), Some(document))
            }
        };
        Self { output, encoder, document, text, failed: None }
    }

    /// Has the document take a line.
    fn take(&mut self, line: &Line) {
        let (Some(document), text) = (&mut self.document, &mut self.text) else { return };
        match line {
            Line::Finding(record) => document.finding(record, text),
            Line::Note(note) => document.note(note, text),
            Line::Summary(summary) => {
                document.finish(summary, text);
                self.write_text();
                self.write_rest(summary);
            }
        }
        self.hear_failure();
    }

    /// Has the document write what it has not appended.
    fn write_rest(&mut self, summary: &SummaryRecord) {
        self.hear_failure();
        let (Some(document), None) = (&mut self.document, &self.failed) else { return };
        let written = document.rest(summary, &mut self.output.target);
        self.failed = written.err().map(|source| self.error(source));
    }

    fn hear_failure(&mut self) {
        let reason = self.document.as_ref().and_then(|document| document.failure());
        if let Some(reason) = reason {
            self.fail(reason);
        }
    }

    fn write(&mut self, text: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.output.target.write_all(text).err().map(|e| self.error(e));
        }
    }

    fn write_text(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        self.write(&text);
        text.clear();
        self.text = text;
    }

    fn flush(&mut self) {
        self.write_text();
        if let (None, Err(source)) = (&self.failed, self.output.target.flush()) {
            self.failed = Some(self.error(source));
        }
    }

    fn error(&self, source: std::io::Error) -> Error {
        Error::Write { target: self.output.name.clone(), source }
    }

    /// A document could not be made, or lacks a record of ours that could not be read back: it
    /// would be wrong.
    fn fail(&mut self, reason: String) {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidData, reason);
        self.failed.get_or_insert(Error::Write { target: self.output.name.clone(), source });
    }
}

/// `text` without what lies in `cuts`.
fn without(text: &[u8], cuts: impl Iterator<Item = (usize, usize)>) -> Cow<'_, [u8]> {
    let mut from = 0;
    let mut kept = Vec::new();
    for (start, end) in cuts {
        kept.extend_from_slice(text.get(from..start).unwrap_or_default());
        from = end;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    kept.extend_from_slice(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}
