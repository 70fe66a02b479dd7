//! Probes that speak in lines against the daemons that the world runs: vsftpd, pyftpdlib,
//! Gophernicus, INN's nnrpd and telnetd, each on loopback and not as root.
//!
//! A daemon that is not there fails its test, and the message says how to get it.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::time::Duration;

use crate::support::servers::inet;
use linktrawl::internal::grammar;
use linktrawl::internal::probe::guard::Guard;
use linktrawl::internal::probe::tcp::{Net, NetOptions, Timeouts};
use linktrawl::internal::probe::{self, Kept, Level, Outcome, Question};

/// Daemons that are started for each connection take a while on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn net() -> Net {
    let options = NetOptions {
        guard: Guard { allow: vec!["127.0.0.0/8".parse().expect("a network")], ..Guard::default() },
        timeouts: Timeouts { connect: LONG, tls: LONG, total: LONG },
        agent: "tester@example.org".to_owned(),
        ..NetOptions::default()
    };
    Net::new(options).expect("options that hold together")
}

/// Asks the daemon at `port` for each path, and compares the classes of the answers.
async fn cases(scheme: &str, port: u16, cases: &[(&str, &str)]) {
    let current = grammar::find("current").expect("the default");
    let probe = probe::find(scheme).expect("a probe");
    let (net, mut kept): (Net, Kept) = (net(), None);
    for (path, expected) in cases {
        let text = format!("{scheme}://127.0.0.1:{port}{path}");
        let uri = current.split(text.as_bytes());
        let question = Question { uri, level: Level::Head, wants_body: false, validators: None };
        let answer = probe.ask(question, &net, &mut kept).await;
        let Outcome::Known(reach) = &answer.outcome else { panic!("{text}: {answer:?}") };
        assert_eq!(reach.class.row().name, *expected, "{text}: {}", reach.message);
        assert_eq!(answer.address, Some([127, 0, 0, 1].into()), "{text}");
    }
}

/// The results for every FTP server with the same files.
const FTP: &[(&str, &str)] = &[
    ("/", "alive"),
    ("/file.txt", "alive"),
    ("/file.txt;type=a", "alive"),
    ("/file.txt;type=i", "alive"),
    ("/file.txt;type=d", "missing"),
    ("/file.txt/", "missing"),
    ("/pub", "alive"),
    ("/pub/", "alive"),
    ("/pub;type=d", "alive"),
    ("/pub/a%20b.txt", "alive"),
    ("/pub%2Fa%20b.txt", "alive"),
    ("/pub/a%2520b.txt", "missing"),
    ("/nothing.txt", "missing"),
    ("/nothing/file.txt", "missing"),
    ("/nothing/", "missing"),
];

#[tokio::test]
async fn vsftpd_tells_files_from_what_is_not_there() {
    let daemon = inet::vsftpd();
    cases("ftp", daemon.port, FTP).await;
    // Its words are the same for what is not there and for what is not for us.
    cases("ftp", daemon.port, &[("/shut/a.txt", "missing"), ("//pub/", "unverifiable")]).await;
}

#[tokio::test]
async fn pyftpdlib_tells_files_from_what_is_not_for_us() {
    let daemon = inet::pyftpdlib();
    cases("ftp", daemon.port, FTP).await;
    cases("ftp", daemon.port, &[("/shut/", "forbidden"), ("/%2Fpub/a%20b.txt", "alive")]).await;
    assert!(!daemon.has_bounced());
}

#[tokio::test]
async fn gophernicus_tells_items_from_what_is_not_there() {
    let daemon = inet::gophernicus();
    let items = [
        ("", "alive"),
        ("/", "alive"),
        ("/1", "alive"),
        ("/1/sub", "alive"),
        ("/0/file.txt", "alive"),
        ("/0file.txt", "alive"),
        ("/9/image.png", "alive"),
        ("/1/nothing", "missing"),
        ("/1/nothing/", "missing"),
        ("/0/nothing.txt", "missing"),
        ("/0/sub/nothing.txt", "missing"),
        ("/h/nothing.html", "missing"),
        ("/0/.hidden", "forbidden"),
    ];
    cases("gopher", daemon.port, &items).await;
}

#[tokio::test]
async fn nnrpd_tells_articles_from_what_is_not_there() {
    let daemon = inet::nnrpd();
    let numbers = [
        ("/test.a", "alive"),
        ("/test.a/1", "alive"),
        ("/test.a/3", "alive"),
        ("/test.a/4", "missing"),
        ("/test.empty", "alive"),
        ("/test.empty/1", "missing"),
        ("/test.b", "missing"),
    ];
    cases("nntp", daemon.port, &numbers).await;
    let names = [
        ("/*", "alive"),
        ("/test.a", "alive"),
        ("/test.*", "alive"),
        ("/rec.*", "missing"),
        ("/2@example.org", "alive"),
        ("/4@example.org", "missing"),
        ("/secret.a", "auth-required"),
    ];
    cases("news", daemon.port, &names).await;
}

#[tokio::test]
async fn telnetd_negotiates_and_is_left_alone() {
    let daemon = inet::telnetd();
    cases("telnet", daemon.port, &[("", "alive"), ("/", "alive")]).await;
    cases("tn3270", daemon.port, &[("/", "alive")]).await;
}
