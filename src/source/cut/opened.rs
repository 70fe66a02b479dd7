//! Classifies a text by its first bytes, before it is cut: packed, encoded, or ready to be cut.

use std::io::{self, Read};

use super::input::{Coding, Input, feed};
use super::{Cutter, End, Event, Outcome, Stage, Structure, Text, buffer_len};
use crate::finding::{Origin, Skip};
use crate::source::InputKind;
use crate::source::buffer::Buffer;
use crate::source::detect;
use crate::source::detect::{Hints, postal, stores};
use crate::source::kind::Content;
use crate::source::mail::boxes::Style;
use crate::source::mail::charset::Wide;
use crate::source::mail::mailbox::HEADER_LEN_MAX;
use crate::source::mail::mime::Charset;
use crate::source::mail::{letters, saved};
use crate::source::markup::Markup;
use crate::span::BYTE_ORDER_MARK;

/// An input whose first bytes were read, and its content by them.
pub struct Opened<R> {
    pub(super) input: Input<R>,
    pub(super) head: Buffer,
    end: End,
    pub(super) content: Content,
}

/// Reads the first bytes of `input`, which may be the `text`.
pub fn open<R: Read>(input: R, text: &Text<'_>, stage: &mut dyn Stage) -> Opened<R> {
    let mut head = stage.buffer();
    let mut input = Input::Plain(input);
    let mut end = End::default();
    end.fill(&mut input, &mut head, buffer_len(text.core_len_max, text.window));
    let mut content = text.hints().content(&head);
    if let Some(mail) = text.mail_of_mac(content, &head) {
        (input, content) = (input.fed(head.bytes_mut()), mail);
    }
    Opened { input, head, end, content }
}

impl Text<'_> {
    fn hints(&self) -> Hints<'_> {
        Hints { kind: self.kind, name: name(self.origin), declared: self.declared }
    }

    /// Reports whether the text is mail by its first bytes and its name, whatever kind it is said
    /// to be of.
    fn is_mail_by_itself(&self, head: &[u8]) -> bool {
        let is_told = matches!(self.kind, InputKind::Document(_) | InputKind::Text);
        let hints = Hints { kind: InputKind::Auto, ..self.hints() };
        let is_mail = || matches!(hints.content(head), Content::Message | Content::Box(_));
        is_told && (postal::is_mail_name(name(self.origin)) || is_mail())
    }

    /// Returns the content of mail whose lines end in CR alone, as on old Macs; `None` for other
    /// texts, which are read correctly with such lines.
    fn mail_of_mac(&self, content: Content, head: &[u8]) -> Option<Content> {
        let near = head.get(..HEADER_LEN_MAX).unwrap_or(head);
        let is_other = matches!(content, Content::Packed(_) | Content::Wide(_));
        let has = |byte| memchr::memchr(byte, near).is_some();
        if is_other || has(b'\n') || !has(b'\r') {
            return None;
        }
        let mut near = near.to_vec();
        feed(&mut near, None);
        let content = self.hints().content(&near);
        let is_told = self.kind.is_mail() && content == Content::Text;
        (is_told || matches!(content, Content::Box(_) | Content::Message)).then_some(content)
    }

    /// Returns the encoding to decode of a text that begins with `head` and is `content`. Messages
    /// declare the charsets of their parts, and a byte order mark takes precedence over a field.
    pub(super) fn coding(&self, content: Content, head: &[u8]) -> Option<Coding> {
        let is_text = matches!(content, Content::Text | Content::Document(_));
        let is_other = !is_text || self.kind.is_mail() || head.starts_with(BYTE_ORDER_MARK);
        // Other documents are examined once they are complete.
        let declared = || match content {
            Content::Document(markup) if markup.escapes().is_some() => markup.charset_of(head),
            _ => None,
        };
        match (content, self.declared.charset.or_else(declared)) {
            (Content::Wide(wide), _) => Some(Coding::Wide(wide)),
            (_, Some(charset)) if !is_other && !charset.is_belied(head) => Some(match charset {
                Charset::Utf16 if head.starts_with(b"\xFF\xFE") => Coding::Wide(Wide::Utf16Little),
                Charset::Utf16 => Coding::Wide(Wide::Utf16Big),
                Charset::Utf16Little => Coding::Wide(Wide::Utf16Little),
                charset => Coding::Declared(charset),
            }),
            _ => None,
        }
    }
}

/// Returns the name of the innermost member, or of the file.
fn name(origin: &Origin) -> &[u8] {
    match origin.members.last() {
        Some(member) => member,
        None => origin.path.as_os_str().as_encoded_bytes(),
    }
}

/// Reports whether a text that begins with `head` contains mail, though it is read as something
/// else, perhaps because the user or a configuration says so.
fn is_of_mail(text: &Text<'_>, content: Content, head: &[u8]) -> bool {
    stores::holds_mail(head, name(text.origin))
        || holds_letters(text, content, head)
        || text.is_mail_by_itself(head)
}

/// Reports whether a plain text or a table contains messages, or a document is one; false for mail.
fn holds_letters(text: &Text<'_>, content: Content, head: &[u8]) -> bool {
    match content {
        Content::Text => letters::holds_letters(head, name(text.origin)),
        Content::Document(Markup::Csv) => letters::holds_table(head),
        Content::Document(markup) => saved::is_message(head, markup),
        _ => false,
    }
}

impl<R: Read> Opened<R> {
    /// Returns its content.
    #[must_use]
    pub const fn content(&self) -> Content {
        self.content
    }

    /// Returns its first bytes.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns the input as a box of this style if its first bytes look packed, for callers that
    /// know that it is a box.
    #[must_use]
    pub fn or_box(self, style: Style) -> Self {
        match self.content {
            Content::Packed(_) => Self { content: Content::Box(style), ..self },
            _ => self,
        }
    }

    /// Returns a reader of the whole input, including the bytes that were read.
    pub fn into_reader(self, stage: &mut dyn Stage) -> Reopened<R> {
        let head = self.head.to_vec();
        stage.give_back(self.head);
        Reopened { head: io::Cursor::new(head), end: self.end, inner: self.input }
    }

    /// Returns the cutter of the text, which needs no decoding.
    pub(super) fn cutter<'o>(&self, text: &Text<'o>) -> Cutter<'o> {
        let mut cutter = Cutter::new(text, Structure::of(text, self.content, &self.head));
        cutter.is_of_mail = is_of_mail(text, self.content, &self.head);
        cutter
    }

    /// Cuts the text into pieces and passes them to `stage`.
    ///
    /// # Errors
    /// The error of the reader. All bytes read before it are passed on first.
    pub fn cut(self, text: &Text<'_>, stage: &mut dyn Stage) -> io::Result<Outcome> {
        let Self { input, head, end, content } = self;
        if let Content::Packed(packing) = content {
            stage.give_back(head);
            return Ok(Outcome::Packed(packing.name()));
        }
        if detect::is_part_packed(&head) && stage.event(Event::Skipped(Skip::PartPacked)).is_break()
        {
            stage.give_back(head);
            return Ok(Outcome::Stopped);
        }
        let is_of_mail = is_of_mail(text, content, &head);
        let Some(coding) = text.coding(content, &head) else {
            let mut cutter = Cutter::new(text, Structure::of(text, content, &head));
            cutter.is_of_mail = is_of_mail;
            return cutter.document(input, head, end, stage);
        };
        let bytes = head.to_vec();
        stage.give_back(head);
        let Input::Plain(rest) = input else { return Ok(Outcome::Stopped) };
        let (mut input, from) = coding.decode(io::Cursor::new(&bytes).chain(rest), &bytes);
        let mut decoded_end = End::default();
        let mut head = stage.buffer();
        decoded_end.fill(&mut input, &mut head, buffer_len(text.core_len_max, text.window));
        let content = text.hints().decoded(&head);
        let is_of_mail = is_of_mail || holds_letters(text, content, &head);
        let mut cutter = Cutter::new(text, Structure::of(text, content, &head));
        // The byte order mark is dropped, but counts in the columns of its line.
        cutter.position.byte += from.offset();
        cutter.is_of_mail = is_of_mail;
        cutter.decoded_from = Some(from);
        cutter.is_source_torn = end.error.is_some();
        let outcome = cutter.document(input, head, decoded_end, stage);
        end.error.map_or(outcome, Err)
    }
}

/// An input whose first bytes are kept in memory.
pub struct Reopened<R> {
    head: io::Cursor<Vec<u8>>,
    end: End,
    inner: Input<R>,
}

impl<R: Read> Read for Reopened<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.head.read(out)?;
        if len > 0 || out.is_empty() {
            return Ok(len);
        }
        // Frees the first bytes once they were read.
        *self.head.get_mut() = Vec::new();
        match self.end.error.take() {
            Some(error) => Err(error),
            None if self.end.is_reached => Ok(0),
            None => self.inner.read(out),
        }
    }
}
