//! Daemons that the world runs: nginx, Apache, HAProxy, tinyproxy and smtp-sink.

use std::io::Read as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};

use crate::ask;
use crate::support::servers::name_server::{A, NameServer, Record, Reply};
use crate::support::servers::nginx::Nginx;
use crate::support::servers::standing;

/// Asks `daemon` for each path; the classes must be these, `ok` where the link answers.
#[track_caller]
fn answers(daemon: SocketAddr, args: &[&str], cases: &[(&str, &str)]) {
    let uris: Vec<_> = cases.iter().map(|(path, _)| format!("http://{daemon}{path}")).collect();
    let (lines, _) = ask(&uris, args);
    let classes: Vec<_> = lines.iter().map(|line| class(line)).collect();
    let expected: Vec<_> = cases.iter().map(|(_, class)| *class).collect();
    assert_eq!(classes, expected, "{lines:#?}");
}

/// Starts a name server that resolves every name to `host`.
fn names(host: Ipv4Addr) -> NameServer {
    NameServer::start(move |name, kind| match kind {
        A => Reply::Records(vec![Record::address(name, host.into(), 60)]),
        _ => Reply::Records(Vec::new()),
    })
}

/// The class of a line of a report, `ok` where the link answers.
pub(crate) fn class(line: &str) -> &str {
    let named = line.split_once('[').and_then(|(_, rest)| rest.split_once("]: "));
    named.map_or("ok", |(class, _)| class)
}

/// The results that both web servers must give for the same pages.
const PAGES: &[(&str, &str)] = &[
    ("/page.html", "ok"),
    ("/page.html#a", "ok"),
    ("/page.html#elsewhere", "fragment-missing"),
    ("/page.html?query", "ok"),
    ("/absent.html", "missing"),
    ("/moved", "redirected"),
    ("/gone", "gone"),
    ("/shut/a.txt", "forbidden"),
    ("/secret/a.txt", "auth-required"),
];

#[test]
fn nginx_is_understood() {
    let daemon = Nginx::start();
    // It wants a login for one path, not for what lies below.
    let pages = PAGES.iter().map(|(path, class)| (path.trim_end_matches("/a.txt"), *class));
    let pages: Vec<_> = pages.collect();
    answers(daemon.clear, &["--fragments=all"], &pages);
    answers(daemon.clear, &[], &[("/enough", "throttled"), ("/private/a", "missing")]);
    answers(daemon.clear, &[], &[("/headless", "ok"), ("/astray", "ok")]);
    let fragments = [
        ("/wall", "unverifiable"),
        ("/coded.html#a", "ok"),
        ("/coded.html#b", "fragment-missing"),
        ("/latin1.html#caf\u{E9}", "ok"),
        ("/latin1.html#caf%C3%A9", "ok"),
        ("/latin1.html#caf%E9", "fragment-missing"),
    ];
    answers(daemon.clear, &["--fragments=all"], &fragments);
}

#[test]
fn robots_txt_of_nginx_is_obeyed() {
    let daemon = Nginx::start();
    let IpAddr::V4(host) = daemon.clear.ip() else { panic!("an address of IPv6") };
    let names = names(host);
    // A name is not an own host, even if it resolves to this machine.
    let uris = ["/private", "/page.html"]
        .map(|path| format!("http://site.test:{}{path}", daemon.clear.port()));
    let args = ["--host-gap=0s", "--name-server", &names.address.to_string()];
    let classes = |args: &[&str]| -> Vec<_> {
        ask(&uris, args).0.iter().map(|line| class(line).to_owned()).collect()
    };
    assert_eq!(classes(&args), ["policy-robots", "ok"]);
    assert_eq!(classes(&[&args[..], &["--no-robots"]].concat()), ["missing", "ok"]);
}

#[test]
fn apache_is_understood() {
    answers(standing::apache().address, &["--fragments=all"], PAGES);
}

#[test]
fn haproxy_is_understood() {
    let daemon = standing::haproxy();
    // It takes two connections at a time. A connection that it drops is silent only where it may
    // have the kernel forget it, and is reset where it runs as nobody.
    let cases = [("/", "ok"), ("/busy", "server-error"), ("/drop", "protocol-error")];
    answers(daemon.address, &["--host-concurrency=1"], &cases);
    answers(daemon.address, &["--timeout=1s"], &[("/tarpit", "timeout")]);
}

#[test]
fn haproxy_sees_one_connection_at_a_time_when_told_so() {
    let daemon = standing::haproxy();
    let paths: Vec<_> = (0..50).map(|number| format!("/{number}")).collect();
    let cases: Vec<_> = paths.iter().map(|path| (path.as_str(), "ok")).collect();
    answers(daemon.address, &["--host-concurrency=1"], &cases);
}

#[test]
fn tinyproxy_is_told_what_may_be_asked_and_no_more() {
    let (proxy, daemon) = (standing::tinyproxy(), Nginx::start());
    let through = format!("--proxy=http://{}", proxy.address);
    answers(daemon.clear, &[&through], &[("/page.html", "ok"), ("/absent.html", "missing")]);
    let connect = format!("CONNECT {} ", daemon.clear);
    assert!(proxy.text("said").contains(&connect), "{}", proxy.text("said"));
    let (lines, _) = ask(&["http://10.0.0.1/".to_owned()], &[&through]);
    assert_eq!(class(&lines[0]), "policy-address");
    assert!(!proxy.text("said").contains("10.0.0.1"), "{}", proxy.text("said"));
}

#[test]
fn a_server_of_mail_hears_nothing() {
    let sink = standing::smtp_sink();
    let IpAddr::V4(host) = sink.address.ip() else { panic!("an address of IPv6") };
    let names = names(host);
    // Where mail is taken; only some may listen there.
    let mail_port = TcpListener::bind((host, 25)).ok();
    let name_server = names.address.to_string();
    let uris = ["mailto:a@mail.test", "mailto:b@other.test?subject=x"].map(str::to_owned);
    let (lines, code) = ask(&uris, &["--name-server", &name_server]);
    assert_eq!(code, Some(0), "{lines:#?}");
    assert!(names.asked("mail.test") > 0 && names.asked("other.test") > 0);
    // One more connection, which it writes down when those before it are written down.
    let mut last = TcpStream::connect(sink.address).expect("it listens");
    last.read_exact(&mut [0; 4]).expect("a greeting");
    let said = sink.text("said");
    // The first was of who looked whether it listens.
    assert_eq!(said.lines().filter(|line| line.contains(": connect (")).count(), 2, "{said}");
    if let Some(listener) = mail_port {
        listener.set_nonblocking(true).expect("a listener");
        assert!(listener.accept().is_err());
    }
}
