//! Filters findings: by changed lines, known problems, and verdict.

use std::path::PathBuf;

use super::showing::Showing;
use super::{Input, Options};
use crate::finding::{Finding, Note, NoteKind, Origin, Verdict};
use crate::source::changes::{Changed, Changes};
use crate::store::Baseline;
use crate::store::baseline::Entry;

/// The filters that findings have to pass.
#[derive(Clone, Copy, Default)]
pub(super) struct Sieve<'s> {
    baseline: Option<&'s Baseline>,
    changes: Option<&'s Changes>,
    shown: Showing,
}

/// The changed lines of a file.
pub(super) struct InFile<'s> {
    path: PathBuf,
    changed: &'s Changed,
}

impl<'s> Sieve<'s> {
    pub(super) fn of(options: &'s Options) -> Self {
        let Options { baseline, changes, shown, .. } = options;
        Self { baseline: baseline.as_deref(), changes: changes.as_ref(), shown: *shown }
    }

    pub(super) fn will_read(&self, input: &Input) {
        if let (Some(baseline), Ok(path)) = (self.baseline, input) {
            baseline.will_read(path);
        }
    }

    /// Reports whether `finding` is on changed lines; `last` caches the file between two findings.
    ///
    /// The contents of an archive or of a message have line numbers of their own: they count as
    /// changed when anything in the file has.
    pub(super) fn is_wanted(&self, finding: &Finding<'_>, last: &mut Option<InFile<'s>>) -> bool {
        let Some(changes) = self.changes else { return true };
        let Origin { path, members, .. } = finding.place.origin;
        let changed = match last {
            Some(last) if last.path == *path => last.changed,
            _ => {
                let changed = changes.of(path);
                *last = Some(InFile { path: path.clone(), changed });
                changed
            }
        };
        if !members.is_empty() {
            return *changed != Changed::Nothing;
        }
        let first = finding.place.line;
        let more = memchr::memchr_iter(b'\n', finding.raw.in_clear()).count() as u64;
        changed.holds(&(first..=first + more))
    }

    /// Reports whether reports include findings with `verdict`.
    pub(super) const fn shows(&self, verdict: Verdict) -> bool {
        self.shown.has(verdict)
    }

    /// Reports whether the baseline lists the problem of `finding`.
    pub(super) fn knows(&self, finding: &Finding<'_>) -> bool {
        self.baseline.is_some_and(|baseline| baseline.knows(finding))
    }

    /// Returns a note for each baseline entry that no longer occurs; none if only changed lines are
    /// reported.
    pub(super) fn fixed(&self, options: &Options) -> Vec<Note> {
        let (Some(baseline), None) = (self.baseline, self.changes) else { return Vec::new() };
        let Options { include, exclude, .. } = options;
        let is_wanted =
            |uri: &[u8]| (include.is_empty() || include.is_match(uri)) && !exclude.is_match(uri);
        let advice = if baseline.is_updated() { "" } else { ": --update-baseline takes it out" };
        let note = |Entry { path, uri, reason, is_lost }: Entry| {
            let news = if is_lost { "and the document is gone" } else { "which is no longer true" };
            Note {
                kind: NoteKind::BaselineFixed,
                origin: Origin { path, ..Origin::default() },
                offset: None,
                message: format!("the baseline has {uri} as {reason}, {news}{advice}"),
            }
        };
        baseline.settle(is_wanted).into_iter().map(note).collect()
    }
}
