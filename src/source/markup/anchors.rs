//! Finds the places in a document that the fragment of a link can name (RFC 3986 §3.5).
//!
//! Each language makes them in its own way: HTML by `id` and by `name` of an `a` (HTML Standard
//! §7.4.6.4), Markdown by its headings as GitHub or `MkDocs` does, reStructuredText by targets and
//! titles as Docutils does, AsciiDoc as Asciidoctor does, Org by the names that its export keeps.
//! Only hashes of the names are kept, and the names themselves of a small document, for hints about
//! misspelled ones.
//!
//! Not known: places that scripts and templates make, and those in included files.

mod asciidoc;
mod html;
mod markdown;
mod org;
mod outline;
mod rest;
mod slug;

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use encoding_rs::WINDOWS_1252;

use super::Markup;
use crate::source::hex;
use crate::source::panics::caught;
use crate::span::BYTE_ORDER_MARK;
use outline::Outline;

/// Maximum number of bytes of names that are kept for hints: those of some 300 headings.
const SHOWN_LEN_MAX: usize = 8 * 1024;

/// The prefix that GitHub adds to each name in a document, and removes in links.
const PREFIX: &[u8] = b"user-content-";

/// The mark that begins an instruction to the browser (Text Fragments, "The fragment directive").
const DIRECTIVE: &[u8] = b":~:";

/// The places of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// Hashes of the names, sorted.
    names: Box<[u64]>,
    /// Hashes of the lower-case forms of names that differ from theirs, sorted.
    lowered: Box<[u64]>,
    /// The names kept for hints, each followed by a line end.
    shown: Box<[u8]>,
    /// The number of lines in the document.
    lines: usize,
    /// Whether some names depend on text that is not in the document.
    is_open: bool,
}

/// The result of looking for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The place exists.
    There,
    /// A place exists whose name differs in the case of letters.
    OtherCase,
    /// No such place is in the document.
    Missing,
    /// The document does not decide: a script or a program reads the fragment, or makes the place.
    Unknown,
}

/// The programs that make names of headings in Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slugs {
    /// GitHub, `mdBook`, and those that do the same.
    #[default]
    Usual,
    /// The same, and `MkDocs`, that is Python-Markdown.
    MkDocs,
    /// The same, and GitLab.
    GitLab,
    /// The same, and `VitePress`.
    VitePress,
}

impl Slugs {
    /// Number of values.
    pub const COUNT: usize = Self::VitePress as usize + 1;
}

/// Returns the reader of a language's places; `None` if it has none.
fn reader(markup: Markup) -> Option<fn(&[u8], &mut Outline)> {
    match markup {
        Markup::Html => Some(html::read),
        Markup::Markdown => Some(markdown::read),
        Markup::Mdx => Some(markdown::read_mdx),
        Markup::Rest => Some(rest::read),
        Markup::AsciiDoc => Some(asciidoc::read),
        Markup::Org => Some(org::read),
        Markup::Css
        | Markup::Feed
        | Markup::Csv
        | Markup::Folded
        | Markup::Roff
        | Markup::Json
        | Markup::Ldif
        | Markup::Po
        | Markup::Properties
        | Markup::Template
        | Markup::Terminal
        | Markup::Tex
        | Markup::Texinfo
        | Markup::Rtf
        | Markup::Turtle
        | Markup::Xml
        | Markup::Yaml => None,
    }
}

/// Returns the places of `text`, a whole document in `markup`, or a file of another kind.
///
/// `None` if it could not be read in its language.
#[must_use]
pub fn anchors(markup: Option<Markup>, text: &[u8]) -> Option<Anchors> {
    anchors_by(Slugs::Usual, markup, text)
}

/// Returns the places of `text` as [`anchors`] does, with the names of headings that `slugs` make.
#[must_use]
pub fn anchors_by(slugs: Slugs, markup: Option<Markup>, text: &[u8]) -> Option<Anchors> {
    // The mark must not hide a first heading.
    let text = &*in_utf8(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
    let mut outline = Outline::by(slugs);
    let read = markup.and_then(reader);
    if let Some(read) = read {
        caught(|| read(text, &mut outline))?;
    }
    if outline.is_failed {
        return None;
    }
    let breaks = memchr::memchr_iter(b'\n', text).count();
    let is_cut = text.last().is_some_and(|last| *last != b'\n');
    let lines = breaks + usize::from(is_cut);
    let is_open = outline.is_open || read.is_none();
    let (names, titles) = outline.into_names();
    Some(Anchors::of(&names, &titles, lines, is_open))
}

impl Anchors {
    fn of(names: &[Vec<u8>], titles: &[Vec<u8>], lines: usize, is_open: bool) -> Self {
        let all = || names.iter().chain(titles);
        let sorted = |mut hashes: Vec<u64>| {
            hashes.sort_unstable();
            hashes.dedup();
            hashes.into_boxed_slice()
        };
        let mut shown = Vec::new();
        for name in names.iter().filter(|name| !name.contains(&b'\n')) {
            if shown.len() + name.len() < SHOWN_LEN_MAX {
                shown.extend_from_slice(name);
                shown.push(b'\n');
            }
        }
        let lowered = all().filter_map(|name| match lower(name) {
            Cow::Owned(lower) => Some(hash(&lower)),
            Cow::Borrowed(_) => None,
        });
        Self {
            lowered: sorted(lowered.collect()),
            names: sorted(all().map(|name| hash(name)).collect()),
            shown: shown.into_boxed_slice(),
            lines,
            is_open,
        }
    }

    /// Looks for the place that `fragment` names, which is written as in the link, without `#`. An
    /// instruction to the browser in it, such as a text to search for, is ignored.
    #[must_use]
    pub fn find(&self, fragment: &[u8]) -> Place {
        let (raw, _) = undirected(fragment);
        let raw = &*in_utf8(raw);
        // HTML Standard §7.4.6.4: the empty one and `top` in any case lead to the top.
        let decoded = decoded(raw);
        if raw.is_empty() || decoded.eq_ignore_ascii_case(b"top") {
            return Place::There;
        }
        if self.holds(raw) {
            return Place::There;
        }
        if let Some(line) = last_line(raw) {
            let is_there = (1..=self.lines).contains(&line);
            return if is_there { Place::There } else { Place::Missing };
        }
        let lower = lower(&decoded);
        let holds = |list: &[u64], name: &[u8]| list.binary_search(&hash(name)).is_ok();
        if holds(&self.names, &lower) || holds(&self.lowered, &lower) {
            return Place::OtherCase;
        }
        if self.is_open || is_program(raw) { Place::Unknown } else { Place::Missing }
    }

    /// Reports whether a place of the document has the name in `fragment`, which is not that of the
    /// top, or whether lines that it names have places.
    #[must_use]
    pub fn holds(&self, fragment: &[u8]) -> bool {
        let (raw, _) = undirected(fragment);
        let raw = &*in_utf8(raw);
        let has_lines = || {
            self.has_both(raw)
                || first_line(raw).is_some_and(|it| self.has_line(it))
                || last_line(raw).is_some() && self.has_line(raw)
        };
        self.has(raw) || self.has(&decoded(raw)) || has_lines()
    }

    /// Reports whether a place has this name, with or without GitHub's prefix.
    fn has(&self, name: &[u8]) -> bool {
        let has = |name: &[u8]| self.names.binary_search(&hash(name)).is_ok();
        has(name) || name.strip_prefix(PREFIX).is_some_and(has) || has(&[PREFIX, name].concat())
    }

    /// Reports whether the line `name`, such as `L12`, has a place. GitHub calls that of the line's
    /// code `LC12`.
    fn has_line(&self, name: &[u8]) -> bool {
        let digits = name.strip_prefix(b"L").unwrap_or_default();
        self.has(name) || !digits.is_empty() && self.has(&[b"LC", digits].concat())
    }

    /// Reports whether `range` is a range of lines with a place each, as `88-90` in sources that
    /// rustdoc shows.
    fn has_both(&self, range: &[u8]) -> bool {
        let is_number = |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_digit);
        let has = |name: &[u8]| is_number(name) && self.has(name);
        let dash = memchr::memchr(b'-', range).map(|dash| range.split_at(dash));
        dash.is_some_and(|(first, last)| has(first) && has(last.get(1..).unwrap_or_default()))
    }

    /// Returns the names of a small document, and the first ones of a larger one.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.shown.split(|byte| *byte == b'\n').filter(|name| !name.is_empty())
    }

    /// Returns the number of bytes that this takes, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        (self.names.len() + self.lowered.len()) * 8 + self.shown.len() + size_of::<Self>()
    }
}

/// Splits `fragment` into the part before an instruction to the browser, and that instruction,
/// which is empty if there is none.
#[must_use]
pub fn undirected(fragment: &[u8]) -> (&[u8], &[u8]) {
    fragment.split_at(memchr::memmem::find(fragment, DIRECTIVE).unwrap_or(fragment.len()))
}

/// Returns `text` in UTF-8: invalid bytes are read in the charset that browsers assume where none
/// is declared (HTML Standard §13.2.3.2), one by one, so that a broken character breaks no other.
fn in_utf8(text: &[u8]) -> Cow<'_, [u8]> {
    if std::str::from_utf8(text).is_ok() {
        return Cow::Borrowed(text);
    }
    let mut made = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        made.extend_from_slice(chunk.valid().as_bytes());
        // At most three bytes, each of them three in UTF-8.
        let mut bytes = [0; 16];
        let mut decoder = WINDOWS_1252.new_decoder_without_bom_handling();
        let (.., len, _) = decoder.decode_to_utf8(chunk.invalid(), &mut bytes, true);
        made.extend_from_slice(bytes.get(..len).unwrap_or_default());
    }
    Cow::Owned(made)
}

/// Returns the name of the first line of `L12-L20`, `L12-20`, `L12C3-L20C8`, `L12,L20`, `L12:L20`
/// and `L12-`: pages of forges give each line a place, and their scripts find the first one.
fn first_line(fragment: &[u8]) -> Option<&[u8]> {
    let digits = fragment.strip_prefix(b"L")?;
    let len = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (name, range) = fragment.split_at_checked(len + 1).filter(|_| len > 0)?;
    let is_range = matches!(range, [b'-' | b',' | b':' | b'C', ..]);
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"-,:LC".contains(byte);
    (is_range && range.iter().all(is_part)).then_some(name)
}

/// Returns the last line of `L12`, `L12-L20` and `L12C3-L20C8`, as forges name lines.
fn last_line(fragment: &[u8]) -> Option<usize> {
    let mut parts = fragment.split(|byte| *byte == b'-');
    let first = line_number(parts.next()?.strip_prefix(b"L")?)?;
    let Some(part) = parts.next() else { return Some(first) };
    let last = line_number(part.strip_prefix(b"L").unwrap_or(part))?;
    parts.next().is_none().then_some(last.max(first))
}

/// Returns the number in `12` and in `12C3`.
fn line_number(text: &[u8]) -> Option<usize> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, after) = text.split_at(len);
    let column = after.strip_prefix(b"C").unwrap_or(after);
    let is_column = after.is_empty() || !column.is_empty() && column.len() < after.len();
    if !is_column || !column.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Reports whether programs in the page read the fragment: routes (`#/a`, `#!a`), parts of media
/// (`#t=10`, `#xywh=`), pages (`#page=3`), views of SVG, and pictures for dark or bright pages
/// (GitHub, "Specifying the theme an image is shown to"; Material for `MkDocs`, "Images").
fn is_program(fragment: &[u8]) -> bool {
    let begins: [&[u8]; 6] = [b"/", b"!", b"t=", b"xywh=", b"page=", b"svgView("];
    let themes: [&[u8]; 4] =
        [b"gh-dark-mode-only", b"gh-light-mode-only", b"only-dark", b"only-light"];
    begins.iter().any(|begin| fragment.starts_with(begin)) || themes.contains(&fragment)
}

/// Reports whether `fragment`, if it names no place, may be data that a program of a page on the
/// Web reads: settings (`#a=b`, `#gid=0`), a spot on a map (`#12/1.2/3.4`, `#@1,2,3z`), a search
/// (`#?q=1`), a view (`#narrow/stream/1`), or lines of a file that the program shows (`#L10`).
#[must_use]
pub fn is_data(fragment: &[u8]) -> bool {
    let fragment = &*decoded(undirected(fragment).0);
    let is_lines = last_line(fragment).is_some() || first_line(fragment).is_some();
    is_lines
        || memchr::memchr2(b'=', b'/', fragment).is_some()
        || matches!(fragment, [b'?' | b'@' | b'!', ..])
}

fn hash(name: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// Returns `name` in lower case; borrowed if it is already.
fn lower(name: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(name) else { return Cow::Borrowed(name) };
    let lower = text.to_lowercase();
    if lower == text { Cow::Borrowed(name) } else { Cow::Owned(lower.into_bytes()) }
}

/// Returns `raw` with its escapes decoded once (RFC 3986 §2.1); malformed escapes are kept.
#[must_use]
pub fn decoded(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((byte, after)) = rest.split_first() {
        let escaped = if *byte == b'%' { hex::octet(after) } else { None };
        out.push(escaped.unwrap_or(*byte));
        rest = after.get(if escaped.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{Anchors, Place, decoded};

    fn anchors(names: &[&str]) -> Anchors {
        let names: Vec<Vec<u8>> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
        Anchors::of(&names, &[], 20, false)
    }

    #[track_caller]
    fn case(fragment: &str, expected: Place) {
        let names = ["a-b", "Été", "user-content-saved", "%41", "100%"];
        assert_eq!(anchors(&names).find(fragment.as_bytes()), expected, "#{fragment}");
    }

    #[test]
    fn names_are_found_as_they_stand_and_decoded() {
        case("a-b", Place::There);
        case("a%2Db", Place::There);
        case("%C3%89t%c3%a9", Place::There);
        case("%41", Place::There);
        case("100%", Place::There);
        case("100%25", Place::There);
        case("A-b", Place::OtherCase);
        case("%C3%A9t%C3%A9", Place::OtherCase);
        case("b", Place::Missing);
        case("a%2", Place::Missing);
    }

    #[test]
    fn the_prefix_of_github_may_stand_on_either_side() {
        case("user-content-a-b", Place::There);
        case("saved", Place::There);
        case("user-content-user-content-a-b", Place::Missing);
    }

    #[test]
    fn what_is_no_name_leads_to_the_top_or_to_a_program() {
        case("", Place::There);
        case("top", Place::There);
        case("TOP", Place::There);
        case("t%6Fp", Place::There);
        case(":~:text=any", Place::There);
        case("a-b:~:text=any", Place::There);
        case("b:~:text=any", Place::Missing);
        case("/route", Place::Unknown);
        case("!route", Place::Unknown);
        case("t=10,20", Place::Unknown);
    }

    #[test]
    fn lines_are_there_as_far_as_the_text_goes() {
        case("L1", Place::There);
        case("L20", Place::There);
        case("L3-L7", Place::There);
        case("L3-7", Place::There);
        case("L3C4-L7C80", Place::There);
        for fragment in
            ["L0", "L21", "L3-L21", "L", "L3C", "3", "l3", "L3-", "L99999999999999999999"]
        {
            case(fragment, Place::Missing);
        }
    }

    #[test]
    fn ranges_are_there_where_both_of_their_lines_are() {
        let anchors = anchors(&["88", "90", "a"]);
        for (fragment, expected) in [
            ("88-90", Place::There),
            ("88", Place::There),
            ("88-91", Place::Missing),
            ("88-", Place::Missing),
            ("-90", Place::Missing),
            ("88-a", Place::Missing),
            ("88-90-90", Place::Missing),
        ] {
            assert_eq!(anchors.find(fragment.as_bytes()), expected, "#{fragment}");
        }
    }

    #[test]
    fn ranges_of_forges_are_there_where_their_first_line_is() {
        let anchors = Anchors::of(&[b"L30".to_vec(), b"user-content-L31".to_vec()], &[], 1, false);
        for range in ["-L40", "-40", "C1-L40C2", ",L40", ":L40", "-", "C7", ""] {
            for first in ["L30", "L31"] {
                assert_eq!(anchors.find(format!("{first}{range}").as_bytes()), Place::There);
            }
            assert_eq!(anchors.find(format!("L29{range}").as_bytes()), Place::Missing);
        }
        for fragment in ["L30-a", "L-L40", "L30L40", "L30.L40", "30-L40"] {
            assert_eq!(anchors.find(fragment.as_bytes()), Place::Missing, "{fragment}");
        }
    }

    #[test]
    fn a_page_that_sends_on_may_take_the_fragment_along() {
        let page = |head: &str| super::anchors(Some(super::Markup::Html), head.as_bytes()).unwrap();
        let refresh = "<META Content='0; url=new.html' HTTP-EQUIV=refresh >";
        for (head, expected) in [
            (refresh, Place::Unknown),
            ("<meta http-equiv=content-type content=refresh>", Place::Missing),
            ("<!-- <meta http-equiv=refresh> -->", Place::Missing),
            ("<meta http-equiv=refresh content=600>", Place::Missing),
            ("<meta http-equiv=refresh content='5; url='>", Place::Missing),
            ("<meta http-equiv=refresh>", Place::Missing),
            ("<meta http-equiv=refresh content='0&#59;/new'>", Place::Unknown),
            ("<template><meta http-equiv=refresh content='0;/new'></template>", Place::Missing),
        ] {
            assert_eq!(page(head).find(b"name"), expected, "{head}");
        }
    }

    #[test]
    fn what_is_not_in_the_document_is_no_place() {
        let place = |text: &str| {
            let places = super::anchors(Some(super::Markup::Html), text.as_bytes()).unwrap();
            places.find(b"name")
        };
        for (text, expected) in [
            ("<template><p id=name></template>", Place::Missing),
            ("<template><template></template><p id=name></template>", Place::Missing),
            ("<template id=name></template>", Place::There),
            ("<template></template><p id=name>", Place::There),
            ("</template><p id=name>", Place::There),
            ("<plaintext><p id=name>", Place::Missing),
            ("<plaintext id=name>", Place::There),
            ("<p id=other id=name>", Place::Missing),
            ("<p id=name id=other>", Place::There),
            ("<a name=other name=name>", Place::Missing),
            ("<a id=other name=name>", Place::There),
        ] {
            assert_eq!(place(text), expected, "{text}");
        }
    }

    #[test]
    fn escapes_are_decoded_once() {
        for (raw, expected) in
            [("a", "a"), ("%61%2541", "a%41"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz")]
        {
            assert_eq!(&*decoded(raw.as_bytes()), expected.as_bytes(), "{raw}");
        }
    }
}
