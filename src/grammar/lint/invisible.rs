//! Finds characters in a link that its readers cannot see: blanks of any kind, characters without a
//! form, and those that set the direction of writing, which no IRI may have (RFC 3987 §4.1).
//!
//! The grammar of IRIs takes them (RFC 3987 §2.2, `ucschar`), and clients send them escaped, so
//! that the link leads to another page than the one its readers see. They come from word processors
//! and from pages on which a link was copied. Joiners are parts of words and emoji, and count only
//! at the end; selectors of a form never do.
//!
//! In a host, also in an escape, the mapping of UTS 46 §4 removes such characters, so that the link
//! leads to a host that a filter for its text does not know. A host that another lint of labels
//! warns of needs no second warning; `mixed-script` finds joiners out of place.

use super::host;
use super::warn;
use crate::finding::Warning;
use crate::finding::lint::{HOST_LABEL, INVISIBLE, MIXED_SCRIPT};
use crate::scheme::Scheme;
use crate::span::Span;
use crate::uri::{Uri, octet};

/// A character, its offset, and a noun for it.
type Found = (usize, char, &'static str);

pub(super) fn lint(uri: &Uri<'_>, scheme: Option<&Scheme>, warnings: &mut Vec<Warning>) {
    let is_told = warnings.iter().any(|it| [&HOST_LABEL, &MIXED_SCRIPT].contains(&it.lint));
    let found = if is_told { None } else { in_hosts(uri, scheme) };
    if let Some((at, char, kind)) = found.or_else(|| after_host(uri)) {
        let message = format!("the link holds {kind}, U+{:04X}", u32::from(char));
        warn(warnings, &INVISIBLE, at, message);
    }
}

/// Returns the first such character in a host, or in that of an address.
fn in_hosts(uri: &Uri<'_>, scheme: Option<&Scheme>) -> Option<Found> {
    let has_addresses = scheme.is_some_and(Scheme::has_domain);
    let addresses = host::of_addresses(uri).filter(|_| has_addresses);
    host::name(uri).into_iter().chain(addresses).find_map(|host| in_host(uri.text, host))
}

fn in_host(text: &[u8], host: Span) -> Option<Found> {
    let name = host.of(text);
    if name.is_ascii() && memchr::memchr(b'%', name).is_none() {
        return None;
    }
    let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(rest) = name.get(at..).filter(|rest| !rest.is_empty()) {
        let octet = octet(rest);
        bytes.push(octet.or_else(|| rest.first().copied())?);
        offsets.push(host.start + at);
        at += if octet.is_some() { 3 } else { 1 };
    }
    let name = std::str::from_utf8(&bytes).ok()?;
    name.char_indices().find_map(|(at, char)| {
        let kind = kind(char).or_else(|| ignored(char))?;
        Some((*offsets.get(at)?, char, kind))
    })
}

/// Returns the first such character after the host.
fn after_host(uri: &Uri<'_>) -> Option<Found> {
    let start = uri.path.start;
    let text = uri.text.get(start..).unwrap_or_default();
    if text.is_ascii() {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let is_last = |at: usize, char: char| at + char.len_utf8() == text.len();
    text.char_indices().find_map(|(at, char)| {
        let kind = kind(char).or_else(|| joining(char).filter(|_| is_last(at, char)))?;
        Some((start + at, char, kind))
    })
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
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => Some("a filler without a form"),
        '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}' => {
            Some("an invisible character")
        }
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

/// Returns a noun for a character that has a meaning within other texts, and none in a host.
const fn ignored(char: char) -> Option<&'static str> {
    match char {
        '\u{34F}' | '\u{E0000}'..='\u{E007F}' => Some("an invisible character"),
        _ => None,
    }
}
