//! Decodes the output of `compress`, `.Z`: LZW codes that grow from 9 bits to at most 16. The
//! format has no specification; this follows `ncompress` and `gzip`, except that those widen codes
//! to 10 bits where the stream limits them to 9.
//!
//! A stream ends with the input, and nothing marks its end: a cut is noticed only if it splits the
//! last code, which is likelier for longer codes.

use std::fmt;
use std::io::{self, BufRead as _, ErrorKind, Read};

use crate::source::container::Feed;

/// First bytes of a stream.
pub(super) const MAGIC: &[u8] = b"\x1F\x9D";

/// Widths in bits of the first codes, and of the last ones at most.
const WIDTH_MIN: usize = 9;
const WIDTH_MAX: usize = 16;
/// Number of codes for single bytes; learnt codes follow them.
const BYTES: usize = 256;
/// The code that clears all learnt codes, in streams that have it.
const CLEAR: usize = 256;

/// A decoder of one stream.
pub(super) struct Lzw<'f, 'i> {
    feed: &'f mut Feed<'i>,
    codes: Codes,
    /// Greatest width of codes in bits.
    width_max: usize,
    has_clear: bool,
    /// For each learnt code, the code that it extends, and the byte that it appends.
    learnt: Vec<(u16, u8)>,
    /// The previous code, and the first byte of its string; none at the beginning.
    last: Option<(usize, u8)>,
    /// Bytes of the current string not yet returned, in reverse order.
    string: Vec<u8>,
    /// An error to be returned after the bytes decoded before it.
    failed: Option<io::Error>,
}

/// A reader of codes of one width. Codes come in groups of eight, which take as many bytes as a
/// code has bits; where the width changes, the rest of a group is unused.
#[derive(Default)]
struct Codes {
    width: usize,
    group: [u8; WIDTH_MAX + 2],
    /// Bits in the group, and how many of them were taken.
    len: usize,
    taken: usize,
}

impl Codes {
    fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Returns the next code; none after the last one.
    fn next(&mut self, feed: &mut Feed<'_>) -> io::Result<Option<usize>> {
        if self.len - self.taken < self.width {
            self.refill(feed)?;
        }
        if self.len - self.taken < self.width {
            // Returns a pending error of reading, now that all codes before it were returned.
            feed.peek(1)?;
            return self.end().map(|()| None);
        }
        let code = self.bits(self.width);
        self.taken += self.width;
        Ok(Some(code))
    }

    /// Takes the next group if all bits of this one were taken.
    fn refill(&mut self, feed: &mut Feed<'_>) -> io::Result<()> {
        if self.taken < self.len {
            return Ok(());
        }
        let next = feed.peek_most(self.width)?;
        let len = next.len();
        self.group = [0; WIDTH_MAX + 2];
        self.group.split_at_mut(len).0.copy_from_slice(next);
        feed.consume(len);
        (self.len, self.taken) = (len * 8, 0);
        Ok(())
    }

    /// Returns the next `count` bits, with zeros for missing ones.
    fn bits(&self, count: usize) -> usize {
        let near = self.group.get(self.taken / 8..).and_then(|rest| rest.first_chunk());
        let [one, two, three] = near.copied().unwrap_or_default();
        let near = usize::from(one) | usize::from(two) << 8 | usize::from(three) << 16;
        near >> (self.taken % 8) & ((1 << count) - 1)
    }

    /// Returns an error if the input ends within a code: only the last byte may be padded.
    fn end(&self) -> io::Result<()> {
        let is_cut = self.len - self.taken >= 8 && self.bits(self.width) != 0;
        if is_cut { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

impl<'f, 'i> Lzw<'f, 'i> {
    /// Returns a decoder of the stream that `feed` begins with.
    ///
    /// # Errors
    /// Returns an error when the header is missing or invalid.
    pub(super) fn new(feed: &'f mut Feed<'i>) -> io::Result<Self> {
        let [_, _, flags] = *feed.peek(MAGIC.len() + 1)? else {
            return Err(ErrorKind::UnexpectedEof.into());
        };
        feed.skip(MAGIC.len() as u64 + 1)?;
        let (width_max, has_clear) = (usize::from(flags & 0x1F), flags & 0x80 != 0);
        if !(WIDTH_MIN..=WIDTH_MAX).contains(&width_max) {
            return Err(Wrong::Width(width_max).into());
        }
        let mut lzw = Self {
            feed,
            codes: Codes::new(WIDTH_MIN),
            width_max,
            has_clear,
            learnt: Vec::new(),
            last: None,
            string: Vec::new(),
            failed: None,
        };
        lzw.forget();
        Ok(lzw)
    }

    pub(super) const fn feed(&self) -> &Feed<'i> {
        self.feed
    }

    pub(super) fn into_feed(self) -> &'f mut Feed<'i> {
        self.feed
    }

    fn forget(&mut self) {
        self.codes = Codes::new(WIDTH_MIN);
        self.last = None;
        self.learnt.clear();
        if self.has_clear {
            // The clear code itself takes an entry.
            self.learnt.push((0, 0));
        }
    }

    /// Decodes the next code; returns false at the end of the stream.
    fn next(&mut self) -> io::Result<bool> {
        let free = BYTES + self.learnt.len();
        if free >> self.codes.width > 0 && self.codes.width < self.width_max {
            self.codes = Codes::new(self.codes.width + 1);
        }
        let Some(code) = self.codes.next(self.feed)? else { return Ok(false) };
        if self.has_clear && code == CLEAR {
            self.forget();
            return Ok(true);
        }
        let first = match self.last {
            None => self.spell(code, BYTES)?,
            Some((last, first)) if code == free => {
                self.string.push(first);
                self.spell(last, free)?
            }
            Some(_) => self.spell(code, free)?,
        };
        if let Some((last, _)) = self.last
            && free >> self.width_max == 0
        {
            // No code has more than 16 bits.
            self.learnt.push((u16::try_from(last).unwrap_or_default(), first));
        }
        self.last = Some((code, first));
        Ok(true)
    }

    /// Pushes the bytes of `code` onto the string, in reverse order, and returns the first byte.
    /// The loop ends, since each learnt code extends an earlier one.
    fn spell(&mut self, mut code: usize, free: usize) -> io::Result<u8> {
        if code >= free {
            return Err(Wrong::Early { code, free }.into());
        }
        loop {
            if let Ok(byte) = u8::try_from(code) {
                self.string.push(byte);
                return Ok(byte);
            }
            let Some((before, byte)) = self.learnt.get(code - BYTES) else {
                return Err(Wrong::Code(code).into());
            };
            self.string.push(*byte);
            code = usize::from(*before);
        }
    }
}

/// A violation of the format.
#[derive(Debug)]
enum Wrong {
    /// The greatest width of codes in bits.
    Width(usize),
    /// A code that is greater than the number `free` of those learnt before it.
    Early { code: usize, free: usize },
    /// A code without a string.
    Code(usize),
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Width(bits) => write!(out, "codes of {bits} bits"),
            Self::Early { code, free } => write!(out, "code {code} where {free} come before"),
            Self::Code(code) => write!(out, "code {code}"),
        }
    }
}

impl std::error::Error for Wrong {}

impl From<Wrong> for io::Error {
    fn from(wrong: Wrong) -> Self {
        Self::new(ErrorKind::InvalidData, wrong)
    }
}

impl Read for Lzw<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut len = 0;
        while len < out.len() {
            if self.string.is_empty() {
                match self.next() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) if len == 0 => return Err(error),
                    Err(error) => {
                        self.failed = Some(error);
                        break;
                    }
                }
            }
            let rest = out.get_mut(len..).unwrap_or_default();
            let given = rest.len().min(self.string.len());
            let given = self.string.drain(self.string.len() - given..).rev();
            len += rest.iter_mut().zip(given).map(|(to, from)| *to = from).count();
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::io::{self, ErrorKind, Read};

    use super::{BYTES, CLEAR, Lzw, MAGIC, WIDTH_MIN};
    use crate::source::container::Feed;

    /// A writer of codes, eight of one width at a time.
    #[derive(Default)]
    struct Writer {
        bytes: Vec<u8>,
        group: u128,
        codes: usize,
    }

    impl Writer {
        fn code(&mut self, code: usize, width: usize) {
            self.group |= (code as u128) << (self.codes * width);
            self.codes += 1;
            if self.codes == 8 {
                self.end(width);
            }
        }

        /// Pads the group.
        fn end(&mut self, width: usize) {
            let len = if self.codes == 0 { 0 } else { width };
            self.bytes.extend_from_slice(&self.group.to_le_bytes()[..len]);
            (self.group, self.codes) = (0, 0);
        }

        /// Ends with the byte of the last code.
        fn finish(mut self, width: usize) -> Vec<u8> {
            let len = (self.codes * width).div_ceil(8);
            self.bytes.extend_from_slice(&self.group.to_le_bytes()[..len]);
            self.bytes
        }
    }

    /// Returns `text` as `compress` packs it, slowly and plainly, with a table of strings. With
    /// `clear_every`, each code at that interval is a clear code.
    fn packed(text: &[u8], width_max: u8, clear_every: Option<usize>) -> Vec<u8> {
        let first = BYTES + usize::from(clear_every.is_some());
        // A single byte is its own code.
        let mut table: HashMap<Vec<u8>, usize> = HashMap::new();
        let (mut free, mut width) = (first, WIDTH_MIN);
        let flags = width_max | if clear_every.is_some() { 0x80 } else { 0 };
        let mut writer = Writer { bytes: [MAGIC, &[flags]].concat(), ..Writer::default() };
        let width_max = usize::from(width_max);
        let (mut at, mut count) = (0, 0);
        while at < text.len() {
            let is_clear = clear_every.is_some_and(|every| count % every == every - 1);
            count += 1;
            // The reader learns each string one code later.
            if free > 1 << width && width < width_max {
                writer.end(width);
                width += 1;
            }
            if is_clear {
                writer.code(CLEAR, width);
                writer.end(width);
                (table, free, width) = (HashMap::new(), first, WIDTH_MIN);
                continue;
            }
            let is_known = |len: &usize| *len == 1 || table.contains_key(&text[at..at + len]);
            let len = (1..=text.len() - at).take_while(is_known).last().unwrap();
            let single = usize::from(text[at]);
            writer.code(table.get(&text[at..at + len]).copied().unwrap_or(single), width);
            if free < 1 << width_max && at + len < text.len() {
                table.insert(text[at..=at + len].to_vec(), free);
                free += 1;
            }
            at += len;
        }
        writer.finish(width)
    }

    fn unpacked(bytes: &[u8]) -> (Vec<u8>, Option<ErrorKind>) {
        let mut input = bytes;
        let mut feed = Feed::new(&mut input);
        let mut out = Vec::new();
        let result = Lzw::new(&mut feed).and_then(|mut lzw| lzw.read_to_end(&mut out));
        (out, result.err().map(|error| error.kind()))
    }

    #[test]
    fn what_was_packed_comes_back() {
        let mut state = 1994_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) % below
        };
        for round in 0..60 {
            let letters = [1, 2, 30, 256][round % 4];
            let len = if round < 8 { round } else { usize::try_from(random(20_000)).unwrap() };
            let text: Vec<u8> = (0..len).map(|_| random(letters).to_le_bytes()[0]).collect();
            for width_max in [9, 10, 12, 16] {
                for clear_every in [None, Some(2), Some(1000), Some(usize::MAX)] {
                    let bytes = packed(&text, width_max, clear_every);
                    let what = format!("{round}, {width_max} bits, {clear_every:?}");
                    assert!(unpacked(&bytes) == (text.clone(), None), "{what}");
                }
            }
        }
    }

    #[test]
    fn what_compress_writes_is_read() {
        // `printf 'aaaaaaaaab http://h/ aaaab' | compress`
        let bytes =
            b"\x1F\x9D\x90a\x02\x0A\x14(\x06\x04\x1A:t\xE0\xE8x\xF1\x02\xCD\x0B\x10\x03\xC5\x00";
        assert_eq!(unpacked(bytes), (b"aaaaaaaaab http://h/ aaaab".to_vec(), None));
    }

    #[test]
    fn what_is_cut_or_broken_gives_what_stands_before() {
        let text = b"one http://h/ two http://h/ three".repeat(40);
        let bytes = packed(&text, 16, Some(usize::MAX));
        let mut cuts = 0;
        for cut in 3..bytes.len() {
            let (out, failed) = unpacked(&bytes[..cut]);
            assert!(text.starts_with(&out), "{cut}");
            assert!(matches!(failed, None | Some(ErrorKind::UnexpectedEof)), "{cut}: {failed:?}");
            cuts += usize::from(failed.is_some());
        }
        // The rest of a cut code is mostly shorter than a byte, like padding at the end.
        assert!(cuts > 0);
        for head in [&b"\x1F"[..], b"\x1F\x9D"] {
            assert_eq!(unpacked(head).1, Some(ErrorKind::UnexpectedEof));
        }
        for broken in [
            &b"\x1F\x9D\x88a"[..],
            b"\x1F\x9D\x91a",
            b"\x1F\x9D\x90\x01\x01",
            b"\x1F\x9D\x90\x02\x03",
            b"\x1F\x9D\x10\x02\x03",
        ] {
            assert_eq!(unpacked(broken).1, Some(ErrorKind::InvalidData), "{broken:x?}");
        }
        let mut after = Writer { bytes: b"\x1F\x9D\x90".to_vec(), ..Writer::default() };
        for code in [b'a'.into(), 257, 300] {
            after.code(code, WIDTH_MIN);
        }
        let failed = Some(ErrorKind::InvalidData);
        assert_eq!(unpacked(&after.finish(WIDTH_MIN)), (b"aaa".to_vec(), failed));
    }

    /// A reader of bytes that fails after them.
    struct Failing<'b>(&'b [u8]);

    impl Read for Failing<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(ErrorKind::NotConnected.into()) } else { self.0.read(out) }
        }
    }

    #[test]
    fn what_stands_before_a_failure_is_read() {
        let text = b"one http://h/ two http://h/ three".repeat(40);
        let bytes = packed(&text, 16, None);
        for cut in 3..bytes.len() {
            let mut input = Failing(&bytes[..cut]);
            let mut feed = Feed::new(&mut input);
            let mut out = Vec::new();
            let failed = Lzw::new(&mut feed).and_then(|mut lzw| lzw.read_to_end(&mut out));
            let kind = failed.err().map(|error| error.kind());
            assert_eq!((out, kind), (unpacked(&bytes[..cut]).0, Some(ErrorKind::NotConnected)));
        }
    }

    #[test]
    fn any_bytes_end() {
        let mut state = 42_u64;
        for round in 0..3000_u32 {
            let mut bytes = [MAGIC, &[0x80 | (9 + round.to_le_bytes()[0] % 8)]].concat();
            for _ in 0..round % 200 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                bytes.push(state.to_be_bytes()[0] & [0xFF, 0x01][round as usize % 2]);
            }
            let (out, _) = unpacked(&bytes);
            // The string of each code is one byte longer than that of an earlier code.
            assert!(out.len() <= bytes.len() * bytes.len(), "{bytes:x?}");
        }
    }
}
