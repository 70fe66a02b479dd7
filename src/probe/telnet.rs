//! Probes terminal sessions: whether the server accepts connections.
//!
//! Specifications: RFC 4248 (telnet), RFC 6270 (tn3270), and the prose of RFC 1630 for rlogin,
//! whose protocol is RFC 1282. The probe connects and never sends anything: answering a negotiation
//! would begin a login. Only the first byte of the server's data is interpreted, because the amount
//! that arrives at once differs from run to run.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::guard;
use super::lines::{self, ByLines, Lines, known};
use super::tcp::Net;
use super::{Failure, Level, Outcome, Question};
use crate::finding::Class;

const NAME: &str = "telnet";
/// Time limit for the first byte. The link is alive without it; servers that look up our name first
/// take some seconds.
const BEGIN: Duration = Duration::from_secs(5);
/// "Interpret as command", with which each option of Telnet begins (RFC 854).
const IAC: u8 = 0xFF;

/// The probe for terminal sessions.
pub(super) static TELNET: ByLines = ByLines {
    name: NAME,
    schemes: &["telnet", "rlogin", "tn3270"],
    converse: |question, net, _, address| Box::pin(converse(question, net, address)),
};

async fn converse(
    question: Question<'_>,
    net: &Net,
    address: &mut Option<IpAddr>,
) -> Result<Outcome, Failure> {
    let now = Instant::now();
    let uri = &question.uri;
    let scheme = lines::scheme(uri);
    let (host, port) = guard::target(scheme, uri)?;
    let deadline = now + net.timeouts.total;
    let (mut lines, from) = Lines::connect(net, scheme, &host, port, deadline).await?;
    *address = Some(from);
    // In RFC 1282 the client sends first, and it sends the user's name.
    if question.level == Level::Host || scheme == "rlogin" {
        return Ok(known(Class::Alive, NAME, "the host accepts connections"));
    }
    lines.go_on(deadline.min(Instant::now() + BEGIN));
    Ok(known(Class::Alive, NAME, beginning(&mut lines).await))
}

/// Describes how the server begins. The connection alone already shows that it is alive.
async fn beginning(lines: &mut Lines) -> &'static str {
    match lines.bytes().await {
        Ok([IAC, ..]) => "the server accepts connections and negotiates options of Telnet",
        Ok([_, ..]) => "the server accepts connections and begins with text",
        Ok([]) => "the server accepts connections and closes them",
        Err(Failure { class: Class::Timeout, .. }) => "the server accepts connections and waits",
        Err(_) => "the server accepts connections and resets them",
    }
}
