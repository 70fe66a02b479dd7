//! The grammars, by name. Each is a specification's own ABNF, compiled to a table.
//!
//! ```text
//! abnf/*.abnf ──> build.rs ──> tables ──> dfa (one walker) ──> where the text leaves, if it does
//!                                         split (components)    fault (a name for that place)
//!                                         lint (what is valid and still worth a look)
//! ```
//! `documents` lists the grammars, `whatwg` is the one that no table holds. A grammar is
//! syntax alone: what follows percent-decoding (numbers in range, addresses inside a mailto)
//! is not asked here. `resolve` makes whole URIs of partial forms, `normalize` brings texts to
//! one form by the rules of a document, and `compare` asks whether two have the same.

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
mod whatwg;

use crate::finding::{Fault, Repairs};
use crate::uri::{Component, Uri};
use compiled::{COMPILED, COUNT};
use whatwg::Whatwg;

pub use lint::{lint, lint_cut, lint_shown};
pub use split::split;

/// One specification's syntax.
pub trait Grammar: Sync {
    /// The name that `--grammar` takes.
    fn name(&self) -> &'static str;

    /// Other names for the same grammar.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// One line for help texts and tables: document and start rule.
    fn about(&self) -> &'static str;

    /// Holds `text` to the grammar.
    ///
    /// # Errors
    /// The fault with the first offset after which nothing could have made `text` valid.
    fn check(&self, text: &[u8]) -> Result<(), Fault>;

    /// The repairs that this grammar makes to its document.
    fn repairs(&self) -> Repairs {
        Repairs::NONE
    }

    /// Holds `text` to the grammar without the repairs of `refused`, and tells which ones it
    /// needs: those without which it is not taken, or not by the same rule.
    ///
    /// # Errors
    /// As [`Grammar::check`].
    fn read(&self, text: &[u8], _refused: Repairs) -> Result<Repairs, Fault> {
        self.check(text).map(|()| Repairs::NONE)
    }

    /// The parts of `text` by the document's own names, in the order they stand; a name may
    /// come more than once. Means something only where `check` is content.
    fn components<'t>(&self, text: &'t [u8]) -> Vec<Component<'t>> {
        self.split(text).components().collect()
    }

    /// What is against the rules of a grammar that takes `text` all the same, by the names
    /// that its specification has for it. Only `whatwg` is like that.
    fn violations(&self, text: &[u8]) -> Option<Vec<&'static str>> {
        let found = self.violations_at(text)?;
        Some(found.iter().map(|violation| violation.name).collect())
    }

    /// Returns the same with their offsets, in the order of these.
    fn violations_at(&self, _text: &[u8]) -> Option<Vec<Violation>> {
        None
    }

    /// What `grammar show` prints: the start rules, and the rules they stand in.
    fn rules(&self) -> Rules {
        Rules::default()
    }

    /// The components of `text`. Never fails; means something only where `check` is content.
    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t>;
}

/// A rule of a specification that a text breaks, though the specification accepts the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The specification's name for it: `invalid-URL-unit`.
    pub name: &'static str,
    /// Offset of the first byte of its character; the text's length where something is missing
    /// at the end.
    pub at: usize,
}

/// What a grammar is made of.
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
    /// The scheme that is held to it; empty for all that have none of their own.
    pub scheme: &'static str,
    /// Its name in the files.
    pub rule: &'static str,
    /// Document and section.
    pub spec: &'static str,
    /// States of its automaton, the dead one not counted.
    pub states: usize,
    /// Classes of bytes that the automaton tells apart.
    pub classes: usize,
}

/// Every grammar, in the order that help texts list them; the first is the default.
pub static GRAMMARS: &[&dyn Grammar] = &{
    let mut list: [&dyn Grammar; COUNT + 1] = [&Whatwg; COUNT + 1];
    let mut idx = 0;
    while idx < COUNT {
        list[idx] = &COMPILED[idx];
        idx += 1;
    }
    list
};

/// The grammar that has `name` as its name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Grammar> {
    GRAMMARS
        .iter()
        .copied()
        .find(|grammar| grammar.name() == name || grammar.aliases().contains(&name))
}

/// What holds a reference without a scheme where `grammar` is asked for.
///
/// Only grammars of references take one; of the others, those for URIs of today and for IRIs
/// have one beside them in the same document, and RFC 3986 speaks for those without.
#[must_use]
pub fn of_references(grammar: &'static dyn Grammar) -> &'static dyn Grammar {
    const OF: [(&str, &str); 4] = [
        ("current", "rfc3987-ref"),
        ("rfc3987-iri", "rfc3987-ref"),
        ("rfc3987-ref", "rfc3987-ref"),
        ("", "rfc3986-ref"),
    ];
    if grammar.name() == Whatwg.name() {
        return &whatwg::References;
    }
    let found = OF.iter().find(|(of, _)| of.is_empty() || *of == grammar.name());
    found.and_then(|(_, name)| find(name)).unwrap_or(grammar)
}
