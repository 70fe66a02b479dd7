//! Runs the guide's recipes as they are printed, in a shell, in a home that has the files they
//! name, and compares the result of each with its description.
//!
//! A configuration file above the home keeps every `check` from the network. For recipes about
//! requests, a program before ours in PATH lets it connect to this machine only; the lines of a
//! recipe are not changed.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpSocket;

use crate::support::servers::site::{Reply, Request, Site};
use crate::support::written;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The guide's page of recipes.
const RECIPES: &str = include_str!("../../src/guide/recipes.md");

/// The files in the home of the recipes' user, and their origin in `corpus/`.
const HOME: &[(&str, &str)] = &[
    ("Mail/archive.mbox", "mail/small.mbox"),
    ("Maildir/cur/1:2,S", "mail/boxes/body-text.mbox"),
    ("lists/1994.tar.zst", "archives/spool.tar.zst"),
    ("lists/notes.txt.gz", "archives/notes.txt.gz"),
    ("docs/guide.md", "local/tree/guide.md"),
    ("docs/page.html", "local/tree/page.html"),
    ("spam/1.mbox", "reach/inputs/letters.mbox"),
    ("list.cdxj", "recipes/list.cdxj"),
];

/// A recipe: its title, and the lines of its shell.
struct Recipe {
    title: String,
    script: String,
}

fn recipes() -> Vec<Recipe> {
    let recipe = |text: &str| {
        let (title, rest) = text.split_once('\n').expect("lines behind the title");
        let blocks = rest.split("\n```sh\n").skip(1);
        let scripts = blocks.map(|block| block.split_once("\n```").expect("its end").0);
        Recipe { title: title.to_owned(), script: scripts.collect::<Vec<_>>().join("\n") }
    };
    RECIPES.split("\n## ").skip(1).map(recipe).collect()
}

fn home() -> TempDir {
    let home = tempfile::tempdir().expect("a directory");
    for (name, source) in HOME {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::copy(Path::new(ROOT).join("corpus").join(source), path).expect("a copy");
    }
    fs::write(home.path().join("linktrawl.toml"), "offline = true\n").expect("a file");
    home
}

/// The result of a line: its code, its standard output and its standard error.
struct Ran {
    code: Option<i32>,
    printed: String,
    said: String,
}

/// Runs `line`.
fn run(home: &Path, line: &str) -> Ran {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_linktrawl"));
    let directory = binary.parent().expect("its directory").display().to_string();
    let path = format!("{}/bin:{directory}:/usr/local/bin:/usr/bin:/bin", home.display());
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(home)
        .env_clear()
        .env("PATH", path)
        .env("HOME", home)
        .output()
        .expect("a shell");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), printed: text(output.stdout), said: text(output.stderr) }
}

/// The lines of the recipe called `title`.
fn lines(title: &str) -> Vec<String> {
    let recipe = recipes().into_iter().find(|recipe| recipe.title == title).expect("the recipe");
    recipe.script.replace("\\\n", " ").lines().map(str::to_owned).collect()
}

/// Lets every `check` in `home` ask this machine at once, by a program that adds options.
fn let_ask(home: &Path) {
    let options = "allow-net = ['127.0.0.0/8']\nretries = 0\nhost-gap = '0s'\n";
    fs::write(home.join("asking.toml"), options).expect("a file");
    let program = format!(
        "#!/bin/sh\ncase $1 in check) shift; set -- check --config '{}' \"$@\";; esac\n\
         exec '{}' \"$@\"\n",
        home.join("asking.toml").display(),
        env!("CARGO_BIN_EXE_linktrawl"),
    );
    fs::create_dir(home.join("bin")).expect("a directory");
    written::program(&home.join("bin/linktrawl"), &program);
}

/// A port of this machine that takes connections, and notes what each one sends first.
struct Door {
    address: SocketAddr,
    listener: TcpListener,
    thread: JoinHandle<Vec<Vec<u8>>>,
}

/// The bytes that the test sends to its own door to close it.
const LAST: &[u8] = b"last";

impl Door {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.8.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let own = listener.try_clone().expect("a second handle");
        let take = |stream: TcpStream| {
            let mut sent = vec![0; 1024];
            let count = { stream }.read(&mut sent).unwrap_or_default();
            sent.truncate(count);
            sent
        };
        let come = move || -> Vec<Vec<u8>> {
            let streams = own.incoming().map_while(Result::ok);
            streams.map(take).take_while(|sent| sent != LAST).collect()
        };
        Self { address, listener, thread: thread::spawn(come) }
    }

    /// Returns what each client has sent. Connections are taken in the order in which they come.
    fn close(self) -> Vec<Vec<u8>> {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.write_all(LAST).expect("it reads");
        let sent = self.thread.join().expect("it listened to the end");
        drop(self.listener);
        sent
    }
}

/// A port of this machine at which nobody listens. Others are kept from it by a socket that is
/// bound and does not listen, as long as that is there.
fn wall() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(([127, 0, 8, 2], 0).into()).expect("a free port");
    let address = socket.local_addr().expect("an address");
    (socket, address)
}

/// The records of a run, but for its summary.
fn findings(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a saved run");
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    records.filter(|record| record["type"] == "finding").collect()
}

#[test]
fn every_recipe_does_what_it_says() {
    let recipes = recipes();
    let titles: Vec<_> = recipes.iter().map(|recipe| recipe.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "A mailbox",
            "A Maildir, every night",
            "Documents in CI",
            "An audit of archives",
            "One URI explained",
            "Privacy",
            "What died since the last run",
            "What became of the links of a list",
        ]
    );
    for Recipe { title, script } in recipes {
        assert!(!script.is_empty(), "{title} has no script");
        let home = home();
        for line in script.replace("\\\n", " ").lines() {
            let Ran { code, printed, said } = run(home.path(), line);
            // 1 is for links that are malformed or dead, which there are.
            assert!(matches!(code, Some(0 | 1)), "{title}: {line}: {code:?}\n{printed}{said}");
        }
        made_what_it_names(home.path(), &script, &title);
    }
}

/// Checks that every file after an equals sign is there, and is not empty.
fn made_what_it_names(home: &Path, script: &str, title: &str) {
    let script = script.replace("--format=", "--format ");
    let words: Vec<_> = script.split_whitespace().collect();
    let formats = words.windows(2).filter(|pair| pair[0] == "--format").map(|pair| pair[1]);
    for (_, file) in formats.filter_map(|format| format.split_once('=')) {
        let length = fs::metadata(home.join(file)).map_or(0, |metadata| metadata.len());
        assert!(length > 0, "{title}: {file} is not there, or empty");
    }
}

// ---- what each recipe says of itself ----------------------------------------------------

#[test]
fn a_mailbox_gives_each_link_once_where_it_stands_first_and_then_a_record_each() {
    let home = home();
    let lines = lines("A mailbox");
    let first = run(home.path(), &lines[0]);
    assert_eq!((first.printed.as_str(), first.code), (MAILBOX, Some(1)));
    assert_eq!(run(home.path(), &lines[1]).code, Some(1));
    let records = findings(&home.path().join("links.ndjson"));
    assert_eq!(records.len(), 29);
    let (mut places, mut messages) = (BTreeMap::new(), BTreeSet::new());
    for record in &records {
        let (message, place) = (&record["message"], &record["place"]);
        messages.insert(message["id"].as_str().map(|id| format!("Message-ID: {id}")));
        assert!(message["date"].is_string() && message.get("part").is_some(), "{record}");
        let at = format!("{}:{}:", place["line"], place["column"]);
        let uri = record["uri"].as_str().expect("a link");
        places.entry(uri.to_owned()).or_insert(at);
    }
    // The first record of each link is at the place of its line, and there is a line for each.
    let at = |line: &str| line.splitn(4, ':').skip(1).take(2).map(|n| format!("{n}:")).collect();
    let told: BTreeSet<String> = MAILBOX.lines().map(at).collect();
    assert_eq!(places.into_values().collect::<BTreeSet<_>>(), told);
    // One message has none, and each other one has links.
    let text = fs::read(home.path().join("Mail/archive.mbox")).expect("a mailbox");
    let text = String::from_utf8_lossy(&text).replace("Message-Id:", "Message-ID:");
    let ids = text.lines().filter(|line| line.starts_with("Message-ID: "));
    let ids: BTreeSet<_> = ids.map(|line| Some(line.to_owned())).chain([None]).collect();
    assert_eq!(messages, ids);
    assert_eq!(records[0]["message"]["id"], "<9312011905.AA00417@cs.example.edu>");
    assert_eq!(records[0]["message"]["date"], "1993-12-01T19:05:07Z");
}

#[test]
fn a_maildir_asks_nobody_twice_and_tells_the_dead_in_the_third_night() {
    let home = home();
    let_ask(home.path());
    let (door, (_closed, wall)) = (Door::open(), wall());
    let letter = format!(
        "From: a@example.org\nMessage-ID: <1@example.org>\n\n\
         http://{}/path and\nhttp://{wall}/gone\n",
        door.address
    );
    fs::write(home.path().join("Maildir/cur/1:2,S"), letter).expect("a letter");
    let night = || {
        let lines = lines("A Maildir, every night");
        assert_eq!(lines.len(), 1);
        let Ran { code, printed, said } = run(home.path(), &lines[0]);
        assert_eq!(said, "");
        let state = Connection::open(home.path().join("linktrawl.db")).expect("a database");
        let next =
            "UPDATE results SET asked_at = asked_at - 86400, expires_at = expires_at - 86400";
        assert_eq!(state.execute(next, []).expect("a table"), 2);
        (code, printed)
    };
    assert_eq!(night(), (Some(0), String::new()));
    assert_eq!(night(), (Some(0), String::new()));
    let (code, printed) = night();
    let dead = format!("Maildir/cur/1:2,S:5:1: error[refused]: http://{wall}/gone: ");
    assert!(printed.starts_with(&dead) && printed.lines().count() == 1, "{printed}");
    assert_eq!(code, Some(1));
    // One client connected, in the first night, and sent no path.
    assert_eq!(door.close(), [b""]);
}

#[test]
fn documents_in_ci_fail_for_what_is_new_alone() {
    let home = home();
    let lines = lines("Documents in CI");
    let first = run(home.path(), &lines[0]);
    assert_eq!((first.code, first.said.as_str()), (Some(0), ""));
    let list = || fs::read_to_string(home.path().join("known-links.txt")).expect("a list");
    let known = list();
    let known: Vec<_> = known.lines().filter(|line| !line.starts_with('#')).collect();
    let expected = ["docs/guide.md\tdrawing.svg\tmissing", "docs/page.html\tdrawing.svg\tmissing"];
    assert_eq!(known, expected);
    let again = run(home.path(), &lines[1]);
    assert_eq!((again.code, again.printed.as_str()), (Some(0), ""));
    let guide = home.path().join("docs/guide.md");
    let text = fs::read_to_string(&guide).expect("the guide");
    fs::write(&guide, format!("[new](gone.md)\n\n{text}")).expect("the guide");
    let after = run(home.path(), &lines[1]);
    let new = "::error file=docs/guide.md,line=1,col=7,endColumn=14,title=linktrawl%3A missing::\
               gone.md: expected a file or directory at `docs/gone.md`, found none\n";
    assert_eq!((after.code, after.printed.as_str()), (Some(1), new));
}

/// Every file below `home`.
fn files(home: &Path) -> BTreeSet<String> {
    let entries = walkdir::WalkDir::new(home).into_iter().map(|entry| entry.expect("an entry"));
    let below = |entry: &walkdir::DirEntry| {
        let path = entry.path().strip_prefix(home).expect("below");
        path.to_str().expect("UTF-8").to_owned()
    };
    entries.filter(|entry| entry.file_type().is_file()).map(|entry| below(&entry)).collect()
}

#[test]
fn an_audit_unpacks_nothing_to_disk_and_is_told_again_in_each_form() {
    let home = home();
    let lines = lines("An audit of archives");
    let before = files(home.path());
    for line in &lines {
        let Ran { code, printed, said } = run(home.path(), line);
        assert_eq!((code, printed.as_str(), said.as_str()), (Some(0), "", ""), "{line}");
    }
    let made = files(home.path()).difference(&before).cloned().collect::<Vec<_>>();
    assert_eq!(made, ["audit.csv", "audit.db", "audit.html", "run.ndjson"]);
    let uris = ["mail/1", "mail/2", "names/", "wide/", "more/", "names/"];
    let mut uris = uris.map(|path| format!("http://www.example.org/{path}")).to_vec();
    uris.extend(["ftp://ftp.example.org/pub/names.txt"; 2].map(str::to_owned));
    uris.sort();
    let sorted = |mut found: Vec<String>| {
        found.sort();
        found
    };
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let records = findings(&home.path().join("run.ndjson"));
    assert_eq!(sorted(records.iter().map(|record| text(&record["uri"])).collect()), uris);
    let table = fs::read_to_string(home.path().join("audit.csv")).expect("a table");
    let rows = table.lines().filter(|row| row.starts_with("finding,"));
    let cells = rows.map(|row| row.split(',').nth(3).expect("a link").to_owned());
    assert_eq!(sorted(cells.collect()), uris);
    let base = Connection::open(home.path().join("audit.db")).expect("a database");
    let mut all = base.prepare("SELECT uri FROM findings ORDER BY uri").expect("a table");
    let found = all.query_map([], |row| row.get::<_, String>(0)).expect("rows");
    assert_eq!(found.collect::<Result<Vec<_>, _>>().expect("texts"), uris);
    let page = fs::read_to_string(home.path().join("audit.html")).expect("a page");
    uris.iter().for_each(|uri| assert!(page.contains(uri.as_str()), "{uri}"));
}

#[test]
fn a_digest_has_what_died_since_the_last_run() {
    let home = home();
    let lines = lines("What died since the last run");
    let week = || {
        for line in &lines {
            let Ran { code, printed, said } = run(home.path(), line);
            assert_eq!((code, printed.as_str()), (Some(0), ""), "{line}: {said}");
        }
        fs::read_to_string(home.path().join("changes.md")).unwrap_or_default()
    };
    // The last line of the timer's script, with another program in place of `mail`.
    const GUARD: &str = "! grep -qs '^### ' changes.md || ";
    assert!(RECIPES.contains(&format!("`{GUARD}mail -s Links webmaster < changes.md`")));
    let is_mailed = || !run(home.path(), &format!("{GUARD}cat changes.md")).printed.is_empty();
    assert_eq!(week(), "", "there is nothing to compare the first run with");
    assert!(!is_mailed());
    assert!(week().starts_with("## Links over time: 0 died, "));
    assert!(!is_mailed(), "nothing has changed");
    fs::write(home.path().join("docs/gone.md"), "a file").expect("a file");
    let guide = home.path().join("docs/guide.md");
    let text = fs::read_to_string(&guide).expect("the guide");
    fs::write(&guide, format!("[new](gone.md)\n\n{text}")).expect("the guide");
    assert!(week().contains("\n### new: 1\n") && is_mailed());
    fs::remove_file(home.path().join("docs/gone.md")).expect("a file");
    let digest = week();
    assert!(
        digest.contains("\n### died: 1\n")
            && digest.contains("| gone\\.md | alive, then missing |"),
        "{digest}"
    );
}

/// The years of the messages whose links are dead on the site below, and the status of each.
const LOST: [(&str, &str, &str); 3] = [
    ("1994", "/hypertext/Names.html", "missing"),
    ("2004", "/to/a-list-of-gopher-servers.html", "gone"),
    ("2012", "/tight-before-the-next-separator", "missing"),
];

/// A site of the hosts of `corpus/mail`, of which some pages are lost.
fn site() -> Site {
    Site::start(|request: &Request| match request.target.as_str() {
        target if target.starts_with("/very/long/path/") => Reply::code(410),
        "/page" => Reply::html("<p>A page of its own."),
        "/love-by-the-same-author" => Reply::to(301, "/page"),
        target if target.starts_with("/docs/") => Reply::html("<p>Nothing of this name is here."),
        _ => Reply::code(404),
    })
}

#[test]
fn the_links_of_a_list_are_told_of_by_year_with_their_copies() {
    let home = home();
    let_ask(home.path());
    let site = site();
    // The hosts of the mailbox are this machine.
    let mail = fs::read(home.path().join("Mail/archive.mbox")).expect("a mailbox");
    let mail = mail.utf8_chunks().map(|chunk| chunk.valid()).collect::<String>();
    let hosts = ["info.example.org", "www.example.org", "example.net", "www.example.com"];
    let mail = hosts.iter().zip(1_u8..).fold(mail, |mail, (host, number)| {
        mail.replace(&format!("http://{host}/"), &site.uri(number, "/"))
    });
    // Names that say where they lead: `check` asks for no other.
    let mail = mail.replace("page.html> for", "list-of-gopher-servers.html> for");
    let mail = mail.replace("/tight", "/tight-before-the-next-separator");
    let mail = mail.replace("/love", "/love-by-the-same-author");
    fs::write(home.path().join("Mail/archive.mbox"), mail).expect("a mailbox");
    let names = site.uri(1, "/hypertext/Names.html");
    let copy = |time: &str| format!("key {time} {{\"url\":\"{names}\",\"status\":\"200\"}}\n");
    let index = copy("19941120000000") + &copy("20200101000000");
    fs::write(home.path().join("list.cdxj"), index).expect("an index");
    for line in lines("What became of the links of a list") {
        let Ran { code, printed, said } = run(home.path(), &line);
        assert_eq!((code, printed.as_str()), (Some(0), ""), "{line}: {said}");
    }
    let base = Connection::open(home.path().join("rot.db")).expect("a database");
    let one =
        |query: &str| base.query_row(query, [], |row| row.get::<_, i64>(0)).expect("a number");
    for (year, path, class) in LOST {
        let query = format!(
            "SELECT count(*) FROM findings WHERE substr(date, 1, 4) = '{year}' AND \
             instr(uri, '{path}') AND class = '{class}' AND fate = 'page-gone' AND inaccessible"
        );
        assert!(one(&query) > 0, "{query}");
    }
    assert!(one("SELECT count(*) FROM findings WHERE class = 'soft-404' AND fate = 'there'") > 0);
    let moved = "SELECT count(*) FROM findings WHERE fate = 'moved' AND uri LIKE '%/love-by-%'";
    assert!(one(moved) > 0);
    let near = "SELECT count(*) FROM findings WHERE memento_datetime = '1994-11-20T00:00:00Z'
                AND memento_distance_days = -11";
    assert!(one(near) > 0);
    let page = fs::read_to_string(home.path().join("rot.html")).expect("a page");
    let (_, rot) = page.split_once("<section id=\"rot\">").expect("the section");
    for name in ["1993", "1994", "1996", "2004", "2011", "no list", "an address"] {
        assert!(rot.contains(&format!("<span class=\"name\">{name}</span>")), "{name}: {rot}");
    }
    assert!(page.contains(&format!("http://archive.example/web/19941120000000/{names}")));
}

#[test]
fn one_uri_is_explained_by_each_specification() {
    let home = home();
    let lines = lines("One URI explained");
    let parsed = run(home.path(), &lines[0]);
    assert_eq!((parsed.printed.as_str(), parsed.code), (EXPLAINED, Some(1)));
    let explained = run(home.path(), &lines[1]);
    assert_eq!(explained.code, Some(0));
    let head = "pct-encoded: a percent sign is followed by two hexadecimal digits\n  \
                a fault (RFC 3986 §2.1)\n";
    assert!(explained.printed.starts_with(head), "{}", explained.printed);
    for title in [
        "\nWhy\n  Decoders have",
        "\nFix\n  Write a literal percent sign",
        "\nExample\n",
        "\nFixed\n",
    ] {
        assert!(explained.printed.contains(title), "{title}: {}", explained.printed);
    }
}

#[test]
fn privacy_is_kept_by_a_scan_and_by_checks_of_mail() {
    let home = home();
    let_ask(home.path());
    let door = Door::open();
    let address = door.address;
    let letter = format!(
        "From: a@example.org\nMessage-ID: <1@example.org>\n\n\
         http://{address}/confirm?u=1\nhttp://{address}/page\nftp://me:secret@h.invalid/\n"
    );
    fs::write(home.path().join("spam/1.mbox"), letter).expect("a letter");
    let lines = lines("Privacy");
    let scanned = run(home.path(), &lines[0]);
    let expected = format!(
        "spam/1.mbox:4:1: ok http://{address}/confirm?u=1\n\
         spam/1.mbox:5:1: ok http://{address}/page\n\
         spam/1.mbox:6:1: warn[password]: ftp://me:***@h.invalid/: the password is in clear text \
         (RFC 3986 §3.2.1)\n"
    );
    assert_eq!((scanned.printed, scanned.code), (expected, Some(0)));
    let offline = run(home.path(), &lines[1]);
    assert_eq!(offline.code, Some(0));
    assert_eq!(offline.printed.matches("skipped[not-asked]").count(), 3, "{}", offline.printed);
    assert!(!format!("{}{}", offline.printed, offline.said).contains("secret"));
    // No client connected until here; without --offline one does, and sends no path.
    let asked = run(home.path(), "linktrawl check --include page spam");
    assert!(asked.printed.contains(&format!("ok http://{address}/page")), "{}", asked.printed);
    assert_eq!(door.close(), [b""]);
}

/// Every link of `Mail/archive.mbox`, at its first place.
const MAILBOX: &str = include_str!("../../corpus/recipes/mailbox.txt");

/// The verdicts of four grammars on a URI.
const EXPLAINED: &str = include_str!("../../corpus/recipes/explained.txt");
