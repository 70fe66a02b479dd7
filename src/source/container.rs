//! Unpacks archives and compressed streams, one unpacker per format.
//!
//! An unpacker passes its members to a [`Members`], which decides how they are read. One
//! [`Budget`] per input limits the cost of unpacking.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::civil::Date;

use super::event::Event;
use super::kind::{Declared, Packing};
use super::part::{Division, Joint};
use crate::finding::{Note, NoteKind, Origin, Skip};

#[cfg(feature = "archives")]
mod ahead;
pub(super) mod archive;
pub(super) mod batch;
mod budget;
pub(super) mod compress;
pub(super) mod emlx;
mod fault;
mod feed;
mod share;
pub(super) mod web;

use budget::DEPTH_MAX;
pub(super) use budget::{Budget, MEMBER_LEN_MAX, Meter, Wide};
#[cfg(feature = "archives")]
pub use compress::apart;
use compress::{Codec, Unpacked};
pub(super) use fault::Outside;
#[cfg(feature = "archives")]
use fault::carried;
use fault::{Broken, Cause, Cut, Fault, Limit, is_told};
pub(super) use feed::Feed;
pub(super) use share::Share;

/// A function that reads the members of an archive of one format, from its first byte.
type Unpack = fn(&mut Unpacker<'_>, &mut dyn Read, &Nest) -> Progress;

/// Unpackers of archives; `compress` decodes compressed streams.
const UNPACKERS: &[(Packing, Unpack)] = &[
    (Packing::Tar, archive::tar::read),
    (Packing::Zip, archive::zip::read),
    (Packing::Ar, archive::ar::read),
    (Packing::Cpio, archive::cpio::read),
    (Packing::Dbox, archive::dbox::read),
    (Packing::Exim, archive::exim::read),
    (Packing::Postfix, archive::postfix::read),
    (Packing::Rpm, archive::rpm::read),
    (Packing::Warc, web::warc::read),
    (Packing::Arc, web::arc::read),
    (Packing::Batch, batch::read),
];

/// Member name of the bytes after the end of a container.
const REST: &[u8] = b"rest";

/// The reason why reading ends early.
#[derive(Debug)]
pub(super) enum Halt {
    /// The consumer wants no more.
    Stopped,
    /// Reading failed; the error carries the fault.
    Failed(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<ControlFlow<()>> for Halt {
    fn from(_: ControlFlow<()>) -> Self {
        Self::Stopped
    }
}

pub(super) type Progress = Result<(), Halt>;

/// Position in the container hierarchy.
#[derive(Clone)]
pub(super) struct Nest {
    pub(super) origin: Arc<Origin>,
    /// Number of enclosing containers.
    depth: usize,
    /// Number of the scope that a fault is about; each scope is one more than its enclosing scope.
    pub(super) scope: usize,
    /// Markup and charset that the container declares for the member.
    pub(super) declared: Declared,
    /// The members to read of the container here.
    stretch: Stretch,
}

/// Consecutive members of a container.
#[derive(Clone, Copy, Default)]
pub(super) struct Stretch {
    /// Number of members before them, where the container numbers its members.
    pub(super) first: u64,
    /// Number of members up to their end, or the offset of it; `None` if no members follow them.
    pub(super) end: Option<u64>,
}

impl Nest {
    /// Returns the position of an input.
    pub(super) fn new(origin: Arc<Origin>) -> Self {
        let (declared, stretch) = (Declared::default(), Stretch::default());
        Self { origin, depth: 0, scope: 0, declared, stretch }
    }

    /// Returns the same position, of whose members only these are read.
    pub(super) fn of(self, stretch: Stretch) -> Self {
        Self { stretch, ..self }
    }

    /// Reports whether the position is inside of a container.
    pub(super) const fn is_packed(&self) -> bool {
        self.depth > 0
    }

    /// Returns the same position in a new, inner scope, so that a fault ends less.
    pub(super) fn scope(&self) -> Self {
        Self { scope: self.scope + 1, ..self.clone() }
    }
}

/// The reader of members that unpackers find.
pub(super) trait Members {
    /// Reads `input`, which may itself be packed.
    fn stream(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress;

    /// Reads `input`, articles of a batch, as plain text.
    fn plain(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress;

    /// Passes `event` on to the consumer.
    fn event(&mut self, event: Event) -> ControlFlow<()>;
}

/// The surroundings of an unpacker: the budget of its input, and the reader of its members.
pub(super) struct Unpacker<'s> {
    pub(super) budget: &'s Budget,
    members: &'s mut dyn Members,
}

impl<'s> Unpacker<'s> {
    pub(super) fn new(budget: &'s Budget, members: &'s mut dyn Members) -> Self {
        Self { budget, members }
    }

    /// Reads `input`, which may itself be packed.
    pub(super) fn stream(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        self.members.stream(input, nest)
    }

    /// Reads `input`, articles of a batch, as plain text.
    pub(super) fn plain(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        self.members.plain(input, nest)
    }

    /// Takes a place at the offset `at` of the container around `nest` where a reader can begin:
    /// `count` members are before it.
    pub(super) fn joint(&self, by: Division, nest: &Nest, at: u64, count: u64) {
        if !nest.origin.members.is_empty() {
            return;
        }
        match nest.depth {
            1 => self.budget.joint(by, at, Joint::plain(at, count)),
            2 => self.budget.packed_joint(by, at, count),
            _ => {}
        }
    }

    /// Returns the position inside of the container at `nest`; notes the limit and returns none
    /// when that is nested too deeply.
    pub(super) fn inside(&mut self, nest: &Nest) -> Result<Option<Nest>, Halt> {
        if nest.depth < DEPTH_MAX {
            return Ok(Some(Nest { depth: nest.depth + 1, ..nest.scope() }));
        }
        let message = format!("expected at most {DEPTH_MAX} containers in each other, found more");
        self.note(NoteKind::LimitReached, nest, Some(0), message)?;
        Ok(None)
    }

    /// Reads the text of all streams in `rest`, each compressed by itself, and any trailing bytes.
    fn streams(&mut self, codec: Codec, rest: &mut dyn Read, nest: &Nest) -> Progress {
        // Decoders of inner streams share the budget, and wait for bytes of outer ones.
        let is_outermost = nest.depth == 1;
        let mut feed = compress::feed(codec, rest, self.budget, is_outermost);
        if let Some((offset, message)) = compress::lead(codec, &mut feed)? {
            self.note(NoteKind::ArchiveBroken, nest, Some(offset), message)?;
        }
        if let Some((offset, message)) = self.unpacked(codec, &mut feed, nest)? {
            self.note(NoteKind::TrailingBytes, nest, Some(offset), message)?;
            self.rest(&mut feed, nest)?;
        }
        Ok(())
    }

    /// Reads the text of all streams in `feed`; returns the offset and description of any trailing
    /// bytes.
    fn unpacked(
        &mut self,
        codec: Codec,
        feed: &mut Feed<'_>,
        nest: &Nest,
    ) -> Result<Option<(u64, String)>, Halt> {
        // The length of an input that is one stream is not limited.
        let produced_max = if nest.depth == 1 { u64::MAX } else { MEMBER_LEN_MAX };
        let meter = Meter::new(self.budget, nest.scope, produced_max);
        let mut unpacked = Unpacked::all(codec, feed, meter);
        unpacked.is_outermost = nest.depth == 1;
        let result = match codec {
            Codec::Zlib => self.object(&mut unpacked, nest),
            _ => self.stream(&mut unpacked, nest),
        };
        for (offset, message) in unpacked.passed() {
            self.note(NoteKind::ArchiveBroken, nest, Some(offset), message)?;
        }
        result?;
        Ok(unpacked.trailing())
    }

    /// Reads `input`, the text of a stream of zlib, which may be a file that git keeps. The header
    /// of one is no part of the file, whose own first bytes decide how it is read.
    fn object(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        let mut feed = Feed::new(input);
        let len = blob_header_len(feed.peek_most(BLOB_HEADER_LEN_MAX)?);
        feed.skip(len as u64)?;
        self.stream(&mut feed, nest)
    }

    /// Reads any bytes after the end of `nest`, in any format, and drains `feed`, so that the
    /// enclosing container is read to its end, too.
    pub(super) fn rest(&mut self, feed: &mut Feed<'_>, nest: &Nest) -> Progress {
        if feed.peek(1)?.is_empty() {
            return Ok(());
        }
        let inside = self.member(nest, REST, None)?;
        let result = self.stream(feed, &inside);
        self.settle(result, &inside)?;
        Ok(feed.drain()?)
    }

    /// Counts a member and returns the position inside of it, a scope of its own. `date` is the day
    /// it was written, if known; else the date of `nest` holds.
    pub(super) fn member(
        &mut self,
        nest: &Nest,
        name: &[u8],
        date: Option<Date>,
    ) -> Result<Nest, Halt> {
        self.budget.member()?;
        self.event(Event::Member)?;
        let Nest { origin, .. } = Self::named(nest, name);
        let date = date.or(origin.date);
        Ok(Nest {
            origin: Arc::new(Origin { date, ..Arc::unwrap_or_clone(origin) }),
            declared: Declared::default(),
            stretch: Stretch::default(),
            ..nest.scope()
        })
    }

    /// Returns the position of a member called `name` without counting it as read.
    pub(super) fn named(nest: &Nest, name: &[u8]) -> Nest {
        Nest { origin: Arc::new(nest.origin.within(name)), ..nest.scope() }
    }

    /// Notes the fault that ended `nest`; returns `result` as it is if another scope ended.
    pub(super) fn settle(&mut self, result: Progress, nest: &Nest) -> Progress {
        let Err(Halt::Failed(error)) = result else { return result };
        let fault = Fault::about(nest.scope, error)?;
        self.note(fault.cause.kind(), nest, fault.offset, fault.to_string())
    }

    /// Counts an input that cannot be unpacked, and notes that it is `what`.
    pub(super) fn unread(&mut self, skip: Skip, what: &str, nest: &Nest) -> Progress {
        self.skip(skip)?;
        let message = format!("expected something that can be unpacked, found {what}");
        self.note(NoteKind::InputPacked, nest, None, message)
    }

    pub(super) fn skip(&mut self, skip: Skip) -> Progress {
        self.event(Event::Skipped(skip))
    }

    pub(super) fn note(
        &mut self,
        kind: NoteKind,
        nest: &Nest,
        offset: Option<u64>,
        message: String,
    ) -> Progress {
        let origin = Origin::clone(&nest.origin);
        self.event(Event::Note(Note { kind, origin, offset, message }))
    }

    fn event(&mut self, event: Event) -> Progress {
        match self.members.event(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }
}

/// Reads all of `rest`, which is packed as `packing` declares and is located at `nest`.
pub(super) fn unpack(
    packing: Packing,
    rest: &mut dyn Read,
    unpacker: &mut Unpacker<'_>,
    nest: &Nest,
) -> Progress {
    let Some(inside) = unpacker.inside(nest)? else { return Ok(()) };
    let archive = UNPACKERS.iter().find(|(known, _)| *known == packing);
    let result = match (archive, Codec::of(packing)) {
        (Some((_, read)), _) => read(unpacker, rest, &inside),
        (None, Some(codec)) => unpacker.streams(codec, rest, &inside),
        (None, None) => unpacker.unread(Skip::Packed, packing.name(), nest),
    };
    unpacker.settle(result, &inside)
}

/// Maximum length in bytes of the header of a file in git: its name, a length, and a NUL byte.
const BLOB_HEADER_LEN_MAX: usize = 32;

/// Returns the length of the header of a file in git that `head` begins with (gitformat-loose);
/// zero without one.
fn blob_header_len(head: &[u8]) -> usize {
    let Some(rest) = head.strip_prefix(b"blob ") else { return 0 };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let header_len = head.len() - rest.len() + digits + 1;
    let is_header = digits > 0 && header_len <= BLOB_HEADER_LEN_MAX;
    if is_header && rest.get(digits) == Some(&0) { header_len } else { 0 }
}

/// Returns a failure of `nest` at `offset`.
fn fail(nest: &Nest, offset: u64, cause: impl Into<Cause>) -> Halt {
    let fault = Fault { scope: nest.scope, offset: Some(offset), cause: cause.into() };
    Halt::Failed(fault.into())
}

#[cfg(test)]
mod tests {
    use super::blob_header_len;

    #[test]
    fn a_file_of_git_begins_after_its_header() {
        assert_eq!(blob_header_len(b"blob 12\0From: a"), 8);
        assert_eq!(blob_header_len(b"blob 0\0"), 7);
        for other in
            [&b""[..], b"blob", b"blob \0a", b"blob 12 a", b"blob 12", b"tree 12\0", b"a blob 1\0"]
        {
            assert_eq!(blob_header_len(other), 0, "{}", other.escape_ascii());
        }
    }
}
