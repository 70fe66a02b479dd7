//! Dates as numbers.

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// Returns the microseconds from 1970 to a date in the form of RFC 3339 in UTC, whose year may have
/// a sign and more digits.
pub(super) fn microseconds(date: &str) -> Option<i64> {
    let (day, time) = date.strip_suffix('Z')?.split_once('T')?;
    let mut parts = time.split(':').map(|part| {
        let is_number = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i64>().ok().filter(|_| is_number)
    });
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    let is_time = parts.next().is_none() && hour < 24 && minute < 60 && second <= 60;
    let seconds = days(day)? * SECONDS_A_DAY + hour * 3600 + minute * 60 + second;
    seconds.checked_mul(1_000_000).filter(|_| is_time)
}

/// Returns the days from 1970 to a date in the form of RFC 3339.
pub(super) fn day(date: &str) -> Option<i32> {
    i32::try_from(days(date)?).ok()
}

/// Returns the days from 1970-01-01 to `date` in the Gregorian calendar.
fn days(date: &str) -> Option<i64> {
    let (sign, text) = match date.strip_prefix('-') {
        Some(text) => (-1, text),
        None => (1, date),
    };
    let mut parts = text.split('-').map(|part| {
        let is_number = part.len() < 8 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i64>().ok().filter(|_| is_number)
    });
    let (year, month, day) = (sign * parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    let of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    // 719,468 days are from 0000-03-01 to 1970-01-01, and 146,097 in 400 years.
    Some(era * 146_097 + of_era - 719_468)
}

#[cfg(test)]
mod tests {
    use super::{day, microseconds};

    #[test]
    fn dates_are_those_of_the_calendar() {
        let dates = [
            "1970-01-01",
            "1969-12-31",
            "1994-12-01",
            "2000-02-29",
            "1900-03-01",
            "2100-02-28",
            "0000-01-01",
            "-0001-12-31",
            "9999-12-31",
        ];
        for date in dates {
            let digits =
                date.strip_prefix('-').map_or(date.to_owned(), |text| format!("-00{text}"));
            let date_of: jiff::civil::Date = digits.parse().unwrap();
            let since = date_of - jiff::civil::date(1970, 1, 1);
            assert_eq!(day(date), Some(since.get_days()), "{date}");
        }
        assert_eq!(microseconds("1994-12-01T00:00:01Z"), Some(786_240_001_000_000));
        assert_eq!(microseconds("1969-12-31T23:59:59Z"), Some(-1_000_000));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for date in ["", "harmless", "1994", "1994-13-01", "1994-12-01-01", "1994-+1-01", "\u{661}"]
        {
            assert_eq!(day(date), None, "{date}");
        }
        for date in
            ["1994-12-01", "1994-12-01T00:00:00", "1994-12-01T24:00:00Z", "1994-12-01T0:0:0Z"]
        {
            assert_eq!(microseconds(date), None, "{date}");
        }
    }
}
