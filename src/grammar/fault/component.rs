//! Finds the component that a fault is in, and describes each document's requirements on it.

use std::borrow::Cow;

use super::super::documents::{Era, Names, Route};
use super::super::split::split;
use crate::finding::{ByteSet, Rule};
use crate::scheme;
use crate::uri::Uri;

/// Reports whether faults in the component are named by the component, not by the character's
/// class.
pub(super) fn is_of_authority(id: &str) -> bool {
    matches!(id, "scheme" | "authority" | "userinfo" | "host" | "ip-literal" | "port")
}

/// Reports whether an authority ends at `at`, where a slash, a question mark or a hash would begin
/// the next component.
pub(super) fn ends_authority(text: &[u8], at: usize) -> bool {
    let uri = split(text);
    uri.port.or(uri.host).is_some_and(|span| span.end == at)
}

/// Reports whether the production has a user before its host.
pub(super) const fn takes_login(route: &Route) -> bool {
    matches!(route.names, Names::Ftp | Names::Login | Names::None | Names::Ambiguous)
}

/// Describes the document's requirement on the component that `rule` names.
pub(super) fn message(era: Era, route: &Route, rule: &'static Rule) -> Cow<'static, str> {
    if era == Era::Generic {
        return rule.about.into();
    }
    let about = match rule.id {
        "empty" => "a URL begins with a scheme",
        "scheme" if era == Era::Rfc1738 => "a scheme is letters, digits, +, - and ., then a colon",
        "scheme" => "a scheme is a letter, then characters of the class xalpha, then a colon",
        "host" | "ip-literal" => "a host is labels of letters, digits and hyphens, or four numbers",
        "port" if route.names == Names::File => return lacks(route, "port"),
        "port" => "a port is one digit or more",
        "authority" if route.scheme == "ftp" => "ftp:// is followed by a login and a slash",
        "authority" => {
            ":// is followed by a login if the scheme has one, a host and an optional port"
        }
        "userinfo" if !takes_login(route) => return lacks(route, "user information"),
        "userinfo" if era == Era::Rfc1630 => {
            "a user and a password are letters, digits, -, _, . and +, one at least, up to an @"
        }
        "userinfo" => "a user, and a password after a colon, end at an @",
        "pct-encoded" | "control" | "non-ascii" | "utf-8" => rule.about,
        id if id.ends_with("-character") => rule.about,
        _ => return of_names(route),
    };
    about.into()
}

/// Describes the requirement of a scheme's current document on a text that the generic grammar
/// accepts.
pub(super) fn of_scheme(route: &Route, rule: &'static Rule) -> Cow<'static, str> {
    match rule.id {
        "scheme" => format!("{} begins with a scheme of its own", route.rule).into(),
        "authority" => "the scheme is followed by // and a host".into(),
        "fragment" => lacks(route, "fragment"),
        "host" => lacks(route, "empty host"),
        "userinfo" => lacks(route, "user information"),
        "port" if route.names == Names::File => lacks(route, "port"),
        "query" if route.names == Names::Urn => {
            "a question mark begins ?+ and an r-component, or ?= and a q-component".into()
        }
        "query" if route.names == Names::Mailto6068 => {
            "the question mark is followed by fields name=value, separated by &".into()
        }
        "path" | "query" if route.names != Names::None => of_names(route),
        _ => rule.about.into(),
    }
}

/// Returns a message that the production lacks a part.
fn lacks(route: &Route, part: &str) -> Cow<'static, str> {
    let name = if route.scheme.is_empty() { route.rule } else { route.scheme };
    format!("{name} has no {part}").into()
}

/// Describes the text after the scheme or the host, in the production's own names.
fn of_names(route: &Route) -> Cow<'static, str> {
    let parts = match route.names {
        Names::None | Names::Ambiguous => return "the rule goes on otherwise".into(),
        Names::Generic93 => "path [? search] [# fragmentid]",
        Names::Http93 => "hostport [/ path] [? search]",
        Names::Ftp => "login / path, and a type in RFC 1630 and RFC 1738",
        Names::News => "*, a group, or an article with its host",
        Names::Nntp => "a group and an article number",
        Names::Mailto93 | Names::Mailto1738 | Names::Mailto6068 => "an address",
        Names::Login => "login",
        Names::Gopher93 | Names::Gopher1738 => "hostport [/ gtype selector]",
        Names::Wais93 => "database [? search], or database / wtype / digits / path",
        Names::Wais1630 => "database [? search], or database / wtype / fields \"n=…;\"",
        Names::Wais1738 => "database [? search], or database / wtype / wpath",
        Names::Prospero93 => "hsoname [%00 version] and %00 before each attribute",
        Names::Prospero1738 => "hsoname and fields \";name=value\"",
        Names::Mid | Names::Mid1630 => "an address without its brackets",
        Names::File => "[host] / path",
        Names::Urn => "NID : NSS, the NID of 2 to 32 letters, digits and inner hyphens",
        Names::Opaque => "characters of the class xchar",
    };
    let name = match (route.scheme, route.names) {
        ("", Names::Generic93 | Names::Opaque) => "the generic rule",
        ("", _) => "the scheme",
        (scheme, _) => scheme,
    };
    format!("{name} is followed by {parts}").into()
}

/// Returns the id of the component that contains a fault at `at`.
pub(super) fn component(
    text: &[u8],
    at: usize,
    expected: &ByteSet,
    end_expected: bool,
) -> &'static str {
    let taken = text.get(..at).unwrap_or_default();
    let in_first_name = !taken.iter().any(|byte| b":/?#".contains(byte));
    // The first segment of a relative reference could continue with a slash, a scheme could not.
    if in_first_name && !expected.has(b'/') {
        return "scheme";
    }
    let uri = split(text);
    let may_leave = end_expected || b"/?#".iter().any(|&byte| expected.has(byte));
    // Without a scheme before it, `://` begins no authority: `"http://h/`.
    let is_scheme = |text: &[u8]| {
        text.first().is_some_and(u8::is_ascii_alphabetic)
            && text.iter().all(|byte| scheme::is_scheme_byte(*byte))
    };
    let has_authority = uri.scheme.is_none_or(|scheme| is_scheme(scheme.of(text)));
    let authority_end = uri.port.or(uri.host).map(|span| span.end);
    if has_authority && authority_end.is_some_and(|end| at < end || at == end && !may_leave) {
        return authority_part(&uri, at);
    }
    // The delimiter belongs to the component: where it is refused, the whole component is.
    let reaches = |start: usize| at + 1 >= start;
    if uri.fragment.is_some_and(|span| reaches(span.start)) {
        "fragment"
    } else if uri.query.is_some_and(|span| reaches(span.start)) {
        "query"
    } else {
        "path"
    }
}

/// Returns the part of the authority that contains the offset `at` (RFC 3986 §3.2).
fn authority_part(uri: &Uri<'_>, at: usize) -> &'static str {
    if uri.userinfo.is_some_and(|span| at <= span.end) {
        return "userinfo";
    }
    if let Some(port) = uri.port.filter(|port| at + 1 >= port.start) {
        // Digits are never the fault of a port; the part before the colon is then no host.
        let is_number = port.of(uri.text).iter().all(u8::is_ascii_digit);
        let is_after = is_number && at >= port.start && port.start < port.end;
        return if is_after { "authority" } else { "port" };
    }
    let Some(host) = uri.host else { return "authority" };
    let bytes = host.of(uri.text);
    if bytes.first() != Some(&b'[') {
        return "host";
    }
    let close = bytes.iter().position(|&byte| byte == b']');
    if close.is_some_and(|close| at > host.start + close) { "authority" } else { "ip-literal" }
}
