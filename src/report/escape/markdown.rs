//! Escapes text for Markdown (GitHub Flavored Markdown 0.29), within a paragraph, a table cell or
//! an HTML element, so that it is shown unchanged and has no effect.
//!
//! Characters with a meaning in Markdown are escaped everywhere, because the context is not known
//! here; that also keeps bare addresses, mentions and formulas from becoming links. These escapes
//! do not work in code between backticks. Line ends and invalid UTF-8 must be made visible before,
//! as `Shown` does.

use std::fmt;

/// Any text, displayed as Markdown that shows it.
///
/// ```
/// use linktrawl::internal::report::escape::markdown::Markdown;
/// assert_eq!(Markdown("a|<b> *c*").to_string(), r"a&#124;&lt;b&gt; \*c\*");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Markdown<'t>(pub &'t str);

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((at, char)) = rest.char_indices().find(|&(_, char)| escape(char).is_some()) {
            let (clean, tail) = rest.split_at(at);
            out.write_str(clean)?;
            match escape(char) {
                Some(Escape::Entity(entity)) => out.write_str(entity)?,
                _ => write!(out, "\\{char}")?,
            }
            rest = tail.get(char.len_utf8()..).unwrap_or_default();
        }
        out.write_str(rest)
    }
}

/// The escape of a character.
enum Escape {
    /// A backslash (CommonMark 0.29 §6.1).
    Backslash,
    /// A character reference (§6.2), for characters that split table cells or HTML before
    /// backslashes are processed.
    Entity(&'static str),
}

const fn escape(char: char) -> Option<Escape> {
    Some(match char {
        '|' => Escape::Entity("&#124;"),
        '<' => Escape::Entity("&lt;"),
        '>' => Escape::Entity("&gt;"),
        '&' => Escape::Entity("&amp;"),
        // Parsers disagree about two backslashes before an escaped bar.
        '\\' => Escape::Entity("&#92;"),
        // Line ends would break the line, and several blanks would become one.
        '\n' => Escape::Entity("&#10;"),
        '\r' => Escape::Entity("&#13;"),
        '\t' => Escape::Entity("&#9;"),
        '/' | ',' | ';' | '?' | '%' | '\'' => return None,
        _ if char.is_ascii_punctuation() => Escape::Backslash,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser};

    use super::Markdown;

    /// All extensions of GitHub, and more, except quotation marks that are made curly.
    const GITHUB: Options = Options::all().difference(Options::ENABLE_SMART_PUNCTUATION);

    /// Returns the cells that a reader sees of a table with `text`.
    fn seen(text: &str) -> Vec<String> {
        let table = format!("| a | b |\n|---|---|\n| x{}x | y |\n", Markdown(text));
        let mut cells = Vec::new();
        for event in Parser::new_ext(&table, GITHUB) {
            match event {
                Event::Start(pulldown_cmark::Tag::TableCell) => cells.push(String::new()),
                Event::Text(text) => cells.last_mut().expect("a cell").push_str(&text),
                Event::Start(
                    pulldown_cmark::Tag::Table(_)
                    | pulldown_cmark::Tag::TableHead
                    | pulldown_cmark::Tag::TableRow,
                )
                | Event::End(_) => {}
                other => panic!("{other:?} in {table}"),
            }
        }
        cells
    }

    #[test]
    fn a_cell_shows_the_text_and_nothing_else() {
        let hostile = [
            "a|b\\|c\\\\|d",
            "**b** _i_ ~~s~~ `c` $m$ ^u^ ==h==",
            "[l](http://h/) ![i](u) [^1] <http://h/> <b onclick=x>&amp;&#65;&",
            "http://h/ www.h.example me@h.example @you #1 :smile: - + 1. # = ---",
            "'quoted' \"quoted\" it's... a -- b",
            "=1+1 \u{4e2d}\u{1f600} {#id .class}",
        ];
        for text in hostile {
            assert_eq!(seen(text), ["a", "b", &format!("x{text}x"), "y"]);
        }
    }
}
