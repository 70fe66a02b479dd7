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
        reason: reason(&error.to_string()),
    };
    for pattern in patterns {
        Regex::new(pattern).map_err(|error| fault(pattern, &error))?;
    }
    RegexSet::new(patterns).map_err(|error| fault(&patterns.join(" "), &error))
}

/// Returns the message of the crate `regex` on one line.
///
/// Its lines are a title, the pattern after four blanks, carets below the fault, and the message
/// after `error: `. Patterns of several lines have another form, of which only the message is kept.
fn reason(words: &str) -> String {
    let Some((shown, message)) = words.rsplit_once("\nerror: ") else {
        return words.trim_end_matches('.').to_owned();
    };
    let [_, _, carets] = shown.lines().collect::<Vec<_>>()[..] else { return message.to_owned() };
    let Some(column) = carets.strip_prefix("    ").and_then(|carets| carets.find('^')) else {
        return message.to_owned();
    };
    let hint = match message {
        "unclosed group" => r"; \( matches a bracket",
        "unopened group" => r"; \) matches a bracket",
        _ => "",
    };
    format!("{message} (character {}){hint}", column + 1)
}

#[cfg(test)]
mod tests {
    use linktrawl::Error;

    use super::patterns;

    #[test]
    fn a_fault_is_told_on_one_line_with_its_place() {
        let told = |pattern: &str, wanted: &str| {
            let error = patterns(&[pattern.to_owned()]).expect_err("an error").to_string();
            let found = format!("expected a regular expression, found {pattern:?}: ");
            assert_eq!(error.strip_prefix(&found), Some(wanted), "{error}");
        };
        told("(", r"unclosed group (character 1); \( matches a bracket");
        told("ab)", r"unopened group (character 3); \) matches a bracket");
        told("*.md", "repetition operator missing expression (character 1)");
        told("a\n(", "unclosed group");
        let long = patterns(&["a{1000}{1000}{1000}".to_owned()]).expect_err("an error").to_string();
        assert!(!long.contains('\n') && !long.ends_with('.'), "{long}");
    }

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
