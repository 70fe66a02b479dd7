//! Exchanges lines of text with a server, within limits; shared by FTP, gopher and NNTP.
//!
//! A line ends in LF, with an optional CR before it; all other bytes, including NULs and escapes,
//! are kept unchanged. Only the three digits that begin a reply of FTP and NNTP are interpreted
//! here.
//!
//! Four limits guard against hostile servers: on the length of a line, on the lines of a reply, on
//! all bytes read for one link, and on the time from request to answer, which slow sending cannot
//! extend.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use super::guard::Host;
use super::tcp::Net;
use super::{Answer, AnswerFuture, Failure, Kept, Outcome, Probe, Question, tls};
use crate::finding::{Class, Reach};
use crate::scheme;
use crate::uri::Uri;

/// Maximum length of a line in bytes. A reply of NNTP has at most 512 bytes (RFC 3977 §3.1), FTP
/// sets no limit; eight times that is enough for every legitimate greeting.
pub(super) const LINE_LEN_MAX: usize = 4096;
/// Maximum number of lines in one reply: the longest greetings of archives have some 100.
pub(super) const REPLY_LINES_MAX: usize = 256;
/// Maximum number of bytes read for one link, over all replies.
pub(super) const READ_LEN_MAX: usize = 256 << 10;
/// Bytes per read.
const CHUNK_LEN: usize = 1024;
/// Maximum number of bytes of a reply that a message quotes: a sentence.
const QUOTED_LEN_MAX: usize = 120;

/// A probe whose protocol is a dialogue of lines, or begins as one.
pub(super) struct ByLines {
    /// The probe's name in records.
    pub(super) name: &'static str,
    /// The schemes that it probes, in lower case.
    pub(super) schemes: &'static [&'static str],
    /// The dialogue. It stores the server's address as soon as a connection is made.
    pub(super) converse:
        for<'a> fn(Question<'a>, &'a Net, &'a mut Kept, &'a mut Option<IpAddr>) -> Dialogue<'a>,
}

/// The future of a dialogue's outcome.
pub(super) type Dialogue<'a> = Pin<Box<dyn Future<Output = Result<Outcome, Failure>> + Send + 'a>>;

impl Probe for ByLines {
    fn name(&self) -> &'static str {
        self.name
    }

    fn schemes(&self) -> &'static [&'static str] {
        self.schemes
    }

    fn ask<'a>(
        &'a self,
        question: Question<'a>,
        net: &'a Net,
        kept: &'a mut Kept,
    ) -> AnswerFuture<'a> {
        Box::pin(async move {
            let mut address = None;
            let answer = match (self.converse)(question, net, kept, &mut address).await {
                Ok(outcome) => Answer::of(outcome),
                Err(failure) => failure.into_answer(self.name),
            };
            Answer { address, ..answer }
        })
    }
}

/// The transport of lines: a TCP or TLS connection.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A connection that exchanges lines.
pub(super) struct Lines {
    stream: Box<dyn Stream>,
    /// Bytes that were read and not yet returned.
    buffer: Vec<u8>,
    /// The number of bytes read for this link.
    read_len: usize,
    deadline: Instant,
    /// The expected reply, for the message if it does not arrive.
    awaited: &'static str,
}

/// The way in which a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It ended in LF.
    Line,
    /// The connection ended.
    Closed,
    /// It exceeds the maximum length.
    Cut,
}

/// A reply that begins with three digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    /// The number that the three digits form.
    pub(super) code: u16,
    /// The text that follows the digits in the last line.
    pub(super) text: Vec<u8>,
}

impl Lines {
    /// Connects to `host` for a link of `scheme`, with TLS if the scheme begins with it; a greeting
    /// is expected first. The whole exchange must end before `deadline`.
    pub(super) async fn connect(
        net: &Net,
        scheme: &str,
        host: &Host,
        port: u16,
        deadline: Instant,
    ) -> Result<(Self, IpAddr), Failure> {
        let connected = timeout_at(deadline, connect(net, scheme, host, port)).await;
        let late = |_| Failure::new(Class::Timeout, "no connection in time");
        let (stream, address) = connected.map_err(late)??;
        let (buffer, awaited) = (Vec::new(), "a greeting");
        Ok((Self { stream, buffer, read_len: 0, deadline, awaited }, address))
    }

    /// Prepares the connection for another link, whose exchange must end before `deadline`.
    pub(super) fn go_on(&mut self, deadline: Instant) {
        self.deadline = deadline;
        self.read_len = self.buffer.len();
    }

    /// Sends `verb`, followed by a blank and `argument` if there is one.
    ///
    /// # Errors
    /// When the argument would end the line, which callers have excluded, or when the server does
    /// not accept the line in time.
    pub(super) async fn command(
        &mut self,
        verb: &'static str,
        argument: Option<&[u8]>,
    ) -> Result<(), Failure> {
        let mut line = verb.as_bytes().to_vec();
        if let Some(argument) = argument {
            line.push(b' ');
            line.extend_from_slice(argument);
        }
        self.send(&line, verb).await
    }

    /// Sends `line`; `awaited` names the reply that is expected next.
    pub(super) async fn send(&mut self, line: &[u8], awaited: &'static str) -> Result<(), Failure> {
        // Tabs are separators of gopher; CR, LF and NUL could end a line early.
        if let Some(byte) = line.iter().find(|byte| b"\r\n\0".contains(byte)) {
            return Err(smuggled(*byte));
        }
        self.awaited = awaited;
        let whole = [line, b"\r\n"].concat();
        let sent = timeout_at(self.deadline, self.stream.write_all(&whole)).await;
        sent.map_err(|_| self.late())?.map_err(|error| self.broken(&error))
    }

    /// Reads the next complete line, without its line end.
    pub(super) async fn line(&mut self) -> Result<Vec<u8>, Failure> {
        let (line, ending) = self.some_line().await?;
        match ending {
            Ending::Line => Ok(line),
            Ending::Closed => Err(self.unexpected("the end of the connection")),
            Ending::Cut => {
                Err(self.unexpected(&format!("a line of more than {LINE_LEN_MAX} bytes")))
            }
        }
    }

    /// Reads the next line without its line end, which may be incomplete, and how it ended.
    pub(super) async fn some_line(&mut self) -> Result<(Vec<u8>, Ending), Failure> {
        let mut seen = 0;
        loop {
            let rest = self.buffer.get(seen..).unwrap_or_default();
            if let Some(at) = memchr::memchr(b'\n', rest).map(|at| seen + at) {
                return Ok(self.take_line(at));
            }
            seen = self.buffer.len();
            if seen > LINE_LEN_MAX {
                return Ok((std::mem::take(&mut self.buffer), Ending::Cut));
            }
            if self.fill().await? == 0 {
                return Ok((std::mem::take(&mut self.buffer), Ending::Closed));
            }
        }
    }

    /// Takes the line whose LF is at `at`.
    fn take_line(&mut self, at: usize) -> (Vec<u8>, Ending) {
        let after = self.buffer.split_off(at + 1);
        let mut line = std::mem::replace(&mut self.buffer, after);
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let ending = if line.len() > LINE_LEN_MAX { Ending::Cut } else { Ending::Line };
        (line, ending)
    }

    /// Returns the unread bytes: at least one, unless the connection ended.
    pub(super) async fn bytes(&mut self) -> Result<&[u8], Failure> {
        if self.buffer.is_empty() {
            self.fill().await?;
        }
        Ok(&self.buffer)
    }

    /// Reads more bytes and returns their number; zero at the end of the connection.
    async fn fill(&mut self) -> Result<usize, Failure> {
        if self.read_len >= READ_LEN_MAX {
            return Err(self.unexpected(&format!("more than {READ_LEN_MAX} bytes")));
        }
        let mut chunk = [0; CHUNK_LEN];
        let read = timeout_at(self.deadline, self.stream.read(&mut chunk)).await;
        let len = read.map_err(|_| self.late())?.map_err(|error| self.broken(&error))?;
        self.read_len += len;
        self.buffer.extend_from_slice(chunk.get(..len).unwrap_or_default());
        Ok(len)
    }

    /// Reads the next reply, of one line (RFC 3977 §3.1).
    pub(super) async fn reply(&mut self) -> Result<Reply, Failure> {
        let line = self.line().await?;
        let (reply, _) = Reply::parse(&line).ok_or_else(|| self.no_reply(&line))?;
        Ok(reply)
    }

    /// Reads the next reply, which may have several lines (RFC 959 §4.2): if a hyphen follows the
    /// digits, the reply ends with a line that has the same digits and a blank.
    pub(super) async fn long_reply(&mut self) -> Result<Reply, Failure> {
        let line = self.line().await?;
        let (first, goes_on) = Reply::parse(&line).ok_or_else(|| self.no_reply(&line))?;
        if !goes_on {
            return Ok(first);
        }
        for _ in 1..REPLY_LINES_MAX {
            let line = self.line().await?;
            match Reply::parse(&line) {
                Some((last, false)) if last.code == first.code => return Ok(last),
                _ => {}
            }
        }
        Err(self.unexpected(&format!("a reply of more than {REPLY_LINES_MAX} lines")))
    }

    /// Sends `line` as a farewell, without waiting for a reply.
    pub(super) async fn part(&mut self, line: &[u8]) {
        let _ = self.send(line, "nothing").await;
    }

    fn no_reply(&self, line: &[u8]) -> Failure {
        self.unexpected(&format!("`{}`", quoted(line)))
    }

    /// Returns the failure of receiving `found` instead of the expected reply.
    pub(super) fn unexpected(&self, found: &str) -> Failure {
        let message = format!("expected {}, found {found}", self.wanted());
        Failure::new(Class::ProtocolError, message)
    }

    fn late(&self) -> Failure {
        Failure::new(Class::Timeout, format!("expected {}, found no end in time", self.wanted()))
    }

    fn broken(&self, error: &io::Error) -> Failure {
        self.unexpected(&format!("a broken connection ({})", error.kind()))
    }

    fn wanted(&self) -> String {
        match self.awaited.chars().next() {
            Some('A'..='Z') => format!("a reply to {}", self.awaited),
            _ => self.awaited.to_owned(),
        }
    }
}

async fn connect(
    net: &Net,
    scheme: &str,
    host: &Host,
    port: u16,
) -> Result<(Box<dyn Stream>, IpAddr), Failure> {
    let connection = net.connect(scheme, host, port).await?;
    if tls::is_first(scheme) {
        let secure = net.secure(connection.stream, host, &[]).await?;
        return Ok((Box::new(secure), connection.address));
    }
    Ok((Box::new(connection.stream), connection.address))
}

impl Reply {
    /// Parses three digits, and whether a hyphen follows them.
    fn parse(line: &[u8]) -> Option<(Self, bool)> {
        let (digits, after) = line.split_first_chunk::<3>()?;
        let goes_on = match after.first() {
            None | Some(b' ') => false,
            Some(b'-') => true,
            Some(_) => return None,
        };
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let code = digits.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0'));
        let text = after.get(1..).unwrap_or_default().to_vec();
        Some((Self { code, text }, goes_on))
    }

    /// Returns the reply's digits and text, for use in a message.
    pub(super) fn quoted(&self) -> String {
        let text = quoted(&self.text);
        if text.is_empty() { self.code.to_string() } else { format!("{} {text}", self.code) }
    }

    /// Returns a result of `class` that quotes the reply.
    pub(super) fn reach(&self, class: Class, probe: &'static str, why: &str) -> Reach {
        let message = match class {
            Class::Alive => why.to_owned(),
            _ => format!("{why}: {}", self.quoted()),
        };
        Reach::new(class, probe, message).with_status(self.code)
    }
}

/// Returns the beginning of a server's text, with invalid UTF-8 replaced. Callers that print it
/// escape it.
pub(super) fn quoted(text: &[u8]) -> String {
    let start = text.get(..QUOTED_LEN_MAX).unwrap_or(text);
    let shown = String::from_utf8_lossy(start);
    let shown = shown.trim();
    if start.len() < text.len() { format!("{shown}…") } else { shown.to_owned() }
}

/// Returns a final outcome of `class` that rests on no reply.
pub(super) fn known(class: Class, probe: &'static str, message: impl Into<String>) -> Outcome {
    Outcome::Known(Reach::new(class, probe, message))
}

/// Returns an outcome with `reach`, for which another try may succeed.
pub(super) fn later(reach: Reach) -> Outcome {
    Outcome::Later { reach, after: None }
}

// ---- parts of a URI that are sent in a line --------------------------------------------

/// Returns the name of the scheme of `uri`, in lower case; empty if it is unknown.
pub(super) fn scheme(uri: &Uri<'_>) -> &'static str {
    let name = uri.scheme.map(|scheme| scheme.of(uri.text)).unwrap_or_default();
    scheme::find(name).map_or("", |scheme| scheme.name)
}

/// Returns path and query of `uri` together, for schemes in which a `?` is data.
pub(super) fn path_and_query<'t>(uri: &Uri<'t>) -> &'t [u8] {
    let end = uri.query.map_or(uri.path.end, |query| query.end);
    uri.text.get(uri.path.start..end).unwrap_or_default()
}

/// Returns the failure of an argument that holds `byte`.
pub(super) fn smuggled(byte: u8) -> Failure {
    let message = format!("an argument of the protocol has the byte {byte:#04x}");
    Failure::new(Class::PolicyArgument, message)
}
