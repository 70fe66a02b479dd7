//! Detects a bare URI that ends within a word, before a character that is not one of US-ASCII.
//!
//! Quotation marks and brackets end a URI (`unicode`), since text encloses addresses in them. A
//! curly apostrophe within a word, and brackets before more of a word, may have been meant as part
//! of it. A mark whose partner is on the line before the URI belongs to the text.
//!
//! Other characters end a URI, too, although a reader may see none, `http://h/a\u{200B}b`, or types
//! them for a delimiter, `http://例え。jp/`. Sentences put full-width marks directly after a URI, so
//! that only what can be nothing else continues it: a parameter, or a path to a page.

use super::unicode::{self, Role};
use super::{
    AHEAD_MAX, authority, begins_uri, begins_word, goes_on_as_word, is_closing, is_of_host,
    is_whole, lacks_value, line_before,
};
use crate::span::Span;

/// A mark, and its partners.
struct Mark {
    mark: char,
    /// The marks that open text which this mark closes.
    openers: &'static [char],
    /// The mark that closes text which this mark opens, if it may open some after a URI.
    closer: Option<char>,
}

const fn quote(mark: char, openers: &'static [char]) -> Mark {
    Mark { mark, openers, closer: None }
}

const fn opener(mark: char, openers: &'static [char], closer: char) -> Mark {
    Mark { mark, openers, closer: Some(closer) }
}

/// Quotation marks of Latin scripts, some of which open text in one language and close it in
/// another, and brackets of East Asia.
static MARKS: [Mark; 31] = [
    quote('’', &['‘', '‚', '‛']),
    quote('‘', &['‚', '’']),
    quote('”', &['“', '„', '‟', '”']),
    opener('“', &['„', '“', '”'], '”'),
    quote('»', &['«', '»']),
    opener('«', &['»', '«'], '»'),
    quote('›', &['‹', '›']),
    opener('‹', &['›', '‹'], '›'),
    opener('（', &[], '）'),
    quote('）', &['（']),
    opener('［', &[], '］'),
    quote('］', &['［']),
    opener('【', &[], '】'),
    quote('】', &['【']),
    opener('「', &[], '」'),
    quote('」', &['「']),
    opener('《', &[], '》'),
    quote('》', &['《']),
    opener('『', &[], '』'),
    quote('』', &['『']),
    opener('〈', &[], '〉'),
    quote('〉', &['〈']),
    opener('〔', &[], '〕'),
    quote('〕', &['〔']),
    opener('〖', &[], '〗'),
    quote('〗', &['〖']),
    opener('｛', &[], '｝'),
    quote('｝', &['｛']),
    opener('｢', &[], '｣'),
    quote('｣', &['｢']),
    opener('„', &[], '“'),
];

/// Reports whether the URI at `span` may continue with `character`, the one after it.
pub(super) fn are_cut(bytes: &[u8], span: Span, character: char) -> bool {
    let from = span.end + character.len_utf8();
    let near = bytes.get(from..bytes.len().min(from + AHEAD_MAX)).unwrap_or_default();
    if character == char::REPLACEMENT_CHARACTER {
        return is_lost(bytes, span, near);
    }
    if is_in_title(bytes, span, character, near) {
        return true;
    }
    let Some(mark) = MARKS.iter().find(|mark| mark.mark == character) else {
        return is_divided(span.of(bytes), character, near);
    };
    let goes_on = match mark.closer {
        Some(closer) => after_closer(near, closer).is_some_and(|rest| {
            let expects_name = expects_name(span.of(bytes));
            goes_on_as_path(rest)
                || encloses_title(character) && expects_name
                || (expects_name || begins_word(rest)) && has_blanks(bytes, span, near)
        }),
        None if is_apostrophe(character) && authority(span.of(bytes)).is_some() => is_of_host(near),
        None => goes_on_as_word(near),
    };
    if !goes_on {
        return false;
    }
    let line = line_before(bytes, span.start);
    is_whole(line, bytes, span.start) && !mark.openers.iter().any(|opener| has(line, *opener))
}

/// Reports whether the URI at `span` ends in a script without blanks and may be the address of a
/// page whose title has `character`, a full-width mark: before a letter of the script, or a bracket
/// around some. Text in that script before the URI, on its line, may as well continue after it.
fn is_in_title(bytes: &[u8], span: Span, character: char, near: &[u8]) -> bool {
    let is_next = match character {
        '！' | '？' | '：' | '＆' => true,
        '（' => after_closer(near, '）').is_some(),
        _ => false,
    };
    let is_letter = |it: Option<char>| it.is_some_and(unicode::needs_no_blank);
    let line = || String::from_utf8_lossy(line_before(bytes, span.start));
    is_next
        && is_letter(unicode::char_before(bytes, span.end))
        && is_letter(unicode::char_at(near, 0))
        && authority(span.of(bytes)).is_none()
        && !line().chars().any(unicode::needs_no_blank)
}

/// Reports whether words have blanks between them on the line before the URI at `span`, and in
/// `near`, the word after it, so that nothing else may continue directly after the URI.
fn has_blanks(bytes: &[u8], span: Span, near: &[u8]) -> bool {
    let len = near.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let word = near.get(..len).unwrap_or_default();
    let is_of_word = |next| unicode::needs_no_blank(next) && unicode::role(next) == Role::Inside;
    [line_before(bytes, span.start), word]
        .into_iter()
        .all(|text| !String::from_utf8_lossy(text).chars().any(is_of_word))
}

/// Reports whether the URI at `span` may continue with a character that was lost, as half of a
/// surrogate pair in JSON: `near`, the text after it, ends a string or continues a word. Another
/// one on the line before the URI shows a quotation mark that was lost.
fn is_lost(bytes: &[u8], span: Span, near: &[u8]) -> bool {
    let ends = matches!(near.first(), None | Some(b'"' | b'\'' | b'<'));
    let line = line_before(bytes, span.start);
    (ends || goes_on_as_word(near)) && !has(line, char::REPLACEMENT_CHARACTER)
}

/// Reports whether `uri` ends before a `character` that is no mark of [`MARKS`], and `near`, the
/// text after it, may continue the URI.
fn is_divided(uri: &[u8], character: char, near: &[u8]) -> bool {
    let is_host = authority(uri).is_some();
    let is_next = |byte: &u8| byte.is_ascii_alphanumeric() || b"/?#&=%-_".contains(byte);
    match character {
        '…' => !is_host && is_shortened(uri, near),
        _ if is_without_width(character) => {
            let is_name = matches!(near, [b'.', next, ..] if next.is_ascii_alphanumeric());
            (is_name || near.first().is_some_and(is_next)) && !begins_uri(near, 0)
        }
        '。' | '．' | '｡' if is_host => {
            let near = with_dots(near);
            is_of_host(&near)
                || is_name_before_path(&near)
                || is_top_level(&near)
                || is_first_part(uri, &near)
        }
        _ if is_host && !character.is_whitespace() && is_label(uri) && is_of_host(near) => true,
        '·' => !is_host && begins_letters(near) && !begins_uri(near, 0),
        '／' if is_host => near.first().is_some_and(u8::is_ascii_alphanumeric),
        '：' if is_host => near.first().is_some_and(u8::is_ascii_digit),
        _ if unicode::role(character) == Role::Ends && !character.is_whitespace() => {
            leads_to_page(near) || !is_host && near.starts_with(b"_")
        }
        _ => false,
    }
}

/// Reports whether the authority of `uri` is only a name without a dot, no user and no port, so
/// that the rest of a host may follow it.
fn is_label(uri: &[u8]) -> bool {
    let name = authority(uri).unwrap_or_default();
    let is_whole = memchr::memchr3(b'.', b':', b'@', name).is_some() || name.ends_with(b"]");
    !name.is_empty() && !is_whole && !name.eq_ignore_ascii_case(b"localhost")
}

/// Reports whether a reader sees nothing of `character`.
pub(super) const fn is_without_width(character: char) -> bool {
    matches!(
        character,
        '\u{200B}'
            | '\u{180E}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{61C}'
            | '\u{FEFF}'
    )
}

/// Reports whether `text` begins with a name and a slash.
fn is_name_before_path(text: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let len = text.iter().take_while(is_of_name).count();
    len > 0 && text.get(len) == Some(&b'/')
}

/// Reports whether the host of `uri` is only a part of one that `near` continues after a dot: of an
/// address, or of a name without a dot. The name may be that of a server, before a sentence in a
/// script without blanks.
fn is_first_part(uri: &[u8], near: &[u8]) -> bool {
    let Some(authority) = authority(uri) else { return false };
    let host = authority.get(memchr::memrchr(b'@', authority).map_or(0, |at| at + 1)..);
    let host = host.unwrap_or_default();
    let is_address = host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    if is_address || host.is_empty() {
        return !host.is_empty() && near.first().is_some_and(u8::is_ascii_digit);
    }
    let is_label = memchr::memchr3(b'.', b':', b']', host).is_none();
    let is_name = near.first().is_some_and(u8::is_ascii_alphanumeric);
    let goes_on = begins_letters(near) && memchr::memchr2(b'.', b'/', near).is_some();
    let is_local = host.eq_ignore_ascii_case(b"localhost");
    let is_foreign = !host.is_ascii() && begins_letters(near);
    is_label && !is_local && (is_name || goes_on || is_foreign)
}

/// Reports whether `text` begins with a top-level domain of East Asia or of everywhere, in small
/// letters, and no word continues it.
fn is_top_level(text: &[u8]) -> bool {
    const NAMES: [&[u8]; 11] =
        [b"com", b"net", b"org", b"edu", b"gov", b"jp", b"cn", b"tw", b"hk", b"kr", b"info"];
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, after) = text.split_at(len);
    NAMES.contains(&name) && !matches!(after.first(), Some(b'-' | b'_'))
}

/// Reports whether `text` begins with two letters.
fn begins_letters(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text.get(..8).unwrap_or(text));
    let mut letters = text.chars().map(char::is_alphabetic);
    letters.next() == Some(true) && letters.next() == Some(true)
}

/// Reports whether `mark` encloses the titles of works and quotations, not remarks.
const fn encloses_title(mark: char) -> bool {
    matches!(mark, '《' | '〈' | '「' | '『' | '“' | '„' | '«' | '‹')
}

/// Reports whether a name may be missing at the end of `uri`: after a slash that ends more than a
/// host, or the mark between two words.
fn expects_name(uri: &[u8]) -> bool {
    let path = uri.strip_suffix(b"/").unwrap_or_default();
    uri.ends_with(b"_") || !path.is_empty() && authority(path).is_none()
}

/// Reports whether an ellipsis after `uri` replaces the rest of its last name, or a value.
fn is_shortened(uri: &[u8], near: &[u8]) -> bool {
    let ends = |next: &u8| next.is_ascii_whitespace() || b"\"')]>".contains(next);
    let is_name = uri.last().is_some_and(u8::is_ascii_alphanumeric);
    (is_name || lacks_value(uri)) && near.first().is_none_or(ends)
}

/// Returns the word at the beginning of `text` with its full-width dots as `.`, which browsers
/// accept in a host (UTS 46).
fn with_dots(text: &[u8]) -> Vec<u8> {
    let len = text.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let word = String::from_utf8_lossy(text.get(..len).unwrap_or_default()).into_owned();
    word.replace(['。', '．', '｡'], ".").into_bytes()
}

/// Reports whether the word at the beginning of `text` has a parameter of a query, or ends in the
/// path of a page.
fn leads_to_page(text: &[u8]) -> bool {
    const PAGES: [&[u8]; 8] =
        [b".html", b".htm", b".php", b".asp", b".aspx", b".jsp", b".pdf", b".shtml"];
    let len = text.iter().take_while(|byte| byte.is_ascii_graphic() || **byte >= 0x80).count();
    let word = text.get(..len).unwrap_or_default();
    if memchr::memmem::find(word, b"://").is_some() {
        return false;
    }
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_parameter = |at: usize| {
        let after = word.get(at + 1..).unwrap_or_default();
        let name = after.iter().take_while(is_name).count();
        name > 0 && after.get(name) == Some(&b'=')
    };
    let trimmed = word.iter().rev().take_while(|byte| is_closing(**byte)).count();
    let path = word.get(..word.len() - trimmed).unwrap_or_default();
    let ends_page = PAGES.iter().any(|page| path.ends_with(page));
    memchr::memchr2_iter(b'?', b'&', word).any(is_parameter) || ends_page && path.contains(&b'/')
}

const fn is_apostrophe(character: char) -> bool {
    matches!(character, '‘' | '’')
}

/// Returns the text after the first `closer` in the word at the beginning of `text`.
fn after_closer(text: &[u8], closer: char) -> Option<&[u8]> {
    let word = |byte: &&u8| byte.is_ascii_graphic() || **byte >= 0x80;
    let len = text.iter().take_while(word).count();
    let at = memchr::memmem::find(text.get(..len)?, encoded(closer, &mut [0; 4]))?;
    text.get(at + closer.len_utf8()..)
}

/// Reports whether `text` begins with more of a path or a query. A word may follow text in brackets
/// without a blank.
fn goes_on_as_path(text: &[u8]) -> bool {
    match text {
        [b'/' | b'#', (0x80..), ..] => true,
        [b'/' | b'.' | b'?' | b'#' | b'=' | b'&' | b'-' | b'_', ..] => goes_on_as_word(text),
        _ => false,
    }
}

fn has(line: &[u8], mark: char) -> bool {
    memchr::memmem::find(line, encoded(mark, &mut [0; 4])).is_some()
}

fn encoded(character: char, buffer: &mut [u8; 4]) -> &[u8] {
    character.encode_utf8(buffer).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::super::case;

    #[test]
    fn a_mark_within_a_word_may_cut_it() {
        case("see https://a.example/it’s/x", Some('’'));
        case("{\"https://a.example/\u{FFFD}\"}", Some('\u{FFFD}'));
        case("see https://a.example/caf\u{FFFD}/x", Some('\u{FFFD}'));
        case("see https://a.example/caf\u{FFFD} and", None);
        case("\u{FFFD}see https://a.example/\u{FFFD}", None);
        case("see https://a.example/it’s", Some('’'));
        case("see https://a.example/it‘s", Some('‘'));
        case("see https://o’reilly.example/x", Some('’'));
        case("see https://a.example/（x）/y", Some('（'));
        case("看https://a.example/（中文）/y", Some('（'));
        case("see https://a.example/x”y", Some('”'));
        case("see https://a.example/“x”.html", Some('“'));
        case("see https://a.example/x）/y", Some('）'));
        case("see https://a.example:80é", Some('é'));
        case("见https://a.example/wiki/东京（消歧义）#历史", Some('（'));
        case("见https://a.example/『x』.html", Some('『'));
        case("see https://a.example/〈id〉/x", Some('〈'));
        case("see https://a.example/a“b”c", Some('“'));
        case("see https://a.example/a«b»é", Some('«'));
        case("see https://a.example/wiki/（b）", Some('（'));
        case("see https://a.example/wiki/【b】.", Some('【'));
    }

    #[test]
    fn a_character_that_nobody_sees_or_that_stands_for_another_may_cut_it() {
        case("see https://a.example/x\u{200B}y/z.html", Some('\u{200B}'));
        case("see https://a\u{200B}b.example/", Some('\u{200B}'));
        case("see https://a.example/x\u{2060}y", Some('\u{2060}'));
        case("see https://a.example/x\u{FEFF}/y", Some('\u{FEFF}'));
        case("see http://例え。jp/x", Some('。'));
        case("see http://www．a。example/x", Some('．'));
        case("see http://a.example／x", Some('／'));
        case("see http://a.example：80/x", Some('：'));
        case("见http://a.example/你好，世界/1234.html", Some('，'));
        case("见http://a.example/检索？id=1&x=2", Some('？'));
        case("see http://a.example/2020！/c.html.", Some('！'));
        case("see http://a.example/very/long/pa… and", Some('…'));
        case("see http://a.example/x[…] and", Some('['));
        case("见https://a.example/wiki/《红楼梦》", Some('《'));
        case("siehe https://a.example/wiki/„X“", Some('„'));
        case("voir https://a.example/Le_«_Petit_»", Some('«'));
        case("见https://a.example/モーニング娘。_(x)", Some('。'));
        case("see https://a.example/Αλφα·Βητα", Some('·'));
        case("see http://a\u{200B}.example/x", Some('\u{200B}'));
        case("see http://www.\u{200B}a.example/x", Some('\u{200B}'));
        case("see http://a.example/x\u{200B}.html", Some('\u{200B}'));
        case("see http://a.example/x?\u{200B}b=c", Some('\u{200B}'));
        case("see http://h．example/", Some('．'));
        case("see http://www.example。com and", Some('。'));
        case("见http://www.example。com，", Some('。'));
        case("see http://1。2。3。4/", Some('。'));
        case("see https://10．0．0．1/", Some('．'));
        case("see https://10.0.0．1", Some('．'));
        case("see https://例え。テスト/", Some('。'));
        case("see https://例え｡テスト", Some('｡'));
        case("见http://server。テスト/x", Some('。'));
    }

    #[test]
    fn a_mark_may_be_in_a_host_or_in_a_title() {
        case("see http://h·x.example/x", Some('·'));
        case("see http://a—b.example/x", Some('—'));
        case("see http://a—see b.example", None);
        case("see http://a.example—b.example/x", None);
        case("see https://a.example/wiki/ラブライブ！サンシャイン!!", Some('！'));
        case("see https://a.example/wiki/日本（国）", Some('（'));
        case("看https://a.example/wiki/日本！然后", None);
        case("see https://a.example/wiki/日本！ and", None);
    }

    #[test]
    fn a_sentence_may_go_on_without_a_blank() {
        case("见http://a.example，支持Windows/Linux系统", None);
        case("见http://a.example/《书》", None);
        case("见http://a.example/docs/（官网）", None);
        case("见http://a.example/《书》 «x»", None);
        case("see http://a.example.\u{200B}Next", None);
        case("see http://a.example/x.\u{200B} Next", None);
        case("see http://a.example/x · y", None);
        case("见http://a.example。Next", None);
        case("见http://a.example。下一页", None);
        case("见http://a.example。computer", None);
        case("见http://localhost。下一页", None);
        case("见http://server。下一页", None);
        case("见http://server:80。下一页", None);
        case("见http://10.0.0.1。下一页", None);
        case("见http://a.example：Python版", None);
        case("见http://a.example/x，见http://b.example/y.html", None);
        case("见http://a.example/x。index.html", None);
        case("see http://a.example/x\u{A0}y/z.html", None);
        case("see http://a.example/x\u{200B} and", None);
        case("see http://a.example… and", None);
        case("see http://a.example/x…y", None);
    }

    #[test]
    fn a_mark_of_the_text_cuts_no_link() {
        case("“see https://a.example/x” and", None);
        case("see https://a.example/x” and", None);
        case("see https://a.example/x”.", None);
        case("see https://a.example/x’, and", None);
        case("see https://a.example’s home", None);
        case("“https://a.example/x”and", None);
        case("„https://a.example/x”and", None);
        case("»https://a.example/x«and", None);
        case("（见https://a.example/x）/y", None);
        case("「https://a.example/x」and", None);
        case("看https://a.example/x”和", None);
        case("看https://a.example/x（中文）", None);
        case("看https://a.example/x（中文）and", None);
        case("看https://a.example/x（b）and", None);
        case("see https://a.example/x（b） and", None);
        case("see https://a.example/（b）", None);
        case("see https://a.example/x“b”", None);
        case("看https://a.example/x（https://b.example/", None);
        case("see https://a.example/x（a b）/y", None);
    }
}
