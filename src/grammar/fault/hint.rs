//! Hints for the author of the text, beyond the rule that it breaks.

use super::super::documents::Era;
use super::Asked;
use crate::finding::ByteSet;

/// Returns a line that adds to the message, if there is more to say.
pub(super) fn hint(asked: &Asked<'_>, id: &str, at: usize, expected: &ByteSet) -> Option<Box<str>> {
    let found = asked.text.get(at).copied();
    let escapable = expected.has(b'%');
    if matches!(id, "scheme" | "path" | "unsafe-character" | "non-ascii")
        && let Some(hint) = before_scheme(asked.text, at)
    {
        return Some(hint);
    }
    match (id, found) {
        ("pct-encoded", _) => Some("a percent sign itself is written %25".into()),
        ("control", Some(byte)) if escapable => Some(escape(byte)),
        ("non-ascii", _) => non_ascii(asked, at, expected),
        ("national-character", Some(b'~')) => {
            Some("\"~\" is national here, and unreserved since RFC 2396".into())
        }
        ("national-character", Some(b'[' | b']')) => {
            Some("since RFC 2732, brackets may enclose an IPv6 address, and nothing else".into())
        }
        ("unsafe-character", Some(b'#')) => {
            Some("in RFC 1738, a fragment follows a URL and is no part of it".into())
        }
        ("reserved-character", Some(b'=')) if asked.era == Era::Draft => {
            Some("no rule of the draft has it; RFC 1738 takes \"=\" in a path and a search".into())
        }
        ("reserved-character", Some(b'=')) if asked.era == Era::Rfc1630 => {
            Some("RFC 1738 takes it in a path and a search".into())
        }
        ("host", Some(b'_')) => Some("a host may contain an underscore since RFC 3986".into()),
        ("ip-literal", Some(b'%')) if asked.era == Era::Generic => {
            Some("a zone identifier is RFC 6874's, and not in this grammar".into())
        }
        // After a possible scheme, a reference cannot have a colon.
        ("path", Some(b':')) if asked.era == Era::Generic && !has_delimiter(asked, at) => {
            Some("write ./ before a first segment that holds a colon (RFC 3986 §4.2)".into())
        }
        ("ip-literal", _) if asked.era != Era::Generic => {
            Some("a host may be an IPv6 address in brackets since RFC 2732".into())
        }
        // In RFC 1630 a user and a password have no escapes.
        ("userinfo", Some(b'@')) if asked.era != Era::Rfc1630 && has_before(asked, at, b'@') => {
            Some("an \"@\" in a user or a password is written %40".into())
        }
        // The first `#` begins a fragment, which its escape would not.
        ("fragment", Some(b'#')) if !has_before(asked, at, b'#') => None,
        ("path" | "query" | "fragment" | "host", Some(byte))
            if escapable && is_never_taken(byte) =>
        {
            Some(escape(byte))
        }
        ("authority", None) => Some("the text ends too early".into()),
        _ => None,
    }
}

/// Returns a line about characters, such as quotation marks of a word processor, that precede the
/// scheme of a URL in `text`, if the fault at `at` is before the end of the scheme.
fn before_scheme(text: &[u8], at: usize) -> Option<Box<str>> {
    const SCHEMES: [&str; 4] = ["https", "http", "ftp", "mailto"];
    let colon = memchr::memchr(b':', text).filter(|colon| at <= *colon)?;
    let before = std::str::from_utf8(text.get(..colon)?).ok()?;
    let (strange, name) = SCHEMES.iter().find_map(|name| {
        let strange = before.strip_suffix(name).filter(|strange| !strange.is_empty())?;
        Some((strange, name))
    })?;
    let is_word = |char: char| char.is_ascii_alphabetic() || char == '+' || char == '-';
    let first = strange.chars().next().filter(|_| !strange.contains(is_word))?;
    if first == '"' {
        return Some(format!("a quotation mark precedes {name}:").into());
    }
    let is_seen = first.is_ascii_graphic() || !first.is_ascii() && is_mark(first);
    let shown =
        if is_seen { format!("\"{first}\"") } else { format!("U+{:04X}", u32::from(first)) };
    Some(format!("{shown} precedes {name}:").into())
}

/// Reports whether `char` is a letter, a digit or a quotation mark that can be printed as it is.
fn is_mark(char: char) -> bool {
    char.is_alphanumeric()
        || matches!(char, '\u{AB}' | '\u{BB}' | '\u{2018}'..='\u{201F}' | '\u{2039}' | '\u{203A}')
}

/// Reports whether no URI holds `byte` unescaped, except in an IP literal.
fn is_never_taken(byte: u8) -> bool {
    b"\"<>[]\\^`{|}#".contains(&byte)
}

/// Reports whether `byte` also occurs before `at`.
fn has_before(asked: &Asked<'_>, at: usize, byte: u8) -> bool {
    asked.text.get(..at).is_some_and(|before| before.contains(&byte))
}

/// Reports whether a delimiter of a scheme or a segment occurs before `at`.
fn has_delimiter(asked: &Asked<'_>, at: usize) -> bool {
    has_before(asked, at, b':') || has_before(asked, at, b'/')
}

fn escape(byte: u8) -> Box<str> {
    format!("write it as %{byte:02X}").into()
}

/// Returns the UTF-8 escapes of the character at `at` (RFC 3987 §3.1), if escapes are allowed
/// there; and a grammar with such characters, if this one has none.
fn non_ascii(asked: &Asked<'_>, at: usize, expected: &ByteSet) -> Option<Box<str>> {
    let rest = asked.text.get(at..).unwrap_or_default();
    let first = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    let mut buffer = [0; 4];
    let bytes = first.map(|first| first.encode_utf8(&mut buffer).bytes());
    let escapes: String = bytes.into_iter().flatten().map(|byte| format!("%{byte:02X}")).collect();
    match (expected.has(b'%'), asked.table.takes_non_ascii()) {
        (true, false) => Some(format!("write it as {escapes}, or hold it to rfc3987").into()),
        (true, true) => Some(format!("write it as {escapes}").into()),
        (false, false) => Some("hold it to rfc3987, which has characters beyond US-ASCII".into()),
        (false, true) => None,
    }
}
