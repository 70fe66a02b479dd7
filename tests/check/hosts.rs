//! Tables for single hosts of a configuration file: what is sent to whom, and how they are spared.

use std::fs;

use crate::support::servers::site::{Reply, Request, Site};
use crate::{command, directory, document, stderr, stdout};

const SECRET: &str = "hunter2-of-all";

/// Runs `check` over links to `uris` with the options of `config`; returns all of its output.
fn told(config: &str, uris: &[String], args: &[&str]) -> String {
    let home = directory(&[("links.md", &document(uris)), ("x.toml", config)]);
    fs::write(home.path().join("secret"), format!("{SECRET}\n")).expect("a file");
    let usual =
        ["--config=x.toml", "--format=text", "--format=ndjson=run.ndjson", "links.md", "-v"];
    let mut command = command(home.path(), &[args, &usual].concat());
    let output = command.env("X_TOKEN", SECRET).env_remove("NO_TOKEN").output().expect("it runs");
    let record = fs::read_to_string(home.path().join("run.ndjson")).expect("a report");
    let told = stdout(&output) + &stderr(&output) + &record;
    assert!(!told.contains(SECRET), "{told}");
    told
}

/// Returns the value of the field called `name` in each request to `site` that has one.
fn sent(site: &Site, name: &str) -> Vec<String> {
    let field = |request: &Request| {
        let mut lines = request.text.lines();
        let line = lines.find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")));
        line.and_then(|line| Some(line.split_once(": ")?.1.to_owned()))
    };
    site.requests().iter().filter_map(field).collect()
}

#[test]
fn a_secret_goes_to_its_site_and_to_nobody_else() {
    let other = Site::start(|_| Reply::html("<p>"));
    let (host, port) = (other.uri(2, "/other"), other.port);
    let site = Site::start(move |request: &Request| match request.target.as_str() {
        "/there" => Reply::to(301, &host),
        "/port" => Reply::to(302, &format!("http://127.0.7.1:{port}/other")),
        "/own" => Reply::to(302, "/page"),
        _ => Reply::html("<p>"),
    });
    let uris = ["/there", "/port", "/own", "/page"].map(|path| site.uri(1, path));
    let further = [site.uri(3, "/page"), other.uri(1, "/page"), other.uri(3, "/page")];
    let config = format!(
        "[hosts.'http://127.0.7.1:{}']\ntoken = {{ env = 'X_TOKEN' }}\nrobots = true\n\
         headers = {{ X-Plain = 'a', Cookie = {{ file = 'secret' }} }}",
        site.port
    );
    told(&config, &[&uris[..], &further].concat(), &[]);
    let is_one = |request: &&Request| request.text.contains("127.0.7.1:");
    let requests = site.requests().iter().filter(is_one).count();
    assert!(requests >= 5, "{:?}", site.lines());
    assert_eq!(sent(&site, "authorization"), vec![format!("Bearer {SECRET}"); requests]);
    assert_eq!(sent(&site, "cookie"), vec![SECRET; requests]);
    assert_eq!(sent(&site, "x-plain"), vec!["a"; requests]);
    assert!(site.requests().len() > requests);
    let heard = other.heard();
    assert!(heard.contains("/other") && other.requests().len() >= 3, "{heard}");
    assert!(!heard.contains(SECRET) && !heard.to_lowercase().contains("x-plain"), "{heard}");
}

#[test]
fn a_secret_that_a_redirect_repeats_is_neither_shown_nor_sent_on() {
    let other = Site::start(|_| Reply::html("<p>"));
    let host = other.uri(2, "/other");
    let site = Site::start(move |request: &Request| match request.target.as_str() {
        "/there" => Reply::to(301, &format!("{host}?token={SECRET}")),
        "/here" => Reply::to(302, "/page?u=token%3Dhunter2%2Dof%2Dall"),
        _ => Reply::html("<p>"),
    });
    let uris = ["/there", "/here", "/page"].map(|path| site.uri(1, path));
    let table = |value: &str| format!("[hosts.'http://127.0.7.1:{}']\n{value}", site.port);
    let said = told(&table("token = { env = 'X_TOKEN' }"), &uris, &["--state=state.db"]);
    assert_eq!(said.matches("with a configured secret: not followed").count(), 4, "{said}");
    assert!(!said.contains("hunter2"), "{said}");
    let password = "user = 'me'\npassword = { env = 'X_TOKEN' }";
    let said = told(&table(password), &uris, &[]);
    assert_eq!(said.matches("with a configured secret: not followed").count(), 4, "{said}");
    assert_eq!(other.requests().len(), 0, "{}", other.heard());
}

#[test]
fn what_is_meant_for_a_site_with_tls_is_not_sent_in_clear() {
    let site = Site::start(|_| Reply::code(200));
    for scheme in ["", "https://"] {
        let config =
            format!("[hosts.'{scheme}127.0.7.1:{}']\ntoken = {{ env = 'X_TOKEN' }}", site.port);
        told(&config, &[site.uri(1, "/a")], &[]);
    }
    assert_eq!(site.lines(), ["HEAD /a"; 2]);
    assert_eq!(sent(&site, "authorization").len(), 0);
}

#[test]
fn users_have_passwords_and_a_secret_that_is_not_there_is_not_sent() {
    let site = Site::start(|_| Reply::code(200));
    let table = |text: &str| format!("[hosts.'http://127.0.7.1:{}']\n{text}", site.port);
    let uris = [site.uri(1, "/a")];
    told(&table("user = 'me'\npassword = { env = 'X_TOKEN' }"), &uris, &[]);
    assert_eq!(sent(&site, "authorization"), ["Basic bWU6aHVudGVyMi1vZi1hbGw="]);
    let said = told(&table("token = { env = 'NO_TOKEN' }"), &uris, &[]);
    assert!(said.contains("\"NO_TOKEN\" is not set"), "{said}");
    assert_eq!((sent(&site, "authorization").len(), site.requests().len()), (1, 2));
}

#[test]
fn robots_are_obeyed_or_not_by_host() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/robots.txt" => Reply::html("User-agent: *\nDisallow: /\n"),
        _ => Reply::code(200),
    });
    let uris = [site.uri(1, "/a"), site.uri(2, "/b"), site.uri(3, "/c")];
    let config = "[hosts.'127.0.7.1']\nown = false\n\
                  [hosts.'127.0.7.2']\nown = false\nrobots = false\n";
    let said = told(config, &uris, &[]);
    let mut lines = site.lines();
    lines.sort();
    assert_eq!(lines, ["GET /robots.txt", "HEAD /b", "HEAD /c"], "{said}");
    assert!(said.contains("policy-robots"), "{said}");
}

#[test]
fn robots_txt_is_about_the_path_that_is_sent() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/robots.txt" => Reply::html("User-agent: *\nDisallow: /p\n"),
        _ => Reply::code(200),
    });
    let paths = ["/x/../p", "/./p", "/%2e/p", "/x/%2E%2E/p", "/x/.%2e/p?q", "/p/../a"];
    let uris = paths.map(|path| site.uri(1, path));
    told("[hosts.'127.0.7.1']\nown = false\n", &uris, &[]);
    assert_eq!(site.lines(), ["GET /robots.txt", "HEAD /a"]);
}

#[test]
fn a_host_that_wants_more_than_an_hour_between_requests_is_skipped() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/robots.txt" => Reply::html("User-agent: *\nCrawl-delay: 3601\n"),
        _ => Reply::code(200),
    });
    let uris = [site.uri(1, "/a"), site.uri(1, "/b"), site.uri(2, "/c")];
    let said = told("[hosts.'127.0.7.1']\nown = false\n", &uris, &[]);
    let mut lines = site.lines();
    lines.sort();
    assert_eq!(lines, ["GET /robots.txt", "HEAD /c"], "{said}");
    assert_eq!(said.matches("warn[throttled]").count(), 2, "{said}");
}

#[test]
fn a_host_may_have_a_time_of_its_own() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/slow" => Reply::Silence,
        _ => Reply::code(200),
    });
    // For others an hour, which no test waits.
    let uris = [site.uri(1, "/slow"), site.uri(2, "/fast")];
    let said = told("[hosts.'127.0.7.1']\ntimeout = '50ms'", &uris, &["--timeout=1h"]);
    assert!(said.contains("error[timeout]") && said.contains("ok http://127.0.7.2"), "{said}");
}
