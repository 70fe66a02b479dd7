//! The run as a whole: exit codes, inputs of every kind, reports, options that change what is
//! asked and what it is taken for.

use std::fs;
use std::io::Write as _;
use std::net::IpAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::servers::name_server::{A, NameServer, Record, Reply as Records};
use crate::support::servers::site::{Gate, Reply, Request, Site};
use crate::{ask, check, command, directory, document, impatient, plain_command, stderr, stdout};

/// A server on which `/CODE…` has that code, and all else is there.
fn codes() -> Site {
    Site::start(|request: &Request| {
        let code = request.target.get(1..4).and_then(|text| text.parse().ok());
        Reply::code(code.unwrap_or(200))
    })
}

#[test]
fn the_exit_code_tells_the_worst() {
    let site = codes();
    let (good, bad) = (site.uri(1, "/"), site.uri(1, "/404"));
    let home = directory(&[
        ("good.md", &format!("<{good}>\n")),
        ("bad.md", &format!("<{bad}>\n")),
        ("warn.md", &format!("<{}>\n", site.uri(1, "/403"))),
        ("malformed.md", "<http://127.0.7.1/%zz>\n"),
    ]);
    for (args, code) in [
        (&["good.md"][..], 0),
        (&["good.md", "warn.md"], 0),
        (&["good.md", "bad.md"], 1),
        (&["--exit-zero", "bad.md"], 0),
        (&["malformed.md"], 1),
        (&["bad.md", "absent.md"], 2),
        (&["--timeout=soon", "good.md"], 2),
        (&["--allow-net=somewhere", "good.md"], 2),
        (&["--ca-file=absent.pem", "good.md"], 2),
        (&["--crl-file=absent.pem", "good.md"], 2),
        (&["--crl-file=good.md", "good.md"], 2),
        (&[], 2),
    ] {
        assert_eq!(check(home.path(), args).1, Some(code), "{args:?}");
    }
}

#[test]
fn a_root_that_is_no_directory_is_refused() {
    let home = directory(&[("a.md", "[b](../b.md)\n")]);
    for (root, found) in
        [("absent", "nothing there"), ("a.md", "a file"), ("/dev/null", "something else")]
    {
        let root_dir = format!("--root-dir={root}");
        let output = command(home.path(), &[&root_dir, "--offline", "a.md"]).output();
        let output = output.expect("the binary runs");
        let expected = format!("--root-dir: expected a directory at {root:?}, found {found}");
        assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{root}");
    }
}

#[test]
fn what_can_be_read_once_is_read_once_and_not_copied() {
    let site = codes();
    let text = format!("see <{}> and <{}>\n", site.uri(1, "/a"), site.uri(1, "/404"));
    let lines = |name: &str| {
        let uri = |path| site.uri(1, path);
        let missing = format!("{name}:1:37: error[missing]: {}: 404 Not Found\n", uri("/404"));
        format!("{name}:1:6: ok {}\n{missing}", uri("/a"))
    };
    let home = directory(&[]);
    let mut child = command(home.path(), &["-"])
        .env("TMPDIR", home.path().join("absent"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((stdout(&output), output.status.code()), (lines("-"), Some(1)));
    let pipe = home.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let writer = thread::spawn(move || fs::write(pipe, text).expect("it reads"));
    assert_eq!(check(home.path(), &["pipe"]), (lines("pipe"), Some(1)));
    writer.join().expect("written");
    // HEAD and HEAD with GET, twice.
    assert_eq!(site.requests().len(), 6);
}

#[test]
fn the_same_bytes_come_out_every_time() {
    let site = Site::start(|request: &Request| match request.target.as_bytes().last() {
        Some(b'1') => Reply::code(404),
        Some(b'2') => Reply::to(301, "/page"),
        Some(b'3') => Reply::code(500),
        Some(b'4') => Reply::to(302, "/403"),
        _ => Reply::code(200),
    });
    let home = directory(&[]);
    for number in 0..40_u8 {
        let uris: Vec<_> = (0..12)
            .map(|link| site.uri(1 + number % 7, &format!("/{}{link}", number / 3)))
            .collect();
        let text = document(&uris) + "[a](b.md) [b](000.md#c)\n";
        crate::write(home.path(), format!("docs/{number:03}.md"), text);
    }
    let run = |threads: &str| {
        let args = ["--format=text", "--format=ndjson=run.ndjson", "--threads", threads, "docs"];
        let (report, code) = check(home.path(), &args);
        assert_eq!(code, Some(1));
        (report, fs::read_to_string(home.path().join("run.ndjson")).expect("a report"))
    };
    let first = run("1");
    assert_eq!(first.0.lines().count(), 40 * 14);
    for threads in ["2", "2", "1", "4"] {
        assert!(run(threads) == first, "{threads} threads make another report");
    }
}

#[test]
fn unique_links_are_told_once() {
    let site = codes();
    let uri = site.uri(1, "/404");
    let home = directory(&[("a.md", &document(&[uri.clone(), uri.clone()])), ("b.md", &uri)]);
    let (report, code) = check(home.path(), &["--unique", "a.md", "b.md"]);
    assert_eq!(report, format!("a.md:1:4: error[missing]: {uri}: 404 Not Found\n"));
    assert_eq!(code, Some(1));
}

/// A run whose first answer is held while `change` has its way with the inputs.
fn changed(home: &Path, args: &[&str], site: &Site, change: impl FnOnce()) -> (String, i32) {
    let requests = site.watch();
    let child = command(home, args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    assert!(requests.iter().any(|target| target == "/held"));
    change();
    let output = child.wait_with_output().expect("it ends");
    assert!(!stderr(&output).contains("the program failed"), "{}", stderr(&output));
    (stdout(&output), output.status.code().expect("no signal"))
}

/// A fragment, which no server gets to see: so many findings with it take more than memory.
fn fragment() -> String {
    format!("#{}", "x".repeat(1000))
}

/// More findings with such a fragment than are kept in memory.
const MANY: usize = 5000;

#[test]
fn the_report_is_of_what_was_read_whatever_becomes_of_it() {
    let (gate, opens) = Gate::new();
    let site = Site::start(move |request: &Request| match request.target.as_str() {
        "/held" => Reply::Held(gate.clone()),
        _ => Reply::code(200),
    });
    let uri = site.uri(1, "/held") + &fragment();
    let held = format!("<{uri}>\n");
    let home = directory(&[
        ("a.md", &held),
        ("b.txt", &held.repeat(MANY)),
        ("c.md", &held),
        ("d.md", &held),
        ("e.md", &held),
    ]);
    let new = site.uri(1, "/new");
    let (report, code) = changed(
        home.path(),
        &["--timeout=1h", "a.md", "b.txt", "c.md", "d.md", "e.md"],
        &site,
        || {
            fs::write(home.path().join("a.md"), format!("<{new}>\n{held}")).expect("written");
            fs::write(home.path().join("b.txt"), "<x").expect("written");
            fs::remove_file(home.path().join("c.md")).expect("removed");
            fs::remove_file(home.path().join("d.md")).expect("removed");
            fs::create_dir(home.path().join("d.md")).expect("made");
            fs::write(home.path().join("d.md/f.md"), &held).expect("written");
            drop(opens);
        },
    );
    let line = |path, line: usize| format!("{path}:{line}:2: ok {uri}\n");
    let mut expected = line("a.md", 1);
    expected.extend((1..=MANY).map(|number| line("b.txt", number)));
    expected.extend(["c.md", "d.md", "e.md"].map(|path| line(path, 1)));
    assert!(report == expected, "{} lines of {}", report.lines().count(), MANY + 4);
    assert_eq!((code, site.lines()), (0, vec!["HEAD /held".to_owned()]));
}

/// Runs a check of more findings than are kept in memory, in a shell after `before`, and expects
/// that none can be kept elsewhere, because of `why`.
#[track_caller]
fn cannot_keep(before: &str, why: &str) {
    let site = codes();
    let link = format!("<{}>\n", site.uri(1, "/") + &fragment());
    let home = directory(&[("a.txt", &link.repeat(MANY)), ("b.md", "<http://h.example/>\n")]);
    let check = command(home.path(), &["a.txt", "b.md"]);
    let mut shell = Command::new("sh");
    shell.current_dir(home.path()).stdin(Stdio::null());
    shell.args(["-c", &format!("{before} \"$@\""), "sh"]);
    let output = shell.arg(check.get_program()).args(check.get_args()).output();
    let output = output.expect("a shell");
    let told = stderr(&output);
    assert!(
        told.contains(&format!("cannot keep the findings in a temporary file: {why}")),
        "{told}"
    );
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{told}");
    assert_eq!(site.lines(), Vec::<String>::new(), "nobody is asked");
}

#[test]
fn findings_that_cannot_be_kept_end_the_run_before_anybody_is_asked() {
    cannot_keep("TMPDIR=absent", "No such file or directory");
    // The disk is full as soon as one file has some hundred kilobytes.
    cannot_keep("trap '' XFSZ; ulimit -f 200;", "File too large");
}

#[test]
fn answers_are_taken_for_what_the_user_says() {
    let site = codes();
    let uris = [site.uri(1, "/404"), site.uri(2, "/404"), site.uri(3, "/503"), site.uri(4, "/403")];
    for (args, verdicts, code) in [
        (&[][..], ["error", "error", "error", "warn"], 1),
        (&["--accept=404"], ["ok", "ok", "error", "warn"], 1),
        (&["--accept=403,404,500..=599"], ["ok"; 4], 0),
        (&["--verdict=missing@127.0.7.1=ok"], ["ok", "error", "error", "warn"], 1),
        (
            &["--verdict=missing=skip", "--verdict=server-error=warn"],
            ["skipped", "skipped", "warn", "warn"],
            0,
        ),
        (
            &[
                "--verdict=missing=ok",
                "--verdict=missing@127.0.7.2=warn",
                "--verdict=forbidden=error",
            ],
            ["ok", "warn", "error", "error"],
            1,
        ),
    ] {
        let (lines, found) = ask(&uris, args);
        let words: Vec<_> = lines.iter().filter_map(|line| line.split([' ', '[']).next()).collect();
        assert_eq!((words, found), (verdicts.to_vec(), Some(code)), "{args:?}: {lines:#?}");
    }
}

#[test]
fn what_is_accepted_is_not_asked_again() {
    let site = codes();
    let uris = [site.uri(1, "/503"), site.uri(2, "/500")];
    let (lines, code) = ask(&uris, &["--accept=500,503", "--retries=2"]);
    assert_eq!((lines.len(), code), (2, Some(0)), "{lines:#?}");
    let mut asked = site.lines();
    asked.sort();
    assert_eq!(asked, ["GET /500", "GET /503", "HEAD /500", "HEAD /503"]);
}

#[test]
fn a_database_that_cannot_be_made_is_told_before_anybody_is_asked() {
    let site = codes();
    let home = directory(&[("a.md", &document(&[site.uri(1, "/200")]))]);
    let mut command = command(home.path(), &["--format=sqlite=run.db", "a.md"]);
    let output = command.env("TMPDIR", home.path().join("absent")).output().expect("it runs");
    let told = stderr(&output);
    assert!(told.contains("cannot write \"run.db\": a temporary file for SQLite: "), "{told}");
    assert_eq!((output.status.code(), site.lines()), (Some(2), Vec::new()));
    assert!(!home.path().join("run.db").exists());
}

#[test]
fn a_verdict_for_a_host_names_one() {
    let home = directory(&[]);
    let output = command(home.path(), &["--verdict=missing@=ok", "."]).output().expect("it runs");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(2)));
    let told = stderr(&output);
    assert!(told.contains("expected a host after the @, found none"), "{told}");
}

#[test]
fn an_own_host_is_asked_without_a_gap() {
    let site = codes();
    let names = NameServer::start(|name, kind| match kind {
        A => Records::Records(vec![Record::address(name, IpAddr::from([127, 0, 7, 1]), 60)]),
        _ => Records::Records(Vec::new()),
    });
    let uris: Vec<_> =
        (0..20).map(|link| format!("http://www.own.test:{}/{link}", site.port)).collect();
    let name_server = names.address.to_string();
    let home = directory(&[("links.md", &document(&uris))]);
    // With the gap, this would take most of a day.
    let args = ["--host-gap=1h", "--own-host=own.test", "--name-server", &name_server, "links.md"];
    let output = impatient(&command(home.path(), &args)).output().expect("it runs");
    assert_eq!((stdout(&output).lines().count(), output.status.code()), (20, Some(0)));
    assert_eq!(site.requests().len(), 20);
    assert!(!site.lines().iter().any(|line| line.contains("robots")));
}

/// The report of four links to `host`, which is of loopback and not named as own, and what it
/// was asked.
fn of_loopback(host: &str) -> (String, Vec<String>) {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/robots.txt" => {
            let rules = "User-agent: *\nDisallow: /no\n".to_owned();
            Reply::Page(200, "Content-Type: text/plain\r\n".to_owned(), rules)
        }
        _ => Reply::code(200),
    });
    let names = NameServer::start(|name, kind| match kind {
        A => Records::Records(vec![Record::address(name, IpAddr::from([127, 0, 7, 1]), 60)]),
        _ => Records::Records(Vec::new()),
    });
    let paths = ["/a", "/b", "/c", "/no"];
    let uris = paths.map(|path| format!("http://{host}:{}{path}", site.port));
    let home = directory(&[("a.md", &document(&uris))]);
    let name_server = format!("--name-server={}", names.address);
    // With the gap, this would take hours.
    let args = ["--allow-net=127.0.0.0/8", "--host-gap=1h", &name_server, "a.md"];
    let output = impatient(&plain_command(home.path(), &args)).output().expect("it runs");
    (stdout(&output), site.lines())
}

#[test]
fn loopback_has_no_gap_and_is_no_own_host() {
    for host in ["127.0.7.1", "localhost", "www.test"] {
        let (report, lines) = of_loopback(host);
        assert!(report.contains("skipped[policy-robots]"), "{report}");
        assert_eq!(report.matches(": ok ").count(), 3, "{report}");
        assert_eq!(lines, ["GET /robots.txt", "HEAD /a", "HEAD /b", "HEAD /c"], "{host}");
    }
}

#[test]
fn links_that_no_server_is_asked_for_keep_nobody_waiting() {
    let names = NameServer::start(|name, kind| match (name, kind) {
        ("mail.test", A) => {
            Records::Records(vec![Record::address(name, IpAddr::from([127, 0, 7, 1]), 60)])
        }
        ("mail.test", _) => Records::Records(Vec::new()),
        _ => Records::Code(3),
    });
    let name_server = names.address.to_string();
    let cases = [
        ("mailto:a@absent.test?subject=", "error"),
        ("mailto:a@mail.test?subject=", "ok"),
        ("urn:isbn:045145052", "skipped"),
        ("news:test.", "skipped"),
        ("http://a~b/", "skipped"),
    ];
    let mut uris = Vec::new();
    for (start, _) in cases {
        uris.extend((0..20).map(|number| format!("{start}{number}")));
    }
    // With a gap between them, this would take days.
    let args = [
        "--host-gap=1h",
        "--max-urls-per-host=30",
        // Of the last ones, the guard says more.
        "--allow=host-label",
        "--name-server",
        &name_server,
    ];
    let (lines, _) = ask(&uris, &args);
    let words: Vec<_> = lines.iter().filter_map(|line| line.split([' ', '[']).next()).collect();
    let expected: Vec<_> = cases.iter().flat_map(|(_, word)| [*word; 20]).collect();
    assert_eq!(words, expected, "{lines:#?}");
}

#[test]
fn a_host_that_wants_time_gets_it() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/a" => Reply::Page(503, "Retry-After: 1\r\n".to_owned(), String::new()),
        _ => Reply::code(200),
    });
    let (lines, code) =
        ask(&[site.uri(1, "/a"), site.uri(1, "/b")], &["--retries=1", "--host-concurrency=1"]);
    assert_eq!((lines.len(), code), (2, Some(1)), "{lines:#?}");
    // Asked again, it gets no HEAD, since it may not know that.
    assert_eq!(site.lines(), ["HEAD /a", "HEAD /b", "GET /a"]);
    let requests = site.requests();
    assert!(requests[0].at + Duration::from_secs(1) <= requests[1].at);
}

#[test]
fn a_host_that_wants_more_than_an_hour_is_asked_no_more() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/a" => Reply::Page(503, "Retry-After: 100000\r\n".to_owned(), String::new()),
        _ => Reply::code(200),
    });
    let uris = [site.uri(1, "/a"), site.uri(1, "/b")];
    let home = directory(&[("a.md", &document(&uris))]);
    let args = ["--retries=1", "--host-concurrency=1", "--state=state", "a.md"];
    let why = "its host wants to be left alone for longer than a run should take";
    let code = "503 Service Unavailable";
    let itself = format!("a.md:1:4: warn[throttled]: {}: {code}: {why}\n", uris[0]);
    let later = |line: usize, uri| format!("a.md:{line}:4: warn[throttled]: {uri}: {why}\n");
    let [first, second] = [later(1, &uris[0]), later(2, &uris[1])];
    assert_eq!(check(home.path(), &args).0, itself + &second);
    // The next run knows of it, and asks nothing, whatever it believes of links.
    assert_eq!(check(home.path(), &[&args[..], &["--no-cache"]].concat()).0, first + &second);
    assert_eq!(site.lines(), ["HEAD /a"]);
}

#[test]
fn reports_go_where_they_are_sent() {
    let site = codes();
    let home = directory(&[("a.md", &document(&[site.uri(1, "/404")]))]);
    let args = ["--format=ndjson=run.ndjson", "a.md"];
    let output = command(home.path(), &args).output().expect("the binary runs");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(1)));
    let record = fs::read_to_string(home.path().join("run.ndjson")).expect("a report");
    let reach = r#""reach":{"class":"missing","probe":"http","status":404,"#;
    assert!(record.contains(reach), "{record}");
    assert!(record.contains(r#""type":"summary","schema":1,"complete":true"#), "{record}");
    assert!(stderr(&output).contains("1 finding"), "{}", stderr(&output));
}
