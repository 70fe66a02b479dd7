//! Tests links that make a browser connect early: only their host is used.

use crate::support::servers::closed::Closed;
use crate::support::servers::site::{Reply, Request, Site};
use crate::{check, directory};

/// Answers `404` but for style sheets.
fn site() -> Site {
    Site::start(|request: &Request| match &*request.target {
        "/there" => Reply::code(200),
        _ => Reply::code(404),
    })
}

#[test]
fn a_link_that_only_connects_wants_no_more_than_the_host() {
    let site = site();
    let root = site.uri(1, "/");
    let tags = [
        format!("<link rel=\"preconnect\" href=\"{root}\">"),
        format!("<LINK HREF='{root}' REL='PreConnect' crossorigin>"),
        format!("<link rel=dns-prefetch href={root}>"),
        format!("<link rel=\"dns-prefetch  preconnect\" href=\"{}\">", site.uri(2, "/a?b=c#d")),
    ];
    let page = tags.concat();
    let letter = format!(
        "From: a@example.org\nMessage-ID: <1@example.org>\nContent-Type: text/html\n\n{}\n",
        page
    );
    let home = directory(&[("page.html", &page), ("a.md", &page), ("letter.eml", &letter)]);
    for name in ["page.html", "a.md", "letter.eml"] {
        for args in [&["--probe=head"][..], &["--probe=get", "--fragments=all"]] {
            let (report, code) = check(home.path(), &[args, &[name]].concat());
            let count = report.matches(": ok http://").count();
            assert_eq!((count, code), (tags.len(), Some(0)), "{name}: {report}");
            assert_eq!(site.lines(), [""; 0], "{name}: {report}");
        }
    }
}

#[test]
fn another_word_beside_it_has_the_link_asked() {
    let site = site();
    let tags = [
        format!("<link rel=\"preconnect stylesheet\" href=\"{}\">", site.uri(1, "/a.css")),
        format!("<link rel=\"preload\" href=\"{}\">", site.uri(1, "/b.css")),
        format!("<link rel=\"dns-prefetch icon\" href=\"{}\">", site.uri(1, "/there")),
    ];
    let home = directory(&[("page.html", &tags.concat())]);
    let (report, code) = check(home.path(), &["page.html"]);
    assert_eq!((report.matches("error[missing]").count(), code), (2, Some(1)), "{report}");
    assert!(site.lines().contains(&"HEAD /there".to_owned()));
}

#[test]
fn the_same_uri_is_asked_where_it_is_a_link() {
    let site = site();
    let root = site.uri(1, "/");
    let page = format!("<link rel=preconnect href=\"{root}\"><a href=\"{root}\">there</a>\n");
    let home = directory(&[("page.html", &page)]);
    let (report, code) = check(home.path(), &["page.html"]);
    let found: Vec<_> = report.lines().map(crate::without_place).collect();
    assert_eq!((found.len(), code), (2, Some(1)), "{report}");
    assert!(found[0].starts_with("ok ") && found[1].starts_with("error[missing]"), "{report}");
}

#[test]
fn a_host_that_does_not_answer_is_an_error_all_the_same() {
    let closed = Closed::at([127, 0, 7, 9]);
    let page = format!("<link rel=preconnect href=\"http://{closed}/\">\n");
    let home = directory(&[("page.html", &page)]);
    let (report, code) = check(home.path(), &["page.html"]);
    assert!(report.contains("error[refused]"), "{report}");
    assert_eq!(code, Some(1));
}

#[test]
fn a_field_of_a_kept_answer_may_only_connect() {
    let site = site();
    let (first, second) = (site.uri(1, "/"), site.uri(1, "/next"));
    let text = format!("<{first}>; rel=preconnect; crossorigin, <{second}>; rel=next\n");
    let home = directory(&[("links.txt", &text)]);
    let (report, _) = check(home.path(), &["links.txt"]);
    let found: Vec<_> = report.lines().map(crate::without_place).collect();
    assert!(found[0].starts_with("ok ") && found[1].starts_with("error[missing]"), "{report}");
}
