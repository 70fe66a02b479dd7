//! Worlds: hosts of all sizes and tempers, the same for the same seed.

use std::net::{IpAddr, Ipv4Addr};

use linktrawl::internal::probe::schedule::{Came, Owner, Rules, Trouble};

use super::account::{AFTER_MAX, DELAY_MAX};
use crate::support::chance::Chance;

impl Chance {
    /// Returns a generator for a seed of any kind: those of small numbers differ at once.
    pub(crate) fn of(seed: u64) -> Self {
        let mut chance = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..4).for_each(|_| _ = chance.draw());
        chance
    }

    pub(crate) fn up_to(&mut self, most: u64) -> u64 {
        self.draw() % (most + 1)
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.draw().is_multiple_of(count)
    }

    pub(crate) fn of_list<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.draw() as usize % list.len()]
    }
}

/// How a host answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Temper {
    /// Always.
    Fine,
    /// Never.
    Dead,
    /// Not to the first few questions.
    ComesBack(u32),
    /// One in three questions fails, each for its own reason.
    Flaky,
    /// One in four questions is answered with a wish to be left alone.
    Throttling(u64),
    /// Every answer sends us elsewhere.
    Elsewhere,
}

/// Most hosts are those of strangers.
const OWNERS: [Owner; 6] = {
    use Owner::{Machine, Stranger, User};
    [User, Machine, Stranger, Stranger, Stranger, Stranger]
};

pub(crate) struct HostPlan {
    pub(crate) owner: Owner,
    pub(crate) site: u64,
    /// Where it mostly is, and where it is found by one link of four.
    pub(crate) addresses: [IpAddr; 2],
    pub(crate) latency: u64,
    pub(crate) jitter: u64,
    pub(crate) delay: u64,
    pub(crate) temper: Temper,
    pub(crate) links: u32,
}

/// A world: the same for the same seed.
pub(crate) struct World {
    pub(crate) rules: Rules,
    pub(crate) hosts: Vec<HostPlan>,
    /// The host of each link.
    pub(crate) links: Vec<usize>,
    /// Links that are there from the beginning; the others come on the way.
    pub(crate) at_once: usize,
    /// When it begins.
    pub(crate) start: u64,
    /// Whether no two hosts share a site or a network.
    pub(crate) is_apart: bool,
}

pub(crate) fn rules(chance: &mut Chance) -> Rules {
    Rules {
        in_flight: chance.of_list(&[1, 2, 5, 20, 100]),
        gap: 0,
        host_concurrency: chance.of_list(&[1, 1, 1, 3]),
        own_concurrency: chance.of_list(&[1, 4, 16]),
        host_gap: chance.of_list(&[0, 100, 1_000, 5_000]),
        own_gap: chance.of_list(&[0, 0, 50]),
        retries: chance.of_list(&[0, 1, 2, 4]),
        per_address: chance.of_list(&[1, 2, 4]),
        per_site: chance.of_list(&[1, 2, 4]),
        urls_per_host: chance.of_list(&[None, None, Some(5), Some(30)]),
        breaker: chance.of_list(&[0, 1, 3, 5]),
    }
}

impl World {
    /// Hosts of all tempers, near each other or far apart.
    pub(crate) fn wild(seed: u64) -> Self {
        let mut chance = Chance::of(seed);
        let is_apart = chance.one_in(2);
        let (host_count, most) = (1 + chance.up_to(25), 1 + chance.up_to(60));
        let sharing = 1 + chance.up_to(6);
        let hosts = (0..host_count)
            .map(|idx| {
                let group = if is_apart { idx } else { idx % sharing };
                let network = if is_apart { idx } else { chance.up_to(sharing) };
                let elsewhere = match chance.up_to(3) {
                    0 if is_apart => 100 + idx,
                    0 => chance.up_to(sharing),
                    _ => network,
                };
                let owner = chance.of_list(&OWNERS);
                let address = if owner == Owner::Machine { loopback } else { address };
                HostPlan {
                    owner,
                    site: group,
                    addresses: [address(network), address(elsewhere)],
                    latency: 1 + chance.up_to(2_000),
                    jitter: chance.of_list(&[0, 50, 30_000]),
                    delay: chance.of_list(&[0, 0, 0, 4_000, 10 * DELAY_MAX, AFTER_MAX + 1]),
                    temper: temper(&mut chance),
                    links: zipf(most, idx),
                }
            })
            .collect();
        let start = chance.of_list(&[0, 1_000_000_000_000]);
        Self::of(rules(&mut chance), hosts, start, is_apart, &mut chance)
    }

    /// Hosts that answer, each in its own time.
    pub(crate) fn polite(seed: u64) -> Self {
        let mut chance = Chance::of(seed);
        let mut rules = rules(&mut chance);
        rules.in_flight = chance.of_list(&[10, 50, 1_000]);
        (rules.host_concurrency, rules.urls_per_host) = (1, None);
        rules.host_gap = chance.of_list(&[500, 1_000, 3_000]);
        let (host_count, most) = (20 + chance.up_to(60), 20 + chance.up_to(180));
        let hosts = (0..host_count)
            .map(|idx| HostPlan {
                owner: Owner::Stranger,
                site: idx,
                addresses: [address(idx); 2],
                latency: 1 + chance.up_to(400),
                jitter: 0,
                delay: 0,
                temper: Temper::Fine,
                links: zipf(most, idx),
            })
            .collect();
        let mut world = Self::of(rules, hosts, 0, true, &mut chance);
        world.at_once = world.links.len();
        world
    }

    pub(crate) fn of(
        rules: Rules,
        hosts: Vec<HostPlan>,
        start: u64,
        is_apart: bool,
        chance: &mut Chance,
    ) -> Self {
        let mut links = Vec::new();
        for (idx, host) in hosts.iter().enumerate() {
            links.extend((0..host.links).map(|_| idx));
        }
        if chance.one_in(2) {
            // Grouped by host as mail is, or mixed.
            for at in 1..links.len() {
                links.swap(at, chance.up_to(at as u64) as usize);
            }
        }
        let at_once = chance.up_to(links.len() as u64) as usize;
        Self { rules, hosts, links, at_once, start, is_apart }
    }

    /// Returns the answer to this question; the same each time.
    pub(crate) fn answer(
        &self,
        url: u32,
        host: usize,
        attempt: u32,
        asked_before: u32,
    ) -> (u64, Answer) {
        let plan = &self.hosts[host];
        let mut chance = Chance::of(u64::from(url) << 24 ^ (host as u64) << 8 ^ u64::from(attempt));
        let latency = plan.latency + chance.up_to(plan.jitter);
        let failed = |kind, after| Answer::Came(Came::Failed { kind, after });
        let answered = Answer::Came(Came::Answered);
        let answer = match plan.temper {
            Temper::Fine => answered,
            Temper::Dead => failed(Trouble::Connect, None),
            Temper::ComesBack(after) if asked_before < after => failed(Trouble::Connect, None),
            Temper::ComesBack(_) => answered,
            Temper::Flaky if chance.one_in(6) => failed(Trouble::Connect, None),
            Temper::Flaky if chance.one_in(6) => failed(Trouble::Other, None),
            Temper::Flaky => answered,
            Temper::Throttling(after) if chance.one_in(4) => failed(Trouble::Other, Some(after)),
            Temper::Throttling(_) => answered,
            Temper::Elsewhere => Answer::Moved(chance.draw() as usize % self.hosts.len()),
        };
        (latency, answer)
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Answer {
    Came(Came),
    Moved(usize),
}

fn loopback(network: u64) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 0, network as u8, 7))
}

pub(crate) fn address(network: u64) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(203, 0, network as u8, 7))
}

pub(crate) fn zipf(most: u64, idx: u64) -> u32 {
    (most / (idx + 1)).max(1) as u32
}

pub(crate) fn temper(chance: &mut Chance) -> Temper {
    match chance.up_to(9) {
        0 => Temper::Dead,
        1 => Temper::ComesBack(1 + chance.up_to(6) as u32),
        2 | 3 => Temper::Flaky,
        4 => Temper::Throttling(chance.of_list(&[0, 500, 7_000, 600_000])),
        5 => Temper::Throttling(AFTER_MAX + chance.up_to(1)),
        6 => Temper::Elsewhere,
        _ => Temper::Fine,
    }
}

/// A world of hosts that answer, with these many links, latencies and nothing shared.
pub(crate) fn plain(hosts: &[(u32, u64)], rules: Rules) -> World {
    let plan = |(idx, &(links, latency)): (u64, &(u32, u64))| HostPlan {
        owner: Owner::Stranger,
        site: idx,
        addresses: [address(idx); 2],
        latency,
        jitter: 0,
        delay: 0,
        temper: Temper::Fine,
        links,
    };
    let hosts: Vec<_> = (0..).zip(hosts).map(plan).collect();
    let grouped = |(idx, host): (usize, &HostPlan)| vec![idx; host.links as usize];
    let links: Vec<_> = hosts.iter().enumerate().flat_map(grouped).collect();
    let at_once = links.len();
    World { rules, hosts, links, at_once, start: 0, is_apart: true }
}
