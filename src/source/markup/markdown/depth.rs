//! How deep lists and quotes may stand in each other, and for how many lines.
//!
//! The parser asks each open list and quote about each line, so that half a megabyte of list
//! markers before half a megabyte of lines takes hours. What is counted here is that work, or
//! more: a list needs two columns before its content, a quote one mark. It is exact about
//! nothing, and tells documents that people wrote from those made to stall their readers.

use memchr::memchr2;

/// Lists and quotes that may be asked, for all lines together: half a second. Pages of code
/// with deep indentation come to less than one for each byte.
const WORK_MAX: usize = 1 << 26;

/// Columns that a tab has, at most.
const TAB_COLUMNS: usize = 4;

/// Bytes of a text that is never too deep: with a part of them for lines, and the other for
/// tabs, which are two lists each, there are half as many questions as its square.
const HARMLESS_LEN_MAX: usize = 8192;
const _: () = assert!(HARMLESS_LEN_MAX * HARMLESS_LEN_MAX / 2 <= WORK_MAX);

/// True when reading `text` would take too long.
pub(super) fn is_too_deep(text: &[u8]) -> bool {
    text.len() > HARMLESS_LEN_MAX && work(text) > WORK_MAX
}

/// How many lists and quotes are asked about the lines of `text`.
fn work(text: &[u8]) -> usize {
    let mut work = 0_usize;
    let mut open = 0_usize;
    let mut is_behind_blank = true;
    let mut rest = text;
    while !rest.is_empty() {
        let (line, behind) = rest.split_at(memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()));
        rest = behind.get(1..).unwrap_or_default();
        let (markers, is_blank) = opening(line);
        // Text at the margin behind an empty line ends everything.
        if is_behind_blank && !is_blank && markers == 0 {
            open = 0;
        }
        open = open.max(markers);
        work = work.saturating_add(open);
        is_behind_blank = is_blank;
    }
    work
}

/// How many lists and quotes the beginning of `line` can hold open, and whether it is empty.
fn opening(line: &[u8]) -> (usize, bool) {
    let mut columns = 0_usize;
    let mut quotes = 0_usize;
    let mut is_blank = true;
    for byte in line {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += TAB_COLUMNS,
            b'>' => quotes += 1,
            b'-' | b'*' | b'+' | b'.' | b')' | b'0'..=b'9' => columns += 1,
            _ => return (quotes + columns / 2, false),
        }
        is_blank &= matches!(byte, b' ' | b'\t');
    }
    (quotes + columns / 2, is_blank)
}

#[cfg(test)]
mod tests {
    use super::{HARMLESS_LEN_MAX, WORK_MAX, is_too_deep, work};

    #[test]
    fn what_people_write_is_not_too_deep() {
        let item = format!("{}- a\n\n", " ".repeat(40));
        assert!(!is_too_deep(item.repeat(100_000).as_bytes()));
        assert!(!is_too_deep(format!("{}\na\n", "-".repeat(80)).repeat(90_000).as_bytes()));
        assert!(!is_too_deep(format!("{}\n\na\n", ">".repeat(100_000)).repeat(50).as_bytes()));
    }

    #[test]
    fn short_texts_are_never_too_deep() {
        let half = HARMLESS_LEN_MAX / 2;
        for (unit, line) in [("\t", "\n"), (">", "\r"), ("\t", "a\n")] {
            let text = [unit.repeat(half), line.repeat(half / line.len())].concat();
            let work = work(text.as_bytes());
            assert!((WORK_MAX / 10..=WORK_MAX).contains(&work), "{unit:?} {line:?}: {work}");
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
