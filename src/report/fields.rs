//! Visits the fields of a finding, in the order of its record (schema version 1).
//!
//! `ndjson` encodes the fields as a line, and `arrow` as the values of columns, which `columns.rs`
//! declares. A line is read again as the `Record` of `record.rs`, of which `sqlite.rs` and `csv.rs`
//! have columns of their own: a field that these formats show is added there, too.

use std::borrow::Cow;

use crate::finding::{
    Archived, Cached, Encodings, Fault, Finding, Memento, Message, Origin, Place, Reach, Syntax,
    Twin, Verdict, Warning,
};
use crate::span::Position;
use crate::uri::Redacted;

/// Initial capacity for encoded fields in bytes, which are rarely longer, so that their memory is
/// allocated once.
const KEPT_LEN: usize = 256;

/// The name of a field.
#[derive(Clone, Copy)]
pub(super) struct Key {
    /// The text of a line between the previous value and the value of the field.
    pub(super) json: &'static str,
    /// The number of the column.
    #[cfg(feature = "arrow")]
    pub(super) column: u8,
}

/// Returns the key of a field of a group of columns; `$before` is the text of a line between the
/// previous value and the name, where that is not a comma.
macro_rules! key {
    ($group:ident, $name:literal) => {
        key!($group, $name, concat!(",\"", $name, "\":"))
    };
    ($group:ident, $name:literal, $json:expr) => {
        const {
            $crate::report::fields::Key {
                json: $json,
                #[cfg(feature = "arrow")]
                column: $crate::report::columns::number(
                    $crate::report::columns::Group::$group,
                    $name,
                ),
            }
        }
    };
}

/// An encoding of the fields of a finding.
///
/// `None` is a field that is `null` in a line; fields that are absent from a line are not visited.
pub(super) trait Fields: Default {
    /// Returns the bytes that are encoded so far.
    fn bytes(&mut self) -> &mut Vec<u8>;

    /// Returns the cache of this encoding.
    fn cache<T>(of: &Encodings<T>) -> &Cached<T>;

    /// Encodes a text that may contain any bytes; those that are not UTF-8 have the second key.
    fn text(&mut self, keys: [Key; 2], text: &[u8]);

    /// Encodes a text that has no second key.
    fn lossy(&mut self, key: Key, text: &[u8]);

    /// Encodes a text that is UTF-8.
    fn utf8(&mut self, key: Key, text: Option<&str>);

    /// Encodes a word that needs no escape in any format: a fixed word, a scheme or the number of a
    /// part.
    fn name(&mut self, key: Key, name: Option<&str>);

    /// Encodes a time in the form of RFC 3339.
    fn time(&mut self, key: Key, time: Option<&str>);

    /// Encodes a day in the form of RFC 3339.
    fn day(&mut self, key: Key, day: &str);

    fn number(&mut self, key: Key, number: Option<u64>);

    fn signed(&mut self, key: Key, number: Option<i64>);

    fn flag(&mut self, key: Key, flag: bool);

    /// Encodes a list of texts.
    fn texts<'t>(&mut self, key: Key, texts: impl Iterator<Item = Cow<'t, str>>);

    /// Encodes a list of bytes.
    fn blobs<'t>(&mut self, key: Key, blobs: impl Iterator<Item = Cow<'t, [u8]>>);

    /// Encodes a list of objects, of which `visit` visits one.
    fn items<I>(&mut self, key: Key, items: impl Iterator<Item = I>, visit: impl Fn(I, &mut Self));

    /// Encodes a text of a line that is no field: an object that is absent, or the end of one.
    fn literal(&mut self, json: &'static str);

    /// Encodes the values that are derived from the URI of `finding`, which has a scheme.
    fn derived_of_uri(&mut self, _finding: &Finding<'_>) {}

    /// Encodes all other values that are derived from `finding`.
    fn derived(&mut self, _finding: &Finding<'_>) {}
}

/// Encodes the fields that `visit` visits, and nothing else.
fn apart<F: Fields>(visit: impl FnOnce(&mut F)) -> Vec<u8> {
    let mut to = F::default();
    to.bytes().reserve(KEPT_LEN);
    visit(&mut to);
    std::mem::take(to.bytes())
}

/// Visits the fields of `finding`.
pub(super) fn visit<F: Fields>(finding: &Finding<'_>, to: &mut F) {
    let memo = F::cache(&finding.facts.memo.record).get_from_second(|| memo::<F>(finding));
    match memo {
        Some([texts, _]) if finding.raw == finding.uri => to.bytes().extend_from_slice(texts),
        _ => texts(finding, &finding.raw, to),
    }
    wrapped(finding, to);
    to.name(key!(Link, "cue"), Some(finding.cue.name()));
    // `null` if the text has no scheme: it begins with `www.`, or is a relative reference.
    let scheme = Some(&*finding.facts.scheme).filter(|scheme| !scheme.is_empty());
    to.name(key!(Link, "scheme"), scheme);
    place(&finding.place, to);
    // Absent if the document declares no base, as for nearly every link.
    if let Some(base) = &finding.base {
        to.text([key!(Link, "base"), key!(Link, "base_bytes")], &base.shown());
    }
    message(finding, to);
    twins(finding.twins, to);
    let Finding { facts, reach, verdict, .. } = finding;
    match memo {
        Some([_, said]) if reach.is_none() && *verdict == facts.verdict => {
            to.bytes().extend_from_slice(said);
        }
        _ => said(finding, *reach, *verdict, finding.known, to),
    }
    archived(finding.archived, to);
    to.derived(finding);
    to.literal("}");
}

/// Returns the parts of a record that are the same wherever a URI occurs: its texts, if its raw
/// text equals it, and its results without a probe.
fn memo<F: Fields>(finding: &Finding<'_>) -> [Box<[u8]>; 2] {
    let of_text = apart(|to: &mut F| texts(finding, &finding.uri, to));
    let of_facts = apart(|to: &mut F| said(finding, None, finding.facts.verdict, None, to));
    [of_text.into(), of_facts.into()]
}

fn texts(finding: &Finding<'_>, raw: &Redacted<'_>, to: &mut impl Fields) {
    let uri = finding.uri.shown();
    to.text([key!(Link, "uri"), key!(Link, "uri_bytes")], &uri);
    let raw = if *raw == finding.uri { uri } else { raw.shown() };
    to.text([key!(Link, "raw"), key!(Link, "raw_bytes")], &raw);
}

/// Visits the gateways that wrapped the link, and its target or why that is unknown. Absent for
/// nearly every link.
fn wrapped(finding: &Finding<'_>, to: &mut impl Fields) {
    let Some(wrapped) = &finding.wrapped else { return };
    to.texts(key!(Link, "wrapped_by"), wrapped.by.iter().map(|by| Cow::Borrowed(*by)));
    if let Some(target) = finding.target() {
        to.lossy(key!(Link, "target"), &target.shown());
    }
    if let Some(reason) = wrapped.unknown {
        to.utf8(key!(Link, "target_unknown"), Some(reason));
    }
}

fn place<F: Fields>(place: &Place<'_>, to: &mut F) {
    let Place { origin, offset, len, line, column, column_bytes, .. } = *place;
    let kept =
        F::cache(&origin.memo.record).get_or(|| apart(|to: &mut F| holder(origin, to)).into());
    to.bytes().extend_from_slice(kept);
    to.number(key!(Place, "offset"), Some(offset));
    to.number(key!(Place, "len"), Some(len));
    to.number(key!(Place, "line"), Some(line));
    to.number(key!(Place, "column"), Some(column));
    // Absent if all text before it on the line is US-ASCII.
    if column_bytes != column {
        to.number(key!(Place, "column_bytes"), Some(column_bytes));
    }
    to.number(key!(Place, "file_offset"), place.file_offset);
    // Absent if the text was not decoded.
    if let Some(Position { line, column, .. }) = place.decoded {
        to.number(key!(Place, "decoded_line", ",\"decoded\":{\"line\":"), Some(line));
        to.number(key!(Place, "decoded_column", ",\"column\":"), Some(column));
        to.literal("}");
    }
    to.literal("}");
}

/// Visits the beginning of a place, which is the same for all findings in one text.
fn holder(origin: &Origin, to: &mut impl Fields) {
    let Origin { path, members, date, .. } = origin;
    let path = Redacted::new(path.as_os_str().as_encoded_bytes());
    let key = key!(Place, "path", ",\"place\":{\"path\":");
    to.text([key, key!(Place, "path_bytes")], &path.shown());
    let shown = || members.iter().map(|member| Redacted::new(member).shown().into_owned());
    let lossy = shown().map(|member| String::from_utf8_lossy(&member).into_owned().into());
    to.texts(key!(Place, "members"), lossy);
    // They replace all members if one is not UTF-8.
    if members.iter().any(|member| std::str::from_utf8(member).is_err()) {
        to.blobs(key!(Place, "members_bytes"), shown().map(Cow::Owned));
    }
    // Absent if no archive records it.
    if let Some(date) = date {
        to.day(key!(Place, "date"), &date.to_string());
    }
}

/// Visits the further occurrences of a link, if there are any.
fn twins<F: Fields>(twins: &[Twin<'_>], to: &mut F) {
    if !twins.is_empty() {
        to.items(key!(More, "twins"), twins.iter(), |twin, to| {
            to.name(key!(Twin, "part", "{\"part\":"), twin.part);
            place(&twin.place, to);
            to.literal("}");
        });
    }
}

/// Visits the message. A finding in mail has the object even if nothing is known about its message,
/// because links in mail are never fixed.
fn message<F: Fields>(finding: &Finding<'_>, to: &mut F) {
    if !has_message(finding) {
        return to.literal(",\"message\":null");
    }
    match finding.message {
        Some(message) => {
            let kept =
                F::cache(&message.record).get_or(|| apart(|to: &mut F| identity(message, to)));
            to.bytes().extend_from_slice(kept);
        }
        None => identity(&Message::default(), to),
    }
    match finding.header {
        None => to.utf8(key!(Message, "header"), None),
        Some(name) => to.text([key!(Message, "header"), key!(Message, "header_bytes")], name),
    }
    to.name(key!(Message, "part"), finding.part);
    to.literal("}");
}

/// Reports whether the record of `finding` has a message.
pub(super) const fn has_message(finding: &Finding<'_>) -> bool {
    finding.message.is_some() || finding.header.is_some() || finding.is_mail
}

/// Visits the beginning of the message, which is the same for all its findings.
fn identity<F: Fields>(message: &Message, to: &mut F) {
    // The end of a line may have cut an identifier within a URI.
    let id = |to: &mut F, keys: [Key; 2], id: &Option<Vec<u8>>| match id {
        None => to.utf8(keys[0], None),
        Some(id) => to.text(keys, &Redacted::unfinished(id).shown()),
    };
    let key = key!(Message, "id", ",\"message\":{\"id\":");
    id(to, [key, key!(Message, "id_bytes")], &message.id);
    to.time(key!(Message, "date"), message.date.as_deref());
    id(to, [key!(Message, "list_id"), key!(Message, "list_id_bytes")], &message.list_id);
    to.number(key!(Message, "number"), message.number);
}

/// Visits the results of grammars and lints, and that of the probe.
fn said(
    finding: &Finding<'_>,
    reach: Option<&Reach>,
    verdict: Verdict,
    known: Option<Verdict>,
    to: &mut impl Fields,
) {
    let facts = finding.facts;
    match facts.syntax.split_first() {
        None => to.literal(",\"syntax\":null"),
        Some((first, also)) => {
            syntax(first, key!(Syntax, "grammar", ",\"syntax\":{\"grammar\":"), to);
            if !also.is_empty() {
                to.items(key!(More, "also"), also.iter(), |other, to| {
                    syntax(other, key!(Syntax, "grammar", "{\"grammar\":"), to);
                });
            }
        }
    }
    // Absent if there are no warnings, as for nearly every link.
    if !facts.warnings.is_empty() {
        to.items(key!(More, "warnings"), facts.warnings.iter(), warning);
    }
    match reach {
        None => to.literal(",\"reach\":null"),
        Some(reach) => self::reach(reach, to),
    }
    to.name(key!(End, "verdict"), Some(verdict.name()));
    // Absent if no baseline lists the finding.
    if let Some(known) = known {
        to.name(key!(End, "known"), Some(known.name()));
    }
    if !facts.scheme.is_empty() {
        to.derived_of_uri(finding);
    }
}

/// Visits the result of one grammar; `first` is the key of its name.
fn syntax(syntax: &Syntax, first: Key, to: &mut impl Fields) {
    to.name(first, Some(syntax.grammar));
    to.flag(key!(Syntax, "ok"), syntax.fault.is_none());
    match &syntax.fault {
        None => {
            let repairs = syntax.repairs.iter().map(|repair| Cow::Borrowed(repair.id));
            to.texts(key!(Syntax, "repairs"), repairs);
        }
        Some(fault) => {
            let Fault { rule, at, message, hint, spec, .. } = fault;
            to.name(key!(Syntax, "rule"), Some(rule.id));
            to.number(key!(Syntax, "at"), at.map(|at| at as u64));
            to.utf8(key!(Syntax, "expected"), fault.known_expectation().as_deref());
            to.utf8(key!(Syntax, "spec"), Some(spec));
            to.utf8(key!(Syntax, "message"), Some(message));
            to.utf8(key!(Syntax, "hint"), hint.as_deref());
        }
    }
    to.literal("}");
}

/// Visits the result of one lint.
fn warning(warning: &Warning, to: &mut impl Fields) {
    let Warning { lint, at, message } = warning;
    to.name(key!(Warning, "rule", "{\"rule\":"), Some(lint.id));
    to.number(key!(Warning, "at"), Some(*at as u64));
    to.utf8(key!(Warning, "message"), Some(message));
    to.utf8(key!(Warning, "spec"), Some(lint.spec));
    to.literal("}");
}

/// Visits the result of a probe. A server's message may quote a URI with its password.
fn reach(reach: &Reach, to: &mut impl Fields) {
    to.name(key!(Reach, "class", ",\"reach\":{\"class\":"), Some(reach.class.row().name));
    to.name(key!(Reach, "probe"), Some(reach.probe));
    to.number(key!(Reach, "status"), reach.status.map(u64::from));
    let message = Redacted::new(reach.message.as_bytes());
    to.text([key!(Reach, "message"), key!(Reach, "message_bytes")], &message.shown());
    to.items(key!(Reach, "hops"), reach.hops.iter(), |hop, to| {
        to.number(key!(Hop, "status", "{\"status\":"), Some(hop.status.into()));
        to.text([key!(Hop, "to"), key!(Hop, "to_bytes")], &Redacted::new(&hop.to).shown());
        to.literal("}");
    });
    if let Some(runs) = reach.dead_runs {
        to.number(key!(Reach, "dead_runs"), Some(runs.into()));
    }
    if let Some(time) = reach.changed_since() {
        to.name(key!(Rot, "reach_changed_since", ",\"changed_since\":"), Some(&time));
    }
    if let Some(hint) = &reach.hint {
        let hint = Redacted::new(hint.as_bytes());
        to.text([key!(Reach, "hint"), key!(Reach, "hint_bytes")], &hint.shown());
    }
    to.literal("}");
}

/// Visits what web archives hold of the link, or why that is unknown. Absent for links that were
/// not to be looked up.
fn archived(archived: Option<&Archived>, to: &mut impl Fields) {
    if let Some(reason) = archived.and_then(Archived::unknown) {
        to.name(key!(Rot, "archived_unknown"), Some(reason.name()));
    }
    let Some(is_found) = archived.and_then(Archived::is_found) else { return };
    to.flag(key!(Archived, "archived"), is_found);
    if let Some(Memento { uri, time, distance_days, archive }) =
        archived.and_then(Archived::memento)
    {
        to.utf8(key!(Memento, "uri", ",\"memento\":{\"uri\":"), uri.as_deref());
        to.time(key!(Memento, "datetime"), Some(&time.to_string()));
        to.signed(key!(Memento, "distance_days"), *distance_days);
        to.utf8(key!(Memento, "archive"), Some(archive));
        to.literal("}");
    }
}

#[cfg(feature = "arrow")]
pub(super) use key;
