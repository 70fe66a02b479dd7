//! The `cdxj` format: each finding as a line of a web archive's index, so that findings can be
//! joined with such indexes.
//!
//! A line has the sort key of the URI (`uri::surt`), the date of the message or file in 14 digits
//! or `-`, and a JSON object, as pywb and Common Crawl write them. Lines are in the order of the
//! run; `LC_ALL=C sort` puts them in that of an index. Relative links have no key, and no line;
//! nor have notes and totals.

use std::borrow::Cow;

use serde::Serialize;

use super::entry::shown;
use super::escape::json::append_value;
use super::key::key;
use super::record::{Bytes, MementoRecord, NoteRecord, Record, SummaryRecord};
use super::site::site;
use super::{Document, Form, Report};

/// The `cdxj` format.
pub struct Cdxj;

impl Report for Cdxj {
    fn name(&self) -> &'static str {
        "cdxj"
    }

    fn about(&self) -> &'static str {
        "lines with the keys of web archives' indexes (CDXJ), to join findings with these"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Lines))
    }
}

/// The lines, of which none is kept.
struct Lines;

/// The object at the end of a line. Values are texts, as in the indexes.
#[derive(Serialize)]
struct Fields<'r> {
    url: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_bytes: Option<&'r Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    path: &'r str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    members: &'r [String],
    line: String,
    column: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list_id: Option<&'r str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    wrapped_by: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    archived: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memento: Option<&'r MementoRecord>,
}

impl Document for Lines {
    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        let Some(key) = key(record) else { return };
        append_key(&key, out);
        let time = timestamp(record).unwrap_or(Cow::Borrowed("-"));
        out.extend_from_slice(format!(" {time} ").as_bytes());
        let Record { place, message, reach, .. } = record;
        let (message, reach) = (message.as_ref(), reach.as_ref());
        let fields = Fields {
            url: &record.uri,
            url_bytes: record.uri_bytes.as_ref(),
            status: reach.and_then(|reach| reach.status).map(|status| status.to_string()),
            verdict: record.verdict.name(),
            class: reach.map(|reach| &*reach.class),
            site: site(&shown(record.uri())),
            path: &place.path,
            members: &place.members,
            line: place.line.to_string(),
            column: place.column.to_string(),
            message_id: message.and_then(|message| message.id.as_deref()),
            list_id: message.and_then(|message| message.list_id.as_deref()),
            wrapped_by: &record.wrapped_by,
            archived: record.archived.map(|is_found| if is_found { "true" } else { "false" }),
            memento: record.memento.as_ref(),
        };
        append_value(&fields, out);
        out.push(b'\n');
    }

    fn note(&mut self, _: &NoteRecord, _: &mut Vec<u8>) {}

    fn finish(&mut self, _: &SummaryRecord, _: &mut Vec<u8>) {}
}

/// Appends `key`, which begins a line. The indexes have no blank in a key, since one ends it; and
/// no line begins a command of a workflow runner, as the key of `http:::a` would.
fn append_key(key: &[u8], out: &mut Vec<u8>) {
    let key = shown(key).replace(' ', "%20");
    let rest = key.strip_prefix("::");
    out.extend_from_slice(if rest.is_some() { b"%3A:" } else { b"" });
    out.extend_from_slice(rest.unwrap_or(&key).as_bytes());
}

/// Returns the date of the message or of the file in 14 digits: `19941201183000`.
fn timestamp(record: &Record) -> Option<Cow<'static, str>> {
    let date = record.message.as_ref().and_then(|message| message.date.as_deref());
    let date = date.or(record.place.date.as_deref())?;
    let digits: String = date.chars().filter(char::is_ascii_digit).collect();
    let is_date = date.chars().all(|char| char.is_ascii_digit() || "-:TZ".contains(char));
    match digits.len() {
        14 if is_date => Some(digits.into()),
        8 if is_date => Some(format!("{digits}000000").into()),
        _ => None,
    }
}
