//! Reads how long a server wants to be left alone: `Retry-After` (RFC 9110 §10.2.3).

use std::time::Duration;

use hyper::HeaderMap;
use hyper::header::{DATE, RETRY_AFTER};
use jiff::civil::DateTime;
use jiff::fmt::strtime;

/// The forms of a date (RFC 9110 §5.6.7): today's, RFC 850's, and that of C's `asctime`.
const DATE_FORMS: [&str; 3] =
    ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// The Unix epoch.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// Returns how long to leave the host alone, or `None` if `fields` have no valid value. Servers may
/// request years, by mistake or to be left alone: the schedule limits that.
///
/// `now` is in Unix seconds; it is used only if the server sends no `Date`.
pub(super) fn retry_after(fields: &HeaderMap, now: i64) -> Option<Duration> {
    let text = fields.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit a number mean more seconds than we wait.
        return Some(text.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let there = fields.get(DATE).and_then(|value| seconds(value.to_str().ok()?));
    let pause = seconds(text)?.saturating_sub(there.unwrap_or(now));
    // A date in the past permits the next request at once.
    let pause = u64::try_from(pause).unwrap_or(0);
    Some(Duration::from_secs(pause))
}

/// Returns a date in Unix seconds.
fn seconds(text: &str) -> Option<i64> {
    let parse = |form: &&str| strtime::parse(form, text).ok()?.to_datetime().ok();
    let date: DateTime = DATE_FORMS.iter().find_map(parse)?;
    Some(date.duration_since(EPOCH).as_secs())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hyper::HeaderMap;
    use hyper::header::{DATE, HeaderValue, RETRY_AFTER};

    use super::retry_after;

    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110 §5.6.7.
    const NOW: i64 = 784_111_777;

    #[track_caller]
    fn case(value: &str, date: Option<&str>, expected: Option<u64>) {
        let mut fields = HeaderMap::new();
        fields.extend(HeaderValue::from_str(value).ok().map(|value| (RETRY_AFTER, value)));
        fields.extend(date.and_then(|date| Some((DATE, HeaderValue::from_str(date).ok()?))));
        assert_eq!(retry_after(&fields, NOW), expected.map(Duration::from_secs), "{value}");
    }

    #[test]
    fn a_pause_is_read_in_every_form() {
        case("120", None, Some(120));
        case("0", None, Some(0));
        case(" 7 ", None, Some(7));
        case("3601", None, Some(3601));
        case("1000000000", None, Some(1_000_000_000));
        case("Sun, 06 Nov 1994 08:50:37 GMT", None, Some(60));
        case("Sunday, 06-Nov-94 08:50:37 GMT", None, Some(60));
        case("Sun Nov  6 08:50:37 1994", None, Some(60));
        case("Fri, 31 Dec 9999 23:59:59 GMT", None, Some(252_618_189_022));
        case("Sun, 06 Nov 1994 08:49:36 GMT", None, Some(0));
        case("Mon, 01 Jan 0001 00:00:00 GMT", None, Some(0));
    }

    #[test]
    fn a_pause_of_too_many_digits_is_the_longest() {
        let text = HeaderValue::from_static("99999999999999999999999999");
        let fields = HeaderMap::from_iter([(RETRY_AFTER, text)]);
        assert_eq!(retry_after(&fields, NOW), Some(Duration::MAX));
    }

    #[test]
    fn the_clock_of_the_server_goes_before_ours() {
        let there = Some("Sun, 06 Nov 1994 10:00:00 GMT");
        case("Sun, 06 Nov 1994 10:00:05 GMT", there, Some(5));
        case("Sun, 06 Nov 1994 08:50:37 GMT", Some("yesterday"), Some(60));
    }

    #[test]
    fn what_is_no_pause_is_none() {
        for value in ["", "-5", "1.5", "+3", "soon", "0x10", "1e3", "Sun, 06 Nov 1994"] {
            case(value, None, None);
        }
    }
}
