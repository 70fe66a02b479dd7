//! The position of a stack trace after a path, in the slow scanner.

use super::line_before;

/// The end without the line and the column after a path that ends in the name of a file, or that
/// a stack trace names.
pub(super) fn without(text: &[u8], start: usize, from: usize, end: usize) -> usize {
    let parts: Vec<&[u8]> = text[from..end].rsplitn(3, |byte| *byte == b':').collect();
    let [column, line, file] = parts.as_slice() else { return end };
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let is_of_trace = || file.contains(&b'/') && is_in_trace(text, start, end);
    if is_number(column) && is_number(line) && (is_file(file) || is_of_trace()) {
        from + file.len()
    } else {
        end
    }
}

fn is_file(path: &[u8]) -> bool {
    let Some(slash) = path.iter().rposition(|byte| *byte == b'/') else { return false };
    let name = &path[slash + 1..];
    let Some(dot) = name.iter().rposition(|byte| *byte == b'.') else { return false };
    let extension = &name[dot + 1..];
    let is_extension = (1..=6).contains(&extension.len())
        && extension[0].is_ascii_alphabetic()
        && extension.iter().all(u8::is_ascii_alphanumeric);
    dot > 0 && is_extension && !path.iter().any(|byte| b"?#".contains(byte))
}

/// Reports whether the line is one of a stack trace: `at f (…)`, `at …` or `f@…`.
fn is_in_trace(text: &[u8], start: usize, end: usize) -> bool {
    let line = line_before(text, start);
    let is_last = text.get(end).is_none_or(|byte| b"\n\r\\\"".contains(byte));
    let begins = |before: &[u8]| {
        let before = before.trim_ascii_end();
        before.is_empty() || before.ends_with(b"\\n")
    };
    if line.ends_with(b"(") && text.get(end) == Some(&b')') {
        return (0..line.len()).any(|at| line[at..].starts_with(b"at ") && begins(&line[..at]));
    }
    is_last && (line.ends_with(b"@") || line.strip_suffix(b"at ").is_some_and(begins))
}
