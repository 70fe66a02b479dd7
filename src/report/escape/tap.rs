//! Text in the description of a test point of TAP, version 14.
//!
//! A `#` begins a directive there, such as `# SKIP`, and a backslash takes the meaning of the
//! character behind it ("Escaping"). Line ends and bytes that are no UTF-8 must be made text
//! before, as `Shown` does. What stands in a YAML block is JSON, whose strings YAML takes.

use std::fmt;

use super::replace;

/// Text from anywhere without control characters, as a description that says it.
///
/// ```
/// use linktrawl::report::escape::tap::Description;
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
