//! Quotes the beginning of a foreign text, for errors that name what was found.

use crate::uri::Redacted;

/// Characters of a quote: enough to recognise a text by.
const CHARS_MAX: usize = 40;

/// Returns the beginning of the first line of `text` between double quotes, with passwords redacted
/// and with an ellipsis where the line continues.
///
/// ```
/// use linktrawl::internal::report::escape::beginning::beginning;
/// assert_eq!(beginning(b"# Links\nand more"), "\"# Links\"");
/// assert_eq!(beginning(b"ftp://u:secret@h/\x1b"), r#""ftp://u:***@h/\u{1b}""#);
/// ```
#[must_use]
pub fn beginning(text: &[u8]) -> String {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    // Redacts the whole line: a password that is cut would not be recognised.
    let shown = Redacted::new(line).shown().into_owned();
    let shown = String::from_utf8_lossy(&shown);
    let shown = shown.trim_end();
    let quoted: String = shown.chars().take(CHARS_MAX).collect();
    let rest = if quoted.len() < shown.len() { "…" } else { "" };
    format!("{quoted:?}{rest}")
}
