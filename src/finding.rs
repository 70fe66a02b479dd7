//! Describes findings: a candidate's position, the verdicts of the grammars, the probe result and
//! the final verdict.
//!
//! Nothing here decides: faults come from `grammar`, verdicts from `check::judge`.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::civil::Date;

mod byte_set;
mod class;
mod digest;
#[cfg(test)]
mod example;
mod family;
mod fault;
pub mod help;
mod inaccessible;
mod left;
pub mod lint;
mod memento;
mod memo;
mod note;
mod reach;
mod repair;
mod skip;
mod summary;
pub mod topic;

pub use byte_set::ByteSet;
pub use class::{CLASSES, Class, ClassRow};
pub use digest::Digest;
pub use family::{FAMILIES, Family};
#[cfg(feature = "report")]
pub(crate) use fault::Sentence;
pub use fault::{Fault, RULES, Rule};
pub use inaccessible::is_inaccessible;
pub use left::{LEFTS, Left, LeftRow};
pub use lint::{LINTS, Lint, Warning};
pub use memento::{Archived, Memento, NotLookedUp, days_between};
pub use memo::{Cached, Encodings, Memo, OriginMemo};
pub use note::{Loss, NOTES, Note, NoteKind, NoteRow};
pub use reach::{Absence, Content, Hop, Reach, for_good};
pub use repair::{REPAIRS, Repair, Repairs};
pub use skip::{SKIPS, Skip, SkipRow};
pub use summary::Summary;

use crate::span::Position;
use crate::uri::Redacted;

/// The syntax by which the scanner recognised a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cue {
    /// `<URL:…>` (RFC 1738 Appendix).
    Url,
    /// `<…>` (RFC 3986 Appendix C).
    Angle,
    /// A URI in text, without brackets around it.
    Bare,
    /// A host that begins with `www.`, without a scheme. Found only on request, since such text is
    /// often not a link.
    Www,
    /// A link in the markup of a document: Markdown, HTML, reStructuredText, AsciiDoc, Org, CSS, …
    Markup,
    /// A URI in a header field of a message.
    Header,
}

impl Cue {
    /// All cues, in the order that `--find` lists them.
    pub const ALL: [Self; 6] =
        [Self::Url, Self::Angle, Self::Bare, Self::Www, Self::Markup, Self::Header];

    /// Returns the cue's name in options and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Angle => "angle",
            Self::Bare => "bare",
            Self::Www => "www",
            Self::Markup => "markup",
            Self::Header => "header",
        }
    }
}

/// The source of a text: a path, and the members that lead into a container.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The path as it was given or found by a walk; `-` for standard input.
    pub path: PathBuf,
    /// Names of nested members, outermost first; empty for a plain file.
    pub members: Vec<Vec<u8>>,
    /// The day of the innermost member that has one, on which it was written or fetched, by the
    /// clock of its archive.
    pub date: Option<Date>,
    /// Values computed from the other fields. Boxed, since notes and errors have an origin, too.
    pub memo: Box<OriginMemo>,
}

/// Bytes of a member's name that are reported, at most: as many as a path may have on Linux. Each
/// record about the member's contents repeats the name.
const NAME_LEN_MAX: usize = 4096;
/// A mark that replaces the beginning of a longer name.
const CUT: &str = "\u{2026}";

impl Origin {
    /// Returns the origin of the member called `name` within this one, without a date or a record.
    ///
    /// A name that is too long is reduced to its end, which best describes the member.
    #[must_use]
    pub fn within(&self, name: &[u8]) -> Self {
        let mut origin = self.clone();
        origin.members.push(if name.len() > NAME_LEN_MAX { cut(name) } else { name.to_vec() });
        origin
    }
}

/// Returns the end of `name`, after [`CUT`].
fn cut(name: &[u8]) -> Vec<u8> {
    // Redacts first: a password may begin before the cut.
    let shown = Redacted::new(name).shown().into_owned();
    let end = shown.get(shown.len().saturating_sub(NAME_LEN_MAX)..).unwrap_or_default();
    let scalar = end.iter().position(|byte| byte & 0xC0 != 0x80).unwrap_or_default();
    [CUT.as_bytes(), end.get(scalar..).unwrap_or_default()].concat()
}

/// Redacts passwords: a URI may have been given for a path, or name a member.
impl fmt::Debug for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members: Vec<_> = self.members.iter().map(|member| Redacted::new(member)).collect();
        let path = Redacted::new(self.path.as_os_str().as_encoded_bytes());
        out.debug_struct("Origin")
            .field("path", &path)
            .field("members", &members)
            .field("date", &self.date)
            .finish()
    }
}

/// The position of a candidate.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The source of the text.
    pub origin: &'a Origin,
    /// Offset of the first byte within the innermost member.
    pub offset: u64,
    /// Length of the raw text in bytes.
    pub len: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column in Unicode scalars, from 1.
    pub column: u64,
    /// Column in bytes of the file or member, from 1.
    pub column_bytes: u64,
    /// Offset in the file on disk, if the raw text is one run of bytes there.
    pub file_offset: Option<u64>,
    /// Line and column in the decoded text of the part; `None` if nothing was decoded, or no report
    /// needs it.
    pub decoded: Option<Position>,
}

/// Another occurrence of the same URI, in an alternative form of the message (RFC 2046 §5.1.4).
#[derive(Clone, Copy, Debug)]
pub struct Twin<'a> {
    /// The part of the message that contains it.
    pub part: Option<&'a str>,
    /// Its position.
    pub place: Place<'a>,
}

/// The message that contains a candidate.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// The Message-ID with its brackets (RFC 5322 §3.6.4).
    pub id: Option<Vec<u8>>,
    /// The Date in UTC as RFC 3339 writes it; `None` if it cannot be parsed.
    pub date: Option<String>,
    /// The List-Id without its brackets (RFC 2919).
    pub list_id: Option<Vec<u8>>,
    /// Its number in the mailbox, from 1; `None` for a message outside of mailboxes.
    pub number: Option<u64>,
    /// The warnings about its offer to unsubscribe, if there are any.
    pub unsubscribe: Option<Box<Unsubscribe>>,
    /// Its encoded fields in a record.
    pub record: Encodings<Vec<u8>>,
}

/// The warnings about the fields by which a message offers to unsubscribe (RFC 2369, RFC 8058).
#[derive(Clone, PartialEq, Eq)]
pub struct Unsubscribe {
    /// The first link of List-Unsubscribe, without whitespace: the warnings are reported with it.
    pub carrier: Option<Vec<u8>>,
    /// The warnings; at least one.
    pub warnings: Vec<Warning>,
}

/// Omits the link, which may contain a token.
impl fmt::Debug for Unsubscribe {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Unsubscribe").field("warnings", &self.warnings).finish_non_exhaustive()
    }
}

/// Redacts passwords, which a Message-ID or a List-Id may contain.
impl fmt::Debug for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [id, list_id] =
            [&self.id, &self.list_id].map(|id| id.as_deref().map(Redacted::unfinished));
        out.debug_struct("Message")
            .field("id", &id)
            .field("date", &self.date)
            .field("list_id", &list_id)
            .field("number", &self.number)
            .field("unsubscribe", &self.unsubscribe)
            .finish()
    }
}

/// The verdict of one grammar on a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The grammar's name.
    pub grammar: &'static str,
    /// The reason why the grammar rejects the text, if it does.
    pub fault: Option<Fault>,
    /// The repairs that the text needs to be accepted.
    pub repairs: Repairs,
}

/// The final judgement of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing is wrong.
    #[default]
    Ok,
    /// Worth a look, but no failure.
    Warn,
    /// Malformed or dead.
    Error,
    /// Not judged, for a reason.
    Skipped,
}

impl Verdict {
    /// All verdicts, in the order of the summary.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Warn, Self::Error, Self::Skipped];

    /// Returns the verdict's name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }
}

/// A candidate with all results about it: one record of a report.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The candidate, cleaned by its wrapper's rules.
    pub uri: Redacted<'a>,
    /// The raw text.
    pub raw: Redacted<'a>,
    /// The mail gateways that wrapped it, if any. Then `uri` is the target, or the innermost
    /// wrapper if the target is unknown, and `raw` has the wrappers.
    pub wrapped: Option<Arc<Wrapped>>,
    /// The syntax by which the scanner recognised it.
    pub cue: Cue,
    /// Its position.
    pub place: Place<'a>,
    /// The base URI for a relative reference, if its document declares one.
    pub base: Option<Redacted<'a>>,
    /// The punctuation mark that directly follows it, if only convention excludes it from the URI.
    pub after: Option<u8>,
    /// Whether its source is mail or news, which strangers write.
    pub is_mail: bool,
    /// Whether it is only a name, such as an XML namespace, and leads nowhere.
    pub is_name: bool,
    /// Whether only its host is used: a hint to connect early.
    pub is_origin: bool,
    /// Whether reading failed within it, or so directly after it that it may be longer.
    pub is_torn: bool,
    /// The side effect that a request may have according to the surrounding words, if requested.
    pub effect: Option<&'static str>,
    /// The message that contains it, if known.
    pub message: Option<&'a Message>,
    /// The name of the header field that contains it.
    pub header: Option<&'a [u8]>,
    /// The part of the message, as in `1.2`; `None` for the message itself.
    pub part: Option<&'a str>,
    /// Further occurrences in other alternatives of the part.
    pub twins: &'a [Twin<'a>],
    /// Properties of the URI alone.
    pub facts: &'a Arc<Facts>,
    /// The probe result; `None` if nothing was probed.
    pub reach: Option<&'a Reach>,
    /// The result of looking it up in web archives; `None` if it was not looked up.
    pub archived: Option<&'a Archived>,
    /// The final verdict.
    pub verdict: Verdict,
    /// The verdict that it would have if it were not a known problem, which is skipped.
    pub known: Option<Verdict>,
}

/// The mail gateways that wrapped a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped {
    /// Their names, outermost first; at least one.
    pub by: Vec<&'static str>,
    /// The reason why the target is unknown, if it is.
    pub unknown: Option<&'static str>,
}

/// The reason for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was skipped.
    Skipped(Skip),
    /// It has the fault or the lint, or its probe result has the class, of this name.
    Trouble(&'static str),
}

impl Finding<'_> {
    /// Returns the target of a wrapped link; `None` if it is unknown, or no gateway wrapped the
    /// link.
    #[must_use]
    pub fn target(&self) -> Option<&Redacted<'_>> {
        let wrapped = self.wrapped.as_ref()?;
        wrapped.unknown.is_none().then_some(&self.uri)
    }

    /// Returns the reason for its verdict: why it was skipped, the first fault or lint, or the
    /// class of the probe result if that decides. Returns `None` if nothing is wrong.
    #[must_use]
    pub fn why(&self) -> Option<Why> {
        match self.verdict {
            Verdict::Ok => None,
            Verdict::Skipped => self.skipped().map(Why::Skipped),
            Verdict::Warn | Verdict::Error => self.trouble().map(Why::Trouble),
        }
    }

    /// Returns why it was not requested, if its verdict hides that: a link with a warning keeps it,
    /// whether it is requested or not.
    #[must_use]
    pub fn unasked(&self) -> Option<Skip> {
        let reach = self.reach.filter(|reach| reach.class.row().verdict == Verdict::Skipped)?;
        matches!(self.verdict, Verdict::Warn | Verdict::Error).then_some(Skip::Class(reach.class))
    }

    fn trouble(&self) -> Option<&'static str> {
        if self.facts.verdict != self.verdict {
            return self.reach.map(|reach| reach.class.row().name);
        }
        let fault = self.facts.syntax.iter().find_map(|syntax| syntax.fault.as_ref());
        let lint = || self.facts.warnings.first().map(|warning| warning.lint.id);
        fault.map(|fault| fault.rule.id).or_else(lint)
    }

    /// Returns why it was skipped: it was cut, or not probed, or is known.
    fn skipped(&self) -> Option<Skip> {
        if self.known.is_some() {
            return Some(Skip::Known);
        }
        if self.facts.verdict == Verdict::Skipped {
            return Some(Skip::Note(NoteKind::UriTooLong));
        }
        self.reach.map(|reach| Skip::Class(reach.class))
    }
}

/// Properties of a URI that do not depend on its position.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The scheme in lower case; empty for `www`, and for a relative reference.
    pub scheme: Cow<'static, str>,
    /// The result of each selected grammar, in the order selected.
    pub syntax: Vec<Syntax>,
    /// Lint warnings, if at least one grammar accepts the text.
    pub warnings: Vec<Warning>,
    /// The verdict before probing.
    pub verdict: Verdict,
    /// Cached values computed from these fields.
    pub memo: Memo,
}

#[cfg(test)]
mod tests {
    use super::{NAME_LEN_MAX, Origin};

    #[test]
    fn of_a_long_name_the_end_is_told() {
        let told = |name: &str| {
            let name = Origin::default().within(name.as_bytes()).members.remove(0);
            String::from_utf8(name).expect("UTF-8")
        };
        let whole = "a".repeat(NAME_LEN_MAX - 3) + ".md";
        assert_eq!(told(&whole), whole);
        assert_eq!(told(&format!("b{whole}")), format!("\u{2026}{whole}"));
        // A Unicode scalar is kept as a whole or not at all.
        assert_eq!(told(&format!("\u{E9}{}", &whole[1..])), format!("\u{2026}{}", &whole[1..]));
        let secret = "p".repeat(NAME_LEN_MAX);
        assert_eq!(told(&format!("http://u:{secret}@h/")), "\u{2026}http://u:***@h/");
    }
}
