//! `--state`: what one run leaves to the next, and what that one believes of it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::IpAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::Connection;

use crate::support::servers::name_server::{A, NameServer, Record, Reply as Records};
use crate::support::servers::secure::{Secure, Shown};
use crate::support::servers::site::{Reply, Request, Site};
use crate::{check, command, directory, document, plain_command, send, stderr, stdout, write};

const ROBOTS: &str = "GET /robots.txt";

/// Every name is an address of this machine, and no own host.
fn names() -> NameServer {
    NameServer::start(|name, kind| match kind {
        A => Records::Records(vec![Record::address(name, IpAddr::from([127, 0, 7, 1]), 60)]),
        _ => Records::Records(Vec::new()),
    })
}

/// The report of a run over `a.md` that keeps its state.
fn run(home: &Path, args: &[&str]) -> String {
    check(home, &[args, &["--state=state", "--host-gap=0s", "a.md"]].concat()).0
}

#[test]
fn robots_txt_is_asked_for_once_a_day() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/robots.txt" => Reply::Page(
            200,
            "Content-Type: text/plain\r\n".to_owned(),
            "User-agent: *\nDisallow: /no\n".to_owned(),
        ),
        _ => Reply::code(200),
    });
    let names = names().address.to_string();
    let home = directory(&[]);
    let uri = |path: &str| format!("http://www.test:{}{path}", site.port);
    let asked = |paths: [&str; 2], args: &[&str]| {
        write(home.path(), "a.md", document(&paths.map(uri)));
        let before = site.lines().len();
        let report = run(home.path(), &[args, &["--name-server", &names]].concat());
        assert!(report.contains("[policy-robots]"), "{report}");
        site.lines().split_off(before)
    };
    assert_eq!(asked(["/a", "/no/a"], &[]), [ROBOTS, "HEAD /a"]);
    assert_eq!(asked(["/b", "/no/b"], &[]), ["HEAD /b"]);
    assert_eq!(asked(["/c", "/no/c"], &["--no-cache"]), [ROBOTS, "HEAD /c"]);
    assert_eq!(asked(["/d", "/no/d"], &["--max-age=0s"]), [ROBOTS, "HEAD /d"]);
    let file = Connection::open(home.path().join("state")).expect("a database");
    let a_day_ago = "UPDATE hosts SET robots_at = robots_at - 86400";
    assert_eq!(file.execute(a_day_ago, []).expect("a table"), 1);
    drop(file);
    assert_eq!(asked(["/e", "/no/e"], &[]), [ROBOTS, "HEAD /e"]);
}

/// A site whose robots.txt does not come at first, and two runs over it: the reports,
/// and what it was asked.
fn without_robots(reply: fn() -> Reply, args: &[&str]) -> (Vec<String>, Vec<String>) {
    let asked = AtomicBool::new(false);
    let site = Site::start(move |request: &Request| match request.target.as_str() {
        "/robots.txt" if !asked.swap(true, Ordering::Relaxed) => reply(),
        "/robots.txt" => Reply::code(404),
        _ => Reply::code(200),
    });
    let names = names().address.to_string();
    let mut uris = [1, 2, 3].map(|host| site.uri(host, "/own")).to_vec();
    // When a try is made again is drawn from a number: that of the fourth host comes soon.
    uris.extend(["/a", "/b"].map(|path| format!("http://www.test:{}{path}", site.port)));
    let home = directory(&[("a.md", &document(&uris))]);
    let run = || run(home.path(), &[args, &["--name-server", &names]].concat());
    let reports = vec![run(), run()];
    (reports, site.lines().into_iter().filter(|line| line != "HEAD /own").collect())
}

#[test]
fn that_robots_txt_did_not_come_is_not_believed() {
    let (reports, lines) = without_robots(|| Reply::code(500), &[]);
    assert_eq!(reports[0].matches("skipped[policy-robots]").count(), 2, "{}", reports[0]);
    assert_eq!(reports[1].matches("policy-robots").count(), 0, "{}", reports[1]);
    assert_eq!(lines, [ROBOTS, ROBOTS, "HEAD /a", "HEAD /b"]);
}

#[test]
fn robots_txt_that_does_not_come_is_asked_for_again() {
    let (reports, lines) = without_robots(|| Reply::code(503), &["--retries=1"]);
    assert_eq!(reports[0].matches("policy-robots").count(), 0, "{}", reports[0]);
    assert_eq!(lines, [ROBOTS, ROBOTS, "HEAD /a", "HEAD /b"]);
}

#[test]
fn robots_txt_may_want_a_host_to_be_left_alone() {
    let later = || Reply::Page(429, "Retry-After: 100000\r\n".to_owned(), String::new());
    let (reports, lines) = without_robots(later, &["--retries=1"]);
    for report in reports {
        assert_eq!(report.matches("[throttled]").count(), 2, "{report}");
        assert!(report.contains("wants to be left alone for longer"), "{report}");
    }
    assert_eq!(lines, [ROBOTS]);
}

#[test]
fn what_robots_txt_forbids_is_asked_when_nobody_heeds_it() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/robots.txt" => {
            let rules = "User-agent: *\nDisallow: /\n".to_owned();
            Reply::Page(200, "Content-Type: text/plain\r\n".to_owned(), rules)
        }
        _ => Reply::code(200),
    });
    let names = names().address.to_string();
    let uri = format!("http://www.test:{}/a", site.port);
    let home = directory(&[("a.md", &document(&[uri]))]);
    let run = |args: &[&str]| run(home.path(), &[args, &["--name-server", &names]].concat());
    let is_refused = |report: &str| report.contains("skipped[policy-robots]");
    assert!(is_refused(&run(&[])));
    for args in [&["--no-robots"], &["--own-host=test"]] {
        assert!(!is_refused(&run(args)), "{args:?}");
    }
    // Both know of it what holds for them.
    let count = site.lines().len();
    assert!(is_refused(&run(&[])) && !is_refused(&run(&["--no-robots"])));
    assert_eq!(site.lines().len(), count);
}

#[test]
fn what_was_learnt_under_other_options_is_not_believed() {
    let secure = Secure::start(&[(20, Shown::Revoked)]);
    let uri = format!("https://127.0.7.20:{}/", secure.port);
    let home = directory(&[
        ("a.md", &document(&[uri])),
        ("authority.pem", secure.authority.as_str()),
        ("revoked.pem", secure.revoked.as_str()),
    ]);
    for (args, word) in [
        (&[][..], "error[tls-issuer]"),
        (&["--ca-file=authority.pem"], ": ok "),
        (&["--ca-file=authority.pem", "--crl-file=revoked.pem"], "error[tls-revoked]"),
        (&[], "error[tls-issuer]"),
    ] {
        let report = run(home.path(), args);
        assert!(report.contains(word), "{args:?}: {report}");
    }
    let site = Site::start(|_| Reply::code(200));
    write(home.path(), "a.md", document(&[site.uri(1, "/a")]));
    for (args, count) in [
        (&[][..], 1),
        (&["--timeout=7s"], 2),
        (&["--contact=me@example.org"], 3),
        (&["--allow-private"], 4),
        (&["--retries=1", "--in-flight=3", "--confirm=2", "--exit-zero"], 4),
        (&["--timeout=7s"], 4),
    ] {
        run(home.path(), args);
        assert_eq!(site.requests().len(), count, "{args:?}");
    }
}

#[test]
fn places_of_pages_are_known_as_long_as_the_pages() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/page" => Reply::html("<h1 id=here>Here</h1>"),
        "/moved" => Reply::to(301, "/page"),
        "/text" => Reply::code(200),
        _ => Reply::code(404),
    });
    let uris = ["/page#here", "/page#there", "/moved#there", "/text#it", "/none#it"];
    let uris = uris.map(|path| site.uri(1, path));
    let home = directory(&[("a.md", &document(&uris))]);
    let run = |args: &[&str]| run(home.path(), &[args, &["--fragments=all"]].concat());
    let first = run(&[]);
    assert_eq!(first.matches("[fragment-missing]").count(), 2, "{first}");
    let count = site.requests().len();
    assert_eq!((run(&[]), site.requests().len()), (first, count));
    // One more place, and the page is looked into again; all others are known.
    write(home.path(), "a.md", document(&[&uris[..], &[site.uri(1, "/page#else")]].concat()));
    let report = run(&[]);
    assert_eq!(report.matches("[fragment-missing]").count(), 3, "{report}");
    assert_eq!(site.lines().split_off(count), ["GET /page"]);
    // Each new look counts, for each place.
    let warnings = || run(&["--max-age=0s", "--confirm=3"]).matches("warn[fragment-").count();
    assert_eq!([warnings(), warnings()], [2, 0]);
}

/// Kills a run as soon as it begins to write its report; gives what the next one says.
fn killed_while_it_reports(site: &Site, args: &[&str]) -> (String, usize) {
    let uri = site.uri(1, "/404");
    // More than a pipe holds.
    let home = directory(&[("a.md", &document(&vec![uri; 10_000]))]);
    let args = [args, &["--state=state", "a.md"]].concat();
    let mut child =
        command(home.path(), &args).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut report = BufReader::new(child.stdout.take().expect("a pipe"));
    report.read_line(&mut String::new()).expect("a line");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let count = site.requests().len();
    let again = command(home.path(), &args).output().expect("the binary runs");
    (stdout(&again), site.requests().len() - count)
}

#[test]
fn who_is_killed_while_it_reports_asks_nothing_again() {
    let site = Site::start(|_| Reply::code(404));
    for args in [&[][..], &["--no-cache"], &["--max-age=0s"]] {
        let (report, asked) = killed_while_it_reports(&site, args);
        assert_eq!((report.lines().count(), asked), (10_000, 0), "{args:?}");
    }
}

#[test]
fn who_is_stopped_asks_no_more_of_a_host_than_it_may() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/b" => Reply::Silence,
        _ => Reply::code(200),
    });
    let home = directory(&[("a.md", &document(&["/a", "/b", "/c", "/d"].map(|p| site.uri(1, p))))]);
    let requests = site.watch();
    let args = ["--state=state", "--max-urls-per-host=2", "--host-concurrency=1", "--timeout=2s"];
    let args = [&args[..], &["a.md"]].concat();
    let child =
        command(home.path(), &args).stdout(Stdio::piped()).spawn().expect("the binary runs");
    assert!(requests.iter().any(|target| target == "/b"));
    send("INT", &child);
    let stopped = child.wait_with_output().expect("it ends");
    assert_eq!(stdout(&stopped).matches("[not-asked]").count(), 1);
    let whole = command(home.path(), &args).output().expect("the binary runs");
    let report = stdout(&whole);
    assert_eq!(report.matches("[policy-limit]").count(), 2, "{report}");
    // The stopped run waits for HEAD in vain, and the whole one for both.
    assert_eq!(site.lines(), ["HEAD /a", "HEAD /b", "HEAD /b", "GET /b"]);
}

#[test]
fn a_walk_passes_what_earlier_runs_learnt_by() {
    let site = Site::start(|_| Reply::code(200));
    let home = directory(&[("a.md", &document(&[site.uri(1, "/a")]))]);
    for _ in 0..2 {
        // While it is open, it has files beside it.
        let args = ["--state=zz", "--host-gap=0s", "."];
        let (report, code) = check(home.path(), &args);
        assert_eq!((report.lines().count(), code), (1, Some(0)), "{report}");
    }
    assert_eq!(site.lines(), ["HEAD /a"]);
}

#[test]
fn answers_have_a_usual_place() {
    let site = Site::start(|_| Reply::code(200));
    let home = directory(&[("docs/a.md", &document(&[site.uri(1, "/a")]))]);
    for args in [&["docs", "--state"][..], &["--state", "--hidden", "."]] {
        let (report, code) = check(home.path(), args);
        // The state is not an input.
        assert_eq!((report.lines().count(), code), (1, Some(0)), "{report}");
    }
    assert!(home.path().join(".linktrawl.db").is_file());
    assert_eq!(site.lines(), ["HEAD /a"]);
    for args in [&["--state", "mine", "docs"][..], &["--state=mine", "docs"]] {
        assert_eq!(check(home.path(), args).1, Some(0));
    }
    assert!(home.path().join("mine").is_file());
    assert_eq!(site.lines().len(), 2);
    // The file says, and starts from there.
    write(home.path(), "docs/linktrawl.toml", "state = true");
    for _ in 0..2 {
        assert_eq!(check(home.path(), &["docs"]).1, Some(0));
    }
    assert!(home.path().join("docs/.linktrawl.db").is_file());
    assert_eq!(site.lines().len(), 3);
}

#[test]
fn a_directory_after_state_is_told_to_be_no_file() {
    let home = directory(&[("docs/a.md", "\n")]);
    for args in [&["--state", "docs"][..], &["--offline", "--state", "docs", "docs"]] {
        let output = command(home.path(), args).output().expect("the binary runs");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
        let said = stderr(&output);
        assert!(
            said.contains("expected a file, found a directory, no regular file: put `--state`"),
            "{said}"
        );
    }
}

#[test]
fn what_a_host_asked_for_holds_for_the_next_run() {
    let site = Site::start(|_| Reply::Page(429, "Retry-After: 2\r\n".to_owned(), String::new()));
    let home = directory(&[("a.md", &document(&[site.uri(1, "/a")]))]);
    run(home.path(), &[]);
    run(home.path(), &["--no-cache"]);
    let requests = site.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[0].at + Duration::from_secs(2) <= requests[1].at);
}

#[test]
fn a_host_that_was_dead_is_known_as_such() {
    let closed = tokio::net::TcpSocket::new_v4().expect("a socket");
    closed.bind(([127, 0, 7, 13], 0).into()).expect("a free port");
    let port = closed.local_addr().expect("bound").port();
    let uris = ["a", "b", "c", "d", "e"].map(|name| format!("http://127.0.7.13:{port}/{name}"));
    let home = directory(&[("a.md", &document(&uris))]);
    let report = run(home.path(), &["--host-concurrency=1"]);
    assert_eq!(report.matches("error[refused]").count(), 4, "{report}");
    assert_eq!(report.matches("skipped[unverifiable]").count(), 1, "{report}");
    let file = Connection::open(home.path().join("state")).expect("a database");
    let failures = "SELECT name, failures FROM hosts";
    let row: (String, u32) =
        file.query_row(failures, [], |row| Ok((row.get(0)?, row.get(1)?))).expect("one host");
    assert_eq!(row, (format!("http://127.0.7.13:{port}"), 4));
    fs::remove_file(home.path().join("a.md")).expect("a file");
}

#[test]
fn the_state_of_options_that_nobody_named_replaces_no_file_of_others() {
    let options = "state = 'notes.db'\n";
    let home = directory(&[("linktrawl.toml", options), ("a.md", "a\n"), ("mine", "")]);
    let at = |name: &str| home.path().join(name);
    let said = |args: &[&str]| {
        let output = plain_command(home.path(), args).output().expect("it runs");
        (output.status.code(), stderr(&output))
    };
    fs::hard_link(at("mine"), at("notes.db")).expect("a link");
    let (code, why) = said(&["a.md"]);
    assert!(code == Some(2) && why.contains("a file with several names"), "{why}");
    assert_eq!(fs::read(at("mine")).expect("a file"), b"");
    // A user who names it, by itself or with the options, knows what it is.
    assert_eq!(said(&["--config=linktrawl.toml", "a.md"]).0, Some(0));
    fs::remove_file(at("notes.db")).expect("a link");
    assert_eq!(said(&["a.md"]).0, Some(0));
    assert_eq!(said(&["a.md"]).0, Some(0));
    // A name of a repository's own directory, as systems without regard to case spell it.
    for name in [".GIT/x.db", ".Git/hooks/post-checkout", "git~1/x.db", ".g\u{200c}it/x.db"] {
        write(home.path(), "linktrawl.toml", format!("state = '{name}'\n"));
        let (code, why) = said(&["a.md"]);
        assert!(code == Some(2) && why.contains("expected a path in the directory"), "{why}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_no_signal() {
    let site = Site::start(|_| Reply::code(200));
    let home = directory(&[("a.md", &document(&[site.uri(1, "/a")]))]);
    let check = command(home.path(), &["--state=state", "a.md"]);
    // In blocks of 512 bytes: less than a database begins with.
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 4; exec \"$0\" \"$@\""]);
    limited.arg(check.get_program()).args(check.get_args()).current_dir(home.path());
    let output = limited.stdin(Stdio::null()).output().expect("a shell");
    let told = stderr(&output);
    assert!(output.status.code().is_some_and(|code| code != 0), "{:?} {told}", output.status);
    assert!(told.contains("state"), "{told}");
}
