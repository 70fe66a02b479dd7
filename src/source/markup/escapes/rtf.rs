//! Reads Rich Text Format (1.9.1): the text is between its groups and control words, wherever a
//! line of the file ends. A character beyond US-ASCII is one of a code page, `\'e9`, or has its
//! number, `\u233`, followed by replacements for older readers; `properties` has the code page, and
//! the number of replacements.
//!
//! Most control words change the look of the text after them, often within a word, and denote
//! nothing. Those that end a line or a cell, or begin other content, divide the text around them,
//! and so do the end of a group that holds others, and both ends of a destination of its own, such
//! as a picture, whose data is no text.
//!
//! Readers do not see hidden and deleted text, entries of an index or a table of contents, nor, in
//! HTML inside RTF, the RTF between `\htmlrtf` and `\htmlrtf0`, which repeats the HTML (MS-OXRTFEX
//! §2.1.3.1). A number in superscript is a mark of a note, and ends a URI. Hidden text with a URI
//! is read.

mod properties;

use memchr::{memchr, memmem};

pub(super) use self::properties::Properties;
use super::{Denotes, Mark};
use crate::source::hex;
use crate::source::markup::insertion::{has_empty_line, holds_uri};
use crate::span::Span;

/// Maximum number of bytes of a group that is skipped: names of bookmarks have forty.
const GROUP_LEN_MAX: usize = 128;

/// Maximum number of groups within one another in text that is not shown: each may be the beginning
/// of such text, and is read again.
const DEPTH_MAX: usize = 4;

/// Maximum number of bytes of a group that is not shown, or is shown in superscript.
const LOOK_LEN_MAX: usize = 512;

/// Maximum number of bytes of RTF beside HTML: fields have some hundred.
const BESIDE_LEN_MAX: usize = 2048;

/// Maximum number of letters of a control word.
const WORD_LEN_MAX: usize = 32;

/// Control words that denote a character.
const WORDS: [(&[u8], char); 8] = [
    (b"tab", '\t'),
    (b"emdash", '\u{2014}'),
    (b"endash", '\u{2013}'),
    (b"bullet", '\u{2022}'),
    (b"lquote", '\u{2018}'),
    (b"rquote", '\u{2019}'),
    (b"ldblquote", '\u{201C}'),
    (b"rdblquote", '\u{201D}'),
];

/// Control words that end a line, a cell or a page, or begin content outside of the text around: a
/// field, a note, a property of the document or of a shape.
const DIVIDERS: [&[u8]; 32] = [
    b"par",
    b"line",
    b"sect",
    b"page",
    b"column",
    b"cell",
    b"nestcell",
    b"row",
    b"field",
    b"fldinst",
    b"fldrslt",
    b"footnote",
    b"annotation",
    b"header",
    b"footer",
    b"title",
    b"subject",
    b"author",
    b"manager",
    b"company",
    b"operator",
    b"category",
    b"keywords",
    b"comment",
    b"doccomm",
    b"hlinkbase",
    b"sn",
    b"sv",
    b"xmlns",
    b"xe",
    b"tc",
    b"tcn",
];

/// Control words that hide the text after them.
const HIDDEN: [&[u8]; 2] = [b"v", b"deleted"];

/// Control words that begin a picture, whose data are hexadecimal digits.
const PICTURES: [&[u8]; 2] = [b"pict", b"nonshppict"];

/// Control words that end superscript.
const LOWERED: [&[u8]; 4] = [b"nosupersub", b"super", b"sub", b"plain"];

/// Control words that begin an entry of an index or a table of contents.
const ENTRIES: [&[u8]; 3] = [b"xe", b"tc", b"tcn"];

/// Named groups within a text.
const MARKERS: [&[u8]; 2] = [b"{\\*\\bkmkstart", b"{\\*\\bkmkend"];

/// Reports whether a text that begins with `head` is in RTF.
pub(in crate::source::markup) fn is_rtf(head: &[u8]) -> bool {
    head.starts_with(b"{\\rtf")
}

impl Properties {
    /// Returns the first mark in `text`.
    pub(super) fn mark(self, text: &[u8]) -> Option<Mark> {
        let at =
            text.iter().position(|byte| matches!(byte, b'\\' | b'{' | b'}' | b'\r' | b'\n'))?;
        let (len, means) = self.meaning(text.get(at..)?);
        Some(Mark { span: Span::new(at, at + len), means })
    }

    /// Returns the length of the mark that `rest` begins with, and its meaning.
    fn meaning(self, rest: &[u8]) -> (usize, Denotes) {
        let edge = |made, state| Denotes::Edge(made, super::Inside::Rtf(state));
        match rest {
            [b'{', ..] => {
                let unseen = || marker_len(rest).or_else(|| entry_len(rest));
                match (unseen(), Group::read(rest)) {
                    (Some(len), _) => (len, Denotes::Nothing),
                    (None, Some(group)) if group.is_note_mark() => {
                        (1, edge(Some('\n'), self.begun()))
                    }
                    (None, Some(group)) if group.is_unseen() => (group.len, Denotes::Nothing),
                    _ => (1, edge(None, self.begun())),
                }
            }
            [b'}', after @ ..] => {
                let divides = self.is_apart() || ends_two_groups(after);
                (1, edge(divides.then_some('\n'), self.ended()))
            }
            [b'\\', b'\'', ..] => self.octets(rest),
            [b'\\', made @ (b'\\' | b'{' | b'}'), ..] => (2, Denotes::Character(char::from(*made))),
            [b'\\', b'*', ..] => (2, edge(Some('\n'), self.set_apart())),
            [b'\\', b'\r' | b'\n', ..] => (2, Denotes::Character('\n')),
            [b'\\', b'~', ..] => (2, Denotes::Character(' ')),
            [b'\\', b'_', ..] => (2, Denotes::Character('-')),
            [b'\\', letter, ..] if letter.is_ascii_alphabetic() => self.word(rest),
            [b'\\', _, ..] => (2, Denotes::Nothing),
            _ => (1, Denotes::Nothing),
        }
    }

    /// Returns the length and the meaning of the bytes by number that `rest` begins with, which
    /// encode one character.
    fn octets(self, rest: &[u8]) -> (usize, Denotes) {
        /// Maximum number of bytes of a character, in UTF-8.
        const BYTES_MAX: usize = 4;
        let octet = |rest: &[u8]| hex::octet(rest.strip_prefix(b"\\'")?);
        let (mut bytes, mut len) = (Vec::with_capacity(BYTES_MAX), 0);
        let mut first_len = 0;
        while bytes.len() < BYTES_MAX {
            let rest = rest.get(len..).unwrap_or_default();
            match (octet(rest), rest) {
                (Some(byte), _) => {
                    bytes.push(byte);
                    len += 4;
                }
                // The second byte of a character may be that of US-ASCII.
                (None, [byte @ b'@'..=b'z', ..]) if bytes.len() == 1 && *byte != b'\\' => {
                    bytes.push(*byte);
                    len += 1;
                }
                _ => break,
            }
            first_len = if bytes.len() == 1 { len } else { first_len };
            if let Some(made) = self.character(&bytes) {
                return (len, Denotes::character(made));
            }
        }
        if bytes.is_empty() { (2, Denotes::Nothing) } else { (first_len, Denotes::Character(' ')) }
    }

    /// Returns the length and the meaning of the control word that `rest` begins with.
    fn word(self, rest: &[u8]) -> (usize, Denotes) {
        let Control { len, name, number } = Control::read(rest);
        if name == b"htmlrtf" && number != Some(0) {
            return (beside_len(rest).unwrap_or(len), Denotes::Nothing);
        }
        if HIDDEN.contains(&name) && number != Some(0) {
            let unseen = hidden_len(rest, len).map(|len| (len, Denotes::Nothing));
            return unseen.unwrap_or((len, Denotes::Character('\n')));
        }
        if PICTURES.contains(&name) {
            return (len, Denotes::Edge(Some('\n'), super::Inside::Rtf(self.set_apart())));
        }
        if name == b"super" && number != Some(0) && rest.get(len..).is_some_and(begins_note_mark) {
            return (len, Denotes::Character('\n'));
        }
        if let Some(unit) = Unit::read(rest, self.replacements()) {
            return unit.character(rest, self.replacements());
        }
        if let Some(state) = self.after(name, number) {
            return (len, Denotes::Edge(None, super::Inside::Rtf(state)));
        }
        match WORDS.iter().find(|(word, _)| *word == name) {
            Some((_, made)) => (len, Denotes::Character(*made)),
            None if DIVIDERS.contains(&name) => (len, Denotes::Character('\n')),
            None => (len, Denotes::Nothing),
        }
    }
}

/// Reports whether `text`, in superscript, is a number up to the control word that ends it, as
/// editors without groups write the mark of a note: `\super 1\nosupersub`.
fn begins_note_mark(text: &[u8]) -> bool {
    /// Maximum number of digits of the mark.
    const DIGITS_MAX: usize = 4;
    let digits = text.iter().take(DIGITS_MAX).take_while(|byte| byte.is_ascii_digit()).count();
    let after = text.get(digits..).unwrap_or_default();
    digits > 0 && after.starts_with(b"\\") && LOWERED.contains(&Control::read(after).name)
}

/// Reports whether `after`, the text after the end of a group, ends another: a group of groups is
/// more than words that look alike.
fn ends_two_groups(after: &[u8]) -> bool {
    /// Maximum number of bytes of line ends in between: two line ends.
    const ENDS_MAX: usize = 4;
    let mut others = after.iter().take(ENDS_MAX + 1).filter(|it| !matches!(it, b'\r' | b'\n'));
    others.next() == Some(&b'}')
}

/// Returns the length of the group of a marker that `rest` begins with.
fn marker_len(rest: &[u8]) -> Option<usize> {
    MARKERS.iter().find(|marker| rest.starts_with(marker))?;
    let near = rest.get(..GROUP_LEN_MAX).unwrap_or(rest);
    let len = memchr(b'}', near)? + 1;
    let is_plain = !near.get(1..len - 1)?.iter().any(|byte| matches!(byte, b'{' | b'\n'));
    is_plain.then_some(len)
}

/// A group of control words and text without other groups.
struct Group<'t> {
    /// Its length in bytes.
    len: usize,
    /// The text after the words.
    text: &'t [u8],
    is_hidden: bool,
    is_raised: bool,
}

impl<'t> Group<'t> {
    /// Reads the group that `rest` begins with, if a word decides how its text looks.
    fn read(rest: &'t [u8]) -> Option<Self> {
        let near = rest.get(..LOOK_LEN_MAX).unwrap_or(rest);
        let (mut at, mut is_hidden, mut is_raised) = (1, false, false);
        while matches!(near.get(at..), Some([b'\\', letter, ..]) if letter.is_ascii_alphabetic()) {
            let Control { len, name, number } = Control::read(near.get(at..)?);
            match name {
                b"v" | b"deleted" => is_hidden = number != Some(0),
                b"super" => is_raised = number != Some(0),
                b"nosupersub" => is_raised = false,
                _ => {}
            }
            at += len;
        }
        if !is_hidden && !is_raised {
            return None;
        }
        let text = near.get(at..)?;
        let text = text.get(..memchr(b'}', text)?)?;
        let is_plain = !text.iter().any(|byte| matches!(byte, b'{' | b'\\' | b'\n'));
        is_plain.then_some(Self { len: at + text.len() + 1, text, is_hidden, is_raised })
    }

    fn is_note_mark(&self) -> bool {
        let text = self.text.trim_ascii();
        self.is_raised && !text.is_empty() && text.iter().all(u8::is_ascii_digit)
    }

    fn is_unseen(&self) -> bool {
        self.is_hidden && !self.text.contains(&b':') && memmem::find(self.text, b"www.").is_none()
    }
}

/// Returns the length of the RTF beside HTML that `rest` begins with, up to the word that ends it.
fn beside_len(rest: &[u8]) -> Option<usize> {
    const END: &[u8] = b"\\htmlrtf0";
    let near = rest.get(..BESIDE_LEN_MAX).unwrap_or(rest);
    let end = memmem::find(near, END)? + END.len();
    let len = end + usize::from(near.get(end) == Some(&b' '));
    let inside = near.get(..len)?;
    // A long text may be cut at an empty line, without the bytes after it.
    let is_cut = |line: &[u8]| memmem::find(inside, line).is_some();
    (!is_cut(b"\n\n") && !is_cut(b"\n\r\n")).then_some(len)
}

/// Returns the length of the entry of an index or a table of contents that `rest` begins with: a
/// group that is not shown at its place.
fn entry_len(rest: &[u8]) -> Option<usize> {
    let Control { name, .. } = Control::read(rest.get(1..)?);
    ENTRIES.contains(&name).then(|| plain_len(rest, 1, |_| false)).flatten().map(|len| len + 1)
}

/// Returns the length of the hidden text that `rest` begins with, after the control word of `len`
/// bytes: up to the word that shows text again, or to the end of its group.
fn hidden_len(rest: &[u8], len: usize) -> Option<usize> {
    let name = Control::read(rest).name;
    let to = plain_len(rest, len, |word| word.name == name)?;
    let word = rest.get(to..).filter(|rest| rest.starts_with(b"\\")).map(Control::read);
    match word {
        None => Some(to),
        // Hidden text that begins again is read from there, once.
        Some(word) => (word.number == Some(0)).then_some(to + word.len),
    }
}

/// Returns the offset from `at` of the end of the current group in `rest`, or of a word of this
/// group that `ends` accepts, if the text before it has no URI and leaves no properties for the
/// text after it.
fn plain_len(rest: &[u8], mut at: usize, ends: impl Fn(&Control<'_>) -> bool) -> Option<usize> {
    let near = rest.get(..LOOK_LEN_MAX).unwrap_or(rest);
    let (start, mut depth) = (at, 0_usize);
    loop {
        match near.get(at..)? {
            [b'}', ..] if depth == 0 => break,
            [b'{', ..] if depth == DEPTH_MAX => return None,
            [b'{', ..] => (depth, at) = (depth + 1, at + 1),
            [b'}', ..] => (depth, at) = (depth - 1, at + 1),
            word @ [b'\\', letter, ..] if letter.is_ascii_alphabetic() => {
                let control = Control::read(word);
                if depth == 0 && ends(&control) {
                    break;
                }
                if depth == 0 && Properties::START.after(control.name, control.number).is_some() {
                    return None;
                }
                at += control.len;
            }
            [b'\\', _, ..] => at += 2,
            [_, ..] => at += 1,
            [] => return None,
        }
    }
    let inside = near.get(start..at)?;
    (!holds_uri(inside) && !has_empty_line(inside)).then_some(at)
}

/// A control word: its length with the blank that ends it, its letters, and its number.
struct Control<'t> {
    len: usize,
    name: &'t [u8],
    number: Option<i32>,
}

impl<'t> Control<'t> {
    /// Reads the control word that `rest` begins with: a backslash and letters.
    fn read(rest: &'t [u8]) -> Self {
        let inside = rest.strip_prefix(b"\\").unwrap_or_default();
        let letters = inside.iter().take(WORD_LEN_MAX).take_while(|it| it.is_ascii_alphabetic());
        let name = inside.get(..letters.count()).unwrap_or_default();
        let after = inside.get(name.len()..).unwrap_or_default();
        let sign = usize::from(after.first() == Some(&b'-'));
        let digits = after.iter().skip(sign).take(10).take_while(|it| it.is_ascii_digit());
        let digits = digits.count();
        let number = if digits == 0 { b"" } else { after.get(..sign + digits).unwrap_or_default() };
        let blank = usize::from(after.get(number.len()) == Some(&b' '));
        let len = 1 + name.len() + number.len() + blank;
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        Self { len, name, number }
    }
}

/// A code unit of UTF-16 by its number, `\u233?`, with its replacements for older readers.
struct Unit {
    len: usize,
    unit: u16,
}

impl Unit {
    /// Reads the unit that `rest` begins with, and its replacements, at most as many as `count`.
    /// The end of its group ends them, and so does another control word.
    fn read(rest: &[u8], count: u8) -> Option<Self> {
        let Control { len, name: b"u", number: Some(number) } = Control::read(rest) else {
            return None;
        };
        let mut to = len;
        for _ in 0..count {
            to += match rest.get(to..)? {
                [b'\\', b'\'', _, _, ..] => 4,
                [b'\\' | b'{' | b'}' | b'\r' | b'\n', ..] | [] => break,
                _ => 1,
            };
        }
        // Numbers are signed, and have sixteen bits.
        let unit = u16::try_from(number & 0xFFFF).ok()?;
        Some(Self { len: to, unit })
    }

    /// Returns the length and the character of the unit at the beginning of `rest`, with the second
    /// half of a surrogate pair.
    fn character(self, rest: &[u8], count: u8) -> (usize, Denotes) {
        let is_half = (0xD800..0xDC00).contains(&self.unit);
        let after = rest.get(self.len..).filter(|_| is_half);
        let second = after.and_then(|after| Self::read(after, count));
        let (more, units) = match second {
            Some(second) => (second.len, vec![self.unit, second.unit]),
            None => (0, vec![self.unit]),
        };
        match char::decode_utf16(units).next() {
            Some(Ok(made)) => (self.len + more, Denotes::character(made)),
            _ => (self.len, Denotes::Character(' ')),
        }
    }
}
