//! Filters findings by verdict, for builds that know neither changed lines nor known problems.

use std::marker::PhantomData;

use super::showing::Showing;
use super::{Input, Options};
use crate::finding::{Finding, Note, Verdict};

/// The filters that findings have to pass.
#[derive(Clone, Copy, Default)]
pub(super) struct Sieve<'s> {
    shown: Showing,
    of: PhantomData<&'s Options>,
}

/// The changed lines of a file: all.
pub(super) type InFile<'s> = PhantomData<&'s Options>;

impl<'s> Sieve<'s> {
    pub(super) const fn of(options: &'s Options) -> Self {
        Self { shown: options.shown, of: PhantomData }
    }

    pub(super) const fn will_read(&self, _: &Input) {}

    pub(super) const fn is_wanted(&self, _: &Finding<'_>, _: &mut Option<InFile<'s>>) -> bool {
        true
    }

    pub(super) const fn shows(&self, verdict: Verdict) -> bool {
        self.shown.has(verdict)
    }

    pub(super) const fn knows(&self, _: &Finding<'_>) -> bool {
        false
    }

    pub(super) const fn fixed(&self, _: &Options) -> Vec<Note> {
        Vec::new()
    }
}
