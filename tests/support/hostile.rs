//! A server that follows no protocol: it plays a script on each connection, and records what it
//! received and how much of its output was read. It listens on a port of loopback that the system
//! picks, with a thread for each connection, and ends when it is dropped.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

pub(crate) mod table;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Maximum number of bytes of an endless answer: a client that reads more has no limit.
pub(crate) const FLOOD_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// One thing that the server does to a connection.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Reads up to an empty line, and remembers it.
    Hear,
    /// Reads up to the end of a line, and remembers it.
    HearLine,
    /// Waits until something was said and leaves it unread. A connection that is closed in
    /// this state is reset (RFC 1122 §4.2.2.13).
    Overhear,
    /// Says this.
    Say(Vec<u8>),
    /// Says this byte by byte, with a pause before each.
    Drip(Vec<u8>, Duration),
    /// Says this again and again until the other side goes away.
    Forever(Vec<u8>),
    /// Says nothing until the other side goes away.
    Stall,
}

/// The steps for one connection; it is closed at the end.
pub(crate) type Script = Vec<Step>;

/// `text` as a step.
pub(crate) fn say(text: impl AsRef<[u8]>) -> Step {
    Step::Say(text.as_ref().to_vec())
}

#[derive(Default)]
struct Seen {
    is_over: AtomicBool,
    connections: AtomicUsize,
    taken: AtomicU64,
    heard: Mutex<Vec<String>>,
}

/// The server.
pub(crate) struct Hostile {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
    accepting: Option<JoinHandle<()>>,
}

impl Hostile {
    /// Plays `script` to every connection.
    pub(crate) fn start(script: Script) -> Self {
        Self::start_in_turn(vec![script])
    }

    /// Plays each of `scripts` to one connection, and the last to all that follow.
    pub(crate) fn start_in_turn(scripts: Vec<Script>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let seen = Arc::new(Seen::default());
        let of_thread = Arc::clone(&seen);
        let accepting = thread::spawn(move || accept(&listener, &scripts, &of_thread));
        Self { address, seen, accepting: Some(accepting) }
    }

    /// Connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.seen.connections.load(SeqCst)
    }

    /// Bytes that the other side took, or that wait for it in the system's buffers.
    pub(crate) fn taken(&self) -> u64 {
        self.seen.taken.load(SeqCst)
    }

    /// Returns what the server received, in order.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.seen.heard.lock().expect("no panic before").clone()
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        self.seen.is_over.store(true, SeqCst);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn accept(listener: &TcpListener, scripts: &[Script], seen: &Arc<Seen>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        if seen.is_over.load(SeqCst) {
            return;
        }
        let number = seen.connections.fetch_add(1, SeqCst);
        let script = scripts.get(number).or(scripts.last()).cloned().unwrap_or_default();
        let seen = Arc::clone(seen);
        // Not waited for: it ends when the other side goes away, which may be after the test.
        thread::spawn(move || play(stream, script, &seen));
    }
}

/// Plays until the script or the connection ends.
fn play(mut stream: TcpStream, script: Script, seen: &Seen) -> Option<()> {
    let _ = stream.set_nodelay(true);
    for step in script {
        match step {
            Step::Hear => hear(&mut stream, b"\r\n\r\n", seen)?,
            Step::HearLine => hear(&mut stream, b"\n", seen)?,
            Step::Overhear => {
                stream.peek(&mut [0]).ok().filter(|len| *len > 0)?;
            }
            Step::Say(bytes) => tell(&mut stream, &bytes, seen)?,
            Step::Drip(bytes, pause) => {
                for byte in bytes {
                    wait(&stream, pause)?;
                    tell(&mut stream, &[byte], seen)?;
                }
            }
            Step::Forever(bytes) => {
                // In large pieces, or the test would be of this loop's speed.
                let piece = bytes.repeat(1 + 16 * 1024 / bytes.len());
                while seen.taken.load(SeqCst) < FLOOD_BYTES_MAX {
                    tell(&mut stream, &piece, seen)?;
                }
            }
            Step::Stall => while stream.read(&mut [0; 1024]).ok()? > 0 {},
        }
    }
    Some(())
}

/// Reads up to `end`; none when the other side ends before.
fn hear(stream: &mut TcpStream, end: &[u8], seen: &Seen) -> Option<()> {
    let mut heard = Vec::new();
    let mut byte = [0];
    while !heard.ends_with(end) {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        heard.push(byte[0]);
    }
    let heard = String::from_utf8_lossy(&heard).into_owned();
    seen.heard.lock().expect("no panic before").push(heard);
    Some(())
}

fn tell(stream: &mut TcpStream, bytes: &[u8], seen: &Seen) -> Option<()> {
    stream.write_all(bytes).ok()?;
    seen.taken.fetch_add(bytes.len() as u64, SeqCst);
    Some(())
}

/// Lets `pause` go by; none when the other side goes away in the meantime.
fn wait(stream: &TcpStream, pause: Duration) -> Option<()> {
    stream.set_read_timeout(Some(pause)).ok()?;
    let is_gone = matches!(stream.peek(&mut [0]), Ok(0));
    stream.set_read_timeout(None).ok()?;
    (!is_gone).then_some(())
}
