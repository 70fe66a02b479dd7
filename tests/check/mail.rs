//! Tests links to messages and to parts of messages (RFC 2392): they lead to messages that are read
//! in the same run, and no request is sent.

use std::fmt::Write as _;

use crate::support::servers::site::{Reply, Site};
use crate::{check, command, directory, stdout};

/// A message with a part that is called `part@x`, and these links.
fn message(id: &str, links: &[&str]) -> String {
    let mut text = format!(
        "From a@example.org Thu Dec  1 00:00:00 1994\nFrom: a@example.org\nSubject: a\n\
         Message-ID: <{id}>\nContent-Type: multipart/related; boundary=b\n\n\
         --b\nContent-Type: text/html\n\n"
    );
    for link in links {
        let _ = writeln!(text, "<a href=\"{link}\">a</a>");
    }
    text + "--b\nContent-Type: image/png\nContent-ID: <p+art%1@x>\n\nPNG\n--b--\n\n"
}

/// The report without places.
fn told(home: &std::path::Path, args: &[&str]) -> (Vec<String>, Option<i32>) {
    let (report, code) = check(home, args);
    (report.lines().map(|line| crate::without_place(line).to_owned()).collect(), code)
}

#[test]
fn messages_are_looked_for_in_the_run_and_parts_in_their_message() {
    let links = [
        "mid:2@x",
        "mid:a%2Fb@x",
        "mid:3@x",
        "mid:2@x/p+art%251@x",
        "mid:2@x/none@x",
        "cid:p+art%251@x",
        "cid:other@x",
        "cid:P+ART%251@x",
    ];
    let inner = "From a@example.org Thu Dec  1 00:00:00 1994\nMessage-ID: <5@x>\n\
                 Content-ID: <other@x>\nContent-Type: message/rfc822\n\n\
                 Message-ID: <6@x>\nContent-ID: <7@x>\n\nmid:6@x and mid:6@x/7@x and cid:7@x\n";
    let home = directory(&[
        ("1.mbox", &message("1@x", &links)),
        ("2.mbox", &(message("2@x", &[]) + &message("a/b@x", &[]) + inner)),
    ]);
    let (lines, code) = told(home.path(), &["1.mbox", "2.mbox"]);
    let no_message = "no message of this run has that Message-ID";
    let no_part = "no part of this message has that Content-ID";
    let inside = "the message is part of another, and their parts are not distinguished";
    assert_eq!(
        lines,
        [
            "ok mid:2@x".to_owned(),
            "ok mid:a%2Fb@x".to_owned(),
            format!("skipped[unverifiable]: mid:3@x: {no_message}"),
            "ok mid:2@x/p+art%251@x".to_owned(),
            "error[missing]: mid:2@x/none@x: no part of the message with that Message-ID has that \
             Content-ID"
                .to_owned(),
            "ok cid:p+art%251@x".to_owned(),
            format!("error[missing]: cid:other@x: {no_part}"),
            format!("error[missing]: cid:P+ART%251@x: {no_part}"),
            "ok mid:6@x".to_owned(),
            format!("skipped[unverifiable]: mid:6@x/7@x: {inside}"),
            "ok cid:7@x".to_owned(),
        ]
    );
    assert_eq!(code, Some(1));
}

#[test]
fn every_form_of_mail_has_names_and_nothing_else_has() {
    let letter = message("1@x", &["cid:p+art%251@x"]);
    let letter = letter.split_once('\n').expect("a From line").1;
    let coded = "From: a@example.org\nSubject: a\nContent-Type: message/rfc822\n\
                 Content-Transfer-Encoding: base64\n\n";
    let inside = data_encoding::BASE64.encode(b"Message-ID: <2@x>\nContent-ID: <3@x>\n\ncid:3@x\n");
    let home = directory(&[
        ("cur/1", letter),
        ("cur/2", &format!("{coded}{inside}\n")),
        ("a.md", "<mid:1@x> <cid:p+art%251@x>\n"),
    ]);
    let (lines, code) = told(home.path(), &["cur", "a.md"]);
    let nowhere = "it names a message or a part of one, which is looked for where mail links to it \
                   and nowhere else";
    assert_eq!(
        lines,
        [
            "ok cid:p+art%251@x".to_owned(),
            "ok cid:3@x".to_owned(),
            format!("skipped[unverifiable]: mid:1@x: {nowhere}"),
            format!("skipped[unverifiable]: cid:p+art%251@x: {nowhere}"),
        ]
    );
    assert_eq!(code, Some(0));
}

#[test]
fn offline_links_are_told_at_once_and_nothing_is_known_of_messages() {
    let home = directory(&[("1.mbox", &message("1@x", &["mid:1@x"]))]);
    let (lines, code) = told(home.path(), &["--offline", "1.mbox"]);
    let why = "with --offline, each link is reported at once, before all messages are read";
    assert_eq!((lines, code), (vec![format!("skipped[not-asked]: mid:1@x: {why}")], Some(0)));
}

#[test]
fn links_of_mail_that_is_read_as_text_are_asked_for_their_host_and_those_of_lists_not_at_all() {
    let site = Site::start(|_| Reply::code(200));
    let link = |host: u8| site.uri(host, "/page");
    let text = format!(
        "From: a@example.org\nList-Help:\n <{}>\n\nsee {}\n0 file:///etc/passwd\n",
        link(2),
        link(3)
    );
    let compound = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0";
    let kept: [(&str, &[u8]); 6] = [
        ("RMAIL", b"BABYL OPTIONS: -*- rmail -*-\n\x1F\x0C\n1,,\n*** EOOH ***\n"),
        ("inbox.mbx", b"*mbx*\r\n5f1c00000001\r\n"),
        ("winmail.dat", b"\x78\x9F\x3E\x22\x01\0"),
        ("Inbox.msf", b"// <!-- <mdb:mork:z v=\"1.4\"/> -->\n"),
        ("letter.msg", compound),
        ("dovecot.index.cache", b"\x01\0\0"),
    ];
    for (name, head) in kept {
        let home = directory(&[]);
        crate::write(home.path(), name, [head, text.as_bytes()].concat());
        let (lines, _) = told(home.path(), &[name]);
        assert_eq!(lines.len(), 3, "{name}: {lines:?}");
        assert!(
            lines.iter().any(|line| line.contains("use a list's command")),
            "{name}: {lines:?}"
        );
        assert!(lines.iter().any(|line| line.starts_with("skipped[policy-scheme]")), "{lines:?}");
    }
    assert_eq!(site.requests().len(), 0);
    // A file that only looks like a message is a text.
    let home = directory(&[]);
    crate::write(home.path(), "a.doc", [compound, text.as_bytes()].concat());
    told(home.path(), &["a.doc"]);
    assert_eq!(site.requests().len(), 2);
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads() {
    let mut boxes = Vec::new();
    for number in 0..200 {
        let next = format!("mid:{}@x", (number * 7 + 3) % 220);
        boxes.push((format!("box/{number:03}.mbox"), message(&format!("{number}@x"), &[&next])));
    }
    let files: Vec<_> = boxes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let home = directory(&files);
    let run = |threads: &str| {
        let output = command(home.path(), &["--threads", threads, "box"]).output();
        stdout(&output.expect("the binary runs"))
    };
    let first = run("1");
    let count = |word: &str| first.lines().filter(|line| line.contains(word)).count();
    assert_eq!(count(": ok mid:") + count("skipped[unverifiable]: mid:"), 200, "{first}");
    assert!(count("skipped[unverifiable]: mid:") > 10 && run("4") == first);
}
