//! Stores the attributes of an AsciiDoc document: the values of `{name}`.

use std::collections::HashMap;

/// Longest value that is kept. Values may hold values, so that each could double the last.
const VALUE_LEN_MAX: usize = 4096;

/// Maximum number of bytes by which references may grow a document, beside its own length.
const GROWTH_MAX: usize = 1 << 20;

/// Attributes for characters that mean something in markup (AsciiDoc, "Character Replacement
/// Attributes").
const CHARACTERS: [(&[u8], &[u8]); 20] = [
    (b"amp", b"&"),
    (b"apos", b"'"),
    (b"asterisk", b"*"),
    (b"backslash", b"\\"),
    (b"backtick", b"`"),
    (b"blank", b""),
    (b"caret", b"^"),
    (b"cpp", b"C++"),
    (b"empty", b""),
    (b"endsb", b"]"),
    (b"gt", b">"),
    (b"hash", b"#"),
    (b"lt", b"<"),
    (b"plus", b"+"),
    (b"quot", b"\""),
    (b"sp", b" "),
    (b"startsb", b"["),
    (b"tilde", b"~"),
    (b"two-colons", b"::"),
    (b"vbar", b"|"),
];

/// The attributes defined so far.
pub(super) struct Attributes {
    values: HashMap<Vec<u8>, Vec<u8>>,
    /// Bytes that replacements may still add.
    left: usize,
}

impl Attributes {
    /// Creates the attributes of a document of `len` bytes.
    pub(super) fn new(len: usize) -> Self {
        Self { values: HashMap::new(), left: len + GROWTH_MAX }
    }

    /// Defines `name`; with no value, its value is unknown from here on.
    pub(super) fn define(&mut self, name: &[u8], value: Option<Vec<u8>>) {
        let name = name.to_ascii_lowercase();
        match value.filter(|value| value.len() <= VALUE_LEN_MAX) {
            Some(value) => self.values.insert(name, value),
            None => self.values.remove(&name),
        };
    }

    /// Returns the value of `name`.
    pub(super) fn get(&self, name: &[u8]) -> Option<&[u8]> {
        let name = name.to_ascii_lowercase();
        let character = || CHARACTERS.iter().find(|(of, _)| *of == name).map(|(_, is)| *is);
        self.values.get(&name).map(Vec::as_slice).or_else(character)
    }

    /// Returns `text` with its references resolved; `None` if one of them is unknown, or if all of
    /// them together became too long.
    pub(super) fn resolve(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        let mut resolved = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = memchr::memchr(b'{', rest) {
            let (before, after) = rest.split_at(open);
            resolved.extend_from_slice(before);
            let Some(len) = reference_len(after) else {
                resolved.push(b'{');
                rest = after.get(1..).unwrap_or_default();
                continue;
            };
            let value = self.get(after.get(1..len - 1)?)?;
            let left = self.left.checked_sub(value.len())?;
            resolved.extend_from_slice(value);
            self.left = left;
            rest = after.get(len..).unwrap_or_default();
        }
        resolved.extend_from_slice(rest);
        Some(resolved)
    }
}

/// Returns the length of the reference `{name}` that `text` begins with.
pub(super) fn reference_len(text: &[u8]) -> Option<usize> {
    let name = text.strip_prefix(b"{")?;
    let len = name.iter().take_while(|byte| is_name(byte)).count();
    (len > 0 && name.get(len) == Some(&b'}')).then_some(len + 2)
}

/// Returns the name of the attribute that a line defines, and the length of `:name:`. The name of
/// one that is unset, `:name!:`, ends in the mark, and no reference has that name.
pub(super) fn entry(body: &[u8]) -> Option<(&[u8], usize)> {
    let after = body.strip_prefix(b":")?;
    let len = after.iter().take_while(|byte| is_name(byte) || **byte == b'!').count();
    let is_apart = after.get(len + 1).is_none_or(u8::is_ascii_whitespace);
    let is_entry = len > 0 && after.get(len) == Some(&b':') && is_apart;
    is_entry.then_some((after.get(..len)?, len + 2))
}

fn is_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
