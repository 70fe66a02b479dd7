//! Documents read by their languages: those of corpus/documents with every link at its place,
//! attributes as HTML's tokenizer has them when it is asked for no places, and any bytes.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::path::{Path, PathBuf};

use crate::support::scanned;
use html5gum::{DefaultEmitter, Token, Tokenizer};
use linktrawl::internal::source::markup::{Link, Markup};
use serde_json::Value;

use crate::support::chance::Chance;
use crate::support::pages::{is_sound, targets};

/// Lines at the top of the table: where its facts come from, and the names of its columns.
const TABLE_HEAD_LINES: usize = 2;

const DOCUMENTS: [(&str, Markup); 6] = [
    ("page.html", Markup::Html),
    ("letter.html", Markup::Html),
    ("style.css", Markup::Css),
    ("sitemap.xml", Markup::Feed),
    ("rss.xml", Markup::Feed),
    ("atom.xml", Markup::Feed),
];

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents").join(name)
}

fn document(name: &str) -> Vec<u8> {
    std::fs::read(corpus(name)).expect("a document")
}

/// The row of the table that `link` is.
fn row(name: &str, text: &[u8], link: &Link) -> String {
    let before = &text[..link.span.start];
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
    let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
    let raw = text[link.span.range()].escape_ascii();
    let target = link.target.escape_ascii();
    let shown = link
        .shown
        .as_deref()
        .map_or("-".to_owned(), |shown| format!("\"{}\"", String::from_utf8_lossy(shown)));
    format!("{name}\t{line}\t{column}\t{}\t{raw}\t{target}\t{shown}", link.span.start)
}

#[test]
fn every_link_is_found_as_the_table_says() {
    let table = std::fs::read_to_string(corpus("links.tsv")).expect("the table is UTF-8 text");
    let expected: Vec<&str> = table.lines().skip(TABLE_HEAD_LINES).collect();
    let mut found = Vec::new();
    for (name, markup) in DOCUMENTS {
        let text = document(name);
        found.extend(markup.page(&text).links.iter().map(|link| row(name, &text, link)));
    }
    assert_eq!(found.join("\n"), expected.join("\n"));
}

#[test]
fn documents_say_where_relative_links_start_from() {
    let base = |name: &str, markup: Markup| {
        let base = markup.page(&document(name)).base;
        base.map(|base| String::from_utf8(base).expect("UTF-8"))
    };
    assert_eq!(base("page.html", Markup::Html).as_deref(), Some("https://example.org/docs/"));
    assert_eq!(base("atom.xml", Markup::Feed).as_deref(), Some("http://example.org/blog/"));
    assert_eq!(base("rss.xml", Markup::Feed), None);
}

/// Each record would repeat it.
#[test]
fn a_base_that_is_too_long_is_none() {
    for (len, notes, code) in [(2048, 0, Some(0)), (2049, 1, Some(2)), (100_000, 1, Some(2))] {
        let base = format!("http://h/{}/", "a".repeat(len - 10));
        let page = format!("<base href='{base}'><base href=/b/><a href=c></a><a href=d></a>");
        let (records, found_code) = scanned::scan("documents", "base.html", page.as_bytes());
        let of_type = |name| records.iter().filter(move |record| record["type"] == name);
        let kinds: Vec<&Value> = of_type("note").map(|note| &note["kind"]).collect();
        assert_eq!((kinds.len(), found_code), (notes, code));
        assert!(kinds.iter().all(|kind| *kind == "base-too-long"), "{kinds:?}");
        let bases: Vec<&Value> = of_type("finding").map(|finding| &finding["base"]).collect();
        let told = if notes == 0 { Value::from(base) } else { Value::Null };
        // The base is a link itself.
        assert_eq!(bases.len(), 3, "{len}");
        assert!(bases.iter().all(|base| **base == told), "{len}");
    }
}

#[test]
fn documents_are_known_by_what_they_begin_with() {
    for (name, markup) in DOCUMENTS {
        let expected = (markup != Markup::Css).then_some(markup);
        assert_eq!(Markup::by_content(&document(name)), expected, "{name}");
    }
    for head in [
        "\u{FEFF}\n <!-- x --> <html>",
        "<!doctype HTML>",
        "<!DOCTYPE html PUBLIC",
        "<?xml version='1.0'?><!DOCTYPE html><html>",
        "<HTML lang=en>",
    ] {
        assert_eq!(Markup::by_content(head.as_bytes()), Some(Markup::Html), "{head}");
    }
    for head in ["<rdf:RDF xmlns='http://purl.org/rss/1.0/'>", "<urlset>", "<feed>", "<rss/>"] {
        assert_eq!(Markup::by_content(head.as_bytes()), Some(Markup::Feed), "{head}");
    }
    for head in ["BEGIN:VCALENDAR\r\n", "begin:vcard"] {
        assert_eq!(Markup::by_content(head.as_bytes()), Some(Markup::Folded), "{head}");
    }
    for head in [".\\\" a", "'\\\" t", "'.\\\"", ".TH A 1", "\n.\n.TH A", ".Dd May", ".lf 1 a"] {
        assert_eq!(Markup::by_content(head.as_bytes()), Some(Markup::Roff), "{head}");
    }
    for head in
        ["", "<", "html", "<htmlx>", "x <html>", "<!-- <html>", "<rdf:RDF>", "<p>", ".THE", ".TH"]
    {
        assert_eq!(Markup::by_content(head.as_bytes()), None, "{head}");
    }
}

// ---- what is bare in them ---------------------------------------------------------------

/// Returns the URIs that the scanner finds in the text of a document.
fn bare(name: &str, text: &str) -> Vec<String> {
    let found = records(name, text.as_bytes()).into_iter();
    let found = found.filter(|record| record["cue"] == "bare");
    found.map(|record| record["uri"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn tags_in_markdown_divide_no_url() {
    for (text, expected) in [
        ("at https://bank.<span></span>example/log<b>in</b> today", "https://bank.example/login"),
        ("> - at https://h/<!-- x -->a<br>b", "https://h/a"),
        ("ht<b>tps</b>://h/*a*<i>b</i>", "https://h/*a*b"),
        ("<p>\nhttps://h/<b>a</b>b\n</p>", "https://h/ab"),
        ("https://h/a `<b>b</b>`", "https://h/a"),
        ("`https://h/<b>a</b>`", "https://h/"),
        ("https://h/\\<b>a</b>", "https://h/"),
        ("https://h/<https://i/>a", "https://h/"),
    ] {
        assert_eq!(bare("tags.md", text), [expected], "{text}");
        let (text, expected) = (format!("a\n\n{text}\n"), [expected]);
        if !text.contains("<!--") && !text.contains("<https") {
            assert_eq!(bare("tags.mdx", &text), expected, "{text}");
        }
    }
}

#[test]
fn emphasis_ends_what_begins_in_it() {
    for (text, expected) in [
        ("_Source: http://h/a_", "http://h/a"),
        ("__see http://h/a__", "http://h/a"),
        ("~~see http://h/a~~", "http://h/a"),
        ("~see http://h/a~", "http://h/a"),
        ("**_http://h/a_**", "http://h/a"),
        ("(_http://h/a_b_)", "http://h/a_b"),
        ("*see http://h/a*b", "http://h/a"),
        ("http://h/*a*b", "http://h/*a*b"),
        ("http://h/_a_", "http://h/_a_"),
        ("_a_http://h/a_b_", "http://h/a_b"),
        ("`_see http://h/a_`", "http://h/a_"),
        ("_see http://h/a_ and", "http://h/a"),
        ("_see http://h/a\\__", "http://h/a_"),
        ("_see http://h/a&amp;_", "http://h/a&"),
        ("http://h/?q=(*a:b*)&c=1", "http://h/?q=(*a:b*)&c=1"),
        ("\"(**_http://h/a_**)\"", "http://h/a"),
    ] {
        assert_eq!(bare("emphasis.md", text), [expected], "{text}");
    }
}

#[test]
fn a_link_that_shows_another_host_is_warned_of_without_a_scheme() {
    for (target, verdict) in
        [("//evil.example/", "warn"), ("//bank.example/a", "ok"), ("evil.html", "ok")]
    {
        let text = format!("<!doctype html><a href='{target}'>http://bank.example/</a>");
        let records = records("shown.html", text.as_bytes());
        assert_eq!(records[0]["verdict"], verdict, "{target}");
    }
}

/// A fault that every browser accepts is not an error.
#[test]
fn faults_that_make_no_difference_are_warned_of() {
    for (target, verdict) in [
        ("data:image/svg+xml,<svg viewBox='0 0 8 8'/>", "warn"),
        ("data:,a", "ok"),
        ("javascript:(function(){a[0]()})()", "warn"),
        ("mailto:ann%40mail.example", "warn"),
        ("mailto:ann&#37;&#52;&#48;mail&#46;example", "warn"),
        ("mailto:ann%40mail.example/", "error"),
        ("mailto:ann", "error"),
        ("http://h/<a>", "error"),
        ("https://matrix.to/#/#room:h.example", "warn"),
        ("a.html##b", "warn"),
        ("http://h/#a#%zz", "error"),
        ("http://h/#a", "ok"),
    ] {
        let text = format!("<!doctype html><a href=\"{target}\">x</a>");
        let records = records("taken.html", text.as_bytes());
        assert_eq!(records[0]["verdict"], verdict, "{target}");
        assert_eq!(records[0]["syntax"]["ok"], verdict == "ok", "{target}");
    }
}

// ---- in UTF-16 -------------------------------------------------------------------------

/// The binary's records of findings in a file of this name.
fn records(name: &str, content: &[u8]) -> Vec<Value> {
    let (mut records, _) = scanned::scan("documents", name, content);
    records.retain(|record| record["type"] == "finding");
    records
}

/// The binary's findings in a file of this name: cue, text, line, column, offset and length.
fn findings(name: &str, content: &[u8]) -> Vec<(String, String, [u64; 4])> {
    let text = |of: &Value| of.as_str().expect("a text").to_owned();
    let found = records(name, content).into_iter().map(|record| {
        let place = &record["place"];
        assert_eq!(place["file_offset"], place["offset"]);
        let numbers = ["line", "column", "offset", "len"];
        let numbers = numbers.map(|name| place[name].as_u64().expect("a number"));
        (text(&record["cue"]), text(&record["raw"]), numbers)
    });
    found.collect()
}

/// Offset and length count bytes of the file, line and column characters of the text.
#[test]
fn a_document_in_utf_16_tells_where_its_links_stand() {
    for (name, text) in [
        (
            "wide.html",
            "<!doctype html>\n<p>\u{e9}\u{1F600} <a href='b/\u{1F600}.html'>http://h/</a>",
        ),
        ("wide.md", "# A title\n\u{e9}\u{1F600} [a]( b/\u{1F600}.html ) and http://h/ too\n"),
    ] {
        let place = |raw: &str| {
            let (before, _) = text.split_once(raw).expect("it stands there");
            let (_, line) = before.rsplit_once('\n').expect("the second line");
            let units = |text: &str| text.encode_utf16().count();
            let numbers = [2, 1 + line.chars().count(), 2 + 2 * units(before), 2 * units(raw)];
            numbers.map(|number| u64::try_from(number).expect("a small number"))
        };
        let expected = [("markup", "b/\u{1F600}.html"), ("bare", "http://h/")]
            .map(|(cue, raw)| (cue.to_owned(), raw.to_owned(), place(raw)));
        for bytes_of in [u16::to_le_bytes, u16::to_be_bytes] {
            let units = ["\u{FEFF}", text].concat();
            let content: Vec<u8> = units.encode_utf16().flat_map(bytes_of).collect();
            assert_eq!(findings(name, &content), expected, "{name}");
        }
    }
}

// ---- in charsets of before Unicode -------------------------------------------------------

/// Returns the column of the character of `text` at `offset` of the file.
fn column_at(text: &str, offset: u64, len_of: impl Fn(&str) -> u64) -> u64 {
    let mut befores = text.char_indices().map(|(at, _)| &text[..at]);
    let before = befores.find(|before| len_of(before) == offset).expect("it stands there");
    1 + before.rsplit('\n').next().unwrap_or_default().chars().count() as u64
}

/// Offset and length count bytes of the file, columns characters; what is found is read in the
/// charset.
#[test]
fn a_document_is_read_in_the_charset_that_it_declares() {
    let html = |label: &str, word: &str| {
        format!(
            "<meta http-equiv=content-type content='text/html; charset={label}'>\n{word}, \
             <a href='b/{word}.html'>{word}</a> <a href=''></a> \
             # linktrawl-ignore-next-line\nhttp://no.example/{word}\n\
             http://h.example/{word}?&amp;{word} <img src=c#{word}>\n"
        )
    };
    let feed = |label: &str, word: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{label}\"?><rss>\n<title>{word}</title>\
             <link>http://h.example/{word}</link><guid>http://h.example/?{word}</guid></rss>"
        )
    };
    for (label, word) in [
        ("iso-8859-1", "caf\u{e9}"),
        ("windows-1252", "\u{153}uf\u{178}"),
        ("KOI8-R", "\u{43F}\u{443}\u{442}\u{44C}"),
        ("shift_jis", "\u{8868}\u{FF76}\u{30BD}x"),
        ("euc-jp", "\u{FF76}\u{65E5}"),
        ("gb18030", "\u{1F600}\u{4E2D}"),
    ] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a charset");
        let bytes = |text: &str| {
            let mut bytes = vec![0; 4 * text.len()];
            let (.., len, _) = encoding.new_encoder().encode_from_utf8(text, &mut bytes, true);
            bytes.truncate(len);
            bytes
        };
        let place = |text: &str, shown: &str, from: usize| {
            let start = from + text[from..].find(shown).expect("it stands there");
            [bytes(&text[..start]).len(), bytes(shown).len()].map(|len| len as u64)
        };
        let check = |name: &str, text: &str, expected: &[(&str, String, [u64; 2])]| {
            let found = findings(&format!("{label}.{name}"), &bytes(text));
            let found = found.iter().map(|(cue, raw, [_, column, offset, len])| {
                let len_of = |text: &str| bytes(text).len() as u64;
                assert_eq!(*column, column_at(text, *offset, len_of), "{label} {name}: {raw}");
                (cue.as_str(), raw.clone(), [*offset, *len])
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{label} {name}");
        };
        let text = html(label, word);
        let at = |shown: &str| place(&text, shown, 0);
        let (bare, link, image) = (
            format!("http://h.example/{word}?&amp;{word}"),
            format!("b/{word}.html"),
            format!("c#{word}"),
        );
        let [empty, _] = at("''></a>");
        check(
            "html",
            &text,
            &[
                ("markup", link.clone(), at(&link)),
                ("markup", String::new(), [empty + 1, 0]),
                ("bare", bare.clone(), at(&bare)),
                ("markup", image.clone(), at(&image)),
            ],
        );
        let text = feed(label, word);
        let at = |shown: &str| place(&text, shown, 0);
        let (link, guid) =
            (format!("http://h.example/{word}"), format!("http://h.example/?{word}"));
        let row = |link: &String| ("markup", link.clone(), at(link));
        check("rss", &text, &[row(&link), row(&guid)]);
    }
}

/// HTML in a feed is reported at its place in the file, not in the decoded text.
#[test]
fn what_html_in_a_feed_holds_is_told_at_its_bytes() {
    let text = "<rss>\n<description>\u{e9} &lt;img src=&quot;/pic.png&quot;&gt; &lt;a href='\
                http://h.example/?a=1&amp;amp;b=2'&gt; http://i.example/?a=1&amp;amp;b=2 \
                http://j.example/?a=1&amp;b=2</description>";
    let place = |shown: &str| {
        let start = text.find(shown).expect("it stands there");
        let (_, line) = text[..start].rsplit_once('\n').expect("the second line");
        let numbers = [2, 1 + line.chars().count(), start, shown.len()];
        numbers.map(|number| u64::try_from(number).expect("a small number"))
    };
    let found = findings("html.rss", text.as_bytes());
    let expected = [
        ("markup", "/pic.png", "/pic.png"),
        ("markup", "http://h.example/?a=1&amp;amp;b=2", "http://h.example/?a=1&amp;amp;b=2"),
        ("bare", "http://i.example/?a=1&amp;amp;b=2", "http://i.example/?a=1&amp;amp;b=2"),
        ("bare", "http://j.example/?a=1&amp;b=2", "http://j.example/?a=1&amp;b=2"),
    ]
    .map(|(cue, raw, shown)| (cue.to_owned(), raw.to_owned(), place(shown)));
    assert_eq!(found, expected);
}

// ---- references ------------------------------------------------------------------------

/// Returns `text` with the replacements that the page lists.
fn resolved(text: &str) -> String {
    let page = Markup::Html.page(text.as_bytes());
    let mut out = Vec::new();
    let mut from = 0;
    for replaced in page.replaced {
        out.extend_from_slice(&text.as_bytes()[from..replaced.span.start]);
        out.extend_from_slice(replaced.text());
        from = replaced.span.end;
    }
    out.extend_from_slice(&text.as_bytes()[from..]);
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn references_are_resolved_in_text() {
    for (text, expected) in [
        ("&lt;URL:http://h/?a&amp;b&gt;", "<URL:http://h/?a&b>"),
        ("http:&#x2F;&#X2f;h&#47;&#0047 &#38;#38;", "http://h// &#38;"),
        ("&amp &AMP; &amp=1 &ampx &copy=1 &copy;=1", "& & &=1 &x &copy=1 ©=1"),
        ("&eacutex&nbspy&notit;&ampb=2&region=1 &regional", "éx\u{A0}y¬it;&b=2&region=1 ®ional"),
        ("<a b='&eacutex&ampb=2&copy'>&ampb", "<a b='&eacutex&ampb=2©'>&b"),
        ("&#0;&#xD800;&#x110000;&#99999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#128;&#x9f;&#x81;&#160;&nbsp;", "€Ÿ\u{81}\u{A0}\u{A0}"),
        ("&;&#;&#x;&#xg;&&&unknown;&ampx;&", "&;&#;&#x;&#xg;&&&unknown;&x;&"),
        ("&CounterClockwiseContourIntegral;&NotEqualTilde;&fjlig;", "∳≂̸fj"),
        ("<script>&amp;</script>&amp;<!-- &amp; --><style>&amp;</style>", ""),
    ] {
        let expected = match expected {
            "" => "<script>&amp;</script>&<!-- & --><style>&amp;</style>",
            expected => expected,
        };
        assert_eq!(resolved(text), expected, "{text}");
    }
}

#[test]
fn every_name_is_known() {
    for entity in &entities::ENTITIES {
        let text = format!("{} ", entity.entity);
        assert_eq!(resolved(&text), format!("{} ", entity.characters), "{}", entity.entity);
    }
}

// ---- what links hold -------------------------------------------------------------------

#[test]
fn refreshes_are_read_as_browsers_do() {
    let refresh = |content: &str, expected: &[&str]| {
        let text = format!("<meta http-equiv=refresh content=\"{content}\">");
        targets(Markup::Html, &text, expected);
    };
    refresh("5;url=a", &["a"]);
    refresh(" 0.5 , URL = 'a b' c", &["a b"]);
    refresh("0 a", &["a"]);
    refresh("0;&quot;a&quot;b", &["a"]);
    refresh("0; url", &["url"]);
    for content in ["", "5", "5;", "5; url=", "x;url=a", ";url=a", "5url=a"] {
        refresh(content, &[]);
    }
}

#[test]
fn candidates_of_images_are_split_as_browsers_do() {
    let sources = |srcset: &str, expected: &[&str]| {
        targets(Markup::Html, &format!("<img srcset=\"{srcset}\">"), expected);
    };
    sources("a, b 2x,c", &["a", "b", "c"]);
    sources("a,b 1x", &["a,b"]);
    sources(" ,a,, b 2x (x, y) , c", &["a", "b", "c"]);
    sources("a&comma; b", &["a", "b"]);
    sources("", &[]);
    sources(" , ", &[]);
}

#[test]
fn a_link_shows_its_text() {
    let shown = |text: &str, expected: Option<&str>| {
        let page = Markup::Html.page(text.as_bytes());
        let shown = page.links[0].shown.as_deref().map(String::from_utf8_lossy);
        assert_eq!(shown.as_deref(), expected, "{text}");
    };
    shown("<a href=x>\n a &amp; <b>b</b>c<br>d <!-- e --> </a>f", Some("a & bc d"));
    for name in "var cite nobr label dfn time data acronym output blink slot x-y o:p wbr".split(' ')
    {
        shown(&format!("<a href=x>a<{name}>b</{name}>c</a>"), Some("abc"));
    }
    for name in "p td q rt img template".split(' ') {
        shown(&format!("<a href=x>a<{name}>b</a>"), Some("a b"));
    }
    shown("<a href=x>a<http://h/>b</a>", Some("ab"));
    shown("<a href=x>a<a href=y>b</a>", Some("a"));
    shown("<a href=x>a", Some("a"));
    shown("<link href=x>a", None);
    let long = "x".repeat(300);
    shown(&format!("<a href=x>{long}</a>"), Some(&long[..256]));
    let far = format!("<a href=x>{}x</a>", "<b>".repeat(1000));
    shown(&far, None);
}

// ---- the tokenizer ---------------------------------------------------------------------

impl Chance {
    /// Returns some of `words`, one after the other.
    fn text(&mut self, words: &[&str], count: usize) -> String {
        (0..self.below(count)).map(|_| words[self.below(words.len())]).collect()
    }
}

/// Pieces on which tokenizers decide. Only `href` and `src` hold links, and no element is foreign.
const WORDS: [&str; 65] = [
    "<",
    ">",
    "/",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "\t",
    "\x0C",
    "!",
    "-",
    "--",
    "-->",
    "--!>",
    "&",
    ";",
    "#",
    "x",
    "é",
    "<a",
    "<a ",
    "<A HREF=",
    "href=",
    " href=\"",
    "' src='",
    " src = ",
    "HREF",
    "</",
    "</a>",
    "<a href=x>",
    "<img src=\"y\"/>",
    "<!--",
    "<!",
    "<!-->",
    "<!--->",
    "<!---!>",
    "<?php",
    "?>",
    "<!DOCTYPE html>",
    "<![CDATA[",
    "]]>",
    "<script>",
    "</script>",
    "<script ",
    "</script ",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea\n>",
    "<iframe>",
    "</iframe/>",
    "<xmp>",
    "</xmp>",
    "&amp;",
    "&amp",
    "&copy",
    "&#38;",
    "&#x2F",
    "&lt;",
    "&notit;",
    "<b/",
    "u",
];

/// The values of `href` and `src` of all tags that are whole, without white space, which links
/// have not.
fn attributes_of_tokenizer(text: &str) -> Vec<String> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut found = Vec::new();
    for token in Tokenizer::new_with_emitter(text, emitter).flatten() {
        let Token::StartTag(tag) = token else { continue };
        let values =
            tag.attributes.iter().filter(|(name, _)| matches!(name.as_slice(), b"href" | b"src"));
        found.extend(values.map(|(_, value)| without_space(value)));
    }
    found.retain(|value| !value.is_empty());
    found.sort_unstable();
    found
}

fn without_space(value: &[u8]) -> String {
    let is_space = |byte: &u8| *byte <= b' ';
    let kept = value.iter().copied().filter(|byte| !is_space(byte)).collect();
    String::from_utf8(kept).expect("UTF-8")
}

#[test]
fn attributes_are_those_of_the_tokenizer() {
    let mut chance = Chance(1);
    let mut links = 0;
    for _ in 0..300_000 {
        let text = chance.text(&WORDS, 24);
        let page = Markup::Html.page(text.as_bytes());
        let mut found: Vec<String> =
            page.links.iter().map(|link| without_space(&link.target)).collect();
        found.retain(|value| !value.is_empty());
        found.sort_unstable();
        links += found.len();
        assert_eq!(found, attributes_of_tokenizer(&text), "{text:?}");
    }
    assert!(links > 30_000, "{links}");
}

// ---- any bytes -------------------------------------------------------------------------

#[test]
fn any_bytes_are_read() {
    const MORE: [&str; 48] = [
        "<base href=",
        "<meta http-equiv=refresh content=",
        "0;url=",
        " srcset=",
        ",",
        " style=",
        "url(",
        ")",
        "@import ",
        "\\",
        "/*",
        "*/",
        "&quot;",
        "<link>",
        "<loc>",
        "</loc>",
        "<svg>",
        "</svg>",
        "<?xml ",
        "<!DOCTYPE x [",
        "]>",
        "<guid ",
        "isPermaLink='false'",
        "xml:base='",
        "<a ping='a  b'",
        "\u{FEFF}",
        "url('",
        "url(\"",
        "\\\n",
        "\\29",
        "2x",
        "(",
        "<feed ",
        "<enclosure url=",
        "\r",
        "\0",
        "<a style='",
        "&NotEqualTilde;",
        "<form action=",
        "é",
        "<description>",
        "</description>",
        "<content type='xhtml'>",
        "<content type='html'>",
        "</content>",
        "&amp;amp;",
        "&lt;a href=",
        "&fjlig;",
    ];
    let words = [WORDS.as_slice(), &MORE].concat();
    let mut chance = Chance(2);
    for round in 0..200_000 {
        let mut text = chance.text(&words, 30).into_bytes();
        if round % 2 == 0 && !text.is_empty() {
            let at = chance.below(text.len());
            text[at] = u8::try_from(chance.below(256)).expect("a byte");
        }
        for markup in [Markup::Html, Markup::Css, Markup::Feed] {
            is_sound(&markup.page(&text), &text);
        }
        let _ = Markup::by_content(&text);
    }
}

#[test]
fn documents_that_were_cut_and_mixed_are_read() {
    let mut chance = Chance(3);
    let all: Vec<(Vec<u8>, Markup)> =
        DOCUMENTS.iter().map(|(name, markup)| (document(name), *markup)).collect();
    for _ in 0..3000 {
        let (text, markup) = &all[chance.below(all.len())];
        let (from, to) = (chance.below(text.len()), chance.below(text.len()));
        let mixed = [&text[..from], &text[to..]].concat();
        is_sound(&markup.page(&mixed), &mixed);
    }
}

/// The URIs of a scan of `text` as a file called `name`.
fn found(name: &str, text: &str) -> Vec<String> {
    let (records, _) = scanned::scan("documents", name, text.as_bytes());
    let uris = records.iter().filter_map(|record| record["uri"].as_str());
    uris.map(str::to_owned).collect()
}

#[test]
fn a_name_in_brackets_that_is_no_element_ends_a_url() {
    for name in ["names.md", "names.html"] {
        for (text, uri) in [
            ("http://h.example/<user>/<repo>.git", "http://h.example/"),
            ("http://h.example/<USER NAME>/a", "http://h.example/"),
            ("http://h.example/<b>a</b>c", "http://h.example/ac"),
            ("http://h.example/<x-a>b</x-a>c", "http://h.example/bc"),
            ("http://h.example/<o:p></o:p>c", "http://h.example/c"),
            ("http://h.example/a<wbr>b", "http://h.example/ab"),
        ] {
            let text = format!("<p>see {text} now</p>\n");
            assert_eq!(found(name, &text), [uri], "{name} {text}");
        }
    }
    let (records, _) = scanned::scan("documents", "names.md", b"http://h.example/<user>/a\n");
    assert_eq!(records[0]["warnings"][0]["rule"], "cut-short", "{records:?}");
}

/// GitHub, GitLab and Pandoc read mathematics before they read links.
#[test]
fn mathematics_in_markdown_holds_no_links() {
    let text = "$$X(\\zeta) = [x](\\zeta)$$ and $f[x](y)$\n\n$$\nf[x](z) = 1\n$$\n\n\
        For $5 [one](http://h.example/a) and $6 [two](http://h.example/b).\n";
    assert_eq!(found("math.md", text), ["http://h.example/a", "http://h.example/b"]);
}

#[test]
fn a_bar_in_brackets_begins_a_label() {
    for (text, uri) in [
        ("<http://h.example/a|text>", "http://h.example/a"),
        ("<http://h.example/a|two words>", "http://h.example/a"),
        ("<http://h.example/?a=b|Text>", "http://h.example/?a=b"),
        ("<http://h.example/e/f|h.example/e/f>", "http://h.example/e/f"),
        ("<http://h.example/?a=b|c>", "http://h.example/?a=b|c"),
        ("<http://h.example/a|b/c>", "http://h.example/a|b/c"),
    ] {
        for name in ["bar.txt", "bar.py", "bar.yaml"] {
            assert_eq!(found(name, &format!("see {text} now\n")), [uri], "{name} {text}");
        }
    }
}

#[test]
fn labels_and_attributes_in_json_leave_no_references() {
    let text = r#"{"a": "<http://h.example/a?b&amp;c|two words>",
        "b": "<http://h.example/d?e&amp;f|g>", "c": "<a href='http://h.example/h?i&amp;j'>k</a>"}"#;
    let uris = ["http://h.example/a?b&c", "http://h.example/d?e&f", "http://h.example/h?i&j"];
    assert_eq!(found("labels.json", text), uris);
}
