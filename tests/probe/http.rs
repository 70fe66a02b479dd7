//! Asks servers of HTTP that keep to their protocol and servers that do not: what comes of
//! each answer, what is sent, how much is read, and that every question ends.
//!
//! Deadlines are short, and nothing is said of how long a question takes but that it ends.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use linktrawl::internal::grammar;
use linktrawl::internal::probe::guard::Guard;
use linktrawl::internal::probe::tcp::{Net, NetOptions, Timeouts};
use linktrawl::internal::probe::{self, Answer, Kept, Level, Outcome, Question, Validators};
use linktrawl::internal::source::markup::challenge;

use crate::support::hostile::Step::{Drip, Hear, Overhear, Stall};
use crate::support::hostile::{self, Hostile, say};

/// For all of one question, where an answer must come in time on a machine under load too.
const TOTAL: Duration = Duration::from_secs(30);

/// The same, where none comes.
const SHORT: Duration = Duration::from_millis(300);

/// Maximum number of bytes that a server can send: a page of 1 MiB, and the content of the system's
/// buffers on both sides, which is some 6 MiB at most.
const TAKEN_BYTES_MAX: u64 = 16 * 1024 * 1024;

fn net_within(total: Duration) -> Net {
    let allow = vec!["127.0.0.0/8".parse().expect("a network")];
    let options = NetOptions {
        guard: Guard { allow, ..Guard::default() },
        timeouts: Timeouts { connect: total, tls: total, total },
        agent: "linktrawl/test (+http://127.0.0.1/)".to_owned(),
        ..NetOptions::default()
    };
    Net::new(options).expect("a net")
}

/// A kind of request to a server.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Host,
    Head,
    Get,
    /// `Get`, with the page.
    Page,
}

impl Ask {
    fn named(name: &str) -> Self {
        match name {
            "host" => Self::Host,
            "head" => Self::Head,
            "get" => Self::Get,
            "page" => Self::Page,
            _ => panic!("{name:?} is nothing to ask"),
        }
    }
}

/// Asks for `uri`.
async fn ask(uri: &str, what: Ask, net: &Net, kept: &mut Kept) -> Answer {
    let level = match what {
        Ask::Host => Level::Host,
        Ask::Head => Level::Head,
        Ask::Get | Ask::Page => Level::Get,
    };
    let wants_body = matches!(what, Ask::Page);
    let uri = grammar::find("rfc3987").expect("a grammar").split(uri.as_bytes());
    let probe = probe::find("http").expect("a probe for http");
    probe.ask(Question { uri, level, wants_body, validators: None }, net, kept).await
}

/// Runs `future` on a runtime of its own, which takes every connection with it.
fn run<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().expect("a runtime").block_on(future)
}

/// An answer in one line.
fn shown(answer: &Answer) -> String {
    let mut line = match &answer.outcome {
        Outcome::Known(reach) => format!("{}{}", reach.class.row().name, code(reach.status)),
        Outcome::Later { reach, after } => {
            let after = after.map_or(String::new(), |after| format!(" after {}", after.as_secs()));
            format!("later {}{}{after}", reach.class.row().name, code(reach.status))
        }
        Outcome::Moved(hop) => {
            format!("moved {} {}", hop.status, String::from_utf8_lossy(&hop.to))
        }
    };
    if let Some(body) = &answer.body {
        let cut = if body.is_cut { ", cut" } else { "" };
        line += &format!(", {} bytes{cut}", body.bytes.len());
    }
    line
}

fn code(status: Option<u16>) -> String {
    status.map_or(String::new(), |status| format!(" {status}"))
}

/// Returns the answer of a server, in one line.
fn answer_of(address: SocketAddr, what: Ask, total: Duration) -> String {
    let uri = format!("http://{address}/a");
    let answer = run(ask(&uri, what, &net_within(total), &mut None));
    shown(&answer).replace(&address.to_string(), "HOST")
}

/// Reports whether `found` matches `expected`, in which `*` is any number.
fn fits(found: &str, expected: &str) -> bool {
    let Some((before, after)) = expected.split_once('*') else { return found == expected };
    let rest = found.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    rest.is_some_and(|number| number.parse::<usize>().is_ok())
}

const MISBEHAVIOURS_MIN: usize = 100;

#[test]
fn every_misbehaviour_comes_to_what_the_table_says() {
    let rows = hostile::table::rows("probe/http.tsv");
    assert!(rows.len() >= MISBEHAVIOURS_MIN, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        let is_late = row.outcome.contains("timeout");
        let is_slow = is_late || row.script.iter().any(|step| matches!(step, Drip(..)));
        let server = Hostile::start(row.script);
        let total = if is_slow { SHORT } else { TOTAL };
        let found = answer_of(server.address, Ask::named(&row.ask), total);
        let (name, expected) = (row.name, row.outcome);
        if !fits(&found, &expected) {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?}"));
        }
        if server.taken() > TAKEN_BYTES_MAX {
            wrong.push(format!("{name}: {} bytes taken", server.taken()));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn a_status_that_cannot_be_read_says_nothing_about_the_link() {
    let server = Hostile::start(vec![Hear, say("HTTP/1.1 2x0 OK\r\n\r\n")]);
    let uri = format!("http://{}/a", server.address);
    let answer = run(ask(&uri, Ask::Get, &net_within(TOTAL), &mut None));
    let Outcome::Known(reach) = answer.outcome else { panic!("a final outcome") };
    let expected = "the head of the answer is malformed: expected a status of three digits \
                    (RFC 9112 §4), found something else";
    assert_eq!((reach.class.row().name, reach.message.as_str()), ("unverifiable", expected));
}

#[test]
fn a_connection_may_break_after_any_byte() {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: y\r\n\r\n";
    for len in 0..text.len() {
        for first in [Overhear, Hear] {
            let server = Hostile::start(vec![first.clone(), say(&text[..len])]);
            let found = answer_of(server.address, Ask::Get, TOTAL);
            assert_eq!(found, "later protocol-error", "{first:?}, {len} bytes");
        }
    }
    let server = Hostile::start(vec![Hear, say(text)]);
    assert_eq!(answer_of(server.address, Ask::Get, TOTAL), "alive 200");
}

// ---- what is sent ----------------------------------------------------------------------

/// Asks a server that says `answers` in turn, one a connection; what came of it, and what the
/// server heard.
fn dialogue(answers: &[&str], path: &str, what: Ask) -> (String, Vec<String>) {
    let scripts = answers.iter().map(|answer| vec![Hear, say(answer)]).collect();
    let server = Hostile::start_in_turn(scripts);
    let uri = path.replace("HOST", &server.address.to_string());
    let found = shown(&run(ask(&uri, what, &net_within(TOTAL), &mut None)));
    let host = server.address.to_string();
    (found, server.heard().iter().map(|heard| heard.replace(&host, "HOST")).collect())
}

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// The kinds that links are requested as, as browsers do.
pub(crate) const KINDS: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

fn request(method: &str, target: &str) -> String {
    // An answer to HEAD has no body that could be coded.
    let coding = if method == "HEAD" { "" } else { "accept-encoding: identity\r\n" };
    format!(
        "{method} {target} HTTP/1.1\r\nhost: HOST\r\n\
         user-agent: linktrawl/test (+http://127.0.0.1/)\r\n\
         accept: {KINDS}\r\n{coding}\r\n"
    )
}

#[track_caller]
fn sends(uri: &str, target: &str) {
    let (found, heard) = dialogue(&[OK], uri, Ask::Head);
    assert_eq!((found.as_str(), heard), ("alive 200", vec![request("HEAD", target)]), "{uri}");
}

#[test]
fn a_request_says_no_more_than_it_must() {
    sends("http://HOST", "/");
    sends("http://HOST/", "/");
    sends("http://HOST/a/b?c=d&e", "/a/b?c=d&e");
    sends("http://HOST?q", "/?q");
    sends("http://HOST/a?", "/a?");
    sends("HTTP://HOST/A", "/A");
    sends("http://user:secret@HOST/a#token", "/a");
    sends("http://user@HOST/#a?b", "/");
}

#[test]
fn a_request_target_is_legal_whatever_the_uri_holds() {
    sends("http://HOST/\u{E9}?\u{20AC}", "/%C3%A9?%E2%82%AC");
    sends("http://HOST/%c3%a9%2F%2e", "/%c3%a9%2F%2e");
    sends("http://HOST/%0d%0aX-A:%20b?%00%0A", "/%0d%0aX-A:%20b?%00%0A");
    sends("http://HOST/a\r\nX: b\0\t", "/a%0D%0AX:%20b%00%09");
    sends("http://HOST/ a?b c", "/%20a?b%20c");
    sends("http://HOST/%zz%?%4", "/%25zz%25?%254");
    sends("http://HOST/a|b\\c^d`e{f}\"<g>[h]", "/a|b%5Cc%5Ed%60e%7Bf%7D%22%3Cg%3E[h]");
    sends("http://HOST/a?b[]=1|2^`{}\"<", "/a?b[]=1|2^`{}%22%3C");
    sends("http://HOST/a/./b/../c", "/a/c");
    sends("http://HOST/../../etc", "/etc");
    sends("http://HOST//a//b", "//a//b");
    sends("http://HOST/http://h/?http://g/", "/http://h/?http://g/");
    sends("http://HOST/\u{202E}", "/%E2%80%AE");
}

#[test]
fn nobody_is_asked_for_what_cannot_be_asked() {
    let long = format!("http://127.0.0.1/{}", "a".repeat(70_000));
    for (uri, expected) in [
        ("http:///a", "policy-address"),
        ("http://127.0.0.1:0/", "policy-port"),
        ("http://127.0.0.1:65536/", "policy-port"),
        ("http://127.0.0.1:99999999999999999999/", "policy-port"),
        (&long, "policy-argument"),
    ] {
        let found = run(ask(uri, Ask::Head, &net_within(TOTAL), &mut None));
        assert_eq!(shown(&found), expected, "{}", &uri[..uri.len().min(60)]);
        assert_eq!(found.address, None);
    }
}

#[test]
fn head_is_asked_before_get_and_get_where_head_says_nothing() {
    let heads = |answers: &[&str]| {
        let (found, heard) = dialogue(answers, "http://HOST/a", Ask::Head);
        let methods = heard.iter().filter_map(|text| text.split(' ').next());
        format!("{}: {found}", methods.collect::<Vec<_>>().join(" "))
    };
    let answer = |status: u16| format!("HTTP/1.1 {status} \r\nContent-Length: 0\r\n\r\n");
    for status in (400..=418).chain([429, 451, 500, 501, 502, 503, 504, 999, 304, 600]) {
        assert_eq!(heads(&[&answer(status), OK]), "HEAD GET: alive 200", "{status}");
    }
    assert_eq!(heads(&[&answer(204), OK]), "HEAD: alive 204");
    // A server that names a time is not requested until then.
    for (status, class) in [(408, "timeout"), (429, "throttled"), (503, "server-error")] {
        let later = format!("HTTP/1.1 {status} \r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n");
        let expected = format!("HEAD: later {class} {status} after 7");
        assert_eq!(heads(&[&later, OK]), expected);
    }
    assert_eq!(heads(&[&answer(503), &answer(429)]), "HEAD GET: later throttled 429");
    assert_eq!(heads(&["", OK]), "HEAD GET: alive 200");
    assert_eq!(heads(&["garbage\r\n\r\n", OK]), "HEAD GET: alive 200");
    assert_eq!(heads(&[&answer(404), &answer(404)]), "HEAD GET: missing 404");
    assert_eq!(heads(&[&answer(500), &answer(500)]), "HEAD GET: later server-error 500");
    assert_eq!(heads(&[&answer(404), ""]), "HEAD GET: later protocol-error");
}

const CHALLENGES_MIN: usize = 40;

#[test]
fn a_page_of_a_guard_is_told_by_its_signs_and_never_by_its_words() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/probe/challenges.tsv");
    let table = fs::read_to_string(path).expect("a table");
    let rows: Vec<_> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect();
    assert!(rows.len() >= CHALLENGES_MIN, "{} rows", rows.len());
    for (guard, page) in rows {
        let (page, more) = page.split_once('\t').unwrap_or((page, "*0"));
        let (text, count) = more.rsplit_once('*').expect("text and count");
        let page = [page, &text.repeat(count.parse().expect("a count"))].concat();
        assert_eq!(challenge::guard(page.as_bytes()).unwrap_or("-"), guard, "{page}");
    }
}

#[test]
fn a_level_is_not_gone_beyond() {
    let (found, heard) = dialogue(&[OK], "http://HOST/a", Ask::Host);
    assert_eq!((found.as_str(), heard.len()), ("alive", 0));
    for what in [Ask::Get, Ask::Page] {
        let (_, heard) = dialogue(&[OK], "http://HOST/a", what);
        assert_eq!(heard, [request("GET", "/a")]);
    }
}

#[test]
fn changes_only_are_asked_for_where_a_version_is_known() {
    let known = Validators {
        etag: Some(b"W/\"a\xE9\"".to_vec()),
        last_modified: Some(b"Sun, 06 Nov 1994 08:49:37 GMT".to_vec()),
    };
    let asked = |known: &Validators, answer: &str, wants_body| {
        let server = Hostile::start(vec![Hear, say(answer)]);
        let text = format!("http://{}/", server.address);
        let uri = grammar::find("rfc3986").expect("a grammar").split(text.as_bytes());
        let level = Level::Head;
        let question = Question { uri, level, wants_body, validators: Some(known) };
        let net = net_within(TOTAL);
        let probe = probe::find("https").expect("a probe");
        let answer = run(probe.ask(question, &net, &mut None));
        (shown(&answer), server.heard().join(""), answer.validators)
    };
    let unchanged = "HTTP/1.1 304 \r\nETag: \"b\"\r\n\r\n";
    let (found, heard, validators) = asked(&known, unchanged, false);
    assert_eq!(found, "alive 304");
    assert_eq!(validators.etag.as_deref(), Some(&b"\"b\""[..]));
    assert!(heard.contains("if-none-match: W/\"a\u{FFFD}\"\r\n"), "{heard}");
    assert!(heard.contains("if-modified-since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"), "{heard}");
    let (found, heard, _) = asked(&known, unchanged, true);
    assert_eq!(found, "later unverifiable 304");
    assert!(!heard.contains("if-"), "{heard}");
    let forged = Validators { etag: Some(b"a\r\nX: b".to_vec()), last_modified: None };
    let (found, heard, _) = asked(&forged, unchanged, false);
    assert_eq!(found, "later unverifiable 304");
    assert!(!heard.contains("if-") && !heard.contains("X:"), "{heard}");
}

// ---- connections -----------------------------------------------------------------------

/// Asks for each of `paths` in turn, with one connection kept between them.
fn in_turn(server: &Hostile, asks: &[(&str, Ask)]) -> Vec<String> {
    let net = net_within(TOTAL);
    run(async {
        let mut kept = None;
        let mut found = Vec::new();
        for (path, what) in asks {
            let uri = format!("http://{}{path}", server.address);
            found.push(shown(&ask(&uri, *what, &net, &mut kept).await));
        }
        found
    })
}

#[test]
fn a_connection_is_kept_while_it_can_be() {
    let page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let script = vec![Hear, say(OK), Hear, say(page), Hear, say(OK)];
    let server = Hostile::start(script);
    let asks = [("/a", Ask::Head), ("/b", Ask::Page), ("/c", Ask::Head)];
    assert_eq!(in_turn(&server, &asks), ["alive 200", "alive 200, 5 bytes", "alive 200"]);
    assert_eq!((server.connections(), server.heard().len()), (1, 3));
}

#[test]
fn a_connection_that_cannot_be_kept_is_made_anew() {
    let page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let old = "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n";
    let kept = "HTTP/1.1 200 OK\r\nX\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n";
    let interim = &format!("HTTP/1.1 103 \r\nX\r\n\r\n{OK}");
    for (name, first, what) in [
        ("closed without a word", OK, Ask::Head),
        ("closed as it says", closing, Ask::Head),
        ("closed by its version", old, Ask::Head),
        ("malformed", "HTTP/1.1 200 OK\r\nX\r\nContent-Length: 0\r\n\r\n", Ask::Head),
        ("malformed, but kept", kept, Ask::Head),
        ("malformed before it", interim, Ask::Head),
        ("a body is left", page, Ask::Get),
        ("a body where none may be", page, Ask::Head),
    ] {
        let server = Hostile::start(vec![Hear, say(first)]);
        let found = in_turn(&server, &[("/a", what), ("/b", what), ("/c", what)]);
        assert_eq!(found, ["alive 200"; 3], "{name}");
        assert_eq!((server.connections(), server.heard().len()), (3, 3), "{name}");
    }
}

/// The request may have been heard, and nothing that is sent changes anything. After HEAD, GET
/// would follow in any case.
#[test]
fn a_kept_connection_that_ends_at_the_next_request_is_made_anew() {
    let scripts = vec![vec![Hear, say(OK), Hear], vec![Hear, say(OK), Stall]];
    let server = Hostile::start_in_turn(scripts);
    let found = in_turn(&server, &[("/a", Ask::Head), ("/b", Ask::Get)]);
    assert_eq!(found, ["alive 200"; 2]);
    assert_eq!((server.connections(), server.heard().len()), (2, 3));
}

#[test]
fn what_is_left_of_one_answer_is_never_the_next() {
    let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 410 Gone\r\n\r\n";
    let missing = "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n";
    let scripts = vec![vec![Hear, say(smuggled), Stall], vec![Hear, say(missing)]];
    for what in [Ask::Get, Ask::Head] {
        let server = Hostile::start_in_turn(scripts.clone());
        let found = in_turn(&server, &[("/a", what), ("/b", what)]);
        assert_eq!(found, ["alive 200", "missing 404"], "{what:?}");
    }
}

#[test]
fn a_connection_to_one_host_serves_no_other() {
    let script = vec![Hear, say(OK), Stall];
    let (one, two) = (Hostile::start(script.clone()), Hostile::start(script));
    let net = net_within(TOTAL);
    run(async {
        let mut kept = None;
        for server in [&one, &two, &one] {
            let uri = format!("http://{}/", server.address);
            let answer = ask(&uri, Ask::Head, &net, &mut kept).await;
            assert_eq!(shown(&answer), "alive 200");
            assert_eq!(answer.address, Some(server.address.ip()));
            assert!(kept.is_some());
        }
    });
    assert_eq!((one.connections(), two.connections()), (2, 1));
}

#[test]
fn nobody_there_is_told() {
    // Another address of loopback, where nothing listens at this port.
    let server = Hostile::start(vec![]);
    let address = SocketAddr::from(([127, 0, 0, 2], server.address.port()));
    assert_eq!(answer_of(address, Ask::Head, TOTAL), "later refused");
    assert_eq!(answer_of(address, Ask::Host, TOTAL), "later refused");
}
