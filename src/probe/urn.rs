//! Probes URNs through a resolver, if one is configured.
//!
//! Specification: RFC 8141. The grammar has already checked the syntax. If `Net` names a resolver,
//! the probe reports a redirect to it; without one the link is unverifiable.

use super::lines::known;
use super::tcp::Net;
use super::{Answer, AnswerFuture, Kept, Level, Outcome, Probe, Question};
use crate::finding::{Class, Hop};
use crate::uri::{Uri, escape};

const NAME: &str = "urn";
/// The placeholder for the URN in a resolver's template.
pub(super) const PLACEHOLDER: &str = "{urn}";
/// The status of the hop to the resolver, which no server sent.
const NO_STATUS: u16 = 0;

/// The probe for `urn`.
#[derive(Debug)]
pub(super) struct Urn;

impl Probe for Urn {
    fn name(&self) -> &'static str {
        NAME
    }

    fn schemes(&self) -> &'static [&'static str] {
        &["urn"]
    }

    fn ask<'a>(
        &'a self,
        question: Question<'a>,
        net: &'a Net,
        _kept: &'a mut Kept,
    ) -> AnswerFuture<'a> {
        let outcome = match (&net.urn_resolver, question.level) {
            (None, _) => {
                let why = "a URN is a name, and no resolver for it is set";
                known(Class::Unverifiable, NAME, why)
            }
            // The resolver would have to be sent the name itself.
            (Some(_), Level::Host) => {
                known(Class::Unverifiable, NAME, "a URN has no host to request it from")
            }
            (Some(template), Level::Head | Level::Get) => {
                let to = template.replace(PLACEHOLDER, &assigned_name(&question.uri));
                Outcome::Moved(Hop { status: NO_STATUS, to: to.into_bytes() })
            }
        };
        Box::pin(std::future::ready(Answer::of(outcome)))
    }
}

/// Returns the `assigned-name = "urn" ":" NID ":" NSS` (RFC 8141 §2). The r-component is meant for
/// resolvers, but none is specified; the q-component is for the resource and the f-component for
/// readers (§2.3): we choose to send none of them. Bytes outside of US-ASCII are escaped (RFC 3987
/// §3.1).
fn assigned_name(uri: &Uri<'_>) -> String {
    let name = uri.text.get(..uri.path.end).unwrap_or_default();
    let mut escaped = String::with_capacity(name.len());
    for &byte in name {
        if byte.is_ascii_graphic() {
            escaped.push(char::from(byte));
        } else {
            escaped.extend(escape(byte).map(char::from));
        }
    }
    escaped
}
