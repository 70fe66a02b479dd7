//! Resolves by RFC 3986 §5.2, from its pseudocode: strict, and not strict as in §5.2.2.

use super::{Base, Parts, Unresolved, directory};

/// Resolves by §5.2.2 with `strict`.
pub(super) fn strict(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    transform(base, Parts::of(reference))
}

/// Resolves by §5.2.2 without `strict`: "a non-strict parser may ignore a scheme in the reference
/// if it is identical to the base URI's scheme", in any case (§3.1).
pub(super) fn compat(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    let mut parts = Parts::of(reference);
    if let (Some(base), Some(scheme)) = (base.0, parts.scheme)
        && Parts::of(base).scheme.is_some_and(|own| own.eq_ignore_ascii_case(scheme))
    {
        parts.scheme = None;
    }
    transform(base, parts)
}

/// Runs the rest of §5.2.2. Query and fragment are the reference's own unless a branch sets them.
fn transform(base: Base<'_>, reference: Parts<'_>) -> Result<Vec<u8>, Unresolved> {
    let path;
    let mut target = reference;
    if reference.scheme.is_some() {
        path = remove_dot_segments(reference.path);
    } else {
        let base = Parts::of(base.known()?);
        target.scheme = base.scheme;
        if reference.authority.is_some() {
            path = remove_dot_segments(reference.path);
        } else {
            target.authority = base.authority;
            path = match reference.path {
                [] => {
                    target.query = reference.query.or(base.query);
                    base.path.to_vec()
                }
                [b'/', ..] => remove_dot_segments(reference.path),
                _ => remove_dot_segments(&merge(&base, reference.path)),
            };
        }
    }
    // Our choice, after WHATWG URL §4.5: without an authority a path cannot begin with two slashes
    // (§3.3); joined as §5.3 says, its first segment would become a host.
    let is_ambiguous = target.authority.is_none() && path.starts_with(b"//");
    let path = if is_ambiguous { [b"/.", path.as_slice()].concat() } else { path };
    Ok(Parts { path: &path, ..target }.join())
}

/// Merges paths by §5.2.3.
fn merge(base: &Parts<'_>, path: &[u8]) -> Vec<u8> {
    let is_bare_host = base.authority.is_some() && base.path.is_empty();
    let kept = if is_bare_host { b"/" } else { directory(base.path) };
    [kept, path].concat()
}

/// Removes dot segments by §5.2.4, rule by rule.
fn remove_dot_segments(path: &[u8]) -> Vec<u8> {
    let mut input = path;
    let mut output = Vec::with_capacity(path.len());
    while !input.is_empty() {
        // 2A.
        if let Some(rest) = input.strip_prefix(b"../").or_else(|| input.strip_prefix(b"./")) {
            input = rest;
        // 2B: the slash after the dot stays.
        } else if input.starts_with(b"/./") {
            input = input.get("/.".len()..).unwrap_or_default();
        } else if input == b"/." {
            input = b"/";
        // 2C.
        } else if input.starts_with(b"/../") {
            input = input.get("/..".len()..).unwrap_or_default();
            remove_last_segment(&mut output);
        } else if input == b"/.." {
            input = b"/";
            remove_last_segment(&mut output);
        // 2D.
        } else if input == b"." || input == b".." {
            input = b"";
        // 2E: the first segment, with the slash before it, up to the next slash.
        } else {
            let next = input.iter().skip(1).position(|&byte| byte == b'/');
            let (segment, rest) = input.split_at(next.map_or(input.len(), |at| at + 1));
            output.extend_from_slice(segment);
            input = rest;
        }
    }
    output
}

/// Removes the last segment "and its preceding "/" (if any)".
fn remove_last_segment(output: &mut Vec<u8>) {
    output.truncate(output.iter().rposition(|&byte| byte == b'/').unwrap_or_default());
}
