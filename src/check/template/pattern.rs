//! Recognises the rest of a pattern or of an expression after a bare URI: stars of a glob before
//! the quote that ends it, `"http://h/*"`, a class of a regular expression, and a value of Swift.

use crate::scan;

/// Reports whether `after`, the text after a bare URI, continues a pattern. `before` is the text
/// before the URI.
pub(super) fn is_pattern(before: &[u8], after: &[u8]) -> bool {
    is_glob(before, after) || begins_class(after) || begins_value(after) || begins_reference(after)
}

/// Reports whether a bare URI, `target`, ends in the beginning of a named group of a pattern, whose
/// name begins `after`: `https://h/(?P<id>\d+)`.
pub(super) fn is_named_group(target: &[u8], after: &[u8]) -> bool {
    let is_group = target.ends_with(b"(?P") || target.ends_with(b"(?");
    is_group && matches!(after, [b'<', name, ..] if name.is_ascii_alphabetic())
}

/// Reports whether `text` begins with a reference to a group of a pattern: `\1`, `\g<name>`. In a
/// string, its backslash may be escaped.
fn begins_reference(text: &[u8]) -> bool {
    let Some(after) = text.strip_prefix(b"\\") else { return false };
    match after.strip_prefix(b"\\").unwrap_or(after) {
        [b'1'..=b'9', next, ..] => !next.is_ascii_alphanumeric(),
        [b'1'..=b'9'] => true,
        [b'g', b'<', name, ..] => name.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Reports whether the quote directly before a URI, or the form feed that divides fields, ends it
/// after marks that have a star. Outside of these, the marks are emphasis or a note.
fn is_glob(before: &[u8], after: &[u8]) -> bool {
    if !after.first().is_some_and(|first| matches!(first, b'.' | b'*' | b'?')) {
        return false;
    }
    let quote = before.last().filter(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\x0C'));
    let len = after.iter().take_while(|byte| matches!(byte, b'.' | b'*' | b'?')).count();
    let (marks, rest) = after.split_at(len);
    quote.is_some() && marks.contains(&b'*') && rest.first() == quote
}

/// Reports whether `text` begins with a class of characters and its repetition: `[^/]+`, `\d+`. A
/// group may enclose it.
fn begins_class(text: &[u8]) -> bool {
    /// Longest class in brackets that is read, in bytes.
    const CLASS_LEN_MAX: usize = 32;
    let class = text.strip_prefix(b"(").unwrap_or(text);
    let after = match class {
        [b'[', b'^', inside @ ..] => {
            let near = inside.get(..CLASS_LEN_MAX).unwrap_or(inside);
            // A bracket at the beginning is a member of the class.
            let end = near.iter().skip(1).position(|byte| *byte == b']');
            end.and_then(|end| inside.get(end + 2..))
        }
        [b'\\', b'\\', letter, after @ ..] | [b'\\', letter, after @ ..] => {
            Some(after).filter(|_| b"dwsDWS".contains(letter))
        }
        _ => None,
    };
    after.and_then(<[u8]>::first).is_some_and(|byte| b"+*?{".contains(byte))
}

/// Reports whether `text`, perhaps after the colon of a port, begins with an expression of Swift,
/// `\(id)`, or with an escaped variable, `\{id}`.
fn begins_value(text: &[u8]) -> bool {
    let text = text.strip_prefix(b":").unwrap_or(text);
    let is_escaped = text.starts_with(b"\\{") && text.get(1..).is_some_and(super::is_variable);
    scan::is_interpolation(text) || is_escaped
}

#[cfg(test)]
mod tests {
    use super::{is_named_group, is_pattern};

    #[test]
    fn patterns_are_told_from_emphasis_and_escapes() {
        for (before, after, expected) in [
            ("\"", "*\"", true),
            ("'", "**'", true),
            ("\"", ".*\"", true),
            ("`", "*`", true),
            ("*", "*", false),
            ("**", "** and", false),
            ("\"", "*,", false),
            ("\"*", "*\"", false),
            ("\"", ".\"", false),
            (" ", "*\"", false),
            ("\"", "[^/]+\"", true),
            ("\"", "([^/]+)", true),
            ("\"", "[]^]", false),
            ("\"", "[^]/]*", true),
            (" ", "[^1] and", false),
            ("\"", "\\d+\"", true),
            ("\"", "\\\\w{3}", true),
            (" ", "\\document", false),
            ("\"", "\\(user.id)/posts", true),
            ("\"", ":\\(port(1))/", true),
            ("\"", "\\(a\\)", false),
            ("\"", "\\(a", false),
            ("\"", "\\()", false),
            ("\"", "\\{id}", true),
            (" ", "\\{a", false),
            ("\"", "\\\"}\"", false),
            ("#", "\\1/x#", true),
            ("'", "\\\\2", true),
            ("'", "\\g<id>/x", true),
            ("'", "\\12", false),
            ("'", "\\303\\251", false),
            ("'", "\\group", false),
        ] {
            let found = is_pattern(before.as_bytes(), after.as_bytes());
            assert_eq!(found, expected, "{before}|{after}");
        }
    }

    #[test]
    fn groups_have_names() {
        for (target, after, expected) in [
            ("https://h/(?P", "<id>[0-9]+)/x", true),
            ("https://h/(?", "<id>x)", true),
            ("https://h/(?P", "<=x)", false),
            ("https://h/P", "<id>", false),
        ] {
            assert_eq!(is_named_group(target.as_bytes(), after.as_bytes()), expected, "{target}");
        }
    }
}
