//! Unpackers: each reads one format of archives or compressed streams, and hands on what it finds.
//!
//! An unpacker does not know how its members are read: that is passed to it, as [`Members`]. What
//! unpacking may cost is counted in one account for each input.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::civil::Date;

use super::kind::{Declared, Packing};
use super::told::Told;
use crate::finding::{Note, NoteKind, Origin};

mod account;
pub(super) mod archive;
pub(super) mod batch;
mod compress;
pub(super) mod emlx;
mod feed;
mod share;
pub(super) mod web;

use account::DEPTH_MAX;
pub(super) use account::{Account, Fault, MEMBER_LEN_MAX, Meter, Outside, Wide, is_told};
use compress::{Codec, Unpacked};
pub(super) use feed::Feed;
pub(super) use share::Share;

/// Reads the members of an archive of one format, from its first byte.
type Unpack = fn(&mut Unpacker<'_>, &mut dyn Read, &Nest) -> Progress;

/// The archives that are read. What is compressed, `compress` reads.
const UNPACKERS: &[(Packing, Unpack)] = &[
    (Packing::Tar, archive::tar::read),
    (Packing::Zip, archive::zip::read),
    (Packing::Ar, archive::ar::read),
    (Packing::Cpio, archive::cpio::read),
    (Packing::Dbox, archive::dbox::read),
    (Packing::Rpm, archive::rpm::read),
    (Packing::Warc, web::warc::read),
    (Packing::Arc, web::arc::read),
    (Packing::Batch, batch::read),
];

/// What a member is called that is none and stands behind the end.
const REST: &[u8] = b"rest";

/// Why reading does not go on.
#[derive(Debug)]
pub(super) enum Halt {
    /// Nobody wants any more.
    Stopped,
    /// Something has failed; the error carries the fault.
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

/// Where one stands among containers.
#[derive(Clone)]
pub(super) struct Nest {
    pub(super) origin: Arc<Origin>,
    /// Containers around it.
    depth: usize,
    /// Number of the scope that a fault is about; each is one more than that around it.
    pub(super) scope: usize,
    /// What was said of it beside.
    pub(super) declared: Declared,
}

impl Nest {
    /// Returns the place of an input.
    pub(super) fn new(origin: Arc<Origin>) -> Self {
        Self { origin, depth: 0, scope: 0, declared: Declared::default() }
    }

    /// Reports whether it is inside of a container.
    pub(super) const fn is_packed(&self) -> bool {
        self.depth > 0
    }

    /// The same place, where a fault ends less.
    pub(super) fn scope(&self) -> Self {
        Self { scope: self.scope + 1, ..self.clone() }
    }
}

/// The reader of whatever an unpacker finds.
pub(super) trait Members {
    /// Reads `input`, which may be packed itself.
    fn stream(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress;

    /// Reads `input`, articles of a batch, as the text that it is.
    fn plain(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress;

    /// Passes `told` on.
    fn tell(&mut self, told: Told) -> ControlFlow<()>;
}

/// The surroundings of an unpacker: the account of its input, and the reader of its members.
pub(super) struct Unpacker<'s> {
    pub(super) account: &'s Account,
    members: &'s mut dyn Members,
}

impl<'s> Unpacker<'s> {
    pub(super) fn new(account: &'s Account, members: &'s mut dyn Members) -> Self {
        Self { account, members }
    }

    /// Reads `input`, whatever it is.
    pub(super) fn stream(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        self.members.stream(input, nest)
    }

    /// Reads `input`, articles of a batch, as the text that it is.
    pub(super) fn plain(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        self.members.plain(input, nest)
    }

    /// The place inside of a container; none when it is too deep.
    pub(super) fn inside(&mut self, nest: &Nest) -> Result<Option<Nest>, Halt> {
        if nest.depth < DEPTH_MAX {
            return Ok(Some(Nest { depth: nest.depth + 1, ..nest.scope() }));
        }
        let message = format!("expected at most {DEPTH_MAX} containers in each other, found more");
        self.note(NoteKind::LimitReached, nest, Some(0), message)?;
        Ok(None)
    }

    /// What streams that were compressed one by one hold together.
    fn streams(&mut self, codec: Codec, rest: &mut dyn Read, nest: &Nest) -> Progress {
        let mut feed = Feed::new(rest);
        if let Some((offset, message)) = self.unpacked(codec, &mut feed, nest)? {
            self.note(NoteKind::TrailingBytes, nest, Some(offset), message)?;
            self.rest(&mut feed, nest)?;
        }
        Ok(())
    }

    /// The same; gives the offset and the kind of what stands behind them.
    fn unpacked(
        &mut self,
        codec: Codec,
        feed: &mut Feed<'_>,
        nest: &Nest,
    ) -> Result<Option<(u64, String)>, Halt> {
        // An input that is one stream may be as long as it likes.
        let produced_max = if nest.depth == 1 { u64::MAX } else { MEMBER_LEN_MAX };
        let meter = Meter::new(self.account, nest.scope, produced_max);
        let mut unpacked = Unpacked::all(codec, feed, meter);
        self.stream(&mut unpacked, nest)?;
        Ok(unpacked.trailing())
    }

    /// Reads what stands behind the end of `nest`, if anything does, whatever it is; what is around
    /// that is to be read to its end, too.
    pub(super) fn rest(&mut self, feed: &mut Feed<'_>, nest: &Nest) -> Progress {
        if feed.peek(1)?.is_empty() {
            return Ok(());
        }
        let inside = self.member(nest, REST, None)?;
        let result = self.stream(feed, &inside);
        self.settle(result, &inside)?;
        Ok(feed.drain()?)
    }

    /// The place inside of the member called `name`, which was written on `date` where that is
    /// known. It is a scope of its own.
    pub(super) fn member(
        &mut self,
        nest: &Nest,
        name: &[u8],
        date: Option<Date>,
    ) -> Result<Nest, Halt> {
        self.account.member()?;
        self.tell(Told::Member)?;
        let Nest { origin, .. } = Self::named(nest, name);
        let date = date.or(origin.date);
        Ok(Nest {
            origin: Arc::new(Origin { date, ..Arc::unwrap_or_clone(origin) }),
            declared: Declared::default(),
            ..nest.scope()
        })
    }

    /// The place of a member that is called `name` and may not be read.
    pub(super) fn named(nest: &Nest, name: &[u8]) -> Nest {
        Nest { origin: Arc::new(nest.origin.within(name)), ..nest.scope() }
    }

    /// Tells of what ended `nest`, if that is all that ended.
    pub(super) fn settle(&mut self, result: Progress, nest: &Nest) -> Progress {
        let Err(Halt::Failed(error)) = result else { return result };
        let fault = Fault::about(nest.scope, error)?;
        self.note(fault.kind, nest, fault.offset, fault.message)
    }

    /// Counts something that is not read and tells what kept it from that.
    pub(super) fn unread(&mut self, reason: &'static str, what: &str, nest: &Nest) -> Progress {
        self.skip(reason)?;
        let message = format!("expected something that can be unpacked, found {what}");
        self.note(NoteKind::InputPacked, nest, None, message)
    }

    pub(super) fn skip(&mut self, reason: &'static str) -> Progress {
        self.tell(Told::Skipped(reason))
    }

    pub(super) fn note(
        &mut self,
        kind: NoteKind,
        nest: &Nest,
        offset: Option<u64>,
        message: String,
    ) -> Progress {
        let origin = Origin::clone(&nest.origin);
        self.tell(Told::Note(Note { kind, origin, offset, message }))
    }

    fn tell(&mut self, told: Told) -> Progress {
        match self.members.tell(told) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }
}

/// Reads all that `rest` holds, which is packed so and stands at `nest`.
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
        (None, None) => unpacker.unread("packed", packing.name(), nest),
    };
    unpacker.settle(result, &inside)
}

/// A fault of `nest`: what it is, or what it lacks.
pub(super) fn fail(kind: NoteKind, nest: &Nest, offset: u64, message: impl Into<String>) -> Halt {
    let (scope, offset, message) = (nest.scope, Some(offset), message.into());
    Halt::Failed(Fault { scope, kind, offset, message }.into())
}
