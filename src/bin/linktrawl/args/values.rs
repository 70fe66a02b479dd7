//! Parses values that options of several commands accept, and formats lists of them for help texts.

use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;

/// `parse --format` and `compare --format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParseFormat {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object a line
    Ndjson,
}

/// Columns of a list: those of a terminal, 80, without the blanks before the help of an option.
const LIST_COLUMNS: usize = 80 - 10;

/// Formats each row: name, blanks up to the widest name, description, which has its own column in
/// all of its lines.
pub(crate) fn list<'r>(rows: impl Iterator<Item = (&'r str, &'r str)> + Clone) -> String {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or_default();
    let start = format!("\n  {:width$}  ", "");
    let columns = LIST_COLUMNS.saturating_sub(width + 4);
    let about = |text| filled(text, columns, |line| line.chars().count()).join(&start);
    let lines: Vec<_> =
        rows.map(|(name, text)| format!("  {name:width$}  {}", about(text))).collect();
    lines.join("\n")
}

/// Breaks `text` between words into lines of at most `columns`; a longer word has its own line.
/// `width_of` returns the number of columns of a text.
pub(crate) fn filled(text: &str, columns: usize, width_of: impl Fn(&str) -> usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(line) + 1 + width_of(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Parses a positive number.
pub(super) fn parse_positive<Number: FromStr<Err = ParseIntError>>(
    text: &str,
) -> Result<Number, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::Zero => "expected 1 or more: with 0, no request would be sent".to_owned(),
        _ => format!("expected a number, found {text:?}"),
    })
}

/// Parses a number that may be 0.
pub(super) fn parse_number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("expected a number from 0 to {}, found {text:?}", u32::MAX))
}

/// A rate, as the time from one event to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) gap: Duration,
}

/// Parses a rate: the number of times a second.
pub(super) fn parse_rate(text: &str) -> Result<Rate, String> {
    let rate = text.parse().ok().filter(|rate: &f64| (0.000_1..=1_000_000.0).contains(rate));
    let rate = rate.ok_or_else(|| {
        format!("expected a number from 0.0001 to 1000000, as in 30 or 0.5, found {text:?}")
    })?;
    Ok(Rate { gap: Duration::from_secs_f64(rate.recip()) })
}

/// Parses a duration: `500ms`, `1s`, `2m`, `1h`, `7d`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, u64); 5] =
        [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let millis = number.parse::<u64>().ok().zip(factor.or((text == "0").then_some(0)));
    let millis = millis.and_then(|(number, factor)| number.checked_mul(factor));
    let wanted = "expected a number with ms, s, m, h or d, as in 500ms";
    let hint = match unit {
        _ if number.is_empty() => String::new(),
        // In most programs a number without a unit means seconds.
        "" => format!(": perhaps {number}s"),
        "w" => "; a week is 7d".to_owned(),
        "y" => "; a year is 365d".to_owned(),
        _ => String::new(),
    };
    millis.map(Duration::from_millis).ok_or_else(|| format!("{wanted}, found {text:?}{hint}"))
}

/// Parses a duration that is longer than 0.
pub(crate) fn parse_timeout(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err(format!("expected more than 0, found {text:?}")),
        timeout => Ok(timeout),
    }
}

/// The number of dead runs in a row that make a link dead, and the time between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Confirm {
    /// The number of runs.
    pub(crate) runs: u32,
    /// The time, if the name of a rule sets one.
    pub(crate) gap: Duration,
}

/// Parses a number of runs, or `iabot`.
pub(crate) fn parse_confirm(text: &str) -> Result<Confirm, String> {
    // InternetArchiveBot calls a link dead that failed three checks, at least three days apart.
    if text == "iabot" {
        return Ok(Confirm { runs: 3, gap: Duration::from_hours(3 * 24) });
    }
    let runs = text.parse().ok().filter(|runs| *runs > 0);
    let runs = runs.ok_or_else(|| format!("expected 1 or more, or iabot, found {text:?}"))?;
    Ok(Confirm { runs, gap: Duration::ZERO })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Confirm, parse_confirm, parse_duration, parse_rate, parse_timeout};

    #[test]
    fn a_rule_of_confirmation_has_a_number_or_a_name() {
        let confirm = |runs, days: u64| Ok(Confirm { runs, gap: Duration::from_hours(days * 24) });
        assert_eq!(parse_confirm("2"), confirm(2, 0));
        assert_eq!(parse_confirm("iabot"), confirm(3, 3));
        let told = |text| parse_confirm(text).expect_err("a refusal");
        assert_eq!(told("bot"), "expected 1 or more, or iabot, found \"bot\"");
        assert_eq!(told("0"), "expected 1 or more, or iabot, found \"0\"");
    }

    #[test]
    fn durations_have_a_unit() {
        let millis = |text| parse_duration(text).map(|duration| duration.as_millis()).ok();
        let read = ["0", "500ms", "1s", "2m", "1h", "7d"].map(millis);
        assert_eq!(read, [0, 500, 1000, 120_000, 3_600_000, 604_800_000].map(Some));
        let bad =
            ["", "5", "s", "-1s", "1.5s", "1w", "99999999999999999999s", "999999999999999999d"];
        assert_eq!(bad.map(millis), [None; 8]);
        assert_eq!(parse_duration("1s"), Ok(Duration::from_secs(1)));
        let told = |text: &str, wanted: &str| {
            let words = parse_duration(text).expect_err("a refusal");
            assert!(words.ends_with(wanted), "{words}");
        };
        told("20", "found \"20\": perhaps 20s");
        told("3y", "found \"3y\"; a year is 365d");
        told("2w", "found \"2w\"; a week is 7d");
        told("y", "found \"y\"");
        told("-1s", "found \"-1s\"");
    }

    #[test]
    fn a_timeout_is_longer_than_nothing() {
        assert_eq!(parse_timeout("1ms"), Ok(Duration::from_millis(1)));
        for text in ["0", "0s"] {
            let words = parse_timeout(text).expect_err("a refusal");
            assert_eq!(words, format!("expected more than 0, found {text:?}"));
        }
    }

    #[test]
    fn a_rate_that_is_refused_is_shown() {
        for text in ["fast", "0", "-1"] {
            let words = parse_rate(text).expect_err("a refusal");
            assert!(words.ends_with(&format!("found {text:?}")), "{words}");
        }
    }
}
