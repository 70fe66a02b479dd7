//! Resolves host names, and caches the answers for a limited time.
//!
//! A name is resolved at most once within the lifetime of its answer, so that the guard checks and
//! `tcp` connects to the same addresses: a name server that changes its answer between the two
//! ("DNS rebinding") has no effect. Lookups hold no thread: thousands of them may be in progress at
//! once.
//!
//! This module does not judge addresses; `tcp` passes each of them to the guard. DNSSEC is left to
//! the configured resolver. The system's search lists are not used, because a link holds a complete
//! name. Specifications: RFC 1034, RFC 1035, RFC 2308, RFC 5321 §5.1.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::pin;
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
use crate::finding::{Absence, Class};
use crate::uri::suffix;

/// Maximum number of names in the cache, of some 200 bytes each. When there are more, up to half of
/// the entries are dropped early; those names are resolved and judged again.
const PINS_MAX: usize = 32_768;
/// Maximum lifetime of a cache entry, whatever its TTL: a host that moves during a run is found
/// again.
const HELD_MAX: Duration = Duration::from_secs(300);
/// Maximum number of lookups in progress. Each takes two sockets; a process has at least some
/// thousand.
const LOOKUPS_MAX: usize = 256;
/// The time to wait for addresses of IPv6 once those of IPv4 are there: more than RFC 8305 §3
/// wants, since no reader waits.
const DELAY_AFTER_IPV4: Duration = Duration::from_secs(1);
/// Maximum number of records read from one answer: more than any answer can hold.
const RECORDS_MAX: usize = 8192;

/// Top-level names that are never sent to a name server, with the class and message of their links.
const NEVER_ASKED: &[(&str, Class, &str)] = &[
    ("invalid", Class::DnsNxdomain, "no name ends in .invalid (RFC 6761 §6.4)"),
    // A query would reveal to the name server what must stay secret (RFC 7686 §2).
    ("onion", Class::Unverifiable, "names in .onion are not looked up outside of Tor (RFC 7686)"),
    ("alt", Class::Unverifiable, "names in .alt are not of the domain name system (RFC 9476)"),
];

/// A resolver with a cache.
pub struct Names {
    resolver: TokioResolver,
    addresses: Held<Arc<[IpAddr]>>,
    exchangers: Held<Arc<[Exchanger]>>,
    turns: Semaphore,
    within: Duration,
}

/// A mail exchanger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exchanger {
    /// The preference; exchangers with lower values come first.
    pub preference: u16,
    /// The name, in lower case, without a final dot; empty for the null MX (RFC 7505 §3).
    pub name: String,
}

impl Names {
    /// Creates a resolver that queries `servers`, or those of the system if the slice is empty, and
    /// waits at most `within` for an answer.
    ///
    /// # Errors
    /// When the resolver refuses its configuration.
    pub fn new(servers: &[SocketAddr], within: Duration) -> Result<Self, Error> {
        let (config, mut options) = configuration(servers);
        // Only this module caches answers, because it bounds their lifetime.
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

    /// Returns every address of `host`, unjudged.
    ///
    /// # Errors
    /// `DnsNxdomain` if the name does not exist or has no address, `DnsFailure` if no name server
    /// answered, `Unverifiable` if the name must not be queried.
    pub async fn addresses(&self, host: &Host) -> Result<Arc<[IpAddr]>, Failure> {
        let name = match host {
            Host::Address(address) => return Ok(Arc::from([*address])),
            // RFC 6761 §6.3: never sent to a name server, which could answer anything.
            Host::Name(_) if host.is_localhost() => {
                return Ok(Arc::from([
                    IpAddr::from(Ipv4Addr::LOCALHOST),
                    Ipv6Addr::LOCALHOST.into(),
                ]));
            }
            Host::Name(name) => name,
        };
        never_asked(name)?;
        match self.addresses.once(name, || self.look_up(name)).await {
            Err(Miss::Absent(_)) if self.lacks_site(name).await => Err(absent(Absence::Site)),
            found => found.map_err(Miss::into_failure),
        }
    }

    /// Reports whether the site of `name`, which does not exist, does not exist either: the
    /// registrable domain, which is looked up once (RFC 8020).
    async fn lacks_site(&self, name: &str) -> bool {
        let site = suffix::registrable(name).filter(|site| *site != name);
        let Some(site) = site.map(str::to_owned) else { return false };
        let look_up = async || match self.look_up(&site).await {
            // Some servers give no lifetime for what does not exist.
            (found @ Err(Miss::Absent(_)), _) => (found, HELD_MAX),
            other => other,
        };
        matches!(self.addresses.once(&site, look_up).await, Err(Miss::Absent(_)))
    }

    /// Returns the mail exchangers of `name`, in order of preference. Returns an empty slice if the
    /// name exists without such a record.
    ///
    /// # Errors
    /// As [`Names::addresses`].
    pub async fn exchangers(&self, name: &str) -> Result<Arc<[Exchanger]>, Failure> {
        never_asked(name)?;
        let found = self.exchangers.once(name, || self.look_up_exchangers(name)).await;
        found.map_err(Miss::into_failure)
    }

    /// Looks up the MX records, and the lifetime of the answer.
    async fn look_up_exchangers(&self, name: &str) -> LookupResult<Arc<[Exchanger]>> {
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

    /// Looks up both address families at once, and the lifetime of the answer.
    async fn look_up(&self, name: &str) -> LookupResult<Arc<[IpAddr]>> {
        // The semaphore is never closed, so that an error cannot occur.
        let _turn = self.turns.acquire().await;
        let (v4, v6) = self.ask_both(name).await;
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

    /// Looks up the records of both address families at once. After those of IPv4, the others are
    /// waited for only a little longer (RFC 8305 §3): some name servers never answer such questions
    /// (RFC 4074 §4.1).
    async fn ask_both(&self, name: &str) -> (Records, Records) {
        let mut v4 = pin!(self.ask(name, RecordType::A));
        let mut v6 = pin!(self.ask(name, RecordType::AAAA));
        tokio::select! {
            v4 = &mut v4 => {
                let within = if v4.is_ok() { DELAY_AFTER_IPV4 } else { self.within };
                let v6 = timeout(within, v6).await.unwrap_or(Err(Miss::Silent));
                (v4, v6)
            }
            v6 = &mut v6 => (v4.await, v6),
        }
    }

    /// Looks up the records of one type, each with its lifetime.
    async fn ask(&self, name: &str, kind: RecordType) -> Records {
        // The final dot keeps the resolver from trying search lists.
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

/// Returns the configuration for `servers` alone or, if there are none, for the system's name
/// servers and hosts file.
fn configuration(servers: &[SocketAddr]) -> (ResolverConfig, ResolverOpts) {
    if servers.is_empty() {
        return hickory_resolver::system_conf::read_system_conf().unwrap_or_else(|_| {
            // The default of resolv.conf(5) if that file is missing.
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

/// Refuses names that are never sent to a name server.
fn never_asked(name: &str) -> Result<(), Failure> {
    let last = name.rsplit('.').next().unwrap_or(name);
    match NEVER_ASKED.iter().find(|(end, ..)| *end == last) {
        Some((_, class, message)) => Err(Failure::new(*class, *message)),
        None => Ok(()),
    }
}

/// The records of one type, each with its lifetime.
type Records = Result<Vec<(RData, Duration)>, Miss>;

/// The result of a lookup, and how long it may be cached.
type LookupResult<T> = (Result<T, Miss>, Duration);

/// A cache of answers.
struct Held<T>(Mutex<Pins<T>>);

/// Cache entries in two generations: when the younger one is full, the older one is dropped.
struct Pins<T> {
    young: HashMap<String, Pin<T>>,
    old: HashMap<String, Pin<T>>,
}

/// A cache entry: the answer and its expiry. Lookups of the same name wait for the lock.
type Pin<T> = Arc<tokio::sync::Mutex<Option<(Result<T, Miss>, Instant)>>>;

impl<T> Default for Held<T> {
    fn default() -> Self {
        Self(Mutex::new(Pins { young: HashMap::new(), old: HashMap::new() }))
    }
}

impl<T: Clone> Held<T> {
    /// Returns the cached answer for `name`. Without one, runs `look_up` and caches its result.
    async fn once<F: Future<Output = LookupResult<T>>>(
        &self,
        name: &str,
        look_up: impl FnOnce() -> F,
    ) -> Result<T, Miss> {
        // No code under the lock panics, and the map is consistent at any moment.
        let pin = self.0.lock().unwrap_or_else(PoisonError::into_inner).of(name);
        // Concurrent lookups of the same name wait here, and find the answer.
        let mut held = pin.lock().await;
        if let Some((found, until)) = held.as_ref()
            && Instant::now() < *until
        {
            return found.clone();
        }
        // Boxed, so that only actual lookups pay for its size.
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

/// The reason why there are no records, and how long that may be cached (RFC 2308 §5).
#[derive(Clone)]
enum Miss {
    /// The name exists without records of the type.
    Empty(Duration),
    /// The name does not exist.
    Absent(Duration),
    /// The name server failed.
    Failed(String),
    /// No name server answered in time.
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

    /// Returns the rank of the miss; of the misses of two families, the one with the higher rank is
    /// reported. A failure leaves open whether the name has addresses, so that it outranks `Empty`.
    fn weight(&self) -> u8 {
        match self {
            Self::Empty(_) => 0,
            Self::Silent => 1,
            Self::Failed(_) => 2,
            Self::Absent(_) => 3,
        }
    }

    /// Converts the miss to a result. Failures are not cached: the name is queried again.
    fn into_found<T>(self) -> LookupResult<T> {
        let lives = match self {
            Self::Empty(lives) | Self::Absent(lives) => lives,
            Self::Failed(_) | Self::Silent => Duration::ZERO,
        };
        (Err(self), lives)
    }

    fn into_failure(self) -> Failure {
        match self {
            Self::Absent(_) => absent(Absence::Name),
            Self::Empty(_) => Failure::new(Class::DnsNxdomain, "the name has no address"),
            Self::Silent => Failure::new(Class::DnsFailure, "no name server answers"),
            Self::Failed(why) => {
                Failure::new(Class::DnsFailure, format!("the name server fails: {why}"))
            }
        }
    }
}

/// Returns the failure for a name that does not exist.
fn absent(absence: Absence) -> Failure {
    Failure::new(Class::DnsNxdomain, absence.message())
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
            // A name that is queried again and again is not dropped.
            assert!(std::sync::Arc::ptr_eq(&first, &pins.of("first")), "{name}");
            pins.of(&name.to_string());
            assert!(pins.young.len() + pins.old.len() <= PINS_MAX);
        }
    }
}
