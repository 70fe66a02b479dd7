//! Reads a text in pieces of every size, and compares the findings with those of the whole.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use linktrawl::internal::check::{self, Checks, Memory, Tally, WINDOW};
use linktrawl::internal::finding::Finding;
use linktrawl::internal::finding::{Facts, NoteKind, Origin};
use linktrawl::internal::grammar;
use linktrawl::internal::source::cut::{Text, cut};
use linktrawl::internal::source::mail::mime::Omission;
use linktrawl::internal::source::mail::names::Name;
use linktrawl::internal::source::piece::{Event, Stage, buffer_len};
use linktrawl::internal::source::{Buffer, InputKind, Piece};

/// Differences of one text that a failure prints.
const DIFFERENCES_MAX: usize = 3;
/// Larger than any text here: the core of the one piece that the others are held against.
pub(crate) const WHOLE: usize = 4 * 1024 * 1024;

/// All that one reading gave: a line for each finding, and the tally.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) findings: Vec<String>,
    messages: u64,
    trace_fields: u64,
    field_comments: u64,
    other_cues: u64,
    filtered: u64,
    pub(crate) ignored: u64,
    relative: u64,
    /// Blocks of packed lines that were counted.
    pub(crate) blocks: u64,
    pub(crate) names: Vec<Name>,
    /// Notes on offers to unsubscribe, with their offsets.
    pub(crate) offers: Vec<(Option<u64>, String)>,
}

impl Reading {
    fn add(&mut self, tally: &Tally) {
        self.messages += tally.messages;
        self.trace_fields += tally.trace_fields;
        self.field_comments += tally.field_comments;
        self.other_cues += tally.other_cues;
        self.filtered += tally.filtered;
        self.ignored += tally.ignored;
        self.relative += tally.relative;
        let blocks = [Omission::Uuencode, Omission::Yenc, Omission::Armour];
        let counted = tally.omissions.iter().filter(|(omission, _)| blocks.contains(omission));
        self.blocks += counted.map(|(_, count)| count).sum::<u64>();
        self.names.extend_from_slice(&tally.names);
        let offers = tally.notes.iter().filter(|note| note.kind == NoteKind::ListUnsubscribe);
        self.offers.extend(offers.map(|note| (note.offset, note.message.clone())));
    }
}

/// Checks each piece as it is cut, one after the other.
struct InOrder<'c> {
    checks: &'c Checks,
    buffer_len: usize,
    free: Vec<Buffer>,
    reading: Reading,
    pieces: usize,
}

impl Stage for InOrder<'_> {
    fn buffer(&mut self) -> Buffer {
        self.free.pop().unwrap_or_else(|| Buffer::new(self.buffer_len))
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, mut buffer: Buffer) {
        buffer.truncate(0);
        self.free.push(buffer);
    }

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        let findings = &mut self.reading.findings;
        let tally = check::piece(&piece, self.checks, &mut Memory::default(), &mut |found| {
            findings.push(record(found));
        });
        self.reading.add(&tally);
        self.pieces += 1;
        self.give_back(piece.bytes);
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        unreachable!("nothing is said of a text: {event:?}");
    }
}

/// Every field of a finding, in words.
fn record(found: &Finding<'_>) -> String {
    let Finding { uri, raw, cue, place, message, header, part, facts, .. } = found;
    let Facts { scheme, syntax, warnings, verdict, .. } = &***facts;
    let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let mut out = format!("{}:{} {cue:?} {verdict:?} ", place.line, place.column);
    let _ = write!(out, "{} ", place.column_bytes);
    let (offset, len, file_offset) = (place.offset, place.len, place.file_offset);
    // Where texts are long, the records of all readings together must not be.
    let [uri, raw] = [uri.in_clear(), raw.in_clear()].map(|bytes| match bytes.len() {
        0..=1000 => text(bytes),
        len => format!("{}… {len} {}", text(&bytes[..100]), text(&bytes[len - 100..])),
    });
    write!(out, "at {offset}+{len} {file_offset:?} <{uri}> raw <{raw}> {scheme} ")
        .and_then(|()| write!(out, "header {:?} part {part:?} ", header.map(text)))
        .and_then(|()| write!(out, "{:?} {message:?} ", place.origin.path))
        .and_then(|()| match syntax.iter().find_map(|syntax| syntax.fault.as_ref()) {
            Some(fault) => write!(out, "{} at {:?}", fault.rule.id, fault.at),
            None => Ok(()),
        })
        .and_then(|()| write!(out, " {warnings:?}"))
        .expect("a string takes everything");
    out
}

fn checks() -> Checks {
    Checks {
        grammars: vec![grammar::find("current").expect("the default grammar")],
        messages: true,
        names: true,
        // A piece that begins after an empty line does not see the words before that line.
        effects: false,
        ..Checks::default()
    }
}

/// Reads `text` in pieces of at most `core_len_max` bytes; gives how many there were, too.
pub(crate) fn read(text: &[u8], kind: InputKind, core_len_max: usize) -> (Reading, usize) {
    let checks = checks();
    let buffer_len = buffer_len(core_len_max, WINDOW);
    let (free, reading) = (Vec::new(), Reading::default());
    let mut stage = InOrder { checks: &checks, buffer_len, free, reading, pieces: 0 };
    let origin = Arc::new(Origin { path: PathBuf::from("a"), ..Origin::default() });
    let whole = Text::plain(&origin, kind, WINDOW, core_len_max);
    let outcome = cut(text, &whole, &mut stage);
    outcome.expect("memory can be read");
    (stage.reading, stage.pieces)
}

/// Returns the differences of two readings; `None` if they are the same.
fn difference(whole: &Reading, pieces: &Reading) -> Option<String> {
    if whole == pieces {
        return None;
    }
    let mut out = String::new();
    for (name, one, other) in [("lost", whole, pieces), ("invented", pieces, whole)] {
        let missing = one.findings.iter().filter(|found| !other.findings.contains(found));
        for found in missing.take(DIFFERENCES_MAX) {
            writeln!(out, "{name}: {found}").expect("a string takes everything");
        }
    }
    let tally = |of: &Reading| {
        let fields = [of.trace_fields, of.field_comments, of.other_cues];
        (of.messages, fields, of.filtered, of.ignored, of.blocks)
    };
    for (name, one, other) in [("lost", whole, pieces), ("invented", pieces, whole)] {
        let missing = one.names.iter().filter(|found| !other.names.contains(found));
        for found in missing.take(DIFFERENCES_MAX) {
            writeln!(out, "{name}: {found:?}").expect("a string takes everything");
        }
        let missing = one.offers.iter().filter(|note| !other.offers.contains(note));
        for note in missing.take(DIFFERENCES_MAX) {
            writeln!(out, "{name}: {note:?}").expect("a string takes everything");
        }
    }
    let counts = [whole, pieces].map(|of| (of.findings.len(), of.names.len()));
    Some(format!(
        "{out}findings and names {counts:?}, tallies {:?} {:?}",
        tally(whole),
        tally(pieces)
    ))
}

/// Holds the pieces of each size in `sizes` against the whole.
#[track_caller]
pub(crate) fn same_in_pieces(
    name: &str,
    text: &[u8],
    kind: InputKind,
    sizes: impl IntoIterator<Item = usize>,
) {
    let (whole, one) = read(text, kind, WHOLE);
    assert_eq!(one, 1, "{name}: the whole is cut");
    for size in sizes {
        let (pieces, _) = read(text, kind, size);
        let difference = difference(&whole, &pieces).unwrap_or_default();
        let len = text.len();
        assert!(difference.is_empty(), "{name} of {len} bytes, cores of {size}:\n{difference}");
    }
}

/// Every size of a core up to the whole text, and so every single cut.
#[track_caller]
pub(crate) fn same_wherever_cut(name: &str, text: &[u8], kind: InputKind) {
    let (whole, _) = read(text, kind, WHOLE);
    assert!(!whole.findings.is_empty(), "{name}: nothing is found");
    same_in_pieces(name, text, kind, 1..=text.len());
}

/// Words without a URI, `len` bytes of them.
pub(crate) fn filler(len: usize) -> String {
    let mut text = "lorem ipsum dolor ".repeat(len / 18 + 1);
    text.truncate(len);
    text
}
