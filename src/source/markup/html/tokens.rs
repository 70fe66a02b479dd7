//! Tokenizes HTML into tags, attributes and text, as spans of the source bytes.
//!
//! The states are those of `html5gum` (HTML Standard §13.2.5), and so is the count of bytes; here
//! is the emitter that those states call. Nothing is copied: where the standard changes its input
//! (CR, NUL, letters of names, references), the span still holds the source bytes.
//!
//! Elements without tags are known by their names; no tree is built. Not done: elements in
//! elements, namespaces, `plaintext`.
//!
//! Attributes are emitted as written, before it is known whether their tag has an end.

mod reader;

use std::collections::VecDeque;

use html5gum::emitters::Emitter;
use html5gum::{State, Tokenizer};

use self::reader::{Attributes, SlashingReader};
use crate::span::Span;

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::markup) enum Token {
    /// The document type; its name, which may be empty.
    Doctype(Span),
    /// A start tag begins; its name.
    Open(Span),
    /// The name and the value of an attribute of the start tag. The value is without quotes, and
    /// empty if there is none.
    Attribute(Span, Span),
    /// The start tag ends; the offset after it.
    Opened(usize),
    /// An end tag; its name.
    Close(Span),
    /// Text, in which references denote characters.
    Text(Span),
    /// Text without references: scripts, styles, CDATA.
    Raw(Span),
}

/// Elements that hold no tags (HTML Standard §13.2.6.2, §13.2.6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Script,
    /// Its text is raw.
    Raw(&'static [u8]),
    /// Its text has references.
    Escapable(&'static [u8]),
}

impl Element {
    /// Returns the element of a name. Unlike `html5gum`, assumes that scripts are off, so that
    /// `noscript` has tags.
    fn of(name: &[u8]) -> Option<Self> {
        const RAW: [&[u8]; 5] = [b"style", b"xmp", b"iframe", b"noembed", b"noframes"];
        const ESCAPABLE: [&[u8]; 2] = [b"title", b"textarea"];
        let is_named = |known: &&&[u8]| name.eq_ignore_ascii_case(known);
        if name.eq_ignore_ascii_case(b"script") {
            return Some(Self::Script);
        }
        let raw = RAW.iter().find(is_named).map(|known| Self::Raw(known));
        raw.or_else(|| ESCAPABLE.iter().find(is_named).map(|known| Self::Escapable(known)))
    }

    const fn name(self) -> &'static [u8] {
        match self {
            Self::Script => b"script",
            Self::Raw(name) | Self::Escapable(name) => name,
        }
    }

    const fn state(self) -> State {
        match self {
            Self::Script => State::ScriptData,
            Self::Raw(_) => State::RawText,
            Self::Escapable(_) => State::RcData,
        }
    }
}

/// Reports whether the element called `name` holds tags.
pub(super) fn holds_tags(name: &[u8]) -> bool {
    Element::of(name).is_none()
}

/// The tokens of a text, in order.
pub(in crate::source::markup) struct Tokens<'t> {
    tokenizer: Tokenizer<SlashingReader<'t>, Listener<'t>>,
}

/// UTF-8's byte order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reports whether HTML takes `byte` for white space (Infra Standard §4.6).
pub(in crate::source::markup) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0C' | b'\r')
}

/// Returns `span` without the white space at both ends.
pub(in crate::source::markup) fn trimmed(text: &[u8], span: Span) -> Span {
    let bytes = span.of(text);
    let Some(first) = bytes.iter().position(|byte| !is_space(*byte)) else {
        return Span::new(span.start, span.start);
    };
    let end = bytes.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    Span::new(span.start + first, span.start + end)
}

/// Returns the offset after a byte order mark and white space.
pub(in crate::source::markup) fn root(text: &[u8]) -> usize {
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let blanks = text.iter().skip(start).take_while(|byte| is_space(**byte));
    start + blanks.count()
}

impl<'t> Tokens<'t> {
    /// Creates the tokens of `text` from `at` on, where no tag may be open.
    pub(in crate::source::markup) fn new(text: &'t [u8], at: usize) -> Self {
        let rest = text.get(at..).unwrap_or_default();
        let listener = Listener::new(text, at);
        let reader = SlashingReader::new(rest, listener.attributes.clone());
        Self { tokenizer: Tokenizer::new_with_emitter(reader, listener) }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.tokenizer.next()?.ok()
    }
}

/// Turns the calls of the tokenizer into tokens.
struct Listener<'t> {
    text: &'t [u8],
    /// Offset after the bytes that were read.
    at: usize,
    tokens: VecDeque<Token>,
    /// The current run of text.
    run: Span,
    is_cdata: bool,
    /// The current element without tags.
    element: Option<Element>,
    /// The name of the current tag or document type.
    name: Span,
    is_start: bool,
    /// Whether a token for the start tag's name was emitted.
    is_open: bool,
    is_closed: bool,
    attribute: Option<Attribute>,
    /// The number of the tag's attributes.
    attributes: Attributes,
    /// The number of open constructs in which tags may close themselves and CDATA is recognised: an
    /// XML declaration, and each element `svg`.
    foreign: usize,
}

struct Attribute {
    name: Span,
    value: Option<Span>,
}

impl<'t> Listener<'t> {
    fn new(text: &'t [u8], at: usize) -> Self {
        let head = text.strip_prefix(BOM).unwrap_or(text);
        Self {
            text,
            at,
            tokens: VecDeque::new(),
            run: Span::new(at, at),
            is_cdata: false,
            element: None,
            name: Span::new(at, at),
            is_start: false,
            is_open: false,
            is_closed: false,
            attribute: None,
            attributes: Attributes::default(),
            foreign: usize::from(head.starts_with(b"<?xml")),
        }
    }

    /// Returns the span of the byte that was read last, as the beginning of a name.
    fn last(&self) -> Span {
        Span::new(self.at.saturating_sub(1), self.at)
    }

    fn is_named(&self, name: &[u8]) -> bool {
        self.name.of(self.text).eq_ignore_ascii_case(name)
    }

    /// Ends the run of text; the next one may begin here.
    fn end_run(&mut self) {
        let is_raw = matches!(self.element, Some(Element::Script | Element::Raw(_)));
        if !self.run.is_empty() {
            let is_raw = is_raw || self.is_cdata;
            self.tokens.push_back(if is_raw { Token::Raw } else { Token::Text }(self.run));
        }
        self.run = Span::new(self.at, self.at);
        self.is_cdata = false;
    }

    /// Ends the name of a start tag.
    fn end_name(&mut self) {
        if self.is_start && !self.is_open {
            self.end_run();
            self.tokens.push_back(Token::Open(self.name));
            self.is_open = true;
        }
    }

    fn end_attribute(&mut self) {
        self.end_name();
        if let Some(Attribute { name, value }) = self.attribute.take() {
            let value = value.unwrap_or(Span::new(name.end, name.end));
            self.tokens.push_back(Token::Attribute(name, value));
        }
    }

    fn init_tag(&mut self, is_start: bool) {
        self.name = self.last();
        self.is_start = is_start;
        (self.is_open, self.is_closed) = (false, false);
        self.attribute = None;
        self.attributes.begin();
    }

    fn end_start_tag(&mut self) {
        if let Some(Attribute { name, value: value @ None }) = &mut self.attribute {
            // No call reports a value that is missing after its `=`, as in `<a href=>`.
            let end = self.at.saturating_sub(b">".len());
            let is_missing = Span::new(name.end, end).of(self.text).contains(&b'=');
            *value = is_missing.then(|| Span::new(end, end));
        }
        self.end_attribute();
        self.tokens.push_back(Token::Opened(self.at));
        let is_empty = self.is_closed && self.foreign > 0;
        self.element = if is_empty { None } else { Element::of(self.name.of(self.text)) };
        self.foreign += usize::from(!self.is_closed && self.is_named(b"svg"));
        self.run = Span::new(self.at, self.at);
    }

    fn end_end_tag(&mut self) {
        self.end_run();
        self.tokens.push_back(Token::Close(self.name));
        self.element = None;
        self.foreign = self.foreign.saturating_sub(usize::from(self.is_named(b"svg")));
    }
}

impl Emitter for Listener<'_> {
    type Token = Token;

    fn move_position(&mut self, offset: isize) {
        self.at = self.at.saturating_add_signed(offset);
    }

    fn pop_token(&mut self) -> Option<Token> {
        self.tokens.pop_front()
    }

    /// Begins text, or continues it. Bytes in between were neither text nor a tag.
    fn init_string(&mut self) {
        if self.is_cdata {
            self.run.end = self.at.saturating_sub(b"]]>".len());
        }
        if self.is_cdata || self.run.end != self.at {
            self.end_run();
        }
    }

    fn emit_string(&mut self, _: &[u8]) {
        self.run.end = self.at;
    }

    fn emit_eof(&mut self) {
        if self.is_cdata {
            self.run.end = self.at;
        }
        self.end_run();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        if self.foreign > 0 {
            self.end_run();
            self.is_cdata = true;
        }
        self.foreign > 0
    }

    fn init_start_tag(&mut self) {
        self.init_tag(true);
    }

    fn init_end_tag(&mut self) {
        self.init_tag(false);
    }

    fn push_tag_name(&mut self, _: &[u8]) {
        self.name.end = self.at;
    }

    fn set_self_closing(&mut self) {
        self.is_closed = true;
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
        self.attributes.count();
        self.attribute = self.is_start.then(|| Attribute { name: self.last(), value: None });
    }

    fn push_attribute_name(&mut self, _: &[u8]) {
        if let Some(attribute) = &mut self.attribute {
            attribute.name.end = self.at;
        }
    }

    fn init_attribute_value(&mut self) {
        if let Some(attribute) = &mut self.attribute {
            attribute.value = Some(Span::new(self.at, self.at));
        }
    }

    fn push_attribute_value(&mut self, _: &[u8]) {
        if let Some(Attribute { value: Some(value), .. }) = &mut self.attribute {
            value.end = self.at;
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        if self.is_start {
            self.end_start_tag();
        } else {
            self.end_end_tag();
        }
        self.element.map(Element::state)
    }

    /// Called while an element without tags is read.
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && self.element.is_some_and(|element| self.is_named(element.name()))
    }

    fn init_doctype(&mut self) {
        self.name = Span::new(self.last().start, self.last().start);
    }

    fn push_doctype_name(&mut self, _: &[u8]) {
        self.name.end = self.at;
    }

    fn emit_current_doctype(&mut self) {
        self.end_run();
        self.tokens.push_back(Token::Doctype(self.name));
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    // The other calls are ignored: errors, comments, and the sources of document types.

    fn emit_error(&mut self, _: html5gum::Error) {}
    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use html5gum::{DefaultEmitter, Tokenizer};

    use super::{Span, Token, Tokens};
    use crate::source::markup::reference::Resolved;

    /// Returns the source of each token of `text`, with a mark of its kind before it.
    fn marked(text: &str) -> Vec<String> {
        let of = |span: Span| span.of(text.as_bytes()).escape_ascii().to_string();
        let mark = |token| match token {
            Token::Doctype(name) => format!("!{}", of(name)),
            Token::Open(name) => format!("<{}", of(name)),
            Token::Attribute(name, value) => format!("{}={}", of(name), of(value)),
            Token::Opened(end) => format!(">{end}"),
            Token::Close(name) => format!("/{}", of(name)),
            Token::Text(span) => format!("'{}", of(span)),
            Token::Raw(span) => format!("#{}", of(span)),
        };
        Tokens::new(text.as_bytes(), 0).map(mark).collect()
    }

    #[track_caller]
    fn case(text: &str, expected: &[&str]) {
        assert_eq!(marked(text), expected, "{text:?}");
    }

    #[test]
    fn tokens_stand_where_their_bytes_do() {
        case("a&amp;<b >c</B >", &["'a&amp;", "<b", ">10", "'c", "/B"]);
        case("<A b='c' d=e&lt; f g=\"\" h= >", &["<A", "b=c", "d=e&lt;", "f=", "g=", "h=", ">28"]);
        case("<a\r\nb\r\n=\r\n'\r\nc\r\n'\r\n>\r\n", &["<a", "b=\\r\\nc\\r\\n", ">20", "'\\r\\n"]);
        case("<a\0 b\0='\0'>\0", &["<a\\x00", "b\\x00=\\x00", ">11", "'\\x00"]);
        case("<!DOCTYPE html>a</>b<!-- c -->d<!e>f", &["!html", "'a", "'b", "'d", "'f"]);
        case("a < b <", &["'a < b <"]);
    }

    /// The tag has more attributes than a thread's stack allows the tokenizer alone.
    #[test]
    fn tags_may_have_any_number_of_attributes() {
        const COUNT: usize = 100_000;
        for (begin, unit, attribute) in [
            ("<a ", "b=\"c\" ", "b=c"),
            ("<a ", "b=\"c\"\n", "b=c"),
            ("<a ", "b='c' ", "b=c"),
            ("<a ", "b=\"c\"/", "b=c"),
            ("<a=\"\n", "<a=\"\n<a=\"\n", "<a=\\n<a="),
        ] {
            let text = [begin, &unit.repeat(COUNT), "href=\"d e\" f >g"].concat();
            let marks = marked(&text);
            let same = marks.iter().filter(|mark| *mark == attribute).count();
            assert!((COUNT - 2..=COUNT).contains(&same), "{same} of {unit:?}");
            if begin.ends_with(' ') {
                let end = format!(">{}", text.len() - 1);
                assert_eq!(marks[marks.len() - 4..], ["href=d e", "f=", &end, "'g"], "{unit:?}");
            }
        }
        let text = ["</a ", &"b=\"c\" ".repeat(COUNT), "><d"].concat();
        assert_eq!(marked(&text), ["/a"]);
        for count in 250..260 {
            let text = ["<svg><a ", &"b=\"c\" ".repeat(count), "><![CDATA[d]]>"].concat();
            assert_eq!(marked(&text).last().map(String::as_str), Some("#d"), "{count}");
        }
    }

    #[test]
    fn elements_without_tags_hold_text() {
        case(
            "<title>a<b>&amp;</titlex></TITLE>c",
            &["<title", ">7", "'a<b>&amp;</titlex>", "/TITLE", "'c"],
        );
        case(
            "<script><!--<script></script>--></script>",
            &["<script", ">8", "#<!--<script></script>-->", "/script"],
        );
        case("<noscript><a></noscript>", &["<noscript", ">10", "<a", ">13", "/noscript"]);
        case("<style></style >a", &["<style", ">7", "/style", "'a"]);
    }

    #[test]
    fn what_is_foreign_has_cdata_and_empty_tags() {
        case("<![CDATA[a]]>b", &["'b"]);
        case(
            "<svg>a<![CDATA[b]]]>c<![CDATA[]]><![CDATA[d]",
            &["<svg", ">5", "'a", "#b]", "'c", "#d]"],
        );
        case("<svg/><![CDATA[a]]>", &["<svg", ">6"]);
        case("<svg></svg><![CDATA[a]]>", &["<svg", ">5", "/svg"]);
        case("<?xml?><script/><a>", &["<script", ">16", "<a", ">19"]);
        case("<script/><a>", &["<script", ">9", "#<a>"]);
    }

    #[test]
    fn a_tag_that_the_end_cuts_is_not_opened() {
        case("<a b=c d='e", &["<a", "b=c"]);
        case("<a", &[]);
        case("a</b", &["'a"]);
    }

    // ---- tags as the library copies them ---------------------------------------------------

    /// Texts that change the state of the tokenizer, among them bytes that it replaces.
    const WORDS: [&[u8]; 56] = [
        b"<",
        b">",
        b"/",
        b"=",
        b"\"",
        b"'",
        b" ",
        b"\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xFF",
        b"\xC3",
        b"\xC3\xA9",
        b"\x0C",
        b"!",
        b"-->",
        b"&",
        b";",
        b"#",
        b"x",
        b"A",
        b"<a ",
        b"<a b=",
        b" b=\"",
        b"' c='",
        b"b",
        b" = ",
        b"</",
        b"</a>",
        b"<a b=x>",
        b"<i b=\"y\"/>",
        b"<!--",
        b"<?",
        b"]]>",
        b"<!DOCTYPE html>",
        b"<![CDATA[",
        b"<script>",
        b"</script>",
        b"<style>",
        b"</style>",
        b"<title>",
        b"</title>",
        b"</title ",
        b"<textarea>",
        b"</textarea\n>",
        b"&amp;",
        b"&amp",
        b"&copy",
        b"&copy=",
        b"&#38;",
        b"&#x2F",
        b"&#",
        b"&notit;",
        b"&#x0;",
        b"&#13;",
    ];

    /// A start tag: its name and its attributes, of several with one name the first.
    type Tag = (Vec<u8>, BTreeMap<Vec<u8>, Vec<u8>>);

    /// Returns `bytes` as the library gives them to others: lines end in LF, and nothing is NUL.
    fn preprocessed(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' if at > 0 && bytes[at - 1] == b'\r' => {}
                b'\r' => out.push(b'\n'),
                0 => out.extend("\u{FFFD}".bytes()),
                byte => out.push(*byte),
            }
        }
        out
    }

    /// Returns the tags of `text` by the spans of their tokens.
    fn tags(text: &[u8]) -> Vec<Tag> {
        let name_at = |span: Span| preprocessed(&span.of(text).to_ascii_lowercase());
        let (mut tags, mut tag) = (Vec::new(), Tag::default());
        for token in Tokens::new(text, 0) {
            match token {
                Token::Open(name) => tag = (name_at(name), BTreeMap::new()),
                Token::Attribute(name, value) => {
                    let value = preprocessed(value.of(text));
                    let value = Resolved::new(&value, Span::new(0, value.len())).bytes.into_owned();
                    tag.1.entry(name_at(name)).or_insert(value);
                }
                Token::Opened(_) => tags.push(std::mem::take(&mut tag)),
                _ => {}
            }
        }
        tags
    }

    /// Returns the tags of `text` as the library copies them.
    fn copied_tags(text: &[u8]) -> Vec<Tag> {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let tokens = Tokenizer::new_with_emitter(text, emitter).flatten();
        let tags = tokens.filter_map(|token| match token {
            html5gum::Token::StartTag(tag) => Some(tag),
            _ => None,
        });
        let owned = |bytes: &[u8]| bytes.to_vec();
        tags.map(|tag| {
            let values = tag.attributes.iter();
            (owned(&tag.name), values.map(|(name, value)| (owned(name), owned(value))).collect())
        })
        .collect()
    }

    #[test]
    fn spans_read_as_what_the_library_copies() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % limit as u64).unwrap_or_default()
        };
        let mut count = 0;
        for _ in 0..100_000 {
            let len = below(24);
            let words = (0..len).flat_map(|_| WORDS[below(WORDS.len())]);
            let text: Vec<u8> = words.copied().collect();
            let found = tags(&text);
            count += found.iter().filter(|tag| !tag.1.is_empty()).count();
            assert_eq!(found, copied_tags(&text), "{}", text.escape_ascii());
        }
        assert!(count > 20_000, "{count} tags with attributes");
    }
}
