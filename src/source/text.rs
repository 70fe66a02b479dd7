//! Reads a piece of text without structure as a haystack, with its escapes decoded.

use super::haystack::{Embedded, Haystack, OffsetMap, Reader, Segments};
use super::mail::fields::ListFields;
use super::mail::mime::Coding;
use super::markup::{Escapes, Ignored};
use super::piece::{Piece, Records};
use crate::span::Span;

/// Passes the haystack of a piece of text to `reader`; returns the end offset of the last finding.
/// `floor` is the end offset of the last finding before the piece.
pub(super) fn read(piece: &Piece, floor: usize, reader: &mut dyn Reader) -> usize {
    let Records::Text { comments, escapes } = &piece.records else { return floor };
    let mut map = OffsetMap::new(false);
    let decoded = escapes
        .filter(|escapes| !escapes.is_idle(&piece.bytes))
        .map(|escapes| map.decode(Coding::Escapes(escapes), &piece.bytes));
    let text = decoded.as_ref().map_or(&*piece.bytes, |text| text.as_slice());
    let [start, end, first] = [piece.core.start, piece.core.end, floor].map(|at| map.made_of(at));
    let lists = piece.is_of_mail.then(|| Segments::Lists(ListFields::new(text)));
    let reached = reader.read(&mut Haystack {
        core: Span::new(start, end),
        floor: first,
        segments: lists.unwrap_or(Segments::None),
        embedded: embedded(*escapes),
        ignored: Some(Ignored::of(&piece.bytes, piece.core.end, *comments)),
        is_windowed: true,
        ..Haystack::new(text, piece, &mut map)
    });
    if reached > first { map.len_of(reached) } else { floor }
}

/// Returns the HTML and the programs' links in a text with such escapes.
fn embedded(escapes: Option<Escapes>) -> Embedded {
    match escapes {
        Some(escapes) if escapes.is_json() => Embedded::Slack,
        Some(escapes) if escapes.is_xml() => Embedded::Office,
        Some(escapes) if escapes.resolves_html() => Embedded::None,
        _ => Embedded::Attributes,
    }
}
