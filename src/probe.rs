//! Probes one link over its wire protocol, with one [`Probe`] for each protocol.
//!
//! Probes do not judge: they report a [`Reach`]. They do not wait for their turn: `schedule`
//! decides when each host is probed. Every byte to a remote host goes through `tcp`, which connects
//! only to addresses that `guard` accepted.

use std::any::Any;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::time::Duration;

use crate::finding::{Class, Hop, Reach};
use crate::uri::Uri;

pub mod archive;
pub mod dns;
mod ftp;
mod gopher;
pub mod guard;
mod http;
mod lines;
pub mod lookup;
pub mod mail;
mod news;
pub mod proxy;
pub mod robots;
pub mod schedule;
pub mod tcp;
mod telnet;
pub mod tls;
pub mod trust;
mod unasked;
mod urn;
mod wais;

pub use unasked::unasked;

use archive::Named;
pub use http::OwnField;
use tcp::Net;

/// The depth of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Only the host: its name is resolved, and a connection is made. The link's path is never
    /// sent.
    Host,
    /// The link, without its body where the protocol allows that.
    Head,
    /// The link, with a request for the body at once.
    Get,
}

/// The link to probe, and how.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The URI with its components. Its user information is never sent.
    pub uri: Uri<'q>,
    /// The depth of the probe.
    pub level: Level,
    /// Whether fragments of the page are to be checked, which requires its body.
    pub wants_body: bool,
    /// The validators of an earlier answer, for a conditional request.
    pub validators: Option<&'q Validators>,
}

/// The validators of one version of a page (RFC 9110 §8.8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The value of `ETag`, unchanged.
    pub etag: Option<Vec<u8>>,
    /// The value of `Last-Modified`, unchanged.
    pub last_modified: Option<Vec<u8>>,
}

/// The result of a probe.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The next step for the link.
    pub outcome: Outcome,
    /// The validators of the version that answered.
    pub validators: Validators,
    /// Whether the answer sets a cookie. Cookies are never sent back.
    pub sets_cookie: bool,
    /// The address that answered, if a connection was made.
    pub address: Option<IpAddr>,
    /// The page, up to its length limit, if it was requested and arrived; also that of an error,
    /// if it may be the page of a guard.
    pub body: Option<Body>,
    /// The memento that the fields of the answer name, if mementos are looked up.
    pub memento: Option<Box<Named>>,
}

/// The beginning of a page.
#[derive(Clone, Debug)]
pub struct Body {
    /// The bytes of the page, without its transfer and content codings.
    pub bytes: Vec<u8>,
    /// The declared media type, in lower case, without parameters.
    pub media_type: String,
    /// The charset that the server declares.
    pub charset: Option<Box<[u8]>>,
    /// Whether bytes are missing at the end.
    pub is_cut: bool,
    /// The reason for the cut, if it is not the length limit.
    pub fault: Option<Box<str>>,
    /// The field `Refresh`, by which a server makes browsers load another page (HTML Standard,
    /// "The `Refresh` header").
    pub refresh: Option<Box<[u8]>>,
}

/// The next step for a link that was probed.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The result is final.
    Known(Reach),
    /// The link redirects to another URI, which is probed in that host's turn.
    Moved(Hop),
    /// The probe failed in a way that may pass; `reach` is final if no other try follows.
    Later {
        /// The result so far.
        reach: Reach,
        /// The delay that the server requests for the whole host (RFC 9110 §10.2.3).
        after: Option<Duration>,
    },
}

impl Answer {
    /// Returns an answer with `outcome` and no other data.
    #[must_use]
    pub fn of(outcome: Outcome) -> Self {
        let validators = Validators::default();
        let (sets_cookie, address, body, memento) = (false, None, None, None);
        Self { outcome, validators, sets_cookie, address, body, memento }
    }
}

/// The reason why a probe failed: its class, and a sentence that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The class of the failure.
    pub class: Class,
    /// One sentence without a full stop that names the expected and the found.
    pub message: String,
}

impl Failure {
    /// Creates a failure of `class`.
    #[must_use]
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Self { class, message: message.into() }
    }

    /// Converts the failure to an answer of `probe`: another try where that may help.
    #[must_use]
    pub fn into_answer(self, probe: &'static str) -> Answer {
        let passes = matches!(
            self.class,
            Class::DnsFailure
                | Class::Refused
                | Class::Unreachable
                | Class::Timeout
                | Class::ProtocolError
                | Class::NotAsked
        );
        let reach = Reach::new(self.class, probe, self.message);
        Answer::of(if passes {
            Outcome::Later { reach, after: None }
        } else {
            Outcome::Known(reach)
        })
    }
}

/// A connection that is kept for the next link on the same host. Its type is known only to the
/// probe that made it.
pub type Kept = Option<Box<dyn Any + Send>>;

/// The future of a probe's answer.
pub type AnswerFuture<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// A probe for the schemes of one wire protocol.
pub trait Probe: Sync {
    /// Returns the probe's name in records.
    fn name(&self) -> &'static str;

    /// Returns the schemes that it probes, in lower case.
    fn schemes(&self) -> &'static [&'static str];

    /// Probes a link. Ends in bounded time, whatever the server does, and never panics.
    fn ask<'a>(
        &'a self,
        question: Question<'a>,
        net: &'a Net,
        kept: &'a mut Kept,
    ) -> AnswerFuture<'a>;
}

/// All probes.
pub static PROBES: &[&dyn Probe] = &[
    &ftp::FTP,
    &gopher::GOPHER,
    &http::Http,
    &mail::Mail,
    &news::NEWS,
    &news::NNTP,
    &telnet::TELNET,
    &urn::Urn,
    &wais::WAIS,
];

/// Returns the probe for `scheme`, which is in lower case.
#[must_use]
pub fn find(scheme: &str) -> Option<&'static dyn Probe> {
    PROBES.iter().copied().find(|probe| probe.schemes().contains(&scheme))
}
