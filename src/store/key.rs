//! The key of a link: what is asked, as a number from which it cannot be told.

use std::fmt;

use ring::digest::{Context, SHA256};

use crate::uri::Uri;

/// Bytes of a key: of a billion links, two have the same with a chance of one in 10²⁰.
const KEY_LEN: usize = 16;

/// What stands for a link and the way it is asked: the first half of a SHA-256, so that
/// nobody can write a link that has the answer of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key([u8; KEY_LEN]);

impl Key {
    /// The key of `uri`, which is written in the one way that stands for its like, when it is
    /// `asked` this way: two ways of asking for a link have two answers.
    ///
    /// User information and fragment are never sent, and make no difference.
    #[must_use]
    pub fn of(uri: &Uri<'_>, asked: &str) -> Self {
        let text = without_fragment(uri);
        let (before, behind) = match uri.userinfo {
            // Behind it stands an `@`.
            Some(span) => (text.get(..span.start), text.get(span.end + 1..)),
            None => (Some(text), None),
        };
        let mut context = Context::new(&SHA256);
        context.update(asked.as_bytes());
        context.update(&[0]);
        context.update(before.unwrap_or_default());
        context.update(behind.unwrap_or_default());
        let mut key = [0; KEY_LEN];
        for (byte, hashed) in key.iter_mut().zip(context.finish().as_ref()) {
            *byte = *hashed;
        }
        Self(key)
    }

    pub(super) const fn bytes(&self) -> &[u8; KEY_LEN] {
        &self.0
    }

    /// A number below `most` that differs from key to key.
    pub(super) fn draw(&self, most: u64) -> u64 {
        let [a, b, c, d, ..] = self.0;
        u64::from(u32::from_be_bytes([a, b, c, d])) % most.max(1)
    }
}

/// Shows it as hexadecimal digits.
impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Key({:032x})", u128::from_be_bytes(self.0))
    }
}

/// The text of `uri` up to its fragment.
pub(super) fn without_fragment<'u>(uri: &Uri<'u>) -> &'u [u8] {
    // Before it stands a `#`.
    let end = uri.fragment.map_or(uri.text.len(), |fragment| fragment.start.saturating_sub(1));
    uri.text.get(..end).unwrap_or(uri.text)
}
