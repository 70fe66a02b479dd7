//! Decides how a browser shows an element in its line: with a gap before and after it, without one,
//! or not at all (HTML Standard §15.3; CSS Display 3 §2).
//!
//! Only the name of the element and its own attributes count. Not read: style sheets, properties
//! that are inherited, comments and escapes in styles.

use crate::span::Span;

/// Elements whose tags a browser shows as a gap: blocks, tables, replaced elements, elements with a
/// box of their own, and those with marks around them (HTML Standard §15.3 to §15.5). No other
/// element shows one.
#[rustfmt::skip]
pub(super) const GAPS: [&[u8]; 84] = [
    b"address", b"applet", b"article", b"aside", b"audio", b"blockquote", b"body", b"br",
    b"button", b"canvas", b"caption", b"center", b"col", b"colgroup", b"dd", b"details",
    b"dialog", b"dir", b"div", b"dl", b"dt", b"embed", b"fieldset", b"figcaption", b"figure",
    b"footer", b"form", b"frame", b"frameset", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"head",
    b"header", b"hgroup", b"hr", b"html", b"iframe", b"image", b"img", b"input", b"isindex",
    b"keygen", b"legend", b"li", b"listing", b"main", b"marquee", b"math", b"menu", b"meter",
    b"nav", b"object", b"ol", b"optgroup", b"option", b"p", b"plaintext", b"pre", b"progress",
    b"q", b"rt", b"rtc", b"search", b"section", b"select", b"summary", b"svg", b"table",
    b"tbody", b"td", b"text", b"textarea", b"tfoot", b"th", b"thead", b"title", b"tr", b"ul",
    b"video", b"xmp",
];

/// Elements that are not shown, with all their content (HTML Standard §15.3.1).
pub(super) const UNSEEN: [&[u8]; 8] =
    [b"datalist", b"noembed", b"noframes", b"rp", b"script", b"style", b"template", b"noscript"];

/// All other elements of HTML, which are shown within their line or have no content to show.
#[rustfmt::skip]
const INLINE: [&[u8]; 52] = [
    b"a", b"abbr", b"acronym", b"area", b"b", b"base", b"basefont", b"bdi", b"bdo", b"bgsound",
    b"big", b"blink", b"cite", b"code", b"data", b"del", b"dfn", b"em", b"font", b"i", b"ins",
    b"kbd", b"label", b"link", b"map", b"mark", b"meta", b"nobr", b"output", b"param", b"picture",
    b"rb", b"ruby", b"s", b"samp", b"slot", b"small", b"source", b"spacer", b"span", b"strike",
    b"strong", b"sub", b"sup", b"time", b"track", b"tt", b"u", b"var", b"wbr", b"nextid",
    b"multicol",
];

/// Reports whether `name` is that of an element of HTML, today's or an older one.
fn is_element(name: &[u8]) -> bool {
    is_one_of(name, &INLINE) || is_gap(name)
}

/// Reports whether the start tag called `tag` is no element, but a name that stands for something
/// to be filled in, which a browser does not show: `https://h.example/<user>/<repository>`. No
/// element of HTML is called so, the name has no prefix as in `<o:p>`, and no end tag follows soon.
pub(super) fn is_placeholder(text: &[u8], tag: Span) -> bool {
    /// Maximum number of bytes that are searched for the end tag, for each tag of a word.
    const INSIDE_LEN_MAX: usize = 512;
    let name = tag.of(text);
    if is_element(name) || name.contains(&b':') {
        return false;
    }
    let end = text.len().min(tag.end.saturating_add(INSIDE_LEN_MAX));
    let rest = text.get(tag.end..end).unwrap_or_default();
    let mut ends = memchr::memmem::find_iter(rest, b"</").map(|at| at + b"</".len());
    let is_its =
        |at: usize| rest.get(at..at + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name));
    !ends.any(is_its)
}

/// Reports whether the tags of the element called `name` separate words, whatever its attributes.
pub(super) fn is_gap(name: &[u8]) -> bool {
    is_one_of(name, &GAPS) || is_one_of(name, &UNSEEN)
}

/// Reports whether `name` is one of `known`, in any case of letters.
pub(super) fn is_one_of(name: &[u8], known: &[&[u8]]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Elements that are gaps only because they are blocks: `display` may make them a part of a line.
#[rustfmt::skip]
const BLOCKS: [&[u8]; 32] = [
    b"address", b"article", b"aside", b"blockquote", b"center", b"dd", b"dir", b"div", b"dl", b"dt",
    b"figcaption", b"figure", b"footer", b"form", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6",
    b"header", b"hgroup", b"li", b"listing", b"main", b"menu", b"nav", b"ol", b"p", b"pre",
    b"section", b"ul",
];

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
        let is_gap = is_one_of(name, &GAPS);
        // The style sheet of the standard hides these whatever their attributes say.
        if is_one_of(name, &UNSEEN) || is(b"input") && self.is_hidden_type {
            return Display::None;
        }
        match self.style.display {
            Some(Display::None) => Display::None,
            _ if self.style.is_apart => Display::Block,
            Some(Display::Inline) if is_gap && !is_one_of(name, &BLOCKS) => Display::Block,
            Some(display) => display,
            None if self.is_hidden || is(b"dialog") && !self.is_open => Display::None,
            None if is_gap => Display::Block,
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
    use super::{Attributes, BLOCKS, Display, GAPS, is_one_of};

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
    fn all_blocks_are_gaps() {
        assert!(BLOCKS.iter().all(|name| is_one_of(name, &GAPS)));
    }
}
