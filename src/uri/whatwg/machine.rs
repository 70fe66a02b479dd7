//! Runs the states of the basic URL parser (§4.4) up to the path: scheme, base, credentials, host
//! and port. Every step that can fail is here.
//!
//! There is one function for each state, named as in the standard; a state that leads to another
//! calls it. The standard reads one code point at a time into a buffer; here a function finds the
//! end of its component at once. State overrides are missing: nothing sets the components of a URL
//! afterwards.

use std::borrow::Cow;

use super::error::{Flaw, Notes, ValidationError};
use super::host;
use super::percent::{Set, USERINFO};
use super::serialize::{Href, Places, SchemeKind, Url};
use crate::span::Span;

/// The machine over one text, which has no tabs or line ends, and nothing to trim.
pub(super) struct Machine<'t, 'b> {
    pub(super) text: &'t str,
    base: Option<&'b Url<'b>>,
    pub(super) href: Href<'t>,
    pub(super) places: Places,
    pub(super) notes: Notes,
}

/// The state in which the rest of the text begins, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rest {
    /// Path start state.
    PathStart(usize),
    /// Path state.
    Path(usize),
    /// Opaque path state.
    Opaque(usize),
    /// Query state, after the question mark.
    Query(usize),
    /// Fragment state, after the hash sign.
    Fragment(usize),
    /// The end.
    Nothing,
}

/// Classes of bytes of an authority, one bit each.
pub(super) mod class {
    /// Ends the authority.
    pub(in super::super) const END: u8 = 1;
    /// Ends the authority of a special URL.
    pub(in super::super) const BACKSLASH: u8 = 1 << 1;
    pub(in super::super) const COLON: u8 = 1 << 2;
    pub(in super::super) const AT: u8 = 1 << 3;
    /// Is changed or refused in some hosts.
    pub(in super::super) const ODD: u8 = 1 << 4;
}

pub(super) static AUTHORITY: [u8; 256] = authority_classes();

const fn authority_classes() -> [u8; 256] {
    let mut classes = [class::ODD; 256];
    // Lower case, digits, and bytes that are neither forbidden nor mapped (§3.1, UTS 46).
    let plain = b"abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=\"`{}";
    let mut idx = 0;
    while idx < plain.len() {
        classes[plain[idx] as usize] = 0;
        idx += 1;
    }
    classes[b'/' as usize] = class::END;
    classes[b'?' as usize] = class::END;
    classes[b'#' as usize] = class::END;
    classes[b'\\' as usize] = class::BACKSLASH | class::ODD;
    classes[b':' as usize] = class::COLON;
    classes[b'@' as usize] = class::AT;
    classes
}

impl<'t, 'b> Machine<'t, 'b> {
    pub(super) const fn new(text: &'t str, base: Option<&'b Url<'b>>, notes: Notes) -> Self {
        Self { text, base, href: Href::new(text), places: Places::new(SchemeKind::Other, 0), notes }
    }

    /// Returns the byte at `at`: the standard's `c` when its pointer is at `at`.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    #[inline]
    pub(super) fn part(&self, span: Span) -> &'t str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn starts_with(&self, at: usize, prefix: &[u8]) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(prefix))
    }

    pub(super) const fn is_special(&self) -> bool {
        self.places.kind.is_special()
    }

    /// Reports whether the byte at `at` is `/`, or `\` in a special URL, which is noted.
    fn is_slash(&mut self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'/') => true,
            Some(b'\\') if self.is_special() => {
                self.notes.add(ValidationError::InvalidReverseSolidus, at);
                true
            }
            _ => false,
        }
    }

    /// Appends a part of the text with the bytes of `set` as escapes.
    pub(super) fn encode(&mut self, span: Span, set: Set) {
        let part = self.part(span);
        match set.find(part) {
            None => self.href.keep(span),
            Some(_) => set.encode(part, self.href.own()),
        }
    }

    /// Runs the scheme start state and the scheme state.
    pub(super) fn scheme_start(&mut self) -> Result<Rest, Flaw> {
        let bytes = self.text.as_bytes();
        let is_scheme =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let starts = bytes.first().is_some_and(u8::is_ascii_alphabetic);
        let len = bytes.iter().take_while(|byte| is_scheme(byte)).count();
        match bytes.get(len) {
            Some(b':') if starts => self.scheme(Span::new(0, len)),
            _ => self.no_scheme(if starts { len } else { 0 }),
        }
    }

    /// Runs step 2 of the scheme state: the colon follows `name`.
    fn scheme(&mut self, name: Span) -> Result<Rest, Flaw> {
        let written = self.part(name);
        self.places = Places::new(SchemeKind::of(written.as_bytes()), name.end);
        let after = name.end + 1;
        if written.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let lower = written.to_ascii_lowercase();
            self.href.put(&lower);
            self.href.put(":");
        } else {
            self.href.keep(Span::new(0, after));
        }
        let has_slashes = self.starts_with(after, b"//");
        let missing = ValidationError::SpecialSchemeMissingFollowingSolidus;
        let is_same = |base: &&Url<'_>| base.scheme().eq_ignore_ascii_case(written);
        match self.places.kind {
            SchemeKind::File => {
                if !has_slashes {
                    self.notes.add(missing, after);
                }
                self.file(after)
            }
            // Special authority slashes state; special relative or authority state.
            SchemeKind::Special(_) if has_slashes => self.ignore_slashes(after + 2),
            SchemeKind::Special(_) => {
                self.notes.add(missing, after);
                match self.base.filter(is_same) {
                    Some(base) => self.relative(after, base),
                    None => self.ignore_slashes(after),
                }
            }
            // Path or authority state.
            SchemeKind::Other if has_slashes => self.authority(after + 2),
            SchemeKind::Other if self.byte(after) == Some(b'/') => Ok(Rest::Path(after + 1)),
            SchemeKind::Other => Ok(Rest::Opaque(after)),
        }
    }

    /// Runs the no scheme state. A scheme could have continued up to `stop`.
    fn no_scheme(&mut self, stop: usize) -> Result<Rest, Flaw> {
        let missing = Flaw::new(ValidationError::MissingSchemeNonRelativeUrl, stop);
        let base = self.base.ok_or(missing)?;
        if base.places.is_opaque && self.byte(0) != Some(b'#') {
            return Err(missing);
        }
        self.take_scheme(base);
        if base.places.is_opaque {
            self.take_path(base, base.path());
            self.take_query(base);
            return Ok(Rest::Fragment(1));
        }
        match base.places.kind {
            SchemeKind::File => self.file(0),
            _ => self.relative(0, base),
        }
    }

    /// Runs the relative state. The scheme is that of `base`, and already written.
    fn relative(&mut self, at: usize, base: &Url<'_>) -> Result<Rest, Flaw> {
        if self.is_slash(at) {
            return self.relative_slash(at + 1, base);
        }
        self.take_authority(base);
        Ok(self.after_base(at, base))
    }

    /// Inherits path and query from `base` (relative state, step 5, and file state, step 4).
    fn after_base(&mut self, at: usize, base: &Url<'_>) -> Rest {
        let next = self.byte(at);
        match next {
            Some(b'?') => {
                self.take_path(base, base.path());
                Rest::Query(at + 1)
            }
            Some(b'#') | None => {
                self.take_path(base, base.path());
                self.take_query(base);
                next.map_or(Rest::Nothing, |_| Rest::Fragment(at + 1))
            }
            Some(_) => {
                let path = base.path();
                self.take_path(base, path.get(..self.shortened_len(path)).unwrap_or_default());
                Rest::Path(at)
            }
        }
    }

    /// Runs the relative slash state.
    fn relative_slash(&mut self, at: usize, base: &Url<'_>) -> Result<Rest, Flaw> {
        if self.is_slash(at) {
            let is_special = self.is_special();
            return if is_special { self.ignore_slashes(at + 1) } else { self.authority(at + 1) };
        }
        self.take_authority(base);
        Ok(Rest::Path(at))
    }

    /// Runs the special authority ignore slashes state.
    fn ignore_slashes(&mut self, mut at: usize) -> Result<Rest, Flaw> {
        while let Some(b'/' | b'\\') = self.byte(at) {
            self.notes.add(ValidationError::SpecialSchemeMissingFollowingSolidus, at);
            at += 1;
        }
        self.authority(at)
    }

    // ---- parts taken from a base -----------------------------------------------------

    fn take_scheme(&mut self, base: &Url<'_>) {
        self.places = Places::new(base.places.kind, base.places.scheme_end);
        self.href.put(base.scheme());
        self.href.put(":");
    }

    /// Appends credentials, host and port of `base`, after its scheme.
    fn take_authority(&mut self, base: &Url<'_>) {
        self.href.put(base.authority());
        let Places { host, user_end, authority_end, port, .. } = base.places;
        self.places = Places { host, user_end, authority_end, port, ..self.places };
    }

    /// Appends `path`, which is taken from `base`.
    fn take_path(&mut self, base: &Url<'_>, path: &str) {
        self.begin_path();
        self.places.is_opaque = base.places.is_opaque;
        self.href.put(path);
    }

    fn take_query(&mut self, base: &Url<'_>) {
        if let Some(query) = base.query() {
            self.places.query = Some(self.href.len());
            self.href.put("?");
            self.href.put(query);
        }
    }

    // ---- authority -------------------------------------------------------------------

    /// Runs the authority state.
    fn authority(&mut self, start: usize) -> Result<Rest, Flaw> {
        let stops = if self.is_special() { class::END | class::BACKSLASH } else { class::END };
        let mut seen = 0;
        let bytes = self.text.as_bytes().get(start..).unwrap_or_default();
        let mut len = 0;
        for &byte in bytes {
            let class = AUTHORITY[usize::from(byte)];
            if class & stops != 0 {
                break;
            }
            seen |= class;
            len += 1;
        }
        let end = start + len;
        self.href.put("//");
        self.places.user_end = self.href.len();
        let has_at = seen & class::AT != 0;
        let authority = bytes.get(..len).filter(|_| has_at).unwrap_or_default();
        let host_start = match memchr::memrchr(b'@', authority) {
            Some(at) => {
                self.credentials(Span::new(start, start + at));
                if at + 1 == len {
                    return Err(Flaw::new(ValidationError::HostMissing, end));
                }
                start + at + 1
            }
            None => start,
        };
        self.host(Span::new(host_start, end), seen)?;
        Ok(Rest::PathStart(end))
    }

    /// Runs step 1 of the authority state for `span`, the part before the last `@`.
    fn credentials(&mut self, span: Span) {
        let text = self.part(span);
        for at in memchr::memchr_iter(b'@', text.as_bytes()) {
            self.notes.add(ValidationError::InvalidCredentials, span.start + at);
        }
        self.notes.add(ValidationError::InvalidCredentials, span.end);
        let colon = text.find(':').map_or(span.end, |at| span.start + at);
        let user = Span::new(span.start, colon);
        let password = Span::new(span.end.min(colon + 1), span.end);
        self.encode(user, USERINFO);
        self.places.user_end = self.href.len();
        if password.start < password.end {
            self.places.password_read = Some(password);
            self.href.put(":");
            self.encode(password, USERINFO);
        }
        if !text.is_empty() && text != ":" {
            self.href.put("@");
        }
    }

    /// Runs the host state, then the port state. `seen` holds the classes of the authority's bytes.
    fn host(&mut self, authority: Span, seen: u8) -> Result<(), Flaw> {
        let port = if seen & class::COLON == 0 { None } else { self.port_colon(authority) };
        let host = Span::new(authority.start, port.unwrap_or(authority.end));
        // No URL has an empty host before a port.
        if host.start == host.end && (self.is_special() || port.is_some()) {
            return Err(Flaw::new(ValidationError::HostMissing, host.start));
        }
        self.write_host(host, seen)?;
        if let Some(colon) = port {
            self.port(Span::new(colon + 1, authority.end))?;
        }
        self.places.authority_end = self.href.len();
        Ok(())
    }

    /// Returns the offset of the first colon outside brackets.
    fn port_colon(&self, authority: Span) -> Option<usize> {
        let mut is_inside = false;
        for (at, byte) in self.part(authority).bytes().enumerate() {
            match byte {
                b'[' => is_inside = true,
                b']' => is_inside = false,
                b':' if !is_inside => return Some(authority.start + at),
                _ => {}
            }
        }
        None
    }

    /// Parses the host at `span` (§3.5) and writes it, borrowed if no byte of it is odd.
    fn write_host(&mut self, span: Span, seen: u8) -> Result<(), Flaw> {
        let text = self.part(span);
        let start = self.href.len();
        let is_odd = seen & class::ODD != 0;
        let is_number = self.is_special() && may_be_ipv4(text.as_bytes());
        if !(is_odd || is_number) {
            if !self.is_special() {
                self.note_units(span);
            }
            self.href.keep(span);
        } else if self.is_special() {
            let parsed = self.special_host(span)?;
            self.put_host(span, &parsed);
        } else {
            let parsed = host::parse_opaque(text).map_err(|flaw| flaw.moved(span.start))?;
            if !text.starts_with('[') {
                self.note_units(span);
            }
            self.put_host(span, &parsed);
        }
        self.places.host = Some(Span::new(start, self.href.len()));
        Ok(())
    }

    /// Parses the host of a special URL.
    fn special_host(&mut self, span: Span) -> Result<Cow<'t, str>, Flaw> {
        let mut notes = if self.notes.are_wanted() { Notes::wanted() } else { Notes::default() };
        let parsed = host::parse(self.part(span), &mut notes);
        for flaw in notes.in_order() {
            self.notes.add(flaw.error, span.start + flaw.at);
        }
        parsed.map_err(|flaw| flaw.moved(span.start))
    }

    fn put_host(&mut self, span: Span, host: &str) {
        if host == self.part(span) { self.href.keep(span) } else { self.href.put(host) }
    }

    /// Runs the port state.
    fn port(&mut self, span: Span) -> Result<(), Flaw> {
        let digits = self.part(span);
        if let Some(at) = digits.bytes().position(|byte| !byte.is_ascii_digit()) {
            return Err(Flaw::new(ValidationError::PortInvalid, span.start + at));
        }
        let mut port = 0_u16;
        for (digit, at) in digits.bytes().zip(span.start..) {
            let next = port.checked_mul(10).and_then(|it| it.checked_add(u16::from(digit - b'0')));
            port = next.ok_or(Flaw::new(ValidationError::PortOutOfRange, at))?;
        }
        if digits.is_empty() || self.places.kind == SchemeKind::Special(port) {
            return Ok(());
        }
        self.places.port = Some(port);
        self.href.put(":");
        if digits.starts_with('0') && digits.len() > 1 {
            self.href.put(&port.to_string());
        } else {
            self.href.keep(span);
        }
        Ok(())
    }

    // ---- file ------------------------------------------------------------------------

    /// Runs the file state. The scheme is already written.
    fn file(&mut self, at: usize) -> Result<Rest, Flaw> {
        if self.is_slash(at) {
            return self.file_slash(at + 1);
        }
        let base = self.base.filter(|base| base.places.kind == SchemeKind::File);
        let Some(base) = base else {
            self.empty_host();
            return Ok(Rest::Path(at));
        };
        self.take_authority(base);
        let is_plain = !matches!(self.byte(at), None | Some(b'?' | b'#'));
        if is_plain && self.starts_with_drive(at) {
            self.notes.add(ValidationError::FileInvalidWindowsDriveLetter, at);
            return Ok(Rest::Path(at));
        }
        Ok(self.after_base(at, base))
    }

    /// Runs the file slash state.
    fn file_slash(&mut self, at: usize) -> Result<Rest, Flaw> {
        if self.is_slash(at) {
            return self.file_host(at + 1);
        }
        let Some(base) = self.base.filter(|base| base.places.kind == SchemeKind::File) else {
            self.empty_host();
            return Ok(Rest::Path(at));
        };
        self.take_authority(base);
        let drive = base.path().get(..3).filter(|_| !self.starts_with_drive(at));
        if let Some(drive) = drive.filter(|_| is_drive_path(first_segment(base.path()))) {
            self.take_path(base, drive);
        }
        Ok(Rest::Path(at))
    }

    /// Runs the file host state.
    fn file_host(&mut self, start: usize) -> Result<Rest, Flaw> {
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b'/' | b'\\' | b'?' | b'#');
        let end = start + rest.iter().position(ends).unwrap_or(rest.len());
        let span = Span::new(start, end);
        let text = self.part(span);
        if is_drive(text.as_bytes()) {
            self.notes.add(ValidationError::FileInvalidWindowsDriveLetterHost, start);
            self.empty_host();
            return Ok(Rest::Path(start));
        }
        if text.is_empty() {
            self.empty_host();
            return Ok(Rest::PathStart(end));
        }
        let parsed = self.special_host(span)?;
        if parsed == "localhost" {
            self.empty_host();
            return Ok(Rest::PathStart(end));
        }
        self.href.put("//");
        let host_start = self.href.len();
        self.put_host(span, &parsed);
        let host_end = self.href.len();
        self.places.host = Some(Span::new(host_start, host_end));
        self.places.user_end = host_start;
        self.places.authority_end = host_end;
        Ok(Rest::PathStart(end))
    }

    fn empty_host(&mut self) {
        self.href.put("//");
        let at = self.href.len();
        self.places.host = Some(Span::new(at, at));
        self.places.user_end = at;
        self.places.authority_end = at;
    }

    /// Reports whether a Windows drive letter begins at `at` (§4.2).
    fn starts_with_drive(&self, at: usize) -> bool {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        rest.get(..2).is_some_and(is_drive)
            && matches!(rest.get(2), None | Some(b'/' | b'\\' | b'?' | b'#'))
    }
}

/// Reports whether a host may be an IPv4 address: its last label begins or ends with a digit.
#[inline]
pub(super) fn may_be_ipv4(host: &[u8]) -> bool {
    let host = host.strip_suffix(b".").unwrap_or(host);
    // A hexadecimal digit or the "x" of "0x" ends a number.
    let Some(last) = host.last().filter(|byte| byte.is_ascii_hexdigit() || **byte == b'x') else {
        return false;
    };
    let label = memchr::memrchr(b'.', host).map_or(0, |dot| dot + 1);
    last.is_ascii_digit() || host.get(label).is_some_and(u8::is_ascii_digit)
}

/// Reports whether `text` is a Windows drive letter (§4.2).
pub(super) fn is_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Reports whether `path` is a slash and a normalised Windows drive letter (§4.2).
pub(super) fn is_drive_path(path: &str) -> bool {
    matches!(path.as_bytes(), [b'/', letter, b':'] if letter.is_ascii_alphabetic())
}

/// Returns the first segment of a path, with the slash before it.
fn first_segment(path: &str) -> &str {
    let len = path.get(1..).and_then(|rest| rest.find('/')).map_or(path.len(), |at| at + 1);
    path.get(..len).unwrap_or_default()
}
