//! Partial forms: every algorithm against the table, against slow versions of itself, and
//! against another implementation.

#![expect(clippy::expect_used, clippy::panic, reason = "tests say what must hold by panicking")]

use iri_string::format::ToDedicatedString as _;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
use linktrawl::internal::grammar::resolve::{
    ALGORITHMS, Unresolved, assume_scheme, find, is_base, is_scheme, resolve,
};

const TABLE: &str = include_str!("../../corpus/grammar/resolve.tsv");

/// Returns the result of `name` for a base and a reference, in the words of the table.
#[track_caller]
fn answer(name: &str, base: &[u8], reference: &[u8]) -> String {
    match resolve(base, reference, find(name).expect("an algorithm")) {
        Ok(uri) => String::from_utf8(uri).expect("UTF-8"),
        Err(Unresolved::NoSuchRun { .. }) => "UNDEFINED".to_owned(),
        Err(Unresolved::Refused { .. }) => "ERR".to_owned(),
        Err(other) => panic!("{name}: {other}"),
    }
}

#[test]
fn every_algorithm_gives_what_the_table_says() {
    let mut rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<_> = rows.next().expect("a head").split('\t').skip(2).collect();
    let known: Vec<_> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    assert_eq!(names, known);
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows {
        let fields: Vec<_> = row.split('\t').collect();
        let [base, reference, wanted @ ..] = fields.as_slice() else { panic!("{row}") };
        assert_eq!(wanted.len(), names.len(), "{row}");
        for (name, wanted) in names.iter().zip(wanted) {
            let found = answer(name, base.as_bytes(), reference.as_bytes());
            if found != *wanted {
                wrong.push(format!("{name}: {base} + {reference} = {found}, not {wanted}"));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 1000, "the table has lost its rows");
}

/// RFC 1630 prints `/g` as `magic://a/g`. By its rule the part that is kept ends at the first run
/// of exactly one slash "which has no greater number of consecutive slashes anywhere to the right
/// of it". The first such run of `magic://a/b/c//d/e/f` is the one before `e`: two slashes follow
/// those before `b` and `c`. The rule is followed.
#[test]
fn the_misprinted_example_of_rfc_1630_yields_to_its_rule() {
    for context in [&b"magic://a/b/c//d/e/f"[..], b"magic://a/b/c//d/e/"] {
        assert_eq!(answer("rfc1630", context, b"/g"), "magic://a/b/c//d/g");
        // The example is what every other document makes of it.
        for other in ALGORITHMS.iter().filter(|other| other.name != "rfc1630") {
            assert_eq!(answer(other.name, context, b"/g"), "magic://a/g", "{other:?}");
        }
    }
}

#[test]
fn a_partial_form_without_a_base_says_that_it_needs_one() {
    for algorithm in ALGORITHMS {
        for reference in [&b"//host/x"[..], b"/x", b"x", b"", b"?x", b"#x", b"../x"] {
            let found = resolve(b"", reference, algorithm);
            assert_eq!(found, Err(Unresolved::NeedsBase), "{algorithm:?} {reference:?}");
        }
        let full = resolve(b"", b"http://host/x", algorithm);
        assert_eq!(full, Ok(b"http://host/x".to_vec()), "{algorithm:?}");
    }
    assert!(Unresolved::NeedsBase.to_string().contains("needs a base"));
}

#[test]
fn a_base_without_a_scheme_is_refused_whatever_the_reference() {
    for base in ["host/x", "//host/x", "/a:b", ":a", "1a:b", "a b:c", "#a:b", "a"] {
        assert!(!is_base(base.as_bytes()), "{base}");
        for algorithm in ALGORITHMS {
            for reference in [&b"g"[..], b"http://h/"] {
                let found = resolve(base.as_bytes(), reference, algorithm);
                assert_eq!(found, Err(Unresolved::BaseWithoutScheme), "{algorithm:?} {base}");
            }
        }
    }
    assert!(is_base(b"a:") && is_base(b"z39.50r:x") && is_base(b"x-y+z.1:"));
}

#[test]
fn a_scheme_is_assumed_for_two_slashes_alone() {
    assert_eq!(assume_scheme(b"//h/x", "https"), Some(b"https://h/x".to_vec()));
    for other in [&b"/x"[..], b"x", b"", b"http://h", b"?//"] {
        assert_eq!(assume_scheme(other, "https"), None);
    }
    assert!(is_scheme(b"whois++") && !is_scheme(b"") && !is_scheme(b"+a") && !is_scheme(b"a/"));
}

#[test]
fn each_failure_says_what_it_is() {
    let failure = |base: &[u8], reference: &[u8], name| {
        resolve(base, reference, find(name).expect("it")).expect_err("a failure").to_string()
    };
    let undefined = failure(b"magic://a/b", b"///g", "rfc1630");
    assert!(undefined.contains("exactly 3 slashes") && undefined.contains("RFC 1630"));
    let refused = failure(b"mailto:u@h", b"v", "whatwg");
    assert!(refused.contains("WHATWG") && refused.contains("cannot-be-a-base"), "{refused}");
    assert!(failure(b"http://h/", b"\xFF", "whatwg").contains("UTF-8"));
    assert!(failure(b"h", b"g", "rfc1808").contains("scheme"));
}

#[test]
fn slashes_beyond_two_are_passed_by_however_they_are_written() {
    for reference in ["///g", "\\\\g", "/\\/\\g", " /\t/\n///g ", "//g"] {
        for scheme in ["http", "https", "ftp", "ws", "wss"] {
            let base = format!("{scheme}://u:p@a:81/b?c");
            let found = answer("whatwg", base.as_bytes(), reference.as_bytes());
            assert_eq!(found, format!("{scheme}://g/"), "{reference:?}");
        }
    }
    assert_eq!(answer("whatwg", b"http://a/b/c", b"/ //g"), "http://a/%20//g");
}

// ---- laws, on random texts -------------------------------------------------------------

/// Marsaglia's xorshift with 64 bits: enough to choose pieces by.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    /// Returns up to `count_max` of `pieces`, one after the other.
    fn text(&mut self, pieces: &[&str], count_max: usize) -> String {
        let count = self.below(count_max + 1);
        (0..count).map(|_| pieces[self.below(pieces.len())]).collect()
    }
}

/// Pieces of a path.
const PATH: [&str; 10] = ["/", "/", "/", "..", "..", ".", "a", "b", ";x=1", "..."];

/// Pieces of a reference.
const ANY: [&str; 20] = [
    "/", "/", "/", "//", "..", ".", "../", "./", "a", "g", ":", "http:", "?", "#", ";p", "@",
    "%2e", "[::1]", "é", "\u{0}",
];

const BASES: [&str; 12] = [
    "http://a/b/c/d;p?q",
    "http://u@a:8/b//c/../d/",
    "http://a",
    "http://a?q/r",
    "foo:",
    "foo:a/b/c",
    "foo:/a/./b",
    "foo://",
    "foo:///a//b",
    "urn:x:y",
    "mailto:u@h?s",
    "file:///c:/x/y",
];

const ROUNDS: usize = 100_000;

#[test]
fn no_reference_and_no_base_can_break_an_algorithm() {
    let mut random = Random(0x5EED);
    for _ in 0..ROUNDS {
        let mut base = random.text(&ANY, 6).into_bytes();
        if random.below(2) == 0 {
            base.splice(0..0, *b"x:");
        }
        let mut reference = random.text(&ANY, 8).into_bytes();
        if random.below(8) == 0 {
            reference.push(0xFF);
        }
        for algorithm in ALGORITHMS {
            let Ok(uri) = resolve(&base, &reference, algorithm) else { continue };
            // In the early documents, a colon makes a full form after any text, not only after a
            // scheme; all others end with a URI.
            let is_early = ["draft1993", "rfc1630"].contains(&algorithm.name);
            assert!(is_early || uri.contains(&b':'), "{algorithm:?} {base:?} {reference:?}");
        }
    }
}

/// Dots of a base stay where its whole path is inherited (RFC 3986 §5.2.2), and would go when the
/// result is resolved: the test omits bases with dots for that document.
#[test]
fn resolving_again_changes_nothing() {
    let mut random = Random(0xA6A1);
    for _ in 0..ROUNDS {
        let base = BASES[random.below(BASES.len())].as_bytes();
        let reference = random.text(&ANY, 8);
        for name in ["rfc3986", "whatwg"] {
            if name == "rfc3986" && base.windows(2).any(|pair| pair == b"/.") {
                continue;
            }
            let rules = find(name).expect("it");
            let Ok(uri) = resolve(base, reference.as_bytes(), rules) else { continue };
            assert_eq!(resolve(base, &uri, rules).as_ref(), Ok(&uri), "{name} {reference:?}");
        }
    }
}

/// RFC 3986 §5.2.2: of a reference with a scheme nothing changes but the dots of its path.
/// The slow removal keeps a list of segments, each with the slash before it.
#[test]
fn a_full_form_is_itself_but_for_its_dots() {
    let strict = find("rfc3986").expect("it");
    let mut random = Random(0xD075);
    let mut dotted = 0;
    for _ in 0..ROUNDS {
        let path = random.text(&PATH, 12);
        if path.starts_with("//") {
            continue;
        }
        let wanted = slow_dot_segments(&path);
        let guard = if wanted.starts_with("//") { "/." } else { "" };
        dotted += usize::from(wanted != path);
        for (head, guard, tail) in [("g:", guard, ""), ("x-y:", guard, "?/../a#/./b")] {
            let full = format!("{head}{path}{tail}");
            let found = resolve(b"http://a/b", full.as_bytes(), strict).map(String::from_utf8);
            assert_eq!(found, Ok(Ok(format!("{head}{guard}{wanted}{tail}"))), "{full}");
        }
    }
    assert!(dotted > ROUNDS / 5, "{dotted}");
}

fn slow_dot_segments(path: &str) -> String {
    let mut rest = path;
    while let Some(after) = rest.strip_prefix("../").or_else(|| rest.strip_prefix("./")) {
        rest = after;
    }
    if rest == "." || rest == ".." {
        return String::new();
    }
    let mut kept = Vec::new();
    let last = rest.matches('/').count();
    for (idx, segment) in rest.split('/').enumerate() {
        let is_dots = idx > 0 && (segment == "." || segment == "..");
        if is_dots && segment == ".." {
            kept.pop();
        }
        match idx {
            0 => kept.push(segment.to_owned()),
            _ if !is_dots => kept.push(format!("/{segment}")),
            // The slash before dots at the end stays.
            _ if idx == last => kept.push("/".to_owned()),
            _ => {}
        }
    }
    kept.concat()
}

/// The early documents say what is removed from the text; here it is removed from the text,
/// one occurrence at a time, the leftmost first.
#[test]
fn older_documents_remove_dots_as_if_one_by_one() {
    let mut random = Random(0x1630);
    for _ in 0..ROUNDS {
        let reference = random.text(&PATH, 10);
        if reference.is_empty() || reference.starts_with('/') || reference.starts_with(';') {
            continue;
        }
        for (base, directory) in [("http://h/a/b", "/a/"), ("foo:a/b", "a/"), ("foo:", "")] {
            let head = base.split_at(if base.starts_with("foo") { 4 } else { 8 }).0;
            let whole = format!("{directory}{reference}");
            // RFC 1808 has parameters, which are no part of a path.
            let (path, params) = whole.split_at(whole.find(';').unwrap_or(whole.len()));
            for (name, wanted) in [
                ("draft1993", slow_draft(&whole)),
                ("rfc1630", slow_rfc1630(&whole)),
                ("rfc1808", slow_rfc1808(path) + params),
                ("rfc2396", slow_rfc1808(&whole)),
            ] {
                let found = answer(name, base.as_bytes(), reference.as_bytes());
                assert_eq!(found, format!("{head}{wanted}"), "{name}: {base} + {reference}");
            }
        }
    }
}

fn elements(path: &str) -> Vec<&str> {
    path.split('/').collect()
}

/// "/xxx/.." or "/.".
fn slow_draft(path: &str) -> String {
    let mut left = elements(path);
    while let Some(at) = (1..left.len())
        .find(|&at| left[at] == "." || at > 1 && left[at] == ".." && left[at - 1] != "..")
    {
        left.drain(if left[at] == "." { at..=at } else { at - 1..=at });
    }
    left.join("/")
}

/// "xxx/../" or "/.".
fn slow_rfc1630(path: &str) -> String {
    let mut left = elements(path);
    while let Some(at) = (1..left.len()).find(|&at| {
        let is_element = at > 1 || !left[0].is_empty();
        let is_name = ![".", ".."].contains(&left[at - 1]);
        left[at] == "." || at + 1 < left.len() && left[at] == ".." && is_name && is_element
    }) {
        left.drain(if left[at] == "." { at..=at } else { at - 1..=at });
    }
    left.join("/")
}

/// Step 6 a to d, in that order.
fn slow_rfc1808(path: &str) -> String {
    let mut left = elements(path);
    let last = left.pop().expect("at least one");
    left.retain(|segment| *segment != ".");
    left.push(if last == "." { "" } else { last });
    let is_segment = |left: &[&str], at: usize| {
        left[at] != ".." && left[at + 1] == ".." && (at > 0 || !left[0].is_empty())
    };
    while let Some(at) = (0..left.len().saturating_sub(2)).find(|&at| is_segment(&left, at)) {
        left.drain(at..at + 2);
    }
    if let Some(at) = left.len().checked_sub(2).filter(|&at| is_segment(&left, at)) {
        left.truncate(at);
        left.push("");
    }
    left.join("/")
}

/// Pairs that both take; fewer would mean that the pieces are not what they should be.
const PAIRS_MIN: usize = ROUNDS / 4;

/// The pairs omit one difference: iri-string takes `%2e` for a dot. It is one only after the
/// normalisation of §6.2.2.2, which is no part of §5.2.4.
#[test]
fn strict_rfc3986_agrees_with_another_implementation() {
    let strict = find("rfc3986").expect("it");
    let mut random = Random(0x3986);
    let mut pairs = 0;
    for _ in 0..ROUNDS {
        let scheme = ["http:", "foo:"][random.below(2)];
        let base_text = format!("{scheme}{}", random.text(&ANY, 6)).replace("%2e", "%41");
        let text = random.text(&ANY, 8).replace("%2e", "%41");
        let (Ok(base), Ok(reference)) =
            (UriAbsoluteStr::new(&base_text), UriReferenceStr::new(&text))
        else {
            continue;
        };
        let theirs = reference.resolve_against(base).to_dedicated_string();
        let ours = resolve(base_text.as_bytes(), text.as_bytes(), strict).map(String::from_utf8);
        assert_eq!(ours, Ok(Ok(theirs.as_str().to_owned())), "{base_text} + {text}");
        pairs += 1;
    }
    assert!(pairs > PAIRS_MIN, "{pairs} of {ROUNDS}");
    assert_eq!(answer("rfc3986", b"http://a/b/c", b"%2e%2E/g"), "http://a/b/%2e%2E/g");
}
