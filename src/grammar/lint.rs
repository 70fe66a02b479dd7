//! Lints: warnings about suspicious features of a text that its grammar accepts.
//!
//! No lint is a syntax error, and none uses the network. Each gives at most one warning for a text,
//! at the first place that it concerns, since a text can have more such places than a report can
//! list. Texts that no grammar accepts are examined, too, and no message quotes a text that may be
//! a password.

#[cfg(feature = "idn")]
mod alphabet;
#[cfg(feature = "idn")]
mod context;
mod control;
mod doubled;
mod host;
#[cfg(feature = "idn")]
mod identifier;
#[cfg(feature = "idn")]
mod imitation;
mod invisible;
mod label;
#[cfg(feature = "idn")]
mod lookalike;
#[cfg(feature = "idn")]
mod renown;
#[cfg(feature = "idn")]
mod script;
mod shown;
mod typo;

pub use shown::lint_shown;

use super::split::split;
use crate::finding::lint::{CUT_SHORT, DOUBLED_SCHEME, MAILTO_ADDRESS, PASSWORD, PORT_RANGE};
use crate::finding::{Lint, Warning};
use crate::scheme;
use crate::uri::{Redacted, Uri};

/// Appends the warnings about `text`, in the order of its components.
///
/// Never fails, whatever `text` is; every offset is within it.
///
/// ```
/// let mut warnings = Vec::new();
/// linktrawl::internal::grammar::lint(b"http://h:65536/", &mut warnings);
/// assert_eq!(warnings[0].lint.id, "port-range");
/// assert_eq!(warnings[0].at, 9);
/// ```
pub fn lint(text: &[u8], warnings: &mut Vec<Warning>) {
    // Nine of ten links return here: a scan has no time for more.
    let is_plain = is_plain_web(text) && text.is_ascii();
    if !is_plain && !is_plain_mail(text) {
        let before = warnings.len();
        examine(&split(text), warnings);
        let redacted = Redacted::new(text);
        for warning in warnings.iter_mut().skip(before) {
            // The lint of passwords reveals no more than that there is one.
            if warning.lint != &PASSWORD && redacted.hides(warning.at) {
                warning.message = warning.lint.about.into();
            }
        }
    }
}

/// Appends a warning that `text`, a bare link, may continue with `next`, before which it ends. The
/// warning's offset is that of the last byte of the link.
///
/// ```
/// let mut warnings = Vec::new();
/// linktrawl::internal::grammar::lint_cut(b"http://h/a", '|', &mut warnings);
/// assert_eq!((warnings[0].lint.id, warnings[0].at), ("cut-short", 9));
/// ```
pub fn lint_cut(text: &[u8], next: char, warnings: &mut Vec<Warning>) {
    let message = if next == '\n' {
        "the link ends with its line, and seems to continue in the next line".to_owned()
    } else {
        let mark = next.escape_debug();
        format!("the link ends before \"{mark}\", after which the word continues")
    };
    warn(warnings, &CUT_SHORT, text.len().saturating_sub(1), message);
}

/// Appends a warning that `text`, a link in brackets, was joined over a blank of its line, where it
/// may end. The warning's offset is that of the last byte of the link.
///
/// ```
/// let mut warnings = Vec::new();
/// linktrawl::internal::grammar::lint_joined(b"http://h/ab/c", &mut warnings);
/// assert_eq!((warnings[0].lint.id, warnings[0].at), ("cut-short", 12));
/// ```
pub fn lint_joined(text: &[u8], warnings: &mut Vec<Warning>) {
    let message = "the link was joined over a blank in its line, and may end there".to_owned();
    warn(warnings, &CUT_SHORT, text.len().saturating_sub(1), message);
}

/// Appends a warning that reading failed within `text`, a link, or directly after it. The warning's
/// offset is that of the last byte of the link.
///
/// ```
/// let mut warnings = Vec::new();
/// linktrawl::internal::grammar::lint_torn(b"http://h/a", &mut warnings);
/// assert_eq!((warnings[0].lint.id, warnings[0].at), ("cut-short", 9));
/// ```
pub fn lint_torn(text: &[u8], warnings: &mut Vec<Warning>) {
    let message = "the link ends where its text could not be read further".to_owned();
    warn(warnings, &CUT_SHORT, text.len().saturating_sub(1), message);
}

/// Reports whether `text` is `mailto:` and one address of letters, digits and usual punctuation.
fn is_plain_mail(text: &[u8]) -> bool {
    let Some(address) = text.strip_prefix(b"mailto:") else { return false };
    let is_usual = |&byte: &u8| byte.is_ascii_alphanumeric() || b"@.-_+".contains(&byte);
    let host = memchr::memrchr(b'@', address).and_then(|at| address.get(at + 1..));
    address.iter().all(is_usual) && host.is_some_and(label::is_plain)
}

/// Longest part of an authority examined, in bytes: no label in it can be too long.
const PLAIN_LEN_MAX: usize = 63;

/// Reports whether `text` begins with `http://` or `https://` and a host that needs no further
/// examination: short, of letters, digits and single dots and hyphens, and ending in a letter.
///
/// An address ends in a digit or a dot, and an encoded label (RFC 5890 §2.3.1) has two hyphens in a
/// row. An invalid label shows by two separators in a row, or by one at the start. A host called
/// like a scheme may be a second scheme. Everything after the authority is data to these schemes.
fn is_plain_web(text: &[u8]) -> bool {
    let ([b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..]
    | [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..]) = text
    else {
        return false;
    };
    // The first byte follows a separator, the slash.
    let (mut seen, mut separators, mut len) = (0, 1_u64, 0);
    for &byte in rest.iter().take(PLAIN_LEN_MAX) {
        let class = HOST_BYTES[usize::from(byte)];
        if class == END {
            break;
        }
        seen |= class;
        separators = separators << 1 | u64::from(class & SEPARATOR);
        len += 1;
    }
    // The end of a longer host was not seen.
    let is_whole = len < PLAIN_LEN_MAX || rest.len() == len;
    let host = rest.get(..len).unwrap_or_default();
    let ends_in_letter = host.last().is_some_and(u8::is_ascii_alphabetic);
    seen & OTHER == 0
        && separators & separators >> 1 == 0
        && is_whole
        && ends_in_letter
        && !doubled::is_word(host)
}

// Classes of bytes of a host; 0 is part of a name. They are bits, so that one pass without branches
// collects them.
/// A dot or a hyphen.
const SEPARATOR: u8 = 1;
/// A byte that needs further examination.
const OTHER: u8 = 2;
/// The authority ends before it (RFC 3986 §3.2).
const END: u8 = 4;

static HOST_BYTES: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => 0,
            b'.' | b'-' => SEPARATOR,
            b'/' | b'?' | b'#' => END,
            _ => OTHER,
        };
        byte += 1;
    }
    table
};

fn examine(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let known = uri.scheme.and_then(|span| scheme::find(span.of(uri.text)));
    if known.is_none() {
        typo::lint(uri, warnings);
    }
    doubled::lint(uri, warnings);
    lint_userinfo(uri, warnings);
    if let Some(scheme) = known {
        label::lint(uri, scheme, warnings);
    }
    host::lint(uri, known, warnings);
    #[cfg(feature = "idn")]
    if let Some(host) = host::name(uri) {
        imitation::lint(uri.text, host, warnings);
    }
    lint_port(uri, warnings);
    if let Some(scheme) = known {
        if scheme.name == "mailto" {
            lint_addresses(uri, warnings);
        }
        if scheme.has_domain() {
            lint_hosts_of_addresses(uri, warnings);
        }
        control::lint(uri, scheme, warnings);
    }
    invisible::lint(uri, known, warnings);
}

fn warn(warnings: &mut Vec<Warning>, lint: &'static Lint, at: usize, message: impl Into<String>) {
    warnings.push(Warning { lint, at, message: message.into() });
}

fn lint_hosts_of_addresses(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    for host in host::of_addresses(uri) {
        if uri.scheme.is_some_and(|scheme| scheme.of(uri.text).eq_ignore_ascii_case(b"mailto")) {
            label::lint_host(uri.text, host, warnings);
        }
        #[cfg(feature = "idn")]
        imitation::lint(uri.text, host, warnings);
    }
}

/// Warns of a password: the part after the first colon, unless it is empty (RFC 3986 §3.2.1).
fn lint_userinfo(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let Some(userinfo) = uri.userinfo else { return };
    // An address follows the scheme in its place: `http://mailto:a@b.example`.
    let is_scheme = |last: &Warning| last.lint == &DOUBLED_SCHEME && last.at < userinfo.end;
    if warnings.last().is_some_and(is_scheme) {
        return;
    }
    shown::lint_user(uri, warnings);
    let colon = userinfo.of(uri.text).iter().position(|&byte| byte == b':');
    if let Some(colon) = colon
        && userinfo.start + colon + 1 < userinfo.end
    {
        let at = userinfo.start + colon + 1;
        warn(warnings, &PASSWORD, at, "the password is in clear text");
    }
}

/// Warns of a port above 65535. RFC 3986 §3.2.3 sets no limit; the field of TCP and UDP has 16 bits
/// (RFC 9293 §3.1).
fn lint_port(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    if let Some(port) = uri.port
        && is_above(port.of(uri.text), b"65535")
    {
        warn(warnings, &PORT_RANGE, port.start, "the port is above 65535");
    }
}

/// Reports whether `text` is a decimal number greater than `limit`, which has no leading zeros.
fn is_above(text: &[u8], limit: &[u8]) -> bool {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    let digits = text.get(zeros..).unwrap_or_default();
    text.iter().all(u8::is_ascii_digit) && (digits.len(), digits) > (limit.len(), limit)
}

/// Warns of an address without an unescaped "@" (RFC 6068 §2: `to = addr-spec *("," addr-spec)`).
/// An empty address is allowed: the reader fills it in.
fn lint_addresses(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let mut at = uri.path.start;
    for address in uri.path.of(uri.text).split(|&byte| byte == b',') {
        if !address.is_empty() && !address.contains(&b'@') {
            return warn(warnings, &MAILTO_ADDRESS, at, "the address has no \"@\"");
        }
        at += address.len() + 1;
    }
}
