//! Parses the host of a URI in the same way for every scheme.
//!
//! Programs do not agree on what a host is: `127.1`, `0x7f.0.0.1` and `017700000001` are names to
//! some and addresses to others, and a program that checks with one parser and connects with
//! another lets attackers choose. Hosts are therefore parsed here only. The result is an address,
//! or a name that no program takes for an address; a host that only some programs take for an
//! address is refused. No untrusted text is ever passed to the system's own resolver.
//!
//! Syntax: RFC 3986 §3.2.2, RFC 6874 for zones, UTS 46 for names beyond US-ASCII, RFC 1034 §3.1 for
//! lengths. Other modules of the guard decide whether an address may be connected to.

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::argument;
use crate::finding::Class;
use crate::probe::Failure;

/// Maximum length of a host in bytes, as written in the URI: a name of 253 bytes (RFC 1034 §3.1),
/// each escaped in three bytes, and room for characters that the mapping removes.
const HOST_LEN_MAX: usize = 2048;

/// The host of a URI, parsed in the same way for every scheme.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// A name to look up, in lower case and US-ASCII (A-labels), without a final dot.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl Host {
    /// Parses the host component of a URI, including its brackets if it has them.
    ///
    /// Decodes escapes (RFC 3986 §3.2.2), converts names beyond US-ASCII to A-labels (UTS 46,
    /// without its transitional mapping) and letters to lower case, and drops a final dot.
    ///
    /// # Errors
    /// `PolicyAddress` if the host is empty, contains a byte that is not allowed in host names, or
    /// resembles an address that not all programs parse alike; `DnsNxdomain` if it is a name that
    /// cannot exist in the domain name system: with a label that is empty or too long, or that is
    /// not a valid internationalised name.
    pub fn parse(host: &[u8]) -> Result<Self, Failure> {
        if host.is_empty() {
            return Err(refuse("expected a host, found none"));
        }
        if host.len() > HOST_LEN_MAX {
            return Err(nameless("the host is longer than any name"));
        }
        if let Some(inside) = host.strip_prefix(b"[") {
            return literal(inside).map(|address| Self::Address(address.into()));
        }
        // RFC 3986 §3.2.2: four numbers without leading zeros. The standard library parses exactly
        // that syntax.
        let text = std::str::from_utf8(host).ok();
        if let Some(address) = text.and_then(|text| text.parse::<Ipv4Addr>().ok()) {
            return Ok(Self::Address(address.into()));
        }
        name(host).map(Self::Name)
    }

    /// Reports whether the host is `localhost` or a name below it, which is never looked up (RFC
    /// 6761 §6.3).
    #[must_use]
    pub fn is_localhost(&self) -> bool {
        match self {
            Self::Name(name) => name == "localhost" || name.ends_with(".localhost"),
            Self::Address(_) => false,
        }
    }

    /// Reports whether the host is a loopback address, including IPv4 within IPv6 (RFC 4291
    /// §2.5.5.2), or `localhost`; other names are not resolved.
    #[must_use]
    pub fn is_this_machine(&self) -> bool {
        match self {
            Self::Name(_) => self.is_localhost(),
            Self::Address(address) => address.to_canonical().is_loopback(),
        }
    }
}

/// Writes the host as in a URI and in HTTP's `Host` field: IPv6 in brackets (RFC 3986 §3.2.2).
impl fmt::Display for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => out.write_str(name),
            Self::Address(IpAddr::V4(address)) => write!(out, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(out, "[{address}]"),
        }
    }
}

/// Parses the text after `[`: an IPv6 address and `]`.
fn literal(inside: &[u8]) -> Result<Ipv6Addr, Failure> {
    let Some(text) = inside.strip_suffix(b"]").and_then(|text| std::str::from_utf8(text).ok())
    else {
        return Err(refuse("expected an IPv6 address in brackets"));
    };
    // RFC 6874: a zone has a meaning only on the machine that wrote it.
    if text.contains('%') {
        return Err(refuse("an IPv6 address with a zone means nothing to others"));
    }
    // RFC 3986 §3.2.2: only version 6 was ever defined.
    if text.starts_with(['v', 'V']) {
        return Err(refuse("addresses of this version are unknown"));
    }
    text.parse().map_err(|_| refuse("expected an IPv6 address in brackets"))
}

/// Converts a name to A-labels.
fn name(host: &[u8]) -> Result<String, Failure> {
    let decoded = argument::decoded(host);
    if memchr::memchr(b'%', host).is_some() && decoded.contains(&b'%') {
        return Err(refuse("the host has a percent sign that is no escape, or escapes one"));
    }
    if let Some(byte) = decoded.iter().find(|byte| is_forbidden(**byte)) {
        return Err(refuse(format!("a host name cannot contain the byte {byte:#04x}")));
    }
    if std::str::from_utf8(&decoded).is_err() {
        return Err(refuse("expected a host in UTF-8"));
    }
    // Also checked before the mapping, which drops and changes letters: a program with another
    // mapping may get a number where this one gets a name.
    let mapped = mapped(&decoded)?;
    let name = mapped.strip_suffix('.').unwrap_or(&mapped);
    if ends_in_a_number(name.as_bytes()) || ends_in_a_number(&decoded) {
        return Err(refuse("clients disagree whether this is an address or a name"));
    }
    if let Some(byte) = name.bytes().find(|byte| is_forbidden(*byte)) {
        return Err(refuse(format!("a host name cannot contain the byte {byte:#04x}")));
    }
    Ok(name.to_owned())
}

/// Maps a name by UTS 46 §4.2, and checks the lengths of RFC 1034 §3.1. The caller checks the
/// characters, before and after the mapping.
fn mapped(name: &[u8]) -> Result<Cow<'_, str>, Failure> {
    let lengths = DnsLength::VerifyAllowRootDot;
    Uts46::new()
        .to_ascii(name, AsciiDenyList::EMPTY, Hyphens::Allow, lengths)
        .map_err(|_| nameless("the domain name system can have no such name (RFC 1034 §3.1)"))
}

/// Reports whether `byte` is US-ASCII that is not allowed in host names. The underscore is allowed
/// (RFC 2181 §11).
fn is_forbidden(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"-._".contains(&byte)
}

/// Reports whether the last label is a number in any base that some resolver accepts (WHATWG URL
/// §3.5, "ends in a number"). No name ends in one, because no top-level domain is a number (RFC
/// 3696 §2).
fn ends_in_a_number(name: &[u8]) -> bool {
    let name = name.strip_suffix(b".").unwrap_or(name);
    let last = name.rsplit(|&byte| byte == b'.').next().unwrap_or(name);
    let is_digits = !last.is_empty() && last.iter().all(u8::is_ascii_digit);
    let hex = last.strip_prefix(b"0x").or_else(|| last.strip_prefix(b"0X"));
    is_digits || hex.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

fn refuse(message: impl Into<String>) -> Failure {
    Failure::new(Class::PolicyAddress, message)
}

fn nameless(message: &str) -> Failure {
    Failure::new(Class::DnsNxdomain, message)
}

#[cfg(test)]
mod tests {
    use super::Host;

    #[track_caller]
    fn case(host: &str, expected: &str) {
        let found = match Host::parse(host.as_bytes()) {
            Ok(host) => host.to_string(),
            Err(failure) => failure.class.row().name.to_owned(),
        };
        assert_eq!(found, expected, "{host}");
    }

    #[test]
    fn this_machine_has_many_names() {
        for (host, expected) in [
            ("127.0.0.1", true),
            ("127.9.9.9", true),
            ("[::1]", true),
            ("[::ffff:127.0.0.1]", true),
            ("localhost", true),
            ("a.localhost", true),
            ("10.0.0.1", false),
            ("[::ffff:10.0.0.1]", false),
            ("localhost.example", false),
        ] {
            let host = Host::parse(host.as_bytes()).unwrap();
            assert_eq!(host.is_this_machine(), expected, "{host}");
        }
    }

    #[test]
    fn a_name_is_one_name_in_every_spelling() {
        case("Example.ORG", "example.org");
        case("example.org.", "example.org");
        case("ex%61mple.org", "example.org");
        case("bücher.example", "xn--bcher-kva.example");
        case("b%C3%BCcher.example", "xn--bcher-kva.example");
        case("XN--BCHER-KVA.example", "xn--bcher-kva.example");
        case("ｅｘample。org", "example.org");
        case("foo_bar.example", "foo_bar.example");
    }

    #[test]
    fn an_address_is_what_everybody_reads_as_one() {
        case("127.0.0.1", "127.0.0.1");
        case("[::1]", "[::1]");
        case("[2001:DB8::1]", "[2001:db8::1]");
        for odd in ["127.1", "0x7f.1", "0177.0.0.1", "2130706433", "127.0.0.1.", "%31.2.3.4"] {
            case(odd, "policy-address");
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for odd in ["", "[::1", "[v1.x]", "[fe80::1%25eth0]", "a b", "a%00b", "a%2fb", "a%zz"] {
            case(odd, "policy-address");
        }
        case("a／b", "policy-address");
        case("a..b", "dns-nxdomain");
        case(".", "dns-nxdomain");
        case(&"a".repeat(64), "dns-nxdomain");
        case(&"a".repeat(5000), "dns-nxdomain");
    }
}
