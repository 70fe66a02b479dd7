//! Follows the path of a link from a directory as a browser does: by its segments, and without a
//! look at the file system.

use crate::uri::{escape, unescaped};

/// A directory from which paths are followed. Paths are bytes, as in the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Start {
    /// The directory, without a slash at its end unless it is the topmost one.
    pub(super) directory: Vec<u8>,
    /// Length in bytes of the part that links must not leave: the tree. `None` without a tree.
    pub(super) floor: Option<usize>,
}

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResolvedPath {
    /// The file or directory.
    pub(super) path: Vec<u8>,
    /// Whether the path ends as that of a directory does.
    pub(super) is_directory: bool,
}

/// The reason why a path has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// It leads out of the tree.
    Outside,
    /// A name in it would hold a slash or a NUL, which no file has.
    Byte,
}

/// Follows `path`, as written with escapes, from `start`.
///
/// Segments are decoded once. `%2e` is a dot as in browsers (WHATWG URL §4.4, "path state"), and a
/// backslash is a slash; empty segments mean nothing to a file system.
pub(super) fn follow(start: &Start, path: &[u8]) -> Result<ResolvedPath, Refused> {
    let mut reached = start.directory.clone();
    let mut is_directory = path.is_empty();
    for segment in path.split(|byte| matches!(byte, b'/' | b'\\')) {
        let name = unescaped(segment);
        is_directory = matches!(&*name, b"" | b"." | b"..");
        match &*name {
            b"" | b"." => {}
            b".." => ascend(&mut reached, start.floor)?,
            name if memchr::memchr2(b'/', 0, name).is_some() => return Err(Refused::Byte),
            name => push(&mut reached, name),
        }
    }
    if reached.is_empty() {
        reached.push(b'.');
    }
    Ok(ResolvedPath { path: reached, is_directory })
}

/// Reports whether `path` is `../../issues` from the topmost directory, or one of its kind from
/// further down: a page that forges have beside the pages for files, whose addresses have two more
/// segments. `../../` is the first page of the repository.
///
/// A slash at the beginning means the topmost directory to a forge, too.
pub(super) fn is_of_forge(start: &Start, path: &[u8]) -> bool {
    const PAGES: &str = "actions activity blame blob branches commit commits compare contributors \
                         deployments discussions edit fork forks graphs issues labels milestone \
                         milestones network packages projects pull pulls pulse raw releases \
                         security sponsors stargazers tags tree watchers wiki";
    let floor = start.floor.unwrap_or(0);
    let below = start.directory.get(floor..).unwrap_or_default();
    let depth = below.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).count();
    let mut names = path.strip_prefix(b"/").unwrap_or(path).split(|byte| *byte == b'/');
    if (0..depth + 2).any(|_| names.next() != Some(b"..")) {
        return false;
    }
    match names.next() {
        None => true,
        Some(b"") => names.next().is_none(),
        Some(first) => PAGES.split(' ').any(|page| page.as_bytes() == first),
    }
}

/// Appends `name` to the directory in `path`.
pub(super) fn push(path: &mut Vec<u8>, name: &[u8]) {
    if !path.is_empty() && !path.ends_with(b"/") {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

/// Goes one directory up, but not out of the first `floor` bytes of `path`.
fn ascend(path: &mut Vec<u8>, floor: Option<usize>) -> Result<(), Refused> {
    if let Some(floor) = floor {
        if path.len() <= floor {
            return Err(Refused::Outside);
        }
        path.truncate(parent(path).len().max(floor));
    } else if path.is_empty() || path == b"." || path == b".." || path.ends_with(b"/..") {
        if path == b"." {
            path.clear();
        }
        push(path, b"..");
    } else {
        path.truncate(parent(path).len());
    }
    Ok(())
}

/// Returns the directory of `path`; empty for a name alone.
pub(super) fn parent(path: &[u8]) -> &[u8] {
    let slash = memchr::memrchr(b'/', path);
    path.get(..slash.map_or(0, |slash| slash.max(1)).min(path.len())).unwrap_or_default()
}

/// Returns the last segment of `path`.
pub(super) fn name(path: &[u8]) -> &[u8] {
    path.get(memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1)..).unwrap_or_default()
}

/// Returns the part of `path` below `directory`, if `path` is in that.
pub(super) fn below<'p>(path: &'p [u8], directory: &[u8]) -> Option<&'p [u8]> {
    if directory.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(directory)?;
    let is_whole = directory.ends_with(b"/") || rest.is_empty();
    if is_whole { Some(rest) } else { rest.strip_prefix(b"/") }
}

/// Returns the reference that leads from `directory` to `path`, with the escapes it needs.
pub(super) fn reference(directory: &[u8], path: &[u8]) -> Vec<u8> {
    let mut from = directory;
    let mut reference = Vec::new();
    let rest = loop {
        if let Some(rest) = below(path, from) {
            break rest;
        }
        reference.extend_from_slice(b"../");
        from = parent(from);
    };
    for byte in rest {
        match byte {
            0..=b' ' | b'%' | b'#' | b'?' | b'"' | b'<' | b'>' | b'\\' | 0x7F => {
                reference.extend_from_slice(&escape(*byte));
            }
            byte => reference.push(*byte),
        }
    }
    reference
}

#[cfg(test)]
mod tests {
    use super::{Refused, Start, below, follow, parent, reference};

    fn start(directory: &str, floor: Option<usize>) -> Start {
        Start { directory: directory.as_bytes().to_vec(), floor }
    }

    #[track_caller]
    fn case(from: &Start, path: &str, expected: &str) {
        let found = match follow(from, path.as_bytes()) {
            Ok(resolved) => {
                let slash = if resolved.is_directory { "|" } else { "" };
                String::from_utf8_lossy(&resolved.path).into_owned() + slash
            }
            Err(Refused::Outside) => "outside".to_owned(),
            Err(Refused::Byte) => "byte".to_owned(),
        };
        assert_eq!(found, expected, "{path} from {from:?}");
    }

    #[test]
    fn paths_are_followed_as_browsers_do() {
        let docs = start("docs/a", Some("docs".len()));
        case(&docs, "b.md", "docs/a/b.md");
        case(&docs, "./b.md", "docs/a/b.md");
        case(&docs, "../b.md", "docs/b.md");
        case(&docs, "..", "docs|");
        case(&docs, ".", "docs/a|");
        case(&docs, "b/", "docs/a/b|");
        case(&docs, "b/../../c", "docs/c");
        case(&docs, "b//c", "docs/a/b/c");
        case(&docs, "b\\c", "docs/a/b/c");
        case(&docs, "../../b", "outside");
        case(&docs, "../../docs/b", "outside");
        case(&docs, "%2e%2E/b", "docs/b");
        case(&docs, "b%20c%2520d", "docs/a/b c%20d");
        case(&docs, "b%2Fc", "byte");
        case(&docs, "b%00c", "byte");
        case(&docs, "...", "docs/a/...");
    }

    #[test]
    fn the_topmost_directory_and_this_one_have_no_names_before_them() {
        case(&start("/", Some(1)), "a", "/a");
        case(&start("/a", Some(1)), "../b", "/b");
        case(&start("/", Some(1)), "../b", "outside");
        case(&start(".", Some(1)), "a", "./a");
        case(&start(".", Some(1)), "../a", "outside");
        case(&start("", None), "a", "a");
        case(&start("", None), "", ".|");
        case(&start("", None), "../../a", "../../a");
        case(&start(".", None), "../a", "../a");
        case(&start("a", None), "../../b", "../b");
        case(&start("/a", None), "../../b", "/b");
        case(&start("../a", None), "../../b", "../../b");
    }

    #[test]
    fn pages_of_forges_stand_two_segments_above_the_tree() {
        for (from, path, expected) in [
            ("docs", "../../issues", true),
            ("docs", "../../wiki/Page", true),
            ("docs/a", "../../../releases/latest", true),
            ("docs/a", "../../issues", false),
            ("docs", "../issues", false),
            ("docs", "../../../issues", false),
            ("docs", "../../other", false),
            ("docs", "../../", true),
            ("docs", "../..", true),
            ("docs/a", "../../..", true),
            ("docs/a", "../../", false),
            ("docs", "../..//", false),
            ("docs", "/../../", true),
            ("docs", "/../../wiki", true),
            ("docs", "/../", false),
            ("docs", "../../blob/main/README.md", true),
            ("docs", "../../pull/1", true),
            ("docs", "../../pul", false),
        ] {
            let from = start(from, Some("docs".len()));
            assert_eq!(super::is_of_forge(&from, path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn references_lead_back_to_paths() {
        assert_eq!(parent(b"/a"), b"/");
        assert_eq!(parent(b"a"), b"");
        assert_eq!(below(b"ab/c", b"a"), None);
        for (from, to, expected) in [
            ("docs", "docs/b c.md", "b%20c.md"),
            ("docs/a", "docs/b.md", "../b.md"),
            ("/x/a", "/y/b", "../../y/b"),
            ("a/b", "c", "../../c"),
        ] {
            let found = reference(from.as_bytes(), to.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), expected, "{from} to {to}");
            let resolved = follow(&start(from, None), &found).unwrap();
            assert_eq!(resolved.path, to.as_bytes());
        }
    }
}
