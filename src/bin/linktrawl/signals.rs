//! Handles SIGINT, SIGTERM and SIGHUP: the first signal asks the run to end, a second one ends it
//! at once.
//!
//! `nohup` makes the program ignore SIGHUP, and a handler would undo that. Linux reports in a file
//! whether it is ignored; elsewhere only unsafe code could find out, and a hangup has the system's
//! default effect.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::pipe;

/// The offset that a shell adds to the number of the signal that ended a program.
const SIGNALLED: i32 = 128;

/// The signals that are always handled.
const ALWAYS: [i32; 2] = [SIGINT, SIGTERM];

/// The state of signal handling.
pub(crate) struct Signals {
    /// The signals that are handled.
    heard: Vec<i32>,
    /// A flag that is set when the run must end.
    pub(crate) stop: Arc<AtomicBool>,
    /// The exit code for the signal that came; 0 before one comes.
    code: Arc<AtomicUsize>,
}

impl Signals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn listen() -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let code = Arc::new(AtomicUsize::new(0));
        let heard: Vec<_> = ALWAYS.into_iter().chain(hangup()).collect();
        for &signal in &heard {
            let exit_code = SIGNALLED + signal;
            // Registered before the flag is set, so that only a second signal ends the program
            // here.
            flag::register_conditional_shutdown(signal, exit_code, Arc::clone(&stop))?;
            flag::register(signal, Arc::clone(&stop))?;
            let value = usize::try_from(exit_code).unwrap_or_default();
            flag::register_usize(signal, Arc::clone(&code), value)?;
        }
        Ok(Self { heard, stop, code })
    }

    /// Makes the first SIGINT or SIGTERM end the program at once.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn end_at_once() -> io::Result<()> {
        for signal in ALWAYS {
            let always = Arc::new(AtomicBool::new(true));
            flag::register_conditional_shutdown(signal, SIGNALLED + signal, always)?;
        }
        Ok(())
    }

    /// Calls `wake` on a thread of its own after each signal, when its flag is set already.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn call(&self, wake: impl Fn() + Send + 'static) -> io::Result<()> {
        let (mut hears, tells) = UnixStream::pair()?;
        for &signal in &self.heard {
            // Registered after the flags, since handlers run in order.
            pipe::register(signal, tells.try_clone()?)?;
        }
        thread::spawn(move || {
            while hears.read_exact(&mut [0]).is_ok() {
                wake();
            }
        });
        Ok(())
    }

    /// Returns the exit code for the signal that came, if one did.
    pub(crate) fn code(&self) -> Option<u8> {
        u8::try_from(self.code.load(Ordering::Relaxed)).ok().filter(|code| *code > 0)
    }
}

/// Returns SIGHUP, if it is known not to be ignored (proc_pid_status(5), `SigIgn`).
fn hangup() -> Option<i32> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let ignored = u64::from_str_radix(ignored.trim(), 16).ok()?;
    // The first signal has the lowest bit.
    (ignored & (1 << (SIGHUP - 1)) == 0).then_some(SIGHUP)
}
