//! Probes HTTP and HTTPS links (RFC 9110, 9112, 9113) with one request, or two if the first is
//! inconclusive, and never with one that could change anything.
//!
//! Redirects are reported, not followed. Requests carry no cookie, no referrer, no language, and no
//! password from a text. A body is dropped after its head unless the page is wanted; then it is
//! read up to a limit and decoded. Proxies are handled by `tcp`; the only credentials sent are
//! fields that the user configures (`own`).

use std::future::ready;
use std::net::IpAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, ETAG, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, REFRESH,
    SET_COOKIE, USER_AGENT,
};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::archive::{Lookup, to_http_date};
use super::tcp::Net;
use super::{
    Answer, AnswerFuture, Body, Failure, Kept, Level, Outcome, Probe, Question, Validators,
};
use crate::finding::{Class, Reach};

mod chunks;
mod coding;
mod head;
mod later;
mod lenient;
mod media;
mod memento;
mod meter;
mod moved;
mod own;
mod reading;
mod target;
mod unclosed;
mod wire;

use coding::{Codings, Extent};
use media::MediaType;
use memento::{ACCEPT_DATETIME, described};
pub use own::OwnField;
use reading::RequestFacts;
pub(super) use target::Target;
use wire::Wire;

/// The probe's name in records.
const NAME: &str = Reach::HTTP;

/// Maximum number of bytes of a page, before and after decoding. Few of the pages that people link
/// into are longer, and a cut is reported.
const BODY_BYTES_MAX: usize = 1024 * 1024;

/// Maximum number of bytes of the page of an error, which may be the page of a guard: more are not
/// searched for its signs.
const ERROR_BYTES_MAX: usize = 256 * 1024;

/// Bytes allowed for a body's framing, besides the body. Common servers send chunks of kilobytes.
const FRAMING_BYTES_MAX: usize = 64 * 1024;

/// The number of fields in a HEAD request: `Host`, `User-Agent` and `Accept`.
const FIELDS_USUAL: usize = 3;

/// The value of `Accept` for links, as browsers send it: some sites answer 404 to clients that do
/// not name HTML.
const KINDS_OF_BROWSERS: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// The probe for HTTP and HTTPS.
pub(super) struct Http;

impl Probe for Http {
    fn name(&self) -> &'static str {
        NAME
    }

    fn schemes(&self) -> &'static [&'static str] {
        &["http", "https"]
    }

    fn ask<'a>(
        &'a self,
        question: Question<'a>,
        net: &'a Net,
        kept: &'a mut Kept,
    ) -> AnswerFuture<'a> {
        let (body, validators) = (question.wants_body, question.validators);
        let wanted = Wanted { body, is_link: true, validators, lookup: None };
        match Target::of(question.uri) {
            Ok(target) => exchange(target, wanted, question.level, net, kept),
            Err(failure) => Box::pin(ready(failure.into_answer(NAME))),
        }
    }
}

/// Requests the page at `target` with GET.
pub(super) fn page<'a>(target: Target, net: &'a Net, kept: &'a mut Kept) -> AnswerFuture<'a> {
    let wanted = Wanted { body: true, is_link: false, validators: None, lookup: None };
    exchange(target, wanted, Level::Get, net, kept)
}

/// Requests the mementos at `target`, an address of an archive, as near to `lookup` as possible; if
/// the answer is itself a memento, without its body.
pub(super) fn mementos<'a>(
    target: Target,
    lookup: &'a Lookup,
    net: &'a Net,
    kept: &'a mut Kept,
) -> AnswerFuture<'a> {
    let wanted = Wanted { body: true, is_link: false, validators: None, lookup: Some(lookup) };
    exchange(target, wanted, Level::Get, net, kept)
}

/// Runs one probe, from its connection to its answer.
///
/// The state of waiting probes determines the memory of a run, so this is not an `async fn`, which
/// would hold its arguments twice.
fn exchange<'a>(
    target: Target,
    wanted: Wanted<'a>,
    level: Level,
    net: &'a Net,
    kept: &'a mut Kept,
) -> AnswerFuture<'a> {
    let mut exchange = Exchange::new(target, wanted, net, kept);
    Box::pin(async move {
        let answer = exchange.answer(level).await;
        if let Some(wire) = exchange.wire {
            *kept = Some(wire);
        }
        answer
    })
}

/// The wanted parts of an answer.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    body: bool,
    /// Whether a reader follows it as a link: of errors, the page is wanted then, which may be the
    /// page of a guard.
    is_link: bool,
    validators: Option<&'a Validators>,
    /// The mementos to look for, in the fields of RFC 7089 as well.
    lookup: Option<&'a Lookup>,
}

/// The state of one probe.
struct Exchange<'a> {
    target: Target,
    wanted: Wanted<'a>,
    net: &'a Net,
    deadline: Instant,
    wire: Option<Box<Wire>>,
    /// The address of the last connection.
    address: Option<IpAddr>,
    /// The protocols that a handshake of TLS offers.
    protocols: &'static [&'static [u8]],
}

impl<'a> Exchange<'a> {
    fn new(target: Target, wanted: Wanted<'a>, net: &'a Net, kept: &mut Kept) -> Self {
        let wire = kept.take().and_then(|kept| kept.downcast::<Wire>().ok());
        let wire = wire.filter(|wire| wire.serves(&target));
        let deadline = Instant::now() + net.timeouts.total;
        let address = wire.as_ref().map(|wire| wire.address());
        Self { target, wanted, net, deadline, wire, address, protocols: &wire::PROTOCOLS }
    }

    /// Probes the target at `level`.
    async fn answer(&mut self, level: Level) -> Answer {
        if level == Level::Host {
            let greeted = self.greet().await;
            return greeted.unwrap_or_else(|failure| failure.into_answer(NAME));
        }
        let is_head_enough = level == Level::Head && !self.wanted.body;
        let mut method = if is_head_enough { Method::HEAD } else { Method::GET };
        // One await point for both requests: the future is as large as all of them together.
        loop {
            let answer = self.request(&method).await;
            let is_silent = self.address.is_some() && reading::is_silence(&answer.outcome);
            if method == Method::GET || !is_silent && !reading::asks_for_get(&answer.outcome) {
                return answer;
            }
            if is_silent {
                // Some servers answer GET and drop HEAD without a word.
                self.deadline = Instant::now() + self.net.timeouts.total;
            }
            method = Method::GET;
        }
    }

    /// Connects, without sending a request.
    async fn greet(&mut self) -> Result<Answer, Failure> {
        let Target { host, port, .. } = &self.target;
        let greeted = Box::pin(self.net.host_alive(self.target.scheme(), host, *port));
        let address = timeout_at(self.deadline, greeted).await.map_err(|_| self.timed_out())??;
        let about = if self.target.is_secure {
            "the host accepts connections, and its certificate is good"
        } else {
            "the host accepts connections"
        };
        let reach = Reach::new(Class::Alive, NAME, about);
        Ok(Answer { address: Some(address), ..Answer::of(Outcome::Known(reach)) })
    }

    async fn connect(&mut self) -> Result<Box<Wire>, Failure> {
        // That of a kept connection which turned out to be closed says nothing about this one.
        self.address = None;
        // Boxed, and dropped once connected: most probes spend most of their time waiting for the
        // answer.
        let connecting = Box::pin(Wire::connect(&self.target, self.net, self.protocols));
        let connected = timeout_at(self.deadline, connecting).await;
        let wire = connected.map_err(|_| self.timed_out())??;
        self.address = Some(wire.address());
        Ok(Box::new(wire))
    }

    /// Sends one request and interprets its answer.
    async fn request(&mut self, method: &Method) -> Answer {
        match self.send(method).await {
            // Boxed, so that probes waiting for a head do not pay for its size.
            Ok(response) => Box::pin(self.answered(response, method)).await,
            Err(failure) => Answer { address: self.address, ..failure.into_answer(NAME) },
        }
    }

    /// Interprets `response` to a request by `method`, and reads its page if that is wanted.
    async fn answered(&mut self, response: Response<Incoming>, method: &Method) -> Answer {
        let (parts, body) = response.into_parts();
        let asked = RequestFacts {
            target: &self.target,
            is_conditional: self.is_conditional(),
            now: now(),
        };
        let outcome = reading::outcome(parts.status.as_u16(), &parts.headers, &asked);
        let outcome = self.without_secret(outcome);
        let sets_cookie = parts.headers.contains_key(SET_COOKIE);
        let is_there = matches!(&outcome, Outcome::Known(reach) if reach.class == Class::Alive);
        let validators = if is_there { validators(&parts.headers) } else { Validators::default() };
        let memento = self.wanted.lookup.and_then(|lookup| {
            described(&parts.headers, &self.target.base(), lookup).map(Box::new)
        });
        let wants_body = self.wanted.body && memento.is_none();
        let is_error = self.wanted.is_link && reading::may_be_guarded(&outcome);
        let page = match *method == Method::GET {
            true if is_there && wants_body => Some(Page::of(&parts.headers)),
            true if is_error => Page::of_error(&parts.headers),
            _ => None,
        };
        let is_misdirected = parts.status == StatusCode::MISDIRECTED_REQUEST;
        // The fields are slices of the read buffer, which is reused once they are dropped.
        drop(parts);
        let body = match page {
            Some(page) => Some(self.read(page, body).await),
            None => {
                self.leave(body).await;
                None
            }
        };
        if is_misdirected {
            // RFC 9110 §15.5.20: the request may be repeated on another connection.
            self.wire = None;
        }
        Answer { outcome, validators, sets_cookie, address: self.address, body, memento }
    }

    /// Returns `outcome`, or the result of the link if a redirect repeats a value that the user
    /// configured for a site: neither reports nor other sites may get it.
    fn without_secret(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Moved(hop)
                if self.net.fields.iter().any(|own| own.is_repeated_in(&hop.to)) =>
            {
                let message = "it redirects to a URI with a configured secret: not followed";
                let reach = Reach::new(Class::Unverifiable, NAME, message);
                Outcome::Known(reach.with_status(hop.status))
            }
            outcome => outcome,
        }
    }

    /// Sends a request. Repeats it on a new connection if a kept one turns out to be closed, or
    /// still carries data of an earlier answer, and over HTTP/1.1 if the server requires that.
    async fn send(&mut self, method: &Method) -> Result<Response<Incoming>, Failure> {
        loop {
            let kept = self.wire.take();
            let was_kept = kept.is_some();
            let mut wire = match kept {
                Some(wire) => wire,
                None => self.connect().await?,
            };
            match self.send_on(&mut wire, method).await {
                Err(failure) if wire.is_two() && wire::requires_one(&failure) => {
                    self.protocols = &wire::ONE;
                }
                Err(failure) if was_kept && failure.class != Class::Timeout => {}
                Err(failure) => return Err(failure),
                Ok(response) => {
                    self.wire = Some(wire);
                    return Ok(response);
                }
            }
        }
    }

    async fn send_on(
        &self,
        wire: &mut Wire,
        method: &Method,
    ) -> Result<Response<Incoming>, Failure> {
        let request = self.head(method, wire.is_two())?;
        let sent = timeout_at(self.deadline, wire.send(request)).await;
        sent.map_err(|_| self.timed_out())?
    }

    /// Builds the request, in the form of HTTP/2 or of HTTP/1.1.
    fn head(&self, method: &Method, is_two: bool) -> Result<Request<Empty<Bytes>>, Failure> {
        let refused = || Failure::new(Class::PolicyArgument, "expected a URI to request");
        let Target { authority, path, .. } = &self.target;
        let mut request = Request::new(Empty::new());
        request.method_mut().clone_from(method);
        *request.uri_mut() = if is_two {
            self.target.base().parse().map_err(|_| refused())?
        } else {
            path.clone().into()
        };
        *request.headers_mut() = HeaderMap::with_capacity(FIELDS_USUAL);
        let fields = request.headers_mut();
        if !is_two {
            let host = HeaderValue::from_str(authority.as_str()).map_err(|_| refused())?;
            fields.insert(HOST, host);
        }
        fields.insert(USER_AGENT, agent(&self.net.agent));
        let kinds = if self.wanted.is_link { KINDS_OF_BROWSERS } else { "*/*" };
        fields.insert(ACCEPT, HeaderValue::from_static(kinds));
        if *method != Method::HEAD {
            // A page is read up to a limit and then dropped, which saves both sides more than a
            // coding does, and uncompressed data cannot be a decompression bomb. Codings that a
            // server applies anyway are decoded.
            fields.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        fields.extend(self.conditions());
        // With the field, pywb lists but a part of a TimeMap.
        let is_list = path.as_str().contains("/timemap/");
        let date = self.wanted.lookup.and_then(|lookup| lookup.dates[0]);
        if let Some(date) = date.filter(|_| !is_list) {
            let date = HeaderValue::try_from(to_http_date(date)).map_err(|_| refused())?;
            fields.insert(ACCEPT_DATETIME, date);
        }
        for (name, value) in self.net.fields.iter().filter_map(|own| own.field_for(&self.target)) {
            fields.insert(name, value);
        }
        Ok(request)
    }

    /// Returns the fields of a conditional request. There are none if the page is wanted, because
    /// then it is needed as a whole.
    fn conditions(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let validators = self.wanted.validators.filter(|_| !self.wanted.body);
        let field = |name, value: Option<&Vec<u8>>| {
            Some((name, HeaderValue::from_bytes(value?.as_slice()).ok()?))
        };
        let etag = validators.and_then(|known| field(IF_NONE_MATCH, known.etag.as_ref()));
        let date =
            validators.and_then(|known| field(IF_MODIFIED_SINCE, known.last_modified.as_ref()));
        etag.into_iter().chain(date)
    }

    fn is_conditional(&self) -> bool {
        self.conditions().next().is_some()
    }

    /// Reads a page up to the limit and the deadline, and decodes it.
    async fn read(&mut self, page: Page, mut body: Incoming) -> Body {
        let is_markup = page.is_markup();
        let Page { media_type, charset, refresh, codings, is_readable, bytes_max: max } = page;
        let unread = |fault: Option<String>| Body {
            bytes: Vec::new(),
            media_type: media_type.clone(),
            charset: None,
            is_cut: true,
            fault: fault.map(String::into_boxed_str),
            refresh: None,
        };
        let codings = match codings {
            Ok(codings) if is_readable => codings,
            codings => {
                self.leave(body).await;
                return unread(codings.err());
            }
        };
        if let Some(wire) = &self.wire {
            wire.allow(u64::try_from(max + FRAMING_BYTES_MAX).unwrap_or(0));
        }
        let mut bytes = Vec::new();
        let taken = timeout_at(self.deadline, take(&mut body, &mut bytes, max)).await;
        self.leave(body).await;
        let codings = if is_markup { codings.or_seen_in(&bytes) } else { codings };
        let undone = codings.undo(bytes, taken.unwrap_or(Extent::Early), max);
        let is_early = undone.extent == Extent::Early;
        let early = "the page ended early or arrived too slowly: the fragment is not in the part \
                     that was read";
        let is_binary = is_markup && coding::is_binary(&undone.bytes, charset.as_deref());
        let binary = "the page is no text, though the server declares it as text";
        let fault = undone.fault.or(is_early.then_some(early)).or(is_binary.then_some(binary));
        let fault = fault.map(Box::from);
        let is_cut = undone.extent != Extent::Whole || fault.is_some();
        Body { bytes: undone.bytes, media_type, charset, is_cut, fault, refresh }
    }

    /// Drops the rest of a body. In HTTP/1.1 an unread rest closes the connection, because it would
    /// have to be read first.
    async fn leave(&mut self, body: Incoming) {
        let is_over = body.is_end_stream();
        drop(body);
        let Some(wire) = &mut self.wire else { return };
        let can_serve = is_over || wire.is_two();
        let is_ready = can_serve && timeout_at(self.deadline, wire.is_ready()).await == Ok(true);
        if !is_ready {
            self.wire = None;
        }
    }

    fn timed_out(&self) -> Failure {
        let time = self.net.timeouts.total;
        Failure::new(Class::Timeout, format!("expected an answer within {time:?}, found none"))
    }
}

/// Appends the data of `body` to `bytes`, up to `max` bytes in all; returns how much of it that
/// was.
async fn take(body: &mut Incoming, bytes: &mut Vec<u8>, max: usize) -> Extent {
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Extent::Early };
        // Trailers contain nothing about a link.
        let Ok(data) = frame.into_data() else { continue };
        let room = max.saturating_sub(bytes.len());
        bytes.extend_from_slice(data.get(..room).unwrap_or(&data));
        if data.len() > room {
            return Extent::Long;
        }
    }
    Extent::Whole
}

/// Returns the user agent, or a default if a field cannot hold `name`.
fn agent(name: &str) -> HeaderValue {
    HeaderValue::from_str(name).unwrap_or(HeaderValue::from_static("linktrawl"))
}

/// The properties of a body that the head of its answer declares.
struct Page {
    /// The media type, without parameters, in lower case.
    media_type: String,
    charset: Option<Box<[u8]>>,
    /// The value of `Refresh`.
    refresh: Option<Box<[u8]>>,
    /// The content codings, or the reason why they cannot be decoded.
    codings: Result<Codings, String>,
    /// Whether the media type does not rule out text.
    is_readable: bool,
    /// Maximum number of bytes that are read.
    bytes_max: usize,
}

impl Page {
    fn of(fields: &HeaderMap) -> Self {
        const KINDS: [&str; 6] =
            ["audio/", "font/", "image/", "video/", "application/pdf", "application/zip"];
        let MediaType { essence: media_type, charset } = MediaType::of(fields);
        let is_readable = !KINDS.iter().any(|kind| media_type.starts_with(kind));
        let refresh = fields.get(REFRESH).map(|value| value.as_bytes().into());
        let (codings, bytes_max) = (Codings::of(fields), BODY_BYTES_MAX);
        Self { media_type, charset, refresh, codings, is_readable, bytes_max }
    }

    /// Returns the page of an error if it may be the page of a guard, which is HTML.
    fn of_error(fields: &HeaderMap) -> Option<Self> {
        let page = Self { bytes_max: ERROR_BYTES_MAX, ..Self::of(fields) };
        (page.media_type == "text/html").then_some(page)
    }

    /// Reports whether the media type declares text in which fragments are looked for.
    fn is_markup(&self) -> bool {
        matches!(&*self.media_type, "text/html" | "application/xhtml+xml" | "text/markdown")
    }
}

fn validators(fields: &HeaderMap) -> Validators {
    let value = |name| fields.get(name).map(|value: &HeaderValue| value.as_bytes().to_vec());
    Validators { etag: value(ETAG), last_modified: value(LAST_MODIFIED) }
}

/// Returns the time in Unix seconds, for servers that send a date to retry at but no `Date`.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
