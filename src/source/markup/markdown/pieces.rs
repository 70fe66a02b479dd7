//! HTML inside Markdown: its pieces are read together, block by block.
//!
//! What is read together is what a browser sees together, without the marks of the quotes and
//! lists around it. A block stands for itself: what it leaves open is not left open behind it,
//! so that a lone `<title>` in some text does not swallow the rest of the document.

use std::ops::Range;

use crate::source::markup::Page;
use crate::source::markup::together::Together;

/// The HTML of a block, and the text in it: that of a link, or a word that tags divide.
#[derive(Default)]
pub(super) struct Pieces {
    pieces: Vec<(Range<usize>, Kind)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Html,
    /// Text is of no interest but for what it shows: tags in it are none.
    Text,
}

impl Pieces {
    /// Adds HTML that stands at `range`.
    pub(super) fn push(&mut self, range: Range<usize>) {
        self.pieces.push((range, Kind::Html));
    }

    /// Adds the `html` that stands at `range` of `text`, with marks of quotes before its lines
    /// that are not its own.
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

    /// Adds text that stands at `range`.
    pub(super) fn push_text(&mut self, range: Range<usize>) {
        self.pieces.push((range, Kind::Text));
    }

    /// Reads what was added, and adds what it holds to `page`. Places are those in `text`.
    pub(super) fn flush(&mut self, text: &[u8], page: &mut Page) {
        // Most blocks have none, and nothing else in them is of interest.
        if self.pieces.iter().all(|(_, kind)| *kind == Kind::Text) {
            return self.pieces.clear();
        }
        let mut together = Together::default();
        for (range, kind) in self.pieces.drain(..) {
            let start = range.start;
            let piece = text.get(range).unwrap_or_default();
            match kind {
                Kind::Html => together.push(piece, start),
                Kind::Text => together.push(&without_tags(piece), start),
            }
        }
        let mut inside = together.page();
        page.links.append(&mut inside.links);
        page.replaced.append(&mut inside.replaced);
        page.base = page.base.take().or(inside.base);
    }
}

/// `text` with blanks for what could begin a tag or a reference.
fn without_tags(text: &[u8]) -> Vec<u8> {
    let is_mark = |byte: &u8| matches!(byte, b'<' | b'&');
    text.iter().map(|byte| if is_mark(byte) { b' ' } else { *byte }).collect()
}
