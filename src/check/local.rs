//! Links to files: relative references, and `file:` inside of a tree of documents.
//!
//! A link is followed as a browser follows it, from the document it stands in; what is there is
//! looked up once. What other programs make of a tree is known for `mdBook` alone; options say the
//! rest: where the root of a site is, which file a directory shows, which ending is left out.
//! Nothing is fetched, and nothing but the documents that fragments lead into is opened.
//!
//! Not for mail: whoever wrote it must not make us look at files. Not known: links without a
//! trace of the file they lead to, as generators of sites make them from titles.

mod files;
mod nearest;
mod site;
mod way;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::finding::{Class, Reach};
use crate::grammar::resolve;
use crate::grammar::split;
use crate::source::markup::Markup;
use crate::source::markup::anchors::Place;
use crate::uri::Uri;
use files::{Files, Kind, Places};
use site::{Page, Site};
use way::{Refused, Start, Way};

/// The name of this probe in records.
const PROBE: &str = "local";
/// Directories above a document that are searched for the site it belongs to.
const SITE_DEPTH_MAX: usize = 32;
/// The scheme of `//host/path` in a document whose own address nobody knows.
const SCHEME: &str = "https";

/// How links to files are answered; by default as lychee does, but with fragments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Where links that begin with a slash start, and what no link leads out of.
    pub root_dir: Option<PathBuf>,
    /// What relative links start from, in place of their document.
    pub base: Option<Base>,
    /// What a link to a directory shows: the first of these that is there, `.` for the directory
    /// itself. Without a list every directory will do.
    pub index_files: Option<Vec<PathBuf>>,
    /// Endings that are tried, without their dots, where no file is.
    pub fallback_extensions: Vec<String>,
    /// Whether the places that fragments name are looked for.
    pub fragments: Fragments,
}

/// What relative links start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A URI: all links but those within a document are asked there.
    Uri(Vec<u8>),
    /// A directory, where links that begin with a slash start, too.
    Directory(PathBuf),
}

/// Whether the places that fragments name are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fragments {
    /// They are.
    #[default]
    Checked,
    /// They are not: the file is enough.
    Ignored,
}

/// What became of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What the files say.
    Reach(Reach),
    /// It leads to this URI, which is to be asked as any other.
    Remote(Vec<u8>),
}

/// A document that links stand in.
#[derive(Clone, Debug)]
pub struct Document {
    path: Vec<u8>,
    start: Start,
    /// Where links that begin with a slash start.
    root: Option<Start>,
    /// What the document says its links start from.
    base: Option<Vec<u8>>,
}

/// Answers links to files, for any number of threads.
#[derive(Default)]
pub struct Local {
    options: Options,
    /// The root without symbolic links, to compare with.
    root: Option<Vec<u8>>,
    files: Files,
}

impl std::fmt::Debug for Local {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Local").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Document {
    /// What a link in it would say to lead to `path`.
    fn hint(&self, path: &[u8]) -> Option<String> {
        let reference = way::reference(&self.start.directory, path);
        Some(String::from_utf8_lossy(&reference).into_owned())
    }
}

/// What a link leads to, as far as it was found.
struct Target {
    path: Vec<u8>,
    kind: Kind,
    /// True when it stands for a page that is made of it.
    is_page: bool,
}

impl Local {
    /// Answers by `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let root = options.root_dir.as_deref().and_then(canonical);
        Self { options, root, files: Files::default() }
    }

    /// The document at `path`, which was found in `tree`, and says that its links start from
    /// `base`.
    ///
    /// Links do not lead out of the tree; without one, a file that was named by itself, they may
    /// lead anywhere.
    #[must_use]
    pub fn document(&self, path: &Path, tree: Option<&Path>, base: Option<&[u8]>) -> Document {
        let directory = path.parent().unwrap_or(Path::new(""));
        let base = base.map(<[u8]>::to_vec);
        let found = path.as_os_str().as_bytes().to_vec();
        let mut document = Document { path: found, start: Start::default(), root: None, base };
        let site = self
            .root
            .as_deref()
            .map(|root| Start { directory: root.to_vec(), floor: Some(root.len()) });
        let in_site = self.root.as_deref().and_then(|root| {
            let directory = canonical(directory)?;
            way::below(&directory, root)?;
            Some(Start { directory, floor: Some(root.len()) })
        });
        let tree = tree.and_then(|tree| in_tree(directory, tree));
        let root = tree.as_ref().map(|start| Start {
            directory: start.directory.get(..start.floor.unwrap_or(0)).unwrap_or_default().to_vec(),
            floor: start.floor,
        });
        document.root = site.or(root);
        let free = || Start { directory: directory.as_os_str().as_bytes().to_vec(), floor: None };
        document.start = in_site.or(tree).unwrap_or_else(free);
        if let Some(Base::Directory(base)) = &self.options.base {
            let directory = base.as_os_str().as_bytes().to_vec();
            let floor = Some(directory.len());
            document.start = Start { directory, floor };
            document.root.get_or_insert_with(|| document.start.clone());
        }
        document
    }

    /// What becomes of `reference`, a link in `document`.
    #[must_use]
    pub fn ask(&self, document: &Document, reference: &[u8]) -> Answer {
        let link = split(reference);
        let is_relative = link.scheme.is_none() && link.host.is_none();
        let is_own = is_relative && link.path.is_empty() && document.base.is_none();
        if is_own {
            return Answer::Reach(self.own(document, &link));
        }
        if link.scheme.is_some() {
            return self.absolute(document, &link);
        }
        if let Some(base) = self.base_uri(document) {
            return match resolve::find(resolve::DEFAULT)
                .and_then(|rules| resolve::resolve(&base, reference, rules).ok())
            {
                Some(uri) => self.absolute(document, &split(&uri)),
                None => Answer::Reach(reach(Class::Unverifiable, "its base is no URI")),
            };
        }
        if link.host.is_some() {
            let assumed = resolve::assume_scheme(reference, SCHEME);
            return Answer::Remote(assumed.unwrap_or_else(|| reference.to_vec()));
        }
        Answer::Reach(self.relative(document, &link))
    }

    /// The URI that links of `document` start from, if one is known.
    fn base_uri(&self, document: &Document) -> Option<Vec<u8>> {
        let given = match &self.options.base {
            Some(Base::Uri(uri)) => Some(uri.as_slice()),
            _ => None,
        };
        match (&document.base, given) {
            (Some(base), _) if resolve::is_base(base) => Some(base.clone()),
            (Some(base), Some(given)) => {
                resolve::resolve(given, base, resolve::find(resolve::DEFAULT)?).ok()
            }
            (Some(base), None) => resolve::assume_scheme(base, SCHEME),
            (None, given) => given.map(<[u8]>::to_vec),
        }
    }

    /// A link with a scheme: a file of the tree, or nothing of ours.
    fn absolute(&self, document: &Document, link: &Uri<'_>) -> Answer {
        let scheme = link.scheme.map_or(&b""[..], |span| span.of(link.text));
        if !scheme.eq_ignore_ascii_case(b"file") {
            return Answer::Remote(link.text.to_vec());
        }
        let host = link.host.map_or(&b""[..], |span| span.of(link.text));
        let path = link.path.of(link.text);
        let is_here = host.is_empty() || host.eq_ignore_ascii_case(b"localhost");
        let elsewhere = "it names a file of the machine it was written on";
        let elsewhere = || Answer::Reach(reach(Class::Unverifiable, elsewhere));
        if !is_here || !path.starts_with(b"/") {
            return elsewhere();
        }
        let top = Start { directory: b"/".to_vec(), floor: Some(1) };
        let way = match way::follow(&top, path) {
            Ok(way) => way,
            Err(refused) => return Answer::Reach(refusal(refused)),
        };
        let Some(root) = &document.root else { return elsewhere() };
        let directory = Path::new(OsStr::from_bytes(&root.directory));
        let real = canonical(directory);
        let Some(below) = real.as_deref().and_then(|real| way::below(&way.path, real)) else {
            return elsewhere();
        };
        let mut path = root.directory.clone();
        way::push(&mut path, below);
        let way = Way { path, ..way };
        Answer::Reach(self.answer(document, &way, link))
    }

    /// A link to a place in `document` itself.
    fn own(&self, document: &Document, link: &Uri<'_>) -> Reach {
        let target = Target { path: document.path.clone(), kind: Kind::File, is_page: false };
        self.at(document, &target, link)
    }

    /// A link by a path.
    fn relative(&self, document: &Document, link: &Uri<'_>) -> Reach {
        let from = match self.start(document) {
            Ok(start) => start,
            Err(refused) => return refusal(refused),
        };
        let path = link.path.of(link.text);
        let is_from_root = path.first().is_some_and(|first| matches!(first, b'/' | b'\\'));
        let start = match (&document.root, is_from_root) {
            (_, false) => &from,
            (Some(root), true) => root,
            (None, true) => {
                let message = "it starts from the root of a site, and nobody said where that is";
                let reach = reach(Class::Unverifiable, message);
                return Reach { hint: Some("--root-dir".to_owned()), ..reach };
            }
        };
        match way::follow(start, path) {
            Ok(way) => self.answer(document, &way, link),
            Err(Refused::Outside) if self.site(&document.start).is_some() => out_of_site(),
            Err(refused) => refusal(refused),
        }
    }

    /// Where relative links of `document` start, which may say so itself.
    fn start(&self, document: &Document) -> Result<Start, Refused> {
        let Some(base) = document.base.as_deref().map(split) else {
            return Ok(document.start.clone());
        };
        let path = base.path.of(base.text);
        let directory = path.get(..memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1));
        let directory = directory.unwrap_or_default();
        let root = document.root.as_ref().filter(|_| directory.starts_with(b"/"));
        let from = root.unwrap_or(&document.start);
        let way = way::follow(from, directory)?;
        Ok(Start { directory: way.path, floor: from.floor })
    }

    /// What stands at the end of `way`, and the place in it that `link` names.
    fn answer(&self, document: &Document, way: &Way, link: &Uri<'_>) -> Reach {
        let kind = self.files.kind(&way.path);
        let found = |path: &[u8], kind| Target { path: path.to_vec(), kind, is_page: false };
        let target = match kind {
            Kind::File | Kind::Other if way.is_directory => {
                let message = format!("expected a directory, found the file {}", shown(&way.path));
                let hint = document.hint(&way.path);
                return Reach { hint, ..reach(Class::Missing, message) };
            }
            Kind::File | Kind::Other => found(&way.path, kind),
            Kind::Directory => match self.index(&way.path, link.fragment.is_some()) {
                Ok(target) => target,
                Err(reach) => return reach,
            },
            Kind::Missing => match self.fallback(&way.path) {
                Some(path) => found(&path, Kind::File),
                None => match self.missing(document, way) {
                    Ok(target) => target,
                    Err(reach) => return reach,
                },
            },
            Kind::Loop => {
                let circle = "found symbolic links that lead in a circle";
                let message = format!("expected a file at {}, {circle}", shown(&way.path));
                return reach(Class::Missing, message);
            }
            Kind::Unreadable => {
                let message = format!("the system does not let us look at {}", shown(&way.path));
                return reach(Class::Unverifiable, message);
            }
        };
        self.at(document, &target, link)
    }

    /// What is shown for the directory at `path`.
    fn index(&self, path: &[u8], has_fragment: bool) -> Result<Target, Reach> {
        let is_file = |path: &Vec<u8>| self.files.kind(path) == Kind::File;
        let inside = |name: &[u8]| {
            let mut inside = path.to_vec();
            way::push(&mut inside, name);
            inside
        };
        let directory = || Target { path: path.to_vec(), kind: Kind::Directory, is_page: false };
        let file = |path| Target { path, kind: Kind::File, is_page: false };
        if let Some(names) = &self.options.index_files {
            let names = names.iter().map(|name| name.as_os_str().as_bytes());
            for name in names.filter(|name| !name.is_empty()) {
                if name == b"." {
                    return Ok(self.fallback(path).map_or_else(directory, file));
                }
                if let Some(path) = Some(inside(name)).filter(is_file) {
                    return Ok(file(path));
                }
            }
            let message = format!("expected an index file in {}, found none", shown(path));
            return Err(reach(Class::Missing, message));
        }
        // A fragment leads into what a reader sees there: a forge shows the first, a server
        // the second.
        const SHOWN: [&[u8]; 4] = [b"README.md", b"index.html", b"index.md", b"README.rst"];
        let shown = SHOWN.iter().filter(|_| has_fragment).map(|name| inside(name)).find(is_file);
        Ok(shown.or_else(|| self.fallback(path)).map_or_else(directory, file))
    }

    /// The file that `path` means with one of the endings behind it, or in place of its own.
    fn fallback(&self, path: &[u8]) -> Option<Vec<u8>> {
        let own = memchr::memrchr(b'.', way::name(path)).filter(|dot| *dot > 0);
        let stem = path.len() - own.map_or(0, |dot| way::name(path).len() - dot);
        self.options.fallback_extensions.iter().find_map(|extension| {
            [path, path.get(..stem)?].into_iter().find_map(|stem| {
                let file = [stem, b".", extension.as_bytes()].concat();
                (self.files.kind(&file) == Kind::File).then_some(file)
            })
        })
    }

    /// The page that `way` leads to, or what is known of a file that is not there.
    fn missing(&self, document: &Document, way: &Way) -> Result<Target, Reach> {
        let Some(site) = self.site(&document.start) else {
            return Err(self.unknown(document, way));
        };
        let page = |path: &[u8], kind| Target { path: path.to_vec(), kind, is_page: true };
        let with_hint = |class, message: String, path: &[u8]| Reach {
            hint: document.hint(path),
            ..reach(class, message)
        };
        match site.page(&way.path, &self.files) {
            Some(Page::Of(path)) => Ok(page(&path, Kind::File)),
            Some(Page::Made) => Ok(page(&way.path, Kind::Other)),
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
            None if way::below(&way.path, &site.root).is_none() => Err(out_of_site()),
            None => Err(match self.beside(&site, &document.start, &way.path) {
                Some(path) => {
                    let found = shown(&path);
                    let message = format!(
                        "expected a page that this book makes, found one that another makes of \
                         {found}: nobody knows here whether the two are shown together"
                    );
                    with_hint(Class::Unverifiable, message, &path)
                }
                None => self.unknown(document, way),
            }),
        }
    }

    /// The nearest site around the document that starts at `start`.
    fn site(&self, start: &Start) -> Option<Arc<Site>> {
        above(start).find_map(|directory| self.files.site(directory))
    }

    /// What another book makes the page of that `path` would be in `site`: a book in `src` of a
    /// directory around this one, or further down on the path.
    fn beside(&self, site: &Site, start: &Start, path: &[u8]) -> Option<Vec<u8>> {
        let page = way::below(path, &site.root)?;
        let around = Start { directory: site.root.clone(), floor: start.floor };
        let splits = || memchr::memchr_iter(b'/', page).map(|slash| slash + 1);
        above(&around).find_map(|directory| {
            std::iter::once(0).chain(splits()).take(SITE_DEPTH_MAX).find_map(|split| {
                let (inside, page) = page.split_at_checked(split)?;
                let mut source = directory.to_vec();
                way::push(&mut source, inside);
                way::push(&mut source, b"src");
                let other = self.files.site(&source).filter(|other| other.root != site.root)?;
                let mut path = other.root.clone();
                way::push(&mut path, page);
                match other.page(&path, &self.files)? {
                    Page::Of(path) => Some(path),
                    Page::Made => Some(path),
                    Page::Unlisted(_) | Page::Unknown => None,
                }
            })
        })
    }

    /// What is known of a file that is not there: its name in another case, or one like it.
    fn unknown(&self, document: &Document, way: &Way) -> Reach {
        let wanted = shown(&way.path);
        if let Some(path) = self.respelled(document, &way.path) {
            let message = format!("expected {wanted}, found {}", shown(&path));
            return Reach { hint: document.hint(&path), ..reach(Class::WrongCase, message) };
        }
        let message = format!("expected a file or directory at {wanted}, found none");
        let hint = self.near(&way.path).and_then(|near| document.hint(&near));
        Reach { hint, ..reach(Class::Missing, message) }
    }

    /// The path that differs from `path` in the case of letters alone.
    fn respelled(&self, document: &Document, path: &[u8]) -> Option<Vec<u8>> {
        let floor = document.start.floor.unwrap_or(0);
        let rest = path.get(floor..)?;
        let mut found = path.get(..floor)?.to_vec();
        if rest.starts_with(b"/") && found.is_empty() {
            found.push(b'/');
        }
        for name in rest.split(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
            let mut exact = found.clone();
            way::push(&mut exact, name);
            if matches!(name, b"." | b"..") || self.files.kind(&exact) != Kind::Missing {
                found = exact;
                continue;
            }
            let listing = self.files.listing(&found)?;
            let lower = files::lower(name);
            let at = listing.partition_point(|(other, _)| *other < lower);
            let (_, other) = listing.get(at).filter(|(other, _)| *other == lower)?;
            way::push(&mut found, other);
        }
        (found != path).then_some(found)
    }

    /// What may have been meant by `path`: the same name with another ending, or one that
    /// differs by a slip.
    fn near(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (directory, name) = (way::parent(path), way::name(path));
        let listing = self.files.listing(directory)?;
        let stem = |name: &[u8]| memchr::memrchr(b'.', name).filter(|dot| *dot > 0);
        let own = name.get(..stem(name).unwrap_or(name.len())).unwrap_or(name);
        let is_twin = |other: &[u8]| stem(other).and_then(|dot| other.get(..dot)) == Some(own);
        // A link that leads nowhere is listed, too.
        let names = || listing.iter().map(|(_, name)| name.as_slice()).filter(|it| *it != name);
        let twin = names().find(|other| is_twin(other) || *other == own);
        let near = twin.or_else(|| nearest::nearest(name, names()))?;
        let mut path = directory.to_vec();
        way::push(&mut path, near);
        Some(path)
    }

    /// The place in `target` that `link` names.
    fn at(&self, document: &Document, target: &Target, link: &Uri<'_>) -> Reach {
        let fragment = link.fragment.map_or(&b""[..], |span| span.of(link.text));
        let is_ignored = self.options.fragments == Fragments::Ignored;
        let there = |what: &str| reach(Class::Alive, what);
        if fragment.is_empty() || is_ignored {
            return match target.kind {
                _ if target.is_page => there("a page is made for it"),
                Kind::Directory => there("the directory is there"),
                _ => there("the file is there"),
            };
        }
        let places = match target.kind {
            Kind::File => self.files.places(&target.path),
            Kind::Directory => {
                let message = format!(
                    "expected a document with places in it, found the directory {}",
                    shown(&target.path)
                );
                return reach(Class::FragmentMissing, message);
            }
            _ => return there("the file is there, and what it holds was not asked"),
        };
        let unknown = |why: &str| {
            let message = format!("{} is there, and {why}", shown(&target.path));
            reach(Class::Unverifiable, message)
        };
        let (anchors, markup) = match places.get() {
            Some(Places::Known(anchors, markup)) => (anchors, *markup),
            Some(Places::TooLong) => return unknown("is too long to look for places in it"),
            Some(Places::Unread) | None => return unknown("could not be read"),
        };
        match anchors.find(fragment) {
            Place::There => there("the file and the place in it are there"),
            Place::Unknown => there("the file is there, and programs read the fragment"),
            // GitHub's pages find a heading in any case, others do not.
            Place::OtherCase if markup == Some(Markup::Markdown) && !target.is_page => {
                there("the file and the place in it are there")
            }
            Place::OtherCase | Place::Missing => {
                let message = format!("expected a place of this name in {}, found none", {
                    shown(&target.path)
                });
                let wanted = crate::source::markup::anchors::decoded(fragment);
                let near = nearest::nearest(&wanted, anchors.names());
                let hint = near.map(|near| {
                    let is_own = target.path == document.path;
                    let path = if is_own { &b""[..] } else { link.path.of(link.text) };
                    String::from_utf8_lossy(&[path, b"#", near].concat()).into_owned()
                });
                Reach { hint, ..reach(Class::FragmentMissing, message) }
            }
        }
    }
}

/// Where links of a document in `directory` start, which was found in `tree`.
fn in_tree(directory: &Path, tree: &Path) -> Option<Start> {
    let below = directory.strip_prefix(tree).ok()?;
    let mut path = tree.as_os_str().as_bytes().to_vec();
    while path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    if path.is_empty() {
        path.push(b'.');
    }
    let floor = Some(path.len());
    for name in below {
        way::push(&mut path, name.as_bytes());
    }
    Some(Start { directory: path, floor })
}

/// The directory of `start` and those above it, as far as the tree goes.
fn above(start: &Start) -> impl Iterator<Item = &[u8]> {
    let floor = start.floor.unwrap_or(0);
    let mut next = Some(start.directory.as_slice());
    let directories = std::iter::from_fn(move || {
        let directory = next?;
        let parent = way::parent(directory);
        let is_last = parent.len() < floor || parent.len() == directory.len();
        next = (!is_last).then_some(parent);
        Some(directory)
    });
    directories.take(SITE_DEPTH_MAX)
}

/// `path` without symbolic links and dots.
fn canonical(path: &Path) -> Option<Vec<u8>> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    Some(fs::canonicalize(path).ok()?.into_os_string().as_bytes().to_vec())
}

fn reach(class: Class, message: impl Into<String>) -> Reach {
    Reach::new(class, PROBE, message)
}

fn refusal(refused: Refused) -> Reach {
    match refused {
        Refused::Outside => reach(
            Class::OutsideRoot,
            "expected a file of the tree, found a path that leads out of it",
        ),
        Refused::Byte => {
            let message = "expected names of files, found one with an escaped slash or NUL in it";
            reach(Class::Missing, message)
        }
    }
}

fn out_of_site() -> Reach {
    let message =
        "it leads out of the tree that pages are made of, and nobody knows what is beside it";
    reach(Class::Unverifiable, message)
}

/// A path as messages show it.
fn shown(path: &[u8]) -> String {
    let path = path.strip_prefix(b"./").unwrap_or(path);
    format!("`{}`", String::from_utf8_lossy(path))
}
