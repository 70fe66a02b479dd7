//! Represents the place of a file: its directory, held open, and its name there.
//!
//! All operations happen in one directory, even if names on the path to it change. Symbolic links
//! are followed if the user named the file, but not if a file of options that was found named it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use linktrawl::internal::platform as files;

use crate::platform::{Access, Directory};

/// A directory, and a name in it.
pub(super) struct Spot {
    directory: Directory,
    /// The path of the directory, for messages, and for systems on which no directory can be
    /// opened.
    parent: PathBuf,
    name: OsString,
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
                _ => return Err(io::Error::other("expected a path below its file of options")),
            }
        }
        let parent = path.parent().unwrap_or(Path::new("")).to_owned();
        let spot = Self { directory, parent, name: name_of(path)? };
        if spot.directory.is_link(&spot.name) {
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

    /// Renames the file called `passing` to the name of the place, which replaces the existing
    /// file.
    pub(super) fn replace(&self, passing: &OsStr) -> io::Result<()> {
        self.directory.rename(passing, &self.name)
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
