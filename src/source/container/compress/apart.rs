//! Decodes parts of compressed bytes independently, however short they are, for tests that modify
//! these bytes.

use super::{bzip2, xz, zstandard};
use crate::source::container::ahead::{Finder, Part};

/// A part that was found: the offset of its first byte, and, if it could be decoded, that after its
/// last one with its text.
pub type Apart = (u64, Option<(u64, Vec<u8>)>);

/// Decodes the block of bzip2 that `bytes` hold from their fifth on, whatever checksum it declares.
/// Returns its text, the checksum of that, and its number of bits.
#[must_use]
pub fn block(bytes: &[u8]) -> Option<(Vec<u8>, u32, usize)> {
    bzip2::unchecked(bytes)
}

/// Returns the frames of Zstandard in `bytes`, which are read `most` at a time.
#[must_use]
pub fn frames(bytes: &[u8], most: usize) -> Vec<Apart> {
    parts(&mut zstandard::Search::every(), bytes, most)
}

/// Returns the blocks of xz in `bytes`, which are read `most` at a time.
#[must_use]
pub fn blocks(bytes: &[u8], most: usize) -> Vec<Apart> {
    parts(&mut xz::Search::every(), bytes, most)
}

fn parts(search: &mut impl Finder, bytes: &[u8], most: usize) -> Vec<Apart> {
    let mut found = Vec::new();
    bytes.chunks(most.max(1)).for_each(|bytes| search.pass(bytes, &mut found));
    search.finish(&mut found);
    let decoded = |part: Part| (part.end / 8, part.text);
    found.into_iter().map(|it| (it.at / 8, (it.decode)(Vec::new()).map(decoded))).collect()
}
