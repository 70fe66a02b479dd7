//! Reads every format back with a parser of what it is, over a run in which strangers wrote all
//! texts: what a reader gets of it is what it gets of a harmless run, but for those texts, and
//! each of them is there in full.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use linktrawl::internal::report::REPORTS;
use linktrawl::internal::report::escape::{Shown, is_hostile};
use linktrawl::internal::report::groups::{self, GROUPINGS};
use pulldown_cmark::{Event, Options, Parser, TextMergeStream};
use quick_xml::Reader;
use quick_xml::events::Event as Xml;
use serde_json::{Value, json};
use yaml_rust2::{Yaml, YamlLoader};

use crate::support::home;

/// A text that breaks formats: formulas, quotes, entities, ends of sections and of elements, NUL,
/// escapes, line ends, directives, placeholders, markup, characters that reorder text, and those
/// that XML does not have.
const HOSTILE: &str = "=1+a\"'<&amp;]]>\0\x1b[31m%0A::x\r\n\t#SKIP,|`*_\\{0}[b](c)\
                       \u{202e}\u{feff}\u{e9}\u{ffff};--></i>";
/// A harmless text in its place.
const HARMLESS: &str = "harmless";

/// A finding of which each text is `word`.
fn finding(word: &str, members: &[&str], verdict: &str) -> Value {
    json!({
        "type": "finding", "uri": word, "raw": word, "cue": "bare", "scheme": word,
        "place": {
            "path": word, "members": members, "offset": 0, "len": 1, "line": 3, "column": 2,
            "file_offset": 0
        },
        "base": word,
        "message": {"id": word, "date": word, "list_id": word, "header": word, "part": word},
        "syntax": {
            "grammar": word, "ok": false, "rule": word, "at": 3, "expected": word, "spec": word,
            "message": word, "hint": word
        },
        "warnings": [{"rule": word, "at": 0, "message": word, "spec": word}],
        "reach": {
            "class": word, "probe": word, "status": 404, "message": word,
            "hops": [{"status": 301, "to": word}], "hint": word
        },
        "verdict": verdict
    })
}

/// A run of which each text is `word`.
fn run(word: &str) -> String {
    let note = json!({
        "type": "note", "kind": word, "message": word,
        "place": {"path": word, "members": [word], "offset": 5}
    });
    let summary = json!({
        "type": "summary", "schema": 1, "complete": false, "files": 1, "bytes": 1, "messages": 0,
        "findings": 4, "distinct": 1,
        "verdicts": {"ok": 1, "warn": 1, "error": 2, "skipped": 0}, "skipped": {word: 1}
    });
    let lines = [
        finding(word, &[], "error"),
        finding(word, &[word, word], "error"),
        finding(word, &[], "warn"),
        finding(word, &[], "ok"),
        note,
        summary,
    ];
    lines.map(|line| escaped(&line.to_string()) + "\n").concat()
}

/// Escapes JSON as a run writes it, which `ndjson` repeats byte for byte.
fn escaped(json: &str) -> String {
    let escape = |char: char| {
        if is_hostile(char) { format!("\\u{:04x}", u32::from(char)) } else { char.to_string() }
    };
    json.chars().map(escape).collect()
}

/// The report called `format` over a run of which each text is `word`.
fn report(home: &Path, format: &str, options: &[&str], word: &str) -> PathBuf {
    fs::write(home.join("run"), run(word)).expect("a run");
    let to = format!("--format={format}=report");
    let output = home::run(home, &[&["report", "run", &to], options].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    home.join("report")
}

/// Returns the names and texts that a parser gets, in their order.
fn read(format: &str, file: &Path) -> Vec<String> {
    let text = || fs::read_to_string(file).expect("UTF-8");
    match format {
        "text" => text().split('\n').map(str::to_owned).collect(),
        "ndjson" => text().lines().flat_map(json).collect(),
        "json" | "gitlab" | "rdjson" => json(&text()),
        "sarif" => json(&text()).iter().map(|text| viewed(text)).collect(),
        "junit" | "checkstyle" => xml(&text()),
        "github" => text().lines().flat_map(annotation).collect(),
        "markdown" | "job-summary" => markdown(&text()),
        "tap" => tap(&text(), file),
        "html" => html(&text()),
        // Keys are made of the texts, and have other letters.
        "cdxj" => text()
            .lines()
            .flat_map(|line| json(line.splitn(3, ' ').last().expect("JSON")))
            .collect(),
        "csv" => json(&python(CSV, file)),
        "sqlite" => json(&python(SQLITE, file)),
        "arrow" | "parquet" => json(&crate::arrow::texts(file).to_string()),
        _ => panic!("nobody reads {format} back"),
    }
}

/// Appends each text of `value`, with the names that lead to it.
fn flatten(name: &str, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| flatten(&format!("{name}/{key}"), value, out));
        }
        Value::Array(values) => values.iter().for_each(|value| flatten(name, value, out)),
        // A hash of the texts.
        Value::String(_) if name.contains("ingerprint") => out.push(name.to_owned()),
        Value::String(text) => out.push(format!("{name}={text}")),
        other => out.push(format!("{name}={other}")),
    }
}

fn json(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    flatten("", &serde_json::from_str(text).expect("JSON"), &mut out);
    out
}

/// Returns the text that a viewer of SARIF shows of a message, and the file that it opens.
fn viewed(text: &str) -> String {
    if text.contains("/artifactLocation/uri=") {
        let mut parts = text.split('%');
        let mut bytes = parts.next().expect("a part").as_bytes().to_vec();
        for part in parts {
            bytes.push(u8::from_str_radix(&part[..2], 16).expect("two digits"));
            bytes.extend_from_slice(&part.as_bytes()[2..]);
        }
        return String::from_utf8(bytes).expect("UTF-8");
    }
    text.replace(r"\](", "](").replace("{{", "{").replace("}}", "}")
}

fn xml(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let unescaped = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).expect("UTF-8");
        quick_xml::escape::unescape(text).expect("text that is XML").into_owned()
    };
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().expect("XML") {
            Xml::Eof => return out,
            Xml::Start(element) | Xml::Empty(element) => {
                out.push(unescaped(element.name().as_ref()));
                for attribute in element.attributes() {
                    let attribute = attribute.expect("an attribute that is there once");
                    out.push(unescaped(attribute.key.as_ref()));
                    out.push(unescaped(&attribute.value));
                }
                out.push(String::new());
            }
            // It comes in pieces.
            Xml::Text(text) => out.iter_mut().next_back().expect("one").push_str(&unescaped(&text)),
            Xml::GeneralRef(name) => {
                let text = unescaped(&[b"&", &*name, b";"].concat());
                out.iter_mut().next_back().expect("one").push_str(&text);
            }
            Xml::Decl(_) | Xml::End(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Level, properties and data, as GitHub's runner reads them.
fn annotation(line: &str) -> Vec<String> {
    let (head, data) =
        line.strip_prefix("::").and_then(|body| body.split_once("::")).expect("a command");
    let undo = |text: &str, pairs: &[(&str, &str)]| {
        pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let both = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
    let property = [&[("%3A", ":"), ("%2C", ",")], &both[..]].concat();
    let mut parts: Vec<_> = head.split([' ', ',']).map(str::to_owned).collect();
    if let Some((level, properties)) = head.split_once(' ') {
        parts = properties.split(',').map(|pair| undo(pair, &property)).collect();
        parts.push(level.to_owned());
    }
    parts.push(undo(data, &both));
    parts
}

fn markdown(text: &str) -> Vec<String> {
    let options = Options::all().difference(Options::ENABLE_SMART_PUNCTUATION);
    let events = TextMergeStream::new(Parser::new_ext(text, options));
    let said = |event: Event<'_>| match event {
        Event::Text(text) => text.into_string(),
        other => format!("{other:?}"),
    };
    events.map(said).collect()
}

/// A script that prints how Perl's TAP::Parser reads each line, except those of YAML.
const TAP: &str = r#"
    use TAP::Parser; my $parser = TAP::Parser->new({source => $ARGV[0]});
    while (my $result = $parser->next) {
        my $text = $result->is_test ? $result->description : $result->as_string;
        $text =~ s/\\(.)/$1/g if $result->is_test;
        print join("|", $result->type, $result->is_test ? $result->directive : "", $text), "\n"
            unless $result->is_yaml }
    die join "; ", $parser->parse_errors if $parser->parse_errors;"#;

fn tap(text: &str, file: &Path) -> Vec<String> {
    // It reads version 13, in which all of this means the same.
    let file = file.with_extension("tap");
    fs::write(&file, text.replacen("TAP version 14", "TAP version 13", 1)).expect("a file");
    let mut out: Vec<_> = program("perl", "-e", TAP, &file).lines().map(str::to_owned).collect();
    for block in text.split("\n  ---\n").skip(1) {
        let block = block.split("\n  ...\n").next().expect("a block");
        let documents = YamlLoader::load_from_str(block).expect("YAML");
        let entries = documents.iter().filter_map(Yaml::as_vec).flatten();
        for (key, value) in entries.filter_map(Yaml::as_hash).flatten() {
            let text = |it: &Yaml| it.as_str().expect("a string").to_owned();
            out.extend([text(key), text(value)]);
        }
    }
    out
}

fn html(text: &str) -> Vec<String> {
    let mut emitter = DefaultEmitter::default();
    // Scripts and styles are text up to their end tags.
    emitter.naively_switch_states(true);
    let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let mut out = Vec::new();
    for token in Tokenizer::new_with_emitter(text, emitter) {
        match token.expect("reading a string cannot fail") {
            Token::StartTag(tag) => {
                out.push(string(&tag.name));
                let attributes = tag.attributes.iter();
                attributes.for_each(|(name, value)| out.extend([string(name), string(value)]));
            }
            Token::String(text) if text.starts_with(b"{\"") => out.extend(json(&string(&text))),
            Token::String(text) => out.push(string(&text)),
            Token::EndTag(_) | Token::Doctype(_) => {}
            // Browsers keep these characters (HTML, "Parse errors").
            Token::Error(error) if error.value == html5gum::Error::NoncharacterInInputStream => {}
            other => panic!("{other:?}"),
        }
    }
    out
}

/// Rows without the apostrophe that makes text of a formula.
const CSV: &str = "import csv, json, sys\n\
    file = open(sys.argv[1], newline='', encoding='utf-8')\n\
    rows = list(csv.reader(file, strict=True))\n\
    assert not any(cell[:1] in '=+-@' and cell for row in rows for cell in row)\n\
    print(json.dumps([[cell.removeprefix(\"'\") for cell in row] for row in rows]))";

/// Rows; texts with NUL are BLOBs, and lists are JSON.
const SQLITE: &str = "import json, sqlite3, sys\n\
    base = sqlite3.connect(sys.argv[1])\n\
    text = lambda it: it.decode() if isinstance(it, bytes) else it\n\
    value = lambda it: json.loads(it) if str(it)[:1] in ('[', '{') else text(it)\n\
    rows = lambda name: base.execute('SELECT * FROM ' + name + ' ORDER BY id')\n\
    names = ['findings', 'notes', 'summary']\n\
    print(json.dumps([[[value(it) for it in row] for row in rows(name)] for name in names]))";

fn python(script: &str, file: &Path) -> String {
    program("python3", "-c", script, file)
}

fn program(name: &str, option: &str, script: &str, file: &Path) -> String {
    let output = Command::new(name).args([option, script]).arg(file).output().expect(name);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// `text` of the format, with the harmless word for what strangers wrote, however it is shown.
fn replaced(format: &str, text: &str) -> String {
    let mut shown = Shown(HOSTILE.as_bytes()).to_string();
    if matches!(format, "junit" | "checkstyle") {
        shown = shown.replace('\u{ffff}', "\u{fffd}");
    }
    text.replace(HOSTILE, HARMLESS).replace(&shown, HARMLESS)
}

#[track_caller]
fn case(format: &str, options: &[&str]) {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_strangers");
    let home = home.join(format!("{format}{}", options.concat()));
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).expect("a directory");
    let harmless = read(format, &report(&home, format, options, HARMLESS));
    assert!(harmless.iter().any(|text| text.contains(HARMLESS)), "{format}: {harmless:?}");
    let file = report(&home, format, options, HOSTILE);
    if let Ok(text) = fs::read_to_string(&file) {
        let is_bad = |char: char| is_hostile(char) && !matches!(char, '\n' | '\r');
        assert!(format == "sqlite" || !text.contains(is_bad), "{format}: {text:?}");
    }
    let hostile: Vec<_> = read(format, &file).iter().map(|text| replaced(format, text)).collect();
    for (hostile, harmless) in hostile.iter().zip(&harmless) {
        assert_eq!(hostile, harmless, "{format}");
    }
    assert_eq!(hostile.len(), harmless.len(), "{format}");
}

#[test]
fn what_strangers_write_is_text_in_every_format() {
    REPORTS.iter().for_each(|report| case(report.name(), &[]));
}

#[test]
fn what_strangers_write_is_text_in_groups() {
    for format in groups::formats() {
        GROUPINGS.iter().for_each(|it| case(format, &["--group-by", it.name]));
    }
}
