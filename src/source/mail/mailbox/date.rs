//! Reads the date of a message: in the forms of RFC 5322 §3.3 and §4.3, and in those that programs
//! wrote before and beside them: like C's `asctime`, with hyphens, with a weekday in another
//! language or of another day, with words for the month and the zone, in hours of half a day, and
//! in numbers from the year to the day, as in RFC 3339 §5.6 and in archives of Usenet.
//!
//! Day, month, year and time of day must all be given and be in range, or there is no date. None of
//! them is guessed, except that a day in numbers alone gets midnight, since archives kept no time
//! of it. The zone may be missing or unknown; it is then `-0000`, as RFC 5322 §4.3 requires of
//! unknown zones.
//!
//! Not read: months in numbers elsewhere, whose order is ambiguous, and months in other languages.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::Offset;

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];

/// Zones with their hours from UTC (RFC 5322 §4.3). Single letters other than `Z` count as unknown,
/// since RFC 822 had them the wrong way round.
const ZONES: [(&[u8], i8); 12] = [
    (b"ut", 0),
    (b"utc", 0),
    (b"gmt", 0),
    (b"z", 0),
    (b"est", -5),
    (b"edt", -4),
    (b"cst", -6),
    (b"cdt", -5),
    (b"mst", -7),
    (b"mdt", -6),
    (b"pst", -8),
    (b"pdt", -7),
];

/// Returns the date in the value of a field, in the form of RFC 3339, in UTC.
#[must_use]
pub(super) fn utc(value: &[u8]) -> Option<String> {
    instant(value).map(|instant| instant.to_string())
}

fn instant(value: &[u8]) -> Option<Timestamp> {
    let text = without_comments(value);
    let mut parts = Parts::default();
    let rest = parts.after_gap(after_weekday(&text));
    let rest = parts.day_in_numbers(rest).unwrap_or(rest);
    let mut rest = parts.after_gap(rest);
    while !parts.is_whole() {
        rest = match rest.first()? {
            b'0'..=b'9' => parts
                .time(rest)
                .or_else(|| parts.time_with_dots(rest))
                .or_else(|| parts.number(rest))?,
            _ => parts.word(rest)?,
        };
        rest = parts.after_gap(rest);
    }
    for word in words(rest) {
        parts.zone_or_half(word);
    }
    parts.instant()
}

/// The parts of a date read so far.
#[derive(Default)]
struct Parts {
    day: Option<i8>,
    month: Option<i8>,
    year: Option<i16>,
    /// Hour, minute and second.
    time: Option<[i8; 3]>,
    half: Option<Half>,
    zone: Option<Offset>,
}

/// The half of the day that hours are counted in.
#[derive(Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

impl Parts {
    /// Reports whether only optional parts are missing.
    fn is_whole(&self) -> bool {
        self.day.is_some() && self.month.is_some() && self.year.is_some() && self.time.is_some()
    }

    /// Returns `text` after the separators between parts. Before the time, a hyphen may be one;
    /// after the time, it begins a zone.
    fn after_gap<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let is_joint = |byte: u8| self.time.is_none() && matches!(byte, b'-' | b'/' | b'.');
        let is_gap = |byte: u8| byte.is_ascii_whitespace() || byte == b',' || is_joint(byte);
        split(text, is_gap).1
    }

    /// Takes the year, the month and the day that `text` begins with, all in numbers, and midnight
    /// if nothing follows. Returns the text after them, and after the `T` of RFC 3339.
    fn day_in_numbers<'t>(&mut self, text: &'t [u8]) -> Option<&'t [u8]> {
        let (digits, rest) = split(text.trim_ascii_end(), |byte| byte.is_ascii_digit());
        let joint =
            rest.first().filter(|joint| digits.len() == 4 && matches!(joint, b'-' | b'/'))?;
        let (month, rest) = short_number(rest.get(1..)?)?;
        let (day, rest) = short_number(rest.strip_prefix(&[*joint])?)?;
        let year = year(digits)?;
        let rest = match rest {
            [] => {
                self.time = Some([0, 0, 0]);
                rest
            }
            [b'T' | b't', rest @ ..] => rest,
            [byte, ..] if byte.is_ascii_whitespace() => rest,
            _ => return None,
        };
        (self.year, self.month, self.day) = (Some(year), Some(month), Some(day));
        Some(rest)
    }

    /// Takes the time that `text` begins with. Returns the text after it, and after a fraction of a
    /// second.
    fn time<'t>(&mut self, text: &'t [u8]) -> Option<&'t [u8]> {
        let (hour, rest) = short_number(text)?;
        let (minute, rest) = short_number(after_colon(rest)?)?;
        let (second, rest) = match after_colon(rest) {
            Some(rest) => short_number(rest)?,
            None => (0, rest),
        };
        set(&mut self.time, [hour, minute, second])?;
        let fraction = rest.strip_prefix(b".").filter(|_| self.is_whole());
        Some(fraction.map_or(rest, |digits| split(digits, |byte| byte.is_ascii_digit()).1))
    }

    /// Takes the time that `text` begins with if dots replace its colons, as some gateways
    /// write it after the date. Returns the text after it.
    fn time_with_dots<'t>(&mut self, text: &'t [u8]) -> Option<&'t [u8]> {
        let is_dated = self.day.is_some() && self.month.is_some() && self.year.is_some();
        let (hour, rest) = short_number(text).filter(|_| is_dated)?;
        let (minute, rest) = short_number(rest.strip_prefix(b".")?)?;
        let (second, rest) = short_number(rest.strip_prefix(b".")?)?;
        set(&mut self.time, [hour, minute, second])?;
        Some(rest)
    }

    /// Takes the day or the year that `text` begins with. Returns the text after it.
    fn number<'t>(&mut self, text: &'t [u8]) -> Option<&'t [u8]> {
        let (digits, rest) = split(text, |byte| byte.is_ascii_digit());
        if digits.len() <= 2 && self.day.is_none() {
            self.day = Some(short_number(text)?.0);
        } else {
            set(&mut self.year, year(digits)?)?;
        }
        Some(rest)
    }

    /// Takes the month that `text` begins with, or a word that may be between time and year: a
    /// zone, known or not, or the half of the day. Returns the text after it.
    fn word<'t>(&mut self, text: &'t [u8]) -> Option<&'t [u8]> {
        let (letters, rest) = split(text, |byte| byte.is_ascii_alphabetic());
        if let Some(month) = month(letters).filter(|_| self.month.is_none()) {
            self.month = Some(month);
            return Some(rest);
        }
        self.time?;
        let (word, rest) = split(text, |byte| !byte.is_ascii_whitespace());
        let is_taken = self.zone_or_half(word) || word.iter().all(u8::is_ascii_alphabetic);
        is_taken.then_some(rest)
    }

    /// Takes `word` as a zone, of which the first counts, or as a half of the day, and reports
    /// whether it is one.
    fn zone_or_half(&mut self, word: &[u8]) -> bool {
        if let Some(half) = half(word) {
            self.half = Some(half);
            return true;
        }
        let zone = zone(word);
        self.zone = self.zone.or(zone);
        zone.is_some()
    }

    fn instant(&self) -> Option<Timestamp> {
        let date = Date::new(self.year?, self.month?, self.day?).ok()?;
        let [hour, minute, second] = self.time?;
        let hour = match self.half {
            None => hour,
            Some(_) if !(1..=12).contains(&hour) => return None,
            Some(Half::Morning) => hour % 12,
            Some(Half::Afternoon) => hour % 12 + 12,
        };
        // Unix time has no leap seconds.
        let second = if second == 60 { 59 } else { second };
        let time = Time::new(hour, minute, second, 0).ok()?;
        let zone = self.zone.unwrap_or(Offset::UTC);
        zone.to_timestamp(date.to_datetime(time)).ok()
    }
}

/// Sets `part`, or returns `None` if it is set already.
fn set<T>(part: &mut Option<T>, value: T) -> Option<()> {
    part.is_none().then(|| *part = Some(value))
}

/// Returns `value` with a blank for each comment (RFC 5322 §3.2.2). A comment without an end
/// extends to the end.
fn without_comments(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'(', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut text = Vec::with_capacity(value.len());
    let mut depth = 0_usize;
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'(' => depth += 1,
            b')' if depth > 0 => {
                depth -= 1;
                text.push(b' ');
            }
            // The escaped byte ends no comment.
            b'\\' if depth > 0 => drop(bytes.next()),
            _ if depth > 0 => {}
            _ => text.push(byte),
        }
    }
    Cow::Owned(text)
}

/// Returns `text` after the weekday, in any language and charset: it adds nothing to the date, and
/// is wrong where a writer counted badly.
fn after_weekday(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let (word, rest) = split(text, |byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    if month(word).is_some() { text } else { rest }
}

/// Returns the month that `word` names, by at least three letters of its name.
fn month(word: &[u8]) -> Option<i8> {
    let third = word.get(2)?.to_ascii_lowercase();
    let is_meant = |name: &&[u8]| {
        let start = name.get(..word.len()).filter(|start| start.get(2) == Some(&third));
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let idx = MONTHS.iter().position(is_meant)?;
    i8::try_from(idx + 1).ok()
}

/// Returns the year of `digits`, two to four of them.
fn year(digits: &[u8]) -> Option<i16> {
    let number: i16 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    match (digits.len(), number) {
        // RFC 5322 §4.3.
        (2, 0..=49) => Some(2000 + number),
        (2 | 3, _) => Some(1900 + number),
        // §3.3 has no year before 1900. Some programs continued after 1999 with the years since
        // 1900 in four digits; the weekdays beside them confirm it.
        (4, 100..=199) => Some(1900 + number),
        (4, 1900..) => Some(number),
        _ => None,
    }
}

fn half(word: &[u8]) -> Option<Half> {
    match *word {
        [first, m] | [first, b'.', m, b'.'] if m.eq_ignore_ascii_case(&b'm') => match first {
            b'A' | b'a' => Some(Half::Morning),
            b'P' | b'p' => Some(Half::Afternoon),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the offset that `word` is, or that of the known zone that it names; or, as in
/// `GMT+0100`, the offset after the name.
fn zone(word: &[u8]) -> Option<Offset> {
    let (name, rest) = split(word, |byte| byte.is_ascii_alphabetic());
    if name.is_empty() {
        return offset(rest);
    }
    let mut known = ZONES.iter().filter(|(known, _)| name.eq_ignore_ascii_case(known));
    let known = known.next().map(|(_, hours)| Offset::constant(*hours));
    if known == Some(Offset::UTC) { offset(rest).or(known) } else { known }
}

/// Returns the offset of a sign, two digits of hours and two of minutes; some programs write a
/// colon between these.
fn offset(text: &[u8]) -> Option<Offset> {
    let (sign, hours, minutes) = match *text {
        [sign, a, b, c, d] | [sign, a, b, b':', c, d] => (sign, [a, b], [c, d]),
        _ => return None,
    };
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    let seconds = (60 * i32::from(hours) + i32::from(minutes)) * 60;
    let seconds = match sign {
        _ if minutes > 59 => return None,
        b'+' => seconds,
        b'-' => -seconds,
        _ => return None,
    };
    Offset::from_seconds(seconds).ok()
}

fn two_digits(digits: [u8; 2]) -> Option<i8> {
    let (number, rest) = short_number(&digits)?;
    rest.is_empty().then_some(number)
}

/// Returns the number of one or two digits that `text` begins with, and the text after it.
fn short_number(text: &[u8]) -> Option<(i8, &[u8])> {
    let digit =
        |at: usize| text.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    let (number, len) = match (digit(0)?, digit(1)) {
        (first, None) => (first, 1),
        (first, Some(second)) => (10 * first + second, 2),
    };
    let is_longer = digit(len).is_some();
    let number = i8::try_from(number).ok().filter(|_| !is_longer)?;
    Some((number, text.get(len..)?))
}

/// Returns `text` after a colon and the blanks on both sides of it (RFC 5322 §4.3).
fn after_colon(text: &[u8]) -> Option<&[u8]> {
    text.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start)
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    text.split(is_end).filter(|word| !word.is_empty())
}

/// Splits `text` after its first bytes, for all of which `belongs` holds.
fn split(text: &[u8], belongs: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let len = text.iter().take_while(|byte| belongs(**byte)).count();
    text.split_at(len)
}

#[cfg(test)]
mod tests {
    use jiff::fmt::rfc2822::DateTimeParser;

    use super::{instant, utc};

    #[track_caller]
    fn case(text: &str, expected: &str) {
        assert_eq!(utc(text.as_bytes()).as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn dates_are_read_in_the_forms_that_mail_has() {
        let midnight = "1998-01-01T00:00:00Z";
        for text in [
            " Thu, 1 Jan 1998 00:00:00 +0000",
            "1 Jan 1998 00:00 -0000",
            "Thu, 01 Jan 98 00:00:00 GMT",
            "Thu,1 Jan 098 00 : 00 : 00 (and (a \\) comment)) Z (UTC)",
            "Thu, 1 Jan 1998 01:00:00 +0100 MET",
            "Thu, 1 Jan 1998 01:00:00 GMT+0100",
            "Thu, 1 Jan 1998 01:00:00 +01:00 (unclosed",
            "Wed, 31 Dec 1997 19:00:00 EST",
            "Wed, 31 Dec 1997 17:00:00 -0700 -0500",
            "Thu, 1 Jan 1998 00:00:00",
            "Thu, 1 Jan 1998 00.00.00 +0000",
            // The weekday is of another day, or of another language.
            "Fri, 1 Jan 1998 00:00:00 GMT",
            "Don, 1 Jan 1998 00:00:00 GMT",
            "Thursday, 1 January 1998 00:00:00 GMT",
            "\u{6728}, 1 Jan 1998 00:00:00 GMT",
            // Unknown zones.
            "Thursday, 1 Jan 1998 00:00:00 MET DST",
            "Thu, 1 Jan 1998 00:00:00 Eastern Daylight Time",
            "Thu, 1 Jan 1998 00:00:00 +-0500",
            "Thu, 1 Jan 1998 00:00:00 GMT+1",
            "Thu, 1 Jan 1998 00:00:00 +0160",
            "Thu, 1 Jan 1998 00:00:00 A",
            // C's `asctime`, and forms derived from it.
            "Thu Jan  1 00:00:00 1998",
            "Thu Jan  1 00:00:00 MET DST 1998",
            "Wed Dec 31 19:00:00 EST 1997",
            "Wed Dec 31 19:00:00 1997 EST",
            "Thu Jan  1 01:00:00 +0100 1998",
            "Thu Jan  1 01:00:00 1998 +0100",
            "January 1, 1998 00:00:00",
            // Hyphens.
            "Thu, 01-Jan-98 00:00:00 GMT",
            "Thursday, 01-Jan-1998 00:00:00 GMT",
            "Wed, 31-Dec-97 19:00:00 -0500",
            // Hours of half a day.
            "Thu, 1 Jan 1998 12:00:00 AM",
            "Thu Jan 1 12:00 a.m. 1998",
            "Wed, 31 Dec 1997 07:00:00 PM -0500",
            // Omitted digits, and leftovers of a filter.
            "1 Jan 1998 0:0:0",
            "Thu, 1 Jan 1998 00:00:00 +0000 AWL version=2.40",
        ] {
            case(text, midnight);
        }
        case("1 Jan 1998 01:00:00.125+0100", midnight);
        case("Thu, 22 Aug 0102 12:07:35 +0800", "2002-08-22T04:07:35Z");
        case("22 Aug 0102 12:07:35 +0800", "2002-08-22T04:07:35Z");
        case("1 Jan 102 12:00:00 PM", "2002-01-01T12:00:00Z");
        case("1 Jan 49 00:00", "2049-01-01T00:00:00Z");
        case("1 Jan 50 00:00", "1950-01-01T00:00:00Z");
        case("31 Dec 1998 23:59:60", "1998-12-31T23:59:59Z");
    }

    #[test]
    fn dates_in_numbers_are_read_from_the_year_to_the_day() {
        let midnight = "2001-01-02T00:00:00Z";
        for text in [
            // Archives of Usenet have a day alone.
            " 2001/01/02",
            "2001/01/02\r",
            "2001/1/2 (was Tue)",
            "Tue, 2001-01-02",
            "2001/01/02 00:00:00",
            "2001-01-02 00:00",
            "2001-01-02 00:00:00 +0000",
            "2001-01-02 01:00:00 +0100 (CET)",
            "2001-01-01 19:00:00 EST",
            "2001-01-01 12:00:00 PM -1200",
            "2001-01-02T00:00:00Z",
            "2001-01-02t00:00:00z",
            "2001-01-02T00:00:00",
            "2001-01-02T01:00:00+01:00",
            "2001-01-02T01:00:00.25+01:00",
            "2001-01-01T19:00:00-0500",
        ] {
            case(text, midnight);
        }
        case("1998/01/05 10:11:12", "1998-01-05T10:11:12Z");
    }

    #[test]
    fn nothing_is_made_up() {
        for text in [
            "",
            "Thu",
            "Thu, Jan 1998 00:00:00",
            "Thu, 1 1998 00:00:00",
            "Thu, 1 Jan 00:00:00",
            "Thu, 1 Jan 00:00:00 -0500",
            "Thu, 1 Jan 1998",
            "Thu, 1 Jan 1998 12:",
            "Thu, 1 Jan 1998 00.00",
            "Thu, 1 Jan 00.00.00 1998",
            "Thu, 1 Jan 1998 24:00:00",
            "Thu, 1 Jan 1998 00:60:00",
            "Thu, 1 Jan 1998 00:00:61",
            "Thu, 1 Jan 1998 000:00:00",
            "Thu, 1 Jan 1998 13:00:00 PM",
            "Thu, 1 Jan 1998 00:00:00 AM",
            "Thu, 0 Jan 1998 00:00:00",
            "Thu, 29 Feb 1998 00:00:00",
            "Thu, 1 Ja 1998 00:00:00",
            "Thu, 1 Janissary 1998 00:00:00",
            "Thu, 1 Jan 19102 00:00:00",
            "Thu, 1 Jan 0098 00:00:00",
            "Thu, 1 Jan 1600 00:00:00",
            // No weekday contradicts them.
            "1 Jan 0098 00:00:00 +0000",
            "1 Jan 1600 00:00:00 +0000",
            "Thu, 1 Jan 8 00:00:00",
            "Thu, 1 Jan 1998 1998 00:00:00",
            "00:00:00 00:00:00 1 Jan 1998",
            // Tuesdays of Italy, and months of others.
            "mar, 1 gen 1998 00:00:00",
            "mar 1 apr 1998 00:00:00",
            "1 Mai 1998 00:00:00",
            // Which is the month?
            "1/2/1998 00:00:00",
            "98/01/02",
            "01/02/1998",
            "1998/01",
            "1998/01/02/03",
            "1998-01/02",
            "1998.01.02",
            "1998/01/02 GMT",
            "1998/01/02 12",
            "1998-01-02T",
            "1998-01-02x00:00:00",
            "1998/01/2000",
            "1998/13/01",
            "1998/02/29",
            "0001/01/02",
            "1600-01-02T00:00:00Z",
            "(Thu, 1 Jan 1998 00:00:00",
        ] {
            case(text, "none");
        }
    }

    /// Returns some thousand dates, most of which are right.
    fn dates() -> impl Iterator<Item = String> {
        let days = ["", "Thu, ", "sat ,", "Wed,"].iter();
        let days = days.flat_map(|day| ["1", "09", "31"].map(|number| format!("{day}{number}")));
        let months =
            days.flat_map(|day| ["jan", "Sep", "DEC"].map(|month| format!("{day} {month}")));
        let years = ["1998", "2000", "9999", "98", "00", "102"];
        let dates = months.flat_map(move |date| years.map(|year| format!("{date}\t{year}")));
        let times = ["00:00", "12 : 34:56", "23:59:60"];
        let dates = dates.flat_map(move |date| times.map(|time| format!("{date} {time}")));
        let zones =
            ["+0000", "-0930", "+2559", "GMT", "edt", "PST", "J", "q", "MAR", "CEST (a(b))"];
        dates.flat_map(move |date| zones.map(|zone| format!("{date} {zone}")))
    }

    #[test]
    fn what_a_strict_parser_takes_is_read_as_the_same_instant() {
        let strict = DateTimeParser::new();
        let mut count = 0;
        for text in dates() {
            let Ok(expected) = strict.parse_timestamp(&text) else { continue };
            assert_eq!(instant(text.as_bytes()), Some(expected), "{text}");
            count += 1;
        }
        assert!(count > 1000, "{count} dates");
    }

    #[test]
    fn no_bytes_are_too_bad_to_be_looked_at() {
        let hostile = [b'\0', b' ', b'-', b'+', b':', b'(', b')', b'\\', b'9', b'a', 0x80, 0xFF];
        let numbers = "2001-01-02T01:00:00.25+01:00".to_owned();
        for text in dates().step_by(17).chain([numbers]) {
            for at in 0..text.len() {
                let mut bytes = text.clone().into_bytes();
                for byte in hostile {
                    bytes[at] = byte;
                    // It matters only that there is an answer.
                    let _ = (instant(&bytes), instant(&bytes[at..]), instant(&bytes[..=at]));
                }
            }
        }
    }
}
