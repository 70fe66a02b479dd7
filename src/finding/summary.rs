//! Counts the totals of a run.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Archived, Digest, NotLookedUp, Skip, Verdict, Why};

/// Totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Whether all inputs were read in full, and all requested work was done.
    pub complete: bool,
    /// Number of inputs that were read; an archive is one.
    pub files: u64,
    /// Members of archives that were read.
    pub members: u64,
    /// Bytes that were read from them.
    pub bytes: u64,
    /// Messages in mailboxes.
    pub messages: u64,
    /// Findings reported.
    pub findings: u64,
    /// Number of distinct links among the findings; `None` if they were not counted.
    pub distinct: Option<u64>,
    /// The digest of the reported findings; `None` if there are none, or it was not wanted.
    pub digest: Option<Digest>,
    /// Findings by verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [u64; 4],
    /// Number of warnings and errors, by verdict and reason, sorted.
    pub troubles: BTreeMap<(Verdict, &'static str), u64>,
    /// Number of skipped items, by reason, sorted by name.
    pub skipped: BTreeMap<Skip, u64>,
    /// Findings by the result of looking them up in web archives, by [`Archived::index`].
    pub archived: [u64; Archived::COUNTS],
    /// The time at which a run that requests links had its answers; `None` for any other run.
    pub made: Option<Timestamp>,
}

impl Summary {
    /// Counts one finding; `why` is the reason for its verdict, as `Finding::why` returns it, and
    /// `unasked` that of `Finding::unasked`.
    pub fn count(&mut self, verdict: Verdict, why: Option<Why>, unasked: Option<Skip>) {
        self.findings += 1;
        for (count, of) in self.verdicts.iter_mut().zip(Verdict::ALL) {
            *count += u64::from(of == verdict);
        }
        match why {
            Some(Why::Skipped(skip)) => self.skip(skip, 1),
            Some(Why::Trouble(name)) => {
                *self.troubles.entry((verdict, name)).or_default() += 1;
            }
            None => {}
        }
        if let Some(skip) = unasked {
            self.skip(skip, 1);
        }
    }

    /// Counts the result of looking up one finding in web archives, by its index.
    pub fn count_archived(&mut self, index: Option<usize>) {
        let count = index.and_then(|index| self.archived.get_mut(index));
        count.into_iter().for_each(|count| *count += 1);
    }

    /// Returns the number of findings by what web archives hold of them, in the order of
    /// [`Archived::NAMES`].
    #[must_use]
    pub fn archived(&self) -> [u64; Archived::NAMES.len()] {
        let [found, absent, unknown @ ..] = self.archived;
        [found, absent, unknown.iter().sum()]
    }

    /// Returns the number of findings for each reason why archives were not asked, or gave no
    /// answer; those without any are omitted.
    pub fn not_looked_up(&self) -> impl Iterator<Item = (NotLookedUp, u64)> {
        let [_, _, unknown @ ..] = self.archived;
        NotLookedUp::ALL.into_iter().zip(unknown).filter(|(_, count)| *count > 0)
    }

    /// Returns the number of links found: those reported, and those omitted only because they have
    /// not changed.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.findings + self.skipped.get(&Skip::Unchanged).copied().unwrap_or_default()
    }

    /// Counts `count` items that were skipped for the reason `skip`.
    pub fn skip(&mut self, skip: Skip, count: u64) {
        if count > 0 {
            *self.skipped.entry(skip).or_default() += count;
        }
    }

    /// Adds the counts of `part`; `complete`, `distinct` and `made` are of the whole run.
    pub fn add(&mut self, part: &Self) {
        self.files += part.files;
        self.members += part.members;
        self.bytes += part.bytes;
        self.messages += part.messages;
        self.findings += part.findings;
        for (count, more) in self.verdicts.iter_mut().zip(part.verdicts) {
            *count += more;
        }
        for (trouble, count) in &part.troubles {
            *self.troubles.entry(*trouble).or_default() += count;
        }
        for (skip, count) in &part.skipped {
            self.skip(*skip, *count);
        }
        if let Some(digest) = &part.digest {
            self.digest.get_or_insert_default().add(digest);
        }
        for (count, more) in self.archived.iter_mut().zip(part.archived) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Class, Finding, Origin, Place, Reach};
    use super::{Skip, Summary, Verdict};

    #[test]
    fn a_link_that_was_not_requested_is_counted_with_its_reason_whatever_its_verdict() {
        let (facts, origin) = (Default::default(), Origin::default());
        let bare = Finding::example(b"http://h.example/", Place::example(&origin, [0; 4]), &facts);
        let [asked, unasked] =
            [Class::Missing, Class::NotAsked].map(|class| Reach::new(class, "none", ""));
        let mut summary = Summary::default();
        for (reach, verdict) in [
            (&unasked, Verdict::Skipped),
            (&unasked, Verdict::Warn),
            (&unasked, Verdict::Error),
            (&asked, Verdict::Error),
        ] {
            let finding = Finding { reach: Some(reach), verdict, ..bare.clone() };
            summary.count(finding.verdict, finding.why(), finding.unasked());
        }
        let skipped: Vec<_> = summary.skipped.into_iter().collect();
        assert_eq!(skipped, [(Skip::Class(Class::NotAsked), 3)]);
        assert_eq!(summary.verdicts, [0, 1, 2, 1]);
    }
}
