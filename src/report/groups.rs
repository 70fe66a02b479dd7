//! The `text` format with one line for all links that have something in common: their URI, their
//! host, their file, or what is wrong with them. In `table`, the same for the `markdown` format.
//!
//! `path:line:column: verdict: name: 3 links: 1 error, 2 ok; 1998-01-02 to 2004-03-04`: where the
//! first stands, what is the worst of them, and the days of the first and the last message where
//! there are any. Groups with the most errors come first, then those with the most warnings,
//! the most links, and by name. Groups are kept until the end of the run; links of those that
//! have no room are counted in a last line.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;

use super::escape::Shown;
use super::host::{NO_HOST, host};
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::{counted, standing, statements};
use super::{Document, Form, Report};
use crate::finding::Verdict;

mod table;

/// By what links are grouped.
pub struct Grouping {
    /// The name that `--group-by` takes.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    placing: Placing,
}

/// Tells the groups that a finding is in, each once, and what its verdict is there.
type Placing = fn(&Record, &mut dyn FnMut(&[u8], Verdict));

/// Every grouping.
#[rustfmt::skip]
pub static GROUPINGS: [Grouping; 4] = [
    Grouping { name: "uri", about: "each different URI, as it is written", placing: by_uri },
    Grouping { name: "host", about: "the host, or the domain of an address", placing: by_host },
    Grouping { name: "file", about: "the file on the disk", placing: by_file },
    Grouping {
        name: "class",
        about: "what is said: a class of answers, a fault, a lint; each that a link has",
        placing: by_class,
    },
];

/// The grouping called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Grouping> {
    GROUPINGS.iter().find(|grouping| grouping.name == name)
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
        Form::Document(Box::new(Groups::new(self.placing, LEN_MAX)))
    }
}

/// Bytes of groups that are kept: some 400,000, if URIs are as long as they mostly are. Hostile
/// text makes up any number of them.
const LEN_MAX: usize = 128 * 1024 * 1024;
/// The class of links of which nothing is said but the verdict.
const NO_NEWS: &str = "(nothing to say)";
/// What links of groups are called that are not kept.
const NO_ROOM: &str = "(groups without room)";
/// Bytes that a group takes beside its name and place: counts, days, its row in the table.
const GROUP_LEN: usize = 192;

fn by_uri(record: &Record, take: &mut dyn FnMut(&[u8], Verdict)) {
    take(record.uri(), record.verdict);
}

fn by_host(record: &Record, take: &mut dyn FnMut(&[u8], Verdict)) {
    let host = host(&Shown(record.uri()).to_string());
    take(host.as_deref().unwrap_or(NO_HOST).as_bytes(), record.verdict);
}

fn by_file(record: &Record, take: &mut dyn FnMut(&[u8], Verdict)) {
    take(record.place.path(), record.verdict);
}

fn by_class(record: &Record, take: &mut dyn FnMut(&[u8], Verdict)) {
    let mut names = BTreeMap::new();
    let said = statements(record);
    for statement in &said {
        let name = statement.topic.map_or(NO_NEWS, |(_, name)| name);
        names.entry(name).or_insert(statement.verdict);
    }
    names.into_iter().for_each(|(name, verdict)| take(name.as_bytes(), verdict));
}

/// All groups of a run.
struct Groups {
    placing: Placing,
    len_max: usize,
    len: usize,
    kept: HashMap<Box<[u8]>, Group>,
    /// Links of groups that have no room.
    others: Counts,
}

/// What the links of one group come to.
#[derive(Default)]
struct Group {
    counts: Counts,
    /// Where the first stands.
    place: Box<[u8]>,
    /// The days of the first and the last message.
    days: Option<(Box<str>, Box<str>)>,
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

    fn total(self) -> u64 {
        self.each().map(|(_, count)| count).sum()
    }

    /// `1 error, 2 ok`.
    fn told(self) -> String {
        let verdicts = self.each().map(|(verdict, count)| format!("{count} {}", verdict.name()));
        verdicts.collect::<Vec<_>>().join(", ")
    }

    /// Appends `verdict: name: 3 links: 1 error, 2 ok`.
    fn append_to(self, name: &[u8], out: &mut Vec<u8>) {
        let worst = self.each().next().map_or(Verdict::Ok, |(verdict, _)| verdict);
        out.extend_from_slice(worst.name().as_bytes());
        out.extend_from_slice(b": ");
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

    fn append_to(&self, name: &[u8], out: &mut Vec<u8>) {
        Shown(&self.place).append_to(out);
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
    fn new(placing: Placing, len_max: usize) -> Self {
        Self { placing, len_max, len: 0, kept: HashMap::new(), others: Counts::default() }
    }

    fn add(&mut self, name: &[u8], verdict: Verdict, record: &Record) {
        if !self.kept.contains_key(name) && !self.makes_room(name, record) {
            return self.others.add(verdict);
        }
        let Some(group) = self.kept.get_mut(name) else { return };
        group.counts.add(verdict);
        if let Some(date) = record.message.as_ref().and_then(|message| message.date.as_deref()) {
            group.reach_to(date);
        }
    }

    /// Makes the group called `name`, which begins with `record`; false without room for it.
    fn makes_room(&mut self, name: &[u8], record: &Record) -> bool {
        let place = standing(&record.place);
        let len = name.len() + place.len() + GROUP_LEN;
        if len > self.len_max - self.len {
            return false;
        }
        self.len += len;
        self.kept.insert(name.into(), Group { place: place.into(), ..Group::default() });
        true
    }

    /// All groups, the worst first.
    fn sorted(&mut self) -> Vec<(Box<[u8]>, Group)> {
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
        (self.placing)(record, &mut |name, verdict| self.add(name, verdict, record));
    }

    /// Notes are said on standard error, as in the `text` format.
    fn note(&mut self, _: &NoteRecord, _: &mut Vec<u8>) {}

    fn finish(&mut self, _: &SummaryRecord, out: &mut Vec<u8>) {
        for (name, group) in &self.sorted() {
            group.append_to(name, out);
        }
        if self.others.total() > 0 {
            self.others.append_to(NO_ROOM.as_bytes(), out);
            out.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GROUP_LEN, Groups, by_uri};
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

    #[test]
    fn links_of_groups_without_room_are_counted() {
        let mut groups = Groups::new(by_uri, 2 * (GROUP_LEN + "x:1a:1:2".len()));
        for (uri, verdict) in
            [("x:1", "ok"), ("x:2", "ok"), ("x:3", "warn"), ("x:1", "error"), ("x:4", "ok")]
        {
            let line = FINDING.replace("URI", uri).replace("VERDICT", verdict);
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
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "a:1:2: error: x:1: 2 links: 1 error, 1 ok\n\
             a:1:2: ok: x:2: 1 link: 1 ok\n\
             warn: (groups without room): 2 links: 1 warn, 1 ok\n"
        );
    }
}
