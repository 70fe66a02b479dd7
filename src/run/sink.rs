//! Writes reports to their outputs. Line formats are written as they come; documents take the
//! records of the run, and produce text of their own.
//!
//! Documents take records in batches, in parallel on several threads: each document makes its text
//! from all records, independently of the others.

use std::borrow::Cow;

use super::Output;
use super::encoder::Encoder;
use super::threads::for_each_on;
use crate::error::Error;
use crate::finding::{Note, Summary};
use crate::fix;
use crate::report::ndjson::Ndjson;
use crate::report::record::{Line, NoRecord, SummaryRecord};
use crate::report::{Document, Encoding, Form, Style};

/// All reports of a run.
#[derive(Default)]
pub(super) struct Sinks {
    list: Vec<Sink>,
    /// Records that documents have not taken yet, in order.
    waiting: Vec<Result<Line, NoRecord>>,
    waiting_len: usize,
    /// Whether the records come from a saved run: documents which otherwise take rows of findings
    /// take them, too.
    is_saved: bool,
    /// Number of threads that documents are made on.
    threads: usize,
    /// The data that documents need beyond the lines.
    wanted: Wanted,
}

/// The data that documents need beyond the lines.
#[derive(Default)]
struct Wanted {
    /// Whether they need the text that should replace each link.
    fixes: bool,
}

impl Wanted {
    fn of(sinks: &[Sink]) -> Self {
        let mut documents = sinks.iter().filter_map(|sink| sink.document.as_ref());
        Self { fixes: documents.any(|document| document.wants_fixes()) }
    }

    /// Adds the wanted data to `line`.
    fn find_out(&self, line: &mut Line) {
        let Line::Finding(record) = line else { return };
        if self.fixes {
            record.fixed = fix::certain(record).and_then(Result::ok).map(|it| it.text);
        }
    }
}

/// A report, and the error after which nothing more is written to it.
struct Sink {
    output: Output,
    /// The encoder of its findings: of the report itself, or of the records or rows that a document
    /// is made from.
    encoder: Encoder,
    document: Option<Box<dyn Document>>,
    /// Text that was not written yet.
    text: Vec<u8>,
    failed: Option<Error>,
}

/// Bytes that are buffered where lines come one by one.
const TEXT_LEN_MAX: usize = 64 * 1024;

/// Bytes of records that documents take at once: some 500 records, which keep every document busy
/// for longer than it takes to start threads. Parsed, they take some four times as much memory.
const BATCH_LEN_MAX: usize = 256 * 1024;

/// Bytes of records below which the documents take a batch one after another, on one thread.
const SHARED_LEN_MIN: usize = 64 * 1024;

/// Bytes of records that one thread parses at once.
const PIECE_LEN_MAX: usize = 16 * 1024;

impl Sinks {
    /// Creates the sinks for `outputs`. Documents are made on up to `threads` threads; one is
    /// enough.
    pub(super) fn of(outputs: Vec<Output>, threads: usize) -> Self {
        let list: Vec<_> = outputs.into_iter().map(Sink::of).collect();
        let wanted = Wanted::of(&list);
        Self { list, threads, wanted, ..Self::default() }
    }

    /// Returns the distinct encoders of all reports.
    pub(super) fn encoders(&self) -> Vec<Encoder> {
        let mut encoders: Vec<Encoder> = Vec::new();
        for Sink { encoder, .. } in &self.list {
            if !encoders.iter().any(|known| known.is(encoder)) {
                encoders.push(encoder.clone());
            }
        }
        encoders
    }

    /// Writes the text of `encoder` without the ranges in `cuts`, which are in order.
    pub(super) fn write(
        &mut self,
        encoder: &Encoder,
        text: &[u8],
        cuts: impl Iterator<Item = (usize, usize)>,
    ) {
        let text = without(text, cuts);
        if encoder.encoding() == Encoding::Rows {
            let threads = if text.len() < SHARED_LEN_MIN { 1 } else { self.threads };
            let tables = self.list.iter_mut().filter(|sink| sink.encoder.is(encoder));
            return for_each_on(threads, tables, |sink| sink.take_rows(&text));
        }
        let mut has_documents = false;
        for sink in self.list.iter_mut().filter(|sink| sink.encoder.is(encoder)) {
            match sink.document {
                None => sink.write(&text),
                Some(_) => has_documents = true,
            }
        }
        if has_documents {
            pieces(&text, BATCH_LEN_MAX).for_each(|batch| self.read(batch));
            // A user who watches the output, or stops the run, sees all findings so far.
            self.hand_out();
        }
    }

    /// Takes a line of a saved run, which was parsed as `line`.
    pub(super) fn write_saved(&mut self, mut line: Line, text: &[u8]) {
        self.is_saved = true;
        let mut has_documents = false;
        for sink in &mut self.list {
            let Sink { encoder, document, text: out, .. } = sink;
            match document {
                None => encoder.saved(&line, text, out),
                Some(_) => has_documents = true,
            }
            if sink.text.len() > TEXT_LEN_MAX {
                sink.write_text();
            }
        }
        if has_documents {
            self.wanted.find_out(&mut line);
            self.waiting.push(Ok(line));
            self.wait(text.len());
        }
    }

    /// Parses the records of `text` for documents.
    fn read(&mut self, text: &[u8]) {
        let wanted = &self.wanted;
        let mut read: Vec<_> =
            pieces(text, PIECE_LEN_MAX).map(|piece| (piece, Vec::new())).collect();
        for_each_on(self.threads, read.iter_mut(), |(piece, lines)| {
            lines.extend(piece.split_inclusive(|&byte| byte == b'\n').map(|line| {
                let mut line = Line::parse(line)?;
                wanted.find_out(&mut line);
                Ok(line)
            }));
        });
        self.waiting.extend(read.into_iter().flat_map(|(_, lines)| lines));
        self.wait(text.len());
    }

    /// Counts `len` more bytes of waiting records, and hands them out when they fill a batch.
    fn wait(&mut self, len: usize) {
        self.waiting_len += len;
        if self.waiting_len >= BATCH_LEN_MAX {
            self.hand_out();
        }
    }

    /// Lets each document take the waiting records, and writes its text.
    fn hand_out(&mut self) {
        let lines = std::mem::take(&mut self.waiting);
        let len = std::mem::take(&mut self.waiting_len);
        let threads = if len < SHARED_LEN_MIN { 1 } else { self.threads };
        let is_saved = self.is_saved;
        let takes = |sink: &&mut Sink| {
            sink.document.is_some() && (is_saved || sink.encoder.encoding() != Encoding::Rows)
        };
        for_each_on(threads, self.list.iter_mut().filter(takes), |sink| {
            for line in &lines {
                match line {
                    Ok(line) => sink.take(line),
                    Err(error) => sink.fail(error.to_string()),
                }
            }
            sink.write_text();
        });
    }

    /// Reports whether nothing can be written any more, or the remaining reports are useless
    /// without the failed one.
    ///
    /// A broken pipe does not affect the other reports.
    pub(super) fn are_useless(&self) -> bool {
        let failed = self.list.iter().filter_map(|sink| sink.failed.as_ref());
        let broken = failed.clone().filter(|error| error.is_broken_pipe()).count();
        // Without any reports no pipe can break.
        let is_alone = broken > 0 && broken == self.list.len();
        is_alone || failed.count() > broken
    }

    /// Writes the notes about the whole run, the totals, and all buffered text.
    ///
    /// # Errors
    /// The errors of [`Sinks::close`].
    pub(super) fn finish(mut self, notes: &[Note], summary: &Summary) -> Result<(), Error> {
        for encoder in self.encoders() {
            self.write(&encoder, &encoder.ending(notes, summary), std::iter::empty());
        }
        self.close()
    }

    /// Writes all buffered text.
    ///
    /// # Errors
    /// The first failure to write. A broken pipe is an error only when no other report was written.
    pub(super) fn close(mut self) -> Result<(), Error> {
        self.hand_out();
        self.list.iter_mut().for_each(Sink::flush);
        let others = self.list.iter().any(|sink| sink.failed.is_none());
        let mut errors = self.list.into_iter().filter_map(|sink| sink.failed);
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
            Form::Lines(lines) => (Encoder::of(lines, output.style.clone()), None),
            Form::Document(mut document) => {
                document.begin(&mut text);
                let lines = document.rows().unwrap_or(&Ndjson);
                (Encoder::of(lines, Style::default()), Some(document))
            }
        };
        Self { output, encoder, document, text, failed: None }
    }

    /// Passes a line to the document.
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

    /// Passes rows to the document, and writes its text.
    fn take_rows(&mut self, rows: &[u8]) {
        if let Some(document) = &mut self.document {
            document.take_rows(rows, &mut self.text);
        }
        self.hear_failure();
        self.write_text();
    }

    /// Lets the document write the text that it did not append.
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

    /// Records that a document could not be made, or lacks a record that could not be parsed: it
    /// would be wrong.
    fn fail(&mut self, reason: String) {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidData, reason);
        self.failed.get_or_insert(Error::Write { target: self.output.name.clone(), source });
    }
}

/// Splits `text` after line ends, into pieces no longer than `len_max` unless they are one line.
fn pieces(text: &[u8], len_max: usize) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let window = rest.get(..len_max).unwrap_or(rest);
        let end = match memchr::memrchr(b'\n', window) {
            _ if window.len() == rest.len() => rest.len(),
            Some(at) => at + 1,
            None => memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1),
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns `text` without the ranges in `cuts`.
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

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::{Sinks, pieces};
    use crate::report::tap::Tap;
    use crate::report::{Report, Style};
    use crate::run::Output;

    /// A writer whose text so far can be inspected.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(text)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_document_is_written_as_far_as_it_is_made() {
        const RECORD: &[u8] = concat!(
            r#"{"type":"finding","uri":"a:b","raw":"a:b","cue":"bare","scheme":"a","place":{"#,
            r#""path":"p","members":[],"offset":0,"len":1,"line":1,"column":1,"#,
            r#""file_offset":null},"message":null,"syntax":null,"reach":null,"verdict":"ok"}"#,
            "\n"
        )
        .as_bytes();
        let written = Shared::default();
        let output = Output {
            report: &Tap,
            style: Style::default(),
            name: Tap.name().to_owned(),
            identities: Vec::new(),
            target: Box::new(written.clone()),
        };
        let mut sinks = Sinks::of(vec![output], 2);
        let encoder = sinks.encoders().remove(0);
        for number in 1..=2 {
            sinks.write(&encoder, RECORD, std::iter::empty());
            let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
            assert_eq!(text.matches("ok ").count(), number, "{text}");
        }
    }

    #[test]
    fn pieces_end_with_lines_and_are_short_where_lines_are() {
        let case = |text: &str, wanted: &[&str]| {
            let found: Vec<_> = pieces(text.as_bytes(), 6).collect();
            let wanted: Vec<_> = wanted.iter().map(|piece| piece.as_bytes()).collect();
            assert_eq!(found, wanted, "{text:?}");
        };
        case("", &[]);
        case("a\nb\n", &["a\nb\n"]);
        case("a\nb\ncde\n", &["a\nb\n", "cde\n"]);
        case("abc\nd\ne", &["abc\nd\n", "e"]);
        case("longer than six\na\n", &["longer than six\n", "a\n"]);
        case("a\nlonger than six", &["a\n", "longer than six"]);
    }
}
