//! Decodes header fields whose white space is insignificant (RFC 2017 §3).

use super::run::Run;

/// Returns the run up to the next white space, or that of white space, which is deleted.
pub(super) fn run(rest: &[u8]) -> Run {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    match rest.iter().take_while(|byte| is_blank(byte)).count() {
        0 => Run::same(rest.iter().take_while(|byte| !is_blank(byte)).count()),
        blanks => Run::nothing(blanks),
    }
}
