//! Finds messages of a Maildir that are renamed while it is read: from `new` to `cur`, or to a name
//! with other flags. A message keeps its unique name, which its flags follow.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::platform::OsBytes as _;

/// Most directory entries that one run lists again, some seconds' worth. A program that renames
/// without end would otherwise keep the run busy for ever.
const ENTRIES_MAX: usize = 10_000_000;

/// Directories of a Maildir that hold delivered messages.
const PARTS: [&str; 2] = ["cur", "new"];

/// A finder of messages that are no longer at the path where they were listed.
///
/// Keeps the names of one folder from its last listing, since a program that renames one message
/// often renames all.
#[derive(Debug, Default)]
pub struct Renamed {
    folder: PathBuf,
    /// The directory and the name of each message, by its unique name.
    messages: HashMap<Box<[u8]>, (&'static str, OsString)>,
    /// The number of entries listed, in all folders.
    listed: usize,
}

impl Renamed {
    /// Returns the current path of the message that was at `path`; `None` if `path` is not in a
    /// Maildir, or the message is no longer in it. Lists the folder at most once.
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

    /// Replaces the known messages by those of `folder`.
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

/// Returns the part of a message's name before its flags (`:2,`). File systems that allow no colon
/// in a name have a semicolon instead.
pub(in crate::source) fn unique(name: &OsStr) -> &[u8] {
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
