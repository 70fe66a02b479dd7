//! `fix --to-archive`: dead links lead to their copies, or have them named beside them.

use serde_json::{Value, json};

use super::{ends, fix};
use crate::home::{fresh, read, run, write};

const COPY: &str = "http://archive.example/20010203040506";

/// Saves a scan of `path` as `run.ndjson`, in which the links that are `dead` have copies.
fn save(home: &std::path::Path, path: &str, dead: &[&str]) {
    let output = run(home, &["scan", path, "--format=ndjson"]);
    let mut text = String::new();
    for line in String::from_utf8(output.stdout).expect("UTF-8").lines() {
        let mut record: Value = serde_json::from_str(line).expect("JSON");
        let uri = record["uri"].as_str().unwrap_or_default().to_owned();
        if dead.contains(&uri.as_str()) {
            record["verdict"] = json!("error");
            record["reach"] = json!({"class": "missing", "probe": "http", "status": 404,
                "message": "404 Not Found", "hops": []});
            record["archived"] = json!(true);
            record["memento"] = json!({"uri": format!("{COPY}/{uri}"), "distance_days": -3,
                "datetime": "2001-02-03T04:05:06Z", "archive": "x"});
        }
        text += &format!("{record}\n");
    }
    write(home, "run.ndjson", text);
}

#[test]
fn dead_links_lead_to_their_copies_in_every_language() {
    let home = fresh("fix/to_archive");
    write(
        &home,
        "a.md",
        "[a](http://h/a) and <http://h/b>, http://h/c and [d](http://h/d?x=1&y=2)\n",
    );
    save(&home, "a.md", &["http://h/a", "http://h/b", "http://h/c", "http://h/d?x=1&y=2"]);
    let (_, said) = fix(&home, &["--from=run.ndjson", "a.md", "--write"]);
    assert!(said.contains("0 links"), "{said}");
    let (_, said) = fix(&home, &["--from=run.ndjson", "--to-archive", "a.md", "--write"]);
    assert!(said.contains("4 links in 1 file fixed"), "{said}");
    let wanted = format!(
        "[a]({COPY}/http://h/a) and <{COPY}/http://h/b>, {COPY}/http://h/c and \
         [d]({COPY}/http://h/d?x=1&y=2)\n"
    );
    assert_eq!(read(&home, "a.md"), wanted);
    write(&home, "a.html", "<a href='http://h/d?x=1&amp;y=2'>d</a> <a href=\"http://h/a\">a</a>\n");
    save(&home, "a.html", &["http://h/d?x=1&y=2"]);
    fix(&home, &["--from=run.ndjson", "--to-archive", "a.html", "--write"]);
    let wanted =
        format!("<a href='{COPY}/http://h/d?x=1&amp;y=2'>d</a> <a href=\"http://h/a\">a</a>\n");
    assert_eq!(read(&home, "a.html"), wanted);
}

#[test]
fn text_that_looks_like_an_anchor_gets_no_attributes() {
    let home = fresh("fix/robust-text");
    for page in [
        "<script>document.write(\"<a href='http://h/a'>x</a>\");</script>\n",
        "<script type=\"application/ld+json\">{\"d\":\"<a href='http://h/a'>x</a>\"}</script>\n",
        "<div onclick=\"f('<a href=http://h/a>x</a>')\">x</div>\n",
        "<iframe srcdoc=\"<a href='http://h/a'>x</a>\"></iframe>\n",
    ] {
        write(&home, "a.html", page);
        save(&home, "a.html", &["http://h/a"]);
        fix(&home, &["--from=run.ndjson", "--to-archive", "--robust", "a.html", "--write"]);
        assert_eq!(read(&home, "a.html"), page);
    }
}

#[test]
fn robust_links_keep_their_address_and_name_the_copy() {
    let home = fresh("fix/robust");
    let page = "<a href=\"http://h/d?x=1&amp;y=2\" id=\"b\">d</a>\n<a href='http://h/a'>a</a>\n\
                <img src=\"http://h/a\">\n";
    write(&home, "a.html", page);
    let dead = ["http://h/d?x=1&y=2", "http://h/a"];
    save(&home, "a.html", &dead);
    let args = ["--from=run.ndjson", "--to-archive", "--robust", "a.html", "--write"];
    let (_, said) = fix(&home, &args);
    assert!(said.contains("2 links in 1 file fixed; left as they are: 1 unread"), "{said}");
    let robust = format!(
        "<a href=\"http://h/d?x=1&amp;y=2\" data-originalurl=\"http://h/d?x=1&amp;y=2\" \
         data-versionurl=\"{COPY}/http://h/d?x=1&amp;y=2\" data-versiondate=\"2001-02-03\" \
         id=\"b\">d</a>\n<a href='http://h/a' data-originalurl='http://h/a' \
         data-versionurl='{COPY}/http://h/a' data-versiondate='2001-02-03'>a</a>\n\
         <img src=\"http://h/a\">\n"
    );
    assert_eq!(read(&home, "a.html"), robust);
    // Once is enough.
    save(&home, "a.html", &dead);
    let (_, said) = fix(&home, &args);
    assert!(said.contains("0 links"), "{said}");
}

#[test]
fn a_link_that_is_wrapped_relative_or_malformed_stays_and_is_counted() {
    let home = fresh("fix/to_archive_counted");
    let wrapped = "https://www.google.com/url?q=http%3A%2F%2Fh.example%2Fa&sa=D";
    write(
        &home,
        "a.html",
        format!(
            "<base href=\"http://h/\"><a href=\"gone/good\">a</a>\n<a href=\"{wrapped}\">b</a>\n"
        ),
    );
    save(&home, "a.html", &["gone/good", "http://h.example/a"]);
    let run = read(&home, "run.ndjson");
    assert!(run.contains("wrapped_by"), "{run}");
    let (diff, said) = fix(&home, &["--from=run.ndjson", "--to-archive", "a.html"]);
    assert!(diff.is_empty());
    assert!(said.contains("left as they are: 1 uncertain, 1 wrapped"), "{said}");
}

#[test]
fn what_has_no_address_and_what_is_mail_stays() {
    let home = fresh("fix/to_archive_left");
    write(
        &home,
        "a.eml",
        "From: a@example.org\nSubject: a\nDate: Thu, 1 Dec 1994 00:00:00 GMT\n\nhttp://h/a\n",
    );
    save(&home, "a.eml", &["http://h/a"]);
    let (_, said) = fix(&home, &["--from=run.ndjson", "--to-archive", "a.eml"]);
    assert!(said.contains("left as they are: 1 mail"), "{said}");
    write(&home, "a.md", "<http://h/a>\n");
    save(&home, "a.md", &["http://h/a"]);
    let run = read(&home, "run.ndjson").replace(&format!("\"{COPY}/http://h/a\""), "null");
    write(&home, "run.ndjson", run);
    let (diff, said) = fix(&home, &["--from=run.ndjson", "--to-archive", "a.md"]);
    assert!(diff.is_empty() && said.contains("0 links"), "{said}");
    // A run is needed, and knows the copies.
    ends(&home, &["--to-archive", "a.md"], 2);
    ends(&home, &["--from=run.ndjson", "--robust", "a.md"], 2);
}

#[test]
fn a_copy_has_the_fragment_and_a_base_keeps_its_address() {
    let home = fresh("fix/to_archive_base");
    let page = "<base href=\"http://h/b/\"><a href=\"http://h/a#c\">a</a>\n";
    write(&home, "a.html", page);
    save(&home, "a.html", &["http://h/b/", "http://h/a#c"]);
    let run = read(&home, "run.ndjson").replace("/http://h/a#c\"", "/http://h/a\"");
    write(&home, "run.ndjson", run);
    let (_, said) = fix(&home, &["--from=run.ndjson", "--to-archive", "a.html", "--write"]);
    assert!(said.contains("1 link in 1 file fixed"), "{said}");
    let wanted = page.replace("http://h/a#c", &format!("{COPY}/http://h/a#c"));
    assert_eq!(read(&home, "a.html"), wanted);
}

#[test]
fn a_stranger_s_run_leads_no_link_out_of_the_web() {
    let home = fresh("fix/to_archive_script");
    let page = "<a href=\"http://h/a\">a</a>\n";
    for uri in ["javascript:alert(1)", "data:text/html,a", "http://h/\\n", "file:///etc/passwd"] {
        for robust in [&["--robust"][..], &[]] {
            write(&home, "a.html", page);
            save(&home, "a.html", &["http://h/a"]);
            let run = read(&home, "run.ndjson");
            write(&home, "run.ndjson", run.replace(&format!("{COPY}/http://h/a"), uri));
            let args = [&["--from=run.ndjson", "--to-archive", "a.html", "--write"], robust];
            fix(&home, &args.concat());
            assert_eq!(read(&home, "a.html"), page, "{uri} {robust:?}");
        }
    }
}
