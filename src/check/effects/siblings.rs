//! Finds links near another that have its form: `/sport/a-title-4711`, `/town/another-title-4712`.
//!
//! A newsletter lists articles, each with a title and a number of its own. The buttons of one
//! message have titles as well, but they are about one record, and carry its number if they carry
//! any. So three links of one form with three titles and three numbers are a list of articles.

use super::link::apart;

/// Minimum number of links of one form that are a list.
const LIST_MIN: usize = 3;
/// Maximum number of links that are read on either side.
const LINKS_MAX: usize = 64;
/// Digits of the number of an article.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=9;
/// Minimum number of words of a title. Titles in other scripts are encoded, and are not counted.
const WORDS_MIN: usize = 2;

/// The form of a link to an article.
struct Form<'t> {
    host: &'t [u8],
    /// The number of segments in its path.
    depth: usize,
    title: &'t [u8],
    number: &'t [u8],
}

/// Reports whether `uri` is one of a list of articles, with others in the bytes `near` it.
pub(super) fn are_near(uri: &[u8], near: [&[u8]; 2]) -> bool {
    let Some(own) = Form::of(uri) else { return false };
    let mut found = vec![own];
    for link in near.into_iter().flat_map(|text| links(text).take(LINKS_MAX)) {
        let Some(form) = Form::of(link) else { continue };
        let is_new = |known: &Form<'_>| {
            known.host.eq_ignore_ascii_case(form.host)
                && known.depth == form.depth
                && known.title != form.title
                && known.number != form.number
        };
        if found.iter().all(is_new) {
            found.push(form);
        }
    }
    found.len() >= LIST_MIN
}

impl<'t> Form<'t> {
    fn of(uri: &'t [u8]) -> Option<Self> {
        let (host, after) = apart(uri)?;
        let end = memchr::memchr2(b'?', b'#', after).unwrap_or(after.len());
        let (path, query) = after.split_at_checked(end)?;
        let segments = || path.split(|byte| *byte == b'/').filter(|text| !text.is_empty());
        let name = segments().next_back()?;
        let stem = name.split(|byte| *byte == b'.').next()?;
        let digits = stem.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (title, own) = stem.split_at_checked(stem.len() - digits)?;
        let title = title.strip_suffix(b"-").or_else(|| title.strip_suffix(b"_")).unwrap_or(title);
        let above = segments().rev().nth(1).unwrap_or_default();
        let number = [own, above, argument(query)].into_iter().find(|text| is_number(text))?;
        let is_mark = |byte: &u8| matches!(byte, b'-' | b'_' | b'%');
        let words = title.split(is_mark).filter(|word| !word.is_empty()).count();
        let form = Self { host, depth: segments().count(), title, number };
        (words >= WORDS_MIN).then_some(form)
    }
}

/// Returns the number of an article in `query`, `?p=4711`.
fn argument(query: &[u8]) -> &[u8] {
    let value = query.strip_prefix(b"?p=").or_else(|| query.strip_prefix(b"?id="));
    value.and_then(|text| text.split(|byte| matches!(byte, b'&' | b'#')).next()).unwrap_or_default()
}

fn is_number(text: &[u8]) -> bool {
    DIGITS.contains(&text.len()) && text.iter().all(u8::is_ascii_digit)
}

/// Returns the links of the Web in `text`.
fn links(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memmem::find_iter(text, b"://").filter_map(move |at| {
        let scheme = [&b"https"[..], b"http"]
            .into_iter()
            .find(|scheme| text.get(..at).is_some_and(|before| before.ends_with(scheme)))?;
        let link = text.get(at - scheme.len()..)?;
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'<>()[]".contains(byte);
        link.get(..link.iter().position(is_end).unwrap_or(link.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::are_near;

    #[test]
    fn articles_of_a_list_have_a_title_and_a_number_each() {
        for (uri, near, expected) in [
            (
                "http://h.example/sport/a-red-fox-4711",
                "<http://h.example/town/the-old-harbour-4800> (http://h.example/town/new-bus-4801)",
                true,
            ),
            (
                "http://h.example/article/4711/a-red-fox",
                "http://h.example/article/4800/old-harbour\nhttp://h.example/article/4801/new-bus",
                true,
            ),
            (
                "http://h.example/blog/a-red-fox?p=4711",
                "http://h.example/blog/old-harbour?p=4712 http://h.example/blog/new-bus?p=4713",
                true,
            ),
            // Buttons for one record.
            (
                "http://h.example/seat/change-rooms-4711",
                "http://h.example/seat/give-it-up-4711 http://h.example/seat/ask-us-4711",
                false,
            ),
            // One button for several records.
            (
                "http://h.example/seat/change-rooms-4711",
                "http://h.example/seat/change-rooms-4712 http://h.example/seat/change-rooms-4713",
                false,
            ),
            // Another host, another depth, no title, no number.
            (
                "http://h.example/sport/a-red-fox-4711",
                "http://i.example/town/old-harbour-4800 http://h.example/new-bus-4801 \
                 http://h.example/town/4802 http://h.example/town/the-old-mill",
                false,
            ),
            ("http://h.example/sport/a-red-fox-4711", "", false),
        ] {
            let near = [near.as_bytes(), b""];
            assert_eq!(are_near(uri.as_bytes(), near), expected, "{uri} {near:?}");
        }
    }
}
