//! Tests links that act, with a corpus that labels them: they are recognised by their text, and the
//! binary does not request them in mail of any kind. A canary records every request.
#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use crate::support::home;
use crate::support::servers::canary::Canary;
use crate::support::servers::name_server::{NameServer, Reply};
use linktrawl::internal::check::effects;
use linktrawl::internal::grammar::split;

/// Maximum share of harmless links that may be skipped, in percent.
const OVER_MAX: usize = 5;

struct Row {
    acts: bool,
    is_held: bool,
    family: String,
    uri: String,
}

fn corpus(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join("corpus").join(path)).expect("the corpus is there")
}

fn rows() -> Vec<Row> {
    let text = corpus("effects/links.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut fields = line.split('\t').map(str::to_owned);
            let mut next = || fields.next().expect("four fields");
            let (acts, part) = (next() == "acts", next());
            Row { acts, is_held: part == "held", family: next(), uri: next() }
        })
        .collect()
}

fn is_left_alone(row: &&Row) -> bool {
    effects::of(row.uri.as_bytes(), None).is_some()
}

#[test]
fn every_link_that_acts_is_left_alone() {
    let rows = rows();
    let acting = rows.iter().filter(|row| row.acts);
    assert!(acting.clone().filter(|row| !row.is_held).count() >= 1000);
    assert!(acting.clone().filter(|row| row.is_held).count() >= 300);
    let missed = acting.filter(|row| !is_left_alone(row));
    let missed: Vec<_> = missed.map(|row| format!("{}: {}", row.family, row.uri)).collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn few_harmless_links_are_left_alone() {
    let rows = rows();
    for is_held in [false, true] {
        let all = || rows.iter().filter(|row| !row.acts && row.is_held == is_held);
        let over = all().filter(is_left_alone).count();
        assert!(all().count() >= if is_held { 300 } else { 1000 });
        assert!(over * 100 <= all().count() * OVER_MAX, "held {is_held}: {over}");
    }
}

// ---- mail on disk --------------------------------------------------------------------------

/// A way to write links into mail.
struct Form {
    name: &'static str,
    /// Of a message.
    head: &'static str,
    /// The field of the head that contains the link, if one does.
    field: Option<&'static str>,
    /// Writes a link as the body has it.
    written: fn(&str) -> String,
    /// Whether one file holds all messages.
    is_box: bool,
}

const HTML: &str = "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n";
const QUOTED: &str = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
    Content-Transfer-Encoding: quoted-printable\n";
const ONE_CLICK: &str = "List-Unsubscribe: <http://127.0.0.1:1/>\n\
    List-Unsubscribe-Post: List-Unsubscribe=One-Click\n";

const fn form(
    name: &'static str,
    head: &'static str,
    written: fn(&str) -> String,
    is_box: bool,
) -> Form {
    Form { name, head, field: None, written, is_box }
}

/// How all links are written.
const FORMS: &[Form] = &[
    form("angle", "", |uri| format!("See <{uri}> there.\n"), true),
    form("bare", "", |uri| format!("{uri}\n"), false),
    // By definition, it leads to a text (RFC 2369 §3.6): only the link itself may say otherwise.
    Form { is_box: true, ..field("List-Archive") },
    form("html", HTML, |uri| format!("<p><a href=\"{}\">here</a></p>\n", html(uri)), true),
    form("quoted", QUOTED, quoted, false),
];

const fn field(name: &'static str) -> Form {
    Form { field: Some(name), ..form(name, "", |_| String::new(), false) }
}

/// How links are written that act for their place alone.
const PLACES: &[Form] = &[
    field("List-Unsubscribe"),
    field("List-Subscribe"),
    field("List-Post"),
    field("List-Owner"),
    field("List-Help"),
    form("one click", ONE_CLICK, |uri| format!("{uri}\n"), true),
];

fn html(uri: &str) -> String {
    uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Broken over lines wherever one is full (RFC 2045 §6.7).
fn quoted(uri: &str) -> String {
    const LINE_LEN: usize = 20;
    let text = format!("<{uri}>").replace('=', "=3D");
    let mut lines = String::new();
    let mut len = 0;
    for letter in text.chars() {
        // No code of a character is parted, and none follows an `=`.
        if len >= LINE_LEN && !lines.ends_with(['=', '3']) {
            lines.push_str("=\n");
            len = 0;
        }
        lines.push(letter);
        len += 1;
    }
    lines + "\n"
}

/// Links of one message.
const MESSAGE_LINKS: usize = 40;

/// Writes messages with `links` below `home`, as `form` has it.
fn write(home: &Path, form: &Form, links: &[String]) {
    let chunk_len = if form.field.is_some() { 1 } else { MESSAGE_LINKS };
    let messages = links.chunks(chunk_len).enumerate().map(|(number, links)| {
        let field = form.field.map(|name| format!("{name}: <{}>\n", links.concat()));
        let body: String = links.iter().map(|uri| (form.written)(uri)).collect();
        format!(
            "From: ann@example.org\nTo: bob@example.net\nSubject: news\n\
             Date: Mon, 3 Jun 2002 10:00:00 +0000\nMessage-ID: <{number}@example.org>\n\
             {}{}\n{body}\n",
            form.head,
            field.unwrap_or_default(),
        )
    });
    let place = home.join(form.name);
    if form.is_box {
        let from = "From ann@example.org Mon Jun  3 10:00:00 2002\n";
        let all: String = messages.map(|message| [from, &message].concat()).collect();
        return fs::write(place, all).expect("a box");
    }
    for directory in ["cur", "new", "tmp"] {
        fs::create_dir_all(place.join(directory)).expect("a directory");
    }
    for (number, message) in messages.enumerate() {
        fs::write(place.join(format!("cur/{number}.host:2,S")), message).expect("a message");
    }
}

// ---- the canary ----------------------------------------------------------------------------

/// Hosts of the corpus that say nothing of what their links do, as those of mailers do.
const PLAIN_HOSTS: [&str; 8] = [
    "app.example.com",
    "example.edu",
    "forum.example",
    "lists.example.org",
    "mail.example.net",
    "news.example",
    "shop.example",
    "www.example.com",
];

/// `uri` with `address` in place of its host, if it is a link of the web with a plain one. No
/// other machine is asked anything.
fn moved(uri: &str, address: SocketAddr) -> Option<String> {
    let parts = split(uri.as_bytes());
    let host = &uri[parts.host?.start..parts.host?.end];
    let is_web = uri.starts_with("http://") || uri.starts_with("https://");
    let after = &uri[parts.path.start..];
    (is_web && PLAIN_HOSTS.contains(&host)).then(|| format!("http://{address}{after}"))
}

/// A spool, with two canaries for each form: one that must hear nothing, and one that may.
struct Spool {
    home: tempfile::TempDir,
    canaries: Vec<(&'static str, bool, Canary)>,
}

impl Spool {
    fn new() -> Self {
        Self { home: tempfile::tempdir().expect("a directory"), canaries: Vec::new() }
    }

    /// Every link of the corpus, in every form, and harmless ones where all act.
    fn of_corpus() -> Self {
        let (mut spool, rows) = (Self::new(), rows());
        for form in FORMS {
            let (acting, harmless) = (Canary::start(), Canary::start());
            let links = rows.iter().filter_map(|row| {
                moved(&row.uri, if row.acts { acting.address } else { harmless.address })
            });
            write(spool.home.path(), form, &links.collect::<Vec<_>>());
            spool.canaries.push((form.name, true, acting));
            spool.canaries.push((form.name, false, harmless));
        }
        for form in PLACES {
            let acting = Canary::start();
            let pages = 0..MESSAGE_LINKS * 2;
            let links = pages.map(|page| format!("http://{}/papers/{page}.html", acting.address));
            write(spool.home.path(), form, &links.collect::<Vec<_>>());
            spool.canaries.push((form.name, true, acting));
        }
        spool
    }

    /// Checks all of it; gives what each canary heard.
    fn check(self, arguments: &[&str]) -> Vec<(&'static str, bool, BTreeSet<String>)> {
        check(self.home.path(), &[arguments, &["."]].concat());
        let heard = self.canaries.into_iter();
        heard.map(|(form, acts, canary)| (form, acts, canary.requests())).collect()
    }
}

/// Checks in `home`; gives the report.
fn check(home: &Path, arguments: &[&str]) -> String {
    let output = home::linktrawl()
        .current_dir(home)
        .args(["check", "--quiet", "--allow-net", "127.0.0.0/8", "--no-robots"])
        .args(["--host-gap", "0s", "--retries", "0"])
        .args(arguments)
        .output()
        .expect("the binary runs");
    let is_done = matches!(output.status.code(), Some(0 | 1));
    assert!(is_done, "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Minimum number of the corpus's links to a canary that must be requested.
const ASKED_MIN: usize = 1500;

#[test]
fn nobody_hears_of_links_that_act() {
    for (form, acts, requests) in Spool::of_corpus().check(&["--probe", "head"]) {
        if acts {
            assert!(requests.is_empty(), "{form}: {requests:#?}");
        } else {
            assert!(requests.len() >= ASKED_MIN, "{form}: {}", requests.len());
            assert!(requests.iter().all(|request| request.starts_with("HEAD ")), "{form}");
        }
    }
}

#[test]
fn nobody_hears_of_any_link_unless_it_is_wished() {
    for (form, _, requests) in Spool::of_corpus().check(&[]) {
        assert!(requests.is_empty(), "{form}: {requests:#?}");
    }
}

/// The others would be as silent if nothing led to the canaries.
#[test]
fn a_canary_hears_of_links_that_act_where_that_is_wished() {
    let heard = Spool::of_corpus().check(&["--probe", "head", "--probe-side-effects"]);
    let is_field = |name: &str| PLACES.iter().any(|form| form.name == name);
    for (form, acts, requests) in heard {
        let least = if is_field(form) { MESSAGE_LINKS * 2 } else { ASKED_MIN };
        assert!(requests.len() >= least, "{form}, acts {acts}: {}", requests.len());
    }
}

/// Alternatives say the same: one may explain a link for the other, and forbid it.
#[test]
fn one_alternative_explains_a_link_for_the_other() {
    let head = |uri: &str| format!("<p><a href=\"{uri}\">The city bought a bus line</a></p>");
    let mute = |uri: &str| format!("<p><a href=\"{uri}\"><img src=\"cid:1\"></a></p>");
    let bodies = [
        ("explained", "Hello: URI", head("URI"), true),
        ("unexplained", "Hello: URI", mute("URI"), false),
        // In one part, each link needs an explanation.
        ("half", "Hello: URI", head("URI") + &mute("URI"), false),
        ("acts", "To unsubscribe, click here: URI", head("URI"), false),
        (
            "acts-in-html",
            "The city bought a bus line\nURI",
            "<a href=URI>Unsubscribe</a>".into(),
            false,
        ),
    ];
    let (home, canary) = (tempfile::tempdir().expect("a place"), Canary::start());
    for (name, text, html, _) in &bodies {
        let uri = format!("http://{}/news/{name}-4711", canary.address);
        let message = format!(
            "{FIELDS}MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
             --b\nContent-Type: text/plain\n\n{text}\n\n\
             --b\nContent-Type: text/html\n\n{html}\n\n--b--\n"
        );
        let message = message.replace("URI", &uri);
        place(home.path(), &format!("{name}.eml"), message.as_bytes());
    }
    check(home.path(), &["--probe", "head", "."]);
    let expected = bodies.iter().filter(|(_, _, _, is_asked)| *is_asked);
    let expected = expected.map(|(name, ..)| format!("HEAD /news/{name}-4711 HTTP/1.1"));
    assert_eq!(canary.requests(), expected.collect());
}

#[test]
fn who_quotes_a_link_is_no_further_sender_of_it() {
    let (home, canary) = (tempfile::tempdir().expect("a place"), Canary::start());
    let bodies = [("written", "", ""), ("quoted", "Fine.\n> ", "> "), ("sent-on", FORWARD, "")];
    for (name, above, mark) in bodies {
        let uri = format!("http://{}/x/{name}-4711", canary.address);
        for number in 0..3 {
            let (above, mark) = if number == 0 { ("", "") } else { (above, mark) };
            let message = format!(
                "From: a@h{number}.example\nDate: Mon, 3 Jun 2002 10:00:00 +0000\n\
                 Message-ID: <1@h{number}.example>\nSubject: a list\n\n\
                 {above}A list:\n{mark}{uri}\n"
            );
            place(home.path(), &format!("{name}-{number}.eml"), message.as_bytes());
        }
    }
    check(home.path(), &["--probe", "head", "."]);
    let expected = BTreeSet::from(["HEAD /x/written-4711 HTTP/1.1".to_owned()]);
    assert_eq!(canary.requests(), expected);
}

/// The line with which a program begins a message that it forwards.
const FORWARD: &str = "Look.\n\n---------- Forwarded message ----------\n";

// ---- mail that does not begin as mail does --------------------------------------------------

const FIELDS: &str = "From: ann@example.org\nTo: bob@example.net\nSubject: news\n";

/// Returns beginnings of messages that only their place or their name distinguishes from texts.
fn odd_heads() -> Vec<Vec<u8>> {
    let before = [
        b"\xEF\xBB\xBF".to_vec(),
        b"\xFF\xFE".to_vec(),
        b"\n".to_vec(),
        b"\r\n\r\n".to_vec(),
        b"\0".to_vec(),
        b">From ann@example.org Mon Jun  3 10:00:00 2002\n".to_vec(),
        b"From here on it is mail.\n".to_vec(),
        b"no line of a header\n".to_vec(),
        b"<!DOCTYPE html>\n".to_vec(),
        b"X-Bad Header: x\n".to_vec(),
        b"X-B\xE4d: x\n".to_vec(),
        b": x\n".to_vec(),
        [b"X-Long: ", &b"x ".repeat(5000)[..], b"\n"].concat(),
    ];
    let before = before.map(|text| [&text, FIELDS.as_bytes()].concat());
    let others: [&[u8]; 4] = [
        b"Subject: news\n",
        b"X-Mine: news\n",
        b"",
        b"From: ann@example.org\nno field\nTo: bob@example.net\n",
    ];
    before.into_iter().chain(others.map(<[u8]>::to_vec)).collect()
}

/// A message with such a head, and two links to `to`: one of its head, one of its body.
fn odd_message(head: &[u8], to: &str) -> Vec<u8> {
    let rest = format!("List-Unsubscribe: <{to}/head>\n\nIt is at {to}/body there.\n");
    [head, rest.as_bytes()].concat()
}

/// Writes files below a directory.
fn place(home: &Path, path: &str, text: &[u8]) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, text).expect("a file");
}

/// The links to `to` that the report has.
fn told<'r>(report: &'r str, to: &str) -> Vec<&'r str> {
    let of_line = |line: &'r str| line.split_whitespace().find(|word| word.starts_with(to));
    report.lines().filter_map(of_line).collect()
}

#[test]
fn mail_is_mail_for_its_place_however_it_begins() {
    let (home, mail, texts) =
        (tempfile::tempdir().expect("a place"), Canary::start(), Canary::start());
    place(home.path(), "box/new/.keep", b"");
    place(home.path(), "mh/.mh_sequences", b"");
    let mut all = Vec::new();
    let heads = odd_heads();
    for (number, head) in (1..).zip(&heads) {
        let paths =
            [format!("box/cur/{number}.host:2,S"), format!("mh/{number}"), format!("{number}.Eml")];
        for path in paths {
            let to = format!("http://{}/{}", mail.address, path.replace(':', "."));
            place(home.path(), &path, &odd_message(head, &to));
            all.push(to);
        }
        let to = format!("http://{}/{number}", texts.address);
        place(home.path(), &format!("texts/{number}.txt"), &odd_message(head, &to));
    }
    let report = check(home.path(), &["."]);
    for to in &all {
        let found = told(&report, &format!("{to}/"));
        assert_eq!(found.len(), 2, "{to}: {report}");
    }
    assert_eq!(mail.requests(), BTreeSet::new());
    // By their first bytes, some are messages, after a mark of UTF-8, empty lines, a NUL or a
    // quoted separator; and some contain one, after a sentence or an odd field.
    let is_known = |number: &usize| [1, 3, 4, 5, 6, 7, 10, 11].contains(number);
    let others = (1..=heads.len()).filter(|number| !is_known(number));
    let expected = others
        .flat_map(|number| ["head", "body"].map(|part| format!("HEAD /{number}/{part} HTTP/1.1")));
    assert_eq!(texts.requests(), expected.collect(), "the same in texts is asked for");
}

/// Each way to come by such a message.
#[test]
fn mail_is_mail_whoever_names_it() {
    let (home, canary) = (tempfile::tempdir().expect("a place"), Canary::start());
    let to = format!("http://{}", canary.address);
    let head = b"no line of a header\n";
    let paths = ["box/cur/1", "box/new/2", "mh/3", "4.eml", "5.mbox", "6.emlx"];
    for path in paths {
        place(home.path(), path, &odd_message(head, &format!("{to}/{path}")));
    }
    place(home.path(), "mh/.mh_sequences", b"");
    place(home.path(), "list", paths.join("\n").as_bytes());
    let (cur, root) = (home.path().join("box/cur"), home.path());
    std::os::unix::fs::symlink("box/cur/1", root.join("link")).expect("a link");
    let tar = |args: &[&str]| {
        let done = Command::new("tar").current_dir(root).args(args).status();
        assert!(done.expect("tar runs").success());
    };
    tar(&["cf", "mail.tar", "4.eml", "5.mbox"]);
    tar(&["cf", "maildir.tar", "--transform=s,box/cur/1,cur/1:2\\,S,", "box/cur/1"]);
    tar(&["czf", "mh/7", "--transform=s,mh/3,text,", "mh/3"]);
    // One by one: of several findings for one link, the most careful decides.
    let runs: [(&Path, &[&str], usize); 9] = [
        (root, &paths, 12),
        (root, &["--files-from", "list"], 12),
        (root, &["box/cur", "mh/3"], 4),
        (&cur, &["1"], 2),
        (&cur, &["."], 2),
        (root, &["link"], 2),
        (root, &["mail.tar"], 4),
        (root, &["maildir.tar"], 2),
        (root, &["mh/7"], 2),
    ];
    for (place, arguments, expected) in runs {
        let report = check(place, arguments);
        assert_eq!(told(&report, &to).len(), expected, "{arguments:?}: {report}");
    }
    assert_eq!(canary.requests(), BTreeSet::new());
}

// ---- hosts that are made for one reader ------------------------------------------------------

/// A link of `scheme` to `host`.
fn link_to(scheme: &str, host: &str) -> String {
    match scheme {
        "mailto" => format!("mailto:ann@{host}"),
        "wais" => format!("wais://{host}/base"),
        "news" | "snews" => format!("{scheme}://{host}/comp.lang.misc"),
        "nntp" | "nntps" => format!("{scheme}://{host}/comp.lang.misc/1"),
        _ => format!("{scheme}://{host}/"),
    }
}

/// Each scheme that has a probe, and a host to look up.
fn probed() -> impl Iterator<Item = &'static str> {
    let names = linktrawl::internal::scheme::TABLE.iter().map(|scheme| scheme.name);
    names.filter(|name| linktrawl::internal::probe::find(name).is_some() && *name != "urn")
}

#[test]
fn nobody_looks_up_a_host_that_is_made_for_one_reader() {
    const TOKEN: &str = "9f86d081884c7d659a2feaa0c55ad015.t.example";
    let home = tempfile::tempdir().expect("a place");
    let server = NameServer::start(|_, _| Reply::Code(3));
    let address = server.address.to_string();
    let letter = |links: String| format!("{FIELDS}\n{links}");
    for level in ["host", "head", "get"] {
        let links: String = probed()
            .map(|scheme| format!("<{}> {}\n", link_to(scheme, TOKEN), link_to(scheme, TOKEN)))
            .collect();
        place(home.path(), "token.eml", letter(links).as_bytes());
        let report =
            check(home.path(), &["--probe", level, "--name-server", &address, "token.eml"]);
        assert_eq!(server.asked_in_all(), 0, "{level}: {report}");
    }
    // The same without the token is looked up, or the silence above would mean nothing.
    let host = |scheme: &str| format!("{scheme}.t.example");
    let links: String =
        probed().map(|scheme| format!("<{}>\n", link_to(scheme, &host(scheme)))).collect();
    place(home.path(), "plain.eml", letter(links).as_bytes());
    check(home.path(), &["--name-server", &address, "plain.eml"]);
    let missed: Vec<_> = probed().filter(|scheme| server.asked(&host(scheme)) == 0).collect();
    assert!(missed.is_empty(), "not looked up: {missed:?}");
}

#[test]
fn text_that_holds_mail_is_mail() {
    let (home, mail, texts) =
        (tempfile::tempdir().expect("a place"), Canary::start(), Canary::start());
    let heads = [
        "\n\n\nFrom: ann@example.org\nSubject: news\n\n",
        "-- \n----------\n\nVon: Ann\nGesendet: Montag\nAn: Bob\nBetreff: Neues\n\n",
        "De : Ann\nEnvoy\u{E9} : lundi\n\u{C0} : Bob\nObjet : news\n\n",
        "see below\n\n-----Original Message-----\nFrom: Ann\nSent: Monday\nTo: Bob\nSubject: a\n\n",
        "Begin forwarded message:\n\nFrom: Ann\nDate: Monday\nTo: Bob\nSubject: news\n\n",
        "Digest 12\n\nTopics:\n\n----------------------\n\nDate: Mon\nFrom: Ann\nSubject: a\n\n",
    ];
    for (number, head) in heads.iter().enumerate() {
        for (name, canary) in [("txt", &mail), ("md", &texts)] {
            let text = format!("{head}It is at http://{}/{number}/papers there.\n", canary.address);
            place(home.path(), &format!("{number}.{name}"), text.as_bytes());
        }
    }
    check(home.path(), &["."]);
    assert_eq!(mail.requests(), BTreeSet::new());
    assert_eq!(texts.requests().len(), heads.len(), "documents about mail are checked");
}

#[test]
fn saved_mail_is_mail() {
    let (home, mail, texts) =
        (tempfile::tempdir().expect("a place"), Canary::start(), Canary::start());
    let to = |canary: &Canary, name: &str| format!("http://{}/papers/{name}", canary.address);
    let calendar = |head: &str, uri: &str| {
        format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{head}BEGIN:VEVENT\r\nUID:1\r\nURL:{uri}\r\n\
             END:VEVENT\r\nEND:VCALENDAR\r\n"
        )
    };
    let page = |labels: [&str; 3], uri: &str| {
        let [from, sent, subject] = labels;
        format!(
            "<html><body><p><b>{from}</b> Ann<br><b><span>{sent}</span></b> Monday<br>\
             <b>{subject}</b> news</p><p><a href=\"{uri}\">papers</a></p></body></html>"
        )
    };
    let saved = [
        ("a.ics", calendar("METHOD:REQUEST\r\n", &to(&mail, "a"))),
        ("b.html", page(["From:", "Sent:", "Subject:"], &to(&mail, "b"))),
        ("c.htm", page(["Von:&nbsp;", "Gesendet:", "Betreff:"], &to(&mail, "c"))),
        (
            "d.rtf",
            format!(r"{{\rtf1\b From:\b0  Ann\par To: Bob\par Subject: a\par {}}}", to(&mail, "d")),
        ),
        ("e.json", format!(r#"{{"from":"a","to":"b","subject":"c","body":"{}"}}"#, to(&mail, "e"))),
    ];
    let others = [
        ("f.ics", calendar("", &to(&texts, "f"))),
        ("g.html", page(["Author:", "Sent:", "Length:"], &to(&texts, "g"))),
        ("h.json", format!(r#"{{"from":"a","to":"b","body":"{}"}}"#, to(&texts, "h"))),
    ];
    for (name, text) in saved.iter().chain(&others) {
        place(home.path(), name, text.as_bytes());
    }
    let report = check(home.path(), &["."]);
    for (name, _) in &saved {
        assert!(report.contains(name), "{name}: {report}");
    }
    assert_eq!(mail.requests(), BTreeSet::new());
    assert_eq!(texts.requests().len(), others.len(), "{report}");
}
