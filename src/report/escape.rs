//! Escapes untrusted text, so that it is harmless on a terminal.
//!
//! Everything that moves the cursor, changes colours, reorders or hides characters becomes a
//! visible escape: control characters (ECMA-48), bidirectional controls (UAX #9), line and
//! paragraph separators, byte order marks, characters without a width (soft hyphens, zero width
//! spaces, invisible operators, interlinear anchors, tags), and bytes that are not UTF-8. A
//! backslash is not escaped, so the escapes are for readers and cannot be undone by a program;
//! those of the `ndjson` format can. Commands of workflow runners become visible, too. Formats with
//! rules of their own take text that was escaped so, and escape it again with a type of theirs,
//! below.

use std::fmt::{self, Write as _};

pub mod beginning;
pub mod cell;
pub mod json;
pub mod markdown;
pub mod runner;
pub mod sarif;
pub mod tap;
pub mod workflow;
pub mod xml;

/// Untrusted bytes, displayed so that they cannot affect a terminal.
///
/// ```
/// use linktrawl::internal::report::escape::Shown;
/// assert_eq!(Shown(b"a\x1b[31m\xff\\").to_string(), r"a\x1b[31m\xff\");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shown<'t>(pub &'t [u8]);

impl Shown<'_> {
    /// Appends the shown text to `out`. Plain ASCII is copied in one piece.
    pub fn append_to(self, out: &mut Vec<u8>) {
        if is_plain(self.0) && runner::first_command(self.0).is_none() {
            out.extend_from_slice(self.0);
        } else {
            self.each(|piece| match piece {
                Piece::Clean(text) => out.extend_from_slice(text.as_bytes()),
                Piece::Char(char) => out.extend_from_slice(visible(char).as_bytes()),
                Piece::Byte(byte) => out.extend_from_slice(format!("\\x{byte:02x}").as_bytes()),
            });
        }
    }

    /// Returns the number of Unicode scalars of the shown text.
    #[must_use]
    pub fn width(self) -> usize {
        let mut width = 0;
        self.each(|piece| {
            width += match piece {
                Piece::Clean(text) => text.chars().count(),
                Piece::Char(char) => visible(char).len(),
                Piece::Byte(_) => r"\xff".len(),
            }
        });
        width
    }

    fn each(self, mut take: impl FnMut(Piece<'_>)) {
        // Validating the whole text is faster than splitting it into chunks.
        if let Ok(text) = str::from_utf8(self.0) {
            return each_of(text, &mut take);
        }
        for chunk in self.0.utf8_chunks() {
            each_of(chunk.valid(), &mut take);
            chunk.invalid().iter().for_each(|&byte| take(Piece::Byte(byte)));
        }
    }
}

/// Passes the parts of `text` to `take`, in order.
pub(super) fn each_of(text: &str, take: &mut impl FnMut(Piece<'_>)) {
    let rest = |from: usize| text.get(from..).unwrap_or_default();
    let hostile_after = |from| first_hostile(rest(from)).map(|(at, char)| (from + at, char));
    let command_after =
        |from| runner::first_command(rest(from).as_bytes()).map(|at| (from + at, '#'));
    let mut taken = 0;
    // Neither is searched again before it was passed, so that the time stays linear.
    let (mut hostile, mut command) = (hostile_after(0), command_after(0));
    while let Some((at, char)) = [hostile, command].into_iter().flatten().min() {
        take(Piece::Clean(text.get(taken..at).unwrap_or_default()));
        take(Piece::Char(char));
        taken = at + char.len_utf8();
        if hostile.is_some_and(|(at, _)| at < taken) {
            hostile = hostile_after(taken);
        }
        if command.is_some_and(|(at, _)| at < taken) {
            command = command_after(taken);
        }
    }
    take(Piece::Clean(rest(taken)));
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = Ok(());
        self.each(|piece| {
            written = written.and_then(|()| match piece {
                Piece::Clean(text) => out.write_str(text),
                Piece::Char(char) => out.write_str(&visible(char)),
                Piece::Byte(byte) => write!(out, "\\x{byte:02x}"),
            });
        });
        written
    }
}

/// A part of a text to show.
pub(super) enum Piece<'t> {
    /// Harmless text, perhaps empty.
    Clean(&'t str),
    /// A character that must become visible.
    Char(char),
    /// A byte that is not part of valid UTF-8.
    Byte(u8),
}

/// Reports whether `char` affects a terminal or the order of a line, or is invisible, so that two
/// different texts look the same.
///
/// Joiners (U+200C, U+200D) are not among them: Persian, Hindi and emoji need them. The flags
/// of England, Scotland and Wales are shown with their tags escaped: tags hide whole texts.
#[must_use]
pub const fn is_hostile(char: char) -> bool {
    matches!(char,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{ad}'
        | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the first hostile character of `text` with its offset.
fn first_hostile(text: &str) -> Option<(usize, char)> {
    let mut rest = text;
    loop {
        // Nearly all text is printable US-ASCII, which is skipped without decoding characters.
        let tail = rest.get(plain_len(rest.as_bytes())..)?;
        let char = tail.chars().next()?;
        if is_hostile(char) {
            return Some((text.len() - tail.len(), char));
        }
        rest = tail.get(char.len_utf8()..)?;
    }
}

/// Writes `text` to `out`, in which each character with a `replacement` is replaced.
pub(super) fn replace(
    text: &str,
    replacement: impl Fn(char) -> Option<&'static str>,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut written = 0;
    for (at, char) in text.char_indices() {
        if let Some(instead) = replacement(char) {
            out.write_str(text.get(written..at).unwrap_or_default())?;
            out.write_str(instead)?;
            written = at + char.len_utf8();
        }
    }
    out.write_str(text.get(written..).unwrap_or_default())
}

/// Bytes that are compared together: two lanes of the narrowest SIMD registers.
const LANE_BYTES: usize = 32;

/// Reports whether every byte is printable US-ASCII.
fn is_plain(text: &[u8]) -> bool {
    holds_for_all(text, is_printable)
}

fn is_printable(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte)
}

/// Returns the number of leading bytes of `text` that are printable US-ASCII.
fn plain_len(text: &[u8]) -> usize {
    let (lanes, _) = text.as_chunks::<LANE_BYTES>();
    let lanes = lanes.iter().take_while(|lane| is_plain(&lane[..])).count();
    let rest = text.get(lanes * LANE_BYTES..).unwrap_or_default();
    lanes * LANE_BYTES + rest.iter().take_while(|&&byte| is_printable(byte)).count()
}

/// Reports whether `holds` is true of every byte of `text`.
///
/// Whole lanes are folded without early exit, which compilers turn into SIMD.
pub(super) fn holds_for_all(text: &[u8], holds: impl Fn(u8) -> bool) -> bool {
    let fold = |lane: &[u8]| lane.iter().fold(true, |all, &byte| all & holds(byte));
    let (lanes, rest) = text.as_chunks::<LANE_BYTES>();
    lanes.iter().all(|lane| fold(lane)) && fold(rest)
}

/// Returns the escape of `char`: `\x` with two digits for ASCII, else `\u{…}` with the code point.
fn visible(char: char) -> String {
    let mut text = String::with_capacity(8);
    let code = u32::from(char);
    let _ = if char.is_ascii() {
        write!(text, "\\x{code:02x}")
    } else {
        write!(text, "\\u{{{code:x}}}")
    };
    text
}

#[cfg(test)]
mod tests {
    use super::{LANE_BYTES, Shown, is_hostile};

    #[track_caller]
    fn case(text: &[u8], shown: &str) {
        assert_eq!(Shown(text).to_string(), shown);
        assert_eq!(Shown(text).width(), shown.chars().count());
    }

    #[test]
    fn terminal_controls_become_visible() {
        case(b"\x1b[2J\x07\x00\t\r\n\x7f", r"\x1b[2J\x07\x00\x09\x0d\x0a\x7f");
        case("\u{9b}31m \u{85}".as_bytes(), r"\u{9b}31m \u{85}");
    }

    #[test]
    fn what_reorders_or_hides_becomes_visible() {
        case("a\u{202e}b\u{2066}c\u{2069}".as_bytes(), r"a\u{202e}b\u{2066}c\u{2069}");
        case("\u{200e}\u{200f}\u{61c}".as_bytes(), r"\u{200e}\u{200f}\u{61c}");
        case("\u{2028}\u{2029}\u{feff}".as_bytes(), r"\u{2028}\u{2029}\u{feff}");
        case("\u{ad}\u{180e}\u{200b}".as_bytes(), r"\u{ad}\u{180e}\u{200b}");
        case("\u{2060}\u{2064}\u{206a}\u{206f}".as_bytes(), r"\u{2060}\u{2064}\u{206a}\u{206f}");
        case("\u{fff9}\u{fffa}\u{fffb}".as_bytes(), r"\u{fff9}\u{fffa}\u{fffb}");
        case("a\u{e0000}\u{e0041}\u{e007f}".as_bytes(), r"a\u{e0000}\u{e0041}\u{e007f}");
        case("\u{202a}\u{202b}\u{202c}\u{202d}".as_bytes(), r"\u{202a}\u{202b}\u{202c}\u{202d}");
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_shown_one_by_one() {
        case(b"\xff\xe2\x82", r"\xff\xe2\x82");
        case(b"caf\xe9 \x9b", r"caf\xe9 \x9b");
        case(b"\xed\xa0\x80", r"\xed\xa0\x80");
    }

    #[test]
    fn harmless_text_and_backslashes_stay() {
        case(
            "caf\u{e9} \u{4e2d}\u{1f600} \\x1b ~".as_bytes(),
            "caf\u{e9} \u{4e2d}\u{1f600} \\x1b ~",
        );
        // The neighbours of hostile characters, and the joiners.
        let near = "\u{ac}\u{ae}\u{180d}\u{180f}\u{200a}\u{200c}\u{200d}\u{205f}\u{2065}\u{2070}";
        case(near.as_bytes(), near);
        let near = "\u{fff8}\u{fffc}\u{dffff}\u{e0080}";
        case(near.as_bytes(), near);
        case(b"", "");
    }

    #[test]
    fn a_control_is_seen_at_every_offset_of_a_long_text() {
        for at in 0..3 * LANE_BYTES {
            let mut text = vec![b'a'; 3 * LANE_BYTES];
            text[at] = 0x1b;
            let wanted = String::from_utf8(text.clone()).unwrap().replace('\x1b', r"\x1b");
            case(&text, &wanted);
        }
    }

    #[test]
    fn nothing_shown_is_hostile_for_any_character() {
        for char in '\0'..=char::MAX {
            let shown = Shown(char.to_string().as_bytes()).to_string();
            assert!(!shown.chars().any(is_hostile), "U+{:04X}", u32::from(char));
        }
    }
}
