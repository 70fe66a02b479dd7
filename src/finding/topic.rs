//! Lists the names of all tables, with the help on each. It is not used while links are checked.

use std::borrow::Cow;

use super::help::Help;
use super::{CLASSES, FAMILIES, LEFTS, LINTS, NOTES, REPAIRS, RULES, SKIPS, Verdict};

/// The table that contains a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TopicKind {
    /// [`RULES`].
    Fault,
    /// [`LINTS`].
    Lint,
    /// [`CLASSES`].
    Class,
    /// [`REPAIRS`].
    Repair,
    /// [`NOTES`].
    Note,
    /// [`SKIPS`].
    Skip,
    /// [`LEFTS`].
    Left,
    /// [`FAMILIES`].
    Family,
}

impl TopicKind {
    /// All kinds, in the order that names are listed.
    pub const ALL: [Self; 8] = [
        Self::Fault,
        Self::Lint,
        Self::Class,
        Self::Family,
        Self::Repair,
        Self::Note,
        Self::Skip,
        Self::Left,
    ];

    /// Returns a heading for all names of the kind.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fault => "Faults: why a grammar does not take a text",
            Self::Lint => "Lints: warnings about links that conform to their grammar",
            Self::Class => "Classes of answers: what asking a link came to",
            Self::Repair => "Repairs: how documents of 1993 and 1994 are read, and not printed",
            Self::Note => "Notes: messages about inputs",
            Self::Skip => "Reasons: what was left out, and counted",
            Self::Left => "Reasons of fix: why a link was left as it is, and counted",
            Self::Family => "Words for several classes of answers, as --verdict takes them",
        }
    }

    /// Returns what one name of the kind is.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Fault => "a fault",
            Self::Lint => "a lint",
            Self::Class => "a class of answers",
            Self::Repair => "a repair",
            Self::Note => "a note",
            Self::Skip => "a reason to leave out",
            Self::Left => "a reason of fix to leave a link as it is",
            Self::Family => "a word for several classes of answers",
        }
    }
}

/// A name and its explanation.
#[derive(Clone, Debug)]
pub struct Topic {
    /// Its table.
    pub kind: TopicKind,
    /// The name as reports have it.
    pub name: &'static str,
    /// Its meaning, in one line.
    pub about: &'static str,
    /// The document and section: `RFC 3986 §2.1`; empty if it is our own choice.
    pub spec: Cow<'static, str>,
    /// Its verdict, for a class.
    pub verdict: Option<Verdict>,
    /// Why it matters, how to fix it, and an example.
    pub help: &'static Help,
}

/// Returns all names of all tables, in the order of the tables.
pub fn topics() -> impl Iterator<Item = Topic> {
    let faults = RULES.iter().map(|row| {
        let spec = format!("RFC 3986 {}", row.section).into();
        Topic { spec, ..topic(TopicKind::Fault, row.id, row.about, &row.help) }
    });
    let lints = LINTS.iter().map(|row| {
        let spec = row.spec.into();
        Topic { spec, ..topic(TopicKind::Lint, row.id, row.about, &row.help) }
    });
    let classes = CLASSES.iter().map(|row| {
        let (spec, verdict) = (row.spec.into(), Some(row.verdict));
        Topic { spec, verdict, ..topic(TopicKind::Class, row.name, row.about, &row.help) }
    });
    let repairs = REPAIRS.iter().map(|row| {
        let spec = row.spec.into();
        Topic { spec, ..topic(TopicKind::Repair, row.id, row.about, &row.help) }
    });
    let notes = NOTES.iter().map(|row| topic(TopicKind::Note, row.name, row.about, &row.help));
    let skips = SKIPS.iter().map(|row| topic(TopicKind::Skip, row.name, row.about, &row.help));
    let lefts = LEFTS.iter().map(|row| topic(TopicKind::Left, row.name, row.about, &row.help));
    let families =
        FAMILIES.iter().map(|row| topic(TopicKind::Family, row.name, row.about, &row.help));
    let told = faults.chain(lints).chain(classes).chain(repairs).chain(notes).chain(skips);
    told.chain(lefts).chain(families)
}

/// Creates a topic without a specification.
const fn topic(
    kind: TopicKind,
    name: &'static str,
    about: &'static str,
    help: &'static Help,
) -> Topic {
    Topic { kind, name, about, spec: Cow::Borrowed(""), verdict: None, help }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{TopicKind, topics};

    /// The shortest sentence that can say anything.
    const SENTENCE_LEN_MIN: usize = 20;

    #[test]
    fn every_name_is_explained_in_sentences() {
        for topic in topics() {
            for text in [topic.help.why, topic.help.fix] {
                let is_said = text.len() >= SENTENCE_LEN_MIN && text.ends_with('.');
                assert!(is_said, "{}: {text:?}", topic.name);
                assert!(!text.contains("  ") && !text.contains('\n'), "{}: {text:?}", topic.name);
            }
        }
    }

    #[test]
    fn no_table_has_a_name_twice() {
        let names: BTreeSet<_> = topics().map(|topic| (topic.kind, topic.name)).collect();
        assert_eq!(names.len(), topics().count());
        for kind in TopicKind::ALL {
            assert!(topics().any(|topic| topic.kind == kind), "{kind:?}");
        }
    }
}
