//! Formats a page for a terminal: filled to its width, with tables in columns.

use std::iter;

use linktrawl::internal::report::Paint;

use super::Look;
use super::page::{Block, CODE, END, Page};

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
        Block::Paragraph(text) => filled(text, width).into_iter().map(indented).collect(),
        Block::Item(marker, text) => {
            let hang = marker.chars().count() + 1;
            let lines = filled(text, width.saturating_sub(hang)).into_iter();
            let markers = iter::once(format!("{marker} ")).chain(iter::repeat(" ".repeat(hang)));
            lines.zip(markers).map(|(line, marker)| indented(marker + &line)).collect()
        }
        Block::Code(text) => text.lines().map(|line| indented(indented(line.to_owned()))).collect(),
        Block::Table(rows) => table(rows, width).into_iter().map(indented).collect(),
    }
}

/// Returns the width of `text` in columns, in which each mark of a span of code counts as one.
fn width_of(text: &str) -> usize {
    text.chars().count()
}

/// Breaks `text` between words into lines of at most `width` columns; a longer word has its own.
fn filled(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(line) + 1 + width_of(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Lays out `rows` in columns within `width`; the head is marked like code.
fn table(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let widths = widths(rows, width);
    let mut lines = Vec::new();
    for row in rows {
        let cells =
            row.iter().zip(&widths).map(|(cell, &width)| filled(&parted(cell, width), width));
        let cells: Vec<Vec<String>> = cells.collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        for at in 0..height {
            let mut line = String::new();
            for (cell, &width) in cells.iter().zip(&widths) {
                let text = cell.get(at).map(String::as_str).unwrap_or_default();
                let blanks = (width + GAP).saturating_sub(width_of(text));
                line.push_str(text);
                line.push_str(&" ".repeat(blanks));
            }
            lines.push(line.trim_end().to_owned());
        }
    }
    lines
}

/// Splits words of `cell` that are longer than `width`.
fn parted(cell: &str, width: usize) -> String {
    let mut parted = String::with_capacity(cell.len());
    let mut len = 0;
    for letter in cell.chars() {
        len = if letter.is_whitespace() { 0 } else { len + 1 };
        if len > width {
            parted.push(' ');
            len = 1;
        }
        parted.push(letter);
    }
    parted
}

/// Returns the widths of the columns of `rows`: those of their cells, with the widest reduced until
/// all fit.
fn widths(rows: &[Vec<String>], width: usize) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let needed = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| width_of(cell)).max().unwrap_or_default()
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
