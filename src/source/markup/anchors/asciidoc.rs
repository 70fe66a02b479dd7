//! Finds places in AsciiDoc, as Asciidoctor makes them: `[[id]]`, `[#id]`, `[id=id]`,
//! `anchor:id[]`, and the titles of sections (AsciiDoc Language Documentation, "IDs", "Autogenerate
//! Section IDs").
//!
//! Titles make a name by the document's `idprefix` and `idseparator`, by the defaults of those, and
//! by those of GitHub, since the program that shows the document is unknown; `<<Title>>` leads to
//! them as written, and to titles of blocks and to `reftext`, too. Verbatim blocks are read as
//! well: a line like a title in a listing adds a name, which does no harm. Included files and
//! attributes may add more names.

use memchr::memmem;

use super::outline::{Maker, Outline};
use super::slug;
use crate::source::markup::asciidoc::marks;
use crate::source::markup::lines::Line;

/// Bytes that are searched for the end of a name.
const NAME_LEN_MAX: usize = 1024;

/// The makers of section names: with the document's attributes, with the defaults, and as GitHub
/// does.
const MAKERS: [Maker; 3] = [Maker::Asciidoctor(0), Maker::Asciidoctor(1), Maker::Asciidoctor(2)];

/// Collects the places of a document in AsciiDoc.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let mut reader =
        OutlineReader { outline, prefix: "_".to_owned(), separator: '_', before: None };
    let mut at = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        if line.indent() == 0 {
            reader.line(line.of(text));
        }
        reader.inline(line.of(text));
    }
}

struct OutlineReader<'o, 't> {
    outline: &'o mut Outline,
    prefix: String,
    separator: char,
    /// The previous line, which may be a title that this line underlines.
    before: Option<&'t [u8]>,
}

impl<'t> OutlineReader<'_, 't> {
    fn line(&mut self, body: &'t [u8]) {
        let before = self.before.replace(body);
        if let Some(value) = body.strip_prefix(b":idprefix:") {
            /// Each name begins with the prefix; a longer one makes the names unknown.
            const PREFIX_LEN_MAX: usize = 64;
            let value = value.trim_ascii();
            if value.len() > PREFIX_LEN_MAX {
                self.outline.is_open = true;
            } else {
                self.prefix = String::from_utf8_lossy(value).into_owned();
            }
        } else if let Some(value) = body.strip_prefix(b":idseparator:") {
            let value = String::from_utf8_lossy(value.trim_ascii());
            self.separator = value.chars().next().unwrap_or('_');
        } else if let Some(title) = title(before, body) {
            self.section(title);
        } else if body.starts_with(b"include::") {
            self.outline.is_open = true;
        } else if marks::is_block_title(body) {
            self.reftext(body.get(1..).unwrap_or_default());
        } else if let Some(inside) = body.strip_prefix(b"[").and_then(|b| b.strip_suffix(b"]")) {
            self.attributes(inside);
        }
    }

    /// Adds the names of a section.
    fn section(&mut self, title: &[u8]) {
        self.reftext(title);
        let title = String::from_utf8_lossy(title);
        let title = without_macros(&title);
        let prefix = self.prefix.clone();
        let ways = [(prefix.as_str(), self.separator), ("_", '_'), ("", '-')];
        for ((prefix, separator), maker) in ways.into_iter().zip(MAKERS) {
            let id = format!("{prefix}{}", slug::asciidoctor(&title, separator));
            let id = if prefix.is_empty() { id.trim_start_matches(separator) } else { &id };
            self.outline.add_numbered(id.to_owned(), maker, separator);
        }
    }

    /// Adds the names in a line of attributes: `#id`, `style#id.role`, `id=id`, `reftext=name`.
    fn attributes(&mut self, inside: &'t [u8]) {
        if inside.starts_with(b"[") {
            return;
        }
        let first = inside.split(|byte| *byte == b',').next().unwrap_or_default();
        self.shorthand(first);
        let unquoted = |value: &'t [u8]| {
            let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
            value.split(is_quote).find(|value| !value.is_empty()).unwrap_or_default()
        };
        for part in inside.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            if let Some(id) = part.strip_prefix(b"id=") {
                self.outline.add(unquoted(id));
            } else if let Some(text) = part.strip_prefix(b"reftext=") {
                self.reftext(unquoted(text));
            }
        }
    }

    /// Adds the name in `style#id.role`.
    fn shorthand(&mut self, text: &[u8]) {
        if let Some(at) = memchr::memchr(b'#', text) {
            let id = text.get(at + 1..).unwrap_or_default();
            let is_end = |byte: &u8| matches!(byte, b'.' | b'%' | b'#');
            self.id(id.split(is_end).next().unwrap_or_default());
        }
    }

    /// Adds the anchors in a text: `[[id]]`, `[[id,text]]`, `anchor:id[]`, `[#id]#a#`,
    /// `[.role#id]#a#`.
    fn inline(&mut self, body: &[u8]) {
        for at in memmem::find_iter(body, b"[[") {
            let inside = near(body, at + 2);
            let inside = inside.strip_prefix(b"[").unwrap_or(inside);
            if let Some(whole) = until(inside, b"]") {
                let mut parts = whole.splitn(2, |byte| *byte == b',');
                self.id(parts.next().unwrap_or_default());
                self.reftext(parts.next().unwrap_or_default());
            }
        }
        for at in memmem::find_iter(body, b"anchor:") {
            self.id(until(near(body, at + b"anchor:".len()), b"[").unwrap_or_default());
        }
        for open in [&b"[#"[..], b"[."] {
            for at in memmem::find_iter(body, open) {
                self.shorthand(until(near(body, at + 1), b"],").unwrap_or_default());
            }
        }
    }

    /// Adds a name, unless it has white space inside.
    fn id(&mut self, id: &[u8]) {
        if !id.iter().any(u8::is_ascii_whitespace) {
            self.outline.is_open |= memchr::memchr(b'{', id).is_some();
            self.outline.add_taken(id, &MAKERS);
        }
    }

    /// Adds a text that links may use to refer to a place.
    fn reftext(&mut self, text: &[u8]) {
        self.outline.is_open |= memchr::memchr(b'{', text).is_some();
        self.outline.add_title(text.trim_ascii());
    }
}

/// Returns the text from `at` on, up to the length of a name.
fn near(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    rest.get(..NAME_LEN_MAX).unwrap_or(rest)
}

/// Returns the text before the first of `ends`.
fn until<'t>(text: &'t [u8], ends: &[u8]) -> Option<&'t [u8]> {
    text.get(..text.iter().position(|byte| ends.contains(byte))?)
}

/// Returns the title of a section that ends on the line `body`. That of the document, which has one
/// `=` before it or a line of them below it, makes no name.
fn title<'t>(before: Option<&'t [u8]>, body: &'t [u8]) -> Option<&'t [u8]> {
    if let Some(title) = marks::title(body) {
        return Some(title).filter(|_| body.get(1) != Some(&b' '));
    }
    before.filter(|title| !body.starts_with(b"=") && marks::is_underline(body, title))
}

/// Returns a title without its anchors, `[[id]]`, and with the texts of its links alone.
fn without_macros(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(open) = rest.find('[') {
        let (before, after) = rest.split_at(open);
        let Some(close) = after.find(']') else { break };
        let is_anchor = after.starts_with("[[");
        let word = before.rfind(' ').map_or(0, |blank| blank + 1);
        let is_macro = before.get(word..).is_some_and(|word| word.contains(':'));
        text.push_str(before.get(..if is_macro { word } else { open }).unwrap_or(before));
        if !is_anchor {
            text.push_str(after.get(1..close).unwrap_or_default());
        }
        let end = close + if is_anchor { "]]".len() } else { "]".len() };
        rest = after.get(end..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}
