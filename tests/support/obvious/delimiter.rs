//! Marks chosen by a writer to end a text, in the slow scanner: those of TeX, and of sed and perl.

use super::{back, known};

/// `text` up to the mark that ends what a command of TeX prints, if one begins before `start`.
pub(super) fn until_mark(text: &[u8], start: usize) -> &[u8] {
    let Some((mark, before)) = text[..start].split_last() else { return text };
    let until = |len: Option<usize>| len.map(|len| &text[..start + len]);
    let is_printed = [&b"\\verb"[..], b"\\lstinline"].iter().any(|name| before.ends_with(name));
    let is_link = [&b"\\url"[..], b"\\path"].iter().any(|name| before.ends_with(name));
    if !(is_printed && b"+!=~$#".contains(mark) || is_link && b"+!".contains(mark)) {
        return until(of_command(text, start).map(|(len, _)| len)).unwrap_or(text);
    }
    let len = text[start..].iter().position(|byte| byte == mark);
    let len = len.or_else(|| of_command(text, start).map(|(len, _)| len));
    until(len).unwrap_or(text)
}

/// Returns where the scheme of a name begins that follows the plus of such a command,
/// `s+http://h/+x+`.
pub(super) fn after_plus(text: &[u8], start: usize, colon: usize) -> usize {
    let plus = text[start..colon].iter().rposition(|byte| *byte == b'+');
    let after = plus.map(|plus| start + plus + 1);
    let is_one = |at: &usize| {
        known(&text[*at..colon]).is_some()
            && of_command(text, *at).is_some_and(|(_, mark)| mark == b'+')
    };
    after.filter(is_one).unwrap_or(start)
}

/// How far from `start` the part of a command ends in which it is, and the mark that ends it.
fn of_command(text: &[u8], start: usize) -> Option<(usize, u8)> {
    let line = back(text, start, start.saturating_sub(256), |byte| byte != b'\n');
    (line..start).find_map(|at| {
        let mark = text[at];
        if !b"#@,+~!%;".contains(&mark) {
            return None;
        }
        let name = back(text, at, line, |it| it.is_ascii_alphanumeric() || it == b'_' || it > 127);
        let parts = match &text[name..at] {
            b"s" | b"y" | b"tr" => 2,
            b"m" | b"q" | b"qq" | b"qr" | b"qw" | b"qx" => 1,
            _ => return None,
        };
        let has = |ends: &[u8], len: usize| {
            let byte = name.checked_sub(len).filter(|at| *at >= line).map(|at| text[at]);
            byte.is_some_and(|byte| ends.contains(&byte))
        };
        let is_genitive = has(b"'", 1)
            && name
                .checked_sub(2)
                .filter(|it| *it >= line)
                .is_some_and(|it| text[it].is_ascii_alphanumeric());
        let is_format = has(b"%", 1) && name >= line + 2 && !has(b":\"' ", 2);
        if is_genitive || is_format || has(b"\\/&=.-@<", 1) {
            return None;
        }
        let inside = &text[at + 1..start];
        let passed = inside.iter().filter(|byte| **byte == mark).count();
        let mut lines = text[start..].split(|byte| *byte == b'\n');
        let rest = lines.next().unwrap_or_default();
        let marks = rest.iter().filter(|byte| **byte == mark).count();
        let is_near = inside.iter().all(u8::is_ascii_punctuation);
        let is_one = rest.split(|byte| *byte == mark).next().unwrap_or_default().contains(&b':')
            && marks > 0
            && passed < parts
            && !inside.first().is_some_and(u8::is_ascii_whitespace)
            && (is_near || parts == 2 && passed + marks > 1);
        is_one.then(|| (rest.iter().position(|byte| *byte == mark).unwrap_or_default(), mark))
    })
}
