//! Joins the pieces of HTML inside other languages, and maps the result back to the document.
//!
//! HTML that a browser sees as one text may be in pieces: between the marks of quotes and lists, in
//! more than one CDATA section, or escaped with references of the language around it.

use super::{Page, Replaced, reference};
use crate::span::Span;

/// HTML joined from pieces of a document, in order.
#[derive(Default)]
pub(super) struct Together {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

/// A run of bytes of the document.
struct Piece {
    /// Its offset in the joined text.
    at: usize,
    /// Its span in the document.
    source: Span,
    /// Whether it differs from the document's bytes.
    is_replaced: bool,
}

impl Together {
    /// Adds `bytes`, which are at `start` of the document.
    pub(super) fn push(&mut self, bytes: &[u8], start: usize) {
        let (at, end) = (self.bytes.len(), start + bytes.len());
        self.bytes.extend_from_slice(bytes);
        match self.pieces.last_mut() {
            Some(last) if !last.is_replaced && last.source.end == start => last.source.end = end,
            _ => self.pieces.push(Piece { at, source: Span::new(start, end), is_replaced: false }),
        }
    }

    /// Adds `span` of `text` with its references resolved.
    pub(super) fn push_resolved(&mut self, text: &[u8], span: Span) {
        let mut from = span.start;
        for replaced in reference::find(text, span) {
            self.push_source(text, Span::new(from, replaced.span.start));
            self.push_replaced(&replaced);
            from = replaced.span.end;
        }
        self.push_source(text, Span::new(from, span.end));
    }

    /// Adds `span` of `text` as written.
    pub(super) fn push_source(&mut self, text: &[u8], span: Span) {
        if !span.is_empty() {
            self.push(span.of(text), span.start);
        }
    }

    /// Skips `span`, which denotes nothing.
    pub(super) fn push_nothing(&mut self, span: Span) {
        self.push_replaced(&Replaced::new(span, b""));
    }

    /// Adds the bytes that the document's bytes at the span of `replaced` represent.
    pub(super) fn push_replaced(&mut self, replaced: &Replaced) {
        let (at, source) = (self.bytes.len(), replaced.span);
        self.bytes.extend_from_slice(replaced.text());
        self.pieces.push(Piece { at, source, is_replaced: true });
    }

    /// Reads the joined text by `read`, as HTML. Spans are those of the document.
    pub(super) fn page(&self, read: fn(&[u8]) -> Page) -> Page {
        let mut page = read(&self.bytes);
        for link in &mut page.links {
            link.span = self.original(link.span);
        }
        page.replaced = self.replaced(&page.replaced);
        page
    }

    /// Returns the replacements of the pieces, and those of the HTML in them, `inside`, which may
    /// cover replacements of pieces.
    fn replaced(&self, inside: &[Replaced]) -> Vec<Replaced> {
        let ends = self.pieces.iter().skip(1).map(|next| next.at).chain([self.bytes.len()]);
        let own = self.pieces.iter().zip(ends).filter(|(piece, _)| piece.is_replaced);
        let own = own.map(|(piece, end)| {
            Replaced::new(piece.source, Span::new(piece.at, end).of(&self.bytes))
        });
        let mut own = own.peekable();
        let mut all = Vec::with_capacity(inside.len());
        for found in inside {
            let found = Replaced { span: self.original(found.span), ..*found };
            while let Some(piece) = own.next_if(|piece| piece.span.start < found.span.end) {
                if piece.span.end <= found.span.start {
                    all.push(piece);
                }
            }
            all.push(found);
        }
        all.extend(own);
        all
    }

    /// Returns the span in the document of `span` in the joined text.
    fn original(&self, span: Span) -> Span {
        let start = self.source(span.start).start;
        // The end belongs to the piece of the last byte.
        let end = if span.is_empty() { start } else { self.source(span.end - 1).end };
        Span::new(start, end)
    }

    /// Returns the span in the document of the byte at `at`, or of the source that was replaced
    /// there.
    fn source(&self, at: usize) -> Span {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        match after.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(piece) if piece.is_replaced => piece.source,
            Some(piece) => {
                let start = piece.source.start + (at - piece.at);
                Span::new(start, start + 1)
            }
            None => Span::new(at, at + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, Together};
    use crate::source::markup::Markup;

    #[test]
    fn what_is_read_together_is_told_where_it_stands() {
        let text = b"x&lt;a href=&quot;b]]>?c&amp;amp;d&quot;&gt;&amp;lt;<![CDATA[&amp;lt;";
        let (mark, cdata) = (19, 52);
        assert_eq!((&text[mark..mark + 3], &text[cdata..cdata + 1]), (&b"]]>"[..], &b"<"[..]));
        let mut together = Together::default();
        together.push_resolved(text, Span::new(0, mark));
        together.push_nothing(Span::new(mark, mark + 3));
        together.push_resolved(text, Span::new(mark + 3, cdata));
        together.push_nothing(Span::new(cdata, cdata + 9));
        together.push_source(text, Span::new(cdata + 9, text.len()));
        let page = together.page(|text| Markup::Html.page(text));
        let links: Vec<_> = page.links.iter().map(|link| (link.span, &*link.target)).collect();
        assert_eq!(links, [(Span::new(18, 34), &b"b?c&d"[..])]);
        let replaced = page.replaced.iter();
        let replaced: Vec<_> = replaced.map(|it| (it.span.of(text), it.text())).collect();
        let expected: [(&[u8], &[u8]); 9] = [
            (b"&lt;", b"<"),
            (b"&quot;", b"\""),
            (b"]]>", b""),
            (b"&amp;amp;", b"&"),
            (b"&quot;", b"\""),
            (b"&gt;", b">"),
            (b"&amp;lt;", b"<"),
            (b"<![CDATA[", b""),
            (b"&amp;", b"&"),
        ];
        assert_eq!(replaced, expected);
    }
}
