//! Hashes of 128 bits that stand for URIs and names in sets of many.

use std::hash::{DefaultHasher, Hash, Hasher};

/// 128 bits that stand for a URI: two of a billion URIs share them with a chance of 10^-21.
pub(super) fn hash(uri: &[u8]) -> u128 {
    let mut hasher = DefaultHasher::new();
    uri.hash(&mut hasher);
    // Its state has more bits than a half.
    let half = |number: u8| {
        let mut hasher = hasher.clone();
        hasher.write_u8(number);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
