//! The `ndjson` format: one JSON object a line (RFC 8259), schema version 1, `type` first.
//!
//! Keys keep their meaning; new ones may be added later. The module `escape::json` describes how
//! untrusted text is encoded.

use std::borrow::Cow;
use std::collections::BTreeMap;

use data_encoding::BASE64;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::escape::json::{append_line, append_name, append_optional, append_text, append_value};
use super::fields::{Fields, Key, visit};
use super::number::append_number;
use super::record::{ArchivedCounts, Line, SCHEMA};
use super::{Encoding, Form, Lines, Report, Style};
use crate::finding::{Cached, Encodings, Finding, Note, Skip, Summary, Verdict};

mod place;

use place::origin_entries;

/// The `ndjson` format.
pub struct Ndjson;

impl Report for Ndjson {
    fn name(&self) -> &'static str {
        "ndjson"
    }

    fn about(&self) -> &'static str {
        "one JSON object a line, schema version 1, for programs"
    }

    fn form(&self) -> Form {
        Form::Lines(&Self)
    }
}

impl Lines for Ndjson {
    fn encoding(&self) -> Encoding {
        Encoding::Records
    }

    fn finding(&self, finding: &Finding<'_>, _: &Style, out: &mut Vec<u8>) {
        let mut object = Object(std::mem::take(out));
        object.0.extend_from_slice(br#"{"type":"finding""#);
        visit(finding, &mut object);
        *out = object.0;
        out.push(b'\n');
    }

    fn note(&self, note: &Note, out: &mut Vec<u8>) {
        append_line(&NoteRecord(note), out);
    }

    fn summary(&self, summary: &Summary, out: &mut Vec<u8>) {
        append_line(&SummaryRecord::from(summary), out);
    }

    fn saved(&self, _: &Line, text: &[u8], _: &Style, out: &mut Vec<u8>) {
        out.extend_from_slice(text.trim_ascii_end());
        out.push(b'\n');
    }

    fn is_styled(&self) -> bool {
        false
    }

    fn counts_distinct(&self) -> bool {
        true
    }

    fn wants_messages(&self) -> bool {
        true
    }
}

/// The record of a finding in progress.
///
/// There are millions of findings, so constant parts are copied and plain text is not examined byte
/// by byte; text that needs escapes goes through `serde_json`.
#[derive(Default)]
struct Object(Vec<u8>);

impl Object {
    #[inline]
    fn key(&mut self, key: Key) -> &mut Vec<u8> {
        self.0.extend_from_slice(key.json.as_bytes());
        &mut self.0
    }

    /// Appends an array, of whose items `append` appends one.
    fn array<I>(
        &mut self,
        key: Key,
        items: impl Iterator<Item = I>,
        append: impl Fn(I, &mut Self),
    ) {
        self.key(key).push(b'[');
        for (number, item) in items.enumerate() {
            if number > 0 {
                self.0.push(b',');
            }
            append(item, self);
        }
        self.0.push(b']');
    }
}

impl Fields for Object {
    #[inline]
    fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }

    #[inline]
    fn cache<T>(of: &Encodings<T>) -> &Cached<T> {
        &of.line
    }

    #[inline]
    fn text(&mut self, [key, bytes]: [Key; 2], text: &[u8]) {
        append_text([key.json.as_bytes(), bytes.json.as_bytes()], text, &mut self.0);
    }

    #[inline]
    fn lossy(&mut self, key: Key, text: &[u8]) {
        append_text([key.json.as_bytes(), b""], text, &mut self.0);
    }

    #[inline]
    fn utf8(&mut self, key: Key, text: Option<&str>) {
        append_optional(key.json.as_bytes(), text, &mut self.0);
    }

    #[inline]
    fn name(&mut self, key: Key, name: Option<&str>) {
        append_name(key.json.as_bytes(), name, &mut self.0);
    }

    #[inline]
    fn time(&mut self, key: Key, time: Option<&str>) {
        self.name(key, time);
    }

    #[inline]
    fn day(&mut self, key: Key, day: &str) {
        self.name(key, Some(day));
    }

    #[inline]
    fn number(&mut self, key: Key, number: Option<u64>) {
        let out = self.key(key);
        match number {
            Some(number) => append_number(number, out),
            None => out.extend_from_slice(b"null"),
        }
    }

    fn signed(&mut self, key: Key, number: Option<i64>) {
        append_value(&number, self.key(key));
    }

    #[inline]
    fn flag(&mut self, key: Key, flag: bool) {
        let word: &[u8] = if flag { b"true" } else { b"false" };
        self.key(key).extend_from_slice(word);
    }

    fn texts<'t>(&mut self, key: Key, texts: impl Iterator<Item = Cow<'t, str>>) {
        self.array(key, texts, |text, to| append_value(&text, &mut to.0));
    }

    fn blobs<'t>(&mut self, key: Key, blobs: impl Iterator<Item = Cow<'t, [u8]>>) {
        self.array(key, blobs, |blob, to| append_value(&BASE64.encode(&blob), &mut to.0));
    }

    fn items<I>(&mut self, key: Key, items: impl Iterator<Item = I>, visit: impl Fn(I, &mut Self)) {
        self.array(key, items, visit);
    }

    #[inline]
    fn literal(&mut self, json: &'static str) {
        self.0.extend_from_slice(json.as_bytes());
    }
}

/// The record of a note.
struct NoteRecord<'a>(&'a Note);

impl Serialize for NoteRecord<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "note")?;
        map.serialize_entry("kind", self.0.kind.name())?;
        map.serialize_entry("place", &NotePlace(self.0))?;
        map.serialize_entry("message", &self.0.message)?;
        map.end()
    }
}

/// The place of a note: a text, and an offset in it, if it is known.
struct NotePlace<'a>(&'a Note);

impl Serialize for NotePlace<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        origin_entries(&mut map, &self.0.origin)?;
        map.serialize_entry("offset", &self.0.offset)?;
        map.end()
    }
}

/// The record of the totals, the last line of a run.
#[derive(Serialize)]
struct SummaryRecord<'a> {
    r#type: &'static str,
    schema: u32,
    complete: bool,
    files: u64,
    members: u64,
    bytes: u64,
    messages: u64,
    findings: u64,
    distinct: Option<u64>,
    verdicts: VerdictCounts,
    skipped: SkipCounts<'a>,
    /// Absent if nothing was looked up in web archives.
    #[serde(skip_serializing_if = "ArchivedCounts::is_empty")]
    archived: ArchivedCounts,
    /// The day on which the links were requested; absent if none was to be requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    made: Option<String>,
}

impl<'a> From<&'a Summary> for SummaryRecord<'a> {
    fn from(summary: &'a Summary) -> Self {
        Self {
            r#type: "summary",
            schema: SCHEMA,
            complete: summary.complete,
            files: summary.files,
            members: summary.members,
            bytes: summary.bytes,
            messages: summary.messages,
            findings: summary.findings,
            distinct: summary.distinct,
            verdicts: VerdictCounts(summary.verdicts),
            skipped: SkipCounts(&summary.skipped),
            archived: summary.into(),
            made: summary.made.map(day),
        }
    }
}

/// Returns the day of `time` in UTC. Two runs of one day stay the same byte for byte.
fn day(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).date().to_string()
}

/// The number of skipped items by the name of the reason, sorted.
struct SkipCounts<'a>(&'a BTreeMap<Skip, u64>);

impl Serialize for SkipCounts<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(skip, count)| (skip.name(), count)))
    }
}

/// The number of findings by the name of their verdict, in the order of [`Verdict::ALL`].
struct VerdictCounts([u64; Verdict::ALL.len()]);

impl Serialize for VerdictCounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(Verdict::ALL.iter().map(|verdict| verdict.name()).zip(self.0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::super::escape::is_hostile;
    use super::{Lines as _, Ndjson, Style};
    use crate::finding::{
        Archived, Class, Cue, Facts, Fault, Finding, LINTS, Message, Note, NoteKind, Origin, Place,
        RULES, Reach, Repairs, Skip, Summary, Syntax, Twin, Verdict, Warning,
    };
    use crate::platform::path_of;
    use crate::span::Position;
    use crate::uri::Redacted;

    fn origin(path: &[u8], members: &[&[u8]]) -> Origin {
        let path = path_of(path).into_owned();
        let members = members.iter().map(|member| member.to_vec()).collect();
        Origin { path, members, ..Origin::default() }
    }

    fn place(origin: &Origin) -> Place<'_> {
        Place::example(origin, [51, 18, 8, 3])
    }

    fn finding<'a>(origin: &'a Origin, uri: &'a [u8], syntax: &'a [Syntax]) -> Finding<'a> {
        let facts = Box::leak(Box::new(facts(syntax, Verdict::Ok)));
        Finding { cue: Cue::Url, ..Finding::example(uri, place(origin), facts) }
    }

    fn facts(syntax: &[Syntax], verdict: Verdict) -> Arc<Facts> {
        let scheme = "http".into();
        Arc::new(Facts { scheme, syntax: syntax.to_vec(), verdict, ..Facts::default() })
    }

    fn good(grammar: &'static str) -> Syntax {
        Syntax { grammar, fault: None, repairs: Repairs::NONE }
    }

    fn bad(grammar: &'static str) -> Syntax {
        let fault = Fault {
            rule: RULES.iter().find(|rule| rule.id == "pct-encoded").unwrap(),
            at: Some(10),
            expected: b"0123456789ABCDEFabcdef".iter().copied().collect(),
            end_expected: false,
            message: "a percent sign is followed by two hexadecimal digits".into(),
            hint: None,
            spec: "RFC 3986 §2.1".into(),
        };
        Syntax { grammar, fault: Some(fault), repairs: Repairs::NONE }
    }

    /// Returns the one line that `fill` appends, and checks that it is one and harmless.
    #[track_caller]
    fn line(fill: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        fill(&mut out);
        let line = String::from_utf8(out).unwrap().strip_suffix('\n').unwrap().to_owned();
        assert!(!line.chars().any(is_hostile), "{line:?}");
        line
    }

    #[track_caller]
    fn print(finding: &Finding<'_>) -> Value {
        serde_json::from_str(&line(|out| Ndjson.finding(finding, &Style::default(), out))).unwrap()
    }

    #[test]
    fn a_finding_has_its_keys_in_the_order_of_the_schema() {
        let origin = origin(b"s.tar.gz", &[b"box.mbox", b"msg 12"]);
        let message = Message {
            id: Some(b"<x@y>".to_vec()),
            date: Some("1994-12-01T00:00:00Z".to_owned()),
            list_id: Some(b"l.example".to_vec()),
            number: Some(12),
            ..Message::default()
        };
        let syntax = [good("current")];
        let mut finding = finding(&origin, b"http://www.w3.org/", &syntax);
        finding.raw = Redacted::new(b"http://www. w3.org/");
        finding.message = Some(&message);
        finding.place.file_offset = Some(7);
        let wanted = concat!(
            r#"{"type":"finding","uri":"http://www.w3.org/","raw":"http://www. w3.org/","#,
            r#""cue":"url","scheme":"http","place":{"path":"s.tar.gz","#,
            r#""members":["box.mbox","msg 12"],"offset":51,"len":18,"line":8,"column":3,"#,
            r#""file_offset":7},"#,
            r#""message":{"id":"<x@y>","date":"1994-12-01T00:00:00Z","list_id":"l.example","#,
            r#""number":12,"header":null,"part":null},"#,
            r#""syntax":{"grammar":"current","ok":true,"repairs":[]},"#,
            r#""reach":null,"verdict":"ok"}"#,
        );
        assert_eq!(line(|out| Ndjson.finding(&finding, &Style::default(), out)), wanted);
    }

    /// The encoded place is cached in its origin; a copy of the origin may get another place.
    #[test]
    fn each_text_has_a_beginning_of_its_own() {
        let print = |origin: &Origin| print(&finding(origin, b"http://h/", &[]));
        let one = origin(b"a", &[]);
        let first = print(&one);
        assert_eq!((&first, &first["place"]["path"]), (&print(&one), &json!("a")));
        let mut member = one.clone();
        member.members.push(b"b".to_vec());
        assert_eq!(print(&member)["place"]["members"], json!(["b"]));
        assert_eq!(print(&one), first);
    }

    #[test]
    fn an_offset_in_the_file_is_told_whatever_it_is() {
        let origin = origin(b"a", &[]);
        for file_offset in [None, Some(51), Some(7)] {
            let mut finding = finding(&origin, b"http://h/", &[]);
            finding.place.file_offset = file_offset;
            let record = print(&finding);
            assert_eq!(record["place"]["offset"], json!(51));
            assert_eq!(record["place"]["file_offset"], json!(file_offset));
        }
    }

    /// From the second time on, the results of a URI are copied from a cache; its raw text is not.
    #[test]
    fn a_record_is_the_same_however_often_its_facts_are_printed() {
        let origin = origin(b"a", &[]);
        let uri = b"http://h/%zz";
        let raws = [Redacted::new(uri), Redacted::source_of(uri, b"http://h/\n%zz")];
        let new = || {
            let warning = Warning { lint: LINTS[0], at: 1, message: "a word".into() };
            let mut facts = facts(&[bad("rfc3986-uri"), good("lax")], Verdict::Error);
            Arc::get_mut(&mut facts).unwrap().warnings.push(warning);
            facts
        };
        // Only the last one was probed.
        let reach = Reach::new(Class::Missing, "http", "not there");
        let whole = &raws[0];
        let found = [(whole, None), (&raws[1], None), (whole, Some(&reach))];
        let record = |(raw, reach): (&Redacted<'_>, _), facts: &Arc<Facts>| {
            let (raw, verdict) = (raw.clone(), facts.verdict);
            let finding = Finding { raw, facts, reach, verdict, ..finding(&origin, uri, &[]) };
            line(|out| Ndjson.finding(&finding, &Style::default(), out))
        };
        let firsts = found.map(|found| record(found, &new()));
        assert!(firsts[0] != firsts[1] && firsts[0] != firsts[2]);
        for order in [[0, 0, 0, 1, 2], [1, 1, 1, 0, 2], [0, 1, 0, 1, 2], [2, 2, 2, 0, 1]] {
            let facts = new();
            for which in order {
                assert_eq!(record(found[which], &facts), firsts[which], "{order:?}");
            }
        }
    }

    #[test]
    fn a_fault_is_told_in_full_and_further_grammars_follow() {
        let origin = origin(b"a", &[]);
        let syntax = [bad("rfc3986-uri"), good("lax")];
        let mut finding = finding(&origin, b"http://h/%zz", &syntax);
        let facts = facts(&syntax, Verdict::Error);
        finding.facts = &facts;
        finding.verdict = facts.verdict;
        let record = print(&finding);
        let fault = json!({
            "grammar": "rfc3986-uri", "ok": false, "rule": "pct-encoded", "at": 10,
            "expected": "a hex digit", "spec": "RFC 3986 §2.1",
            "message": "a percent sign is followed by two hexadecimal digits", "hint": null,
        });
        assert_eq!(record["syntax"], fault);
        assert_eq!(record["also"], json!([{"grammar": "lax", "ok": true, "repairs": []}]));
        assert_eq!(record["verdict"], "error");
        assert_eq!(record["message"], Value::Null);
        assert_eq!(record["place"]["file_offset"], Value::Null);
        assert_eq!(record["place"]["members"], json!([]));
    }

    #[test]
    fn one_grammar_has_no_list_of_others_and_www_no_scheme() {
        let origin = origin(b"a", &[]);
        let syntax = [good("current")];
        let mut finding = finding(&origin, b"www.w3.org", &syntax);
        let facts = Arc::new(Facts::default());
        finding.facts = &facts;
        let record = print(&finding);
        assert_eq!(record.get("also"), None);
        assert_eq!(record["scheme"], Value::Null);
    }

    #[test]
    fn a_link_in_a_header_field_names_the_field() {
        let origin = origin(b"a", &[]);
        let message = Message::default();
        let mut finding = finding(&origin, b"x:y", &[]);
        finding.message = Some(&message);
        finding.header = Some(b"Archived-At");
        let record = print(&finding);
        finding.part = Some("1.2");
        let part = print(&finding);
        let known = json!({
            "id": null, "date": null, "list_id": null, "header": "Archived-At", "part": null,
            "number": null,
        });
        assert_eq!(record["message"], known);
        assert_eq!(part["message"]["part"], "1.2");
        assert_eq!(record["syntax"], Value::Null);
    }

    #[test]
    fn a_link_in_mail_says_so_though_nothing_is_known_of_its_message() {
        let origin = origin(b"a", &[]);
        let mut finding = finding(&origin, b"x:y", &[]);
        assert_eq!(print(&finding)["message"], Value::Null);
        finding.is_mail = true;
        let known = json!({
            "id": null, "date": null, "list_id": null, "header": null, "part": null,
            "number": null,
        });
        assert_eq!(print(&finding)["message"], known);
    }

    #[test]
    fn a_place_in_decoded_text_is_told_and_so_are_twins() {
        let origin = origin(b"a", &[]);
        let mut finding = finding(&origin, b"x:y", &[]);
        finding.place.decoded = Some(Position { line: 2, column: 7, byte: 9 });
        let other = Place { offset: 99, file_offset: Some(3), ..place(&origin) };
        let twins =
            [Twin { part: Some("1.2"), place: other }, Twin { part: None, place: place(&origin) }];
        finding.twins = &twins;
        let record = print(&finding);
        assert_eq!(record["place"]["decoded"], json!({"line": 2, "column": 7}));
        let twin = |part: Value, offset: u64, file_offset: Value| {
            json!({"part": part, "place": {"path": "a", "members": [], "offset": offset,
                "len": 18, "line": 8, "column": 3, "file_offset": file_offset}})
        };
        let wanted = [twin("1.2".into(), 99, 3.into()), twin(Value::Null, 51, Value::Null)];
        assert_eq!(record["twins"], json!(wanted));
    }

    #[test]
    fn text_that_is_not_utf_8_has_its_bytes_beside_it() {
        let origin = origin(b"dir/\xff", &[b"good", b"\xe9"]);
        let message = Message {
            id: Some(b"<\xfe@y>".to_vec()),
            list_id: Some(b"\xfe".to_vec()),
            ..Message::default()
        };
        let mut finding = finding(&origin, b"http://h/\xe9", &[]);
        finding.raw = Redacted::new(b"http://h/=\xe9");
        finding.message = Some(&message);
        let record = print(&finding);
        assert_eq!(record["uri"], "http://h/\u{fffd}");
        assert_eq!(record["uri_bytes"], "aHR0cDovL2gv6Q==");
        assert_eq!(record["raw"], "http://h/=\u{fffd}");
        assert_eq!(record["raw_bytes"], "aHR0cDovL2gvPek=");
        assert_eq!(record["place"]["path"], "dir/\u{fffd}");
        assert_eq!(record["place"]["path_bytes"], "ZGlyL/8=");
        assert_eq!(record["place"]["members"], json!(["good", "\u{fffd}"]));
        assert_eq!(record["place"]["members_bytes"], json!(["Z29vZA==", "6Q=="]));
        assert_eq!(record["message"]["id_bytes"], "PP5AeT4=");
        assert_eq!(record["message"]["list_id_bytes"], "/g==");
    }

    #[test]
    fn hostile_text_comes_back_unchanged_and_does_nothing_on_the_way() {
        let every: String =
            ('\0'..='\u{2fff}').chain(['\u{feff}', '\u{fffd}', '\u{1f600}']).collect();
        let origin = origin(b"a\n{\"type\":\"finding\"}\x1b]0;x\x07\x7f", &[]);
        let record = print(&finding(&origin, every.as_bytes(), &[]));
        assert_eq!(record["uri"].as_str(), Some(every.as_str()));
        assert_eq!(record["place"]["path"], "a\n{\"type\":\"finding\"}\u{1b}]0;x\u{7}\u{7f}");
        assert_eq!(record["place"].get("path_bytes"), None);
        assert_eq!(record.get("uri_bytes"), None);
    }

    #[test]
    fn every_ascii_character_comes_back_from_a_short_and_a_long_text() {
        let origin = origin(b"a", &[]);
        for char in '\0'..='\x7f' {
            for text in [format!("{char}"), format!("{0}{char}{0}", "x".repeat(40))] {
                let record = print(&finding(&origin, text.as_bytes(), &[]));
                assert_eq!(record["uri"].as_str(), Some(text.as_str()));
            }
        }
    }

    #[test]
    fn a_note_says_kind_place_and_message() {
        let note = Note {
            kind: NoteKind::InputShrank,
            origin: origin(b"box", &[b"m"]),
            offset: Some(9),
            message: "expected 10 bytes, found 9".to_owned(),
        };
        let wanted = concat!(
            r#"{"type":"note","kind":"input-shrank","#,
            r#""place":{"path":"box","members":["m"],"offset":9},"#,
            r#""message":"expected 10 bytes, found 9"}"#
        );
        assert_eq!(line(|out| Ndjson.note(&note, out)), wanted);
    }

    #[test]
    fn a_summary_counts_verdicts_and_reasons() {
        let summary = Summary {
            complete: true,
            digest: None,
            files: 12,
            members: 7,
            bytes: 3_400_000,
            messages: 5,
            findings: 56,
            distinct: Some(40),
            verdicts: [50, 1, 2, 3],
            troubles: BTreeMap::from([((Verdict::Error, "missing"), 2)]),
            skipped: BTreeMap::from([(Skip::Hidden, 3), (Skip::Ignored, 1)]),
            archived: [0; Archived::COUNTS],
            made: None,
        };
        let wanted = concat!(
            r#"{"type":"summary","schema":1,"complete":true,"files":12,"members":7,"#,
            r#""bytes":3400000,"#,
            r#""messages":5,"findings":56,"distinct":40,"#,
            r#""verdicts":{"ok":50,"warn":1,"error":2,"skipped":3},"#,
            r#""skipped":{"hidden":3,"ignored":1}}"#
        );
        assert_eq!(line(|out| Ndjson.summary(&summary, out)), wanted);
    }
}
