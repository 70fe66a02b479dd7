//! Defines days, as reports compare and print them.

/// A day as a number of eight digits: 20240131.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(u32);

impl Day {
    /// Parses the day that `text` begins with: `2024-01-31T00:00:00Z`.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let day = text.get(..10)?.as_bytes();
        let [y, e, a, r, b'-', m, n, b'-', d, i] = *day else { return None };
        let mut number = 0;
        for digit in [y, e, a, r, m, n, d, i] {
            number = number * 10 + char::from(digit).to_digit(10)?;
        }
        Some(Self(number))
    }

    /// Returns the day of a time in seconds since 1970, in UTC.
    #[must_use]
    pub fn at(seconds: u64) -> Option<Self> {
        let second = i64::try_from(seconds).ok()?;
        Self::of(&jiff::Timestamp::from_second(second).ok()?.to_string())
    }

    pub(super) fn text(self) -> String {
        let Self(day) = self;
        format!("{:04}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn days_are_read_from_dates_and_times() {
        let day = |text| Day::of(text).map(Day::text);
        assert_eq!(day("1994-12-01T00:00:00Z").as_deref(), Some("1994-12-01"));
        assert_eq!(day("2024-01-31").as_deref(), Some("2024-01-31"));
        assert_eq!(Day::at(10 * 24 * 60 * 60).map(Day::text).as_deref(), Some("1970-01-11"));
        for text in ["", "1994", "1994/12/01", "19941201ab", "x994-12-01"] {
            assert_eq!(day(text), None, "{text}");
        }
    }
}
