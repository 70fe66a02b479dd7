//! Finds blocks of encoded data in a text: uuencode, yEnc (yEncode working draft 1.3), and the
//! armour of PGP (RFC 4880 §6.2).
//!
//! Armour has header fields, which are scanned, and lines of base64, which cannot contain a URI: it
//! is counted if its end follows at any distance. Lines of uuencode can look like anything, so none
//! of them is scanned. But a line that cannot be uuencode ends the block: readable text after a
//! line `begin` is scanned. The same holds for yEnc, unless its end is near.
//!
//! At most [`LOOK_LEN`] bytes decide whether a block is skipped, and these are visible wherever a
//! text is cut: they contain the end, or all of them are lines of the block.
//!
//! Not done: at a cut, the end of the current message is unknown, so that a block without an end
//! may match that of the next message. In encoded text that is cut, nothing is known of a block
//! after the cut, and the rest of the block is scanned.

mod lines;

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use self::lines::{LINE_LEN_MAX, Lines, Stop};
use super::omission::{Omission, Omissions};
use crate::span::Span;

/// Length in bytes of a block that is recognised by its lines alone; the end of any other block
/// must be within this distance. These are some thousand lines of uuencode.
const LONG_LEN: usize = 64 * 1024;

/// Number of bytes from the beginning of a block that decide about it: the last lines must be seen
/// whole. A piece sees more bytes than these after the ones that it owns.
pub const LOOK_LEN: usize = LONG_LEN + 4 * LINE_LEN_MAX;

/// Text that is searched for blocks.
#[derive(Clone, Copy)]
pub struct Look<'t> {
    /// All visible bytes of the text.
    pub bytes: &'t [u8],
    /// Range in which the blocks begin.
    pub span: Span,
    /// Whether the text ends with `bytes`. Otherwise, `LOOK_LEN` bytes after `span` are visible,
    /// or the text should not be cut in a block that these bytes would decide.
    pub is_end: bool,
}

impl<'t> Look<'t> {
    /// Returns the visible bytes from `at` on.
    fn from(self, at: usize) -> &'t [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// Returns the offsets of `marks` whose first byte is in the span, where at most `len` bytes
    /// follow the first one of each.
    fn marks(self, marks: &Finder<'_>, len: usize) -> impl Iterator<Item = usize> {
        let Span { start, end } = self.span;
        let near = self.bytes.get(start..self.bytes.len().min(end + len)).unwrap_or_default();
        marks.find_iter(near).map(move |at| start + at)
    }

    /// Reports whether a line begins at `at`.
    fn is_line(self, at: usize) -> bool {
        at == 0 || self.bytes.get(at - 1) == Some(&b'\n')
    }

    /// Returns the offsets of lines that begin with [`BEGIN`], or with [`YENC`] and it, and the
    /// kind of block that each may begin.
    fn begins(self) -> impl Iterator<Item = (usize, Omission)> {
        // Building a finder takes as long as a search through a letter.
        static BEGINS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(BEGIN));
        let begins = self.marks(&BEGINS, BEGIN.len() + YENC.len() - 1).filter_map(move |at| {
            let is_yenc = || self.bytes.get(..at)?.strip_suffix(YENC).map(<[u8]>::len);
            let (at, packing) = if self.is_line(at) {
                (at, Omission::Uuencode)
            } else {
                (is_yenc().filter(|at| self.is_line(*at))?, Omission::Yenc)
            };
            Some((at, packing))
        });
        begins.filter(move |(at, _)| self.span.range().contains(at))
    }
}

/// State of blocks that continue after a searched text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Number of armour blocks whose end was not found.
    armours: u64,
    /// Number of base64 blocks whose end was not found.
    base64s: u64,
    /// Number of next bytes that are skipped in any case.
    ahead: usize,
    /// Format of the lines that are skipped after these.
    lines: Option<Lines>,
}

impl Blocks {
    /// The state without open blocks.
    pub const NONE: Self = Self { armours: 0, base64s: 0, ahead: 0, lines: None };

    /// Reports whether the next bytes are skipped.
    const fn is_within(&self) -> bool {
        self.ahead > 0 || self.lines.is_some()
    }
}

/// Result of the search of a text.
#[derive(Debug, Default)]
pub struct FoundBlocks {
    /// Ranges of bytes that may look like anything.
    pub spans: Vec<Span>,
    /// Whether too little of a block was visible.
    pub is_cut: bool,
}

/// Counts the blocks of a text, and returns the ranges of those whose bytes may look like anything.
/// `blocks` is the state after the previous text, and is replaced by that after this one.
#[must_use]
pub fn find(look: Look<'_>, blocks: &mut Blocks, omissions: &mut Omissions) -> FoundBlocks {
    let mut found = FoundBlocks::default();
    if blocks.is_within() {
        found.go_on(look, blocks);
    }
    count_armours(look, &mut blocks.armours, omissions);
    let mut base64s = Counted::new(blocks.base64s, b"====");
    let mut uuencode_ends = Ends::new(b"end", lines::is_uuencode_end);
    let mut yenc_ends = Ends::new(lines::YENC_END, |_| true);
    for (at, packing) in look.begins() {
        if found.spans.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let answer = match packing {
            Omission::Yenc => yenc(look, at, &mut yenc_ends),
            _ if is_base64(look.from(at)) => {
                base64s.begin(look, at);
                Answer::None
            }
            _ => uuencode(look, at, &mut uuencode_ends),
        };
        match answer {
            Answer::None => {}
            Answer::Unseen => found.is_cut = true,
            Answer::Block(len, lines) => {
                omissions.count(packing);
                found.push(look, Span::new(at, at + len), lines, blocks);
            }
        }
    }
    blocks.base64s = base64s.finish(look, Omission::Uuencode, omissions);
    found
}

impl FoundBlocks {
    /// Records a block, up to the end of the searched range, and its continuation.
    fn push(&mut self, look: Look<'_>, span: Span, lines: Option<Lines>, blocks: &mut Blocks) {
        let end = look.span.end;
        self.spans.push(Span::new(span.start, span.end.min(end)));
        self.is_cut |= lines.is_some();
        (blocks.ahead, blocks.lines) = (span.end.saturating_sub(end), lines);
    }

    /// Records the rest of the block that `blocks` describes.
    fn go_on(&mut self, look: Look<'_>, blocks: &mut Blocks) {
        let start = look.span.start;
        let (mut end, mut lines) = (start + blocks.ahead, blocks.lines);
        // The bytes ahead may be out of sight, where a cut follows an empty line.
        if let (Some(of), Some(text)) = (lines, look.bytes.get(end..)) {
            let (len, stop) = of.len(text, look.is_end);
            end += len;
            match stop {
                Stop::End(last) => (end, lines) = (end + last, None),
                Stop::Other => lines = None,
                Stop::Unseen => {}
            }
        }
        self.push(look, Span::new(start, end), lines, blocks);
    }
}

/// Beginning of the first line of a block, possibly after [`YENC`].
const BEGIN: &[u8] = b"begin";

/// Prefix of [`BEGIN`] in yEnc.
const YENC: &[u8] = b"=y";

/// Decision about a line that may begin a block.
enum Answer {
    /// No block, or one of which nothing is skipped.
    None,
    /// Too little is visible.
    Unseen,
    /// A block: its visible length, and the format of its lines if more of them may follow.
    Block(usize, Option<Lines>),
}

/// Lines that end blocks. Queries in the order of the text find each of them once.
struct Ends {
    begin: &'static [u8],
    is_end: fn(&[u8]) -> bool,
    /// Offset from which they were searched.
    from: usize,
    /// Offset of the first one from there.
    next: Option<usize>,
}

impl Ends {
    /// Returns a search for lines that begin with `begin` and satisfy `is_end`.
    const fn new(begin: &'static [u8], is_end: fn(&[u8]) -> bool) -> Self {
        Self { begin, is_end, from: usize::MAX, next: None }
    }

    /// Returns the offset of the first end at or after `at`.
    fn after(&mut self, look: Look<'_>, at: usize) -> Option<usize> {
        if at < self.from || self.next.is_some_and(|next| next < at) {
            let found = memmem::find_iter(look.from(at), self.begin).map(|found| at + found);
            let mut ends = found.filter(|end| look.is_line(*end));
            (self.from, self.next) = (at, ends.find(|end| (self.is_end)(look.from(*end))));
        }
        self.next
    }

    /// Returns that offset, if it is near enough to end a block that begins at `begin`.
    fn near(&mut self, look: Look<'_>, at: usize, begin: usize) -> Option<usize> {
        self.after(look, at).filter(|end| end - begin < LONG_LEN)
    }
}

/// Counter of blocks of which nothing is skipped: each counts if its end is found.
struct Counted {
    /// Number of blocks whose end was not found.
    open: u64,
    ended: u64,
    ends: Ends,
    /// Offset of the last block's beginning.
    from: Option<usize>,
}

impl Counted {
    const fn new(open: u64, end: &'static [u8]) -> Self {
        Self { open, ended: 0, ends: Ends::new(end, |_| true), from: None }
    }

    /// Records a block that begins at `at`.
    fn begin(&mut self, look: Look<'_>, at: usize) {
        self.pass(look, at);
        self.open += 1;
    }

    /// Advances to `at`; ends the open blocks if an end precedes it.
    fn pass(&mut self, look: Look<'_>, at: usize) {
        let from = self.from.replace(at).unwrap_or(look.span.start);
        if self.open > 0 && self.ends.after(look, from).is_some_and(|end| end < at) {
            self.ended += std::mem::take(&mut self.open);
        }
    }

    /// Counts the ended blocks, and returns the number of open ones.
    fn finish(mut self, look: Look<'_>, omission: Omission, omissions: &mut Omissions) -> u64 {
        self.pass(look, look.span.end);
        (0..self.ended).for_each(|_| omissions.count(omission));
        self.open
    }
}

/// Beginning of the first line of armour.
const ARMOUR: &[u8] = b"-----BEGIN PGP ";

/// Counts blocks whose text is base64; a clear-signed message is text.
fn count_armours(look: Look<'_>, open: &mut u64, omissions: &mut Omissions) {
    const SIGNED: &[u8] = b"SIGNED MESSAGE-----";
    static ARMOURS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(ARMOUR));
    let mut armours = Counted::new(*open, b"-----END PGP ");
    for at in look.marks(&ARMOURS, ARMOUR.len() - 1) {
        if !look.from(at + ARMOUR.len()).starts_with(SIGNED) {
            armours.begin(look, at);
        }
    }
    *open = armours.finish(look, Omission::Armour, omissions);
}

/// Reports whether `text` begins with the first line of a base64 block, as `uuencode -m` writes it
/// (POSIX.1, "uuencode"). Its lines cannot contain a URI.
fn is_base64(text: &[u8]) -> bool {
    text.strip_prefix(b"begin-base64 ").is_some_and(has_mode)
}

/// Reports whether `text` begins with three or four octal digits and a blank.
fn has_mode(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    (3..=4).contains(&digits) && text.get(digits) == Some(&b' ')
}

/// Finds the uuencode block at `at`: `begin`, three or four octal digits, a name; at least one line
/// whose first character gives its length; and a line `end`. If a line that cannot be one of
/// these precedes `end`, the block stops before that line.
fn uuencode(look: Look<'_>, at: usize, ends: &mut Ends) -> Answer {
    let text = look.from(at);
    let has_mode = text.strip_prefix(b"begin ").is_some_and(has_mode);
    let first = first_len(text).filter(|_| has_mode);
    match first.filter(|first| lines::begins_uuencode(look.from(at + first))) {
        Some(first) => by_lines(look, at, first, Lines::Uuencode, ends),
        None => Answer::None,
    }
}

/// Finds the yEnc block at `at`. If its end is near, all bytes up to it belong to the block.
fn yenc(look: Look<'_>, at: usize, ends: &mut Ends) -> Answer {
    let text = look.from(at);
    let Some(first) = first_len(text) else { return Answer::None };
    let line_len = lines::yenc_line_len(text.get(..first).unwrap_or_default());
    let Some(line_len) = line_len else { return Answer::None };
    match ends.near(look, at, at) {
        Some(end) => Answer::Block(end + lines::yenc_end_len(look.from(end)) - at, None),
        None => by_lines(look, at, first, Lines::Yenc(line_len), ends),
    }
}

/// Returns the length of the line that `text` begins with, including its end.
fn first_len(text: &[u8]) -> Option<usize> {
    let near = text.get(..LONG_LEN).unwrap_or(text);
    memchr::memchr(b'\n', near).map(|feed| feed + 1)
}

/// Finds the block at `at`, whose first line is `first` bytes long, as far as its `lines` go.
fn by_lines(look: Look<'_>, at: usize, first: usize, lines: Lines, ends: &mut Ends) -> Answer {
    let (len, stop) = lines.len(look.from(at + first), look.is_end);
    let len = first + len;
    let is_ended = |ends: &mut Ends| ends.near(look, at + len, at).is_some();
    match stop {
        Stop::End(last) => Answer::Block(len + last, None),
        Stop::Unseen if len >= LONG_LEN => Answer::Block(len, Some(lines)),
        Stop::Other if len >= LONG_LEN || is_ended(ends) => Answer::Block(len, None),
        _ if look.is_end || look.bytes.len() >= at + LOOK_LEN => Answer::None,
        _ => Answer::Unseen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, omissions: &mut Omissions) -> Vec<Span> {
        let span = Span::new(0, text.len());
        let look = Look { bytes: text.as_bytes(), span, is_end: true };
        super::find(look, &mut { Blocks::NONE }, omissions).spans
    }

    #[track_caller]
    fn block(text: &str, expected: Option<&str>) {
        let spans = find(text, &mut Omissions::default());
        assert_eq!(spans.first().and_then(|span| text.get(span.range())), expected);
    }

    #[test]
    fn a_line_that_is_no_uuencode_ends_a_block() {
        let real = "begin 644 a\n%:&5L;&\\\n`\nend";
        block(&format!("{real}\nbehind"), Some(real));
        block("begin 644 a\r\nM\r\n \r\nend\r\n", Some("begin 644 a\r\nM\r\n \r\nend"));
        let hidden = "begin 644 a\n#http\nhttp://h.example/ and\nHTTP://H.EXAMPLE/\nend\n";
        block(hidden, None);
        block("begin 644 a\n#HTTP\nsee http://h/\nend\n", Some("begin 644 a\n#HTTP\n"));
        block("begin 644 a\n#HTTP\nHTTP://H.EXAMPLE/\nend\n", Some("begin 644 a\n#HTTP\n"));
        block("begin 644 a\n#HTTP\nsee http://h/\nendless\n", None);
        block("begin 644 a\nend\n", None);
        block("begin 644 a\n\nend\n", None);
    }

    #[test]
    fn blocks_in_yenc_are_passed_to_the_ends_of_their_last_lines() {
        let passed = |text: &str| {
            let spans = find(text, &mut Omissions::default());
            let block = |span: Span| text.get(span.range()).unwrap_or_default().to_owned();
            spans.into_iter().map(block).collect::<Vec<_>>()
        };
        let block = "=ybegin line=128 size=3 name=a\r\nhttp://h/\r\n=yend size=3 crc32=1\r";
        let text = format!("a\n{block}\nb\nbegin 644 a\n#HTTP\nend\n{block}\n");
        assert_eq!(passed(&text), [block, "begin 644 a\n#HTTP\nend", block]);
        assert_eq!(passed(block), [block]);
        let head = "=ybegin line=128 size=3 name=a";
        for other in [
            format!("a {head}\n=yend size=3"),
            format!("{head}\na =yend size=3"),
            format!("=yend size=3\n{head}"),
            "=ybegin begins one\nhttp://h/\n=yend size=3".to_owned(),
            format!("{head}\nhttp://h/\n=yend ends one"),
            head.to_owned(),
        ] {
            assert_eq!(passed(&other), [""; 0], "{other}");
        }
    }

    #[test]
    fn lines_that_begin_no_block_hide_none() {
        let real = "begin 644 a\n#HTTP\nend";
        for other in ["begin 644 a\n", "begin with it\n", "=ybegin line=1 size=1\n"] {
            let text = [&other.repeat(600), real].concat();
            let mut omissions = Omissions::default();
            let start = text.len() - real.len();
            assert_eq!(find(&text, &mut omissions), [Span::new(start, text.len())], "{other}");
        }
    }

    #[test]
    fn an_end_counts_that_is_near_or_after_lines_that_can_be_nothing_else() {
        let found = |text: &str| {
            let spans = find(text, &mut Omissions::default());
            spans.first().map_or(0, |span| span.end)
        };
        let uuencode = |len: usize| ["begin 644 a\n", &"#HTTP\n".repeat(len / 6)].concat();
        let head = "=ybegin line=9 size=9 name=a\n";
        let yenc = |len: usize| [head, &"abcdefghi\n".repeat(len / 10)].concat();
        for (lines, end) in [(uuencode(LONG_LEN), "end"), (yenc(LONG_LEN), "=yend size=9")] {
            let other = "a line of text\nand another\n";
            assert_eq!(found(&lines), lines.len(), "{end}");
            assert_eq!(found(&[&lines, end].concat()), lines.len() + end.len());
            assert_eq!(found(&[&lines, other, end].concat()), lines.len());
        }
        for (lines, end) in [(uuencode(60), "end"), (yenc(60), "=yend size=9")] {
            let others = |len: usize| "a line of text\n".repeat(len / 15);
            assert_eq!(found(&[&lines, &others(LONG_LEN), end].concat()), 0, "{end}");
            let near = [&lines, &others(LONG_LEN - 200), end].concat();
            assert_eq!(found(&near), if end == "end" { lines.len() } else { near.len() });
        }
    }

    #[test]
    fn blocks_of_base64_count_where_an_end_comes() {
        let counted = |text: &str, omission: Omission| {
            let mut omissions = Omissions::default();
            assert!(find(text, &mut omissions).is_empty());
            omissions.iter().find(|(of, _)| *of == omission).map(|(_, count)| count)
        };
        let [begin, end] = ["BEGIN", "END"].map(|mark| format!("-----{mark} PGP MESSAGE-----\n"));
        let armours = |parts: &[&str]| counted(&parts.concat(), Omission::Armour);
        assert_eq!(armours(&[&begin, &end, &begin, &begin, &end, &end, &begin]), Some(3));
        assert_eq!(armours(&["> ", &begin, "> ", &end]), Some(0));
        assert_eq!(
            armours(&[&"a\n".repeat(LONG_LEN), &begin, &"\n".repeat(LONG_LEN), &end]),
            Some(1)
        );
        let signed = begin.replace("MESSAGE", "SIGNED MESSAGE");
        assert_eq!(armours(&[&signed, &begin, &end]), Some(1));
        let base64s = |parts: &[&str]| counted(&parts.concat(), Omission::Uuencode);
        let begin = "begin-base64 644 a\n";
        assert_eq!(base64s(&[begin, "====\n====\n", begin, begin, " ====\n"]), Some(1));
    }

    /// Reports whether a block of `text` is counted, and nothing is skipped.
    fn counted(text: &str) -> bool {
        let mut omissions = Omissions::default();
        assert!(find(text, &mut omissions).is_empty());
        omissions != Omissions::default()
    }

    #[test]
    fn blocks_in_base64_are_counted() {
        assert!(counted("a\nbegin-base64 644 a.txt\naHR0cDovL2gv\n====\n"));
        assert!(counted("begin-base64 0644 a.txt\naHR0cDovL2gv\n====\n"));
        for other in ["begin-base64 644 a\n", "begin-base64 a\n====\n", "begin-base64\n====\n"] {
            assert!(!counted(other), "{other}");
        }
    }
}
