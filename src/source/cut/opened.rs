//! Detects from its first bytes how to cut a text: whether it is packed, encoded or neither.

use std::io::{self, Read};

use super::input::{Coding, Input, feed};
use super::{Cutter, End, Outcome, Stage, Structure, Text, Told, buffer_len};
use crate::finding::Origin;
use crate::source::InputKind;
use crate::source::boxes::Style;
use crate::source::buffer::Buffer;
use crate::source::charset::Wide;
use crate::source::detect::{postal, stores};
use crate::source::kind::Content;
use crate::source::mailbox::HEADER_LEN_MAX;
use crate::source::markup::Markup;
use crate::source::mime::Charset;
use crate::source::{detect, letters};

/// An input whose first bytes have been read, so that its content is known.
pub struct Opened<R> {
    input: Input<R>,
    head: Buffer,
    end: End,
    content: Content,
}

/// Reads the first bytes of `input`, the bytes of `text`.
pub fn open<R: Read>(input: R, text: &Text<'_>, stage: &mut dyn Stage) -> Opened<R> {
    let mut head = stage.buffer();
    let mut input = Input::Plain(input);
    let mut end = End::default();
    end.fill(&mut input, &mut head, buffer_len(text.core_len_max, text.window));
    let mut content = text.content(&head);
    if let Some(mail) = text.mail_of_mac(content, &head) {
        (input, content) = (input.fed(head.bytes_mut()), mail);
    }
    Opened { input, head, end, content }
}

impl Text<'_> {
    /// Returns the content of the text that begins with `head`.
    fn content(&self, head: &[u8]) -> Content {
        if self.kind != InputKind::Auto {
            return match as_told(self.kind, head) {
                // A program that delivered the message left the line.
                Content::Box(Style::Mbox | Style::Counted) if self.is_one_message() => {
                    Content::Text
                }
                content => content,
            };
        }
        match (detect::content(head, name(self.origin)), self.declared.markup) {
            (Content::Text | Content::Box(_) | Content::Message, Some(markup)) => {
                Content::Document(markup)
            }
            // The content only looks like that language, or has its name.
            (Content::Document(found), Some(markup)) if found.escapes().is_some() => {
                Content::Document(markup)
            }
            (content, _) => content,
        }
    }

    /// Reports whether the name of the text is that of one message.
    fn is_one_message(&self) -> bool {
        self.kind != InputKind::Mail && postal::is_of_one_message(name(self.origin))
    }

    /// Returns the content if the text is mail whose lines end in CR alone, as on old Macs. Other
    /// texts are read as well with such lines.
    fn mail_of_mac(&self, content: Content, head: &[u8]) -> Option<Content> {
        let near = head.get(..HEADER_LEN_MAX).unwrap_or(head);
        let is_other = matches!(content, Content::Packed(_) | Content::Wide(_));
        let has = |byte| memchr::memchr(byte, near).is_some();
        if is_other || has(b'\n') || !has(b'\r') {
            return None;
        }
        let mut near = near.to_vec();
        feed(&mut near, None);
        let content = self.content(&near);
        let is_told = self.kind.is_mail() && content == Content::Text;
        (is_told || matches!(content, Content::Box(_) | Content::Message)).then_some(content)
    }

    /// Returns the encoding of the text that begins with `head` and is `content`, if it must be
    /// decoded. Messages declare the charsets of their parts themselves, and a byte order mark
    /// takes precedence over a declared charset.
    fn coding(&self, content: Content, head: &[u8]) -> Option<Coding> {
        const MARK: &[u8] = "\u{FEFF}".as_bytes();
        let is_text = matches!(content, Content::Text | Content::Document(_));
        let is_other = !is_text || self.kind.is_mail() || head.starts_with(MARK);
        // The charsets of other documents are read when the documents are whole.
        let declared = || match content {
            Content::Document(markup) if markup.escapes().is_some() => markup.charset_of(head),
            _ => None,
        };
        match (content, self.declared.charset.or_else(declared)) {
            (Content::Wide(wide), _) => Some(Coding::Wide(wide)),
            (_, Some(charset)) if !is_other => Some(match charset {
                Charset::Utf16 if head.starts_with(b"\xFF\xFE") => Coding::Wide(Wide::Utf16Little),
                Charset::Utf16 => Coding::Wide(Wide::Utf16Big),
                Charset::Utf16Little => Coding::Wide(Wide::Utf16Little),
                charset => Coding::Told(charset),
            }),
            _ => None,
        }
    }
}

/// The reason for skipping some of a text: see [`detect::is_part_packed`].
const PART_PACKED: &str = "part-packed";

/// Returns the name of the innermost member, or else the path of the input.
fn name(origin: &Origin) -> &[u8] {
    match origin.members.last() {
        Some(member) => member,
        None => origin.path.as_os_str().as_encoded_bytes(),
    }
}

impl<R: Read> Opened<R> {
    /// Returns the detected content.
    #[must_use]
    pub const fn content(&self) -> Content {
        self.content
    }

    /// Returns the first bytes.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns the input as a box of this style if its first bytes look packed, for callers that
    /// know better.
    #[must_use]
    pub fn or_box(self, style: Style) -> Self {
        match self.content {
            Content::Packed(_) => Self { content: Content::Box(style), ..self },
            _ => self,
        }
    }

    /// Returns a reader of all bytes, the first ones included.
    pub fn into_reader(self, stage: &mut dyn Stage) -> Reopened<R> {
        let head = self.head.to_vec();
        stage.give_back(self.head);
        Reopened { head: io::Cursor::new(head), end: self.end, inner: self.input }
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
        if detect::is_part_packed(&head) && stage.tell(Told::Skipped(PART_PACKED)).is_break() {
            stage.give_back(head);
            return Ok(Outcome::Stopped);
        }
        let name = name(text.origin);
        // Mail and documents are read as such.
        let holds_letters =
            |content, head: &[u8]| content == Content::Text && letters::holds_letters(head, name);
        let is_of_mail = stores::holds_mail(&head, name) || holds_letters(content, &head);
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
        let content = decoded(text, &head);
        let is_of_mail = is_of_mail || holds_letters(content, &head);
        let mut cutter = Cutter::new(text, Structure::of(text, content, &head));
        // The mark is dropped, but its bytes count in the line.
        cutter.position.byte += from.offset();
        cutter.is_of_mail = is_of_mail;
        cutter.decoded_from = Some(from);
        let outcome = cutter.document(input, head, decoded_end, stage);
        end.error.map_or(outcome, Err)
    }
}

/// Returns the content of a text that was decoded. A shell may have written mail in UTF-16; but
/// packed bytes are no text, and declared lengths count bytes of before the decoding.
fn decoded(text: &Text<'_>, head: &[u8]) -> Content {
    match text.content(head) {
        content @ (Content::Document(_) | Content::Message) => content,
        content @ Content::Box(Style::Mbox | Style::Mmdf | Style::Listserv) => content,
        Content::Box(Style::Counted) => Content::Box(Style::Mbox),
        _ => Content::Text,
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
        // The bytes need not be kept while the rest is read.
        *self.head.get_mut() = Vec::new();
        match self.end.error.take() {
            Some(error) => Err(error),
            None if self.end.is_reached => Ok(0),
            None => self.inner.read(out),
        }
    }
}

/// Returns the content of an input of a given kind: only its encoding and packing are detected.
fn as_told(kind: InputKind, head: &[u8]) -> Content {
    match (detect::content(head, b""), kind) {
        // Packed bytes are no text: the kind is that of their content.
        (content @ (Content::Wide(_) | Content::Packed(_)), _) => content,
        (content @ Content::Box(_), _) if kind.is_mail() => content,
        (_, InputKind::SavedPage) if Markup::by_content(head) == Some(Markup::Html) => {
            Content::Document(Markup::Html)
        }
        (_, InputKind::Mail) => Style::of_rest_of_box(head).map_or(Content::Text, Content::Box),
        (_, InputKind::Document(markup)) => Content::Document(markup),
        _ => Content::Text,
    }
}
