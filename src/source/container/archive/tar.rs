//! Reads archives of `tar`: ustar and pax (POSIX.1), the GNU format, and that of Unix version 7.
//!
//! Sparse members are read at their full length, with zeros in their holes. Consecutive archives
//! are read as one. Extended headers about owners, or about all members, are skipped.

mod block;
mod sparse;

use std::io::{self, Read};

pub(in crate::source) use block::Block;
use block::{BLOCK_LEN, field, number};
use sparse::{Holes, Map};

use super::{Called, EXTENSION_LEN_MAX, broken, day, decimal, extension, pass, stored, truncated};
use crate::finding::{NoteKind, Skip};
use crate::source::container::{
    Broken, Cut, Feed, Halt, MEMBER_LEN_MAX, Meter, Nest, Progress, Share, Unpacker, fail, is_told,
};
use crate::source::part::Division;

/// Reports whether `block` is the header of a member with a correct checksum. Some old archives sum
/// the bytes as signed numbers.
#[must_use]
pub(in crate::source) fn is_header(block: &Block) -> bool {
    let Some(expected) = number(field(block, 148, 8)) else { return false };
    let blanked = |(at, byte): (usize, &u8)| if (148..156).contains(&at) { b' ' } else { *byte };
    let bytes = || block.iter().enumerate().map(blanked);
    let unsigned: u64 = bytes().map(u64::from).sum();
    let signed: i64 = bytes().map(|byte| i64::from(byte.cast_signed())).sum();
    let has_name = block.first().is_some_and(|byte| *byte != 0) || has_magic(block);
    has_name && (unsigned == expected || u64::try_from(signed) == Ok(expected))
}

/// Reports whether `block` may occur between members: as a header, or as zeros.
fn is_block(block: &Block) -> bool {
    block.iter().all(|byte| *byte == 0) || is_header(block)
}

fn has_magic(block: &Block) -> bool {
    field(block, 257, 5) == b"ustar"
}

/// Returns the size of a member. Programs without a size leave the field empty, and other programs
/// read that as zero: GNU tar if it is all NULs, and Python also if it is all blanks.
fn size(field: &[u8]) -> Option<u64> {
    let is_empty = field.iter().all(|byte| matches!(byte, 0 | b' '));
    if is_empty { Some(0) } else { number(field) }
}

/// Reads the members of an archive.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut tape = Tape { feed: Feed::new(rest), nest, said: Said::default(), is_extended: false };
    let mut has_end = false;
    loop {
        let at = tape.feed.consumed();
        let shown = tape.feed.peek(BLOCK_LEN)?;
        if shown.is_empty() {
            break;
        }
        let block = shown.first_chunk().copied().filter(is_block);
        if has_end && block.is_none() {
            let message = "expected the end of the archive, found more bytes".to_owned();
            unpacker.note(NoteKind::TrailingBytes, nest, Some(at), message)?;
            return unpacker.rest(&mut tape.feed, nest);
        }
        let block = tape.block()?;
        let is_first = has_end;
        has_end = block.iter().all(|byte| *byte == 0);
        if !has_end && !is_header(&block) {
            return Err(fail(nest, at, Broken::Member));
        }
        if !has_end {
            if !is_first && !tape.is_extended {
                unpacker.joint(Division::Tar, nest, at, 0);
            }
            tape.entry(&block, unpacker)?;
        }
    }
    if has_end || nest.stretch.end.is_some() {
        return Ok(());
    }
    Err(fail(nest, tape.feed.consumed(), Cut::ArchiveEnd))
}

/// The state of reading an archive.
struct Tape<'n, 'i> {
    feed: Feed<'i>,
    nest: &'n Nest,
    /// The extended headers read so far for the next member.
    said: Said,
    /// Whether an extended header was the last entry.
    is_extended: bool,
}

/// The metadata of a member in its extended headers.
#[derive(Default)]
struct Said {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    /// Seconds since 1970.
    time: Option<u64>,
    sparse: Map,
}

impl Tape<'_, '_> {
    /// Takes the next block.
    fn block(&mut self) -> Result<Block, Halt> {
        let block = self.feed.peek(BLOCK_LEN)?.first_chunk().copied();
        self.feed.skip(BLOCK_LEN as u64)?;
        block.ok_or_else(|| truncated(&self.feed, self.nest))
    }

    fn broken(&self, cause: Broken) -> Halt {
        broken(&self.feed, self.nest, cause)
    }

    /// Reads the entry that the header `block` begins.
    fn entry(&mut self, block: &Block, unpacker: &mut Unpacker<'_>) -> Progress {
        let kind = block.get(156).copied().unwrap_or_default();
        let is_extension = matches!(kind, b'L' | b'K' | b'x' | b'X' | b'g');
        self.is_extended = is_extension;
        let said = self.said.size.filter(|_| !is_extension);
        let Some(size) = said.or_else(|| size(field(block, 124, 12))) else {
            return Err(self.broken(Broken::MemberSize));
        };
        match kind {
            b'L' => {
                if let Some(name) = self.extension(size, unpacker)? {
                    self.said.name = Some(until_nul(&name).to_vec());
                }
                return Ok(());
            }
            b'x' | b'X' => {
                let Some(records) = self.extension(size, unpacker)? else { return Ok(()) };
                return self.said.read(&records).ok_or_else(|| self.broken(Broken::ExtendedHeader));
            }
            // Long names of link targets, and records about all members.
            b'K' | b'g' => return self.pass(size),
            _ => {}
        }
        let said = std::mem::take(&mut self.said);
        let name = said.sparse.name().or(said.name).unwrap_or_else(|| name(block));
        let date = said.time.or_else(|| number(field(block, 136, 12))).and_then(day);
        let called = Called { name: &name, date };
        let is_with_data = kind == b'1' && self.is_with_data(size)?;
        match kind {
            // An entry without contents has no size, whatever its size field declares.
            b'1' if !is_with_data => unpacker.skip(Skip::HardLink),
            b'2' => unpacker.skip(Skip::Symlink),
            b'3' | b'4' | b'6' => unpacker.skip(Skip::Special),
            b'5' => unpacker.skip(Skip::Directory),
            // The names in a directory, and the label of a volume.
            b'D' | b'V' => self.pass(size),
            _ if name.ends_with(b"/") => {
                unpacker.skip(Skip::Directory)?;
                self.pass(size)
            }
            b'S' => {
                let map = self.old_map(block)?;
                self.member(&called, size, Some(map), unpacker)
            }
            _ if said.sparse.is_told() => self.member(&called, size, Some(said.sparse), unpacker),
            _ => self.member(&called, size, None, unpacker),
        }
    }

    fn member(
        &mut self,
        called: &Called<'_>,
        size: u64,
        map: Option<Map>,
        unpacker: &mut Unpacker<'_>,
    ) -> Progress {
        let Some(map) = map else {
            stored(&mut self.feed, called, size, unpacker, self.nest)?;
            return self.pad(size);
        };
        let inside = unpacker.member(self.nest, called.name, called.date)?;
        let mut data = Share::new(&mut self.feed, size, self.nest.scope);
        let meter = Meter::new(unpacker.budget, inside.scope, MEMBER_LEN_MAX);
        let result = match Holes::new(map, &mut data, meter) {
            Ok(mut holes) => unpacker.stream(&mut holes, &inside),
            Err(error) => Err(unmapped(error, &inside)),
        };
        unpacker.settle(result, &inside)?;
        data.drain()?;
        self.pad(size)
    }

    /// Skips `size` bytes and their padding.
    fn pass(&mut self, size: u64) -> Progress {
        pass(&mut self.feed, size, self.nest)?;
        self.pad(size)
    }

    /// Skips the padding after `size` bytes.
    fn pad(&mut self, size: u64) -> Progress {
        pass(&mut self.feed, size.wrapping_neg() % BLOCK_LEN as u64, self.nest)
    }

    /// Reads the contents of an extended header; skips a header that is too long, and returns none.
    fn extension(
        &mut self,
        size: u64,
        unpacker: &mut Unpacker<'_>,
    ) -> Result<Option<Vec<u8>>, Halt> {
        if size > EXTENSION_LEN_MAX {
            let message = format!(
                "expected at most {EXTENSION_LEN_MAX} bytes of a header, found {size}: they are \
                 passed over"
            );
            let at = Some(self.feed.consumed());
            unpacker.note(NoteKind::LimitReached, self.nest, at, message)?;
            self.pass(size)?;
            return Ok(None);
        }
        let contents = extension(&mut self.feed, size, self.nest)?;
        self.pad(size)?;
        Ok(Some(contents))
    }

    /// Reports whether the declared `size` bytes follow the header of a hard link, as POSIX.1-2001
    /// allows. Older programs declare the size of the file but store no bytes. A file that begins
    /// with a block of zeros is taken for the end of the archive, and is read as what follows the
    /// end.
    fn is_with_data(&mut self, size: u64) -> io::Result<bool> {
        let next = self.feed.peek(BLOCK_LEN)?.first_chunk();
        Ok(size > 0 && next.is_some_and(|block| !is_block(block)))
    }

    /// Reads the map of a sparse member in the old GNU format: in its header, and in further
    /// blocks.
    fn old_map(&mut self, block: &Block) -> Result<Map, Halt> {
        let mut map = Map::old(block);
        while map.goes_on() {
            map.read_more(&self.block()?);
        }
        Ok(map)
    }
}

/// Converts an error of reading a map before the bytes of a member.
fn unmapped(error: io::Error, inside: &Nest) -> Halt {
    if is_told(&error) {
        return error.into();
    }
    fail(inside, 0, Broken::SparseMapUnread(error))
}

fn until_nul(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Returns the name in a header, after the prefix of POSIX.1 if there is one.
fn name(block: &Block) -> Vec<u8> {
    let name = until_nul(field(block, 0, 100));
    let prefix = until_nul(field(block, 345, 155));
    // The GNU format has blanks after the magic, and other fields at the place of the prefix.
    if field(block, 257, 6) == b"ustar\0" && !prefix.is_empty() {
        return [prefix, b"/", name].concat();
    }
    name.to_vec()
}

impl Said {
    /// Reads the pax records `length key=value`; returns none if they are malformed.
    fn read(&mut self, mut records: &[u8]) -> Option<()> {
        while !records.is_empty() {
            let blank = memchr::memchr(b' ', records)?;
            let len: usize = decimal(records.get(..blank)?)?.try_into().ok()?;
            let record = records.get(blank + 1..len)?.strip_suffix(b"\n")?;
            let (key, value) = record.split_at_checked(memchr::memchr(b'=', record)?)?;
            self.read_record(key, value.get(1..)?);
            records = records.get(len..)?;
        }
        Some(())
    }

    fn read_record(&mut self, key: &[u8], value: &[u8]) {
        match key {
            b"path" => self.name = Some(value.to_vec()),
            b"size" => self.size = decimal(value),
            // With a fraction, and a sign if it is before 1970.
            b"mtime" => self.time = value.split(|byte| *byte == b'.').next().and_then(decimal),
            _ => self.sparse.read_record(key, value),
        }
    }
}
