//! Compares two texts by the equivalence rules of one document.
//!
//! Equality is that of normal forms, and thus reflexive, symmetric and transitive. "Different"
//! means that the rules do not make the texts equal, never that they name different resources: no
//! comparison of texts can know that (RFC 3986 §6.1).

use super::normalize::{Inapplicable, RuleSet, normalize};

/// The result of comparing two texts by a rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// The rules make the texts equal.
    Equal,
    /// The rules do not make the texts equal.
    Different,
    /// The rule set does not apply to one of the texts.
    Inapplicable {
        /// The first text to which it does not apply.
        side: Side,
        /// The reason.
        reason: Inapplicable,
    },
}

/// One of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first argument.
    First,
    /// The second argument.
    Second,
}

impl Side {
    /// Returns `first` or `second`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// Compares `a` and `b` by `rules`.
///
/// ```
/// use linktrawl::internal::grammar::compare::{Equivalence, compare};
/// use linktrawl::internal::grammar::normalize::find;
///
/// let rules = find("rfc1630").unwrap();
/// let (hyphen, escaped) = (b"http://info.cern.ch/a-b", b"http://info.cern.ch/a%2Db");
/// assert_eq!(compare(hyphen, escaped, rules), Equivalence::Equal);
/// ```
#[must_use]
pub fn compare(a: &[u8], b: &[u8], rules: &RuleSet) -> Equivalence {
    let inapplicable = |side, reason| Equivalence::Inapplicable { side, reason };
    match (normalize(a, rules), normalize(b, rules)) {
        (Err(reason), _) => inapplicable(Side::First, reason),
        (_, Err(reason)) => inapplicable(Side::Second, reason),
        (Ok(a), Ok(b)) if a == b => Equivalence::Equal,
        (Ok(_), Ok(_)) => Equivalence::Different,
    }
}
