//! Holds the limits of tables, the fold of their later rows, and the words about the others.

use super::markup::{counted, grouped};

/// Number of rows that are shown at first; further ones are folded.
const ROWS_SHOWN: usize = 12;
/// Maximum number of rows, including folded ones. The list below the tables finds the others by
/// their text.
pub(super) const ROWS_MAX: usize = 200;

/// The name under which names beyond the limit of a table are counted.
pub(super) const OTHERS: &str = "(others)";

/// Returns the tables that `table` makes: one of the first `rows`, and a folded one of the others.
pub(super) fn folded(rows: &[String], table: impl Fn(&str) -> String) -> String {
    let (shown, folded) = rows.split_at(rows.len().min(ROWS_SHOWN));
    let shown = table(&shown.concat());
    if folded.is_empty() {
        return shown;
    }
    let count = counted(u64::try_from(folded.len()).unwrap_or_default(), "more row");
    format!("{shown}<details><summary>{count}</summary>{}</details>\n", table(&folded.concat()))
}

/// Returns the sentence about the `count` rows beyond the limit, whose links are `links`; empty
/// without such rows.
pub(super) fn beyond(count: usize, links: &str) -> String {
    if count == 0 {
        return String::new();
    }
    let count = grouped(u64::try_from(count).unwrap_or_default());
    format!("<p class=\"none\">{count} more, with {links}, are not in this table.</p>\n")
}
