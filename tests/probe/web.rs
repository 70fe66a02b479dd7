//! Asks nginx, a server that keeps to HTTP, in clear and with TLS, by HTTP/1.1 and HTTP/2.
//!
//! If nginx is not there, the tests fail, and the message says how to get it.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::net::SocketAddr;
use std::time::Duration;

use crate::http::KINDS;
use crate::support::servers::nginx::Nginx;
use linktrawl::internal::grammar;
use linktrawl::internal::probe::guard::Guard;
use linktrawl::internal::probe::robots;
use linktrawl::internal::probe::tcp::{Net, NetOptions, Timeouts};
use linktrawl::internal::probe::trust::{Trust, TrustFile};
use linktrawl::internal::probe::{
    self, Answer, Body, Kept, Level, Outcome, OwnField, Question, Validators,
};

/// For a machine under load.
const LONG: Duration = Duration::from_secs(60);

fn net(server: &Nginx, total: Duration) -> Net {
    Net::new(net_options(server, total)).expect("a net")
}

fn net_options(server: &Nginx, total: Duration) -> NetOptions {
    let allow = vec!["127.0.0.0/8".parse().expect("a network")];
    let file = TrustFile { path: "server.der".into(), bytes: server.certificate.clone() };
    NetOptions {
        guard: Guard { allow, ..Guard::default() },
        timeouts: Timeouts { connect: LONG, tls: LONG, total },
        agent: "linktrawl/test".to_owned(),
        trust: Trust { authorities: vec![file], ..Trust::default() },
        ..NetOptions::default()
    }
}

/// The details of a request for a page, besides its URI.
#[derive(Clone, Copy, Default)]
struct Wish<'w> {
    level: Option<Level>,
    page: bool,
    validators: Option<&'w Validators>,
}

const PAGE: Wish<'static> = Wish { level: None, page: true, validators: None };

async fn ask(uri: &str, wish: Wish<'_>, net: &Net, kept: &mut Kept) -> Answer {
    let uri = grammar::find("rfc3987").expect("a grammar").split(uri.as_bytes());
    let Wish { level, page, validators } = wish;
    let level = level.unwrap_or(Level::Head);
    let question = Question { uri, level, wants_body: page, validators };
    probe::find("http").expect("a probe").ask(question, net, kept).await
}

/// An answer in one line.
fn shown(answer: &Answer) -> String {
    match &answer.outcome {
        Outcome::Known(reach) => format!("{}: {}", reach.class.row().name, reach.message),
        Outcome::Later { reach, after } => {
            let after = after.map(|after| after.as_secs());
            format!("later {after:?} {}: {}", reach.class.row().name, reach.message)
        }
        Outcome::Moved(hop) => {
            format!("moved {} {}", hop.status, String::from_utf8_lossy(&hop.to))
        }
    }
}

fn text(answer: &Answer) -> &str {
    let Some(Body { bytes, is_cut: false, .. }) = &answer.body else { panic!("{answer:?}") };
    str::from_utf8(bytes).expect("text")
}

/// Both ports of `server`: what a URI begins with, and the version that is spoken there.
fn ports(server: &Nginx) -> [(String, &'static str); 2] {
    let site = |scheme: &str, address: SocketAddr| format!("{scheme}://{address}");
    [(site("http", server.clear), "HTTP/1.1"), (site("https", server.secure), "HTTP/2.0")]
}

const ANSWERS: &[(&str, &str)] = &[
    ("/", "forbidden: 403 Forbidden"),
    ("/page.html", "alive: 200 OK"),
    ("/page.html?a=b&c#d", "alive: 200 OK"),
    ("/caf\u{E9}.html", "alive: 200 OK"),
    ("/caf%C3%A9.html", "alive: 200 OK"),
    ("/caf%e9.html", "missing: 404 Not Found"),
    ("/dir/./../page.html", "alive: 200 OK"),
    ("/nothing", "missing: 404 Not Found"),
    ("/a\r\nX: b", "missing: 404 Not Found"),
    ("/%00", "server-error: 400 Bad Request"),
    ("/shut/a.txt", "forbidden: 403 Forbidden"),
    ("/gone", "gone: 410 Gone"),
    ("/secret", "auth-required: 401 Unauthorized"),
    ("/method", "alive: 200 OK"),
    ("/dir", "moved 301 SITE/dir/"),
    ("/moved", "moved 301 SITE/page.html#a"),
    ("/found", "moved 302 https://example.org/b?c"),
    ("/later", "moved 307 SITE/dir/"),
    ("/busy", "later Some(7) server-error: 503 Service Unavailable"),
    ("/enough", "later Some(120) throttled: 429 Too Many Requests"),
    ("/fails", "later None server-error: 500 Internal Server Error"),
];

#[tokio::test]
async fn both_versions_answer_alike() {
    let server = Nginx::start();
    let net = net(&server, LONG);
    for (site, version) in ports(&server) {
        let mut kept = None;
        for (path, expected) in ANSWERS {
            let answer = ask(&format!("{site}{path}"), Wish::default(), &net, &mut kept).await;
            assert_eq!(shown(&answer), expected.replace("SITE", &site), "{path} by {version}");
            assert_eq!(answer.address, Some(server.clear.ip()));
        }
        let answer = ask(&format!("{site}/version"), PAGE, &net, &mut kept).await;
        assert_eq!(text(&answer), version);
        let answer = ask(&format!("{site}/closes"), Wish::default(), &net, &mut kept).await;
        let found = shown(&answer);
        assert!(found.starts_with("later None protocol-error: "), "{found}");
    }
}

#[tokio::test]
async fn a_host_is_asked_for_nothing_at_its_level() {
    let server = Nginx::start();
    let net = net(&server, LONG);
    for (site, version) in ports(&server) {
        let wish = Wish { level: Some(Level::Host), ..Wish::default() };
        let answer = ask(&format!("{site}/nothing"), wish, &net, &mut None).await;
        let found = shown(&answer);
        assert!(found.starts_with("alive: the host accepts connections"), "{version}: {found}");
        assert_eq!(answer.address, Some(server.clear.ip()));
    }
}

#[tokio::test]
async fn one_connection_serves_a_host() {
    let server = Nginx::start();
    let net = net(&server, LONG);
    for (site, version) in ports(&server) {
        let mut kept = None;
        for count in 1..=5 {
            let answer = ask(&format!("{site}/count"), PAGE, &net, &mut kept).await;
            assert_eq!(text(&answer), count.to_string(), "{version}");
        }
        // A body that is left alone ends a connection of HTTP/1.1 and none of HTTP/2.
        let get = Wish { level: Some(Level::Get), ..Wish::default() };
        let answer = ask(&format!("{site}/large.txt"), get, &net, &mut kept).await;
        assert_eq!((shown(&answer).as_str(), answer.body.is_none()), ("alive: 200 OK", true));
        let answer = ask(&format!("{site}/count"), PAGE, &net, &mut kept).await;
        let expected = if version == "HTTP/2.0" { "7" } else { "1" };
        assert_eq!(text(&answer), expected, "{version}");
    }
}

#[tokio::test]
async fn pages_come_whole_and_unpacked_or_are_cut() {
    let server = Nginx::start();
    for (site, version) in ports(&server) {
        let long = net(&server, LONG);
        let answer = ask(&format!("{site}/page.html"), PAGE, &long, &mut None).await;
        assert_eq!(text(&answer), "<h1 id=\"a\">page</h1>\n", "{version}");
        assert_eq!(answer.body.map(|body| body.media_type).as_deref(), Some("text/html"));
        let answer = ask(&format!("{site}/large.txt"), PAGE, &long, &mut None).await;
        let body = answer.body.expect("a body");
        assert_eq!((body.bytes.len(), body.is_cut), (1024 * 1024, true), "{version}");
        let short = net(&server, Duration::from_millis(500));
        let answer = ask(&format!("{site}/slow"), PAGE, &short, &mut None).await;
        assert_eq!(shown(&answer), "alive: 200 OK", "{version}");
        assert!(answer.body.is_some_and(|body| body.is_cut && body.bytes.len() < 1024 * 1024));
        let answer = ask(&format!("{site}/nothing"), PAGE, &long, &mut None).await;
        // The page of an error is read, since it may be that of a guard.
        assert_eq!(shown(&answer), "missing: 404 Not Found", "{version}");
        assert!(answer.body.is_some_and(|body| !body.is_cut), "{version}");
    }
}

#[tokio::test]
async fn an_unchanged_page_is_not_sent_again() {
    let server = Nginx::start();
    let net = net(&server, LONG);
    for (site, version) in ports(&server) {
        let uri = format!("{site}/page.html");
        let first = ask(&uri, Wish::default(), &net, &mut None).await;
        let Validators { etag, last_modified } = &first.validators;
        assert!(etag.is_some() && last_modified.is_some(), "{version}");
        let wish = Wish { validators: Some(&first.validators), ..Wish::default() };
        let again = ask(&uri, wish, &net, &mut None).await;
        assert_eq!(shown(&again), "alive: 304 Not Modified: not changed", "{version}");
        assert_eq!(again.validators, first.validators);
        let changed = Validators { etag: Some(b"\"x\"".to_vec()), last_modified: None };
        let wish = Wish { validators: Some(&changed), ..Wish::default() };
        assert_eq!(shown(&ask(&uri, wish, &net, &mut None).await), "alive: 200 OK");
    }
}

#[tokio::test]
async fn nothing_is_sent_that_nobody_asked_for() {
    let server = Nginx::start();
    let net = net(&server, LONG);
    for (site, version) in ports(&server) {
        let uri = site.replace("://", "://user:secret@") + "/asked";
        let answer = ask(&uri, PAGE, &net, &mut None).await;
        assert_eq!(text(&answer), format!("linktrawl/test|{KINDS}|identity||||"), "{version}");
    }
}

#[tokio::test]
async fn a_field_of_the_user_goes_to_its_site_alone() {
    let server = Nginx::start();
    for (site, version) in ports(&server) {
        let mut net = net_options(&server, LONG);
        let field = |name, value| OwnField::new(&site, name, value).expect("a field");
        net.fields = vec![field("Authorization", "Bearer x"), field("Accept-Language", "en")];
        let net = Net::new(net).expect("a net");
        for (other, _) in ports(&server) {
            let answer = ask(&format!("{other}/asked"), PAGE, &net, &mut None).await;
            let own = if other == site { "Bearer x|||en" } else { "|||" };
            assert_eq!(
                text(&answer),
                format!("linktrawl/test|{KINDS}|identity|{own}"),
                "{version}"
            );
        }
    }
}

#[tokio::test]
async fn a_certificate_that_nobody_trusts_is_told() {
    let server = Nginx::start();
    let trusting_nobody = Net::new(NetOptions {
        guard: Guard { allow: vec!["127.0.0.0/8".parse().expect("a network")], ..Guard::default() },
        ..NetOptions::default()
    });
    let uri = format!("https://{}/", server.secure);
    let net = trusting_nobody.expect("a net");
    for level in [Level::Host, Level::Head, Level::Get] {
        let wish = Wish { level: Some(level), ..Wish::default() };
        let found = shown(&ask(&uri, wish, &net, &mut None).await);
        assert!(found.starts_with("tls-self-signed: "), "{found}");
    }
}

#[tokio::test]
async fn the_wrong_port_of_a_scheme_speaks_another_protocol() {
    let server = Nginx::start();
    let net = net(&server, LONG);
    let uri = format!("http://{}/", server.secure);
    let answer = ask(&uri, Wish::default(), &net, &mut None).await;
    assert_eq!(shown(&answer), "server-error: 400 Bad Request");
    let uri = format!("https://{}/", server.clear);
    let found = shown(&ask(&uri, Wish::default(), &net, &mut None).await);
    assert!(found.starts_with("tls-failed: "), "{found}");
}

#[tokio::test]
async fn robots_txt_is_had() {
    let server = Nginx::start();
    let net = net(&server, LONG);
    for (site, version) in ports(&server) {
        let robots = robots::fetch(&site, &net, &mut None).await.robots;
        assert!(robots.allows(b"/page.html"), "{version}");
        assert!(!robots.allows(b"/private/a"), "{version}");
        assert_eq!(robots.crawl_delay(), Some(Duration::from_secs(2)));
    }
}
