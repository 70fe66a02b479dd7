//! Tests that proxies obey the guard: they receive addresses that passed it, and no others.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use linktrawl::internal::finding::Class;
use linktrawl::internal::probe::tcp::{Net, NetOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{NameServer, Sink, class_of, connect, guard, zone};

/// A proxy that records the requests that it receives, and answers with bytes of the test's choice.
struct Scripted {
    port: u16,
    told: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Scripted {
    /// Answers each message with the next of `answers`, connection after connection.
    async fn start(answers: Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
        let port = listener.local_addr().expect("bound").port();
        let told = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&told);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                for answer in &answers {
                    let mut message = vec![0; 1024];
                    let len = stream.read(&mut message).await.unwrap_or_default();
                    message.truncate(len);
                    written.lock().expect("whole").push(message);
                    let _ = stream.write_all(answer).await;
                }
            }
        });
        Self { port, told }
    }

    fn told(&self) -> Vec<Vec<u8>> {
        self.told.lock().expect("whole").clone()
    }
}

fn net(scheme: &str, port: u16, allow: &[&str], server: &NameServer) -> Net {
    let proxy = Some(format!("{scheme}://127.0.0.1:{port}").parse().expect("a proxy"));
    let (guard, name_servers) = (guard(allow), vec![server.address]);
    Net::new(NetOptions { guard, name_servers, proxy, ..NetOptions::default() }).expect("options")
}

#[tokio::test]
async fn a_proxy_is_told_an_address_and_no_name() {
    let zone = zone();
    let proxy = Scripted::start(vec![b"HTTP/1.1 200 OK\r\nVia: x\r\n\r\n220 hello".to_vec()]).await;
    let net = net("http", proxy.port, &["127.0.0.0/8"], &zone);
    let mut connection = connect(&net, "http", "loop2.test", 8080).await.expect("through");
    assert_eq!(connection.address.to_string(), "127.0.0.2");
    let told = b"CONNECT 127.0.0.2:8080 HTTP/1.1\r\nHost: 127.0.0.2:8080\r\n\r\n".to_vec();
    assert_eq!(proxy.told(), [told]);
    // The host's first bytes are the host's, though they came with the proxy's answer.
    let mut greeting = [0; 9];
    connection.stream.read_exact(&mut greeting).await.expect("a greeting");
    assert_eq!(&greeting, b"220 hello");
}

#[tokio::test]
async fn a_proxy_hears_of_nothing_that_is_closed() {
    let zone = zone();
    let proxy = Scripted::start(vec![b"HTTP/1.1 200 OK\r\n\r\n".to_vec()]).await;
    let net = net("http", proxy.port, &[], &zone);
    for host in ["loop.test", "127.0.0.1", "far.test", "[::ffff:7f00:1]", "nat.test"] {
        let found = connect(&net, "http", host, 80).await;
        assert_eq!(class_of(found, host), Class::PolicyAddress);
    }
    let found = connect(&net, "gopher", "8.8.8.8", 25).await;
    assert_eq!(class_of(found, "port"), Class::PolicyPort);
    assert_eq!(proxy.told(), Vec::<Vec<u8>>::new());
}

#[tokio::test]
async fn what_a_proxy_says_has_a_class() {
    let zone = zone();
    let mut flood = b"HTTP/1.1 200 OK\r\n".to_vec();
    flood.extend([b'x'; 10_000]);
    let cases = [
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n".to_vec(), Class::Unreachable),
        (b"HTTP/1.0 403 Filtered\r\n\r\n".to_vec(), Class::Unverifiable),
        (b"HTTP/1.1 407 Login\r\n\r\n".to_vec(), Class::Unverifiable),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n".to_vec(), Class::Unverifiable),
        (flood, Class::Unverifiable),
    ];
    for (answer, class) in cases {
        let proxy = Scripted::start(vec![answer]).await;
        let net = net("http", proxy.port, &["127.0.0.0/8"], &zone);
        assert_eq!(class_of(connect(&net, "http", "loop.test", 80).await, "proxy"), class);
    }
    let proxy = Scripted::start(Vec::new()).await;
    let ended = net("http", proxy.port, &["127.0.0.0/8"], &zone);
    let found = connect(&ended, "http", "loop.test", 80).await;
    assert_eq!(class_of(found, "an end"), Class::Unverifiable);
}

#[tokio::test]
async fn socks_is_told_an_address() {
    let zone = zone();
    let bound = vec![5, 0, 0, 1, 1, 2, 3, 4, 5, 6];
    let proxy = Scripted::start(vec![vec![5, 0], bound]).await;
    let through = net("socks5", proxy.port, &["127.0.0.0/8"], &zone);
    connect(&through, "http", "loop2.test", 80).await.expect("through");
    assert_eq!(proxy.told(), [vec![5, 1, 0], vec![5, 1, 0, 1, 127, 0, 0, 2, 0, 80]]);
    let cases = [
        (vec![vec![5, 2]], Class::Unverifiable),
        (vec![vec![5, 0], vec![5, 2, 0, 1, 0, 0, 0, 0, 0, 0]], Class::Unverifiable),
        (vec![vec![5, 0], vec![5, 5, 0, 3, 1, b'x', 0, 0]], Class::Refused),
        (vec![vec![5, 0], vec![5, 4, 0, 1, 0, 0, 0, 0, 0, 0]], Class::Unreachable),
        (vec![vec![5, 0], vec![4, 0, 0, 1, 0, 0, 0, 0, 0, 0]], Class::Unverifiable),
        (vec![vec![5, 0], vec![5, 0, 0, 9]], Class::Unverifiable),
    ];
    for (answers, class) in cases {
        let proxy = Scripted::start(answers.clone()).await;
        let net = net("socks5", proxy.port, &["127.0.0.0/8"], &zone);
        let found = connect(&net, "http", "loop.test", 80).await;
        assert_eq!(class_of(found, &format!("{answers:?}")), class);
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_says_nothing_of_hosts() {
    let zone = zone();
    let net = net("http", free_port(), &["127.0.0.0/8"], &zone);
    let failure = connect(&net, "http", "loop.test", 80).await.expect_err("nobody is there");
    assert_eq!(failure.class, Class::Unverifiable);
    assert!(failure.message.starts_with("the proxy cannot be reached"), "{}", failure.message);
}

/// A port that nobody listens at.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0");
    listener.and_then(|listener| listener.local_addr()).expect("a free port").port()
}

/// tinyproxy on a port of its own, until the test is over.
struct Tinyproxy {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Tinyproxy {
    fn start() -> Self {
        let port = free_port();
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("tinyproxy.conf");
        let text = format!("Port {port}\nListen 127.0.0.1\nMaxClients 10\nLogLevel Info\n");
        std::fs::write(&file, text).expect("written");
        let mut child = Command::new("tinyproxy")
            .arg("-d")
            .arg("-c")
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("tinyproxy runs: it is in the Debian package tinyproxy");
        let log = BufReader::new(child.stdout.take().expect("piped"));
        let is_ready = log.lines().map_while(Result::ok).any(|line| line.contains("Accepting"));
        assert!(is_ready, "tinyproxy ends before it takes connections");
        Self { child, port, _folder: folder }
    }
}

impl Drop for Tinyproxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn tinyproxy_lets_through_what_the_guard_does() {
    let (zone, sink) = (zone(), Sink::start());
    let proxy = Tinyproxy::start();
    let open = net("http", proxy.port, &["127.0.0.0/8"], &zone);
    for host in ["127.0.0.1", "loop.test", "far.test"] {
        connect(&open, "http", host, sink.port).await.expect(host);
    }
    let closed = net("http", proxy.port, &[], &zone);
    let found = connect(&closed, "http", "loop.test", sink.port).await;
    assert_eq!(class_of(found, "closed"), Class::PolicyAddress);
    assert_eq!(sink.hits("127.0.0.1"), 3);
    let nobody = connect(&open, "http", "127.0.0.1", free_port()).await;
    assert_eq!(class_of(nobody, "nobody listens"), Class::Unreachable);
}
