//! Formats a page for a terminal: filled to its width, with tables in columns.

use std::iter;

use linktrawl::internal::report::Paint;

use super::Look;
use super::page::{Block, CODE, END, Page};
use crate::args::values::filled;

/// Columns by which blocks below a heading are indented.
const INDENT: usize = 2;
/// The smallest width of a table's column, if the whole does not fit.
const CELL_MIN: usize = 8;
/// Blanks between two columns of a table.
const GAP: usize = 2;

impl Page {
    /// Returns the page as lines of text.
    pub(super) fn on_screen(&self, look: Look) -> String {
        let mut out = String::new();
        for block in &self.blocks {
            let lines = lines_of(block, look);
            let is_item = matches!(block, Block::Item(..));
            if !out.is_empty() && !is_item {
                out.push('\n');
            }
            for line in lines {
                out.push_str(painted(&line, look.paint).trim_end());
                out.push('\n');
            }
        }
        out
    }
}

/// Returns `block` as lines of at most `columns`, with the marks of code as back quotes.
pub(super) fn plain_lines(block: &Block, columns: usize) -> Vec<String> {
    let look = Look { columns, paint: Paint::Plain };
    lines_of(block, look).iter().map(|line| painted(line, look.paint)).collect()
}

fn lines_of(block: &Block, look: Look) -> Vec<String> {
    let width = look.columns.saturating_sub(INDENT).max(CELL_MIN);
    let indented = |line: String| format!("{:INDENT$}{line}", "");
    match block {
        // Headings are painted like code.
        Block::Heading(_, text) => vec![format!("{CODE}{text}{END}")],
        Block::Paragraph(text) => {
            filled(text, width, width_in(look.paint)).into_iter().map(indented).collect()
        }
        Block::Item(marker, text) => {
            let hang = marker.chars().count() + 1;
            let lines = filled(text, width.saturating_sub(hang), width_in(look.paint)).into_iter();
            let markers = iter::once(format!("{marker} ")).chain(iter::repeat(" ".repeat(hang)));
            lines.zip(markers).map(|(line, marker)| indented(marker + &line)).collect()
        }
        Block::Code(text) => text.lines().map(|line| indented(indented(line.to_owned()))).collect(),
        Block::Table(rows) => table(rows, width, look.paint).into_iter().map(indented).collect(),
    }
}

/// Returns the width of `text` in columns: a mark of a span of code becomes a back quote, or a
/// change of type, which has no width.
fn width_of(text: &str, paint: Paint) -> usize {
    text.chars().filter(|letter| width_of_letter(*letter, paint) > 0).count()
}

/// Returns [`width_of`] for `paint`.
fn width_in(paint: Paint) -> impl Fn(&str) -> usize {
    move |text| width_of(text, paint)
}

fn width_of_letter(letter: char, paint: Paint) -> usize {
    usize::from(paint == Paint::Plain || !matches!(letter, CODE | END))
}

/// Lays out `rows` in columns within `width`; the head is marked like code.
fn table(rows: &[Vec<String>], width: usize, paint: Paint) -> Vec<String> {
    let widths = widths(rows, width, paint);
    let mut lines = Vec::new();
    for row in rows {
        let fill = |cell, width| filled(&parted(cell, width, paint), width, width_in(paint));
        let cells = row.iter().zip(&widths).map(|(cell, &width)| fill(cell, width));
        let cells: Vec<Vec<String>> = cells.collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        for at in 0..height {
            let mut line = String::new();
            for (cell, &width) in cells.iter().zip(&widths) {
                let text = cell.get(at).map(String::as_str).unwrap_or_default();
                let blanks = (width + GAP).saturating_sub(width_of(text, paint));
                line.push_str(text);
                line.push_str(&" ".repeat(blanks));
            }
            lines.push(line.trim_end().to_owned());
        }
    }
    lines
}

/// Splits words of `cell` that are longer than `width`.
fn parted(cell: &str, width: usize, paint: Paint) -> String {
    let mut parted = String::with_capacity(cell.len());
    let mut len = 0;
    for letter in cell.chars() {
        let own = width_of_letter(letter, paint);
        len = if letter.is_whitespace() { 0 } else { len + own };
        if len > width {
            parted.push(' ');
            len = own;
        }
        parted.push(letter);
    }
    parted
}

/// Returns the widths of the columns of `rows`: those of their cells, with the widest reduced until
/// all fit.
fn widths(rows: &[Vec<String>], width: usize, paint: Paint) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let needed = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| width_of(cell, paint)).max().unwrap_or_default()
    };
    let mut widths: Vec<usize> = (0..columns).map(needed).collect();
    let all = |widths: &[usize]| widths.iter().map(|width| width + GAP).sum::<usize>();
    while all(&widths) > width + GAP {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > CELL_MIN) else {
            break;
        };
        *widest -= 1;
    }
    widths
}

/// Replaces the marks around code by bold type, or by back quotes.
fn painted(line: &str, paint: Paint) -> String {
    let is_heading = line.starts_with(CODE) && line.ends_with(END);
    match paint {
        Paint::Plain if is_heading => line.replace([CODE, END], ""),
        Paint::Plain => line.replace([CODE, END], "`"),
        Paint::Ansi => line.replace(CODE, "\u{1b}[1m").replace(END, "\u{1b}[22m"),
    }
}

#[cfg(test)]
mod tests {
    use linktrawl::internal::report::Paint;

    use super::super::Look;
    use super::super::page::Page;

    #[test]
    fn columns_of_a_table_are_aligned_with_and_without_colours() {
        let page =
            "| Topic | Contents |\n|---|---|\n| `a` | @ |\n| `installing` | @ |\n| plain | @ |\n";
        for paint in [Paint::Plain, Paint::Ansi] {
            let shown = Page::of(page).on_screen(Look { columns: 80, paint });
            let shown = shown.replace("\u{1b}[1m", "").replace("\u{1b}[22m", "");
            let mut columns = shown.lines().filter_map(|line| line.find(['@', 'C']));
            let first = columns.next();
            assert!(first.is_some() && columns.clone().count() == 3, "{shown}");
            assert!(columns.all(|column| Some(column) == first), "{paint:?}:\n{shown}");
        }
    }
}
