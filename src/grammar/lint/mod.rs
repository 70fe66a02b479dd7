//! Lints: what is worth a look in a text that its grammar takes.
//!
//! No lint is a syntax error, and none asks the network. Each gives one warning for a text,
//! at the first place that it is about: a text can hold more of them than anybody reads.
//! Texts that no grammar takes are looked at like others, and nothing is quoted from where a
//! password may stand.

mod alphabet;
mod context;
mod control;
mod doubled;
mod host;
mod identifier;
mod label;
mod lookalike;
mod renown;
mod script;
mod shown;
mod typo;

pub use shown::lint_shown;

use super::split::split;
use crate::finding::lint::{CUT_SHORT, MAILTO_ADDRESS, PASSWORD, PORT_RANGE};
use crate::finding::{Lint, Warning};
use crate::scheme;
use crate::uri::{Guarded, Uri};

/// Appends what is worth a look in `text`, in the order of the components.
///
/// Never fails, whatever `text` is; every offset is within it.
///
/// ```
/// let mut warnings = Vec::new();
/// linktrawl::grammar::lint(b"http://h:65536/", &mut warnings);
/// assert_eq!(warnings[0].lint.id, "port-range");
/// assert_eq!(warnings[0].at, 9);
/// ```
pub fn lint(text: &[u8], warnings: &mut Vec<Warning>) {
    // Nine of ten links end here, which is what a scan has time for.
    if !is_plain_web(text) && !is_plain_mail(text) {
        let before = warnings.len();
        examine(&split(text), warnings);
        let guarded = Guarded::new(text);
        for warning in warnings.iter_mut().skip(before) {
            // That one says no more than that there is a password.
            if warning.lint != &PASSWORD && guarded.hides(warning.at) {
                warning.message = warning.lint.about.into();
            }
        }
    }
}

/// Appends a warning that `text`, a bare link, may go on with `byte`, which it ends before. Its
/// offset is that of the last byte of the link.
///
/// ```
/// let mut warnings = Vec::new();
/// linktrawl::grammar::lint_cut(b"http://h/a", b'|', &mut warnings);
/// assert_eq!((warnings[0].lint.id, warnings[0].at), ("cut-short", 9));
/// ```
pub fn lint_cut(text: &[u8], byte: u8, warnings: &mut Vec<Warning>) {
    let mark = char::from(byte).escape_default();
    let message = format!("the link ends before \"{mark}\", and a word goes on behind that");
    warn(warnings, &CUT_SHORT, text.len().saturating_sub(1), message);
}

/// True for `mailto:` and one address of letters, digits and what is usual besides them.
fn is_plain_mail(text: &[u8]) -> bool {
    let Some(address) = text.strip_prefix(b"mailto:") else { return false };
    let is_usual = |&byte: &u8| byte.is_ascii_alphanumeric() || b"@.-_+".contains(&byte);
    address.iter().all(is_usual) && address.contains(&b'@')
}

/// Bytes of an authority in which no label can be too long.
const PLAIN_LEN_MAX: usize = 63;

/// Reports whether `text` begins with `http://` or `https://` and a host of letters, digits and
/// single dots and hyphens that is short and ends in a letter: then nothing is worth a look.
///
/// An address ends in a digit or a dot, an encoded label (RFC 5890 §2.3.1) has two hyphens
/// together, and a label that no host has shows by a separator next to another or at the start. A
/// host called like a scheme may be one. What follows the authority is data to these schemes.
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
    // A longer host was not seen to its end.
    let is_whole = len < PLAIN_LEN_MAX || rest.len() == len;
    let host = rest.get(..len).unwrap_or_default();
    let ends_in_letter = host.last().is_some_and(u8::is_ascii_alphabetic);
    seen & OTHER == 0
        && separators & separators >> 1 == 0
        && is_whole
        && ends_in_letter
        && !doubled::is_word(host)
}

// What bytes mean to somebody who passes over a plain host; 0 is part of a name. Bits, so
// that one pass without branches collects them.
/// A dot or a hyphen.
const SEPARATOR: u8 = 1;
/// Something to be looked at.
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
    lint_port(uri, warnings);
    if let Some(scheme) = known {
        if scheme.name == "mailto" {
            lint_addresses(uri, warnings);
        }
        control::lint(uri, scheme, warnings);
    }
}

fn warn(warnings: &mut Vec<Warning>, lint: &'static Lint, at: usize, message: impl Into<String>) {
    warnings.push(Warning { lint, at, message: message.into() });
}

/// RFC 3986 §3.2.1: what stands behind the first colon is a password, unless it is empty.
fn lint_userinfo(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let Some(userinfo) = uri.userinfo else { return };
    let colon = userinfo.of(uri.text).iter().position(|&byte| byte == b':');
    if let Some(colon) = colon
        && userinfo.start + colon + 1 < userinfo.end
    {
        let at = userinfo.start + colon + 1;
        warn(warnings, &PASSWORD, at, "a password stands here in clear");
    }
}

/// RFC 3986 §3.2.3 sets no limit; the field of TCP and UDP has 16 bits (RFC 9293 §3.1).
fn lint_port(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    if let Some(port) = uri.port
        && is_above(port.of(uri.text), b"65535")
    {
        warn(warnings, &PORT_RANGE, port.start, "the port is above 65535");
    }
}

/// True when `text` is digits and their number greater than that of `limit`, which has no
/// zeros in front.
fn is_above(text: &[u8], limit: &[u8]) -> bool {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    let digits = text.get(zeros..).unwrap_or_default();
    text.iter().all(u8::is_ascii_digit) && (digits.len(), digits) > (limit.len(), limit)
}

/// RFC 6068 §2: `to = addr-spec *("," addr-spec)`, and an addr-spec has an "@" that is not
/// escaped. No address at all is for the reader to fill in.
fn lint_addresses(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let mut at = uri.path.start;
    for address in uri.path.of(uri.text).split(|&byte| byte == b',') {
        if !address.is_empty() && !address.contains(&b'@') {
            return warn(warnings, &MAILTO_ADDRESS, at, "the address has no \"@\"");
        }
        at += address.len() + 1;
    }
}
