//! Sitemaps, RSS and Atom: their links, HTML inside of them, and what relative links start from.

use std::path::Path;

use crate::support::scanned;
use linktrawl::internal::source::markup::Markup;
use linktrawl::internal::span::Span;
use serde_json::Value;

use crate::support::pages::{is_sound, targets};

#[test]
fn feeds_are_read_as_they_are_written() {
    let feed = |text: &str, expected: &[&str]| {
        targets(Markup::Feed, text, expected);
        assert_eq!(Markup::Feed.page(text.as_bytes()).broken_at, None, "{text}");
    };
    feed("\u{FEFF}\n<urlset><loc> http://h/?a&amp;b&#38;c \n</loc>", &["http://h/?a&b&c"]);
    feed("<rss><link>a & b &c;d&</link></rss>", &["a & b &c;d&"]);
    feed("<rss><link>a<!-- --></link><link>b<i/>c</link>", &["a", "b"]);
    feed("<rss><link><![CDATA[a&amp;b]]></link><link><![CDATA[c]]d]]>", &["a&amp;b", "c]]d"]);
    feed("<rss></item><link>a</item></x></rss><link>b", &["a", "b"]);
    feed("<rss><enclosure type=x url=a checked/><content src = 'b'/>", &["a", "b"]);
    feed("<!DOCTYPE rss [<!ENTITY a \"<link>\"><!-- ]> -->]><rss><link>b</link>", &["b"]);
    feed("<feed><link href/><link href=''/><link/>a</feed>", &[""]);
    feed("<rss><guid isPermaLink=\"false\">a</guid><guid>b</guid>", &["b"]);
    // A link of the feed stays, whatever HTML around it makes of it.
    feed(
        "<rss><description>&lt;a href=\"x <link>http://b/</link> y\"></description></rss>",
        &["http://b/"],
    );
    let base = |text: &str| Markup::Feed.page(text.as_bytes()).base;
    assert_eq!(base("<feed xml:base='a&amp;b'><entry xml:base='c'>").as_deref(), Some(&b"a&b"[..]));
}

/// Checks the links and the references of a feed: the source of each, and its decoded text.
#[track_caller]
fn html_in_feed(text: &str, links: &[(&str, &str)], replaced: &[(&str, &str)]) {
    let page = Markup::Feed.page(text.as_bytes());
    is_sound(&page, text.as_bytes());
    let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let pair = |span: Span, meant: &[u8]| (read(&text.as_bytes()[span.range()]), read(meant));
    let owned = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(at, meant)| ((*at).to_owned(), (*meant).to_owned())).collect::<Vec<_>>()
    };
    let found: Vec<_> = page.links.iter().map(|link| pair(link.span, &link.target)).collect();
    assert_eq!(found, owned(links), "{text}");
    let found: Vec<_> = page.replaced.iter().map(|it| pair(it.span, it.text())).collect();
    assert_eq!(found, owned(replaced), "{text}");
}

#[test]
fn html_in_feeds_is_read_where_it_stands() {
    html_in_feed(
        "<rss>&amp;<description>&lt;img src=a?b&amp;amp;c>&amp;amp;d&amp;</description>&gt;",
        &[("a?b&amp;amp;c", "a?b&c")],
        &[
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&amp;amp;", "&"),
            ("&amp;amp;", "&"),
            ("&amp;", "&"),
            ("&gt;", ">"),
        ],
    );
    html_in_feed(
        "<rss><description>http://h/<![CDATA[a&amp;b]]>c</description><![CDATA[&amp;]]>",
        &[],
        &[("<![CDATA[", ""), ("&amp;", "&"), ("]]>", ""), ("<![CDATA[", "")],
    );
    html_in_feed(
        "<feed><content type='html'>&lt;a href='b<![CDATA[&am]]>p;c'></content>",
        &[("b<![CDATA[&am]]>p;c", "b&c")],
        &[("&lt;", "<"), ("<![CDATA[", ""), ("&am]]>p;", "&")],
    );
    html_in_feed(
        "<feed><content type='xhtml'><a href='b&amp;c'/><![CDATA[&amp;]]>&amp;</content>&lt;",
        &[("b&amp;c", "b&c")],
        &[
            ("&amp;", "&"),
            ("<![CDATA[", ""),
            ("&", "&"),
            ("]]>", ""),
            ("&amp;", "&"),
            ("&lt;", "<"),
        ],
    );
    html_in_feed(
        "<rss><link> <!-- c -->a<![CDATA[&]]>&amp;b<?d?> </link><guid><![CDATA[ c]]></guid>",
        &[("a<![CDATA[&]]>&amp;b", "a&&b"), ("c", "c")],
        &[("<!-- c -->", ""), ("<![CDATA[", ""), ("]]>", ""), ("&amp;", "&")],
    );
}

#[test]
fn an_element_that_holds_html_ends_where_it_does() {
    let feed = |text: &str, expected: &[&str]| targets(Markup::Feed, text, expected);
    feed("<rss><description/><a href='b'/>", &[]);
    feed("<rss><description></x><a href='b'/></description><a href='c'/>", &["b"]);
    feed("<rss><description><description></description><a href='b'/>", &["b"]);
    feed("<rss><description>&lt;a href=b><link>c</link><link href='d'/>", &["b", "c", "d"]);
    feed("<rss><description>&lt;a href=b><x", &["b"]);
    feed("<rss><description>&lt;title></description><description>&lt;a href=b>", &["b"]);
    feed("<feed><title type='XHTML'><title/><a href='b'/></title><a href='c'/>", &["b"]);
    feed("<feed><title type=' html '>&lt;a href=b></title><title>&lt;a href=c>", &["b"]);
    feed("<feed><title type='text'>&lt;a href=b></title><id type='html'>&lt;a href=c>", &[]);
    let page = Markup::Feed.page(b"<rss><description>&lt;base href=b></description>");
    assert_eq!(page.base, None);
}

#[test]
fn a_broken_feed_gives_the_links_before_its_mistake() {
    let broken = |text: &str, expected: &[&str], at: usize| {
        targets(Markup::Feed, text, expected);
        assert_eq!(Markup::Feed.page(text.as_bytes()).broken_at, Some(at), "{text}");
    };
    broken("<rss><link>a</link><link", &["a"], 19);
    broken("\u{FEFF} <rss><link>a</link><!-- <link>b</link>", &["a"], 23);
    broken("<rss><link>a</link><![CDATA[<link>b</link>", &["a"], 19);
    broken("<rss><link>a</link><!x><link>b</link>", &["a"], 19);
    broken("<rss><link>a</link><?x <link>b</link>", &["a"], 19);
    broken("<rss><link>a<link href='>b</link>", &["a"], 12);
    broken("<rss><link href=><link>b</link>", &["b"], 5);
}

#[test]
fn heads_that_end_in_a_tag_are_known() {
    for (head, expected) in [
        ("<rss version='2.0", Some(Markup::Feed)),
        ("<?xml version='1.0'?>\n<!-- x -->\n<!DOCTYPE rss [ <!ENTITY a 'b'> ]>\n<rss>", {
            Some(Markup::Feed)
        }),
        ("<rss", None),
        ("<!-- <rss> ", None),
        ("<html lang='e", Some(Markup::Html)),
        ("<!DOCTYPE html [", Some(Markup::Html)),
        ("<!DOCTYPE rss SYSTEM 'html'><rss>", Some(Markup::Feed)),
    ] {
        assert_eq!(Markup::by_content(head.as_bytes()), expected, "{head}");
    }
}

#[test]
fn entries_of_feeds_say_where_their_links_start_from() {
    let bases = |text: &[u8]| {
        let (records, _) = scanned::scan("feeds", "feed.xml", text);
        let is_link = |record: &&Value| record["cue"] == "markup";
        let told = |record: &Value| record["base"].as_str().unwrap_or("-").to_owned();
        let mut bases: Vec<String> = records.iter().filter(is_link).map(told).collect();
        bases.dedup();
        bases.join(" ")
    };
    let name = "corpus/documents/atom.xml";
    let document = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
    let document = document.expect("a document");
    let blog = "http://example.org/blog/";
    let expected = format!("{blog} {blog}2003/ {blog}2004/ {blog}");
    assert_eq!(bases(&document), expected);
    let case = |text: &str, expected| assert_eq!(bases(text.as_bytes()), expected, "{text}");
    // That of a tag is for its own attributes, too, and ends where a tag of its name does.
    case("<feed><content xml:base='a' src='b'/><link href='c'/>", "a -");
    case("<feed></x><e xml:base='a'><e></e></x><link href='b'/></e><link href='c'/>", "a -");
    case("<feed><e xml:base='a'><e xml:base='b'><link href='c'/></e><link href='d'/></e>", "b a");
    case("<feed xml:base='a'><e xml:base='b'><c xml:base='d'>t</e><link href='f'/></feed>", "a");
    // Tags of HTML need no end.
    case("<feed><content type='xhtml'><p xml:base='a'><br></content><link href='c'/></feed>", "-");
    let twice = "<feed><e xml:base='a' xml:base='b'><link href='c'/></e></e><e><link href='d'/>";
    case(twice, "a -");
    let deep = |depth: usize| {
        (0..depth).fold("<feed>".to_owned(), |text, number| {
            text + &format!("<e xml:base='http://{number}/'>")
        })
    };
    let ends = "</e>".repeat(4);
    case(&(deep(20) + "<link href='a'/>" + &ends + "<link href='b'/>"), "http://15/");
    case(&(deep(20) + &ends + "</e><link href='b'/>"), "http://14/");
}
