//! Normal forms: one spelling for all texts that a document declares equivalent.
//!
//! ```text
//! text ──> grammar of the rule set ──> parts ──> rules ──> one text again
//! ```
//! A rule set is one document's definition of equivalence, and has a name. Two texts are equal
//! under a rule set exactly if their normal forms are the same bytes, which `compare` tests.
//! Nothing is decoded twice: each escape of the input is read once.
//!
//! Missing on purpose: equivalences that only the server knows (RFC 3986 §6.2.4), addresses in the
//! header fields of a mailto, defaults of a scheme's own subcomponents (a gopher type, an FTP type
//! code), and Unicode normalisation, which RFC 3987 §5.3.2.2 forbids here.

mod dots;
mod escape;
mod generic;
mod historical;
#[cfg(feature = "idn")]
mod iri;
#[cfg(feature = "idn")]
mod key;
mod parts;

use std::fmt;

#[cfg(feature = "idn")]
pub use iri::to_uri;
#[cfg(feature = "idn")]
pub use key::key;

use crate::finding::Fault;
#[cfg(feature = "idn")]
use crate::uri::whatwg;

/// One document's rules about equivalent texts.
pub struct RuleSet {
    /// The name that `--rules` takes.
    pub name: &'static str,
    /// One line for help texts and tables: document, section, and the normalised properties.
    pub about: &'static str,
    apply: fn(&[u8]) -> Result<Vec<u8>, Inapplicable>,
}

/// The default rule set.
pub const DEFAULT: &str = "rfc3986-scheme";

/// Every rule set, in the order of help texts.
pub static RULE_SETS: &[RuleSet] = &[
    RuleSet {
        name: "rfc1630",
        about: "RFC 1630: one encoding level, reserved characters apart; void fragment",
        apply: historical::rfc1630,
    },
    RuleSet {
        name: "rfc1738",
        about: "RFC 1738 §2.2: one encoding level, reserved characters apart; case of scheme, host",
        apply: historical::rfc1738,
    },
    RuleSet {
        name: "rfc3986-syntax",
        about: "RFC 3986 §6.2.2: case, escapes of unreserved characters, dot segments",
        apply: |text| generic::syntax(text).map(|parts| parts.compose()),
    },
    RuleSet {
        name: DEFAULT,
        about: "RFC 3986 §6.2.3: the same, then default port, empty path, mail domain",
        apply: generic::scheme,
    },
    #[cfg(feature = "idn")]
    RuleSet {
        name: "rfc3987",
        about: "RFC 3987 §3.1: mapped to a URI, then as rfc3986-scheme",
        apply: iri::rfc3987,
    },
    RuleSet {
        name: "rfc8141",
        about: "RFC 8141 §3: URNs by namespace and name, without r-, q- and f-components",
        apply: historical::rfc8141,
    },
    #[cfg(feature = "idn")]
    RuleSet {
        name: "whatwg",
        about: "WHATWG URL: equal when the serialisations are",
        apply: serialisation,
    },
];

/// Returns the rule set called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static RuleSet> {
    RULE_SETS.iter().find(|rules| rules.name == name)
}

/// A text in the normal form of a rule set.
///
/// It may hold a password, so that it has no `Display`, and its `Debug` omits the text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Normal(Vec<u8>);

impl Normal {
    /// Returns the text as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Normal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Normal({} bytes)", self.0.len())
    }
}

/// The reason why a rule set does not apply to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inapplicable {
    /// The grammar of the rule set's document does not accept the text.
    Refused {
        /// The grammar's name.
        grammar: &'static str,
        /// The fault that it finds.
        fault: Box<Fault>,
    },
    /// WHATWG's parser fails on the text.
    NoUrl {
        /// The validation error, in words.
        reason: String,
    },
}

impl fmt::Display for Inapplicable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { grammar, fault } => {
                write!(out, "{grammar} does not accept it: {}: {fault}", fault.rule.id)
            }
            Self::NoUrl { reason } => write!(out, "the URL Standard does not accept it: {reason}"),
        }
    }
}

/// Returns the normal form of `text` by `rules`. Normalising a normal form changes nothing.
///
/// # Errors
/// When the rules do not apply to `text`, for example because their grammar does not accept it.
///
/// ```
/// use linktrawl::internal::grammar::normalize::{find, normalize};
///
/// let rules = find("rfc3986-scheme").unwrap();
/// let normal = normalize(b"HTTP://Example.COM:80/%7Ea/../b", rules).unwrap();
/// assert_eq!(normal.as_bytes(), b"http://example.com/b");
/// assert!(normalize(b"no URI", rules).is_err());
/// ```
pub fn normalize(text: &[u8], rules: &RuleSet) -> Result<Normal, Inapplicable> {
    (rules.apply)(text).map(Normal)
}

/// Checks `text` against the grammar called `name`; a test ensures that each name passed here
/// exists.
fn require(name: &'static str, text: &[u8]) -> Result<(), Inapplicable> {
    let Some(grammar) = super::find(name) else { return Ok(()) };
    grammar
        .check(text)
        .map_err(|fault| Inapplicable::Refused { grammar: grammar.name(), fault: Box::new(fault) })
}

/// Applies the URL Standard's own equivalence (URL §4.6): returns the serialisation.
#[cfg(feature = "idn")]
fn serialisation(text: &[u8]) -> Result<Vec<u8>, Inapplicable> {
    let no_url = |reason: String| Inapplicable::NoUrl { reason };
    let text = str::from_utf8(text).map_err(|error| no_url(error.to_string()))?;
    let url = whatwg::parse(text, None).map_err(|flaw| no_url(flaw.to_string()))?;
    Ok(url.into_href().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT, Normal, RULE_SETS, find};

    #[test]
    fn names_are_unique_and_the_default_is_one_of_them() {
        for (idx, rules) in RULE_SETS.iter().enumerate() {
            assert!(RULE_SETS[..idx].iter().all(|earlier| earlier.name != rules.name));
            assert_eq!(find(rules.name).map(|found| found.about), Some(rules.about));
        }
        assert!(find(DEFAULT).is_some());
        assert!(find("rfc0").is_none());
    }

    #[test]
    fn a_normal_form_shows_no_password() {
        let shown = format!("{:?}", Normal(b"ftp://u:secret@h/".to_vec()));
        assert_eq!(shown, "Normal(17 bytes)");
    }
}
