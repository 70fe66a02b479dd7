//! Reads archives of `ar`, such as Debian packages and libraries, with long names as System V, GNU
//! and BSD write them.
//!
//! Symbol tables are skipped. A thin archive holds only names, and is read as text.

use std::io::Read;

use super::{Called, broken, day, decimal, extension, pass, stored, truncated};
use crate::source::container::{Broken, Feed, Halt, Nest, Progress, Unpacker};

/// First bytes of an archive.
pub(in crate::source) const MAGIC: &[u8] = b"!<arch>\n";
const HEADER_LEN: usize = 60;
/// Maximum length of a name in the table: members may share names, and paths on Linux end here.
const LONG_NAME_LEN_MAX: usize = 4096;
/// Last bytes of each header.
const HEADER_END: &[u8] = b"`\n";

/// Reads the members of an archive.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut archive = Archive { feed: Feed::new(rest), nest, names: Vec::new() };
    pass(&mut archive.feed, MAGIC.len() as u64, nest)?;
    loop {
        let shown = archive.feed.peek(HEADER_LEN)?;
        if shown.is_empty() {
            return Ok(());
        }
        let Some(header) = shown.first_chunk::<HEADER_LEN>().copied() else {
            return Err(truncated(&archive.feed, nest));
        };
        let Some(header) = Header::of(&header) else {
            return Err(broken(&archive.feed, nest, Broken::Member));
        };
        pass(&mut archive.feed, HEADER_LEN as u64, nest)?;
        archive.entry(&header, unpacker)?;
        // Some archives lack the padding byte of the last member.
        archive.feed.skip(header.size % 2)?;
    }
}

/// The header of a member.
struct Header {
    name: Vec<u8>,
    time: Option<u64>,
    size: u64,
}

impl Header {
    fn of(header: &[u8; HEADER_LEN]) -> Option<Self> {
        let field = |at: usize, len: usize| header.get(at..at + len).unwrap_or_default();
        let number = |at: usize, len: usize| decimal(field(at, len).trim_ascii());
        let name = field(0, 16).trim_ascii_end().to_vec();
        let size = header.ends_with(HEADER_END).then(|| number(48, 10)).flatten()?;
        Some(Self { name, time: number(16, 12), size })
    }
}

/// The state of reading an archive.
struct Archive<'n, 'i> {
    feed: Feed<'i>,
    nest: &'n Nest,
    /// The table of long names, one a line.
    names: Vec<u8>,
}

impl Archive<'_, '_> {
    /// Reads the member that `header` begins.
    fn entry(&mut self, header: &Header, unpacker: &mut Unpacker<'_>) -> Progress {
        let mut size = header.size;
        let name = match header.name.as_slice() {
            b"//" | b"ARFILENAMES/" => {
                self.names = extension(&mut self.feed, size, self.nest)?;
                return Ok(());
            }
            [b'#', b'1', b'/', len @ ..] => {
                let len = decimal(len).filter(|len| *len <= size);
                let len = len.ok_or_else(|| self.nameless())?;
                size -= len;
                let name = extension(&mut self.feed, len, self.nest)?;
                name.split(|byte| *byte == 0).next().unwrap_or_default().to_vec()
            }
            [b'/', at @ b'0'..=b'9', rest @ ..] => {
                let at = decimal(&[&[*at], rest].concat());
                at.and_then(|at| self.long_name(at)).ok_or_else(|| self.nameless())?
            }
            name => name.to_vec(),
        };
        if matches!(name.as_slice(), b"/" | b"/SYM64/") || name.starts_with(b"__.SYMDEF") {
            return pass(&mut self.feed, size, self.nest);
        }
        let name = name.strip_suffix(b"/").unwrap_or(&name);
        let called = Called { name, date: header.time.and_then(day) };
        stored(&mut self.feed, &called, size, unpacker, self.nest)
    }

    /// Returns the name that begins at the offset `at` of the table.
    fn long_name(&self, at: u64) -> Option<Vec<u8>> {
        let rest = self.names.get(usize::try_from(at).ok()?..)?;
        let near = rest.get(..LONG_NAME_LEN_MAX + 1).unwrap_or(rest);
        let name = near.get(..memchr::memchr2(b'\n', 0, near)?)?;
        (!name.is_empty()).then(|| name.to_vec())
    }

    fn nameless(&self) -> Halt {
        broken(&self.feed, self.nest, Broken::MemberName)
    }
}
