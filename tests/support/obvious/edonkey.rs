//! The twin of the rule about links of eDonkey, whose parts bars divide.

/// Where the link ends whose name is between `start` and `colon`: after its last bar and slash, or
/// after its last bar.
pub(super) fn end(text: &[u8], start: usize, colon: usize) -> Option<usize> {
    let is_one = text[start..colon].eq_ignore_ascii_case(b"ed2k");
    let begins = text[colon..].starts_with(b"://|");
    if !is_one || !begins || !text.get(colon + 4).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let mut last = None;
    for at in colon + 4..text.len() {
        let rest = &text[at..];
        if rest[0] <= b' ' || b"\x7F\"<>\\".contains(&rest[0]) || rest.starts_with(b"://|") {
            break;
        }
        if rest.starts_with(b"|/") {
            last = Some((true, at + 2));
        } else if rest[0] == b'|' && !matches!(last, Some((true, _))) {
            last = Some((false, at + 1));
        }
    }
    last.map(|(_, end)| end)
}
