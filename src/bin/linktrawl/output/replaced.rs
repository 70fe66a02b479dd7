//! Decides which files may be replaced: those that this program wrote.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use linktrawl::internal::report::own;
use linktrawl::internal::store::baseline;

use super::spot::{Spot, Stamp, Standing};
use crate::platform::Access;

/// Bytes of a file that are quoted if it is no report.
const QUOTED_LEN: usize = 24;

/// The files that may be replaced, by contents and directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replacing {
    /// The kinds of files, by their first bytes.
    pub(crate) what: What,
    /// The directory of the configuration file that names them, if that file was found, not named:
    /// they must be below it.
    pub(crate) within: Option<PathBuf>,
}

/// The kinds of files that may be replaced. Empty files always may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum What {
    /// Reports of this program.
    #[default]
    Reports,
    /// Baselines of this program.
    Baselines,
    /// All files: the user forces it, or named the file to be changed.
    All,
}

impl Replacing {
    /// All files, in any directory.
    pub(crate) const ALL: Self = Self { what: What::All, within: None };

    /// Finds the place of `path`.
    ///
    /// # Errors
    /// When it is outside of the allowed directory, or cannot be opened.
    pub(super) fn spot(&self, path: &Path) -> io::Result<Spot> {
        match &self.within {
            Some(top) => Spot::within(top, path),
            None => Spot::of(path),
        }
    }

    /// Checks whether the file at `spot` may be replaced, and returns what it found there.
    ///
    /// # Errors
    /// When it may not, or cannot be read.
    pub(super) fn judge(&self, spot: &Spot) -> io::Result<Standing> {
        if self.what == What::All {
            return Ok(Standing::Any);
        }
        let mut file = match spot.open(spot.name(), Access::Read) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Standing::Nothing);
            }
            // Else its path would be that of its target.
            Err(_) if spot.is_link() => {
                return Err(self.refusal("a symbolic link to a file that does not exist"));
            }
            opened => opened
                .map_err(|error| self.refusal(&format!("one that cannot be read: {error}")))?,
        };
        let stamp = Stamp::of(&file)?;
        if !file.metadata()?.is_file() {
            return Err(self.refusal("one that is no regular file"));
        }
        let beginning = beginning_of(&mut file)?;
        let is_own = match self.what {
            What::Reports => own::format_of(&beginning).is_some(),
            What::Baselines => baseline::begins(&beginning),
            What::All => true,
        };
        if beginning.is_empty() || is_own {
            return Ok(Standing::Own(stamp));
        }
        let quoted = beginning.get(..QUOTED_LEN).unwrap_or(&beginning).escape_ascii();
        Err(self.refusal(&format!("one that begins \"{quoted}\"")))
    }

    fn refusal(&self, found: &str) -> io::Error {
        let wanted = match self.what {
            What::Baselines => "a baseline",
            What::Reports | What::All => "a report",
        };
        let advice = match (&self.within, self.what) {
            (_, What::Baselines) => "name another file",
            (Some(_), _) => {
                "a configuration file that was found, not named with --config, replaces nothing \
                 else; to have it replaced, name it with --format and give --force"
            }
            (None, _) => "--force replaces it",
        };
        io::Error::other(format!(
            "expected a new file, or {wanted} of linktrawl, found {found}: {advice}"
        ))
    }
}

/// Returns the first bytes of `file`, enough to recognise our own files.
pub(super) fn beginning_of(file: &mut File) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::new();
    file.take(own::BEGINNING_LEN as u64).read_to_end(&mut beginning)?;
    Ok(beginning)
}
