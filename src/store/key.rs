//! The key of a link: a hash of its request, from which the link cannot be recovered.

use std::fmt;

use ring::digest::{Context, SHA256};

use crate::uri::Uri;

/// Bytes of a key: of a billion links, two have the same key with a probability of one in 10²⁰.
const KEY_LEN: usize = 16;

/// Identifies a link and the way it is requested: the first half of a SHA-256, so that nobody can
/// construct a link with the key of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key([u8; KEY_LEN]);

impl Key {
    /// Returns the key of `uri`, which must be in normal form, when requested in the way that
    /// `asked` names: two ways to request a link have two answers.
    ///
    /// User information and fragment are never sent, and make no difference.
    #[must_use]
    pub fn of(uri: &Uri<'_>, asked: &str) -> Self {
        let text = without_fragment(uri);
        let (before, after) = match uri.userinfo {
            // An `@` follows the user information.
            Some(span) => (text.get(..span.start), text.get(span.end + 1..)),
            None => (Some(text), None),
        };
        let mut context = Context::new(&SHA256);
        context.update(asked.as_bytes());
        context.update(&[0]);
        context.update(before.unwrap_or_default());
        context.update(after.unwrap_or_default());
        let mut key = [0; KEY_LEN];
        for (byte, hashed) in key.iter_mut().zip(context.finish().as_ref()) {
            *byte = *hashed;
        }
        Self(key)
    }

    pub(super) const fn bytes(&self) -> &[u8; KEY_LEN] {
        &self.0
    }

    /// Returns a number below `most` that differs from key to key; zero if `most` is zero.
    pub(super) fn draw(&self, most: u64) -> u64 {
        let [a, b, c, d, ..] = self.0;
        u64::from(u32::from_be_bytes([a, b, c, d])) % most.max(1)
    }
}

/// Shows the key as hexadecimal digits.
impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Key({:032x})", u128::from_be_bytes(self.0))
    }
}

/// Returns the text of `uri` up to its fragment.
pub(super) fn without_fragment<'u>(uri: &Uri<'u>) -> &'u [u8] {
    // A `#` precedes the fragment.
    let end = uri.fragment.map_or(uri.text.len(), |fragment| fragment.start.saturating_sub(1));
    uri.text.get(..end).unwrap_or(uri.text)
}
