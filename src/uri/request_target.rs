//! Forms the text that a request sends of a URI: its path and query, as browsers normalise them.
//!
//! Code that judges a link before it is requested (`check::effects`, robots.txt) must judge this
//! text. Of a path with dot segments, the server never sees the segments that they remove.

use super::escape;

/// Returns path and query of HTTP as a request target in origin-form (RFC 9112 §3.2.1): illegal
/// bytes percent-encoded, and dot segments removed as browsers do.
pub(crate) fn origin_form(path: &[u8], query: Option<&[u8]>) -> String {
    let mut encoded = String::with_capacity(path.len());
    Part::Path.encode(path.strip_prefix(b"/").unwrap_or(path), &mut encoded);
    let mut text = without_dots(&encoded);
    if let Some(query) = query {
        text.push('?');
        Part::Query.encode(query, &mut text);
    }
    text
}

/// Returns `path`, which has no slash at its beginning, with one and without segments of dots and
/// those that they remove (WHATWG URL §4.4, path state). A dot may be an escape.
fn without_dots(path: &str) -> String {
    let mut text = String::with_capacity(1 + path.len());
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_short = segment.len() <= "%2e%2e".len();
        let dots =
            if is_short { segment.to_ascii_lowercase().replace("%2e", ".") } else { String::new() };
        if dots == ".." {
            text.truncate(text.rfind('/').unwrap_or_default());
        }
        let is_dots = matches!(&*dots, "." | "..");
        if !is_dots || segments.peek().is_none() {
            text.push('/');
        }
        if !is_dots {
            text.push_str(segment);
        }
    }
    text
}

/// A part of a URI, each with its own bytes that need no escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Path,
    Query,
    #[cfg(feature = "probe")]
    Fragment,
}

impl Part {
    /// Appends `part`, and percent-encodes every byte that neither RFC 3986 §3.3 to §3.5 allow nor
    /// browsers send as it is. Bytes beyond US-ASCII are encoded one by one, which for UTF-8 equals
    /// RFC 3987 §3.1. Existing escapes stay as they are.
    pub(crate) fn encode(self, part: &[u8], text: &mut String) {
        for (idx, &byte) in part.iter().enumerate() {
            let two = part.get(idx + 1..idx + 3);
            let is_escape =
                byte == b'%' && two.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
            if is_escape || self.has(byte) {
                text.push(char::from(byte));
            } else {
                text.extend(escape(byte).map(char::from));
            }
        }
    }

    /// Reports whether `byte` is one of `pchar / "/" / "?"` without escapes, or one that the URL
    /// Standard (§1.3, path and query percent-encode sets) leaves in this part: servers that sign
    /// or compare the request target see what browsers send.
    fn has(self, byte: u8) -> bool {
        let others: &[u8] = match self {
            Self::Path => b"[]|",
            Self::Query => b"[]|\\^`{}",
            #[cfg(feature = "probe")]
            Self::Fragment => b"",
        };
        byte.is_ascii_alphanumeric()
            || b"-._~!$&'()*+,;=:@/?".contains(&byte)
            || others.contains(&byte)
    }
}

#[cfg(test)]
mod tests {
    use super::origin_form;

    #[test]
    fn dot_segments_are_gone_in_every_spelling() {
        for path in ["/p", "/x/../p", "/./p", "/%2e/p", "/%2E%2e/x/.%2E/p", "/x/y/../%2e%2e/p"] {
            assert_eq!(origin_form(path.as_bytes(), Some(b"q=/../")), "/p?q=/../", "{path}");
        }
        assert_eq!(origin_form(b"/x%2f../..%5C", None), "/x%2f../..%5C");
        assert_eq!(origin_form(b"", None), "/");
    }

    #[cfg(feature = "idn")]
    #[test]
    fn the_path_is_the_one_that_browsers_send() {
        const SEGMENTS: [&str; 12] =
            ["", ".", "..", "%2e", "%2E.", ".%2e", "%2e%2E", "...", "%2e%2e%2e", "a", "b.", "%2f"];
        let count = SEGMENTS.len();
        for number in 0..count.pow(4) {
            let segments = [1, count, count * count, count.pow(3)].map(|by| number / by % count);
            let path: String = segments.map(|at| format!("/{}", SEGMENTS[at])).concat();
            let url =
                crate::uri::whatwg::parse(&format!("http://h{path}"), None).unwrap().into_href();
            assert_eq!(origin_form(path.as_bytes(), None), url["http://h".len()..], "{path}");
        }
    }
}
