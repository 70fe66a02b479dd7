//! Links of mail whose words alone say whether they act: messages in forty languages, checked by
//! the binary from end to end. Who would hear of it is a canary.
#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::support::home;
use crate::support::servers::canary::Canary;
use data_encoding::BASE64;

/// Links that act and are requested all the same, in percent, at most.
const ASKED_MAX: usize = 2;
/// Harmless links that are requested, in percent, at least.
const ASKED_MIN: usize = 60;

/// A text of the corpus.
struct Row {
    acts: bool,
    part: String,
    language: String,
    kind: String,
    text: String,
}

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/effects/words.tsv");
    let corpus = fs::read_to_string(path).expect("the corpus is there");
    let lines = corpus.lines().filter(|line| !line.starts_with('#'));
    let fields = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    fields
        .flat_map(|fields| {
            let [acts, part, language, kind, texts] = fields[..] else { panic!("{fields:?}") };
            texts.split('|').map(move |text| Row {
                acts: acts == "acts",
                part: part.to_owned(),
                language: language.to_owned(),
                kind: kind.to_owned(),
                text: text.to_owned(),
            })
        })
        .collect()
}

/// How a body is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Plain,
    Html,
}

/// A message that holds `body`; its transfer encoding depends on `number`.
fn message(number: usize, body: Body, text: &str) -> String {
    let kind = if body == Body::Html { "html" } else { "plain" };
    let (coding, text) = match number % 3 {
        0 => ("8bit", text.to_owned()),
        1 => (
            "base64",
            BASE64
                .encode(text.as_bytes())
                .as_bytes()
                .chunks(76)
                .fold(String::new(), |lines, line| lines + &String::from_utf8_lossy(line) + "\n"),
        ),
        _ => ("quoted-printable", quoted(text)),
    };
    format!(
        "From ann@example.org Mon Jun  3 10:00:00 2002\nFrom: ann@example.org\n\
         To: bob@example.net\nSubject: =?utf-8?B?bmV3cw==?=\nMIME-Version: 1.0\n\
         Date: Mon, 3 Jun 2002 10:00:00 +0000\nMessage-ID: <{number}@example.org>\n\
         Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: {coding}\n\n\
         {text}\n\n"
    )
}

/// Quoted-printable (RFC 2045 §6.7), in short lines.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    let mut len = 0;
    for byte in text.bytes() {
        match byte {
            b'\n' => {
                out.push('\n');
                len = 0;
                continue;
            }
            b' '..=b'~' if byte != b'=' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "={byte:02X}");
                len += 2;
            }
        }
        len += 1;
        if len > 60 {
            out.push_str("=\n");
            len = 0;
        }
    }
    out
}

/// The ways in which `text` says what a link does: each with its body.
fn acting(row: &Row, number: usize, uri: &str) -> (Body, String) {
    let text = &row.text;
    if row.kind == "tells" {
        return match number % 6 {
            0 => (Body::Plain, format!("{text} {uri}\n")),
            1 => (Body::Plain, format!("{text}\n\n    {uri}\n")),
            2 => (Body::Html, format!("<p>{text} <a href=\"{uri}\">»</a></p>")),
            3 => {
                (Body::Html, format!("<tr><td>{text}</td><td><a href='{uri}'>{uri}</a></td></tr>"))
            }
            4 => (Body::Plain, format!("> {}\n> <{uri}>\n", folded(text))),
            _ => (
                Body::Html,
                format!(
                    "<div>{text}<br>\n<a\n class=x href=\"{uri}\"><img src=\"cid:1\"></a></div>"
                ),
            ),
        };
    }
    let style = "style=\"display:inline-block;padding:12px 24px;color:#fff;background:#06c;\
                 font-family:Arial,Helvetica,sans-serif;font-size:16px;border-radius:4px\"";
    match number % 7 {
        0 => (Body::Html, format!("<p><a href=\"{uri}\">{text}</a></p>")),
        1 => (
            Body::Html,
            format!(
                "<table><tr><td><a href=\"{uri}\" {style}><span {style}><b>{text}</b></span></a>"
            ),
        ),
        2 => (Body::Html, format!("<a href=\"{uri}\"><img src=\"cid:2\" alt=\"{text}\"></a>")),
        3 => (Body::Html, format!("<a title=\"{text}\" href=\"{uri}\"><img src=\"cid:3\"></a>")),
        4 => (Body::Plain, format!("{text}: {uri}\n")),
        5 => (Body::Plain, format!("{text}\n<{uri}>\n")),
        _ => (
            Body::Html,
            format!(
                "<div>Example · <a href=\"http://127.0.0.1:1/\">Example</a> | \
                     <a href=\"{uri}\"><font size=1>{text}</font></a></div>"
            ),
        ),
    }
}

/// A sentence over lines, as mail has them.
fn folded(text: &str) -> String {
    let mut lines = String::new();
    let mut len = 0;
    for word in text.split(' ') {
        if len > 30 {
            lines.push_str("\n> ");
            len = 0;
        }
        lines.push_str(word);
        lines.push(' ');
        len += word.len();
    }
    lines
}

/// A path that does not say what it leads to, or nothing that matters. Of long texts only a part is
/// in the tables.
fn nothing(number: usize, row: &Row) -> String {
    let name = if number.is_multiple_of(2) || row.part == "long" { "p" } else { "summer" };
    format!("/{name}/{number}")
}

/// Returns a path as articles, bugs, wiki pages and archived messages have.
fn place(number: usize) -> String {
    match number % 12 {
        0 => format!("/2024/03/{:02}/the-{number}th-letter-from-the-north/", number % 28 + 1),
        1 => format!("/?p={number}"),
        2 => format!("/show_bug.cgi?id={number}"),
        3 => format!("/articles/{}.html", 34_080_000 + number),
        4 => format!("/wiki/Page_{number}"),
        5 => format!("/pipermail/users/2024-March/{number:06}.html"),
        6 => {
            format!("/blog/letters-from-the-north-{number}?utm_source=newsletter&utm_medium=email")
        }
        7 => format!("/team/project/issues/{number}"),
        8 => format!("/docs/guide/chapter-{number}.html"),
        9 => format!("/news/{number}"),
        10 => format!("/story.php?id={number}&lang=en"),
        _ => format!("/team/project/commit/{number:07x}0d93ab5f"),
    }
}

/// Returns a newsletter of `rows`, with the foot of one: nothing in it may taint the text before
/// it.
fn newsletter(rows: &[(usize, &Row)], number: usize, home: &str, foot: &str) -> String {
    let uri = |number: &usize| format!("{home}{}", place(*number));
    let end = format!("{home}/x{number}");
    let (body, text) = if number.is_multiple_of(2) {
        let item = |(number, row): &(usize, &Row)| match (&*row.kind, number % 3) {
            ("more", 0) => format!(
                "<p>Lorem ipsum dolor sit. <a href=\"{}\">{}</a></p>\n",
                uri(number),
                row.text
            ),
            ("more", _) => format!(
                "<td>Lorem ipsum dolor sit amet.</td><td><a href=\"{}\">{}</a></td>\n",
                uri(number),
                row.text
            ),
            (_, 0) => format!(
                "<h2><a href=\"{}\">{}</a></h2><p>Lorem ipsum dolor sit.</p>\n",
                uri(number),
                row.text
            ),
            (_, 1) => format!(
                "<li><a href=\"{}\" title=\"{}\"><img src=cid:4></a></li>\n",
                uri(number),
                row.text
            ),
            (_, _) => {
                format!("<p><b>{}</b><br><a href=\"{1}\">{1}</a></p>\n", row.text, uri(number))
            }
        };
        let items: String = rows.iter().map(item).collect();
        (
            Body::Html,
            format!(
                "<body>{items}<p><small>{foot} <a href=\"{end}\">{foot}</a></small></p></body>"
            ),
        )
    } else {
        let item = |(number, row): &(usize, &Row)| match number % 3 {
            0 => format!("{}\n{}\n\n", row.text, uri(number)),
            1 => format!("* {}: {}\n", row.text, uri(number)),
            _ => format!("{}\n   <{}>\n\n", row.text, uri(number)),
        };
        let items: String = rows.iter().map(item).collect();
        (Body::Plain, format!("{items}\n-- \n{foot}\n{end}\n"))
    };
    message(number, body, &text)
}

/// Texts of rows that one canary heard of, and all of them.
struct Heard {
    asked: Vec<String>,
    all: usize,
}

impl Heard {
    /// Returns the rate, and what was requested where that is the smaller part.
    fn told(&self, name: &str) -> String {
        let list =
            if self.asked.len() * 2 < self.all { self.asked.join("\n  ") } else { String::new() };
        format!("{name}: {} of {} requested\n  {list}", self.asked.len(), self.all)
    }
}

fn check(home: &Path) {
    let output = home::linktrawl()
        .current_dir(home)
        .args(["check", "--quiet", "--allow-net", "127.0.0.0/8", "--no-robots"])
        .args(["--host-gap", "0s", "--retries", "0", "--probe", "head", "."])
        .output()
        .expect("the binary runs");
    let is_done = matches!(output.status.code(), Some(0 | 1));
    assert!(is_done, "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

/// The paths that were requested.
fn paths(canary: Canary) -> BTreeSet<String> {
    let requests = canary.requests();
    requests.iter().filter_map(|it| it.split(' ').nth(1)).map(str::to_owned).collect()
}

#[test]
fn words_say_which_links_act() {
    let (home, acts, other) =
        (tempfile::tempdir().expect("a place"), Canary::start(), Canary::start());
    let (rows, mut spool) = (rows(), String::new());
    let numbered: Vec<(usize, &Row)> = (1..).zip(&rows).collect();
    let here = format!("http://{}", acts.address);
    for (number, row) in numbered.iter().filter(|(_, row)| row.acts) {
        let (body, text) = acting(row, *number, &format!("{here}{}", nothing(*number, row)));
        spool += &message(*number, body, &text);
    }
    let mut letters: BTreeMap<(&str, &str), Vec<(usize, &Row)>> = BTreeMap::new();
    for (number, row) in numbered.iter().filter(|(_, row)| !row.acts) {
        letters.entry((&row.part, &row.language)).or_default().push((*number, row));
    }
    let place_of = format!("http://{}", other.address);
    for (number, ((_, language), rows_of)) in (10_000..).zip(&letters) {
        let is_foot = |row: &&Row| row.acts && row.language == *language;
        let foot = rows.iter().find(is_foot).map_or("Unsubscribe", |row| &row.text);
        spool += &newsletter(rows_of, number, &place_of, foot);
    }
    fs::write(home.path().join("mail.mbox"), spool).expect("a box");
    check(home.path());
    let (acts, other) = (paths(acts), paths(other));
    assert!(!other.iter().any(|path| path.starts_with("/x")), "feet of newsletters: {other:?}");
    let mut failed = Vec::new();
    for part in ["tuned", "held", "late", "long", "since", "wide"] {
        let heard = |is_acting: bool| {
            let of_part =
                numbered.iter().filter(|(_, row)| (row.acts, &*row.part) == (is_acting, part));
            let path = |number: usize, row: &Row| {
                if is_acting { nothing(number, row) } else { place(number) }
            };
            let heard = if is_acting { &acts } else { &other };
            let asked = of_part.clone().filter(|(number, row)| heard.contains(&path(*number, row)));
            let asked =
                asked.map(|(number, row)| format!("{} {number} {}", row.language, row.text));
            Heard { asked: asked.collect(), all: of_part.count() }
        };
        let (acting, harmless) = (heard(true), heard(false));
        let is_quiet = acting.asked.len() * 100 <= acting.all * ASKED_MAX;
        let is_useful = harmless.asked.len() * 100 >= harmless.all * ASKED_MIN;
        let told = || [acting.told("acting"), harmless.told("harmless")].join("\n");
        failed.extend((!is_quiet || !is_useful).then(|| format!("{part}: {}", told())));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn bodies_say_which_links_act() {
    let (home, acts, other) =
        (tempfile::tempdir().expect("a place"), Canary::start(), Canary::start());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/effects/bodies.tsv");
    let corpus = fs::read_to_string(path).expect("the corpus is there");
    let (mut spool, mut harmless, mut all) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
    let lines = corpus.lines().filter(|line| !line.starts_with('#'));
    for ((number, line), coding) in
        (1..).zip(lines).flat_map(|line| ["8bit", "base64"].map(|coding| (line, coding)))
    {
        let [is_acting, kind, declared, charset, why, body] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        let canary = if is_acting == "acts" { &acts } else { &other };
        let place = format!("/news/winter-offers-{number}-{coding}");
        let uri = format!("http://{}{place}", canary.address);
        let body = body.replace("\\n", "\n").replace("URI", &uri);
        let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).expect("a charset");
        let (body, _, is_lossy) = encoding.encode(&body);
        assert!(!is_lossy, "{line}");
        let charset = if declared == "-" { String::new() } else { format!("; charset={declared}") };
        spool.extend_from_slice(
            format!(
                "From ann@example.org Mon Jun  3 10:00:00 2002\nFrom: ann@example.org\n\
                 To: bob@example.net\nSubject: news\nMIME-Version: 1.0\n\
                 Date: Mon, 3 Jun 2002 10:00:00 +0000\nMessage-ID: <b{number}@example.org>\n\
                 Content-Type: text/{kind}{charset}\nContent-Transfer-Encoding: {coding}\n\n"
            )
            .as_bytes(),
        );
        match coding {
            "8bit" => spool.extend_from_slice(&body),
            _ => BASE64
                .encode(&body)
                .as_bytes()
                .chunks(76)
                .for_each(|line| spool.extend_from_slice(&[line, b"\n"].concat())),
        }
        spool.extend_from_slice(b"\n\n");
        harmless.extend((is_acting != "acts").then(|| place.clone()));
        all.insert(place, format!("{why}, in {charset}"));
    }
    fs::write(home.path().join("mail.mbox"), spool).expect("a box");
    check(home.path());
    let asked: Vec<_> = paths(acts).iter().filter_map(|path| all.get(path)).cloned().collect();
    assert!(asked.is_empty(), "requested: {asked:#?}");
    assert_eq!(paths(other), harmless);
}
