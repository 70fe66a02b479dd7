//! Resolves by RFC 2396 §5.2: like RFC 1808, but without separate parameters, and without the
//! base's query for `?y`.

use super::rfc1808::without_dots;
use super::{Base, Parts, Unresolved, cut, directory};

/// Resolves by the steps of §5.2.
pub(super) fn resolve(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    // Step 1.
    let mut uri = Parts::of(reference);
    // Step 3: with a scheme it is absolute.
    if uri.scheme.is_some() {
        return Ok(reference.to_vec());
    }
    let base_text = base.known()?;
    let base = Parts::of(base_text);
    // Step 2: "a reference to the current document", which excludes the base's fragment (§4.2).
    if uri.path.is_empty() && uri.authority.is_none() && uri.query.is_none() {
        return Ok([cut(base_text, b'#').0, reference].concat());
    }
    uri.scheme = base.scheme;
    let path;
    // Step 4.
    if uri.authority.is_none() {
        uri.authority = base.authority;
        // Step 5: a path that begins with a slash is absolute.
        if !uri.path.starts_with(b"/") {
            // Step 6 a and b, then c to f. Of the choices of g for surplus "..", we keep it.
            path = without_dots(&[directory(base.path), uri.path].concat());
            uri.path = &path;
        }
    }
    // Step 7.
    Ok(uri.join())
}
