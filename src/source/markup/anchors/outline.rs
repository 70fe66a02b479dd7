//! What a reader of a language collects: names of places, and the headings that make some.

use std::collections::HashMap;

use super::slug;

/// Bytes of a heading that are read. No title is so long, and a name that is cut would be wrong:
/// a longer one makes none.
const HEADING_LEN_MAX: usize = 64 * 1024;

/// Names, in the order they are met.
#[derive(Default)]
pub(super) struct Outline {
    names: Vec<Vec<u8>>,
    /// What leads to a place as well, but is no name for anybody to choose.
    titles: Vec<Vec<u8>>,
    /// The text of the heading that is read, and whether it stands between tags.
    heading: Option<(Vec<u8>, Kind)>,
    /// How often headings made a name.
    counts: HashMap<String, usize>,
    /// True when some names depend on what is not in the document.
    pub(super) is_open: bool,
    /// True when the document could not be read.
    pub(super) is_failed: bool,
}

/// How a heading is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// By the marks of a language, which trim its text and may give it a name.
    Marks,
    /// By tags, between which all white space counts.
    Tags,
}

impl Outline {
    /// Adds a name as it stands.
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

    /// Adds the name that `slug` is, with its number when it is one of several.
    pub(super) fn add_counted(&mut self, slug: String, first: usize, separator: char) {
        let count = self.counts.entry(slug.clone()).or_insert(0);
        *count += 1;
        let name = match *count {
            1 => slug,
            count => format!("{slug}{separator}{}", count + first - 2),
        };
        self.add(name.as_bytes());
    }

    /// Begins a heading; one that is open ends.
    pub(super) fn open(&mut self, kind: Kind) {
        self.close();
        self.heading = Some((Vec::new(), kind));
    }

    /// True while the text of a heading is asked for.
    pub(super) fn is_heading(&self) -> bool {
        self.heading.is_some()
    }

    /// Adds text to the heading that is open.
    pub(super) fn append(&mut self, text: &[u8]) {
        if let Some((heading, _)) = &mut self.heading {
            let left = (HEADING_LEN_MAX + 1).saturating_sub(heading.len());
            heading.extend_from_slice(text.get(..left).unwrap_or(text));
        }
    }

    /// Ends the heading that is open, which makes names.
    pub(super) fn close(&mut self) {
        let Some((heading, kind)) = self.heading.take() else { return };
        if heading.len() > HEADING_LEN_MAX {
            return;
        }
        let heading = String::from_utf8_lossy(&heading);
        if let (Kind::Marks, Some((title, id))) = (kind, slug::attributes(&heading)) {
            if let Some(id) = id {
                self.add(id.as_bytes());
            }
            self.heading(title);
        }
        self.heading(&heading);
        if heading.trim() != heading {
            self.heading(heading.trim());
        }
    }

    /// The names of a heading: what GitHub makes of it, and where that differs, `mdBook`.
    fn heading(&mut self, text: &str) {
        let github = slug::github(text);
        let book = slug::book(text);
        if book != github {
            self.add_counted(book, 1, '-');
        }
        self.add_counted(github, 1, '-');
    }

    /// What was collected: names, and titles.
    pub(super) fn into_names(mut self) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        self.close();
        (self.names, self.titles)
    }
}
