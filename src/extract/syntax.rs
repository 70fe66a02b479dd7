//! Parses, resolves and compares single URIs by the rules of one specification.

use std::fmt;

use super::problem::Fault;
use crate::grammar::compare::Equivalence;
use crate::grammar::{self, normalize};
use crate::uri::Uri;

/// The syntax of one specification, selected by its name.
///
/// Grammars are compiled from the specifications' own ABNF; `whatwg` is the parser of the URL
/// Standard. A grammar checks syntax alone, not whether a host exists or a port is in range.
///
/// ```
/// use linktrawl::Grammar;
///
/// let strict = Grammar::find("rfc3986").unwrap();
/// let fault = strict.check(b"http://h/a b").unwrap_err();
/// assert_eq!((fault.rule(), fault.at()), ("control", Some(10)));
/// assert!(Grammar::find("whatwg").unwrap().check(b"http://h/a b").is_ok());
/// ```
#[derive(Clone, Copy)]
pub struct Grammar(&'static dyn grammar::Grammar);

impl Grammar {
    /// Returns the grammar with this name or alias, as `linktrawl grammar list` prints them:
    /// `current`, `rfc3986`, `rfc3987`, `whatwg` (feature `idn`), `rfc1738`, … `None` for any other
    /// name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        grammar::find(name).map(Self)
    }

    /// Returns every grammar; the first is the default one.
    pub fn all() -> impl Iterator<Item = Self> {
        grammar::GRAMMARS.iter().copied().map(Self)
    }

    /// Returns the grammar that inputs are checked against.
    pub(super) const fn inner(self) -> &'static dyn grammar::Grammar {
        self.0
    }

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns the specification and the start rule in it, in one line.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.0.about()
    }

    /// Checks whether the whole of `text` is a URI of this grammar, in time proportional to its
    /// length.
    ///
    /// # Errors
    /// The [`Fault`], with the offset of the first byte that cannot follow the bytes before it in
    /// any valid text.
    pub fn check(self, text: &[u8]) -> Result<(), Fault<'static>> {
        self.0.check(text).map_err(|fault| Fault::made_by(self.name(), &fault))
    }
}

/// The grammar `current`: each scheme by its own RFC, all others by RFC 3987.
impl Default for Grammar {
    fn default() -> Self {
        Self(grammar::current())
    }
}

impl fmt::Debug for Grammar {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Grammar({})", self.name())
    }
}

/// Checks `text` against `grammar`, and splits it into its components (RFC 3986 §3).
///
/// Nothing is decoded or normalised. Allocates nothing for a valid text.
///
/// # Errors
/// The fault that [`Grammar::check`] finds.
///
/// ```
/// use linktrawl::{Grammar, parse};
///
/// let uri = parse(b"http://h.example:80/a?b", Grammar::default())?;
/// assert_eq!(uri.host.unwrap().of(uri.text), b"h.example");
/// assert_eq!(uri.path.of(uri.text), b"/a");
/// assert!(uri.fragment.is_none());
/// # Ok::<(), linktrawl::Fault<'static>>(())
/// ```
pub fn parse(text: &[u8], grammar: Grammar) -> Result<Uri<'_>, Fault<'static>> {
    grammar.check(text)?;
    Ok(grammar.0.split(text))
}

/// Resolves `reference`, found in a text whose URI is `base`, by the rules of one document.
///
/// `rules` is `rfc3986` (§5.2, strict: today's rules), `rfc3986-compat`, `rfc2396`, `rfc1808`,
/// `rfc1630`, `draft1993`, or `whatwg` (the behaviour of browsers; needs the feature `idn`). If
/// `base` is empty, the base is unknown, and only references that are whole URIs can be resolved.
/// Nothing is decoded or checked. Takes time and memory in proportion to the lengths of both.
///
/// # Errors
/// If `base` has no scheme, `reference` is relative and `base` is empty, the specification does not
/// define the result, or no rules are called `rules`.
///
/// ```
/// let base = b"http://a/b/c";
/// assert_eq!(linktrawl::resolve(base, b"../g", "rfc3986").unwrap(), b"http://a/g");
/// assert_eq!(linktrawl::resolve(base, b"?y", "rfc1630").unwrap(), b"http://a/b/?y");
/// assert!(linktrawl::resolve(b"", b"../g", "rfc3986").is_err());
/// ```
pub fn resolve(base: &[u8], reference: &[u8], rules: &str) -> Result<Vec<u8>, Unresolved> {
    let rules = grammar::resolve::find(rules).ok_or_else(|| Unresolved(unknown(rules)))?;
    grammar::resolve::resolve(base, reference, rules).map_err(|it| Unresolved(it.to_string()))
}

fn unknown(rules: &str) -> String {
    format!("expected the name of rules, found {rules:?}")
}

/// The reason why a reference cannot be resolved. `Display` prints it in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved(String);

impl fmt::Display for Unresolved {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

impl std::error::Error for Unresolved {}

/// Reports whether the rules of one document make `a` and `b` equal.
///
/// `rules` is `rfc3986-scheme` (§6.2.3: case, unnecessary escapes, dot segments, default ports, the
/// empty path), `rfc3986-syntax`, `rfc3987`, `rfc1738`, `rfc1630`, `rfc8141`, or `whatwg`;
/// `rfc3987` and `whatwg` need the feature `idn`. `Ok(false)` means that the rules do not make them
/// equal, never that they identify different resources: no comparison of texts can determine that
/// (RFC 3986 §6.1).
///
/// # Errors
/// If the specification's grammar rejects one of the two, or no rules are called `rules`.
///
/// ```
/// use linktrawl::compare;
///
/// let rules = "rfc3986-scheme";
/// assert_eq!(compare(b"HTTP://h.example:80", b"http://H.example/", rules), Ok(true));
/// assert_eq!(compare(b"http://h/a", b"http://h/A", rules), Ok(false));
/// assert!(compare(b"http://h/a b", b"http://h/", rules).is_err());
/// ```
pub fn compare(a: &[u8], b: &[u8], rules: &str) -> Result<bool, Incomparable> {
    let rules = normalize::find(rules).ok_or_else(|| Incomparable(unknown(rules)))?;
    match grammar::compare::compare(a, b, rules) {
        Equivalence::Equal => Ok(true),
        Equivalence::Different => Ok(false),
        Equivalence::Inapplicable { side, reason } => {
            Err(Incomparable(format!("the {} text: {reason}", side.name())))
        }
    }
}

/// The reason why two texts cannot be compared. `Display` prints it in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomparable(String);

impl fmt::Display for Incomparable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

impl std::error::Error for Incomparable {}
