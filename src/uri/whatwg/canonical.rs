//! The fast path for URLs that are their own serialisation, as most are: one look at each byte, no
//! writer, and no states.
//!
//! It recognises special URLs other than `file`, with a host of US-ASCII or an IPv4 address, and
//! leaves everything else to the machine: credentials, IPv6 addresses, default ports, bytes that
//! are rewritten, and segments that may be dots.

use std::borrow::Cow;

use super::ipv4;
use super::machine::{AUTHORITY, class, may_be_ipv4};
use super::percent::{FRAGMENT, PATH, SPECIAL_QUERY};
use super::serialize::{Places, SchemeKind, Url};
use crate::span::Span;

/// Classes of the bytes of a path.
mod path {
    /// Ends the path.
    pub(super) const END: u8 = 1;
    /// Begins a segment.
    pub(super) const SLASH: u8 = 1 << 1;
    /// Is rewritten.
    pub(super) const ODD: u8 = 1 << 2;
    /// Begins a segment that may be dots (§4.3).
    pub(super) const DOT: u8 = 1 << 3;
}

static PATHS: [u8; 256] = path_classes();

const fn path_classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0_u8;
    loop {
        classes[byte as usize] = match byte {
            b'?' | b'#' => path::END,
            b'/' => path::SLASH,
            b'.' | b'%' => path::DOT,
            b'\\' => path::ODD,
            _ if PATH.has(byte) => path::ODD,
            _ => 0,
        };
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    classes
}

/// Returns the URL that `text` is, if the machine would return it unchanged; `None` where only the
/// machine can tell.
pub(super) fn url(text: &str) -> Option<Url<'_>> {
    let bytes = text.as_bytes();
    let mut places = authority(bytes)?;
    places.path = places.authority_end;
    let path_end = path_end(bytes, places.path)?;
    let mut mark = bytes.get(path_end);
    if mark == Some(&b'?') {
        places.query = Some(path_end);
        let rest = bytes.get(path_end + 1..)?;
        // A hash sign is in the set.
        let hash = rest.iter().position(|byte| SPECIAL_QUERY.has(*byte));
        mark = hash.and_then(|at| rest.get(at));
        if mark.is_some_and(|byte| *byte != b'#') {
            return None;
        }
        places.fragment = hash.map(|at| path_end + 1 + at);
    } else if mark.is_some() {
        places.fragment = Some(path_end);
    }
    if let Some(hash) = places.fragment {
        let rest = bytes.get(hash + 1..)?;
        if rest.iter().any(|byte| FRAGMENT.has(*byte)) {
            return None;
        }
    }
    Some(Url { href: Cow::Borrowed(text), places })
}

/// Reports whether `text` is a URL, as far as its authority tells; `false` where only the machine
/// can tell.
pub(super) fn is_url(text: &str) -> bool {
    authority(text.as_bytes()).is_some()
}

/// Returns the places up to the authority's end, if the machine would leave all of it unchanged.
#[inline]
fn authority(bytes: &[u8]) -> Option<Places> {
    let (scheme_len, port) = match bytes {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => (5, 443),
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => (4, 80),
        [b'f', b't', b'p', b':', b'/', b'/', ..] => (3, 21),
        [b'w', b's', b's', b':', b'/', b'/', ..] => (3, 443),
        [b'w', b's', b':', b'/', b'/', ..] => (2, 80),
        _ => return None,
    };
    let start = scheme_len + "://".len();
    let end = class_run(bytes, start, class::END | class::BACKSLASH | class::COLON | CHANGED);
    let host = bytes.get(start..end)?;
    if host.is_empty() || (may_be_ipv4(host) && !ipv4::is_canonical(host)) {
        return None;
    }
    let mut places = Places::new(SchemeKind::Special(port), scheme_len);
    places.host = Some(Span::new(start, end));
    places.user_end = start;
    places.authority_end = end;
    match bytes.get(end) {
        None | Some(b'/' | b'?' | b'#') => Some(places),
        Some(b':') => with_port(bytes, end + 1, places),
        Some(_) => None,
    }
}

/// Bytes of an authority that only the machine can judge.
const CHANGED: u8 = class::AT | class::ODD;

/// Returns the offset of the first byte from `start` on that is of one of the classes `stops`.
#[inline]
fn class_run(bytes: &[u8], start: usize, stops: u8) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let is_stop = |byte: &u8| AUTHORITY[usize::from(*byte)] & stops != 0;
    start + rest.iter().position(is_stop).unwrap_or(rest.len())
}

/// Adds the port whose digits begin at `start`, unless the machine would rewrite or refuse it.
fn with_port(bytes: &[u8], start: usize, mut places: Places) -> Option<Places> {
    let rest = bytes.get(start..)?;
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // Without leading zeros, a port has at most five digits.
    if !(1..=5).contains(&len) || rest.first() == Some(&b'0') {
        return None;
    }
    let number = rest.iter().take(len).fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
    let port = u16::try_from(number).ok()?;
    if !matches!(rest.get(len), None | Some(b'/' | b'?' | b'#'))
        || places.kind == SchemeKind::Special(port)
    {
        return None;
    }
    places.port = Some(port);
    places.authority_end = start + len;
    Some(places)
}

/// Returns the end of the path that begins at `start`, if the machine would leave it unchanged.
#[inline]
fn path_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    // An empty path becomes a slash.
    if rest.first() != Some(&b'/') {
        return None;
    }
    let mut is_begin = false;
    for (at, byte) in rest.iter().enumerate() {
        let class = PATHS[usize::from(*byte)];
        if class & (path::END | path::ODD) != 0 {
            return (class == path::END).then_some(start + at);
        }
        if is_begin && class == path::DOT {
            return None;
        }
        is_begin = class == path::SLASH;
    }
    Some(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{is_url, url};
    use crate::uri::whatwg::run;

    /// Pieces of which texts are put together, beside a blank: every class of byte of each part,
    /// and what lies at its limits.
    const PIECES: &str = concat!(
        "http https ftp ws wss file mailto HTTP :// :/ : // / h host.example Host 1 0 1.2.3.4 ",
        "255. 256 80 443 8080 65535 65536 0x1 a.b. . .. %2e % @ ? # \\ \t \n ' \" < ` { | ^ [::1] ",
        "[ ~ _ - \u{E9} \u{7F} \0 xn-- a=b&c ; *"
    );

    /// Texts for the comparison: enough that each of the recognised forms occurs thousands of
    /// times.
    const TEXTS: usize = 400_000;

    #[test]
    fn what_is_recognised_is_what_the_machine_returns() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).unwrap() % below
        };
        let pieces: Vec<&str> = PIECES.split(' ').chain([" "]).collect();
        let (mut urls, mut authorities) = (0, 0);
        for _ in 0..TEXTS {
            let is_web = next(4) > 0;
            let mut text =
                String::from(if is_web { ["http://h", "https://a.b"][next(2)] } else { "" });
            for _ in 0..next(8) {
                text.push_str(pieces[next(pieces.len())]);
            }
            let read = run(&text, None);
            if is_url(&text) {
                authorities += 1;
                assert!(read.is_ok(), "{text:?}");
            }
            if let Some(found) = url(&text) {
                urls += 1;
                let read = read.unwrap();
                assert_eq!((found.href(), found.places), (read.href(), read.places), "{text:?}");
            }
        }
        assert!(urls > TEXTS / 50 && authorities > TEXTS / 10, "{urls} {authorities}");
    }

    #[test]
    fn usual_urls_are_recognised() {
        let texts = [
            "https://www.example.com/a/b.html?q=1&r=%20#top",
            "http://h:8080/",
            "ws://h.x/~a",
            "ftp://192.0.2.255/a",
        ];
        texts.into_iter().for_each(|text| assert!(url(text).is_some(), "{text}"));
        for text in ["http://h", "http://h:80/", "http://192.0.2/", "http://h/a/../b", "file:///a"]
        {
            assert!(url(text).is_none(), "{text}");
        }
    }
}
