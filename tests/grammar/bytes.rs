//! Sets of bytes, for the expressions of `derivative.rs`.

/// Some bytes: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bytes([u64; 4]);

impl Bytes {
    pub(crate) const NONE: Self = Self([0; 4]);
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);

    pub(crate) fn range(from: u8, to: u8) -> Self {
        (from..=to).collect()
    }

    pub(crate) fn has(self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|idx| self.0[idx] | other.0[idx]))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|idx| self.0[idx] & other.0[idx]))
    }

    pub(crate) fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&byte| self.has(byte))
    }
}

impl FromIterator<u8> for Bytes {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut set = Self::NONE;
        for byte in bytes {
            set.0[usize::from(byte / 64)] |= 1 << (byte % 64);
        }
        set
    }
}
