//! Tables of the addresses that are not public.
//!
//! IPv4 is nearly full: addresses that are not global are listed, the rest is open. IPv6 is nearly
//! empty: only the eighth that is assigned to the public is open, except for reserved parts of it.
//! Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), with the rows
//! that are not "Globally Reachable" and the document that reserves each; multicast; and the
//! metadata services of cloud providers, which hand out secrets without a login.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::network::Network;

/// A network that is not open, with the reason.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) network: Network,
    /// A description of its addresses, with the document that reserves them.
    pub(super) about: &'static str,
    pub(super) owner: Owner,
}

/// The owner of a network.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A site: the user may want to probe its hosts.
    Site,
    /// Not a site: nothing in the network is to be probed.
    Nobody,
}

const fn v4(octets: [u8; 4], len: u8, about: &'static str) -> Block {
    Block { network: Network::v4(octets, len), about, owner: Owner::Nobody }
}

const fn v6(groups: [u16; 4], len: u8, about: &'static str) -> Block {
    Block { network: Network::v6(groups, len), about, owner: Owner::Nobody }
}

const fn site(block: Block) -> Block {
    Block { owner: Owner::Site, ..block }
}

/// The IPv4 networks that are not open. The first that contains an address counts.
pub(super) static IPV4: &[Block] = &[
    v4([0, 0, 0, 0], 8, "an address of this host (RFC 1122 §3.2.1.3)"),
    site(v4([10, 0, 0, 0], 8, "a private address (RFC 1918 §3)")),
    v4([100, 100, 100, 200], 32, "the metadata service of a cloud provider"),
    site(v4([100, 64, 0, 0], 10, "a provider's shared address (RFC 6598 §7)")),
    v4([127, 0, 0, 0], 8, "a loopback address (RFC 1122 §3.2.1.3)"),
    v4([168, 63, 129, 16], 32, "the metadata service of a cloud provider"),
    v4([169, 254, 0, 0], 16, "a link-local address (RFC 3927 §2.1)"),
    site(v4([172, 16, 0, 0], 12, "a private address (RFC 1918 §3)")),
    v4([192, 0, 0, 0], 24, "an address of protocols (RFC 6890 §2.1)"),
    v4([192, 0, 2, 0], 24, "an address of documentation (RFC 5737 §3)"),
    v4([192, 88, 99, 0], 24, "a deprecated relay address (RFC 7526 §5)"),
    site(v4([192, 168, 0, 0], 16, "a private address (RFC 1918 §3)")),
    v4([198, 18, 0, 0], 15, "an address of benchmarks (RFC 2544 appendix C.2.2)"),
    v4([198, 51, 100, 0], 24, "an address of documentation (RFC 5737 §3)"),
    v4([203, 0, 113, 0], 24, "an address of documentation (RFC 5737 §3)"),
    v4([224, 0, 0, 0], 4, "a multicast address (RFC 1112 §4)"),
    v4([255, 255, 255, 255], 32, "the broadcast address (RFC 919 §7)"),
    v4([240, 0, 0, 0], 4, "an address without use (RFC 1112 §4)"),
];

/// The IPv6 addresses that are assigned to the public (RFC 4291 §2.4, RFC 3587 §2).
pub(super) const IPV6_PUBLIC: Network = Network::v6([0x2000, 0, 0, 0], 3);

/// The well-known prefix of translators from IPv6 to IPv4 (RFC 6052 §2.1). It lies outside of the
/// public range, but is open, because networks without IPv4 reach IPv4 through it.
pub(super) const IPV6_TRANSLATED: Network = Network::v6([0x64, 0xff9b, 0, 0], 96);

/// The IPv6 networks that are not open: reserved parts of the public range, and others listed for
/// their reason. Addresses that are neither here nor in the public range are not open either.
pub(super) static IPV6: &[Block] = &[
    v6([0x2001, 0, 0, 0], 23, "an address of protocols (RFC 2928 §2)"),
    v6([0x2001, 0xdb8, 0, 0], 32, "an address of documentation (RFC 3849 §2)"),
    v6([0x3fff, 0, 0, 0], 20, "an address of documentation (RFC 9637 §2)"),
    v6([0x64, 0xff9b, 1, 0], 48, "an address of a local translator (RFC 8215 §3)"),
    v6([0x100, 0, 0, 0], 64, "an address that discards (RFC 6666 §2)"),
    v6([0x5f00, 0, 0, 0], 16, "an address of routers (RFC 9602 §3)"),
    v6([0xfd00, 0xec2, 0, 0], 32, "the metadata service of a cloud provider"),
    site(v6([0xfc00, 0, 0, 0], 7, "a private address (RFC 4193 §3.1)")),
    v6([0xfe80, 0, 0, 0], 10, "a link-local address (RFC 4291 §2.5.6)"),
    v6([0xfec0, 0, 0, 0], 10, "a site-local address (RFC 3879 §4)"),
    v6([0xff00, 0, 0, 0], 8, "a multicast address (RFC 4291 §2.7)"),
];

/// Describes an IPv6 address that is in no other table.
pub(super) fn about_other(address: Ipv6Addr) -> &'static str {
    if address.is_unspecified() {
        "the unspecified address (RFC 4291 §2.5.2)"
    } else if address.is_loopback() {
        "the loopback address (RFC 4291 §2.5.3)"
    } else if is_compatible(address) {
        "an IPv4-compatible address (RFC 4291 §2.5.5.1)"
    } else {
        "an unassigned address (RFC 4291 §2.4)"
    }
}

/// Returns the IPv4 addresses that `address` may embed, to one of which some router translates it.
///
/// An IPv4-mapped address (RFC 4291 §2.5.5.2) is not among them: the system treats it as IPv4.
pub(super) fn embedded(address: Ipv6Addr) -> impl Iterator<Item = Ipv4Addr> {
    let octets = address.octets();
    let take = |at: [usize; 4]| Ipv4Addr::from(at.map(|idx| octets[idx]));
    let last = take([12, 13, 14, 15]);
    let [first, second, third, ..] = address.segments();
    let found = match (first, second) {
        // 6to4 (RFC 3056 §2).
        (0x2002, _) => [Some(take([2, 3, 4, 5])), None],
        // Teredo: the server, and the client with all bits inverted (RFC 4380 §4).
        (0x2001, 0) => [Some(take([4, 5, 6, 7])), Some(Ipv4Addr::from(!u32::from(last)))],
        // Translators: the last four bytes and, for a prefix of 48 bits, those around the ninth
        // (RFC 6052 §2.2). A local network may use either (RFC 8215 §4).
        (0x64, 0xff9b) if third == 1 => [Some(last), Some(take([6, 7, 9, 10]))],
        (0x64, 0xff9b) => [Some(last), None],
        (0, 0) if is_compatible(address) => [Some(last), None],
        _ => [None, None],
    };
    // ISATAP, under any prefix (RFC 5214 §6.1).
    let isatap = is_isatap(address).then_some(last);
    found.into_iter().chain([isatap]).flatten()
}

/// Reports whether `address` is IPv4-compatible (RFC 4291 §2.5.5.1).
fn is_compatible(address: Ipv6Addr) -> bool {
    let is_own = address.is_unspecified() || address.is_loopback();
    address.segments().starts_with(&[0; 6]) && !is_own
}

fn is_isatap(address: Ipv6Addr) -> bool {
    let [.., fifth, sixth, _, _] = address.segments();
    matches!((fifth, sixth), (0 | 0x200, 0x5efe))
}
