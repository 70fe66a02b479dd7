//! Computes the digest of one finding.

use ring::digest::{SHA256, digest};

use crate::finding::{Digest, Finding};
use crate::report::ndjson::Ndjson;
use crate::report::{Lines as _, Style};

/// Returns the digest of `finding`: the SHA-256 of its line in the format `ndjson`, without the
/// line feed, as a scan without a baseline writes it. `line` is memory for that line.
pub(super) fn of(finding: &Finding<'_>, line: &mut Vec<u8>) -> Digest {
    line.clear();
    let verdict = finding.facts.verdict;
    let scanned = Finding { reach: None, known: None, verdict, ..finding.clone() };
    Ndjson.finding(&scanned, &Style::default(), line);
    let hash = digest(&SHA256, line.strip_suffix(b"\n").unwrap_or(line));
    hash.as_ref().first_chunk().map(Digest::of).unwrap_or_default()
}
