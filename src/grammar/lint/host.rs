//! Lints hosts: addresses out of range, names too long for the domain name system, and labels that
//! imitate others.

use std::borrow::Cow;

use idna::punycode;
use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

use super::{is_above, lookalike, renown, script, warn};
use crate::finding::Warning;
use crate::finding::lint::{HOST_LENGTH, IPV4_RANGE, LABEL_LENGTH, MIXED_SCRIPT};
use crate::scheme::Scheme;
use crate::span::Span;
use crate::uri::Uri;

/// Longest label in bytes (RFC 1034 §3.1).
const LABEL_LEN_MAX: usize = 63;
/// Longest name as written: 255 bytes with a length byte before each label and the root's after
/// them (RFC 1034 §3.1) are 253 with dots between.
const HOST_LEN_MAX: usize = 253;
/// The prefix of an encoded label (RFC 5890 §2.3.1).
pub(super) const ACE_PREFIX: &[u8] = b"xn--";

pub(super) fn lint(uri: &Uri<'_>, scheme: Option<&Scheme>, warnings: &mut Vec<Warning>) {
    let Some(host) = uri.host else { return };
    // RFC 3986 §3.2.2: an IP literal is no name.
    if host.of(uri.text).first().is_none_or(|&byte| byte == b'[') {
        return;
    }
    lint_address(uri.text, host, warnings);
    // Names in other systems than the domain name system have unknown limits; a scheme with a port
    // of its own connects to hosts.
    if scheme.is_some_and(|scheme| scheme.port.is_some()) {
        lint_lengths(uri.text, host, warnings);
    }
    lint_scripts(uri.text, host, warnings);
}

/// Warns of an IPv4 address out of range: four groups of digits that are no `dec-octet` are a
/// registered name (RFC 3986 §3.2.2).
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
    // Escapes and UTF-8 take more bytes than what they encode, but an encoded label can take more
    // bytes than its characters.
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

/// Decodes the escapes of `label` (RFC 3986 §3.2.2: they encode UTF-8).
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
    punycode::encode_str(text).map_or(chars, |encoded| ACE_PREFIX.len() + encoded.len())
}

fn lint_scripts(text: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    let name = host.of(text);
    let is_plain = !name.contains(&b'%') && !name.windows(2).any(|pair| pair == b"--");
    if is_plain && name.is_ascii() {
        return;
    }
    let shown: Vec<_> = labels(name).map(|(at, label)| (at, shown(label))).collect();
    // The root's label is empty.
    let top = labels(name).zip(&shown).filter(|((_, label), _)| !label.is_empty()).last();
    let top = top.and_then(|(_, (_, shown))| shown.text()).unwrap_or_default();
    for (at, label) in &shown {
        let message = match label {
            Shown::Bytes => None,
            Shown::Text(label) => script::judge(label, top),
            Shown::Invalid(message) => Some(message.clone()),
        };
        if let Some(message) = message {
            return warn(warnings, &MIXED_SCRIPT, host.start + at, message);
        }
    }
    let texts: Vec<_> = shown.iter().map(|(_, label)| label.text().unwrap_or_default()).collect();
    if let Some((index, message)) = renown::near(&texts) {
        let at = shown.get(index).map_or(0, |(at, _)| *at);
        return warn(warnings, &MIXED_SCRIPT, host.start + at, message);
    }
    if shown.iter().all(|(_, label)| label.text().is_some()) {
        lint_direction(name, host, warnings);
    }
}

/// Warns of labels that mix directions of writing: RFC 5893 §2 has rules for the whole host.
fn lint_direction(name: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    let bytes = decoded(name);
    let is_valid = |bytes: &[u8]| {
        std::str::from_utf8(bytes).is_err()
            || Uts46::new().to_unicode(bytes, AsciiDenyList::EMPTY, Hyphens::Allow).1.is_ok()
    };
    if bytes.len() <= HOST_LEN_MAX && !is_valid(&bytes) {
        let message = "the labels mix directions of writing, as no host may";
        warn(warnings, &MIXED_SCRIPT, host.start, message);
    }
}

/// A label as it is shown to people.
enum Shown {
    /// Not UTF-8, or longer than any label.
    Bytes,
    /// Escapes and Punycode are decoded, and the text is mapped as in UTS 46 §4.
    Text(String),
    /// A message about a text that UTS 46 §4.1 refuses.
    Invalid(String),
}

impl Shown {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes | Self::Invalid(_) => None,
        }
    }
}

fn shown(label: &[u8]) -> Shown {
    let bytes = decoded(label);
    let Ok(text) = std::str::from_utf8(&bytes) else { return Shown::Bytes };
    let is_encoded =
        bytes.get(..ACE_PREFIX.len()).is_some_and(|head| head.eq_ignore_ascii_case(ACE_PREFIX));
    if !is_encoded && text.is_ascii() {
        return Shown::Text(text.to_ascii_lowercase());
    }
    if is_encoded && bytes.len() > LABEL_LEN_MAX || bytes.len() > HOST_LEN_MAX {
        return Shown::Bytes;
    }
    let (mapped, result) = Uts46::new().to_unicode(&bytes, AsciiDenyList::EMPTY, Hyphens::Allow);
    if result.is_err() {
        let encoded = text.get(ACE_PREFIX.len()..).filter(|_| is_encoded);
        return Shown::Invalid(refusal(text, encoded, &mapped));
    }
    // UTS 46 §4.1, CheckHyphens: no registry allows these, except for names of US-ASCII.
    let is_hyphened = mapped.starts_with('-') || mapped.ends_with('-');
    let hyphens = mapped.chars().skip(2).take(2).filter(|char| *char == '-').count();
    if !mapped.is_ascii() && (is_encoded && is_hyphened || hyphens == 2) {
        return Shown::Invalid("the label has hyphens where no encoded label has them".to_owned());
    }
    Shown::Text(mapped.into_owned())
}

/// Returns a message about `label`, whose mapping has U+FFFD for each invalid character. `encoded`
/// is its Punycode, without the prefix.
fn refusal(label: &str, encoded: Option<&str>, mapped: &str) -> String {
    let source = match encoded {
        None => label.to_owned(),
        Some(encoded) => match punycode::decode_to_string(&encoded.to_lowercase()) {
            None => return String::from("the label is no Punycode, so that it stands for nothing"),
            Some(source) if source.is_ascii() => {
                return String::from("the label encodes what needs no encoding");
            }
            Some(source) => source,
        },
    };
    // A label that cannot be decoded in full is left in Punycode, where indices differ.
    let mapped = if mapped.starts_with("xn--") { "" } else { mapped };
    let bad = mapped.chars().zip(source.chars()).position(|(char, _)| char == '\u{FFFD}');
    match bad.and_then(|index| Some((index, source.chars().nth(index)?))) {
        Some((index, char)) => {
            format!("the label is not valid in a host; {}", lookalike::place(index, char))
        }
        None => String::from("the label is not valid in a host"),
    }
}
