//! Encodes the places of notes.

use data_encoding::BASE64;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::finding::Origin;
use crate::report::escape::json::text_entry;
use crate::uri::Redacted;

/// Adds path and members of `origin`; `members_bytes` replaces all of them if one is not UTF-8.
pub(super) fn origin_entries<M: SerializeMap>(
    map: &mut M,
    origin: &Origin,
) -> Result<(), M::Error> {
    let path = Redacted::new(origin.path.as_os_str().as_encoded_bytes());
    text_entry(map, "path", "path_bytes", &path.shown())?;
    map.serialize_entry("members", &LossyMembers(&origin.members))?;
    if origin.members.iter().any(|member| std::str::from_utf8(member).is_err()) {
        map.serialize_entry("members_bytes", &Base64Members(&origin.members))?;
    }
    Ok(())
}

/// The names of members as text.
struct LossyMembers<'a>(&'a [Vec<u8>]);

impl Serialize for LossyMembers<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let shown =
            |member: &Vec<u8>| String::from_utf8_lossy(&Redacted::new(member).shown()).into_owned();
        to.collect_seq(self.0.iter().map(shown))
    }
}

/// The names of members as base64.
struct Base64Members<'a>(&'a [Vec<u8>]);

impl Serialize for Base64Members<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let shown = |member: &Vec<u8>| BASE64.encode(&Redacted::new(member).shown());
        to.collect_seq(self.0.iter().map(shown))
    }
}
