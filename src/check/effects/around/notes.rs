//! Finds the words to which a link is a note, in plain text that a program made of HTML.
//!
//! Such text holds `Unsubscribe [3]` or `[3]Unsubscribe`, and at its end a line of its own for each
//! link: `[3] http://…` or `3. http://…`.

use memchr::{memchr, memmem, memrchr};

/// Bytes before a link in which its words are searched for.
const TEXT_LEN_MAX: usize = 16 * 1024;
/// Maximum number of bytes of the words.
const WORDS_LEN_MAX: usize = 200;
/// Maximum number of bytes of the number before a link, with marks of quotes and blanks.
const NUMBER_LEN_MAX: usize = 64;

/// Returns the words to which the link after `text` is a note; `None` if it is none.
pub(super) fn words(text: &[u8]) -> Option<&[u8]> {
    let from = text.len().saturating_sub(NUMBER_LEN_MAX);
    let feed = from + memrchr(b'\n', text.get(from..)?)?;
    let number = number(text.get(feed + 1..)?)?;
    let text = text.get(feed.saturating_sub(TEXT_LEN_MAX)..feed)?;
    let mark = [b"[", number, b"]"].concat();
    let at = memmem::rfind(text, &mark)?;
    let after = text.get(at + mark.len()..)?;
    if after.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()) {
        let after = after.get(..WORDS_LEN_MAX).unwrap_or(after);
        let end = [b'[', b'\n'].iter().filter_map(|end| memchr(*end, after)).min();
        return after.get(..end.unwrap_or(after.len()));
    }
    let before = text.get(at.saturating_sub(WORDS_LEN_MAX)..at)?;
    let trimmed = before.trim_ascii_end();
    let start = [b']', b'\n'].iter().filter_map(|end| memrchr(*end, trimmed)).max();
    // Markdown: `[words][3]`.
    let trimmed = trimmed.strip_suffix(b"]").map_or(trimmed, |inner| {
        let open = memrchr(b'[', inner).map_or(0, |open| open + 1);
        inner.get(open..).unwrap_or_default()
    });
    let is_whole = trimmed.len() < before.trim_ascii_end().len();
    let start = start.filter(|_| !is_whole).map_or(0, |at| at + 1);
    trimmed.get(start..)
}

/// Returns the number of the note whose line begins with `line`.
fn number(line: &[u8]) -> Option<&[u8]> {
    const DIGITS_MAX: usize = 3;
    let line = line.trim_ascii();
    let line = line.strip_suffix(b"<").unwrap_or(line).trim_ascii_end();
    let start = line.iter().take_while(|byte| matches!(byte, b'>' | b' ')).count();
    let line = line.get(start..)?;
    let line = line.strip_suffix(b":").unwrap_or(line);
    let bare = line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]"));
    let digits = bare.or_else(|| line.strip_suffix(b"."))?;
    let is_number =
        (1..=DIGITS_MAX).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn notes_lead_to_their_words() {
        for (text, expected) in [
            ("News. Unsubscribe [1]\n\nLinks:\n[1] ", Some("News. Unsubscribe")),
            ("[1]News [2]Unsubscribe\n\nReferences\n\n 1. http://h/\n 2. ", Some("Unsubscribe")),
            ("[News][1] or [opt out][2]\n\n[1]: http://h/\n[2]: <", Some("opt out")),
            ("Story [1] Unsubscribe [2]\n[1] http://h/\n[2] ", Some("Unsubscribe")),
            ("> Leave [7]\n> [7] ", Some("> Leave")),
            ("Unsubscribe [1]\nsee ", None),
            ("Unsubscribe\n[1] ", None),
            ("[1] ", None),
        ] {
            let found = words(text.as_bytes()).map(|it| str::from_utf8(it).unwrap().trim());
            assert_eq!(found, expected, "{text}");
        }
    }
}
