//! Comments by which a text asks for findings to be left out:
//! `linktrawl-ignore-next-line`, `linktrawl-ignore-start` and `linktrawl-ignore-end`.
//!
//! Any comment of any language will do, since no language is read here: the word stands by
//! itself, and before it on its line stands what opens a comment somewhere, or nothing. So
//! prose that speaks of the words leaves nothing out. A line is what ends in LF; the next one
//! is the next one, empty or not.

use memchr::memmem;

use crate::span::Span;

/// What the words begin with.
const PREFIX: &[u8] = b"linktrawl-ignore-";

/// What opens comments, and may touch the word.
const OPENERS: &[&[u8]] = &[
    b"#", b"//", b"/*", b"<!--", b";", b"%", b"*", b"(", b"{-", b"!", b"{{!--", b"..", b">", b"|",
];

/// What opens comments when a blank stands between it and the word.
const OPENERS_APART: &[&[u8]] =
    &[b"--", b"\"", b"'", b"REM", b"rem", b"Rem", b"dnl", b"@c", b"@comment", b"-"];

/// What a comment asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    NextLine,
    Start,
    End,
}

/// Every order with the rest of its word.
const ORDERS: [(&[u8], Order); 3] =
    [(b"next-line", Order::NextLine), (b"start", Order::Start), (b"end", Order::End)];

/// The bytes of `text` whose findings are left out, in order and without overlaps, and whether
/// that goes on behind its end. `open` says that it was so at its beginning.
///
/// A start that never ends reaches to the end. The next line of a comment at the end of `text`
/// is not known here.
pub(crate) fn ignored(text: &[u8], open: bool) -> (Vec<Span>, bool) {
    let mut spans = Vec::new();
    let mut start = open.then_some(0);
    for at in memmem::find_iter(text, PREFIX) {
        let Some((order, end)) = order(text, at) else { continue };
        match (order, start) {
            (Order::Start, None) => start = Some(at),
            (Order::End, Some(from)) => {
                add(&mut spans, Span::new(from, end));
                start = None;
            }
            (Order::NextLine, None) => add(&mut spans, line_behind(text, end)),
            _ => {}
        }
    }
    if let Some(from) = start {
        add(&mut spans, Span::new(from, text.len()));
    }
    (spans, start.is_some())
}

/// Adds `span`, which begins behind the beginnings of all others.
fn add(spans: &mut Vec<Span>, span: Span) {
    match spans.last_mut() {
        Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
        _ if span.is_empty() => {}
        _ => spans.push(span),
    }
}

/// The order of the word at `at`, and where the word ends.
fn order(text: &[u8], at: usize) -> Option<(Order, usize)> {
    let behind = text.get(at + PREFIX.len()..)?;
    let (rest, order) = ORDERS.iter().find(|(rest, _)| behind.starts_with(rest))?;
    let end = at + PREFIX.len() + rest.len();
    let is_whole = ends(text.get(end..)?) && is_opened(text.get(..at)?);
    is_whole.then_some((*order, end))
}

/// True when a word ends before `behind`.
fn ends(behind: &[u8]) -> bool {
    match behind.first() {
        Some(b'-') => behind.starts_with(b"-->"),
        Some(byte) => !(byte.is_ascii_alphanumeric() || b"_`'\"".contains(byte) || *byte > 0x7F),
        None => true,
    }
}

/// True when what stands before a word on its line ends in what opens a comment, or is blank.
fn is_opened(before: &[u8]) -> bool {
    /// Longer than each opener, and than the blanks behind one.
    const NEAR_LEN: usize = 256;
    let near = before.get(before.len().saturating_sub(NEAR_LEN)..).unwrap_or_default();
    let line = near.get(memchr::memrchr(b'\n', near).map_or(0, |feed| feed + 1)..);
    let line = line.unwrap_or_default();
    let opener = line.trim_ascii_end();
    let is_apart = opener.len() < line.len();
    let opens = |with: &&[u8]| {
        let ahead = opener.strip_suffix(*with);
        ahead.is_some_and(|ahead| {
            let is_word = with.iter().any(u8::is_ascii_alphabetic);
            !is_word || !ahead.last().is_some_and(u8::is_ascii_alphanumeric)
        })
    };
    opener.is_empty() || OPENERS.iter().any(opens) || is_apart && OPENERS_APART.iter().any(opens)
}

/// The line behind the one that `at` stands on.
fn line_behind(text: &[u8], at: usize) -> Span {
    let feed = |from: usize| {
        let found = memchr::memchr(b'\n', text.get(from..).unwrap_or_default());
        found.map_or(text.len(), |feed| from + feed + 1)
    };
    let start = feed(at);
    Span::new(start, feed(start))
}

#[cfg(test)]
mod tests {
    use super::ignored;
    use crate::span::Span;

    /// `marked` with `[` and `]` around what is left out.
    #[track_caller]
    fn case(open: bool, marked: &str, is_open: bool) {
        let text = marked.replace(['«', '»'], "");
        let mut spans = Vec::new();
        let mut rest = marked;
        let mut at = 0;
        while let Some((before, behind)) = rest.split_once('«') {
            let (inside, behind) = behind.split_once('»').unwrap_or((behind, ""));
            let start = at + before.len();
            at = start + inside.len();
            spans.push(Span::new(start, at));
            rest = behind;
        }
        assert_eq!(ignored(text.as_bytes(), open), (spans, is_open), "of {marked}");
    }

    #[test]
    fn the_next_line_is_left_out() {
        case(false, "a\n<!-- linktrawl-ignore-next-line -->\n«b\n»c\n", false);
        case(false, "a // linktrawl-ignore-next-line: it is down\r\n«b\r\n»c\n", false);
        case(false, "# linktrawl-ignore-next-line\n«b»", false);
        case(false, "<!--linktrawl-ignore-next-line-->\n«\n»b", false);
        case(false, "; linktrawl-ignore-next-line", false);
        case(false, "# linktrawl-ignore-next-line\n«# linktrawl-ignore-next-line\nb\n»c", false);
    }

    #[test]
    fn a_region_is_left_out_and_may_go_on() {
        case(false, "a # «linktrawl-ignore-start\nb\n# linktrawl-ignore-end» c", false);
        case(false, "a\n.. «linktrawl-ignore-start\nb\n", true);
        case(true, "«a\n/* linktrawl-ignore-end» */ b", false);
        case(true, "«a»", true);
        case(true, "", true);
        case(false, "a\n-- linktrawl-ignore-end\nb", false);
        case(
            false,
            "%«linktrawl-ignore-start\n%linktrawl-ignore-start\n%linktrawl-ignore-end» b",
            false,
        );
        case(
            false,
            "# linktrawl-ignore-next-line\n«a #linktrawl-ignore-start\n#linktrawl-ignore-end» c",
            false,
        );
    }

    #[test]
    fn prose_that_names_the_words_leaves_nothing_out() {
        for text in [
            "write linktrawl-ignore-start there\na",
            "`linktrawl-ignore-start`\na",
            "\"linktrawl-ignore-start\"\na",
            "--linktrawl-ignore-start\na",
            "# x-linktrawl-ignore-start\na",
            "# linktrawl-ignore-starting\na",
            "# linktrawl-ignore-next-lines\na",
            "# linktrawl-ignore-start_x\na",
            "# linktrawl-ignore-\na",
            "theorem linktrawl-ignore-start\na",
        ] {
            case(false, text, false);
        }
        case(false, "REM «linktrawl-ignore-start\na", true);
        case(false, "'  «linktrawl-ignore-start\na", true);
    }
}
