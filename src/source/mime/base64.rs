//! Base64 (RFC 2045 §6.8), decoded as leniently as mail needs it.
//!
//! Blanks and line ends mean nothing, other foreign characters are passed over, padding may
//! be missing. What stands behind the padding is no base64: list programs append a footer
//! there. It is text as it stands, and so are all lines from the first one on that begins a
//! new group of four and is no base64 as a whole: that is how a footer begins when there is
//! no padding.

use super::run::Run;

/// What a character means: below 64 its value.
const BLANK: u8 = 64;
const PADDING: u8 = 65;
const FOREIGN: u8 = 66;

const MEANINGS: [u8; 256] = meanings();

const fn meanings() -> [u8; 256] {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut meanings = [FOREIGN; 256];
    let mut value: u8 = 0;
    while value < 64 {
        meanings[ALPHABET[value as usize] as usize] = value;
        value += 1;
    }
    meanings[b' ' as usize] = BLANK;
    meanings[b'\t' as usize] = BLANK;
    meanings[b'\r' as usize] = BLANK;
    meanings[b'\n' as usize] = BLANK;
    meanings[b'=' as usize] = PADDING;
    meanings
}

/// The value of a character of base64; none for any other.
pub(super) fn value(byte: u8) -> Option<u8> {
    Some(meaning(byte)).filter(|meaning| *meaning < 64)
}

fn meaning(byte: u8) -> u8 {
    MEANINGS.get(usize::from(byte)).copied().unwrap_or(FOREIGN)
}

/// Whether base64 came to its end.
#[derive(Clone, Debug)]
pub(super) struct State {
    is_over: bool,
}

impl State {
    pub(super) const fn new() -> Self {
        Self { is_over: false }
    }

    /// The run at `at` of `text`, which is behind whole groups.
    pub(super) fn run(&mut self, text: &[u8], at: usize) -> Run {
        let rest = text.get(at..).unwrap_or_default();
        if self.is_over {
            return Run::same(rest.len());
        }
        let clean = rest.iter().take_while(|byte| meaning(**byte) < 64).count();
        let is_line_start = at == 0 || text.get(at - 1) == Some(&b'\n');
        if is_line_start && is_foreign_line(rest.get(clean..).unwrap_or_default()) {
            self.is_over = true;
            return Run::same(rest.len());
        }
        match clean / 4 {
            0 => self.group(rest),
            groups => Run::triples(groups),
        }
    }

    /// One group that is broken by something, or something that is in no group.
    fn group(&mut self, rest: &[u8]) -> Run {
        let outside = rest.iter().take_while(|byte| meaning(**byte) >= BLANK).count();
        if outside > 0 {
            // The next line may be the first of a footer.
            let line = memchr::memchr(b'\n', rest.get(..outside).unwrap_or_default());
            return Run::nothing(line.map_or(outside, |feed| feed + 1));
        }
        let (mut bits, mut count) = (0_u32, 0);
        for (at, byte) in rest.iter().enumerate() {
            match meaning(*byte) {
                value if value < 64 => {
                    bits = bits << 6 | u32::from(value);
                    count += 1;
                    if count == 4 {
                        return Run::bytes(at + 1, bytes(bits), 3);
                    }
                }
                PADDING => {
                    self.is_over = true;
                    return last(padding_end(rest, at), bits, count);
                }
                _ => {}
            }
        }
        last(rest.len(), bits, count)
    }
}

/// The last group, which has less than four characters.
fn last(taken: usize, bits: u32, count: usize) -> Run {
    match count {
        2 => Run::bytes(taken, bytes(bits << 12), 1),
        3 => Run::bytes(taken, bytes(bits << 6), 2),
        _ => Run::nothing(taken),
    }
}

/// Offset behind the padding at `at`: one sign or two, blanks may stand between.
fn padding_end(rest: &[u8], at: usize) -> usize {
    let behind = rest.get(at + 1..).unwrap_or_default();
    let blanks = behind.iter().take_while(|byte| meaning(**byte) == BLANK).count();
    if behind.get(blanks) == Some(&b'=') { at + 1 + blanks + 1 } else { at + 1 }
}

/// The three bytes of 24 bits.
const fn bytes(bits: u32) -> [u8; 4] {
    let [_, first, second, third] = bits.to_be_bytes();
    [first, second, third, 0]
}

/// True when the line that `text` begins with has a character that is foreign to base64.
fn is_foreign_line(text: &[u8]) -> bool {
    let mut line = text.iter().take_while(|byte| **byte != b'\n');
    line.any(|byte| meaning(*byte) == FOREIGN)
}

/// Appends what whole groups of base64 stand for.
pub(super) fn append(groups: &[u8], out: &mut Vec<u8>) {
    let (groups, _) = groups.as_chunks::<4>();
    let triple = |group: &[u8; 4]| {
        let bits = group.iter().fold(0, |bits, byte| bits << 6 | u32::from(meaning(*byte) & 63));
        let [first, second, third, _] = bytes(bits);
        [first, second, third]
    };
    out.extend(groups.iter().flat_map(triple));
}
