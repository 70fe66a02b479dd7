//! The `text` format with one line for all links that share their URI, their host, their file, or
//! what is wrong with them. The module `table` does the same for the `markdown` format.
//!
//! `path:line:column: verdict: name: 3 links: 1 error, 2 ok; 1998-01-02 to 2004-03-04`: the worst
//! verdict, the first position with it, the days of the first and the last message, if there are
//! any, and what web archives hold, if links were looked up there. Lines of URIs also give the
//! reason, as in `error[missing]`. Groups with the most errors come first, then those with the most
//! warnings, the most links, and by name. Groups are kept until the end of the run; the last line
//! counts the links of groups that did not fit.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;

use super::escape::Shown;
use super::escape::runner::disarm_line;
use super::host::{NO_HOST, host};
use super::record::{NoteRecord, Record, SummaryRecord};
use super::start;
use super::statement::{counted, standing, statements};
use super::{Document, Form, REPORTS, Report};
use crate::finding::{Archived, Verdict};

mod table;

/// A property by which links are grouped.
#[derive(Clone, Copy)]
pub struct Grouping {
    /// The name that `--group-by` takes.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    placing: Placing,
    reason: Reason,
}

/// A function that passes each group of a finding to a callback, once.
type Placing = fn(&Record, &mut dyn FnMut(Member<'_>));

/// A function that returns the reason for a finding's verdict, if the grouping shows reasons.
type Reason = fn(&Record) -> Option<Box<str>>;

/// A finding as a member of a group.
struct Member<'m> {
    /// The name of the group.
    name: &'m [u8],
    /// The base that distinguishes it from groups of the same name.
    start: &'m [u8],
    /// The verdict of the finding in this group.
    verdict: Verdict,
}

/// All groupings.
#[rustfmt::skip]
pub static GROUPINGS: [Grouping; 4] = [
    Grouping {
        name: "uri",
        about: "each different URI, as it is written; relative ones, in each directory",
        placing: by_uri,
        reason,
    },
    Grouping {
        name: "host",
        about: "the host, or the domain of an address",
        placing: by_host,
        reason: |_| None,
    },
    Grouping { name: "file", about: "the file on the disk", placing: by_file, reason: |_| None },
    Grouping {
        name: "class",
        about: "what is said: a class of answers, a fault, a lint; each that a link has",
        placing: by_class,
        reason: |_| None,
    },
];

/// Returns the grouping called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Grouping> {
    GROUPINGS.iter().find(|grouping| grouping.name == name)
}

/// Returns the names of the formats that support groups.
pub fn formats() -> impl Iterator<Item = &'static str> {
    let names = REPORTS.iter().map(|report| report.name());
    names.filter(|name| GROUPINGS.iter().all(|grouping| grouping.instead_of(name).is_some()))
}

impl Grouping {
    /// Returns the report called `format` with one line or row for each group, or `None` if that
    /// format lists each link.
    #[must_use]
    pub fn instead_of(&'static self, format: &str) -> Option<&'static dyn Report> {
        match format {
            _ if format == self.name() => Some(self),
            _ => table::of(self).filter(|table| format == table.name()),
        }
    }
}

impl Report for Grouping {
    fn name(&self) -> &'static str {
        super::text::Text.name()
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Groups::new(*self, LEN_MAX)))
    }
}

/// Maximum bytes of the groups that are kept: some 400,000 groups with URIs of usual length.
/// Hostile text can produce any number of them. The table that finds groups, while it grows, and
/// the list that sorts them take nearly twice as much again.
const LEN_MAX: usize = 128 * 1024 * 1024;
/// The class of links that have a verdict only.
const NO_NEWS: &str = "(no class)";
/// The name for links of groups that are not kept.
const NO_ROOM: &str = "(groups without room)";
/// Bytes that a group takes besides its name and place: counts, days, its row in the table.
const GROUP_LEN: usize = 216;

fn by_uri(record: &Record, take: &mut dyn FnMut(Member<'_>)) {
    let start = start::of_record(record);
    take(Member { name: record.uri(), start: &start, verdict: record.verdict });
}

/// Returns the name of the first statement that has the verdict of the finding.
fn reason(record: &Record) -> Option<Box<str>> {
    let said = statements(record);
    let worst = said.iter().find(|statement| statement.verdict == record.verdict);
    worst.and_then(|statement| statement.topic).map(|(_, name)| name.into())
}

fn by_host(record: &Record, take: &mut dyn FnMut(Member<'_>)) {
    let host = host(&Shown(record.uri()).to_string());
    let name = host.as_deref().unwrap_or(NO_HOST).as_bytes();
    take(Member { name, start: b"", verdict: record.verdict });
}

fn by_file(record: &Record, take: &mut dyn FnMut(Member<'_>)) {
    take(Member { name: record.place.path(), start: b"", verdict: record.verdict });
}

fn by_class(record: &Record, take: &mut dyn FnMut(Member<'_>)) {
    let mut names = BTreeMap::new();
    let said = statements(record);
    for statement in &said {
        let name = statement.topic.map_or(NO_NEWS, |(_, name)| name);
        names.entry(name).or_insert(statement.verdict);
    }
    for (name, verdict) in names {
        take(Member { name: name.as_bytes(), start: b"", verdict });
    }
}

/// The groups of a run.
struct Groups {
    by: Grouping,
    len_max: usize,
    len: usize,
    kept: HashMap<Key, Group>,
    /// The links of groups that did not fit.
    others: Counts,
}

/// The name of a group, and the base that distinguishes it from others of that name.
type Key = (Box<[u8]>, Box<[u8]>);

/// The summary of the links of one group.
struct Group {
    counts: Counts,
    first: First,
    /// The days of the first and the last message.
    days: Option<(Box<str>, Box<str>)>,
    /// The number of links by what web archives hold of them, in the order of [`Archived::NAMES`].
    archived: [u64; Archived::NAMES.len()],
}

/// The first link with the worst verdict.
struct First {
    /// The position of the link.
    place: Box<[u8]>,
    /// The reason for its verdict.
    reason: Option<Box<str>>,
}

impl First {
    /// Returns the bytes that it takes.
    fn len(&self) -> usize {
        self.place.len() + self.reason.as_ref().map_or(0, |reason| reason.len())
    }
}

/// The number of links by verdict.
#[derive(Clone, Copy, Default)]
struct Counts {
    error: u64,
    warn: u64,
    good: u64,
    skipped: u64,
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        let count = match verdict {
            Verdict::Ok => &mut self.good,
            Verdict::Warn => &mut self.warn,
            Verdict::Error => &mut self.error,
            Verdict::Skipped => &mut self.skipped,
        };
        *count += 1;
    }

    /// Returns the verdicts that occur with their counts, the worst first.
    fn each(self) -> impl Iterator<Item = (Verdict, u64)> {
        let all = [
            (Verdict::Error, self.error),
            (Verdict::Warn, self.warn),
            (Verdict::Ok, self.good),
            (Verdict::Skipped, self.skipped),
        ];
        all.into_iter().filter(|(_, count)| *count > 0)
    }

    fn worst(self) -> Verdict {
        self.each().next().map_or(Verdict::Skipped, |(verdict, _)| verdict)
    }

    /// Reports whether `verdict` is worse than those of all links counted.
    fn is_outdone_by(mut self, verdict: Verdict) -> bool {
        let worst = self.worst();
        self.add(verdict);
        self.worst() != worst
    }

    fn total(self) -> u64 {
        self.each().map(|(_, count)| count).sum()
    }

    /// Returns `1 error, 2 ok`.
    fn text(self) -> String {
        let verdicts = self.each().map(|(verdict, count)| format!("{count} {}", verdict.name()));
        verdicts.collect::<Vec<_>>().join(", ")
    }

    /// Appends `name: 3 links: 1 error, 2 ok`.
    fn append_to(self, name: &[u8], out: &mut Vec<u8>) {
        Shown(name).append_to(out);
        // Writing to a vector cannot fail.
        let _ = write!(out, ": {}: {}", counted(self.total(), "link"), self.text());
    }
}

impl Group {
    /// Extends the days to that of `date`, which is in the form of RFC 3339 and in UTC.
    fn reach_to(&mut self, date: &str) {
        let day = date.split_once('T').map_or(date, |(day, _)| day);
        match &mut self.days {
            None => self.days = Some((day.into(), day.into())),
            Some((first, _)) if day < &**first => *first = day.into(),
            Some((_, last)) if day > &**last => *last = day.into(),
            Some(_) => {}
        }
    }

    /// Counts what web archives hold of the link of `record`, if it was to be looked up.
    fn look_up(&mut self, record: &Record) {
        let [found, absent, unknown] = &mut self.archived;
        match (record.archived, &record.archived_unknown) {
            (Some(true), _) => *found += 1,
            (Some(false), _) => *absent += 1,
            (None, Some(_)) => *unknown += 1,
            (None, None) => {}
        }
    }

    /// Returns `2 archived, 1 not archived`; empty if no link was to be looked up.
    fn archived(&self) -> String {
        let counts = Archived::NAMES.iter().zip(self.archived).filter(|(_, count)| *count > 0);
        let counts: Vec<_> = counts.map(|(name, count)| format!("{count} {name}")).collect();
        counts.join(", ")
    }

    /// Returns the worst verdict, with the reason if there is one: `error[missing]`.
    fn worst(&self) -> String {
        let name = self.counts.worst().name();
        let why = self.first.reason.as_ref().map(|reason| format!("[{reason}]"));
        format!("{name}{}", why.unwrap_or_default())
    }

    fn append_to(&self, name: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        Shown(&self.first.place).append_to(out);
        disarm_line(out, start);
        out.extend_from_slice(b": ");
        Shown(self.worst().as_bytes()).append_to(out);
        out.extend_from_slice(b": ");
        self.counts.append_to(name, out);
        if let Some((first, last)) = &self.days {
            out.extend_from_slice(b"; ");
            Shown(first.as_bytes()).append_to(out);
            if first != last {
                out.extend_from_slice(b" to ");
                Shown(last.as_bytes()).append_to(out);
            }
        }
        let archived = self.archived();
        if !archived.is_empty() {
            out.extend_from_slice(b"; ");
            out.extend_from_slice(archived.as_bytes());
        }
        out.push(b'\n');
    }
}

impl Groups {
    fn new(by: Grouping, len_max: usize) -> Self {
        Self { by, len_max, len: 0, kept: HashMap::new(), others: Counts::default() }
    }

    fn add(&mut self, Member { name, start, verdict }: Member<'_>, record: &Record) {
        let first = || {
            let place = standing(&record.place);
            First { place: place.into(), reason: (self.by.reason)(record) }
        };
        let room = self.len_max - self.len;
        let group = match self.kept.entry((name.into(), start.into())) {
            Entry::Occupied(entry) => {
                let group = entry.into_mut();
                let worse = group.counts.is_outdone_by(verdict).then(first);
                if let Some(worse) = worse.filter(|it| it.len() <= group.first.len() + room) {
                    self.len = self.len - group.first.len() + worse.len();
                    group.first = worse;
                }
                group
            }
            Entry::Vacant(entry) => {
                let first = first();
                let len = name.len() + start.len() + first.len() + GROUP_LEN;
                if len > room {
                    return self.others.add(verdict);
                }
                self.len += len;
                let (counts, archived) = Default::default();
                entry.insert(Group { counts, first, days: None, archived })
            }
        };
        group.counts.add(verdict);
        group.look_up(record);
        if let Some(date) = record.message.as_ref().and_then(|message| message.date.as_deref()) {
            group.reach_to(date);
        }
    }

    /// Returns all groups, the worst first.
    fn sorted(&mut self) -> Vec<(Key, Group)> {
        let mut groups: Vec<_> = self.kept.drain().collect();
        let weight =
            |Group { counts, .. }: &Group| Reverse((counts.error, counts.warn, counts.total()));
        groups.sort_by(|(one, left), (other, right)| {
            (weight(left), one).cmp(&(weight(right), other))
        });
        groups
    }
}

impl Document for Groups {
    fn finding(&mut self, record: &Record, _: &mut Vec<u8>) {
        (self.by.placing)(record, &mut |member| self.add(member, record));
    }

    /// Ignores notes, which go to standard error as in the `text` format.
    fn note(&mut self, _: &NoteRecord, _: &mut Vec<u8>) {}

    fn finish(&mut self, _: &SummaryRecord, out: &mut Vec<u8>) {
        for ((name, _), group) in &self.sorted() {
            group.append_to(name, out);
        }
        if self.others.total() > 0 {
            out.extend_from_slice(self.others.worst().name().as_bytes());
            out.extend_from_slice(b": ");
            self.others.append_to(NO_ROOM.as_bytes(), out);
            out.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GROUP_LEN, GROUPINGS, Groups};
    use crate::report::Document as _;
    use crate::report::record::Line;

    const FINDING: &str = concat!(
        r#"{"type":"finding","uri":"URI","raw":"URI","cue":"bare","scheme":null,"place":{"#,
        r#""path":"a","members":[],"offset":0,"len":1,"line":1,"column":2,"file_offset":0},"#,
        r#""message":null,"syntax":null,"reach":null,"verdict":"VERDICT"}"#,
    );
    const SUMMARY: &str = concat!(
        r#"{"type":"summary","schema":1,"complete":true,"files":1,"bytes":1,"messages":0,"#,
        r#""findings":0,"distinct":null,"verdicts":{"ok":0,"warn":0,"error":0,"skipped":0},"#,
        r#""skipped":{}}"#,
    );

    /// Returns the report for `findings`, each a path, a URI and a verdict, with `len_max` bytes.
    fn said(len_max: usize, findings: &[(&str, &str, &str)]) -> String {
        let mut groups = Groups::new(GROUPINGS[0], len_max);
        for (path, uri, verdict) in findings {
            let line = FINDING.replace("URI", uri).replace("VERDICT", verdict);
            let line = line.replace(r#""path":"a""#, &format!(r#""path":"{path}""#));
            let Line::Finding(record) = Line::parse(line.as_bytes()).unwrap() else {
                panic!("no finding")
            };
            groups.finding(&record, &mut Vec::new());
        }
        let Line::Summary(summary) = Line::parse(SUMMARY.as_bytes()).unwrap() else {
            panic!("no summary")
        };
        let mut text = Vec::new();
        groups.finish(&summary, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn links_of_groups_without_room_are_counted() {
        let findings = [
            ("a", "x:1", "ok"),
            ("a", "x:2", "ok"),
            ("a", "x:3", "warn"),
            ("a", "x:1", "error"),
            ("a", "x:4", "ok"),
        ];
        assert_eq!(
            said(2 * (GROUP_LEN + "x:1a:1:2".len()), &findings),
            "a:1:2: error: x:1: 2 links: 1 error, 1 ok\n\
             a:1:2: ok: x:2: 1 link: 1 ok\n\
             warn: (groups without room): 2 links: 1 warn, 1 ok\n"
        );
    }

    #[test]
    fn groups_count_the_links_that_archives_hold() {
        let mut groups = Groups::new(GROUPINGS[0], super::LEN_MAX);
        let of = |more: &str| {
            let line =
                FINDING.replace("URI", "x:1").replace("\"VERDICT\"", &format!("\"error\"{more}"));
            match Line::parse(line.as_bytes()).unwrap() {
                Line::Finding(record) => record,
                _ => panic!("no finding"),
            }
        };
        for more in [
            ",\"archived\":true",
            ",\"archived\":true",
            ",\"archived\":false",
            ",\"archived_unknown\":\"secret\"",
            "",
        ] {
            groups.finding(&of(more), &mut Vec::new());
        }
        let (_, group) = &groups.sorted()[0];
        assert_eq!(group.archived(), "2 archived, 1 not archived, 1 not looked up in archives");
    }

    #[test]
    fn the_first_place_stays_where_that_of_the_worst_has_no_room() {
        let findings = [("a", "x:1", "ok"), ("bb", "x:1", "error")];
        let len = GROUP_LEN + "x:1a:1:2".len();
        assert_eq!(said(len, &findings), "a:1:2: error: x:1: 2 links: 1 error, 1 ok\n");
        assert_eq!(said(len + 1, &findings), "bb:1:2: error: x:1: 2 links: 1 error, 1 ok\n");
    }
}
