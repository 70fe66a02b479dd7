//! Any bytes: candidates lie in bounds, in order, apart from each other, and have a scheme.

use linktrawl::internal::scan::{Scanner, Wrap};

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    for www in [false, true] {
        let mut scanner = Scanner::new(bytes);
        if www {
            scanner = scanner.with_www();
        }
        let mut after = 0;
        while let Some(found) = scanner.next() {
            assert!(after <= found.span.start && found.span.end <= bytes.len());
            assert!(!found.text.is_empty() && found.text.len() <= found.span.len());
            assert!(found.wrap == Wrap::Www || found.text[found.scheme_len] == b':');
            after = found.span.end;
        }
    }
}
