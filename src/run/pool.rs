//! The buffers that inputs are read into, and how many of them there are.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::source::Buffer;

/// The buffers that inputs are read into; taking one waits until one is there.
pub(super) struct Pool {
    free: Mutex<Free>,
    returned: Condvar,
    buffer_len: usize,
}

struct Free {
    buffers: Vec<Buffer>,
    /// How many more may be made.
    unmade: usize,
    /// True while a large one is in use.
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

    /// A buffer for `len` bytes; waits until no other large one is in use. Only the reader
    /// may wait: all units that were handed over come to their end without it.
    pub(super) fn take_large(&self, len: usize) -> Buffer {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while free.is_large_out {
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        free.is_large_out = true;
        Buffer::new(len.max(self.buffer_len + 1))
    }

    /// True for a buffer that was made by `take_large`.
    pub(super) fn is_large(&self, buffer: &Buffer) -> bool {
        buffer.capacity() > self.buffer_len
    }

    /// A buffer for one that was lost.
    pub(super) fn replacement(&self, is_large: bool) -> Buffer {
        Buffer::new(self.buffer_len + usize::from(is_large))
    }

    pub(super) fn give_back(&self, buffer: Buffer) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_large(&buffer) {
            free.is_large_out = false;
            // Whoever waits for a large one is not woken in place of another.
            return self.returned.notify_all();
        }
        free.buffers.push(buffer);
        self.returned.notify_all();
    }
}
