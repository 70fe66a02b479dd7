//! What a name in a report means: why it matters, how to mend it, and a text that shows it.
//!
//! The texts stand in the tables that the names stand in, so that no row can lack one; here is
//! their shape, and one list of all rows. Nothing here is asked while links are read.

use std::borrow::Cow;

use super::{CLASSES, FAMILIES, LEFTS, LINTS, NOTES, REASONS, REPAIRS, RULES};

/// What somebody wants to know who meets a name for the first time.
#[derive(Debug, PartialEq, Eq)]
pub struct Help {
    /// Why it matters, in sentences.
    pub why: &'static str,
    /// How to mend it, or what to do about it, in sentences.
    pub mend: &'static str,
    /// Something that shows it.
    pub example: Example,
}

/// Something that shows what a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// The sentences say it all.
    None,
    /// A text that a grammar has this to say of; and the same, mended.
    Text {
        /// The text.
        text: &'static str,
        /// The text without what is the matter; none where nothing has to be mended.
        mended: Option<&'static str>,
    },
    /// The same for a text that is no UTF-8.
    Bytes(&'static [u8]),
    /// A link that shows one thing and goes to another.
    Shown {
        /// What a reader sees.
        shown: &'static str,
        /// Where it goes.
        target: &'static str,
    },
    /// A bare link of a text, and what stands right behind it there.
    Cut {
        /// The link.
        link: &'static str,
        /// The rest of its word.
        rest: &'static str,
        /// The link with that, mended.
        mended: &'static str,
    },
    /// A link that `check` gives this class without connecting to anybody.
    Asked(&'static str),
    /// Answers that are taken for it: `HTTP 404, 410; FTP 550`.
    Answer(&'static str),
}

/// Help without an example.
pub(super) const fn help(why: &'static str, mend: &'static str) -> Help {
    Help { why, mend, example: Example::None }
}

impl Help {
    /// The same with a text that shows it.
    pub(super) const fn text(self, text: &'static str) -> Self {
        Self { example: Example::Text { text, mended: None }, ..self }
    }

    /// The same with a text that shows it, and that text mended.
    pub(super) const fn mended(self, text: &'static str, mended: &'static str) -> Self {
        Self { example: Example::Text { text, mended: Some(mended) }, ..self }
    }

    /// The same with bytes that show it.
    pub(super) const fn bytes(self, bytes: &'static [u8]) -> Self {
        Self { example: Example::Bytes(bytes), ..self }
    }

    /// The same with a link that is not what it shows.
    pub(super) const fn shown(self, shown: &'static str, target: &'static str) -> Self {
        Self { example: Example::Shown { shown, target }, ..self }
    }

    /// The same with a bare link and the rest of its word, and both mended.
    pub(super) const fn cut(
        self,
        link: &'static str,
        rest: &'static str,
        mended: &'static str,
    ) -> Self {
        Self { example: Example::Cut { link, rest, mended }, ..self }
    }

    /// The same with a link that shows it when it is asked.
    pub(super) const fn asked(self, link: &'static str) -> Self {
        Self { example: Example::Asked(link), ..self }
    }

    /// The same with answers that are taken for it.
    pub(super) const fn answer(self, answers: &'static str) -> Self {
        Self { example: Example::Answer(answers), ..self }
    }
}

/// Which table a name stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
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
    /// [`REASONS`].
    Reason,
    /// [`LEFTS`].
    Left,
    /// [`FAMILIES`].
    Family,
}

impl Kind {
    /// Every kind, in the order that names are listed.
    pub const ALL: [Self; 8] = [
        Self::Fault,
        Self::Lint,
        Self::Class,
        Self::Family,
        Self::Repair,
        Self::Note,
        Self::Reason,
        Self::Left,
    ];

    /// A heading for all of them.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fault => "Faults: why a grammar does not take a text",
            Self::Lint => "Lints: what is worth a look in a text that is taken",
            Self::Class => "Classes of answers: what asking a link came to",
            Self::Repair => "Repairs: how documents of 1993 and 1994 are read, and not printed",
            Self::Note => "Notes: what is told of an input",
            Self::Reason => "Reasons: what was left out, and counted",
            Self::Left => "Reasons of fix: why a link was left as it is, and counted",
            Self::Family => "Words for several classes of answers, as --verdict takes them",
        }
    }

    /// What one of them is.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Fault => "a fault",
            Self::Lint => "a lint",
            Self::Class => "a class of answers",
            Self::Repair => "a repair",
            Self::Note => "a note",
            Self::Reason => "a reason to leave out",
            Self::Left => "a reason of fix to leave a link as it is",
            Self::Family => "a word for several classes of answers",
        }
    }
}

/// One name with all that is known of it.
#[derive(Clone, Debug)]
pub struct Topic {
    /// Its table.
    pub kind: Kind,
    /// The name as reports have it.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The document and section: `RFC 3986 §2.1`; empty where it is our own choice.
    pub spec: Cow<'static, str>,
    /// What follows from it, where that is a word of its own: a class's verdict.
    pub verdict: Option<super::Verdict>,
    /// Why, how to mend it, and what shows it.
    pub help: &'static Help,
}

/// Every name of every table, in the order of the tables.
pub fn topics() -> impl Iterator<Item = Topic> {
    let faults = RULES.iter().map(|row| {
        let spec = format!("RFC 3986 {}", row.section).into();
        Topic { spec, ..topic(Kind::Fault, row.id, row.about, &row.help) }
    });
    let lints = LINTS.iter().map(|row| {
        let spec = row.spec.into();
        Topic { spec, ..topic(Kind::Lint, row.id, row.about, &row.help) }
    });
    let classes = CLASSES.iter().map(|row| {
        let (spec, verdict) = (row.spec.into(), Some(row.verdict));
        Topic { spec, verdict, ..topic(Kind::Class, row.name, row.about, &row.help) }
    });
    let repairs = REPAIRS.iter().map(|row| {
        let spec = row.spec.into();
        Topic { spec, ..topic(Kind::Repair, row.id, row.about, &row.help) }
    });
    let notes = NOTES.iter().map(|row| topic(Kind::Note, row.name, row.about, &row.help));
    let reasons = REASONS.iter().map(|row| topic(Kind::Reason, row.name, row.about, &row.help));
    let lefts = LEFTS.iter().map(|row| topic(Kind::Left, row.name, row.about, &row.help));
    let families = FAMILIES.iter().map(|row| topic(Kind::Family, row.name, row.about, &row.help));
    let told = faults.chain(lints).chain(classes).chain(repairs).chain(notes).chain(reasons);
    told.chain(lefts).chain(families)
}

/// A topic that no document speaks of.
const fn topic(kind: Kind, name: &'static str, about: &'static str, help: &'static Help) -> Topic {
    Topic { kind, name, about, spec: Cow::Borrowed(""), verdict: None, help }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Kind, topics};

    /// A sentence that is shorter says nothing.
    const SENTENCE_LEN_MIN: usize = 20;

    #[test]
    fn every_name_is_explained_in_sentences() {
        for topic in topics() {
            for text in [topic.help.why, topic.help.mend] {
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
        for kind in Kind::ALL {
            assert!(topics().any(|topic| topic.kind == kind), "{kind:?}");
        }
    }
}
