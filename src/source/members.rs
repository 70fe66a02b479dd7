//! Reads inputs, and the members of packed ones, at any depth.
//!
//! An input is read front to back as bytes. Data that its first bytes identify as packed is
//! unpacked while it is read, and its members are examined in the same way, up to a maximum depth.
//! Nothing is written to disk, and memory does not grow with the unpacked size. Only a zip archive
//! that is a file is read by its directory, which is at its end.
//!
//! A failure ends the scope that it concerns and all inside of it: a member, a container, or the
//! input. Data read before the failure is passed on, and one note reports it.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::InputKind;
use super::container::archive::zip;
use super::container::archive::zip::directory::{self, Directory};
use super::container::emlx::WithoutProperties;
use super::container::{self, Budget, Halt, Members, Nest, Progress, Stretch, Unpacker};
use super::cut::{self, Opened, Text};
use super::detect;
use super::detect::{postal, stores};
use super::event::Event;
use super::kind::{Content, Packing};
use super::mail::boxes::Style;
use super::mail::mailbox;
use super::part::{Division, Part, Range};
use super::piece::{CORE_LEN_MAX, Outcome, Reading, Stage, Storage};
use crate::finding::{NoteKind, Origin, Skip};
use crate::platform::OsBytes as _;

/// An input to read.
pub(super) struct Source<'i> {
    pub(super) bytes: &'i mut dyn Read,
    /// Its file and the length of that, if it is a regular file.
    pub(super) file: Option<(&'i File, u64)>,
    pub(super) origin: &'i Arc<Origin>,
}

/// Reads the bytes of `input` and all that is packed in them.
///
/// # Errors
/// An error of reading the input itself. All data read before it is passed on first.
pub(super) fn read(
    input: Source<'_>,
    reading: Reading,
    budget: &Budget,
    stage: &mut dyn Stage,
) -> io::Result<Outcome> {
    let Source { bytes, file, origin } = input;
    let nest = Nest::new(Arc::clone(origin));
    let mut reader = MemberReader { reading, budget, stage };
    let mut outcome = Outcome::Read;
    let result = reader.input(bytes, file, &nest).map(|found| outcome = found);
    match reader.unpacker().settle(result, &nest) {
        Ok(()) => Ok(outcome),
        Err(Halt::Stopped) => Ok(Outcome::Stopped),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// Reads a part of a file and all that is packed in it, as [`read`] reads the file. `bytes` are
/// those from the first one on that the part needs, up to the end of the part in an archive, and up
/// to that of the file in a text.
///
/// # Errors
/// An error of reading the file, or an error when the file is not what the part was planned for.
pub(super) fn read_part(
    input: Source<'_>,
    part: &Part,
    reading: Reading,
    budget: &Budget,
    stage: &mut dyn Stage,
) -> io::Result<Outcome> {
    let Source { bytes, file, origin } = input;
    let first = if part.by == Division::Zip { part.start.at } else { part.start.count };
    let stretch = Stretch { first, end: part.end };
    let nest = Nest::new(Arc::clone(origin)).of(stretch);
    let mut reader = MemberReader { reading, budget, stage };
    let result = match part.by {
        Division::Text => return reader.text_part(bytes, file, part, &nest),
        Division::Tar | Division::Warc => reader.input_bytes(bytes, None, &nest).map(|_| ()),
        Division::Zip => match file {
            Some((file, len)) => reader.zip_file(file, len, bytes, &nest),
            None => Ok(()),
        },
    };
    match reader.unpacker().settle(result, &nest) {
        Ok(()) => Ok(Outcome::Read),
        Err(Halt::Stopped) => Ok(Outcome::Stopped),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// Reports whether the file is a text that can be divided.
pub(super) fn is_divisible(input: Source<'_>, reading: Reading, stage: &mut dyn Stage) -> bool {
    let Source { bytes, origin, .. } = input;
    let (budget, nest) = (Budget::default(), Nest::new(Arc::clone(origin)));
    let reader = MemberReader { reading, budget: &budget, stage };
    let text = reader.text(&nest);
    let opened = cut::open(bytes, &text, reader.stage);
    let is_divisible = opened.is_divisible(&text) && !postal::is_with_properties(origin);
    drop(opened.into_reader(reader.stage));
    is_divisible
}

/// Returns the reason to skip a member that begins with `head`, if it is a message that a walk
/// would skip in its store. Other files have such names by chance.
fn skips_message(head: &[u8], nest: &Nest) -> Option<Skip> {
    let reason = nest.origin.members.last().and_then(|name| stores::skips_message(name));
    reason.filter(|_| mailbox::is_message(head))
}

/// A reader of inputs and members, which has packed data unpacked and everything else cut.
struct MemberReader<'s> {
    reading: Reading,
    budget: &'s Budget,
    stage: &'s mut dyn Stage,
}

impl Members for MemberReader<'_> {
    fn stream(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        if self.budget.is_scouting() && !nest.origin.members.is_empty() {
            return Ok(());
        }
        let name = nest.origin.members.last().map_or(&[][..], |name| name);
        if let Some(reason) = stores::skips_member(name) {
            return self.unpacker().skip(reason);
        }
        if postal::is_with_properties(&nest.origin) {
            return self.bytes(&mut WithoutProperties::new(input), nest);
        }
        self.bytes(input, nest)
    }

    fn plain(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        let opened = cut::open(input, &self.text(nest), self.stage);
        self.whole(opened.or_box(Style::Rnews), nest)
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        self.stage.event(event)
    }
}

impl MemberReader<'_> {
    fn unpacker(&mut self) -> Unpacker<'_> {
        Unpacker::new(self.budget, self)
    }

    /// Reads the input itself, which may be packed in a format that is not read.
    fn input(
        &mut self,
        stream: &mut dyn Read,
        file: Option<(&File, u64)>,
        nest: &Nest,
    ) -> Result<Outcome, Halt> {
        if postal::is_with_properties(&nest.origin) {
            return self.input_bytes(&mut WithoutProperties::new(stream), file, nest);
        }
        self.input_bytes(stream, file, nest)
    }

    fn input_bytes(
        &mut self,
        stream: &mut dyn Read,
        file: Option<(&File, u64)>,
        nest: &Nest,
    ) -> Result<Outcome, Halt> {
        let opened = cut::open(stream, &self.text(nest), self.stage);
        let Content::Packed(packing) = opened.content() else {
            let directory = match file {
                Some((file, len)) if self.may_end_in_zip(&opened, nest) => {
                    directory::find(file, len)?.map(|directory| (directory, file))
                }
                _ => None,
            };
            match directory {
                Some(zip) => self.zip_after(opened, zip, nest)?,
                None => self.cut(opened, nest)?,
            }
            return Ok(Outcome::Read);
        };
        let mut rest = opened.into_reader(self.stage);
        match (packing, file) {
            _ if !packing.is_read() => return Ok(Outcome::Packed(packing.name())),
            (Packing::Zip, Some((file, len))) => self.zip_file(file, len, &mut rest, nest)?,
            _ => container::unpack(packing, &mut rest, &mut self.unpacker(), nest)?,
        }
        Ok(Outcome::Read)
    }

    /// Reads a part of a text. The first bytes of the file decide how it is read.
    fn text_part(
        &mut self,
        rest: &mut dyn Read,
        file: Option<(&File, u64)>,
        part: &Part,
        nest: &Nest,
    ) -> io::Result<Outcome> {
        let Some((file, len)) = file else { return Ok(Outcome::Read) };
        let text = self.text(nest);
        let opened = cut::open(Range::new(file, 0, len), &text, self.stage);
        opened.resume(rest, (&part.start, part.end), &text, self.stage)
    }

    fn bytes(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
        let opened = cut::open(input, &self.text(nest), self.stage);
        match opened.content() {
            Content::Packed(packing) => {
                let mut rest = opened.into_reader(self.stage);
                container::unpack(packing, &mut rest, &mut self.unpacker(), nest)
            }
            _ => match skips_message(opened.head(), nest) {
                Some(reason) => {
                    drop(opened.into_reader(self.stage));
                    self.unpacker().skip(reason)
                }
                None => self.cut(opened, nest),
            },
        }
    }

    /// Reads a text, and the batches of news that may follow articles.
    fn cut<R: Read>(&mut self, opened: Opened<R>, nest: &Nest) -> Progress {
        if opened.content() == Content::Box(Style::Rnews) {
            let mut rest = opened.into_reader(self.stage);
            return container::batch::read_articles(&mut self.unpacker(), &mut rest, nest);
        }
        self.whole(opened, nest)
    }

    fn whole<R: Read>(&mut self, opened: Opened<R>, nest: &Nest) -> Progress {
        match opened.cut(&self.text(nest), self.stage)? {
            Outcome::Stopped => Err(Halt::Stopped),
            Outcome::Read | Outcome::Packed(_) => Ok(()),
        }
    }

    fn text<'o>(&self, nest: &'o Nest) -> Text<'o> {
        // Determined for each member: one that is named as mail is mail, and all that is packed in
        // it.
        let kind = match self.reading.kind {
            InputKind::Auto => postal::kind(&nest.origin).unwrap_or_default(),
            kind => kind,
        };
        Text {
            origin: &nest.origin,
            kind,
            window: self.reading.window,
            core_len_max: CORE_LEN_MAX,
            storage: if nest.is_packed() { Storage::Packed } else { Storage::Plain },
            declared: nest.declared,
        }
    }

    /// Reads a zip archive that is a file. One without a directory is read as a stream, `rest`.
    fn zip_file(&mut self, file: &File, len: u64, rest: &mut dyn Read, nest: &Nest) -> Progress {
        let mut unpacker = self.unpacker();
        let Some(inside) = unpacker.inside(nest)? else { return Ok(()) };
        let result = match directory::find(file, len)? {
            Some(directory) => zip::read_file(&mut unpacker, file, &directory, &inside),
            None => zip::read(&mut unpacker, rest, &inside),
        };
        unpacker.settle(result, &inside)
    }

    /// Reports whether a file of undeclared kind that is not a mailbox may be a program with a zip
    /// archive at its end, or the last part of a split archive. A batch of news begins as a script
    /// does.
    fn may_end_in_zip<R: Read>(&self, opened: &Opened<R>, nest: &Nest) -> bool {
        let name = nest.origin.path.as_os_str().as_bytes();
        let is_box = matches!(opened.content(), Content::Box(_));
        let is_told = self.text(nest).kind != InputKind::Auto;
        !is_box && !is_told && detect::may_end_in_zip(opened.head(), name)
    }

    /// Reads a file that ends as a zip archive does: the content before the archive is text.
    fn zip_after<R: Read>(
        &mut self,
        opened: Opened<R>,
        (directory, file): (Directory, &File),
        nest: &Nest,
    ) -> Progress {
        if let Some(disks) = directory.disks() {
            if detect::is_called_zip(nest.origin.path.as_os_str().as_bytes()) {
                let message = format!(
                    "expected an archive in one file, found the last one of {disks}: join them \
                     with `zip -s 0`"
                );
                self.unpacker().note(NoteKind::ArchiveTruncated, nest, Some(0), message)?;
            }
            return self.cut(opened, nest);
        }
        let Some(directory) = directory.after(file)? else { return self.cut(opened, nest) };
        drop(opened.into_reader(self.stage));
        let mut ahead = directory.ahead(file);
        let text = cut::open(&mut ahead, &self.text(nest), self.stage);
        self.cut(text, nest)?;
        let mut unpacker = self.unpacker();
        let Some(inside) = unpacker.inside(nest)? else { return Ok(()) };
        let result = zip::read_file(&mut unpacker, file, &directory, &inside);
        unpacker.settle(result, &inside)
    }
}
