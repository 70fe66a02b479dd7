//! Comparisons as lines: `path:line:column: died[missing]: URI: history`.

use super::{Change, Counts, Format, Row, Runs};
use crate::report::escape::{Shown, runner};

/// The lines, of which none is kept.
pub(super) struct Lines;

impl Format for Lines {
    fn begin(&mut self, _: &Runs, _: &Counts, _: &mut Vec<u8>) {}

    fn row(&mut self, change: Change, row: &Row, out: &mut Vec<u8>) {
        let start = out.len();
        if let Some(place) = row.place() {
            Shown(&place).append_to(out);
            out.extend_from_slice(b": ");
        }
        out.extend_from_slice(change.name().as_bytes());
        if let Some(class) = row.new.or(row.old).and_then(|known| known.class) {
            out.extend_from_slice(format!("[{}]", class.row().name).as_bytes());
        }
        out.extend_from_slice(b": ");
        Shown(&row.uri()).append_to(out);
        if let Some(to) = row.moved_to() {
            out.extend_from_slice(b" -> ");
            Shown(&to).append_to(out);
        }
        if let Some(before) = row.moved_before() {
            out.extend_from_slice(b" (was ");
            Shown(&before).append_to(out);
            out.push(b')');
        }
        out.extend_from_slice(format!(": {}", row.history()).as_bytes());
        runner::disarm_line(out, start);
        out.push(b'\n');
    }
}
