//! Decides at which ports a scheme is probed.
//!
//! A port of the author's choice turns a client of one protocol into a client of another: a gopher
//! link at port 25 speaks SMTP. Every scheme has its own ports; the web has many, without those
//! that browsers refuse.

use crate::finding::Class;
use crate::probe::Failure;
use crate::scheme;

/// The ports of schemes that have more than the one in the table of schemes.
const OF_SCHEMES: &[(&str, &[u16])] = &[
    // RFC 959, and the port of implicit TLS in RFC 4217 §2.1.
    ("ftp", &[21, 990]),
    ("ftps", &[21, 990]),
    // RFC 3977 §3.1, and the port of implicit TLS in RFC 8143 §3.
    ("news", &[119, 563]),
    ("nntp", &[119, 563]),
    ("nntps", &[119, 563]),
    ("snews", &[119, 563]),
];

/// The ports of the web below `USER_PORT`; above it, the web is probed at nearly every port.
const WEB_LOW: [u16; 2] = [80, 443];
/// The lowest port at which any user's program may listen (RFC 6335 §6).
const USER_PORT: u16 = 1024;
/// The ports above 1023 that browsers refuse (WHATWG Fetch, "bad port").
const BAD: [u16; 19] = [
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
    6679, 6697, 10080,
];

/// Reports whether links of `scheme` are probed at `port`, whatever their address.
#[must_use]
pub fn is_usual(scheme: &str, port: u16) -> bool {
    let known = scheme::find(scheme.as_bytes());
    if known.is_some_and(|known| known.class == scheme::Class::Web) {
        return WEB_LOW.contains(&port) || (port >= USER_PORT && !BAD.contains(&port));
    }
    match OF_SCHEMES.iter().find(|(name, _)| *name == scheme) {
        Some((_, ports)) => ports.contains(&port),
        None => default(scheme) == Some(port),
    }
}

/// Returns the port of a link of `scheme` that names none.
#[must_use]
pub fn default(scheme: &str) -> Option<u16> {
    scheme::find(scheme.as_bytes()).and_then(|scheme| scheme.port)
}

/// Parses the port component of a link of `scheme`. An empty one means the scheme's default port
/// (RFC 3986 §3.2.3).
///
/// # Errors
/// `PolicyPort` if the component is no valid port number, or is missing and the scheme has no
/// default.
pub fn read(scheme: &str, port: Option<&[u8]>) -> Result<u16, Failure> {
    let refuse = |message: String| Failure::new(Class::PolicyPort, message);
    let Some(digits) = port.filter(|port| !port.is_empty()) else {
        return default(scheme).ok_or_else(|| refuse(format!("{scheme} has no port of its own")));
    };
    let number = digits.iter().try_fold(0_u32, |sum, byte| {
        let digit = char::from(*byte).to_digit(10)?;
        Some(sum.saturating_mul(10).saturating_add(digit))
    });
    let port = number.and_then(|number| u16::try_from(number).ok()).filter(|port| *port > 0);
    port.ok_or_else(|| refuse("expected a port from 1 to 65535".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{is_usual, read};

    #[test]
    fn each_scheme_has_its_ports() {
        for (scheme, port) in [
            ("http", 80),
            ("http", 443),
            ("https", 8443),
            ("http", 8080),
            ("http", 1024),
            ("http", 65535),
            ("ftp", 21),
            ("gopher", 70),
            ("nntp", 563),
            ("telnet", 23),
            ("rlogin", 513),
            ("wais", 210),
            ("prospero", 1525),
        ] {
            assert!(is_usual(scheme, port), "{scheme} {port}");
        }
        for (scheme, port) in [
            ("http", 25),
            ("http", 22),
            ("http", 6667),
            ("http", 10080),
            ("http", 0),
            ("ftp", 22),
            ("gopher", 25),
            ("gopher", 80),
            ("gopher", 8080),
            ("nntp", 25),
            ("telnet", 25),
            ("mailto", 25),
            ("file", 80),
            ("nonsense", 80),
        ] {
            assert!(!is_usual(scheme, port), "{scheme} {port}");
        }
    }

    #[test]
    fn a_port_is_read_as_a_number() {
        assert_eq!(read("http", None), Ok(80));
        assert_eq!(read("http", Some(b"")), Ok(80));
        assert_eq!(read("gopher", Some(b"0070")), Ok(70));
        for odd in ["0", "65536", "99999999999999999999", "8x", "+80", "-1", "%38"] {
            assert!(read("http", Some(odd.as_bytes())).is_err(), "{odd}");
        }
        assert!(read("mailto", None).is_err());
    }
}
