//! Makes the sort key that joins a finding with the indexes of web archives.

use super::record::Record;
use crate::finding::Cue;
use crate::uri::surt::surt;

/// Returns the key of the URI of `record`; relative references have none, because their host is
/// unknown.
pub(super) fn key(record: &Record) -> Option<Vec<u8>> {
    key_of(record.uri(), record.scheme.is_some(), record.cue == Cue::Www.name())
}

/// Returns the key of `uri`; one without a scheme has a host only where it begins with `www.`.
pub(super) fn key_of(uri: &[u8], has_scheme: bool, is_www: bool) -> Option<Vec<u8>> {
    if has_scheme {
        surt(uri)
    } else if is_www {
        surt(&[b"http://", uri].concat())
    } else {
        None
    }
}
