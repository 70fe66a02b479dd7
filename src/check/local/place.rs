//! Checks the place in a file that a fragment names.

use super::files::{FileKind, Places};
use super::path;
use super::sight::Sight;
use super::target::Target;
use super::{Document, Fragments, Local, makers, nearest, reach, shown};
use crate::finding::{Class, Reach};
use crate::source::markup::Markup;
use crate::source::markup::anchors::{Anchors, Place, Slugs, decoded, undirected};
use crate::uri::Uri;

impl Local {
    /// Checks the place in `target` that `link` names.
    pub(super) fn at(
        &self,
        document: &Document,
        sight: &Sight<'_>,
        target: &Target,
        link: &Uri<'_>,
    ) -> Reach {
        let fragment = fragment_of(link);
        let is_ignored = self.options.fragments == Fragments::Ignored;
        if fragment.is_empty() || is_ignored {
            return match target.kind {
                _ if target.is_page => there("a page is built from it"),
                FileKind::Directory => there("the directory is there"),
                _ => there("the file is there"),
            };
        }
        match target.kind {
            FileKind::File => self.inside(document, sight, target, link),
            FileKind::Directory => {
                let found = shown(&target.path);
                let message = format!("expected a document with places, found directory {found}");
                reach(Class::FragmentMissing, message)
            }
            _ => there("the file exists; its fragment was not verified"),
        }
    }

    /// Checks the place in the document `target` that the fragment of `link` names.
    fn inside(
        &self,
        document: &Document,
        sight: &Sight<'_>,
        target: &Target,
        link: &Uri<'_>,
    ) -> Reach {
        let fragment = fragment_of(link);
        let unknown = |why: &str| {
            let message = format!("{} is there, and {why}", shown(&target.path));
            reach(Class::Unverifiable, message)
        };
        let places = self.files.places(&target.path, Slugs::Usual);
        let (anchors, markup) = match places.get() {
            Some(Places::Known(anchors, markup)) => (anchors, *markup),
            Some(Places::TooLong) => return unknown("is too long to look for places in it"),
            Some(Places::Unread) | None => return unknown("could not be read"),
        };
        let is_markdown = markup == Some(Markup::Markdown);
        let place = match anchors.find(fragment) {
            Place::Missing | Place::OtherCase if names_readme(target, fragment) => Place::There,
            Place::Missing | Place::OtherCase
                if is_markdown && self.maker_names(sight, target, fragment) =>
            {
                Place::There
            }
            place => place,
        };
        // GitHub's pages find a heading in any case, others do not.
        let is_lenient = matches!(markup, Some(Markup::Markdown | Markup::Mdx)) && !target.is_page;
        match place {
            Place::There => found(fragment),
            Place::OtherCase if is_lenient => found(fragment),
            Place::Unknown => there("the file is there, and programs read the fragment"),
            Place::OtherCase | Place::Missing => {
                let found = if place == Place::Missing { "none" } else { "one in another case" };
                let file = shown(&target.path);
                let message = format!("expected a place of this name in {file}, found {found}");
                let is_own = target.path == document.path;
                let start = if is_own { link.path.end } else { link.path.start };
                let end = link.query.unwrap_or(link.path).end;
                let before = link.text.get(start..end).unwrap_or_default();
                let hint = near(fragment, anchors, before);
                Reach { hint, ..reach(Class::FragmentMissing, message) }
            }
        }
    }

    /// Reports whether a program that makes a page of `target`, or shows it, gives the name
    /// `fragment` to one of its headings.
    fn maker_names(&self, sight: &Sight<'_>, target: &Target, fragment: &[u8]) -> bool {
        let trees = makers::around(path::parent(&target.path), sight);
        let mut own =
            trees.iter().map(|tree| tree.maker.slugs).filter(|slugs| *slugs != Slugs::Usual);
        own.any(|slugs| match self.files.places(&target.path, slugs).get() {
            Some(Places::Known(anchors, _)) => anchors.find(fragment) == Place::There,
            _ => false,
        })
    }
}

/// Reports whether `fragment` names the place that GitHub's pages have around a file called README.
fn names_readme(target: &Target, fragment: &[u8]) -> bool {
    let name = path::name(&target.path).to_ascii_lowercase();
    fragment == b"readme" && !target.is_page && (name == b"readme" || name.starts_with(b"readme."))
}

fn fragment_of<'l>(link: &Uri<'l>) -> &'l [u8] {
    link.fragment.map_or(&b""[..], |span| span.of(link.text))
}

/// Returns the result for an existing place that `fragment` names. A text directive (Text
/// Fragments, "The fragment directive") is not searched for.
fn found(fragment: &[u8]) -> Reach {
    there(match undirected(fragment) {
        (_, []) => "the file and the place in it are there",
        ([], _) => "the file is there, and the text in it was not looked for",
        _ => "the file and the place in it are there, and the text was not looked for",
    })
}

fn there(what: &str) -> Reach {
    reach(Class::Alive, what)
}

/// Returns `before`, a path and a query, with the name of the place nearest to `fragment`.
fn near(fragment: &[u8], anchors: &Anchors, before: &[u8]) -> Option<String> {
    let near = nearest::nearest(&decoded(fragment), anchors.names())?;
    Some(String::from_utf8_lossy(&[before, b"#", near].concat()).into_owned())
}
