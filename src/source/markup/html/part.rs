//! Finds places where a long document in HTML can be cut.

use super::tokens::{Token, Tokens, root};
use super::{breaks, clean, joints};
use crate::source::markup::Part;
use crate::source::markup::reference::Resolved;
use crate::source::markup::shown::SOURCE_LEN_MAX;
use crate::span::Span;

/// Returns the beginning of `text` up to a tag at which nothing is open: no comment, no element
/// without tags, no SVG, no link whose text follows, and no word that the tag divides. The rest
/// reads as the beginning of a document. `None` in XML, where tags mean something else.
pub(in crate::source::markup) fn part(text: &[u8]) -> Option<Part> {
    if text.get(root(text)..)?.starts_with(b"<?xml") {
        return None;
    }
    let (mut len, mut base, mut tag) = (0, None, Span::new(0, 0));
    // Elements without an end tag count, too.
    let mut svgs = 0_usize;
    // Offset from which on the text of the last link is not read.
    let mut shown_end = 0;
    let joints = joints::in_part(text);
    let mut text_end = 0;
    let divides_word = |start: usize, text_end: usize| {
        let next = joints.partition_point(|joint| joint.end <= start);
        let is_joint = joints.get(next).is_some_and(|joint| joint.start <= start);
        is_joint || joints::may_go_on(text, text_end)
    };
    for token in Tokens::new(text, 0) {
        let is_tag = |known: &[u8]| tag.of(text).eq_ignore_ascii_case(known);
        match token {
            Token::Open(name) => {
                tag = name;
                let start = name.start.saturating_sub(b"<".len());
                let is_anchor = name.of(text).eq_ignore_ascii_case(b"a");
                let breaks_word = breaks::is_name(name.of(text)) || divides_word(start, text_end);
                if svgs == 0 && !breaks_word && (is_anchor || start >= shown_end) {
                    len = start;
                }
                svgs += usize::from(name.of(text).eq_ignore_ascii_case(b"svg"));
            }
            Token::Attribute(name, value) if base.is_none() && is_tag(b"base") => {
                let is_href = name.of(text).eq_ignore_ascii_case(b"href");
                base = is_href.then_some(value);
            }
            Token::Text(span) => text_end = span.end,
            Token::Close(name) if name.of(text).eq_ignore_ascii_case(b"a") => shown_end = 0,
            Token::Close(name) if name.of(text).eq_ignore_ascii_case(b"svg") => {
                svgs = svgs.saturating_sub(1);
            }
            Token::Opened(end) if is_tag(b"a") => shown_end = end.saturating_add(SOURCE_LEN_MAX),
            _ => {}
        }
    }
    let base = base.filter(|value| value.start < len);
    let base = base.map(|value| clean(&Resolved::new(text, value).bytes));
    (len > 0).then_some(Part { len, base })
}

#[cfg(test)]
mod tests {
    use super::{Part, SOURCE_LEN_MAX, part};
    use crate::source::markup::{Link, Page, Replaced, html};

    /// Returns the links and references of `text`, in which the text after `cut` is a document of
    /// its own.
    fn in_two(text: &[u8], cut: usize) -> (Vec<Link>, Vec<Replaced>) {
        let (first, second) = text.split_at(cut);
        let (mut page, second) = (html::page(first), html::page(second));
        page.append(second, cut);
        let Page { links, replaced, .. } = page;
        (links, replaced)
    }

    /// Checks that `text` reads the same in two parts, wherever its beginning ends; returns the
    /// offsets of the cuts.
    #[track_caller]
    fn case(text: &[u8]) -> Vec<usize> {
        let whole = html::page(text);
        let mut cuts = Vec::new();
        for end in 0..=text.len() {
            let Some(Part { len, base }) = part(&text[..end]) else { continue };
            assert!(0 < len && len <= end, "{len} of {end}");
            let (links, replaced) = in_two(text, len);
            assert!(links == whole.links, "{len} of {end}: {}", text.escape_ascii());
            assert_eq!(replaced, whole.replaced, "{len} of {end}: {}", text.escape_ascii());
            let found = base.or_else(|| html::page(&text[len..]).base);
            assert_eq!(found, whole.base, "{len} of {end}: {}", text.escape_ascii());
            cuts.push(len);
        }
        cuts.dedup();
        cuts
    }

    #[test]
    fn a_part_ends_in_front_of_a_tag_at_which_nothing_is_open() {
        assert_eq!(case(b"<p>z<!-- <p> --><b>z</b><script>'<p>'</script><i>"), [16, 24, 46]);
        assert_eq!(case(b"a <title><p></title><style><p></style>\n<br>"), [2, 20, 39]);
        assert!(case(b"no tag").is_empty());
        assert!(case(b"\n<?xml version='1.0'?><p><title/><a href=b>").is_empty());
        assert_eq!(case(b"<p><svg><title/><a href=b></a></svg><p>"), [3, 36]);
        assert_eq!(case(b"<p>http://a.exam<wbr>ple/<WBR/>b<p>"), [32]);
        assert_eq!(case(b"<p>http://a.<i></i>example/<!-- <p> --><b>c</b>d <b>z</b><p>"), [49, 57]);
        assert_eq!(case(b"<p>ht<b>tp</b>://a.example/<i>b</i> <p>"), [36]);
        // The text of a link may hold tags.
        assert_eq!(case(b"<a href=1>a<b>b</b></a> <i>c</i> <a href=2>d</a>"), [24, 33]);
        assert_eq!(case(b"<p title='<p>'><![CDATA[ <p> ]]><base href=x><base href=y><p>").len(), 3);
    }

    #[test]
    fn a_link_without_an_end_does_not_hold_a_document_together() {
        let mut text = b"<p><a href=x>".to_vec();
        let after = text.len();
        text.resize(after + SOURCE_LEN_MAX - 1, b'.');
        text.extend_from_slice(b"<p>.<p>");
        assert_eq!(part(&text).map(|part| part.len), Some(after + SOURCE_LEN_MAX + 3));
        assert_eq!(case(&text), [3, after + SOURCE_LEN_MAX + 3]);
    }

    #[test]
    fn any_text_says_the_same_in_two_parts() {
        const WORDS: [&str; 37] = [
            "http:",
            "//a.example/",
            "http://a/",
            "<b hidden>",
            "<!-- c -->",
            "<i></i>",
            "<svg>",
            "<svg/>",
            "</svg>",
            "<title/>",
            "<script/>",
            "<p>",
            "</p>",
            "<a href=u>",
            "<a href='&amp;u'>",
            "</a>",
            "<b>",
            "</b>",
            "<br/>",
            "<script>",
            "</script>",
            "<style>",
            "url(u)",
            "</style>",
            "<title>",
            "</title>",
            "<!--",
            "-->",
            "<base href=v>",
            "<img src=\"w\"",
            ">",
            "'",
            "&lt;",
            "x",
            "\n",
            "<![CDATA[",
            "]]>",
        ];
        let mut state = 7_u64;
        for _ in 0..2000 {
            let mut text = String::from(if state >> 62 == 0 { "<?xml?>" } else { "" });
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text += WORDS[(state >> 33) as usize % WORDS.len()];
            }
            case(text.as_bytes());
        }
    }
}
