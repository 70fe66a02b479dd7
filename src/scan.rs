//! Finds candidates for URIs in bytes, in one pass, without decoding characters and without
//! allocating for each byte.
//!
//! A trigger is a colon whose neighbours could belong to a URI. From there the scheme is
//! read to the left, and the text before it decides the cue: a bracket opens a URI that
//! may be wrapped over lines (`unfold`); otherwise the URI is bare and ends by the rules of
//! `extent`. No grammar is applied here: a candidate may well be malformed.
//!
//! The work is linear in the input, whatever it holds: each step to the left or to the right
//! has a named limit, and bytes of a candidate are not examined again.

use std::fmt;

use crate::scheme::{self, Class, Scheme};
use crate::span::Span;

mod backslash;
mod colon;
mod escaped;
mod extent;
mod limits;
mod prefix;
mod shape;
mod simd;
mod trigger;
mod unfold;
mod unicode;
mod www;

pub use backslash::is_interpolation;
pub(crate) use extent::holds_link;
pub use extent::mark_after;
pub use limits::{CANDIDATE_LEN_MAX, LOOKAHEAD_MAX, LOOKBACK_MAX};
pub use unfold::joins_words;

use trigger::Triggers;

/// The delimiters of a candidate in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wrap {
    /// `<URL:…>`.
    Url,
    /// `<…>`.
    Angle,
    /// None: the URI is bare.
    Bare,
    /// None, and it begins with `www.`.
    Www,
}

/// Bytes delimited by a cue, not yet known to be a URI.
///
/// They may hold a password, so that `Debug` omits the text.
#[derive(Clone, Copy)]
pub struct Candidate<'c> {
    /// Its delimiters.
    pub wrap: Wrap,
    /// Its place; wrappers and `URL:` are outside.
    pub span: Span,
    /// Its text without white space and quote prefixes.
    pub text: &'c [u8],
    /// Length of the scheme's name at the beginning of `text`; zero for [`Wrap::Www`].
    pub scheme_len: usize,
    /// The scheme, if it is a known one.
    pub scheme: Option<&'static Scheme>,
    /// Whether the text continues after [`CANDIDATE_LEN_MAX`] bytes or, where slashes are escaped,
    /// after the part that is examined.
    pub is_cut: bool,
}

impl fmt::Debug for Candidate<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wrap, span, text, scheme_len, scheme, is_cut } = self;
        out.debug_struct("Candidate")
            .field("wrap", wrap)
            .field("span", span)
            .field("text", &format_args!("{} bytes", text.len()))
            .field("scheme_len", scheme_len)
            .field("scheme", scheme)
            .field("is_cut", is_cut)
            .finish()
    }
}

/// A scan over one run of bytes. Use [`Scanner::next`] until it returns `None`.
///
/// ```
/// use linktrawl::internal::scan::{Scanner, Wrap};
/// let mut scanner = Scanner::new(b"see <URL:http://www.w3.org/>.");
/// let found = scanner.next().unwrap();
/// assert_eq!((found.wrap, found.text), (Wrap::Url, &b"http://www.w3.org/"[..]));
/// assert!(scanner.next().is_none());
/// ```
#[derive(Clone)]
pub struct Scanner<'h> {
    bytes: &'h [u8],
    triggers: Triggers<'h>,
    www: Option<www::Places<'h>>,
    /// Triggers at or after this offset are not taken.
    end: usize,
    /// No candidate contains a byte before this offset.
    floor: usize,
    /// Whether a backslash before a mark is literal instead of an escape of it.
    keeps_backslashes: bool,
    joined: Vec<u8>,
}

/// Shows the current position, and nothing of the text.
impl fmt::Debug for Scanner<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, end, floor, .. } = self;
        out.debug_struct("Scanner")
            .field("bytes", &bytes.len())
            .field("end", end)
            .field("floor", floor)
            .finish_non_exhaustive()
    }
}

/// A candidate before its text is borrowed.
#[derive(Clone, Copy)]
struct CandidateSpan {
    wrap: Wrap,
    span: Span,
    is_joined: bool,
    is_cut: bool,
    scheme_len: usize,
    scheme: Option<&'static Scheme>,
    after: usize,
}

impl<'h> Scanner<'h> {
    /// Creates a scanner over all of `bytes`.
    #[must_use]
    pub fn new(bytes: &'h [u8]) -> Self {
        Self::within(bytes, Span::new(0, bytes.len()), 0)
    }

    /// Creates a scanner that takes only the triggers in `core`, and no byte before `floor`.
    ///
    /// Scanners over the pieces of a text find the same candidates as one over the whole text, if
    /// each sees [`LOOKBACK_MAX`] bytes before and [`LOOKAHEAD_MAX`] bytes after its core, and its
    /// floor is the [`Scanner::resume`] of the previous one.
    #[must_use]
    pub fn within(bytes: &'h [u8], core: Span, floor: usize) -> Self {
        let from = core.start.max(floor);
        let triggers = Triggers::new(bytes, from);
        let (end, joined) = (core.end, Vec::new());
        Self { bytes, triggers, www: None, end, floor, keeps_backslashes: false, joined }
    }

    /// Treats a backslash before a mark as literal: for received messages, which no shell reads,
    /// and for languages in which a backslash begins a command.
    #[must_use]
    pub const fn keeping_backslashes(mut self) -> Self {
        self.keeps_backslashes = true;
        self
    }

    /// Searches for `www.`, too.
    #[must_use]
    pub fn with_www(mut self) -> Self {
        self.www = Some(www::Places::new(self.bytes, self.triggers_from()));
        self
    }

    /// Returns the offset after the last candidate and its wrapper: the floor of the next piece.
    #[must_use]
    pub const fn resume(&self) -> usize {
        self.floor
    }

    /// Returns the next candidate, in the order of the text.
    #[expect(clippy::should_implement_trait, reason = "the text is lent from a buffer")]
    pub fn next(&mut self) -> Option<Candidate<'_>> {
        let found = self.find()?;
        self.floor = found.after;
        self.triggers.skip_to(found.after);
        if let Some(www) = &mut self.www {
            www.skip_to(found.after);
        }
        let text = if found.is_joined { &self.joined } else { found.span.of(self.bytes) };
        Some(Candidate {
            wrap: found.wrap,
            span: found.span,
            text,
            scheme_len: found.scheme_len,
            scheme: found.scheme,
            is_cut: found.is_cut,
        })
    }

    fn triggers_from(&self) -> usize {
        self.triggers.position()
    }

    fn find(&mut self) -> Option<CandidateSpan> {
        if self.www.is_some() {
            return self.find_with_www();
        }
        while let Some(colon) = self.triggers.next_before(self.end) {
            if let Some(found) = self.examine(colon) {
                return Some(found);
            }
        }
        None
    }

    /// Examines colons and `www.` in the order of the text.
    fn find_with_www(&mut self) -> Option<CandidateSpan> {
        let mut colon = self.triggers.next_before(self.end);
        loop {
            let name = self.www.as_ref().and_then(www::Places::peek).filter(|at| *at < self.end);
            let found = match (colon, name) {
                (None, None) => return None,
                (Some(at), name) if name.is_none_or(|name| at < name) => {
                    colon = self.triggers.next_before(self.end);
                    self.examine(at)
                }
                (_, name) => {
                    let at = name?;
                    self.www.as_mut()?.skip_to(at + 1);
                    self.examine_www(at)
                }
            };
            if let Some(found) = found {
                // The trigger that was read ahead is returned to the queue, unless the candidate
                // contains it. Never go back further: the search between would be repeated for each
                // name found.
                if let Some(ahead) = colon {
                    self.triggers.rewind(ahead.max(found.after));
                }
                return Some(found);
            }
        }
    }

    fn examine_www(&self, at: usize) -> Option<CandidateSpan> {
        if at < self.floor || !www::begins_word(self.bytes, at) {
            return None;
        }
        let near = self.bytes.len().min(at + www::HOST_LEN_MAX + 1);
        let host = extent::hierarchical(self.bytes.get(..near)?, at, at);
        if !www::is_host(self.bytes.get(at..host.end)?) {
            return None;
        }
        let extent = extent::hierarchical(self.bytes, at, at);
        Some(CandidateSpan {
            wrap: Wrap::Www,
            span: Span::new(at, extent.end),
            is_joined: false,
            is_cut: extent.is_cut,
            scheme_len: 0,
            scheme: None,
            after: extent.end,
        })
    }

    /// Examines the trigger at `colon`.
    fn examine(&mut self, colon: usize) -> Option<CandidateSpan> {
        let is_slashed = matches!(self.bytes.get(colon + 1..)?, [b'/', b'/', ..]);
        let before = self.bytes.get(self.floor..colon)?;
        if is_slashed
            && let Some((len, scheme)) = before.last_chunk().and_then(|last| scheme::web(*last))
            && !unfold::ends_escape(self.bytes, colon - len + 1)
        {
            let start = colon - len;
            return self
                .wrapped(start, colon, Some(scheme))
                .or_else(|| self.bare_hierarchical(start, colon, Some(scheme)));
        }
        if self.bytes.get(colon + 1) == Some(&b'\\')
            && let Some(found) = self.escaped(colon)
        {
            return Some(found);
        }
        if !is_slashed {
            let last = *before.last_chunk()?;
            if last[1] | 0x20 == b'l' && unfold::is_prefix(before) {
                return self.in_brackets(unfold::after_prefix(self.bytes, colon));
            }
            if !scheme::may_end_in(last) {
                return None;
            }
        }
        let run = unfold::scheme_left(self.bytes, colon, self.floor).unwrap_or(colon);
        let word = self.bytes.get(run..colon)?;
        let letter = word.iter().position(u8::is_ascii_alphabetic);
        if letter.is_none() && !word.is_empty() {
            return None;
        }
        let start = self.after_control(run, colon).unwrap_or(run + letter.unwrap_or_default());
        let scheme = scheme::find(self.bytes.get(start..colon)?);
        let known = scheme.filter(|_| start == run);
        let is_class = !is_slashed && self.names_class(run);
        if !is_class && let Some(found) = self.wrapped(run, colon, known) {
            return Some(found);
        }
        match scheme {
            _ if is_slashed => self.bare_hierarchical(start, colon, scheme),
            Some(scheme) => self.bare_opaque(start, colon, scheme),
            None => None,
        }
    }

    /// Returns the offset of the known scheme after the letter of a control in a string,
    /// `\nmailto:`. A name with that letter may be known, too, where the backslash is escaped.
    fn after_control(&self, run: usize, colon: usize) -> Option<usize> {
        let before = self.bytes.get(self.floor..run)?;
        let slashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        let name = self.bytes.get(run..colon)?;
        let (b'n' | b'r' | b't', after) = name.split_first()? else { return None };
        let is_whole = slashes.is_multiple_of(2) && scheme::find(name).is_some();
        (slashes > 0 && !is_whole && scheme::find(after).is_some()).then_some(run + 1)
    }

    /// Returns the candidate whose scheme begins at `start`, if a bracket opens before it.
    fn wrapped(
        &mut self,
        start: usize,
        colon: usize,
        scheme: Option<&'static Scheme>,
    ) -> Option<CandidateSpan> {
        let before = start.checked_sub(1).and_then(|at| self.bytes.get(at));
        if let (Some(b'<'), Some(scheme)) = (before, scheme)
            && let Some(found) = self.in_simple_brackets(start, colon, scheme)
        {
            return Some(found);
        }
        if unfold::may_open(self.bytes, start, self.floor) {
            return self.in_brackets(start);
        }
        None
    }

    /// Returns the candidate that fills a pair of brackets without a blank, as nearly every one in
    /// brackets does. The result is that of `in_brackets`, or `None`.
    fn in_simple_brackets(
        &self,
        start: usize,
        colon: usize,
        scheme: &'static Scheme,
    ) -> Option<CandidateSpan> {
        let end = unfold::simple_end(self.bytes, start)?;
        let rest = self.bytes.get(colon + 1..end)?;
        let span = Span::new(start, end);
        self.fits_in_brackets(Some(scheme), rest, span).then_some(CandidateSpan {
            wrap: Wrap::Angle,
            span,
            is_joined: false,
            is_cut: false,
            scheme_len: colon - start,
            scheme: Some(scheme),
            after: end + 1,
        })
    }

    /// Reports whether `rest`, the text in brackets after the scheme's colon, may be part of a URI.
    fn fits_in_brackets(&self, scheme: Option<&Scheme>, rest: &[u8], span: Span) -> bool {
        match rest.strip_prefix(b"//") {
            Some(authority) => names_host(scheme, authority),
            None => shape::fits_in_brackets(scheme, rest) && !self.is_tag(span),
        }
    }

    /// Returns the candidate whose scheme begins at `start` after an opening bracket.
    fn in_brackets(&mut self, start: usize) -> Option<CandidateSpan> {
        let opening = unfold::opening(self.bytes, start, self.floor)?;
        let content = unfold::content(self.bytes, opening, &mut self.joined)?;
        let span = Span::new(content.start, content.end);
        let text = if content.is_joined { &self.joined } else { span.of(self.bytes) };
        let scheme_len = memchr::memchr(b':', text.get(..text.len().min(SCHEME_WINDOW))?)?;
        let name = text.get(..scheme_len)?;
        let rest = text.get(scheme_len + 1..)?;
        let scheme = scheme::find(name);
        let is_named = name.first()?.is_ascii_alphabetic()
            && (name.len() > 1 || opening.is_url)
            && name.iter().all(|byte| scheme::is_scheme_byte(*byte));
        let is_known = scheme.is_some() || opening.is_url || rest.starts_with(b"//");
        // `URL:` declares a URI (RFC 1738, Appendix), so that no more evidence is needed, except
        // that an unknown scheme must not be a name in a program, `std::string`.
        let may_be_scheme = scheme.is_some() || !rest.starts_with(b":");
        let is_told = opening.is_url && may_be_scheme && shape::is_something(rest);
        let fits = is_told || self.fits_in_brackets(scheme, rest, span);
        (is_named && is_known && fits).then_some(CandidateSpan {
            wrap: if opening.is_url { Wrap::Url } else { Wrap::Angle },
            span,
            is_joined: content.is_joined,
            is_cut: false,
            scheme_len,
            scheme,
            after: content.after,
        })
    }

    /// Reports whether the end tag of the same name follows on the line: `<geo:a.b>…</geo:a.b>`.
    fn is_tag(&self, span: Span) -> bool {
        /// An element that closes further away is not worth the search, in bytes.
        const ELEMENT_LEN_MAX: usize = 1024;
        let name = span.of(self.bytes);
        let is_name = |byte: &u8| scheme::is_scheme_byte(*byte) || matches!(byte, b':' | b'_');
        if memchr::memchr2(b'@', b'/', name).is_some() || !name.iter().all(is_name) {
            return false;
        }
        let rest = self.bytes.get(span.end..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(ELEMENT_LEN_MAX)).unwrap_or_default();
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        memchr::memmem::find_iter(line, b"</")
            .any(|at| line.get(at + 2..).is_some_and(|tag| tag.starts_with(name)))
    }

    /// Returns the candidate `scheme://…` without brackets, whose scheme begins at `start`.
    fn bare_hierarchical(
        &mut self,
        start: usize,
        colon: usize,
        scheme: Option<&'static Scheme>,
    ) -> Option<CandidateSpan> {
        let (start, scheme) = match scheme {
            Some(_) => (start, scheme),
            None => self.glued_scheme(start, colon)?,
        };
        if let Some(end) = extent::end_of_edonkey(self.bytes, start, colon) {
            let extent = extent::Extent { end, ..extent::Extent::default() };
            return Some(bare(start, colon, scheme, &extent));
        }
        let host = colon + 3;
        let names_host_at_once = self.bytes.get(host).is_some_and(u8::is_ascii_alphanumeric);
        if !names_host_at_once && !self.may_name_host(host, scheme) {
            return None;
        }
        let walk = if self.keeps_backslashes {
            extent::hierarchical
        } else {
            extent::hierarchical_with_marks
        };
        let extent = walk(self.bytes, start, host);
        let authority = self.bytes.get(host..extent.end).unwrap_or_default();
        if !(names_host_at_once || names_host(scheme, authority)) {
            return None;
        }
        let whole = if extent.is_escaped { self.with_escapes(start, colon, scheme) } else { None };
        if whole.is_none() && extent.has_marks {
            let text = Span::new(start, extent.end).of(self.bytes);
            let is_quoted = self.bytes.get(..start).is_some_and(|text| text.ends_with(b"'"));
            backslash::without_escapes(text, is_quoted, &mut self.joined);
        }
        whole.or_else(|| Some(bare(start, colon, scheme, &extent)))
    }

    /// Returns the candidate whose scheme ends at `colon`, before escaped slashes.
    fn escaped(&mut self, colon: usize) -> Option<CandidateSpan> {
        let run = unfold::scheme_left(self.bytes, colon, self.floor)?;
        let name = self.bytes.get(run..colon)?;
        let scheme = match scheme::find(name) {
            Some(scheme) => scheme,
            None => self.after_escape(run, name)?,
        };
        self.with_escapes(colon - scheme.name.len(), colon, Some(scheme))
    }

    /// Returns the scheme in which `name` ends, if the letters before it belong to an escape in a
    /// string: `\nhttp:\/\/`.
    fn after_escape(&self, run: usize, name: &[u8]) -> Option<&'static Scheme> {
        let before = self.bytes.get(..run)?;
        let (len, scheme) = extent::known_ending(name)?;
        let is_one = match name.get(..name.len() - len)? {
            [b'n' | b'r' | b't'] => true,
            [b'u', digits @ ..] => digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit),
            _ => false,
        };
        (is_one && before.ends_with(b"\\")).then_some(scheme)
    }

    /// Returns the candidate whose scheme begins at `start`, with escaped characters decoded.
    fn with_escapes(
        &mut self,
        start: usize,
        colon: usize,
        scheme: Option<&'static Scheme>,
    ) -> Option<CandidateSpan> {
        let content =
            escaped::content(self.bytes, start, colon, self.keeps_backslashes, &mut self.joined)?;
        let scheme_len = colon - start;
        let authority = self.joined.get(scheme_len + 3..)?;
        names_host(scheme, authority).then_some(CandidateSpan {
            wrap: Wrap::Bare,
            span: Span::new(start, content.end),
            is_joined: true,
            is_cut: content.is_cut,
            scheme_len,
            scheme,
            after: content.end,
        })
    }

    /// Reports whether the text at `host` may name a host, without a walk to the end of the URI.
    fn may_name_host(&self, host: usize, scheme: Option<&Scheme>) -> bool {
        let is_web = scheme.is_some_and(|scheme| scheme.class == Class::Web);
        let rest = self.bytes.get(host..).unwrap_or_default();
        match rest.first() {
            Some(b'/' | b'?' | b'#') if is_web => begins_path(rest),
            _ => extent::may_name_host(self.bytes, host),
        }
    }

    /// Returns the candidate `scheme:…` without brackets, if the text after the colon has the form
    /// that the scheme requires, and `scheme` is no part of another word.
    fn bare_opaque(
        &self,
        start: usize,
        colon: usize,
        scheme: &'static Scheme,
    ) -> Option<CandidateSpan> {
        if self.is_glued(start) || self.is_pattern(start, colon) {
            return None;
        }
        let near = self.bytes.len().min(colon + 1 + shape::SHAPE_LEN_MAX);
        let mut extent = extent::opaque(self.bytes.get(..near)?, start, colon + 1);
        let rest = self.bytes.get(colon + 1..extent.end)?;
        if !shape::fits(scheme, rest) || shape::is_label(scheme, self.bytes.get(start)?, rest) {
            return None;
        }
        if near < self.bytes.len() {
            extent = extent::opaque(self.bytes, start, colon + 1);
        }
        Some(bare(start, colon, Some(scheme), &extent))
    }

    /// Returns the scheme of an unknown name before `://`, and the offset where it begins.
    ///
    /// The name may begin with a word of the text that is glued to the scheme. If it ends in a
    /// known scheme, that is taken.
    fn glued_scheme(&self, start: usize, colon: usize) -> Option<(usize, Option<&'static Scheme>)> {
        let name = self.bytes.get(start..colon)?;
        if let Some((len, scheme)) = extent::known_ending(name) {
            return Some((colon - len, Some(scheme)));
        }
        if let Some(plus) = memchr::memrchr(b'+', name)
            && extent::is_delimited(self.bytes, start + plus + 1, b'+')
            && let Some(scheme) = scheme::find(name.get(plus + 1..)?)
        {
            return Some((start + plus + 1, Some(scheme)));
        }
        // A part of a word is no scheme: `schéma://`.
        if self.is_glued(start) || unicode::ends_in_letter(self.bytes, start) {
            return self.after_plus(start, colon);
        }
        (name.len() > 1).then_some((start, None))
    }

    /// Does the same as [`Self::glued_scheme`] for a name glued to the text before it, if a known
    /// scheme follows the last plus in the name. Only that scheme is taken after a command of TeX,
    /// `\verb+http://`, and after an escape, `\n+http://`; the whole name is taken after a path or
    /// a package, `/git+https://`.
    fn after_plus(&self, start: usize, colon: usize) -> Option<(usize, Option<&'static Scheme>)> {
        let plus = start + memchr::memrchr(b'+', self.bytes.get(start..colon)?)?;
        let scheme = scheme::find(self.bytes.get(plus + 1..colon)?)?;
        let (before, first) =
            (*self.bytes.get(start.checked_sub(1)?)?, self.bytes.get(start..plus)?);
        if extent::is_command(self.bytes.get(..plus)?) || before == b'\\' && first.len() == 1 {
            return Some((plus + 1, Some(scheme)));
        }
        let is_whole = extent::names_repository(first) && matches!(before, b'/' | b'@' | 0x80..);
        is_whole.then_some((start, None))
    }

    /// Reports whether the name at `run` is that of a class in Ruby's notation of an object:
    /// `#<File:a.rb>`. Its bracket then wraps no URI.
    fn names_class(&self, run: usize) -> bool {
        let before = self.bytes.get(self.floor..run).unwrap_or_default();
        let first = self.bytes.get(run);
        before.ends_with(b"#<") && first.is_some_and(u8::is_ascii_uppercase)
    }

    /// Reports whether the scheme at `start` is all of a regular expression of JavaScript, whose
    /// slashes surround it: `/^file:/.test(a)`.
    fn is_pattern(&self, start: usize, colon: usize) -> bool {
        let left = self.bytes.get(..start).unwrap_or_default();
        left.ends_with(b"/^") && self.bytes.get(colon + 1) == Some(&b'/')
    }

    /// Reports whether the text before `start` makes the name there part of another word, which is
    /// no scheme: part of a path, a variable, a name in a namespace.
    fn is_glued(&self, start: usize) -> bool {
        let left = self.bytes.get(..start).unwrap_or_default();
        left.ends_with(b"::")
            || left.last().is_some_and(|byte| {
                matches!(byte, b'$' | b'%' | b'_' | b'@' | b'/' | b'\\' | b'&' | b'#')
                    || byte.is_ascii_digit()
            })
    }
}

fn bare(
    start: usize,
    colon: usize,
    scheme: Option<&'static Scheme>,
    extent: &extent::Extent,
) -> CandidateSpan {
    CandidateSpan {
        wrap: Wrap::Bare,
        span: Span::new(start, extent.end),
        is_joined: extent.has_marks,
        is_cut: extent.is_cut,
        scheme_len: colon - start,
        scheme,
        after: extent.end,
    }
}

/// Returns the character before which the bare URI at `span` ends, if it may have been cut there:
/// browsers accept it and more of a word follows, or it goes on in the next line.
#[must_use]
pub fn cut_before(bytes: &[u8], span: Span) -> Option<char> {
    extent::cut_before(bytes, span).or_else(|| unfold::cut_before(bytes, span))
}

/// Bytes at the beginning of a bracket's content in which its scheme must end.
const SCHEME_WINDOW: usize = scheme::SCHEME_LEN_MAX + 1;

/// Reports whether an authority has a byte that could name a host. Without a host, a path is
/// enough: of the Web, one that begins with a letter or a digit, which is an error and no
/// placeholder.
fn names_host(scheme: Option<&Scheme>, authority: &[u8]) -> bool {
    let telling = |byte: &u8| byte.is_ascii_alphanumeric() || *byte > 0x7F || *byte == b'[';
    if authority.first().is_some_and(telling) {
        return true;
    }
    let len = authority.iter().take_while(|byte| !matches!(byte, b'/' | b'?' | b'#')).count();
    let host = authority.get(..len).unwrap_or_default();
    if !host.is_empty() {
        return host.iter().any(telling);
    }
    match scheme {
        Some(scheme) if scheme.class == Class::Web => begins_path(authority),
        _ => authority.iter().any(telling),
    }
}

/// Reports whether `text` is a slash and the beginning of a name.
fn begins_path(text: &[u8]) -> bool {
    matches!(text, [b'/', first, ..] if first.is_ascii_alphanumeric())
}
