//! Fetches a site's `robots.txt`, and decides what it means if that fails (RFC 9309 §2.3).

use std::net::IpAddr;
use std::time::Duration;

use super::{BYTES_MAX, PRODUCT, Robots};
use crate::finding::Class;
use crate::probe::http::{self, Target};
use crate::probe::tcp::Net;
use crate::probe::{Answer, Kept, Outcome};

/// Maximum number of redirects followed, including to other hosts (RFC 9309 §2.3.1.2).
const REDIRECTS_MAX: usize = 5;

/// The result of fetching a file.
#[derive(Clone, Debug, Default)]
pub struct Fetched {
    /// The site's rules, if no other try follows.
    pub robots: Robots,
    /// The delay that the server requests (RFC 9110 §10.2.3), if any.
    pub after: Option<Duration>,
    /// The address of the site, if it answered.
    pub address: Option<IpAddr>,
}

impl From<Robots> for Fetched {
    fn from(robots: Robots) -> Self {
        Self { robots, ..Self::default() }
    }
}

/// Fetches the rules of the site of `site`, an absolute URI of HTTP. Ends in bounded time, whatever
/// servers do: one probe's time for the site and for each redirect.
///
/// `kept` is a connection to the site, as kept by its probe.
pub async fn fetch(site: &str, net: &Net, kept: &mut Kept) -> Fetched {
    let Ok(target) = Target::parse(site.as_bytes()) else { return Robots::allow_all().into() };
    let mut target = target.at_robots();
    let mut answer = http::page(target, net, kept).await;
    let address = answer.address;
    if address.is_none() {
        // The site is unreachable. Its links will fail in the same way and report it.
        return Robots::unasked().into();
    }
    for _ in 0..REDIRECTS_MAX {
        let Outcome::Moved(hop) = &answer.outcome else { break };
        target = match Target::parse(&hop.to) {
            Ok(target) => target,
            Err(failure) => return Robots::unknown(&failure.message).into(),
        };
        // Kept connections to other hosts belong to the links of those hosts, in their own turn.
        answer = http::page(target, net, &mut None).await;
    }
    if is_no_http(&answer.outcome) {
        // Its links will fail in the same way and report it.
        return Robots::unasked().into();
    }
    Fetched { address, ..read(answer) }
}

/// Reports whether the server ended the connection over TLS before a word of HTTP.
fn is_no_http(outcome: &Outcome) -> bool {
    let (Outcome::Known(reach) | Outcome::Later { reach, .. }) = outcome else { return false };
    reach.status.is_none() && matches!(reach.class, Class::TlsFailed | Class::AuthRequired)
}

/// Interprets the last answer.
fn read(answer: Answer) -> Fetched {
    let (reach, after) = match answer.outcome {
        Outcome::Known(reach) => (reach, None),
        Outcome::Later { reach, after } => (reach, after),
        // §2.3.1.2: a longer chain of redirects counts as no file.
        Outcome::Moved(_) => return Robots::allow_all().into(),
    };
    let robots = match (reach.status, answer.body) {
        (Some(200..=299), Some(body)) if !body.is_cut || body.bytes.len() > BYTES_MAX => {
            Robots::parse(&body.bytes, PRODUCT)
        }
        (Some(200..=299), _) => Robots::unknown("it did not come whole"),
        // §2.3.1.3 allows everything after any 4xx. The exceptions are 408 and 429: the server is
        // overloaded, which is no permission to send more requests.
        (Some(300..=407 | 409..=428 | 430..=499), _) => Robots::allow_all(),
        // §2.3.1.4: errors of the server or the network.
        _ => Robots::unknown(&reach.message),
    };
    Fetched { robots, after, address: None }
}
