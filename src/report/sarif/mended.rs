//! What should be written in the place of a link, where that is certain: the address that it has
//! moved to for good, or the escapes that it lacks. What that is comes with the record, and is what
//! `linktrawl fix` would write.
//!
//! Files that are elsewhere in the tree have no fix here: a record says nothing of where they are.
//! And since nobody reads the mended text to see whether it is the link that was meant, as `fix`
//! does, no fix has a character that means something in any kind of text.

use super::object::{ArtifactChange, ArtifactLocation, Fix, Region, Replacement, Text};
use crate::finding::topic::Kind;
use crate::report::record::Record;

/// Characters that mean the same in every kind of text and markup, so that an address of nothing
/// else can be put in the place of another. Asterisks, which stand for passwords, are none.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#@%=+,".contains(&byte)
}

/// The fix that puts what `record` should be in its `region`, if it has one that mends what a
/// result of this kind says.
pub(super) fn fix(record: &Record, kind: Kind, region: Option<Region>) -> Option<Fix> {
    let region = region.filter(|region| region.end_column.is_some() && region.bytes.is_some())?;
    let (mends, reason) = match record.faults().next() {
        Some(_) => (Kind::Fault, "It lacks escapes"),
        None => (Kind::Class, "It has moved for good"),
    };
    let text = String::from_utf8(record.mended.clone()?).ok()?;
    if kind != mends || !text.bytes().all(is_plain) {
        return None;
    }
    let description = format!("{reason}: write {text}");
    Some(Fix {
        description: Text::said(description.as_bytes()),
        artifact_changes: [ArtifactChange {
            artifact_location: ArtifactLocation::new(record.place.path()),
            replacements: [Replacement {
                deleted_region: region,
                inserted_content: Text::exact(text),
            }],
        }],
    })
}
