//! Tests the parser of robots.txt: against the examples of RFC 9309 and another parser, and that no
//! file takes longer than its length.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::time::Duration;

use crate::support::chance::Chance;
use crate::support::hostile::Step::{Hear, Stall};
use crate::support::hostile::{Hostile, say};
use linktrawl::internal::probe::guard::Guard;
use linktrawl::internal::probe::robots::{self, PRODUCT, Robots};
use linktrawl::internal::probe::tcp::{Net, NetOptions, Timeouts};

const TABLE: &str = include_str!("../../corpus/probe/robots.tsv");

/// The files of the table with a path each, what is expected, and why.
fn rows() -> Vec<(String, String, bool, String)> {
    let is_row = |line: &&str| !(line.is_empty() || line.starts_with("# ") && !line.contains('\t'));
    let mut rows = Vec::new();
    for line in TABLE.lines().filter(is_row) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, path, expected, why] = fields[..] else { panic!("four fields in {line:?}") };
        assert!(matches!(expected, "allow" | "deny"), "{line:?}");
        let file = file.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
        rows.push((file, path.to_owned(), expected == "allow", why.to_owned()));
    }
    rows
}

#[test]
fn files_say_what_the_table_says() {
    let rows = rows();
    assert!(rows.len() > 80, "{} rows", rows.len());
    for (file, path, expected, why) in rows {
        let robots = Robots::parse(file.as_bytes(), PRODUCT);
        assert_eq!(robots.allows(path.as_bytes()), expected, "{path} of {file:?}: {why}");
    }
}

#[test]
fn a_byte_order_mark_names_the_charset() {
    let text = "\u{FEFF}User-agent: *\nDisallow: /a\nDisallow: /\u{E9}\n";
    let units = || text.encode_utf16();
    let forms = [
        text.as_bytes().to_vec(),
        units().flat_map(u16::to_le_bytes).collect(),
        units().flat_map(u16::to_be_bytes).collect(),
    ];
    for form in forms {
        let robots = Robots::parse(&form, PRODUCT);
        let allowed = ["/a/b", "/%C3%A9", "/b"].map(|path| robots.allows(path.as_bytes()));
        assert_eq!(allowed, [false, false, true], "{form:?}");
    }
}

#[track_caller]
fn delay(file: &str, expected: Option<f64>) {
    let found = Robots::parse(file.as_bytes(), PRODUCT).crawl_delay();
    assert_eq!(found, expected.map(Duration::from_secs_f64), "{file:?}");
}

#[test]
fn a_crawl_delay_is_kept_up_to_a_week() {
    delay("User-agent: *\nCrawl-delay: 10\n", Some(10.0));
    delay("User-agent: *\nCrawl-Delay:0.5\n", Some(0.5));
    delay("User-agent: *\nCrawl-delay: 0\n", Some(0.0));
    delay("User-agent: *\nCrawl-delay: 300\n", Some(300.0));
    delay("User-agent: *\nCrawl-delay: 86400\n", Some(86_400.0));
    delay(&format!("User-agent: *\nCrawl-delay: {}\n", "9".repeat(400)), Some(604_800.0));
    delay("User-agent: *\nCrawl-delay: 3\nCrawl-delay: 5\nCrawl-delay: 4\n", Some(5.0));
    delay("User-agent: *\nCrawl-delay: 3\nUser-agent: linktrawl\nCrawl-delay: 1\n", Some(1.0));
    delay("User-agent: *\nCrawl-delay: 3\nDisallow: /\nUser-agent: linktrawl\n", None);
    delay("User-agent: x\nCrawl-delay: 3\n", None);
    delay("Crawl-delay: 3\n", None);
    for value in ["", "-1", "+1", "1e3", "inf", "NaN", "1 s", "1,5", ".", "1.2.3", "0x1"] {
        delay(&format!("User-agent: *\nCrawl-delay: {value}\n"), None);
    }
}

#[test]
fn a_long_file_is_read_up_to_its_limit_and_to_the_end_of_a_line() {
    let limit = 500 * 1024;
    let start = "User-agent: *\nDisallow: /a\n";
    let comment = |len: usize| format!("#{}\n", "x".repeat(len - 2));
    let rule = "Allow: /a/b\n";
    let allows = |file: &str| Robots::parse(file.as_bytes(), PRODUCT).allows(b"/a/b");
    let within = format!("{start}{}{rule}#", comment(limit - start.len() - rule.len()));
    assert!(allows(&within));
    let across = format!("{start}{}{rule}#", comment(limit - start.len() - rule.len() + 1));
    assert!(!allows(&across));
    let exact = format!("{start}{}{}", comment(limit - start.len() - rule.len() + 1), rule.trim());
    assert_eq!(exact.len(), limit);
    assert!(allows(&exact));
}

#[test]
fn what_stands_for_no_file_allows_or_denies_everything() {
    for path in ["", "/", "/a?b", "*", "a"] {
        assert!(Robots::allow_all().allows(path.as_bytes()));
    }
    for path in ["", "/", "/a?b"] {
        assert!(!Robots::unknown("why").allows(path.as_bytes()));
    }
}

/// A matcher that went back for each star would not see the end of this.
#[test]
fn a_pattern_of_stars_costs_its_length() {
    let path = format!("/{}", "a".repeat(60 * 1024));
    for pattern in ["*a".repeat(30 * 1024), "*".repeat(60 * 1024), "*aab".repeat(20 * 1024)] {
        for end in ["", "$", "b", "b$"] {
            let file = format!("User-agent: *\nDisallow: {pattern}{end}\n");
            let is_met = !(pattern.contains('b') || end.contains('b'));
            let robots = Robots::parse(file.as_bytes(), PRODUCT);
            assert_eq!(robots.allows(path.as_bytes()), !is_met, "{:.9}…{end}", pattern);
        }
    }
}

// ---- properties ------------------------------------------------------------------------

/// Up to `count_max` of `pieces`.
fn text(chance: &mut Chance, pieces: &[&str], count_max: usize) -> String {
    (0..chance.below(count_max + 1)).map(|_| one_of(chance, pieces)).collect()
}

fn one_of<'t>(chance: &mut Chance, choices: &[&'t str]) -> &'t str {
    choices[chance.below(choices.len())]
}

#[test]
fn no_file_and_no_path_is_too_odd() {
    let mut chance = Chance(1);
    let pieces = [
        "user-agent",
        "linktrawl",
        "allow",
        "disallow",
        "crawl-delay",
        ":",
        ":",
        "\n",
        "\n",
        "\r",
        "*",
        "$",
        "/",
        "%",
        "%2",
        "%2F",
        "#",
        "?",
        " ",
        "\t",
        "\0",
        "\u{E9}",
        "\u{FEFF}",
        "a",
        "9",
        ".",
    ];
    for _ in 0..20_000 {
        let mut file = text(&mut chance, &pieces, 40).into_bytes();
        let path = text(&mut chance, &pieces, 8);
        if !file.is_empty() {
            let at = chance.below(file.len());
            file[at] = u8::try_from(chance.below(256)).expect("a byte");
        }
        let robots = Robots::parse(&file, PRODUCT);
        let allowed = robots.allows(path.as_bytes());
        // An escaped path has the same verdict, whatever the verdict is.
        let escaped: String = path
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' => format!("%{byte:02x}"),
                _ => String::from_utf8_lossy(&[byte]).into_owned(),
            })
            .collect();
        if path.is_ascii() && !path.contains('%') {
            assert_eq!(robots.allows(escaped.as_bytes()), allowed, "{path:?} of {file:?}");
        }
    }
}

/// Reports whether a pattern matches, in the slow and obvious way.
fn matches_slowly(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        b"$" => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skipped| matches_slowly(rest, &path[skipped..])),
        [first, rest @ ..] => path.first() == Some(first) && matches_slowly(rest, &path[1..]),
    }
}

#[test]
fn patterns_match_what_they_match_slowly() {
    let mut chance = Chance(2);
    let mut matched = 0;
    for _ in 0..50_000 {
        let pattern = format!(
            "{}{}",
            text(&mut chance, &["/", "a", "b", "*", "ab"], 6),
            one_of(&mut chance, &["", "$"])
        );
        let path = format!("/{}", text(&mut chance, &["/", "a", "b"], 8));
        if pattern.is_empty() {
            continue;
        }
        let file = format!("User-agent: *\nDisallow: {pattern}\n");
        let expected = matches_slowly(pattern.as_bytes(), path.as_bytes());
        let found = !Robots::parse(file.as_bytes(), PRODUCT).allows(path.as_bytes());
        assert_eq!(found, expected, "{pattern:?} and {path:?}");
        matched += usize::from(expected);
    }
    assert!((3_000..45_000).contains(&matched), "{matched} matched");
}

/// Groups, names and precedence. Without stars, which the other reader loses its way with where
/// more than one place fits, and without other records, which end a group there.
#[test]
fn another_reader_agrees() {
    let mut chance = Chance(3);
    let (mut allowed, mut denied) = (0, 0);
    for _ in 0..20_000 {
        let mut file = String::new();
        for _ in 0..chance.below(12) {
            let value = text(&mut chance, &["a", "b", "/", "?"], 3);
            let value = format!("/{value}{}", one_of(&mut chance, &["", "", "$"]));
            file += &match chance.below(6) {
                0 => "User-agent: *\n".to_owned(),
                1 => "User-agent: linktrawl\n".to_owned(),
                2 => "User-agent: other\n".to_owned(),
                3 | 4 => format!("Allow: {value}\n"),
                _ => format!("Disallow: {value}\n"),
            };
        }
        let path = format!("/{}", text(&mut chance, &["a", "b", "/", "?"], 4));
        let found = Robots::parse(file.as_bytes(), PRODUCT).allows(path.as_bytes());
        let mut other = robotstxt::DefaultMatcher::default();
        let uri = format!("http://h{path}");
        let expected = other.one_agent_allowed_by_robots(&file, PRODUCT, &uri);
        assert_eq!(found, expected, "{path:?} of {file:?}");
        *(if found { &mut allowed } else { &mut denied }) += 1;
    }
    assert!(allowed > 2_000 && denied > 1_000, "{allowed} allowed, {denied} denied");
}

#[test]
fn what_is_kept_of_a_file_says_the_same() {
    let product = "linktrawl";
    for file in [
        &b""[..],
        b"User-agent: *\nDisallow:\n",
        b"User-agent: other\nDisallow: /\n",
        b"User-agent: *\nDisallow: /\nAllow: /a$\nAllow: /*?b=*$\nCrawl-delay: 2.5\n",
        b"User-agent: linktrawl\nDisallow: /a b#c\nDisallow: /%23d\nAllow: /\xFF%e4%2A*\xC3\n",
        b"User-agent: *\nAllow: $\nDisallow: *\nAllow: /a?b:c%3Fd%3A\nCrawl-delay: 0.1\n",
    ] {
        let robots = Robots::parse(file, product);
        let text = robots.to_text().expect("it was had");
        assert_eq!(Robots::parse(&text, product), robots, "{}", file.escape_ascii());
    }
    assert_eq!(Robots::unknown("it does not matter").to_text(), None);
    // Escapes make a file three times as long, and half of it says something else.
    let long = [&b"User-agent: *\nDisallow: /"[..], &[0xFF; 300 << 10]].concat();
    assert_eq!(Robots::parse(&[&long[..], b"\n"].concat(), product).to_text(), None);
}

// ---- how a file is had -----------------------------------------------------------------

/// Fetches the robots.txt of a site that gives `answers` in turn, one a connection; returns the
/// verdict on a path that every file below mentions, and the requests that it heard.
fn fetched(answers: &[String], total: Duration) -> (String, Vec<String>) {
    let play = |answer: &String| vec![Hear, say(answer), Stall];
    let server = Hostile::start_in_turn(answers.iter().map(play).collect());
    let allow = vec!["127.0.0.0/8".parse().expect("a network")];
    let options = NetOptions {
        guard: Guard { allow, ..Guard::default() },
        timeouts: Timeouts { connect: total, tls: total, total },
        agent: "linktrawl/test".to_owned(),
        ..NetOptions::default()
    };
    let net = Net::new(options).expect("a net");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let site = format!("http://{}", server.address);
    let runtime = runtime.expect("a runtime");
    let robots = runtime.block_on(robots::fetch(&site, &net, &mut None)).robots;
    let heard = server.heard();
    let targets = heard.iter().map(|text| text.split(" HTTP").next().unwrap_or_default());
    let targets = targets.map(str::to_owned).collect();
    (robots.refusal(b"/a").unwrap_or_else(|| "allowed".to_owned()), targets)
}

const LONG: Duration = Duration::from_secs(30);
const ASKED: &str = "the robots.txt of the host disallows the request";

fn with_body(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} \r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[track_caller]
fn comes_to(answer: &str, expected: &str) {
    let (found, heard) = fetched(&[answer.to_owned()], LONG);
    assert_eq!(found, expected, "{:.60}", answer);
    assert_eq!(heard, ["GET /robots.txt"]);
}

#[test]
fn an_answer_means_what_rfc_9309_says() {
    let file = "User-agent: *\nDisallow: /a\n";
    comes_to(&with_body(200, file), ASKED);
    comes_to(&with_body(200, "User-agent: *\nDisallow: /b\n"), "allowed");
    for status in [400, 401, 403, 404, 410, 451, 300, 304] {
        comes_to(&with_body(status, file), "allowed");
    }
    for (status, why) in [
        (408, "408 Request Timeout"),
        (429, "429 Too Many Requests"),
        (500, "500 Internal Server Error"),
        (503, "503 Service Unavailable"),
        (999, "999"),
    ] {
        comes_to(
            &with_body(status, ""),
            &format!("the robots.txt of the host cannot be fetched: {why}"),
        );
    }
}

#[test]
fn redirects_are_followed_five_times() {
    let to =
        |place: &str| format!("HTTP/1.1 301 \r\nContent-Length: 0\r\nLocation: {place}\r\n\r\n");
    let file = with_body(200, "User-agent: *\nDisallow: /a\n");
    let mut answers = vec![to("/1"), to("/2"), to("/3"), to("/4"), to("/5")];
    answers.push(file.clone());
    let (found, heard) = fetched(&answers, LONG);
    assert_eq!((found.as_str(), heard.len()), (ASKED, 6));
    assert_eq!(heard[5], "GET /5");
    answers.insert(5, to("/6"));
    let (found, heard) = fetched(&answers, LONG);
    assert_eq!((found.as_str(), heard.len()), ("allowed", 6));
    for (place, expected) in [
        ("http://10.0.0.1/robots.txt", "the robots.txt of the host cannot be fetched: 10.0.0.1"),
        ("http://[::1]/robots.txt", "the robots.txt of the host cannot be fetched: ::1"),
        ("file:///etc/passwd", "allowed"),
    ] {
        let (found, heard) = fetched(&[to(place)], LONG);
        assert!(found.starts_with(expected), "{place}: {found}");
        assert_eq!(heard.len(), 1);
    }
}

#[test]
fn a_file_that_does_not_come_whole_is_no_leave() {
    let cut = "HTTP/1.1 200 \r\nContent-Length: 99\r\n\r\nUser-agent: *\nAllow: /\n";
    let (found, _) = fetched(&[cut.to_owned()], Duration::from_millis(300));
    assert_eq!(found, "the robots.txt of the host cannot be fetched: it did not come whole");
    let (found, _) = fetched(&[String::new()], Duration::from_millis(300));
    assert!(found.starts_with("the robots.txt of the host cannot be fetched: "), "{found}");
    let long = format!("User-agent: *\nDisallow: /a\n{}", "#\n".repeat(600 * 1024));
    let (found, _) = fetched(&[with_body(200, &long)], LONG);
    assert_eq!(found, ASKED);
}
