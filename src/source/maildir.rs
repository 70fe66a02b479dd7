//! Messages of a Maildir that are renamed while it is read: from `new` to `cur`, or to a name
//! with other flags. A message keeps its unique name, which its flags follow.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Entries of folders that are listed again in one run, some seconds' worth. A program that
/// goes on renaming would keep us busy for ever.
const ENTRIES_MAX: usize = 10_000_000;

/// Directories of a folder that hold messages.
const PARTS: [&str; 2] = ["cur", "new"];

/// Finds messages again that are no longer where they were listed.
///
/// It keeps the names of one folder, as they were when it was listed last: who renames one
/// message often renames all.
#[derive(Debug, Default)]
pub struct Renamed {
    folder: PathBuf,
    /// The directory and the name of each message by its unique name.
    messages: HashMap<Box<[u8]>, (&'static str, OsString)>,
    /// Entries that were listed, in all.
    listed: usize,
}

impl Renamed {
    /// Where the message is that was at `path`; none when that is not in a Maildir, or the
    /// message is in it no more. The folder is listed at most once.
    pub fn find(&mut self, path: &Path) -> Option<PathBuf> {
        let directory = path.parent()?;
        let part = directory.file_name()?;
        let folder = directory.parent()?;
        if !PARTS.iter().any(|name| *name == part) {
            return None;
        }
        let unique = unique(path.file_name()?);
        if folder == self.folder
            && let Some(known) = self.known(unique)
            && known != path
            && known.symlink_metadata().is_ok()
        {
            return Some(known);
        }
        self.list(folder);
        self.known(unique)
    }

    fn known(&self, unique: &[u8]) -> Option<PathBuf> {
        let (part, name) = self.messages.get(unique)?;
        Some(self.folder.join(part).join(name))
    }

    /// Learns the messages of `folder`.
    fn list(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
        self.messages.clear();
        for part in PARTS {
            for entry in fs::read_dir(folder.join(part)).into_iter().flatten().flatten() {
                self.listed += 1;
                if self.listed > ENTRIES_MAX {
                    return;
                }
                let name = entry.file_name();
                self.messages.insert(unique(&name).into(), (part, name));
            }
        }
    }
}

/// What stands before the flags in the name of a message. Where a colon may be in no name, a
/// semicolon stands for it.
pub(super) fn unique(name: &OsStr) -> &[u8] {
    let name = name.as_bytes();
    let flags = memchr::memchr2_iter(b':', b';', name)
        .find(|at| name.get(at + 1..).is_some_and(|flags| flags.starts_with(b"2,")));
    name.get(..flags.unwrap_or(name.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::unique;

    #[test]
    fn a_message_keeps_what_stands_before_its_flags() {
        for name in ["1.a:b,S=2", "1.a:b,S=2:2,", "1.a:b,S=2:2,RS", "1.a:b,S=2;2,S"] {
            assert_eq!(unique(name.as_ref()), b"1.a:b,S=2", "{name}");
        }
        assert_eq!(unique("1:1,S".as_ref()), b"1:1,S");
        assert_eq!(unique("".as_ref()), b"");
    }
}
