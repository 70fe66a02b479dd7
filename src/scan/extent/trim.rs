//! Removes the punctuation at the end of a bare URI that belongs to the text.

use super::reference::reference_len;
use super::{begins_uri, comment, cut, emphasis, ends_picture, is_closing};
use crate::scan::unicode::{self, Role};
use crate::span::Span;

/// Returns the end without the punctuation that belongs to the surrounding text.
pub(super) fn trim(bytes: &[u8], start: usize, rest: usize, end: usize) -> usize {
    let end = before_alternative(bytes, rest, end);
    let end = comment::end(bytes, start, Span::new(rest, end)).unwrap_or(end);
    let mut end = before_tag(bytes, rest, end);
    let mut mirrored = emphasis::opening(bytes, start);
    let mut may_close = true;
    let mut hash = None;
    while end > rest {
        let last = bytes.get(end - 1).copied().unwrap_or_default();
        let len = match last {
            b';' => reference_len(bytes, rest, end),
            b'%' | b'(' => 1,
            b'#' => {
                let find = || memchr::memchr(b'#', bytes.get(rest..end).unwrap_or_default());
                let first = *hash.get_or_insert_with(find);
                usize::from(first.is_some_and(|first| rest + first < end - 1))
            }
            b'\'' if is_quoted_at_end(bytes, start, Span::new(rest, end)) => 0,
            b'*' if is_wildmat(bytes, start, Span::new(rest, end)) => 0,
            mark if is_closing(mark) => 1,
            0x80.. => match unicode::char_before(bytes, end) {
                Some(character) if unicode::role(character) == Role::Trails => character.len_utf8(),
                _ => unicode::unseen_len(bytes, end)
                    .unwrap_or_else(|| signs_len(bytes, start, Span::new(rest, end))),
            },
            _ if mirrored.is_some_and(|(mark, left)| mark == last && left > 0) => {
                mirrored = mirrored.map(|(mark, left)| (mark, left - 1));
                1
            }
            b'_' | b'~' | b'=' if may_close => {
                may_close = false;
                emphasis::closing_len(bytes, start, Span::new(rest, end)).unwrap_or_default()
            }
            _ => 0,
        };
        if len == 0 {
            break;
        }
        end -= len;
        // Nor is the backslash before it part of the URI.
        let is_escaped = end > rest && bytes.get(end - 1) == Some(&b'\\');
        end -= usize::from(is_escaped);
    }
    end
}

/// Returns the end without the text in brackets that a picture of Textile has as its alternative,
/// before the link that it shows: `!http://h/a.png(text)!:http://h/`.
fn before_alternative(bytes: &[u8], rest: usize, end: usize) -> usize {
    let text = bytes.get(rest..end).unwrap_or_default();
    let is_picture = text.ends_with(b")") && ends_picture(bytes, end);
    let open = if is_picture { memchr::memrchr(b'(', text) } else { None };
    open.map_or(end, |open| rest + open)
}

/// Returns the end of the URI at `start`, whose authority and rest are `span`, without the line and
/// the column of a stack trace: after the name of a file, `h/app.js:10:15`, and after any path in a
/// line of a trace.
pub(super) fn without_position(bytes: &[u8], start: usize, span: Span) -> Option<usize> {
    let file = before_number(before_number(span.of(bytes))?)?;
    let is_one = names_file(file)
        || memchr::memchr(b'/', file).is_some() && is_in_trace(bytes, start, span.end);
    is_one.then_some(span.start + file.len())
}

/// Reports whether `text` ends in the name of a file with an extension, in a path.
fn names_file(text: &[u8]) -> bool {
    const EXTENSION_LEN_MAX: usize = 6;
    let letters = text.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (stem, extension) = text.split_at(text.len() - letters);
    let Some(stem) = stem.strip_suffix(b".") else { return false };
    let slash = memchr::memrchr(b'/', stem);
    let is_extension =
        letters <= EXTENSION_LEN_MAX && extension.first().is_some_and(u8::is_ascii_alphabetic);
    let is_path = memchr::memchr2(b'?', b'#', stem).is_none();
    is_extension && is_path && slash.is_some_and(|slash| slash + 1 < stem.len())
}

/// Reports whether the text before the URI `start..end` and the mark after it are those of a line
/// in a stack trace: of V8, `at f (http://h/a:1:2)` and `at http://h/a:1:2`, or of SpiderMonkey and
/// JavaScriptCore, `f@http://h/a:1:2`.
fn is_in_trace(bytes: &[u8], start: usize, end: usize) -> bool {
    let line = cut::line_before(bytes, start);
    let is_at_end = matches!(bytes.get(end), None | Some(b'\n' | b'\r' | b'\\' | b'"'));
    let begins = |at: usize| {
        let before = line.get(..at).unwrap_or_default().trim_ascii_end();
        before.is_empty() || before.ends_with(b"\\n")
    };
    match line {
        [.., b'('] if bytes.get(end) == Some(&b')') => {
            memchr::memmem::find_iter(line, b"at ").any(begins)
        }
        [.., b'@'] => is_at_end,
        [name @ .., b'a', b't', b' '] => is_at_end && begins(name.len()),
        _ => false,
    }
}

/// Returns the part of `text` before the colon and the number at its end.
fn before_number(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    text.get(..text.len() - digits)?.strip_suffix(b":").filter(|_| digits > 0)
}

/// Reports whether the asterisk at the end of `span` is a wildcard for names of newsgroups, in a
/// URI that begins at `start`: `news://h/comp.*` (RFC 5538 §4). One before the URI makes the two
/// emphasis.
fn is_wildmat(bytes: &[u8], start: usize, span: Span) -> bool {
    let scheme = bytes.get(start..span.start).unwrap_or_default();
    let is_news = scheme.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"news:"));
    let is_marked = start.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'*');
    is_news && !is_marked && span.of(bytes).ends_with(b".*")
}

/// Reports whether the apostrophe at the end of `span` is the partner of one in it: `/a'b'`. Two of
/// them may end text that two of them begin on the line before the URI at `start`, as in a wiki, or
/// a quotation.
fn is_quoted_at_end(bytes: &[u8], start: usize, span: Span) -> bool {
    let text = span.of(bytes);
    let is_of_text =
        || emphasis::is_open(bytes, start, b'\'', 2) || emphasis::begins_quotation(bytes, start);
    memchr::memchr_iter(b'\'', text).count().is_multiple_of(2)
        && !(text.ends_with(b"''") && is_of_text())
}

/// Signs that point at text from its left, and those that do from its right.
const POINTERS: [(char, char); 5] = [
    ('\u{1F449}', '\u{1F448}'),
    ('\u{25B6}', '\u{25C0}'),
    ('\u{25BA}', '\u{25C4}'),
    ('\u{27A1}', '\u{2B05}'),
    ('\u{23E9}', '\u{23EA}'),
];

/// Returns the length of the symbols at the end of `span` that belong to the text, not to a host:
/// after the mark that closes a sentence, or one that also directly precedes the URI at `start`, or
/// whose partner does, and an arrow in the form of an emoji.
fn signs_len(bytes: &[u8], start: usize, span: Span) -> usize {
    let last_sign = |at: usize| unicode::char_before(bytes, at).filter(|it| unicode::is_sign(*it));
    let has_path = || memchr::memchr3(b'/', b'?', b'#', span.of(bytes)).is_some();
    let Some((last, len)) = sign_before(bytes, span.end).filter(|_| has_path()) else { return 0 };
    let first = sign_before(bytes, start).map(|(first, _)| first);
    let is_pointer = first.is_some_and(|first| POINTERS.contains(&(first, last)));
    let is_arrow =
        matches!(last, '\u{27A1}' | '\u{2B05}'..='\u{2B07}') || unicode::role(last) == Role::Trails;
    if first == Some(last) || is_pointer || is_arrow {
        return len;
    }
    let mut at = span.end;
    while let Some(sign) = last_sign(at).filter(|_| at > span.start) {
        at -= sign.len_utf8();
    }
    let closes = |mark: &u8| matches!(mark, b'.' | b',' | b':' | b';' | b'!');
    let is_after_mark = at > span.start && bytes.get(at - 1).is_some_and(closes);
    if is_after_mark { span.end - at } else { 0 }
}

/// Returns the symbol that ends before `end` of `bytes`, and its length with the selector of its
/// form as an emoji.
fn sign_before(bytes: &[u8], end: usize) -> Option<(char, usize)> {
    const SELECTOR: char = '\u{FE0F}';
    let last = unicode::char_before(bytes, end)?;
    let is_one = |sign: &char| unicode::is_sign(*sign) || unicode::role(*sign) == Role::Trails;
    if last == SELECTOR
        && let Some(sign) = unicode::char_before(bytes, end - SELECTOR.len_utf8()).filter(is_one)
    {
        return Some((sign, sign.len_utf8() + SELECTOR.len_utf8()));
    }
    unicode::is_sign(last).then_some((last, last.len_utf8()))
}

/// Returns the end without the hyphens of a `-->`, which ends a comment of HTML and XML, without an
/// arrow before another URI, `->http://h/`, or before a blank, `-> x`, and without the letter of an
/// escape of POD, `E<gt>` (perlpod, "Formatting Codes").
fn before_tag(bytes: &[u8], rest: usize, end: usize) -> usize {
    let text = bytes.get(rest..end).unwrap_or_default();
    let len = match bytes.get(end..).unwrap_or_default() {
        [b'>', ..] if text.ends_with(b"--") => {
            text.iter().rev().take_while(|byte| **byte == b'-').count()
        }
        [b'>', b' ', ..] if text.ends_with(b"-") => 1,
        // An arrow between two URIs.
        [b'>', ..] if text.ends_with(b"-") || text.ends_with(b"=") => {
            usize::from(begins_uri(bytes, end + 1))
        }
        [b'<', b'g' | b'l', b't', b'>', ..] => usize::from(text.len() > 1 && text.ends_with(b"E")),
        _ => 0,
    };
    end - len
}
