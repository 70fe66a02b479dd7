//! Dead links in archives of the Web: in files of the user, and at archives on the network, which
//! may lie, and learn no more than they must.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test says what must hold by panicking"
)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::resume::wait_for_commit;
use crate::support::home;
use crate::support::servers::closed::Closed;
use crate::support::servers::name_server::{A, NameServer, Record, Reply as Records};
use crate::support::servers::site::{Reply, Request, Site};
use crate::{command, directory, stderr, stdout, write};

const DATE: &str = "Sat, 03 Feb 2001 04:05:06 GMT";

/// A site on which everything is missing but `/alive`.
pub(crate) fn ruin() -> Site {
    Site::start(|request: &Request| match request.target.as_str() {
        "/alive" => Reply::html("<p>"),
        _ => Reply::code(404),
    })
}

/// A message of this day, with these lines.
pub(crate) fn message(day: &str, lines: &[String]) -> String {
    format!(
        "From a@example.org Thu Dec  1 00:00:00 1994\nFrom: a@example.org\nDate: {day} 12:00:00 \
         +0000\nMessage-ID: <{}@x>\n\n{}\n\n",
        day.replace(' ', "."),
        lines.join("\n")
    )
}

/// The records of a run over `inputs`, the summary last, and what it said on standard error.
pub(crate) fn run(home: &Path, args: &[&str], inputs: &[&str]) -> (Vec<Value>, String) {
    let args = [args, &["--format=ndjson", "-v"], inputs].concat();
    let output = command(home, &args).output().expect("the binary runs");
    let lines = stdout(&output);
    let records = lines.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let records: Vec<Value> = records.collect();
    assert!(records.last().is_some_and(|last| last["type"] == "summary"), "{}", stderr(&output));
    (records, stderr(&output))
}

/// Returns the path of each link, whether it is archived, and its memento.
pub(crate) fn archived(records: &[Value]) -> Vec<(String, Value, Value)> {
    let findings = records.iter().filter(|record| record["type"] == "finding");
    let of = |record: &Value| {
        let uri = record["uri"].as_str().expect("a URI");
        let path = uri.rsplit_once('/').map_or(uri, |(_, path)| path).to_owned();
        (path, record["archived"].clone(), record["memento"].clone())
    };
    findings.map(of).collect()
}

/// The addresses of the mementos, or the word for none.
pub(crate) fn addresses(records: &[Value]) -> Vec<(String, String)> {
    let shown = |(path, is_found, memento): (String, Value, Value)| {
        let word = match (is_found.as_bool(), memento["uri"].as_str()) {
            (Some(true), Some(uri)) => uri.to_owned(),
            (Some(true), None) => "somewhere".to_owned(),
            (Some(false), _) => "none".to_owned(),
            (None, _) => "unknown".to_owned(),
        };
        (path, word)
    };
    archived(records).into_iter().map(shown).collect()
}

/// The comparison of two states.
pub(crate) fn compared(home: &Path, old: &str, new: &str) -> Value {
    let args = ["report", "--compare", old, new, "--format=json"];
    let mut report = home::linktrawl();
    let output = report.args(args).current_dir(home).output();
    serde_json::from_str(&stdout(&output.expect("the binary runs"))).expect("JSON")
}

pub(crate) fn cdxj(uri: &str, time: &str, status: &str) -> String {
    format!("key {time} {{\"url\": \"{uri}\", \"status\": \"{status}\"}}\n")
}

pub(crate) fn record(kind: &str, uri: &str, time: &str, block: &str) -> String {
    let media = if block.starts_with("HTTP/") {
        "Content-Type: application/http; msgtype=response\r\n"
    } else {
        ""
    };
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: {time}\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n{media}\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

pub(crate) fn gzip(texts: &[String]) -> Vec<u8> {
    let member = |text: &String| {
        let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
        writer.write_all(text.as_bytes()).expect("memory");
        writer.finish().expect("memory")
    };
    texts.iter().flat_map(member).collect()
}

#[test]
fn the_copy_nearest_to_the_message_is_found_in_an_index() {
    // Of a host that nobody listens at not even the host is asked twice, and of mail no more.
    let closed = Closed::at([127, 0, 7, 9]);
    let uri = format!("http://{closed}/a");
    let home = directory(&[
        (
            "1.mbox",
            &(message("1 Feb 2001", std::slice::from_ref(&uri))
                + &message("1 Feb 2009", std::slice::from_ref(&uri))),
        ),
        (
            "x.cdxj",
            &(cdxj("http://other/", "20010201000000", "200")
                + &cdxj(&uri, "20010131000000", "404")
                + &cdxj(&uri, "20010120000000", "200")
                + &cdxj(&format!("https://{closed}/a/"), "20010210000000", "-")
                + "rubbish\n"
                + &cdxj(&uri, "20081231000000", "200")),
        ),
    ]);
    let args = ["--archive=x.cdxj", "--archive-replay=http://localhost:8080/c1"];
    let (records, told) = run(home.path(), &args, &["1.mbox"]);
    let memento = |time: &str, uri: &str, day: &str, days: i64| {
        let address = format!("http://localhost:8080/c1/{time}/{uri}");
        json!({"uri": address, "datetime": format!("{day}T00:00:00Z"), "distance_days": days,
            "archive": "x.cdxj"})
    };
    let of = |memento| ("a".to_owned(), json!(true), memento);
    let wanted = [
        of(memento("20010210000000", &format!("https://{closed}/a/"), "2001-02-10", 9)),
        of(memento("20081231000000", &uri, "2008-12-31", -32)),
    ];
    assert_eq!(archived(&records), wanted);
    let counts = json!({"archived": 2, "not_archived": 0, "unknown": 0});
    assert_eq!(records.last().expect("a summary")["archived"], counts);
    assert!(told.contains("; 2 archived"), "{told}");
}

#[test]
fn a_copy_of_a_page_whose_path_differs_in_case_is_none_in_a_file() {
    let closed = Closed::at([127, 0, 7, 9]);
    let uri = format!("http://{closed}/Page?q=A");
    let lines = [
        cdxj(&format!("http://{closed}/page?q=A"), "20010131000000", "200"),
        cdxj(&format!("http://{closed}/Page?q=a"), "20010131000000", "200"),
    ];
    let text = crate::document(std::slice::from_ref(&uri));
    let home = directory(&[
        ("a.md", &text),
        ("other.cdxj", &lines.concat()),
        ("own.cdxj", &(lines.concat() + &cdxj(&uri, "20010210000000", "200"))),
    ]);
    for (file, is_archived) in [("other.cdxj", false), ("own.cdxj", true)] {
        let (records, _) = run(home.path(), &[&format!("--archive={file}")], &["a.md"]);
        assert_eq!(records[0]["archived"], json!(is_archived), "{file}");
    }
}

#[test]
fn every_report_tells_of_the_copy() {
    let site = ruin();
    let home =
        directory(&[("a.md", &format!("<{}>\n<{}>\n", site.uri(1, "/a"), site.uri(1, "/b")))]);
    write(home.path(), "x.cdxj", cdxj(&site.uri(1, "/a"), "20010203040506", "200"));
    let reports = ["text", "markdown", "html", "json", "ndjson", "csv", "sqlite"];
    let formats = reports.map(|name| format!("--format={name}=report.{name}"));
    let mut args = vec!["--archive=x.cdxj", "--archive-replay=http://r.example/", "a.md"];
    args.extend(formats.iter().map(String::as_str));
    let output = command(home.path(), &args).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let read = |name: &str| {
        let bytes = fs::read(home.path().join(format!("report.{name}"))).expect("a report");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let address = format!("http://r.example/20010203040506/{}", site.uri(1, "/a"));
    for name in reports {
        let text = read(name).replace("\\.", ".").replace("\\_", "_").replace("<br>", "");
        assert!(text.contains("r.example/20010203040506"), "{name}: {text}");
    }
    let text = read("text");
    assert!(text.contains(&format!(" earlier: {address}\n")), "{text}");
    assert!(text.contains("404 Not Found; not archived\n"), "{text}");
    // A saved run retells the same.
    let mut retold = home::linktrawl();
    let retold = retold.current_dir(home.path()).args(["report", "report.ndjson"]);
    assert_eq!(stdout(&retold.output().expect("it runs")), text);
    let database = rusqlite::Connection::open(home.path().join("report.sqlite")).expect("one");
    let row = "SELECT memento_uri, memento_datetime, memento_distance_days < -5000,
               memento_archive
               FROM findings WHERE archived";
    let found =
        database.query_row(row, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
    let wanted = (address, "2001-02-03T04:05:06Z".to_owned(), true, "x.cdxj".to_owned());
    assert_eq!(found.expect("a row"), wanted);
    let counts = database.query_row("SELECT archived, not_archived FROM summary", [], |row| {
        Ok([row.get::<_, i64>(0)?, row.get(1)?])
    });
    assert_eq!(counts.expect("a row"), [1, 1]);
}

#[test]
fn a_warc_is_read_and_an_index_beside_it_in_its_place() {
    let site = ruin();
    let links = ["/a", "/b", "/c"].map(|path| site.uri(1, path));
    let home = directory(&[("a.md", &crate::document(&links))]);
    let page = "HTTP/1.1 200 OK\r\n\r\n<p>";
    let records = [
        record("warcinfo", "", "2001-01-01T00:00:00Z", "software: x\r\n"),
        record("response", &links[0], "2001-02-03T04:05:06Z", page),
        record("request", &links[1], "2001-02-03T04:05:06Z", "GET / HTTP/1.1\r\n\r\n"),
        record("response", &links[1], "2001-02-03T04:05:06Z", "HTTP/1.1 404 No\r\n\r\n"),
        record("resource", &links[2], "2001-02-03T04:05:06Z", &"x".repeat(10_000)),
    ];
    write(home.path(), "x.warc", records.concat());
    write(home.path(), "x.warc.gz", gzip(&records));
    let of = |args: &[&str]| {
        let (records, told) = run(home.path(), args, &["a.md"]);
        (addresses(&records).into_iter().map(|(_, word)| word).collect::<Vec<_>>(), told)
    };
    let wanted = ["somewhere", "none", "somewhere"];
    assert_eq!(of(&["--archive=x.warc"]).0, wanted);
    assert_eq!(of(&["--archive=x.warc.gz"]).0, wanted);
    // Nothing is asked, and all is looked up.
    let before = site.requests().len();
    assert_eq!(of(&["--archive=x.warc.gz", "--archive-all", "--offline"]).0, wanted);
    assert_eq!(site.requests().len(), before);
    write(home.path(), "x.cdxj", cdxj(&links[1], "20010203040506", "200"));
    assert_eq!(of(&["--archive=x.warc.gz"]).0, ["none", "somewhere", "none"]);
    // A list that was cut is reported, and links that it lacks are unknown.
    let cut = records.concat();
    write(home.path(), "y.warc", &cut[..cut.len() - 5_000]);
    let (words, told) = of(&["--archive=y.warc"]);
    assert_eq!(words, ["somewhere", "unknown", "somewhere"]);
    assert!(
        told.contains("expected the rest of a record") && told.contains("incomplete"),
        "{told}"
    );
    assert!(told.contains("1 not looked up in archives"), "{told}");
}

#[test]
fn an_index_that_is_older_than_its_warc_is_not_read_and_a_newer_one_beside_it_is() {
    let site = ruin();
    let links = ["/a", "/b", "/c"].map(|path| site.uri(1, path));
    let home = directory(&[("a.md", &crate::document(&links))]);
    let page = "HTTP/1.1 200 OK\r\n\r\n<p>";
    let held = [record("response", &links[0], "2001-02-03T04:05:06Z", page)];
    write(home.path(), "x.warc.gz", gzip(&held));
    let dated = |name: &str, link: &str, days: u64| {
        write(home.path(), name, cdxj(link, "20010203040506", "200"));
        let file = fs::File::options().write(true).open(home.path().join(name)).expect("an index");
        let date = std::time::UNIX_EPOCH + Duration::from_secs(days * 86_400);
        file.set_modified(date).expect("a date");
    };
    let warc = fs::File::options().write(true).open(home.path().join("x.warc.gz")).expect("it");
    warc.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(100 * 86_400)).expect("a date");
    let words = || {
        let (records, _) = run(home.path(), &["--archive=x.warc.gz"], &["a.md"]);
        addresses(&records).into_iter().map(|(_, word)| word).collect::<Vec<_>>()
    };
    dated("x.cdxj", &links[1], 99);
    assert_eq!(words(), ["somewhere", "none", "none"]);
    dated("x.warc.gz.cdxj", &links[2], 100);
    assert_eq!(words(), ["none", "none", "somewhere"]);
    dated("x.cdxj", &links[1], 101);
    assert_eq!(words(), ["none", "somewhere", "none"]);
}

#[test]
fn a_line_of_an_index_that_is_too_long_is_skipped_and_the_next_is_read() {
    let site = ruin();
    let links = ["/a", "/b", "/c", "/d", "/e"].map(|path| site.uri(1, path));
    let home = directory(&[("a.md", &crate::document(&links))]);
    // With the line end, the longest line that is read has 128 KiB.
    let line = |link: &str, len: usize| {
        let start = format!("key 20010203040506 {{\"url\": \"{link}\", \"note\": \"");
        let end = "\"}\n";
        let fill = len - start.len() - end.len();
        format!("{start}{}{end}", "x".repeat(fill))
    };
    let long = line(&links[4], 400_000);
    let index = [
        line(&links[0], 131_072),
        line(&links[1], 131_073),
        line(&links[2], 500_000),
        cdxj(&links[3], "20010203040506", "200"),
        // The last line has no end.
        long.trim_end().to_owned(),
    ];
    write(home.path(), "x.cdxj", index.concat());
    let (records, told) = run(home.path(), &["--archive=x.cdxj"], &["a.md"]);
    let words: Vec<_> = addresses(&records).into_iter().map(|(_, word)| word).collect();
    assert_eq!(words, ["somewhere", "none", "none", "somewhere", "none"], "{told}");
}

#[test]
fn links_of_the_web_and_of_ftp_are_looked_up_and_no_others() {
    let links = ["http://h.example/a", "HTTPS://h.example/b", "ftp://h.example/c"];
    let others = ["gopher://h.example/1/d", "telnet://h.example/", "nntp://h.example/x/1"];
    let uris: Vec<_> = links.iter().chain(&others).map(|uri| (*uri).to_owned()).collect();
    let home = directory(&[("a.md", &crate::document(&uris))]);
    let index: String = uris.iter().map(|uri| cdxj(uri, "20010203040506", "200")).collect();
    write(home.path(), "x.cdxj", index);
    let args = ["--archive=x.cdxj", "--archive-all", "--offline"];
    let (records, told) = run(home.path(), &args, &["a.md"]);
    let found: Vec<_> = archived(&records).into_iter().map(|(_, is_found, _)| is_found).collect();
    assert_eq!(found[..3], [json!(true), json!(true), json!(true)], "{told}");
    assert_eq!(found[3..], [Value::Null, Value::Null, Value::Null], "{told}");
}

#[test]
fn a_public_archive_learns_of_public_hosts_and_names_no_others() {
    let site = ruin();
    let (port, public) = (site.port, format!("http://www.example.org:{}", site.port));
    let archive = Site::start(move |request: &Request| {
        let Some((_, link)) = request.target.split_once("/timemap/") else {
            return Reply::code(404);
        };
        let host = if link.ends_with("/far") { "10.0.0.1" } else { "web.example.org" };
        let line = format!(
            "<{link}>; rel=\"original\",\n<http://{host}/web/20010203040506/{link}>; \
             rel=\"memento\"; datetime=\"{DATE}\"\n"
        );
        Reply::Page(200, String::new(), line)
    });
    let names = NameServer::start(|name, kind| {
        let last = if name.starts_with("archive.") { 3 } else { 1 };
        match kind {
            A => Records::Records(vec![Record::address(name, [127, 0, 7, last].into(), 60)]),
            _ => Records::Records(Vec::new()),
        }
    });
    let links = [
        format!("{public}/far"),
        format!("{public}/near"),
        format!("http://127.0.7.1:{port}/inner"),
        format!("http://wiki:{port}/intranet"),
    ];
    let home = directory(&[("a.md", &crate::document(&links))]);
    let asked = |host: &str| {
        let service = format!("--archive=http://{host}:{}/timemap/", archive.port);
        let server = format!("--name-server={}", names.address);
        let args = [service.as_str(), &server, "--host-gap=0s"];
        let (records, told) = run(home.path(), &args, &["a.md"]);
        let words: Vec<_> = addresses(&records).into_iter().map(|(_, word)| word).collect();
        (words, told)
    };
    let (words, told) = asked("archive.example.org");
    let near = format!("http://web.example.org/web/20010203040506/{}", links[1]);
    assert_eq!(words, ["none", &near, "unknown", "unknown"], "{told}");
    let heard = archive.heard();
    assert!(heard.contains("/near") && !heard.contains("/in"), "{heard}");
    // One of the user's own may learn of all, and name all.
    let (words, told) = asked("127.0.7.3");
    assert!(words.iter().all(|word| word.contains("/20010203040506/")), "{words:?} {told}");
    assert!(words[0].starts_with("http://10.0.0.1/"), "{words:?}");
}

/// An archive that answers a request for each path in its own way, and the site it knows.
fn liar(site: &Site) -> Site {
    let (base, port) = (site.uri(1, ""), site.port);
    Site::start(move |request: &Request| {
        let path = request.target.rsplit('/').next().unwrap_or_default().to_owned();
        let uri = format!("{base}/{path}");
        let me = "http://127.0.7.2/web";
        let list = |uri: &str, time: &str, rel: &str| {
            format!(
                "<{base}/{path}>; rel=\"original\",\n<{me}/{time}/{uri}>; {rel}; \
                 datetime=\"{DATE}\"\n"
            )
        };
        let page = |text: String| Reply::Page(200, String::new(), text);
        match path.as_str() {
            "map" => page(list(&uri, "20010203040506", "rel=\"memento\"")),
            "gate" => Reply::Page(
                302,
                format!("Location: {me}/20010203040506/{uri}\r\nVary: accept-datetime\r\n"),
                String::new(),
            ),
            "itself" => Reply::Page(200, format!("Memento-Datetime: {DATE}\r\n"), "<p>".into()),
            "cdxj" => page(cdxj(&uri, "20010203040506", "200")),
            "json" => page(format!(
                "{{\"url\":\"{uri}\",\"archived_snapshots\":{{\"closest\":{{\"available\":true,\
                 \"url\":\"{me}/20010203040506/{uri}\",\"timestamp\":\"20010203040506\"}}}}}}"
            )),
            "hop" => Reply::to(302, "/again/map"),
            "missing" => Reply::code(404),
            "empty" => page("[]".to_owned()),
            // Lies.
            "other" => page(list("http://other/", "20010203040506", "rel=memento")),
            "original" => {
                page(list(&uri, "20010203040506", "rel=memento").replacen(&uri, "http://x/", 1))
            }
            "time" => page(list(&uri, "19990203040506", "rel=memento")),
            "future" => page(cdxj(&uri, "29990203040506", "200")),
            "year" => page(
                list(&uri, "18500203040506", "rel=memento")
                    .replace(DATE, "Sun, 03 Feb 1850 04:05:06 GMT"),
            ),
            "rel" => page(list(&uri, "20010203040506", "title=\"memento\"")),
            "quote" => page(list(&uri, "20010203040506", "rel=\"memento")),
            "script" => page(format!("<javascript:1>; rel=memento; datetime=\"{DATE}\"")),
            // No answers.
            "private" => Reply::to(302, &format!("http://10.0.0.1:{port}/")),
            "circle" => Reply::to(302, "/circle"),
            "html" => Reply::html("<html>"),
            "fails" => Reply::code(500),
            "busy" => page("{\"message\":\"Too Many Requests\"}".to_owned()),
            "endless" => {
                let line = format!(",\n<http://h/{}>; rel=\"timemap\"", "x".repeat(1000));
                page(list(&uri, "20010203040506", "rel=memento") + &line.repeat(3_000))
            }
            "huge" => {
                let line = list(&uri, "20010203040506", "rel=memento");
                page(format!("{}{}", "x".repeat(0), line.repeat(20_000)))
            }
            _ => Reply::Raw(b"no".to_vec()),
        }
    })
}

#[test]
fn archives_are_believed_as_far_as_they_do_not_contradict_themselves() {
    let site = ruin();
    let archive = liar(&site);
    let paths = [
        "map", "gate", "cdxj", "json", "hop", "endless", "huge", "itself", "missing", "empty",
        "other", "original", "time", "rel", "script", "quote", "private", "circle", "html",
        "fails", "nothing", "future", "busy", "year",
    ];
    let links: Vec<_> = paths.iter().map(|path| site.uri(1, &format!("/{path}"))).collect();
    let home = directory(&[("a.md", &crate::document(&links))]);
    let service = format!("--archive=http://127.0.7.3:{}/timemap/", archive.port);
    let (records, told) = run(home.path(), &[&service], &["a.md"]);
    let found = addresses(&records);
    let of = |path: &str| {
        let found = found.iter().find(|(known, _)| known == path);
        found.map(|(_, word)| word.as_str()).expect("it is told of")
    };
    let good = |path: &str| format!("http://127.0.7.2/web/20010203040506/{}", site.uri(1, path));
    for path in ["map", "gate", "json", "endless", "huge"] {
        assert_eq!(of(path), good(&format!("/{path}")), "{path}: {told}");
    }
    let replayed = format!("http://127.0.7.3:{}/20010203040506/{}", archive.port, links[2]);
    assert_eq!(of("cdxj"), replayed);
    assert_eq!(of("itself"), format!("http://127.0.7.3:{}/timemap/{}", archive.port, links[7]));
    let lies = ["other", "original", "time", "rel", "script", "quote", "future", "year"];
    for path in ["hop", "missing", "empty"].into_iter().chain(lies) {
        assert_eq!(of(path), "none", "{path}");
    }
    for path in ["private", "circle", "html", "fails", "nothing", "busy"] {
        assert_eq!(of(path), "unknown", "{path}");
    }
    // One request for each link, and those of redirects in the archive.
    let lines = archive.lines();
    for link in &links {
        let asked = lines.iter().filter(|line| line.ends_with(link.as_str())).count();
        assert_eq!(asked, 1, "{link}: {lines:?}");
    }
    // It is for TimeGates, to which a redirect may lead: of a TimeMap, pywb would list a part.
    let heard = archive.heard();
    let (of_maps, others): (Vec<_>, Vec<_>) =
        heard.split("\r\n\r\n").partition(|request| request.starts_with("GET /timemap/"));
    let has_date = |request: &&&str| request.contains("accept-datetime: ");
    assert_eq!(of_maps.iter().filter(has_date).count(), 0, "{heard}");
    assert!(of_maps.len() >= links.len() && others.iter().any(|it| has_date(&it)), "{heard}");
}

#[test]
fn only_dead_links_are_looked_up_and_each_archive_after_the_other() {
    let site = ruin();
    let base = site.uri(1, "");
    let archive = |known: &'static str| {
        let base = base.clone();
        Site::start(move |request: &Request| {
            if request.target.ends_with(known) {
                Reply::Page(
                    200,
                    String::new(),
                    cdxj(&format!("{base}{known}"), "20010203040506", "200"),
                )
            } else {
                Reply::code(404)
            }
        })
    };
    let (one, two) = (archive("/a"), archive("/b"));
    let links = ["/a", "/b", "/c", "/d", "/alive"].map(|path| site.uri(1, path));
    let home = directory(&[("a.md", &crate::document(&links))]);
    write(home.path(), "x.cdxj", cdxj(&links[3], "20010203040506", "200"));
    let services = [&one, &two].map(|site| format!("--archive={}", site.uri(3, "/cdx/")));
    let args = [services[0].as_str(), &services[1], "--archive=x.cdxj"];
    let (records, _) = run(home.path(), &args, &["a.md"]);
    let words: Vec<_> = addresses(&records).into_iter().map(|(_, word)| word).collect();
    assert!(words[0].starts_with("http://127.0.7.3") && words[1].starts_with("http://127.0.7.3"));
    assert_eq!(words[2..], ["none", "somewhere", "unknown"]);
    assert_eq!(records[4]["archived"], Value::Null);
    let asked = |site: &Site| site.lines().len();
    assert_eq!((asked(&one), asked(&two)), (3, 2), "{:?} {:?}", one.lines(), two.lines());
    let (records, _) = run(home.path(), &[&args[..], &["--archive-all"]].concat(), &["a.md"]);
    assert_eq!(records[4]["archived"], json!(false));
    assert_eq!((asked(&one), asked(&two)), (3 + 4, 2 + 3));
}

#[test]
fn a_copy_at_an_unknown_address_is_not_called_missing() {
    let site = ruin();
    let uri = site.uri(1, "/a");
    let home = directory(&[("a.md", &crate::document(std::slice::from_ref(&uri)))]);
    let line = cdxj(&uri, "20010203040506", "200");
    let archive = Site::start(move |_| Reply::Page(200, String::new(), line.clone()));
    let archived = |path: &str| {
        let service = format!("--archive={}", archive.uri(3, path));
        run(home.path(), &[&service], &["a.md"]).0[0]["archived"].clone()
    };
    assert_eq!(archived("/tm/"), Value::Null);
    assert_eq!(archived("/cdx/"), json!(true));
}

#[test]
fn an_archive_is_left_alone_for_as_long_as_it_asks() {
    let site = ruin();
    let archive = Site::start(move |request: &Request| {
        if request.text.contains("again") {
            Reply::code(404)
        } else {
            Reply::Page(429, "Retry-After: 2\r\n".to_owned(), String::new())
        }
    });
    let home = directory(&[("a.md", &crate::document(&[site.uri(1, "/a")]))]);
    let service = format!("--archive={}", archive.uri(3, "/"));
    let (records, _) = run(home.path(), &["--retries=1", &service], &["a.md"]);
    assert_eq!(addresses(&records)[0].1, "unknown");
    let times: Vec<_> = archive.requests().iter().map(|request| request.at).collect();
    assert_eq!(times.len(), 2, "{:?}", archive.lines());
    assert!(times[1] - times[0] >= Duration::from_secs(2));
}

#[test]
fn what_is_private_is_told_to_no_archive() {
    let site = ruin();
    let archive = Site::start(|_| Reply::code(404));
    let service = format!("--archive={}", archive.uri(3, "/"));
    let secret = format!("http://user:hunter2@127.0.7.1:{}/secret-of-the-garden", site.port);
    let lines = [
        site.uri(1, "/plain-tales-of-the-hills"),
        secret,
        site.uri(1, "/unsubscribe?token=abcdef0123456789"),
        site.uri(1, "/inside?to=http://user:hunter2@h.example/"),
    ];
    let home = directory(&[("1.mbox", &message("1 Feb 2001", &lines))]);
    // Only hosts are asked, which are there; and with the path of each, only those of no harm.
    run(home.path(), &[&service, "--archive-all"], &["1.mbox"]);
    assert_eq!(archive.lines(), [""; 0]);
    let side = ["--probe=head", "--probe-side-effects"];
    let (records, _) = run(home.path(), &[&[service.as_str()], &side[..]].concat(), &["1.mbox"]);
    let heard = archive.heard();
    assert!(heard.contains("/plain") && heard.contains("/secret"), "{heard}");
    assert!(heard.contains("accept-datetime: Thu, 01 Feb 2001 12:00:00 GMT"), "{heard}");
    assert!(
        !heard.contains("user:") && !heard.contains("user@") && !heard.contains("hunter2"),
        "{heard}"
    );
    assert!(!heard.contains("token") && !heard.contains("inside"), "{heard}");
    let words: Vec<_> = addresses(&records).into_iter().map(|(_, word)| word).collect();
    assert_eq!(words, ["none", "none", "unknown", "unknown"]);
}

/// A run with the state `s.db` whose second request to the archive is never answered: it is killed
/// when the first answer, which has the `first` text, is on the disk.
fn killed(home: &TempDir, archive: &Site, args: &[&str], first: &str) {
    let hears = archive.watch();
    let mut child =
        command(home.path(), args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it");
    hears.recv().expect("a first request");
    hears.recv().expect("a second request");
    wait_for_commit(&home.path().join("s.db-wal"), first.as_bytes());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn a_run_that_was_killed_asks_archives_for_the_rest() {
    let site = ruin();
    let base = site.uri(1, "");
    let is_slow = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let slow = std::sync::Arc::clone(&is_slow);
    let archive = Site::start(move |request: &Request| {
        let is_held = slow.load(std::sync::atomic::Ordering::SeqCst);
        if request.target.ends_with("/b") && is_held {
            Reply::Silence
        } else {
            let name = request.target.rsplit('/').next().unwrap_or_default();
            let line = cdxj(&format!("{base}/{name}"), "20010203040506", "200");
            Reply::Page(200, String::new(), line)
        }
    });
    let home =
        directory(&[("a.md", &crate::document(&["/a", "/b"].map(|path| site.uri(1, path))))]);
    let service = format!("--archive={}", archive.uri(3, "/cdx/"));
    let args =
        [service.as_str(), "--host-concurrency=1", "--state=s.db", "--format=ndjson", "a.md"];
    killed(&home, &archive, &args, "20010203040506");
    is_slow.store(false, std::sync::atomic::Ordering::SeqCst);
    let output = command(home.path(), &args).output().expect("it runs");
    let records: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let words = addresses(&records);
    assert!(words.iter().all(|(_, word)| word.contains("/20010203040506/")), "{words:?}");
    let count = |end: &str| archive.lines().iter().filter(|line| line.ends_with(end)).count();
    assert_eq!((count("/a"), count("/b")), (1, 2), "{:?}", archive.lines());
    assert_eq!(site.requests().iter().filter(|it| it.target == "/a").count(), 2, "HEAD, GET");
    // A later run believes both.
    let (records, _) = run(home.path(), &[&service, "--state=s.db"], &["a.md"]);
    assert!(addresses(&records).iter().all(|(_, word)| word.contains("/20010203040506/")));
    assert_eq!((count("/a"), count("/b")), (1, 2), "{:?}", archive.lines());
}

/// The port of the archive that `request` reached.
pub(crate) fn own_port(request: &Request) -> &str {
    request.text.split_once("127.0.7.3:").map_or("", |(_, rest)| rest[..5].trim_end())
}

/// A list in link-format: copies at these times, and further pages with their first and last time.
pub(crate) fn timemap(uri: &str, times: &[&str], pages: &[(String, Option<[&str; 2]>)]) -> Reply {
    let mut text = format!("<{uri}>; rel=\"original\"");
    for time in times {
        let date = time.parse::<jiff::civil::DateTime>().expect("a time");
        let date = jiff::fmt::strtime::format("%a, %d %b %Y %H:%M:%S GMT", date).expect("a date");
        let digits: String = time.chars().filter(char::is_ascii_digit).collect();
        let place = format!("http://127.0.7.2/web/{digits}/{uri}");
        text += &format!(",\n<{place}>; rel=\"memento\"; datetime=\"{date}\"");
    }
    for (page, range) in pages {
        text += &format!(",\n<{page}>; rel=\"timemap\"");
        if let Some([from, until]) = range {
            text += &format!("; from=\"{from}\"; until=\"{until}\"");
        }
    }
    Reply::Page(200, "Content-Type: application/link-format\r\n".to_owned(), text)
}

#[test]
fn further_pages_of_a_timemap_are_asked_for_while_they_may_be_nearer() {
    let site = ruin();
    let uri = site.uri(1, "/a");
    let link = uri.clone();
    let archive = Site::start(move |request: &Request| {
        let page = |name: &str| format!("http://127.0.7.3:{}/{name}", own_port(request));
        let old = ["Fri, 01 Jan 1999 00:00:00 GMT", "Wed, 01 Dec 1999 00:00:00 GMT"];
        let new = ["Mon, 01 Jan 2001 00:00:00 GMT", "Sat, 01 Dec 2001 00:00:00 GMT"];
        let (old, new) = ((page("old"), Some(old)), (page("new"), Some(new)));
        // A page elsewhere would learn the link.
        let foreign = (page("foreign").replace("127.0.7.3", "127.0.7.4"), None);
        match request.target.trim_start_matches('/') {
            "old" | "foreign" => timemap(&link, &["1999-06-01T00:00:00"], &[new]),
            "new" => timemap(&link, &["2001-02-03T00:00:00"], &[old, (page("new"), None)]),
            _ => timemap(&link, &["1994-01-01T00:00:00"], &[foreign, old, new]),
        }
    });
    let home = directory(&[("a.md", &crate::document(std::slice::from_ref(&uri)))]);
    let file = fs::File::options().write(true).open(home.path().join("a.md")).expect("a document");
    // The first of February of 2001.
    let date = std::time::UNIX_EPOCH + Duration::from_secs(980_985_600);
    file.set_modified(date).expect("a date");
    let service = format!("--archive={}", archive.uri(3, "/timemap/"));
    let args = [service.as_str(), "--state=s.db"];
    let (records, told) = run(home.path(), &args, &["a.md"]);
    let wanted = format!("http://127.0.7.2/web/20010203000000/{uri}");
    assert_eq!(addresses(&records)[0].1, wanted, "{told}");
    let first = format!("GET /timemap/{uri}");
    assert_eq!(archive.lines(), [first.as_str(), "GET /new"]);
    // All is kept.
    let (records, _) = run(home.path(), &args, &["a.md"]);
    assert_eq!((addresses(&records)[0].1.clone(), archive.lines().len()), (wanted, 2));
}

#[test]
fn few_further_pages_are_asked_for() {
    let site = ruin();
    let uri = site.uri(1, "/a");
    let link = uri.clone();
    let count = std::sync::atomic::AtomicUsize::new(0);
    let archive = Site::start(move |request: &Request| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let next = format!("http://127.0.7.3:{}/{number}", own_port(request));
        timemap(&link, &[], &[(next, None)])
    });
    let home = directory(&[("a.md", &crate::document(&[uri]))]);
    let service = format!("--archive={}", archive.uri(3, "/timemap/"));
    let (records, told) = run(home.path(), &[&service], &["a.md"]);
    assert_eq!(addresses(&records)[0].1, "none", "{told}");
    let lines = archive.lines();
    assert_eq!(lines[1..], ["GET /0", "GET /1", "GET /2", "GET /3"], "{lines:?}");
}

/// How a CDX server answers a request for all links that begin alike.
#[derive(Clone, Copy, PartialEq)]
enum Lists {
    /// With all of them.
    Whole,
    /// With so many rows that it may have more.
    Part,
    /// As for any link.
    Ignored,
    /// Not at all.
    Refused,
}

/// A CDX server that has a copy of each link below `base` whose number is even.
fn cdx(base: &str, lists: Lists) -> Site {
    let base = base.to_owned();
    Site::start(move |request: &Request| {
        let page = |text: String| Reply::Page(200, String::new(), text);
        let row = |number: usize| cdxj(&format!("{base}{number}"), "20010203040506", "200");
        let link = request.target.split_once("url=").map_or("", |(_, rest)| rest);
        let number = link.split('&').next().and_then(|link| link.rsplit("%2F").next());
        let of_one =
            |number: usize| if number.is_multiple_of(2) { row(number) } else { String::new() };
        match (request.target.contains("matchType=prefix"), lists) {
            (true, Lists::Whole) => page((0..20).step_by(2).map(row).collect()),
            (true, Lists::Part) => page(row(0) + &row(999).repeat(7_999)),
            (true, Lists::Ignored) => page(String::new()),
            (true, Lists::Refused) => Reply::code(400),
            (false, _) => page(number.and_then(|it| it.parse().ok()).map_or(String::new(), of_one)),
        }
    })
}

#[test]
fn links_of_one_directory_are_looked_up_by_one_request_where_an_archive_lists_them() {
    let site = ruin();
    let base = site.uri(1, "/d/");
    let alone = site.uri(1, "/e/4");
    let links: Vec<_> = (0..20).map(|number| format!("{base}{number}")).chain([alone]).collect();
    let home = directory(&[("a.md", &crate::document(&links))]);
    let case = |lists: Lists, service: &str, args: &[&str], requests: usize| {
        let archive = cdx(&base, lists);
        let service = format!("--archive=http://127.0.7.3:{}{service}", archive.port);
        let (records, told) = run(home.path(), &[&[&*service], args].concat(), &["a.md"]);
        let words: Vec<_> = addresses(&records).into_iter().map(|(_, word)| word).collect();
        for (number, word) in words[..20].iter().enumerate() {
            let wanted = if number % 2 == 0 { "/20010203040506/" } else { "none" };
            assert!(word.contains(wanted), "{number} {word}: {told}");
        }
        assert_eq!(archive.lines().len(), requests, "{:?}", archive.lines());
        (archive, service)
    };
    let (archive, service) = case(Lists::Whole, "/c1/cdx?url=", &["--state=s.db"], 2);
    assert!(archive.lines()[0].contains("url=http%3A%2F%2F127.0.7.1"), "{:?}", archive.lines());
    // All of it is kept.
    run(home.path(), &[&service, "--state=s.db"], &["a.md"]);
    assert_eq!(archive.lines().len(), 2, "{:?}", archive.lines());
    // Requests to the archive are no links of the state.
    run(home.path(), &["--state=links.db"], &["a.md"]);
    let compared = compared(home.path(), "links.db", "s.db");
    assert_eq!(compared["counts"]["unchanged"], 21, "{compared}");
    assert_eq!(compared["counts"]["new"], 0, "{compared}");
    // A link that a list does not decide is requested by itself.
    case(Lists::Part, "/c1/cdx?url=", &[], 1 + 19 + 1);
    case(Lists::Ignored, "/c1/cdx?url=", &[], 1 + 20 + 1);
    case(Lists::Refused, "/c1/cdx?url=", &[], 1 + 20 + 1);
    // An address that says itself what is listed is asked for each link.
    case(Lists::Whole, "/c1/cdx?limit=9&url=", &[], 21);
}

#[test]
fn what_is_no_archive_is_refused() {
    let home = directory(&[("a.md", "")]);
    for (args, wanted) in [
        (&["--archive=none.warc"][..], "expected wayback, http(s)://"),
        (&["--archive=ftp://a/"], "expected wayback, http(s)://"),
        (&["--archive=http://u:hunter2@a.example/"], "without a user and a password"),
        (&["--archive-all"], "--archive"),
        (&["--archive=a.md", "--archive-replay=x"], "expected http(s)://"),
    ] {
        let output = command(home.path(), &[args, &["a.md"]].concat()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
}
