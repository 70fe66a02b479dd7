//! Decides by a look back from a cut whether a construct of HTML continues after it.

use super::value::TAG_LEN_MAX;
use crate::source::markup::shown::SOURCE_LEN_MAX;

/// Reports whether a tag is open at the end of `text`, or an `a` whose text is read.
pub(in crate::source) fn at_end(text: &[u8]) -> bool {
    let near = |len_max: usize| text.get(text.len().saturating_sub(len_max)..).unwrap_or(text);
    let is_in_tag = || {
        let near = near(TAG_LEN_MAX);
        let last = memchr::memrchr2(b'<', b'>', near);
        last.is_some_and(|at| near.get(at) == Some(&b'<'))
    };
    let is_in_link = || {
        let near = near(SOURCE_LEN_MAX + TAG_LEN_MAX);
        let mut tags = memchr::memrchr_iter(b'<', near).filter_map(|at| near.get(at + 1..));
        tags.find_map(is_begin_of_link).unwrap_or(false)
    };
    is_in_tag() || is_in_link()
}

/// Returns true for the start tag of an `a`, false for its end tag; `None` for others.
fn is_begin_of_link(tag: &[u8]) -> Option<bool> {
    let (is_begin, name) = match tag {
        [b'/', name @ ..] => (false, name),
        name => (true, name),
    };
    let is_its =
        matches!(name, [b'a' | b'A', end, ..] if end.is_ascii_whitespace() || *end == b'>');
    is_its.then_some(is_begin)
}

#[cfg(test)]
mod tests {
    use super::at_end;

    #[test]
    fn tags_and_links_may_be_open() {
        for text in ["<a href='b", "c <p", "<a href='b'>c", "<a>b<b>c</b>", "</a><A\n>"] {
            assert!(at_end(text.as_bytes()), "{text}");
        }
        for text in ["", "a", "<p>a", "<a>b</a>", "<a>b</A >c<b>", "<abbr>a", "a > b"] {
            assert!(!at_end(text.as_bytes()), "{text}");
        }
        let far = ["<a href=b>", &"c".repeat(super::SOURCE_LEN_MAX + super::TAG_LEN_MAX)].concat();
        assert!(!at_end(far.as_bytes()));
    }
}
