//! Names: looked up once, and held for a while.
//!
//! A name is asked for at most once in the time that its answer lives, so that what the guard
//! judged and what is connected to are one answer: a name server that changes its mind between
//! the two ("rebinding") changes nothing. Nobody waits in a thread: thousands of lookups are
//! under way at once.
//!
//! The answers are not judged here; `tcp` holds each of them to the guard. DNSSEC is the
//! business of the resolver that is asked. Search lists of the system are not used: a link
//! means a whole name. Specifications: RFC 1034, RFC 1035, RFC 2308, RFC 5321 §5.1.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use hickory_resolver::{Resolver, TokioResolver};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use super::Failure;
use super::guard::Host;
use crate::error::Error;
use crate::finding::Class;

/// Names whose answers are held at most; some 200 bytes each. Half of them may be forgotten
/// early when there are more: they are looked up, and judged, again.
const PINS_MAX: usize = 32_768;
/// Longest that an answer is held, whatever it says of itself: a host that moves during a
/// run is found again.
const HELD_MAX: Duration = Duration::from_secs(300);
/// Lookups under way at most. Each takes two sockets, of the some thousand that a process
/// has at least.
const LOOKUPS_MAX: usize = 256;
/// Records of one answer that are looked at: more than fit in any.
const RECORDS_MAX: usize = 8192;

/// Ends of names that no name server is asked for, and what that makes of a link.
const NEVER_ASKED: &[(&str, Class, &str)] = &[
    ("invalid", Class::DnsNxdomain, "no name ends in .invalid (RFC 6761 §6.4)"),
    // Asking would tell the name server what must not be known (RFC 7686 §2).
    ("onion", Class::Unverifiable, "names in .onion are not asked for outside of Tor (RFC 7686)"),
    ("alt", Class::Unverifiable, "names in .alt are not of the domain name system (RFC 9476)"),
];

/// Looks names up, and holds what was found.
pub struct Names {
    resolver: TokioResolver,
    addresses: Held<Arc<[IpAddr]>>,
    exchangers: Held<Arc<[Exchanger]>>,
    turns: Semaphore,
    within: Duration,
}

/// An exchanger of mail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exchanger {
    /// The lower is asked first.
    pub preference: u16,
    /// Its name, in lower case, without a final dot; empty for the null MX (RFC 7505 §3).
    pub name: String,
}

impl Names {
    /// Asks `servers`, or those of the system when there are none, and waits for an answer
    /// as long as `within`.
    ///
    /// # Errors
    /// When the resolver refuses its configuration.
    pub fn new(servers: &[SocketAddr], within: Duration) -> Result<Self, Error> {
        let (config, mut options) = configuration(servers);
        // Answers are held here, where the time is bounded, and nowhere else.
        options.cache_size = 0;
        options.max_active_requests = LOOKUPS_MAX * 2;
        let mut builder = Resolver::builder_with_config(config, TokioRuntimeProvider::default());
        *builder.options_mut() = options;
        let resolver =
            builder.build().map_err(|error| Error::Resolver { reason: error.to_string() })?;
        let turns = Semaphore::new(LOOKUPS_MAX);
        let (addresses, exchangers) = (Held::default(), Held::default());
        Ok(Self { resolver, addresses, exchangers, turns, within })
    }

    /// Every address of `host`, unjudged.
    ///
    /// # Errors
    /// `DnsNxdomain` when the name is not there or has no address, `DnsFailure` when nobody
    /// could say, `Unverifiable` when it is not to be asked for.
    pub async fn addresses(&self, host: &Host) -> Result<Arc<[IpAddr]>, Failure> {
        let name = match host {
            Host::Address(address) => return Ok(Arc::from([*address])),
            // RFC 6761 §6.3: never asked of a name server, which could say anything.
            Host::Name(_) if host.is_localhost() => {
                return Ok(Arc::from([
                    IpAddr::from(Ipv4Addr::LOCALHOST),
                    Ipv6Addr::LOCALHOST.into(),
                ]));
            }
            Host::Name(name) => name,
        };
        never_asked(name)?;
        self.addresses.once(name, || self.look_up(name)).await
    }

    /// The exchangers of mail for `name`, in the order they are to be asked; none when the
    /// name is there and has no such record.
    ///
    /// # Errors
    /// As [`Names::addresses`].
    pub async fn exchangers(&self, name: &str) -> Result<Arc<[Exchanger]>, Failure> {
        never_asked(name)?;
        self.exchangers.once(name, || self.look_up_exchangers(name)).await
    }

    /// The records of type MX, and how long the answer lives.
    async fn look_up_exchangers(&self, name: &str) -> Found<Arc<[Exchanger]>> {
        let _turn = self.turns.acquire().await;
        let records = match self.ask(name, RecordType::MX).await {
            Ok(records) => records,
            Err(Miss::Empty(lives)) => return (Ok(Arc::from([])), lives),
            Err(miss) => return miss.into_found(),
        };
        let lives = records.iter().map(|(_, ttl)| *ttl).min().unwrap_or_default();
        let mut found: Vec<_> =
            records.into_iter().filter_map(|(data, _)| Exchanger::of(data)).collect();
        found.sort_unstable();
        (Ok(found.into()), lives)
    }

    /// Both families at once, and how long the answer lives.
    async fn look_up(&self, name: &str) -> Found<Arc<[IpAddr]>> {
        // The semaphore is never closed: an error could only mean to go on without a turn.
        let _turn = self.turns.acquire().await;
        let (v4, v6) =
            tokio::join!(self.ask(name, RecordType::A), self.ask(name, RecordType::AAAA));
        let mut found = Vec::new();
        let mut lives = HELD_MAX;
        let mut misses = Vec::new();
        for answer in [v4, v6] {
            match answer {
                Ok(records) => {
                    for (data, ttl) in records {
                        lives = lives.min(ttl);
                        found.extend(data.ip_addr());
                    }
                }
                Err(miss) => misses.push(miss),
            }
        }
        if !found.is_empty() {
            found.sort_unstable();
            found.dedup();
            return (Ok(found.into()), lives);
        }
        let miss = misses.into_iter().max_by_key(Miss::weight);
        miss.unwrap_or(Miss::Empty(lives)).into_found()
    }

    /// The records of one type, with the time that each lives.
    async fn ask(&self, name: &str, kind: RecordType) -> Result<Vec<(RData, Duration)>, Miss> {
        // With its final dot, so that no search list is tried.
        let whole =
            Name::from_ascii(format!("{name}.")).map_err(|_| Miss::Absent(Duration::ZERO))?;
        let answer = timeout(self.within, self.resolver.lookup(whole, kind)).await;
        let lookup = answer.map_err(|_| Miss::Silent)?.map_err(Miss::of)?;
        let records = lookup.answers().iter().filter(|record| record.record_type() == kind);
        let records: Vec<_> = records
            .take(RECORDS_MAX)
            .map(|record| (record.data.clone(), Duration::from_secs(record.ttl.into())))
            .collect();
        if records.is_empty() { Err(Miss::Empty(Duration::ZERO)) } else { Ok(records) }
    }
}

impl Exchanger {
    fn of(data: RData) -> Option<Self> {
        let RData::MX(mx) = data else { return None };
        let name = mx.exchange.to_ascii().to_ascii_lowercase();
        let name = name.strip_suffix('.').unwrap_or(&name).to_owned();
        Some(Self { preference: mx.preference, name })
    }
}

/// The system's name servers and hosts file, or `servers` alone.
fn configuration(servers: &[SocketAddr]) -> (ResolverConfig, ResolverOpts) {
    if servers.is_empty() {
        return hickory_resolver::system_conf::read_system_conf().unwrap_or_else(|_| {
            // What resolv.conf(5) has for a system without that file.
            let here = NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into());
            (ResolverConfig::from_name_servers(vec![here]), ResolverOpts::default())
        });
    }
    let server = |server: &SocketAddr| {
        let mut connections = vec![ConnectionConfig::udp(), ConnectionConfig::tcp()];
        connections.iter_mut().for_each(|connection| connection.port = server.port());
        NameServerConfig::new(server.ip(), true, connections)
    };
    let config = ResolverConfig::from_name_servers(servers.iter().map(server).collect());
    let mut options = ResolverOpts::default();
    options.use_hosts_file = ResolveHosts::Never;
    (config, options)
}

/// Says no for names that no name server is asked for.
fn never_asked(name: &str) -> Result<(), Failure> {
    let last = name.rsplit('.').next().unwrap_or(name);
    match NEVER_ASKED.iter().find(|(end, ..)| *end == last) {
        Some((_, class, message)) => Err(Failure::new(*class, *message)),
        None => Ok(()),
    }
}

/// What a lookup found, and how long that may be held.
type Found<T> = (Result<T, Failure>, Duration);

/// Answers that are held.
struct Held<T>(Mutex<Pins<T>>);

/// What is held, in two generations: when the younger is full, the older is forgotten.
struct Pins<T> {
    young: HashMap<String, Pin<T>>,
    old: HashMap<String, Pin<T>>,
}

/// An answer, and until when it holds. Whoever asks for the name waits for the lock.
type Pin<T> = Arc<tokio::sync::Mutex<Option<(Result<T, Failure>, Instant)>>>;

impl<T> Default for Held<T> {
    fn default() -> Self {
        Self(Mutex::new(Pins { young: HashMap::new(), old: HashMap::new() }))
    }
}

impl<T: Clone> Held<T> {
    /// The answer for `name` that is held, or what `look_up` finds, which is held.
    async fn once<F: Future<Output = Found<T>>>(
        &self,
        name: &str,
        look_up: impl FnOnce() -> F,
    ) -> Result<T, Failure> {
        // Nothing that is done under the lock panics, and a map is whole at any moment.
        let pin = self.0.lock().unwrap_or_else(PoisonError::into_inner).of(name);
        // Others that ask for the same name wait here, and find the answer.
        let mut held = pin.lock().await;
        if let Some((found, until)) = held.as_ref()
            && Instant::now() < *until
        {
            return found.clone();
        }
        // In a box, which only those have that do look it up.
        let (found, lives) = Box::pin(look_up()).await;
        *held = Some((found.clone(), Instant::now() + lives.min(HELD_MAX)));
        found
    }
}

impl<T> Pins<T> {
    fn of(&mut self, name: &str) -> Pin<T> {
        if let Some(pin) = self.young.get(name) {
            return Pin::clone(pin);
        }
        let pin = self.old.remove(name).unwrap_or_default();
        if self.young.len() >= PINS_MAX / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(name.to_owned(), Pin::clone(&pin));
        pin
    }
}

/// Why there are no records, and how long that holds (RFC 2308 §5).
enum Miss {
    /// The name exists without records of the type.
    Empty(Duration),
    /// The name does not exist.
    Absent(Duration),
    /// The name server failed.
    Failed(String),
    /// The name server said nothing in time.
    Silent,
}

impl Miss {
    fn of(error: NetError) -> Self {
        let is_absent = error.is_nx_domain();
        match error {
            NetError::Dns(DnsError::NoRecordsFound(none)) => {
                let lives = Duration::from_secs(none.negative_ttl.unwrap_or_default().into());
                match none.response_code {
                    _ if is_absent => Self::Absent(lives),
                    ResponseCode::NoError => Self::Empty(lives),
                    code => Self::Failed(code.to_string()),
                }
            }
            NetError::Dns(DnsError::ResponseCode(code)) => Self::Failed(code.to_string()),
            NetError::Timeout => Self::Silent,
            other => Self::Failed(other.to_string()),
        }
    }

    /// Of two families' misses, the one that says more: a failure leaves it open whether the
    /// name has addresses, so that nothing may be said of a name but that.
    fn weight(&self) -> u8 {
        match self {
            Self::Empty(_) => 0,
            Self::Silent => 1,
            Self::Failed(_) => 2,
            Self::Absent(_) => 3,
        }
    }

    /// As what was found. A failure is not held: it is asked again.
    fn into_found<T>(self) -> Found<T> {
        let lives = match self {
            Self::Empty(lives) | Self::Absent(lives) => lives,
            Self::Failed(_) | Self::Silent => Duration::ZERO,
        };
        (Err(self.into_failure()), lives)
    }

    fn into_failure(self) -> Failure {
        let (class, message) = match self {
            Self::Absent(_) => (Class::DnsNxdomain, "the name does not exist".to_owned()),
            Self::Empty(_) => (Class::DnsNxdomain, "the name has no address".to_owned()),
            Self::Silent => (Class::DnsFailure, "no name server answers".to_owned()),
            Self::Failed(why) => (Class::DnsFailure, format!("the name server fails: {why}")),
        };
        Failure::new(class, message)
    }
}

#[cfg(test)]
mod tests {
    use super::{Held, PINS_MAX};

    #[test]
    fn what_is_held_has_a_bound() {
        let held = Held::<()>::default();
        let mut pins = held.0.lock().unwrap();
        let first = pins.of("first");
        for name in 0..PINS_MAX * 2 {
            // What is asked for again and again is not forgotten.
            assert!(std::sync::Arc::ptr_eq(&first, &pins.of("first")), "{name}");
            pins.of(&name.to_string());
            assert!(pins.young.len() + pins.old.len() <= PINS_MAX);
        }
    }
}
