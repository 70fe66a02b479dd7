//! Handles SIGINT, SIGTERM and SIGHUP: the first signal asks the run to end, a second one ends it
//! at once. On Windows, Ctrl+C is SIGINT.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::platform;

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
        let heard: Vec<_> = ALWAYS.into_iter().chain(platform::hangup()).collect();
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
        platform::call_after(&self.heard, &self.stop, wake)
    }

    /// Returns the exit code for the signal that came, if one did.
    pub(crate) fn code(&self) -> Option<u8> {
        u8::try_from(self.code.load(Ordering::Relaxed)).ok().filter(|code| *code > 0)
    }
}

/// Calls `clear` before the first SIGINT or SIGTERM, which then ends the program as it does without
/// a handler.
///
/// # Errors
/// When the system refuses.
pub(crate) fn clear_before_end(clear: impl Fn() + Send + 'static) -> io::Result<()> {
    platform::end_after(&ALWAYS, clear)
}

/// Leaves SIGINT to a pager, which it does not end: if it ended this program, the shell and the
/// pager would both read the terminal.
///
/// # Errors
/// When the system refuses.
pub(crate) fn leave_to_pager() -> io::Result<()> {
    flag::register(SIGINT, Arc::default()).map(drop)
}
