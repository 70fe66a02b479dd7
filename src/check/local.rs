//! Checks links to files: relative references, and `file:` inside a tree of documents.
//!
//! A link is followed as a browser follows it, from its document; each file is looked up once. The
//! pages that other programs generate from a tree are known for a dozen of them; options declare
//! the rest: the root of a site, the index file of a directory, the ending that links omit.
//! Nothing is requested. Only two kinds of files are opened: documents into which fragments lead,
//! and files that describe a site.
//!
//! Never used for mail, whose senders must not cause access to files. Not supported: links that do
//! not resemble the name of their file, as generators of sites derive them from titles.

mod files;
mod makers;
mod meant;
mod memory;
mod nearest;
mod path;
mod place;
mod sight;
mod site;
mod target;
mod wall;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::finding::{Class, Reach};
use crate::grammar::resolve;
use crate::grammar::split;
use crate::platform::{self, OsBytes as _};
use crate::source::markup::Markup;
use crate::uri::{Redacted, Uri};
use files::{FileKind, Files};
use path::{Refused, ResolvedPath, Start};
use sight::Sight;
use site::Sites;
pub use site::{chapters, declared};
use target::{Target, out_of_site};
use wall::Walls;

/// The scheme of `//host/path` in a document whose own address is unknown.
const SCHEME: &str = "https";

/// Options for checking links to files; the defaults are lychee's, but with fragments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The directory where links that begin with a slash start, and which no link leaves.
    pub root_dir: Option<PathBuf>,
    /// The base of relative links, in place of their document.
    pub base: Option<Base>,
    /// Files shown for a link to a directory: the first that exists; `.` is the directory itself.
    /// Without a list every directory is accepted.
    pub index_files: Option<Vec<PathBuf>>,
    /// Endings to try, without their dots, where no file exists.
    pub fallback_extensions: Vec<String>,
    /// Whether the places that fragments name are searched for.
    pub fragments: Fragments,
}

/// The base of relative links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A URI, against which all links are resolved except those within a document.
    Uri(Vec<u8>),
    /// A directory, where links that begin with a slash start, too.
    Directory(PathBuf),
}

/// Whether the places that fragments name are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fragments {
    /// Fragments are searched for.
    #[default]
    Checked,
    /// Fragments are ignored: an existing file is enough.
    Ignored,
}

/// The result of checking a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The result from the file system.
    Reach(Reach),
    /// The link leads to this URI, which needs a probe as any other.
    Remote(Vec<u8>),
}

/// A document with links.
#[derive(Clone, Debug)]
pub struct Document {
    path: Vec<u8>,
    start: Start,
    /// The directory where links that begin with a slash start.
    root: Option<Start>,
    /// The base that the document declares.
    base: Option<Vec<u8>>,
}

/// Checks links to files, for any number of threads.
#[derive(Default)]
pub struct Local {
    options: Options,
    root: Option<Root>,
    files: Files,
    sites: Sites,
    walls: Walls,
}

/// The directory of [`Options::root_dir`].
struct Root {
    /// As it is given, so that reports do not depend on where the tree is.
    given: Vec<u8>,
    /// Without symbolic links, for comparisons.
    real: Vec<u8>,
}

impl Root {
    fn of(path: &Path, files: &Files) -> Self {
        let given = without_slash(path.as_os_str().as_bytes());
        // A missing root restricts links as if it existed.
        let real = files.real(&given).map_or_else(|| given.clone(), |real| real.to_vec());
        Self { given, real }
    }

    /// Returns the start of links of a document in `directory`; `None` outside of the root.
    fn start(&self, directory: &[u8], files: &Files) -> Option<Start> {
        let real = files.real(directory)?;
        let below = path::below(&real, &self.real)?;
        let mut start = self.top();
        if !below.is_empty() {
            path::push(&mut start.directory, below);
        }
        Some(start)
    }

    /// Returns the start of links that begin with a slash.
    fn top(&self) -> Start {
        Start { directory: self.given.clone(), floor: Some(self.given.len()) }
    }
}

impl std::fmt::Debug for Local {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Local").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Local {
    /// Creates a checker with `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let files = Files::default();
        let root = options.root_dir.as_deref().map(|root| Root::of(root, &files));
        Self { options, root, files, sites: Sites::default(), walls: Walls::default() }
    }

    /// Describes the document at `path`, which was found in `tree`, and declares the base `base`.
    ///
    /// Links that begin with a slash start at the tree. Links may lead out of it to existing files,
    /// as to the licence of a project from its manual, but not out of `root_dir`. A document that
    /// is no file, a member of an archive or standard input, has no path from which links could
    /// start, and must not be described.
    #[must_use]
    pub fn document(&self, path: &Path, tree: Option<&Path>, base: Option<&[u8]>) -> Document {
        let directory = path.parent().unwrap_or(Path::new(""));
        let base = base.map(<[u8]>::to_vec);
        let found = path.as_os_str().as_bytes().to_vec();
        let mut document = Document { path: found, start: Start::default(), root: None, base };
        let site = self.root.as_ref().map(Root::top);
        let in_site = self
            .root
            .as_ref()
            .and_then(|root| root.start(directory.as_os_str().as_bytes(), &self.files));
        let tree = tree.and_then(|tree| in_tree(directory, tree));
        let root = tree.as_ref().map(|start| Start {
            directory: start.directory.get(..start.floor.unwrap_or(0)).unwrap_or_default().to_vec(),
            floor: start.floor,
        });
        let base = match &self.options.base {
            Some(Base::Directory(base)) => Some(base.as_os_str().as_bytes().to_vec()),
            _ => None,
        };
        let base = base.map(|directory| Start { floor: Some(directory.len()), directory });
        document.root = site.or(base.clone()).or(root);
        let free = || Start { directory: directory.as_os_str().as_bytes().to_vec(), floor: None };
        document.start = base.or(in_site).or(tree).unwrap_or_else(free);
        document
    }

    /// Checks `reference`, a link in `document`.
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

    /// Returns the base URI of links of `document`, if one is known.
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

    /// Checks a link with a scheme: a file of the tree, or a URI for other probes.
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
        let Some((top, rest)) = platform::root_of_uri(path).filter(|_| is_here) else {
            return elsewhere();
        };
        let top = Start { floor: Some(top.len()), directory: top.into_owned() };
        let resolved = match path::follow(&top, rest) {
            Ok(resolved) => resolved,
            Err(refused) => return Answer::Reach(refusal(refused)),
        };
        let Some(root) = &document.root else { return elsewhere() };
        let real = self.files.real(&root.directory);
        let Some(below) = real.as_deref().and_then(|real| path::below(&resolved.path, real)) else {
            return elsewhere();
        };
        let mut path = root.directory.clone();
        path::push(&mut path, below);
        let resolved = ResolvedPath { path, ..resolved };
        let sight = self.sight(Some(root));
        Answer::Reach(self.answer(document, &sight, &resolved, link))
    }

    /// Checks a link to a place in `document` itself.
    fn own(&self, document: &Document, link: &Uri<'_>) -> Reach {
        let target = Target { path: document.path.clone(), kind: FileKind::File, is_page: false };
        let sight = self.sight(self.root.as_ref().map(|_| &document.start));
        self.at(document, &sight, &target, link)
    }

    /// Checks a link by a path.
    fn relative(&self, document: &Document, link: &Uri<'_>) -> Reach {
        let path = link.path.of(link.text);
        let (start, path) = match self.start(document, path) {
            Ok(start) => start,
            Err(reach) => return reach,
        };
        // In other documents, a forge shows pages of its own above the root.
        let is_html = Markup::by_name(&document.path) == Some(Markup::Html);
        let is_clamped = is_html && is_from_root(&path);
        let path = if is_clamped { Cow::Owned(path::within_root(&path)) } else { path };
        let reach = self.followed(document, &start, &path, link);
        let is_lost = matches!(reach.class, Class::Missing | Class::OutsideRoot);
        if is_lost && self.is_of_forge(&start, &path) {
            let message = "it leads to a page of the forge that shows the tree";
            return self::reach(Class::Unverifiable, message);
        }
        reach
    }

    /// Reports whether `path` leads from `start` to a page of a forge: counted from the checkout,
    /// or from the tree.
    fn is_of_forge(&self, start: &Start, path: &[u8]) -> bool {
        let by_tree = path::depth(start);
        let is_by_tree = by_tree.is_some_and(|depth| path::is_of_forge(depth, path));
        if is_by_tree || is_from_root(path) {
            return is_by_tree;
        }
        let sight = self.sight(self.root.as_ref().map(|_| start));
        match makers::checkout_depth(&start.directory, &sight).or(by_tree) {
            Some(depth) => path::is_of_forge(depth, path) || path::is_other_repository(depth, path),
            // Nothing says how far up the repository begins.
            None => path::may_be_of_forge(path),
        }
    }

    /// Checks a link by `path`, from `start`.
    fn followed(&self, document: &Document, start: &Start, path: &[u8], link: &Uri<'_>) -> Reach {
        let is_free = self.root.is_none() && !is_from_root(path);
        let sight = self.sight((!is_free).then_some(start));
        let refused = match path::follow(start, path) {
            Ok(resolved) => return self.answer(document, &sight, &resolved, link),
            Err(refused) => refused,
        };
        let outside = || self.outside(document, path, link);
        if let Some(reach) = (is_free && refused == Refused::Outside).then(outside).flatten() {
            return reach;
        }
        match refused {
            Refused::Outside if self.site_around(&sight, &document.start).is_some() => {
                out_of_site()
            }
            refused => refusal(refused),
        }
    }

    /// Returns the result for an existing file outside the named tree, if the link leads to one:
    /// the named tree may be a part of a larger one.
    fn outside(&self, document: &Document, path: &[u8], link: &Uri<'_>) -> Option<Reach> {
        let start = Start { floor: None, ..document.start.clone() };
        let resolved = path::follow(&start, path).ok()?;
        let reach = self.answer(document, &self.sight(None), &resolved, link);
        (!matches!(reach.class, Class::Missing | Class::WrongCase)).then_some(reach)
    }

    /// Returns the view of a link that must not leave the tree of `start`, if there is one.
    fn sight(&self, start: Option<&Start>) -> Sight<'_> {
        let tree = start.and_then(|start| start.directory.get(..start.floor?));
        Sight::new(&self.files, tree.map(|tree| self.walls.around(tree, &self.files)))
    }

    /// Returns the start of `path`, a link in `document`, and the path to follow from it, with the
    /// base that the document declares applied.
    fn start<'d>(
        &self,
        document: &'d Document,
        path: &'d [u8],
    ) -> Result<(Cow<'d, Start>, Cow<'d, [u8]>), Reach> {
        let path = match document.base.as_deref().map(split) {
            None => Cow::Borrowed(path),
            Some(base) if path.is_empty() => Cow::Owned(base.path.of(base.text).to_vec()),
            Some(_) if path.starts_with(b"/") => Cow::Borrowed(path),
            Some(base) => {
                let base = base.path.of(base.text);
                let end = memchr::memrchr(b'/', base).map_or(0, |slash| slash + 1);
                Cow::Owned([base.get(..end).unwrap_or_default(), path].concat())
            }
        };
        if !is_from_root(&path) {
            return Ok((Cow::Borrowed(&document.start), path));
        }
        let message = "it starts from the root of a site: name that with --root-dir";
        let root = document.root.as_ref().ok_or_else(|| reach(Class::Unverifiable, message))?;
        Ok((Cow::Borrowed(root), path))
    }
}

/// Reports whether a path starts from the root of a site.
fn is_from_root(path: &[u8]) -> bool {
    path.first().is_some_and(|first| matches!(first, b'/' | b'\\'))
}

/// Returns the start of links of a document in `directory`, which was found in `tree`.
fn in_tree(directory: &Path, tree: &Path) -> Option<Start> {
    let below = directory.strip_prefix(tree).ok()?;
    let mut path = without_slash(tree.as_os_str().as_bytes());
    let floor = Some(path.len());
    for name in below {
        path::push(&mut path, name.as_bytes());
    }
    Some(Start { directory: path, floor })
}

/// Returns `directory` without slashes at its end; `.` if it is empty.
fn without_slash(directory: &[u8]) -> Vec<u8> {
    let mut path = directory.to_vec();
    while path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    if path.is_empty() {
        path.push(b'.');
    }
    path
}

fn reach(class: Class, message: impl Into<String>) -> Reach {
    Reach::new(class, Reach::LOCAL, message)
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

/// Returns a path as messages show it.
fn shown(path: &[u8]) -> String {
    let path = path.strip_prefix(b"./").unwrap_or(path);
    // The query, which tells a gateway's URL from other paths, is no part of the path of a file.
    let text = [path, b"?"].concat();
    let shown = Redacted::new(&text).shown().into_owned();
    let mut text = String::from("`");
    for chunk in shown.strip_suffix(b"?").unwrap_or(&shown).utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text.push('`');
    text
}

// The errors are those of Unix.
#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::io;
    use std::path::Path;

    use super::files::{FileKind, Files, look};
    use super::{Answer, Class, Local, Options, Reach};

    /// Errors of `stat`, and whether they say that nothing exists there.
    const ERRORS: [(i32, bool); 14] = [
        (libc::ENOENT, true),
        (libc::ENOTDIR, true),
        (libc::EACCES, false),
        (libc::EPERM, false),
        (libc::EIO, false),
        (libc::ESTALE, false),
        (libc::ENOMEM, false),
        (libc::ELOOP, false),
        (libc::ENAMETOOLONG, false),
        (libc::EOVERFLOW, false),
        (libc::ETIMEDOUT, false),
        (libc::EINTR, false),
        (libc::ENXIO, false),
        (libc::ENOTCONN, false),
    ];

    /// Returns the kind of `path`; an error for files whose name begins with its number.
    fn look_or_fail(path: &Path) -> io::Result<FileKind> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number: String = name.chars().take_while(char::is_ascii_digit).collect();
        match number.parse() {
            Ok(code) => Err(io::Error::from_raw_os_error(code)),
            Err(_) => look(path),
        }
    }

    fn ask(local: &Local, home: &Path, link: &str) -> Reach {
        let document = local.document(&home.join("a.md"), Some(home), None);
        match local.ask(&document, link.as_bytes()) {
            Answer::Reach(reach) => reach,
            Answer::Remote(_) => panic!("{link} is not local"),
        }
    }

    #[test]
    fn only_what_does_not_exist_is_missing() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("sub")).unwrap();
        let options = Options { fallback_extensions: vec!["md".into()], ..Options::default() };
        let local = |options: &Options| Local {
            files: Files::by(look_or_fail),
            ..Local::new(options.clone())
        };
        for (code, is_missing) in ERRORS {
            let index =
                Options { index_files: Some(vec![code.to_string().into()]), ..Options::default() };
            let expected = if is_missing { Class::Missing } else { Class::Unverifiable };
            for (options, link) in [
                (&options, format!("{code}")),
                (&options, format!("sub/{code}.txt#place")),
                // The file with its own ending is missing, and another ending is tried.
                (&options, format!("{code}.html")),
                (&index, "sub".to_owned()),
            ] {
                let reach = ask(&local(options), home.path(), &link);
                assert_eq!(reach.class, expected, "{code} {link}: {}", reach.message);
                let why = reach.message.contains("the system does not let us look at `");
                assert_eq!(why, !is_missing, "{}", reach.message);
            }
        }
        let reach = ask(&local(&options), home.path(), &libc::EACCES.to_string());
        assert!(reach.message.ends_with(": Permission denied"), "{}", reach.message);
    }
}
