//! An HTTP/1.1 server that answers as the test specifies, and records the requests in order. It
//! listens on every address of this machine, so that each address of 127/8 is a host.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// The first byte of a handshake of TLS (RFC 8446 §5.1).
const TLS_HANDSHAKE: u8 = 22;

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The request target.
    pub(crate) target: String,
    /// The whole request.
    pub(crate) text: String,
    pub(crate) at: Instant,
}

/// The answer to a request.
pub(crate) enum Reply {
    /// A code, header fields that end in CRLF each, and a page.
    Page(u16, String, String),
    /// These bytes, and then the end.
    Raw(Vec<u8>),
    /// Nothing, until the other side goes away.
    Silence,
    /// Nothing before the test says so, and then a page.
    Held(Arc<Gate>),
}

impl Reply {
    /// An empty page.
    pub(crate) fn code(code: u16) -> Self {
        Self::Page(code, String::new(), String::new())
    }

    /// A redirect.
    pub(crate) fn to(code: u16, place: &str) -> Self {
        Self::Page(code, format!("Location: {place}\r\n"), String::new())
    }

    pub(crate) fn html(page: &str) -> Self {
        Self::Page(200, "Content-Type: text/html\r\n".to_owned(), page.to_owned())
    }
}

/// A gate at which answers wait.
pub(crate) struct Gate(Mutex<Receiver<()>>);

impl Gate {
    /// A gate, and what opens it when it is dropped.
    pub(crate) fn new() -> (Arc<Self>, Sender<()>) {
        let (opens, waits) = channel();
        (Arc::new(Self(Mutex::new(waits))), opens)
    }

    fn wait(&self) {
        // An error says that the other end is gone, which is what opens it for all.
        let _ = lock(&self.0).recv();
    }
}

/// The server. Its threads end with the test's process.
pub(crate) struct Site {
    pub(crate) port: u16,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    connections: Mutex<usize>,
    requests: Mutex<Vec<Request>>,
    /// Every byte that came.
    bytes: Mutex<Vec<u8>>,
    /// Notified of each request.
    watchers: Mutex<Vec<Sender<String>>>,
}

impl Site {
    pub(crate) fn start(reply: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::on("0.0.0.0:0", reply)
    }

    /// The same, at an address of its own.
    pub(crate) fn on(
        address: &str,
        reply: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let (seen, reply) = (Arc::new(Seen::default()), Arc::new(reply));
        let of_thread = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                *lock(&of_thread.connections) += 1;
                let (seen, reply) = (Arc::clone(&of_thread), Arc::clone(&reply));
                thread::spawn(move || serve(stream, &seen, &*reply));
            }
        });
        Self { port, seen }
    }

    /// `http://HOST:PORT` and `path`; the host is the address of this number in 127.0.7/24.
    pub(crate) fn uri(&self, host: u8, path: &str) -> String {
        format!("http://127.0.7.{host}:{}{path}", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        lock(&self.seen.requests).clone()
    }

    /// `METHOD target` of each request, in order.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |request: &Request| format!("{} {}", request.method, request.target);
        self.requests().iter().map(line).collect()
    }

    pub(crate) fn connections(&self) -> usize {
        *lock(&self.seen.connections)
    }

    /// All that was sent to it.
    pub(crate) fn heard(&self) -> String {
        String::from_utf8_lossy(&lock(&self.seen.bytes)).into_owned()
    }

    /// Returns a receiver of the target of each request from here on.
    pub(crate) fn watch(&self) -> Receiver<String> {
        let (tells, hears) = channel();
        lock(&self.seen.watchers).push(tells);
        hears
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers the requests of one connection.
fn serve(mut stream: TcpStream, seen: &Seen, reply: &dyn Fn(&Request) -> Reply) -> Option<()> {
    let _ = stream.set_nodelay(true);
    loop {
        let text = hear(&mut stream, seen)?;
        let mut words = text.split(' ').map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let request = Request { method, target, text, at: Instant::now() };
        lock(&seen.requests).push(request.clone());
        lock(&seen.watchers).retain(|watcher| watcher.send(request.target.clone()).is_ok());
        let is_head = request.method == "HEAD";
        match reply(&request) {
            Reply::Page(code, fields, page) => tell(&mut stream, code, &fields, &page, is_head)?,
            Reply::Raw(bytes) => return stream.write_all(&bytes).ok(),
            Reply::Silence => return stream.read_to_end(&mut Vec::new()).map(|_| ()).ok(),
            Reply::Held(gate) => {
                gate.wait();
                tell(&mut stream, 200, "", "", is_head)?;
            }
        }
    }
}

fn tell(stream: &mut TcpStream, code: u16, fields: &str, page: &str, is_head: bool) -> Option<()> {
    let len = page.len();
    let page = if is_head { "" } else { page };
    let text = format!("HTTP/1.1 {code} Some Words\r\nContent-Length: {len}\r\n{fields}\r\n{page}");
    stream.write_all(text.as_bytes()).ok()
}

/// Reads up to an empty line.
fn hear(stream: &mut TcpStream, seen: &Seen) -> Option<String> {
    let mut text = Vec::new();
    let is_whole = read_head(stream, &mut text).is_some();
    // In one piece: several connections are heard at once.
    lock(&seen.bytes).extend(&text);
    is_whole.then(|| String::from_utf8_lossy(&text).into_owned())
}

fn read_head(stream: &mut TcpStream, text: &mut Vec<u8>) -> Option<()> {
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        text.push(byte[0]);
        // A client that begins a TLS handshake waits for the other side.
        if *text == [TLS_HANDSHAKE] {
            return None;
        }
    }
    Some(())
}
