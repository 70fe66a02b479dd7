//! Lists the classes of probe results, each with its default verdict.
//!
//! Nothing here probes or decides: probes report a class, and `check::judge` a verdict.

use super::Verdict;
use super::help::{Help, help};

/// The class of a probe result, or the reason why there was no probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// The target exists.
    Alive,
    /// The target has permanently moved to another address.
    Redirected,
    /// The target is permanently gone.
    Gone,
    /// The target does not exist.
    Missing,
    /// The target answers as a name that nobody has does: its page may be missing.
    SoftMissing,
    /// The target exists, but the fragment names no anchor in it.
    FragmentMissing,
    /// A file of this name exists in another case.
    WrongCase,
    /// A local target lies outside of the checked tree.
    OutsideRoot,
    /// The server refuses to show it.
    Forbidden,
    /// The server rejects programs, but not readers.
    Blocked,
    /// The server asks to come back later.
    Throttled,
    /// The target requires a login.
    AuthRequired,
    /// The server fails.
    ServerError,
    /// The host's name does not exist.
    DnsNxdomain,
    /// The host's name could not be looked up.
    DnsFailure,
    /// The host refuses connections.
    Refused,
    /// There is no route to the host.
    Unreachable,
    /// No response came in time.
    Timeout,
    /// The certificate has expired.
    TlsExpired,
    /// The certificate is not valid yet.
    TlsNotYet,
    /// The certificate is for another name.
    TlsName,
    /// No trusted authority signed the certificate.
    TlsIssuer,
    /// The certificate is self-signed.
    TlsSelfSigned,
    /// The certificate was revoked.
    TlsRevoked,
    /// The server supports no secure version of TLS.
    TlsLegacy,
    /// TLS fails in another way.
    TlsFailed,
    /// The server does not speak the protocol.
    ProtocolError,
    /// The state of the target cannot be determined.
    Unverifiable,
    /// A request may have a side effect: unsubscribe, confirm, delete.
    SideEffect,
    /// The address is one to which links from strangers may cause no request.
    PolicyAddress,
    /// The port is not allowed for this scheme.
    PolicyPort,
    /// The site's robots.txt forbids the request.
    PolicyRobots,
    /// The scheme is never followed from text.
    PolicyScheme,
    /// An argument would inject a line into the protocol.
    PolicyArgument,
    /// The host has more links than the limit allows.
    PolicyLimit,
    /// A mail gateway wrapped the link, and its target is unknown.
    Wrapped,
    /// The run was stopped before the target was probed.
    NotAsked,
}

/// One row of the table of classes.
pub struct ClassRow {
    /// The class.
    pub class: Class,
    /// Its name in records and options.
    pub name: &'static str,
    /// Its verdict, unless options set another one.
    pub verdict: Verdict,
    /// Its meaning, in one line.
    pub about: &'static str,
    /// The document and section that define it; empty if it is our own choice.
    pub spec: &'static str,
    /// Why it matters, and what to do about it.
    pub help: Help,
}

/// Creates a row. What the class means is followed by the section that defines it.
const fn row(
    class: Class,
    name: &'static str,
    verdict: Verdict,
    (about, spec): (&'static str, &'static str),
    help: Help,
) -> ClassRow {
    ClassRow { class, name, verdict, about, spec, help }
}

/// All classes, in the order of [`Class`].
#[rustfmt::skip]
pub static CLASSES: &[ClassRow] = {
    use Class::*;
    use Verdict::{Error, Ok, Skipped, Warn};
    &[
    row(Alive, "alive", Ok, ("it answers", "RFC 9110 §15.3"), help(
        "The link leads to what it names, as far as a program can tell; that the page still says \
         what it said is not asked.",
        "Nothing has to be done.",
    ).answer("HTTP 200 to 299; FTP 213; NNTP 211, 223; a menu or a file of gopher")),
    row(Redirected, "redirected", Warn,
        ("it has moved for good, and answers there", "RFC 9110 §15.4"), help(
        "The server says that the old address will not be kept. Readers still arrive, one \
         request later, until it stops.",
        "Write the address that it has moved to, which the report tells.",
    ).answer("HTTP 301, 308")),
    row(Gone, "gone", Error, ("it was there and is gone for good", "RFC 9110 §15.5.11"), help(
        "The server says that it will not come back, which it would not say of a slip.",
        "Take the link away, or link to a copy in an archive of the Web.",
    ).answer("HTTP 410")),
    row(Missing, "missing", Error, ("it is not there", "RFC 9110 §15.5.5"), help(
        "Whoever follows the link finds an error page, or no file, article or group.",
        "Look for a slip, the hint tells what may have been meant; look for where it went, or \
         link to a copy in an archive.",
    ).answer("HTTP 404; FTP 550; NNTP 411, 420, 423, 430; a file that is not there")),
    row(SoftMissing, "soft-404", Warn,
        ("it answers as a name does that nothing has", "RFC 9110 §15.5.5"), help(
        "The server says 200 to any name, and shows the same page or leads to the same place: \
         the page may be missing, and the server does not say so.",
        "Look yourself. `--verdict soft-404@HOST=ok` for a host that shows one page for all.",
    ).answer("with --soft-404, HTTP 200 and the page that an invented name beside it gets")),
    row(FragmentMissing, "fragment-missing", Error,
        ("the page is there, the place in it is not", "RFC 3986 §3.5"), help(
        "The reader arrives at the top of the page and has to search. A heading was renamed, \
         mostly.",
        "Write the identifier that the place has today; the hint tells the nearest. `--fragments \
         none` looks for none.",
    ).answer("a document without an element, heading or anchor of that name")),
    row(WrongCase, "wrong-case", Error,
        ("the file is there under a name in another case", "RFC 3986 §6.2.2.1"), help(
        "It works where file names have no case, on a writer's machine, and fails on the server.",
        "Write the name as the file has it, letter by letter.",
    ).answer("Guide.md where the file is guide.md")),
    row(OutsideRoot, "outside-root", Error,
        ("the target lies outside of the tree", "RFC 3986 §5.2.4"), help(
        "On the site nothing stands above the root: the link leads elsewhere there than here.",
        "Move the file into the tree, or say by --root-dir where the tree begins.",
    ).answer("../secret.md at the root")),
    row(Forbidden, "forbidden", Warn, ("the server refuses to show it", "RFC 9110 §15.5.4"), help(
        "It may well be there for readers. Many servers say so to programs alone, so that it is \
         no proof of a dead link.",
        "Look yourself. `--verdict forbidden=ok` for those that are known to be well.",
    ).answer("HTTP 402, 403, 405, 406, 423, 451; FTP 505 to 599; NNTP 502")),
    row(Blocked, "blocked", Warn, ("the server turns programs away", "RFC 9110 §15.5.4"), help(
        "A guard in front of the site answers in its place: nothing is learnt of the link.",
        "Look yourself. `--verdict blocked@HOST=ok` where it is known to be well.",
    ).answer("HTTP 418, 999; 403 or 503 with the marks of a guard")),
    row(Throttled, "throttled", Warn, ("the server asks to come later", "RFC 6585 §4"), help(
        "Too much was asked, by us or by others. Nothing is learnt of the link.",
        "Run again later with --state, which asks only for what is missing; --host-gap leaves \
         hosts alone for longer.",
    ).answer("HTTP 429, 509, 529; FTP 421; NNTP 400")),
    row(AuthRequired, "auth-required", Warn,
        ("it is shown after a login only", "RFC 9110 §15.5.2"), help(
        "Readers without an account see nothing. We never log in, and so cannot tell whether it \
         is there.",
        "Say so beside the link. `--verdict auth-required=ok` where all readers have an account.",
    ).answer("HTTP 401, 407; FTP 332, 530; NNTP 480, 483")),
    row(ServerError, "server-error", Error, ("the server fails", "RFC 9110 §15.6"), help(
        "Whoever follows the link reads an error. It may pass: it was tried more than once, \
         unless the answer says that another try cannot help.",
        "Run again later. `--confirm N` calls nothing dead that was so in fewer runs.",
    ).answer("HTTP 400, 425, 500, 502 to 504 and the rest of 4xx and 5xx; NNTP 403")),
    row(DnsNxdomain, "dns-nxdomain", Error,
        ("the host's name does not exist", "RFC 2308 §2.1"), help(
        "Nobody has the name any more, so that anybody can buy it and answer in its place.",
        "Look for a slip in the name, or for where the site went; otherwise take the link away.",
    ).asked("http://nothing.invalid/")),
    row(DnsFailure, "dns-failure", Warn,
        ("the host's name could not be looked up", "RFC 2308 §7"), help(
        "No name server gave an answer, so that nobody knows whether the host is there. It may \
         be our own network.",
        "Run again later, or name another server with --name-server.",
    ).answer("DNS SERVFAIL, REFUSED, or silence")),
    row(Refused, "refused", Error, ("the host refuses connections", "RFC 9293 §3.5.2"), help(
        "The machine is there, and no server listens on the port, or a firewall answers in its \
         place.",
        "Look whether the service has another port or protocol today. Run again later.",
    ).answer("TCP RST where a connection was asked for")),
    row(Unreachable, "unreachable", Error, ("no way leads to the host", "RFC 792"), help(
        "A router says that the network or the host cannot be reached, or the host has no \
         address of a kind that we have.",
        "Look whether this machine has IPv6 where the host has nothing else. Run again later.",
    ).answer("ICMP unreachable; a name without addresses")),
    row(Timeout, "timeout", Error, ("no answer came in time", "RFC 9110 §15.5.9"), help(
        "Readers wait as long as we did, and give up. Some hosts let programs wait on purpose.",
        "Run again later, or with a longer --timeout. `--verdict timeout@HOST=warn` for a host \
         that is slow.",
    ).answer("nothing within --timeout; HTTP 408")),
    row(TlsExpired, "tls-expired", Error,
        ("the certificate is past its time", "RFC 5280 §4.1.2.5"), help(
        "Browsers stop readers with a warning. The site's owner forgot to renew, or has gone.",
        "Tell the owner. Until then link to a copy in an archive, or leave the link.",
    ).answer("a notAfter that has passed")),
    row(TlsNotYet, "tls-not-yet", Error,
        ("the certificate's time has not come", "RFC 5280 §4.1.2.5"), help(
        "Browsers stop readers with a warning. Mostly a clock is wrong: the server's, or the one \
         of this machine.",
        "Look at the clock here first; then tell the owner.",
    ).answer("a notBefore that has not come")),
    row(TlsName, "tls-name", Error, ("the certificate is for another name", "RFC 9525 §6"), help(
        "Browsers stop readers with a warning: what answers cannot show that it is who the link \
         names.",
        "Write the name that the certificate has, often with or without www, or tell the owner.",
    ).answer("no subjectAltName that fits the host")),
    row(TlsIssuer, "tls-issuer", Error,
        ("nobody trusted signed the certificate", "RFC 5280 §6.1"), help(
        "Browsers stop readers with a warning, or the server forgot to send a certificate in \
         between.",
        "Give --ca-file the authority where it is your own; otherwise tell the owner.",
    ).answer("a chain that ends at no authority that browsers ship")),
    row(TlsSelfSigned, "tls-self-signed", Error,
        ("the certificate is signed by itself", "RFC 5280 §3.2"), help(
        "Browsers stop readers with a warning: nobody but the server says who it is.",
        "Give --ca-file the certificate where the server is your own; otherwise tell the owner.",
    ).answer("a certificate that is its own issuer")),
    row(TlsRevoked, "tls-revoked", Error, ("the certificate was revoked", "RFC 5280 §5"), help(
        "Its authority says that it must not be trusted: its key may be in the hands of a \
         stranger.",
        "Do not follow the link. Tell the owner.",
    ).answer("a certificate in a list of revoked ones")),
    row(TlsLegacy, "tls-legacy", Error,
        ("the server speaks no safe version of TLS", "RFC 8996"), help(
        "Browsers refuse to connect: TLS 1.0 and 1.1 can be broken.",
        "Tell the owner. Nothing is asked again by an older version.",
    ).answer("an alert protocol_version")),
    row(TlsFailed, "tls-failed", Error, ("TLS fails in another way", "RFC 8446 §6"), help(
        "Browsers show an error. A server that does not speak TLS on the port is the usual \
         cause.",
        "Look whether the link should be http, or have another port.",
    ).answer("handshake_failure; text in place of TLS")),
    row(ProtocolError, "protocol-error", Error,
        ("what answers does not speak the protocol", "RFC 9112 §2"), help(
        "Something is there, and it is not what the link's scheme promises.",
        "Look whether the scheme or the port is wrong.",
    ).answer("no status line; a redirect without a target")),
    row(Unverifiable, "unverifiable", Skipped,
        ("nobody can tell from here", "RFC 3986 §1.2.2"), help(
        "The link names something that is on no network, as an XML namespace is, or that no \
         program can ask for without doing something.",
        "Look yourself where it matters.",
    ).asked("tel:+1-201-555-0123")),
    row(SideEffect, "side-effect", Skipped,
        ("asking might unsubscribe, confirm or delete", "RFC 9110 §9.2.1"), help(
        "Links of mail act on whoever they were sent to: to follow one is to press its button.",
        "Nothing has to be done. `--probe-side-effects` asks them all the same.",
    ).answer("a List-Unsubscribe field; /unsubscribe?token=… in mail")),
    row(PolicyAddress, "policy-address", Skipped,
        ("the address is not a public one", "RFC 6890 §2.2"), help(
        "Text of strangers must not make this machine connect to itself or to the network it \
         stands in.",
        "Open the network with --allow-net or --allow-private where the text is your own.",
    ).asked("http://127.0.0.1/")),
    row(PolicyPort, "policy-port", Skipped,
        ("the port is not one this scheme is asked at", "RFC 3986 §7.2"), help(
        "A link to the port of another service speaks to it in the name of whoever follows: a \
         way to send mail or to print.",
        "Open the network with --allow-net where the text is your own.",
    ).asked("http://192.0.2.1:25/")),
    row(PolicyRobots, "policy-robots", Skipped,
        ("robots.txt asks programs not to come", "RFC 9309 §2.2"), help(
        "The owner asks programs to leave the page alone, and this is one.",
        "Look yourself, or give --no-robots with the owner's leave; --own-host for your own \
         site.",
    ).answer("Disallow: / in robots.txt")),
    row(PolicyScheme, "policy-scheme", Skipped,
        ("the scheme is never followed from text", "RFC 3986 §7.6"), help(
        "To follow such a link is to run a program, or to open a file of this machine, that a \
         stranger named.",
        "Nothing has to be done; where a link to a file is meant, make it relative.",
    ).asked("javascript:alert(1)")),
    row(PolicyArgument, "policy-argument", Skipped,
        ("it would smuggle a line into the protocol", "RFC 4266 §4"), help(
        "Decoded, the link has a line end, and what stands behind it would be a command that its \
         writer gives the server.",
        "Take the escape of the line end out.",
    ).asked("gopher://192.0.2.1/1a%0D%0Ab")),
    row(PolicyLimit, "policy-limit", Skipped,
        ("more links of one host than are asked", ""), help(
        "So many questions to one host were not wanted.",
        "Give a greater --max-urls-per-host, or none.",
    ).answer("links of one host beyond --max-urls-per-host")),
    row(Wrapped, "wrapped", Skipped,
        ("a mail gateway wrapped it, and keeps where it leads", ""), help(
        "A gateway put its own URL in place of the link, and has the target to itself. It would \
         learn that somebody follows the link, and is never asked.",
        "Look for the link in a copy of the message that passed no such gateway. `--no-unwrap` \
         asks gateways as it asks other hosts.",
    ).asked("https://protect-us.mimecast.com/s/a1B2c3D4")),
    row(NotAsked, "not-asked", Skipped, ("it was not asked in this run", ""), help(
        "The run was stopped before its turn came, by a signal or since it was offline.",
        "Run again; with --state it goes on where it was.",
    ).answer("a run that SIGINT stopped")),
]
};

impl Class {
    /// Returns its row in the table.
    #[must_use]
    pub fn row(self) -> &'static ClassRow {
        // The table is in the order of the classes, as a test verifies.
        CLASSES.get(self as usize).unwrap_or(&CLASSES[0])
    }

    /// Returns the class called `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        CLASSES.iter().find(|row| row.name == name).map(|row| row.class)
    }
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, Class};

    #[test]
    fn the_table_is_in_the_order_of_the_classes() {
        for (idx, row) in CLASSES.iter().enumerate() {
            assert_eq!((row.class as usize, row.class.row().name), (idx, row.name));
            assert_eq!(Class::find(row.name), Some(row.class));
        }
        assert_eq!(CLASSES.len(), Class::NotAsked as usize + 1);
    }
}
