//! Limits the cost of regular expressions in a file that was found, not named.
//!
//! Each is matched against every URI, and may visit each of its states for each byte. Patterns of
//! projects match hosts and paths: a hundred of them stay far below these limits.

use regex::bytes::RegexSetBuilder;

use super::keys::Key;
use super::trust::ADVICE;

/// Number of patterns of one option.
const PATTERNS_MAX: usize = 100;
/// Bytes of one pattern.
const PATTERN_LEN_MAX: usize = 1_000;
/// Bytes of all compiled patterns of one option: some 5000 states, which take some 20 µs for a byte
/// at worst. The limit for each typed pattern is 10 MiB.
const COMPILED_LEN_MAX: usize = 256 * 1024;
/// Depth of nested groups.
const NEST_MAX: u32 = 20;

/// The options whose values are regular expressions.
const OPTIONS: [&str; 2] = ["exclude", "include"];

/// Returns why `values` of `key` are rejected from a file that was found, if they are. The command
/// line rejects invalid regular expressions.
pub(super) fn refusal<'v>(
    key: Key<'_>,
    values: impl ExactSizeIterator<Item = &'v str>,
) -> Option<String> {
    if !OPTIONS.contains(&key.name) {
        return None;
    }
    if values.len() > PATTERNS_MAX {
        return Some(format!("expected at most {PATTERNS_MAX} patterns, found more: {ADVICE}"));
    }
    let patterns: Vec<_> = values.collect();
    if patterns.iter().any(|pattern| pattern.len() > PATTERN_LEN_MAX) {
        let found = format!("expected patterns of at most {PATTERN_LEN_MAX} bytes, found a longer");
        return Some(format!("{found} one: {ADVICE}"));
    }
    let built = RegexSetBuilder::new(&patterns)
        .size_limit(COMPILED_LEN_MAX)
        .dfa_size_limit(COMPILED_LEN_MAX)
        .nest_limit(NEST_MAX)
        .build();
    match built {
        Err(regex::Error::CompiledTooBig(_)) => Some(format!(
            "expected patterns that take at most {COMPILED_LEN_MAX} bytes when they are compiled, \
             found larger ones: {ADVICE}"
        )),
        _ => None,
    }
}
