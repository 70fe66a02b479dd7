//! Limits the depth of nested lists and quotes, and the number of lines in them.
//!
//! The parser checks each open list and quote for each line, so that half a megabyte of list
//! markers before half a megabyte of lines takes hours. This module counts that work, or more: a
//! list needs two columns before its content, a quote one mark. The count is an estimate, which
//! separates documents that people wrote from those made to stall their readers.

use memchr::memchr2;

/// Maximum number of checks of lists and quotes, for all lines together: half a second. Pages of
/// code with deep indentation come to less than one for each byte.
const WORK_MAX: usize = 1 << 26;

/// Maximum number of bytes that may be read again for the markers before them: a quarter of a
/// second.
const AGAIN_MAX: usize = 1 << 28;

/// Most columns of a tab.
const TAB_COLUMNS: usize = 4;

/// Most lists and quotes that a byte before the content of a line can hold open: those of a tab.
const HELD_BY_BYTE: usize = TAB_COLUMNS / 2;

/// Reports whether reading `text` would take too long.
pub(super) fn is_too_deep(text: &[u8]) -> bool {
    // If no line begins with more marks than this, not even a text of empty lines reaches the
    // limit.
    let harmless = WORK_MAX / HELD_BY_BYTE / (text.len() + 1);
    has_run(text, harmless + 1) && (work(text) > WORK_MAX || again(text) > AGAIN_MAX)
}

/// Returns an upper bound for the bytes of `text` that are read again because they might end a
/// thematic break: those after each marker in a row of such. A row that does end in one has no
/// markers.
fn again(text: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut again = 0_usize;
    let mut rest = text;
    while let Some(start) = memchr2(b'-', b'*', rest) {
        let row = rest.get(start..).unwrap_or_default();
        let mark = row.first().copied().unwrap_or_default();
        let len = row.iter().take_while(|byte| **byte == mark || is_blank(byte)).count();
        let (row, after) = row.split_at(len);
        rest = after;
        if !matches!(after, [] | [b'\n' | b'\r', ..]) {
            let pairs = row.windows(2);
            let markers = pairs.filter(|pair| matches!(pair, [of, b' ' | b'\t'] if *of == mark));
            again = again.saturating_add(markers.count().saturating_mul(len));
        }
    }
    again
}

/// Reports whether `len` marks or more occur in a row: then one of them is at a multiple of `len`.
fn has_run(text: &[u8], len: usize) -> bool {
    let count = |part: &[u8]| part.iter().take(len).take_while(|byte| is_mark(**byte)).count();
    let places = (0..text.len()).step_by(len);
    places.map(|at| text.split_at(at)).any(|(before, after)| {
        let ahead = count(after);
        let before = before.iter().rev().take(len).take_while(|byte| is_mark(**byte));
        ahead > 0 && ahead + before.count() >= len
    })
}

/// Returns an upper bound for the checks of lists and quotes in the lines of `text`.
fn work(text: &[u8]) -> usize {
    let mut work = 0_usize;
    let mut open = 0_usize;
    let mut is_after_blank = true;
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_at(memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()));
        rest = after.get(1..).unwrap_or_default();
        let (markers, is_blank) = opening(line);
        // Text at the margin after an empty line ends everything.
        if is_after_blank && !is_blank && markers == 0 {
            open = 0;
        }
        open = open.max(markers);
        work = work.saturating_add(open);
        is_after_blank = is_blank;
    }
    work
}

/// Reports whether `byte` may precede the content of a line, or mark a list or quote.
const fn is_mark(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>' | b'-' | b'*' | b'+' | b'.' | b')' | b'0'..=b'9')
}

/// Returns how many lists and quotes the beginning of `line` can hold open, and whether it is
/// empty.
fn opening(line: &[u8]) -> (usize, bool) {
    let mut columns = 0_usize;
    let mut quotes = 0_usize;
    let mut is_blank = true;
    for byte in line {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += TAB_COLUMNS,
            b'>' => quotes += 1,
            mark if is_mark(*mark) => columns += 1,
            _ => return (quotes + columns / 2, false),
        }
        is_blank &= matches!(byte, b' ' | b'\t');
    }
    (quotes + columns / 2, is_blank)
}

#[cfg(test)]
mod tests {
    use super::{AGAIN_MAX, WORK_MAX, again, has_run, is_too_deep, work};

    #[test]
    fn what_people_write_is_not_too_deep() {
        let item = format!("{}- a\n\n", " ".repeat(40));
        assert!(!is_too_deep(item.repeat(100_000).as_bytes()));
        assert!(!is_too_deep(format!("{}\na\n", "-".repeat(80)).repeat(90_000).as_bytes()));
        assert!(!is_too_deep(format!("{}\n\na\n", ">".repeat(100_000)).repeat(50).as_bytes()));
    }

    #[test]
    fn rows_that_people_write_are_not_too_deep() {
        for line in [
            format!("{}\n", "- ".repeat(100)),
            format!("{}\n", "*  ".repeat(60)),
            format!("{} a title {}\n", "- ".repeat(30), "- ".repeat(30)),
            format!("|{}|\n", " --- |".repeat(100)),
            format!("a {} b * c - d\n", "-".repeat(2_000)),
            format!("{} * * * a\n", ">".repeat(20)),
        ] {
            let times = 2_000_000 / line.len();
            assert!(!is_too_deep(line.repeat(times).as_bytes()), "{line}");
        }
        assert!(!is_too_deep(">".repeat(1_000_000).as_bytes()));
        assert!(!is_too_deep("- ".repeat(1_000_000).as_bytes()));
        assert!(!is_too_deep("word - word * ".repeat(140_000).as_bytes()));
    }

    #[test]
    fn rows_that_stall_the_parser_are_too_deep() {
        for (before, unit) in
            [(">", "- "), ("+ ", "* "), ("1. ", "- "), ("> ", "*\t"), ("", "-  "), ("[^a]:>", "* ")]
        {
            let text = [&before.repeat(100_000), &unit.repeat(50_000), "a"].concat();
            assert!(is_too_deep(text.as_bytes()), "{before:?} {unit:?}");
        }
    }

    #[test]
    fn no_text_is_harmless_that_is_too_deep() {
        let units = ["\t", "> ", ">", "- ", "1. ", "a"];
        let lines = ["a\n", "\r", "\n", " b\n\n", "> c\n"];
        for (unit, line) in units.iter().flat_map(|unit| lines.map(|line| (unit, line))) {
            for times in [100, 5_000, 8_000, 12_000, 50_000] {
                let text = ["x\n", &unit.repeat(times), &line.repeat(times)].concat();
                let is_harmless = !is_too_deep(text.as_bytes());
                let is_little =
                    work(text.as_bytes()) <= WORK_MAX && again(text.as_bytes()) <= AGAIN_MAX;
                assert_eq!(is_harmless, is_little, "{unit:?} {line:?} {times}");
            }
        }
    }

    #[test]
    fn runs_are_found_wherever_they_stand() {
        for len in 1..8 {
            for before in 0..20 {
                let text =
                    |run: usize| ["x".repeat(before), ">".repeat(run), "x".repeat(9)].concat();
                for run in 0..20 {
                    assert_eq!(has_run(text(run).as_bytes(), len), run >= len, "{before} {run}");
                }
            }
        }
    }

    #[test]
    fn what_stalls_the_parser_is_too_deep() {
        for (unit, line) in
            [("- ", "a\n"), ("> ", "a\n"), (">", "a\r"), ("1. ", "=\n"), ("\t", "\n")]
        {
            let text = [unit.repeat(100_000), line.repeat(100_000)].concat();
            assert!(is_too_deep(text.as_bytes()), "{unit:?} {line:?}");
        }
    }
}
