//! Finds links in style sheets: `url(…)`, quoted and bare, and `@import "…"` (CSS Syntax Level 3
//! §4), the strings of `src(…)` (CSS Values Level 4 §4.5) and of `image-set(…)` (CSS Images Level
//! 4).
//!
//! Comments are skipped. The end of the text closes everything that is open there (§5.4).

use super::html::tokens::trimmed;
use super::{Link, Page};
use crate::span::Span;

/// Receives a link: its span, and its target.
pub(super) type Found<'f> = &'f mut dyn FnMut(Span, Vec<u8>);

/// Returns the links of a style sheet.
pub(super) fn page(text: &[u8]) -> Page {
    let mut page = Page::default();
    urls(text, &mut |span, target| page.links.push(Link { span, target, shown: None }));
    page
}

/// Passes the links of `text`, which may also be the value of an attribute `style`, to `found`.
pub(super) fn urls(text: &[u8], found: Found<'_>) {
    let mut at = 0;
    // Whether only white space and comments follow an `@import` so far.
    let mut is_import = false;
    // Open round brackets, from that of a function whose strings are URLs on; zero outside of one.
    let mut depth = 0_usize;
    while let Some(byte) = text.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        match byte {
            b'/' if rest.starts_with(b"/*") => {
                let len = memchr::memmem::find(rest.get(2..).unwrap_or_default(), b"*/");
                at += len.map_or(rest.len(), |len| len + 4);
                continue;
            }
            b'"' | b'\'' => {
                let (inside, len) = string(rest, at);
                if is_import || depth == 1 {
                    give(text, inside, found);
                }
                at += len;
            }
            b'@' if is_at_import(rest) => {
                at += b"@import".len();
                is_import = true;
                continue;
            }
            _ if is_name(*byte) || *byte == b'\\' => {
                let name = name_len(rest);
                if is_function(rest, name, &[b"url"]) {
                    at += url(text, at, name + b"(".len(), found);
                    // The `)` of `url(` follows.
                    depth += usize::from(depth > 0);
                } else if depth == 0 && is_function(rest, name, &STRINGS) {
                    at += name + b"(".len();
                    depth = 1;
                } else {
                    at += name;
                }
            }
            b'(' if depth > 0 => {
                depth += 1;
                at += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            // No function continues after these, whatever is missing.
            b';' | b'{' | b'}' => {
                depth = 0;
                at += 1;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => at += 1,
        }
        is_import = false;
    }
}

/// Functions whose strings are URLs.
const STRINGS: [&[u8]; 3] = [b"src", b"image-set", b"-webkit-image-set"];

/// Returns the length of the name that `rest` begins with, with its escapes; two bytes for a
/// backslash before a line end, which begins none.
fn name_len(rest: &[u8]) -> usize {
    let mut len = 0;
    loop {
        len += match rest.get(len..) {
            Some([b'\\', b'\n' | b'\r' | b'\x0C', ..]) if len > 0 => return len,
            Some([b'\\', after @ ..]) => 1 + escape(after).0,
            Some([byte, ..]) if is_name(*byte) => 1,
            _ => return len,
        }
    }
}

/// Reports whether `rest` begins with a name of `len` bytes, one of `known`, and its bracket.
fn is_function(rest: &[u8], len: usize, known: &[&[u8]]) -> bool {
    /// Maximum number of bytes of a name that is compared: each letter may be an escape.
    const NAME_LEN_MAX: usize = 128;
    if rest.get(len) != Some(&b'(') || len > NAME_LEN_MAX {
        return false;
    }
    let name = unescaped(rest.get(..len).unwrap_or_default());
    known.iter().any(|known| known.eq_ignore_ascii_case(&name))
}

fn is_at_import(rest: &[u8]) -> bool {
    const NAME: &[u8] = b"@import";
    rest.get(..NAME.len()).is_some_and(|head| head.eq_ignore_ascii_case(NAME))
        && rest.get(NAME.len()).is_none_or(|byte| !is_name(*byte))
}

/// Reports whether a name may hold `byte`.
const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii()
}

/// Reads the string that `rest`, which is at `at`, begins with: returns the span of its content,
/// and its length with quotes. A line end before the closing quote ends it without content, and the
/// end of the text with it.
fn string(rest: &[u8], at: usize) -> (Option<Span>, usize) {
    let quote = rest.first().copied().unwrap_or_default();
    let mut len = 1;
    while let Some(byte) = rest.get(len) {
        match byte {
            b'\\' => len += 1 + escape(rest.get(len + 1..).unwrap_or_default()).0,
            b'\n' | b'\r' | b'\x0C' => return (None, len),
            byte if *byte == quote => return (Some(Span::new(at + 1, at + len)), len + 1),
            _ => len += 1,
        }
    }
    (Some(Span::new(at + 1, at + rest.len())), rest.len())
}

/// Passes on the link of the `url(` at `at`, which has `head` bytes; returns its length, up to its
/// `)` if it is bare.
fn url(text: &[u8], at: usize, head: usize, found: Found<'_>) -> usize {
    let rest = text.get(at + head..).unwrap_or_default();
    let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let rest = rest.get(blanks..).unwrap_or_default();
    let start = at + head + blanks;
    if let Some(b'"' | b'\'') = rest.first() {
        let (inside, len) = string(rest, start);
        give(text, inside, found);
        return start + len - at;
    }
    let (len, is_good) = bare(rest);
    let inside = Span::new(start, start + len);
    give(text, is_good.then(|| trimmed(text, inside)), found);
    start + len - at
}

/// Returns the length of a bare URL up to its `)`, and whether it is valid: it may hold no white
/// space inside, no quotes and no brackets (CSS Syntax Level 3 §4.3.6).
fn bare(rest: &[u8]) -> (usize, bool) {
    let (mut len, mut is_good, mut is_ended) = (0, true, false);
    while let Some(byte) = rest.get(len) {
        match byte {
            b')' => return (len, is_good),
            b'\\' => len += escape(rest.get(len + 1..).unwrap_or_default()).0,
            b'"' | b'\'' | b'(' => is_good = false,
            byte if byte.is_ascii_whitespace() => is_ended = true,
            byte if byte.is_ascii_control() => is_good = false,
            _ => is_good &= !is_ended,
        }
        len += 1;
    }
    (rest.len(), is_good)
}

/// Passes on the link at `inside`, unless it is empty.
fn give(text: &[u8], inside: Option<Span>, found: Found<'_>) {
    if let Some(span) = inside.filter(|span| !span.is_empty()) {
        found(span, unescaped(span.of(text)));
    }
}

/// Returns `text` with its escapes resolved (CSS Syntax Level 3 §4.3.7).
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let (len, number) = escape(after);
        match number {
            Some(number) => {
                let made = char::from_u32(number).filter(|made| *made != '\0');
                let made = made.unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(made.encode_utf8(&mut [0; 4]).as_bytes());
            }
            // A line end after a backslash denotes nothing.
            None => out.extend(after.first().filter(|byte| **byte != b'\n')),
        }
        rest = after.get(len..).unwrap_or_default();
    }
    out
}

/// Reads the escape after a backslash: returns its length, with the white space that ends its
/// digits, and the number of the character if it has digits (CSS Syntax Level 3 §4.3.7).
fn escape(after: &[u8]) -> (usize, Option<u32>) {
    /// Maximum number of digits of an escape.
    const DIGITS_MAX: usize = 6;
    let digits = after.iter().take(DIGITS_MAX);
    let digits = digits.map_while(|byte| char::from(*byte).to_digit(16));
    let (count, number) =
        digits.fold((0, 0), |(count, number), digit| (count + 1, number * 16 + digit));
    let blank = match after.get(count..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([byte, ..]) if byte.is_ascii_whitespace() => 1,
        _ => 0,
    };
    if count > 0 { (count + blank, Some(number)) } else { (1, None) }
}

#[cfg(test)]
mod tests {
    use super::urls;

    /// Holds the links of `text` to `expected`.
    #[track_caller]
    fn case(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        urls(text.as_bytes(), &mut |_, target| {
            found.push(String::from_utf8_lossy(&target).into_owned());
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_end_of_the_text_closes_what_is_open() {
        case("a{b:url(c.png", &["c.png"]);
        case("a{b:url( c.png ", &["c.png"]);
        case("a{b:url('c.png", &["c.png"]);
        case("@import \"c.css", &["c.css"]);
        case("a{b:url(c d.png", &[]);
        case("a{b:url(", &[]);
        case("a{b:url('c\n", &[]);
    }

    #[test]
    fn names_of_functions_may_have_escapes() {
        case(r"a{b:u\72l(c.png)}", &["c.png"]);
        case(r"a{b:\55 RL(c.png) \75\72\6c ('d.png')}", &["c.png", "d.png"]);
        case(r"a{b:image\-set('c.png' 1x)}", &["c.png"]);
        case(r"a{b:u\72 lx(c.png) \( url(d.png)", &["d.png"]);
        case("a{b:\\\nurl(c.png) url\\", &["c.png"]);
    }
}
