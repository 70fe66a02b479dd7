//! Finds links whose text names a host other than their target's.
//!
//! A text names a host if it begins with `http://`, `https://` or `ftp://`, with `www.`, or with a
//! name like `example.org` and a slash: without the slash, `README.md` and `ASP.NET` would be
//! hosts. Names are compared without case, without `www.` before and a dot after them, and in
//! Punycode. A host above or below the other in the domain name system causes no warning: both
//! usually have the same owner. Domains where strangers register names side by side are an
//! exception, but no list of them is kept here.

use super::warn;
use crate::finding::Warning;
use crate::finding::lint::SHOWN_HOST;
use crate::grammar::split;
use crate::uri::unescaped;

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
    // Most texts have neither; without one of them, a text names no host.
    if memchr::memchr2(b'.', b':', shown).is_none() {
        return;
    }
    // Relative references have no host.
    let Some(host) = split(target).host.filter(|host| !host.is_empty()) else { return };
    let Some(shown) = shown_host(&String::from_utf8_lossy(shown)) else { return };
    let Some(goes) = name(&String::from_utf8_lossy(&unescaped(host.of(target)))) else { return };
    if !is_related(&shown, &goes) {
        let message = format!("the text of the link shows the host {shown}");
        warn(warnings, &SHOWN_HOST, host.start, message);
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
    let is_name = is_top && !front.is_empty() && word.get(end?..)?.starts_with('/');
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
