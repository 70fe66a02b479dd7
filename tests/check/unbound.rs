//! Names whose answers come from a real name server, Unbound: what its zone holds, what it does not
//! hold, what is not its business, and what is too long for a datagram.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use crate::ask;
use crate::daemons::class;
use crate::support::servers::site::{Reply, Request, Site};
use crate::support::servers::standing;

/// A master file (RFC 1035 §5.1), in which names that end without a dot are in `zone.test`.
const ZONE: &str = r#"$TTL 60
@       SOA   ns hostmaster 1 3600 600 86400 60
@       NS    ns
ns      A     127.0.7.1
web     A     127.0.7.1
*.wild  A     127.0.7.1
inside  A     10.0.0.1
six     AAAA  fd00::1
first   CNAME second
second  CNAME third
third   CNAME web
lost    CNAME absent
away    CNAME web.foreign.test.
circle  CNAME circular
circular CNAME circle
text    TXT   "no address"
mail    MX    10 web
nomail  MX    0 .
lostmail MX   10 absent
"#;

/// Addresses of `many`: at 16 bytes each (RFC 1035 §3.2.1, with the name as a pointer) more
/// than the 1232 bytes that a datagram holds at most, and the 512 where nobody asked for more.
const MANY: u8 = 120;

fn zone() -> String {
    let addresses: String = (1..=MANY).map(|low| format!("many A 127.0.7.{low}\n")).collect();
    format!("{ZONE}{addresses}")
}

/// A question for the addresses of `many.zone.test`, by UDP (RFC 1035 §4.1).
const QUESTION: &[u8] = b"\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x04many\x04zone\x04test\0\0\x01\0\x01";
/// The third byte of an answer has the bit TC, for what was cut off.
const TRUNCATED: u8 = 0b10;

/// Returns the answer of `server` to the question, in one datagram.
fn datagram(server: SocketAddr) -> Vec<u8> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
    socket.send_to(QUESTION, server).expect("loopback");
    let mut answer = [0; 4096];
    let len = socket.recv(&mut answer).expect("an answer");
    answer[..len].to_vec()
}

#[test]
fn a_real_name_server_is_understood() {
    let server = standing::unbound("zone.test", &zone());
    let site = Site::start(|_: &Request| Reply::code(200));
    let cut = datagram(server.address);
    assert!(cut[..2] == QUESTION[..2] && cut[2] & TRUNCATED != 0, "{cut:?}");
    assert_eq!(cut[6..8], [0, 0], "no address is in what came: TCP alone has them");
    let cases = [
        ("web", "ok"),
        ("a.b.wild", "ok"),
        ("first", "ok"),
        ("many", "ok"),
        ("inside", "policy-address"),
        ("six", "policy-address"),
        ("absent", "dns-nxdomain"),
        ("lost", "dns-nxdomain"),
        ("text", "dns-nxdomain"),
        ("away", "dns-failure"),
        ("circle", "dns-nxdomain"),
    ];
    let web = |(name, _): &(&str, _)| format!("http://{name}.zone.test:{}/{name}", site.port);
    let mut uris: Vec<_> = cases.iter().map(web).collect();
    uris.push(format!("http://foreign.test:{}/", site.port));
    let mails = ["mail", "web", "nomail", "lostmail", "absent"];
    uris.extend(mails.map(|name| format!("mailto:a@{name}.zone.test")));
    let classes = cases.iter().map(|(_, class)| *class).chain(["dns-failure"]);
    let mail_classes = ["ok", "ok", "missing", "missing", "dns-nxdomain"];
    let name_server = format!("--name-server={}", server.address);
    let (lines, code) = ask(&uris, &["--host-gap=0s", "--no-robots", &name_server]);
    let said: Vec<_> = lines.iter().map(|line| class(line)).collect();
    assert_eq!(said, classes.chain(mail_classes).collect::<Vec<_>>(), "{lines:#?}");
    assert_eq!(code, Some(1));
    let says = |uri: &str, words: &str| {
        assert!(lines.iter().any(|line| line.contains(uri) && line.contains(words)), "{lines:#?}");
    };
    says("text.zone.test", "the name has no address");
    says("circle.zone.test", "the name has no address");
    says("lostmail.zone.test", "none of the domain's mail exchangers exists");
    says("six.zone.test", "fd00::1");
    says("foreign.test", "Query Refused");
    let mut asked = site.lines();
    asked.sort();
    assert_eq!(asked, ["HEAD /a.b.wild", "HEAD /first", "HEAD /many", "HEAD /web"]);
}
