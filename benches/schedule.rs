//! The schedule of a crawl: ten million hosts and a hundred million links of a Zipf law, in a time
//! that is a number. No connection is opened.
//!
//! ```text
//! cargo bench --bench schedule -- [--counts] [--hosts N] [--links N] [--in-flight N]
//!                                 [--record --date 2001-12-31 [--host NAME]]
//! ```
//! Each promise is checked at each step: the gap of a host; the probes in flight of a host, a site,
//! a network, and in all; that each link ends once; and that no host waits longer than the order of
//! the schedule allows. The checks take a part of the time and the memory.
//!
//! Where the numbers may mislead: a link is its number. What a run keeps of a link beyond its place
//! in the schedule, such as its text, is not here.
#![expect(clippy::print_stdout, reason = "a bench prints its tables")]
#![expect(clippy::expect_used, reason = "a bench that cannot work must stop")]
#![expect(clippy::cast_precision_loss, reason = "rates are rounded anyway")]

#[expect(dead_code, reason = "nothing runs in rounds or beside regular expressions")]
mod harness;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use clap::Parser;
use harness::{Common, Mode};
use linktrawl::internal::probe::schedule::{
    Came, Fate, HEAD_START_MAX, HostId, HostTraits, Owner, Rules, Schedule, Step, Trouble, UrlId,
};

/// The limits of `linktrawl check`, but for the number of probes in flight.
const RULES: Rules = Rules {
    in_flight: 0,
    gap: 0,
    host_concurrency: 1,
    own_concurrency: 16,
    host_gap: 1_000,
    own_gap: 0,
    retries: 2,
    per_address: 8,
    per_site: 4,
    urls_per_host: None,
    breaker: 4,
};

/// Hosts of a site, and of a network on average.
const OF_SITE: usize = 2;
const OF_NETWORK: usize = 16;

/// One of so many hosts is dead; the first try of one of so many links fails.
const DEAD: u64 = 50;
const FAILING: u64 = 1_000;

/// Milliseconds until a dead host counts as one, and those of the fastest and the slowest answer.
const TIMEOUT: u64 = 10_000;
const LATENCY_MIN: u64 = 20;
const LATENCY_MAX: u64 = 800;

/// Number of links with which a host has the whole head start, and one more.
const TURNS_BEFORE_LAST: u64 = HEAD_START_MAX / RULES.host_gap + 1;

/// Milliseconds in which the last retries end.
const RETRIES_LAST: u64 = 600_000;

/// Memory that the default numbers of hosts and links may take.
const BYTES_MAX: u64 = 8 << 30;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    common: Common,
    /// Number of hosts
    #[arg(long, default_value = "10000000")]
    hosts: u32,
    /// Number of links, about
    #[arg(long, default_value = "100000000")]
    links: u32,
    /// Number of probes in flight
    #[arg(long, default_value = "10000")]
    in_flight: usize,
}

fn main() {
    let flags = Flags::parse();
    if flags.common.mode() == Mode::Counts {
        let mut crawl = Crawl::new(&links_of_hosts(2_000, 20_000), 50);
        crawl.run();
        let Crawl { probed, retried, given_up, .. } = crawl;
        assert!(probed > 15_000, "{probed} links probed");
        assert!(retried > 0 && given_up > 0, "{retried} retried, {given_up} given up");
        return;
    }
    let clock = Instant::now();
    let links = links_of_hosts(flags.hosts, flags.links);
    let mut crawl = Crawl::new(&links, flags.in_flight);
    let queued = clock.elapsed();
    let clock = Instant::now();
    crawl.run();
    let seconds = clock.elapsed().as_secs_f64();
    let bytes = peak().expect("a system that tells the memory of a process");
    let table = crawl.table(seconds, bytes).expect("a string takes every write");
    flags.common.publish("schedule", &format!("{table}queued in     {queued:.0?}\n"));
    assert!(bytes <= BYTES_MAX, "{bytes} bytes");
}

/// Returns the number of links of each host: the n-th has about an n-th of those of the first, and
/// one at least. They are `links` in all, about.
fn links_of_hosts(hosts: u32, links: u32) -> Vec<u32> {
    const ONE: u64 = 1_000_000_000;
    let harmonic: u64 = (1..=hosts).map(|number| ONE / u64::from(number)).sum();
    let most = u64::from(links) * ONE / harmonic;
    let share = |number: u32| u32::try_from((most / u64::from(number)).max(1)).unwrap_or(u32::MAX);
    (1..=hosts).map(share).collect()
}

/// A host, and what its promises are checked with.
struct Host {
    id: HostId,
    links: u32,
    probes: u32,
    /// The time of its last probe.
    asked_at: Option<u64>,
    in_flight: u8,
    /// Whether its address is known.
    is_placed: bool,
}

/// A probe in flight. Its order is that of its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Probe {
    ends_at: u64,
    host: u32,
    url: u32,
    is_first_try: bool,
    /// Whether it counts for its network.
    is_placed: bool,
}

/// A run in simulated time.
struct Crawl {
    schedule: Schedule,
    in_flight_max: usize,
    in_flight: BinaryHeap<Reverse<Probe>>,
    hosts: Vec<Host>,
    /// Probes in flight of each site and network.
    sites: Vec<u8>,
    networks: Vec<u8>,
    /// A bit for each link that has not ended.
    open: Vec<u64>,
    links: u64,
    /// Links that ended with a probe, and those of hosts that were given up.
    probed: u64,
    given_up: u64,
    /// All probes, and those that were not the first of their link.
    probes: u64,
    retried: u64,
    /// Milliseconds of all probes.
    busy: u64,
    /// Milliseconds of all probes that go before the last first one.
    busy_before_last: u64,
    /// The time of the last first probe of a host, and of the end.
    last_first: u64,
    ended_at: u64,
}

impl Crawl {
    fn new(links: &[u32], in_flight_max: usize) -> Self {
        let mut schedule = Schedule::new(Rules { in_flight: in_flight_max, ..RULES });
        let mut hosts = Vec::with_capacity(links.len());
        for (number, &links) in links.iter().enumerate() {
            let site = (number / OF_SITE) as u64;
            let id = schedule.host(HostTraits { owner: Owner::Stranger, site });
            hosts.push(Host {
                id,
                links,
                probes: 0,
                asked_at: None,
                in_flight: 0,
                is_placed: false,
            });
        }
        let all: u64 = links.iter().copied().map(u64::from).sum();
        let turns = |(number, host): (usize, &Host)| {
            u64::from(host.links).min(TURNS_BEFORE_LAST) * duration(number)
        };
        let mut crawl = Self {
            busy_before_last: hosts.iter().enumerate().map(turns).sum(),
            sites: vec![0; hosts.len() / OF_SITE + 1],
            networks: vec![0; hosts.len() / OF_NETWORK + 1],
            open: vec![0; usize::try_from(all / 64 + 1).expect("64 bits")],
            links: all,
            schedule,
            in_flight_max,
            in_flight: BinaryHeap::with_capacity(in_flight_max),
            hosts,
            probed: 0,
            given_up: 0,
            probes: 0,
            retried: 0,
            busy: 0,
            last_first: 0,
            ended_at: 0,
        };
        crawl.queue();
        crawl
    }

    /// Queues a link of each host, then a second one of each that has one, and so on.
    fn queue(&mut self) {
        let mut url = 0;
        let mut left = self.hosts.len();
        for round in 1.. {
            for host in &self.hosts[..left] {
                self.schedule.add(UrlId(url), host.id).expect("any number of links is accepted");
                self.open[url as usize / 64] |= 1 << (url % 64);
                url += 1;
            }
            left = self.hosts[..left].partition_point(|host| host.links > round);
            if left == 0 {
                break;
            }
        }
        assert_eq!(u64::from(url), self.links, "links queued");
    }

    /// Runs to the end, and checks what can be seen only there.
    fn run(&mut self) {
        let mut now = 0;
        loop {
            let until = match self.schedule.next(now) {
                Step::Ask { url, host, attempt } => {
                    self.ask(url, host, attempt, now);
                    continue;
                }
                Step::Wait { until } => Some(until),
                Step::Busy => None,
                Step::Done => break,
            };
            let answer = self.in_flight.peek().map(|Reverse(probe)| probe.ends_at);
            now = until.into_iter().chain(answer).min().expect("each wait has an end");
            while self.in_flight.peek().is_some_and(|Reverse(probe)| probe.ends_at <= now) {
                self.end_probe(now);
            }
        }
        self.ended_at = now;
        assert!(self.open.iter().all(|&bits| bits == 0), "a link has not ended");
        assert_eq!(self.probed + self.given_up, self.links, "links that have ended");
        assert!(self.hosts.iter().all(|host| host.asked_at.is_some()), "a host was not asked");
        assert!(self.last_first <= self.last_first_max(), "a host waits for {}", self.last_first);
        assert!(self.ended_at <= self.end_max(), "the run ends at {}", self.ended_at);
    }

    /// Starts a probe, and checks that it may be started.
    fn ask(&mut self, url: UrlId, id: HostId, attempt: u32, now: u64) {
        let number = id.index();
        let (lasts, network) = (duration(number), self.network(number));
        let host = &mut self.hosts[number];
        match host.asked_at.replace(now) {
            Some(before) => assert!(now - before >= pace(number), "the gap of host {number}"),
            None => self.last_first = self.last_first.max(now),
        }
        host.probes += 1;
        let is_placed = host.is_placed;
        take(&mut host.in_flight, RULES.host_concurrency, "of a host");
        take(&mut self.sites[number / OF_SITE], RULES.per_site, "of a site");
        if is_placed {
            take(&mut self.networks[network], RULES.per_address, "of a network");
        }
        self.busy += lasts;
        self.probes += 1;
        self.retried += u64::from(attempt > 1);
        self.in_flight.push(Reverse(Probe {
            ends_at: now + lasts,
            host: u32::try_from(number).expect("a host's number has 32 bits"),
            url: url.0,
            is_first_try: attempt == 1,
            is_placed,
        }));
        assert!(self.in_flight.len() <= self.in_flight_max, "probes in flight");
    }

    /// Ends the probe that ends first.
    fn end_probe(&mut self, now: u64) {
        let Reverse(probe) = self.in_flight.pop().expect("it was seen");
        let number = probe.host as usize;
        let network = self.network(number);
        let host = &mut self.hosts[number];
        host.in_flight -= 1;
        self.sites[number / OF_SITE] -= 1;
        if probe.is_placed {
            self.networks[network] -= 1;
        }
        let id = host.id;
        if !is_dead(number) && !std::mem::replace(&mut host.is_placed, true) {
            self.schedule.address(id, address(network));
        }
        let is_failing = probe.is_first_try && mixed(u64::from(probe.url)).is_multiple_of(FAILING);
        let came = match (is_dead(number), is_failing) {
            (true, _) => Came::Failed { kind: Trouble::Connect, after: None },
            (false, true) => Came::Failed { kind: Trouble::Other, after: None },
            (false, false) => Came::Answered,
        };
        let settled = self.schedule.done(UrlId(probe.url), id, now, came);
        if settled.fate == Fate::Final {
            self.end_link(probe.url);
            self.probed += 1;
        }
        for other in settled.given_up {
            self.end_link(other.url.0);
            self.given_up += 1;
        }
    }

    /// Returns the network of a host: large hosts are spread over them.
    fn network(&self, host: usize) -> usize {
        let count = self.networks.len() as u64;
        usize::try_from(mixed(host as u64 + 1) % count).expect("less than a length")
    }

    fn end_link(&mut self, url: u32) {
        let bit = 1 << (url % 64);
        let bits = &mut self.open[url as usize / 64];
        assert!(*bits & bit != 0, "link {url} ends twice");
        *bits -= bit;
    }

    /// Returns the latest time at which a host may be asked for the first time: the hosts with more
    /// links go before it, until they have had their head start.
    fn last_first_max(&self) -> u64 {
        2 * HEAD_START_MAX + self.busy_before_last / self.in_flight_max as u64
    }

    /// Returns the least time that the probes of the slowest host take.
    fn least(&self) -> u64 {
        let alive = self.hosts.iter().enumerate().filter(|&(number, _)| !is_dead(number));
        let lasts = |(number, host): (usize, &Host)| u64::from(host.probes - 1) * pace(number);
        alive.map(lasts).max().unwrap_or_default()
    }

    /// Returns the latest time at which the run may end: the slowest host waits only while all
    /// probes are in flight.
    fn end_max(&self) -> u64 {
        self.least() + self.busy / self.in_flight_max as u64 + RETRIES_LAST
    }

    fn table(&self, seconds: f64, bytes: u64) -> Result<String, std::fmt::Error> {
        let mut table = String::new();
        let checks = size_of_val(self.hosts.as_slice())
            + size_of_val(self.open.as_slice())
            + self.sites.len()
            + self.networks.len();
        let days = |milliseconds: u64| milliseconds as f64 / 86_400_000.0;
        writeln!(table, "hosts         {}", self.hosts.len())?;
        writeln!(table, "links         {}", self.links)?;
        writeln!(table, "in flight     {}", self.in_flight_max)?;
        writeln!(table, "probes        {}, of which {} retries", self.probes, self.retried)?;
        writeln!(table, "given up      {} links of dead hosts", self.given_up)?;
        writeln!(table, "probes/s      {:.0}", self.probes as f64 / seconds)?;
        writeln!(
            table,
            "memory        {} MB at most, {} bytes a link",
            bytes >> 20,
            bytes / self.links
        )?;
        writeln!(table, "of the bench  {} MB", checks >> 20)?;
        writeln!(
            table,
            "last host     first asked after {:.0} s (at most {:.0} s)",
            self.last_first as f64 / 1e3,
            self.last_first_max() as f64 / 1e3
        )?;
        writeln!(
            table,
            "simulated     {:.3} days; the largest host alone takes {:.3}",
            days(self.ended_at),
            days(self.least())
        )?;
        Ok(table)
    }
}

/// Counts one more in flight, and checks that so many may be.
fn take(in_flight: &mut u8, most: u32, of: &str) {
    *in_flight += 1;
    assert!(u32::from(*in_flight) <= most, "{in_flight} probes {of} in flight");
}

fn is_dead(host: usize) -> bool {
    mixed(host as u64).is_multiple_of(DEAD)
}

/// Returns the milliseconds that a probe of a host takes.
fn duration(host: usize) -> u64 {
    if is_dead(host) {
        return TIMEOUT;
    }
    LATENCY_MIN + mixed(!(host as u64)) % (LATENCY_MAX - LATENCY_MIN + 1)
}

/// Returns the least time between two probes of a host, which its latency may lengthen.
fn pace(host: usize) -> u64 {
    RULES.host_gap.max(2 * duration(host))
}

/// Returns an address of a network that is no special one.
fn address(network: usize) -> IpAddr {
    let first = u32::from(Ipv4Addr::new(20, 0, 0, 1));
    IpAddr::V4(Ipv4Addr::from(first + (u32::try_from(network).unwrap_or_default() << 8)))
}

/// Mixes the bits of `number`: the last step of `SplitMix64` (Steele, Lea and Flood 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// Returns the high-water mark of this process's memory in bytes.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
