//! Reads man pages and other text in roff (groff(7), groff_man(7), mdoc(7)).
//!
//! Links are those of `.UR` and `.MT`, with the lines before their end as their text, of `.URL` and
//! `.MTO`, and in pages of mdoc those of `Lk` and `Mt`. Escapes are decoded to the text that they
//! print: people write `\-` for each hyphen of a URI, and `\:` where its line may break.
//!
//! Not read: requests that replace the backslash and the dot by other characters, the values of
//! strings and registers of the document, and files that `.so` includes, whose path depends on the
//! program that prints the page.

use std::borrow::Cow;

use super::lines::{self, Line};
use super::shown::{SOURCE_LEN_MAX, Shown};
use super::{Link, Page, Replaced, with_replaced};
use crate::span::Span;

/// Maximum number of lines of the text of a link.
const SHOWN_LINES_MAX: usize = 64;

/// The beginnings of pages: a comment, the macro of their title or their date, or a line number of
/// a preprocessor.
const HEADS: [&[u8]; 6] = [b".\\\"", b"'\\\"", b"'.\\\"", b".TH ", b".Dd ", b".lf "];

/// The names of macros for links, and the prefix that each adds to its argument.
type Macros = [(&'static [u8], &'static [u8]); 2];

/// Macros of man(7) whose link ends with another macro.
const OPENERS: Macros = [(b"UR", b""), (b"MT", b"mailto:")];

/// Macros whose arguments are all of the link.
const WHOLE: Macros = [(b"URL", b""), (b"MTO", b"mailto:")];

/// Macros of mdoc(7), which may occur anywhere on the line of another one.
const CALLED: Macros = [(b"Lk", b""), (b"Mt", b"mailto:")];

/// Macros that end the text of a link.
const CLOSERS: [&[u8]; 2] = [b"UE", b"ME"];

/// Texts of special characters with a name of two letters (groff_char(7)). Brackets and quotes of
/// any form are read as those of US-ASCII, which no URI holds.
const SPECIAL: &[(&[u8], &[u8])] = &[
    (b"Do", b"$"),
    (b"aq", b"'"),
    (b"at", b"@"),
    (b"ba", b"|"),
    (b"bv", b"|"),
    (b"cq", b"'"),
    (b"dq", b"\""),
    (b"eq", b"="),
    (b"ga", b"`"),
    (b"ha", b"^"),
    (b"hy", b"-"),
    (b"lB", b"["),
    (b"lC", b"{"),
    (b"la", b"<"),
    (b"lq", b"\""),
    (b"mi", b"-"),
    (b"oq", b"'"),
    (b"pl", b"+"),
    (b"rB", b"]"),
    (b"rC", b"}"),
    (b"ra", b">"),
    (b"rq", b"\""),
    (b"rs", b"\\"),
    (b"sh", b"#"),
    (b"sl", b"/"),
    (b"ti", b"~"),
    (b"ul", b"_"),
];

/// The text of any other special character: no character of a URI.
const OTHER: &[u8] = b" ";

/// Reports whether a text that begins with `head` is in roff. Empty lines, and lines of one dot,
/// may come first.
pub(super) fn is_roff(head: &[u8]) -> bool {
    let is_nothing = |line: &&[u8]| matches!(line.trim_ascii_end(), [] | [b'.']);
    let first = head.split(|byte| *byte == b'\n').find(|line| !is_nothing(line));
    first.is_some_and(|line| HEADS.iter().any(|begin| line.starts_with(begin)))
}

/// Returns the links of a page, and its escapes.
pub(super) fn page(text: &[u8]) -> Page {
    let mut page = Page { replaced: escapes(text), ..Page::default() };
    let mut at = 0;
    let mut is_mdoc = false;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        let mut words = Words::of_macro(text, line);
        let Some(name) = words.next().map(|name| name.of(text)) else { continue };
        is_mdoc |= name == b"Dd";
        if let Some(scheme) = scheme(&OPENERS, name) {
            let shown = shown(text, line.next);
            page.links.extend(words.next().and_then(|word| link(text, word, scheme, shown)));
        } else if scheme(&WHOLE, name).is_some() {
            called(&WHOLE, text, line, &mut page);
        } else if is_mdoc {
            called(&CALLED, text, line, &mut page);
        }
    }
    page
}

/// Returns the prefix that the macro `name` adds to its argument, if it is one of `macros`.
fn scheme(macros: &Macros, name: &[u8]) -> Option<&'static [u8]> {
    macros.iter().find(|(known, _)| *known == name).map(|(_, scheme)| *scheme)
}

/// Adds the links that `macros` make on a line: a destination, and the text shown for it.
fn called(macros: &Macros, text: &[u8], line: Line, page: &mut Page) {
    let mut words = Words::of_macro(text, line).peekable();
    while let Some(word) = words.next() {
        let Some(scheme) = scheme(macros, word.of(text)) else { continue };
        let Some(destination) = words.next() else { return };
        let is_text = |word: &Span| word.of(text).iter().any(u8::is_ascii_alphanumeric);
        let next = words.peek().filter(|word| is_text(word));
        let shown = next.and_then(|word| lines::shown(&printed(word.of(text))));
        page.links.extend(link(text, destination, scheme, shown));
    }
}

/// Returns the link whose destination is the argument at `span`, with `scheme` before it.
fn link(text: &[u8], span: Span, scheme: &[u8], shown: Option<Vec<u8>>) -> Option<Link> {
    let target = printed(span.of(text));
    // Many pages have an address in place of a URI.
    let is_address =
        memchr::memchr(b'@', &target).is_some() && memchr::memchr2(b':', b'/', &target).is_none();
    let scheme: &[u8] = if is_address { b"mailto:" } else { scheme };
    // Old pages named places in themselves so.
    let is_place = target.starts_with(b"#") || target.starts_with(b":");
    (!target.is_empty() && !is_place).then(|| Link {
        span,
        target: [scheme, &target].concat(),
        shown,
    })
}

/// Returns the text shown for the link whose macro is on the line before `at`; `None` if there is
/// no text, or no end.
fn shown(text: &[u8], at: usize) -> Option<Vec<u8>> {
    let mut shown = Shown::default();
    let mut at = at;
    for _ in 0..SHOWN_LINES_MAX {
        let line = Line::at(text, at)?;
        at = line.next;
        let mut words = Words::of_macro(text, line);
        let is_text = match words.next() {
            Some(name) if CLOSERS.contains(&name.of(text)) => {
                return Some(shown.into_text()).filter(|text| !text.is_empty());
            }
            // Links are not nested.
            Some(name) if scheme(&OPENERS, name.of(text)).is_some() => return None,
            name => name.is_none(),
        };
        let from = if is_text { line.span.start } else { words.at };
        let words = Span::new(from, line.span.end.min(from + SOURCE_LEN_MAX)).of(text);
        shown.append(&printed(words));
        shown.separate();
    }
    None
}

/// The words of a line that is a macro: its name, and its arguments without their quotes.
struct Words<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl<'t> Words<'t> {
    /// Creates the words of `line`; none if it is no macro.
    fn of_macro(text: &'t [u8], line: Line) -> Self {
        let is_macro = matches!(text.get(line.start), Some(b'.' | b'\'')) && !line.is_blank();
        let end = line.span.end;
        Self { text, at: if is_macro { line.start + 1 } else { end }, end }
    }
}

impl Iterator for Words<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let rest = Span::new(self.at, self.end).of(self.text);
        self.at += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = Span::new(self.at, self.end).of(self.text);
        let is_quoted = rest.starts_with(b"\"");
        if rest.is_empty() || rest.starts_with(b"\\\"") {
            self.at = self.end;
            return None;
        }
        let start = usize::from(is_quoted);
        let mut len = start;
        while let Some(byte) = rest.get(len) {
            match byte {
                b'\\' => len += 1,
                b'"' if is_quoted => break,
                b' ' | b'\t' if !is_quoted => break,
                _ => {}
            }
            len += 1;
        }
        let len = len.min(rest.len());
        let word = Span::new(self.at + start, self.at + len);
        self.at += (len + start).min(rest.len());
        Some(word)
    }
}

/// Returns `text` as it is printed.
fn printed(text: &[u8]) -> Vec<u8> {
    with_replaced(text, &escapes(text)).into_owned()
}

/// Returns the escapes of `text`, with the texts that they print.
fn escapes(text: &[u8]) -> Vec<Replaced> {
    let mut found = Vec::new();
    let mut after = 0;
    for at in memchr::memchr_iter(b'\\', text) {
        if at < after {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or_default();
        if let Some((uri, end)) = tty_link(text, at) {
            // The quote that ends the escape would be a part of the URI.
            found.push(Replaced::new(Span::new(at, uri), OTHER));
            found.push(Replaced::new(Span::new(end, end + 1), OTHER));
            after = end + 1;
            continue;
        }
        let Some(escape) = Escape::of(rest) else { continue };
        after = at + 1 + escape.len;
        found.push(Replaced::new(Span::new(at, after), &escape.text));
    }
    found
}

/// Returns the beginning and the end of the URI in the escape at `at` that begins a link in a
/// terminal (groff_man(7), `\X'tty: link`), up to its closing quote.
fn tty_link(text: &[u8], at: usize) -> Option<(usize, usize)> {
    const BEGINNING: &[u8] = b"\\X'tty: link ";
    let rest = text.get(at..)?.strip_prefix(BEGINNING)?;
    let len = memchr::memchr2(b'\'', b'\n', rest).filter(|len| rest.get(*len) == Some(&b'\''))?;
    let start = at + BEGINNING.len();
    (len > 0).then_some((start, start + len))
}

/// An escape after its backslash.
struct Escape<'t> {
    /// Its length in bytes.
    len: usize,
    /// The text that it prints.
    text: Cow<'t, [u8]>,
}

impl<'t> Escape<'t> {
    const fn new(len: usize, text: &'t [u8]) -> Self {
        Self { len, text: Cow::Borrowed(text) }
    }

    /// Reads the escape that `rest` begins with, after its backslash (groff(7), "Escape
    /// sequences"); `None` for a comment, for the arguments of a macro in its definition, and for
    /// an unknown escape.
    fn of(rest: &'t [u8]) -> Option<Self> {
        let (first, after) = rest.split_first()?;
        match first {
            // At the end of a line of text, the next one continues it.
            b'c' if matches!(after, [b'\n', next, ..] if !matches!(next, b'.' | b'\'' | b'\n')) => {
                Some(Self::new(2, b""))
            }
            b'&' | b')' | b':' | b'/' | b',' | b'%' | b'{' | b'}' | b'|' | b'^' | b'c' | b'p'
            | b'd' | b'u' | b'r' | b'z' | b'\n' => Some(Self::new(1, b"")),
            b'\r' if after.starts_with(b"\n") => Some(Self::new(2, b"")),
            b' ' | b'~' | b'0' | b't' | b'a' => Some(Self::new(1, b" ")),
            b'e' | b'\\' => Some(Self::new(1, b"\\")),
            b'(' | b'[' => {
                let (len, name) = name(rest)?;
                Some(Self { len, text: special(name) })
            }
            b'*' => {
                let (len, name) = name(after)?;
                Some(Self::new(1 + len, string(name)))
            }
            b'f' | b'F' | b'm' | b'M' | b'k' | b'O' => {
                let (len, _) = name(after)?;
                Some(Self::new(1 + len, b""))
            }
            b'n' | b'g' | b'V' | b'Y' => {
                let sign = usize::from(matches!(after, [b'+' | b'-', ..]));
                let (len, _) = name(after.get(sign..)?)?;
                Some(Self::new(1 + sign + len, OTHER))
            }
            b's' => Some(Self::new(1 + size(after)?, b"")),
            b'h' | b'v' | b'w' | b'l' | b'L' | b'x' | b'H' | b'S' | b'D' | b'R' | b'X' => {
                Some(Self::new(1 + quoted(after)?.len() + 2, b" "))
            }
            b'N' => {
                let number = quoted(after)?;
                Some(Self { len: 1 + number.len() + 2, text: character(number, 10) })
            }
            b'-' | b'.' | b'\'' | b'`' | b'_' | b'@' | b'+' | b'=' | b';' | b'<' | b'>' | b']' => {
                Some(Self::new(1, rest.get(..1)?))
            }
            _ => None,
        }
    }
}

/// Returns the length of the name that `rest` begins with, with its delimiters, and the name: one
/// letter, two after a parenthesis, or any number in brackets.
fn name(rest: &[u8]) -> Option<(usize, &[u8])> {
    /// Longest name, in bytes.
    const NAME_LEN_MAX: usize = 64;
    match rest {
        [b'(', after @ ..] => after.get(..2).filter(|name| is_visible(name)).map(|name| (3, name)),
        [b'[', after @ ..] => {
            let near = after.get(..NAME_LEN_MAX).unwrap_or(after);
            let len = memchr::memchr2(b']', b'\n', near)?;
            (near.get(len) == Some(&b']')).then(|| (len + 2, near.get(..len).unwrap_or_default()))
        }
        _ => rest.get(..1).filter(|name| is_visible(name)).map(|name| (1, name)),
    }
}

fn is_visible(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_graphic)
}

/// Returns the text between the two quotes that `rest` begins with; any punctuation can be the
/// quote.
fn quoted(rest: &[u8]) -> Option<&[u8]> {
    let (quote, after) = rest.split_first().filter(|(quote, _)| quote.is_ascii_punctuation())?;
    let inside = after.get(..memchr::memchr(*quote, after)?)?;
    (!inside.contains(&b'\n')).then_some(inside)
}

/// Returns the length of the size after `\s`, with its sign: a digit, two of them from 10 to 39,
/// two after a parenthesis, or any number in brackets or quotes.
fn size(rest: &[u8]) -> Option<usize> {
    let sign = usize::from(matches!(rest, [b'+' | b'-', ..]));
    let len = match rest.get(sign..)? {
        [b'(', b'+' | b'-', b'0'..=b'9', b'0'..=b'9', ..] => 4,
        [b'\'', after @ ..] => memchr::memchr2(b'\'', b'\n', after)? + 2,
        [b'1'..=b'3', b'0'..=b'9', ..] if sign == 0 => 2,
        [b'0'..=b'9', ..] => 1,
        other @ [b'(' | b'[', ..] => name(other)?.0,
        _ => return None,
    };
    Some(sign + len)
}

/// Returns the text of the special character `name`.
fn special(name: &[u8]) -> Cow<'static, [u8]> {
    if let Some((_, text)) = SPECIAL.iter().find(|(known, _)| *known == name) {
        return Cow::Borrowed(text);
    }
    match name {
        // Accents may follow the letter.
        [b'u', code @ ..] if code.len() >= 4 => {
            character(code.split(|byte| *byte == b'_').next().unwrap_or_default(), 16)
        }
        [b'c', b'h', b'a', b'r', code @ ..] => character(code, 10),
        _ => Cow::Borrowed(OTHER),
    }
}

/// Returns the text of the string `name` in the macros of man(7), and in those that `pod2man`
/// writes.
fn string(name: &[u8]) -> &'static [u8] {
    match name {
        b"lq" | b"rq" | b"L\"" | b"R\"" => b"\"",
        b"--" | b"-" => b"-",
        _ => OTHER,
    }
}

/// Returns the character with the number `digits` in Unicode.
fn character(digits: &[u8], radix: u32) -> Cow<'static, [u8]> {
    let digits = std::str::from_utf8(digits).ok();
    let number = digits.and_then(|digits| u32::from_str_radix(digits, radix).ok());
    let known = number.and_then(char::from_u32).filter(|known| !known.is_control());
    known.map_or(Cow::Borrowed(OTHER), |known| Cow::Owned(known.to_string().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::printed;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&printed(text.as_bytes())), expected, "{text}");
    }

    #[test]
    fn a_line_may_be_continued() {
        case("http://h/a\\\n/b", "http://h/a/b");
        case("http://h/a\\c\n/b", "http://h/a/b");
        case("http://h/a\\c\n.br\n", "http://h/a\n.br\n");
        case("http://h/a\\c\n\n", "http://h/a\n\n");
    }

    #[test]
    fn a_link_of_a_terminal_ends_at_its_quote() {
        case("\\X'tty: link http://h/x'text\\X'tty: link'.", " http://h/x text .");
        case("\\X'ps: a'b", " b");
    }
}
