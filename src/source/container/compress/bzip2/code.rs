//! Reads and decodes the Huffman codes of a block of bzip2.

use super::bits::Bits;

/// Maximum length of a code word in bits.
const WORD_LEN_MAX: usize = 20;
/// Words of this length, and shorter ones, are looked up at once: the tables of six codes then take
/// 12 KiB of the fastest memory.
const SHORT_LEN: usize = 10;
/// Number of low bits of an entry that hold the length; the symbol is in the bits above.
const LEN_BITS: u32 = 5;

/// One of the codes of a block.
pub(super) struct Code {
    /// Symbol and length of the word that the next bits begin with; 0 if it is longer, or none.
    short: Vec<u16>,
    /// For each length, the first word, the number of words, and the index of the first in
    /// `symbols`.
    lengths: [(u32, u32, u32); WORD_LEN_MAX + 1],
    /// Symbols by their words.
    symbols: Vec<u16>,
}

impl Code {
    /// Reads the lengths of the words of `count` symbols; returns none if they are no code.
    pub(super) fn read(bits: &mut Bits<'_>, count: usize) -> Option<Self> {
        let mut lens = Vec::with_capacity(count);
        let mut len = usize::try_from(bits.take(5)).ok()?;
        for _ in 0..count {
            loop {
                if !(1..=WORD_LEN_MAX).contains(&len) {
                    return None;
                }
                if bits.take(1) == 0 {
                    break;
                }
                len = if bits.take(1) == 0 { len + 1 } else { len - 1 };
            }
            lens.push(len);
        }
        Self::new(&lens)
    }

    fn new(lens: &[usize]) -> Option<Self> {
        let (mut lengths, mut symbols) = ([(0, 0, 0); WORD_LEN_MAX + 1], Vec::new());
        let mut short = vec![0; 1 << SHORT_LEN];
        let mut word = 0_u32;
        for (len, length) in lengths.iter_mut().enumerate().skip(1) {
            word <<= 1;
            let index = u32::try_from(symbols.len()).ok()?;
            let first = word;
            for symbol in (0_u16..).zip(lens).filter(|(_, of)| **of == len).map(|(it, _)| it) {
                symbols.push(symbol);
                if len <= SHORT_LEN {
                    let start = usize::try_from(word).ok()? << (SHORT_LEN - len);
                    let entry = symbol << LEN_BITS | u16::try_from(len).ok()?;
                    short.get_mut(start..start + (1 << (SHORT_LEN - len)))?.fill(entry);
                }
                word += 1;
            }
            // More words than there can be of this length.
            if word > 1 << len {
                return None;
            }
            *length = (first, word - first, index);
        }
        Some(Self { short, lengths, symbols })
    }

    /// Takes the next symbol; returns none if no word is next.
    #[inline]
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let word = bits.peek(WORD_LEN_MAX);
        let entry = *self.short.get(usize::try_from(word >> (WORD_LEN_MAX - SHORT_LEN)).ok()?)?;
        if entry == 0 {
            return self.long_symbol(word, bits);
        }
        bits.skip(usize::from(entry & ((1 << LEN_BITS) - 1)));
        Some(entry >> LEN_BITS)
    }

    #[cold]
    fn long_symbol(&self, word: u32, bits: &mut Bits<'_>) -> Option<u16> {
        let (len, at) = (SHORT_LEN + 1..=WORD_LEN_MAX).find_map(|len| {
            let (first, count, index) = *self.lengths.get(len)?;
            let at = (word >> (WORD_LEN_MAX - len)).checked_sub(first)?;
            (at < count).then_some((len, index + at))
        })?;
        bits.skip(len);
        self.symbols.get(usize::try_from(at).ok()?).copied()
    }
}
