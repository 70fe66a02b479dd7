//! The grammars, by name. Each is a specification's own ABNF, compiled to a table.
//!
//! ```text
//! abnf/*.abnf ──> build.rs ──> tables ──> dfa (one walker) ──> where the text leaves, if it does
//!                                         split (components)    fault (a name for that place)
//! ```
//! `documents` lists the grammars. A grammar is syntax alone: what follows percent-decoding
//! (numbers in range, addresses inside a mailto) is not asked here, and nothing is repaired.

mod dfa;
#[expect(dead_code, reason = "files and start rules are read by the build script")]
mod documents;
mod fault;
mod split;

use crate::finding::Fault;
use crate::uri::Uri;
use dfa::{TABLES, Table, Tables};
use documents::{DOCUMENTS, Document, Route};
use fault::Asked;

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

/// How many grammars there are.
const COUNT: usize = TABLES.len();

/// Every grammar, in the order that help texts list them; the first is the default.
pub static GRAMMARS: &[&dyn Grammar] = &{
    let mut list: [&dyn Grammar; COUNT] = [&COMPILED[0]; COUNT];
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

/// A document with its tables.
#[derive(Clone, Copy)]
struct Compiled {
    document: &'static Document,
    tables: &'static Tables,
    /// First letters of the routes' schemes as bits: most texts need look no further.
    initials: u32,
}

static COMPILED: [Compiled; COUNT] = {
    let mut list = [Compiled { document: &DOCUMENTS[0], tables: &TABLES[0], initials: 0 }; COUNT];
    let mut idx = 0;
    while idx < COUNT {
        let document = &DOCUMENTS[idx];
        let initials = initials(document.routes);
        list[idx] = Compiled { document, tables: &TABLES[idx], initials };
        idx += 1;
    }
    list
};

const fn initials(routes: &[Route]) -> u32 {
    let mut set = 0;
    let mut idx = 0;
    while idx < routes.len() {
        set |= initial(routes[idx].scheme.as_bytes());
        idx += 1;
    }
    set
}

/// The first letter of `text` as a bit, in any case; some bit or other when it is no letter.
const fn initial(text: &[u8]) -> u32 {
    match text.first() {
        Some(&byte) => 1 << (byte & 31),
        None => 0,
    }
}

impl Compiled {
    /// The start rule that `text` is held to, with its table.
    fn route(&self, text: &[u8]) -> (&'static Route, &'static Table) {
        if self.initials & initial(text) != 0 {
            for (route, &table) in self.document.routes.iter().zip(self.tables.routes) {
                if has_scheme(text, route.scheme) {
                    return (route, table);
                }
            }
        }
        (&self.document.rest, self.tables.rest)
    }
}

/// True when `text` begins with `scheme`, in any case (RFC 3986 §3.1), and a colon.
fn has_scheme(text: &[u8], scheme: &str) -> bool {
    let scheme = scheme.as_bytes();
    text.get(scheme.len()) == Some(&b':')
        && text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
}

impl Grammar for Compiled {
    fn name(&self) -> &'static str {
        self.document.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.document.aliases
    }

    fn about(&self) -> &'static str {
        self.document.about
    }

    fn check(&self, text: &[u8]) -> Result<(), Fault> {
        let (route, table) = self.route(text);
        table.walk(text).map_err(|stop| {
            Asked { text, table, generic: self.tables.generic, spec: route.spec }.explain(stop)
        })
    }

    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t> {
        split::split(text)
    }
}
