//! What is mail for its place or its name, whatever its first bytes are: a message whose head is
//! broken is a message still, and its links must not be taken for those of a text.
//!
//! A place is a directory on disk that programs keep messages in (`walk::folders` knows them), or
//! in an archive the `cur` or `new` of a Maildir with a name as that gives to messages. What is
//! compressed or an archive is unpacked all the same, and all that is in it is mail.
//!
//! Not known so: boxes without an ending in their name, articles of news without `.overview`,
//! and folders of MH in archives. There the first bytes tell.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt as _;

use super::InputKind;
use super::markup;
use crate::finding::Origin;

/// What the names of files end in that hold messages. `.emlx` is how Apple Mail keeps one, the two
/// behind it are pages that browsers and Word keep as one (RFC 2557).
pub(super) const SUFFIXES: [&str; 5] = ["eml", "emlx", "mht", "mhtml", BOX_SUFFIX];
/// Those of pages.
const PAGE_SUFFIXES: [&str; 2] = ["mht", "mhtml"];
/// The one of them that says that there may be many.
const BOX_SUFFIX: &str = "mbox";

/// Directories of a Maildir that hold messages. A walk passes by what is in delivery; somebody
/// may name it.
pub(super) const PARTS: [&[u8]; 3] = [b"cur", b"new", b"tmp"];

/// Digits of the time in seconds that the name of a message in a Maildir begins with, at least.
const TIME_DIGITS_MIN: usize = 9;

/// How `origin` is read where it, or something that it stands in, is called as mail is.
pub(super) fn kind(origin: &Origin) -> Option<InputKind> {
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
pub(super) fn is_with_properties(origin: &Origin) -> bool {
    let name = origin.members.last().map_or(origin.path.as_os_str().as_bytes(), |name| name);
    suffix(name).is_some_and(|suffix| suffix == "emlx")
}

/// A message that tells its length on the line before it, as far as that, when properties stand
/// there. Anything else is read to its end.
pub(super) struct WithoutProperties<R> {
    input: R,
    state: State,
    /// Bytes that were read to see what stands there, and not given.
    held: VecDeque<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In the first line, of which so many bytes were read, with this number so far.
    Line(usize, Option<u64>),
    /// In the message, of which so many bytes are left.
    Message(u64),
    /// In what is read to its end.
    Rest,
    End,
}

/// What begins the list of properties.
const PROPERTIES: &[u8] = b"<?xml";

impl<R: Read> WithoutProperties<R> {
    pub(super) const fn new(input: R) -> Self {
        Self { input, state: State::Line(0, None), held: VecDeque::new() }
    }

    /// What follows `byte`, behind `len` bytes of the first line that tell the number `told`.
    fn behind(byte: u8, len: usize, told: Option<u64>) -> State {
        /// Bytes of that line, which programs fill with blanks.
        const LINE_LEN_MAX: usize = 32;
        let digit = char::from(byte).to_digit(10).map(u64::from);
        let pushed = digit.and_then(|digit| told.unwrap_or(0).checked_mul(10)?.checked_add(digit));
        match (byte, told) {
            (b'\n', Some(told)) => State::Message(told),
            _ if len == LINE_LEN_MAX => State::Rest,
            (b' ' | b'\r', Some(_)) => State::Line(len + 1, told),
            _ if pushed.is_some() => State::Line(len + 1, pushed),
            _ => State::Rest,
        }
    }

    /// Looks at what stands behind the message.
    fn look(&mut self) -> io::Result<()> {
        let mut shown = Vec::new();
        Read::by_ref(&mut self.input).take(PROPERTIES.len() as u64).read_to_end(&mut shown)?;
        self.state = if shown == PROPERTIES { State::End } else { State::Rest };
        self.held.extend(shown);
        Ok(())
    }
}

impl<R: Read> Read for WithoutProperties<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.state == State::Message(0) {
            self.look()?;
        }
        let left = match self.state {
            State::Line(..) => 1,
            State::Message(left) => usize::try_from(left).unwrap_or(usize::MAX),
            State::Rest if !self.held.is_empty() => return self.held.read(out),
            State::Rest => usize::MAX,
            State::End => 0,
        };
        let most = left.min(out.len());
        let len = self.input.read(out.get_mut(..most).unwrap_or_default())?;
        self.state = match (self.state, out.first()) {
            (State::Line(passed, told), Some(byte)) if len > 0 => Self::behind(*byte, passed, told),
            (State::Message(left), _) => State::Message(left - len as u64),
            (state, _) => state,
        };
        Ok(len)
    }
}

/// True for `….eml` and its like, in any case, compressed or not.
pub(super) fn is_mail_name(name: &[u8]) -> bool {
    suffix(name).is_some()
}

/// Reports whether `name` is that of a file with one message.
pub(super) fn is_of_one_message(name: &[u8]) -> bool {
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
    use std::io::Read as _;
    use std::path::PathBuf;

    use super::{InputKind, WithoutProperties, kind};
    use crate::finding::Origin;

    #[test]
    fn a_message_of_apple_mail_ends_before_its_properties() {
        let read = |text: &str| {
            let mut out = String::new();
            WithoutProperties::new(text.as_bytes()).read_to_string(&mut out).expect("it is read");
            out
        };
        for message in ["To: a\n\nb\n", ""] {
            for blanks in ["", "   ", "\r"] {
                let told = format!("{}{blanks}\n{message}", message.len());
                assert_eq!(read(&format!("{told}<?xml version='1.0'?>")), told);
                assert_eq!(read(&told), told);
                for other in ["<!--", "more", "<?xm"] {
                    assert_eq!(read(&format!("{told}{other}")), format!("{told}{other}"));
                }
            }
        }
        for other in ["", "\n", "a\nb", "99999999999999999999999\na", "-1\nb", " 1\nb", "12"] {
            assert_eq!(read(other), other);
        }
        let blank = format!("1{}\nb<?xml", " ".repeat(40));
        assert_eq!(read(&blank), blank);
    }

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
