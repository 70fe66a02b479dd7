//! Reads zip archives (PKWARE's APPNOTE): files by their directory, streams member by member.
//!
//! Consecutive archives are read one after the other, also in files, where the directory of the
//! last archive names only its own members.
//!
//! In a stream, the length of a member may follow it: compressed bytes mark their own end, and
//! stored bytes go on until a descriptor declares their length. Nothing is read twice, since
//! members that share bytes can make a small archive expand without limit. Members in several
//! parts, patches and encrypted members are not read.

mod descriptor;
pub(in crate::source) mod directory;
mod entry;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use descriptor::{Open, take_descriptor};
use directory::{Directory, Part, Record, Unlisted};
use entry::{Entry, TOLD_AFTER, day, number, truncated};

use crate::finding::{NoteKind, Skip};
use crate::source::container::compress::{Codec, Crc, Unpacked};
use crate::source::container::{
    Broken, Budget, Cut, Fault, Feed, Halt, MEMBER_LEN_MAX, Meter, Nest, Progress, Share, Stretch,
    Unpacker, fail,
};
use crate::source::part::{Division, Joint};

const LOCAL_LEN: usize = 30;

/// Reads the members of an archive that is a file, in the order of its directory.
///
/// Counts the packed bytes of the members that are read. The last ones also have all other bytes of
/// the file, so that its parts together have as many bytes as the file.
pub(in crate::source) fn read_file(
    unpacker: &mut Unpacker<'_>,
    file: &File,
    directory: &Directory,
    nest: &Nest,
) -> Progress {
    let mut packed = 0..0;
    let result = read_entries(unpacker, (file, directory), &mut packed, nest);
    if nest.stretch.end.is_none() {
        packed.end = directory.file_len;
    }
    unpacker.budget.whole(packed.end.saturating_sub(packed.start).min(directory.file_len));
    result
}

/// Reads the members of an archive. `packed` receives the numbers of packed bytes before the first
/// one that is wanted, and up to the end of the last one.
fn read_entries(
    unpacker: &mut Unpacker<'_>,
    (file, directory): (&File, &Directory),
    packed: &mut Range<u64>,
    nest: &Nest,
) -> Progress {
    let mut part = Part::new(file, directory.start, directory.start + directory.len);
    let mut feed = Feed::new(&mut part);
    let mut archive = Archive { file, directory, used: Ranges::default() };
    // Offsets do not count bytes before the archive, which are mostly another archive.
    archive.used.take(0, directory.before.max(directory.program));
    let Stretch { first, end } = nest.stretch;
    if first == 0 {
        gap(unpacker, file, directory.program..directory.before, nest)?;
    }
    let mut number = 0;
    loop {
        if end == Some(number) {
            return Ok(());
        }
        let at = directory.start + feed.consumed();
        let next = directory::next(&mut feed);
        if let Ok(Some(entry)) = &next {
            unpacker.budget.joint(Division::Zip, packed.end, Joint::plain(number, 0));
            packed.end = packed.end.saturating_add(entry.packed_len);
            number += 1;
            if number <= first {
                packed.start = packed.end;
            }
        }
        let result = match next {
            Ok(None) => break,
            Ok(Some(entry)) if number <= first => match end {
                // The gaps between all members are read with the last ones.
                None => find(&mut archive, &entry, nest).map(|_| ()),
                Some(_) => Ok(()),
            },
            Ok(Some(entry)) => file_member(unpacker, &mut archive, &entry, nest)
                .and_then(|()| member_comment(unpacker, &entry, nest)),
            Err(Unlisted::Read(error)) => Err(error.into()),
            Err(Unlisted::Other) => Err(fail(nest, at, Broken::DirectoryEntry)),
            Err(Unlisted::Cut) => Err(fail(nest, at, Cut::Directory)),
        };
        let is_broken = result.is_err();
        unpacker.settle(result, nest)?;
        if is_broken {
            // The members that the directory still names are found in the gaps.
            break;
        }
    }
    for gap in archive.used.gaps(directory.start) {
        self::gap(unpacker, file, gap, nest)?;
    }
    comment(unpacker, &directory.comment(file)?, nest)?;
    if directory.end < directory.file_len {
        after(unpacker, file, directory, nest)?;
    }
    Ok(())
}

/// Reads the bytes after the archive: another one whose directory is missing, or anything else.
fn after(unpacker: &mut Unpacker<'_>, file: &File, directory: &Directory, nest: &Nest) -> Progress {
    let part = Part::new(file, directory.end, directory.file_len);
    let mut counted = Counted { part, budget: unpacker.budget };
    let mut feed = Feed::at(directory.end, &mut counted);
    if feed.peek(4)? == b"PK\x03\x04" {
        let inside = nest.scope();
        let result = members(unpacker, &mut feed, Ends::AfterDirectory, &inside);
        return unpacker.settle(result, &inside);
    }
    let message = "expected the end of the archive, found more bytes".to_owned();
    unpacker.note(NoteKind::TrailingBytes, nest, Some(directory.end), message)?;
    unpacker.rest(&mut feed, nest)
}

/// Reads a range of bytes that no member of the directory owns, if it begins with members: those of
/// an archive before this one, or deleted ones. A stream would show them, too. Anything else is
/// noted, such as a signature or unused space.
fn gap(unpacker: &mut Unpacker<'_>, file: &File, gap: Range<u64>, nest: &Nest) -> Progress {
    if gap.end.saturating_sub(gap.start) < LOCAL_LEN as u64 {
        return Ok(());
    }
    let part = Part::new(file, gap.start, gap.end);
    let mut counted = Counted { part, budget: unpacker.budget };
    let mut feed = Feed::at(gap.start, &mut counted);
    if matches!(feed.peek(4)?, b"PK\x03\x04" | b"PK\x05\x06") {
        let inside = nest.scope();
        let result = members(unpacker, &mut feed, Ends::Anywhere, &inside);
        return unpacker.settle(result, &inside);
    }
    let len = gap.end - gap.start;
    let message = format!("expected a member of the archive, found {len} bytes of no member");
    unpacker.note(NoteKind::TrailingBytes, nest, Some(gap.start), message)
}

/// An archive that is a file.
struct Archive<'f> {
    file: &'f File,
    directory: &'f Directory,
    /// The bytes that its members own.
    used: Ranges,
}

fn file_member(
    unpacker: &mut Unpacker<'_>,
    archive: &mut Archive<'_>,
    entry: &Entry,
    nest: &Nest,
) -> Progress {
    let Some(Range { start, end }) = find(archive, entry, nest)? else {
        let at = entry.offset.saturating_add(archive.directory.before);
        let message = Broken::Member.to_string();
        return unpacker.note(NoteKind::ArchiveBroken, nest, Some(at), message);
    };
    let part = Part::new(archive.file, start, end);
    let mut counted = Counted { part, budget: unpacker.budget };
    let mut feed = Feed::new(&mut counted);
    member(unpacker, entry, &mut feed, nest)
}

/// Finds the compressed bytes of a member, which then belong to it alone; returns none if no member
/// is where the directory says.
fn find(archive: &mut Archive<'_>, entry: &Entry, nest: &Nest) -> Result<Option<Range<u64>>, Halt> {
    let Archive { file, directory, ref mut used } = *archive;
    let at = entry.offset.saturating_add(directory.before);
    let mut local = [0; LOCAL_LEN];
    match Part::new(file, at, directory.start).read_exact(&mut local) {
        Ok(()) if local.starts_with(b"PK\x03\x04") => {}
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error.into()),
        _ => return Ok(None),
    }
    let start = at + LOCAL_LEN as u64 + number(&local, 26, 2) + number(&local, 28, 2);
    let end = start.saturating_add(entry.packed_len);
    let after = if entry.is_told_after() {
        descriptor::len(Part::new(file, end.min(directory.start), directory.start), entry)?
    } else {
        0
    };
    if end > directory.start || !used.take(at, end + after) {
        return Err(fail(nest, at, Broken::SharedBytes));
    }
    Ok(Some(start..end))
}

/// A reader that counts the bytes read of the archive.
struct Counted<'f, 'a> {
    part: Part<'f>,
    budget: &'a Budget,
}

impl Read for Counted<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.part.read(out)?;
        self.budget.read(len as u64);
        Ok(len)
    }
}

/// Ranges of bytes that were read.
#[derive(Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds `start..end`; returns false if some of it was added before.
    fn take(&mut self, start: u64, end: u64) -> bool {
        let before = self.0.range(..end).next_back().map(|(&start, &end)| (start, end));
        match before {
            Some((_, taken)) if taken > start => false,
            // A gap too short for a member is closed, so that members in order form one range.
            Some((first, taken)) if start - taken < LOCAL_LEN as u64 => {
                self.0.insert(first, end);
                true
            }
            _ => {
                self.0.insert(start, end);
                true
            }
        }
    }
}

impl Ranges {
    /// Returns the ranges before `end` that were not added, in order.
    fn gaps(&self, end: u64) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut from = 0;
        for (start, taken) in self.0.iter().map(|(&start, &end)| (start, end)).chain([(end, end)]) {
            if start > from {
                gaps.push(from..start);
            }
            from = from.max(taken);
        }
        gaps
    }
}

/// Returns the codec of a member; counts and notes a member that is not read, and returns none.
fn codec(unpacker: &mut Unpacker<'_>, entry: &Entry, nest: &Nest) -> Result<Option<Codec>, Halt> {
    let reason = entry.skips();
    let is_read = reason.is_none() && !entry.is_encrypted();
    let codec = entry.codec().filter(|_| is_read);
    if codec.is_none() {
        unpacker.budget.member()?;
        match reason {
            Some(reason) => unpacker.skip(reason)?,
            None => unread(unpacker, entry, nest)?,
        }
    }
    Ok(codec)
}

/// Reads a member whose lengths are known and whose bytes are all of `feed`.
fn member(
    unpacker: &mut Unpacker<'_>,
    entry: &Entry,
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Progress {
    let Some(codec) = codec(unpacker, entry, nest)? else { return Ok(()) };
    let inside = unpacker.member(nest, &entry.name, entry.date)?;
    let meter = Meter::new(unpacker.budget, inside.scope, MEMBER_LEN_MAX);
    let unpacked = Unpacked::one(codec, feed, meter);
    let mut checked = Checked::new(unpacked, inside.scope);
    checked.expected = entry.crc.map(|crc| (crc, entry.len));
    let result = unpacker.stream(&mut checked, &inside);
    unpacker.settle(result, &inside)
}

fn unread(unpacker: &mut Unpacker<'_>, entry: &Entry, nest: &Nest) -> Progress {
    let inside = Unpacker::named(nest, &entry.name);
    if entry.is_encrypted() {
        return unpacker.unread(Skip::Encrypted, "an encrypted member", &inside);
    }
    let what = format!("zip method {}", entry.method);
    unpacker.unread(Skip::Packed, &what, &inside)
}

/// A reader that compares the checksum and length of a member with those expected.
struct Checked<'f, 'i, 'a> {
    unpacked: Unpacked<'f, 'i, 'a>,
    crc: Crc,
    scope: usize,
    /// Checksum and length, if they are known before the member is read.
    expected: Option<(u64, u64)>,
}

impl<'f, 'i, 'a> Checked<'f, 'i, 'a> {
    fn new(unpacked: Unpacked<'f, 'i, 'a>, scope: usize) -> Self {
        Self { unpacked, crc: Crc::new(), scope, expected: None }
    }

    fn found(&self) -> (u64, u64) {
        (u64::from(self.crc.sum()), self.unpacked.produced())
    }
}

impl Read for Checked<'_, '_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.unpacked.read(out)?;
        self.crc.update(out.get(..len).unwrap_or_default());
        let is_end = len == 0 && !out.is_empty();
        if is_end && self.expected.is_some_and(|expected| expected != self.found()) {
            let cause = Broken::MemberChecksum.into();
            return Err(Fault { scope: self.scope, offset: None, cause }.into());
        }
        Ok(len)
    }
}

/// Reads the members of an archive that is a stream, and of archives after it.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    members(unpacker, &mut Feed::new(rest), Ends::AfterDirectory, nest)
}

/// The places where members may end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// After any member.
    Anywhere,
    /// After a directory, which marks the end of an archive.
    AfterDirectory,
}

/// Reads members up to the end of `feed`.
fn members(unpacker: &mut Unpacker<'_>, feed: &mut Feed<'_>, ends: Ends, nest: &Nest) -> Progress {
    let mut is_whole = ends == Ends::Anywhere;
    loop {
        let at = feed.consumed();
        let shown = feed.peek(LOCAL_LEN)?;
        match shown {
            [] if is_whole => return Ok(()),
            [b'P', b'K', 1, 2, ..] | [b'P', b'K', 5 | 6, 6, ..] => {
                read_directory(unpacker, feed, nest)?;
                is_whole = true;
            }
            // The marker before a split archive, or one that has only one part (§8.5.4).
            [b'P', b'K', 7, 8, ..] | [b'P', b'K', b'0', b'0', ..] if at == 0 => {
                feed.skip(4)?;
            }
            [b'P', b'K', 3, 4, ..] => {
                let local = shown.first_chunk().copied().ok_or_else(|| truncated(nest, at))?;
                is_whole = ends == Ends::Anywhere;
                match stream_member(unpacker, &local, feed, nest)? {
                    After::Next => {}
                    After::Unknown => return Ok(feed.drain()?),
                }
            }
            _ if is_whole => {
                let message = "expected the end of the archive, found more bytes".to_owned();
                unpacker.note(NoteKind::TrailingBytes, nest, Some(at), message)?;
                return unpacker.rest(feed, nest);
            }
            [] | [b'P'] | [b'P', b'K'] | [b'P', b'K', _] => {
                return Err(truncated(nest, at));
            }
            _ => {
                return Err(fail(nest, at, Broken::Member));
            }
        }
    }
}

/// Takes the directory of an archive whose members were read, and reads its comments.
fn read_directory(unpacker: &mut Unpacker<'_>, feed: &mut Feed<'_>, nest: &Nest) -> Progress {
    loop {
        match directory::record(feed) {
            Ok(Record::Entry(entry)) => member_comment(unpacker, &entry, nest)?,
            Ok(Record::Large) => {}
            Ok(Record::End(text)) => return comment(unpacker, &text, nest),
            Err(Unlisted::Cut) => return Err(truncated(nest, feed.consumed())),
            Err(Unlisted::Other) => {
                return Err(fail(nest, feed.consumed(), Broken::DirectoryEnd));
            }
            Err(Unlisted::Read(error)) => return Err(error.into()),
        }
    }
}

/// Reads the directory's comment on a member.
fn member_comment(unpacker: &mut Unpacker<'_>, entry: &Entry, nest: &Nest) -> Progress {
    comment(unpacker, &entry.comment, &Unpacker::named(nest, &entry.name))
}

/// Reads the comment `text` on `nest`, unless it is empty.
fn comment(unpacker: &mut Unpacker<'_>, mut text: &[u8], nest: &Nest) -> Progress {
    if text.is_empty() {
        return Ok(());
    }
    let inside = unpacker.member(nest, b"comment", None)?;
    let result = unpacker.stream(&mut text, &inside);
    unpacker.settle(result, &inside)
}

/// The position after a member.
enum After {
    /// The next header, where the stream is now.
    Next,
    /// Unknown, since only the broken member itself would have marked its end.
    Unknown,
}

fn stream_member(
    unpacker: &mut Unpacker<'_>,
    local: &[u8; LOCAL_LEN],
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Result<After, Halt> {
    feed.skip(LOCAL_LEN as u64)?;
    let mut names = Vec::new();
    let (name_len, extra_len) = (number(local, 26, 2), number(local, 28, 2));
    Read::by_ref(feed).take(name_len + extra_len).read_to_end(&mut names)?;
    if (names.len() as u64) < name_len + extra_len {
        return Err(truncated(nest, feed.consumed()));
    }
    let extra = names.split_off(usize::try_from(name_len).unwrap_or_default());
    let mut entry = Entry {
        flags: number(local, 6, 2),
        method: number(local, 8, 2),
        crc: (number(local, 6, 2) & TOLD_AFTER == 0).then(|| number(local, 14, 4)),
        packed_len: number(local, 18, 4),
        len: number(local, 22, 4),
        offset: 0,
        mode: 0,
        date: day(local, 12),
        name: names,
        comment: Vec::new(),
    };
    entry.widen(&extra);
    if entry.is_told_after() && entry.packed_len == 0 {
        return open_member(unpacker, &entry, feed, nest);
    }
    let mut share = Share::new(feed, entry.packed_len, nest.scope);
    member(unpacker, &entry, &mut Feed::new(&mut share), nest)?;
    share.drain()?;
    if entry.is_told_after() {
        take_descriptor(feed, None, nest)?;
    }
    Ok(After::Next)
}

/// Reads a member whose lengths and checksum follow it.
fn open_member(
    unpacker: &mut Unpacker<'_>,
    entry: &Entry,
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Result<After, Halt> {
    let Some(codec) = codec(unpacker, entry, nest)? else {
        Open::new(feed).drain()?;
        take_descriptor(feed, None, nest)?;
        return Ok(After::Next);
    };
    let inside = unpacker.member(nest, &entry.name, entry.date)?;
    let found = if codec == Codec::Stored {
        let mut open = Open::new(feed);
        let found = unpack(unpacker, codec, &mut Feed::new(&mut open), &inside)?;
        open.drain()?;
        found
    } else {
        match unpack(unpacker, codec, feed, &inside)? {
            // Compressed bytes mark their own end, but these failed before it.
            None => return Ok(After::Unknown),
            found => found,
        }
    };
    let crc = take_descriptor(feed, found.map(|(_, len)| len), nest)?;
    if found.is_some_and(|(found, _)| found != crc) {
        let message = "expected the checksum of the member, found another".to_owned();
        unpacker.note(NoteKind::ArchiveBroken, &inside, None, message)?;
    }
    Ok(After::Next)
}

/// Reads a member that ends with `feed` or marks its own end; returns its checksum and length, or
/// none if it failed.
fn unpack(
    unpacker: &mut Unpacker<'_>,
    codec: Codec,
    feed: &mut Feed<'_>,
    inside: &Nest,
) -> Result<Option<(u64, u64)>, Halt> {
    let meter = Meter::new(unpacker.budget, inside.scope, MEMBER_LEN_MAX);
    let mut checked = Checked::new(Unpacked::one(codec, feed, meter), inside.scope);
    let mut result = unpacker.stream(&mut checked, inside);
    if result.is_ok() {
        // The reader of the contents may have stopped early.
        result = io::copy(&mut checked, &mut io::sink()).map(|_| ()).map_err(Halt::from);
    }
    let found = result.is_ok().then(|| checked.found());
    unpacker.settle(result, inside)?;
    Ok(found)
}
