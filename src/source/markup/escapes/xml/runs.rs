//! Skips the markup between two runs of the same text in documents of office programs: runs divide
//! what a reader sees as one word wherever its look, its language or its history changes.
//!
//! In Office Open XML (ECMA-376 Part 1 §17.3.2, §18.4.4, §21.1.2.3.8) a run holds its text in an
//! element of its own, `</w:t></w:r><w:r><w:rPr>…</w:rPr><w:t>`. In OpenDocument (1.3 Part 3
//! §6.1.7) spans are inside the text. Line breaks, tabulators, the ends of links, and fields end a
//! run for good, and so do tags with a URI of their own, such as the declaration of a namespace.
//!
//! Readers do not see deleted text (§17.13.5.14), text moved elsewhere (§17.13.5.22), hidden text
//! (§17.3.2.41) and annotations (OpenDocument 1.3 Part 3 §14.1). Our choice: such text with a URI
//! ends a run, so that no finding is lost, except that moved text is read at its new place only. A
//! number in superscript (§17.3.2.42) is a mark of a note, and ends a run, too.

use memchr::{memchr_iter, memchr2, memmem};

use crate::source::markup::insertion::{has_empty_line, holds_uri};
use crate::span::Span;

/// Maximum number of bytes between two runs: properties have some hundred.
const RUNS_LEN_MAX: usize = 2048;

/// Elements of Office Open XML that hold text.
const TEXTS: [&[u8]; 2] = [b"t", b"instrText"];

/// Elements between two runs of the same text: those around runs, and marks of ranges (ECMA-376
/// Part 1 §17.13). The result of a simple field is shown as text (§17.16.19).
#[rustfmt::skip]
const BETWEEN: [&[u8]; 33] = [
    b"r", b"proofErr", b"bookmarkStart", b"bookmarkEnd", b"lastRenderedPageBreak", b"ins",
    b"commentRangeStart", b"commentRangeEnd", b"commentReference", b"annotationRef", b"softHyphen",
    b"smartTag", b"customXml", b"sdt", b"sdtContent", b"moveTo", b"moveToRangeStart",
    b"moveToRangeEnd", b"moveFromRangeStart", b"moveFromRangeEnd", b"permStart", b"permEnd",
    b"bdo", b"dir", b"fldSimple", b"customXmlInsRangeStart", b"customXmlInsRangeEnd",
    b"customXmlDelRangeStart", b"customXmlDelRangeEnd", b"customXmlMoveFromRangeStart",
    b"customXmlMoveFromRangeEnd", b"customXmlMoveToRangeStart", b"customXmlMoveToRangeEnd",
];

/// Elements that hold properties of other elements: of a run, and of elements around runs.
const PROPERTIES: [&[u8]; 5] = [b"rPr", b"sdtPr", b"sdtEndPr", b"smartTagPr", b"customXmlPr"];

/// Elements whose text is not shown at their place, the last as a hint above it (§18.4.6).
const UNSEEN: [&[u8]; 3] = [b"del", b"moveFrom", b"rPh"];

/// The beginning of the tag for a hyphen at which no line ends (§17.3.3.18), as programs write it.
const HYPHEN: &[u8] = b"<w:noBreakHyphen";

/// The beginning of the tag for moved text at its former place.
const MOVED: &[u8] = b"<w:moveFrom ";

/// The beginning of the tag for an annotation of OpenDocument, and its end tag.
const ANNOTATION: [&[u8]; 2] = [b"<office:annotation ", b"</office:annotation>"];

/// Elements of OpenDocument within a text: those around text, and marks that show nothing (1.3 Part
/// 3 §5.5.7, §5.6, §6.1.7, §6.1.9, §6.2, §8.1).
#[rustfmt::skip]
const WITHIN: [&[u8]; 21] = [
    b"text:span", b"text:meta", b"text:soft-page-break",
    b"text:bookmark", b"text:bookmark-start", b"text:bookmark-end",
    b"text:reference-mark", b"text:reference-mark-start", b"text:reference-mark-end",
    b"text:change", b"text:change-start", b"text:change-end",
    b"text:toc-mark", b"text:toc-mark-start", b"text:toc-mark-end",
    b"text:user-index-mark", b"text:user-index-mark-start", b"text:user-index-mark-end",
    b"text:alphabetical-index-mark", b"text:alphabetical-index-mark-start",
    b"text:alphabetical-index-mark-end",
];

/// The beginning of the tag for the end of an annotated range, which shows nothing.
const ANNOTATION_END: &[u8] = b"<office:annotation-end ";

/// A tag, by the text between its brackets.
#[derive(Clone, Copy)]
struct Tag<'t> {
    /// Its length in bytes, with the brackets.
    len: usize,
    /// Prefix and name (Namespaces in XML §4).
    name: &'t [u8],
    /// The text after its name.
    attributes: &'t [u8],
    is_end: bool,
    /// Whether it is an element without content.
    is_empty: bool,
}

impl<'t> Tag<'t> {
    /// Returns the tag that `rest` begins with, if it holds neither a URI nor a line end.
    fn read(rest: &'t [u8]) -> Option<Self> {
        let near = rest.get(..RUNS_LEN_MAX).unwrap_or(rest).strip_prefix(b"<")?;
        let inside = near.get(..memchr2(b'<', b'>', near)?)?;
        let len = inside.len() + 2;
        let is_whole = near.get(inside.len()) == Some(&b'>') && !inside.contains(&b'\n');
        let (is_end, inside) = match inside {
            [b'/', inside @ ..] => (true, inside),
            inside => (false, inside),
        };
        let name = inside.split(|byte| byte.is_ascii_whitespace() || *byte == b'/').next()?;
        let attributes = inside.get(name.len()..)?;
        let mut values = inside.split(|byte| b"\"'".contains(byte)).skip(1).step_by(2);
        // A tag of a recognised term has the name of its list, which is a URI without a host.
        let may_have_uri =
            name.ends_with(b":smartTag") && memmem::find(attributes, b"//").is_none();
        if !is_whole || !may_have_uri && values.any(may_hold_uri) {
            return None;
        }
        Some(Self { len, name, attributes, is_end, is_empty: inside.ends_with(b"/") })
    }

    /// Returns its name without the prefix.
    fn local(&self) -> &'t [u8] {
        self.name.rsplit(|byte| *byte == b':').next().unwrap_or_default()
    }

    /// Reports whether it begins an element with content.
    const fn is_start(&self) -> bool {
        !self.is_end && !self.is_empty
    }

    /// Reports whether one of its attributes has this value.
    fn has_value(&self, value: &[u8]) -> bool {
        self.attributes.split(|byte| b"\"'".contains(byte)).skip(1).step_by(2).any(|it| it == value)
    }
}

/// Reports whether `value` has a colon that is not in a time of day, `2026-01-02T03:04:05Z`.
fn may_hold_uri(value: &[u8]) -> bool {
    let is_digit = |at: usize| value.get(at).is_some_and(u8::is_ascii_digit);
    memchr_iter(b':', value).any(|at| at == 0 || !is_digit(at - 1) || !is_digit(at + 1))
}

/// The bytes between two runs of a text, or a hyphen there.
pub(super) struct Between {
    /// Their number.
    pub(super) len: usize,
    /// The character that they denote.
    pub(super) made: Option<char>,
}

impl Between {
    const fn nothing(len: usize) -> Self {
        Self { len, made: None }
    }
}

/// Returns the bytes at the start of `rest` that are between two runs of a text.
pub(super) fn between(rest: &[u8]) -> Option<Between> {
    // These bytes reject most tags.
    match rest {
        [b'<', b't', b'e', ..] | [b'<', b'/', ..] => {}
        [b'<', b'w', b':', b'n', ..] => return hyphen(rest),
        [b'<', b'w', b':', b'm', ..] => return moved(rest).map(Between::nothing),
        [b'<', b'o', b'f', ..] => return annotation(rest).map(Between::nothing),
        _ => return None,
    }
    let first = Tag::read(rest)?;
    if WITHIN.contains(&first.name) {
        return Some(Between::nothing(first.len));
    }
    let is_text = first.is_end && TEXTS.contains(&first.local());
    let skip_to_next = || Reader::new(rest, first.name).skip_to_next(first.len);
    is_text.then(skip_to_next).flatten().map(Between::nothing)
}

/// Returns the hyphen that `rest` begins with, with the bytes up to the next text or hyphen.
fn hyphen(rest: &[u8]) -> Option<Between> {
    let tag = Tag::read(rest).filter(|tag| rest.starts_with(HYPHEN) && tag.is_empty)?;
    let len = Reader::new(rest, b"w:t").skip_to_next(tag.len).unwrap_or(tag.len);
    Some(Between { len, made: Some('-') })
}

/// Returns the number of bytes of the moved text that `rest` begins with.
fn moved(rest: &[u8]) -> Option<usize> {
    let tag = Tag::read(rest).filter(|tag| rest.starts_with(MOVED) && tag.is_start())?;
    Reader::new(rest, b"").unseen_len(tag.name, tag.len, tag.len)
}

/// Returns the number of bytes of the annotation without a URI, or of the end of an annotated
/// range, that `rest` begins with.
fn annotation(rest: &[u8]) -> Option<usize> {
    let [begin, end] = ANNOTATION;
    let near = rest.get(..RUNS_LEN_MAX).unwrap_or(rest);
    if near.starts_with(ANNOTATION_END) {
        return Tag::read(near).map(|tag| tag.len);
    }
    let is_one = near.starts_with(begin) || near.starts_with(b"<office:annotation>");
    let len = is_one.then(|| memmem::find(near, end)).flatten()? + end.len();
    let inside = near.get(..len)?;
    (!holds_uri(inside) && !has_empty_line(inside)).then_some(len)
}

/// A reader of the tags after the end of a text.
struct Reader<'t> {
    /// The text and the bytes after it.
    rest: &'t [u8],
    /// The name of the element that holds text.
    text: &'t [u8],
    /// The name of the element around the current tag that holds properties.
    properties: Option<&'t [u8]>,
    /// Whether a link began.
    has_link: bool,
    /// Whether the text of the current run is hidden.
    is_hidden: bool,
    /// Whether it is in superscript.
    is_raised: bool,
    /// Whether white space was skipped.
    has_space: bool,
    /// Whether a run began or ended.
    has_run: bool,
}

/// The next step of a reader.
enum Step {
    /// To the offset of the next tag.
    To(usize),
    /// To the offset at which the text continues.
    Next(usize),
}

impl<'t> Reader<'t> {
    fn new(rest: &'t [u8], text: &'t [u8]) -> Self {
        Self {
            rest,
            text,
            properties: None,
            has_link: false,
            is_hidden: false,
            is_raised: false,
            has_space: false,
            has_run: false,
        }
    }

    /// Returns the offset from `at`, after a text or a hyphen, at which the next one begins.
    fn skip_to_next(&mut self, mut at: usize) -> Option<usize> {
        while at < RUNS_LEN_MAX {
            let blanks = self.rest.get(at..)?.iter().take_while(|it| it.is_ascii_whitespace());
            let blanks = blanks.take(RUNS_LEN_MAX).count();
            self.has_space |= blanks > 0;
            match self.step(at + blanks)? {
                Step::To(next) => at = next,
                Step::Next(next) => {
                    // Text elements of other programs are separate texts where lines divide them.
                    let is_one = self.has_run || !self.has_space;
                    let inside = self.rest.get(..next).filter(|_| is_one)?;
                    return (!has_empty_line(inside)).then_some(next);
                }
            }
        }
        None
    }

    /// Reads the tag at `at`.
    fn step(&mut self, at: usize) -> Option<Step> {
        let tag = Tag::read(self.rest.get(at..)?)?;
        let (name, end) = (tag.local(), at + tag.len);
        if let Some(around) = self.properties {
            if TEXTS.contains(&name) {
                return None;
            }
            self.property(around, &tag);
            return Some(Step::To(end));
        }
        if PROPERTIES.contains(&name) {
            self.properties = tag.is_start().then_some(name);
            return Some(Step::To(end));
        }
        if tag.name == self.text && tag.is_start() {
            return self.next_text(end);
        }
        if name == b"r" {
            (self.has_run, self.is_hidden, self.is_raised) = (true, false, false);
        }
        if name == b"hyperlink" && (self.has_link || !tag.is_end) {
            self.has_link = tag.is_start();
            return Some(Step::To(end));
        }
        if UNSEEN.contains(&name) && tag.is_start() {
            let len = self.unseen_len(tag.name, at, end)?;
            let is_plain = !holds_uri(Span::new(at, len).of(self.rest));
            return is_plain.then_some(Step::To(len));
        }
        if tag.is_empty && self.rest.get(at..)?.starts_with(HYPHEN) {
            return (self.text == b"w:t").then_some(Step::Next(at));
        }
        BETWEEN.contains(&name).then_some(Step::To(end))
    }

    /// Reads a tag within the properties that the element `around` holds.
    fn property(&mut self, around: &[u8], tag: &Tag<'_>) {
        let name = tag.local();
        if !tag.is_start() && name == around {
            self.properties = None;
        }
        if around == b"rPr" && !tag.is_end {
            let is_on = || !tag.has_value(b"0") && !tag.has_value(b"false");
            self.is_hidden |= name == b"vanish" && is_on();
            self.is_raised |= name == b"vertAlign" && tag.has_value(b"superscript");
        }
    }

    /// Returns the step at the text that begins at `at`.
    fn next_text(&self, at: usize) -> Option<Step> {
        /// Maximum number of digits of the mark of a note.
        const MARK_LEN_MAX: usize = 4;
        let rest = self.rest.get(at..)?;
        let digits = rest.iter().take(MARK_LEN_MAX).take_while(|it| it.is_ascii_digit()).count();
        if self.is_raised && digits > 0 && rest.get(digits) == Some(&b'<') {
            return None;
        }
        if self.is_hidden {
            let near = rest.get(..rest.len().min(RUNS_LEN_MAX))?;
            let len = memchr2(b'<', b'>', near)?;
            let end = Tag::read(rest.get(len..)?).filter(|tag| tag.is_end)?;
            let is_plain = end.name == self.text && !holds_uri(rest.get(..len)?);
            return is_plain.then_some(Step::To(at + len + end.len));
        }
        let begins = |uri: &&[u8]| rest.starts_with(uri);
        let is_other = self.has_link && [&b"http"[..], b"www.", b"mailto:"].iter().any(begins);
        (!is_other).then_some(Step::Next(at))
    }

    /// Returns the end offset of the element called `name`, whose start tag has the span from
    /// `start` to `at`, and whose text is not shown.
    fn unseen_len(&self, name: &[u8], start: usize, at: usize) -> Option<usize> {
        let near = self.rest.get(at..self.rest.len().min(start + RUNS_LEN_MAX))?;
        let end = [b"</", name, b">"].concat();
        let to = at + memmem::find(near, &end)? + end.len();
        (!has_empty_line(self.rest.get(start..to)?)).then_some(to)
    }
}
