//! Sort-friendly keys of URIs, by which the indexes of web archives are sorted:
//! `https://www.Example.com/A?b` is `com,example)/a?b`.
//!
//! The indexes of Common Crawl and of the Internet Archive use the defaults of the Python package
//! `surt` 0.3.1, and their keys are looked up byte for byte. Peculiarities of that package are
//! therefore kept: `www.` and session identifiers are removed, everything is lower-cased, the
//! parameters of the query are sorted, and the default port of `ftp` is not removed.

mod path;
mod query;

use std::borrow::Cow;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::percent::escape;

/// The characters that end a label of a domain (RFC 3490 §3.1).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// The maximum length of a label (RFC 1034 §3.1); names with longer ones are not mapped.
const LABEL_LEN_MAX: usize = 63;

/// Returns the key of `uri`, or `None` if its port is not a number up to 65535, or it is blank.
///
/// A text without a scheme is read as an `http` URL without its beginning. A URI without a host
/// keeps its scheme: `urn:isbn:1`. User information and fragments are not part of a key. Passwords
/// are hidden by the caller, because malformed authorities become part of the host.
#[must_use]
pub fn surt(uri: &[u8]) -> Option<Vec<u8>> {
    if uri.is_empty() {
        return Some(b"-".to_vec());
    }
    if uri.starts_with(b"filedesc") {
        return Some(uri.to_vec());
    }
    let text = with_scheme(uri)?;
    let parts = Parts::of(&text)?;
    let mut key = Vec::with_capacity(text.len() + 1);
    let host = parts.host.as_deref().map(canonical_host).filter(|host| !host.is_empty());
    match host.as_deref() {
        Some(host) => {
            for (idx, label) in massaged(&parts, host).rsplit(|&byte| byte == b'.').enumerate() {
                key.extend_from_slice(if idx == 0 { b"" } else { b"," });
                key.extend_from_slice(label);
            }
            if let Some(port) = parts.port.filter(|&port| !parts.is_default(port)) {
                key.push(b':');
                key.extend_from_slice(port.to_string().as_bytes());
            }
            key.push(b')');
            key.extend_from_slice(&path::with_host(&parts.path));
        }
        None => {
            key.extend_from_slice(parts.scheme);
            key.push(b':');
            key.extend_from_slice(&path::alone(&parts.path));
        }
    }
    if let Some(query) = parts.query.map(query::canonical).filter(|query| !query.is_empty()) {
        if key.ends_with(b":") && parts.path.is_empty() {
            key.push(b'/');
        }
        key.push(b'?');
        key.extend_from_slice(&query);
    }
    Some(key)
}

/// Returns `uri` without surrounding white space and without line ends and tabs, with `http://`
/// before it if it has no scheme, and with the last of several `http://` in a row; `None` if it is
/// blank.
fn with_scheme(uri: &[u8]) -> Option<Cow<'_, [u8]>> {
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let start = uri.iter().position(|byte| !is_space(byte)).unwrap_or(uri.len());
    let end = uri.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    let inner = uri.get(start..end).unwrap_or_default();
    if inner.is_empty() {
        return None;
    }
    let mut text = Cow::Borrowed(inner);
    if memchr::memchr3(b'\n', b'\r', b'\t', inner).is_some() {
        text.to_mut().retain(|byte| !matches!(byte, b'\n' | b'\r' | b'\t'));
    }
    if scheme(&text).is_none() {
        text.to_mut().splice(..0, *b"http://");
    }
    let mut from = 0;
    let after = |from: usize| {
        let rest: &[u8] = text.get(from..)?;
        [&b"http://"[..], b"https://"].into_iter().find(|head| rest.starts_with(head))
    };
    while let Some(first) = after(from)
        && after(from + first.len()).is_some()
    {
        from += first.len();
    }
    if from > 0 {
        text.to_mut().drain(..from);
    }
    Some(text)
}

/// Returns the scheme of `text`.
fn scheme(text: &[u8]) -> Option<&[u8]> {
    let scheme = text.get(..memchr::memchr(b':', text)?)?;
    let is_legal = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    (scheme.first()?.is_ascii_alphabetic() && scheme.iter().all(is_legal)).then_some(scheme)
}

/// The parts of a URI that a key is made from.
struct Parts<'t> {
    scheme: &'t [u8],
    /// The host in lower case; `None` if it is absent or empty.
    host: Option<Cow<'t, [u8]>>,
    port: Option<u16>,
    /// The path; empty if it is absent.
    path: Cow<'t, [u8]>,
    /// The query, which is not empty.
    query: Option<&'t [u8]>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t [u8]) -> Option<Self> {
        let scheme = scheme(text)?;
        let rest = text.get(scheme.len() + 1..)?;
        let rest = split_at(rest, b"#").0;
        let (rest, query) = split_at(rest, b"?");
        let query = query.get(1..).filter(|query| !query.is_empty());
        let (authority, path) = match rest.strip_prefix(b"//") {
            Some(rest) => split_at(rest, b"/"),
            None => (&[][..], rest),
        };
        let (host, port) = host_and_port(authority)?;
        let parts = Self { scheme, host, port, path: Cow::Borrowed(path), query };
        Some(if parts.host.is_none() { parts.with_host_of_path() } else { parts })
    }

    /// Takes the host of web URLs from the path: `http:////www.example.com/`, `http:example.com`.
    fn with_host_of_path(self) -> Self {
        if !self.scheme.starts_with(b"http") || self.path.is_empty() {
            return self;
        }
        let start = self.path.iter().position(|&byte| byte != b'/').unwrap_or(self.path.len());
        let (host, rest) = split_at(self.path.get(start..).unwrap_or_default(), b"/");
        let path = if rest.is_empty() { b"/".to_vec() } else { rest.to_vec() };
        Self { host: Some(host.to_vec().into()), path: Cow::Owned(path), ..self }
    }

    /// Reports whether `port` is the default port of the scheme; only web URLs have one here.
    fn is_default(&self, port: u16) -> bool {
        let is = |name: &[u8]| self.scheme.eq_ignore_ascii_case(name);
        port == 80 && is(b"http") || port == 443 && is(b"https")
    }
}

/// Splits `text` before the first of `delimiters`; the second part is empty if there is none.
fn split_at<'t>(text: &'t [u8], delimiters: &[u8]) -> (&'t [u8], &'t [u8]) {
    text.split_at(text.iter().position(|byte| delimiters.contains(byte)).unwrap_or(text.len()))
}

/// A host, and a port.
type HostAndPort<'t> = (Option<Cow<'t, [u8]>>, Option<u16>);

/// Returns the host and the port of `authority`; `None` if the port is not a number up to 65535.
fn host_and_port(authority: &[u8]) -> Option<HostAndPort<'_>> {
    let end = authority.iter().rposition(|&byte| byte != b':').map_or(0, |last| last + 1);
    let authority = authority.get(..end)?;
    let after_user = memchr::memrchr(b'@', authority).map_or(0, |at| at + 1);
    let info = authority.get(after_user..)?;
    let (host, port) = match memchr::memchr(b'[', info) {
        Some(open) => {
            let (host, rest) = split_at(info.get(open + 1..)?, b"]");
            (host, split_at(rest, b":").1)
        }
        None => split_at(info, b":"),
    };
    // The zone of an address keeps its case.
    let (name, zone) = split_at(host, b"%");
    let host = if name.iter().any(u8::is_ascii_uppercase) {
        Cow::Owned([&*name.to_ascii_lowercase(), zone].concat())
    } else {
        Cow::Borrowed(host)
    };
    let port = match port.get(1..).filter(|port| !port.is_empty()) {
        None => None,
        Some(port) => Some(number(port)?).filter(|&port| port != 0),
    };
    Some((Some(host).filter(|host| !host.is_empty()), port))
}

/// Returns the value of `digits`, if they are decimal digits and a port.
fn number(digits: &[u8]) -> Option<u16> {
    let all_digits = digits.iter().all(u8::is_ascii_digit);
    str::from_utf8(digits).ok().filter(|_| all_digits)?.parse().ok()
}

/// Returns `host` without escapes, in US-ASCII and in lower case.
fn canonical_host(host: &[u8]) -> Cow<'_, [u8]> {
    if is_canonical_host(host) { Cow::Borrowed(host) } else { Cow::Owned(made_canonical(host)) }
}

/// Reports whether `host` is a name in lower case that is certainly its own canonical form.
fn is_canonical_host(host: &[u8]) -> bool {
    let is_legal = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    let mut last: &[u8] = b"";
    let are_labels = host.split(|&byte| byte == b'.').all(|label| {
        last = label;
        !label.is_empty() && label.iter().all(is_legal)
    });
    are_labels && !last.iter().all(u8::is_ascii_digit)
}

fn made_canonical(host: &[u8]) -> Vec<u8> {
    let host = to_ascii(unescaped(host).into_owned());
    let host = without_double_dots(&host);
    let start = host.iter().position(|&byte| byte != b'.').unwrap_or(host.len());
    let end = host.iter().rposition(|&byte| byte != b'.').map_or(start, |last| last + 1);
    let host = host.get(start..end).unwrap_or_default();
    match address(host) {
        Some(address) => address.into_bytes(),
        None => escaped(host.to_ascii_lowercase().into()).to_ascii_lowercase(),
    }
}

/// Maps a host with characters beyond US-ASCII by IDNA, and keeps it if it cannot be mapped.
///
/// The indexes map as of 2003: four characters become others, or nothing, as in the transitional
/// processing of UTS 46.
fn to_ascii(host: Vec<u8>) -> Vec<u8> {
    if host.is_ascii() {
        return host;
    }
    let valid = host.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    let mut name = String::new();
    for char in valid {
        match char {
            'ß' => name.push_str("ss"),
            'ς' => name.push('σ'),
            '\u{200C}' | '\u{200D}' => {}
            _ => name.push(char),
        }
    }
    let rest = name.strip_suffix(DOTS).unwrap_or(&name);
    let labels: Option<Vec<String>> = rest.split(DOTS).map(label_to_ascii).collect();
    match labels {
        _ if name.is_empty() => Vec::new(),
        Some(labels) => labels.join(".").into_bytes(),
        None => host,
    }
}

/// Maps a label; returns `None` if it is empty, too long or not allowed.
fn label_to_ascii(label: &str) -> Option<String> {
    let (any, hyphens, lengths) = (AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore);
    let mapped = if label.is_ascii() {
        label.to_owned()
    } else if label.starts_with("xn--") {
        return None;
    } else {
        Uts46::new().to_ascii(label.as_bytes(), any, hyphens, lengths).ok()?.into_owned()
    };
    (1..=LABEL_LEN_MAX).contains(&mapped.len()).then_some(mapped)
}

/// Replaces each pair of dots by one, once.
fn without_double_dots(host: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(host.len());
    let mut rest = host;
    while let [first, after @ ..] = rest {
        out.push(*first);
        rest = after.strip_prefix(b".").filter(|_| *first == b'.').unwrap_or(after);
    }
    out
}

/// Returns the canonical form of a host that is an IPv4 address in decimal or octal numbers.
fn address(host: &[u8]) -> Option<String> {
    let text = str::from_utf8(host).ok()?;
    let all = |text: &str, is_digit: fn(&u8) -> bool| {
        !text.is_empty() && text.as_bytes().iter().all(is_digit)
    };
    if all(text, u8::is_ascii_digit) {
        // One number is decimal, and only its last four bytes count.
        let value = text.bytes().fold(0_u32, |value, digit| {
            value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        });
        return Some(std::net::Ipv4Addr::from(value).to_string());
    }
    let numbers: Vec<&str> = text.split('.').collect();
    if numbers.len() > 4 || !numbers.iter().all(|number| all(number, u8::is_ascii_digit)) {
        return None;
    }
    let is_octal = |number: &&str| all(number, |byte| matches!(byte, b'0'..=b'7'));
    if text.starts_with('0') && !numbers.iter().all(is_octal) {
        return None;
    }
    let (last, heads) = numbers.split_last()?;
    let mut value = 0_u32;
    for head in heads {
        value = (value << 8) | u32::from(u8::try_from(part(head)?).ok()?);
    }
    let room = 32 - 8 * u32::try_from(heads.len()).ok()?;
    let last = part(last)?;
    let value = (u64::from(value) << room) | Some(last).filter(|last| last >> room == 0)?;
    Some(std::net::Ipv4Addr::from(u32::try_from(value).ok()?).to_string())
}

/// Returns the value of a number of an address, which is octal after a zero.
fn part(number: &str) -> Option<u64> {
    let radix = if number.starts_with('0') { 8 } else { 10 };
    u64::from_str_radix(number, radix).ok()
}

/// Returns `host` without its `www.` or `www` and a number, which `dns` keeps.
fn massaged<'h>(parts: &Parts<'_>, host: &'h [u8]) -> &'h [u8] {
    let Some(rest) = host.strip_prefix(b"www").filter(|_| parts.scheme != b"dns") else {
        return host;
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    rest.get(digits..).and_then(|rest| rest.strip_prefix(b".")).unwrap_or(host)
}

/// Decodes escapes until none is left: `%2541` is `A`.
fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', text).is_none() {
        return Cow::Borrowed(text);
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for &byte in text {
        out.push(byte);
        // A decoded byte may complete another escape.
        while let [.., b'%', high, low] = *out
            && let (Some(high), Some(low)) = (digit(high), digit(low))
        {
            out.truncate(out.len() - 3);
            out.push((high << 4) | low);
        }
    }
    Cow::Owned(out)
}

/// Escapes controls, spaces, `#`, `%` and everything beyond US-ASCII.
fn escaped(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let stays = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%');
    if text.iter().all(stays) {
        return text;
    }
    let mut out = Vec::with_capacity(text.len());
    for &byte in &*text {
        if stays(&byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(&escape(byte));
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{canonical_host, is_canonical_host, made_canonical, surt};

    const KEYS: &str = include_str!("../../corpus/grammar/surt.tsv");

    #[test]
    fn keys_are_those_of_the_indexes_of_web_archives() {
        let rows = KEYS.lines().filter(|line| !line.starts_with('#'));
        let mut count = 0;
        for row in rows {
            let (uri, key) = row.split_once('\t').unwrap();
            let found = surt(uri.as_bytes()).map(|key| String::from_utf8(key).unwrap());
            assert_eq!(found.as_deref().unwrap_or("none"), key, "{uri}");
            count += 1;
        }
        assert!(count > 90, "{count}");
    }

    #[test]
    fn line_ends_and_outer_white_space_are_not_part_of_a_key() {
        assert_eq!(surt(b" \x0bhttp://h.example/a\r\n\tb \x0c").unwrap(), b"example,h)/ab");
        assert_eq!(surt(b"").unwrap(), b"-");
        assert_eq!(surt(b" \t"), None);
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_escaped_in_paths_and_dropped_from_hosts() {
        assert_eq!(surt(b"http://h\xff.example/\xe9").unwrap(), b"example,h)/%e9");
    }

    #[test]
    fn hosts_that_are_kept_are_those_that_would_be_made() {
        let labels =
            ["a", "www", "1", "00", "-", "x-", "1a", "xn--e1a", "0x7f", "A", "", "%61", "é"];
        let mut kept = 0;
        for first in labels {
            for second in labels {
                for last in labels {
                    let host = format!("{first}.{second}.{last}");
                    kept += usize::from(is_canonical_host(host.as_bytes()));
                    let made = made_canonical(host.as_bytes());
                    assert_eq!(canonical_host(host.as_bytes()), made, "{host}");
                }
            }
        }
        assert_eq!(kept, 9 * 9 * 7);
    }

    #[test]
    fn nested_escapes_are_decoded_in_linear_time() {
        let uri = format!("http://h/%{}41", "25".repeat(200_000));
        assert!(surt(uri.as_bytes()).unwrap() == b"h)/a");
    }
}
