//! Documents: what a markup language makes a link, and which bytes stand for others.
//!
//! A language says what is a link by its markup, absolute or relative; whatever else is a URI
//! in a document, in its text, its comments or its code, the scanner finds as in all text.
//! Nothing is resolved and nothing is opened here.
//!
//! A document is whole in memory, so that each language has a longest one; a longer one is cut
//! where its language allows, and else read as text. So is what has escapes and no links
//! (`escapes`), whatever its length. Which language it is, its first bytes say or, where those do
//! not, its name.

pub mod anchors;
mod asciidoc;
pub mod challenge;
mod css;
mod declared;
mod escapes;
mod feed;
mod html;
mod ignored;
mod lines;
mod markdown;
mod org;
pub(in crate::source) mod reference;
mod rest;
mod roff;
mod shown;
mod together;

pub(super) use escapes::Escape;
pub use escapes::Escapes;
pub(in crate::source) use html::joints::Joints;
pub use html::{Targets, link_at, shown_at};
pub(in crate::source) use html::{breaks, open, scripts};
pub use ignored::Comments;

use std::borrow::Cow;
use std::panic::{self, AssertUnwindSafe};

use super::charset::Charset;
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
    /// What gettext keeps.
    Po,
    /// Properties of Java.
    Properties,
    /// What programs make HTML of.
    Template,
    /// What terminals and printers show.
    Terminal,
    /// LaTeX, and what BibTeX keeps.
    Tex,
    /// Texinfo.
    Texinfo,
    /// Rich Text Format.
    Rtf,
    /// Turtle, and its like with quads.
    Turtle,
    /// XML that is none of the others.
    Xml,
}

/// How documents in a language are known and read.
pub(super) struct Language {
    pub(super) markup: Markup,
    /// The name that asks for it.
    pub(super) id: &'static str,
    /// What it is called in messages.
    pub(super) name: &'static str,
    /// What the names of its files end in, behind a dot.
    suffixes: &'static [&'static str],
    form: Form,
}

/// How what is written in a language is read.
#[derive(Clone, Copy)]
enum Form {
    /// Whole.
    Document {
        /// Bytes of it, at most.
        len_max: usize,
        page: fn(&[u8]) -> Page,
        /// The longest beginning of a text that can be read without what stands behind.
        part: fn(&[u8]) -> Option<Part>,
    },
    /// As text.
    Text(Escapes),
}

/// The beginning of a document that is longer than such may be.
///
/// It says of its links what all of the document does, and so does what stands behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Bytes of it.
    pub len: usize,
    /// What relative links start from, where it says so.
    pub base: Option<Vec<u8>>,
}

/// For a language in which what comes late may change what came before.
const fn never(_: &[u8]) -> Option<Part> {
    None
}

/// Bytes of a base, at most: each record of a link repeats it. No sitemap takes a URI that is as
/// long as this, and no browser takes a base for one that it cannot read.
pub const BASE_LEN_MAX: usize = 2048;

/// A page of a book has 100 kB, and the longest standards on one page have some millions.
const LEN_MAX: usize = 8 * 1024 * 1024;
/// Parts of a document that may be cut from what the longest one could be.
const PARTS_MAX: usize = 16;
/// The reader of Markdown needs 65 times as much for nothing but brackets, and some ten times for
/// what people write.
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
];

/// What the names of compressed files end in; the name of the document stands before.
const PACKED: [&[u8]; 10] =
    [b".gz", b".bz2", b".xz", b".lzma", b".lz", b".zst", b".lz4", b".z", b".zz", b".zlib"];

/// `text` of HTML with its character references resolved.
#[must_use]
pub fn resolved(text: &[u8]) -> Cow<'_, [u8]> {
    reference::Resolved::new(text, Span::new(0, text.len())).bytes
}

/// `name` without what a program appended to it that compressed the file, in any case.
pub(super) fn without_packing(name: &[u8]) -> &[u8] {
    let apart = |suffix: &&[u8]| name.split_at_checked(name.len().checked_sub(suffix.len())?);
    let bare = PACKED.iter().find_map(|suffix| {
        apart(suffix).filter(|(_, end)| end.eq_ignore_ascii_case(suffix)).map(|(bare, _)| bare)
    });
    bare.unwrap_or(name)
}

impl Markup {
    /// The language of what a file with this name holds.
    #[must_use]
    pub fn by_name(name: &[u8]) -> Option<Self> {
        let name = without_packing(name);
        let suffix = name.get(memchr::memrchr(b'.', name)? + 1..)?;
        let is_its = |of: &&str| suffix.eq_ignore_ascii_case(of.as_bytes());
        let language = LANGUAGES.iter().find(|language| language.suffixes.iter().any(is_its));
        language.map(|language| language.markup)
    }

    /// True for a language whose documents begin with fields as messages do, for what makes pages
    /// of them: title, author, date.
    pub(super) const fn begins_with_fields(self) -> bool {
        matches!(self, Self::Markdown | Self::Mdx | Self::Rest | Self::AsciiDoc | Self::Org)
    }

    /// The language of a document that begins with `head`, where that says so.
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
        guarded(known).flatten()
    }

    /// The language of what begins with `head` and is called `name`. What looks like HTML, JSON or
    /// XML may be something else, if its name says so.
    #[must_use]
    pub fn of(head: &[u8], name: &[u8]) -> Option<Self> {
        // What a template of XML makes has all references of that.
        let is_named = |it: &Self| *it != Self::Template || !escapes::is_xml(head);
        let named = || Self::by_name(name).filter(is_named);
        Self::by_content(head).or_else(named).or_else(|| Self::by_look(head, name))
    }

    /// The language that a text which begins with `head` seems to be in. A name that ends in
    /// something may tell of a template, whose tags are those of HTML.
    fn by_look(head: &[u8], name: &[u8]) -> Option<Self> {
        let file = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default();
        let is_named = memchr::memchr(b'.', file).is_some();
        if !is_named && guarded(|| html::looks_like_html(head)) == Some(true) {
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

    /// The language with escapes of what is sent as `media_type`, in lower case (RFC 5545 §8.1, RFC
    /// 6350 §10.1, RFC 6839 §3.1, RFC 7303 §4.2; the others are those of shared-mime-info).
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

    /// The language's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.language().map_or("", |language| language.name)
    }

    /// What the names of its files end in, behind a dot.
    #[must_use]
    pub fn suffixes(self) -> &'static [&'static str] {
        self.language().map_or(&[], |language| language.suffixes)
    }

    /// Bytes of a document in this language, at most.
    #[must_use]
    pub fn len_max(self) -> usize {
        match self.form() {
            Some(Form::Document { len_max, .. }) => len_max,
            Some(Form::Text(_)) => usize::MAX,
            None => 0,
        }
    }

    /// What stands for something else in what is read as text.
    #[must_use]
    pub fn escapes(self) -> Option<Escapes> {
        match self.form()? {
            Form::Text(escapes) => Some(escapes),
            Form::Document { .. } => None,
        }
    }

    /// What `text`, a whole document, says of its links.
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
        guarded(|| page(text)).unwrap_or_else(|| Page { is_failed: true, ..Page::default() })
    }

    /// The beginning of `text`, which a document is longer than, that is read by itself. Not less
    /// than a good part of it, or the same bytes would be looked at again and again.
    #[must_use]
    pub fn part(self, text: &[u8]) -> Option<Part> {
        let Form::Document { len_max, part, .. } = self.form()? else { return None };
        let part = guarded(|| part(text)).flatten()?;
        (part.len >= len_max / PARTS_MAX).then_some(part)
    }

    /// True when a document that begins with `text` declares a charset of before Unicode, and may
    /// be in it.
    #[must_use]
    pub fn may_be_legacy(self, text: &[u8]) -> bool {
        guarded(|| declared::told(self, text)).flatten().is_some()
    }

    /// The charset of before Unicode that `text`, a whole document, is in and declares.
    #[must_use]
    pub fn charset(self, text: &[u8]) -> Option<Charset> {
        guarded(|| declared::charset(self, text)).flatten()
    }

    /// The charset of before Unicode that a document which begins with `head` declares, when that
    /// is no UTF-8.
    #[must_use]
    pub fn charset_of(self, head: &[u8]) -> Option<Charset> {
        guarded(|| declared::shown(self, head)).flatten()
    }

    /// Returns the label of the charset that `text`, a whole document, declares for itself.
    pub(super) fn declared(self, text: &[u8]) -> Option<Vec<u8>> {
        guarded(|| declared::label(self, text)).flatten()
    }

    fn form(self) -> Option<Form> {
        self.language().map(|language| language.form)
    }

    fn language(self) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.markup == self)
    }
}

/// What `read` gives; none when it panics. The parsers are other people's, and documents are
/// anybody's.
fn guarded<T>(read: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(read)).ok()
}

/// What a document says of its links.
#[derive(Default)]
pub struct Page {
    /// The links, in the order they stand; their spans do not overlap.
    pub links: Vec<Link>,
    /// Bytes that stand for others: character references, escapes. In order, without overlaps.
    pub replaced: Vec<Replaced>,
    /// What relative links start from, where the document says so.
    pub base: Option<Vec<u8>>,
    /// Where a part of the document that has a base of its own begins or ends, in order.
    pub scopes: Vec<(usize, Scope)>,
    /// True when the document could not be read as its language; then nothing else is said.
    pub is_failed: bool,
    /// Offset of the first mistake that a reader cannot see past: links behind it may be
    /// missing.
    pub broken_at: Option<usize>,
    /// Links that are no addresses yet, for something else fills them in; not among the others.
    pub templates: u64,
}

/// An end of a part of a document that has a base of its own; such parts may stand in each other.
pub enum Scope {
    /// It begins, and its relative links start from this, which may be relative itself.
    Begins(Vec<u8>),
    /// The innermost one ends.
    Ends,
}

/// Shows how much it says, and nothing of the text, which may hold passwords.
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
    /// Adds the page of what stands inside, at `start`, behind all that is here.
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
    /// Where the destination stands, without the quotes and brackets around it.
    pub span: Span,
    /// The destination as the language reads it.
    pub target: Vec<u8>,
    /// What a reader sees in its place, where that is known and short.
    pub shown: Option<Vec<u8>>,
}

/// Shows where it stands, and nothing of the text, which may hold passwords.
impl std::fmt::Debug for Link {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Link").field("span", &self.span).finish_non_exhaustive()
    }
}

/// Bytes that stand for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Where they stand.
    pub span: Span,
    bytes: [u8; Self::LEN_MAX],
    len: usize,
}

impl Replaced {
    /// Bytes that something stands for, at most: a reference of HTML stands for two
    /// characters at most, and for five bytes or six in UTF-8 then.
    const LEN_MAX: usize = 8;

    /// The bytes at `span` stand for `text`; more than eight bytes do not occur and are cut.
    #[must_use]
    pub fn new(span: Span, text: &[u8]) -> Self {
        let mut bytes = [0; Self::LEN_MAX];
        let len = text.len().min(Self::LEN_MAX);
        for (to, from) in bytes.iter_mut().zip(text) {
            *to = *from;
        }
        Self { span, bytes, len }
    }

    /// What they stand for.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// `text` with what `replaced` stands for in its place; in order and without overlaps.
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

/// `target` with escapes for its blanks, as readers of languages make them in which a link may
/// have some.
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
}
