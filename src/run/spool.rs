//! Inputs that can be read only once, kept so that they can be read twice: standard input,
//! pipes, devices.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::Input;
use crate::error::Error;
use crate::finding::Origin;
use crate::source::file::{STDIN, unreadable};

/// How often somebody who wants the run to end is heard.
const TICK: Duration = Duration::from_millis(50);

/// Files without a name that stand for such inputs.
#[derive(Default)]
pub(super) struct Spools(HashMap<PathBuf, File>);

impl Spools {
    /// Reads each of `inputs` that can be read only once, and keeps it. One that cannot be kept
    /// becomes a note, as does one that is not at its end when `stop` is set: nobody knows when
    /// more of it comes.
    pub(super) fn of(inputs: Vec<Input>, stop: &AtomicBool) -> (Self, Vec<Input>) {
        let mut spools = HashMap::new();
        let keep = |input: Input| {
            let path = input?;
            if can_be_read_again(&path) || spools.contains_key(&path) {
                return Ok(path);
            }
            match copy_until(&path, stop) {
                Ok(file) => {
                    spools.insert(path.clone(), file);
                    Ok(path)
                }
                Err(source) => {
                    let error = Error::Read { path: path.clone(), offset: 0, source };
                    Err(unreadable(&error, Origin { path, ..Origin::default() }))
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

/// What `copy` gives, unless `stop` is set before that. Who waits for input hears nothing of it,
/// so that another thread waits, which ends with the program.
fn copy_until(path: &Path, stop: &AtomicBool) -> io::Result<File> {
    let (tell, told) = channel();
    let of_thread = path.to_owned();
    thread::Builder::new().spawn(move || {
        // Nobody listens when the run was stopped.
        let _ = tell.send(copy(&of_thread));
    })?;
    while !stop.load(Ordering::Relaxed) {
        match told.recv_timeout(TICK) {
            Ok(copied) => return copied,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("the program failed while it read"));
            }
        }
    }
    Err(io::Error::other("the run was stopped before its end was there"))
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
