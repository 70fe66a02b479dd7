//! The host parser of the URL Standard (§3.5), and domain to ASCII (§3.3).
//!
//! The mapping of UTS 46 is that of the crate `idna`. It validates the labels in Punycode of
//! names that have other characters than US-ASCII elsewhere; names of US-ASCII are only put
//! into lower case, as browsers do it: that a label does not decode is a fault of the name,
//! and not one of the URL.

use std::borrow::Cow;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::error::{Flaw, Notes, ValidationError};
use super::percent::{C0_CONTROL, FORBIDDEN_DOMAIN, FORBIDDEN_HOST, unescaped};
use super::{ipv4, ipv6};

/// What ends a label of a domain, before the mapping (UTS 46 §2.3).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// Reads the host of a special URL (§3.5, host parser): serialised, and borrowed where it
/// already was. `text` is not empty.
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
    if ipv4::is_canonical(text) {
        return Ok(Cow::Borrowed(text));
    }
    Ok(Cow::Owned(ipv4::serialise(address)))
}

/// Reads the host of a URL that is not special (§3.5, step 2, then opaque-host parser).
///
/// The units of an opaque host are noted by the caller, as those of a path are.
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

/// Reads an IPv6 address between brackets.
fn literal(text: &str) -> Result<Cow<'_, str>, Flaw> {
    let Some(inside) = text.get(1..).and_then(|rest| rest.strip_suffix(']')) else {
        // Behind the first closing bracket nothing can follow; without one, it is missing.
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
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'%';
    let domain = if text.bytes().all(is_plain) {
        Cow::Borrowed(text)
    } else {
        let decoded = decoded(text);
        let mapped = mapped(&decoded);
        let Some(mapped) = mapped.filter(|mapped| !mapped.is_empty()) else {
            return Err(Flaw::new(ValidationError::DomainToAscii, unmapped_at(text)));
        };
        Cow::Owned(mapped.into_owned())
    };
    if FORBIDDEN_DOMAIN.find(&domain).is_some() {
        return Err(Flaw::new(ValidationError::DomainInvalidCodePoint, forbidden_at(text)));
    }
    Ok(domain)
}

/// Decodes the escapes of `text`; what is no UTF-8 is U+FFFD, which no mapping takes.
fn decoded(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let bytes: Vec<u8> = decoded_bytes(text).map(|(_, byte)| byte).collect();
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns each byte of `text` with its escapes decoded, and where it begins in `text`.
fn decoded_bytes(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let (byte, len) = match bytes.get(at..)? {
            [b'%', high, low, ..] => unescaped(*high, *low).map_or((b'%', 1), |byte| (byte, 3)),
            [byte, ..] => (*byte, 1),
            [] => return None,
        };
        at += len;
        Some((start, byte))
    })
}

/// Maps `domain` (§3.3, step 1); none where UTS 46 has no such name.
fn mapped(domain: &str) -> Option<Cow<'_, str>> {
    if domain.is_ascii() {
        return Some(Cow::Owned(domain.to_ascii_lowercase()));
    }
    let (any, hyphens, lengths) = (AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore);
    Uts46::new().to_ascii(domain.as_bytes(), any, hyphens, lengths).ok()
}

// ---- offsets of failures, which need not be fast ---------------------------------------

/// Returns each character of `text` with its escapes decoded, and where it begins in `text`.
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

/// Returns where the first character begins that is forbidden, or is mapped to one that is.
fn forbidden_at(text: &str) -> usize {
    let is_forbidden = |char: char| {
        mapped(&char.to_string()).is_some_and(|mapped| FORBIDDEN_DOMAIN.find(&mapped).is_some())
    };
    let found = decoded_chars(text).into_iter().find(|(_, char)| is_forbidden(*char));
    found.map_or(0, |(at, _)| at)
}

/// Returns where the first character begins that UTS 46 disallows; without one, the first
/// label that cannot be mapped alone, and without one, the domain.
fn unmapped_at(text: &str) -> usize {
    let chars = decoded_chars(text);
    let is_disallowed = |char: char| {
        // Alone a mark is refused, behind a letter one that is written from right to left.
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

/// Reports whether `label` is one of Punycode that UTS 46 refuses: beside other characters
/// than US-ASCII it is decoded.
fn is_undecodable(label: &str) -> bool {
    label.is_ascii() && mapped(&format!("{label}.\u{E9}")).is_none()
}

/// Returns where in `text` the part of `domain` begins that `at` lies in.
///
/// Escapes and wide digits change the length, but dots stay dots.
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
