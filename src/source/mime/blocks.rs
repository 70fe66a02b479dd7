//! What is packed into lines of a text: uuencode, and the armour of PGP (RFC 4880 §6.2).
//!
//! A block counts when both its ends stand in the same run of text. Armour has header fields
//! that are read, and lines of base64, in which no URI can stand; of uuencode nothing is
//! read, since its lines can look like anything.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::{Omission, Omissions};
use crate::span::Span;

/// Lines of one run of text that are tried as the beginning of a block. Each may cost a search
/// through the rest; what follows is text.
const BLOCKS_MAX: usize = 500;

/// Counts the blocks of `text`, and gives where those in uuencode stand.
pub(super) fn find(text: &[u8], omissions: &mut Omissions) -> Vec<Span> {
    // Making a finder costs as much as a search through a letter.
    static ARMOURS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(ARMOUR));
    static BLOCKS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\nbegin "));
    for at in ARMOURS.find_iter(text).take(BLOCKS_MAX) {
        if is_armour(text.get(at..).unwrap_or_default()) {
            omissions.count(Omission::Armour);
        }
    }
    let mut spans: Vec<Span> = Vec::new();
    for at in BLOCKS.find_iter(text).take(BLOCKS_MAX) {
        let is_behind = spans.last().is_none_or(|last| last.end <= at + 1);
        let block = text.get(at + 1..).unwrap_or_default();
        if is_behind && let Some(len) = uuencode_len(block) {
            omissions.count(Omission::Uuencode);
            spans.push(Span::new(at + 1, at + 1 + len));
        }
    }
    spans
}

/// What armour begins with.
const ARMOUR: &[u8] = b"-----BEGIN PGP ";

/// True for a block whose text is base64; a clear-signed message is text.
fn is_armour(text: &[u8]) -> bool {
    let kind = text.get(ARMOUR.len()..).unwrap_or_default();
    !kind.starts_with(b"SIGNED MESSAGE-----") && memmem::find(text, b"\n-----END PGP ").is_some()
}

/// Length of the block that `text` begins with: `begin`, three or four octal digits, a name;
/// a line whose length its first character tells; and a line `end`.
fn uuencode_len(text: &[u8]) -> Option<usize> {
    let mode = text.strip_prefix(b"begin ")?;
    let digits = mode.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if !(3..=4).contains(&digits) || mode.get(digits) != Some(&b' ') {
        return None;
    }
    let first = memchr::memchr(b'\n', text)? + 1;
    let line = text.get(first..)?.split(|byte| *byte == b'\n').next()?.trim_ascii_end();
    let count = usize::from(line.first()?.checked_sub(b' ')? & 63);
    let chars = count.div_ceil(3) * 4;
    // Blanks at the end may be lost, and some programs add a character.
    if line.len() > chars + 2 {
        return None;
    }
    let end = memmem::find(text.get(first..)?, b"\nend")? + first + b"\nend".len();
    let rest = text.get(end..)?;
    matches!(rest, [] | [b'\n' | b'\r' | b' ', ..]).then_some(end)
}
