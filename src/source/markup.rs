//! Finds the links of documents, as their markup languages define them, and the bytes in them that
//! represent others.
//!
//! A language's markup defines links, absolute or relative; the scanner finds all other URIs of a
//! document, in its text, comments or code, as in all text. Nothing is resolved and nothing is
//! opened here.
//!
//! A document is held in memory as a whole, so each language limits its length. A longer document
//! is cut where its language allows, and otherwise read as text. Formats that have escapes and no
//! links (`escapes`) are read as text, too, whatever their length. The first bytes decide the
//! language or, where they do not, the name.

pub mod anchors;
mod asciidoc;
pub(super) mod attribute;
pub mod challenge;
mod css;
mod declared;
mod entities;
mod escapes;
mod feed;
mod html;
mod ignored;
mod insertion;
mod lines;
pub mod login;
mod markdown;
mod org;
mod places;
pub(in crate::source) mod reference;
mod rest;
mod roff;
pub mod scripted;
pub mod shell;
mod shown;
mod together;
pub mod words;

pub(super) use entities::Known;
pub(super) use escapes::Escape;
pub use escapes::Escapes;
pub(super) use escapes::coded_texts;
pub(in crate::source) use html::joints::{Joints, is_in_value};
pub use html::{Targets, hrefs, leads_on, link_at, shown_at};
pub(in crate::source) use html::{breaks, open, scripts};
pub use ignored::Comments;
pub(super) use ignored::Ignored;
pub(super) use places::Places;

use std::borrow::Cow;

use super::mail::charset::Charset;
use super::panics::caught;
use crate::span::Span;

/// A markup language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// HTML and XHTML.
    Html,
    /// Style sheets.
    Css,
    /// Sitemaps, RSS and Atom.
    Feed,
    /// Markdown.
    Markdown,
    /// MDX.
    Mdx,
    /// reStructuredText.
    Rest,
    /// `AsciiDoc`.
    AsciiDoc,
    /// Org of Emacs.
    Org,
    /// Man pages, and other text in roff.
    Roff,
    /// Calendars and cards.
    Folded,
    /// Tables of fields between commas.
    Csv,
    /// JSON.
    Json,
    /// Entries of a directory.
    Ldif,
    /// Catalogs of gettext.
    Po,
    /// Java properties.
    Properties,
    /// Templates of HTML.
    Template,
    /// Output for terminals and printers.
    Terminal,
    /// LaTeX, and databases of BibTeX.
    Tex,
    /// Texinfo.
    Texinfo,
    /// Rich Text Format.
    Rtf,
    /// Turtle, and its relatives with quads.
    Turtle,
    /// XML of no other kind.
    Xml,
    /// YAML and TOML.
    Yaml,
}

/// The marks of documents in a language, and the way to read them.
pub(super) struct Language {
    pub(super) markup: Markup,
    /// The name that selects it.
    pub(super) id: &'static str,
    /// The name in messages.
    pub(super) name: &'static str,
    /// The suffixes of its files, without a dot.
    suffixes: &'static [&'static str],
    form: Form,
}

/// The way to read documents in a language.
#[derive(Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "it is a row of a table")]
enum Form {
    /// As whole documents.
    Document {
        /// Most bytes of a document.
        len_max: usize,
        page: fn(&[u8]) -> Page,
        /// Returns the longest beginning of a text that can be read without the rest.
        part: fn(&[u8]) -> Option<Part>,
    },
    /// As text.
    Text(Escapes),
}

/// The beginning of a document that is longer than the limit.
///
/// Read separately, it and the rest have the same links as in the whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its length in bytes.
    pub len: usize,
    /// The base of relative links, if it declares one.
    pub base: Option<Vec<u8>>,
}

/// Returns no part: in the language, later text may change the meaning of earlier text.
const fn never(_: &[u8]) -> Option<Part> {
    None
}

/// Maximum number of bytes of a base, since each record of a link repeats it. Sitemaps allow no URI
/// of this length, and browsers use no base that they cannot parse.
pub const BASE_LEN_MAX: usize = 2048;

/// Reports whether `base` is rejected as too long.
#[must_use]
pub const fn is_base_too_long(base: &[u8]) -> bool {
    base.len() > BASE_LEN_MAX
}

/// Maximum number of bytes of a document. A page of a book has 100 kB, and the longest standards on
/// one page have some millions.
const LEN_MAX: usize = 8 * 1024 * 1024;
/// Maximum number of parts that are cut from as many bytes as the longest document may have.
const PARTS_MAX: usize = 16;
/// Maximum number of bytes of a document in Markdown. Its parser needs 65 times as much memory for
/// nothing but brackets, and some ten times for text that people write.
const MARKDOWN_LEN_MAX: usize = 2 * 1024 * 1024;

/// Every language.
pub(super) const LANGUAGES: &[Language] = &[
    Language {
        markup: Markup::Markdown,
        id: "markdown",
        name: "Markdown",
        suffixes: &["md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "qmd", "rmd"],
        form: Form::Document { len_max: MARKDOWN_LEN_MAX, page: markdown::page, part: never },
    },
    Language {
        markup: Markup::Mdx,
        id: "mdx",
        name: "MDX",
        suffixes: &["mdx"],
        form: Form::Document { len_max: MARKDOWN_LEN_MAX, page: markdown::mdx::page, part: never },
    },
    Language {
        markup: Markup::Rest,
        id: "rst",
        name: "reStructuredText",
        suffixes: &["rst", "rest"],
        form: Form::Document { len_max: LEN_MAX, page: rest::page, part: never },
    },
    Language {
        markup: Markup::AsciiDoc,
        id: "asciidoc",
        name: "AsciiDoc",
        suffixes: &["adoc", "asciidoc"],
        form: Form::Document { len_max: LEN_MAX, page: asciidoc::page, part: never },
    },
    Language {
        markup: Markup::Org,
        id: "org",
        name: "Org",
        suffixes: &["org"],
        form: Form::Document { len_max: LEN_MAX, page: org::page, part: never },
    },
    Language {
        markup: Markup::Roff,
        id: "roff",
        name: "a man page or other roff",
        suffixes: &["man", "mdoc", "roff"],
        form: Form::Document { len_max: LEN_MAX, page: roff::page, part: never },
    },
    Language {
        markup: Markup::Folded,
        id: "vcard",
        name: "iCalendar or vCard",
        suffixes: &["ics", "ical", "ifb", "vcf", "vcard"],
        form: Form::Text(Escapes::FOLDED),
    },
    Language {
        markup: Markup::Html,
        id: "html",
        name: "HTML",
        suffixes: &["html", "htm", "xhtml", "svg", "svgz"],
        form: Form::Document { len_max: LEN_MAX, page: html::page, part: html::part },
    },
    Language {
        markup: Markup::Css,
        id: "css",
        name: "CSS",
        suffixes: &["css"],
        form: Form::Document { len_max: LEN_MAX, page: css::page, part: never },
    },
    Language {
        markup: Markup::Feed,
        id: "feed",
        name: "a sitemap, RSS or Atom",
        suffixes: &["rss", "atom"],
        form: Form::Document { len_max: LEN_MAX, page: feed::page, part: never },
    },
    Language {
        markup: Markup::Csv,
        id: "csv",
        name: "fields between commas or semicolons",
        suffixes: &["csv"],
        form: Form::Text(Escapes::CSV),
    },
    Language {
        markup: Markup::Json,
        id: "json",
        name: "JSON",
        suffixes: &[
            "json",
            "jsonl",
            "ndjson",
            "jsonc",
            "json5",
            "jsonld",
            "geojson",
            "topojson",
            "har",
            "arb",
            "ipynb",
            "sarif",
            "webmanifest",
        ],
        form: Form::Text(Escapes::JSON),
    },
    Language {
        markup: Markup::Ldif,
        id: "ldif",
        name: "LDIF, or a manifest of a JAR file",
        suffixes: &["ldif", "ldi"],
        form: Form::Text(Escapes::LDIF),
    },
    Language {
        markup: Markup::Po,
        id: "po",
        name: "translations for gettext",
        suffixes: &["po", "pot"],
        form: Form::Text(Escapes::PO),
    },
    Language {
        markup: Markup::Properties,
        id: "properties",
        name: "properties of Java",
        suffixes: &["properties"],
        form: Form::Text(Escapes::PROPERTIES),
    },
    Language {
        markup: Markup::Rtf,
        id: "rtf",
        name: "Rich Text Format",
        suffixes: &["rtf"],
        form: Form::Text(Escapes::RTF),
    },
    Language {
        markup: Markup::Template,
        id: "template",
        name: "a template of HTML, or a page or component with code",
        suffixes: &[
            "php",
            "phtml",
            "vue",
            "svelte",
            "astro",
            "jsx",
            "tsx",
            "erb",
            "twig",
            "hbs",
            "handlebars",
            "mustache",
            "ejs",
            "jinja",
            "jinja2",
            "j2",
            "liquid",
            "asp",
            "aspx",
            "ascx",
            "jsp",
            "jspx",
            "cshtml",
            "razor",
        ],
        form: Form::Text(Escapes::TEMPLATE),
    },
    Language {
        markup: Markup::Terminal,
        id: "terminal",
        name: "what a terminal shows, in colours or overstruck",
        suffixes: &["ans", "ansi"],
        form: Form::Text(Escapes::TERMINAL),
    },
    Language {
        markup: Markup::Tex,
        id: "tex",
        name: "LaTeX or BibTeX",
        suffixes: &["tex", "latex", "ltx", "bib", "bbl", "sty", "dtx"],
        form: Form::Text(Escapes::TEX),
    },
    Language {
        markup: Markup::Texinfo,
        id: "texinfo",
        name: "Texinfo",
        suffixes: &["texi", "texinfo", "txi"],
        form: Form::Text(Escapes::TEXINFO),
    },
    Language {
        markup: Markup::Turtle,
        id: "turtle",
        name: "Turtle, TriG, N-Triples or N-Quads",
        suffixes: &["ttl", "trig", "nt", "nq"],
        form: Form::Text(Escapes::TURTLE),
    },
    Language {
        markup: Markup::Xml,
        id: "xml",
        name: "other XML",
        suffixes: &[
            "xml", "xsd", "xsl", "xslt", "rng", "wsdl", "opml", "plist", "resx", "xliff", "xlf",
            "rdf", "owl", "kml", "gpx", "gml", "dbk", "docbook", "dita", "ditamap", "tei", "fb2",
            "csproj", "fsproj", "vbproj", "vcxproj", "props", "targets", "nuspec", "xaml", "axml",
            "xspf", "jnlp", "rels", "enex", "mm", "drawio", "ui",
        ],
        form: Form::Text(Escapes::XML),
    },
    Language {
        markup: Markup::Yaml,
        id: "yaml",
        name: "YAML or TOML",
        suffixes: &["yaml", "yml", "toml"],
        form: Form::Text(Escapes::YAML),
    },
];

/// Suffixes of compressed files, which follow the document's name.
const PACKED: [&[u8]; 10] =
    [b".gz", b".bz2", b".xz", b".lzma", b".lz", b".zst", b".lz4", b".z", b".zz", b".zlib"];

/// Returns `text` of HTML with its character references resolved.
#[must_use]
pub fn resolved(text: &[u8]) -> Cow<'_, [u8]> {
    reference::Resolved::new(text, Span::new(0, text.len())).bytes
}

/// Returns `name` without the suffix of a compressed file, in any case.
pub(super) fn without_packing(name: &[u8]) -> &[u8] {
    let apart = |suffix: &&[u8]| name.split_at_checked(name.len().checked_sub(suffix.len())?);
    let bare = PACKED.iter().find_map(|suffix| {
        apart(suffix).filter(|(_, end)| end.eq_ignore_ascii_case(suffix)).map(|(bare, _)| bare)
    });
    bare.unwrap_or(name)
}

impl Markup {
    /// Returns the language of a file with this name.
    #[must_use]
    pub fn by_name(name: &[u8]) -> Option<Self> {
        let name = without_packing(name);
        let suffix = name.get(memchr::memrchr(b'.', name)? + 1..)?;
        let is_its = |of: &&str| suffix.eq_ignore_ascii_case(of.as_bytes());
        let language = LANGUAGES.iter().find(|language| language.suffixes.iter().any(is_its));
        language.map(|language| language.markup)
    }

    /// Reports whether documents in this language begin with fields as messages do, which programs
    /// that make pages of them read: title, author, date.
    pub(super) const fn begins_with_fields(self) -> bool {
        matches!(self, Self::Markdown | Self::Mdx | Self::Rest | Self::AsciiDoc | Self::Org)
    }

    /// Returns the language of a document that begins with `head`, if `head` shows it.
    #[must_use]
    pub fn by_content(head: &[u8]) -> Option<Self> {
        let known = || {
            if html::is_html(head) {
                Some(Self::Html)
            } else if roff::is_roff(head) {
                Some(Self::Roff)
            } else if escapes::is_folded(head) {
                Some(Self::Folded)
            } else if escapes::is_rtf(head) {
                Some(Self::Rtf)
            } else {
                feed::is_feed(head).then_some(Self::Feed)
            }
        };
        caught(known).flatten()
    }

    /// Returns the language of a text that begins with `head` and is called `name`. A text that
    /// looks like HTML, JSON or XML may be something else, if its name says so.
    #[must_use]
    pub fn of(head: &[u8], name: &[u8]) -> Option<Self> {
        // A template of XML is read as XML: its output has all references of XML.
        let is_named = |it: &Self| *it != Self::Template || !escapes::is_xml(head);
        let named = || Self::by_name(name).filter(is_named);
        Self::by_content(head).or_else(named).or_else(|| Self::by_look(head, name))
    }

    /// Returns the language that a text beginning with `head` seems to be in. A name with a suffix
    /// may be that of a template, whose tags are those of HTML.
    fn by_look(head: &[u8], name: &[u8]) -> Option<Self> {
        let file = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default();
        let is_named = memchr::memchr(b'.', file).is_some();
        if !is_named && caught(|| html::looks_like_html(head)) == Some(true) {
            Some(Self::Html)
        } else if escapes::is_manifest(head, file) {
            Some(Self::Ldif)
        } else if escapes::is_xml(head) {
            Some(Self::Xml)
        } else if escapes::is_json(head) {
            Some(Self::Json)
        } else {
            escapes::is_terminal(head).then_some(Self::Terminal)
        }
    }

    /// Returns the language with escapes of a text sent as `media_type`, in lower case (RFC 5545
    /// §8.1, RFC 6350 §10.1, RFC 6839 §3.1, RFC 7303 §4.2; the other types are those of
    /// shared-mime-info).
    #[must_use]
    pub fn with_escapes(media_type: &str) -> Option<Self> {
        let (_, name) = media_type.split_once('/')?;
        let is_one = |names: &[&str], suffix| names.contains(&name) || name.ends_with(suffix);
        if is_one(&["json", "x-json", "ndjson", "x-ndjson", "jsonl", "json-seq"], "+json") {
            return Some(Self::Json);
        }
        if is_one(&["xml"], "+xml") {
            return Some(Self::Xml);
        }
        match name {
            "calendar" | "directory" | "vcard" | "ics" => Some(Self::Folded),
            "csv" | "comma-separated-values" => Some(Self::Csv),
            "x-calendar" | "x-vcalendar" | "x-vcard" => Some(Self::Folded),
            "x-gettext-translation" | "x-po" | "x-pot" => Some(Self::Po),
            "ldif" | "x-ldif" => Some(Self::Ldif),
            "x-java-properties" => Some(Self::Properties),
            "rtf" | "x-rtf" => Some(Self::Rtf),
            "x-tex" | "x-latex" | "x-bibtex" => Some(Self::Tex),
            "x-texinfo" => Some(Self::Texinfo),
            "turtle" | "trig" | "n-triples" | "n-quads" => Some(Self::Turtle),
            _ => None,
        }
    }

    /// Returns the language's name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.language().map_or("", |language| language.name)
    }

    /// Returns the suffixes of its files, without a dot.
    #[must_use]
    pub fn suffixes(self) -> &'static [&'static str] {
        self.language().map_or(&[], |language| language.suffixes)
    }

    /// Returns the length in bytes of the longest document in this language.
    #[must_use]
    pub fn len_max(self) -> usize {
        match self.form() {
            Some(Form::Document { len_max, .. }) => len_max,
            Some(Form::Text(_)) => usize::MAX,
            None => 0,
        }
    }

    /// Returns the escapes of a language that is read as text.
    #[must_use]
    pub fn escapes(self) -> Option<Escapes> {
        match self.form()? {
            Form::Text(escapes) => Some(escapes),
            Form::Document { .. } => None,
        }
    }

    /// Returns the links of `text`, a whole document, and its bytes that represent others.
    #[must_use]
    pub fn page(self, text: &[u8]) -> Page {
        let page = match self.form() {
            Some(Form::Document { page, .. }) => page,
            Some(Form::Text(escapes)) => {
                let replaced = escapes.find(text, Span::new(0, text.len())).collect();
                return Page { replaced, ..Page::default() };
            }
            None => return Page::default(),
        };
        caught(|| page(text)).unwrap_or_else(|| Page { is_failed: true, ..Page::default() })
    }

    /// Returns `text`, a whole document, with other bytes for the words of ignore comments that it
    /// only shows, in its code.
    pub(super) fn commented(self, text: &[u8]) -> Cow<'_, [u8]> {
        let code = match self {
            Self::Markdown => markdown::code,
            Self::Mdx => markdown::mdx::code,
            Self::Rest => rest::code,
            _ => return Cow::Borrowed(text),
        };
        if !ignored::has_words(text) {
            return Cow::Borrowed(text);
        }
        ignored::without_words(text, &caught(|| code(text)).unwrap_or_default())
    }

    /// Returns the beginning of `text`, which the document is longer than, that can be read
    /// separately. It is no less than a good part of `text`, or the same bytes would be read again
    /// and again.
    #[must_use]
    pub fn part(self, text: &[u8]) -> Option<Part> {
        let Form::Document { len_max, part, .. } = self.form()? else { return None };
        let part = caught(|| part(text)).flatten()?;
        (part.len >= len_max / PARTS_MAX).then_some(part)
    }

    /// Reports whether a document that begins with `text` declares a legacy charset, and may be
    /// encoded in it.
    #[must_use]
    pub fn may_be_legacy(self, text: &[u8]) -> bool {
        caught(|| declared::legacy(self, text)).flatten().is_some()
    }

    /// Returns the legacy charset that `text`, a whole document, declares and is encoded in.
    #[must_use]
    pub fn charset(self, text: &[u8]) -> Option<Charset> {
        caught(|| declared::charset(self, text)).flatten()
    }

    /// Returns the legacy charset that a document beginning with `head` declares, if `head` shows
    /// that it is not UTF-8.
    #[must_use]
    pub fn charset_of(self, head: &[u8]) -> Option<Charset> {
        caught(|| declared::shown(self, head)).flatten()
    }

    /// Returns the label of the charset that `text`, a whole document, declares for itself.
    pub(super) fn declared(self, text: &[u8]) -> Option<Vec<u8>> {
        caught(|| declared::label(self, text)).flatten()
    }

    fn form(self) -> Option<Form> {
        self.language().map(|language| language.form)
    }

    fn language(self) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.markup == self)
    }
}

/// The links of a document, and the facts that they depend on.
#[derive(Default)]
pub struct Page {
    /// The links in the order of their spans, which do not overlap.
    pub links: Vec<Link>,
    /// Bytes that represent others: character references, escapes. In order, without overlaps.
    pub replaced: Vec<Replaced>,
    /// The base of relative links, if the document declares one.
    pub base: Option<Vec<u8>>,
    /// Offsets where parts of the document with their own bases begin or end, in order.
    pub scopes: Vec<(usize, Scope)>,
    /// Whether the document could not be read as its language; then all other fields are empty.
    pub is_failed: bool,
    /// Offset of the first error that the parser cannot recover from: links after it may be
    /// missing.
    pub broken_at: Option<usize>,
    /// The number of links that are no addresses yet, since a program fills parts of them in;
    /// `links` omits them.
    pub templates: u64,
}

/// A boundary of a part of a document with its own base; such parts may be nested.
pub enum Scope {
    /// A part begins. Its relative links start from this base, which may be relative itself.
    Begins(Vec<u8>),
    /// The innermost part ends.
    Ends,
}

/// Prints no text, which may hold passwords.
impl std::fmt::Debug for Page {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Page")
            .field("links", &self.links)
            .field("replaced", &self.replaced.len())
            .field("scopes", &self.scopes.len())
            .field("is_failed", &self.is_failed)
            .field("broken_at", &self.broken_at)
            .field("templates", &self.templates)
            .finish_non_exhaustive()
    }
}

impl Page {
    /// Adds the page of a text embedded at `start`, after everything in this page.
    fn append(&mut self, mut inside: Self, start: usize) {
        let moved = |span: Span| Span::new(span.start + start, span.end + start);
        inside.links.iter_mut().for_each(|link| link.span = moved(link.span));
        inside.replaced.iter_mut().for_each(|replaced| replaced.span = moved(replaced.span));
        self.links.append(&mut inside.links);
        self.replaced.append(&mut inside.replaced);
        self.base = self.base.take().or(inside.base);
        self.templates += inside.templates;
    }
}

/// A link.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// The span of the destination, without the quotes and brackets around it.
    pub span: Span,
    /// The destination as the language reads it.
    pub target: Vec<u8>,
    /// The text that a reader sees in its place, if it is known and short.
    pub shown: Option<Vec<u8>>,
}

/// Prints no text, which may hold passwords.
impl std::fmt::Debug for Link {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Link").field("span", &self.span).finish_non_exhaustive()
    }
}

/// Bytes that represent others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Their span. Of several that represent one place, as the letters of an entity do, all but the
    /// last are empty.
    pub span: Span,
    bytes: [u8; Self::LEN_MAX],
    len: usize,
}

impl Replaced {
    /// Maximum number of bytes that one escape represents: a reference of HTML represents at most
    /// two characters, which then have at most five or six bytes in UTF-8.
    const LEN_MAX: usize = 8;

    /// Records that the bytes at `span` represent `text`; more than eight bytes do not occur and
    /// are cut.
    #[must_use]
    pub fn new(span: Span, text: &[u8]) -> Self {
        let mut bytes = [0; Self::LEN_MAX];
        let len = text.len().min(Self::LEN_MAX);
        for (to, from) in bytes.iter_mut().zip(text) {
            *to = *from;
        }
        Self { span, bytes, len }
    }

    /// Returns the represented bytes.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// Returns `text` with the represented bytes in place of `replaced`, which are in order and do not
/// overlap.
#[must_use]
pub fn with_replaced<'t>(text: &'t [u8], replaced: &[Replaced]) -> Cow<'t, [u8]> {
    if replaced.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut made = Vec::with_capacity(text.len());
    let mut from = 0;
    for replaced in replaced {
        made.extend_from_slice(Span::new(from, replaced.span.start).of(text));
        made.extend_from_slice(replaced.text());
        from = replaced.span.end;
    }
    made.extend_from_slice(text.get(from..).unwrap_or_default());
    Cow::Owned(made)
}

/// Returns `target` with `%20` for each space, as parsers do whose languages allow spaces in links.
pub(crate) fn without_blanks(target: Vec<u8>) -> Vec<u8> {
    if memchr::memchr(b' ', &target).is_none() {
        return target;
    }
    target.split(|byte| *byte == b' ').collect::<Vec<_>>().join(&b"%20"[..])
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn what_begins_with_a_tag_is_html_where_its_name_says_nothing() {
        for (name, head, expected) in [
            ("a", "<TITLE>x</TITLE>", Some(Markup::Html)),
            ("a.b/c", "\n<!-- x --><a href=b>", Some(Markup::Html)),
            ("", "<?xml version='1.0'?><svg>", Some(Markup::Html)),
            ("a", "<?xml version='1.0'?><b/>", Some(Markup::Xml)),
            ("a", "<a@b.example> wrote:", None),
            ("a", "< a href=b>", None),
            ("a", "x <a href=b>", None),
            ("a.tmpl", "<title>x</title>", None),
            ("a.md", "<h1 align=center>x</h1>", Some(Markup::Markdown)),
            ("a.tmpl", "<!doctype html>", Some(Markup::Html)),
        ] {
            assert_eq!(Markup::of(head.as_bytes(), name.as_bytes()), expected, "{name}: {head}");
        }
    }

    #[test]
    fn links_are_those_that_programs_make() {
        for (markup, text, expected) in [
            (Markup::Rest, "See :download:`x <a.zip>`, :download:`b.zip`.", "a.zip b.zip"),
            (Markup::Rest, ":doc:`x <a>` and ``:download:`c.zip```", ""),
            (Markup::Org, "#+INCLUDE: \"b.org::*One\" :only-contents t", "b.org#One"),
            (Markup::Org, "#+INCLUDE: \"b.org\" src\n#+SETUPFILE: /c.org", "b.org file:/c.org"),
            (Markup::Org, "#+INCLUDE: \"b.org::#one\"\n#+INCLUDE: b.org::12", "b.org#one b.org"),
            (Markup::Markdown, "[a](<%= u %>) [b](<?= $u ?>)", "<%=%20u%20%> <?=%20$u%20?>"),
            (Markup::AsciiDoc, "|===\n|https://h/a|https://h/b[x]\n|===", "https://h/b"),
            (Markup::AsciiDoc, "|===\n|https://h/c|link:d.html[x]\n|===", "d.html"),
            (Markup::AsciiDoc, "https://h/a|b[x]", "https://h/a|b"),
            (Markup::AsciiDoc, ":u: https://h/a\n\n+{u}+ `+{u}+` $${u}$$ +++{u}+++", "https://h/a"),
            (Markup::AsciiDoc, ":u: http://h\n\n#{u}# {u}#", "http://h http://h http://h#"),
            (Markup::Markdown, "!!! note\n\n    [a](b.md)\n\n        [c](d.md)\n", "b.md"),
            (Markup::Markdown, "=== \"A\"\n\n    ```\n\n    [a](b)\n    ```\n    [c](d)", "d"),
            (Markup::Markdown, "a\n:   b\n\n    [c](d)\n\n    ??? e\n\n        [f](g)", "d g"),
            (Markup::Markdown, "[a](<b c>) [d](%25)", "b%20c %25"),
        ] {
            let page = markup.page(text.as_bytes());
            let targets: Vec<_> = page.links.iter().map(|link| link.target.as_slice()).collect();
            assert_eq!(String::from_utf8_lossy(&targets.join(&b' ')), expected, "{text}");
        }
    }
}
