//! Connects to hosts: resolves a name once, has the guard check its addresses, and connects in
//! time.
//!
//! Nothing else in the library opens a socket to a host that a link names. Connections are made to
//! a [`Checked`] address only, which only the guard creates.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::dns::Names;
use super::guard::{Checked, Guard, Host};
use super::proxy::Proxy;
use super::trust::{self, Trust};
use super::{Failure, OwnField};
use crate::error::Error;
use crate::finding::Class;
use crate::platform;

/// Head start of each address before the next is tried in parallel (RFC 8305 §8).
const HEAD_START: Duration = Duration::from_millis(250);
/// Maximum number of addresses of one host that are tried. Hosts have more for load balancing, and
/// one that answers is enough.
const TRIES_MAX: usize = 8;
/// The port used to query the system for a route: discard (RFC 863). Nothing is sent there.
const NO_PORT: u16 = 9;

/// Time limits of the steps of a probe. They are absolute: a server cannot extend them by sending
/// slowly.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For a connection. The lookup of the name before it has a limit of the same length.
    pub connect: Duration,
    /// For the TLS handshake.
    pub tls: Duration,
    /// For the whole probe of a link.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            tls: Duration::from_secs(10),
            total: Duration::from_secs(30),
        }
    }
}

impl Timeouts {
    /// Returns the default limits, with `total` for the whole probe and as an upper bound of the
    /// others.
    #[must_use]
    pub fn within(total: Duration) -> Self {
        let usual = Self::default();
        Self { connect: usual.connect.min(total), tls: usual.tls.min(total), total }
    }
}

/// The options of a [`Net`].
#[derive(Clone, Debug, Default)]
pub struct NetOptions {
    /// The policy for addresses and ports.
    pub guard: Guard,
    /// The time limits.
    pub timeouts: Timeouts,
    /// The user agent, with an address at which the user can be reached, if one was given.
    pub agent: String,
    /// Name servers to query instead of the system's; the hosts file is ignored then.
    pub name_servers: Vec<SocketAddr>,
    /// Certificate authorities to trust besides those that browsers trust.
    pub trust: Trust,
    /// A proxy for all connections.
    pub proxy: Option<Proxy>,
    /// The news server for links that name none.
    pub news_server: Option<(Host, u16)>,
    /// The resolver of URNs: a URI with the placeholder `{urn}`.
    pub urn_resolver: Option<String>,
    /// Additional HTTP request fields for the user's own sites.
    pub fields: Vec<OwnField>,
}

/// The network context that all probes share.
#[derive(Clone)]
pub struct Net {
    /// The policy for addresses and ports.
    pub guard: Guard,
    /// The time limits.
    pub timeouts: Timeouts,
    /// The user agent, with an address at which the user can be reached, if one was given.
    pub agent: String,
    /// The resolver of host names.
    pub names: Arc<Names>,
    /// The configuration of every TLS handshake.
    pub(super) tls: ClientConfig,
    /// Additional HTTP request fields for the user's own sites.
    pub(super) fields: Vec<OwnField>,
    proxy: Option<Proxy>,
    /// The news server for links that name none.
    pub news_server: Option<(Host, u16)>,
    /// The resolver of URNs: a URI with the placeholder `{urn}`.
    pub urn_resolver: Option<String>,
}

/// A connection and its peer.
#[derive(Debug)]
pub struct Connection {
    /// The stream, in both directions.
    pub stream: TcpStream,
    /// The address that answered. Through a proxy, the target's address.
    pub address: IpAddr,
}

impl Net {
    /// Creates the context without sending anything.
    ///
    /// # Errors
    /// When an option is invalid, such as a certificate that cannot be read.
    pub fn new(options: NetOptions) -> Result<Self, Error> {
        let NetOptions { guard, timeouts, agent, name_servers, trust, proxy, .. } = options;
        // A name server that is silent is told from a host that is, if the time of a probe goes on.
        let for_names = timeouts.connect.min(timeouts.total / 5 * 4);
        let names = Arc::new(Names::new(&name_servers, for_names)?);
        let tls = trust::config(&trust)?;
        let (news_server, urn_resolver) = (options.news_server, options.urn_resolver);
        let fields = options.fields;
        Ok(Self { guard, timeouts, agent, names, tls, fields, proxy, news_server, urn_resolver })
    }

    /// Returns a copy with other time limits. Name lookups keep theirs; both share one cache.
    #[must_use]
    pub fn with_timeouts(&self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self.clone() }
    }

    /// Connects to `host` for a link of `scheme`.
    ///
    /// # Errors
    /// When the guard refuses an address or port, the name cannot be resolved, or no address
    /// answers.
    pub async fn connect(
        &self,
        scheme: &str,
        host: &Host,
        port: u16,
    ) -> Result<Connection, Failure> {
        let checked = self.checked(scheme, host, port).await?;
        let connected = match &self.proxy {
            None => {
                let has_v6_alone = checked.iter().all(|checked| checked.socket().is_ipv6());
                let connected = timeout(self.timeouts.connect, first_of(checked)).await;
                connected.map(|made| made.map_err(|miss| miss.into_failure(has_v6_alone)))
            }
            // Boxed, so that connections without a proxy do not pay for its size.
            Some(proxy) => {
                let through = Box::pin(self.through(proxy, &checked));
                timeout(self.timeouts.connect, through).await
            }
        };
        connected.unwrap_or_else(|_| Err(Failure::new(Class::Timeout, "no connection in time")))
    }

    /// Connects through `proxy` to the first of `targets` that it reaches.
    async fn through(&self, proxy: &Proxy, targets: &[Checked]) -> Result<Connection, Failure> {
        let addresses = self.names.addresses(&proxy.host).await.map_err(|why| of_proxy(&why))?;
        let by_the_user = |ip: &IpAddr| Checked::by_the_user(SocketAddr::new(*ip, proxy.port));
        let proxies = in_turns(&addresses.iter().map(by_the_user).collect::<Vec<_>>());
        let mut failure = Failure::new(Class::Unreachable, "the host has no address");
        for target in targets {
            let target = target.socket();
            let connected = first_of(proxies.clone()).await;
            let mut stream = connected.map_err(|miss| of_proxy(&miss.into_failure(false)))?.stream;
            match proxy.tunnel(&mut stream, target).await {
                Ok(()) => return Ok(Connection { stream, address: target.ip() }),
                Err(why) => failure = why,
            }
        }
        Err(failure)
    }

    /// Returns the addresses of `host` in the order in which they are tried. The guard has accepted
    /// all of them.
    ///
    /// If one address is not open, the name is refused as a whole: public hosts have no such
    /// addresses, and a name that mixes them counts on the check and the connection using different
    /// ones.
    async fn checked(&self, scheme: &str, host: &Host, port: u16) -> Result<Vec<Checked>, Failure> {
        // A port that no address could make acceptable is refused before a name server sees the
        // name.
        if self.guard.allow.is_empty() {
            self.guard.check_port(scheme, port)?;
        }
        let addresses = self.names.addresses(host).await?;
        let addresses = self.all_open(host, &addresses)?;
        let check = |address| self.guard.check(scheme, SocketAddr::new(address, port));
        let checked: Vec<_> = addresses.into_iter().map(check).collect::<Result<_, _>>()?;
        let tried = in_turns(&checked);
        match tried.iter().map(|checked| checked.socket().ip()).find(|ip| self.is_own(*ip)) {
            None => Ok(tried),
            Some(own) => {
                let message = format!("{own} is an address of this machine");
                Err(Failure::new(Class::PolicyAddress, message))
            }
        }
    }

    /// Returns the usable addresses, or the guard's refusal if one of `addresses` is not open.
    fn all_open(&self, host: &Host, addresses: &[IpAddr]) -> Result<Vec<IpAddr>, Failure> {
        let is_open = |address: &&IpAddr| self.guard.is_open(**address);
        if host.is_localhost() && addresses.iter().any(|address| is_open(&address)) {
            // Both addresses of `localhost` are ours, so that an attacker cannot mix them.
            return Ok(addresses.iter().filter(is_open).copied().collect());
        }
        addresses.iter().try_for_each(|address| self.guard.check_address(*address))?;
        Ok(addresses.to_vec())
    }

    /// Reports whether `address` belongs to this machine and the user did not open it.
    fn is_own(&self, address: IpAddr) -> bool {
        !self.guard.is_open(address) && is_own(address)
    }
}

/// Alternates the address families, IPv6 first (RFC 8305 §4), up to `TRIES_MAX` addresses.
fn in_turns(checked: &[Checked]) -> Vec<Checked> {
    let (v6, v4): (Vec<_>, Vec<_>) =
        checked.iter().copied().partition(|checked| checked.socket().is_ipv6());
    let longest = v6.len().max(v4.len());
    let turn = |idx: usize| [v6.get(idx), v4.get(idx)].into_iter().flatten().copied();
    (0..longest).flat_map(turn).take(TRIES_MAX).collect()
}

/// Returns the first connection that succeeds; each address has a head start before the next (RFC
/// 8305 §5). If all fail, returns the first failure other than `Unreachable`, if there is one.
async fn first_of(addresses: Vec<Checked>) -> Result<Connection, Miss> {
    if let [only] = addresses.as_slice() {
        return open(*only).await;
    }
    let mut rest = addresses.into_iter();
    let mut tries = JoinSet::new();
    let mut failure = None;
    loop {
        if let Some(next) = rest.next() {
            tries.spawn(open(next));
        }
        let limit = if rest.len() > 0 { HEAD_START } else { Duration::MAX };
        match timeout(limit, tries.join_next()).await {
            Ok(Some(Ok(Ok(connection)))) => return Ok(connection),
            Ok(Some(Ok(Err(why)))) => failure = Some(more_telling(failure, why)),
            // The task was cancelled, or the head start is over.
            Ok(Some(Err(_))) | Err(_) => {}
            Ok(None) => {
                let none = || Failure::new(Class::Unreachable, "the host has no address");
                return Err(failure.unwrap_or_else(|| Miss::Failed(none())));
            }
        }
    }
}

/// Connects to `checked`. All connections to remote hosts are made here.
async fn open(checked: Checked) -> Result<Connection, Miss> {
    let socket = checked.socket();
    let stream = TcpStream::connect(socket).await.map_err(|error| missed(&error, socket.ip()))?;
    // Requests are one small write: delaying it to fill a packet only costs time.
    let _ = stream.set_nodelay(true);
    Ok(Connection { stream, address: socket.ip() })
}

/// Returns the failure that reveals more about the host: if one address family is unreachable from
/// here, the other may still be reachable.
fn more_telling(before: Option<Miss>, then: Miss) -> Miss {
    let weight = |miss: &Miss| match miss {
        Miss::NoRoute => 0,
        Miss::Failed(failure) if failure.class == Class::NotAsked => 0,
        Miss::Failed(failure) if failure.class == Class::Unreachable => 1,
        Miss::Failed(_) => 2,
    };
    match before {
        Some(before) if weight(&before) == 2 || weight(&before) > weight(&then) => before,
        _ => then,
    }
}

/// The reason why an address was not reached.
#[derive(Debug, PartialEq, Eq)]
enum Miss {
    /// This machine has no route to the address.
    NoRoute,
    /// All other reasons.
    Failed(Failure),
}

impl Miss {
    /// Converts the miss to a failure. No route to a host that has only IPv6 addresses is a lasting
    /// property of this machine, and no fault of the host.
    fn into_failure(self, has_v6_alone: bool) -> Failure {
        let (class, message) = match self {
            Self::Failed(failure) => return failure,
            Self::NoRoute if has_v6_alone => (
                Class::Unverifiable,
                "the host has only IPv6 addresses, which this machine cannot reach",
            ),
            Self::NoRoute => (Class::NotAsked, "this machine has no route to the address"),
        };
        Failure::new(class, message)
    }
}

/// Converts a failure to reach the proxy, which is no evidence about the link's host.
fn of_proxy(failure: &Failure) -> Failure {
    let message = format!("the proxy cannot be reached: {}", failure.message);
    Failure::new(Class::Unverifiable, message)
}

/// Returns the reason why a connection attempt to `address` ended in `error`.
fn missed(error: &io::Error, address: IpAddr) -> Miss {
    match error.kind() {
        // A router on the way may report the same error as this machine's own table of routes.
        ErrorKind::AddrNotAvailable | ErrorKind::NetworkUnreachable if !has_route(address) => {
            Miss::NoRoute
        }
        _ => Miss::Failed(refused(error)),
    }
}

/// Converts the error of a connection attempt to a failure of the host, or to one of this machine,
/// which is no evidence about the host.
fn refused(error: &io::Error) -> Failure {
    use ErrorKind::{
        ConnectionAborted, ConnectionRefused, ConnectionReset, HostUnreachable, NetworkDown,
        NetworkUnreachable, PermissionDenied, TimedOut,
    };
    if error.raw_os_error().is_some_and(platform::is_exhausted) {
        return ours(&error.to_string());
    }
    let (class, message) = match error.kind() {
        ConnectionRefused => (Class::Refused, "the host refuses the connection"),
        ConnectionReset | ConnectionAborted => (Class::Refused, "the host drops the connection"),
        TimedOut => (Class::Timeout, "no connection in time"),
        NetworkDown => return ours("its network is down"),
        PermissionDenied => return ours(&error.to_string()),
        HostUnreachable | NetworkUnreachable => (Class::Unreachable, "the host is unreachable"),
        _ => return Failure::new(Class::Unreachable, format!("cannot connect: {error}")),
    };
    Failure::new(class, message)
}

/// Returns a failure of this machine. The link counts as not requested, so that the run is
/// incomplete.
fn ours(why: &str) -> Failure {
    Failure::new(Class::NotAsked, format!("this machine cannot connect: {why}"))
}

/// Reports whether this machine has a route to `address`. Nothing is sent.
fn has_route(address: IpAddr) -> bool {
    source_for(address).is_ok()
}

/// Reports whether `address` belongs to this machine; it may be public.
///
/// Reads the address from which the system would send to `address`: the two are equal only on this
/// machine. Connecting a datagram socket sends nothing.
fn is_own(address: IpAddr) -> bool {
    source_for(address).is_ok_and(|from| from == address)
}

/// Returns the address from which the system would send to `address`.
fn source_for(address: IpAddr) -> io::Result<IpAddr> {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0))?;
    socket.connect((address, NO_PORT))?;
    Ok(socket.local_addr()?.ip())
}

#[cfg(test)]
mod tests {
    use super::{
        Class, ErrorKind, Failure, Guard, Miss, TRIES_MAX, in_turns, io, is_own, missed,
        more_telling, refused,
    };

    #[test]
    fn a_host_is_told_by_the_family_that_can_be_reached() {
        let nowhere = || Miss::Failed(Failure::new(Class::Unreachable, "the host is unreachable"));
        let late = || Miss::Failed(Failure::new(Class::Timeout, "no connection in time"));
        let refused = || Miss::Failed(refused(&ErrorKind::ConnectionRefused.into()));
        assert_eq!(more_telling(None, nowhere()), nowhere());
        assert_eq!(more_telling(Some(nowhere()), refused()), refused());
        assert_eq!(more_telling(Some(refused()), nowhere()), refused());
        assert_eq!(more_telling(Some(refused()), late()), refused());
        assert_eq!(more_telling(Some(Miss::NoRoute), nowhere()), nowhere());
        assert_eq!(more_telling(Some(nowhere()), Miss::NoRoute), nowhere());
        let found = Miss::NoRoute.into_failure(true);
        assert_eq!(found.class, Class::Unverifiable);
        assert!(found.message.contains("only IPv6 addresses"), "{}", found.message);
        assert_eq!(Miss::NoRoute.into_failure(false).class, Class::NotAsked);
        for other in [nowhere, refused] {
            assert_eq!(other().into_failure(true), other().into_failure(false));
        }
    }

    #[cfg(unix)]
    #[test]
    fn faults_of_this_machine_are_not_those_of_the_host() {
        let here = "127.0.0.1".parse().unwrap();
        let class = |error| missed(&error, here).into_failure(false).class;
        for code in [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::EADDRNOTAVAIL, libc::EPERM] {
            assert_eq!(class(io::Error::from_raw_os_error(code)), Class::NotAsked, "{code}");
        }
        assert_eq!(class(ErrorKind::NetworkDown.into()), Class::NotAsked);
        // There is a route, so a router on the way reported it.
        assert_eq!(class(ErrorKind::NetworkUnreachable.into()), Class::Unreachable);
        assert_eq!(class(ErrorKind::HostUnreachable.into()), Class::Unreachable);
        assert_eq!(class(ErrorKind::ConnectionRefused.into()), Class::Refused);
    }

    #[test]
    fn families_take_turns() {
        let guard = Guard::default();
        let check = |ip: &str| guard.check("http", format!("{ip}:80").parse().unwrap()).unwrap();
        let given: Vec<_> = ["1.1.1.1", "8.8.8.8", "9.9.9.9", "[2606:4700::1]"].map(check).into();
        let order = ["[2606:4700::1]", "1.1.1.1", "8.8.8.8", "9.9.9.9"].map(check);
        assert_eq!(in_turns(&given), order);
        assert_eq!(in_turns(&[given[0]; 20]).len(), TRIES_MAX);
    }

    #[test]
    fn this_machine_knows_itself() {
        assert!(is_own("127.0.0.1".parse().unwrap()));
        assert!(!is_own("192.0.2.1".parse().unwrap()));
    }
}
