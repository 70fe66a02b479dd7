//! Any bytes as the settings or the summary of a tree of documents: the names that are read from
//! settings occur in them, and a chapter stays in its book.

use linktrawl::internal::check::local::{chapters, declared};

/// Names that settings without them have.
const USUAL: [&[u8]; 2] = [b"_static", b"src"];

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    for name in declared(bytes) {
        let occurs = || bytes.windows(name.len().max(1)).any(|text| text == name);
        assert!(name.is_empty() || USUAL.contains(&&*name) || occurs(), "{}", name.escape_ascii());
    }
    for chapter in chapters(bytes).into_iter().flatten() {
        let mut steps = chapter.split(|byte| *byte == b'/');
        assert!(steps.all(|step| step != b".."), "{}", chapter.escape_ascii());
        assert!(!chapter.starts_with(b"/"), "{}", chapter.escape_ascii());
    }
}
