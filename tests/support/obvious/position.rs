//! The position of a stack trace after the name of a file, in the slow scanner.

/// The end without the line and the column after a path that ends in the name of a file.
pub(super) fn without(text: &[u8], from: usize, end: usize) -> usize {
    let parts: Vec<&[u8]> = text[from..end].rsplitn(3, |byte| *byte == b':').collect();
    let [column, line, file] = parts.as_slice() else { return end };
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let Some(slash) = file.iter().rposition(|byte| *byte == b'/') else { return end };
    let name = &file[slash + 1..];
    let Some(dot) = name.iter().rposition(|byte| *byte == b'.') else { return end };
    let extension = &name[dot + 1..];
    let is_extension = (1..=6).contains(&extension.len())
        && extension[0].is_ascii_alphabetic()
        && extension.iter().all(u8::is_ascii_alphanumeric);
    let is_path = dot > 0 && !file.iter().any(|byte| b"?#".contains(byte));
    if is_number(column) && is_number(line) && is_extension && is_path {
        from + file.len()
    } else {
        end
    }
}
