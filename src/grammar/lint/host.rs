//! Lints hosts: addresses out of range, and names too long for the domain name system. Labels that
//! imitate others are those of `imitation`.

use super::{is_above, warn};
use crate::finding::Warning;
use crate::finding::lint::{HOST_LENGTH, IPV4_RANGE, LABEL_LENGTH};
use crate::scheme::{Class, Scheme};
use crate::span::Span;
use crate::uri::{Uri, unescaped};

/// Longest label in bytes (RFC 1034 §3.1).
pub(super) const LABEL_LEN_MAX: usize = 63;
/// Longest name as written: 255 bytes with a length byte before each label and the root's after
/// them (RFC 1034 §3.1) are 253 with dots between.
pub(super) const HOST_LEN_MAX: usize = 253;
/// The prefix of an encoded label (RFC 5890 §2.3.1).
pub(super) const ACE_PREFIX: &[u8] = b"xn--";

pub(super) fn lint(uri: &Uri<'_>, scheme: Option<&Scheme>, warnings: &mut Vec<Warning>) {
    let Some(host) = name(uri) else { return };
    lint_address(uri.text, host, scheme, warnings);
    // Names in other systems than the domain name system have unknown limits; a scheme with a port
    // of its own connects to hosts.
    if scheme.is_some_and(|scheme| scheme.port.is_some()) {
        lint_lengths(uri.text, host, warnings);
    }
}

/// Returns the host of `uri`, if it is a name (RFC 3986 §3.2.2: an IP literal is none).
pub(super) fn name(uri: &Uri<'_>) -> Option<Span> {
    uri.host.filter(|host| host.of(uri.text).first().is_some_and(|&byte| byte != b'['))
}

/// Returns the hosts of the addresses in a URI of mail or of a message, `mailto:a@b,c@d`, that are
/// names.
pub(super) fn of_addresses(uri: &Uri<'_>) -> impl Iterator<Item = Span> {
    let (text, path) = (uri.text, uri.path);
    let mut start = path.start;
    path.of(text).split(|&byte| byte == b',').filter_map(move |address| {
        let end = start + address.len();
        let at = memchr::memrchr(b'@', address).map(|at| start + at + 1);
        start = end + 1;
        let host = Span::new(at?, end);
        // In a URI, the brackets of an address literal are escaped (RFC 6068 §2).
        let name = host.of(text);
        let is_literal = name.starts_with(b"[")
            || name.get(..3).is_some_and(|open| open.eq_ignore_ascii_case(b"%5B"));
        (!name.is_empty() && !is_literal).then_some(host)
    })
}

/// Warns of an IPv4 address out of range: four groups of digits that are no `dec-octet` are a
/// registered name (RFC 3986 §3.2.2). Browsers also refuse any other host whose last label is a
/// number (URL Standard, "ends in a number checker").
fn lint_address(text: &[u8], host: Span, scheme: Option<&Scheme>, warnings: &mut Vec<Warning>) {
    let name = host.of(text);
    let is_web = scheme.is_some_and(|scheme| scheme.class == Class::Web);
    let is_number = |label: &[u8]| match hexadecimal(label) {
        Some(digits) => digits.iter().all(u8::is_ascii_hexdigit),
        None => !label.is_empty() && label.iter().all(u8::is_ascii_digit),
    };
    let is_above_255 = |label: &[u8]| {
        hexadecimal(label)
            .is_some_and(|digits| digits.iter().skip_while(|it| **it == b'0').count() > 2)
    };
    let mut labels = name.strip_suffix(b".").unwrap_or(name).split(|&byte| byte == b'.');
    let count = labels.clone().count();
    let are_numbers = labels.clone().all(is_number);
    // The last one may stand for several groups (URL Standard, IPv4 parser).
    let groups_alone = if count == 4 { count } else { count - 1 };
    let are_small = !labels.clone().take(groups_alone).any(is_above_255);
    let are_whole = labels.clone().all(|label| !label.is_empty());
    if labels.next_back().is_some_and(is_number)
        && are_whole
        && (count > 4 || !are_numbers || !are_small)
        && is_web
    {
        let message = "the host ends in a number and is no IPv4 address: browsers refuse it";
        return warn(warnings, &IPV4_RANGE, host.start, message);
    }
    let mut groups = 0;
    let mut too_great = None;
    let mut at = host.start;
    for group in name.strip_suffix(b".").unwrap_or(name).split(|&byte| byte == b'.') {
        if group.is_empty() || !group.iter().all(u8::is_ascii_digit) {
            return;
        }
        if is_above(group, b"255") {
            too_great = too_great.or(Some((at, octal(group))));
        }
        groups += 1;
        at += group.len() + 1;
    }
    let Some((at, octal)) = too_great.filter(|_| groups == 4) else { return };
    match octal.filter(|_| is_web) {
        Some(number) => {
            let message =
                format!("browsers read this group of the IPv4 address as octal, {number}");
            warn(warnings, &IPV4_RANGE, at, message);
        }
        None => warn(warnings, &IPV4_RANGE, at, "a group of the IPv4 address is above 255"),
    }
}

/// Returns the digits of `label`, if it is a hexadecimal number to browsers.
fn hexadecimal(label: &[u8]) -> Option<&[u8]> {
    label.strip_prefix(b"0x").or_else(|| label.strip_prefix(b"0X"))
}

/// Returns the number up to 255 that `group` is in octal, with a zero in front (URL Standard, IPv4
/// number parser).
fn octal(group: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(group.strip_prefix(b"0")?).ok()?;
    u8::from_str_radix(digits, 8).ok()
}

fn lint_lengths(text: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    // Escapes and UTF-8 take more bytes than what they encode, but an encoded label can take more
    // bytes than its characters.
    if host.len() <= LABEL_LEN_MAX && host.of(text).is_ascii() {
        return;
    }
    let mut too_long = None;
    let mut total = 0;
    for (at, label) in labels(host.of(text)) {
        let len = wire_len(&unescaped(label));
        if len > LABEL_LEN_MAX {
            too_long = too_long.or(Some(host.start + at));
        }
        // A dot at the end is the root's, and the empty label after it counts for nothing.
        total += if label.is_empty() { 0 } else { len + 1 };
    }
    if let Some(at) = too_long {
        warn(warnings, &LABEL_LENGTH, at, "the label is longer than 63 bytes");
    }
    if total > HOST_LEN_MAX + 1 {
        warn(warnings, &HOST_LENGTH, host.start, "the host is longer than 253 bytes");
    }
}

/// Returns the labels of `host` with their offsets, split at the dots of UTS 46 §2.3.
pub(super) fn labels(host: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    const DOTS: [&str; 4] = [".", "\u{3002}", "\u{ff0e}", "\u{ff61}"];
    let mut rest = Some((0, host));
    std::iter::from_fn(move || {
        let (at, tail) = rest.take()?;
        let dot_at = |len: usize| {
            let after = tail.get(len..).unwrap_or_default();
            DOTS.iter().find(|dot| after.starts_with(dot.as_bytes()))
        };
        let cut = (0..tail.len()).find_map(|len| dot_at(len).map(|dot| (len, dot.len())));
        let (len, dot_len) = cut.unwrap_or((tail.len(), 0));
        let after = len + dot_len;
        rest = (dot_len > 0).then(|| (at + after, tail.get(after..).unwrap_or_default()));
        Some((at, tail.get(..len).unwrap_or_default()))
    })
}

/// Returns the length in bytes of `label` in the domain name system: that of its Punycode if it is
/// not ASCII.
///
/// The mapping of UTS 46, which rarely changes a length, is not applied.
fn wire_len(label: &[u8]) -> usize {
    let Ok(text) = std::str::from_utf8(label) else { return label.len() };
    if text.is_ascii() {
        return text.len();
    }
    // Each character takes at least one byte, so that long labels need no encoding, whose
    // time grows with the square of the length.
    let chars = ACE_PREFIX.len() + text.chars().count();
    if chars > LABEL_LEN_MAX {
        return chars;
    }
    encoded_len(text).unwrap_or(chars)
}

/// Returns the length in bytes of `label` as an encoded label.
#[cfg(feature = "idn")]
fn encoded_len(label: &str) -> Option<usize> {
    Some(ACE_PREFIX.len() + idna::punycode::encode_str(label)?.len())
}

/// Returns `None`: without Punycode, the length is not known.
#[cfg(not(feature = "idn"))]
const fn encoded_len(_: &str) -> Option<usize> {
    None
}
