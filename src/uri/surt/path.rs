//! The paths of keys.

use std::borrow::Cow;

use super::{escaped, unescaped};

/// The number of characters of a session identifier in a path.
const SESSION_LEN: usize = 24;

/// Returns the canonical path after a host: it begins with a slash, has no `.` and no empty
/// segments, and no slash at its end.
pub(super) fn with_host(path: &[u8]) -> Vec<u8> {
    finished(&escaped(normalized(unescaped(path))))
}

/// Returns the canonical path of a URI without a host, whose segments have no meaning here.
pub(super) fn alone(path: &[u8]) -> Vec<u8> {
    finished(&escaped(unescaped(path)))
}

/// Resolves the dot segments of `path`; those that lead above the root stay.
fn normalized(path: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if is_normalized(&path) { path } else { Cow::Owned(resolved(&path)) }
}

/// Reports whether `path` has no empty segments but the last, and none that begins with a dot.
fn is_normalized(path: &[u8]) -> bool {
    let begins_segment = |pair: &[u8]| matches!(pair, [b'/', b'/' | b'.']);
    path.first() == Some(&b'/') && !path.windows(2).any(begins_segment)
}

fn resolved(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    let mut out = b"/".to_vec();
    let Some((last, heads)) = kept.split_last() else { return out };
    for head in heads.iter().filter(|head| !head.is_empty()) {
        out.extend_from_slice(head);
        out.push(b'/');
    }
    out.extend_from_slice(last);
    out
}

/// Returns `path` in lower case, without session identifiers and without a slash at its end.
fn finished(path: &[u8]) -> Vec<u8> {
    let mut path = path.to_ascii_lowercase();
    for is_session in [is_lettered as fn(&[u8]) -> bool, is_bare] {
        without_session(&mut path, is_session);
    }
    if path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    path
}

/// Removes the last segment that `is_session` accepts, if a page of ASP.NET follows it.
fn without_session(path: &mut Vec<u8>, is_session: fn(&[u8]) -> bool) {
    let mut end = path.len();
    while let Some(slash) = path.get(..end).and_then(|head| memchr::memrchr(b'/', head)) {
        // The segment between two slashes, of which the second is at `end`.
        let segment = path.get(slash + 1..end).unwrap_or_default();
        let rest = path.get(end + 1..).unwrap_or_default();
        if is_session(segment) && is_page(rest) {
            path.drain(slash + 1..=end);
            return;
        }
        end = slash;
    }
}

/// Reports whether `.aspx` follows at least one character of `rest`, before any question mark.
fn is_page(rest: &[u8]) -> bool {
    let len = memchr::memchr(b'?', rest).unwrap_or(rest.len());
    let name = rest.get(1..len).unwrap_or_default();
    memchr::memmem::find(name, b".aspx").is_some()
}

/// Reports whether `segment` is `(X(…)X(…))`, with an identifier in each of the inner parentheses.
fn is_lettered(segment: &[u8]) -> bool {
    let inner = segment.strip_prefix(b"(").and_then(|segment| segment.strip_suffix(b")"));
    let mut parts = inner.unwrap_or_default().chunks(SESSION_LEN + 3).peekable();
    parts.peek().is_some()
        && parts.all(|part| match part {
            [letter, rest @ ..] => letter.is_ascii_alphabetic() && is_bare(rest),
            [] => false,
        })
}

/// Reports whether `segment` is an identifier in parentheses.
fn is_bare(segment: &[u8]) -> bool {
    let inner = segment.strip_prefix(b"(").and_then(|segment| segment.strip_suffix(b")"));
    inner.is_some_and(|id| id.len() == SESSION_LEN && id.iter().all(u8::is_ascii_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_are_kept_are_those_that_would_be_made() {
        let segments = ["", ".", "..", ".a", "a.", "a"];
        let mut kept = 0;
        for first in segments {
            for second in segments {
                for path in [format!("/{first}/{second}"), format!("/{first}"), first.to_owned()] {
                    kept += usize::from(is_normalized(path.as_bytes()));
                    let made = resolved(path.as_bytes());
                    assert_eq!(*normalized(Cow::Borrowed(path.as_bytes())), made, "{path}");
                }
            }
        }
        assert!(kept > 20, "{kept}");
    }
}
