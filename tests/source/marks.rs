//! Documents of corpus/documents in languages of plain marks (Markdown and the like): every
//! link at its place, whatever the line ends are; and what must hold for any bytes at all.

#![expect(clippy::expect_used, reason = "a corpus that cannot be read must stop the tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use linktrawl::Span;
use linktrawl::internal::source::markup::{Link, Markup, Page};

use crate::support::chance::Chance;

/// Lines at the top of the table: where its facts come from, and the names of its columns.
const TABLE_HEAD_LINES: usize = 2;

/// The languages that are read here.
const LANGUAGES: &[Markup] = &[
    Markup::Markdown,
    Markup::Mdx,
    Markup::Rest,
    Markup::AsciiDoc,
    Markup::Org,
    Markup::Folded,
    Markup::Roff,
    Markup::Csv,
    Markup::Json,
    Markup::Ldif,
    Markup::Po,
    Markup::Properties,
    Markup::Template,
    Markup::Terminal,
    Markup::Tex,
    Markup::Texinfo,
    Markup::Turtle,
    Markup::Xml,
    Markup::Yaml,
];

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents").join(name)
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(corpus(name)).expect("a document")
}

fn language(name: &str) -> Markup {
    Markup::by_name(name.as_bytes()).expect("a language")
}

/// The rows of the table, by document.
fn rows() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(corpus("marks.tsv")).expect("the table is UTF-8 text");
    let rows = text.lines().skip(TABLE_HEAD_LINES);
    rows.map(|row| row.split_once('\t').expect("two columns"))
        .map(|(name, row)| (name.to_owned(), row.to_owned()))
        .collect()
}

fn names() -> BTreeSet<String> {
    rows().into_iter().map(|(name, _)| name).collect()
}

/// Returns the row of a link: line, column, offset, source, target, shown text.
fn row(text: &[u8], link: &Link) -> String {
    let before = &text[..link.span.start];
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
    let Span { start, .. } = link.span;
    let (raw, target) = (link.span.of(text).escape_ascii(), link.target.escape_ascii());
    let quoted = |shown: &[u8]| format!("\"{}\"", shown.escape_ascii());
    let shown = link.shown.as_deref().map_or("-".to_owned(), quoted);
    format!("{line}\t{column}\t{start}\t{raw}\t{target}\t{shown}")
}

/// Checks the properties that the page of any text has.
#[track_caller]
fn is_sound(text: &[u8], page: &Page) {
    let spans = |spans: Vec<Span>| {
        let mut end = 0;
        for span in spans {
            assert!(span.start >= end && span.end >= span.start, "{span:?} of {page:?}");
            end = span.end;
        }
        assert!(end <= text.len(), "{page:?}");
    };
    spans(page.links.iter().map(|link| link.span).collect());
    spans(page.replaced.iter().map(|replaced| replaced.span).collect());
    if let Ok(text) = std::str::from_utf8(text) {
        for link in &page.links {
            assert!(text.get(link.span.range()).is_some(), "{link:?} cuts a character");
        }
        for replaced in &page.replaced {
            assert!(text.get(replaced.span.range()).is_some(), "{replaced:?} cuts a character");
        }
    }
    for link in &page.links {
        assert!(link.shown.as_ref().is_none_or(|shown| shown.len() <= 256), "{link:?}");
    }
}

#[test]
fn every_document_is_read_as_the_table_says() {
    for name in names() {
        let text = read(&name);
        let page = language(&name).page(&text);
        assert!(!page.is_failed);
        is_sound(&text, &page);
        let found: Vec<String> = page.links.iter().map(|link| row(&text, link)).collect();
        let expected: Vec<String> =
            rows().into_iter().filter(|(of, _)| *of == name).map(|(_, row)| row).collect();
        assert_eq!(found.join("\n"), expected.join("\n"), "of {name}");
    }
}

#[test]
fn other_line_ends_change_no_target() {
    let targets = |page: &Page| page.links.iter().map(|link| link.target.clone()).collect();
    for name in names() {
        let text = read(&name);
        let feeds: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'\r').collect();
        let returns: Vec<u8> = feeds
            .iter()
            .flat_map(|byte| if *byte == b'\n' { b"\r\n".to_vec() } else { vec![*byte] })
            .collect();
        let expected: Vec<Vec<u8>> = targets(&language(&name).page(&text));
        assert_eq!(targets(&language(&name).page(&feeds)), expected, "of {name}");
        assert_eq!(targets(&language(&name).page(&returns)), expected, "of {name} with CRLF");
    }
}

/// Pieces that have a meaning in one of the languages.
const TOKENS: &[&str] = &[
    "[",
    "]",
    "(",
    ")",
    "](",
    "](<",
    "![",
    "<",
    ">",
    "\\",
    "&amp;",
    "&#35;",
    "&auml",
    "`",
    "``",
    "*",
    "_",
    "~~",
    "\"",
    "'",
    "|",
    "|-|",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    "  ",
    "\t",
    "    ",
    "> ",
    "- ",
    "1. ",
    "# ",
    "[a]: ",
    "[a]",
    "[^a]",
    "[^a]: ",
    "a",
    "b/c.md",
    "http://h/x",
    "<http://h/>",
    "<a@b.example>",
    "<a href=\"",
    "\">",
    "</a>",
    "<!--",
    "-->",
    "<b>",
    "```",
    "---",
    "é",
    "\u{1F600}",
    ".. _",
    ": ",
    "`a <",
    ">`_",
    ">`__",
    "__ ",
    ".. image:: ",
    "::",
    ":target: ",
    "|a| image:: ",
    "link:",
    "xref:",
    "<<",
    ">>",
    "image::",
    "include::",
    ":a: ",
    "{a}",
    "----",
    "....",
    "////",
    "[[",
    "]]",
    "][",
    "#+INCLUDE: ",
    "file:",
    "\0",
    "_",
    ".UR ",
    "\n.UE",
    ".Dd ",
    ".Lk ",
    "\\f",
    "\\(",
    "\\[",
    "\\*",
    "\\s",
    "\\N'",
    "ti",
    "u00E4",
    "\n ",
    "\r\n\t",
    "\\,",
    "\\n",
    "VERSION:2.1",
];

/// Texts by chance: tokens of all languages, documents of the corpus with changes, bytes.
fn any_texts(count: usize) -> Vec<Vec<u8>> {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let documents: Vec<Vec<u8>> = names().iter().map(|name| read(name)).collect();
    let mut texts = Vec::new();
    for _ in 0..count {
        let len = chance.below(24);
        texts.push((0..len).flat_map(|_| TOKENS[chance.below(TOKENS.len())].bytes()).collect());
        let mut document = documents[chance.below(documents.len())].clone();
        for _ in 0..1 + chance.below(8) {
            let at = chance.below(document.len());
            let until = at + chance.below(20).min(document.len() - at);
            let token = TOKENS[chance.below(TOKENS.len())].bytes();
            document.splice(at..until, token);
        }
        texts.push(document);
        let len = chance.below(40);
        texts.push((0..len).map(|_| u8::try_from(chance.below(256)).expect("a byte")).collect());
    }
    texts
}

#[test]
fn any_bytes_give_a_sound_page() {
    for text in any_texts(20_000) {
        for language in LANGUAGES {
            is_sound(&text, &language.page(&text));
        }
    }
}

/// Reports whether `raw` reads as `target`: in brackets, where it may contain white space, bare, at
/// the end of a line, where a backslash may end it, as an autolink, or in HTML.
fn is_destination(raw: &[u8], target: &[u8]) -> bool {
    let reads = |before: &[u8], after: &[u8]| {
        let page = Markup::Markdown.page(&[before, raw, after].concat());
        page.links.first().is_some_and(|link| link.target == target)
    };
    let is_address = target.strip_prefix(b"mailto:") == Some(raw);
    let around: [(&[u8], &[u8]); 7] = [
        (b"<", b">"),
        (b"[a](<", b">)"),
        (b"[a](", b")"),
        (b"[a]: ", b""),
        (b"<a href=\"", b"\">"),
        (b"<a href='", b"'>"),
        (b"<a href=", b">"),
    ];
    // The source of a directive of MyST, in reStructuredText.
    let is_rest = || {
        let page = Markup::Rest.page(&[b".. _a: ", raw].concat());
        page.links.first().is_some_and(|link| link.target == target)
    };
    is_address
        || raw == target
        || around.iter().any(|(before, after)| reads(before, after))
        || is_rest()
}

#[test]
fn a_span_of_markdown_reads_as_its_target() {
    let mut count = 0;
    for text in any_texts(20_000) {
        if std::str::from_utf8(&text).is_err() {
            continue;
        }
        let page = Markup::Markdown.page(&text);
        for link in page.links {
            let raw = link.span.of(&text);
            if raw.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
                // Only those of HTML go over lines, with marks of quotes that are not theirs.
                continue;
            }
            count += 1;
            assert!(
                is_destination(raw, &link.target),
                "{:?} stands for {:?} in {:?}",
                raw.escape_ascii().to_string(),
                link.target.escape_ascii().to_string(),
                text.escape_ascii().to_string(),
            );
        }
    }
    assert!(count > 10_000, "{count} links");
}

#[test]
fn what_is_filled_in_elsewhere_is_a_template() {
    let page = Markup::AsciiDoc.page(&read("links.adoc"));
    assert_eq!(page.templates, 1);
    let doubled = (0..100).map(|at| format!(":a{}: {{a{at}}}{{a{at}}}\n", at + 1));
    let text = format!(":a0: https://www.example.org/\n{}{{a99}}[x]", doubled.collect::<String>());
    let page = Markup::AsciiDoc.page(text.as_bytes());
    assert!(page.links.iter().all(|link| link.target.len() <= 8192), "{page:?}");
}

#[test]
fn what_stalls_a_parser_is_not_read() {
    let text = ["- ".repeat(100_000), "a\n".repeat(100_000)].concat();
    let page = Markup::Markdown.page(text.as_bytes());
    assert!(page.is_failed && page.links.is_empty());
}

/// The targets of the links of `text` in `AsciiDoc`.
fn targets(text: &str) -> Vec<String> {
    let page = Markup::AsciiDoc.page(text.as_bytes());
    page.links.iter().map(|link| String::from_utf8_lossy(&link.target).into_owned()).collect()
}

/// Otherwise the text after them would be read the wrong way round.
#[test]
fn blocks_end_with_what_is_around_them_and_lists_with_blocks() {
    let titles = "\n\nTitle\n-----\n\nlink:a.adoc[a]\n\nOther\n-----\n\nlink:b.adoc[b]\n";
    for (open, close) in
        [("[TIP]\n====", "===="), ("--", "--"), ("****", "****"), ("|===\na|", "|===")]
    {
        for style in ["[source,sh]\n", "[literal]\n", ""] {
            let text = format!("{open}\n{style}npm i\n{close}{titles}");
            assert_eq!(targets(&text), ["a.adoc", "b.adoc"], "{text}");
        }
    }
    for between in [
        "----\ncode\n----\n\n",
        "[source]\n----\ncode\n----\n\n",
        "[[usage]]\n",
        "// c\n\n",
        "== Section\n\n",
    ] {
        let text = format!("* item\n\n{between}1. Intro\n--------\n\nlink:a.adoc[a]\n");
        assert_eq!(targets(&text), ["a.adoc"], "{text}");
    }
    let attached = "* item\n+\n----\ncode\n----\n* link:a.adoc[a]\n";
    assert_eq!(targets(attached), ["a.adoc"]);
    assert_eq!(targets(":h: http://[::1]\n"), ["http://[::1]"]);
    assert_eq!(targets("--file::\n\n\tlink:a.adoc[a]\n\n\tlink:code[b]\n"), ["a.adoc"]);
}

/// By the rules of Asciidoctor 2.0.
#[test]
fn references_to_places_of_the_same_document_are_links() {
    for (text, expected) in [
        ("<<id>>", "#id"),
        ("<<id, shown>>", "#id"),
        ("<<id,shown\nlater>>", "#id"),
        ("<<a.b>> or `<<id>>`", "#a.b #id"),
        ("<<Section Title>>, <<\u{dc}ber uns>>", "#Section%20Title #\u{dc}ber%20uns"),
        ("xref:id[] xref:Section Title[shown]", "#id"),
        ("<<a#b>> <<#c>> xref:b/a#b[]", "a.adoc#b #c b/a.adoc#b"),
        ("<<a.txt#b>> link:a#b[c]", "a.txt#b a#b"),
        ("<<{empty}id>> <<{none}>>", "#id"),
        ("\\<<id>> +<<id>>+ <<<id>> << id>> <<-b>> <<a\nb>> <<a", ""),
        ("1<<2 or cin>>a", "#2%20or%20cin"),
    ] {
        assert_eq!(targets(text).join(" "), expected, "{text}");
    }
}

/// HTML that is passed through is read as HTML, at any place.
#[test]
fn html_between_marks_is_read() {
    for (text, expected) in [
        ("pass:[<a href=a>] pass:q[*<a href=b>*] pass:[a] c", "a b"),
        ("+++<a href=a>+++ ++<a href=b>++ $$<a href=c>$$ <a href=d>", "a b c"),
        ("[pass]\n<a href=a>\n<a href=b>\n\nlink:c[c]", "a b c"),
        ("[pass]\n----\n<a href=a>\n----\n\n<a href=b>", ""),
        ("icon:tags[link=a] icon:home[2x]", "a"),
    ] {
        assert_eq!(targets(text).join(" "), expected, "{text}");
    }
}

#[test]
fn words_that_look_like_schemes_are_no_pictures() {
    let page = Markup::Org.page(b"[[https://h/a][note:photo.png]] [[https://h/b][./i.png]]");
    let found: Vec<_> = page.links.iter().map(|link| link.target.as_slice()).collect();
    assert_eq!(found, [b"https://h/a".as_slice(), b"https://h/b", b"./i.png"]);
}
