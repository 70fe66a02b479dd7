//! Configures the trust anchors and the certificate verification of TLS.
//!
//! The roots are those that browsers ship, and those that the user adds. rustls verifies
//! certificates by RFC 5280 and RFC 9525. Revocation is checked only against the user's lists:
//! a request to an authority would reveal which hosts are checked.

mod certificate;

use std::fmt;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, OtherError, RootCertStore,
    SignatureScheme,
};

use crate::error::Error;

/// The user's additions to the trust anchors, and revocations.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Certificates of authorities in addition to those of browsers, each file as PEM or DER.
    pub authorities: Vec<Vec<u8>>,
    /// Lists of revoked certificates, each as PEM or DER.
    pub revoked: Vec<Vec<u8>>,
}

/// Creates the configuration that all handshakes share.
///
/// # Errors
/// When a certificate or a list of `trust` cannot be read.
pub(super) fn config(trust: &Trust) -> Result<ClientConfig, Error> {
    let refuse = |reason: String| Error::Certificate { reason };
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for certificate in read_all::<CertificateDer<'static>>(&trust.authorities)? {
        roots.add(certificate).map_err(|error| refuse(error.to_string()))?;
    }
    let revoked = read_all::<CertificateRevocationListDer<'static>>(&trust.revoked)?;
    let provider = Arc::new(ring::default_provider());
    let verifier =
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .with_crls(revoked)
            .only_check_end_entity_revocation()
            .allow_unknown_revocation_status()
            .build()
            .map_err(|error| refuse(error.to_string()))?;
    with_verifier(provider, verifier).map_err(|error| refuse(error.to_string()))
}

fn with_verifier(
    provider: Arc<CryptoProvider>,
    verifier: Arc<WebPkiServerVerifier>,
) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        // rustls calls every custom verifier dangerous; this one only changes the error.
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Verifier(verifier)));
    Ok(builder.with_no_client_auth())
}

/// Reads the objects in `files`, each of which is PEM or a single object in DER.
fn read_all<T: PemObject + From<Vec<u8>>>(files: &[Vec<u8>]) -> Result<Vec<T>, Error> {
    let mut found = Vec::new();
    for file in files {
        if !file.windows(PEM_MARK.len()).any(|window| window == PEM_MARK) {
            found.push(T::from(file.clone()));
            continue;
        }
        let before = found.len();
        for item in T::pem_slice_iter(file) {
            found.push(item.map_err(|error| Error::Certificate { reason: error.to_string() })?);
        }
        if found.len() == before {
            let reason = "expected one in PEM, found something else in PEM".to_owned();
            return Err(Error::Certificate { reason });
        }
    }
    Ok(found)
}

/// The beginning of every object in PEM (RFC 7468 §2).
const PEM_MARK: &[u8] = b"-----BEGIN ";

/// A wrapper of rustls's verifier that distinguishes self-signed certificates from those of unknown
/// authorities. It accepts no certificate that the wrapped verifier rejects.
#[derive(Debug)]
struct Verifier(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verified =
            self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        verified.map_err(|error| match error {
            rustls::Error::InvalidCertificate(
                CertificateError::UnknownIssuer | CertificateError::Other(_),
            ) if certificate::is_self_signed(end_entity) => {
                let why = OtherError(Arc::new(SelfSigned));
                rustls::Error::InvalidCertificate(CertificateError::Other(why))
            }
            error => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// The error for an untrusted certificate whose issuer is its subject.
#[derive(Debug)]
pub(super) struct SelfSigned;

impl fmt::Display for SelfSigned {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the certificate is self-signed")
    }
}

impl std::error::Error for SelfSigned {}
