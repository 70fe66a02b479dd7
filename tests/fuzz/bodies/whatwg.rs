//! Parses any text as a URL of WHATWG, and any reference against any base; the first line feed
//! separates the two. All ways to the answer agree, a serialisation is its own serialisation, and
//! offsets are those of characters of the text, in order.

use linktrawl::internal::grammar;
use linktrawl::internal::grammar::normalize::{self, normalize};
use linktrawl::internal::grammar::resolve::{self, resolve};

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let whatwg = grammar::find("whatwg").unwrap();
    let rules = resolve::find("whatwg").unwrap();
    let found = resolve(b"", bytes, rules);
    let normal = normalize(bytes, normalize::find("whatwg").unwrap());
    let fault = whatwg.check(bytes).err();
    let parts = whatwg.components(bytes);
    assert_eq!((fault.is_none(), fault.is_none()), (found.is_ok(), normal.is_ok()));
    assert_eq!(fault.is_none(), !parts.is_empty());
    if let (Ok(href), Ok(normal)) = (&found, &normal) {
        assert_eq!(href, normal.as_bytes());
        assert_eq!(parts[0].text.in_clear(), href);
        assert_eq!(resolve(b"", href, rules).as_ref(), Ok(href));
    }
    if let Ok(text) = str::from_utf8(bytes) {
        let found = whatwg.violations_at(bytes).unwrap();
        assert!(found.is_sorted_by_key(|violation| violation.at));
        let mut offsets = found.iter().map(|it| it.at).chain(fault.and_then(|fault| fault.at));
        assert!(offsets.all(|at| text.is_char_boundary(at)));
    }
    let cut = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (base, reference) = (&bytes[..cut], bytes.get(cut + 1..).unwrap_or_default());
    if let Ok(href) = resolve(base, reference, rules) {
        assert_eq!(resolve(base, &href, rules).as_ref(), Ok(&href));
    }
}
