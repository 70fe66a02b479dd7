//! TLS before a server that speaks in clear.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Where TLS is spoken, and the certificate that must be trusted for it.
pub(crate) struct Veil {
    pub(crate) port: u16,
    pub(crate) certificate: Vec<u8>,
}

/// Starts a TLS listener that forwards one connection to `port`, in both directions.
pub(crate) async fn before(port: u16) -> Veil {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a name");
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions of the provider")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .expect("a certificate and its key");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let own = listener.local_addr().expect("its address").port();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a connection");
        // A client that does not trust us goes in the middle of it.
        let Ok(mut outside) = TlsAcceptor::from(Arc::new(config)).accept(stream).await else {
            return;
        };
        let mut inside = TcpStream::connect(("127.0.0.1", port)).await.expect("the server");
        let _ = copy_bidirectional(&mut outside, &mut inside).await;
    });
    Veil { port: own, certificate: certificate.to_vec() }
}
