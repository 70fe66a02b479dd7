//! Finds where tags divide words that readers see as one:
//! `https://bank.<span></span>example/log<b>in</b>`.
//!
//! A URL in text continues where a browser shows no gap with its default style sheet (HTML Standard
//! §15.3): across tags of inline elements, known or not, across comments, and across everything
//! that is not shown: `<template>`, and elements of any kind hidden by `hidden` or `display:none`,
//! as phishers do, a `dialog` that is closed, and text of the size 0. It ends at an element that
//! begins a line, a box or a picture, and at marks that a browser adds itself: `q`, `rt`. The
//! attribute `style` may turn one kind into the other; see `display`. Style sheets are not read. A
//! number in `sup` marks a note, and ends a URL, too. So does a name in brackets that is no
//! element: `https://h.example/<user>/`.
//!
//! Our choice: a link ends it, too. The author chose where the link begins and ends, and its text
//! has a finding of its own. So does a tag whose attributes may hold a URL, or such a comment: no
//! finding gets lost for a longer one. And a URL that begins after a tag is never a part of the
//! word before it.
//!
//! Mail, whose tags are not parsed, is searched for the beginnings of URLs; a scheme may be
//! divided, `ht<b>tps://`, the text after it, `https:<b>//`, and the slashes, `https:/<b>/`, but
//! not `www`. Some schemes without slashes may be divided, too, `<b>tel</b>:+1-555`. The scheme,
//! its colon and each slash may be character references, `https&#58;&#47;/`.

mod letters;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::display::{Attributes, Display, has_gap, is_one_of, is_placeholder, is_unseen, is_void};
use super::tokens::{TAG_LEN_MAX, Token, Tokens, ends_name};
use crate::scan::holds_link;
use crate::scheme::{self, Class};
use crate::span::Span;
use letters::{name_before, reference_before, referred_slashes, slash_end};

/// Maximum number of bytes between two parts of a word: styles and comments of mail have some
/// thousand.
const JOINT_LEN_MAX: usize = 4096;

/// Maximum number of bytes of a part of a word: no URL that people read has so many.
const PART_LEN_MAX: usize = 1024;

/// Maximum number of parts of a word. A URL may have each letter in a tag of its own.
const PARTS_MAX: usize = 256;

/// Maximum number of parts of a scheme before its cue: `mailto` has six letters.
const SCHEME_PARTS_MAX: usize = 8;

/// Maximum number of bytes between two parts of a scheme, which are read backwards for each `//`
/// after a tag.
const BEFORE_LEN_MAX: usize = 1024;

/// Maximum number of tags after a letter that are tried for the beginning of a joint.
const STARTS_MAX: usize = 2;

/// Bytes by which a URL is recognised, the number of bytes before those that count, and the number
/// of these. `/<` occurs in divided slashes, `/&` before a slash that is a reference. Such
/// references end in the next four, and few others do. The last two occur in divided schemes
/// without slashes.
const CUES: [(&[u8], usize, usize); 11] = [
    (b"//", 0, 2),
    (b"www", 0, 3),
    (b"mailto:", 0, 7),
    (b"/<", 0, 1),
    (b"/&", 0, 1),
    (b"47;", 2, 1),
    (b"2f;", 2, 1),
    (b"2F;", 2, 1),
    (b"sol;", 3, 1),
    (b">:", 0, 2),
    (b"to:", 0, 3),
];

/// Searchers for each of [`CUES`], built once, since most texts are short.
static FINDERS: LazyLock<[Finder<'static>; CUES.len()]> =
    LazyLock::new(|| CUES.map(|(cue, ..)| Finder::new(cue)));

/// Schemes that may be divided.
#[rustfmt::skip]
const SCHEMES: [&[u8]; 17] = [
    b"https:", b"http:", b"ftp:", b"ftps:", b"sftp:", b"ws:", b"wss:", b"git:", b"ssh:", b"svn:",
    b"gopher:", b"irc:", b"ircs:", b"ldap:", b"nntp:", b"rtsp:", b"telnet:",
];

/// Schemes without slashes that may be divided: before the colon, or before `to:`.
const OPAQUE: [&[u8]; 8] =
    [b"mailto:", b"tel:", b"sms:", b"urn:", b"doi:", b"geo:", b"sip:", b"xmpp:"];

/// The joints within the words of a text that contain a URL, in order.
#[derive(Clone, Debug, Default)]
pub(in crate::source) struct Joints {
    /// Joints that were found and not passed yet.
    found: VecDeque<Span>,
    /// Offset from which the search for cues continues.
    searched: usize,
    /// Offset of the next occurrence of each of [`CUES`]; `None` before the first search.
    cues: [Option<usize>; CUES.len()],
}

/// The bytes after a part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// More of the word, at this offset.
    Part(usize),
    /// Something else.
    Gap,
    /// Something that the text ends within.
    Unknown,
}

impl Joints {
    /// Reports whether no word of `text` is divided.
    pub(in crate::source) fn is_idle(text: &[u8]) -> bool {
        Self::default().next(text, 0).is_none() && !Self::begins_cut(text)
    }

    /// Reports whether `text` begins after a scheme that a cut left before it, in a word that is
    /// divided.
    fn begins_cut(text: &[u8]) -> bool {
        const SCHEME: &[u8] = b"http";
        let near = text.get(..text.len().min(2 * JOINT_LEN_MAX)).unwrap_or_default();
        near.starts_with(b"://") && Self::default().next(&[SCHEME, near].concat(), 0).is_some()
    }

    /// Returns the first joint of `text` that ends after `at`. Calls must have ascending offsets.
    pub(in crate::source) fn next(&mut self, text: &[u8], at: usize) -> Option<Span> {
        loop {
            while self.found.front().is_some_and(|joint| joint.end <= at) {
                self.found.pop_front();
            }
            if let Some(joint) = self.found.front() {
                return Some(*joint);
            }
            let (cue, len) = self.cue(text)?;
            self.searched = cue + len;
            if let Some(word) = Word::of(text, cue, len) {
                self.searched = word.end;
                self.found.extend(word.joints);
            }
        }
    }

    /// Returns the offset of the next cue, and its length.
    fn cue(&mut self, text: &[u8]) -> Option<(usize, usize)> {
        let from = self.searched;
        let mut first = (text.len(), 0);
        for ((next, finder), (_, skipped, len)) in self.cues.iter_mut().zip(&*FINDERS).zip(&CUES) {
            let at = match *next {
                Some(at) if at >= from => at,
                _ => {
                    let start = from.saturating_sub(*skipped);
                    let found = finder.find(text.get(start..)?);
                    // After the last occurrence, the search is not repeated.
                    *next.insert(found.map_or(usize::MAX, |at| start + at + skipped))
                }
            };
            if at < first.0 {
                first = (at, *len);
            }
        }
        (first.0 < text.len()).then_some(first)
    }
}

/// A word that contains a URL.
#[derive(Default)]
struct Word {
    /// The joints within it, in order.
    joints: Vec<Span>,
    /// Offset up to which it was read.
    end: usize,
    /// Whether the text ends within what follows the word, so that it may continue.
    is_open: bool,
}

impl Word {
    /// Reads the word around the cue of `len` bytes at `cue` of `text`; `None` if it contains no
    /// URL.
    fn of(text: &[u8], cue: usize, len: usize) -> Option<Self> {
        let mut word = Self::default();
        if len > 1 && matches!(text.get(cue), Some(b'>' | b't')) {
            return Self::of_opaque(text, cue + len);
        }
        let before = cue.checked_sub(1).and_then(|before| text.get(before));
        let (slashes, is_divided) = match text.get(cue) {
            Some(b'/' | b';') if len == 1 => referred_slashes(text, cue)?,
            _ => (Span::new(cue, cue + len), false),
        };
        let last = slashes.start.checked_sub(1).and_then(|last| text.get(last));
        if is_divided && !matches!(last, Some(b':' | b';' | b'>')) {
            return None;
        }
        if matches!(text.get(cue), Some(b'/' | b';')) {
            word.read_scheme(text, slashes.start)?;
        } else if before == Some(&b'/') {
            // The bytes before these slashes were examined already.
            return None;
        }
        let start = word.joints.first().map_or(slashes.start, |first| first.start);
        // A slash that another one does not follow is no reason to read the word.
        if is_in_value(text, start) || is_divided && !has_second_slash(text, slashes.end) {
            return None;
        }
        word.read_on(text, slashes.end);
        Some(word)
    }

    /// Reads the word around the colon that ends at `at`, if it is that of a divided scheme without
    /// slashes.
    fn of_opaque(text: &[u8], at: usize) -> Option<Self> {
        let mut word = Self::default();
        word.read_parts(text, at, &OPAQUE, None);
        let start = word.joints.first()?.start;
        if is_in_value(text, start) || !text.get(at).is_some_and(u8::is_ascii_graphic) {
            return None;
        }
        word.read_on(text, at);
        Some(word)
    }

    /// Reads backwards the scheme before `//`: the longest of [`SCHEMES`], whole or in parts, or
    /// another one, whole. Returns `None` if there is none.
    fn read_scheme(&mut self, text: &[u8], slashes: usize) -> Option<()> {
        let (whole, _) = name_before(text, slashes);
        let is_known = scheme::find(whole.strip_suffix(b":").unwrap_or_default()).is_some();
        let is_whole = whole.len() > b":".len();
        let known = if is_known { Some(0) } else { None };
        (self.read_parts(text, slashes, &SCHEMES, known) || is_whole).then_some(())
    }

    /// Reads backwards the scheme before `end`, whose parts form one of `schemes`; the longest
    /// counts. Reports whether there is one, or `known`, the number of joints of another one.
    fn read_parts(
        &mut self,
        text: &[u8],
        end: usize,
        schemes: &[&[u8]],
        known: Option<usize>,
    ) -> bool {
        let (mut name, len) = name_before(text, end);
        let is_scheme = |name: &[u8]| is_one_of(name, schemes);
        let mut known = known.or_else(|| is_scheme(&name).then_some(0));
        let mut at = end - len;
        while self.joints.len() < SCHEME_PARTS_MAX {
            let Some(start) = joint_before(text, at) else { break };
            let (part, len) = name_before(text, start);
            name = Cow::Owned([&*part, &*name].concat());
            self.joints.push(Span::new(start, at));
            at = start - len;
            if is_scheme(&name) {
                known = Some(self.joints.len());
            } else if known.is_some() {
                break;
            }
        }
        self.joints.truncate(known.unwrap_or_default());
        self.joints.reverse();
        known.is_some()
    }

    /// Reads the parts of the word after the cue that ends at `at`.
    fn read_on(&mut self, text: &[u8], mut at: usize) {
        let mut begun = Begun::default();
        for _ in 0..PARTS_MAX {
            let rest = text.get(at..).unwrap_or_default();
            let near = rest.get(..PART_LEN_MAX).unwrap_or(rest);
            let ends_part = |byte: &u8| matches!(byte, 0..=b' ' | b'<' | b'>' | b'"');
            let end = near.iter().position(ends_part);
            self.end = at + end.unwrap_or(near.len());
            let start = self.end;
            if end.is_none() {
                return;
            }
            match next(text, start, &mut begun) {
                Next::Part(end) => {
                    self.joints.push(Span::new(start, end));
                    (at, self.end) = (end, end);
                }
                Next::Gap => return,
                Next::Unknown => {
                    self.is_open = true;
                    return;
                }
            }
        }
    }
}

/// Reports whether the word that ends at `end` of `text` may be the beginning of a scheme, or a
/// later part of one, which continues after a tag.
pub(super) fn may_go_on(text: &[u8], end: usize) -> bool {
    let part = name_before(text, end).0.to_ascii_lowercase();
    let is_part = |scheme: &[u8]| memmem::find(scheme, &part).is_some();
    !part.is_empty() && SCHEMES.into_iter().chain(OPAQUE).any(is_part)
}

/// Reports whether the text at `start` is in the value of an attribute.
pub(in crate::source) fn is_in_value(text: &[u8], start: usize) -> bool {
    let before = text.get(..start - name_before(text, start).1).unwrap_or_default();
    let near = before.get(before.len().saturating_sub(TAG_LEN_MAX)..).unwrap_or_default();
    let sign = memchr::memrchr2(b'<', b'>', near).and_then(|at| near.get(at..));
    if matches!(sign, Some([b'<', b'a'..=b'z' | b'A'..=b'Z', ..])) {
        return true;
    }
    // An earlier value may contain a `>`.
    let value = near.trim_ascii_end();
    let name = value.strip_suffix(b"\"").or_else(|| value.strip_suffix(b"'"));
    name.is_some_and(|name| name.trim_ascii_end().ends_with(b"="))
}

/// Reports whether another slash follows the joint that begins at `at`, after the first slash, or
/// may follow it, because the text ends within the joint.
fn has_second_slash(text: &[u8], at: usize) -> bool {
    match next(text, at, &mut Begun::default()) {
        Next::Part(end) => slash_end(text, end).is_some(),
        Next::Gap => false,
        Next::Unknown => true,
    }
}

/// Returns the offset of the joint that ends at `end`, if it follows a part of a word.
fn joint_before(text: &[u8], end: usize) -> Option<usize> {
    let before = text.get(..end).filter(|before| before.ends_with(b">"))?;
    let from = end.saturating_sub(BEFORE_LEN_MAX);
    let tags = memchr::memrchr_iter(b'<', before.get(from..)?).map(|at| from + at);
    let is_start = |start: &usize| {
        let last = start.checked_sub(1).and_then(|last| text.get(last));
        let is_letter = |last: &u8| last.is_ascii_alphanumeric() || *last == b':';
        last.is_some_and(is_letter) || reference_before(text, *start).is_some()
    };
    let mut starts = tags.filter(is_start).take(STARTS_MAX);
    let near = text.get(..=end).unwrap_or(text);
    let read = |start| Between::new(near, Passes::Tags).read(start, &mut Begun::default());
    starts.find(|start| read(*start) == Next::Part(end))
}

/// Returns the length of the joint that `text` begins with, if that may be within a word, and is
/// seen to its end with the text after it. Hidden elements end a word here.
///
/// For values in other formats, whose words are not read from their beginnings.
pub(in crate::source) fn joint_len(text: &[u8]) -> Option<usize> {
    match Between::new(text, Passes::Tags).read(0, &mut Begun::default()) {
        Next::Part(end) => Some(end),
        Next::Gap | Next::Unknown => None,
    }
}

/// The elements that were begun in a word and not ended.
#[derive(Default)]
struct Begun {
    /// The number of links.
    anchors: usize,
    /// The names of elements that would be gaps, but are shown within their line.
    inline: Vec<Span>,
}

impl Begun {
    /// Ends the element called `name` of `text`; false if it is a gap.
    fn end(&mut self, text: &[u8], name: Span) -> bool {
        let is_its = |last: &mut Span| last.of(text).eq_ignore_ascii_case(name.of(text));
        self.inline.pop_if(is_its).is_some()
    }
}

/// Returns what follows the part of a word that ends at `at`.
fn next(text: &[u8], at: usize, begun: &mut Begun) -> Next {
    let rest = text.get(at..).unwrap_or_default();
    if !matches!(rest, [b'<', b'/' | b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..]) {
        return if matches!(rest, b"" | b"<") { Next::Unknown } else { Next::Gap };
    }
    if is_plain_gap(rest, begun) {
        return Next::Gap;
    }
    let end = text.len().min(at.saturating_add(JOINT_LEN_MAX));
    let near = text.get(..end).unwrap_or_default();
    // A tag without an end costs no reading.
    if memchr::memchr(b'>', near.get(at..).unwrap_or_default()).is_none() {
        return if end < text.len() { Next::Gap } else { Next::Unknown };
    }
    match Between::new(near, Passes::Hidden).read(at, begun) {
        // A joint of that length is none.
        Next::Unknown if end < text.len() => Next::Gap,
        next => next,
    }
}

/// Reports whether the tag at the start of `rest` is a gap, and has no attributes that could change
/// that. Most words end with their line or their cell.
fn is_plain_gap(rest: &[u8], begun: &Begun) -> bool {
    let name = rest.get(1..).unwrap_or_default();
    let closing = name.strip_prefix(b"/");
    let name = closing.unwrap_or(name);
    let len = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, after) = name.split_at(len);
    let is_plain = match closing {
        Some(_) => begun.inline.is_empty() && ends_name(after),
        // A dialog is hidden unless it is open.
        None => after.starts_with(b">") && !name.eq_ignore_ascii_case(b"dialog"),
    };
    is_plain && has_gap(name)
}

/// The tokens that may be between two parts of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passes {
    /// Tags and comments.
    Tags,
    /// Elements that are not shown, too.
    Hidden,
}

/// A reader of the bytes between two parts of a word.
struct Between<'t> {
    text: &'t [u8],
    passes: Passes,
    /// The name of the tag being read.
    tag: Span,
    /// Its attributes that decide how it is shown.
    attributes: Attributes,
    /// The name of the hidden element around the current token, and the number of open elements of
    /// this name.
    hidden: Option<(Span, usize)>,
}

impl<'t> Between<'t> {
    fn new(text: &'t [u8], passes: Passes) -> Self {
        let (tag, attributes) = (Span::default(), Attributes::default());
        Self { text, passes, tag, attributes, hidden: None }
    }

    fn read(&mut self, at: usize, begun: &mut Begun) -> Next {
        for token in Tokens::new(self.text, at) {
            if self.hidden.is_some() {
                if !self.pass_hidden(token) {
                    return Next::Gap;
                }
                continue;
            }
            match token {
                Token::Text(span) => return self.part(at, span.start),
                Token::Open(name) => (self.tag, self.attributes) = (name, Attributes::default()),
                Token::Attribute(name, value) => {
                    if self.is_named(name, &[b"href", b"src"]) {
                        return Next::Gap;
                    }
                    self.attributes.read(name.of(self.text), value.of(self.text));
                }
                Token::Opened(_) => {
                    if !self.opened(begun) {
                        return Next::Gap;
                    }
                }
                Token::Close(name) if has_gap(name.of(self.text)) => {
                    if !begun.end(self.text, name) {
                        return Next::Gap;
                    }
                }
                // Readers do not see the element that ends, nor the word in it.
                Token::Close(name) if is_unseen(name.of(self.text)) => return Next::Gap,
                Token::Close(name) if self.is_named(name, &[b"a"]) => {
                    // The end of a link in whose text the word begins ends the word.
                    let Some(left) = begun.anchors.checked_sub(1) else { return Next::Gap };
                    begun.anchors = left;
                }
                Token::Close(_) => {}
                Token::Doctype(_) | Token::Raw(_) => return Next::Gap,
            }
        }
        Next::Unknown
    }

    fn is_named(&self, name: Span, known: &[&[u8]]) -> bool {
        is_one_of(name.of(self.text), known)
    }

    /// Begins the element of the start tag that was read; false if it is a gap.
    fn opened(&mut self, begun: &mut Begun) -> bool {
        let name = self.tag.of(self.text);
        if is_placeholder(self.text, self.tag) {
            return false;
        }
        let display = self.attributes.display(name);
        let is_hidden = display == Display::None || self.attributes.is_invisible();
        if display == Display::Block || is_hidden && self.passes == Passes::Tags {
            return false;
        }
        if is_hidden {
            // Elements without content have no end tag.
            self.hidden = (!is_void(name)).then_some((self.tag, 1));
            return true;
        }
        begun.anchors += usize::from(name.eq_ignore_ascii_case(b"a"));
        if has_gap(name) {
            begun.inline.push(self.tag);
        }
        true
    }

    /// Skips a token of a hidden element; false if it begins another element that ends this one.
    fn pass_hidden(&mut self, token: Token) -> bool {
        /// Elements whose end tag may be missing (HTML Standard §13.1.2.4).
        const OPTIONAL: [&[u8]; 10] =
            [b"dd", b"dt", b"li", b"optgroup", b"option", b"p", b"rp", b"td", b"th", b"tr"];
        let text = self.text;
        let Some((tag, open)) = &mut self.hidden else { return true };
        let tag = tag.of(text);
        let is_its = |name: Span| name.of(text).eq_ignore_ascii_case(tag);
        let ends = |name: Span| {
            is_one_of(tag, &OPTIONAL) && is_its(name)
                || tag.eq_ignore_ascii_case(b"p") && has_gap(name.of(text))
        };
        match token {
            Token::Open(name) if ends(name) => return false,
            Token::Open(name) => *open += usize::from(is_its(name)),
            Token::Close(name) => *open -= usize::from(is_its(name)),
            _ => {}
        }
        if *open == 0 {
            self.hidden = None;
        }
        true
    }

    /// Returns whether the text at `at` continues the word that ended at `start`.
    fn part(&self, start: usize, at: usize) -> Next {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_blank = rest.first().is_none_or(|first| matches!(first, 0..=b' ' | b'>' | b'"'));
        let between = Span::new(start, at).of(self.text);
        if is_blank || begins_url(rest) || self.is_note_mark(at) || holds_link(between) {
            return Next::Gap;
        }
        Next::Part(at)
    }

    /// Reports whether the text at `at` is a number in superscript, which marks a note.
    fn is_note_mark(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_number = digits > 0 && rest.get(digits) == Some(&b'<');
        let attributes = Span::new(self.tag.end, at).of(self.text);
        is_number && self.is_named(self.tag, &[b"sup"]) && !attributes.contains(&b'<')
    }
}

/// Reports whether `rest` begins with a URL of its own.
pub(in crate::source::markup) fn begins_url(rest: &[u8]) -> bool {
    let name = rest.get(..scheme::name_len(rest)).unwrap_or_default();
    let is_www = rest.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www."));
    let after = rest.get(name.len() + 1..).unwrap_or_default();
    let has_host = after.starts_with(b"//") || after.starts_with(b"\\/\\/");
    let is_colon = rest.get(name.len()) == Some(&b':');
    let has_more = is_colon && after.first().is_some_and(u8::is_ascii_graphic);
    let is_opaque = |class: Class| matches!(class, Class::Opaque(_)) && has_more;
    is_www || scheme::find(name).is_some_and(|scheme| has_host || is_opaque(scheme.class))
}

/// Returns the joints of `text`, a part of a longer one: where a word may continue after the end,
/// the text after the word counts as a joint.
pub(super) fn in_part(text: &[u8]) -> Vec<Span> {
    let (mut joints, mut all) = (Joints::default(), Vec::new());
    while let Some((cue, len)) = joints.cue(text) {
        joints.searched = cue + len;
        let Some(word) = Word::of(text, cue, len) else { continue };
        joints.searched = word.end;
        all.extend(word.joints);
        if word.is_open {
            all.push(Span::new(word.end, text.len()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::display::{ELEMENTS, has_gap, is_unseen};
    use super::Joints;

    /// Holds `text` with a `·` in place of each joint to `expected`.
    #[track_caller]
    fn case(text: &str, expected: &str) {
        let (mut joints, mut at, mut shown) = (Joints::default(), 0, String::new());
        while let Some(joint) = joints.next(text.as_bytes(), at) {
            assert!(at <= joint.start && joint.start < joint.end, "{joint:?} in {text}");
            shown += &text[at..joint.start];
            shown += "·";
            at = joint.end;
        }
        shown += &text[at..];
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn words_go_on_where_no_gap_is_shown() {
        case(
            "https://bank.<span></span>example/log<b>in</b> today",
            "https://bank.·example/log·in</b> today",
        );
        case(
            "https://<font color='>'>shop</font>.h/<!-- > -->cart<br>now",
            "https://·shop·.h/·cart<br>now",
        );
        case("x https://h/<B\n>a</B ><x-y z>b</x-y>", "x https://h/·a·b</x-y>");
        case("https://h/<a name=b></a>c", "https://h/·c");
        case(
            "www.<i>h</i>.example mailto:a@<i>h</i>.example",
            "www.·h·.example mailto:a@·h·.example",
        );
        case("https://h/a</>b<?c>d</ e>f", "https://h/a·b·d·f");
        case("https://h/<sup>2b</sup><sup></sup><b>2</b>", "https://h/·2b·2</b>");
        case("https://h/<o:p>a</o:p>b<wbr/>c", "https://h/·a·b·c");
        case("https://h/<p-x>a</p-x>b", "https://h/·a·b");
    }

    #[test]
    fn schemes_may_be_divided() {
        case("ht<b></b>tps://h", "ht·tps://h");
        case("h<b>t</b>tps<i>:</i>//h/<b>a</b>", "h·t·tps·:·//h/·a</b>");
        case("https:<b>//h</b>/a", "https:·//h·/a");
        case("no<b>thing://h/<i>a", "no<b>thing://h/·a");
        case("a<b>https://h/<i>a", "a<b>https://h/·a");
        case("so<b>// a comment</b>b", "so<b>// a comment</b>b");
        case("s<b>ftp</b>://h/<i>a", "s·ftp·://h/·a");
        case("w<b>ss</b>://h", "w·ss·://h");
        case("htt<i><b></b></i>ps<i><b></b></i>:<i></i><b></b>//h", "htt·ps·:·//h");
        case("<p>g<b>it</b>://h/<i>a", "<p>g·it·://h/·a");
        case("x<b>http</b>://h", "x<b>http·://h");
        let style = "x".repeat(900);
        case(&format!("ht<b style='{style}'>tp</b>://h"), "ht·tp·://h");
        case(&format!("http://h<!--{style} {style}-->i"), "http://h·i");
    }

    #[test]
    fn schemes_without_slashes_may_be_divided() {
        case("<i>mail</i>to:a@h.<b>i", "<i>mail·to:a@h.·i");
        case("<b>tel</b>:+1-555", "<b>tel·:+1-555");
        case("<b>urn</b>:isbn:0<i>4</i>5", "<b>urn·:isbn:0·4·5");
        case("m<i>ail</i>to<b>:</b>a@h", "m·ail·to·:·a@h");
        case("<b>tel</b>: +1", "<b>tel</b>: +1");
        case("<b>Note</b>:a how<i>to</i>:a", "<b>Note</b>:a how<i>to</i>:a");
        case("<p title='mail<b>to:a@h'>", "<p title='mail<b>to:a@h'>");
    }

    #[test]
    fn slashes_may_be_divided() {
        case("https:/<b>/h</b>/a", "https:/·/h·/a");
        case("https<i>:</i><i>/</i><i>/</i>h", "https·:·/·/·h");
        case("https:/<!-- -->/h", "https:/·/h");
        case("https:/<b>h", "https:/<b>h");
        case("https:/<p>/h", "https:/<p>/h");
        case("or/<b>/h", "or/<b>/h");
        case("<b>/</b>/h", "<b>/</b>/h");
    }

    #[test]
    fn references_are_read_as_letters_and_slashes() {
        case("https&#58;//h.<b>i", "https&#58;//h.·i");
        case("https:&#47;&#x2f;h.<b>i", "https:&#47;&#x2f;h.·i");
        case("https&colon;&sol;&sol;h.<b>i", "https&colon;&sol;&sol;h.·i");
        case("https:&#47;/h.<b>i", "https:&#47;/h.·i");
        case("https:/&#x2F;h.<b>i", "https:/&#x2F;h.·i");
        case("h<b>t</b>tps:&#47;/h.<b>i", "h·t·tps:&#47;/h.·i");
        case("https<b>:</b><b>&#47;</b>/h", "https·:·&#47;·/h");
        case("https:/<b></b>&sol;h<b>i", "https:/·&sol;h·i");
        case("https:&sol;<b>&sol;h</b>i", "https:&sol;·&sol;h·i");
        case("see &#47;<b>/a", "see &#47;<b>/a");
        case("&#104;ttp://h.<b>i", "&#104;ttp://h.·i");
        case("h<i>&#116;</i>tp://h.<b>i", "h·&#116;·tp://h.·i");
        case("a&nbsp;&nbsp;<b>i", "a&nbsp;&nbsp;<b>i");
        case("a &#47;&#47; <b>i", "a &#47;&#47; <b>i");
    }

    #[test]
    fn a_gap_ends_a_word() {
        for (name, _) in ELEMENTS.into_iter().filter(|(name, _)| has_gap(name)) {
            let name = name.escape_ascii().to_string();
            let start = name.replace("dialog", "dialog open");
            for text in [
                format!("https://h/<{start}>a"),
                format!("https://h/<{start} class=b>a"),
                format!("https://h/</{name}>a"),
            ] {
                case(&text, &text);
            }
        }
        for text in [
            "https://h/a<sup>2</sup>",
            "https://h/a<SUP class=b>12</SUP>, c",
            "https://h/ <b>a</b>",
            "https://h/<b> a</b>",
            "https://h/<b><br></b>a",
            "https://h/<b></b></td>a",
            "https://h/<",
            "https://h/<3>a",
            "https://h/<b",
            "https://h/<!-- a",
            "<p title='https://h/'>a",
            "<p title=\"https://h/<b>a\">",
            "<p title = ' https://h/<b>a'>",
            "<p title=https://h/<b>a>",
        ] {
            case(text, text);
        }
    }

    #[test]
    fn links_and_what_may_hold_one_end_a_word() {
        for text in [
            "<a href=b>https://h/</a>a",
            "https://h/<a href=b>a</a>",
            "https://h/<b>https://i/</b>",
            "https://h/<b>www.i.example</b>",
            "https://h/<!-- see http://i/ -->a",
            "https://h/<b title='http://i/'>a",
            "https://h/<b style='background:url(c)'>a",
            "https://h/<span hidden><img src=a></span>a",
        ] {
            case(text, text);
        }
    }

    #[test]
    fn what_is_not_shown_is_passed() {
        for (name, _) in ELEMENTS.into_iter().filter(|(name, _)| is_unseen(name)) {
            let name = name.escape_ascii();
            case(&format!("https://h/<{name}>a <p>b</{name}>c"), "https://h/·c");
        }
        case(
            "https://bank.<span style='color:red; DISPLAY : None'>a <i>b</i></span>h",
            "https://bank.·h",
        );
        case(
            "https://bank.<span style=display:none!important>a<span>b</span></span>h",
            "https://bank.·h",
        );
        case(
            "https://bank.<b hidden>a</b>h/<i style='display:inline'>a</i>",
            "https://bank.·h/·a</i>",
        );
        case("https://h/<b hidden>a", "https://h/<b hidden>a");
    }

    #[test]
    fn a_hidden_block_is_no_gap() {
        for hidden in [
            "<div style='display:none'>e</div>",
            "<div style='display:none'>e <div>f</div></div>",
            "<p hidden>e <b>f</b></p>",
            "<br hidden>",
            "<select hidden><option>e<option>f</select>",
            "<dialog>e <p>f</p></dialog>",
            "<input type=hidden>",
            "<input type=HIDDEN style='display:block'>",
            "<hr style='display:none'/>",
            "<span style='font-size:0'>e</span>",
            "<span style='font-size: 0.0px !important'>e</span>",
        ] {
            case(&format!("https://b.{hidden}example/Q"), "https://b.·example/Q");
        }
        for shown in [
            "<dialog open>e</dialog>",
            "<p hidden>e<p>f</p>",
            "<p hidden>e<div>f</div></p>",
            "<li hidden>e<li>f</li>",
            "<div hidden style='display:block'>e</div>",
            "<div style='display:none;display:block'>e</div>",
            "<div style='font-size:0'>e</div>",
            "<input type=text>",
        ] {
            let text = format!("https://b.{shown}example/Q");
            case(&text, &text);
        }
    }

    #[test]
    fn a_style_decides_whether_an_element_is_a_gap() {
        case("https://b.<div style=display:inline>e</div>x/<p>Q", "https://b.·e·x/<p>Q");
        case(
            "https://b.<p style='display:inline-block'>e<b>x</b></P>/Q</p>R",
            "https://b.·e·x·/Q</p>R",
        );
        for style in ["block", "flex", "grid", "table", "list-item", "BLOCK!important"] {
            let text = format!("https://b.<span style='display: {style}'>e</span>x");
            case(&text, &text);
        }
        case("https://b.<span style='display:block;display:inline'>e</span>x", "https://b.·e·x");
        for text in [
            "https://b.<span style='display:block!important;display:inline'>e",
            "https://b.<img style=display:inline>e",
            "https://b.<br style=display:inline>e",
        ] {
            case(text, text);
        }
        case("https://b.<div style=display:inline>e</p>x", "https://b.·e</p>x");
    }
}
