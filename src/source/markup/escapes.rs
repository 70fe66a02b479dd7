//! Text in which escapes stand for characters, or line ends for nothing: JSON, properties, LaTeX,
//! Texinfo, Turtle, RTF, calendars and cards, LDIF, what gettext keeps, tables of fields between
//! commas, templates of HTML, what terminals show, and XML that no other language here reads.
//!
//! Nothing in these is a link by markup, and what an escape stands for is told by the bytes around
//! it. So they are read as text is, in pieces and at any length; what must be known behind a cut is
//! whether it goes through an escape, and, in some, what it goes through else: a comment, a name, a
//! card that is not folded.

mod csv;
mod folded;
mod json;
mod ldif;
mod po;
mod properties;
mod rtf;
mod template;
mod terminal;
mod tex;
mod texinfo;
mod turtle;
mod xml;

pub(super) use folded::is_folded;
pub(super) use json::is_json;
pub(super) use ldif::is_manifest;
pub(super) use rtf::is_rtf;
pub(super) use terminal::is_terminal;
pub(super) use xml::is_xml;

use super::Replaced;
use crate::span::Span;

/// What is known of a place in a text with escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escapes {
    /// The place, in the bytes at hand. Those before it stand for themselves, or for the rest of
    /// what began before them.
    pub at: usize,
    inside: Inside,
}

/// What a place stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Csv(csv::Inside),
    Folded(folded::Inside),
    Json(json::Inside),
    Ldif,
    Po,
    Properties(properties::Inside),
    Rtf,
    Template,
    Terminal,
    Tex,
    Texinfo(texinfo::Inside),
    Turtle,
    Xml(xml::Inside),
}

/// Bytes that mean something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    span: Span,
    means: Means,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Means {
    /// A character.
    Character(char),
    /// Nothing.
    Nothing,
    /// What stands behind is read in another way.
    Turn(Inside),
}

impl Means {
    /// `made`, when that is no control: of these only white space is what anybody reads.
    fn character(made: char) -> Self {
        let is_read = !made.is_control() || matches!(made, '\t' | '\n' | '\r');
        Self::Character(if is_read { made } else { ' ' })
    }
}

/// What stands for a character, or for nothing.
pub(in crate::source) struct Escape {
    /// Bytes of it.
    pub(in crate::source) len: usize,
    /// The character.
    pub(in crate::source) made: Option<char>,
}

impl Escapes {
    /// The beginning of a table of fields between commas.
    pub const CSV: Self = Self { at: 0, inside: Inside::Csv(csv::Inside::Start) };
    /// The beginning of calendars and cards.
    pub const FOLDED: Self = Self { at: 0, inside: Inside::Folded(folded::Inside::Start) };
    /// The beginning of a text in JSON.
    pub const JSON: Self = Self { at: 0, inside: Inside::Json(json::Inside::Text) };
    /// The beginning of entries of a directory.
    pub const LDIF: Self = Self { at: 0, inside: Inside::Ldif };
    /// The beginning of what gettext keeps.
    pub const PO: Self = Self { at: 0, inside: Inside::Po };
    /// The beginning of properties.
    pub const PROPERTIES: Self =
        Self { at: 0, inside: Inside::Properties(properties::Inside::Start) };
    /// The beginning of a text in RTF.
    pub const RTF: Self = Self { at: 0, inside: Inside::Rtf };
    /// The beginning of a template.
    pub const TEMPLATE: Self = Self { at: 0, inside: Inside::Template };
    /// The beginning of what a terminal shows.
    pub const TERMINAL: Self = Self { at: 0, inside: Inside::Terminal };
    /// The beginning of a text in LaTeX.
    pub const TEX: Self = Self { at: 0, inside: Inside::Tex };
    /// The beginning of a text in Texinfo.
    pub const TEXINFO: Self = Self { at: 0, inside: Inside::Texinfo(texinfo::Inside::Text) };
    /// The beginning of a text in Turtle.
    pub const TURTLE: Self = Self { at: 0, inside: Inside::Turtle };
    /// The beginning of a text in XML.
    pub const XML: Self = Self { at: 0, inside: Inside::Xml(xml::Inside::Text) };

    /// True for a text in JSON.
    #[must_use]
    pub const fn is_json(self) -> bool {
        matches!(self.inside, Inside::Json(_))
    }

    /// True for a text in XML.
    #[must_use]
    pub const fn is_xml(self) -> bool {
        matches!(self.inside, Inside::Xml(_))
    }

    /// True for a text in whose language a backslash begins commands, too.
    #[must_use]
    pub const fn has_commands(self) -> bool {
        matches!(self.inside, Inside::Tex | Inside::Texinfo(_))
    }

    /// True for a text whose language holds HTML, of which references are resolved as escapes are.
    #[must_use]
    pub const fn resolves_html(self) -> bool {
        matches!(self.inside, Inside::Json(_) | Inside::Template | Inside::Xml(_))
    }

    /// True when all of `text` stands for itself.
    #[must_use]
    pub fn is_idle(self, text: &[u8]) -> bool {
        match self.inside {
            Inside::Csv(_) => csv::Inside::is_idle(text),
            Inside::Folded(_) => folded::Inside::is_idle(text),
            Inside::Ldif => ldif::mark(text).is_none(),
            Inside::Po => po::mark(text).is_none(),
            Inside::Json(inside) => inside.is_idle(text),
            Inside::Properties(_) | Inside::Turtle => memchr::memchr(b'\\', text).is_none(),
            Inside::Rtf => rtf::mark(text).is_none(),
            Inside::Template => template::mark(text).is_none(),
            Inside::Terminal => terminal::is_idle(text),
            Inside::Tex => tex::is_idle(text),
            Inside::Texinfo(inside) => inside.mark(text).is_none(),
            Inside::Xml(_) => xml::is_idle(text),
        }
    }

    /// True when a place can be read without what stands far before it, but inside of what is as
    /// long as that.
    #[must_use]
    pub const fn go_by_lines(self) -> bool {
        !matches!(self.inside, Inside::Folded(_))
    }

    /// True when what a line begins with says how it is read, so that it must be seen behind an
    /// empty line, too.
    #[must_use]
    pub const fn looks_behind(self) -> bool {
        !self.go_by_lines()
    }

    /// Goes on behind the next escape of `text` at `at` or behind; gives the bytes before it that
    /// stand for themselves, and what it is. Asked in order.
    pub(in crate::source) fn next(&mut self, text: &[u8], at: usize) -> (usize, Option<Escape>) {
        self.at = self.at.max(at);
        while let Some(Mark { span, means }) = self.mark(text) {
            self.at = span.end;
            let made = match means {
                Means::Character(made) => Some(made),
                Means::Nothing => None,
                Means::Turn(inside) => {
                    self.inside = inside;
                    continue;
                }
            };
            return (span.start - at, Some(Escape { len: span.len(), made }));
        }
        (text.len().saturating_sub(at), None)
    }

    /// Goes on to `to`, or behind what goes on there. All is as in a longer text around `text`,
    /// where a line's end stands before `to` or some bytes of `text` behind it.
    pub fn pass(&mut self, text: &[u8], to: usize) {
        while let Some(Mark { span, means }) = self.mark(text).filter(|mark| mark.span.start < to) {
            self.at = span.end;
            if let Means::Turn(inside) = means {
                self.inside = inside;
            }
        }
        self.at = self.at.max(to);
    }

    /// The same in bytes that begin `start` bytes later.
    #[must_use]
    pub const fn behind(self, start: usize) -> Self {
        Self { at: self.at.saturating_sub(start), ..self }
    }

    /// The next mark in `text`.
    fn mark(&self, text: &[u8]) -> Option<Mark> {
        let rest = text.get(self.at..)?;
        let mark = match self.inside {
            Inside::Csv(inside) => inside.mark(rest),
            Inside::Folded(inside) => inside.mark(rest),
            Inside::Json(inside) => inside.mark(rest),
            Inside::Ldif => ldif::mark(rest),
            Inside::Po => po::mark(rest),
            Inside::Properties(inside) => inside.mark(rest),
            Inside::Rtf => rtf::mark(rest),
            Inside::Template => template::mark(rest),
            Inside::Terminal => terminal::mark(rest),
            Inside::Tex => tex::mark(rest),
            Inside::Texinfo(inside) => inside.mark(rest),
            Inside::Turtle => turtle::mark(rest),
            Inside::Xml(inside) => inside.mark(rest),
        };
        let moved = |span: Span| Span::new(self.at + span.start, self.at + span.end);
        mark.map(|mark| Mark { span: moved(mark.span), ..mark })
    }

    /// The escapes in `span` of `text`, which begins there.
    pub(super) fn find(mut self, text: &[u8], span: Span) -> impl Iterator<Item = Replaced> {
        let (inside, mut at) = (span.of(text), 0);
        std::iter::from_fn(move || {
            let (plain, escape) = self.next(inside, at);
            let Escape { len, made } = escape?;
            let start = span.start + at + plain;
            at += plain + len;
            let mut bytes = [0; 4];
            let made = made.map_or("", |made| made.encode_utf8(&mut bytes));
            Some(Replaced::new(Span::new(start, start + len), made.as_bytes()))
        })
    }
}
