//! Decodes compressed streams while they are read: any number of consecutive streams of one format.
//!
//! Decodes gzip (RFC 1952), zlib (RFC 1950), bzip2, xz, `.lzma` and lzip, Zstandard (RFC 8878), LZ4
//! frames, and the output of `compress`; inside of other formats also deflate (RFC 1951) and stored
//! bytes. A dictionary is supported only where its own frame precedes those of Zstandard.

#[cfg(feature = "archives")]
pub mod apart;
#[cfg(feature = "archives")]
mod bzip2;
#[cfg(feature = "archives")]
mod decoder;
#[cfg(feature = "archives")]
mod deferred;
#[cfg(feature = "archives")]
mod fence;
#[cfg(feature = "archives")]
mod gzip;
#[cfg(feature = "archives")]
mod legacy;
mod lzw;
#[cfg(not(feature = "archives"))]
mod plain;
#[cfg(test)]
#[cfg(feature = "archives")]
mod twin;
#[cfg(feature = "archives")]
mod xz;
#[cfg(feature = "archives")]
mod zstandard;

use std::io::{self, BufRead as _, ErrorKind, Read};

#[cfg(feature = "archives")]
use decoder::{Decoder, dictionary_of, is_of_memory};
#[cfg(not(feature = "archives"))]
use plain::{Decoder, dictionary_of, is_of_memory};

#[cfg(feature = "archives")]
pub(super) use flate2::Crc;
#[cfg(not(feature = "archives"))]
pub(super) use plain::Crc;

#[cfg(feature = "archives")]
use crate::source::container::ahead::{Ahead, Finder};
use crate::source::container::{
    Broken, Budget, Cause, Cut, Fault, Feed, Limit, Meter, Wide, is_told,
};
use crate::source::kind::Packing;
use crate::source::panics::caught;

/// Memory limits of a stream that few others enclose: `xz -9` needs 65 MiB to decode, and a window
/// of `zstd --long` has 128 MiB, which `zstd` reads without further options.
const WIDE: Allowance = Allowance { xz_memory_max: 128 * 1024 * 1024, zstd_window_log_max: 27 };
/// Memory limits of a stream nested in several others; enough for `xz -6` and `zstd -19`.
const NARROW: Allowance = Allowance { xz_memory_max: 16 * 1024 * 1024, zstd_window_log_max: 23 };
/// Nested streams that may be wide: an archive, and a member of it. More of them would only cost
/// memory.
const WIDE_STREAMS_MAX: usize = 2;
/// A stream of bzip2 that decodes to fewer bytes than this is a short one: its decoder takes some
/// 100 µs, since it allocates megabytes before it knows the length.
const SHORT_STREAM_LEN: u64 = 4 * 1024;
/// Bytes that follow the block size in an empty stream of bzip2: the end marker, and the checksum
/// of nothing.
const EMPTY_BZIP2: &[u8] = b"\x17\x72\x45\x38\x50\x90\0\0\0\0";
/// The first bytes of a legacy frame of LZ4.
const LEGACY_MAGIC: &[u8] = b"\x02\x21\x4C\x18";
/// Members of gzip without a right end, or bytes between members, after which the members of a web
/// archive are searched; else each of many small faults would cost a search.
const RESUMES_MAX: usize = 100;
/// Length of the fixed part of the header of a member of gzip (RFC 1952 §2.3).
const GZIP_HEADER_LEN: usize = 10;
/// Most bytes of a dictionary, compressed or not: `zstd --train` makes some 110 KiB of them, and
/// web archives have up to about 1 MiB.
const DICTIONARY_LEN_MAX: u32 = 8 * 1024 * 1024;
/// A dictionary is loaded for each frame, so many times as fast as a text of its length is decoded.
const LOAD_GAIN: u64 = 8;
/// Length of the first bytes of a stream by which its format is recognised.
pub(super) const MAGIC_LEN: usize = 6;

/// Memory that one stream may use.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "archives"), expect(dead_code, reason = "no decoder asks"))]
struct Allowance {
    xz_memory_max: u64,
    /// Binary logarithm of the greatest window size in bytes.
    zstd_window_log_max: u32,
}

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Bzip2,
    Compress,
    Deflate,
    Gzip,
    Lz4,
    /// LZ4 frames of the format before the specification.
    Lz4Legacy,
    Lzip,
    Lzma,
    Stored,
    Xz,
    Zlib,
    Zstd,
}

impl Codec {
    /// Returns the codec of a stream of compressed bytes; none for archives and unread formats.
    pub(super) const fn of(packing: Packing) -> Option<Self> {
        Some(match packing {
            Packing::Gzip => Self::Gzip,
            Packing::Zlib => Self::Zlib,
            Packing::Bzip2 => Self::Bzip2,
            Packing::Xz => Self::Xz,
            Packing::Zstd => Self::Zstd,
            Packing::Lz4 => Self::Lz4,
            Packing::Lz4Legacy => Self::Lz4Legacy,
            Packing::Lzma => Self::Lzma,
            Packing::Lzip => Self::Lzip,
            Packing::Compress => Self::Compress,
            Packing::Tar
            | Packing::Zip
            | Packing::Ar
            | Packing::Cpio
            | Packing::Dbox
            | Packing::Exim
            | Packing::Postfix
            | Packing::Rpm
            | Packing::Warc
            | Packing::Arc
            | Packing::Batch
            | Packing::Unread(_) => return None,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Bzip2 => "bzip2",
            Self::Compress => "compress",
            Self::Deflate => "deflate",
            Self::Gzip => "gzip",
            Self::Lz4 | Self::Lz4Legacy => "lz4",
            Self::Lzip => "lzip",
            Self::Lzma => "lzma",
            Self::Stored => "stored",
            Self::Xz => "xz",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }

    /// Reports whether a stream may begin with `head`.
    pub(super) fn begins(self, head: &[u8]) -> bool {
        match self {
            Self::Bzip2 => head.starts_with(b"BZh"),
            Self::Gzip => head.starts_with(b"\x1F\x8B"),
            Self::Lz4 => head.starts_with(b"\x04\x22\x4D\x18") || is_skippable(head),
            Self::Xz => head.starts_with(b"\xFD7zXZ\0"),
            Self::Zstd => head.starts_with(b"\x28\xB5\x2F\xFD") || is_skippable(head),
            Self::Lz4Legacy => head.starts_with(LEGACY_MAGIC),
            Self::Lzip => head.starts_with(b"LZIP"),
            Self::Compress => head.starts_with(lzw::MAGIC),
            Self::Deflate | Self::Lzma | Self::Stored | Self::Zlib => false,
        }
    }
}

/// Reports whether `head` begins a skippable frame (RFC 8878 §3.1.2), which LZ4 has, too.
fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Returns the feed of the streams in `inner`. Where the budget has threads for it, it is read
/// ahead of its decoder, and the threads decode it.
#[cfg(feature = "archives")]
pub(super) fn feed<'i>(
    codec: Codec,
    inner: &'i mut dyn Read,
    budget: &'i Budget,
    is_outermost: bool,
) -> Feed<'i> {
    let spare_threads = budget.spare_threads().filter(|_| is_outermost && !budget.is_scouting());
    match (spare_threads, finder(codec)) {
        (Some(spare_threads), Some(finder)) => {
            Feed::ahead(Ahead::new(inner, budget, spare_threads, finder)).filled()
        }
        _ => Feed::new(inner).filled(),
    }
}

/// Returns the feed of the streams in `inner`.
#[cfg(not(feature = "archives"))]
pub(super) fn feed<'i>(_: Codec, inner: &'i mut dyn Read, _: &Budget, _: bool) -> Feed<'i> {
    Feed::new(inner).filled()
}

/// Returns the search for parts of a stream that can be decoded by themselves, if there are such.
#[cfg(feature = "archives")]
fn finder(codec: Codec) -> Option<Box<dyn Finder>> {
    match codec {
        Codec::Bzip2 => Some(Box::new(bzip2::Search::default())),
        Codec::Xz => Some(Box::new(xz::Search::default())),
        Codec::Zstd => Some(Box::new(zstandard::Search::default())),
        _ => None,
    }
}

type Source<'f, 'i> = &'f mut Feed<'i>;

/// A reader of the decoded bytes of compressed streams.
pub(super) struct Unpacked<'f, 'i, 'a> {
    codec: Codec,
    extent: Extent,
    /// None after the end, and after a failure.
    decoder: Option<Decoder<'f, 'i>>,
    /// The error that kept the first decoder from being created.
    failed: Option<io::Error>,
    meter: Meter<'a>,
    /// Permit to use much memory, which few nested streams get.
    wide: Option<Wide<'a>>,
    /// Offset at which the first stream begins.
    start: u64,
    /// Bytes decoded before the current stream.
    made_before: u64,
    /// Offset and description of trailing bytes.
    trailing: Option<(u64, String)>,
    /// Whether records of a web archive were decoded, each a member of its own.
    has_records: bool,
    /// Offset of the current member.
    member: u64,
    /// Offsets and descriptions of bytes after which the next member was searched for.
    passed: Vec<(u64, String)>,
    /// The dictionary of the frames of Zstandard; empty if there is none.
    dictionary: Vec<u8>,
    /// Whether the compressed bytes are all of the input.
    pub(super) is_outermost: bool,
}

/// The end of the compressed bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The end of the input.
    All,
    /// The end of the first stream.
    One,
}

impl<'f, 'i, 'a> Unpacked<'f, 'i, 'a> {
    /// Decodes all streams in `feed`; any other bytes are trailing ones.
    pub(super) fn all(codec: Codec, feed: Source<'f, 'i>, meter: Meter<'a>) -> Self {
        Self::new(codec, feed, meter, Extent::All)
    }

    /// Decodes only the stream that `feed` begins with.
    pub(super) fn one(codec: Codec, feed: Source<'f, 'i>, meter: Meter<'a>) -> Self {
        Self::new(codec, feed, meter, Extent::One)
    }

    fn new(codec: Codec, feed: Source<'f, 'i>, meter: Meter<'a>, extent: Extent) -> Self {
        let start = feed.consumed();
        meter.forget_restarts();
        if codec == Codec::Gzip && extent == Extent::All {
            feed.keep();
        }
        let mut dictionary = Vec::new();
        let found = led(codec, feed, &mut dictionary, &meter);
        let codec = found.as_ref().ok().copied().flatten().unwrap_or(codec);
        let has_window = matches!(codec, Codec::Lzip | Codec::Lzma | Codec::Xz | Codec::Zstd);
        let wide = has_window.then(|| meter.wide(WIDE_STREAMS_MAX)).flatten();
        let allowed = if wide.is_some() { WIDE } else { NARROW };
        let decoder = match found {
            Ok(Some(_)) => Decoder::new(codec, allowed, feed, (start, 0), &dictionary).map(Some),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        let (decoder, failed) = match decoder {
            Ok(decoder) => (decoder, None),
            Err(error) => (None, Some(error)),
        };
        Self {
            codec,
            extent,
            decoder,
            failed,
            meter,
            wide,
            start,
            made_before: 0,
            trailing: None,
            has_records: false,
            member: start,
            passed: Vec::new(),
            dictionary,
            is_outermost: false,
        }
    }

    const fn allowed(&self) -> Allowance {
        if self.wide.is_some() { WIDE } else { NARROW }
    }

    /// Takes the offset and description of the bytes after the last stream.
    pub(super) fn trailing(&mut self) -> Option<(u64, String)> {
        self.trailing.take()
    }

    /// Takes the offsets and descriptions of the bytes that were passed over.
    pub(super) fn passed(&mut self) -> Vec<(u64, String)> {
        std::mem::take(&mut self.passed)
    }

    /// Moves to the next member of a web archive after the one at hand, whose fault is `fault`;
    /// returns false when there is none.
    fn resume(&mut self, fault: &Cause) -> io::Result<bool> {
        let Some(decoder) = self.decoder.take() else { return Ok(false) };
        let feed = decoder.into_feed();
        let at = feed.consumed();
        // A member that another one cut ends where that begins.
        if !is_member(feed.peek_most(GZIP_HEADER_LEN)?) {
            feed.return_to(self.member + 1);
        }
        if self.passed.len() >= RESUMES_MAX || !seek_member(feed)? {
            return Ok(false);
        }
        self.passed.push((at, fault.to_string()));
        self.meter.restart();
        self.member = feed.consumed();
        self.decoder = Some(self.next(feed)?);
        Ok(true)
    }

    /// Returns the decoder of a stream after the first one.
    fn next(&self, feed: Source<'f, 'i>) -> io::Result<Decoder<'f, 'i>> {
        self.meter.work(self.dictionary.len() as u64 / LOAD_GAIN)?;
        let before = (self.start, self.made_before);
        Decoder::new(self.codec, self.allowed(), feed, before, &self.dictionary)
    }

    /// Reports whether the member after a broken one may be searched for.
    const fn may_resume(&self) -> bool {
        self.has_records && matches!(self.codec, Codec::Gzip) && matches!(self.extent, Extent::All)
    }

    /// Returns the number of bytes decoded so far.
    pub(super) const fn produced(&self) -> u64 {
        self.meter.produced()
    }

    /// Starts the next stream; returns false when there is none.
    fn turn(&mut self) -> io::Result<bool> {
        let may_resume = self.may_resume() && self.passed.len() < RESUMES_MAX;
        let Some(decoder) = self.decoder.take() else { return Ok(false) };
        let feed = decoder.into_feed();
        // The LZ4 decoder takes the end of its input for the end of the frame.
        if self.codec == Codec::Lz4 && feed.is_missed() {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let made = self.meter.produced() - self.made_before;
        self.made_before = self.meter.produced();
        // Decoders of other formats take a hundredth of the time.
        if self.codec == Codec::Bzip2 && made < SHORT_STREAM_LEN {
            self.meter.short_stream(feed.consumed() - self.start)?;
        }
        if self.extent == Extent::One {
            feed.stop_ahead();
            return Ok(false);
        }
        if self.codec == Codec::Bzip2 {
            skip_empty(feed)?;
        }
        let start = feed.consumed();
        let zeros = skip_zeros(feed)?;
        // Skippable frames need no decoder.
        if matches!(self.codec, Codec::Lz4 | Codec::Zstd) {
            skip_frames(feed, &mut self.dictionary, &self.meter)?;
        }
        let head = feed.peek(MAGIC_LEN)?;
        let (is_at_end, mut is_next) = (head.is_empty(), self.codec.begins(head));
        // A record that is not compressed is read with the rest.
        if may_resume && !is_at_end && !is_next && !head.starts_with(b"WARC/") {
            is_next = seek_member(feed)?;
            self.passed.extend(passed_over(start, feed));
            self.meter.restart();
        }
        if is_next {
            self.member = feed.consumed();
            // A reader that began here would lack the dictionary.
            if self.is_outermost && self.dictionary.is_empty() {
                self.meter.stream(feed.consumed());
            }
            self.decoder = Some(self.next(feed)?);
            return Ok(true);
        }
        feed.stop_ahead();
        // Streams of xz are padded with zeros to a multiple of four bytes.
        let is_padding = self.codec == Codec::Xz && zeros % 4 == 0;
        if !is_at_end {
            let name = self.codec.name();
            let at = start.max(feed.consumed() - zeros);
            self.trailing = Some((at, format!("expected the end of {name}, found more bytes")));
        } else if zeros > 0 && !is_padding {
            self.trailing = Some((start, format!("{zeros} bytes of zeros follow")));
        }
        Ok(false)
    }

    /// Converts `error` into a fault, unless it already is one of an enclosing reader.
    fn fail(&mut self, error: io::Error, offset: u64) -> io::Error {
        self.decoder = None;
        if is_told(&error) {
            return error;
        }
        let cause = self.cause(error);
        Fault { scope: self.meter.scope, offset: Some(offset), cause }.into()
    }

    /// Returns the cause of an error of the decoder.
    fn cause(&self, error: io::Error) -> Cause {
        let codec = self.codec.name();
        if error.kind() == ErrorKind::UnexpectedEof {
            return Cut::Stream(codec).into();
        }
        if is_of_memory(&error) {
            return Limit::Memory(codec, error).into();
        }
        Broken::Stream(codec, error).into()
    }
}

impl Read for Unpacked<'_, '_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if let Some(error) = self.failed.take() {
            return Err(self.fail(error, self.start));
        }
        loop {
            let Some(decoder) = &mut self.decoder else { return Ok(0) };
            let result = caught(|| decoder.read(out))
                .unwrap_or_else(|| Err(io::Error::other("the decoder failed")));
            let consumed = decoder.feed().consumed();
            match result {
                Ok(0) => match self.turn() {
                    Ok(true) => {}
                    Ok(false) => return Ok(0),
                    Err(error) => return Err(self.fail(error, consumed)),
                },
                Ok(len) => {
                    let text = out.get(..len).unwrap_or_default();
                    if self.meter.produced() == 0 && has_records(text) {
                        self.has_records = true;
                        decoder.keep_members();
                    }
                    self.meter.add(len, consumed - self.start)?;
                    return Ok(len);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if is_told(&error) || !self.may_resume() => {
                    return Err(self.fail(error, consumed));
                }
                Err(error) => {
                    let cause = self.cause(error);
                    if !self.resume(&cause)? {
                        let (scope, offset) = (self.meter.scope, Some(consumed));
                        return Err(Fault { scope, offset, cause }.into());
                    }
                }
            }
        }
    }
}

/// Reports whether a record of a web archive begins in `text`, the first bytes of a stream.
fn has_records(text: &[u8]) -> bool {
    let is_arc = text.starts_with(b"filedesc://");
    is_arc
        || [&b"WARC/1."[..], b"WARC/0."]
            .iter()
            .any(|mark| memchr::memmem::find(text, mark).is_some())
}

/// Skips the bytes before the first member of gzip, in which an archive was found by its name;
/// returns their offset and description.
pub(super) fn lead(codec: Codec, feed: &mut Feed<'_>) -> io::Result<Option<(u64, String)>> {
    if codec != Codec::Gzip || codec.begins(feed.peek_most(MAGIC_LEN)?) {
        return Ok(None);
    }
    let start = feed.consumed();
    seek_member(feed)?;
    Ok(passed_over(start, feed))
}

/// Returns the offset and description of the bytes from `start` to those that `feed` begins with,
/// if there are any.
fn passed_over(start: u64, feed: &Feed<'_>) -> Option<(u64, String)> {
    let len = feed.consumed() - start;
    let bytes = if len == 1 { "byte is" } else { "bytes are" };
    let message = || format!("expected gzip, found something else: {len} {bytes} passed over");
    (len > 0).then(|| (start, message()))
}

/// Reports whether `head` begins a member of gzip: its mark, flags that are defined, and a level
/// and a system that programs write (RFC 1952 §2.3).
pub(in crate::source) fn is_member(head: &[u8]) -> bool {
    let header = head.first_chunk::<GZIP_HEADER_LEN>();
    matches!(header, Some([0x1F, 0x8B, 8, 0..=0x1F, _, _, _, _, 0 | 2 | 4, 0..=13 | 255]))
}

/// Skips to the next bytes that begin a member of gzip. Returns false at the end, before which the
/// last bytes stay.
fn seek_member(feed: &mut Feed<'_>) -> io::Result<bool> {
    /// Bytes that are searched at once.
    const LOOK_LEN: usize = 16 * 1024;
    loop {
        let shown = feed.peek_most(LOOK_LEN)?;
        let found = memchr::memmem::find_iter(shown, b"\x1F\x8B\x08")
            .find(|at| shown.get(*at..).is_some_and(is_member));
        let is_end = shown.len() < LOOK_LEN;
        let len = shown.len();
        if let Some(at) = found {
            feed.consume(at);
            return Ok(true);
        }
        if is_end {
            return Ok(false);
        }
        feed.consume(len - GZIP_HEADER_LEN);
    }
}

/// Reports whether `head` begins a frame that holds the dictionary of the frames after it, as web
/// archives have it (IIPC, Use of Zstandard for WARC files): a skippable frame with a magic number
/// of its own, and in it a dictionary, compressed or not (RFC 8878 §5).
const fn has_dictionary(head: &[u8]) -> bool {
    matches!(
        head,
        [0x5D, 0x2A, 0x4D, 0x18, _, _, _, _, 0x37, 0xA4, 0x30, 0xEC]
            | [0x5D, 0x2A, 0x4D, 0x18, _, _, _, _, 0x28, 0xB5, 0x2F, 0xFD]
    )
}

/// Skips the skippable frames at the beginning of a stream and returns its codec; none when nothing
/// follows. Zstandard and LZ4 share these frames, so that only the next frame decides.
fn led(
    codec: Codec,
    feed: &mut Feed<'_>,
    dictionary: &mut Vec<u8>,
    meter: &Meter<'_>,
) -> io::Result<Option<Codec>> {
    if codec != Codec::Zstd || !is_skippable(feed.peek_most(MAGIC_LEN)?) {
        return Ok(Some(codec));
    }
    skip_frames(feed, dictionary, meter)?;
    let head = feed.peek_most(MAGIC_LEN)?;
    let is_next = |codec: &Codec| codec.begins(head);
    let other = [Codec::Lz4, Codec::Lz4Legacy].into_iter().find(is_next);
    Ok(Some(other.unwrap_or(codec)).filter(|_| !head.is_empty()))
}

/// Skips the empty streams of bzip2, which need no decoder.
fn skip_empty(feed: &mut Feed<'_>) -> io::Result<()> {
    let len = b"BZh9".len() + EMPTY_BZIP2.len();
    let is_empty = |head: &[u8]| match head {
        [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] => rest == EMPTY_BZIP2,
        _ => false,
    };
    while is_empty(feed.peek(len)?) {
        feed.skip(len as u64)?;
    }
    Ok(())
}

/// Skips the zeros that `feed` begins with; returns their number.
fn skip_zeros(feed: &mut Feed<'_>) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let held = feed.fill_buf()?;
        let zeros = held.iter().take_while(|byte| **byte == 0).count();
        let is_end = held.is_empty() || zeros < held.len();
        feed.consume(zeros);
        skipped += zeros as u64;
        if is_end {
            return Ok(skipped);
        }
    }
}

/// Skips skippable frames: a magic number, a length, and as many bytes. Sets `dictionary` to the
/// dictionary that one of them holds.
fn skip_frames(feed: &mut Feed<'_>, dictionary: &mut Vec<u8>, meter: &Meter<'_>) -> io::Result<()> {
    const HEAD_LEN: u64 = 8;
    const MARK_LEN: usize = 4;
    while let [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d] = *feed.peek(8)? {
        let len = u32::from_le_bytes([a, b, c, d]);
        let head = feed.peek_most(8 + MARK_LEN)?;
        let is_dictionary = has_dictionary(head) && len <= DICTIONARY_LEN_MAX;
        let missing = if is_dictionary {
            feed.skip(HEAD_LEN)?;
            let mut content = Vec::new();
            let read = feed.by_ref().take(u64::from(len)).read_to_end(&mut content)?;
            *dictionary = dictionary_of(content)?;
            meter.work(dictionary.len() as u64)?;
            u64::from(len) - read as u64
        } else {
            feed.skip(HEAD_LEN + u64::from(len))?
        };
        if missing > 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

#[cfg(test)]
#[cfg(feature = "archives")]
mod tests;
