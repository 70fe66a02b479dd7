//! What is packed into lines of a text: uuencode, yEnc (yEncode working draft 1.3), and the armour
//! of PGP (RFC 4880 §6.2).
//!
//! A block counts when both its ends stand in the same run of text. Armour has header fields
//! that are read, and lines of base64, in which no URI can stand; of uuencode nothing is
//! read, since its lines can look like anything. But a line that can be none of uuencode ends the
//! block: what is readable behind a line `begin` is read.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::{Omission, Omissions};
use crate::span::Span;

/// Lines of one run of text that are tried as the beginning of a block. Each may cost a search
/// through the rest; what follows is text.
const BLOCKS_MAX: usize = 500;

/// Counts the blocks of `text`, and gives where those stand in which bytes may look like anything.
#[must_use]
pub fn find(text: &[u8], omissions: &mut Omissions) -> Vec<Span> {
    // Making a finder costs as much as a search through a letter.
    static ARMOURS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(ARMOUR));
    static BEGINS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(BEGIN));
    for at in ARMOURS.find_iter(text).take(BLOCKS_MAX) {
        if is_armour(text.get(at..).unwrap_or_default()) {
            omissions.count(Omission::Armour);
        }
    }
    let mut spans: Vec<Span> = Vec::new();
    let lines = BEGINS.find_iter(text).filter_map(|at| begun(text, at));
    for (at, packing) in lines.take(BLOCKS_MAX) {
        let block = text.get(at..).unwrap_or_default();
        if spans.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let len = match packing {
            Omission::Yenc => yenc_len(block),
            _ if is_base64(block) => Some(0),
            _ => uuencode_len(block),
        };
        if let Some(len) = len {
            omissions.count(packing);
            spans.push(Span::new(at, at + len));
        }
    }
    // Of base64 nothing has to be left out.
    spans.retain(|span| !span.is_empty());
    spans
}

/// What lines begin with, or nearly, that begin a block.
const BEGIN: &[u8] = b"begin";

/// Where the line begins that has [`BEGIN`] at `at` of `text`, and what it may begin.
fn begun(text: &[u8], at: usize) -> Option<(usize, Omission)> {
    let before = text.get(..at)?;
    let is_line = |before: &[u8]| before.last().is_none_or(|feed| *feed == b'\n');
    if is_line(before) {
        return Some((at, Omission::Uuencode));
    }
    let before = before.strip_suffix(b"=y")?;
    is_line(before).then_some((before.len(), Omission::Yenc))
}

/// Length of the block in yEnc that `text` begins with, up to the end of its last line.
fn yenc_len(text: &[u8]) -> Option<usize> {
    const END: &[u8] = b"\n=yend size=";
    let first = text.get(..memchr::memchr(b'\n', text)?)?;
    if ![&b" line="[..], b" size="].iter().all(|word| memmem::find(first, word).is_some()) {
        return None;
    }
    let last = memmem::find(text, END)? + END.len();
    let line = memchr::memchr(b'\n', text.get(last..)?);
    Some(line.map_or(text.len(), |len| last + len))
}

/// True for a block in base64, as `uuencode -m` writes it (POSIX.1, "uuencode"). No URI can stand
/// in its lines.
fn is_base64(text: &[u8]) -> bool {
    let Some(mode) = text.strip_prefix(b"begin-base64 ") else { return false };
    let digits = mode.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    (3..=4).contains(&digits)
        && mode.get(digits) == Some(&b' ')
        && memmem::find(mode, b"\n====").is_some()
}

/// What armour begins with.
const ARMOUR: &[u8] = b"-----BEGIN PGP ";

/// True for a block whose text is base64; a clear-signed message is text.
fn is_armour(text: &[u8]) -> bool {
    let kind = text.get(ARMOUR.len()..).unwrap_or_default();
    !kind.starts_with(b"SIGNED MESSAGE-----") && memmem::find(text, b"\n-----END PGP ").is_some()
}

/// Length of the block that `text` begins with: `begin`, three or four octal digits, a name;
/// lines whose length their first character tells, one at least; and a line `end`. What stands
/// between a line that can be none of these and that end is no more of the block.
fn uuencode_len(text: &[u8]) -> Option<usize> {
    let mode = text.strip_prefix(b"begin ")?;
    let digits = mode.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if !(3..=4).contains(&digits) || mode.get(digits) != Some(&b' ') {
        return None;
    }
    let first = memchr::memchr(b'\n', text)? + 1;
    let lines = text.get(first..)?;
    let mut len = 0;
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        if is_end(line) && len > 0 {
            return Some(first + len + b"end".len());
        }
        let bare = line.trim_ascii_end();
        if !is_uuencode(bare) || bare.is_empty() && len == 0 {
            break;
        }
        len += line.len();
    }
    let rest = lines.get(len..).filter(|_| len > 0)?;
    memmem::find_iter(rest, b"\nend")
        .any(|feed| is_end(rest.get(feed + 1..).unwrap_or_default()))
        .then_some(first + len)
}

/// True for the last line of a block.
fn is_end(line: &[u8]) -> bool {
    let behind = line.strip_prefix(b"end");
    behind.is_some_and(|behind| matches!(behind, [] | [b'\n' | b'\r' | b' ', ..]))
}

/// True for a line, without blanks at its end, whose first character tells its length. Blanks
/// that stand for zeros may be lost there: in a line that is full any number, else those of a
/// group; and some programs add a character. A line of nothing but such blanks is empty.
fn is_uuencode(line: &[u8]) -> bool {
    const FULL: u8 = b'M';
    let [count, chars @ ..] = line else { return true };
    let is_alphabet = line.iter().all(|byte| matches!(byte, b' '..=b'`'));
    let wanted = usize::from(count.wrapping_sub(b' ') & 63).div_ceil(3) * 4;
    let least = if *count == FULL { 0 } else { wanted.saturating_sub(4) };
    is_alphabet && (least..=wanted + 1).contains(&chars.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn block(text: &str, expected: Option<&str>) {
        let len = uuencode_len(text.as_bytes());
        assert_eq!(len.and_then(|len| text.get(..len)), expected);
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
            let spans = find(text.as_bytes(), &mut Omissions::default());
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

    /// True when a block is counted of `text`, and nothing is passed.
    fn counted(text: &str) -> bool {
        let mut omissions = Omissions::default();
        assert!(find(text.as_bytes(), &mut omissions).is_empty());
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
