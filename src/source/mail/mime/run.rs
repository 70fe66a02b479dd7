//! Describes how decoded text came from its source: in runs of bytes, each decoded in one way.
//! Every decoder returns its runs in order.

use super::base64::alphabet;

/// One step of a decoder: bytes of the source that are copied, and the result of decoding those
/// that follow. In most texts the two alternate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Number of copied bytes.
    plain: usize,
    /// Number of decoded source bytes after these; the two together are at least one.
    taken: usize,
    /// Result of decoding.
    made: Made,
}

/// Result of decoding the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// Nothing.
    Nothing,
    /// Up to four bytes, each of which came from all of the decoded source bytes.
    Bytes([u8; 4], u8),
    /// Three bytes for each group of four characters of base64.
    Triples,
}

impl Run {
    /// The end, after the last run.
    pub(super) const END: Self = Self::nothing(0);

    pub(super) const fn same(plain: usize) -> Self {
        Self { plain, ..Self::nothing(0) }
    }

    pub(super) const fn nothing(taken: usize) -> Self {
        Self { plain: 0, taken, made: Made::Nothing }
    }

    /// Returns a run of `taken` bytes that are decoded to the first `len` of `bytes`.
    pub(super) fn bytes(taken: usize, bytes: [u8; 4], len: usize) -> Self {
        let len = u8::try_from(len.min(bytes.len())).unwrap_or_default();
        Self { plain: 0, taken, made: Made::Bytes(bytes, len) }
    }

    /// Returns a run of `taken` bytes that are decoded to the character `made`, as UTF-8.
    pub(super) fn character(taken: usize, made: char) -> Self {
        let mut bytes = [0; 4];
        let len = made.encode_utf8(&mut bytes).len();
        Self::bytes(taken, bytes, len)
    }

    /// Returns a run of this number of whole groups of base64.
    pub(super) const fn triples(groups: usize) -> Self {
        Self { plain: 0, taken: 4 * groups, made: Made::Triples }
    }

    /// Returns the run with this number of copied bytes before it.
    pub(super) const fn after(self, plain: usize) -> Self {
        Self { plain: plain + self.plain, ..self }
    }

    /// Returns the run with another number of decoded source bytes.
    pub(super) const fn made_of(self, taken: usize) -> Self {
        Self { taken, ..self }
    }

    /// Reports whether the run is decoded from the source bytes of the next run.
    pub(super) const fn is_beginning(self) -> bool {
        self.source_len() == 0 && self.len() > 0
    }

    /// Returns the length in source bytes.
    pub(super) const fn source_len(self) -> usize {
        self.plain + self.taken
    }

    /// Reports whether the run begins with copied bytes. A run of a charset then has no others.
    pub(super) const fn is_plain(self) -> bool {
        self.plain > 0
    }

    /// Returns the decoded bytes without the copied ones; none for groups of base64.
    pub(super) fn made(&self) -> &[u8] {
        match &self.made {
            Made::Bytes(bytes, len) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Made::Nothing | Made::Triples => &[],
        }
    }

    /// Returns the number of bytes that the run produces.
    pub(super) const fn len(self) -> usize {
        let made = match self.made {
            Made::Nothing => 0,
            Made::Bytes(_, len) => len as usize,
            Made::Triples => self.taken / 4 * 3,
        };
        self.plain + made
    }

    /// Returns the offset in the run of the source byte that the `at`th produced byte came from; of
    /// several, the first.
    pub(super) const fn start_of(self, at: usize) -> usize {
        if at < self.plain {
            return at;
        }
        let after = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => 0,
                Made::Triples => after / 3 * 4 + after % 3,
            }
    }

    /// Returns the offset in the run after the source bytes that the `at`th produced byte came
    /// from.
    pub(super) const fn end_of(self, at: usize) -> usize {
        if at < self.plain {
            return at + 1;
        }
        let after = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => self.taken,
                Made::Triples => after / 3 * 4 + after % 3 + 2,
            }
    }

    /// Returns the number of bytes that come from the first `at` source bytes alone, where these
    /// are not the whole run.
    pub(super) const fn len_to(self, at: usize) -> usize {
        if at <= self.plain {
            return at;
        }
        let after = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => 0,
                // The first byte of a group needs two letters.
                Made::Triples => after / 4 * 3 + (after % 4).saturating_sub(1),
            }
    }

    /// Appends the bytes that the run produces from `source`, its source bytes.
    pub(super) fn append(self, source: &[u8], out: &mut Vec<u8>) {
        let (plain, taken) = source.split_at(self.plain.min(source.len()));
        out.extend_from_slice(plain);
        match self.made {
            Made::Nothing => {}
            Made::Bytes(bytes, len) => out.extend(bytes.iter().take(len.into())),
            Made::Triples => alphabet::append(taken, out),
        }
    }
}
