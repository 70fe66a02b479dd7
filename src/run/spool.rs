//! Inputs that can be read only once, kept so that they can be read twice: standard input,
//! pipes, devices.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use super::Input;
use crate::error::Error;
use crate::finding::Origin;
use crate::source::file::{STDIN, unreadable};

/// Files without a name that stand for such inputs.
#[derive(Default)]
pub(super) struct Spools(HashMap<PathBuf, File>);

impl Spools {
    /// Reads each of `inputs` that can be read only once, and keeps it. One that cannot be kept
    /// becomes a note.
    pub(super) fn of(inputs: Vec<Input>) -> (Self, Vec<Input>) {
        let mut spools = HashMap::new();
        let keep = |input: Input| {
            let path = input?;
            if can_be_read_again(&path) || spools.contains_key(&path) {
                return Ok(path);
            }
            match copy(&path) {
                Ok(file) => {
                    spools.insert(path.clone(), file);
                    Ok(path)
                }
                Err(source) => {
                    let error = Error::Read { path: path.clone(), offset: 0, source };
                    Err(unreadable(&error, Origin { path, members: Vec::new() }))
                }
            }
        };
        let inputs = inputs.into_iter().map(keep).collect();
        (Self(spools), inputs)
    }

    /// What stands for the input called `path`, from its beginning.
    pub(super) fn of_path(&self, path: &Path) -> Option<impl Read> {
        let mut file = self.0.get(path)?;
        // A file without a name can always be wound back; if not, it reads as empty.
        file.rewind().ok()?;
        Some(file)
    }
}

/// True for files and directories, and for what is not there: whoever reads it says so.
fn can_be_read_again(path: &Path) -> bool {
    path.as_os_str() != STDIN
        && fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir())
}

fn copy(path: &Path) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    if path.as_os_str() == STDIN {
        io::copy(&mut io::stdin().lock(), &mut file)?;
    } else {
        io::copy(&mut File::open(path)?, &mut file)?;
    }
    Ok(file)
}
