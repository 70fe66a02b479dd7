//! URNs: names, which a resolver may turn into places.
//!
//! RFC 8141. The grammar has held the syntax already. Where `Net` names a resolver the link is
//! asked there, as if it had been redirected; without one nobody can tell.

use super::lines::known;
use super::tcp::Net;
use super::{Answer, Asking, Kept, Level, Outcome, Probe, Question};
use crate::finding::{Class, Hop};
use crate::uri::Uri;

const NAME: &str = "urn";
/// What a template has for the URN.
pub(super) const PLACEHOLDER: &str = "{urn}";
/// The status of a hop that no server gave: the template did.
const NO_STATUS: u16 = 0;

/// The probe.
#[derive(Debug)]
pub(super) struct Urn;

impl Probe for Urn {
    fn name(&self) -> &'static str {
        NAME
    }

    fn schemes(&self) -> &'static [&'static str] {
        &["urn"]
    }

    fn ask<'a>(&'a self, question: Question<'a>, net: &'a Net, _kept: &'a mut Kept) -> Asking<'a> {
        let outcome = match (&net.urn_resolver, question.level) {
            (None, _) => {
                let why = "a URN is a name, and no resolver was given that knows its place";
                known(Class::Unverifiable, NAME, why)
            }
            // The name itself is what a resolver would be told.
            (Some(_), Level::Host) => {
                known(Class::Unverifiable, NAME, "a URN has no host, and only hosts are asked")
            }
            (Some(template), Level::Head | Level::Get) => {
                let to = template.replace(PLACEHOLDER, &assigned_name(&question.uri));
                Outcome::Moved(Hop { status: NO_STATUS, to: to.into_bytes() })
            }
        };
        Box::pin(std::future::ready(Answer::of(outcome)))
    }
}

/// `assigned-name = "urn" ":" NID ":" NSS` (RFC 8141 §2). Its r-component is for resolvers of
/// which none is specified, the q-component for the resource, the f-component for readers
/// (§2.3): our choice is to send none. What is no US-ASCII is escaped (RFC 3987 §3.1).
fn assigned_name(uri: &Uri<'_>) -> String {
    let name = uri.text.get(..uri.path.end).unwrap_or_default();
    let mut escaped = String::with_capacity(name.len());
    for &byte in name {
        if byte.is_ascii_graphic() {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
