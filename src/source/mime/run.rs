//! How decoded text came from its source: runs of bytes, each made in one way. A decoder of
//! any coding gives them, one after the other.

use super::base64::alphabet;

/// Bytes of the source that stand for themselves, and what some behind them became: one step of a
/// decoder, since texts hold the one and the other in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Bytes that stand for themselves.
    plain: usize,
    /// Bytes behind these; of both together there is at least one.
    taken: usize,
    /// What the taken ones became.
    made: Made,
}

/// What the end of a run became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// Nothing.
    Nothing,
    /// Up to four bytes, all of them from all that was taken.
    Bytes([u8; 4], u8),
    /// Groups of four characters of base64 became three bytes each.
    Triples,
}

impl Run {
    /// Behind the last run.
    pub(super) const END: Self = Self::nothing(0);

    pub(super) const fn same(plain: usize) -> Self {
        Self { plain, ..Self::nothing(0) }
    }

    pub(super) const fn nothing(taken: usize) -> Self {
        Self { plain: 0, taken, made: Made::Nothing }
    }

    /// A run that became the first `len` of `bytes`.
    pub(super) fn bytes(taken: usize, bytes: [u8; 4], len: usize) -> Self {
        let len = u8::try_from(len.min(bytes.len())).unwrap_or_default();
        Self { plain: 0, taken, made: Made::Bytes(bytes, len) }
    }

    /// A run that became the character `made`, as UTF-8.
    pub(super) fn character(taken: usize, made: char) -> Self {
        let mut bytes = [0; 4];
        let len = made.encode_utf8(&mut bytes).len();
        Self::bytes(taken, bytes, len)
    }

    /// A run of so many whole groups of base64.
    pub(super) const fn triples(groups: usize) -> Self {
        Self { plain: 0, taken: 4 * groups, made: Made::Triples }
    }

    /// The same behind so many bytes that stand for themselves.
    pub(super) const fn behind(self, plain: usize) -> Self {
        Self { plain: plain + self.plain, ..self }
    }

    /// The same made of so many bytes.
    pub(super) const fn made_of(self, taken: usize) -> Self {
        Self { taken, ..self }
    }

    /// Bytes of the source.
    pub(super) const fn source_len(self) -> usize {
        self.plain + self.taken
    }

    /// True when it begins with bytes that stand for themselves: a run of a charset has no others
    /// then.
    pub(super) const fn is_plain(self) -> bool {
        self.plain > 0
    }

    /// What the bytes became that do not stand for themselves, groups of base64 aside.
    pub(super) fn made(&self) -> &[u8] {
        match &self.made {
            Made::Bytes(bytes, len) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Made::Nothing | Made::Triples => &[],
        }
    }

    /// Bytes that it makes.
    pub(super) const fn len(self) -> usize {
        let made = match self.made {
            Made::Nothing => 0,
            Made::Bytes(_, len) => len as usize,
            Made::Triples => self.taken / 4 * 3,
        };
        self.plain + made
    }

    /// Where in the run the byte stands that the `at`th byte came from; the first one of
    /// several.
    pub(super) const fn start_of(self, at: usize) -> usize {
        if at < self.plain {
            return at;
        }
        let behind = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => 0,
                Made::Triples => behind / 3 * 4 + behind % 3,
            }
    }

    /// Where in the run the bytes end that the `at`th byte came from.
    pub(super) const fn end_of(self, at: usize) -> usize {
        if at < self.plain {
            return at + 1;
        }
        let behind = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => self.taken,
                Made::Triples => behind / 3 * 4 + behind % 3 + 2,
            }
    }

    /// Bytes that it makes of its first `at`, which are not all of it, and of nothing else.
    pub(super) const fn len_to(self, at: usize) -> usize {
        if at <= self.plain {
            return at;
        }
        let behind = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => 0,
                // The first byte of a group takes two letters.
                Made::Triples => behind / 4 * 3 + (behind % 4).saturating_sub(1),
            }
    }

    /// Appends what it makes of `source`, which is that of the run.
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
