//! Lists the rules of results and notifications: each name with its help, and its index in the
//! list.

use std::collections::BTreeMap;

use super::object::{Configuration, Descriptor, Tags, Text};
use crate::finding::topic::{Topic, TopicKind, topics};
use crate::finding::{Loss, NOTES, Verdict};

/// The kinds of names that results refer to.
const OF_RESULTS: [TopicKind; 3] = [TopicKind::Fault, TopicKind::Lint, TopicKind::Class];

/// The kinds of names that notifications refer to.
const OF_NOTIFICATIONS: [TopicKind; 2] = [TopicKind::Note, TopicKind::Skip];

/// The names of some kinds, each with its index in the list of all of them.
pub(super) struct Index(BTreeMap<(TopicKind, &'static str), usize>);

impl Index {
    pub(super) fn of_results() -> Self {
        Self::of(&OF_RESULTS)
    }

    pub(super) fn of_notifications() -> Self {
        Self::of(&OF_NOTIFICATIONS)
    }

    fn of(kinds: &[TopicKind]) -> Self {
        Self(of_kinds(kinds).map(|topic| (topic.kind, topic.name)).zip(0..).collect())
    }

    /// Returns the index of `name`, or `None` if this version has no such name.
    pub(super) fn find(&self, kind: TopicKind, name: &str) -> Option<usize> {
        self.0.get(&(kind, name)).copied()
    }
}

pub(super) fn of_results() -> Vec<Descriptor> {
    of_kinds(&OF_RESULTS).map(|topic| descriptor(&topic)).collect()
}

pub(super) fn of_notifications() -> Vec<Descriptor> {
    of_kinds(&OF_NOTIFICATIONS).map(|topic| descriptor(&topic)).collect()
}

fn of_kinds(kinds: &[TopicKind]) -> impl Iterator<Item = Topic> {
    topics().filter(move |topic| kinds.contains(&topic.kind))
}

fn descriptor(topic: &Topic) -> Descriptor {
    let Topic { kind, name, about, spec, help, .. } = topic;
    let by = if spec.is_empty() { String::new() } else { format!(" ({spec})") };
    Descriptor {
        id: name,
        short_description: Text::said(about.as_bytes()),
        full_description: Text::said(help.why.as_bytes()),
        help: Text::said(format!("{} {}{by}", help.why, help.fix).as_bytes()),
        help_uri: help_uri(spec),
        default_configuration: Configuration { level: default_level(topic) },
        properties: Tags { tags: [tag(*kind)] },
    }
}

const fn tag(kind: TopicKind) -> &'static str {
    match kind {
        TopicKind::Fault => "fault",
        TopicKind::Lint => "lint",
        TopicKind::Class => "class",
        TopicKind::Repair => "repair",
        TopicKind::Note => "note",
        TopicKind::Skip => "reason",
        TopicKind::Left => "left",
        TopicKind::Family => "family",
    }
}

/// Returns the level that applies by default.
fn default_level(topic: &Topic) -> &'static str {
    match topic.kind {
        TopicKind::Fault => "error",
        TopicKind::Lint => "warning",
        TopicKind::Class => topic.verdict.map_or("note", level),
        TopicKind::Note => note_level(topic.name),
        TopicKind::Repair | TopicKind::Skip | TopicKind::Left | TopicKind::Family => "note",
    }
}

/// Returns the level of a note called `name`. Lost input is an error, because it may hold anything.
pub(super) fn note_level(name: &str) -> &'static str {
    match NOTES.iter().find(|row| row.name == name).map(|row| row.loss) {
        Some(Loss::Input) => "error",
        Some(Loss::None) | None => "note",
    }
}

/// Returns the level of a verdict (§3.27.10).
pub(super) const fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Error => "error",
        Verdict::Warn => "warning",
        Verdict::Ok | Verdict::Skipped => "note",
    }
}

/// Returns the address of a section of an RFC, such as `RFC 3986 §2.1`; the addresses of other
/// documents do not follow from their names.
fn help_uri(spec: &str) -> Option<String> {
    let digits = |text: &str, also: &[u8]| {
        text.bytes().take_while(|byte| byte.is_ascii_digit() || also.contains(byte)).count()
    };
    let rest = spec.strip_prefix("RFC ")?;
    let (number, rest) = rest.split_at_checked(digits(rest, b""))?;
    if number.is_empty() {
        return None;
    }
    let page = format!("https://www.rfc-editor.org/rfc/rfc{number}.html");
    let section = rest.strip_prefix(" §").and_then(|rest| rest.get(..digits(rest, b".")));
    Some(match section.map(|section| section.trim_end_matches('.')) {
        Some(section) if !section.is_empty() => format!("{page}#section-{section}"),
        _ => page,
    })
}

#[cfg(test)]
mod tests {
    use super::help_uri;

    #[test]
    fn sections_of_rfcs_have_an_address() {
        let case = |spec: &str, end: &str| {
            let wanted = format!("https://www.rfc-editor.org/rfc/rfc{end}");
            assert_eq!(help_uri(spec), Some(wanted));
        };
        case("RFC 3986 §2.1", "3986.html#section-2.1");
        case("RFC 9110 §15.4, §15.5", "9110.html#section-15.4");
        case("RFC 1630, BNF, path", "1630.html");
        case("RFC 3986 §", "3986.html");
        for spec in ["", "UAX #24", "RFC", "RFC x"] {
            assert_eq!(help_uri(spec), None);
        }
    }
}
