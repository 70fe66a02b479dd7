//! Defines the digest of findings.

use std::fmt;

/// Words of a digest.
const WORDS: usize = 4;

/// A sum, modulo 2²⁵⁶, of the hashes of findings.
///
/// The order of the findings does not affect it, and each occurrence of equal findings counts. The
/// digest of several sets is the sum of their digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest([u64; WORDS]);

impl Digest {
    /// Returns the digest of one finding with this hash, a number whose most significant byte comes
    /// first.
    #[must_use]
    pub fn of(hash: &[u8; 32]) -> Self {
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(hash.rchunks(8)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        Self(words)
    }

    /// Adds the findings of `more`.
    pub fn add(&mut self, more: &Self) {
        let mut carry = false;
        for (word, more) in self.0.iter_mut().zip(more.0) {
            let (sum, is_over) = word.overflowing_add(more);
            let (sum, is_carried) = sum.overflowing_add(carry.into());
            (*word, carry) = (sum, is_over || is_carried);
        }
    }
}

/// Writes 64 hexadecimal digits, the most significant one first.
impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().rev().try_for_each(|word| write!(out, "{word:016x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn digests_are_added_as_one_number() {
        let mut sum = Digest::of(&[0xFF; 32]);
        assert_eq!(sum.to_string(), "f".repeat(64));
        let mut one = [0; 32];
        one[31] = 1;
        sum.add(&Digest::of(&one));
        assert_eq!(sum, Digest::default(), "it wraps");
        let mut number = [0; 32];
        (number[0], number[15], number[31]) = (1, 2, 3);
        let mut twice = Digest::of(&number);
        twice.add(&Digest::of(&number));
        assert_eq!(twice.to_string(), format!("02{}04{}06", "0".repeat(28), "0".repeat(30)));
        let mut low = [0; 32];
        low[24..].fill(0xFF);
        let mut carried = Digest::of(&low);
        carried.add(&Digest::of(&one));
        assert_eq!(carried.to_string(), format!("{}1{}", "0".repeat(47), "0".repeat(16)));
    }
}
