//! Limits the probes in flight to all hosts of a site, and to all hosts of a network.
//!
//! A host that finds a group full waits in its queue, and gets the next slot that is freed: no
//! later host can take it, so that none starves.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::HostId;
use super::lists::{List, Lists};

/// The network of an address: the unit that providers assign to one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Network {
    /// A /24.
    V4([u8; 3]),
    /// A /48 (RFC 6177 §2 leaves the size to providers; a site gets no more).
    V6([u8; 6]),
}

impl Network {
    pub(super) fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                Self::V4([a, b, c])
            }
            IpAddr::V6(address) => {
                let [a, b, c, d, e, f, ..] = address.octets();
                Self::V6([a, b, c, d, e, f])
            }
        }
    }
}

/// The number of a group among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupId(u32);

/// All groups of one kind.
#[derive(Debug)]
pub(super) struct Groups<K> {
    places: u32,
    ids: BTreeMap<K, GroupId>,
    groups: Vec<Group>,
    waiting: Lists<HostId>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    /// The number of taken slots. It exceeds the limit if hosts were probed before their group was
    /// known.
    taken: u32,
    waiting: List,
}

impl<K: Ord> Groups<K> {
    /// Creates groups with `places` slots each, at least one.
    pub(super) fn new(places: u32) -> Self {
        let places = places.max(1);
        Self { places, ids: BTreeMap::new(), groups: Vec::new(), waiting: Lists::new() }
    }

    /// Returns the group of `key`, which is created if it is new.
    pub(super) fn id(&mut self, key: K) -> GroupId {
        let next = GroupId(u32::try_from(self.groups.len()).unwrap_or(u32::MAX));
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.groups.push(Group { taken: 0, waiting: List::EMPTY });
        }
        id
    }

    /// Takes a slot of the group and returns true, or queues `host` if none is free.
    pub(super) fn take_or_wait(&mut self, id: GroupId, host: HostId) -> bool {
        let Some(group) = self.groups.get_mut(id.0 as usize) else { return true };
        let is_free = group.taken < self.places;
        if is_free {
            group.taken += 1;
        } else {
            self.waiting.push(&mut group.waiting, host);
        }
        is_free
    }

    /// Counts `places` slots as taken, even beyond the limit.
    pub(super) fn count(&mut self, id: GroupId, places: u32) {
        if let Some(group) = self.groups.get_mut(id.0 as usize) {
            group.taken += places;
        }
    }

    /// Frees `places` slots. [`Groups::hand_out`] passes them on.
    pub(super) fn give_back(&mut self, id: GroupId, places: u32) {
        if let Some(group) = self.groups.get_mut(id.0 as usize) {
            group.taken = group.taken.saturating_sub(places);
        }
    }

    /// Takes a slot for the first host in the queue and returns the host. Returns `None` if no slot
    /// is free or no host waits.
    pub(super) fn hand_out(&mut self, id: GroupId) -> Option<HostId> {
        let group = self.groups.get_mut(id.0 as usize)?;
        if group.taken >= self.places {
            return None;
        }
        let host = self.waiting.pop(&mut group.waiting)?;
        group.taken += 1;
        Some(host)
    }
}

#[cfg(test)]
mod tests {
    use super::Network;

    #[test]
    fn a_network_is_24_or_48_bits_and_a_mapped_address_is_what_it_maps() {
        let network = |text: &str| Network::of(text.parse().unwrap());
        assert_eq!(network("192.0.2.1"), network("192.0.2.255"));
        assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.9"));
        assert_ne!(network("192.0.2.1"), network("192.0.3.1"));
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("2001:db8:1::1"), network("2001:db8:2::1"));
    }
}
