//! pywb, the archive that most sites of archives run, where `tests/support/servers/fetch` could
//! unpack it: each of its interfaces is asked for the same copies.

use std::fs::File;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

use crate::archives::{addresses, gzip, record, ruin, run};
use crate::{directory, write};

/// How often a port is tried until the daemon listens, a tenth of a second apart.
const TRIES_MAX: usize = 600;

/// A daemon that replays the collection `c1`; it ends with the test.
struct Pywb {
    child: Child,
    port: u16,
}

impl Drop for Pywb {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program of pywb, if it is there.
fn program(home: &Path, name: &str) -> Option<Command> {
    let there = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pywb");
    let path = there.join("bin").join(name);
    let mut command = Command::new("python3");
    command.arg(&path).env("PYTHONPATH", &there).current_dir(home);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    path.is_file().then_some(command)
}

impl Pywb {
    fn start(home: &Path, warc: &str) -> Option<Self> {
        for args in [&["init", "c1"][..], &["add", "c1", warc]] {
            let status = program(home, "wb-manager")?.args(args).status().expect("python runs");
            assert!(status.success(), "wb-manager {args:?}");
        }
        let port =
            TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
        let mut wayback = program(home, "wayback")?;
        wayback.args(["-p", &port.to_string(), "-b", "127.0.0.1"]);
        let daemon = Self { child: wayback.spawn().expect("python runs"), port };
        let listens = || TcpStream::connect(("127.0.0.1", port)).is_ok();
        let is_up = (0..TRIES_MAX).any(|_| {
            listens() || {
                sleep(Duration::from_millis(100));
                false
            }
        });
        assert!(is_up, "wayback listens");
        Some(daemon)
    }
}

#[test]
fn each_interface_of_pywb_gives_the_nearest_copy() {
    let site = ruin();
    let uri = site.uri(1, "/a");
    let times = ["2001-02-03T04:05:06Z", "2006-02-03T04:05:06Z", "2011-02-03T04:05:06Z"];
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>";
    let records = times.map(|time| record("response", &uri, time, page));
    let links = [uri.clone(), site.uri(1, "/b")];
    let home = directory(&[("a.md", &crate::document(&links))]);
    let file = File::options().write(true).open(home.path().join("a.md")).expect("a document");
    // The first of January of 2007.
    let date = UNIX_EPOCH + Duration::from_secs(1_167_609_600);
    file.set_modified(date).expect("a date");
    write(home.path(), "x.warc.gz", gzip(&records));
    let Some(daemon) = Pywb::start(home.path(), "x.warc.gz") else {
        // It is no package of Debian, and cannot be installed everywhere.
        let mark = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pywb-absent");
        assert!(mark.is_file(), "tests/support/servers/fetch has not tried to install pywb");
        return;
    };
    for interface in ["timemap/link/", "timemap/cdxj/", "timemap/json/", ""] {
        let service = format!("--archive=http://127.0.0.1:{}/c1/{interface}", daemon.port);
        let (records, told) = run(home.path(), &[&service], &["a.md"]);
        let found = addresses(&records);
        assert!(found[0].1.contains("/20060203040506"), "{interface}: {found:?} {told}");
        assert!(found[0].1.ends_with(&uri), "{interface}: {found:?}");
        assert_eq!(found[1].1, "none", "{interface}: {told}");
    }
}
