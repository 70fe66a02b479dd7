//! Deletes the soft line breaks of flowed text: `format=flowed; delsp=yes` (RFC 3676 §4.1). Without
//! `delsp` the blank remains, and no link continues after it.
//!
//! A line that ends in a blank flows into the next one of the same quote depth; the blank, the line
//! end, and the quote marks and the stuffed blank of the next line are deleted. The line before a
//! signature, `-- `, does not flow (§4.3).

use super::run::Run;

/// State of a decoder of flowed text.
#[derive(Clone, Debug)]
pub(super) struct FlowedState {
    /// Number of quote marks before the line.
    depth: usize,
    is_line_start: bool,
    /// Number of bytes to delete next.
    pending: usize,
}

impl FlowedState {
    pub(super) const fn new() -> Self {
        Self { depth: 0, is_line_start: true, pending: 0 }
    }

    /// Returns the run that `rest` begins with.
    pub(super) fn run(&mut self, rest: &[u8]) -> Run {
        if self.pending > 0 {
            return Run::nothing(std::mem::take(&mut self.pending));
        }
        if std::mem::take(&mut self.is_line_start) {
            self.depth = depth(rest);
        }
        let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |feed| feed + 1);
        let (line, next) = rest.split_at(len);
        let Some(kept) = kept_len(line, next, self.depth) else {
            self.is_line_start = true;
            return Run::same(len);
        };
        let stuffed = usize::from(next.get(self.depth) == Some(&b' '));
        self.pending = len - kept + self.depth + stuffed;
        if kept == 0 { Run::nothing(std::mem::take(&mut self.pending)) } else { Run::same(kept) }
    }
}

/// Returns the number of quote marks at the beginning of a line.
fn depth(line: &[u8]) -> usize {
    line.iter().take_while(|byte| **byte == b'>').count()
}

/// Returns the number of bytes of `line` that remain if it flows into `next`, or `None` if it does
/// not.
fn kept_len(line: &[u8], next: &[u8], depth_here: usize) -> Option<usize> {
    let line = line.strip_suffix(b"\n")?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let kept = line.strip_suffix(b" ")?;
    let is_one = !next.is_empty() && depth(next) == depth_here;
    (is_one && !is_separator(line) && !is_separator(next)).then_some(kept.len())
}

/// Reports whether `text` begins with the line before a signature.
fn is_separator(text: &[u8]) -> bool {
    let line = text.get(..memchr::memchr(b'\n', text).unwrap_or(text.len())).unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.get(depth(line)..).unwrap_or_default().trim_ascii_start() == b"-- "
}
