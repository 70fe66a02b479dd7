//! Grammars, selected by name. Each is a specification's own ABNF, compiled to a table.
//!
//! ```text
//! abnf/*.abnf ──> build.rs ──> tables ──> dfa (one walker) ──> where the text leaves, if it does
//!                                         split (components)    fault (a name for that place)
//!                                         lint (valid, but suspicious)
//! ```
//! `documents` lists the grammars; `whatwg` is the only one without a table. A grammar checks
//! syntax alone, not the values that percent-decoding would yield (numbers in range, addresses
//! inside a mailto). `resolve` turns partial forms into whole URIs, `normalize` computes the
//! normal form of a text by the rules of a document, and `compare` compares normal forms.

pub mod compare;
mod compiled;
mod components;
mod dfa;
#[expect(dead_code, reason = "files and start rules are read by the build script")]
mod documents;
mod fault;
mod lint;
pub mod normalize;
pub mod resolve;
mod split;
#[cfg(feature = "idn")]
mod whatwg;

use std::sync::LazyLock;

use crate::finding::{Fault, Repairs};
use crate::uri::{Component, Uri};
use compiled::{COMPILED, COUNT};
#[cfg(feature = "idn")]
use whatwg::Whatwg;

pub use lint::{lint, lint_cut, lint_joined, lint_shown, lint_torn};
pub use split::split;

/// One specification's syntax.
pub trait Grammar: Sync {
    /// Returns the name that `--grammar` takes.
    fn name(&self) -> &'static str;

    /// Returns other names for the same grammar.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns one line for help texts and tables: document and start rule.
    fn about(&self) -> &'static str;

    /// Checks `text` against the grammar.
    ///
    /// # Errors
    /// The fault, with the first offset after which nothing could have made `text` valid.
    fn check(&self, text: &[u8]) -> Result<(), Fault>;

    /// Reports whether the grammar accepts `text`. Unlike [`Grammar::check`], builds no fault.
    fn takes(&self, text: &[u8]) -> bool {
        self.check(text).is_ok()
    }

    /// Returns the repairs that this grammar makes to its document.
    fn repairs(&self) -> Repairs {
        Repairs::NONE
    }

    /// Checks `text` against the grammar without the repairs in `refused`. Returns the repairs that
    /// it needs: those without which it is not accepted, or not by the same rule.
    ///
    /// # Errors
    /// As [`Grammar::check`].
    fn read(&self, text: &[u8], _refused: Repairs) -> Result<Repairs, Fault> {
        self.check(text).map(|()| Repairs::NONE)
    }

    /// Returns the parts of `text` under the document's own names, in the order of the text. A name
    /// may occur more than once. Meaningful only for a text that `check` accepts.
    fn components<'t>(&self, text: &'t [u8]) -> Vec<Component<'t>> {
        self.split(text).components().collect()
    }

    /// Returns the rules that `text` breaks although the grammar accepts it, under the
    /// specification's names. `None` if the grammar has no such rules; only `whatwg` has.
    fn violations(&self, text: &[u8]) -> Option<Vec<&'static str>> {
        let found = self.violations_at(text)?;
        Some(found.iter().map(|violation| violation.name).collect())
    }

    /// Returns the violations with their offsets, in the order of the offsets.
    fn violations_at(&self, _text: &[u8]) -> Option<Vec<Violation>> {
        None
    }

    /// Returns the output of `grammar show`: the start rules, and the files that define them.
    fn rules(&self) -> Rules {
        Rules::default()
    }

    /// Splits `text` into its components. Never fails; meaningful only for a text that `check`
    /// accepts.
    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t>;
}

/// A rule of a specification that a text breaks, though the specification accepts the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The specification's name for it: `invalid-URL-unit`.
    pub name: &'static str,
    /// Offset of the first byte of the offending character; the text's length if something is
    /// missing at the end.
    pub at: usize,
}

/// The rules of a grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The start rules.
    pub starts: Vec<Start>,
    /// Names and texts of the files that hold the rules, in ABNF (RFC 5234).
    pub files: Vec<(&'static str, &'static str)>,
}

/// One start rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The scheme whose URIs are checked against it; empty for all schemes without a rule of their
    /// own.
    pub scheme: &'static str,
    /// Its name in the files.
    pub rule: &'static str,
    /// Document and section.
    pub spec: &'static str,
    /// Number of states of its automaton, without the dead one.
    pub states: usize,
    /// Number of classes of bytes that the automaton distinguishes.
    pub classes: usize,
}

/// Every grammar, in the order of help texts; the first is the default.
pub static GRAMMARS: &[&dyn Grammar] = &{
    #[cfg(feature = "idn")]
    let mut list: [&dyn Grammar; COUNT + 1] = [&Whatwg; COUNT + 1];
    #[cfg(not(feature = "idn"))]
    let mut list: [&dyn Grammar; COUNT] = [&COMPILED[0]; COUNT];
    let mut idx = 0;
    while idx < COUNT {
        list[idx] = &COMPILED[idx];
        idx += 1;
    }
    list
};

/// Returns the default grammar, the first of [`GRAMMARS`].
#[must_use]
pub fn current() -> &'static dyn Grammar {
    &COMPILED[0]
}

/// Returns the grammar with this name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Grammar> {
    GRAMMARS
        .iter()
        .copied()
        .find(|grammar| grammar.name() == name || grammar.aliases().contains(&name))
}

/// Returns the grammar that checks references without a scheme when `grammar` is selected.
///
/// Only grammars of references accept these. `current` and the IRI grammar use `rfc3987-ref`;
/// grammars without one in their document use `rfc3986-ref`.
#[must_use]
pub fn of_references(grammar: &'static dyn Grammar) -> &'static dyn Grammar {
    const OF_IRIS: [&str; 3] = ["current", "rfc3987-iri", "rfc3987-ref"];
    static REFERENCES: LazyLock<[Option<&'static dyn Grammar>; 2]> =
        LazyLock::new(|| ["rfc3987-ref", "rfc3986-ref"].map(find));
    #[cfg(feature = "idn")]
    if grammar.name() == Whatwg.name() {
        return &whatwg::References;
    }
    let [iris, uris] = *REFERENCES;
    let found = if OF_IRIS.contains(&grammar.name()) { iris } else { uris };
    found.unwrap_or(grammar)
}
