//! The sections of the messages of a text, so many at a time: of tiny parts, and of tiny messages,
//! there may be a hundred thousand in one piece, and what is known of each is longer than they.

use crate::source::boxes::Style;
use crate::source::mime::{Coding, Content, Edge, Section, Sections, Walk};
use crate::source::{Piece, Records};
use crate::span::Span;

/// Sections of several messages that are enough at a time. With fewer, the runs would be short in
/// which is scanned what stands as it is.
const ENOUGH: usize = 1024;

/// Where alternatives are whole.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    /// False when an alternative begins before the first section.
    pub(super) is_begin: bool,
    /// False when one ends behind the last section.
    pub(super) is_end: bool,
}

/// Walks through the messages of a text, one after the other.
pub(super) struct Walks<'t> {
    pub(super) bytes: &'t [u8],
    /// Where the walks end; what lies behind is only looked at.
    end: usize,
    /// What lies there.
    edge: Edge,
    /// Where the messages begin that come next.
    starts: &'t [usize],
    /// The walk through the message that `at` is in; none outside of messages.
    walk: Option<Walk>,
    at: usize,
    style: Style,
}

impl<'t> Walks<'t> {
    /// Walks through the core of `piece`.
    pub(super) fn of(piece: &'t Piece) -> Self {
        let Piece { bytes, core, .. } = piece;
        let Records::Mail { walk, edge, starts, style, .. } = &piece.records else {
            return Self::nested(&[]);
        };
        let walk = walk.as_deref().cloned();
        let style = *style;
        Self { bytes, end: core.end, edge: *edge, starts, walk, at: core.start, style }
    }

    /// A walk through the message `bytes`, which is part of another.
    pub(super) fn nested(bytes: &'t [u8]) -> Self {
        let walk = Some(Walk::nested());
        let (end, edge) = (bytes.len(), Edge::End);
        Self { bytes, end, edge, starts: &[], walk, at: 0, style: Style::Alone }
    }

    /// Makes `found` the sections that come next, and says whether they cut an alternative; none
    /// behind the last one. What is not read is counted on.
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

    /// Appends sections of the message, or of what is no message, that comes next.
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
            Some(walk) => walk.sections(self.bytes, span, sight, edge, found),
            None => {
                found.list.push(Section::new(span, None, Content::Text));
                span.end
            }
        };
    }

    /// In an article in the wire format, dots must be deleted before anything else is decoded, but
    /// not in a header: no field begins with one.
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
