//! Tests the guard, by corpus/probe/guard.tsv: whatever spelling of a host a link has, and whatever
//! a name server answers, nothing connects to an address that is not public.
//!
//! A sink on all addresses of this machine counts. Each test that says "none" also shows that
//! the sink would have seen one. Nothing leaves loopback: hosts that the guard lets pass are
//! judged, and not connected to.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]
#![expect(clippy::panic, reason = "a test says what must hold by panicking")]

mod mail;
mod proxy;
mod tls;

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use linktrawl::internal::finding::Class;
use linktrawl::internal::probe::Failure;
use linktrawl::internal::probe::guard::{Guard, Host, Network, ports};
use linktrawl::internal::probe::tcp::{Connection, Net, NetOptions, Timeouts};

use tokio::time::timeout;

use crate::support::servers::name_server::{A, NameServer, Record, Reply};

/// Every scheme that is connected for.
const SCHEMES: [&str; 12] = [
    "http", "https", "ftp", "ftps", "gopher", "nntp", "snews", "telnet", "rlogin", "tn3270",
    "wais", "prospero",
];
/// A network that contains no host of the tables: with it, ports are judged after addresses, so
/// that a refused port does not hide an address that passes.
const ELSEWHERE: &str = "192.0.2.254";
/// Hosts that come to something else than they should, before the rest is not looked at.
const WRONG_MAX: usize = 100;
/// Rounds of the test of names that change their mind.
const ROUNDS: usize = 1000;

struct Row {
    host: String,
    expected: String,
    why: String,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../../corpus/probe/guard.tsv");
    let row = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().expect("three fields");
        Row { host: next(), expected: next(), why: next() }
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn zone() -> NameServer {
    NameServer::of_zone(include_str!("../../corpus/probe/zone.tsv"))
}

fn guard(allow: &[&str]) -> Guard {
    let read = |network: &&str| network.parse::<Network>().expect("a network");
    Guard { allow: allow.iter().map(read).collect(), allow_private: false }
}

fn net(guard: Guard, server: &NameServer) -> Net {
    let name_servers = vec![server.address];
    // If a broken guard lets a connection pass, the test does not wait for it very long.
    let timeouts = Timeouts { connect: Duration::from_secs(3), ..Timeouts::default() };
    let options = NetOptions { guard, name_servers, timeouts, ..NetOptions::default() };
    Net::new(options).expect("options")
}

async fn connect(net: &Net, scheme: &str, host: &str, port: u16) -> Result<Connection, Failure> {
    net.connect(scheme, &Host::parse(host.as_bytes())?, port).await
}

/// Takes every connection to a port of its own, at any address of this machine.
struct Sink {
    port: u16,
    peers: Receiver<SocketAddr>,
}

impl Sink {
    fn start() -> Self {
        // Where there is no IPv6, its addresses lead nowhere anyway.
        let listener = TcpListener::bind("[::]:0").or_else(|_| TcpListener::bind("0.0.0.0:0"));
        Self::on(listener.expect("a port"))
    }

    fn on(listener: TcpListener) -> Self {
        let port = listener.local_addr().expect("bound").port();
        let (seen, peers) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stream.peer_addr().is_ok_and(|peer| seen.send(peer).is_err()) {
                    break;
                }
            }
        });
        Self { port, peers }
    }

    /// How many connections came. One more is made, at `at`: those before it were taken when
    /// it is.
    fn hits(&self, at: &str) -> usize {
        let at: IpAddr = at.parse().expect("an address");
        let last = TcpStream::connect((at, self.port)).expect("the sink takes connections");
        let own = last.local_addr().expect("connected").port();
        self.peers.iter().take_while(|peer| peer.port() != own).count()
    }
}

#[track_caller]
fn class_of<T>(result: Result<T, Failure>, what: &str) -> Class {
    match result {
        Ok(_) => panic!("{what}: it passes"),
        Err(failure) => failure.class,
    }
}

#[tokio::test]
async fn nothing_connects_however_a_host_is_spelled() {
    let (sink, zone) = (Sink::start(), zone());
    let by_address = net(guard(&[ELSEWHERE]), &zone);
    let by_default = net(Guard::default(), &zone);
    let rows = rows();
    let closed: Vec<_> = rows.iter().filter(|row| row.expected != "open").collect();
    assert!(closed.len() >= 200, "{} spellings", closed.len());
    let mut wrong = Vec::new();
    for row in closed {
        let found = found_otherwise(row, &by_address, &by_default, sink.port).await;
        wrong.extend(found);
        // Whatever passes may take its time: what is broken is seen by then.
        if wrong.len() > WRONG_MAX {
            break;
        }
    }
    assert_eq!((wrong, sink.hits("127.0.0.1")), (Vec::new(), 0));
}

/// The first scheme for which the host of `row` comes to something else than it should.
async fn found_otherwise(
    row: &Row,
    by_address: &Net,
    by_default: &Net,
    sink: u16,
) -> Option<String> {
    let Row { host, expected, why } = row;
    for scheme in SCHEMES {
        let own = ports::default(scheme).expect("a port");
        for (net, port) in [(by_address, sink), (by_default, own)] {
            let found = match connect(net, scheme, host, port).await {
                Ok(_) => "open",
                Err(failure) => failure.class.row().name,
            };
            if found != expected {
                return Some(format!("{scheme} {host:?} ({why}): {found}, not {expected}"));
            }
        }
    }
    None
}

#[tokio::test]
async fn the_sink_sees_what_the_user_opens() {
    let (sink, zone) = (Sink::start(), zone());
    let open = net(guard(&["127.0.0.0/8"]), &zone);
    let hosts = ["127.0.0.1", "loop.test", "far.test", "localhost", "[::ffff:127.0.0.1]"];
    for host in hosts {
        connect(&open, "gopher", host, sink.port).await.expect(host);
    }
    assert_eq!(sink.hits("127.0.0.1"), hosts.len());
}

#[test]
fn what_is_public_passes() {
    let rows = rows();
    let open: Vec<_> = rows.iter().filter(|row| row.expected == "open").collect();
    assert!(open.len() > 30);
    for row in open {
        let Ok(Host::Address(address)) = Host::parse(row.host.as_bytes()) else {
            panic!("{}: no address", row.host)
        };
        for scheme in SCHEMES {
            let port = ports::default(scheme).expect("a port");
            let found = Guard::default().check(scheme, SocketAddr::new(address, port));
            assert_eq!(found.map(|_| ()), Ok(()), "{scheme} {}", row.host);
        }
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_never_leads_where_it_must_not() {
    let (good, bad) = (
        Sink::on(TcpListener::bind("127.0.0.2:0").expect("loopback")),
        TcpListener::bind("127.0.0.1:0").expect("loopback"),
    );
    // Both are at one port, so that only the address distinguishes them.
    drop(bad);
    let bad = Sink::on(TcpListener::bind(("127.0.0.1", good.port)).expect("the same port"));
    let mut turn = 0;
    let server = NameServer::start(move |name, kind| {
        if kind != A {
            return Reply::Records(Vec::new());
        }
        turn += 1;
        let address = if turn % 2 == 0 { "127.0.0.1" } else { "127.0.0.2" };
        let address = address.parse().expect("an address");
        Reply::Records(vec![Record::address(name, address, 0)])
    });
    let net = net(guard(&["127.0.0.2"]), &server);
    let mut passed = 0;
    for round in 0..ROUNDS {
        match connect(&net, "http", "flips.test", good.port).await {
            Ok(connection) => {
                assert_eq!(connection.address.to_string(), "127.0.0.2", "round {round}");
                passed += 1;
            }
            Err(failure) => assert_eq!(failure.class, Class::PolicyAddress, "round {round}"),
        }
    }
    assert_eq!((bad.hits("127.0.0.1"), passed), (0, ROUNDS / 2));
    assert_eq!(good.hits("127.0.0.2"), passed);
}

#[tokio::test]
async fn a_name_is_looked_up_once_while_its_answer_lives() {
    let (sink, zone) = (Sink::start(), zone());
    let net = net(guard(&["127.0.0.0/8"]), &zone);
    for host in ["loop.test", "LOOP.test.", "loop.test"] {
        connect(&net, "http", host, sink.port).await.expect(host);
    }
    // Once for each family.
    assert_eq!(zone.asked("loop.test"), 2);
    let all = (0..50).map(|_| connect(&net, "http", "loop2.test", sink.port));
    let mut all: Vec<_> = all.map(Box::pin).collect();
    for one in &mut all {
        one.await.expect("it connects");
    }
    assert_eq!(zone.asked("loop2.test"), 2);
}

#[tokio::test]
async fn what_must_not_be_asked_is_asked_of_nobody() {
    let zone = zone();
    let net = net(Guard::default(), &zone);
    for host in ["localhost", "x.localhost", "127.1", "x.onion", "x.invalid", "%31.2.3.4"] {
        class_of(connect(&net, "http", host, 80).await, host);
        assert_eq!(zone.asked_in_all(), 0, "{host}");
    }
    // The port is refused, whatever the name resolves to.
    let found = connect(&net, "gopher", "loop.test", 25).await;
    assert_eq!(class_of(found, "port"), Class::PolicyPort);
    assert_eq!(zone.asked_in_all(), 0);
}

#[tokio::test]
async fn a_name_server_that_is_silent_is_no_proof() {
    let zone = zone();
    let timeouts = Timeouts { connect: Duration::from_millis(200), ..Timeouts::default() };
    let name_servers = vec![zone.address];
    let options = NetOptions { timeouts, name_servers, ..NetOptions::default() };
    let net = Net::new(options).expect("options");
    let found = connect(&net, "http", "silent.test", 80).await;
    assert_eq!(class_of(found, "silence"), Class::DnsFailure);
    let found = connect(&net, "http", "absent.test", 80).await;
    assert_eq!(class_of(found, "no name"), Class::DnsNxdomain);
}

#[tokio::test]
async fn a_name_server_may_be_silent_about_the_newer_family() {
    let sink = Sink::start();
    let server = NameServer::start(|name, kind| match kind {
        A => Reply::Records(vec![Record::address(name, Ipv4Addr::LOCALHOST.into(), 60)]),
        _ => Reply::Silence,
    });
    let (guard, name_servers) = (guard(&["127.0.0.0/8"]), vec![server.address]);
    let net = Net::new(NetOptions { guard, name_servers, ..NetOptions::default() });
    let net = net.expect("options");
    // By then, the resolver would still wait for an answer.
    let found = timeout(Duration::from_secs(8), connect(&net, "http", "old.test", sink.port)).await;
    found.expect("in time").expect("it connects");
}

#[tokio::test]
async fn a_name_is_as_closed_as_one_of_its_addresses() {
    let (zone, sink) = (zone(), Sink::start());
    let net = net(guard(&["127.0.0.2"]), &zone);
    let found = connect(&net, "http", "two.test", sink.port).await;
    assert_eq!(class_of(found, "one of two is closed"), Class::PolicyAddress);
    assert_eq!(sink.hits("127.0.0.1"), 0);
}

#[tokio::test]
async fn the_next_address_is_tried_when_one_refuses() {
    let zone = zone();
    let net = net(guard(&["127.0.0.0/8"]), &zone);
    let sink = Sink::on(TcpListener::bind("127.0.0.3:0").expect("loopback"));
    let found = connect(&net, "http", "two.test", sink.port).await.expect("one of two");
    assert_eq!(found.address.to_string(), "127.0.0.3");
    let found = connect(&net, "http", "loop2.test", sink.port).await;
    assert_eq!(class_of(found, "nobody listens"), Class::Refused);
}

#[tokio::test]
async fn the_next_address_is_tried_beside_one_that_is_silent() {
    let zone = zone();
    let net = net(guard(&["127.0.0.0/8"]), &zone);
    let sink = Sink::on(TcpListener::bind("127.0.0.3:0").expect("loopback"));
    // A server whose queue is full: Linux leaves further connections without an answer.
    let full = tokio::net::TcpSocket::new_v4().expect("a socket");
    let address = SocketAddr::from(([127, 0, 0, 2], sink.port));
    full.bind(address).expect("the same port");
    let full = full.listen(0).expect("listens");
    let waiting = TcpStream::connect(address).expect("there is room for one");
    let found = connect(&net, "http", "two.test", sink.port).await.expect("one of two");
    assert_eq!(found.address.to_string(), "127.0.0.3");
    drop((full, waiting));
}

/// A socket that is opened elsewhere bypasses the guard.
#[test]
fn sockets_are_opened_in_one_place() {
    const NAMES: [&str; 6] = [
        "TcpStream::connect",
        "TcpSocket",
        "UdpSocket",
        "lookup_host",
        "to_socket_addrs",
        "ToSocketAddrs",
    ];
    let mut queue = vec![std::path::PathBuf::from("src")];
    let mut found = Vec::new();
    while let Some(path) = queue.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            queue.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        let uses = text.lines().filter(|line| NAMES.iter().any(|name| line.contains(name)));
        found.extend(uses.map(|line| format!("{}: {}", path.display(), line.trim())));
    }
    assert!(found.iter().any(|line| line.starts_with("src/probe/tcp.rs")), "{found:?}");
    found.retain(|line| !line.starts_with("src/probe/tcp.rs"));
    assert_eq!(found, Vec::<String>::new());
}
