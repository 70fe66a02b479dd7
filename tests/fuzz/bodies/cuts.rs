//! Any bytes, cut after every so many: the findings are those of the whole.

use std::ops::ControlFlow;
use std::sync::Arc;

use linktrawl::internal::check::{self, Checks, Memory, WINDOW};
use linktrawl::internal::finding::Origin;
use linktrawl::internal::source::cut::{Text, cut};
use linktrawl::internal::source::piece::{Event, Stage, buffer_len};
use linktrawl::internal::source::{Buffer, InputKind, Piece};

/// Offset, text and line of each finding.
type Found = Vec<(u64, Vec<u8>, u64, u64)>;

struct Collect {
    checks: Checks,
    buffer_len: usize,
    found: Found,
}

impl Stage for Collect {
    fn buffer(&mut self) -> Buffer {
        Buffer::new(self.buffer_len)
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, _: Buffer) {}

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        let found = &mut self.found;
        check::piece(&piece, &self.checks, &mut Memory::default(), &mut |finding| {
            let place = finding.place;
            found.push((place.offset, finding.uri.in_clear().to_vec(), place.line, place.column));
        });
        ControlFlow::Continue(())
    }

    fn event(&mut self, _: Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn findings(bytes: &[u8], core_len_max: usize) -> Found {
    let checks = Checks { messages: true, effects: true, ..Checks::default() };
    let buffer_len = buffer_len(core_len_max, WINDOW);
    let mut collect = Collect { checks, buffer_len, found: Vec::new() };
    let origin = Arc::new(Origin::default());
    let text = Text::plain(&origin, InputKind::Auto, WINDOW, core_len_max);
    let outcome = cut(bytes, &text, &mut collect);
    assert!(outcome.is_ok());
    collect.found
}

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let Some((&first, text)) = bytes.split_first() else { return };
    // Text that is coded, but not by lines, is decoded only if it lies whole in one piece.
    let is_coded = |word: &[u8]| word.eq_ignore_ascii_case(b"content-t") || word.starts_with(b"=?");
    if text.windows(9).any(is_coded) {
        return;
    }
    assert_eq!(findings(text, 1 + usize::from(first)), findings(text, 1 << 20));
}
