//! nginx, with a site for the tests of HTTP: on one port in clear, on another with TLS and
//! HTTP/2, at an address of loopback that no other server has.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;

use super::place::{home, installed, unprivileged, write};

/// Maximum number of tries to start it: a process that takes one of its ports in between keeps it
/// for long.
const STARTS_MAX: usize = 5;

/// The configuration of the site; the test decides the answer for each path.
const SITE: &str = include_str!("nginx.conf");

/// The running server; it ends with this.
pub(crate) struct Nginx {
    pub(crate) clear: SocketAddr,
    pub(crate) secure: SocketAddr,
    /// The certificate of the port with TLS, which is its own authority.
    pub(crate) certificate: Vec<u8>,
    child: Child,
    _home: TempDir,
}

impl Nginx {
    pub(crate) fn start() -> Self {
        let started = (0..STARTS_MAX).find_map(|_| Self::try_start());
        started.expect("nginx starts; it says above why it does not")
    }

    fn try_start() -> Option<Self> {
        static INSTANCES: AtomicU8 = AtomicU8::new(0);
        let [.., high, low] = std::process::id().to_be_bytes();
        let address = Ipv4Addr::new(127, 100 + INSTANCES.fetch_add(1, SeqCst), high, low);
        let home = home();
        let certificate = files(home.path(), address);
        let ports = [(); 2].map(|()| TcpListener::bind((address, 0)).expect("a free port"));
        let [clear, secure] = ports.each_ref().map(|port| port.local_addr().expect("bound"));
        drop(ports);
        let site = SITE.replace("CLEAR", &clear.to_string()).replace("SECURE", &secure.to_string());
        write(home.path(), "nginx.conf", &site);
        let mut command = unprivileged(&installed("usr/sbin/nginx", "nginx"));
        command.arg("-p").arg(home.path()).args(["-c", "nginx.conf", "-e", "stderr"]);
        let mut child = command.stdin(Stdio::null()).spawn().expect("nginx");
        while TcpStream::connect(secure).is_err() {
            if child.try_wait().expect("our child").is_some() {
                return None;
            }
            thread::yield_now();
        }
        Some(Self { clear, secure, certificate, child, _home: home })
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes what it serves and shows; gives its certificate.
fn files(home: &Path, address: Ipv4Addr) -> Vec<u8> {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec![address.to_string()]).expect("a certificate");
    write(home, "certificate.pem", cert.pem());
    write(home, "key.pem", signing_key.serialize_pem());
    write(home, "site/page.html", "<h1 id=\"a\">page</h1>\n");
    let mut coder = GzEncoder::new(Vec::new(), Compression::default());
    coder.write_all(b"<h1 id=\"a\">page</h1>\n").expect("memory");
    write(home, "site/coded.html.gz", coder.finish().expect("memory"));
    write(home, "site/latin1.html", b"<h1 id=\"caf\xE9\">coffee</h1>\n");
    write(home, "site/dir/index.html", "<p>index</p>\n");
    write(home, "site/caf\u{E9}.html", "<p>coffee</p>\n");
    write(home, "site/shut/a.txt", "text\n");
    write(home, "site/large.txt", "0123456789abcde\n".repeat(256 * 1024));
    write(home, "site/passwords", "");
    write(home, "site/robots.txt", "User-agent: *\nDisallow: /private\nCrawl-delay: 2\n");
    cert.der().to_vec()
}
