//! Percent-encode sets of the URL Standard (§1.3), forbidden code points of hosts (§3.1), and
//! URL code points (§4.3).

use crate::uri::percent::escape;

/// A set of bytes: one bit of each entry in [`SETS`].
#[derive(Clone, Copy)]
pub(super) struct Set(u8);

/// §1.3, C0 control percent-encode set: C0 controls and everything above U+007E.
pub(super) const C0_CONTROL: Set = Set(1);
/// §1.3, fragment percent-encode set.
pub(super) const FRAGMENT: Set = Set(1 << 1);
/// §1.3, query percent-encode set.
pub(super) const QUERY: Set = Set(1 << 2);
/// §1.3, special-query percent-encode set.
pub(super) const SPECIAL_QUERY: Set = Set(1 << 3);
/// §1.3, path percent-encode set.
pub(super) const PATH: Set = Set(1 << 4);
/// §1.3, userinfo percent-encode set.
pub(super) const USERINFO: Set = Set(1 << 5);
/// §3.1, forbidden host code points.
pub(super) const FORBIDDEN_HOST: Set = Set(1 << 6);
/// §3.1, forbidden domain code points.
pub(super) const FORBIDDEN_DOMAIN: Set = Set(1 << 7);

impl Set {
    #[inline]
    pub(super) const fn has(self, byte: u8) -> bool {
        // The index of a table of 256 is in bounds.
        SETS[byte as usize] & self.0 != 0
    }

    /// Returns the offset of the first byte of `text` that is in the set.
    #[inline]
    pub(super) fn find(self, text: &str) -> Option<usize> {
        text.bytes().position(|byte| self.has(byte))
    }

    /// Appends `text` with the set's bytes as escapes (§1.3, UTF-8 percent-encode).
    pub(super) fn encode(self, text: &str, out: &mut String) {
        let mut from = 0;
        for (at, byte) in text.bytes().enumerate() {
            if self.has(byte) {
                out.push_str(text.get(from..at).unwrap_or_default());
                out.extend(escape(byte).map(char::from));
                from = at + 1;
            }
        }
        out.push_str(text.get(from..).unwrap_or_default());
    }
}

static SETS: [u8; 256] = sets();

const fn sets() -> [u8; 256] {
    let mut sets = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if matches!(byte, 0..0x20 | 0x7F..) {
            sets[byte] =
                C0_CONTROL.0 | FRAGMENT.0 | QUERY.0 | SPECIAL_QUERY.0 | PATH.0 | USERINFO.0;
        }
        if matches!(byte, 0..0x20 | 0x7F) {
            sets[byte] |= FORBIDDEN_DOMAIN.0;
        }
        byte += 1;
    }
    sets = with(sets, b" \"<>`", FRAGMENT.0);
    sets = with(sets, b" \"#<>", QUERY.0 | SPECIAL_QUERY.0 | PATH.0 | USERINFO.0);
    sets = with(sets, b"'", SPECIAL_QUERY.0);
    sets = with(sets, b"?^`{}", PATH.0 | USERINFO.0);
    sets = with(sets, b"/:;=@[\\]|", USERINFO.0);
    sets = with(sets, b"\0\t\n\r #/:<>?@[\\]^|", FORBIDDEN_HOST.0 | FORBIDDEN_DOMAIN.0);
    with(sets, b"%", FORBIDDEN_DOMAIN.0)
}

const fn with(mut sets: [u8; 256], bytes: &[u8], bits: u8) -> [u8; 256] {
    let mut idx = 0;
    while idx < bytes.len() {
        sets[bytes[idx] as usize] |= bits;
        idx += 1;
    }
    sets
}

/// Reports whether two hexadecimal digits follow the percent sign at `at`.
pub(super) fn is_escape(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
}

/// Reports whether `char` is a URL code point (§4.3).
pub(super) fn is_url_code_point(char: char) -> bool {
    match char {
        '\0'..='\u{7F}' => char.is_ascii_alphanumeric() || "!$&'()*+,-./:;=?@_~".contains(char),
        '\u{80}'..='\u{9F}' | '\u{FDD0}'..='\u{FDEF}' => false,
        // Noncharacters at the end of each plane.
        _ => u32::from(char) & 0xFFFE != 0xFFFE,
    }
}
