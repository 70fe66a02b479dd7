//! Which targets are asked, and which are settled without: each question once.

use std::collections::HashMap;
use std::sync::Arc;

use super::journal::{Journal, Known};
use super::question::Errand;
use crate::finding::{Class, Note, Reach};
use crate::grammar::split;
use crate::probe::schedule::UrlId;
use crate::probe::{self, Body, Level, Validators};
use crate::run::gather::{Target, Targets};
use crate::source::markup::Markup;
use crate::source::markup::anchors::{Place, anchors};

/// What is asked for whom.
pub(super) struct Plan<'a> {
    targets: &'a Targets,
    /// For each question the target that it is asked for. Where only hosts are asked, many
    /// targets share it.
    pub(super) errands: Vec<u32>,
    /// For each target what was learnt, or the question that tells.
    states: Vec<State>,
    /// Equal answers are kept once: most are.
    answers: Shared,
    places: Places,
    /// What links were when they were asked last.
    versions: HashMap<UrlId, Validators>,
}

/// What was learnt of all targets.
pub(in crate::run) struct Learnt {
    /// For each target; none of those that were not asked.
    pub(in crate::run) reaches: Vec<Option<Arc<Reach>>>,
    /// For places in targets that are not there.
    pub(in crate::run) places: Places,
    /// What went wrong beside.
    pub(in crate::run) note: Option<Note>,
}

/// Answers for places, by the number of the target and the fragment as it stands in links.
type Places = HashMap<(usize, Box<[u8]>), Arc<Reach>>;

#[derive(Clone)]
enum State {
    Waiting,
    Known(Arc<Reach>),
    /// The same as that of another target.
    As(u32),
}

impl<'a> Plan<'a> {
    /// The plan for `targets`.
    pub(super) fn of(targets: &'a Targets, mut journal: Option<&mut Journal<'_>>) -> Self {
        let (errands, answers) = (Vec::new(), Shared::default());
        let states = vec![State::Waiting; targets.list.len()];
        let mut plan = Self {
            targets,
            errands,
            states,
            answers,
            places: Places::new(),
            versions: HashMap::new(),
        };
        let mut hosts = HashMap::new();
        for (target, number) in targets.list.iter().zip(0..) {
            if let Some(reach) = unasked(target) {
                let reach = plan.answers.of(reach);
                plan.set(number, State::Known(reach));
                continue;
            }
            if target.level == Level::Host {
                let errand = Errand::of(target);
                let first = *hosts.entry(errand.into_text()).or_insert(number);
                if first != number {
                    plan.set(number, State::As(first));
                    continue;
                }
            }
            let known = journal.as_mut().map(|journal| journal.known(&Errand::of(target)));
            match known {
                Some(Known::Answer(reach)) if target.places.is_empty() => {
                    let reach = plan.answers.of(reach);
                    plan.set(number, State::Known(reach));
                    continue;
                }
                Some(Known::Version(version)) => {
                    let url = u32::try_from(plan.errands.len()).unwrap_or(u32::MAX);
                    plan.versions.insert(UrlId(url), version);
                }
                _ => {}
            }
            plan.errands.push(number);
        }
        plan
    }

    fn set(&mut self, target: u32, state: State) {
        if let Some(slot) = self.states.get_mut(target as usize) {
            *slot = state;
        }
    }

    /// What is asked for `url`, at first.
    pub(super) fn errand(&self, url: UrlId) -> Errand {
        let target = self.errands.get(url.0 as usize).copied().unwrap_or(u32::MAX);
        self.targets.list.get(target as usize).map(Errand::of).unwrap_or_default()
    }

    /// What `url` was when it was asked last, where that is known.
    pub(super) fn version(&self, url: UrlId) -> Option<Validators> {
        self.versions.get(&url).cloned()
    }

    /// `reach` is the answer to `url`.
    pub(super) fn settle(&mut self, url: UrlId, reach: Reach) {
        let Some(&target) = self.errands.get(url.0 as usize) else { return };
        let reach = self.answers.of(reach);
        self.set(target, State::Known(reach));
    }

    /// Looks for the places that links to `url` name in the page that came of it.
    pub(super) fn look_into(&mut self, url: UrlId, reach: &Reach, body: &Body) {
        let Some(&number) = self.errands.get(url.0 as usize) else { return };
        let Some(target) = self.targets.list.get(number as usize) else { return };
        let Some(markup) = markup(body).filter(|_| !target.places.is_empty()) else { return };
        // Read once, whatever number of places is looked for.
        let anchors = anchors(Some(markup), &body.bytes);
        for place in &target.places {
            let found = anchors.as_ref().map(|anchors| anchors.find(place));
            if let Some((class, message)) = missing(found, body) {
                let (message, hint) = (message.to_owned(), None);
                let reach = self.answers.of(Reach { class, message, hint, ..reach.clone() });
                self.places.insert((number as usize, place.clone()), reach);
            }
        }
    }

    /// What was learnt of each target.
    pub(super) fn spread(self, note: Option<Note>) -> Learnt {
        let known = |state: &State| match state {
            State::Known(reach) => Some(Arc::clone(reach)),
            State::Waiting | State::As(_) => None,
        };
        let of = |state: &State| match state {
            State::As(other) => self.states.get(*other as usize).and_then(known),
            state => known(state),
        };
        Learnt { reaches: self.states.iter().map(of).collect(), places: self.places, note }
    }
}

/// How the places of a page are found. A reader of another type knows what its fragments mean
/// (RFC 3986 §3.5).
fn markup(body: &Body) -> Option<Markup> {
    match &*body.media_type {
        "text/html" | "application/xhtml+xml" => Some(Markup::Html),
        "text/markdown" => Some(Markup::Markdown),
        _ => None,
    }
}

/// What is to be said of a place that was `found` so in a page, which could be read or not.
fn missing(found: Option<Place>, body: &Body) -> Option<(Class, &'static str)> {
    match found {
        Some(Place::There | Place::Unknown) => None,
        Some(Place::OtherCase) => {
            Some((Class::FragmentMissing, "a place of this name is there in another case"))
        }
        Some(Place::Missing) if !body.is_cut => {
            Some((Class::FragmentMissing, "expected a place of this name in the page, found none"))
        }
        Some(Place::Missing) => {
            Some((Class::Unverifiable, "the page is too long to look for a place in all of it"))
        }
        None => Some((Class::Unverifiable, "the page could not be read")),
    }
}

/// What is known of a target without asking, if anything.
fn unasked(target: &Target) -> Option<Reach> {
    if let Some(effect) = target.effect {
        let message = format!("asking for it may {effect}: --probe-side-effects asks all the same");
        return Some(Reach::new(Class::SideEffect, "none", message));
    }
    let uri = split(&target.text);
    let scheme = uri.scheme.map(|span| span.of(&target.text)).unwrap_or_default();
    let scheme = String::from_utf8_lossy(scheme).to_ascii_lowercase();
    if probe::find(&scheme).is_none() { Some(probe::unasked(&scheme)) } else { None }
}

/// Answers that are kept once, however often they come.
#[derive(Default)]
struct Shared(HashMap<Reach, Arc<Reach>>);

/// Different answers that are kept once. What comes on top is mostly different each time:
/// redirects, and words of servers.
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
