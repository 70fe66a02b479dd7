//! Symbols, quotations and commas of the text at the end of a URI, in the slow scanner.

use super::{begins_known, line_before};

/// The one symbol that is modelled.
const SIGN: &[u8] = "\u{1F600}".as_bytes();

/// Returns the length of the symbols at the end that follow the mark of a sentence, or of the one
/// that is also before the URI.
pub(super) fn len(text: &[u8], start: usize, from: usize, end: usize) -> usize {
    let mut rest = &text[from..end];
    if !rest.iter().any(|byte| b"/?#".contains(byte)) {
        return 0;
    }
    if rest.ends_with(SIGN) && text[..start].ends_with(SIGN) {
        return SIGN.len();
    }
    while let Some(before) = rest.strip_suffix(SIGN) {
        rest = before;
    }
    let is_after_mark = rest.last().is_some_and(|mark| b".,:;!".contains(mark));
    if is_after_mark { end - from - rest.len() } else { 0 }
}

/// Reports whether two backticks or commas before the URI begin a quotation that two apostrophes
/// end.
pub(super) fn is_quoted(text: &[u8], start: usize) -> bool {
    let line = line_before(text, start);
    let ends = |from: usize| line[from..].windows(2).any(|two| two == b"''");
    let begins = |marks: &[u8]| line.windows(2).rposition(|two| two == marks);
    [b"``", b",,"].into_iter().any(|marks| begins(marks).is_some_and(|from| !ends(from)))
}

/// The one letter that is modelled of a script without blanks between words.
const WORD: &[u8] = "例".as_bytes();

/// Reports whether the comma or semicolon at `at` divides clauses in such a script, or values.
pub(super) fn divides(text: &[u8], start: usize, at: usize) -> bool {
    divides_values(text, start, at) || divides_clauses(text, start, at)
}

/// Reports whether the comma or semicolon at `at` divides clauses in such a script.
fn divides_clauses(text: &[u8], start: usize, at: usize) -> bool {
    !ends_reference(text, at)
        && text[at - 1].is_ascii()
        && text[at + 1..].starts_with(WORD)
        && line_before(text, start).windows(WORD.len()).any(|word| word == WORD)
}

/// Reports whether the comma or semicolon at `at` divides two names with URIs as their values.
fn divides_values(text: &[u8], start: usize, at: usize) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let (uri, after) = (&text[start..at], &text[at + 1..]);
    let len = after.iter().take(64).take_while(|byte| is_of_name(byte)).count();
    let is_listed = |mark: u8| {
        let before = text[..start].strip_suffix(&[mark]).and_then(<[u8]>::last);
        len > 0 && after.get(len) == Some(&mark) && before.is_some_and(is_of_name)
    };
    (is_listed(b'=') || is_listed(b':'))
        && !ends_reference(text, at)
        && begins_known(&after[len + 1..])
        && begins_known(&text[start..])
        && !uri.iter().any(|byte| b"?#".contains(byte))
}

/// Reports whether the mark at `at` is the semicolon that ends a character reference.
fn ends_reference(text: &[u8], at: usize) -> bool {
    let is_of_reference = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
    let last = text[..at].iter().rev().take(64).find(|byte| !is_of_reference(byte));
    text[at] == b';' && last == Some(&b'&')
}
