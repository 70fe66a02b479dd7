//! Groups links by the directory that they share, for archives that list all copies below one.

use std::collections::BTreeMap;

use crate::grammar::normalize::key;
use crate::grammar::split;

/// Minimum number of links of one directory for which a list is requested from an archive.
const LINKS_MIN: usize = 8;

/// Returns the directories with at least [`LINKS_MIN`] of `links`, the fullest first, each with the
/// numbers of its links. The root of a host does not count: its list would have all that the
/// archive holds of the host.
pub(super) fn directories(
    links: impl IntoIterator<Item = (usize, Vec<u8>)>,
) -> Vec<(Vec<u8>, Vec<usize>)> {
    let mut groups: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
    for (number, link) in links {
        // Dots and doubled slashes may lead to the root.
        if let Some(directory) = directory(&key(&link)) {
            groups.entry(directory.to_vec()).or_default().push(number);
        }
    }
    let mut groups: Vec<_> =
        groups.into_iter().filter(|(_, numbers)| numbers.len() >= LINKS_MIN).collect();
    groups.sort_by_key(|(_, numbers)| std::cmp::Reverse(numbers.len()));
    groups
}

/// Returns `link` up to the last slash of its path, unless that is the root. A link whose path ends
/// in a slash is in no list: archives drop that slash from its key, so that the key is not below
/// the directory.
fn directory(link: &[u8]) -> Option<&[u8]> {
    let path = split(link).path;
    let slash = memchr::memrchr(b'/', path.of(link))?;
    let (directory, name) = path.of(link).split_at_checked(slash)?;
    let is_listed = name.len() > 1 && directory.iter().any(|byte| *byte != b'/');
    link.get(..=path.start + slash).filter(|_| is_listed)
}

#[cfg(test)]
mod tests {
    use super::{LINKS_MIN, directories, directory};

    #[test]
    fn a_directory_is_no_root() {
        let case = |link: &str, wanted: Option<&str>| {
            assert_eq!(directory(link.as_bytes()), wanted.map(str::as_bytes), "{link}");
        };
        case("http://h/a/b", Some("http://h/a/"));
        case("http://h/a/b/", None);
        case("http://h/a/b/?p=1", None);
        case("http://h//b", None);
        case("http://h/a/b?c=/d/e", Some("http://h/a/"));
        case("http://h/a", None);
        case("http://h/", None);
        case("http://h", None);
    }

    #[test]
    fn full_directories_are_listed_and_the_fullest_first() {
        let links = |directory: &str, count: usize| {
            (0..count).map(|number| (number, format!("{directory}{number}").into_bytes())).collect()
        };
        let all: Vec<Vec<(usize, Vec<u8>)>> = vec![
            links("http://h/few/", LINKS_MIN - 1),
            links("http://h/some/", LINKS_MIN),
            links("http://h/many/", LINKS_MIN + 1),
            links("http://h/", 20),
            links("http://h/x/../", 20),
            links("http://h/blog/?p=", 20),
        ];
        let found = directories(all.concat());
        let names: Vec<_> = found.iter().map(|(name, _)| String::from_utf8_lossy(name)).collect();
        assert_eq!(names, ["http://h/many/", "http://h/some/"]);
        assert_eq!(found[1].1, (0..LINKS_MIN).collect::<Vec<_>>());
    }
}
