//! Recognises text of minified scripts that looks like a URI: a property of an object,
//! `{cid:e.uid,row:e}`, whose name is that of a scheme. It is no link, and is not reported.
//!
//! Not known: properties with a blank or a quote before their names, and keys of other languages.

use crate::scan::{Candidate, Wrap};
use crate::scheme::{Class, Shape};

/// Bytes before a property that are searched for the bracket of its object. Lists of properties may
/// be longer, but links that look like one are not worth the search.
const BACK_MAX: usize = 1024;

/// Reports whether `candidate`, found in `text`, is a property of an object, or a `cid:` without an
/// address: outside of mail, `cid:name` is no link.
///
/// A text with an `@` or an international telephone number is an address, as in the
/// `{mailto:a@h.example}` of a wiki.
pub(super) fn is_property(candidate: &Candidate<'_>, text: &[u8]) -> bool {
    let Candidate { wrap, span, text: uri, scheme, scheme_len, .. } = *candidate;
    let Some(scheme) = scheme.filter(|_| wrap == Wrap::Bare) else { return false };
    let rest = uri.get(scheme_len + 1..).unwrap_or_default();
    if memchr::memchr(b'@', rest).is_some() || rest.starts_with(b"//") || rest.starts_with(b"+") {
        return false;
    }
    let before = text.get(..span.start).unwrap_or_default();
    scheme.name == "cid" && !rest.windows(3).any(|part| part == b"%40")
        || may_be_expression(scheme.class) && is_in_object(before)
}

/// Reports whether the text after a scheme may be an expression: names with dots, or numbers.
const fn may_be_expression(class: Class) -> bool {
    use Shape::{Data, Dotted, Geo, Info, News, Nntp, Number};
    matches!(class, Class::Opaque(Data | Dotted | Geo | Info | News | Nntp | Number))
}

/// Reports whether `before` ends where an object begins, or after a comma in one.
fn is_in_object(before: &[u8]) -> bool {
    match before.split_last() {
        Some((b'{', before)) => !ends_in_command(before),
        Some((b',', before)) => {
            opening(before).is_some_and(|at| before.get(at + 1..).is_some_and(begins_property))
        }
        _ => false,
    }
}

/// Reports whether `text` ends in a command of TeX, whose argument a bracket begins: `\url{sip:h}`.
fn ends_in_command(text: &[u8]) -> bool {
    let word = text.iter().rev().take(BACK_MAX).take_while(|byte| byte.is_ascii_alphabetic());
    text.len().checked_sub(word.count() + 1).and_then(|at| text.get(at)) == Some(&b'\\')
}

/// Returns the offset of the bracket that is open at the end of `text`, if near.
fn opening(text: &[u8]) -> Option<usize> {
    let mut closed = 0_usize;
    for (at, byte) in text.iter().enumerate().rev().take(BACK_MAX) {
        match byte {
            b'}' => closed += 1,
            b'{' if closed == 0 => return Some(at),
            b'{' => closed -= 1,
            // Minified scripts have no lines.
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// Reports whether `text` begins with a name, a colon and no blank, as minifiers write properties.
fn begins_property(text: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$\"'".contains(byte);
    let len = text.iter().take_while(is_of_name).count();
    let [colon, value, ..] = text.get(len..).unwrap_or_default() else { return false };
    len > 0 && *colon == b':' && !value.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::is_property;
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, expected: bool) {
        let mut scanner = Scanner::new(text.as_bytes());
        let found = scanner.next().expect("a candidate");
        assert_eq!(is_property(&found, text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn properties_of_objects_are_no_links() {
        case("{cid:e.uid,row:e}", true);
        case("f({turn:360,rad:360/(2*Math.PI)})", true);
        case("{sip:a.b,im:c.d}", true);
        case("x={news:a.b}", true);
        case("{geo:1,2:3}", true);
        case("{stun:e.x}", true);
        case("{a:1,stun:e.x}", true);
        case("{\"a\":{b:2},stun:e.x}", true);
        case("cid:part.1", true);
    }

    #[test]
    fn links_in_brackets_are_links() {
        case("stun:a.example,stun:b.example", false);
        case("x,stun:b.example", false);
        case("{a,stun:b.example}", false);
        case("{a: x,stun:b.example}", false);
        case("{a:1},stun:b.example", false);
        case("{\"u\":\"sip:a@h.example\"}", false);
        case("{\"u\":\"sip:h.example\"}", false);
        case("{mail: mailto:a@h.example}", false);
        case("{mailto:a@h.example}", false);
        case("{tel:+15551234567}", false);
        case("\\url{sip:h.example}", false);
        case("{urn:isbn:0451450523}", false);
        case("{doi:10.1000/182}", false);
        case("{http://h.example/}", false);
        case("{news://h.example/a.b}", false);
        case("<cid:part.1>", false);
        case("cid:a%40h.example", false);
        case("cid:a@h.example", false);
    }
}
