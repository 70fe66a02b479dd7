//! Regular expressions, as `--include` and `--exclude` take them.

use std::slice;

use linktrawl::Error;
use regex::bytes::{Regex, RegexSet};

/// `text`, where it is a regular expression: whoever wrote it into a file is told of its line.
pub(super) fn parse_pattern(text: &str) -> Result<String, Error> {
    let text = text.to_owned();
    patterns(slice::from_ref(&text)).map(|_| text)
}

/// One set of `patterns`; each is tried alone first, so that an error names the one at fault.
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
