//! Hides the secrets in a line of a saved run, which another program may have written.
//!
//! All strings of the line are treated like texts of fresh findings, whatever their keys are: the
//! formats that copy a line copy its unknown keys, too. Base64 under `*_bytes` is decoded first. A
//! line without anything to hide, such as those that this program writes, is returned as it is.
//!
//! Not known: a fault's message that quotes a single character of a password.

use std::borrow::Cow;
use std::fmt;

use data_encoding::BASE64;
use memchr::memmem;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use crate::report::escape::json::append_value;
use crate::uri::Redacted;

/// The end of the keys whose values are bytes in base64.
const BYTES: &[u8] = b"_bytes";

/// The mark of a hidden part. The program that wrote it has hidden tokens of gateways, too.
const HIDDEN: &[u8] = b"***";

/// Returns `line` with the secrets in its strings hidden.
pub(super) fn redacted(line: &[u8]) -> Cow<'_, [u8]> {
    let secret = Secret::of(line);
    let mut out = Vec::new();
    let mut from = 0;
    for string in Strings::of(line) {
        let Some(shown) = string.redacted(secret.as_ref()) else { continue };
        out.extend_from_slice(line.get(from..string.start).unwrap_or_default());
        append_value(&shown, &mut out);
        from = string.end;
    }
    if from == 0 {
        return Cow::Borrowed(line);
    }
    out.extend_from_slice(line.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// A URI of the line with a secret that is not hidden yet.
struct Secret {
    uri: Vec<u8>,
    shown: Vec<u8>,
}

impl Secret {
    fn of(line: &[u8]) -> Option<Self> {
        let mut uris = Strings::of(line).filter(|string| *string.key == *b"uri");
        uris.find_map(|string| {
            let uri = decoded(string.literal);
            let shown = wrapped(&uri).shown().into_owned();
            (shown != *uri).then(|| Self { uri: uri.into_owned(), shown })
        })
    }

    /// Returns `text` with the URI replaced by its shown form: what precedes it in a message may
    /// hide that it has a password.
    fn replaced_in<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let mut out = Vec::new();
        let mut from = 0;
        for at in memmem::find_iter(text, &self.uri) {
            out.extend_from_slice(text.get(from..at).unwrap_or_default());
            out.extend_from_slice(&self.shown);
            from = at + self.uri.len();
        }
        if from == 0 {
            return Cow::Borrowed(text);
        }
        out.extend_from_slice(text.get(from..).unwrap_or_default());
        Cow::Owned(out)
    }
}

/// The role of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Key,
    Value,
}

/// A string of a line, with its quote marks.
struct JsonString<'l> {
    start: usize,
    end: usize,
    literal: &'l [u8],
    role: Role,
    /// The key that it is the value of, or in an array that is; of a key, itself.
    key: Cow<'l, [u8]>,
}

impl JsonString<'_> {
    /// Returns the string as it may be shown; `None` if that is the same.
    fn redacted(&self, secret: Option<&Secret>) -> Option<String> {
        let text = decoded(self.literal);
        if self.key.ends_with(BYTES)
            && let Ok(bytes) = BASE64.decode(&text)
        {
            return Some(BASE64.encode(&self.shown(&bytes, secret)?));
        }
        Some(String::from_utf8_lossy(&self.shown(&text, secret)?).into_owned())
    }

    /// Returns `text`, the decoded string, as it may be shown; `None` if that is the same.
    fn shown(&self, text: &[u8], secret: Option<&Secret>) -> Option<Vec<u8>> {
        let replaced = secret.map_or(Cow::Borrowed(text), |secret| secret.replaced_in(text));
        let redacted = match (self.role, &*self.key, secret) {
            (Role::Value, b"id" | b"id_bytes" | b"list_id" | b"list_id_bytes", _) => {
                Redacted::unfinished(&replaced)
            }
            (Role::Value, b"raw" | b"raw_bytes", Some(secret)) => {
                Redacted::source_of(&secret.uri, text)
            }
            _ => wrapped(&replaced),
        };
        let shown = redacted.shown();
        (*shown != *text).then(|| shown.into_owned())
    }
}

/// Decodes the string `literal`. It may hold half of a surrogate pair, which no text has (RFC 8259
/// §8.2).
fn decoded(literal: &[u8]) -> Cow<'_, [u8]> {
    let last = literal.len().saturating_sub(1);
    let inside = literal.get(1..last).unwrap_or_default();
    if memchr::memchr(b'\\', inside).is_none() {
        return Cow::Borrowed(inside);
    }
    let decoded = serde_json::from_slice(literal);
    decoded.map_or(Cow::Borrowed(inside), |Decoded(bytes)| Cow::Owned(bytes))
}

/// Wraps `text`. A wrapper whose tokens are hidden already cannot be unwrapped any more, and would
/// be hidden as a whole.
fn wrapped(text: &[u8]) -> Redacted<'_> {
    let redacted = Redacted::new(text);
    match memmem::find(text, HIDDEN) {
        Some(_) => redacted.without_tokens(),
        None => redacted,
    }
}

/// The bytes of a string.
struct Decoded(Vec<u8>);

impl<'de> Deserialize<'de> for Decoded {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Decoded;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Decoded, E> {
                Ok(Decoded(bytes.to_vec()))
            }
        }

        from.deserialize_bytes(Bytes)
    }
}

/// The strings of a line, in order, up to one that does not end.
struct Strings<'l> {
    line: &'l [u8],
    at: usize,
    key: Cow<'l, [u8]>,
}

impl<'l> Strings<'l> {
    const fn of(line: &'l [u8]) -> Self {
        Self { line, at: 0, key: Cow::Borrowed(b"") }
    }
}

impl<'l> Iterator for Strings<'l> {
    type Item = JsonString<'l>;

    fn next(&mut self) -> Option<JsonString<'l>> {
        let start = self.at + memchr::memchr(b'"', self.line.get(self.at..)?)?;
        let end = string_end(self.line, start)?;
        self.at = end;
        let literal = self.line.get(start..end)?;
        let role = match self.line.get(end..)?.trim_ascii_start().first() {
            Some(b':') => Role::Key,
            _ => Role::Value,
        };
        if role == Role::Key {
            self.key = decoded(literal);
        }
        Some(JsonString { start, end, literal, role, key: self.key.clone() })
    }
}

/// Returns the offset after the quote mark that ends the string at `start` (RFC 8259 §7).
fn string_end(line: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', line.get(at..)?)?;
        match line.get(at)? {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::redacted;

    #[track_caller]
    fn case(line: &str, expected: &str) {
        let found = redacted(line.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), expected, "{line}");
        assert_eq!(redacted(&found), found, "what is hidden once stays as it is");
    }

    #[test]
    fn each_string_is_shown_like_a_fresh_one() {
        case(r#"{"uri":"ftp://u:pw@h/"}"#, r#"{"uri":"ftp://u:***@h/"}"#);
        case(r#"{ "uri" : "ftp:\/\/u:p\"w@h/" }"#, r#"{ "uri" : "ftp://u:***@h/" }"#);
        case(r#"{"later":{"ftp://u:pw@h/":1}}"#, r#"{"later":{"ftp://u:***@h/":1}}"#);
        case(r#"{"u":["a","//u:\u0070w@h/"]}"#, r#"{"u":["a","//u:***@h/"]}"#);
        // Half of a surrogate pair.
        case(
            r#"{"later":"ftp:\/\/u:pw@h/\ud800"}"#,
            "{\"later\":\"ftp://u:***@h/\u{fffd}\u{fffd}\u{fffd}\"}",
        );
        // A message-ID may be cut within a password.
        case(r#"{"id":"<ftp://u:pw"}"#, r#"{"id":"<ftp://u:***"}"#);
    }

    #[test]
    fn bytes_are_shown_like_text() {
        // ftp://u:pw@h/ and ftp://u:***@h/, each with a byte FF.
        case(r#"{"uri_bytes":"ZnRwOi8vdTpwd0BoL/8="}"#, r#"{"uri_bytes":"ZnRwOi8vdToqKipAaC//"}"#);
        case(r#"{"a_bytes":"ftp://u:pw@h/"}"#, r#"{"a_bytes":"ftp://u:***@h/"}"#);
    }

    #[test]
    fn a_password_that_the_source_breaks_is_not_cut_out() {
        let raw = r#"{"raw":"ftp://u:p>\n> w@h/x y","uri":"ftp://u:pw@h/x"}"#;
        case(raw, r#"{"raw":"ftp://u:***@h/x","uri":"ftp://u:***@h/x"}"#);
        // The URI of a wrapped link is its target, and says nothing of the source.
        let other = r#"{"uri":"ftp://u:***@h/x","raw":"a>\n> b"}"#;
        case(other, other);
    }

    #[test]
    fn the_link_in_a_wrapper_stays_when_its_tokens_are_hidden() {
        let shown = r#"{"raw":"https://urldefense.com/v3/__https://h.example/__;***"}"#;
        case(
            r#"{"raw":"https://urldefense.com/v3/__https://h.example/__;!!AbCdEf!GhIjKl$"}"#,
            shown,
        );
        case(shown, shown);
        let unknown = shown.replace("raw", "uri").replace("example/", "example/a*b");
        case(&unknown, &unknown);
        let other = r#"{"raw":"https://urldefense.com/v3/__ftp://u:pw@h.example/__;***"}"#;
        case(other, r#"{"raw":"https://urldefense.com/v3/__ftp://u:***@h.example/__;***"}"#);
    }

    #[test]
    fn a_message_that_quotes_the_uri_is_shown_like_it() {
        // By itself, a path may precede the slashes.
        let quoted = r#"{"message":"no //u:p/w@h/","uri":"//u:p/w@h/"}"#;
        case(quoted, r#"{"message":"no //u:***@h/","uri":"//u:***@h/"}"#);
    }

    #[test]
    fn a_key_with_escapes_is_the_key_that_it_stands_for() {
        let quoted = r#"{"message":"no //u:p/w@h/","\u0075ri":"//u:p/w@h/"}"#;
        case(quoted, r#"{"message":"no //u:***@h/","\u0075ri":"//u:***@h/"}"#);
        let raw = r#"{"r\u0061w":"ftp://u:p>\n> w@h/x y","uri":"ftp://u:pw@h/x"}"#;
        case(raw, r#"{"r\u0061w":"ftp://u:***@h/x","uri":"ftp://u:***@h/x"}"#);
        let bytes = r#"{"uri\u005fbytes":"ZnRwOi8vdTpwd0BoL/8="}"#;
        case(bytes, r#"{"uri\u005fbytes":"ZnRwOi8vdToqKipAaC//"}"#);
    }

    #[test]
    fn a_line_without_secrets_is_not_copied() {
        for line in [
            r#"{"uri":"http://h/a?b=%20","id":"<a@b>","n":1}"#,
            r#"{"uri":"ftp://u:***@h/"}"#,
            r#"{"cut":"ftp://u:pw@h/"#,
            r#"{"cut\"#,
            "",
        ] {
            assert!(matches!(redacted(line.as_bytes()), Cow::Borrowed(_)), "{line}");
        }
    }
}
