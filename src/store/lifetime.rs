//! The lifetime of an answer.

use crate::finding::Class;

use super::Key;

const HOUR: u64 = 3_600;
pub(super) const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;
/// Lifetime of a robots.txt (RFC 9309 §2.4), in seconds.
pub const ROBOTS_SECONDS_MAX: u64 = DAY;

/// A lifetime is shortened by up to one part in this many, so that links requested together do not
/// expire together.
const JITTER_SHARE: u64 = 4;

/// Returns the longest lifetime of an answer of `class`, in seconds. Zero if no request was made,
/// or a request costs nothing.
///
/// A link that answers usually continues to; a missing page may be back tomorrow; a failure may be
/// over in an hour. An unregistered name is seldom registered within hours.
#[must_use]
pub const fn lifetime(class: Class) -> u64 {
    match class {
        Class::Alive | Class::Redirected | Class::SoftMissing => WEEK,
        Class::Gone
        | Class::Missing
        | Class::FragmentMissing
        | Class::Forbidden
        | Class::Blocked
        | Class::AuthRequired
        | Class::Unverifiable
        | Class::PolicyRobots => DAY,
        Class::DnsNxdomain
        | Class::TlsExpired
        | Class::TlsNotYet
        | Class::TlsName
        | Class::TlsIssuer
        | Class::TlsSelfSigned
        | Class::TlsRevoked
        | Class::TlsLegacy
        | Class::TlsFailed => 6 * HOUR,
        Class::Throttled
        | Class::ServerError
        | Class::DnsFailure
        | Class::Refused
        | Class::Unreachable
        | Class::Timeout
        | Class::ProtocolError => HOUR,
        Class::WrongCase
        | Class::OutsideRoot
        | Class::SideEffect
        | Class::PolicyAddress
        | Class::PolicyPort
        | Class::PolicyScheme
        | Class::PolicyArgument
        | Class::PolicyLimit
        | Class::Wrapped
        | Class::NotAsked => 0,
    }
}

/// Returns the lifetime of an answer of `class` for the link with this key, in seconds.
pub(super) fn of(class: Class, key: &Key) -> u64 {
    let most = lifetime(class);
    most - key.draw(most / JITTER_SHARE + 1)
}
