//! Copies inputs that can be read only once, so that they can be read twice: standard input, pipes,
//! devices.

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

/// Interval at which the stop flag is polled.
const TICK: Duration = Duration::from_millis(50);

/// Unnamed temporary files that hold copies of such inputs, by path.
#[derive(Default)]
pub(super) struct Spools(HashMap<PathBuf, File>);

impl Spools {
    /// Copies each of `inputs` that can be read only once. An input that cannot be copied becomes a
    /// note, and so does one whose end has not come when `stop` is set: more of it may never come.
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

    /// Returns the copy of the input at `path`, from its beginning; `None` if it was not copied.
    pub(super) fn of_path(&self, path: &Path) -> Option<impl Read> {
        let mut file = self.0.get(path)?;
        // Rewinding a temporary file should never fail; if it does, the input itself is read.
        file.rewind().ok()?;
        Some(file)
    }
}

/// Reports whether `path` is a file, a directory, or not there; the reader reports a missing path.
fn can_be_read_again(path: &Path) -> bool {
    path.as_os_str() != STDIN
        && fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir())
}

/// Returns the result of `copy`, or an error if `stop` is set before that. A blocked read cannot be
/// interrupted, so another thread does it, which ends with the program.
fn copy_until(path: &Path, stop: &AtomicBool) -> io::Result<File> {
    let (tell, told) = channel();
    let of_thread = path.to_owned();
    thread::Builder::new().spawn(move || {
        // The receiver is gone if the run was stopped.
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
