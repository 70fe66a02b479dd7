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
use crate::source::piece::Storage;
use crate::source::{Piece, Records, Window};
use crate::source::{charset, mailbox};
use crate::span::{LineCursor, Span};
use crate::uri::Guarded;

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
    /// True when findings must tell the message around them.
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
    let mut scanner = Scanner::within(&piece.bytes, piece.core, floor);
    if checks.cues.contains(&Cue::Www) {
        scanner = scanner.with_www();
    }
    let mut work = Work::new(piece, checks);
    while let Some(candidate) = scanner.next() {
        work.candidate(&candidate, sink);
    }
    if let Some(tell) = &piece.reached {
        // Nobody listens when the run was stopped.
        let _ = tell.send(piece.base + scanner.resume() as u64);
    }
    work.tally
}

/// The candidates of one piece on their way to findings.
struct Work<'p> {
    piece: &'p Piece,
    checks: &'p Checks,
    lines: LineCursor<'p>,
    originals: Originals<'p>,
    mail: Mail<'p>,
    syntax: Vec<Syntax>,
    warnings: Vec<Warning>,
    /// The name of a scheme that is in no table, in lower case.
    scheme: String,
    tally: Tally,
}

impl<'p> Work<'p> {
    fn new(piece: &'p Piece, checks: &'p Checks) -> Self {
        let mail = Mail::new(piece, checks);
        let tally = Tally { messages: mail.begun(), ..Tally::default() };
        Self {
            piece,
            checks,
            lines: LineCursor::new(&piece.bytes, &piece.lines, piece.position),
            originals: Originals { piece, at: 0, original: piece.decoded_from },
            mail,
            syntax: Vec::new(),
            warnings: Vec::new(),
            scheme: String::new(),
            tally,
        }
    }

    fn candidate(&mut self, candidate: &Candidate<'_>, sink: &mut dyn FnMut(&Finding<'_>)) {
        let context = self.mail.context(candidate.span.start);
        if context.header.is_some_and(|name| !mailbox::may_hold_uris(name)) {
            self.tally.trace_fields += 1;
            return;
        }
        let cue = if context.is_header { Cue::Header } else { cue(candidate.wrap) };
        if !self.checks.cues.contains(&cue) {
            self.tally.other_cues += 1;
            return;
        }
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
        let behind = self.piece.bytes.get(candidate.span.end..).unwrap_or_default();
        let raw = candidate.span.of(&self.piece.bytes);
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
        let position = self.lines.locate(span.start);
        let offset = self.originals.locate(span.start);
        Place {
            origin: &self.piece.origin,
            offset,
            len: self.originals.locate(span.end) - offset,
            line: position.line,
            column: position.column,
            file_offset: (self.piece.storage == Storage::Plain).then_some(offset),
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

/// Which message, header and field a byte of the piece stands in. Asked in order.
struct Mail<'p> {
    piece: &'p Piece,
    /// True when somebody wants to know which message it is.
    told: bool,
    /// Where messages begin in the core.
    starts: Vec<usize>,
    /// How many of them were passed.
    passed: usize,
    message: Option<Arc<Message>>,
    /// Offset behind the header that was entered last; the end of the bytes when it does
    /// not end there.
    header_end: usize,
}

/// What a finding tells of the message around it.
struct Context<'p> {
    message: Option<Arc<Message>>,
    is_header: bool,
    header: Option<&'p [u8]>,
}

impl<'p> Mail<'p> {
    fn new(piece: &'p Piece, checks: &Checks) -> Self {
        let Piece { bytes, core, .. } = piece;
        let mut mail = Self {
            piece,
            told: checks.messages,
            starts: Vec::new(),
            passed: 0,
            message: None,
            header_end: 0,
        };
        if let Records::Mail { message, is_header, is_box } = &piece.records {
            if *is_box {
                mail.starts = mailbox::separators(bytes, core.start, core.end).collect();
            }
            mail.message.clone_from(message);
            if *is_header {
                mail.header_end = mailbox::header_end(bytes, mailbox::before_cut(core.start))
                    .unwrap_or(bytes.len());
            }
        }
        mail
    }

    /// Messages that begin in the core. The one message of an input that is no mbox begins
    /// with its first byte.
    fn begun(&self) -> u64 {
        let is_alone = matches!(self.piece.records, Records::Mail { is_box: false, .. })
            && self.piece.base == 0
            && !self.piece.core.is_empty()
            && self.piece.core.start == 0;
        self.starts.len() as u64 + u64::from(is_alone)
    }

    fn context(&mut self, at: usize) -> Context<'p> {
        let bytes = &self.piece.bytes;
        let before = self.passed;
        while self.starts.get(self.passed).is_some_and(|start| *start <= at) {
            self.passed += 1;
        }
        if self.passed > before
            && let Some(&start) = self.starts.get(self.passed - 1)
        {
            self.message = self.told.then(|| Arc::new(mailbox::message(bytes, start)));
            self.header_end = mailbox::header_end(bytes, start).unwrap_or(bytes.len());
        }
        let is_header = at < self.header_end;
        let header = is_header.then(|| mailbox::field_name(bytes, at, FIELD_BACK_MAX)).flatten();
        Context { message: self.message.clone(), is_header, header }
    }
}
