//! Tests passwords in links: no server receives one, and no output shows one.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

use crate::support::servers::site::{Reply, Request, Site};
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
    let ftp = refuser();
    let links = [
        with(&site, "/401"),
        with(&site, "/404"),
        with(&site, "/404_"),
        with(&site, "/page#x"),
        with(&relay, "/moved"),
        with(&relay, "/circle"),
        with(&relay, "/else"),
        format!("ftp://anonymous:{SECRET}@127.0.7.1:{}/a", ftp.0),
        format!("ftp://user:{SECRET}@127.0.7.1:{}/a", ftp.0),
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
    let heard = site.heard() + &relay.heard() + &ftp.1.lock().expect("whole");
    assert!(heard.contains("HEAD /401 ") && heard.contains("PASS linktrawl"), "{heard}");
    assert!(heard.contains(" /page "), "{heard}");
    assert!(!heard.contains(SECRET) && !heard.to_lowercase().contains("authorization"), "{heard}");
    assert!(!heard.to_lowercase().contains("referer"), "{heard}");
}

/// A server of lines that greets, asks for a password, and says no to whatever else it hears; its
/// port, and what it heard.
fn refuser() -> (u16, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("0.0.0.0:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let heard = Arc::new(Mutex::new(String::new()));
    let of_thread = Arc::clone(&heard);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream);
            let mut answer = "220 hello\r\n";
            while lines.get_mut().write_all(answer.as_bytes()).is_ok() {
                let mut line = String::new();
                if lines.read_line(&mut line).unwrap_or_default() == 0 {
                    break;
                }
                of_thread.lock().expect("whole").push_str(&line);
                // Each answer requires more, so that a client would send its password.
                answer = if line.starts_with("USER") { "331 who\r\n" } else { "530 no\r\n" };
            }
        }
    });
    (port, heard)
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
