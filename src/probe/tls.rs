//! Performs TLS handshakes and explains their failures.
//!
//! A certificate that is not trusted ends the probe with a class of its own; no request is ever
//! sent without trust. Versions 1.2 and 1.3 (RFC 5246, RFC 8446) are supported; hosts with older
//! versions only get a class that says so. Trusted roots are those that browsers ship, and those
//! that the user adds. rustls checks certificates by RFC 5280 and RFC 9525. Revocation is checked
//! only against lists that the user gives, because queries to the authorities would reveal the user
//! to them.

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
use super::trust::{Alone, SelfSigned};
use crate::finding::Class;
use crate::scheme::{self, Scheme};

/// Maximum number of names of a certificate that a message shows: some have hundreds.
const NAMES_MAX: usize = 5;

impl Net {
    /// Performs a TLS handshake on `stream`, a connection to `host`, and offers the protocols of
    /// `alpn` in that order (RFC 7301 §3.1).
    ///
    /// # Errors
    /// When the certificate is not valid for the host, the host supports no safe TLS, or the
    /// handshake does not end in time.
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
        // Copies only a few counters: sessions and roots stay shared.
        let mut config = ClientConfig::clone(&self.tls);
        config.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
        let handshake = TlsConnector::from(Arc::new(config)).connect(name, stream);
        timeout(self.timeouts.tls, handshake)
            .await
            .map_err(|_| failed(Class::Timeout, "no handshake of TLS in time"))?
            .map_err(|error| broken(&error))
    }

    /// Checks that `host` accepts connections, with a TLS handshake for schemes that begin with
    /// one. Says nothing about the link. Returns the address that answered.
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
        if is_first(scheme) {
            // Boxed, so that probes without TLS do not pay for its size.
            Box::pin(self.secure(connection.stream, host, &[])).await?;
        }
        Ok(connection.address)
    }
}

/// Reports whether connections of `scheme` begin with TLS.
pub(super) fn is_first(scheme: &str) -> bool {
    scheme::find(scheme.as_bytes()).is_some_and(Scheme::is_tls)
}

/// Converts the error of a handshake to a failure of the host.
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
        // RFC 8446 §6.2: the alert of a server that supports older versions only. Such a server may
        // also answer in one of them.
        AlertReceived(AlertDescription::ProtocolVersion)
        | rustls::Error::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => failed(Class::TlsLegacy, "the host speaks no TLS newer than 1.1 (RFC 8996)"),
        InvalidMessage(_) => failed(Class::TlsFailed, "the server does not speak TLS"),
        // RFC 8446 §6.2: no parameters in common. Browsers offer suites that rustls lacks.
        AlertReceived(
            AlertDescription::HandshakeFailure | AlertDescription::InsufficientSecurity,
        ) => {
            let message = "the host aborts the handshake: it has no way of encryption in common \
                           with this program, or requires a certificate of the client";
            failed(Class::Unverifiable, message)
        }
        // A certificate of the client is missing.
        AlertReceived(AlertDescription::CertificateRequired) => {
            failed(Class::AuthRequired, "the host requires a certificate of the client")
        }
        AlertReceived(alert) => {
            failed(Class::TlsFailed, format!("the host aborts the handshake: {alert:?}"))
        }
        other => failed(Class::TlsFailed, format!("the handshake fails: {other}")),
    }
}

/// Explains why a certificate is not trusted. Times in messages are the certificate's, never the
/// current time, so that two runs produce the same message.
fn distrusted(why: &CertificateError) -> Failure {
    use CertificateError::{
        BadSignature, Expired, ExpiredContext, NotValidForName, NotValidForNameContext,
        NotValidYet, NotValidYetContext, Other, Revoked, UnknownIssuer,
    };
    match why {
        Expired => failed(Class::TlsExpired, "the certificate has expired"),
        ExpiredContext { not_after, .. } => {
            failed(Class::TlsExpired, format!("the certificate expired at {}", date(*not_after)))
        }
        NotValidYet => failed(Class::TlsNotYet, "the certificate is not valid yet"),
        NotValidYetContext { not_before, .. } => {
            failed(Class::TlsNotYet, format!("the certificate is valid from {}", date(*not_before)))
        }
        NotValidForName => failed(Class::TlsName, "the certificate is for another name"),
        NotValidForNameContext { presented, .. } => failed(Class::TlsName, names(presented)),
        Revoked => failed(Class::TlsRevoked, "the certificate was revoked"),
        Other(why) if why.0.is::<SelfSigned>() => {
            failed(Class::TlsSelfSigned, SelfSigned.to_string())
        }
        Other(why) if why.0.is::<Alone>() => failed(Class::Unverifiable, Alone.to_string()),
        UnknownIssuer => failed(Class::TlsIssuer, "no trusted authority signed the certificate"),
        BadSignature => {
            let message = "the certificate's signature is wrong, or made with a key that is too \
                           short, or by a method that is out of use";
            failed(Class::TlsFailed, message)
        }
        // Its type is that of a crate that rustls does not name.
        Other(why) if why.0.to_string() == "CaUsedAsEndEntity" => {
            failed(Class::TlsFailed, "the certificate is that of an authority, not of a server")
        }
        other => failed(Class::TlsFailed, format!("the certificate is refused: {other}")),
    }
}

/// Returns a time in UTC.
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

/// Returns the name within rustls's notation: `h` in `DnsName("h")`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.unwrap_or(name).trim_matches('"')
}

fn failed(class: Class, message: impl Into<String>) -> Failure {
    Failure::new(class, message)
}
