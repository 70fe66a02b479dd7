//! Tests the classes of TLS failures: a host for each reason to distrust a certificate.
//!
//! The certificates are made on the spot, by an authority that the client is given.

use std::sync::Arc;
use std::time::Duration;

use linktrawl::internal::finding::Class;
use linktrawl::internal::probe::Failure;
use linktrawl::internal::probe::guard::Host;
use linktrawl::internal::probe::tcp::{Net, NetOptions, Timeouts};
use linktrawl::internal::probe::trust::{Trust, TrustFile};
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, IsCa, KeyPair, SerialNumber,
    date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::{class_of, guard, zone};
use crate::support::servers::authority::{Issuer, REVOKED, authority, revoked};

/// The name that every certificate is asked for.
const NAME: &str = "loop.test";

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    CertificateParams::new(names).expect("names")
}

/// The certificate that a server presents, and its key.
struct Shown {
    certificate: CertificateDer<'static>,
    key: KeyPair,
}

fn signed(params: &CertificateParams, issuer: &Issuer) -> Shown {
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, issuer).expect("signed").der().clone();
    Shown { certificate, key }
}

/// A server of TLS that shows `shown` and then says nothing; gives its port.
async fn serve(shown: Shown) -> u16 {
    let key = PrivateKeyDer::try_from(shown.key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![shown.certificate], key)
        .expect("a pair");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
    let port = listener.local_addr().expect("bound").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Handshakes are meant to fail here.
            if let Ok(mut stream) = acceptor.accept(stream).await {
                let _ = stream.read_u8().await;
            }
        }
    });
    port
}

/// A server that waits for the first bytes of a handshake and answers with `bytes`.
async fn answer(bytes: Vec<u8>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
    let port = listener.local_addr().expect("bound").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(&bytes).await;
        }
    });
    port
}

/// A file of certificates or lists with `bytes`.
fn file(bytes: Vec<u8>) -> TrustFile {
    TrustFile { path: "trusted.pem".into(), bytes }
}

/// A client that trusts `authority` and, where there is one, its list of revoked certificates.
fn client(authority: &Issuer, revoked: Option<Vec<u8>>) -> Net {
    let trust = Trust {
        authorities: vec![file(authority.as_ref().der().to_vec())],
        revoked: revoked.into_iter().map(file).collect(),
    };
    let zone = zone();
    let name_servers = vec![zone.address];
    let guard = guard(&["127.0.0.0/8"]);
    let timeouts = Timeouts { tls: Duration::from_millis(500), ..Timeouts::default() };
    let options = NetOptions { guard, name_servers, trust, timeouts, ..NetOptions::default() };
    Net::new(options).expect("options")
}

/// The protocol that was agreed on, once the host is who it says.
async fn ask(net: &Net, host: &str, port: u16) -> Result<Option<Vec<u8>>, Failure> {
    let host = Host::parse(host.as_bytes())?;
    let stream: TcpStream = net.connect("https", &host, port).await?.stream;
    let secure = net.secure(stream, &host, &[b"h2", b"http/1.1"]).await?;
    Ok(secure.get_ref().1.alpn_protocol().map(<[u8]>::to_vec))
}

#[tokio::test]
async fn a_host_that_is_who_it_says_is_trusted() {
    let authority = authority("ours");
    let net = client(&authority, None);
    let port = serve(signed(&params(&[NAME, "127.0.0.1", "_under.test"]), &authority)).await;
    for host in [NAME, "127.0.0.1", "_under.test", "LOOP.test."] {
        assert_eq!(ask(&net, host, port).await, Ok(Some(b"h2".to_vec())), "{host}");
    }
    let host = Host::parse(NAME.as_bytes()).expect("a name");
    let alive = net.host_alive("https", &host, port).await.expect("alive");
    assert_eq!(alive.to_string(), "127.0.0.1");
}

#[tokio::test]
async fn a_certificate_of_an_authority_may_be_given_as_pem() {
    let authority = authority("ours");
    let pem = authority.as_ref().pem().into_bytes();
    let with = |bytes: Vec<u8>| {
        let trust = Trust { authorities: vec![file(bytes)], revoked: Vec::new() };
        let guard = guard(&["127.0.0.0/8"]);
        Net::new(NetOptions { guard, trust, ..NetOptions::default() })
    };
    let port = serve(signed(&params(&["127.0.0.1"]), &authority)).await;
    let net = with(pem).expect("options");
    assert!(ask(&net, "127.0.0.1", port).await.is_ok());
    for bad in [b"".as_slice(), b"nonsense", b"-----BEGIN RUBBISH-----\n-----END RUBBISH-----\n"] {
        const MESSAGE: &str =
            "cannot use the certificates or revocation lists in \"trusted.pem\": ";
        let error = with(bad.to_vec()).err().expect("no certificate");
        assert!(error.to_string().starts_with(MESSAGE), "{error}");
        let lists = Trust { authorities: Vec::new(), revoked: vec![file(bad.to_vec())] };
        let error = lists.check().expect_err("no list");
        assert!(error.to_string().starts_with(MESSAGE), "{error}");
    }
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_has_a_class() {
    let (authority, stranger) = (authority("ours"), authority("theirs"));
    let mut expired = params(&[NAME]);
    expired.not_before = date_time_ymd(2001, 1, 1);
    expired.not_after = date_time_ymd(2002, 2, 3);
    let mut coming = params(&[NAME]);
    coming.not_before = date_time_ymd(3000, 1, 2);
    coming.not_after = date_time_ymd(3001, 1, 1);
    let key = KeyPair::generate().expect("a key");
    let own = params(&[NAME]).self_signed(&key).expect("signed").der().clone();
    let key_of_own = KeyPair::generate().expect("a key");
    let mut as_authority = params(&[NAME]);
    as_authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let as_authority = as_authority.self_signed(&key_of_own).expect("signed").der().clone();
    // AuthorityInfoAccessSyntax of RFC 5280 §4.2.2.1, with one URI.
    let place = b"\x30\x17\x30\x15\x06\x08\x2B\x06\x01\x05\x05\x07\x30\x02\x86\x09http://h/";
    let mut alone = params(&[NAME]);
    let access = CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 1], place.to_vec());
    alone.custom_extensions.push(access);
    let cases = [
        (signed(&alone, &stranger), Class::Unverifiable, "does not send the certificate of the"),
        (signed(&expired, &authority), Class::TlsExpired, "expired at 2002-02-03T00:00:00Z"),
        (signed(&coming, &authority), Class::TlsNotYet, "valid from 3000-01-02T00:00:00Z"),
        (signed(&params(&["other.test"]), &authority), Class::TlsName, "other.test"),
        (signed(&params(&[NAME]), &stranger), Class::TlsIssuer, "no trusted authority"),
        (Shown { certificate: own, key }, Class::TlsSelfSigned, "self-signed"),
        (Shown { certificate: as_authority, key: key_of_own }, Class::TlsSelfSigned, "self-signed"),
    ];
    let net = client(&authority, None);
    for (shown, class, words) in cases {
        let port = serve(shown).await;
        let failure = ask(&net, NAME, port).await.expect_err("it is not trusted");
        assert_eq!(failure.class, class, "{}", failure.message);
        assert!(failure.message.contains(words), "{}", failure.message);
    }
}

#[tokio::test]
async fn a_certificate_that_was_revoked_is_told() {
    let authority = authority("ours");
    let net = client(&authority, Some(revoked(&authority).der().to_vec()));
    let mut taken_back = params(&[NAME]);
    taken_back.serial_number = Some(SerialNumber::from(REVOKED));
    let port = serve(signed(&taken_back, &authority)).await;
    assert_eq!(class_of(ask(&net, NAME, port).await, "revoked"), Class::TlsRevoked);
    // One that the list does not name is trusted.
    let port = serve(signed(&params(&[NAME]), &authority)).await;
    assert!(ask(&net, NAME, port).await.is_ok());
}

/// ServerHello of TLS 1.0 (RFC 2246 §7.4.1.3).
fn old_hello() -> Vec<u8> {
    let mut hello = vec![3, 1];
    hello.extend([7; 32]);
    hello.extend([0, 0, 0x2f, 0]);
    let len = u8::try_from(hello.len()).expect("short");
    [&[22, 3, 1, 0, len + 4, 2, 0, 0, len], hello.as_slice()].concat()
}

#[tokio::test]
async fn what_speaks_no_safe_tls_has_a_class() {
    let net = client(&authority("ours"), None);
    let cases = [
        // RFC 8446 §6.2: the alert `protocol_version`, fatal.
        (vec![21, 3, 1, 0, 2, 2, 70], Class::TlsLegacy),
        (old_hello(), Class::TlsLegacy),
        // The alert `handshake_failure`.
        (vec![21, 3, 3, 0, 2, 2, 40], Class::Unverifiable),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), Class::TlsFailed),
        (b"220 mail.example ESMTP\r\n".to_vec(), Class::TlsFailed),
        (Vec::new(), Class::TlsFailed),
    ];
    for (bytes, class) in cases {
        let port = answer(bytes.clone()).await;
        let failure = ask(&net, NAME, port).await.expect_err("no TLS");
        assert_eq!(failure.class, class, "{bytes:?}: {}", failure.message);
    }
}

#[tokio::test]
async fn a_handshake_that_never_comes_has_an_end() {
    let net = client(&authority("ours"), None);
    // It is never accepted: the system alone answers.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
    let port = listener.local_addr().expect("bound").port();
    assert_eq!(class_of(ask(&net, NAME, port).await, "silence"), Class::Timeout);
}
