//! Turns the haystacks of a piece into findings: scans them, checks candidates against grammars,
//! and gives verdicts. `merge` has the single loop over candidates and links of markup.
//!
//! `judge` is the only place that decides good or bad.

use std::borrow::Cow;
use std::sync::Arc;

use regex::bytes::RegexSet;

use crate::finding::{
    Cue, Fault, Finding, Lint, Note, NoteKind, Origin, Place, Repairs, Skip, Syntax, Warning,
};
use crate::grammar::{self, Grammar};
use crate::scan::{self, Wrap};
use crate::scheme::Scheme;
use crate::source::account::{Account, Wanted};
use crate::source::haystack::{Alternative, Haystack, Located, Originals, Reader, Segment};
use crate::source::mail::mime::{LOOK_LEN, Omissions, Siblings, TAKEN_UP_MAX};
use crate::source::mail::names::Name;
use crate::source::piece::Storage;
use crate::source::{Piece, Window, decode};
use crate::span::{LineCursor, Span};
use crate::uri::{Redacted, is_plain, is_plain_reference};

mod bases;
mod disarmed;
mod duplicates;
pub mod effects;
mod facts;
mod hint;
mod inner;
mod judge;
mod literal;
#[cfg(feature = "report")]
pub mod local;
mod merge;
mod namespace;
#[cfg(feature = "report")]
pub mod stand_in;
mod template;
mod unfinished;
pub mod unwrap;

pub use facts::Memory;
use inner::Inner;
pub use judge::{Accept, Counting, Exception, Policy, forgive, judge};

/// Bytes before a piece that are searched for a header field that ends before the piece. The field
/// in which a piece begins is known by its name, whatever its length.
const FIELD_BACK_MAX: usize = 16 * 1024;

/// The bytes to read around the core of a piece: a candidate may begin before its trigger, and its
/// header field before the candidate.
pub const WINDOW: Window =
    Window { before: scan::LOOKBACK_MAX + FIELD_BACK_MAX, after: scan::LOOKAHEAD_MAX };

// Decoding resumes within the bytes before a piece, early enough for the scanner's lookback.
const _: () = assert!(3 * scan::LOOKBACK_MAX < TAKEN_UP_MAX && TAKEN_UP_MAX < WINDOW.before);

// The lookahead includes all bytes that decide the kind of a block in a text, wherever the input is
// cut. Up to 8 of them may belong to a character at the cut.
const _: () = assert!(LOOK_LEN + 8 < WINDOW.after);

/// The checks made of each candidate.
#[derive(Clone)]
pub struct Checks {
    /// Grammars to check candidates against.
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
    /// Whether links that mail gateways wrapped are replaced by their targets.
    pub unwrap: bool,
}

impl Default for Checks {
    /// Returns checks that apply no grammar and report every cue.
    fn default() -> Self {
        Self {
            grammars: Vec::new(),
            refused: Repairs::NONE,
            cues: Cue::ALL.to_vec(),
            include: RegexSet::empty(),
            exclude: RegexSet::empty(),
            allowed: Vec::new(),
            messages: false,
            names: false,
            effects: false,
            unwrap: true,
        }
    }
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
    /// Candidates in header fields that trace a message's route, such as `Received`.
    pub trace_fields: u64,
    /// Candidates whose cue was not requested.
    pub other_cues: u64,
    /// Candidates that `include` or `exclude` filtered out.
    pub filtered: u64,
    /// Candidates in a part of a header field that the field's rule does not read.
    pub field_comments: u64,
    /// Findings omitted because another alternative of the same content has them, too.
    pub twins: u64,
    /// Alternatives whose findings were not compared, or only in part.
    pub unpaired: u64,
    /// Candidates that a comment in their document ignores.
    pub ignored: u64,
    /// Texts in base64 that are not decoded.
    pub coded: u64,
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

impl Tally {
    /// Returns the reasons for which something was skipped, and their counts.
    pub fn skipped(&self) -> impl Iterator<Item = (Skip, u64)> + use<'_> {
        // Named one by one, so that no counter is forgotten.
        let Self {
            trace_fields,
            other_cues,
            filtered,
            field_comments,
            twins,
            unpaired,
            ignored,
            coded,
            templates,
            disarmed,
            relative,
            omissions,
            messages: _,
            notes: _,
            names: _,
        } = self;
        let counts = [
            (Skip::TraceField, *trace_fields),
            (Skip::OtherCue, *other_cues),
            (Skip::Filtered, *filtered),
            (Skip::FieldComment, *field_comments),
            (Skip::Twin, *twins),
            (Skip::AlternativeUnpaired, *unpaired),
            (Skip::IgnoredByComment, *ignored),
            (Skip::PartPacked, *coded),
            (Skip::Template, *templates),
            (Skip::Disarmed, *disarmed),
            (Skip::Relative, *relative),
        ];
        let omissions = omissions.iter().map(|(omission, count)| (omission.skip(), count));
        counts.into_iter().chain(omissions)
    }
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
    let mut work = PieceCheck::new(piece, checks, memory, sink);
    let wanted = Wanted { messages: checks.messages, names: checks.names };
    let account = decode::read(piece, wanted, &mut work);
    let Tally { twins, unpaired, templates, .. } = work.tally;
    let Account { messages, omissions, mut notes, offers, names, .. } = account;
    notes.extend(offers.into_iter().filter_map(|offer| note_of_offer(piece, checks, offer)));
    Tally {
        messages,
        twins,
        unpaired: unpaired + account.unpaired,
        templates: templates + account.templates,
        omissions,
        notes,
        names,
        ..work.tally
    }
}

/// Returns a note with the warnings about an offer to unsubscribe, without the allowed ones.
fn note_of_offer(
    piece: &Piece,
    checks: &Checks,
    (offset, warnings): (u64, Vec<Warning>),
) -> Option<Note> {
    let is_told = |warning: &&Warning| !checks.allowed.contains(&warning.lint);
    let told: Vec<_> = warnings
        .iter()
        .filter(is_told)
        .map(|warning| format!("{}: {warning}", warning.lint.id))
        .collect();
    (!told.is_empty()).then(|| Note {
        kind: NoteKind::ListUnsubscribe,
        origin: Origin::clone(&piece.origin),
        offset: Some(offset),
        message: told.join("; "),
    })
}

/// The candidates of one piece on their way to findings.
struct PieceCheck<'p> {
    piece: &'p Piece,
    checks: &'p Checks,
    lines: LineCursor<'p>,
    originals: Originals<'p>,
    /// The findings that wait for the end of an alternative, and the form that is read.
    waiting: Option<(duplicates::Alternative<'p>, Siblings)>,
    memory: &'p mut Memory,
    tally: Tally,
    sink: &'p mut dyn FnMut(&Finding<'_>),
}

/// The facts known about a candidate's place before the candidate is read.
struct Context<'c> {
    located: Located,
    segment: Segment<'c>,
    /// The base of relative links, if one is declared.
    base: Option<&'c [u8]>,
}

/// A doubt about the end of a candidate.
#[derive(Clone, Copy)]
enum Doubt {
    /// A bare link may have been cut before this character.
    Cut(char),
    /// A link in brackets was joined over a blank of its line, where it may end.
    Joined,
}

/// A candidate before it is checked.
struct Unchecked<'f> {
    /// The candidate's text; then its redacted forms for display, as decoded and as in the source.
    text: &'f [u8],
    uri: Redacted<'f>,
    raw: Redacted<'f>,
    cue: Cue,
    scheme: Option<&'static Scheme>,
    /// Length of the scheme's name; zero for a relative reference, and if no scheme is written.
    scheme_len: usize,
    is_cut: bool,
    /// The gateway whose URL a line break cut within its link or before it.
    broken_by: Option<&'static str>,
    /// Whether the candidate continues, or seems to, beyond the bytes that were read.
    is_unfinished: bool,
    /// The text that a reader sees in its place.
    shown: Option<&'f [u8]>,
    /// See [`Finding::after`].
    after: Option<u8>,
    /// A doubt about its end.
    doubt: Option<Doubt>,
    /// The warnings about the message that the candidate carries.
    offered: &'f [Warning],
    /// See [`Finding::is_name`].
    is_name: bool,
    /// See [`Finding::is_origin`].
    is_origin: bool,
    /// See [`Finding::is_torn`].
    is_torn: bool,
    /// See [`Finding::effect`].
    effect: Option<&'static str>,
}

impl<'p> PieceCheck<'p> {
    fn new(
        piece: &'p Piece,
        checks: &'p Checks,
        memory: &'p mut Memory,
        sink: &'p mut dyn FnMut(&Finding<'_>),
    ) -> Self {
        Self {
            piece,
            checks,
            lines: LineCursor::new(&piece.bytes, &piece.lines, piece.position),
            originals: Originals::new(piece),
            waiting: None,
            memory,
            tally: Tally::default(),
            sink,
        }
    }

    /// Makes a finding of `found`, or counts the reason to omit it.
    fn finding(&mut self, found: Unchecked<'_>, is_mail: bool, context: &Context<'_>) {
        let place = self.place(context);
        let is_plain =
            is_plain(found.text) || found.is_relative() && is_plain_reference(found.text);
        let inner = if is_plain || !self.checks.unwrap { None } else { Inner::of(&found) };
        let found = match &inner {
            Some(inner) => found.unwrapped(inner),
            None if is_plain => found.without_tokens(),
            None => found,
        };
        let known = self.memory.of(&found, self.checks);
        if !known.is_wanted {
            self.tally.filtered += 1;
            return;
        }
        let Unchecked { uri, raw, cue, after, is_name, is_origin, is_torn, effect, .. } = found;
        let Segment { message, header, part, .. } = context.segment;
        let finding = Finding {
            uri,
            raw,
            wrapped: inner.as_ref().map(|inner| Arc::clone(&inner.wrapped)),
            cue,
            place,
            base: context.base.map(Redacted::new),
            after,
            is_mail,
            is_name,
            is_origin,
            is_torn,
            effect,
            message,
            header,
            part,
            twins: &[],
            facts: &known.facts,
            reach: None,
            archived: None,
            verdict: known.facts.verdict,
            known: None,
        };
        match &mut self.waiting {
            Some((alternative, form)) => alternative.take(&finding, form, self.sink),
            None => (self.sink)(&finding),
        }
    }

    /// Returns the place of a link, with line and column in the decoded text.
    fn place(&mut self, context: &Context<'_>) -> Place<'p> {
        let Located { span, decoded, column } = context.located;
        let position = self.lines.locate(span.start);
        let offset = self.originals.start(span.start);
        let column_bytes = self.originals.column(offset).unwrap_or(position.byte);
        Place {
            origin: &self.piece.origin,
            offset,
            len: self.originals.end(span.end).saturating_sub(offset),
            line: position.line,
            column: column.unwrap_or(position.column),
            column_bytes,
            file_offset: (self.piece.storage == Storage::Plain).then_some(offset),
            decoded,
        }
    }
}

impl Reader for PieceCheck<'_> {
    fn read(&mut self, haystack: &mut Haystack<'_, '_>) -> usize {
        merge::read(self, haystack)
    }

    fn alternative(&mut self, event: Alternative<'_>) {
        match event {
            Alternative::Begins => {
                let alternative = duplicates::Alternative::new(&self.piece.origin);
                self.waiting = Some((alternative, Siblings::NONE));
            }
            Alternative::Form(siblings) => {
                if let Some((_, form)) = &mut self.waiting {
                    *form = siblings.clone();
                }
            }
            Alternative::Ends => {
                let Some((alternative, _)) = self.waiting.take() else { return };
                let (twins, is_cut) = alternative.end(self.sink);
                self.tally.twins += twins;
                self.tally.unpaired += u64::from(is_cut);
            }
        }
    }
}

impl Unchecked<'_> {
    /// Reports whether the candidate is relative: its scheme is that of its document's base.
    fn is_relative(&self) -> bool {
        self.cue == Cue::Markup && self.scheme_len == 0
    }

    /// Reports whether the candidate is a host without a scheme, which is assumed.
    fn is_assumed(&self) -> bool {
        self.cue == Cue::Www && self.scheme_len == 0
    }
}

/// The prefix that is assumed for a host name without a scheme.
const ASSUMED: &[u8] = b"http://";

/// Returns the lints of a candidate, if it is complete and a grammar accepts it: other text need
/// not be the URI that it resembles. In a relative reference, only the host can be linted, if there
/// is one (`//host/`, RFC 3986 §4.2). `of_shown` holds the warnings about the text that a reader
/// sees.
fn lint(
    checks: &Checks,
    found: &Unchecked<'_>,
    syntax: &[Syntax],
    mut of_shown: Vec<Warning>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let is_taken = syntax.iter().any(|syntax| syntax.fault.is_none());
    if found.is_cut || !is_taken {
        return warnings;
    }
    if !found.is_relative() {
        lint_absolute(found, &mut warnings);
    }
    warnings.append(&mut of_shown);
    match found.doubt {
        _ if found.is_torn => grammar::lint_torn(found.text, &mut warnings),
        Some(Doubt::Cut(next)) => grammar::lint_cut(found.text, next, &mut warnings),
        Some(Doubt::Joined) => grammar::lint_joined(found.text, &mut warnings),
        None => {}
    }
    warnings.extend_from_slice(found.offered);
    warnings.retain(|warning| !checks.allowed.contains(&warning.lint));
    warnings
}

/// Lints a candidate with a scheme, written or assumed.
fn lint_absolute(found: &Unchecked<'_>, warnings: &mut Vec<Warning>) {
    if !found.is_assumed() {
        return grammar::lint(found.text, warnings);
    }
    grammar::lint(&[ASSUMED, found.text].concat(), warnings);
    for warning in warnings {
        warning.at = warning.at.saturating_sub(ASSUMED.len());
    }
}

/// Checks a candidate against each grammar.
fn hold(checks: &Checks, found: &Unchecked<'_>) -> Vec<Syntax> {
    let mut list = Vec::with_capacity(checks.grammars.len());
    let assumed;
    let (text, ahead) = if found.is_assumed() {
        assumed = [ASSUMED, found.text].concat();
        (assumed.as_slice(), ASSUMED.len())
    } else if lacks_host(found) {
        assumed = [OF_BASE, found.text].concat();
        (assumed.as_slice(), OF_BASE.len())
    } else {
        (found.text, 0)
    };
    for &grammar in &checks.grammars {
        let is_reference = found.is_relative() && ahead == 0;
        let grammar = if is_reference { grammar::of_references(grammar) } else { grammar };
        let read = grammar.read(text, checks.refused);
        let repairs = *read.as_ref().unwrap_or(&Repairs::NONE);
        let moved = |at: usize| at.saturating_sub(ahead);
        let fault = read.err().map(|fault| Fault { at: fault.at.map(moved), ..fault });
        list.push(Syntax { grammar: grammar.name(), fault, repairs });
    }
    list
}

/// Reports whether `found` is a reference to another host, which it does not name: `//`, `//:80/`,
/// as a template with an empty variable writes it. Browsers take three slashes for two.
fn lacks_host(found: &Unchecked<'_>) -> bool {
    let is_one = || grammar::split(found.text).host.is_some_and(Span::is_empty);
    found.is_relative()
        && found.text.starts_with(b"//")
        && !found.text.starts_with(b"///")
        && is_one()
}

/// The scheme, with its colon, of the base of such a reference. The bases of documents are those of
/// the Web, whose URIs have a host (RFC 9110 §4.2.1).
const OF_BASE: &[u8] = b"http:";

const fn cue(wrap: Wrap) -> Cue {
    match wrap {
        Wrap::Url => Cue::Url,
        Wrap::Angle => Cue::Angle,
        Wrap::Bare => Cue::Bare,
        Wrap::Www => Cue::Www,
    }
}

/// Returns the name of the scheme in lower case.
fn scheme(found: &Unchecked<'_>) -> Cow<'static, str> {
    match found.scheme {
        Some(scheme) => Cow::Borrowed(scheme.name),
        None => {
            let written = found.text.get(..found.scheme_len).unwrap_or_default();
            let name = written.iter().map(|byte| char::from(byte.to_ascii_lowercase()));
            Cow::Owned(name.collect())
        }
    }
}
