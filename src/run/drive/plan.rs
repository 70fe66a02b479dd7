//! Decides which targets are requested, and which are settled without a request; each request
//! occurs once.

use std::collections::HashMap;
use std::sync::Arc;

use super::journal::{Journal, Known};
use super::page::{Arrival, Page};
use super::question::Request;
use crate::finding::{Class, Reach};
use crate::grammar::split;
use crate::probe::schedule::UrlId;
use crate::probe::{self, Level, Validators};
use crate::run::target::{Target, Targets};

/// The end of a message about a fragment that is not the link's.
const BY_REDIRECT: &str = ": a redirect of the link names it";

/// The requests, and the state of each target.
pub(super) struct Plan<'a> {
    targets: &'a Targets,
    /// For each request, the number of its target. Where only hosts are probed, many targets share
    /// one request.
    pub(super) requests: Vec<u32>,
    /// For each target, its result, or the target that it shares a request with.
    states: Vec<TargetState>,
    /// Shared results: most are equal.
    answers: Shared,
    places: Places,
    /// Stored validators of links, for conditional requests.
    versions: HashMap<UrlId, Validators>,
    /// The targets that this run had probed before it was stopped.
    resumed: Vec<u32>,
}

/// The results for all targets.
#[derive(Default)]
pub(in crate::run) struct Learnt {
    /// The result for each target; `None` if it was not probed.
    pub(in crate::run) reaches: Vec<Option<Arc<Reach>>>,
    /// The results for fragments whose anchors are missing or unknown.
    pub(in crate::run) places: Places,
}

/// Results for fragments, by the number of the target and the fragment as links spell it.
type Places = HashMap<(usize, Box<[u8]>), Arc<Reach>>;

#[derive(Clone)]
enum TargetState {
    Waiting,
    Known(Arc<Reach>),
    /// The result of another target, by its number.
    As(u32),
}

impl<'a> Plan<'a> {
    /// Plans the requests for `targets`.
    pub(super) fn of(targets: &'a Targets, mut journal: Option<&mut Journal<'_>>) -> Self {
        let (requests, answers) = (Vec::new(), Shared::default());
        let states = vec![TargetState::Waiting; targets.list.len()];
        let mut plan = Self {
            targets,
            requests,
            states,
            answers,
            places: Places::new(),
            versions: HashMap::new(),
            resumed: Vec::new(),
        };
        let mut hosts = HashMap::new();
        for (target, number) in targets.list.iter().zip(0..) {
            if let Some(reach) = unasked(target) {
                let reach = plan.answers.of(reach);
                plan.set(number, TargetState::Known(reach));
                continue;
            }
            if target.level == Level::Host {
                let request = Request::of(target);
                let first = *hosts.entry(request.into_text()).or_insert(number);
                if first != number {
                    plan.set(number, TargetState::As(first));
                    continue;
                }
            }
            let is_known = match &mut journal {
                Some(journal) => plan.knows(number, target, journal),
                None => false,
            };
            if !is_known {
                plan.requests.push(number);
            }
        }
        plan
    }

    /// Settles `target` if `journal` has its result, and reports whether it has; otherwise keeps
    /// the stored validators for the request.
    fn knows(&mut self, number: u32, target: &'a Target, journal: &mut Journal<'_>) -> bool {
        let request = Request::of(target);
        let (reach, is_of_this_run) = match journal.known(&request) {
            Known::Answer { reach, is_of_this_run } => (reach, is_of_this_run),
            Known::Version(version) => {
                let url = u32::try_from(self.requests.len()).unwrap_or(u32::MAX);
                self.versions.insert(UrlId(url), version);
                return false;
            }
            Known::Nothing => return false,
        };
        let has_places = matches!(reach.class, Class::Alive | Class::Redirected);
        if has_places && request.wants_body() {
            let mut of_place = |place: &'a [u8]| Some((place, journal.place(&request, place)?));
            let found: Option<Vec<_>> = target.places.iter().map(|place| of_place(place)).collect();
            let Some(found) = found else { return false };
            for (place, reach) in found {
                self.set_place(number, place, reach);
            }
        }
        if is_of_this_run {
            self.resumed.push(number);
        }
        let reach = self.answers.of(reach);
        self.set(number, TargetState::Known(reach));
        true
    }

    /// Returns the requests of this run before it was stopped, and their results.
    pub(super) fn resumed(&self) -> impl Iterator<Item = (Request, &Reach)> {
        self.resumed.iter().filter_map(|&number| {
            let target = self.targets.list.get(number as usize)?;
            let TargetState::Known(reach) = self.states.get(number as usize)? else { return None };
            Some((Request::of(target), &**reach))
        })
    }

    fn set(&mut self, target: u32, state: TargetState) {
        if let Some(slot) = self.states.get_mut(target as usize) {
            *slot = state;
        }
    }

    /// Returns the first request for `url`.
    pub(super) fn request(&self, url: UrlId) -> Request {
        let target = self.requests.get(url.0 as usize).copied().unwrap_or(u32::MAX);
        self.targets.list.get(target as usize).map(Request::of).unwrap_or_default()
    }

    /// Returns the stored validators of `url`, if there are any.
    pub(super) fn version(&self, url: UrlId) -> Option<Validators> {
        self.versions.get(&url).cloned()
    }

    /// Settles `url` with `reach`.
    pub(super) fn settle(&mut self, url: UrlId, reach: Reach) {
        let Some(&target) = self.requests.get(url.0 as usize) else { return };
        let reach = self.answers.of(reach);
        self.set(target, TargetState::Known(reach));
    }

    /// Reports whether `page` has a place that links to `url`, or its redirects, name.
    pub(super) fn finds(&self, url: UrlId, page: &Page<'_>, redirected: Option<&[u8]>) -> bool {
        let target = self.requests.get(url.0 as usize).copied().unwrap_or(u32::MAX);
        let Some(target) = self.targets.list.get(target as usize) else { return false };
        let Some(anchors) = page.anchors() else { return false };
        target.places.iter().any(|place| anchors.holds(redirected.unwrap_or(place)))
    }

    /// Returns a result for each fragment that links to `url` name. `reach` is the result of `url`,
    /// and `page` the page, if it has known anchors. If a redirect names a fragment, this is looked
    /// for instead, as a reader arrives there.
    pub(super) fn look_into(
        &self,
        url: UrlId,
        reach: &Reach,
        page: Option<&Page<'_>>,
        arrived: &Arrival<'_>,
    ) -> Vec<(Box<[u8]>, Reach)> {
        let redirected = arrived.fragment;
        let target = self.requests.get(url.0 as usize).copied().unwrap_or(u32::MAX);
        let Some(target) = self.targets.list.get(target as usize) else { return Vec::new() };
        // Parsed once for all fragments.
        let anchors = page.map(|page| (page, page.anchors()));
        let of = |place: &[u8]| {
            let wanted = redirected.unwrap_or(place);
            let missing = anchors.as_ref().and_then(|(page, anchors)| {
                page.missing(anchors.as_ref().map(|anchors| anchors.find(wanted)), wanted)
            });
            let missing = match (missing, arrived.doubt) {
                (Some((Class::FragmentMissing, _)), Some(doubt)) => Some(doubt),
                (missing, _) => missing,
            };
            let reach = match missing {
                Some((class, message)) => {
                    let by_redirect = if redirected.is_some() { BY_REDIRECT } else { "" };
                    let (message, hint) = (format!("{message}{by_redirect}"), None);
                    Reach { class, message, hint, hops: arrived.hops.to_vec(), ..reach.clone() }
                }
                None => reach.clone(),
            };
            (place.into(), reach)
        };
        target.places.iter().map(|place| of(place)).collect()
    }

    /// Settles the fragment `place` of `url` with `reach`.
    pub(super) fn settle_place(&mut self, url: UrlId, place: &[u8], reach: Reach) {
        if let Some(&number) = self.requests.get(url.0 as usize) {
            self.set_place(number, place, reach);
        }
    }

    /// Stores the result for a fragment, unless its anchor exists: then that of the page holds.
    fn set_place(&mut self, target: u32, place: &[u8], reach: Reach) {
        if reach.class != Class::Alive {
            let reach = self.answers.of(reach);
            self.places.insert((target as usize, place.into()), reach);
        }
    }

    /// Returns the result for each target.
    pub(super) fn spread(self) -> Learnt {
        let known = |state: &TargetState| match state {
            TargetState::Known(reach) => Some(Arc::clone(reach)),
            TargetState::Waiting | TargetState::As(_) => None,
        };
        let of = |state: &TargetState| match state {
            TargetState::As(other) => self.states.get(*other as usize).and_then(known),
            state => known(state),
        };
        Learnt { reaches: self.states.iter().map(of).collect(), places: self.places }
    }
}

/// Returns the result of a target that needs no request.
fn unasked(target: &Target) -> Option<Reach> {
    if let Some(effect) = target.effect {
        let message = format!("a request may {effect}: --probe-side-effects sends it nevertheless");
        return Some(Reach::new(Class::SideEffect, Reach::UNREQUESTED, message));
    }
    let uri = split(&target.text);
    let scheme = uri.scheme.map(|span| span.of(&target.text)).unwrap_or_default();
    let scheme = String::from_utf8_lossy(scheme).to_ascii_lowercase();
    if probe::find(&scheme).is_none() { Some(probe::unasked(&scheme)) } else { None }
}

/// Results that are shared, however often they occur.
#[derive(Default)]
struct Shared(HashMap<Reach, Arc<Reach>>);

/// Number of distinct results that are shared. Further ones mostly differ each time: redirects, and
/// messages of servers.
const SHARED_MAX: usize = 4096;

impl Shared {
    fn of(&mut self, reach: Reach) -> Arc<Reach> {
        if let Some(known) = self.0.get(&reach) {
            return Arc::clone(known);
        }
        let shared = Arc::new(reach);
        if self.0.len() < SHARED_MAX && shared.hops.is_empty() {
            self.0.insert(Reach::clone(&shared), Arc::clone(&shared));
        }
        shared
    }
}
