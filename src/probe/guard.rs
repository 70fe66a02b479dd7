//! Decides which hosts, addresses and ports may be probed.
//!
//! The text in which links are found is not trusted, nor are the addresses of their host names, nor
//! the redirects of their servers. A probe runs inside of the user's network, beside services that
//! trust their neighbours. So only addresses of the public Internet are probed, at the ports of the
//! link's own scheme, unless the user opens more.
//!
//! The guard judges the very address of a connection, just before it is made: [`Guard::check`]
//! returns a [`Checked`], nothing else creates one for a link, and `tcp` connects to nothing else.
//! So the rules hold for addresses in links, for names, for every hop of a redirect, and for every
//! scheme.
//!
//! This is no firewall: it cannot see where a public address forwards to. It does no I/O; `tcp`
//! queries the system whether an address belongs to this machine.

use std::net::{IpAddr, SocketAddr};

use super::Failure;
use crate::finding::Class;
use crate::uri::Uri;

pub mod argument;
pub mod host;
pub mod network;
pub mod ports;
mod ranges;

pub use host::Host;
pub use network::Network;

use ranges::{Block, Owner};

/// The policy for addresses and ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Networks that are open at every port, whatever their kind.
    pub allow: Vec<Network>,
    /// Whether private addresses of sites are open, at the ports of their schemes: those of RFC
    /// 1918, RFC 4193 and RFC 6598. Loopback and link-local addresses are not among them.
    pub allow_private: bool,
}

/// An address that the guard accepted, for one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked(SocketAddr);

impl Checked {
    /// Wraps an address that the user configured, not a link: that of the proxy.
    pub(super) fn by_the_user(address: SocketAddr) -> Self {
        Self(address)
    }

    /// Returns the address and port.
    #[must_use]
    pub fn socket(self) -> SocketAddr {
        self.0
    }
}

impl Guard {
    /// Accepts `address` for a link of `scheme`, or explains why not.
    ///
    /// # Errors
    /// `PolicyAddress` if the address must not be probed, `PolicyPort` if the port is not one of
    /// the scheme.
    pub fn check(&self, scheme: &str, address: SocketAddr) -> Result<Checked, Failure> {
        self.check_address(address.ip())?;
        if !self.is_open(address.ip()) {
            self.check_port(scheme, address.port())?;
        }
        // An IPv4-mapped address becomes IPv4: the system connects to the judged address.
        Ok(Checked(SocketAddr::new(address.ip().to_canonical(), address.port())))
    }

    /// Accepts `address`, or describes it.
    ///
    /// # Errors
    /// `PolicyAddress` if it is not public (RFC 6890), or embeds an IPv4 address that is not (RFC
    /// 4291 §2.5.5, RFC 6052, RFC 3056, RFC 4380, RFC 5214).
    pub fn check_address(&self, address: IpAddr) -> Result<(), Failure> {
        let address = address.to_canonical();
        let about = match address {
            IpAddr::V4(v4) => self.about_ipv4(v4.into()),
            IpAddr::V6(v6) => {
                // An open network does not open the IPv4 addresses that it translates to.
                let stands_for = ranges::embedded(v6)
                    .find_map(|v4| Some(format!("{v4}, {}", self.about_ipv4(v4.into())?)));
                if let Some(v4) = stands_for {
                    return Err(refuse(format!("{v6} maps to {v4}")));
                }
                self.about_ipv6(address, ranges::about_other(v6))
            }
        };
        match about {
            None => Ok(()),
            Some(about) => Err(refuse(format!("{address} is {about}"))),
        }
    }

    /// Accepts `port` for a public address.
    ///
    /// # Errors
    /// `PolicyPort` if links of `scheme` are not probed there.
    pub fn check_port(&self, scheme: &str, port: u16) -> Result<(), Failure> {
        if ports::is_usual(scheme, port) {
            return Ok(());
        }
        let message = format!("port {port} is not allowed for {scheme}");
        Err(Failure::new(Class::PolicyPort, message))
    }

    /// Reports whether the user opened the network of `address`.
    #[must_use]
    pub fn is_open(&self, address: IpAddr) -> bool {
        self.allow.iter().any(|network| network.contains(address))
    }

    /// Describes an IPv4 address that is not open. Returns `None` if it is open.
    fn about_ipv4(&self, address: IpAddr) -> Option<&'static str> {
        let block = find(ranges::IPV4, address).filter(|block| !self.opens(block))?;
        (!self.is_open(address)).then_some(block.about)
    }

    /// Describes an IPv6 address that is not open, by `otherwise` if no table contains it. Returns
    /// `None` if it is open.
    fn about_ipv6(&self, address: IpAddr, otherwise: &'static str) -> Option<&'static str> {
        if self.is_open(address) {
            return None;
        }
        let given_out = [ranges::IPV6_PUBLIC, ranges::IPV6_TRANSLATED];
        match find(ranges::IPV6, address) {
            Some(block) => (!self.opens(block)).then_some(block.about),
            None if given_out.iter().any(|network| network.contains(address)) => None,
            None => Some(otherwise),
        }
    }

    /// Reports whether the user opened private networks and `block` is one.
    fn opens(&self, block: &Block) -> bool {
        self.allow_private && block.owner == Owner::Site
    }
}

/// Returns the first of `blocks` that contains `address`.
fn find(blocks: &'static [Block], address: IpAddr) -> Option<&'static Block> {
    blocks.iter().find(|block| block.network.contains(address))
}

/// Returns host and port of a link of `scheme`.
///
/// # Errors
/// As [`Host::parse`] and [`ports::read`] have them.
pub fn target(scheme: &str, uri: &Uri<'_>) -> Result<(Host, u16), Failure> {
    let host = uri.host.map(|host| host.of(uri.text)).unwrap_or_default();
    let port = uri.port.map(|port| port.of(uri.text));
    Ok((Host::parse(host)?, ports::read(scheme, port)?))
}

fn refuse(message: String) -> Failure {
    Failure::new(Class::PolicyAddress, message)
}

#[cfg(test)]
mod tests {
    use super::{Guard, Network};
    use crate::finding::Class;

    fn guard(allow: &[&str]) -> Guard {
        let read = |network: &&str| network.parse::<Network>().unwrap();
        Guard { allow: allow.iter().map(read).collect(), allow_private: false }
    }

    /// Returns the class with which `address` is refused, if it is.
    fn refusal(guard: &Guard, scheme: &str, address: &str) -> Option<Class> {
        let checked = guard.check(scheme, address.parse().unwrap());
        checked.err().map(|failure| failure.class)
    }

    #[test]
    fn public_addresses_pass_at_their_schemes_ports() {
        for address in ["8.8.8.8:80", "[2606:4700::1]:80", "[64:ff9b::808:808]:80"] {
            assert_eq!(refusal(&guard(&[]), "http", address), None, "{address}");
        }
        assert_eq!(refusal(&guard(&[]), "http", "8.8.8.8:25"), Some(Class::PolicyPort));
        assert_eq!(refusal(&guard(&[]), "gopher", "8.8.8.8:25"), Some(Class::PolicyPort));
    }

    #[test]
    fn an_opened_network_is_open_at_every_port() {
        let guard = guard(&["127.0.0.0/8"]);
        assert_eq!(refusal(&guard, "http", "127.0.0.1:1"), None);
        assert_eq!(refusal(&guard, "gopher", "[::ffff:127.0.0.1]:9999"), None);
        assert_eq!(refusal(&guard, "gopher", "8.8.8.8:9999"), Some(Class::PolicyPort));
        for closed in ["10.0.0.1:80", "[::1]:80", "[::7f00:1]:80"] {
            assert_eq!(refusal(&guard, "http", closed), Some(Class::PolicyAddress), "{closed}");
        }
    }

    #[test]
    fn an_opened_translator_opens_nothing_after_it() {
        let guard = guard(&["64:ff9b:1::/48", "2002::/16", "::/0"]);
        for closed in ["[64:ff9b:1::7f00:1]:80", "[2002:a00:1::]:80", "[2001::1]:80"] {
            assert_eq!(refusal(&guard, "http", closed), Some(Class::PolicyAddress), "{closed}");
        }
        assert_eq!(refusal(&guard, "http", "[64:ff9b:1:808:8:800:808:808]:80"), None);
    }

    #[test]
    fn private_networks_open_without_what_tells_secrets() {
        let guard = Guard { allow_private: true, ..Guard::default() };
        for open in ["10.0.0.1:80", "172.31.0.1:80", "192.168.0.1:80", "100.64.0.1:80"] {
            assert_eq!(refusal(&guard, "http", open), None, "{open}");
        }
        assert_eq!(refusal(&guard, "http", "[fd12::1]:80"), None);
        assert_eq!(refusal(&guard, "http", "10.0.0.1:25"), Some(Class::PolicyPort));
        let closed =
            ["127.0.0.1", "169.254.169.254", "100.100.100.200", "[fd00:ec2::254]", "[::1]"];
        for closed in closed {
            let address = format!("{closed}:80");
            assert_eq!(refusal(&guard, "http", &address), Some(Class::PolicyAddress), "{closed}");
        }
    }
}
