//! One way for each wire protocol to ask "are you there?", and what all of them share.
//!
//! Nothing here judges: what was learnt is a [`Reach`]. Nothing here waits for its turn: who
//! is asked when is told by `schedule`. Every byte to a stranger goes through `tcp`, which
//! connects to addresses that `guard` let pass, and to no others.

use std::any::Any;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::time::Duration;

use crate::finding::{Class, Hop, Reach};
use crate::uri::Uri;

pub mod dns;
mod ftp;
mod gopher;
pub mod guard;
mod http;
mod lines;
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

pub use http::OwnField;
use tcp::Net;

/// How much may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Whether the host is there: its name, and a connection to it. Nothing of the link's
    /// path is told to anybody.
    Host,
    /// Whether the link answers, without its body where the protocol can do without.
    Head,
    /// The same, with a request for the body at once.
    Get,
}

/// What is asked.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The URI with its components. Its user information is never sent.
    pub uri: Uri<'q>,
    /// How much may be asked.
    pub level: Level,
    /// True when places inside of the page are wanted: the answer must have them.
    pub wants_body: bool,
    /// What an earlier answer said, to ask for changes only.
    pub validators: Option<&'q Validators>,
}

/// What tells one version of a page from another (RFC 9110 §8.8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`, as it came.
    pub etag: Option<Vec<u8>>,
    /// `Last-Modified`, as it came.
    pub last_modified: Option<Vec<u8>>,
}

/// What came of a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What to do with it.
    pub outcome: Outcome,
    /// What tells the version that answered.
    pub validators: Validators,
    /// True when it sets a cookie, which is never sent back.
    pub sets_cookie: bool,
    /// The address that answered, where one was connected to.
    pub address: Option<IpAddr>,
    /// The page, up to its limit, where it was wanted and came.
    pub body: Option<Body>,
}

/// The beginning of a page.
#[derive(Clone, Debug)]
pub struct Body {
    /// What stands in it.
    pub bytes: Vec<u8>,
    /// The media type it claims, without parameters, in lower case.
    pub media_type: String,
    /// The charset that the server declares for it.
    pub charset: Option<Box<[u8]>>,
    /// True when there was more.
    pub is_cut: bool,
    /// Why it was cut, where that is not its length.
    pub fault: Option<Box<str>>,
}

/// What to do with an answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is what there is to know.
    Known(Reach),
    /// The link is somewhere else: to be asked there, in that host's turn.
    Moved(Hop),
    /// It failed in a way that passes; `reach` is what stands if nobody asks again.
    Later {
        /// What was learnt so far.
        reach: Reach,
        /// How long the server wants the whole host left alone (RFC 9110 §10.2.3).
        after: Option<Duration>,
    },
}

impl Answer {
    /// An answer with nothing beside it.
    #[must_use]
    pub fn of(outcome: Outcome) -> Self {
        let validators = Validators::default();
        Self { outcome, validators, sets_cookie: false, address: None, body: None }
    }
}

/// Why a probe came to nothing: the class, and the sentence that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure.
    pub class: Class,
    /// What was expected and what was found, in one sentence without a full stop.
    pub message: String,
}

impl Failure {
    /// A failure of `class`.
    #[must_use]
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Self { class, message: message.into() }
    }

    /// What it makes of the link that `probe` asked: another try where that may help.
    #[must_use]
    pub fn into_answer(self, probe: &'static str) -> Answer {
        let passes = matches!(
            self.class,
            Class::DnsFailure
                | Class::Refused
                | Class::Unreachable
                | Class::Timeout
                | Class::ProtocolError
        );
        let reach = Reach::new(self.class, probe, self.message);
        Answer::of(match passes {
            true => Outcome::Later { reach, after: None },
            false => Outcome::Known(reach),
        })
    }
}

/// A connection that is kept for the next question to the same host; the probe that made it
/// knows what it is.
pub type Kept = Option<Box<dyn Any + Send>>;

/// What a probe gives back.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// One wire protocol's way to ask.
pub trait Probe: Sync {
    /// Its name in records.
    fn name(&self) -> &'static str;

    /// The schemes that it asks for, in lower case.
    fn schemes(&self) -> &'static [&'static str];

    /// Asks. Comes to an end in a bounded time, whatever the server does, and never panics.
    fn ask<'a>(&'a self, question: Question<'a>, net: &'a Net, kept: &'a mut Kept) -> Asking<'a>;
}

/// Every probe.
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

/// The probe for `scheme`, which is in lower case.
#[must_use]
pub fn find(scheme: &str) -> Option<&'static dyn Probe> {
    PROBES.iter().copied().find(|probe| probe.schemes().contains(&scheme))
}
