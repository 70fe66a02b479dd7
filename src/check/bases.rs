//! Finds the base of each relative link of a document: the document's base, or that of the part
//! around the link.

use std::sync::Arc;

use crate::grammar::resolve::{self, resolve};
use crate::scheme;
use crate::source::haystack::MarkupLink;
use crate::source::markup::{Scope, is_base_too_long};

/// The bases that apply at a place in a document.
pub(super) struct Bases<'d> {
    /// The base of the document.
    document: Option<&'d [u8]>,
    /// The beginnings and ends of parts that are still ahead.
    rest: &'d [(usize, Scope)],
    /// The bases of the open parts; `None` where neither the part nor one around it has a base in
    /// use.
    open: Vec<Option<Vec<u8>>>,
}

impl<'d> Bases<'d> {
    /// Creates the bases of a document with the base `document`, and with `scopes` in it.
    pub(super) fn new(document: Option<&'d [u8]>, scopes: &'d [(usize, Scope)]) -> Self {
        let document = document.filter(|base| !is_base_too_long(base));
        Self { document, rest: scopes, open: Vec::new() }
    }

    /// Returns the base of a relative link at `at`. Offsets must be queried in order.
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

/// Returns the base that the HTML or the headers around a link in mail declare: the HTML's own
/// declaration comes first (RFC 2557 §5).
pub(super) fn declared(link: &MarkupLink<'_>) -> Option<Arc<[u8]>> {
    let [around, own] = &link.bases;
    let Some(own) = own else { return around.clone() };
    if scheme::name_len(own) > 0 {
        return Some(Arc::clone(own));
    }
    within(Some(&**around.as_ref()?), own).map(Arc::from)
}

/// Returns the base of a part that declares `inner` where the base is `around` (XML Base §4.2).
/// Where both are relative, the outer one cannot be resolved, and the inner one is used as written.
fn within(around: Option<&[u8]>, inner: &[u8]) -> Option<Vec<u8>> {
    let rules = resolve::find(resolve::DEFAULT);
    let whole = rules.zip(around).and_then(|(rules, around)| resolve(around, inner, rules).ok());
    let base = whole.unwrap_or_else(|| inner.to_vec());
    Some(base).filter(|base| !is_base_too_long(base)).or_else(|| around.map(<[u8]>::to_vec))
}

#[cfg(test)]
mod tests {
    use super::{Bases, Scope};
    use crate::source::markup::BASE_LEN_MAX;

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
