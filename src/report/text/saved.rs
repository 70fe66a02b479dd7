//! Writes lines of text from saved records: the same lines as from the findings themselves.

use super::{append_origin, append_word};
use crate::report::Style;
use crate::report::escape::Shown;
use crate::report::record::Record;
use crate::report::statement::statements;

/// Appends the lines of `record`.
pub(super) fn append(record: &Record, style: &Style, out: &mut Vec<u8>) {
    let place = &record.place;
    for statement in statements(record) {
        append_origin(place.path(), place.members(), [place.line, place.column], style, out);
        let name = statement.topic.map(|(_, name)| name);
        append_word(statement.verdict, name, style, out);
        out.extend_from_slice(if name.is_some() { b": " } else { b" " });
        Shown(record.uri()).append_to(out);
        Shown(&statement.words).append_to(out);
        out.push(b'\n');
    }
}
