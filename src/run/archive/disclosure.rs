//! Decides which links archives on the network may learn.

use crate::grammar::split;
use crate::probe::guard::{Guard, Host};
use crate::uri::{Redacted, holds_key, suffix};

/// Returns `link` without its user information; `None` if what remains has a secret in it.
pub(in crate::run) fn spoken(link: &[u8]) -> Option<Vec<u8>> {
    let uri = split(link);
    let (scheme, host) = (uri.scheme?, uri.host?);
    let rest = link.get(host.start..)?;
    let text = [scheme.of(link), b"://", rest].concat();
    let holds_secret = holds_key(rest) || Redacted::new(&text).hides_any();
    (!holds_secret).then_some(text)
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
