//! Places in AsciiDoc, as Asciidoctor makes them: `[[id]]`, `[#id]`, `[id=id]`, `anchor:id[]`, and
//! the titles of sections (AsciiDoc Language Documentation, "IDs", "Autogenerate Section IDs").
//!
//! Titles make a name by the document's `idprefix` and `idseparator`, by the defaults of those,
//! and by those of GitHub, since nobody knows here who shows the document. Blocks that are shown
//! as they stand are read, too: what looks like a title in a listing makes a name nobody needs.

use super::outline::Outline;
use super::slug;
use crate::source::markup::asciidoc::marks;
use crate::source::markup::lines::Line;

/// Collects the places of a document in AsciiDoc.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let mut reader = Reader { outline, prefix: "_".to_owned(), separator: '_', before: None };
    let mut at = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        if line.indent() == 0 {
            reader.line(line.of(text));
        }
        reader.inline(line.of(text));
    }
}

struct Reader<'o, 't> {
    outline: &'o mut Outline,
    prefix: String,
    separator: char,
    /// The line before, which may be a title that is underlined.
    before: Option<&'t [u8]>,
}

impl<'t> Reader<'_, 't> {
    fn line(&mut self, body: &'t [u8]) {
        let before = self.before.replace(body);
        if let Some(value) = body.strip_prefix(b":idprefix:") {
            self.prefix = String::from_utf8_lossy(value.trim_ascii()).into_owned();
        } else if let Some(value) = body.strip_prefix(b":idseparator:") {
            let value = String::from_utf8_lossy(value.trim_ascii());
            self.separator = value.chars().next().unwrap_or('_');
        } else if let Some(title) = title(before, body) {
            self.section(title);
        } else if let Some(inside) = body.strip_prefix(b"[").and_then(|b| b.strip_suffix(b"]")) {
            self.attributes(inside);
        }
    }

    /// The names of a section.
    fn section(&mut self, title: &[u8]) {
        let title = String::from_utf8_lossy(title);
        let title = without_macros(&title);
        let prefix = self.prefix.clone();
        let mut ways = vec![(prefix.as_str(), self.separator), ("_", '_'), ("", '-')];
        ways.dedup();
        for (prefix, separator) in ways {
            let id = format!("{prefix}{}", slug::asciidoctor(&title, separator));
            let id = if prefix.is_empty() { id.trim_start_matches(separator) } else { &id };
            self.outline.add_counted(id.to_owned(), 2, separator);
        }
    }

    /// The names that a line of attributes gives: `#id`, `style#id.role`, `id=id`, `[id]`.
    fn attributes(&mut self, inside: &[u8]) {
        if inside.starts_with(b"[") {
            return;
        }
        let first = inside.split(|byte| *byte == b',').next().unwrap_or_default();
        if let Some(at) = memchr::memchr(b'#', first) {
            let id = first.get(at + 1..).unwrap_or_default();
            let is_end = |byte: &u8| matches!(byte, b'.' | b'%' | b'#');
            self.outline.add(id.split(is_end).next().unwrap_or_default());
        }
        for part in inside.split(|byte| *byte == b',') {
            if let Some(id) = part.trim_ascii().strip_prefix(b"id=") {
                let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
                let id = id.split(is_quote).find(|id| !id.is_empty());
                self.outline.add(id.unwrap_or_default());
            }
        }
    }

    /// Anchors in a text: `[[id]]`, `[[id,text]]`, `anchor:id[]`, `[#id]#text#`.
    fn inline(&mut self, body: &[u8]) {
        for at in memchr::memmem::find_iter(body, b"[[") {
            let inside = body.get(at + 2..).unwrap_or_default();
            let inside = inside.strip_prefix(b"[").unwrap_or(inside);
            self.until(inside, b"],");
        }
        for at in memchr::memmem::find_iter(body, b"anchor:") {
            self.until(body.get(at + b"anchor:".len()..).unwrap_or_default(), b"[");
        }
        for at in memchr::memmem::find_iter(body, b"[#") {
            self.until(body.get(at + 2..).unwrap_or_default(), b"].%,");
        }
    }

    /// Adds what stands before the first of `ends`.
    fn until(&mut self, text: &[u8], ends: &[u8]) {
        if let Some(len) = text.iter().position(|byte| ends.contains(byte)) {
            let id = text.get(..len).unwrap_or_default();
            if !id.iter().any(u8::is_ascii_whitespace) {
                self.outline.add(id);
            }
        }
    }
}

/// The title of a section that ends on the line `body`. That of the document, which has one `=`
/// before it or a line of them below it, makes no name.
fn title<'t>(before: Option<&'t [u8]>, body: &'t [u8]) -> Option<&'t [u8]> {
    if let Some(title) = marks::title(body) {
        return Some(title).filter(|_| body.get(1) != Some(&b' '));
    }
    before.filter(|title| !body.starts_with(b"=") && marks::is_underline(body, title))
}

/// A title without its anchors, `[[id]]`, and with the texts of its links alone.
fn without_macros(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(open) = rest.find('[') {
        let (before, behind) = rest.split_at(open);
        let Some(close) = behind.find(']') else { break };
        let is_anchor = behind.starts_with("[[");
        let word = before.rfind(' ').map_or(0, |blank| blank + 1);
        let is_macro = before.get(word..).is_some_and(|word| word.contains(':'));
        text.push_str(before.get(..if is_macro { word } else { open }).unwrap_or(before));
        if !is_anchor {
            text.push_str(behind.get(1..close).unwrap_or_default());
        }
        let end = close + if is_anchor { "]]".len() } else { "]".len() };
        rest = behind.get(end..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}
