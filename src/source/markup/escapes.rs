//! Decodes texts with escapes for characters, or with line ends that mean nothing: JSON,
//! properties, LaTeX, Texinfo, Turtle, RTF, calendars and cards, LDIF, catalogues of gettext,
//! tables of fields between commas, templates of HTML, output of terminals, YAML and TOML, and XML
//! that no other language here reads.
//!
//! None of these has links of markup, and the bytes around an escape decide what it denotes. So
//! they are read as text is, in pieces and at any length; after a cut it must be known whether it
//! goes through an escape, and, in some languages, through a comment, a name, or a card that is not
//! folded.

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
mod yaml;

pub(super) use folded::is_folded;
pub(in crate::source) use json::coded_texts;
pub(super) use json::is_json;
pub(super) use ldif::is_manifest;
pub(super) use rtf::is_rtf;
pub(super) use terminal::is_terminal;
pub(super) use xml::{entity_name, is_xml, reference as xml_reference};

use super::Replaced;
use crate::span::Span;

/// The character that the end of a field denotes: white space that ends every URI, also one between
/// angle brackets, where a blank would be skipped. It ends no line, so that the brackets that the
/// line opens are counted, and it is no quote, after which a word might continue.
const DIVIDER: char = '\u{C}';

/// The reading state at an offset of a text with escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escapes {
    /// The offset, in the bytes at hand. Bytes before it are literal, or the rest of an escape that
    /// began before them.
    pub at: usize,
    inside: Inside,
    /// The entities that a text in XML declares before the offset.
    entities: xml::Entities,
}

/// The context of an offset, by language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Csv(csv::Inside),
    Folded(folded::Inside),
    Json(json::Inside),
    Ldif,
    Po,
    Properties(properties::Inside),
    Rtf(rtf::Properties),
    Template,
    Terminal,
    Tex(tex::Inside),
    Texinfo(texinfo::Inside),
    Turtle,
    Xml(xml::Inside),
    Yaml(yaml::Inside),
}

/// Bytes that denote something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    span: Span,
    means: Denotes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denotes {
    /// They denote a character.
    Character(char),
    /// They denote nothing.
    Nothing,
    /// The text after them is read in another way.
    Turn(Inside),
    /// They denote a character or nothing, and the text after them is read in another way.
    Edge(Option<char>, Inside),
    /// They begin the declaration of an entity.
    Declared,
    /// They denote the next character of the value of an entity.
    Letter(xml::Letter),
}

impl Denotes {
    /// Returns `made`, or a blank for a control other than white space, which no reader sees.
    fn character(made: char) -> Self {
        let is_read = !made.is_control() || matches!(made, '\t' | '\n' | '\r');
        Self::Character(if is_read { made } else { ' ' })
    }
}

/// An escape for a character, or for nothing.
pub(in crate::source) struct Escape {
    /// Its length in bytes.
    pub(in crate::source) len: usize,
    /// The character.
    pub(in crate::source) made: Option<char>,
}

impl Escapes {
    const fn begin(inside: Inside) -> Self {
        Self { at: 0, inside, entities: xml::Entities::NONE }
    }

    /// The state at the beginning of a table of fields between commas.
    pub const CSV: Self = Self::begin(Inside::Csv(csv::Inside::Start));
    /// The state at the beginning of calendars and cards.
    pub const FOLDED: Self = Self::begin(Inside::Folded(folded::Inside::Start));
    /// The state at the beginning of a text in JSON.
    pub const JSON: Self = Self::begin(Inside::Json(json::Inside::Text));
    /// The state at the beginning of entries of a directory.
    pub const LDIF: Self = Self::begin(Inside::Ldif);
    /// The state at the beginning of a catalogue of gettext.
    pub const PO: Self = Self::begin(Inside::Po);
    /// The state at the beginning of properties.
    pub const PROPERTIES: Self = Self::begin(Inside::Properties(properties::Inside::Start));
    /// The state at the beginning of a text in RTF.
    pub const RTF: Self = Self::begin(Inside::Rtf(rtf::Properties::START));
    /// The state at the beginning of a template.
    pub const TEMPLATE: Self = Self::begin(Inside::Template);
    /// The state at the beginning of a terminal's output.
    pub const TERMINAL: Self = Self::begin(Inside::Terminal);
    /// The state at the beginning of a text in LaTeX.
    pub const TEX: Self = Self::begin(Inside::Tex(tex::Inside::Text));
    /// The state at the beginning of a text in Texinfo.
    pub const TEXINFO: Self = Self::begin(Inside::Texinfo(texinfo::Inside::Text));
    /// The state at the beginning of a text in Turtle.
    pub const TURTLE: Self = Self::begin(Inside::Turtle);
    /// The state at the beginning of a text in XML.
    pub const XML: Self = Self::begin(Inside::Xml(xml::Inside::Text));
    /// The state at the beginning of a text in YAML or TOML.
    pub const YAML: Self = Self::begin(Inside::Yaml(yaml::Inside::Start));

    /// Returns the state after the beginning of a text, which is `head`, if nothing of it was read
    /// yet.
    #[must_use]
    pub fn begun(self, head: &[u8]) -> Self {
        let inside = match self.inside {
            Inside::Csv(inside) => Inside::Csv(inside.begun(head)),
            Inside::Yaml(yaml::Inside::Start) => Inside::Yaml(yaml::Inside::Text),
            inside => inside,
        };
        Self { inside, ..self }
    }

    /// Returns the state for `text` from the offset on, as bytes of their own. Of states that read
    /// these bytes in the same way, it is the one that is nearest to the beginning of a text.
    #[must_use]
    pub fn settled(self, text: &[u8]) -> Self {
        let rest = text.get(self.at..).unwrap_or_default();
        let inside = match self.inside {
            Inside::Csv(inside) => Inside::Csv(inside.settled(rest)),
            inside => inside,
        };
        Self { at: 0, inside, ..self }
    }

    /// Reports whether the text is in JSON.
    #[must_use]
    pub const fn is_json(self) -> bool {
        matches!(self.inside, Inside::Json(_))
    }

    /// Reports whether the text is in XML.
    #[must_use]
    pub const fn is_xml(self) -> bool {
        matches!(self.inside, Inside::Xml(_))
    }

    /// Reports whether a backslash also begins commands in the text's language.
    #[must_use]
    pub const fn has_commands(self) -> bool {
        matches!(self.inside, Inside::Tex(_) | Inside::Texinfo(_))
    }

    /// Reports whether the text's language holds HTML, whose references are resolved as escapes
    /// are.
    #[must_use]
    pub const fn resolves_html(self) -> bool {
        matches!(self.inside, Inside::Json(_) | Inside::Template | Inside::Xml(_))
    }

    /// Reports whether all of `text` is literal.
    #[must_use]
    pub fn is_idle(self, text: &[u8]) -> bool {
        match self.inside {
            Inside::Csv(_) => csv::Inside::is_idle(text),
            Inside::Folded(_) => folded::Inside::is_idle(text),
            Inside::Ldif => ldif::mark(text).is_none(),
            Inside::Po => po::mark(text).is_none(),
            Inside::Json(inside) => inside.is_idle(text),
            Inside::Properties(_) | Inside::Turtle => memchr::memchr(b'\\', text).is_none(),
            Inside::Rtf(state) => state.mark(text).is_none(),
            Inside::Template => template::mark(text).is_none(),
            Inside::Terminal => terminal::is_idle(text),
            Inside::Tex(inside) => inside.is_idle(text),
            Inside::Texinfo(inside) => inside.mark(text).is_none(),
            Inside::Xml(inside) => inside.is_idle(text),
            Inside::Yaml(inside) => inside.is_idle(text),
        }
    }

    /// Reports whether a value may go on in the next line, after a blank.
    #[must_use]
    pub const fn has_folds(self) -> bool {
        matches!(self.inside, Inside::Folded(_) | Inside::Ldif)
    }

    /// Reports whether an offset can be read without the bytes far before it, except inside a
    /// construct as long as that.
    #[must_use]
    pub const fn go_by_lines(self) -> bool {
        !matches!(self.inside, Inside::Folded(_))
    }

    /// Reports whether the beginning of a line decides how it is read, so that it must be seen
    /// after an empty line, too.
    #[must_use]
    pub const fn looks_after(self) -> bool {
        !self.go_by_lines()
    }

    /// Advances past the next escape of `text` that begins at `at` or later; returns the number of
    /// literal bytes before it, and the escape. Offsets must be queried in order.
    pub(in crate::source) fn next(&mut self, text: &[u8], at: usize) -> (usize, Option<Escape>) {
        self.at = self.at.max(at);
        while let Some(Mark { span, means }) = self.mark(text) {
            self.follow(text, span, means);
            let made = match means {
                Denotes::Character(made) => Some(made),
                Denotes::Nothing => None,
                Denotes::Letter(letter) => Some(letter.made),
                Denotes::Turn(_) | Denotes::Declared => continue,
                Denotes::Edge(made, _) => made,
            };
            return (span.start - at, Some(Escape { len: span.len(), made }));
        }
        (text.len().saturating_sub(at), None)
    }

    /// Advances to `to`, or past an escape around it. The result is that of a longer text around
    /// `text`, if a line end precedes `to` or some bytes of `text` follow it.
    pub fn pass(&mut self, text: &[u8], to: usize) {
        while let Some(Mark { span, means }) = self.mark(text).filter(|mark| mark.span.start < to) {
            self.follow(text, span, means);
        }
        self.at = self.at.max(to);
    }

    /// Advances past the mark at `span` of `text`, which `means` something.
    fn follow(&mut self, text: &[u8], span: Span, means: Denotes) {
        self.at = span.end;
        match means {
            Denotes::Turn(inside) | Denotes::Edge(_, inside) => self.inside = inside,
            Denotes::Declared => self.entities.declare(text.get(span.start..).unwrap_or_default()),
            Denotes::Letter(letter) => self.entities.pass(letter),
            Denotes::Character(_) | Denotes::Nothing => {}
        }
    }

    /// Returns the same state for bytes that begin `start` bytes later.
    #[must_use]
    pub const fn after(self, start: usize) -> Self {
        Self { at: self.at.saturating_sub(start), ..self }
    }

    /// Returns the next mark in `text`.
    fn mark(&self, text: &[u8]) -> Option<Mark> {
        let rest = text.get(self.at..)?;
        let mark = match self.inside {
            Inside::Csv(inside) => inside.mark(rest),
            Inside::Folded(inside) => inside.mark(rest),
            Inside::Json(inside) => inside.mark(rest),
            Inside::Ldif => ldif::mark(rest),
            Inside::Po => po::mark(rest),
            Inside::Properties(inside) => inside.mark(rest),
            Inside::Rtf(state) => state.mark(rest),
            Inside::Template => template::mark(rest),
            Inside::Terminal => terminal::mark(rest),
            Inside::Tex(inside) => inside.mark(rest),
            Inside::Texinfo(inside) => inside.mark(rest),
            Inside::Turtle => turtle::mark(rest),
            Inside::Xml(inside) => inside.mark(rest, &self.entities),
            Inside::Yaml(inside) => inside.mark(rest),
        };
        let moved = |span: Span| Span::new(self.at + span.start, self.at + span.end);
        mark.map(|mark| Mark { span: moved(mark.span), ..mark })
    }

    /// Returns the escapes in `span` of `text`, which begins there.
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
