//! Finds the end of a comment in a language of templates or programs whose marks a URI may hold:
//! `{# http://h/a#}`, `{- http://h/a-}`.
//!
//! A comment that has the same marks at both ends is not recognised, nor is one whose beginning is
//! far from the link. The ends `*/`, `-->` and `?>` are found elsewhere.

use crate::scan::limits::LOOKBACK_MAX;
use crate::scheme::SCHEME_LEN_MAX;
use crate::span::Span;

/// Bytes before a URI in which its comment may begin.
const COMMENT_LOOKBACK_MAX: usize = 512;

// Every piece of a text sees at least this many bytes, so that findings do not depend on cuts.
const _: () = assert!(SCHEME_LEN_MAX + COMMENT_LOOKBACK_MAX < LOOKBACK_MAX);

/// The ends of comments and tags, longer ones first, each with its beginning: of Handlebars, JSP,
/// Jinja, ERB, Haskell, PowerShell, Razor, Velocity, D and Julia.
const COMMENTS: [(&[u8], &[u8]); 12] = [
    (b"--}}", b"{{!--"),
    (b"--%>", b"<%--"),
    (b"-}}", b"{{"),
    (b"-%}", b"{%"),
    (b"-%>", b"<%"),
    (b"#}", b"{#"),
    (b"-}", b"{-"),
    (b"#>", b"<#"),
    (b"*@", b"@*"),
    (b"*#", b"#*"),
    (b"+/", b"/+"),
    (b"=#", b"#="),
];

/// Returns the offset at which the URI at `start` ends because the comment around it ends there;
/// `span` is the rest of the URI after its scheme.
pub(super) fn end(bytes: &[u8], start: usize, span: Span) -> Option<usize> {
    let text = span.of(bytes);
    let ends_in_text =
        matches!(text, [.., b'*', b'@' | b'#'] | [.., b'+', b'/'] | [.., b'=', b'#']);
    if !ends_in_text && !matches!(bytes.get(span.end), Some(b'}' | b'>')) {
        return None;
    }
    let after = bytes.get(span.end..).unwrap_or_default();
    let near = bytes.get(start.saturating_sub(COMMENT_LOOKBACK_MAX)..start)?;
    COMMENTS.iter().find_map(|(close, open)| {
        let len = closing_len(text, after, close)?;
        is_open(near, open, close).then_some(span.end - len)
    })
}

/// Returns the number of bytes of `close` at the end of `text`, if the others begin `after`.
fn closing_len(text: &[u8], after: &[u8], close: &[u8]) -> Option<usize> {
    (1..=close.len()).rev().find(|len| {
        let (inside, outside) = close.split_at(*len);
        text.ends_with(inside) && after.starts_with(outside)
    })
}

/// Reports whether a comment that begins with `open` is open at the end of `near`. Marks that a
/// word may hold begin one only after a blank.
fn is_open(near: &[u8], open: &[u8], close: &[u8]) -> bool {
    let Some(at) = memchr::memmem::rfind(near, open) else { return false };
    let (before, inside) = near.split_at(at);
    let is_bracket = open.first().is_some_and(|byte| matches!(byte, b'{' | b'<'));
    let is_apart = before.last().is_none_or(u8::is_ascii_whitespace);
    let inside = inside.get(open.len()..).unwrap_or_default();
    (is_bracket || is_apart) && memchr::memmem::find(inside, close).is_none()
}

#[cfg(test)]
mod tests {
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        let span = Scanner::new(text.as_bytes()).next().unwrap().span;
        assert_eq!(span.of(text.as_bytes()), expected.as_bytes(), "{text}");
    }

    #[test]
    fn a_comment_ends_the_link_in_it() {
        for (open, close) in [
            ("{#", "#}"),
            ("{{!--", "--}}"),
            ("{-", "-}"),
            ("<#", "#>"),
            ("<%--", "--%>"),
            ("<%", "-%>"),
            ("{%", "-%}"),
            ("{{-", "-}}"),
            ("@*", "*@"),
            ("#*", "*#"),
            ("/+", "+/"),
            ("#=", "=#"),
        ] {
            case(&format!("{open} see http://h/a{close}"), "http://h/a");
            case(&format!("{open} b\n  http://h/a.{close} c"), "http://h/a");
            case(&format!("{open} b {close} http://h/{close}"), &outside(close));
        }
        case("{#http://h/a#}", "http://h/a");
        case("a#=b http://h/a=#", "http://h/a=#");
        case("see http://h/+/", "http://h/+/");
        case("see http://h/a#}", "http://h/a#");
    }

    /// Returns the link `http://h/` and the bytes of `close` that belong to it outside of a
    /// comment.
    fn outside(close: &str) -> String {
        let own = close.trim_end_matches(['}', '>']).trim_end_matches('%');
        format!("http://h/{own}")
    }
}
