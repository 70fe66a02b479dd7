//! Any base and any reference, the two parted by the first line feed, under every algorithm:
//! a URI that strict RFC 3986 gives begins with a scheme, and resolves to itself when its
//! path had its dots removed.

use linktrawl::internal::grammar::resolve::{ALGORITHMS, find, resolve};

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let base = parts.next().unwrap_or_default();
    let reference = parts.next().unwrap_or_default();
    for algorithm in ALGORITHMS {
        let _ = resolve(base, reference, algorithm);
    }
    let strict = find("rfc3986").expect("it is in the table");
    let Ok(once) = resolve(base, reference, strict) else { return };
    assert!(once.contains(&b':'));
    let Ok(twice) = resolve(b"", &once, strict) else { panic!("a result needs no base") };
    let thrice = resolve(base, &twice, strict);
    assert_eq!(thrice, Ok(twice));
}
