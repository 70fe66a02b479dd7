//! Resolves by RFC 1808 §4: six components, with the parameters after `;` separate from the path.
//!
//! The document does not distinguish an empty from an absent component. Our choice is to restore
//! each delimiter that was present, so that `file:///a` keeps its slashes.

use super::{Base, Unresolved, cut, directory};

/// The six components of §2.4; one that is present begins with its delimiter.
#[derive(Clone, Copy)]
struct Parts<'t> {
    /// The scheme with its colon.
    scheme: &'t [u8],
    net_loc: &'t [u8],
    path: &'t [u8],
    params: &'t [u8],
    query: &'t [u8],
    fragment: &'t [u8],
}

impl<'t> Parts<'t> {
    fn of(text: &'t [u8]) -> Self {
        // §2.4.1: the fragment.
        let (text, fragment) = cut(text, b'#');
        // §2.4.2: the scheme.
        let (scheme, text) = text.split_at(scheme_len(text));
        // §2.4.3: the network location goes to the next slash, over any "?".
        let net_loc_len = match text.strip_prefix(b"//") {
            Some(after) => "//".len() + cut(after, b'/').0.len(),
            None => 0,
        };
        let (net_loc, text) = text.split_at(net_loc_len);
        // §2.4.4: the query.
        let (text, query) = cut(text, b'?');
        // §2.4.5: the parameters. §2.4.6: the path is the rest.
        let (path, params) = cut(text, b';');
        Self { scheme, net_loc, path, params, query, fragment }
    }
}

/// Returns the length of a scheme with its colon, which is "after the first character and before
/// any characters not allowed as part of a scheme name" (§2.4.2).
fn scheme_len(text: &[u8]) -> usize {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte);
    match text.iter().position(|&byte| !is_allowed(byte)) {
        Some(at) if at > 0 && text.get(at) == Some(&b':') => at + 1,
        _ => 0,
    }
}

/// Reports whether a component is absent, or its delimiter alone.
fn is_empty(part: &[u8], delimiter: &[u8]) -> bool {
    part.len() <= delimiter.len()
}

/// Resolves by the steps of §4.
pub(super) fn resolve(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    let embedded = Parts::of(reference);
    // Step 2b: with a scheme it is absolute.
    if !embedded.scheme.is_empty() {
        return Ok(reference.to_vec());
    }
    // Step 1: without a base a relative form has no meaning (§3).
    let base_text = base.known()?;
    // Step 2a: "if the embedded URL is entirely empty, it inherits the entire base URL",
    // the fragment included.
    if reference.is_empty() {
        return Ok(base_text.to_vec());
    }
    let base = Parts::of(base_text);
    // Step 2c.
    let mut whole = Parts { scheme: base.scheme, ..embedded };
    let mut path = embedded.path.to_vec();
    // Step 3: only a network location that is not empty counts.
    if is_empty(embedded.net_loc, b"//") {
        whole.net_loc = base.net_loc;
        // Step 4: a path that is preceded by a slash is not relative.
        if embedded.path.is_empty() {
            // Step 5.
            path = base.path.to_vec();
            if is_empty(embedded.params, b";") {
                whole.params = base.params;
                if is_empty(embedded.query, b"?") {
                    whole.query = base.query;
                }
            }
        } else if !embedded.path.starts_with(b"/") {
            // Step 6.
            path = without_dots(&[directory(base.path), embedded.path].concat());
        }
    }
    // Step 7.
    let Parts { scheme, net_loc, params, query, fragment, .. } = whole;
    Ok([scheme, net_loc, &path, params, query, fragment].concat())
}

/// Removes every `.`, and every `..` with the segment before it, unless that is a `..` that had
/// none (step 6 a to d, which are steps 6 c to f of RFC 2396 §5.2). The empty part before a leading
/// slash is no segment.
pub(super) fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut segments = path.split(|&byte| byte == b'/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match (segment, kept.as_slice()) {
            (b".", _) => {}
            (b"..", [] | [b""] | [.., b".."]) => {
                kept.push(segment);
                continue;
            }
            (b"..", _) => drop(kept.pop()),
            _ => {
                kept.push(segment);
                continue;
            }
        }
        // A segment removed at the end leaves the slash before it.
        if is_last {
            kept.push(b"");
        }
    }
    kept.join(&b'/')
}
