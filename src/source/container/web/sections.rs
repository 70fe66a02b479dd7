//! Divides the text of a compressed web archive where a member follows a damaged one.
//!
//! A member of gzip begins with a record (WARC 1.1 Annex D). A record that a fault has cut must not
//! take its missing bytes from the next member, whose records are whole. The text before such a
//! member therefore ends as though the archive did. If the member begins with no record, as where
//! a program packs blocks of a fixed length, its text continues the one before.

use std::io::{self, Read};

use crate::source::container::Budget;

/// Bytes of a member that decide whether it begins with a record.
const LOOK_LEN: usize = 1024;

/// A reader of one section of the text after the other.
pub(super) struct Sections<'i> {
    inner: &'i mut dyn Read,
    budget: &'i Budget,
    /// The scope of the compressed streams.
    scope: usize,
    begins: fn(&[u8]) -> bool,
    /// Bytes given.
    passed: u64,
    /// Bytes read of the next members, and not given.
    held: Vec<u8>,
    /// The error after these bytes.
    failed: Option<io::Error>,
    /// Restarts before this offset are dealt with.
    from: u64,
    is_at_section: bool,
}

impl<'i> Sections<'i> {
    /// Returns a reader of `inner`, the text of the streams of `scope`. A record begins with any
    /// text of which `begins` says so.
    pub(super) fn new(
        inner: &'i mut dyn Read,
        budget: &'i Budget,
        scope: usize,
        begins: fn(&[u8]) -> bool,
    ) -> Self {
        let (held, failed) = (Vec::new(), None);
        let (passed, from, is_at_section) = (0, 0, false);
        Self { inner, budget, scope, begins, passed, held, failed, from, is_at_section }
    }

    /// Returns the number of bytes given, in all sections.
    pub(super) const fn passed(&self) -> u64 {
        self.passed
    }

    /// Moves to the next section after the end of this one; returns false if none follows.
    pub(super) const fn turn(&mut self) -> bool {
        std::mem::replace(&mut self.is_at_section, false)
    }

    /// Returns the number of bytes before the next restart.
    fn before_restart(&self) -> usize {
        let restart = self.budget.next_restart(self.scope, self.from);
        let len = restart.map(|at| at.saturating_sub(self.passed));
        len.map_or(usize::MAX, |len| usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Reports whether a record begins here, where decoding restarted.
    fn is_record(&mut self) -> bool {
        let mut more = [0; LOOK_LEN];
        while self.held.len() < LOOK_LEN && self.failed.is_none() {
            match self.inner.read(&mut more) {
                Ok(0) => break,
                Ok(len) => self.held.extend_from_slice(more.get(..len).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.failed = Some(error),
            }
        }
        let most = self.before_restart();
        (self.begins)(self.held.get(..most).unwrap_or(&self.held))
    }
}

impl Read for Sections<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.is_at_section {
            return Ok(0);
        }
        if self.held.is_empty() {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            let len = self.inner.read(out)?;
            if self.before_restart() >= len {
                self.passed += len as u64;
                return Ok(len);
            }
            self.held.extend_from_slice(out.get(..len).unwrap_or_default());
        }
        if self.before_restart() == 0 {
            self.from = self.passed + 1;
            self.is_at_section = self.is_record();
            if self.is_at_section {
                return Ok(0);
            }
        }
        let most = self.before_restart().min(self.held.len());
        let len = self.held.get(..most).unwrap_or_default().read(out)?;
        self.held.drain(..len);
        self.passed += len as u64;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::Sections;
    use crate::source::container::{Budget, Meter};

    /// Returns the sections of `text`, of which a member begins after a fault at each `|`, and a
    /// record at each `#`. The text is read in pieces of `len` bytes.
    fn sections(text: &str, len: usize) -> Vec<String> {
        let budget = Budget::default();
        let mut meter = Meter::new(&budget, 3, u64::MAX);
        for part in text.split_inclusive('|') {
            let made = part.trim_end_matches('|').len();
            meter.add(made, u64::MAX).unwrap();
            if part.ends_with('|') {
                meter.restart();
            }
        }
        let text = text.replace('|', "");
        let mut inner = text.as_bytes();
        let mut sections = Sections::new(&mut inner, &budget, 3, |text| text.starts_with(b"#r"));
        let (mut found, mut out) = (Vec::new(), vec![0; len]);
        loop {
            let mut section = Vec::new();
            loop {
                let len = sections.read(&mut out).unwrap();
                if len == 0 {
                    break;
                }
                section.extend_from_slice(&out[..len]);
            }
            found.push(String::from_utf8(section).unwrap());
            if !sections.turn() {
                assert_eq!(sections.passed(), text.len() as u64);
                return found;
            }
        }
    }

    #[test]
    fn a_section_begins_where_a_record_begins_after_a_fault() {
        for len in [1, 2, 3, 5, 100] {
            let case = |text: &str, expected: &[&str]| {
                assert_eq!(sections(text, len), expected, "{text} by {len}");
            };
            case("", &[""]);
            case("#r1 #r2", &["#r1 #r2"]);
            case("#r1|#r2", &["#r1", "#r2"]);
            case("#r1|abc#r2", &["#r1abc#r2"]);
            case("#r1||#r2|x|#|#r3", &["#r1", "#r2x#", "#r3"]);
            case("#r1|#|r2", &["#r1#r2"]);
            case("|#r1|", &["", "#r1"]);
        }
    }

    #[test]
    fn restarts_of_other_streams_divide_nothing() {
        let budget = Budget::default();
        let mut meter = Meter::new(&budget, 2, u64::MAX);
        meter.add(3, u64::MAX).unwrap();
        meter.restart();
        let read = |scope: usize| {
            let mut inner = &b"abc#r"[..];
            let begins = |text: &[u8]| text.starts_with(b"#r");
            let mut out = String::new();
            let mut sections = Sections::new(&mut inner, &budget, scope, begins);
            sections.read_to_string(&mut out).unwrap();
            out
        };
        assert_eq!((read(1), read(2), read(3)), ("abc#r".into(), "abc".into(), "abc#r".into()));
        Meter::new(&budget, 3, u64::MAX).forget_restarts();
        assert_eq!(read(2), "abc");
        Meter::new(&budget, 2, u64::MAX).forget_restarts();
        assert_eq!(read(2), "abc#r");
    }
}
