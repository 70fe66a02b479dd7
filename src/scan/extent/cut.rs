//! Detects a bare URI that ends within a word, before a byte that browsers accept in a URL.
//!
//! No URI holds such a byte (RFC 3986 §2), so that text, code and tables put it directly after one;
//! but programs that write addresses may leave it unescaped. The surrounding text shows which case
//! it is. In 62,280 bare links of mail and documentation, these bytes occurred before more of a
//! word: 15 times an opening bracket, 7 of which belonged to the link (`brackets`); 21 times a
//! backslash, 12 of which did; twice a backtick, of reStructuredText; once a bar, and once a
//! circumflex of a chat. 5,632 closing brackets had their partners before the link. So circumflexes
//! and brackets within a word are accepted, and bars in a query before another parameter. Elsewhere
//! the link ends, and a warning reports that it may have been cut.
//!
//! Quotes, angle brackets and closing parentheses end text that they opened before the link. They
//! may cut a link where nothing is open on its line. So may characters outside US-ASCII (`marks`),
//! which no browser would refuse either, and all of them after punctuation (`trimmed`). Bytes that
//! are no characters show damaged text (`damaged`).

use crate::scheme;
use crate::span::{Span, last_line};

use super::around::quotes_end;
use super::backslash::octal;
use super::quotation;
use super::unicode::{self, Role};
use super::{begins_uri, continues, goes_on_with, is_closing};

mod continued;
mod damaged;
mod folded;
mod marks;
mod tags;
mod trimmed;

pub(in crate::scan) use folded::{begins_part, tells};
pub(crate) use tags::holds_link;

/// Bytes before a URI, on its line, that are searched for the partner of its last byte.
const LOOKBACK_MAX: usize = 512;

/// Bytes after a URI that are examined.
const AHEAD_MAX: usize = 256;

/// Returns the character before which the bare URI at `span` ends, if browsers accept it and more
/// of a word follows it, so that the URI may have been cut there.
#[must_use]
pub(in crate::scan) fn cut_before(bytes: &[u8], span: Span) -> Option<char> {
    cut_at_once_before(bytes, span)
        .or_else(|| trimmed::cut_before(bytes, span))
        .or_else(|| tags::cut_before(bytes, span))
        .or_else(|| folded::cut_before(bytes, span))
}

/// Returns the next character, if the URI may have been cut there.
fn cut_at_once_before(bytes: &[u8], span: Span) -> Option<char> {
    let byte = *bytes.get(span.end)?;
    let is_one = match byte {
        b'[' | b'\\' | b']' | b'^' | b'`' | b'{' | b'|' | b'}' => is_cut(bytes, span, byte),
        b'"' | b'<' | b'>' | b')' | b'\'' | b'-' | b'.' | b':' | b'%' => is_cut(bytes, span, byte),
        b'_' => {
            let after = bytes.get(span.end + 1..).unwrap_or_default();
            begins_word(after) && is_within_port(bytes, span) || is_within_emphasis(bytes, span)
        }
        0x80.. => {
            let Some(character) = unicode::char_at(bytes, span.end) else {
                let is_one = damaged::is_lone_letter(bytes, span.end)
                    || damaged::is_damaged(bytes, span)
                    || damaged::is_word(bytes, span);
                return is_one.then_some(char::from(byte));
            };
            let is_one = marks::are_cut(bytes, span, character) || is_within_port(bytes, span);
            return is_one.then_some(character);
        }
        b'\n' | b'\r' => damaged::is_soft_break(bytes, span),
        ..b' ' | 0x7F => damaged::has_lost_equals_sign(bytes, span),
        _ => byte.is_ascii_alphanumeric() && is_within_port(bytes, span),
    };
    is_one.then(|| char::from(byte))
}

/// Reports whether the URI at `span` may continue with `byte`, the byte after it.
fn is_cut(bytes: &[u8], span: Span, byte: u8) -> bool {
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default();
    let marks = near.iter().take_while(|next| **next == byte).count();
    let after = near.get(marks..).unwrap_or_default();
    let goes_on = continues(after) || begins_beyond_ascii(after);
    let line = line_before(bytes, span.start);
    match byte {
        b'^' if is_carriage_return(bytes, span.end) => false,
        b'^' | b'[' | b'"' | b'|' if begins_any_uri(after) => false,
        b'|' | b'^' => is_cut_at_bars(bytes, span, near, line),
        b'`' => {
            goes_on && after.first() != Some(&b'_') && runs(line, b'`', marks).is_multiple_of(2)
        }
        b'{' => {
            let is_text = |next: &u8| next.is_ascii_graphic() && *next != b'\\';
            let is_string = || after.starts_with(b"\\\"") && lacks_value(span.of(bytes));
            (after.first().is_some_and(is_text) || is_string()) && !ends_frame(near, line)
        }
        b'}' => goes_on && count(line, b'{') <= count(line, b'}'),
        b']' => goes_on && count(line, b'[') <= count(line, b']'),
        b'[' => {
            let inside = within_quotes(after, line);
            let is_value = || begins_value(inside) && lacks_value(span.of(bytes));
            marks <= 2 && (is_part(inside) || is_value()) && count(line, b'[') <= count(line, b']')
        }
        b'\\' => {
            let is_continued = marks == 1 && continued::goes_on(span.of(bytes), after, line);
            let is_continued = is_continued || continued::escapes_blank(span.of(bytes), after);
            marks <= 2 && begins_name(after) && !is_of_text(after, line) || is_continued
        }
        // In TeX, one at the end of a line begins a comment.
        b'%' => {
            let is_comment = matches!(after.first(), Some(b'\n' | b'\r'))
                && count(line, b'{') > count(line, b'}');
            let is_bare = !line.ends_with(b"%") && authority(span.of(bytes)).is_none();
            marks == 1 && is_bare && !is_comment
        }
        b'"' | b')' | b'>' if !goes_on || marks > 1 || !is_whole(line, bytes, span.start) => false,
        b'"' => {
            let is_word = begins_word(after) || matches!(after, [b'.' | b'?' | b'#', ..]);
            is_word && !line.ends_with(b"'") && count(line, b'"').is_multiple_of(2)
        }
        b')' => count(line, b'(') <= count(line, b')'),
        b'>' => !is_closed(line, bytes, span) && !is_command(line),
        b'<' => {
            let last = span.of(bytes).last();
            last.is_some_and(|last| is_placeholder(near, *last))
                || marks == 1 && (is_less_than(after) || goes_on && is_quoted(bytes, span))
        }
        b':' => {
            let after = near.get(1..).unwrap_or_default();
            let may_be_user = || authority(span.of(bytes)).is_some_and(is_name);
            is_placeholder(after, byte) || is_password(within_quotes(after, line)) && may_be_user()
        }
        // A host ends here, and more of it must follow, or a path, query, fragment or port.
        b'\'' => {
            let is_quote = || quotation::ends_at(bytes, span.start, span.end);
            is_of_host(after) && !line.ends_with(b"'") && !is_quote()
        }
        b'-' => is_after_hyphens(near) || begins_word(after) && is_within_port(bytes, span),
        _ => is_after_hyphens(near),
    }
}

/// Reports whether the circumflex at `at` stands for a carriage return at the end of a line, as
/// git, less and vim show it: `^M`.
pub(super) fn is_carriage_return(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    matches!(rest, [b'^', b'M'] | [b'^', b'M', b'\n' | b'\r', ..])
}

/// Reports whether a URI of any scheme with an authority begins `text`.
fn begins_any_uri(text: &[u8]) -> bool {
    let len = text.iter().take_while(|byte| scheme::is_scheme_byte(**byte)).count();
    len > 1 && text.get(len..).is_some_and(|after| after.starts_with(b"://"))
}

/// Reports whether `text`, which begins with bars and circumflexes after a URI, continues it:
/// `line`, the text before the URI, has no bars that divide it, and none after the URI do.
fn is_cut_at_bars(bytes: &[u8], span: Span, text: &[u8], line: &[u8]) -> bool {
    let len = text.iter().take_while(|byte| matches!(byte, b'|' | b'^')).count();
    let (marks, after) = text.split_at(len);
    if !continues(after) && !begins_beyond_ascii(after) {
        return false;
    }
    let divides = || {
        let begins = begins_uri(after, 0) || after.starts_with(b"www.");
        begins || divides(line) || is_command(line) || is_column(span.of(bytes), line, after)
    };
    !marks.contains(&b'|') || !divides()
}

/// Reports whether `after`, after a bar, is another column than `uri`: a third one follows, or
/// both are values after a name and an equals sign. Queries have lists with bars.
fn is_column(uri: &[u8], line: &[u8], after: &[u8]) -> bool {
    let end = after.iter().position(|byte| *byte == b'\n').unwrap_or(after.len());
    let row = after.get(..end).unwrap_or_default();
    let is_query = memchr::memchr(b'?', uri).is_some();
    let name = row.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let is_value = name > 0 && row.get(name) == Some(&b'=') && line.ends_with(b"=");
    is_value || !is_query && row.contains(&b'|')
}

/// Reports whether `text` is the tag of a frame of Jira or Confluence that opens on `line`, the
/// text before the URI: `{quote}http://h/a{quote}`, `{color:red}http://h/a{color}`.
fn ends_frame(text: &[u8], line: &[u8]) -> bool {
    let Some(name) = memchr::memchr(b'}', text).and_then(|end| text.get(..end)) else {
        return false;
    };
    let is_name = name.len() > 1 && name.iter().skip(1).all(u8::is_ascii_alphabetic);
    let opens = |at| matches!(line.get(at + name.len()), Some(b'}' | b':'));
    is_name && memchr::memmem::find_iter(line, name).any(opens)
}

/// Reports whether `text`, after a backslash, is the font of troff that ends another one on `line`,
/// `\fIhttp://h/a\fP`, a line break in a line of subtitles (Advanced SubStation Alpha), or an
/// escape in a program that ends a hyperlink of a terminal, `\e]8;;http://h/a\a`.
fn is_of_text(text: &[u8], line: &[u8]) -> bool {
    match text {
        [b'a' | b'e', ..] if memchr::memmem::find(line, b"]8;").is_some() => true,
        [b'f', b'P' | b'R' | b'B' | b'I' | b'(' | b'[' | b'1'..=b'4', ..] => {
            memchr::memmem::find(line, b"\\f").is_some()
        }
        [b'N' | b'h', ..] => line.starts_with(b"Dialogue: "),
        _ => false,
    }
}

/// Reports whether `line`, before a URI, is a command of a shell that fetches or prints it, in
/// which a bar and a `>` are the shell's.
fn is_command(line: &[u8]) -> bool {
    const COMMANDS: [&[u8]; 6] = [b"curl ", b"wget ", b"lynx ", b"w3m ", b"echo ", b"printf "];
    let begins = |at: usize| at == 0 || !line.get(at - 1).is_some_and(u8::is_ascii_alphanumeric);
    let has = |name: &&[u8]| memchr::memmem::find_iter(line, name).any(begins);
    COMMANDS.iter().any(has) && count(line, b'"').is_multiple_of(2) && !line.ends_with(b"'")
}

/// Reports whether the URI at `span`, directly after underscores, ends before others and a bracket,
/// and the word ends with as many: `_http://h/a_(b)_`.
fn is_within_emphasis(bytes: &[u8], span: Span) -> bool {
    let before = bytes.get(..span.start).unwrap_or_default();
    let count = before.iter().rev().take(2).take_while(|byte| **byte == b'_').count();
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default();
    let word = near.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let word = near.get(..word).unwrap_or_default();
    let is_mark = |byte: &&u8| is_closing(**byte);
    let marks = word.iter().rev().take_while(is_mark).count();
    let word = word.get(..word.len() - marks).unwrap_or_default();
    let marks = b"__".get(..count).unwrap_or_default();
    let inside = word.strip_prefix(marks).and_then(|word| word.strip_suffix(marks));
    count > 0 && inside.is_some_and(|inside| inside.starts_with(b"("))
}

/// Returns the beginning of `text` that a quote cannot end: one that is open on `line`, the text
/// before the URI.
fn within_quotes<'t>(text: &'t [u8], line: &[u8]) -> &'t [u8] {
    let is_open = |quote: u8| match quote {
        b'\'' => line.ends_with(b"'"),
        _ => !count(line, quote).is_multiple_of(2),
    };
    let ends = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`') && is_open(*byte);
    let len = text.iter().position(ends).unwrap_or(text.len());
    text.get(..len).unwrap_or_default()
}

/// Returns the authority of `uri` if nothing follows it.
fn authority(uri: &[u8]) -> Option<&[u8]> {
    let is_www = uri.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"www."));
    let start = if is_www { 0 } else { memchr::memmem::find(uri, b"://")? + 3 };
    uri.get(start..).filter(|text| memchr::memchr3(b'/', b'?', b'#', text).is_none())
}

/// Reports whether `authority` has neither a user nor a port.
fn is_name(authority: &[u8]) -> bool {
    memchr::memchr2(b'@', b':', authority).is_none()
}

/// Reports whether `text`, after a name and a colon, is a password with a byte that no URI holds,
/// an `@`, and a host. Quotes and brackets at its beginning enclose an address of mail.
fn is_password(text: &[u8]) -> bool {
    let goes_on = |byte: &&u8| {
        let is_part = byte.is_ascii_graphic() || **byte >= 0x80;
        is_part && !matches!(byte, b'@' | b'/' | b'?' | b'#' | b'<' | b'>' | b',')
    };
    let len = text.iter().take_while(goes_on).count();
    let (password, after) = text.split_at(len);
    let is_enclosed = matches!(password, [b'"' | b'\'' | b'`' | b'(' | b'[' | b'{', ..] | []);
    !is_enclosed && matches!(after, [b'@', next, ..] if next.is_ascii_alphanumeric())
}

/// Reports whether the URI at `span` ends in its port, and text that is no word of a script without
/// blanks, and no other URI, follows it directly.
fn is_within_port(bytes: &[u8], span: Span) -> bool {
    let Some(authority) = authority(span.of(bytes)) else { return false };
    let digits = authority.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = authority.get(..authority.len() - digits).unwrap_or_default();
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default();
    let is_text = unicode::char_at(near, 0).is_some_and(|next| {
        unicode::needs_no_blank(next) || unicode::is_sign(next) || !begins_beyond_ascii(near)
    });
    let name = near.iter().take_while(|byte| scheme::is_scheme_byte(**byte)).count();
    let is_uri = near.get(name..).is_some_and(|after| after.starts_with(b"://"));
    digits > 0 && before.ends_with(b":") && !is_text && !is_uri
}

/// Reports whether the `>` after the URI at `span` closes something: a tag that opens on `line`,
/// the text before the URI, or on an earlier line; or belongs to an arrow.
fn is_closed(line: &[u8], bytes: &[u8], span: Span) -> bool {
    let is_value = match line.last() {
        Some(b'"' | b'\'') => !is_quoted(bytes, span),
        last => matches!(last, Some(b'=' | b'<')),
    };
    let uri = span.of(bytes);
    let is_arrow = uri.ends_with(b"-") || uri.ends_with(b"=");
    is_value || is_arrow || count(line, b'<') > count(line, b'>') || begins_uri(bytes, span.end + 1)
}

/// Reports whether a quote directly before the URI at `span` is closed in the word, after the byte
/// at the end of `span`.
fn is_quoted(bytes: &[u8], span: Span) -> bool {
    quotes_end(bytes, span.start, span.end + 1)
}

/// Reports whether `text`, after a `<`, begins no tag: with a digit, or with a name before another
/// parameter.
fn is_less_than(text: &[u8]) -> bool {
    let len = text.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    let word = text.get(..len).unwrap_or_default();
    let name = word.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_parameter = match word.get(name..) {
        Some([b'&', next, more @ ..]) => next.is_ascii_alphabetic() && more.contains(&b'='),
        _ => false,
    };
    let is_number = match word {
        [b'=', next, ..] => next.is_ascii_alphanumeric(),
        _ => word.first().is_some_and(u8::is_ascii_digit),
    };
    let is_tag = memchr::memchr3(b'<', b'>', b'@', word).is_some();
    !is_tag && (is_number || name > 0 && is_parameter) || is_number && is_within(word)
}

/// Reports whether `word` goes on after its first `>`, as identifiers of articles do:
/// `49:8<693::AID-ASI4>3.0.CO;2-O`.
fn is_within(word: &[u8]) -> bool {
    let close = memchr::memchr3(b'<', b'>', b'@', word).filter(|at| word.get(*at) == Some(&b'>'));
    close.and_then(|at| word.get(at + 1..)).is_some_and(goes_on_as_word)
}

/// Elements of HTML without content, or whose end tags may be omitted, and those of short texts.
const ELEMENTS: [&[u8]; 30] = [
    b"a", b"b", b"br", b"cite", b"code", b"dd", b"div", b"dt", b"em", b"font", b"hr", b"i", b"img",
    b"input", b"kbd", b"li", b"link", b"meta", b"option", b"p", b"pre", b"s", b"span", b"strong",
    b"table", b"td", b"th", b"tr", b"u", b"wbr",
];

/// Reports whether `text` begins with a name in angle brackets that a reader is to replace, as in
/// `http://h/<id>/x`: after `last`, a delimiter of the URI, or before more of the word. Elements of
/// HTML and XML are none.
fn is_placeholder(text: &[u8], last: u8) -> bool {
    const LEN_MAX: usize = 64;
    let Some((b'<', inside)) = text.split_first() else { return false };
    let is_of_name =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_. ".contains(byte) || **byte >= 0x80;
    let len = inside.iter().take(LEN_MAX).take_while(is_of_name).count();
    let Some((name, [b'>', after @ ..])) = inside.split_at_checked(len) else { return false };
    let is_value = last == b'=' && after.first() == Some(&b'&');
    let is_name = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
        && (is_value || !ELEMENTS.iter().any(|element| element.eq_ignore_ascii_case(name)));
    let end_tag = [b"</", name].concat();
    let is_element = || memchr::memmem::find(after, &end_tag).is_some();
    let goes_on = |next: &u8| goes_on_with(*next) || matches!(next, b'.' | b':' | b'?' | b'#');
    let is_part = b"/=&?#-_.:".contains(&last) || after.first().is_some_and(goes_on);
    is_name && is_part && !is_element()
}

/// Returns the line before the URI at `start`, as far as it is examined.
pub(super) fn line_before(bytes: &[u8], start: usize) -> &[u8] {
    let near = bytes.get(start.saturating_sub(LOOKBACK_MAX)..start).unwrap_or_default();
    near.get(last_line(near)..).unwrap_or_default()
}

/// Reports whether `line`, before the URI at `start`, is seen from its beginning, so that all marks
/// that it opens are known.
fn is_whole(line: &[u8], bytes: &[u8], start: usize) -> bool {
    let before = start.checked_sub(line.len() + 1).and_then(|at| bytes.get(at));
    before.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Returns the number of runs of `len` marks in `line`: two backticks open other text than one.
fn runs(line: &[u8], mark: u8, len: usize) -> usize {
    line.chunk_by(|a, b| a == b)
        .filter(|run| run.len() == len && run.first() == Some(&mark))
        .count()
}

fn count(line: &[u8], mark: u8) -> usize {
    memchr::memchr_iter(mark, line).count()
}

/// Reports whether `line` has bars that divide it (columns, fields of a log), or brackets of a link
/// in a wiki.
fn divides(line: &[u8]) -> bool {
    line.iter().any(|byte| matches!(byte, b'|' | b'[' | b'{'))
}

/// Reports whether `text`, after an opening bracket, is more than a footnote or a tag, or more of
/// a word follows the closing one.
fn is_part(text: &[u8]) -> bool {
    let is_inside = |byte: &&u8| **byte != b']' && (byte.is_ascii_graphic() || **byte >= 0x80);
    let len = text.iter().take_while(is_inside).count();
    let inside = text.get(..len).unwrap_or_default();
    let is_empty = inside.is_empty();
    // A value in JSON, or the author's own cut.
    if text.starts_with(b"{\"") || matches!(inside, b"..." | [0xE2, 0x80, 0xA6]) {
        return true;
    }
    let is_number = !is_empty && inside.iter().all(u8::is_ascii_digit);
    // A footnote or a citation of Org.
    let is_of_org = inside.starts_with(b"fn:") || inside.starts_with(b"cite:");
    let is_note = is_number || is_of_org || matches!(inside, [b'/' | b'^', ..]);
    let is_within = match text.get(len + 1..) {
        Some(after) if text.get(len) == Some(&b']') => goes_on_as_word(after),
        _ => !is_empty && continues(inside),
    };
    // The marks of a router or of a template before its name.
    let marks = [&b"..."[..], b"=", b"%"];
    let name = marks.iter().find_map(|mark| inside.strip_prefix(*mark)).unwrap_or(inside);
    !is_note && (begins_word(name) || is_within)
}

/// Reports whether `uri` ends in the name of a parameter and an equals sign, so that its value must
/// follow.
fn lacks_value(uri: &[u8]) -> bool {
    let last = memchr::memrchr2(b'?', b'&', uri).and_then(|at| uri.get(at + 1..));
    last.is_some_and(|last| last.len() > 1 && memchr::memchr(b'=', last) == Some(last.len() - 1))
}

/// Reports whether `text`, after an opening bracket, begins as a string or a range does, and is not
/// the number of a footnote.
fn begins_value(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = digits > 0 && text.get(digits) == Some(&b']');
    let begins = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'-');
    !is_number && text.first().is_some_and(begins)
}

/// Reports whether `text` begins with more of a word, of a script with blanks between words, and
/// not with another URI. A mark must precede a letter or a digit.
fn goes_on_as_word(text: &[u8]) -> bool {
    let is_one = match text {
        [b'/' | b'=' | b'&' | b'-' | b'~' | b'.' | b'?' | b'#' | b'+', next, ..] => {
            next.is_ascii_alphanumeric()
        }
        [b'%' | b'_', ..] => true,
        _ => unicode::char_at(text, 0).map_or_else(
            || text.first().is_some_and(u8::is_ascii_alphanumeric),
            |next| {
                let is_text = unicode::needs_no_blank(next) || unicode::is_sign(next);
                unicode::role(next) == Role::Inside && !is_text
            },
        ),
    };
    is_one && !begins_uri(text, 0)
}

/// Reports whether `text`, after a backslash, is more than an escape and the text after it.
fn begins_name(text: &[u8]) -> bool {
    match text {
        [b'n' | b'r' | b't', after @ ..] => has_second_name(after),
        [b'u' | b'U' | b'x', ..] if is_numbered(text) => false,
        [b'N', b'{', name @ ..] => continued::names_letter(name),
        [b'0'..=b'3', ..] => {
            octal(text).is_some_and(|byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
        }
        [b'~' | b'@' | b'-' | b'/', second, ..] => second.is_ascii_alphanumeric(),
        [first, second, ..] => {
            let goes_on = second.is_ascii_alphanumeric() || b"/\\-_.&".contains(second);
            first.is_ascii_alphabetic() && goes_on
        }
        _ => false,
    }
}

/// Reports whether `text`, after a backslash, is a character by its number: `\u0026`, `\x26`,
/// `\U0001F600`, for which old property lists write four digits.
fn is_numbered(text: &[u8]) -> bool {
    let len = if text.starts_with(b"x") { 2 } else { 4 };
    text.get(1..=len).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Reports whether `text`, after a backslash and a letter that may be a control, continues a path:
/// with the rest of a name, and another name after a backslash that begins no such control.
fn has_second_name(text: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let len = text.iter().take_while(is_of_name).count();
    let second = match text.get(len..) {
        Some([b'\\', b'\\', second @ ..] | [b'\\', second @ ..]) if len > 0 => second,
        _ => return false,
    };
    match second {
        [b'n' | b'r' | b't', ..] => false,
        [b'1'..=b'9', next, ..] => next.is_ascii_alphanumeric(),
        _ => begins_name(second),
    }
}

fn begins_word(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphanumeric) || begins_beyond_ascii(text)
}

/// Reports whether `text` begins with a character outside US-ASCII that is no punctuation.
fn begins_beyond_ascii(text: &[u8]) -> bool {
    unicode::char_at(text, 0).is_some_and(|next| unicode::role(next) == Role::Inside)
}

/// Reports whether `text` begins with a path, a query, a fragment or a port.
fn is_after_host(text: &[u8]) -> bool {
    matches!(text, [b'/' | b'?' | b'#' | b':', next, ..] if next.is_ascii_alphanumeric())
}

/// Reports whether `text`, after an apostrophe, is more of a host: it has a top-level domain, or a
/// path, a query, a fragment or a port follows it.
fn is_of_host(text: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let len = text.iter().take_while(is_of_name).count();
    let (name, after) = text.split_at(len);
    let dots = name.iter().rev().take_while(|byte| **byte == b'.').count();
    let name = name.get(..len - dots).unwrap_or_default();
    let last = memchr::memrchr(b'.', name).and_then(|dot| name.get(dot + 1..));
    let is_domain =
        last.is_some_and(|last| last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic));
    let begins = name.first().is_none_or(u8::is_ascii_alphanumeric);
    begins && (is_domain || is_after_host(after))
}

/// Reports whether `text`, at the end of a host, has a hyphen among the marks that it begins with,
/// and the rest of a URI after them.
fn is_after_hyphens(text: &[u8]) -> bool {
    let marks = text.iter().take_while(|byte| matches!(byte, b'-' | b'.')).count();
    let (marks, after) = text.split_at(marks);
    let is_rest = match after {
        [b'/', ..] => true,
        [b':', next, ..] => next.is_ascii_digit(),
        [b'?' | b'#', next, ..] => next.is_ascii_graphic(),
        _ => false,
    };
    marks.contains(&b'-') && is_rest
}

/// Returns the number of bars at `at` in a query, if another parameter follows them, and no bar
/// divides the line before the URI at `start`.
pub(super) fn query_bars(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let near = bytes.get(at..bytes.len().min(at + AHEAD_MAX))?;
    let len = near.iter().take_while(|byte| **byte == b'|').count();
    let after = near.get(len..)?;
    let is_own = |byte: &&u8| byte.is_ascii_alphanumeric() || b"%_-.~+|/:,".contains(byte);
    let word = after.iter().take_while(is_own).count();
    let is_parameter = word > 0 && matches!(after.get(word), Some(b'=' | b'&'));
    let is_list = is_parameter && !begins_uri(bytes, at + len);
    (is_list && !divides(line_before(bytes, start))).then_some(len)
}

/// Asserts that the first URI in `text` may have been cut before the character `expected`.
#[cfg(test)]
#[track_caller]
fn case(text: &str, expected: Option<char>) {
    let span = crate::scan::Scanner::new(text.as_bytes()).next().unwrap().span;
    assert_eq!(cut_before(text.as_bytes(), span), expected, "{text}");
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn case(text: &str, expected: Option<u8>) {
        super::case(text, expected.map(char::from));
    }

    #[test]
    fn an_authority_may_be_cut_at_an_apostrophe_a_password_or_a_port() {
        case("https://o'reilly.example/x", Some(b'\''));
        case("see https://www.men's-health.example/x", Some(b'\''));
        case("see https://www.men's-health.example.", Some(b'\''));
        case("see http://men's/x", Some(b'\''));
        for mark in ["[", "^", "|", "`", "{", "\"", "\\"] {
            case(&format!("see https://user:p{mark}w@a.example/"), Some(b':'));
        }
        case("https://user:1^w@a.example/", Some(b'^'));
        case("https://a.example:80x", Some(b'x'));
        case("https://a.example:80-90", Some(b'-'));
        case("https://a.example:80_x", Some(b'_'));
        case("see http://h.example's home", None);
        case("see http://h.example's.", None);
        case("see http://h.example'/>", None);
        case("'http://h.example'os.path/x", None);
        case("http://a.example'https://b.example/", None);
        case("{\"a\":\"http://h:x\",\"b\":\"a@b.example\"}", None);
        case("see http://h:x (a@b.example)", None);
        case("see http://h:\"a@b.example\"", None);
        case("https://a.example:80->", None);
        case("https://a.example:80- and", None);
        case("https://a.example:80.Next", None);
        case("https://a.example:80和", None);
        case("https://a.example:80https://b.example/", None);
        case("https://a.example:80x/y", None);
    }

    #[test]
    fn brackets_and_circumflexes_before_more_of_the_word_cut_it() {
        case("see http://h/a[\"x\"]/b", Some(b'['));
        case("see http://h/a[]b", Some(b'['));
        case("see http://h/?q=a^^b&c=1", Some(b'^'));
        case("see http://h/x^|y", Some(b'^'));
        case("see http://h/a[], b", None);
        case("see http://h/a[]http://i/b", None);
        case("\"http://h/a[\"+x+\"]/b\"", None);
        case("|http://h/x^|y|", None);
        case("see http://h/a^^;", None);
    }

    #[test]
    fn a_backslash_before_a_name_is_no_escape() {
        case("see http://h/a\\users\\x", Some(b'\\'));
        case("see http://h/a\\Users\\x", Some(b'\\'));
        case("see http://h/a\\xml\\x", Some(b'\\'));
        case("see http://h/a\\New", Some(b'\\'));
        case("see http://h/a\\reports\\2024", Some(b'\\'));
        case("\"http://h/a\\\\reports\\\\2024\"", Some(b'\\'));
        case("see http://h/a\\nand\\nmore", None);
        case("see http://h/a\\r\\nand", None);
        case("see http://h/a\\nand\\033[0m", None);
        case("see http://h/a\\nC:\\dir", None);
        case("see http://h/a\\N{dash}", None);
        case("see http://h/a\\N{COMET}", Some(b'\\'));
        case("see http://h/a\\351b", Some(b'\\'));
        case("see http://h/a\\047b", None);
        case("see http://h/a\\ud83d", None);
        case("see http://h/a\\x80x", None);
    }

    #[test]
    fn links_that_end_within_a_word_may_be_cut() {
        case("see http://h/a|b", Some(b'|'));
        case("see http://h/?a=b|c|d", Some(b'|'));
        case("see http://h/49:8<693::AID-ASI4>3.0.CO;2-O", Some(b'<'));
        case("see http://h/a<1-2>b", Some(b'<'));
        case("see http://h/?a=[{\"b\":1}]", Some(b'['));
        case("_http://h/wiki/Rust_(language)_", Some(b'_'));
        case("see http://h/?a=1|b", Some(b'|'));
        case("see http://h/a`b", Some(b'`'));
        case("see http://h/a{b}", Some(b'{'));
        case("see http://h/a{b", Some(b'{'));
        case("see http://h/a}b", Some(b'}'));
        case("see http://h/a[b] and", Some(b'['));
        case("see http://h/a[b", Some(b'['));
        case("see http://h/a]b", Some(b']'));
        case("see http://h^b/", Some(b'^'));
        case("see http://h/a\\share", Some(b'\\'));
        case("see http://h/a\\b/c", Some(b'\\'));
        case("see http://h.example\\b\\c", Some(b'\\'));
        case("\"http://h/a\\\\share\"", Some(b'\\'));
        case("see http://h.example-/a", Some(b'-'));
        case("see http://h.example-/ and", Some(b'-'));
        case("see http://h.example-.:80", Some(b'-'));
        case("see http://h.example.-/", Some(b'.'));
        case("see http://h.example-?%", Some(b'-'));
        case("see http://h/<id>/x", Some(b'<'));
        case("see http://h/?q=<your name>&x=1", Some(b'<'));
        case("see http://h/a<id>.html", Some(b'<'));
        case("see http://h/<número>", Some(b'<'));
        case("see http://h/?a=<b>&c=1", Some(b'<'));
        case("see http://h.example:<port>/", Some(b':'));
        case("see http://h.example:<port>", Some(b':'));
        case("see http://h/\"id\"/x", Some(b'"'));
        case("a \"b\" http://h/?x=\"1\"&y=2", Some(b'"'));
        case("see http://h/a>b", Some(b'>'));
        case("see http://h/a)b/c", Some(b')'));
        case("(old) http://h/a)b", Some(b')'));
        case("see http://h.example'/a", Some(b'\''));
        case("\"http://h/[...slug]\"", Some(b'['));
        case("\"http://h/[[x]]\"", Some(b'['));
        case("\"http://h/[=id]\"", Some(b'['));
        case("\"http://h/[%id%]\"", Some(b'['));
        case("see http://h.example\\@i.example/", Some(b'\\'));
        case("see http://h/100%", Some(b'%'));
        case("\"http://h/a%\"", Some(b'%'));
        case("see http://h/%E4%B8% and", Some(b'%'));
    }

    #[test]
    fn a_bracket_begins_the_value_of_a_parameter() {
        case("see http://h/?f=[[\"x\"]]", Some(b'['));
        case("see http://h/?a=1&range=[1 TO 2]", Some(b'['));
        case("see http://h/?range=[-1 TO 2]", Some(b'['));
        case("\"http://h/?f={\\\"a\\\":1}\"", Some(b'{'));
        case("see http://h/?id=[1]", None);
        case("see http://h/?id=YQ==[1]", None);
        case("[url]http://h/?q=[/url]", None);
        case("\"http://h/?q=[\" + x", None);
        case("\"http://h/a{\\\"b\"", None);
    }

    #[test]
    fn marks_that_open_before_a_link_cut_none() {
        case("{quote}http://h/a{quote}", None);
        case("{code:sh}http://h/a{code}", None);
        case("{color:red}http://h/a{color}", None);
        case("{quote}http://h/a{code}", Some(b'{'));
        case("echo http://h/a|tee f", None);
        case("http://h/a|cat", Some(b'|'));
        case("Dialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,http://h/a\\Nx", None);
        case("\\fIhttp://h/a\\fP", None);
        case("see http://h/a\\fP", Some(b'\\'));
        case("%http://h/a%", None);
        case("http://h.example%", None);
        case("see http://h/a%% b", None);
        case("\\footnote{http://h/a%\n}", None);
    }

    #[test]
    fn a_mark_before_more_of_the_word_continues_it() {
        case("see http://h/a|.html", Some(b'|'));
        case("see http://h/a].html", Some(b']'));
        case("see http://h/a).html", Some(b')'));
        case("see http://h/a}?y", Some(b'}'));
        case("see http://h/a`.js", Some(b'`'));
        case("see http://h/a}#y", Some(b'}'));
        case("see http://h/?q=a<5&p=2", Some(b'<'));
        case("see http://h/?q=a<b&p=2", Some(b'<'));
        case("\"http://h/?q=a>b\"", Some(b'>'));
        case("'http://h/?q=a<b'", Some(b'<'));
        case("see http://h/?q=a<=5", Some(b'<'));
        case("see http://h/a\".html", Some(b'"'));
        case("see http://h/a[.html", Some(b'['));
        case("see http://h/a[本] and", Some(b'['));
        case("see http://h/a[b](x) and", Some(b'['));
        case("(http://h/a).Next", None);
        case("[http://h/a].Next", None);
        case("{http://h/a}.Next", None);
        case("`http://h/a`.Next", None);
        case("see http://h/a). Next", None);
        case("see http://h/a].", None);
        case("见 http://h/a]。", None);
        case("see http://h/a[“b”]", None);
        case("see http://h/a[.b]", None);
        case("see \"http://h/a\".b", None);
        case("see http://h/a<5>", None);
        case("see http://h/a<5.b@h.example", None);
        case("see http://h/a<b&", None);
        case("<a href=\"http://h/a>b</a>", None);
        case("x=\"http://h/a>b c\"", None);
        case("\"http://h/a>http://i/b\"", None);
    }

    #[test]
    fn marks_of_the_text_cut_no_link() {
        case("see http://h/a|", None);
        case("http://h/a|200|12", None);
        case("x=http://h/a|y=1", None);
        case("www.a.example http://h/a|www.b.example", None);
        case("curl -fsSL http://h/a|bash -s", None);
        case("wget -qO- http://h/a>/tmp/x", None);
        case("see http://h/a| b", None);
        case("|a|http://h/a|b|", None);
        case("[[http://h/a|label]]", None);
        case("a,http://h/a|http://h/b", None);
        case("`http://h/a`b", None);
        case("`text http://h/a`_ and", None);
        case("``http://h/a``s", None);
        case("``text http://h/a``s", None);
        case("``b`` http://h/a``s", Some(b'`'));
        case("{http://h/a}b", None);
        case("[see http://h/a]b", None);
        case("see http://h/a[1]", None);
        case("see http://h/a[^1]", None);
        case("see http://h/a[fn:1]", None);
        case("see http://h/a[fn::an inline one]", None);
        case("see http://h/a[cite:@b]", None);
        case("see http://h/a[]", None);
        case("[url]http://h/a[/url]b", None);
        case("\"http://h/a\\nand\"", None);
        case("see http://h/a^^", None);
        case("see http://h.example's page", None);
        case("see http://h.example- and", None);
        case("'http://h.example'/a", None);
        case("see http://h.example-: it", None);
        case("\"see http://h/a\"b", None);
        case("a=\"http://h/a\"\"b\"", None);
        case("see http://h/a\", and", None);
        case("see http://h/?a=<b>c</b>", None);
        case("see http://h.example:<br>", None);
        case("see http://h.example: <port>", None);
        case("see http://h.example:", None);
        case("see http://h/a<b", None);
        case("see http://h/<br>x", None);
        case("see http://h/a<http://h/a>", None);
        case("see http://h/<a@h.example>", None);
        case("<url>http://h/<title>x</title>", None);
        case("<url>http://h/</url>x", None);
        case("<a href=http://h/a>b</a>", None);
        case("href=http://h/a>b</a>", None);
        case("see http://h/a->http://h/b", None);
        case("see http://h/a-->b", None);
        case("(see http://h/a)b", None);
        case("[x](http://h/a)b", None);
        case("see http://h/a), b", None);
        case("see http://h/a\"/>", None);
        case(&["\"", &"x ".repeat(300), "http://h/a\"b"].concat(), None);
        case("see http://h/a\\nand", None);
        case("see http://h/a", None);
    }
}
