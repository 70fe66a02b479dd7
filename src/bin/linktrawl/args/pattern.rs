//! Parses regular expressions for `--include` and `--exclude`.

use std::slice;

use linktrawl::Error;
use regex::bytes::{Regex, RegexSet};

/// Returns `text` if it is a regular expression. Checking values one by one gives errors in files a
/// line number.
pub(super) fn parse_pattern(text: &str) -> Result<String, Error> {
    let text = text.to_owned();
    patterns(slice::from_ref(&text)).map(|_| text)
}

/// Compiles `patterns` to one set. Each is compiled alone first, so that an error names the faulty
/// one.
pub(crate) fn patterns(patterns: &[String]) -> Result<RegexSet, Error> {
    let fault = |pattern: &str, error: &regex::Error| Error::Pattern {
        pattern: pattern.to_owned(),
        reason: error.to_string(),
    };
    for pattern in patterns {
        Regex::new(pattern).map_err(|error| fault(pattern, &error))?;
    }
    RegexSet::new(patterns).map_err(|error| fault(&patterns.join(" "), &error))
}

#[cfg(test)]
mod tests {
    use linktrawl::Error;

    use super::patterns;

    #[test]
    fn a_bad_pattern_is_named() {
        let given = ["ok".to_owned(), "(".to_owned()];
        let error = patterns(&given).expect_err("an error");
        assert!(matches!(error, Error::Pattern { pattern, .. } if pattern == "("));
    }

    #[test]
    fn patterns_see_bytes() {
        let set = patterns(&[r"(?-u)\xff".to_owned()]).unwrap();
        assert!(set.is_match(b"x:\xff") && !set.is_match(b"x:"));
    }
}
