//! What is known of hosts: their lines' names, connections that are kept, robots.txt.
//!
//! A host is a server's name and port, whatever the scheme: the web's two schemes have ports
//! of their own.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use super::question::Errand;
use crate::finding::{Class, Reach};
use crate::probe::guard::Host;
use crate::probe::robots::Robots;
use crate::probe::schedule::{HostId, HostTraits, Owner, Schedule, UrlId};
use crate::probe::{Kept, Level};
use crate::run::asking::{Asking, Terms};
use crate::scheme;

/// Where the numbers of robots.txt begin; those of links are below.
const ROBOTS_BASE: u32 = 1 << 31;

/// Every host that links lead to.
#[derive(Default)]
pub(super) struct Hosts {
    numbers: HashMap<Box<str>, HostId>,
    list: Vec<HostState>,
    kept: usize,
}

struct HostState {
    name: Box<str>,
    /// Links that wait for it or are under way.
    left: u32,
    kept: Vec<Kept>,
    /// True when its robots.txt counts.
    is_obeyed: bool,
    rules: Rules,
    last_failure: Option<Reach>,
    /// How long a question to it may take, where that is another time than for all.
    timeout: Option<Duration>,
}

/// What is known of robots.txt of a host.
enum Rules {
    /// Nobody wants to know what it says.
    Unwanted,
    /// It is asked for; until then the schedule keeps the links of the host back.
    Awaited,
    Known(Robots),
}

impl Hosts {
    /// The host that `errand` goes to, and whether nobody knew of it before.
    pub(super) fn of(
        &mut self,
        errand: &Errand,
        asking: &Asking,
        schedule: &mut Schedule,
    ) -> (HostId, bool) {
        let (name, host) = name(errand);
        match self.numbers.get(&*name) {
            Some(&known) => (known, false),
            None => (self.add(name, host.as_ref(), errand, asking, schedule), true),
        }
    }

    /// True when `errand` has to wait for robots.txt of `host`, and nobody has asked for that.
    /// Whoever hears it does.
    pub(super) fn wants_robots(&mut self, host: HostId, errand: &Errand) -> bool {
        let is_new = |state: &&mut HostState| matches!(state.rules, Rules::Unwanted);
        let state = self.get(host).filter(|state| state.is_obeyed).filter(is_new);
        let Some(state) = state.filter(|_| is_for_robots(errand)) else { return false };
        state.rules = Rules::Awaited;
        true
    }

    /// Every host.
    pub(super) fn all(&self) -> impl Iterator<Item = (HostId, &str)> {
        self.numbers.values().map(|&host| (host, self.name(host)))
    }

    fn add(
        &mut self,
        name: Box<str>,
        host: Option<&Host>,
        errand: &Errand,
        asking: &Asking,
        schedule: &mut Schedule,
    ) -> HostId {
        let Manner { owner, is_obeyed, terms } = Manner::of(&name, host, errand, asking);
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
            timeout: terms.and_then(|terms| terms.timeout),
        });
        id
    }

    fn get(&mut self, host: HostId) -> Option<&mut HostState> {
        self.list.get_mut(host.index())
    }

    /// Scheme, name and port of a host.
    pub(super) fn name(&self, host: HostId) -> &str {
        self.list.get(host.index()).map_or("", |state| &state.name)
    }

    /// How long a question to `host` may take, where that is another time than for all.
    pub(super) fn timeout(&self, host: HostId) -> Option<Duration> {
        self.list.get(host.index()).and_then(|state| state.timeout)
    }

    /// True for a server: what holds for it holds for each of its links. What is no server is
    /// a scheme whose links have none, a host that is no legal one, or a domain of mail, which
    /// links name beside others.
    pub(super) fn is_server(&self, host: HostId) -> bool {
        self.name(host).contains("://")
    }

    /// The number under which robots.txt of `host` is asked for, where it has to be.
    pub(super) fn robots(&self, host: HostId) -> Option<UrlId> {
        let number = u32::try_from(host.index()).ok()?.checked_add(ROBOTS_BASE)?;
        (!matches!(self.list.get(host.index())?.rules, Rules::Unwanted)).then_some(UrlId(number))
    }

    /// Why robots.txt of `host` keeps us from asking what `errand` says, if it does.
    pub(super) fn refusal(&self, host: HostId, errand: &Errand) -> Option<Reach> {
        let robots = self.known_robots(host).filter(|_| errand.level() > Level::Host)?;
        let refusal = robots.refusal(errand.path_and_query())?;
        Some(Reach::new(Class::PolicyRobots, "http", refusal))
    }

    /// True when robots.txt of `host` could not be had, so that nobody knows what it says.
    pub(super) fn lacks_robots(&self, host: HostId) -> bool {
        self.known_robots(host).is_some_and(Robots::is_unknown)
    }

    fn known_robots(&self, host: HostId) -> Option<&Robots> {
        match &self.list.get(host.index())?.rules {
            Rules::Known(robots) => Some(robots),
            Rules::Unwanted | Rules::Awaited => None,
        }
    }

    /// Takes what robots.txt of `host` says.
    pub(super) fn learn_robots(&mut self, host: HostId, robots: Robots) {
        if let Some(state) = self.get(host) {
            state.rules = Rules::Known(robots);
        }
    }

    /// One more link waits for `host`.
    pub(super) fn wait(&mut self, host: HostId) {
        if let Some(state) = self.get(host) {
            state.left += 1;
        }
    }

    /// A link of `host` is done with, there; the last one takes its connections with it.
    pub(super) fn leave(&mut self, host: HostId) {
        let Some(state) = self.get(host) else { return };
        state.left = state.left.saturating_sub(1);
        if state.left == 0 {
            let dropped = std::mem::take(&mut state.kept).len();
            self.kept -= dropped;
        }
    }

    /// A connection that was kept.
    pub(super) fn take_kept(&mut self, host: HostId) -> Kept {
        let kept = self.get(host).and_then(|state| state.kept.pop())?;
        self.kept -= 1;
        kept
    }

    /// Keeps a connection, if there are more links for it, and fewer than `most` are kept.
    pub(super) fn give_kept(&mut self, host: HostId, kept: Kept, most: usize) {
        let is_full = self.kept >= most;
        let Some(state) = self.get(host) else { return };
        // The link that it comes from is still counted.
        if kept.is_some() && state.left > 1 && !is_full {
            state.kept.push(kept);
            self.kept += 1;
        }
    }

    /// Remembers how a link of `host` failed, for those that are not asked for it.
    pub(super) fn failed(&mut self, host: HostId, reach: &Reach) {
        if let Some(state) = self.get(host) {
            state.last_failure = Some(reach.clone());
        }
    }

    /// How a link of `host` failed last.
    pub(super) fn last_failure(&self, host: HostId) -> Reach {
        let found = self.list.get(host.index()).and_then(|state| state.last_failure.clone());
        found.unwrap_or_else(|| Reach::new(Class::Unreachable, "none", "its host does not answer"))
    }
}

/// How a host is asked.
struct Manner {
    owner: Owner,
    /// True when its robots.txt counts.
    is_obeyed: bool,
    terms: Option<Terms>,
}

impl Manner {
    /// How the host of `errand` is, which is called `name`.
    fn of(name: &str, host: Option<&Host>, errand: &Errand, asking: &Asking) -> Self {
        let port = name.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or_default();
        let terms = host.map(|host| asking.terms_of(host, &errand.scheme(), port));
        let is_own = match host {
            Some(host) => asking.is_own(host),
            None => !has_server(&errand.scheme(), asking),
        };
        let is_own = terms.as_ref().and_then(|terms| terms.is_own).unwrap_or(is_own);
        let robots = terms.as_ref().and_then(|terms| terms.robots);
        let is_obeyed = host.is_some() && robots.unwrap_or(!is_own && asking.robots);
        let owner = match host {
            _ if is_own => Owner::User,
            Some(host) if host.is_this_machine() => Owner::Machine,
            _ => Owner::Stranger,
        };
        Self { owner, is_obeyed, terms }
    }
}

/// Whether robots.txt has a say about `errand`, and how long asking for it may take where that is
/// another time than for all: what of its host changes an answer.
pub(super) fn conditions(errand: &Errand, asking: &Asking) -> (bool, Option<Duration>) {
    let (name, host) = name(errand);
    let manner = Manner::of(&name, host.as_ref(), errand, asking);
    let timeout = manner.terms.and_then(|terms| terms.timeout);
    (manner.is_obeyed && is_for_robots(errand), timeout)
}

/// Who only connects to a host asks nothing that robots.txt speaks of.
fn is_for_robots(errand: &Errand) -> bool {
    errand.level() > Level::Host && matches!(&*errand.scheme(), "http" | "https")
}

/// What names the host of `errand`, and the host itself where it has one: `http://h:80`, and
/// `mailto:h`, `urn` or `http:` with what stands for a host where it has none.
fn name(errand: &Errand) -> (Box<str>, Option<Host>) {
    let (uri, scheme) = (errand.uri(), errand.scheme());
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

/// The domain of the first address in the path of a `mailto` (RFC 6068 §2), where one stands
/// there.
fn mail_domain(path: &[u8]) -> Option<&[u8]> {
    let first = path.split(|byte| *byte == b',').next()?;
    first.get(memchr::memrchr(b'@', first)? + 1..)
}

/// True when links of `scheme` that name no server are asked of one that the user named. All
/// others bother nobody but name servers: there is nobody to be spared.
fn has_server(scheme: &str, asking: &Asking) -> bool {
    match scheme {
        "news" | "snews" => asking.net.news_server.is_some(),
        "urn" => asking.net.urn_resolver.is_some(),
        _ => false,
    }
}

/// Stands for the registrable domain of a host: what one owner has (publicsuffix.org).
fn site(name: &str, host: Option<&Host>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match host {
        Some(Host::Name(name)) => match psl::domain_str(name) {
            Some(domain) => domain.hash(&mut hasher),
            None => name.hash(&mut hasher),
        },
        Some(Host::Address(address)) => address.hash(&mut hasher),
        None => name.hash(&mut hasher),
    }
    hasher.finish()
}
