//! Tests the sites of links: the column `site`, the table of sites, and lines that are joined with
//! the indexes of web archives.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::home;

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("report_sites", name)
}

/// A finding in the message with this number, of this date.
fn finding(uri: &str, number: u64, date: &str, class: &str) -> Value {
    let cue = if uri.contains(':') { "bare" } else { "markup" };
    json!({
        "type": "finding", "uri": uri, "raw": uri, "cue": cue,
        "scheme": uri.split_once(':').map(|(scheme, _)| scheme),
        "place": {"path": "a.mbox", "members": [], "offset": 0, "len": 1, "line": number,
                  "column": 2, "file_offset": null},
        "message": {"id": format!("<{number}@h>"), "date": date, "list_id": "l.h",
            "number": number, "header": null, "part": null},
        "syntax": null,
        "reach": {"class": class, "probe": "http", "status": 404, "message": "", "hops": []},
        "verdict": if class == "missing" { "error" } else { "ok" },
    })
}

/// Saves a run of `findings`, and returns the report of it.
fn report(home: &Path, format: &str, findings: &[Value]) -> String {
    let mut lines: Vec<_> = findings.iter().map(Value::to_string).collect();
    let summary = json!({
        "type": "summary", "schema": 1, "complete": true, "files": 1, "bytes": 1, "messages": 1,
        "findings": findings.len(), "distinct": null, "verdicts": {}, "skipped": {},
    });
    lines.push(summary.to_string());
    fs::write(home.join("run.ndjson"), lines.join("\n") + "\n").expect("a file");
    let output = home::run(home, &["report", "run.ndjson", "--exit-zero", "--format", format]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn findings() -> Vec<Value> {
    let mut wrapped = finding("https://www.example.org/c", 2, "1999-02-03T00:00:00Z", "alive");
    wrapped["wrapped_by"] = json!(["safelinks"]);
    vec![
        finding("http://example.org/a", 1, "1998-01-02T10:20:30Z", "missing"),
        finding("http://u:hunter2@lists.EXAMPLE.org/b?y=2&x=1", 1, "1998-01-02T10:20:30Z", "alive"),
        wrapped,
        finding("http://www.example.co.uk/", 2, "1999-02-03T00:00:00Z", "missing"),
        finding("a.md", 2, "1999-02-03T00:00:00Z", "missing"),
    ]
}

#[test]
fn the_page_has_a_row_for_each_site() {
    let page = report(&directory("page"), "html", &findings());
    let (_, section) = page.split_once("<section id=\"sites\">").expect("the section");
    let (section, _) = section.split_once("</section>").expect("its end");
    let rows: Vec<_> = section.lines().filter(|line| line.starts_with("<tr><th scope")).collect();
    let cells = |row: &str| -> Vec<String> {
        let texts = row.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
        texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(rows.len(), 2, "{section}");
    assert_eq!(
        cells(rows[0]),
        ["example.org", "3", "2", "1998-01-02", "1999-02-03", "33.3 %", "33.3 %"]
    );
    assert_eq!(
        cells(rows[1]),
        ["example.co.uk", "1", "1", "1999-02-03", "1999-02-03", "100 %", "0 %"]
    );
    assert!(!section.contains("hunter2"));
    let none = report(&directory("none"), "html", &[]);
    assert!(none.contains("No link leads to a site."));
}

#[test]
fn tables_have_the_site_of_each_link_in_their_last_column() {
    let home = directory("tables");
    let csv = report(&home, "csv", &findings());
    let last: Vec<_> = csv.lines().filter_map(|row| row.rsplit_once(',')).map(|it| it.1).collect();
    assert_eq!(last, ["site", "example.org", "example.org", "example.org", "example.co.uk", ""]);
    report(&home, "sqlite=run.db", &findings());
    let base = rusqlite::Connection::open(home.join("run.db")).expect("a database");
    let mut all = base.prepare("SELECT site FROM findings ORDER BY id").expect("a column");
    let found = all.query_map([], |row| row.get::<_, Option<String>>(0)).expect("rows");
    let found: Vec<_> = found.map(|site| site.expect("a text")).collect();
    let found: Vec<_> = found.iter().map(|site| site.as_deref().unwrap_or_default()).collect();
    assert_eq!(found, last[1..]);
}

#[test]
fn cdxj_has_a_line_with_the_key_of_an_index_for_each_link_that_has_one() {
    let home = directory("cdxj");
    let text = report(&home, "cdxj", &findings());
    let lines: Vec<Vec<_>> = text.lines().map(|line| line.splitn(3, ' ').collect()).collect();
    let keys: Vec<_> = lines.iter().map(|fields| (fields[0], fields[1])).collect();
    assert_eq!(
        keys,
        [
            ("org,example)/a", "19980102102030"),
            ("org,example,lists)/b?x=1&y=2", "19980102102030"),
            ("org,example)/c", "19990203000000"),
            ("uk,co,example)/", "19990203000000"),
        ]
    );
    let first: Value = serde_json::from_str(lines[0][2]).expect("JSON");
    let expected = json!({
        "url": "http://example.org/a", "status": "404", "verdict": "error", "class": "missing",
        "site": "example.org", "path": "a.mbox", "line": "1", "column": "2",
        "message_id": "<1@h>", "list_id": "l.h",
    });
    assert_eq!(first, expected);
    let third: Value = serde_json::from_str(lines[2][2]).expect("JSON");
    assert_eq!(third["wrapped_by"], json!(["safelinks"]));
}

#[test]
fn cdxj_and_the_tables_of_the_page_have_what_archives_keep() {
    let home = directory("archived");
    let mut kept = asked("http://h.org/a", "missing", Some(404));
    kept["archived"] = json!(true);
    kept["memento"] = json!({
        "uri": "http://archive.example/2000/http://h.org/a", "datetime": "2000-01-02T03:04:05Z",
        "distance_days": 730, "archive": "archive.example",
    });
    let mut absent = asked("http://h.org/b", "soft-404", Some(200));
    absent["archived"] = json!(false);
    let mut unknown = asked("http://h.org/c", "alive", Some(200));
    unknown["reach"]["changed_since"] = json!("2001-02-03T04:05:06Z");
    let findings = [kept.clone(), absent, unknown];
    let text = report(&home, "cdxj", &findings);
    let lines: Vec<_> = text.lines().map(|line| line.splitn(3, ' ').nth(2)).collect();
    let read = |line: &Option<&str>| -> Value {
        serde_json::from_str(line.expect("an object")).expect("JSON")
    };
    let objects: Vec<Value> = lines.iter().map(read).collect();
    assert_eq!(objects[0]["archived"], "true");
    assert_eq!(objects[0]["memento"], kept["memento"]);
    assert_eq!(objects[1]["archived"], "false");
    assert!(objects[2].get("archived").is_none());

    let page = report(&home, "html", &findings);
    let head = "<th class=\"n\">Inaccessible</th><th class=\"n\">Soft 404</th>\
                <th class=\"n\">Changed</th><th class=\"n\">Archived</th>";
    assert_eq!(page.matches(head).count(), 3);
    let shares = "<td class=\"n\">33.3 %</td><td class=\"n\">33.3 %</td>\
                  <td class=\"n\">50.0 %</td></tr>";
    assert!(page.contains(shares), "{page}");
    let plain = report(&home, "html", &[asked("http://h.org/a", "alive", Some(200))]);
    assert!(!plain.contains("Soft 404</th>") && !plain.contains("Archived</th>"));
}

/// A run has no passwords; what a scan finds is redacted before it is a record.
#[test]
fn a_scan_shows_no_password_and_no_harm_in_cdxj() {
    let home = directory("scan");
    let text =
        "<URL:http://u:hunter2@h.example/\u{202e}x> http://u:hunter2@h.example/y www.h.example/z\n";
    fs::write(home.join("a.txt"), text).expect("a file");
    let args = ["scan", "-q", "--exit-zero", "--find", "url,bare,www", "a.txt", "--format", "cdxj"];
    let output = home::run(&home, &args);
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(out.lines().count(), 3, "{out}");
    assert!(!out.contains("hunter2") && !out.contains('\u{202e}'), "{out}");
    assert!(out.contains("\nexample,h)/y - {\"url\":\"http://u:***@h.example/y\","), "{out}");
    assert!(out.contains("\nexample,h)/z - {\"url\":\"www.h.example/z\","), "{out}");
}

/// A key begins a line, and its host may be anything in a malformed URI.
#[test]
fn no_line_of_cdxj_is_a_command_of_a_workflow() {
    let home = directory("commands");
    let text = "[a](http:::stop-commands::e) [b](http:/::error::y) [c](https://@/::debug::/w)\n\
        <a href=\"https:////::error::h/x\">d</a> <a href=\"http: ::error::i\">e</a>\n";
    fs::write(home.join("a.md"), text).expect("a file");
    let args = ["scan", "-q", "--exit-zero", "a.md", "--format", "cdxj"];
    let out = String::from_utf8(home::run(&home, &args).stdout).expect("UTF-8");
    assert!(out.contains("\n%3A:error::y)/ - {\"url\":"), "{out}");
    assert!(out.lines().count() >= 4, "{out}");
    let begins = |line: &str| line.trim_start().starts_with("::");
    assert!(!out.lines().any(begins), "{out}");
}

#[test]
fn the_day_of_a_member_stands_for_that_of_a_message() {
    let home = directory("members");
    let mut undated = finding("http://h.example/a b", 1, "1998-01-02T00:00:00Z", "alive");
    undated["message"] = Value::Null;
    undated["place"]["date"] = json!("1999-02-03");
    let mut at_address = undated.clone();
    at_address["uri"] = json!("http://127.0.0.1/x");
    let findings = [undated, at_address];
    let lines = report(&home, "cdxj", &findings);
    assert!(lines.starts_with("example,h)/a%20b 19990203000000 {"), "{lines}");
    let page = report(&home, "html", &findings);
    assert!(page.contains("<span class=\"name\">an address</span>"));
}

/// A finding with this class and status, of a link of the list `l.h`.
fn asked(uri: &str, class: &str, status: Option<u16>) -> Value {
    let mut finding = finding(uri, 1, "1998-01-02T00:00:00Z", "alive");
    finding["reach"]["class"] = json!(class);
    finding["reach"]["status"] = json!(status);
    finding
}

/// One that a redirect led elsewhere.
fn led(uri: &str, class: &str, to: &str) -> Value {
    let mut finding = asked(uri, class, Some(if class == "missing" { 404 } else { 200 }));
    finding["reach"]["hops"] = json!([{"status": 302, "to": to}]);
    finding
}

#[test]
fn each_page_has_a_fate_and_is_inaccessible_by_the_rules_of_the_study() {
    let home = directory("rot");
    let mut local = asked("b.md", "missing", None);
    local["reach"]["probe"] = json!("local");
    let rows = [
        (asked("http://h.org/a", "alive", Some(200)), Some(("there", 0))),
        (asked("http://h.org/b", "alive", Some(204)), Some(("there", 1))),
        (asked("http://h.org/c", "forbidden", Some(403)), Some(("there", 0))),
        (asked("http://h.org/d", "redirected", Some(200)), Some(("moved", 0))),
        (asked("http://h.org/e", "missing", Some(404)), Some(("page-gone", 1))),
        (asked("http://h.org/f", "gone", Some(410)), Some(("page-gone", 1))),
        (asked("http://www.h.net/", "dns-nxdomain", None), Some(("site-gone", 1))),
        (asked("http://old.h.net/", "dns-nxdomain", None), Some(("page-gone", 1))),
        (asked("http://h.org/g", "server-error", Some(500)), Some(("server-error", 1))),
        (asked("http://h.org/h", "server-error", Some(505)), Some(("server-error", 0))),
        (asked("http://h.org/i", "timeout", None), Some(("server-error", 1))),
        (asked("http://h.org/j", "tls-expired", None), Some(("server-error", 0))),
        (asked("http://h.org/k", "not-asked", None), None),
        (asked("http://h.org/l", "soft-404", Some(200)), Some(("there", 0))),
        (asked("http://h.org/m", "dns-failure", None), Some(("server-error", 1))),
        (led("http://sold.org/", "alive", "https://www.HugeDomains.com/x"), Some(("site-gone", 0))),
        (led("http://sold.org/", "redirected", "http://sedo.com./"), Some(("site-gone", 0))),
        (led("http://sold.org/", "missing", "https://dan.com/x"), Some(("page-gone", 1))),
        (led("http://www.dan.com/", "alive", "https://dan.com/"), Some(("there", 0))),
        (led("http://h.org/n", "alive", "https://notdan.com/"), Some(("there", 0))),
        (local, None),
    ];
    let findings: Vec<_> = rows.iter().map(|(finding, _)| finding.clone()).collect();
    report(&home, "sqlite=run.db", &findings);
    let base = rusqlite::Connection::open(home.join("run.db")).expect("a database");
    let query = "SELECT fate, inaccessible FROM findings ORDER BY id";
    let mut all = base.prepare(query).expect("columns");
    let found = all.query_map([], |row| {
        let fate: Option<String> = row.get(0)?;
        Ok(fate.zip(row.get::<_, Option<i64>>(1)?))
    });
    let found: Vec<_> = found.expect("rows").map(|row| row.expect("values")).collect();
    for ((finding, wanted), found) in rows.iter().zip(&found) {
        let found = found.as_ref().map(|(fate, is_so)| (fate.as_str(), *is_so));
        assert_eq!(found, *wanted, "{finding}");
    }
    for format in ["arrow=run.columns", "parquet=run.columns"] {
        report(&home, format, &findings);
        for ((finding, wanted), row) in
            rows.iter().zip(crate::arrow::rows(&home.join("run.columns")))
        {
            let found = [&row["fate"], &row["inaccessible"]];
            let wanted = match wanted {
                Some((fate, is_so)) => [json!(fate), json!(*is_so == 1)],
                None => [Value::Null, Value::Null],
            };
            assert_eq!(found, [&wanted[0], &wanted[1]], "{finding}");
        }
    }
    let page = report(&home, "html", &findings);
    let (_, section) = page.split_once("<section id=\"rot\">").expect("the section");
    let (section, _) = section.split_once("</section>").expect("its end");
    for name in ["1998", "l.h", "org", "net"] {
        assert!(section.contains(&format!("<span class=\"name\">{name}</span>")), "{section}");
    }
    assert!(section.contains("<td class=\"n\">19</td>"), "{section}");
    let none = report(&home, "html", &[asked("http://h.org/", "not-asked", None)]);
    assert!(!none.contains("id=\"rot\""));
}

#[test]
fn the_chart_by_age_is_folded_away_where_few_links_have_a_year() {
    let home = directory("folded");
    let dated = |count: usize| {
        let mut findings = vec![finding("http://h.org/", 1, "1998-01-02T00:00:00Z", "alive")];
        let mut undated = findings[0].clone();
        undated["message"] = Value::Null;
        findings.extend(std::iter::repeat_n(undated, count));
        report(&home, "html", &findings)
    };
    let why = "Only 1 of 11 links have a year, fewer than a tenth";
    assert!(!dated(9).contains("the chart is folded away"));
    assert!(dated(10).contains(why));
}
