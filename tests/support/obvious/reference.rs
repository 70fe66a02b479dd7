//! Character references that end a URI, in the slow scanner.

/// A character reference for what delimits a URI.
pub(super) fn is_delimiter(text: &[u8]) -> bool {
    if !text.starts_with(b"&") {
        return false;
    }
    if [&b"&amp;lt;"[..], b"&amp;gt;", b"&amp;quot;", b"&amp;#39;"]
        .iter()
        .any(|twice| text.starts_with(twice))
    {
        return true;
    }
    let end = text.iter().take(10).position(|byte| *byte == b';');
    let Some(name) = end.and_then(|end| std::str::from_utf8(&text[1..end]).ok()) else {
        return false;
    };
    let name = name.to_lowercase();
    let names = "lt gt quot apos nbsp ensp emsp thinsp ndash mdash horbar lsquo rsquo sbquo ldquo \
                 rdquo bdquo laquo raquo lsaquo rsaquo hellip";
    let Some(number) = name.strip_prefix('#') else { return names.split(' ').any(|it| it == name) };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number);
    match code.and_then(char::from_u32) {
        Some(it) if it.is_ascii() => it <= ' ' || "<>\"'".contains(it),
        // Only numbers of these few are modelled.
        Some(it) => "\u{A0}»”。…–—’".contains(it),
        None => false,
    }
}
