//! Finds the year of the text that contains a finding.

use super::record::Record;

/// The years that a message can have: from RFC 1 to the end of time in 32 bits. Other numbers are
/// those of spam, or are no years.
const YEARS: std::ops::RangeInclusive<u16> = 1969..=2037;

/// Returns the year of the message that contains a finding. Without one, returns the year in the
/// name of a member, the innermost first, because archives of mail are named by month; then the
/// year that the archive records for the member; then the year in the path of the file.
///
/// The modification time of a file is not used: copies and checkouts have the time of the copy, and
/// a report must not depend on where it is made.
pub(super) fn year(record: &Record) -> Option<u16> {
    let place = &record.place;
    let date = record.message.as_ref().and_then(|message| message.date.as_deref());
    let of_names = || year_in_names(&place.members, place.date.as_deref(), &place.path);
    year_of(date).or_else(of_names)
}

/// Returns the first year in the names of members, in `date`, or in `path`, in this order.
pub(super) fn year_in_names(members: &[String], date: Option<&str>, path: &str) -> Option<u16> {
    let mut names = members.iter().rev().filter(|name| !is_number_of_a_record(name));
    names
        .find_map(|name| year_in_name(name))
        .or_else(|| year_of(date))
        .or_else(|| year_in_name(path))
}

/// Returns the year of a date in the form of RFC 3339.
pub(super) fn year_of(date: Option<&str>) -> Option<u16> {
    let year = date?.get(..4)?.parse().ok()?;
    YEARS.contains(&year).then_some(year)
}

/// Reports whether `name` is that of a member of a WARC file: `record 1998` is no year.
fn is_number_of_a_record(name: &str) -> bool {
    name.strip_prefix("record ").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the last year in `name`, as four digits or in a date without separators: `1998`,
/// `199804`, `19980401`. Digits that are joined to letters do not count, as in `rfc2026`.
fn year_in_name(name: &str) -> Option<u16> {
    let words = name.split(|char: char| !char.is_ascii_alphanumeric()).rev();
    words.filter(|word| matches!(word.len(), 4 | 6 | 8)).find_map(|word| {
        let (year, rest) = word.split_at_checked(4)?;
        let month = rest.get(..2).map(str::parse::<u8>);
        let is_date = month.is_none_or(|month| matches!(month, Ok(1..=12)));
        let is_digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let year = year.parse().ok()?;
        (is_date && is_digits && YEARS.contains(&year)).then_some(year)
    })
}

#[cfg(test)]
mod tests {
    use super::{year, year_in_name};
    use crate::report::record::Line;

    #[test]
    fn a_year_is_that_of_what_says_most_of_the_text() {
        let case = |path: &str, members: &str, date: &str, message: &str, wanted: Option<u16>| {
            let line = format!(
                concat!(
                    r#"{{"type":"finding","uri":"a:b","raw":"a:b","cue":"bare","scheme":"a","#,
                    r#""place":{{"path":"{}","members":[{}]{},"offset":0,"len":1,"line":1,"#,
                    r#""column":1,"file_offset":null}},"message":{},"syntax":null,"reach":null,"#,
                    r#""verdict":"ok"}}"#
                ),
                path, members, date, message
            );
            let Ok(Line::Finding(record)) = Line::parse(line.as_bytes()) else { panic!("{line}") };
            assert_eq!(year(&record), wanted, "{line}");
        };
        let day = r#","date":"2003-05-06""#;
        let message = concat!(
            r#"{"id":null,"date":"1994-12-01T00:00:00Z","list_id":null,"number":1,"#,
            r#""header":null,"part":null}"#
        );
        case("a-2005.tar", r#""2004-05.txt""#, day, message, Some(1994));
        case("a-2005.tar", r#""2004-05.txt""#, day, "null", Some(2004));
        case("a-2005.tar", r#""a.txt""#, day, "null", Some(2003));
        case("a-2005.tar", r#""a.txt""#, "", "null", Some(2005));
        case("a.warc", r#""record 1998""#, day, "null", Some(2003));
        case("a.warc", r#""record 1998""#, "", "null", None);
    }

    #[test]
    fn the_year_of_a_name_is_its_last() {
        for (name, year) in [
            ("1998", Some(1998)),
            ("list/2001/2004-January.txt.gz", Some(2004)),
            ("box.199804", Some(1998)),
            ("log-20070131.mbox", Some(2007)),
            ("box.199813", None),
            ("rfc1738", None),
            ("rfc2026.txt", None),
            ("key.2048", None),
            ("12345", None),
            ("a", None),
        ] {
            assert_eq!(year_in_name(name), year, "{name}");
        }
    }
}
