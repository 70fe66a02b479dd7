//! Detects a bare URI that a tag or a comment of HTML divides: `https://bank.<b>example</b>/`.
//!
//! The reader of HTML takes out tags and comments that show no gap. It leaves links, and comments
//! and tags with a URL of their own, which has a finding. In a string of a program or of data, all
//! tags are left. Without the rest of its host, a link leads to another one. Within a path, a tag
//! may as well begin the next word, and gives no warning; but a comment shows nothing, and a tag
//! with a URL was left only for that.

use super::{AHEAD_MAX, authority, is_of_host};
use crate::span::Span;

/// Elements that change how a part of a word looks.
#[rustfmt::skip]
const INLINE: [&[u8]; 25] = [
    b"abbr", b"b", b"bdi", b"bdo", b"big", b"cite", b"code", b"data", b"del", b"em", b"font", b"i",
    b"ins", b"kbd", b"mark", b"nobr", b"s", b"samp", b"small", b"span", b"strong", b"tt", b"u",
    b"var", b"wbr",
];

/// Bytes of a URL, or of an attribute that has one.
const LINKS: [&[u8]; 6] = [b"://", b"www.", b"mailto:", b"url(", b"href", b"src="];

/// Maximum number of bytes of a comment: those in mail have some thousand.
const COMMENT_LEN_MAX: usize = 4096;

/// A tag or a comment that divides a word, with the text after it.
enum Division<'t> {
    /// A start tag of one of [`INLINE`], or of an element whose name has a hyphen.
    Inline(&'t [u8]),
    /// A comment, or such a tag that holds a URL.
    Unseen(&'t [u8]),
    /// The beginning or the end of a link.
    Link(&'t [u8]),
}

/// Returns the bracket of the tag or comment that cuts the URI at `span`: in its host, before or
/// after a dot or a hyphen, or anywhere where it shows nothing.
pub(super) fn cut_before(bytes: &[u8], span: Span) -> Option<char> {
    // Few URIs end before a tag, and this is asked of each.
    let (at, is_after_mark) = match bytes.get(span.end)? {
        b'<' => (span.end, false),
        b'.' | b'-' if bytes.get(span.end + 1) == Some(&b'<') => (span.end + 1, true),
        _ => return None,
    };
    let division = Division::at(bytes, at)?;
    let (Division::Inline(after) | Division::Unseen(after) | Division::Link(after)) = division;
    let is_in_host = || authority(span.of(bytes)).is_some();
    let is_name = |text: &[u8]| text.first().is_some_and(u8::is_ascii_alphanumeric);
    let is_domain = |text: &[u8]| text.first().is_some_and(u8::is_ascii_lowercase);
    let is_path = |text: &[u8]| text.strip_prefix(b"/").is_some_and(is_name);
    let dotted = after.strip_prefix(b".");
    let is_cut = match division {
        _ if is_after_mark => is_name(after) && is_in_host(),
        Division::Inline(_) => dotted.is_some_and(is_name) && is_in_host(),
        Division::Unseen(_) => is_name(after) || is_path(after) || dotted.is_some_and(is_domain),
        Division::Link(_) => {
            let goes_on = is_path(after) || is_name(after) && is_of_host(after);
            (goes_on || dotted.is_some_and(is_domain)) && is_in_host()
        }
    };
    is_cut.then_some('<')
}

impl<'t> Division<'t> {
    /// Reads the tag or comment at `at` of `bytes`.
    fn at(bytes: &'t [u8], at: usize) -> Option<Self> {
        let rest = bytes.get(at..)?;
        if rest.starts_with(b"<!") {
            let near = rest.get(..COMMENT_LEN_MAX).unwrap_or(rest);
            let end = comment_len(near)?;
            return rest.get(end..).map(Self::Unseen);
        }
        let near = rest.get(1..).map(|near| near.get(..AHEAD_MAX).unwrap_or(near))?;
        let is_end = near.starts_with(b"/");
        let inside = near.strip_prefix(b"/").unwrap_or(near);
        let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let len = inside.iter().take_while(is_of_name).count();
        let (name, attributes) = inside.split_at(len);
        let end = memchr::memchr2(b'<', b'>', attributes)?;
        let is_tag = matches!(attributes, [b' ' | b'\t' | b'\n' | b'\r' | b'/' | b'>', ..]);
        let after = attributes.get(end..)?.strip_prefix(b">").filter(|_| is_tag)?;
        let is_named = |known: &&[u8]| known.eq_ignore_ascii_case(name);
        if name.eq_ignore_ascii_case(b"a") {
            return Some(Self::Link(after));
        }
        if is_end || !name.contains(&b'-') && !INLINE.iter().any(is_named) {
            return None;
        }
        let is_left = holds_link(attributes.get(..end)?);
        Some(if is_left { Self::Unseen(after) } else { Self::Inline(after) })
    }
}

/// Returns the length of the comment that `text` begins with (HTML Standard §13.2.5.42): others
/// than `<!-- -->` end at the first `>`.
fn comment_len(text: &[u8]) -> Option<usize> {
    if !text.starts_with(b"<!--") {
        return memchr::memchr(b'>', text).map(|at| at + 1);
    }
    let ends = |at: &usize| {
        let before = text.get(..*at).unwrap_or_default();
        before.ends_with(b"--") || before.ends_with(b"--!")
    };
    memchr::memchr_iter(b'>', text).find(ends).map(|at| at + 1)
}

/// Reports whether `text`, a comment or attributes, may hold a URL, or the target of a link.
pub(crate) fn holds_link(text: &[u8]) -> bool {
    LINKS.iter().any(|link| memchr::memmem::find(text, link).is_some())
}

#[cfg(test)]
mod tests {
    use super::super::case;

    #[test]
    fn a_tag_may_cut_a_host() {
        case("see https://bank.<b>example</b>/login", Some('<'));
        case("{\"a\":\"https://bank.<span class='x'>example\"}", Some('<'));
        case("https://bank<i>.example</i>", Some('<'));
        case("https://my-<wbr>bank.example", Some('<'));
        case("https://h.example.<br>Next", None);
        case("https://h.example<b>Next</b>", None);
        case("https://h.example.<b> Next</b>", None);
        case("https://h.example/a.<b>b</b>", None);
        case("https://h.example.<b", None);
    }

    #[test]
    fn what_shows_nothing_may_cut_a_uri() {
        let long = "x ".repeat(400);
        for hidden in [
            "<!-- http://x -->",
            "<!---->",
            "<!--[if mso]><a href='https://i.example/'>x</a><![endif]-->",
            "<span onclick=\"go('https://i.example')\">",
            "<B\ndata-u='https://i.example'>",
            "<tt title='www.i.example'>",
            "<code style='background:url(c)'>",
            "<x-y data-href='c'>",
            "<!x http://x>",
            "<!-- mailto:a@b --!>",
            &format!("<!--{long}-->"),
        ] {
            case(&format!("https://ba{hidden}nk.example/login"), Some('<'));
            case(&format!("https://bank.{hidden}example"), Some('<'));
            case(&format!("https://bank{hidden}.example"), Some('<'));
            case(&format!("https://bank.example{hidden}/login"), Some('<'));
            case(&format!("https://bank.example/lo{hidden}gin"), Some('<'));
            case(&format!("https://bank.example/{hidden} Next"), None);
            case(&format!("https://bank.example/{hidden}<br>"), None);
            case(&format!("https://bank.example{hidden}. Next"), None);
        }
        case(&format!("https://ba<!--{}-->nk.example", "x".repeat(5000)), None);
        case("https://ba<!-- nk.example", None);
    }

    #[test]
    fn a_link_may_cut_a_host() {
        case("https://bank.example<a href='/x'>/login</a>", Some('<'));
        case("<a href=b>https://bank.ex</a>ample/login", Some('<'));
        case("https://ba<a href='https://i'>nk.example", Some('<'));
        case("<b>https://bank</a>.example", Some('<'));
        case("https://bank.<a href=b>example</a>", Some('<'));
        case("<a href=b>https://h.example</a>and", None);
        case("<a href=b>https://h.example</a>. Next", None);
        case("<a href=b>https://h.example</a>.Next", None);
        case("https://h.example/a<a href=b>b</a>", None);
        case("https://h.example</abbr>/b", None);
    }
}
