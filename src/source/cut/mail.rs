//! Finds where the messages of a text begin, and where in the last one a cut may fall.

use std::sync::Arc;

use super::{Origin, Records};
use crate::finding::{Message, Note, NoteKind};
use crate::source::mail::boxes::{Begun, BegunMessages, Finder, Style, WrongLength};
use crate::source::mail::mailbox;
use crate::source::mail::mime::{Content, Edge, Sections, Text, Walk};
use crate::span::Span;

/// Most wrong lengths of one text that are reported one by one. More come from a broken program,
/// and further ones add no information.
const WRONG_MAX: u64 = 100;

/// The position in a text of messages.
pub(super) struct Mail {
    finder: Finder,
    /// The message that the next core begins in.
    message: Option<Arc<Message>>,
    /// The position in that message; `None` outside of messages.
    walk: Option<Walk>,
    /// The messages that begin in the next core.
    begun: Vec<Begun>,
    /// Whether bytes after the core decide if more messages begin in it.
    is_open: bool,
    /// Wrong lengths that are not reported yet.
    wrong: Vec<WrongLength>,
    /// The number of wrong lengths reported so far.
    told: u64,
}

impl Mail {
    /// Returns the position at the start of a text that begins with `head`.
    pub(super) fn new(style: Style, head: &[u8]) -> Self {
        let (begun, wrong) = (Vec::new(), Vec::new());
        let finder = Finder::new(style, head);
        Self { finder, message: None, walk: None, begun, is_open: false, wrong, told: 0 }
    }

    /// Moves to a message before which there are `count`.
    pub(super) const fn resume(&mut self, count: u64) {
        self.finder.resume(count);
    }

    /// Reports whether bytes after a core must be read before it is cut.
    pub(super) const fn looks_after(&self) -> bool {
        self.finder.style().declares_lengths()
    }

    /// Finds the messages that begin in `core` of `bytes`, which begin at offset `base` of the text
    /// and end with it if `is_end` is true.
    pub(super) fn find(&mut self, bytes: &[u8], core: Span, base: u64, is_end: bool) {
        let BegunMessages { begun, is_open } = self.finder.find(bytes, core, base, is_end);
        (self.begun, self.is_open) = (begun, is_open);
    }

    /// Reports whether more must be seen after the core to know which messages begin in it.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns where to cut before the last message that begins in the core, unless the core begins
    /// there or a candidate may cross the place.
    pub(super) fn last_message(&self, bytes: &[u8], core: Span) -> Option<usize> {
        let last = self.begun.last()?;
        self.finder.cut(bytes, last.at).filter(|at| *at > core.start)
    }

    /// Returns where a part begins that must be decoded and does not end in `core`, if it begins
    /// after an empty line and not at the start of `core`.
    pub(super) fn coded_part(&self, bytes: &[u8], core: Span) -> Option<usize> {
        let mut found = Sections::default();
        let last = self.begun.last().map(|begun| begun.at);
        let walk = self.begin(self.walk.clone(), core, last);
        walk_through(walk, bytes, core.end, Edge::End, &mut found);
        let last = found.list.last()?;
        let is_coded = !last.codings.is_empty() && last.content != Content::Skipped;
        let start = last.span.start;
        (is_coded && start > core.start && mailbox::is_blank_before(bytes, start)).then_some(start)
    }

    /// Returns where the header begins that `core` ends in, if it is short: a field that continues
    /// in the next piece could not be decoded. No candidate begins in a part and ends in the header
    /// of another.
    pub(super) fn cut_header(&self, bytes: &[u8], core: Span) -> Option<usize> {
        let mut found = Sections::default();
        let last = self.begun.last().map(|begun| begun.at);
        let walk = self.begin(self.walk.clone(), core, last);
        let walk = walk_through(walk, bytes, core.end, Edge::Anywhere, &mut found)?;
        // Except in the simplest boxes, the bytes before a message decide whether it is one; and a
        // line that begins none here may begin one at the start of a piece.
        let is_from = |start| bytes.get(start..).is_some_and(mailbox::is_from_line);
        let is_told = |start| {
            if last == Some(start) { self.finder.style() == Style::Mbox } else { !is_from(start) }
        };
        let is_short = |start| core.end - start <= mailbox::HEADER_LEN_MAX;
        let is_good = |start: &usize| *start > core.start && is_told(*start) && is_short(*start);
        found.header.filter(|start| walk.is_in_header() && is_good(start))
    }

    /// Reports whether `core`, with such an edge, ends within a part that should be decoded as a
    /// whole or be cut elsewhere.
    pub(super) fn loses(&self, bytes: &[u8], core: Span, edge: Edge) -> bool {
        let mut found = Sections::default();
        let last = self.begun.iter().map(|begun| begun.at).rfind(|at| *at < core.end);
        let walk = self.begin(self.walk.clone(), core, last);
        walk_through(walk, bytes, core.end, edge, &mut found);
        found.is_divided
    }

    /// Returns the structure of `core`, and advances to the bytes after it.
    pub(super) fn pass(&mut self, bytes: &[u8], core: Span, base: u64, edge: Edge) -> Records {
        let count = self.finder.count();
        let found = std::mem::take(&mut self.begun);
        let (starts, wrong) = self.finder.pass(found, base, core.end);
        self.wrong.extend(wrong);
        let last = starts.last().copied();
        let (message, walk) = (self.message.clone(), self.walk.take());
        let style = self.finder.style();
        let records =
            Records::Mail { message, walk: walk.clone().map(Box::new), edge, starts, count, style };
        // After the end, the next byte, if any, begins another message.
        if edge == Edge::End {
            self.finder.enter(&[]);
            return records;
        }
        if let Some(at) = last {
            let message = Message {
                number: self.finder.count(),
                ..mailbox::message(bytes, at, style.in_head())
            };
            self.message = Some(Arc::new(message));
        }
        let walk = self.begin(walk, core, last);
        self.walk = walk_through(walk, bytes, core.end, edge, &mut Sections::default());
        self.finder.enter(self.walk.as_ref().map(Walk::boundaries).unwrap_or_default());
        records
    }

    /// Returns notes for the lengths that turned out to be wrong.
    pub(super) fn notes(&mut self, origin: &Origin) -> Vec<Note> {
        let wrong = std::mem::take(&mut self.wrong);
        wrong.iter().filter_map(|wrong| self.note(wrong, origin)).collect()
    }

    fn note(&mut self, wrong: &WrongLength, origin: &Origin) -> Option<Note> {
        let WrongLength { offset, declared, found, is_truncated } = *wrong;
        self.told += u64::from(!is_truncated);
        let kind = if is_truncated { NoteKind::ArchiveTruncated } else { NoteKind::LengthWrong };
        let message = match self.told {
            _ if is_truncated => format!("expected {declared} bytes in an article, found {found}"),
            ..WRONG_MAX => format!("expected {declared} bytes in an article, found {found}"),
            WRONG_MAX => format!(
                "expected {declared} bytes in an article, found {found}; of others in this input \
                 that are wrong, nothing will be said"
            ),
            _ => return None,
        };
        Some(Note { kind, origin: origin.clone(), offset: Some(offset), message })
    }

    /// Records that the text ends at `end`.
    pub(super) fn finish(&mut self, end: u64) {
        self.wrong.extend(self.finder.finish(end));
    }

    /// Returns a walk and its offset: that of the message which begins at `last` in `core`, or else
    /// `walk` at the start of `core`.
    fn begin(&self, walk: Option<Walk>, core: Span, last: Option<usize>) -> Option<(Walk, usize)> {
        match last {
            Some(at) => Some((Walk::new(self.finder.style().in_head()), at)),
            None => walk.map(|walk| (walk, core.start)),
        }
    }
}

/// Walks on to `end`, where such an edge is.
fn walk_through(
    walk: Option<(Walk, usize)>,
    bytes: &[u8],
    end: usize,
    edge: Edge,
    found: &mut Sections,
) -> Option<Walk> {
    let (mut walk, mut at) = walk?;
    let text = Text { bytes, to: end, sight: bytes.len(), edge };
    while at < end {
        found.list.clear();
        at = walk.sections(text, at, found);
    }
    Some(walk)
}
