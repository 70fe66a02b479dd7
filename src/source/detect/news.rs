//! Recognises articles of news in the wire format, and compressed batches, by their first bytes.

use std::ffi::OsStr;

use crate::finding::Origin;
use crate::platform::OsBytes as _;
use crate::source::limits::SNIFF_LEN_MAX;
use crate::source::mail::mailbox;

/// Maximum number of bytes of the line that a compressed batch begins with: names of programs are
/// short.
pub(in crate::source) const LINE_LEN_MAX: usize = 64;

/// Reports whether `head` is an article in the wire format: as NNTP sends it (RFC 3977 §3.1.1),
/// with CR LF at the end of every line, and a dot doubled at the beginning of a line. INN keeps
/// articles so, in files whose names are numbers; elsewhere the line that ends an article shows it.
/// Other programs keep CR LF, too, but double no dots.
pub(in crate::source) fn is_wire_format(head: &[u8], origin: &Origin) -> bool {
    (is_numbered(origin) || head.ends_with(b"\r\n.\r\n")) && has_wire_header(head)
}

fn is_numbered(origin: &Origin) -> bool {
    let name = match origin.members.last() {
        Some(member) => member.rsplit(|byte| *byte == b'/').next(),
        None => origin.path.file_name().map(OsStr::as_bytes),
    };
    name.is_some_and(|name| !name.is_empty() && name.iter().all(u8::is_ascii_digit))
}

/// Reports whether the lines of the header end in CR LF, and it has the fields that every article
/// has and mail lacks (RFC 5536 §3.1).
fn has_wire_header(head: &[u8]) -> bool {
    const NAMES: [&[u8]; 3] = [b"path", b"newsgroups", b"message-id"];
    let mut seen = [false; NAMES.len()];
    let mut rest = head.get(..head.len().min(SNIFF_LEN_MAX)).unwrap_or_default();
    while !matches!(rest, [] | [b'\r', b'\n', ..]) {
        let (line, after) = rest.split_at(mailbox::line_len(rest));
        if !line.ends_with(b"\r\n") && !after.is_empty() {
            return false;
        }
        for (is_seen, name) in seen.iter_mut().zip(NAMES) {
            *is_seen |= mailbox::is_named(line, name);
        }
        rest = after;
    }
    seen == [true; NAMES.len()]
}

/// Returns the length of the line that names the program to unpack a batch, and the name; `None`
/// when `head` begins with something else.
pub(in crate::source) fn unpacker_line(head: &[u8]) -> Option<(usize, &[u8])> {
    let line = head.get(..head.len().min(LINE_LEN_MAX)).filter(|line| line.starts_with(b"#! "))?;
    let line = line.get(..=memchr::memchr(b'\n', line)?)?;
    let name = line.strip_prefix(b"#! ")?.trim_ascii();
    let is_word = name.iter().all(u8::is_ascii_alphanumeric);
    (is_word && name.ends_with(b"unbatch")).then_some((line.len(), name))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{is_wire_format, unpacker_line};
    use crate::finding::Origin;

    const ARTICLE: &str = "Path: a!b\r\nNewsgroups: c.d\r\nMessage-ID: <e@f>\r\n\r\n..g\r\n";

    #[track_caller]
    fn is_wire(path: &str, members: &[&str], text: &str) -> bool {
        let members = members.iter().map(|member| member.as_bytes().to_vec()).collect();
        is_wire_format(
            text.as_bytes(),
            &Origin { path: PathBuf::from(path), members, ..Origin::default() },
        )
    }

    #[test]
    fn an_article_is_told_by_its_header_and_its_name_or_its_end() {
        assert!(is_wire("spool/comp/text/17", &[], ARTICLE));
        assert!(is_wire("spool.tar", &["comp/text/17"], ARTICLE));
        assert!(is_wire("-", &[], &format!("{ARTICLE}.\r\n")));
        assert!(!is_wire("-", &[], ARTICLE));
        assert!(!is_wire("17.eml", &[], ARTICLE));
        assert!(!is_wire("17", &["a"], ARTICLE));
        assert!(!is_wire("17", &[], &ARTICLE.replace("\r\n", "\n")));
        assert!(!is_wire("17", &[], &ARTICLE.replacen("b\r\n", "b\n", 1)));
        for field in ["Path", "Newsgroups", "Message-ID"] {
            assert!(!is_wire("17", &[], &ARTICLE.replace(field, "X")), "{field}");
        }
    }

    #[test]
    fn the_line_before_a_batch_names_a_program() {
        assert_eq!(unpacker_line(b"#! cunbatch\nx"), Some((12, &b"cunbatch"[..])));
        assert_eq!(unpacker_line(b"#! gunbatch \r\nx"), Some((14, &b"gunbatch"[..])));
        for other in ["#! rnews 12\n", "#!/bin/unbatch\n", "#! /bin/unbatch\n", "#! cunbatch"] {
            assert_eq!(unpacker_line(other.as_bytes()), None, "{other}");
        }
    }
}
