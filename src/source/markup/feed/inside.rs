//! Reads HTML inside feeds, by the elements that hold it.
//!
//! RSS holds it as text: escaped with references, or in CDATA. Atom declares the form by an
//! attribute (RFC 4287 §3.1.1 and §4.1.3): as text, too, or as elements. Not done: HTML in `title`
//! of RSS, which may be plain text, and in elements of other modules.

use quick_xml::events::Event;

use crate::source::markup::Page;
use crate::source::markup::html;
use crate::source::markup::html::tokens::trimmed;
use crate::source::markup::together::Together;
use crate::span::Span;

/// Elements of RSS that hold HTML as text.
const RSS: [&[u8]; 2] = [b"description", b"content:encoded"];
/// Elements of Atom whose attribute `type` declares their content.
const ATOM: [&[u8]; 5] = [b"title", b"subtitle", b"summary", b"content", b"rights"];
/// The namespace of XHTML.
const XHTML: &[u8] = b"http://www.w3.org/1999/xhtml";

/// The form in which an element holds HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As text; tags that occur in it all the same are read, too.
    Text,
    /// As elements in XML.
    Elements,
}

impl Form {
    /// Returns the form in which every element called `name` holds HTML.
    pub(super) fn by_name(name: &[u8]) -> Option<Self> {
        RSS.contains(&name).then_some(Self::Text)
    }

    /// Returns the form in which the element `of` holds HTML if its attribute `name` has this
    /// value.
    pub(super) fn by_attribute(of: &[u8], name: &[u8], value: &[u8]) -> Option<Self> {
        match name {
            b"type" if ATOM.contains(&of) => Self::by_type(value),
            b"xmlns" if value == XHTML => Some(Self::Elements),
            _ => None,
        }
    }

    /// Returns the form for a construct of this type. In Atom 0.3 all of them were media types.
    fn by_type(value: &[u8]) -> Option<Self> {
        let value = trimmed(value, Span::new(0, value.len())).of(value);
        let is_type = |names: [&[u8]; 2]| names.iter().any(|it| value.eq_ignore_ascii_case(it));
        if is_type([b"html", b"text/html"]) {
            return Some(Self::Text);
        }
        is_type([b"xhtml", b"application/xhtml+xml"]).then_some(Self::Elements)
    }
}

/// The HTML that an element holds, while it is read.
pub(super) struct Inside<'t> {
    text: &'t [u8],
    /// The name of the element.
    name: &'t [u8],
    form: Form,
    /// The number of open elements of that name: this one, and those in it.
    open: usize,
    together: Together,
}

impl<'t> Inside<'t> {
    /// Begins the content of the element called `name` at `start` of `text`.
    pub(super) fn new(text: &'t [u8], name: &'t [u8], form: Form, start: usize) -> Self {
        let mut together = Together::default();
        if form == Form::Elements {
            // This declaration makes the HTML reader accept self-closing tags and CDATA.
            together.push(b"<?xml?>", start);
        }
        Self { text, name, form, open: 1, together }
    }

    /// Reads a run of text.
    pub(super) fn text(&mut self, run: Span) {
        match self.form {
            Form::Text => self.together.push_resolved(self.text, run),
            Form::Elements => self.together.push_source(self.text, run),
        }
    }

    /// Reads the event at `at`, which is no run of text.
    pub(super) fn event(&mut self, event: &Event<'_>, at: Span) {
        match event {
            Event::Start(tag) if tag.name().into_inner() == self.name => self.open += 1,
            Event::CData(_) if self.form == Form::Text => return self.raw(at),
            _ => {}
        }
        self.skip(at);
    }

    /// Reports whether `event` ends the element.
    pub(super) fn ends(&mut self, event: &Event<'_>) -> bool {
        if matches!(event, Event::End(tag) if tag.name().into_inner() == self.name) {
            self.open -= 1;
        }
        self.open == 0
    }

    /// Adds the source at `at` as written.
    pub(super) fn skip(&mut self, at: Span) {
        self.together.push_source(self.text, at);
    }

    /// Reads a CDATA section, which has no references of XML.
    fn raw(&mut self, at: Span) {
        let start = at.end.min(at.start + b"<![CDATA[".len());
        let end = start.max(at.end.saturating_sub(b"]]>".len()));
        self.together.push_nothing(Span::new(at.start, start));
        self.together.push_source(self.text, Span::new(start, end));
        self.together.push_nothing(Span::new(end, at.end));
    }

    /// Returns the links and replacements of the content. The base of relative links comes from the
    /// feed alone.
    pub(super) fn page(&self) -> Page {
        Page { base: None, ..self.together.page(html::page) }
    }
}
