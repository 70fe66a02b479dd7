//! Quotations that are open before a URI, in the slow scanner.

use super::{CHARACTERS, Role, line_before};

/// Reports whether the apostrophe at `at` closes the quotation that is open at `start`.
pub(super) fn is_closed(text: &[u8], start: usize, at: usize) -> bool {
    let open = open_marks(line_before(text, start));
    let quotes = text[at..].iter().take_while(|byte| **byte == b'\'').count();
    let after = &text[at + quotes..];
    let is_code = || {
        let near = &after[..after.len().min(256)];
        let line = near.split(|byte| *byte == b'\n').next().unwrap_or_default();
        runs(line, b'`').any(|(from, len)| {
            len == open.len() && (from == 0 || !line[from - 1].is_ascii_whitespace())
        })
    };
    match open {
        "" => false,
        _ if quotes >= 64 => true,
        "'" => !is_letter_at(after),
        "`" => quotes == 1 && !is_letter_at(after) && !is_code(),
        "``" => quotes >= 2 && !is_code(),
        many => quotes >= many.len() && !is_letter_at(after),
    }
}

/// All runs of `mark` in `text`, each with its offset and its length.
fn runs(text: &[u8], mark: u8) -> impl Iterator<Item = (usize, usize)> {
    let is_first = move |at: &usize| text[*at] == mark && (*at == 0 || text[at - 1] != mark);
    let len = move |at: usize| text[at..].iter().take_while(|byte| **byte == mark).count();
    (0..text.len()).filter(is_first).map(move |at| (at, len(at)))
}

/// The marks of the quotation that `line` leaves open; none if it is empty.
fn open_marks(line: &[u8]) -> &'static str {
    let (mut open, mut within_double, mut at) = ("", false, 0);
    while at < line.len() {
        let mark = line[at];
        let run = line[at..].iter().take_while(|byte| **byte == mark).count();
        let (before, after) = (&line[..at], &line[at + run..]);
        at += 1;
        if mark == b'\\' {
            at += 1;
        } else if mark == b'"' && within_double {
            (open, within_double) = ("", false);
        } else if mark == b'"' && open.is_empty() {
            within_double = true;
        } else if mark == b'\'' {
            at += run - 1;
            let is_contraction = is_letter_at(after);
            let closes = match open {
                "'" => run % 2 > 0 && !is_contraction,
                "`" => !is_contraction && !after.starts_with(b"`"),
                marks => run >= marks.len(),
            };
            if !open.is_empty() {
                open = if closes { "" } else { open };
            } else if begins_string(run, before, after) {
                open = ["'", "''", "'''", "''''", "'''''"].get(run - 1).unwrap_or(&MANY);
            }
        } else if mark == b'`' {
            at += run - 1;
            let begins = !after.first().is_some_and(u8::is_ascii_whitespace)
                && !ends_in_word(before)
                && run < 3;
            if open.is_empty() {
                open = if begins { ["`", "``"][run - 1] } else { "" };
            } else if open.starts_with('`') && open.len() == run {
                let goes_on = before.last().is_none_or(u8::is_ascii_whitespace);
                open = if goes_on { open } else { "" };
            }
        }
    }
    open
}

/// More apostrophes than any text of the tests has in a row.
const MANY: &str = "''''''''''''''''''''''''''''''''''''''''";

/// Whether so many apostrophes begin a string.
fn begins_string(run: usize, before: &[u8], after: &[u8]) -> bool {
    let word = is_letter_at(after);
    if run.is_multiple_of(2) && !(run == 2 && word) {
        return false;
    }
    if !word && before.last().is_some_and(|last| b".!?)]}/".contains(last)) {
        return false;
    }
    let prefixes = [&b"r"[..], b"R", b"b", b"B", b"u", b"U", b"f", b"F", b"N", b"E"];
    let without = |text: &[u8]| {
        let found = prefixes.iter().find_map(|prefix| text.strip_suffix(*prefix));
        found.map(<[u8]>::to_vec)
    };
    let rest = without(before).map(|one| without(&one).unwrap_or(one));
    let is_prefix = rest
        .is_some_and(|rest| !ends_in_word(&rest) && !rest.ends_with(b"_") && !rest.ends_with(b"'"));
    is_prefix || !ends_in_word(before)
}

fn is_letter_at(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphanumeric) || text.starts_with("é".as_bytes())
}

fn ends_in_word(text: &[u8]) -> bool {
    let is_one = |(it, role): &(&str, Role)| {
        *role == Role::Inside && !["例", "\u{1F600}"].contains(it) && text.ends_with(it.as_bytes())
    };
    text.last().is_some_and(u8::is_ascii_alphanumeric) || CHARACTERS.iter().any(is_one)
}
