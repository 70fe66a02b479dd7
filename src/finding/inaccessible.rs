//! Counts pages as a study of link rot does, from the result of a probe.
//!
//! The study of the Pew Research Center of 2024, "When Online Content Disappears", calls a page
//! inaccessible for nine status codes, and if no server answers. Status codes by which servers
//! reject programs (401, 403, 405, 429) do not count, nor do certificates, nor what a page says.

use super::{Class, Reach, Verdict};

/// The status codes that make a page inaccessible.
const CODES: [u16; 9] = [204, 400, 404, 410, 500, 501, 502, 503, 523];

/// Reports whether the study would call a page with this result inaccessible; `None` if no request
/// was sent for it.
///
/// The study requested pages by HTTP; a code of another protocol does not count, but its class
/// does.
#[must_use]
pub fn is_inaccessible(class: Class, probe: &str, status: Option<u16>) -> Option<bool> {
    if probe == Reach::LOCAL || class.row().verdict == Verdict::Skipped {
        return None;
    }
    Some(match status {
        Some(status) if probe == Reach::HTTP => CODES.contains(&status),
        _ => matches!(
            class,
            Class::Gone
                | Class::Missing
                | Class::DnsNxdomain
                | Class::DnsFailure
                | Class::Refused
                | Class::Unreachable
                | Class::Timeout
                | Class::ProtocolError
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::{Class, is_inaccessible};

    #[test]
    fn nine_codes_and_silence_are_inaccessible() {
        let by_http: Vec<u16> = (100..600)
            .filter(|code| is_inaccessible(Class::Alive, "http", Some(*code)) == Some(true))
            .collect();
        assert_eq!(by_http, [204, 400, 404, 410, 500, 501, 502, 503, 523]);
        let case = |class, probe, status, wanted| {
            assert_eq!(is_inaccessible(class, probe, status), wanted, "{class:?} {probe}");
        };
        case(Class::Missing, "ftp", Some(550), Some(true));
        case(Class::Alive, "ftp", Some(500), Some(false));
        for class in [Class::DnsNxdomain, Class::DnsFailure, Class::Refused, Class::Timeout] {
            case(class, "http", None, Some(true));
        }
        case(Class::ProtocolError, "http", None, Some(true));
        case(Class::ProtocolError, "http", Some(302), Some(false));
        for class in [Class::TlsExpired, Class::SoftMissing] {
            case(class, "http", None, Some(false));
        }
        case(Class::Missing, "local", None, None);
        case(Class::PolicyRobots, "http", None, None);
        case(Class::NotAsked, "none", None, None);
    }
}
