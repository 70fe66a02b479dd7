//! Parts of records: places, messages, and the results of grammars and probes.

use std::collections::BTreeMap;

use serde::ser::{SerializeMap as _, Serializer};
use serde::{Deserialize, Serialize};

use super::{Bytes, bytes};
use crate::finding::{Archived, Memento, NotLookedUp, Sentence, Summary};

/// The position of a finding.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PlaceRecord {
    /// The path as it was given or found; `-` for standard input.
    pub path: String,
    /// The bytes of `path` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Bytes>,
    /// The names of nested members, outermost first; empty for a plain file.
    pub members: Vec<String>,
    /// The bytes of all members if one is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members_bytes: Option<Vec<Bytes>>,
    /// The day on which the member was written or fetched, if its archive records one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The offset of the first byte within the innermost member.
    pub offset: u64,
    /// The length of the raw text in bytes.
    pub len: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column in Unicode scalars, from 1.
    pub column: u64,
    /// The column in bytes, from 1, if it differs from `column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column_bytes: Option<u64>,
    /// The offset in the file on disk, if the raw text is contiguous there.
    pub file_offset: Option<u64>,
    /// The position in the decoded text of a part; `None` if nothing was decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoded: Option<PositionRecord>,
}

impl PlaceRecord {
    /// Returns the bytes of the path.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        bytes(&self.path, self.path_bytes.as_ref())
    }

    /// Returns the bytes of the members' names.
    pub fn members(&self) -> impl Iterator<Item = &[u8]> {
        members(&self.members, self.members_bytes.as_deref())
    }
}

fn members<'m>(lossy: &'m [String], exact: Option<&'m [Bytes]>) -> impl Iterator<Item = &'m [u8]> {
    let exact = exact.unwrap_or_default().iter().map(Some).chain(std::iter::repeat(None));
    lossy.iter().zip(exact).map(|(text, exact)| bytes(text, exact))
}

/// The subject of a note.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct NotePlace {
    /// The path as it was given or found.
    pub path: String,
    /// The bytes of `path` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Bytes>,
    /// The names of nested members, outermost first.
    pub members: Vec<String>,
    /// The bytes of all members if one is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members_bytes: Option<Vec<Bytes>>,
    /// The offset in the innermost member, if it is known.
    pub offset: Option<u64>,
}

impl NotePlace {
    /// Returns the bytes of the path.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        bytes(&self.path, self.path_bytes.as_ref())
    }

    /// Returns the bytes of the members' names.
    pub fn members(&self) -> impl Iterator<Item = &[u8]> {
        members(&self.members, self.members_bytes.as_deref())
    }
}

/// A line and a column, both from 1.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct PositionRecord {
    /// The number of the line.
    pub line: u64,
    /// The number of the Unicode scalar on the line.
    pub column: u64,
}

/// The message that contains a finding.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MessageRecord {
    /// The Message-ID with its brackets (RFC 5322 §3.6.4).
    pub id: Option<String>,
    /// The bytes of `id` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_bytes: Option<Bytes>,
    /// The Date in UTC, in the form of RFC 3339.
    pub date: Option<String>,
    /// The List-Id without its brackets (RFC 2919).
    pub list_id: Option<String>,
    /// The bytes of `list_id` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_id_bytes: Option<Bytes>,
    /// The number of the message in its mailbox, from 1; `None` for a single message.
    pub number: Option<u64>,
    /// The name of the header field that contains the finding.
    pub header: Option<String>,
    /// The bytes of `header` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_bytes: Option<Bytes>,
    /// The part of the message, such as `1.2`.
    pub part: Option<String>,
}

/// A further occurrence of the same URI, in an alternative form of the same content.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TwinRecord {
    /// The part of the message that contains it.
    pub part: Option<String>,
    /// The position.
    pub place: PlaceRecord,
}

/// The result of one grammar.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "SyntaxKeys")]
pub struct SyntaxRecord {
    /// The name of the grammar.
    pub grammar: String,
    /// The repairs that the text needed to be valid.
    pub repairs: Vec<String>,
    /// The fault, if the text is not valid.
    pub fault: Option<FaultRecord>,
}

/// The reason why a text is not valid.
#[derive(Clone, Debug)]
pub struct FaultRecord {
    /// The rule that is broken.
    pub rule: String,
    /// The offset up to which the text could still become valid, if it is known.
    pub at: Option<u64>,
    /// The bytes that are valid there, in words.
    pub expected: Option<String>,
    /// The document and section.
    pub spec: String,
    /// The fault in one line.
    pub message: String,
    /// A hint for the fix.
    pub hint: Option<String>,
}

impl FaultRecord {
    /// Returns the fault in one line, as in the `text` format.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { rule, at, message, spec, .. } = self;
        let sentence = Sentence { rule, at: *at, message, spec };
        let expected = || self.expected.as_deref();
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = sentence.write(&mut out, expected);
        out
    }
}

/// The keys of a grammar's result; `ok` decides which of them are present.
#[derive(Deserialize)]
struct SyntaxKeys {
    grammar: String,
    ok: bool,
    #[serde(default)]
    repairs: Vec<String>,
    rule: Option<String>,
    at: Option<u64>,
    expected: Option<String>,
    spec: Option<String>,
    message: Option<String>,
    hint: Option<String>,
}

impl TryFrom<SyntaxKeys> for SyntaxRecord {
    type Error = &'static str;

    fn try_from(keys: SyntaxKeys) -> Result<Self, Self::Error> {
        let SyntaxKeys { grammar, ok, repairs, at, expected, hint, .. } = keys;
        if ok {
            return Ok(Self { grammar, repairs, fault: None });
        }
        let rule = keys.rule.ok_or("a fault without `rule`")?;
        let spec = keys.spec.ok_or("a fault without `spec`")?;
        let message = keys.message.ok_or("a fault without `message`")?;
        let fault = FaultRecord { rule, at, expected, spec, message, hint };
        Ok(Self { grammar, repairs, fault: Some(fault) })
    }
}

/// Encodes the keys of `SyntaxKeys`.
impl Serialize for SyntaxRecord {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("grammar", &self.grammar)?;
        map.serialize_entry("ok", &self.fault.is_none())?;
        match &self.fault {
            None => map.serialize_entry("repairs", &self.repairs)?,
            Some(FaultRecord { rule, at, expected, spec, message, hint }) => {
                map.serialize_entry("rule", rule)?;
                map.serialize_entry("at", at)?;
                map.serialize_entry("expected", expected)?;
                map.serialize_entry("spec", spec)?;
                map.serialize_entry("message", message)?;
                map.serialize_entry("hint", hint)?;
            }
        }
        map.end()
    }
}

/// The result of one lint.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct WarningRecord {
    /// The lint.
    pub rule: String,
    /// The offset in the URI of the first byte concerned.
    pub at: u64,
    /// The warning.
    pub message: String,
    /// The document and section that give the reason.
    pub spec: String,
}

/// The result of a probe.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ReachRecord {
    /// The class of the answer.
    pub class: String,
    /// The name of the probe; `local` for files, `none` if no probe was made.
    pub probe: String,
    /// The code of the last reply, in protocols that have codes.
    pub status: Option<u16>,
    /// The message: the expected and the found.
    pub message: String,
    /// The bytes of `message` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_bytes: Option<Bytes>,
    /// The redirects, in order.
    pub hops: Vec<HopRecord>,
    /// The number of consecutive runs in which the link was dead; `None` if they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_runs: Option<u32>,
    /// The time at which an earlier run read another content of the page, in the form of RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<String>,
    /// A suggestion of the link that was meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The bytes of `hint` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint_bytes: Option<Bytes>,
}

/// One redirect.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct HopRecord {
    /// The status code of the redirect.
    pub status: u16,
    /// The target, an absolute URI.
    pub to: String,
    /// The bytes of `to` if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_bytes: Option<Bytes>,
}

/// A copy in a web archive.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MementoRecord {
    /// The address at which the archive replays it; `None` if it is replayed nowhere.
    pub uri: Option<String>,
    /// The time at which it was fetched, in the form of RFC 3339.
    pub datetime: String,
    /// The number of days from the date of the link to that time; `None` if the link has no date.
    pub distance_days: Option<i64>,
    /// The archive, as the user named it.
    pub archive: String,
}

impl From<&Memento> for MementoRecord {
    fn from(memento: &Memento) -> Self {
        let Memento { uri, time, distance_days, archive } = memento;
        let datetime = time.to_string();
        Self { uri: uri.clone(), datetime, distance_days: *distance_days, archive: archive.clone() }
    }
}

impl MementoRecord {
    /// Returns the copy in words: `archived 2001-02-03, 12 days later: URI`.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { uri, datetime, distance_days, archive } = self;
        let day = datetime.split_once('T').map_or(&**datetime, |(day, _)| day);
        let plural = |days: u64| if days == 1 { "day" } else { "days" };
        let distance = distance_days.map(|days| match days.unsigned_abs() {
            0 => ", the same day".to_owned(),
            count if days < 0 => format!(", {count} {} earlier", plural(count)),
            count => format!(", {count} {} later", plural(count)),
        });
        let place = match uri {
            Some(uri) => format!(": {uri}"),
            None => format!(" in {archive}"),
        };
        format!("archived {day}{}{place}", distance.unwrap_or_default())
    }
}

/// Returns what web archives hold of a link in words; `None` if that is unknown.
pub(in crate::report) fn archived_words(
    archived: Option<bool>,
    memento: Option<&MementoRecord>,
    unknown: Option<NotLookedUp>,
) -> Option<String> {
    let [_, absent, not_looked_up] = Archived::NAMES;
    match (archived, memento) {
        (_, Some(memento)) => Some(memento.words()),
        (Some(false), None) => Some(absent.to_owned()),
        (_, None) => Some(format!("{not_looked_up}: {}", unknown?.words())),
    }
}

/// The number of findings by what web archives hold of them.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct ArchivedCounts {
    /// Findings with a copy in an archive.
    pub archived: u64,
    /// Findings without one.
    pub not_archived: u64,
    /// Findings for which an archive was not asked, or gave no answer.
    pub unknown: u64,
    /// The same by the reason, sorted by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown_by: BTreeMap<String, u64>,
}

impl ArchivedCounts {
    /// Reports whether nothing was looked up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the counts, in the order of [`Archived::NAMES`].
    ///
    /// [`Archived::NAMES`]: crate::finding::Archived::NAMES
    #[must_use]
    pub const fn each(&self) -> [u64; 3] {
        [self.archived, self.not_archived, self.unknown]
    }
}

impl From<&Summary> for ArchivedCounts {
    fn from(summary: &Summary) -> Self {
        let [archived, not_archived, unknown] = summary.archived();
        let by = summary.not_looked_up().map(|(reason, count)| (reason.name().to_owned(), count));
        Self { archived, not_archived, unknown, unknown_by: by.collect() }
    }
}
