//! Compares the scanner with a slow obvious one, and tests properties that all its results have.
//!
//! `obvious` lists the rules that the obvious scanner does not have; texts that need them are
//! skipped.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use linktrawl::internal::scan::{Scanner, Wrap};
use linktrawl::internal::scheme;
use regex::{Captures, Regex};

use crate::support::chance::Chance;
use crate::support::obvious::{Found, is_modelled, is_name_byte, obvious};

// ---- texts -----------------------------------------------------------------------------

impl Chance {
    /// Up to `count_max` of `tokens` in a row.
    fn text(&mut self, tokens: &[&str], count_max: usize) -> Vec<u8> {
        let count = 1 + self.below(count_max);
        (0..count).flat_map(|_| tokens[self.below(tokens.len())].bytes()).collect()
    }
}

/// For bare URIs: no bracket opens, so that nothing is a wrapper.
#[rustfmt::skip]
const BARE: &[&str] = &[
    "http", "https", "ftp", "x-y", "gopher", "mailto", "news", "urn", "sip", "file", "a", "Z", "9",
    "http://", "ftp://", "http:", "mailto:", "news:", "://", "//", ":", ":", "/", "/", ".", ",",
    ";", "-", "+", "@", "#", "?", "=", "&", "&gt;", "&amp;", "&quot;", "&#39;", "(", ")", "[", "]",
    "[::1]", "?a[]", "[b]", "[2]",
    "'", "\"", "*", "!", "%", "%20", "_", "__", "~", "$", " ", " ", "\n", "\t", "\r",
    "\0", "\\", "|", "{", "}", "^", "`", "h.example", "a.b", "x@y.z", ":80", ":8a", "é", "例", "»",
    "”", "…", "–", "。", "\u{A0}", "\u{1F600}", "comp.lang.c", "isbn:0", "see", "::", "http://a.b/",
    " http://h", "(http://a", "'http://a'", "_http://a", " mailto:x@y", " news:a.b", ",http://b",
    "https://é/", "http://u:p@h:1/", "http://(a", " urn:ab:c", " file:/a", "://a/b(c)",
    "éx-y://h", "例x-y://h", "+http://a", "/git+ftp://h", ",mailto:a@b", ",data:", "\\a+", "\\verb",
    "\x1B(B", "\x1B(J", "\x1B(Hx-y", "-->", "-->", "--", "->", "/*", " /* ", "*/", "*/",
    "#", "&&", "\"http://a", "'http://a/", "\nE", "E<gt>", "\n * ", "\n*",
    "**", "~~", "**http://a/", "_http://a/", "==", "==http://a/", "**x ", "__x ", "~~x ", "(b",
    "file:d:/a", "file:d|", "http://a", "-/", "./", "'s", "?a=", "|b=", "||b&", "^a", "[b]/c",
    "[[a]b]c", "[/b]", "[…]d", "[]", "[]/", "[]b=", "(a[1])b", "git+ssh://b", "**/", "a.例http://b",
    "a.bc例", "a.bcgit+", " s#", "\ns,", "'s+", ":%s@", " m!", "(qr~^", ";tr%", "y;", "s@a ",
    "'see ", "`x ", "``x ", "N'", "',", "''", "[::1", ",例", "ed2k://|a|", "|/",
];

/// For brackets with a URI inside: no blank, no backslash, no entity.
#[rustfmt::skip]
const BRACKETED: &[&str] = &[
    "<", "<", "#<", "<URL:", "<url:", ">", ">", "*", "::", "\"", "http://",
    "http:", "ftp://a", "mailto:", "news:",
    "x-y://", "x:", "a", "9", ".", "/", ":", "@", "a.b", "x@y", "é", "»", "#", "(", ")", ",", "'",
    "-", "geo-x:a.b", "</news:a.b>", "<news:a.b>", "urn:ab:c", "URL:", "[::1]", "|", "+", "&",
    "&amp;", "_", "\x1B(B",
];

/// For properties: everything, folded wrappers and entities above all.
#[rustfmt::skip]
const ANY: &[&str] = &[
    "<", "<URL:", "<URL: ", "&lt;", "&gt;", "&#60;URL:", ">", "> ", "\n", "\n> ", "\r\n", "\r",
    "\n\n", "\nJD> ", "JD> <", "\nJane> ", "Jane> <",
    "\n> j.d9> ", "\n> j.d9> <", "\nJ D>> <", "\nJ D>> ", "\\\n", "\\", " ", "\t",
    "http://", "ht", "tp://", "http:",
    "mailto:", "news:", "www.", "www.a.bc", "WWW.", "a", "B", "9", ".", ",", ";", ":", "/", "//",
    "@", "-", "é", "»", "…", "l·l", "\"", "'", "(", ")", "[::1]", "#", "&", "&amp;", "%", "_", "|",
    "| ", "\0", "a.b/", "x@y.z", "<http://a.b/", "\nc>", "\n> c>", "\n: ", "geo:1,2", "data:,",
    "ed2k://|a|", "|/", "tel:+123", "doi:10.1/x", "magnet:?a=b", "urn:ab:c", "http://a.b/c",
    "\x1B(B",
    "\"http:\\/\\/a.b\\/", "\"http://a.b/", "\"ftp:\\/\\/", "\\/", "\\u0026", "\\u00e9",
    "\\ud83d", "\\ude00", "\\n", "\\&", "\\.", "\\\\/", "file:///C:\\", " http:\\/\\/a", "/?",
    "\\x26", "\\xc3\\xa9", "\\xe9", "\\U0001F600", "\\U00e9", "\\x", "''s", "'http://a.b/c", "\\'",
    "mailto:a%40b", "tel:%2B1%2023", "\n/// <http://a/", "\n/// b>", "\n// ", "\n# ", "\n- <",
    "\n- ",
];

/// Returns the inputs of the extraction cases, with their escapes unresolved: text like any other.
fn seeds() -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/extraction/cases.tsv");
    let text = std::fs::read_to_string(path).expect("the table of cases");
    let column = |line: &str| line.split('\t').nth(2).unwrap_or_default().to_owned();
    let plain = text.lines().skip(1).map(column).filter(|text| text.len() < 2000);
    plain.map(|text| text.replace("\\n", "\n").replace("\\t", "\t").into_bytes()).collect()
}

/// Removes, doubles, replaces or inserts a few bytes or tokens.
fn mutate(text: &mut Vec<u8>, chance: &mut Chance) {
    for _ in 0..=chance.below(4) {
        let at = chance.below(text.len() + 1);
        let end = text.len().min(at + chance.below(4));
        let with = match chance.below(3) {
            0 => Vec::new(),
            1 => chance.text(BARE, 2),
            _ => chance.text(BRACKETED, 2),
        };
        text.splice(at..end, with);
    }
}

// ---- the two against each other --------------------------------------------------------

fn fast(text: &[u8]) -> Vec<Found> {
    let mut scanner = Scanner::new(text);
    let mut found = Vec::new();
    while let Some(candidate) = scanner.next() {
        let span = candidate.span;
        found.push((candidate.wrap, span.start, span.end, candidate.text.to_vec()));
    }
    found
}

/// Compares both on `count` texts; says of how many something was found.
#[track_caller]
fn compare(count: usize, found_min: usize, mut next: impl FnMut() -> Vec<u8>) {
    let (mut compared, mut found) = (0, 0);
    let mut differences = BTreeMap::new();
    while compared < count {
        let text = next();
        if !is_modelled(&text) {
            continue;
        }
        compared += 1;
        let (slow, fast) = (obvious(&text), fast(&text));
        found += usize::from(!slow.is_empty());
        if slow != fast {
            // The shortest texts are the easiest to understand.
            differences.insert((text.len(), text), (slow, fast));
        }
    }
    let show = |list: &[Found]| {
        let each = list.iter().map(|(wrap, start, end, text)| {
            format!("\n    {wrap:?} {start}..{end} {}", text.escape_ascii())
        });
        each.collect::<String>()
    };
    let shown: Vec<String> = differences
        .iter()
        .take(8)
        .map(|((_, text), (slow, fast))| {
            format!("{}\n  obvious:{}\n  fast:{}", text.escape_ascii(), show(slow), show(fast))
        })
        .collect();
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), shown.join("\n"));
    assert!(found >= found_min, "only {found} of {count} texts hold a URI");
}

#[test]
fn bare_uris_are_found_as_the_rules_say() {
    let mut chance = Chance(21);
    compare(150_000, 50_000, || chance.text(BARE, 24));
}

#[test]
fn uris_in_brackets_are_found_as_the_rules_say() {
    let mut chance = Chance(22);
    compare(100_000, 30_000, || chance.text(BRACKETED, 16));
}

#[test]
fn seeds_and_their_mutants_are_read_as_the_rules_say() {
    let (mut chance, seeds) = (Chance(23), seeds());
    let modelled = seeds.iter().filter(|seed| is_modelled(seed)).count();
    assert!(modelled > 100, "only {modelled} seeds are compared");
    let mut idx = 0;
    compare(60_000, 30_000, || {
        let mut text = seeds[idx % seeds.len()].clone();
        if idx >= seeds.len() {
            mutate(&mut text, &mut chance);
        }
        idx += 1;
        text
    });
}

#[test]
fn bytes_of_any_value_are_read_as_the_rules_say() {
    let mut chance = Chance(24);
    compare(30_000, 8_000, || {
        let mut text = chance.text(BARE, 20);
        for _ in 0..3 {
            let at = chance.below(text.len());
            text[at] = u8::try_from(chance.below(256)).expect("a byte");
        }
        text
    });
}

// ---- what holds of every finding -------------------------------------------------------

/// Holds each finding of `text` to what is promised of all; gives their texts.
#[track_caller]
fn hold(text: &[u8], with_www: Option<()>) -> Vec<(Wrap, Vec<u8>)> {
    let plain = Scanner::new(text);
    let mut scanner = if with_www.is_some() { plain.with_www() } else { plain };
    let (mut after, mut found) = (0, Vec::new());
    let shown = text.escape_ascii();
    while let Some(candidate) = scanner.next() {
        let (span, uri) = (candidate.span, candidate.text);
        assert!(after <= span.start && span.start < span.end, "{shown}: {span:?} after {after}");
        assert!(span.end <= text.len(), "{shown}: {span:?}");
        let raw = &text[span.range()];
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte < b' ';
        assert!(!uri.iter().any(is_blank), "{shown}: {}", uri.escape_ascii());
        assert!(!uri.iter().any(|byte| b"<\"".contains(byte)), "{shown}: {}", uri.escape_ascii());
        if raw != uri {
            let is_made = match candidate.wrap {
                Wrap::Url | Wrap::Angle => is_joined_from(uri, raw),
                Wrap::Bare => {
                    let is_quoted = text[..span.start].ends_with(b"'");
                    unescaped(raw, is_quoted) == String::from_utf8_lossy(uri).as_bytes()
                }
                Wrap::Www => false,
            };
            assert!(is_made, "{shown}: {}", uri.escape_ascii());
        }
        let name = &uri[..candidate.scheme_len];
        match candidate.wrap {
            Wrap::Www => assert!(name.is_empty() && uri[..4].eq_ignore_ascii_case(b"www.")),
            _ => {
                assert_eq!(uri[candidate.scheme_len], b':', "{shown}");
                assert!(name[0].is_ascii_alphabetic() && name.iter().all(|b| is_name_byte(*b)));
            }
        }
        assert_eq!(candidate.scheme, scheme::find(name));
        found.push((candidate.wrap, uri.to_vec()));
        after = span.end;
    }
    assert!(scanner.next().is_none(), "{shown}: more behind the end");
    found
}

/// Reports whether `uri` is `raw` without blanks, breaks, backslashes before them and the marks and
/// names of quote prefixes and comments, all of which follow a break, and bars that end a line.
fn is_joined_from(uri: &[u8], raw: &[u8]) -> bool {
    // How much of the URI is made, and whether a prefix may go on: all ways at once.
    let mut ways = BTreeSet::from([(0, false)]);
    for (at, &byte) in raw.iter().enumerate() {
        let is_break = matches!(byte, b'\n' | b'\r');
        let is_mark = byte.is_ascii_graphic() && byte != b'<';
        let escapes = raw.get(at + 1).is_none_or(|next| b"\r\n>".contains(next));
        let after = raw[at + 1..].iter().find(|next| !b" \t".contains(next));
        let is_border = byte == b'|' && after.is_some_and(|next| b"\r\n".contains(next));
        let is_blank = b" \t".contains(&byte);
        let is_left_out = is_break || is_blank || is_border || byte == b'\\' && escapes;
        let mut next = BTreeSet::new();
        for (len, in_prefix) in ways {
            if uri.get(len) == Some(&byte) {
                next.insert((len + 1, false));
            }
            if is_left_out || in_prefix && is_mark {
                next.insert((len, in_prefix || is_break));
            }
        }
        ways = next;
    }
    ways.iter().any(|(len, _)| *len == uri.len())
}

static BYTES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:\\x[0-9A-Fa-f]{2})+").expect("a pattern"));
static BRACED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\\[ux]\{([0-9A-Fa-f]{1,6})\}").expect("a pattern"));
static OCTAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:\\+[0-3][0-7]{2})+").expect("a pattern"));
static LONG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\\U(?:([0-9A-Fa-f]{8})|([0-9A-Fa-f]{4}))").expect("a pattern"));

/// Returns `raw` without backslashes before marks, with characters for their numbers, in a string
/// or in one in another string, and with one apostrophe for two in a string between two of them.
fn unescaped(raw: &[u8], is_quoted: bool) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(raw).into_owned();
    for letter in ["u", "U", "x"] {
        while text.contains(&format!(r"\\{letter}")) {
            text = text.replace(&format!(r"\\{letter}"), &format!(r"\{letter}"));
        }
    }
    for mark in "/&?=%#().,;!~*+$_:@-".chars() {
        while text.contains(&format!("\\{mark}")) {
            text = text.replace(&format!("\\{mark}"), &mark.to_string());
        }
    }
    if is_quoted {
        text = text.replace("''", "'").replace(r"\'", "'");
    }
    let number = |digits: &str| u32::from_str_radix(digits, 16).expect("a number");
    let text = BRACED.replace_all(&text, |found: &Captures<'_>| {
        char::from_u32(number(&found[1])).expect("a character").to_string()
    });
    let text = OCTAL.replace_all(&text, |found: &Captures<'_>| {
        let octal = |digits| u8::from_str_radix(digits, 8).expect("a byte");
        let digits = found[0].split('\\').filter(|digits| !digits.is_empty());
        String::from_utf8_lossy(&digits.map(octal).collect::<Vec<_>>()).into_owned()
    });
    let text = BYTES.replace_all(&text, |found: &Captures<'_>| {
        let bytes = found[0].split(r"\x").skip(1).map(|digits| number(digits).to_le_bytes()[0]);
        let bytes: Vec<u8> = bytes.collect();
        let all = bytes.utf8_chunks().flat_map(|chunk| {
            let latin_1 = chunk.invalid().iter().map(|byte| char::from(*byte));
            chunk.valid().chars().chain(latin_1).collect::<Vec<_>>()
        });
        all.collect::<String>()
    });
    let text = LONG.replace_all(&text, |found: &Captures<'_>| {
        let long = found.get(1).and_then(|digits| char::from_u32(number(digits.as_str())));
        let short = || char::from_u32(number(&found[0][2..6])).expect("a character");
        long.map_or_else(|| format!("{}{}", short(), &found[0][6..]), String::from)
    });
    let text: String = serde_json::from_str(&format!("\"{text}\"")).expect("a string of JSON");
    text.into_bytes()
}

/// Checks that each text that was found is found again between brackets, and alone.
#[track_caller]
fn found_again(found: &[(Wrap, Vec<u8>)]) {
    for (wrap, uri) in found {
        // A bracket inside ends the brackets around, and a backslash escapes what closes it.
        if *wrap == Wrap::Www || uri.contains(&b'>') || uri.ends_with(b"\\") {
            continue;
        }
        // After `URL:` any name will do.
        let (wrap, before) =
            if *wrap == Wrap::Url { (Wrap::Url, &b"<URL:"[..]) } else { (Wrap::Angle, &b"<"[..]) };
        let again = fast(&[before, uri, b">"].concat());
        let expected = (wrap, before.len(), before.len() + uri.len(), uri.clone());
        assert_eq!(again, [expected], "{}", uri.escape_ascii());
    }
}

#[test]
fn spans_are_in_order_and_texts_are_what_stands_there() {
    let mut chance = Chance(31);
    let mut joined = 0;
    for _ in 0..150_000 {
        let text = chance.text(ANY, 24);
        let found = hold(&text, None);
        joined += found.iter().filter(|(_, uri)| !contains(&text, uri)).count();
        hold(&text, Some(()));
        found_again(&found);
    }
    assert!(joined > 2000, "only {joined} URIs were put together");
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[test]
fn any_bytes_at_all_are_read() {
    let mut chance = Chance(32);
    for _ in 0..60_000 {
        let mut text = chance.text(ANY, 30);
        for _ in 0..chance.below(8) {
            let at = chance.below(text.len());
            text[at] = u8::try_from(chance.below(256)).expect("a byte");
        }
        hold(&text, None);
        found_again(&hold(&text, Some(())));
    }
    for seed in seeds() {
        found_again(&hold(&seed, Some(())));
    }
}
