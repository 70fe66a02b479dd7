//! Any bytes as links that mail gateways wrapped: what is unwrapped is printable text with a
//! scheme, and what is shown is no longer than with a mask for each byte.

use linktrawl::internal::check::unwrap::{LAYERS_MAX, unwrapped};
use linktrawl::internal::uri::Redacted;

/// Runs one input: a table of links, or anything else.
pub(crate) fn run(bytes: &[u8]) {
    for link in bytes.split(|byte| matches!(byte, b'\t' | b'\n')).chain([bytes]) {
        let shown = Redacted::new(link).shown().into_owned();
        assert!(shown.len() <= link.len() + 3 * (1 + link.len()));
        let Some(found) = unwrapped(link) else { continue };
        assert!((1..=LAYERS_MAX).contains(&found.layers.len()));
        let Ok(target) = found.target else { continue };
        let text = std::str::from_utf8(&target).expect("a target is UTF-8");
        assert!(!text.chars().any(char::is_control), "{text:?}");
        assert!(linktrawl::internal::scheme::name_len(&target) > 0, "{text:?}");
        assert!(unwrapped(&target).is_none(), "{text:?}");
    }
}
