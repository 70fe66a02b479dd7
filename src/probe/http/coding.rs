//! Decodes the content codings of a page (RFC 9110 §8.4.1), one after the other and up to a limit.
//!
//! Requests declare that pages are wanted without codings. Some servers send them anyway, because
//! they store nothing else or compress every answer. Not supported: `compress`, which browsers do
//! not support either, and codings that need a key or a dictionary.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use brotli_decompressor::Decompressor;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use hyper::HeaderMap;
use hyper::header::{CONTENT_ENCODING, TRANSFER_ENCODING};

/// Maximum number of nested codings; servers that stack them by mistake have two.
const CODINGS_MAX: usize = 4;

/// The window of Zstandard as a power of two: RFC 9659 §3 gives content codings 8 MB.
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// Bytes per read of the Brotli decoder.
const BROTLI_BUFFER_LEN: usize = 4 * 1024;

/// Number of bytes at the beginning of a page that decide whether it is text.
const HEAD_LEN: usize = 512;

/// A supported coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Brotli,
    Deflate,
    Gzip,
    Zstd,
}

/// Codings that are registered or in use, but not supported.
const OTHERS: [&str; 7] =
    ["aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress"];

/// The codings of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Codings {
    /// The codings, in the order in which they were applied.
    list: Vec<Coding>,
    /// Whether the fields also contain unknown names, such as `none` or `UTF-8`.
    has_unknown: bool,
}

/// The extent to which a page was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// It is longer than the limit.
    Long,
    /// It ended early, or arrived too slowly.
    Early,
}

/// A page after decoding.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Undone {
    pub(super) bytes: Vec<u8>,
    pub(super) extent: Extent,
    /// The reason why it could not be decoded to its end, if that failed.
    pub(super) fault: Option<&'static str>,
}

impl Codings {
    /// Returns the codings that `fields` declare, with transfer codings last.
    ///
    /// # Errors
    /// When one of them is not supported.
    pub(super) fn of(fields: &HeaderMap) -> Result<Self, String> {
        let mut codings = Self::default();
        let content = fields.get_all(CONTENT_ENCODING).iter();
        for value in content.chain(fields.get_all(TRANSFER_ENCODING)) {
            // The decoders need no parameters of transfer codings.
            let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
            for token in text.split(',') {
                codings.add(token.split(';').next().unwrap_or_default().trim())?;
            }
        }
        Ok(codings)
    }

    fn add(&mut self, token: &str) -> Result<(), String> {
        let coding = match token {
            // Programs declare `identity` though it means nothing; `chunked` is already decoded.
            "" | "identity" | "chunked" => return Ok(()),
            "br" => Coding::Brotli,
            "deflate" => Coding::Deflate,
            "gzip" | "x-gzip" => Coding::Gzip,
            "zstd" => Coding::Zstd,
            token => {
                if let Some(name) = OTHERS.iter().find(|name| **name == token) {
                    return Err(format!(
                        "the page has the coding {name:?}, which is not supported"
                    ));
                }
                self.has_unknown = true;
                return Ok(());
            }
        };
        if self.list.len() == CODINGS_MAX {
            return Err(format!("expected at most {CODINGS_MAX} codings of the page, found more"));
        }
        self.list.push(coding);
        Ok(())
    }

    /// Returns these codings, or if none is declared, that with whose magic number `bytes` begin.
    /// Some servers send files that they store compressed without declaring it.
    pub(super) fn or_seen_in(self, bytes: &[u8]) -> Self {
        /// RFC 1952 §2.3.1, with the only method that there is.
        const GZIP_MEMBER: &[u8] = &[0x1F, 0x8B, 8];
        /// RFC 8878 §3.1.1.
        const ZSTD_FRAME: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
        if !self.is_empty() || self.has_unknown {
            return self;
        }
        let known = [(GZIP_MEMBER, Coding::Gzip), (ZSTD_FRAME, Coding::Zstd)];
        let seen = known.into_iter().filter(|(magic, _)| bytes.starts_with(magic));
        Self { list: seen.map(|(_, coding)| coding).collect(), has_unknown: false }
    }

    /// Reports whether the page has no known coding.
    const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Decodes `bytes`, which were read to `extent`, and returns at most `max` bytes.
    pub(super) fn undo(&self, bytes: Vec<u8>, extent: Extent, max: usize) -> Undone {
        let undone = if self.is_empty() || bytes.is_empty() {
            Undone { bytes, extent, fault: None }
        } else {
            decode(&self.list, &bytes, extent, max)
        };
        if undone.fault.is_none() && self.has_unknown && !is_text(&undone.bytes) {
            let fault = Some("the page has an unknown coding");
            return Undone { bytes: Vec::new(), fault, ..undone };
        }
        undone
    }
}

fn decode(list: &[Coding], coded: &[u8], extent: Extent, max: usize) -> Undone {
    let mut bytes = Vec::new();
    let read = layers(list, coded, max).and_then(|layers| {
        let limit = u64::try_from(max).unwrap_or(u64::MAX).saturating_add(1);
        layers.take(limit).read_to_end(&mut bytes)
    });
    let is_long = bytes.len() > max;
    bytes.truncate(max);
    let (extent, fault) = match read {
        _ if is_long => (Extent::Long, None),
        Ok(_) => (extent, None),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => (Extent::Long, None),
        // Data that was not read to its end cannot be decoded to its end.
        Err(_) if extent != Extent::Whole => (extent, None),
        Err(_) => (Extent::Early, Some("the page cannot be decoded: its coding is broken")),
    };
    Undone { bytes, extent, fault }
}

/// Returns a chain of decoders for `list`, whose last coding was applied last. No decoder passes
/// more than `max` bytes to the next, which bounds the cost of nested codings.
fn layers<'c>(list: &[Coding], coded: &'c [u8], max: usize) -> io::Result<Box<dyn BufRead + 'c>> {
    let mut layers: Box<dyn BufRead + 'c> = Box::new(coded);
    for (idx, coding) in list.iter().enumerate().rev() {
        // The caller truncates the page itself, instead of failing.
        let left = if idx == 0 { usize::MAX } else { max };
        let reader = undoing(*coding, layers)?;
        layers = Box::new(BufReader::new(Limited { reader, left }));
    }
    Ok(layers)
}

fn undoing<'c>(coding: Coding, coded: Box<dyn BufRead + 'c>) -> io::Result<Box<dyn Read + 'c>> {
    Ok(match coding {
        Coding::Brotli => Box::new(Decompressor::new(coded, BROTLI_BUFFER_LEN)),
        Coding::Deflate => return deflate(coded),
        Coding::Gzip => Box::new(Members { member: Some(GzDecoder::new(coded)), count: 1 }),
        Coding::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(coded)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
            Box::new(decoder)
        }
    })
}

/// Returns a decoder for `deflate`. RFC 9110 §8.4.1.2 defines it as zlib; some servers send raw
/// deflate (without the header of RFC 1950 §2.2), or gzip.
fn deflate<'c>(mut coded: Box<dyn BufRead + 'c>) -> io::Result<Box<dyn Read + 'c>> {
    let mut head = Vec::new();
    coded.by_ref().take(2).read_to_end(&mut head)?;
    let is_gzip = head == GZIP;
    let is_zlib = matches!(*head, [method, flags] if method & 0x0F == 8
        && u16::from_be_bytes([method, flags]).is_multiple_of(31));
    let coded = Cursor::new(head).chain(coded);
    Ok(if is_gzip {
        Box::new(Members { member: Some(GzDecoder::new(coded)), count: 1 })
    } else if is_zlib {
        Box::new(ZlibDecoder::new(coded))
    } else {
        Box::new(DeflateDecoder::new(coded))
    })
}

/// The first bytes of a gzip member (RFC 1952 §2.3.1).
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Maximum number of members in a gzip stream; servers that append have few, and each takes a
/// decoder.
const MEMBERS_MAX: u32 = 1_000;

/// A reader of the members of a gzip stream, which form one text (RFC 1952 §2.2). Bytes after the
/// last member are ignored, as browsers do.
struct Members<R: BufRead> {
    member: Option<GzDecoder<R>>,
    count: u32,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let len = member.read(out)?;
            if len > 0 || out.is_empty() {
                return Ok(len);
            }
            let rest = self.member.take().map(GzDecoder::into_inner);
            if let Some(mut rest) = rest
                && rest.fill_buf()?.starts_with(&GZIP)
            {
                self.count += 1;
                if self.count > MEMBERS_MAX {
                    return Err(io::ErrorKind::FileTooLarge.into());
                }
                self.member = Some(GzDecoder::new(rest));
            }
        }
        Ok(0)
    }
}

/// A reader that fails after `left` bytes.
struct Limited<R> {
    reader: R,
    left: usize,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(out)?;
        let Some(left) = self.left.checked_sub(len) else {
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        self.left = left;
        Ok(len)
    }
}

/// Reports whether `bytes` begin like binary data, for a page that is declared as text in
/// `charset`. Text in UTF-16 may have any bytes.
pub(super) fn is_binary(bytes: &[u8], charset: Option<&[u8]>) -> bool {
    let is_wide =
        |label| Encoding::for_label(label).is_some_and(|it| it == UTF_16LE || it == UTF_16BE);
    let has_mark = [[0xFE, 0xFF], [0xFF, 0xFE]].iter().any(|mark| bytes.starts_with(mark));
    !has_mark && !charset.is_some_and(is_wide) && !is_text(bytes)
}

/// Reports whether `bytes` begin like text, including text in UTF-16.
fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(HEAD_LEN)).unwrap_or_default();
    let is_control = |byte: &u8| matches!(byte, 1..=8 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    let zeros = head.iter().filter(|byte| **byte == 0).count();
    // In UTF-16, every second byte of US-ASCII is zero.
    let is_wide = zeros * 3 > head.len();
    !head.iter().any(is_control) && (zeros == 0 || is_wide)
}

#[cfg(test)]
mod tests {
    use super::{Coding, Codings, is_binary};

    #[test]
    fn an_undeclared_coding_is_seen_by_its_magic_number() {
        let seen = |bytes: &[u8]| Codings::default().or_seen_in(bytes).list;
        assert_eq!(seen(b"\x1F\x8B\x08\0"), [Coding::Gzip]);
        assert_eq!(seen(b"\x28\xB5\x2F\xFD\x20"), [Coding::Zstd]);
        assert_eq!(seen(b"<p>"), []);
        assert_eq!(seen(b"\x1F\x8B"), []);
        let declared = Codings { list: vec![Coding::Brotli], has_unknown: false };
        assert_eq!(declared.clone().or_seen_in(b"\x1F\x8B\x08"), declared);
        let unknown = Codings { list: Vec::new(), has_unknown: true };
        assert_eq!(unknown.clone().or_seen_in(b"\x1F\x8B\x08"), unknown);
    }

    #[test]
    fn binary_data_is_no_text_of_any_charset() {
        for (bytes, charset, expected) in [
            (&b"<p>words\r\n\t\x0C"[..], None, false),
            (b"", None, false),
            (b"\xE9t\xE9", None, false),
            (b"\x1B$B%(\x1B(B", Some("iso-2022-jp"), false),
            (b"<\0p\0>\0", None, false),
            (b"\xFF\xFE\x01\x4E\x02\x4E", None, false),
            (b"\x01\x4E\x02\x4E", Some("UTF-16"), false),
            (b"\x4E\x01\x4E\x02", Some("utf-16be"), false),
            (b"\x01\x4E\x02\x4E", Some("utf-8"), true),
            (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", None, true),
            (b"\x78\x9C\x4B\x01", None, true),
        ] {
            let charset = charset.map(str::as_bytes);
            assert_eq!(is_binary(bytes, charset), expected, "{}", bytes.escape_ascii());
        }
    }
}
