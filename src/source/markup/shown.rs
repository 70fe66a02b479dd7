//! Collects the text that readers see of a link, with its white space joined.

/// Maximum number of bytes of a text that are kept: a text that shows a host shows it at its
/// beginning.
const LEN_MAX: usize = 256;

/// Bytes of a document that are searched for such a text.
pub(super) const SOURCE_LEN_MAX: usize = 2048;

/// The text of a link as far as it was read.
#[derive(Default)]
pub(super) struct Shown {
    text: Vec<u8>,
    /// Whether the next text begins another word.
    is_apart: bool,
}

impl Shown {
    /// Appends `text`.
    pub(super) fn append(&mut self, text: &[u8]) {
        let text = text.get(..SOURCE_LEN_MAX).unwrap_or(text);
        for (number, word) in text.split(u8::is_ascii_whitespace).enumerate() {
            self.is_apart |= number > 0;
            if word.is_empty() {
                continue;
            }
            if self.is_full() {
                return;
            }
            if self.is_apart && !self.text.is_empty() {
                self.text.push(b' ');
            }
            self.is_apart = false;
            let room = LEN_MAX.saturating_sub(self.text.len());
            self.text.extend_from_slice(word.get(..room).unwrap_or(word));
        }
    }

    /// Begins another word.
    pub(super) fn separate(&mut self) {
        self.is_apart = true;
    }

    /// Reports whether no more text is kept.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= LEN_MAX
    }

    /// Returns the text.
    pub(super) fn into_text(mut self) -> Vec<u8> {
        self.text.truncate(LEN_MAX);
        self.text
    }
}
