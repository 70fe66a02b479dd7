//! Reports how links fared between two runs: died, revived, moved, new, gone.
//!
//! Rows come change by change, each in the order of its run, and are written at once: nothing is
//! kept but what a format limits. Nothing is judged here.

use std::borrow::Cow;

use super::day::Day;
use super::record::Bytes;
use crate::finding::Class;
use crate::uri::Redacted;

pub mod formats;
mod json;
mod markdown;
mod text;

/// The fate of a link between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It was alive and is dead.
    Died,
    /// It was dead and is alive.
    Revived,
    /// It is alive and redirects for good, to another place than before.
    Moved,
    /// It is only in the new run.
    New,
    /// It is only in the old run.
    Gone,
    /// It is as it was.
    Unchanged,
    /// One of the runs did not judge it.
    Unasked,
}

impl Change {
    /// All changes, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Died,
        Self::Revived,
        Self::Moved,
        Self::New,
        Self::Gone,
        Self::Unchanged,
        Self::Unasked,
    ];
    /// The changes whose links are listed; of the others there is only a number.
    pub const LISTED: [Self; 5] = [Self::Died, Self::Revived, Self::Moved, Self::New, Self::Gone];

    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Died => "died",
            Self::Revived => "revived",
            Self::Moved => "moved",
            Self::New => "new",
            Self::Gone => "gone",
            Self::Unchanged => "unchanged",
            Self::Unasked => "unasked",
        }
    }

    /// Returns the meaning, in one line.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Died => "alive in the old run, dead in the new one",
            Self::Revived => "dead in the old run, alive in the new one",
            Self::Moved => "redirected for good, to another place than in the old run",
            Self::New => "only in the new run",
            Self::Gone => "only in the old run",
            Self::Unchanged => "as before",
            Self::Unasked => "not judged in one of the runs",
        }
    }
}

/// The number of links with each change, in the order of [`Change::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [u64; Change::ALL.len()]);

impl Counts {
    /// Returns the number of links with `change`.
    #[must_use]
    pub fn of(&self, change: Change) -> u64 {
        let counts = Change::ALL.iter().zip(self.0);
        counts.filter(|(of, _)| **of == change).map(|(_, count)| count).sum()
    }

    /// Returns the number of all links.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the numbers in words: `1 died, 0 revived, …`.
    #[must_use]
    pub fn words(&self) -> String {
        let words = Change::ALL.iter().zip(self.0);
        let words: Vec<_> = words.map(|(of, count)| format!("{count} {}", of.name())).collect();
        words.join(", ")
    }
}

/// The names of the two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The old run, as the user named it.
    pub old: String,
    /// The new one.
    pub new: String,
    /// The days on which the links of both were requested, as far as they are known.
    pub made: [Option<Day>; 2],
}

impl Runs {
    /// Returns both days in words, if they are known: `from 2026-11-01 to 2026-11-28`.
    #[must_use]
    pub fn days(&self) -> Option<String> {
        let [old, new] = self.made;
        Some(format!("from {} to {}", old?.text(), new?.text()))
    }

    /// Returns the names, each with its day: `old.ndjson of 2026-11-28`.
    pub(super) fn dated(&self) -> [String; 2] {
        let [old, new] = self.made;
        [(&self.old, old), (&self.new, new)].map(|(name, made)| match made {
            Some(day) => format!("{name} of {}", day.text()),
            None => name.clone(),
        })
    }
}

/// A link as one run learnt it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Whether it is dead; `None` if the run did not judge it.
    pub is_dead: Option<bool>,
    /// The class of its answer, if it was requested.
    pub class: Option<Class>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The day of the request, if it was recorded.
    pub asked: Option<Day>,
}

impl Known {
    /// Returns the state in words: `missing 404`, `alive`, `malformed`.
    fn words(&self) -> String {
        let name = match (self.class, self.is_dead) {
            (Some(class), _) => class.row().name,
            (None, Some(true)) => "malformed",
            (None, Some(false)) => "ok",
            (None, None) => "skipped",
        };
        let status = self.status.map(|status| format!(" {status}")).unwrap_or_default();
        format!("{name}{status}")
    }
}

/// A link whose fate is reported.
#[derive(Clone, Debug)]
pub struct Row {
    /// The link, as its run shows it.
    pub uri: Vec<u8>,
    /// Its first place: `path!member:line:column`; `None` if none was recorded.
    pub place: Option<Vec<u8>>,
    /// The state in the old run; `None` if it has no such link.
    pub old: Option<Known>,
    /// The state in the new run; `None` if it has no such link.
    pub new: Option<Known>,
    /// The place to which it redirects for good.
    pub moved_to: Option<Vec<u8>>,
    /// The other place to which it redirected for good in the old run.
    pub moved_before: Option<Vec<u8>>,
    /// The days of the first and the last message that has it, in both runs.
    pub days: Option<[Day; 2]>,
}

impl Row {
    /// Returns the link without passwords and tokens. A saved run shows none; a run that another
    /// program wrote may.
    pub(super) fn uri(&self) -> Cow<'_, [u8]> {
        redacted(&self.uri)
    }

    pub(super) fn moved_to(&self) -> Option<Cow<'_, [u8]>> {
        self.moved_to.as_deref().map(redacted)
    }

    pub(super) fn moved_before(&self) -> Option<Cow<'_, [u8]>> {
        self.moved_before.as_deref().map(redacted)
    }

    /// Returns the place without the passwords of a path that is a URI.
    pub(super) fn place(&self) -> Option<Cow<'_, [u8]>> {
        self.place.as_deref().map(redacted)
    }

    /// Returns the history in words: `alive, then missing 404; 1998-01-01 to 1999-01-01`.
    pub(super) fn history(&self) -> String {
        let known = [self.old, self.new].into_iter().flatten();
        let states: Vec<_> = known
            .map(|known| match known.asked {
                Some(day) => format!("{} on {}", known.words(), day.text()),
                None => known.words(),
            })
            .collect();
        let mut text = states.join(", then ");
        if let Some(days) = self.span() {
            text.push_str("; ");
            text.push_str(&days);
        }
        text
    }

    /// Returns the days of the messages: `1998-01-01 to 1999-01-01`.
    fn span(&self) -> Option<String> {
        self.days.map(|[first, last]| {
            if first == last {
                first.text()
            } else {
                format!("{} to {}", first.text(), last.text())
            }
        })
    }
}

fn redacted(text: &[u8]) -> Cow<'_, [u8]> {
    Redacted::new(text).shown().into_owned().into()
}

/// Returns `text` as lossy text, and its bytes if it is not UTF-8.
fn split(text: &[u8]) -> (Cow<'_, str>, Option<Bytes>) {
    let lossy = String::from_utf8_lossy(text);
    let bytes = matches!(lossy, Cow::Owned(_)).then(|| Bytes(text.to_vec()));
    (lossy, bytes)
}

/// A format of comparisons.
pub trait Format {
    /// Appends the text before all rows.
    fn begin(&mut self, runs: &Runs, counts: &Counts, out: &mut Vec<u8>);

    /// Begins the rows of `change`, which are so many; at least one.
    fn section(&mut self, _change: Change, _count: u64, _out: &mut Vec<u8>) {}

    /// Appends a row of the section.
    fn row(&mut self, change: Change, row: &Row, out: &mut Vec<u8>);

    /// Ends the section.
    fn end_section(&mut self, _out: &mut Vec<u8>) {}

    /// Appends the rest.
    fn finish(&mut self, _out: &mut Vec<u8>) {}
}
