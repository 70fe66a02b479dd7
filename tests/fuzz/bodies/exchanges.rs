//! Any bytes as what a server says: each question has its answer, and none takes for ever.
//!
//! The bytes come over loopback, since nothing but a connection makes a dialogue.

use std::net::SocketAddr;
use std::time::Duration;

use linktrawl::internal::grammar::split;
use linktrawl::internal::probe::guard::Guard;
use linktrawl::internal::probe::tcp::{Net, NetOptions, Timeouts};
use linktrawl::internal::probe::{self, Level, Question};
use tokio::net::{TcpListener, UdpSocket};
use tokio::runtime::Builder;

/// Bytes of a request that are read before the reply: one read is enough for ours.
const REQUEST_BYTES_MAX: usize = 4096;
/// A name server that makes no sense is left after this time.
const RESOLVING: Duration = Duration::from_millis(20);
/// Any other server is left after this time.
const ASKING: Duration = Duration::from_secs(1);

fn options(total: Duration, name_servers: Vec<SocketAddr>) -> NetOptions {
    let allow = "127.0.0.0/8".parse().into_iter().collect();
    NetOptions {
        guard: Guard { allow, ..Guard::default() },
        timeouts: Timeouts { connect: total, tls: total, total },
        name_servers,
        ..NetOptions::default()
    }
}

/// Asks for `text` at `level`.
async fn ask(text: &str, level: Level, options: NetOptions) {
    let net = Net::new(options).expect("the options are in order");
    let uri = split(text.as_bytes());
    let question = Question { uri, level, wants_body: level == Level::Get, validators: None };
    let scheme = text.split(':').next().unwrap_or_default();
    probe::find(scheme).expect("it is probed").ask(question, &net, &mut None).await;
}

/// Writes `reply` to each client in turn, after its first bytes.
async fn serve(listener: TcpListener, reply: &[u8]) {
    while let Ok((stream, _)) = listener.accept().await {
        let mut request = [0; REQUEST_BYTES_MAX];
        // Servers of FTP and NNTP speak first: what is there already is all that is waited for.
        let _ = stream.try_read(&mut request);
        let mut written = 0;
        while written < reply.len() && stream.writable().await.is_ok() {
            match stream.try_write(&reply[written..]) {
                Ok(len) => written += len,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
        }
    }
}

fn with_server(scheme: &str, level: Level, reply: &[u8]) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
        let link = format!("{scheme}://{}/1/2", listener.local_addr().expect("it is bound"));
        tokio::select! {
            () = serve(listener, reply) => {}
            () = ask(&link, level, options(ASKING, Vec::new())) => {}
        }
    });
}

/// Servers of FTP, gopher and NNTP.
pub(crate) fn replies(bytes: &[u8]) {
    let Some((&first, reply)) = bytes.split_first() else { return };
    let schemes = ["ftp", "gopher", "nntp"];
    with_server(schemes[usize::from(first) % schemes.len()], Level::Head, reply);
}

/// Servers of HTTP: a head, a body, and what follows it.
pub(crate) fn http(bytes: &[u8]) {
    let Some((&first, reply)) = bytes.split_first() else { return };
    let levels = [Level::Head, Level::Get];
    with_server("http", levels[usize::from(first) % levels.len()], reply);
}

/// Name servers: the header and the question are right, the records are not.
pub(crate) fn dns(bytes: &[u8]) {
    let Some((counts, records)) = bytes.split_at_checked(3) else { return };
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let socket = UdpSocket::bind("127.0.0.1:0").await.expect("loopback");
        let address = socket.local_addr().expect("it is bound");
        let options = options(RESOLVING, vec![address]);
        tokio::select! {
            () = resolve(&socket, counts, records) => {}
            () = ask("http://h.example/", Level::Host, options) => {}
        }
    });
}

/// Answers each query with its own question and these `records` (RFC 1035 §4.1).
async fn resolve(socket: &UdpSocket, counts: &[u8], records: &[u8]) {
    let mut query = [0; 512];
    while let Ok((len, peer)) = socket.recv_from(&mut query).await {
        let mut reply = query[..len.max(12)].to_vec();
        // A response, recursion available, no error; as many records as the input says.
        reply[2..4].copy_from_slice(&[0x81, 0x80]);
        for (place, count) in [7, 9, 11].into_iter().zip(counts) {
            reply[place - 1] = 0;
            reply[place] = *count;
        }
        reply.extend_from_slice(records);
        let _ = socket.send_to(&reply, peer).await;
    }
}
