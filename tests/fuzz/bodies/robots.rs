//! Any bytes as a robots.txt, and any as a path: what is kept of a file says the same.

use linktrawl::internal::probe::robots::{PRODUCT, Robots};

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let (path, file) = bytes.split_at(bytes.len().min(64));
    let robots = Robots::parse(file, PRODUCT);
    assert_eq!(robots.allows(path), robots.refusal(path).is_none());
    if let Some(text) = robots.to_text() {
        assert_eq!(Robots::parse(&text, PRODUCT), robots);
    }
}
