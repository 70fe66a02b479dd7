//! Reads the parts that the formats of several gateways share.

use std::borrow::Cow;

use memchr::memmem;

use super::Unknown;
use crate::scheme::{self, Class};
use crate::uri::{
    Gateway, Parameter, Wrapper, before_parameter, escape, parameters, remains, unescaped,
};

/// Returns the value of the parameter that holds the link, still encoded.
pub(super) fn value<'t>(wrapper: &Wrapper<'t>) -> Result<&'t [u8], Unknown> {
    let value_of = |wanted: &&str| {
        let mut named = parameters(wrapper.rest)
            .filter(|parameter| parameter.name.eq_ignore_ascii_case(wanted.as_bytes()));
        named.find_map(|parameter| parameter.value.filter(|value| !value.is_empty()))
    };
    wrapper.gateway.parameters().iter().find_map(value_of).ok_or(Unknown::Missing)
}

/// Returns the link in a parameter, whose value is escaped as in any query (RFC 3986 §2.1).
pub(super) fn parameter(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    value(wrapper).map(|value| unescaped(value).into_owned())
}

/// Returns the link in a parameter that others of the gateway follow. If its own ampersands are not
/// escaped, it ends before the first of `others`.
pub(super) fn parameter_before(wrapper: &Wrapper<'_>, others: &[&str]) -> Result<Vec<u8>, Unknown> {
    let value = value(wrapper)?;
    if memmem::find(value, b"://").is_none() {
        return Ok(unescaped(value).into_owned());
    }
    let rest = from_value(wrapper, value);
    // A parameter of the link may have the name of one of the gateway's.
    let signed = remains(rest).filter(|found| found.gateway == wrapper.gateway);
    let whole = match signed {
        Some(found) => rest.get(..found.end).unwrap_or(rest),
        None => before_parameter(rest, others),
    };
    let is_one = whole.len() <= value.len();
    Ok(if is_one { unescaped(value).into_owned() } else { without_references(whole) })
}

/// Reports whether the link is at the end of the wrapper: in its last parameter, or in its path.
pub(super) fn ends_in_link(wrapper: &Wrapper<'_>) -> bool {
    let names = wrapper.gateway.parameters();
    let is_of_link = |parameter: Parameter<'_>| {
        names.iter().any(|name| parameter.name.eq_ignore_ascii_case(name.as_bytes()))
    };
    match parameters(wrapper.rest).last() {
        Some(last) if !last.name.is_empty() => is_of_link(last),
        _ => wrapper.gateway == Gateway::Cisco,
    }
}

/// Returns the link in the last parameter. If it is not escaped, it is the rest of the URL as it
/// is, unless a parameter of the gateway follows, one of `others`, that is not before it.
pub(super) fn last_parameter(wrapper: &Wrapper<'_>, others: &[&[u8]]) -> Result<Vec<u8>, Unknown> {
    let value = value(wrapper)?;
    let all: Vec<Parameter<'_>> = parameters(wrapper.rest).collect();
    let own = all.iter().position(|parameter| parameter.value == Some(value)).unwrap_or_default();
    let has = |list: Option<&[Parameter<'_>]>, name: &[u8]| {
        let mut list = list.unwrap_or_default().iter();
        list.any(|parameter| parameter.name.eq_ignore_ascii_case(name))
    };
    let is_last = |name: &&[u8]| has(all.get(..own), name) || !has(all.get(own + 1..), name);
    if !others.iter().all(is_last) || memmem::find(value, b"://").is_none() {
        return Ok(unescaped(value).into_owned());
    }
    Ok(without_references(from_value(wrapper, value)))
}

/// Returns the rest of the URL from `value`, that of one of its parameters, on.
pub(super) fn from_value<'t>(wrapper: &Wrapper<'t>, value: &'t [u8]) -> &'t [u8] {
    let own = parameters(wrapper.rest).find(|parameter| parameter.value == Some(value));
    let start = own.map_or(0, |parameter| parameter.start);
    let rest = wrapper.rest.get(start..).unwrap_or_default();
    let at = memmem::find(rest, value).unwrap_or_default();
    rest.get(at..).unwrap_or(value)
}

/// Returns `link` with ampersands in place of the references to them, as HTML writes them.
pub(super) fn without_references(link: &[u8]) -> Vec<u8> {
    const REFERENCE: &[u8] = b"&amp;";
    let mut out = Vec::with_capacity(link.len());
    let mut rest = link;
    while let Some(at) = memmem::find(rest, REFERENCE) {
        out.extend_from_slice(rest.get(..=at).unwrap_or_default());
        rest = rest.get(at + REFERENCE.len()..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out
}

/// Refuses to read a URL that has a token in place of the link.
pub(super) const fn opaque(_: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    Err(Unknown::Opaque)
}

/// Returns `link`, if its scheme wants an authority, with the second slash after that, which some
/// programs drop where a URI is in the path of another.
pub(super) fn with_slashes(mut link: Vec<u8>) -> Vec<u8> {
    let name = link.get(..scheme::name_len(&link)).unwrap_or_default();
    let has_authority = scheme::find(name)
        .is_some_and(|scheme| matches!(scheme.class, Class::Web | Class::Authority));
    let slash = name.len() + 1;
    if has_authority
        && link.get(slash) == Some(&b'/')
        && link.get(slash + 1).is_some_and(|next| *next != b'/')
    {
        link.insert(slash, b'/');
    }
    link
}

/// Maximum number of escapes around one link that are decoded: programs that forward a wrapper
/// escape it again.
const ESCAPES_MAX: usize = 3;

/// Returns `link` without what programs added to its beginning: an equals sign in quoted-printable
/// whose first character ended the name of the parameter, and further escapes, which its colon has
/// if all of it has them. No URI begins with either.
fn whole(link: &[u8]) -> Cow<'_, [u8]> {
    const EQUALS: &[u8] = b"3D";
    let begins = |start: &[u8]| link.get(..start.len()) == Some(start);
    let mut link =
        Cow::Borrowed(if begins(EQUALS) { link.get(2..).unwrap_or_default() } else { link });
    for _ in 0..ESCAPES_MAX {
        let letters = link.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let after = link.get(letters..).unwrap_or_default();
        let is_escaped = [&b"%3A"[..], b"%3a", b"%25"].iter().any(|it| after.starts_with(it));
        if letters == 0 || !is_escaped {
            break;
        }
        link = Cow::Owned(unescaped(&link).into_owned());
    }
    link
}

/// Reports whether `link` is the scheme of a page and nothing but slashes: it was cut.
fn is_bare(scheme: &[u8], link: &[u8]) -> bool {
    let rest = link.get(scheme.len() + 1..).unwrap_or_default();
    scheme::is_http(scheme) && rest.iter().all(|byte| *byte == b'/')
}

/// Returns `link`, decoded, if it is a URI with a scheme and without control characters. Blanks
/// around it are no part of it, and bytes that are not UTF-8 are escaped again.
pub(super) fn uri(link: &[u8]) -> Result<Vec<u8>, Unknown> {
    let link = &*whole(link.trim_ascii());
    let scheme = link.get(..scheme::name_len(link)).unwrap_or_default();
    // `h.example:80` has the form of a scheme, and is a host.
    let is_host = memchr::memchr(b'.', scheme).is_some() && scheme::find(scheme).is_none();
    if scheme.is_empty() || is_host || is_bare(scheme, link) {
        return Err(Unknown::NoUri);
    }
    let mut out = String::with_capacity(link.len());
    for chunk in link.utf8_chunks() {
        if chunk.valid().chars().any(char::is_control) {
            return Err(Unknown::Control);
        }
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.extend(escape(*byte).map(char::from));
        }
    }
    Ok(out.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Unknown, uri, with_slashes};

    #[test]
    fn a_link_is_a_uri_in_printable_text() {
        let case = |text: &[u8], wanted: Result<&str, Unknown>| {
            assert_eq!(uri(text), wanted.map(|it| it.as_bytes().to_vec()), "{text:?}");
        };
        case(b" http://h/ ", Ok("http://h/"));
        case(b"javascript:a", Ok("javascript:a"));
        case("http://h/\u{e9}".as_bytes(), Ok("http://h/\u{e9}"));
        case(b"http://h/\xe9", Ok("http://h/%E9"));
        case(b"www.h.example/", Err(Unknown::NoUri));
        case(b"h.example:80/", Err(Unknown::NoUri));
        case(b"https%3A%2F%2Fh%2F%25", Ok("https://h/%"));
        case(b"https%253a//h/%2541", Ok("https://h/A"));
        case(b"3Dhttp://h/", Ok("http://h/"));
        case(b"https%2525253A//h/", Err(Unknown::NoUri));
        case(b"%3A//h/", Err(Unknown::NoUri));
        case(b"3D", Err(Unknown::NoUri));
        case(b"https:", Err(Unknown::NoUri));
        case(b"HTTPS:/", Err(Unknown::NoUri));
        case(b"https://", Err(Unknown::NoUri));
        case(b"", Err(Unknown::NoUri));
        case(b"http://h/\0", Err(Unknown::Control));
        case("http://h/\u{9b}".as_bytes(), Err(Unknown::Control));
    }

    #[test]
    fn the_second_slash_comes_back() {
        let case = |text: &[u8], wanted: &[u8]| assert_eq!(with_slashes(text.to_vec()), wanted);
        case(b"https:/h/", b"https://h/");
        case(b"https://h/", b"https://h/");
        case(b"sftp:/h/", b"sftp://h/");
        case(b"LDAP:/h/", b"LDAP://h/");
        case(b"x-a:/h/", b"x-a:/h/");
        case(b"mailto:/a@h", b"mailto:/a@h");
        case(b"file:/a", b"file:/a");
        case(b"https:/", b"https:/");
    }
}
