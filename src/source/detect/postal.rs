//! What is mail for its place or its name, whatever its first bytes are: a message whose head is
//! broken is a message still, and its links must not be taken for those of a text.
//!
//! A place is a directory on disk that programs keep messages in (`walk::folders` knows them), or
//! in an archive the `cur` or `new` of a Maildir with a name as that gives to messages. What is
//! compressed or an archive is unpacked all the same, and all that is in it is mail.
//!
//! Not known so: boxes without an ending in their name, articles of news without `.overview`,
//! and folders of MH in archives. There the first bytes tell.

use std::os::unix::ffi::OsStrExt as _;

use crate::finding::Origin;
use crate::source::InputKind;
use crate::source::markup;

/// What the names of files end in that hold messages. `.emlx` is how Apple Mail keeps one, the two
/// behind it are pages that browsers and Word keep as one (RFC 2557).
pub(in crate::source) const SUFFIXES: [&str; 5] = ["eml", "emlx", "mht", "mhtml", BOX_SUFFIX];
/// Those of pages.
const PAGE_SUFFIXES: [&str; 2] = ["mht", "mhtml"];
/// The one of them that says that there may be many.
const BOX_SUFFIX: &str = "mbox";

/// Directories of a Maildir that hold messages. A walk passes by what is in delivery; somebody
/// may name it.
pub(in crate::source) const PARTS: [&[u8]; 3] = [b"cur", b"new", b"tmp"];

/// Digits of the time in seconds that the name of a message in a Maildir begins with, at least.
const TIME_DIGITS_MIN: usize = 9;

/// How `origin` is read where it, or something that it stands in, is called as mail is.
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

/// True for a message as Apple Mail keeps it: its length on a line of its own, and a list of its
/// properties behind it.
pub(in crate::source) fn is_with_properties(origin: &Origin) -> bool {
    let name = origin.members.last().map_or(origin.path.as_os_str().as_bytes(), |name| name);
    suffix(name).is_some_and(|suffix| suffix == "emlx")
}

/// True for `….eml` and its like, in any case, compressed or not.
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

/// Which of [`SUFFIXES`] `name` ends in.
fn suffix(name: &[u8]) -> Option<&'static str> {
    let name = markup::without_packing(name);
    let suffix = name.get(memchr::memrchr(b'.', name)? + 1..)?;
    SUFFIXES.into_iter().find(|known| suffix.eq_ignore_ascii_case(known.as_bytes()))
}

/// True for `…/cur/1038592800.1_2.host:2,S` and its like. There may be a `new` without any mail in
/// an archive, so that the name must be that of a message. Where a colon may be in no name, other
/// signs stand for it.
fn is_in_maildir(member: &[u8]) -> bool {
    let mut parts = member.rsplit(|byte| *byte == b'/');
    let (Some(name), Some(part)) = (parts.next(), parts.next()) else { return false };
    let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_dated = digits >= TIME_DIGITS_MIN && name.get(digits) == Some(&b'.');
    let has_flags = name.windows(3).any(|text| matches!(text, [b':' | b';' | b'!', b'2', b',']));
    PARTS.contains(&part) && (is_dated || has_flags)
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
        // What a page is may be seen when it is read.
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
