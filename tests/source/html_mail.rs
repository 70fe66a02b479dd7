//! HTML in mail is not read by its tags: the scanner goes over it with references resolved.
//! What it finds is what links and visible text hold, and the differences are these:
//!
//! - A link without quotes, in which a reference replaces what ends it, ends there. Where no
//!   reference is in it but for quotes, and its beginning is one of a URI, it is the same link.
//! - A tag whose name is a URI is one in brackets, up to its end.
//! - `mailto:` without an address is a link, and in text a word.
//! - Text that contains tags is one for readers, and two for the scanner.
//! - `&lt` and the like before a letter are signs in text, and the scanner leaves them.
//! - In style sheets, references are none, and the scanner resolves them.
//! - A tag that references show is one, where its attributes hold what no scanner finds.
//! - The scanner also sees comments, scripts, styles and attributes that hold no link.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::scanned;
use html5gum::{DefaultEmitter, Token, Tokenizer};
use linktrawl::Span;
use linktrawl::internal::scan::Scanner;
use linktrawl::internal::source::mail::mime::{Coding, Source, decode, decode_source};
use linktrawl::internal::source::markup::{self, Markup};
use serde_json::Value;

use crate::support::chance::Chance;

/// The schemes of URIs that all parsers find; a letter or digit follows them.
const BEGINNINGS: [&str; 4] = ["http://", "https://", "ftp://", "mailto:"];

/// Characters that follow a URI in a sentence, or end one.
const ENDS: &str = ".,;:!?'\"()[]<>{}|\\^`*_~…";

fn letter() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents/letter.html");
    std::fs::read_to_string(path).expect("the letter is UTF-8 text")
}

fn is_absolute(text: &str) -> bool {
    let is_it = |start: &str| {
        let head = text.get(..start.len());
        let host = text.get(start.len()..).and_then(|rest| rest.bytes().next());
        head.is_some_and(|head| head.eq_ignore_ascii_case(start))
            && host.is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    BEGINNINGS.iter().any(|start| is_it(start))
}

/// The URIs that the scanner finds in `text`, and where.
fn scanned(text: &[u8]) -> Vec<(String, Span)> {
    let mut scanner = Scanner::new(text);
    let mut found = Vec::new();
    while let Some(candidate) = scanner.next() {
        let uri = String::from_utf8_lossy(candidate.text).into_owned();
        found.push((uri, candidate.span));
    }
    found
}

/// The same in `html` whose references were resolved to `text`: links are as long as their
/// attributes say.
fn read_as_mail(html: &str) -> Vec<(String, Span)> {
    let (text, way) = decode_source(Coding::References, Source::Input(html.as_bytes()));
    let text = text.as_slice();
    let mut found: Vec<(String, Span)> = Vec::new();
    for (uri, span) in scanned(text) {
        if found.last().is_some_and(|(_, last)| span.start < last.end) {
            continue;
        }
        let link = markup::link_at(text, span, way.quotes());
        let whole =
            link.map(|link| (String::from_utf8_lossy(&link.target).into_owned(), link.span));
        found.push(whole.unwrap_or((uri, span)));
    }
    found
}

/// `html` with each ampersand written as a reference that the scanner takes for itself.
fn with_plain_ampersands(html: &str) -> String {
    let replaced = Markup::Html.page(html.as_bytes()).replaced;
    let starts: BTreeSet<usize> = replaced.iter().map(|replaced| replaced.span.start).collect();
    let is_plain = |at: usize| html.as_bytes()[at] == b'&' && !starts.contains(&at);
    let text = |(at, one): (usize, char)| {
        if is_plain(at) { "&amp;".to_owned() } else { one.to_string() }
    };
    html.char_indices().map(text).collect()
}

/// The contents of a text for a parser of tags.
struct Tags {
    /// The links by their targets, and their places.
    links: Vec<(String, Span)>,
    /// Runs of text between tags.
    texts: Vec<String>,
}

impl Tags {
    fn of(html: &str) -> Self {
        let links = Markup::Html.page(html.as_bytes()).links;
        let target = |target: &[u8]| String::from_utf8_lossy(target).into_owned();
        let links = links.iter().map(|link| (target(&link.target), link.span)).collect();
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let html = with_plain_ampersands(html);
        let tokens = Tokenizer::new_with_emitter(&html, emitter).flatten();
        let mut texts: Vec<String> = Vec::new();
        let (mut is_hidden, mut is_broken) = (false, false);
        for token in tokens {
            match token {
                // It breaks a word into lines, and not into words.
                Token::StartTag(tag) if &**tag.name == b"wbr" => {
                    is_broken = true;
                    continue;
                }
                Token::StartTag(tag) => {
                    is_hidden = matches!(&**tag.name, b"script" | b"style" | b"iframe" | b"xmp");
                }
                Token::EndTag(_) => is_hidden = false,
                Token::String(text) if !is_hidden => {
                    let text = String::from_utf8_lossy(&text);
                    match texts.last_mut().filter(|_| is_broken) {
                        Some(last) => last.push_str(&text),
                        None => texts.push(text.into_owned()),
                    }
                }
                _ => {}
            }
            is_broken = false;
        }
        Self { links, texts }
    }

    /// The URIs that links and text hold.
    fn uris(&self) -> BTreeSet<String> {
        let links = self.links.iter().map(|(target, _)| target.clone());
        let texts = self.texts.iter().flat_map(|text| scanned(text.as_bytes()));
        links.chain(texts.map(|(uri, _)| uri)).filter(|uri| is_absolute(uri)).collect()
    }
}

/// Reports whether the scanner may find `uri` as `found`: as a whole, or up to a character that
/// ends it.
fn may_be_found_as(uri: &str, found: &str) -> bool {
    let Some(rest) = uri.strip_prefix(found) else { return false };
    // A fragment holds no second `#`.
    let is_end = |next: char| {
        next == '#' && found.contains('#')
            || ENDS.contains(next)
            || next.is_whitespace()
            || next.is_control()
            || !next.is_ascii()
    };
    let looks_like_reference = rest.starts_with('&') && rest.contains(';');
    // The end of a sentence may precede the end of a URI.
    let after = rest.trim_start_matches(|next: char| next.is_ascii_punctuation());
    let is_ended = after.len() < rest.len() && rest[..rest.len() - after.len()].contains(is_end);
    looks_like_reference || is_ended || after.chars().next().is_none_or(is_end)
}

/// References for quotes.
const QUOTES: [&str; 4] = ["&quot;", "&#34;", "&#39;", "&#x27;"];

/// Reports whether the link at `span` of `html` is all of an attribute, holds no reference but for
/// quotes, and begins as a URI does.
fn is_plain_value(html: &str, span: Span) -> bool {
    let (before, source) = (html[..span.start].trim_ascii_end(), &html[span.range()]);
    let after = html[span.end..].bytes().next();
    let is_all = match before.bytes().last() {
        Some(quote @ (b'"' | b'\'')) => {
            before[..before.len() - 1].trim_ascii_end().ends_with('=')
                && html[span.end..].trim_ascii_start().bytes().next() == Some(quote)
        }
        Some(b'=') => after.is_some_and(|byte| byte == b'>' || byte.is_ascii_whitespace()),
        _ => false,
    };
    let begins = || scanned(source.as_bytes()).first().is_some_and(|(_, first)| first.start == 0);
    let has_other_reference =
        QUOTES.iter().fold(source.to_owned(), |source, it| source.replace(it, "")).contains('&');
    is_all && !has_other_reference && is_absolute(source) && begins()
}

/// Compares both ways for `html`; returns the URIs that only the scanner found, each of which is in
/// no link and in no text.
#[track_caller]
fn compared(html: &str) -> BTreeSet<String> {
    let tags = Tags::of(html);
    let found = read_as_mail(html);
    for (target, span) in &tags.links {
        // No host has an apostrophe or another scheme, which end one wherever it is.
        if is_plain_value(html, *span) && !has_odd_host(target) {
            // In the name of a tag it is a part of that.
            let is_found = found.iter().any(|(found, _)| found.contains(target.as_str()));
            assert!(is_found, "{target:?} is not found as a whole in {html:?}");
        }
    }
    for uri in tags.uris() {
        let resolved = decode(Coding::References, uri.as_bytes());
        let resolved = String::from_utf8_lossy(&resolved);
        let is_found = found
            .iter()
            .any(|(found, _)| may_be_found_as(&uri, found) || may_be_found_as(&resolved, found));
        // Before what ends a URI, there may be too little for one.
        let head = uri.split(|next: char| next == '&' || !next.is_ascii_graphic()).next();
        let is_short = head.is_some_and(|head| head != uri && scanned(head.as_bytes()).is_empty());
        let has_domain =
            |at: (usize, &str)| uri.as_bytes().get(at.0 + 1).is_some_and(u8::is_ascii_alphanumeric);
        let is_word = uri.starts_with("mailto:") && !uri.match_indices('@').any(has_domain);
        let is_folded = |(target, span): &(String, Span)| {
            *target == uri && html[span.range()].contains(char::is_whitespace)
        };
        let is_inside = found.iter().any(|(found, _)| found.contains(uri.as_str()));
        let is_broken = has_odd_host(&uri)
            || is_inside
            || is_short
            || is_word
            || tags.links.iter().any(is_folded);
        assert!(is_found || is_broken, "{uri:?} is not found in {html:?}");
    }
    let (_, mut replay) = decode_source(Coding::References, Source::Input(html.as_bytes()));
    let uris = tags.uris();
    let mut others = BTreeSet::new();
    for (uri, span) in found {
        let start = replay.start_of(span.start);
        let is_in_link = tags.links.iter().any(|(_, link)| link.start <= start && start < link.end);
        let is_in_text = tags.texts.iter().any(|text| text.contains(&uri));
        if is_absolute(&uri) && !uris.contains(&uri) && !is_in_link && !is_in_text {
            others.insert(uri);
        }
    }
    others
}

#[test]
fn the_scanner_finds_in_a_letter_what_links_and_text_hold() {
    let elsewhere = [
        // A comment that one program takes for markup.
        "http://www.example.org/mso?a=1&b=2",
        // Names of what documents are written in.
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd",
        // Where relative links start from.
        "http://www.example.org/letters/",
        // An attribute that is shown.
        "http://www.example.org/title",
    ];
    let letter = letter();
    assert_eq!(compared(&letter), elsewhere.map(str::to_owned).into_iter().collect());
    let uris = Tags::of(&letter).uris();
    let found: BTreeSet<String> = read_as_mail(&letter).into_iter().map(|(uri, _)| uri).collect();
    assert_eq!(uris.difference(&found).cloned().collect::<Vec<_>>(), [""; 0]);
    assert_eq!(uris.len(), 26, "{uris:#?}");
}

/// Reports whether the host of `uri` has an apostrophe, or the scheme of another URI at its end.
fn has_odd_host(uri: &str) -> bool {
    let host = uri.split_once("//").map_or("", |(_, rest)| rest.split('/').next().unwrap_or(rest));
    host.contains('\'') || host.ends_with("http:") || host.ends_with("https:")
}

/// `html` with some bytes and words put in, taken out and moved.
fn mutated(html: &str, chance: &mut Chance) -> String {
    const WORDS: [&str; 25] = [
        "<",
        ">",
        "\"",
        "'",
        "=",
        "/",
        "&",
        ";",
        " ",
        "\n",
        "-->",
        "<!--",
        "</a>",
        "<a href=",
        "&amp;",
        "&#x2F;",
        "&lt;",
        "&gt",
        "&quot;",
        "&#39;",
        "<script>",
        "</script>",
        "x",
        "http://www.example.org/",
        "é",
    ];
    let mut chars: Vec<char> = html.chars().collect();
    for _ in 0..=chance.below(6) {
        let at = chance.below(chars.len());
        match chance.below(3) {
            0 => drop(chars.splice(at..at, WORDS[chance.below(WORDS.len())].chars())),
            1 => drop(chars.drain(at..(at + 1 + chance.below(8)).min(chars.len()))),
            _ => {
                let to = chance.below(chars.len());
                chars.swap(at, to);
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn the_scanner_finds_it_in_letters_that_were_broken() {
    let letter = letter();
    let mut chance = Chance(1);
    for _ in 0..8000 {
        compared(&mutated(&letter, &mut chance));
    }
}

// ---- texts that show another host ------------------------------------------------------

/// URIs and lints of the findings in the message `text`.
fn warned(name: &str, text: &str) -> Vec<(String, bool)> {
    let (records, _) = scanned::scan("html_mail", name, text.as_bytes());
    let findings = records.iter().filter(|record| record["type"] == "finding");
    let row = |record: &Value| {
        let rule = &record["warnings"][0]["rule"];
        assert_eq!(rule.is_string(), record["verdict"] == "warn", "{record}");
        (record["uri"].as_str().expect("a URI").to_owned(), rule == "shown-host")
    };
    findings.map(row).collect()
}

const HEAD: &str = "From: a@example.org\nSubject: x\nMIME-Version: 1.0\n";

/// `html` as a document, as a message and as a message in base64, and what their names end in.
fn forms(html: &str) -> [(&'static str, String); 3] {
    let page = format!("<html>{html}");
    let mail = format!("{HEAD}Content-Type: text/html\n\n{html}\n");
    let coded = format!(
        "{HEAD}Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n{}\n",
        data_encoding::BASE64.encode(html.as_bytes())
    );
    [("html", page), ("eml", mail), ("base64.eml", coded)]
}

#[test]
fn a_text_shows_its_host_alike_in_mail_and_in_a_document() {
    let (docs, evil) = ("https://docs.example/x", "https://evil.example/x");
    let case = |target: &str, shown: &str, is_warned: bool| {
        for (kind, text) in forms(&format!("<p><a href=\"{target}\">{shown}</a>")) {
            let found = warned(&format!("alike.{kind}"), &text);
            assert_eq!(found.first(), Some(&(target.to_owned(), is_warned)), "{text}");
        }
    };
    for name in ["nobr", "time", "label", "o:p", "st1:place"] {
        let shown = format!("https://docs.<{name}>example</{name}>/x");
        case(docs, &shown, false);
        case(evil, &shown, true);
    }
    case(docs, "<cite>https://docs</cite>.example/x", false);
    case(docs, "&lt;https://docs.example/x&gt;", false);
    case(evil, "&lt;https://docs.example/x&gt;", true);
    case(evil, "&lt;www.docs.example&gt;", true);
}

#[test]
fn a_link_in_mail_is_as_long_as_in_a_document() {
    let html = "<a href=\"http://h.example/a\nb\">a</a> <img src='http://h.example/a b'>\n\
        <a title=x href= http://h.example/[a]? >a</a>\n\
        <a href=\"mailto:a@h.example?subject=a b&amp;cc=c@h.example\">a</a>\n\
        <a href=\" http://h.example/?go=\r\nhttp://www.example/ \">a</a>\n\
        <form action='http://h.example/a|b'></form> <a href=\"http://h.example/a.\">a</a>\n\
        <a href='http://h.example/it&#39;s/a' title=\"&quot;\">a</a>\n\
        <a href=\"http://h.example/?q=&quot;a&quot;\">&quot;http://h.example/q&quot; a</a>\n\
        http://h.example/<wbr>a<WBR/>b<wbr\nid=1>&amp;<wbr>c<b>d</b> <wbrs>\n";
    let expected = [
        "http://h.example/ab",
        "http://h.example/a b",
        "http://h.example/[a]?",
        "mailto:a@h.example?subject=a b&cc=c@h.example",
        "http://h.example/?go=http://www.example/",
        "http://h.example/a|b",
        "http://h.example/a.",
        "http://h.example/it's/a",
        "http://h.example/?q=\"a\"",
        "http://h.example/q",
        "http://h.example/ab&cd",
    ];
    for (kind, text) in forms(html) {
        let found = warned(&format!("length.{kind}"), &text);
        let found: Vec<String> = found.into_iter().map(|(uri, _)| uri).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_url_in_text_goes_on_where_a_browser_shows_no_gap() {
    let case = |html: &str, expected: &[&str]| {
        for (kind, text) in forms(html) {
            let found = warned(&format!("joints.{kind}"), &text);
            let found: Vec<String> = found.into_iter().map(|(uri, _)| uri).collect();
            assert_eq!(found, expected, "{text}");
        }
    };
    case(
        "<p>at https://bank.<span></span>example/log<b>in</b> today.</p>",
        &["https://bank.example/login"],
    );
    case(
        "<p>at https://<font color='red'>shop</font>.example/<!-- x -->cart<br>now.</p>",
        &["https://shop.example/cart"],
    );
    case(
        "<p>ht<i>tps</i>://<u>h</u>.example/a&amp;<b>b</b>&amp;c, \
         a=<tt>https://h.example/<i>d</i></tt>",
        &["https://h.example/a&b&c", "https://h.example/d"],
    );
    case(
        "https://bank.<b style='display:none'>evil. <i>x</i></b>example/<wbr>a<x-y>b</x-y>",
        &["https://bank.example/ab"],
    );
    // The shown text of a link has a finding of its own, as long as the link's.
    case(
        "<a href='https://h.example/a'>https://h.<b>example</b>/a</a>b",
        &["https://h.example/a", "https://h.example/a"],
    );
    case(
        "<li>https://h.example/a<li>b</li><td>https://i.example/</td>\
         <td>c <q>https://j.example/</q>d",
        &["https://h.example/a", "https://i.example/", "https://j.example/"],
    );
    case(
        "https://h.example/<img src='https://i.example/'>a \
         <b>https://j.example/</b>https://k.example/",
        &["https://h.example/", "https://i.example/", "https://j.example/", "https://k.example/"],
    );
    // Nothing that holds a link itself is passed: the URL before it may have been cut.
    case(
        "https://h.example/<!-- https://i.example/ -->a \
         https://h.example/<b title='https://j.example/'>a",
        &["https://h.example/", "https://i.example/", "https://h.example/", "https://j.example/"],
    );
    case("<script>a = 'https://h.example/<b>a</b>'</script>", &["https://h.example/"]);
}

/// Cues and URIs of the findings in `text`, and its summary.
fn cued(name: &str, text: &[u8]) -> (Vec<(String, String)>, Value) {
    let (records, _) = scanned::scan("html_mail", name, text);
    let found = records.iter().filter(|record| record["type"] == "finding");
    let word = |of: &Value| of.as_str().expect("a text").to_owned();
    let found = found.map(|record| (word(&record["cue"]), word(&record["uri"])));
    (found.collect(), records.last().expect("a summary").clone())
}

#[test]
fn attributes_hold_in_mail_what_they_hold_in_a_document() {
    let base = "<base href='http://b.example/c/'>";
    let links = "<a href=\"cid:logo\">a</a> <img src=\"a.png\"> <a HREF = '//h.example/a'>a</a>\n\
        <a href=\"https:\\\\h.example\\a\">a</a> <a href=http:/h.example/b>a</a>\n\
        <a href=\"ht\ttp://h.example/c\">a</a> <a href='hhttp://h.example/d'>a</a>\n\
        <a href=\"sms:+1\">a</a> <a href=\"http://*|X|*/a\">a</a> <a href='#a'>a</a>\n\
        <form action='a.cgi'></form> <td background=\"b.png\"> <a data-href='no'> <a href=''>\n\
        <script>document.write('<img src=\"' + a + '\">')</script> href='no'\n\
        <!-- -- --><a title=x\nhref='cid:a@h.example'>a</a> <a href='b.html\n'>a</a> <a href=no";
    let expected = [
        "cid:logo",
        "a.png",
        "//h.example/a",
        "https:\\\\h.example\\a",
        "http:/h.example/b",
        "http://h.example/c",
        "hhttp://h.example/d",
        "sms:+1",
        "http://*|X|*/a",
        "#a",
        "a.cgi",
        "b.png",
        "cid:a@h.example",
        "b.html",
    ];
    let is_absolute = |uri: &&str| uri.contains(':');
    for (kind, text) in forms(&format!("{base}\n{links}")) {
        let (found, summary) = cued(&format!("attributes.{kind}"), text.as_bytes());
        let found: Vec<&str> = found.iter().skip(1).map(|(_, uri)| uri.as_str()).collect();
        // An empty link leads to the page itself, and nobody says of a message where that is.
        let found: Vec<&str> = found.into_iter().filter(|uri| !uri.is_empty()).collect();
        assert_eq!(found, expected, "{kind}");
        assert_eq!(summary["skipped"], serde_json::json!({}), "{kind}");
    }
    for (kind, text) in forms(links).iter().skip(1) {
        let (found, summary) = cued(&format!("nowhere.{kind}"), text.as_bytes());
        let found: Vec<&str> = found.iter().map(|(_, uri)| uri.as_str()).collect();
        let absolute: Vec<&str> = expected.into_iter().filter(is_absolute).collect();
        assert_eq!(found, absolute, "{kind}");
        let relative = expected.len() - absolute.len();
        assert_eq!(summary["skipped"], serde_json::json!({"relative": relative}), "{kind}");
    }
}

#[test]
fn a_base_is_that_of_its_part() {
    let message = |id: &str, html: &str| {
        format!(
            "From a@b.example Thu Dec  1 00:00:00 1994\nMessage-ID: <{id}@x>\n{HEAD}\
             Content-Type: text/html\n\n{html}\n\n"
        )
    };
    let base = |host: &str| format!("<basefont size=2><base target=a><base href='http://{host}/'>");
    let text = [
        message("1", &format!("{}<a href=one>a</a>", base("h.example"))),
        message(
            "2",
            "<!-- <base href='http://no.example/'> <a href='foo:gone'> --><a href=no>a</a>",
        ),
        message("3", &format!("{}<video poster=two></video>", base("i.example"))),
    ];
    let (records, _) = scanned::scan("html_mail", "bases.mbox", text.concat().as_bytes());
    let found = records.iter().filter(|record| record["cue"] == "markup");
    let row = |record: &Value| [&record["uri"], &record["base"]].map(ToString::to_string).concat();
    let expected = [r#""one""http://h.example/""#, r#""two""http://i.example/""#];
    assert_eq!(found.map(row).collect::<Vec<_>>(), expected);
    assert_eq!(records.last().expect("a summary")["skipped"]["relative"], 1);
}

/// Some programs save a page as it is under the name of one that is kept as a message.
#[test]
fn a_page_that_is_called_as_a_kept_one_is_a_page() {
    let page = "<!DOCTYPE html>
<a href='b.html'>b</a> <a href='http://h.example/?a&amp;b'>c</a>";
    let kept = "From: <Saved by a browser>
Content-Type: text/html

<a href='b.html'>b</a>";
    for (name, text, uris, relative) in [
        ("a.mht", page, &["b.html", "http://h.example/?a&b"][..], 0),
        (
            "b.mhtml",
            &page.replace("<!DOCTYPE html>", "<html>"),
            &["b.html", "http://h.example/?a&b"],
            0,
        ),
        ("c.mht", kept, &[], 1),
        ("d.eml", page, &["http://h.example/?a&amp;b"], 0),
    ] {
        let (records, _) = scanned::scan("html_mail", name, text.as_bytes());
        let found: Vec<_> = records.iter().filter_map(|record| record["uri"].as_str()).collect();
        let skipped = &records.last().expect("a summary")["skipped"]["relative"];
        assert_eq!((found, skipped.as_u64().unwrap_or(0)), (uris.to_vec(), relative), "{name}");
    }
}

#[test]
fn headers_of_parts_say_where_their_links_start_from() {
    let part = |head: &str, html: &str| format!("--x\nContent-Type: text/html\n{head}\n{html}\n");
    let link = |target: &str| format!("<a href='{target}'>a</a>");
    let page = "Content-Location: http://h.example/a/\n b.html\n";
    let other = "content-base: \"https://i.example/\"\n";
    let text = [
        format!("{HEAD}Content-Type: multipart/related; boundary=x\n{page}\n"),
        part("", &link("1")),
        part(other, &link("2")),
        // Once, `Content-Base` said it.
        part(&format!("Content-Location: http://no.example/\n{other}"), &link("3")),
        part(page, &format!("<base href='http://j.example/'>{}", link("4"))),
        part(page, &format!("<base href='c/'>{}", link("4a"))),
        part("Content-Location: http://k.example/ (a comment)\n", &link("4b")),
        part("Content-Base: a/\nContent-Location: http://l.example/\n", &link("4c")),
        part(
            "Content-Transfer-Encoding: base64\n",
            &(data_encoding::BASE64_MIME.encode(link("5").as_bytes())),
        ),
        // Nobody else has what these start from.
        part("Content-Location: file:///C:/a.htm\n", &link("6")),
        part("Content-Location: cid:a@b\n", &link("7")),
        part("Content-Location: a/b\n", &link("8")),
        part("Content-Location: c\n", &link("9")),
        format!("--x\nContent-Type: message/rfc822\n\nContent-Type: text/html\n\n{}\n", link("10")),
        format!("--x--\n{}", link("11")),
    ];
    let (records, _) = scanned::scan("html_mail", "located.eml", text.concat().as_bytes());
    let found = records.iter().filter(|record| record["cue"] == "markup");
    let row = |record: &Value| [&record["uri"], &record["base"]].map(ToString::to_string).concat();
    let expected = [
        r#""1""http://h.example/a/b.html""#,
        r#""2""https://i.example/""#,
        r#""3""https://i.example/""#,
        r#""4""http://j.example/""#,
        r#""4a""http://h.example/a/c/""#,
        r#""4b""http://k.example/""#,
        r#""4c""http://l.example/""#,
        r#""5""http://h.example/a/b.html""#,
        r#""9""http://h.example/a/b.html""#,
    ];
    assert_eq!(found.map(row).collect::<Vec<_>>(), expected);
    assert_eq!(records.last().expect("a summary")["skipped"]["relative"], 4);
}

/// The scanner finds a URI inside of a link, and reports it beside the link.
#[test]
fn a_program_in_an_attribute_may_hold_a_uri() {
    let script = "javascript:window.open('http://h.example/a')";
    for (kind, text) in forms(&format!("&amp;<a href=\"{script}\">a</a> http://h.example/b")) {
        let (found, _) = cued(&format!("script.{kind}"), text.as_bytes());
        let pair = |cue: &str, uri: &str| (cue.to_owned(), uri.to_owned());
        let mut expected = vec![pair("markup", script), pair("bare", "http://h.example/b")];
        if kind != "html" {
            expected.insert(1, pair("bare", "http://h.example/a"));
        }
        assert_eq!(found, expected, "{kind}");
    }
}

#[test]
fn a_part_that_names_no_charset_is_in_the_one_that_it_declares() {
    let html = b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\
        <a href='http://h.example/\xEF\xF3\xF2\xFC?a&amp;b'>a</a>\n";
    let base64 = data_encoding::BASE64_MIME.encode(html).into_bytes();
    let coded = "Content-Transfer-Encoding: base64\nContent-Type: text/html";
    for (name, head, body, expected) in [
        ("plain", "Content-Type: text/html", &html[..], "http://h.example/путь?a&b"),
        ("base64", coded, &base64, "http://h.example/путь?a&b"),
        ("told", "Content-Type: text/html; charset=koi8-r", html, "http://h.example/ОСРЭ?a&b"),
        ("text", "Content-Type: text/plain", html, "http://h.example/"),
    ] {
        let head = format!("{HEAD}{head}\n\n");
        let mail = [head.as_bytes(), body].concat();
        let (records, _) = scanned::scan("html_mail", &format!("meta.{name}.eml"), &mail);
        let record = records.iter().find(|record| record["type"] == "finding").expect("a link");
        assert_eq!(record["uri"], expected, "{name}: {record}");
    }
}

#[track_caller]
fn warns(name: &str, html: &str, expected: &[bool]) {
    for (kind, text) in forms(html) {
        let found = warned(&format!("{name}.{kind}"), &text);
        let found: Vec<bool> = found.into_iter().map(|(_, is_warned)| is_warned).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_link_to_another_host_than_its_text_shows_is_warned_of() {
    let links = "<a href=\"http://evil.example.net/\">http://www.bank.example/</a>\n\
        <a\n class='x' HREF = 'http://evil.example.net/a?b&amp;c'><b>www.bank</b>.example</a>\n\
        <a href=http://evil.example.net/>bank.example&#x2F;login</a>\n";
    // The text of the first is a URI, too.
    warns("other", links, &[true, false, true, true]);
    let links = "<a href=\"http://www.bank.example/\">bank.example/login</a>\n\
        <a name='http://evil.example.net/'>www.bank.example</a>\n\
        <img src='http://evil.example.net/x.png'> www.bank.example\n\
        <a href='http://evil.example.net/'>Your bank</a>\n\
        <link href='http://evil.example.net/y.css'>www.bank.example\n";
    warns("same", links, &[false; 5]);
}

#[test]
fn the_same_link_is_warned_of_where_its_text_asks_for_it() {
    let link = |text: &str| format!("<a href='http://evil.example.net/'>{text}</a>\n");
    let links = [link("a"), link("www.bank.example"), link("b"), link("www.bank.example/")];
    warns("again", &links.concat(), &[false, true, false, true]);
}

#[test]
fn a_form_that_shows_another_host_is_no_twin() {
    let forms = format!(
        "{HEAD}Content-Type: multipart/alternative; boundary=b\n\n--b\n\nhttp://evil.example.net/\n\
        --b\nContent-Type: text/html\n\n<a href='http://evil.example.net/'>www.bank.example</a>\n\
        --b--\n"
    );
    let uri = "http://evil.example.net/".to_owned();
    assert_eq!(warned("forms.eml", &forms), [(uri.clone(), false), (uri, true)]);
}

/// Returns the URIs that the binary finds in HTML that is sent as mail.
fn found_in_mail(html: &str, head: &str) -> Vec<String> {
    let mail = format!("From: a@b.example\nMIME-Version: 1.0\n{head}\n\n{html}\n");
    let (records, _) = scanned::scan("html_mail", "script.eml", mail.as_bytes());
    let found = records.iter().filter(|record| record["type"] == "finding");
    found.map(|record| record["uri"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn scripts_that_hold_json_have_escapes() {
    let script = |of: &str, text: &str| format!("<script {of}>{text}</script>");
    let (json, ld) = ("type='application/json'", "TYPE=\"application/ld+json; a=b\"");
    let escaped = r#"{"a":"https:\/\/h.example\/a?b\u0026c","d":"https://h.example/&amp;e"}"#;
    let undone = ["https://h.example/a?b&c", "https://h.example/&amp;e"];
    for (html, expected) in [
        (script(json, escaped), undone.to_vec()),
        (script(ld, escaped), undone.to_vec()),
        (format!("<SCRIPT {ld}>{escaped}"), undone.to_vec()),
        (script("type=text/x-json-not", escaped), vec![undone[0], "https://h.example/&e"]),
        (script("src=a.json", escaped), vec![undone[0], "https://h.example/&e"]),
        (
            format!(
                "<a href='http://a.example/?b&amp;c'>{}{}{}<b>http://a.example/&amp;\\/",
                script(json, ""),
                script(ld, escaped),
                script(json, r#"{"a":"http:\/\/b.example"}"#),
            ),
            vec![
                "http://a.example/?b&c",
                undone[0],
                undone[1],
                "http://b.example",
                "http://a.example/&",
            ],
        ),
    ] {
        for head in ["Content-Type: text/html", "Content-Type: text/x-amp-html"] {
            assert_eq!(found_in_mail(&html, head), expected, "{html}");
        }
        let base64 = data_encoding::BASE64_MIME.encode(html.as_bytes());
        let head = "Content-Type: text/html\nContent-Transfer-Encoding: base64";
        assert_eq!(found_in_mail(&base64, head), expected, "{html}");
    }
}
