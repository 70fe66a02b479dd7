//! Tokenizes HTML into tags, attributes and text, as spans of the source bytes (HTML Standard
//! §13.2.5).
//!
//! Nothing is copied: where the standard changes its input (CR, NUL, letters of names, references),
//! the span still holds the source bytes. Text is searched for tags by `memchr`, and read no
//! further. The tests compare the tokens with those of `html5gum`, which has all states of the
//! standard.
//!
//! Elements without tags are known by their names; no tree is built. Not done: elements in
//! elements, namespaces, `plaintext`.
//!
//! An attribute is emitted when the next one or the end of its tag follows, before it is known
//! whether the tag has an end.

mod markup;
mod script;
#[cfg(test)]
mod twin;
#[cfg(test)]
mod twin_reader;

use crate::span::{BYTE_ORDER_MARK, Span, mark_len};

/// Bytes before a value that are searched for its tag. Tags of mail hold classes and styles.
pub(super) const TAG_LEN_MAX: usize = 1024;

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
        // Most elements have shorter names.
        if !matches!(name.len(), 3 | 5..=8) {
            return None;
        }
        let is_named = |known: &&&[u8]| name.eq_ignore_ascii_case(known);
        if name.eq_ignore_ascii_case(b"script") {
            return Some(Self::Script);
        }
        let raw = RAW.iter().find(is_named).map(|known| Self::Raw(known));
        raw.or_else(|| ESCAPABLE.iter().find(is_named).map(|known| Self::Escapable(known)))
    }
}

/// Reports whether the element called `name` holds tags.
pub(super) fn holds_tags(name: &[u8]) -> bool {
    Element::of(name).is_none()
}

/// The tokens of a text, in order.
pub(in crate::source::markup) struct Tokens<'t> {
    text: &'t [u8],
    /// Offset of the next byte to read.
    at: usize,
    /// Offset where the current run of text begins.
    run: usize,
    /// The name of the start tag that is read; `None` outside of start tags.
    tag: Option<Span>,
    /// The current element without tags.
    element: Option<Element>,
    /// The number of open constructs in which tags may close themselves and CDATA is recognised: an
    /// XML declaration, and each element `svg`.
    foreign: usize,
    /// A token that was read, to be emitted after the text before it.
    next: Option<Token>,
}

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
    let start = mark_len(text);
    let blanks = text.iter().skip(start).take_while(|byte| is_space(**byte));
    start + blanks.count()
}

impl<'t> Tokens<'t> {
    /// Creates the tokens of `text` from `at` on, where no tag may be open.
    pub(in crate::source::markup) fn new(text: &'t [u8], at: usize) -> Self {
        let at = at.min(text.len());
        let head = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let foreign = usize::from(head.starts_with(b"<?xml"));
        Self { text, at, run: at, tag: None, element: None, foreign, next: None }
    }

    fn rest(&self, at: usize) -> &'t [u8] {
        self.text.get(at..).unwrap_or_default()
    }

    /// Ends the run of text at `end`, and continues at `at` with `next`, if there is one; returns
    /// the first of the two that exists.
    fn end_run(&mut self, end: usize, at: usize, next: Option<Token>) -> Option<Token> {
        let run = Span::new(self.run, end);
        (self.at, self.run) = (at, at);
        if run.is_empty() {
            return next;
        }
        self.next = next;
        let is_raw = matches!(self.element, Some(Element::Script | Element::Raw(_)));
        Some(if is_raw { Token::Raw(run) } else { Token::Text(run) })
    }

    /// Reads up to the next token outside of tags.
    fn content(&mut self) -> Option<Token> {
        while self.at < self.text.len() {
            let token = match self.element {
                None => self.data(),
                Some(element) => self.data_of(element),
            };
            if token.is_some() {
                return token;
            }
        }
        self.end_run(self.text.len(), self.text.len(), None)
    }

    /// Reads text with tags up to the next token, or past something that is none.
    fn data(&mut self) -> Option<Token> {
        let rest = self.rest(self.at);
        let Some(len) = memchr::memchr(b'<', rest) else {
            self.at = self.text.len();
            return None;
        };
        let open = self.at + len;
        match self.rest(open + 1) {
            [first, ..] if first.is_ascii_alphabetic() => self.start_tag(open),
            [b'/', first, ..] if first.is_ascii_alphabetic() => self.end_tag(open),
            [b'/', _, ..] | [b'!' | b'?', ..] => self.declaration(open),
            _ => {
                self.at = open + 1;
                None
            }
        }
    }

    /// Reads a document type, a comment or CDATA, which begins at `open`.
    fn declaration(&mut self, open: usize) -> Option<Token> {
        let (end, token) = markup::declaration(self.text, open, self.foreign > 0);
        self.end_run(open, end, token)
    }

    /// Reads the text of `element` up to its end tag.
    fn data_of(&mut self, element: Element) -> Option<Token> {
        let found = match element {
            Element::Script => script::end(self.text, self.at),
            Element::Raw(name) | Element::Escapable(name) => {
                memchr::memchr_iter(b'<', self.rest(self.at))
                    .map(|at| self.at + at)
                    .find(|open| is_end_tag(self.rest(*open), name))
            }
        };
        match found {
            Some(open) => self.end_tag(open),
            None => {
                self.at = self.text.len();
                None
            }
        }
    }

    /// Begins the start tag at `open`.
    fn start_tag(&mut self, open: usize) -> Option<Token> {
        let name = markup::name(self.text, open + 1);
        // A tag that the end of the text cuts in its name is none.
        if markup::is_end(self.text, name.end) {
            return self.end_run(open, self.text.len(), None);
        }
        self.tag = Some(name);
        self.end_run(open, name.end, Some(Token::Open(name)))
    }

    /// Reads the end tag at `open`.
    fn end_tag(&mut self, open: usize) -> Option<Token> {
        let name = markup::name(self.text, open + 2);
        let mut at = name.end;
        let end = loop {
            at = markup::skipped(self.text, at);
            match self.text.get(at) {
                Some(b'>') => break at + 1,
                Some(_) => match markup::attribute(self.text, at) {
                    Some((_, _, end)) => at = end,
                    None => return self.end_run(open, self.text.len(), None),
                },
                None => return self.end_run(open, self.text.len(), None),
            }
        };
        let token = self.end_run(open, end, Some(Token::Close(name)));
        self.element = None;
        let is_foreign = name.of(self.text).eq_ignore_ascii_case(b"svg");
        self.foreign = self.foreign.saturating_sub(usize::from(is_foreign));
        token
    }

    /// Reads the next attribute of the start tag called `name`, or its end.
    fn inside(&mut self, name: Span) -> Option<Token> {
        let at = markup::skipped(self.text, self.at);
        if self.text.get(at) == Some(&b'>') {
            return Some(self.opened(name, at + 1));
        }
        let attribute = markup::attribute(self.text, at);
        match attribute.filter(|(.., end)| !markup::is_end(self.text, *end)) {
            Some((name, value, end)) => {
                self.at = end;
                Some(Token::Attribute(name, value))
            }
            None => {
                (self.tag, self.at, self.run) = (None, self.text.len(), self.text.len());
                None
            }
        }
    }

    /// Ends the start tag called `name` at `end`.
    fn opened(&mut self, name: Span, end: usize) -> Token {
        let is_closed = self.text.get(end.saturating_sub(2)) == Some(&b'/') && self.at < end - 1;
        let name = name.of(self.text);
        let is_empty = is_closed && self.foreign > 0;
        self.element = if is_empty { None } else { Element::of(name) };
        self.foreign += usize::from(!is_closed && name.eq_ignore_ascii_case(b"svg"));
        (self.tag, self.at, self.run) = (None, end, end);
        Token::Opened(end)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if let Some(token) = self.next.take() {
            return Some(token);
        }
        match self.tag {
            Some(name) => self.inside(name),
            None => self.content(),
        }
    }
}

/// Reports whether `text` begins with an end tag of the element called `name`.
fn is_end_tag(text: &[u8], name: &[u8]) -> bool {
    let rest = text.strip_prefix(b"</").unwrap_or_default();
    let Some((start, rest)) = rest.split_at_checked(name.len()) else { return false };
    ends_name(rest) && start.eq_ignore_ascii_case(name)
}

/// Reports whether the name of a tag ends where `rest` begins (HTML Standard §13.2.5.8).
pub(super) fn ends_name(rest: &[u8]) -> bool {
    rest.first().is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use html5gum::{DefaultEmitter, Tokenizer};

    use super::{Span, Token, Tokens, holds_tags, twin};
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
    fn elements_are_known_by_their_names_in_any_case() {
        let known = "script style xmp iframe noembed noframes title textarea";
        for name in known.split(' ') {
            assert!(!holds_tags(name.as_bytes()), "{name}");
            assert!(!holds_tags(name.to_ascii_uppercase().as_bytes()), "{name}");
        }
        for name in ["", "a", "p", "div", "span", "code", "table", "button", "noscript", "scripts"]
        {
            assert!(holds_tags(name.as_bytes()), "{name}");
        }
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

    /// Other such texts, for which the library's own emitter is in other states.
    const MORE: [&[u8]; 22] = [
        b"<!",
        b"<!-",
        b"-",
        b"--",
        b"--!>",
        b"<!doctype",
        b"<!DOCTYPE\0",
        b"<svg>",
        b"<svg/>",
        b"</svg>",
        b"<svg ",
        b"<?xml ?>",
        b"<script",
        b"</script",
        b"SCRIPT",
        b"<xmp>",
        b"</XMP/",
        b"<iframe x='",
        b"<noembed>",
        b"</noembed>",
        b"</ x",
        b"<noscript>",
    ];

    /// A generator of texts.
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 % limit as u64).unwrap_or_default()
        }

        fn text(&mut self, words: &[&[u8]]) -> Vec<u8> {
            let len = self.below(24);
            (0..len).flat_map(|_| words[self.below(words.len())]).copied().collect()
        }
    }

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
    fn tokens_are_those_of_the_standards_states() {
        let words = [&WORDS[..], &MORE[..]].concat();
        let mut chance = Chance(0x1405_7B7E_F767_814F);
        let mut count = 0;
        for _ in 0..300_000 {
            let text = chance.text(&words);
            // The place of a name that is missing means nothing.
            let placed = |token| match token {
                Token::Doctype(name) if name.is_empty() => Token::Doctype(Span::default()),
                token => token,
            };
            let found: Vec<_> = Tokens::new(&text, 0).map(placed).collect();
            let expected: Vec<_> = twin::tokens(&text).into_iter().map(placed).collect();
            count += found.len();
            assert_eq!(found, expected, "{}", text.escape_ascii());
        }
        assert!(count > 1_000_000, "{count} tokens");
    }

    #[test]
    fn spans_read_as_what_the_library_copies() {
        let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
        let mut count = 0;
        for _ in 0..100_000 {
            let text = chance.text(&WORDS);
            let found = tags(&text);
            count += found.iter().filter(|tag| !tag.1.is_empty()).count();
            assert_eq!(found, copied_tags(&text), "{}", text.escape_ascii());
        }
        assert!(count > 20_000, "{count} tags with attributes");
    }
}
