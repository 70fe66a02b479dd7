//! Escapes text for XML 1.0, in an element or in an attribute between double or single quotes.
//!
//! XML does not allow control characters at all, not even as references (§2.2): they must be made
//! visible before, as `Shown` does. The two characters that `Shown` keeps and XML does not allow
//! become U+FFFD.

use std::fmt;

use super::replace;

/// Any text without control characters, displayed as XML.
///
/// ```
/// use linktrawl::internal::report::escape::xml::Xml;
/// assert_eq!(Xml("a<b>]]>\"&").to_string(), "a&lt;b&gt;]]&gt;&quot;&amp;");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Xml<'t>(pub &'t str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = |char| match char {
            '\u{fffe}' | '\u{ffff}' => Some("\u{fffd}"),
            char => reference(char),
        };
        replace(self.0, instead, out)
    }
}

/// Returns the reference for a character that begins a reference or an element, or ends an
/// attribute (XML 1.0 §2.4, WHATWG HTML §13.1.2.3). The apostrophe is referred to by number,
/// because its name is newer in HTML.
pub(crate) const fn reference(char: char) -> Option<&'static str> {
    Some(match char {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        _ => return None,
    })
}
