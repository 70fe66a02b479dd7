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

#[cfg(test)]
mod tests {
    use super::{ROWS_SHOWN, beyond, folded};

    #[test]
    fn rows_after_the_first_are_folded_and_those_beyond_the_limit_are_counted() {
        let rows = |count: usize| vec!["r".to_owned(); count];
        let table = |rows: &str| format!("<{rows}>");
        let first = table(&"r".repeat(ROWS_SHOWN));
        assert_eq!(folded(&rows(ROWS_SHOWN), table), first);
        let others = "<details><summary>2 more rows</summary><rr></details>\n";
        assert_eq!(folded(&rows(ROWS_SHOWN + 2), table), first + others);
        assert_eq!(beyond(0, "0 links"), "");
        let wanted = "<p class=\"none\">1,000 more, with 1 link, are not in this table.</p>\n";
        assert_eq!(beyond(1000, "1 link"), wanted);
    }
}
