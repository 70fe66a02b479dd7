//! Collects the names that occur in mail: of messages (RFC 5322 §3.6.4), and of their parts (RFC
//! 2045 §7), for the check of `mid:` and `cid:` links (RFC 2392).
//!
//! A header counts wherever it is one. A header that is quoted alone, as in bounces
//! (`text/rfc822-headers`), counts like that of its message.

use crate::finding::Message;
use crate::source::mail::mailbox::{self, FromLine};
use crate::source::mail::mime::{Content, Section};
use crate::source::{Piece, Records};

const CONTENT_ID: &[u8] = b"content-id";

/// A name that occurs in mail, without its brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The number in its box of the message with the name; `None` for a message that is alone.
    pub number: Option<u64>,
    /// The bearer of the name.
    pub of: Named,
    /// The name.
    pub id: Vec<u8>,
}

/// The bearer of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// The message.
    Message,
    /// A message inside of it.
    Inner,
    /// A part of it; with the name of the message, if it has one.
    Part(Option<Vec<u8>>),
}

/// Collects the names of a piece.
pub(super) struct Names<'p> {
    /// The offsets of the messages to come.
    starts: &'p [usize],
    number: Option<u64>,
    /// The name of the message.
    message: Option<Vec<u8>>,
    /// Whether all headers are those of messages in the message, and of their parts.
    is_inner: bool,
    /// The meaning of a `From ` line in a header.
    from_line: FromLine,
    found: Vec<Name>,
}

impl<'p> Names<'p> {
    /// Collects names in an encoded message inside `outer`.
    pub(super) fn inside(outer: Option<&Message>) -> Self {
        Self { is_inner: true, ..Self::after(outer) }
    }

    /// Collects names after the beginning of `message`.
    fn after(message: Option<&Message>) -> Self {
        let number = message.and_then(|message| message.number);
        let id = message.and_then(|message| message.id.as_deref()).map(name);
        let (from_line, found) = (FromLine::Begins, Vec::new());
        Self { starts: &[], number, message: id, is_inner: false, from_line, found }
    }

    /// Collects names of `piece`.
    pub(super) fn of(piece: &'p Piece) -> Self {
        let Records::Mail { message, starts, count, style, .. } = &piece.records else {
            return Self::after(None);
        };
        let from_line = style.in_head();
        Self { starts, number: *count, from_line, ..Self::after(message.as_deref()) }
    }

    /// Collects the names in `section` of `bytes`, if that is a header. Sections must come in
    /// order.
    pub(super) fn take(&mut self, bytes: &[u8], section: &Section) {
        while let [start, rest @ ..] = self.starts
            && *start <= section.span.start
        {
            self.starts = rest;
            // The header may continue after the piece.
            self.message = mailbox::message(bytes, *start, self.from_line).id.as_deref().map(name);
            self.number = self.number.map(|number| number + 1);
        }
        if section.content != Content::Fields || !section.codings.is_empty() {
            return;
        }
        for at in mailbox::line_starts(bytes, section.span) {
            let line = bytes.get(at..).unwrap_or_default();
            if mailbox::is_named(line, mailbox::MESSAGE_ID) {
                let id = name(&mailbox::value(line));
                let is_inner = self.is_inner || section.part.is_some();
                let is_message = !is_inner && self.message.as_ref() == Some(&id);
                let of = if is_message { Named::Message } else { Named::Inner };
                self.found.push(Name { number: self.number, of, id });
            } else if mailbox::is_named(line, CONTENT_ID) {
                let (of, id) = (Named::Part(self.message.clone()), name(&mailbox::value(line)));
                self.found.push(Name { number: self.number, of, id });
            }
        }
    }

    /// Returns the names found.
    pub(super) fn finish(self) -> Vec<Name> {
        self.found
    }
}

/// Returns the name in the value of a field: the text in the first brackets, or all of it, since
/// some programs omit them.
fn name(value: &[u8]) -> Vec<u8> {
    let inside = memchr::memchr(b'<', value).and_then(|open| value.get(open + 1..));
    let closed = inside.and_then(|inside| inside.get(..memchr::memchr(b'>', inside)?));
    closed.unwrap_or(value).trim_ascii().to_vec()
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_stands_in_the_first_brackets() {
        for (value, expected) in [
            (&b" <a@b>"[..], &b"a@b"[..]),
            (b" (a comment) < a@b > <c@d>", b"a@b"),
            (b" a@b ", b"a@b"),
            (b" <a@b", b"<a@b"),
            (b"", b""),
        ] {
            assert_eq!(name(value), expected);
        }
    }
}
