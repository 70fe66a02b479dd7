//! Faults and warnings of the public API.

use std::borrow::Cow;
use std::fmt;

use crate::finding;

/// The reason why a grammar rejects a text. `Display` prints it in one sentence, without any part
/// of the text that may be a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault<'a> {
    grammar: Cow<'a, str>,
    rule: Cow<'a, str>,
    at: Option<usize>,
    sentence: Cow<'a, str>,
}

impl<'a> Fault<'a> {
    pub(super) fn of(grammar: &'a str, rule: &'a str, at: &str, sentence: &'a str) -> Self {
        Self {
            grammar: grammar.into(),
            rule: rule.into(),
            at: at.parse().ok(),
            sentence: sentence.into(),
        }
    }

    pub(super) fn made_by(grammar: &'static str, fault: &finding::Fault) -> Fault<'static> {
        Fault {
            grammar: grammar.into(),
            rule: fault.rule.id.into(),
            at: fault.at,
            sentence: fault.to_string().into(),
        }
    }

    /// Returns the name of the grammar.
    #[must_use]
    pub fn grammar(&self) -> &str {
        &self.grammar
    }

    /// Returns the name of the rule that the text breaks: `pct-encoded`, `port`. The command
    /// `linktrawl explain` describes each.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Returns the offset in bytes, from 0, of the first byte that cannot follow the bytes before
    /// it in any valid text; the length of the text if it ends too early. `None` if the place is
    /// not known. The grammar `whatwg` gives the offset of its validation error.
    #[must_use]
    pub const fn at(&self) -> Option<usize> {
        self.at
    }
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.sentence)
    }
}

impl std::error::Error for Fault<'_> {}

/// A reason to distrust a text that its grammar accepts. `Display` prints it in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning<'a> {
    lint: &'a str,
    at: usize,
    sentence: &'a str,
}

impl<'a> Warning<'a> {
    pub(super) fn of(lint: &'a str, at: &str, sentence: &'a str) -> Self {
        Self { lint, at: at.parse().unwrap_or_default(), sentence }
    }

    /// Returns the name of the lint: `port-range`, `mixed-script`.
    #[must_use]
    pub const fn lint(&self) -> &'a str {
        self.lint
    }

    /// Returns the offset in bytes, from 0, of the first byte concerned in the link.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for Warning<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.sentence)
    }
}
