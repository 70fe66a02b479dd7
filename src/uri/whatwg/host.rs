//! The host parser of the URL Standard (§3.5), and domain to ASCII (§3.3).
//!
//! The crate `idna` provides the mapping of UTS 46, which validates Punycode labels only in names
//! that also have characters outside US-ASCII. Names of US-ASCII are only lower-cased, as browsers
//! do: a label that does not decode is a fault of the name, not of the URL.

use std::borrow::Cow;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::error::{Flaw, Notes, ValidationError};
use super::percent::{C0_CONTROL, FORBIDDEN_DOMAIN, FORBIDDEN_HOST};
use super::{ipv4, ipv6};
use crate::uri::percent::octet;

/// The characters that end a label of a domain, before the mapping (UTS 46 §2.3).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// Parses the host of a special URL (§3.5, host parser) and returns its serialisation, borrowed
/// where it is identical to the text. `text` is not empty.
pub(super) fn parse<'t>(text: &'t str, notes: &mut Notes) -> Result<Cow<'t, str>, Flaw> {
    // Step 1.
    if text.starts_with('[') {
        return literal(text);
    }
    // Steps 4 to 6.
    let domain = to_ascii(text)?;
    // Step 7.
    if !ipv4::ends_in_a_number(&domain) {
        return Ok(domain);
    }
    let mut own = if notes.are_wanted() { Notes::wanted() } else { Notes::default() };
    let address = ipv4::parse(&domain, &mut own);
    for flaw in own.in_order() {
        notes.add(flaw.error, in_source(text, &domain, flaw.at));
    }
    let address = address.map_err(|flaw| Flaw { at: in_source(text, &domain, flaw.at), ..flaw })?;
    if ipv4::is_canonical(text.as_bytes()) {
        return Ok(Cow::Borrowed(text));
    }
    Ok(Cow::Owned(ipv4::serialise(address)))
}

/// Parses the host of a URL that is not special (§3.5, step 2, then opaque-host parser).
///
/// The caller notes invalid units of an opaque host, as it does those of a path.
pub(super) fn parse_opaque(text: &str) -> Result<Cow<'_, str>, Flaw> {
    if text.starts_with('[') {
        return literal(text);
    }
    if let Some(at) = FORBIDDEN_HOST.find(text) {
        return Err(Flaw::new(ValidationError::HostInvalidCodePoint, at));
    }
    if C0_CONTROL.find(text).is_none() {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = String::new();
    C0_CONTROL.encode(text, &mut out);
    Ok(Cow::Owned(out))
}

/// Parses an IPv6 address between brackets.
fn literal(text: &str) -> Result<Cow<'_, str>, Flaw> {
    let Some(inside) = text.get(1..).and_then(|rest| rest.strip_suffix(']')) else {
        // Nothing can follow the first closing bracket; without a bracket, it is missing.
        let at = text.find(']').map_or(text.len(), |bracket| bracket + 1);
        return Err(Flaw::new(ValidationError::Ipv6Unclosed, at));
    };
    let address = ipv6::parse(inside).map_err(|flaw| flaw.moved(1))?;
    Ok(unless_same(text, ipv6::serialise(address)))
}

fn unless_same(text: &str, written: String) -> Cow<'_, str> {
    if written == text { Cow::Borrowed(text) } else { Cow::Owned(written) }
}

/// Decodes `text` and maps it (§3.5 steps 4 and 5, §3.3).
fn to_ascii(text: &str) -> Result<Cow<'_, str>, Flaw> {
    ascii(text).map_err(|error| match error {
        ValidationError::DomainToAscii => Flaw::new(error, unmapped_at(text)),
        error => Flaw::new(error, forbidden_at(text)),
    })
}

/// Decodes `text` and maps it, without a search for the offset of a failure.
fn ascii(text: &str) -> Result<Cow<'_, str>, ValidationError> {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'%';
    let domain = if text.bytes().all(is_plain) {
        Cow::Borrowed(text)
    } else {
        let decoded = decoded(text);
        let mapped = mapped(&decoded);
        let Some(mapped) = mapped.filter(|mapped| !mapped.is_empty()) else {
            return Err(ValidationError::DomainToAscii);
        };
        Cow::Owned(mapped.into_owned())
    };
    if FORBIDDEN_DOMAIN.find(&domain).is_some() {
        return Err(ValidationError::DomainInvalidCodePoint);
    }
    Ok(domain)
}

/// Decodes the escapes of `text`; bytes that are not UTF-8 become U+FFFD, which no mapping accepts.
fn decoded(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let bytes: Vec<u8> = decoded_bytes(text).map(|(_, byte)| byte).collect();
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns each byte of `text` with its escapes decoded, and its offset in `text`.
fn decoded_bytes(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let (byte, len) = match bytes.get(at..)? {
            escape @ [b'%', _, _, ..] => octet(escape).map_or((b'%', 1), |byte| (byte, 3)),
            [byte, ..] => (*byte, 1),
            [] => return None,
        };
        at += len;
        Some((start, byte))
    })
}

/// Returns the domain to which `text` is mapped; `None` if it is none.
pub(in crate::uri) fn domain(text: &str) -> Option<Vec<u8>> {
    ascii(text).ok().map(|domain| domain.into_owned().into_bytes())
}

/// Maps `domain` (§3.3, step 1); returns `None` if UTS 46 does not allow the name.
fn mapped(domain: &str) -> Option<Cow<'_, str>> {
    if domain.is_ascii() {
        return Some(Cow::Owned(domain.to_ascii_lowercase()));
    }
    let (any, hyphens, lengths) = (AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore);
    Uts46::new().to_ascii(domain.as_bytes(), any, hyphens, lengths).ok()
}

// ---- offsets of failures, which need not be fast ---------------------------------------

/// Returns each character of `text` with its escapes decoded, and its offset in `text`.
fn decoded_chars(text: &str) -> Vec<(usize, char)> {
    let pairs: Vec<(usize, u8)> = decoded_bytes(text).collect();
    let bytes: Vec<u8> = pairs.iter().map(|(_, byte)| *byte).collect();
    let mut chars = Vec::new();
    let mut at = 0;
    let mut push = |at: usize, char| chars.extend(pairs.get(at).map(|(place, _)| (*place, char)));
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            push(at, char);
            at += char.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            push(at, char::REPLACEMENT_CHARACTER);
            at += chunk.invalid().len();
        }
    }
    chars
}

/// Returns the offset of the first character that is forbidden, or mapped to a forbidden one.
fn forbidden_at(text: &str) -> usize {
    let is_forbidden = |char: char| {
        mapped(&char.to_string()).is_some_and(|mapped| FORBIDDEN_DOMAIN.find(&mapped).is_some())
    };
    let found = decoded_chars(text).into_iter().find(|(_, char)| is_forbidden(*char));
    found.map_or(0, |(at, _)| at)
}

/// Returns the offset of the first character that UTS 46 disallows; failing that, of the first
/// label that cannot be mapped alone; failing that, 0.
fn unmapped_at(text: &str) -> usize {
    let chars = decoded_chars(text);
    let is_disallowed = |char: char| {
        // A mark is refused alone; a right-to-left character is refused after a Latin letter.
        !char.is_ascii()
            && mapped(&char.to_string()).is_none()
            && mapped(&format!("a{char}")).is_none()
    };
    if let Some((at, _)) = chars.iter().find(|(_, char)| is_disallowed(*char)) {
        return *at;
    }
    let mut labels = chars.split(|(_, char)| DOTS.contains(char));
    let found = labels.find_map(|label| {
        let text: String = label.iter().map(|(_, char)| *char).collect();
        let first = label.first()?;
        (is_undecodable(&text) || mapped(&text).is_none()).then_some(first.0)
    });
    found.unwrap_or_default()
}

/// Reports whether `label` is a Punycode label that UTS 46 refuses. It is decoded only beside
/// characters outside US-ASCII.
fn is_undecodable(label: &str) -> bool {
    label.is_ascii() && mapped(&format!("{label}.\u{E9}")).is_none()
}

/// Returns the offset in `text` of the label that contains offset `at` of `domain`.
///
/// Escapes and wide digits change lengths, but dots stay dots.
fn in_source(text: &str, domain: &str, at: usize) -> usize {
    if text.is_ascii() && memchr::memchr(b'%', text.as_bytes()).is_none() {
        return at;
    }
    let dots = domain.bytes().take(at).filter(|byte| *byte == b'.').count();
    let chars = decoded_chars(text);
    let mut starts = chars.iter().skip_while({
        let mut left = dots;
        move |(_, char)| {
            let is_before = left > 0;
            left -= usize::from(is_before && DOTS.contains(char));
            is_before
        }
    });
    starts.next().map_or(text.len(), |(at, _)| *at)
}
