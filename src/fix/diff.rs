//! Writes fixes as a unified diff, which `git apply` and `patch -p1` accept.
//!
//! The changed lines are known, so that no files are compared. Lines end with a line feed; any
//! other line end is part of the line.

use std::io::Write as _;
use std::ops::Range;

use super::{Replacement, apply};

/// Unchanged lines that are shown before and after changed lines.
const CONTEXT: usize = 3;

/// Changed lines, with the lines around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Indices of the fixes that the hunk contains.
    pub replacements: Range<usize>,
    /// The first line of the old file, from 0.
    start: usize,
    old_lines: usize,
    new_lines: usize,
    /// The lines, each after its sign.
    pub body: Vec<u8>,
}

/// Adjacent changed lines, and the indices of the fixes that change them.
#[derive(Clone)]
struct Block {
    lines: Range<usize>,
    replacements: Range<usize>,
}

/// Returns the hunks that apply `replacements` to `file`. The fixes must be settled, and fit the
/// file.
#[must_use]
pub fn hunks(file: &[u8], replacements: &[Replacement]) -> Vec<Hunk> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', file).map(|feed| feed + 1)).collect();
    let lines = starts.iter().filter(|start| **start < file.len()).count();
    let line_of = |offset: usize| starts.partition_point(|start| *start <= offset) - 1;
    let mut groups: Vec<Vec<Block>> = Vec::new();
    for (idx, replacement) in replacements.iter().enumerate() {
        let Some(span) = replacement.span().filter(|span| span.start < span.end) else { continue };
        let touched = line_of(span.start)..line_of(span.end - 1) + 1;
        let replacements = idx..idx + 1;
        let before = groups.last_mut().and_then(|group| group.last_mut());
        match before {
            Some(block) if touched.start < block.lines.end => {
                block.lines.end = block.lines.end.max(touched.end);
                block.replacements.end = replacements.end;
            }
            Some(block) if touched.start <= block.lines.end + 2 * CONTEXT => {
                let block = Block { lines: touched, replacements };
                groups.last_mut().into_iter().for_each(|group| group.push(block.clone()));
            }
            _ => groups.push(vec![Block { lines: touched, replacements }]),
        }
    }
    let part = |range: Range<usize>| {
        let at = |line: usize| starts.get(line).copied().unwrap_or(file.len()).min(file.len());
        at(range.start)..at(range.end)
    };
    groups.iter().filter_map(|group| hunk(file, replacements, group, lines, &part)).collect()
}

fn hunk(
    file: &[u8],
    replacements: &[Replacement],
    group: &[Block],
    lines: usize,
    part: &dyn Fn(Range<usize>) -> Range<usize>,
) -> Option<Hunk> {
    let (first, last) = (group.first()?, group.last()?);
    let start = first.lines.start.saturating_sub(CONTEXT);
    let end = (last.lines.end + CONTEXT).min(lines);
    let mut hunk = Hunk {
        replacements: first.replacements.start..last.replacements.end,
        start,
        old_lines: end - start,
        new_lines: end - start,
        body: Vec::new(),
    };
    let mut done = start;
    for block in group {
        append(b' ', file.get(part(done..block.lines.start))?, &mut hunk.body);
        let changed = part(block.lines.clone());
        append(b'-', file.get(changed.clone())?, &mut hunk.body);
        let within: Vec<Replacement> = replacements
            .get(block.replacements.clone())?
            .iter()
            .filter_map(|replacement| {
                let offset = replacement.offset.checked_sub(u64::try_from(changed.start).ok()?)?;
                Some(Replacement { offset, ..replacement.clone() })
            })
            .collect();
        let new = append(b'+', &apply(file.get(changed)?, &within), &mut hunk.body);
        hunk.new_lines = hunk.new_lines + new - block.lines.len();
        done = block.lines.end;
    }
    append(b' ', file.get(part(done..end))?, &mut hunk.body);
    Some(hunk)
}

/// Appends the lines of `text`, each after `sign`, and returns their number.
fn append(sign: u8, text: &[u8], out: &mut Vec<u8>) -> usize {
    let mut count = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
        count += 1;
    }
    count
}

/// Returns the diff of the file at `path`; empty if there is no hunk.
#[must_use]
pub fn patch(path: &[u8], hunks: &[Hunk]) -> Vec<u8> {
    let mut out = Vec::new();
    if hunks.is_empty() {
        return out;
    }
    for (sign, side) in [("---", "a"), ("+++", "b")] {
        out.extend_from_slice(format!("{sign} ").as_bytes());
        append_name(side, path, &mut out);
        out.push(b'\n');
    }
    // Lines of the old and the new file in the hunks before.
    let (mut old, mut new) = (0, 0);
    for hunk in hunks {
        let Hunk { start, old_lines, new_lines, .. } = hunk;
        let new_start = start + 1 + new - old;
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "@@ -{},{old_lines} +{new_start},{new_lines} @@", start + 1);
        out.extend_from_slice(&hunk.body);
        (old, new) = (old + old_lines, new + new_lines);
    }
    out
}

/// Appends a name as git writes it: in quotes with octal escapes if it holds characters that a line
/// cannot; with a tab after it if it has a blank, so that `patch` reads all of it.
fn append_name(side: &str, path: &[u8], out: &mut Vec<u8>) {
    let mut path = path;
    while let Some(rest) = path.strip_prefix(b"./").or(path.strip_prefix(b"/")) {
        path = rest;
    }
    let is_odd = |byte: &u8| !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\');
    if !path.iter().any(is_odd) {
        out.extend_from_slice(format!("{side}/").as_bytes());
        out.extend_from_slice(path);
        out.extend_from_slice(if path.contains(&b' ') { b"\t" } else { b"" });
        return;
    }
    out.extend_from_slice(format!("\"{side}/").as_bytes());
    for &byte in path {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b' '..=b'~' => out.push(byte),
            _ => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    out.push(b'"');
}
