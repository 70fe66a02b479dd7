//! Unwraps the links that mail gateways and redirectors put in place of those of a message.
//!
//! Each gateway has a row in [`GATEWAYS`] and a file, which decodes its format from the URL alone:
//! no gateway is ever requested, since a request may count as the reader's click.
//! If a gateway's URL does not contain the link, the target is unknown. Hosts are compared as a
//! whole, so that lookalikes of gateways do not count.

mod avanan;
mod barracuda;
mod cisco;
mod darktrace;
mod decode;
mod edgepilot;
mod egress;
mod esva;
mod facebook;
mod fireeye;
mod google;
mod hornetsecurity;
mod inky;
mod intermedia;
mod mcafee;
mod mimecast;
mod safelinks;
mod sophos;
mod symantec;
mod trendmicro;
mod trustwave;
mod urldefense;
mod zix;

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;

use crate::uri::{Gateway, Redacted, Remains, Wrapper, remains};

/// Maximum number of wrappers around one link. A message passes a gateway of its sender and one or
/// two of its reader, and a reply passes them again.
pub const LAYERS_MAX: usize = 8;

/// Maximum number of bytes of a wrapper that are decoded: more than any server takes in a request.
pub const WRAPPER_LEN_MAX: usize = 64 * 1024;

/// A gateway, and how its links are read.
pub struct Row {
    gateway: Gateway,
    /// Its name in records: `safelinks`.
    pub name: &'static str,
    /// The product, and its maker.
    pub about: &'static str,
    /// The form of its links, for people.
    pub form: &'static str,
    read: Read,
}

/// Decodes the link in the URL of a gateway.
type Read = fn(&Wrapper<'_>) -> Result<Vec<u8>, Unknown>;

/// All gateways, by name.
pub static GATEWAYS: &[Row] = &[
    avanan::ROW,
    barracuda::ROW,
    cisco::ROW,
    darktrace::ROW,
    edgepilot::ROW,
    egress::ROW,
    esva::ROW,
    facebook::ROW,
    fireeye::ROW,
    google::ROW,
    hornetsecurity::ROW,
    inky::ROW,
    intermedia::ROW,
    mcafee::ROW,
    mimecast::ROW,
    safelinks::ROW,
    sophos::ROW,
    symantec::ROW,
    trendmicro::ROW,
    trustwave::ROW,
    urldefense::ROW,
    zix::ROW,
];

/// The reason why the target of a wrapped link is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// The gateway keeps the target, and the URL has a token only.
    Opaque,
    /// The URL lacks the part that holds the target.
    Missing,
    /// The part that holds the target cannot be decoded.
    Encoding,
    /// The replaced bytes are more or fewer than the text has places for.
    Count,
    /// The decoded text is no URI with a scheme.
    NoUri,
    /// The decoded text has a control character.
    Control,
    /// A line break cut it within the link.
    Cut,
    /// There are more than [`LAYERS_MAX`] wrappers.
    Deep,
    /// The URL has more than [`WRAPPER_LEN_MAX`] bytes, or was cut.
    Long,
}

impl Unknown {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::Opaque,
        Self::Missing,
        Self::Encoding,
        Self::Count,
        Self::NoUri,
        Self::Control,
        Self::Cut,
        Self::Deep,
        Self::Long,
    ];

    /// Returns the reason in words, as they follow `target unknown: `.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Opaque => "the gateway keeps it",
            Self::Missing => "the wrapper holds none",
            Self::Encoding => "the wrapper's encoding is broken",
            Self::Count => "the wrapper's count of replaced characters is wrong",
            Self::NoUri => "the wrapper holds no URI",
            Self::Control => "the wrapper holds a control character",
            Self::Cut => "a line break cut the wrapper",
            Self::Deep => "it is wrapped too often",
            Self::Long => "the wrapper is too long",
        }
    }
}

/// A URL of a gateway.
pub struct Layer {
    /// The gateway.
    pub row: &'static Row,
    /// The URL.
    pub uri: Vec<u8>,
}

/// Omits tokens and passwords.
impl fmt::Debug for Layer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {:?}", self.row.name, Redacted::new(&self.uri))
    }
}

/// A link without its wrappers.
pub struct Unwrapped {
    /// The wrappers, outermost first; at least one.
    pub layers: Vec<Layer>,
    /// The innermost link, which is no wrapper.
    pub target: Result<Vec<u8>, Unknown>,
}

impl Unwrapped {
    /// Returns the target, or the innermost wrapper if that is unknown.
    #[must_use]
    pub fn innermost(&self) -> &[u8] {
        let layer = || self.layers.last().map_or(&b""[..], |layer| &layer.uri);
        self.target.as_deref().unwrap_or_else(|_| layer())
    }

    /// Returns the names of the wrappers, outermost first.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.layers.iter().map(|layer| layer.row.name).collect()
    }
}

/// Omits tokens and passwords.
impl fmt::Debug for Unwrapped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = self.target.as_deref().map(Redacted::new);
        out.debug_struct("Unwrapped")
            .field("layers", &self.layers)
            .field("target", &target)
            .finish()
    }
}

/// Returns `text`, a URI, without its wrappers; `None` if no gateway wrapped it.
///
/// Never panics, takes time in proportion to the length of `text`, and gives no target with a
/// control character.
///
/// ```
/// use linktrawl::internal::check::unwrap::unwrapped;
/// let wrapper = b"https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2F";
/// let link = unwrapped(wrapper).unwrap();
/// assert_eq!(link.names(), ["safelinks"]);
/// assert_eq!(link.target.as_deref(), Ok(&b"https://h.example/"[..]));
/// assert!(unwrapped(b"https://h.example/").is_none());
/// ```
#[must_use]
pub fn unwrapped(text: &[u8]) -> Option<Unwrapped> {
    let mut form = Form::of(text)?;
    let mut layers: Vec<Layer> = Vec::new();
    let mut inner: Vec<u8>;
    let mut uri = text;
    let target = loop {
        let Some(row) = row_of(form.gateway()) else { break Err(Unknown::Opaque) };
        if layers.len() == LAYERS_MAX {
            break Err(Unknown::Deep);
        }
        let read = if uri.len() > WRAPPER_LEN_MAX { Err(Unknown::Long) } else { row.link(&form) };
        layers.push(Layer { row, uri: uri.to_vec() });
        inner = match read {
            Ok(link) => link,
            Err(unknown) => break Err(unknown),
        };
        uri = &inner;
        form = match Form::of(uri) {
            Some(form) => form,
            None => break Ok(inner),
        };
    };
    Some(Unwrapped { layers, target })
}

/// A text with a wrapped link.
enum Form<'t> {
    /// The URL of a gateway.
    Whole(Wrapper<'t>),
    /// The remains of one whose beginning is not in the text.
    Remains(&'t [u8], Remains),
}

impl<'t> Form<'t> {
    fn of(text: &'t [u8]) -> Option<Self> {
        match Wrapper::of(text) {
            Some(wrapper) => Some(Self::Whole(wrapper)),
            None => remains(text)
                .filter(|found| !holds_escaped(text.get(..found.end).unwrap_or_default()))
                .filter(|found| !found.are_of_lookalike(text))
                .map(|found| Self::Remains(text, found)),
        }
    }

    const fn gateway(&self) -> Gateway {
        match self {
            Self::Whole(wrapper) => wrapper.gateway,
            Self::Remains(_, found) => found.gateway,
        }
    }
}

/// Reports whether `link` has another link in a parameter: it is a wrapper by itself, of a service
/// with the parameters of a gateway.
fn holds_escaped(link: &[u8]) -> bool {
    [&b"%3A%2F%2F"[..], b"%3a%2f%2f"].iter().any(|mark| memmem::find(link, mark).is_some())
}

/// Returns the name of the gateway whose URL, without brackets, a line break cut: `text` is its
/// beginning, and `after` follows. Mail programs break long lines in this way, and replies repeat
/// their marks before the rest.
///
/// It is cut within its link or before it, and the first word of the next line continues it.
pub(super) fn broken_by(text: &[u8], after: &[u8]) -> Option<&'static str> {
    // No URI ends in a percent sign, so that the scanner leaves it to the text.
    let (percent, after) = match after.strip_prefix(b"%") {
        Some(rest) => (&b"%"[..], rest),
        None => (&b""[..], after),
    };
    let word = next_word(after)?;
    let text: &[u8] = &if percent.is_empty() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned([text, percent].concat())
    };
    let mut both = Vec::new();
    let gateway = match Wrapper::of(text) {
        Some(wrapper) => {
            let is_open = wrapper.rest.len() <= 1 || decode::ends_in_link(&wrapper);
            let is_cut = continues(word)
                || is_within_escape(text, word)
                || wants_more(wrapper.gateway) && is_piece(word);
            (is_open && is_cut && memmem::find(word, b"://").is_none()).then_some(wrapper.gateway)
        }
        None => Wrapper::joined(text, word, &mut both).map(|wrapper| wrapper.gateway),
    };
    row_of(gateway?).map(|row| row.name)
}

/// Returns the first word of the line that begins in `after`, after blanks and the marks of a
/// reply. Mail programs leave a blank before the line break (RFC 3676 §4.2).
fn next_word(after: &[u8]) -> Option<&[u8]> {
    /// Maximum number of bytes of that word that are read: a line of mail (RFC 5322 §2.1.1).
    const WORD_LEN_MAX: usize = 998;
    const NO_BREAK_SPACE: &[u8] = "\u{A0}".as_bytes();
    let mut next = after;
    while let Some(rest) = next.strip_prefix(b" ").or_else(|| next.strip_prefix(NO_BREAK_SPACE)) {
        next = rest;
    }
    let next = next.strip_prefix(b"\r").unwrap_or(next).strip_prefix(b"\n")?;
    let next = next.get(..WORD_LEN_MAX).unwrap_or(next);
    let marks = next.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
    let next = next.get(marks..)?;
    let len = next.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    next.get(..len).filter(|word| !word.is_empty())
}

/// Reports whether `word` continues a URI: it has an escape or a parameter.
fn continues(word: &[u8]) -> bool {
    let is_octet = |at: usize| {
        let digits = word.get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let is_parameter = |at: usize| {
        let after = word.get(at + 1..).unwrap_or_default();
        let name = after.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        name > 0 && after.get(name) == Some(&b'=')
    };
    memchr::memchr_iter(b'%', word).any(is_octet)
        || memchr::memchr_iter(b'&', word).any(is_parameter)
}

/// Reports whether `text` ends within an escape that `word` completes.
fn is_within_escape(text: &[u8], word: &[u8]) -> bool {
    let missing = match text {
        [.., b'%'] => 2,
        [.., b'%', digit] if digit.is_ascii_hexdigit() => 1,
        _ => return false,
    };
    word.get(..missing).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Reports whether each link of `gateway` has further parameters after the wrapped one.
const fn wants_more(gateway: Gateway) -> bool {
    matches!(
        gateway,
        Gateway::Barracuda
            | Gateway::SafeLinks
            | Gateway::Sophos
            | Gateway::TrendMicro
            | Gateway::UrlDefense
    )
}

/// Reports whether `word` is more likely a piece of a URI than a word of a sentence: it has other
/// bytes than letters, or is long.
fn is_piece(word: &[u8]) -> bool {
    /// Longer than nearly all words of sentences.
    const WORD_LEN_MAX: usize = 16;
    let is_mark = |byte: &&u8| b".,;:!?)\"'".contains(byte);
    let marks = word.iter().rev().take_while(is_mark).count();
    let word = word.get(..word.len() - marks).unwrap_or_default();
    let is_of_word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'\'' | b'-');
    word.len() > WORD_LEN_MAX || !word.iter().all(is_of_word)
}

fn row_of(gateway: Gateway) -> Option<&'static Row> {
    GATEWAYS.iter().find(|row| row.gateway == gateway)
}

impl Row {
    fn link(&self, form: &Form<'_>) -> Result<Vec<u8>, Unknown> {
        let link = match form {
            Form::Whole(wrapper) => (self.read)(wrapper)?,
            Form::Remains(text, found) if found.gateway == Gateway::UrlDefense => {
                urldefense::replaced_in(text)?
            }
            Form::Remains(text, found) => text.get(..found.end).unwrap_or_default().to_vec(),
        };
        let mut link = decode::uri(&link)?;
        // A program that escaped the whole wrapper once more made its tokens a part of the link.
        if Wrapper::of(&link).is_none()
            && let Some(own) = remains(&link)
                .filter(|own| own.gateway == self.gateway && !own.are_of_lookalike(&link))
        {
            link.truncate(own.end);
        }
        Ok(link)
    }
}

#[cfg(test)]
mod tests {
    use super::{GATEWAYS, Unknown, broken_by, row_of};

    #[test]
    fn each_gateway_has_one_row_and_they_are_in_order() {
        assert!(GATEWAYS.is_sorted_by(|one, next| one.name < next.name));
        for row in GATEWAYS {
            assert_eq!(row_of(row.gateway).map(|row| row.name), Some(row.name));
        }
    }

    #[test]
    fn a_link_that_a_line_break_cut_is_known_by_the_next_line() {
        let safe = "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.ex";
        let cisco = "https://secure-web.cisco.com/1token/https%3A%2F%2Fh.ex";
        for (text, after, wanted) in [
            (safe, "\nample%2Fpage&data=05%7C01", true),
            (safe, "\r\nample&data=05", true),
            (cisco, "\nample%2Fpage", true),
            ("https://urldefense.com/v2/url?u=https-3A__h.ex", "\nample_a&d=token", true),
            ("https://nam01.safelinks.protection.outlook.com/", "\n?url=https%3A%2F%2Fh", true),
            ("https://eu.protection.sophos.com", "\r\n?d=h.example&u=aHR0cDovL2g&i=a", true),
            ("https://secure-web.cisco.com/", "\nKind regards", false),
            ("https://www.google.com/", "\nurl?q=https%3A%2F%2Fh", true),
            ("https://www.facebook.com/", "\r\n> l.php?u=https%3A%2F%2Fh", true),
            ("https://outlook.office.com/mail/", "\nsafelink.html?url=https%3A%2F%2Fh", true),
            ("https://www.google.com/", "\nKind regards", false),
            ("https://www.google.com/search?q=a", "\nurl?q=https%3A%2F%2Fh", false),
            (safe, "\nKind regards, a&b=c", false),
            (safe, "\n\nample%2Fpage", false),
            (safe, "\n> \n> ample%2Fpage", false),
            (safe, "\n ample%2Fpage", true),
            (safe, "\n> > ample%2Fpage&data=05", true),
            (safe, "\nample.com_page", true),
            (safe, "\nfollow-up, and", false),
            ("https://eu.protection.sophos.com/?d=h.ex&u=aHR0cDovL3d3dy4", "\naBcD123", true),
            ("https://secure-web.cisco.com/1token/https%3A%2", "\nF%2Fh.ex", true),
            ("https://secure-web.cisco.com/1token/https%3A", "%\n2Fh.ex", true),
            (safe, "%\n> 2Dample.com%2Fa%2Fb&data=05", true),
            (safe, "% 2Dample", false),
            (safe, " \n> ample.com%2Fa", true),
            (safe, "\u{A0}\nample.com%2Fa", true),
            (safe, " ample%2Fpage", false),
            (safe, "\nhttps://h.example/?a&b=c", false),
            (safe, "", false),
            ("https://h.example/?url=a", "\nb&c=d", false),
        ] {
            let broken = broken_by(text.as_bytes(), after.as_bytes());
            assert_eq!(broken.is_some(), wanted, "{text} {after:?}");
        }
        // The link is whole, and a token is cut.
        let token = [safe, "&data=05%7C"].concat();
        assert_eq!(broken_by(token.as_bytes(), b"\na%40b&sdata=c"), None);
    }

    #[test]
    fn reasons_are_told_apart() {
        for (idx, one) in Unknown::ALL.iter().enumerate() {
            let others = Unknown::ALL.iter().skip(idx + 1);
            assert!(others.clone().all(|other| other.about() != one.about()), "{one:?}");
        }
    }
}
