//! Guesses the target of a link that leads nowhere.

use std::borrow::Cow;

use super::files::{FileKind, Listing};
use super::path::{self, ResolvedPath};
use super::sight::Sight;
use super::{Document, nearest, reach, shown};
use crate::finding::{Class, Reach};
use crate::platform;
use crate::source::markup::Markup;
use crate::uri::Uri;

impl Document {
    /// Returns `link`, one of this document, rewritten to lead to `path`: from the root if it
    /// starts there, and with its query and fragment.
    pub(super) fn hint(&self, link: &Uri<'_>, path: &[u8]) -> Option<String> {
        let is_from_root = link.scheme.is_none() && super::is_from_root(link.path.of(link.text));
        let root = self.root.as_ref().filter(|_| is_from_root);
        let below = root.and_then(|root| path::below(path, &root.directory).map(|_| root));
        let reference = match below {
            Some(root) => [b"/", &*path::reference(&root.directory, path)].concat(),
            None => path::reference(&self.start.directory, path),
        };
        Some(String::from_utf8_lossy(&reference).into_owned() + &after_path(link))
    }

    /// Returns the result for a `path` of `link` that exists as `other`.
    pub(super) fn wrong_case(&self, link: &Uri<'_>, path: &[u8], other: &[u8]) -> Reach {
        let message = format!("expected {}, found {}", shown(path), shown(other));
        Reach { hint: self.hint(link, other), ..reach(Class::WrongCase, message) }
    }
}

impl Sight<'_> {
    /// Returns the result for a file that does not exist, with its name in another case, or a
    /// similar one.
    pub(super) fn unknown(
        &self,
        document: &Document,
        resolved: &ResolvedPath,
        link: &Uri<'_>,
    ) -> Reach {
        let path = &resolved.path;
        if let Some(other) = self.respelled(document, path) {
            return document.wrong_case(link, path, &other);
        }
        if let Some(other) = self.listed(document, path, Listing::recomposed) {
            let message = format!(
                "expected a file or directory at {}, found a name whose letters are composed of \
                 other characters: the two are one to macOS alone",
                shown(path)
            );
            return Reach { hint: document.hint(link, &other), ..reach(Class::Missing, message) };
        }
        let message = format!("expected a file or directory at {}, found none", shown(path));
        let near = self.near(path).and_then(|near| document.hint(link, &near));
        Reach { hint: near, ..reach(Class::Missing, message) }
    }

    /// Returns the existing path that differs from `path` in the case of letters alone, by the
    /// names that directories list.
    pub(super) fn respelled(&self, document: &Document, path: &[u8]) -> Option<Vec<u8>> {
        self.listed(document, path, Listing::spelled)
    }

    /// Returns the existing path of the names that `find` finds in directories for those of `path`,
    /// if that is another one.
    fn listed(
        &self,
        document: &Document,
        path: &[u8],
        find: impl for<'l> Fn(&'l Listing, &[u8]) -> Option<&'l [u8]>,
    ) -> Option<Vec<u8>> {
        let floor = document.start.floor.unwrap_or(0);
        let tree = path.get(..floor)?;
        let mut found = match tree {
            [] => platform::root_of(path).unwrap_or_default().to_vec(),
            tree => tree.to_vec(),
        };
        let rest = path.get(found.len()..)?;
        for name in rest.split(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
            let listing = self.listing(&found);
            let spelled = match &listing {
                _ if matches!(name, b"." | b"..") => name,
                Some(listing) => find(listing, name)?,
                // Nothing is known of a directory that lists too much, or nothing.
                None => name,
            };
            path::push(&mut found, spelled);
        }
        let kind = self.kind(&found);
        let is_there = matches!(kind, FileKind::File | FileKind::Directory | FileKind::Other);
        (found != path && is_there).then_some(found)
    }

    /// Returns the likely target of `path`: the same name with another ending, or one that differs
    /// by a typing error.
    fn near(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (directory, name) = (path::parent(path), path::name(path));
        let listing = self.listing(directory)?;
        let stem = |name: &[u8]| memchr::memrchr(b'.', name).filter(|dot| *dot > 0);
        let own = name.get(..stem(name).unwrap_or(name.len())).unwrap_or(name);
        let is_twin = |other: &[u8]| stem(other).and_then(|dot| other.get(..dot)) == Some(own);
        // A symbolic link that leads nowhere is listed, too.
        let names = || listing.names().filter(|it| *it != name);
        let twin = names().find(|other| is_twin(other) || *other == own);
        let near = twin.or_else(|| nearest::nearest(name, names()))?;
        let mut path = directory.to_vec();
        path::push(&mut path, near);
        Some(path)
    }
}

/// Returns the query and the fragment of `link`, with the marks before them.
pub(super) fn after_path<'t>(link: &Uri<'t>) -> Cow<'t, str> {
    String::from_utf8_lossy(link.text.get(link.path.end..).unwrap_or_default())
}

/// Returns the URI that `path` becomes with its missing scheme: of a host with a path, of a host
/// with three labels or more, or of a mail address.
pub(super) fn elsewhere(path: &[u8]) -> Option<String> {
    let path = std::str::from_utf8(path).ok()?;
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let is_host = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or_default();
        let is_name = last.len() > 1 && last.chars().all(|c| c.is_ascii_alphabetic());
        is_name && name.contains('.') && name.split('.').all(is_label)
    };
    if let Some((user, host)) = path.split_once('@') {
        return (is_label(user) && is_host(host)).then(|| format!("mailto:{path}"));
    }
    let is_known = !rest.is_empty() || first.split('.').count() > 2;
    let is_file = Markup::by_name(first.as_bytes()).is_some();
    (is_known && !is_file && is_host(first)).then(|| format!("https://{path}"))
}

#[cfg(test)]
mod tests {
    use super::elsewhere;

    #[test]
    fn a_scheme_that_was_left_out_is_told() {
        for (path, expected) in [
            ("host.example/a", Some("https://host.example/a")),
            ("www.host.example", Some("https://www.host.example")),
            ("someone@host.example", Some("mailto:someone@host.example")),
            ("guide.html", None),
            ("guide.html/a", None),
            ("v1.2.3", None),
            ("docs/guide.html", None),
            ("a@b", None),
            ("../host.example/a", None),
        ] {
            assert_eq!(elsewhere(path.as_bytes()).as_deref(), expected, "{path}");
        }
    }
}
