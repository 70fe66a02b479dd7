//! Reads the answers of web archives: the mementos of a URI that they hold (RFC 7089).
//!
//! Archives answer in several forms, each with a parser here: link-format, the lines and the JSON
//! of CDX servers, and the JSON of an availability interface. The form is recognised by the answer
//! itself, since archives disagree about media types. Nothing here connects to anything, and no
//! answer is trusted: a memento of another URI, at an address that is no URI of the Web, or with a
//! time that contradicts its address is dropped.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::uri::surt::surt;

pub mod cdx;
pub mod link_format;
pub mod warc;

/// A copy of a resource in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The address at which the archive replays it, if the answer names one.
    pub uri: Option<Vec<u8>>,
    /// The URI of the resource, if the answer names it.
    pub original: Option<Vec<u8>>,
    /// The time at which it was fetched.
    pub time: Timestamp,
}

/// The memento that the fields of an answer name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The memento.
    pub snapshot: Snapshot,
    /// The TimeMap of the original, if the fields name one.
    pub map: Option<link_format::Page>,
}

/// A request for mementos.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookup {
    /// The earliest and the latest date of the links to the original.
    pub dates: [Option<Timestamp>; 2],
    /// Whether the mementos of all URIs with one beginning are wanted, not those of one URI.
    pub is_listing: bool,
}

/// Maximum number of rows that are requested of one listing of the mementos of many URIs: as many
/// as fit into the part of an answer that is read.
pub const ROWS_MAX: usize = 8_000;

/// Maximum number of mementos that are read from one answer. More than that of one page are
/// captures of the same days.
pub const SNAPSHOTS_MAX: usize = 50_000;

/// The second before which no copy was made: the first server of the Web began in 1990.
const WEB_BEGAN: i64 = 631_152_000;

/// The difference up to which two statements about the time of a memento agree: some archives
/// round, and some use local time in one of the two.
const DISAGREEMENT_MAX: SignedDuration = SignedDuration::from_hours(24);

/// The form of an HTTP date (RFC 9110 §5.6.7), as `Accept-Datetime` and TimeMaps have it.
const HTTP_DATE: &str = "%a, %d %b %Y %H:%M:%S GMT";
/// The part of it that says when.
const DATE: &str = "%d %b %Y %H:%M:%S";

/// Reads the mementos that `body`, the answer at `base`, lists, whatever its form.
#[must_use]
pub fn read(body: &[u8], base: &[u8]) -> Vec<Snapshot> {
    let text = body.trim_ascii_start();
    match text.first() {
        Some(b'<') => link_format::read(text, base),
        Some(b'{' | b'[') => {
            let found = cdx::read_json(text);
            // Lines of JSON, each an object.
            if found.is_empty() { cdx::read_lines(text) } else { found }
        }
        _ => cdx::read_lines(text),
    }
}

/// Reports whether `body`, in which no memento was found, is an answer that lists none: nothing, an
/// array or an object of JSON as archives send them, a TimeMap, or an index whose captures show no
/// page. Other JSON may be an error: `{"message":"Too Many Requests"}`.
#[must_use]
pub fn is_listing(body: &[u8]) -> bool {
    let names_others = |link: link_format::Link<'_>| {
        ["original", "self", "timegate", "timemap"].iter().any(|name| link.has(name))
    };
    body.trim_ascii().is_empty()
        || serde_json::from_slice(body).is_ok_and(|value| is_json_listing(&value))
        || link_format::links(body).any(names_others)
        || cdx::is_index(body)
}

/// Reports whether `value` is a list: of a CDX server, of the availability interface, or a TimeMap
/// or its index in JSON (MemGator; Time Travel APIs).
fn is_json_listing(value: &serde_json::Value) -> bool {
    const KEYS: [&str; 6] = [
        "archived_snapshots",
        "mementos",
        "original_uri",
        "timegate_uri",
        "timemap_index",
        "timemap_uri",
    ];
    match value {
        serde_json::Value::Array(_) => true,
        serde_json::Value::Object(map) => {
            KEYS.iter().any(|key| map.contains_key(*key)) && !map.contains_key("error")
        }
        _ => false,
    }
}

/// Returns `snapshots`, those of a list that ended early, without those of the last original, of
/// which some may be missing.
#[must_use]
pub fn without_last(mut snapshots: Vec<Snapshot>) -> Vec<Snapshot> {
    // Indices are in the order of these keys; an original may have several spellings.
    let key = |snapshot: &Snapshot| snapshot.original.as_deref().and_then(surt);
    if let Some(last) = snapshots.last().map(key) {
        snapshots.retain(|snapshot| key(snapshot) != last);
    }
    snapshots
}

/// Returns the item whose snapshot, as `of` returns it, is nearest to `date`, the earlier of two
/// that are equally near; without a date, the latest.
pub fn nearest<T>(
    items: impl IntoIterator<Item = T>,
    date: Option<Timestamp>,
    of: impl Fn(&T) -> &Snapshot,
) -> Option<T> {
    let items = items.into_iter();
    match date {
        None => items.max_by_key(|item| of(item).time),
        Some(date) => {
            items.min_by_key(|item| (of(item).time.duration_since(date).abs(), of(item).time))
        }
    }
}

/// Maximum number of mementos of one link that are kept. A year has more days, and few links are
/// written on each of them.
const KEPT_MAX: usize = 256;

/// Returns the snapshots that may be nearest to a date from the first to the last of `dates`, and
/// the latest one for links without a date, in the order of time. If there are too many, some
/// between are dropped, at even steps.
#[must_use]
pub fn relevant(
    mut snapshots: Vec<Snapshot>,
    [first, last]: [Option<Timestamp>; 2],
) -> Vec<Snapshot> {
    snapshots.sort_by(|a, b| (a.time, &a.uri, &a.original).cmp(&(b.time, &b.uri, &b.original)));
    snapshots.dedup_by(|later, earlier| later.time == earlier.time);
    let Some(latest) = snapshots.last().cloned() else { return snapshots };
    let (Some(first), Some(last)) = (first, last) else { return vec![latest] };
    let from = snapshots.partition_point(|it| it.time < first).saturating_sub(1);
    let to = snapshots.partition_point(|it| it.time <= last);
    let between = snapshots.get(from..=to).or(snapshots.get(from..)).unwrap_or_default();
    let step = between.len().div_ceil(KEPT_MAX).max(1);
    let count = between.len();
    let is_kept = |idx: usize| idx.is_multiple_of(step) || idx + 1 == count;
    let kept = between.iter().enumerate().filter(|(idx, _)| is_kept(*idx));
    let mut kept: Vec<_> = kept.map(|(_, snapshot)| snapshot.clone()).collect();
    if kept.last() != Some(&latest) {
        kept.push(latest);
    }
    kept
}

/// Returns the [`relevant`] ones of the snapshots of each original.
#[must_use]
pub fn relevant_each(snapshots: Vec<Snapshot>, dates: [Option<Timestamp>; 2]) -> Vec<Snapshot> {
    let mut by_original: BTreeMap<Option<Vec<u8>>, Vec<Snapshot>> = BTreeMap::new();
    for snapshot in snapshots {
        by_original.entry(snapshot.original.clone()).or_default().push(snapshot);
    }
    by_original.into_values().flat_map(|snapshots| relevant(snapshots, dates)).collect()
}

/// Parses a time of 14 digits, as addresses of mementos and CDX lines have it. Of a shorter one,
/// with at least the year, the rest is the earliest possible; further digits are ignored.
#[must_use]
pub fn stamp(digits: &[u8]) -> Option<Timestamp> {
    const EARLIEST: &[u8; 14] = b"00000101000000";
    if digits.len() < 4 || digits.len() % 2 == 1 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut whole = *EARLIEST;
    whole.iter_mut().zip(digits).for_each(|(to, digit)| *to = *digit);
    let text = std::str::from_utf8(&whole).ok()?;
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i8>().ok();
    let year = text.get(..4)?.parse().ok()?;
    let (month, day) = (part(4, 6)?, part(6, 8)?);
    // A leap second counts as the second before it.
    let (hour, minute, second) = (part(8, 10)?, part(10, 12)?, part(12, 14)?.min(59));
    in_utc(DateTime::new(year, month, day, hour, minute, second, 0).ok()?)
}

/// Formats `time` as 14 digits.
#[must_use]
pub fn digits(time: Timestamp) -> String {
    strtime::format("%Y%m%d%H%M%S", &time.to_zoned(TimeZone::UTC)).unwrap_or_default()
}

/// Parses an HTTP date.
#[must_use]
pub fn http_date(text: &[u8]) -> Option<Timestamp> {
    // The day of the week says nothing that the rest does not, so that a wrong or missing one loses
    // no memento (RFC 9110 §5.6.7). Without a zone, the date may be cut.
    let text = std::str::from_utf8(text).ok()?.trim();
    let text = text.split_once(',').map_or(text, |(_, rest)| rest.trim_start());
    let text = ["GMT", "UTC"].iter().find_map(|zone| text.strip_suffix(zone))?;
    in_utc(strtime::parse(DATE, text.trim_end()).ok()?.to_datetime().ok()?)
}

/// Formats `time` as an HTTP date.
#[must_use]
pub fn to_http_date(time: Timestamp) -> String {
    strtime::format(HTTP_DATE, &time.to_zoned(TimeZone::UTC)).unwrap_or_default()
}

fn in_utc(time: DateTime) -> Option<Timestamp> {
    time.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// Returns the time and the original URI in the address of a memento, as in
/// `https://archive.example/web/20010203040506id_/http://h/`, if it has that form.
#[must_use]
pub fn parts_of(memento: &[u8]) -> Option<(Timestamp, &[u8])> {
    let mut at = 0;
    while let Some(slash) = memchr::memchr(b'/', memento.get(at..)?) {
        at += slash + 1;
        let rest = memento.get(at..)?;
        let end = memchr::memchr(b'/', rest)?;
        let (segment, original) = (rest.get(..end)?, rest.get(end + 1..)?);
        let len = segment.iter().take_while(|byte| byte.is_ascii_digit()).count();
        // `id_`, `im_` and the like ask for another form of the same memento.
        let is_stamp = matches!(segment.get(len..)?, [] | [_, _, b'_']);
        if len == 14 && is_stamp {
            return Some((stamp(segment.get(..len)?)?, original));
        }
    }
    None
}

impl Snapshot {
    /// Reports whether it was made when there was a Web.
    #[must_use]
    pub fn is_of_the_web(&self) -> bool {
        self.time.as_second() >= WEB_BEGAN
    }

    /// Reports whether the snapshot may be one of the URI for which `is_same` returns true: its
    /// address, its time and its original do not contradict each other.
    #[must_use]
    pub fn is_of(&self, is_same: impl Fn(&[u8]) -> bool) -> bool {
        let inside = self.uri.as_deref().and_then(parts_of);
        let is_web = self.uri.as_deref().is_none_or(is_web);
        let agrees = inside.is_none_or(|(time, original)| {
            let apart = time.duration_since(self.time).abs();
            apart <= DISAGREEMENT_MAX && is_same(original)
        });
        is_web && agrees && self.original.as_deref().is_none_or(is_same)
    }
}

/// Reports whether `uri` is a URI of the Web, without controls or blanks.
fn is_web(uri: &[u8]) -> bool {
    let begins = |start: &[u8]| {
        uri.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    };
    (begins(b"http://") || begins(b"https://")) && uri.iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests {
    use super::{
        Snapshot, digits, http_date, nearest, parts_of, read, relevant, stamp, to_http_date,
    };

    fn snapshot(uri: &str, time: &str) -> Snapshot {
        let time = stamp(time.as_bytes()).unwrap();
        Snapshot { uri: Some(uri.as_bytes().to_vec()), original: None, time }
    }

    #[test]
    fn times_are_read_and_written() {
        for text in ["20010203040506", "19700101000000", "20240229235959", "99991230000000"] {
            assert_eq!(digits(stamp(text.as_bytes()).unwrap()), text);
        }
        for (text, wanted) in [
            ("2001", "20010101000000"),
            ("200102", "20010201000000"),
            ("20161231235960", "20161231235959"),
            ("20010203040506789012", "20010203040506"),
        ] {
            assert_eq!(digits(stamp(text.as_bytes()).unwrap()), wanted, "{text}");
        }
        for bad in ["", "200", "20010", "20011301000000", "20010230000000", "2001020304050x", "-1"]
        {
            assert_eq!(stamp(bad.as_bytes()), None, "{bad}");
        }
        let date = "Sat, 03 Feb 2001 04:05:06 GMT";
        assert_eq!(to_http_date(http_date(date.as_bytes()).unwrap()), date);
        assert_eq!(http_date(b"2001-02-03"), None);
        assert_eq!(http_date(b"Sat, 03 Feb 2001 04:05:06"), None, "it may be cut");
        for odd in
            ["Mon, 03 Feb 2001 04:05:06 GMT", "03 Feb 2001 04:05:06 GMT", "3 Feb 2001 04:05:06 UTC"]
        {
            let time = http_date(odd.as_bytes()).map(digits);
            assert_eq!(time.as_deref(), Some("20010203040506"), "{odd}");
        }
    }

    #[test]
    fn the_nearest_counts_and_of_two_the_earlier() {
        let all = ["20010101", "20010110", "20010120"];
        let all = all.map(|time| snapshot(&format!("http://a/{time}"), time));
        let case = |date: &str, wanted: &str| {
            let found = nearest(&all, stamp(date.as_bytes()), |it| *it).unwrap();
            assert!(digits(found.time).starts_with(wanted), "{date}: {found:?}");
        };
        case("19990101", "20010101");
        case("20010107", "20010110");
        case("20010115", "20010110");
        case("20010116", "20010120");
        case("20300101", "20010120");
        assert_eq!(nearest(&all, None, |it| *it), Some(&all[2]));
        assert_eq!(nearest(&[], None, |it| *it), None);
    }

    #[test]
    fn what_may_be_nearest_is_kept_and_not_more() {
        let all: Vec<_> = (0..10).map(|at| snapshot("http://a/", &format!("200{at}"))).collect();
        let kept = |from: &str, to: &str| {
            let dates = [from, to].map(|date| stamp(date.as_bytes()));
            let found = relevant(all.clone(), dates).into_iter();
            found.map(|it| digits(it.time)[3..4].to_owned()).collect::<String>()
        };
        assert_eq!(kept("200306", "200306"), "349");
        assert_eq!(kept("2003", "200502"), "234569");
        assert_eq!(kept("1990", "1990"), "09");
        assert_eq!(kept("2030", "2030"), "9");
        assert_eq!(kept("", ""), "9");
        assert_eq!(relevant(Vec::new(), [None; 2]), []);
        let days = (0..20_000).map(|day| {
            let time = stamp(b"1990").unwrap() + jiff::SignedDuration::from_hours(24 * day);
            Snapshot { time, ..all[0].clone() }
        });
        let dates = ["1995", "2030"].map(|date| stamp(date.as_bytes()));
        let kept = relevant(days.collect(), dates);
        assert!(kept.len() > 100 && kept.len() < 300, "{}", kept.len());
    }

    #[test]
    fn an_address_has_the_time_and_the_original_in_it() {
        let case = |memento: &str, wanted: Option<(&str, &str)>| {
            let found = parts_of(memento.as_bytes());
            let found = found.map(|(time, uri)| (digits(time), String::from_utf8_lossy(uri)));
            let found = found.as_ref().map(|(time, uri)| (time.as_str(), &**uri));
            assert_eq!(found, wanted, "{memento}");
        };
        let inside = Some(("20010203040506", "http://h/a?b=/20020101000000/c"));
        case("http://a/web/20010203040506/http://h/a?b=/20020101000000/c", inside);
        case("http://a/20010203040506id_/http://h/", Some(("20010203040506", "http://h/")));
        case("http://a/web/20010203040506/h.example", Some(("20010203040506", "h.example")));
        case("https://a/AbCdE", None);
        case("http://a/web/2001/http://h/", None);
        case("http://a/web/20019903040506/http://h/", None);
        case("http://a/20010203040506", None);
        case("", None);
    }

    #[test]
    fn contradictions_are_seen() {
        let is_same = |uri: &[u8]| uri == b"http://h/";
        let case = |uri: &str, time: &str| snapshot(uri, time).is_of(is_same);
        assert!(case("http://a/web/20010203040506/http://h/", "20010203040506"));
        assert!(case("http://a/web/20010203040506/http://h/", "20010203"));
        assert!(case("https://a/xyz", "20010203040506"));
        assert!(!case("http://a/web/20010203040506/http://other/", "20010203040506"));
        assert!(!case("http://a/web/20010203040506/http://h/", "20090203040506"));
        assert!(!case("javascript:alert(1)", "20010203040506"));
        assert!(!case("http://a/ b", "20010203040506"));
        let named = |original: &[u8]| {
            let original = Some(original.to_vec());
            Snapshot { original, ..snapshot("https://a/xyz", "2001") }.is_of(is_same)
        };
        assert!(named(b"http://h/") && !named(b"http://g/"));
    }

    #[test]
    fn the_form_is_recognised_by_the_answer() {
        let of = |body: &str| read(body.as_bytes(), b"").len();
        let date = "Sat, 03 Feb 2001 04:05:06 GMT";
        assert_eq!(of(&format!("\n<http://a/1>; rel=memento; datetime=\"{date}\"")), 1);
        assert_eq!(of(r#"[["timestamp","original"],["20010203040506","http://h/"]]"#), 1);
        assert_eq!(of(r#"{"timestamp":"20010203040506","url":"http://h/"}"#), 1);
        assert_eq!(of("h)/ 20010203040506 {\"url\": \"http://h/\"}\n"), 1);
        assert_eq!(["", "<html>", "{}", "[]", "\0", "nothing here"].map(of), [0; 6]);
    }
}
