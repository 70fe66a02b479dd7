//! The `text` format with one line for all links that have something in common: their URI, their
//! host, their file, or what is wrong with them. In `table`, the same for the `markdown` format.
//!
//! `path:line:column: verdict: name: 3 links: 1 error, 2 ok; 1998-01-02 to 2004-03-04`: what is the
//! worst of them, where the first of these stands, and the days of the first and the last message
//! where there are any. The lines of URIs say why, too, as in `error[missing]`. Groups with the
//! most errors come first, then those with the most warnings, the most links, and by name. Groups
//! are kept until the end of the run; links of those that have no room are counted in a last line.

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
use crate::finding::Verdict;

mod table;

/// By what links are grouped.
#[derive(Clone, Copy)]
pub struct Grouping {
    /// The name that `--group-by` takes.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    placing: Placing,
    reason: Reason,
}

/// Tells the groups that a finding is in, each once.
type Placing = fn(&Record, &mut dyn FnMut(Member<'_>));

/// Why a finding has its verdict, where that is said of a whole group.
type Reason = fn(&Record) -> Option<Box<str>>;

/// A finding as one of a group.
struct Member<'m> {
    /// What the group is called.
    name: &'m [u8],
    /// What tells it from others that are called the same.
    start: &'m [u8],
    /// The verdict of the finding there.
    verdict: Verdict,
}

/// Every grouping.
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

/// The grouping called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Grouping> {
    GROUPINGS.iter().find(|grouping| grouping.name == name)
}

/// The names of the formats that have groups.
pub fn formats() -> impl Iterator<Item = &'static str> {
    let names = REPORTS.iter().map(|report| report.name());
    names.filter(|name| GROUPINGS.iter().all(|grouping| grouping.instead_of(name).is_some()))
}

impl Grouping {
    /// The report called `format` with one line or row for each group; none where that format tells
    /// of each link.
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

/// Bytes of groups that are kept: some 400,000, if URIs are as long as they mostly are. Hostile
/// text makes up any number of them. The table that finds them, while it grows, and the list that
/// sorts them take as much again, nearly twice.
const LEN_MAX: usize = 128 * 1024 * 1024;
/// The class of links of which nothing is said but the verdict.
const NO_NEWS: &str = "(nothing to say)";
/// What links of groups are called that are not kept.
const NO_ROOM: &str = "(groups without room)";
/// Bytes that a group takes beside its name and place: counts, days, its row in the table.
const GROUP_LEN: usize = 192;

fn by_uri(record: &Record, take: &mut dyn FnMut(Member<'_>)) {
    let start = start::of_record(record);
    take(Member { name: record.uri(), start: &start, verdict: record.verdict });
}

/// What is said first of those things that make the verdict.
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

/// All groups of a run.
struct Groups {
    by: Grouping,
    len_max: usize,
    len: usize,
    kept: HashMap<Key, Group>,
    /// Links of groups that have no room.
    others: Counts,
}

/// The name of a group, and what tells it from others of that name.
type Key = (Box<[u8]>, Box<[u8]>);

/// What the links of one group come to.
struct Group {
    counts: Counts,
    first: First,
    /// The days of the first and the last message.
    days: Option<(Box<str>, Box<str>)>,
}

/// The first of those with the worst verdict.
struct First {
    /// Where it stands.
    place: Box<[u8]>,
    /// Why it has that verdict.
    reason: Option<Box<str>>,
}

impl First {
    /// Bytes that it takes.
    fn len(&self) -> usize {
        self.place.len() + self.reason.as_ref().map_or(0, |reason| reason.len())
    }
}

/// Links by verdict.
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

    /// The worst first.
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

    /// True when none of these is as bad as `verdict`.
    fn is_outdone_by(mut self, verdict: Verdict) -> bool {
        let worst = self.worst();
        self.add(verdict);
        self.worst() != worst
    }

    fn total(self) -> u64 {
        self.each().map(|(_, count)| count).sum()
    }

    /// `1 error, 2 ok`.
    fn told(self) -> String {
        let verdicts = self.each().map(|(verdict, count)| format!("{count} {}", verdict.name()));
        verdicts.collect::<Vec<_>>().join(", ")
    }

    /// Appends `name: 3 links: 1 error, 2 ok`.
    fn append_to(self, name: &[u8], out: &mut Vec<u8>) {
        Shown(name).append_to(out);
        // Writing to a vector cannot fail.
        let _ = write!(out, ": {}: {}", counted(self.total(), "link"), self.told());
    }
}

impl Group {
    /// Lets the days reach to that of `date`, which is in the form of RFC 3339 and in UTC.
    fn reach_to(&mut self, date: &str) {
        let day = date.split_once('T').map_or(date, |(day, _)| day);
        match &mut self.days {
            None => self.days = Some((day.into(), day.into())),
            Some((first, _)) if day < &**first => *first = day.into(),
            Some((_, last)) if day > &**last => *last = day.into(),
            Some(_) => {}
        }
    }

    /// The worst verdict, and why where that is said: `error[missing]`.
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
                entry.insert(Group { counts: Counts::default(), first, days: None })
            }
        };
        group.counts.add(verdict);
        if let Some(date) = record.message.as_ref().and_then(|message| message.date.as_deref()) {
            group.reach_to(date);
        }
    }

    /// All groups, the worst first.
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

    /// Notes are said on standard error, as in the `text` format.
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

    /// What is said in `len_max` bytes of findings, each a path, a URI and a verdict.
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
    fn the_first_place_stays_where_that_of_the_worst_has_no_room() {
        let findings = [("a", "x:1", "ok"), ("bb", "x:1", "error")];
        let len = GROUP_LEN + "x:1a:1:2".len();
        assert_eq!(said(len, &findings), "a:1:2: error: x:1: 2 links: 1 error, 1 ok\n");
        assert_eq!(said(len + 1, &findings), "bb:1:2: error: x:1: 2 links: 1 error, 1 ok\n");
    }
}
