//! The entities that a document declares in its type (XML 1.0 §4.2), with their values: an
//! `&version;` in a link is read as its value.
//!
//! Only values that may be a part of a link are kept: without blanks, quotes and tags. A reference
//! in a value is resolved when the value is declared, so that no value grows later; it has to name
//! an earlier entity. Neither external entities, which are never read, nor parameter entities have
//! values here. References to entities without values stay literal.

use super::reference;
use crate::source::markup::insertion::has_empty_line;

/// Maximum number of bytes of the names and values of one document: some ten addresses. They are
/// a part of a state that is copied.
const TEXT_LEN_MAX: usize = 512;

/// Maximum number of bytes of a declaration that is read.
const DECLARATION_LEN_MAX: usize = 512;

/// Maximum number of bytes of a value.
const VALUE_LEN_MAX: usize = 128;

/// Maximum number of bytes of all references of a document together. References that repeat one
/// another's values could make a small document fill the memory.
const EXPANDED_LEN_MAX: u32 = 1 << 20;

/// The beginning of a declaration.
pub(super) const DECLARATION: &[u8] = b"<!ENTITY";

/// The entities declared so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::markup::escapes) struct Entities {
    /// Names and values in turn, each after its length.
    texts: [u8; TEXT_LEN_MAX],
    len: usize,
    /// The number of bytes that were read of the value of the next reference.
    passed: usize,
    /// The number of bytes that further references may have.
    left: u32,
}

/// A character of the value of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::markup::escapes) struct Letter {
    pub(in crate::source::markup::escapes) made: char,
    /// The length of the reference; zero if more of its value follows.
    pub(super) len: usize,
    /// The length of the value.
    value_len: usize,
}

impl Entities {
    /// The entities of a document that declares none.
    pub(in crate::source::markup::escapes) const NONE: Self =
        Self { texts: [0; TEXT_LEN_MAX], len: 0, passed: 0, left: EXPANDED_LEN_MAX };

    /// Adds the entity that a declaration at the beginning of `text` gives a value. The first
    /// declaration of a name counts.
    pub(in crate::source::markup::escapes) fn declare(&mut self, text: &[u8]) {
        let Some((name, literal)) = declaration(text) else { return };
        if self.value(name).is_some() {
            return;
        }
        let Some(value) = self.resolved(literal) else { return };
        let texts = [name, &value];
        let len: usize = texts.iter().map(|text| 1 + text.len()).sum();
        let Some(room) = self.texts.get_mut(self.len..self.len + len) else { return };
        let bytes = texts.into_iter().flat_map(|text| {
            let len = u8::try_from(text.len()).unwrap_or_default();
            std::iter::once(len).chain(text.iter().copied())
        });
        room.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        self.len += len;
    }

    /// Returns the next character of the reference that `text` begins with.
    pub(super) fn letter(&self, text: &[u8]) -> Option<Letter> {
        if self.len == 0 {
            return None;
        }
        let name = name(text.strip_prefix(b"&")?)?;
        let is_whole = text.get(1 + name.len()) == Some(&b';');
        let value = self.value(name).filter(|_| is_whole)?;
        let may_grow = u32::try_from(value.len()).is_ok_and(|len| len <= self.left);
        let rest = std::str::from_utf8(value.get(self.passed..)?).ok()?;
        let made = rest.chars().next().filter(|_| may_grow)?;
        let is_last = rest.len() == made.len_utf8();
        let len = if is_last { name.len() + 2 } else { 0 };
        Some(Letter { made, len, value_len: value.len() })
    }

    /// Advances past `letter`, the next one.
    pub(in crate::source::markup::escapes) fn pass(&mut self, letter: Letter) {
        if letter.len == 0 {
            self.passed += letter.made.len_utf8();
        } else {
            self.passed = 0;
            self.left -= u32::try_from(letter.value_len).unwrap_or_default().min(self.left);
        }
    }

    /// Returns the value of the entity called `name`.
    fn value(&self, name: &[u8]) -> Option<&[u8]> {
        let mut rest = self.texts.get(..self.len)?;
        while let Some((known, after)) = text(rest) {
            let (value, after) = text(after)?;
            if known == name {
                return Some(value);
            }
            rest = after;
        }
        None
    }

    /// Returns the value of `literal`, in which references are resolved.
    fn resolved(&self, literal: &[u8]) -> Option<Vec<u8>> {
        let (mut value, mut rest) = (Vec::new(), literal);
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            match first {
                b'&' => {
                    let whole = literal.get(literal.len() - rest.len() - 1..)?;
                    let len = match reference(whole) {
                        Some((len, made)) => {
                            value.extend_from_slice(made.encode_utf8(&mut [0; 4]).as_bytes());
                            len
                        }
                        None => {
                            let name = name(rest)?;
                            value.extend_from_slice(self.value(name)?);
                            (rest.get(name.len()) == Some(&b';')).then_some(name.len() + 2)?
                        }
                    };
                    rest = whole.get(len..)?;
                }
                byte => value.push(*byte),
            }
            if value.len() > VALUE_LEN_MAX {
                return None;
            }
        }
        let is_of_link = |byte: &u8| {
            *byte >= 0x80 || byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>')
        };
        let is_one = !value.is_empty() && value.iter().all(is_of_link);
        (is_one && std::str::from_utf8(&value).is_ok()).then_some(value)
    }
}

/// Returns the text after its length at the beginning of `bytes`, and the bytes after it.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first()?;
    rest.split_at_checked(usize::from(*len))
}

/// Returns the name and the literal value of the general entity that `text` declares.
fn declaration(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let near = text.get(..DECLARATION_LEN_MAX).unwrap_or(text);
    let after = near.strip_prefix(DECLARATION)?;
    let begin = after.trim_ascii_start();
    let name = name(begin).filter(|_| begin.len() < after.len())?;
    let after = begin.get(name.len()..)?;
    let begin = after.trim_ascii_start();
    let (quote, inside) = begin.split_first().filter(|_| begin.len() < after.len())?;
    let len = memchr::memchr(*quote, inside).filter(|_| matches!(quote, b'"' | b'\''))?;
    let (value, after) = inside.split_at_checked(len)?;
    let rest = after.get(1..)?.trim_ascii_start();
    let ends = rest.first() == Some(&b'>') && !value.contains(&b'%');
    let whole = near.get(..near.len() - rest.len())?;
    (ends && !has_empty_line(whole)).then_some((name, value))
}

/// Returns the name that `text` begins with (XML 1.0 §2.3).
pub(in crate::source::markup) fn name(text: &[u8]) -> Option<&[u8]> {
    /// Maximum number of bytes of a name.
    const NAME_LEN_MAX: usize = 64;
    let is_first = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..);
    let is_next = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    let near = text.iter().take(NAME_LEN_MAX);
    let len = near.take_while(|byte| is_first(byte) || is_next(byte)).count();
    text.get(..len).filter(|name| name.first().is_some_and(is_first))
}

#[cfg(test)]
mod tests {
    use super::{Entities, VALUE_LEN_MAX};

    #[track_caller]
    fn case(declarations: &[&str], name: &str, expected: Option<&str>) {
        let mut entities = Entities::NONE;
        declarations.iter().for_each(|text| entities.declare(text.as_bytes()));
        let value = entities.value(name.as_bytes());
        assert_eq!(value, expected.map(str::as_bytes), "{declarations:?}");
    }

    #[test]
    fn values_that_may_be_a_part_of_a_link_are_kept() {
        case(&["<!ENTITY a \"1.2\">"], "a", Some("1.2"));
        case(&["<!ENTITY  a\n '1&#x2E;2' >"], "a", Some("1.2"));
        case(&["<!ENTITY a 'http://h/'>", "<!ENTITY b '&a;b&amp;c'>"], "b", Some("http://h/b&c"));
        case(&["<!ENTITY a '1'>", "<!ENTITY a '2'>"], "a", Some("1"));
        for other in [
            "<!ENTITY % a '1'>",
            "<!ENTITY a SYSTEM 'http://h/a'>",
            "<!ENTITY a PUBLIC '-//a' 'http://h/a'>",
            "<!ENTITY a 'b c'>",
            "<!ENTITY a '<b/>'>",
            "<!ENTITY a '&b;'>",
            "<!ENTITY a '%b;'>",
            "<!ENTITY a ''>",
            "<!ENTITY a '1' NDATA b>",
            "<!ENTITY a '1",
            "<!ENTITYa '1'>",
        ] {
            case(&[other], "a", None);
        }
        case(&[&format!("<!ENTITY a '{}'>", "b".repeat(VALUE_LEN_MAX + 1))], "a", None);
    }

    #[test]
    fn references_cannot_make_values_grow_for_ever() {
        let mut entities = Entities::NONE;
        entities.declare(b"<!ENTITY a0 'aaaaaaaaaa'>");
        for number in 1..20 {
            let before = number - 1;
            let text = format!("<!ENTITY a{number} '&a{before};&a{before};&a{before};'>");
            entities.declare(text.as_bytes());
        }
        assert_eq!(entities.value(b"a2").map(<[u8]>::len), Some(90));
        assert_eq!(entities.value(b"a3"), None);
        let mut count = 0;
        while let Some(letter) = entities.letter(b"&a2;") {
            entities.pass(letter);
            count += 1;
        }
        assert_eq!(count, (1 << 20) / 90 * 90);
    }
}
