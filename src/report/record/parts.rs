//! Parts of records: places, messages, what grammars say, what asking learnt.

use serde::ser::{SerializeMap as _, Serializer};
use serde::{Deserialize, Serialize};

use super::{Bytes, bytes};
use crate::finding::fault_sentence;

/// Where a finding stands.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PlaceRecord {
    /// The path as it was given or walked to; `-` for standard input.
    pub path: String,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Bytes>,
    /// Names of nested members, outermost first; none for a plain file.
    pub members: Vec<String>,
    /// The bytes of all, where those of one are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members_bytes: Option<Vec<Bytes>>,
    /// The day that the member was written or fetched, where its archive tells one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Offset of the first byte within the innermost member.
    pub offset: u64,
    /// Length of the raw text in bytes.
    pub len: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column in Unicode scalars, from 1.
    pub column: u64,
    /// Column in bytes, from 1, where that is another number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column_bytes: Option<u64>,
    /// Offset in the file on disk, where the raw text is one run of bytes there.
    pub file_offset: Option<u64>,
    /// Line and column in the text that a part was decoded to; none where nothing was decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoded: Option<PositionRecord>,
}

impl PlaceRecord {
    /// The path's bytes.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        bytes(&self.path, self.path_bytes.as_ref())
    }

    /// The bytes of the members' names.
    pub fn members(&self) -> impl Iterator<Item = &[u8]> {
        members(&self.members, self.members_bytes.as_deref())
    }
}

fn members<'m>(lossy: &'m [String], exact: Option<&'m [Bytes]>) -> impl Iterator<Item = &'m [u8]> {
    let exact = exact.unwrap_or_default().iter().map(Some).chain(std::iter::repeat(None));
    lossy.iter().zip(exact).map(|(text, exact)| bytes(text, exact))
}

/// What a note is about.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct NotePlace {
    /// The path as it was given or walked to.
    pub path: String,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Bytes>,
    /// Names of nested members, outermost first.
    pub members: Vec<String>,
    /// The bytes of all, where those of one are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members_bytes: Option<Vec<Bytes>>,
    /// Offset in the innermost member where that is known.
    pub offset: Option<u64>,
}

impl NotePlace {
    /// The path's bytes.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        bytes(&self.path, self.path_bytes.as_ref())
    }

    /// The bytes of the members' names.
    pub fn members(&self) -> impl Iterator<Item = &[u8]> {
        members(&self.members, self.members_bytes.as_deref())
    }
}

/// Line and column, both from 1.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct PositionRecord {
    /// Number of the line.
    pub line: u64,
    /// Number of the Unicode scalar on it.
    pub column: u64,
}

/// The message that a finding stands in.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MessageRecord {
    /// The Message-ID with its brackets (RFC 5322 §3.6.4).
    pub id: Option<String>,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_bytes: Option<Bytes>,
    /// The Date in UTC as RFC 3339 writes it.
    pub date: Option<String>,
    /// The List-Id without its brackets (RFC 2919).
    pub list_id: Option<String>,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_id_bytes: Option<Bytes>,
    /// Its place in the box, from 1; none for a message that is alone.
    pub number: Option<u64>,
    /// The name of the header field it stands in.
    pub header: Option<String>,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_bytes: Option<Bytes>,
    /// The part of the message, as in `1.2`.
    pub part: Option<String>,
}

/// The same URI once more, in another form of what was said already.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TwinRecord {
    /// The part of the message that it stands in.
    pub part: Option<String>,
    /// Where it stands.
    pub place: PlaceRecord,
}

/// What one grammar says.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "SyntaxKeys")]
pub struct SyntaxRecord {
    /// The grammar's name.
    pub grammar: String,
    /// The repairs that the text needed to be taken.
    pub repairs: Vec<String>,
    /// The reason when the grammar does not take the text.
    pub fault: Option<FaultRecord>,
}

/// Why a grammar does not take a text.
#[derive(Clone, Debug)]
pub struct FaultRecord {
    /// The rule that is broken.
    pub rule: String,
    /// Offset of the first byte after which nothing could be valid, where that is known.
    pub at: Option<u64>,
    /// What could have stood there, in words.
    pub expected: Option<String>,
    /// The document and section.
    pub spec: String,
    /// What is wrong, in one line.
    pub message: String,
    /// What may help beyond that.
    pub hint: Option<String>,
}

impl FaultRecord {
    /// The fault in one line, as the `text` format has it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let expected = || self.expected.as_deref();
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = fault_sentence(&mut out, &self.rule, self.at, expected, &self.message, &self.spec);
        out
    }
}

/// The keys of what a grammar says; which there are depends on `ok`.
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

/// As `SyntaxKeys` read it.
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

/// What one lint says.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct WarningRecord {
    /// The lint.
    pub rule: String,
    /// Offset in the URI of the first byte that it is about.
    pub at: u64,
    /// What is the matter.
    pub message: String,
    /// The document and section that give the reason.
    pub spec: String,
}

/// What asking learnt.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ReachRecord {
    /// What kind of answer.
    pub class: String,
    /// What asked: the probe's name; `local` for files, `none` where nobody was asked.
    pub probe: String,
    /// The code of the last reply, in protocols that have one.
    pub status: Option<u16>,
    /// What was expected and what was found.
    pub message: String,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_bytes: Option<Bytes>,
    /// Where it was sent on to, in order.
    pub hops: Vec<HopRecord>,
    /// Runs in a row that found it dead; none where nobody counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_runs: Option<u32>,
    /// What may have been meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint_bytes: Option<Bytes>,
}

/// One redirect.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct HopRecord {
    /// The code that said so.
    pub status: u16,
    /// The URI that it sent us to, absolute.
    pub to: String,
    /// Its bytes where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_bytes: Option<Bytes>,
}
