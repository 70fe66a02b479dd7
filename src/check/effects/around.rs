//! Finds the effects of links in the words around them.
//!
//! The URI of most links of mail that act does not show their effect. The text that the reader sees
//! does (`Unsubscribe`), or the text before the link. In HTML, the text of a link is read, with the
//! descriptions of its pictures; if that text only points (`click here`) or is short, so is the
//! sentence around it. In plain text, the line of a link is read, and the lines before it if the
//! line says nothing. Words that belong to another link are ignored, so that a footer does not
//! affect the articles before it.
//!
//! All bytes that are read are so near to the link that a piece holds them where it sees beyond its
//! core. A piece that begins after an empty line does not: the words before that line are unknown.

mod attached;
pub(super) mod calendar;
mod notes;
mod remarks;

use std::borrow::Cow;

use super::clarity::Clarity;
use super::headline::Text;
use super::link::{Link, readings};
use super::prose::{self, Says};
use super::verdict::{ACTS, LEAVES, SHORT_MAX, Shown, UNCLEAR, clarity, judge};
use super::{schema, token, words};
use crate::source::markup;
use crate::span::Span;

/// Bytes before a link that are read. A piece that is cut within lines sees more before its core.
const BEFORE_MAX: usize = 1024;
/// Bytes after a link that are read: every piece sees 4 KiB after its core, and the longest
/// transfer encoding of a byte has three.
const AFTER_MAX: usize = 1280;
/// Maximum number of bytes of a UTF-8 character that remain after a cut.
const CUT_MAX: usize = 3;
/// Replaces another link. No sentence extends over it.
const BORDER: char = '\u{1}';
/// Most empty lines between words and their link.
const GAP_MAX: usize = 4;
/// Header fields that name a text by definition, in a link without words beside it: the archive of
/// a list (RFC 2369 §3.6), the message in it (RFC 5064), and the page of its author or its bug.
/// Tokens and words of the link itself are judged elsewhere.
#[rustfmt::skip]
const TEXT_FIELDS: &[&str] = &[
    "archived-at", "list-archive", "original-archived-at", "x-archive", "x-archive-url",
    "x-archived-at", "x-bugzilla-url", "x-home-page", "x-homepage", "x-url",
];
/// Effects, as reports describe them.
const SUBMITS: &str = "submit a form";
const TELLS: &str = "tell the sender";

/// The kind of text around a link of mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Setting {
    /// Plain text.
    #[default]
    Text,
    /// HTML.
    Html,
    /// A header field.
    Field,
}

/// The bytes around a link whose words are read.
#[derive(Clone, Copy)]
pub(super) struct Words<'t> {
    pub(super) before: &'t [u8],
    pub(super) after: &'t [u8],
    /// The words in the text before to which a link is a note, if it is one.
    pub(super) noted: Option<&'t [u8]>,
    /// The subject of its message, if its header is near.
    pub(super) subject: Option<&'t [u8]>,
}

impl<'t> Words<'t> {
    /// Returns the bytes around the link at `span` of `bytes`. No character is cut.
    pub(super) fn new(bytes: &'t [u8], span: Span) -> Option<Self> {
        let start = span.start.saturating_sub(BEFORE_MAX);
        let is_inner = |byte: &&u8| matches!(byte, 0x80..0xC0);
        let before = bytes.get(start..span.start)?;
        let cut = before.iter().take(CUT_MAX).take_while(is_inner).count();
        let whole = before.get(if start > 0 { cut } else { 0 }..)?;
        let before = after_header(whole);
        let subject = remarks::subject(whole.get(..whole.len() - before.len())?);
        let rest = bytes.get(span.end..)?;
        let noted = notes::words(bytes.get(..span.start)?);
        let Some(after) = rest.get(..AFTER_MAX) else {
            return Some(Self { before, after: rest, noted, subject });
        };
        let cut = after.iter().rev().take(CUT_MAX).take_while(|byte| !byte.is_ascii()).count();
        Some(Self { before, after: after.get(..after.len() - cut)?, noted, subject })
    }

    /// Returns the effect of following the link `uri` between the words, which are in UTF-8.
    pub(super) fn effect(self, uri: &[u8], setting: Setting) -> Option<&'static str> {
        let Self { before, after, noted, subject } = self;
        if setting == Setting::Field {
            return of_field(before, uri);
        }
        let is_action = schema::acts_in_json(before, after)
            || setting == Setting::Html && schema::acts_in_tag(before, after);
        if is_action {
            return Some(ACTS);
        }
        if setting == Setting::Html && is_loaded_by_style(before) && is_told(uri) {
            return Some(TELLS);
        }
        if setting == Setting::Html && is_pinged(before) {
            return Some(TELLS);
        }
        if let Some(tag) = Tag::around(before, after) {
            return of_tag(&tag, [before, after], uri);
        }
        if let Some(noted) = noted.filter(|_| setting == Setting::Text) {
            let text = plain(noted);
            let says = Says::of(&text);
            let own = Text { says: &says, text: &text };
            let nothing = Says::default();
            return judge(&Shown { own: Some(own), ..Shown::of_words(&nothing, "", false) }, uri);
        }
        let near = [before, after];
        let (context, is_apart) = match setting {
            Setting::Html => {
                let (before, after) = (shown(before, Edge::Start), shown(after, Edge::End));
                (sentence(&before, &after), begins_block(&before))
            }
            Setting::Text | Setting::Field => return of_text(near, subject, uri),
        };
        let says = Says::of(&context);
        judge(&Shown { near, ..Shown::of_words(&says, &context, is_apart) }, uri)
    }
}

/// Judges the link `uri` of plain text by the words in the bytes `near` it. If its line explains
/// nothing, the words do to which it is attached.
fn of_text(near: [&[u8]; 2], subject: Option<&[u8]>, uri: &[u8]) -> Option<&'static str> {
    let [before, after] = near.map(plain);
    let [_, rest] = near;
    let context = of_lines(&before, &after);
    if remarks::act(&after) {
        return Some(ACTS);
    }
    // A message that begins with its link has its words in the subject.
    let subject = subject.filter(|_| before.trim().is_empty());
    if let Some(subject) = subject.map(|text| Says::of(&String::from_utf8_lossy(text)))
        && (subject.acts || subject.leaves)
    {
        return Some(if subject.leaves { LEAVES } else { ACTS });
    }
    let (says, is_apart) = (Says::of(&context), begins_line(&before));
    let beside = Shown { near, ..Shown::of_words(&says, &context, is_apart) };
    let effect = judge(&beside, uri);
    let is_unclear = effect == Some(UNCLEAR);
    // A bracket at the start of a line looks like the sign of a quoted reply: the bytes show it.
    let rest = String::from_utf8_lossy(rest);
    let Some(attached) = is_unclear.then(|| attached::words(&before, &rest)).flatten() else {
        return effect;
    };
    let says = Says::of(&attached.own);
    let own = Text { says: &says, text: &attached.own };
    if !says.reads && (says.points || !own.may_name()) {
        return effect;
    }
    judge(&Shown { own: Some(own), block: &attached.block, ..beside }, uri)
}

/// Returns `before` without the header of its message: the words of its fields are about no link.
fn after_header(before: &[u8]) -> &[u8] {
    let mut end = before.len();
    while let Some(at) = memchr::memrchr(b'\n', before.get(..end).unwrap_or_default()) {
        let above = before.get(..at).unwrap_or_default();
        let above = above.strip_suffix(b"\r").unwrap_or(above);
        if above.strip_suffix(b"\n").is_some_and(ends_in_header) {
            return before.get(at + 1..).unwrap_or_default();
        }
        end = at;
    }
    before
}

/// Reports whether the last paragraph of `text` is the header of a message: a field that only
/// headers have, or several others. A text may have one such line, `Status: waiting for you`.
fn ends_in_header(text: &[u8]) -> bool {
    const OTHERS_MIN: usize = 3;
    const STRUCTURAL: [&[u8]; 4] = [b"content-", b"message-id:", b"mime-version:", b"received:"];
    const OTHERS: [&[u8]; 6] = [b"cc:", b"date:", b"from:", b"reply-to:", b"subject:", b"to:"];
    let lines = text.rsplit(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let lines = || lines.clone().take_while(|line| !line.is_empty());
    let begins = |line: &[u8], starts: &[&[u8]]| {
        starts.iter().any(|start| {
            line.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
        })
    };
    lines().any(|line| begins(line, &STRUCTURAL))
        || lines().filter(|line| begins(line, &OTHERS)).count() >= OTHERS_MIN
}

/// Reports whether a link after `before` is loaded by a style: `background: url(…)`.
fn is_loaded_by_style(before: &[u8]) -> bool {
    let text = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    let open = text.trim_ascii_end().strip_suffix(b"(");
    open.is_some_and(|text| text.len() >= 3 && text.to_ascii_lowercase().ends_with(b"url"))
}

/// Reports whether a link after `before` is in the attribute `ping` of a start tag, which holds
/// addresses that are told of a click (HTML §4.6.5).
fn is_pinged(before: &[u8]) -> bool {
    let tag = memchr::memrchr(b'<', before).and_then(|at| before.get(at..)).unwrap_or_default();
    let Some((ahead, value)) = memchr::memrchr(b'=', tag).and_then(|at| tag.split_at_checked(at))
    else {
        return false;
    };
    let name = ahead.trim_ascii_end();
    let is_ping = name.len() > 4 && name.to_ascii_lowercase().ends_with(b"ping");
    let is_whole = name.iter().rev().nth(4).is_some_and(|byte| !byte.is_ascii_alphanumeric());
    let value = value.get(1..).unwrap_or_default().trim_ascii_start();
    let is_open = match value.first() {
        Some(quote @ (b'"' | b'\'')) => memchr::memchr_iter(*quote, value).count() == 1,
        _ => !value.contains(&b'>') && !value.iter().any(u8::is_ascii_whitespace),
    };
    is_ping && is_whole && is_open
}

/// Reports whether an argument of `uri` may mean one reader.
fn is_told(uri: &[u8]) -> bool {
    let is_told = |text: &String| Link::of(text).arguments.iter().any(words::tells);
    readings(uri).is_some_and(|(_, texts)| texts.iter().any(is_told))
}

/// Reports whether the path of `uri`, of a picture, has a number that may be that of one reader.
fn is_counted(uri: &[u8]) -> bool {
    let is_counted = |text: &String| {
        let link = Link::of(text);
        let mut path = link.paths.first().into_iter().flatten();
        path.any(|text| token::has_long_number(text))
    };
    readings(uri).is_some_and(|(_, texts)| texts.iter().any(is_counted))
}

/// Judges the link `uri` of a calendar by its property. Calendars in mail are invitations; so a
/// link that does not lead to a text may answer one.
pub(super) fn of_property(property: &calendar::Property, uri: &[u8]) -> Option<&'static str> {
    let words = of_lines(&plain(property.before.as_bytes()), &plain(property.after.as_bytes()));
    // A conference is opened by its link.
    let is_text = clarity(uri) >= Clarity::Title && !property.joins;
    let effect = judge(&Shown::of_words(&Says::of(&words), &words, false), uri);
    if is_text { effect } else { effect.filter(|effect| *effect != UNCLEAR).or(Some(ACTS)) }
}

/// Judges a link by the text before it in its header field, which may have continuation lines.
fn of_field(before: &[u8], uri: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(before);
    let mut start = text.len();
    for (at, _) in text.rmatch_indices('\n') {
        start = at + 1;
        if !text.get(start..).is_some_and(|line| line.starts_with([' ', '\t'])) {
            break;
        }
    }
    let start = if text.contains('\n') { start } else { 0 };
    let field = text.get(start..).unwrap_or_default();
    let (name, words) = field.split_once(':').unwrap_or(("", field));
    let is_of_text = TEXT_FIELDS.iter().any(|known| name.trim().eq_ignore_ascii_case(known));
    let words = masked(words);
    let words = words.rsplit(BORDER).next().unwrap_or_default();
    let effect = judge(&Shown::of_words(&Says::of(words), words, false), uri);
    effect.filter(|effect| !is_of_text || *effect != UNCLEAR)
}

/// A start tag that has a link among its attributes.
struct Tag {
    name: String,
    /// The attribute that holds the link.
    attribute: String,
    /// The words of its other attributes.
    described: String,
    /// Whether the tag is an invisible picture: of one dot, or hidden.
    is_dot: bool,
    /// The text of the element.
    inside: String,
    /// The text before and after the element.
    before: String,
    after: String,
}

impl Tag {
    /// Returns the tag around a link, if the text between `before` and `after` is the value of an
    /// attribute.
    fn around(before: &[u8], after: &[u8]) -> Option<Self> {
        let value = before.trim_ascii_end();
        let quote = value.last().copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let value = if quote.is_some() { value.get(..value.len() - 1)? } else { value };
        let ahead = value.trim_ascii_end().strip_suffix(b"=")?.trim_ascii_end();
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-:_".contains(byte);
        let len = ahead.iter().rev().take_while(|byte| is_of_name(byte)).count();
        let attribute = ahead.get(ahead.len() - len..)?;
        let open = memchr::memrchr(b'<', ahead)?;
        let tag = ahead.get(open + 1..)?;
        let name: Vec<u8> = tag.iter().copied().take_while(|byte| is_of_name(byte)).collect();
        if len == 0 || name.is_empty() {
            return None;
        }
        let value_end = match quote {
            Some(quote) => memchr::memchr(quote, after).map_or(0, |at| at + 1),
            None => 0,
        };
        let rest = after.get(value_end..)?;
        let (own_end, is_empty) = tag_end(rest);
        let own = [tag.get(name.len()..)?, b" ", rest.get(..own_end)?].concat();
        let name = String::from_utf8_lossy(&name).to_ascii_lowercase();
        let body = rest.get(own_end..).unwrap_or_default();
        let inside_len = if is_empty { 0 } else { inside_len(body, &name) };
        let (inside, after_inside) = body.split_at(inside_len);
        let attributes = Attributes::of(&own);
        Some(Self {
            attribute: String::from_utf8_lossy(attribute).to_ascii_lowercase(),
            is_dot: name == "img" && attributes.is_dot,
            described: attributes.described,
            inside: shown(inside, Edge::End),
            before: shown(before.get(..open)?, Edge::Start),
            after: shown(without_close(after_inside), Edge::End),
            name,
        })
    }
}

/// Returns the end of the tag in which `rest` begins, and whether the tag has no content.
fn tag_end(rest: &[u8]) -> (usize, bool) {
    let mut quote = None;
    for (at, &byte) in rest.iter().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None, b'>') => return (at + 1, at > 0 && rest.get(at - 1) == Some(&b'/')),
            _ => {}
        }
    }
    (rest.len(), true)
}

/// Returns the length in bytes of the content of the element `name`, whose start tag ends before
/// `body`.
fn inside_len(body: &[u8], name: &str) -> usize {
    const EMPTY: [&str; 5] = ["area", "base", "img", "input", "link"];
    if EMPTY.contains(&name) {
        return 0;
    }
    let is_end = |at: &usize| {
        let rest = body.get(at + 1..).unwrap_or_default();
        let is_close = rest.first() == Some(&b'/');
        let rest = rest.strip_prefix(b"/").unwrap_or(rest);
        let is_name =
            rest.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()));
        let is_whole = !rest.get(name.len()).is_some_and(u8::is_ascii_alphanumeric);
        is_name && is_whole && (is_close || name == "a")
    };
    memchr::memchr_iter(b'<', body).find(is_end).unwrap_or(body.len())
}

/// Returns `text` without the end tag that it begins with, if any.
fn without_close(text: &[u8]) -> &[u8] {
    let end =
        if text.starts_with(b"</") { memchr::memchr(b'>', text).map(|at| at + 1) } else { None };
    text.get(end.unwrap_or(0)..).unwrap_or_default()
}

/// The descriptions among the attributes of a tag.
#[derive(Default)]
struct Attributes {
    described: String,
    is_dot: bool,
}

impl Attributes {
    /// Reads `tag`, which has neither its name nor its brackets.
    fn of(tag: &[u8]) -> Self {
        /// Attributes that hold words for readers, or names that people gave.
        const TELLING: [&str; 9] =
            ["alt", "aria-label", "class", "id", "label", "name", "rel", "title", "value"];
        let text = String::from_utf8_lossy(tag);
        let mut found = Self::default();
        let mut rest = &*text;
        let (mut is_thin, mut is_low, mut is_hidden) = (false, false, false);
        while let Some((name, after)) = rest.split_once('=') {
            let name = name.trim().rsplit([' ', '\t', '\n', '\r', '/', '"', '\'']).next();
            let name = name.unwrap_or_default().to_ascii_lowercase();
            let after = after.trim_start();
            let (value, after) = match after.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let value = after.get(1..).unwrap_or_default();
                    value.split_once(quote).unwrap_or((value, ""))
                }
                _ => {
                    let end = after.find([' ', '\t', '\n', '\r', '>']).unwrap_or(after.len());
                    after.split_at(end)
                }
            };
            let declared = (name == "style").then(|| value.split(';'));
            let declared = declared.into_iter().flatten().filter_map(|it| it.split_once(':'));
            for (name, value) in declared.chain([(&*name, value)]) {
                let (name, value) = (name.trim().to_ascii_lowercase(), value.to_ascii_lowercase());
                let value = value.trim().trim_end_matches("!important").trim_end();
                let is_small = matches!(value.trim_end_matches("px").trim_end(), "0" | "1");
                is_thin |= matches!(&*name, "width" | "max-width") && is_small;
                is_low |= matches!(&*name, "height" | "max-height") && is_small;
                is_hidden |= matches!((&*name, value), ("display", "none"))
                    || matches!((&*name, value), ("visibility", "hidden") | ("opacity", "0"));
            }
            if TELLING.contains(&&*name) || name.starts_with("data-") {
                found.described.push_str(&markup_resolved(value.as_bytes()));
                found.described.push(' ');
            }
            rest = after;
        }
        found.is_dot = is_thin && is_low || is_hidden;
        found
    }
}

fn markup_resolved(text: &[u8]) -> String {
    String::from_utf8_lossy(&markup::resolved(text)).into_owned()
}

/// Judges a link that is the value of an attribute, with the bytes `near` it.
fn of_tag(tag: &Tag, near: [&[u8]; 2], uri: &[u8]) -> Option<&'static str> {
    match (&*tag.name, &*tag.attribute) {
        ("form", _) | (_, "action" | "formaction") => return Some(SUBMITS),
        // A mail program that follows it does so without a click (HTML §4.2.5.3).
        ("meta", "url") => return Some(ACTS),
        (name, _) if name.starts_with("amp-") => return Some(ACTS),
        ("link", "href") if is_told(uri) => return Some(TELLS),
        // A script that a button runs.
        ("button", _) => return Some(ACTS),
        (_, "href" | "xlink:href") => {}
        _ => return (tag.is_dot || is_told(uri) || is_counted(uri)).then_some(TELLS),
    }
    if Says::of(&tag.described).leaves {
        return Some(LEAVES);
    }
    if prose::is_rating(&tag.inside) {
        return Some(ACTS);
    }
    of_anchor(tag, near, uri)
}

/// Judges a link that a tag gives a text, with the bytes `near` it.
fn of_anchor(tag: &Tag, near: [&[u8]; 2], uri: &[u8]) -> Option<&'static str> {
    let (inside, described) = (Says::of(&tag.inside), Says::of(&tag.described));
    let text = masked(&tag.inside);
    let is_address = text.contains(BORDER) && text.chars().all(|c| !c.is_alphabetic());
    let pointing = Says { points: true, ..Says::default() };
    let own = if is_address {
        Text { says: &pointing, text: "" }
    } else if inside.points && (described.acts || inside.words == 0 && !described.points) {
        Text { says: &described, text: &tag.described }
    } else {
        Text { says: &inside, text: &tag.inside }
    };
    let is_pointer = own.says.points || own.says.words == 0;
    let context = if own.says.reads || own.says.leaves {
        String::new()
    } else if is_pointer {
        sentence(&tag.before, &tag.after)
    } else if own.says.words <= SHORT_MAX {
        same_sentence(&tag.before, &tag.after)
    } else {
        String::new()
    };
    let says = Says::of(&context);
    let shown = Shown {
        own: Some(own).filter(|_| !is_address),
        beside: Text { says: &says, text: &context },
        near,
        is_apart: begins_block(&tag.before),
        all: &[&*tag.inside, &*tag.described, &*context].join(" "),
        block: block_before(&tag.before),
    };
    judge(&shown, uri)
}

/// Reports whether a link of HTML after `before` begins its block.
fn begins_block(before: &str) -> bool {
    before.rsplit(['\n', BORDER]).next().is_none_or(|text| text.trim().is_empty())
}

/// Reports whether a link of plain text after `before` begins its line.
fn begins_line(before: &str) -> bool {
    before.rsplit('\n').next().is_none_or(|text| text.chars().all(|c| !c.is_alphanumeric()))
}

/// Returns the last block of text before a link of HTML, unless it has another link.
fn block_before(before: &str) -> &str {
    let text = before.rsplit(BORDER).next().unwrap_or_default();
    text.rsplit('\n').find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// Returns the words for a link in plain text between `before` and `after`.
fn of_lines(before: &str, after: &str) -> String {
    let (own, above) = split_last_line(before);
    let line_after = after.split(['\n', BORDER]).next().unwrap_or_default();
    let (own, is_cut) = match own.rsplit_once(BORDER) {
        Some((_, own)) => (own, true),
        None => (own, false),
    };
    let remark = remark_below(line_after, after);
    let line = [last_sentences(own), first_sentence(line_after), remark].join(" ");
    let says = Says::of(&line);
    if is_cut || says.acts || says.leaves || says.words > SHORT_MAX && !says.points {
        return line;
    }
    match lines_above(above, own.trim().is_empty() || says.points) {
        Some(lines) => [last_sentences(&lines), &line].join(" "),
        None if says.words == 0 => [&line, next_line(after)].join(" "),
        None => line,
    }
}

/// Returns the lines above a link, from the nearest one that is not empty upwards; `None` if that
/// line belongs to another link. No empty line may come between, unless `may_be_apart`.
fn lines_above(above: &str, may_be_apart: bool) -> Option<String> {
    const LINES_MAX: usize = 3;
    let mut gap = 0;
    let mut found: Vec<&str> = Vec::new();
    for line in above.rsplit('\n') {
        if line.trim().is_empty() {
            gap += 1;
            if !found.is_empty() || !may_be_apart || gap > GAP_MAX {
                break;
            }
            continue;
        }
        if line.contains(BORDER) {
            let rest = line.rsplit(BORDER).next().unwrap_or_default();
            if found.is_empty() && !Says::of(rest).points {
                found.push(rest);
            }
            break;
        }
        found.push(line);
        if found.len() == LINES_MAX {
            break;
        }
    }
    found.reverse();
    (!found.is_empty()).then(|| found.join(" "))
}

/// Returns the line below that of a link which ends with it, if that is a remark on the link: it
/// asks for leaving, and introduces no other link.
fn remark_below<'t>(line_after: &str, after: &'t str) -> &'t str {
    let line = next_line(after);
    let is_end = line_after.trim().trim_end_matches(['>', ')', ']']).is_empty();
    let below = after.split('\n').nth(2).unwrap_or_default();
    let leads_on = line.trim_end().ends_with(':') || below.contains(BORDER);
    if is_end && !leads_on && Says::of(line).leaves { line } else { "" }
}

/// Returns the line after that of a link, or nothing if that line holds another link.
fn next_line(after: &str) -> &str {
    let line = after.split('\n').nth(1).unwrap_or_default();
    if line.contains(BORDER) { "" } else { line }
}

fn split_last_line(text: &str) -> (&str, &str) {
    text.rsplit_once('\n').map_or((text, ""), |(above, line)| (line, above))
}

/// Returns the words around a link of HTML whose own text does not say what it is for.
fn sentence(before: &str, after: &str) -> String {
    let near = same_sentence(before, after);
    let says = Says::of(&near);
    if says.words > SHORT_MAX && !says.points {
        return near;
    }
    let before = before.rsplit(BORDER).next().unwrap_or_default();
    let mut blocks = before.rsplit('\n').take(GAP_MAX + 2).filter(|it| !it.trim().is_empty());
    let found = blocks.next().map(last_sentences).unwrap_or_default();
    let more = if Says::of(found).points { blocks.next().map(last_sentences) } else { None };
    [more.unwrap_or_default(), found, &near].join(" ")
}

/// Returns the sentence around a link of HTML.
fn same_sentence(before: &str, after: &str) -> String {
    let before = before.rsplit(['\n', BORDER]).next().unwrap_or_default();
    let after = after.split(['\n', BORDER]).next().unwrap_or_default();
    [last_sentences(before), first_sentence(after)].join(" ")
}

/// Marks that end a sentence, or one of several items in a row.
const ENDS: [&str; 13] =
    [". ", "! ", "? ", "; ", "。", "！", "？", "؟ ", "।", " | ", " · ", " • ", ".\u{A0}"];

/// Returns the last sentence of `text`, with the sentences before it as long as it only points.
fn last_sentences(text: &str) -> &str {
    /// Maximum number of sentences that are joined: a question, and what to do.
    const SENTENCES_MAX: usize = 3;
    let text = text.trim();
    let mut start = text.len();
    for _ in 0..SENTENCES_MAX {
        let head = text.get(..start).unwrap_or_default().trim_end();
        let head =
            head.trim_end_matches(['.', '!', '?', ';', '。', '！', '？', '।', '|', '·', '•']);
        let last = ENDS.iter().filter_map(|end| head.rfind(end).map(|at| at + end.len())).max();
        start = last.unwrap_or(0);
        let says = Says::of(text.get(start..).unwrap_or_default());
        if start == 0 || says.words > SHORT_MAX && !says.points {
            break;
        }
    }
    text.get(start..).unwrap_or_default()
}

fn first_sentence(text: &str) -> &str {
    let end = ENDS.iter().filter_map(|end| text.find(end)).min();
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Returns plain text without quote signs, with a border in place of each link.
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = text.split('\n').map(|line| masked(unquoted(line))).collect();
    lines.join("\n")
}

/// Returns a line without the signs of a quoted reply.
fn unquoted(line: &str) -> &str {
    line.trim_end_matches('\r').trim_start_matches(['>', '|', ' ', '\t', '#', '*'])
}

/// Returns `text` with a border in place of each link, and without addresses.
fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, word) in text.split(' ').enumerate() {
        if at > 0 {
            out.push(' ');
        }
        let is_link =
            word.contains("://") || word.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("www."));
        if is_link {
            // A word may directly precede it: `link:http://…`.
            let start = word.find("://").map_or(0, |at| {
                let scheme = word.get(..at).unwrap_or_default();
                scheme.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1)
            });
            out.push_str(word.get(..start).unwrap_or_default());
            out.push(BORDER);
        } else if !word.contains('@') {
            out.push_str(word);
        }
    }
    out
}

/// The end of a text at which the bytes that were read stop, and not the text itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

/// Returns the text that a reader sees of HTML: blocks on lines of their own, a border in place of
/// each link.
fn shown(html: &[u8], edge: Edge) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    if edge == Edge::Start {
        // The first tag may have begun before.
        let [open, close] = [b'<', b'>'].map(|byte| memchr::memchr(byte, rest));
        let is_begun = close.is_some_and(|close| open.is_none_or(|open| close < open));
        rest = rest.get(close.filter(|_| is_begun).map_or(0, |at| at + 1)..).unwrap_or_default();
    }
    let mut is_drawing = false;
    while !rest.is_empty() {
        let end = memchr::memchr(b'<', rest).unwrap_or(rest.len());
        let (text, tag) = rest.split_at(end);
        push_text(&mut out, text);
        let Some(after) = tag.get(1..) else { break };
        let is_tag = after
            .first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'));
        if !is_tag {
            out.push('<');
            rest = after;
            continue;
        }
        let len = tag_end(after).0;
        let (inside, after) = after.split_at(len);
        let is_cut = after.is_empty() && !inside.ends_with(b">");
        if !is_cut {
            push_tag(&mut out, inside);
        }
        // The title of a drawing is its text.
        is_drawing = match name_of(inside).as_slice() {
            b"svg" => !inside.starts_with(b"/"),
            b"title" if is_drawing => {
                rest = after;
                continue;
            }
            _ => is_drawing,
        };
        rest = past_hidden(inside, after);
    }
    out
}

/// Returns `after` without the hidden content of the element that begins with the tag `inside`.
fn past_hidden<'t>(inside: &[u8], after: &'t [u8]) -> &'t [u8] {
    const HIDDEN: [&[u8]; 3] = [b"style", b"script", b"title"];
    let is_hidden = HIDDEN
        .iter()
        .find(|name| inside.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name)));
    let Some(name) = is_hidden else { return after };
    let is_close = |at: &usize| {
        let name_at = at + 2;
        after.get(name_at..name_at + name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
    };
    let close = memchr::memmem::find_iter(after, b"</").find(is_close);
    after.get(close.unwrap_or(after.len())..).unwrap_or_default()
}

fn push_text(out: &mut String, text: &[u8]) {
    let text = markup_resolved(text);
    let line: String =
        text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c }).collect();
    out.push_str(&masked(&line));
}

/// Appends what a tag means for the words around it: a border, a line's end, a description.
fn push_tag(out: &mut String, inside: &[u8]) {
    /// Elements within a line.
    const INLINE: [&str; 23] = [
        "abbr", "b", "bdi", "bdo", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "nobr",
        "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "wbr",
    ];
    let text = inside.strip_prefix(b"/").unwrap_or(inside);
    let name = name_of(inside);
    let name: Cow<'_, str> = String::from_utf8_lossy(&name);
    match &*name {
        // Only an anchor with `href` begins another link's text; one without is a place.
        "a" => {
            let is_place = !inside.starts_with(b"/") && !has_href(inside);
            out.push(if is_place { ' ' } else { BORDER });
        }
        "img" | "input" | "area" | "svg" | "button" => {
            let attributes = Attributes::of(text.get(name.len()..).unwrap_or_default());
            out.push(' ');
            out.push_str(&attributes.described);
        }
        name if INLINE.contains(&name) => {}
        _ => out.push('\n'),
    }
}

/// Returns the name of the tag `inside`, or of the element that it ends, in lower case.
fn name_of(inside: &[u8]) -> Vec<u8> {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b':';
    let text = inside.strip_prefix(b"/").unwrap_or(inside);
    text.iter().take_while(is_of_name).map(u8::to_ascii_lowercase).collect()
}

fn has_href(tag: &[u8]) -> bool {
    tag.windows(5).any(|it| it.eq_ignore_ascii_case(b"href=") || it.eq_ignore_ascii_case(b"href "))
}

#[cfg(test)]
mod tests {
    use super::after_header;

    #[test]
    fn a_header_is_none_of_the_words_around_a_link() {
        for (text, expected) in [
            ("From: a\nDate: b\nSubject: c\n\nSee ", "See "),
            ("X: a\r\nContent-Type: text/html\r\n\r\n<p>See ", "<p>See "),
            ("MIME-Version: 1.0\n\nHello\n\nSee ", "Hello\n\nSee "),
            ("Status: waiting for you\n\n", "Status: waiting for you\n\n"),
            ("To: do\nDate: soon\n\nSee ", "To: do\nDate: soon\n\nSee "),
            ("a\nMessage-ID: b", "a\nMessage-ID: b"),
        ] {
            assert_eq!(after_header(text.as_bytes()), expected.as_bytes(), "{text}");
        }
    }
}
