//! Drives the `junit` format: what a reader of XML gets of it, and whether suites count right.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

use crate::support::home;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("report_junit", name)
}

fn run(home: &Path, args: &[&str]) -> Vec<u8> {
    home::run(home, args).stdout
}

type Attributes = BTreeMap<String, String>;

/// An element with its attributes, the text right in it, and what is in it.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: Attributes,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn open(start: &BytesStart<'_>) -> Self {
        let attribute = |pair: Result<quick_xml::events::attributes::Attribute<'_>, _>| {
            let pair = pair.expect("an attribute that is there once");
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
            let value = text(&pair.value);
            (text(pair.key.as_ref()), unescape(&value).expect("a value").into_owned())
        };
        let name = String::from_utf8(start.name().as_ref().to_vec()).expect("UTF-8");
        Self { name, attributes: start.attributes().map(attribute).collect(), ..Self::default() }
    }

    fn number(&self, key: &str) -> u64 {
        self.attributes[key].parse().expect("a number")
    }
}

/// The suites of a report, whose root is what it should be.
fn suites(report: &[u8]) -> Vec<Element> {
    let report = std::str::from_utf8(report).expect("UTF-8");
    // XML 1.0 §2.2; the reader takes more.
    let is_char =
        |char| matches!(char, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(report.chars().all(is_char), "characters that XML does not have");
    let mut reader = Reader::from_str(report);
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().expect("XML") {
            Event::Start(start) => open.push(Element::open(&start)),
            Event::Empty(start) => {
                open.last_mut().expect("a root").children.push(Element::open(&start));
            }
            Event::End(_) => {
                let closed = open.pop().expect("an element");
                open.last_mut().expect("a root").children.push(closed);
            }
            Event::Text(text) => {
                let text = std::str::from_utf8(&text).expect("UTF-8").to_owned();
                open.last_mut().expect("a root").text.push_str(&text);
            }
            Event::GeneralRef(name) => {
                let name = std::str::from_utf8(&name).expect("UTF-8");
                let text = unescape(&format!("&{name};")).expect("a name of XML").into_owned();
                open.last_mut().expect("a root").text.push_str(&text);
            }
            Event::Decl(_) => {}
            Event::Eof => break,
            other => panic!("{other:?}"),
        }
    }
    let [root] = &mut open[..] else { panic!("{open:?}") };
    let [top] = &mut root.children[..] else { panic!("{root:?}") };
    assert_eq!(top.name, "testsuites");
    std::mem::take(&mut top.children)
}

/// The cases of `suites`, whose counts are right.
fn cases(suites: Vec<Element>) -> Vec<Element> {
    let mut all = Vec::new();
    for suite in suites {
        assert_eq!(suite.name, "testsuite");
        assert!(suite.children.iter().all(|case| case.name == "testcase"));
        let count = |name: &str| {
            let is = |case: &&Element| case.children.iter().any(|child| child.name == name);
            u64::try_from(suite.children.iter().filter(is).count()).expect("a count")
        };
        let counts = ["failures", "errors", "skipped"].map(|key| suite.number(key));
        assert_eq!(counts, [count("failure"), count("error"), count("skipped")]);
        assert_eq!(suite.number("tests"), u64::try_from(suite.children.len()).expect("a count"));
        all.extend(suite.children);
    }
    all
}

fn with<'c>(cases: &'c [Element], name: &str) -> Vec<&'c Element> {
    cases.iter().flat_map(|case| &case.children).filter(|child| child.name == name).collect()
}

#[test]
fn cases_of_the_corpus_are_as_many_as_its_findings_and_notes() {
    let home = directory("corpus");
    run(&home, &["check", "-q", "--offline", CORPUS, "--format", "ndjson=run.ndjson"]);
    let cases = cases(suites(&run(&home, &["report", "run.ndjson", "--format", "junit"])));
    let lines = fs::read_to_string(home.join("run.ndjson")).expect("records");
    let lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let count = |key: &str, value: &str| lines.iter().filter(|line| line[key] == value).count();
    assert_eq!(cases.len(), count("type", "finding") + count("type", "note"));
    assert_eq!(with(&cases, "failure").len(), count("verdict", "error"));
    assert_eq!(with(&cases, "skipped").len(), count("verdict", "skipped"));
    assert!(with(&cases, "error").len() > 3);
}

#[test]
fn a_case_is_a_link_at_its_place_and_says_what_is_wrong() {
    let home = directory("case");
    let text = "http://h/%zz http://h/ http://u:p@h/\n[a](b)\n";
    fs::write(home.join("a&b.md"), text).expect("a file");
    let args = ["check", "-q", "--offline", "./a&b.md", "--format", "junit"];
    let cases = cases(suites(&run(&home, &args)));
    let seen: Vec<_> = cases
        .iter()
        .map(|case| {
            let attribute = |key: &str| case.attributes[key].as_str();
            assert_eq!((attribute("classname"), attribute("file")), ("a&b.md", "a&b.md"));
            let child = case.children.first().expect("words");
            (attribute("name"), attribute("line"), child.name.as_str())
        })
        .collect();
    let wanted = [
        ("http://h/%zz at 1:1", "1", "failure"),
        ("http://h/ at 1:14", "1", "skipped"),
        ("http://u:***@h/ at 1:24", "1", "system-out"),
        ("b at 2:5", "2", "failure"),
    ];
    assert_eq!(seen, wanted);
    let failure = with(&cases, "failure")[0];
    let words = "error[pct-encoded]: http://h/%zz: expected a hex digit at byte 10 (RFC 3986 §2.1)";
    assert_eq!(failure.attributes["type"], "pct-encoded");
    assert_eq!((&*failure.attributes["message"], &*failure.text), (words, words));
    let told = with(&cases, "system-out")[0];
    assert!(told.text.contains("warn["), "{told:?}");
}

#[test]
fn what_strangers_write_is_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = directory("strangers");
    let name = "a\"]]>\u{1}<b>&amp;\n\u{202e}\u{ffff}.txt";
    fs::write(
        home.join(std::ffi::OsStr::from_bytes(name.as_bytes())),
        "<URL:http://h/]]>%zz&quot;\u{fffe}\u{0}&#0;> http://h/%zz]]&gt;&#0;\n",
    )
    .expect("a file");
    let cases = cases(suites(&run(&home, &["scan", "-q", ".", "--format", "junit"])));
    let file = "a\"]]>\\x01<b>&amp;\\x0a\\u{202e}\u{fffd}.txt";
    assert!(!cases.is_empty() && cases.iter().all(|case| case.attributes["file"] == file));
    assert!(!with(&cases, "failure").is_empty());
    let hostile = format!("{CORPUS}/runs/hostile.ndjson");
    suites(&run(&home, &["report", &hostile, "--format", "junit"]));
}

#[test]
fn what_was_not_read_is_an_error_and_what_is_known_is_skipped() {
    let home = directory("known");
    fs::write(home.join("a.md"), "[a](gone.md)\n").expect("a file");
    let check = ["check", "-q", "--offline", "a.md", "--baseline", "known.txt"];
    run(&home, &[&check[..], &["--update-baseline"]].concat());
    let args = [&check[..], &["no.md", "--format", "junit"]].concat();
    let cases = cases(suites(&run(&home, &args)));
    let [known] = with(&cases, "skipped")[..] else { panic!("{cases:?}") };
    let words = "a baseline lists it: skipped[missing]: gone.md: ";
    assert!(known.attributes["message"].starts_with(words), "{known:?}");
    let [unread] = with(&cases, "error")[..] else { panic!("{cases:?}") };
    assert_eq!(unread.attributes["type"], "input-unreadable");
    assert!(cases.iter().any(|case| case.attributes["file"] == "no.md"));
}

#[test]
fn a_file_with_very_many_links_is_several_suites() {
    let home = directory("many");
    let text: String = (0..10_001).map(|n| format!("http://h/{n}\n")).collect();
    fs::write(home.join("a.txt"), text).expect("a file");
    let suites = suites(&run(&home, &["scan", "-q", "a.txt", "--format", "junit"]));
    assert!(suites.iter().all(|suite| suite.attributes["name"] == "a.txt"));
    let counts: Vec<_> = suites.iter().map(|suite| suite.number("tests")).collect();
    assert_eq!(counts, [10_000, 1]);
    let cases = cases(suites);
    assert_eq!(cases.last().expect("a case").attributes["name"], "http://h/10000 at 10001:1");
    assert_eq!(suites_of_nothing(&home), 0);
}

#[test]
fn a_file_with_long_links_is_several_suites_before_it_has_very_many() {
    let home = directory("long");
    let path = "a".repeat(4000);
    let text: String = (0..600).map(|n| format!("http://h/{n}/{path}\n")).collect();
    fs::write(home.join("a.txt"), text).expect("a file");
    let suites = suites(&run(&home, &["scan", "-q", "a.txt", "--format", "junit"]));
    let counts: Vec<_> = suites.iter().map(|suite| suite.number("tests")).collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (2, 600), "{counts:?}");
}

fn suites_of_nothing(home: &Path) -> usize {
    fs::write(home.join("empty.txt"), "").expect("a file");
    suites(&run(home, &["scan", "-q", "empty.txt", "--format", "junit"])).len()
}
