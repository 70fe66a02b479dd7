//! Daemons of Debian that listen by themselves: Apache, HAProxy, tinyproxy, Unbound, and Postfix's
//! smtp-sink. Each is ended with its test.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::place::{home, installed, unprivileged, write};

/// Ports that are tried: another process may take one between us and the daemon.
const TRIES_MAX: usize = 8;
/// How often a daemon that runs is asked whether it listens.
const LOOKS_MAX: usize = 3000;
const LOOK_GAP: Duration = Duration::from_millis(10);

/// A daemon.
pub(crate) struct Standing {
    /// Where it listens: an address that no other test has, and a port.
    pub(crate) address: SocketAddr,
    child: Child,
    home: TempDir,
}

impl Standing {
    /// Starts what `command` makes of a directory and an address.
    fn start(home: TempDir, command: impl Fn(&Path, SocketAddr) -> Command) -> Self {
        let (mut home, mut said) = (Some(home), String::new());
        for _ in 0..TRIES_MAX {
            let folder = home.take().expect("given back");
            let address = free_address();
            let log = fs::File::create(folder.path().join("said")).expect("a file");
            let child = command(folder.path(), address)
                .stdin(Stdio::null())
                .stdout(log.try_clone().expect("one more descriptor"))
                .stderr(log)
                .spawn()
                .expect("the daemon starts");
            let mut daemon = Self { address, child, home: folder };
            if daemon.listens() {
                return daemon;
            }
            said = daemon.text("said");
            home = Some(daemon.into_home());
        }
        panic!("the daemon ends before it listens, and says: {said}");
    }

    /// Reports whether the daemon listens; false if it has ended.
    fn listens(&mut self) -> bool {
        for _ in 0..LOOKS_MAX {
            if self.child.try_wait().expect("our child").is_some() {
                return false;
            }
            if TcpStream::connect(self.address).is_ok() {
                return true;
            }
            thread::sleep(LOOK_GAP);
        }
        false
    }

    fn into_home(mut self) -> TempDir {
        self.end();
        std::mem::replace(&mut self.home, home())
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Returns the content of one of its files.
    pub(crate) fn text(&self, file: &str) -> String {
        let text = fs::read(self.home.path().join(file)).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        self.end();
    }
}

/// An address of loopback that is this process's own, and a port that is free there.
fn free_address() -> SocketAddr {
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    let host = Ipv4Addr::new(127, 64 | high, middle, low.max(1));
    let listener = TcpListener::bind((host, 0)).expect("a free port");
    listener.local_addr().expect("its address")
}

/// Apache, with `page.html`, which has the place `a`; it has moved `/moved` there for good, lost
/// `/gone`, forbids `/shut/`, and wants a login for `/secret/`.
pub(crate) fn apache() -> Standing {
    let program = installed("usr/sbin/apache2", "apache2-bin");
    let modules = installed("usr/lib/apache2/modules", "apache2-bin");
    let home = home();
    write(home.path(), "www/page.html", "<h1 id=\"a\">page</h1>\n");
    write(home.path(), "www/secret/a.txt", "");
    write(home.path(), "www/shut/a.txt", "");
    let names = [
        "mpm_event",
        "authz_core",
        "authn_core",
        "authn_file",
        "authz_user",
        "auth_basic",
        "alias",
        "mime",
        "dir",
    ];
    let load =
        |name: &str| format!("LoadModule {name}_module {}/mod_{name}.so\n", modules.display());
    let load: String = names.into_iter().map(load).collect();
    Standing::start(home, move |home, address| {
        let place = home.display();
        let text = format!(
            "ServerRoot {place}\nServerName localhost\nPidFile {place}/pid\n\
             DefaultRuntimeDir {place}\nErrorLog {place}/errors\nListen {address}\n\
             {load}DocumentRoot {place}/www\nTypesConfig /dev/null\nAddType text/html .html\n\
             Redirect permanent /moved http://{address}/page.html\nRedirect gone /gone\n\
             <Directory {place}/www/shut>\nRequire all denied\n</Directory>\n\
             <Directory {place}/www/secret>\nAuthType Basic\nAuthName x\n\
             AuthUserFile {place}/nobody\nRequire valid-user\n</Directory>\n"
        );
        write(home, "apache.conf", &text);
        let mut command = unprivileged(&program);
        command.arg("-f").arg(home.join("apache.conf")).arg("-DFOREGROUND");
        command
    })
}

/// HAProxy, which answers by itself: `/busy` is 503 with a time to come back, `/drop` is
/// dropped, `/tarpit` is held for a minute, all else is there. Of one client it takes
/// two connections at once: one may be a last one that is about to end.
pub(crate) fn haproxy() -> Standing {
    let program = installed("usr/sbin/haproxy", "haproxy");
    Standing::start(home(), move |home, address| {
        let text = format!(
            "global\n maxconn 200\ndefaults\n mode http\n timeout client 60s\n \
             timeout server 60s\n timeout connect 60s\n timeout tarpit 60s\n\
             frontend f\n bind {address}\n \
             stick-table type ip size 1k store conn_cur\n tcp-request connection track-sc0 src\n \
             tcp-request connection reject if {{ sc0_conn_cur gt 2 }}\n \
             http-request return status 503 hdr Retry-After 7 if {{ path /busy }}\n \
             http-request silent-drop if {{ path /drop }}\n \
             http-request tarpit if {{ path /tarpit }}\n http-request return status 200\n"
        );
        write(home, "haproxy.cfg", &text);
        let mut command = unprivileged(&program);
        command.arg("-db").arg("-f").arg(home.join("haproxy.cfg"));
        command
    })
}

/// tinyproxy, which writes to its file `said` what it is asked for.
pub(crate) fn tinyproxy() -> Standing {
    let program = installed("usr/bin/tinyproxy", "tinyproxy-bin");
    Standing::start(home(), move |home, address| {
        let (port, host) = (address.port(), address.ip());
        let text = format!("Port {port}\nListen {host}\nMaxClients 100\nLogLevel Info\n");
        write(home, "tinyproxy.conf", &text);
        let mut command = unprivileged(&program);
        command.arg("-d").arg("-c").arg(home.join("tinyproxy.conf"));
        command
    })
}

/// Unbound, a name server that has one zone and refuses to speak of others, over UDP and TCP.
pub(crate) fn unbound(zone: &str, records: &str) -> Standing {
    let program = installed("usr/sbin/unbound", "unbound");
    let home = home();
    write(home.path(), "zone", records);
    let zone = zone.to_owned();
    Standing::start(home, move |home, address| {
        let (place, host, port) = (home.display(), address.ip(), address.port());
        // It asks nobody itself, and who asks it for what it does not have is refused. Without
        // that nothing would be in `test` (RFC 6761 §6.2).
        let text = format!(
            "server:\n interface: {host}@{port}\n username: \"\"\n chroot: \"\"\n \
             directory: {place}\n pidfile: \"\"\n use-syslog: no\n do-daemonize: no\n \
             module-config: iterator\n access-control: 127.0.0.0/8 refuse_non_local\n \
             local-zone: test. nodefault\n\
             remote-control:\n control-enable: no\n\
             auth-zone:\n name: {zone}\n zonefile: zone\n for-upstream: no\n"
        );
        write(home, "unbound.conf", &text);
        let mut command = unprivileged(&program);
        command.arg("-d").arg("-p").arg("-c").arg(home.join("unbound.conf"));
        command
    })
}

/// smtp-sink, which takes all mail and writes each line of its dialogues to its file `said`.
pub(crate) fn smtp_sink() -> Standing {
    let program = installed("usr/sbin/smtp-sink", "postfix");
    Standing::start(home(), move |_, address| {
        let mut command = unprivileged(&program);
        command.arg("-v").arg(format!("inet:{address}")).arg("100");
        command
    })
}
