//! Finds the parts of a gateway's URL that identify a reader: the address of the recipient, the
//! message, and signatures over both.
//!
//! Formats change, and few are documented, so that a part is hidden unless it is known to be
//! harmless: words of a path, names of parameters, and the wrapped link, if that has no secret and
//! is no wrapper itself. Nothing after a gateway's host in a text is taken for other text.

use memchr::memmem;

use super::remains::{AVANAN_END, AVANAN_START, DEFENSE_END, DEFENSE_START, remains};
use super::{
    Gateway, at, authority_len, base64, dashed, is_mapped, may_be, parameters, path_len, query,
    web_start,
};
use crate::scheme;
use crate::span::Span;
use crate::uri::authority::Start;
use crate::uri::percent::unescaped;
use crate::uri::secrets::{levels, passwords};

/// Minimum number of bytes of a wrapper that has anything to hide: shorter than any with a link in
/// it.
const WRAPPER_LEN_MIN: usize = 24;

/// Maximum number of bytes of a path's segment that is no token.
const WORD_LEN_MAX: usize = 3;

/// Longer words in paths of gateways.
const WORDS: [&str; 15] = [
    "atp-safelinks.html",
    "clicktime",
    "clickthrough",
    "evergreen-assets",
    "GetUrlReputation",
    "index.php",
    "l.php",
    "link",
    "mail",
    "query",
    "redirect",
    "redir",
    "redir.aspx",
    "safelink.html",
    "safelinks",
];

/// Maximum number of bytes of the name of a parameter.
const NAME_LEN_MAX: usize = 24;

/// Maximum number of bytes of the name of a host (RFC 1035 §2.3.4).
const HOST_LEN_MAX: usize = 253;

/// Returns the places of the tokens in `text`, in order, if a gateway's URL is in it, perhaps in
/// escapes.
pub(in crate::uri) fn tokens(text: &[u8]) -> Vec<Span> {
    let is_without =
        || is_simple(text, After::Nothing) || is_plain(text) || is_plain_reference(text);
    if text.len() < WRAPPER_LEN_MIN || is_without() {
        return Vec::new();
    }
    let (plain, end) = match first(text) {
        Some((gateway, rest)) => (hidden(gateway, text, rest), rest),
        None => {
            let start = remains(text).map_or(text.len(), |remains| remains.tokens);
            (whole(Span::new(start, text.len())), start)
        }
    };
    let mut found = escaped(text.get(..end).unwrap_or_default());
    found.extend(plain);
    found
}

/// Returns `span` if it is not empty.
fn whole(span: Span) -> Vec<Span> {
    if span.is_empty() { Vec::new() } else { vec![span] }
}

/// Returns the places of the tokens in `text`, in order, if a gateway's URL is in it in escapes.
fn escaped(text: &[u8]) -> Vec<Span> {
    if !may_be_escaped(text) {
        return Vec::new();
    }
    for level in levels(text) {
        if let Some((gateway, rest)) = first(&level.text) {
            let places = hidden(gateway, &level.text, rest);
            return places.into_iter().map(|span| level.origin(span)).collect();
        }
    }
    Vec::new()
}

/// Reports whether `text` is one URI of the Web whose host is no gateway's, without anything after
/// the host that another authority may begin with and without the tokens of a broken wrapper, or a
/// plain address of mail. Most texts are.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    const MAILTO: &[u8] = b"mailto:";
    let Some(start) = web_start(text) else {
        return text.get(..MAILTO.len()).is_some_and(|it| it.eq_ignore_ascii_case(MAILTO))
            && memchr::memchr3(b'/', b'%', b'\\', text).is_none();
    };
    let after = text.get(start..).unwrap_or_default();
    let Some((authority, rest)) = after.split_at_checked(authority_len(after)) else {
        return false;
    };
    // Most pages of the hosts that redirectors have, too, are no wrappers.
    if authority.is_empty()
        || may_be(authority) && (is_mapped(authority) || at(text, start).is_some())
    {
        return false;
    }
    is_simple(rest, After::Authority) || is_plain_rest(rest)
}

/// The part that precedes a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Authority,
}

/// Reports whether `text` is a path and a fragment that cannot hold a gateway's URL, nor remains of
/// one: it has no byte that divides or escapes parameters or begins an authority, and no segment
/// that may be a gateway's host. One look at each byte answers this for most links.
fn is_simple(text: &[u8], after: After) -> bool {
    const MARKS: [bool; 256] = {
        let mut marks = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            marks[byte] = byte <= b' ' as usize || byte >= 0x7F;
            byte += 1;
        }
        let others = b"_?&;=%:\\@";
        let mut at = 0;
        while at < others.len() {
            marks[others[at] as usize] = true;
            at += 1;
        }
        marks
    };
    let (mut start, mut has_dot, mut last) = (0, false, 0);
    for (at, &byte) in text.iter().enumerate() {
        if MARKS.get(usize::from(byte)).is_none_or(|is_mark| *is_mark) {
            return false;
        }
        has_dot |= byte == b'.';
        if byte == b'/' || after == After::Nothing && byte == b'#' {
            let segment = text.get(start..at).unwrap_or_default();
            if byte == b'/' && last == b'/' || has_dot && may_be(segment) {
                return false;
            }
            (start, has_dot) = (at + 1, false);
        }
        last = byte;
    }
    true
}

/// Reports whether `rest`, the text after the authority of a URI, holds no further authority, and
/// no tokens of a broken wrapper.
fn is_plain_rest(rest: &[u8]) -> bool {
    // Browsers skip further slashes.
    remains(rest).is_none()
        && inside_path(rest).is_none()
        && memchr::memchr_iter(b'/', rest).all(|at| rest.get(at + 1) != Some(&b'/'))
        && memchr::memchr3_iter(b':', b'%', b'\\', rest).all(|at| !may_begin(rest, at))
}

/// Reports whether `text`, a relative reference, contains nothing that may begin an authority: no
/// colon, backslash, escape or `www`, no two slashes, no byte that browsers skip between two, no
/// gateway's host whose scheme was forgotten, and no tokens of a broken wrapper.
pub(crate) fn is_plain_reference(text: &[u8]) -> bool {
    let after = text.get(1..).unwrap_or_default();
    let is_mark = |byte: u8| {
        (byte == b':') | (byte == b'\\') | (byte == b'%') | (byte <= b' ') | (byte >= 0x7F)
    };
    let is_pair = |byte: u8, next: u8| {
        (byte == b'/') & (next == b'/') | (byte | 0x20 == b'w') & (next | 0x20 == b'w')
    };
    let pairs = text.iter().zip(after);
    let holds =
        || leading(text).is_some() || inside_path(text).is_some() || remains(text).is_some();
    !pairs.fold(false, |any, (&byte, &next)| any | is_mark(byte) | is_pair(byte, next))
        && !text.last().is_some_and(|&last| is_mark(last))
        && (is_simple(text, After::Nothing) || !holds())
}

/// Reports whether the mark at `at` of `text` may belong to the beginning of another URI: a
/// scheme's colon, a backslash, or two slashes in escapes.
fn may_begin(text: &[u8], at: usize) -> bool {
    let last = at.checked_sub(1).and_then(|last| text.get(last));
    let mut after = text.get(at + 1..).unwrap_or_default();
    match text.get(at) {
        Some(b':') => {
            // `http` and `ftps` need no slashes.
            after.first().is_some_and(|next| matches!(next, b'/' | b'\\' | b'\t' | b'\n' | b'\r'))
                || last.is_some_and(|last| matches!(last | 0x20, b'p' | b's' | b' '..=b'-'))
        }
        Some(b'%') => {
            while let Some(rest) = after.strip_prefix(b"25") {
                after = rest;
            }
            after.starts_with(b"2F%2") || after.starts_with(b"2f%2")
        }
        _ => true,
    }
}

/// Returns the gateway whose host `text` begins with, perhaps after a user, and the offset after
/// the authority: the text is the URL of a gateway whose scheme was forgotten. Steps of a relative
/// path may precede it.
fn leading(text: &[u8]) -> Option<(Gateway, usize)> {
    let is_step = |byte: &&u8| matches!(byte, b'.' | b'/' | b'\\');
    let start = text.iter().take_while(is_step).count();
    memchr::memchr3(b'/', b'?', b'\\', text.get(start..)?)?;
    at(text, start)
}

/// Returns the gateway whose host follows a blank in `text`, and the offset after the host: other
/// text precedes a URL whose scheme was forgotten.
fn after_blank(text: &[u8]) -> Option<(Gateway, usize)> {
    let blanks = memchr::memchr3_iter(b' ', b'\t', b'\n', text);
    blanks.take(BLANKS_MAX).find_map(|blank| {
        let (gateway, rest) = leading(text.get(blank + 1..)?)?;
        Some((gateway, blank + 1 + rest))
    })
}

/// Maximum number of blanks of a text after which a gateway's host is searched for.
const BLANKS_MAX: usize = 16;

/// Returns the gateway whose host is a segment in `text`, a path, and the offset after the host: a
/// URL without a scheme is resolved against the base of its page. Only one with a query or with a
/// segment that may be a token counts, since sites about gateways have their hosts in paths.
fn inside_path(text: &[u8]) -> Option<(Gateway, usize)> {
    let query = memchr::memchr(b'?', text);
    let path = text.get(..query.unwrap_or(text.len()))?;
    // Without a query, the last segment is none that counts.
    let end = query.or_else(|| memchr::memrchr(b'/', path))?;
    memchr::memchr(b'.', text.get(..end)?)?;
    memchr::memchr_iter(b'/', path).find_map(|slash| {
        let after = path.get(slash + 1..)?;
        let len = memchr::memchr(b'/', after);
        let segment = after.get(..len.unwrap_or(after.len()))?;
        let is_wanted = (query.is_some() || len.is_some()) && may_be(segment);
        memchr::memchr(b'.', segment).filter(|_| is_wanted)?;
        let found = at(text, slash + 1)?;
        let rest = text.get(found.1..).unwrap_or_default();
        (query.is_some() || has_token(rest)).then_some(found)
    })
}

/// Reports whether a segment of `path` may be a token: it is no short word in lower case.
fn has_token(path: &[u8]) -> bool {
    /// Maximum number of bytes of such a word. Tokens are longer, or have other characters.
    const PLAIN_LEN_MAX: usize = 10;
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'.');
    path.split(|byte| matches!(byte, b'/' | b'\\')).any(|segment| {
        segment.len() > WORD_LEN_MAX
            && (segment.len() > PLAIN_LEN_MAX || !segment.iter().all(is_letter))
    })
}

/// Returns the first gateway in `text`, and the offset after its authority.
fn first(text: &[u8]) -> Option<(Gateway, usize)> {
    if let Some(found) = leading(text).or_else(|| after_blank(text)) {
        return Some(found);
    }
    let mut from = 0;
    while let Some(start) = Start::next(text, from) {
        let found = at(text, start.at());
        if found.is_some() {
            return found;
        }
        from = start.head(text).end.max(from + 1);
    }
    inside_path(text)
}

/// Reports whether `text` has two slashes in escapes, however often they were escaped.
fn may_be_escaped(text: &[u8]) -> bool {
    memchr::memchr(b'%', text).is_some()
        && (memmem::find(text, b"2F%2").is_some() || memmem::find(text, b"2f%2").is_some())
}

/// Reports whether a gateway's URL is anywhere in `text`, or may be.
fn holds_gateway(text: &[u8]) -> bool {
    let mut deepest = None;
    first(text).is_some()
        || memchr::memchr(b'%', text).is_some()
            && levels(text).any(|level| {
                let found = first(&level.text).is_some();
                deepest = Some(level.text);
                found
            })
        || deepest.is_some_and(|text| may_be_escaped(&text))
}

/// Returns the places to hide in `text`, in which the URL of `gateway` has its path at `start`.
fn hidden(gateway: Gateway, text: &[u8], start: usize) -> Vec<Span> {
    let rest = text.get(start..).unwrap_or_default();
    let mut found = Vec::new();
    match framed(gateway, rest) {
        Some((target, after)) => {
            segments(rest.get(..target.start).unwrap_or_default(), &mut found);
            // Bytes that were replaced may be part of a password.
            let is_whole = gateway == Gateway::Avanan || rest.get(after) == Some(&b'!');
            if !is_whole || !is_harmless(&unescaped(target.of(rest))) {
                found.push(target);
            }
            found.push(Span::new(after, rest.len()));
        }
        None => {
            segments(rest.get(..path_len(rest)).unwrap_or_default(), &mut found);
            values(gateway, rest, &mut found);
            let fragment = query(rest).end + 1;
            found.push(Span::new(fragment.min(rest.len()), rest.len()));
        }
    }
    found.retain(|place| !place.is_empty());
    found.into_iter().map(|it| Span::new(it.start + start, it.end + start)).collect()
}

/// Returns the place of a link that marks in the path of `rest` frame, and the offset after the
/// second mark.
fn framed(gateway: Gateway, rest: &[u8]) -> Option<(Span, usize)> {
    let (open, close) = match gateway {
        Gateway::UrlDefense => (DEFENSE_START, DEFENSE_END),
        Gateway::Avanan => (AVANAN_START, AVANAN_END),
        _ => return None,
    };
    let start = memmem::find(rest, open)? + open.len();
    let after = rest.get(start..)?;
    // Without a second mark, no part is known to be the link.
    let len = memmem::find(after, close);
    let end = start + len.unwrap_or(0);
    Some((Span::new(start, end), end + len.map_or(0, |_| close.len())))
}

/// Adds the places of the segments of `path` that are neither words nor harmless links.
fn segments(path: &[u8], found: &mut Vec<Span>) {
    let mut start = 0;
    for segment in path.split(|byte| matches!(byte, b'/' | b'\\')) {
        let is_word = segment.len() <= WORD_LEN_MAX
            || WORDS.iter().any(|word| segment.eq_ignore_ascii_case(word.as_bytes()));
        let link = unescaped(segment);
        let is_link = is_of_web(&link) && is_harmless(&link);
        if !is_word && !is_link {
            found.push(Span::new(start, start + segment.len()));
        }
        start += segment.len() + 1;
    }
}

/// Adds the places of the values in the query of `rest` that are not known to be harmless.
fn values(gateway: Gateway, rest: &[u8], found: &mut Vec<Span>) {
    let path = rest.get(..path_len(rest)).unwrap_or_default();
    let is_second = path.starts_with(b"/v2/") && gateway == Gateway::UrlDefense;
    for parameter in parameters(rest) {
        let (whole, end) = (Span::new(parameter.start, parameter.end), parameter.end);
        let is_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let name = parameter.name;
        let Some(value) =
            parameter.value.filter(|_| name.len() <= NAME_LEN_MAX && name.iter().all(is_name))
        else {
            found.push(whole);
            continue;
        };
        let is_named = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
        let is_shown = value.len() <= 2 && value.iter().all(u8::is_ascii_digit)
            || (is_named("domain") || is_named("d") && gateway == Gateway::Sophos)
                && is_host(value)
            || gateway.parameters().iter().any(|wanted| is_named(wanted))
                && match gateway {
                    Gateway::Egress => false,
                    Gateway::Sophos => base64(value).is_some_and(|text| is_harmless(&text)),
                    _ if is_second => is_harmless(&dashed(value)),
                    _ => is_harmless(&unescaped(value)),
                };
        if !is_shown {
            found.push(Span::new(end - value.len(), end));
        }
    }
}

/// Reports whether `text` has the scheme of a link that gateways wrap: a token may have a colon.
fn is_of_web(text: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 4] = [b"http", b"https", b"ftp", b"mailto"];
    let name = text.get(..scheme::name_len(text)).unwrap_or_default();
    SCHEMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Reports whether `text` is a URI without a password, and without a gateway that may have tokens.
fn is_harmless(text: &[u8]) -> bool {
    scheme::name_len(text) > 0
        && passwords(text).next().is_none()
        && remains(text).is_none()
        && !holds_gateway(text)
}

/// Reports whether `value` looks like the name of a host.
fn is_host(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    value.len() <= HOST_LEN_MAX
        && memchr::memchr(b'.', value).is_some()
        && value.iter().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::{
        After, holds_gateway, is_plain_reference, is_plain_rest, is_simple, remains, tokens,
    };

    const PARTS: [&str; 32] = [
        "/",
        "//",
        "\\",
        "\\\\",
        ":",
        "%2F%2F",
        "%252f%252f",
        "\t",
        "\n",
        " ",
        "www.",
        "WwW.",
        "w",
        "http:",
        "https:",
        "a",
        "#",
        "?",
        "@",
        "..",
        "urldefense.com/v2/url?u=http-3A__h_&d=token",
        "eu01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh&data=token",
        "l.facebook.com/l.php?u=h&h=token0token0",
        "\u{E9}",
        ".",
        "protect.mimecast.com",
        "/s/tokenofreader1",
        "__;!!abcdefghijkl!mnopqrstuvwx$",
        "&data=05%7C02%7Ca%40h.example%7C",
        ";",
        "=",
        "A1b2C3d4E5f6G7h8",
    ];

    /// Texts of a few parts each.
    fn texts() -> impl Iterator<Item = String> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = move |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % limit as u64).unwrap_or_default()
        };
        (0..100_000).map(move |_| (0..below(7)).map(|_| PARTS[below(PARTS.len())]).collect())
    }

    #[test]
    fn what_one_look_calls_simple_is_plain() {
        let mut simple = 0;
        for text in texts() {
            let bytes = text.as_bytes();
            assert!(!is_simple(bytes, After::Authority) || is_plain_rest(bytes), "{text:?}");
            if is_simple(bytes, After::Nothing) {
                assert!(!holds_gateway(bytes) && remains(bytes).is_none(), "{text:?}");
                simple += 1;
            }
        }
        assert!(simple > 5_000, "{simple} simple");
    }

    #[test]
    fn a_plain_reference_has_no_tokens() {
        let (mut plain, mut others) = (0, 0);
        for text in texts() {
            let found = tokens(text.as_bytes());
            if is_plain_reference(text.as_bytes()) {
                assert_eq!(found, [], "{text:?}");
                plain += 1;
            }
            others += usize::from(!found.is_empty());
        }
        assert!(plain > 5_000 && others > 5_000, "{plain} plain, {others} with tokens");
    }

    #[test]
    fn tokens_are_hidden_where_the_scheme_was_forgotten() {
        for (text, hidden) in [
            ("eu01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh&data=a%7Cb", "a%7Cb"),
            ("http://h/a/eu01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh&data=a", "a"),
            ("../protect.mimecast.com/s/token?domain=h.example", "token"),
            ("protect.mimecast.com/s/token", "token"),
            ("../../protect.mimecast.com/s/token", "token"),
            ("/protect.mimecast.com/s/token", "token"),
            ("protect.mimecast.com:443/s/token", "token"),
            ("a@protect.mimecast.com/s/token", "token"),
            ("/r/secure-web.cisco.com/Token/https%3A%2F%2Fh.example", "Token"),
            ("http://h/protect.mimecast.com/s/tokenofreader1", "tokenofreader1"),
            ("http://h/protect.mimecast.com/s/tokenofreader", "tokenofreader"),
            ("http://h/a@protect.mimecast.com:443/s/TOKEN", "TOKEN"),
            ("http://h/link.edgepilot.com/details", ""),
            ("http://h/domains/link.edgepilot.com", ""),
            ("https://link.edgepilot.com/s/abc:token-of/x?u=https://h.example/", "abc:token-of"),
            ("http://u:p@h/link.edgepilot.com/details", ""),
            ("a b protect.mimecast.com/s/token-of-a-reader", "token-of-a-reader"),
            ("https://secure=-web.cisco.com/Token/https%3A%2F%2Fh.example", "Token"),
            ("https://www.google.com/u%72l?q=https%3A%2F%2Fh&usg=", "u%72l"),
            ("https://nam02\0.safelinks.protection.outlook.com/?data=token", "token"),
            (
                "https://eu.protection.sophos.com/#d=h&i=token-of-a-reader",
                "d=h&i=token-of-a-reader",
            ),
        ] {
            let places = tokens(text.as_bytes());
            let found: Vec<_> = places.iter().map(|place| place.of(text.as_bytes())).collect();
            let expected: &[&[u8]] = if hidden.is_empty() { &[] } else { &[hidden.as_bytes()] };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn tokens_of_a_broken_wrapper_are_hidden() {
        for (text, hidden) in [
            ("https://h.example/a__;!!AbC9!reader-token$", "!!AbC9!reader-token$"),
            ("https://h.example/a*b__;4oCT-_=!!AbC9!reader-token$", "4oCT-_=!!AbC9!reader-token$"),
            ("http://h.example/a;b__;c__;Kys!!A!token-b$", "Kys!!A!token-b$"),
            (
                "https://h.example/___.YXAzOmV4YW1wbGU6YTpvOjEyMzQ1Njc4:7:9",
                "YXAzOmV4YW1wbGU6YTpvOjEyMzQ1Njc4:7:9",
            ),
            ("https://h.example/a___.configuration.html", ""),
            ("https://h.example/a___.d/a-path-with/many-segments", ""),
            ("https://h.example/a__;b/c!!d_and_more", ""),
            ("https://h.example/a_;!!AbC9!no-token$", ""),
            ("https://h.example/a__;!!A!short$", ""),
            ("https://h.example/a__;", ""),
        ] {
            let places = tokens(text.as_bytes());
            let found: Vec<_> = places.iter().map(|place| place.of(text.as_bytes())).collect();
            let expected: &[&[u8]] = if hidden.is_empty() { &[] } else { &[hidden.as_bytes()] };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn tokens_of_a_wrapper_in_escapes_before_another_are_hidden() {
        let first = "https://h.example/r?to=https%3A%2F%2Fsecure-web.cisco.com%2F1first-token%2F";
        for rest in [
            "https%253A%252F%252Fprotect.checkpoint.com%252Fv2%252F___https%253A%252F%252Fa%252Fb\
             ___.second-token-of-a-reader-that-is-long",
            "x__;!!AbC9!second-token-of-a-reader$",
            "&x=https://protect.mimecast.com/s/second-token-of-a-reader?domain=a.example",
        ] {
            let text = [first, rest].concat();
            let mut shown = text.clone().into_bytes();
            for place in tokens(text.as_bytes()) {
                shown[place.start..place.end].fill(b'*');
            }
            let shown = String::from_utf8(shown).unwrap();
            assert!(!shown.contains("first") && !shown.contains("second"), "{shown}");
            assert!(shown.starts_with("https://h.example/r?to="), "{shown}");
        }
    }

    #[test]
    fn usual_references_are_plain() {
        for text in ["", "a.html", "../a/b.html?c=d&e#f", "#method.new", "/Web/w/a", "./w-ww"] {
            let is_plain = !text.contains("ww");
            assert_eq!(is_plain_reference(text.as_bytes()), is_plain, "{text}");
        }
    }
}
