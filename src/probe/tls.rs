//! TLS on a connection that stands: whether the host is who it says, and why not.
//!
//! A certificate that is not trusted is told by its class and is the end of the question:
//! nothing is asked again without it. Versions 1.2 and 1.3 (RFC 5246, RFC 8446) are spoken;
//! who knows older ones alone is told so.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;
use rustls::pki_types::{ServerName, UnixTime};
use rustls::{AlertDescription, CertificateError, ClientConfig, PeerIncompatible};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::Failure;
use super::guard::Host;
use super::tcp::Net;
use super::trust::SelfSigned;
use crate::finding::Class;

/// Schemes whose connections begin with TLS.
pub const SCHEMES: [&str; 6] = ["ftps", "gophers", "https", "nntps", "snews", "wss"];
/// Names of a certificate that a message shows: some hold hundreds.
const NAMES_MAX: usize = 5;

impl Net {
    /// Makes `stream`, a connection to `host`, secure, and offers the protocols of `alpn` in
    /// that order (RFC 7301 §3.1).
    ///
    /// # Errors
    /// When the host is not who it says, speaks no safe TLS, or says nothing in time.
    pub async fn secure(
        &self,
        stream: TcpStream,
        host: &Host,
        alpn: &[&[u8]],
    ) -> Result<TlsStream<TcpStream>, Failure> {
        let name = match host {
            Host::Address(address) => ServerName::from(*address),
            Host::Name(name) => ServerName::try_from(name.clone())
                .map_err(|_| failed(Class::TlsName, "no certificate can name this host"))?,
        };
        // What is copied is a few counters: sessions and roots stay shared.
        let mut config = ClientConfig::clone(&self.tls);
        config.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
        let handshake = TlsConnector::from(Arc::new(config)).connect(name, stream);
        timeout(self.timeouts.tls, handshake)
            .await
            .map_err(|_| failed(Class::Timeout, "no handshake of TLS in time"))?
            .map_err(|error| broken(&error))
    }

    /// Whether `host` is there: a connection, and for schemes that begin with TLS its
    /// handshake. Nothing is said of the link. Gives the address that answered.
    ///
    /// # Errors
    /// As [`Net::connect`] and [`Net::secure`].
    pub async fn host_alive(
        &self,
        scheme: &str,
        host: &Host,
        port: u16,
    ) -> Result<IpAddr, Failure> {
        let connection = self.connect(scheme, host, port).await?;
        if SCHEMES.contains(&scheme) {
            // In a box, so that what is asked in clear does not pay for it.
            Box::pin(self.secure(connection.stream, host, &[])).await?;
        }
        Ok(connection.address)
    }
}

/// What a handshake that failed says of the host.
fn broken(error: &std::io::Error) -> Failure {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionReset, TimedOut, UnexpectedEof};
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    if let Some(inner) = inner {
        return refused(inner);
    }
    match error.kind() {
        TimedOut => failed(Class::Timeout, "no handshake of TLS in time"),
        UnexpectedEof | ConnectionReset | ConnectionAborted => {
            failed(Class::TlsFailed, "the host ends the connection during the handshake")
        }
        _ => failed(Class::TlsFailed, format!("the handshake fails: {error}")),
    }
}

fn refused(error: &rustls::Error) -> Failure {
    use rustls::Error::{AlertReceived, InvalidCertificate, InvalidMessage};
    match error {
        InvalidCertificate(why) => distrusted(why),
        // RFC 8446 §6.2: what a server says that knows older versions alone. A server may as
        // well answer in one of them.
        AlertReceived(AlertDescription::ProtocolVersion)
        | rustls::Error::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => failed(Class::TlsLegacy, "the host speaks no TLS newer than 1.1 (RFC 8996)"),
        InvalidMessage(_) => failed(Class::TlsFailed, "what answers does not speak TLS"),
        AlertReceived(alert) => {
            failed(Class::TlsFailed, format!("the host breaks the handshake off: {alert:?}"))
        }
        other => failed(Class::TlsFailed, format!("the handshake fails: {other}")),
    }
}

/// What a certificate that is not trusted lacks. Times are the certificate's own, never ours:
/// two runs say the same.
fn distrusted(why: &CertificateError) -> Failure {
    use CertificateError::{
        Expired, ExpiredContext, NotValidForName, NotValidForNameContext, NotValidYet,
        NotValidYetContext, Other, Revoked, UnknownIssuer,
    };
    match why {
        Expired => failed(Class::TlsExpired, "the certificate is past its time"),
        ExpiredContext { not_after, .. } => {
            failed(Class::TlsExpired, format!("the certificate ended at {}", date(*not_after)))
        }
        NotValidYet => failed(Class::TlsNotYet, "the certificate's time has not come"),
        NotValidYetContext { not_before, .. } => {
            failed(Class::TlsNotYet, format!("the certificate begins at {}", date(*not_before)))
        }
        NotValidForName => failed(Class::TlsName, "the certificate is for another name"),
        NotValidForNameContext { presented, .. } => failed(Class::TlsName, names(presented)),
        Revoked => failed(Class::TlsRevoked, "the certificate was revoked"),
        Other(why) if why.0.is::<SelfSigned>() => {
            failed(Class::TlsSelfSigned, SelfSigned.to_string())
        }
        UnknownIssuer => failed(Class::TlsIssuer, "nobody trusted signed the certificate"),
        other => failed(Class::TlsFailed, format!("the certificate is refused: {other}")),
    }
}

/// A time in UTC.
fn date(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).ok();
    let date = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    date.map_or_else(|| format!("second {}", time.as_secs()), |date| date.to_string())
}

fn names(presented: &[String]) -> String {
    let shown = presented.iter().take(NAMES_MAX).map(|name| bare(name)).collect::<Vec<_>>();
    match presented.len().saturating_sub(NAMES_MAX) {
        _ if shown.is_empty() => "the certificate names no host".to_owned(),
        0 => format!("the certificate is for {}", shown.join(", ")),
        more => format!("the certificate is for {} and {more} more", shown.join(", ")),
    }
}

/// The name in rustls's words for one: `h` in `DnsName("h")`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.unwrap_or(name).trim_matches('"')
}

fn failed(class: Class, message: impl Into<String>) -> Failure {
    Failure::new(class, message)
}
