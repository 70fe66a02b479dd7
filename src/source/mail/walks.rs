//! Reads the sections of messages in batches: one piece may hold a hundred thousand tiny parts or
//! messages, and the record of each is longer than it is.

use crate::source::mail::boxes::Style;
use crate::source::mail::mime::{Coding, Content, Edge, Section, Sections, Text, Walk};
use crate::source::{Piece, Records};
use crate::span::Span;

/// Sections of several messages in one batch. Smaller batches would shorten the runs of unencoded
/// text to scan.
const ENOUGH: usize = 1024;

/// The ends of a batch at which no alternative is cut.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    /// Whether no alternative began before the first section.
    pub(super) is_begin: bool,
    /// Whether no alternative continues after the last section.
    pub(super) is_end: bool,
}

/// Walks the messages of a text, one after the other.
pub(super) struct Walks<'t> {
    pub(super) bytes: &'t [u8],
    /// The offset where the walks end; the bytes after it are only looked at.
    end: usize,
    /// The kind of edge at that offset.
    edge: Edge,
    /// The offsets of the messages to come.
    starts: &'t [usize],
    /// The walk of the message around `at`; `None` outside of messages.
    walk: Option<Walk>,
    at: usize,
    style: Style,
}

impl<'t> Walks<'t> {
    /// Walks the core of `piece`.
    pub(super) fn of(piece: &'t Piece) -> Self {
        let Piece { bytes, core, .. } = piece;
        let Records::Mail { walk, edge, starts, style, .. } = &piece.records else {
            return Self::nested(&[]);
        };
        let walk = walk.as_deref().cloned();
        let style = *style;
        Self { bytes, end: core.end, edge: *edge, starts, walk, at: core.start, style }
    }

    /// Walks the message `bytes`, which is part of another.
    pub(super) fn nested(bytes: &'t [u8]) -> Self {
        let walk = Some(Walk::nested());
        let (end, edge) = (bytes.len(), Edge::End);
        Self { bytes, end, edge, starts: &[], walk, at: 0, style: Style::Alone }
    }

    /// Fills `found` with the next batch of sections, and reports whether the batch cuts an
    /// alternative; `None` after the last one. Omissions are added to the earlier ones.
    pub(super) fn next(&mut self, found: &mut Sections) -> Option<Ends> {
        if self.at >= self.end {
            return None;
        }
        found.clear();
        let is_begin = !self.is_in_alternative();
        while self.at < self.end && found.list.len() < ENOUGH {
            self.message(found);
        }
        if self.style == Style::Wire {
            self.unstuff(found);
        }
        let is_over = self.at >= self.end && self.edge == Edge::End;
        Some(Ends { is_begin, is_end: is_over || !self.is_in_alternative() })
    }

    fn is_at_start(&self) -> bool {
        self.starts.first() == Some(&self.at)
    }

    fn is_in_alternative(&self) -> bool {
        !self.is_at_start() && self.walk.as_ref().is_some_and(Walk::is_in_alternative)
    }

    /// Appends sections of the next message, or of text outside of messages.
    fn message(&mut self, found: &mut Sections) {
        if self.is_at_start() {
            self.walk = Some(Walk::new(self.style.in_head()));
            self.starts = self.starts.get(1..).unwrap_or_default();
        }
        let next = self.starts.first().copied();
        let span = Span::new(self.at, next.unwrap_or(self.end));
        let edge = if next.is_some() { Edge::End } else { self.edge };
        let sight = next.unwrap_or(self.bytes.len());
        self.at = match &mut self.walk {
            Some(walk) => {
                let text = Text { bytes: self.bytes, to: span.end, sight, edge };
                walk.sections(text, span.start, found)
            }
            None => {
                found.list.push(Section::new(span, None, Content::Text));
                span.end
            }
        };
    }

    /// Adds the removal of doubled dots as the first decoding of each body in an article in the
    /// wire format. No header field begins with a dot.
    fn unstuff(&self, found: &mut Sections) {
        for section in &mut found.list {
            let is_text = !matches!(section.content, Content::Fields | Content::Skipped);
            let Span { start, end } = section.span;
            let seen = if end == self.end { self.bytes.len() } else { end };
            if is_text && !Coding::Stuffed.is_idle(Span::new(start, seen).of(self.bytes)) {
                section.codings.insert(0, Coding::Stuffed);
            }
        }
    }
}
