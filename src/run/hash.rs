//! Computes hashes of 128 bits that identify URIs and names in large sets.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Returns a hash of `uri` of 128 bits: two of a billion URIs collide with a probability of 10^-21.
pub(super) fn hash(uri: &[u8]) -> u128 {
    let mut hasher = DefaultHasher::new();
    uri.hash(&mut hasher);
    // The hasher's state has more bits than one half.
    let half = |number: u8| {
        let mut hasher = hasher.clone();
        hasher.write_u8(number);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
