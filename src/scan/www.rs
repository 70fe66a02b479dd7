//! Finds host names that begin with `www.` and have no scheme: a shorthand (RFC 2396 Appendix F),
//! searched for only on request.

use memchr::memmem::Finder;

use super::unfold;

/// Longest host (RFC 1034 §3.1).
pub(super) const HOST_LEN_MAX: usize = 255;

/// Spellings that occur in text; other mixes of case do not.
const SPELLINGS: [&[u8; 4]; 3] = [b"www.", b"WWW.", b"Www."];

/// Positions of `www.` that begin a word, in order.
#[derive(Clone, Debug)]
pub(super) struct Places<'h> {
    bytes: &'h [u8],
    finders: [Finder<'static>; 3],
    /// For each spelling the next place: `None` if it has not been searched for, `usize::MAX` if
    /// there is none.
    next: [Option<usize>; 3],
    from: usize,
}

impl<'h> Places<'h> {
    pub(super) fn new(bytes: &'h [u8], from: usize) -> Self {
        let mut places = Self { bytes, finders: SPELLINGS.map(Finder::new), next: [None; 3], from };
        places.skip_to(from);
        places
    }

    /// Continues at `at`.
    pub(super) fn skip_to(&mut self, at: usize) {
        let (fresh, bytes) = (self.from >= at, self.bytes);
        self.from = at;
        for (finder, next) in self.finders.iter().zip(&mut self.next) {
            let is_passed = next.is_none_or(|next| next < at);
            if fresh || is_passed && *next != Some(usize::MAX) {
                let found = finder.find(bytes.get(at..).unwrap_or_default());
                *next = Some(found.map_or(usize::MAX, |found| at + found));
            }
        }
    }

    /// Returns the first place that was not skipped.
    pub(super) fn peek(&self) -> Option<usize> {
        self.next.iter().flatten().copied().min().filter(|at| *at < self.bytes.len())
    }
}

/// Reports whether a name that begins at `at` begins a word: not within a path, an address or a
/// word.
pub(super) fn begins_word(bytes: &[u8], at: usize) -> bool {
    unfold::ends_escape(bytes, at)
        || at.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|before| {
            !before.is_ascii_alphanumeric()
                && !matches!(before, b'.' | b'-' | b'_' | b'/' | b'@' | b'\\' | b'%' | b':')
        })
}

/// Reports whether `text` begins with a host of at least three labels: `www.`, a name, and a
/// top-level label of letters.
pub(super) fn is_host(text: &[u8]) -> bool {
    let len = text.iter().take_while(|byte| !matches!(byte, b'/' | b'?' | b'#' | b':')).count();
    let host = text.get(..len).unwrap_or_default();
    let labels = host.split(|byte| *byte == b'.').skip(1);
    let is_named = labels.clone().next().is_some_and(|name| !name.is_empty() && name != b"www");
    let is_top = |label: &[u8]| {
        label.len() > 1 && label.iter().all(|byte| byte.is_ascii_alphabetic() || *byte > 0x7F)
    };
    len <= HOST_LEN_MAX
        && is_named
        && labels.clone().count() > 1
        && labels.last().is_some_and(is_top)
}
