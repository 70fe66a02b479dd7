//! WAIS: whether the server's host is there.
//!
//! RFC 4156. Its protocol is Z39.50 in the version of 1988 (RFC 1625), which nobody serves any
//! more; that the port accepts connections is all that can be told, and nothing is sent.

use std::net::IpAddr;

use tokio::time::Instant;

use super::guard;
use super::lines::{Lines, concluded, known};
use super::tcp::Net;
use super::{Asking, Failure, Kept, Level, Outcome, Probe, Question};
use crate::finding::Class;

const NAME: &str = "wais";

/// The probe.
#[derive(Debug)]
pub(super) struct Wais;

impl Probe for Wais {
    fn name(&self) -> &'static str {
        NAME
    }

    fn schemes(&self) -> &'static [&'static str] {
        &["wais"]
    }

    fn ask<'a>(&'a self, question: Question<'a>, net: &'a Net, _kept: &'a mut Kept) -> Asking<'a> {
        Box::pin(async move {
            let mut address = None;
            let dialogue = converse(&question, net, &mut address).await;
            concluded(dialogue, NAME, address)
        })
    }
}

async fn converse(
    question: &Question<'_>,
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
            let why = "the host accepts connections; whether it has the database is not asked, \
                       since no client speaks its Z39.50 of 1988 any more";
            known(Class::Unverifiable, NAME, why)
        }
    })
}
