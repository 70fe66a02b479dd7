//! Detects a bare URI that ends within a word, before a quotation mark or a bracket that is not one
//! of US-ASCII.
//!
//! Such marks end a URI (`unicode`), since text encloses addresses in them. A curly apostrophe
//! within a word, and brackets before more of a path, may have been meant as part of it. A mark
//! whose partner is on the line before the URI belongs to the text.

use super::{AHEAD_MAX, authority, goes_on_as_word, is_of_host, is_whole, line_before};
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
static MARKS: [Mark; 18] = [
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
];

/// Reports whether the URI at `span` may continue with `character`, the one after it.
pub(super) fn are_cut(bytes: &[u8], span: Span, character: char) -> bool {
    let Some(mark) = MARKS.iter().find(|mark| mark.mark == character) else { return false };
    let from = span.end + character.len_utf8();
    let near = bytes.get(from..bytes.len().min(from + AHEAD_MAX)).unwrap_or_default();
    let goes_on = match mark.closer {
        Some(closer) => behind_closer(near, closer).is_some_and(goes_on_as_path),
        None if is_apostrophe(character) && authority(span.of(bytes)).is_some() => is_of_host(near),
        None => goes_on_as_word(near),
    };
    if !goes_on {
        return false;
    }
    let line = line_before(bytes, span.start);
    is_whole(line, bytes, span.start) && !mark.openers.iter().any(|opener| has(line, *opener))
}

const fn is_apostrophe(character: char) -> bool {
    matches!(character, '‘' | '’')
}

/// Returns the text after the first `closer` in the word at the beginning of `text`.
fn behind_closer(text: &[u8], closer: char) -> Option<&[u8]> {
    let word = |byte: &&u8| byte.is_ascii_graphic() || **byte >= 0x80;
    let len = text.iter().take_while(word).count();
    let at = memchr::memmem::find(text.get(..len)?, encoded(closer, &mut [0; 4]))?;
    text.get(at + closer.len_utf8()..)
}

/// Reports whether `text` begins with more of a path or a query. A word may follow text in brackets
/// without a blank.
fn goes_on_as_path(text: &[u8]) -> bool {
    matches!(text, [b'/' | b'.' | b'?' | b'#' | b'=' | b'&' | b'-' | b'_', ..])
        && goes_on_as_word(text)
}

fn has(line: &[u8], mark: char) -> bool {
    memchr::memmem::find(line, encoded(mark, &mut [0; 4])).is_some()
}

fn encoded(character: char, buffer: &mut [u8; 4]) -> &[u8] {
    character.encode_utf8(buffer).as_bytes()
}

#[cfg(test)]
mod tests {
    use crate::scan::{Scanner, cut_before};

    #[track_caller]
    fn case(text: &str, expected: Option<char>) {
        let span = Scanner::new(text.as_bytes()).next().unwrap().span;
        assert_eq!(cut_before(text.as_bytes(), span), expected, "{text}");
    }

    #[test]
    fn a_mark_within_a_word_may_cut_it() {
        case("see https://a.example/it’s/x", Some('’'));
        case("see https://a.example/it’s", Some('’'));
        case("see https://a.example/it‘s", Some('‘'));
        case("see https://o’reilly.example/x", Some('’'));
        case("see https://a.example/（x）/y", Some('（'));
        case("看https://a.example/（中文）/y", Some('（'));
        case("see https://a.example/x”y", Some('”'));
        case("see https://a.example/“x”.html", Some('“'));
        case("see https://a.example/x）/y", Some('）'));
        case("see https://a.example:80é", Some('é'));
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
        case("看https://a.example/x（https://b.example/", None);
        case("see https://a.example/x（a b）/y", None);
    }
}
