//! Recognises formats that programs fill in: percent signs that begin no escape.

use memchr::memmem;

use super::NAME_LEN_MAX;

/// Reports whether a program fills in a part of `text` by the formats of C and Python: `%s`, `%d`,
/// `%(name)s` and `%(name)d`.
///
/// None of them is an escape (RFC 3986 §2.1). Before a letter or a digit, `%s` and `%d` are the
/// author's own: an escape, as `%d0` is, or a fault, as in `100%sure`.
pub(super) fn is_format(text: &[u8]) -> bool {
    is_any(text, |after| match after.strip_prefix(b"(") {
        Some(name) => {
            let near = name.get(..NAME_LEN_MAX).unwrap_or(name);
            let end = memchr::memchr(b')', near);
            let after = end.and_then(|end| name.get(end + 1..)).unwrap_or_default();
            matches!(after, [b's' | b'd', ..])
        }
        None => is_conversion(after, b"sd"),
    })
}

/// Reports whether `text` holds other conversions (C11 §7.21.6.1), those of Go, or those of git for
/// a commit: `%1$s`, `%lu`, `%.2f`, `%v`, `%H`; a doubled percent sign, which is not meant as one;
/// or an argument of batch files, `%~1`. In a document a link with them may be a mistake; in a
/// program it is none.
pub(super) fn is_other_format(text: &[u8]) -> bool {
    is_any(text, |after| {
        if let [b'%' | b'~', letter, ..] = after {
            return letter.is_ascii_alphanumeric();
        }
        let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match after.get(digits..).unwrap_or_default() {
            [b'$', rest @ ..] if digits > 0 => is_conversion(rest, b"sduix"),
            [b'.', b'0'..=b'9', rest @ ..] if digits == 0 => is_conversion(rest, b"fgedx"),
            [b'l' | b'z', rest @ ..] if digits == 0 => {
                is_conversion(rest.strip_prefix(b"l").unwrap_or(rest), b"duix")
            }
            [b'+' | b'#', rest @ ..] if digits == 0 => is_conversion(rest, b"v"),
            rest => digits == 0 && is_conversion(rest, b"uivq@Hh"),
        }
    })
}

/// Reports whether `make` fills in a part of a path: `/%.tgz`, `/%/a`. In a document it is a
/// mistake.
pub(super) fn is_rule_of_make(text: &[u8]) -> bool {
    memmem::find_iter(text, b"/%").any(|at| matches!(text.get(at + 2), Some(b'.' | b'/')))
}

/// Reports whether `is_it` accepts the text after any percent sign in `text`.
fn is_any(text: &[u8], is_it: impl Fn(&[u8]) -> bool) -> bool {
    memchr::memchr_iter(b'%', text).any(|at| is_it(text.get(at + 1..).unwrap_or_default()))
}

/// Reports whether `text` begins with one of `letters`, and a word ends there.
fn is_conversion(text: &[u8], letters: &[u8]) -> bool {
    text.first().is_some_and(|letter| letters.contains(letter))
        && !text.get(1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'%')
}

#[cfg(test)]
mod tests {
    use super::{is_format, is_other_format, is_rule_of_make};

    #[track_caller]
    fn hold(is_it: fn(&[u8]) -> bool, cases: &[(&str, bool)]) {
        for (text, expected) in cases {
            assert_eq!(is_it(text.as_bytes()), *expected, "{text}");
        }
    }

    #[test]
    fn formats_are_told_from_escapes() {
        let cases = [
            ("http://h/%s", true),
            ("http://h/%s/a", true),
            ("http://h/%d", true),
            ("http://h/100%sure", false),
            ("http://h/%s1", false),
            ("http://h/%d.html", true),
            ("http://h/%(name)s", true),
            ("http://h/%(name)d/", true),
            ("http://h/%20%s", true),
            ("http://h/%d0%BC", false),
            ("http://h/%dA", false),
            ("http://h/%zz", false),
            ("http://h/%", false),
            ("http://h/%(name)", false),
            ("http://h/%(name", false),
            ("http://h/s", false),
        ];
        hold(is_format, &cases);
        let long = format!("http://h/%({})s", "n".repeat(100));
        assert!(!is_format(long.as_bytes()), "no name is so long");
    }

    #[test]
    fn formats_of_programs_are_told_from_slips() {
        let cases = [
            ("http://h/%1$s", true),
            ("http://h/%lu.html", true),
            ("http://h/%lld", true),
            ("http://h/%.2f", true),
            ("http://h/%+v/x", true),
            ("http://h/%u", true),
            ("http://h/%v/%q", true),
            ("http://h/%H", true),
            ("http://h/d%%20x", true),
            ("http://h/%%i", true),
            ("http://h/%~1", true),
            ("http://h/%~dp0/a", true),
            ("http://h/%~/a", false),
            ("http://h/%h.patch", true),
            ("http://h/%Hello", false),
            ("http://h/%5s", false),
            ("http://h/%20s", false),
            ("http://h/%c3", false),
            ("http://h/50%free", false),
            ("http://h/50%.c", false),
            ("http://h/x%-d", false),
            ("http://h/%2o", false),
            ("http://h/%X%", false),
            ("http://h/%v%", false),
            ("http://h/%", false),
            ("http://h/caf%E", false),
            ("http://h/caf%c", false),
        ];
        hold(is_other_format, &cases);
    }

    #[test]
    fn rules_of_make_are_told_from_escapes() {
        let cases = [
            ("http://h/j/%.tgz", true),
            ("http://h/%/a", true),
            ("http://h/%20.tgz", false),
            ("http://h/100%.tgz", false),
            ("http://h/%", false),
        ];
        hold(is_rule_of_make, &cases);
    }
}
