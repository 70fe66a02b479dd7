//! The HTML report, read by a tokenizer of HTML: what a browser would make elements of, and what
//! it may load and run. What a browser then does is tests/browser.
#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::BASE64;
use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use linktrawl::internal::report::record::Line;
use linktrawl::internal::report::{self, Form};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

const HOSTILE: &str = include_str!("../../corpus/runs/hostile.ndjson");

fn page(run: &str) -> String {
    let form = report::find("html").expect("a format").form();
    let Form::Document(mut page) = form else { panic!("the page is a document") };
    let mut out = Vec::new();
    page.begin(&mut out);
    for line in run.lines() {
        match Line::parse(line.as_bytes()).expect("a record") {
            Line::Finding(record) => page.finding(&record, &mut out),
            Line::Note(note) => page.note(&note, &mut out),
            Line::Summary(summary) => {
                page.finish(&summary, &mut out);
                page.rest(&summary, &mut out).expect("memory");
            }
        }
    }
    String::from_utf8(out).expect("a page is UTF-8")
}

/// An element: its name and its attributes, all as text.
type Element = (String, Vec<(String, String)>);

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("a page is UTF-8")
}

fn elements(page: &str) -> Vec<Element> {
    let mut emitter = DefaultEmitter::default();
    // Scripts and styles are text up to their end tags.
    emitter.naively_switch_states(true);
    let tokens = Tokenizer::new_with_emitter(page, emitter);
    let tokens = tokens.map(|token| token.expect("reading a string cannot fail"));
    tokens
        .filter_map(|token| match token {
            Token::StartTag(tag) => {
                let attributes = tag.attributes.iter();
                let attributes = attributes.map(|(name, value)| (text(name), text(value)));
                Some((text(&tag.name), attributes.collect()))
            }
            Token::Error(error) => panic!("the page is no good HTML: {error:?}"),
            _ => None,
        })
        .collect()
}

/// Returns the text between `begin` and the next `end`.
fn between<'p>(page: &'p str, begin: &str, end: &str) -> &'p str {
    let (_, after) = page.split_once(begin).expect("the beginning");
    after.split_once(end).expect("the end").0
}

fn data(page: &str) -> Value {
    let json = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    serde_json::from_str(json).expect("the data are JSON")
}

#[test]
fn the_policy_lets_the_one_style_and_the_one_script_pass_and_nothing_else() {
    let page = page(HOSTILE);
    let style = between(&page, "<style>", "</style>");
    let script = between(&page, "<script>", "</script>");
    let [style, script] =
        [style, script].map(|text| BASE64.encode(digest(&SHA256, text.as_bytes()).as_ref()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; \
         base-uri 'none'; form-action 'none'"
    );
    let metas: Vec<_> = elements(&page).into_iter().filter(|(name, _)| name == "meta").collect();
    let has = |name: &str, value: &str| {
        metas.iter().any(|(_, all)| all.iter().any(|(n, v)| n == name && v == value))
    };
    assert!(has("http-equiv", "Content-Security-Policy") && has("content", &policy), "{metas:?}");
}

/// How many elements of each name a page has.
fn names(elements: &[Element]) -> BTreeMap<&str, usize> {
    let mut names = BTreeMap::new();
    elements.iter().for_each(|(name, _)| *names.entry(name.as_str()).or_default() += 1);
    names
}

#[test]
fn strangers_make_no_element_and_no_attribute() {
    // The same run, with a letter for everything that could be markup.
    let harmless = HOSTILE.replace(['<', '>', '\''], "x").replace("\\\"", "x");
    let [hostile, harmless] = [HOSTILE, &harmless].map(|run| elements(&page(run)));
    assert_eq!(names(&hostile), names(&harmless));
    assert_eq!(names(&hostile).get("script"), Some(&2));
    for (name, value) in hostile.into_iter().flat_map(|(_, attributes)| attributes) {
        assert!(!name.starts_with("on") && name != "style" && name != "src", "{name}={value}");
        assert!(name != "href" || value.starts_with('#'), "{value}");
    }
}

#[test]
fn nothing_hostile_stands_in_the_page_but_as_an_escape() {
    let page = page(HOSTILE);
    let is_bad = |char: &char| char.is_control() && *char != '\n';
    assert_eq!(page.chars().find(is_bad), None);
    assert!(!page.contains(['\u{202e}', '\u{2066}', '\u{200b}', '\u{2028}']));
    assert!(page.contains(r"http://h.example/\u{202e}gpj.exe\u{2066}\x00\x1b[31m"));
    assert!(page.contains(r"<code>\xe9t\xe9:1:1</code>"));
}

#[test]
fn the_data_hold_every_finding_and_can_end_no_element() {
    let page = page(HOSTILE);
    let json = between(&page, "<script type=\"application/json\" id=\"data\">", "</script>");
    assert!(!json.contains('<'));
    let data = data(&page);
    let rows: Vec<_> = data["uri"].as_array().expect("rows").iter().collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(
        data["uris"][0],
        "http://h.example/</script><script>document.title='owned'</script>"
    );
    for column in ["place", "line", "column", "verdict", "label", "detail", "message", "year"] {
        assert_eq!(data[column].as_array().map(Vec::len), Some(7), "{column}");
    }
    assert_eq!(data["year"][3], 2004);
}

#[test]
fn one_of_each_is_told_in_the_singular() {
    let page_of = |count: u64| {
        let run = json!({
            "type": "summary", "schema": 1, "complete": true, "files": count, "members": count,
            "bytes": 1, "messages": count, "findings": 0, "distinct": count,
            "verdicts": {}, "skipped": {}
        });
        page(&run.to_string())
    };
    let names = |page: &str| -> Vec<String> {
        page.split("<dt>")
            .skip(1)
            .map(|it| it.split("</dt>").next().expect("it").to_owned())
            .collect()
    };
    let one = ["different link", "file", "member of an archive", "message", "read"];
    assert_eq!(names(&page_of(1)), one);
    let more = ["different links", "files", "members of archives", "messages", "read"];
    assert_eq!(names(&page_of(2)), more);
    assert_eq!(names(&page_of(0)), ["different links", "files", "read"]);
}

#[test]
fn totals_stand_in_the_page_without_script() {
    let page = page(HOSTILE);
    assert!(page.contains("<h1>4 of 7 links broken</h1>"));
    assert!(page.contains("<title>4 of 7 links broken</title>"));
    assert!(page.contains("The run is <b>incomplete</b>"));
    assert!(page.contains("&lt;/th&gt;&lt;b&gt;reason</th><td class=\"n\">3</td>"));
    assert!(page.contains(r"d&lt;b&gt;.tar!\u{202e}: &lt;/li&gt;&lt;b&gt;kind: expected"));
}

#[test]
fn an_empty_run_is_a_page_too() {
    let summary = HOSTILE.lines().last().expect("a summary");
    let none = summary.replace("\"findings\":7", "\"findings\":0").replace(
        r#"{"ok":1,"warn":1,"error":4,"skipped":1}"#,
        r#"{"ok":0,"warn":0,"error":0,"skipped":0}"#,
    );
    let page = page(&none);
    assert!(page.contains("<h1>No links were found</h1>"));
    assert!(page.contains("No link is broken."));
    assert!(!elements(&page).is_empty());
}

#[test]
fn the_charts_have_the_colours_that_the_style_repaints() {
    let page = page(HOSTILE);
    let style = between(&page, "<style>", "</style>");
    let colours: BTreeSet<_> = elements(&page)
        .into_iter()
        .filter(|(name, _)| matches!(name.as_str(), "rect" | "line" | "polyline" | "text"))
        .flat_map(|(_, attributes)| attributes)
        .filter(|(name, value)| matches!(name.as_str(), "fill" | "stroke") && value != "none")
        .collect();
    assert!(colours.len() >= 5, "{colours:?}");
    for (name, value) in colours {
        assert!(style.contains(&format!("[{name}=\"{value}\"]")), "{name} {value}");
    }
}

#[test]
fn a_run_makes_the_same_page_each_time() {
    assert!(page(HOSTILE) == page(HOSTILE));
}

#[test]
fn places_of_a_broken_link_beyond_those_that_are_told_are_counted() {
    let of = |line: u64| {
        json!({
            "type": "finding", "uri": "http://h/gone", "raw": "", "cue": "bare", "scheme": "http",
            "place": {"path": "a", "members": [], "offset": 0, "len": 1, "line": line, "column": 1,
                      "file_offset": null},
            "message": null, "syntax": null, "reach": null, "verdict": "error"
        })
    };
    let summary = HOSTILE.lines().last().expect("a summary");
    let of = |count| (1..=count).map(|line| format!("{}\n", of(line))).collect::<String>();
    let page_of = |count| page(&(of(count) + summary));
    let many = page_of(203);
    assert!(many.contains("<summary>203 places"));
    assert!(many.contains(">3 places more in the list below.<"));
    assert!(!page_of(200).contains("more in the list below"));
}

#[test]
fn findings_that_are_not_shown_are_counted() {
    let is_shown = |line: &&str| !line.contains("\"verdict\":\"") || line.contains(":\"error\"");
    let shown: Vec<_> = HOSTILE.lines().filter(is_shown).collect();
    let count = HOSTILE.lines().count() - shown.len();
    let left_out = format!("<code>--show</code> left {count} links out of reports");
    let part = page(&shown.join("\n"));
    assert!(part.contains(&left_out) && part.contains("of the links that are shown were probed"));
    let is_unasked = |line: &&str| !line.contains("\"reach\":{");
    let unasked: Vec<_> = HOSTILE.lines().filter(is_unasked).collect();
    assert!(!page(&unasked.join("\n")).contains("No link was probed"));
    assert!(!page(HOSTILE).contains("--show"));
}
