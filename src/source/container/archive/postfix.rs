//! Reads a message in a queue of Postfix (`src/global/rec_type.h`, `record(3)`): records of a
//! letter, a length in groups of seven bits, and data. Those of one kind are lines of the message.
//!
//! The member `1.eml` is the message. A filter that changes a message adds its lines at the end of
//! the file, and pointers to them. Pointers are not followed: those lines are read where they are,
//! after the message.

use std::io::{self, Read};

use super::joined::{self, Record, Records};
use crate::source::container::{Broken, Feed, Nest, Progress, Unpacker};

/// Kinds of records, as `rec_type.h` calls them.
const SIZE: u8 = b'C';
const TIME: u8 = b'T';
const MESSAGE: u8 = b'M';
const NORMAL: u8 = b'N';
const CONTINUED: u8 = b'L';
const EXTRACTED: u8 = b'X';
const END: u8 = b'E';

/// Maximum length of the letter and the length of a record.
const PREFIX_LEN_MAX: usize = 6;
/// Lengths of the first record: two to six numbers of up to 15 digits each.
const SIZE_LENS: std::ops::RangeInclusive<usize> = 31..=127;
/// Maximum length of the second record: seconds and microseconds.
const TIME_LEN_MAX: usize = 40;

/// Reports whether a file of a queue begins with `head`: with records of numbers, first of sizes,
/// then of a time.
pub(in crate::source) fn is_queued(head: &[u8]) -> bool {
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
    let is_numbers = |data: &[u8]| data.iter().all(is_number) && data.iter().any(|it| *it != b' ');
    let [SIZE, len, rest @ ..] = head else { return false };
    let Some((sizes, rest)) = rest.split_at_checked(usize::from(*len)) else { return false };
    let [TIME, len, rest @ ..] = rest else { return false };
    let time = rest.get(..usize::from(*len).min(rest.len())).unwrap_or_default();
    SIZE_LENS.contains(&sizes.len())
        && is_numbers(sizes)
        && usize::from(*len) <= TIME_LEN_MAX
        && is_numbers(time)
}

/// Reads the message of a file.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut feed = Feed::new(rest);
    joined::message(unpacker, &mut feed, nest, Queued { last: SIZE })
}

/// The records of a message.
struct Queued {
    /// The last record that begins or ends a section.
    last: u8,
}

impl Records for Queued {
    fn next(&mut self, feed: &mut Feed<'_>) -> io::Result<Record> {
        loop {
            let shown = feed.peek_most(PREFIX_LEN_MAX)?;
            let Some((kind, prefix_len, len)) = prefix(shown) else {
                return Ok(match (shown.is_empty(), shown.len() < PREFIX_LEN_MAX) {
                    (true, _) if self.last == END => Record::End,
                    (_, true) => Record::Cut,
                    _ => Record::Broken(Broken::Record),
                });
            };
            feed.skip(prefix_len)?;
            // Elsewhere the letter of a continued line has another meaning.
            let is_text = matches!(self.last, MESSAGE | END);
            match kind {
                NORMAL if is_text => return Ok(Record::Line(len)),
                CONTINUED if is_text => return Ok(Record::Text(len)),
                MESSAGE | EXTRACTED | END => self.last = kind,
                _ => {}
            }
            if feed.skip(len)? > 0 {
                return Ok(Record::Cut);
            }
        }
    }
}

/// Returns the kind of the record that `bytes` begin with, the length of its prefix, and that of
/// its data.
fn prefix(bytes: &[u8]) -> Option<(u8, u64, u64)> {
    let (kind, groups) = bytes.split_first().filter(|(kind, _)| kind.is_ascii_graphic())?;
    let last = groups.iter().position(|group| group & 0x80 == 0)?;
    let number = |len: u64, group: &u8| len << 7 | u64::from(group & 0x7F);
    let len = groups.get(..=last)?.iter().rev().fold(0, number);
    Some((*kind, last as u64 + 2, len))
}

#[cfg(test)]
mod tests {
    use super::{is_queued, prefix};

    #[test]
    fn a_file_of_a_queue_is_known_by_its_first_records() {
        let sizes = format!("{:>15} {:>15} {:>15} {:>15} {:>15} {:>15}", 900, 600, 1, 0, 900, 0);
        let time = "1038592800 123456";
        let head = |sizes: &str, time: &str| {
            let [size_len, time_len] = [sizes, time].map(|text| u8::try_from(text.len()).unwrap());
            let parts = [&b"C"[..], &[size_len], sizes.as_bytes(), b"T", &[time_len]];
            [&parts.concat(), time.as_bytes(), b"A\x03a=b"].concat()
        };
        assert!(is_queued(&head(&sizes, time)));
        assert!(is_queued(&head(&sizes[..47], "1038592800")));
        assert!(!is_queued(&head("   12", time)));
        assert!(!is_queued(&head(&sizes, "yesterday")));
        assert!(!is_queued(&head(&sizes.replace("600", "a00"), time)));
        assert!(!is_queued(&head(&" ".repeat(95), time)));
        assert!(!is_queued(b"C_") && !is_queued(b""));
    }

    #[test]
    fn the_length_of_a_record_has_its_lowest_bits_first() {
        for (bytes, expected) in [
            (&b"N\x05abcde"[..], Some((b'N', 2, 5))),
            (b"N\x85\x01", Some((b'N', 3, 133))),
            (b"N\x80\x80\x80\x80\x01", Some((b'N', 6, 1 << 28))),
            (b"N\x80\x80\x80\x80\x80", None),
            (b"N", None),
            (b"\0\x01", None),
            (b"", None),
        ] {
            assert_eq!(prefix(bytes), expected, "{}", bytes.escape_ascii());
        }
    }
}
