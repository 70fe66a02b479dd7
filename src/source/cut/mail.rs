//! What the cutter knows of the messages in a text: where they begin, and where in the last
//! one a cut falls.

use std::sync::Arc;

use super::{Origin, Records};
use crate::finding::{Message, Note, NoteKind};
use crate::source::boxes::{Begun, Finder, Found, Style, WrongLength};
use crate::source::mailbox;
use crate::source::mime::{Content, Edge, Sections, Walk};
use crate::span::Span;

/// Wrong lengths of one text that are told one by one. Who has more has a broken program, and
/// nothing new is learnt from the next.
const WRONG_MAX: u64 = 100;

/// Where one stands in a text of messages.
pub(super) struct Mail {
    finder: Finder,
    /// The message that the next core begins in.
    message: Option<Arc<Message>>,
    /// Where in that message; none outside of messages.
    walk: Option<Walk>,
    /// The messages that begin in the next core.
    begun: Vec<Begun>,
    /// True when others may begin there that are decided by what follows it.
    is_open: bool,
    /// Lengths that are wrong and were not told yet.
    wrong: Vec<WrongLength>,
    /// Wrong lengths that were told.
    told: u64,
}

impl Mail {
    /// Of a text that begins with `head`.
    pub(super) fn new(style: Style, head: &[u8]) -> Self {
        let (begun, wrong) = (Vec::new(), Vec::new());
        let finder = Finder::new(style, head);
        Self { finder, message: None, walk: None, begun, is_open: false, wrong, told: 0 }
    }

    /// True when it must be seen what stands behind a core before it is cut.
    pub(super) const fn looks_behind(&self) -> bool {
        self.finder.style().tells_lengths()
    }

    /// Looks for the messages that begin in `core` of `bytes`, which stand at `base`, and at
    /// the end of the text when `is_end` is true.
    pub(super) fn find(&mut self, bytes: &[u8], core: Span, base: u64, is_end: bool) {
        let Found { begun, is_open } = self.finder.find(bytes, core, base, is_end);
        (self.begun, self.is_open) = (begun, is_open);
    }

    /// Reports whether more must be seen after the core to know which messages begin in it.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Where to cut before the last message of the core, if it does not begin with that, and
    /// nothing that is looked for crosses the place.
    pub(super) fn last_message(&self, bytes: &[u8], core: Span) -> Option<usize> {
        let last = self.begun.last()?;
        self.finder.cut(bytes, last.at).filter(|at| *at > core.start)
    }

    /// Where a part begins that must be decoded and does not end in the core, if it begins
    /// behind an empty line, and not with the core.
    pub(super) fn coded_part(&self, bytes: &[u8], core: Span) -> Option<usize> {
        let mut found = Sections::default();
        let last = self.begun.last().map(|begun| begun.at);
        self.walk_through(self.walk.clone(), bytes, core, last, Edge::End, &mut found);
        let last = found.list.last()?;
        let is_coded = !last.codings.is_empty() && last.content != Content::Skipped;
        let start = last.span.start;
        (is_coded && start > core.start && mailbox::is_blank_before(bytes, start)).then_some(start)
    }

    /// Where the header begins that `core` ends in, when that is short: of a field that goes on in
    /// the next piece, nothing could be decoded. What is looked for begins in no part and ends in
    /// the header of another.
    pub(super) fn cut_header(&self, bytes: &[u8], core: Span) -> Option<usize> {
        let mut found = Sections::default();
        let last = self.begun.last().map(|begun| begun.at);
        let walk = self.walk.clone();
        let walk = self.walk_through(walk, bytes, core, last, Edge::Anywhere, &mut found)?;
        // A message is told by what stands before it, but in the simplest of boxes; and a line
        // that is none there may become one at the beginning of a piece.
        let is_from = |start| bytes.get(start..).is_some_and(|text| text.starts_with(b"From "));
        let is_told = |start| match last == Some(start) {
            true => self.finder.style() == Style::Mbox,
            false => !is_from(start),
        };
        let is_short = |start| core.end - start <= mailbox::HEADER_LEN_MAX;
        let is_good = |start: &usize| *start > core.start && is_told(*start) && is_short(*start);
        found.header.filter(|start| walk.is_in_header() && is_good(start))
    }

    /// True when `core`, with such an edge, ends within a part that had better be decoded as a
    /// whole, or be cut elsewhere.
    pub(super) fn loses(&self, bytes: &[u8], core: Span, edge: Edge) -> bool {
        let mut found = Sections::default();
        let last = self.begun.iter().map(|begun| begun.at).rfind(|at| *at < core.end);
        self.walk_through(self.walk.clone(), bytes, core, last, edge, &mut found);
        found.is_divided
    }

    /// The structure of `core`; passes on to what stands behind it.
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
        // Behind an end another message begins, if anything does.
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
        self.walk = self.walk_through(walk, bytes, core, last, edge, &mut Sections::default());
        self.finder.enter(self.walk.as_ref().map(Walk::boundaries).unwrap_or_default());
        records
    }

    /// Notes for the lengths that turned out to be wrong.
    pub(super) fn notes(&mut self, origin: &Origin) -> Vec<Note> {
        let wrong = std::mem::take(&mut self.wrong);
        wrong.iter().filter_map(|wrong| self.note(wrong, origin)).collect()
    }

    fn note(&mut self, wrong: &WrongLength, origin: &Origin) -> Option<Note> {
        let WrongLength { offset, told, found, is_truncated } = *wrong;
        self.told += u64::from(!is_truncated);
        let kind = if is_truncated { NoteKind::ArchiveTruncated } else { NoteKind::LengthWrong };
        let message = match self.told {
            _ if is_truncated => format!("expected {told} bytes in an article, found {found}"),
            ..WRONG_MAX => format!("expected {told} bytes in an article, found {found}"),
            WRONG_MAX => format!(
                "expected {told} bytes in an article, found {found}; of others in this input \
                 that are wrong, nothing will be said"
            ),
            _ => return None,
        };
        Some(Note { kind, origin: origin.clone(), offset: Some(offset), message })
    }

    /// Hears that the text ends at `end`.
    pub(super) fn finish(&mut self, end: u64) {
        self.wrong.extend(self.finder.finish(end));
    }

    /// Walks from the message that begins `last` in `core`, or else from where `walk` is, to the
    /// end of `core`.
    fn walk_through(
        &self,
        walk: Option<Walk>,
        bytes: &[u8],
        core: Span,
        last: Option<usize>,
        edge: Edge,
        found: &mut Sections,
    ) -> Option<Walk> {
        let (mut walk, mut at) = match last {
            Some(at) => (Walk::new(self.finder.style().in_head()), at),
            None => (walk?, core.start),
        };
        while at < core.end {
            found.list.clear();
            at = walk.sections(bytes, Span::new(at, core.end), bytes.len(), edge, found);
        }
        Some(walk)
    }
}
