//! Finds labels that no host has: empty ones, those with a hyphen at an end, those with `_`, which
//! only names of services have (RFC 8552 §1.2), and those with other marks, which RFC 3986 §3.2.2
//! allows in a name.
//!
//! Only schemes of the web, FTP and mail are checked: their clients look the host up in the domain
//! name system. Names in other systems have rules of their own.

use std::borrow::Cow;

#[cfg(feature = "idn")]
use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

#[cfg(feature = "idn")]
use super::host::HOST_LEN_MAX;
use super::host::{ACE_PREFIX, labels};
use super::warn;
use crate::finding::Warning;
use crate::finding::lint::{DOUBLED_SCHEME, HOST_LABEL};
use crate::scheme::Scheme;
use crate::span::Span;
use crate::uri::{Uri, unescaped};

pub(super) fn lint(uri: &Uri<'_>, scheme: &Scheme, warnings: &mut Vec<Warning>) {
    let Some(host) = uri.host else { return };
    // RFC 3986 §3.2.2: an IP literal is no name; the grammar reports an absent host.
    let is_name = host.of(uri.text).first().is_some_and(|&byte| byte != b'[');
    if !is_name || !scheme.is_special() || scheme.name == "file" {
        return;
    }
    // A scheme in place of the host is no host, whatever marks follow it: `http://https;//h/`.
    let is_scheme = warnings.last().is_some_and(|last| last.lint == &DOUBLED_SCHEME);
    if !is_scheme {
        lint_host(uri.text, host, warnings);
    }
}

/// Warns of the first faulty label of the name at `host` of `text`.
pub(super) fn lint_host(text: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    if is_plain(host.of(text)) {
        return;
    }
    if let Some((at, message)) = faulty(text, host) {
        warn(warnings, &HOST_LABEL, at, message);
    }
}

/// Reports whether `name` consists of letters, digits and single separators between them, as most
/// do.
pub(super) fn is_plain(name: &[u8]) -> bool {
    let is_separator = |byte: u8| byte == b'.' || byte == b'-';
    let mut before = b'.';
    for &byte in name {
        let is_usual = byte.is_ascii_alphanumeric() || is_separator(byte) && !is_separator(before);
        if !is_usual {
            return false;
        }
        before = byte;
    }
    before != b'-'
}

/// Returns the offset of the first faulty label, and the problem with it.
fn faulty(text: &[u8], host: Span) -> Option<(usize, &'static str)> {
    let name = host.of(text);
    for (at, label) in labels(name) {
        // The root's label is empty, and the last.
        let is_root = at == name.len() && at > 0;
        let message = match fault(&mapped(unescaped(label))) {
            Some(message) if !(label.is_empty() && is_root) => message,
            _ => continue,
        };
        // An empty label at the end of the text is reported at the text's last byte.
        return Some(((host.start + at).min(text.len().saturating_sub(1)), message));
    }
    None
}

/// Returns `label` as browsers read it: mapped by UTS 46, which replaces full-width forms. The lint
/// of scripts examines a label that UTS 46 refuses.
#[cfg(feature = "idn")]
fn mapped(label: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if label.is_ascii() || label.len() > HOST_LEN_MAX || std::str::from_utf8(&label).is_err() {
        return label;
    }
    match Uts46::new().to_unicode(&label, AsciiDenyList::EMPTY, Hyphens::Allow) {
        (text, Ok(())) => Cow::Owned(text.into_owned().into_bytes()),
        (_, Err(_)) => label,
    }
}

/// Returns `label` as it is: without tables of Unicode, the mapping is not known.
#[cfg(not(feature = "idn"))]
const fn mapped(label: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    label
}

fn fault(label: &[u8]) -> Option<&'static str> {
    let service = label.first() == Some(&b'_');
    let head = label.get(..ACE_PREFIX.len());
    match label {
        // The lint of scripts examines the decoded text of an encoded label.
        _ if head.is_some_and(|head| head.eq_ignore_ascii_case(ACE_PREFIX)) => None,
        [] => Some("the host has an empty label"),
        [b'-', ..] => Some("the label begins with a hyphen"),
        [.., b'-'] => Some("the label ends in a hyphen"),
        [b'_'] => Some("the label is \"_\" alone"),
        [_, rest @ ..] if rest.contains(&b'_') && !service => {
            Some("the label has \"_\", which only names of services begin with")
        }
        _ if label.iter().any(is_mark) => {
            Some("the label has a character that is no letter, digit or hyphen")
        }
        _ => None,
    }
}

/// Reports whether `byte` is a character of US-ASCII that is in no label.
fn is_mark(byte: &u8) -> bool {
    // An escaped dot divides labels for browsers.
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_' | b'.')
}
