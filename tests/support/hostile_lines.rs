//! A scripted line server on loopback that records every byte it receives.
//!
//! A script is a list of steps; each is a mark and text with the escapes of Rust:
//!
//! ```text
//! >TEXT    hears one line (the whole conversation is compared at the end)
//! <TEXT    says TEXT and CR LF
//! ~TEXT    says TEXT
//! =drip T  says T forever, byte by byte
//! =flood T says T forever, as fast as it can
//! =hold    says nothing more, and stays
//! =reset   breaks the connection
//! ```
//! A script that is over closes its side, and hears what still comes.

pub(crate) mod veil;

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Between two bytes of a drip: a hundred of them are beyond every deadline of these tests.
const DRIP_GAP: Duration = Duration::from_millis(5);
/// Maximum number of bytes of a flood, in case no client hangs up.
const FLOOD_LEN_MAX: usize = 256 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Hear(Vec<u8>),
    Say(Vec<u8>),
    Drip(Vec<u8>),
    Flood(Vec<u8>),
    Hold,
    Reset,
}

impl Step {
    pub(crate) fn parse(text: &str) -> Self {
        let (mark, rest) = text.split_at(1);
        let line = || [unescaped(rest), b"\r\n".to_vec()].concat();
        match (mark, rest.split_once(' ').unwrap_or((rest, ""))) {
            (">", _) => Self::Hear(line()),
            ("<", _) => Self::Say(line()),
            ("~", _) => Self::Say(unescaped(rest)),
            ("=", ("drip", text)) => Self::Drip(unescaped(text)),
            ("=", ("flood", text)) => Self::Flood(unescaped(text)),
            ("=", ("hold", "")) => Self::Hold,
            ("=", ("reset", "")) => Self::Reset,
            _ => panic!("expected a step, found {text:?}"),
        }
    }
}

/// Returns what a client that follows the script sends.
pub(crate) fn client_side(script: &[Step]) -> Vec<u8> {
    let heard = script.iter().filter_map(|step| match step {
        Step::Hear(line) => Some(line.as_slice()),
        _ => None,
    });
    heard.collect::<Vec<_>>().concat()
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        let byte = match char {
            '\\' => match chars.next().expect("an escape") {
                'r' => b'\r',
                'n' => b'\n',
                't' => b'\t',
                '0' => 0,
                '\\' => b'\\',
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    u8::from_str_radix(&digits, 16).expect("two hexadecimal digits")
                }
                other => panic!("\\{other} is no escape"),
            },
            char => u8::try_from(char).expect("US-ASCII"),
        };
        bytes.push(byte);
    }
    bytes
}

/// A server for as many connections as it has scripts, one after the other.
pub(crate) struct Scripted {
    pub(crate) port: u16,
    /// Signals that no further client will connect.
    done: oneshot::Sender<()>,
    serving: JoinHandle<Vec<Vec<u8>>>,
}

impl Scripted {
    pub(crate) async fn start(scripts: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let (done, is_done) = oneshot::channel();
        let serving = tokio::spawn(serve(listener, scripts, is_done));
        Self { port, done, serving }
    }

    /// Returns what each connection sent, after the client has gone.
    pub(crate) async fn heard(self) -> Vec<Vec<u8>> {
        let _ = self.done.send(());
        self.serving.await.expect("the server goes on to the end")
    }
}

async fn serve(
    listener: TcpListener,
    scripts: Vec<Vec<Step>>,
    mut is_done: oneshot::Receiver<()>,
) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    // One more than there are scripts, so that a connection too many is noticed.
    for script in scripts.into_iter().chain([vec![]]) {
        // Connections that were made come first: they wait in the backlog.
        let stream = tokio::select! {
            biased;
            accepted = listener.accept() => accepted.expect("a connection").0,
            _ = &mut is_done => return all,
        };
        all.push(play(stream, script).await);
    }
    all
}

async fn play(mut stream: TcpStream, script: Vec<Step>) -> Vec<u8> {
    let mut heard = Vec::new();
    stream.set_nodelay(true).expect("an option of sockets");
    for step in script {
        match step {
            Step::Hear(_) => hear_line(&mut stream, &mut heard).await,
            // The client may have gone: then there is nobody to say it to.
            Step::Say(text) => drop(stream.write_all(&text).await),
            Step::Drip(text) => drip(&mut stream, &text).await,
            Step::Flood(text) => flood(&mut stream, &text).await,
            Step::Hold => drop(stream.read_to_end(&mut heard).await),
            Step::Reset => {
                stream.set_zero_linger().expect("an option of sockets");
                return heard;
            }
        }
    }
    let _ = stream.shutdown().await;
    let _ = stream.read_to_end(&mut heard).await;
    heard
}

async fn hear_line(stream: &mut TcpStream, heard: &mut Vec<u8>) {
    while let Ok(byte) = stream.read_u8().await {
        heard.push(byte);
        if byte == b'\n' {
            return;
        }
    }
}

async fn drip(stream: &mut TcpStream, text: &[u8]) {
    for byte in text.iter().cycle() {
        if stream.write_all(&[*byte]).await.is_err() {
            return;
        }
        tokio::time::sleep(DRIP_GAP).await;
    }
}

async fn flood(stream: &mut TcpStream, text: &[u8]) {
    let block = text.repeat((64 << 10) / text.len());
    for _ in 0..FLOOD_LEN_MAX / block.len() {
        if stream.write_all(&block).await.is_err() {
            return;
        }
    }
    panic!("nobody stopped the flood");
}
