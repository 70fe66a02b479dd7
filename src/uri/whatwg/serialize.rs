//! A URL and its serialisation (§4.5), and the writer that copies only what changes.

use std::borrow::Cow;

use crate::span::Span;

/// Schemes as the machine distinguishes them (§4.2, special schemes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemeKind {
    /// `file`, which is special and has no port.
    File,
    /// Another special scheme, with its default port.
    Special(u16),
    /// Any other scheme.
    Other,
}

impl SchemeKind {
    /// Returns the kind of the scheme `name`, in any case: a shorter way to what the table of
    /// schemes says.
    #[inline]
    pub(super) fn of(name: &[u8]) -> Self {
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        match name.len() {
            2 if is(b"ws") => Self::Special(80),
            3 if is(b"ftp") => Self::Special(21),
            3 if is(b"wss") => Self::Special(443),
            4 if is(b"http") => Self::Special(80),
            4 if is(b"file") => Self::File,
            5 if is(b"https") => Self::Special(443),
            _ => Self::Other,
        }
    }

    pub(super) const fn is_special(self) -> bool {
        !matches!(self, Self::Other)
    }
}

/// The places of a URL's components in its serialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) kind: SchemeKind,
    /// Offset of the colon.
    pub(super) scheme_end: usize,
    /// `None` where the host is null; otherwise `//` precedes the user.
    pub(super) host: Option<Span>,
    /// The end of the user, which begins after `//`. A password follows its colon.
    pub(super) user_end: usize,
    /// The end of the port; without a port, of the host.
    pub(super) authority_end: usize,
    pub(super) port: Option<u16>,
    pub(super) path: usize,
    pub(super) is_opaque: bool,
    /// Offset of the question mark.
    pub(super) query: Option<usize>,
    /// Offset of the hash sign.
    pub(super) fragment: Option<usize>,
    /// The place of the password in the text that was parsed, not in the serialisation.
    pub(super) password_read: Option<Span>,
}

impl Places {
    /// Returns the places of a URL whose scheme ends at `scheme_end`, with nothing after the colon.
    pub(super) const fn new(kind: SchemeKind, scheme_end: usize) -> Self {
        let end = scheme_end + 1;
        Self {
            kind,
            scheme_end,
            host: None,
            user_end: end,
            authority_end: end,
            port: None,
            path: end,
            is_opaque: false,
            query: None,
            fragment: None,
            password_read: None,
        }
    }
}

/// A URL: its serialisation, and the places of its components in it.
#[derive(Clone, Debug)]
pub(crate) struct Url<'t> {
    pub(super) href: Cow<'t, str>,
    pub(super) places: Places,
}

impl Url<'_> {
    /// Returns the serialisation (§4.5).
    pub(crate) fn href(&self) -> &str {
        &self.href
    }

    /// Converts the URL into one that owns its memory.
    pub(crate) fn into_owned(self) -> Url<'static> {
        Url { href: Cow::Owned(self.href.into_owned()), places: self.places }
    }

    /// Converts the URL into its serialisation.
    pub(crate) fn into_href(self) -> String {
        self.href.into_owned()
    }

    fn part(&self, span: Span) -> &str {
        self.href.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the place of the scheme, without its colon.
    pub(crate) const fn scheme_span(&self) -> Span {
        Span::new(0, self.places.scheme_end)
    }

    /// Returns the place of the user, unless it is empty.
    pub(crate) fn user_span(&self) -> Option<Span> {
        self.places.host?;
        let start = self.places.scheme_end + "://".len();
        Some(Span::new(start, self.places.user_end)).filter(|span| span.start < span.end)
    }

    /// Returns the place of the password, unless it is empty.
    pub(crate) fn password_span(&self) -> Option<Span> {
        let host = self.places.host?;
        // A colon precedes it, and an "@" follows it.
        let (start, end) = (self.places.user_end + 1, host.start.checked_sub(1)?);
        (start < end).then(|| Span::new(start, end))
    }

    /// Returns the place of the password in the text that was parsed.
    pub(crate) const fn password_read(&self) -> Option<Span> {
        self.places.password_read
    }

    /// Returns the place of the host; `None` if it is null or empty.
    pub(crate) fn host_span(&self) -> Option<Span> {
        self.places.host.filter(|span| span.start < span.end)
    }

    /// Returns the place of the port; `None` if it is absent or the scheme's default.
    pub(crate) fn port_span(&self) -> Option<Span> {
        let host = self.places.host?;
        self.places.port.map(|_| Span::new(host.end + 1, self.places.authority_end))
    }

    /// Returns the place of the path.
    pub(crate) fn path_span(&self) -> Span {
        let Places { path, query, fragment, .. } = self.places;
        Span::new(path, query.or(fragment).unwrap_or(self.href.len()))
    }

    /// Returns the place of the query, without its question mark.
    pub(crate) fn query_span(&self) -> Option<Span> {
        let Places { query, fragment, .. } = self.places;
        Some(Span::new(query? + 1, fragment.unwrap_or(self.href.len())))
    }

    /// Returns the place of the fragment, without its hash sign.
    pub(crate) fn fragment_span(&self) -> Option<Span> {
        Some(Span::new(self.places.fragment? + 1, self.href.len()))
    }

    /// Returns the scheme.
    pub(crate) fn scheme(&self) -> &str {
        self.part(self.scheme_span())
    }

    /// Returns the host; empty where there is none.
    #[cfg(feature = "probe")]
    pub(crate) fn host(&self) -> &str {
        self.host_span().map_or("", |span| self.part(span))
    }

    /// Returns the port, or the scheme's default; `None` if there is neither.
    #[cfg(feature = "probe")]
    pub(crate) const fn port_or_default(&self) -> Option<u16> {
        match (self.places.port, self.places.kind) {
            (Some(port), _) | (None, SchemeKind::Special(port)) => Some(port),
            (None, SchemeKind::File | SchemeKind::Other) => None,
        }
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &str {
        self.part(self.path_span())
    }

    /// Returns the query, without its question mark.
    pub(crate) fn query(&self) -> Option<&str> {
        self.query_span().map(|span| self.part(span))
    }

    /// Returns the fragment, without its hash sign.
    #[cfg(feature = "probe")]
    pub(crate) fn fragment(&self) -> Option<&str> {
        self.fragment_span().map(|span| self.part(span))
    }

    /// Returns the part before the path.
    #[cfg(feature = "probe")]
    pub(crate) fn before_path(&self) -> &str {
        self.part(Span::new(0, self.places.path))
    }

    /// Returns `//`, the credentials, the host and the port; empty where the host is null.
    pub(super) fn authority(&self) -> &str {
        self.part(Span::new(self.places.scheme_end + 1, self.places.authority_end))
    }
}

/// The serialisation while it is written: borrowed as long as it equals the beginning of the parsed
/// text.
pub(super) struct Href<'t> {
    source: &'t str,
    /// Number of bytes of `source` written, while nothing else was.
    borrowed_len: usize,
    own: Option<String>,
}

impl<'t> Href<'t> {
    pub(super) const fn new(source: &'t str) -> Self {
        Self { source, borrowed_len: 0, own: None }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.own.as_ref().map_or(self.borrowed_len, String::len)
    }

    /// Appends a part of the source.
    #[inline]
    pub(super) fn keep(&mut self, span: Span) {
        if self.own.is_none() && span.start == self.borrowed_len {
            self.borrowed_len = span.end;
            return;
        }
        let part = self.source.get(span.start..span.end).unwrap_or_default();
        self.own().push_str(part);
    }

    /// Appends `text`; stays borrowed if the source continues with it.
    #[inline]
    pub(super) fn put(&mut self, text: &str) {
        if self.own.is_none() {
            let next = self.source.as_bytes().get(self.borrowed_len..);
            if next.is_some_and(|next| next.starts_with(text.as_bytes())) {
                self.borrowed_len += text.len();
                return;
            }
        }
        self.own().push_str(text);
    }

    /// Returns owned memory that holds what was written so far.
    #[inline(never)]
    pub(super) fn own(&mut self) -> &mut String {
        let written = self.source.get(..self.borrowed_len).unwrap_or_default();
        // Escapes and parts of a base make it longer than the source.
        let spare = 32;
        self.own.get_or_insert_with(|| {
            let mut own = String::with_capacity(self.source.len() + spare);
            own.push_str(written);
            own
        })
    }

    /// Truncates the serialisation to its first `len` bytes.
    pub(super) fn truncate(&mut self, len: usize) {
        match &mut self.own {
            Some(own) => own.truncate(len),
            None => self.borrowed_len = self.borrowed_len.min(len),
        }
    }

    /// Inserts `text` at `at`.
    pub(super) fn insert(&mut self, at: usize, text: &str) {
        self.own().insert_str(at, text);
    }

    /// Returns what was written from offset `start` on.
    pub(super) fn tail(&self, start: usize) -> &str {
        let written = match &self.own {
            Some(own) => own.as_str(),
            None => self.source.get(..self.borrowed_len).unwrap_or_default(),
        };
        written.get(start..).unwrap_or_default()
    }

    pub(super) fn finish(self) -> Cow<'t, str> {
        match self.own {
            Some(own) => Cow::Owned(own),
            None => Cow::Borrowed(self.source.get(..self.borrowed_len).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SchemeKind;
    use crate::scheme::TABLE;

    #[test]
    fn kinds_are_those_of_the_table_of_schemes() {
        for scheme in TABLE {
            let kind = SchemeKind::of(scheme.name.as_bytes());
            assert_eq!(kind.is_special(), scheme.is_special(), "{}", scheme.name);
            if let SchemeKind::Special(port) = kind {
                assert_eq!(scheme.port, Some(port), "{}", scheme.name);
            }
        }
    }
}
