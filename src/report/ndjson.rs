//! The `ndjson` format: one JSON object a line (RFC 8259), schema version 1, `type` first.
//!
//! Keys keep their meaning; new ones may be added later. The module `json` describes how untrusted
//! text is encoded.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::json::{append_line, append_name, append_optional, append_text, append_value};
use super::number::append_number;
use super::record::{ArchivedCounts, Line, MementoRecord, SCHEMA};
use super::{Form, Lines, Report, Style};
use crate::finding::{
    Archived, Facts, Finding, Message, Note, Reach, Skip, Summary, Syntax, Verdict, Warning,
};
use crate::uri::Guarded;

mod place;

use place::{append_place, append_twins, origin_entries};

/// Initial capacity for the identity of a message in bytes. It is rarely longer, so that its memory
/// is allocated once.
const IDENTITY_LEN: usize = 256;

/// Initial capacity for the texts of a URI in bytes, which are rarely longer.
const TEXTS_LEN: usize = 256;
/// Initial capacity for the result of a URI in bytes, enough for one that is valid and not probed.
const VERDICT_LEN: usize = 128;

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
    fn finding(&self, finding: &Finding<'_>, _: &Style, out: &mut Vec<u8>) {
        append_finding(finding, out);
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

    fn tells_messages(&self) -> bool {
        true
    }
}

/// Appends the record of `finding`, without the line feed.
///
/// There are millions of findings, so constant parts are copied and plain text is not examined byte
/// by byte; text that needs escapes goes through `serde_json`.
fn append_finding(finding: &Finding<'_>, out: &mut Vec<u8>) {
    let memo = finding.facts.memo.record.or_again(|| memo(finding));
    out.extend_from_slice(br#"{"type":"finding""#);
    match memo {
        Some([texts, _]) if finding.raw == finding.uri => out.extend_from_slice(texts),
        _ => append_texts(finding, &finding.raw, out),
    }
    append_wrapped(finding, out);
    append_name(br#","cue":"#, Some(finding.cue.name()), out);
    // `null` if the text has no scheme: it begins with `www.`, or is a relative reference.
    let scheme = Some(&*finding.facts.scheme).filter(|scheme| !scheme.is_empty());
    append_name(br#","scheme":"#, scheme, out);
    append_place(&finding.place, out);
    // Absent if the document declares no base, as for nearly every link.
    if let Some(base) = &finding.base {
        append_text([br#","base":"#, br#","base_bytes":"#], &base.shown(), out);
    }
    append_message(finding, out);
    append_twins(finding.twins, out);
    let Finding { facts, reach, verdict, .. } = finding;
    match memo {
        Some([_, said]) if reach.is_none() && *verdict == facts.verdict => {
            out.extend_from_slice(said);
        }
        _ => append_verdict(facts, *reach, *verdict, finding.known, out),
    }
    append_archived(finding.archived, out);
    out.push(b'}');
}

/// Returns the parts of a record that are the same wherever a URI occurs: its texts, if its raw
/// text equals it, and its results without a probe.
fn memo(finding: &Finding<'_>) -> [Box<[u8]>; 2] {
    let (mut texts, mut verdict) = (Vec::with_capacity(TEXTS_LEN), Vec::with_capacity(VERDICT_LEN));
    append_texts(finding, &finding.uri, &mut texts);
    append_verdict(finding.facts, None, finding.facts.verdict, None, &mut verdict);
    [texts.into(), verdict.into()]
}

fn append_texts(finding: &Finding<'_>, raw: &Guarded<'_>, out: &mut Vec<u8>) {
    let uri = finding.uri.shown();
    append_text([br#","uri":"#, br#","uri_bytes":"#], &uri, out);
    let raw = if *raw == finding.uri { uri } else { raw.shown() };
    append_text([br#","raw":"#, br#","raw_bytes":"#], &raw, out);
}

/// Appends the gateways that wrapped the link, and its target or why that is unknown. Absent for
/// nearly every link.
fn append_wrapped(finding: &Finding<'_>, out: &mut Vec<u8>) {
    let Some(wrapped) = &finding.wrapped else { return };
    out.extend_from_slice(br#","wrapped_by":"#);
    append_value(&wrapped.by, out);
    if let Some(target) = finding.target() {
        append_text([br#","target":"#, b""], &target.shown(), out);
    }
    if let Some(reason) = wrapped.unknown {
        append_optional(br#","target_unknown":"#, Some(reason), out);
    }
}

fn append_verdict(
    facts: &Facts,
    reach: Option<&Reach>,
    verdict: Verdict,
    known: Option<Verdict>,
    out: &mut Vec<u8>,
) {
    append_syntax(&facts.syntax, out);
    // Absent if there are no warnings, as for nearly every link.
    if !facts.warnings.is_empty() {
        out.extend_from_slice(br#","warnings":"#);
        append_value(&facts.warnings.iter().map(WarningRecord::from).collect::<Vec<_>>(), out);
    }
    match reach {
        None => out.extend_from_slice(br#","reach":null"#),
        Some(reach) => append_reach(reach, out),
    }
    append_name(br#","verdict":"#, Some(verdict.name()), out);
    // Absent if no baseline lists the finding.
    if let Some(known) = known {
        append_name(br#","known":"#, Some(known.name()), out);
    }
}

/// Appends what web archives hold of the link. Absent if that is unknown.
fn append_archived(archived: Option<&Archived>, out: &mut Vec<u8>) {
    let Some(is_found) = archived.and_then(Archived::is_found) else { return };
    out.extend_from_slice(br#","archived":"#);
    append_value(&is_found, out);
    if let Some(memento) = archived.and_then(Archived::memento) {
        out.extend_from_slice(br#","memento":"#);
        append_value(&MementoRecord::from(memento), out);
    }
}

/// Appends the result of a probe. A server's message may quote a URI with its password.
fn append_reach(reach: &Reach, out: &mut Vec<u8>) {
    append_name(br#","reach":{"class":"#, Some(reach.class.row().name), out);
    append_name(br#","probe":"#, Some(reach.probe), out);
    out.extend_from_slice(br#","status":"#);
    match reach.status {
        Some(status) => append_number(status.into(), out),
        None => out.extend_from_slice(b"null"),
    }
    let message = Guarded::new(reach.message.as_bytes());
    append_text([br#","message":"#, br#","message_bytes":"#], &message.shown(), out);
    let mut before: &[u8] = br#","hops":["#;
    for hop in &reach.hops {
        out.extend_from_slice(before);
        out.extend_from_slice(br#"{"status":"#);
        append_number(hop.status.into(), out);
        append_text([br#","to":"#, br#","to_bytes":"#], &Guarded::new(&hop.to).shown(), out);
        out.push(b'}');
        before = b",";
    }
    out.extend_from_slice(if reach.hops.is_empty() { br#","hops":[]"#.as_slice() } else { b"]" });
    if let Some(runs) = reach.dead_runs {
        out.extend_from_slice(br#","dead_runs":"#);
        append_number(runs.into(), out);
    }
    if let Some(time) = reach.changed_since() {
        append_name(br#","changed_since":"#, Some(&time), out);
    }
    if let Some(hint) = &reach.hint {
        let hint = Guarded::new(hint.as_bytes());
        append_text([br#","hint":"#, br#","hint_bytes":"#], &hint.shown(), out);
    }
    out.push(b'}');
}

/// Appends the message, or `null` for findings outside of mail. A finding in mail has the object
/// even if nothing is known about its message, because links in mail are never fixed.
fn append_message(finding: &Finding<'_>, out: &mut Vec<u8>) {
    if finding.message.is_none() && finding.header.is_none() && !finding.is_mail {
        return out.extend_from_slice(br#","message":null"#);
    }
    match finding.message {
        Some(message) => out.extend_from_slice(message.record.or(|| identity(message))),
        None => out.extend_from_slice(&identity(&Message::default())),
    }
    match finding.header {
        None => out.extend_from_slice(br#","header":null"#),
        Some(name) => append_text([br#","header":"#, br#","header_bytes":"#], name, out),
    }
    append_name(br#","part":"#, finding.part, out);
    out.push(b'}');
}

/// Returns the beginning of the message's object, which is the same for all its findings.
fn identity(message: &Message) -> Vec<u8> {
    let mut out = Vec::with_capacity(IDENTITY_LEN);
    out.extend_from_slice(br#","message":{"id":"#);
    append_id([b"", br#","id_bytes":"#], message.id.as_deref(), &mut out);
    append_name(br#","date":"#, message.date.as_deref(), &mut out);
    out.extend_from_slice(br#","list_id":"#);
    append_id([b"", br#","list_id_bytes":"#], message.list_id.as_deref(), &mut out);
    out.extend_from_slice(br#","number":"#);
    match message.number {
        Some(number) => append_number(number, &mut out),
        None => out.extend_from_slice(b"null"),
    }
    out
}

/// Appends the identifier of a message or a list after its key, or `null`.
fn append_id(keys: [&'static [u8]; 2], id: Option<&[u8]>, out: &mut Vec<u8>) {
    match id {
        None => out.extend_from_slice(b"null"),
        // The end of a line may have cut it within a URI.
        Some(id) => append_text(keys, &Guarded::unfinished(id).shown(), out),
    }
}

/// Appends the result of the first grammar as `syntax`, those of further ones as `also`.
fn append_syntax(syntax: &[Syntax], out: &mut Vec<u8>) {
    out.extend_from_slice(br#","syntax":"#);
    match syntax.split_first() {
        None => out.extend_from_slice(b"null"),
        Some((Syntax { grammar, fault: None, repairs }, _)) if repairs.is_empty() => {
            append_name(br#"{"grammar":"#, Some(grammar), out);
            out.extend_from_slice(br#","ok":true,"repairs":[]}"#);
        }
        Some((other, _)) => append_value(&SyntaxRecord::from(other), out),
    }
    if let Some((_, also @ [_, ..])) = syntax.split_first() {
        out.extend_from_slice(br#","also":"#);
        append_value(&also.iter().map(SyntaxRecord::from).collect::<Vec<_>>(), out);
    }
}

/// The result of one grammar.
#[derive(Serialize)]
#[serde(untagged)]
enum SyntaxRecord<'a> {
    Valid {
        grammar: &'static str,
        ok: bool,
        /// The repairs that the text needed.
        repairs: Vec<&'static str>,
    },
    Faulty {
        grammar: &'static str,
        ok: bool,
        rule: &'static str,
        at: Option<usize>,
        expected: Option<String>,
        spec: &'a str,
        message: &'a str,
        hint: Option<&'a str>,
    },
}

impl<'a> From<&'a Syntax> for SyntaxRecord<'a> {
    fn from(syntax: &'a Syntax) -> Self {
        let grammar = syntax.grammar;
        match &syntax.fault {
            None => {
                let repairs = syntax.repairs.iter().map(|repair| repair.id).collect();
                Self::Valid { grammar, ok: true, repairs }
            }
            Some(fault) => Self::Faulty {
                grammar,
                ok: false,
                rule: fault.rule.id,
                at: fault.at,
                expected: fault.known_expectation(),
                spec: &fault.spec,
                message: &fault.message,
                hint: fault.hint.as_deref(),
            },
        }
    }
}

/// The result of one lint.
#[derive(Serialize)]
struct WarningRecord<'a> {
    rule: &'static str,
    at: usize,
    message: &'a str,
    spec: &'static str,
}

impl<'a> From<&'a Warning> for WarningRecord<'a> {
    fn from(warning: &'a Warning) -> Self {
        let Warning { lint, at, message } = warning;
        Self { rule: lint.id, at: *at, message, spec: lint.spec }
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
            archived: summary.archived.into(),
        }
    }
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
        Class, Cue, Facts, Fault, Finding, LINTS, Message, Note, NoteKind, Origin, Place, RULES,
        Reach, Repairs, Skip, Summary, Syntax, Twin, Verdict, Warning,
    };
    use crate::platform::path_of;
    use crate::span::Position;
    use crate::uri::Guarded;

    fn origin(path: &[u8], members: &[&[u8]]) -> Origin {
        let path = path_of(path).into_owned();
        let members = members.iter().map(|member| member.to_vec()).collect();
        Origin { path, members, ..Origin::default() }
    }

    fn place(origin: &Origin) -> Place<'_> {
        let (offset, len, line, column) = (51, 18, 8, 3);
        let column_bytes = column;
        Place { origin, offset, len, line, column, column_bytes, file_offset: None, decoded: None }
    }

    fn finding<'a>(origin: &'a Origin, uri: &'a [u8], syntax: &'a [Syntax]) -> Finding<'a> {
        Finding {
            uri: Guarded::new(uri),
            raw: Guarded::new(uri),
            wrapped: None,
            cue: Cue::Url,
            place: place(origin),
            base: None,
            behind: None,
            is_mail: false,
            is_name: false,
            is_origin: false,
            effect: None,
            message: None,
            header: None,
            part: None,
            twins: &[],
            facts: Box::leak(Box::new(facts(syntax, Verdict::Ok))),
            reach: None,
            archived: None,
            verdict: Verdict::Ok,
            known: None,
        }
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
        finding.raw = Guarded::new(b"http://www. w3.org/");
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
        let raws = [Guarded::new(uri), Guarded::source_of(uri, b"http://h/\n%zz")];
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
        let record = |(raw, reach): (&Guarded<'_>, _), facts: &Arc<Facts>| {
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
        finding.raw = Guarded::new(b"http://h/=\xe9");
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
            archived: [0; 3],
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
