//! What should stand in the place of a link, where that is certain: it has moved for good, and
//! both addresses are written in the file as they are.

use super::object::{ArtifactChange, ArtifactLocation, Fix, Region, Replacement, Text};
use crate::report::record::Record;

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
    let uri = record.moved_to().and_then(|uri| String::from_utf8(uri).ok())?;
    if !uri.bytes().all(is_plain) {
        return None;
    }
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
