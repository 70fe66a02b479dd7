//! A web server on loopback that answers every request with an empty page, and records the
//! requests. It supports neither proxies nor TLS; it reads heads of requests (RFC 9112 §2.1) and no
//! bodies.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n";

pub(crate) struct Canary {
    pub(crate) address: SocketAddr,
    listener: TcpListener,
    thread: JoinHandle<BTreeSet<String>>,
}

impl Canary {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let own = listener.try_clone().expect("a second handle");
        Self { address, listener, thread: thread::spawn(move || listen(&own)) }
    }

    /// Returns the first lines of all requests. The client must have ended.
    pub(crate) fn requests(self) -> BTreeSet<String> {
        // Whatever waits is still taken; then there is nobody to wait for.
        self.listener.set_nonblocking(true).expect("a socket");
        drop(TcpStream::connect(self.address).expect("it listens"));
        self.thread.join().expect("it listened to the end")
    }
}

fn listen(listener: &TcpListener) -> BTreeSet<String> {
    let readers = listener.incoming().map_while(Result::ok);
    let readers: Vec<_> = readers.map(|stream| thread::spawn(move || read(&stream))).collect();
    readers.into_iter().flat_map(|reader| reader.join().expect("it read to the end")).collect()
}

/// Answers each request of one connection; gives what they were for. What is cut is one, too.
fn read(stream: &TcpStream) -> Vec<String> {
    let mut requests = Vec::new();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    while let Some(first) = lines.next() {
        requests.push(first);
        let is_whole = lines.by_ref().any(|line| line.is_empty());
        if !is_whole || { stream }.write_all(PAGE).is_err() {
            break;
        }
    }
    requests
}
