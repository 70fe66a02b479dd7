//! Gathers link rot as studies count it: by year, by list and by top-level domain. `rotted` writes
//! the tables.

use std::collections::BTreeMap;

use super::markup::shown;
use super::table::OTHERS;
use crate::finding::Class;
use crate::report::host::host;
use crate::report::record::{Record, bytes};
use crate::report::rot::{Fate, is_inaccessible};

/// Maximum number of lists or domains that are counted separately: hostile text can produce any
/// number.
const NAMES_MAX: usize = 10_000;

/// The number of links with each fate.
#[derive(Clone, Copy, Default)]
pub(super) struct Fates {
    pub(super) counts: [u64; Fate::ALL.len()],
    /// The number of links that the study of 2024 would call inaccessible.
    pub(super) inaccessible: u64,
    /// The number of pages that are suspected to report an error with status 200.
    pub(super) soft: u64,
    /// The number of pages whose content is another than in an earlier run.
    pub(super) changed: u64,
    /// The number of links of which an archive has a copy, and of those of which none has.
    pub(super) archived: [u64; 2],
}

impl Fates {
    fn add(&mut self, fate: Fate, is_inaccessible: bool) {
        let counts = self.counts.iter_mut().zip(Fate::ALL);
        counts.for_each(|(count, of)| *count += u64::from(of == fate));
        self.inaccessible += u64::from(is_inaccessible);
    }

    /// Counts what was found out beside the fate of the page.
    fn add_more(&mut self, record: &Record) {
        let reach = record.reach.as_ref();
        let is_soft =
            reach.is_some_and(|reach| Class::find(&reach.class) == Some(Class::SoftMissing));
        self.soft += u64::from(is_soft);
        self.changed += u64::from(reach.is_some_and(|reach| reach.changed_since.is_some()));
        let [found, absent] = &mut self.archived;
        *found += u64::from(record.archived == Some(true));
        *absent += u64::from(record.archived == Some(false));
    }

    /// Returns the sum of both.
    pub(super) fn with(mut self, other: &Self) -> Self {
        let counts = self.counts.iter_mut().zip(other.counts);
        counts.for_each(|(count, more)| *count += more);
        let archived = self.archived.iter_mut().zip(other.archived);
        archived.for_each(|(count, more)| *count += more);
        self.inaccessible += other.inaccessible;
        self.soft += other.soft;
        self.changed += other.changed;
        self
    }

    pub(super) fn all(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The fates of all links for which a server or name server was queried.
#[derive(Default)]
pub(super) struct Rot {
    pub(super) years: BTreeMap<String, Fates>,
    pub(super) lists: BTreeMap<String, Fates>,
    pub(super) tops: BTreeMap<String, Fates>,
}

impl Rot {
    /// Counts the finding `record`, whose URI is shown as `uri`, of this year.
    pub(super) fn count(&mut self, record: &Record, uri: &str, year: Option<u16>) {
        let Some((fate, is_inaccessible)) = Fate::of(record).zip(is_inaccessible(record)) else {
            return;
        };
        let year = year.map_or_else(|| "no year".to_owned(), |year| year.to_string());
        let message = record.message.as_ref();
        let list =
            message.and_then(|it| Some(bytes(it.list_id.as_deref()?, it.list_id_bytes.as_ref())));
        // Identifiers of lists are compared without regard to case (RFC 2919 §6).
        let list = list.map_or_else(|| "no list".to_owned(), |id| shown(id).to_ascii_lowercase());
        for (table, name) in
            [(&mut self.years, year), (&mut self.lists, list), (&mut self.tops, top(uri))]
        {
            let row = row(table, name);
            row.add(fate, is_inaccessible);
            row.add_more(record);
        }
    }
}

/// Returns the row for `name` in `table`, or that of all names beyond the limit.
fn row(table: &mut BTreeMap<String, Fates>, name: String) -> &mut Fates {
    let is_full = table.len() >= NAMES_MAX && !table.contains_key(&name);
    table.entry(if is_full { OTHERS.to_owned() } else { name }).or_default()
}

/// Returns the last label of the host of `uri`.
fn top(uri: &str) -> String {
    let host = host(uri).unwrap_or_default();
    let label = host.rsplit('.').next().unwrap_or_default();
    let is_address = label.bytes().all(|byte| byte.is_ascii_digit()) || host.starts_with('[');
    match label {
        "" => "no host".to_owned(),
        _ if is_address => "an address".to_owned(),
        label => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Fate, Fates, NAMES_MAX, OTHERS, row};

    #[test]
    fn names_beyond_the_limit_share_a_row() {
        let mut table = BTreeMap::new();
        for number in 0..NAMES_MAX + 5 {
            row(&mut table, number.to_string()).add(Fate::There, false);
        }
        row(&mut table, "7".to_owned()).add(Fate::Moved, false);
        let count = |name: &str| table.get(name).map(Fates::all);
        assert_eq!((count("7"), count("8"), count(OTHERS)), (Some(2), Some(1), Some(5)));
        assert_eq!(table.len(), NAMES_MAX + 1);
    }
}
