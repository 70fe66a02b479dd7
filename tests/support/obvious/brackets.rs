//! Square brackets of the obvious scanner: those of a query, and those within a word.

use super::{begins_known, has_path, is_delimiter};

/// Length of the pairs of square brackets at `at` that are the query's own.
pub(super) fn array_len(text: &[u8], start: usize, at: usize) -> Option<usize> {
    let of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:%".contains(byte);
    let (uri, mut rest) = (&text[start..at], &text[at..]);
    let mut pairs: Vec<&[u8]> = Vec::new();
    while rest.starts_with(b"[")
        && let Some(len) = rest.iter().position(|byte| *byte == b']')
        && rest[1..len].iter().all(of_name)
    {
        pairs.push(&rest[1..len]);
        rest = &rest[len + 1..];
    }
    if !uri.contains(&b'?') || uri.contains(&b'#') || pairs.is_empty() {
        return None;
    }
    let name = rest.iter().take(128).take_while(|byte| of_name(byte)).count();
    let is_inside = match rest.first() {
        Some(b'=' | b'#') => true,
        Some(b'&') => !is_delimiter(rest),
        Some(b':' | b'.') | None => false,
        Some(_) => name > 0 && rest.get(name) == Some(&b'='),
    };
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_%/(@=$+~".contains(byte);
    let parameter = uri.rsplit(|byte| b"?&;".contains(byte)).next().unwrap_or_default();
    let is_end = !rest.first().is_some_and(goes_on);
    let is_number = uri.ends_with(b"=")
        && pairs.len() == 1
        && !pairs[0].is_empty()
        && pairs[0].iter().all(u8::is_ascii_digit);
    let is_last = is_end
        && parameter.iter().any(u8::is_ascii_alphanumeric)
        && parameter.iter().all(of_name)
        && !uri[..uri.len() - parameter.len()].ends_with(b"(?")
        && pairs.last().is_some_and(|pair| pair.is_empty());
    (is_inside || is_last || is_end && is_number).then(|| text.len() - at - rest.len())
}

/// Length of the brackets at `at` after a host, if more of the word follows them: in a row, or with
/// single marks between them.
pub(super) fn inner_len(text: &[u8], start: usize, at: usize, is_open: bool) -> Option<usize> {
    let mut end = at;
    loop {
        let first = end;
        end += row_len(&text[end..])?;
        let (row, after) = (&text[first..end], &text[end..]);
        if row.is_empty() || is_delimiter(after) || begins_known(after) {
            return None;
        }
        let is_note = row.iter().all(|byte| byte.is_ascii_digit() || b"[]^*".contains(byte));
        let joins = match after.first() {
            Some(byte) if b"/-+.=&#?@$".contains(byte) => true,
            Some(b')') => is_open && !begins_known(&after[1..]),
            Some(b':' | b';' | b',' | b'!') => !is_note && !begins_known(&after[1..]),
            _ => false,
        };
        let is_glued = goes_on_after(after, row) && !row.ends_with(b"[]");
        if is_glued || joins && goes_on_after(&after[1..], row) {
            return has_path(&text[start..at]).then(|| end - at);
        }
        if !joins {
            return None;
        }
        end += 1;
    }
}

/// Whether a word continues after brackets: not in Chinese, after brackets of US-ASCII.
fn goes_on_after(text: &[u8], row: &[u8]) -> bool {
    text.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"%_~".contains(byte))
        || text.starts_with("é".as_bytes())
        || text.starts_with("例".as_bytes()) && !row.is_ascii()
}

/// Length of the brackets in a row at the beginning of `text`; `None` where one is not closed.
fn row_len(text: &[u8]) -> Option<usize> {
    let mut end = 0;
    while text[end..].starts_with(b"[") {
        let mut depth = 0;
        let len = text[end..].iter().position(|byte| {
            depth += i32::from(*byte == b'[') - i32::from(*byte == b']');
            depth == 0
        })?;
        let inside = std::str::from_utf8(&text[end + 1..end + len]).ok()?;
        let ends = |it: char| it <= ' ' || "\"<>\\`{|}\u{7F}»\u{A0}。”".contains(it);
        if len >= 256 || inside.starts_with('/') || inside.contains("://") || inside.contains(ends)
        {
            break;
        }
        end += len + 1;
    }
    Some(end)
}
