//! Reads standard input, pipes and devices on a thread of their own: a read that waits for more
//! cannot be interrupted, but the wait for that thread can.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::source::file::STDIN;

/// Interval at which the stop flag is polled.
const TICK: Duration = Duration::from_millis(50);

/// Bytes read at once: as many as a pipe of Linux holds.
const BLOCK_LEN: usize = 64 * 1024;

/// Blocks that may wait to be taken; when they do, the writer of the pipe has to wait.
const BLOCKS_MAX: usize = 4;

/// A block of an input, which is empty at its end.
type Block = io::Result<Vec<u8>>;

/// An input that is read by another thread, which ends with the program if its input has no end.
pub(super) struct Stream<'s> {
    blocks: Receiver<Block>,
    /// A flag that is set when reading must stop: more of the input may never come.
    stop: &'s AtomicBool,
    block: Vec<u8>,
    /// Number of bytes of the block that were taken.
    taken: usize,
    is_at_end: bool,
}

impl<'s> Stream<'s> {
    /// Opens the input at `path`, which may wait for another program to open its other end.
    ///
    /// # Errors
    /// When it cannot be opened, no thread can be started, or `stop` is set before it is open.
    pub(super) fn open(path: &Path, stop: &'s AtomicBool) -> io::Result<Self> {
        let (tell, blocks) = sync_channel(BLOCKS_MAX);
        let path = path.to_owned();
        thread::Builder::new().spawn(move || send(&path, &tell))?;
        let stream = Self { blocks, stop, block: Vec::new(), taken: 0, is_at_end: false };
        // The first block is empty: the input is open.
        stream.next().map(|_| stream)
    }

    /// Waits for the next block.
    fn next(&self) -> Block {
        while !self.stop.load(Ordering::Relaxed) {
            match self.blocks.recv_timeout(TICK) {
                Ok(block) => return block,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the program failed while it read"));
                }
            }
        }
        Err(io::Error::other("the run was stopped before its end was there"))
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.block.len() && !self.is_at_end && !to.is_empty() {
            self.block = self.next()?;
            self.taken = 0;
            self.is_at_end = self.block.is_empty();
        }
        let mut rest = self.block.get(self.taken..).unwrap_or_default();
        let len = rest.read(to)?;
        self.taken += len;
        Ok(len)
    }
}

/// Reads the input at `path` block by block, until its end, a failure, or a closed channel.
fn send(path: &Path, tell: &SyncSender<Block>) {
    let input = if path.as_os_str() == STDIN {
        Ok(Box::new(io::stdin().lock()) as Box<dyn Read>)
    } else {
        File::open(path).map(|file| Box::new(file) as Box<dyn Read>)
    };
    let (mut input, mut block) = match input {
        Ok(input) => (input, Ok(Vec::new())),
        Err(error) => (Box::new(io::empty()) as Box<dyn Read>, Err(error)),
    };
    let mut goes_on = block.is_ok();
    // The receiver is gone if the run was stopped.
    while tell.send(block).is_ok() && goes_on {
        block = next_block(&mut *input);
        goes_on = block.as_ref().is_ok_and(|block| !block.is_empty());
    }
}

fn next_block(input: &mut dyn Read) -> Block {
    let mut block = vec![0; BLOCK_LEN];
    loop {
        match input.read(&mut block) {
            Ok(len) => {
                block.truncate(len);
                return Ok(block);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use super::{BLOCK_LEN, BLOCKS_MAX, Stream};

    #[test]
    fn an_input_of_many_blocks_arrives_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("input");
        let text: Vec<u8> = (0..=u8::MAX).cycle().take(2 * BLOCKS_MAX * BLOCK_LEN + 7).collect();
        fs::write(&path, &text).unwrap();
        let go_on = AtomicBool::new(false);
        let mut stream = Stream::open(&path, &go_on).unwrap();
        let mut read = Vec::new();
        stream.read_to_end(&mut read).unwrap();
        assert!(read == text);
        assert_eq!(stream.read(&mut [0; 8]).unwrap(), 0, "the end stays the end");
    }

    #[test]
    fn a_stop_ends_the_wait_and_what_is_not_there_is_an_error() {
        let (stop, go_on) = (AtomicBool::new(true), AtomicBool::new(false));
        let error = Stream::open(Path::new("/dev/zero"), &stop).err().unwrap();
        assert!(error.to_string().contains("the run was stopped"), "{error}");
        let error = Stream::open(Path::new("/absent/input"), &go_on).err().unwrap();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    }
}
