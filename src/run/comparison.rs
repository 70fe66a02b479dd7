//! Compares two saved runs, or two states, link by link.
//!
//! Each run is read once to learn the state of its links, and once more for each change whose links
//! are listed: memory holds a few numbers for each distinct link, and the text of the places that
//! moved links had led to before.

use std::collections::HashMap;

use super::hash::hash;
use crate::error::Error;
use crate::finding::{Class, Verdict};
use crate::report::comparison::{Change, Counts, Known, Row};
use crate::report::day::Day;
use crate::report::record::{Line, Record, SummaryRecord, bytes, is_whole};
use crate::report::statement::{holder, standing};
use crate::store::results::Last;

/// A link in one place of a run.
pub struct Seen {
    /// The link, as the run shows it.
    uri: Vec<u8>,
    /// The document that it is relative to, if it is no whole URI.
    document: Option<Vec<u8>>,
    place: Option<Vec<u8>>,
    known: Known,
    moved_to: Option<Vec<u8>>,
    /// The day of its message or file.
    day: Option<Day>,
}

impl Seen {
    /// Reads a finding of a saved run.
    #[must_use]
    pub fn of_record(record: &Record) -> Self {
        let reach = record.reach.as_ref();
        let date = record.message.as_ref().and_then(|message| message.date.as_deref());
        let is_dead = match (record.verdict, record.known.as_deref()) {
            (Verdict::Error, _) | (Verdict::Skipped, Some("error")) => Some(true),
            (Verdict::Ok | Verdict::Warn, _) | (Verdict::Skipped, Some(_)) => Some(false),
            (Verdict::Skipped, None) => None,
        };
        Self {
            uri: record.uri().to_vec(),
            document: record.scheme.is_none().then(|| base_of(record)),
            place: Some(standing(&record.place)),
            known: Known {
                is_dead,
                class: reach.and_then(|reach| Class::find(&reach.class)),
                status: reach.and_then(|reach| reach.status),
                asked: None,
            },
            moved_to: record.moved_to(),
            day: date.or(record.place.date.as_deref()).and_then(Day::of),
        }
    }

    /// Reads a result of a state.
    #[must_use]
    pub fn of_state(last: Last) -> Self {
        let known = Known {
            is_dead: last.is_dead(),
            class: Some(last.class),
            status: last.status,
            asked: Day::at(last.asked_at),
        };
        let Last { uri, moved_to, .. } = last;
        Self { uri, document: None, place: None, known, moved_to, day: None }
    }

    fn key(&self) -> u128 {
        let document = self.document.as_deref().unwrap_or_default();
        // No path has a NUL, which divides both.
        hash(&[document, b"\0", &self.uri].concat())
    }
}

/// Returns the document of `record`, and the base that it declares, divided by a NUL, which no path
/// has.
fn base_of(record: &Record) -> Vec<u8> {
    let mut base = holder(record.place.path(), record.place.members());
    base.push(b'\0');
    let declared = record.base.as_deref();
    base.extend(declared.into_iter().flat_map(|text| bytes(text, record.base_bytes.as_ref())));
    base
}

/// A saved run, line by line: `--format ndjson`, or `--format json`.
pub struct SavedRun {
    /// The name of the run in errors.
    name: String,
    lines: u64,
    is_object: bool,
    summary: Option<SummaryRecord>,
}

/// The end of a saved run.
#[derive(Clone, Copy, Debug)]
pub struct RunEnd {
    /// Whether it was done in full.
    pub complete: bool,
    /// The day on which its links were requested, if the run has it.
    pub made: Option<Day>,
}

impl SavedRun {
    /// Begins to read the run called `name`.
    #[must_use]
    pub const fn new(name: String) -> Self {
        Self { name, lines: 0, is_object: false, summary: None }
    }

    /// Reads the next line; returns its link, if it has one.
    ///
    /// # Errors
    /// When the line is no record of a run.
    pub fn line(&mut self, text: &[u8]) -> Result<Option<Seen>, Error> {
        self.lines += 1;
        self.is_object |= self.lines == 1 && is_whole(text);
        if text.trim_ascii().is_empty() {
            return Ok(None);
        }
        let line = if self.is_object {
            Line::parse_within(text)
        } else {
            Line::parse_saved(text).map(|(line, _)| Some(line))
        };
        match line.map_err(|error| self.error(error.to_string()))? {
            Some(Line::Finding(record)) => Ok(Some(Seen::of_record(&record))),
            Some(Line::Summary(summary)) => {
                self.summary = Some(summary);
                Ok(None)
            }
            Some(Line::Note(_)) | None => Ok(None),
        }
    }

    /// Ends the run.
    ///
    /// # Errors
    /// When its end is missing.
    pub fn finish(self) -> Result<RunEnd, Error> {
        let end = self.summary.as_ref().map(|summary| RunEnd {
            complete: summary.complete,
            made: summary.made.as_deref().and_then(Day::of),
        });
        end.ok_or_else(|| {
            let reason = match self.lines {
                0 => "expected a run saved by --format ndjson or json, found nothing",
                _ => "expected the summary of the run at its end, found none: it was cut",
            };
            self.error(reason.to_owned())
        })
    }

    fn error(&self, reason: String) -> Error {
        Error::Record { input: self.name.clone(), line: self.lines, reason }
    }
}

/// One of the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The earlier one.
    Old,
    /// The later one.
    New,
}

/// The state of a link in one run, without its text.
#[derive(Clone, Copy)]
struct Brief {
    known: Known,
    /// A hash of the place to which it redirects for good; zero if it does not.
    moved: u128,
    /// The days of its first and its last message.
    days: Option<[Day; 2]>,
}

/// A link in both runs.
#[derive(Clone, Copy, Default)]
struct Entry {
    old: Option<Brief>,
    new: Option<Brief>,
    is_told: bool,
}

/// The comparison of two runs.
#[derive(Default)]
pub struct Comparison {
    links: HashMap<u128, Entry>,
    /// The place to which each moved link redirected for good in the old run, by the link's key.
    moved_before: HashMap<u128, Vec<u8>>,
}

impl Comparison {
    /// Adds a link of one run. Of several places of a link, the worst state counts.
    pub fn add(&mut self, side: Side, seen: &Seen) {
        let moved = seen.moved_to.as_deref().map_or(0, hash);
        let days = seen.day.map(|day| [day, day]);
        let brief = Brief { known: seen.known, moved, days };
        let entry = self.links.entry(seen.key()).or_default();
        let own = match side {
            Side::Old => &mut entry.old,
            Side::New => &mut entry.new,
        };
        *own = Some(own.map_or(brief, |own| own.with(brief)));
    }

    /// Returns the number of links with each change.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for entry in self.links.values() {
            let all = counts.0.iter_mut().zip(Change::ALL);
            all.for_each(|(count, of)| *count += u64::from(of == entry.change()));
        }
        counts
    }

    /// Returns the run that has the links with `change`.
    #[must_use]
    pub fn side(change: Change) -> Side {
        if change == Change::Gone { Side::Old } else { Side::New }
    }

    /// Keeps the place to which a link of the old run redirects, if the new run has another one.
    pub fn keep_moved(&mut self, seen: Seen) {
        let key = seen.key();
        let is_moved = |entry: &Entry| entry.change() == Change::Moved;
        if let Some(to) = seen.moved_to.filter(|_| self.links.get(&key).is_some_and(is_moved)) {
            self.moved_before.entry(key).or_insert(to);
        }
    }

    /// Returns the row of a link with `change`, which is seen in the run that [`Self::side`]
    /// returns; `None` if the link has another change, or its row was returned before.
    pub fn row(&mut self, change: Change, seen: &Seen) -> Option<Row> {
        let key = seen.key();
        let entry = self.links.get_mut(&key)?;
        if entry.is_told || entry.change() != change {
            return None;
        }
        entry.is_told = true;
        let Entry { old, new, .. } = *entry;
        let days = [old, new].into_iter().flatten().filter_map(|brief| brief.days);
        Some(Row {
            uri: seen.uri.clone(),
            place: seen.place.clone(),
            old: old.map(|brief| brief.known),
            new: new.map(|brief| brief.known),
            moved_to: seen.moved_to.clone(),
            moved_before: self.moved_before.remove(&key),
            days: days.reduce(around),
        })
    }
}

impl Brief {
    /// Returns the state of a link that is so in one place, and as `other` in another.
    fn with(self, other: Self) -> Self {
        let rank = |brief: &Self| match brief.known.is_dead {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        let worst = if rank(&other) > rank(&self) { other } else { self };
        let days = [self.days, other.days].into_iter().flatten().reduce(around);
        Self { days, ..worst }
    }
}

fn around(one: [Day; 2], other: [Day; 2]) -> [Day; 2] {
    let [[first, last], [begin, end]] = [one, other];
    [first.min(begin), last.max(end)]
}

impl Entry {
    fn change(&self) -> Change {
        let (old, new) = match (&self.old, &self.new) {
            (Some(old), Some(new)) => (old, new),
            (Some(_), None) => return Change::Gone,
            (None, _) => return Change::New,
        };
        match (old.known.is_dead, new.known.is_dead) {
            (None, _) | (_, None) => Change::Unasked,
            (Some(false), Some(true)) => Change::Died,
            (Some(true), Some(false)) => Change::Revived,
            (Some(false), Some(false)) if new.moved != 0 && new.moved != old.moved => Change::Moved,
            _ => Change::Unchanged,
        }
    }
}
