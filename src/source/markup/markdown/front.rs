//! Skips the front matter of a Markdown document: a byte order mark, and data in YAML or TOML.
//!
//! No specification of Markdown has it, most site generators for Markdown do. Read as Markdown, its
//! last line would make a heading of it all.

use crate::span::mark_len;

/// Returns the number of bytes of `text` before the document.
///
/// Data begin with a line of three hyphens or plus signs, which no empty line follows: otherwise it
/// is a thematic break. They end with the same line, or with `...` in YAML.
pub(super) fn len(text: &[u8]) -> usize {
    let mark = mark_len(text);
    let data = text.get(mark..).unwrap_or_default();
    mark + data_len(data).unwrap_or(0)
}

fn data_len(text: &[u8]) -> Option<usize> {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next()?;
    let fence = first.trim_ascii_end();
    let ends: &[&[u8]] = match fence {
        b"---" => &[b"---", b"..."],
        b"+++" => &[b"+++"],
        _ => return None,
    };
    let mut len = first.len();
    for (number, line) in lines.enumerate() {
        len += line.len();
        let line = line.trim_ascii_end();
        if number == 0 && line.is_empty() {
            return None;
        }
        if ends.contains(&line) {
            return Some(len);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::len;

    #[track_caller]
    fn case(before: &str, after: &str) {
        assert_eq!(len(format!("{before}{after}").as_bytes()), before.len(), "of {before:?}");
    }

    #[test]
    fn data_stand_before_the_document() {
        case("---\na: b\n---\n", "c\n---\n");
        case("\u{FEFF}---\r\na: b\r\n...\r\n", "c");
        case("+++\na = 1\n+++", "");
        case("---\n---\n", "a");
    }

    #[test]
    fn a_line_across_the_page_is_no_data() {
        case("", "---\n\na\n---\n");
        case("", "---\na\n");
        case("", "----\na\n---\n");
        case("", "a\n---\nb\n---\n");
        case("", "+++\na\n---\n");
        case("\u{FEFF}", "a");
    }
}
