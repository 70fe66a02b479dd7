//! Tests the probes of line protocols: which bytes they send to scripted servers, and how they
//! classify the answers; and the same with real daemons.
//!
//! No probe may send a byte that the table does not have, and none may hang, whatever a server
//! does. The tests require of the time only that each one ends.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::time::Duration;

use crate::support::chance::Chance;
use crate::support::hostile_lines::{Scripted, Step, client_side, veil};
use linktrawl::internal::grammar;
use linktrawl::internal::probe::guard::{Guard, Host};
use linktrawl::internal::probe::tcp::{Net, NetOptions, Timeouts};
use linktrawl::internal::probe::trust::{Trust, TrustFile};
use linktrawl::internal::probe::{self, Answer, Kept, Level, Outcome, Question};
use tokio::net::TcpSocket;

/// The name that the client gives itself.
const AGENT: &str = "tester@example.org";

/// Deadlines that hostile servers are met with.
const SHORT: Duration = Duration::from_millis(400);
/// A deadline that nobody should reach.
const LONG: Duration = Duration::from_secs(20);

fn net(total: Duration) -> Net {
    trusting(total, Trust::default())
}

fn trusting(total: Duration, trust: Trust) -> Net {
    let options = NetOptions {
        trust,
        guard: Guard { allow: vec!["127.0.0.0/8".parse().expect("a network")], ..Guard::default() },
        timeouts: Timeouts { connect: total, tls: total, total },
        agent: AGENT.to_owned(),
        ..NetOptions::default()
    };
    Net::new(options).expect("options that hold together")
}

async fn ask(uri: &str, level: Level, net: &Net, kept: &mut Kept) -> Answer {
    let current = grammar::find("current").expect("the default");
    let uri = current.split(uri.as_bytes());
    let scheme = uri.scheme.expect("a scheme").of(uri.text).to_ascii_lowercase();
    let scheme = String::from_utf8(scheme).expect("US-ASCII");
    let Some(probe) = probe::find(&scheme) else {
        return Answer::of(Outcome::Known(probe::unasked(&scheme)));
    };
    let question = Question { uri, level, wants_body: false, validators: None };
    probe.ask(question, net, kept).await
}

/// The answer as the tables have it: its class, and a `?` where it is worth another try.
fn shown(answer: &Answer) -> String {
    match &answer.outcome {
        Outcome::Known(reach) => reach.class.row().name.to_owned(),
        Outcome::Later { reach, .. } => format!("{}?", reach.class.row().name),
        Outcome::Moved(hop) => format!("moved to {}", String::from_utf8_lossy(&hop.to)),
    }
}

fn message(answer: &Answer) -> &str {
    match &answer.outcome {
        Outcome::Known(reach) | Outcome::Later { reach, .. } => &reach.message,
        Outcome::Moved(_) => "",
    }
}

// ---- the table -------------------------------------------------------------------------

struct Row {
    name: &'static str,
    uri: &'static str,
    answer: &'static str,
    script: Vec<Step>,
}

fn rows() -> Vec<Row> {
    let rows = include_str!("../../corpus/probe/lines.tsv").lines();
    let rows = rows.filter(|row| !row.starts_with('#'));
    let rows = rows.map(|row| {
        let mut fields = row.split('\t');
        let mut field = || fields.next().expect("three fields at least");
        let (name, uri, answer) = (field(), field(), field());
        Row { name, uri, answer, script: fields.map(Step::parse).collect() }
    });
    rows.collect()
}

/// Answer and every byte that was said.
async fn converse(uri: &str, script: &[Step], net: &Net) -> (Answer, Vec<Vec<u8>>) {
    let server = Scripted::start(vec![script.to_vec()]).await;
    let uri = uri.replace("HOST", &format!("127.0.0.1:{}", server.port));
    let answer = ask(&uri, Level::Head, net, &mut None).await;
    (answer, server.heard().await)
}

#[tokio::test]
async fn conversations_are_those_of_the_table() {
    let mut failures = Vec::new();
    let rows = rows();
    for row in &rows {
        let total = if row.answer == "timeout?" || row.uri.contains("net:") { SHORT } else { LONG };
        let (answer, heard) = converse(row.uri, &row.script, &net(total)).await;
        let expected = (row.answer.to_owned(), vec![client_side(&row.script)]);
        if (shown(&answer), &heard) != (expected.0.clone(), &expected.1) {
            let heard: Vec<_> =
                heard.iter().map(|heard| heard.escape_ascii().to_string()).collect();
            failures.push(format!(
                "{}: {}\n  expected {}, found {}: {}\n  heard {heard:?}",
                row.name,
                row.uri,
                row.answer,
                shown(&answer),
                message(&answer),
            ));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(rows.len() >= 130, "{}", rows.len());
}

#[test]
fn names_of_conversations_tell_them_apart() {
    let mut names: Vec<_> = rows().iter().map(|row| (&row.uri[..4], row.name)).collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

/// Returns `script` up to byte `len` of the server's output, with what it hears until then.
fn cut(script: &[Step], len: usize) -> Vec<Step> {
    let mut left = len;
    let mut steps = Vec::new();
    for step in script {
        match step {
            Step::Say(text) if text.len() > left => {
                steps.push(Step::Say(text[..left].to_vec()));
                return steps;
            }
            Step::Say(text) => left -= text.len(),
            _ => {}
        }
        steps.push(step.clone());
    }
    steps
}

/// A server that ends the connection after any byte of a good conversation has given no answer.
#[tokio::test]
async fn a_server_may_break_off_anywhere() {
    for name in ["a server with MLST alone", "an article by its number"] {
        let rows = rows();
        let row = rows.iter().find(|row| row.name == name).expect("a row of the table");
        let said = row.script.iter().map(|step| match step {
            Step::Say(text) => text.len(),
            _ => 0,
        });
        for len in 0..said.sum() {
            for end in [None, Some(Step::Reset)] {
                let script: Vec<Step> = cut(&row.script, len).into_iter().chain(end).collect();
                let (answer, _) = converse(row.uri, &script, &net(LONG)).await;
                assert_eq!(shown(&answer), "protocol-error?", "{name}, {len} bytes");
            }
        }
    }
}

// ---- what is never said ----------------------------------------------------------------

/// URIs for which nobody is asked, and why.
const UNASKED: &[(&str, &str)] = &[
    // Lines smuggled into every protocol, by each byte that may end a line or an argument.
    ("ftp://HOST/a%0D%0ADELE%20b", "policy-argument"),
    ("ftp://HOST/a%0ADELE%20b", "policy-argument"),
    ("ftp://HOST/a%0Db", "policy-argument"),
    ("ftp://HOST/a%00b", "policy-argument"),
    ("ftp://HOST/a%09b", "policy-argument"),
    ("ftp://HOST/%0D%0APORT%20127,0,0,1,0,25/b", "policy-argument"),
    ("ftp://HOST/a%FF%F4b", "policy-argument"),
    ("ftp://HOST/a/%0d%0a;type=d", "policy-argument"),
    ("gopher://HOST/_HELO%20x%0D%0AMAIL%20FROM:%3Ca@example.org%3E", "policy-argument"),
    ("gopher://HOST/1a%0Ab", "policy-argument"),
    ("gopher://HOST/1a%0Db", "policy-argument"),
    ("gopher://HOST/1a%00b", "policy-argument"),
    ("gopher://HOST/%0D%0Aa", "policy-argument"),
    ("gopher://HOST/7a%09b%09c%09d", "policy-argument"),
    ("gopher://HOST/%09a", "policy-argument"),
    ("nntp://HOST/comp.a%0D%0APOST", "policy-argument"),
    ("nntp://HOST/comp.a%20x", "policy-argument"),
    ("nntp://HOST/comp.a%09x", "policy-argument"),
    ("nntp://HOST/comp.a/1%0A", "policy-argument"),
    ("news://HOST/a%0D%0APOST@example.org", "policy-argument"),
    ("news://HOST/a%3E%20b@example.org", "policy-argument"),
    ("news://HOST/a%3Eb@example.org", "policy-argument"),
    ("news://HOST/comp.*%0AQUIT", "policy-argument"),
    // Requests that no server could answer.
    ("nntp://HOST/comp.a/x", "unverifiable"),
    ("nntp://HOST/comp.a/12345678901234567", "unverifiable"),
    ("news:comp.a", "unverifiable"),
    ("news:x@example.org", "unverifiable"),
    ("news:*", "unverifiable"),
    ("nntp:comp.a/17", "unverifiable"),
    // Users and passwords are not ours to send.
    ("ftp://tester:secret@HOST/a", "auth-required"),
    ("ftp://tester@HOST/a", "auth-required"),
    ("ftp://@HOST/a", "auth-required"),
    ("ftp://%61nonymou@HOST/a", "auth-required"),
    ("ftp://anonymous%0D%0ADELE:x@HOST/a", "auth-required"),
    // Ports that are none.
    ("ftp://127.0.0.1:0/a", "policy-port"),
    ("ftp://127.0.0.1:65536/a", "policy-port"),
    ("gopher://127.0.0.1:70000/1", "policy-port"),
    ("telnet://127.0.0.1:99999999999999999999", "policy-port"),
    // Schemes of which the text must not make us do anything.
    ("javascript:alert(1)", "policy-scheme"),
    ("JavaScript:alert(1)", "policy-scheme"),
    ("vbscript:x", "policy-scheme"),
    ("data:text/plain,x", "policy-scheme"),
    ("file:///etc/passwd", "policy-scheme"),
    ("file://HOST/etc/passwd", "policy-scheme"),
    ("view-source:http://HOST/", "policy-scheme"),
    // Schemes of the documents of 1993 and 1994, and others, that nobody asks.
    ("afs://example.org/usr/a", "unverifiable"),
    ("prospero://HOST/a", "unverifiable"),
    ("urn:isbn:0451450523", "unverifiable"),
    ("x500:c=us", "unverifiable"),
    ("whois++://HOST/a", "unverifiable"),
    ("x-exec:/bin/sh", "unverifiable"),
    ("x-what://HOST/", "unverifiable"),
    ("mid:x@example.org", "unverifiable"),
    ("cid:x@example.org", "unverifiable"),
    ("magic://a/b/c//d/e/f", "unverifiable"),
    ("fxqn:/us/va/reston/cnri/ietf/24/asdf*.fred", "unverifiable"),
    ("z39.50r://HOST/database", "unverifiable"),
    ("snews:comp.a", "unverifiable"),
    ("imaps://HOST/", "unverifiable"),
    ("smtp://HOST/", "unverifiable"),
    ("tel:+1-201-555-0123", "unverifiable"),
];

#[tokio::test]
async fn what_is_not_to_be_asked_connects_to_nobody() {
    for (uri, expected) in UNASKED {
        let (answer, heard) = converse(uri, &[], &net(LONG)).await;
        assert_eq!(shown(&answer), *expected, "{uri}: {}", message(&answer));
        assert_eq!(heard, [b""; 0], "{uri}");
        assert!(message(&answer).len() > 10, "{uri}: {:?}", message(&answer));
        assert!(!message(&answer).contains("secret"), "{uri}: {:?}", message(&answer));
    }
}

#[tokio::test]
async fn the_level_of_hosts_says_nothing() {
    for uri in [
        "ftp://HOST/a",
        "ftp://tester:secret@HOST/a",
        "gopher://HOST/1a",
        "nntp://HOST/comp.a/1",
        "news://HOST/x@example.org",
        "telnet://HOST",
        "tn3270://HOST",
        "rlogin://HOST",
        "wais://HOST/a",
    ] {
        let server = Scripted::start(vec![vec![Step::Hold]]).await;
        let uri = uri.replace("HOST", &format!("127.0.0.1:{}", server.port));
        let answer = ask(&uri, Level::Host, &net(LONG), &mut None).await;
        assert_eq!(shown(&answer), "alive", "{uri}: {}", message(&answer));
        assert!(answer.address.is_some(), "{uri}");
        assert_eq!(server.heard().await, [b""], "{uri}");
    }
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_refused() {
    // The port is taken, so that no other test gets it; but nothing listens there, so that no
    // client can connect.
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    let port = socket.local_addr().expect("its address").port();
    for scheme in ["ftp", "gopher", "nntp", "news", "telnet", "rlogin", "tn3270", "wais"] {
        let uri = format!("{scheme}://127.0.0.1:{port}/a");
        let answer = ask(&uri, Level::Head, &net(LONG), &mut None).await;
        assert_eq!(shown(&answer), "refused?", "{uri}: {}", message(&answer));
    }
}

/// The same conversations over TLS, which is the only difference between these schemes and the
/// others.
#[tokio::test]
async fn schemes_after_tls_say_the_same() {
    for (uri, steps) in [
        ("ftps://HOST/", &["<220 hello", ">USER anonymous", "<230 in", ">QUIT"][..]),
        ("gophers://HOST/0/a", &[">/a", "<text"]),
        ("nntps://HOST/a.b", &["<200 hello", ">MODE READER", "<200 on", ">GROUP a.b", "<211 1"]),
        ("snews://HOST/x@y", &["<200 hello", ">MODE READER", "<200 on", ">STAT <x@y>", "<223 0"]),
    ] {
        let steps = script(steps);
        let server = Scripted::start(vec![steps.clone()]).await;
        let veil = veil::before(server.port).await;
        let uri = uri.replace("HOST", &format!("127.0.0.1:{}", veil.port));
        let file = TrustFile { path: "veil.der".into(), bytes: veil.certificate };
        let trust = Trust { authorities: vec![file], ..Trust::default() };
        let answer = ask(&uri, Level::Head, &trusting(LONG, trust), &mut None).await;
        assert_eq!(shown(&answer), "alive", "{uri}: {}", message(&answer));
        assert_eq!(server.heard().await, [client_side(&steps)], "{uri}");
    }
}

#[tokio::test]
async fn schemes_after_tls_say_nothing_to_those_whom_nobody_trusts() {
    for scheme in ["ftps", "gophers", "nntps", "snews"] {
        let server = Scripted::start(vec![vec![]]).await;
        let veil = veil::before(server.port).await;
        let uri = format!("{scheme}://127.0.0.1:{}/a", veil.port);
        let answer = ask(&uri, Level::Head, &net(LONG), &mut None).await;
        assert_eq!(shown(&answer), "tls-self-signed", "{uri}: {}", message(&answer));
        assert_eq!(server.heard().await, [b""; 0], "{uri}");
    }
}

/// Every limit says that it was hit, and which it is.
#[tokio::test]
async fn limits_are_named_when_they_are_hit() {
    let long = format!("=flood 220-{}\\r\\n", "y".repeat(4000));
    for (steps, limit) in [
        (&["=flood x"][..], "a line of more than 4096 bytes"),
        (&["=flood 220-x\\r\\n"], "a reply of more than 256 lines"),
        (&[long.as_str()], "more than 262144 bytes"),
        (&["=flood 120 x\\r\\n"], "more than 4 replies that announce it"),
    ] {
        let (answer, _) = converse("ftp://HOST/a", &script(steps), &net(LONG)).await;
        assert_eq!(shown(&answer), "protocol-error?");
        assert_eq!(message(&answer), format!("expected a greeting, found {limit}"));
    }
    let steps = script(&["<220 hello", ">USER anonymous", "<230 in", ">CWD a", "=hold"]);
    let (answer, _) = converse("ftp://HOST/a/", &steps, &net(SHORT)).await;
    assert_eq!(message(&answer), "expected a reply to CWD, found no end in time");
    let uri = format!("ftp://HOST/{}a", "a/".repeat(33));
    let (answer, _) = converse(&uri, &[], &net(LONG)).await;
    assert_eq!(message(&answer), "the path has more than 32 directories");
    let uri = format!("news://HOST/{}@b", "a".repeat(250));
    let (answer, _) = converse(&uri, &[], &net(LONG)).await;
    assert_eq!(message(&answer), "a message-id has at most 250 bytes");
}

/// A text of the maximum length passes, and one byte more does not.
#[tokio::test]
async fn limits_are_where_they_say() {
    let line = |len: usize| format!("220 {}\r\n", "y".repeat(len - 4));
    let lines = |count: usize| ["220-x\r\n".repeat(count - 1), "220 x\r\n".to_owned()].concat();
    let soon = |count: usize| ["120 x\r\n".repeat(count), "220 x\r\n".to_owned()].concat();
    for (greeting, expected) in [
        (line(4096), "alive"),
        (line(4097), "protocol-error?"),
        (lines(256), "alive"),
        (lines(257), "protocol-error?"),
        (soon(4), "alive"),
        (soon(5), "protocol-error?"),
    ] {
        let greeting = Step::Say(greeting.into_bytes());
        let rest = script(&[">USER anonymous", "<230 in", ">QUIT"]);
        let steps: Vec<Step> = [greeting].into_iter().chain(rest).collect();
        let (answer, _) = converse("ftp://HOST/", &steps, &net(LONG)).await;
        assert_eq!(shown(&answer), expected, "{}", message(&answer));
    }
}

// ---- what is said of whom, and kept ----------------------------------------------------

fn script(steps: &[&str]) -> Vec<Step> {
    steps.iter().map(|step| Step::parse(step)).collect()
}

#[tokio::test]
async fn links_without_a_server_are_asked_of_the_one_that_was_given() {
    let steps = ["<200 hello", ">MODE READER", "<200 on", ">STAT <x@example.org>", "<223 0 x"];
    for uri in ["news:x@example.org", "NEWS:x@example.org", "news:///x@example.org"] {
        let server = Scripted::start(vec![script(&steps)]).await;
        let mut net = net(LONG);
        let host = Host::parse(b"127.0.0.1").expect("an address");
        net.news_server = Some((host, server.port));
        let answer = ask(uri, Level::Head, &net, &mut None).await;
        assert_eq!(shown(&answer), "alive", "{uri}: {}", message(&answer));
        assert_eq!(server.heard().await, [client_side(&script(&steps))], "{uri}");
    }
}

#[tokio::test]
async fn a_news_server_is_asked_again_on_the_same_connection() {
    let steps = script(&[
        "<200 hello",
        ">MODE READER",
        "<200 on",
        ">STAT <x@y>",
        "<430 no",
        ">GROUP a.b",
        "<211 1",
        ">STAT 5",
        "<223 5 x",
    ]);
    let again = script(&["<200 hello", ">MODE READER", "<200 on", ">STAT <z@y>", "<223 0 x"]);
    let server = Scripted::start(vec![steps.clone(), again.clone()]).await;
    let (home, mut kept, net) = (format!("127.0.0.1:{}", server.port), None, net(LONG));
    // The connection ends after its second question, and the third makes one anew.
    for (uri, expected) in [
        (format!("news://{home}/x@y"), "missing"),
        (format!("nntp://{home}/a.b/5"), "alive"),
        (format!("news://{home}/z@y"), "alive"),
    ] {
        let answer = ask(&uri, Level::Head, &net, &mut kept).await;
        assert_eq!(shown(&answer), expected, "{uri}: {}", message(&answer));
    }
    drop(kept);
    let in_vain = [client_side(&steps), b"STAT <z@y>\r\n".to_vec()].concat();
    assert_eq!(server.heard().await, [in_vain, client_side(&again)]);
}

#[tokio::test]
async fn a_kept_connection_is_for_its_own_server_alone() {
    let steps = script(&["<200 hello", ">MODE READER", "<200 on", ">GROUP a.b", "<211 1"]);
    let (one, two) =
        (Scripted::start(vec![steps.clone()]).await, Scripted::start(vec![steps.clone()]).await);
    let (mut kept, net) = (None, net(LONG));
    for port in [one.port, two.port] {
        let uri = format!("nntp://127.0.0.1:{port}/a.b");
        assert_eq!(shown(&ask(&uri, Level::Head, &net, &mut kept).await), "alive");
    }
    drop(kept);
    assert_eq!(one.heard().await, [client_side(&steps)]);
    assert_eq!(two.heard().await, [client_side(&steps)]);
}

#[tokio::test]
async fn a_resolver_is_where_urns_are() {
    let mut net = net(LONG);
    net.urn_resolver = Some("https://example.org/{urn}?f=x".to_owned());
    for (uri, expected) in [
        ("urn:isbn:0451450523", "moved to https://example.org/urn:isbn:0451450523?f=x"),
        ("urn:a:b%2Fc?+r?=q#f", "moved to https://example.org/urn:a:b%2Fc?f=x"),
        ("URN:x-1:\u{e9}", "moved to https://example.org/URN:x-1:%C3%A9?f=x"),
    ] {
        assert_eq!(shown(&ask(uri, Level::Head, &net, &mut None).await), expected);
        assert_eq!(shown(&ask(uri, Level::Host, &net, &mut None).await), "unverifiable");
    }
}

/// The report on a server of sessions has the part of its opening that is the same on every run.
#[tokio::test]
async fn what_sessions_begin_with_is_told() {
    for (steps, end) in [
        (&["~\\xFF\\xFD\\x18", "=hold"][..], "negotiates options of Telnet"),
        (&["<login: \\xFF\\xFD", "=hold"], "begins with text"),
        (&["=hold"], "waits"),
        (&[], "closes them"),
    ] {
        let (answer, _) = converse("telnet://HOST", &script(steps), &net(SHORT)).await;
        let expected = format!("the server accepts connections and {end}");
        assert_eq!((shown(&answer).as_str(), message(&answer)), ("alive", expected.as_str()));
    }
}

/// A quote from a server is short, and is text.
#[tokio::test]
async fn messages_quote_servers_and_stay_short() {
    let long = format!("<550 {}", "x".repeat(3000));
    for (said, quoted) in [
        ("<550 no such thing", "550 no such thing"),
        ("<550 \\x1B[2J", "550 \u{1b}[2J"),
        ("<550 \\xE9", "550 \u{fffd}"),
        (long.as_str(), "xxx…"),
    ] {
        let steps = ["<220 hello", ">USER anonymous", "<230 in", ">CWD a", said, ">QUIT"];
        let (answer, _) = converse("ftp://HOST/a/", &script(&steps), &net(LONG)).await;
        assert_eq!(shown(&answer), "missing");
        assert!(message(&answer).ends_with(quoted), "{:?}", message(&answer));
        assert!(message(&answer).len() < 300, "{:?}", message(&answer));
    }
}

// ---- servers that say anything ---------------------------------------------------------

/// Replies of servers of these protocols, and replies that they should not send, to be combined at
/// random.
const PIECES: &[&str] = &[
    "120 ",
    "200 ",
    "201 ",
    "211 ",
    "213 ",
    "215 ",
    "220 ",
    "220-",
    "223 ",
    "227 ",
    "230 ",
    "230-",
    "250 ",
    "250-",
    "331 ",
    "332 ",
    "400 ",
    "411 ",
    "421 ",
    "430 ",
    "450 ",
    "480 ",
    "500 ",
    "502 ",
    "530 ",
    "550 ",
    "550-",
    "999 ",
    "3",
    "i",
    "1",
    "0",
    "+",
    "-",
    ".",
    "\t",
    "\t\t\t",
    "Error: ",
    "<TITLE>",
    "(127,0,0,1,0,25)",
    "|||25|",
    "PASV",
    "\0",
    "\x1B[2J",
    "\u{7F}",
    " ",
    "\r",
    "\n",
    "\r\n",
    "\r\n",
    "\r\n",
    "\r\n",
    "\r\n",
    "\r\n",
    "denied",
];

/// Servers that are made up for each URI.
const SEEDS: u64 = 300;

/// Whatever a server says, nobody panics or hangs, and nothing is said but what may be.
#[tokio::test]
async fn nothing_a_server_says_makes_us_say_more() {
    const FTP: &[&str] = &[
        "USER anonymous",
        "PASS tester@example.org",
        "CWD p",
        "TYPE I",
        "SIZE a",
        "MDTM a",
        "MLST a",
        "CWD a",
        "QUIT",
    ];
    const NEWS: &[&str] = &["MODE READER", "GROUP a.b", "STAT 1"];
    for (uri, allowed) in [
        ("ftp://HOST/p/a", FTP),
        ("gopher://HOST/1/x", &["/x"]),
        ("gopher://HOST/0/x%09%09+", &["/x\t\t+"]),
        ("nntp://HOST/a.b/1", NEWS),
        ("news://HOST/a.*", &["MODE READER", "LIST ACTIVE a.*"]),
        ("telnet://HOST", &[]),
    ] {
        for seed in 1..=SEEDS {
            let mut chance = Chance(seed);
            let said: String =
                (0..chance.below(40)).map(|_| PIECES[chance.below(PIECES.len())]).collect();
            let script = vec![Step::Say(said.clone().into_bytes())];
            let (_, heard) = converse(uri, &script, &net(LONG)).await;
            let heard = String::from_utf8(heard.concat()).expect("US-ASCII");
            for line in heard.split_terminator("\r\n") {
                assert!(allowed.contains(&line), "{uri}: {said:?} made us say {line:?}");
            }
        }
    }
}
