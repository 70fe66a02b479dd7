//! Recognises addresses that were disarmed on purpose: `https://evil[.]example/x`.
//!
//! Authors who write about attacks put brackets around a dot, a colon or a slash. The text before
//! the bracket may be the name of an unrelated host. They also replace letters of the scheme:
//! `hxxp://`, `h**ps://`.

use crate::scan::Candidate;

/// The marks written for a dot or a colon, in small letters.
const MARKS: [&[u8]; 7] = [b"[.]", b"[dot]", b"(.)", b"(dot)", b"{.}", b"[:]", b"[/]"];

/// The names written for those of schemes, in small letters.
const NAMES: [&[u8]; 5] = [b"hxxp", b"hxxps", b"hxtp", b"hxtps", b"fxp"];

/// Reports whether `candidate`, found in `text`, ends before such a mark, holds one in its host, or
/// has such a name for its scheme.
pub(super) fn is_disarmed(candidate: &Candidate<'_>, text: &[u8]) -> bool {
    let Candidate { span, text: uri, scheme_len, .. } = *candidate;
    if is_name(uri.get(..scheme_len).unwrap_or_default(), text.get(..span.start)) {
        return true;
    }
    // Most candidates hold no byte that begins a mark.
    let is_followed = matches!(text.get(span.end), Some(b'[' | b'(' | b'{'));
    if !is_followed && memchr::memchr3(b'(', b'[', b'{', uri).is_none() {
        return false;
    }
    let rest = uri.get(scheme_len..).unwrap_or_default();
    let rest = rest.strip_prefix(b":").unwrap_or(rest);
    let rest = rest.strip_prefix(b"//").unwrap_or(rest);
    let len = rest.iter().take_while(|byte| !b"/?#".contains(byte)).count();
    let host = rest.get(..len).unwrap_or_default();
    let host = host.get(memchr::memrchr(b'@', host).map_or(0, |at| at + 1)..).unwrap_or_default();
    let ends = || begins_with_mark(text.get(span.end..).unwrap_or_default());
    let is_in = |at: usize| begins_with_mark(host.get(at..).unwrap_or_default());
    len == rest.len() && ends() || memchr::memchr3_iter(b'(', b'[', b'{', host).any(is_in)
}

/// Reports whether `name`, after `before`, is disarmed: `hxxp`, or `ps` after `h**`.
fn is_name(name: &[u8], before: Option<&[u8]>) -> bool {
    let is_rest = || before.is_some_and(|text| text.ends_with(b"h**") || text.ends_with(b"H**"));
    match name {
        [b'h' | b'H' | b'f' | b'F', b'x' | b'X', ..] => {
            NAMES.iter().any(|disarmed| disarmed.eq_ignore_ascii_case(name))
        }
        [b'p' | b'P', b's' | b'S'] => is_rest(),
        _ => false,
    }
}

/// Reports whether `text` begins with a mark.
fn begins_with_mark(text: &[u8]) -> bool {
    MARKS.iter().any(|mark| {
        let begin = text.get(..mark.len()).unwrap_or_default();
        begin.eq_ignore_ascii_case(mark)
    })
}

#[cfg(test)]
mod tests {
    use super::is_disarmed;
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, expected: bool) {
        let mut scanner = Scanner::new(text.as_bytes()).with_www();
        let found = scanner.next().expect("a candidate");
        assert_eq!(is_disarmed(&found, text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn what_is_disarmed_is_told_from_brackets_of_the_text() {
        case("http://evil.example[.]com/login", true);
        case("https://evil[.]example/x", true);
        case("https://evil[dot]example/x", true);
        case("https://evil[DOT]example/x", true);
        case("https://10.0.0[.]1/x", true);
        case("http://evil(.)example/", true);
        case("http://evil(dot)example/", true);
        case("http://evil{.}example/", true);
        case("http://evil.example[:]8080/", true);
        case("www.evil.example[.]com", true);
        case("mailto:a@evil[.]example", true);
        case("hxxp://evil.example/x", true);
        case("hXXps://evil.example/x", true);
        case("<fxp://evil.example/x>", true);
        case("h**ps://evil.example/x", true);
        case("http://evil.example[/]x", true);
        case("hxx://evil.example/x", false);
        case("x **ps://evil.example/x", false);
        case("http://h.example/[.]", false);
        case("<http://evil(.)example/>", true);
        case("<URL:https://evil[.]example/x>", true);
        case("http://u:(.)@h.example/", false);
        case("http://[::1]/", false);
        case("http://h.example/a(.)b", false);
        case("http://h.example/?a[.]", false);
        case("http://h.example[1]", false);
        case("http://h.example (.)", false);
        case("<http://h.example>[.]", false);
        case("news:a.b", false);
    }
}
