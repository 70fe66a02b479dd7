//! Decodes pages of the Web as browsers do, from the charset that HTML Standard §13.2.3.2
//! determines, in its order: a byte order mark, the declaration of the protocol, the declaration in
//! the page, and a charset that fits the bytes.
//!
//! Two choices are our own. A page that is valid UTF-8 is not decoded from a legacy charset that
//! extends US-ASCII, whatever it declares: many pages were converted and still declare their old
//! charset. And HTML that declares no charset and is not UTF-8 is decoded from windows-1252, which
//! is the default of browsers in most languages.

use std::borrow::Cow;
use std::io::Read as _;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::mail::charset::{self, Decoder, WideText};
use super::mail::mime::{self, Charset, Coding};
use super::markup::Markup;

/// Length in bytes of the beginning that identifies UTF-16 and UTF-32.
const HEAD_LEN: usize = 8 * 1024;

/// Returns `bytes`, a page in `markup` or the beginning of one, in UTF-8. `declared` is the label
/// of the charset that the protocol declares.
///
/// Invalid bytes become U+FFFD.
#[must_use]
pub fn decoded<'t>(markup: Markup, bytes: &'t [u8], declared: Option<&[u8]>) -> Cow<'t, [u8]> {
    let head = bytes.get(..HEAD_LEN).unwrap_or(bytes);
    if let Some(order) = charset::sniff(head) {
        let mut text = Vec::new();
        // Reading from memory does not fail.
        let _ = Decoder::new(bytes, WideText::new(order)).read_to_end(&mut text);
        return text.into();
    }
    if let Some((encoding, mark_len)) = Encoding::for_bom(bytes) {
        return in_encoding(encoding, bytes.get(mark_len..).unwrap_or_default());
    }
    let by_protocol = declared.and_then(|label| by_label(label, bytes));
    match by_protocol.or_else(|| by_itself(markup, bytes)) {
        Some(DeclaredCharset::Encoding(encoding)) => in_encoding(encoding, bytes),
        Some(DeclaredCharset::Switching(charset)) => {
            mime::decode(Coding::Charset(charset), bytes).into()
        }
        None if markup == Markup::Html && !is_utf8(bytes) => in_encoding(WINDOWS_1252, bytes),
        None => in_encoding(UTF_8, bytes),
    }
}

/// A declared charset.
enum DeclaredCharset {
    Encoding(&'static Encoding),
    /// A charset whose bytes are all US-ASCII.
    Switching(Charset),
}

/// Returns the charset called `label`, if `bytes` may be in it.
fn by_label(label: &[u8], bytes: &[u8]) -> Option<DeclaredCharset> {
    let Some(encoding) = Encoding::for_label(label).filter(|found| *found != REPLACEMENT) else {
        return Charset::switching(label).map(DeclaredCharset::Switching);
    };
    let fits = if encoding == UTF_16LE || encoding == UTF_16BE {
        // Markup in UTF-16 has bytes of zero.
        memchr::memchr(0, bytes).is_some()
    } else {
        true
    };
    fits.then_some(())?;
    Some(DeclaredCharset::Encoding(if encoding.is_ascii_compatible() && is_utf8(bytes) {
        UTF_8
    } else if encoding == UTF_16LE && begins_big(bytes) {
        UTF_16BE
    } else {
        encoding
    }))
}

/// Returns the charset that a page itself declares (HTML Standard §13.2.3.2, "prescan a byte stream
/// to determine its encoding"): a page with a readable declaration is not UTF-16.
fn by_itself(markup: Markup, bytes: &[u8]) -> Option<DeclaredCharset> {
    let told = by_label(&markup.declared(bytes)?, bytes)?;
    Some(match told {
        DeclaredCharset::Encoding(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
            DeclaredCharset::Encoding(UTF_8)
        }
        DeclaredCharset::Encoding(encoding) if encoding == X_USER_DEFINED => {
            DeclaredCharset::Encoding(WINDOWS_1252)
        }
        told => told,
    })
}

/// Reports whether a page begins with a character of US-ASCII in UTF-16, most significant byte
/// first: `utf-16` names either order (RFC 2781 §3.3).
fn begins_big(bytes: &[u8]) -> bool {
    matches!(bytes, [0, second, ..] if *second != 0)
}

/// Reports whether `bytes` are UTF-8; the last character may be cut.
fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

fn in_encoding<'t>(encoding: &'static Encoding, bytes: &'t [u8]) -> Cow<'t, [u8]> {
    match encoding.decode_without_bom_handling(bytes).0 {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Markup, decoded};

    const PAGE: &str = "<p id=\"\u{FC}berschrift\">";

    fn latin1(text: &str) -> Vec<u8> {
        text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
    }

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[track_caller]
    fn case(bytes: &[u8], declared: Option<&str>, expected: &str) {
        let text = decoded(Markup::Html, bytes, declared.map(str::as_bytes));
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn the_first_that_declares_it_counts() {
        let wide = "<p id=\"\u{6F22}\u{5B57}\">";
        case(&latin1(PAGE), Some("iso-8859-1"), PAGE);
        case(&latin1(PAGE), Some("ISO-8859-1"), PAGE);
        case(&latin1(PAGE), Some("us-ascii"), PAGE);
        case(&latin1(PAGE), None, PAGE);
        case(PAGE.as_bytes(), None, PAGE);
        case(PAGE.as_bytes(), Some("utf-8"), PAGE);
        // The protocol's declaration excludes windows-1252.
        case(&latin1(PAGE), Some("utf-8"), "<p id=\"\u{FFFD}berschrift\">");
        // An unknown label declares nothing.
        case(&latin1(PAGE), Some("x-nothing"), PAGE);
        case(&[b"\xEF\xBB\xBF", PAGE.as_bytes()].concat(), Some("koi8-r"), PAGE);
        for mark in ["", "\u{FEFF}"] {
            let wide = format!("{mark}{wide}\n");
            let text = wide.trim_start_matches('\u{FEFF}');
            case(&utf16(&wide, u16::to_le_bytes), Some("utf-16le"), text);
            case(&utf16(&wide, u16::to_be_bytes), Some("utf-16be"), text);
            case(&utf16(&wide, u16::to_le_bytes), Some("utf-16"), text);
            case(&utf16(&wide, u16::to_be_bytes), Some("utf-16"), text);
        }
        case(&utf16(&format!("\u{FEFF}{wide}\n"), u16::to_be_bytes), None, &format!("{wide}\n"));
    }

    #[test]
    fn a_page_declares_its_charset_in_either_form() {
        for declaration in [
            "<meta charset=koi8-r>",
            "<META content='text/html; charset=\"koi8-r\"' http-equiv='Content-Type'>",
            "<?xml version='1.0' encoding='koi8-r'?>",
        ] {
            let text = format!("{declaration}<p id=\u{44F}>");
            let bytes = [declaration.as_bytes(), b"<p id=\xD1>"].concat();
            case(&bytes, None, &text);
            let other = format!("{declaration}<p id=\u{D1}>");
            case(&bytes, Some("iso-8859-1"), &other);
        }
        // A page with a readable declaration is not in UTF-16.
        let text = format!("<meta charset=utf-16>{PAGE}");
        case(text.as_bytes(), None, &text);
    }

    #[test]
    fn what_switches_between_sets_is_decoded() {
        let page = "<p id=\"\u{65E5}\u{672C}\">";
        case(b"<p id=\"\x1B$BF|K\\\x1B(B\">", Some("iso-2022-jp"), page);
        case(b"<p id=\"\x93\xFA\x96\x7B\">", Some("Shift_JIS"), page);
        case(b"<p id=\"\xC6\xFC\xCB\xDC\">", Some("euc-jp"), page);
        case(b"<p id=\"\xC8\xD5\xB1\xBE\">", Some("gb2312"), page);
    }

    #[test]
    fn what_claims_to_be_in_what_it_is_not_is_read_as_what_it_is() {
        case(PAGE.as_bytes(), Some("iso-8859-1"), PAGE);
        case(PAGE.as_bytes(), Some("utf-16"), PAGE);
    }
}
