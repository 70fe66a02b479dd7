//! Reads bits, from the highest of each byte on.

/// A reader of bits. After the last one, it gives zeros.
pub(super) struct Bits<'b> {
    bytes: &'b [u8],
    /// Index of the next byte to hold.
    next: usize,
    /// The next bits, from the highest on; zeros after them.
    held: u64,
    /// Number of held bits.
    count: usize,
}

impl<'b> Bits<'b> {
    /// Returns a reader of the bits of `bytes` from the bit `start` on.
    pub(super) fn new(bytes: &'b [u8], start: usize) -> Option<Self> {
        let mut bits = Self { bytes, next: start / 8, held: 0, count: 0 };
        bytes.get(bits.next)?;
        bits.take(start % 8);
        Some(bits)
    }

    /// Returns the number of bits before the next one, of all bytes.
    pub(super) const fn position(&self) -> usize {
        self.next * 8 - self.count
    }

    /// Holds at least 56 bits.
    #[inline]
    fn hold(&mut self) {
        let word = self.bytes.get(self.next..).and_then(|rest| rest.first_chunk());
        let word = word.map_or_else(|| self.last_word(), |word| u64::from_be_bytes(*word));
        // The bits that are cut off are held again, the same.
        self.held |= word >> self.count;
        let more = (63 - self.count) / 8;
        self.next += more;
        self.count += more * 8;
    }

    #[cold]
    fn last_word(&self) -> u64 {
        let mut word = [0; 8];
        let rest = self.bytes.get(self.next..).unwrap_or_default();
        word.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        u64::from_be_bytes(word)
    }

    /// Returns the next `len` bits, at most 32, without taking them; some more may be held.
    #[inline]
    pub(super) fn peek(&mut self, len: usize) -> u32 {
        if self.count < len {
            self.hold();
        }
        // Two shifts, since `len` may be 0.
        let bits = self.held >> 32 >> (32 - len);
        u32::try_from(bits).unwrap_or_default()
    }

    /// Skips `len` bits that were shown.
    #[inline]
    pub(super) const fn skip(&mut self, len: usize) {
        self.held <<= len;
        self.count = self.count.saturating_sub(len);
    }

    /// Takes the next `len` bits, at most 32.
    #[inline]
    pub(super) fn take(&mut self, len: usize) -> u32 {
        let bits = self.peek(len);
        self.skip(len);
        bits
    }

    /// Takes the next 48 bits: the number before a block, or after the last one.
    pub(super) fn take_magic(&mut self) -> u64 {
        let high = u64::from(self.take(16));
        high << 32 | u64::from(self.take(32))
    }
}
