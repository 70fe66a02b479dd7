//! Turns the place where a text leaves its grammar into a fault with a name and a section.
//!
//! `component` finds the part of the URI at that place, `character` the class of the character
//! there in the documents of 1993 and 1994, and `hint` a suggestion. Only invalid texts get here,
//! so that none of this code needs to be fast.

mod character;
mod component;
mod hint;

use std::borrow::Cow;

use super::dfa::{Stop, Table};
use super::documents::{Era, Route};
use super::split::split;
use crate::finding::{ByteSet, Fault, RULES, Rule};
use crate::uri::Redacted;
use component::component;

/// Longest UTF-8 sequence (RFC 3629 §3).
const CHARACTER_LEN_MAX: usize = 4;

/// Returns the rule called `id`; the first rule if there is none, which a test excludes.
pub(super) fn rule(id: &str) -> &'static Rule {
    RULES.iter().find(|rule| rule.id == id).unwrap_or(&RULES[0])
}

/// A text that a grammar refuses, with the tables used.
pub(super) struct Asked<'a> {
    /// The text.
    pub(super) text: &'a [u8],
    /// The table of the start rule that was applied.
    pub(super) table: &'static Table,
    /// The generic grammar of the same document.
    pub(super) generic: &'static Table,
    /// The document whose terms are used.
    pub(super) era: Era,
    /// The start rule.
    pub(super) route: &'static Route,
}

impl Asked<'_> {
    /// Returns the fault of a text that left the table at `stop`.
    pub(super) fn explain(&self, stop: Stop) -> Fault {
        let Stop { at, state } = to_character(self.table, self.text, stop);
        let expected = self.table.expected(state);
        let end_expected = self.table.accepts(state);
        let id = self.rule_id(at, &expected, end_expected);
        let rule = rule(id);
        // A message that names the character would reveal a part of a password.
        let is_secret = Redacted::new(self.text).hides(at);
        Fault {
            rule,
            at: Some(at),
            expected,
            end_expected,
            message: if is_secret { self.about(rule, at) } else { self.message(rule, at) },
            hint: hint::hint(self, id, at, &expected).filter(|_| !is_secret),
            spec: self.spec(rule, at),
        }
    }

    /// Reports whether the host is empty and may not be. The walk may have continued after it,
    /// where a port could have been a password: `http://:80/a`.
    fn lacks_host(&self, at: usize) -> bool {
        let host = split(self.text).host.filter(|host| host.is_empty() && host.start <= at);
        let Some(host) = host.filter(|_| self.era == Era::Generic) else { return false };
        let taken = self.text.get(..host.start).unwrap_or_default();
        let state = self.table.state_after(taken);
        let expected = self.table.expected(state);
        !self.table.accepts(state) && !b"/?#".iter().any(|it| expected.has(*it))
    }

    /// Returns the byte at `at`.
    fn found(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn message(&self, rule: &'static Rule, at: usize) -> Cow<'static, str> {
        let about_character = rule.id.ends_with("-character");
        match self.found(at).filter(|_| about_character) {
            Some(byte) => character::message(byte),
            None => self.about(rule, at),
        }
    }

    /// Describes the requirement at `at`, without naming a character of the text.
    fn about(&self, rule: &'static Rule, at: usize) -> Cow<'static, str> {
        if self.era == Era::Generic && !self.is_generic(at) {
            return component::of_scheme(self.route, rule);
        }
        component::message(self.era, self.route, rule)
    }

    fn spec(&self, rule: &'static Rule, at: usize) -> Box<str> {
        if self.era != Era::Generic {
            return character::spec(self.era, self.route, rule.id, self.found(at));
        }
        match rule.id {
            _ if !self.is_generic(at) => self.route.spec.into(),
            "non-ascii" | "utf-8" if self.table.takes_non_ascii() => "RFC 3987 §2.2".into(),
            _ => format!("RFC 3986 {}", rule.section).into(),
        }
    }

    /// Reports whether the generic grammar, too, stops at `at` or before.
    fn is_generic(&self, at: usize) -> bool {
        match self.generic.walk(self.text) {
            Ok(()) => false,
            Err(stop) => to_character(self.generic, self.text, stop).at <= at,
        }
    }

    /// Reports whether only the `//` of an authority is possible at `at`.
    fn wants_authority(&self, at: usize, expected: &ByteSet) -> bool {
        let slash = ByteSet::from_iter([b'/']);
        let taken = self.text.get(..at).unwrap_or_default();
        let after_slash = || self.table.expected(self.table.state_after(&[taken, b"/"].concat()));
        *expected == slash
            && (taken.ends_with(b":/") || taken.ends_with(b":") && after_slash() == slash)
    }

    /// Reports whether `at` follows the colon of an older scheme without an authority.
    fn is_after_scheme(&self, at: usize, expected: &ByteSet) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let colon = memchr::memchr(b':', before);
        self.era != Era::Generic && !expected.has(b'/') && colon.is_some_and(|idx| idx + 1 == at)
    }

    fn rule_id(&self, at: usize, expected: &ByteSet, end_expected: bool) -> &'static str {
        // A whole escape is valid as such, but not allowed at this place.
        if is_after_percent(self.text, at) && !is_in_escape(self.text, at) {
            return "pct-encoded";
        }
        match self.found(at) {
            None if at == 0 => "empty",
            Some(0..=0x20 | 0x7F) => "control",
            Some(0x80..) if !starts_character(self.text, at) => "utf-8",
            // If other characters outside US-ASCII are allowed here, only this one is wrong. If
            // none is, the component says more, unless the whole grammar has none.
            Some(0x80..)
                if !self.table.takes_non_ascii() || expected.iter().any(|byte| byte >= 0x80) =>
            {
                "non-ascii"
            }
            _ if self.wants_authority(at, expected) => "authority",
            _ if self.lacks_host(at) => "host",
            _ if self.is_after_scheme(at, expected) => "path",
            found => {
                let id = component(self.text, at, expected, end_expected);
                // Where no escape is possible, escaping the character would not help.
                let escaped = found.filter(|_| expected.has(b'%'));
                let class = escaped.and_then(|byte| character::class(self.era, byte));
                let in_authority = component::is_of_authority(id);
                // A byte that ends an authority is out of place there, escaped or not.
                let is_end = component::ends_authority(self.text, at);
                class.filter(|_| !in_authority && !is_end).unwrap_or(id)
            }
        }
    }
}

/// Reports whether the byte at `at` should be a digit of an escape (RFC 3986 §2.1).
///
/// The grammar accepted the text before `at`, so that a percent sign there begins an escape.
fn is_after_percent(text: &[u8], at: usize) -> bool {
    let before = |count| at.checked_sub(count).and_then(|idx| text.get(idx));
    before(1) == Some(&b'%') || before(2) == Some(&b'%')
}

/// Reports whether the byte at `at` is a digit of a complete escape.
fn is_in_escape(text: &[u8], at: usize) -> bool {
    let is_whole = |percent: usize| {
        text.get(percent..percent + 3).is_some_and(|escape| {
            escape.first() == Some(&b'%') && escape.iter().skip(1).all(u8::is_ascii_hexdigit)
        })
    };
    [1, 2].iter().any(|back| at.checked_sub(*back).is_some_and(is_whole))
}

/// Reports whether a complete UTF-8 character begins at `at`.
fn starts_character(text: &[u8], at: usize) -> bool {
    let end = text.len().min(at.saturating_add(CHARACTER_LEN_MAX));
    match std::str::from_utf8(text.get(at..end).unwrap_or_default()) {
        Ok(_) => true,
        Err(error) => error.valid_up_to() > 0,
    }
}

/// Moves the stop back to the beginning of its character.
///
/// Tables read bytes, and stop within U+FFFD at its third byte. The grammar of RFC 3987 has
/// characters as terminals (§2.2), and refuses this one at its first byte.
fn to_character(table: &Table, text: &[u8], stop: Stop) -> Stop {
    let before = text.get(..stop.at).unwrap_or_default();
    let tail = before.iter().rev().take(CHARACTER_LEN_MAX).take_while(|&&byte| is_inner(byte));
    let Some(lead_at) = stop.at.checked_sub(tail.count() + 1) else { return stop };
    let len = match text.get(lead_at) {
        Some(0xC0..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xFF) => 4,
        _ => return stop,
    };
    if lead_at + len <= stop.at {
        return stop;
    }
    // The text before was accepted, so that the walk can only end because the text is incomplete.
    Stop { at: lead_at, state: table.state_after(text.get(..lead_at).unwrap_or_default()) }
}

/// Reports whether `byte` continues a UTF-8 character.
const fn is_inner(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
