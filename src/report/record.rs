//! Parses the records of a run, from which documents are written.
//!
//! A record holds the data of its line (`ndjson`, schema version 1), with all names as text, and
//! judges nothing. Unknown keys are skipped, because later versions may add some. Text that is not
//! UTF-8 is stored as in the line: lossy, with the exact bytes beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use data_encoding::BASE64;
use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::escape::beginning::beginning;
use crate::finding::{Class, Skip, Verdict, for_good};

mod parts;
mod redacted;

pub(super) use parts::archived_words;

pub use parts::{
    ArchivedCounts, FaultRecord, HopRecord, MementoRecord, MessageRecord, PlaceRecord,
    PositionRecord, ReachRecord, SyntaxRecord, TwinRecord, WarningRecord,
};

/// The version of the schema of records, which defines the meaning of their keys.
pub const SCHEMA: u32 = 1;

/// One line of a run.
#[derive(Clone, Debug)]
pub enum Line {
    /// A finding.
    Finding(Box<Record>),
    /// A message that is no finding and must not get lost.
    Note(NoteRecord),
    /// The totals, on the last line.
    Summary(SummaryRecord),
}

/// A finding, as parsed from its line.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Record {
    /// The candidate, cleaned by its wrapper's rules.
    pub uri: String,
    /// The bytes of `uri` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_bytes: Option<Bytes>,
    /// The raw text in the source.
    pub raw: String,
    /// The bytes of `raw` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_bytes: Option<Bytes>,
    /// The mail gateways that wrapped the link, outermost first. Then `uri` is the target, or the
    /// innermost wrapper if that is unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrapped_by: Vec<String>,
    /// The target of a wrapped link, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The reason why the target of a wrapped link is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_unknown: Option<String>,
    /// The cue that started the candidate.
    pub cue: String,
    /// The scheme in lower case; `None` if the text has none.
    pub scheme: Option<String>,
    /// The position of the finding.
    pub place: PlaceRecord,
    /// The base of relative links that the document declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The bytes of `base` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_bytes: Option<Bytes>,
    /// The message that contains the finding, if any.
    pub message: Option<MessageRecord>,
    /// Further occurrences of the same link, in other alternatives of a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<TwinRecord>,
    /// The result of the first grammar.
    pub syntax: Option<SyntaxRecord>,
    /// The results of further grammars.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<SyntaxRecord>,
    /// The warnings of lints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningRecord>,
    /// The result of the probe; `None` if the link was not to be probed.
    pub reach: Option<ReachRecord>,
    /// The verdict over all results.
    #[serde(deserialize_with = "verdict", serialize_with = "verdict_name")]
    pub verdict: Verdict,
    /// The verdict without the baseline, if the baseline lists the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// Whether a web archive holds a copy; `None` if that is unknown, or was not looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
    /// The reason why it is unknown whether a web archive holds a copy, if it was to be looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived_unknown: Option<String>,
    /// The copy in a web archive that is nearest to the date of the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memento: Option<MementoRecord>,
    /// The text that should replace the link, if that is certain. It is not part of the line: the
    /// caller computes it for documents that use it.
    #[serde(skip)]
    pub fixed: Option<Vec<u8>>,
}

impl Record {
    /// Returns the bytes of `uri`.
    #[must_use]
    pub fn uri(&self) -> &[u8] {
        bytes(&self.uri, self.uri_bytes.as_ref())
    }

    /// Returns the address to which the link has moved permanently, or `None` if no answer says so.
    ///
    /// Relative references have none: the link would become a whole URI, which is more than the
    /// redirect says.
    #[must_use]
    pub fn moved_to(&self) -> Option<Vec<u8>> {
        let reach = self.reach.as_ref()?;
        if reach.class != Class::Redirected.row().name || self.scheme.is_none() {
            return None;
        }
        let hops = for_good(&reach.hops, |hop| hop.status).iter().rev();
        let mut places = hops.map(|hop| bytes(&hop.to, hop.to_bytes.as_ref()));
        let mut to = places.next()?.to_vec();
        // A redirect without a fragment keeps that of the previous URI (RFC 9110 §10.2.2).
        if fragment(&to).is_none()
            && let Some(fragment) = places.chain([self.uri()]).find_map(fragment)
        {
            to.extend_from_slice(fragment);
        }
        (to != self.uri()).then_some(to)
    }

    /// Returns the results of all grammars, in the order of their selection.
    pub fn grammars(&self) -> impl Iterator<Item = &SyntaxRecord> {
        self.syntax.iter().chain(&self.also)
    }

    /// Returns the faults, each with the name of the grammar that finds it.
    pub fn faults(&self) -> impl Iterator<Item = (&str, &FaultRecord)> {
        self.grammars().filter_map(|syntax| Some((&*syntax.grammar, syntax.fault.as_ref()?)))
    }
}

/// Returns the fragment of `uri`, including its `#`.
fn fragment(uri: &[u8]) -> Option<&[u8]> {
    uri.get(memchr::memchr(b'#', uri)?..)
}

/// A note, as parsed from its line.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct NoteRecord {
    /// The kind of the note.
    pub kind: String,
    /// The subject of the note, without line and column.
    pub place: parts::NotePlace,
    /// The message: the expected and the found.
    pub message: String,
}

/// The totals of a run, as parsed from their line.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SummaryRecord {
    /// The schema version of the run's lines.
    pub schema: u32,
    /// Whether all inputs were read in full.
    pub complete: bool,
    /// The number of inputs that were read; an archive counts as one.
    pub files: u64,
    /// The number of members of archives that were read.
    #[serde(default)]
    pub members: u64,
    /// The number of bytes that were read from the inputs.
    pub bytes: u64,
    /// The number of messages in mailboxes.
    pub messages: u64,
    /// The number of reported findings.
    pub findings: u64,
    /// The number of distinct URIs among the findings.
    pub distinct: Option<u64>,
    /// The number of findings by verdict, in the order of [`Verdict::ALL`].
    #[serde(deserialize_with = "counts", serialize_with = "counts_by_name")]
    pub verdicts: [u64; Verdict::ALL.len()],
    /// The number of skips by reason, sorted by name.
    pub skipped: BTreeMap<String, u64>,
    /// The number of findings by what web archives hold of them.
    #[serde(default, skip_serializing_if = "ArchivedCounts::is_empty")]
    pub archived: ArchivedCounts,
    /// The day on which the links were requested, in UTC: `2026-11-28`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
}

impl SummaryRecord {
    /// Returns the number of links found: those reported, and those omitted because they had not
    /// changed.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.findings
            .saturating_add(self.skipped.get(Skip::Unchanged.name()).copied().unwrap_or_default())
    }

    /// Returns the number of findings with `verdict`.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> u64 {
        let counts = Verdict::ALL.iter().zip(self.verdicts);
        counts.filter(|(of, _)| **of == verdict).map(|(_, count)| count).sum()
    }
}

/// Bytes that are not UTF-8, encoded in a line as base64 (RFC 4648 §4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        BASE64.decode(text.as_bytes()).map(Self).map_err(D::Error::custom)
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&BASE64.encode(&self.0))
    }
}

/// Returns the exact bytes of `text`, which is lossy if there are `bytes`.
#[must_use]
pub fn bytes<'t>(text: &'t str, bytes: Option<&'t Bytes>) -> &'t [u8] {
    bytes.map_or(text.as_bytes(), |Bytes(bytes)| bytes)
}

/// The reason why a line is not a record of a run. It may quote the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRecord(String);

impl fmt::Display for NoRecord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The beginnings of the lines that we write; other programs may order the keys differently.
const BEGINNINGS: [(&[u8], &str); 3] = [
    (br#"{"type":"finding","#, "finding"),
    (br#"{"type":"note","#, "note"),
    (br#"{"type":"summary","#, "summary"),
];

/// The beginning of a report of `--format json`: a whole run in one object, over several lines.
const WHOLE: &[u8] = br#"{"type":"report","#;

impl Line {
    /// Parses one line of a saved run, with or without its line end, and returns it with the line
    /// itself. Secrets in both are hidden: another program may have written them.
    ///
    /// # Errors
    /// When it is not a record of a run of schema version 1.
    pub fn parse_saved(line: &[u8]) -> Result<(Self, Cow<'_, [u8]>), NoRecord> {
        let line = redacted::redacted(line);
        Ok((Self::parse(&line)?, line))
    }

    /// Parses one line that this program has just written, so that its secrets are hidden.
    ///
    /// # Errors
    /// When it is not a record of a run of schema version 1.
    pub fn parse(line: &[u8]) -> Result<Self, NoRecord> {
        if line.starts_with(WHOLE) {
            let wanted = "expected a record of a run, found a report of --format json: \
                          save the run with --format ndjson";
            return Err(NoRecord(wanted.to_owned()));
        }
        let kind = match BEGINNINGS.iter().find(|(beginning, _)| line.starts_with(beginning)) {
            Some((_, kind)) => Cow::Borrowed(*kind),
            None => read::<Kind<'_>>(line)?.r#type,
        };
        match &*kind {
            "finding" => Ok(Self::Finding(Box::new(read(line)?))),
            "note" => read(line).map(Self::Note),
            "summary" => summary(line).map(Self::Summary),
            other => Err(NoRecord(format!(
                "expected a record of type finding, note or summary, found {other:?}"
            ))),
        }
    }

    /// Parses one line of a saved report of `--format json`; `None` if it holds neither a finding
    /// nor the totals. Such a report has each finding on a line of its own. Secrets are hidden.
    ///
    /// # Errors
    /// When the finding or the totals are not those of schema version 1.
    pub fn parse_within(line: &[u8]) -> Result<Option<Self>, NoRecord> {
        let line = &*redacted::redacted(line);
        if line.starts_with(br#"{"uri":"#) {
            let line = line.strip_suffix(b",").unwrap_or(line);
            return read(line).map(|finding| Some(Self::Finding(Box::new(finding))));
        }
        let totals = line.strip_prefix(br#""summary":"#);
        let totals = totals.and_then(|totals| totals.strip_suffix(b"}"));
        totals.map(|totals| summary(totals).map(Self::Summary)).transpose()
    }
}

/// Reports whether a text that begins with `line` is a report of `--format json`.
#[must_use]
pub fn is_whole(line: &[u8]) -> bool {
    line.starts_with(WHOLE)
}

fn summary(line: &[u8]) -> Result<SummaryRecord, NoRecord> {
    let SchemaOnly { schema } = read(line)?;
    if schema == SCHEMA {
        return read(line);
    }
    Err(NoRecord(format!("expected records of schema version {SCHEMA}, found {schema}")))
}

/// The key that distinguishes the kinds of lines.
#[derive(Deserialize)]
struct Kind<'l> {
    #[serde(borrow)]
    r#type: Cow<'l, str>,
}

/// The key that decides whether a summary can be parsed.
#[derive(Deserialize)]
struct SchemaOnly {
    schema: u32,
}

fn read<'l, R: Deserialize<'l>>(line: &'l [u8]) -> Result<R, NoRecord> {
    serde_json::from_slice(line).map_err(|error| {
        if !line.trim_ascii_start().starts_with(b"{") {
            let found = beginning(line);
            return NoRecord(format!("expected a run saved by --format ndjson, found {found}"));
        }
        // The message ends in the position, whose line is always 1 here.
        let words = error.to_string();
        let reason = words.rsplit_once(" at line ").map_or(&*words, |(reason, _)| reason);
        let column = error.column();
        NoRecord(format!("expected a record of a run, one JSON object: {reason} (column {column})"))
    })
}

fn verdict<'de, D: Deserializer<'de>>(from: D) -> Result<Verdict, D::Error> {
    let name = Cow::<str>::deserialize(from)?;
    let found = Verdict::ALL.into_iter().find(|verdict| verdict.name() == name);
    found.ok_or_else(|| {
        D::Error::custom(format!("the verdict {name:?}, not one of ok, warn, error, skipped"))
    })
}

fn counts<'de, D: Deserializer<'de>>(from: D) -> Result<[u64; Verdict::ALL.len()], D::Error> {
    let counts = BTreeMap::<Cow<'_, str>, u64>::deserialize(from)?;
    Ok(Verdict::ALL.map(|verdict| counts.get(verdict.name()).copied().unwrap_or_default()))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn verdict_name<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(verdict.name())
}

fn counts_by_name<S: Serializer>(
    counts: &[u64; Verdict::ALL.len()],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(Verdict::ALL.iter().map(|verdict| verdict.name()).zip(counts))
}

#[cfg(test)]
mod tests {
    use super::{Line, Verdict};

    const FINDING: &str = concat!(
        r#"{"type":"finding","uri":"x:\ufffd","uri_bytes":"eDr/","raw":"x:","cue":"bare","#,
        r#""scheme":null,"place":{"path":"a","members":["\ufffd"],"members_bytes":["/w=="],"#,
        r#""offset":1,"len":2,"line":3,"column":4,"file_offset":null,"later":[]},"#,
        r#""message":null,"syntax":{"grammar":"g","ok":false,"rule":"r","at":7,"#,
        r#""expected":"e","spec":"s","message":"m","hint":null},"reach":null,"#,
        r#""verdict":"error","later":{"a":1}}"#
    );

    #[test]
    fn a_finding_is_read_with_its_bytes_and_without_what_is_not_known() {
        let Line::Finding(record) = Line::parse(FINDING.as_bytes()).unwrap() else {
            panic!("no finding")
        };
        assert_eq!((record.uri(), record.verdict), (&b"x:\xff"[..], Verdict::Error));
        let members: Vec<_> = record.place.members().collect();
        assert_eq!((members, record.place.line), (vec![&b"\xff"[..]], 3));
        let (grammar, fault) = record.faults().next().unwrap();
        assert_eq!((grammar, &*fault.rule, fault.at), ("g", "r", Some(7)));
    }

    #[track_caller]
    fn refused(line: &str, wanted: &str) {
        let error = Line::parse(line.as_bytes()).expect_err("a refusal").to_string();
        assert!(error.contains(wanted), "{error}");
    }

    #[test]
    fn a_line_that_is_no_record_is_refused_with_its_column() {
        refused("", "expected a run saved by --format ndjson, found \"\"");
        refused("{\"type\":\"finding\",\n", "EOF");
        refused(r#"{"uri":"x:y"}"#, "missing field `type`");
        refused(r#"{"type":"parse"}"#, "expected a record of type finding, note or summary");
        refused(&FINDING.replace("\"line\":3", "\"line\":-3"), "`-3`, expected u64 (column 1");
        refused(&FINDING.replace("eDr/", "eDr"), "invalid length");
        refused(&FINDING.replace("\"error\"", "\"bad\""), "the verdict \"bad\"");
        refused(&FINDING.replace("\"rule\":\"r\",", ""), "a fault without `rule`");
        refused("{\"type\":\"report\",\"schema\":1,\n", "save the run with --format ndjson");
        refused(r#"{"type":"summary","schema":2}"#, "schema version 1, found 2");
    }

    #[test]
    fn keys_may_stand_in_any_order() {
        let moved = FINDING.replacen(r#""type":"finding","#, "", 1);
        let line = format!(r#"{},"type":"finding"}}"#, moved.strip_suffix('}').unwrap());
        assert!(matches!(Line::parse(line.as_bytes()), Ok(Line::Finding(_))));
    }
}
