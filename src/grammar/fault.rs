//! From the place where a text leaves its grammar to a fault with a name and a section.
//!
//! Only texts that failed come here, so that nothing in this file needs to be fast.

use super::dfa::{Stop, Table};
use super::split::split;
use crate::finding::{ByteSet, Fault, RULES, Rule};
use crate::uri::Uri;

/// Longest UTF-8 sequence (RFC 3629 §3).
const CHARACTER_LEN_MAX: usize = 4;

/// What a fault is named by when `RULES` has no such id; a test keeps that from happening.
static UNNAMED: Rule = Rule { id: "syntax", about: "the text is no URI", section: "§3" };

/// A grammar at work on one text.
pub(super) struct Asked<'a> {
    /// The text.
    pub(super) text: &'a [u8],
    /// The start rule it was held to.
    pub(super) table: &'static Table,
    /// The generic grammar of the same document.
    pub(super) generic: &'static Table,
    /// Document and section of what `table` asks beyond `generic`.
    pub(super) spec: &'static str,
}

impl Asked<'_> {
    /// Why the text left the table at `stop`.
    pub(super) fn explain(&self, stop: Stop) -> Fault {
        let Stop { at, state } = to_character(self.table, self.text, stop);
        let expected = self.table.expected(state);
        let end_expected = self.table.accepts(state);
        let id = self.rule_id(at, &expected, end_expected);
        let rule = RULES.iter().find(|rule| rule.id == id).unwrap_or(&UNNAMED);
        let spec = if self.is_generic(at) {
            match id {
                "non-ascii" | "utf-8" if self.table.takes_non_ascii() => "RFC 3987 §2.2".to_owned(),
                _ => format!("RFC 3986 {}", rule.section),
            }
        } else {
            self.spec.to_owned()
        };
        Fault { rule, at, expected, end_expected, spec }
    }

    /// True when the generic grammar goes no further than `at` either.
    fn is_generic(&self, at: usize) -> bool {
        match self.generic.walk(self.text) {
            Ok(()) => false,
            Err(stop) => to_character(self.generic, self.text, stop).at <= at,
        }
    }

    /// True when nothing but the `//` of an authority can stand at `at`.
    fn wants_authority(&self, at: usize, expected: &ByteSet) -> bool {
        let slash = ByteSet::from_iter([b'/']);
        let taken = self.text.get(..at).unwrap_or_default();
        let behind_slash = || self.table.expected(self.table.state_behind(&[taken, b"/"].concat()));
        *expected == slash
            && (taken.ends_with(b":/") || taken.ends_with(b":") && behind_slash() == slash)
    }

    fn rule_id(&self, at: usize, expected: &ByteSet, end_expected: bool) -> &'static str {
        if is_behind_percent(self.text, at) {
            return "pct-encoded";
        }
        match self.text.get(at) {
            None if at == 0 => "empty",
            Some(0..=0x20 | 0x7F) => "control",
            Some(0x80..) if !starts_character(self.text, at) => "utf-8",
            // Where some such characters may stand, it is this one that may not; where none
            // may, the component says more, unless the whole grammar has none.
            Some(0x80..)
                if !self.table.takes_non_ascii() || expected.iter().any(|byte| byte >= 0x80) =>
            {
                "non-ascii"
            }
            _ if self.wants_authority(at, expected) => "authority",
            _ => component(self.text, at, expected, end_expected),
        }
    }
}

/// True when the byte at `at` should be a digit of an escape (RFC 3986 §2.1).
///
/// What stands before `at` was taken by the grammar, so that a percent sign there begins
/// an escape.
fn is_behind_percent(text: &[u8], at: usize) -> bool {
    let before = |count| at.checked_sub(count).and_then(|idx| text.get(idx));
    before(1) == Some(&b'%') || before(2) == Some(&b'%')
}

/// True when a whole character of UTF-8 stands at `at`.
fn starts_character(text: &[u8], at: usize) -> bool {
    let end = text.len().min(at.saturating_add(CHARACTER_LEN_MAX));
    match std::str::from_utf8(text.get(at..end).unwrap_or_default()) {
        Ok(_) => true,
        Err(error) => error.valid_up_to() > 0,
    }
}

/// The stop moved back to where its character begins.
///
/// Tables read bytes, and leave U+FFFD at its third; the grammar of RFC 3987 has characters
/// for terminals (§2.2), and has no place for this one at its first.
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
    // The text so far was taken, so that the walk can only end for want of more.
    Stop { at: lead_at, state: table.state_behind(text.get(..lead_at).unwrap_or_default()) }
}

/// True for a byte that continues a character.
const fn is_inner(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The id of the component that a fault at `at` lies in.
fn component(text: &[u8], at: usize, expected: &ByteSet, end_expected: bool) -> &'static str {
    let taken = text.get(..at).unwrap_or_default();
    let in_first_name = !taken.iter().any(|byte| b":/?#".contains(byte));
    // A first segment of a relative reference could go on with a slash, a scheme could not.
    if in_first_name && !expected.has(b'/') {
        return "scheme";
    }
    let uri = split(text);
    let may_leave = end_expected || b"/?#".iter().any(|&byte| expected.has(byte));
    let authority_end = uri.port.or(uri.host).map(|span| span.end);
    if authority_end.is_some_and(|end| at < end || at == end && !may_leave) {
        return authority_part(&uri, at);
    }
    // The delimiter itself counts as the component's: where it is refused, so is all of it.
    let reaches = |start: usize| at + 1 >= start;
    if uri.fragment.is_some_and(|span| reaches(span.start)) {
        "fragment"
    } else if uri.query.is_some_and(|span| reaches(span.start)) {
        "query"
    } else {
        "path"
    }
}

/// Which part of the authority holds the offset `at` (RFC 3986 §3.2).
fn authority_part(uri: &Uri<'_>, at: usize) -> &'static str {
    if uri.userinfo.is_some_and(|span| at <= span.end) {
        return "userinfo";
    }
    if let Some(port) = uri.port.filter(|port| at + 1 >= port.start) {
        // Digits are no fault of a port; what stands before its colon is no host, then.
        let is_number = port.of(uri.text).iter().all(u8::is_ascii_digit);
        return if is_number && at >= port.start { "authority" } else { "port" };
    }
    let Some(host) = uri.host else { return "authority" };
    let bytes = host.of(uri.text);
    if bytes.first() != Some(&b'[') {
        return "host";
    }
    let close = bytes.iter().position(|&byte| byte == b']');
    if close.is_some_and(|close| at > host.start + close) { "authority" } else { "ip-literal" }
}
