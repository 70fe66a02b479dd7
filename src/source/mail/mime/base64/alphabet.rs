//! Maps the alphabet of base64 to values (RFC 4648 §4), and decodes whole groups.

/// Meaning of a blank or a line end. The meaning of a letter is its value, below 64.
pub(super) const BLANK: u8 = 64;
pub(super) const PADDING: u8 = 65;
pub(super) const FOREIGN: u8 = 66;

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

/// Returns the value of a character of base64, or `None` for any other.
pub(in crate::source::mail::mime) fn value(byte: u8) -> Option<u8> {
    Some(meaning(byte)).filter(|meaning| *meaning < 64)
}

pub(super) fn meaning(byte: u8) -> u8 {
    MEANINGS.get(usize::from(byte)).copied().unwrap_or(FOREIGN)
}

/// Returns the three bytes of 24 bits, and a zero.
pub(super) const fn bytes(bits: u32) -> [u8; 4] {
    let [_, first, second, third] = bits.to_be_bytes();
    [first, second, third, 0]
}

/// Appends the bytes that whole groups of base64 encode.
pub(in crate::source::mail::mime) fn append(groups: &[u8], out: &mut Vec<u8>) {
    let (groups, _) = groups.as_chunks::<4>();
    let triple = |group: &[u8; 4]| {
        let bits = group.iter().fold(0, |bits, byte| bits << 6 | u32::from(meaning(*byte) & 63));
        let [first, second, third, _] = bytes(bits);
        [first, second, third]
    };
    out.extend(groups.iter().flat_map(triple));
}
