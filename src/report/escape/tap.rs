//! Escapes text for the description of a test point of TAP, version 14.
//!
//! There, a `#` begins a directive such as `# SKIP`, and a backslash escapes the character after it
//! ("Escaping"). Line ends and invalid UTF-8 must be made visible before, as `Shown` does. YAML
//! blocks need no escapes of their own: they contain JSON strings, which YAML accepts.

use std::fmt;

use super::replace;

/// Any text without control characters, displayed as a description.
///
/// ```
/// use linktrawl::internal::report::escape::tap::Description;
/// assert_eq!(Description(r"a\b # SKIP").to_string(), r"a\\b \# SKIP");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Description<'t>(pub &'t str);

impl fmt::Display for Description<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = |char| match char {
            '\\' => Some(r"\\"),
            '#' => Some(r"\#"),
            _ => None,
        };
        replace(self.0, instead, out)
    }
}
