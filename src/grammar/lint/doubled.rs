//! Finds a scheme that is written twice, usually because a link was pasted after `http://`.
//!
//! The second scheme becomes the host (`http://https://h.example/`), the end of the host
//! (`http://a.examplehttp://b.example/`), the path (`http:http://h.example/`) or the address
//! (`mailto:mailto:a@h.example`). A host called `http` with a path of its own gives no warning, nor
//! does a URI as the path of another, as in the addresses of web archives.

use super::{is_above, warn};
use crate::finding::Warning;
use crate::finding::lint::DOUBLED_SCHEME;
use crate::scheme;
use crate::span::Span;
use crate::uri::{Uri, unescaped};

/// Names found in place of a host, in full and with a letter lost in pasting.
const WORDS: [&str; 14] = [
    "http", "https", "ftp", "ftps", "ws", "wss", "file", "ttp", "ttps", "htp", "htps", "htttp",
    "htttps", "hhtp",
];

/// Schemes that begin a link glued to the end of a host; a longer one precedes its own ending.
const GLUED: [&[u8]; 4] = [b"https", b"http", b"ftps", b"ftp"];

/// Schemes followed by an address or a name, never by a URI of the same scheme.
const OPAQUE: [&str; 12] =
    ["doi", "geo", "magnet", "mailto", "news", "sip", "sips", "skype", "sms", "tel", "urn", "xmpp"];

/// Schemes followed by the number of a telephone, which is no port.
const PHONES: [&str; 4] = ["callto", "fax", "sms", "tel"];

/// Schemes of which one is written before another by mistake: a form asked for an address, and put
/// its own scheme before.
const ADDRESSES: [&str; 4] = ["doi", "mailto", "sms", "tel"];

pub(super) fn lint(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let Some(name) = uri.scheme else { return };
    let first = name.of(uri.text);
    if !first.iter().all(|byte| scheme::is_scheme_byte(*byte)) {
        return;
    }
    let found = match uri.host {
        Some(host) => in_user(uri).or_else(|| in_host(uri, host)).or_else(|| after_host(uri, host)),
        None => in_path(uri, first),
    };
    if let Some((at, second)) = found {
        let first = String::from_utf8_lossy(first).to_lowercase();
        let message = format!("the scheme \"{second}\" follows the scheme \"{first}\"");
        warn(warnings, &DOUBLED_SCHEME, at, message);
    }
}

/// Reports whether `host` alone, or after `www.`, may be a second scheme. Most hosts are longer
/// than any of them.
pub(super) fn is_word(host: &[u8]) -> bool {
    // The longest word, after `www.`.
    host.len() <= 10 && {
        let word = without_www(host);
        WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    }
}

/// Returns `host` without `www.` before it.
fn without_www(host: &[u8]) -> &[u8] {
    let prefix = host.get(..4).filter(|head| head.eq_ignore_ascii_case(b"www."));
    prefix.and_then(|prefix| host.get(prefix.len()..)).unwrap_or(host)
}

/// Returns offset and name of the scheme of an address of mail that is the user of a URL: content
/// managers put `http://` before anything, `http://mailto:a@b.example`.
fn in_user(uri: &Uri<'_>) -> Option<(usize, String)> {
    let user = uri.userinfo?;
    let word = without_www(user.of(uri.text));
    let is_scheme = word.get(..7).is_some_and(|head| head.eq_ignore_ascii_case(b"mailto:"));
    is_scheme.then(|| (user.end - word.len(), "mailto".to_owned()))
}

/// Returns offset and name of a scheme in place of the host.
fn in_host(uri: &Uri<'_>, host: Span) -> Option<(usize, String)> {
    let bytes = unescaped(host.of(uri.text));
    // `http://https%3A//` and `http://https;//` lost their colon; `http://www.http://` gained a
    // label.
    let word = bytes.strip_suffix(b":").or_else(|| bytes.strip_suffix(b";")).unwrap_or(&bytes);
    let is_ended = word.len() < bytes.len();
    let word = without_www(word);
    let path = uri.path.of(uri.text);
    let has_colon = is_ended || uri.port.is_some_and(|port| !is_number(port.of(uri.text)));
    let is_port = uri.port.is_some_and(|port| is_number(port.of(uri.text)));
    let has_slashes = path.starts_with(b"//") && !is_port;
    let is_known = || scheme::find(word).is_some();
    let is_scheme = is_word(word) && (has_colon || has_slashes || begins_with_host(path))
        || has_colon && has_slashes && is_known()
        || uri.port.is_some_and(|port| is_above(port.of(uri.text), b"65535"))
            && PHONES.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
    is_scheme.then(|| (host.start, String::from_utf8_lossy(word).to_lowercase()))
}

/// Returns offset and name of a scheme at the end of the host, whose colon and slashes are an empty
/// port and the beginning of the path.
fn after_host(uri: &Uri<'_>, host: Span) -> Option<(usize, String)> {
    let is_followed =
        uri.port.is_some_and(Span::is_empty) && uri.path.of(uri.text).starts_with(b"//");
    let ends = |name: &[u8]| {
        let at = host.end.checked_sub(name.len()).filter(|at| *at > host.start)?;
        let end = Span::new(at, host.end).of(uri.text);
        end.eq_ignore_ascii_case(name).then_some(at)
    };
    let mut found = GLUED.iter().filter(|_| is_followed);
    found.find_map(|name| Some((ends(name)?, String::from_utf8_lossy(name).into_owned())))
}

/// Reports whether `port` is a number, and thus belongs to a real host.
fn is_number(port: &[u8]) -> bool {
    !port.is_empty() && port.iter().all(u8::is_ascii_digit)
}

/// Reports whether the first segment of `path` is a name such as `www.h.example`.
fn begins_with_host(path: &[u8]) -> bool {
    let Some(rest) = path.strip_prefix(b"/") else { return false };
    let segment = rest.split(|&byte| byte == b'/').next().unwrap_or_default();
    let is_www = segment.get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"www."));
    is_www && segment.len() > 4
}

/// Returns offset and name of a scheme that begins the path.
fn in_path(uri: &Uri<'_>, first: &[u8]) -> Option<(usize, String)> {
    let path = uri.path.of(uri.text);
    let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
    let rest = path.get(slashes..)?;
    let colon = rest.iter().position(|&byte| byte == b':')?;
    let (second, after) = rest.split_at_checked(colon)?;
    let is_web = is_word(first) && is_word(second) && after.starts_with(b":/");
    let is_opaque = slashes == 0
        && first.eq_ignore_ascii_case(second)
        && OPAQUE.iter().any(|name| first.eq_ignore_ascii_case(name.as_bytes()));
    let is_address =
        |name: &[u8]| ADDRESSES.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()));
    let is_mistaken = slashes == 0
        && is_address(first)
        && (is_address(second) || is_word(second) && after.starts_with(b"://"));
    (is_web || is_opaque || is_mistaken)
        .then(|| (uri.path.start + slashes, String::from_utf8_lossy(second).to_lowercase()))
}
