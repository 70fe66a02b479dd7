//! Lends out the buffers that inputs are read into, and bounds their number.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::source::Buffer;

/// The buffers that inputs are read into. Taking one waits until one is free.
pub(super) struct Pool {
    free: Mutex<Free>,
    returned: Condvar,
    buffer_len: usize,
}

struct Free {
    buffers: Vec<Buffer>,
    /// How many more buffers may be allocated.
    unmade: usize,
    /// Whether the large buffer is in use.
    is_large_out: bool,
}

impl Pool {
    pub(super) fn new(count: usize, buffer_len: usize) -> Self {
        let free = Free { buffers: Vec::new(), unmade: count, is_large_out: false };
        Self { free: Mutex::new(free), returned: Condvar::new(), buffer_len }
    }

    pub(super) fn take(&self) -> Buffer {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(mut buffer) = free.buffers.pop() {
                buffer.truncate(0);
                return buffer;
            }
            if free.unmade > 0 {
                free.unmade -= 1;
                return Buffer::new(self.buffer_len);
            }
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns a buffer for `len` bytes; waits until no other large one is in use. Only the reader
    /// may wait: units that were handed over finish without it.
    pub(super) fn take_large(&self, len: usize) -> Buffer {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while free.is_large_out {
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        free.is_large_out = true;
        Buffer::new(len.max(self.buffer_len + 1))
    }

    /// Reports whether `buffer` was made by `take_large`.
    pub(super) fn is_large(&self, buffer: &Buffer) -> bool {
        buffer.capacity() > self.buffer_len
    }

    /// Returns a new buffer to replace one that a panic lost.
    pub(super) fn replacement(&self, is_large: bool) -> Buffer {
        Buffer::new(self.buffer_len + usize::from(is_large))
    }

    pub(super) fn give_back(&self, buffer: Buffer) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_large(&buffer) {
            free.is_large_out = false;
            // Wakes all: a single wake-up could reach a thread that waits for the other size.
            return self.returned.notify_all();
        }
        free.buffers.push(buffer);
        self.returned.notify_all();
    }
}
