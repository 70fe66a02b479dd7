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
    /// An archive gave no answer, and no other holds a copy.
    Unknown,
}

impl Archived {
    /// The names of the results in summaries, in the order of their counts.
    pub const NAMES: [&str; 3] = ["archived", "not archived", "not looked up in archives"];

    /// Returns the index of the result's count.
    #[must_use]
    pub const fn index(&self) -> usize {
        match self {
            Self::Found(_) => 0,
            Self::Absent => 1,
            Self::Unknown => 2,
        }
    }

    /// Reports whether an archive holds a copy; `None` if that is unknown.
    #[must_use]
    pub const fn is_found(&self) -> Option<bool> {
        match self {
            Self::Found(_) => Some(true),
            Self::Absent => Some(false),
            Self::Unknown => None,
        }
    }

    /// Returns the copy, if there is one.
    #[must_use]
    pub const fn memento(&self) -> Option<&Memento> {
        match self {
            Self::Found(memento) => Some(memento),
            Self::Absent | Self::Unknown => None,
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
    use super::days_between;

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
}
