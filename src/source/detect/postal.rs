//! Recognises mail by its place or its name, whatever its first bytes are: a message with a broken
//! header is still a message, and its links must not be taken for those of a text.
//!
//! A place is a directory on disk that programs keep messages in (`walk::folders` knows them), or
//! in an archive the `cur` or `new` of a Maildir, with a name like those of messages. Compressed
//! streams and archives are unpacked all the same, and everything in them is mail.
//!
//! Not recognised: boxes without a suffix in their name, articles of news without `.overview`, and
//! messages of MH in archives, whose names are numbers. There the first bytes decide.

use crate::finding::Origin;
use crate::platform::OsBytes as _;
use crate::source::InputKind;
use crate::source::markup;

/// Suffixes of files that hold messages. Apple Mail keeps a message as `.emlx`; browsers and Word
/// keep a page as `.mht` or `.mhtml` (RFC 2557).
pub(in crate::source) const SUFFIXES: [&str; 5] = ["eml", "emlx", "mht", "mhtml", BOX_SUFFIX];
/// The suffixes of pages.
const PAGE_SUFFIXES: [&str; 2] = ["mht", "mhtml"];
/// The suffix of files with any number of messages.
const BOX_SUFFIX: &str = "mbox";

/// Directories of a Maildir that hold messages. A walk skips `tmp`, whose messages are in delivery;
/// the user may name it.
pub(in crate::source) const PARTS: [&[u8]; 3] = [b"cur", b"new", b"tmp"];

/// Minimum number of digits of the time in seconds that begins the name of a message in a Maildir.
const TIME_DIGITS_MIN: usize = 9;

/// Returns how to read `origin`, if its name, or that of a container around it, is one of mail.
pub(in crate::source) fn kind(origin: &Origin) -> Option<InputKind> {
    let path = origin.path.as_os_str().as_bytes();
    let names = || std::iter::once(path).chain(origin.members.iter().map(|member| &**member));
    if names().any(|name| suffix(name).is_some_and(|suffix| suffix == BOX_SUFFIX)) {
        return Some(InputKind::Mail);
    }
    let members = origin.members.iter();
    let is_mail = |member: &&Vec<u8>| is_mail_name(member) || is_in_maildir(member);
    match usize::from(is_mail_name(path)) + members.filter(is_mail).count() {
        0 => None,
        1 if names().last().is_some_and(is_page_name) => Some(InputKind::SavedPage),
        _ => Some(InputKind::Posted),
    }
}

/// Reports whether `origin` is a message as Apple Mail keeps it: after its length on a separate
/// line, and before a list of its properties.
pub(in crate::source) fn is_with_properties(origin: &Origin) -> bool {
    let name = origin.members.last().map_or(origin.path.as_os_str().as_bytes(), |name| name);
    suffix(name).is_some_and(|suffix| suffix == "emlx")
}

/// Reports whether `name` ends in one of [`SUFFIXES`], in any case, compressed or not.
pub(in crate::source) fn is_mail_name(name: &[u8]) -> bool {
    suffix(name).is_some()
}

/// Reports whether `name` is that of a file with one message.
pub(in crate::source) fn is_of_one_message(name: &[u8]) -> bool {
    suffix(name).is_some_and(|suffix| suffix != BOX_SUFFIX)
}

fn is_page_name(name: &[u8]) -> bool {
    let is_page = suffix(name).is_some_and(|suffix| PAGE_SUFFIXES.contains(&suffix));
    is_page && !is_in_maildir(name)
}

/// Returns the one of [`SUFFIXES`] that `name` ends in.
fn suffix(name: &[u8]) -> Option<&'static str> {
    let name = markup::without_packing(name);
    let suffix = name.get(memchr::memrchr(b'.', name)? + 1..)?;
    SUFFIXES.into_iter().find(|known| suffix.eq_ignore_ascii_case(known.as_bytes()))
}

/// Reports whether `member` is named like a message of a Maildir.
fn is_in_maildir(member: &[u8]) -> bool {
    part_of_maildir(member).is_some()
}

/// Reports whether `member` is named like a message of a Maildir that is being delivered.
pub(super) fn is_in_delivery(member: &[u8]) -> bool {
    part_of_maildir(member) == Some(b"tmp")
}

/// Returns the part of a Maildir that `member` is in, if it is named like
/// `…/cur/1038592800.1_2.host:2,S`. An archive may have a `new` without any mail, so that the name
/// must be that of a message. File systems that allow no colon in a name have another sign instead.
fn part_of_maildir(member: &[u8]) -> Option<&[u8]> {
    let mut parts = member.rsplit(|byte| *byte == b'/');
    let (name, part) = (parts.next()?, parts.next()?);
    let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_dated = digits >= TIME_DIGITS_MIN && name.get(digits) == Some(&b'.');
    let has_flags = name.windows(3).any(|text| matches!(text, [b':' | b';' | b'!', b'2', b',']));
    (PARTS.contains(&part) && (is_dated || has_flags)).then_some(part)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{InputKind, kind};
    use crate::finding::Origin;

    #[track_caller]
    fn called(path: &str, members: &[&str], expected: bool) {
        let is_box = [path].iter().chain(members).any(|name| name.to_lowercase().contains(".mbox"));
        let members = members.iter().map(|member| member.as_bytes().to_vec()).collect();
        let origin = Origin { path: PathBuf::from(path), members, ..Origin::default() };
        let mail = if is_box { InputKind::Mail } else { InputKind::Posted };
        // Only reading a page shows what it is.
        let found = kind(&origin).map(|kind| match kind {
            InputKind::SavedPage => InputKind::Posted,
            kind => kind,
        });
        assert_eq!(found, expected.then_some(mail), "{origin:?}");
    }

    #[test]
    fn a_page_is_one_that_stands_in_no_mail() {
        for (path, members, expected) in [
            ("a.mht", &[][..], Some(InputKind::SavedPage)),
            ("a.MHTML.gz", &[], Some(InputKind::SavedPage)),
            ("a.zip", &["b/c.mht"], Some(InputKind::SavedPage)),
            ("a.eml", &["b.mht"], Some(InputKind::Posted)),
            ("a.mht", &["b.md"], Some(InputKind::Posted)),
            ("a.tar", &["cur/1038592800.a.b", "c.mht"], Some(InputKind::Posted)),
            ("a.tar", &["cur/1038592800.a.mht"], Some(InputKind::Posted)),
            ("a.mbox", &["b.mht"], Some(InputKind::Mail)),
            ("a.html", &[], None),
        ] {
            let members = members.iter().map(|member| member.as_bytes().to_vec()).collect();
            let origin = Origin { path: PathBuf::from(path), members, ..Origin::default() };
            assert_eq!(kind(&origin), expected, "{origin:?}");
        }
    }

    #[test]
    fn a_name_tells_mail_wherever_it_stands() {
        for name in [
            "a.eml",
            "b/A.EML",
            "a.emlx",
            "a.mht",
            "a.mhtml",
            "1.partial.emlx",
            "a.mbox",
            "a.Mbox.gz",
            ".eml",
        ] {
            called(name, &[], true);
            called("a.tar", &[name], true);
            called(name, &["b.md"], true);
        }
        for name in ["eml", "a.eml.txt", "a.eml/b", "a.emls", "mbox.gz", "a.txt", "-", "eml."] {
            called(name, &[], false);
            called("a.zip", &[name], false);
        }
    }

    #[test]
    fn a_member_stands_in_a_maildir_when_it_is_called_so() {
        for name in ["1038592800.1_2.host:2,S", "1038592800.a.b", "a:2,", "a;2,RS", "a!2,S"] {
            for part in ["cur", "new", "tmp"] {
                called("a.tar", &[&format!("Mail/.Sent/{part}/{name}")], true);
                called("a.tar", &[&format!("{part}/{name}")], true);
            }
            called("a.tar", &[name], false);
            called("a.tar", &[&format!("old/{name}")], false);
            called(&format!("cur/{name}"), &[], false);
        }
        for name in ["a.md", "2024.md", "1038592800", "12345678.a", "a:1,S"] {
            called("a.tar", &[&format!("new/{name}")], false);
        }
    }
}
