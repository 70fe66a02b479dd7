//! Tunnels connections through a proxy, if the user configures one.
//!
//! Names are resolved and judged here, and the proxy receives an address: how it would resolve a
//! name cannot be checked from here. Environment variables are not read. Two protocols are
//! supported: HTTP's CONNECT (RFC 9110 §9.3.6), and SOCKS 5 without a login (RFC 1928).

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Failure;
use super::guard::{Host, ports};
use crate::error::Error;
use crate::finding::Class;

/// Maximum length of the answer to CONNECT in bytes, including its header fields, which are
/// ignored.
const HEAD_LEN_MAX: usize = 8192;
/// The forms of a proxy.
const WANTED: &str = "expected http://host:port or socks5://host:port";
/// The default port of SOCKS (RFC 1928 §3).
const SOCKS_PORT: u16 = 1080;

/// A proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    kind: ProxyKind,
    /// The proxy's host.
    pub host: Host,
    /// The proxy's port.
    pub port: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProxyKind {
    Http,
    Socks,
}

impl fmt::Display for Proxy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.kind {
            ProxyKind::Http => "http",
            ProxyKind::Socks => "socks5",
        };
        write!(out, "{scheme}://{}:{}", self.host, self.port)
    }
}

/// Parses `http://host:port` or `socks5://host:port`.
impl FromStr for Proxy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = |reason| Error::Proxy { text: text.to_owned(), reason };
        let split = text.split_once("://");
        let (scheme, rest) = split.ok_or_else(|| refuse(WANTED))?;
        let (kind, default) = match scheme.to_ascii_lowercase().as_str() {
            "http" => (ProxyKind::Http, 80),
            "socks5" => (ProxyKind::Socks, SOCKS_PORT),
            _ => return Err(refuse("expected the scheme http or socks5")),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#']) {
            return Err(refuse("expected nothing after the port"));
        }
        if authority.contains('@') {
            return Err(refuse("expected no login, which is not supported"));
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !authority.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let host = Host::parse(host.as_bytes()).map_err(|_| refuse("expected a host"))?;
        let port = match port.filter(|port| !port.is_empty()) {
            None => default,
            Some(port) => ports::read(scheme, Some(port.as_bytes()))
                .map_err(|_| refuse("expected a port from 1 to 65535"))?,
        };
        Ok(Self { kind, host, port })
    }
}

impl Proxy {
    /// Makes the proxy at the other end of `stream` connect to `target`.
    pub(super) async fn tunnel(
        &self,
        stream: &mut TcpStream,
        target: SocketAddr,
    ) -> Result<(), Failure> {
        let made = match self.kind {
            ProxyKind::Http => connect(stream, target).await,
            ProxyKind::Socks => socks(stream, target).await,
        };
        made.unwrap_or_else(|error| {
            let message = format!("the proxy ends the connection: {error}");
            Err(Failure::new(Class::Unverifiable, message))
        })
    }
}

/// The proxy's answer, or the error that broke the connection to it.
type Made = std::io::Result<Result<(), Failure>>;

/// Requests a tunnel by CONNECT (RFC 9110 §9.3.6).
async fn connect(stream: &mut TcpStream, target: SocketAddr) -> Made {
    let request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut head = Vec::new();
    // Reads byte by byte: the bytes after the head are the host's own, and may arrive with it.
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() == HEAD_LEN_MAX {
            return Ok(Err(strange("too many header fields")));
        }
        head.push(stream.read_u8().await?);
    }
    let status = head.strip_prefix(b"HTTP/1.").and_then(|rest| rest.get(2..5));
    let status = status.and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<u16>().ok());
    Ok(match status {
        Some(200..=299) => Ok(()),
        // RFC 9110 §15.6.3 to §15.6.5: the proxy could not reach the host.
        Some(500 | 502..=504) => {
            let message = format!("the proxy cannot reach the host: status {}", shown(status));
            Err(Failure::new(Class::Unreachable, message))
        }
        Some(_) => {
            let message = format!("the proxy refuses the connection: status {}", shown(status));
            Err(Failure::new(Class::Unverifiable, message))
        }
        None => Err(strange("something that is no answer of HTTP/1")),
    })
}

fn shown(status: Option<u16>) -> String {
    status.map(|status| status.to_string()).unwrap_or_default()
}

/// Requests a tunnel by SOCKS 5 (RFC 1928 §3 to §6).
async fn socks(stream: &mut TcpStream, target: SocketAddr) -> Made {
    // Version 5, one method: no authentication.
    stream.write_all(&[5, 1, 0]).await?;
    let mut method = [0; 2];
    stream.read_exact(&mut method).await?;
    if method != [5, 0] {
        return Ok(Err(Failure::new(Class::Unverifiable, "the proxy asks for a login")));
    }
    let mut request = vec![5, 1, 0];
    match target.ip() {
        IpAddr::V4(address) => {
            request.push(1);
            request.extend(address.octets());
        }
        IpAddr::V6(address) => {
            request.push(4);
            request.extend(address.octets());
        }
    }
    request.extend(target.port().to_be_bytes());
    stream.write_all(&request).await?;
    let mut reply = [0; 4];
    stream.read_exact(&mut reply).await?;
    let [version, code, _, kind] = reply;
    // Skips the address that the proxy connects from, and its port.
    let len = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(stream.read_u8().await?),
        _ => return Ok(Err(strange("an address of an unknown kind"))),
    };
    stream.read_exact(&mut vec![0; len + 2]).await?;
    Ok(match (version, code) {
        (5, 0) => Ok(()),
        (5, 2) => Err(Failure::new(Class::Unverifiable, "the proxy refuses the connection")),
        (5, 5) => Err(Failure::new(Class::Refused, "the host refuses the connection")),
        (5, _) => {
            let message = format!("the proxy cannot reach the host: code {code}");
            Err(Failure::new(Class::Unreachable, message))
        }
        _ => Err(strange("something that is no answer of SOCKS 5")),
    })
}

fn strange(found: &str) -> Failure {
    Failure::new(Class::Unverifiable, format!("expected a proxy's answer, found {found}"))
}

#[cfg(test)]
mod tests {
    use super::Proxy;

    #[test]
    fn a_proxy_is_a_scheme_a_host_and_a_port() {
        let case = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Proxy>().unwrap().to_string(), expected);
        };
        case("http://proxy.example:3128", "http://proxy.example:3128");
        case("HTTP://Proxy.Example/", "http://proxy.example:80");
        case("socks5://127.0.0.1", "socks5://127.0.0.1:1080");
        case("http://[::1]:8080/", "http://[::1]:8080");
        case("http://[::1]", "http://[::1]:80");
    }

    #[test]
    fn what_is_no_proxy_says_why() {
        let case = |text: &str, reason: &str| {
            let message = text.parse::<Proxy>().unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        };
        case("proxy:3128", "expected http://host:port or socks5://host:port, found \"proxy:3128\"");
        case("https://proxy", "expected the scheme http or socks5, found \"https://proxy\"");
        case("http://proxy/path", "nothing after the port");
        case("http://proxy:0", "from 1 to 65535");
        case("http://0x7f.1", "expected a host");
        case("http://me:s3cret@proxy", "login");
        let message = "http://me:s3cret@proxy".parse::<Proxy>().unwrap_err().to_string();
        assert!(!message.contains("s3cret"), "{message}");
    }
}
