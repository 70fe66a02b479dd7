//! Lints of the host: addresses out of range, names too long for the domain name system,
//! and labels that look like what they are not.

use std::borrow::Cow;

use idna::punycode;

use super::{is_above, script, warn};
use crate::finding::Warning;
use crate::finding::lint::{HOST_LENGTH, IPV4_RANGE, LABEL_LENGTH, MIXED_SCRIPT};
use crate::scheme::Scheme;
use crate::span::Span;
use crate::uri::Uri;

/// Longest label in bytes (RFC 1034 §3.1).
const LABEL_LEN_MAX: usize = 63;
/// Longest name as it is written: 255 bytes with a length before each label and the root's
/// behind them (RFC 1034 §3.1) are 253 with dots between.
const HOST_LEN_MAX: usize = 253;
/// What an encoded label begins with (RFC 5890 §2.3.1).
const ACE_PREFIX: &[u8] = b"xn--";

pub(super) fn lint(uri: &Uri<'_>, scheme: Option<&Scheme>, warnings: &mut Vec<Warning>) {
    let Some(host) = uri.host else { return };
    // RFC 3986 §3.2.2: an IP literal is no name.
    if host.of(uri.text).first().is_none_or(|&byte| byte == b'[') {
        return;
    }
    lint_address(uri.text, host, warnings);
    // A name in another system than the domain name system has limits that we don't know; a
    // scheme with a port of its own connects to hosts.
    if scheme.is_some_and(|scheme| scheme.port.is_some()) {
        lint_lengths(uri.text, host, warnings);
    }
    lint_scripts(uri.text, host, warnings);
}

/// RFC 3986 §3.2.2: four groups of digits that are no `dec-octet` are a registered name.
fn lint_address(text: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    let name = host.of(text);
    let mut groups = 0;
    let mut too_great = None;
    let mut at = host.start;
    for group in name.strip_suffix(b".").unwrap_or(name).split(|&byte| byte == b'.') {
        if group.is_empty() || !group.iter().all(u8::is_ascii_digit) {
            return;
        }
        if is_above(group, b"255") {
            too_great = too_great.or(Some(at));
        }
        groups += 1;
        at += group.len() + 1;
    }
    if let Some(at) = too_great
        && groups == 4
    {
        warn(warnings, &IPV4_RANGE, at, "a group of the IPv4 address is above 255");
    }
}

fn lint_lengths(text: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    // Escapes and UTF-8 take more bytes than what they stand for, but an encoded label can
    // take more than the bytes of its characters.
    if host.len() <= LABEL_LEN_MAX && host.of(text).is_ascii() {
        return;
    }
    let mut too_long = None;
    let mut total = 0;
    for (at, label) in labels(host.of(text)) {
        let len = wire_len(&decoded(label));
        if len > LABEL_LEN_MAX {
            too_long = too_long.or(Some(host.start + at));
        }
        // A dot at the end is the root's, and the empty label behind it counts for nothing.
        total += if label.is_empty() { 0 } else { len + 1 };
    }
    if let Some(at) = too_long {
        warn(warnings, &LABEL_LENGTH, at, "the label is longer than 63 bytes");
    }
    if total > HOST_LEN_MAX + 1 {
        warn(warnings, &HOST_LENGTH, host.start, "the host is longer than 253 bytes");
    }
}

/// The labels of `host` with their offsets, cut at the dots that UTS 46 §2.3 takes for one.
fn labels(host: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    const DOTS: [&str; 4] = [".", "\u{3002}", "\u{ff0e}", "\u{ff61}"];
    let mut rest = Some((0, host));
    std::iter::from_fn(move || {
        let (at, tail) = rest.take()?;
        let dot_at = |len: usize| {
            let behind = tail.get(len..).unwrap_or_default();
            DOTS.iter().find(|dot| behind.starts_with(dot.as_bytes()))
        };
        let cut = (0..tail.len()).find_map(|len| dot_at(len).map(|dot| (len, dot.len())));
        let (len, dot_len) = cut.unwrap_or((tail.len(), 0));
        let behind = len + dot_len;
        rest = (dot_len > 0).then(|| (at + behind, tail.get(behind..).unwrap_or_default()));
        Some((at, tail.get(..len).unwrap_or_default()))
    })
}

/// `label` with its escapes decoded (RFC 3986 §3.2.2: they stand for UTF-8).
pub(super) fn decoded(label: &[u8]) -> Cow<'_, [u8]> {
    if !label.contains(&b'%') {
        return Cow::Borrowed(label);
    }
    let mut bytes = Vec::with_capacity(label.len());
    let mut rest = label;
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = super::control::escaped(rest);
        bytes.push(escaped.unwrap_or(byte));
        rest = if escaped.is_some() { rest.get(3..).unwrap_or_default() } else { tail };
    }
    Cow::Owned(bytes)
}

/// Bytes of `label` in the domain name system: those of its Punycode where it is not ASCII.
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
    punycode::encode_str(text).map_or(chars, |encoded| ACE_PREFIX.len() + encoded.len())
}

fn lint_scripts(text: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    let name = host.of(text);
    let is_plain = !name.contains(&b'%') && !name.windows(2).any(|pair| pair == b"--");
    if is_plain && name.is_ascii() {
        return;
    }
    // The root's label is empty.
    let last = labels(name).filter(|(_, label)| !label.is_empty()).last();
    let top = last.and_then(|(_, label)| shown(label)).unwrap_or_default();
    for (at, label) in labels(name) {
        let Some(shown) = shown(label) else { continue };
        if let Some(message) = script::judge(&shown, &top) {
            return warn(warnings, &MIXED_SCRIPT, host.start + at, message);
        }
    }
}

/// What people are shown for `label`: escapes and Punycode decoded, in lower case; none when
/// it is no text.
fn shown(label: &[u8]) -> Option<String> {
    let bytes = decoded(label);
    let text = std::str::from_utf8(&bytes).ok()?;
    let is_encoded =
        bytes.get(..ACE_PREFIX.len()).is_some_and(|head| head.eq_ignore_ascii_case(ACE_PREFIX));
    if is_encoded && bytes.len() <= LABEL_LEN_MAX {
        return punycode::decode_to_string(&text.get(ACE_PREFIX.len()..)?.to_lowercase());
    }
    Some(text.to_lowercase())
}
