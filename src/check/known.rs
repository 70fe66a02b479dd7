//! What is known of URIs that come again and again: mail repeats its footers in every message,
//! documents their navigation on every page.
//!
//! Whatever follows from the text alone is worked out once and kept for as long as no other
//! URI takes its place. What is found is the same without it.

use std::sync::Arc;

use super::{Checks, Found, hold, judge, lint, scheme};
use crate::finding::{Cue, Facts, Memo};
use crate::grammar;

/// URIs that are remembered, at most: those of some thousand letters of all kinds, or of many
/// years of a mailing list. They take some four megabytes, and never more than seven.
const SLOTS: usize = 8192;

/// Bytes of a URI that is remembered, at most. Longer ones seldom come twice.
const TEXT_LEN_MAX: usize = 128;

/// What one worker remembers.
#[derive(Default)]
pub struct Memory {
    /// Each URI has one place to be; empty before the first.
    slots: Vec<Known>,
    /// What is not remembered.
    other: Known,
}

/// What follows from the text of a candidate, and from where it has its scheme from.
#[derive(Default)]
pub(super) struct Known {
    text: Vec<u8>,
    /// Without a scheme, the same text is something else in a link and where it is assumed.
    cue: Option<Cue>,
    is_learnt: bool,
    pub(super) is_wanted: bool,
    pub(super) facts: Arc<Facts>,
}

impl Memory {
    /// What is known of `found`. A memory serves one set of `checks`.
    pub(super) fn of(&mut self, found: &Found<'_>, checks: &Checks) -> &Known {
        let cue = (found.scheme_len == 0).then_some(found.cue);
        if found.is_unfinished || found.text.len() > TEXT_LEN_MAX || shows_other_host(found) {
            self.other.learn(found, cue, checks);
            return &self.other;
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, Known::default);
        }
        let place = place(found.text);
        match self.slots.get_mut(place) {
            Some(known) => {
                if !known.is_learnt || known.cue != cue || known.text != found.text {
                    known.learn(found, cue, checks);
                }
                known
            }
            None => &self.other,
        }
    }
}

impl Known {
    fn learn(&mut self, found: &Found<'_>, cue: Option<Cue>, checks: &Checks) {
        self.text.clear();
        self.text.extend_from_slice(found.text);
        self.cue = cue;
        self.is_wanted = checks.is_wanted(found.text);
        let syntax = hold(checks, found);
        let warnings = lint(checks, found, &syntax);
        let verdict = judge::text(&syntax, &warnings, found.is_cut);
        let scheme = scheme(found);
        self.facts = Arc::new(Facts { scheme, syntax, warnings, verdict, memo: Memo::default() });
        self.is_learnt = true;
    }
}

/// True when what a reader sees is worth a warning, which does not follow from the text alone.
fn shows_other_host(found: &Found<'_>) -> bool {
    let Some(shown) = found.shown else { return false };
    let mut warnings = Vec::new();
    grammar::lint_shown(found.text, shown, &mut warnings);
    !warnings.is_empty()
}

/// The place of `text`: eight bytes at a time are multiplied into a sum, whose upper bits
/// depend on all of them. Texts chosen to share a place are worked out each time, as all
/// would be without a memory.
fn place(text: &[u8]) -> usize {
    /// Odd, and half of its bits are set.
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (eights, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let add = |sum: u64, eight: &[u8; 8]| {
        (sum.rotate_left(5) ^ u64::from_le_bytes(*eight)).wrapping_mul(FACTOR)
    };
    let sum = eights.iter().fold(text.len() as u64, add);
    let bits = SLOTS.trailing_zeros();
    usize::try_from(add(sum, &last) >> (u64::BITS - bits)).unwrap_or(0)
}
