//! Reads TimeMaps in link-format (RFC 7089 §5, RFC 6690), and fields of `Link` (RFC 8288).
//!
//! TimeMaps are written by programs that do not escape: a link that cannot be read is skipped up to
//! the next line, and the others are read.

use std::str;

use jiff::{SignedDuration, Timestamp};

use super::{SNAPSHOTS_MAX, Snapshot, http_date, is_web};
use crate::uri::whatwg;

/// One link: its target and its parameters.
#[derive(Debug, PartialEq, Eq)]
pub struct Link<'t> {
    /// The text between the angle brackets.
    pub target: &'t [u8],
    /// The relation types, separated by blanks; empty if there are none.
    pub rel: Vec<u8>,
    /// The value of `datetime`.
    pub datetime: Option<Vec<u8>>,
    /// The values of `from` and `until`.
    pub range: [Option<Vec<u8>>; 2],
}

/// A further TimeMap of the same URI, to which a TimeMap leads (RFC 7089 §5.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its address.
    pub uri: Vec<u8>,
    /// The times of its first and its last memento, if they are known.
    pub range: [Option<Timestamp>; 2],
}

impl Page {
    /// Returns the time from `date` to the nearest memento that the page may list.
    #[must_use]
    pub fn gap(&self, date: Timestamp) -> SignedDuration {
        let [from, until] = self.range;
        let before = from.map(|from| from.duration_since(date));
        let after = until.map(|until| date.duration_since(until));
        before.into_iter().chain(after).max().unwrap_or_default().max(SignedDuration::ZERO)
    }
}

/// Returns the further pages of the TimeMap `text` at `base`, in order.
pub fn pages(text: &[u8], base: &[u8]) -> impl Iterator<Item = Page> {
    let of = |link: Link<'_>| {
        if !link.has("timemap") || link.has("self") {
            return None;
        }
        let uri = Some(absolute(link.target, base)).filter(|uri| is_web(uri))?;
        Some(Page { uri, range: link.range.map(|time| http_date(&time?)) })
    };
    links(text).filter_map(of)
}

/// Resolves `target` against `base` (RFC 8288 §3.1); returns it as it is if that fails.
fn absolute(target: &[u8], base: &[u8]) -> Vec<u8> {
    if is_web(target) {
        return target.to_vec();
    }
    let resolved = || {
        let base = whatwg::parse(str::from_utf8(base).ok()?, None).ok()?;
        let url = whatwg::parse(str::from_utf8(target).ok()?, Some(&base)).ok()?;
        Some(url.into_href().into_bytes())
    };
    resolved().unwrap_or_else(|| target.to_vec())
}

impl Link<'_> {
    /// Reports whether `name` is one of its relation types.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let mut types = self.rel.split(u8::is_ascii_whitespace);
        types.any(|one| one.eq_ignore_ascii_case(name.as_bytes()))
    }
}

/// Reads the mementos of the TimeMap at `base`. Its original URI is that of each memento.
#[must_use]
pub fn read(text: &[u8], base: &[u8]) -> Vec<Snapshot> {
    let mut original: Option<Vec<u8>> = None;
    let mut found: Vec<Snapshot> = Vec::new();
    for link in links(text) {
        if link.has("original") && original.is_none() {
            original = Some(link.target.to_vec());
        }
        if found.len() < SNAPSHOTS_MAX {
            found.extend(snapshot(&link, base));
        }
    }
    for snapshot in &mut found {
        snapshot.original.clone_from(&original);
    }
    found
}

/// Returns the memento that `link` of an answer at `base` leads to, without its original URI;
/// `None` if it leads to something else, or has no time.
#[must_use]
pub fn snapshot(link: &Link<'_>, base: &[u8]) -> Option<Snapshot> {
    if !link.has("memento") {
        return None;
    }
    let time = http_date(link.datetime.as_deref()?)?;
    Some(Snapshot { uri: Some(absolute(link.target, base)), original: None, time })
}

/// Returns the links of `text`, in order.
pub fn links(text: &[u8]) -> impl Iterator<Item = Link<'_>> {
    let mut reader = LinkReader { rest: text };
    std::iter::from_fn(move || reader.next_link())
}

struct LinkReader<'t> {
    rest: &'t [u8],
}

impl<'t> LinkReader<'t> {
    fn next_link(&mut self) -> Option<Link<'t>> {
        loop {
            let open = memchr::memchr(b'<', self.rest)?;
            self.advance(open + 1);
            // A target has neither line ends nor a second bracket.
            let close = memchr::memchr3(b'>', b'<', b'\n', self.rest)?;
            if self.rest.get(close) != Some(&b'>') {
                continue;
            }
            let target = self.rest.get(..close)?.trim_ascii();
            self.advance(close + 1);
            let range = [None, None];
            let mut link = Link { target, rel: Vec::new(), datetime: None, range };
            while self.next_parameter(&mut link) {}
            return Some(link);
        }
    }

    /// Reads a parameter, after its semicolon, and reports whether there was one.
    fn next_parameter(&mut self, link: &mut Link<'t>) -> bool {
        self.rest = self.rest.trim_ascii_start();
        let Some(rest) = self.rest.strip_prefix(b";") else { return false };
        self.rest = rest.trim_ascii_start();
        let is_name = |byte: &&u8| !b"=;,<\"".contains(byte) && !byte.is_ascii_whitespace();
        let name = self.take(self.rest.iter().take_while(is_name).count());
        self.rest = self.rest.trim_ascii_start();
        let Some(rest) = self.rest.strip_prefix(b"=") else { return true };
        self.rest = rest.trim_ascii_start();
        let value = self.value();
        // The first of each counts (RFC 8288 §3.3).
        if name.eq_ignore_ascii_case(b"rel") && link.rel.is_empty() {
            link.rel = value;
        } else if name.eq_ignore_ascii_case(b"datetime") && link.datetime.is_none() {
            link.datetime = Some(value);
        } else {
            let ends = [&b"from"[..], b"until"].into_iter().zip(&mut link.range);
            for (_, end) in ends.filter(|(known, _)| name.eq_ignore_ascii_case(known)) {
                end.get_or_insert_with(|| value.clone());
            }
        }
        true
    }

    /// Reads a token or a quoted string. A string without an end extends to the end of its line.
    fn value(&mut self) -> Vec<u8> {
        let Some(inside) = self.rest.strip_prefix(b"\"") else {
            let is_token = |byte: &&u8| !b";,".contains(byte) && !byte.is_ascii_whitespace();
            return self.take(self.rest.iter().take_while(is_token).count()).to_vec();
        };
        let mut value = Vec::new();
        let mut at = 0;
        loop {
            match inside.get(at..).unwrap_or_default() {
                [b'\\', next, ..] if *next != b'\n' => {
                    value.push(*next);
                    at += 2;
                }
                [b'"', ..] => {
                    self.rest = inside.get(at + 1..).unwrap_or_default();
                    return value;
                }
                [] | [b'\n', ..] => {
                    self.rest = inside.get(at..).unwrap_or_default();
                    return value;
                }
                [byte, ..] => {
                    value.push(*byte);
                    at += 1;
                }
            }
        }
    }

    fn take(&mut self, len: usize) -> &'t [u8] {
        let (taken, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, b""));
        self.rest = rest;
        taken
    }

    fn advance(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::{links, pages, read};
    use crate::probe::archive::{digits, stamp};

    const DATE: &str = "Sat, 03 Feb 2001 04:05:06 GMT";

    fn shown(text: &str) -> Vec<(String, String)> {
        let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        links(text.as_bytes()).map(|link| (of(link.target), of(&link.rel))).collect()
    }

    #[test]
    fn links_are_read_whatever_is_wrong_with_others() {
        let case = |text: &str, wanted: &[(&str, &str)]| {
            let found = shown(text);
            let found: Vec<_> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(found, wanted, "{text:?}");
        };
        case("", &[]);
        case("<a>", &[("a", "")]);
        case("<a>;rel=memento", &[("a", "memento")]);
        case(" < a > ; REL = \"first memento\" , <b>", &[("a", "first memento"), ("b", "")]);
        // Commas and semicolons of URIs and strings divide nothing.
        case(
            "<http://h/a,b;c>; title=\"x, <y>; z\"; rel=q, <d>; rel=r",
            &[("http://h/a,b;c", "q"), ("d", "r")],
        );
        case(r#"<a>; title="\"; rel=x"; rel=y"#, &[("a", "y")]);
        case("<a>; rel=x; rel=y", &[("a", "x")]);
        case("<a>; flag; rel=y", &[("a", "y")]);
        // An end that is missing costs its line only.
        case("<a\n<b>; rel=x", &[("b", "x")]);
        case("<a <b>; rel=x", &[("b", "x")]);
        case("<a>; rel=\"x\n,<b>; rel=y", &[("a", "x"), ("b", "y")]);
        case("<a>; rel=x <b>; rel=y", &[("a", "x"), ("b", "y")]);
        case("<a>;;;rel=x", &[("a", "x")]);
        case("<a>; rel", &[("a", "")]);
        case("<", &[]);
        case("<a>; x=\"\\", &[("a", "")]);
    }

    #[test]
    fn a_timemap_has_its_mementos_with_their_times() {
        let text = format!(
            "<http://h/>;rel=\"original\",\n<http://a/tg/http://h/>; rel=\"timegate\",\n\
             <http://a/tm/http://h/>; rel=\"self\"; type=\"application/link-format\",\n\
             <http://a/1/http://h/>; rel=\"first memento\"; datetime=\"{DATE}\",\n\
             <http://a/2/http://h/>; rel=\"memento\"; datetime=\"Sun, 04 Feb 2001 04:05:06 GMT\",\n\
             <http://a/3/http://h/>; rel=\"memento\",\n\
             <http://a/4/http://h/>; datetime=\"{DATE}\",\n\
             <http://a/5/http://h/>; rel=\"memento\"; datetime=\"yesterday\",\n\
             <http://a/tm/2>; rel=\"timemap\"; from=\"{DATE}\"\n"
        );
        let found = read(text.as_bytes(), b"http://a/tm/");
        let uris: Vec<_> = found.iter().map(|one| one.uri.as_deref().unwrap()).collect();
        assert_eq!(uris, [&b"http://a/1/http://h/"[..], b"http://a/2/http://h/"]);
        assert_eq!(digits(found[1].time), "20010204040506");
        assert!(found.iter().all(|one| one.original.as_deref() == Some(b"http://h/")));
    }

    #[test]
    fn relative_links_of_a_timemap_are_resolved() {
        let text = format!(
            "<http://h/>;rel=\"original\",\n\
             <../1/http://h/>; rel=\"memento\"; datetime=\"{DATE}\",\n\
             <//b/2>; rel=\"memento\"; datetime=\"{DATE}\",\n\
             <?page=2>; rel=\"timemap\",\n<mailto:a@b>; rel=\"timemap\"\n"
        );
        let found = read(text.as_bytes(), b"https://a/tm/x");
        let uris: Vec<_> = found.iter().map(|one| one.uri.as_deref().unwrap()).collect();
        assert_eq!(uris, [&b"https://a/1/http://h/"[..], b"https://b/2"]);
        let found: Vec<_> =
            pages(text.as_bytes(), b"https://a/tm/x").map(|page| page.uri).collect();
        assert_eq!(found, [b"https://a/tm/x?page=2"]);
        // Without a base, they are kept as they are.
        let found = read(text.as_bytes(), b"");
        assert_eq!(found[0].uri.as_deref(), Some(&b"../1/http://h/"[..]));
    }

    #[test]
    fn a_timemap_leads_to_its_further_pages() {
        let text = format!(
            "<http://a/tm/1>; rel=\"self timemap\"; from=\"{DATE}\",\n\
             <http://a/tm/2>; rel=\"timemap\"; from=\"{DATE}\"; \
             until=\"Sun, 04 Feb 2001 04:05:06 GMT\",\n\
             <http://a/tm/3>; rel=\"timemap index\"; until=\"then\",\n\
             <ftp://a/tm/4>; rel=\"timemap\",\n<http://a/1>; rel=\"memento\"; from=\"{DATE}\"\n"
        );
        let found: Vec<_> = pages(text.as_bytes(), b"http://a/tm/1").collect();
        let uris: Vec<_> = found.iter().map(|page| &*page.uri).collect();
        assert_eq!(uris, [&b"http://a/tm/2"[..], b"http://a/tm/3"]);
        assert_eq!(
            found[0].range.map(|time| digits(time.unwrap())),
            ["20010203040506", "20010204040506"]
        );
        assert_eq!(found[1].range, [None, None]);
        let gap = |page: usize, date: &str| found[page].gap(stamp(date.as_bytes()).unwrap());
        let hours = SignedDuration::from_hours;
        assert_eq!(gap(0, "20010202040506"), hours(24));
        assert_eq!(gap(0, "20010203050506"), hours(0));
        assert_eq!(gap(0, "20010206040506"), hours(48));
        assert_eq!(gap(1, "20010206040506"), hours(0));
    }
}
