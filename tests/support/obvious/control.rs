//! Controls in strings before schemes, in the slow scanner.

use super::{back, known, line_before};

/// Returns where a known scheme begins after the letter of a control, whose backslash is not an
/// escaped one if the name with the letter is known, too.
pub(super) fn after(text: &[u8], run: usize, colon: usize) -> Option<usize> {
    let slashes = run - back(text, run, 0, |byte| byte == b'\\');
    let is_control = slashes > 0 && b"nrt".contains(&text[run]);
    let is_whole = slashes.is_multiple_of(2) && known(&text[run..colon]).is_some();
    (is_control && !is_whole && known(&text[run + 1..colon]).is_some()).then_some(run + 1)
}

/// Reports whether a control that syslog wrote as octal digits is at `at`.
pub(super) fn is_logged(text: &[u8], start: usize, at: usize) -> bool {
    let is_control = |text: &[u8]| {
        ["#011", "#012", "#015", "#033"].iter().any(|it| text.starts_with(it.as_bytes()))
    };
    let line = String::from_utf8_lossy(line_before(text, start));
    let mask = |character: char| match character {
        'A'..='Z' => 'M',
        'a'..='z' => 'm',
        '0'..='9' => '0',
        other => other,
    };
    let stamp: String = line.chars().take(16).map(mask).collect();
    let has_stamp = stamp == "Mmm 00 00:00:00 " || stamp == "Mmm  0 00:00:00 ";
    is_control(&text[at..])
        && (text[at..].starts_with(b"#033[") || is_control(&text[at + 4..]) || has_stamp)
}
