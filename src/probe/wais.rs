//! Probes WAIS links by connecting to the server's host.
//!
//! Specification: RFC 4156. The protocol is Z39.50 in its version of 1988 (RFC 1625), which no
//! server speaks any more. The probe only finds out whether the port accepts connections, and sends
//! nothing.

use std::net::IpAddr;

use tokio::time::Instant;

use super::guard;
use super::lines::{ByLines, Lines, known};
use super::tcp::Net;
use super::{Failure, Level, Outcome, Question};
use crate::finding::Class;

const NAME: &str = "wais";

/// The probe for `wais`.
pub(super) static WAIS: ByLines = ByLines {
    name: NAME,
    schemes: &["wais"],
    converse: |question, net, _, address| Box::pin(converse(question, net, address)),
};

async fn converse(
    question: Question<'_>,
    net: &Net,
    address: &mut Option<IpAddr>,
) -> Result<Outcome, Failure> {
    let deadline = Instant::now() + net.timeouts.total;
    let uri = &question.uri;
    let (host, port) = guard::target(NAME, uri)?;
    let (_, from) = Lines::connect(net, NAME, &host, port, deadline).await?;
    *address = Some(from);
    Ok(match question.level {
        Level::Host => known(Class::Alive, NAME, "the host accepts connections"),
        Level::Head | Level::Get => {
            let why = "the host accepts connections; the database is not verified, since no \
                       current client speaks its Z39.50 of 1988";
            known(Class::Unverifiable, NAME, why)
        }
    })
}
