//! Describes encoded sections that a cut of the input divides.

use crate::source::haystack::OffsetMap;
use crate::source::mail::mime::{Edge, Section};
use crate::source::piece::{Piece, Records};
use crate::span::Span;

/// A section of which a piece has a part. The bytes around that are decoded, too, as far as they
/// decide about findings.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// The span that is decoded.
    pub(super) shown: Span,
    /// The span that the piece has of it.
    core: Span,
    pub(super) is_begun: bool,
    /// End offset of the last finding.
    pub(super) floor: usize,
}

impl Cut {
    /// Returns how `section` of `piece` is cut, when the last finding ended at `floor`; `None` if
    /// it is not cut.
    pub(super) fn of(section: &Section, piece: &Piece, floor: usize) -> Option<Self> {
        let Records::Mail { walk, edge, .. } = &piece.records else { return None };
        let Span { start, end } = section.span;
        let is_first = start == piece.core.start;
        let taken_up = || walk.as_ref()?.taken_up(&piece.bytes, start);
        let begun = is_first.then(taken_up).flatten();
        let goes_on = end == piece.core.end && *edge != Edge::End;
        if begun.is_none() && !goes_on {
            return None;
        }
        let seen = if goes_on { piece.bytes.len() } else { end };
        let shown = Span::new(begun.unwrap_or(start), seen);
        Some(Self { shown, core: section.span, is_begun: begun.is_some(), floor })
    }
}

/// Returns the span of a decoded text of `len` bytes that is the piece's own, and the end offset of
/// the last finding there.
pub(super) fn within(cut: Option<Cut>, map: &OffsetMap<'_>, len: usize) -> (Span, usize) {
    let Some(Cut { shown, core, floor, .. }) = cut else { return (Span::new(0, len), 0) };
    let [start, floor] = [core.start, floor].map(|at| map.made_of(at));
    let end = if core.end < shown.end { map.made_of(core.end) } else { len };
    (Span::new(start, end), floor)
}
