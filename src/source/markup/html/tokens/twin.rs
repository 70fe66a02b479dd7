//! The slow tokenizer that the tests hold [`Tokens`](super::Tokens) to: the states of `html5gum`,
//! and the emitter that they call, which turns its calls into tokens with spans.

use std::collections::VecDeque;

use html5gum::emitters::Emitter;
use html5gum::{State, Tokenizer};

use super::twin_reader::{Attributes, SlashingReader};
use super::{Element, Token};
use crate::span::{BYTE_ORDER_MARK, Span};

impl Element {
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

/// Returns the tokens of `text`.
pub(super) fn tokens(text: &[u8]) -> Vec<Token> {
    let listener = Listener::new(text, 0);
    let reader = SlashingReader::new(text, listener.attributes.clone());
    Tokenizer::new_with_emitter(reader, listener).flatten().collect()
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
        let head = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
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
