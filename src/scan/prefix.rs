//! Finds the part of a line that precedes its text: the quote prefix of a reply, the mark of a
//! comment or of an item, the sign of a line in a patch, or several of these.
//!
//! In a text that is wrapped over two lines, the marks that both lines have in common are a prefix
//! and no part of the text (RFC 3986 Appendix C): `// `, `#. `, `> // `, `+ * `. The first line of
//! a block comment, `/* `, is followed by lines with ` * `.

use super::limits::{FOLDED_LEN_MAX, LINE_BACK_MAX};

/// The beginning of the line that contains an offset, up to that offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefix<'h> {
    line: &'h [u8],
}

/// A mark at the beginning of a text.
#[derive(Clone, Copy, Debug)]
struct Mark<'t> {
    text: &'t [u8],
    /// Whether a blank follows it; `None` if nothing does.
    is_apart: Option<bool>,
}

/// The beginnings of two lines, without the marks that both have.
struct Pair<'f, 'n> {
    first: &'f [u8],
    next: &'n [u8],
    /// Whether the marks removed belong to a reply.
    is_quoted: bool,
    /// Whether anything else than such marks was removed.
    has_others: bool,
}

impl<'h> Prefix<'h> {
    /// Returns the prefix of the line that contains `at`; the prefix is before `at`.
    pub(super) fn of_line(bytes: &'h [u8], at: usize) -> Self {
        let from = at.saturating_sub(LINE_BACK_MAX);
        let before = bytes.get(from..at).unwrap_or_default();
        let line = match memchr::memrchr2(b'\n', b'\r', before) {
            Some(end) => before.get(end + 1..).unwrap_or_default(),
            None if from == 0 => before,
            None => b"",
        };
        Self { line }
    }

    /// Returns the number of bytes of the prefix on the line that begins at `at`. `None` if the
    /// line has other marks, and so is no part of the same text.
    pub(super) fn len_on(self, bytes: &[u8], at: usize) -> Option<usize> {
        let line = bytes.get(at..bytes.len().min(at + FOLDED_LEN_MAX))?;
        let mut pair = Pair { first: self.line, next: line, is_quoted: false, has_others: false };
        pair.pass_names();
        pair.pass_marks();
        pair.is_continued().then_some(line.len() - pair.next.len())
    }
}

impl Pair<'_, '_> {
    /// Skips names with marks after them, `> jdoe> `, `John Doe>> `, that begin both lines.
    fn pass_names(&mut self) {
        let (first, next) = (without_blanks(self.first), without_blanks(self.next));
        let Some(named) = named(first) else { return };
        if next.starts_with(named) {
            self.first = first.get(named.len()..).unwrap_or_default();
            self.next = next.get(named.len()..).unwrap_or_default();
            self.is_quoted = true;
        }
    }

    /// Skips the marks that begin both lines.
    fn pass_marks(&mut self) {
        /// Maximum number of marks of one prefix.
        const MARKS_MAX: usize = 64;
        for _ in 0..MARKS_MAX {
            let (first, next) = (without_blanks(self.first), without_blanks(self.next));
            let is_indented = first.len() < self.first.len() || next.len() < self.next.len();
            let is_column = !self.has_others && (self.is_quoted || !is_indented);
            let mark_of = |text| mark(text, !self.has_others, is_column);
            let (Some(one), Some(other)) = (mark_of(first), mark_of(next)) else { return };
            let is_same = one.text == other.text
                && (one.is_apart.is_none()
                    || one.is_apart == other.is_apart
                    || matches!(one.text, b"+" | b">" | b"|" | b":" | b"&gt;")
                    || one.text.starts_with(b"//"));
            // The mark before the one that opens a block comment, in a patch.
            let opened = OPENERS.iter().find_map(|opener| one.text.strip_suffix(*opener));
            let (len, other_len) = match opened {
                _ if is_same => (one.text.len(), one.text.len()),
                Some(b"") if other.text == b"*" => (one.text.len(), 1),
                Some(head) if !head.is_empty() && other.text == head => (head.len(), head.len()),
                _ => return,
            };
            if is_sign(one.text) {
                self.is_quoted = true;
            } else {
                self.has_others = true;
            }
            self.first = first.get(len..).unwrap_or_default();
            self.next = next.get(other_len..).unwrap_or_default();
        }
    }

    /// Reports whether the text of the first line may continue on the next one, by the marks that
    /// only one of the two has.
    fn is_continued(&self) -> bool {
        let (first, next) = (without_blanks(self.first), without_blanks(self.next));
        let is_plain = !self.has_others;
        let begins_sign = |text: &[u8]| text.first().is_some_and(|byte| is_quote_mark(*byte));
        if is_plain && (begins_sign(first) || first.starts_with(b"&gt;")) {
            return !begins_sign(next) && closes_with_one_word(next);
        }
        if is_plain && !self.is_quoted && initials(first).is_some() {
            return closes_with_one_word(next);
        }
        let Some(mark) = comment(first) else {
            // The line is one of a comment, an item of a list, or of a reply.
            let is_other = comment(next).is_some_and(|mark| !is_word_mark(mark));
            return !is_other && !begins_marks(next) && !next.starts_with(b"&gt; ");
        };
        match comment(next) {
            Some(_) => false,
            None if is_bullet(mark) => true,
            None => self.is_quoted && closes_with_one_word(next),
        }
    }
}

/// The marks that open a comment of several lines; a star begins its other lines.
const OPENERS: [&[u8]; 4] = [b"/**", b"/*!", b"/*", b"(*"];

/// Returns the mark at the beginning of `text`. `is_lead` reports whether only marks of replies
/// precede it, and `is_column` whether it is in the column of a patch that has its signs.
fn mark(text: &[u8], is_lead: bool, is_column: bool) -> Option<Mark<'_>> {
    let of_len = |len: usize| {
        let (text, after) = text.split_at_checked(len)?;
        let is_apart = after.first().map(|byte| is_blank(*byte));
        Some(Mark { text, is_apart })
    };
    match text.first()? {
        b'>' => return of_len(1),
        b'|' | b':' if is_lead => return of_len(1),
        b'&' if text.starts_with(b"&gt;") => return of_len(4),
        _ => {}
    }
    let word = WORD_MARKS.iter().find(|word| text.starts_with(word));
    let run = word.map_or_else(|| signs_len(text), |word| word.len());
    let found = of_len(run).filter(|_| run > 0)?;
    if found.is_apart != Some(false) {
        return Some(found);
    }
    if word.is_none() && is_direct(found.text) && text.get(run).is_some_and(|b| *b != b'<') {
        return Some(found);
    }
    let is_of_patch = is_column && matches!(text.first(), Some(b'+' | b'-'));
    if is_of_patch { of_len(1) } else { None }
}

/// Returns the length of the punctuation marks at the beginning of `text`, of which comments have a
/// few: more of them are a rule across the page.
fn signs_len(text: &[u8]) -> usize {
    const SIGNS_MAX: usize = 8;
    let is_sign = |byte: &&u8| byte.is_ascii_punctuation() && !matches!(byte, b'<' | b'>' | b'&');
    let len = text.iter().take(SIGNS_MAX + 1).take_while(is_sign).count();
    if len > SIGNS_MAX { 0 } else { len }
}

/// Reports whether `mark` begins a comment without a blank after it.
fn is_direct(mark: &[u8]) -> bool {
    let is_repeated = |sign: u8| mark.len() <= 4 && mark.iter().all(|byte| *byte == sign);
    matches!(mark, b"//" | b"///" | b"//!" | b"--")
        || [b'#', b';', b'%'].iter().any(|sign| is_repeated(*sign))
}

/// Reports whether `mark` is one of a reply.
fn is_sign(mark: &[u8]) -> bool {
    matches!(mark, b">" | b"|" | b":" | b"&gt;")
}

/// Returns the names with marks after them, and any marks before, at the beginning of `text`: `JD>
/// XY>`. Trailing blanks are excluded.
fn named(text: &[u8]) -> Option<&[u8]> {
    let (mut len, mut has_names) = (0, false);
    while let Some(rest) = text.get(len..) {
        let blanks = blanks(rest);
        let name = name_len(rest.get(blanks..)?);
        let after = rest.get(blanks + name..)?;
        // Only a bracket follows a name: a bar or a colon separates other things.
        let marks = match after.first() {
            Some(b'>') => after.iter().take_while(|byte| is_quote_mark(**byte)).count(),
            Some(byte) if name == 0 && is_quote_mark(*byte) => 1,
            _ => break,
        };
        has_names |= name > 0;
        len += blanks + name + marks;
    }
    text.get(..len).filter(|_| has_names)
}

/// Returns the length of the name at the beginning of `text`: one word or two.
fn name_len(text: &[u8]) -> usize {
    /// Maximum number of letters of a word.
    const WORD_LEN_MAX: usize = 16;
    let word_len = |text: &[u8]| {
        let goes_on =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'.' | b'-' | b'_');
        let is_word = text.first().is_some_and(u8::is_ascii_alphabetic);
        if is_word { text.iter().take(WORD_LEN_MAX).take_while(goes_on).count() } else { 0 }
    };
    let first = word_len(text);
    match text.get(first..) {
        Some([b' ', after @ ..]) if first > 0 => match word_len(after) {
            0 => first,
            second => first + 1 + second,
        },
        _ => first,
    }
}

const fn is_quote_mark(byte: u8) -> bool {
    matches!(byte, b'>' | b'|' | b':')
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns the number of blanks at the beginning of `text`.
pub(super) fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_blank(**byte)).count()
}

fn without_blanks(text: &[u8]) -> &[u8] {
    text.get(blanks(text)..).unwrap_or_default()
}

/// Returns a few letters and `>`, the prefix of some news readers; the first letter is a capital.
fn initials(text: &[u8]) -> Option<&[u8]> {
    /// Maximum number of letters of a name.
    const NAME_LEN_MAX: usize = 12;
    let letters = text.iter().take(NAME_LEN_MAX + 1).take_while(|byte| byte.is_ascii_alphabetic());
    let letters = letters.count();
    let is_name = letters <= NAME_LEN_MAX && text.first().is_some_and(u8::is_ascii_uppercase);
    (is_name && text.get(letters) == Some(&b'>')).then(|| text.get(..=letters)).flatten()
}

/// Returns the mark before a blank that makes `text` a line of a comment, or an item of a list.
fn comment(text: &[u8]) -> Option<&[u8]> {
    /// Maximum number of repetitions of a mark: more of them are a rule across the page.
    const MARKS_MAX: usize = 4;
    let is_of_mark =
        |byte: &&u8| matches!(byte, b'/' | b'!' | b'-' | b'*' | b'%' | b'#' | b';' | b'+');
    let signs = text.iter().take(MARKS_MAX + 1).take_while(is_of_mark).count();
    let word = WORD_MARKS.iter().find(|word| text.starts_with(word));
    let len = word.map_or(signs, |word| word.len());
    let (mark, after) = text.split_at(len);
    let is_one = match mark {
        _ if word.is_some() => true,
        b"//" | b"///" | b"//!" | b"--" | b"!" => true,
        [first @ (b'%' | b'#' | b';'), ..] => len <= MARKS_MAX && mark.iter().all(|it| it == first),
        _ => is_bullet(mark),
    };
    (is_one && after.first().is_some_and(|byte| is_blank(*byte))).then_some(mark)
}

/// Reports whether `text` begins with two marks of comments or more, and a blank.
fn begins_marks(text: &[u8]) -> bool {
    let is_of_mark = |byte: &&u8| b"/!-*%#;+".contains(*byte);
    let len = text.iter().take_while(is_of_mark).count();
    len > 1 && text.get(len).is_some_and(|byte| is_blank(*byte))
}

/// Words before a line of a comment: in m4, in files of DOS, in Fortran, in troff, in Texinfo.
const WORD_MARKS: [&[u8]; 9] =
    [b"dnl", b"REM", b"rem", b"Rem", b"@comment", b"@c", b"C", b"c", b".\\\""];

/// Reports whether `mark` is such a word. Without one before the URI it may be a word of the text.
fn is_word_mark(mark: &[u8]) -> bool {
    WORD_MARKS.contains(&mark)
}

/// Reports whether `mark` begins an item of a list, whose other lines lack it, a line of a comment,
/// or a line of a difference between files.
fn is_bullet(mark: &[u8]) -> bool {
    matches!(mark, b"-" | b"*" | b"+")
}

/// Reports whether a line has only one word before a closing bracket: a reply was wrapped again,
/// and the line lost its prefix.
fn closes_with_one_word(line: &[u8]) -> bool {
    let word = line.iter().position(|byte| matches!(byte, b'>' | b'\n' | b'\r'));
    word.filter(|end| line.get(*end) == Some(&b'>'))
        .and_then(|end| line.get(..end))
        .is_some_and(|text| !text.is_empty() && !text.trim_ascii().iter().any(|b| is_blank(*b)))
}

#[cfg(test)]
mod tests {
    /// Holds the first candidate of `text`, a URI that is wrapped in brackets.
    #[track_caller]
    fn case(text: &str, expected: &str) {
        let mut scanner = crate::scan::Scanner::new(text.as_bytes());
        let found = scanner.next().map(|it| String::from_utf8_lossy(it.text).into_owned());
        assert_eq!(found.as_deref(), Some(expected), "{text}");
    }

    const WHOLE: &str = "http://h.example/docs/wire.html";
    const FIRST: &str = "http://h.example/docs/";

    #[test]
    fn marks_that_both_lines_have_are_no_part_of_a_uri() {
        for mark in [
            "* ",
            "// ",
            "/// ",
            "//",
            "# ",
            "#' ",
            "##' ",
            "#. ",
            "#: ",
            "#~ ",
            "#",
            "; ",
            ";;; ",
            "' ",
            "\" ",
            "--- ",
            "//// ",
            "//# ",
            "--! ",
            "*** ",
            "@c ",
            "dnl ",
            ".\\\" ",
            "+// ",
            "+# ",
            "+--",
            "+/// ",
            "-# ",
            "+",
            "+ * ",
            "> // ",
            "> # ",
            "> + * ",
            ">+# ",
            "&gt; ",
            "> > ",
            "// > ",
            "jdoe> // ",
        ] {
            case(&format!("{mark}see <{FIRST}\n{mark}wire.html> and"), WHOLE);
        }
        case(&format!("#  <{FIRST}\r\n#  wire.html>"), WHOLE);
        case(&format!(">> see <{FIRST}\n> > wire.html>"), WHOLE);
    }

    #[test]
    fn the_lines_of_a_block_comment_begin_with_a_star() {
        for (opener, mark) in
            [("/* ", " * "), ("/** ", " * "), ("+/* ", "+ * "), ("> /* ", ">  * "), ("(* ", " * ")]
        {
            case(&format!("{opener}see <{FIRST}\n{mark}wire.html> */"), WHOLE);
        }
        case(&format!("/* see <{FIRST}\n   wire.html> */"), WHOLE);
        case(&format!("/* see <{FIRST}\n * - wire.html> */"), FIRST);
    }

    #[test]
    fn lines_with_other_marks_are_other_text() {
        case(&format!("see <{FIRST}\n// wire.html>"), FIRST);
        case(&format!("// see <{FIRST}\n# wire.html>"), FIRST);
        case(&format!("// see <{FIRST}\nwire.html>"), FIRST);
        case(&format!("> see <{FIRST}\n> // wire.html>"), FIRST);
        case(&format!("see <{FIRST}\n&gt; wire.html>"), FIRST);
        case(&format!("see <{FIRST}\n//# wire.html>"), FIRST);
        // A hyphen, the beginning of a word, or a line that lost its prefix.
        case(&format!("- see <{FIRST}\n-wire.html>"), "http://h.example/docs/-wire.html");
        case(&format!("*<{FIRST}\n*wire.html>"), "http://h.example/docs/*wire.html");
        case(&format!("> // see <{FIRST}\nwire.html> and"), WHOLE);
        case(&format!("- see <{FIRST}\n  wire.html> and"), WHOLE);
    }

    #[test]
    fn a_blank_in_brackets_may_be_part_of_the_text_or_of_the_link() {
        case("<https://h.example/ a /b.html>", "https://h.example/a/b.html");
        case("<http: //h.example/a>", "http://h.example/a");
        case("<http://h.example/a /b-c>", "http://h.example/a/b-c");
        case("<https://h.example/x text>", "https://h.example/x");
        case("<https://h.example/x www.h.example>", "https://h.example/x");
        case("<https://h.example/x h.example>", "https://h.example/x");
        case("<mailto:a@h.example Bob>", "mailto:a@h.example");
        case("<mailto:a@h.example?subject=Hello World>", "mailto:a@h.example?subject=Hello");
        case("<https://h.example/?q=a b-c>", "https://h.example/?q=a");
        case("<file:///C:/Program Files/x.txt>", "file:///C:/Program");
        let mut scanner = crate::scan::Scanner::new(b"<git:// url> <https:// host>");
        assert!(scanner.next().is_none());
    }
}
