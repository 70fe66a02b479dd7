//! Where reports go: standard output, or files that take their names when they are whole.
//!
//! A report for a file is written beside it under a name that begins with a dot, so that a
//! walk over the same directory passes it by, and renamed at the end. What is no regular
//! file, a pipe or `/dev/null`, is written to directly.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use linktrawl::Error;
use linktrawl::run::Output;

use crate::flags::Format;
use crate::plan::Paints;

/// The reports that were asked for, not yet opened.
pub(crate) struct Reports {
    /// Formats with their targets.
    pub(crate) formats: Vec<Format>,
    /// Colours for standard output and for files.
    pub(crate) paints: Paints,
}

impl Reports {
    /// Opens every target.
    ///
    /// # Errors
    /// When a file cannot be made, or two reports have one target.
    pub(crate) fn open(self) -> anyhow::Result<(Vec<Output>, Aside)> {
        self.refuse_shared_targets()?;
        let mut outputs = Vec::new();
        let mut aside = Aside::default();
        for Format { report, file } in self.formats {
            let output = match file {
                None => Output {
                    report,
                    paint: self.paints.stdout,
                    name: "stdout".to_owned(),
                    target: Box::new(io::stdout()),
                },
                Some(path) => Output {
                    report,
                    paint: self.paints.file,
                    name: format!("{path:?}"),
                    target: Box::new(aside.create(&path)?),
                },
            };
            outputs.push(output);
        }
        Ok((outputs, aside))
    }

    fn refuse_shared_targets(&self) -> anyhow::Result<()> {
        for (idx, format) in self.formats.iter().enumerate() {
            if self.formats.iter().take(idx).any(|earlier| earlier.file == format.file) {
                anyhow::bail!(match &format.file {
                    None => "expected one report on standard output, found two: give one a file \
                             with --format NAME=FILE"
                        .to_owned(),
                    Some(path) => format!("expected one report in {path:?}, found two"),
                });
            }
        }
        Ok(())
    }
}

/// Files that are being written; those that are not kept are removed.
#[derive(Default)]
pub(crate) struct Aside {
    files: Vec<Pending>,
}

/// One file under its passing name.
struct Pending {
    passing: PathBuf,
    target: PathBuf,
}

impl Aside {
    /// Opens the file that will become `target`.
    fn create(&mut self, target: &Path) -> Result<File, Error> {
        let at = |source| Error::Write { target: format!("{target:?}"), source };
        // A link is followed first, so that the report replaces what the link leads to.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
            return File::options().write(true).open(&target).map_err(at);
        }
        let Some(name) = target.file_name() else {
            return Err(at(io::ErrorKind::InvalidFilename.into()));
        };
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.part", std::process::id()));
        let passing = target.with_file_name(hidden);
        let file = File::create_new(&passing).map_err(at)?;
        self.files.push(Pending { passing, target });
        Ok(file)
    }

    /// Gives every file its name.
    ///
    /// # Errors
    /// When a file cannot be renamed; it and those behind it are removed.
    pub(crate) fn keep(mut self) -> Result<(), Error> {
        while let Some(Pending { passing, target }) = self.files.first() {
            let at = |source| Error::Write { target: format!("{target:?}"), source };
            fs::rename(passing, target).map_err(at)?;
            self.files.remove(0);
        }
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        for Pending { passing, .. } in &self.files {
            // Half a report helps nobody; that it cannot be removed changes no result.
            let _ = fs::remove_file(passing);
        }
    }
}
