//! Describes what web archives hold of a link (RFC 7089).

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The copy in a web archive that is nearest to the date of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memento {
    /// The address at which the archive replays it: a URI of the Web without a password. `None` if
    /// the archive is a file that is replayed nowhere.
    pub uri: Option<String>,
    /// The time at which it was fetched.
    pub time: Timestamp,
    /// Number of days from the date of the message or file to that of the copy; negative if the
    /// copy is older, and `None` if the link has no date.
    pub distance_days: Option<i64>,
    /// The archive, as the user named it.
    pub archive: String,
}

/// The result of looking up a link in web archives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Archived {
    /// An archive holds a copy.
    Found(Memento),
    /// No archive holds one.
    Absent,
    /// At least one archive was not asked, or gave no answer, and no other holds a copy.
    Unknown(NotLookedUp),
}

/// The reason why it is unknown whether an archive holds a copy. Of several, the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotLookedUp {
    /// Only the host of the link is requested.
    HostOnly,
    /// The link, its header field, or the words around it describe an action.
    Action,
    /// The link may hold a secret, or a token of one reader.
    Secret,
    /// The host of the link is not public, and the archive is.
    PrivateHost,
    /// The archive gave no answer, or one that is no list of copies.
    NoAnswer,
    /// The archive lists a copy without an address.
    NoAddress,
    /// The file of the archive was not read to its end.
    Unread,
}

impl NotLookedUp {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::HostOnly,
        Self::Action,
        Self::Secret,
        Self::PrivateHost,
        Self::NoAnswer,
        Self::NoAddress,
        Self::Unread,
    ];

    /// Returns the name in records, and the reason in words.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::HostOnly => ("host-only", "only its host is requested"),
            Self::Action => ("action", "it may act"),
            Self::Secret => ("secret", "it may hold a secret"),
            Self::PrivateHost => ("private-host", "its host is not public"),
            Self::NoAnswer => ("no-answer", "an archive gave no answer"),
            Self::NoAddress => ("no-address", "an archive names no address of a copy"),
            Self::Unread => ("unread", "an archive was not read in full"),
        }
    }

    /// Returns the name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.texts().0
    }

    /// Returns the words after the link in reports.
    #[must_use]
    pub const fn words(self) -> &'static str {
        self.texts().1
    }

    /// Returns the reason with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl Archived {
    /// The names of the results in summaries, in the order of their counts.
    pub const NAMES: [&str; 3] = ["archived", "not archived", "not looked up in archives"];

    /// The number of counts: of links with a copy, of those without, and of each reason.
    pub const COUNTS: usize = 2 + NotLookedUp::ALL.len();

    /// Returns the index of the result's count.
    #[must_use]
    pub const fn index(&self) -> usize {
        match self {
            Self::Found(_) => 0,
            Self::Absent => 1,
            Self::Unknown(reason) => 2 + *reason as usize,
        }
    }

    /// Reports whether an archive holds a copy; `None` if that is unknown.
    #[must_use]
    pub const fn is_found(&self) -> Option<bool> {
        match self {
            Self::Found(_) => Some(true),
            Self::Absent => Some(false),
            Self::Unknown(_) => None,
        }
    }

    /// Returns the copy, if there is one.
    #[must_use]
    pub const fn memento(&self) -> Option<&Memento> {
        match self {
            Self::Found(memento) => Some(memento),
            Self::Absent | Self::Unknown(_) => None,
        }
    }

    /// Returns the reason why it is unknown whether there is a copy, if so.
    #[must_use]
    pub const fn unknown(&self) -> Option<NotLookedUp> {
        match self {
            Self::Unknown(reason) => Some(*reason),
            Self::Found(_) | Self::Absent => None,
        }
    }
}

/// Returns the number of days from `date` to `time`, both as days of UTC.
#[must_use]
pub fn days_between(date: Timestamp, time: Timestamp) -> i64 {
    let day = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
    day(time).duration_since(day(date)).as_hours() / 24
}

#[cfg(test)]
mod tests {
    use super::{NotLookedUp, days_between};

    #[test]
    fn days_are_those_of_the_calendar() {
        let case = |date: &str, time: &str, wanted: i64| {
            let of = |text: &str| text.parse().unwrap();
            assert_eq!(days_between(of(date), of(time)), wanted, "{date} {time}");
        };
        case("2001-02-03T23:59:59Z", "2001-02-04T00:00:00Z", 1);
        case("2001-02-03T00:00:00Z", "2001-02-03T23:59:59Z", 0);
        case("2001-03-01T00:00:00Z", "2001-02-27T12:00:00Z", -2);
        case("1994-12-01T00:00:00Z", "2024-12-01T00:00:00Z", 10_958);
    }

    #[test]
    fn reasons_are_in_the_order_of_their_counts_and_found_by_name() {
        for (number, reason) in NotLookedUp::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, number);
            assert_eq!(NotLookedUp::find(reason.name()), Some(reason));
        }
        assert_eq!(NotLookedUp::find("x"), None);
    }
}
