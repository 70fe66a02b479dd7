//! Caches the facts about URIs that recur: mail repeats its footers in every message, documents
//! their navigation on every page.
//!
//! The facts that follow from the text alone are kept from the second time that they are computed,
//! until another URI takes their slot: a URI that occurs once, as most in documents do, leaves only
//! a mark. The findings are the same without the cache.

use std::sync::Arc;

use super::{Checks, Unchecked, hold, judge, lint, scheme};
use crate::finding::{Cue, Facts, Memo, Verdict, Warning};
use crate::grammar;

/// Most URIs that one worker remembers: those of some thousand messages of all kinds, or of many
/// years of a mailing list. With several grammars there are fewer, since each grammar adds facts
/// about a URI.
///
/// Measured under NDJSON with URIs of [`TEXT_LEN_MAX`] bytes that all come twice, they take seven
/// megabytes, and ten with letters that are not ASCII.
const SLOTS: usize = 8192;

/// Fewest URIs that are remembered, whatever the number of grammars; a power of two, as the others
/// are.
const SLOTS_MIN: usize = 64;

/// Longest URI, in bytes, that is remembered. Longer ones seldom occur twice.
const TEXT_LEN_MAX: usize = 128;

/// The memory of one worker.
#[derive(Default)]
pub struct Memory {
    /// One slot for each place; empty before the first URI.
    slots: Vec<Known>,
    /// The marks of the URIs at the same places.
    marks: Vec<Marks>,
    /// The latest facts that are not remembered.
    other: Known,
}

/// The marks of URIs at one place. They are small enough for a processor's cache: a URI that is not
/// remembered is recognised without a look at its slot.
#[derive(Clone, Copy, Default)]
struct Marks {
    /// The mark of the remembered URI; zero, which is no URI's mark, if the place is empty.
    held: u32,
    /// The mark of the latest URI that was not remembered.
    seen: u32,
}

/// The facts that follow from a candidate's text, and from the origin of its scheme.
#[derive(Clone, Default)]
pub(super) struct Known {
    text: Vec<u8>,
    /// The cue of a candidate without a scheme: its text means one thing in a link of markup, and
    /// another where a scheme is assumed. `None` with a scheme.
    cue: Option<Cue>,
    pub(super) is_wanted: bool,
    pub(super) facts: Arc<Facts>,
}

impl Memory {
    /// Returns the facts about `found`. A memory serves one set of `checks`.
    pub(super) fn of(&mut self, found: &Unchecked<'_>, checks: &Checks) -> &Known {
        let cue = (found.scheme_len == 0).then_some(found.cue);
        let of_shown = warnings_of_shown(found);
        let follows = found.doubt.is_none() && found.offered.is_empty() && of_shown.is_empty();
        if found.is_unfinished || found.text.len() > TEXT_LEN_MAX || !follows {
            self.other.learn(found, cue, checks, of_shown);
            return &self.other;
        }
        if self.slots.is_empty() {
            let slots = SLOTS / checks.grammars.len().next_power_of_two();
            // All slots share one empty `Facts`, and allocate none.
            self.slots.resize(slots.max(SLOTS_MIN), Known::default());
            self.marks.resize(self.slots.len(), Marks::default());
        }
        let (place, mark) = place(found.text, self.slots.len());
        let Some(known) = self.slots.get_mut(place) else { return &self.other };
        let Some(marks) = self.marks.get_mut(place) else { return &self.other };
        if marks.held == mark && known.is_of(found, cue) {
            return known;
        }
        self.other.learn(found, cue, checks, of_shown);
        let is_new = std::mem::replace(&mut marks.seen, mark) != mark;
        // Facts of faulty texts are long, and few texts are faulty.
        if is_new || self.other.facts.verdict != Verdict::Ok {
            return &self.other;
        }
        marks.held = mark;
        std::mem::swap(known, &mut self.other);
        known
    }
}

impl Known {
    fn is_of(&self, found: &Unchecked<'_>, cue: Option<Cue>) -> bool {
        self.cue == cue && self.text == found.text
    }

    /// Computes the facts about `found`. `of_shown` holds the warnings about the text that a reader
    /// sees.
    fn learn(
        &mut self,
        found: &Unchecked<'_>,
        cue: Option<Cue>,
        checks: &Checks,
        of_shown: Vec<Warning>,
    ) {
        self.text.clear();
        self.text.extend_from_slice(found.text);
        self.cue = cue;
        self.is_wanted = checks.is_wanted(found.text);
        let syntax = hold(checks, found);
        let warnings = lint(checks, found, &syntax, of_shown);
        let verdict = judge::text(&syntax, &warnings, found, checks);
        let scheme = scheme(found);
        let facts = Facts { scheme, syntax, warnings, verdict, memo: Memo::default() };
        match Arc::get_mut(&mut self.facts) {
            Some(own) => *own = facts,
            None => self.facts = Arc::new(facts),
        }
    }
}

/// Returns the warnings about the text that a reader sees, which do not follow from the URI alone.
fn warnings_of_shown(found: &Unchecked<'_>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some(shown) = found.shown {
        grammar::lint_shown(found.text, shown, &mut warnings);
    }
    warnings
}

/// Returns the place of `text` among `slots`, a power of two, and its mark there. Eight bytes at a
/// time are multiplied into a sum, whose upper bits depend on all of them. Texts chosen to share a
/// place are computed each time, as all would be without a memory.
fn place(text: &[u8], slots: usize) -> (usize, u32) {
    /// 2^64 divided by the golden ratio, made odd: multiplying by it spreads neighbouring keys
    /// (Knuth, The Art of Computer Programming, volume 3, §6.4).
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (eights, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let add = |sum: u64, eight: &[u8; 8]| {
        (sum.rotate_left(5) ^ u64::from_le_bytes(*eight)).wrapping_mul(FACTOR)
    };
    let sum = add(eights.iter().fold(text.len() as u64, add), &last);
    let bits = slots.trailing_zeros();
    let place = usize::try_from(sum >> (u64::BITS - bits)).unwrap_or(0);
    // Zero is the mark of an empty place.
    let [_, mark @ .., _, _, _] = sum.to_be_bytes();
    (place, u32::from_be_bytes(mark) | 1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Memory, SLOTS, TEXT_LEN_MAX, place};
    use crate::check::{Checks, Unchecked};
    use crate::finding::{Cue, Facts, Verdict};
    use crate::grammar;
    use crate::scheme;
    use crate::uri::Redacted;

    fn checks() -> Checks {
        Checks { grammars: vec![grammar::find("current").unwrap()], ..Checks::default() }
    }

    fn found(text: &str, cue: Cue) -> Unchecked<'_> {
        let text = text.as_bytes();
        let scheme_len = scheme::name_len(text);
        let scheme = scheme::find(&text[..scheme_len]);
        let (uri, raw) = (Redacted::new(text), Redacted::new(text));
        let (is_cut, is_unfinished, shown) = (false, false, None);
        let (after, doubt, is_name, is_origin) = (None, None, false, false);
        Unchecked {
            text,
            uri,
            raw,
            cue,
            scheme,
            scheme_len,
            is_cut,
            broken_by: None,
            is_unfinished,
            shown,
            after,
            doubt,
            offered: &[],
            is_name,
            is_origin,
            is_torn: false,
            effect: None,
        }
    }

    /// Returns the facts that a memory holds of a text.
    fn ask(memory: &mut Memory, found: &Unchecked<'_>) -> Arc<Facts> {
        Arc::clone(&memory.of(found, &checks()).facts)
    }

    #[test]
    fn what_is_well_and_comes_again_is_not_worked_out_again() {
        let mut memory = Memory::default();
        let long = format!("http://h/{}", "a".repeat(TEXT_LEN_MAX));
        let (malformed, warned) = ("http://h/%zz", "http://u:p@h/");
        let whole = &long[..TEXT_LEN_MAX];
        let texts = [("http://h/", true), (whole, true), (&long, false)];
        for (text, is_kept) in [&texts[..], &[(malformed, false), (warned, false)]].concat() {
            let [first, one, next] = [(); 3].map(|()| ask(&mut memory, &found(text, Cue::Bare)));
            assert!(!Arc::ptr_eq(&first, &one), "{text}: most come once");
            assert_eq!(Arc::ptr_eq(&one, &next), is_kept, "{text}");
            assert_eq!(one.syntax, next.syntax, "{text}");
            assert_eq!(one.warnings, next.warnings, "{text}");
        }
    }

    #[test]
    fn texts_that_share_a_place_are_told_apart() {
        let text = "http://h/";
        let place = |text: &str| place(text.as_bytes(), SLOTS).0;
        let shares = |other: &String| place(other) == place(text);
        let numbers = || 0..SLOTS * 100;
        let other = numbers().map(|number| format!("ftp://h/{number}")).find(shares).unwrap();
        let bad = numbers().map(|number| format!("http://h/%{number}%zz")).find(shares).unwrap();
        let mut memory = Memory::default();
        for _ in 0..4 {
            for (text, scheme, verdict) in [
                (text, "http", Verdict::Ok),
                (&other, "ftp", Verdict::Ok),
                (&bad, "http", Verdict::Error),
            ] {
                let facts = ask(&mut memory, &found(text, Cue::Bare));
                assert_eq!((&*facts.scheme, facts.verdict), (scheme, verdict), "{text}");
            }
        }
    }

    /// Each cue has a grammar of its own.
    #[test]
    fn a_host_without_a_scheme_is_no_relative_link() {
        let text = "www.h.example/a";
        let mut memory = Memory::default();
        for _ in 0..4 {
            for (cue, grammar) in [(Cue::Www, "current"), (Cue::Markup, "rfc3987-ref")] {
                let facts = ask(&mut memory, &found(text, cue));
                assert_eq!(facts.syntax[0].grammar, grammar, "{cue:?}");
            }
        }
    }

    /// The records that are kept beside the facts show all of a text that is whole.
    #[test]
    fn what_may_end_in_a_password_is_not_remembered() {
        let text = "ftp://u:12";
        let whole = found(text, Cue::Bare);
        let uri = || Redacted::unfinished(text.as_bytes());
        let broken =
            Unchecked { is_unfinished: true, uri: uri(), raw: uri(), ..found(text, Cue::Bare) };
        let mut memory = Memory::default();
        let [_, first] = [(); 2].map(|()| ask(&mut memory, &whole));
        for _ in 0..2 {
            let facts = ask(&mut memory, &broken);
            assert!(!Arc::ptr_eq(&facts, &first));
            assert!(Arc::ptr_eq(&ask(&mut memory, &whole), &first));
        }
    }
}
