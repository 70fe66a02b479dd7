//! Computes fingerprints, by which a result is recognised in other runs even if lines above it
//! change (§3.27.17). A fingerprint combines the name of the trouble, the link, the archive
//! members, and the number of earlier occurrences in the file. The file is no part of it: viewers
//! compare that themselves, and follow renames.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA256};

use crate::report::record::Record;

/// The length of a fingerprint in bytes: two of a billion are equal with a chance of one in 10²⁰.
const FINGERPRINT_LEN: usize = 16;

/// A counter of repeated statements in a file.
#[derive(Default)]
pub(super) struct Fingerprinter {
    /// The current file. Findings arrive file by file, so that earlier files can be forgotten.
    path: Vec<u8>,
    said: BTreeMap<[u8; FINGERPRINT_LEN], u64>,
}

impl Fingerprinter {
    /// Returns the fingerprint of the statement `name` about `record`.
    pub(super) fn next(&mut self, name: &str, record: &Record) -> String {
        if self.path != record.place.path() {
            self.path = record.place.path().to_vec();
            self.said.clear();
        }
        let mut parts = vec![name.as_bytes(), record.uri()];
        parts.extend(record.place.members());
        let times = self.said.entry(hash(&parts)).or_default();
        let count = times.to_le_bytes();
        *times += 1;
        parts.push(&count);
        HEXLOWER.encode(&hash(&parts))
    }
}

fn hash(parts: &[&[u8]]) -> [u8; FINGERPRINT_LEN] {
    let mut context = Context::new(&SHA256);
    for part in parts {
        // The lengths keep the end of one part from being taken for the beginning of the next.
        context.update(&part.len().to_le_bytes());
        context.update(part);
    }
    let mut hash = [0; FINGERPRINT_LEN];
    for (byte, hashed) in hash.iter_mut().zip(context.finish().as_ref()) {
        *byte = *hashed;
    }
    hash
}
