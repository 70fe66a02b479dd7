//! The basic URL parser of the URL Standard (WHATWG, living standard of 2026), as browsers run
//! it: §3.5 hosts, §4.4 the states, §4.5 the serialisation.
//!
//! ```text
//! text ──> input ──> machine ──> path ──> serialize     error: names and offsets
//!          (trim)    scheme..port (path..fragment)       percent: sets of bytes
//!                    └─ host ── ipv4, ipv6, UTS 46
//! ```
//! URLs that would remain as they are take a shorter way, `canonical`.
//!
//! It is not a grammar, although `grammar` lists it as one: it accepts everything that it can turn
//! into a URL, and rewrites it. Each validation error has the standard's name and the offset in
//! the text as given. The crate `idna` provides the mapping of UTS 46. Missing on purpose: state
//! overrides (setters), query encodings other than UTF-8, and blob URLs.
//!
//! It is not in `grammar`, because probes resolve redirects with it.

mod canonical;
mod error;
mod host;
mod input;
mod ipv4;
mod ipv6;
mod machine;
mod path;
mod percent;
mod serialize;

pub(crate) use error::{Flaw, ValidationError};
pub(super) use host::domain;
pub(crate) use serialize::Url;

use error::Notes;
use input::Input;
use machine::Machine;

use crate::span::Span;

/// Parses `text` against `base` (§4.4, URL parsing). The serialisation is borrowed where it is
/// identical to the text.
///
/// # Errors
/// The validation error that ends parsing, by the standard.
pub(crate) fn parse<'t>(text: &'t str, base: Option<&Url<'_>>) -> Result<Url<'t>, Flaw> {
    if let Some(url) = canonical::url(text) {
        return Ok(url);
    }
    let input = Input::new(text);
    let found = match &input.text {
        std::borrow::Cow::Borrowed(text) => run(text, base),
        std::borrow::Cow::Owned(text) => run(text, base).map(Url::into_owned),
    };
    match found {
        Ok(mut url) => {
            let read = url.places.password_read;
            url.places.password_read =
                read.map(|span| Span::new(input.offset(span.start), input.offset(span.end)));
            Ok(url)
        }
        Err(flaw) => Err(Flaw { at: input.offset(flaw.at), ..flaw }),
    }
}

fn run<'t>(text: &'t str, base: Option<&Url<'_>>) -> Result<Url<'t>, Flaw> {
    let mut machine = Machine::new(text, base, Notes::default());
    let rest = machine.scheme_start()?;
    machine.finish(rest);
    Ok(machine.into_url())
}

/// Checks that `text` is a URL when resolved against `base`, without reading its path.
///
/// # Errors
/// As [`parse`].
pub(crate) fn check(text: &str, base: Option<&Url<'_>>) -> Result<(), Flaw> {
    if canonical::is_url(text) {
        return Ok(());
    }
    let input = Input::new(text);
    let started = Machine::new(&input.text, base, Notes::default()).scheme_start();
    started.map(drop).map_err(|flaw| Flaw { at: input.offset(flaw.at), ..flaw })
}

/// Returns the validation errors of `text` that do not end parsing, in the order of their offsets;
/// if parsing fails, those before the failure.
pub(crate) fn violations(text: &str, base: Option<&Url<'_>>) -> Vec<Flaw> {
    let input = Input::new(text);
    let mut machine = Machine::new(&input.text, base, Notes::wanted());
    if let Ok(rest) = machine.scheme_start() {
        machine.finish(rest);
    }
    let mut flaws = std::mem::take(&mut machine.notes).in_order();
    input.place(&mut flaws);
    let mut notes = Notes::wanted();
    input.note(&mut notes);
    flaws.iter().for_each(|flaw| notes.add(flaw.error, flaw.at));
    notes.in_order()
}
