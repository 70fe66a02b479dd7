//! Encodes the places of findings and notes.

use data_encoding::BASE64;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::finding::{Origin, Place, Twin};
use crate::report::json::{append_name, append_text, append_value, text_entry};
use crate::report::number::append_number;
use crate::span::Position;
use crate::uri::Guarded;

pub(super) fn append_place(place: &Place<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(place.origin.memo.record.or(|| holder(place.origin)));
    out.extend_from_slice(br#","offset":"#);
    append_number(place.offset, out);
    let numbers: [(&[u8], u64); 3] = [
        (br#","len":"#, place.len),
        (br#","line":"#, place.line),
        (br#","column":"#, place.column),
    ];
    for (key, number) in numbers {
        out.extend_from_slice(key);
        append_number(number, out);
    }
    // Absent if all text before it on the line is US-ASCII.
    if place.column_bytes != place.column {
        out.extend_from_slice(br#","column_bytes":"#);
        append_number(place.column_bytes, out);
    }
    out.extend_from_slice(br#","file_offset":"#);
    match place.file_offset {
        Some(of_file) => append_number(of_file, out),
        None => out.extend_from_slice(b"null"),
    }
    // Absent if the text was not decoded.
    if let Some(Position { line, column, .. }) = place.decoded {
        out.extend_from_slice(br#","decoded":{"line":"#);
        append_number(line, out);
        out.extend_from_slice(br#","column":"#);
        append_number(column, out);
        out.push(b'}');
    }
    out.push(b'}');
}

/// Returns the beginning of a place, which is the same for all findings in one text.
fn holder(origin: &Origin) -> Box<[u8]> {
    let Origin { path, members, date, .. } = origin;
    let path = Guarded::new(path.as_os_str().as_encoded_bytes());
    let mut out = Vec::new();
    append_text([br#","place":{"path":"#, br#","path_bytes":"#], &path.shown(), &mut out);
    if members.is_empty() {
        out.extend_from_slice(br#","members":[]"#);
    } else {
        out.extend_from_slice(br#","members":"#);
        append_value(&LossyMembers(members), &mut out);
        if needs_bytes(members) {
            out.extend_from_slice(br#","members_bytes":"#);
            append_value(&Base64Members(members), &mut out);
        }
    }
    // Absent if no archive records it.
    if let Some(date) = date {
        append_name(br#","date":"#, Some(&date.to_string()), &mut out);
    }
    out.into()
}

/// Appends the further occurrences of a link, if there are any.
pub(super) fn append_twins(twins: &[Twin<'_>], out: &mut Vec<u8>) {
    let mut before: &[u8] = br#","twins":["#;
    for twin in twins {
        out.extend_from_slice(before);
        append_name(br#"{"part":"#, twin.part, out);
        append_place(&twin.place, out);
        out.push(b'}');
        before = b",";
    }
    if !twins.is_empty() {
        out.push(b']');
    }
}

/// Adds path and members of `origin`; `members_bytes` replaces all of them if one is not UTF-8.
pub(super) fn origin_entries<M: SerializeMap>(
    map: &mut M,
    origin: &Origin,
) -> Result<(), M::Error> {
    let path = Guarded::new(origin.path.as_os_str().as_encoded_bytes());
    text_entry(map, "path", "path_bytes", &path.shown())?;
    map.serialize_entry("members", &LossyMembers(&origin.members))?;
    if needs_bytes(&origin.members) {
        map.serialize_entry("members_bytes", &Base64Members(&origin.members))?;
    }
    Ok(())
}

fn needs_bytes(members: &[Vec<u8>]) -> bool {
    members.iter().any(|member| std::str::from_utf8(member).is_err())
}

/// The names of members as text.
struct LossyMembers<'a>(&'a [Vec<u8>]);

impl Serialize for LossyMembers<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let shown =
            |member: &Vec<u8>| String::from_utf8_lossy(&Guarded::new(member).shown()).into_owned();
        to.collect_seq(self.0.iter().map(shown))
    }
}

/// The names of members as base64.
struct Base64Members<'a>(&'a [Vec<u8>]);

impl Serialize for Base64Members<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let shown = |member: &Vec<u8>| BASE64.encode(&Guarded::new(member).shown());
        to.collect_seq(self.0.iter().map(shown))
    }
}
