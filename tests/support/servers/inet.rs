//! Daemons of Debian that speak in lines: vsftpd, pyftpdlib, Gophernicus, INN's nnrpd, telnetd.
//!
//! All but pyftpdlib are of the kind that inetd starts, with a connection for standard input
//! and output; this file is their inetd, so that none needs a port of its own. `place` says
//! where they are looked for, and as whom they run.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

use super::place::{directory, home, installed, unprivileged, write};

/// A daemon that is started for each connection. Its files stay as long as this does.
pub(crate) struct Inet {
    pub(crate) port: u16,
    _home: TempDir,
}

impl Inet {
    fn start(home: TempDir, command: impl Fn() -> Command + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        // Ends with the test's process.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = OwnedFd::from(stream.expect("a connection"));
                let output = stream.try_clone().expect("one more descriptor");
                let mut child = command()
                    .stdin(Stdio::from(stream))
                    .stdout(Stdio::from(output))
                    .stderr(Stdio::null())
                    .spawn()
                    .expect("the daemon starts");
                thread::spawn(move || child.wait());
            }
        });
        Self { port, _home: home }
    }
}

/// vsftpd, with `file.txt`, `pub/a b.txt`, and `shut`, which nobody may enter.
pub(crate) fn vsftpd() -> Inet {
    let program = installed("usr/sbin/vsftpd", "vsftpd");
    let home = home();
    files(home.path());
    directory(home.path(), &home.path().join("empty"));
    let place = home.path().display();
    write(
        home.path(),
        "vsftpd.conf",
        format!(
            "listen=NO\nrun_as_launching_user=YES\nanonymous_enable=YES\nanon_root={place}/ftp\n\
             seccomp_sandbox=NO\nsecure_chroot_dir={place}/empty\nftp_username=nobody\n"
        ),
    );
    let configuration = home.path().join("vsftpd.conf");
    Inet::start(home, move || {
        let mut command = unprivileged(&program);
        command.arg(&configuration);
        command
    })
}

/// Writes the files of the FTP servers.
fn files(home: &Path) {
    write(home, "ftp/file.txt", "text\n");
    write(home, "ftp/pub/a b.txt", "text\n");
    write(home, "ftp/shut/a.txt", "text\n");
    fs::set_permissions(home.join("ftp/shut"), Permissions::from_mode(0o0)).expect("ours");
    // vsftpd lets nobody in whose own root can be written to.
    fs::set_permissions(home.join("ftp"), Permissions::from_mode(0o555)).expect("ours");
}

/// Gophernicus, with a menu, `file.txt` and `image.png`.
pub(crate) fn gophernicus() -> Inet {
    let program = installed("usr/sbin/gophernicus", "gophernicus");
    let home = home();
    write(home.path(), "gopher/gophermap", "iHello\tfake\t(NULL)\t0\n0File\tfile.txt\n");
    write(home.path(), "gopher/file.txt", "text\n");
    write(home.path(), "gopher/sub/file.txt", "text\n");
    write(home.path(), "gopher/image.png", "\u{1}\u{2}");
    let root = home.path().join("gopher");
    Inet::start(home, move || {
        let mut command = unprivileged(&program);
        command.arg("-r").arg(&root).args(["-h", "localhost", "-p", "70", "-nf", "-nu"]);
        command
    })
}

/// telnetd, which would run `cat` for its login.
pub(crate) fn telnetd() -> Inet {
    let program = installed("usr/sbin/telnetd", "inetutils-telnetd");
    Inet::start(home(), move || {
        let mut command = unprivileged(&program);
        command.args(["-h", "-U", "-E", "/bin/cat"]);
        command
    })
}

/// nnrpd, with three articles in `test.a`, none in `test.empty`, and `secret.a`, which it does
/// not show.
pub(crate) fn nnrpd() -> Inet {
    let program = installed("usr/lib/news/bin/nnrpd", "inn2");
    let home = home();
    let place = home.path();
    let bin = program.parent().expect("a directory");
    write(place, "etc/inn.conf", inn_conf(place, bin));
    write(
        place,
        "etc/readers.conf",
        "auth \"all\" {\n hosts: \"127.0.0.1, localhost\"\n default: \"<all>\"\n}\n\
         access \"all\" {\n users: \"<all>\"\n newsgroups: \"test.*\"\n access: R\n}\n",
    );
    write(place, "etc/storage.conf", "method tradspool {\n newsgroups: *\n class: 0\n}\n");
    write(place, "etc/expire.ctl", "/remember/:11\n*:A:1:10:never\n");
    let group = |name: &str, last: u32| format!("{name} {last:010} 0000000001 y\n");
    let active = [group("secret.a", 0), group("test.a", 3), group("test.empty", 0)].concat();
    write(place, "db/active", &active);
    write(place, "db/newsgroups", "test.a\tA group.\n");
    write(place, "db/active.times", "");
    for name in ["spool/overview", "spool/incoming", "run", "log", "tmp", "filter"] {
        directory(place, &place.join(name));
    }
    for number in 1..=3 {
        write(place, &format!("spool/articles/test/a/{number}"), article(number));
    }
    let configuration = place.join("etc/inn.conf");
    // Its index takes 140 MB when nobody says that there are few articles.
    let made = unprivileged(&bin.join("makehistory"))
        .env("INNCONF", &configuration)
        .args(["-O", "-s", "1000"])
        .output()
        .expect("makehistory runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Inet::start(home, move || {
        let mut command = unprivileged(&program);
        command.env("INNCONF", &configuration);
        command
    })
}

fn article(number: u32) -> String {
    format!(
        "Path: localhost!not-for-mail\r\nFrom: a@example.org\r\nNewsgroups: test.a\r\n\
         Subject: {number}\r\nDate: Thu, 01 Dec 1994 00:00:00 GMT\r\n\
         Message-ID: <{number}@example.org>\r\nXref: localhost test.a:{number}\r\n\
         Lines: 1\r\n\r\ntext\r\n"
    )
}

/// The name of the user or group that daemons run as.
fn own_name(flag: &str) -> String {
    let output = unprivileged(Path::new("/usr/bin/id")).arg(flag).output().expect("id runs");
    String::from_utf8(output.stdout).expect("a name").trim().to_owned()
}

fn inn_conf(place: &Path, bin: &Path) -> String {
    let news = bin.parent().expect("a directory").display();
    let (place, bin) = (place.display(), bin.display());
    let (user, group) = (own_name("-un"), own_name("-gn"));
    format!(
        "mta: \"/bin/true %s\"\novmethod: tradindexed\nhismethod: hisv6\npathhost: localhost\n\
         domain: localhost.localdomain\nnnrpdloadlimit: 0\nrunasuser: {user}\nrunasgroup: {group}\n\
         enableoverview: true\npathnews: {news}\npathbin: {bin}\npathhttp: {place}\n\
         patharticles: {place}/spool/articles\npathdb: {place}/db\npathetc: {place}/etc\n\
         pathfilter: {place}/filter\npathincoming: {place}/spool/incoming\n\
         pathlog: {place}/log\npathoutgoing: {place}/spool\n\
         pathoverview: {place}/spool/overview\npathrun: {place}/run\n\
         pathspool: {place}/spool\npathtmp: {place}/tmp\n"
    )
}

/// A daemon that listens by itself, and is ended with this.
pub(crate) struct Daemon {
    pub(crate) port: u16,
    child: Child,
    home: TempDir,
}

impl Daemon {
    /// Reports whether a client requested a data connection.
    pub(crate) fn has_bounced(&self) -> bool {
        self.home.path().join("bounced").exists()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts an FTP server in Python that knows `MLST`, with the files of [`vsftpd`]. It sends a
/// client that requests a data connection to another host, and records that.
pub(crate) fn pyftpdlib() -> Daemon {
    const SERVER: &str = r#"
import os, sys
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer

class Bouncer(FTPHandler):
    def bounce(self, line):
        open(os.path.join(sys.argv[1], "bounced"), "w").close()
        self.respond("227 Entering Passive Mode (10,0,0,1,0,25).")
    ftp_PASV = ftp_EPSV = ftp_PORT = ftp_EPRT = ftp_LIST = ftp_NLST = ftp_MLSD = ftp_RETR = bounce

authorizer = DummyAuthorizer()
authorizer.add_anonymous(os.path.join(sys.argv[1], "ftp"))
Bouncer.authorizer = authorizer
server = FTPServer(("127.0.0.1", 0), Bouncer)
print(server.address[1], flush=True)
server.serve_forever()
"#;
    let library = installed("usr/lib/python3/dist-packages/pyftpdlib", "python3-pyftpdlib");
    let home = home();
    files(home.path());
    let mut child = unprivileged(Path::new("/usr/bin/python3"))
        .env("PYTHONPATH", library.parent().expect("a directory"))
        .args(["-W", "ignore", "-c", SERVER])
        .arg(home.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Debian's Python starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("it is a pipe");
    BufReader::new(output).read_line(&mut line).expect("its port");
    let port = line.trim().parse().expect("a number");
    Daemon { port, child, home }
}
