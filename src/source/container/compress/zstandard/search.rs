//! Finds the frames of Zstandard that follow each other, by their headers and those of their
//! blocks.

use super::frame::Packed;
use crate::source::container::ahead::{Finder, FoundPart, Step};

/// Most packed bytes of a frame that other threads decode, and most bytes that it decodes to:
/// frames of `pzstd -19` have 32 MiB.
const FRAME_LEN_MAX: u64 = 32 * 1024 * 1024;
/// Packed bytes for each frame that may wait to be taken.
const PACKED_LEN_MAX: usize = 8 * 1024 * 1024;
/// Fewest packed bytes of a frame for which another thread is worth it. These are more than a feed
/// buffers: the library may decode a frame that is buffered whole in one call, which finds other
/// faults.
const FRAME_LEN_MIN: u64 = 64 * 1024 + 1;
/// Number of short frames in a row after which reading ahead is not worth its memory.
pub(super) const SHORT_FRAMES_MAX: u64 = 64;
/// Maximum number of steps of a frame: in 32 MiB, blocks then have 8 KiB on the average, and a
/// header each.
const STEPS_MAX: usize = 2 * 4096;
/// Maximum length of a block, packed or not (RFC 8878 §3.1.1.2.4).
const BLOCK_LEN_MAX: u64 = 128 * 1024;
/// Length of a block's header.
const BLOCK_HEADER_LEN: u64 = 3;
const CHECKSUM_LEN: u64 = 4;

/// A search for frames.
pub(in super::super) struct Search {
    /// The bytes from the open frame on, or else those that are not searched.
    window: Vec<u8>,
    /// Offset of the window.
    base: u64,
    /// Offset of the next header; it may be after the window.
    at: u64,
    frame: Option<Open>,
    /// The first frame, until another one follows it: the decoder can give the text of a single
    /// frame before all of it is decoded.
    first: Option<FoundPart>,
    /// Number of frames whose end was found, and of the last ones of these that are short.
    count: u64,
    short: u64,
    /// Whether something else was found.
    is_lost: bool,
    /// Fewest packed bytes of a frame.
    len_min: u64,
}

/// A frame whose end is not found yet.
struct Open {
    start: u64,
    block_len_max: u64,
    declared: Option<u64>,
    has_checksum: bool,
    /// Whether the last block was seen.
    is_ended: bool,
    /// Most bytes that the blocks decode to.
    text_len_max: u64,
    /// Empty if the frame is not to be decoded.
    steps: Vec<Step>,
}

impl Open {
    /// Returns the frame at `start` with this header; none if it is malformed, or has a dictionary.
    fn of(start: u64, header: &[u8]) -> Option<Self> {
        let [_, _, _, _, flags, rest @ ..] = header else { return None };
        let (is_single, dictionary) = (flags & 0x20 != 0, flags & 0x03);
        if flags & 0x08 != 0 || dictionary != 0 {
            return None;
        }
        let (window, size) = if is_single { (None, rest) } else { (rest.first(), rest.get(1..)?) };
        let number = size.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let declared = match size.len() {
            0 => None,
            2 => Some(number + 256),
            _ => Some(number),
        };
        let window = window.map_or(declared.unwrap_or_default(), |byte| {
            let base = 1_u64 << (10 + (byte >> 3));
            base + base / 8 * u64::from(byte & 7)
        });
        let block_len_max = window.min(BLOCK_LEN_MAX);
        let mut open = Self {
            start,
            block_len_max,
            declared,
            has_checksum: flags & 0x04 != 0,
            is_ended: false,
            text_len_max: 0,
            steps: Vec::new(),
        };
        if declared.is_none_or(|len| len <= FRAME_LEN_MAX) {
            open.step(header.len() as u64, false);
        }
        Some(open)
    }

    /// Returns the length of the header that begins with `head`.
    fn header_len(head: &[u8]) -> Option<usize> {
        let flags = *head.get(4)?;
        let is_single = flags & 0x20 != 0;
        let window_len = usize::from(!is_single);
        let dictionary_len = [0, 1, 2, 4].get(usize::from(flags & 0x03))?;
        let size_len = match flags >> 6 {
            0 => usize::from(is_single),
            power => 1 << power,
        };
        Some(5 + window_len + dictionary_len + size_len)
    }

    fn step(&mut self, len: u64, is_raw: bool) {
        let Ok(len) = usize::try_from(len) else { return self.steps.clear() };
        self.steps.push(Step { len, made: 0, early: 0, is_raw });
    }

    /// Returns the most bytes that the frame decodes to.
    fn text_len_max(&self) -> u64 {
        self.text_len_max.min(self.declared.unwrap_or(u64::MAX))
    }

    /// Takes the header of a block; returns the number of bytes up to the next one, or up to the
    /// end. Returns none if the header is malformed.
    fn block(&mut self, header: [u8; 3]) -> Option<u64> {
        let [a, b, c] = header.map(u64::from);
        let header = a | b << 8 | c << 16;
        let size = header >> 3;
        let (len, text_len, is_raw) = match header >> 1 & 3 {
            0 => (size, size, true),
            1 => (1, size, false),
            2 => (size, self.block_len_max, false),
            _ => return None,
        };
        if size > self.block_len_max {
            return None;
        }
        self.is_ended = header & 1 == 1;
        self.text_len_max += text_len;
        let checksum_len = if self.is_ended && self.has_checksum { CHECKSUM_LEN } else { 0 };
        if self.steps.len() > STEPS_MAX || self.text_len_max() > FRAME_LEN_MAX {
            self.steps = Vec::new();
        }
        if !self.steps.is_empty() {
            let steps = [(BLOCK_HEADER_LEN, false), (len, is_raw), (checksum_len, false)];
            steps.into_iter().filter(|(len, _)| *len > 0).for_each(|it| self.step(it.0, it.1));
        }
        Some(BLOCK_HEADER_LEN + len + checksum_len)
    }
}

impl Finder for Search {
    fn pass(&mut self, bytes: &[u8], found: &mut Vec<FoundPart>) {
        if self.is_lost {
            return;
        }
        self.window.extend_from_slice(bytes);
        while self.look(found).is_some() {}
        if self.is_lost {
            (self.window, self.frame, self.first) = (Vec::new(), None, None);
            return;
        }
        let kept = self.frame.as_ref().filter(|frame| !frame.steps.is_empty());
        let from = kept.map_or(self.at, |frame| frame.start);
        let passed = usize::try_from(from - self.base).unwrap_or(usize::MAX).min(self.window.len());
        self.window.drain(..passed);
        self.base += passed as u64;
    }

    fn finish(&mut self, _: &mut Vec<FoundPart>) {
        self.first = None;
    }

    fn packed_len_max(&self) -> usize {
        PACKED_LEN_MAX
    }

    fn is_hopeful(&self) -> bool {
        let is_kept = self.frame.as_ref().is_none_or(|frame| !frame.steps.is_empty());
        !self.is_lost && is_kept && self.short < SHORT_FRAMES_MAX
    }
}

impl Default for Search {
    fn default() -> Self {
        Self {
            window: Vec::new(),
            base: 0,
            at: 0,
            frame: None,
            first: None,
            count: 0,
            short: 0,
            is_lost: false,
            len_min: FRAME_LEN_MIN,
        }
    }
}

impl Search {
    /// Returns a search for all frames, even short ones and a single one.
    pub(in super::super) fn every() -> Self {
        Self { count: 1, len_min: 0, ..Self::default() }
    }

    /// Returns the `len` bytes at `at`, once they were read.
    fn bytes(&self, at: u64, len: usize) -> Option<&[u8]> {
        let start = usize::try_from(at.checked_sub(self.base)?).ok()?;
        self.window.get(start..start.checked_add(len)?)
    }

    /// Looks at the next header; returns none if more bytes are needed, or nothing is wanted.
    fn look(&mut self, found: &mut Vec<FoundPart>) -> Option<()> {
        if self.frame.is_some() { self.look_at_block(found) } else { self.look_at_frame(found) }
    }

    fn look_at_frame(&mut self, found: &mut Vec<FoundPart>) -> Option<()> {
        if self.is_lost {
            return None;
        }
        // Zeros between frames are skipped.
        if let [0] = self.bytes(self.at, 1)? {
            self.at += 1;
            return Some(());
        }
        match *self.bytes(self.at, 5)? {
            // The frame may hold the dictionary of those after it, which threads do not get.
            [0x5D, 0x2A, 0x4D, 0x18, _] => self.is_lost = true,
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, _] => {
                let len = self.bytes(self.at + 4, 4)?.first_chunk().copied()?;
                self.at += 8 + u64::from(u32::from_le_bytes(len));
            }
            [0x28, 0xB5, 0x2F, 0xFD, _] => {
                let len = Open::header_len(self.bytes(self.at, 5)?)?;
                let open = Open::of(self.at, self.bytes(self.at, len)?);
                self.is_lost = open.is_none();
                self.frame = open;
                found.extend(self.first.take());
                self.at += len as u64;
            }
            _ => self.is_lost = true,
        }
        Some(())
    }

    fn look_at_block(&mut self, found: &mut Vec<FoundPart>) -> Option<()> {
        let frame = self.frame.as_mut()?;
        if frame.is_ended {
            return self.close(found);
        }
        let start = usize::try_from(self.at.checked_sub(self.base)?).ok()?;
        let header = *self.window.get(start..)?.first_chunk()?;
        match frame.block(header) {
            Some(len) => self.at += len,
            None => self.is_lost = true,
        }
        if self.at - frame.start > FRAME_LEN_MAX {
            frame.steps = Vec::new();
        }
        (!self.is_lost).then_some(())
    }

    /// Ends the open frame, once all of it was read.
    fn close(&mut self, found: &mut Vec<FoundPart>) -> Option<()> {
        let frame = self.frame.take_if(|frame| {
            let read = self.base + self.window.len() as u64;
            frame.steps.is_empty() || self.at <= read
        })?;
        let len = self.at - frame.start;
        self.count += 1;
        self.short = if len < self.len_min { self.short + 1 } else { 0 };
        if !frame.steps.is_empty() && len >= self.len_min {
            let start = usize::try_from(frame.start - self.base).ok()?;
            let rest = self.window.split_off(start + usize::try_from(len).ok()?);
            let mut bytes = std::mem::replace(&mut self.window, rest);
            bytes.drain(..start);
            self.base = self.at;
            let text_len_max = usize::try_from(frame.text_len_max()).ok()?;
            let packed = Packed { bytes, steps: frame.steps, text_len_max };
            let decode = Box::new(move |text| packed.decode(frame.start, text));
            let frame = FoundPart { at: frame.start * 8, text_len_max, decode };
            if self.count == 1 {
                self.first = Some(frame);
            } else {
                found.push(frame);
            }
        }
        Some(())
    }
}
