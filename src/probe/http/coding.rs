//! Content codings of a page (RFC 9110 §8.4.1), undone one after the other and up to a limit.
//!
//! Servers are told that pages are wanted without any; some send them all the same, since they
//! keep nothing else or compress whatever they send. Not done: `compress`, which browsers do not
//! know either, and codings that need a key or a dictionary.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use brotli_decompressor::Decompressor;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use hyper::HeaderMap;
use hyper::header::{CONTENT_ENCODING, TRANSFER_ENCODING};

/// Codings of one page in each other; servers that stack them by mistake have two.
const CODINGS_MAX: usize = 4;

/// The window of Zstandard as a power of two: RFC 9659 §3 gives content codings 8 MB.
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// Bytes that the decoder of Brotli reads at a time.
const BROTLI_BUFFER_LEN: usize = 4 * 1024;

/// Bytes at the beginning of a page that show whether it is text.
const HEAD_LEN: usize = 512;

/// A coding that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Brotli,
    Deflate,
    Gzip,
    Zstd,
}

/// Codings that are registered or in use, and cannot be undone here.
const OTHERS: [&str; 7] =
    ["aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress"];

/// The codings of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Codings {
    /// In the order in which they were applied.
    list: Vec<Coding>,
    /// True when others stand among them, which name no coding: `none`, `UTF-8`.
    has_unknown: bool,
}

/// How far a page was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// It is longer than what is read of pages.
    Long,
    /// It ended early, or came too slowly.
    Early,
}

/// A page without its codings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Undone {
    pub(super) bytes: Vec<u8>,
    pub(super) extent: Extent,
    /// Why it could not be decoded to its end, where that is the reason.
    pub(super) fault: Option<&'static str>,
}

impl Codings {
    /// Returns the codings that `fields` declare, those of the transfer last.
    ///
    /// # Errors
    /// When one of them cannot be undone.
    pub(super) fn of(fields: &HeaderMap) -> Result<Self, String> {
        let mut codings = Self::default();
        let content = fields.get_all(CONTENT_ENCODING).iter();
        for value in content.chain(fields.get_all(TRANSFER_ENCODING)) {
            // Parameters of transfer codings say nothing that a decoder needs.
            let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
            for token in text.split(',') {
                codings.add(token.split(';').next().unwrap_or_default().trim())?;
            }
        }
        Ok(codings)
    }

    fn add(&mut self, token: &str) -> Result<(), String> {
        let coding = match token {
            // Programs write `identity` though nothing is said by it; `chunked` is undone before.
            "" | "identity" | "chunked" => return Ok(()),
            "br" => Coding::Brotli,
            "deflate" => Coding::Deflate,
            "gzip" | "x-gzip" => Coding::Gzip,
            "zstd" => Coding::Zstd,
            token => {
                if let Some(name) = OTHERS.iter().find(|name| **name == token) {
                    return Err(format!("the page has the coding {name:?}, which is not undone"));
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

    /// Reports whether the page is sent as it is.
    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Undoes the codings of `bytes`, which were read to `extent`, and returns at most `max` bytes.
    pub(super) fn undo(&self, bytes: Vec<u8>, extent: Extent, max: usize) -> Undone {
        let undone = match self.is_empty() || bytes.is_empty() {
            true => Undone { bytes, extent, fault: None },
            false => decode(&self.list, &bytes, extent, max),
        };
        if undone.fault.is_none() && self.has_unknown && !is_text(&undone.bytes) {
            let fault = Some("the page has a coding that is not known");
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
        // What was not read to its end cannot be decoded to its end.
        Err(_) if extent != Extent::Whole => (extent, None),
        Err(_) => (Extent::Early, Some("the page cannot be decoded: its coding is broken")),
    };
    Undone { bytes, extent, fault }
}

/// Returns a reader for each of `list`, the last of which was applied last. None of them gives more
/// than `max` bytes to the next one, so that codings in each other cost no more than so many.
fn layers<'c>(list: &[Coding], coded: &'c [u8], max: usize) -> io::Result<Box<dyn BufRead + 'c>> {
    let mut layers: Box<dyn BufRead + 'c> = Box::new(coded);
    for (idx, coding) in list.iter().enumerate().rev() {
        // The page itself is cut by whoever reads it, and not refused.
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

/// RFC 9110 §8.4.1.2 means zlib; some servers send deflate without it (RFC 1950 §2.2), or gzip.
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

/// What a member of gzip begins with (RFC 1952 §2.3.1).
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Members of one stream of gzip; servers that append have few, and each costs a decoder.
const MEMBERS_MAX: u32 = 1_000;

/// The members of a stream of gzip, which are one text (RFC 1952 §2.2). What follows the last one
/// is passed over, as browsers do.
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

/// A reader that fails when it is to give more than it may.
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

/// Reports whether `bytes` begin as text does, in UTF-16 too.
fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(HEAD_LEN)).unwrap_or_default();
    let is_control = |byte: &u8| matches!(byte, 1..=8 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    let zeros = head.iter().filter(|byte| **byte == 0).count();
    // In UTF-16, each other byte of US-ASCII is zero.
    let is_wide = zeros * 3 > head.len();
    !head.iter().any(is_control) && (zeros == 0 || is_wide)
}
