//! Archives of the Web: WARC and ARC, and what servers answered of which their records are.

pub(in crate::source) mod arc;
mod gaps;
mod http;
mod record_end;
pub(super) mod warc;
