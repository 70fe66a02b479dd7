//! Finds out whether a link is in a quotation of another message.

/// Bytes before a link in which the beginning of a quotation is searched for.
const BEFORE_MAX: usize = 1024;

/// Reports whether a link after `before` is in a quoted line, in a quotation of HTML, or below the
/// line with which programs begin a forwarded message: `----- Forwarded message -----`.
pub(super) fn is_quoted(before: &[u8]) -> bool {
    let before = before.get(before.len().saturating_sub(BEFORE_MAX)..).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = before.get(start..).unwrap_or_default().trim_ascii_start();
    line.starts_with(b">") || is_in_element(before) || before.split(is_feed).any(is_rule)
}

fn is_feed(byte: &u8) -> bool {
    *byte == b'\n'
}

/// Reports whether a quotation of HTML begins in `before` and does not end there.
fn is_in_element(before: &[u8]) -> bool {
    let before = before.to_ascii_lowercase();
    let last = |tag: &[u8]| memchr::memmem::rfind(&before, tag);
    last(b"<blockquote").is_some_and(|at| last(b"</blockquote").is_none_or(|end| end < at))
}

/// Reports whether `line` is a rule with words in it.
fn is_rule(line: &[u8]) -> bool {
    const DASHES_MIN: usize = 4;
    let line = line.trim_ascii();
    let dashes = |text: &mut dyn Iterator<Item = &u8>| text.take_while(|it| **it == b'-').count();
    let is_rule = |count: usize| count >= DASHES_MIN && count < line.len();
    is_rule(dashes(&mut line.iter())) && is_rule(dashes(&mut line.iter().rev()))
}

#[cfg(test)]
mod tests {
    use super::is_quoted;

    #[test]
    fn quoted_and_forwarded_links_are_known() {
        for text in [
            "Fine.\n> http",
            "Fine.\n  > > see ",
            "<p>Fine</p><blockquote type=\"cite\"><a href=\"",
            "Fine.\n\n-----Original Message-----\nFrom: a\n\nsee ",
            "---------- Forwarded message ---------\nsee ",
        ] {
            assert!(is_quoted(text.as_bytes()), "{text}");
        }
        for text in ["", "see ", "> Fine.\nsee ", "<blockquote>a</blockquote>see ", "-----\nsee "] {
            assert!(!is_quoted(text.as_bytes()), "{text}");
        }
    }
}
