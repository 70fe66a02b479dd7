//! Reads the header of a message in a spool of Exim ("Format of spool files" in its specification):
//! a file `-H` with the envelope, and after an empty line the header fields, each after its length
//! and a letter.
//!
//! The member `1.eml` is the header. The body is in another file, `-D`, which is read as text that
//! is mail: its encodings are declared in the header, which is not at hand there.

use std::io::{self, Read};

use super::joined::{self, Record, Records};
use super::{broken, decimal, pass, truncated};
use crate::source::container::{Broken, Feed, Nest, Progress, Unpacker};

/// Lengths of the parts of an identifier, up to version 4.96 and since.
const ID_LENS: [[usize; 3]; 2] = [[6, 6, 2], [6, 11, 4]];
/// Maximum length of a line of the envelope: it may hold a variable of the configuration.
const LINE_LEN_MAX: usize = 60 * 1024;
/// Maximum number of lines of the envelope, most of them recipients.
const LINES_MAX: usize = 1_000_000;
/// Maximum length of the length, the letter and the blank before a field.
const PREFIX_LEN_MAX: usize = 16;
/// Minimum number of digits of the length of a field.
const DIGITS_MIN: usize = 3;

/// Reports whether `head` begins a file with a header: an identifier, and on the next line a user
/// with two numbers.
pub(in crate::source) fn is_header(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n');
    let is_id = lines.next().and_then(|line| line.strip_suffix(b"-H")).is_some_and(is_id);
    is_id && lines.next().is_some_and(is_user)
}

/// Reports whether `head` begins a file with a body.
pub(in crate::source) fn is_body(head: &[u8]) -> bool {
    let line = memchr::memchr(b'\n', head).and_then(|end| head.get(..end));
    line.and_then(|line| line.strip_suffix(b"-D")).is_some_and(is_id)
}

/// Reports whether `id` is an identifier of a message, `1abcDE-0001Fg-2H`.
fn is_id(id: &[u8]) -> bool {
    let parts = || id.split(|byte| *byte == b'-');
    ID_LENS.iter().any(|lens| parts().map(<[u8]>::len).eq(lens.iter().copied()))
        && parts().flatten().all(u8::is_ascii_alphanumeric)
}

/// Reports whether `line` is the name of a user, which may have blanks, and two numbers.
fn is_user(line: &[u8]) -> bool {
    let mut words = line.rsplitn(3, |byte| *byte == b' ');
    let mut is_number = || {
        let word = words.next().unwrap_or_default();
        decimal(word.strip_prefix(b"-").unwrap_or(word)).is_some()
    };
    is_number() && is_number() && words.next().is_some_and(|name| !name.is_empty())
}

/// Reads the header of a file.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut feed = Feed::new(rest);
    for _ in 0..LINES_MAX {
        let Some(line) = feed.line(LINE_LEN_MAX)? else { break };
        if line == b"\n" {
            return joined::message(unpacker, &mut feed, nest, Fields);
        }
        pass(&mut feed, value_len(&line), nest)?;
    }
    if feed.is_ended() {
        return Err(truncated(&feed, nest));
    }
    Err(broken(&feed, nest, Broken::MessageHeader))
}

/// Returns the length of the value after `line` with its line end, if the line names a variable of
/// the configuration, `-aclm 0 5`, as the only lines do that a value follows. A second dash, and a
/// name in brackets, mark a value that is not to be trusted.
fn value_len(line: &[u8]) -> u64 {
    let text = line.trim_ascii_end();
    let Some(name) = text.strip_prefix(b"-") else { return 0 };
    let name = name.strip_prefix(b"-").unwrap_or(name);
    let close = name.strip_prefix(b"(").and_then(|_| memchr::memchr(b')', name));
    let name = close.and_then(|close| name.get(close + 1..)).unwrap_or(name);
    let number = text.rsplit(|byte| *byte == b' ').next().and_then(decimal);
    number.filter(|_| name.starts_with(b"acl")).map_or(0, |len| len.saturating_add(1))
}

/// Returns the length of the prefix that `bytes` begin with, `037F `, and that of the field after
/// it.
fn prefix(bytes: &[u8]) -> Option<(u64, u64)> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = bytes.split_at_checked(digits)?;
    let [b'A'..=b'Z' | b'a'..=b'z' | b'*' | b' ', b' ', ..] = rest else { return None };
    (digits >= DIGITS_MIN).then_some(())?;
    Some((digits as u64 + 2, decimal(number)?))
}

/// The fields of a header.
struct Fields;

impl Records for Fields {
    fn next(&mut self, feed: &mut Feed<'_>) -> io::Result<Record> {
        let shown = feed.peek_most(PREFIX_LEN_MAX)?;
        match prefix(shown) {
            Some((prefix_len, len)) => {
                feed.skip(prefix_len)?;
                Ok(Record::Text(len))
            }
            None if shown.is_empty() => Ok(Record::End),
            None if shown.len() < PREFIX_LEN_MAX => Ok(Record::Cut),
            None => Ok(Record::Broken(Broken::MessageHeader)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_body, is_header, prefix, value_len};

    #[test]
    fn a_value_follows_the_line_that_tells_its_length() {
        for (line, expected) in [
            (&b"-aclm 0 12\n"[..], 13),
            (b"--aclc _a 0\n", 1),
            (b"--(mysql)aclm a 3\n", 4),
            (b"-acl 5 10\n", 11),
            (b"-helo_name 5\n", 0),
            (b"-aclm a\n", 0),
            (b"aclm 0 12\n", 0),
        ] {
            assert_eq!(value_len(line), expected, "{}", line.escape_ascii());
        }
    }

    #[test]
    fn files_of_a_spool_are_known_by_their_first_lines() {
        for (head, expected) in [
            (&b"1abcDE-0001Fg-2H-H\nDebian-exim 105 109\n<a@b>\n"[..], true),
            (b"1qd4u5-0000000ABcd-12aB-H\na b 0 0\n<>\n", true),
            (b"1abcDE-0001Fg-2H-H\nSubject: a\n", false),
            (b"1abcDE-0001Fg-2H-H\n1 2\n", false),
            (b"1abcDE-0001Fg-2H-D\na 1 2\n", false),
            (b"1abcDE-0001F-2H-H\na 1 2\n", false),
            (b"1abcDE-0001F.-2H-H\na 1 2\n", false),
            (b"1abcDE-0001Fg-2H-H", false),
            (b"", false),
        ] {
            assert_eq!(is_header(head), expected, "{}", head.escape_ascii());
        }
        for (head, expected) in [
            (&b"1abcDE-0001Fg-2H-D\nsee"[..], true),
            (b"1qd4u5-0000000ABcd-12aB-D\n", true),
            (b"1abcDE-0001Fg-2H-D", false),
            (b"1abcDE-0001Fg-2H-D b\n", false),
            (b"a-b-c-D\n", false),
        ] {
            assert_eq!(is_body(head), expected, "{}", head.escape_ascii());
        }
    }

    #[test]
    fn a_field_follows_its_length_and_a_letter() {
        for (bytes, expected) in [
            (&b"037F From: a"[..], Some((5, 37))),
            (b"1234  To: a", Some((6, 1234))),
            (b"012* a", Some((5, 12))),
            (b"37F a", None),
            (b"037F", None),
            (b"037", None),
            (b"037, a", None),
            (b"", None),
        ] {
            assert_eq!(prefix(bytes), expected, "{}", bytes.escape_ascii());
        }
    }
}
