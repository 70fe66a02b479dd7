//! Determines what a body is from the fields of its header (RFC 2045, RFC 2046, RFC 2231).

use std::sync::Arc;

use super::boundary;
use super::coding::Coding;
use super::head::Head;
use super::parameters::{self, Parameters};
use crate::source::mail::charset::Charset;
use crate::source::mail::mailbox::{self, HEADER_LEN_MAX};
use crate::source::markup::{BASE_LEN_MAX, Markup};

/// Kind of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// Parts between lines with one of these boundaries.
    Multipart { boundaries: Vec<Vec<u8>>, mixture: Mixture },
    /// A message with a header of its own.
    Message,
    /// A signed body with a header of its own, or an encrypted one if no parameter distinguishes
    /// them.
    Signed,
    /// Header fields and nothing else.
    Fields,
    /// The header of a message, without its body (RFC 6522 §4).
    Header,
    /// The header of an external body, and a phantom body that no reader needs (RFC 2046 §5.2.3).
    External,
    /// Text.
    Text,
    /// Text in HTML.
    Html,
    /// Text packed in lines of uuencode.
    Uuencoded,
    /// TNEF (`winmail.dat`), which holds text in a form of its own.
    Tnef,
    /// Not text.
    Other,
}

/// Relation between the parts of a multipart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mixture {
    /// Alternative forms of the same content (RFC 2046 §5.1.4).
    Alternative,
    /// Messages (RFC 2046 §5.1.5).
    Digest,
    /// Anything else.
    Other,
}

/// Description of a body by its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entity {
    pub(super) kind: BodyKind,
    /// Codings to decode, outermost first.
    pub(super) codings: Vec<Coding>,
    /// Base of relative links in the body, unless the body declares one itself.
    pub(super) base: Base,
    /// Whether the field `Content-Type` contains a URL as a parameter (RFC 2017).
    pub(super) holds_url: bool,
}

/// Base of relative links in a body, by its header (RFC 2557 §5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// The base of the enclosing body.
    Around,
    /// This URI.
    Of(Arc<[u8]>),
    /// A base that only the sender can resolve: a file on their machine, a part of the message, or
    /// a relative reference.
    Unknown,
}

/// Place of a body, which decides its kind when no field declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// In a `multipart/digest`, whose parts are messages (RFC 2046 §5.1.5).
    Digest,
    /// Anywhere else.
    Other,
}

impl Entity {
    /// Returns a description of text without codings.
    pub(super) const fn text() -> Self {
        Self { kind: BodyKind::Text, codings: Vec::new(), base: Base::Around, holds_url: false }
    }

    /// Describes `body`, the visible part of the body of the header `head` of `bytes`. `in_body`
    /// returns a boundary that the body shows, if none of the declared ones does.
    pub(super) fn of(
        bytes: &[u8],
        head: &Head,
        within: Within,
        body: &[u8],
        in_body: impl FnOnce(&[Vec<u8>]) -> Option<Vec<u8>>,
    ) -> Self {
        let field = |at: Option<usize>| {
            at.and_then(|at| bytes.get(at..head.end)).map(mailbox::value).unwrap_or_default()
        };
        let content_type = field(head.content_type);
        let parameters = Parameters::of(&content_type);
        let encoding = head.encoding.map(|at| field(Some(at)));
        let transfer = transfer(encoding.as_deref().unwrap_or_else(|| glued(&content_type)));
        let kind = match (kind(&parameters, in_body), within) {
            _ if transfer == Transfer::Uuencode => BodyKind::Uuencoded,
            (None, Within::Digest) => BodyKind::Message,
            (None, Within::Other) => BodyKind::Text,
            // Some programs encode all of a multipart. What is decoded is read as text.
            (Some(BodyKind::Multipart { .. }), _)
                if transfer == Transfer::Base64 && boundary::is_encoded(body) =>
            {
                BodyKind::Text
            }
            (Some(kind), _) => kind,
        };
        // Eudora keeps the header of the message that it has decoded.
        if is_of_eudora(body) && matches!(kind, BodyKind::Multipart { .. } | BodyKind::Text) {
            let codings = vec![Coding::References];
            let base = Base::Around;
            return Self { kind: BodyKind::Html, codings, base, holds_url: false };
        }
        let mut codings = Vec::new();
        match transfer {
            // Only identity encodings are allowed for these (RFC 2045 §6.4), and no others occur.
            _ if matches!(kind, BodyKind::Multipart { .. }) => {}
            Transfer::Quoted => codings.push(Coding::Quoted),
            Transfer::Base64 => codings.push(Coding::Base64),
            Transfer::Identity | Transfer::Uuencode => {}
        }
        if matches!(kind, BodyKind::Text | BodyKind::Html) {
            match charset_of(&parameters) {
                Some(charset) => codings.push(Coding::Charset(charset)),
                None if kind == BodyKind::Html && parameters.get("charset").is_none() => {
                    codings.push(Coding::Declared);
                }
                None => {}
            }
            // Only `text/plain` has these parameters (RFC 3676 §4).
            let is_flowed = parameters.is("format", "flowed") && parameters.is("delsp", "yes");
            if is_flowed && matches!(&*parameters.value, "" | "text" | "text/plain") {
                codings.push(Coding::Flowed);
            }
        }
        match kind {
            BodyKind::Html => codings.push(Coding::References),
            BodyKind::Text => codings.extend(escapes(&parameters.value)),
            BodyKind::Signed => codings.push(Coding::Signed),
            _ => {}
        }
        let holds_url =
            parameters.value == "message/external-body" && parameters.is("access-type", "url");
        let bases = head.bases.map(|at| at.map(|at| Base::of(&field(Some(at)))));
        let is_whole = |base: &&Base| matches!(base, Base::Of(_));
        let all = || bases.iter().flatten();
        let base = all().find(is_whole).or_else(|| all().next()).cloned();
        let base = base.unwrap_or(Base::Around);
        Self { kind, codings, base, holds_url }
    }
}

/// Reports whether `body` is HTML in a mailbox of Eudora.
fn is_of_eudora(body: &[u8]) -> bool {
    const TAG: &[u8] = b"<x-html>";
    let text = body.trim_ascii_start();
    text.get(..TAG.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(TAG))
}

impl Base {
    /// Parses the value of a field, which may be folded and end with a comment.
    fn of(value: &[u8]) -> Self {
        const SCHEMES: [&[u8]; 3] = [b"http://", b"https://", b"ftp://"];
        let is_of_uri = |byte: &u8| !byte.is_ascii_whitespace() && !b"\"<>".contains(byte);
        let mut words = value.windows(2);
        let comment = words.position(|two| two == b" (" || two == b"\t(");
        let value = value.get(..comment.unwrap_or(value.len())).unwrap_or_default();
        let uri: Vec<u8> = value.iter().copied().filter(is_of_uri).collect();
        let begins = |scheme: &&[u8]| {
            uri.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        if uri.len() <= BASE_LEN_MAX && SCHEMES.iter().any(begins) {
            return Self::Of(Arc::from(uri));
        }
        let is_beside = memchr::memchr2(b'/', b':', &uri).is_none();
        if is_beside { Self::Around } else { Self::Unknown }
    }

    /// Returns the base of links, where `around` returns that of the enclosing body.
    pub(super) fn within(self, around: impl FnOnce() -> Option<Arc<[u8]>>) -> Option<Arc<[u8]>> {
        match self {
            Self::Around => around(),
            Self::Of(uri) => Some(uri),
            Self::Unknown => None,
        }
    }
}

/// Returns the media type that a field `Content-Type` declares, in lower case, and the charset, if
/// it must be decoded.
pub(in crate::source) fn content_type(field: &[u8]) -> (String, Option<Charset>) {
    let parameters = Parameters::of(field);
    let charset = charset_of(&parameters);
    (parameters.value, charset)
}

fn charset_of(parameters: &Parameters) -> Option<Charset> {
    Charset::find(parameters.get("charset")?)
}

/// Subtypes of messages that consist of header fields: those of reports (RFC 3464, RFC 3885, RFC
/// 5965, RFC 6533, RFC 8098).
const STATUS: [&str; 6] = [
    "delivery-status",
    "disposition-notification",
    "feedback-report",
    "global-delivery-status",
    "global-disposition-notification",
    "tracking-status",
];

/// Returns the kind that a content type declares, or `None` without one. A malformed type means
/// text, as RFC 2045 §5.2 says.
fn kind(
    parameters: &Parameters,
    in_body: impl FnOnce(&[Vec<u8>]) -> Option<Vec<u8>>,
) -> Option<BodyKind> {
    if parameters.value == "multipart" {
        return Some(multipart(parameters, "", in_body));
    }
    let Some((class, name)) = parameters.value.split_once('/') else {
        return (!parameters.value.is_empty()).then_some(BodyKind::Text);
    };
    if !is_type(class) || name.is_empty() && class != "multipart" {
        return Some(BodyKind::Text);
    }
    Some(match (class, name) {
        ("multipart", _) => multipart(parameters, name, in_body),
        ("message", "rfc822" | "global" | "news") => BodyKind::Message,
        // The first fragment contains the header of the message (RFC 2046 §5.2.2).
        ("message", "partial") if parameters.is("number", "1") => BodyKind::Message,
        ("message", "external-body") => BodyKind::External,
        ("message", name) if STATUS.contains(&name) => BodyKind::Fields,
        ("text", "rfc822-headers") | ("message", "global-headers") => BodyKind::Header,
        // Not text for RFC 2046 §5.2.4, but most bodies that are sent as messages are readable.
        ("message", _) => BodyKind::Text,
        // The variants for AMP and watches are HTML, too.
        ("text", "html" | "x-amp-html" | "watch-html") => BodyKind::Html,
        ("application", "xhtml+xml") | ("image", "svg+xml") => BodyKind::Html,
        ("text", _) => BodyKind::Text,
        ("application", "ms-tnef" | "vnd.ms-tnef") => BodyKind::Tnef,
        ("application", "pkcs7-mime" | "x-pkcs7-mime") if may_be_signed(parameters) => {
            BodyKind::Signed
        }
        ("application", "xml" | "json" | "rtf" | "ics") => BodyKind::Text,
        ("application", _) if name.ends_with("+xml") || name.ends_with("+json") => BodyKind::Text,
        // Gateways replace the type, and keep the name (RFC 8551 §3.10).
        ("application", "octet-stream") if is_named_p7m(parameters) => BodyKind::Signed,
        _ => BodyKind::Other,
    })
}

/// Reports whether the name of a part ends as those of S/MIME do that may be signed.
fn is_named_p7m(parameters: &Parameters) -> bool {
    let name = parameters.get("name").map(<[u8]>::trim_ascii).unwrap_or_default();
    name.len()
        .checked_sub(4)
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(b".p7m"))
}

/// Reports whether `class` may be the top level of a media type: a token (RFC 2045 §5.1). Signs
/// that no token has occur in subtypes whose semicolon is missing, `image/png name=x`.
fn is_type(class: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_graphic() && !b"()<>@,;:\\\"[]?=".contains(&byte);
    !class.is_empty() && class.bytes().all(is_part)
}

/// Reports whether S/MIME data is declared as signed, or has no declared type (RFC 8551 §3.2.2).
fn may_be_signed(parameters: &Parameters) -> bool {
    parameters.is("smime-type", "signed-data") || parameters.get("smime-type").is_none()
}

/// Returns the escapes of text in this media type. References are decoded in comments of XML, too:
/// a cut may go through a comment.
fn escapes(media: &str) -> Option<Coding> {
    match Markup::with_escapes(media)? {
        Markup::Xml => Some(Coding::References),
        markup => markup.escapes().map(Coding::Escapes),
    }
}

/// Returns the kind of a multipart; one without a boundary is text. The boundary in the body counts
/// beside the declared ones.
fn multipart(
    parameters: &Parameters,
    name: &str,
    in_body: impl FnOnce(&[Vec<u8>]) -> Option<Vec<u8>>,
) -> BodyKind {
    let mut boundaries = boundary::of(parameters);
    boundaries.extend(in_body(&boundaries));
    if boundaries.is_empty() {
        return BodyKind::Text;
    }
    let mixture = match name {
        "alternative" => Mixture::Alternative,
        "digest" => Mixture::Digest,
        _ => Mixture::Other,
    };
    BodyKind::Multipart { boundaries, mixture }
}

/// Returns the boundaries of the outermost multipart of the message at the beginning of `text`, or
/// of a message that is its whole body; none if it has no parts.
pub(in crate::source) fn open_boundaries(text: &[u8]) -> Vec<Vec<u8>> {
    /// Maximum number of messages that are nested without other parts: a forward of a forward.
    const MESSAGES_MAX: usize = 4;
    let mut rest = text;
    for _ in 0..MESSAGES_MAX {
        if !may_have_parts(rest) {
            break;
        }
        let (field, end) = content_type_of(rest);
        let value = field.map(mailbox::value).unwrap_or_default();
        if !names_type_with_m(&value) {
            break;
        }
        let parameters = Parameters::of(&value);
        match kind(&parameters, |_| None) {
            Some(BodyKind::Multipart { boundaries, .. }) => return boundaries,
            Some(BodyKind::Message) => rest = rest.get(end..).unwrap_or_default(),
            _ => break,
        }
    }
    Vec::new()
}

/// Reports whether the first line `Content-Type` before an empty line of `text` names a type that
/// begins with `m`. Most messages have none, and need not be read field by field.
fn may_have_parts(text: &[u8]) -> bool {
    let text = text.get(..HEADER_LEN_MAX).unwrap_or(text);
    let feeds = memchr::memchr_iter(b'\n', text);
    for at in std::iter::once(0).chain(feeds.map(|feed| feed + 1)) {
        match text.get(at..).unwrap_or_default() {
            [] => return false,
            [b'\n', ..] | [b'\r', b'\n', ..] if at > 0 => return false,
            line @ [b'C' | b'c', ..] if mailbox::is_named(line, b"content-type") => {
                return names_type_with_m(&mailbox::value(line));
            }
            _ => {}
        }
    }
    false
}

/// Reports whether the value of a `Content-Type` begins as `multipart` and `message` do.
fn names_type_with_m(value: &[u8]) -> bool {
    value.trim_ascii_start().first().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'm'))
}

/// Returns the first field `Content-Type` of the header that `text` begins with, and the offset
/// after that header.
fn content_type_of(text: &[u8]) -> (Option<&[u8]>, usize) {
    let text = text.get(..HEADER_LEN_MAX).unwrap_or(text);
    let (mut found, mut at) = (None, 0);
    while let Some(line @ [_, ..]) = text.get(at..) {
        if at > 0
            && let Some(end) = mailbox::end_of_header(text, at)
        {
            return (found, end);
        }
        if found.is_none() && mailbox::is_named(line, b"content-type") {
            found = Some(line);
        }
        at += mailbox::line_len(line);
    }
    (found, text.len())
}

/// Returns the value of a field `Content-Transfer-Encoding` within `field`, a `Content-Type` after
/// which the line end is missing; empty if there is none.
fn glued(field: &[u8]) -> &[u8] {
    const NAME: &[u8] = b"content-transfer-encoding:";
    let is_quoted = |at: usize| {
        let before = field.get(..at).unwrap_or_default();
        !memchr::memchr_iter(b'"', before).count().is_multiple_of(2)
    };
    let is_one = |at: &usize| {
        let name = field.get(at + 1..at + 1 + NAME.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(NAME)) && !is_quoted(*at)
    };
    let found = memchr::memchr2_iter(b' ', b';', field).find(is_one);
    found.and_then(|at| field.get(at + 1 + NAME.len()..)).unwrap_or_default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    Identity,
    Quoted,
    Base64,
    Uuencode,
}

/// Returns the transfer encoding that a label names, or the first of a list that is no identity
/// encoding: `7bit, base64`.
fn transfer(label: &[u8]) -> Transfer {
    let mut all = parameters::first(label).split(|byte| *byte == b',').map(named_transfer);
    all.find(|transfer| *transfer != Transfer::Identity).unwrap_or(Transfer::Identity)
}

/// Returns the transfer encoding of this name. `7-bit`, `8 bit`, `plain` and other names of
/// identity encodings need no entry.
fn named_transfer(name: &[u8]) -> Transfer {
    let letters: Vec<u8> = name
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    match letters.as_slice() {
        b"quotedprintable" | b"quotedprint" | b"qp" | b"xquotedprintable" => Transfer::Quoted,
        b"base64" | b"b64" | b"xbase64" => Transfer::Base64,
        b"xuuencode" | b"uuencode" | b"xuue" | b"uue" => Transfer::Uuencode,
        _ => Transfer::Identity,
    }
}

#[cfg(test)]
mod tests {
    use super::{BodyKind, Coding, Entity, Head, Transfer, Within, glued, transfer};

    /// Returns the description of the body of a part.
    fn entity(field: &str, body: &str) -> Entity {
        let text = format!("Content-Type: {field}\n\n{body}");
        let end = text.len() - body.len();
        let head = Head { end, content_type: Some(0), ..Head::default() };
        Entity::of(text.as_bytes(), &head, Within::Other, body.as_bytes(), |_| None)
    }

    #[test]
    fn html_of_eudora_is_html_whatever_the_header_declares() {
        for field in ["multipart/alternative; boundary=b", "text/plain"] {
            assert_eq!(entity(field, "<x-html>\n<a>").kind, BodyKind::Html, "{field}");
            assert_ne!(entity(field, "<x-flowed>\n<a>").kind, BodyKind::Html, "{field}");
        }
        assert_eq!(entity("text/html", "\r\n<X-HTML>").kind, BodyKind::Html);
        assert_eq!(entity("image/png", "<x-html>").kind, BodyKind::Other);
    }

    #[test]
    fn the_name_of_signed_mail_decides_where_its_type_is_lost() {
        let kind = |field: &str| entity(field, "").kind;
        assert_eq!(kind("application/octet-stream; name=smime.p7m"), BodyKind::Signed);
        assert_eq!(kind("application/octet-stream; name=\"A.P7M\""), BodyKind::Signed);
        assert_eq!(kind("application/octet-stream; name=a.p7s"), BodyKind::Other);
        assert_eq!(kind("application/octet-stream"), BodyKind::Other);
        let one = entity("text/plain; charset=x Content-Transfer-Encoding: base64", "");
        assert_eq!(one.codings, [Coding::Base64]);
    }

    #[test]
    fn a_transfer_encoding_may_be_in_the_line_of_the_type() {
        let field = b"text/plain; charset = \"x\" Content-Transfer-Encoding: quoted-printable";
        assert_eq!(transfer(glued(field)), Transfer::Quoted);
        assert_eq!(glued(b"text/plain;content-transfer-encoding:base64"), b"base64");
        assert_eq!(glued(b"text/plain; name=\"a Content-Transfer-Encoding: base64\""), b"");
        assert_eq!(glued(b"text/plain; charset=x"), b"");
    }

    #[test]
    fn a_transfer_encoding_has_many_names() {
        for label in ["x-base64", "base64, 8bit", "7bit, base64", "\"base64\"", "BASE-64 (x)"] {
            assert_eq!(transfer(label.as_bytes()), Transfer::Base64, "{label}");
        }
        assert_eq!(transfer(b"x-quoted-printable"), Transfer::Quoted);
        assert_eq!(transfer(b"8bit, quoted-printable"), Transfer::Quoted);
        assert_eq!(transfer(b"7bit, 8bit"), Transfer::Identity);
    }
}
