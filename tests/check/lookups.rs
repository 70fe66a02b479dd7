//! Tests which dead links archives on the network learn, what is said of the others and of archives
//! that do not answer, and which copies are found for links of several dates.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test says what must hold by panicking"
)]

use std::fs;

use serde_json::{Value, json};

use crate::archives::{addresses, archived, cdxj, message, own_port, ruin, run, timemap};
use crate::support::servers::closed::Closed;
use crate::support::servers::name_server::{A, NameServer, Record, Reply as Records};
use crate::support::servers::site::{Reply, Request, Site};
use crate::{command, directory, stderr, stdout, write};

/// The reason why each link was not looked up, by its path.
fn reasons(records: &[Value]) -> Vec<(String, Value)> {
    let findings = records.iter().filter(|record| record["type"] == "finding");
    let of = |record: &Value| {
        let uri = record["uri"].as_str().expect("a URI");
        let path = uri.splitn(4, '/').nth(3).unwrap_or_default();
        (path.to_owned(), record["archived_unknown"].clone())
    };
    findings.map(of).collect()
}

#[test]
fn a_link_that_is_merely_unexplained_is_looked_up_and_others_say_why_not() {
    let site = ruin();
    let archive = Site::start(|_| Reply::code(404));
    let service = format!("--archive={}", archive.uri(3, "/"));
    let lines = [
        site.uri(1, "/q/z"),
        site.uri(1, "/unsubscribe/list"),
        site.uri(1, "/x?access_token=abcdef0123456789"),
    ];
    let mail = message("1 Feb 2001", &lines);
    let closed = Closed::at([127, 0, 7, 9]);
    let dead = message("2 Feb 2001", &[format!("http://{closed}/a")]);
    // Three senders write it, so that it is no reader's own.
    let senders: String = (0..3)
        .map(|number| {
            let mail = message("3 Feb 2001", &[site.uri(1, "/q/y")]);
            mail.replace("@x>", &format!("@sender{number}.example>"))
        })
        .collect();
    let home = directory(&[("1.mbox", &mail), ("2.mbox", &dead), ("3.mbox", &senders)]);
    let args = [service.as_str(), "--probe=head", "--probe-side-effects"];
    let (records, told) = run(home.path(), &args, &["1.mbox"]);
    let wanted = [
        ("q/z".to_owned(), Value::Null),
        ("unsubscribe/list".to_owned(), Value::Null),
        ("x?access_token=abcdef0123456789".to_owned(), json!("secret")),
    ];
    assert_eq!(reasons(&records), wanted, "{told}");
    assert!(told.contains("1 not looked up in archives: 1 it may hold a secret"), "{told}");
    let counts = json!({"archived": 0, "not_archived": 2, "unknown": 1,
        "unknown_by": {"secret": 1}});
    assert_eq!(records.last().expect("a summary")["archived"], counts);
    assert!(!archive.heard().contains("token"), "{}", archive.heard());
    let (records, told) = run(home.path(), &[&service], &["2.mbox"]);
    assert_eq!(reasons(&records)[0].1, json!("host-only"), "{told}");
    let (records, told) = run(home.path(), &[&service, "--probe=head"], &["3.mbox"]);
    assert_eq!(addresses(&records)[0].1, "none", "{told}");
    assert!(archive.heard().contains("/q/y"), "{}", archive.heard());
}

#[test]
fn an_archive_that_gives_no_answer_is_noted_with_its_cause() {
    let site = ruin();
    let home = directory(&[("a.md", &crate::document(&["/a", "/b"].map(|it| site.uri(1, it))))]);
    let closed = Closed::at([127, 0, 7, 9]);
    let archive = Site::start(|request: &Request| match request.target.as_str() {
        target if target.starts_with("/403/") => Reply::code(403),
        target if target.starts_with("/500/") => Reply::code(500),
        target if target.starts_with("/private/") => Reply::to(302, "http://10.0.0.1/x"),
        _ => Reply::html("<html>Please log in."),
    });
    for (service, cause) in [
        (archive.uri(3, "/403/"), "403 Forbidden; no answer to 2 requests"),
        (archive.uri(3, "/500/"), "500 Internal Server Error; no answer to 2 requests"),
        (archive.uri(3, "/login/"), "expected a list of mementos, found something else; no"),
        (archive.uri(3, "/private/"), "--allow-net allows its address"),
        (format!("http://{closed}/"), "no answer to "),
        ("http://10.0.0.1/tm/".to_owned(), "--allow-net allows its address"),
    ] {
        let html = "--format=html=report.html";
        let args = [&format!("--archive={service}"), html, "--format=ndjson"];
        let output = command(home.path(), &[&args[..], &["a.md"]].concat()).output().expect("it");
        let told = stderr(&output);
        let note = format!("{service}: an archive for --archive: ");
        assert!(told.contains(&note) && told.contains(cause), "{service}: {told}");
        assert!(
            told.contains("2 not looked up in archives: 2 an archive gave no answer"),
            "{told}"
        );
        assert_eq!(output.status.code(), Some(1), "{told}");
        let notes = stdout(&output).matches("\"kind\":\"archive-unanswered\"").count();
        assert_eq!(notes, 1, "{service}: {}", stdout(&output));
        let page = fs::read_to_string(home.path().join("report.html")).expect("a report");
        assert!(page.contains("archive-unanswered") && page.contains("an archive gave no answer"));
    }
}

#[test]
fn the_timemap_that_a_timegate_names_is_asked_for_links_of_several_dates() {
    let site = ruin();
    let uri = site.uri(1, "/a");
    let link = uri.clone();
    let archive = Site::start(move |request: &Request| {
        let port = own_port(request);
        if request.target.starts_with("/tm/") {
            let times = ["2001-02-03T00:00:00", "2006-02-03T00:00:00", "2011-02-03T00:00:00"];
            return timemap(&link, &times, &[]);
        }
        let to = format!("http://127.0.7.3:{port}/20010203000000/{link}");
        let map = format!("<http://127.0.7.3:{port}/tm/{link}>; rel=\"timemap\"");
        Reply::Page(302, format!("Location: {to}\r\nLink: {map}\r\n"), String::new())
    });
    let mail = |days: &[&str]| {
        let mail = |day: &&str| message(day, std::slice::from_ref(&uri));
        days.iter().map(mail).collect::<String>()
    };
    let home = directory(&[
        ("all.mbox", &mail(&["1 Feb 2000", "1 Feb 2007", "1 Feb 2012"])),
        ("one.mbox", &mail(&["1 Feb 2007"])),
    ]);
    let service = format!("--archive={}", archive.uri(3, "/"));
    let args = [service.as_str(), "--probe=get", "--probe-side-effects", "--state=s.db"];
    // With one date, the answer of the TimeGate is the nearest.
    let (_, told) = run(home.path(), &args, &["one.mbox"]);
    assert_eq!(archive.lines().len(), 1, "{:?} {told}", archive.lines());
    let (records, told) = run(home.path(), &args, &["all.mbox"]);
    let words: Vec<_> = addresses(&records).into_iter().map(|(_, word)| word).collect();
    let wanted = ["/20010203000000/", "/20060203000000/", "/20110203000000/"];
    let is_each = words.iter().zip(wanted).all(|(word, time)| word.contains(time));
    assert!(words.len() == 3 && is_each, "{words:?} {told}");
    assert_eq!(archive.lines().len(), 3, "{:?}", archive.lines());
}

#[test]
fn a_timegate_without_a_timemap_is_asked_for_the_first_and_the_last_date() {
    let site = ruin();
    let uri = site.uri(1, "/a");
    let link = uri.clone();
    let archive = Site::start(move |request: &Request| {
        let year = if request.text.contains("Feb 2012") { 2011 } else { 2001 };
        Reply::to(302, &format!("http://127.0.7.3/{year}0203000000/{link}"))
    });
    let mail = ["1 Feb 2000", "1 Feb 2012"].map(|day| message(day, std::slice::from_ref(&uri)));
    let home = directory(&[("a.mbox", &mail.concat())]);
    let service = format!("--archive={}", archive.uri(3, "/"));
    let args = [service.as_str(), "--probe=get", "--probe-side-effects"];
    let (records, told) = run(home.path(), &args, &["a.mbox"]);
    let words: Vec<_> = addresses(&records).into_iter().map(|(_, word)| word).collect();
    let is_each = words.iter().zip(["/2001", "/2011"]).all(|(word, time)| word.contains(time));
    assert!(words.len() == 2 && is_each, "{words:?} {told}");
    assert_eq!(archive.lines().len(), 2, "{:?}", archive.lines());
}

#[test]
fn a_link_whose_site_is_parked_is_looked_up() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/old" => {
            let port = request.text.split_once("127.0.7.1:").map_or("", |(_, rest)| &rest[..5]);
            Reply::to(302, &format!("http://www.hugedomains.com:{}/x", port.trim_end()))
        }
        _ => Reply::html("<p>It is for sale."),
    });
    let names = NameServer::start(|name, kind| match kind {
        A => Records::Records(vec![Record::address(name, [127, 0, 7, 1].into(), 60)]),
        _ => Records::Records(Vec::new()),
    });
    let uri = site.uri(1, "/old");
    let home = directory(&[("a.md", &crate::document(&[uri.clone(), site.uri(1, "/new")]))]);
    write(home.path(), "x.cdxj", cdxj(&uri, "20010203040506", "200"));
    let server = format!("--name-server={}", names.address);
    let args = ["--archive=x.cdxj", "--probe=get", &server];
    let (records, told) = run(home.path(), &args, &["a.md"]);
    let found: Vec<_> = archived(&records).into_iter().map(|(_, is_found, _)| is_found).collect();
    assert_eq!(found, [json!(true), Value::Null], "{told}");
}
