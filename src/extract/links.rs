//! Finds the links of a text in memory: the scanner without the rest of the library.

use std::borrow::Cow;
use std::fmt;

use super::redacted::Redacted;
use crate::finding::Cue;
use crate::scan::{Scanner, Wrap};
use crate::span::Span;

/// Returns the links in `text`, in the order of their occurrence.
///
/// `text` is read as plain text in any encoding that extends US-ASCII. Nothing is decoded except
/// what plain text itself does to links: a link in brackets may be wrapped over lines and quoted by
/// a reply. Every scheme is found if `//` follows it; without `//`, only known schemes are, such as
/// `mailto:`. Text that begins with `www.` and has no scheme is not found. Links are candidates: no
/// grammar is applied, so malformed links are found, too ([`parse`](super::parse) rejects them).
/// Placeholders such as `http://h.example/{id}`, and addresses that were disarmed on purpose, are
/// found as well, although [`Extractor`](super::Extractor) omits them.
///
/// Takes time in proportion to the length of `text`. Allocates only for links that are wrapped or
/// escaped, and starts no thread, which suits chat messages and log lines.
///
/// # Limits
/// A link of more than 128 KiB is cut there. In brackets, a link may extend over 8 lines.
///
/// # Source
/// RFC 3986 Appendix C and RFC 1738 Appendix for delimiters in text.
///
/// ```
/// let text = b"see <URL:http://w3.org/> and https://h.example/a).";
/// let links: Vec<_> = linktrawl::links(text).map(|link| link.text().to_string()).collect();
/// assert_eq!(links, ["http://w3.org/", "https://h.example/a"]);
/// ```
#[must_use]
pub fn links(text: &[u8]) -> Links<'_> {
    Links { text, scanner: Scanner::new(text) }
}

/// An iterator over the links of a text; see [`links`].
#[derive(Clone, Debug)]
pub struct Links<'t> {
    text: &'t [u8],
    scanner: Scanner<'t>,
}

impl<'t> Iterator for Links<'t> {
    type Item = Link<'t>;

    fn next(&mut self) -> Option<Link<'t>> {
        let candidate = self.scanner.next()?;
        let own = candidate.span.of(self.text);
        // If the text was joined or unescaped, it borrows the scanner's buffer.
        let is_own = std::ptr::eq(own, candidate.text);
        let text = if is_own { Cow::Borrowed(own) } else { Cow::Owned(candidate.text.to_vec()) };
        let cue = match candidate.wrap {
            Wrap::Url => Cue::Url,
            Wrap::Angle => Cue::Angle,
            Wrap::Bare => Cue::Bare,
            Wrap::Www => Cue::Www,
        };
        Some(Link { text, span: candidate.span, cue })
    }
}

/// A link in a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Link<'t> {
    text: Cow<'t, [u8]>,
    span: Span,
    cue: Cue,
}

impl Link<'_> {
    /// Returns the link without line breaks, quote marks and escapes of the text.
    #[must_use]
    pub fn text(&self) -> Redacted<'_> {
        Redacted::new(&self.text)
    }

    /// Returns the link's range in the text, in bytes from 0, without brackets and `URL:`.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Returns how the link was recognised.
    #[must_use]
    pub const fn cue(&self) -> Cue {
        self.cue
    }
}

/// Shows no password.
impl fmt::Debug for Link<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { span, cue, .. } = self;
        out.debug_struct("Link")
            .field("text", &self.text())
            .field("span", span)
            .field("cue", cue)
            .finish()
    }
}
