//! How far the scanner looks around a trigger.

use crate::scheme;

/// Longest candidate in bytes. Browsers and servers stop far below (some at 8 kB), pictures
/// in `data:` URIs do not; a longer one is given up to here and marked as cut.
pub const CANDIDATE_LEN_MAX: usize = 128 * 1024;

/// Bytes behind a trigger that can decide about its candidate.
pub const LOOKAHEAD_MAX: usize = CANDIDATE_LEN_MAX + 4096;

/// Bytes looked at to the left of a bracket for the beginning of its line.
pub(super) const LINE_BACK_MAX: usize = 1024;

/// Bytes looked at to the left of a scheme for a bracket.
pub(super) const BRACKET_BACK_MAX: usize = 512;

/// Bytes before a trigger that can decide about its candidate.
pub const LOOKBACK_MAX: usize = scheme::SCHEME_LEN_MAX + BRACKET_BACK_MAX + LINE_BACK_MAX + 8;
