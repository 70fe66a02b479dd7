//! What we learnt about a candidate: where it stands, what the grammars say, and the verdict.
//!
//! Nothing here decides: faults come from `grammar`, verdicts from `check::judge`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use jiff::civil::Date;

mod byte_set;
mod class;
mod family;
mod fault;
pub mod help;
mod left;
pub mod lint;
mod note;
mod reach;
mod reason;
mod repair;
pub mod topic;

pub use byte_set::ByteSet;
pub use class::{CLASSES, Class, ClassRow};
pub use family::{FAMILIES, Family};
pub(crate) use fault::fault_sentence;
pub use fault::{Fault, RULES, Rule};
pub use left::{LEFTS, Left, LeftRow};
pub use lint::{LINTS, Lint, Warning};
pub use note::{Loss, NOTES, Note, NoteKind, NoteRow};
pub use reach::{Hop, Reach, for_good};
pub use reason::{REASONS, Reason};
pub use repair::{REPAIRS, Repair, Repairs};

use crate::span::Position;
use crate::uri::Guarded;

/// Why the scanner looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cue {
    /// `<URL:…>` (RFC 1738 Appendix).
    Url,
    /// `<…>` (RFC 3986 Appendix C).
    Angle,
    /// Standing in text without brackets.
    Bare,
    /// `www.` without a scheme.
    Www,
    /// A link of Markdown, HTML, reStructuredText or AsciiDoc.
    Markup,
    /// In a header field of a message.
    Header,
}

impl Cue {
    /// Every cue, in the order that `--find` lists them.
    pub const ALL: [Self; 6] =
        [Self::Url, Self::Angle, Self::Bare, Self::Www, Self::Markup, Self::Header];

    /// The cue's name in options and records.
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

/// What holds a text: a path, and the members that lead into a container.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The path as it was given or walked to; `-` for standard input.
    pub path: PathBuf,
    /// Names of nested members, outermost first; none for a plain file.
    pub members: Vec<Vec<u8>>,
    /// The day that the innermost member that has one was written or fetched, by the clock of its
    /// archive.
    pub date: Option<Date>,
    /// What a record says of it, ready to be copied; for the one format that keeps it here. In a
    /// box, since notes and errors have an origin, too.
    pub record: Box<Kept<Box<[u8]>>>,
}

/// Bytes of a member's name that are told, at most: as many as a path has on Linux. Each record
/// of what the member holds repeats it.
const NAME_LEN_MAX: usize = 4096;
/// What stands for the beginning of a name that is longer.
const CUT: &str = "\u{2026}";

impl Origin {
    /// The place inside of the member called `name`, which has no date yet and no record.
    ///
    /// Of a name that is too long its end is told, which says what the member is.
    #[must_use]
    pub fn within(&self, name: &[u8]) -> Self {
        let mut origin = self.clone();
        origin.members.push(if name.len() > NAME_LEN_MAX { cut(name) } else { name.to_vec() });
        origin
    }
}

/// The end of `name`, behind a sign that it is no more than that.
fn cut(name: &[u8]) -> Vec<u8> {
    // A password may begin before the end.
    let shown = Guarded::new(name).shown().into_owned();
    let end = shown.get(shown.len().saturating_sub(NAME_LEN_MAX)..).unwrap_or_default();
    let scalar = end.iter().position(|byte| byte & 0xC0 != 0x80).unwrap_or_default();
    [CUT.as_bytes(), end.get(scalar..).unwrap_or_default()].concat()
}

/// Shows no password: a URI may have been given for a path, or name a member.
impl fmt::Debug for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members: Vec<_> = self.members.iter().map(|member| Guarded::new(member)).collect();
        let path = Guarded::new(self.path.as_os_str().as_encoded_bytes());
        out.debug_struct("Origin")
            .field("path", &path)
            .field("members", &members)
            .field("date", &self.date)
            .finish()
    }
}

/// Where a candidate stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// What holds the text.
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
    /// Offset in the file on disk, where the raw text is one run of bytes there.
    pub file_offset: Option<u64>,
    /// Line and column in the text that the part was decoded to; none where nothing was
    /// decoded, or nobody wants to know.
    pub decoded: Option<Position>,
}

/// The same URI once more: in another form of what was said already (RFC 2046 §5.1.4).
#[derive(Clone, Copy, Debug)]
pub struct Twin<'a> {
    /// The part of the message that it stands in.
    pub part: Option<&'a str>,
    /// Where it stands.
    pub place: Place<'a>,
}

/// The message that a candidate stands in.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// The Message-ID with its brackets (RFC 5322 §3.6.4).
    pub id: Option<Vec<u8>>,
    /// The Date in UTC as RFC 3339 writes it; none when it cannot be read.
    pub date: Option<String>,
    /// The List-Id without its brackets (RFC 2919).
    pub list_id: Option<Vec<u8>>,
    /// Its place in the box, from 1; none for a message that is alone.
    pub number: Option<u64>,
    /// True when a request to one of its links takes its reader off a list (RFC 8058 §3.1).
    pub is_one_click: bool,
    /// What a record says of it, ready to be copied; for the one format that keeps it here.
    pub record: Kept<Vec<u8>>,
}

/// What was worked out of other fields and kept. It makes no difference between two values.
#[derive(Debug)]
pub struct Kept<T> {
    value: OnceLock<T>,
    was_asked: AtomicBool,
}

impl<T> Kept<T> {
    /// What is kept; `work_out` makes it the first time.
    pub fn or(&self, work_out: impl FnOnce() -> T) -> &T {
        self.value.get_or_init(work_out)
    }

    /// True when something is kept.
    pub fn is_kept(&self) -> bool {
        self.value.get().is_some()
    }

    /// What is kept; `work_out` makes it the second time: what is asked for once is not worth
    /// the memory.
    pub fn or_again(&self, work_out: impl FnOnce() -> T) -> Option<&T> {
        if self.was_asked.load(Ordering::Relaxed) {
            return Some(self.or(work_out));
        }
        self.was_asked.store(true, Ordering::Relaxed);
        self.value.get()
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { value: OnceLock::new(), was_asked: AtomicBool::new(false) }
    }
}

/// A copy may get other fields.
impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Kept<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Kept<T> {}

impl<T> Hash for Kept<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Shows no password: anything may stand in a Message-ID or a List-Id.
impl fmt::Debug for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [id, list_id] =
            [&self.id, &self.list_id].map(|id| id.as_deref().map(Guarded::unfinished));
        out.debug_struct("Message")
            .field("id", &id)
            .field("date", &self.date)
            .field("list_id", &list_id)
            .field("number", &self.number)
            .finish()
    }
}

/// What one grammar says of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The grammar's name.
    pub grammar: &'static str,
    /// The reason when the grammar does not take the text.
    pub fault: Option<Fault>,
    /// The repairs that the text needed to be taken.
    pub repairs: Repairs,
}

/// Good or bad, in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing is wrong.
    #[default]
    Ok,
    /// Worth a look, and no reason to fail.
    Warn,
    /// Malformed or dead.
    Error,
    /// Not asked, with a reason.
    Skipped,
}

impl Verdict {
    /// Every verdict, in the order of the summary.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Warn, Self::Error, Self::Skipped];

    /// The verdict's name in reports.
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

/// A candidate with everything we learnt about it: one record of a report.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The candidate, cleaned by its wrapper's rules.
    pub uri: Guarded<'a>,
    /// What stands in the text.
    pub raw: Guarded<'a>,
    /// Why the scanner looked.
    pub cue: Cue,
    /// Where it stands.
    pub place: Place<'a>,
    /// What it starts from if it is relative, where its document says so.
    pub base: Option<Guarded<'a>>,
    /// The mark directly behind it, where nothing but custom says that it is the text's.
    pub behind: Option<u8>,
    /// True when its source is mail or news, which strangers write.
    pub is_mail: bool,
    /// True for what names something and leads nowhere: an XML namespace.
    pub is_name: bool,
    /// True for a link of which nothing is used but the host: a hint to connect early.
    pub is_origin: bool,
    /// What following it may do by the words around it, where that was asked for.
    pub effect: Option<&'static str>,
    /// The message it stands in, where that is known.
    pub message: Option<&'a Message>,
    /// The name of the header field it stands in.
    pub header: Option<&'a [u8]>,
    /// The part of the message, as in `1.2`; none for the message itself.
    pub part: Option<&'a str>,
    /// Where the same stands once more, in other alternatives of the part.
    pub twins: &'a [Twin<'a>],
    /// What follows from the URI alone.
    pub facts: &'a Arc<Facts>,
    /// What asking learnt; none where nobody was to ask.
    pub reach: Option<&'a Reach>,
    /// Good or bad, all told.
    pub verdict: Verdict,
    /// The verdict that it would have, where that is known trouble: it is skipped.
    pub known: Option<Verdict>,
}

/// Why known trouble is skipped.
pub const KNOWN: &str = "known";

/// Why a finding on a line that has not changed is left out.
pub const UNCHANGED: &str = "unchanged";

impl Finding<'_> {
    /// The name of what makes its verdict, unless all is well: why it was skipped, or the first
    /// fault or lint, or the class of the answer where it is that which makes it.
    #[must_use]
    pub fn why(&self) -> Option<&'static str> {
        match self.verdict {
            Verdict::Ok => None,
            Verdict::Skipped => self.skipped(),
            Verdict::Warn | Verdict::Error => self.trouble(),
        }
    }

    fn trouble(&self) -> Option<&'static str> {
        if self.facts.verdict != self.verdict {
            return self.reach.map(|reach| reach.class.row().name);
        }
        let fault = self.facts.syntax.iter().find_map(|syntax| syntax.fault.as_ref());
        let lint = || self.facts.warnings.first().map(|warning| warning.lint.id);
        fault.map(|fault| fault.rule.id).or_else(lint)
    }

    /// Why it was skipped, where it was: it was cut, or not asked, or is known.
    fn skipped(&self) -> Option<&'static str> {
        if self.known.is_some() {
            return Some(KNOWN);
        }
        if self.facts.verdict == Verdict::Skipped {
            return Some(NoteKind::UriTooLong.name());
        }
        self.reach.map(|reach| reach.class.row().name)
    }
}

/// What follows from a URI, wherever it stands.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The scheme in lower case; empty for `www`, and for a relative reference.
    pub scheme: Cow<'static, str>,
    /// What each grammar that was asked says, in the order asked.
    pub syntax: Vec<Syntax>,
    /// What is worth a look, where at least one of them takes the text.
    pub warnings: Vec<Warning>,
    /// Good or bad, before anybody asked.
    pub verdict: Verdict,
    /// What was worked out of all this before.
    pub memo: Memo,
}

/// Keeps what depends on a URI and its facts alone, for those who need it once more.
#[derive(Clone, Default)]
pub struct Memo {
    /// What stands for the URI where different links are counted, wherever a relative one stands.
    pub hash: Kept<u128>,
    /// Parts of a record, ready to be copied; for the one format that keeps them here.
    pub record: Kept<[Box<[u8]>; 2]>,
}

/// Shows no text, which may hold passwords.
impl fmt::Debug for Memo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Memo").finish_non_exhaustive()
    }
}

/// Totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// False when an input could not be read in full.
    pub complete: bool,
    /// Inputs that were read; an archive is one.
    pub files: u64,
    /// Members of archives that were read.
    pub members: u64,
    /// Bytes that were read from them.
    pub bytes: u64,
    /// Messages in mailboxes.
    pub messages: u64,
    /// Findings reported.
    pub findings: u64,
    /// Different links among the findings; none when nobody asked to count them.
    pub distinct: Option<u64>,
    /// Findings by verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [u64; 4],
    /// Findings that are warnings or errors, by that and by what makes them so, sorted.
    pub troubles: BTreeMap<(Verdict, &'static str), u64>,
    /// What was left out, by reason, sorted.
    pub skipped: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Counts one finding; `why` names what makes its verdict, as [`Finding::why`] does.
    pub fn count(&mut self, verdict: Verdict, why: Option<&'static str>) {
        self.findings += 1;
        for (count, of) in self.verdicts.iter_mut().zip(Verdict::ALL) {
            *count += u64::from(of == verdict);
        }
        match (verdict, why) {
            (Verdict::Skipped, Some(reason)) => self.skip(reason, 1),
            (Verdict::Warn | Verdict::Error, Some(name)) => {
                *self.troubles.entry((verdict, name)).or_default() += 1;
            }
            (Verdict::Ok, _) | (_, None) => {}
        }
    }

    /// How many links were found: those reported, and those that only had not changed.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.findings + self.skipped.get(UNCHANGED).copied().unwrap_or_default()
    }

    /// Counts `count` things that were left out for `reason`.
    pub fn skip(&mut self, reason: &'static str, count: u64) {
        debug_assert!(reason::is_known(reason), "no table tells what {reason} means");
        if count > 0 {
            *self.skipped.entry(reason).or_default() += count;
        }
    }

    /// Adds the counts of `part`; `complete` and `distinct` are of the whole run.
    pub fn add(&mut self, part: &Self) {
        self.files += part.files;
        self.members += part.members;
        self.bytes += part.bytes;
        self.messages += part.messages;
        self.findings += part.findings;
        for (count, more) in self.verdicts.iter_mut().zip(part.verdicts) {
            *count += more;
        }
        for (trouble, count) in &part.troubles {
            *self.troubles.entry(*trouble).or_default() += count;
        }
        for (reason, count) in &part.skipped {
            self.skip(reason, *count);
        }
    }
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
        // A scalar is told as a whole or not at all.
        assert_eq!(told(&format!("\u{E9}{}", &whole[1..])), format!("\u{2026}{}", &whole[1..]));
        let secret = "p".repeat(NAME_LEN_MAX);
        assert_eq!(told(&format!("http://u:{secret}@h/")), "\u{2026}http://u:***@h/");
    }
}
