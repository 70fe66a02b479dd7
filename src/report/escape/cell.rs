//! Escapes text for a field of comma-separated values (RFC 4180), which may be opened in a
//! spreadsheet.
//!
//! A spreadsheet treats a field that begins with `=` and the like as a formula, quoted or not; an
//! apostrophe before it makes it text. Programs that parse the field see that apostrophe.

use std::fmt;

/// Any text, displayed as one field.
///
/// ```
/// use linktrawl::internal::report::escape::cell::Cell;
/// assert_eq!(Cell("a, \"b\"").to_string(), "\"a, \"\"b\"\"\"");
/// assert_eq!(Cell("=1+1").to_string(), "'=1+1");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cell<'t>(pub &'t str);

/// The characters that begin a formula, including their full-width forms on East Asian keyboards.
/// White space before them is ignored.
const BEGINNINGS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

impl fmt::Display for Cell<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_formula =
            self.0.trim_start().starts_with(BEGINNINGS) || self.0.starts_with(['\t', '\r', '\n']);
        let guard = if is_formula { "'" } else { "" };
        if self.0.contains([',', '"', '\r', '\n', ';']) || self.0 != self.0.trim() {
            write!(out, "\"{guard}{}\"", self.0.replace('"', "\"\""))
        } else {
            write!(out, "{guard}{}", self.0)
        }
    }
}
