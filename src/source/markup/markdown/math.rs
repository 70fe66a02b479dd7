//! Recognises mathematics between dollar signs, in which brackets are no links: `$f[x](y)$`
//! (GitHub, "Writing mathematical expressions"; Pandoc, `tex_math_dollars`).
//!
//! The parser's own extension also takes the text between two prices or two variables of a shell
//! for mathematics. Here, a blank or a bracket precedes the first sign, none follows it, no word
//! follows the last one, and no address of the Web is between them.

use std::ops::Range;

/// Maximum number of bytes before and after a link that are read.
const NEAR_LEN_MAX: usize = 1024;

/// Reports whether the brackets at `link` of `text` are within mathematics.
pub(super) fn holds(text: &[u8], link: &Range<usize>) -> bool {
    let Some(inside) = text.get(link.clone()) else { return false };
    if memchr::memmem::find(inside, b"://").is_some() {
        return false;
    }
    let from = link.start.saturating_sub(NEAR_LEN_MAX);
    let near = text.get(from..link.start).unwrap_or_default();
    if memchr::memchr(b'$', near).is_none() {
        return false;
    }
    let before = paragraph_before(near);
    let to = text.len().min(link.end.saturating_add(NEAR_LEN_MAX));
    let after = paragraph_after(text.get(link.end..to).unwrap_or_default());
    is_displayed(before, after) || is_inline(before, after)
}

/// Reports whether a block between `$$` is around what is between `before` and `after`.
fn is_displayed(before: &[u8], after: &[u8]) -> bool {
    let count = memchr::memmem::find_iter(before, b"$$").count();
    count % 2 == 1 && memchr::memmem::find(after, b"$$").is_some()
}

/// Reports whether single signs are around it on its line.
fn is_inline(before: &[u8], after: &[u8]) -> bool {
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let rest = after.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(open) = memchr::memrchr(b'$', line) else { return false };
    let Some(close) = memchr::memchr(b'$', rest) else { return false };
    let (lead, content) = line.split_at(open);
    let (tail, follows) = rest.split_at(close);
    let is_before = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'[' | b'"');
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'_');
    let is_blank = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    let has_address = [content, tail].iter().any(|it| memchr::memmem::find(it, b"://").is_some());
    lead.last().is_none_or(is_before)
        && !is_blank(content.get(1))
        && !is_blank(tail.last())
        && !follows.get(1).is_some_and(is_word)
        && !has_address
}

/// Returns the end of `text` after its last empty line.
fn paragraph_before(text: &[u8]) -> &[u8] {
    let start = memchr::memmem::rfind(text, b"\n\n").map_or(0, |at| at + 2);
    text.get(start..).unwrap_or_default()
}

/// Returns the beginning of `text` up to its first empty line.
fn paragraph_after(text: &[u8]) -> &[u8] {
    text.get(..memchr::memmem::find(text, b"\n\n").unwrap_or(text.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[track_caller]
    fn case(text: &str, wanted: bool) {
        let start = text.find('[').unwrap();
        let end = text.find(')').unwrap() + 1;
        assert_eq!(holds(text.as_bytes(), &(start..end)), wanted, "{text}");
    }

    #[test]
    fn brackets_between_dollar_signs_are_mathematics() {
        case("so $f[x](y)$.", true);
        case("($f[x](y) = 1$)", true);
        case("$$X = [x](z)$$", true);
        case("$$\nf[x](y)\n= z\n$$", true);
    }

    #[test]
    fn prices_and_variables_are_none() {
        case("for $5 [a](b) and $6 [c](d)", false);
        case("US$ [a](b) or A$ c", false);
        case("`[$id`](http://h.example/$id/)", false);
        case("$a [b](http://h.example/c) d$", false);
        case("$a http://h.example/ [b](c) d$", false);
        case("a $[b](c)", false);
        case("$$ a\n\n[b](c) $$", false);
        case("$a [b](c)$d", false);
    }
}
