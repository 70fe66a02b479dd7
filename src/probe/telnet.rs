//! Terminal sessions: whether somebody is there to log in to.
//!
//! RFC 4248 (telnet), RFC 6270 (tn3270), and the prose of RFC 1630 for rlogin, whose protocol
//! is RFC 1282. A connection is made, and nothing is ever sent: whoever answers a negotiation
//! is on the way to a login. What the server begins with is told by its first byte alone, since
//! how much comes at once differs from run to run.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::guard;
use super::lines::{self, ByLines, Lines, known};
use super::tcp::Net;
use super::{Failure, Level, Outcome, Question};
use crate::finding::Class;

const NAME: &str = "telnet";
/// How long a server may take to begin. It is there without that; servers that look up our
/// name first take some seconds.
const BEGIN: Duration = Duration::from_secs(5);
/// "Interpret as command", with which each option of Telnet begins (RFC 854).
const IAC: u8 = 0xFF;

/// The probe.
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
    // In RFC 1282 the client begins, and what it sends is the user's name.
    if question.level == Level::Host || scheme == "rlogin" {
        return Ok(known(Class::Alive, NAME, "the host accepts connections"));
    }
    lines.go_on(deadline.min(Instant::now() + BEGIN));
    Ok(known(Class::Alive, NAME, beginning(&mut lines).await))
}

/// What a server begins with. That it is there is known already.
async fn beginning(lines: &mut Lines) -> &'static str {
    match lines.bytes().await {
        Ok([IAC, ..]) => "the server accepts connections and negotiates options of Telnet",
        Ok([_, ..]) => "the server accepts connections and begins with text",
        Ok([]) => "the server accepts connections and closes them",
        Err(Failure { class: Class::Timeout, .. }) => "the server accepts connections and waits",
        Err(_) => "the server accepts connections and breaks them off",
    }
}
