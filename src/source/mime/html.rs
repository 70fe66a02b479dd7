//! HTML in mail: character references everywhere, but for scripts that hold JSON, which have
//! escapes.

use super::coding::{escaped, references};
use super::run::Run;
use crate::source::markup::{Escapes, scripts};
use crate::span::Span;

/// Which script in JSON comes next, or is gone through.
#[derive(Clone, Debug)]
pub(super) enum State {
    Unknown,
    Script(Span),
    /// None comes any more.
    None,
}

impl State {
    pub(super) const fn new() -> Self {
        Self::Unknown
    }

    /// The run at `at` of `text`, which is the same each time.
    pub(super) fn run(&mut self, text: &[u8], at: usize) -> Run {
        let is_passed = match self {
            Self::Unknown => true,
            Self::Script(script) => script.end <= at,
            Self::None => false,
        };
        if is_passed {
            *self = scripts::json_behind(text, at).map_or(Self::None, Self::Script);
        }
        match *self {
            Self::Script(script) if script.start <= at => {
                escaped(&mut Escapes::JSON.clone(), text.get(..script.end).unwrap_or(text), at)
            }
            Self::Script(script) => references(text.get(at..script.start).unwrap_or_default()),
            Self::Unknown | Self::None => references(text.get(at..).unwrap_or_default()),
        }
    }
}
