//! The grammars, by name. Each is a specification's own ABNF, compiled to a table.

use crate::finding::Fault;
use crate::uri::Uri;

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

    /// The components of `text`. Never fails; means something only where `check` is content.
    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t>;
}

/// Every grammar, in the order that help texts list them; the first is the default.
pub static GRAMMARS: &[&dyn Grammar] = &[];

/// The grammar that has `name` as its name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Grammar> {
    GRAMMARS
        .iter()
        .copied()
        .find(|grammar| grammar.name() == name || grammar.aliases().contains(&name))
}
