//! Comparisons as a comment: a table for each change, as far as there is room.

use std::fmt::Write as _;

use super::{Change, Counts, Format, Row, Runs};
use crate::report::entry::shown;
use crate::report::escape::markdown::Markdown;

/// Maximum bytes of the rows of all tables: code hosts accept 65,536 characters in a comment.
const ROWS_LEN_MAX: usize = 56 * 1024;

/// The room that is left, and the rows that had none.
#[derive(Default)]
pub(super) struct Tables {
    used: usize,
    left_out: u64,
}

impl Format for Tables {
    fn begin(&mut self, runs: &Runs, counts: &Counts, out: &mut Vec<u8>) {
        let [old, new] = runs.dated().map(|name| shown(name.as_bytes()));
        let text = format!(
            "## Links over time: {}\n\nFrom {} to {}.\n",
            counts.words(),
            Markdown(&old),
            Markdown(&new)
        );
        out.extend_from_slice(text.as_bytes());
    }

    fn section(&mut self, change: Change, count: u64, out: &mut Vec<u8>) {
        let text = format!(
            "\n### {}: {count}\n\nLinks that are {}.\n\n| Link | History | Where |\n\
             |---|---|---|\n",
            change.name(),
            change.about()
        );
        out.extend_from_slice(text.as_bytes());
    }

    fn row(&mut self, _: Change, row: &Row, out: &mut Vec<u8>) {
        let mut link = Markdown(&shown(&row.uri())).to_string();
        if let Some(to) = row.moved_to() {
            // Writing to a string cannot fail.
            let _ = write!(link, " -> {}", Markdown(&shown(&to)));
        }
        if let Some(before) = row.moved_before() {
            let _ = write!(link, " (was {})", Markdown(&shown(&before)));
        }
        let place = row.place().map(|place| Markdown(&shown(&place)).to_string());
        let text =
            format!("| {link} | {} | {} |\n", Markdown(&row.history()), place.unwrap_or_default());
        if self.used + text.len() > ROWS_LEN_MAX {
            self.left_out += 1;
            return;
        }
        self.used += text.len();
        out.extend_from_slice(text.as_bytes());
    }

    fn end_section(&mut self, out: &mut Vec<u8>) {
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            out.extend_from_slice(format!("\n{left_out} more are omitted here.\n").as_bytes());
        }
    }
}
