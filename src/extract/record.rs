//! Encodes a finding as one run of bytes, from which [`Finding`] reads its fields.
//!
//! Worker threads encode; the fields have a fixed order. A finding that a callback receives borrows
//! the bytes from the buffer of its batch, and an owned finding has a copy; neither allocates
//! memory for a single field. The encoding never leaves the process.

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;
use std::path::Path;

use super::problem::{Fault, Warning};
use super::redacted::Redacted;
use crate::finding::{self, Cue, Verdict};
use crate::platform;
use crate::uri;

/// A link that was found: its text, its place, and its verdict.
///
/// [`Extractor`](super::Extractor) creates findings. A `Finding<'static>` owns its text. A finding
/// that a callback receives borrows its text; [`into_owned`](Self::into_owned) copies it, so that
/// the finding can be kept.
///
/// ```
/// use linktrawl::{Cue, Extractor, Verdict};
///
/// let mail = b"From: a@h.example\nSubject: x\n\nsee <URL:http://h.example/%7>\n";
/// let found: Vec<_> = Extractor::new().bytes("mail", mail).collect::<Result<_, _>>()?;
/// let [finding] = found.as_slice() else { panic!("one link") };
/// assert_eq!(finding.uri().to_string(), "http://h.example/%7");
/// assert_eq!((finding.cue(), finding.scheme()), (Cue::Url, "http"));
/// assert_eq!((finding.place().line(), finding.place().column()), (4, 10));
/// assert_eq!(finding.verdict(), Verdict::Error);
/// assert_eq!(finding.faults().next().unwrap().rule(), "pct-encoded");
/// # Ok::<(), linktrawl::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Finding<'a> {
    bytes: Cow<'a, [u8]>,
}

/// The fields that are texts, in their order. Of two that belong together, the first is as it
/// occurs in the input, and the second its redacted form, absent if nothing is hidden.
#[derive(Clone, Copy)]
enum Text {
    Uri,
    UriShown,
    Raw,
    RawShown,
    Scheme,
    Path,
    PathShown,
    Base,
    BaseShown,
    Header,
    Part,
    MessageId,
    MessageIdShown,
    ListId,
    ListIdShown,
    Date,
    Members,
    Faults,
    Warnings,
}

/// The fields that are numbers, in their order; before all texts. [`ABSENT`] if there is none.
#[derive(Clone, Copy)]
enum Number {
    Cue,
    Verdict,
    IsMessage,
    Offset,
    Len,
    Line,
    Column,
    FileOffset,
    Message,
}

/// Number of fields in [`Number`].
const NUMBERS: usize = 9;
/// The number, and the length of a text, that is absent.
const ABSENT: u64 = u64::MAX;
/// Bytes of a number.
const NUMBER_LEN: usize = size_of::<u64>();

impl Finding<'_> {
    /// Returns the link as the rules of its wrapper or markup give it: without line breaks, with
    /// escapes of the document decoded. A relative reference stays relative.
    #[must_use]
    pub fn uri(&self) -> Redacted<'_> {
        self.redacted(Text::Uri, Text::UriShown).unwrap_or(Redacted::new(b""))
    }

    /// Returns the text as it occurs in the input.
    #[must_use]
    pub fn raw(&self) -> Redacted<'_> {
        self.redacted(Text::Raw, Text::RawShown).unwrap_or(Redacted::new(b""))
    }

    /// Returns how the link was recognised.
    #[must_use]
    pub fn cue(&self) -> Cue {
        let number = self.number(Number::Cue);
        Cue::ALL.into_iter().zip(0..).find(|(_, of)| Some(*of) == number).map_or(Cue::Bare, first)
    }

    /// Returns the scheme in lower case; empty for a relative reference and for `www.`.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.str(Text::Scheme).unwrap_or_default()
    }

    /// Returns the base of a relative reference, if its document declares one.
    #[must_use]
    pub fn base(&self) -> Option<Redacted<'_>> {
        self.redacted(Text::Base, Text::BaseShown)
    }

    /// Returns the place of the link.
    #[must_use]
    pub fn place(&self) -> Place<'_> {
        Place { finding: self.borrowed() }
    }

    /// Returns the message that contains the link, if the input is mail or news.
    #[must_use]
    pub fn message(&self) -> Option<Message<'_>> {
        self.number(Number::IsMessage)?;
        Some(Message { finding: self.borrowed() })
    }

    /// Returns the verdict: `Error` if a grammar rejects the link, `Warn` if there is a reason to
    /// distrust it, `Skipped` if it is longer than the limit, and `Ok` otherwise.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let number = self.number(Number::Verdict);
        let all = Verdict::ALL.into_iter().zip(0..);
        all.into_iter().find(|(_, of)| Some(*of) == number).map_or(Verdict::Ok, first)
    }

    /// Returns the fault that each grammar finds, in the order in which the grammars were selected;
    /// none if all accept the link.
    pub fn faults(&self) -> impl Iterator<Item = Fault<'_>> {
        let mut fields = Fields(self.text(Text::Faults).unwrap_or_default());
        std::iter::from_fn(move || {
            let [grammar, rule, at, sentence] = fields.next_texts()?;
            Some(Fault::of(grammar, rule, at, sentence))
        })
    }

    /// Returns the reasons to distrust a link that is well-formed.
    pub fn warnings(&self) -> impl Iterator<Item = Warning<'_>> {
        let mut fields = Fields(self.text(Text::Warnings).unwrap_or_default());
        std::iter::from_fn(move || {
            let [lint, at, sentence] = fields.next_texts()?;
            Some(Warning::of(lint, at, sentence))
        })
    }

    /// Returns the finding with a copy of its text, unless it owns it already.
    #[must_use]
    pub fn into_owned(self) -> Finding<'static> {
        Finding { bytes: Cow::Owned(self.bytes.into_owned()) }
    }

    fn borrowed(&self) -> Finding<'_> {
        Finding { bytes: Cow::Borrowed(&self.bytes) }
    }
}

impl<'a> Finding<'a> {
    /// Reads the finding that was encoded as `bytes`.
    pub(super) const fn of(bytes: &'a [u8]) -> Self {
        Self { bytes: Cow::Borrowed(bytes) }
    }
}

impl Finding<'_> {
    fn number(&self, number: Number) -> Option<u64> {
        let rest = self.bytes.get(number as usize * NUMBER_LEN..)?;
        Some(u64::from_ne_bytes(*rest.first_chunk()?)).filter(|number| *number != ABSENT)
    }

    fn text(&self, text: Text) -> Option<&[u8]> {
        let texts = self.bytes.get(NUMBERS * NUMBER_LEN..).unwrap_or_default();
        Fields(texts).nth(text as usize).flatten()
    }

    fn str(&self, text: Text) -> Option<&str> {
        self.text(text).and_then(|text| str::from_utf8(text).ok())
    }

    fn redacted(&self, clear: Text, shown: Text) -> Option<Redacted<'_>> {
        let clear = self.text(clear)?;
        Some(Redacted::shown_as(clear, self.text(shown).unwrap_or(clear)))
    }
}

fn first<T>((value, _): (T, u64)) -> T {
    value
}

/// Shows no password.
impl fmt::Debug for Finding<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Finding")
            .field("uri", &self.uri())
            .field("cue", &self.cue())
            .field("place", &self.place())
            .field("verdict", &self.verdict())
            .finish_non_exhaustive()
    }
}

/// The place of a finding. Lines and columns count from 1, offsets from 0.
///
/// `Display` prints `path:line:column`, with `!` and the name before each container that leads to
/// the text, and no password.
#[derive(Clone, PartialEq, Eq)]
pub struct Place<'a> {
    finding: Finding<'a>,
}

impl Place<'_> {
    /// Returns the path or name under which the input was given, or found by a walk.
    #[must_use]
    pub fn path(&self) -> &Path {
        platform::path_in(self.finding.text(Text::Path).unwrap_or_default())
    }

    /// Returns the names of the members that lead to the text, outermost first: of an archive
    /// (`a/b.txt`) or of a mailbox (`msg 12`, `part 1.2`). Empty for a plain file.
    pub fn members(&self) -> impl Iterator<Item = &[u8]> {
        Fields(self.finding.text(Text::Members).unwrap_or_default()).flatten()
    }

    /// Returns the offset in bytes within the innermost member, or within the input.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.finding.number(Number::Offset).unwrap_or_default()
    }

    /// Returns the length in bytes of the text as it occurs in the input.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        self.finding.number(Number::Len).unwrap_or_default()
    }

    /// Returns the line within the innermost member, or within the input, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.finding.number(Number::Line).unwrap_or_default()
    }

    /// Returns the column in Unicode scalars, from 1.
    #[must_use]
    pub fn column(&self) -> u64 {
        self.finding.number(Number::Column).unwrap_or_default()
    }

    /// Returns the offset in bytes in the file on disk; `None` if the link was unpacked or decoded,
    /// so that it is not one run of bytes there.
    #[must_use]
    pub fn file_offset(&self) -> Option<u64> {
        self.finding.number(Number::FileOffset)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.finding.redacted(Text::Path, Text::PathShown);
        write!(out, "{}", path.unwrap_or(Redacted::new(b"")))?;
        for member in self.members() {
            write!(out, "!{}", Redacted::new(member))?;
        }
        write!(out, ":{}:{}", self.line(), self.column())
    }
}

/// Shows no password.
impl fmt::Debug for Place<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.to_string())
    }
}

/// The message that contains a finding. Header fields that it lacks, or that cannot be parsed, are
/// `None`.
#[derive(Clone, PartialEq, Eq)]
pub struct Message<'a> {
    finding: Finding<'a>,
}

impl Message<'_> {
    /// Returns the Message-ID with its brackets (RFC 5322 §3.6.4).
    #[must_use]
    pub fn id(&self) -> Option<Redacted<'_>> {
        self.finding.redacted(Text::MessageId, Text::MessageIdShown)
    }

    /// Returns the Date in UTC, as RFC 3339 writes it.
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        self.finding.str(Text::Date)
    }

    /// Returns the List-Id without its brackets (RFC 2919).
    #[must_use]
    pub fn list_id(&self) -> Option<Redacted<'_>> {
        self.finding.redacted(Text::ListId, Text::ListIdShown)
    }

    /// Returns the message's number in its mailbox, from 1; `None` outside of mailboxes.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        self.finding.number(Number::Message)
    }

    /// Returns the name of the header field that contains the link; `None` for a link in the body.
    #[must_use]
    pub fn header(&self) -> Option<&[u8]> {
        self.finding.text(Text::Header)
    }

    /// Returns the part of the message that contains the link, as in `1.2` (RFC 3501 §6.4.5);
    /// `None` for the message itself.
    #[must_use]
    pub fn part(&self) -> Option<&str> {
        self.finding.str(Text::Part)
    }
}

/// Shows no password.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Message")
            .field("id", &self.id())
            .field("date", &self.date())
            .field("number", &self.number())
            .field("part", &self.part())
            .finish_non_exhaustive()
    }
}

/// Texts one after the other, each after its length.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Option<&'a [u8]>;

    fn next(&mut self) -> Option<Option<&'a [u8]>> {
        let (len, rest) = self.0.split_first_chunk()?;
        let len = u64::from_ne_bytes(*len);
        let (text, rest) = match usize::try_from(len) {
            Ok(len) if len <= rest.len() => rest.split_at(len),
            _ => (&rest[..0], rest),
        };
        self.0 = rest;
        Some((len != ABSENT).then_some(text))
    }
}

impl<'a> Fields<'a> {
    /// Returns the next `N` texts.
    fn next_texts<const N: usize>(&mut self) -> Option<[&'a str; N]> {
        let mut texts = [""; N];
        for text in &mut texts {
            *text = self.next()?.and_then(|text| str::from_utf8(text).ok()).unwrap_or_default();
        }
        Some(texts)
    }
}

/// Returns the texts that [`append_text`] appended.
pub(super) fn fields(bytes: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    Fields(bytes)
}

/// Appends `finding`, for [`Finding::of`].
pub(super) fn append(finding: &finding::Finding<'_>, out: &mut Vec<u8>) {
    let finding::Finding { uri, raw, cue, place, message, .. } = finding;
    let is_of_mail = message.is_some() || finding.header.is_some() || finding.is_mail;
    for number in [
        index_of(&Cue::ALL, cue),
        index_of(&Verdict::ALL, &finding.verdict),
        if is_of_mail { 1 } else { ABSENT },
        place.offset,
        place.len,
        place.line,
        place.column,
        place.file_offset.unwrap_or(ABSENT),
        message.and_then(|message| message.number).unwrap_or(ABSENT),
    ] {
        out.extend_from_slice(&number.to_ne_bytes());
    }
    append_pair(uri, out);
    append_pair(raw, out);
    append_text(Some(finding.facts.scheme.as_bytes()), out);
    append_pair(&uri::Redacted::new(&platform::lasting(&place.origin.path)), out);
    append_optional(finding.base.as_ref(), out);
    append_text(finding.header, out);
    append_text(finding.part.map(str::as_bytes), out);
    let unfinished = |id: &'_ Option<Vec<u8>>, out: &mut Vec<u8>| {
        append_optional(id.as_deref().map(uri::Redacted::unfinished).as_ref(), out);
    };
    unfinished(message.map_or(&None, |message| &message.id), out);
    unfinished(message.map_or(&None, |message| &message.list_id), out);
    append_text(message.and_then(|message| message.date.as_deref()).map(str::as_bytes), out);
    append_list(out, |out| {
        place.origin.members.iter().for_each(|member| append_text(Some(member), out));
    });
    append_list(out, |out| append_faults(finding, out));
    append_list(out, |out| append_warnings(finding, out));
}

fn index_of<T: PartialEq>(all: &[T], value: &T) -> u64 {
    all.iter().zip(0..).find(|(one, _)| *one == value).map_or(ABSENT, |(_, idx)| idx)
}

fn append_faults(finding: &finding::Finding<'_>, out: &mut Vec<u8>) {
    for syntax in &finding.facts.syntax {
        if let Some(fault) = &syntax.fault {
            append_text(Some(syntax.grammar.as_bytes()), out);
            append_text(Some(fault.rule.id.as_bytes()), out);
            match fault.at {
                Some(at) => append_words(at, out),
                None => append_text(None, out),
            }
            append_words(fault, out);
        }
    }
}

fn append_warnings(finding: &finding::Finding<'_>, out: &mut Vec<u8>) {
    for warning in &finding.facts.warnings {
        append_text(Some(warning.lint.id.as_bytes()), out);
        append_words(warning.at, out);
        append_words(warning, out);
    }
}

/// Appends a text after its length.
pub(super) fn append_text(text: Option<&[u8]>, out: &mut Vec<u8>) {
    out.extend_from_slice(&text.map_or(ABSENT, |text| text.len() as u64).to_ne_bytes());
    out.extend_from_slice(text.unwrap_or_default());
}

/// Appends what `words` displays as a text.
fn append_words(words: impl fmt::Display, out: &mut Vec<u8>) {
    append_list(out, |out| {
        // Writing to memory cannot fail.
        let _ = write!(out, "{words}");
    });
}

/// Appends a text and its redacted form.
fn append_pair(text: &uri::Redacted<'_>, out: &mut Vec<u8>) {
    append_text(Some(text.in_clear()), out);
    match text.shown() {
        Cow::Owned(shown) => append_text(Some(&shown), out),
        Cow::Borrowed(_) => append_text(None, out),
    }
}

fn append_optional(text: Option<&uri::Redacted<'_>>, out: &mut Vec<u8>) {
    match text {
        Some(text) => append_pair(text, out),
        None => (0..2).for_each(|_| append_text(None, out)),
    }
}

/// Appends a text that `append` makes of others.
fn append_list(out: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    append_text(Some(b""), out);
    append(out);
    let len = (out.len() - start - NUMBER_LEN) as u64;
    if let Some(place) = out.get_mut(start..start + NUMBER_LEN) {
        place.copy_from_slice(&len.to_ne_bytes());
    }
}
