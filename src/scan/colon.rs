//! Tests by the adjacent bytes whether a colon may end a scheme.

/// Reports whether the colon at `colon` may end a scheme.
///
/// It may if a slash follows. Otherwise neither a blank nor punctuation below `0` may precede it,
/// and no blank may follow: a space follows the name of each header field, and a line end follows
/// "he wrote:". The exception is a blank after an opening bracket a few bytes to the left, as in
/// `<mailto: x>` or a URI that was wrapped there. Digits on both sides are a time of day, and two
/// colons are code.
pub(super) fn passes(bytes: &[u8], colon: usize) -> bool {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let before = colon.checked_sub(1).map_or(b' ', byte);
    match byte(colon + 1) {
        b'/' => true,
        0..=b' ' => before >= b'0' && bracket_is_near(bytes, colon),
        b'0'..=b'9' => before > b':',
        b':' => false,
        _ => before >= b'0' && before != b':',
    }
}

/// Greatest distance in bytes from a bracket to the colon: schemes in brackets have short names.
pub(super) const BRACKET_DISTANCE_MAX: usize = 8;

fn bracket_is_near(bytes: &[u8], colon: usize) -> bool {
    let from = colon.saturating_sub(BRACKET_DISTANCE_MAX);
    bytes.get(from..colon).unwrap_or_default().contains(&b'<')
}
