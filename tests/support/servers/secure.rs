//! An HTTPS server that presents a different certificate at each address, one for each reason to
//! distrust it.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use rcgen::{CertificateParams, KeyPair, SerialNumber, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::authority::{Issuer, REVOKED, authority, revoked};

/// Prefix of paths that redirect to their rest; all other pages are empty.
pub(crate) const AWAY: &str = "/away?";

/// The certificate or the reply of a host of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown {
    /// A certificate of the authority, for this host.
    Trusted,
    Expired,
    NotYet,
    /// One for another name.
    Other,
    /// One of an authority that nobody knows.
    Stranger,
    SelfSigned,
    /// The alert that says there is no version in common (RFC 8446 §6.2).
    Legacy,
    /// HTTP.
    Plain,
    /// One that the authority took back.
    Revoked,
    /// A certificate of the authority, HTTP/1.1, and over HTTP/2 these frames alone.
    Frames(&'static [u8]),
}

/// The server. Its threads end with the test's process.
pub(crate) struct Secure {
    pub(crate) port: u16,
    /// The authority's certificate, as PEM.
    pub(crate) authority: String,
    /// The authority's list of certificates that it took back, as PEM.
    pub(crate) revoked: String,
}

/// HTTP/2 in a handshake of TLS (RFC 9113 §3.2).
const H2: &[u8] = b"h2";

enum Host {
    Secure(Arc<ServerConfig>),
    Framed(Arc<ServerConfig>, &'static [u8]),
    Says(&'static [u8]),
}

impl Secure {
    /// Shows each of `hosts` at its address in 127.0.7/24.
    pub(crate) fn start(hosts: &[(u8, Shown)]) -> Self {
        let (ours, theirs) = (authority("ours"), authority("theirs"));
        let (pem, revoked) = (ours.as_ref().pem(), revoked(&ours).pem().expect("as PEM"));
        let host = |(number, shown): &(u8, Shown)| {
            let address = Ipv4Addr::new(127, 0, 7, *number);
            (address, Arc::new(host(address, *shown, &ours, &theirs)))
        };
        let hosts: HashMap<_, _> = hosts.iter().map(host).collect();
        let listener = TcpListener::bind("0.0.0.0:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Ok(SocketAddr::V4(address)) = stream.local_addr() else { continue };
                let host = hosts.get(address.ip()).cloned();
                thread::spawn(move || host.and_then(|host| serve(stream, &host)));
            }
        });
        Self { port, authority: pem, revoked }
    }
}

fn host(address: Ipv4Addr, shown: Shown, ours: &Issuer, theirs: &Issuer) -> Host {
    let key = KeyPair::generate().expect("a key");
    let name =
        if matches!(shown, Shown::Other) { "other.test".into() } else { address.to_string() };
    let mut params = CertificateParams::new(vec![name]).expect("a name");
    let issuer = if matches!(shown, Shown::Stranger) { theirs } else { ours };
    match shown {
        Shown::Legacy => return Host::Says(&[21, 3, 1, 0, 2, 2, 70]),
        Shown::Plain => return Host::Says(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        Shown::Expired => {
            params.not_before = date_time_ymd(2001, 1, 1);
            params.not_after = date_time_ymd(2002, 2, 3);
        }
        Shown::NotYet => {
            params.not_before = date_time_ymd(3000, 1, 2);
            params.not_after = date_time_ymd(3001, 1, 1);
        }
        Shown::Revoked => params.serial_number = Some(SerialNumber::from(REVOKED)),
        _ => {}
    }
    let certificate = match shown {
        Shown::SelfSigned => params.self_signed(&key),
        _ => params.signed_by(&key, issuer),
    };
    let certificate = certificate.expect("signed").der().clone();
    let mut config = configuration(certificate, &key);
    if let Shown::Frames(frames) = shown {
        config.alpn_protocols = vec![H2.to_vec(), b"http/1.1".to_vec()];
        return Host::Framed(Arc::new(config), frames);
    }
    Host::Secure(Arc::new(config))
}

fn configuration(certificate: CertificateDer<'static>, key: &KeyPair) -> ServerConfig {
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a pair")
}

/// Answers one connection.
fn serve(mut stream: TcpStream, host: &Host) -> Option<()> {
    let (config, frames) = match host {
        Host::Secure(config) => (config, None),
        Host::Framed(config, frames) => (config, Some(*frames)),
        Host::Says(bytes) => {
            let _ = stream.read(&mut [0; 4096]).ok()?;
            return stream.write_all(bytes).ok();
        }
    };
    let connection = ServerConnection::new(Arc::clone(config)).ok()?;
    let mut stream = StreamOwned::new(connection, stream);
    if let Some(frames) = frames {
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock).ok()?;
        }
        if stream.conn.alpn_protocol() == Some(H2) {
            stream.write_all(frames).ok()?;
            stream.flush().ok()?;
            while stream.read(&mut [0; 4096]).ok()? > 0 {}
            return None;
        }
    }
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        text.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let place = text.split(' ').nth(1).and_then(|target| target.strip_prefix(AWAY));
    let head = place.map_or("200 OK".to_owned(), |place| format!("302 Found\r\nLocation: {place}"));
    let answer = format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).ok()?;
    stream.conn.send_close_notify();
    stream.flush().ok()
}
