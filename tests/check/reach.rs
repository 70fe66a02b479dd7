//! corpus/reach: a link for every kind of answer, and the report of it.

use std::fs;
use std::path::{Path, PathBuf};

use linktrawl::internal::finding::CLASSES;

use crate::support::servers::closed::Closed;
use crate::support::servers::inet::{self, Inet};
use crate::support::servers::name_server::NameServer;
use crate::support::servers::secure::{Secure, Shown};
use crate::support::servers::site::{Reply, Request, Site};
use crate::{directory, plain_command, stdout, write};

const HOSTS: [(u8, Shown); 9] = [
    (20, Shown::Trusted),
    (21, Shown::Expired),
    (22, Shown::NotYet),
    (23, Shown::Other),
    (24, Shown::Stranger),
    (25, Shown::SelfSigned),
    (26, Shown::Legacy),
    (27, Shown::Plain),
    (28, Shown::Revoked),
];

/// All that corpus/reach links to.
struct World {
    secure: Secure,
    names: NameServer,
    /// Words in documents, and the ports that replace them.
    ports: Vec<(&'static str, u16)>,
    _daemons: [Inet; 4],
    _closed: Closed,
}

impl World {
    fn start() -> Self {
        let (site, secure) = (Site::start(answer), Secure::start(&HOSTS));
        let daemons = [inet::vsftpd(), inet::gophernicus(), inet::nnrpd(), inet::telnetd()];
        let closed = Closed::at([127, 0, 7, 13]);
        let mut ports = vec![
            ("{http}", site.port),
            ("{https}", secure.port),
            ("{closed}", closed.address.port()),
        ];
        let words = ["{ftp}", "{gopher}", "{nntp}", "{telnet}"];
        ports.extend(words.into_iter().zip(daemons.each_ref().map(|daemon| daemon.port)));
        let names = NameServer::of_zone(&read("zone.tsv"));
        Self { secure, names, ports, _daemons: daemons, _closed: closed }
    }

    /// The report of a run over a folder of corpus/reach, with words for ports.
    fn report(&self, folder: &str, args: &[&str]) -> (String, Option<i32>) {
        let Secure { authority, revoked, .. } = &self.secure;
        let home = directory(&[("authority.pem", authority), ("revoked.pem", revoked)]);
        self.copy(&corpus().join(folder), &home.path().join("reach"));
        let name_server = self.names.address.to_string();
        let usual = [
            "--allow-net=127.0.0.0/8",
            "--allow-net=224.0.0.0/4",
            "--retries=0",
            "--name-server",
            &name_server,
            "--ca-file=authority.pem",
            "--crl-file=revoked.pem",
            "--timeout=5s",
            "--host-gap=0s",
            "--max-urls-per-host=4",
            "--fragments=all",
            "--find=url,angle,bare,markup,header",
            "reach",
        ];
        let output = plain_command(home.path(), &[args, &usual].concat()).output();
        let output = output.expect("the binary runs");
        let (mut report, code) = (stdout(&output), output.status.code());
        for (word, port) in &self.ports {
            // Elsewhere the same digits are a part of some other number.
            report = report.replace(&format!(":{port}"), &format!(":{word}"));
        }
        (report, code)
    }

    fn copy(&self, from: &Path, to: &Path) {
        for entry in fs::read_dir(from).expect("a folder") {
            let entry = entry.expect("an entry").path();
            let to = to.join(entry.file_name().expect("a name"));
            if entry.is_dir() {
                self.copy(&entry, &to);
                continue;
            }
            let mut text = fs::read_to_string(&entry).expect("UTF-8");
            for (word, port) in &self.ports {
                text = text.replace(word, &port.to_string());
            }
            write(Path::new("/"), to.to_str().expect("UTF-8"), text);
        }
    }
}

/// Answers as the HTTP server: by the path, which begins with a status code in most cases.
fn answer(request: &Request) -> Reply {
    match request.target.as_str() {
        "/page.html" => Reply::html("<h1 id=here>Here</h1>"),
        "/moved" => Reply::to(301, "/page.html"),
        "/elsewhere" => Reply::to(302, "/page.html"),
        "/circle" => Reply::to(302, "/circle"),
        "/inside" => Reply::to(302, "http://10.0.0.1/"),
        "/page.html_" => Reply::code(404),
        "/silent" => Reply::Silence,
        "/ssh" => Reply::Raw(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()),
        "/robots.txt" => {
            let rules = "User-agent: *\nDisallow: /closed\n";
            Reply::Page(200, "Content-Type: text/plain\r\n".to_owned(), rules.to_owned())
        }
        target if target.starts_with("/same/") => Reply::html("<p>Welcome to this site of ours"),
        target => {
            let code = target.get(1..).and_then(|text| text.parse().ok());
            Reply::code(code.filter(|code| (200..1000).contains(code)).unwrap_or(200))
        }
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/reach")
}

fn read(name: &str) -> String {
    fs::read_to_string(corpus().join(name)).expect("UTF-8")
}

/// The lines of an expected report.
fn expected(name: &str) -> String {
    let text = read(name);
    text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

#[track_caller]
fn is_as_expected(report: &str, name: &str) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, report).expect("a file");
    assert_eq!(report, expected(name), "what came is in {}", path.display());
}

#[test]
fn every_link_gets_its_answer() {
    let world = World::start();
    let (report, code) = world.report("inputs", &[]);
    is_as_expected(&report, "expected.txt");
    assert_eq!(code, Some(1));
}

#[test]
fn offline_nothing_remote_is_asked() {
    let world = World::start();
    let (report, code) = world.report("inputs", &["--offline"]);
    is_as_expected(&report, "expected-offline.txt");
    assert_eq!((code, world.names.asked_in_all()), (Some(1), 0));
}

#[test]
fn pages_that_are_shown_for_any_name_are_suspected() {
    let world = World::start();
    let (report, code) = world.report("inputs-soft", &["--probe=get", "--soft-404"]);
    is_as_expected(&report, "expected-soft.txt");
    assert_eq!(code, Some(1));
}

#[test]
fn the_expected_reports_name_every_class() {
    let names = ["expected.txt", "expected-offline.txt", "expected-soft.txt"];
    let reports = names.map(expected).concat();
    let is_told = |name: &str| match name {
        "alive" => reports.contains(": ok http://"),
        name => reports.contains(&format!("[{name}]")),
    };
    let untold: Vec<_> = CLASSES.iter().map(|row| row.name).filter(|name| !is_told(name)).collect();
    assert!(untold.is_empty(), "{untold:?}");
}
