//! Writes JSON (RFC 8259) that does no harm on a screen and loses no byte.
//!
//! Beyond the escapes of JSON, characters that control a terminal and commands of workflow runners
//! are escaped; a JSON parser returns them unchanged. Text that is not UTF-8 is written twice: as
//! lossy text under its key, and as base64 (RFC 4648 §4) under the key with the suffix `_bytes`.

use std::borrow::Cow;
use std::io::{self, Write};

use data_encoding::BASE64;
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::ser::Formatter;

use super::{Piece, each_of, runner};

/// Appends `record` as one line of JSON with every terminal control escaped.
///
/// A record whose `Serialize` fails, because of a key that is no string, becomes `null`.
pub fn append_line<R: Serialize>(record: &R, out: &mut Vec<u8>) {
    append_value(record, out);
    out.push(b'\n');
}

/// Appends `value` as JSON, or `null` if its `Serialize` fails: writing to memory cannot fail.
pub fn append_value<V: Serialize>(value: &V, out: &mut Vec<u8>) {
    let start = out.len();
    let mut writer = serde_json::Serializer::with_formatter(&mut *out, Harmless);
    if value.serialize(&mut writer).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// A formatter of compact JSON that escapes, as `\u`, characters that affect a terminal, and the
/// first character of a runner's command.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        // DEL and all hostile characters beyond US-ASCII have one of these bytes; the formatter
        // gets no control characters below the space here.
        if !fragment.bytes().fold(false, |seen, byte| seen | (byte >= 0x7f))
            && runner::first_command(fragment.as_bytes()).is_none()
        {
            return writer.write_all(fragment.as_bytes());
        }
        let mut written = Ok(());
        each_of(fragment, &mut |piece| {
            if written.is_ok() {
                written = write_piece(writer, &piece);
            }
        });
        written
    }
}

/// Writes a part of a string. A character beyond U+FFFF becomes two escapes, a surrogate pair (RFC
/// 8259 §7).
fn write_piece<W: ?Sized + Write>(writer: &mut W, piece: &Piece<'_>) -> io::Result<()> {
    match piece {
        Piece::Clean(text) => writer.write_all(text.as_bytes()),
        Piece::Char(char) => {
            let mut units = [0; 2];
            char.encode_utf16(&mut units)
                .iter()
                .try_for_each(|unit| write!(writer, "\\u{unit:04x}"))
        }
        Piece::Byte(byte) => write!(writer, "\\u{byte:04x}"),
    }
}

/// Adds `bytes` as text under `key`, and as base64 under `bytes_key` when they are not UTF-8.
///
/// # Errors
/// The errors of `map`.
pub fn text_entry<M: SerializeMap>(
    map: &mut M,
    key: &'static str,
    bytes_key: &'static str,
    bytes: &[u8],
) -> Result<(), M::Error> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => map.serialize_entry(key, text),
        Cow::Owned(lossy) => {
            map.serialize_entry(key, &lossy)?;
            map.serialize_entry(bytes_key, &BASE64.encode(bytes))
        }
    }
}

/// Appends the first of `keys` and `bytes` as text; then, when they are not UTF-8, the second
/// and the bytes as base64.
///
/// Inlined because the callers know the keys' lengths.
#[inline]
pub fn append_text(keys: [&[u8]; 2], bytes: &[u8], out: &mut Vec<u8>) {
    let [key, bytes_key] = keys;
    out.extend_from_slice(key);
    if needs_no_escape(bytes) {
        append_quoted(bytes, out);
    } else {
        append_escaped(bytes_key, bytes, out);
    }
}

fn append_escaped(bytes_key: &[u8], bytes: &[u8], out: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(bytes);
    append_value(&text, out);
    if let Cow::Owned(_) = text {
        out.extend_from_slice(bytes_key);
        append_value(&BASE64.encode(bytes), out);
    }
}

/// Appends `key` and `text`, or `null`.
#[inline]
pub fn append_optional(key: &[u8], text: Option<&str>, out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    match text {
        Some(text) if needs_no_escape(text.as_bytes()) => append_quoted(text.as_bytes(), out),
        text => append_value(&text, out),
    }
}

/// Appends `key` and `name`, or `null`. A name is a fixed word, a scheme, the number of a part or a
/// date. It is not checked for characters to escape, since none of them contains any.
#[inline]
pub fn append_name(key: &[u8], name: Option<&str>, out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    match name {
        Some(name) => {
            debug_assert!(needs_no_escape(name.as_bytes()), "no name is {name:?}");
            append_quoted(name.as_bytes(), out);
        }
        None => out.extend_from_slice(b"null"),
    }
}

/// Reports whether `text` needs no escape in JSON. A number sign may begin a runner's command.
fn needs_no_escape(text: &[u8]) -> bool {
    is_plain_but::<b'#'>(text)
        || is_plain_but::<b'"'>(text) && runner::first_command(text).is_none()
}

/// Reports whether `text` is printable US-ASCII without `"`, `\` and `MARK`.
///
/// The parts of a URI are shorter than the lanes that long texts are read by; the last
/// lane lies over the one before it, so that few bytes are read one by one.
fn is_plain_but<const MARK: u8>(text: &[u8]) -> bool {
    let is_plain =
        |byte| (0x20..0x7f).contains(&byte) & (byte != b'"') & (byte != b'\\') & (byte != MARK);
    let all_plain = |lane: &[u8]| lane.iter().fold(true, |all, &byte| all & is_plain(byte));
    if let Some(last) = text.last_chunk::<16>() {
        let (lanes, _) = text.as_chunks::<16>();
        return lanes.iter().all(|lane| all_plain(lane)) && all_plain(last);
    }
    match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(first), Some(last)) => all_plain(first) & all_plain(last),
        _ => all_plain(text),
    }
}

fn append_quoted(text: &[u8], out: &mut Vec<u8>) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::{append_line, append_name, append_text};
    use crate::report::escape::is_hostile;

    #[track_caller]
    fn case(text: &str, json: &str) {
        let mut out = Vec::new();
        append_line(&text, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), format!("\"{json}\"\n"));
    }

    #[test]
    fn a_name_is_quoted_or_null() {
        let mut out = Vec::new();
        append_name(b"\"a\":", Some("b.1"), &mut out);
        append_name(b",\"c\":", None, &mut out);
        assert_eq!(out, br#""a":"b.1","c":null"#);
    }

    #[test]
    fn what_hides_is_escaped_also_beyond_the_first_plane() {
        case("a\u{ad}b\u{200b}", r"a\u00adb\u200b");
        case("x\u{e0001}\u{e007f}y", r"x\udb40\udc01\udb40\udc7fy");
        case("caf\u{e9} \u{1f600}", "caf\u{e9} \u{1f600}");
    }

    #[test]
    fn no_string_holds_a_command_of_a_runner() {
        case("http://h/##[error]a", r"http://h/\u0023#[error]a");
        case("\u{e9}###vso[a]\u{ad}##[b", "\u{e9}#\\u0023#vso[a]\\u00ad\\u0023#[b");
        case("a##b [c] ##", "a##b [c] ##");
        let mut out = Vec::new();
        append_text([b"\"a\":", b""], b"http://h/#b", &mut out);
        append_text([b",\"a\":", b""], b"http://h/##TeamCity[b", &mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, r#""a":"http://h/#b","a":"http://h/\u0023#TeamCity[b""#);
    }

    #[test]
    fn every_character_comes_back_unchanged_and_none_is_hostile() {
        for char in '\0'..=char::MAX {
            let mut out = Vec::new();
            append_line(&char, &mut out);
            let text = String::from_utf8(out).unwrap();
            let is_shown = !text.trim_end_matches('\n').chars().any(is_hostile);
            let back: char = serde_json::from_str(&text).unwrap();
            assert!(is_shown && back == char, "U+{:04X}: {text}", u32::from(char));
        }
    }
}
