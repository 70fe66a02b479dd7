//! Resolves partial forms by the URL draft of October 1993, and by RFC 1630. Neither has a parser
//! of components; both refer to slashes.
//!
//! Our choices where both are silent: a fragment is set aside first, since it "follows" the text to
//! which it belongs; an empty reference is the base itself; the base's path ends at `?` or `#`;
//! dots are removed from the path alone, never from a host or a search; and `..` removes neither
//! `.` nor another `..`.

use super::{Base, Unresolved, cut, directory, split};

/// Resolves by the draft's rules for the use of a partial name.
pub(super) fn draft1993(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    let (partial, fragment) = cut(reference, b'#');
    if is_full(partial) {
        return Ok(reference.to_vec());
    }
    let context = base.known()?;
    if partial.is_empty() {
        return Ok(itself(context, fragment));
    }
    let uri = split(context);
    let (locator, path) = (context.get(..uri.path.start).unwrap_or_default(), uri.path.of(context));
    // "If the host and/or port parts are different, the host, port name and all the rest of
    // the locator must be given": only the scheme is taken from the context.
    if partial.starts_with(b"//") {
        let scheme_len = uri.scheme.map_or(0, |scheme| scheme.end + 1);
        return Ok([context.get(..scheme_len).unwrap_or_default(), reference].concat());
    }
    // "If a leading slash is present, the path is absolute."
    if partial.starts_with(b"/") {
        return Ok([locator, reference].concat());
    }
    // "The last part of the path of the context locator (anything following the rightmost
    // slash) is removed, and the given partial URL appended in its place." Our choice: an empty
    // path after a host becomes a slash, or the host would grow.
    let kept = match directory(path) {
        [] if uri.host.is_some() => b"/",
        kept => kept,
    };
    let (name, search) = cut(partial, b'?');
    let path = without_dots(&[kept, name].concat());
    Ok([locator, &path, search, fragment].concat())
}

/// Resolves by RFC 1630, "Partial (relative) form".
pub(super) fn rfc1630(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    let (partial, fragment) = cut(reference, b'#');
    if is_full(partial) {
        return Ok(reference.to_vec());
    }
    let whole_context = base.known()?;
    if partial.is_empty() {
        return Ok(itself(whole_context, fragment));
    }
    let context = cut(cut(whole_context, b'#').0, b'?').0;
    // "If the partial URI starts with a non-zero number of consecutive slashes, then
    // everything from the context URI up to (but not including)" such a run is prepended.
    let slashes = partial.iter().take_while(|&&byte| byte == b'/').count();
    if slashes > 0 {
        let run = find_run(context, slashes).ok_or(Unresolved::NoSuchRun { slashes })?;
        return Ok([context.get(..run).unwrap_or_default(), reference].concat());
    }
    // "Otherwise: The last part of the path of the context URI (anything following the
    // rightmost slash) is removed." The path "follows the colon" here, so that a host without a
    // slash after it is the last part; without any slash, everything after the colon is.
    let kept = match directory(context) {
        [] => context.get(..=cut(context, b':').0.len()).unwrap_or_default(),
        kept => kept,
    };
    // "... and the given partial URI appended in its place, and then: Within the result ..."
    let whole = [kept, reference].concat();
    let path = split(&whole).path;
    let (head, tail) = (whole.get(..path.start), whole.get(path.end..));
    let path = without_dots_before_slashes(path.of(&whole));
    Ok([head.unwrap_or_default(), &path, tail.unwrap_or_default()].concat())
}

/// Reports whether `text` is a full form: "A full form must have a colon and that colon must occur
/// before any slash characters". Both documents have this test, by which `g?x:y` is a full form.
fn is_full(text: &[u8]) -> bool {
    let found = text.iter().find(|&&byte| byte == b':' || byte == b'/');
    found == Some(&b':')
}

/// Returns the context without its fragment, followed by the reference's `fragment`.
fn itself(context: &[u8], fragment: &[u8]) -> Vec<u8> {
    [cut(context, b'#').0, fragment].concat()
}

/// Returns the offset of the first run of exactly `slashes` slashes "which has no greater number of
/// consecutive slashes anywhere to the right of it".
fn find_run(context: &[u8], slashes: usize) -> Option<usize> {
    let mut found = None;
    let mut at = 0;
    for run in context.chunk_by(|left, right| (*left == b'/') == (*right == b'/')) {
        if run.starts_with(b"/") {
            match run.len() {
                len if len > slashes => found = None,
                len if len == slashes => found = found.or(Some(at)),
                _ => {}
            }
        }
        at += run.len();
    }
    found
}

/// Removes dots by the draft: "all occurrences of "/xxx/.." or "/." are recursively removed, where
/// xxx, ".." and "." are complete path elements". An element may be void; elements without a slash
/// before them stay.
fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for element in path.split(|&byte| byte == b'/') {
        match (element, kept.as_slice()) {
            (b".", [_, ..]) => {}
            (b"..", [_, .., last]) if last != b".." => drop(kept.pop()),
            _ => kept.push(element),
        }
    }
    kept.join(&b'/')
}

/// Removes dots by RFC 1630: "all occurrences of "xxx/../" or "/." are recursively removed". Unlike
/// in the draft, `..` at the end stays, and the first element of a path without a slash before it
/// can be removed. A void part before the first slash of a path is no element. Our choice is to go
/// from left to right.
fn without_dots_before_slashes(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut elements = path.split(|&byte| byte == b'/').peekable();
    while let Some(element) = elements.next() {
        let is_last = elements.peek().is_none();
        match (element, kept.as_slice()) {
            (b".", [_, ..]) => {}
            (b"..", [b""] | [.., b".." | b"."]) => kept.push(element),
            (b"..", [.., _]) if !is_last => drop(kept.pop()),
            _ => kept.push(element),
        }
    }
    kept.join(&b'/')
}
