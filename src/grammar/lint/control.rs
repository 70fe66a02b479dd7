//! Finds escapes of control characters in URIs of text protocols. If a careless client decodes
//! them, they end a line and begin a command (RFC 3986 §7.2), or end a string (§7.3).
//!
//! Web schemes send escapes unchanged, and are not examined. Escapes that have a meaning by the
//! scheme's own document are exempt.

use super::warn;
use crate::finding::Warning;
use crate::finding::lint::CONTROL_ESCAPE;
use crate::scheme::Scheme;
use crate::span::Span;
use crate::uri::{Uri, octet};

const NUL: u8 = 0x00;
const TAB: u8 = 0x09;
const FEED: u8 = 0x0A;
const RETURN: u8 = 0x0D;

/// Text protocols, and the characters that their lines cannot carry as data.
static PROTOCOLS: &[(&[&str], &[u8])] = &[
    // File names may hold tabs; NUL ends one (RFC 959 §5.3.2 forbids CR and LF).
    (&["ftp", "ftps", "tftp", "pop", "gemini"], &[NUL, FEED, RETURN]),
    // RFC 4266 §2.1: a tab separates selector, search and Gopher+ string.
    (&["gopher", "gophers"], &[NUL, FEED, RETURN]),
    (&["telnet", "rlogin", "tn3270"], &[NUL, TAB, FEED, RETURN]),
    // RFC 3977 §3.1: arguments have no blank, NUL, CR and LF.
    (&["news", "snews", "nntp", "nntps"], &[NUL, TAB, FEED, RETURN]),
    (&["finger", "whois", "whois++", "dict", "irc", "irc6", "ircs"], &[NUL, TAB, FEED, RETURN]),
    (&["smtp", "smtps"], &[NUL, TAB, FEED, RETURN]),
    (&["mailto"], &[NUL, FEED, RETURN]),
    (&["wais"], &[NUL, FEED, RETURN]),
    // RFC 1630: %00 precedes the version.
    (&["prospero"], &[FEED, RETURN]),
];

pub(super) fn lint(uri: &Uri<'_>, scheme: &Scheme, warnings: &mut Vec<Warning>) {
    if !uri.text.contains(&b'%') {
        return;
    }
    let row = PROTOCOLS.iter().find(|(names, _)| names.contains(&scheme.name));
    let Some((_, controls)) = row else { return };
    let first = match scheme.name {
        "gopher" | "gophers" => find(uri.text, Span::new(0, gopher_end(uri)), controls),
        "mailto" => find_in_mail(uri, controls),
        "wais" => find_in_wais(uri, controls),
        _ => find(uri.text, Span::new(0, end(uri)), controls),
    };
    if let Some((at, byte)) = first {
        let name = match byte {
            NUL => "NUL",
            TAB => "a tab",
            FEED => "a line feed",
            _ => "a carriage return",
        };
        let message = format!("%{byte:02X} decodes to {name}, which is no data in {}", scheme.name);
        warn(warnings, &CONTROL_ESCAPE, at, message);
    }
}

/// Returns offset and value of the first escape within `span` that encodes one of `controls`.
fn find(text: &[u8], span: Span, controls: &[u8]) -> Option<(usize, u8)> {
    let within = span.of(text);
    memchr::memchr_iter(b'%', within).find_map(|at| {
        let byte = octet(within.get(at..)?).filter(|byte| controls.contains(byte))?;
        Some((span.start + at, byte))
    })
}

/// Returns the offset at which the text ends for the server: a fragment is never sent (RFC 3986
/// §3.5).
fn end(uri: &Uri<'_>) -> usize {
    uri.fragment.map_or(uri.text.len(), |fragment| fragment.start.saturating_sub(1))
}

/// Returns the offset of the Gopher+ string, which may hold blocks of lines: RFC 4266 §2.7 prints
/// one.
fn gopher_end(uri: &Uri<'_>) -> usize {
    let mut from = uri.path.start;
    for _ in 0..2 {
        match find(uri.text, Span::new(from, end(uri)), &[TAB]) {
            Some((at, _)) => from = at + 3,
            None => return end(uri),
        }
    }
    from
}

/// Searches a mailto. RFC 6068 §5: `%0D%0A` separates the lines of a body; other fields are one
/// line.
fn find_in_mail(uri: &Uri<'_>, controls: &[u8]) -> Option<(usize, u8)> {
    let addresses = find(uri.text, uri.path, controls);
    if addresses.is_some() {
        return addresses;
    }
    let query = uri.query?;
    let mut at = query.start;
    for field in query.of(uri.text).split(|&byte| byte == b'&') {
        let is_body = field.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"body="));
        let controls = if is_body { &[NUL][..] } else { controls };
        let span = Span::new(at, at + field.len());
        if let Some(found) = find(uri.text, span, controls) {
            return Some(found);
        }
        at = span.end + 1;
    }
    None
}

/// Searches a wais. RFC 4156 §2: database and type are followed by the server's own identifier of a
/// document, which may have any bytes and is not searched.
fn find_in_wais(uri: &Uri<'_>, controls: &[u8]) -> Option<(usize, u8)> {
    let path = uri.path.of(uri.text);
    let slashes = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/');
    match slashes.map(|(at, _)| at).nth(2) {
        Some(document) => find(uri.text, Span::new(0, uri.path.start + document), controls),
        None => find(uri.text, Span::new(0, end(uri)), controls),
    }
}
