//! Encodes a finding before its link is probed, and decodes it: every field that judging and
//! reports need.
//!
//! The encoding never leaves the run: rows of tables are encoded by their names. Fields that only
//! the choice of targets needs are not encoded.

use std::borrow::Cow;
use std::sync::Arc;

use super::HEAD_LEN;
use super::fields::{Fields, append_bytes, append_list, append_number, append_option};
use crate::check::unwrap::{GATEWAYS, Unknown};
use crate::finding::{
    ByteSet, Cue, Facts, Fault, Finding, Memo, Message, NOTES, Note, NoteKind, Origin, Place,
    RULES, Repairs, Syntax, Twin, Verdict, Warning, Wrapped, lint,
};
use crate::grammar;
use crate::platform::{OsBytes as _, path_of};
use crate::scheme;
use crate::span::{Position, Span};
use crate::uri::{Hides, Redacted};

/// The first byte of a finding's record.
const FINDING: u8 = 0;
/// The first byte of a note's record.
const NOTE: u8 = 1;

/// A decoded record.
pub(in crate::run) enum Entry<'r> {
    Finding(&'r Finding<'r>),
    Note(Note),
}

// ---- encoding ---------------------------------------------------------------------------

/// Appends the record of `finding`, which has no answer yet.
pub(in crate::run) fn append_finding(finding: &Finding<'_>, out: &mut Vec<u8>) {
    // Fields are named one by one, so that a new one cannot be forgotten here.
    let Finding {
        uri,
        raw,
        wrapped,
        cue,
        place,
        base,
        after: _,
        is_mail,
        is_name,
        is_origin,
        is_torn,
        effect: _,
        message,
        header,
        part,
        twins,
        facts,
        reach: _,
        archived: _,
        verdict: _,
        known: _,
    } = finding;
    append_record(FINDING, out, |out| {
        append_sized(out, |out| append_origin(place.origin, out));
        append_option(*message, out, |message, out| {
            append_sized(out, |out| append_message(message, out));
        });
        append_place(place, out);
        append_guarded(uri, out);
        append_option((raw != uri).then_some(raw), out, append_guarded);
        append_option(wrapped.as_deref(), out, append_wrapped);
        out.push(number_of(cue, &Cue::ALL));
        append_option(base.as_ref(), out, append_guarded);
        out.extend([*is_mail, *is_name, *is_origin, *is_torn].map(u8::from));
        append_option(*header, out, append_bytes);
        append_option(part.map(str::as_bytes), out, append_bytes);
        append_list(twins, out, |twin, out| {
            append_option(twin.part.map(str::as_bytes), out, append_bytes);
            append_place(&twin.place, out);
        });
        append_facts(facts, out);
    });
}

/// Appends the record of `note`.
pub(in crate::run) fn append_note(note: &Note, out: &mut Vec<u8>) {
    let Note { kind, origin, offset, message } = note;
    append_record(NOTE, out, |out| {
        append_sized(out, |out| append_origin(origin, out));
        append_option(*offset, out, append_number);
        append_bytes(kind.name().as_bytes(), out);
        append_bytes(message.as_bytes(), out);
    });
}

/// Appends a record of this kind, after its length.
fn append_record(kind: u8, out: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; HEAD_LEN]);
    out.push(kind);
    append(out);
    let len = (out.len() - start - HEAD_LEN) as u64;
    if let Some(head) = out.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
        *head = len.to_le_bytes();
    }
}

/// Appends fields that are compared as a whole before they are decoded: findings that follow each
/// other mostly have them in common.
fn append_sized(out: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    append(out);
    let end = out.len();
    append_number((end - start) as u64, out);
    // The length was not known before: it is moved to the front.
    let len_len = out.len() - end;
    out.get_mut(start..).unwrap_or_default().rotate_right(len_len);
}

fn append_origin(origin: &Origin, out: &mut Vec<u8>) {
    let Origin { path, members, date, memo: _ } = origin;
    append_bytes(path.as_os_str().as_bytes(), out);
    append_list(members, out, |member, out| append_bytes(member, out));
    append_option(*date, out, |date, out| append_bytes(date.to_string().as_bytes(), out));
}

fn append_message(message: &Message, out: &mut Vec<u8>) {
    // The warnings about the message are among the facts of its links.
    let Message { id, date, list_id, number, unsubscribe: _, record: _ } = message;
    append_option(id.as_deref(), out, append_bytes);
    append_option(date.as_deref().map(str::as_bytes), out, append_bytes);
    append_option(list_id.as_deref(), out, append_bytes);
    append_option(*number, out, append_number);
}

/// Appends the place but for its origin: that of a twin is that of its finding, since the
/// alternatives of a message are in one text.
fn append_place(place: &Place<'_>, out: &mut Vec<u8>) {
    let Place { origin: _, offset, len, line, column, column_bytes, file_offset, decoded } = place;
    for number in [offset, len, line, column, column_bytes] {
        append_number(*number, out);
    }
    append_option(*file_offset, out, append_number);
    append_option(*decoded, out, |Position { line, column, byte }, out| {
        [line, column, byte].into_iter().for_each(|number| append_number(number, out));
    });
}

fn append_wrapped(wrapped: &Wrapped, out: &mut Vec<u8>) {
    let Wrapped { by, unknown } = wrapped;
    append_list(by, out, |name, out| append_bytes(name.as_bytes(), out));
    append_option(unknown.map(str::as_bytes), out, append_bytes);
}

/// Appends a text with its passwords, and what of it is not shown.
fn append_guarded(text: &Redacted<'_>, out: &mut Vec<u8>) {
    append_bytes(text.in_clear(), out);
    match text.hidden() {
        Hides::Passwords => out.push(0),
        Hides::AfterColon => out.push(1),
        Hides::All => out.push(2),
        Hides::Places(places) => {
            out.push(3);
            append_list(places, out, |place, out| {
                append_number(place.start as u64, out);
                append_number(place.end as u64, out);
            });
        }
        Hides::Replaced(uri) => {
            out.push(4);
            append_bytes(uri, out);
        }
        Hides::PasswordsAlone => out.push(5),
    }
}

fn append_facts(facts: &Facts, out: &mut Vec<u8>) {
    let Facts { scheme, syntax, warnings, verdict, memo: _ } = facts;
    append_bytes(scheme.as_bytes(), out);
    append_list(syntax, out, |Syntax { grammar, fault, repairs }, out| {
        append_bytes(grammar.as_bytes(), out);
        let numbers: Vec<u8> = repairs.numbers().collect();
        append_bytes(&numbers, out);
        append_option(fault.as_ref(), out, append_fault);
    });
    append_list(warnings, out, |Warning { lint, at, message }, out| {
        append_bytes(lint.id.as_bytes(), out);
        append_number(*at as u64, out);
        append_bytes(message.as_bytes(), out);
    });
    out.push(number_of(verdict, &Verdict::ALL));
}

fn append_fault(fault: &Fault, out: &mut Vec<u8>) {
    let Fault { rule, at, expected, end_expected, message, hint, spec } = fault;
    append_bytes(rule.id.as_bytes(), out);
    append_option(*at, out, |at, out| append_number(at as u64, out));
    let expected: Vec<u8> = expected.iter().collect();
    append_bytes(&expected, out);
    out.push((*end_expected).into());
    append_bytes(message.as_bytes(), out);
    append_option(hint.as_deref().map(str::as_bytes), out, append_bytes);
    append_bytes(spec.as_bytes(), out);
}

/// Returns the index of `one` among `all`, which are few.
fn number_of<T: PartialEq>(one: &T, all: &[T]) -> u8 {
    (0..).zip(all).find(|(_, other)| *other == one).map_or(u8::MAX, |(number, _)| number)
}

// ---- decoding ---------------------------------------------------------------------------

/// Passes each record of `chunk` to `take`, in order; reports whether all could be decoded.
pub(in crate::run) fn replay(chunk: &[u8], take: &mut dyn FnMut(Entry<'_>)) -> bool {
    let mut replay = Replay { origin: Last::default(), message: Last::default() };
    records(chunk)
        .all(|record| record.and_then(|(kind, fields)| replay.record(kind, fields, take)).is_some())
}

/// Returns the origins of the records of `chunk`, each with its first offset.
pub(in crate::run) fn places(chunk: &[u8]) -> Vec<(Origin, u64)> {
    let mut places = Vec::new();
    let mut last: &[u8] = &[];
    for (kind, mut fields) in records(chunk).flatten() {
        let Some(origin) = fields.bytes().filter(|origin| *origin != last) else { continue };
        last = origin;
        let offset = match kind {
            FINDING => {
                fields.option(Fields::bytes).and_then(|_| fields.number()).unwrap_or_default()
            }
            _ => fields.option(Fields::number).flatten().unwrap_or_default(),
        };
        places.extend(self::origin(&mut Fields(origin)).map(|origin| (origin, offset)));
    }
    places
}

/// Returns the kind and the fields of each record; `None` for bytes that are no record.
fn records(chunk: &[u8]) -> impl Iterator<Item = Option<(u8, Fields<'_>)>> {
    let mut rest = chunk;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let record = rest.split_first_chunk::<HEAD_LEN>().and_then(|(head, after)| {
            let len = usize::try_from(u64::from_le_bytes(*head)).ok()?;
            let (record, after) = after.split_at_checked(len)?;
            rest = after;
            let mut fields = Fields(record);
            Some((fields.byte()?, fields))
        });
        if record.is_none() {
            rest = &[];
        }
        Some(record)
    })
}

/// A value that was decoded last, with its bytes.
struct Last<'c, T> {
    bytes: Option<&'c [u8]>,
    value: T,
}

impl<T: Default> Default for Last<'_, T> {
    fn default() -> Self {
        Self { bytes: None, value: T::default() }
    }
}

impl<'c, T> Last<'c, T> {
    /// Decodes the value of `bytes`, if it is not the last one.
    fn update(
        &mut self,
        bytes: &'c [u8],
        decode: impl FnOnce(&mut Fields<'c>) -> Option<T>,
    ) -> Option<&T> {
        if self.bytes != Some(bytes) {
            self.value = decode(&mut Fields(bytes))?;
            self.bytes = Some(bytes);
        }
        Some(&self.value)
    }
}

/// The state between two records.
struct Replay<'c> {
    origin: Last<'c, Origin>,
    message: Last<'c, Message>,
}

impl<'c> Replay<'c> {
    fn record(
        &mut self,
        kind: u8,
        mut fields: Fields<'c>,
        take: &mut dyn FnMut(Entry<'_>),
    ) -> Option<()> {
        if kind == NOTE {
            take(Entry::Note(note(&mut fields)?));
            return Some(());
        }
        let fields = &mut fields;
        let origin = self.origin.update(fields.bytes()?, origin)?;
        let message = match fields.option(Fields::bytes)? {
            Some(bytes) => Some(self.message.update(bytes, message)?),
            None => None,
        };
        let place = place(origin, fields)?;
        let uri = redacted(fields)?;
        let raw = fields.option(redacted)?.unwrap_or_else(|| uri.clone());
        let wrapped = fields.option(wrapped)?.map(Arc::new);
        let cue = *Cue::ALL.get(usize::from(fields.byte()?))?;
        let base = fields.option(redacted)?;
        let (is_mail, is_name) = (fields.flag()?, fields.flag()?);
        let (is_origin, is_torn) = (fields.flag()?, fields.flag()?);
        let header = fields.option(Fields::bytes)?;
        let part = fields.option(Fields::text)?;
        let twin = |fields: &mut Fields<'c>| {
            Some(Twin { part: fields.option(Fields::text)?, place: self::place(origin, fields)? })
        };
        let twins = fields.list(twin)?;
        let facts = Arc::new(facts(fields)?);
        take(Entry::Finding(&Finding {
            uri,
            raw,
            wrapped,
            cue,
            place,
            base,
            after: None,
            is_mail,
            is_name,
            is_origin,
            is_torn,
            effect: None,
            message,
            header,
            part,
            twins: &twins,
            facts: &facts,
            reach: None,
            archived: None,
            verdict: facts.verdict,
            known: None,
        }));
        Some(())
    }
}

fn note(fields: &mut Fields<'_>) -> Option<Note> {
    let origin = origin(&mut Fields(fields.bytes()?))?;
    let offset = fields.option(Fields::number)?;
    let name = fields.text()?;
    let kind: NoteKind = NOTES.iter().find(|row| row.name == name)?.kind;
    Some(Note { kind, origin, offset, message: fields.text()?.to_owned() })
}

fn origin(fields: &mut Fields<'_>) -> Option<Origin> {
    let path = path_of(fields.bytes()?).into_owned();
    let members = fields.list(|fields| fields.bytes().map(<[u8]>::to_vec))?;
    let date = fields.option(|fields| fields.text()?.parse().ok())?;
    Some(Origin { path, members, date, ..Origin::default() })
}

fn message(fields: &mut Fields<'_>) -> Option<Message> {
    let id = fields.option(Fields::bytes)?.map(<[u8]>::to_vec);
    let date = fields.option(Fields::text)?.map(str::to_owned);
    let list_id = fields.option(Fields::bytes)?.map(<[u8]>::to_vec);
    let number = fields.option(Fields::number)?;
    Some(Message { id, date, list_id, number, ..Message::default() })
}

fn place<'o>(origin: &'o Origin, fields: &mut Fields<'_>) -> Option<Place<'o>> {
    Some(Place {
        origin,
        offset: fields.number()?,
        len: fields.number()?,
        line: fields.number()?,
        column: fields.number()?,
        column_bytes: fields.number()?,
        file_offset: fields.option(Fields::number)?,
        decoded: fields.option(|fields| {
            let (line, column, byte) = (fields.number()?, fields.number()?, fields.number()?);
            Some(Position { line, column, byte })
        })?,
    })
}

fn wrapped(fields: &mut Fields<'_>) -> Option<Wrapped> {
    let by = fields.list(|fields| {
        let name = fields.text()?;
        GATEWAYS.iter().map(|row| row.name).find(|known| *known == name)
    })?;
    let unknown = match fields.option(Fields::text)? {
        Some(about) => Some(Unknown::ALL.map(Unknown::about).into_iter().find(|it| *it == about)?),
        None => None,
    };
    Some(Wrapped { by, unknown })
}

fn redacted<'c>(fields: &mut Fields<'c>) -> Option<Redacted<'c>> {
    let text = fields.bytes()?;
    let hides = match fields.byte()? {
        0 => Hides::Passwords,
        1 => Hides::AfterColon,
        2 => Hides::All,
        3 => Hides::Places(fields.list(|fields| Some(Span::new(fields.size()?, fields.size()?)))?),
        4 => Hides::Replaced(Cow::Borrowed(fields.bytes()?)),
        5 => Hides::PasswordsAlone,
        _ => return None,
    };
    Some(Redacted::hiding(text, hides))
}

fn facts(fields: &mut Fields<'_>) -> Option<Facts> {
    let name = fields.text()?;
    let scheme = match scheme::find(name.as_bytes()) {
        Some(scheme) if scheme.name == name => Cow::Borrowed(scheme.name),
        _ => Cow::Owned(name.to_owned()),
    };
    let syntax = fields.list(|fields| {
        let grammar = grammar::find(fields.text()?)?.name();
        let numbers = fields.bytes()?.iter();
        let repairs = numbers.fold(Repairs::NONE, |all, number| all.with(Repairs::of(*number)));
        Some(Syntax { grammar, fault: fields.option(fault)?, repairs })
    })?;
    let warnings = fields.list(|fields| {
        let lint = lint::find(fields.text()?)?;
        Some(Warning { lint, at: fields.size()?, message: fields.text()?.to_owned() })
    })?;
    let verdict = *Verdict::ALL.get(usize::from(fields.byte()?))?;
    Some(Facts { scheme, syntax, warnings, verdict, memo: Memo::default() })
}

fn fault(fields: &mut Fields<'_>) -> Option<Fault> {
    let id = fields.text()?;
    Some(Fault {
        rule: RULES.iter().find(|rule| rule.id == id)?,
        at: fields.option(Fields::size)?,
        expected: fields.bytes()?.iter().copied().collect::<ByteSet>(),
        end_expected: fields.flag()?,
        message: Cow::Owned(fields.text()?.to_owned()),
        hint: fields.option(Fields::text)?.map(Box::from),
        spec: fields.text()?.into(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::check::unwrap::{GATEWAYS, Unknown};

    use super::{Entry, append_finding, append_note, places, replay};
    use crate::finding::{
        ByteSet, Cue, Facts, Fault, Finding, LINTS, Message, NOTES, Note, NoteKind, Origin, Place,
        RULES, Repairs, Syntax, Twin, Verdict, Warning, Wrapped,
    };
    use crate::grammar::{GRAMMARS, of_references};
    use crate::platform::path_of;
    use crate::report::ndjson::Ndjson;
    use crate::report::text::Text;
    use crate::report::{Lines, Style};
    use crate::span::Position;
    use crate::uri::Redacted;

    fn origin_of(path: &[u8]) -> Origin {
        Origin {
            path: path_of(path).into_owned(),
            members: vec![b"box.mbox".to_vec(), b"\xff 12".to_vec()],
            date: Some(jiff::civil::date(2001, 2, 28)),
            ..Origin::default()
        }
    }

    fn place_of(origin: &Origin, offset: u64) -> Place<'_> {
        Place {
            origin,
            offset,
            len: 200,
            line: 3,
            column: 1 << 40,
            column_bytes: u64::MAX,
            file_offset: Some(0),
            decoded: Some(Position { line: 7, column: 8, byte: 9 }),
        }
    }

    fn message_of_all() -> Message {
        Message {
            id: Some(b"<a:\xfe@b>".to_vec()),
            date: Some("1994-12-01T00:00:00Z".to_owned()),
            list_id: Some(b"l.example".to_vec()),
            number: Some(12),
            ..Message::default()
        }
    }

    /// Facts in which every row of every table occurs.
    fn facts_of_all() -> Arc<Facts> {
        let faults = RULES.iter().zip(0..).map(|(rule, at)| Fault {
            rule,
            at: (at > 0).then_some(at),
            expected: ByteSet::range(0, u8::try_from(at).unwrap_or(u8::MAX)),
            end_expected: at % 2 == 0,
            message: "a message \u{e9}".into(),
            hint: (at % 3 == 0).then(|| "a hint".into()),
            spec: "RFC 0 \u{a7}1".into(),
        });
        let grammars: Vec<_> =
            GRAMMARS.iter().flat_map(|&grammar| [grammar, of_references(grammar)]).collect();
        let faults: Vec<_> = faults.map(Some).chain([None]).collect();
        let count = grammars.len().max(faults.len());
        let all = grammars.iter().cycle().zip(faults.iter().cycle()).take(count).zip(0_usize..);
        let syntax = all.map(|((grammar, fault), number)| Syntax {
            grammar: grammar.name(),
            fault: fault.clone(),
            repairs: [number % 12, number % 5]
                .map(|number| Repairs::of(u8::try_from(number).unwrap()))
                .into_iter()
                .fold(Repairs::NONE, Repairs::with),
        });
        let warnings = LINTS.iter().zip(0..).map(|(&lint, at)| Warning {
            lint,
            at,
            message: format!("word {at}"),
        });
        Arc::new(Facts {
            scheme: "x-unknown".into(),
            syntax: syntax.collect(),
            warnings: warnings.collect(),
            verdict: Verdict::Warn,
            ..Facts::default()
        })
    }

    /// Returns everything of a finding that is kept; memos aside, which hold no fields.
    fn all_of(finding: &Finding<'_>) -> String {
        let Finding { uri, raw, place, base, facts, .. } = finding;
        let hidden = [Some(uri), Some(raw), base.as_ref()]
            .map(|text| text.map(|text| (text.in_clear().to_vec(), text.shown().into_owned())));
        let members = &place.origin.members;
        format!("{finding:?} {hidden:?} {members:?} {:?}", facts.scheme)
    }

    #[track_caller]
    fn same(findings: &[Finding<'_>]) {
        let mut chunk = Vec::new();
        findings.iter().for_each(|finding| append_finding(finding, &mut chunk));
        let mut rest = findings.iter();
        let is_whole = replay(&chunk, &mut |entry| {
            let Entry::Finding(found) = entry else { panic!("a note") };
            let wanted = rest.next().expect("no more findings than there were");
            assert_eq!(all_of(found), all_of(wanted));
            assert_eq!(found.facts.syntax, wanted.facts.syntax);
            assert!(found.uri == wanted.uri && found.raw == wanted.raw);
            assert_eq!(found.wrapped, wanted.wrapped);
            for lines in [&Ndjson as &dyn Lines, &Text] {
                let [mut one, mut other] = [Vec::new(), Vec::new()];
                lines.finding(found, &Style::default(), &mut one);
                lines.finding(wanted, &Style::default(), &mut other);
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                assert_eq!(text(&one), text(&other));
            }
        });
        assert!(is_whole && rest.next().is_none());
    }

    /// A text of each kind of redaction.
    fn guards_of_all() -> [Redacted<'static>; 5] {
        let uri = b"http://u:secret@h/";
        [
            Redacted::new(uri),
            Redacted::userinfo(uri),
            Redacted::password(uri),
            Redacted::unfinished(b"ftp://u:12"),
            Redacted::source_of(uri, b"http://u:sec\nret@h/"),
        ]
    }

    #[test]
    fn every_field_of_a_finding_comes_back() {
        let origins = [origin_of(b"dir/\xff"), Origin::default(), origin_of(b"-")];
        let message = message_of_all();
        let [all, none] = [facts_of_all(), Arc::new(Facts::default())];
        let guards = guards_of_all();
        let by = GATEWAYS.iter().map(|row| row.name).collect();
        let wrapped = Arc::new(Wrapped { by, unknown: Some(Unknown::Count.about()) });
        let twins = [
            Twin { part: Some("1.2"), place: place_of(&origins[0], 5) },
            Twin { part: None, place: Place { decoded: None, ..place_of(&origins[0], 6) } },
        ];
        let whole = Finding {
            uri: guards[0].clone(),
            raw: guards[4].clone(),
            wrapped: Some(Arc::clone(&wrapped)),
            cue: Cue::Header,
            place: place_of(&origins[0], 77),
            base: Some(guards[1].clone()),
            after: None,
            is_mail: true,
            is_name: false,
            is_origin: true,
            is_torn: false,
            effect: None,
            message: Some(&message),
            header: Some(b"List-\xff"),
            part: Some("1.2"),
            twins: &twins,
            facts: &all,
            reach: None,
            archived: None,
            verdict: all.verdict,
            known: None,
        };
        let bare = Finding {
            uri: guards[2].clone(),
            raw: guards[2].clone(),
            wrapped: None,
            cue: Cue::Www,
            place: Place { file_offset: None, decoded: None, ..place_of(&origins[1], 0) },
            base: None,
            is_mail: false,
            is_name: true,
            is_origin: false,
            is_torn: true,
            message: None,
            header: None,
            part: None,
            twins: &[],
            facts: &none,
            verdict: none.verdict,
            ..whole.clone()
        };
        same(&[]);
        // Reports keep what they made of facts, so that each has its own.
        for redacted in &guards {
            let facts = Arc::new(Facts { scheme: "http".into(), ..Facts::default() });
            let (uri, verdict) = (redacted.clone(), facts.verdict);
            same(&[Finding { uri, facts: &facts, verdict, ..bare.clone() }]);
        }
        // The origin and the message of the last finding are those of the next one, or not.
        same(&[whole.clone(), whole.clone(), bare.clone(), whole.clone(), bare]);
        let elsewhere = Finding { place: place_of(&origins[2], 1), twins: &[], ..whole };
        same(&[elsewhere]);
    }

    #[test]
    fn every_note_comes_back_between_findings_and_names_its_place() {
        let notes: Vec<Note> = NOTES
            .iter()
            .zip(0..)
            .map(|(row, number)| Note {
                kind: row.kind,
                origin: if number % 2 == 0 { Origin::default() } else { origin_of(b"a") },
                offset: (number % 3 > 0).then_some(number),
                message: format!("expected {number}"),
            })
            .collect();
        let mut chunk = Vec::new();
        notes.iter().for_each(|note| append_note(note, &mut chunk));
        let mut read = Vec::new();
        assert!(replay(&chunk, &mut |entry| match entry {
            Entry::Note(note) => read.push(note),
            Entry::Finding(finding) => panic!("{finding:?}"),
        }));
        assert_eq!(read, notes);
        let found = places(&chunk);
        let wanted = notes.iter().map(|note| (note.origin.clone(), note.offset.unwrap_or(0)));
        assert_eq!(found, wanted.collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_record_is_told() {
        let note = Note {
            kind: NoteKind::Tnef,
            origin: origin_of(b"a"),
            offset: None,
            message: "m".to_owned(),
        };
        let mut chunk = Vec::new();
        append_note(&note, &mut chunk);
        for end in 1..chunk.len() {
            assert!(!replay(&chunk[..end], &mut |_| panic!("{end}")), "{end}");
        }
        assert!(replay(&chunk, &mut |_| {}));
    }
}
