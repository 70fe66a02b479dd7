//! Finds the quotation that is open before a URI, on its line, and whose closing mark ends the URI.
//!
//! An apostrophe is legal in a URI (RFC 3986 §2.2), and most often it is a letter of a name there.
//! In a string that began before the URI, it closes the string: `'see http://h/a','b'`. So do one
//! after the backtick of GNU, and two after the two backticks of TeX.
//!
//! Not recognised: strings that begin on an earlier line.

use super::super::simd::Stops;
use super::unicode::{self, Role};
use crate::span::last_line;

/// Bytes before a URI, on its line, in which a quotation may begin.
const LOOKBACK_MAX: usize = 512;

// This way, all pieces of a text see the same.
const _: () = assert!(crate::scheme::SCHEME_LEN_MAX + LOOKBACK_MAX < crate::scan::LOOKBACK_MAX);

/// Bytes after a URI, on its line, in which backticks close what backticks opened: code, not a
/// quotation.
const LOOKAHEAD_MAX: usize = 256;

/// The mark that opened a quotation, and its number of repetitions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::scan) enum Quotation {
    /// Of a string: one apostrophe, two in a wiki, or three in Python.
    Apostrophes(usize),
    /// One of GNU, two of TeX.
    Backticks(usize),
}

impl Quotation {
    /// Returns the quotation that is open at `start`.
    pub(in crate::scan) fn open_before(bytes: &[u8], start: usize) -> Option<Self> {
        let near = bytes.get(start.saturating_sub(LOOKBACK_MAX)..start)?;
        let line = near.get(last_line(near)..)?;
        memchr::memchr2(b'\'', b'`', line)?;
        let mut state = State { open: None, is_in_double: false };
        let mut at = 0;
        loop {
            at += MARKS.run_len(line.get(at..).unwrap_or_default());
            let Some(&byte) = line.get(at) else { return state.open };
            at += state.step(line, at, byte);
        }
    }

    /// Reports whether the apostrophe at `at`, in a URI, ends the quotation.
    pub(in crate::scan) fn ends_at(self, bytes: &[u8], at: usize) -> bool {
        /// Longer rows of apostrophes belong to no URI.
        const RUN_MAX: usize = 64;
        let rest = bytes.get(at..).unwrap_or_default();
        let run = run_len(rest.get(..RUN_MAX).unwrap_or(rest), b'\'');
        if run == RUN_MAX {
            return true;
        }
        let after = rest.get(run..).unwrap_or_default();
        match self {
            Self::Apostrophes(1) => run > 0 && !begins_word(after),
            Self::Apostrophes(count) => run >= count && !begins_word(after),
            Self::Backticks(1) => run == 1 && !begins_word(after) && !closes(after, 1),
            Self::Backticks(count) => run >= count && !closes(after, count),
        }
    }
}

/// Reports whether the apostrophe at `at` ends the quotation that is open before the URI at
/// `start`.
pub(super) fn ends_at(bytes: &[u8], start: usize, at: usize) -> bool {
    Quotation::open_before(bytes, start).is_some_and(|open| open.ends_at(bytes, at))
}

/// The bytes that open, close or escape something.
static MARKS: Stops = marks();

const fn marks() -> Stops {
    let mut has = [false; 256];
    let marks = b"'\"`\\";
    let mut idx = 0;
    while idx < marks.len() {
        has[marks[idx] as usize] = true;
        idx += 1;
    }
    Stops::new(has)
}

/// The quotations that are open at an offset of a line.
struct State {
    open: Option<Quotation>,
    /// Whether a double quote is open around `open`. Its partner closes both.
    is_in_double: bool,
}

impl State {
    /// Reads the mark `byte`, at `at` of `line`; returns the length of what it read.
    fn step(&mut self, line: &[u8], at: usize, byte: u8) -> usize {
        let (before, rest) = line.split_at_checked(at).unwrap_or_default();
        let run = run_len(rest, byte);
        let after = rest.get(run..).unwrap_or_default();
        match byte {
            b'\\' => return 2,
            b'"' => {
                if self.is_in_double || self.open.is_none() {
                    (self.open, self.is_in_double) = (None, !self.is_in_double);
                }
                return 1;
            }
            b'\'' => self.open = self.after_apostrophes(run, before, after),
            b'`' => self.open = self.after_backticks(run, before, after),
            _ => return 1,
        }
        run
    }

    /// Returns what is open after `run` apostrophes between `before` and `after`.
    fn after_apostrophes(&self, run: usize, before: &[u8], after: &[u8]) -> Option<Quotation> {
        let is_before_word = begins_word(after);
        let ends = match self.open {
            None => return opens(run, before, after).then_some(Quotation::Apostrophes(run)),
            // Two are an escaped one, and one within a word is no quote.
            Some(Quotation::Apostrophes(1)) => run % 2 == 1 && !is_before_word,
            Some(Quotation::Apostrophes(count)) => run >= count,
            Some(Quotation::Backticks(1)) => !is_before_word && !after.starts_with(b"`"),
            Some(Quotation::Backticks(count)) => run >= count,
        };
        self.open.filter(|_| !ends)
    }

    /// Returns what is open after `run` backticks between `before` and `after`.
    fn after_backticks(&self, run: usize, before: &[u8], after: &[u8]) -> Option<Quotation> {
        let is_after_blank = before.last().is_none_or(u8::is_ascii_whitespace);
        let is_before_blank = after.first().is_some_and(u8::is_ascii_whitespace);
        match self.open {
            Some(Quotation::Backticks(count)) if count == run && !is_after_blank => None,
            None if run <= 2 && !is_before_blank && !ends_word(before) => {
                Some(Quotation::Backticks(run))
            }
            open => open,
        }
    }
}

/// Reports whether `run` apostrophes between `before` and `after` open a string. An even number is
/// an empty one, or emphasis of a wiki before a word. None opens after a letter, except for that of
/// a prefix, `b'`, nor after a mark that closes a sentence, `a.',`.
fn opens(run: usize, before: &[u8], after: &[u8]) -> bool {
    let is_before_word = begins_word(after);
    let is_after_end = before.last().is_some_and(|last| b".!?)]}/".contains(last));
    let is_some = if run == 2 { is_before_word } else { run % 2 == 1 };
    is_some && (is_before_word || !is_after_end) && (!ends_word(before) || ends_prefix(before))
}

/// Reports whether `before` ends in the letters that some languages put before a string, as a word
/// of their own: raw strings, those of bytes, of formats, and of Unicode.
fn ends_prefix(before: &[u8]) -> bool {
    let is_letter = |byte: &&u8| b"rRbBuUfFNE".contains(byte);
    let len = before.iter().rev().take(2).take_while(is_letter).count();
    let (before, prefix) = before.split_at(before.len() - len);
    !prefix.is_empty() && !ends_word(before) && !matches!(before.last(), Some(b'_' | b'\''))
}

/// Reports whether `count` backticks in `text`, on its line, close what such backticks opened.
fn closes(text: &[u8], count: usize) -> bool {
    let near = text.get(..text.len().min(LOOKAHEAD_MAX)).unwrap_or_default();
    let line = near.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'`', line.get(at..).unwrap_or_default()) {
        at += len;
        let run = run_len(line.get(at..).unwrap_or_default(), b'`');
        let is_after_blank =
            at.checked_sub(1).and_then(|last| line.get(last)).is_some_and(u8::is_ascii_whitespace);
        if run == count && !is_after_blank {
            return true;
        }
        at += run;
    }
    false
}

fn run_len(text: &[u8], mark: u8) -> usize {
    text.iter().take_while(|byte| **byte == mark).count()
}

/// Reports whether `text` begins with a letter or digit, of a script with blanks between words.
fn begins_word(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphanumeric)
        || unicode::char_at(text, 0).is_some_and(is_of_word)
}

/// Reports whether `text` ends in such a letter or digit.
fn ends_word(text: &[u8]) -> bool {
    text.last().is_some_and(u8::is_ascii_alphanumeric)
        || unicode::char_before(text, text.len()).is_some_and(is_of_word)
}

fn is_of_word(character: char) -> bool {
    unicode::role(character) == Role::Inside
        && !unicode::needs_no_blank(character)
        && !unicode::is_sign(character)
}

#[cfg(test)]
mod tests {
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, expected: &[&str]) {
        let mut scanner = Scanner::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(candidate) = scanner.next() {
            found.push(String::from_utf8_lossy(candidate.text).into_owned());
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_apostrophe_that_closes_a_string_ends_a_uri() {
        let both = ["http://h/a", "http://h/b"];
        case("(1,'see http://h/a','http://h/b','c');", &both);
        case("x=['see http://h/a','see http://h/b'];", &both);
        case("('it''s http://h/a',N'at http://h/b',1)", &both);
        case("f(b'see http://h/a', rb'see http://h/b'+y)", &both);
        case("{\"x\": \"VALUES ('see http://h/a','see http://h/b')\"}", &both);
        case("'don\\'t see http://h/a','http://h/b'", &both);
        case("f('','see http://h/a','see http://h/b')", &both);
        for after in ["'+y", "':1", "';z='b", "'=>", "'=='b", "'.f(y)", "',1)", "'?1:2", "'//c"] {
            case(&format!("x('see http://h/a{after}"), &["http://h/a"]);
        }
        case("'''see http://h/a'''", &["http://h/a"]);
        case("''see http://h/a'',f", &["http://h/a"]);
        case("'参照http://h/a'を", &["http://h/a"]);
        case("('see mailto:a@h.example','see urn:ab:c','d')", &["mailto:a@h.example", "urn:ab:c"]);
        case(r"x('see http://h/?a\u0026b','c')", &["http://h/?a&b"]);
    }

    #[test]
    fn an_apostrophe_of_a_uri_stays() {
        case("see http://h/?s='4,405'.WKU.&o", &["http://h/?s='4,405'.WKU.&o"]);
        case("don't see http://h/a',b", &["http://h/a',b"]);
        case("dogs' http://h/a',b", &["http://h/a',b"]);
        case("L'adresse http://h/a',b", &["http://h/a',b"]);
        case("\"don't\" see http://h/a',b", &["http://h/a',b"]);
        case("rock 'n' roll http://h/a',b", &["http://h/a',b"]);
        case("'a'\nhttp://h/b',c", &["http://h/b',c"]);
        case("'x' and http://h/it's,b", &["http://h/it's,b"]);
        case("'x at http://h/it's' y", &["http://h/it's"]);
        case("('see http://h/it''s/x','b')", &["http://h/it''s/x"]);
        case("see a.', http://h/b',c", &["http://h/b',c"]);
        case("d'e'f' http://h/b',c", &["http://h/b',c"]);
    }

    #[test]
    fn quotations_of_gnu_and_tex_end_a_uri() {
        case("`see http://h/a',b", &["http://h/a"]);
        case("``see http://h/a''c", &["http://h/a"]);
        case("``see http://h/a''c and ``b''", &["http://h/a"]);
        // Code.
        case("`curl http://h/?q='a'&b` c", &["http://h/?q='a'&b"]);
        case("`a` http://h/b',c", &["http://h/b',c"]);
        case("``see http://h/?q=''&b`` c", &["http://h/?q=''&b"]);
    }
}
