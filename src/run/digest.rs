//! Computes the digest of one finding.

use ring::digest::{SHA256, digest};

use crate::finding::{Digest, Finding};
use crate::report::ndjson::Ndjson;
use crate::report::{Lines as _, Style};

/// Returns the digest of `finding`: the SHA-256 of its line in the format `ndjson`, without the
/// line feed, as a scan without a baseline writes it.
///
/// `record` is the line of the finding as it is, if a report has it; `memory` is for a line that
/// none has.
pub(super) fn of(finding: &Finding<'_>, record: Option<&[u8]>, memory: &mut Vec<u8>) -> Digest {
    let verdict = finding.facts.verdict;
    let is_scanned =
        finding.reach.is_none() && finding.known.is_none() && finding.verdict == verdict;
    let line = record.filter(|_| is_scanned).unwrap_or_else(|| {
        memory.clear();
        let scanned = Finding { reach: None, known: None, verdict, ..finding.clone() };
        Ndjson.finding(&scanned, &Style::default(), memory);
        memory
    });
    let hash = digest(&SHA256, line.strip_suffix(b"\n").unwrap_or(line));
    hash.as_ref().first_chunk().map(Digest::of).unwrap_or_default()
}
