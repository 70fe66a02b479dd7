//! SIGINT, SIGTERM and SIGHUP: the first asks the run to end, a second ends it at once.
//!
//! `nohup` has SIGHUP ignored, and whoever listens to it would not ignore it any more. Whether it
//! is, Linux tells in a file; elsewhere only unsafe code could ask, and a hangup ends the program
//! as the system has it.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::pipe;

/// What a shell adds to the number of the signal that ended a program.
const SIGNALLED: i32 = 128;

/// The signals that are heard in any case.
const ALWAYS: [i32; 2] = [SIGINT, SIGTERM];

/// What came.
pub(crate) struct Signals {
    /// Those that are heard.
    heard: Vec<i32>,
    /// Set when the run is to end.
    pub(crate) stop: Arc<AtomicBool>,
    /// The exit code that tells which signal came; 0 while none has.
    code: Arc<AtomicUsize>,
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the system does not let us.
    pub(crate) fn listen() -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let code = Arc::new(AtomicUsize::new(0));
        let heard: Vec<_> = ALWAYS.into_iter().chain(hangup()).collect();
        for &signal in &heard {
            let exit_code = SIGNALLED + signal;
            // Before the flag is set, so that it takes a second signal to get here.
            flag::register_conditional_shutdown(signal, exit_code, Arc::clone(&stop))?;
            flag::register(signal, Arc::clone(&stop))?;
            let value = usize::try_from(exit_code).unwrap_or_default();
            flag::register_usize(signal, Arc::clone(&code), value)?;
        }
        Ok(Self { heard, stop, code })
    }

    /// Has the program end at the first SIGINT or SIGTERM, whatever it does.
    ///
    /// # Errors
    /// When the system does not let us.
    pub(crate) fn end_at_once() -> io::Result<()> {
        for signal in ALWAYS {
            let always = Arc::new(AtomicBool::new(true));
            flag::register_conditional_shutdown(signal, SIGNALLED + signal, always)?;
        }
        Ok(())
    }

    /// Calls `wake` on a thread of its own when one came, which is heard by then.
    ///
    /// # Errors
    /// When the system does not let us.
    pub(crate) fn call(&self, wake: impl Fn() + Send + 'static) -> io::Result<()> {
        let (mut hears, tells) = UnixStream::pair()?;
        for &signal in &self.heard {
            // Behind the flags, in which order they are told.
            pipe::register(signal, tells.try_clone()?)?;
        }
        thread::spawn(move || {
            while hears.read_exact(&mut [0]).is_ok() {
                wake();
            }
        });
        Ok(())
    }

    /// The exit code for the signal that came, if one did.
    pub(crate) fn code(&self) -> Option<u8> {
        u8::try_from(self.code.load(Ordering::Relaxed)).ok().filter(|code| *code > 0)
    }
}

/// SIGHUP, where it is known that nobody wants it ignored (proc_pid_status(5), `SigIgn`).
fn hangup() -> Option<i32> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let ignored = u64::from_str_radix(ignored.trim(), 16).ok()?;
    // The first signal has the lowest bit.
    (ignored & (1 << (SIGHUP - 1)) == 0).then_some(SIGHUP)
}
