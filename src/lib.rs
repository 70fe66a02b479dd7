//! linktrawl finds every URI in mail spools, news spools, text archives and documentation,
//! validates each one against the grammar of its specification, optionally probes whether it still
//! answers, and reports.
//!
//! # The way data goes, and the only way
//! ```text
//! source ──> haystack ──> scan ──> grammar ──> check ──(probe)──> judge ──> report
//! raw bytes  decoded      candidates  URI or fault  findings        verdicts   text · ndjson
//! ```
//! [`source`] decodes, and nothing after it asks how a text was stored: mail, documents and plain
//! text become [haystacks](source::haystack::Haystack), which [`check`] reads in one loop.
//!
//! [`run`] connects the stages; nothing calls backwards. Worker threads turn pieces of input into
//! encoded records. One writer writes them in the order of the inputs, so the output is the same
//! for any number of threads.
//!
//! # Invariants
//! - Text is bytes until a report prints it. No file is skipped for a bad byte. [`scan`] and
//!   [`grammar`] do no I/O and never panic.
//! - A link's fault is never an `Err`; the tool's own failure is never a `Finding`.
//! - Nothing is omitted silently: skipped items are counted with a reason.
//! - Every loop over foreign data has a named limit (`const …_MAX`, with its reason).
//! - No global mutable state, no environment reading, and no `unsafe` outside the one module
//!   that calls SIMD instructions.
//! - Memory does not grow with the size of the input, only with the number of distinct URIs, and
//!   only if a report needs them.
//! - [`run::scan`] never opens a socket. All code that does is in [`probe`], and passes its guard.

pub mod check;
pub mod error;
mod extract;
pub mod finding;
pub mod fix;
pub mod grammar;
pub mod guide;
pub mod platform;
pub mod probe;
pub mod report;
pub mod run;
pub mod scan;
pub mod scheme;
pub mod source;
pub mod span;
pub mod store;
pub mod uri;

pub use error::Error;
pub use extract::{
    Extractor, Fault, Finding, Findings, Grammar, Incomparable, Kind, Language, Link, Links,
    Message, Place, Redacted, Summary, Unresolved, Warning, compare, links, parse, resolve,
};
pub use finding::{Cue, Verdict};
pub use span::Span;
pub use uri::Uri;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
