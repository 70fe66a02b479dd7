//! Decodes HTML in mail: escapes in scripts that hold JSON, and character references everywhere
//! else. Deletes tags that break words or divide URLs in text.

use super::escaped;
use super::run::Run;
use crate::source::markup::reference::{self, Within};
use crate::source::markup::{Escapes, Joints, breaks, is_in_value, scripts};
use crate::span::Span;

/// State of a decoder of HTML.
#[derive(Clone, Debug)]
pub(super) struct ReferencesState {
    script: Next,
    /// State of the escapes in the script.
    escapes: Escapes,
    /// One for each spelling.
    word_breaks: [Next; breaks::TAGS.len()],
    joints: Joints,
}

/// Position of the next item of a kind.
#[derive(Clone, Copy, Debug)]
enum Next {
    Unknown,
    At(Span),
    /// No more items follow.
    None,
}

impl Next {
    /// Returns the first item that ends after `at`. Calls `find` once the last item is passed.
    fn after(&mut self, at: usize, find: impl FnOnce(usize) -> Option<Span>) -> Option<Span> {
        let is_passed = match self {
            Self::Unknown => true,
            Self::At(span) => span.end <= at,
            Self::None => false,
        };
        if is_passed {
            *self = find(at).map_or(Self::None, Self::At);
        }
        match *self {
            Self::At(span) => Some(span),
            Self::Unknown | Self::None => None,
        }
    }
}

impl ReferencesState {
    pub(super) fn new() -> Self {
        let word_breaks = [Next::Unknown; breaks::TAGS.len()];
        let joints = Joints::default();
        Self { script: Next::Unknown, escapes: Escapes::JSON, word_breaks, joints }
    }

    /// Returns the run at `at` of `text`, which must not change between calls.
    pub(super) fn run(&mut self, text: &[u8], at: usize) -> Run {
        let script = self.script.after(at, |at| scripts::json_after(text, at));
        if let Some(script) = script.filter(|script| script.start <= at) {
            if script.start == at {
                self.escapes = Escapes::JSON;
            }
            return escaped::run(&mut self.escapes, text.get(..script.end).unwrap_or(text), at);
        }
        let mut end = script.map_or(text.len(), |script| script.start);
        if let Some(joint) = self.joints.next(text, at) {
            if joint.start <= at {
                return Run::nothing(joint.end - at);
            }
            end = end.min(joint.start);
        }
        for (next, tag) in self.word_breaks.iter_mut().zip(breaks::TAGS) {
            let Some(tag) = next.after(at, |at| breaks::after(text, at, tag)) else { continue };
            if tag.start <= at {
                return Run::nothing(tag.end - at);
            }
            end = end.min(tag.start);
        }
        references(text.get(..end).unwrap_or(text), at)
    }
}

/// Returns the run from `at` of `text` up to the next reference, including that.
fn references(text: &[u8], at: usize) -> Run {
    let rest = text.get(at..).unwrap_or_default();
    let Some(plain) = memchr::memchr(b'&', rest) else { return Run::same(rest.len()) };
    one_reference(text, at + plain).after(plain)
}

/// Decodes the ampersand at `at` of `text`, and its reference if it has one. Mathematical signs of
/// two characters that take more than four bytes are not decoded: they cannot occur in a URI.
fn one_reference(text: &[u8], at: usize) -> Run {
    let rest = text.get(at..).unwrap_or_default();
    let in_text = reference::read_within(Within::Text, rest);
    let in_value = || reference::read(rest);
    // Both rules read most references alike.
    let found = match in_text {
        Some(found) if Some(found) == in_value() || !is_in_value(text, at) => Some(found),
        _ => in_value(),
    };
    let Some(reference) = found else { return Run::same(1) };
    reference.with_bytes(|made| {
        let mut bytes = [0; 4];
        match bytes.get_mut(..made.len()) {
            Some(to) => {
                to.copy_from_slice(made);
                Run::bytes(reference.len, bytes, made.len())
            }
            None => Run::same(reference.len),
        }
    })
}
