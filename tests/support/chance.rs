//! Deterministic random numbers for tests: xorshift64* from a fixed seed.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

/// A random number generator. The seed must not be zero.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// Returns a number of 48 bits.
    pub(crate) fn draw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// Returns a number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.draw() % limit as u64).expect("48 bits")
    }
}
