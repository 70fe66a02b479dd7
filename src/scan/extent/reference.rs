//! Recognises character references of HTML in text that is not HTML.

use super::unicode::{self, Role};

/// The names that HTML has for characters that delimit a URI in text: brackets, blanks, quotation
/// marks, dashes and the ellipsis.
const DELIMITERS: [&[u8]; 22] = [
    b"lt", b"gt", b"quot", b"apos", b"nbsp", b"ensp", b"emsp", b"thinsp", b"ndash", b"mdash",
    b"horbar", b"lsquo", b"rsquo", b"sbquo", b"ldquo", b"rdquo", b"bdquo", b"laquo", b"raquo",
    b"lsaquo", b"rsaquo", b"hellip",
];

/// The references in text that was escaped a second time: `&amp;quot;`. No parameter ends so.
const TWICE: [&[u8]; 4] = [b"lt;", b"gt;", b"quot;", b"#39;"];

/// Reports whether a character reference to a delimiter begins at `at`. `&amp;` does not count: it
/// is the `&` of a query, as HTML writes it.
pub(super) fn begins_delimiter(bytes: &[u8], at: usize) -> bool {
    /// The longest number of a character, `#x10FFFF`.
    const NUMBER_LEN_MAX: usize = 8;
    let near = bytes.get(at..bytes.len().min(at + NUMBER_LEN_MAX + 2)).unwrap_or_default();
    let Some(rest) = near.strip_prefix(b"&") else { return false };
    let rest = match rest.strip_prefix(b"amp;") {
        // Escaped twice.
        Some(more) => return TWICE.iter().any(|name| more.starts_with(name)),
        None => rest,
    };
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count();
    let (name, b";") =
        (rest.get(..len).unwrap_or_default(), rest.get(len..=len).unwrap_or_default())
    else {
        return false;
    };
    let by_number = || match numbered(name)? {
        character @ '\u{80}'.. => Some(unicode::role(character) != Role::Inside),
        character => Some(character <= ' ' || matches!(character, '"' | '\'' | '<' | '>')),
    };
    DELIMITERS.iter().any(|delimiter| delimiter.eq_ignore_ascii_case(name))
        || by_number().unwrap_or_default()
}

/// Returns the character whose number in a character reference is `name`: `#8217`, `#x2019`.
fn numbered(name: &[u8]) -> Option<char> {
    let digits = std::str::from_utf8(name.strip_prefix(b"#")?).ok()?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    char::from_u32(code.ok()?)
}

/// Returns the length of the character reference that ends before `end`, or of its semicolon alone.
pub(super) fn reference_len(bytes: &[u8], rest: usize, end: usize) -> usize {
    /// The longest name in HTML, `CounterClockwiseContourIntegral`, has 31 letters.
    const NAME_LEN_MAX: usize = 31;
    let name = bytes.get(rest..end - 1).unwrap_or_default();
    let letters = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
    let len = name.iter().rev().take(NAME_LEN_MAX).take_while(letters).count();
    let is_reference = len > 1 && name.len() > len && name.get(name.len() - len - 1) == Some(&b'&');
    if is_reference { len + 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::begins_delimiter;

    #[track_caller]
    fn case(text: &str, expected: bool) {
        assert_eq!(begins_delimiter(text.as_bytes(), 0), expected, "{text}");
    }

    #[test]
    fn a_blank_a_dash_and_a_quotation_mark_delimit() {
        for name in ["lt", "GT", "mdash", "rsquo", "emsp", "hellip", "laquo"] {
            case(&format!("&{name};x"), true);
            case(&format!("&{name}x"), false);
            case(&format!("&{name}=1"), false);
        }
        for number in ["#10", "#32", "#34", "#039", "#60", "#160", "#8217", "#x2014", "#X3E"] {
            case(&format!("&{number};"), true);
        }
        for twice in ["&amp;quot;x", "&amp;lt;", "&amp;gt; and", "&amp;#39;"] {
            case(twice, true);
        }
        for other in [
            "&amp;a",
            "&amp;lt=5",
            "&amp;quot",
            "&copy;",
            "&#38;",
            "&#101;",
            "&#x2F;",
            "&#233;",
            "&#x110000;",
        ] {
            case(other, false);
        }
        for end in ["&", "&#", "&#;", "&;", "&#x;", "&#+8217;", "&#10", "a#34;"] {
            case(end, false);
        }
    }
}
