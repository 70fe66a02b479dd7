//! What should stand in the place of a link, where that is certain: it has moved for good, and
//! both addresses are written in the file as they are.

use super::object::{ArtifactChange, ArtifactLocation, Fix, Region, Replacement, Text};
use crate::finding::Class;
use crate::report::record::{ReachRecord, Record};

/// Characters that mean the same in every kind of text and markup, so that an address of nothing
/// else can be put in the place of another. Asterisks, which stand for passwords, are none.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#@%=+,".contains(&byte)
}

/// The fix that puts the new address of `record` into `region`, if it has one.
///
/// Messages are left as they are: nobody rewrites what was sent.
pub(super) fn fix(record: &Record, region: Option<Region>) -> Option<Fix> {
    let region = region.filter(|region| region.end_column.is_some() && region.bytes.is_some())?;
    let is_as_written = record.raw == record.uri && record.place.decoded.is_none();
    if !is_as_written || record.message.is_some() || record.place.path() == b"-" {
        return None;
    }
    let uri = record.reach.as_ref().and_then(|reach| moved_to(reach, record))?;
    let description = format!("It has moved for good: write {uri}");
    Some(Fix {
        description: Text::said(description.as_bytes()),
        artifact_changes: [ArtifactChange {
            artifact_location: ArtifactLocation::new(record.place.path()),
            replacements: [Replacement {
                deleted_region: region,
                inserted_content: Text::exact(uri),
            }],
        }],
    })
}

/// Where it went. A reference would become a whole URI, which is more than its redirect says.
fn moved_to(reach: &ReachRecord, record: &Record) -> Option<String> {
    if reach.class != Class::Redirected.row().name || record.scheme.is_none() {
        return None;
    }
    let mut uri = reach.hops.last().filter(|hop| hop.to_bytes.is_none())?.to.clone();
    // A redirect without a fragment keeps that of the link (RFC 9110 §10.2.2).
    if let Some((_, fragment)) = record.uri.split_once('#').filter(|_| !uri.contains('#')) {
        uri = format!("{uri}#{fragment}");
    }
    (uri.bytes().all(is_plain) && uri != record.uri).then_some(uri)
}
