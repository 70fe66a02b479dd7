//! Examines pages in responses: finds the anchors that fragments name, and detects challenge pages
//! that a site sends in place of its content, and pages that only a script makes.

use std::borrow::Cow;

use crate::finding::{Class, Hop, Reach};
use crate::probe::Body;
use crate::source::markup::anchors::{Anchors, Place, anchors, decoded, is_data};
use crate::source::markup::scripted::{Scripted, scripted};
use crate::source::markup::shell::{Shell, shell};
use crate::source::markup::{self, Markup, challenge, login, words};
use crate::source::page;

/// The beginnings of HTML pages that are sent without a media type (MIME Sniffing Standard §7.1).
const HTML: [&[u8]; 6] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<!--"];

/// A page of a format with known anchors.
pub(super) struct Page<'b> {
    body: &'b Body,
    /// The page in UTF-8.
    text: Cow<'b, [u8]>,
    markup: Markup,
    /// The work of its script, if it has no words.
    shell: Option<Shell>,
    /// The data of its script, if that makes a part of a page with words.
    scripted: Option<Scripted>,
}

impl<'b> Page<'b> {
    /// Returns the page in `body`; `None` if its format has no known anchors.
    pub(super) fn of(body: &'b Body) -> Option<Self> {
        let markup = markup(body)?;
        let text = page::decoded(markup, &body.bytes, body.charset.as_deref());
        let is_html = markup == Markup::Html;
        let shell = if is_html { shell(&text) } else { None };
        let scripted = if is_html { scripted(&text) } else { None };
        Some(Self { body, text, markup, shell, scripted })
    }

    /// Returns `reach` as a blocked result if the page is a challenge of a guard of the site;
    /// otherwise `None`.
    pub(super) fn blocked_by_guard(&self, reach: &Reach) -> Option<Reach> {
        if self.markup != Markup::Html {
            return None;
        }
        let other = (self.shell == Some(Shell::Cookie)).then_some("a guard");
        let guard = challenge::guard(&self.text).or(other)?;
        let message = format!("{}: a page of {guard} in its place", reach.message);
        Some(Reach { class: Class::Blocked, message, ..reach.clone() })
    }

    /// Passes each word that a reader sees to `take`, in order.
    pub(super) fn words(&self, take: &mut dyn FnMut(&[u8])) {
        match self.markup {
            Markup::Html => words::of_html(&self.text, take),
            _ => words::of_text(&self.text, take),
        }
    }

    /// Reports whether it has no words but a script that makes it.
    pub(super) fn is_shell(&self) -> bool {
        self.shell.is_some()
    }

    /// Returns its anchors, or `None` if it could not be parsed.
    pub(super) fn anchors(&self) -> Option<Anchors> {
        anchors(Some(self.markup), &self.text)
    }

    /// Reports whether a field `Refresh` leads browsers to another page, which may have the place.
    fn leads_on(&self) -> bool {
        self.body.refresh.as_deref().is_some_and(markup::leads_on)
    }

    /// Reports whether it is the page of a login.
    fn is_login(&self) -> bool {
        self.markup == Markup::Html && login::is_login(&self.text)
    }

    /// Reports whether the data of its script name the place `wanted`.
    fn is_in_data(&self, wanted: &[u8]) -> bool {
        self.scripted.is_some_and(|script| script.names(&self.text, &decoded(wanted)))
    }

    /// Reports whether its script makes a part of it, from data that are not in the page.
    fn is_partly_unknown(&self) -> bool {
        self.scripted.is_some_and(|script| !script.holds_text(&self.text))
    }

    /// Returns class and message for the fragment `wanted` with the lookup result `found`; `None`
    /// if the anchor exists.
    pub(super) fn missing(&self, found: Option<Place>, wanted: &[u8]) -> Option<(Class, &str)> {
        let by_script = "the page is made by its script, which is not run";
        match found {
            Some(Place::There | Place::Unknown) => None,
            Some(_) if self.is_in_data(wanted) => None,
            // The page that it leads to is not requested.
            Some(_) if self.leads_on() => None,
            Some(Place::OtherCase | Place::Missing) if self.shell == Some(Shell::Leads) => {
                Some((Class::Unverifiable, "the script of the page leads to another one"))
            }
            Some(Place::OtherCase | Place::Missing) if self.shell.is_some() => {
                Some((Class::Unverifiable, by_script))
            }
            Some(Place::OtherCase | Place::Missing) if self.is_login() => {
                Some((Class::AuthRequired, "the page of a login is in the place of the page"))
            }
            Some(Place::OtherCase | Place::Missing) if self.is_partly_unknown() => {
                Some((Class::Unverifiable, by_script))
            }
            Some(Place::Missing) if is_data(wanted) => {
                let why = "no place of this name: a program of the page may read the fragment";
                Some((Class::Unverifiable, why))
            }
            Some(Place::OtherCase) => {
                Some((Class::FragmentMissing, "a place of this name is there in another case"))
            }
            Some(Place::Missing) if !self.body.is_cut => Some((
                Class::FragmentMissing,
                "expected a place of this name in the page, found none",
            )),
            Some(Place::Missing) => {
                let long = "the page is too long to look for a place in all of it";
                Some((Class::Unverifiable, self.body.fault.as_deref().unwrap_or(long)))
            }
            None => Some((Class::Unverifiable, "the page could not be read")),
        }
    }
}

/// The additions of a link's redirects to the page at their end.
#[derive(Default)]
pub(super) struct Arrival<'c> {
    /// The fragment that replaces that of the link.
    pub(super) fragment: Option<&'c [u8]>,
    /// The class and the message for a place that is missing, if the page may be another one.
    pub(super) doubt: Option<(Class, &'static str)>,
    /// The redirects.
    pub(super) hops: &'c [Hop],
}

/// Returns the markup in which the anchors of a page are found. For other media types, fragments
/// have other meanings (RFC 3986 §3.5).
fn markup(body: &Body) -> Option<Markup> {
    match &*body.media_type {
        "text/html" | "application/xhtml+xml" => Some(Markup::Html),
        "text/markdown" => Some(Markup::Markdown),
        "" => {
            let start = body.bytes.trim_ascii_start();
            let begins = |begin: &[u8]| {
                start.get(..begin.len()).is_some_and(|it| it.eq_ignore_ascii_case(begin))
            };
            HTML.iter().any(|begin| begins(begin)).then_some(Markup::Html)
        }
        _ => None,
    }
}
