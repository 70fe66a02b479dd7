//! Pages that came with answers: the places in them that links name, and whether what came is the
//! page at all.

use std::borrow::Cow;

use crate::finding::{Class, Reach};
use crate::probe::Body;
use crate::source::markup::anchors::{Anchors, Place, anchors};
use crate::source::markup::{Markup, challenge};
use crate::source::page;

/// How pages of HTML begin that are sent without a media type (MIME Sniffing Standard §7.1).
const HTML: [&[u8]; 6] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<!--"];

/// A page whose places are known.
pub(super) struct Page<'b> {
    body: &'b Body,
    /// The page in UTF-8.
    text: Cow<'b, [u8]>,
    markup: Markup,
}

impl<'b> Page<'b> {
    /// Returns the page in `body`; none when nobody knows how places are named in it.
    pub(super) fn of(body: &'b Body) -> Option<Self> {
        let markup = markup(body)?;
        let text = page::decoded(markup, &body.bytes, body.charset.as_deref());
        Some(Self { body, text, markup })
    }

    /// Returns what `reach`, which came with it, is where a guard of the site sent another page in
    /// its place.
    pub(super) fn guarded(&self, reach: &Reach) -> Option<Reach> {
        let guard = challenge::guard(&self.text).filter(|_| self.markup == Markup::Html)?;
        let message = format!("{}: a page of {guard} in its place", reach.message);
        Some(Reach { class: Class::Blocked, message, ..reach.clone() })
    }

    /// Returns its places, or none where it could not be read.
    pub(super) fn anchors(&self) -> Option<Anchors> {
        anchors(Some(self.markup), &self.text)
    }

    /// Returns what is to be said of a place that was `found` so in it; none for one that is there.
    pub(super) fn missing(&self, found: Option<Place>) -> Option<(Class, &str)> {
        match found {
            Some(Place::There | Place::Unknown) => None,
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

/// Returns how the places of a page are found. A reader of another type knows what its fragments
/// mean (RFC 3986 §3.5).
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
