//! Limits of the scanner's lookahead and lookbehind around a trigger.

use crate::scheme;

/// Maximum length of a candidate in bytes. Browsers and servers accept less (some only 8 kB), but
/// pictures in `data:` URIs are longer. A longer candidate is reported up to here, marked as cut.
pub const CANDIDATE_LEN_MAX: usize = 128 * 1024;

/// Number of bytes after a trigger that can affect its candidate.
pub const LOOKAHEAD_MAX: usize = CANDIDATE_LEN_MAX + 4096;

/// Maximum number of bytes between brackets with a blank or a break inside; longer content is text.
/// Links that gateways wrapped have up to 2 kB, and the marks of a reply are before each line.
pub(super) const FOLDED_LEN_MAX: usize = 4096;

/// Number of bytes before a bracket that are searched for the beginning of its line.
pub(super) const LINE_BACK_MAX: usize = 1024;

/// Number of bytes before a scheme that are searched for a bracket.
pub(super) const BRACKET_BACK_MAX: usize = 512;

/// Number of bytes before a trigger that can affect its candidate.
pub const LOOKBACK_MAX: usize = scheme::SCHEME_LEN_MAX + BRACKET_BACK_MAX + LINE_BACK_MAX + 8;
