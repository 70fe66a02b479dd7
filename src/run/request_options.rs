//! Options for the requests of `check`, and for judging the results.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::archive::Archives;
use crate::check::Policy;
use crate::check::local::{self, Fragments};
use crate::probe::Level;
use crate::probe::guard::{Host, Network};
use crate::probe::schedule::{self, Rules};
use crate::probe::tcp::NetOptions;

/// Options for probing links.
pub struct RequestOptions {
    /// The highest probe level for links in mail and news, which strangers write.
    pub mail: Level,
    /// The highest probe level for all other links.
    pub documents: Level,
    /// Whether to probe links of mail whose request may have side effects.
    pub allows_side_effects: bool,
    /// Whether redirects to the URL of a mail gateway lead to the link that it wraps, so that no
    /// gateway is requested.
    pub unwraps: bool,
    /// Whether only local links are looked up.
    pub is_offline: bool,
    /// Whether robots.txt is obeyed.
    pub obeys_robots: bool,
    /// The user's own hosts, which are probed at full speed and without robots.txt.
    pub own: Vec<Own>,
    /// Terms for single hosts; for each setting, the last matching entry that has it counts.
    pub terms: Vec<Terms>,
    /// Rate limits for all hosts.
    pub rules: Rules,
    /// Whether fragments are looked up in web pages, too, whose bodies are then requested.
    pub remote_fragments: Fragments,
    /// Whether pages are compared with those that earlier runs read.
    pub reports_drift: bool,
    /// Whether an invented name is requested beside pages, to detect pages that the server shows
    /// for any name.
    pub suspects_soft: bool,
    /// The store that runs keep their results in, if any.
    pub state: Option<StateOptions>,
    /// Number of connections that may be kept open for further links of their hosts.
    pub kept: usize,
    /// The archives of the Web in which dead links are looked up.
    pub archives: Archives,
    /// Options for links to files.
    pub local: local::Options,
    /// Allowed connections, and their timeouts.
    pub net: NetOptions,
    /// The policy that turns results into verdicts.
    pub policy: Policy,
    /// A flag that is set when the user wants the run to end.
    pub stop: Arc<AtomicBool>,
}

/// The store of results, and how far it is trusted. Not `Debug`: the arguments may contain
/// passwords.
#[derive(Clone)]
pub struct StateOptions {
    /// The file.
    pub path: PathBuf,
    /// The directory of the configuration file that names it, if that file was found, not named:
    /// then the state must be below it, and made by this program.
    pub within: Option<PathBuf>,
    /// Everything that identifies a run. A hash of it is kept: a run that was stopped is continued
    /// by the next run with the same arguments.
    pub arguments: Vec<u8>,
    /// Whether fresh cache entries replace requests.
    pub is_cache: bool,
    /// The maximum age of cache entries, whatever their lifetime.
    pub max_age: Option<Duration>,
    /// The number of consecutive runs in which a link must be dead before it is reported so; see
    /// [`Policy::confirm`].
    pub confirm: u32,
    /// The time from one counted dead run to the next, at least.
    pub confirm_gap: Duration,
}

/// Settings for one host, without its subdomains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The host.
    pub host: Host,
    /// The scheme that they are limited to, in lower case.
    pub scheme: Option<String>,
    /// The port that they are limited to.
    pub port: Option<u16>,
    /// Its rate limits.
    pub pace: schedule::Terms,
    /// The total timeout of a request to it.
    pub timeout: Option<Duration>,
    /// Whether it is one of the user's own.
    pub is_own: Option<bool>,
    /// Whether its robots.txt is obeyed.
    pub robots: Option<bool>,
}

/// One or several hosts that are the user's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// A name, in lower case, with its subdomains.
    Name(String),
    /// A range of addresses; names that resolve to them are not recognised as own.
    Network(Network),
}

impl RequestOptions {
    /// Reports whether `host` is the user's own and may be probed at full speed.
    pub(super) fn is_own(&self, host: &Host) -> bool {
        self.own.iter().any(|own| own.holds(host))
    }

    /// Merges the terms for `host`, for requests by `scheme` to `port`.
    pub(super) fn terms_of(&self, host: &Host, scheme: &str, port: u16) -> Terms {
        let none = Terms {
            host: host.clone(),
            scheme: Some(scheme.to_owned()),
            port: Some(port),
            pace: schedule::Terms::default(),
            timeout: None,
            is_own: None,
            robots: None,
        };
        let fits = |terms: &&Terms| {
            let is_scheme = terms.scheme.as_ref().is_none_or(|wanted| wanted == scheme);
            let is_port = terms.port.is_none_or(|wanted| wanted == port);
            is_scheme && is_port && terms.host == *host
        };
        self.terms.iter().filter(fits).fold(none, |before, terms| Terms {
            pace: schedule::Terms {
                gap: terms.pace.gap.or(before.pace.gap),
                concurrency: terms.pace.concurrency.or(before.pace.concurrency),
            },
            timeout: terms.timeout.or(before.timeout),
            is_own: terms.is_own.or(before.is_own),
            robots: terms.robots.or(before.robots),
            ..before
        })
    }

    /// Reports whether the content of pages is needed.
    pub(super) const fn reads_pages(&self) -> bool {
        self.reports_drift || self.suspects_soft
    }

    /// Reports whether the user wants the run to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Own {
    fn holds(&self, host: &Host) -> bool {
        match (self, host) {
            (Self::Name(own), Host::Name(name)) => name
                .strip_suffix(own.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.')),
            (Self::Network(network), Host::Address(address)) => network.contains(*address),
            _ => false,
        }
    }
}
