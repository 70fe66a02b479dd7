//! Finds characters in a link that its readers cannot see: blanks of any kind, characters without a
//! form, and those that set the direction of writing, which no IRI may have (RFC 3987 §4.1).
//!
//! The grammar of IRIs takes them (RFC 3987 §2.2, `ucschar`), and clients send them escaped, so
//! that the link leads to another page than the one its readers see. They come from word processors
//! and from pages on which a link was copied. Joiners are parts of words and emoji, and count only
//! at the end; selectors of a form never do. Hosts are not examined: `mixed-script` does that, and
//! what it leaves is ignored when the host is looked up (UTS 46 §4).

use super::warn;
use crate::finding::Warning;
use crate::finding::lint::INVISIBLE;
use crate::uri::Uri;

pub(super) fn lint(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let start = uri.path.start;
    let text = uri.text.get(start..).unwrap_or_default();
    if text.is_ascii() {
        return;
    }
    let Ok(text) = std::str::from_utf8(text) else { return };
    let is_last = |at: usize, char: char| at + char.len_utf8() == text.len();
    let found = text.char_indices().find_map(|(at, char)| {
        let kind = kind(char).or_else(|| joining(char).filter(|_| is_last(at, char)))?;
        Some((at, char, kind))
    });
    if let Some((at, char, kind)) = found {
        let message = format!("the link holds {kind}, U+{:04X}", u32::from(char));
        warn(warnings, &INVISIBLE, start + at, message);
    }
}

/// Returns a noun for a character that is never part of a word.
const fn kind(char: char) -> Option<&'static str> {
    match char {
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            Some("a character that sets the direction of writing")
        }
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => {
            Some("a blank")
        }
        '\u{2028}' | '\u{2029}' => Some("a line end"),
        '\u{AD}' => Some("a soft hyphen"),
        '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' => Some("an invisible character"),
        _ => None,
    }
}

/// Returns a noun for a character that has a meaning before or after others.
const fn joining(char: char) -> Option<&'static str> {
    match char {
        '\u{34F}' | '\u{200C}' | '\u{200D}' => Some("an invisible character"),
        _ => None,
    }
}
