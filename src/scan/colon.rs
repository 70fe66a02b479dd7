//! Colons that may end a scheme, by their neighbours.

/// True when a colon at `colon` may end a scheme.
///
/// Behind it stands a slash; or before it no blank and none of the punctuation below `0`,
/// and behind it no blank: a space follows every header's name, a line end every "he wrote:".
/// The blank that counts stands in `<mailto: x>`, or in a URI that was wrapped just there,
/// and is told by the bracket a few bytes to the left. Digits on both sides are the time of
/// day, two colons are code.
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

/// Names of schemes that people put in brackets are short; a longer one is not looked for.
pub(super) const BRACKET_DISTANCE_MAX: usize = 8;

fn bracket_is_near(bytes: &[u8], colon: usize) -> bool {
    let from = colon.saturating_sub(BRACKET_DISTANCE_MAX);
    bytes.get(from..colon).unwrap_or_default().contains(&b'<')
}
