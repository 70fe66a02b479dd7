//! Makes the row of a finding of a saved run from its record.

use std::borrow::Cow;

use super::derived;
use super::row::Row;
use crate::report::fields::{Fields as _, Key, key};
use crate::report::record::{
    Bytes, HopRecord, MementoRecord, MessageRecord, PlaceRecord, ReachRecord, Record, SyntaxRecord,
    TwinRecord, WarningRecord,
};
use crate::report::rot::{Fate, is_inaccessible};
use crate::report::year::year;

/// Adds the values of `record` to `row`.
pub(super) fn visit(record: &Record, row: &mut Row) {
    link(record, row);
    place(&record.place, row);
    row.flag(key!(Mail, "is_mail"), record.message.is_some());
    if let Some(it) = &record.message {
        message(it, row);
    }
    if let Some(it) = &record.syntax {
        syntax(it, row);
    }
    if !record.also.is_empty() {
        row.items(key!(More, "also"), record.also.iter(), syntax);
    }
    if !record.warnings.is_empty() {
        row.items(key!(More, "warnings"), record.warnings.iter(), warning);
    }
    if !record.twins.is_empty() {
        row.items(key!(More, "twins"), record.twins.iter(), twin);
    }
    if let Some(it) = &record.reach {
        reach(it, row);
    }
    row.name(key!(End, "verdict"), Some(record.verdict.name()));
    row.utf8(key!(End, "known"), record.known.as_deref());
    if let Some(is_found) = record.archived {
        row.flag(key!(Archived, "archived"), is_found);
    }
    row.utf8(key!(Rot, "archived_unknown"), record.archived_unknown.as_deref());
    if let Some(it) = &record.memento {
        memento(it, row);
    }
    derived::link(record.uri(), record.scheme.is_some(), &record.cue, row);
    row.number(key!(End, "year"), year(record).map(u64::from));
    derived::answer(Fate::of(record), is_inaccessible(record), row);
}

fn link(record: &Record, row: &mut Row) {
    row.utf8(key!(Link, "uri"), Some(&record.uri));
    bytes(key!(Link, "uri_bytes"), record.uri_bytes.as_ref(), row);
    row.utf8(key!(Link, "raw"), Some(&record.raw));
    bytes(key!(Link, "raw_bytes"), record.raw_bytes.as_ref(), row);
    if !record.wrapped_by.is_empty() {
        row.texts(key!(Link, "wrapped_by"), texts(&record.wrapped_by));
    }
    row.utf8(key!(Link, "target"), record.target.as_deref());
    row.utf8(key!(Link, "target_unknown"), record.target_unknown.as_deref());
    row.utf8(key!(Link, "cue"), Some(&record.cue));
    row.utf8(key!(Link, "scheme"), record.scheme.as_deref());
    row.utf8(key!(Link, "base"), record.base.as_deref());
    bytes(key!(Link, "base_bytes"), record.base_bytes.as_ref(), row);
}

fn place(place: &PlaceRecord, row: &mut Row) {
    row.utf8(key!(Place, "path"), Some(&place.path));
    bytes(key!(Place, "path_bytes"), place.path_bytes.as_ref(), row);
    row.texts(key!(Place, "members"), texts(&place.members));
    if let Some(members) = &place.members_bytes {
        let blobs = members.iter().map(|Bytes(bytes)| Cow::Borrowed(&**bytes));
        row.blobs(key!(Place, "members_bytes"), blobs);
    }
    if let Some(date) = &place.date {
        row.day(key!(Place, "date"), date);
    }
    row.number(key!(Place, "offset"), Some(place.offset));
    row.number(key!(Place, "len"), Some(place.len));
    row.number(key!(Place, "line"), Some(place.line));
    row.number(key!(Place, "column"), Some(place.column));
    row.number(key!(Place, "column_bytes"), place.column_bytes);
    row.number(key!(Place, "file_offset"), place.file_offset);
    row.number(key!(Place, "decoded_line"), place.decoded.map(|at| at.line));
    row.number(key!(Place, "decoded_column"), place.decoded.map(|at| at.column));
}

fn message(message: &MessageRecord, row: &mut Row) {
    row.utf8(key!(Message, "id"), message.id.as_deref());
    bytes(key!(Message, "id_bytes"), message.id_bytes.as_ref(), row);
    row.time(key!(Message, "date"), message.date.as_deref());
    row.utf8(key!(Message, "list_id"), message.list_id.as_deref());
    bytes(key!(Message, "list_id_bytes"), message.list_id_bytes.as_ref(), row);
    row.number(key!(Message, "number"), message.number);
    row.utf8(key!(Message, "header"), message.header.as_deref());
    bytes(key!(Message, "header_bytes"), message.header_bytes.as_ref(), row);
    row.utf8(key!(Message, "part"), message.part.as_deref());
}

fn syntax(syntax: &SyntaxRecord, row: &mut Row) {
    row.utf8(key!(Syntax, "grammar"), Some(&syntax.grammar));
    row.flag(key!(Syntax, "ok"), syntax.fault.is_none());
    let Some(fault) = &syntax.fault else {
        return row.texts(key!(Syntax, "repairs"), texts(&syntax.repairs));
    };
    row.utf8(key!(Syntax, "rule"), Some(&fault.rule));
    row.number(key!(Syntax, "at"), fault.at);
    row.utf8(key!(Syntax, "expected"), fault.expected.as_deref());
    row.utf8(key!(Syntax, "spec"), Some(&fault.spec));
    row.utf8(key!(Syntax, "message"), Some(&fault.message));
    row.utf8(key!(Syntax, "hint"), fault.hint.as_deref());
}

fn warning(warning: &WarningRecord, row: &mut Row) {
    row.utf8(key!(Warning, "rule"), Some(&warning.rule));
    row.number(key!(Warning, "at"), Some(warning.at));
    row.utf8(key!(Warning, "message"), Some(&warning.message));
    row.utf8(key!(Warning, "spec"), Some(&warning.spec));
}

fn twin(twin: &TwinRecord, row: &mut Row) {
    row.utf8(key!(Twin, "part"), twin.part.as_deref());
    place(&twin.place, row);
}

fn reach(reach: &ReachRecord, row: &mut Row) {
    row.utf8(key!(Reach, "class"), Some(&reach.class));
    row.utf8(key!(Reach, "probe"), Some(&reach.probe));
    row.number(key!(Reach, "status"), reach.status.map(u64::from));
    row.utf8(key!(Reach, "message"), Some(&reach.message));
    bytes(key!(Reach, "message_bytes"), reach.message_bytes.as_ref(), row);
    row.items(key!(Reach, "hops"), reach.hops.iter(), hop);
    row.number(key!(Reach, "dead_runs"), reach.dead_runs.map(u64::from));
    row.utf8(key!(Rot, "reach_changed_since"), reach.changed_since.as_deref());
    row.utf8(key!(Reach, "hint"), reach.hint.as_deref());
    bytes(key!(Reach, "hint_bytes"), reach.hint_bytes.as_ref(), row);
}

fn hop(hop: &HopRecord, row: &mut Row) {
    row.number(key!(Hop, "status"), Some(hop.status.into()));
    row.utf8(key!(Hop, "to"), Some(&hop.to));
    bytes(key!(Hop, "to_bytes"), hop.to_bytes.as_ref(), row);
}

fn memento(memento: &MementoRecord, row: &mut Row) {
    row.utf8(key!(Memento, "uri"), memento.uri.as_deref());
    row.time(key!(Memento, "datetime"), Some(&memento.datetime));
    row.signed(key!(Memento, "distance_days"), memento.distance_days);
    row.utf8(key!(Memento, "archive"), Some(&memento.archive));
}

fn bytes(key: Key, bytes: Option<&Bytes>, row: &mut Row) {
    if let Some(Bytes(bytes)) = bytes {
        row.put(key.column, bytes);
    }
}

fn texts(texts: &[String]) -> impl Iterator<Item = Cow<'_, str>> {
    texts.iter().map(|text| Cow::Borrowed(&**text))
}
