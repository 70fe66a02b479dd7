//! Networks: an address and a prefix length (RFC 4632 §3.1, RFC 4291 §2.3).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use crate::error::Error;

/// A network, whose address has no bits after the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Returns the IPv4 network of `octets` with a prefix of `len` bits.
    pub(super) const fn v4(octets: [u8; 4], len: u8) -> Self {
        let [a, b, c, d] = octets;
        Self(IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), len)))
    }

    /// Returns the IPv6 network whose first groups are `groups`, with a prefix of `len` bits.
    pub(super) const fn v6(groups: [u16; 4], len: u8) -> Self {
        let [a, b, c, d] = groups;
        Self(IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), len)))
    }

    /// Reports whether the network contains `address`. An IPv4-mapped IPv6 address (RFC 4291
    /// §2.5.5.2) counts as the IPv4 address, because the system connects to that.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl fmt::Display for Network {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Parses `10.0.0.0/8`, `fd00::/8`, or a single address.
impl FromStr for Network {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = |reason: String| Error::Network { text: text.to_owned(), reason };
        let (address, len) = text.split_once('/').map_or((text, None), |(a, len)| (a, Some(len)));
        let first: IpAddr = address
            .parse()
            .map_err(|_| refuse(format!("expected an IPv4 or IPv6 address, found {address:?}")))?;
        if matches!(first, IpAddr::V6(first) if first.to_ipv4_mapped().is_some()) {
            return Err(refuse(format!("expected {} instead", first.to_canonical())));
        }
        let bits = if first.is_ipv4() { 32 } else { 128 };
        let read = len.map_or(Some(bits), read_len).and_then(|len| IpNet::new(first, len).ok());
        let network = read.ok_or_else(|| {
            let len = len.unwrap_or_default();
            refuse(format!("expected a length from 0 to {bits}, found {len:?}"))
        })?;
        let masked = Self(network.trunc());
        if masked.0 != network {
            return Err(refuse(format!("{first} is inside of it; did you mean {masked}?")));
        }
        Ok(masked)
    }
}

/// Parses a length, of digits only: `+8` is refused.
fn read_len(text: &str) -> Option<u8> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_digits)
}

#[cfg(test)]
mod tests {
    use super::Network;

    #[track_caller]
    fn case(network: &str, inside: &[&str], outside: &[&str]) {
        let read: Network = network.parse().unwrap();
        assert_eq!(read.to_string().strip_suffix("/32").unwrap_or(&read.to_string()), network);
        let holds = |address: &&str| read.contains(address.parse().unwrap());
        assert!(inside.iter().all(holds), "{network}");
        assert!(!outside.iter().any(holds), "{network}");
    }

    #[test]
    fn a_network_holds_what_shares_its_prefix() {
        case("0.0.0.0/0", &["0.0.0.0", "255.255.255.255", "::ffff:1.2.3.4"], &["::", "::1"]);
        case("10.0.0.0/8", &["10.0.0.0", "10.255.255.255"], &["9.255.255.255", "11.0.0.0"]);
        case("127.0.0.1", &["127.0.0.1", "::ffff:127.0.0.1"], &["127.0.0.2", "::7f00:1"]);
        case("172.16.0.0/12", &["172.31.255.255"], &["172.32.0.0", "172.15.255.255"]);
        case("::/0", &["::", "ffff::"], &["1.2.3.4"]);
        case("fc00::/7", &["fdff::1"], &["fe00::"]);
        case("2001:db8::/33", &["2001:db8:7fff::"], &["2001:db8:8000::"]);
    }

    #[test]
    fn what_is_no_network_says_what_is_wrong() {
        let case = |text: &str, reason: &str| {
            let message = text.parse::<Network>().unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        };
        case("10.0.0.0/33", "from 0 to 32");
        case("10.0.0.0/", "from 0 to 32");
        case("10.0.0.0/+8", "from 0 to 32");
        case("::/129", "from 0 to 128");
        case("10.0.0.1/8", "did you mean 10.0.0.0/8?");
        case("fd00::1/8", "did you mean fd00::/8?");
        case("localhost", "expected an IPv4 or IPv6 address");
        case("10.0.0/8", "expected an IPv4 or IPv6 address");
        case("::ffff:127.0.0.1", "expected 127.0.0.1 instead");
    }
}
