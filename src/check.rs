//! From a piece of text to findings: scan, grammars, and the verdict.
//!
//! [`judge`] is the only place that decides good or bad.

use std::sync::Arc;

use regex::bytes::RegexSet;

use crate::finding::{
    Cue, Fault, Finding, Lint, Message, Place, Repairs, Syntax, Verdict, Warning,
};
use crate::grammar::{self, Grammar};
use crate::scan::{self, Candidate, Scanner, Wrap};
use crate::source::charset;
use crate::source::fields::Standing;
use crate::source::mime::Omissions;
use crate::source::piece::Storage;
use crate::source::{Piece, Records, Window};
use crate::span::{LineCursor, Span};
use crate::uri::Guarded;

mod mail;
mod twins;

use mail::Decoded;

/// Bytes before a finding that are looked at for the header field it stands in. Lists of
/// addresses and of references reach this length; in a longer field the name stays unknown.
const FIELD_BACK_MAX: usize = 16 * 1024;

/// What must be seen around the core of a piece: a candidate may begin before its trigger,
/// and its field before the candidate.
pub const WINDOW: Window =
    Window { before: scan::LOOKBACK_MAX + FIELD_BACK_MAX, behind: scan::LOOKAHEAD_MAX };

/// What is asked of each candidate.
pub struct Checks {
    /// Grammars to hold it to.
    pub grammars: Vec<&'static dyn Grammar>,
    /// Repairs that they must not make.
    pub refused: Repairs,
    /// Cues to report.
    pub cues: Vec<Cue>,
    /// Only URIs that one of these matches, when there are any.
    pub include: RegexSet,
    /// No URI that one of these matches.
    pub exclude: RegexSet,
    /// Lints that say nothing.
    pub allowed: Vec<&'static Lint>,
    /// True when findings must tell the message around them, and lines of decoded text.
    pub messages: bool,
}

/// What a piece held besides findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Messages that begin in it.
    pub messages: u64,
    /// Candidates in header fields that name machines on the way.
    pub trace_fields: u64,
    /// Candidates whose cue was not asked for.
    pub other_cues: u64,
    /// Candidates that `include` or `exclude` left out.
    pub filtered: u64,
    /// Candidates outside of what the rule of their header field reads.
    pub field_comments: u64,
    /// Findings that stand in another form of what holds the same.
    pub twins: u64,
    /// Alternatives whose findings were not compared, or not all of them.
    pub unpaired: u64,
    /// What was not read in messages.
    pub omissions: Omissions,
}

/// Good or bad, by what was learnt: malformed for a grammar that was asked is an error, and
/// something worth a look without an error is a warning.
///
/// A URI that was cut is not judged.
#[must_use]
pub fn judge(syntax: &[Syntax], warnings: &[Warning], is_cut: bool) -> Verdict {
    if is_cut {
        Verdict::Skipped
    } else if syntax.iter().any(|syntax| syntax.fault.is_some()) {
        Verdict::Error
    } else if !warnings.is_empty() {
        Verdict::Warn
    } else {
        Verdict::Ok
    }
}

/// Gives every finding of `piece` to `sink`, in the order they stand.
///
/// A piece that begins where the one before may have reached waits for that one.
pub fn piece(piece: &Piece, checks: &Checks, sink: &mut dyn FnMut(&Finding<'_>)) -> Tally {
    let floor = piece.reached_before.as_ref().and_then(|told| told.recv().ok()).unwrap_or(0);
    let floor = usize::try_from(floor.saturating_sub(piece.base)).unwrap_or(piece.bytes.len());
    let mut work = Work::new(piece, checks);
    let resume = match &piece.records {
        Records::Text => work.text(floor, sink),
        Records::Mail { .. } => mail::read(&mut work, floor, sink),
    };
    if let Some(tell) = &piece.reached {
        // Nobody listens when the run was stopped.
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
    /// True while findings wait for the end of an alternative.
    is_pairing: bool,
    syntax: Vec<Syntax>,
    warnings: Vec<Warning>,
    /// The name of a scheme that is in no table, in lower case.
    scheme: String,
    /// The URI of a candidate whose entities were resolved.
    resolved: Vec<u8>,
    tally: Tally,
}

/// What is known of the place of a candidate before it is looked at.
#[derive(Default)]
struct Context<'c> {
    message: Option<Arc<Message>>,
    part: Option<&'c str>,
    is_header: bool,
    header: Option<&'c [u8]>,
    standing: Standing,
    is_html: bool,
}

impl<'p> Work<'p> {
    fn new(piece: &'p Piece, checks: &'p Checks) -> Self {
        Self {
            piece,
            checks,
            lines: LineCursor::new(&piece.bytes, &piece.lines, piece.position),
            originals: Originals { piece, at: 0, original: piece.decoded_from },
            decoded: Decoded::new(checks.messages),
            is_pairing: false,
            syntax: Vec::new(),
            warnings: Vec::new(),
            scheme: String::new(),
            resolved: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// A scanner over `core` of `bytes` for all that is asked.
    fn scanner<'t>(&self, bytes: &'t [u8], core: Span, floor: usize) -> Scanner<'t> {
        let scanner = Scanner::within(bytes, core, floor);
        if self.checks.cues.contains(&Cue::Www) { scanner.with_www() } else { scanner }
    }

    /// Scans the core of a piece without structure; gives how far the last finding reached.
    fn text(&mut self, floor: usize, sink: &mut dyn FnMut(&Finding<'_>)) -> usize {
        let bytes = &self.piece.bytes;
        let mut scanner = self.scanner(bytes, self.piece.core, floor);
        while let Some(candidate) = scanner.next() {
            self.candidate(&candidate, bytes, &Context::default(), sink);
        }
        scanner.resume()
    }

    /// Makes a finding of a candidate that stands in `bytes`.
    fn candidate(
        &mut self,
        candidate: &Candidate<'_>,
        bytes: &[u8],
        context: &Context<'_>,
        sink: &mut dyn FnMut(&Finding<'_>),
    ) {
        match context.standing {
            Standing::Uri => {}
            Standing::Comment => return self.tally.field_comments += 1,
            Standing::Trace => return self.tally.trace_fields += 1,
        }
        let cue = if context.is_header { Cue::Header } else { cue(candidate.wrap) };
        if !self.checks.cues.contains(&cue) {
            self.tally.other_cues += 1;
            return;
        }
        let mut resolved = std::mem::take(&mut self.resolved);
        let is_resolved =
            context.is_html && mail::resolve_ampersands(candidate.text, &mut resolved);
        let text = if is_resolved { resolved.as_slice() } else { candidate.text };
        self.finding(&Candidate { text, ..*candidate }, bytes, (cue, context), sink);
        self.resolved = resolved;
    }

    fn finding(
        &mut self,
        candidate: &Candidate<'_>,
        bytes: &[u8],
        (cue, context): (Cue, &Context<'_>),
        sink: &mut dyn FnMut(&Finding<'_>),
    ) {
        if !self.is_wanted(candidate.text) {
            self.tally.filtered += 1;
            return;
        }
        hold(self.checks, candidate, &mut self.syntax);
        self.lint(candidate);
        let place = self.place(candidate.span);
        let scheme = match candidate.scheme {
            Some(scheme) => scheme.name,
            None => lower(candidate, &mut self.scheme),
        };
        let behind = bytes.get(candidate.span.end..).unwrap_or_default();
        let raw = candidate.span.of(bytes);
        let (uri, raw) = if candidate.is_cut || is_unfinished(candidate.text, behind) {
            (Guarded::unfinished(candidate.text), Guarded::unfinished(raw))
        } else {
            (Guarded::new(candidate.text), Guarded::source_of(candidate.text, raw))
        };
        sink(&Finding {
            uri,
            raw,
            cue,
            scheme,
            place,
            message: context.message.as_deref(),
            header: context.header,
            part: context.part,
            twins: &[],
            syntax: &self.syntax,
            warnings: &self.warnings,
            verdict: judge(&self.syntax, &self.warnings, candidate.is_cut),
        });
    }

    /// Lints what is whole and taken by a grammar: of other texts, nothing is known to be
    /// what it looks like.
    fn lint(&mut self, candidate: &Candidate<'_>) {
        self.warnings.clear();
        if candidate.is_cut || self.syntax.iter().all(|syntax| syntax.fault.is_some()) {
            return;
        }
        if candidate.wrap == Wrap::Www {
            grammar::lint(&[ASSUMED, candidate.text].concat(), &mut self.warnings);
            for warning in &mut self.warnings {
                warning.at = warning.at.saturating_sub(ASSUMED.len());
            }
        } else {
            grammar::lint(candidate.text, &mut self.warnings);
        }
        self.warnings.retain(|warning| !self.checks.allowed.contains(&warning.lint));
    }

    fn place(&mut self, span: Span) -> Place<'p> {
        let (span, decoded) = self.decoded.original(span);
        let position = self.lines.locate(span.start);
        let offset = self.originals.locate(span.start);
        Place {
            origin: &self.piece.origin,
            offset,
            len: self.originals.locate(span.end) - offset,
            line: position.line,
            column: position.column,
            file_offset: (self.piece.storage == Storage::Plain).then_some(offset),
            decoded,
        }
    }

    fn is_wanted(&self, uri: &[u8]) -> bool {
        let Checks { include, exclude, .. } = self.checks;
        (include.is_empty() || include.is_match(uri))
            && (exclude.is_empty() || !exclude.is_match(uri))
    }
}

/// True when a candidate seems to end inside a user information: by a line's end, a quote, a
/// bracket, or before an `@` without a host.
///
/// What stands `behind` it is glued to it by an `@`, and no port ends it.
fn is_unfinished(text: &[u8], behind: &[u8]) -> bool {
    /// A word is not longer; what is longer is not worth the search.
    const WORD_LEN_MAX: usize = 128;
    let behind_slash = memchr::memrchr(b'/', text).map_or(0, |slash| slash + 1);
    let tail = text.get(behind_slash..).unwrap_or_default();
    if memchr::memchr2(b':', b'%', tail).is_none() {
        return false;
    }
    let near = behind.get(..behind.len().min(WORD_LEN_MAX)).unwrap_or_default();
    let breaks = |byte: &u8| !byte.is_ascii_graphic() || b"<>|\"'`{}^\\".contains(byte);
    let mut word = near.iter().skip_while(|byte| breaks(byte)).take_while(|byte| !breaks(byte));
    let colon = memchr::memrchr(b':', tail);
    let end = colon.and_then(|colon| tail.get(colon + 1..));
    let is_port = end.is_some_and(|end| end.iter().all(u8::is_ascii_digit));
    let goes_on = near.starts_with(b"@") || !is_port && word.any(|&byte| byte == b'@');
    goes_on && Guarded::unfinished(text).hides_any()
}

/// What a host name without a scheme is short for.
const ASSUMED: &[u8] = b"http://";

/// Holds the candidate to each grammar.
fn hold(checks: &Checks, candidate: &Candidate<'_>, syntax: &mut Vec<Syntax>) {
    syntax.clear();
    let assumed;
    let (text, ahead) = if candidate.wrap == Wrap::Www {
        assumed = [ASSUMED, candidate.text].concat();
        (assumed.as_slice(), ASSUMED.len())
    } else {
        (candidate.text, 0)
    };
    for grammar in &checks.grammars {
        let read = grammar.read(text, checks.refused);
        let repairs = *read.as_ref().unwrap_or(&Repairs::NONE);
        let moved = |at: usize| at.saturating_sub(ahead);
        let fault = read.err().map(|fault| Fault { at: fault.at.map(moved), ..fault });
        syntax.push(Syntax { grammar: grammar.name(), fault, repairs });
    }
}

const fn cue(wrap: Wrap) -> Cue {
    match wrap {
        Wrap::Url => Cue::Url,
        Wrap::Angle => Cue::Angle,
        Wrap::Bare => Cue::Bare,
        Wrap::Www => Cue::Www,
    }
}

fn lower<'s>(candidate: &Candidate<'_>, buffer: &'s mut String) -> &'s str {
    let name = candidate.text.get(..candidate.scheme_len).unwrap_or_default();
    buffer.clear();
    buffer.extend(name.iter().map(|byte| char::from(byte.to_ascii_lowercase())));
    buffer
}

/// Finds the offsets in the input of offsets in a piece that only grow.
struct Originals<'p> {
    piece: &'p Piece,
    at: usize,
    /// The original offset of `at`, when the text was decoded.
    original: Option<u64>,
}

impl Originals<'_> {
    fn locate(&mut self, offset: usize) -> u64 {
        let Some(original) = &mut self.original else {
            return self.piece.base + offset as u64;
        };
        let passed = self.piece.bytes.get(self.at..offset).unwrap_or_default();
        *original += charset::original_len(passed);
        self.at = self.at.max(offset);
        *original
    }
}
