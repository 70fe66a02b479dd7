//! Finds where each message of a box begins. A box is a text of messages one after the other.
//!
//! The first bytes of a box show how its messages are separated: by `From ` lines (RFC 4155 and its
//! predecessors), by lines of four SOH (MMDF), by lines of 73 equals signs (logs of LISTSERV), or
//! by lines `#! rnews N` with the length of the article that follows (batches for `rnews` of INN).
//!
//! In a box whose first message has a Content-Length (mboxcl, mboxcl2), and in a batch of `rnews`,
//! messages declare their lengths, and a line within a message never separates. A length counts
//! only if another message, or the end of the text, follows. In a message longer than a core, that
//! cannot be verified, and only separators count: otherwise the sender of one message could hide
//! all messages after it.
//!
//! Not read as boxes: Babyl, and mailboxes in databases.

mod around;

use around::{Around, Place};

use super::mailbox::{self, Form, FromLine};
use super::mime::{Edge, Sections, Text, Walk};
use crate::source::limits::SNIFF_LEN_MAX;
use crate::span::Span;

/// How a text stores its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One message and nothing else.
    Alone,
    /// One message, with another dot before each line that begins with a dot.
    Wire,
    /// Messages that begin with `From ` lines.
    Mbox,
    /// Messages that begin with `From ` lines, and whose Content-Length gives their ends.
    Counted,
    /// Messages after lines of four SOH.
    Mmdf,
    /// Messages after lines of 73 equals signs.
    Listserv,
    /// Articles after lines that declare their lengths.
    Rnews,
}

/// The line before and after each message of an MMDF box.
const SOH: &[u8] = b"\x01\x01\x01\x01";
/// The line before each message of a log of LISTSERV.
const RULE: &[u8; 73] =
    b"=========================================================================";
/// The beginning of the line before an article of a batch.
pub(in crate::source) const RNEWS: &[u8] = b"#! rnews ";

/// Maximum number of bytes before the first message of a mailbox, which may be anything: a line or
/// two that a person or a program left there.
const GARBAGE_LEN_MAX: usize = 1024;
/// Maximum number of bytes of the rest of a message that a box may begin with. No more than a piece
/// sees after its core, or the core's length would decide.
const REST_LEN_MAX: usize = mailbox::HEADER_LEN_MAX;
/// Bytes that must be seen after a message to know that another one begins there.
const AFTER_LEN: usize = mailbox::CANDIDATE_LEN_MAX + 2;

impl Style {
    /// Returns the style of a text that begins with `head`, if a message of a box begins there.
    #[must_use]
    pub fn of_box(head: &[u8]) -> Option<Self> {
        let text = head.get(mailbox::head_start(head)..)?;
        if mmdf(text, 0).is_some() {
            return Some(Self::Mmdf);
        }
        if rule_len(text).is_some_and(|len| text.get(len..).is_some_and(mailbox::is_message)) {
            return Some(Self::Listserv);
        }
        if article(text).is_some() {
            return Some(Self::Rnews);
        }
        first_separator(text).map(|first| Self::of_mbox(text, first))
    }

    /// Returns the style of a mailbox whose first message begins after up to 1 KiB of other bytes.
    #[must_use]
    pub fn of_box_after_garbage(head: &[u8]) -> Option<Self> {
        first_after(head, GARBAGE_LEN_MAX).map(|first| Self::of_mbox(head, first))
    }

    /// Returns the style of a text that is declared to be mail, if it is the rest of a box: one
    /// that begins within a message.
    #[must_use]
    pub fn of_rest_of_box(head: &[u8]) -> Option<Self> {
        let head = head.get(..REST_LEN_MAX).unwrap_or(head);
        first_after(head, REST_LEN_MAX).map(|first| Self::of_mbox(head, first))
    }

    fn of_mbox(head: &[u8], first: usize) -> Self {
        let declared = content_length(head, first);
        if declared.is_some() { Self::Counted } else { Self::Mbox }
    }

    /// Returns the meaning of a `From ` line in a header.
    #[must_use]
    pub const fn in_head(self) -> FromLine {
        match self {
            Self::Alone | Self::Wire => FromLine::Belongs,
            _ => FromLine::Begins,
        }
    }

    /// Reports whether messages declare their lengths.
    #[must_use]
    pub const fn declares_lengths(self) -> bool {
        matches!(self, Self::Counted | Self::Rnews)
    }

    /// Returns the offset of the message that a text begins with, after bytes that may precede it.
    /// A box may lack the first line of that message, or more.
    fn of_start(self, head: &[u8]) -> Option<usize> {
        let head = head.get(..SNIFF_LEN_MAX).unwrap_or(head);
        let start = mailbox::head_start(head);
        let text = head.get(start..)?;
        let at = match self {
            Self::Alone | Self::Wire => Some(0),
            Self::Mbox | Self::Counted => {
                let is_garbage = || first_after(head, GARBAGE_LEN_MAX).is_some();
                let is_first = || mailbox::is_message(text) || !is_garbage();
                first_separator(text).or_else(|| is_first().then_some(0))
            }
            Self::Mmdf => mmdf(text, 0),
            Self::Listserv => rule_len(text).map(|_| 0),
            Self::Rnews => article(text).map(|_| 0),
        };
        at.map(|at| start + at)
    }

    /// Returns the offset of the first message that begins in `start..end`, regardless of lengths.
    fn first(self, bytes: &[u8], start: usize, end: usize) -> Option<usize> {
        match self {
            Self::Alone | Self::Wire => None,
            Self::Mbox | Self::Counted => mailbox::separators(bytes, start, end).next(),
            Self::Mmdf => {
                let from = start.saturating_sub(SOH.len() + b"\r\n".len());
                mailbox::lines(bytes, from, end, SOH)
                    .filter_map(|at| mmdf(bytes, at))
                    .find(|at| (start..end).contains(at))
            }
            Self::Listserv => mailbox::lines(bytes, start, end, RULE)
                .find(|at| rule_len(bytes.get(*at..).unwrap_or_default()).is_some()),
            Self::Rnews => mailbox::lines(bytes, start, end, RNEWS)
                .find(|at| article(bytes.get(*at..).unwrap_or_default()).is_some()),
        }
    }

    /// Returns the offset after the first line or the header of the message at `at`, and the length
    /// in bytes that it declares for the text from there on.
    fn declared_len(self, bytes: &[u8], at: usize) -> Option<(usize, u64)> {
        match self {
            Self::Alone | Self::Wire | Self::Mbox | Self::Mmdf | Self::Listserv => None,
            Self::Counted => content_length(bytes, at),
            Self::Rnews => article(bytes.get(at..)?).map(|(line, len)| (at + line, len)),
        }
    }

    /// Returns the offset of the message that follows one that ends at `end`, if one does. Some
    /// programs count the line end after a message, others do not.
    fn next(self, bytes: &[u8], end: usize) -> Option<usize> {
        let rest = bytes.get(end..)?;
        if self == Self::Rnews {
            return article(rest).map(|_| end);
        }
        let blank = match rest {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => 0,
        };
        let at = end + blank;
        let is_line = at.checked_sub(1).and_then(|feed| bytes.get(feed)) == Some(&b'\n');
        (is_line && mailbox::is_separator(bytes, at)).then_some(at)
    }

    /// Returns where to cut before the message at `at`, if no candidate can cross that place.
    fn cut(self, bytes: &[u8], at: usize) -> Option<usize> {
        match self {
            // There is nothing to separate.
            Self::Alone | Self::Wire => None,
            // No URI can contain the lines between these messages.
            Self::Rnews | Self::Listserv => Some(at),
            Self::Mmdf if bytes.get(at) == SOH.first() => Some(at),
            // The line before a `From ` line shows that it begins a message.
            Self::Mmdf => (1..=2)
                .filter_map(|end| at.checked_sub(SOH.len() + end))
                .find(|line| mmdf(bytes, *line) == Some(at)),
            _ => mailbox::is_blank_before(bytes, at).then_some(at),
        }
    }
}

/// Returns the offset of the line that begins the first message of a mailbox: the first one, or the
/// last of several, when a program wrote its own line before those of others.
fn first_separator(text: &[u8]) -> Option<usize> {
    /// A message passes through few programs.
    const LINES_MAX: usize = 8;
    let mut at = 0;
    for _ in 0..LINES_MAX {
        if mailbox::is_separator(text, at) {
            return Some(at);
        }
        let line = text.get(at..)?;
        if mailbox::form(line) != Some(Form::Dated) {
            return None;
        }
        at += mailbox::line_len(line);
    }
    None
}

/// Returns the offset, before `most`, of the first message of a mailbox that begins with something
/// else: of a `From ` line after an empty line and before the header of a message. A message that
/// is alone may quote one such message, or have any number in a part; two outside of its parts are
/// mostly a mailbox without its first line.
fn first_after(head: &[u8], most: usize) -> Option<usize> {
    let mut found = mailbox::separators(head, 0, head.len()).filter(|at| {
        let line = head.get(*at..).unwrap_or_default();
        let header = line.get(mailbox::line_len(line)..).unwrap_or_default();
        mailbox::is_blank_before(head, *at) && mailbox::is_message(header)
    });
    let first = found.next().filter(|at| *at < most)?;
    let is_rest = || has_two_outside(head, std::iter::once(first).chain(found));
    (!mailbox::is_message(head) || is_rest()).then_some(first)
}

/// Reports whether two of the offsets `found` are in no part of the message that `head` begins
/// with. A part without a closing delimiter contains nothing: its message was truncated.
fn has_two_outside(head: &[u8], found: impl Iterator<Item = usize>) -> bool {
    /// Maximum number of offsets that are looked at: few letters quote more messages.
    const LOOKS_MAX: usize = 64;
    let (mut walk, mut passed) = (Walk::new(FromLine::Begins), mailbox::head_start(head));
    let mut depth = |to: usize| {
        while passed < to {
            let text = Text { bytes: head, to, sight: to, edge: Edge::Anywhere };
            passed = walk.sections(text, passed, &mut Sections::default());
        }
        walk.depth()
    };
    let depths: Vec<_> = found.take(LOOKS_MAX).map(&mut depth).collect();
    let last = depth(head.len());
    let is_outside = |depth: &&(usize, usize)| depth.0 == 0 || **depth == last;
    depths.iter().filter(is_outside).count() >= 2
}

/// Returns where a message of an MMDF box begins, if the line at `at` is one of SOH, followed by a
/// field, a line of UUCP or a `From ` line: after the line if it is a `From ` line, else at `at`.
/// The line that ends a message is followed by another line of SOH.
fn mmdf(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?.strip_prefix(SOH)?;
    let next = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n"))?;
    if next.starts_with(b"From ") {
        return Some(at + SOH.len() + rest.len() - next.len());
    }
    let is_begun = |text| mailbox::is_field(text);
    (is_begun(after_way(next)) || is_begun(mailbox::after_way(next))).then_some(at)
}

/// Returns the length of the line before a message in a log of LISTSERV, if `text` begins with one:
/// the date follows it, since LISTSERV writes that field first.
fn rule_len(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(RULE)?;
    let next = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n"))?;
    mailbox::is_named(next, b"date").then_some(text.len() - next.len())
}

/// Returns `text` after the lines of UUCP at its beginning.
fn after_way(text: &[u8]) -> &[u8] {
    /// A message passes through some machines.
    const LINES_MAX: usize = 64;
    let mut rest = text;
    for _ in 0..LINES_MAX {
        if !mailbox::is_of_way(rest) {
            break;
        }
        rest = rest.get(mailbox::line_len(rest)..).unwrap_or_default();
    }
    rest
}

/// Returns the length of the line `#! rnews N` that `text` begins with, and N.
pub(in crate::source) fn article(text: &[u8]) -> Option<(usize, u64)> {
    let line = text.get(..text.len().min(mailbox::SEPARATOR_LEN_MAX))?;
    let count = line.strip_prefix(RNEWS)?;
    let count = count.get(..memchr::memchr(b'\n', count)?)?;
    // Some programs write the name of the host after the number.
    let first = count.trim_ascii_start().split(u8::is_ascii_whitespace).next()?;
    Some((RNEWS.len() + count.len() + 1, number(first)?))
}

/// Returns the offset of the body of the message at `at`, and the Content-Length in its header.
fn content_length(bytes: &[u8], at: usize) -> Option<(usize, u64)> {
    const NAME: &[u8] = b"content-length";
    let limit = bytes.len().min(at.saturating_add(mailbox::HEADER_LEN_MAX));
    let header = bytes.get(..limit)?;
    let mut declared = None;
    let mut line = at;
    loop {
        line += mailbox::line_len(header.get(line..)?);
        match header.get(line..)? {
            [] => return None,
            [b'\n', ..] => return Some((line + 1, declared?)),
            [b'\r', b'\n', ..] => return Some((line + 2, declared?)),
            [b'F', ..] if mailbox::is_separator(header, line) => return None,
            _ if mailbox::end_of_header(header, line).is_some() => return Some((line, declared?)),
            field if declared.is_none() && mailbox::is_named(field, NAME) => {
                let line = field.get(..mailbox::line_len(field))?;
                declared = number(line.get(memchr::memchr(b':', line)? + 1..)?);
            }
            _ => {}
        }
    }
}

/// Returns the number that `text` is, apart from blanks around it.
fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

/// A message that begins in a core.
#[derive(Debug)]
pub(in crate::source) struct Begun {
    /// Offset of its first line.
    pub(in crate::source) at: usize,
    /// The offset after it, if its declared length is right.
    end: Option<usize>,
    /// The offset from which its declared length counts, and that length in bytes.
    declared: Option<(usize, u64)>,
}

/// A declared length that is not yet known to be right or wrong.
#[derive(Debug)]
struct Claim {
    /// Offset of the line that declares it.
    line: u64,
    /// Offset from which it counts.
    start: u64,
    len: u64,
}

/// A length that is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::source) struct WrongLength {
    /// Offset of the line that declares it.
    pub(in crate::source) offset: u64,
    pub(in crate::source) declared: u64,
    /// Bytes up to the next message, or to the end.
    pub(in crate::source) found: u64,
    /// Whether the text ends before the length does.
    pub(in crate::source) is_truncated: bool,
}

/// A finder of the messages of a box, core by core.
#[derive(Debug)]
pub(in crate::source) struct Finder {
    style: Style,
    /// The number of messages that begin before the next core.
    count: u64,
    /// Offset in the text after the last message, if its declared length is right; else 0.
    until: u64,
    claim: Option<Claim>,
    /// Offset in the text of the message that the text begins with.
    start: Option<u64>,
    /// The form of the first line of a mailbox.
    habit: Form,
    /// The boundaries of the outermost multipart that the next core begins in.
    boundaries: Vec<Vec<u8>>,
}

/// The messages that begin in a core.
#[derive(Debug)]
pub(in crate::source) struct BegunMessages {
    pub(in crate::source) begun: Vec<Begun>,
    /// Whether bytes after the core decide if more messages begin in it.
    pub(in crate::source) is_open: bool,
}

impl Finder {
    /// Returns a finder for a text that begins with `head`.
    pub(in crate::source) fn new(style: Style, head: &[u8]) -> Self {
        let start = style.of_start(head);
        let first = start.and_then(|at| head.get(at..)).unwrap_or_default();
        let habit = mailbox::form(first).unwrap_or(Form::Dated);
        let (start, boundaries) = (start.map(|at| at as u64), Vec::new());
        Self { style, count: 0, until: 0, claim: None, start, habit, boundaries }
    }

    /// Moves to a message before which there are `count`.
    pub(in crate::source) const fn resume(&mut self, count: u64) {
        self.count = count;
    }

    /// Sets the boundaries of the outermost multipart that the next core begins in.
    pub(in crate::source) fn enter(&mut self, boundaries: &[Vec<u8>]) {
        self.boundaries.clear();
        self.boundaries.extend_from_slice(boundaries);
    }

    pub(in crate::source) const fn style(&self) -> Style {
        self.style
    }

    /// Returns the number of messages that begin before the next core; `None` if the text is one
    /// message.
    pub(in crate::source) fn count(&self) -> Option<u64> {
        (!matches!(self.style, Style::Alone | Style::Wire)).then_some(self.count)
    }

    /// Returns where the box may be cut before the message at `at`.
    pub(in crate::source) fn cut(&self, bytes: &[u8], at: usize) -> Option<usize> {
        self.style.cut(bytes, at)
    }

    /// Finds the messages that begin in `core`. `bytes` begin at offset `base` of the text, and end
    /// with it when `is_end` is true.
    ///
    /// The end of the last message may be out of sight: more messages may follow that are only
    /// found when a core begins with it.
    pub(in crate::source) fn find(
        &self,
        bytes: &[u8],
        core: Span,
        base: u64,
        is_end: bool,
    ) -> BegunMessages {
        let lone = |at| Begun { at, end: None, declared: None };
        match self.style {
            Style::Alone | Style::Wire => {
                let begun = self.start(core, base).map(lone).into_iter().collect();
                BegunMessages { begun, is_open: false }
            }
            Style::Mbox => {
                let mut search = self.search(bytes, core, is_end);
                let mut begun = Vec::new();
                let mut next = self.start(core, base);
                let mut from = core.start;
                while let Some(at) = next.take().or_else(|| search.next(from)) {
                    search.around = Around::begin(at);
                    begun.push(lone(at));
                    from = at + 1;
                }
                BegunMessages { begun, is_open: search.is_open }
            }
            Style::Counted | Style::Mmdf | Style::Listserv | Style::Rnews => {
                self.step(bytes, core, base, is_end)
            }
        }
    }

    /// Returns the offset of the message that the text begins with, if it is in `core`.
    fn start(&self, core: Span, base: u64) -> Option<usize> {
        let at = usize::try_from(self.start?.checked_sub(base)?).ok()?;
        (core.start..core.end).contains(&at).then_some(at)
    }

    fn search<'s>(&'s self, bytes: &'s [u8], core: Span, is_end: bool) -> Search<'s> {
        let around = Around::within(&self.boundaries, core.start);
        Search { bytes, end: core.end, is_end, habit: self.habit, around, is_open: false }
    }

    fn step(&self, bytes: &[u8], core: Span, base: u64, is_end: bool) -> BegunMessages {
        let mut begun = Vec::new();
        let until = self.until.checked_sub(base);
        let until = until.map(|until| usize::try_from(until).unwrap_or(usize::MAX));
        let mut from = core.start.max(until.unwrap_or_default());
        let adjacent = |end: Option<usize>| end.filter(|end| self.is_adjacent(bytes, core, *end));
        let mut start = self.start(core, base).or_else(|| adjacent(until));
        let mut search = self.search(bytes, core, is_end);
        let mut first = |from, around| match self.style {
            Style::Counted => {
                search.around = around;
                search.next(from)
            }
            style => style.first(bytes, from, core.end),
        };
        let mut around = Around::within(&self.boundaries, from);
        while from < core.end
            && let Some(at) = start.take().or_else(|| first(from, std::mem::take(&mut around)))
        {
            let declared = self.style.declared_len(bytes, at);
            let end = self.end(bytes, declared, is_end);
            let seen = if let End::Seen(end) = end { Some(end) } else { None };
            begun.push(Begun { at, end: seen, declared });
            // A core ends before a message only if the next core would see the message's end: false
            // lengths must not make core after core begin with such messages in vain.
            let is_seen_then = matches!(end, End::OutOfSight(end)
                if end.saturating_sub(at) <= bytes.len() - core.start);
            if is_seen_then && at > core.start && self.cut(bytes, at).is_some() {
                break;
            }
            // A correct length is better evidence than delimiters.
            around = if seen.is_some() { Around::default() } else { Around::begin(at) };
            from = seen.unwrap_or(at).max(at + 1);
            start = adjacent(seen);
        }
        BegunMessages { begun, is_open: false }
    }

    /// Reports whether an article begins in `core` where another one ends, at `end`: within a line,
    /// if the first one has no line end.
    fn is_adjacent(&self, bytes: &[u8], core: Span, end: usize) -> bool {
        self.style == Style::Rnews
            && (core.start..core.end).contains(&end)
            && bytes.get(end..).is_some_and(|rest| article(rest).is_some())
    }

    /// Returns the end of a message; `declared` is the start of the counted bytes and their number.
    fn end(&self, bytes: &[u8], declared: Option<(usize, u64)>, is_end: bool) -> End {
        let Some((start, len)) = declared else { return End::Unknown };
        let end = usize::try_from(len).ok().and_then(|len| start.checked_add(len));
        let end = end.unwrap_or(usize::MAX);
        if is_end && end <= bytes.len() {
            let rest = bytes.get(end..).unwrap_or_default();
            if rest.len() <= AFTER_LEN && rest.trim_ascii().is_empty() {
                return End::Seen(bytes.len());
            }
        } else if end.saturating_add(AFTER_LEN) > bytes.len() {
            let seen = end.saturating_add(AFTER_LEN);
            return if is_end { End::Unknown } else { End::OutOfSight(seen) };
        }
        self.style.next(bytes, end).map_or(End::Unknown, End::Seen)
    }

    /// Advances to `cut`; returns the offsets of messages that begin before it, and wrong lengths.
    pub(in crate::source) fn pass(
        &mut self,
        found: Vec<Begun>,
        base: u64,
        cut: usize,
    ) -> (Vec<usize>, Vec<WrongLength>) {
        let (mut starts, mut wrong) = (Vec::with_capacity(found.len()), Vec::new());
        for begun in found {
            if begun.at >= cut {
                break;
            }
            starts.push(begun.at);
            let line = base + begun.at as u64;
            wrong.extend(self.settle(line));
            self.until = begun.end.map_or(0, |end| base + end as u64);
            let claim = |(start, len)| Claim { line, start: base + start as u64, len };
            self.claim = begun.declared.filter(|_| self.style == Style::Rnews).map(claim);
        }
        self.count += starts.len() as u64;
        (starts, wrong)
    }

    /// Returns the last declared length if it is wrong, given that the next message begins at `at`.
    fn settle(&mut self, at: u64) -> Option<WrongLength> {
        let Claim { line, start, len } = self.claim.take()?;
        let found = at.saturating_sub(start);
        (found != len).then_some(WrongLength {
            offset: line,
            declared: len,
            found,
            is_truncated: false,
        })
    }

    /// Returns the last declared length if it is wrong, given that the text ends at `end`.
    pub(in crate::source) fn finish(&mut self, end: u64) -> Option<WrongLength> {
        // Empty lines after a batch belong to no article.
        let is_right = self.until == end;
        let wrong = self.settle(end).filter(|_| !is_right)?;
        let is_truncated = wrong.declared > wrong.found;
        Some(WrongLength { is_truncated, ..wrong })
    }
}

/// A search for the next `From ` line that begins a message.
struct Search<'s> {
    bytes: &'s [u8],
    /// Offset before which the line must begin.
    end: usize,
    /// Whether `bytes` end the text.
    is_end: bool,
    habit: Form,
    around: Around,
    /// Whether a line was decided without all the bytes that could decide it.
    is_open: bool,
}

impl Search<'_> {
    /// Returns the offset of the first line from `from` on that begins a message.
    fn next(&mut self, from: usize) -> Option<usize> {
        for at in mailbox::from_lines(self.bytes, from, self.end) {
            if !mailbox::is_separator_of(self.bytes, at, Some(self.habit)) {
                let is_seen = self.bytes.len() - at >= mailbox::CANDIDATE_LEN_MAX;
                self.is_open |= !is_seen && !self.is_end;
                continue;
            }
            match self.around.place(self.bytes, at, self.is_end) {
                Place::Inside => {}
                place => {
                    self.is_open |= place == Place::OutOfSight;
                    return Some(at);
                }
            }
        }
        None
    }
}

/// The end of a message, as its declared length gives it.
#[derive(Clone, Copy)]
enum End {
    /// At this offset, another message begins, or the text ends.
    Seen(usize),
    /// No length is declared, or it is wrong.
    Unknown,
    /// Beyond the bytes at hand: they would have to extend to this offset.
    OutOfSight(usize),
}

#[cfg(test)]
mod tests {
    use super::{AFTER_LEN, Finder, Style, WrongLength, content_length};
    use crate::span::Span;

    /// Returns where messages begin in `text` cut at `cuts`, where each piece sees the rest of
    /// `text`.
    fn starts(style: Style, text: &[u8], cuts: &[usize]) -> (Vec<usize>, Vec<WrongLength>) {
        let mut finder = Finder::new(style, text);
        let (mut starts, mut wrong, mut from) = (Vec::new(), Vec::new(), 0);
        for &cut in cuts.iter().chain([&text.len()]) {
            let core = Span::new(0, cut - from);
            let found = finder.find(&text[from..], core, from as u64, true).begun;
            let (here, more) = finder.pass(found, from as u64, core.end);
            starts.extend(here.iter().map(|at| from + at));
            wrong.extend(more);
            from = cut;
        }
        wrong.extend(finder.finish(text.len() as u64));
        assert_eq!(finder.count(), Some(starts.len() as u64));
        (starts, wrong)
    }

    fn counted(len: usize, body: &str) -> String {
        format!("From a\nContent-Length: {len}\n\n{body}")
    }

    #[test]
    fn the_first_bytes_tell_the_kind_of_box() {
        let of = |text: &str| {
            let head = text.as_bytes();
            Style::of_box(head).or_else(|| Style::of_box_after_garbage(head))
        };
        assert_eq!(of("From a\nTo: b\n\n"), Some(Style::Mbox));
        assert_eq!(of("From a\nTo: b\nCONTENT-LENGTH: 1\n\nc\n"), Some(Style::Counted));
        assert_eq!(of("From a\nTo: b\nContent-Length: x\n\nc\n"), Some(Style::Mbox));
        assert_eq!(of("\n\x01\x01\x01\x01\nTo: b\n\nc\n"), Some(Style::Mmdf));
        assert_eq!(of("\x01\x01\x01\x01\r\nFrom a\r\n"), Some(Style::Mmdf));
        let way = "\x01\x01\x01\x01\n>From b 11:00 remote from c\nTo: d\n\n";
        assert_eq!(of(way), Some(Style::Mmdf));
        assert_eq!(of("\x01\x01\x01\x01\x01\nTo: b\n\n"), None);
        assert_eq!(of("#! rnews 12\nPath: a\n"), Some(Style::Rnews));
        assert_eq!(of("#! rnews 12 host x\r\nPath: a\n"), Some(Style::Rnews));
        assert_eq!(of("#! rnews twelve\nPath: a\n"), None);
        assert_eq!(of("x\n\nFrom a\nTo: b\nDate: c\n\n"), Some(Style::Mbox));
        let quoted = "\n\nFrom a\nTo: b\nDate: c\n\n";
        assert_eq!(of(&format!("To: a\nDate: b\n\nx{quoted}")), None, "a letter quotes it");
        let two = of(&format!("To: a\nDate: b\n\nx{quoted}x{quoted}"));
        assert_eq!(two, Some(Style::Mbox), "without the first line");
        let parts = "To: a\nContent-Type: multipart/mixed; boundary=b\nDate: c\n\n--b\n\n";
        let part = of(&format!("{parts}x{quoted}x{quoted}\n--b--\n"));
        assert_eq!(part, None, "a part of a letter");
        let two = of(&format!("{parts}--b--{quoted}x{quoted}"));
        assert_eq!(two, Some(Style::Mbox), "behind its parts");
        let two = of(&format!("{parts}x{quoted}\n--b--\n{quoted}x{quoted}"));
        assert_eq!(two, Some(Style::Mbox), "behind a part that quotes one");
        let cut = of(&format!("{parts}x{quoted}x{quoted}"));
        assert_eq!(cut, Some(Style::Mbox), "its parts have no end");
        assert_eq!(of("x\nFrom a 10:00\nTo: b\nDate: c\n\n"), None);
        assert_eq!(of("x\n\nFrom a\nTo: b\n\n"), None);
        let late = format!("{}\n\nFrom a\nTo: b\nDate: c\n\n", "x".repeat(1024));
        assert_eq!(of(&late), None);
        assert_eq!(of("From a 10:00\n>From b 11:00 remote from c\nTo: d\n\n"), Some(Style::Mbox));
        assert_eq!(of("From a\n>From b 11:00 remote from c\nTo: d\n\n"), None);
        assert_eq!(of("From a 10:00\n>From my view, b\nTo: d\n\n"), None);
    }

    #[test]
    fn a_message_that_is_alone_begins_once_and_is_not_cut() {
        let text = b"\n\nTo: a\n\nb\n\nc\n";
        for style in [Style::Alone, Style::Wire] {
            let finder = Finder::new(style, text);
            let find = |core, base| finder.find(text, core, base, true).begun;
            assert!(find(Span::new(0, 1), 0).is_empty(), "it begins in a later core");
            let found = find(Span::new(1, 3), 0);
            assert_eq!(found.iter().map(|begun| begun.at).collect::<Vec<_>>(), [2]);
            let found = find(Span::new(0, text.len()), 0);
            assert_eq!(found.iter().map(|begun| begun.at).collect::<Vec<_>>(), [2]);
            assert!(find(Span::new(3, text.len()), 0).is_empty());
            assert!(find(Span::new(0, text.len()), 7).is_empty());
            assert_eq!(finder.cut(text, 2), None);
        }
    }

    #[test]
    fn a_length_is_taken_where_something_ends_after_it() {
        let inner = "\nFrom b\nTo: c\n\nd\n";
        for (len, blank) in [(17, ""), (17, "\n"), (18, "\n"), (17, "\r\n")] {
            let box_of_two = format!("{}{blank}From e 10:00\nTo: f\n\n", counted(len, inner));
            let second = box_of_two.len() - 20;
            let (found, _) = starts(Style::Counted, box_of_two.as_bytes(), &[]);
            assert_eq!(found, [0, second], "{len} and {blank:?}");
            let alone = format!("{}{blank}", counted(len, inner));
            assert_eq!(starts(Style::Counted, alone.as_bytes(), &[]).0, [0], "{len} {blank:?}");
        }
        for len in [0, 1, 16, 19, usize::MAX] {
            let text = format!("{}\nFrom e 10:00\nTo: f\n\n", counted(len, inner));
            let inside = counted(len, "\n").len();
            let last = text.len() - 20;
            assert_eq!(starts(Style::Counted, text.as_bytes(), &[]).0, [0, inside, last], "{len}");
        }
    }

    #[test]
    fn a_length_holds_over_a_cut() {
        let text = format!("{}From e 10:00\nTo: f\n\n", counted(17, "\nFrom b\nTo: c\n\nd\n"));
        let second = text.len() - 20;
        for cut in 1..text.len() {
            assert_eq!(starts(Style::Counted, text.as_bytes(), &[cut]).0, [0, second], "{cut}");
        }
    }

    #[test]
    fn a_message_whose_end_is_not_seen_ends_the_search() {
        let last = counted(1017, "\nFrom b\nTo: c\n\nd\n");
        let text = format!("From a\nTo: b\n\n{last}{}", "x".repeat(1000 + AFTER_LEN - 7));
        let find = |start, is_end| {
            let finder = Finder::new(Style::Counted, text.as_bytes());
            let core = Span::new(start, text.len());
            let found = finder.find(text.as_bytes(), core, 0, is_end).begun;
            found.iter().map(|begun| begun.at).collect::<Vec<_>>()
        };
        let inner = 14 + last.len() - 16;
        assert_eq!(find(0, false), [0, 14]);
        assert_eq!(find(14, false), [14, inner], "no core begins earlier");
        assert_eq!(find(0, true), [0, 14, inner], "its length is wrong");
        let longer = text.replace("1017", "1117");
        let core = Span::new(0, longer.len());
        let finder = Finder::new(Style::Counted, longer.as_bytes());
        let found = finder.find(longer.as_bytes(), core, 0, false).begun;
        assert_eq!(found.len(), 3, "it is longer than all that can be seen");
    }

    #[test]
    fn the_length_of_a_message_stands_in_its_own_header() {
        let text = b"From a\nX: y\nContent-length:\t7 \n\nContent-Length: 8\n";
        assert_eq!(content_length(text, 0), Some((32, 7)));
        assert_eq!(content_length(&text[..31], 0), None);
        assert_eq!(content_length(b"From a\nTo: b\n\nContent-Length: 8\n\n", 0), None);
        let next = b"From a\nTo: b\nFrom c 10:00\nContent-Length: 8\n\n";
        assert_eq!(content_length(next, 0), None);
    }

    #[test]
    fn wrong_counts_of_articles_are_told_wherever_the_batch_is_cut() {
        let batch = b"#! rnews 2\na\n#! rnews 1\nb\n#! rnews 9\n#! rnews 9\nc\n";
        let wrong = |offset, declared, found, is_truncated| WrongLength {
            offset,
            declared,
            found,
            is_truncated,
        };
        let expected = [wrong(13, 1, 2, false), wrong(26, 9, 0, false), wrong(37, 9, 2, true)];
        for cut in 1..batch.len() {
            let (found, declared) = starts(Style::Rnews, batch, &[cut]);
            assert_eq!(found, [0, 13, 26, 37], "{cut}");
            assert_eq!(declared, expected, "{cut}");
        }
    }

    #[test]
    fn an_article_without_a_line_end_is_followed_by_the_next() {
        let batch = b"#! rnews 14\na #! rnews 2\nb#! rnews 2\nc\n#! rnews 1\nd";
        for cut in 1..batch.len() {
            let (found, declared) = starts(Style::Rnews, batch, &[cut]);
            assert_eq!((found, declared), (vec![0, 26, 39], Vec::new()), "{cut}");
        }
    }
}
