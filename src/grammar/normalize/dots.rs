//! Dot segments: `remove_dot_segments` of RFC 3986 §5.2.4, in time linear in the path.

/// Returns `path` without its `.` and `..` segments.
///
/// A segment that `..` removes is searched once more for its slash, and then gone.
pub(super) fn remove_dot_segments(path: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len());
    let mut rest = without_leading_dots(path);
    while !rest.is_empty() {
        let (segment, after) = next_segment(rest);
        rest = after;
        match segment {
            b"/." => {}
            b"/.." => remove_last(&mut out),
            _ => {
                out.extend_from_slice(segment);
                continue;
            }
        }
        // 2.B, 2.C: the slash stays where the segment was the last.
        if rest.is_empty() {
            out.push(b'/');
        }
    }
    out
}

/// Removes dot segments before the first slash of a path that does not begin with one (2.A, 2.D).
///
/// After every later step, the rest begins with a slash.
fn without_leading_dots(path: &[u8]) -> &[u8] {
    let mut rest = path;
    while let Some(after) = rest.strip_prefix(b"../").or_else(|| rest.strip_prefix(b"./")) {
        rest = after;
    }
    if matches!(rest, b"." | b"..") { b"" } else { rest }
}

/// Returns the first segment with the slash before it, and the rest (2.E).
fn next_segment(rest: &[u8]) -> (&[u8], &[u8]) {
    let within = rest.iter().skip(1).position(|&byte| byte == b'/');
    rest.split_at(within.map_or(rest.len(), |at| at + 1))
}

/// Removes the last segment with the slash before it, if there is one (2.C).
fn remove_last(out: &mut Vec<u8>) {
    out.truncate(out.iter().rposition(|&byte| byte == b'/').unwrap_or(0));
}

#[cfg(test)]
mod tests {
    use super::remove_dot_segments;

    #[track_caller]
    fn case(path: &str, wanted: &str) {
        let found = remove_dot_segments(path.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), wanted, "of {path}");
    }

    #[test]
    fn the_printed_examples_of_section_5_2_4() {
        case("/a/b/c/./../../g", "/a/g");
        case("mid/content=5/../6", "mid/6");
    }

    #[test]
    fn dots_are_removed_as_whole_segments_alone() {
        case("", "");
        case("/", "/");
        case("/.", "/");
        case("/..", "/");
        case("/a/..", "/");
        case("/a/../", "/");
        case("/../../a", "/a");
        case("/a/...", "/a/...");
        case("/.a/..b/c.", "/.a/..b/c.");
        case("/a//../b", "/a/b");
        case("//..", "/");
        case(".././a", "a");
        case("..", "");
        case("a/..", "/");
        case("a/../b", "/b");
        case("..//./a", "/a");
    }
}
