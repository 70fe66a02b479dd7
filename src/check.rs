//! Turns a piece of text into findings: scans it, holds candidates to grammars, and gives verdicts.
//!
//! `judge` is the only place that decides good or bad.

use std::borrow::Cow;
use std::cell::OnceCell;

use regex::bytes::RegexSet;

use crate::finding::{Cue, Fault, Finding, Lint, Message, Note, Place, Repairs, Syntax, Warning};
use crate::grammar::{self, Grammar};
use crate::scan::{self, CANDIDATE_LEN_MAX, Candidate, Scanner, Wrap};
use crate::scheme::{self, Scheme};
use crate::source::mail::charset::Original;
use crate::source::mail::fields::Standing;
use crate::source::mail::mime::{LOOK_LEN, Omissions, TAKEN_UP_MAX};
use crate::source::markup::{Comments, Escapes, Link, Markup};
use crate::source::piece::Storage;
use crate::source::{Piece, Records, Window};
use crate::span::{LineCursor, Position, Span, last_line};
use crate::uri::{Guarded, holds_at};

mod attribute;
mod disarmed;
mod document;
pub mod effects;
mod hint;
mod judge;
mod known;
mod literal;
#[cfg(feature = "report")]
pub mod local;
mod mail;
mod names;
mod namespace;
mod template;
mod text;
mod twins;

pub use judge::{Accept, Exception, Policy, forgive, judge};
pub use known::Memory;
use mail::Decoded;
pub use names::{Name, Named};

/// Bytes before a piece that are searched for a header field that ends before the piece. The field
/// in which a piece begins is known by its name, whatever its length.
const FIELD_BACK_MAX: usize = 16 * 1024;

/// The bytes to read around the core of a piece: a candidate may begin before its trigger, and its
/// header field before the candidate.
pub const WINDOW: Window =
    Window { before: scan::LOOKBACK_MAX + FIELD_BACK_MAX, behind: scan::LOOKAHEAD_MAX };

// Decoding resumes within the bytes before a piece, early enough for the scanner's lookback.
const _: () = assert!(3 * scan::LOOKBACK_MAX < TAKEN_UP_MAX && TAKEN_UP_MAX < WINDOW.before);

// The lookahead includes all bytes that decide the kind of a block in a text, wherever the input is
// cut. Up to 8 of them may belong to a character at the cut.
const _: () = assert!(LOOK_LEN + 8 < WINDOW.behind);

/// The checks made of each candidate.
#[derive(Clone)]
pub struct Checks {
    /// Grammars to hold candidates to.
    pub grammars: Vec<&'static dyn Grammar>,
    /// Repairs that the grammars must not make.
    pub refused: Repairs,
    /// Cues to report.
    pub cues: Vec<Cue>,
    /// Patterns of which a URI must match one, unless there are none.
    pub include: RegexSet,
    /// Patterns of which a URI must match none.
    pub exclude: RegexSet,
    /// Lints that are not reported.
    pub allowed: Vec<&'static Lint>,
    /// Whether findings must carry the message around them, and lines of decoded text.
    pub messages: bool,
    /// Whether the names of messages and of their parts are collected.
    pub names: bool,
    /// Whether the words around links of mail are read for the effects of the links.
    pub effects: bool,
}

impl Checks {
    fn is_wanted(&self, uri: &[u8]) -> bool {
        let Self { include, exclude, .. } = self;
        (include.is_empty() || include.is_match(uri))
            && (exclude.is_empty() || !exclude.is_match(uri))
    }
}

/// The counts and notes of a piece, besides its findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Messages that begin in the piece.
    pub messages: u64,
    /// Candidates in header fields that name machines on the way of a message.
    pub trace_fields: u64,
    /// Candidates whose cue was not requested.
    pub other_cues: u64,
    /// Candidates that `include` or `exclude` filtered out.
    pub filtered: u64,
    /// Candidates in a part of a header field that the field's rule does not read.
    pub field_comments: u64,
    /// Findings omitted because another form of the same content holds them, too.
    pub twins: u64,
    /// Alternatives whose findings were not compared, or only in part.
    pub unpaired: u64,
    /// Candidates that a comment in their document ignores.
    pub ignored: u64,
    /// Links that a template or a program fills in.
    pub templates: u64,
    /// Addresses that were disarmed on purpose.
    pub disarmed: u64,
    /// Relative links in messages that declare no base.
    pub relative: u64,
    /// The parts of messages that were not read.
    pub omissions: Omissions,
    /// Notes to report.
    pub notes: Vec<Note>,
    /// The names that occur in mail, where `Checks::names` requests them.
    pub names: Vec<Name>,
}

/// Passes every finding of `piece` to `sink`, in order of occurrence.
///
/// If the previous piece's last candidate may extend into this piece, waits for its end offset.
/// `memory` must come from pieces that were read with the same `checks`.
pub fn piece(
    piece: &Piece,
    checks: &Checks,
    memory: &mut Memory,
    sink: &mut dyn FnMut(&Finding<'_>),
) -> Tally {
    let floor = piece.reached_before.as_ref().and_then(|told| told.recv().ok()).unwrap_or(0);
    let floor = usize::try_from(floor.saturating_sub(piece.base)).unwrap_or(piece.bytes.len());
    let mut work = Work::new(piece, checks, memory);
    let resume = match &piece.records {
        Records::Text { comments, escapes } => {
            text::read(&mut work, *comments, *escapes, floor, sink)
        }
        Records::Document(document) => {
            document::read(&mut work, document, sink);
            piece.bytes.len()
        }
        Records::Mail { .. } => mail::read(&mut work, floor, sink),
    };
    if let Some(tell) = &piece.reached {
        // The receiver is gone when the run was stopped.
        let _ = tell.send(piece.base + resume as u64);
    }
    work.tally
}

/// The candidates of one piece on their way to findings.
struct Work<'p> {
    piece: &'p Piece,
    checks: &'p Checks,
    lines: LineCursor<'p>,
    originals: Originals<'p>,
    decoded: Decoded<'p>,
    /// Bytes held of the encoded messages around the current offset.
    held: usize,
    /// Whether findings wait for the end of an alternative.
    is_pairing: bool,
    memory: &'p mut Memory,
    tally: Tally,
}

/// The facts known about a candidate's place before the candidate is read.
#[derive(Default)]
struct Context<'c> {
    message: Option<&'c Message>,
    part: Option<&'c str>,
    is_header: bool,
    header: Option<&'c [u8]>,
    standing: Standing,
    /// The kind of text around a candidate.
    setting: effects::Setting,
    /// The effect of following a link by the words around it, where that is known already.
    effect: Option<&'static str>,
    /// The text that a reader sees in place of a candidate.
    shown: Option<Vec<u8>>,
    /// The base of the document's relative links, if it declares one.
    base: Option<&'c [u8]>,
    /// The source text of a candidate in its document.
    raw: Option<&'c [u8]>,
    /// The column, where it differs from that of the bytes in the file.
    column: Option<u64>,
    /// Whether only the host of a markup link is used.
    is_origin: bool,
}

/// A candidate before it is checked.
struct Found<'f> {
    /// The candidate's text; then its redacted forms for display, as decoded and as in the source.
    text: &'f [u8],
    uri: Guarded<'f>,
    raw: Guarded<'f>,
    cue: Cue,
    scheme: Option<&'static Scheme>,
    /// Length of the scheme's name; zero for a relative reference, and if no scheme is written.
    scheme_len: usize,
    is_cut: bool,
    /// Whether the candidate continues, or seems to, beyond the bytes that were read.
    is_unfinished: bool,
    /// The text that a reader sees in its place.
    shown: Option<&'f [u8]>,
    /// See [`Finding::behind`].
    behind: Option<u8>,
    /// The byte before which a bare link may have been cut.
    cut: Option<u8>,
    /// See [`Finding::is_name`].
    is_name: bool,
    /// See [`Finding::is_origin`].
    is_origin: bool,
    /// See [`Finding::effect`].
    effect: Option<&'static str>,
}

impl<'p> Work<'p> {
    fn new(piece: &'p Piece, checks: &'p Checks, memory: &'p mut Memory) -> Self {
        Self {
            piece,
            checks,
            lines: LineCursor::new(&piece.bytes, &piece.lines, piece.position),
            originals: Originals::new(piece),
            decoded: Decoded::new(checks.messages),
            held: 0,
            is_pairing: false,
            memory,
            tally: Tally::default(),
        }
    }

    /// Returns a scanner over `core` of `bytes` for all requested cues.
    fn scanner<'t>(&self, bytes: &'t [u8], core: Span, floor: usize) -> Scanner<'t> {
        let scanner = Scanner::within(bytes, core, floor);
        let keeps_backslashes = match &self.piece.records {
            Records::Mail { .. } => true,
            Records::Document(document) => document.markup == Markup::Roff,
            Records::Text { escapes, .. } => escapes.is_some_and(Escapes::has_commands),
        };
        let scanner = if keeps_backslashes { scanner.keeping_backslashes() } else { scanner };
        if self.checks.cues.contains(&Cue::Www) { scanner.with_www() } else { scanner }
    }

    /// Makes a finding of a candidate in `bytes`.
    fn candidate(
        &mut self,
        candidate: &Candidate<'_>,
        bytes: &[u8],
        context: &Context<'_>,
        sink: &mut dyn FnMut(&Finding<'_>),
    ) {
        let at = self.decoded.original(candidate.span);
        self.candidate_at(candidate, bytes, at, context, sink);
    }

    /// Makes a finding of a candidate in `bytes`, which is at `at` of the piece.
    fn candidate_at(
        &mut self,
        candidate: &Candidate<'_>,
        bytes: &[u8],
        at: (Span, Option<Position>),
        context: &Context<'_>,
        sink: &mut dyn FnMut(&Finding<'_>),
    ) {
        match context.standing {
            Standing::Uri => {}
            Standing::Comment => return self.tally.field_comments += 1,
            Standing::Trace => return self.tally.trace_fields += 1,
        }
        let Candidate { wrap, span, text, scheme, scheme_len, is_cut } = *candidate;
        let cue = if context.is_header { Cue::Header } else { cue(wrap) };
        if !self.checks.cues.contains(&cue) {
            self.tally.other_cues += 1;
            return;
        }
        if self.is_no_link(candidate, bytes) {
            return;
        }
        let behind = bytes.get(span.end..).unwrap_or_default();
        let is_unfinished = is_cut || is_unfinished(text, behind);
        let (uri, raw) = if is_unfinished {
            (Guarded::unfinished(text), Guarded::unfinished(span.of(bytes)))
        } else {
            // Text decoded in other places need not occur as bytes in the piece.
            let raw = match &self.piece.records {
                Records::Text { .. } => at.0.of(&self.piece.bytes),
                Records::Document(_) | Records::Mail { .. } => {
                    context.raw.unwrap_or_else(|| span.of(bytes))
                }
            };
            (Guarded::new(text), Guarded::source_of(text, raw))
        };
        let shown = context.shown.as_deref();
        let is_bare = matches!(wrap, Wrap::Bare | Wrap::Www);
        let behind = is_bare.then(|| scan::mark_behind(bytes, span)).flatten();
        let cut = is_bare.then(|| scan::cut_before(bytes, span)).flatten();
        let found = Found {
            text,
            uri,
            raw,
            cue,
            scheme,
            scheme_len,
            is_cut,
            is_unfinished,
            shown,
            behind,
            cut,
            is_name: namespace::is_named(bytes, span.start),
            is_origin: hint::is_origin(bytes, span.start, span.end),
            effect: self.effect(bytes, span, text, context),
        };
        let place = self.place(at, context);
        self.finding(found, place, context, sink);
    }

    /// Returns the effect of following the link `uri`, at `span` of `bytes`, by the words around
    /// it.
    fn effect(
        &self,
        bytes: &[u8],
        span: Span,
        uri: &[u8],
        context: &Context<'_>,
    ) -> Option<&'static str> {
        let is_wanted = self.checks.effects && self.is_mail();
        // All of the piece is passed on, so that a cut of the input does not change the words that
        // follow.
        let is_own = std::ptr::eq(bytes.as_ptr(), self.piece.bytes.as_ptr());
        let bytes = if is_own { &*self.piece.bytes } else { bytes };
        let setting = if context.is_header { effects::Setting::Field } else { context.setting };
        is_wanted.then(|| effects::around(bytes, span, uri, setting)).flatten()
    }

    /// Reports whether strangers wrote the text.
    fn is_mail(&self) -> bool {
        self.piece.is_of_mail || matches!(self.piece.records, Records::Mail { .. })
    }

    /// Reports whether a candidate is a false positive; counts the kinds that a user may miss.
    fn is_no_link(&mut self, candidate: &Candidate<'_>, bytes: &[u8]) -> bool {
        if disarmed::is_disarmed(candidate, bytes) {
            self.tally.disarmed += 1;
            return true;
        }
        let is_filled = match &self.piece.records {
            // A message is as its sender sent it: no template fills it in any more.
            Records::Mail { .. } => return false,
            Records::Document(_) => template::fills_candidate(candidate, bytes),
            Records::Text { .. } => template::fills_text(candidate, bytes),
        };
        self.tally.templates += u64::from(is_filled);
        is_filled || literal::is_property(candidate, bytes)
    }

    /// Makes a finding of a link, which reads as `raw` and is at `at` of the piece.
    fn link(
        &mut self,
        link: &Link,
        raw: &[u8],
        at: (Span, Option<Position>),
        context: &Context<'_>,
        sink: &mut dyn FnMut(&Finding<'_>),
    ) {
        let is_cut = link.target.len() > CANDIDATE_LEN_MAX;
        let (text, raw) = (shortened(&link.target), shortened(raw));
        let (uri, raw) = if is_cut {
            (Guarded::unfinished(text), Guarded::unfinished(raw))
        } else {
            (Guarded::new(text), Guarded::source_of(text, raw))
        };
        let scheme_len = scheme::name_len(text);
        let found = Found {
            text,
            uri,
            raw,
            cue: Cue::Markup,
            scheme: scheme::find(text.get(..scheme_len).unwrap_or_default()),
            scheme_len,
            is_cut,
            is_unfinished: is_cut,
            shown: link.shown.as_deref(),
            // The markup delimits it.
            behind: None,
            cut: None,
            is_name: false,
            is_origin: context.is_origin,
            effect: context.effect,
        };
        let place = self.place(at, context);
        self.finding(found, place, context, sink);
    }

    fn finding(
        &mut self,
        found: Found<'_>,
        place: Place<'p>,
        context: &Context<'_>,
        sink: &mut dyn FnMut(&Finding<'_>),
    ) {
        let is_mail = self.is_mail();
        let known = self.memory.of(&found, self.checks);
        if !known.is_wanted {
            self.tally.filtered += 1;
            return;
        }
        let Found { uri, raw, cue, behind, is_name, is_origin, effect, .. } = found;
        sink(&Finding {
            uri,
            raw,
            cue,
            place,
            base: context.base.map(Guarded::new),
            behind,
            is_mail,
            is_name,
            is_origin,
            effect,
            message: context.message,
            header: context.header,
            part: context.part,
            twins: &[],
            facts: &known.facts,
            reach: None,
            verdict: known.facts.verdict,
            known: None,
        });
    }

    /// Returns the place of a span, with line and column in the decoded text.
    fn place(
        &mut self,
        (span, decoded): (Span, Option<Position>),
        context: &Context<'_>,
    ) -> Place<'p> {
        let position = self.lines.locate(span.start);
        let offset = self.originals.start(span.start);
        let column_bytes = self.originals.column(offset).unwrap_or(position.byte);
        Place {
            origin: &self.piece.origin,
            offset,
            len: self.originals.end(span.end).saturating_sub(offset),
            line: position.line,
            column: context.column.unwrap_or(position.column),
            column_bytes,
            file_offset: (self.piece.storage == Storage::Plain).then_some(offset),
            decoded,
        }
    }
}

fn shortened(text: &[u8]) -> &[u8] {
    text.get(..CANDIDATE_LEN_MAX).unwrap_or(text)
}

impl Found<'_> {
    /// Reports whether the candidate is relative: its scheme is that of its document's base.
    fn is_relative(&self) -> bool {
        self.cue == Cue::Markup && self.scheme_len == 0
    }
}

/// The spans of a text whose findings a comment ignores. They are searched for at the first query.
struct Ignored<'t> {
    bytes: &'t [u8],
    /// The offset up to which queries occur.
    end: usize,
    /// The state of the comments before the text.
    comments: Comments,
    /// Sorted by offset.
    spans: OnceCell<Vec<Span>>,
}

impl<'t> Ignored<'t> {
    const fn of(bytes: &'t [u8], end: usize, comments: Comments) -> Self {
        Self { bytes, end, comments, spans: OnceCell::new() }
    }

    fn holds(&self, at: usize) -> bool {
        let find = || self.comments.clone().pass(self.bytes, self.end);
        let spans = self.spans.get_or_init(find);
        let first = spans.partition_point(|span| span.end <= at);
        spans.get(first).is_some_and(|span| span.start <= at)
    }
}

/// Reports whether a candidate seems to end inside a user information: at a line's end, a quote, a
/// bracket, or before an `@` without a host.
///
/// The text that follows, `behind`, must be joined to it by an `@`, and no port may end it.
fn is_unfinished(text: &[u8], behind: &[u8]) -> bool {
    /// Longest word that is searched. Longer words are not worth the search.
    const WORD_LEN_MAX: usize = 128;
    let behind_slash = memchr::memrchr(b'/', text).map_or(0, |slash| slash + 1);
    let tail = text.get(behind_slash..).unwrap_or_default();
    if memchr::memchr2(b':', b'%', tail).is_none() {
        return false;
    }
    let near = behind.get(..behind.len().min(WORD_LEN_MAX)).unwrap_or_default();
    // Without an `@`, no text is joined to the candidate, and no word after it holds a host.
    if !holds_at(near) {
        return false;
    }
    let is_mark = |byte: &u8| {
        matches!(byte, b'<' | b'>' | b'|' | b'"' | b'\'' | b'`' | b'{' | b'}' | b'^' | b'\\')
    };
    let breaks = |byte: &u8| !byte.is_ascii_graphic() || is_mark(byte);
    let start = near.iter().take_while(|byte| breaks(byte)).count();
    let rest = near.get(start..).unwrap_or_default();
    // Wide forms of `@` are outside US-ASCII.
    let len = rest.iter().take_while(|byte| !breaks(byte) || !byte.is_ascii()).count();
    let word = rest.get(..len).unwrap_or_default();
    let colon = memchr::memrchr(b':', tail);
    let end = colon.and_then(|colon| tail.get(colon + 1..));
    let is_port = end.is_some_and(|end| end.iter().all(u8::is_ascii_digit));
    let goes_on = near.starts_with(b"@") || !is_port && holds_at(word);
    goes_on && Guarded::unfinished(text).hides_any()
}

/// The prefix that a host name without a scheme stands for.
const ASSUMED: &[u8] = b"http://";

/// Returns the lints of a candidate that is complete and that a grammar accepts: other texts need
/// not be what they look like. Of a relative reference only the host can be linted, if it has one
/// (`//host/`, RFC 3986 §4.2).
fn lint(checks: &Checks, found: &Found<'_>, syntax: &[Syntax]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let is_taken = syntax.iter().any(|syntax| syntax.fault.is_none());
    if found.is_cut || !is_taken {
        return warnings;
    }
    if !found.is_relative() {
        lint_absolute(found, &mut warnings);
    }
    if let Some(shown) = found.shown {
        grammar::lint_shown(found.text, shown, &mut warnings);
    }
    if let Some(byte) = found.cut {
        grammar::lint_cut(found.text, byte, &mut warnings);
    }
    warnings.retain(|warning| !checks.allowed.contains(&warning.lint));
    warnings
}

/// Lints a candidate with a scheme, written or assumed.
fn lint_absolute(found: &Found<'_>, warnings: &mut Vec<Warning>) {
    if found.cue != Cue::Www {
        return grammar::lint(found.text, warnings);
    }
    grammar::lint(&[ASSUMED, found.text].concat(), warnings);
    for warning in warnings {
        warning.at = warning.at.saturating_sub(ASSUMED.len());
    }
}

/// Holds a candidate to each grammar.
fn hold(checks: &Checks, found: &Found<'_>) -> Vec<Syntax> {
    let mut list = Vec::with_capacity(checks.grammars.len());
    let assumed;
    let (text, ahead) = if found.cue == Cue::Www {
        assumed = [ASSUMED, found.text].concat();
        (assumed.as_slice(), ASSUMED.len())
    } else {
        (found.text, 0)
    };
    for &grammar in &checks.grammars {
        let grammar = if found.is_relative() { grammar::of_references(grammar) } else { grammar };
        let read = grammar.read(text, checks.refused);
        let repairs = *read.as_ref().unwrap_or(&Repairs::NONE);
        let moved = |at: usize| at.saturating_sub(ahead);
        let fault = read.err().map(|fault| Fault { at: fault.at.map(moved), ..fault });
        list.push(Syntax { grammar: grammar.name(), fault, repairs });
    }
    list
}

const fn cue(wrap: Wrap) -> Cue {
    match wrap {
        Wrap::Url => Cue::Url,
        Wrap::Angle => Cue::Angle,
        Wrap::Bare => Cue::Bare,
        Wrap::Www => Cue::Www,
    }
}

/// Returns the name of the scheme in lower case.
fn scheme(found: &Found<'_>) -> Cow<'static, str> {
    match found.scheme {
        Some(scheme) => Cow::Borrowed(scheme.name),
        None => {
            let written = found.text.get(..found.scheme_len).unwrap_or_default();
            let name = written.iter().map(|byte| char::from(byte.to_ascii_lowercase()));
            Cow::Owned(name.collect())
        }
    }
}

/// Maps offsets of a piece to offsets of the input. Queries must not decrease.
struct Originals<'p> {
    piece: &'p Piece,
    at: usize,
    /// The original position of `at`, if the text was decoded.
    original: Option<Original>,
    /// The input offset at which the line of `at` begins, if the text was decoded.
    line: u64,
}

impl<'p> Originals<'p> {
    fn new(piece: &'p Piece) -> Self {
        let original = piece.decoded_from.clone();
        let line = original.as_ref().map_or(0, |at| at.end() + 1 - piece.position.byte);
        Self { piece, at: 0, original, line }
    }

    /// Returns the column, in bytes of the input, of the input offset `start`, which must be the
    /// result of the latest query; `None` if the column is that of the piece.
    fn column(&self, start: u64) -> Option<u64> {
        self.original.is_some().then(|| start - self.line + 1)
    }

    /// Returns the input offset at which the text at `offset` begins.
    fn start(&mut self, offset: usize) -> u64 {
        match self.pass(offset) {
            Some(original) => original.start(),
            None => self.piece.base + offset as u64,
        }
    }

    /// Returns the input offset at which the text before `offset` ends.
    fn end(&mut self, offset: usize) -> u64 {
        match self.pass(offset) {
            Some(original) => original.end(),
            None => self.piece.base + offset as u64,
        }
    }

    fn pass(&mut self, offset: usize) -> Option<&mut Original> {
        let original = self.original.as_mut()?;
        let passed = self.piece.bytes.get(self.at..offset).unwrap_or_default();
        let (lines, last) = passed.split_at(last_line(passed));
        if !lines.is_empty() {
            original.pass(lines);
            self.line = original.end();
        }
        original.pass(last);
        self.at = self.at.max(offset);
        Some(original)
    }
}
