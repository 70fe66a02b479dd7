//! Configures the trust anchors and the certificate verification of TLS.
//!
//! The roots are those that browsers ship, and those that the user adds. rustls verifies
//! certificates by RFC 5280 and RFC 9525. Revocation is checked only against the user's lists:
//! a request to an authority would reveal which hosts are checked.

mod certificate;

use std::fmt;
use std::path::PathBuf;
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
    /// Certificates of authorities in addition to those of browsers.
    pub authorities: Vec<TrustFile>,
    /// Lists of revoked certificates.
    pub revoked: Vec<TrustFile>,
}

/// A file of certificates or of lists: PEM, or a single one in DER.
#[derive(Clone, Debug)]
pub struct TrustFile {
    /// Its path, for messages.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Trust {
    /// Checks that all files can be used.
    ///
    /// # Errors
    /// When a certificate or a list cannot be read.
    pub fn check(&self) -> Result<(), Error> {
        config(self).map(drop)
    }
}

impl TrustFile {
    /// Reads the objects in the file, each of which is `wanted`.
    fn read<T: PemObject + From<Vec<u8>>>(&self, wanted: &str) -> Result<Vec<T>, Error> {
        if !self.bytes.windows(PEM_MARK.len()).any(|window| window == PEM_MARK) {
            // The bytes are not quoted: a file named by mistake may hold a secret.
            let found = match self.bytes.first() {
                Some(&DER_MARK) => return Ok(vec![T::from(self.bytes.clone())]),
                None => "an empty file",
                _ if std::str::from_utf8(&self.bytes).is_ok() => "other text",
                _ => "other bytes",
            };
            return Err(self.refuse(format!("expected {wanted} in PEM or DER, found {found}")));
        }
        let found = T::pem_slice_iter(&self.bytes).collect::<Result<Vec<_>, _>>();
        let found = found.map_err(|error| self.refuse(error.to_string()))?;
        if found.is_empty() {
            return Err(self.refuse("expected one in PEM, found only other objects"));
        }
        Ok(found)
    }

    fn refuse(&self, reason: impl Into<String>) -> Error {
        Error::Certificate { path: self.path.clone(), reason: reason.into() }
    }
}

/// Creates the configuration that all handshakes share.
///
/// # Errors
/// When a certificate or a list of `trust` cannot be read.
pub(super) fn config(trust: &Trust) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for file in &trust.authorities {
        for certificate in file.read::<CertificateDer<'static>>("a certificate")? {
            let refuse = |error| file.refuse(format!("expected a certificate: {error}"));
            roots.add(certificate).map_err(refuse)?;
        }
    }
    let provider = Arc::new(ring::default_provider());
    let verifier = |lists| {
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots.clone()), Arc::clone(&provider))
            .with_crls(lists)
            .only_check_end_entity_revocation()
            .allow_unknown_revocation_status()
            .build()
    };
    let mut revoked = Vec::new();
    for file in &trust.revoked {
        let lists = file.read::<CertificateRevocationListDer<'static>>("a revocation list")?;
        // With all lists together, an error does not tell which file is at fault.
        let refuse = |error| file.refuse(format!("expected a revocation list: {error}"));
        verifier(lists.clone()).map_err(refuse)?;
        revoked.extend(lists);
    }
    let verifier = verifier(revoked).map_err(|error| Error::Tls { reason: error.to_string() })?;
    with_verifier(provider, verifier).map_err(|error| Error::Tls { reason: error.to_string() })
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

/// The first byte of every certificate and list in DER: the tag of a SEQUENCE (RFC 5280 §4.1,
/// §5.1).
const DER_MARK: u8 = 0x30;
/// The beginning of every object in PEM (RFC 7468 §2).
const PEM_MARK: &[u8] = b"-----BEGIN ";

/// A wrapper of rustls's verifier that distinguishes self-signed certificates, and those sent
/// without the certificate of their issuer, from those of unknown authorities. It accepts no
/// certificate that the wrapped verifier rejects.
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
            rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer)
                if intermediates.iter().all(|other| other == end_entity)
                    && certificate::names_place_of_issuer(end_entity) =>
            {
                let why = OtherError(Arc::new(Alone));
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

/// The error for a certificate of an unknown issuer whose own certificate the server did not send,
/// though it is known where it is.
#[derive(Debug)]
pub(super) struct Alone;

impl fmt::Display for Alone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "the server does not send the certificate of the authority that signed its own, \
             which browsers find elsewhere",
        )
    }
}

impl std::error::Error for Alone {}
