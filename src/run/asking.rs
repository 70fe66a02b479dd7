//! What `check` may ask of the world, and how its answers are judged.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::check::{Policy, local};
use crate::probe::Level;
use crate::probe::guard::{Host, Network};
use crate::probe::schedule::{self, Rules};
use crate::probe::tcp::NetOptions;

/// How links are asked.
pub struct Asking {
    /// How much may be asked of links in mail and news, which strangers write.
    pub mail: Level,
    /// How much may be asked of all others.
    pub documents: Level,
    /// Links of mail that may do something when asked for are asked, too.
    pub side_effects: bool,
    /// Nothing but local links is looked up.
    pub is_offline: bool,
    /// robots.txt is obeyed.
    pub robots: bool,
    /// The user's own hosts: asked at full speed, and without robots.txt.
    pub own: Vec<Own>,
    /// What holds for single hosts; of several that fit one, the last that says something counts.
    pub terms: Vec<Terms>,
    /// How hosts are spared.
    pub rules: Rules,
    /// The places that fragments name are looked for in pages of the web, too, which are then
    /// asked with their bodies.
    pub remote_fragments: bool,
    /// Where runs keep what they learn, if they do.
    pub state: Option<State>,
    /// Connections that are kept for further links of their hosts, at most.
    pub kept: usize,
    /// How links to files are answered.
    pub local: local::Options,
    /// What may be connected to, and how long that may take.
    pub net: NetOptions,
    /// What answers are taken for.
    pub policy: Policy,
    /// Set when somebody wants the run to end.
    pub stop: Arc<AtomicBool>,
}

/// Where runs keep what they learn, and what is believed of it. Not for `Debug`: passwords may
/// stand among the arguments.
#[derive(Clone)]
pub struct State {
    /// The file.
    pub path: PathBuf,
    /// All that makes a run what it is, of which a hash is kept: a run that was stopped is
    /// continued by the next one with the same.
    pub arguments: Vec<u8>,
    /// Answers that are fresh stand for questions.
    pub is_cache: bool,
    /// How old they may be, whatever their time.
    pub max_age: Option<Duration>,
    /// In how many runs in a row a link must be dead before it is called so; see
    /// [`Policy::confirm`].
    pub confirm: u32,
}

/// What holds for one host, and for none below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The host.
    pub host: Host,
    /// Only for links of this scheme, in lower case.
    pub scheme: Option<String>,
    /// Only at this port.
    pub port: Option<u16>,
    /// How it is spared.
    pub pace: schedule::Terms,
    /// How long a question to it may take, in all.
    pub timeout: Option<Duration>,
    /// Whether it is one of the user's own.
    pub is_own: Option<bool>,
    /// Whether its robots.txt is obeyed.
    pub robots: Option<bool>,
}

/// A host that is the user's own, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// This name, in lower case, and those below it.
    Name(String),
    /// Addresses; names that lead to them are not known to be own.
    Network(Network),
}

impl Asking {
    /// True for a host that may be asked at full speed.
    pub(super) fn is_own(&self, host: &Host) -> bool {
        self.own.iter().any(|own| own.holds(host))
    }

    /// What holds for `host` alone, asked by `scheme` at `port`.
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

    /// True when somebody wants the run to end.
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
