//! Finds the file that a reader sees at a path: itself, an index, a page generated from it.

use std::io;
use std::sync::Arc;

use super::files::FileKind;
use super::path::{self, ResolvedPath, Start};
use super::sight::Sight;
use super::site::{Page, Site, above};
use super::{Document, Local, is_from_root, meant, reach, shown};
use crate::finding::{Class, Reach};
use crate::platform::{FOLDS_CASE, OsBytes as _};
use crate::source::markup::Markup;
use crate::uri::Uri;

/// Directories on the path of a page that are searched for other books.
const INSIDE_DEPTH_MAX: usize = 4;

/// The target of a link, as far as it was found.
pub(super) struct Target {
    pub(super) path: Vec<u8>,
    pub(super) kind: FileKind,
    /// Whether it is the source of the page to which the link leads.
    pub(super) is_page: bool,
}

impl Local {
    /// Checks the target of `resolved`, and the place in it that `link` names.
    pub(super) fn answer(
        &self,
        document: &Document,
        sight: &Sight<'_>,
        resolved: &ResolvedPath,
        link: &Uri<'_>,
    ) -> Reach {
        match self.target(document, sight, resolved, link) {
            Ok(target) => self.at(document, sight, &target, link),
            Err(reach) if reach.class == Class::Missing && sight.failure().is_some() => {
                // The link may lead to the path that could not be looked up.
                sight.failure().map_or(reach, |(path, code)| unknown(&path, code))
            }
            Err(reach) if reach.class == Class::Missing && reach.hint.is_none() => {
                let elsewhere = meant::elsewhere(link.path.of(link.text));
                Reach { hint: elsewhere.map(|uri| uri + &meant::after_path(link)), ..reach }
            }
            Err(reach) => reach,
        }
    }

    /// Returns the target of `resolved`; if there is none, the result that says why.
    fn target(
        &self,
        document: &Document,
        sight: &Sight<'_>,
        resolved: &ResolvedPath,
        link: &Uri<'_>,
    ) -> Result<Target, Reach> {
        let path = &resolved.path;
        let kind = sight.kind(path);
        // A link that works on this system breaks elsewhere.
        if FOLDS_CASE && let Some(other) = sight.respelled(document, path) {
            return Err(document.wrong_case(link, path, &other));
        }
        let found = |path: &[u8], kind| Target { path: path.to_vec(), kind, is_page: false };
        match kind {
            FileKind::File | FileKind::Other if resolved.is_directory => {
                let message = format!("expected a directory, found the file {}", shown(path));
                Err(Reach { hint: document.hint(link, path), ..reach(Class::Missing, message) })
            }
            FileKind::File | FileKind::Other => Ok(found(path, kind)),
            FileKind::Directory => self.index(sight, path, link.fragment.is_some()),
            FileKind::Missing => match self.fallback(sight, path) {
                Some(path) => Ok(found(&path, FileKind::File)),
                None => match made(document, sight, path).or_else(|| any(document, sight, path)) {
                    Some(target) => Ok(target),
                    None => match self.by_makers(document, sight, link.path.of(link.text)) {
                        Some(found) => found,
                        None => self.missing(document, sight, resolved, link),
                    },
                },
            },
            FileKind::Outside => {
                let message = "expected a file of the tree, found a symbolic link that leads out \
                               of it: --root-dir names a wider root";
                Err(reach(Class::OutsideRoot, message))
            }
            FileKind::Unknown(code) => Err(unknown(path, code)),
        }
    }

    /// Returns the target shown for the directory at `path`.
    fn index(&self, sight: &Sight<'_>, path: &[u8], has_fragment: bool) -> Result<Target, Reach> {
        let is_file = |path: &Vec<u8>| sight.kind(path) == FileKind::File;
        let inside = |name: &[u8]| {
            let mut inside = path.to_vec();
            path::push(&mut inside, name);
            inside
        };
        let directory =
            || Target { path: path.to_vec(), kind: FileKind::Directory, is_page: false };
        let file = |path| Target { path, kind: FileKind::File, is_page: false };
        if let Some(names) = &self.options.index_files {
            let names = names.iter().map(|name| name.as_os_str().as_bytes());
            for name in names.filter(|name| !name.is_empty()) {
                if name == b"." {
                    return Ok(self.fallback(sight, path).map_or_else(directory, file));
                }
                if let Some(path) = Some(inside(name)).filter(is_file) {
                    return Ok(file(path));
                }
            }
            let message = format!("expected an index file in {}, found none", shown(path));
            return Err(reach(Class::Missing, message));
        }
        // A fragment leads into the file that a reader sees there: a forge shows the first, a
        // server the second.
        const SHOWN: [&[u8]; 4] = [b"README.md", b"index.html", b"index.md", b"README.rst"];
        let shown = SHOWN.iter().filter(|_| has_fragment).map(|name| inside(name)).find(is_file);
        Ok(shown.or_else(|| self.fallback(sight, path)).map_or_else(directory, file))
    }

    /// Returns the file named `path` with one of the endings added, or in place of its own.
    fn fallback(&self, sight: &Sight<'_>, path: &[u8]) -> Option<Vec<u8>> {
        let own = memchr::memrchr(b'.', path::name(path)).filter(|dot| *dot > 0);
        let stem = path.len() - own.map_or(0, |dot| path::name(path).len() - dot);
        self.options.fallback_extensions.iter().find_map(|extension| {
            [path, path.get(..stem)?].into_iter().find_map(|stem| {
                let file = [stem, b".", extension.as_bytes()].concat();
                (sight.kind(&file) == FileKind::File).then_some(file)
            })
        })
    }

    /// Returns the page to which `resolved` leads, or the result for a file that does not exist.
    fn missing(
        &self,
        document: &Document,
        sight: &Sight<'_>,
        resolved: &ResolvedPath,
        link: &Uri<'_>,
    ) -> Result<Target, Reach> {
        let Some(site) = self.site_around(sight, &document.start) else {
            return Err(sight.unknown(document, resolved, link));
        };
        let path = link.path.of(link.text);
        let from_source = if is_from_root(path) { site.of_static(path) } else { None };
        let of_source = from_source.map(|path| ResolvedPath { path, is_directory: false });
        let resolved = of_source.as_ref().unwrap_or(resolved);
        let page = |path: &[u8], kind| Target { path: path.to_vec(), kind, is_page: true };
        let with_hint = |class, message: String, path: &[u8]| Reach {
            hint: document.hint(link, path),
            ..reach(class, message)
        };
        match site.page(&resolved.path, sight) {
            Some(Page::Of(path)) => Ok(page(&path, FileKind::File)),
            Some(Page::Made) => Ok(page(&resolved.path, FileKind::Other)),
            Some(Page::Unlisted(path)) => {
                let found = shown(&path);
                let message =
                    format!("expected a page, found {found}, which SUMMARY.md leaves out");
                Err(with_hint(Class::Missing, message, &path))
            }
            Some(Page::Unknown) => {
                let message = "it is among what a program adds when it makes pages of this tree";
                Err(reach(Class::Unverifiable, message))
            }
            None if path::below(&resolved.path, &site.root).is_none() => Err(out_of_site()),
            None => Err(match self.beside(sight, &site, &document.start, &resolved.path) {
                Some(path) => {
                    let found = shown(&path);
                    let message = format!(
                        "expected a page that this book makes, found one that another makes of \
                         {found}: nobody knows here whether the two are shown together"
                    );
                    with_hint(Class::Unverifiable, message, &path)
                }
                None => sight.unknown(document, resolved, link),
            }),
        }
    }

    /// Returns the nearest site around the document that starts at `start`.
    pub(super) fn site_around(&self, sight: &Sight<'_>, start: &Start) -> Option<Arc<Site>> {
        above(start).find_map(|directory| self.sites.of(directory, sight))
    }

    /// Returns the source from which another book makes the page at `path` in `site`: a book in
    /// `src` of a directory around this one, or further down on the path.
    fn beside(
        &self,
        sight: &Sight<'_>,
        site: &Site,
        start: &Start,
        path: &[u8],
    ) -> Option<Vec<u8>> {
        let page = path::below(path, &site.root)?;
        let around = Start { directory: site.root.clone(), floor: start.floor };
        let splits = || memchr::memchr_iter(b'/', page).map(|slash| slash + 1);
        above(&around).find_map(|directory| {
            std::iter::once(0).chain(splits()).take(INSIDE_DEPTH_MAX).find_map(|split| {
                let (inside, page) = page.split_at_checked(split)?;
                let mut source = directory.to_vec();
                path::push(&mut source, inside);
                path::push(&mut source, b"src");
                let other =
                    self.sites.of(&source, sight).filter(|other| other.root != site.root)?;
                let mut path = other.root.clone();
                path::push(&mut path, page);
                match other.page(&path, sight)? {
                    Page::Of(source) => Some(source),
                    Page::Made => Some(path),
                    Page::Unlisted(_) | Page::Unknown => None,
                }
            })
        })
    }
}

/// Returns the page at `path` if a document in the language of `document` exists beside it, or one
/// in any of these languages for HTML: generators for these languages write their pages there.
fn made(document: &Document, sight: &Sight<'_>, path: &[u8]) -> Option<Target> {
    let endings: &[&[u8]] = match Markup::by_name(&document.path)? {
        Markup::Rest => &[b".rst"],
        Markup::AsciiDoc => &[b".adoc"],
        Markup::Org => &[b".org"],
        // A page written by hand, among those that are made.
        Markup::Html => &[b".rst", b".adoc", b".org"],
        _ => return None,
    };
    let stem = path.strip_suffix(b".html")?;
    let mut sources = endings.iter().map(|ending| [stem, ending].concat());
    let source = sources.find(|source| sight.kind(source) == FileKind::File)?;
    Some(Target { path: source, kind: FileKind::File, is_page: true })
}

/// Returns the picture that `path` means with an asterisk for its ending: Sphinx chooses the file
/// that fits (Sphinx manual, "reStructuredText Primer", "Images").
fn any(document: &Document, sight: &Sight<'_>, path: &[u8]) -> Option<Target> {
    const ENDINGS: [&[u8]; 6] = [b"svg", b"png", b"pdf", b"gif", b"jpg", b"jpeg"];
    let stem = path.strip_suffix(b"*").filter(|stem| stem.ends_with(b"."))?;
    let is_its = Markup::by_name(&document.path) == Some(Markup::Rest);
    let mut files = ENDINGS.iter().filter(|_| is_its).map(|ending| [stem, ending].concat());
    let file = files.find(|file| sight.kind(file) == FileKind::File)?;
    Some(Target { path: file, kind: FileKind::File, is_page: false })
}

/// Returns the result for a link to `path`, for which the system reports the error `code`.
fn unknown(path: &[u8], code: i32) -> Reach {
    let error = io::Error::from_raw_os_error(code).to_string();
    let why = error.split(" (os error").next().unwrap_or_default();
    let message = format!("the system does not let us look at {}: {why}", shown(path));
    reach(Class::Unverifiable, message)
}

pub(super) fn out_of_site() -> Reach {
    let message = "it leads out of the tree of the pages, and the rest of the site is unknown";
    reach(Class::Unverifiable, message)
}
