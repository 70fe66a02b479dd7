//! Probes news links: whether a server has a newsgroup or an article.
//!
//! RFC 3977 defines the dialogue, RFC 5538 the meaning of URLs, and the documents of 1993 and 1994
//! `nntp:` without a server. The probe sends `GROUP`, `STAT` and `LIST ACTIVE` only: it fetches no
//! article. URLs without a server go to the one in `Net`.
//!
//! `snews` and `nntps` use the same protocol over TLS. Not supported on purpose: `STARTTLS` and
//! logins.

use std::net::IpAddr;

use tokio::time::Instant;

use super::guard::argument::line_argument;
use super::guard::{self, Host};
use super::lines::{self, ByLines, Lines, Reply, known, later, smuggled};
use super::tcp::Net;
use super::{Failure, Kept, Level, Outcome, Question, tls};
use crate::finding::Class;
use crate::uri::Uri;

/// Maximum length of a message-id in bytes, including its angle brackets (RFC 3977 §3.6).
const MESSAGE_ID_LEN_MAX: usize = 250;
/// Maximum number of digits of an article number (RFC 3977 §9.8).
const NUMBER_LEN_MAX: usize = 16;

/// The probe for `news:` URLs: groups and message-ids.
pub(super) static NEWS: ByLines = ByLines {
    name: NEWS_NAME,
    schemes: &["news", "snews"],
    converse: |question, net, kept, address| {
        Box::pin(News { name: NEWS_NAME }.converse(question, net, kept, address))
    },
};
/// The probe for `nntp:` URLs: groups of a server, and article numbers.
pub(super) static NNTP: ByLines = ByLines {
    name: NNTP_NAME,
    schemes: &["nntp", "nntps"],
    converse: |question, net, kept, address| {
        Box::pin(News { name: NNTP_NAME }.converse(question, net, kept, address))
    },
};

const NEWS_NAME: &str = "news";
const NNTP_NAME: &str = "nntp";

/// One of the two probes, by its name.
struct News {
    name: &'static str,
}

impl News {
    async fn converse(
        self,
        question: Question<'_>,
        net: &Net,
        kept: &mut Kept,
        address: &mut Option<IpAddr>,
    ) -> Result<Outcome, Failure> {
        let deadline = Instant::now() + net.timeouts.total;
        let wanted = self.wanted(&question.uri)?;
        let Some(server) = server(&question.uri, net)? else {
            let why = "the link names no server, and no default server is set";
            return Ok(known(Class::Unverifiable, self.name, why));
        };
        if question.level == Level::Host {
            let (_, from) = server.connect(net, deadline).await?;
            *address = Some(from);
            return Ok(known(Class::Alive, self.name, "the host accepts connections"));
        }
        if let Some(mut session) = Session::resume(kept, &server, deadline) {
            *address = Some(session.address);
            // The server may have closed the connection meanwhile; if so, connects again.
            if let Ok(outcome) = self.ask_for(&wanted, &mut session.lines).await {
                *kept = Some(Box::new(session));
                return Ok(outcome);
            }
        }
        let (mut lines, from) = server.connect(net, deadline).await?;
        *address = Some(from);
        if let Some(refused) = self.enter(&mut lines).await? {
            return Ok(refused);
        }
        let outcome = self.ask_for(&wanted, &mut lines).await?;
        if !matches!(wanted, Wanted::Groups(_)) && matches!(outcome, Outcome::Known(_)) {
            *kept = Some(Box::new(Session { lines, server, address: from }));
        }
        Ok(outcome)
    }

    /// Reads the greeting and requests reader mode, which transit servers need (RFC 3977 §5.3).
    /// Returns the outcome if the server refuses.
    async fn enter(&self, lines: &mut Lines) -> Result<Option<Outcome>, Failure> {
        let greeting = lines.reply().await?;
        if !matches!(greeting.code, 200 | 201) {
            return self.turned_away(lines, &greeting).map(Some);
        }
        lines.command("MODE READER", None).await?;
        let reply = lines.reply().await?;
        match reply.code {
            // Servers for readers alone need not know the command.
            200 | 201 | 500 | 501 => Ok(None),
            _ => self.turned_away(lines, &reply).map(Some),
        }
    }

    async fn ask_for(&self, wanted: &Wanted, lines: &mut Lines) -> Result<Outcome, Failure> {
        let reply = match wanted {
            Wanted::Server => {
                return Ok(known(Class::Alive, self.name, "the server serves readers"));
            }
            Wanted::Groups(wildmat) => return self.ask_for_groups(wildmat, lines).await,
            Wanted::Group(group) => ask(lines, "GROUP", group).await?,
            Wanted::Number(group, number) => match ask(lines, "GROUP", group).await? {
                // RFC 3977 §6.1.1.2.
                reply if reply.code == 211 => ask(lines, "STAT", number).await?,
                reply => return self.refused(lines, &reply),
            },
            Wanted::Article(id) => ask(lines, "STAT", id).await?,
        };
        let known = |why| Ok(Outcome::Known(reply.reach(Class::Alive, self.name, why)));
        match (wanted, reply.code) {
            (Wanted::Group(_), 211) => known("the group is there"),
            // RFC 3977 §6.2.4.2.
            (Wanted::Number(..) | Wanted::Article(_), 223) => known("the article is there"),
            _ => self.refused(lines, &reply),
        }
    }

    /// Probes groups that match `wildmat` (RFC 3977 §7.6.3). The first line of the list is enough.
    async fn ask_for_groups(&self, wildmat: &[u8], lines: &mut Lines) -> Result<Outcome, Failure> {
        let reply = ask(lines, "LIST ACTIVE", wildmat).await?;
        if reply.code != 215 {
            return self.refused(lines, &reply);
        }
        let (class, why) = match lines.line().await?.as_slice() {
            b"." => (Class::Missing, "the server has no group that matches"),
            _ => (Class::Alive, "groups that match are there"),
        };
        Ok(Outcome::Known(reply.reach(class, self.name, why)))
    }

    /// Interprets a reply that reports no success.
    fn refused(&self, lines: &Lines, reply: &Reply) -> Result<Outcome, Failure> {
        let (class, why) = match reply.code {
            // RFC 3977 §6.1.1.2 and §6.2.4.2.
            411 => (Class::Missing, "the server has no such group"),
            420 | 423 => (Class::Missing, "the group has no article of this number"),
            430 => (Class::Missing, "the server has no such article"),
            500 | 501 | 503 => (Class::Unverifiable, "the server gives no information"),
            _ => return self.turned_away(lines, reply),
        };
        Ok(Outcome::Known(reply.reach(class, self.name, why)))
    }

    /// Interprets a reply that may answer any command, or none (RFC 3977 §3.2.1).
    fn turned_away(&self, lines: &Lines, reply: &Reply) -> Result<Outcome, Failure> {
        let reach = |class, why| reply.reach(class, self.name, why);
        Ok(match reply.code {
            400 => later(reach(Class::Throttled, "the server is unavailable")),
            403 => later(reach(Class::ServerError, "the server has an internal fault")),
            // 450 and 452 are defined in RFC 2980 §3.1.
            450 | 452 | 480..=483 => {
                Outcome::Known(reach(Class::AuthRequired, "the server wants a login or TLS"))
            }
            502 => Outcome::Known(reach(Class::Forbidden, "the server refuses service")),
            _ => return Err(lines.unexpected(&format!("`{}`", reply.quoted()))),
        })
    }
}

async fn ask(lines: &mut Lines, verb: &'static str, argument: &[u8]) -> Result<Reply, Failure> {
    lines.command(verb, Some(argument)).await?;
    lines.reply().await
}

// ---- a connection that is kept ---------------------------------------------------------

/// A connection on which the server waits for the next command.
struct Session {
    lines: Lines,
    server: Server,
    address: IpAddr,
}

impl Session {
    /// Takes the kept session if it is one with `server`.
    fn resume(kept: &mut Kept, server: &Server, deadline: Instant) -> Option<Self> {
        let mut session = kept.take()?.downcast::<Self>().ok()?;
        session.lines.go_on(deadline);
        (session.server == *server).then_some(*session)
    }
}

// ---- targets of probes -----------------------------------------------------------------

/// The target of a URL.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    /// The server itself.
    Server,
    /// A group.
    Group(Vec<u8>),
    /// The groups that match a pattern.
    Groups(Vec<u8>),
    /// An article of a group, by its number there.
    Number(Vec<u8>, Vec<u8>),
    /// An article, by its message-id in angle brackets.
    Article(Vec<u8>),
}

/// A server, and the scheme of its protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Server {
    scheme: &'static str,
    host: Host,
    port: u16,
}

impl Server {
    async fn connect(&self, net: &Net, deadline: Instant) -> Result<(Lines, IpAddr), Failure> {
        Lines::connect(net, self.scheme, &self.host, self.port, deadline).await
    }
}

/// Returns the server that `uri` names, or the configured one if it names none.
fn server(uri: &Uri<'_>, net: &Net) -> Result<Option<Server>, Failure> {
    // All four schemes share one protocol, so that one connection serves links of two of them.
    let is_secure = tls::is_first(lines::scheme(uri));
    let scheme = if is_secure { "nntps" } else { "nntp" };
    if uri.host.is_some_and(|host| !host.is_empty()) {
        let (host, port) = guard::target(scheme, uri)?;
        return Ok(Some(Server { scheme, host, port }));
    }
    // The configured server's port is for unencrypted links only.
    let given = net.news_server.clone().filter(|_| !is_secure);
    Ok(given.map(|(host, port)| Server { scheme, host, port }))
}

impl News {
    fn wanted(&self, uri: &Uri<'_>) -> Result<Wanted, Failure> {
        let path = lines::path_and_query(uri);
        let path = if uri.host.is_some() { path.strip_prefix(b"/").unwrap_or(path) } else { path };
        if self.name == NNTP_NAME { nntp(path) } else { news(path) }
    }
}

/// Parses `group "/" article-number` (RFC 5538 §3); the documents of 1993 and 1994 allow it without
/// a server.
fn nntp(path: &[u8]) -> Result<Wanted, Failure> {
    let mut parts = path.splitn(2, |&byte| byte == b'/');
    let group = word(parts.next().unwrap_or_default())?;
    let number = word(parts.next().unwrap_or_default())?;
    match () {
        () if group.is_empty() => Ok(Wanted::Server),
        () if number.is_empty() => Ok(Wanted::Group(group)),
        () if number.len() <= NUMBER_LEN_MAX && number.iter().all(u8::is_ascii_digit) => {
            Ok(Wanted::Number(group, number))
        }
        () => {
            let why = format!("expected an article number of at most {NUMBER_LEN_MAX} digits");
            Err(Failure::new(Class::Unverifiable, why))
        }
    }
}

/// Parses the path of a `news:` URL (RFC 5538 §4): articles have an `@` in their name, patterns of
/// groups have `*` or `?`.
fn news(path: &[u8]) -> Result<Wanted, Failure> {
    let name = word(path)?;
    if name.contains(&b'@') {
        let id = [b"<", name.as_slice(), b">"].concat();
        if id.len() > MESSAGE_ID_LEN_MAX {
            let why = format!("a message-id has at most {MESSAGE_ID_LEN_MAX} bytes");
            return Err(Failure::new(Class::Unverifiable, why));
        }
        // RFC 3977 §3.6: a message-id has no `>` between its brackets.
        return if name.contains(&b'>') { Err(smuggled(b'>')) } else { Ok(Wanted::Article(id)) };
    }
    let is_pattern = name.iter().any(|byte| b"*?!,[".contains(byte));
    match name.as_slice() {
        b"" | b"*" => Ok(Wanted::Server),
        _ if is_pattern => Ok(Wanted::Groups(name)),
        _ => Ok(Wanted::Group(name)),
    }
}

/// Decodes an argument without blanks and controls, which separate arguments (RFC 3977 §3.1).
fn word(text: &[u8]) -> Result<Vec<u8>, Failure> {
    let word = line_argument(text)?;
    match word.iter().find(|byte| byte.is_ascii_control() || **byte == b' ') {
        Some(byte) => Err(smuggled(*byte)),
        None => Ok(word),
    }
}
