//! Keeps the state of hosts: names, kept connections, robots.txt.
//!
//! A host is identified by scheme, server name and port.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use super::question::Request;
use crate::finding::{Class, Reach};
use crate::probe::guard::Host;
use crate::probe::robots::Robots;
use crate::probe::schedule::{HostId, HostTraits, Owner, Schedule, UrlId};
use crate::probe::{Kept, Level};
use crate::run::request_options::{RequestOptions, Terms};
use crate::scheme;
use crate::uri::suffix;

/// The first number of requests for robots.txt; those of links are lower.
const ROBOTS_BASE: u32 = 1 << 31;

/// All hosts that links lead to.
#[derive(Default)]
pub(super) struct Hosts {
    numbers: HashMap<Box<str>, HostId>,
    list: Vec<HostState>,
    kept: usize,
}

/// Maximum number of consecutive requests of a host that get no answer on a connection: four times
/// as many as without a connection, which speaks against all links of the host.
const SILENCES_MAX: u32 = 16;

struct HostState {
    name: Box<str>,
    /// Number of links that wait for it or are in flight.
    left: u32,
    kept: Vec<Kept>,
    /// Whether its robots.txt is obeyed.
    is_obeyed: bool,
    rules: Rules,
    last_failure: Option<Reach>,
    /// Number of consecutive requests without an answer on a connection.
    silences: u32,
    /// The timeout of a request to it, if it differs from the general one.
    timeout: Option<Duration>,
}

/// The state of a host's robots.txt.
enum Rules {
    /// Not needed so far.
    Unwanted,
    /// Requested; until it comes the schedule holds back the links of the host.
    Awaited,
    Known(Robots),
}

impl Hosts {
    /// Returns the host of `request`, and whether it is new.
    pub(super) fn of(
        &mut self,
        request: &Request,
        options: &RequestOptions,
        schedule: &mut Schedule,
    ) -> (HostId, bool) {
        let (name, host) = name(request);
        match self.numbers.get(&*name) {
            Some(&known) => (known, false),
            None => {
                let manner = Manner::of(&name, host.as_ref(), request, options);
                (self.add(name, host.as_ref(), manner, schedule), true)
            }
        }
    }

    /// Reports whether `request` needs robots.txt of `host`, which was not requested yet. If so,
    /// the caller must request it.
    pub(super) fn wants_robots(&mut self, host: HostId, request: &Request) -> bool {
        let is_new = |state: &&mut HostState| matches!(state.rules, Rules::Unwanted);
        let state = self.get(host).filter(|state| state.is_obeyed).filter(is_new);
        let Some(state) = state.filter(|_| is_for_robots(request)) else { return false };
        state.rules = Rules::Awaited;
        true
    }

    /// Returns all hosts with their names.
    pub(super) fn all(&self) -> impl Iterator<Item = (HostId, &str)> {
        self.numbers.values().map(|&host| (host, self.name(host)))
    }

    fn add(
        &mut self,
        name: Box<str>,
        host: Option<&Host>,
        manner: Manner,
        schedule: &mut Schedule,
    ) -> HostId {
        let Manner { owner, is_obeyed, terms } = manner;
        let id = schedule.host(HostTraits { owner, site: site(&name, host) });
        if let Some(terms) = &terms {
            schedule.terms(id, terms.pace);
        }
        self.numbers.insert(name.clone(), id);
        self.list.push(HostState {
            name,
            left: 0,
            kept: Vec::new(),
            is_obeyed,
            rules: Rules::Unwanted,
            last_failure: None,
            silences: 0,
            timeout: terms.and_then(|terms| terms.timeout),
        });
        id
    }

    fn get(&mut self, host: HostId) -> Option<&mut HostState> {
        self.list.get_mut(host.index())
    }

    /// Returns the name of a host: scheme, name and port.
    pub(super) fn name(&self, host: HostId) -> &str {
        self.list.get(host.index()).map_or("", |state| &state.name)
    }

    /// Returns the timeout of a request to `host`, if it differs from the general one.
    pub(super) fn timeout(&self, host: HostId) -> Option<Duration> {
        self.list.get(host.index()).and_then(|state| state.timeout)
    }

    /// Reports whether `host` is a server, whose failures hold for each of its links. A host is no
    /// server if its scheme has none, if its name is invalid, or if it is a mail domain, which
    /// links may name among others.
    pub(super) fn is_server(&self, host: HostId) -> bool {
        self.name(host).contains("://")
    }

    /// Returns the number of the request for robots.txt of `host`, if it is needed.
    pub(super) fn robots(&self, host: HostId) -> Option<UrlId> {
        let number = u32::try_from(host.index()).ok()?.checked_add(ROBOTS_BASE)?;
        (!matches!(self.list.get(host.index())?.rules, Rules::Unwanted)).then_some(UrlId(number))
    }

    /// Returns the refusal if robots.txt of `host` forbids `request`.
    pub(super) fn refusal(&self, host: HostId, request: &Request) -> Option<Reach> {
        let robots = self.known_robots(host).filter(|_| request.level() > Level::Host)?;
        let refusal = robots.refusal(&request.path_and_query())?;
        Some(Reach::new(Class::PolicyRobots, Reach::HTTP, refusal))
    }

    /// Reports whether robots.txt of `host` could not be fetched.
    pub(super) fn lacks_robots(&self, host: HostId) -> bool {
        self.known_robots(host).is_some_and(Robots::is_unknown)
    }

    fn known_robots(&self, host: HostId) -> Option<&Robots> {
        match &self.list.get(host.index())?.rules {
            Rules::Known(robots) => Some(robots),
            Rules::Unwanted | Rules::Awaited => None,
        }
    }

    /// Stores robots.txt of `host`.
    pub(super) fn learn_robots(&mut self, host: HostId, robots: Robots) {
        if let Some(state) = self.get(host) {
            state.rules = Rules::Known(robots);
        }
    }

    /// Counts one more link that waits for `host`.
    pub(super) fn wait(&mut self, host: HostId) {
        if let Some(state) = self.get(host) {
            state.left += 1;
        }
    }

    /// Counts a link that is finished at `host`; after the last one, its connections are closed.
    pub(super) fn leave(&mut self, host: HostId) {
        let Some(state) = self.get(host) else { return };
        state.left = state.left.saturating_sub(1);
        if state.left == 0 {
            let dropped = std::mem::take(&mut state.kept).len();
            self.kept -= dropped;
        }
    }

    /// Takes a kept connection to `host`, if there is one.
    pub(super) fn take_kept(&mut self, host: HostId) -> Kept {
        let kept = self.get(host).and_then(|state| state.kept.pop())?;
        self.kept -= 1;
        kept
    }

    /// Keeps a connection, if there are more links for its host, and fewer than `most` are kept in
    /// all.
    pub(super) fn give_kept(&mut self, host: HostId, kept: Kept, most: usize) {
        let is_full = self.kept >= most;
        let Some(state) = self.get(host) else { return };
        // The link that used it is still counted.
        if kept.is_some() && state.left > 1 && !is_full {
            state.kept.push(kept);
            self.kept += 1;
        }
    }

    /// Stores the failure of a link of `host`, for links that will not be requested because of it.
    pub(super) fn failed(&mut self, host: HostId, reach: &Reach) {
        if let Some(state) = self.get(host) {
            state.last_failure = Some(reach.clone());
        }
    }

    /// Records whether `host` accepted a connection and did not answer; reports whether it has done
    /// so too often. Each such request may take the whole timeout, twice with GET after HEAD.
    pub(super) fn is_mute(&mut self, host: HostId, is_silence: bool) -> bool {
        let Some(state) = self.get(host) else { return false };
        state.silences = if is_silence { state.silences + 1 } else { 0 };
        state.silences >= SILENCES_MAX
    }

    /// Returns the last failure of a link of `host`.
    pub(super) fn last_failure(&self, host: HostId) -> Reach {
        let found = self.list.get(host.index()).and_then(|state| state.last_failure.clone());
        found.unwrap_or_else(|| {
            Reach::new(Class::Unreachable, Reach::UNREQUESTED, "its host does not answer")
        })
    }
}

/// The settings for requests to a host.
struct Manner {
    owner: Owner,
    /// Whether its robots.txt is obeyed.
    is_obeyed: bool,
    terms: Option<Terms>,
}

impl Manner {
    /// Returns the settings for the host of `request`, which is called `name`.
    fn of(name: &str, host: Option<&Host>, request: &Request, options: &RequestOptions) -> Self {
        let port = name.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or_default();
        let terms = host.map(|host| options.terms_of(host, &request.scheme(), port));
        let is_own = match host {
            Some(host) => options.is_own(host),
            None => !has_server(&request.scheme(), options),
        };
        let is_own = terms.as_ref().and_then(|terms| terms.is_own).unwrap_or(is_own);
        let robots = terms.as_ref().and_then(|terms| terms.robots);
        let is_obeyed = host.is_some() && robots.unwrap_or(!is_own && options.obeys_robots);
        let owner = match host {
            _ if is_own => Owner::User,
            Some(host) if host.is_this_machine() => Owner::Machine,
            _ => Owner::Stranger,
        };
        Self { owner, is_obeyed, terms }
    }
}

/// Returns whether robots.txt applies to `request`, and the timeout if it differs from the general
/// one: the settings of a host that change a result.
pub(super) fn conditions(request: &Request, options: &RequestOptions) -> (bool, Option<Duration>) {
    let (name, host) = name(request);
    let manner = Manner::of(&name, host.as_ref(), request, options);
    let timeout = manner.terms.and_then(|terms| terms.timeout);
    (manner.is_obeyed && is_for_robots(request), timeout)
}

/// Reports whether robots.txt applies to `request`: not if it only connects to the host, and not to
/// an archive that the user named for such requests.
fn is_for_robots(request: &Request) -> bool {
    request.level() > Level::Host
        && request.lookup().is_none()
        && scheme::is_http(request.scheme().as_bytes())
}

/// Returns the name of the host of `request`, and the host itself if there is one: `http://h:80`,
/// and without a valid host `mailto:h`, `urn`, or `http:` with the invalid host.
fn name(request: &Request) -> (Box<str>, Option<Host>) {
    let (uri, scheme) = (request.uri(), request.scheme());
    let Some(Ok(host)) = uri.host.map(|span| Host::parse(span.of(uri.text))) else {
        let written = uri.host.map(|span| span.of(uri.text));
        let domain = || mail_domain(uri.path.of(uri.text)).filter(|_| scheme == "mailto");
        let name = match written.or_else(domain).map(String::from_utf8_lossy) {
            Some(name) => format!("{scheme}:{name}").into(),
            None => scheme.into(),
        };
        return (name, None);
    };
    let port = uri.port.map(|span| String::from_utf8_lossy(span.of(uri.text)));
    let port = port.and_then(|port| port.parse::<u16>().ok());
    let port = port.or_else(|| scheme::find(scheme.as_bytes())?.port).unwrap_or_default();
    let name = match &host {
        Host::Name(name) => format!("{scheme}://{name}:{port}"),
        Host::Address(address) if address.is_ipv6() => format!("{scheme}://[{address}]:{port}"),
        Host::Address(address) => format!("{scheme}://{address}:{port}"),
    };
    (name.into(), Some(host))
}

/// Returns the domain of the first address in the path of a `mailto` (RFC 6068 §2), if there is
/// one.
fn mail_domain(path: &[u8]) -> Option<&[u8]> {
    let first = path.split(|byte| *byte == b',').next()?;
    first.get(memchr::memrchr(b'@', first)? + 1..)
}

/// Reports whether links of `scheme`, which name no server, are sent to a server that the user
/// named. Other links without a host reach only name servers, which need no rate limit.
fn has_server(scheme: &str, options: &RequestOptions) -> bool {
    match scheme {
        "news" | "snews" => options.net.news_server.is_some(),
        "urn" => options.net.urn_resolver.is_some(),
        _ => false,
    }
}

/// Returns a hash of the registrable domain of a host, which belongs to one owner
/// (publicsuffix.org).
fn site(name: &str, host: Option<&Host>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match host {
        Some(Host::Name(name)) => match suffix::registrable(name) {
            Some(domain) => domain.hash(&mut hasher),
            None => name.hash(&mut hasher),
        },
        Some(Host::Address(address)) => address.hash(&mut hasher),
        None => name.hash(&mut hasher),
    }
    hasher.finish()
}
