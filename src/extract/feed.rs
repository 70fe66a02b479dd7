//! Passes the findings of a run to a reader in the same process: workers encode findings and notes
//! one after another, and batches of them reach the reader in the order of the inputs.
//!
//! The channel is bounded, so a slow reader exerts backpressure on the run. Once the reader has
//! gone, writing fails as to a closed pipe, which ends the run.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use super::record::{self, Finding};
use crate::error::Error;
use crate::finding::{self, Note, NoteKind, Origin, Summary};
use crate::platform::{OsBytes as _, path_of};
#[cfg(feature = "report")]
use crate::report::record::Line;
use crate::report::{Encoding, Form, Lines, Report, Style};

/// Batches that wait for the reader; each is some hundred kB.
const WAITING_MAX: usize = 2;

/// The bytes before an item: its kind and its length.
const HEAD_LEN: usize = 1 + size_of::<u64>();
const FINDING: u8 = 0;
const NOTE: u8 = 1;

/// The encoding of findings and notes for a reader in this process.
pub(super) struct Feed;

impl Report for Feed {
    fn name(&self) -> &'static str {
        "feed"
    }

    fn about(&self) -> &'static str {
        "for programs that embed the library"
    }

    fn form(&self) -> Form {
        Form::Lines(&Self)
    }
}

impl Lines for Feed {
    fn encoding(&self) -> Encoding {
        Encoding::Items
    }

    fn finding(&self, finding: &finding::Finding<'_>, _: &Style, out: &mut Vec<u8>) {
        append_item(FINDING, out, |out| record::append(finding, out));
    }

    fn note(&self, note: &Note, out: &mut Vec<u8>) {
        if note.kind.is_incomplete() {
            append_item(NOTE, out, |out| append_note(note, out));
        }
    }

    fn summary(&self, _: &Summary, _: &mut Vec<u8>) {}

    #[cfg(feature = "report")]
    fn saved(&self, _: &Line, _: &[u8], _: &Style, _: &mut Vec<u8>) {}

    fn is_styled(&self) -> bool {
        false
    }

    fn counts_distinct(&self) -> bool {
        false
    }

    fn wants_messages(&self) -> bool {
        true
    }
}

fn append_item(kind: u8, out: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.push(kind);
    out.extend_from_slice(&[0; HEAD_LEN - 1]);
    append(out);
    let len = (out.len() - start - HEAD_LEN) as u64;
    if let Some(place) = out.get_mut(start + 1..start + HEAD_LEN) {
        place.copy_from_slice(&len.to_ne_bytes());
    }
}

fn append_note(note: &Note, out: &mut Vec<u8>) {
    let Note { kind, origin: Origin { path, members, .. }, offset, message } = note;
    let kind = finding::NOTES.iter().zip(0_u64..).find(|(row, _)| row.kind == *kind);
    let number = kind.map_or(u64::MAX, |(_, number)| number);
    for number in [number, offset.unwrap_or(u64::MAX)] {
        out.extend_from_slice(&number.to_ne_bytes());
    }
    for text in [path.as_os_str().as_bytes(), message.as_bytes()] {
        record::append_text(Some(text), out);
    }
    members.iter().for_each(|member| record::append_text(Some(member), out));
}

/// Decodes a note that [`append_note`] encoded.
fn note(bytes: &[u8]) -> Option<Error> {
    let (number, rest) = bytes.split_first_chunk()?;
    let (offset, rest) = rest.split_first_chunk()?;
    let offset = Some(u64::from_ne_bytes(*offset)).filter(|offset| *offset != u64::MAX);
    let number = usize::try_from(u64::from_ne_bytes(*number)).ok()?;
    let mut fields = record::fields(rest).map(Option::unwrap_or_default);
    let path = path_of(fields.next()?).into_owned();
    let message = String::from_utf8_lossy(fields.next()?).into_owned();
    let members = fields.map(<[u8]>::to_vec).collect();
    let kind = finding::NOTES.get(number).map_or(NoteKind::Internal, |row| row.kind).name();
    Some(Error::Partly { path, members, offset, kind, message })
}

/// The end of the channel that the run writes to.
pub(super) struct Writer {
    batches: SyncSender<Vec<u8>>,
    spare: Receiver<Vec<u8>>,
}

/// The end of the channel that batches are read from.
pub(super) struct Reader {
    batches: Receiver<Vec<u8>>,
    spare: Sender<Vec<u8>>,
    /// The batch that is being read, and the offset of its next item.
    batch: Vec<u8>,
    at: usize,
}

/// Returns both ends of a channel.
pub(super) fn pipe() -> (Writer, Reader) {
    let (batches, read) = sync_channel(WAITING_MAX);
    let (give_back, spare) = channel();
    let reader = Reader { batches: read, spare: give_back, batch: Vec::new(), at: 0 };
    (Writer { batches, spare }, reader)
}

impl Write for Writer {
    /// Takes all of `text`, which consists of whole items.
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if !text.is_empty() {
            let mut batch = self.spare.try_recv().unwrap_or_default();
            batch.clear();
            batch.extend_from_slice(text);
            self.batches.send(batch).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Reader {
    /// Returns the next item; waits until it is there. `None` when the run has ended.
    pub(super) fn next(&mut self) -> Option<Result<Finding<'_>, Error>> {
        while self.at >= self.batch.len() {
            let batch = self.batches.recv().ok()?;
            // The run may have ended already.
            let _ = self.spare.send(std::mem::replace(&mut self.batch, batch));
            self.at = 0;
        }
        let (head, rest) = self.batch.get(self.at..)?.split_first_chunk::<HEAD_LEN>()?;
        let [kind, len @ ..] = *head;
        let item = rest.get(..usize::try_from(u64::from_ne_bytes(len)).ok()?)?;
        self.at += HEAD_LEN + item.len();
        if kind == FINDING { Some(Ok(Finding::of(item))) } else { note(item).map(Err) }
    }
}
