//! Comparisons as one JSON object (RFC 8259), a link a line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Change, Counts, Format, Known, Row, Runs, split};
use crate::report::day::Day;
use crate::report::escape::json::append_value;
use crate::report::record::{Bytes, SCHEMA};

/// The object, of which nothing is kept but whether a comma is due.
#[derive(Default)]
pub(super) struct Object {
    has_links: bool,
}

#[derive(Serialize)]
struct Link<'r> {
    change: &'static str,
    uri: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_bytes: Option<Bytes>,
    place: Option<Cow<'r, str>>,
    old: Option<LinkState>,
    new: Option<LinkState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_to: Option<Cow<'r, str>>,
    first: Option<String>,
    last: Option<String>,
}

#[derive(Serialize)]
struct LinkState {
    dead: Option<bool>,
    class: Option<&'static str>,
    status: Option<u16>,
    asked: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_to: Option<String>,
}

fn state(known: Known) -> LinkState {
    LinkState {
        dead: known.is_dead,
        class: known.class.map(|class| class.row().name),
        status: known.status,
        asked: known.asked.map(Day::text),
        moved_to: None,
    }
}

impl Format for Object {
    fn begin(&mut self, runs: &Runs, counts: &Counts, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"type":"comparison","schema":"#);
        append_value(&SCHEMA, out);
        out.extend_from_slice(br#","tool":{"name":"linktrawl","version":"#);
        append_value(&env!("CARGO_PKG_VERSION"), out);
        for (key, name) in [("},\n\"old\":", &runs.old), (",\"new\":", &runs.new)] {
            out.extend_from_slice(key.as_bytes());
            append_value(name, out);
        }
        for (key, day) in [",\"old_made\":", ",\"new_made\":"].into_iter().zip(runs.made) {
            out.extend_from_slice(key.as_bytes());
            append_value(&day.map(Day::text), out);
        }
        out.extend_from_slice(b",\n\"counts\":");
        let counts: BTreeMap<_, _> =
            Change::ALL.iter().map(|change| (change.name(), counts.of(*change))).collect();
        append_value(&counts, out);
        out.extend_from_slice(b",\n\"links\":[");
    }

    fn row(&mut self, change: Change, row: &Row, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.has_links { b",\n" } else { b"\n" });
        self.has_links = true;
        let (uri, place, to) = (row.uri(), row.place(), row.moved_to());
        let before = row.moved_before().map(|to| String::from_utf8_lossy(&to).into_owned());
        let (uri, uri_bytes) = split(&uri);
        let link = Link {
            change: change.name(),
            uri,
            uri_bytes,
            place: place.as_deref().map(String::from_utf8_lossy),
            old: row.old.map(|known| LinkState { moved_to: before, ..state(known) }),
            new: row.new.map(state),
            moved_to: to.as_deref().map(String::from_utf8_lossy),
            first: row.days.map(|[first, _]| first.text()),
            last: row.days.map(|[_, last]| last.text()),
        };
        append_value(&link, out);
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n]}\n");
    }
}
