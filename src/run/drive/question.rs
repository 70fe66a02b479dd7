//! Builds a request and passes it to a probe.

use std::borrow::Cow;

use tokio::time::timeout;

use crate::check::effects;
use crate::check::unwrap::{Unwrapped, unwrapped};
use crate::finding::{Class, Reach};
use crate::grammar::split;
use crate::probe::archive::Lookup;
use crate::probe::lookup;
use crate::probe::tcp::Net;
use crate::probe::{self, Answer, Kept, Level, Outcome, Question, Validators};
use crate::run::target::Target;
use crate::scheme;
use crate::uri::{Uri, request_target};

/// Factor on the total timeout after which a probe is cut off: a safeguard against probes that do
/// not keep their own timeouts.
const PATIENCE: u32 = 3;

/// A request.
#[derive(Clone, Default)]
pub(super) struct Request {
    text: Box<[u8]>,
    level: Option<Level>,
    /// The mark that follows it in the text and may be part of it.
    after: Option<u8>,
    /// Whether fragments in the page are looked up.
    wants_body: bool,
    /// Whether the content of the page is needed.
    reads: bool,
    /// Whether redirects to links with side effects must not be followed.
    is_careful: bool,
    /// Whether redirects to a mail gateway are unwrapped.
    unwraps: bool,
    /// The mementos to look for, if it is a request to an archive.
    lookup: Option<Box<Lookup>>,
    /// The last names of the links beside which it was invented, if it was.
    beside: Box<[Box<[u8]>]>,
}

impl Request {
    /// Returns the request for `target`; if only the host is probed, it is reduced to the host.
    pub(super) fn of(target: &Target) -> Self {
        let uri = split(&target.text);
        let text = match (target.level, uri.scheme, uri.host) {
            (Level::Host, Some(scheme), Some(host)) => {
                let port = uri.port.filter(|port| port.start < port.end);
                let port = port.map(|port| [b":", port.of(uri.text)].concat()).unwrap_or_default();
                [scheme.of(uri.text), b"://", host.of(uri.text), &port, b"/"].concat().into()
            }
            _ => target.text.clone(),
        };
        let wants_body = !target.places.is_empty() && target.level > Level::Host;
        let is_web = uri.scheme.is_some_and(|name| scheme::is_http(name.of(uri.text)));
        let Target { level, after, is_careful, unwraps, .. } = *target;
        let (level, lookup) = (Some(level), target.lookup());
        let reads = target.is_read && level == Some(Level::Get) && is_web;
        let beside = target.beside.clone();
        Self { text, level, after, wants_body, reads, is_careful, unwraps, lookup, beside }
    }

    /// Returns the link that `to`, a redirect target, wraps, if it is the URL of a mail gateway and
    /// no gateway may be requested.
    pub(super) fn inside_of(&self, to: &[u8]) -> Option<Unwrapped> {
        self.unwraps.then(|| unwrapped(to)).flatten()
    }

    /// Returns the side effect that a request for `to`, a redirect target, may have, if redirects
    /// must have none.
    pub(super) fn effect_of(&self, to: &[u8]) -> Option<&'static str> {
        self.is_careful.then(|| effects::of(to, None)).flatten()
    }

    /// Returns the request for another URI.
    pub(super) fn moved(&self, text: Vec<u8>) -> Self {
        let (lookup, beside) = (self.lookup.clone(), self.beside.clone());
        Self { text: text.into(), after: None, lookup, beside, ..*self }
    }

    /// Returns the request by GET, if it would be sent by HEAD.
    pub(super) fn by_get(&self) -> Option<Self> {
        let is_by_head = self.level() == Level::Head && !self.wants_body;
        is_by_head.then(|| Self { level: Some(Level::Get), ..self.clone() })
    }

    /// Returns the request without redirects to links with side effects.
    #[cfg(test)]
    pub(super) fn careful(self) -> Self {
        Self { is_careful: true, ..self }
    }

    /// Returns the request with redirects to mail gateways unwrapped.
    #[cfg(test)]
    pub(super) fn unwrapping(self) -> Self {
        Self { unwraps: true, ..self }
    }

    /// Returns the request with `mark` after its URI in the text.
    #[cfg(test)]
    pub(super) fn before(self, mark: u8) -> Self {
        Self { after: Some(mark), ..self }
    }

    pub(super) fn uri(&self) -> Uri<'_> {
        split(&self.text)
    }

    /// Returns path and query as they are sent, which robots.txt is about (RFC 9309 §2.2.2).
    pub(super) fn path_and_query(&self) -> Vec<u8> {
        let uri = self.uri();
        let query = uri.query.map(|span| span.of(uri.text));
        request_target::origin_form(uri.path.of(uri.text), query).into_bytes()
    }

    /// Returns the last names of the links beside which it was invented.
    pub(super) fn beside(&self) -> impl Iterator<Item = &[u8]> {
        self.beside.iter().map(|name| &**name)
    }

    pub(super) const fn after(&self) -> Option<u8> {
        self.after
    }

    pub(super) fn level(&self) -> Level {
        self.level.unwrap_or(Level::Host)
    }

    pub(super) const fn wants_body(&self) -> bool {
        self.wants_body
    }

    pub(super) const fn reads(&self) -> bool {
        self.reads
    }

    pub(super) fn lookup(&self) -> Option<&Lookup> {
        self.lookup.as_deref()
    }

    pub(super) const fn is_careful(&self) -> bool {
        self.is_careful
    }

    pub(super) fn into_text(self) -> Box<[u8]> {
        self.text
    }

    /// Returns the scheme in lower case.
    pub(super) fn scheme(&self) -> Cow<'_, str> {
        let scheme = split(&self.text).scheme.map(|span| span.of(&self.text)).unwrap_or_default();
        match String::from_utf8_lossy(scheme) {
            mixed if mixed.contains(|c: char| c.is_ascii_uppercase()) => {
                Cow::Owned(mixed.to_ascii_lowercase())
            }
            lower => lower,
        }
    }
}

/// Sends `request` by the probe for its scheme.
pub(super) async fn ask(
    request: &Request,
    validators: Option<&Validators>,
    net: &Net,
    kept: &mut Kept,
) -> Answer {
    let Some(probe) = probe::find(&request.scheme()) else {
        let reach = Reach::new(
            Class::Unverifiable,
            Reach::UNREQUESTED,
            "links of this scheme are not probed",
        );
        return Answer::of(Outcome::Known(reach));
    };
    let (level, wants_body) = (request.level(), request.wants_body || request.reads);
    let question = Question { uri: request.uri(), level, wants_body, validators };
    let limit = net.timeouts.total.saturating_mul(PATIENCE);
    let asking = match request.lookup() {
        Some(lookup) => lookup::ask(question.uri, lookup, net, kept),
        None => probe.ask(question, net, kept),
    };
    let asked = timeout(limit, asking).await;
    asked.unwrap_or_else(|_| {
        let message = "no answer, and no end of it either, in three times the time there is";
        Answer::of(Outcome::Known(Reach::new(Class::Timeout, probe.name(), message)))
    })
}

/// Returns the result for a link on which the program panicked.
pub(super) fn failed() -> Answer {
    let message = "the program failed during the request; please report it";
    Answer::of(Outcome::Known(Reach::new(Class::Unverifiable, Reach::UNREQUESTED, message)))
}
