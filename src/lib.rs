//! Finds every URI in mail spools, news spools, text archives and documentation, and judges each
//! by the grammar of its specification.
//!
//! ```
//! for link in linktrawl::links(b"see <URL:http://w3.org/>.") {
//!     println!("{} {:?}", link.text(), link.span());
//! }
//! ```
//! [`links`] is the scanner alone, for a text in memory. [`Extractor`] reads files of every kind:
//! ```no_run
//! let extractor = linktrawl::Extractor::new().threads(4);
//! for finding in extractor.path("Mail/box.mbox")? {
//!     let finding = finding?;
//!     println!("{}:{} {}", finding.place().line(), finding.place().column(), finding.uri());
//! }
//! # Ok::<(), linktrawl::Error>(())
//! ```
//! [`parse`], [`resolve`] and [`compare`] take one URI at a time, by the rules of any document from
//! 1993 to today. The program of the same name does more, and [`guide`] is its guide.
//!
//! # What is found
//! - In text: `scheme://…` of every scheme and `scheme:…` of known schemes, bare, in `<…>` and in
//!   `<URL:…>`, with wrapped and quoted lines joined; `www.…` on request ([`Cue::Www`]).
//! - In mail and news: the same, in header fields and in parts decoded as a mail program does
//!   (MIME, charsets, transfer encodings, HTML), with message, part and line.
//! - In documents: links of HTML, Markdown, reStructuredText, AsciiDoc and other languages
//!   ([`Kind::names`]), relative ones included, with escapes resolved.
//! - In archives and compressed streams: all of that in their members (feature `archives`).
//!
//! # What is not found
//! - Relative links and bare paths in plain text, and hosts without a scheme other than `www.`.
//! - Text in PDF, pictures and encrypted parts, and text that a script would write into a page.
//! - Placeholders (`http://h.example/{id}`), except in mail, and addresses that were disarmed on
//!   purpose (`http://h[.]example/`, `hxxp://h.example/`): an [`Extractor`] omits both, and
//!   [`Summary::skipped`] counts them.
//! - Whether a link answers. The library never opens a socket; `linktrawl check` does.
//!
//! # What it costs
//! The scanner alone runs at half the speed of `memchr`, and a mailbox of HTML letters is read at
//! 0.57 GB/s on two threads ([`guide::performance`]). Memory does not grow with the input.
//! [`links`] allocates only for links that are wrapped or escaped, and [`Findings::visit`]
//! allocates nothing for a finding. A run of an [`Extractor`] starts threads, which takes some 0.1
//! ms.
//!
//! # When not to use it
//! To find `example.com` in chat messages, as a messenger does, use a crate that guesses hosts. To
//! build or edit URLs for a client, use the crate `url`.
//!
//! # Features
//! Features are additive: none changes the behaviour of another. With `default-features = false`,
//! 38 crates are compiled, and no C.
//!
//! - `archives`: unpacks compressed streams and zip; without it they are skipped and counted.
//! - `idn`: supports hosts beyond US-ASCII: the grammar and the rules `whatwg`, the rules
//!   `rfc3987`, and warnings about lookalike hosts. Also decodes IRIs in mail that is written in
//!   code pages of DOS.
//! - `report`, `arrow`, `probe` and `cli`: build the program, with report formats, columns for
//!   engines, requests and the command line. They add nothing public. `cli` is the default and
//!   enables all others.
//!
//! # Passwords
//! A URI may contain a password. [`Redacted`] is the type of every text from an input: it prints
//! `***` in place of the password, and returns the bytes themselves only by [`Redacted::in_clear`].
//!
//! # The way data goes, and the only way
//! ```text
//! source ──> haystack ──> scan ──> grammar ──> check ──(probe)──> judge ──> report
//! raw bytes  decoded      candidates  URI or fault  findings        verdicts   text · ndjson
//! ```
//! `source` decodes, and no later stage knows how a text was stored: mail, documents and plain text
//! become haystacks, which `check` reads in one loop.
//!
//! `run` connects the stages; nothing calls backwards. Worker threads turn pieces of input into
//! encoded records. One writer writes them in the order of the inputs, so the output is the same
//! for any number of threads.
//!
//! # Invariants
//! - Text is bytes until a report prints it. No file is skipped for a bad byte. The scanner and the
//!   grammars do no I/O and never panic.
//! - A link's fault is never an [`Error`]; the tool's own failure is never a [`Finding`].
//! - Nothing is omitted silently: skipped items are counted with a reason.
//! - Every loop over foreign data has a named limit (`const …_MAX`, with its reason).
//! - No global mutable state, no environment reading, and no `unsafe` outside the one module
//!   that calls SIMD instructions.
//! - Memory does not grow with the size of the input, only with the number of distinct URIs, and
//!   only if a report needs them.
//! - A scan never opens a socket. All code that does is in `probe`, and passes its guard.

mod check;
mod error;
mod extract;
mod finding;
#[cfg(feature = "report")]
mod fix;
mod grammar;
pub mod guide;
#[cfg_attr(not(feature = "report"), expect(dead_code, reason = "only reports call some of it"))]
mod platform;
#[cfg(feature = "probe")]
mod probe;
mod report;
mod run;
mod scan;
mod scheme;
mod source;
mod span;
#[cfg(feature = "report")]
mod store;
mod uri;

pub use error::Error;
pub use extract::{
    Extractor, Fault, Finding, Findings, Grammar, Incomparable, Kind, Language, Link, Links,
    Message, Place, Redacted, Summary, Unresolved, Warning, compare, links, parse, resolve,
};
pub use finding::{Cue, Verdict};
pub use span::Span;
pub use uri::Uri;

/// The modules of the library, for its own program, tests and benches. Not part of the public API:
/// anything here may change with any version.
#[doc(hidden)]
pub mod internal {
    /// Opens rooms.
    macro_rules! open {
        ($($(#[$when:meta])? $room:ident)*) => {
            $(
                $(#[$when])?
                pub mod $room {
                    pub use crate::$room::*;
                }
            )*
        };
    }

    open! {
        check error finding
        #[cfg(feature = "report")] fix
        grammar platform
        #[cfg(feature = "probe")] probe
        report run scan scheme source span
        #[cfg(feature = "report")] store
        uri
    }
}

/// Runs the example of the README.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
