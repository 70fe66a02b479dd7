//! Reads HTML inside Markdown: its pieces are read together, block by block.
//!
//! A block is read as a browser sees it, without the marks of the quotes and lists around it.
//! Blocks are independent: an element left open in one is closed after it, so that a lone `<title>`
//! in some text does not swallow the rest of the document.

use std::collections::HashSet;
use std::ops::Range;

use crate::source::markup::Page;
use crate::source::markup::html;
use crate::source::markup::together::Together;

/// The HTML of a block, and the text in it: that of a link, or a word that tags divide.
#[derive(Default)]
pub(super) struct Pieces {
    pieces: Vec<(Range<usize>, PieceKind)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Html,
    /// Text, which is only shown: tags in it are none.
    Text,
    /// A character reference in text.
    Reference,
}

impl Pieces {
    /// Adds the HTML at `range`.
    pub(super) fn push(&mut self, range: Range<usize>) {
        self.pieces.push((range, PieceKind::Html));
    }

    /// Adds the `html` at `range` of `text`, where marks of quotes that do not belong to it may
    /// precede its lines.
    pub(super) fn push_lines(&mut self, html: &str, text: &str, range: &Range<usize>) {
        let stands = text.get(range.clone()).unwrap_or_default();
        if stands == html {
            return self.push(range.clone());
        }
        let mut end = range.start;
        for (line, own) in stands.split_inclusive('\n').zip(html.split_inclusive('\n')) {
            end += line.len();
            let own = own.trim_end_matches(['\r', '\n']).len();
            let break_len = line.len() - line.trim_end_matches(['\r', '\n']).len();
            let start = end.saturating_sub(break_len + own).max(end - line.len());
            self.push(start..end);
        }
    }

    /// Adds the text at `range`.
    pub(super) fn push_text(&mut self, range: Range<usize>) {
        self.pieces.push((range, PieceKind::Text));
    }

    /// Adds the character reference at `range`, which is text.
    pub(super) fn push_reference(&mut self, range: Range<usize>) {
        self.pieces.push((range, PieceKind::Reference));
    }

    /// Reads the added pieces, and moves their links and replacements to `page`. Spans are those of
    /// `text`.
    pub(super) fn flush(&mut self, text: &[u8], page: &mut Page) {
        // Most blocks have no HTML, and nothing else in them is of interest.
        if self.pieces.iter().all(|(_, kind)| *kind != PieceKind::Html) {
            return self.pieces.clear();
        }
        let first = self.pieces.first().map_or(0, |(range, _)| range.start);
        let mut together = Together::default();
        let mut references = HashSet::new();
        for (range, kind) in self.pieces.drain(..) {
            let start = range.start;
            let piece = text.get(range).unwrap_or_default();
            match kind {
                PieceKind::Reference => {
                    references.insert(start);
                    together.push(piece, start);
                }
                PieceKind::Html => together.push(piece, start),
                PieceKind::Text => together.push(&without_tags(piece), start),
            }
        }
        let mut inside = together.page(html::page);
        page.links.append(&mut inside.links);
        // The HTML resolves the references, too, or they are in what it replaces.
        let earlier = page.replaced.iter().rposition(|it| it.span.start < first);
        let own = page.replaced.split_off(earlier.map_or(0, |last| last + 1));
        page.replaced.extend(own.into_iter().filter(|it| !references.contains(&it.span.start)));
        page.replaced.append(&mut inside.replaced);
        page.base = page.base.take().or(inside.base);
    }
}

/// Returns `text` with blanks for bytes that could begin a tag or a reference.
fn without_tags(text: &[u8]) -> Vec<u8> {
    let is_mark = |byte: &u8| matches!(byte, b'<' | b'&');
    text.iter().map(|byte| if is_mark(byte) { b' ' } else { *byte }).collect()
}
