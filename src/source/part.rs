//! Divides files: the places where a reader can begin, and the parts between them.
//!
//! The code that reads whole files finds these places, too (`file::scout`). So a reader of a part
//! makes the same pieces and members of it as a reader of the whole file.

use std::fs::File;
use std::io::{self, Read};

#[cfg(feature = "report")]
use serde::{Deserialize, Serialize};

use crate::platform;
use crate::span::Position;

/// How a file is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "report", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "report", serde(rename_all = "lowercase"))]
pub enum Division {
    /// By the pieces of its text.
    Text,
    /// By the members of a tar archive.
    Tar,
    /// By the records of a WARC file, whose streams may be compressed one by one.
    Warc,
    /// By the entries in the directory of a zip archive.
    Zip,
}

/// A place where a reader can begin, with all that it must know of the bytes before the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "report", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "report", serde(deny_unknown_fields))]
pub struct Joint {
    /// Offset in the file; of zip archives, the number of the entry, from 0.
    pub at: u64,
    /// Bytes before the place that a piece must see.
    pub context: usize,
    /// Position of the first of these bytes: line, column, and byte in the line.
    pub position: (u64, u64, u64),
    /// Number of messages or records before the place.
    pub count: u64,
    /// Offset from the first of these bytes after which comments are not read yet.
    pub comments: usize,
    /// The same offset for escapes.
    pub escapes: usize,
}

impl Joint {
    /// The beginning of a file.
    pub const START: Self = Self::plain(0, 0);

    /// Returns a joint before which `count` members are.
    #[must_use]
    pub const fn plain(at: u64, count: u64) -> Self {
        Self { at, context: 0, position: (1, 1, 1), count, comments: 0, escapes: 0 }
    }

    pub(super) const fn start_position(&self) -> Position {
        let (line, column, byte) = self.position;
        Position { line, column, byte }
    }
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "report", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "report", serde(deny_unknown_fields))]
pub struct Part {
    /// How the file is divided.
    pub by: Division,
    /// Its beginning.
    pub start: Joint,
    /// The beginning of the next part, as [`Joint::at`]; `None` if this is the last part.
    pub end: Option<u64>,
}

/// A chooser of joints: as few as possible, so that parts are no longer than wanted where that can
/// be.
#[derive(Debug)]
pub struct Picker {
    len_max: u64,
    /// The measure of the last joint chosen.
    from: u64,
    last: Option<(u64, Joint)>,
    chosen: Vec<Joint>,
}

impl Picker {
    /// Returns a chooser for parts of `len_max` bytes.
    #[must_use]
    pub const fn new(len_max: u64) -> Self {
        Self { len_max, from: 0, last: None, chosen: Vec::new() }
    }

    /// Reports whether a joint after `measure` bytes is likely to be chosen.
    #[must_use]
    pub const fn wants(&self, measure: u64) -> bool {
        measure.saturating_sub(self.from) > self.len_max / 2
    }

    /// Takes a joint with `measure` bytes before it.
    pub fn offer(&mut self, measure: u64, joint: Joint) {
        self.choose(measure);
        if measure > self.from {
            self.last = Some((measure, joint));
        }
    }

    /// Chooses the last joint if a part from the previous one to `measure` is too long.
    fn choose(&mut self, measure: u64) {
        if measure.saturating_sub(self.from) > self.len_max
            && let Some((at, joint)) = self.last.take()
        {
            self.from = at;
            self.chosen.push(joint);
        }
    }

    /// Returns the joints chosen in a file of `len` bytes.
    #[must_use]
    pub fn finish(mut self, len: u64) -> Vec<Joint> {
        self.last = self.last.take().filter(|(measure, _)| *measure < len);
        self.choose(len);
        self.chosen
    }
}

/// A reader of the bytes `at..end` of a file, which moves no cursor.
pub(super) struct Range<'f> {
    file: &'f File,
    at: u64,
    end: u64,
}

impl<'f> Range<'f> {
    pub(super) const fn new(file: &'f File, at: u64, end: u64) -> Self {
        Self { file, at, end }
    }
}

impl Read for Range<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = out.len().min(left);
        // The system refuses offsets that are too large, even for reading nothing.
        if len == 0 {
            return Ok(0);
        }
        let len = platform::read_at(self.file, out.get_mut(..len).unwrap_or_default(), self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::{Joint, Picker};

    /// Returns the places chosen for parts of `len_max` bytes.
    fn chosen(len_max: u64, places: &[u64], len: u64) -> Vec<u64> {
        let mut picker = Picker::new(len_max);
        for at in places {
            picker.offer(*at, Joint::plain(*at, 0));
        }
        picker.finish(len).iter().map(|joint| joint.at).collect()
    }

    #[test]
    fn parts_are_as_long_as_they_may_be() {
        assert_eq!(chosen(10, &[0, 4, 8, 12, 16, 20, 24], 28), [8, 16, 24]);
        assert_eq!(chosen(10, &[0, 4, 8, 12, 16, 20, 24], 26), [8, 16]);
        assert_eq!(chosen(10, &[0, 30, 60], 65), [30, 60]);
        assert_eq!(chosen(10, &[], 65), [0; 0]);
        assert_eq!(chosen(0, &[0, 1, 2], 3), [1, 2]);
        assert_eq!(chosen(100, &[0, 30, 60], 65), [0; 0]);
        assert_eq!(chosen(10, &[0, 30, 65], 65), [30], "no part is empty");
    }
}
