//! Faults with one certain repair: a byte that no URI holds becomes its escape (RFC 3986 §2.1).

use crate::finding::Cue;
use crate::grammar;
use crate::report::record::Record;

/// What no URI holds, and what a link of a markup language may hold all the same, since its own
/// brackets or quotes tell where it ends. Elsewhere these end the link, or are prose.
const RAW: &[u8] = b" \"<>\\^`{|}";

/// The link with escapes, where that makes it valid under every grammar that refuses it.
pub(super) fn escaped(record: &Record) -> Option<Vec<u8>> {
    let uri = record.uri();
    let is_markup = record.cue == Cue::Markup.name();
    let mut out = Vec::with_capacity(uri.len() + 8);
    for (at, &byte) in uri.iter().enumerate() {
        let is_percent = || byte == b'%' && !is_escape(uri.get(at + 1..).unwrap_or_default());
        if (is_markup && RAW.contains(&byte)) || is_percent() {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            out.push(byte);
        }
    }
    let is_taken = |name: &str| grammar::find(name).is_some_and(|it| it.check(&out).is_ok());
    let is_valid = record.faults().all(|(grammar, _)| is_taken(grammar));
    (is_valid && out != uri).then_some(out)
}

fn is_escape(behind: &[u8]) -> bool {
    behind.get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}
