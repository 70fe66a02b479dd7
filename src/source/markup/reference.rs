//! Decodes character references of HTML (HTML Standard §13.2.5.72 to §13.2.5.80): `&amp;` and
//! `&#x2F;`.
//!
//! Text and attributes differ in a name without its semicolon before a letter, a digit or an equals
//! sign: in an attribute it is literal, and in text it is read (§13.2.5.73). Our choice: before an
//! equals sign all names but `amp` are literal in text, too. A text with `http://h/?a=1&copy=2` has
//! lost its `&amp;` on the way, and meant no sign, although browsers show one.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memchr;

use super::Replaced;
use crate::span::Span;

/// Longest name, with its semicolon and without the ampersand.
const NAME_LEN_MAX: usize = 32;
/// Maximum number of bytes of a reference, except for numbers with an unusual number of leading
/// zeros.
pub(super) const REFERENCE_LEN_MAX: usize = 1 + NAME_LEN_MAX;
/// Longest name that is taken without a semicolon: `brvbar`.
const BARE_NAME_LEN_MAX: usize = 6;
/// Replaces a number that is no character.
const REPLACEMENT: char = '\u{FFFD}';

/// A decoded character reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) struct Reference {
    /// Its length in bytes, with the ampersand.
    pub(in crate::source) len: usize,
    /// Its value.
    pub(in crate::source) made: Made,
}

/// The value of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) enum Made {
    /// The entry of its name in the standard's table.
    Named(&'static [u8]),
    /// The character with its number.
    Numbered(char),
}

impl Reference {
    /// Calls `take` with the bytes of the value.
    pub(in crate::source) fn with_bytes<T>(self, take: impl FnOnce(&[u8]) -> T) -> T {
        match self.made {
            Made::Named(bytes) => take(bytes),
            Made::Numbered(made) => take(made.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// The construct that a reference is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) enum Within {
    /// The value of an attribute.
    Attribute,
    /// Text.
    Text,
}

/// Reads the reference that `rest`, in an attribute, begins with.
pub(in crate::source) fn read(rest: &[u8]) -> Option<Reference> {
    read_within(Within::Attribute, rest)
}

/// Reads the reference that `rest` begins with.
pub(in crate::source) fn read_within(within: Within, rest: &[u8]) -> Option<Reference> {
    let after = rest.strip_prefix(b"&")?;
    match after {
        [b'a', b'm', b'p', b';', ..] => Some(reference(5, b"&")),
        [b'n', b'b', b's', b'p', b';', ..] => Some(reference(6, b"\xC2\xA0")),
        [b'#', digits @ ..] => numeric(digits),
        _ => named(within, after),
    }
}

const fn reference(len: usize, made: &'static [u8]) -> Reference {
    Reference { len, made: Made::Named(made) }
}

/// Reads the numeric reference after `&#`.
fn numeric(after: &[u8]) -> Option<Reference> {
    let (mark, radix) = match after {
        [b'x' | b'X', ..] => (1, 16),
        _ => (0, 10),
    };
    let digits = after.iter().skip(mark).map_while(|byte| char::from(*byte).to_digit(radix));
    let (mut count, mut number) = (0, 0_u32);
    for digit in digits {
        count += 1;
        number = number.saturating_mul(radix).saturating_add(digit);
    }
    let end = mark + count;
    let semicolon = usize::from(after.get(end) == Some(&b';'));
    let made = Made::Numbered(character(number));
    (count > 0).then_some(Reference { len: 2 + end + semicolon, made })
}

/// Returns the character with `number` (HTML Standard §13.2.5.80).
fn character(number: u32) -> char {
    /// Characters of numbers from 0x80 on: Windows-1252, as the standard's table prints it.
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    let in_windows = number.checked_sub(0x80).and_then(|at| WINDOWS.get(usize::try_from(at).ok()?));
    match (number, in_windows) {
        (0, _) => REPLACEMENT,
        (_, Some(made)) => *made,
        (_, None) => char::from_u32(number).unwrap_or(REPLACEMENT),
    }
}

/// Reads the named reference after `&`.
fn named(within: Within, after: &[u8]) -> Option<Reference> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric();
    let len = after.iter().take(NAME_LEN_MAX).take_while(is_part).count();
    if after.get(len) == Some(&b';')
        && let Some(made) = meaning(after.get(..=len)?)
    {
        return Some(reference(2 + len, made));
    }
    let is_parameter = after.get(len) == Some(&b'=');
    let bare = |len: usize| meaning(after.get(..len)?).map(|made| reference(1 + len, made));
    match within {
        // All letters and digits must be the name, and no equals sign may follow.
        Within::Attribute => bare(len).filter(|_| len <= BARE_NAME_LEN_MAX && !is_parameter),
        Within::Text if is_parameter => {
            let len = b"amp".len();
            bare(len).filter(|_| after.get(..len).is_some_and(|it| it.eq_ignore_ascii_case(b"amp")))
        }
        // The longest name counts.
        Within::Text => (2..=len.min(BARE_NAME_LEN_MAX)).rev().find_map(bare),
    }
}

/// Returns the value of `name` in the standard's table (§13.5).
fn meaning(name: &[u8]) -> Option<&'static [u8]> {
    static TABLE: LazyLock<Vec<(&[u8], &[u8])>> = LazyLock::new(|| {
        let row = |of: &'static entities::Entity| {
            (of.entity.as_bytes().get(1..).unwrap_or_default(), of.characters.as_bytes())
        };
        let mut table: Vec<(&[u8], &[u8])> = entities::ENTITIES.iter().map(row).collect();
        table.sort_unstable();
        table
    });
    let at = TABLE.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    TABLE.get(at).map(|(_, made)| *made)
}

/// Returns the references in `span` of `text`, a value of an attribute, in order.
pub(super) fn find(text: &[u8], span: Span) -> impl Iterator<Item = Replaced> {
    find_within(Within::Attribute, text, span)
}

/// Returns the references in `span` of `text`, in order.
pub(super) fn find_within(
    within: Within,
    text: &[u8],
    span: Span,
) -> impl Iterator<Item = Replaced> {
    let mut at = span.start;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..span.end)?;
            at += memchr(b'&', rest)?;
            if let Some(found) = read_within(within, text.get(at..span.end)?) {
                let span = Span::new(at, at + found.len);
                at = span.end;
                return Some(found.with_bytes(|made| Replaced::new(span, made)));
            }
            at += 1;
        }
    })
}

/// A text with its references resolved, and the map back.
#[derive(Debug)]
pub(super) struct Resolved<'t> {
    pub(super) bytes: Cow<'t, [u8]>,
    /// Offset of the source in the text around it.
    base: usize,
    /// For each reference, its end offset in the source and in the text.
    ends: Vec<(usize, usize)>,
    /// For each reference, its length and the length of its value.
    lens: Vec<(usize, usize)>,
}

impl<'t> Resolved<'t> {
    /// Resolves `span` of `text`, a value of an attribute.
    pub(super) fn new(text: &'t [u8], span: Span) -> Self {
        Self::within(Within::Attribute, text, span)
    }

    /// Resolves `span` of `text`, which is text between tags.
    pub(super) fn of_text(text: &'t [u8], span: Span) -> Self {
        Self::within(Within::Text, text, span)
    }

    fn within(within: Within, text: &'t [u8], span: Span) -> Self {
        let source = span.of(text);
        let mut found = Self {
            bytes: Cow::Borrowed(source),
            base: span.start,
            ends: Vec::new(),
            lens: Vec::new(),
        };
        let mut out = Vec::new();
        let mut from = 0;
        for replaced in find_within(within, source, Span::new(0, source.len())) {
            let (at, made) = (replaced.span, replaced.text());
            out.extend_from_slice(source.get(from..at.start).unwrap_or_default());
            out.extend_from_slice(made);
            found.ends.push((at.end, out.len()));
            found.lens.push((at.len(), made.len()));
            from = at.end;
        }
        if from > 0 {
            out.extend_from_slice(source.get(from..).unwrap_or_default());
            found.bytes = Cow::Owned(out);
        }
        found
    }

    /// Returns the span, in the text around the source, from which `span` was decoded.
    pub(super) fn source(&self, span: Span) -> Span {
        let start = self.offset(span.start, 0);
        if span.is_empty() {
            return Span::new(start, start);
        }
        Span::new(start, self.offset(span.end - 1, 1))
    }

    /// Returns the offset at which the source of the byte at `at` begins, or, with `after`, ends.
    fn offset(&self, at: usize, after: usize) -> usize {
        let passed = self.ends.partition_point(|(_, end)| *end <= at);
        if let (Some((end, made_end)), Some((len, made_len))) =
            (self.ends.get(passed), self.lens.get(passed))
            && at + made_len >= *made_end
        {
            return self.base + if after == 0 { end - len } else { *end };
        }
        let before = passed.checked_sub(1).and_then(|last| self.ends.get(last));
        let (end, made_end) = before.copied().unwrap_or_default();
        self.base + end + (at - made_end) + after
    }
}
