//! Resolves partial forms: computes a whole URI from a base and a reference, by each document's own
//! rules.
//!
//! There are seven algorithms, since the documents disagree: on `?y`, on surplus `..`, on the part
//! of the base that `/g` keeps. Each is written from its document, with the section at each step;
//! where a document is silent, the comment marks the choice as ours, and a row of the corpus pins
//! it. Nothing is validated or decoded here, and only the WHATWG standard changes its input beyond
//! the removal of dots.

mod early;
mod rfc1808;
mod rfc2396;
mod rfc3986;
#[cfg(feature = "idn")]
mod whatwg;

use std::fmt;

use super::split::split;
use crate::scheme::is_scheme_byte;
use crate::span::Span;

/// One document's way to resolve a partial form.
pub struct Algorithm {
    /// The name that `--rules` takes.
    pub name: &'static str,
    /// One line for help texts and tables, with the section.
    pub about: &'static str,
    run: fn(Base<'_>, &[u8]) -> Result<Vec<u8>, Unresolved>,
}

/// Two algorithms are equal if they have the same name.
impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Algorithm({})", self.name)
    }
}

/// Every algorithm, oldest document first.
pub static ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "draft1993",
        about: "URL draft of October 1993, partial forms",
        run: early::draft1993,
    },
    Algorithm {
        name: "rfc1630",
        about: "RFC 1630, Partial (relative) form: by runs of slashes",
        run: early::rfc1630,
    },
    Algorithm {
        name: "rfc1808",
        about: "RFC 1808 §4: with parameters after a semicolon",
        run: rfc1808::resolve,
    },
    Algorithm {
        name: "rfc2396",
        about: "RFC 2396 §5.2: surplus .. is kept",
        run: rfc2396::resolve,
    },
    Algorithm {
        name: "rfc3986",
        about: "RFC 3986 §5.2, strict: surplus .. is dropped",
        run: rfc3986::strict,
    },
    Algorithm {
        name: "rfc3986-compat",
        about: "RFC 3986 §5.2.2, not strict: the base's own scheme is ignored",
        run: rfc3986::compat,
    },
    #[cfg(feature = "idn")]
    Algorithm {
        name: "whatwg",
        about: "WHATWG URL §4.4, the basic URL parser: what browsers do",
        run: whatwg::resolve,
    },
];

/// The name of the current algorithm.
pub const DEFAULT: &str = "rfc3986";

/// Returns the algorithm called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// The reason why a reference cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresolved {
    /// The base is not empty, but has no scheme (RFC 3986 §5.1).
    BaseWithoutScheme,
    /// The reference is a partial form, and there is no base.
    NeedsBase,
    /// RFC 1630 does not define the base of a reference with this many leading slashes.
    NoSuchRun {
        /// Number of slashes at the beginning of the reference.
        slashes: usize,
    },
    /// The WHATWG standard fails on it.
    Refused {
        /// The validation error, in words.
        words: String,
    },
    /// The WHATWG standard reads characters, and these bytes are not UTF-8.
    NotText,
}

impl fmt::Display for Unresolved {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseWithoutScheme => {
                write!(out, "expected a base that begins with a scheme and a colon, found none")
            }
            Self::NeedsBase => write!(out, "a partial form needs a base, and none is given"),
            Self::NoSuchRun { slashes } => write!(
                out,
                "undefined: the base has no run of exactly {slashes} slashes without a longer \
                 one after it (RFC 1630, Partial form)"
            ),
            Self::Refused { words } => write!(out, "refused by the WHATWG URL standard: {words}"),
            Self::NotText => write!(out, "expected UTF-8 (WHATWG URL §4.4), found other bytes"),
        }
    }
}

impl std::error::Error for Unresolved {}

/// Resolves `reference`, which occurs in a text with the URI `base`, to a URI.
///
/// An empty `base` is an unknown one (RFC 1808 §3.4): full forms do not need it. Takes time and
/// memory in proportion to the lengths of both.
///
/// # Errors
/// When `base` has no scheme, a partial form has no base, or the document does not define the
/// result.
///
/// ```
/// use linktrawl::internal::grammar::resolve::{find, resolve};
///
/// let rules = find("rfc3986").unwrap();
/// assert_eq!(resolve(b"http://a/b/c", b"../g", rules).unwrap(), b"http://a/g");
/// assert!(resolve(b"", b"//a/g", rules).is_err());
/// ```
pub fn resolve(
    base: &[u8],
    reference: &[u8],
    algorithm: &Algorithm,
) -> Result<Vec<u8>, Unresolved> {
    let base = match base {
        [] => Base(None),
        _ if is_base(base) => Base(Some(base)),
        _ => return Err(Unresolved::BaseWithoutScheme),
    };
    (algorithm.run)(base, reference)
}

/// Puts `scheme` before `//host`; `None` if `reference` does not begin with two slashes.
#[must_use]
pub fn assume_scheme(reference: &[u8], scheme: &str) -> Option<Vec<u8>> {
    reference.starts_with(b"//").then(|| [scheme.as_bytes(), b":", reference].concat())
}

/// Reports whether `name` is `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986 §3.1).
#[must_use]
pub fn is_scheme(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(|&it| is_scheme_byte(it))
}

/// Reports whether `text` begins with a scheme and a colon, as every base must.
///
/// Every algorithm requires this of a base: the draft and RFC 1630 would allow more characters, but
/// no scheme ever used them.
#[must_use]
pub fn is_base(text: &[u8]) -> bool {
    let name = text.split(|&byte| byte == b':').next().unwrap_or_default();
    name.len() < text.len() && is_scheme(name)
}

/// A base that begins with a scheme; `None` if it is unknown.
#[derive(Clone, Copy)]
struct Base<'t>(Option<&'t [u8]>);

impl<'t> Base<'t> {
    /// Returns the base, for a reference that needs one.
    fn known(self) -> Result<&'t [u8], Unresolved> {
        self.0.ok_or(Unresolved::NeedsBase)
    }
}

/// Splits `text` before the first `byte`; without one, the second part is empty.
fn cut(text: &[u8], byte: u8) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&it| it == byte).unwrap_or(text.len()))
}

/// Returns `path` up to and including its last slash; empty if there is none.
fn directory(path: &[u8]) -> &[u8] {
    let len = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    path.get(..len).unwrap_or_default()
}

/// The five components used by RFC 2396 and RFC 3986; absent and empty are different.
#[derive(Clone, Copy)]
struct Parts<'t> {
    scheme: Option<&'t [u8]>,
    authority: Option<&'t [u8]>,
    path: &'t [u8],
    query: Option<&'t [u8]>,
    fragment: Option<&'t [u8]>,
}

impl<'t> Parts<'t> {
    /// Splits `text` into its components (RFC 2396 Appendix B, RFC 3986 Appendix B).
    fn of(text: &'t [u8]) -> Self {
        let uri = split(text);
        let of = |span: Option<Span>| span.map(|span| span.of(text));
        let scheme_len = uri.scheme.map_or(0, |scheme| scheme.end + 1);
        let authority = uri.host.map(|_| Span::new(scheme_len + "//".len(), uri.path.start));
        Self {
            scheme: of(uri.scheme),
            authority: of(authority),
            path: uri.path.of(text),
            query: of(uri.query),
            fragment: of(uri.fragment),
        }
    }

    /// Joins the components (RFC 2396 §5.2 step 7, RFC 3986 §5.3).
    fn join(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(scheme) = self.scheme {
            out.extend_from_slice(scheme);
            out.push(b':');
        }
        for (mark, part) in [
            (&b"//"[..], self.authority),
            (b"", Some(self.path)),
            (b"?", self.query),
            (b"#", self.fragment),
        ] {
            if let Some(part) = part {
                out.extend_from_slice(mark);
                out.extend_from_slice(part);
            }
        }
        out
    }
}
