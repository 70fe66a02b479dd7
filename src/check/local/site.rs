//! Knows trees that a program turns into pages: their links name the pages that will be generated,
//! and not the sources.
//!
//! `mdBook`: a directory with a `SUMMARY.md` is the source of a book; each chapter that the
//! summary names becomes a page of the same name with `.html`, and `README.md` becomes
//! `index.html` (mdBook's guide, "SUMMARY.md", "General metadata", "`[output.html.redirect]`").
//! Sphinx: a directory with a `conf.py` beside its first document; each document becomes a page
//! (Sphinx manual, "Configuration", "`sphinx-build`").
//! Jupyter Book, which is built on it: a directory with a `_toc.yml` or `myst.yml`.
//!
//! Programs whose links name the sources are in `makers.rs`.

use std::collections::HashSet;
use std::sync::Arc;

use super::files::{self, FileKind, Files};
use super::memory::Memory;
use super::path::{self, Start, inside};
use super::sight::Sight;
use crate::source::markup::Markup;

/// The file that makes a directory the source of a book.
const SUMMARY: &[u8] = b"SUMMARY.md";
/// The settings of a book, beside its source.
const SETTINGS: &[u8] = b"book.toml";
/// Pages of a book that are generated from no chapter; the first chapter is its `index.html`, too.
const MADE: [&[u8]; 4] = [b"index.html", b"print.html", b"404.html", b"toc.html"];
/// The directory of a book's source, where its settings name none.
const SOURCE: &[u8] = b"src";
/// The header, in a book's settings, of the section of redirects.
const REDIRECTS: &[u8] = b"[output.html.redirect]";

/// The file that makes a directory the source of Sphinx, when a first document is beside it.
pub(super) const CONFIGURATION: &str = "conf.py";
/// First documents of Sphinx, in the formats of its parsers.
pub(super) const FIRST: [&str; 5] =
    ["index.rst", "contents.rst", "index.md", "index.txt", "index.ipynb"];
/// Endings of documents' names, by Sphinx's `source_suffix` and those of its parsers.
pub(super) const ENDINGS: [&str; 4] = ["rst", "md", "txt", "ipynb"];
/// The files that make a directory the source of a Jupyter Book.
pub(super) const CONTENTS: [&str; 2] = ["_toc.yml", "myst.yml"];
/// The setting of Sphinx with pages that it makes of templates.
const TEMPLATES: &[u8] = b"html_additional_pages";
/// Pages that Sphinx generates from no document.
const INDICES: [&[u8]; 3] = [b"genindex.html", b"search.html", b"py-modindex.html"];
/// The directory of files that the settings name, themes bring and extensions add.
const STATIC: &[u8] = b"_static/";
/// Directories that Sphinx fills with files that it finds or generates.
const FILLED: [&[u8]; 5] = [b"_images", b"_static", b"_downloads", b"_sources", b"_modules"];

/// Maximum number of directories in one setting: a missing file is looked up in each of them.
const DIRECTORIES_MAX: usize = 32;
/// Directories above a document that are searched for the site around it.
const SITE_DEPTH_MAX: usize = 32;

/// Sites, by the directories of their sources.
#[derive(Default)]
pub(super) struct Sites(Memory<Option<Arc<Site>>>);

impl Sites {
    /// Returns the site whose source `directory` is, where a link with this `sight` may know of
    /// it.
    pub(super) fn of(&self, directory: &[u8], sight: &Sight<'_>) -> Option<Arc<Site>> {
        let reaches = |name: &[u8]| sight.reaches(&inside(directory, name));
        let is_seen = sight.reaches(directory)
            && reaches(SUMMARY)
            && reaches(CONFIGURATION.as_bytes())
            && CONTENTS.iter().all(|name| reaches(name.as_bytes()));
        let weight = |site: &Option<Arc<Site>>| site.as_ref().map_or(0, |it| it.weight());
        let read = || Site::read(directory, sight.files).map(Arc::new);
        is_seen.then(|| self.0.of(directory, weight, read)).flatten()
    }
}

/// A tree of sources for pages, as far as its links need it.
#[derive(Debug)]
pub(super) struct Site {
    /// The directory of its source.
    pub(super) root: Vec<u8>,
    maker: Maker,
}

/// The program that generates the pages.
#[derive(Debug)]
enum Maker {
    Book {
        /// Its chapters, as paths below the root.
        chapters: HashSet<Vec<u8>>,
        /// Its pages that redirect to others, as paths below the root.
        redirects: HashSet<Vec<u8>>,
    },
    Sphinx(Sphinx),
}

/// The settings of Sphinx.
#[derive(Debug, Default)]
struct Sphinx {
    /// Names that they have for pages made of templates.
    templates: HashSet<Vec<u8>>,
    /// The directories whose files it copies to `_static`; `None` if they are not known.
    statics: Option<Vec<Vec<u8>>>,
    /// The directories whose files it copies to the root of the pages, and such files.
    extras: Vec<Vec<u8>>,
}

/// The source of a page in a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The page is generated from the document at this path.
    Of(Vec<u8>),
    /// The page is generated without a document.
    Made,
    /// The page would be generated from the file at this path, if the summary named it.
    Unlisted(Vec<u8>),
    /// The page depends on files that are not looked at here.
    Unknown,
}

impl Site {
    /// Reads the site with its source in `directory`, if that is one.
    fn read(directory: &[u8], files: &Files) -> Option<Self> {
        let has = |name: &[u8]| files.kind(&inside(directory, name)) == FileKind::File;
        let has_one = |names: &[&str]| names.iter().any(|name| has(name.as_bytes()));
        let maker = if has(SUMMARY) {
            book(directory)?
        } else if has_one(&[CONFIGURATION]) && has_one(&FIRST) || has_one(&CONTENTS) {
            let settings = files::read(&inside(directory, CONFIGURATION.as_bytes())).ok().flatten();
            Maker::Sphinx(settings.as_deref().map(Sphinx::read).unwrap_or_default())
        } else {
            return None;
        };
        Some(Self { root: directory.to_vec(), maker })
    }

    /// Returns the number of bytes that this takes, about.
    fn weight(&self) -> usize {
        match &self.maker {
            Maker::Book { chapters, redirects } => {
                let all = chapters.iter().chain(redirects);
                all.map(|path| path.len() + size_of::<Vec<u8>>()).sum()
            }
            Maker::Sphinx(Sphinx { templates, statics, extras }) => {
                let all = templates.iter().chain(statics.iter().flatten()).chain(extras);
                all.map(|name| name.len() + size_of::<Vec<u8>>()).sum()
            }
        }
    }

    /// Returns how the page at `path` is generated, if it is.
    pub(super) fn page(&self, path: &[u8], files: &Sight<'_>) -> Option<Page> {
        let page = path::below(path, &self.root)?;
        match &self.maker {
            Maker::Book { chapters, redirects } => {
                // Settings that a link must not reach make no page for it.
                let has_settings = || files.reaches(&inside(path::parent(&self.root), SETTINGS));
                let leads_on = redirects.contains(page) && has_settings();
                let is_made = MADE.contains(&page) || leads_on;
                match self.chapter(page, chapters, files) {
                    Some(Page::Unlisted(_)) | None if is_made => Some(Page::Made),
                    page => page,
                }
            }
            Maker::Sphinx(settings) => self.document(page, settings, files),
        }
    }

    /// Returns the path of a file in `_static` that `path`, a link from the root, names: Sphinx
    /// starts at the source (Sphinx manual, "reStructuredText Primer", "Images").
    pub(super) fn of_static(&self, path: &[u8]) -> Option<Vec<u8>> {
        let is_its = matches!(self.maker, Maker::Sphinx(_));
        let start = Start { directory: self.root.clone(), floor: Some(self.root.len()) };
        let path = path::follow(&start, path).ok().filter(|_| is_its)?.path;
        let page = path::below(&path, &self.root)?;
        page.starts_with(STATIC).then_some(path)
    }

    /// Returns the chapter from which `page` of a book is generated.
    fn chapter(&self, page: &[u8], chapters: &HashSet<Vec<u8>>, files: &Sight<'_>) -> Option<Page> {
        let stem = page.strip_suffix(b".html")?;
        let is_index = path::name(stem) == b"index";
        let readme = is_index.then(|| inside(path::parent(stem), b"README.md"));
        let mut unlisted = None;
        for chapter in [Some([stem, b".md"].concat()), readme].into_iter().flatten() {
            let file = inside(&self.root, &chapter);
            if files.kind(&file) == FileKind::File {
                if chapters.contains(&chapter) {
                    return Some(Page::Of(file));
                }
                unlisted.get_or_insert(Page::Unlisted(file));
            }
        }
        unlisted
    }

    /// Returns the document from which Sphinx generates `page`.
    fn document(&self, page: &[u8], settings: &Sphinx, files: &Sight<'_>) -> Option<Page> {
        let copied = |directories: &[Vec<u8>], name: &[u8]| {
            let mut paths = directories.iter().filter_map(|it| self.copied(it, name));
            paths.find(|path| files.kind(path) == FileKind::File).map(Page::Of)
        };
        if let Some(found) = copied(&settings.extras, page) {
            return Some(found);
        }
        if let (Some(name), Some(statics)) = (page.strip_prefix(STATIC), &settings.statics) {
            let found = copied(statics, name);
            if found.is_some() || is_own_picture(name) {
                return found;
            }
        }
        if page.split(|byte| *byte == b'/').any(|name| FILLED.contains(&name)) {
            return Some(Page::Unknown);
        }
        if INDICES.contains(&page) {
            return Some(Page::Made);
        }
        let stem = page.strip_suffix(b".html")?;
        if settings.templates.contains(stem) {
            return Some(Page::Unknown);
        }
        let named = |ending: &&str| [stem, b".", ending.as_bytes()].concat();
        let sources = ENDINGS.iter().map(|ending| inside(&self.root, &named(ending)));
        let mut sources = sources.filter(|source| files.kind(source) == FileKind::File);
        sources.next().map(Page::Of)
    }
}

impl Site {
    /// Returns the path of `name` in `entry`, a directory that settings name, or of `entry` itself
    /// if it is the file of that name.
    fn copied(&self, entry: &[u8], name: &[u8]) -> Option<Vec<u8>> {
        let start = Start { directory: self.root.clone(), floor: None };
        let entry = path::follow(&start, entry).ok()?.path;
        Some(if path::name(&entry) == name { entry } else { inside(&entry, name) })
    }
}

/// Reports whether `name`, below `_static`, is a picture that a theme does not bring.
fn is_own_picture(name: &[u8]) -> bool {
    const ENDINGS: [&[u8]; 7] = [b"png", b"jpg", b"jpeg", b"gif", b"svg", b"webp", b"bmp"];
    // The theme `basic`, on which others are built, and older ones of Sphinx.
    const OF_THEMES: [&[u8]; 12] = [
        b"file.png",
        b"minus.png",
        b"plus.png",
        b"up.png",
        b"up-pressed.png",
        b"down.png",
        b"down-pressed.png",
        b"comment.png",
        b"ajax-loader.gif",
        b"contents.png",
        b"navigation.png",
        b"transparent.gif",
    ];
    let ending = memchr::memrchr(b'.', name).and_then(|dot| name.get(dot + 1..));
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)))
        && !OF_THEMES.contains(&name)
}

impl Sphinx {
    /// Reads `settings`, in Python.
    fn read(settings: &[u8]) -> Self {
        Self {
            templates: templates(settings),
            statics: Self::statics(settings),
            extras: list(settings, b"html_extra_path", &[]).unwrap_or_default(),
        }
    }
}

impl Sphinx {
    /// Returns the directories and files that are copied to `_static`: those of a list, the logo
    /// and the icon. `None` if a program computes them.
    fn statics(settings: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut statics = list(settings, b"html_static_path", &[b"_static"])?;
        for name in [&b"html_logo"[..], b"html_favicon"] {
            statics.extend(string(settings, name)?);
        }
        Some(statics)
    }
}

/// Returns the texts after the equals signs by which `settings`, in Python, set `name`; `None` if a
/// program sets or changes it otherwise.
fn values<'s>(settings: &'s [u8], name: &[u8]) -> Option<Vec<&'s [u8]>> {
    let mut found = Vec::new();
    let mut end = 0;
    for line in settings.split_inclusive(|byte| *byte == b'\n') {
        let start = end;
        end += line.len();
        let code = line.split(|byte| *byte == b'#').next().unwrap_or_default();
        let Some(at) = memchr::memmem::find(code, name) else { continue };
        let after = settings.get(start + name.len()..).filter(|_| at == 0)?;
        found.push(after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start());
    }
    Some(found)
}

/// Returns the string `name` in `settings`, in Python, if it is set; `None` if a program computes
/// it.
fn string(settings: &[u8], name: &[u8]) -> Option<Option<Vec<u8>>> {
    let Some(value) = values(settings, name)?.pop() else { return Some(None) };
    if value.starts_with(b"None") {
        return Some(None);
    }
    let (quote, inside) = value.split_first().filter(|(first, _)| matches!(first, b'\'' | b'"'))?;
    let line = inside.split(|byte| *byte == b'\n').next()?;
    let (string, rest) = line.split_at_checked(memchr::memchr(*quote, line)?)?;
    // More than a comment after it makes another string of it.
    let is_whole = matches!(rest.get(1..)?.trim_ascii(), [] | [b'#', ..]);
    is_whole.then(|| Some(string.to_vec()))
}

/// Returns the strings of the list `name` in `settings`, in Python, or the `usual` ones if it is
/// not set; `None` if a program computes it.
fn list(settings: &[u8], name: &[u8], usual: &[&[u8]]) -> Option<Vec<Vec<u8>>> {
    let Some(value) = values(settings, name)?.pop() else {
        return Some(usual.iter().map(|name| name.to_vec()).collect());
    };
    let inside = value.strip_prefix(b"[")?;
    let inside = inside.get(..memchr::memchr(b']', inside)?)?;
    let mut parts = inside.split(|byte| matches!(byte, b'\'' | b'"'));
    let is_between = |part: &[u8]| part.iter().all(|it| it.is_ascii_whitespace() || *it == b',');
    if !is_between(parts.next().unwrap_or_default()) {
        return None;
    }
    let mut strings = Vec::new();
    while let Some(string) = parts.next() {
        strings.push(string.to_vec());
        if !parts.next().is_some_and(is_between) || strings.len() > DIRECTORIES_MAX {
            return None;
        }
    }
    Some(strings)
}

/// Returns the directory of `start` and those above it, up to the root of the tree.
pub(super) fn above(start: &Start) -> impl Iterator<Item = &[u8]> {
    let floor = start.floor.unwrap_or(0);
    let mut next = Some(start.directory.as_slice());
    let directories = std::iter::from_fn(move || {
        let directory = next?;
        let parent = path::parent(directory);
        let is_last = parent.len() < floor || parent.len() == directory.len();
        next = (!is_last).then_some(parent);
        Some(directory)
    });
    directories.take(SITE_DEPTH_MAX)
}

/// Reads the chapters and redirects of the book with its source in `directory`.
fn book(directory: &[u8]) -> Option<Maker> {
    let summary = files::read(&inside(directory, SUMMARY)).ok()??;
    let chapters = chapters(&summary)?;
    let start = Start { directory: Vec::new(), floor: Some(0) };
    let settings = files::read(&inside(path::parent(directory), SETTINGS));
    let settings = settings.ok().flatten().unwrap_or_default();
    let is_its = path::follow(&start, source(&settings))
        .is_ok_and(|source| source.path == path::name(directory));
    let redirects = if is_its { redirects(&settings) } else { HashSet::new() };
    Some(Maker::Book { chapters, redirects })
}

/// Returns the chapters that `summary`, of a book, names, as paths below its source; `None` if it
/// is too long.
pub fn chapters(summary: &[u8]) -> Option<HashSet<Vec<u8>>> {
    if summary.len() > Markup::Markdown.len_max() {
        return None;
    }
    let start = Start { directory: Vec::new(), floor: Some(0) };
    let chapter = |target: &[u8]| path::follow(&start, target).ok().map(|resolved| resolved.path);
    let links = Markup::Markdown.page(summary).links;
    Some(links.iter().filter_map(|link| chapter(&link.target)).collect())
}

/// Returns the names and paths that `settings`, of any of the programs, declare, or the usual ones
/// in their place.
#[must_use]
pub fn declared(settings: &[u8]) -> Vec<Vec<u8>> {
    let Sphinx { templates, statics, extras } = Sphinx::read(settings);
    let sphinx = templates.into_iter().chain(statics.into_iter().flatten()).chain(extras);
    sphinx.chain(redirects(settings)).chain([source(settings).to_vec()]).collect()
}

/// Returns the source directory, beside `settings`, that they declare: `src = "text"` of `[book]`.
fn source(settings: &[u8]) -> &[u8] {
    let lines = settings.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let section = lines.skip_while(|line| *line != b"[book]").skip(1);
    section.take_while(|line| !line.starts_with(b"[")).find_map(source_of).unwrap_or(SOURCE)
}

/// Returns the value of `src = "text"`.
fn source_of(line: &[u8]) -> Option<&[u8]> {
    let value = line.strip_prefix(b"src")?.trim_ascii_start().strip_prefix(b"=")?;
    let quoted = value.trim_ascii_start().strip_prefix(b"\"")?;
    quoted.get(..memchr::memchr(b'"', quoted)?)
}

/// Returns the pages that redirect to others, by the lines of `settings`: `"from.html" =
/// "to.html"`.
fn redirects(settings: &[u8]) -> HashSet<Vec<u8>> {
    let lines = settings.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let section = lines.skip_while(|line| *line != REDIRECTS).skip(1);
    let key = |line: &[u8]| {
        let quoted = line.strip_prefix(b"\"")?;
        let key = quoted.get(..memchr::memchr(b'"', quoted)?)?;
        Some(key.strip_prefix(b"/").unwrap_or(key).to_vec())
    };
    section.take_while(|line| !line.starts_with(b"[")).filter_map(key).collect()
}

/// Returns the strings in the dictionary `html_additional_pages` of `settings`, in Python: its keys
/// are the names of pages.
fn templates(settings: &[u8]) -> HashSet<Vec<u8>> {
    // A template of the settings has an empty one in a comment before.
    let at = memchr::memmem::rfind(settings, TEMPLATES).unwrap_or(settings.len());
    let after = settings.get(at + TEMPLATES.len()..).unwrap_or_default().trim_ascii_start();
    let value = after.strip_prefix(b"=").unwrap_or_default().trim_ascii_start();
    let inside = value.strip_prefix(b"{").unwrap_or_default();
    let inside = inside.get(..memchr::memchr(b'}', inside).unwrap_or(0)).unwrap_or_default();
    let strings = inside.split(|byte| matches!(byte, b'\'' | b'"')).skip(1).step_by(2);
    strings.map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::{Sphinx, list, redirects, source, templates};

    #[test]
    fn logos_and_icons_are_copied_to_the_files_of_a_theme() {
        for (settings, expected) in [
            ("", Some("_static")),
            ("html_logo = 'a/l.png'\nhtml_favicon=\"i.ico\"\n", Some("_static a/l.png i.ico")),
            ("html_logo = None\n", Some("_static")),
            ("html_logo = path\n", None),
            ("html_logo = path('l.png')\n", None),
            ("html_logo = 'a/' + name\n", None),
            ("if a:\n    html_logo = 'l.png'\n", None),
            ("# html_logo = 'l.png'\n", Some("_static")),
            ("html_logo = 'l.png\n'\n", None),
            ("html_static_path = []\nhtml_logo = 'l.png'  # ours\n", Some("l.png")),
        ] {
            let found = Sphinx::statics(settings.as_bytes());
            let found = found.map(|it| String::from_utf8_lossy(&it.join(&b' ')).into_owned());
            assert_eq!(found.as_deref(), expected, "{settings}");
        }
    }

    #[test]
    fn settings_of_sphinx_name_directories_of_files() {
        for (settings, expected) in [
            ("", Some("usual")),
            ("# html_static_path = ['a']\n", Some("usual")),
            ("html_static_path = ['a']\n", Some("a")),
            ("html_static_path=[\n  \"a\",\n  'b/c',\n]\n", Some("a b/c")),
            ("html_static_path = []\n", Some("")),
            ("html_static_path = ['a']\nhtml_static_path += ['b']\n", None),
            ("html_static_path = [path('a')]\n", None),
            ("html_static_path = ['a' + b]\n", None),
            ("html_static_path = paths\n", None),
            ("if a:\n    html_static_path = ['a']\n", None),
        ] {
            let found = list(settings.as_bytes(), b"html_static_path", &[b"usual"]);
            let found = found.map(|it| String::from_utf8_lossy(&it.join(&b' ')).into_owned());
            assert_eq!(found.as_deref(), expected, "{settings}");
        }
    }

    #[test]
    fn settings_of_sphinx_name_pages_made_of_templates() {
        for (settings, expected) in [
            ("", ""),
            ("# html_additional_pages = {}\n", ""),
            (
                "# html_additional_pages = {}\nhtml_additional_pages = {'a': \"b.html\"}\n",
                "a b.html",
            ),
            ("html_additional_pages = pages\n", ""),
            ("html_additional_pages={\n 'a' : 'b',\n 'c':'d' }", "a b c d"),
        ] {
            let found = templates(settings.as_bytes());
            let mut found: Vec<_> = found.iter().map(|it| String::from_utf8_lossy(it)).collect();
            found.sort_unstable();
            assert_eq!(found.join(" "), expected, "{settings}");
        }
    }

    #[test]
    fn settings_name_the_source_they_are_for() {
        for (settings, expected) in [
            ("", "src"),
            ("[book]\ntitle = \"A\"\n", "src"),
            ("[book]\nsrc = \"text\" # here\n", "text"),
            ("[book]\n  src=\"./text/\"\n", "./text/"),
            ("[book]\nsource = \"a\"\n[other]\nsrc = \"b\"\n", "src"),
            ("[other]\nsrc = \"b\"\n[book]\nsrc = \"c\"\n", "c"),
        ] {
            assert_eq!(source(settings.as_bytes()), expected.as_bytes(), "{settings}");
        }
    }

    #[test]
    fn redirects_are_read_from_their_section() {
        let settings = "[book]\n\"a.html\" = \"b\"\n[output.html.redirect]\n\"/c.html\" = \"d\"\n\
                        # no\n\"e/f.html\" = \"g\"\n\n[rust]\n\"h.html\" = \"i\"\n";
        let found = redirects(settings.as_bytes());
        let mut found: Vec<&[u8]> = found.iter().map(Vec::as_slice).collect();
        found.sort_unstable();
        assert_eq!(found, [&b"c.html"[..], b"e/f.html"]);
    }
}
