//! Hosts that are given up, and hosts that are not, since they do answer.

use std::net::TcpListener;

use crate::ask;
use crate::support::servers::site::{Reply, Request, Site};

const PATIENCE: &str = "--timeout=400ms";

fn uris(site: &Site, count: usize) -> Vec<String> {
    (0..count).map(|number| site.uri(1, &format!("/{number}"))).collect()
}

#[track_caller]
fn has(lines: &[String], expected: &str, count: usize) {
    let found = lines.iter().filter(|line| line.contains(expected)).count();
    assert_eq!(found, count, "{expected}: {lines:#?}");
}

#[test]
fn a_host_that_answers_get_alone_is_alive() {
    let site = Site::start(|request: &Request| match request.method.as_str() {
        "HEAD" => Reply::Silence,
        _ => Reply::code(200),
    });
    let (lines, code) = ask(&uris(&site, 8), &[PATIENCE]);
    assert_eq!(code, Some(0), "{lines:#?}");
    has(&lines, "ok ", 8);
}

#[test]
fn links_that_get_no_answer_say_nothing_about_the_others() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/0" | "/1" | "/2" | "/3" | "/4" | "/5" => Reply::Silence,
        _ => Reply::code(200),
    });
    let (lines, code) = ask(&uris(&site, 12), &[PATIENCE, "--host-concurrency=1"]);
    assert_eq!(code, Some(1));
    has(&lines, "error[timeout]", 6);
    has(&lines, "ok ", 6);
}

#[test]
fn a_complete_408_is_an_answer() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/0" | "/1" | "/2" | "/3" | "/4" | "/5" => Reply::code(408),
        _ => Reply::code(200),
    });
    let (lines, _) = ask(&uris(&site, 12), &[PATIENCE, "--host-concurrency=1"]);
    has(&lines, "408 Request Timeout", 6);
    has(&lines, "ok ", 6);
}

#[test]
fn links_that_are_never_requested_say_so() {
    let closed = TcpListener::bind("127.0.7.1:0").expect("a port").local_addr().expect("its name");
    let uris: Vec<_> = (0..12).map(|number| format!("http://{closed}/{number}")).collect();
    let (lines, code) = ask(&uris, &["--host-concurrency=1", "-v"]);
    assert_eq!((lines.len(), code), (12, Some(1)), "{lines:#?}");
    has(&lines, "error[refused]", 4);
    has(&lines, "not requested, because its host accepted no connection", 8);
    has(&lines, "[unverifiable]", 8);
}

#[test]
fn a_host_that_never_answers_is_asked_for_few_of_its_links() {
    let site = Site::start(|_: &Request| Reply::Silence);
    let options = [PATIENCE, "--host-concurrency=1", "--retries=0", "-v"];
    let (lines, code) = ask(&uris(&site, 24), &options);
    assert_eq!((lines.len(), code), (24, Some(1)), "{lines:#?}");
    has(&lines, "error[timeout]", 16);
    has(&lines, "not requested, because its host answered no request of many in a row", 8);
}
