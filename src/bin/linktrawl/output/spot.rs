//! Represents the place of a file: its directory, held open, and its name there.
//!
//! All operations happen in one directory, even if names on the path to it change. Symbolic links
//! are followed if the user named the file, but not if a configuration file that was found named
//! it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use linktrawl::internal::platform::{self as files, Identity};

use crate::platform::{Access, Directory};

/// A directory, and a name in it.
pub(super) struct Spot {
    directory: Directory,
    /// The path of the directory, for messages, and for systems on which no directory can be
    /// opened.
    parent: PathBuf,
    name: OsString,
}

/// The file at a place, as it was when it was checked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// No file.
    Nothing,
    /// A file that may be replaced as long as it is this one.
    Own(Stamp),
    /// A file that may be replaced, whatever it is.
    Any,
}

/// Properties of a file that differ once another file is there, or it was written to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Device and inode, or their like.
    identity: Option<Identity>,
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let found = file.metadata()?;
        let identity = files::identity_of(file);
        Ok(Self { identity, modified: found.modified().ok(), bytes: found.len() })
    }
}

impl Spot {
    /// Finds the place of `path`, through symbolic links.
    ///
    /// # Errors
    /// When its directory cannot be opened, or the path has no name.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        // The file replaces the target of a link.
        let path = files::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new(".")).to_owned();
        let directory = Directory::open(&parent)?;
        Ok(Self { directory, parent, name: name_of(&path)? })
    }

    /// Finds the place of `path` below the directory `top`, through no symbolic link below it.
    ///
    /// # Errors
    /// When the path leads out of `top` or through a link, and the errors of [`Spot::of`].
    pub(super) fn within(top: &Path, path: &Path) -> io::Result<Self> {
        let below =
            if top == Path::new(".") { path } else { path.strip_prefix(top).unwrap_or(path) };
        let mut directory = Directory::open(top)?;
        for part in below.parent().unwrap_or(Path::new("")).components() {
            match part {
                Component::CurDir => {}
                Component::Normal(name) => directory = directory.into_inner(name)?,
                _ => return Err(io::Error::other("expected a path below its configuration file")),
            }
        }
        let parent = path.parent().unwrap_or(Path::new("")).to_owned();
        let spot = Self { directory, parent, name: name_of(path)? };
        if spot.is_link() {
            return Err(io::Error::other("expected a file, found a link"));
        }
        Ok(spot)
    }

    pub(super) fn directory(&self) -> &Directory {
        &self.directory
    }

    pub(super) fn parent(&self) -> &Path {
        &self.parent
    }

    pub(super) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Reports whether there is a symbolic link.
    pub(super) fn is_link(&self) -> bool {
        self.directory.is_link(&self.name)
    }

    /// Opens `name` in the directory, unless it is a symbolic link. Does not wait for pipes.
    pub(super) fn open(&self, name: &OsStr, access: Access) -> io::Result<File> {
        self.directory.file(name, access)
    }

    /// Returns the metadata of the file; `None` if it does not exist.
    pub(super) fn metadata(&self) -> Option<fs::Metadata> {
        match self.open(&self.name, Access::Read) {
            Ok(file) => file.metadata().ok(),
            // A file may exist without being readable.
            Err(_) => fs::symlink_metadata(self.parent.join(&self.name)).ok(),
        }
    }

    /// Renames the file called `passing` to the name of the place, if what was found there still
    /// is. Fails with `AlreadyExists` otherwise.
    ///
    /// A file that appears is never replaced where the system can rename without replacing. An
    /// existing file is compared right before it is replaced: only a change between those two
    /// system calls is lost.
    pub(super) fn put(&self, passing: &OsStr, found: &Standing) -> io::Result<()> {
        match found {
            Standing::Nothing => self.directory.rename_new(passing, &self.name),
            Standing::Own(stamp) if self.stamp().as_ref() != Some(stamp) => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            Standing::Own(_) | Standing::Any => self.directory.rename(passing, &self.name),
        }
    }

    fn stamp(&self) -> Option<Stamp> {
        Stamp::of(&self.open(&self.name, Access::Read).ok()?).ok()
    }

    /// Removes `name` from the directory.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.directory.remove(name)
    }

    /// Reports whether `name` is a name of `file`.
    pub(super) fn leads_to(&self, name: &OsStr, file: &File) -> bool {
        let found = self.open(name, Access::Read).ok();
        let found = found.and_then(|found| files::identity_of(&found));
        found.is_some() && found == files::identity_of(file)
    }
}

fn name_of(path: &Path) -> io::Result<OsString> {
    Ok(path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::io;
    use std::path::Path;

    use super::{Spot, Standing};

    const PASSING: &str = ".out.1.part";

    /// Puts a file in the place of `out`, which becomes `meanwhile` after it was found as `before`,
    /// and returns whether that is refused, and what `out` holds then.
    fn put(before: Option<&str>, meanwhile: Option<&str>) -> (bool, String) {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("out");
        let write = |text: Option<&str>| match text {
            Some(text) => fs::write(&out, text).unwrap(),
            None => fs::remove_file(&out).unwrap_or_default(),
        };
        write(before);
        let spot = Spot::of(&out).unwrap();
        let found = spot.stamp().map_or(Standing::Nothing, Standing::Own);
        if before != meanwhile {
            write(meanwhile);
        }
        fs::write(home.path().join(PASSING), "report").unwrap();
        let put = spot.put(OsStr::new(PASSING), &found);
        assert_eq!(put.is_ok(), !home.path().join(PASSING).exists(), "{put:?}");
        let refused = put.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists);
        (refused, fs::read_to_string(out).unwrap_or_default())
    }

    #[test]
    fn a_file_is_put_in_place_of_what_was_found_alone() {
        assert_eq!(put(None, None), (false, "report".to_owned()));
        assert_eq!(put(Some("old"), Some("old")), (false, "report".to_owned()));
        assert_eq!(put(None, Some("thesis")), (true, "thesis".to_owned()));
        assert_eq!(put(Some("old"), Some("thesis")), (true, "thesis".to_owned()));
        assert_eq!(put(Some("old"), None), (true, String::new()));
    }

    #[test]
    fn what_is_forced_is_put_in_place_of_anything() {
        let home = tempfile::tempdir().unwrap();
        let [out, passing] = ["out", PASSING].map(|name| home.path().join(name));
        fs::write(&out, "thesis").unwrap();
        fs::write(&passing, "report").unwrap();
        let spot = Spot::of(Path::new(&out)).unwrap();
        spot.put(OsStr::new(PASSING), &Standing::Any).unwrap();
        assert_eq!(fs::read_to_string(out).unwrap(), "report");
    }
}
