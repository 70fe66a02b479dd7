//! Looks up the probe result for each finding.

use std::sync::Arc;

use super::dates::Dates;
use super::documents::Documents;
use super::drive::Learnt;
use super::lead::{Lead, lead, resolved};
use super::lookups::Lookups;
use super::names::Names;
use super::request_options::RequestOptions;
use super::target::{Targets, Use, apart};
use crate::check::local::Answer;
use crate::check::{self, Policy};
use crate::finding::{Archived, Class, Finding, Reach, Verdict};

/// The results for all targets.
pub(super) struct Answers<'a> {
    options: &'a RequestOptions,
    documents: &'a Documents,
    targets: Targets,
    /// The names of messages and parts; `None` if not all inputs were read.
    names: Option<Names>,
    learnt: Learnt,
    archived: Lookups,
    dates: Dates,
    /// The result for targets that were not probed.
    not_asked: Arc<Reach>,
}

/// The answer for a finding.
pub(super) struct Answered {
    pub(super) reach: Arc<Reach>,
    pub(super) verdict: Verdict,
    /// The result in web archives; `None` if it was not looked up.
    pub(super) archived: Option<Archived>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        options: &'a RequestOptions,
        documents: &'a Documents,
        (targets, names): (Targets, Option<Names>),
        (learnt, archived): (Learnt, Lookups),
    ) -> Self {
        // Without a stop, each target has a result.
        let message = if options.is_offline {
            "no request is sent with --offline"
        } else {
            "the run was stopped before it was requested"
        };
        let not_asked = Arc::new(Reach::new(Class::NotAsked, "none", message));
        let dates = Dates::default();
        Self { options, documents, targets, names, learnt, archived, dates, not_asked }
    }

    /// Returns the answer for `finding`, with the verdict under `policy`, or under the general
    /// policy if that is `None`. Returns `None` if `finding` leads nowhere.
    pub(super) fn of(&self, finding: &Finding<'_>, policy: Option<&Policy>) -> Option<Answered> {
        let (reach, asked) = match lead(finding) {
            Lead::Nowhere => return None,
            Lead::Known(reach) => (Arc::new(reach), None),
            Lead::Local => match self.documents.ask(finding) {
                Answer::Reach(reach) => (Arc::new(reach), None),
                Answer::Remote(text) => match resolved(text, self.options.unwraps) {
                    Ok(text) => (self.remote(&text, Use::of(finding)), Some(text.into())),
                    Err(reach) => (Arc::new(reach), None),
                },
            },
            Lead::Mail => (self.in_mail(finding), None),
            Lead::Remote(text) => (self.remote(&text, Use::of(finding)), Some(text)),
        };
        let policy = policy.unwrap_or(&self.options.policy);
        let verdict = check::judge(finding, &reach, asked.as_deref(), policy);
        let archived = asked.as_deref().and_then(|text| self.archived(finding, text));
        Some(Answered { reach, verdict, archived })
    }

    /// Returns the result in web archives for the target `whole` of `finding`, if it was looked up.
    fn archived(&self, finding: &Finding<'_>, whole: &[u8]) -> Option<Archived> {
        if self.archived.is_empty() {
            return None;
        }
        let target = self.targets.find(apart(whole).0, Use::of(finding))?;
        self.archived.of_target(target, || self.dates.of(finding))
    }

    /// Reports whether `reach` belongs to a link that was to be probed and was not, which makes the
    /// run incomplete.
    pub(super) fn is_lost(&self, reach: &Reach) -> bool {
        reach.class == Class::NotAsked && !self.options.is_offline
    }

    /// Returns the reach of a link to a message or to a part of one.
    fn in_mail(&self, finding: &Finding<'_>) -> Arc<Reach> {
        match &self.names {
            Some(names) => Arc::new(names.ask(finding)),
            None if self.options.is_offline => {
                let message =
                    "with --offline, each link is reported at once, before all messages are read";
                Arc::new(Reach::new(Class::NotAsked, "none", message))
            }
            None => Arc::clone(&self.not_asked),
        }
    }

    fn remote(&self, whole: &[u8], use_of: Use) -> Arc<Reach> {
        let (text, place) = apart(whole);
        let found = self.targets.find(text, use_of).and_then(|idx| {
            let in_page = place.and_then(|place| self.learnt.places.get(&(idx, place.into())));
            in_page.or(self.learnt.reaches.get(idx)?.as_ref())
        });
        Arc::clone(found.unwrap_or(&self.not_asked))
    }
}
