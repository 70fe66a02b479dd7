//! Manages one HTTP connection: made through the guard, limited in all that it reads, and closed
//! when it is dropped.

use std::error::Error as _;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::ext::on_informational;
use hyper::rt::Executor;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::AbortHandle;

use super::lenient::{HEAD_BYTES_MAX, Lenient, Unreadable};
use super::meter::{Meter, Metered};
use super::target::{Site, Target};
use super::unclosed::Unclosed;
use crate::finding::Class;
use crate::probe::Failure;
use crate::probe::tcp::Net;

/// The protocols offered by ALPN (RFC 7301), in order of preference.
pub(super) const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];
/// The protocol offered to a server that requires it.
pub(super) const ONE: [&[u8]; 1] = [b"http/1.1"];

/// Maximum number of fields of a head. Servers send some 20, but a field for each cookie or each
/// link to preload makes hundreds. RFC 9110 §5.4 sets no limit.
const FIELDS_MAX: usize = 1000;

/// Maximum number of bytes of the fields of a head in HTTP/2, as RFC 9113 §6.5.2 counts them. More
/// than [`ANSWER_BYTES_MAX`] has room for, except with a table of fields that repeats them.
const FIELD_LIST_BYTES_MAX: u32 = 1024 * 1024;

/// Maximum number of interim replies (1xx) before an answer. hyper silently skips any number;
/// servers send one for each step of a long task (RFC 9110 §15.2).
const INTERIM_MAX: u32 = 64;

/// Maximum number of bytes read from the request to the end of the head: a head, interim replies,
/// and the part of a body that arrives before we close, which is up to a window of 64 KiB in
/// HTTP/2.
const ANSWER_BYTES_MAX: u64 = 384 * 1024;

/// The body of a request, which is always empty.
type NoBody = Empty<Bytes>;

/// The future of an answer's head.
type Sending = Pin<Box<dyn Future<Output = hyper::Result<Response<Incoming>>> + Send>>;

/// A connection to one host.
pub(super) struct Wire {
    sender: Sender,
    meter: Arc<Meter>,
    tasks: Tasks,
    site: Site,
    address: IpAddr,
}

enum Sender {
    One(http1::SendRequest<NoBody>),
    Two(http2::SendRequest<NoBody>),
}

impl Wire {
    /// Connects to the host of `target`, and performs the handshakes of TLS, which offers
    /// `protocols`, and HTTP.
    ///
    /// # Errors
    /// When the guard refuses the host, it does not answer, or TLS fails.
    pub(super) async fn connect(
        target: &Target,
        net: &Net,
        protocols: &[&[u8]],
    ) -> Result<Self, Failure> {
        let connection = net.connect(target.scheme(), &target.host, target.port).await?;
        let meter = Arc::new(Meter::default());
        let tasks = Tasks::default();
        meter.allow(ANSWER_BYTES_MAX);
        let sender = if target.is_secure {
            // Boxed, so that requests without TLS do not pay for its size.
            let secured = Box::pin(net.secure(connection.stream, &target.host, protocols));
            let stream = Box::new(secured.await?);
            let is_two = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            let stream = Metered { stream: Unclosed(stream), meter: Arc::clone(&meter) };
            if is_two { Box::pin(two(stream, &tasks)).await } else { one(stream, &tasks).await }
        } else {
            let stream = Metered { stream: connection.stream, meter: Arc::clone(&meter) };
            one(stream, &tasks).await
        };
        let sender = sender.map_err(|error| failure(&error, &meter))?;
        Ok(Self { sender, meter, tasks, site: target.site(), address: connection.address })
    }

    /// Returns the address of the peer.
    pub(super) fn address(&self) -> IpAddr {
        self.address
    }

    /// Reports whether `target` can be requested on this connection.
    pub(super) fn serves(&self, target: &Target) -> bool {
        self.site.has(target)
    }

    /// Reports whether the connection speaks HTTP/2, where an unread body does not block other
    /// requests.
    pub(super) fn is_two(&self) -> bool {
        matches!(self.sender, Sender::Two(_))
    }

    /// Sends `request`, which is in the form of this connection's version, and waits for the head
    /// of the answer.
    ///
    /// # Errors
    /// When no valid answer arrives.
    pub(super) fn send(
        &mut self,
        mut request: Request<NoBody>,
    ) -> impl Future<Output = Result<Response<Incoming>, Failure>> + Send {
        let meter = Arc::clone(&self.meter);
        on_informational(&mut request, move |_| meter.count_interim(INTERIM_MAX));
        self.meter.begin(ANSWER_BYTES_MAX);
        // Boxed, and created outside of the `async` block, which would hold the request three times
        // while it waits for the answer.
        let sending: Sending = match &mut self.sender {
            Sender::One(sender) => Box::pin(sender.send_request(request)),
            Sender::Two(sender) => Box::pin(sender.send_request(request)),
        };
        let meter = &self.meter;
        async move {
            let sent = sending.await;
            if meter.interim() > INTERIM_MAX {
                return Err(beyond(&format!("more than {INTERIM_MAX} interim replies")));
            }
            sent.map_err(|error| failure(&error, meter))
        }
    }

    /// Allows `bytes` more bytes to be read, for the body of the answer.
    pub(super) fn allow(&self, bytes: u64) {
        self.meter.allow(bytes);
    }

    /// Waits until the next request can be sent; returns false if the connection cannot send any.
    /// Call only after the last answer was read to its end.
    pub(super) async fn is_ready(&mut self) -> bool {
        let ready = match &mut self.sender {
            Sender::One(sender) => sender.ready().await,
            Sender::Two(sender) => sender.ready().await,
        };
        ready.is_ok()
    }
}

/// Stops the tasks of the connection, so that unread data of the server is dropped.
impl Drop for Wire {
    fn drop(&mut self) {
        self.tasks.stop();
    }
}

async fn one<S>(stream: Metered<S>, tasks: &Tasks) -> hyper::Result<Sender>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = http1::Builder::new();
    builder.max_headers(FIELDS_MAX).max_buf_size(HEAD_BYTES_MAX);
    let (sender, connection) = builder.handshake(TokioIo::new(Lenient::new(stream))).await?;
    tasks.execute(ConnectionTask(connection));
    Ok(Sender::One(sender))
}

async fn two<S>(stream: Metered<S>, tasks: &Tasks) -> hyper::Result<Sender>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = http2::Builder::new(tasks.clone());
    builder.max_header_list_size(FIELD_LIST_BYTES_MAX);
    // hyper's own windows are of megabytes, which a server may fill before we reject the body;
    // these are the defaults of RFC 9113 §6.9.2.
    builder.initial_stream_window_size(65_535).initial_connection_window_size(65_535);
    let (sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
    tasks.execute(async { drop(connection.await) });
    Ok(Sender::Two(sender))
}

/// The task of one connection. Its end needs no report, because requests notice it. An `async`
/// block would hold the connection twice.
struct ConnectionTask<C>(C);

impl<C: Future + Unpin> Future for ConnectionTask<C> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(context).map(drop)
    }
}

/// The tasks of one connection.
#[derive(Clone, Default)]
struct Tasks(Arc<Mutex<Vec<AbortHandle>>>);

impl Tasks {
    fn stop(&self) {
        let handles = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        handles.iter().for_each(AbortHandle::abort);
    }
}

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for Tasks {
    fn execute(&self, future: F) {
        let handle = tokio::spawn(future).abort_handle();
        let mut handles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        handles.retain(|handle| !handle.is_finished());
        handles.push(handle);
    }
}

/// The message of h2 for the error `HTTP_1_1_REQUIRED` (RFC 9113 §7).
const ONE_REQUIRED: &str = "endpoint requires HTTP/1.1";

/// The beginning of the messages of rustls for alerts, and the message for one of them.
const ALERT: &str = "received fatal alert";
const CERTIFICATE_REQUIRED: &str = "received fatal alert: CertificateRequired";

/// Reports whether the server requires the request to be repeated over HTTP/1.1 (RFC 9113 §7).
pub(super) fn requires_one(failure: &Failure) -> bool {
    failure.class == Class::ProtocolError && failure.message.contains(ONE_REQUIRED)
}

/// The message of hyper for a head with more fields or bytes than it may have.
const TOO_LARGE: &str = "message head is too large";

/// Returns the failure of an answer that is longer than a limit of this program, which says nothing
/// about the link.
fn beyond(what: &str) -> Failure {
    let message = format!("the head of the answer is longer than this program reads: {what}");
    Failure::new(Class::Unverifiable, message)
}

/// Returns the failure of a head with more fields or bytes than it may have.
fn too_large() -> Failure {
    let kib = HEAD_BYTES_MAX / 1024;
    beyond(&format!("more than {FIELDS_MAX} fields or {kib} KiB"))
}

/// Converts an error of hyper to a failure of the host, or to the limit that caused it.
fn failure(error: &hyper::Error, meter: &Meter) -> Failure {
    let wrong = |message: String| Failure::new(Class::ProtocolError, message);
    if meter.is_exceeded() {
        return beyond(&format!("more than {} KiB", ANSWER_BYTES_MAX / 1024));
    }
    // The method of hyper that reports this is only part of its server.
    if error.is_parse() && error.to_string() == TOO_LARGE {
        return too_large();
    }
    let Some(cause) = error.source() else {
        if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
            return wrong("expected an answer, found the end of the connection".to_owned());
        }
        if error.is_parse_status() {
            let message = "the head of the answer is malformed: expected a status line of HTTP \
                           (RFC 9112 §4), found something else";
            return wrong(message.to_owned());
        }
        if error.is_parse() {
            return wrong(format!("the head of the answer is malformed: {error}"));
        }
        return wrong(format!("expected an answer of HTTP, found something else: {error}"));
    };
    let Some(cause) = cause.downcast_ref::<io::Error>() else {
        return wrong(format!("expected an answer of HTTP, found something else: {cause}"));
    };
    let inner = cause.get_ref();
    match inner.and_then(|inner| inner.downcast_ref::<Unreadable>()) {
        Some(Unreadable::TooLong) => return too_large(),
        Some(Unreadable::Status) => {
            // Browsers show such a page as if its status were 200, whatever it is.
            let message = "the head of the answer is malformed: expected a status of three digits \
                           (RFC 9112 §4), found something else";
            return Failure::new(Class::Unverifiable, message);
        }
        None => {}
    }
    // h2 keeps the text of an error alone.
    let told = cause.to_string();
    let tls = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
    if told.contains(CERTIFICATE_REQUIRED) {
        // With TLS 1.3, a server says so only after the handshake (RFC 8446 §6.2).
        let message = "the host requires a certificate of the client";
        Failure::new(Class::AuthRequired, message)
    } else if tls.is_some() || told.contains(ALERT) {
        Failure::new(Class::TlsFailed, format!("expected an answer, found {told}"))
    } else {
        wrong(format!("expected an answer, found a broken connection: {}", cause.kind()))
    }
}
