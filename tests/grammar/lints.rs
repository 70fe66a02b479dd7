//! Tests lints, by `corpus/grammar/lints.tsv` and through the binary: which texts get a warning,
//! where, and which get none; and that no message shows a secret.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use linktrawl::internal::finding::{LINTS, Warning};
use linktrawl::internal::grammar;
use linktrawl::internal::scheme::TABLE;
use linktrawl::internal::source::mail::mailbox::{self, FromLine};
use linktrawl::internal::source::markup;

use crate::support::home::{self, stdout};

const ROWS: &str = include_str!("../../corpus/grammar/lints.tsv");
const LOOKALIKES: &str = include_str!("../../corpus/grammar/lookalikes.tsv");
const SHOWN: &str = include_str!("../../corpus/grammar/shown.tsv");
const OFFERS: &str = include_str!("../../corpus/mail/unsubscribe.tsv");
const REGISTERED: &str = include_str!("../../corpus/grammar/registered.txt");

struct Row {
    line: usize,
    text: Vec<u8>,
    /// Ids with their offsets.
    wanted: Vec<(String, usize)>,
}

fn rows() -> Vec<Row> {
    let lines = ROWS.lines().zip(1..).filter(|(text, _)| !text.starts_with('#'));
    lines.map(|(text, line)| row(line, text)).collect()
}

fn row(line: usize, text: &str) -> Row {
    let fields: Vec<_> = text.split('\t').collect();
    assert_eq!(fields.len(), 4, "line {line}");
    let [text, ids, offsets, _note] = fields.try_into().expect("4 fields");
    let list = |field: &str| -> Vec<String> {
        field.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (ids, offsets) = (list(ids), list(offsets));
    assert_eq!(ids.len(), offsets.len(), "line {line}");
    let offsets = offsets.iter().map(|at| at.parse().expect("an offset"));
    Row { line, text: unescape(text), wanted: ids.into_iter().zip(offsets).collect() }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend(plain.bytes());
        let (kind, after) = escape.split_at(1);
        rest = match kind {
            "x" => {
                let (digits, after) = after.split_at(2);
                bytes.push(u8::from_str_radix(digits, 16).expect("two hex digits"));
                after
            }
            "r" => {
                let (count, after) = after[1..].split_once(',').expect("a count");
                let (text, after) = after.split_once('}').expect("an end");
                bytes.extend(text.repeat(count.parse().expect("a count")).bytes());
                after
            }
            _ => {
                bytes.push(b'\\');
                after
            }
        };
    }
    bytes.extend(rest.bytes());
    bytes
}

fn lint(text: &[u8]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    grammar::lint(text, &mut warnings);
    warnings
}

#[test]
fn every_row_gets_its_warnings() {
    let wrong: Vec<_> = rows()
        .iter()
        .filter_map(|row| {
            let found: Vec<_> = lint(&row.text)
                .iter()
                .map(|warning| (warning.lint.id.to_owned(), warning.at))
                .collect();
            let text = String::from_utf8_lossy(&row.text);
            let Row { line, wanted, .. } = row;
            (found != *wanted)
                .then(|| format!("line {line}: {text}: wanted {wanted:?}, found {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_lint_has_rows_and_as_many_have_nothing() {
    let rows = rows();
    let named: BTreeSet<_> =
        rows.iter().flat_map(|row| row.wanted.iter().map(|(id, _)| id.as_str())).collect();
    // These need more than the text, and have cases of their own.
    let named: BTreeSet<_> = named.into_iter().chain(["shown-host", "cut-short"]).collect();
    let of_fields = OFFERS.lines().filter(|line| !line.starts_with('#'));
    let of_fields = of_fields.flat_map(|line| line.split('\t').skip(1).take(2));
    let of_fields = of_fields.flat_map(|ids| ids.split(',')).filter(|id| !id.is_empty());
    let named: BTreeSet<_> = named.into_iter().chain(of_fields).collect();
    assert_eq!(named, LINTS.iter().map(|lint| lint.id).collect::<BTreeSet<_>>());
    let silent = rows.iter().filter(|row| row.wanted.is_empty()).count();
    assert!(rows.len() >= 120 && 2 * silent >= rows.len(), "{silent} of {}", rows.len());
}

/// `host` as it is written, and with its labels in Punycode, as UTS 46 maps them where it does.
fn both_forms(host: &str) -> [String; 2] {
    let encoded = |label: &str| {
        if label.is_ascii() {
            return label.to_owned();
        }
        let raw = || idna::punycode::encode_str(label).expect("a short label");
        idna::domain_to_ascii(label).unwrap_or_else(|_| format!("xn--{}", raw()))
    };
    [host.to_owned(), host.split('.').map(encoded).collect::<Vec<_>>().join(".")]
}

#[test]
fn hosts_that_pass_for_others_are_warned_of_in_both_forms_and_no_others() {
    let mut wrong = Vec::new();
    let mut counts = [0, 0];
    for row in LOOKALIKES.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = row.split('\t').collect();
        let [verdict, host, reason] = fields.try_into().expect("3 fields");
        assert!(["warn", "quiet"].contains(&verdict) && !reason.is_empty(), "{row}");
        counts[usize::from(verdict == "warn")] += 1;
        for form in both_forms(host) {
            let found = lint(format!("http://{form}/").as_bytes());
            let ids: Vec<_> = found.iter().map(|warning| warning.lint.id).collect();
            let wanted: &[_] = if verdict == "warn" { &["mixed-script"] } else { &[] };
            if ids != wanted {
                wrong.push(format!("{row}: {form}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} forms:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts[0] >= 150 && counts[1] >= 200, "{counts:?}");
}

/// A reader is to find the character by the message alone.
#[test]
fn a_warning_of_a_lookalike_names_the_character_and_its_place() {
    let case = |host: &str, wanted: &str| {
        for form in both_forms(host) {
            let found = lint(format!("http://{form}/").as_bytes());
            let message = found.first().map(|warning| warning.message.clone());
            assert!(message.as_ref().is_some_and(|it| it.contains(wanted)), "{form}: {message:?}");
        }
    };
    case("wikiреdia.org", "character 5 is U+0440 (Cyrillic, looks like \"p\")");
    case("аррӏе.com", "character 1 is U+0430 (Cyrillic, looks like \"a\")");
    case("my‐bank.com", "character 3 is U+2010 (a dash, looks like \"-\")");
    case("love♥.com", "character 5 is U+2665 (a symbol)");
    case("1২3.com", "character 2 is U+09E8 (Bengali digit, looks like \"2\")");
    case("bi̇ng.com", "character 3 is U+0307 (a combining mark)");
    case("googlé.com", "the well-known \"google.com\"; character 6 is U+00E9 (Latin)");
    case("my一bank.com", "character 3 is U+4E00 (Han, looks like \"-\")");
    case("нтв.com", "looks like \"htb\"");
    case("xn--99999999.com", "not valid Punycode");
    case("xn--a.com", "not valid in a host");
}

fn lint_shown(target: &[u8], shown: &[u8]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    grammar::lint_shown(target, shown, &mut warnings);
    warnings
}

#[test]
fn a_text_that_shows_another_host_is_warned_of() {
    let rows: Vec<_> = SHOWN.lines().filter(|line| !line.starts_with('#')).collect();
    for row in &rows {
        let fields: Vec<_> = row.split('\t').collect();
        let [target, shown, at, _note] = fields.try_into().expect("4 fields");
        let found: Vec<_> = lint_shown(target.as_bytes(), shown.as_bytes())
            .iter()
            .map(|warning| format!("{} {}", warning.lint.id, warning.at))
            .collect();
        let wanted = (!at.is_empty()).then(|| format!("shown-host {at}"));
        assert_eq!(found, Vec::from_iter(wanted), "{row}");
    }
    assert!(rows.len() > 40, "{} rows", rows.len());
}

/// Links of mail are only parsed where a quick test does not show that they display no host.
#[test]
fn what_a_link_of_mail_shows_is_warned_of_alike() {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    for row in SHOWN.lines().filter(|line| !line.starts_with('#')) {
        let [target, shown] = [0, 1].map(|field| row.split('\t').nth(field).expect("a field"));
        for (before, after) in [("", ""), (" id=a><b title='b'", "</b> "), ("><br /", "<br>")] {
            let start = "<a href=\"";
            let link = format!("{}\"{before}>{}{after}</a>", escaped(target), escaped(shown));
            let seen = markup::shown_at(format!("{start}{link}").as_bytes(), start.len());
            let found = seen.map(|seen| lint_shown(target.as_bytes(), &seen)).unwrap_or_default();
            assert_eq!(found, lint_shown(target.as_bytes(), shown.as_bytes()), "{link}");
        }
    }
}

/// Texts that look as a scheme's do, so that nothing but the name decides.
fn forms(name: &str) -> [String; 2] {
    [format!("{name}://host/path"), format!("{name}:user@host")]
}

#[test]
fn no_registered_name_is_a_slip_of_another() {
    let words = REGISTERED.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<_> = words.flat_map(str::split_whitespace).collect();
    assert!(names.len() > 350, "{} names", names.len());
    let all = names.into_iter().chain(TABLE.iter().map(|scheme| scheme.name)).flat_map(forms);
    let is_slip = |text: &String| {
        lint(text.as_bytes()).iter().any(|warning| warning.lint.id == "scheme-typo")
    };
    assert_eq!(all.filter(is_slip).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_warning_reads_as_reports_print_it() {
    let first = |text: &str| lint(text.as_bytes()).first().map(ToString::to_string);
    let case = |text, wanted: &str| assert_eq!(first(text).as_deref(), Some(wanted));
    case("http://h:65536/", "the port is above 65535 (RFC 3986 §3.2.3)");
    case("htttps://h/", "an unknown scheme, one slip away from \"https\" (RFC 3986 §3.1)");
    case("hhtp://h/", "an unknown scheme, one slip away from \"http\" (RFC 3986 §3.1)");
    case("ttp://h/", "an unknown scheme, one slip away from \"http\" (RFC 3986 §3.1)");
    case("fttp://h/", "an unknown scheme, one slip away from \"ftp\" (RFC 3986 §3.1)");
    case("mailo:a@h", "an unknown scheme, one slip away from \"mailto\" (RFC 3986 §3.1)");
    case(
        "ftp://h/%0d",
        "%0D decodes to a carriage return, which is no data in ftp (RFC 3986 §7.2)",
    );
    case(
        "http://wikiреdia.org",
        "the label mixes Latin and Cyrillic; character 5 is U+0440 (Cyrillic, looks like \"p\") \
         (UTS 39 §5.2)",
    );
    case(
        "http://аррӏе.com",
        "the label looks like \"apple\", and is not Latin; character 1 is U+0430 (Cyrillic, looks \
         like \"a\") (UTS 39 §5.2)",
    );
    case("http://a..b/", "the host has an empty label (RFC 1123 §2.1)");
    case(
        "http://a_b.example/",
        "the label has \"_\", which only names of services begin with (RFC 1123 §2.1)",
    );
    case("http://https://h/", "the scheme \"https\" follows the scheme \"http\" (RFC 3986 §3)");
    case("ftp://u:p@h/", "the password is in clear text (RFC 3986 §3.2.1)");
}

/// Numbers from a seed, the same in each run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("a small number")
    }
}

/// Pieces that lead into every lint, and bytes that break what they lead to.
const PIECES: &[&[u8]] = &[
    b"http://",
    b"hhtp://",
    b"ftp://",
    b"gopher://",
    b"mailto:",
    b"wais://",
    b"//",
    b":",
    b"@",
    b"/",
    b"?",
    b"#",
    b"[",
    b"]",
    b",",
    b"&",
    b"body=",
    b"_",
    b"xn--",
    b"xn--80ak6aa92e",
    b"--",
    b".",
    b"%",
    b"%0",
    b"%0D",
    b"%09",
    b"%00",
    b"%D1%80",
    b"%FF",
    b"1.2.3.999",
    b"99999",
    b"65536",
    b"\xD1",
    b"\xD1\x80",
    b"\xE2\x80\x8B",
    b"\xE3\x80\x82",
    b"\xFF",
    b"\0",
    b"a",
    "аррӏе".as_bytes(),
    b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

#[test]
fn any_bytes_give_warnings_in_bounds_and_in_harmless_characters() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut fired = BTreeSet::new();
    for _ in 0..60_000 {
        let mut text = Vec::new();
        for _ in 0..random.below(9) {
            text.extend_from_slice(PIECES[random.below(PIECES.len())]);
        }
        if random.below(50) == 0 {
            text.extend_from_slice(&b"a.".repeat(130));
        }
        if random.below(3) == 0 && !text.is_empty() {
            let at = random.below(text.len());
            text[at] = u8::try_from(random.below(256)).expect("a byte");
        }
        let mut warnings = lint(&text);
        warnings.extend(lint_shown(&text, b"http://another.example/"));
        if !text.is_empty() {
            grammar::lint_cut(&text, '|', &mut warnings);
        }
        for Warning { lint, at, message } in warnings {
            assert!(at < text.len(), "{} at {at} of {text:?}", lint.id);
            let is_harmless = message.chars().all(|char| char.is_ascii() && !char.is_control());
            assert!(is_harmless, "{message:?} for {text:?}");
            fired.insert(lint.id);
        }
        for Warning { at, message, .. } in lint_shown(b"http://another.example/", &text) {
            assert!(at == 7 && message.is_ascii(), "{message:?} for {text:?}");
        }
    }
    for warning in (0..20_000).flat_map(|_| random_offer(&mut random)) {
        let Warning { lint, at, message } = warning;
        let is_harmless = message.chars().all(|char| char.is_ascii() && !char.is_control());
        assert!(at == 0 && is_harmless, "{message:?}");
        fired.insert(lint.id);
    }
    assert_eq!(fired.len(), LINTS.len(), "{fired:?}");
}

/// The warnings about header fields that were put together by chance.
fn random_offer(random: &mut Random) -> Vec<Warning> {
    const PIECES: &[&[u8]] = &[
        b"List-Unsubscribe:",
        b"List-Unsubscribe-Post: ",
        b"List-Unsubscribe=One-Click",
        b"DKIM-Signature: h=",
        b"list-unsubscribe:",
        b"list-unsubscribe-post",
        b"<https://h.example/\xFF>",
        b"<mailto:a@h.example>",
        b"<",
        b">",
        b",",
        b" ( ",
        b")",
        b"\\",
        b";",
        b"\n",
        b"\n ",
        b"\xE2\x80\xAE",
    ];
    let mut head = Vec::new();
    for _ in 0..random.below(14) {
        head.extend_from_slice(PIECES[random.below(PIECES.len())]);
    }
    let offer = mailbox::message(&head, 0, FromLine::Belongs).unsubscribe;
    offer.map(|offer| offer.warnings).unwrap_or_default()
}

#[test]
fn no_message_tells_a_secret() {
    let secret = "hunter2";
    for place in ["u:{}@h", "u:{}@q@h", ":{}@h", "u:{}@h:99999", "u:%0D{}@wikiреdia.org", "u:{}/@h"]
    {
        for scheme in ["ftp", "http", "hhtp", "telnet", "gopher", "foo"] {
            let text = format!("{scheme}://{}/%0D%0A", place.replace("{}", secret));
            for warning in lint(text.as_bytes()) {
                let told = warning.to_string();
                assert!(!told.contains(secret), "{text}: {told}");
            }
        }
    }
    // A number may be the password of a user whose host is cut off.
    assert_eq!(lint(b"http://u:1234567/x@h/").len(), 1);
    assert!(!lint(b"http://u:1234567/x@h/")[0].message.contains("1234567"));
}

/// A file of this name with `text` in it, and its directory.
fn file(name: &str, text: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lints").join(name);
    fs::create_dir_all(&home).expect("a directory");
    fs::write(home.join("a.txt"), text).expect("a file");
    home
}

fn scan(home: &Path, args: &[&str]) -> Output {
    home::run(home, &[&["scan", "a.txt", "--color=never"], args].concat())
}

const TWO: &str = "see http://u:hunter2@h:99999/ there, and http://h/ too\n";

#[test]
fn a_scan_warns_one_line_each_and_its_exit_code_is_0() {
    let home = file("text", TWO);
    let output = scan(&home, &[]);
    let lines = "\
a.txt:1:5: warn[password]: http://u:***@h:99999/: \
the password is in clear text (RFC 3986 §3.2.1)
a.txt:1:5: warn[port-range]: http://u:***@h:99999/: \
the port is above 65535 (RFC 3986 §3.2.3)
a.txt:1:42: ok http://h/
";
    assert_eq!(stdout(&output), lines);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr, "linktrawl: 1 file, 55 B, 2 findings: 1 ok, 1 warn\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_is_allowed_is_not_warned_of() {
    let home = file("allowed", TWO);
    let lints = |args: &[&str]| {
        let text = stdout(&scan(&home, args));
        LINTS.iter().filter(|lint| text.contains(lint.id)).map(|lint| lint.id).collect::<Vec<_>>()
    };
    assert_eq!(lints(&["--allow", "password"]), ["port-range"]);
    assert_eq!(lints(&["--allow", "ipv4-range", "--allow=port-range"]), ["password"]);
    for all in ["password,port-range", "all", "all,password"] {
        let output = scan(&home, &["--allow", all]);
        assert!(stdout(&output).starts_with("a.txt:1:5: ok http://u:"), "{all}");
    }
    let refused = scan(&home, &["--allow", "everything"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("port-range"));
}

#[test]
fn records_have_warnings_where_there_are_some() {
    let home = file("ndjson", TWO);
    let text = stdout(&scan(&home, &["--format", "ndjson"]));
    let mut records =
        text.lines().map(|line| -> serde_json::Value { serde_json::from_str(line).expect("JSON") });
    let first = records.next().expect("a record");
    let warnings = serde_json::json!([
        {"rule": "password", "at": 9, "message": "the password is in clear text",
         "spec": "RFC 3986 §3.2.1"},
        {"rule": "port-range", "at": 19, "message": "the port is above 65535",
         "spec": "RFC 3986 §3.2.3"},
    ]);
    assert_eq!(first["warnings"], warnings);
    assert_eq!(first["verdict"], "warn");
    let second = records.next().expect("a record");
    assert_eq!((second.get("warnings"), &second["verdict"]), (None, &"ok".into()));
    assert_eq!(records.next_back().expect("a summary")["verdicts"]["warn"], 1);
}

#[test]
fn a_fault_leaves_nothing_to_warn_of_unless_another_grammar_takes_the_text() {
    let home = file("fault", "see http://b\u{fc}cher.example:99999/ there\n");
    let output = scan(&home, &["--grammar", "rfc3986"]);
    assert_eq!(stdout(&output).matches("warn[").count(), 0);
    let output = scan(&home, &["--grammar", "rfc3986,rfc3987"]);
    assert_eq!(stdout(&output).matches("error[").count(), 1);
    assert_eq!(stdout(&output).matches("warn[port-range]").count(), 1);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn offsets_of_a_link_without_scheme_count_from_its_own_first_byte() {
    let home = file("www", "see www.example.org:99999/ there\n");
    let text = stdout(&scan(&home, &["--find", "www", "--format", "ndjson"]));
    let record: serde_json::Value =
        serde_json::from_str(text.lines().next().expect("a record")).expect("JSON");
    assert_eq!(record["warnings"][0]["at"], 16);
}

#[test]
fn no_link_that_ends_within_a_word_is_well_without_a_warning() {
    const LINES: [(&str, &str); 37] = [
        ("see http://h.example/?q=repo:^services&page=2 now", "error[query]"),
        ("see http://h.example/a[1]/b now", "error[path]"),
        ("see http://h.example/?a=1||b=2 now", "error[query]"),
        ("see http://h.example/a|b now", "warn[cut-short]"),
        ("see http://h.example/?a|sh now", "warn[cut-short]"),
        ("see http://h.example/a`b now", "warn[cut-short]"),
        ("see http://h.example/a{I'm} now", "warn[cut-short]"),
        ("see http://h.example/a}b now", "warn[cut-short]"),
        ("see http://h.example/a]b now", "warn[cut-short]"),
        ("see http://h.example/a[other] now", "warn[cut-short]"),
        ("see http://h.example/a\\share now", "warn[cut-short]"),
        ("see http://h.example-/a now", "warn[cut-short]"),
        ("see www.h.example/a|b now", "warn[cut-short]"),
        ("see http://h.example/?a=<b>&c=1 now", "warn[cut-short]"),
        ("see http://h.example:<port>/a now", "warn[cut-short]"),
        ("see https://o'reilly.example/x now", "warn[cut-short]"),
        ("see https://user:p^w@h.example/ now", "warn[cut-short]"),
        ("see https://h.example:80x now", "warn[cut-short]"),
        ("see http://h.example/it’s/x now", "warn[cut-short]"),
        ("see http://h.example/（x）/y now", "warn[cut-short]"),
        ("see http://h.example/a\\users\\x now", "warn[cut-short]"),
        ("see http://h.example/?q=a^^b&c=1 now", "warn[cut-short]"),
        ("see http://h.example/a[\"x\"]/b now", "warn[cut-short]"),
        ("see http://h.example/a“b”c now", "warn[cut-short]"),
        ("see http://h.example/wiki/【b】 now", "warn[cut-short]"),
        ("see http://h.example/?q=a\\b&c=2 now", "warn[cut-short]"),
        ("see http://h<!-- i -->.example/a now", "warn[cut-short]"),
        ("see http://h.example<a href='/a'>/a</a> now", "warn[cut-short]"),
        ("see http://h.example/a[1] now", "ok"),
        ("see “http://h.example/a”, now", "ok"),
        ("see http://h.example’s now", "ok"),
        ("see http://h.example/a\\nand", "ok"),
        ("'http://h.example'/>", "ok"),
        ("|http://h.example/a|b|", "ok"),
        ("`http://h.example/a`b", "ok"),
        ("see http://h.example's now", "ok"),
        ("see http://h.example: <port> now", "ok"),
    ];
    let text: String = LINES.iter().map(|(line, _)| format!("{line}\n")).collect();
    let home = file("cut", &text);
    let output = stdout(&scan(&home, &["--find", "bare,www"]));
    for ((line, verdict), number) in LINES.iter().zip(1..) {
        let of_line = |told: &&str| told.starts_with(&format!("a.txt:{number}:"));
        let told: Vec<_> = output.lines().filter(of_line).collect();
        assert_eq!(told.len(), 1, "{line}: {told:?}");
        assert!(told[0].contains(&format!(": {verdict}")), "{line}: {}", told[0]);
    }
    let records = stdout(&scan(&home, &["--format", "ndjson"]));
    for (record, escape) in records.lines().zip(["%5E", "%5B", "%7C"]) {
        assert!(record.contains(&format!("write it as {escape}")), "{record}");
    }
    let quiet = stdout(&scan(&home, &["--allow", "cut-short"]));
    assert!(!quiet.contains("warn["), "{quiet}");
}
