//! Makes the sort key of a finding, by which it is joined with the indexes of web archives.

use super::record::Record;
use crate::finding::Cue;
use crate::uri::surt::surt;

/// Returns the key of the URI of `record`; relative references have none, because their host is
/// unknown.
pub(super) fn key(record: &Record) -> Option<Vec<u8>> {
    if record.scheme.is_some() {
        surt(record.uri())
    } else if record.cue == Cue::Www.name() {
        surt(&[b"http://", record.uri()].concat())
    } else {
        None
    }
}
