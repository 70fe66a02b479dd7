//! `whatwg` against the table of URLs, against its own promises, and against the parsers of
//! the crates `url` and `ada-url` on mutants of the table.
//!
//! Whatever differs is explained by a rule with a name: one that the other parser breaks in
//! that place. A rule that explains nothing is as wrong as a difference without one.

use std::collections::{BTreeMap, BTreeSet};

use linktrawl::internal::grammar::normalize::{self, normalize};
use linktrawl::internal::grammar::resolve::{self, Unresolved, resolve};
use linktrawl::internal::grammar::{self, Grammar};

use crate::cases::unescape;
use crate::mutation::Random;

const TABLE: &str = include_str!("../../corpus/grammar/urls.tsv");

/// One row of the table.
struct Row {
    line: usize,
    base: String,
    text: String,
    answer: Result<String, String>,
    violations: String,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().enumerate().filter(|(_, text)| !text.starts_with('#'));
    let row = |(idx, text): (usize, &str)| {
        let fields: Vec<&str> = text.split('\t').collect();
        let &[base, text, answer, violations, _note] = fields.as_slice() else {
            panic!("line {}: expected 5 fields, found {}", idx + 1, fields.len());
        };
        let text_of = |field: &str| String::from_utf8(unescape(field)).unwrap();
        let answer = match answer.strip_prefix('!') {
            Some(failure) => Err(failure.to_owned()),
            None => Ok(text_of(answer)),
        };
        let (base, text) = (text_of(base), text_of(text));
        Row { line: idx + 1, base, text, answer, violations: violations.to_owned() }
    };
    lines.map(row).collect()
}

fn whatwg() -> &'static dyn Grammar {
    grammar::find("whatwg").unwrap()
}

/// The serialisation of `text` against `base`, which may be empty.
fn href(base: &str, text: &str) -> Result<String, Unresolved> {
    let rules = resolve::find("whatwg").unwrap();
    let found = resolve(base.as_bytes(), text.as_bytes(), rules);
    found.map(|href| String::from_utf8(href).unwrap())
}

/// Returns the name and the offset of the failure, as the table writes them.
fn failure(text: &str) -> Option<String> {
    let fault = whatwg().check(text.as_bytes()).err()?;
    let (name, _) = fault.message.split_once(": ").unwrap();
    Some(format!("{name}@{}", fault.at.unwrap()))
}

fn violations(text: &str) -> String {
    let found = whatwg().violations_at(text.as_bytes()).unwrap();
    let words: Vec<_> = found.iter().map(|it| format!("{}@{}", it.name, it.at)).collect();
    words.join(" ")
}

#[test]
fn each_text_is_the_url_or_the_failure_of_its_row() {
    for Row { line, base, text, answer, violations: noted } in rows() {
        let found = href(&base, &text);
        match (&answer, found) {
            (Ok(wanted), Ok(found)) => assert_eq!(*wanted, found, "line {line}"),
            (Err(wanted), Err(Unresolved::Refused { words })) => {
                let name = wanted.split('@').next().unwrap();
                assert!(words.starts_with(&format!("{name}: ")), "line {line}: {words}");
            }
            (Err(wanted), Err(Unresolved::NeedsBase)) => {
                assert!(wanted.starts_with("missing-scheme-non-relative-URL"), "line {line}");
            }
            (_, found) => panic!("line {line}: {found:?}"),
        }
        if base.is_empty() {
            assert_eq!(failure(&text), answer.as_ref().err().cloned(), "line {line}");
            if answer.is_ok() {
                assert_eq!(violations(&text), noted, "line {line}");
            }
        }
    }
}

/// The standard's list (§1.1), but for `domain-to-Unicode`, which parsing never has, and
/// `file-invalid-Windows-drive-letter`, which takes a base of `file`.
const ERRORS: [&str; 27] = [
    "domain-to-ASCII",
    "domain-invalid-code-point",
    "host-invalid-code-point",
    "IPv4-empty-part",
    "IPv4-too-many-parts",
    "IPv4-non-numeric-part",
    "IPv4-non-decimal-part",
    "IPv4-out-of-range-part",
    "IPv6-unclosed",
    "IPv6-invalid-compression",
    "IPv6-too-many-pieces",
    "IPv6-multiple-compression",
    "IPv6-invalid-code-point",
    "IPv6-too-few-pieces",
    "IPv4-in-IPv6-too-many-pieces",
    "IPv4-in-IPv6-invalid-code-point",
    "IPv4-in-IPv6-out-of-range-part",
    "IPv4-in-IPv6-too-few-parts",
    "invalid-URL-unit",
    "special-scheme-missing-following-solidus",
    "missing-scheme-non-relative-URL",
    "invalid-reverse-solidus",
    "invalid-credentials",
    "host-missing",
    "port-out-of-range",
    "port-invalid",
    "file-invalid-Windows-drive-letter-host",
];

#[test]
fn the_table_has_every_validation_error_and_no_other() {
    let mut met = BTreeSet::new();
    for row in rows() {
        let words = row.answer.as_ref().err().into_iter().map(String::as_str);
        let names = words.chain(row.violations.split(' ')).filter_map(|it| it.split('@').next());
        met.extend(names.filter(|name| name.len() > 1).map(str::to_owned));
    }
    assert_eq!(met, ERRORS.iter().map(|name| (*name).to_owned()).collect());
}

// ---- mutants ---------------------------------------------------------------------------

/// Pieces that are inserted, or replace other text: delimiters, beginnings, and characters that are
/// refused or mapped somewhere.
const PIECES: [&str; 72] = [
    "/",
    "/",
    "//",
    "\\",
    ":",
    "@",
    "?",
    "#",
    "[",
    "]",
    "%",
    "%2e",
    "%2E%2e",
    "%41",
    "%zz",
    "%00",
    "%C3%A9",
    "%FF",
    ".",
    "..",
    "/./",
    "/../",
    "-",
    "_",
    "~",
    "!",
    "'",
    "\"",
    "<",
    ">",
    "^",
    "`",
    "{",
    "}",
    "|",
    "*",
    ";",
    "=",
    " ",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u{1F}",
    "\u{7F}",
    "\u{80}",
    "é",
    "ß",
    "。",
    "\u{FF0F}",
    "\u{AD}",
    "\u{5D0}",
    "\u{FDD0}",
    "\u{10FFFF}",
    "A",
    "z",
    "0",
    "9",
    "08",
    "0x",
    "256",
    "65536",
    "::",
    "::1]",
    "1.2.3.4",
    "xn--",
    "C:",
    "C|",
    "http:",
    "file:",
    "foo:",
    "localhost",
];

/// Bases that mutants are resolved against; no base is one of them.
const BASES: [&str; 10] = [
    "",
    "",
    "",
    "http://u:p@h:8/a/b?q#f",
    "https://h",
    "foo:/.//a?b",
    "foo://h/a",
    "x:y?q",
    "file:///C:/a/b",
    "file://h/a/b",
];

/// Most pieces that a mutant differs by.
const CHANGES_MAX: usize = 4;

/// Mutants of the rows, and a base for each.
struct Urls {
    seeds: Vec<String>,
    random: Random,
}

impl Urls {
    fn new(seed: u64) -> Self {
        Self { seeds: rows().into_iter().map(|row| row.text).collect(), random: Random::new(seed) }
    }

    /// An offset of `text` where a character begins.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn next(&mut self) -> (&'static str, String) {
        let idx = self.random.below(self.seeds.len());
        let mut text = self.seeds[idx].clone();
        for _ in 0..self.random.below(CHANGES_MAX + 1) {
            let at = self.place(&text);
            match self.random.below(8) {
                0 => {
                    let end = self.place(&text);
                    let (at, end) = (at.min(end), at.max(end).min(at.min(end) + 4));
                    if text.is_char_boundary(end) {
                        text.drain(at..end);
                    }
                }
                1 => {
                    let other = self.random.below(self.seeds.len());
                    let other = self.seeds[other].clone();
                    let from = self.place(&other);
                    text.truncate(at);
                    text.push_str(&other[from..]);
                }
                2..=4 if at < text.len() => {
                    let len = text[at..].chars().next().map_or(0, char::len_utf8);
                    text.replace_range(at..at + len, PIECES[self.random.below(PIECES.len())]);
                }
                _ => text.insert_str(at, PIECES[self.random.below(PIECES.len())]),
            }
        }
        (BASES[self.random.below(BASES.len())], text)
    }
}

// ---- promises --------------------------------------------------------------------------

const PROMISES: usize = 100_000;

/// The parts put together again, with what the standard writes between them (§4.5).
fn assembled(text: &str) -> Option<(String, String)> {
    let parts = whatwg().components(text.as_bytes());
    let part = |name: &str| {
        let found = parts.iter().find(|part| part.name == name)?;
        Some(String::from_utf8(found.text.in_clear().to_vec()).unwrap())
    };
    let href = part("href")?;
    let mut all = part("scheme")? + ":";
    let rest = &href[all.len()..];
    let path = part("path")?;
    let mut authority = String::from("//");
    authority += &part("user").unwrap_or_default();
    authority += &part("password").map(|password| format!(":{password}")).unwrap_or_default();
    if authority.len() > 2 {
        authority.push('@');
    }
    authority += &part("host").unwrap_or_default();
    authority += &part("port").map(|port| format!(":{port}")).unwrap_or_default();
    if authority.len() > 2 || rest.starts_with(&format!("//{path}")) && !path.starts_with("//") {
        all += &authority;
    } else if rest.starts_with("/./") && path.starts_with("//") {
        all += "/.";
    } else if rest.starts_with("////") {
        all += "//";
    }
    all += &path;
    all += &part("query").map(|query| format!("?{query}")).unwrap_or_default();
    all += &part("fragment").map(|fragment| format!("#{fragment}")).unwrap_or_default();
    Some((href, all))
}

#[test]
fn a_url_is_its_parts_and_its_own_serialisation() {
    let rules = normalize::find("whatwg").unwrap();
    let mut urls = Urls::new(0x0B7);
    for _ in 0..PROMISES {
        let (base, text) = urls.next();
        if let Ok(found) = href(base, &text) {
            assert!(found.is_ascii(), "{text:?}");
            assert_eq!(href("", &found).as_ref(), Ok(&found), "{base:?} {text:?}");
        }
        // All ways to the answer agree.
        let is_taken = whatwg().check(text.as_bytes()).is_ok();
        let normal = normalize(text.as_bytes(), rules).ok();
        let parts = assembled(&text);
        assert_eq!((is_taken, is_taken), (normal.is_some(), parts.is_some()), "{text:?}");
        if let (Some(normal), Some((found, all))) = (normal, parts) {
            assert_eq!(found, all, "{text:?}");
            assert_eq!(normal.as_bytes(), found.as_bytes());
            assert_eq!(href("", &text), Ok(found));
        }
    }
}

#[test]
fn offsets_are_of_characters_of_the_text() {
    let mut urls = Urls::new(0x0FF);
    for _ in 0..PROMISES {
        let (_, text) = urls.next();
        let fault = whatwg().check(text.as_bytes()).err().and_then(|fault| fault.at);
        let found = whatwg().violations_at(text.as_bytes()).unwrap();
        let offsets: Vec<usize> = found.iter().map(|violation| violation.at).chain(fault).collect();
        assert!(offsets.iter().all(|at| text.is_char_boundary(*at)), "{text:?}: {offsets:?}");
        assert!(found.is_sorted_by_key(|violation| violation.at), "{text:?}");
        assert_eq!(whatwg().violations(text.as_bytes()).unwrap().len(), found.len());
    }
}

/// A text of which nothing is changed breaks no rule about units, slashes and escapes.
#[test]
fn a_serialisation_has_no_slash_to_mend() {
    let mut urls = Urls::new(0x5E7);
    let slips = ["special-scheme-missing-following-solidus", "invalid-reverse-solidus"];
    for _ in 0..PROMISES / 4 {
        let (base, text) = urls.next();
        let Ok(found) = href(base, &text) else { continue };
        let names = whatwg().violations(found.as_bytes()).unwrap();
        assert!(!names.iter().any(|name| slips.contains(name)), "{text:?} {found:?}: {names:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_at_their_offset() {
    let fault = whatwg().check(b"http://h/\xC3\xA9\xC3/").unwrap_err();
    assert_eq!((fault.rule.id, fault.at), ("utf-8", Some(11)));
    assert_eq!(whatwg().violations_at(b"http://h/\xFF"), None);
    assert!(whatwg().components(b"http://h/\xFF").is_empty());
}

// ---- other parsers ---------------------------------------------------------------------

const MUTANTS: usize = 1_000_000;

/// The results of two parsers for one text.
struct Difference<'t> {
    base: &'t str,
    text: &'t str,
    ours: Option<&'t str>,
    other: Option<&'t str>,
}

/// A rule that the other parser breaks: its name, and whether it explains a difference.
type Rule = (&'static str, fn(&Difference<'_>) -> bool);

impl Difference<'_> {
    /// Our serialisation, or the empty text.
    fn ours(&self) -> &str {
        self.ours.unwrap_or_default()
    }

    /// The other one, or the empty text.
    fn other(&self) -> &str {
        self.other.unwrap_or_default()
    }

    /// The part called `name` of whichever serialisation there is.
    fn part(&self, name: &str) -> String {
        let part = |href: &str| part_of(href, name);
        part(self.ours()).or_else(|| part(self.other())).unwrap_or_default()
    }

    fn is_of(&self, scheme: &str) -> bool {
        self.ours().strip_prefix(scheme).is_some_and(|rest| rest.starts_with(':'))
    }

    /// The text without what the parser drops, where it is no absolute URL.
    fn reference(&self) -> String {
        let inner = self.text.trim_matches(|char: char| char <= ' ');
        inner.replace(['\t', '\n', '\r'], "")
    }

    /// Reports whether the two are the same after `change`.
    fn is_same(&self, change: impl Fn(&str) -> String) -> bool {
        let both = self.ours.is_some() && self.other.is_some();
        both && change(self.ours()) == change(self.other())
    }
}

fn part_of(href: &str, name: &str) -> Option<String> {
    let parts = whatwg().components(href.as_bytes());
    let found = parts.iter().find(|part| part.name == name)?;
    Some(String::from_utf8_lossy(found.text.in_clear()).into_owned())
}

/// `href` as `url` writes it in paths: with `^`, and with the last space of an opaque one.
fn unescaped(href: &str) -> String {
    href.replace("%5E", "^").replace("%20?", " ?").replace("%20#", " #")
}

/// Returns `href` of a file without its host, with single slashes, and with `:` after drive
/// letters.
fn of_local_file(href: &str) -> String {
    let rest = href.strip_prefix("file://").unwrap_or(href);
    let host = part_of(href, "host").unwrap_or_default();
    let rest = rest.strip_prefix(&host).unwrap_or(rest);
    let mut out = String::new();
    for char in unescaped(rest).chars() {
        let is_drive = out.len() == 2 && out.starts_with('/') && char == '|';
        if char != '/' || !out.ends_with('/') {
            out.push(if is_drive { ':' } else { char });
        }
    }
    out
}

/// Reports whether a segment of `path` is a drive letter.
fn has_drive(path: &str) -> bool {
    let is_drive = |segment: &str| matches!(segment.as_bytes(), [b'A'..=b'z', b':' | b'|']);
    path.split(['/', '\\']).any(is_drive)
}

fn has_double_dot(text: &str) -> bool {
    text.to_ascii_lowercase().replace("%2e", ".").split(['/', '\\', '?', '#']).any(|it| it == "..")
}

/// Where `url` 2.5 is not the standard of 2026.
const OF_URL: &[Rule] = &[
    ("^ is no byte of the path percent-encode set", |it| {
        it.is_same(|href| href.replace("%5E", "^"))
    }),
    ("the last space of an opaque path is not escaped", |it| it.is_same(unescaped)),
    ("an undecodable xn-- label in a host of US-ASCII is refused", |it| {
        it.other.is_none() && it.part("host").contains("xn--")
    }),
    ("slashes beyond two are skipped behind a scheme alone", |it| {
        let is_slashes =
            it.reference().chars().take(3).filter(|it| "/\\".contains(*it)).count() == 3;
        is_slashes && it.base.starts_with("http") && it.other != it.ours
    }),
    ("a backslash is a slash in references of every scheme", |it| {
        let reference = it.reference();
        let begins = reference.starts_with('\\') || reference.starts_with("/\\");
        begins && it.base.starts_with("foo:") && it.is_of("foo")
    }),
    ("a double dot stops at a drive letter wherever one is, and in every scheme", |it| {
        let path = part_of(it.other(), "path").unwrap_or_default();
        it.ours.is_some() && has_drive(&path) && has_double_dot(&it.reference())
    }),
    ("an @ before an empty host is passed, if the scheme is not special", |it| {
        let after = it.other().split_once("://").map(|(_, rest)| rest.bytes().next());
        let is_empty = after.is_some_and(|next| matches!(next, None | Some(b'/' | b'?' | b'#')));
        it.ours.is_none() && is_empty && it.text.contains('@')
    }),
    ("a tab or a line end that is dropped ends a drive letter", |it| {
        let mut drives = it.text.as_bytes().windows(3);
        let is_there = |it: &[u8]| it[1] == b':' && matches!(it[2], b'\t' | b'\n' | b'\r');
        drives.any(is_there) && it.is_of("file") && it.is_same(|href| href.replace('/', ""))
    }),
    ("a backslash ends a port, if the scheme is not special", |it| {
        let reference = it.reference();
        let (before, _) = reference.split_once('\\').unwrap_or_default();
        let port = before.rsplit_once(':').map(|(_, port)| port);
        let is_port = port.is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        it.ours.is_none() && it.other.is_some() && is_port
    }),
    ("of a file's path, empty segments at the beginning, its host, and the bar of a drive", |it| {
        it.is_of("file") && it.is_same(of_local_file)
    }),
];

/// Where `ada-url` 4 is not.
const OF_ADA: &[Rule] = &[(
    "labels beside one that is written from right to left are not held to the Bidi rule",
    |it| {
        // RFC 5893 §2, rules 1 and 6: a label begins with a letter and ends with one or a digit.
        let (name, _) = idna::domain_to_unicode(&it.part("host"));
        let breaks = |label: &str| {
            let (first, last) = (label.chars().next(), label.chars().next_back());
            !first.is_some_and(char::is_alphabetic) || !last.is_some_and(char::is_alphanumeric)
        };
        it.ours.is_none() && name.contains('\u{5D0}') && name.split('.').any(breaks)
    },
)];

fn hold_to(parse: impl Fn(&str, &str) -> Option<String>, rules: &[Rule]) {
    let mut urls = Urls::new(0xADA);
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for _ in 0..MUTANTS {
        let (base, text) = urls.next();
        let (ours, other) = (href(base, &text).ok(), parse(base, &text));
        if ours == other {
            continue;
        }
        let (ours, other) = (ours.as_deref(), other.as_deref());
        let difference = Difference { base, text: &text, ours, other };
        match rules.iter().find(|(_, explains)| explains(&difference)) {
            Some((name, _)) => *met.entry(*name).or_default() += 1,
            None => unexplained.push(format!("{base:?} {text:?}: {ours:?}, the other {other:?}")),
        }
    }
    let shown = unexplained.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(unexplained.is_empty(), "{} without a rule:\n{shown}\n{met:?}", unexplained.len());
    let all: BTreeSet<&str> = rules.iter().map(|(name, _)| *name).collect();
    assert_eq!(met.keys().copied().collect::<BTreeSet<_>>(), all, "rules that explain something");
}

#[test]
fn the_crate_url_differs_only_by_named_rules() {
    let parse = |base: &str, text: &str| {
        let base = if base.is_empty() { None } else { url::Url::parse(base).ok() };
        url::Url::options().base_url(base.as_ref()).parse(text).ok().map(String::from)
    };
    hold_to(parse, OF_URL);
}

#[test]
fn ada_differs_only_by_named_rules() {
    let parse = |base: &str, text: &str| {
        let base = Some(base).filter(|base| !base.is_empty());
        ada_url::Url::parse(text, base).ok().map(|url| url.href().to_owned())
    };
    hold_to(parse, OF_ADA);
}
