//! Runs the states of the basic URL parser (§4.4) from the path on. None of them fails.

use super::error::ValidationError;
use super::machine::{Machine, Rest, is_drive, is_drive_path};
use super::percent::{
    C0_CONTROL, FRAGMENT, PATH, QUERY, SPECIAL_QUERY, is_escape, is_url_code_point,
};
use super::serialize::{SchemeKind, Url};
use crate::span::Span;

/// Ends a segment.
const END: u8 = 1;
/// Ends a segment of a special URL.
const BACKSLASH: u8 = 1 << 1;
/// Is percent-encoded.
const ODD: u8 = 1 << 2;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0_u8;
    loop {
        if PATH.has(byte) {
            classes[byte as usize] = ODD;
        }
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    classes[b'/' as usize] = END;
    classes[b'?' as usize] = END;
    classes[b'#' as usize] = END;
    classes[b'\\' as usize] = BACKSLASH;
    classes
}

impl<'t> Machine<'t, '_> {
    /// Runs the states from `rest` to the end.
    pub(super) fn finish(&mut self, rest: Rest) {
        match rest {
            Rest::PathStart(at) => self.path_start(at),
            Rest::Path(at) => self.path(at),
            Rest::Opaque(at) => self.opaque(at),
            Rest::Query(at) => self.query(at),
            Rest::Fragment(at) => self.fragment(at),
            Rest::Nothing => self.end_path(),
        }
    }

    /// Returns the URL that was written.
    pub(super) fn into_url(self) -> Url<'t> {
        Url { href: self.href.finish(), places: self.places }
    }

    /// Marks where the path begins: after the authority, also if a base gave its beginning.
    pub(super) fn begin_path(&mut self) {
        // Only a path follows the authority, so that a path begun from a base begins there too.
        self.places.path = self.places.authority_end;
    }

    /// Runs the path start state.
    fn path_start(&mut self, at: usize) {
        match self.byte(at) {
            Some(b'\\') if self.is_special() => {
                self.notes.add(ValidationError::InvalidReverseSolidus, at);
                self.path(at + 1);
            }
            Some(b'/') => self.path(at + 1),
            _ if self.is_special() => self.path(at),
            Some(b'?' | b'#') | None => {
                self.begin_path();
                self.after_path(at);
            }
            Some(_) => self.path(at),
        }
    }

    /// Runs the path state. Each segment is written with a slash before it.
    fn path(&mut self, mut at: usize) {
        self.begin_path();
        let is_special = self.is_special();
        let stops = if is_special { END | BACKSLASH } else { END };
        loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            let (mut len, mut seen) = (0, 0);
            for &byte in rest {
                let class = CLASSES[usize::from(byte)];
                if class & stops != 0 {
                    break;
                }
                seen |= class;
                len += 1;
            }
            let segment = Span::new(at, at + len);
            let stop = rest.get(len).copied();
            if stop == Some(b'\\') {
                self.notes.add(ValidationError::InvalidReverseSolidus, segment.end);
            }
            let is_slash = matches!(stop, Some(b'/' | b'\\'));
            self.segment(segment, seen, stop);
            at = segment.end;
            if !is_slash {
                break;
            }
            at += 1;
        }
        self.after_path(at);
    }

    /// Runs step 1 of the path state for one segment: `seen` holds the classes of its bytes, and
    /// `stop` is the byte that ends it.
    #[inline]
    fn segment(&mut self, span: Span, seen: u8, stop: Option<u8>) {
        let text = self.part(span);
        match dots(text.as_bytes()) {
            0 => self.plain_segment(span, seen),
            count => {
                if count == 2 {
                    self.shorten();
                }
                if !matches!(stop, Some(b'/' | b'\\')) {
                    self.href.put("/");
                }
            }
        }
        self.note_units(span);
    }

    fn plain_segment(&mut self, span: Span, seen: u8) {
        let is_first = self.href.len() == self.places.path;
        let is_file = self.places.kind == SchemeKind::File;
        self.href.put("/");
        if seen & ODD != 0 {
            self.encode(span, PATH);
        } else if is_first && is_file && is_drive(span.of(self.text.as_bytes())) {
            self.href.keep(Span::new(span.start, span.start + 1));
            self.href.put(":");
        } else {
            self.href.keep(span);
        }
    }

    /// Drops the last segment of the path (§4.2, shorten).
    fn shorten(&mut self) {
        let len = self.shortened_len(self.href.tail(self.places.path));
        self.href.truncate(self.places.path + len);
    }

    /// Returns the length of `path` without its last segment; a drive letter is kept.
    pub(super) fn shortened_len(&self, path: &str) -> usize {
        if self.places.kind == SchemeKind::File && is_drive_path(path) {
            return path.len();
        }
        memchr::memrchr(b'/', path.as_bytes()).unwrap_or_default()
    }

    /// Runs the opaque path state.
    fn opaque(&mut self, at: usize) {
        self.begin_path();
        self.places.is_opaque = true;
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let len = memchr::memchr2(b'?', b'#', rest);
        let span = Span::new(at, at + len.unwrap_or(rest.len()));
        // Step 3: the last space before a query or fragment is escaped, so that it remains when
        // both are removed.
        let text = self.part(span);
        if len.is_some() && text.ends_with(' ') {
            self.encode(Span::new(span.start, span.end - 1), C0_CONTROL);
            self.href.put("%20");
        } else {
            self.encode(span, C0_CONTROL);
        }
        self.note_opaque_units(span);
        self.after_path(span.end);
    }

    /// Continues with the query or the fragment whose mark is at `at`, if there is one.
    fn after_path(&mut self, at: usize) {
        self.end_path();
        match self.byte(at) {
            Some(b'?') => self.query(at + 1),
            Some(b'#') => self.fragment(at + 1),
            _ => {}
        }
    }

    /// Writes the `/.` that keeps a path that begins with two slashes from being read as a host
    /// (§4.5).
    fn end_path(&mut self) {
        let path = self.places.path;
        // With a query from a base, it was written already.
        let is_new = path == self.places.authority_end;
        let is_hostless = self.places.host.is_none() && !self.places.is_opaque;
        if is_new && is_hostless && self.href.tail(path).starts_with("//") {
            self.href.insert(path, "/.");
            self.places.path = path + 2;
            self.places.query = self.places.query.map(|query| query + 2);
        }
    }

    /// Runs the query state.
    fn query(&mut self, at: usize) {
        self.end_path();
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let len = memchr::memchr(b'#', rest);
        let span = Span::new(at, at + len.unwrap_or(rest.len()));
        self.places.query = Some(self.href.len());
        self.href.put("?");
        self.encode(span, if self.is_special() { SPECIAL_QUERY } else { QUERY });
        self.note_units(span);
        if len.is_some() {
            self.fragment(span.end + 1);
        }
    }

    /// Runs the fragment state.
    fn fragment(&mut self, at: usize) {
        self.end_path();
        let span = Span::new(at, self.text.len());
        self.places.fragment = Some(self.href.len());
        self.href.put("#");
        self.encode(span, FRAGMENT);
        self.note_units(span);
    }

    /// Notes the code points at `span` that are no URL units (§4.3), if flaws are collected.
    pub(super) fn note_units(&mut self, span: Span) {
        if self.notes.are_wanted() {
            self.note_units_but(span, None);
        }
    }

    /// Notes invalid units of an opaque path, in which a space is allowed (§4.4, opaque path
    /// state).
    fn note_opaque_units(&mut self, span: Span) {
        if self.notes.are_wanted() {
            self.note_units_but(span, Some(' '));
        }
    }

    fn note_units_but(&mut self, span: Span, exempt: Option<char>) {
        let text = self.part(span);
        for (at, char) in text.char_indices().filter(|(_, char)| Some(*char) != exempt) {
            let is_unit = match char {
                '%' => is_escape(self.text.as_bytes(), span.start + at),
                _ => is_url_code_point(char),
            };
            if !is_unit {
                self.notes.add(ValidationError::InvalidUrlUnit, span.start + at);
            }
        }
    }
}

/// Returns 1 or 2 if `segment` is that many dots (§4.3, single-dot and double-dot URL path
/// segments), and 0 for any other segment.
#[inline]
fn dots(segment: &[u8]) -> usize {
    if !matches!(segment.first(), Some(b'.' | b'%')) || segment.len() > "%2e%2e".len() {
        return 0;
    }
    let mut rest = segment;
    let mut count = 0;
    while !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return 0,
        };
        count += 1;
    }
    if count > 2 { 0 } else { count }
}
