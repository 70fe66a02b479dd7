//! Tests redirects from an allowed host to forbidden ones: nothing connects, however the host is
//! spelled, whichever status code redirects, and whatever a name resolves to.

use std::net::IpAddr;

use linktrawl::internal::probe::guard::Guard;

use crate::support::servers::name_server::NameServer;
use crate::support::servers::secure::{AWAY, Secure, Shown};
use crate::support::servers::site::{Reply, Request, Site};
use crate::{directory, document, plain_command, stderr, stdout, without_place};

/// The one address that is open, and the number of it in `Site::uri`'s network.
const OPEN: &str = "127.0.7.1/32";

/// Codes that send a client on (RFC 9110 §15.4).
const CODES: [u16; 5] = [301, 302, 303, 307, 308];

struct Row {
    host: String,
    expected: String,
}

/// Number of rows whose host is closed as it is written, but public in a redirect, since that is
/// read as browsers do: an octal number, and a final dot.
const MADE_PUBLIC: usize = 2;

/// The spellings of hosts that are closed, in the guard's own table.
fn rows() -> Vec<Row> {
    let text = include_str!("../../corpus/probe/guard.tsv");
    let row = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().expect("three fields");
        Row { host: next(), expected: next() }
    };
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(row);
    // A name server that fails gives no address to connect to, and takes its time.
    let rows = rows.filter(|row| !matches!(&*row.expected, "open" | "dns-failure"));
    let (public, closed): (Vec<_>, Vec<_>) = rows.partition(|row| is_public(&row.host));
    assert_eq!(public.len(), MADE_PUBLIC);
    closed
}

/// Reports whether browsers read `host` as a public address. Nothing here may be sent there.
fn is_public(host: &str) -> bool {
    let url = url::Url::parse(&format!("http://{host}/"));
    let address = match url.as_ref().map(url::Url::host) {
        Ok(Some(url::Host::Ipv4(address))) => IpAddr::V4(address),
        Ok(Some(url::Host::Ipv6(address))) => IpAddr::V6(address),
        _ => return false,
    };
    Guard::default().check_address(address).is_ok()
}

/// Asks `uris` with one host open; gives the lines of the report without their places.
fn ask(uris: &[String], args: &[&str]) -> Vec<String> {
    ask_with(uris, args, "")
}

/// The same, with an authority in `ca.pem`.
fn ask_with(uris: &[String], args: &[&str], authority: &str) -> Vec<String> {
    let zone = NameServer::of_zone(include_str!("../../corpus/probe/zone.tsv"));
    let home = directory(&[("links.md", &document(uris)), ("ca.pem", authority)]);
    let name_server = zone.address.to_string();
    let usual = [
        "--allow-net",
        OPEN,
        "--retries=0",
        "--timeout=20s",
        "--name-server",
        &name_server,
        "links.md",
    ];
    let args = [args, &usual].concat();
    let output = plain_command(home.path(), &args).output().expect("the binary runs");
    assert!(!stderr(&output).contains("the program failed"), "{}", stderr(&output));
    stdout(&output).lines().map(|line| without_place(line).to_owned()).collect()
}

/// The class in a line of a report; `ok` where there is none.
fn class(line: &str) -> &str {
    let named = line.split_once('[').and_then(|(_, rest)| rest.split_once("]: "));
    named.map_or("ok", |(class, _)| class)
}

/// A server whose `/CODE/N` leads to the N-th of `places`.
fn leading_to(places: Vec<String>) -> Site {
    Site::on("127.0.7.1:0", move |request: &Request| {
        let mut parts = request.target.split('/').skip(1);
        let mut next = || parts.next()?.parse::<u16>().ok();
        match (next(), next()) {
            (Some(code), Some(number)) => Reply::to(code, &places[usize::from(number)]),
            _ => Reply::code(200),
        }
    })
}

#[test]
fn no_redirect_connects_to_what_is_closed() {
    // It listens at every address of this machine but the open one's port is another.
    let sink = Site::start(|_| Reply::code(200));
    let rows = rows();
    assert!(rows.len() >= 200, "{} spellings", rows.len());
    let places = rows.iter().map(|row| format!("http://{}:{}/", row.host, sink.port)).collect();
    let site = leading_to(places);
    let mut uris = Vec::new();
    for code in CODES {
        uris.extend((0..rows.len()).map(|number| site.uri(1, &format!("/{code}/{number}"))));
    }
    let lines = ask(&uris, &[]);
    assert_eq!(lines.len(), uris.len());
    let mut wrong = Vec::new();
    for ((uri, line), row) in uris.iter().zip(&lines).zip(rows.iter().cycle()) {
        // A host that is not legal at all may be reported as that.
        let is_right = class(line) == row.expected || class(line) == "protocol-error";
        if !is_right || !line.contains(uri.as_str()) {
            wrong.push(format!("{:?}, expected {}: {line}", row.host, row.expected));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(sink.connections(), 0);
    // Every one of them was asked where it starts.
    assert!(site.requests().len() >= uris.len());
}

#[test]
fn the_sink_sees_what_is_open() {
    let sink = Site::start(|_| Reply::code(200));
    let site = leading_to(vec![sink.uri(2, "/"), sink.uri(1, "/")]);
    let uris = [site.uri(1, "/302/0"), site.uri(1, "/302/1")];
    let lines = ask(&uris, &["--allow-net", "127.0.7.2", "--no-robots"]);
    assert_eq!(lines, uris.map(|uri| format!("ok {uri}")));
    assert_eq!(sink.requests().len(), 2);
}

#[test]
fn tls_opens_nothing() {
    let sink = Site::start(|_| Reply::code(200));
    let secure = Secure::start(&[(1, Shown::Trusted)]);
    let to = |place: String| format!("https://127.0.7.1:{}{AWAY}{place}", secure.port);
    let uris = [to(sink.uri(2, "/")), to(sink.uri(1, "/"))];
    let lines = ask_with(&uris, &["--ca-file=ca.pem", "--no-robots"], &secure.authority);
    let classes: Vec<_> = lines.iter().map(|line| class(line)).collect();
    assert_eq!(classes, ["policy-address", "ok"], "{lines:#?}");
    assert_eq!(sink.requests().len(), 1);
}

#[test]
fn a_redirect_keeps_to_the_web_and_to_an_end() {
    let site = Site::on("127.0.7.1:0", |request: &Request| match request.target.as_str() {
        "/file" => Reply::to(302, "file:///etc/passwd"),
        "/gopher" => Reply::to(302, "gopher://127.0.7.1/"),
        "/data" => Reply::to(302, "data:,x"),
        "/script" => Reply::to(302, "javascript:alert(1)"),
        "/none" => Reply::code(302),
        "/empty" => Reply::to(302, ""),
        "/circle" => Reply::to(302, "/circle/2"),
        "/circle/2" => Reply::to(301, "/circle"),
        "/port" => Reply::to(302, "http://127.0.7.1:0/"),
        path => {
            let left = path.rsplit('/').next().and_then(|text| text.parse::<u32>().ok());
            match left.filter(|left| *left > 0) {
                Some(left) => Reply::to(302, &format!("/far/{}", left - 1)),
                None => Reply::code(200),
            }
        }
    });
    let cases = [
        ("/file", "policy-scheme"),
        ("/gopher", "policy-scheme"),
        ("/data", "policy-scheme"),
        ("/script", "policy-scheme"),
        ("/none", "protocol-error"),
        ("/empty", "protocol-error"),
        ("/circle", "protocol-error"),
        ("/port", "policy-port"),
        ("/far/20", "ok"),
        ("/far/21", "unverifiable"),
    ];
    let uris = cases.map(|(path, _)| site.uri(1, path));
    let lines = ask(&uris, &[]);
    let found: Vec<_> = lines.iter().map(|line| class(line)).collect();
    assert_eq!(found, cases.map(|(_, class)| class), "{lines:#?}");
}
