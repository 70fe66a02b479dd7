//! Reads bytes as an input of the program, and holds each finding to what is always true.

use std::ops::ControlFlow;
use std::path::Path;

use linktrawl::internal::check::{self, Checks, Memory, WINDOW};
use linktrawl::internal::grammar;
use linktrawl::internal::source::file::{self, Reading};
use linktrawl::internal::source::piece::{CORE_LEN_MAX, Event, Stage, buffer_len};
use linktrawl::internal::source::{Buffer, InputKind, Piece};

/// Everything that a scan wants to know.
pub(crate) fn checks() -> Checks {
    Checks {
        grammars: grammar::find("current").into_iter().collect(),
        messages: true,
        names: true,
        effects: true,
        ..Checks::default()
    }
}

struct Judge {
    checks: Checks,
    free: Vec<Buffer>,
    findings: usize,
}

impl Stage for Judge {
    fn buffer(&mut self) -> Buffer {
        let len = buffer_len(CORE_LEN_MAX, WINDOW);
        self.free.pop().unwrap_or_else(|| Buffer::new(len))
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, mut buffer: Buffer) {
        buffer.truncate(0);
        self.free.push(buffer);
    }

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        let findings = &mut self.findings;
        check::piece(&piece, &self.checks, &mut Memory::default(), &mut |finding| {
            let place = finding.place;
            assert!(place.line > 0 && place.column > 0 && place.column_bytes > 0);
            assert!(!finding.uri.in_clear().is_empty());
            *findings += 1;
        });
        self.give_back(piece.bytes);
        ControlFlow::Continue(())
    }

    fn event(&mut self, _: Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Reads `bytes` as an input called `name`. Returns the number of findings.
pub(crate) fn read(name: &str, kind: InputKind, bytes: &[u8]) -> usize {
    let mut judge = Judge { checks: checks(), free: Vec::new(), findings: 0 };
    let reading = Reading { kind, window: WINDOW };
    let mut input = bytes;
    let report = file::read_from(&mut input, Path::new(name), reading, &mut judge);
    assert!(report.bytes <= bytes.len() as u64);
    judge.findings
}
