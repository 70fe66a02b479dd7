//! Collects the names of places in a document, and makes names of its headings.

use std::collections::{HashMap, HashSet};

use super::{Slugs, slug};

/// Longest heading, in bytes, that makes names. No title is longer, and the name of a heading that
/// was cut would be wrong.
const HEADING_LEN_MAX: usize = 64 * 1024;

/// Names, in order of occurrence.
#[derive(Default)]
pub(super) struct Outline {
    names: Vec<Vec<u8>>,
    /// Texts that lead to a place as well, but are no names to suggest.
    titles: Vec<Vec<u8>>,
    /// The text of the open heading, and how it is marked.
    heading: Option<(Vec<u8>, HeadingKind)>,
    /// The programs that make names of headings.
    slugs: Slugs,
    /// The names that it made.
    python: HashSet<String>,
    /// The names made by each program, which numbers them by itself.
    numbers: HashMap<Maker, Numbers>,
    /// Whether some names depend on text that is not in the document.
    pub(super) is_open: bool,
    /// Whether the document could not be read.
    pub(super) is_failed: bool,
}

/// The way in which a heading is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadingKind {
    /// Marks of a language, which trim its text and may give it a name.
    Marks,
    /// Tags, between which all white space counts.
    Tags,
}

/// Returns the name of a heading.
type Rule = fn(&str) -> String;

/// A program that makes names of headings.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Maker {
    /// GitHub, and programs that name headings as `github-slugger` does.
    GitHub,
    /// `mdBook`.
    Book,
    GitLab,
    VitePress,
    /// Docutils.
    Docutils,
    /// Asciidoctor, with one of the prefixes and separators that a document may be shown with.
    Asciidoctor(usize),
}

impl Maker {
    /// Returns the first number for a name that another heading has already.
    const fn first(self) -> usize {
        match self {
            Self::GitHub | Self::Book | Self::GitLab | Self::VitePress | Self::Docutils => 1,
            Self::Asciidoctor(_) => 2,
        }
    }
}

/// The names that a program made, each with the last number that was added to it.
///
/// A number is skipped if its name is another heading's: `setup`, `setup-1`, `setup-1-1`, `setup-2`
/// are the names of Setup, Setup, Setup 1, Setup. So do `github-slugger` (`slug`), Comrak
/// (`Anchorizer::anchorize`), goldmark (`ids.Generate`), Docutils (`document.set_id`) and
/// Asciidoctor (`Section.generate_id`). Programs that number without a look at other names, as old
/// versions of `mdBook` and of GitHub's filter do, make no name beyond these.
#[derive(Default)]
struct Numbers(HashMap<String, usize>);

impl Numbers {
    /// Returns `slug`, or the first name with a number added that no other heading has.
    ///
    /// Each name is tried once for all headings of one slug: the search continues where the last
    /// one ended.
    fn unique(&mut self, slug: String, maker: Maker, separator: char) -> String {
        let Some(last) = self.0.get(&slug).copied() else {
            self.0.insert(slug.clone(), 0);
            return slug;
        };
        let mut number = last.max(maker.first() - 1);
        let name = loop {
            number += 1;
            let name = format!("{slug}{separator}{number}");
            if !self.0.contains_key(&name) {
                break name;
            }
        };
        self.0.insert(slug, number);
        self.0.insert(name.clone(), 0);
        name
    }
}

impl Outline {
    /// Returns an empty outline, in which headings get the names that `slugs` make.
    pub(super) fn by(slugs: Slugs) -> Self {
        Self { slugs, ..Self::default() }
    }

    /// Adds a name as written.
    pub(super) fn add(&mut self, name: &[u8]) {
        if !name.is_empty() {
            self.names.push(name.to_vec());
        }
    }

    /// Adds a title by which some links name a place.
    pub(super) fn add_title(&mut self, title: &[u8]) {
        if !title.is_empty() {
            self.titles.push(title.to_vec());
        }
    }

    /// Adds the name that `maker` makes of `slug`, with a number if it is one of several.
    pub(super) fn add_numbered(&mut self, slug: String, maker: Maker, separator: char) {
        let name = self.numbers.entry(maker).or_default().unique(slug, maker, separator);
        self.add(name.as_bytes());
    }

    /// Adds a name as written, which `makers` then give to no heading.
    pub(super) fn add_taken(&mut self, name: &[u8], makers: &[Maker]) {
        if let Ok(name) = std::str::from_utf8(name) {
            for maker in makers {
                self.numbers.entry(*maker).or_default().0.entry(name.to_owned()).or_insert(0);
            }
        }
        self.add(name);
    }

    /// Begins a heading; an open one ends.
    pub(super) fn open(&mut self, kind: HeadingKind) {
        self.close();
        self.heading = Some((Vec::new(), kind));
    }

    /// Reports whether a heading is open.
    pub(super) fn is_heading(&self) -> bool {
        self.heading.is_some()
    }

    /// Adds text to the open heading, if any.
    pub(super) fn append(&mut self, text: &[u8]) {
        if let Some((heading, _)) = &mut self.heading {
            let left = (HEADING_LEN_MAX + 1).saturating_sub(heading.len());
            heading.extend_from_slice(text.get(..left).unwrap_or(text));
        }
    }

    /// Ends the open heading, and adds its names.
    pub(super) fn close(&mut self) {
        let Some((heading, kind)) = self.heading.take() else { return };
        if heading.len() > HEADING_LEN_MAX {
            return;
        }
        let heading = String::from_utf8_lossy(&heading);
        let mut texts = vec![&*heading, heading.trim()];
        if kind == HeadingKind::Marks && self.slugs == Slugs::MkDocs {
            self.python_heading(&heading);
        }
        if let (HeadingKind::Marks, Some((title, id))) = (kind, slug::attributes(&heading)) {
            if let Some(id) = id {
                self.add(id.as_bytes());
            }
            texts.insert(0, title);
        }
        let of_maker = match self.slugs {
            Slugs::GitLab => Some((Maker::GitLab, slug::gitlab as Rule)),
            Slugs::VitePress => Some((Maker::VitePress, slug::vitepress as Rule)),
            Slugs::Usual | Slugs::MkDocs => None,
        };
        if let Some((maker, slug)) = of_maker {
            self.heading(maker, texts.iter().map(|text| slug(text)).collect());
        }
        self.heading(Maker::GitHub, texts.iter().map(|text| slug::github(text)).collect());
        self.heading(Maker::Book, texts.iter().map(|text| slug::book(text)).collect());
    }

    /// Adds the name that Python-Markdown makes of a heading, or gives to it as its attributes say.
    fn python_heading(&mut self, heading: &str) {
        let (title, id) = slug::attributes(heading).unwrap_or((heading, None));
        let name = match id {
            Some(id) => id.to_owned(),
            None => self.python_unique(slug::python(title)),
        };
        self.add(name.as_bytes());
        self.python.insert(name);
    }

    /// Returns `slug`, or the next one with a number that no other heading has (Python-Markdown,
    /// `toc.unique`): a number at its end is counted on, and an empty name becomes `_1`.
    fn python_unique(&self, slug: String) -> String {
        let is_free = |name: &String| !name.is_empty() && !self.python.contains(name);
        if is_free(&slug) {
            return slug;
        }
        let number = |digits: &str| {
            if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                digits.parse::<usize>().ok()
            } else {
                None
            }
        };
        let counted = slug.rsplit_once('_').and_then(|(stem, last)| Some((stem, number(last)?)));
        let (stem, last) = counted.unwrap_or((&*slug, 0));
        // As many names as headings are taken, so that one of the next is free.
        let numbers = (1..=self.python.len() + 1).map(|more| last.saturating_add(more));
        let mut names = numbers.map(|number| format!("{stem}_{number}"));
        names.find(is_free).unwrap_or_default()
    }

    /// Adds the names of one heading, for which `maker` may use any of `slugs`.
    fn heading(&mut self, maker: Maker, slugs: Vec<String>) {
        let mut passed: Vec<String> = Vec::with_capacity(slugs.len());
        for slug in slugs {
            if !passed.contains(&slug) {
                self.add_numbered(slug.clone(), maker, '-');
                passed.push(slug);
            }
        }
    }

    /// Returns the names and the titles collected.
    pub(super) fn into_names(mut self) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        self.close();
        (self.names, self.titles)
    }
}

#[cfg(test)]
mod tests {
    use super::{HeadingKind, Maker, Numbers, Outline, Slugs};

    #[test]
    fn python_markdown_counts_on_from_a_number() {
        let mut outline = Outline::by(Slugs::MkDocs);
        for title in ["a", "a", "a_1", "中", "文", "a {#a_9}", "a_9", "a_"] {
            outline.open(HeadingKind::Marks);
            outline.append(title.as_bytes());
            outline.close();
        }
        let mut names: Vec<_> = outline.python.iter().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["_1", "_2", "a", "a_", "a_1", "a_10", "a_2", "a_9"]);
        let (all, _) = outline.into_names();
        assert!(["_2", "a_10"].iter().all(|name| all.iter().any(|it| it == name.as_bytes())));
    }

    #[test]
    fn headings_of_punctuation_are_sections_to_mdbook() {
        let mut outline = Outline::default();
        for title in ["::", "a", "?"] {
            outline.open(HeadingKind::Marks);
            outline.append(title.as_bytes());
            outline.close();
        }
        let (names, _) = outline.into_names();
        assert_eq!(names.join(&b' '), b"section a a -1 section-1");
    }

    #[track_caller]
    fn case(maker: Maker, separator: char, slugs: &str, expected: &str) {
        let mut numbers = Numbers::default();
        let slugs = slugs.split(' ').map(str::to_owned);
        let names: Vec<_> = slugs.map(|slug| numbers.unique(slug, maker, separator)).collect();
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn a_number_is_skipped_whose_name_another_heading_has() {
        let github = |slugs, expected| case(Maker::GitHub, '-', slugs, expected);
        github("a a a-1 a", "a a-1 a-1-1 a-2");
        github("a-1 a a a", "a-1 a a-2 a-3");
        github("a a a a-1 a-1 a-2", "a a-1 a-2 a-1-1 a-1-2 a-2-1");
        github("a-2 a a a", "a-2 a a-1 a-3");
        let asciidoctor = |slugs, expected| case(Maker::Asciidoctor(0), '_', slugs, expected);
        asciidoctor("_a _a _a_2 _a", "_a _a_2 _a_2_2 _a_3");
        asciidoctor("_a_2 _a _a", "_a_2 _a _a_3");
    }
}
