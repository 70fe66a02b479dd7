//! Lists of URIs and of hosts, and words before a second URI, in the slow scanner.

use linktrawl::internal::scheme::Class;

use super::{CHARACTERS, Role, begins_known, has_path, is_name_byte, known, sign};

/// Reports whether a URI begins after the comma or semicolon at `at`, of the same scheme as the one
/// at `start`, or of any scheme after a port.
pub(super) fn divides(text: &[u8], start: usize, at: usize) -> bool {
    let (Some(own), Some(next)) = (name(&text[start..at]), name(&text[at + 1..])) else {
        return false;
    };
    let authority = &text[start + own.len() + 3..at];
    let colon = authority.iter().rposition(|byte| *byte == b':');
    let port = colon.map_or(&b""[..], |colon| &authority[colon + 1..]);
    let is_port = !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    own.eq_ignore_ascii_case(next) || is_port && !authority.iter().any(|byte| b"/?#".contains(byte))
}

/// Reports whether an address of mail follows the mark at `at`, or, but for an apostrophe, the name
/// of another value.
pub(super) fn ends_at(text: &[u8], start: usize, at: usize) -> bool {
    precedes_mail(text, start, at) || text[at] != b'\'' && sign::divides(text, start, at)
}

/// Reports whether `mailto:` and a word follow the mark at `at`, before a query and a fragment.
fn precedes_mail(text: &[u8], start: usize, at: usize) -> bool {
    let next = text[at + 1..].to_ascii_lowercase();
    let address = next.strip_prefix(b"mailto:");
    let is_within = text[start..at].iter().any(|byte| b"?#".contains(byte));
    !is_within && address.is_some_and(|it| it.first().is_some_and(u8::is_ascii_alphanumeric))
}

/// The name of a scheme before two slashes.
fn name(text: &[u8]) -> Option<&[u8]> {
    let len = text.iter().take(41).take_while(|byte| is_name_byte(**byte)).count();
    let is_name = len > 1 && text[0].is_ascii_alphabetic() && text[len..].starts_with(b"://");
    is_name.then_some(&text[..len])
}

/// Reports whether hosts with ports follow the first port after commas, behind a `scheme` that is
/// none of the Web.
pub(super) fn is_of_hosts(scheme: &[u8], port: &[u8]) -> bool {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let is_host = |part: &[u8]| {
        let colon = part.iter().rposition(|byte| *byte == b':').unwrap_or_default();
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
        colon > 0 && part[..colon].iter().all(is_of_name) && is_number(&part[colon + 1..])
    };
    let is_web = scheme
        .strip_suffix(b"://")
        .and_then(known)
        .is_some_and(|scheme| scheme.class == Class::Web);
    let parts: Vec<_> = port.split(|byte| *byte == b',').collect();
    !is_web && parts.len() > 1 && is_number(parts[0]) && parts[1..].iter().all(|it| is_host(it))
}

/// The text that a walk passes where a character beyond US-ASCII begins.
pub(super) enum Passed {
    /// The walk ends there.
    Nothing,
    /// A character of this length.
    Character(usize),
    /// A word, after which the walk ends at this offset.
    Word(usize),
}

/// Steps over the character at `at` of a URI that begins at `start`.
pub(super) fn pass_character(text: &[u8], start: usize, at: usize) -> Passed {
    let rest = &text[at..];
    let known = CHARACTERS.iter().find(|(text, _)| rest.starts_with(text.as_bytes()));
    let Some((character, role)) = known else { return Passed::Nothing };
    if let Some(word) = word_before_uri(text, start, at) {
        let is_of_text = text[at - 1].is_ascii_alphanumeric();
        return if is_of_text { Passed::Nothing } else { Passed::Word(word) };
    }
    let is_sign = *role == Role::Trails || *character == "\u{1F600}";
    let divides = is_sign && begins_known(&rest[character.len()..]);
    if *role == Role::Ends || divides || begins_ellipsis(text, start, at) {
        return Passed::Nothing;
    }
    Passed::Character(character.len())
}

/// The one letter that is modelled of a script without blanks between words.
const WORD: &[u8] = "例".as_bytes();

/// Returns the end of the word of such letters at `at`, if another URI begins there, in a path.
fn word_before_uri(text: &[u8], start: usize, at: usize) -> Option<usize> {
    let count = text[at..].chunks(WORD.len()).take(16).take_while(|it| *it == WORD).count();
    let end = at + count * WORD.len();
    let is_one = count > 0 && has_path(&text[start..at]) && begins_known(&text[end..]);
    is_one.then_some(end)
}

/// Reports whether two ellipses at `at`, after a letter of US-ASCII, precede such a letter.
fn begins_ellipsis(text: &[u8], start: usize, at: usize) -> bool {
    text[at..].starts_with("……例".as_bytes())
        && has_path(&text[start..at])
        && text[at - 1].is_ascii_alphanumeric()
}
