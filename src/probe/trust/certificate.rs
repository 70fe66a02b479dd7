//! Determines from its DER whether a certificate names itself as its issuer (RFC 5280 §4.1).
//!
//! Only lengths are parsed, up to the subject. Nothing is verified here: the result only chooses
//! the wording of a refusal.

use memchr::memmem;

/// Reports whether issuer and subject of `certificate` are the same bytes.
///
/// ```text
/// Certificate ::= SEQUENCE { tbsCertificate SEQUENCE { version [0] OPTIONAL,
///     serialNumber, signature, issuer, validity, subject, ... }, ... }
/// ```
pub(super) fn is_self_signed(certificate: &[u8]) -> bool {
    issuer_and_subject(certificate).is_some_and(|(issuer, subject)| issuer == subject)
}

/// The identifier of the access method `caIssuers`, in DER (RFC 5280 §4.2.2.1).
const ISSUERS: &[u8] = b"\x06\x08\x2B\x06\x01\x05\x05\x07\x30\x02";

/// Reports whether `certificate` says where that of its issuer is.
pub(super) fn names_place_of_issuer(certificate: &[u8]) -> bool {
    memmem::find(certificate, ISSUERS).is_some()
}

fn issuer_and_subject(certificate: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, outer, _) = element(certificate)?;
    let (_, fields, _) = element(outer)?;
    let (first, _, after) = element(fields)?;
    let from_serial = if first == VERSION { after } else { fields };
    let (_, _, from_signature) = element(from_serial)?;
    let (_, _, from_issuer) = element(from_signature)?;
    let (_, issuer, from_validity) = element(from_issuer)?;
    let (_, _, from_subject) = element(from_validity)?;
    let (_, subject, _) = element(from_subject)?;
    Some((issuer, subject))
}

/// The tag of the version: context-specific, constructed, 0.
const VERSION: u8 = 0xA0;

/// Splits the first element of `der` into its tag, its content, and the bytes after it (X.690
/// §8.1).
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&short, rest) = rest.split_first()?;
    let (len, rest) = if short < 0x80 {
        (usize::from(short), rest)
    } else {
        // Four bytes of length are enough for every certificate.
        let (digits, rest) = rest.split_at_checked(usize::from(short & 0x7F))?;
        let is_sane = !digits.is_empty() && digits.len() <= 4;
        let len = digits.iter().fold(0_u64, |len, &digit| len << 8 | u64::from(digit));
        (usize::try_from(len).ok().filter(|_| is_sane)?, rest)
    };
    let (content, after) = rest.split_at_checked(len)?;
    Some((tag, content, after))
}

#[cfg(test)]
mod tests {
    use super::is_self_signed;

    /// Returns a certificate that contains only short fields.
    fn certificate(issuer: &[u8], subject: &[u8]) -> Vec<u8> {
        let wrap = |tag: u8, content: &[u8]| {
            let len = u8::try_from(content.len()).unwrap();
            [&[tag, 0x81, len], content].concat()
        };
        let fields = [
            wrap(0xA0, &[2, 1, 2]),
            wrap(2, &[1]),
            wrap(0x30, &[]),
            wrap(0x30, issuer),
            wrap(0x30, b"times"),
            wrap(0x30, subject),
        ];
        wrap(0x30, &wrap(0x30, &fields.concat()))
    }

    #[test]
    fn a_certificate_that_signs_itself_names_itself_twice() {
        assert!(is_self_signed(&certificate(b"us", b"us")));
        assert!(!is_self_signed(&certificate(b"us", b"them")));
    }

    #[test]
    fn what_is_cut_short_is_no_certificate() {
        let whole = certificate(b"us", b"us");
        let subject_end = whole.len();
        for len in 0..subject_end {
            assert!(!is_self_signed(&whole[..len]), "{len}");
        }
        assert!(!is_self_signed(&[0x30, 0x85, 1, 1, 1, 1, 1]));
        assert!(!is_self_signed(&[0x30, 0x80]));
    }
}
