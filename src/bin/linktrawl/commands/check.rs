//! Implements `linktrawl check`: finds URIs, probes whether they answer, and reports them.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::scan::{conduct, tell_of_options};
use crate::args::check::CheckFlags;
use crate::config::Config;
use crate::exit::Exit;
use crate::plan::{self, Plan};
use crate::signals::Signals;

/// Scans and probes. A signal ends probing; the results until then are reported.
///
/// # Errors
/// When the work cannot be done.
pub(crate) fn run(
    flags: &CheckFlags,
    config: Option<&Config>,
    typed: &[OsString],
    signals: &Signals,
) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        flags.scan.split.is_none(),
        "expected --split with scan alone: a check of many parts would ask each host from each of \
         them"
    );
    tell_of_options(&flags.scan, config);
    let arguments = typed.iter().map(|argument| argument.as_encoded_bytes());
    let arguments = arguments.chain(config.map(|config| config.text().as_bytes()));
    let arguments = arguments.flat_map(|part| [part, b"\0"].concat()).collect();
    let mut requests = plan::request_options(&flags.ask, Arc::clone(&signals.stop), arguments)?;
    requests.unwraps = !flags.scan.no_unwrap;
    if let Some(config) = config {
        config.add_hosts_to(&mut requests)?;
        if let Some(state) = &mut requests.state {
            state.within = config.found_for("state").map(Path::to_owned);
        }
    }
    let exit = conduct(Plan::of(&flags.scan, config)?, Some(&requests))?;
    Ok(signals.code().map_or(exit, Exit::Stopped))
}
