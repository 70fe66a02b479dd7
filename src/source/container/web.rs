//! Reads archives of the Web, WARC and ARC, and the HTTP responses in their records.

pub(in crate::source) mod arc;
mod gaps;
#[cfg(feature = "probe")]
pub(crate) mod heads;
mod http;
mod record_end;
mod sections;
pub(in crate::source) mod warc;
