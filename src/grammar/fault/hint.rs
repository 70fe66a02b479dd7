//! What may help whoever wrote the text, beyond the rule that it breaks.

use super::super::documents::Era;
use super::Asked;

/// A line that says more than the message, where there is more to say.
pub(super) fn hint(asked: &Asked<'_>, id: &str, at: usize) -> Option<Box<str>> {
    let found = asked.text.get(at).copied();
    match (id, found) {
        ("pct-encoded", _) => Some("a percent sign itself is written %25".into()),
        ("control", Some(byte)) => Some(escape(byte)),
        ("non-ascii", _) => Some(non_ascii(asked, at)),
        ("national-character", Some(b'~')) => {
            Some("\"~\" is national here, and unreserved since RFC 2396".into())
        }
        ("national-character", Some(b'[' | b']')) => {
            Some("brackets may stand around an IPv6 address since RFC 2732, nowhere else".into())
        }
        ("unsafe-character", Some(b'#')) => {
            Some("a fragment is no part of a URL in RFC 1738: it stands beside it".into())
        }
        ("reserved-character", Some(b'=' | b'`')) if asked.era == Era::Draft => {
            Some("no rule of the draft has it; RFC 1738 takes \"=\" in a path and a search".into())
        }
        ("reserved-character", Some(b'=')) => {
            Some("RFC 1738 takes it in a path and a search".into())
        }
        ("host", Some(b'_')) => Some("an underscore may stand in a host since RFC 2396".into()),
        ("host", Some(b'@')) if asked.era != Era::Generic => {
            Some("this scheme has no user information here".into())
        }
        ("path" | "query" | "fragment" | "host", Some(byte)) if is_never_taken(byte) => {
            Some(escape(byte))
        }
        ("authority", None) => Some("the text ends too early".into()),
        _ => None,
    }
}

/// Characters of US-ASCII that stand nowhere in a URI for themselves, but for an IP literal.
fn is_never_taken(byte: u8) -> bool {
    b"\"<>[]\\^`{|}#".contains(&byte)
}

fn escape(byte: u8) -> Box<str> {
    format!("write it as %{byte:02X}").into()
}

/// The escapes of the character at `at` in UTF-8 (RFC 3987 §3.1).
fn non_ascii(asked: &Asked<'_>, at: usize) -> Box<str> {
    let rest = asked.text.get(at..).unwrap_or_default();
    let first = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    let mut buffer = [0; 4];
    let bytes = first.map(|first| first.encode_utf8(&mut buffer).bytes());
    let escapes: String = bytes.into_iter().flatten().map(|byte| format!("%{byte:02X}")).collect();
    format!("write it as {escapes}, or hold it to rfc3987").into()
}
