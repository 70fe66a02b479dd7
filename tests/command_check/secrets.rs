//! Passwords in links: no server sees one, and nothing that is told shows one.

use std::fs;

use serde_json::Value;

use crate::site::{Reply, Request, Site};
use crate::{command, directory, stderr, stdout};

const SECRET: &str = "hunter2";

#[test]
fn a_password_reaches_nobody() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/401" => Reply::Page(401, "WWW-Authenticate: Basic realm=x\r\n".into(), String::new()),
        "/404" => Reply::code(404),
        _ => Reply::html("<p>"),
    });
    let port = site.port;
    let relay = Site::start(move |request: &Request| match request.target.as_str() {
        "/moved" => Reply::to(301, &format!("http://user:{SECRET}@127.0.7.2:{port}/page")),
        "/circle" => Reply::to(302, &format!("http://user:{SECRET}@{}/circle", host(request))),
        _ => Reply::to(302, &format!("gopher://user:{SECRET}@127.0.7.2/")),
    });
    let with = |site: &Site, path: &str| {
        site.uri(1, path).replace("http://", &format!("http://user:{SECRET}@"))
    };
    let links = [
        with(&site, "/401"),
        with(&site, "/404"),
        with(&site, "/404_"),
        with(&site, "/page#x"),
        with(&relay, "/moved"),
        with(&relay, "/circle"),
        with(&relay, "/else"),
        format!("ftp://user:{SECRET}@127.0.7.1:{port}/a"),
        format!("//user:{SECRET}@127.0.7.1:{port}/b"),
    ];
    let text: String = links.iter().map(|link| format!("- [x]({link})\n")).collect();
    let home = directory(&[("a.md", &text)]);
    for args in [&["--fragments=all"][..], &["--probe=host"], &["--probe=get"], &["--offline"]] {
        let usual = ["--timeout=20s", "--format=text", "--format=ndjson=run.ndjson", "a.md"];
        let output =
            command(home.path(), &[args, &usual].concat()).output().expect("the binary runs");
        let record = fs::read_to_string(home.path().join("run.ndjson")).expect("a report");
        let findings = record.lines().filter(|line| line.contains(r#""type":"finding""#));
        assert!(findings.count() >= links.len(), "{record}");
        for told in [stdout(&output), stderr(&output), record] {
            assert!(!told.contains(SECRET), "{args:?}: {told}");
        }
    }
    let heard = site.heard() + &relay.heard();
    assert!(heard.contains("HEAD /401 ") && heard.contains(" /page "), "{heard}");
    assert!(!heard.contains(SECRET) && !heard.to_lowercase().contains("authorization"), "{heard}");
    assert!(!heard.to_lowercase().contains("referer"), "{heard}");
}

fn host(request: &Request) -> String {
    let line = request.text.lines().find_map(|line| line.strip_prefix("host: "));
    line.unwrap_or_default().to_owned()
}

#[test]
fn the_way_of_a_link_is_in_the_record() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/a" => Reply::to(301, "/b?c"),
        "/b?c" => Reply::to(308, "http://127.0.7.2:0/"),
        _ => Reply::code(200),
    });
    let home = directory(&[("a.md", &format!("<{}>\n", site.uri(1, "/a")))]);
    let output = command(home.path(), &["--format=ndjson", "a.md"]).output().expect("it runs");
    let text = stdout(&output);
    let record: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    let reach = &record["reach"];
    let hops = serde_json::json!([
        { "status": 301, "to": site.uri(1, "/b?c") },
        { "status": 308, "to": "http://127.0.7.2:0/" },
    ]);
    assert_eq!(reach["hops"], hops, "{text}");
    assert_eq!(reach["class"], "policy-port");
}
