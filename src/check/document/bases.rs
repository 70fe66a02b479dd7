//! What relative links of a document start from: all of them from the same, or those in a part of
//! it from that part's own.

use crate::grammar::resolve::{self, resolve};
use crate::source::markup::{BASE_LEN_MAX, Page, Scope};

/// Bases of the parts around a place.
pub(super) struct Bases<'d> {
    /// That of the document.
    document: Option<&'d [u8]>,
    /// Where parts begin and end that were not passed yet.
    rest: &'d [(usize, Scope)],
    /// Those of the parts that are open; none where neither it nor one around it is taken.
    open: Vec<Option<Vec<u8>>>,
}

impl<'d> Bases<'d> {
    /// Those of a document with this base, and with `scopes` in it.
    pub(super) fn new(document: Option<&'d [u8]>, scopes: &'d [(usize, Scope)]) -> Self {
        let document = document.filter(|base| !is_too_long(base));
        Self { document, rest: scopes, open: Vec::new() }
    }

    /// What a relative link at `at` starts from. Asked in order.
    pub(super) fn at(&mut self, at: usize) -> Option<&[u8]> {
        while let Some(((from, scope), rest)) = self.rest.split_first()
            && *from <= at
        {
            self.rest = rest;
            match scope {
                Scope::Begins(base) => self.open.push(within(self.innermost(), base)),
                Scope::Ends => drop(self.open.pop()),
            }
        }
        self.innermost()
    }

    fn innermost(&self) -> Option<&[u8]> {
        self.open.last().map_or(self.document, Option::as_deref)
    }
}

/// The base `inner` of a part that stands where `around` is one (XML Base §4.2). Where both are
/// relative, nobody knows what the outer one starts from, and the inner one is taken as it stands.
pub(in crate::check) fn within(around: Option<&[u8]>, inner: &[u8]) -> Option<Vec<u8>> {
    let rules = resolve::find(resolve::DEFAULT);
    let whole = rules.zip(around).and_then(|(rules, around)| resolve(around, inner, rules).ok());
    let base = whole.unwrap_or_else(|| inner.to_vec());
    Some(base).filter(|base| !is_too_long(base)).or_else(|| around.map(<[u8]>::to_vec))
}

/// True when `page` has a base that is not taken.
pub(super) fn are_too_long(page: &Page) -> bool {
    let parts = page.scopes.iter().filter_map(|(_, scope)| match scope {
        Scope::Begins(base) => Some(base),
        Scope::Ends => None,
    });
    page.base.iter().chain(parts).any(|base| is_too_long(base))
}

const fn is_too_long(base: &[u8]) -> bool {
    base.len() > BASE_LEN_MAX
}

#[cfg(test)]
mod tests {
    use super::{BASE_LEN_MAX, Bases, Scope};

    #[test]
    fn parts_of_a_document_have_bases_of_their_own() {
        let long = vec![b'a'; BASE_LEN_MAX + 1];
        let begins = |base: &[u8]| Scope::Begins(base.to_vec());
        let scopes = [
            (2, begins(b"b/")),
            (4, begins(b"../c")),
            (6, Scope::Ends),
            (8, Scope::Ends),
            (8, begins(b"http://i/")),
            (8, begins(&long)),
            (9, Scope::Ends),
            (10, Scope::Ends),
        ];
        let case = |document: Option<&str>, expected: [Option<&str>; 11]| {
            let mut bases = Bases::new(document.map(str::as_bytes), &scopes);
            for (at, expected) in expected.iter().enumerate() {
                assert_eq!(bases.at(at), expected.map(str::as_bytes), "{at} in {document:?}");
            }
        };
        let [root, entry, text, other] = ["http://h/a", "http://h/b/", "http://h/c", "http://i/"];
        let expected = [root, root, entry, entry, text, text, entry, entry, other, other, root];
        case(Some(root), expected.map(Some));
        let (entry, text, other) = (Some("b/"), Some("../c"), Some("http://i/"));
        let expected = [None, None, entry, entry, text, text, entry, entry, other, other, None];
        case(None, expected);
    }
}
