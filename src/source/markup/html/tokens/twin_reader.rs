//! Feeds text to the tokenizer.
//!
//! The states of `html5gum` 0.9 call each other from one attribute to the next, if its value has
//! double quotes and white space follows, so that a tag with some thousand of such would overflow
//! the stack. Now and then the reader replaces that white space by a slash, which means as little
//! between attributes (HTML Standard §13.2.5.40), and returns from all the calls.

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;

use html5gum::{Readable, Reader, StringReader};

use super::is_space;

/// Attributes in a row that are read without such a return.
const IN_A_ROW_MAX: usize = 256;

/// Counts the attributes of a tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes(Rc<Cell<usize>>);

impl Attributes {
    /// Begins a tag.
    pub(super) fn begin(&self) {
        self.0.set(0);
    }

    /// Counts an attribute.
    pub(super) fn count(&self) {
        self.0.set(self.0.get() + 1);
    }

    fn is_long_row(&self) -> bool {
        let count = self.0.get();
        count > 0 && count.is_multiple_of(IN_A_ROW_MAX)
    }
}

/// A text, with some slashes in place of white space.
pub(super) struct SlashingReader<'t> {
    text: &'t [u8],
    /// Offset after the bytes that were read.
    at: usize,
    inner: StringReader<'t>,
    attributes: Attributes,
}

impl<'t> SlashingReader<'t> {
    pub(super) fn new(text: &'t [u8], attributes: Attributes) -> Self {
        Self { text, at: 0, inner: text.to_reader(), attributes }
    }

    /// Reports whether `byte` is white space after a value in a long row of them, whose tag
    /// continues.
    fn is_way_back(&self, byte: u8) -> bool {
        is_space(byte)
            && self.attributes.is_long_row()
            && self.text.get(..self.at).is_some_and(|before| before.ends_with(b"\""))
            && self.text.get(self.at + 1) != Some(&b'>')
    }
}

impl Reader for SlashingReader<'_> {
    type Error = Infallible;

    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        let Some(byte) = self.inner.read_byte()? else { return Ok(None) };
        let shown = if self.is_way_back(byte) { b'/' } else { byte };
        self.at += 1;
        Ok(Some(shown))
    }

    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let read = self.inner.read_until(needle, buffer)?;
        self.at += read.map_or(0, <[u8]>::len);
        Ok(read)
    }

    fn try_read_string(&mut self, text: &[u8], is_exact: bool) -> Result<bool, Infallible> {
        let is_read = self.inner.try_read_string(text, is_exact)?;
        self.at += if is_read { text.len() } else { 0 };
        Ok(is_read)
    }
}
