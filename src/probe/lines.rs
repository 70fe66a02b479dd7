//! Lines of text to a server and back, within limits: what FTP, gopher and NNTP share.
//!
//! A line ends in LF, with or without a CR before it; everything else, NULs and escapes too,
//! is kept as it came. Nothing here knows what a line means but for the three digits that
//! begin a reply of FTP and NNTP.
//!
//! A hostile server is met by four limits: on a line, on the lines of a reply, on all that is
//! read for one question, and on the time from the question to its answer, which no dripping
//! stretches.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use super::guard::Host;
use super::tcp::Net;
use super::{Answer, Asking, Failure, Kept, Outcome, Probe, Question, tls};
use crate::finding::{Class, Reach};
use crate::scheme;
use crate::uri::Uri;

/// Longest line. A reply of NNTP has at most 512 bytes (RFC 3977 §3.1), FTP sets no limit;
/// eight times that has room for every greeting that is not an attack.
pub(super) const LINE_LEN_MAX: usize = 4096;
/// Most lines of one reply: the longest greetings of archives have some 100.
pub(super) const REPLY_LINES_MAX: usize = 256;
/// Most bytes read for one question, in all its replies together.
pub(super) const READ_LEN_MAX: usize = 256 << 10;
/// Bytes asked of the system at once.
const CHUNK_LEN: usize = 1024;
/// How much of a reply a message quotes: a sentence.
const QUOTED_LEN_MAX: usize = 120;

/// A probe that holds a dialogue in lines, or begins one.
pub(super) struct ByLines {
    /// Its name in records.
    pub(super) name: &'static str,
    /// The schemes that it asks for, in lower case.
    pub(super) schemes: &'static [&'static str],
    /// The dialogue. It tells the address that answers as soon as there is one.
    pub(super) converse:
        for<'a> fn(Question<'a>, &'a Net, &'a mut Kept, &'a mut Option<IpAddr>) -> Dialogue<'a>,
}

/// What a dialogue comes to.
pub(super) type Dialogue<'a> = Pin<Box<dyn Future<Output = Result<Outcome, Failure>> + Send + 'a>>;

impl Probe for ByLines {
    fn name(&self) -> &'static str {
        self.name
    }

    fn schemes(&self) -> &'static [&'static str] {
        self.schemes
    }

    fn ask<'a>(&'a self, question: Question<'a>, net: &'a Net, kept: &'a mut Kept) -> Asking<'a> {
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

/// What lines come over: a connection, or TLS on one.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A connection that speaks in lines.
pub(super) struct Lines {
    stream: Box<dyn Stream>,
    /// What was read and not yet given out.
    buffer: Vec<u8>,
    /// How many bytes were read for this question.
    read_len: usize,
    deadline: Instant,
    /// What is waited for, to be named when it does not come.
    awaited: &'static str,
}

/// How a line came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By its LF.
    Line,
    /// By the end of the connection.
    Closed,
    /// It is longer than lines may be.
    Cut,
}

/// A reply that begins with three digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    /// What the digits say.
    pub(super) code: u16,
    /// What stands behind them in the last line.
    pub(super) text: Vec<u8>,
}

impl Lines {
    /// Connects to `host` for a link of `scheme`, by TLS where the scheme begins with it; the
    /// first line is a greeting. The answer must be there at `deadline`.
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

    /// Goes on with another question, which must be answered at `deadline`.
    pub(super) fn go_on(&mut self, deadline: Instant) {
        self.deadline = deadline;
        self.read_len = self.buffer.len();
    }

    /// Sends `verb`, and `argument` behind a blank where there is one.
    ///
    /// # Errors
    /// When the argument would end the line, which callers have seen to; when the server
    /// does not take it in time.
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

    /// Sends `line`; what comes next is `awaited`.
    pub(super) async fn send(&mut self, line: &[u8], awaited: &'static str) -> Result<(), Failure> {
        // Tabs are gopher's own; nothing else may end a line but its end.
        if let Some(byte) = line.iter().find(|byte| b"\r\n\0".contains(byte)) {
            return Err(smuggled(*byte));
        }
        self.awaited = awaited;
        let whole = [line, b"\r\n"].concat();
        let sent = timeout_at(self.deadline, self.stream.write_all(&whole)).await;
        sent.map_err(|_| self.late())?.map_err(|error| self.broken(&error))
    }

    /// The next line without its end, of which nothing may be missing.
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

    /// The next line without its end, as far as it came, and how it ended.
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

    /// Takes the line whose LF stands at `at`.
    fn take_line(&mut self, at: usize) -> (Vec<u8>, Ending) {
        let behind = self.buffer.split_off(at + 1);
        let mut line = std::mem::replace(&mut self.buffer, behind);
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let ending = if line.len() > LINE_LEN_MAX { Ending::Cut } else { Ending::Line };
        (line, ending)
    }

    /// The bytes that came, of which there is at least one unless the connection ended.
    pub(super) async fn bytes(&mut self) -> Result<&[u8], Failure> {
        if self.buffer.is_empty() {
            self.fill().await?;
        }
        Ok(&self.buffer)
    }

    /// Reads more, and says how much; zero is the end.
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

    /// The next reply, of one line (RFC 3977 §3.1).
    pub(super) async fn reply(&mut self) -> Result<Reply, Failure> {
        let line = self.line().await?;
        let (reply, _) = Reply::parse(&line).ok_or_else(|| self.no_reply(&line))?;
        Ok(reply)
    }

    /// The next reply, which may have many lines (RFC 959 §4.2): when a hyphen stands behind
    /// the digits it ends with a line that has the same digits and a blank.
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

    /// Waits for nothing more than that `line` is on its way: a farewell.
    pub(super) async fn part(&mut self, line: &[u8]) {
        let _ = self.send(line, "nothing").await;
    }

    fn no_reply(&self, line: &[u8]) -> Failure {
        self.unexpected(&format!("`{}`", quoted(line)))
    }

    /// What came does not belong there.
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
    if tls::SCHEMES.contains(&scheme) {
        let secure = net.secure(connection.stream, host, &[]).await?;
        return Ok((Box::new(secure), connection.address));
    }
    Ok((Box::new(connection.stream), connection.address))
}

impl Reply {
    /// Reads three digits, and whether a hyphen follows them.
    fn parse(line: &[u8]) -> Option<(Self, bool)> {
        let (digits, behind) = line.split_first_chunk::<3>()?;
        let goes_on = match behind.first() {
            None | Some(b' ') => false,
            Some(b'-') => true,
            Some(_) => return None,
        };
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let code = digits.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0'));
        let text = behind.get(1..).unwrap_or_default().to_vec();
        Some((Self { code, text }, goes_on))
    }

    /// What it says, to be quoted in a message.
    pub(super) fn quoted(&self) -> String {
        let text = quoted(&self.text);
        if text.is_empty() { self.code.to_string() } else { format!("{} {text}", self.code) }
    }

    /// That the reply makes the link one of `class`.
    pub(super) fn reach(&self, class: Class, probe: &'static str, why: &str) -> Reach {
        let message = match class {
            Class::Alive => why.to_owned(),
            _ => format!("{why}: {}", self.quoted()),
        };
        Reach::new(class, probe, message).with_status(self.code)
    }
}

/// The beginning of what a server said, with what is no UTF-8 replaced. Whoever prints it
/// escapes it.
pub(super) fn quoted(text: &[u8]) -> String {
    let start = text.get(..QUOTED_LEN_MAX).unwrap_or(text);
    let shown = String::from_utf8_lossy(start);
    let shown = shown.trim();
    if start.len() < text.len() { format!("{shown}…") } else { shown.to_owned() }
}

/// That the link is known to be of `class`, without a reply that says so.
pub(super) fn known(class: Class, probe: &'static str, message: impl Into<String>) -> Outcome {
    Outcome::Known(Reach::new(class, probe, message))
}

/// That another try may tell more than `reach`.
pub(super) fn later(reach: Reach) -> Outcome {
    Outcome::Later { reach, after: None }
}

// ---- what of a URI goes into a line ----------------------------------------------------

/// The name of the scheme of `uri`, in lower case.
pub(super) fn scheme(uri: &Uri<'_>) -> &'static str {
    let name = uri.scheme.map(|scheme| scheme.of(uri.text)).unwrap_or_default();
    scheme::find(name).map_or("", |scheme| scheme.name)
}

/// Path and query of `uri` together, for schemes in which a `?` is data.
pub(super) fn path_and_query<'t>(uri: &Uri<'t>) -> &'t [u8] {
    let end = uri.query.map_or(uri.path.end, |query| query.end);
    uri.text.get(uri.path.start..end).unwrap_or_default()
}

/// The failure of an argument that holds `byte`.
pub(super) fn smuggled(byte: u8) -> Failure {
    let message = format!("an argument of the protocol has the byte {byte:#04x}");
    Failure::new(Class::PolicyArgument, message)
}
