//! An HTTP server on several addresses that counts requests for each link, and can hold back its
//! answers.
//!
//! A path is `/KIND/NUMBER`: the kind of answer, and the number of the link. All redirects of a
//! link have its number, so that the count of a link includes that of its redirects.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

/// Its addresses differ in the last byte, so that each of them is a host.
const HOSTS: u8 = 4;

/// The requests so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Count {
    /// For each link.
    pub(crate) links: HashMap<u32, u64>,
    pub(crate) total: u64,
    /// Of these, those that asked for a change only.
    pub(crate) conditional: u64,
}

struct Request {
    kind: String,
    number: u32,
    known: Option<String>,
    /// How many had come when it came.
    own: u64,
}

#[derive(Default)]
struct State {
    count: Count,
    /// From this request on none is answered.
    held_from: Option<u64>,
    /// The requests after which no more requests follow for their link.
    last: Vec<u64>,
    /// Links that are sent on to what is missing: who was sent there by `HEAD` comes again.
    sent_on: HashSet<u32>,
    /// Links of which what is missing was asked for by `HEAD` last.
    by_head: HashSet<u32>,
    /// Whether no client will send another request.
    is_over: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    hosts: Vec<SocketAddr>,
}

/// The server; it runs until the test does not.
#[derive(Clone)]
pub(crate) struct Server(Arc<Shared>);

impl Server {
    pub(crate) fn start() -> Self {
        let listen =
            |host| TcpListener::bind(SocketAddr::from(([127, 0, 9, host], 0))).expect("a port");
        let listeners: Vec<_> = (1..=HOSTS).map(listen).collect();
        let address = |listener: &TcpListener| listener.local_addr().expect("an address");
        let hosts = listeners.iter().map(address).collect();
        let server = Self(Arc::new(Shared { hosts, ..Shared::default() }));
        for listener in listeners {
            let server = server.clone();
            thread::spawn(move || {
                for stream in listener.incoming().filter_map(Result::ok) {
                    let Some(request) = server.hear(&stream) else { continue };
                    let server = server.clone();
                    thread::spawn(move || server.reply(&stream, &request));
                }
            });
        }
        server
    }

    /// The host of the link that has this number.
    pub(crate) fn host(&self, number: u32) -> SocketAddr {
        self.0.hosts[number as usize % self.0.hosts.len()]
    }

    pub(crate) fn count(&self) -> Count {
        self.state().count.clone()
    }

    /// Answers `more` requests less one, and holds those back that come then.
    pub(crate) fn hold_from(&self, more: u64) {
        let mut state = self.state();
        state.held_from = Some(state.count.total + more);
        state.is_over = false;
        self.0.changed.notify_all();
    }

    /// Answers all.
    pub(crate) fn release(&self) {
        self.state().held_from = None;
        self.0.changed.notify_all();
    }

    /// Notifies waiting threads that no more requests follow.
    pub(crate) fn end(&self) {
        self.state().is_over = true;
        self.0.changed.notify_all();
    }

    /// Waits until answers are held back; returns false if that will not happen.
    pub(crate) fn wait(&self) -> bool {
        let waits = |state: &mut State| {
            !state.is_over && state.held_from.is_some_and(|from| state.count.total < from)
        };
        let state = self.0.changed.wait_while(self.state(), waits).expect("a sound server");
        state.held_from.is_some_and(|from| state.count.total >= from)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().expect("a sound server")
    }

    /// Reports whether a link has had its last answer, of those requested after the first
    /// `requests`.
    pub(crate) fn has_settled_since(&self, requests: u64) -> bool {
        let state = self.state();
        let held_from = state.held_from.unwrap_or(u64::MAX);
        state.last.iter().any(|own| (requests + 1..held_from).contains(own))
    }

    /// Waits until all is counted that was sent before: each host hears one after the other.
    pub(crate) fn settle(&self) {
        for host in &self.0.hosts {
            let mut stream = TcpStream::connect(host).expect("a server");
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("a server");
            // Nothing comes but the end, in one way or another.
            let _ = stream.read_to_end(&mut Vec::new());
        }
    }

    /// Counts the one request of a connection.
    fn hear(&self, stream: &TcpStream) -> Option<Request> {
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let first = lines.next()?;
        let fields: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
        let (kind, rest) = first.split(' ').nth(1)?.strip_prefix('/')?.split_once('/')?;
        let number = rest.trim_end_matches(|it: char| !it.is_ascii_digit()).parse().ok()?;
        let known = fields.iter().find_map(|line| line.strip_prefix("if-none-match: "));
        let mut state = self.state();
        *state.count.links.entry(number).or_default() += 1;
        state.count.total += 1;
        state.count.conditional += u64::from(known.is_some());
        self.0.changed.notify_all();
        let (kind, known, own) = (kind.to_owned(), known.map(str::to_owned), state.count.total);
        // A link that exists is not requested again, nor is a missing one after a `GET`: except
        // links that have another form.
        let is_missing = matches!(&*kind, "missing" | "gone" | "forbidden" | "fails");
        let is_get = first.starts_with("GET ");
        if kind == "found" {
            state.sent_on.insert(number);
        }
        if is_missing && !is_get {
            state.by_head.insert(number);
        }
        let was_by_head = is_missing && is_get && state.by_head.remove(&number);
        let comes_again = was_by_head && state.sent_on.contains(&number);
        if kind == "alive" || is_missing && is_get && !comes_again {
            state.last.push(own);
        }
        Some(Request { kind, number, known, own })
    }

    /// Sends the answer when allowed. A client that was killed does not receive it.
    fn reply(&self, mut stream: &TcpStream, request: &Request) {
        let is_held = |state: &mut State| state.held_from.is_some_and(|from| request.own >= from);
        drop(self.0.changed.wait_while(self.state(), is_held).expect("a sound server"));
        let answer = self.answer(&request.kind, request.number, request.known.as_deref());
        let _ = write!(stream, "HTTP/1.1 {answer}content-length: 0\r\nconnection: close\r\n\r\n");
    }

    /// Status and fields.
    fn answer(&self, kind: &str, number: u32, known: Option<&str>) -> String {
        let etag = format!("\"{number}\"");
        let next = self.host(number + 1);
        match kind {
            "alive" if known == Some(&etag) => "304 Not Modified\r\n".to_owned(),
            "alive" => format!("200 OK\r\netag: {etag}\r\n"),
            "moved" => format!("301 Moved Permanently\r\nlocation: /hop/{number}\r\n"),
            "hop" => format!("308 Permanent Redirect\r\nlocation: //{next}/alive/{number}\r\n"),
            "found" => format!("302 Found\r\nlocation: /lost/{number}\r\n"),
            "lost" => {
                format!("302 Found\r\nlocation: http://u:hunter2@{next}/missing/{number}\r\n")
            }
            "circle" => format!("302 Found\r\nlocation: /circle/{number}\r\n"),
            "forbidden" => "403 Forbidden\r\n".to_owned(),
            "gone" => "410 Gone\r\n".to_owned(),
            "fails" => "500 Internal Server Error\r\n".to_owned(),
            _ => "404 Not Found\r\n".to_owned(),
        }
    }
}
