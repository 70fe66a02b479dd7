//! Decides which links archives on the network may learn.

use crate::grammar::split;
use crate::probe::guard::{Guard, Host};
use crate::uri::{Parameter, Redacted, names_secret, parameters, suffix, unescaped};

/// Names of parameters for keys, sessions and signatures, which let their bearer in as a password
/// does.
const KEYS: [&str; 17] = [
    "api-key",
    "api_key",
    "apikey",
    "authkey",
    "bearer",
    "jsessionid",
    "jwt",
    "phpsessid",
    "sas",
    "session-id",
    "session_id",
    "sessionid",
    "sig",
    "signature",
    "ticket",
    "x-amz-signature",
    "x-goog-signature",
];

/// The name of a parameter for sessions, and for numbers of stories, and the minimum length in
/// bytes of the former.
const SID: (&str, usize) = ("sid", 16);

/// Returns `link` without its user information; `None` if what remains has a secret in it.
pub(in crate::run) fn spoken(link: &[u8]) -> Option<Vec<u8>> {
    let uri = split(link);
    let (scheme, host) = (uri.scheme?, uri.host?);
    let rest = link.get(host.start..)?;
    let text = [scheme.of(link), b"://", rest].concat();
    let of_query = |it: Parameter<'_>| is_secret(it.name, it.value.unwrap_or_default());
    let holds_secret = parameters(rest).any(of_query)
        || path_parameters(rest).any(|(name, value)| is_secret(name, value))
        || Redacted::new(&text).hides_any();
    (!holds_secret).then_some(text)
}

/// Reports whether a parameter called `name`, which may have escapes, has a secret as its `value`.
fn is_secret(name: &[u8], value: &[u8]) -> bool {
    let name = unescaped(name);
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    let (sid, len_min) = SID;
    !value.is_empty()
        && (names_secret(&name)
            || KEYS.iter().any(|known| is(known))
            || is(sid) && value.len() >= len_min)
}

/// Returns the names and values of the parameters in the path of `rest`, as servers of Java write a
/// session: `/a;jsessionid=1` (RFC 3986 §3.3).
fn path_parameters(rest: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let len = memchr::memchr2(b'?', b'#', rest).unwrap_or(rest.len());
    let segments = rest.get(..len).unwrap_or(rest).split(|byte| *byte == b'/');
    let pieces = segments.flat_map(|segment| segment.split(|byte| *byte == b';').skip(1));
    pieces.filter_map(|piece| {
        let (name, value) = piece.split_at(memchr::memchr(b'=', piece)?);
        Some((name, value.get(1..).unwrap_or_default()))
    })
}

/// Returns the host of `uri`, if it has a valid one.
pub(in crate::run) fn host_of(uri: &[u8]) -> Option<Host> {
    Host::parse(split(uri).host?.of(uri)).ok()
}

/// Reports whether `host` is public: a public address, or a name below a suffix under which names
/// are registered (publicsuffix.org).
pub(in crate::run) fn is_public(host: &Host) -> bool {
    match host {
        Host::Address(address) => Guard::default().check_address(*address).is_ok(),
        Host::Name(name) => suffix::is_below_suffix(name),
    }
}

#[cfg(test)]
mod tests {
    use super::{host_of, is_public, spoken};

    #[test]
    fn users_and_secrets_are_not_spoken_of() {
        let case = |link: &str, wanted: Option<&str>| {
            let spoken = spoken(link.as_bytes());
            assert_eq!(spoken.as_deref(), wanted.map(str::as_bytes), "{link}");
        };
        case("http://h/a?b", Some("http://h/a?b"));
        case("http://user@h:81/a", Some("http://h:81/a"));
        case("http://user:secret@h/a", Some("http://h/a"));
        case("http://user:secret@[2001:db8::1]/a", Some("http://[2001:db8::1]/a"));
        case("http://h/?to=http://user:secret@g/", None);
        case("http://h/a?b=c&Password=hunter2", None);
        case("http://h/a?b=c&amp;api_key=1#d", None);
        case("http://h/a?access_token=1", None);
        case("http://h/a;jsessionid=1A2B", None);
        case("http://h/a;v=1;JSESSIONID=1A2B/b?c=d", None);
        case("http://h/a;v=1/b", Some("http://h/a;v=1/b"));
        case("http://h/a?session_id=1", None);
        case("http://h/a?authkey=!A1", None);
        case("http://h/a?p%61ssword=1", None);
        case("http://h/a?sid=0123456789abcdef", None);
        case("http://h/a?sid=42", Some("http://h/a?sid=42"));
        case("http://h/a?token=&key=b", Some("http://h/a?token=&key=b"));
        case("http:a", None);
    }

    #[test]
    fn names_of_sites_are_public_and_those_of_a_network_are_not() {
        let case = |uri: &str| host_of(uri.as_bytes()).is_some_and(|host| is_public(&host));
        for public in ["http://www.w3.org/", "http://a.co.uk/", "http://9.9.9.9/"] {
            assert!(case(public), "{public}");
        }
        for private in [
            "http://wiki/",
            "http://wiki.corp/",
            "http://localhost/",
            "http://printer.local/",
            "http://10.1.2.3/",
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://co.uk/",
            "http:",
        ] {
            assert!(!case(private), "{private}");
        }
    }
}
