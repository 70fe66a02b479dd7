//! Text in XML 1.0, in an element or in an attribute between double or single quotes.
//!
//! Control characters are none of XML at all, not even as references (§2.2): they must be made
//! text before, as `Shown` does. The two characters that it leaves and XML does not have become
//! U+FFFD.

use std::fmt;

use super::replace;

/// Text from anywhere without control characters, as XML that says it.
///
/// ```
/// use linktrawl::report::escape::xml::Xml;
/// assert_eq!(Xml("a<b>]]>\"&").to_string(), "a&lt;b&gt;]]&gt;&quot;&amp;");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Xml<'t>(pub &'t str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = |char| {
            Some(match char {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&apos;",
                '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
                _ => return None,
            })
        };
        replace(self.0, instead, out)
    }
}
