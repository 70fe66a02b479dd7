//! What is inside of compressed streams and archives, and inside of what is inside of them.
//!
//! An input is read front to back as bytes; what its first bytes say is packed is unpacked
//! while it is read and looked at anew, up to a depth. Nothing is written to disk, and memory
//! does not grow with what is unpacked. Only a zip archive that is a file is read by its
//! directory, which stands at its end.
//!
//! A failure ends the scope that it is about and all inside of it: a member, a container, or
//! the input. What was read before is given on, and one note tells of it.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use jiff::civil::Date;

use super::archive::directory::Directory;
use super::boxes::Style;
use super::compress::{Codec, Unpacked};
use super::file::Reading;
use super::piece::{self, Declared, Opened, Outcome, Stage, Storage, Text, Told};
use super::sniff::{self, Content, Packing};
use super::{InputKind, arc, archive, news, postal, warc};
use crate::finding::{Note, NoteKind, Origin};

mod account;
mod feed;
mod share;

use account::DEPTH_MAX;
pub(super) use account::{Account, Fault, MEMBER_LEN_MAX, Meter, Outside, Wide, is_told};
pub(super) use feed::Feed;
pub(super) use share::Share;

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
    /// The same place, where a fault ends less.
    pub(super) fn scope(&self) -> Self {
        Self { scope: self.scope + 1, ..self.clone() }
    }
}

/// Reads the bytes of `input` and all that is packed in them. `file` is where they come from,
/// and how many there are, when that is a regular file.
///
/// # Errors
/// What reading the input itself said. All that was read before is given on first.
pub(super) fn read(
    input: &mut dyn Read,
    file: Option<(&File, u64)>,
    origin: &Arc<Origin>,
    reading: Reading,
    account: &Account,
    stage: &mut dyn Stage,
) -> io::Result<Outcome> {
    let (origin, declared) = (Arc::clone(origin), Declared::default());
    let nest = Nest { origin, depth: 0, scope: 0, declared };
    let mut unpacker = Unpacker { reading, account, stage };
    let mut outcome = Outcome::Read;
    let result = unpacker.input(input, file, &nest).map(|found| outcome = found);
    match unpacker.settle(result, &nest) {
        Ok(()) => Ok(outcome),
        Err(Halt::Stopped) => Ok(Outcome::Stopped),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// What reads, and all that it needs.
pub(super) struct Unpacker<'s> {
    reading: Reading,
    pub(super) account: &'s Account,
    stage: &'s mut dyn Stage,
}

impl Unpacker<'_> {
    /// The input itself, which may be packed in a way that is not read.
    fn input(
        &mut self,
        stream: &mut dyn Read,
        file: Option<(&File, u64)>,
        nest: &Nest,
    ) -> Result<Outcome, Halt> {
        if postal::is_with_properties(&nest.origin) {
            return self.input_bytes(&mut postal::WithoutProperties::new(stream), file, nest);
        }
        self.input_bytes(stream, file, nest)
    }

    fn input_bytes(
        &mut self,
        stream: &mut dyn Read,
        file: Option<(&File, u64)>,
        nest: &Nest,
    ) -> Result<Outcome, Halt> {
        let opened = piece::open(stream, &self.text(nest), self.stage);
        let Content::Packed(packing) = opened.content() else {
            let directory = match file {
                Some((file, len)) if self.may_end_in_zip(&opened, nest) => {
                    archive::directory::find(file, len)?.map(|directory| (directory, file, len))
                }
                _ => None,
            };
            match directory {
                Some(zip) => self.zip_behind(opened, zip, nest)?,
                None => self.cut(opened, nest)?,
            }
            return Ok(Outcome::Read);
        };
        let mut rest = opened.into_reader(self.stage);
        match (packing, file) {
            _ if !packing.is_read() => return Ok(Outcome::Packed(packing.name())),
            (Packing::Zip, Some((file, len))) => self.zip_file(file, len, &mut rest, nest)?,
            _ => self.container(packing, &mut rest, nest)?,
        }
        Ok(Outcome::Read)
    }

    /// Reads `input`, whatever it is.
    pub(super) fn stream(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        if postal::is_with_properties(&nest.origin) {
            return self.bytes(&mut postal::WithoutProperties::new(input), nest);
        }
        self.bytes(input, nest)
    }

    fn bytes(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        let opened = piece::open(input, &self.text(nest), self.stage);
        match opened.content() {
            Content::Packed(packing) => {
                let mut rest = opened.into_reader(self.stage);
                self.container(packing, &mut rest, nest)
            }
            _ => self.cut(opened, nest),
        }
    }

    /// Reads a text, and batches of news behind it.
    fn cut<R: Read>(&mut self, opened: Opened<R>, nest: &Nest) -> Progress {
        if opened.content() == Content::Box(Style::Rnews) {
            let mut rest = opened.into_reader(self.stage);
            return news::read_articles(self, &mut rest, nest);
        }
        self.whole(opened, nest)
    }

    /// Reads `input`, articles of a batch, as the text that it is.
    pub(super) fn plain(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        let opened = piece::open(input, &self.text(nest), self.stage);
        self.whole(opened.or_box(Style::Rnews), nest)
    }

    fn whole<R: Read>(&mut self, opened: Opened<R>, nest: &Nest) -> Progress {
        match opened.cut(&self.text(nest), self.stage)? {
            Outcome::Stopped => Err(Halt::Stopped),
            Outcome::Read | Outcome::Packed(_) => Ok(()),
        }
    }

    fn text<'o>(&self, nest: &'o Nest) -> Text<'o> {
        // Asked anew for each member: what is called mail is, and all that is packed in it.
        let kind = match self.reading.kind {
            InputKind::Auto => postal::kind(&nest.origin).unwrap_or_default(),
            kind => kind,
        };
        Text {
            origin: &nest.origin,
            kind,
            window: self.reading.window,
            core_len_max: piece::CORE_LEN_MAX,
            storage: if nest.depth == 0 { Storage::Plain } else { Storage::Packed },
            declared: nest.declared,
        }
    }

    fn container(&mut self, packing: Packing, rest: &mut dyn Read, nest: &Nest) -> Progress {
        let Some(inside) = self.inside(nest)? else { return Ok(()) };
        let result = match packing {
            Packing::Tar => archive::tar::read(self, rest, &inside),
            Packing::Zip => archive::zip::read(self, rest, &inside),
            Packing::Ar => archive::ar::read(self, rest, &inside),
            Packing::Cpio => archive::cpio::read(self, rest, &inside),
            Packing::Dbox => archive::dbox::read(self, rest, &inside),
            Packing::Rpm => archive::rpm::read(self, rest, &inside),
            Packing::Warc => warc::read(self, rest, &inside),
            Packing::Arc => arc::read(self, rest, &inside),
            Packing::Batch => news::read(self, &mut Feed::new(rest), 1, &inside),
            _ => match Codec::of(packing) {
                Some(codec) => self.streams(codec, rest, &inside),
                None => self.unread("packed", packing.name(), nest),
            },
        };
        self.settle(result, &inside)
    }

    /// A zip archive that is a file. One without a directory is read as a stream, `rest`.
    fn zip_file(&mut self, file: &File, len: u64, rest: &mut dyn Read, nest: &Nest) -> Progress {
        let Some(inside) = self.inside(nest)? else { return Ok(()) };
        let result = match archive::directory::find(file, len)? {
            Some(directory) => {
                let result = archive::zip::read_file(self, file, &directory, &inside);
                self.account.whole(len);
                result
            }
            None => archive::zip::read(self, rest, &inside),
        };
        self.settle(result, &inside)
    }

    /// True for a file that nobody has called mail and that is no box, and that may be a program
    /// with a zip archive behind it, or the last part of one in several. A batch of news begins as
    /// a script does.
    fn may_end_in_zip<R: Read>(&self, opened: &Opened<R>, nest: &Nest) -> bool {
        let name = nest.origin.path.as_os_str().as_bytes();
        let is_box = matches!(opened.content(), Content::Box(_));
        let is_told = self.text(nest).kind != InputKind::Auto;
        !is_box && !is_told && sniff::may_end_in_zip(opened.head(), name)
    }

    /// A file that ends as a zip archive does: what stands before that is text.
    fn zip_behind<R: Read>(
        &mut self,
        opened: Opened<R>,
        (directory, file, len): (Directory, &File, u64),
        nest: &Nest,
    ) -> Progress {
        if let Some(disks) = directory.disks() {
            if sniff::is_called_zip(nest.origin.path.as_os_str().as_bytes()) {
                let message = format!(
                    "expected an archive in one file, found the last one of {disks}: join them \
                     with `zip -s 0`"
                );
                self.note(NoteKind::ArchiveTruncated, nest, Some(0), message)?;
            }
            return self.cut(opened, nest);
        }
        let Some(directory) = directory.behind(file)? else { return self.cut(opened, nest) };
        drop(opened.into_reader(self.stage));
        let mut ahead = directory.ahead(file);
        let text = piece::open(&mut ahead, &self.text(nest), self.stage);
        self.cut(text, nest)?;
        let Some(inside) = self.inside(nest)? else { return Ok(()) };
        let result = archive::zip::read_file(self, file, &directory, &inside);
        self.account.whole(len);
        self.settle(result, &inside)
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
    pub(super) fn unpacked(
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
        match self.stage.tell(told) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }
}

/// A fault of `nest`: what it is, or what it lacks.
pub(super) fn fail(kind: NoteKind, nest: &Nest, offset: u64, message: impl Into<String>) -> Halt {
    let (scope, offset, message) = (nest.scope, Some(offset), message.into());
    Halt::Failed(Fault { scope, kind, offset, message }.into())
}
