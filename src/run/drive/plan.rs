//! Which targets are asked, and which are settled without: each question once.

use std::collections::HashMap;
use std::sync::Arc;

use super::journal::{Journal, Known};
use super::page::Page;
use super::question::Errand;
use crate::finding::{Class, Reach};
use crate::grammar::split;
use crate::probe::schedule::UrlId;
use crate::probe::{self, Level, Validators};
use crate::run::target::{Target, Targets};

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
    /// The targets that this run had asked for before it was stopped.
    resumed: Vec<u32>,
}

/// What was learnt of all targets.
pub(in crate::run) struct Learnt {
    /// For each target; none of those that were not asked.
    pub(in crate::run) reaches: Vec<Option<Arc<Reach>>>,
    /// For places in targets that are not there.
    pub(in crate::run) places: Places,
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
            resumed: Vec::new(),
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
            let is_known = match &mut journal {
                Some(journal) => plan.knows(number, target, journal),
                None => false,
            };
            if !is_known {
                plan.errands.push(number);
            }
        }
        plan
    }

    /// True when `journal` has the answer for `target`, which it then gets; what it says else of
    /// it is for the next question.
    fn knows(&mut self, number: u32, target: &'a Target, journal: &mut Journal<'_>) -> bool {
        let errand = Errand::of(target);
        let (reach, is_of_this_run) = match journal.known(&errand) {
            Known::Answer { reach, is_of_this_run } => (reach, is_of_this_run),
            Known::Version(version) => {
                let url = u32::try_from(self.errands.len()).unwrap_or(u32::MAX);
                self.versions.insert(UrlId(url), version);
                return false;
            }
            Known::Nothing => return false,
        };
        let has_places = matches!(reach.class, Class::Alive | Class::Redirected);
        if has_places && errand.wants_body() {
            let mut of_place = |place: &'a [u8]| Some((place, journal.place(&errand, place)?));
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
        self.set(number, State::Known(reach));
        true
    }

    /// What this run had asked for before it was stopped, and what came of it.
    pub(super) fn resumed(&self) -> impl Iterator<Item = (Errand, &Reach)> {
        self.resumed.iter().filter_map(|&number| {
            let target = self.targets.list.get(number as usize)?;
            let State::Known(reach) = self.states.get(number as usize)? else { return None };
            Some((Errand::of(target), &**reach))
        })
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

    /// What there is to say of each place that links to `url` name, of which `reach` is the
    /// answer and `page` the page, where one came whose places are known.
    pub(super) fn look_into(
        &self,
        url: UrlId,
        reach: &Reach,
        page: Option<&Page<'_>>,
    ) -> Vec<(Box<[u8]>, Reach)> {
        let target = self.errands.get(url.0 as usize).copied().unwrap_or(u32::MAX);
        let Some(target) = self.targets.list.get(target as usize) else { return Vec::new() };
        // Read once, whatever number of places is looked for.
        let anchors = page.map(|page| (page, page.anchors()));
        let of = |place: &[u8]| {
            let missing = anchors.as_ref().and_then(|(page, anchors)| {
                page.missing(anchors.as_ref().map(|anchors| anchors.find(place)))
            });
            let reach = match missing {
                Some((class, message)) => {
                    let (message, hint) = (message.to_owned(), None);
                    Reach { class, message, hint, ..reach.clone() }
                }
                None => reach.clone(),
            };
            (place.into(), reach)
        };
        target.places.iter().map(|place| of(place)).collect()
    }

    /// `reach` is the answer for `place` of `url`.
    pub(super) fn settle_place(&mut self, url: UrlId, place: &[u8], reach: Reach) {
        if let Some(&number) = self.errands.get(url.0 as usize) {
            self.set_place(number, place, reach);
        }
    }

    /// The page tells of places that are there.
    fn set_place(&mut self, target: u32, place: &[u8], reach: Reach) {
        if reach.class != Class::Alive {
            let reach = self.answers.of(reach);
            self.places.insert((target as usize, place.into()), reach);
        }
    }

    /// What was learnt of each target.
    pub(super) fn spread(self) -> Learnt {
        let known = |state: &State| match state {
            State::Known(reach) => Some(Arc::clone(reach)),
            State::Waiting | State::As(_) => None,
        };
        let of = |state: &State| match state {
            State::As(other) => self.states.get(*other as usize).and_then(known),
            state => known(state),
        };
        Learnt { reaches: self.states.iter().map(of).collect(), places: self.places }
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
