//! Splits a finding into statements: the result of the probe, each fault, and each warning. The
//! `text` format has a line for each, other formats have an entry.
//!
//! Words are unescaped bytes here, as in the record; each format escapes them by its own rules.

use std::borrow::Cow;
use std::io::Write as _;

use super::number::append_number;
use super::record::{NoteRecord, PlaceRecord, ReachRecord, Record, archived_words, bytes};
use crate::finding::topic::TopicKind;
use crate::finding::{Class, NotLookedUp, Verdict};

/// One statement about a finding.
#[derive(Debug)]
pub struct Statement<'r> {
    /// The verdict of the statement.
    pub verdict: Verdict,
    /// The table and the name in it: a fault, a class or a lint; `None` if the link is fine.
    pub topic: Option<(TopicKind, &'r str)>,
    /// The text that follows the URI: `: expected …`, ` -> URI: …`; empty if the link is fine, and
    /// no gateway hides where it leads.
    pub words: Vec<u8>,
}

/// Returns the statements about `record`, at least one, in the order of the `text` format.
#[must_use]
pub fn statements(record: &Record) -> Vec<Statement<'_>> {
    let mut said = Vec::new();
    let mut faults = record.faults().peekable();
    if let Some(reach) = record.reach.as_ref().filter(|reach| has_news(reach, record.verdict)) {
        let mut words = Vec::new();
        Answer::of(reach, record).append_to(&mut words);
        let warnings = record.warnings.len();
        said.push(Statement {
            verdict: answered(record.verdict, Class::find(&reach.class), warnings),
            topic: Some((TopicKind::Class, &reach.class)),
            words,
        });
    } else if faults.peek().is_none() && record.warnings.is_empty() {
        let mut words = unknown(record.target_unknown.as_deref()).into_bytes();
        append_archived(archived(record).as_deref(), &mut words);
        said.push(Statement { verdict: record.verdict, topic: None, words });
    }
    let has_several = record.grammars().nth(1).is_some();
    said.extend(faults.map(|(grammar, fault)| {
        let by = if has_several { format!(": {grammar}") } else { String::new() };
        Statement {
            verdict: record.verdict,
            topic: Some((TopicKind::Fault, &fault.rule)),
            words: format!("{by}: {}", fault.sentence()).into_bytes(),
        }
    }));
    let verdict = warned(record.known.as_ref());
    said.extend(record.warnings.iter().map(|warning| Statement {
        verdict,
        topic: Some((TopicKind::Lint, &warning.rule)),
        words: format!(": {} ({})", warning.message, warning.spec).into_bytes(),
    }));
    said
}

/// Returns the statements about `record` that report an error or a warning.
///
/// Trouble that a baseline lists does not count.
pub fn troubles(record: &Record) -> impl Iterator<Item = Statement<'_>> {
    let is_trouble = |statement: &Statement<'_>| match statement.verdict {
        Verdict::Ok | Verdict::Skipped => false,
        Verdict::Error | Verdict::Warn => record.known.is_none(),
    };
    statements(record).into_iter().filter(is_trouble)
}

/// Returns the words about a wrapped link whose target is unknown for `reason`; empty for any other
/// link.
pub(super) fn unknown(reason: Option<&str>) -> String {
    reason.map(|reason| format!("{UNKNOWN}: {reason}")).unwrap_or_default()
}

/// The words that follow the URI of a wrapped link whose target is unknown.
pub(super) const UNKNOWN: &str = ": wrapped, target unknown";

/// Returns the verdict for an answer of `class`, for a link with `verdict` and so many `warnings`.
///
/// If the link has a warning for its text and was not probed, the answer counts as skipped.
pub(super) fn answered(verdict: Verdict, class: Option<Class>, warnings: usize) -> Verdict {
    let is_unasked = class.is_some_and(|class| class.row().verdict == Verdict::Skipped);
    let is_of_text = verdict == Verdict::Warn && warnings > 0;
    if is_of_text && is_unasked { Verdict::Skipped } else { verdict }
}

/// Returns the verdict for warnings, for a link for which a baseline has the verdict `known`.
///
/// It is a warning whatever the verdict of the link: a fault in one grammar does not turn the
/// warnings of others into errors. Known trouble is skipped.
pub(super) fn warned<V>(known: Option<&V>) -> Verdict {
    if known.is_some() { Verdict::Skipped } else { Verdict::Warn }
}

/// Returns the message of a note, with its offset if there is one.
#[must_use]
pub fn noted(note: &NoteRecord) -> String {
    match note.place.offset {
        None => note.message.clone(),
        Some(offset) => format!("{} (at byte {offset})", note.message),
    }
}

/// Returns `path!member`.
pub fn holder<'m>(path: &[u8], members: impl Iterator<Item = &'m [u8]>) -> Vec<u8> {
    let mut out = path.to_vec();
    for member in members {
        out.push(b'!');
        out.extend_from_slice(member);
    }
    out
}

/// Returns `path!member:line:column`.
#[must_use]
pub fn standing(place: &PlaceRecord) -> Vec<u8> {
    let mut out = holder(place.path(), place.members());
    for number in [place.line, place.column] {
        out.push(b':');
        append_number(number, &mut out);
    }
    out
}

/// Returns the path as it is written from the top of a tree: without empty parts, `.`, and `..`
/// after a name.
///
/// The file system is not consulted: if that name is a symbolic link, the result is another file. A
/// path that leads out of the tree keeps its `..`.
#[must_use]
pub fn from_the_top(path: &[u8]) -> Vec<u8> {
    let is_absolute = path.starts_with(b"/");
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|&byte| byte == b'/') {
        let last = parts.last().copied();
        match part {
            b"" | b"." => {}
            // Nothing is above the root (RFC 3986 §5.2.4 and POSIX).
            b".." if last.is_none() && is_absolute => {}
            b".." if last.is_some_and(|last| last != b"..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let root: &[u8] = if is_absolute { b"/" } else { b"" };
    match (root, &*parts) {
        (b"", []) => b".".to_vec(),
        _ => [root, &parts.join(&b'/')].concat(),
    }
}

/// Returns the column after the raw text, if it is on one line and unchanged in the record.
#[must_use]
pub fn end_column(record: &Record) -> Option<u64> {
    let Record { raw, raw_bytes, place, .. } = record;
    let is_whole = raw_bytes.is_none() && u64::try_from(raw.len()) == Ok(place.len);
    let is_of_one_line = memchr::memchr2(b'\r', b'\n', raw.as_bytes()).is_none();
    let chars = u64::try_from(raw.chars().count()).ok()?;
    (is_whole && is_of_one_line).then_some(place.column.saturating_add(chars))
}

/// Returns `1 error`, `2 errors`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn has_news(reach: &ReachRecord, verdict: Verdict) -> bool {
    let has_more = reach.hint.is_some() || reach.changed_since.is_some();
    is_news(reach.class == Class::Alive.row().name, has_more, verdict)
}

/// Returns the words for a page that has changed since `time`, which is in the form of RFC 3339.
pub(super) fn changed(time: &str) -> String {
    let day = time.split_once('T').map_or(time, |(day, _)| day);
    format!("changed since {day}")
}

/// Returns a suggestion for the link of `reach`, in words.
pub(super) fn hint(reach: &ReachRecord) -> Option<Vec<u8>> {
    let hint = bytes(reach.hint.as_deref()?, reach.hint_bytes.as_ref());
    Some(hinted(&reach.probe, &reach.class, hint))
}

/// Returns `hint` in words: for a link to a file, it is only the replacement.
pub(super) fn hinted(probe: &str, class: &str, hint: &[u8]) -> Vec<u8> {
    let words: &[u8] = match (probe, class) {
        ("local", "wrong-case") => b"write ",
        ("local", _) => b"perhaps ",
        _ => b"",
    };
    [words, hint].concat()
}

/// Returns what web archives hold of the link, in words.
pub(super) fn archived(record: &Record) -> Option<String> {
    let unknown = record.archived_unknown.as_deref().and_then(NotLookedUp::find);
    archived_words(record.archived, record.memento.as_ref(), unknown)
}

/// Appends the words about web archives after the others.
pub(super) fn append_archived(words: Option<&str>, out: &mut Vec<u8>) {
    if let Some(words) = words {
        out.extend_from_slice(b"; ");
        out.extend_from_slice(words.as_bytes());
    }
}

/// Reports whether the result of a probe says more than that the link answers.
pub(super) fn is_news(is_alive: bool, has_more: bool, verdict: Verdict) -> bool {
    !is_alive || has_more || verdict > Verdict::Warn
}

/// The result of a probe, without passwords.
pub(super) struct Answer<'a> {
    /// The targets of the redirects.
    pub(super) hops: Vec<Cow<'a, [u8]>>,
    pub(super) message: Cow<'a, [u8]>,
    pub(super) dead_runs: Option<u32>,
    /// The time since which the page has changed, in the form of RFC 3339.
    pub(super) changed_since: Option<Cow<'a, str>>,
    pub(super) hint: Option<Cow<'a, [u8]>>,
    /// The result of the lookup in web archives, in words.
    pub(super) archived: Option<String>,
}

impl<'a> Answer<'a> {
    fn of(reach: &'a ReachRecord, record: &Record) -> Self {
        let hops = reach.hops.iter().map(|hop| bytes(&hop.to, hop.to_bytes.as_ref()).into());
        Self {
            hops: hops.collect(),
            message: bytes(&reach.message, reach.message_bytes.as_ref()).into(),
            dead_runs: reach.dead_runs,
            changed_since: reach.changed_since.as_deref().map(Cow::Borrowed),
            hint: hint(reach).map(Cow::Owned),
            archived: archived(record),
        }
    }

    /// Appends the result in the form that follows the URI.
    pub(super) fn append_to(&self, out: &mut Vec<u8>) {
        for hop in &self.hops {
            out.extend_from_slice(b" -> ");
            out.extend_from_slice(hop);
        }
        out.extend_from_slice(b": ");
        out.extend_from_slice(&self.message);
        if let Some(runs) = self.dead_runs {
            let noun = if runs == 1 { "run" } else { "runs" };
            // Writing to a vector cannot fail.
            let _ = write!(out, "; dead in {runs} {noun} in a row");
        }
        if let Some(time) = &self.changed_since {
            let _ = write!(out, "; {}", changed(time));
        }
        if let Some(hint) = &self.hint {
            out.extend_from_slice(b"; ");
            out.extend_from_slice(hint);
        }
        append_archived(self.archived.as_deref(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::{from_the_top, hinted};

    #[test]
    fn paths_are_from_the_top_of_the_tree() {
        let case = |path: &str, wanted: &str| {
            assert_eq!(from_the_top(path.as_bytes()), wanted.as_bytes(), "{path}");
        };
        for path in ["a", "a/b.md", "-", "..", "../a", "../../a", "/", "/a", "a/...", "a/..b", "."]
        {
            case(path, path);
        }
        case("./a", "a");
        case("././a//b/./c", "a/b/c");
        case("docs/../x.md", "x.md");
        case("./docs/../x.md", "x.md");
        case("a/b/../../../c", "../c");
        case("../a/../../b", "../../b");
        case("a/..", ".");
        case("/a/../../b", "/b");
        case("//a/b/", "/a/b");
    }

    #[test]
    fn hints_are_words() {
        let case = |probe, class, hint: &str, wanted: &str| {
            assert_eq!(hinted(probe, class, hint.as_bytes()), wanted.as_bytes());
        };
        case("local", "wrong-case", "b.md", "write b.md");
        case("local", "missing", "b.md", "perhaps b.md");
        case("local", "fragment-missing", "#b", "perhaps #b");
        case(
            "http",
            "missing",
            "it answers without its last dot",
            "it answers without its last dot",
        );
    }
}
