//! A certificate authority of the test, which signs certificates and revokes one.

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationList,
    CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa, KeyIdMethod, KeyPair,
    RevokedCertParams, SerialNumber, date_time_ymd,
};

pub(crate) type Issuer = CertifiedIssuer<'static, KeyPair>;

/// The serial number of the revoked certificate.
pub(crate) const REVOKED: u64 = 7;

pub(crate) fn authority(name: &str) -> Issuer {
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("signed")
}

/// Returns the revocation list of `authority`.
pub(crate) fn revoked(authority: &Issuer) -> CertificateRevocationList {
    let list = CertificateRevocationListParams {
        this_update: date_time_ymd(2020, 1, 1),
        next_update: date_time_ymd(3000, 1, 1),
        crl_number: SerialNumber::from(1),
        issuing_distribution_point: None,
        revoked_certs: vec![RevokedCertParams {
            serial_number: SerialNumber::from(REVOKED),
            revocation_time: date_time_ymd(2020, 1, 1),
            reason_code: None,
            invalidity_date: None,
        }],
        key_identifier_method: KeyIdMethod::Sha256,
    };
    list.signed_by(authority).expect("signed")
}
