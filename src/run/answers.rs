//! What asking learnt, for each finding that comes by again.

use std::sync::Arc;

use super::asking::Asking;
use super::gather::{Lead, Targets, lead};
use crate::check;
use crate::finding::{Class, Finding, Reach, Verdict};
use crate::grammar::split::split;

/// The answers to all targets.
pub(super) struct Answers<'a> {
    asking: &'a Asking,
    targets: Targets,
    /// For each target.
    reaches: Vec<Option<Arc<Reach>>>,
    /// For what was not asked.
    not_asked: Arc<Reach>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        asking: &'a Asking,
        targets: Targets,
        reaches: Vec<Option<Arc<Reach>>>,
    ) -> Self {
        let message = if asking.is_stopped() {
            "the run was stopped before it was asked"
        } else {
            "it was not there when links were gathered: the input has changed"
        };
        let not_asked = Arc::new(Reach::new(Class::NotAsked, "none", message));
        Self { asking, targets, reaches, not_asked }
    }

    /// What was learnt of where `finding` leads, and what it makes of it; none where nobody
    /// asks.
    pub(super) fn of(&self, finding: &Finding<'_>) -> Option<(Arc<Reach>, Verdict)> {
        let (reach, host) = match lead(finding) {
            Lead::Nowhere => return None,
            Lead::Known(reach) => (Arc::new(reach), None),
            Lead::Local => (Arc::clone(&self.not_asked), None),
            Lead::Remote(text) => (self.remote(&text), host(&text)),
        };
        let verdict = check::judge(finding, &reach, host.as_deref(), &self.asking.policy);
        Some((reach, verdict))
    }

    fn remote(&self, text: &[u8]) -> Arc<Reach> {
        let found = self.targets.find(text).and_then(|idx| self.reaches.get(idx)?.as_ref());
        Arc::clone(found.unwrap_or(&self.not_asked))
    }
}

fn host(text: &[u8]) -> Option<Vec<u8>> {
    Some(split(text).host?.of(text).to_ascii_lowercase())
}
