//! Tests how pages decay: pages that a server shows for any name, pages that have changed, and
//! links that are counted as a study counts them.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test says what must hold by panicking"
)]

use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use crate::archives::compared;
use crate::support::servers::name_server::{A, NameServer, Record, Reply as Records};
use crate::support::servers::site::{Reply, Request, Site};
use crate::{check, command, directory, document, plain_command, stderr, stdout, without_place};

/// A page in the design of a site, with these words.
fn page(words: &str) -> Reply {
    let menu = "<a href=/>Home</a> <a href=/news>News</a> <p>All that we make and sell. ".repeat(9);
    Reply::html(&format!("<title>Our site</title><nav>{menu}</nav><main>{words}</main>"))
}

/// A site whose directories treat unknown names in different ways.
fn shop() -> Site {
    Site::start(|request: &Request| {
        let target = request.target.split('?').next().unwrap_or_default();
        let (directory, name) = target.rsplit_once('/').unwrap_or_default();
        match (directory, name) {
            ("", "") | ("/real", "a" | "b") => {
                page("<p>This page has words of its own, which no other page of the site has.")
            }
            ("/soft" | "/1/2", name) => page(&format!("<p>Nothing is called {name} here.")),
            ("/moved", _) => Reply::to(302, "/"),
            ("/hard", "a") => page("<p>A page that is there."),
            ("/html", "a.html") => page("<p>Nothing here."),
            ("/html", name) if name.ends_with(".html") => page("<p>Nothing here."),
            ("/empty", _) => Reply::code(200),
            _ => Reply::code(404),
        }
    })
}

const SOFT: [&str; 3] = ["--probe=get", "--soft-404", "--host-concurrency=1"];

/// Asks for these links of the site; each warning of the report without its place.
fn soft(home: &Path, site: &Site, paths: &[&str], args: &[&str]) -> Vec<String> {
    let uris: Vec<_> = paths.iter().map(|path| site.uri(1, path)).collect();
    fs::write(home.join("a.md"), document(&uris)).expect("a document");
    let (report, code) = check(home, &[&SOFT, args, &["a.md"]].concat());
    assert_eq!(code, Some(0), "{report}");
    let lines = report.lines().map(|line| without_place(line).to_owned());
    lines.filter(|line| line.starts_with("warn")).collect()
}

/// The paths of the requests, of which those that nobody linked to.
fn invented(site: &Site, paths: &[&str]) -> Vec<String> {
    let targets = site.requests().into_iter().map(|request| request.target);
    targets.filter(|target| !paths.contains(&target.as_str())).collect()
}

#[test]
fn pages_that_are_shown_for_any_name_are_suspected() {
    let site = shop();
    let paths = [
        "/",
        "/empty/a",
        "/hard/a",
        "/html/a.html",
        "/moved/old",
        "/real/a",
        "/soft/a-long-name",
        "/soft/b?c=d",
    ];
    let home = directory(&[]);
    let lines = soft(home.path(), &site, &paths, &["--state=s.db"]);
    let said = |path: &str, to: &str| {
        let uri = site.uri(1, path);
        format!("warn[soft-404]: {uri}{to}: 200 OK, as for an invented name beside it")
    };
    let home_page = format!(" -> {}", site.uri(1, "/"));
    let wanted = [
        said("/empty/a", ""),
        said("/html/a.html", ""),
        said("/moved/old", &home_page),
        said("/soft/a-long-name", ""),
        said("/soft/b?c=d", ""),
    ];
    assert_eq!(lines, wanted);
    // One question a directory, and none at the root of the host.
    let mut asked = invented(&site, &paths);
    asked.retain(|target| target != "/");
    asked.sort();
    let directories: Vec<_> =
        asked.iter().map(|it| it.rsplit_once('/').expect("a name").0).collect();
    assert_eq!(directories, ["/empty", "/hard", "/html", "/moved", "/real", "/soft"], "{asked:?}");
    assert!(asked[2].ends_with(".html") && asked[2].len() == "/html/.html".len() + 24, "{asked:?}");
    // Another run asks nothing anew, and says the same; a new one asks the same names.
    let before = site.requests().len();
    assert_eq!(soft(home.path(), &site, &paths, &["--state=s.db"]), wanted);
    assert_eq!(site.requests().len(), before);
    // Invented names are no links of the state.
    let compared = compared(home.path(), "s.db", "s.db");
    assert_eq!(compared["counts"]["unchanged"], paths.len(), "{compared}");
    assert_eq!(soft(home.path(), &site, &paths, &[]), wanted);
    assert!(site.requests()[before..].iter().any(|request| request.target == asked[0]));
}

#[test]
fn a_host_whose_whole_domain_is_gone_is_a_site_that_is_gone() {
    let names = NameServer::start(|name, kind| match (name, kind) {
        // RFC 1035 §4.1.1: the name does not exist.
        ("gone.co.uk" | "b.gone.co.uk" | "c.gone.co.uk" | "b.there.org", _) => Records::Code(3),
        (name, A) => Records::Records(vec![Record::address(name, [127, 0, 7, 1].into(), 60)]),
        _ => Records::Records(Vec::new()),
    });
    let uris = ["http://b.gone.co.uk/x", "http://c.gone.co.uk/x", "http://b.there.org/x"];
    let home = directory(&[("a.md", &document(&uris.map(str::to_owned)))]);
    let server = format!("--name-server={}", names.address);
    let output = command(home.path(), &[&server, "--format=sqlite=run.sqlite", "a.md"])
        .output()
        .expect("it");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let run = Connection::open(home.path().join("run.sqlite")).expect("a run");
    let mut fates = run.prepare("SELECT fate FROM findings ORDER BY line").expect("columns");
    let fates: Vec<String> = fates
        .query_map([], |row| row.get(0))
        .expect("rows")
        .map(|fate| fate.expect("a fate"))
        .collect();
    assert_eq!(fates, ["site-gone", "site-gone", "page-gone"]);
    // Once a site, for each family of addresses.
    assert_eq!(names.asked("gone.co.uk"), 2);
}

/// A site that answers unknown names with 200 in ways of all kinds.
fn any_name() -> Site {
    Site::start(|request: &Request| {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let (directory, name) = path.rsplit_once('/').unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let short = |text: String| Reply::html(&format!("<title>Our site</title><p>{text}"));
        match (directory, name) {
            // Its name is a word of the text, and repeated in it.
            ("/common", _) => short(format!("The page {name} is not here. Go home, or try again.")),
            ("/stem", _) => short(format!("We have no {stem} of that kind. See the index.")),
            ("/words", _) => short(format!("Nothing was found for {}.", name.replace('-', " "))),
            ("/path", _) => short(format!("{path} ({path}), {path}: there is no such file")),
            ("/asked", _) => short(format!("Sorry, {} is not in our store.", request.target)),
            ("/escaped", _) => {
                let word = name.replace("%C3%A9", "\u{e9}");
                short(format!("There is no {word} on this server."))
            }
            ("/case", _) => short(format!("WE LOOKED FOR {} IN VAIN.", name.to_uppercase())),
            ("/home", _) | ("", "") => page("Welcome to our shop. All that we sell is new."),
            ("/leads", _) => Reply::to(302, &format!("/error?from={path}")),
            ("", "error") => short(format!("An error {query} occurred on {query}, sorry.")),
            // Programs of two kinds, one of which says that a page is missing.
            ("/mixed", "b.php") => page("<p>A page of its own that only this program makes."),
            ("/mixed", _) if name.ends_with(".html") => short("Nothing to see.".to_owned()),
            // Old pages redirect to another directory, where one name has a page, and all others
            // share one.
            ("/old", _) => Reply::to(301, &format!("/new/{name}")),
            ("/new", "kept") => short("All about our kept goods, and what they cost.".to_owned()),
            ("/new", _) => short("We have moved. Use the search to find pages.".to_owned()),
            // The title and the menu are those of all pages.
            ("/same", "a") => page("<p>A first page with text of its own, which no other has."),
            ("/same", "b") => page("<p>Another of the pages, about wholly different things."),
            ("/same", _) => page("<p>Not found: have a look at the map of this site, please."),
            _ => Reply::code(404),
        }
    })
}

#[test]
fn names_in_a_page_do_not_hide_that_it_is_shown_for_any() {
    let site = any_name();
    let suspected = [
        "/asked/find?for=this",
        "/case/Looked",
        "/common/again",
        "/common/page",
        "/escaped/caf%C3%A9",
        "/escaped/server",
        "/path/file",
    ];
    let case = |suspected: &[&str], others: &[&str]| {
        let home = directory(&[]);
        let lines = soft(home.path(), &site, &[suspected, others].concat(), &[]);
        let soft = lines.iter().filter(|line| line.starts_with("warn[soft-404]"));
        let found: Vec<_> = soft.filter_map(|line| line.split(' ').nth(1)).collect();
        let wanted: Vec<_> = suspected.iter().map(|path| site.uri(1, path)).collect();
        let of = |uri: &String| found.iter().any(|it| it.trim_end_matches(':') == uri);
        for uri in &wanted {
            assert!(of(uri), "{uri}: {lines:?}");
        }
        assert_eq!(found.len(), wanted.len(), "{lines:?}");
    };
    case(&suspected, &["/old/kept", "/same/a", "/same/b"]);
    let others = ["/home/a", "/leads/error", "/mixed/a.html", "/stem/kind.html", "/words/for-you"];
    case(&others, &["/", "/mixed/b.php"]);
}

#[test]
fn a_later_run_compares_with_what_an_earlier_one_kept() {
    let site = any_name();
    let home = directory(&[]);
    let links = ["/common/again", "/common/page"];
    let args = ["--state=s.db"];
    let lines = soft(home.path(), &site, &links, &args);
    assert_eq!(lines.len(), 2, "{lines:?}");
    let before = site.requests().len();
    assert_eq!(soft(home.path(), &site, &links, &args), lines);
    assert_eq!(site.requests().len(), before);
    // A new link beside them is another comparison, for which the page is read again.
    let lines = soft(home.path(), &site, &[&links[..], &["/common/home"]].concat(), &args);
    assert_eq!((lines.len(), site.requests().len()), (3, before + 2), "{lines:?}");
}

#[test]
fn an_invented_name_beside_a_link_of_mail_follows_no_redirect_that_acts() {
    let leave = "/unsubscribe?token=abcdef0123456789";
    let site = Site::start(move |request: &Request| match request.target.as_str() {
        "/news/today.html" => page("<p>What is new today."),
        target if target.starts_with("/news/") => Reply::to(302, leave),
        _ => page("<p>You have left the list."),
    });
    let uri = site.uri(1, "/news/today.html");
    // A link that three senders share was made for no single reader.
    let letter = |sender: &str| {
        format!(
            "From {sender} Thu Dec  1 00:00:00 1994\nFrom: {sender}\nMessage-ID: <{sender}>\n\n\
             The news of today: {uri}\n\n"
        )
    };
    let senders = ["1@a.example", "2@b.example", "3@c.example"];
    let home = directory(&[("a.mbox", &senders.map(letter).concat())]);
    let asked = |args: &[&str]| {
        check(home.path(), &[&SOFT, args, &["a.mbox"]].concat());
        let targets: Vec<_> = site.requests().into_iter().map(|request| request.target).collect();
        (targets.iter().any(|it| it.ends_with(".html") && it != "/news/today.html"), targets)
    };
    let (is_invented, targets) = asked(&[]);
    assert!(is_invented && !targets.contains(&leave.to_owned()), "{targets:?}");
    let (_, targets) = asked(&["--probe-side-effects"]);
    assert!(targets.contains(&leave.to_owned()), "{targets:?}");
}

#[test]
fn nothing_is_invented_without_the_flag() {
    let site = shop();
    let uris = [site.uri(1, "/soft/a")];
    let home = directory(&[("a.md", &document(&uris))]);
    let (report, _) = check(home.path(), &["--probe=get", "a.md"]);
    assert_eq!(report, format!("a.md:1:4: ok {}\n", uris[0]));
    assert_eq!(site.lines(), ["GET /soft/a"]);
    for (args, flag) in [
        (&["--soft-404"][..], "--soft-404"),
        (&["--soft-404", "--probe=head"], "--soft-404"),
        (&["--drift", "--state=s.db"], "--drift"),
    ] {
        let output = command(home.path(), &[args, &["a.md"]].concat()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        let wanted = format!("expected --probe get with {flag}");
        assert!(stderr(&output).contains(&wanted), "{}", stderr(&output));
    }
}

#[test]
fn every_report_shows_suspicions() {
    let site = shop();
    let home = directory(&[("a.md", &document(&[site.uri(1, "/soft/a")]))]);
    let reports = ["text", "markdown", "html", "json", "ndjson", "csv", "sqlite", "arrow", "sarif"];
    let formats = reports.map(|name| format!("--format={name}=report.{name}"));
    let formats: Vec<_> = formats.iter().map(String::as_str).collect();
    check(home.path(), &[&SOFT[..], &formats, &["a.md"]].concat());
    for name in reports {
        let bytes = fs::read(home.path().join(format!("report.{name}"))).expect("a report");
        let text = String::from_utf8_lossy(&bytes).replace('\\', "");
        assert!(text.contains("soft-404"), "{name}");
    }
    let args = [&SOFT[..], &["--verdict=soft-404=error", "a.md"]].concat();
    assert_eq!(check(home.path(), &args).1, Some(1));
}

#[test]
fn names_are_invented_in_few_directories_of_a_host() {
    let site = Site::start(|_: &Request| page("<p>Hello."));
    let paths: Vec<_> = (0..12).map(|number| format!("/d{number}/a")).collect();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    let home = directory(&[]);
    let lines = soft(home.path(), &site, &paths, &[]);
    assert_eq!((lines.len(), invented(&site, &paths).len()), (8, 8), "{lines:?}");
    // They count as links of the host, which has fourteen then.
    let site = Site::start(|_: &Request| page("<p>Hello."));
    let lines = soft(home.path(), &site, &paths, &["--max-urls-per-host=14"]);
    assert_eq!((lines.len(), invented(&site, &paths).len()), (2, 2), "{lines:?}");
}

#[test]
fn robots_txt_and_the_guard_hold_for_invented_names() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/robots.txt" => Reply::Page(
            200,
            "Content-Type: text/plain\r\n".to_owned(),
            "User-agent: *\nDisallow: /closed/\nAllow: /closed/a$\n".to_owned(),
        ),
        _ => page("<p>Hello."),
    });
    let names = NameServer::start(|name, kind| match kind {
        A => Records::Records(vec![Record::address(name, IpAddr::from([127, 0, 7, 1]), 60)]),
        _ => Records::Records(Vec::new()),
    });
    let uris = ["/closed/a", "/open/a"].map(|path| format!("http://www.test:{}{path}", site.port));
    let home = directory(&[("a.md", &document(&uris))]);
    let server = format!("--name-server={}", names.address);
    let args = [&SOFT[..], &["--allow-net=127.0.0.0/8", &server, "--host-gap=0s"]].concat();
    let output = plain_command(home.path(), &[&args[..], &["a.md"]].concat()).output().expect("it");
    let report = stdout(&output);
    assert_eq!(report.matches("[soft-404]").count(), 1, "{report}{}", stderr(&output));
    assert!(report.contains("/open/a: 200 OK, as for an invented name"), "{report}");
    let closed = site.lines().into_iter().filter(|line| line.contains("/closed/"));
    assert_eq!(closed.collect::<Vec<_>>(), ["GET /closed/a"]);
}

/// A site with one page, whose content a test sets.
fn changing() -> (Site, Arc<Mutex<(u16, String)>>) {
    let content = Arc::new(Mutex::new((200, String::new())));
    let shown = Arc::clone(&content);
    let site = Site::start(move |_: &Request| {
        let (code, text) = shown.lock().expect("a lock").clone();
        Reply::Page(code, "Content-Type: text/html\r\n".to_owned(), text)
    });
    (site, content)
}

const DRIFT: [&str; 5] = ["--probe=get", "--state=s.db", "--no-cache", "--drift", "a.md"];

#[test]
fn pages_that_have_changed_are_told_of() {
    let (site, content) = changing();
    let uri = site.uri(1, "/a");
    let home = directory(&[("a.md", &document(std::slice::from_ref(&uri)))]);
    let set = |code: u16, text: &str| *content.lock().expect("a lock") = (code, text.to_owned());
    let run = |args: &[&str]| {
        let (report, _) = check(home.path(), args);
        report.lines().map(|line| without_place(line).to_owned()).collect::<Vec<_>>().join("\n")
    };
    let same = format!("ok {uri}");
    // The last reading was ten days ago: its time is in the form of RFC 3339.
    let aged = || {
        let file = Connection::open(home.path().join("s.db")).expect("a database");
        file.execute("UPDATE contents SET read_at = read_at - 864000", []).expect("a table");
        let time = "SELECT read_at FROM contents";
        let time: i64 = file.query_row(time, [], |row| row.get(0)).expect("a row");
        jiff::Timestamp::from_second(time).expect("a time").to_string()
    };
    set(200, "<p>One two three");
    assert_eq!(run(&DRIFT), same);
    aged();
    set(200, "<h1>One</h1>\n\ntwo <b>three</b><script>four()</script>");
    assert_eq!(run(&DRIFT), same);
    let time = aged();
    let day = &time[..10];
    set(404, "<p>Gone");
    assert!(run(&DRIFT).starts_with("error[missing]"));
    set(200, "<p>One two four");
    let changed = format!("ok[alive]: {uri}: 200 OK; changed since {day}");
    assert_eq!(run(&DRIFT), changed);
    // One that believes the last says the same; one that does not look for it says nothing.
    let cached = ["--probe=get", "--state=s.db", "--drift", "a.md"];
    let before = site.requests().len();
    assert_eq!(run(&cached), changed);
    assert_eq!(site.requests().len(), before);
    let lines = [&cached[..], &["--format=ndjson", "--format=sqlite=run.sqlite"]].concat();
    let wanted = format!("\"changed_since\":\"{time}\"");
    assert!(run(&lines).contains(&wanted));
    let database = Connection::open(home.path().join("run.sqlite")).expect("a database");
    let column = "SELECT changed_since FROM findings";
    let since: String = database.query_row(column, [], |row| row.get(0)).expect("a row");
    assert_eq!(since, time);
    let mut page = check(home.path(), &[&cached[..], &["--format=html"]].concat()).0;
    page.retain(|c| c != '\n');
    assert!(page.contains(&format!("changed since {day}")));
    // One that reads pages for another reason says nothing of it, from what is kept either.
    let cached_soft = ["--probe=get", "--state=s.db", "--soft-404", "a.md"];
    for _ in 0..2 {
        let said = run(&cached_soft);
        assert!(said.starts_with("warn[soft-404]") && !said.contains("changed since"), "{said}");
    }
    // The same again is no change.
    assert_eq!(run(&DRIFT), same);
    set(200, "<p>Five");
    let soft = ["--probe=get", "--state=s.db", "--no-cache", "--soft-404", "a.md"];
    let said = run(&soft);
    assert!(said.starts_with("warn[soft-404]") && !said.contains("changed since"), "{said}");
    set(200, &"<p>Too long".repeat(200_000));
    assert_eq!(run(&DRIFT), same);
}

#[test]
fn links_are_counted_as_in_the_study() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let site = Site::start(move |request: &Request| {
        counted.fetch_add(1, Ordering::Relaxed);
        match request.target.trim_start_matches('/').parse() {
            Ok(301) => Reply::to(301, "/200"),
            Ok(code) => Reply::code(code),
            Err(_) => Reply::Raw(b"no".to_vec()),
        }
    });
    let codes = [
        200, 204, 301, 400, 401, 403, 404, 405, 406, 410, 429, 451, 500, 501, 502, 503, 504, 505,
        523, 999,
    ];
    let mut uris: Vec<_> = codes.iter().map(|code| site.uri(1, &format!("/{code}"))).collect();
    uris.push(site.uri(1, "/no"));
    let closed = std::net::TcpListener::bind("127.0.7.9:0").expect("a port");
    uris.push(format!("http://{}/", closed.local_addr().expect("its address")));
    drop(closed);
    // A warning about its text makes no page inaccessible.
    uris.push(format!("http://u:***@127.0.7.1:{}/200", site.port));
    let text = document(&uris).replace("***", "hunter2");
    let home = directory(&[("a.md", &text), ("b.md", "[c](missing.md)\n")]);
    let args = ["--count-as=pew", "--format=csv", "a.md", "b.md"];
    let (report, code) = check(home.path(), &args);
    let rows = report.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let found: Vec<_> = rows.map(|row| (row[3].to_owned(), row[1].to_owned())).collect();
    let of = |uri: &str| found.iter().find(|(known, _)| known == uri).map(|(_, word)| &**word);
    let dead = [204, 400, 404, 410, 500, 501, 502, 503, 523];
    for (code, uri) in codes.iter().zip(&uris) {
        let wanted = if dead.contains(code) { "error" } else { "ok" };
        assert_eq!(of(uri), Some(wanted), "{code}: {report}");
    }
    let rest: Vec<_> = uris[codes.len()..].iter().map(|uri| of(uri)).collect();
    assert_eq!(rest, [Some("error"), Some("error"), Some("ok")], "{report}");
    // Links between documents are not the study's business.
    assert_eq!((of("missing.md"), code), (Some("error"), Some(1)));
    let kept = [&args[..], &["--verdict=gone=warn"]].concat();
    assert!(check(home.path(), &kept).0.contains("finding,warn,gone"));
}
