//! Reads comments by which a text excludes findings: `linktrawl-ignore-next-line`,
//! `linktrawl-ignore-start` and `linktrawl-ignore-end`.
//!
//! Comments of any language count, since no language is read here: the word must be separate, and
//! before it on its line must be a mark that opens a comment in some language, or nothing. So prose
//! about the words excludes nothing. A line ends in LF; the next line counts even if it is empty,
//! except after a comment of reStructuredText, which must be followed by an empty line.
//!
//! A start without an end excludes all findings after it. Words that a document shows in its code
//! are removed from the text before it is read here ([`without_words`]).

use std::borrow::Cow;
use std::cell::OnceCell;

use memchr::memmem;

use crate::span::Span;

/// The beginning of each word.
const PREFIX: &[u8] = b"linktrawl-ignore-";

/// Marks that open comments, and may touch the word.
const OPENERS: &[&[u8]] = &[
    b"#", b"//", b"/*", b"<!--", b";", b"%", b"*", b"(", b"{-", b"!", b"{{!--", b"..", b">", b"|",
];

/// The mark of comments in reStructuredText, after which an empty line follows (Docutils,
/// "Explicit Markup Blocks").
const BEFORE_EMPTY: &[u8] = b"..";

/// The beginning of a comment that HTML shows as text: it opens none.
const SHOWN_OPENER: &[u8] = b"&lt;!--";

/// Marks that open comments if a blank separates them from the word.
const OPENERS_APART: &[&[u8]] =
    &[b"--", b"\"", b"'", b"REM", b"rem", b"Rem", b"dnl", b"@c", b"@comment", b"-"];

/// The instruction of a comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    NextLine,
    /// Excludes the next line that is not empty.
    NextFilled,
    Start,
    End,
}

/// Every instruction with the rest of its word.
const ORDERS: [(&[u8], Order); 3] =
    [(b"next-line", Order::NextLine), (b"start", Order::Start), (b"end", Order::End)];

/// The lines that a comment excludes from one line on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    #[default]
    Nothing,
    /// The line.
    Line,
    /// The line and, if it is empty, the next one that is not, and all lines between.
    Filled,
}

impl Reach {
    /// Returns the span that begins at the line end before `start`.
    fn span(self, text: &[u8], start: usize) -> Span {
        let end = match self {
            Self::Nothing => start,
            Self::Line => line_end(text, start),
            Self::Filled => {
                let rest = text.get(start..).unwrap_or_default();
                let filled = rest.iter().position(|byte| !byte.is_ascii_whitespace());
                line_end(text, filled.map_or(text.len(), |len| start + len))
            }
        };
        Span::new(start, end)
    }
}

/// The effect of the comments before an offset on the findings after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// The offset, in the bytes at hand.
    pub at: usize,
    /// Whether a start has no end yet.
    is_open: bool,
    /// The excluded lines from the line of the offset on.
    line: Reach,
    /// The excluded lines from the line after that one on.
    next: Reach,
}

impl Comments {
    /// Most bytes before a word that decide whether it is in a comment: longer than each opener,
    /// and than the blanks after one.
    pub const NEAR_LEN: usize = 256;

    /// Advances to `to`, and returns the spans of `text` after the current offset whose findings
    /// are excluded, in order and without overlaps.
    ///
    /// A region extends from one word to the other; one that never ends, and a line without an end,
    /// reach to the end of `text`. The result is that of a longer text around this one, if
    /// [`Self::NEAR_LEN`] bytes or a line's beginning precede the offset, and the word at `to` ends
    /// in `text`.
    pub fn pass(&mut self, text: &[u8], to: usize) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut start = self.is_open.then_some(self.at);
        spans.push(self.line.span(text, self.at));
        if self.next != Reach::Nothing {
            spans.push(self.next.span(text, line_end(text, self.at)));
        }
        for (at, order) in orders(text, self.at, to) {
            self.go(text, at);
            match order {
                Order::Start if start.is_none() => start = Some(at),
                Order::End => {
                    if let Some(from) = start.take() {
                        spans.push(Span::new(from, at));
                    }
                }
                Order::NextLine if start.is_none() => spans.extend(self.reach(text, Reach::Line)),
                Order::NextFilled if start.is_none() => {
                    spans.extend(self.reach(text, Reach::Filled));
                }
                Order::Start | Order::NextLine | Order::NextFilled => {}
            }
        }
        if let Some(from) = start {
            spans.push(Span::new(from, text.len()));
        }
        self.go(text, to);
        self.is_open = start.is_some();
        merged(spans)
    }

    /// Reports whether the comments have no effect after the offset.
    #[must_use]
    pub const fn is_idle(self) -> bool {
        !self.is_open && matches!(self.line, Reach::Nothing) && matches!(self.next, Reach::Nothing)
    }

    /// Returns the same state for bytes that begin `start` bytes later.
    #[must_use]
    pub const fn after(self, start: usize) -> Self {
        Self { at: self.at.saturating_sub(start), ..self }
    }

    /// Lets the line after the offset be the first of `reach`, and returns the span of those lines.
    /// Each is searched for once, however many words request it.
    fn reach(&mut self, text: &[u8], reach: Reach) -> Option<Span> {
        if self.next >= reach {
            return None;
        }
        self.next = reach;
        Some(reach.span(text, line_end(text, self.at)))
    }

    /// Passes the line ends before `to`.
    fn go(&mut self, text: &[u8], to: usize) {
        let mut passed = text.get(self.at..to).unwrap_or_default();
        self.at = to;
        while (self.line, self.next) != (Reach::Nothing, Reach::Nothing) {
            let end = memchr::memchr(b'\n', passed);
            let line = passed.get(..end.unwrap_or(passed.len())).unwrap_or_default();
            if self.line == Reach::Filled && !line.trim_ascii().is_empty() {
                self.line = Reach::Line;
            }
            let Some(end) = end else { return };
            let rest = if self.line == Reach::Filled { Reach::Filled } else { Reach::Nothing };
            self.line = std::mem::take(&mut self.next).max(rest);
            passed = passed.get(end + 1..).unwrap_or_default();
        }
    }
}

/// Returns the instructions of the words that begin in `text` at `from` or later and before `to`,
/// each with its offset.
fn orders(text: &[u8], from: usize, to: usize) -> impl Iterator<Item = (usize, Order)> {
    let end = text.len().min(to.saturating_add(PREFIX.len() - 1));
    let found = memmem::find_iter(text.get(from..end).unwrap_or_default(), PREFIX);
    found.filter_map(move |at| Some((from + at, order(text, from + at)?)))
}

/// Returns `spans` in order and without overlaps.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable_by_key(|span| span.start);
    spans.dedup_by(|span, last| {
        let is_part = span.start <= last.end;
        if is_part {
            last.end = last.end.max(span.end);
        }
        is_part
    });
    spans
}

/// Returns the instruction of the word at `at`.
fn order(text: &[u8], at: usize) -> Option<Order> {
    let after = text.get(at + PREFIX.len()..)?;
    let (rest, order) = ORDERS.iter().find(|(rest, _)| after.starts_with(rest))?;
    let end = at + PREFIX.len() + rest.len();
    let line = line_before(text.get(..at)?);
    let is_whole = ends(text.get(end..)?) && is_opened(line);
    let is_rest = *order == Order::NextLine && line.trim_ascii_end().ends_with(BEFORE_EMPTY);
    is_whole.then_some(if is_rest { Order::NextFilled } else { *order })
}

/// Reports whether a word ends before `after`, the text after it.
fn ends(after: &[u8]) -> bool {
    match after.first() {
        Some(b'-') => after.starts_with(b"-->"),
        Some(byte) => !(byte.is_ascii_alphanumeric() || b"_`'\"".contains(byte) || *byte > 0x7F),
        None => true,
    }
}

/// Returns the text before a word on its line, or the end of it.
fn line_before(before: &[u8]) -> &[u8] {
    let near = before.get(before.len().saturating_sub(Comments::NEAR_LEN)..).unwrap_or_default();
    near.get(memchr::memrchr(b'\n', near).map_or(0, |feed| feed + 1)..).unwrap_or_default()
}

/// Reports whether `line`, the text before a word, ends in a mark that opens a comment, or is
/// blank.
fn is_opened(line: &[u8]) -> bool {
    let opener = line.trim_ascii_end();
    let is_apart = opener.len() < line.len();
    let opens = |with: &&[u8]| {
        let ahead = opener.strip_suffix(*with);
        ahead.is_some_and(|ahead| {
            let is_word = with.iter().any(u8::is_ascii_alphabetic);
            !is_word || !ahead.last().is_some_and(u8::is_ascii_alphanumeric)
        })
    };
    !opener.ends_with(SHOWN_OPENER)
        && (opener.is_empty()
            || OPENERS.iter().any(opens)
            || is_apart && OPENERS_APART.iter().any(opens))
}

/// Reports whether `text` may hold a comment.
pub(super) fn has_words(text: &[u8]) -> bool {
    memmem::find(text, PREFIX).is_some()
}

/// Returns `text` with other bytes for the words in `spans`, so that every offset stays.
pub(super) fn without_words<'t>(text: &'t [u8], spans: &[Span]) -> Cow<'t, [u8]> {
    let mut out = Cow::Borrowed(text);
    for span in spans {
        for at in memmem::find_iter(span.of(text), PREFIX).map(|at| span.start + at) {
            out.to_mut().get_mut(at..at + PREFIX.len()).unwrap_or_default().fill(b'-');
        }
    }
    out
}

/// Returns the end offset, after LF, of the line around `at`.
fn line_end(text: &[u8], at: usize) -> usize {
    let found = memchr::memchr(b'\n', text.get(at..).unwrap_or_default());
    found.map_or(text.len(), |feed| at + feed + 1)
}

/// The spans of a text whose findings a comment ignores. They are searched for at the first query.
pub(in crate::source) struct Ignored<'t> {
    bytes: &'t [u8],
    /// The offset up to which queries occur.
    end: usize,
    /// The state of the comments before the text.
    comments: Comments,
    /// Sorted by offset.
    spans: OnceCell<Vec<Span>>,
}

impl<'t> Ignored<'t> {
    /// Creates the spans of `bytes` for queries before `end`; `comments` is the state before them.
    pub(in crate::source) const fn of(bytes: &'t [u8], end: usize, comments: Comments) -> Self {
        Self { bytes, end, comments, spans: OnceCell::new() }
    }

    /// Reports whether a finding at `at` is ignored.
    pub(in crate::source) fn holds(&self, at: usize) -> bool {
        let find = || self.comments.clone().pass(self.bytes, self.end);
        let spans = self.spans.get_or_init(find);
        let first = spans.partition_point(|span| span.end <= at);
        spans.get(first).is_some_and(|span| span.start <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::{Comments, without_words};
    use crate::source::markup::Markup;
    use crate::span::Span;

    /// Checks `marked`, with `[` and `]` around the text that is excluded.
    #[track_caller]
    fn case(open: bool, marked: &str, is_open: bool) {
        let text = marked.replace(['«', '»'], "");
        let mut spans = Vec::new();
        let mut rest = marked;
        let mut at = 0;
        while let Some((before, after)) = rest.split_once('«') {
            let (inside, after) = after.split_once('»').unwrap_or((after, ""));
            let start = at + before.len();
            at = start + inside.len();
            spans.push(Span::new(start, at));
            rest = after;
        }
        let mut comments = Comments { is_open: open, ..Comments::default() };
        assert_eq!(comments.pass(text.as_bytes(), text.len()), spans, "of {marked}");
        assert_eq!(comments.is_open, is_open, "of {marked}");
        same_in_parts(open, text.as_bytes());
    }

    /// Checks that the same text is excluded when `text` is passed in two parts, wherever the
    /// second begins.
    #[track_caller]
    fn same_in_parts(is_open: bool, text: &[u8]) {
        let start = Comments { is_open, ..Comments::default() };
        let whole = start.clone().pass(text, text.len());
        let holds =
            |spans: &[Span], at| spans.iter().any(|span| (span.start..span.end).contains(&at));
        for cut in 0..=text.len() {
            let mut comments = start;
            comments.pass(text, cut);
            let after = comments.pass(text, text.len());
            for at in cut..text.len() {
                let text = text.escape_ascii();
                assert_eq!(holds(&after, at), holds(&whole, at), "{at} behind {cut} of {text}");
            }
        }
    }

    #[test]
    fn orders_of_all_kinds_are_the_same_in_parts() {
        let words = ["# linktrawl-ignore-start", "#linktrawl-ignore-end", "a"];
        let words = words.into_iter().chain(["\n", " ", "\n// linktrawl-ignore-next-line"]);
        let words = words.chain(["\n.. linktrawl-ignore-next-line\n"]);
        let words: Vec<&str> = words.collect();
        for number in 0..words.len().pow(4) {
            let place = |place| words[number / words.len().pow(place) % words.len()];
            let text: String = (0..4).map(place).collect();
            same_in_parts(number % 2 == 0, text.as_bytes());
        }
    }

    #[test]
    fn a_line_is_looked_for_once() {
        // Otherwise these are some terabytes to pass.
        let text = "# linktrawl-ignore-next-line ".repeat(300_000);
        assert_eq!(Comments::default().pass(text.as_bytes(), text.len()), []);
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
    fn after_a_comment_of_restructured_text_the_next_filled_line_is_left_out() {
        case(false, ".. linktrawl-ignore-next-line\n«\nb\n»c\n", false);
        case(false, "  .. linktrawl-ignore-next-line\r\n«\r\n \r\n\tb»", false);
        case(false, ".. linktrawl-ignore-next-line\n«b\n»\nc", false);
        case(false, ".. linktrawl-ignore-next-line\n«\n  \n»", false);
        case(
            false,
            ".. linktrawl-ignore-next-line\n«\nb .. linktrawl-ignore-next-line\n\nc\n»d",
            false,
        );
        case(false, "# see\n.. a\n\n# linktrawl-ignore-next-line\n«\n»b", false);
    }

    #[test]
    fn comments_shown_in_code_are_no_comments() {
        const WORD: &str = "linktrawl-ignore-start";
        for (markup, text, is_comment) in [
            (Markup::Markdown, "`<!-- W -->`", false),
            (Markup::Markdown, "a\n\n```html\n<!-- W -->\n```", false),
            (Markup::Markdown, "a\n\n    <!-- W -->", false),
            (Markup::Markdown, "---\na: b\n---\n> ~~~\n> # W\n", false),
            (Markup::Markdown, "---\n# W\n---\n`a`", true),
            (Markup::Markdown, "`a` <!-- W --> `b`", true),
            (Markup::Markdown, "<!-- W -->\n```\na\n```", true),
            (Markup::Mdx, "`{/* W */}` `// W`", false),
            (Markup::Mdx, "<A>\n  ```js\n  // W\n  ```\n</A>", false),
            (Markup::Mdx, "    {/* W */}", true),
            (Markup::Rest, "Like ``.. W`` there.", false),
            (Markup::Rest, "Like this::\n\n   .. W\n", false),
            (Markup::Rest, ".. code-block:: rst\n\n   .. W\n", false),
            (Markup::Rest, ".. W\n\nThe ``code``.\n", true),
            (Markup::Html, "<code># W</code>", true),
        ] {
            let text = text.replace('W', WORD);
            let found = markup.commented(text.as_bytes());
            assert_eq!(found.len(), text.len());
            let has_word = memchr::memmem::find(&found, WORD.as_bytes()).is_some();
            assert_eq!(has_word, is_comment, "{text}");
        }
    }

    #[test]
    fn words_in_code_are_removed() {
        let text = b"`# linktrawl-ignore-start` # linktrawl-ignore-start";
        let found = without_words(text, &[Span::new(0, 26), Span::new(1, 3)]);
        assert_eq!(&*found, &b"`# -----------------start` # linktrawl-ignore-start"[..]);
    }

    #[test]
    fn a_region_is_left_out_and_may_go_on() {
        case(false, "a # «linktrawl-ignore-start\nb\n# »linktrawl-ignore-end c", false);
        case(false, "a\n.. «linktrawl-ignore-start\nb\n", true);
        case(true, "«a\n/* »linktrawl-ignore-end */ b", false);
        case(true, "«a»", true);
        case(true, "", true);
        case(false, "a\n-- linktrawl-ignore-end\nb", false);
        case(
            false,
            "%«linktrawl-ignore-start\n%linktrawl-ignore-start\n%»linktrawl-ignore-end b",
            false,
        );
        case(
            false,
            "# linktrawl-ignore-next-line\n«a #linktrawl-ignore-start\n#»linktrawl-ignore-end c",
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
            "<pre>&lt;!-- linktrawl-ignore-start --&gt;</pre>\na",
        ] {
            case(false, text, false);
        }
        case(false, "REM «linktrawl-ignore-start\na", true);
        case(false, "'  «linktrawl-ignore-start\na", true);
    }
}
