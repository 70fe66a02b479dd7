//! Converts the options of `check` to the library's options for probing.

use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use linktrawl::internal::check::local::{self, Fragments};
use linktrawl::internal::check::{Counting, Policy};
use linktrawl::internal::probe::Level;
use linktrawl::internal::probe::guard::Guard;
use linktrawl::internal::probe::schedule::Rules;
use linktrawl::internal::probe::tcp::{NetOptions, Timeouts};
use linktrawl::internal::probe::trust::{Trust, TrustFile};
use linktrawl::internal::run::{Archives, RequestOptions, StateOptions};

use crate::args::check::{AskFlags, CountAs, LookedFor, Probing};
use crate::platform;

/// Returns the options for probing, until `stop` is set; `arguments` identify the run.
///
/// # Errors
/// When a file that `flags` name cannot be read, or --root-dir is no directory.
pub(crate) fn request_options(
    flags: &AskFlags,
    stop: Arc<AtomicBool>,
    arguments: Vec<u8>,
) -> anyhow::Result<RequestOptions> {
    let level = flags.probe.map(|probe| match probe {
        Probing::Host => Level::Host,
        Probing::Head => Level::Head,
        Probing::Get => Level::Get,
    });
    for (is_given, flag) in [(flags.drift, "--drift"), (flags.soft, "--soft-404")] {
        let is_read = level == Some(Level::Get);
        anyhow::ensure!(
            is_read || !is_given,
            "expected --probe get with {flag}, which reads pages"
        );
    }
    let files = OpenFiles::share_out();
    Ok(RequestOptions {
        mail: level.unwrap_or(Level::Host),
        documents: level.unwrap_or(Level::Head),
        allows_side_effects: flags.probe_side_effects,
        unwraps: true,
        is_offline: flags.offline,
        obeys_robots: !flags.no_robots,
        own: flags.own.clone(),
        terms: Vec::new(),
        rules: Rules { in_flight: flags.in_flight.get().min(files.in_flight), ..rules(flags) },
        kept: files.kept,
        state: state(flags, arguments),
        reports_drift: flags.drift,
        suspects_soft: flags.soft,
        remote_fragments: match flags.fragments {
            LookedFor::None | LookedFor::Local => Fragments::Ignored,
            LookedFor::All => Fragments::Checked,
        },
        archives: Archives {
            list: flags.archives.clone(),
            all: flags.archive_all,
            replay: flags.archive_replay.clone(),
        },
        local: local(flags)?,
        net: net(flags)?,
        policy: policy(flags),
        stop,
    })
}

/// Returns the policy that `flags` set for results.
pub(crate) fn policy(flags: &AskFlags) -> Policy {
    Policy {
        exceptions: flags.verdicts.clone(),
        accept: flags.accept.clone(),
        confirm: flags.confirm.runs,
        counting: match flags.count_as {
            Some(CountAs::Pew) => Counting::Pew,
            None => Counting::Classes,
        },
    }
}

fn rules(flags: &AskFlags) -> Rules {
    let concurrency = flags.host_concurrency.map(NonZeroU32::get);
    Rules {
        in_flight: flags.in_flight.get(),
        gap: flags.rate.map_or(0, |rate| u64::try_from(rate.gap.as_micros()).unwrap_or(u64::MAX)),
        host_concurrency: concurrency.unwrap_or(1),
        own_concurrency: concurrency.unwrap_or(OWN_CONCURRENCY),
        host_gap: u64::try_from(flags.host_gap.as_millis()).unwrap_or(u64::MAX),
        own_gap: 0,
        retries: flags.retries,
        per_address: PER_ADDRESS,
        per_site: PER_SITE,
        urls_per_host: flags.max_urls_per_host.map(NonZeroU32::get),
        breaker: BREAKER,
    }
}

fn state(flags: &AskFlags, arguments: Vec<u8>) -> Option<StateOptions> {
    Some(StateOptions {
        path: flags.state.clone()?,
        within: None,
        arguments,
        is_cache: !flags.no_cache,
        max_age: flags.max_age,
        confirm: flags.confirm.runs,
        confirm_gap: flags.confirm_gap.unwrap_or(flags.confirm.gap),
    })
}

fn local(flags: &AskFlags) -> anyhow::Result<local::Options> {
    if let Some(root) = &flags.root_dir {
        hold_root(root)?;
    }
    Ok(local::Options {
        root_dir: flags.root_dir.clone(),
        base: flags.base.clone(),
        index_files: flags.index_files.clone(),
        fallback_extensions: flags.fallback_extensions.clone(),
        fragments: match flags.fragments {
            LookedFor::None => Fragments::Ignored,
            LookedFor::Local | LookedFor::All => Fragments::Checked,
        },
    })
}

fn net(flags: &AskFlags) -> anyhow::Result<NetOptions> {
    let contact = flags.contact.as_ref().map(|contact| format!(" ({contact})"));
    let read = |path: &PathBuf| match fs::read(path) {
        Ok(bytes) => Ok(TrustFile { path: path.clone(), bytes }),
        Err(error) => Err(anyhow::anyhow!("cannot read {path:?}: {error}")),
    };
    let read_all = |paths: &[PathBuf]| paths.iter().map(read).collect::<anyhow::Result<_>>();
    let (authorities, revoked) = (read_all(&flags.authorities)?, read_all(&flags.revoked)?);
    let trust = Trust { authorities, revoked };
    // A fault in a file ends the run before any input is read.
    trust.check()?;
    Ok(NetOptions {
        guard: Guard { allow: flags.networks.clone(), allow_private: flags.allow_private },
        timeouts: Timeouts::within(flags.timeout),
        agent: format!("{AGENT}{}", contact.unwrap_or_default()),
        name_servers: flags.name_servers.clone(),
        trust,
        proxy: flags.proxy.clone(),
        news_server: flags.news_server.clone(),
        urn_resolver: flags.urn_resolver.clone(),
        fields: Vec::new(),
    })
}

/// The number of files that may be open for each purpose.
#[derive(Debug, PartialEq, Eq)]
struct OpenFiles {
    /// Requests in flight.
    in_flight: usize,
    /// Connections that are kept open for further links.
    kept: usize,
}

/// Open files besides connections: inputs, reports, name lookups.
const OTHER_FILES: u64 = 320;

impl OpenFiles {
    /// Raises the limit on open files to the system's maximum, and divides it.
    fn share_out() -> Self {
        Self::of(platform::open_files_max())
    }

    fn of(limit: u64) -> Self {
        let left = limit.saturating_sub(OTHER_FILES).max(4);
        let share = |part: u64| usize::try_from(part).unwrap_or(usize::MAX);
        Self { in_flight: share(left - left / 4), kept: share(left / 4) }
    }
}

/// The user agent. It contains no address of the project, which has none; `--contact` adds the
/// user's, which is never guessed.
const AGENT: &str = concat!("linktrawl/", env!("CARGO_PKG_VERSION"));
/// Simultaneous requests to one of the user's own hosts.
const OWN_CONCURRENCY: u32 = 16;
/// Simultaneous requests to all hosts of a /24 or a /48, and to all of a registrable domain.
const PER_ADDRESS: u32 = 8;
const PER_SITE: u32 = 4;
/// Number of consecutive failures of a host after which its other links are given up.
const BREAKER: u32 = 4;

/// Checks that `path` is a directory: no link would be inside of anything else.
fn hold_root(path: &Path) -> anyhow::Result<()> {
    let found = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Ok(()),
        Ok(metadata) if metadata.is_file() => "a file".to_owned(),
        Ok(_) => "something else".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => "nothing there".to_owned(),
        Err(error) => format!("one that cannot be read: {error}"),
    };
    anyhow::bail!("--root-dir: expected a directory at {path:?}, found {found}")
}

#[cfg(test)]
mod tests {
    use super::OpenFiles;

    #[test]
    fn open_files_are_shared_out_and_never_none() {
        let of = |limit| {
            let OpenFiles { in_flight, kept } = OpenFiles::of(limit);
            (in_flight, kept)
        };
        assert_eq!(of(1024), (528, 176));
        assert_eq!([of(0), of(320)], [(3, 1); 2]);
        assert!(of(20_000).0 >= 10_000);
    }
}
