//! Where a URI might begin: colons whose neighbours could belong to one.
//!
//! Every scheme ends in a colon, whatever wraps the URI, so one search finds them all. The
//! colon alone is too common in mail (every header, every time of day); its two neighbours
//! settle nearly all of them. What passes here is looked at byte by byte in `super`.

use super::simd;

/// Positions of colons that pass [`passes`], in order.
#[derive(Clone, Debug)]
pub(super) struct Triggers<'h> {
    bytes: &'h [u8],
    search: simd::Search,
    queue: simd::Queue,
    /// Triggers before this offset are not given.
    from: usize,
    /// Offset behind what was searched.
    searched: usize,
}

impl<'h> Triggers<'h> {
    /// Triggers at or behind `from`.
    pub(super) fn new(bytes: &'h [u8], from: usize) -> Self {
        let queue = simd::Queue::new();
        Self { bytes, search: simd::best(), queue, from, searched: from }
    }

    /// Goes on at `at`, which must not lie before a trigger already given.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.from = at;
        if at >= self.searched {
            self.queue.clear();
            self.searched = at;
        }
    }

    /// Where the search goes on.
    pub(super) const fn position(&self) -> usize {
        self.from
    }

    /// Gives triggers from `at` on again, which may lie before those already given.
    pub(super) fn rewind(&mut self, at: usize) {
        self.queue.clear();
        (self.from, self.searched) = (at, at);
    }

    /// The next trigger before `end`.
    pub(super) fn next_before(&mut self, end: usize) -> Option<usize> {
        loop {
            while let Some(at) = self.queue.pop() {
                if at >= end {
                    // Nothing behind it is wanted either.
                    self.rewind(at);
                    return None;
                }
                if at >= self.from {
                    self.from = at + 1;
                    return Some(at);
                }
            }
            if self.searched >= end.min(self.bytes.len()) {
                return None;
            }
            self.searched = (self.search)(self.bytes, self.searched, &mut self.queue);
        }
    }
}

/// True when a colon at `colon` may end a scheme.
///
/// Behind it stands a slash; or before it no blank and none of the punctuation below `0`,
/// and behind it no blank: a space follows every header's name, a line end every "he wrote:".
/// The blank that counts stands in `<mailto: x>`, or in a URI that was wrapped just there,
/// and is told by the bracket a few bytes to the left. Digits on both sides are the time of
/// day, two colons are code.
pub(super) fn passes(bytes: &[u8], colon: usize) -> bool {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let before = colon.checked_sub(1).map_or(b' ', byte);
    let after = byte(colon + 1);
    neighbours_pass(before, after) && (after > b' ' || bracket_is_near(bytes, colon))
}

/// True when a colon between these two may be a trigger; before a blank, if a bracket stands
/// near. By a table, so that nothing has to be guessed.
#[inline]
fn neighbours_pass(before: u8, after: u8) -> bool {
    PASSES[usize::from(KINDS[usize::from(before)])] >> KINDS[usize::from(after)] & 1 == 1
}

/// What `passes` says of the colon in the middle of `around`, without a branch.
#[inline]
pub(super) fn surroundings_pass(around: &[u8; BRACKET_DISTANCE_MAX + 2]) -> bool {
    let [first @ .., _, after] = around;
    let near = has_bracket(*first);
    neighbours_pass(first[BRACKET_DISTANCE_MAX - 1], *after) & ((*after > b' ') | near)
}

/// True when one of eight bytes is an opening bracket: a byte that is zero after the
/// exclusive or is the only one from which a borrow comes.
#[inline]
const fn has_bracket(bytes: [u8; 8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let zeroes = u64::from_le_bytes(bytes) ^ (ONES * b'<' as u64);
    zeroes.wrapping_sub(ONES) & !zeroes & (ONES << 7) != 0
}

/// Kinds of bytes beside a colon.
const LOW: u8 = 0;
const BLANK: u8 = 1;
const SLASH: u8 = 2;
const DIGIT: u8 = 3;
const COLON: u8 = 4;
const OTHER: u8 = 5;

static KINDS: [u8; 256] = kinds();
/// For each kind before a colon the kinds behind it that go with it, as bits.
static PASSES: [u8; 6] = passing();

const fn kinds() -> [u8; 256] {
    let mut kinds = [OTHER; 256];
    let mut byte = 0;
    while byte <= b':' {
        kinds[byte as usize] = match byte {
            0..=b' ' => BLANK,
            b'/' => SLASH,
            b'0'..=b'9' => DIGIT,
            b':' => COLON,
            _ => LOW,
        };
        byte += 1;
    }
    kinds
}

const fn passing() -> [u8; 6] {
    let always = 1 << SLASH;
    let mut passing = [always; 6];
    passing[DIGIT as usize] |= 1 << BLANK | 1 << LOW | 1 << OTHER;
    passing[COLON as usize] |= 1 << BLANK;
    passing[OTHER as usize] |= 1 << BLANK | 1 << LOW | 1 << DIGIT | 1 << OTHER;
    passing
}

/// Names of schemes that people put in brackets are short; a longer one is not looked for.
pub(super) const BRACKET_DISTANCE_MAX: usize = 8;

fn bracket_is_near(bytes: &[u8], colon: usize) -> bool {
    let from = colon.saturating_sub(BRACKET_DISTANCE_MAX);
    bytes.get(from..colon).unwrap_or_default().contains(&b'<')
}
