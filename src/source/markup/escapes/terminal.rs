//! Reads the output of terminals and printers: formatted pages of man, logs with colours, files of
//! `script`.
//!
//! A character that is struck over another one is one character with it, `h\x08h` for a bold one
//! and `_\x08h` for one that is underlined (`col`, and `grotty` with `-c`). Colours and the erasure
//! of the rest of a line (ECMA-48 §8.3.117 and §8.3.41) denote nothing; movements of the cursor
//! divide. Links that a terminal opens (`ESC ] 8`) end at controls, as all do.

use memchr::{memchr, memchr2, memmem};

use super::{Denotes, Mark};
use crate::span::Span;

const ESCAPE: u8 = 0x1B;
const BACKSPACE: u8 = 0x08;

/// Maximum number of bytes of a control sequence between its introducer and its final byte: a
/// colour of 24 bits after another one has forty.
const PARAMETERS_LEN_MAX: usize = 61;

/// Maximum number of times that a character is struck over: four make it bold on the oldest
/// printers.
const STRIKES_MAX: usize = 8;

/// Reports whether a text that begins with `head` is a terminal's output. Controls in text with NUL
/// bytes, or that switches between sets of characters, mean something else.
pub(in crate::source::markup) fn is_terminal(head: &[u8]) -> bool {
    let is_marked = mark(head).is_some();
    is_marked && memchr(0, head).is_none() && memmem::find(head, b"\x1B$").is_none()
}

/// Reports whether all of `text` is literal.
pub(super) fn is_idle(text: &[u8]) -> bool {
    memchr2(ESCAPE, BACKSPACE, text).is_none()
}

/// Returns the first mark in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    let mut from = 0;
    loop {
        let at = from + memchr2(ESCAPE, BACKSPACE, text.get(from..)?)?;
        let found =
            if text.get(at) == Some(&ESCAPE) { sequence(text, at) } else { struck(text, at) };
        if found.is_some() {
            return found;
        }
        from = at + 1;
    }
}

/// Returns the control sequence at `at` of `text` (ECMA-48 §5.4), or the choice of US-ASCII before
/// one, with which `tput sgr0` begins.
fn sequence(text: &[u8], at: usize) -> Option<Mark> {
    let rest = text.get(at + 1..)?;
    let Some(inside) = rest.strip_prefix(b"[") else {
        let is_choice = rest.starts_with(b"(B\x1B[");
        return is_choice.then_some(Mark { span: Span::new(at, at + 3), means: Denotes::Nothing });
    };
    let is_parameter = |byte: &&u8| matches!(byte, 0x20..=0x3F);
    let len = inside.iter().take(PARAMETERS_LEN_MAX).take_while(is_parameter).count();
    let means = match inside.get(len)? {
        b'm' | b'K' => Denotes::Nothing,
        0x40..=0x7E => Denotes::Character(' '),
        _ => return None,
    };
    Some(Mark { span: Span::new(at, at + 2 + len + 1), means })
}

/// Returns the mark of the character before `at` of `text`, a backspace, and the characters struck
/// over it.
fn struck(text: &[u8], at: usize) -> Option<Mark> {
    let (before, _) = text.split_at_checked(at)?;
    let (mut made, start) = last_character(before)?;
    let mut end = at;
    for _ in 0..STRIKES_MAX {
        let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix(&[BACKSPACE])) else {
            break;
        };
        let Some((over, len)) = first_character(rest) else { break };
        if over != '_' {
            made = over;
        }
        end += 1 + len;
    }
    (end > at).then_some(Mark { span: Span::new(start, end), means: Denotes::Character(made) })
}

/// Returns the character that `text` ends with, if it is no control, and its offset.
fn last_character(text: &[u8]) -> Option<(char, usize)> {
    let mut starts = (1..=4).filter_map(|len| text.len().checked_sub(len));
    let start = starts.find(|start| text.get(*start).is_some_and(|it| it & 0xC0 != 0x80))?;
    let (made, len) = first_character(text.get(start..)?)?;
    (start + len == text.len()).then_some((made, start))
}

/// Returns the character that `text` begins with, if it is no control, and its length.
fn first_character(text: &[u8]) -> Option<(char, usize)> {
    let chunk = text.get(..text.len().min(4))?.utf8_chunks().next()?;
    let made = chunk.valid().chars().next().filter(|made| !made.is_control())?;
    Some((made, made.len_utf8()))
}
