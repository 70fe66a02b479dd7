//! Decides how a browser shows an element in its line: with a gap before and after it, without one,
//! or not at all (HTML Standard §15.3; CSS Display 3 §2).
//!
//! Only the name of the element and its own attributes count. Not read: style sheets, properties
//! that are inherited, comments and escapes in styles.

use Kind::{Block, Gap, Inline, Unseen};

use crate::span::Span;

/// The way in which a browser shows an element without attributes (HTML Standard §15.3 to §15.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// With a gap, since it is a block: `display` may make it a part of a line.
    Block,
    /// With a gap, whatever its `display` is: a table, a replaced element, one with a box of its
    /// own or with marks around it.
    Gap,
    /// Within its line, or without content to show.
    Inline,
    /// Not at all, with all its content (§15.3.1).
    Unseen,
}

/// The elements of HTML, today's and older ones, by length and name.
#[rustfmt::skip]
pub(super) const ELEMENTS: [(&[u8], Kind); 144] = [
    (b"a", Inline), (b"b", Inline), (b"i", Inline), (b"p", Block), (b"q", Gap), (b"s", Inline),
    (b"u", Inline),
    (b"br", Gap), (b"dd", Block), (b"dl", Block), (b"dt", Block), (b"em", Inline), (b"h1", Block),
    (b"h2", Block), (b"h3", Block), (b"h4", Block), (b"h5", Block), (b"h6", Block), (b"hr", Gap),
    (b"li", Block), (b"ol", Block), (b"rb", Inline), (b"rp", Unseen), (b"rt", Gap), (b"td", Gap),
    (b"th", Gap), (b"tr", Gap), (b"tt", Inline), (b"ul", Block),
    (b"bdi", Inline), (b"bdo", Inline), (b"big", Inline), (b"col", Gap), (b"del", Inline),
    (b"dfn", Inline), (b"dir", Block), (b"div", Block), (b"img", Gap), (b"ins", Inline),
    (b"kbd", Inline), (b"map", Inline), (b"nav", Block), (b"pre", Block), (b"rtc", Gap),
    (b"sub", Inline), (b"sup", Inline), (b"svg", Gap), (b"var", Inline), (b"wbr", Inline),
    (b"xmp", Gap),
    (b"abbr", Inline), (b"area", Inline), (b"base", Inline), (b"body", Gap), (b"cite", Inline),
    (b"code", Inline), (b"data", Inline), (b"font", Inline), (b"form", Block), (b"head", Gap),
    (b"html", Gap), (b"link", Inline), (b"main", Block), (b"mark", Inline), (b"math", Gap),
    (b"menu", Block), (b"meta", Inline), (b"nobr", Inline), (b"ruby", Inline), (b"samp", Inline),
    (b"slot", Inline), (b"span", Inline), (b"text", Gap), (b"time", Inline),
    (b"aside", Block), (b"audio", Gap), (b"blink", Inline), (b"embed", Gap), (b"frame", Gap),
    (b"image", Gap), (b"input", Gap), (b"label", Inline), (b"meter", Gap), (b"param", Inline),
    (b"small", Inline), (b"style", Unseen), (b"table", Gap), (b"tbody", Gap), (b"tfoot", Gap),
    (b"thead", Gap), (b"title", Gap), (b"track", Inline), (b"video", Gap),
    (b"applet", Gap), (b"button", Gap), (b"canvas", Gap), (b"center", Block), (b"dialog", Gap),
    (b"figure", Block), (b"footer", Block), (b"header", Block), (b"hgroup", Block),
    (b"iframe", Gap), (b"keygen", Gap), (b"legend", Gap), (b"nextid", Inline), (b"object", Gap),
    (b"option", Gap), (b"output", Inline), (b"script", Unseen), (b"search", Gap), (b"select", Gap),
    (b"source", Inline), (b"spacer", Inline), (b"strike", Inline), (b"strong", Inline),
    (b"acronym", Inline), (b"address", Block), (b"article", Block), (b"bgsound", Inline),
    (b"caption", Gap), (b"details", Gap), (b"isindex", Gap), (b"listing", Block), (b"marquee", Gap),
    (b"noembed", Unseen), (b"picture", Inline), (b"section", Block), (b"summary", Gap),
    (b"basefont", Inline), (b"colgroup", Gap), (b"datalist", Unseen), (b"fieldset", Gap),
    (b"frameset", Gap), (b"multicol", Inline), (b"noframes", Unseen), (b"noscript", Unseen),
    (b"optgroup", Gap), (b"progress", Gap), (b"template", Unseen), (b"textarea", Gap),
    (b"plaintext", Gap),
    (b"blockquote", Block), (b"figcaption", Block),
];

/// The length of the longest name.
const NAME_LEN_MAX: usize = ELEMENTS[ELEMENTS.len() - 1].0.len();

/// For each length, the index of the first element whose name is at least as long.
static FIRST: [usize; NAME_LEN_MAX + 2] = {
    let mut first = [ELEMENTS.len(); NAME_LEN_MAX + 2];
    let mut idx = ELEMENTS.len();
    let mut len = NAME_LEN_MAX + 1;
    while len > 0 {
        len -= 1;
        while idx > 0 && ELEMENTS[idx - 1].0.len() >= len {
            idx -= 1;
        }
        first[len] = idx;
    }
    first
};

/// Returns the kind of the element called `name`, in any case of letters; `None` if HTML has none.
pub(super) fn kind(name: &[u8]) -> Option<Kind> {
    let [first, end] = *FIRST.get(name.len()..)?.first_chunk()?;
    let same_len = ELEMENTS.get(first..end)?;
    let (_, kind) = same_len.iter().find(|(known, _)| name.eq_ignore_ascii_case(known))?;
    Some(*kind)
}

/// Reports whether the tags of the element called `name` are shown as a gap, whatever its
/// attributes.
pub(super) fn has_gap(name: &[u8]) -> bool {
    matches!(kind(name), Some(Block | Gap))
}

/// Reports whether the element called `name` is not shown, whatever its attributes.
pub(super) fn is_unseen(name: &[u8]) -> bool {
    kind(name) == Some(Unseen)
}

/// Reports whether the tags of the element called `name` separate words, whatever its attributes.
pub(super) fn is_gap(name: &[u8]) -> bool {
    matches!(kind(name), Some(Block | Gap | Unseen))
}

/// Reports whether the start tag called `tag` is no element, but a name that stands for something
/// to be filled in, which a browser does not show: `https://h.example/<user>/<repository>`. No
/// element of HTML is called so, the name has no prefix as in `<o:p>`, and no end tag follows soon.
pub(super) fn is_placeholder(text: &[u8], tag: Span) -> bool {
    /// Maximum number of bytes that are searched for the end tag, for each tag of a word.
    const INSIDE_LEN_MAX: usize = 512;
    let name = tag.of(text);
    if kind(name).is_some() || name.contains(&b':') {
        return false;
    }
    let end = text.len().min(tag.end.saturating_add(INSIDE_LEN_MAX));
    let rest = text.get(tag.end..end).unwrap_or_default();
    let mut ends = memchr::memmem::find_iter(rest, b"</").map(|at| at + b"</".len());
    let is_its =
        |at: usize| rest.get(at..at + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name));
    !ends.any(is_its)
}

/// Reports whether `name` is one of `known`, in any case of letters.
pub(super) fn is_one_of(name: &[u8], known: &[&[u8]]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Reports whether the element called `name` has neither content nor an end tag (HTML Standard
/// §13.1.2; §13.2.6.4 for the older ones).
pub(super) fn is_void(name: &[u8]) -> bool {
    const VOID: [&[u8]; 19] = [
        b"area",
        b"base",
        b"basefont",
        b"bgsound",
        b"br",
        b"col",
        b"embed",
        b"frame",
        b"hr",
        b"image",
        b"img",
        b"input",
        b"keygen",
        b"link",
        b"meta",
        b"param",
        b"source",
        b"track",
        b"wbr",
    ];
    is_one_of(name, &VOID)
}

/// The way in which an element is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Display {
    /// Not at all, with all its content.
    None,
    /// With a gap.
    Block,
    /// As a part of its line.
    Inline,
}

/// The attributes of a start tag that decide how its element is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attributes {
    style: Style,
    is_hidden: bool,
    is_open: bool,
    /// Whether `type` is `hidden`, which hides an `input`.
    is_hidden_type: bool,
}

impl Attributes {
    /// Takes the attribute `name`.
    pub(super) fn read(&mut self, name: &[u8], value: &[u8]) {
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        self.is_hidden |= is(b"hidden");
        self.is_open |= is(b"open");
        self.is_hidden_type |= is(b"type") && value.eq_ignore_ascii_case(b"hidden");
        if is(b"style") {
            self.style = Style::of(value);
        }
    }

    /// Returns how the element called `name` is shown.
    pub(super) fn display(&self, name: &[u8]) -> Display {
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        let kind = kind(name);
        // The style sheet of the standard hides these whatever their attributes say.
        if kind == Some(Unseen) || is(b"input") && self.is_hidden_type {
            return Display::None;
        }
        match self.style.display {
            Some(Display::None) => Display::None,
            _ if self.style.is_apart => Display::Block,
            Some(Display::Inline) if kind == Some(Gap) => Display::Block,
            Some(display) => display,
            None if self.is_hidden || is(b"dialog") && !self.is_open => Display::None,
            None if matches!(kind, Some(Block | Gap)) => Display::Block,
            None => Display::Inline,
        }
    }

    /// Reports whether text of the element has no size.
    pub(super) const fn is_invisible(&self) -> bool {
        self.style.is_sizeless
    }
}

/// The declarations of an attribute `style` that matter.
#[derive(Clone, Copy, Debug, Default)]
struct Style {
    display: Option<Display>,
    /// Whether `font-size` is zero.
    is_sizeless: bool,
    /// Whether `float` or `position` takes the element out of its line, which makes it a block (CSS
    /// Display 3 §2.7).
    is_apart: bool,
}

impl Style {
    /// Reads the declarations of `style`. The last one of a property counts, or the last important
    /// one (CSS Cascade 4 §6.1); one with an unknown value does not.
    fn of(style: &[u8]) -> Self {
        let mut found = Self::default();
        let (mut is_display_fixed, mut is_size_fixed) = (false, false);
        for declaration in style.split(|byte| *byte == b';') {
            let mut parts = declaration.splitn(2, |byte| *byte == b':').map(<[u8]>::trim_ascii);
            let name = parts.next().unwrap_or_default();
            let value = parts.next().unwrap_or_default();
            let end = memchr::memchr(b'!', value).unwrap_or(value.len());
            let is_important = end < value.len();
            let value = value.get(..end).unwrap_or_default().trim_ascii();
            if name.eq_ignore_ascii_case(b"display")
                && let Some(display) = display(value)
                && (is_important || !is_display_fixed)
            {
                (found.display, is_display_fixed) = (Some(display), is_important);
            }
            found.is_apart |= is_apart(name, value);
            if name.eq_ignore_ascii_case(b"font-size") && (is_important || !is_size_fixed) {
                (found.is_sizeless, is_size_fixed) = (is_zero(value), is_important);
            }
        }
        found
    }
}

/// Returns the meaning of a value of `display`; `None` for those that depend on other rules, and
/// for unknown ones.
fn display(value: &[u8]) -> Option<Display> {
    const BLOCKS: [&[u8]; 7] =
        [b"block", b"flex", b"flow", b"flow-root", b"grid", b"list-item", b"table"];
    const INLINES: [&[u8]; 4] = [b"contents", b"initial", b"inline", b"unset"];
    let first = value.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let first = first.to_ascii_lowercase();
    if first == b"none" {
        Some(Display::None)
    } else if first.starts_with(b"inline-") || INLINES.contains(&&*first) {
        Some(Display::Inline)
    } else if first.starts_with(b"table-") || BLOCKS.contains(&&*first) {
        Some(Display::Block)
    } else {
        None
    }
}

/// Reports whether a declaration takes its element out of its line.
fn is_apart(name: &[u8], value: &[u8]) -> bool {
    const APART: [(&[u8], &[&[u8]]); 2] = [
        (b"float", &[b"left", b"right", b"inline-start", b"inline-end"]),
        (b"position", &[b"absolute", b"fixed"]),
    ];
    APART.iter().any(|(known, values)| name.eq_ignore_ascii_case(known) && is_one_of(value, values))
}

/// Reports whether `value` is a length of zero, in any unit.
fn is_zero(value: &[u8]) -> bool {
    let is_part = |byte: &&u8| matches!(**byte, b'0' | b'.' | b'+' | b'-');
    let len = value.iter().take_while(is_part).count();
    let (number, unit) = value.split_at(len);
    number.contains(&b'0') && unit.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'%')
}

#[cfg(test)]
mod tests {
    use super::{Attributes, Display, ELEMENTS, kind};

    /// Holds `<name attributes>` to its display; each attribute is `name=value`.
    #[track_caller]
    fn case(name: &str, attributes: &[&str], expected: Display) {
        let mut read = Attributes::default();
        for attribute in attributes {
            let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            read.read(name.as_bytes(), value.as_bytes());
        }
        assert_eq!(read.display(name.as_bytes()), expected, "{name} {attributes:?}");
    }

    #[test]
    fn an_element_is_shown_as_its_attributes_say() {
        use Display::{Block, Inline, None};
        case("span", &[], Inline);
        case("DIV", &[], Block);
        case("script", &["style=display:block"], None);
        case("div", &["hidden"], None);
        case("div", &["hidden", "style=display:block"], Block);
        case("span", &["HIDDEN=until-found"], None);
        case("dialog", &[], None);
        case("dialog", &["open"], Block);
        case("input", &["type=Hidden"], None);
        case("input", &["type=text"], Block);
        case("div", &["type=hidden"], Block);
        case("div", &["style=display:inline"], Inline);
        case("td", &["style=display:inline"], Block);
        case("span", &["style=display:inline-flex"], Inline);
        case("span", &["style=display:flex"], Block);
        case("span", &["style=display:table-cell"], Block);
        case("span", &["style=display:block flow"], Block);
        case("span", &["style=float: left"], Block);
        case("span", &["style=POSITION:Absolute;display:inline"], Block);
        case("span", &["style=position:relative;float:none"], Inline);
        case("span", &["style=position:fixed;display:none"], None);
    }

    #[test]
    fn the_last_declaration_counts_or_the_last_important_one() {
        use Display::{Block, Inline, None};
        case("b", &["style=display:none;display:block"], Block);
        case("b", &["style=display:none!important;display:block"], None);
        case("b", &["style=display:none !IMPORTANT;display:block!important"], Block);
        case("b", &["style=display:none;display:nothing"], None);
        case("b", &["style=color:red; DISPLAY : None ;"], None);
        case("b", &["style=display:"], Inline);
        case("b", &["style=x-display:none"], Inline);
    }

    #[test]
    fn text_without_size_is_not_shown() {
        for (style, expected) in [
            ("font-size:0", true),
            ("font-size: 0.0PX !important", true),
            ("font-size:0%", true),
            ("font-size:0;font-size:9px", false),
            ("font-size:0!important;font-size:9px", true),
            ("font-size:0.5em", false),
            ("font-size:10px", false),
            ("font-size:", false),
            ("font-size:.", false),
        ] {
            let mut attributes = Attributes::default();
            attributes.read(b"style", style.as_bytes());
            assert_eq!(attributes.is_invisible(), expected, "{style}");
        }
    }

    #[test]
    fn each_element_is_found_by_its_name() {
        assert!(
            ELEMENTS
                .is_sorted_by(|(one, _), (other, _)| { (one.len(), one) < (other.len(), other) })
        );
        for (name, of) in ELEMENTS {
            assert_eq!(kind(name), Some(of), "{}", name.escape_ascii());
            assert_eq!(kind(&name.to_ascii_uppercase()), Some(of), "{}", name.escape_ascii());
        }
        for name in ["", "z", "user", "blockquotes", "a-name-that-is-longer-than-all"] {
            assert_eq!(kind(name.as_bytes()), None, "{name}");
        }
    }
}
