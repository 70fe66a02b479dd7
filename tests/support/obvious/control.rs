//! Controls in strings before schemes, in the slow scanner.

use super::{back, known};

/// Returns where a known scheme begins after the letter of a control, whose backslash is not an
/// escaped one if the name with the letter is known, too.
pub(super) fn after(text: &[u8], run: usize, colon: usize) -> Option<usize> {
    let slashes = run - back(text, run, 0, |byte| byte == b'\\');
    let is_control = slashes > 0 && b"nrt".contains(&text[run]);
    let is_whole = slashes.is_multiple_of(2) && known(&text[run..colon]).is_some();
    (is_control && !is_whole && known(&text[run + 1..colon]).is_some()).then_some(run + 1)
}
