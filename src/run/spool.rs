//! Keeps findings and notes in their order until the links are probed, so that `check` reads each
//! input once.
//!
//! A few megabytes stay in memory; more go to a temporary file without a name, which only this
//! program can open, since texts in it have their passwords. `record` encodes them.

use std::io::{self, BufReader, Read, Seek as _, Write as _};

use tempfile::SpooledTempFile;

mod fields;
mod record;

pub(super) use record::{Entry, append_finding, append_note, places, replay};

/// Bytes that are kept in memory, for some 25 000 findings; more go to the file.
const IN_MEMORY_LEN_MAX: usize = 4 * 1024 * 1024;

/// Bytes of records that one unit of the replay has: some hundred findings, which take longer than
/// handing them over.
const CHUNK_LEN: u64 = 64 * 1024;

/// Bytes of the number before each record, which is its length.
const HEAD_LEN: usize = size_of::<u64>();

/// The records of a run so far.
pub(super) struct Spool {
    file: SpooledTempFile,
    failure: Option<io::Error>,
}

impl Default for Spool {
    fn default() -> Self {
        Self { file: SpooledTempFile::new(IN_MEMORY_LEN_MAX), failure: None }
    }
}

impl Spool {
    /// Adds whole records. After a failure, adds nothing.
    pub(super) fn write(&mut self, records: &[u8]) {
        if self.failure.is_none() {
            self.failure = self.file.write_all(records).err();
        }
    }

    /// Reports whether records could not be kept, so that there is nothing to replay.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the records from the first one on.
    ///
    /// # Errors
    /// When some could not be kept, as on a full disk.
    pub(super) fn rewound(mut self) -> io::Result<Chunks> {
        match self.failure {
            Some(error) => Err(error),
            None => {
                self.file.rewind()?;
                Ok(Chunks(BufReader::new(self.file)))
            }
        }
    }
}

/// The records of a run, from the first to the last.
pub(super) struct Chunks(BufReader<SpooledTempFile>);

impl Chunks {
    /// Returns the next whole records, some at once; `None` after the last one.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut chunk = Vec::new();
        while (chunk.len() as u64) < CHUNK_LEN {
            let mut head = [0; HEAD_LEN];
            match self.0.read(&mut head)? {
                0 => break,
                read => self.0.read_exact(head.get_mut(read..).unwrap_or_default())?,
            }
            chunk.extend_from_slice(&head);
            let len = u64::from_le_bytes(head);
            if (&mut self.0).take(len).read_to_end(&mut chunk)? as u64 != len {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok((!chunk.is_empty()).then_some(chunk))
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK_LEN, HEAD_LEN, IN_MEMORY_LEN_MAX, Spool};

    fn record(len: usize) -> Vec<u8> {
        [&(len as u64).to_le_bytes()[..], &vec![7; len]].concat()
    }

    #[test]
    fn chunks_are_whole_records_in_order_from_memory_and_from_a_file() {
        let chunk_len = usize::try_from(CHUNK_LEN).unwrap();
        for lens in [&[][..], &[0, 1, 100], &[chunk_len, 5, 3 * chunk_len], &[IN_MEMORY_LEN_MAX; 2]]
        {
            let mut spool = Spool::default();
            lens.iter().for_each(|&len| spool.write(&record(len)));
            assert!(!spool.has_failed());
            let mut chunks = spool.rewound().unwrap();
            let mut read = Vec::new();
            while let Some(chunk) = chunks.next().unwrap() {
                let mut rest = chunk.as_slice();
                while let Some((head, after)) = rest.split_first_chunk::<HEAD_LEN>() {
                    let len = usize::try_from(u64::from_le_bytes(*head)).unwrap();
                    assert!(rest.len() == chunk.len() || chunk.len() - rest.len() < chunk_len);
                    read.push(len);
                    rest = &after[len..];
                }
            }
            assert_eq!(read, lens);
        }
    }

    #[test]
    fn a_record_that_was_cut_is_an_error() {
        let mut spool = Spool::default();
        spool.write(&record(9)[..12]);
        assert!(spool.rewound().unwrap().next().is_err());
    }
}
