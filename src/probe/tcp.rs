//! The one way to a stranger: a name looked up once, addresses that the guard let pass, a
//! connection within its time.
//!
//! Nothing else in the library opens a socket to what a link names. What is connected to is a
//! [`Checked`], which only the guard makes.

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

/// How long the first address may be silent before the next is tried beside it (RFC 8305 §8).
const HEAD_START: Duration = Duration::from_millis(250);
/// Addresses of one host that are tried: whoever has more has them for balance, and one that
/// answers is enough.
const TRIES_MAX: usize = 8;
/// The port that is asked for when the system is asked for a way: discard (RFC 863). Nothing
/// is sent there.
const NO_PORT: u16 = 9;

/// How long each step may take. Absolute times: a server cannot stretch them by dripping.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For a connection; the lookup of its name before has as long.
    pub connect: Duration,
    /// For the handshake of TLS.
    pub tls: Duration,
    /// For all of one question.
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
    /// `total` for all of one question, and no more than that for any part of it.
    #[must_use]
    pub fn within(total: Duration) -> Self {
        let usual = Self::default();
        Self { connect: usual.connect.min(total), tls: usual.tls.min(total), total }
    }
}

/// What a [`Net`] is made of.
#[derive(Clone, Debug, Default)]
pub struct NetOptions {
    /// What may be connected to.
    pub guard: Guard,
    /// How long it may take.
    pub timeouts: Timeouts,
    /// What we call ourselves, with an address where people reach the user, if there is one.
    pub agent: String,
    /// Name servers to ask instead of the system's; its hosts file is not read then.
    pub name_servers: Vec<SocketAddr>,
    /// Whose certificates are trusted beside those that browsers trust.
    pub trust: Trust,
    /// A proxy that all connections go through.
    pub proxy: Option<Proxy>,
    /// The news server that is asked for links that name none.
    pub news_server: Option<(Host, u16)>,
    /// Where URNs are looked up: a URI with `{urn}` in it.
    pub urn_resolver: Option<String>,
    /// What requests of HTTP say beside what they must, at sites of the user's.
    pub fields: Vec<OwnField>,
}

/// What probes need of the world.
#[derive(Clone)]
pub struct Net {
    /// What may be connected to.
    pub guard: Guard,
    /// How long it may take.
    pub timeouts: Timeouts,
    /// What we call ourselves, with an address where people reach the user, if there is one.
    pub agent: String,
    /// What names stand for.
    pub names: Arc<Names>,
    /// What every handshake of TLS starts from.
    pub(super) tls: ClientConfig,
    /// What is sent to the user's own sites.
    pub(super) fields: Vec<OwnField>,
    proxy: Option<Proxy>,
    /// The news server that is asked for links that name none.
    pub news_server: Option<(Host, u16)>,
    /// Where URNs are looked up: a URI with `{urn}` in it.
    pub urn_resolver: Option<String>,
}

/// A connection, and whom it is with.
#[derive(Debug)]
pub struct Connection {
    /// Both directions.
    pub stream: TcpStream,
    /// The address that answered.
    pub address: IpAddr,
}

impl Net {
    /// Made ready, without asking anybody anything.
    ///
    /// # Errors
    /// When the options do not hold together.
    pub fn new(options: NetOptions) -> Result<Self, Error> {
        let NetOptions { guard, timeouts, agent, name_servers, trust, proxy, .. } = options;
        let names = Arc::new(Names::new(&name_servers, timeouts.connect)?);
        let tls = trust::config(&trust)?;
        let (news_server, urn_resolver) = (options.news_server, options.urn_resolver);
        let fields = options.fields;
        Ok(Self { guard, timeouts, agent, names, tls, fields, proxy, news_server, urn_resolver })
    }

    /// The same with other times, but for lookups of names, whose answers both share.
    #[must_use]
    pub fn with_timeouts(&self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self.clone() }
    }

    /// Connects to `host` for a link of `scheme`.
    ///
    /// # Errors
    /// When the guard does not let it pass, the name is not found, or nobody answers.
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
                connected.map(|made| made.map_err(|failure| of_family(failure, has_v6_alone)))
            }
            // In a box, so that whoever has no proxy does not pay for it.
            Some(proxy) => {
                let through = Box::pin(self.through(proxy, &checked));
                timeout(self.timeouts.connect, through).await
            }
        };
        connected.unwrap_or_else(|_| Err(Failure::new(Class::Timeout, "no connection in time")))
    }

    /// Connects through `proxy` to the first of `targets` that it finds a way to.
    async fn through(&self, proxy: &Proxy, targets: &[Checked]) -> Result<Connection, Failure> {
        let addresses = self.names.addresses(&proxy.host).await.map_err(|why| of_proxy(&why))?;
        let by_the_user = |ip: &IpAddr| Checked::by_the_user(SocketAddr::new(*ip, proxy.port));
        let proxies = in_turns(&addresses.iter().map(by_the_user).collect::<Vec<_>>());
        let mut failure = Failure::new(Class::Unreachable, "the host has no address");
        for target in targets {
            let target = target.socket();
            let mut stream = first_of(proxies.clone()).await.map_err(|why| of_proxy(&why))?.stream;
            match proxy.tunnel(&mut stream, target).await {
                Ok(()) => return Ok(Connection { stream, address: target.ip() }),
                Err(why) => failure = why,
            }
        }
        Err(failure)
    }

    /// The addresses of `host`, all of which the guard let pass, in the order to be tried.
    ///
    /// A name with one address that is not open is refused with all of them: names of public
    /// hosts have none, and whoever mixes them hopes that the check and the connection take
    /// different ones.
    async fn checked(&self, scheme: &str, host: &Host, port: u16) -> Result<Vec<Checked>, Failure> {
        // A port that no address would make right is refused before the name is told to
        // anybody.
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

    /// `addresses`, when each of them is open.
    fn all_open(&self, host: &Host, addresses: &[IpAddr]) -> Result<Vec<IpAddr>, Failure> {
        let is_open = |address: &&IpAddr| self.guard.is_open(**address);
        if host.is_localhost() && addresses.iter().any(|address| is_open(&address)) {
            // Both of its addresses are ours to give: nobody mixes them.
            return Ok(addresses.iter().filter(is_open).copied().collect());
        }
        addresses.iter().try_for_each(|address| self.guard.check_address(*address))?;
        Ok(addresses.to_vec())
    }

    /// True when `address` is one of this machine's own, and the user did not open it.
    fn is_own(&self, address: IpAddr) -> bool {
        !self.guard.is_open(address) && is_own(address)
    }
}

/// Families by turns, the newer first (RFC 8305 §4), and no more than are tried.
fn in_turns(checked: &[Checked]) -> Vec<Checked> {
    let (v6, v4): (Vec<_>, Vec<_>) =
        checked.iter().copied().partition(|checked| checked.socket().is_ipv6());
    let longest = v6.len().max(v4.len());
    let turn = |idx: usize| [v6.get(idx), v4.get(idx)].into_iter().flatten().copied();
    (0..longest).flat_map(turn).take(TRIES_MAX).collect()
}

/// The first connection of `addresses` that comes about; each has a head start before the
/// next (RFC 8305 §5). When none does, why the first of them failed that a way leads to.
async fn first_of(addresses: Vec<Checked>) -> Result<Connection, Failure> {
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
            // A task that was cancelled, or a head start that is over.
            Ok(Some(Err(_))) | Err(_) => {}
            Ok(None) => {
                let none = || Failure::new(Class::Unreachable, "the host has no address");
                return Err(failure.unwrap_or_else(none));
            }
        }
    }
}

/// The one place where a connection to a stranger is made.
async fn open(checked: Checked) -> Result<Connection, Failure> {
    let socket = checked.socket();
    let stream = TcpStream::connect(socket).await.map_err(|error| refused(&error))?;
    // Questions are one small write: waiting to fill a packet only costs time.
    let _ = stream.set_nodelay(true);
    Ok(Connection { stream, address: socket.ip() })
}

/// Of two failures the one that says more of the host: that one of its families cannot be reached
/// from here says nothing where the other can.
fn more_telling(before: Option<Failure>, then: Failure) -> Failure {
    let is_telling = |failure: &Failure| failure.class != Class::Unreachable;
    match before {
        Some(before) if is_telling(&before) || !is_telling(&then) => before,
        _ => then,
    }
}

/// What `failure` says of a host that has IPv6 addresses alone, or others, too.
fn of_family(failure: Failure, has_v6_alone: bool) -> Failure {
    if !has_v6_alone || failure.class != Class::Unreachable {
        return failure;
    }
    let message = "the host has IPv6 addresses alone, and no way leads there from here";
    Failure { message: message.to_owned(), ..failure }
}

/// A failure to reach the proxy says nothing of any link's host.
fn of_proxy(failure: &Failure) -> Failure {
    let message = format!("the proxy cannot be reached: {}", failure.message);
    Failure::new(Class::Unreachable, message)
}

/// What a connection that did not come about says of the host.
fn refused(error: &std::io::Error) -> Failure {
    use std::io::ErrorKind::{
        AddrNotAvailable, ConnectionAborted, ConnectionRefused, ConnectionReset, HostUnreachable,
        NetworkDown, NetworkUnreachable, TimedOut,
    };
    let (class, message) = match error.kind() {
        ConnectionRefused => (Class::Refused, "the host refuses the connection"),
        ConnectionReset | ConnectionAborted => (Class::Refused, "the host drops the connection"),
        TimedOut => (Class::Timeout, "no connection in time"),
        HostUnreachable | NetworkUnreachable | NetworkDown | AddrNotAvailable => {
            (Class::Unreachable, "no way leads to the host")
        }
        _ => return Failure::new(Class::Unreachable, format!("cannot connect: {error}")),
    };
    Failure::new(class, message)
}

/// True when `address` is one of this machine's own, which may be public.
///
/// The system is asked which address it would send from: only to itself does it send from
/// where it sends to. A socket for datagrams sends nothing when it is connected.
fn is_own(address: IpAddr) -> bool {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let from = UdpSocket::bind((any, 0)).and_then(|socket| {
        socket.connect((address, NO_PORT))?;
        socket.local_addr()
    });
    from.is_ok_and(|from| from.ip() == address)
}

#[cfg(test)]
mod tests {
    use super::{Class, Failure, Guard, TRIES_MAX, in_turns, is_own, more_telling, of_family};

    #[test]
    fn a_host_is_told_by_the_family_that_can_be_reached() {
        let nowhere = || Failure::new(Class::Unreachable, "no way leads to the host");
        let refused = || Failure::new(Class::Refused, "the host refuses the connection");
        let late = || Failure::new(Class::Timeout, "no connection in time");
        assert_eq!(more_telling(None, nowhere()), nowhere());
        assert_eq!(more_telling(Some(nowhere()), refused()), refused());
        assert_eq!(more_telling(Some(refused()), nowhere()), refused());
        assert_eq!(more_telling(Some(refused()), late()), refused());
        let found = of_family(nowhere(), true);
        assert_eq!(found.class, Class::Unreachable);
        assert!(found.message.contains("IPv6 addresses alone"), "{}", found.message);
        assert_eq!(of_family(nowhere(), false), nowhere());
        assert_eq!(of_family(refused(), true), refused());
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
