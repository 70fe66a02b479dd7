//! Escapes text for SARIF 2.1.0, beyond the escapes of JSON: messages, in which braces and brackets
//! have a meaning, and paths of files, which are URIs.
//!
//! Invalid UTF-8 in messages must be made visible before, as `Shown` does; paths keep each byte.

use std::fmt::{self, Write as _};

use super::replace;

/// Any text, displayed as a message without placeholders (§3.11.5) and links (§3.11.6).
///
/// ```
/// use linktrawl::internal::report::escape::sarif::Message;
/// assert_eq!(Message("{0} [a](b) [::1]").to_string(), r"{{0}} [a\](b) [::1]");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Message<'t>(pub &'t str);

impl fmt::Display for Message<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = |char| match char {
            '{' => Some("{{"),
            '}' => Some("}}"),
            _ => None,
        };
        // Only `](` makes a link. Other brackets stay as they are, because viewers without support
        // for links show escapes, and IPv6 hosts are in brackets.
        for (idx, text) in self.0.split("](").enumerate() {
            out.write_str(if idx > 0 { r"\](" } else { "" })?;
            replace(text, instead, out)?;
        }
        Ok(())
    }
}

/// The path of a file, displayed as a URI, or as a reference if it is relative (§3.10.1). All bytes
/// that are not unreserved are escaped (RFC 3986 §2.3).
///
/// ```
/// use linktrawl::internal::report::escape::sarif::Place;
/// assert_eq!(Place(b"a/b c\xff.md").to_string(), "a/b%20c%FF.md");
/// assert_eq!(Place(b"/a:b").to_string(), "file:///a%3Ab");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Place<'t>(pub &'t [u8]);

impl fmt::Display for Place<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.starts_with(b"/") {
            out.write_str("file://")?;
        }
        for &byte in self.0 {
            if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
                out.write_char(char::from(byte))?;
            } else {
                write!(out, "%{byte:02X}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Message, Place};

    /// Returns `message` as shown by a viewer that supports placeholders and links.
    fn seen(message: &str) -> String {
        assert!(!message.replace(r"\](", "").contains("]("), "a link in {message}");
        let bare = message.replace("{{", "").replace("}}", "");
        assert!(!bare.contains(['{', '}']), "a placeholder in {message}");
        message.replace(r"\](", "](").replace("{{", "{").replace("}}", "}")
    }

    #[test]
    fn a_message_is_seen_as_it_is_and_links_to_nothing() {
        for text in ["", "a {0} {{1}} }{", "[a](1) [b](http://h/) ](", "[::1]:(", "\u{e9}"] {
            assert_eq!(seen(&Message(text).to_string()), text);
        }
    }

    #[test]
    fn a_place_begins_with_no_scheme_and_no_host_of_its_own() {
        assert_eq!(Place(b"http://h/%41?b#c").to_string(), "http%3A//h/%2541%3Fb%23c");
        assert_eq!(Place(b"//h/a").to_string(), "file:////h/a");
        assert_eq!(Place(b"../a\n\"").to_string(), "../a%0A%22");
    }
}
