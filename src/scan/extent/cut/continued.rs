//! Detects a bare URI that ends before a backslash which continues its line, or before a character
//! that Python writes by its name.
//!
//! A backslash at the end of a line joins it to the next one in shells, C, Python and JavaScript.
//! Markdown ends a line of text so, and a shell may have another argument in the next line, so that
//! only a word that looks like more of a path or a query continues the URI.

/// Reports whether `after`, the text after the backslash that follows `uri`, is the end of a line
/// before one that continues the URI. `line` is the text before the URI.
pub(super) fn goes_on(uri: &[u8], after: &[u8], line: &[u8]) -> bool {
    let ([b'\r', b'\n', next @ ..] | [b'\n', next @ ..]) = after else { return false };
    let next = without_mark(next, line);
    let text = next.trim_ascii_start();
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"/.-_~%&=?#+:@,;".contains(byte);
    let len = text.iter().take_while(is_of_word).count();
    let word = text.get(..len).unwrap_or_default();
    let has_mark = word.iter().rev().skip(1).any(|byte| b"/.=&?_%".contains(byte));
    let is_closed = matches!(text.get(len), Some(b'"' | b'\'' | b'`' | b')' | b'>'));
    let expects_more = uri.last().is_some_and(|last| b"/=&?-_.#%".contains(last));
    let begins = match word {
        [b'/' | b'?' | b'&' | b'#' | b'=' | b'.', second, ..] => second.is_ascii_alphanumeric(),
        [first, ..] => first.is_ascii_alphanumeric(),
        [] => false,
    };
    // A blank before the word ends the URI where no comment has it.
    let is_joined = text.len() == next.len() || expects_more;
    begins && is_joined && (has_mark || expects_more && is_closed) && !super::begins_uri(word, 0)
}

/// Reports whether `after`, the text after a backslash that follows `uri`, is a blank in the name
/// of a file, as shells escape it: `file:///My\ Docs/x`.
pub(super) fn escapes_blank(uri: &[u8], after: &[u8]) -> bool {
    let is_file = uri.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"file:"));
    is_file && matches!(after, [b' ', next, ..] if next.is_ascii_alphanumeric())
}

/// Returns `next`, a line, without the mark of a comment that `line` begins with, too, and the
/// blanks after it.
fn without_mark<'t>(next: &'t [u8], line: &[u8]) -> &'t [u8] {
    const MARKS: [&[u8]; 6] = [b"//", b"#", b"*", b"--", b";", b"%"];
    let (text, line) = (next.trim_ascii_start(), line.trim_ascii_start());
    let after = MARKS.iter().find_map(|mark| {
        let after = text.strip_prefix(*mark).filter(|_| line.starts_with(mark));
        after.filter(|after| after.first().is_some_and(u8::is_ascii_whitespace))
    });
    after.map_or(next, <[u8]>::trim_ascii_start)
}

/// Reports whether `text`, after `\N{`, begins with the name of a character that a URI may hold,
/// and a bracket: not of a blank, a dash, a quotation mark or a control.
pub(super) fn names_letter(text: &[u8]) -> bool {
    const LEN_MAX: usize = 96;
    const ENDING: [&str; 10] = [
        "DASH",
        "SPACE",
        "QUOTATION",
        "APOSTROPHE",
        "BRACKET",
        "ELLIPSIS",
        "BULLET",
        "FEED",
        "RETURN",
        "TAB",
    ];
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b" -".contains(byte);
    let len = text.iter().take(LEN_MAX).take_while(is_of_name).count();
    let name = String::from_utf8_lossy(text.get(..len).unwrap_or_default()).to_ascii_uppercase();
    let is_name = len > 0 && text.get(len) == Some(&b'}');
    is_name && !ENDING.iter().any(|ending| name.contains(ending))
}

#[cfg(test)]
mod tests {
    use super::super::case;

    #[test]
    fn a_backslash_may_continue_the_line() {
        case("u = \"https://h.example/docs/\\\ninstall.html\"", Some('\\'));
        case("curl -LO https://h.example/releases/\\\r\nv1.2/tool.tgz", Some('\\'));
        case("curl https://h.example/a\\\n?b=1", Some('\\'));
        case("# at: https://www.ibm.example/\\\n#   support/knowledge/", Some('\\'));
        case("u = \"https://h.example/docs/\\\ninstall\"", Some('\\'));
    }

    #[test]
    fn a_backslash_may_end_a_line_of_text() {
        case("see https://h.example/a\\\nand more", None);
        case("see https://h.example/docs/\\\nand more", None);
        case("curl https://h.example/a\\\n  -o a.html", None);
        case("curl https://h.example/a\\\n  b.html", None);
        case("curl https://h.example/ \\\nb.html", None);
        case("\\url https://h.example/a/\\\\\nb.html", None);
        case("see https://h.example/a/\\\nhttps://i.example/b.html", None);
        case("see https://h.example/a/\\", None);
    }

    #[test]
    fn a_blank_in_the_name_of_a_file_may_be_escaped() {
        case("open file:///home/me/My\\ Docs/x", Some('\\'));
        case("open https://h.example/My\\ Docs/x", None);
        case("open file:///home/me/x \\ y", None);
    }

    #[test]
    fn a_name_may_stand_for_a_character() {
        case("\"https://h.example/?fred=\\N{COMET}\"", Some('\\'));
        case("\"https://h.example/\\N{GREEK SMALL LETTER ALPHA}b\"", Some('\\'));
        case("\"https://h.example/a\\N{EN DASH}b\"", None);
        case("\"https://h.example/a\\N{COMET", None);
    }
}
