//! Decodes text with escapes, as in JSON and calendars.

use super::run::Run;
use crate::source::markup::{Escape, Escapes};

/// Returns the run at `at` of `text` up to the next escape, including that.
pub(super) fn run(escapes: &mut Escapes, text: &[u8], at: usize) -> Run {
    let (plain, escape) = escapes.next(text, at);
    let Some(Escape { len, made }) = escape else { return Run::same(plain) };
    made.map_or(Run::nothing(len), |made| Run::character(len, made)).after(plain)
}
