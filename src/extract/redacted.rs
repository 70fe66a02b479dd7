//! Text that may contain a password, and is displayed without it.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::uri;

/// Text from an input that may contain a password, as a URI may (RFC 3986 §3.2.1).
///
/// `Display` and `Debug` print `***` in place of the password, so that no log shows it; bytes that
/// are not UTF-8 appear as U+FFFD in `Display` and escaped in `Debug`. Control characters are
/// printed as they are by `Display`: escape them before a terminal sees them.
///
/// Two texts are equal if their bytes with all passwords are equal.
///
/// ```
/// let link = linktrawl::links(b"ftp://me:secret@host/f").next().unwrap();
/// assert_eq!(link.text().to_string(), "ftp://me:***@host/f");
/// assert_eq!(link.text().in_clear(), b"ftp://me:secret@host/f");
/// ```
#[derive(Clone, Copy)]
pub struct Redacted<'a> {
    clear: &'a [u8],
    /// The text to show; `None` if the passwords have not been searched for.
    shown: Option<&'a [u8]>,
}

impl<'a> Redacted<'a> {
    /// Wraps a text whose passwords are found when it is shown.
    pub(super) const fn new(clear: &'a [u8]) -> Self {
        Self { clear, shown: None }
    }

    /// Wraps a text whose redacted form is known.
    pub(super) const fn shown_as(clear: &'a [u8], shown: &'a [u8]) -> Self {
        Self { clear, shown: Some(shown) }
    }

    /// Returns the bytes with all passwords: for code that uses the text, never for code that
    /// prints it.
    #[must_use]
    pub const fn in_clear(self) -> &'a [u8] {
        self.clear
    }

    /// Returns the bytes to print, with `***` in place of each password. Allocates only if there is
    /// a password.
    #[must_use]
    pub fn shown(self) -> Cow<'a, [u8]> {
        match self.shown {
            Some(shown) => Cow::Borrowed(shown),
            None => match uri::Redacted::new(self.clear).shown() {
                Cow::Borrowed(_) => Cow::Borrowed(self.clear),
                Cow::Owned(shown) => Cow::Owned(shown),
            },
        }
    }
}

/// Compares the texts with their passwords.
impl PartialEq for Redacted<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.clear == other.clear
    }
}

impl Eq for Redacted<'_> {}

/// Hashes the text with its passwords, as equal texts have equal hashes.
impl Hash for Redacted<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.clear.hash(state);
    }
}

impl fmt::Display for Redacted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&String::from_utf8_lossy(&self.shown()))
    }
}

impl fmt::Debug for Redacted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", self.shown().escape_ascii())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Redacted;

    #[test]
    fn equal_texts_are_equal_whether_or_not_their_passwords_were_searched() {
        let clear = b"ftp://me:secret@host/f";
        let found = Redacted::new(clear);
        let known = Redacted::shown_as(clear, b"ftp://me:***@host/f");
        let other = Redacted::shown_as(b"ftp://me:other@host/f", b"ftp://me:***@host/f");
        // Not `assert_eq!`, so that no failure depends on what `Debug` prints.
        assert!(found == known && known != other);
        assert!(HashSet::from([found, known, other]).len() == 2);
    }
}
