//! Collects the data of the page while findings arrive.
//!
//! Totals cover all findings. The findings themselves are kept up to a limit, the worst first, as
//! rows of numbers that refer to tables of distinct texts.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::facets;
use super::markup::{grouped, shown};
use super::rot::Rot;
use super::sites::Sites;
use super::table::OTHERS;
use crate::finding::{Skip, Verdict};
use crate::report::host::{NO_HOST, host};
use crate::report::record::{NoteRecord, Record, bytes};
use crate::report::rot::leads_to_parking;
use crate::report::start;
use crate::report::year::year;

/// Maximum number of findings in the page. The file then has some 25 MB, which a browser on a busy
/// machine with two cores shows in less than two seconds.
pub(super) const ROWS_MAX: usize = 200_000;
/// Maximum number of notes in the page: a broken archive causes one, a broken disk thousands.
pub(super) const NOTES_MAX: usize = 500;
/// Maximum number of hosts, schemes or rules that are counted separately: hostile text can produce
/// any number.
const NAMES_MAX: usize = 100_000;

/// The number of findings by verdict, in the order of [`Verdict::ALL`].
pub(super) type Counts = [u64; Verdict::ALL.len()];

/// Returns the index of `verdict` in [`Counts`].
fn place_of(verdict: Verdict) -> usize {
    Verdict::ALL.iter().position(|&other| other == verdict).unwrap_or_default()
}

/// Distinct texts, numbered in the order of their arrival.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) list: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let text: Arc<str> = text.into();
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    pub(super) fn text(&self, number: u32) -> &str {
        usize::try_from(number).ok().and_then(|idx| self.list.get(idx)).map_or("", |text| text)
    }
}

/// Names, with the number of their findings by verdict.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) names: Texts,
    pub(super) counts: Vec<Counts>,
}

impl Tally {
    fn count(&mut self, name: &str, verdict: Verdict) -> u32 {
        let is_full = self.counts.len() >= NAMES_MAX;
        let is_new = is_full && !self.names.numbers.contains_key(name);
        let number = self.names.number(if is_new { OTHERS } else { name });
        let idx = usize::try_from(number).unwrap_or_default();
        self.counts.resize(self.names.list.len(), Counts::default());
        add(self.counts.get_mut(idx), verdict);
        number
    }

    /// Returns names and counts: those with the most errors first, then those with the most
    /// findings.
    pub(super) fn sorted(&self) -> Vec<(&str, Counts)> {
        let names = self.names.list.iter().map(|name| &**name);
        let mut rows: Vec<_> = names.zip(self.counts.iter().copied()).collect();
        let weight = |counts: &Counts| {
            let [good, doubtful, bad, skipped] = counts;
            std::cmp::Reverse((*bad, good + doubtful + bad + skipped))
        };
        rows.sort_by(|(a, left), (b, right)| (weight(left), a).cmp(&(weight(right), b)));
        rows
    }
}

fn add(counts: Option<&mut Counts>, verdict: Verdict) {
    if let Some(count) = counts.and_then(|counts| counts.get_mut(place_of(verdict))) {
        *count += 1;
    }
}

/// The counts of the links of one year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Year {
    /// Errors that a probe found.
    pub(super) dead: u64,
    /// Other errors.
    pub(super) malformed: u64,
    /// Findings with the verdict ok or warn.
    pub(super) good: u64,
    /// Findings that were skipped.
    pub(super) skipped: u64,
}

impl Year {
    fn count(&mut self, verdict: Verdict, is_dead: bool) {
        let count = match verdict {
            Verdict::Error if is_dead => &mut self.dead,
            Verdict::Error => &mut self.malformed,
            Verdict::Skipped => &mut self.skipped,
            Verdict::Ok | Verdict::Warn => &mut self.good,
        };
        *count += 1;
    }

    /// Returns the number of findings that were not skipped.
    pub(super) fn judged(&self) -> u64 {
        self.dead + self.malformed + self.good
    }
}

/// A finding, as numbers that refer to the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its index among all findings, from 0.
    pub(super) order: u64,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) uri: u32,
    /// Its number among distinct links.
    pub(super) link: u32,
    pub(super) place: u32,
    pub(super) message: u32,
    pub(super) labels: u32,
    pub(super) detail: u32,
    pub(super) year: u16,
    pub(super) verdict: Verdict,
}

/// The properties of a URI that do not depend on its position.
#[derive(Clone, Copy, Default)]
pub(super) struct UriFacts {
    pub(super) host: u32,
    pub(super) scheme: u32,
}

/// Distinct links, numbered in the order of their arrival: relative links may share a URI.
#[derive(Default)]
pub(super) struct Links {
    /// The number of errors of each link, including findings that are not kept.
    pub(super) errors: Vec<u64>,
    /// The number of each link, by URI and base.
    numbers: HashMap<(u32, Vec<u8>), u32>,
}

impl Links {
    fn number(&mut self, uri: u32, start: Vec<u8>) -> u32 {
        let next = u32::try_from(self.errors.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry((uri, start)).or_insert(next);
        if number == next {
            self.errors.push(0);
        }
        number
    }

    fn count_error(&mut self, link: u32, verdict: Verdict) {
        let errors = usize::try_from(link).ok().and_then(|idx| self.errors.get_mut(idx));
        if let Some(errors) = errors.filter(|_| verdict == Verdict::Error) {
            *errors += 1;
        }
    }

    /// Returns the number of errors of `link`.
    pub(super) fn errors_of(&self, link: u32) -> u64 {
        let errors = usize::try_from(link).ok().and_then(|idx| self.errors.get(idx));
        errors.copied().unwrap_or_default()
    }
}

/// All data of the page.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) hosts: Tally,
    pub(super) sites: Sites,
    pub(super) rot: Rot,
    pub(super) schemes: Tally,
    pub(super) classes: Tally,
    pub(super) rules: Tally,
    pub(super) lints: Tally,
    pub(super) years: BTreeMap<u16, Year>,
    pub(super) verdicts: Counts,
    /// The number of findings that have a result of a probe.
    pub(super) asked: u64,
    pub(super) uris: Texts,
    pub(super) facts: Vec<UriFacts>,
    pub(super) links: Links,
    pub(super) places: Texts,
    pub(super) details: Texts,
    /// Names of classes, rules and lints, separated by spaces.
    pub(super) labels: Texts,
    /// Date and identifier of messages, separated by a space.
    pub(super) messages: Texts,
    /// The kept findings by severity, the worst first, each in the order of their arrival.
    ranks: [Vec<Row>; SEVERITIES.len()],
    pub(super) notes: Vec<String>,
    pub(super) notes_left_out: u64,
    seen: u64,
    /// The maximum number of findings that are kept.
    rows_max: usize,
}

impl Gathered {
    /// Creates a collection that keeps at most `rows_max` findings.
    pub(super) fn with_room_for(rows_max: usize) -> Self {
        Self { rows_max, ..Self::default() }
    }

    /// Counts `record`, and keeps it if there is room, or a less severe one can be dropped.
    pub(super) fn finding(&mut self, record: &Record) {
        let verdict = record.verdict;
        add(Some(&mut self.verdicts), verdict);
        let answer = facets::answer(record);
        self.asked += u64::from(answer.is_some());
        let has_fault = record.faults().next().is_some();
        let is_error = verdict == Verdict::Error;
        // A parked site is dead, as it is in the tables of studies, whatever the verdict.
        let is_parked = !is_error && verdict != Verdict::Skipped && leads_to_parking(record);
        let is_dead = is_parked || answer.is_some_and(|own| own == Verdict::Error || !has_fault);
        let lasting = if is_parked { Verdict::Error } else { verdict };
        let own_year = year(record);
        let year = own_year.unwrap_or(UNDATED);
        self.years.entry(year).or_default().count(lasting, is_dead);
        let labels = self.count_labels(record);
        let text = shown(record.uri());
        self.sites.count(record, &text, is_parked || is_dead && is_error);
        self.rot.count(record, &text, own_year);
        let host = host(&text).unwrap_or_else(|| NO_HOST.to_owned());
        let host = self.hosts.count(&host, verdict);
        let scheme = shown(record.scheme.as_deref().unwrap_or(NO_SCHEME).as_bytes());
        let scheme = self.schemes.count(&scheme, verdict);
        let order = self.seen;
        self.seen += 1;
        if !self.makes_room(verdict) {
            let uri = self.uris.numbers.get(&*text).copied();
            let key = uri.map(|uri| (uri, start::of_record(record)));
            let known = key.and_then(|key| self.links.numbers.get(&key).copied());
            known.into_iter().for_each(|link| self.links.count_error(link, verdict));
            return;
        }
        let uri = self.uris.number(&text);
        self.facts.resize(self.uris.list.len(), UriFacts { host, scheme });
        let row = Row {
            order,
            line: record.place.line,
            column: record.place.column,
            uri,
            link: self.links.number(uri, start::of_record(record)),
            place: self.places.number(&place(record.place.path(), record.place.members())),
            message: self.messages.number(&message(record)),
            labels: self.labels.number(&labels),
            detail: self.details.number(&facets::detail(record)),
            year,
            verdict,
        };
        self.keep(row);
    }

    /// Keeps `note`, or counts it as omitted.
    pub(super) fn note(&mut self, note: &NoteRecord) {
        if self.notes.len() >= NOTES_MAX {
            self.notes_left_out += 1;
            return;
        }
        let place = place(note.place.path(), note.place.members());
        let at = note.place.offset.map(|offset| format!(" (at byte {})", grouped(offset)));
        let [kind, message] = [&note.kind, &note.message].map(|text| shown(text.as_bytes()));
        self.notes.push(format!("{place}: {kind}: {message}{}", at.unwrap_or_default()));
    }

    /// Frees memory that only further findings would need.
    pub(super) fn close(&mut self) {
        let Self { uris, places, details, labels, messages, .. } = self;
        for texts in [uris, places, details, labels, messages] {
            texts.numbers = HashMap::new();
        }
        self.links.numbers = HashMap::new();
    }

    /// Takes the kept findings, in the order of their arrival.
    pub(super) fn take_rows(&mut self) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.kept());
        self.ranks.iter_mut().for_each(|rank| rows.append(rank));
        self.ranks = <[Vec<Row>; SEVERITIES.len()]>::default();
        rows.sort_unstable_by_key(|row| row.order);
        rows
    }

    /// Returns the number of kept findings.
    pub(super) fn kept(&self) -> usize {
        self.ranks.iter().map(Vec::len).sum()
    }

    /// Returns the kept findings, the worst first.
    pub(super) fn worst(&self) -> impl Iterator<Item = &Row> {
        self.ranks.iter().flatten()
    }

    /// Returns the kept errors, in the order of their arrival.
    pub(super) fn errors(&self) -> &[Row] {
        self.ranks.first().map_or(&[], |rows| rows)
    }

    /// Returns the number of findings that are not kept.
    pub(super) fn left_out(&self) -> u64 {
        self.seen.saturating_sub(u64::try_from(self.kept()).unwrap_or(u64::MAX))
    }

    /// Counts the problems by name, and returns the names separated by spaces.
    fn count_labels(&mut self, record: &Record) -> String {
        let mut labels: Vec<String> = Vec::new();
        let mut count = |tally: &mut Tally, name: &str| {
            let name = shown(name.as_bytes());
            // Two grammars may find the same fault in one finding.
            if !labels.contains(&name) {
                tally.count(&name, record.verdict);
                labels.push(name);
            }
        };
        if let Some(reach) = &record.reach {
            count(&mut self.classes, &reach.class);
        }
        record.faults().for_each(|(_, fault)| count(&mut self.rules, &fault.rule));
        record.warnings.iter().for_each(|warning| count(&mut self.lints, &warning.rule));
        labels.extend(record.known.iter().map(|_| Skip::Known.name().to_owned()));
        labels.join(" ")
    }

    /// Makes room for a row of this verdict, by dropping a less severe one if necessary. Returns
    /// false if that is not possible.
    fn makes_room(&mut self, verdict: Verdict) -> bool {
        if self.kept() < self.rows_max {
            return true;
        }
        let lesser = self.ranks.iter_mut().skip(severity(verdict) + 1).rev();
        let given_up = lesser.filter_map(Vec::pop).next();
        given_up.is_some()
    }

    fn keep(&mut self, row: Row) {
        if let Some(rows) = self.ranks.get_mut(severity(row.verdict)) {
            rows.push(row);
        }
        self.links.count_error(row.link, row.verdict);
    }
}

/// The verdicts, the worst first.
const SEVERITIES: [Verdict; Verdict::ALL.len()] =
    [Verdict::Error, Verdict::Warn, Verdict::Skipped, Verdict::Ok];

fn severity(verdict: Verdict) -> usize {
    SEVERITIES.iter().position(|&other| other == verdict).unwrap_or_default()
}

/// The year of findings without a known year.
pub(super) const UNDATED: u16 = 0;
/// The name in place of a scheme for relative references, and for text that begins with `www.`.
const NO_SCHEME: &str = "(none)";

fn place<'m>(path: &[u8], members: impl Iterator<Item = &'m [u8]>) -> String {
    let mut text = shown(path);
    for member in members {
        text.push('!');
        text.push_str(&shown(member));
    }
    text
}

fn message(record: &Record) -> String {
    let Some(message) = &record.message else { return String::new() };
    let date = message.date.as_deref().unwrap_or_default();
    let id = message.id.as_deref().unwrap_or_default();
    let id = bytes(id, message.id_bytes.as_ref());
    format!("{} {}", shown(date.as_bytes()), shown(id))
}

#[cfg(test)]
mod tests {
    use super::{Gathered, Tally, Verdict, Year};
    use crate::report::record::{Line, Record};

    fn record(uri: &str, verdict: &str, more: &str) -> Record {
        let line = format!(
            concat!(
                r#"{{"type":"finding","uri":"{}","raw":"","cue":"bare","scheme":"http","#,
                r#""place":{{"path":"box","members":[],"offset":0,"len":1,"line":1,"column":1,"#,
                r#""file_offset":null}},"message":null,"verdict":"{}"{}}}"#
            ),
            uri, verdict, more
        );
        match Line::parse(line.as_bytes()) {
            Ok(Line::Finding(record)) => *record,
            other => panic!("expected a finding, found {other:?}"),
        }
    }

    fn uris(gathered: &mut Gathered) -> Vec<&str> {
        let rows = gathered.take_rows();
        rows.iter().map(|row| gathered.uris.text(row.uri)).collect()
    }

    #[test]
    fn the_worst_findings_are_kept_and_the_others_counted() {
        let mut gathered = Gathered::with_room_for(3);
        for (uri, verdict) in [
            ("a:1", "ok"),
            ("a:2", "ok"),
            ("a:3", "warn"),
            ("a:4", "ok"),
            ("a:5", "error"),
            ("a:6", "skipped"),
            ("a:7", "error"),
            ("a:8", "warn"),
            ("a:9", "error"),
            ("b:1", "error"),
        ] {
            gathered.finding(&record(uri, verdict, ""));
        }
        assert_eq!((gathered.left_out(), gathered.verdicts), (7, [3, 2, 4, 1]));
        assert_eq!(uris(&mut gathered), ["a:5", "a:7", "a:9"]);
        assert_eq!(gathered.schemes.sorted(), [("http", [3, 2, 4, 1])]);
    }

    #[test]
    fn what_matters_least_and_came_last_goes_first() {
        let mut gathered = Gathered::with_room_for(4);
        for (uri, verdict) in [
            ("a:1", "warn"),
            ("a:2", "ok"),
            ("a:3", "ok"),
            ("a:4", "skipped"),
            ("a:5", "error"),
            ("a:6", "ok"),
            ("a:7", "warn"),
        ] {
            gathered.finding(&record(uri, verdict, ""));
        }
        assert_eq!(uris(&mut gathered), ["a:1", "a:4", "a:5", "a:7"]);
    }

    #[test]
    fn places_of_a_broken_link_are_counted_also_where_they_are_not_kept() {
        let mut gathered = Gathered::with_room_for(2);
        for uri in ["a:1", "a:2", "a:1", "a:3", "a:1"] {
            gathered.finding(&record(uri, "error", ""));
        }
        gathered.finding(&record("a:2", "warn", ""));
        assert_eq!([0, 1].map(|link| gathered.links.errors_of(link)), [3, 1]);
        assert_eq!(gathered.kept(), 2);
    }

    #[test]
    fn relative_links_are_counted_in_each_directory() {
        let mut gathered = Gathered::with_room_for(3);
        for path in ["a/1", "b/1", "b/2", "a/2", "c/1"] {
            let mut record = record("x.md", "error", "");
            record.scheme = None;
            record.place.path = path.to_owned();
            gathered.finding(&record);
        }
        assert_eq!(gathered.uris.list.len(), 1);
        assert_eq!(gathered.links.errors, [2, 2]);
    }

    #[test]
    fn known_trouble_is_found_by_that_name() {
        let mut gathered = Gathered::with_room_for(9);
        gathered.finding(&record("a:1", "skipped", r#","known":"error""#));
        assert_eq!(gathered.labels.text(0), "known");
    }

    #[test]
    fn the_worst_stand_first_in_a_page_without_script() {
        let mut gathered = Gathered::with_room_for(9);
        for verdict in ["ok", "skipped", "warn", "error", "ok", "error"] {
            gathered.finding(&record("a:b", verdict, ""));
        }
        let worst: Vec<_> = gathered.worst().map(|row| row.verdict.name()).collect();
        assert_eq!(worst, ["error", "error", "warn", "skipped", "ok", "ok"]);
        assert_eq!(gathered.take_rows().len(), 6);
    }

    #[test]
    fn a_name_counts_once_for_a_finding() {
        let fault = |grammar| {
            format!(
                r#"{{"grammar":"{grammar}","ok":false,"rule":"port","spec":"s","message":"m"}}"#
            )
        };
        let more = format!(r#","syntax":{},"also":[{}]"#, fault("a"), fault("b"));
        let mut gathered = Gathered::with_room_for(9);
        gathered.finding(&record("a:b", "error", &more));
        assert_eq!(gathered.rules.sorted(), [("port", [0, 0, 1, 0])]);
        assert_eq!(gathered.labels.text(0), "port");
    }

    #[test]
    fn dead_is_what_asking_found_and_malformed_what_it_did_not() {
        let reach = |class| {
            format!(
                r#","reach":{{"class":"{class}","probe":"p","status":null,"message":"","hops":[]}}"#
            )
        };
        let fault =
            r#","syntax":{"grammar":"g","ok":false,"rule":"port","spec":"s","message":"m"}"#;
        let mut gathered = Gathered::with_room_for(9);
        gathered.finding(&record("a:1", "error", &reach("missing")));
        gathered.finding(&record("a:2", "error", &reach("not-asked")));
        gathered.finding(&record("a:3", "error", fault));
        gathered.finding(&record("a:4", "error", &(reach("alive") + fault)));
        // The user has set this class to be an error.
        gathered.finding(&record("a:5", "error", &reach("forbidden")));
        gathered.finding(&record("a:6", "ok", &reach("alive")));
        gathered.finding(&record("a:7", "skipped", &reach("policy-robots")));
        let wanted = Year { dead: 2, malformed: 3, good: 1, skipped: 1 };
        assert_eq!(gathered.years.values().collect::<Vec<_>>(), [&wanted]);
        assert_eq!(gathered.asked, 4);
    }

    #[test]
    fn names_beyond_the_limit_are_counted_together() {
        let mut tally = Tally::default();
        for number in 0..super::NAMES_MAX + 5 {
            tally.count(&number.to_string(), Verdict::Ok);
        }
        tally.count("7", Verdict::Error);
        assert_eq!(tally.counts.len(), super::NAMES_MAX + 1);
        let rows = tally.sorted();
        assert_eq!(rows.first(), Some(&("7", [1, 0, 1, 0])));
        assert_eq!(rows.get(1), Some(&(super::OTHERS, [5, 0, 0, 0])));
    }
}
