//! Implements a set of bytes. `fault` describes its members in words.

/// A set of bytes: those that a grammar would have accepted at some offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 4]);

    /// Returns the set of the bytes of which `is_member` is true.
    #[must_use]
    #[inline]
    pub fn of(is_member: impl Fn(u8) -> bool) -> Self {
        let mut set = Self::EMPTY;
        for (word, first) in set.0.iter_mut().zip([0, 64, 128, 192]) {
            *word = (0..64).fold(0, |bits, bit| bits | u64::from(is_member(first + bit)) << bit);
        }
        set
    }

    /// Adds `byte`.
    pub const fn insert(&mut self, byte: u8) {
        self.0[(byte >> 6) as usize] |= 1 << (byte & 63);
    }

    /// Reports whether `byte` is a member.
    #[must_use]
    pub const fn has(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }

    /// Reports whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Reports whether every member is one of `other`, too.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Returns the set of the bytes from `first` to `last`, inclusive.
    #[must_use]
    pub const fn range(first: u8, last: u8) -> Self {
        let mut set = Self::EMPTY;
        let mut byte = first;
        while byte < last {
            set.insert(byte);
            byte += 1;
        }
        set.insert(last);
        set
    }

    /// Returns the union of the sets.
    #[must_use]
    pub const fn with(mut self, other: Self) -> Self {
        let mut idx = 0;
        while idx < self.0.len() {
            self.0[idx] |= other.0[idx];
            idx += 1;
        }
        self
    }

    /// Returns the members that are not in `other`.
    #[must_use]
    pub const fn without(mut self, other: Self) -> Self {
        let mut idx = 0;
        while idx < self.0.len() {
            self.0[idx] &= !other.0[idx];
            idx += 1;
        }
        self
    }

    /// Returns the members in order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|&byte| self.has(byte))
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut set = Self::EMPTY;
        bytes.into_iter().for_each(|byte| set.insert(byte));
        set
    }
}
