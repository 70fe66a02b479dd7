//! Maps spans of a text with replacements back to the document.

use super::Replaced;
use crate::span::Span;

/// Maps spans of the text with replacements back to the document. Starts must not decrease.
#[derive(Clone, Copy)]
pub(in crate::source) struct Places<'p> {
    /// The replacements not passed yet.
    replaced: &'p [Replaced],
    /// Bytes that were replaced so far; and, in `made`, the bytes read in their place.
    taken: usize,
    made: usize,
}

impl<'p> Places<'p> {
    /// Creates the map of a text in which `replaced` was replaced.
    pub(in crate::source) const fn new(replaced: &'p [Replaced]) -> Self {
        Self { replaced, taken: 0, made: 0 }
    }

    /// Returns the span of the document that is read at `span`.
    pub(in crate::source) fn original(&mut self, span: Span) -> Span {
        if self.replaced.is_empty() && self.made == self.taken {
            return span;
        }
        let start = self.offset(span.start).start;
        // The next query may begin before this end.
        let mut ahead = *self;
        let end = ahead.offset(span.end.saturating_sub(1).max(span.start)).end;
        Span::new(start, end)
    }

    /// Returns the span of the byte that is read at `at`, or of the source that was replaced there.
    fn offset(&mut self, at: usize) -> Span {
        while let [first, rest @ ..] = self.replaced {
            let begin = first.span.start - self.taken + self.made;
            if at < begin {
                break;
            }
            let len = first.text().len();
            if at < begin + len {
                return first.span;
            }
            self.taken += first.span.len();
            self.made += len;
            self.replaced = rest;
        }
        let original = at - self.made + self.taken;
        Span::new(original, original + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Places, Replaced};
    use crate::source::markup::with_replaced;
    use crate::span::Span;

    #[test]
    fn what_is_read_is_told_where_it_stands() {
        let bytes = b"a&amp;b\\_c\\\nd";
        let replaced = [
            Replaced::new(Span::new(1, 6), b"&"),
            Replaced::new(Span::new(7, 9), b"_"),
            Replaced::new(Span::new(10, 12), b""),
        ];
        let text = with_replaced(bytes, &replaced);
        assert_eq!(&*text, b"a&b_cd");
        let spans = [(0, 1), (1, 6), (6, 7), (7, 9), (9, 10), (12, 13)];
        for from in 0..spans.len() {
            let mut places = Places::new(&replaced);
            for to in from + 1..=spans.len() {
                let original = places.original(Span::new(from, to));
                assert_eq!(original, Span::new(spans[from].0, spans[to - 1].1), "{from}..{to}");
            }
        }
    }
}
