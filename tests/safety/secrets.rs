//! Tests that no password shows: each row of corpus/grammar/secrets.tsv goes through every output
//! there is.
//!
//! A word that occurs nowhere else is planted as the password, or its halves around the characters
//! that are recognised there, and searched for in all output: of reports, commands, `Debug` and
//! `Display`. The limits, where no password can be recognised, have tests of their own.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use linktrawl::Error;
use linktrawl::internal::check::unwrap::unwrapped;
use linktrawl::internal::finding::{Message, Note, NoteKind, Origin, Repairs};
use linktrawl::internal::grammar::compare::compare;
use linktrawl::internal::grammar::normalize::{RULE_SETS, normalize};
use linktrawl::internal::grammar::resolve::{ALGORITHMS, resolve};
use linktrawl::internal::grammar::{GRAMMARS, Grammar, lint};
use linktrawl::internal::report::{REPORTS, Style};
use linktrawl::internal::run::{self, Observer, Options, Output, WalkRules};
use linktrawl::internal::scan::Scanner;
use linktrawl::internal::source::markup::Markup;
use linktrawl::internal::uri::{Component, Redacted};

use crate::support::chance::Chance;
use crate::support::debugged::{Debugged, append_note};
use crate::support::home;

/// The halves of what must show nowhere.
const HALVES: [&str; 2] = ["kwzqvj", "xbtfpg"];

/// A row of the table.
pub(crate) struct Row {
    line: usize,
    pub(crate) text: Vec<u8>,
    pub(crate) shown: Vec<u8>,
    has_secret: bool,
}

// ---- the table -------------------------------------------------------------------------

pub(crate) fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/grammar/secrets.tsv");
    let table = fs::read_to_string(path).expect("the table is UTF-8 text");
    let lines = table.lines().zip(1..).filter(|(line, _)| !line.starts_with('#'));
    lines.map(|(line, number)| read_row(line, number)).collect()
}

fn read_row(line: &str, number: usize) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    let [text, shown, _note] = fields.try_into().expect("three fields");
    let shown = if shown == "=" { text } else { shown };
    let has_secret = ["\\p", "\\1", "\\2"].iter().any(|mark| text.contains(mark));
    Row { line: number, text: decode(text), shown: decode(shown), has_secret }
}

/// Rows with a planted password.
pub(crate) fn secret_rows() -> Vec<Row> {
    rows().into_iter().filter(|row| row.has_secret).collect()
}

/// Resolves the escapes that the table's first lines list.
fn decode(field: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let (name, after) = escape.split_at(1);
        rest = after;
        match name {
            "p" => bytes.extend_from_slice(HALVES.concat().as_bytes()),
            "1" => bytes.extend_from_slice(HALVES[0].as_bytes()),
            "2" => bytes.extend_from_slice(HALVES[1].as_bytes()),
            "\\" => bytes.push(b'\\'),
            "t" => bytes.push(b'\t'),
            "r" => bytes.push(b'\r'),
            "n" => bytes.push(b'\n'),
            "x" => {
                bytes.push(u8::from_str_radix(&after[..2], 16).expect("two digits"));
                rest = &after[2..];
            }
            _ => {
                assert_eq!(name, "u", "no other escape is listed");
                let (digits, after) = after[1..].split_once('}').expect("a brace");
                let code = u32::from_str_radix(digits, 16).expect("digits");
                let char = char::from_u32(code).expect("a scalar");
                bytes.extend_from_slice(char.to_string().as_bytes());
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

// ---- looking for what was planted ------------------------------------------------------

/// The part of `printed` around a planted word; none when there is none.
pub(crate) fn leak(printed: &[u8]) -> Option<String> {
    leak_of_halves(printed, HALVES)
}

/// The same with other halves. Found in any case, as the numbers that `Debug` of bytes prints,
/// and in base64.
fn leak_of_halves(printed: &[u8], halves: [&str; 2]) -> Option<String> {
    let lower = printed.to_ascii_lowercase();
    let numbers = |half: &str| {
        let numbers: Vec<_> = half.bytes().map(|byte| byte.to_string()).collect();
        numbers.join(", ")
    };
    let names = halves.iter().flat_map(|half| [(*half).to_owned(), numbers(half)]);
    let found = names.into_iter().find_map(|name| {
        let at = lower.windows(name.len()).position(|window| window == name.as_bytes())?;
        let around = &printed[at.saturating_sub(200)..(at + 60).min(printed.len())];
        Some(format!("…{}…", String::from_utf8_lossy(around)))
    });
    found.or_else(|| {
        base64_values(&lower, printed).iter().find_map(|value| leak_of_halves(value, halves))
    })
}

/// Returns the decoded base64 under keys that end in `_bytes`.
fn base64_values(lower: &[u8], printed: &[u8]) -> Vec<Vec<u8>> {
    const KEY_END: &[u8] = b"_bytes\":\"";
    let places = lower.windows(KEY_END.len()).enumerate().filter(|(_, key)| *key == KEY_END);
    let values = places.filter_map(|(at, _)| {
        let value = &printed[at + KEY_END.len()..];
        let end = value.iter().position(|&byte| byte == b'"')?;
        BASE64.decode(&value[..end]).ok()
    });
    values.collect()
}

/// Panics with all that leaked.
#[track_caller]
pub(crate) fn report(leaks: &[String]) {
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}

#[test]
fn a_leak_is_found_in_every_disguise() {
    let word = HALVES.concat();
    assert!(leak(format!("x{}y", HALVES[1]).as_bytes()).is_some());
    assert!(leak(word.to_uppercase().as_bytes()).is_some());
    assert!(leak(format!("{:?}", word.as_bytes()).as_bytes()).is_some());
    let record = format!(r#"{{"uri_bytes":"{}"}}"#, BASE64.encode(word.as_bytes()));
    assert!(leak(record.as_bytes()).is_some());
    assert!(leak(b"kwzqv xbtfp").is_none());
}

// ---- the type --------------------------------------------------------------------------

#[test]
fn each_row_is_shown_as_the_table_says() {
    let rows = rows();
    assert!(rows.len() >= 60, "{} rows", rows.len());
    for Row { line, text, shown, .. } in &rows {
        let found = Redacted::new(text);
        let (found, wanted) = (found.shown().escape_ascii().to_string(), shown.escape_ascii());
        assert_eq!(found, wanted.to_string(), "line {line}");
    }
}

#[test]
fn what_is_shown_is_shown_as_it_is() {
    for Row { line, shown, .. } in rows() {
        assert_eq!(*Redacted::new(&shown).shown(), shown, "line {line}");
    }
}

/// Reports whether a URL of a mail gateway is in `text`, or, on whatever host, the parameter of
/// Safe Links that names the reader, or a link between the marks of URL Defense or Check Point and
/// a token: these tokens are not shown. Knows the parameter and the marks by expressions.
fn holds_gateway(text: &[u8]) -> bool {
    for expression in [
        r"(?i-u)[&;]data=[0-9]{2}(?:%7C|\|)[^&]*(?:@|%40)",
        r"(?i-u)/v3/__.*__;[^!]*!![^!]*!.",
        r"(?i-u)/v2/___.*___\..",
    ] {
        if regex::bytes::Regex::new(expression).expect("an expression").is_match(text) {
            return true;
        }
    }
    let mut scanner = Scanner::new(text).with_www();
    while let Some(candidate) = scanner.next() {
        if unwrapped(candidate.text).is_some() {
            return true;
        }
    }
    text.split(u8::is_ascii_whitespace).any(|word| unwrapped(word).is_some())
}

/// Nothing of the corpora is changed but what has a password or a gateway's tokens to hide.
#[test]
fn uris_without_user_information_are_not_changed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut count = 0;
    for path in files(&root) {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if name == "secrets.tsv" {
            continue;
        }
        let text = fs::read(&path).expect("a file of the corpus");
        // Fields of tables are texts of their own, too: an input need not be found by the scanner.
        let fields = text.split(|&byte| matches!(byte, b'\n' | b'\t' | 0x1F));
        let mut texts: Vec<Vec<u8>> = fields.map(<[u8]>::to_vec).collect();
        let mut scanner = Scanner::new(&text).with_www();
        while let Some(candidate) = scanner.next() {
            texts.push(candidate.text.to_vec());
        }
        for text in texts {
            count += 1;
            let is_changed = *Redacted::new(&text).shown() != text;
            assert!(
                !is_changed || may_have_password(&text) || holds_gateway(&text),
                "{}: {}",
                path.display(),
                text.escape_ascii()
            );
        }
    }
    assert!(count > 10_000, "{count} texts");
}

/// Reports whether `text` has an `@` after a colon that follows an authority's beginning, with no
/// slash between, or after something that is not a port, or whether a database has a parameter that
/// is called a password. Uses expressions, and not the rules of the library.
fn may_have_password(text: &[u8]) -> bool {
    let login = r"(?:[/\\]{2}|\bwww\.|\b(?:https?|ftp|wss?|sips?):)[^/]*(?::|%3A)[^/]+@";
    let beyond = r"(?:^|:)[/\\]{2}[^/?#\\@]*:[^/?#\\@]*[^0-9/?#\\@][^/?#\\@]*/.*@";
    let parameter = r"(?:dbc:|^(?:url:)?[a-z0-9+]+:).*(?:pass|pwd|word|passwd|phrase)\s*=.";
    let mut text = text.to_vec();
    for _ in 0..4 {
        let is_any = [login, beyond, parameter].iter().any(|expression| {
            let expression = format!("(?is-u){expression}");
            regex::bytes::Regex::new(&expression).expect("an expression").is_match(&text)
        });
        if is_any {
            return true;
        }
        text = unescaped(&text);
    }
    false
}

/// `text` with each escape decoded once, and an `@` in place of its wide forms.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let escape = regex::bytes::Regex::new(r"(?i-u)%([0-9a-f]{2})").expect("an expression");
    let decoded = escape.replace_all(text, |found: &regex::bytes::Captures<'_>| {
        let digits = String::from_utf8_lossy(&found[1]).into_owned();
        vec![u8::from_str_radix(&digits, 16).expect("two digits")]
    });
    let wide = regex::bytes::Regex::new("(?-u)\\xEF(?:\\xBC\\xA0|\\xB9\\xAB)");
    wide.expect("an expression").replace_all(&decoded, &b"@"[..]).into_owned()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

// ---- the library -----------------------------------------------------------------------

#[test]
fn no_grammar_shows_a_password() {
    let mut leaks = Vec::new();
    for row in secret_rows() {
        for grammar in GRAMMARS {
            let printed = said_by(*grammar, &row.text);
            if let Some(leak) = leak(printed.as_bytes()) {
                leaks.push(format!("line {}: {}: {leak}", row.line, grammar.name()));
            }
        }
    }
    report(&leaks);
}

/// All that a grammar says of a text.
fn said_by(grammar: &dyn Grammar, text: &[u8]) -> String {
    let uri = grammar.split(text);
    let parts = grammar.components(text);
    let mut out = format!("{uri:?} {uri:#?} {parts:?} {:?}", grammar.violations(text));
    for part in uri.components().chain(parts) {
        let (user, password) = part.text.user_and_password();
        let whole = Redacted::new(text);
        let shown = [part.text.shown(), whole.shown()];
        let shown = shown.map(|shown| String::from_utf8_lossy(&shown).into_owned());
        let _ = write!(out, "{} {shown:?}", part.name);
        if part.name == "userinfo" {
            let _ = write!(out, "{user:?} {password:?}");
        }
    }
    let mut warnings = Vec::new();
    lint(text, &mut warnings);
    let _ = write!(out, "{warnings:?}");
    warnings.iter().for_each(|warning| out.push_str(&warning.to_string()));
    for refused in [Repairs::NONE, Repairs::ALL] {
        for answer in [grammar.check(text).map(|()| Repairs::NONE), grammar.read(text, refused)] {
            let _ = write!(out, "{answer:?}");
            if let Err(fault) = answer {
                let _ = write!(out, "{fault} {fault:#?} {}", fault.expectation());
            }
        }
    }
    out
}

/// Not even one character: a message about a character would disclose it.
#[test]
fn no_message_quotes_a_character_of_a_password() {
    let mut count = 0;
    for odd in [PLAIN, ODD, &["%00", "%0A", "\0", "\n"]].concat().iter().filter(|it| **it != "@") {
        let text = format!("ftp://u:{}{odd}{}@h/~", HALVES[0], HALVES[1]);
        let hidden = 8..text.len() - 4;
        for grammar in GRAMMARS {
            for refused in [Repairs::NONE, Repairs::ALL] {
                let Err(fault) = grammar.read(text.as_bytes(), refused) else { continue };
                if fault.at.is_some_and(|at| hidden.contains(&at)) {
                    // A rule's requirement may quote delimiters, but never the text that was found.
                    let quoted = format!("\"{odd}\"");
                    assert!(!fault.message.contains("must be written"), "{}", fault.message);
                    assert!(!fault.message.contains(&quoted), "{}", fault.message);
                    assert_eq!(fault.hint, None, "{}: {text:?}", grammar.name());
                    count += 1;
                }
            }
        }
        let mut warnings = Vec::new();
        lint(text.as_bytes(), &mut warnings);
        warnings.retain(|warning| hidden.contains(&warning.at) && warning.lint.id != "password");
        for warning in &warnings {
            assert_eq!(warning.message, warning.lint.about, "{text:?}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn no_rules_show_a_password() {
    let leaks = secret_rows().into_iter().filter_map(|row| {
        let leak = leak(made_of(&row.text).as_bytes())?;
        Some(format!("line {}: {leak}", row.line))
    });
    report(&leaks.collect::<Vec<_>>());
}

#[test]
fn no_type_that_holds_text_shows_a_password() {
    let mut leaks = Vec::new();
    for Row { line, text, .. } in secret_rows() {
        let mut scanner = Scanner::new(&text).with_www();
        let mut printed = format!("{scanner:?}");
        while let Some(candidate) = scanner.next() {
            let _ = write!(printed, "{candidate:?} {candidate:#?}");
        }
        let path = PathBuf::from(OsStr::from_bytes(&text));
        let origin =
            Origin { path: path.clone(), members: vec![text.clone()], ..Origin::default() };
        let note =
            Note { kind: NoteKind::InputVanished, origin, offset: None, message: String::new() };
        let ids = (Some(text.clone()), Some(text.clone()));
        let message = Message { id: ids.0, list_id: ids.1, ..Message::default() };
        let source = || std::io::Error::other("no");
        let lossy = || String::from_utf8_lossy(&text).into_owned();
        let errors = [
            Error::Open { path: path.clone(), source: source() },
            Error::Read { path: path.clone(), offset: 0, source: source() },
            Error::Walk { path, source: source() },
            Error::Write { target: lossy(), source: source() },
            Error::Pattern { pattern: lossy(), reason: lossy() },
        ];
        let _ = write!(printed, "{note:?} {message:?} {errors:?} {}", errors[3]);
        let _ = write!(printed, "{} {:?}", errors[4], Component::of("path", &text).text.shown());
        let _ = write!(printed, "{:?}", Markup::Html.page(&in_tag("base", &text)));
        let mut out = printed.into_bytes();
        REPORTS.iter().for_each(|report| append_note(*report, &note, &mut out));
        leaks.extend(leak(&out).map(|leak| format!("line {line}: {leak}")));
    }
    report(&leaks);
}

struct Deaf;

impl Observer for Deaf {
    fn note(&self, _: &Note) {}

    fn progress(&self, _: u64) {}
}

#[test]
fn no_finding_shows_a_password() {
    let home = directory("findings");
    for (name, text) in inputs() {
        let [input, out] = ["in", "out"].map(|end| home.join(format!("{name}.{end}")));
        fs::write(&input, text).expect("a file");
        let options = Options {
            grammars: GRAMMARS.to_vec(),
            refused: Repairs::NONE,
            find: linktrawl::Cue::ALL.to_vec(),
            walk: WalkRules { hidden: false, ignored: true },
            ..Options::default()
        };
        let output = Output {
            report: &Debugged,
            style: Style::default(),
            name: "out".to_owned(),
            target: Box::new(fs::File::create(&out).expect("a file")),
            identities: Vec::new(),
        };
        let summary = run::scan(&mut std::iter::once(Ok(input)), &options, vec![output], &Deaf)
            .expect("a run");
        assert!(summary.findings > 20, "{name}: {}", summary.findings);
        let printed = fs::read(out).expect("what was printed");
        report(
            &leak(&printed).map(|leak| format!("{name}: {leak}")).into_iter().collect::<Vec<_>>(),
        );
    }
}

// ---- the binary ------------------------------------------------------------------------

/// Returns the output of the binary, standard output first.
pub(crate) fn printed(args: &[&[u8]], input: &[u8]) -> Vec<u8> {
    let called: Vec<_> = args.iter().map(|arg| OsStr::from_bytes(arg)).collect();
    let output = home::run_on(Path::new(env!("CARGO_MANIFEST_DIR")), &called, input);
    assert!(output.status.code().is_some_and(|code| code <= 2), "{:?}", args.last());
    [output.stdout, output.stderr].concat()
}

/// Returns the leak in the output of the binary for these arguments.
pub(crate) fn leak_of(args: &[&[u8]], input: &[u8]) -> Option<String> {
    let called: Vec<_> = args.iter().map(|arg| arg.escape_ascii().to_string()).collect();
    leak(&printed(args, input)).map(|leak| format!("{}: {leak}", called.join(" ")))
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> Vec<u8> {
    names.collect::<Vec<_>>().join(",").into_bytes()
}

/// Returns an empty directory for the test called `name`.
pub(crate) fn directory(name: &str) -> PathBuf {
    home::directory("secrets", name)
}

/// Rows as references on standard input.
fn list() -> Vec<u8> {
    let rows = secret_rows().into_iter().filter(|row| !row.text.contains(&b'\n'));
    rows.flat_map(|row| [row.text, b"\n".to_vec()].concat()).collect()
}

#[test]
fn parse_shows_no_password() {
    let all = names(GRAMMARS.iter().map(|grammar| grammar.name()));
    let mut leaks = Vec::new();
    for format in [&b"text"[..], b"ndjson"] {
        for refused in [&b"R1"[..], b"all"] {
            let args = [b"parse", &b"--format"[..], format, b"--no-repair", refused, b"--grammar"];
            leaks.extend(leak_of(&[&args[..], &[&all[..]]].concat(), &list()));
            for grammar in GRAMMARS {
                let one = [&args[..], &[grammar.name().as_bytes()]].concat();
                leaks.extend(leak_of(&one, &list()));
            }
        }
        for row in secret_rows() {
            let args = [&b"parse"[..], b"--format", format, b"--grammar", &all, b"--", &row.text];
            leaks.extend(leak_of(&args, b""));
        }
    }
    report(&leaks);
}

#[test]
fn resolve_shows_no_password() {
    let all = names(ALGORITHMS.iter().map(|rules| rules.name));
    let mut leaks = Vec::new();
    for format in [&b"text"[..], b"ndjson"] {
        let args = [&b"resolve"[..], b"--format", format, b"--rules", &all];
        for base in [&b"--base=http://a/b/c"[..], b"--base=ftp://a/b//c/d", b"--base=x:a", b"-"] {
            leaks.extend(leak_of(&[&args[..], &[base, b"-"]].concat(), &list()));
        }
        leaks.extend(leak_of(&[&args[..], &[b"--assume-scheme=ftp"]].concat(), &list()));
        for row in secret_rows() {
            let base = [b"--base=", &row.text[..]].concat();
            let references =
                b"g\n../g\n/g\n//g\n///g\n?y\n#s\n\nhttp:g\nftp:g\nx://u:p@h/\n..\n.\n";
            leaks.extend(leak_of(&[&args[..], &[&base, b"-"]].concat(), references));
        }
    }
    report(&leaks);
}

#[test]
fn compare_shows_no_password() {
    let all = names(RULE_SETS.iter().map(|rules| rules.name));
    let mut leaks = Vec::new();
    for format in [&b"text"[..], b"ndjson"] {
        for row in secret_rows() {
            let args = [&b"compare"[..], b"--format", format, b"--rules", &all, b"--"];
            leaks.extend(leak_of(&[&args[..], &[&row.text, b"http://h/"]].concat(), b""));
            leaks.extend(leak_of(&[&args[..], &[b"http://h/", &row.text]].concat(), b""));
        }
    }
    report(&leaks);
}

/// Messages quote an argument that is in the place of another.
#[test]
fn complaints_show_no_password() {
    let home = directory("complaints");
    let file = home.join("a.txt");
    fs::write(&file, "http://h/").expect("a file");
    let file = file.as_os_str().as_bytes();
    let mut leaks = Vec::new();
    for row in secret_rows().iter().filter(|row| row.text.starts_with(b"ftp:")) {
        let uri = &row.text[..];
        let option = |name: &str| [name.as_bytes(), b"=", uri].concat();
        let broken = [uri, b"("].concat();
        let calls: Vec<Vec<Vec<u8>>> = vec![
            vec![uri.to_vec()],
            vec![option("--generate")],
            vec![option("--ftp://x")],
            vec![b"scan".to_vec(), uri.to_vec()],
            vec![b"scan".to_vec(), option("--format"), file.to_vec()],
            vec![b"scan".to_vec(), option("--format=text"), file.to_vec()],
            vec![b"scan".to_vec(), option("--grammar"), file.to_vec()],
            vec![b"scan".to_vec(), option("--threads"), file.to_vec()],
            vec![b"scan".to_vec(), b"--include".to_vec(), broken, file.to_vec()],
            vec![b"scan".to_vec(), option("--find"), file.to_vec()],
            vec![b"parse".to_vec(), option("--format")],
            vec![b"parse".to_vec(), option("--no-repair")],
            vec![b"resolve".to_vec(), option("--assume-scheme"), b"g".to_vec()],
            vec![b"resolve".to_vec(), b"--base".to_vec(), [b" ", uri].concat()],
            vec![b"resolve".to_vec(), option("--rules")],
            vec![b"compare".to_vec(), uri.to_vec()],
            vec![b"grammar".to_vec(), uri.to_vec()],
            vec![b"grammar".to_vec(), b"show".to_vec(), uri.to_vec()],
            vec![b"compare".to_vec(), uri.to_vec(), uri.to_vec(), uri.to_vec()],
        ];
        for call in calls {
            let call: Vec<_> = call.iter().map(Vec::as_slice).collect();
            leaks.extend(leak_of(&call, b""));
        }
    }
    report(&leaks);
}

/// Every row in texts of every kind: a name, and the bytes.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    type Wrapped = fn(&[u8]) -> Vec<u8>;
    let kinds: [(&str, &str, Wrapped); 9] = [
        ("bare", "", |uri| [b"see ", uri, b" there.\n\n"].concat()),
        ("alone", "", |uri| [uri, b"\n\n"].concat()),
        ("url", "", |uri| [b"see <URL:", uri, b">.\n\n"].concat()),
        ("angle", "", |uri| [b"see <", uri, b">.\n\n"].concat()),
        ("folded", "", |uri| folded(b"<", uri, b"\n  ", b">")),
        ("quoted", "", |uri| folded(b"> <URL:", uri, b"\r\n> ", b">")),
        ("broken", "", |uri| {
            // With a raw slash too, nothing indicates a password: see the limits below.
            let has_slash = uri.starts_with(b"postgres:");
            if has_slash { Vec::new() } else { folded(b"", uri, b"\n", b"") }
        }),
        ("mail", "From a@b Thu Dec  1 00:00:00 1994\nSubject: s\n\n", |uri| {
            let message = [&b"From a@b Thu Dec  1 00:00:00 1994\nMessage-ID: <"[..], uri];
            [&message.concat(), &b">\nX-Url: <"[..], uri, b">\n\n> ", uri, b"\n\n"].concat()
        }),
        ("document", "<!doctype html><base href=\"http://u:kwzqvjxbtfpg@h/\">\n", |uri| {
            in_tag("a", uri)
        }),
    ];
    let inputs = kinds.into_iter().map(|(name, head, wrapped)| {
        let texts = secret_rows().into_iter().flat_map(|row| wrapped(&row.text));
        (name, head.bytes().chain(texts).collect())
    });
    inputs.collect()
}

/// `tag` of HTML with `uri` as its attribute, which nothing but a quote would end.
fn in_tag(tag: &str, uri: &[u8]) -> Vec<u8> {
    let escaped = |byte: &u8| if *byte == b'"' { b"&quot;".to_vec() } else { vec![*byte] };
    let value: Vec<u8> = uri.iter().flat_map(escaped).collect();
    [b"<", tag.as_bytes(), b" href=\"", &value, b"\">x\n"].concat()
}

/// Returns a text with the end of a line after the first half of the planted word.
fn folded(open: &[u8], uri: &[u8], end: &[u8], close: &[u8]) -> Vec<u8> {
    let first = HALVES[0].as_bytes();
    let at = uri.windows(first.len()).position(|window| window == first);
    let (head, tail) = uri.split_at(at.map_or(1, |at| at + first.len()));
    [open, head, end, tail, close, b"\n\n"].concat()
}

#[test]
fn scan_shows_no_password() {
    let home = directory("scan");
    let all = names(GRAMMARS.iter().map(|grammar| grammar.name()));
    let mut leaks = Vec::new();
    for (name, text) in inputs() {
        let path = home.join(format!("{name}.txt"));
        fs::write(&path, text).expect("a file");
        let path = path.as_os_str().as_bytes();
        for format in [&b"text"[..], b"ndjson"] {
            let find = b"--find=url,angle,bare,www,markup,header";
            let args = [&b"scan"[..], b"--format", format, find, path];
            leaks.extend(leak_of(&args, b""));
            leaks.extend(leak_of(&[&args[..], &[b"--unique"]].concat(), b""));
            leaks.extend(leak_of(&[&args[..], &[b"--grammar", &all]].concat(), b""));
        }
    }
    report(&leaks);
}

#[test]
fn a_record_tells_the_base_of_its_document_without_the_password() {
    let path = directory("base").join("a.html");
    fs::write(&path, "<base href=\"http://u:p@h/\"><a href=\"x\">y</a>\n").expect("a file");
    let printed = printed(&[b"scan", b"--format=ndjson", path.as_os_str().as_bytes()], b"");
    assert!(String::from_utf8_lossy(&printed).contains(r#","base":"http://u:***@h/","#));
}

/// A candidate that is cut because it is too long may be cut in its password.
#[test]
fn a_password_without_end_does_not_show() {
    let home = directory("long");
    let long = HALVES.concat().repeat(20_000);
    let path = home.join("a.txt");
    let uris = ["ftp://u:{}@h/", "ftp://u:a@{}@h/", "http://u:a@{}@h/"];
    let uris = uris.map(|uri| uri.replace("{}", &long));
    let texts = uris.iter().map(|uri| format!("<{uri}> {uri}\n"));
    fs::write(&path, texts.collect::<String>()).expect("a file");
    for format in [&b"text"[..], b"ndjson"] {
        let args = [&b"scan"[..], b"--format", format, path.as_os_str().as_bytes()];
        report(&leak_of(&args, b"").into_iter().collect::<Vec<_>>());
    }
}

// ---- random passwords ------------------------------------------------------------------

impl Chance {
    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }

    /// Up to `count_max` of `list`.
    fn text(&mut self, list: &[&str], count_max: usize) -> String {
        (0..self.below(count_max + 1)).map(|_| self.pick(list)).collect()
    }
}

const PLAIN: &[&str] = &["a", "Z", "0", "9", "-", ".", "_", "~", "%41", "%e9", "!", "$", "+", ";"];
const ODD: &[&str] = &[
    "%3A", "%2F", "%40", ":", "@", "?", "#", "&", "=", " ", "\"", "<", ">", "[", "]", "\\", "^",
    "`", "{", "|", "}", "\u{e9}", "\u{4e2d}", "\u{202e}", "%", "%0", "\x01", "\x1b[", "*", "'",
    "(",
];
const SCHEMES: &[&str] = &[
    "http://",
    "https://",
    "ftp://",
    "FTP://",
    "telnet://",
    "rlogin://",
    "wais://",
    "gopher://",
    "news://",
    "nntp://",
    "file://",
    "prospero://",
    "x://",
    "url:ftp://",
    "URL:http://",
    "//",
    "ws://",
    "http:",
    "sip:",
    "ldap://",
    "http:/",
    "http:///",
    "http:\\\\",
    "jar:http://",
];
const HOSTS: &[&str] = &[
    "h",
    "a.example",
    "127.0.0.1",
    "[::1]",
    "H.EXAMPLE",
    "\u{e9}.org",
    "",
    "h:80",
    "[::1]:8",
    "h:",
];
const ENDS: &[&str] =
    &["", "/", "/a/../b", "/;type=i", "/%7e", "?q=b", "#f", "/a?b=c:d#e", "/~a", "/a//b", "/%zz"];

/// A password of anything but a raw slash, that begins like no port, is all that is hidden.
#[test]
fn a_random_password_shows_nowhere() {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let rare = ["j", "k", "q", "v", "w", "x", "z"];
    for _ in 0..3000 {
        let halves = [(); 2].map(|()| (0..6).map(|_| chance.pick(&rare)).collect::<String>());
        let halves = halves.each_ref().map(String::as_str);
        let user = chance.text(PLAIN, 4);
        let noise = [(); 2].map(|()| chance.text(&[PLAIN, ODD].concat(), 4));
        let password = [halves[0], &noise[0], halves[1], &noise[1]].concat();
        let before = format!("{}{user}:", chance.pick(SCHEMES));
        let after = format!("@{}{}", chance.pick(HOSTS), chance.pick(ENDS));
        let text = format!("{before}{password}{after}");
        let shown = format!("{before}***{after}");
        let found = Redacted::new(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found.shown()), shown, "{text:?}");
        let text = text.as_bytes();
        let said = GRAMMARS.iter().map(|grammar| said_by(*grammar, text));
        let printed: String = said.chain([made_of(text)]).collect();
        let leak = leak_of_halves(printed.as_bytes(), halves);
        assert_eq!(leak, None, "{}", text.escape_ascii());
    }
}

/// Returns the results of every algorithm and every rule set for a text, as they may be shown.
fn made_of(text: &[u8]) -> String {
    let mut out = String::new();
    for rules in RULE_SETS {
        let form = normalize(text, rules);
        let made = form.as_ref().map(|form| Redacted::made_of(form.as_bytes(), &[text]));
        let _ = write!(out, "{form:?} {made:?} {:?}", compare(text, b"x:y", rules));
    }
    for rules in ALGORITHMS {
        for [base, reference] in
            [[text, b"g"], [text, b"?y"], [text, b"//g"], [text, b""], [b"http://a/b", text]]
        {
            let made = resolve(base, reference, rules);
            let made = made.as_ref().map(|made| Redacted::made_of(made, &[base, reference]));
            let _ = write!(out, "{made:?} {rules:?}");
        }
    }
    out
}

// ---- limits ----------------------------------------------------------------------------

#[track_caller]
fn limit(text: &str) {
    assert_eq!(*Redacted::new(text.as_bytes()).shown(), *text.as_bytes());
}

/// Every grammar reads a host `u` and the port 12; hidden, `http://h:80/a@b` would be too.
#[test]
fn limit_a_raw_slash_after_what_may_be_a_port() {
    limit("http://u:12/secret@h/");
    limit("ftp://u:12/secret@h/");
    limit("ftp://u:/secret@h/");
}

/// Of the schemes without login, no grammar reads a password there: `http://h:80?to=a@b`.
#[test]
fn limit_a_question_mark_after_what_may_be_a_port() {
    limit("http://u:12?secret@h/");
    limit("//u:12#secret@h/");
}

/// Without an `@` nothing is a user information, and most texts need no second look.
#[test]
fn limit_no_at() {
    limit("ftp://u:secret");
    limit("http://h/?password=secret");
}

/// Nine times escaped, it is what nobody hands on.
#[test]
fn limit_too_many_escapes() {
    limit(&"http://a/?u=http#3A#2F#2Fu#3Asecret#40h".replace('#', &format!("%{}", "25".repeat(8))));
}

/// RFC 3986 §3.2.1 hides the text after a colon: a user may be a token, and is shown.
#[test]
fn limit_a_user_alone() {
    limit("https://secret@h/");
    limit("user:secret@h");
}

/// Two mistakes at once: a raw slash and a line's end, outside of brackets.
#[test]
fn limit_a_raw_slash_and_a_line_end() {
    let path = directory("limit").join("a.txt");
    fs::write(&path, "postgres://u:a/secret\nrest@h/\n").expect("a file");
    let printed = printed(&[b"scan", path.as_os_str().as_bytes()], b"");
    assert!(String::from_utf8_lossy(&printed).contains("postgres://u:a/secret"));
}
