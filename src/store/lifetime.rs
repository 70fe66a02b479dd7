//! How long an answer is believed.

use crate::finding::Class;

use super::Key;

const HOUR: u64 = 3_600;
pub(super) const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;
/// How long a robots.txt is believed (RFC 9309 §2.4), in seconds.
pub const ROBOTS_SECONDS_MAX: u64 = DAY;

/// A lifetime is shortened by up to one part in so many, so that what was asked together is
/// not asked again together.
const JITTER_SHARE: u64 = 4;

/// How long an answer of `class` is believed at most, in seconds. Zero when nobody was asked,
/// or asking costs nothing.
///
/// What answers goes on doing so, mostly; what is missing may be put back by tomorrow; what
/// failed may be well in an hour. A name that is gone is seldom registered within hours.
#[must_use]
pub const fn lifetime(class: Class) -> u64 {
    match class {
        Class::Alive | Class::Redirected => WEEK,
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
        | Class::NotAsked => 0,
    }
}

/// How long an answer of `class` is believed for the link that has this key.
pub(super) fn of(class: Class, key: &Key) -> u64 {
    let most = lifetime(class);
    most - key.draw(most / JITTER_SHARE + 1)
}
