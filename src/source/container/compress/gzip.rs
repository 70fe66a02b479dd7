//! Decodes one member of gzip (RFC 1952).
//!
//! The library's decoder of gzip does not report how many bytes a failed call has produced; its
//! decoder of deflate does. So the header and the trailer are read here. The content of headers is
//! ignored.
//!
//! Where another member begins within a member, either the text holds that one as it is, or the
//! member was truncated there. In the second case, the decoder makes text of the other member, up
//! to its own end or an error. This text is held until the checksum is right, and else dropped.

use std::io::{self, BufRead as _, ErrorKind, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::deferred::Deferred;
use super::fence::Fence;
use super::{GZIP_HEADER_LEN, Source};
use crate::source::container::{Feed, is_told};

/// Flags of a header (§2.3.1).
const HAS_CHECKSUM: u8 = 1 << 1;
const HAS_EXTRA: u8 = 1 << 2;
const HAS_NAME: u8 = 1 << 3;
const HAS_COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0xE0;
/// Maximum length of a name or a comment; our choice, that of the library.
const FIELD_LEN_MAX: u64 = 65_535;
/// Bytes that are decoded at once of the text that is held. Mostly, the first ones decide.
const CHUNK_LEN: usize = 4 * 1024;
/// Most bytes of text that are held. A decoder of deflate finds the end of a block after some
/// 36 KiB of other bytes, or fails before.
const HELD_LEN_MAX: usize = 4 * 1024 * 1024;

/// A decoder of one member.
pub(super) struct Gzip<'f, 'i> {
    inflate: Deferred<DeflateDecoder<Fence<'f, 'i>>>,
    /// The checksum and the length of the text so far.
    crc: Crc,
    next: Next,
    /// Text that was decoded and not given.
    held: io::Cursor<Vec<u8>>,
}

/// The next thing to be read of a member.
#[derive(Clone, Copy)]
enum Next {
    Header,
    Text,
    Trailer,
    Nothing,
}

impl<'f, 'i> Gzip<'f, 'i> {
    /// Returns a decoder of the member that `feed` begins with.
    pub(super) fn new(feed: Source<'f, 'i>) -> Self {
        let inflate = Deferred::new(DeflateDecoder::new(Fence::new(feed)));
        Self { inflate, crc: Crc::new(), next: Next::Header, held: io::Cursor::default() }
    }

    pub(super) fn feed(&self) -> &Feed<'i> {
        self.inflate.decoder.get_ref().feed
    }

    pub(super) fn feed_mut(&mut self) -> &mut Feed<'i> {
        self.inflate.decoder.get_mut().feed
    }

    pub(super) fn into_feed(self) -> Source<'f, 'i> {
        self.inflate.decoder.into_inner().feed
    }

    fn is_paused(&self) -> bool {
        self.inflate.decoder.get_ref().is_paused()
    }

    /// Reads the trailer, and compares it with the text.
    fn trailer(&mut self) -> io::Result<()> {
        let (mut sum, mut len) = ([0; 4], [0; 4]);
        let feed = self.feed_mut();
        feed.read_exact(&mut sum)?;
        feed.read_exact(&mut len)?;
        let is_right =
            sum == self.crc.sum().to_le_bytes() && len == self.crc.amount().to_le_bytes();
        if is_right { Ok(()) } else { Err(unlike()) }
    }
}

impl Gzip<'_, '_> {
    /// Reads up to the end of the member, or to the beginning of another one.
    fn read_on(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.next {
                Next::Header => {
                    header(self.feed_mut())?;
                    self.next = Next::Text;
                }
                Next::Text => {
                    let result = self.inflate.read(out);
                    // The decoder is shown no bytes during a pause, as at the end of all.
                    if self.is_paused() && !matches!(result, Ok(1..)) {
                        return Ok(0);
                    }
                    let len = result?;
                    if len > 0 || out.is_empty() {
                        self.crc.update(out.get(..len).unwrap_or_default());
                        return Ok(len);
                    }
                    self.next = Next::Trailer;
                }
                Next::Trailer => {
                    self.next = Next::Nothing;
                    self.trailer()?;
                }
                Next::Nothing => return Ok(0),
            }
        }
    }

    /// Decodes the text after the beginning of another member, and holds it.
    ///
    /// # Errors
    /// If the member cannot be decoded to its end. Nothing is held then, and the other member is
    /// the next to be read.
    fn hold(&mut self) -> io::Result<()> {
        let at = self.feed().consumed();
        let head = self.feed_mut().peek_most(GZIP_HEADER_LEN)?.to_vec();
        let (mut text, mut chunk) = (Vec::new(), vec![0; CHUNK_LEN]);
        let mut is_paused = true;
        while text.len() < HELD_LEN_MAX {
            if is_paused {
                self.inflate.decoder.get_mut().pass()?;
            }
            let result = self.read_on(&mut chunk);
            is_paused = self.is_paused();
            match result {
                Ok(0) if !is_paused => break,
                Ok(len) => text.extend_from_slice(chunk.get(..len).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.feed_mut().return_to(at);
                    return Err(if is_told(&error) { error } else { interrupted() });
                }
            }
            // The text holds the other member as it is.
            if text.starts_with(&head) {
                break;
            }
        }
        self.held = io::Cursor::new(text);
        Ok(())
    }
}

impl Read for Gzip<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.held.read(out)?;
            if len > 0 {
                return Ok(len);
            }
            let len = self.read_on(out)?;
            if len > 0 || !self.is_paused() {
                return Ok(len);
            }
            self.hold()?;
        }
    }
}

/// Reads the header of a member (§2.3).
fn header(feed: &mut Feed<'_>) -> io::Result<()> {
    let invalid = || io::Error::new(ErrorKind::InvalidInput, "invalid gzip header");
    let mut crc = Crc::new();
    let mut fixed = [0; GZIP_HEADER_LEN];
    feed.read_exact(&mut fixed)?;
    // A reserved bit that is set must give an error (§2.3.1.2).
    let [0x1F, 0x8B, 8, flags, ..] = fixed else { return Err(invalid()) };
    if flags & RESERVED != 0 {
        return Err(invalid());
    }
    crc.update(&fixed);
    if flags & HAS_EXTRA != 0 {
        let mut len = [0; 2];
        feed.read_exact(&mut len)?;
        let mut extra = vec![0; u16::from_le_bytes(len).into()];
        feed.read_exact(&mut extra)?;
        crc.update(&len);
        crc.update(&extra);
    }
    for flag in [HAS_NAME, HAS_COMMENT] {
        if flags & flag != 0 {
            crc.update(&field(feed)?);
        }
    }
    if flags & HAS_CHECKSUM != 0 {
        let mut told = [0; 2];
        feed.read_exact(&mut told)?;
        let [one, two, ..] = crc.sum().to_le_bytes();
        if told != [one, two] {
            return Err(unlike());
        }
    }
    Ok(())
}

/// Reads a name or a comment with the zero after it.
fn field(feed: &mut Feed<'_>) -> io::Result<Vec<u8>> {
    let mut field = Vec::new();
    feed.take(FIELD_LEN_MAX + 1).read_until(0, &mut field)?;
    if field.last() == Some(&0) {
        return Ok(field);
    }
    if field.len() as u64 > FIELD_LEN_MAX {
        return Err(io::Error::new(ErrorKind::InvalidInput, "gzip header field too long"));
    }
    Err(ErrorKind::UnexpectedEof.into())
}

fn interrupted() -> io::Error {
    let message = "expected the end of a member, found another member";
    io::Error::new(ErrorKind::InvalidData, message)
}

fn unlike() -> io::Error {
    let message = "corrupt gzip stream does not have a matching checksum";
    io::Error::new(ErrorKind::InvalidInput, message)
}
