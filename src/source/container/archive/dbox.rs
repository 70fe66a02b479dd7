//! Reads the formats `sdbox` and `mdbox` of Dovecot ("dbox mailbox format"): a line that declares
//! the length of the headers, and messages, each between a header with its length and lines of
//! metadata.
//!
//! Members are named by the numbers of the messages, from 1. Deleted messages that were not yet
//! purged are read, too. Attachments in files of their own are not read.

use std::io::Read;

use super::{Called, broken, pass, stored, truncated};
use crate::source::container::{Broken, Feed, Halt, Nest, Progress, Unpacker};
use crate::source::hex;

/// Maximum length of a line of metadata.
const LINE_LEN_MAX: usize = 4096;
/// Maximum number of lines of metadata.
const LINES_MAX: usize = 100;
/// Maximum length of the first line.
const FIRST_LEN_MAX: usize = 64;
/// Maximum length of a header: it holds a magic, a type and a number.
const HEADER_LEN_MAX: usize = 256;
/// First bytes of headers and of metadata.
const HEADER: &[u8] = b"\x01\x02";
const METADATA: &[u8] = b"\x01\x03\n";

/// Reports whether a file begins with `head`.
pub(in crate::source) fn is_dbox(head: &[u8]) -> bool {
    let near = head.get(..FIRST_LEN_MAX).unwrap_or(head);
    let len = memchr::memchr(b'\n', near).map_or(near.len(), |feed| feed + 1);
    let (first, after) = near.split_at(len);
    header_len(first).is_some() && after.starts_with(HEADER)
}

/// Returns the header length that the first line declares in hexadecimal: `2 M1e C6b0433dd`.
fn header_len(line: &[u8]) -> Option<usize> {
    let fields = line.strip_suffix(b"\n")?.strip_prefix(b"2 ")?;
    let told = fields.split(|byte| *byte == b' ').find_map(|field| field.strip_prefix(b"M"))?;
    let len = usize::try_from(hex::number(told)?).ok()?;
    (HEADER.len()..=HEADER_LEN_MAX).contains(&len).then_some(len)
}

/// Reads the messages of a file.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut feed = Feed::new(rest);
    let first = feed.line(FIRST_LEN_MAX)?.unwrap_or_default();
    let Some(header_len) = header_len(&first) else {
        return Err(broken(&feed, nest, Broken::HeaderLength));
    };
    for number in 1_u64.. {
        let shown = feed.peek(header_len)?;
        if shown.is_empty() {
            break;
        }
        let Some(size) = size(shown) else {
            let is_short = shown.len() < header_len;
            return Err(if is_short {
                truncated(&feed, nest)
            } else {
                broken(&feed, nest, Broken::MessageHeader)
            });
        };
        pass(&mut feed, header_len as u64, nest)?;
        let name = format!("{number}.eml");
        stored(&mut feed, &Called { name: name.as_bytes(), date: None }, size, unpacker, nest)?;
        metadata(&mut feed, nest)?;
    }
    Ok(())
}

/// Returns the length of the message after `header`, from the last digits of the header.
fn size(header: &[u8]) -> Option<u64> {
    const DIGITS: usize = 16;
    let told = header.strip_prefix(HEADER)?.strip_suffix(b"\n")?;
    hex::number(told.get(told.len().checked_sub(DIGITS)?..)?)
}

/// Skips the lines after a message, up to an empty one.
fn metadata(feed: &mut Feed<'_>, nest: &Nest) -> Result<(), Halt> {
    let mut is_inside = false;
    for _ in 0..LINES_MAX {
        let Some(line) = feed.line(LINE_LEN_MAX)? else { break };
        match line.as_slice() {
            METADATA => is_inside = true,
            b"\n" if is_inside => return Ok(()),
            b"\n" => {}
            _ if is_inside => {}
            _ => break,
        }
    }
    if feed.is_ended() {
        return Err(truncated(feed, nest));
    }
    Err(broken(feed, nest, Broken::MessageEnd))
}

#[cfg(test)]
mod tests {
    use super::is_dbox;

    #[test]
    fn a_file_is_known_by_its_first_line_and_header() {
        for (head, expected) in [
            (&b"2 M1e C6b0433dd\n\x01\x02N   "[..], true),
            (b"2 C6b0433dd M1e\n\x01\x02", true),
            (b"2 M1e C6b0433dd\n", false),
            (b"2 M+1e C\n\x01\x02", false),
            (b"2 Men C\n\x01\x02", false),
            (b"2 M0\n\x01\x02", false),
            (b"2 Mfffff\n\x01\x02", false),
            (b"3 M1e\n\x01\x02", false),
            (b"", false),
        ] {
            assert_eq!(is_dbox(head), expected, "{}", head.escape_ascii());
        }
    }
}
