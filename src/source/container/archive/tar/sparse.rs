//! Reads sparse members of tar archives: their stored bytes, with zeros in between.
//!
//! GNU tar has written the map of a member in four ways: in its header, in two ways among the
//! records of pax (0.0, 0.1), and before its bytes (1.0).

use std::io::{self, Read};

use super::block::{BLOCK_LEN, Block, field, number};
use crate::source::container::archive::decimal;
use crate::source::container::{Broken, Fault, Meter};

/// Maximum number of runs of bytes in one member: a map of 4 MiB.
const RUNS_MAX: usize = 256 * 1024;

/// The map of the stored bytes of a sparse member.
#[derive(Default)]
pub(super) struct Map {
    /// Offset and length of each run.
    runs: Vec<(u64, u64)>,
    /// Length of the member with its holes.
    len: u64,
    name: Option<Vec<u8>>,
    form: Form,
    goes_on: bool,
    is_broken: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    /// There is no map.
    #[default]
    None,
    /// The map is complete.
    Complete,
    /// The map precedes the bytes of the member.
    InFront,
}

impl Map {
    /// Reads the map in a header of the old GNU format.
    pub(super) fn old(block: &Block) -> Self {
        let mut map = Self { form: Form::Complete, ..Self::default() };
        map.len = map.number(field(block, 483, 12));
        map.read_runs(block, 386, 4, 482);
        map
    }

    /// Reads a further block of the map.
    pub(super) fn read_more(&mut self, block: &Block) {
        self.read_runs(block, 0, 21, 504);
    }

    fn read_runs(&mut self, block: &Block, start: usize, count: usize, more_at: usize) {
        for at in (start..).step_by(24).take(count) {
            if field(block, at, 1) == b"\0" {
                break;
            }
            let offset = self.number(field(block, at, 12));
            let len = self.number(field(block, at + 12, 12));
            self.push(offset, len);
        }
        self.goes_on = block.get(more_at).is_some_and(|flag| *flag != 0);
    }

    fn number(&mut self, field: &[u8]) -> u64 {
        let number = number(field);
        self.is_broken |= number.is_none();
        number.unwrap_or_default()
    }

    /// Appends a run; runs must be in order.
    fn push(&mut self, offset: u64, len: u64) {
        let before = self.runs.last().map_or(0, |(offset, len)| offset.saturating_add(*len));
        self.is_broken |= offset < before || self.runs.len() >= RUNS_MAX;
        if !self.is_broken {
            self.runs.push((offset, len));
        }
    }

    /// Reports whether the next block belongs to the map.
    pub(super) const fn goes_on(&self) -> bool {
        self.goes_on && !self.is_broken
    }

    /// Reports whether the member is sparse.
    pub(super) fn is_told(&self) -> bool {
        self.form != Form::None
    }

    /// Returns the real name of the member if its header has another one.
    pub(super) fn name(&self) -> Option<Vec<u8>> {
        self.name.clone()
    }

    /// Reads a record of an extended header of pax.
    pub(super) fn read_record(&mut self, key: &[u8], value: &[u8]) {
        let number = decimal(value);
        match (key, number) {
            (b"GNU.sparse.name", _) => self.name = Some(value.to_vec()),
            (b"GNU.sparse.size" | b"GNU.sparse.realsize", Some(len)) => self.len = len,
            (b"GNU.sparse.major", Some(1)) => self.form = Form::InFront,
            (b"GNU.sparse.numblocks", _) => self.form = Form::Complete,
            (b"GNU.sparse.offset", Some(offset)) => self.push(offset, 0),
            (b"GNU.sparse.numbytes", Some(bytes)) => {
                if let Some((_, len)) = self.runs.last_mut() {
                    *len = bytes;
                }
            }
            (b"GNU.sparse.map", _) => {
                self.form = Form::Complete;
                self.read_pairs(value.split(|byte| *byte == b','));
            }
            _ => {}
        }
    }

    fn read_pairs<'t>(&mut self, mut numbers: impl Iterator<Item = &'t [u8]>) {
        while let Some(offset) = numbers.next() {
            match (decimal(offset), numbers.next().and_then(decimal)) {
                (Some(offset), Some(len)) => self.push(offset, len),
                _ => self.is_broken = true,
            }
        }
    }

    /// Reads a map of decimal numbers, one a line, from the blocks before the bytes.
    fn read_in_front(&mut self, data: &mut impl Read) -> io::Result<()> {
        let mut lines = Lines { data, block: [0; BLOCK_LEN], at: BLOCK_LEN };
        let count = lines.number()?;
        self.is_broken |= count.is_none();
        for _ in 0..count.unwrap_or_default() {
            match (lines.number()?, lines.number()?) {
                (Some(offset), Some(len)) => self.push(offset, len),
                _ => self.is_broken = true,
            }
            if self.is_broken {
                break;
            }
        }
        Ok(())
    }
}

/// A reader of decimal numbers in blocks, one a line.
struct Lines<'d, R> {
    data: &'d mut R,
    block: Block,
    at: usize,
}

impl<R: Read> Lines<'_, R> {
    /// Reads the next number; returns none if the line holds anything else.
    fn number(&mut self) -> io::Result<Option<u64>> {
        /// Maximum length of a line: the digits of the largest number, and the line end.
        const LINE_LEN_MAX: usize = 21;
        let mut line = Vec::new();
        while line.len() < LINE_LEN_MAX {
            if self.at == BLOCK_LEN {
                self.data.read_exact(&mut self.block)?;
                self.at = 0;
            }
            let byte = self.block.get(self.at).copied().unwrap_or_default();
            self.at += 1;
            if byte == b'\n' {
                return Ok(decimal(&line));
            }
            line.push(byte);
        }
        Ok(None)
    }
}

/// The bytes of a sparse member, with zeros in its holes.
pub(super) struct Holes<'d, 'a, R> {
    data: &'d mut R,
    map: Map,
    /// Number of runs before the current offset.
    passed: usize,
    /// Current offset in the member.
    at: u64,
    /// Stored bytes read so far.
    stored: u64,
    meter: Meter<'a>,
}

impl<'d, 'a, R: Read> Holes<'d, 'a, R> {
    /// # Errors
    /// Returns an error when the map cannot be read.
    pub(super) fn new(mut map: Map, data: &'d mut R, meter: Meter<'a>) -> io::Result<Self> {
        if map.form == Form::InFront {
            map.read_in_front(data)?;
        }
        let end = map.runs.last().map_or(0, |(offset, len)| offset.saturating_add(*len));
        if map.is_broken || end > map.len {
            let cause = Broken::SparseMap.into();
            return Err(Fault { scope: meter.scope, offset: Some(0), cause }.into());
        }
        Ok(Self { data, map, passed: 0, at: 0, stored: 0, meter })
    }
}

impl<R> Holes<'_, '_, R> {
    fn too_short(&self) -> io::Error {
        let (offset, cause) = (Some(self.at), Broken::SparseBytes.into());
        Fault { scope: self.meter.scope, offset, cause }.into()
    }
}

impl<R: Read> Read for Holes<'_, '_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some((offset, len)) = self.map.runs.get(self.passed)
            && offset.saturating_add(*len) <= self.at
        {
            self.passed += 1;
        }
        let run = self.map.runs.get(self.passed);
        let (is_hole, end) = match run {
            Some((offset, len)) if *offset <= self.at => (false, offset.saturating_add(*len)),
            Some((offset, _)) => (true, *offset),
            None => (true, self.map.len),
        };
        let most = usize::try_from(end.saturating_sub(self.at)).unwrap_or(out.len());
        let Some(out) = out.split_at_mut_checked(most.min(out.len())).map(|(out, _)| out) else {
            return Ok(0);
        };
        let len = if is_hole {
            out.fill(0);
            out.len()
        } else {
            let len = self.data.read(out)?;
            self.stored += len as u64;
            if len == 0 && !out.is_empty() {
                return Err(self.too_short());
            }
            len
        };
        self.at += len as u64;
        self.meter.add(len, self.stored)?;
        Ok(len)
    }
}
