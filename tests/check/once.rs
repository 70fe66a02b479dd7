//! How often and how deep links are asked: each once, and those of mail not at all beyond
//! their host.

use std::fmt::Write as _;

use crate::support::servers::site::{Reply, Request, Site};
use crate::{ask, check, directory};

/// A mailbox of `count` messages that all say `line`.
fn mailbox(count: usize, line: &str) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = write!(
            text,
            "From a@example.org Thu Dec  1 00:00:00 1994\nMessage-ID: <{number}@example.org>\n\n\
             {line}\n\n"
        );
    }
    text
}

#[test]
fn a_link_is_asked_once_however_often_it_stands() {
    let site = Site::start(|_| Reply::code(200));
    let uri = site.uri(1, "/news.html");
    let home = directory(&[
        ("box.mbox", &mailbox(300, &format!("see {uri} there"))),
        ("a.md", &format!("[a]({uri}#one) and [b]({uri}#two)\n")),
    ]);
    let (report, code) = check(home.path(), &["--probe=head", "box.mbox", "a.md"]);
    assert_eq!((report.lines().count(), code), (302, Some(0)), "{report}");
    assert!(report.lines().all(|line| line.contains(": ok http://")), "{report}");
    assert_eq!(site.lines(), ["HEAD /news.html"]);
}

#[test]
fn a_host_of_mail_is_connected_to_and_told_nothing() {
    let site = Site::start(|_| Reply::code(404));
    let line = format!("{} {} {}", site.uri(1, "/a"), site.uri(1, "/b"), site.uri(2, "/c?d"));
    let home = directory(&[("box.mbox", &mailbox(300, &line))]);
    let (report, code) = check(home.path(), &["box.mbox"]);
    assert_eq!((report.lines().count(), code), (900, Some(0)));
    assert_eq!((site.connections(), site.heard().as_str()), (2, ""));
}

#[test]
fn the_most_careful_place_of_a_link_decides() {
    let site = Site::start(|_| Reply::code(404));
    let uri = site.uri(1, "/a");
    let home = directory(&[("box.mbox", &mailbox(1, &uri)), ("a.md", &format!("<{uri}>\n"))]);
    let (report, code) = check(home.path(), &["box.mbox", "a.md"]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(site.heard(), "");
}

#[test]
fn names_of_namespaces_are_not_asked() {
    let site = Site::start(|_| Reply::code(404));
    let (name, link) =
        (site.uri(1, "/format-and-its-specification"), site.uri(1, "/drums-of-the-north"));
    let part = |kind, text| format!("--x\nContent-Type: text/{kind}\n\n{text}\n\n");
    let letter = [
        "From: a@example.org\nContent-Type: multipart/alternative; boundary=x\n\n".to_owned(),
        part("html", format!("<html xmlns='{name}'><a href='{link}'>The article on drums</a>")),
        part("plain", format!("See the specification of the format: {name} {link}")),
        "--x--\n".to_owned(),
    ];
    let home = directory(&[
        ("drawing.svg", &format!("<svg xmlns=\"{name}\"><a href=\"{link}\"/></svg>\n")),
        ("code.rs", &format!("write!(out, \"<g xmlns='{name}'>\");\n")),
        ("letter.eml", &letter.concat()),
    ]);
    let (report, code) = check(home.path(), &["--probe=head", "drawing.svg", "code.rs"]);
    let why = "it names an XML namespace or the like, not a page";
    let expected = [
        format!("drawing.svg:1:13: skipped[unverifiable]: {name}: {why}\n"),
        format!("drawing.svg:1:{}: error[missing]: {link}: 404 Not Found\n", 24 + name.len()),
        format!("code.rs:1:24: skipped[unverifiable]: {name}: {why}\n"),
    ];
    assert_eq!((report, code), (expected.concat(), Some(1)));
    assert_eq!(site.lines(), ["HEAD /drums-of-the-north", "GET /drums-of-the-north"]);
    // A link in another place is requested, though the same text is a name here.
    let (report, _) = check(home.path(), &["--probe=head", "letter.eml"]);
    let count = |class: &str| report.matches(class).count();
    assert_eq!((count("unverifiable"), count("error[missing]")), (1, 2), "{report}");
}

#[test]
fn links_that_act_are_asked_only_when_told_so() {
    let site = Site::start(|_| Reply::code(200));
    let line =
        format!("{} {}", site.uri(1, "/unsubscribe?u=1"), site.uri(1, "/news/winter-offers"));
    let home = directory(&[("box.mbox", &mailbox(1, &line))]);
    let (report, _) = check(home.path(), &["--probe=get", "box.mbox"]);
    assert!(report.contains("skipped[side-effect]"), "{report}");
    assert_eq!(site.lines(), ["GET /news/winter-offers"]);
    let (report, _) = check(home.path(), &["--probe=get", "--probe-side-effects", "box.mbox"]);
    assert!(!report.contains("side-effect"), "{report}");
    assert_eq!(site.lines().len(), 3);
}

#[test]
fn mail_stays_mail_whatever_kind_it_is_said_to_be_of() {
    let site = Site::start(|_| Reply::code(200));
    let letter = format!("From: a@example.org\nSubject: x\n\nBye: {}\n", site.uri(1, "/leave/77"));
    for kind in ["markdown", "html", "csv", "rst", "json"] {
        let home =
            directory(&[("m.eml", &letter), ("linktrawl.toml", &format!("as = \"{kind}\"\n"))]);
        let (report, code) = check(home.path(), &["m.eml"]);
        assert_eq!((report.lines().count(), code), (1, Some(0)), "{kind}: {report}");
        assert_eq!(site.heard(), "", "{kind}: {report}");
    }
    let home = directory(&[("m.md", &letter[letter.find("Bye").expect("a body")..])]);
    check(home.path(), &["m.md"]);
    assert_eq!(site.lines(), ["HEAD /leave/77"]);
}

#[test]
fn a_redirect_to_what_acts_is_followed_only_when_told_so() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/news.html" => Reply::to(302, "/archive"),
        "/archive" => Reply::to(302, "/unsubscribe?u=1"),
        _ => Reply::code(200),
    });
    let uri = site.uri(1, "/news.html");
    let home = directory(&[("box.mbox", &mailbox(1, &uri)), ("a.md", &format!("<{uri}>\n"))]);
    let acts = |report: &str| report.contains("it redirects to a URI that may unsubscribe");
    let (report, _) = check(home.path(), &["--probe=head", "box.mbox"]);
    assert!(report.contains("skipped[side-effect]") && acts(&report), "{report}");
    assert_eq!(site.lines(), ["HEAD /news.html", "HEAD /archive"]);
    let (report, _) = check(home.path(), &["--probe=head", "--probe-side-effects", "box.mbox"]);
    assert!(report.contains(": ok http://"), "{report}");
    assert_eq!(site.lines().last().map(String::as_str), Some("HEAD /unsubscribe?u=1"));
    // Authors of documents may link to anything.
    let (report, _) = check(home.path(), &["a.md"]);
    assert!(report.contains(": ok http://"), "{report}");
    assert_eq!(site.lines().len(), 8);
}

#[test]
fn another_form_of_a_missing_link_is_asked_once() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/there" | "/a_(b)" => Reply::code(200),
        _ => Reply::code(404),
    });
    let uris = [
        site.uri(1, "/there_"),
        site.uri(2, "/nowhere_"),
        site.uri(3, "/plain"),
        site.uri(4, "/a_(b"),
    ];
    let (lines, code) = ask(&uris, &[]);
    assert_eq!(code, Some(1));
    let is_hint = |line: &String| line.contains("answers: is its last character the text's?");
    assert_eq!(lines.iter().map(is_hint).collect::<Vec<_>>(), [true, false, false, true]);
    assert!(lines.iter().all(|line| line.starts_with("error[missing]: ")), "{lines:#?}");
    let asked = |path: &str| site.requests().iter().filter(|one| one.target == path).count();
    // HEAD, and GET where HEAD says that nothing is there.
    let counts = ["/there_", "/there", "/nowhere_", "/nowhere", "/plain", "/plai", "/a_(b)"];
    assert_eq!(counts.map(asked), [2, 1, 2, 2, 2, 0, 1]);
}

#[test]
fn a_missing_link_is_asked_once_with_the_mark_after_it() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/wiki/Foo!" | "/b." | "/d." => Reply::code(200),
        _ => Reply::code(404),
    });
    let [foo, a, b] = [(1, "/wiki/Foo"), (2, "/a"), (3, "/b")].map(|(n, path)| site.uri(n, path));
    let d = site.uri(4, "/d#e");
    let home = directory(&[
        ("1.txt", &format!("see {foo}. Or {a}.\n")),
        ("2.txt", &format!("see {foo}! and {foo} here\n")),
        // It says itself where it ends; and a fragment is not sent.
        ("3.txt", &format!("<URL:{b}>. and {d}.\n")),
    ]);
    let hint = format!("; {foo}! answers: does the next mark of the text belong to it?");
    let links = [(&foo, &*hint), (&a, ""), (&foo, &*hint), (&foo, &*hint), (&b, ""), (&d, "")];
    let expected = links.map(|(uri, hint)| format!("error[missing]: {uri}: 404 Not Found{hint}"));
    for threads in ["1", "2", "4"] {
        let args = ["--threads", threads, "1.txt", "2.txt", "3.txt"];
        let (report, code) = check(home.path(), &args);
        let lines: Vec<_> = report.lines().map(crate::without_place).collect();
        assert_eq!(
            (lines.as_slice(), code),
            (&expected.each_ref().map(String::as_str)[..], Some(1))
        );
    }
    // Of two marks the least is asked for, and HEAD and GET where HEAD says that nothing is there.
    let asked = |path: &str| site.requests().iter().filter(|one| one.target == path).count();
    let counts = ["/wiki/Foo", "/wiki/Foo!", "/wiki/Foo.", "/a", "/a.", "/b.", "/d."].map(asked);
    assert_eq!(counts, [2, 1, 0, 2, 2, 0, 0].map(|count| count * 3));
}

#[test]
fn a_link_is_one_however_it_is_written() {
    let site = Site::start(|_| Reply::code(200));
    let uris = [
        site.uri(1, "/~a"),
        site.uri(1, "/%7Ea"),
        site.uri(1, "/%7ea#b"),
        site.uri(1, "/~a").replace("http", "HTTP"),
    ];
    let (lines, code) = ask(&uris, &[]);
    assert_eq!((lines.len(), code), (4, Some(0)));
    assert_eq!(site.requests().len(), 1);
}
