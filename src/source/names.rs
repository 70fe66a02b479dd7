//! Reads lists of inputs: names in a file or on standard input, as `find` and `git ls-files` print
//! them.
//!
//! Names are bytes, and the list may be longer than memory: it is read while the named inputs are
//! read. Whether a name exists, and what it denotes, is not checked here.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::file::{self, STDIN};
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin};
use crate::platform::path_of;

/// Maximum length in bytes of a name and its ending. No system accepts more than some thousands,
/// and a file that is not a list must not fill memory.
const NAME_LEN_MAX: u64 = 64 * 1024;

/// Delimiter after each name of a list; the last name may lack it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// A line feed, with an optional carriage return before it.
    #[default]
    Line,
    /// A NUL byte, the only byte that no name contains.
    Nul,
}

impl Ending {
    const fn byte(self) -> u8 {
        match self {
            Self::Line => b'\n',
            Self::Nul => 0,
        }
    }
}

/// The names in a list, in order, and notes on names that are invalid or cannot be read.
pub struct Names {
    path: PathBuf,
    ending: Ending,
    /// `None` when there is nothing more to read.
    input: Option<Box<dyn BufRead>>,
    /// Error that prevented the list from being opened.
    failed: Option<Error>,
    /// Offset of the next byte.
    offset: u64,
}

impl Names {
    /// Returns the names in the file `path`, or on standard input if that is `-`.
    #[must_use]
    pub fn open(path: PathBuf, ending: Ending) -> Self {
        if path.as_os_str() == STDIN {
            return Self::of(Box::new(io::stdin().lock()), path, ending);
        }
        match File::open(&path) {
            Ok(file) => Self::of(Box::new(BufReader::new(file)), path, ending),
            Err(source) => {
                let failed = Some(Error::Open { path: path.clone(), source });
                Self { path, ending, input: None, failed, offset: 0 }
            }
        }
    }

    /// Returns the names in `input`, which notes call `path`.
    #[must_use]
    pub fn of(input: Box<dyn BufRead>, path: PathBuf, ending: Ending) -> Self {
        Self { path, ending, input: Some(input), failed: None, offset: 0 }
    }

    /// Returns the next name with its ending, empty or not; `None` at the end.
    fn name(&mut self) -> Option<Result<Vec<u8>, Note>> {
        let start = self.offset;
        let mut name = Vec::new();
        let read = read_name(self.input.as_mut()?, self.ending.byte(), &mut name);
        match read {
            Ok(0) => {
                self.input = None;
                None
            }
            Ok(len) => {
                self.offset += len;
                Some(if len > NAME_LEN_MAX { Err(self.too_long(start)) } else { Ok(name) })
            }
            Err(source) => {
                self.input = None;
                let error = Error::Read { path: self.path.clone(), offset: start, source };
                Some(Err(file::unreadable(&error, self.origin())))
            }
        }
    }

    fn origin(&self) -> Origin {
        Origin { path: self.path.clone(), ..Origin::default() }
    }

    fn too_long(&self, offset: u64) -> Note {
        let message = format!("expected a name of at most {NAME_LEN_MAX} bytes, found more");
        let kind = NoteKind::LimitReached;
        Note { kind, origin: self.origin(), offset: Some(offset), message }
    }

    /// Returns the note on the name of standard input in a list that is standard input.
    fn itself(&self, offset: u64) -> Note {
        let message = "expected the name of a file, found `-`, which is this list".to_owned();
        let kind = NoteKind::InputUnreadable;
        Note { kind, origin: self.origin(), offset: Some(offset), message }
    }
}

impl Iterator for Names {
    type Item = Result<PathBuf, Note>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            return Some(Err(file::unreadable(&error, self.origin())));
        }
        loop {
            let start = self.offset;
            let name = match self.name()? {
                Ok(name) => without_ending(name, self.ending),
                Err(note) => return Some(Err(note)),
            };
            let path = path_of(&name).into_owned();
            if path.as_os_str() == STDIN && self.path == Path::new(STDIN) {
                return Some(Err(self.itself(start)));
            }
            if !path.as_os_str().is_empty() {
                return Some(Ok(path));
            }
        }
    }
}

/// Reads a name and its ending from `input`; returns their length. Of an overlong name, keeps only
/// the first `NAME_LEN_MAX` bytes and one more.
fn read_name(input: &mut dyn BufRead, end: u8, name: &mut Vec<u8>) -> io::Result<u64> {
    let mut len = input.take(NAME_LEN_MAX + 1).read_until(end, name)? as u64;
    if len <= NAME_LEN_MAX || name.last() == Some(&end) {
        return Ok(len);
    }
    loop {
        let held = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            held => held?,
        };
        let found = memchr::memchr(end, held);
        let taken = found.map_or(held.len(), |at| at + 1);
        input.consume(taken);
        len += taken as u64;
        if found.is_some() || taken == 0 {
            return Ok(len);
        }
    }
}

fn without_ending(mut name: Vec<u8>, ending: Ending) -> Vec<u8> {
    let is_ended = name.pop_if(|last| *last == ending.byte()).is_some();
    if is_ended && ending == Ending::Line {
        name.pop_if(|last| *last == b'\r');
    }
    name
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufReader, Read};
    use std::path::PathBuf;

    use super::{Ending, NAME_LEN_MAX, Names};
    use crate::finding::NoteKind;
    use crate::platform::OsBytes as _;

    /// A reader that returns a text in steps, then fails.
    struct Failing(&'static [u8]);

    impl Read for Failing {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let len = out.len().min(3);
            self.0.read(&mut out[..len])
        }
    }

    /// Returns the items of a list: names, or kind and offset of notes.
    fn said(input: impl Read + 'static, path: &str, ending: Ending) -> Vec<String> {
        let names = Names::of(Box::new(BufReader::new(input)), PathBuf::from(path), ending);
        names
            .map(|name| match name {
                Ok(path) => path.as_os_str().as_bytes().escape_ascii().to_string(),
                Err(note) => format!("{}@{:?}", note.kind.name(), note.offset),
            })
            .collect()
    }

    #[track_caller]
    fn case(text: &'static [u8], ending: Ending, expected: &[&str]) {
        assert_eq!(said(text, "list", ending), expected, "{}", text.escape_ascii());
    }

    #[test]
    fn a_list_has_one_name_a_line() {
        case(b"", Ending::Line, &[]);
        case(b"a\nb c\n", Ending::Line, &["a", "b c"]);
        case(b"a\r\n\r\n\nb", Ending::Line, &["a", "b"]);
        case(b" a\t\n#b\n\"c\"\n-\n", Ending::Line, &[" a\\t", "#b", "\\\"c\\\"", "-"]);
        case(b"a\xFF\n\rb\r\r\n\0\n", Ending::Line, &["a\\xff", "\\rb\\r", "\\x00"]);
        // A byte that does not end a line is part of a name.
        case(b"a\r", Ending::Line, &["a\\r"]);
    }

    #[test]
    fn with_nul_bytes_a_name_may_have_any_other() {
        case(b"a\r\0\0b\nc\0d", Ending::Nul, &["a\\r", "b\\nc", "d"]);
    }

    #[test]
    fn a_name_without_end_is_noted_and_the_next_is_read() {
        let most = usize::try_from(NAME_LEN_MAX).unwrap();
        let long = |len: usize| [b"a\n", &b"x".repeat(len)[..], b"\nb\n"].concat();
        let text = long(most - 1);
        let names = said(io::Cursor::new(text), "list", Ending::Line);
        assert_eq!(names.len(), 3);
        assert_eq!(names[1].len(), most - 1);
        for len in [most + 1, 100 * most] {
            let names = said(io::Cursor::new(long(len)), "list", Ending::Line);
            assert_eq!(names, ["a", "limit-reached@Some(2)", "b"]);
        }
        let endless = io::repeat(b'x').take(10 * NAME_LEN_MAX);
        assert_eq!(said(endless, "list", Ending::Nul), ["limit-reached@Some(0)"]);
    }

    #[test]
    fn a_list_that_fails_gives_what_stands_before() {
        let names = said(Failing(b"first\nsecond"), "list", Ending::Line);
        assert_eq!(names, ["first", "input-unreadable@Some(6)"]);
        let names: Vec<_> = Names::open(PathBuf::from("/dev/null/list"), Ending::Line).collect();
        let [Err(note)] = &names[..] else { panic!("{names:?}") };
        assert_eq!(note.kind, NoteKind::InputUnreadable);
    }

    #[test]
    fn a_list_on_standard_input_does_not_name_itself() {
        let text = b"a\n-\nb\n";
        let names = said(&text[..], "-", Ending::Line);
        assert_eq!(names, ["a", "input-unreadable@Some(2)", "b"]);
    }
}
