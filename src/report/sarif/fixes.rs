//! Suggests fixes for links, if they are certain: the address to which the link has moved
//! permanently, or missing escapes. The new text comes with the record, and is the same that
//! `linktrawl fix` would write.
//!
//! Files that are elsewhere in the tree get no fix: a record does not contain their place. No fix
//! contains a character that is special in any kind of text, because the fixed text is not parsed
//! again to verify the link, as `fix` does.

use super::object::{ArtifactChange, ArtifactLocation, Fix, Region, Replacement, Text};
use crate::finding::topic::TopicKind;
use crate::report::record::Record;

/// Reports whether `byte` has no special meaning in any kind of text and markup, so that an address
/// of such bytes can replace another. Asterisks are excluded, because they replace passwords.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#@%=+,".contains(&byte)
}

/// Returns the fix that writes the new text of `record` in its `region`, if it has one that fixes
/// results of this kind.
pub(super) fn fix(record: &Record, kind: TopicKind, region: Option<Region>) -> Option<Fix> {
    let region = region.filter(|region| region.end_column.is_some() && region.bytes.is_some())?;
    let (fixed, reason) = match record.faults().next() {
        Some(_) => (TopicKind::Fault, "It lacks escapes"),
        None => (TopicKind::Class, "It has moved for good"),
    };
    let text = String::from_utf8(record.fixed.clone()?).ok()?;
    if kind != fixed || !text.bytes().all(is_plain) {
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
