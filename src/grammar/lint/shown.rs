//! Finds links whose text names a host other than their target's.
//!
//! A text names a host if it begins with `http://`, `https://` or `ftp://`, with `www.`, or with a
//! name like `example.org` and a slash: without the slash, `README.md` and `ASP.NET` would be
//! hosts. Names are compared without case, without `www.` before and a dot after them, and in
//! Punycode. Names that end as files do show no host. A host above or below the other in the domain
//! name system causes no warning: both usually have the same owner. Domains where strangers
//! register names side by side are an exception, but no list of them is kept here.

use super::warn;
use crate::finding::Warning;
use crate::finding::lint::SHOWN_HOST;
use crate::grammar::split;
use crate::scheme::{self, Class};
use crate::uri::{Uri, unescaped};

/// Endings of files that are no top-level domains: no reader takes `package.json/` for a host.
const FILES: [&str; 39] = [
    "asp", "aspx", "bak", "cfg", "conf", "cpp", "css", "csv", "doc", "docx", "exe", "gif", "gz",
    "html", "htm", "ini", "jar", "java", "jpeg", "jpg", "js", "json", "jsp", "jsx", "lock", "log",
    "lua", "pdf", "php", "png", "svg", "toml", "ts", "tsx", "txt", "xml", "xls", "yaml", "yml",
];

/// Schemes that readers know.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// Appends a warning if `shown`, the visible text of a link to `target`, names a host other than
/// the target's.
///
/// ```
/// let mut warnings = Vec::new();
/// linktrawl::internal::grammar::lint_shown(b"http://a.example/", b"www.b.example", &mut warnings);
/// assert_eq!(warnings[0].lint.id, "shown-host");
/// assert_eq!(warnings[0].at, 7);
/// ```
pub fn lint_shown(target: &[u8], shown: &[u8], warnings: &mut Vec<Warning>) {
    if !may_show_host(shown) {
        return;
    }
    // Relative references have no host.
    let Some(host) = split(target).host.filter(|host| !host.is_empty()) else { return };
    let Some(shown) = shown_host(&String::from_utf8_lossy(shown)) else { return };
    let Some(goes) = name(&String::from_utf8_lossy(&unescaped(host.of(target)))) else { return };
    if !is_related(&shown, &goes) && !is_mirrored(target, &shown, &goes) {
        let message = format!("the text of the link shows the host {shown}");
        warn(warnings, &SHOWN_HOST, host.start, message);
    }
}

/// Reports whether `shown` may begin with a host: it has a dot or a colon, and a slash or `www`.
/// Most texts have not.
fn may_show_host(shown: &[u8]) -> bool {
    let is_www = |at: usize| shown.get(at + 1).is_some_and(|next| next | 0x20 == b'w');
    memchr::memchr2(b'.', b':', shown).is_some()
        && (memchr::memchr(b'/', shown).is_some()
            || memchr::memchr2_iter(b'w', b'W', shown).any(is_www))
}

/// Hosts that show what another host has, at paths with its address.
const MIRRORS: [&str; 9] = [
    "archive.is",
    "archive.li",
    "archive.md",
    "archive.ph",
    "archive.today",
    "archive.vn",
    "godoc.org",
    "pkg.go.dev",
    "web.archive.org",
];

/// Reports whether `target` is the address of `shown`, a host, at `goes`, one of [`MIRRORS`].
fn is_mirrored(target: &[u8], shown: &str, goes: &str) -> bool {
    let path = split(target).path.of(target);
    MIRRORS.contains(&goes)
        && path.split(|byte| *byte == b'/').any(|segment| {
            let segment = String::from_utf8_lossy(segment);
            without_port(&segment).and_then(name).is_some_and(|name| name == shown)
        })
}

/// Appends a warning if the user of `uri`, a link of the Web, reads as a host (RFC 3986 §7.6): it
/// begins with `www.`, or ends in a top-level domain that is no surname.
pub(super) fn lint_user(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    const TOPS: [&str; 7] = ["biz", "com", "edu", "gov", "info", "net", "org"];
    let (Some(scheme), Some(user)) = (uri.scheme, uri.userinfo) else { return };
    if scheme::find(scheme.of(uri.text)).is_none_or(|scheme| scheme.class != Class::Web) {
        return;
    }
    let text = unescaped(user.of(uri.text));
    let end = text.iter().position(|byte| b":/?#\\@".contains(byte)).unwrap_or(text.len());
    let first = String::from_utf8_lossy(text.get(..end).unwrap_or_default());
    let is_www = first.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    let top = first.rsplit_once('.').map(|(_, top)| top.to_ascii_lowercase());
    let is_host = is_www || top.is_some_and(|top| TOPS.contains(&&*top));
    let Some(shown) = name(&first).filter(|name| is_host && name.contains('.')) else { return };
    let host = uri.host.map(|host| host.of(uri.text)).unwrap_or_default();
    let goes = name(&String::from_utf8_lossy(&unescaped(host)));
    if goes.is_none_or(|goes| !is_related(&shown, &goes)) {
        warn(warnings, &SHOWN_HOST, user.start, "the user reads as the address of another host");
    }
}

/// Returns the host with which `text` begins.
fn shown_host(text: &str) -> Option<String> {
    // Quotes, brackets and arrows may precede an address.
    let text = text.trim_start_matches(|first: char| !first.is_alphanumeric());
    let word = text.split(char::is_whitespace).next()?;
    let scheme = word.split_once("://");
    let is_url = scheme
        .is_some_and(|(scheme, _)| SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)));
    let word = scheme.filter(|_| is_url).map_or(word, |(_, after)| after);
    let is_www = word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    let end = word.find(['/', '?', '#', '\\']);
    let authority = word.get(..end.unwrap_or(word.len()))?;
    let host = match authority.rsplit_once('@') {
        Some((_, host)) if is_url => host,
        Some(_) => return None,
        None => authority,
    };
    let host = without_port(host)?;
    if is_url || is_www {
        let host = if end.is_none() { whole(host)? } else { host };
        return name(host).filter(|name| is_url || name.contains('.'));
    }
    // A name ends in letters, as those of the domain name system do.
    let (front, top) = host.rsplit_once('.')?;
    let is_top = top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_file = || FILES.iter().any(|ending| top.eq_ignore_ascii_case(ending));
    let is_name = is_top && !is_file() && !front.is_empty() && word.get(end?..)?.starts_with('/');
    is_name.then(|| name(host)).flatten()
}

/// Returns `host` without its port; `None` if something else follows its colon.
fn without_port(host: &str) -> Option<&str> {
    let Some((host, port)) = host.split_once(':') else { return Some(host) };
    // The colon may be punctuation of the text.
    port.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_punctuation()).then_some(host)
}

/// Returns `host` without punctuation that ends a sentence; `None` if its end is not shown.
fn whole(host: &str) -> Option<&str> {
    let is_cut = host.ends_with("..") || host.contains('\u{2026}');
    let is_inside = |last: char| last.is_alphanumeric() || last == '-';
    (!is_cut).then(|| host.trim_end_matches(|last: char| !is_inside(last)))
}

/// Returns the name of `host` in the domain name system, without `www.`; `None` if it is no name.
/// The result has only letters, digits, hyphens, underscores and dots of US-ASCII.
fn name(host: &str) -> Option<String> {
    let name = ascii(host)?;
    let name = name.strip_suffix('.').unwrap_or(&name);
    let name = name.strip_prefix("www.").unwrap_or(name);
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (!name.is_empty() && name.bytes().all(is_usual)).then(|| name.to_owned())
}

/// Returns the form of `host` in US-ASCII.
#[cfg(feature = "idn")]
fn ascii(host: &str) -> Option<String> {
    idna::domain_to_ascii(host).ok()
}

/// Returns the form of `host` in US-ASCII, if it has no other characters.
#[cfg(not(feature = "idn"))]
fn ascii(host: &str) -> Option<String> {
    host.is_ascii().then(|| host.to_ascii_lowercase())
}

/// Reports whether the hosts are equal, or one is above the other.
fn is_related(one: &str, other: &str) -> bool {
    let is_below = |below: &str, above: &str| {
        above.contains('.') && below.strip_suffix(above).is_some_and(|rest| rest.ends_with('.'))
    };
    one == other || is_below(one, other) || is_below(other, one)
}

#[cfg(test)]
mod tests {
    use super::lint_shown;

    #[test]
    fn a_reference_without_slashes_has_no_host() {
        for target in ["", "a/b", "#a", "?a", "/a/b", "mailto:a@b.example", "http:/a/b", "a:b"] {
            for shown in ["www.b.example/", "https://b.example", "b.example/a"] {
                let mut warnings = Vec::new();
                lint_shown(target.as_bytes(), shown.as_bytes(), &mut warnings);
                assert_eq!(warnings, [], "{target} shown as {shown}");
                lint_shown(b"//a.example/", shown.as_bytes(), &mut warnings);
                assert_eq!(warnings.len(), 1, "{shown}");
            }
        }
    }
}
