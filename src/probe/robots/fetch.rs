//! How a site's `robots.txt` is had, and what it means when it cannot be (RFC 9309 §2.3).

use std::net::IpAddr;
use std::time::Duration;

use super::{BYTES_MAX, PRODUCT, Robots};
use crate::probe::http::{self, Target};
use crate::probe::tcp::Net;
use crate::probe::{Answer, Kept, Outcome};

/// Redirects that are followed, to other hosts too (RFC 9309 §2.3.1.2).
const REDIRECTS_MAX: usize = 5;

/// What came of asking for a file.
#[derive(Clone, Debug, Default)]
pub struct Fetched {
    /// What the site asks, if nobody tries again.
    pub robots: Robots,
    /// How long the server wants to be left alone (RFC 9110 §10.2.3), where it says so.
    pub after: Option<Duration>,
    /// The address of the site that answered.
    pub address: Option<IpAddr>,
}

impl From<Robots> for Fetched {
    fn from(robots: Robots) -> Self {
        Self { robots, ..Self::default() }
    }
}

/// What the site asks of us that `site`, an absolute URI of HTTP, belongs to. Ends in a bounded
/// time, whatever servers do: that of one question for the site and each redirect.
///
/// `kept` is a connection to the site, as its probe keeps it.
pub async fn fetch(site: &str, net: &Net, kept: &mut Kept) -> Fetched {
    let Ok(target) = Target::parse(site.as_bytes()) else { return Robots::allow_all().into() };
    let mut target = target.at_robots();
    let mut answer = http::page(target, net, kept).await;
    let address = answer.address;
    if address.is_none() {
        // Nobody was reached. That is to be told of the links, which come to the same end.
        return Robots::unasked().into();
    }
    for _ in 0..REDIRECTS_MAX {
        let Outcome::Moved(hop) = &answer.outcome else { break };
        target = match Target::parse(&hop.to) {
            Ok(target) => target,
            Err(failure) => return Robots::unknown(&failure.message).into(),
        };
        // Connections to other hosts are for those hosts' links, which have their own turn.
        answer = http::page(target, net, &mut None).await;
    }
    Fetched { address, ..read(answer) }
}

/// What the last answer means.
fn read(answer: Answer) -> Fetched {
    let (reach, after) = match answer.outcome {
        Outcome::Known(reach) => (reach, None),
        Outcome::Later { reach, after } => (reach, after),
        // §2.3.1.2: whoever sends us on for longer has none.
        Outcome::Moved(_) => return Robots::allow_all().into(),
    };
    let robots = match (reach.status, answer.body) {
        (Some(200..=299), Some(body)) if !body.is_cut || body.bytes.len() > BYTES_MAX => {
            Robots::parse(&body.bytes, PRODUCT)
        }
        (Some(200..=299), _) => Robots::unknown("it did not come whole"),
        // §2.3.1.3 allows everything after any 4xx. Two of them say that the server has too
        // much to do, which is no leave to ask it for more.
        (Some(300..=407 | 409..=428 | 430..=499), _) => Robots::allow_all(),
        // §2.3.1.4: errors of server or network.
        _ => Robots::unknown(&reach.message),
    };
    Fetched { robots, after, address: None }
}
