//! Reads the text that readers see of a link: that of an `a`.

use super::display::is_gap;
use super::glance;
use super::joints::begins_url;
use super::tokens::{Token, Tokens, trimmed};
use super::value::TAG_LEN_MAX;
use crate::source::markup::caught;
use crate::source::markup::reference::Resolved;
use crate::source::markup::shown::{SOURCE_LEN_MAX, Shown};
use crate::span::Span;

/// Returns the text of the `a` whose start tag ends at `at` of `text`; `None` if its end is too far
/// away.
pub(super) fn after(text: &[u8], at: usize) -> Option<Vec<u8>> {
    shown_after(text, at, |_| false)
}

/// Returns the text of the `a` whose start tag ends at `at` of `text`, in which what seems to be a
/// tag is text where `is_text` accepts the bytes after its `<`; `None` if its end is too far away.
fn shown_after(text: &[u8], at: usize, is_text: fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let end = text.len().min(at.saturating_add(SOURCE_LEN_MAX));
    let text = text.get(..end)?;
    let mut shown = Shown::default();
    // Offset of the tag that is text.
    let mut bracketed = None;
    for token in Tokens::new(text, at) {
        match token {
            Token::Text(span) => shown.append(&Resolved::of_text(text, span).bytes),
            Token::Open(name) if is_text(text.get(name.start..)?) => bracketed = Some(name.start),
            Token::Opened(end) => {
                if let Some(start) = bracketed.take() {
                    shown.append(Span::new(start, end - b">".len()).of(text));
                }
            }
            Token::Open(name) | Token::Close(name) => {
                let name = name.of(text);
                if name.eq_ignore_ascii_case(b"a") {
                    return Some(shown.into_text());
                }
                if is_gap(name) {
                    shown.separate();
                }
            }
            _ => {}
        }
        if shown.is_full() {
            return Some(shown.into_text());
        }
    }
    // A document may end within a link.
    (at + SOURCE_LEN_MAX > end).then(|| shown.into_text())
}

/// Returns the text that readers see instead of the target at `at` of `text`, if that is the `href`
/// of an `a`. For mail, whose tags are not tokenized. Also `None` if a glance shows that the text
/// begins with a word without dot and colon, which is the name of no host.
///
/// References may be resolved already: a visible `<` then seems to begin a tag. Before a URL it
/// begins none.
#[must_use]
pub fn shown_at(text: &[u8], at: usize) -> Option<Vec<u8>> {
    let before = text.get(at.saturating_sub(TAG_LEN_MAX)..at)?;
    if !ends_in_href(before) || glance::is_no_host(text.get(at..)?, quote(before)) {
        return None;
    }
    caught(|| anchor_at(text, before, at)).flatten()
}

/// Returns the text of the `a` whose `href` has its value at `at`, after `before`.
fn anchor_at(text: &[u8], before: &[u8], at: usize) -> Option<Vec<u8>> {
    let start = at - before.len() + memchr::memrchr(b'<', before)?;
    let end = text.len().min(at.saturating_add(SOURCE_LEN_MAX));
    let mut tokens = Tokens::new(text.get(..end)?, start);
    let is_href = |name: Span| name.of(text).eq_ignore_ascii_case(b"href");
    match tokens.next()? {
        Token::Open(name) if name.of(text).eq_ignore_ascii_case(b"a") => {}
        _ => return None,
    }
    let first = tokens.find(|token| !matches!(token, Token::Attribute(name, _) if !is_href(*name)));
    match first? {
        Token::Attribute(_, value) if trimmed(text, value).start == at => {}
        _ => return None,
    }
    match tokens.find(|token| !matches!(token, Token::Attribute(..)))? {
        Token::Opened(end) => shown_after(text, end, begins_url),
        _ => None,
    }
}

/// Returns the quote that ends the value of `href` after `before`.
fn quote(before: &[u8]) -> Option<u8> {
    let last = before.trim_ascii_end().last().copied();
    last.filter(|last| matches!(last, b'"' | b'\''))
}

/// Reports whether `before` ends in `href=`, with optional blanks and a quote.
fn ends_in_href(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    let Some(name) = before.trim_ascii_end().strip_suffix(b"=") else { return false };
    let name = name.trim_ascii_end();
    let start = name.len().saturating_sub(b"href".len());
    name.get(start..).is_some_and(|name| name.eq_ignore_ascii_case(b"href"))
}

#[cfg(test)]
mod tests {
    use super::{TAG_LEN_MAX, anchor_at, ends_in_href, quote};
    use crate::source::markup::html::glance;

    /// The parts of links in mail, and texts that change the state of the tokenizer.
    const WORDS: [&str; 72] = [
        "<",
        ">",
        "/",
        "=",
        "\"",
        "'",
        " ",
        "\n",
        "\r\n",
        "\0",
        "\x0B",
        "\x0C",
        "!",
        "?",
        "&",
        ";",
        "`",
        "-",
        "<a href=\"",
        "<a class=b href='",
        "<A\nHREF=",
        "<area href=\"",
        "</a",
        "</a>",
        "</A\n>",
        "</ab>",
        "<a>",
        "<b>",
        "</b>",
        "<br/>",
        "<br />",
        "<p>",
        "</p>",
        "<o:p>",
        "<img ",
        "<font size=2>",
        "</font>",
        "<abbr>",
        "<title>",
        "</title>",
        "<script>",
        "</script>",
        "<svg>",
        "<svg/>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<!",
        "<?xml",
        "</",
        "<3>",
        "a",
        "word ",
        "more",
        "é",
        "\u{A0}",
        "\u{3000}",
        "»",
        "…",
        "http://h/",
        "www.",
        "www.example.org",
        ".",
        ":",
        "://",
        "&nbsp;",
        "&#46;",
        "&period;",
        " b=\"c\"",
        " target='_blank'",
        " id=d",
    ];

    /// Links as in newsletters and mail of lists.
    const REAL: [&str; 6] = [
        "<a href=\"http://h/a.html\">Click here</a> to leave.",
        "<A HREF='http://h/?a=b&c' target=_blank><FONT face=\"Arial, Helvetica\" size=2>\
         <B>www.example.org</B></FONT></A>",
        "<td><a class=\"big\" href=http://h/><img src=\"http://h/i.gif\" alt=\"a b\" border=\"0\" \
         /></a></td>",
        "<a href = \" http://h/\" style=\"color: red\"><span>http://</span><wbr>example.org/</a>",
        "<a href=\"http://h/\"\r\n>\r\n  &gt;&gt; More</a>. <a href=\"http://h/\">See example.org/a\
         </a>",
        "<p><a href=\"http://h/\"><!-- a --><br>\"www.example.org\"</a><svg><a href='b'/></svg>",
    ];

    /// Returns the word that decides whether `shown` names a host.
    fn first_word(shown: &[u8]) -> String {
        let shown = String::from_utf8_lossy(shown);
        let shown = shown.trim_start_matches(|first: char| !first.is_alphanumeric());
        shown.split(char::is_whitespace).next().unwrap_or_default().to_owned()
    }

    /// Glances at each link of `text`, and reads it; returns how many were glanced at and read.
    fn compared(text: &[u8]) -> usize {
        let mut count = 0;
        for at in 0..=text.len() {
            let before = &text[at.saturating_sub(TAG_LEN_MAX)..at];
            if !ends_in_href(before) || !glance::is_no_host(&text[at..], quote(before)) {
                continue;
            }
            let Some(shown) = anchor_at(text, before, at) else { continue };
            let word = first_word(&shown);
            assert!(!word.contains(['.', ':']), "{word}: {at}: {}", text.escape_ascii());
            count += 1;
        }
        count
    }

    #[test]
    fn a_glance_overlooks_no_host() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % limit as u64).unwrap_or_default()
        };
        let (mut random, mut mutated) = (0, 0);
        for _ in 0..50_000 {
            let mut text = Vec::new();
            for (start, most) in [("<a href=\"", 2), ("\"", 2), (">", 12), ("</a>", 1)] {
                text.extend(start.bytes());
                (0..below(most)).for_each(|_| text.extend(WORDS[below(WORDS.len())].bytes()));
            }
            random += compared(&text);

            let mut text = REAL[below(REAL.len())].as_bytes().to_vec();
            for _ in 0..1 + below(4) {
                let at = below(text.len() + 1);
                let end = text.len().min(at + below(3));
                let word = WORDS[below(WORDS.len())].bytes();
                text.splice(at..end, word.take(8 * below(3)));
            }
            mutated += compared(&text);
        }
        assert!(random > 5_000 && mutated > 5_000, "{random} and {mutated} links");
    }
}
