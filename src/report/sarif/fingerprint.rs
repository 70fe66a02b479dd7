//! What makes a result the same as one of another run, whatever lines are written above it: the
//! name of what is the matter, the link, where it is packed, and how often the same was said in
//! this file before (§3.27.17). The file is no part of it: viewers compare that themselves, and
//! follow it when it is renamed.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA256};

use crate::report::record::Record;

/// Bytes of a fingerprint: two of a billion are the same with a chance of one in 10²⁰.
const FINGERPRINT_LEN: usize = 16;

/// Counts what is said of a file more than once.
#[derive(Default)]
pub(super) struct Fingerprinter {
    /// Findings come file by file, so that the others can be forgotten.
    path: Vec<u8>,
    said: BTreeMap<[u8; FINGERPRINT_LEN], u64>,
}

impl Fingerprinter {
    /// The fingerprint of `name` said of `record`.
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
        // Lengths keep the end of one part from being the beginning of the next.
        context.update(&part.len().to_le_bytes());
        context.update(part);
    }
    let mut hash = [0; FINGERPRINT_LEN];
    for (byte, hashed) in hash.iter_mut().zip(context.finish().as_ref()) {
        *byte = *hashed;
    }
    hash
}
