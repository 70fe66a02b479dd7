//! Splits a text into components that can be replaced, and composes them to a text again.
//!
//! Components come from `split`; an absent one stays absent (RFC 3986 §5.3).

use std::borrow::Cow;

use crate::grammar::split;

/// The components of RFC 3986 §3 with their text.
#[derive(Default)]
pub(super) struct Parts<'t> {
    pub(super) scheme: Option<Cow<'t, [u8]>>,
    pub(super) userinfo: Option<Cow<'t, [u8]>>,
    /// Present exactly if there is an authority.
    pub(super) host: Option<Cow<'t, [u8]>>,
    pub(super) port: Option<Cow<'t, [u8]>>,
    pub(super) path: Cow<'t, [u8]>,
    pub(super) query: Option<Cow<'t, [u8]>>,
    pub(super) fragment: Option<Cow<'t, [u8]>>,
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t [u8]) -> Self {
        let uri = split(text);
        let part = |span: Option<crate::span::Span>| span.map(|span| Cow::Borrowed(span.of(text)));
        Parts {
            scheme: part(uri.scheme),
            userinfo: part(uri.userinfo),
            host: part(uri.host),
            port: part(uri.port),
            path: Cow::Borrowed(uri.path.of(text)),
            query: part(uri.query),
            fragment: part(uri.fragment),
        }
    }

    /// Composes the components to a text (RFC 3986 §5.3).
    pub(super) fn compose(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut append = |before: &[u8], part: &Option<Cow<'_, [u8]>>, after: &[u8]| {
            if let Some(part) = part {
                out.extend_from_slice(before);
                out.extend_from_slice(part);
                out.extend_from_slice(after);
            }
        };
        append(b"", &self.scheme, b":");
        let slashes = self.host.as_ref().map(|_| Cow::Borrowed(&b"//"[..]));
        append(b"", &slashes, b"");
        append(b"", &self.userinfo, b"@");
        append(b"", &self.host, b"");
        append(b":", &self.port, b"");
        append(b"", &Some(Cow::Borrowed(&self.path)), b"");
        append(b"?", &self.query, b"");
        append(b"#", &self.fragment, b"");
        out
    }

    /// Reports whether the scheme is `name`; the scheme must already be in lower case.
    pub(super) fn is_of(&self, name: &[u8]) -> bool {
        self.scheme.as_deref() == Some(name)
    }
}

/// Returns `text` in lower case, within US-ASCII; escapes keep their digits.
pub(super) fn lower(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !text.iter().any(u8::is_ascii_uppercase) {
        return text;
    }
    let mut text = text.into_owned();
    let mut idx = 0;
    while let Some(byte) = text.get_mut(idx) {
        // The two digits after a percent sign are unchanged.
        idx += if *byte == b'%' { 3 } else { 1 };
        byte.make_ascii_lowercase();
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::{Parts, lower};

    #[test]
    fn parts_add_up_to_the_text() {
        let texts =
            ["", "a", "//h", "x://u:p@h:8/a?b#c", "x://@h:?#", "x:?", "//[::1]:0#", "x:a:b"];
        for text in texts {
            assert_eq!(Parts::of(text.as_bytes()).compose(), text.as_bytes(), "{text}");
        }
    }

    #[test]
    fn lower_case_spares_the_digits_of_escapes() {
        assert_eq!(*lower(b"A%2FB%aAa%"[..].into()), b"a%2Fb%aAa%"[..]);
        assert_eq!(*lower(b"a%2Fb"[..].into()), b"a%2Fb"[..]);
    }
}
