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

/// Returns `path`, which begins with a slash, without the `..` that would lead above the root of a
/// site: browsers stay there (WHATWG URL §4.4, "shorten a url's path").
pub(super) fn within_root(path: &[u8]) -> Vec<u8> {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let mut depth = 0_usize;
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(is_slash) {
        match &*unescaped(segment) {
            b".." if depth == 0 => continue,
            b".." => depth -= 1,
            b"" | b"." => {}
            _ => depth += 1,
        }
        kept.push(segment);
    }
    kept.join(&b'/')
}

/// Reports whether `path` is `../../issues` from the topmost directory of a repository, `depth`
/// directories above the start: a page that forges have beside the pages for files, whose addresses
/// have two more segments. `../../` is the first page of the repository.
///
/// A slash at the beginning means the topmost directory to a forge, too.
pub(super) fn is_of_forge(depth: usize, path: &[u8]) -> bool {
    let (ups, mut names) = ascent(path);
    ups == depth + 2
        && match names.next() {
            None => true,
            Some(b"") => names.next().is_none(),
            Some(first) => is_page_of_forge(first),
        }
}

/// Reports whether `path` leads to another repository of the same owner, or to one of its pages:
/// `../../../other`.
pub(super) fn is_other_repository(depth: usize, path: &[u8]) -> bool {
    let (ups, mut names) = ascent(path);
    let is_repository = |name: &[u8]| {
        // A picture or document is more likely to be a file.
        !name.is_empty() && !name.contains(&b'.') && !is_page_of_forge(name)
    };
    ups == depth + 3
        && names.next().is_some_and(is_repository)
        && names.next().is_none_or(|name| name.is_empty() || is_page_of_forge(name))
}

/// Reports whether `path` may be a page of a forge, where it is not known how far above the start
/// the topmost directory of the repository is.
pub(super) fn may_be_of_forge(path: &[u8]) -> bool {
    let (ups, mut names) = ascent(path);
    ups >= 2 && names.next().is_some_and(is_page_of_forge)
}

/// Returns the number of `..` at the beginning of `path`, and the names after them.
fn ascent(path: &[u8]) -> (usize, impl Iterator<Item = &[u8]>) {
    let path = path.strip_prefix(b"/").unwrap_or(path);
    let names = || path.split(|byte| *byte == b'/');
    let ups = names().take_while(|name| *name == b"..").count();
    (ups, names().skip(ups))
}

/// Reports whether forges have pages called `name` beside those for files.
fn is_page_of_forge(name: &[u8]) -> bool {
    const PAGES: &str = "actions activity blame blob branches commit commits compare contributors \
                         deployments discussions edit fork forks graphs issues labels milestone \
                         milestones network packages projects pull pulls pulse raw releases \
                         security sponsors stargazers tags tree watchers wiki";
    PAGES.split(' ').any(|page| page.as_bytes() == name)
}

/// Returns the number of directories between that of `start` and the tree; `None` without a tree.
pub(super) fn depth(start: &Start) -> Option<usize> {
    let below = start.directory.get(start.floor?..).unwrap_or_default();
    Some(below.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).count())
}

/// Appends `name` to the directory in `path`.
pub(super) fn push(path: &mut Vec<u8>, name: &[u8]) {
    if !path.is_empty() && !path.ends_with(b"/") {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

/// Returns the path of `name` in `directory`.
pub(super) fn inside(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = directory.to_vec();
    if !name.is_empty() {
        push(&mut path, name);
    }
    path
}

/// Goes one directory up, but not out of the first `floor` bytes of `path`.
pub(super) fn ascend(path: &mut Vec<u8>, floor: Option<usize>) -> Result<(), Refused> {
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
    fn nothing_is_above_the_root_of_a_site() {
        for (path, expected) in [
            ("/a/b", "/a/b"),
            ("/../a", "/a"),
            ("/../../a/../b", "/a/../b"),
            ("/a/../../b/", "/a/../b/"),
            ("/%2E%2e/a", "/a"),
            ("\\..\\a", "/a"),
            ("/..", ""),
            ("/./..//../a", "/.//a"),
        ] {
            let found = super::within_root(path.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), expected, "{path}");
        }
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
            ("docs", "../../../other", true),
            ("docs", "../../../other/issues", true),
            ("docs", "../../../other/file", false),
            ("docs", "../../../other.md", false),
            ("docs/a", "../../../other", false),
            ("docs", "../../../../other", false),
        ] {
            let depth = super::depth(&start(from, Some("docs".len()))).unwrap();
            let path = path.as_bytes();
            let is_its = super::is_of_forge(depth, path) || super::is_other_repository(depth, path);
            assert_eq!(is_its, expected, "{}", String::from_utf8_lossy(path));
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
