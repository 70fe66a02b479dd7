//! TimeMaps that are made by chance: what was written is read, whatever is broken around it.

use linktrawl::internal::probe::archive::link_format;
use linktrawl::internal::probe::archive::{digits, read, stamp, to_http_date};

use crate::support::chance::Chance;

/// Parts of URIs, of which some divide links elsewhere.
const PARTS: [&str; 8] = ["a,b", "c;d", "?q=1&r=\"x\"", "/20010101000000/", "(e)", "~", "%2C", "'"];

fn pick<'a>(chance: &mut Chance, all: &[&'a str]) -> &'a str {
    all.get(chance.below(all.len())).copied().unwrap_or_default()
}

/// A link to a memento, and whether it can be read.
fn link(chance: &mut Chance, uri: &str) -> (String, Option<String>) {
    let time = format!("20{:02}0203040506", chance.below(80));
    let time = stamp(time.as_bytes()).expect("a time");
    let rel = pick(chance, &["memento", "\"memento\"", "\"first memento\"", "\"MEMENTO last\""]);
    let blank = pick(chance, &["", " ", "\t", " \r\n "]);
    let noise = pick(chance, &["", "; title=\"a, <b>; rel=\\\"c\\\"\"", "; flag", "; x=y"]);
    let date = to_http_date(time);
    let whole =
        format!("<{uri}>{blank}; rel={rel}{noise}{blank};{blank}datetime{blank}=\"{date}\"");
    match chance.below(5) {
        0 => (whole.replacen("rel=", "lost=", 1), None),
        1 => (whole.replacen('>', "\n", 1), None),
        2 => (whole.replacen("GMT", "XST", 1), None),
        _ => (whole, Some(digits(time))),
    }
}

#[test]
fn what_is_whole_in_a_timemap_is_read() {
    let mut chance = Chance(0x7089);
    let mut count = 0;
    for _ in 0..2_000 {
        let mut text = "<http://h/>; rel=original".to_owned();
        let mut wanted = Vec::new();
        for number in 0..chance.below(6) {
            let uri = format!("http://a/{number}/{}", pick(&mut chance, &PARTS));
            let (link, time) = link(&mut chance, &uri);
            text += &format!(",\n{link}");
            wanted.extend(time.map(|time| (time, uri)));
        }
        let found = read(text.as_bytes(), b"").into_iter().map(|snapshot| {
            let uri = String::from_utf8(snapshot.uri.expect("an address")).expect("text");
            assert_eq!(snapshot.original.as_deref(), Some(&b"http://h/"[..]));
            (digits(snapshot.time), uri)
        });
        let found: Vec<_> = found.collect();
        count += found.len();
        assert_eq!(found, wanted, "{text}");
        // A map that was cut has those before.
        let at = chance.below(text.len());
        let before = read(text.as_bytes().get(..at).expect("a part"), b"");
        assert!(before.len() <= wanted.len(), "{text}");
    }
    assert!(count > 2_000, "{count}");
}

#[test]
fn a_link_that_never_ends_is_no_trap() {
    for text in
        ["<".repeat(100_000), "<a>;".repeat(50_000), format!("<a>;x=\"{}", "\\".repeat(99_999))]
    {
        assert!(link_format::links(text.as_bytes()).count() <= 50_000);
    }
}
