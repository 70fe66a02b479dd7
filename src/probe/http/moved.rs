//! Resolves the target of a redirect, `Location` (RFC 9110 §10.2.2), as browsers do.

use hyper::HeaderMap;
use hyper::header::LOCATION;

use super::target::Part;
use crate::scheme::is_http;
use crate::uri::whatwg;

/// The result of reading `Location`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Moved {
    /// The field is missing.
    Nowhere,
    /// The target: an absolute URI of `http` or `https`, as browsers request it.
    To(Vec<u8>),
    /// The target's scheme, which is not followed.
    Scheme(String),
    /// The field is no reference.
    Broken,
    /// The field occurs with different values.
    Several,
}

/// Resolves the `Location` of `fields` against `base`, the requested URI.
pub(super) fn moved(fields: &HeaderMap, base: &str) -> Moved {
    let mut values = fields.get_all(LOCATION).iter();
    let Some(value) = values.next() else { return Moved::Nowhere };
    if values.any(|other| other != value) {
        return Moved::Several;
    }
    resolved(value.as_bytes(), base)
}

/// Resolves `value`, a reference in a field, against `base`, the requested URI.
pub(super) fn resolved(value: &[u8], base: &str) -> Moved {
    let Ok(base) = whatwg::parse(base, None) else { return Moved::Broken };
    let reference = reference(value);
    let Ok(url) = whatwg::parse(&reference, Some(&base)) else { return Moved::Broken };
    if !is_http(url.scheme().as_bytes()) {
        return Moved::Scheme(url.scheme().to_owned());
    }
    let mut to = url.before_path().to_owned();
    Part::Path.encode(url.path().as_bytes(), &mut to);
    for (mark, part, text) in
        [('?', Part::Query, url.query()), ('#', Part::Fragment, url.fragment())]
    {
        if let Some(text) = text {
            to.push(mark);
            part.encode(text.as_bytes(), &mut to);
        }
    }
    Moved::To(to.into_bytes())
}

/// Returns `value` in US-ASCII. Other bytes are not allowed in a reference, but servers send them,
/// mostly as UTF-8; percent-encoding preserves them in any charset.
fn reference(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len());
    for &byte in value {
        if byte.is_ascii() {
            text.push(char::from(byte));
        } else {
            Part::Fragment.encode(&[byte], &mut text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;
    use hyper::header::{HeaderValue, LOCATION};

    use super::{Moved, moved};

    const BASE: &str = "http://h/a/b?c";

    fn read(values: &[&[u8]]) -> Moved {
        let mut fields = HeaderMap::new();
        for value in values {
            fields.extend(HeaderValue::from_bytes(value).ok().map(|value| (LOCATION, value)));
        }
        moved(&fields, BASE)
    }

    #[track_caller]
    fn to(value: &[u8], expected: &str) {
        assert_eq!(read(&[value]), Moved::To(expected.as_bytes().to_vec()));
    }

    #[test]
    fn references_are_resolved_and_legal() {
        to(b"http://g/x", "http://g/x");
        to(b"HTTPS://G:443/x", "https://g/x");
        to(b"/x", "http://h/x");
        to(b"x", "http://h/a/x");
        to(b"../x", "http://h/x");
        to(b"../../../x", "http://h/x");
        to(b"//g", "http://g/");
        to(b"?x", "http://h/a/b?x");
        to(b"#x", "http://h/a/b?c#x");
        to(b"", "http://h/a/b?c");
        to(b"  /x\t", "http://h/x");
        to(b"\\\\g\\x", "http://g/x");
    }

    #[test]
    fn odd_bytes_are_escaped_as_browsers_do() {
        to(b"/a b", "http://h/a%20b");
        to(b"/a|b^c`d{e}[f]", "http://h/a|b%5Ec%60d%7Be%7D[f]");
        to(b"/x?a[]=1|2^`{}\\'\"<", "http://h/x?a[]=1|2^`{}\\%27%22%3C");
        to(b"#[a]|b", "http://h/a/b?c#%5Ba%5D%7Cb");
        to(b"/%zz?%", "http://h/%25zz?%25");
        to(b"/%0d%0aX:y", "http://h/%0d%0aX:y");
        to("/\u{E9}?\u{202E}#\u{E9}".as_bytes(), "http://h/%C3%A9?%E2%80%AE#%C3%A9");
        to(b"/\xE9", "http://h/%E9");
        to("http://b\u{FC}cher.example/".as_bytes(), "http://xn--bcher-kva.example/");
    }

    #[test]
    fn what_is_not_followed_is_told() {
        for scheme in ["javascript", "data", "file", "ftp", "gopher", "mailto", "x"] {
            let value = format!("{scheme}:x");
            assert_eq!(read(&[value.as_bytes()]), Moved::Scheme(scheme.to_owned()));
        }
        assert_eq!(read(&[]), Moved::Nowhere);
        for value in [&b"http://"[..], b"http://h:99999/", b"http://a b/", b"//[::1"] {
            assert_eq!(read(&[value]), Moved::Broken, "{value:?}");
        }
        assert_eq!(read(&[b"/x", b"/y"]), Moved::Several);
        assert_eq!(read(&[b"/x", b"/x"]), Moved::To(b"http://h/x".to_vec()));
    }
}
