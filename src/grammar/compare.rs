//! Whether two texts name the same, by the rules of one document.
//!
//! Equality here is that of normal forms, which makes it reflexive, symmetric and transitive.
//! "Different" means that the rules do not make the texts equal, never that they name
//! different resources: no comparison of texts can know that (RFC 3986 §6.1).

use super::normalize::{Inapplicable, RuleSet, normalize};

/// What a rule set says of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// The rules make them the same.
    Equal,
    /// The rules do not.
    Different,
    /// The rule set has no say about one of them.
    Inapplicable {
        /// The first of the two that it has no say about.
        side: Side,
        /// Why.
        reason: Inapplicable,
    },
}

/// One of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that is named first.
    First,
    /// The other.
    Second,
}

impl Side {
    /// `first` or `second`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// Holds `a` and `b` to `rules`.
///
/// ```
/// use linktrawl::grammar::compare::{Equivalence, compare};
/// use linktrawl::grammar::normalize::find;
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
