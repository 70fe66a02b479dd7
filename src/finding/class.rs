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
    /// The server answers as it does for an invented name: the page may be missing.
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
    /// The server limits the rate, and requests a later attempt.
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
        "The link leads to what it names, as far as a program can tell. Whether the content has \
         changed is not verified, unless --drift is given.",
        "Nothing has to be done.",
    ).answer("HTTP 200 to 299; FTP 213; NNTP 211, 223; a menu or a file of gopher")),
    row(Redirected, "redirected", Warn,
        ("it has moved permanently, and answers there", "RFC 9110 §15.4"), help(
        "The server declares that the old address will not be kept. Readers still arrive, one \
         request later, until the redirect is removed.",
        "Replace the link by the new address, which the report shows.",
    ).answer("HTTP 301, 308")),
    row(Gone, "gone", Error, ("it existed and is gone permanently", "RFC 9110 §15.5.11"), help(
        "The server declares that the page was removed and will not return.",
        "Remove the link, or link to a copy in an archive of the Web.",
    ).answer("HTTP 410")),
    row(Missing, "missing", Error, ("it does not exist", "RFC 9110 §15.5.5"), help(
        "A reader who follows the link gets an error page, or no file, article or group.",
        "Look for a typing error (the hint names a likely target), find its new address, or link \
         to a copy in an archive.",
    ).answer("HTTP 404; FTP 550; NNTP 411, 420, 423, 430; a file that is not there")),
    row(SoftMissing, "soft-404", Warn,
        ("it answers as an invented name does", "RFC 9110 §15.5.5"), help(
        "The server answers any name with status 200 and the same page, or redirects it to the \
         same place: the page may be missing without an error status.",
        "Open it in a browser. `--verdict soft-404@HOST=ok` accepts a host that shows one page \
         for all names.",
    ).answer("with --soft-404, HTTP 200 and the page that an invented name beside it gets")),
    row(FragmentMissing, "fragment-missing", Error,
        ("the page exists, the fragment does not", "RFC 3986 §3.5"), help(
        "The reader arrives at the top of the page and has to search. The usual cause is a \
         renamed heading.",
        "Write the current identifier; the hint names the nearest one. `--fragments none` turns \
         the check off.",
    ).answer("a document without an element, heading or anchor of that name")),
    row(WrongCase, "wrong-case", Error,
        ("the file's name differs in case", "RFC 3986 §6.2.2.1"), help(
        "The link works on file systems that ignore case, as on many writers' machines, and fails \
         on the server.",
        "Write the name exactly as the file has it.",
    ).answer("Guide.md where the file is guide.md")),
    row(OutsideRoot, "outside-root", Error,
        ("the target is outside of the tree", "RFC 3986 §5.2.4"), help(
        "A site has nothing above its root: there, the link leads elsewhere than here.",
        "Move the file into the tree, or name the root of the tree with --root-dir.",
    ).answer("../secret.md at the root")),
    row(Forbidden, "forbidden", Warn, ("the server refuses to show it", "RFC 9110 §15.5.4"), help(
        "Readers may still see it: many servers refuse programs alone, so this does not prove \
         that the link is dead.",
        "Open it in a browser. `--verdict forbidden=ok` accepts such answers.",
    ).answer("HTTP 402, 403, 405, 406, 423, 451; FTP 505 to 599; NNTP 502")),
    row(Blocked, "blocked", Warn, ("the server blocks programs", "RFC 9110 §15.5.4"), help(
        "A protection service answers in place of the site, so the state of the link is unknown.",
        "Open it in a browser. `--verdict blocked@HOST=ok` accepts a host that is known to work.",
    ).answer("HTTP 418, 430, 999; 403 or 503 with the marks of a protection service")),
    row(Throttled, "throttled", Warn,
        ("the server limits the rate of requests", "RFC 6585 §4"), help(
        "The server received too many requests, from this program or from others. The state of \
         the link is unknown.",
        "Run again later with --state, which requests only what is missing; --host-gap waits \
         longer between requests to a host.",
    ).answer("HTTP 429, 509, 529; FTP 421; NNTP 400")),
    row(AuthRequired, "auth-required", Warn,
        ("it requires a login", "RFC 9110 §15.5.2"), help(
        "Readers without an account see nothing. The program never logs in, so it cannot tell \
         whether the page exists.",
        "Mention the login beside the link. `--verdict auth-required=ok` where all readers have \
         an account.",
    ).answer("HTTP 401, 407, 440, 498, 561; FTP 332, 530; NNTP 480, 483")),
    row(ServerError, "server-error", Error, ("the server fails", "RFC 9110 §15.6"), help(
        "A reader who follows the link gets an error. It may be temporary: the request was \
         repeated, unless the answer says that a retry cannot help.",
        "Run again later. `--confirm N` reports a link as dead only after N failed runs.",
    ).answer("HTTP 400, 500, 502 to 504 and the rest of 4xx and 5xx; NNTP 403")),
    row(DnsNxdomain, "dns-nxdomain", Error,
        ("the host's name does not exist", "RFC 2308 §2.1"), help(
        "The name does not exist, or has no address. If its domain is no longer registered, a \
         stranger can buy it and answer in its place.",
        "Look for a typing error in the name, or for the site's new address; otherwise remove the \
         link.",
    ).asked("http://nothing.invalid/")),
    row(DnsFailure, "dns-failure", Warn,
        ("the host's name could not be looked up", "RFC 2308 §7"), help(
        "No name server gave an answer, so it is unknown whether the host exists. The cause may \
         be this machine's network.",
        "Run again later, or choose another server with --name-server.",
    ).answer("DNS SERVFAIL, REFUSED, or silence")),
    row(Refused, "refused", Error, ("the host refuses connections", "RFC 9293 §3.5.2"), help(
        "The host exists, and no server listens on the port, or a firewall rejects connections.",
        "Look whether the service has moved to another port or protocol. Run again later.",
    ).answer("TCP RST in reply to SYN")),
    row(Unreachable, "unreachable", Error, ("the host is unreachable", "RFC 792"), help(
        "A router reports that the network or the host cannot be reached.",
        "Run again later, and from another network if it lasts.",
    ).answer("ICMP unreachable; a name without addresses")),
    row(Timeout, "timeout", Error, ("no answer arrived in time", "RFC 9110 §15.5.9"), help(
        "Readers wait as long, and give up. Some hosts delay programs on purpose.",
        "Run again later, or with a longer --timeout. `--verdict timeout@HOST=warn` accepts a \
         host that is slow.",
    ).answer("nothing within --timeout; HTTP 408")),
    row(TlsExpired, "tls-expired", Error,
        ("the certificate has expired", "RFC 5280 §4.1.2.5"), help(
        "Browsers stop readers with a warning. The site's owner forgot to renew it, or has left.",
        "Inform the owner. Until then, link to a copy in an archive, or keep the link.",
    ).answer("a notAfter in the past")),
    row(TlsNotYet, "tls-not-yet", Error,
        ("the certificate is not valid yet", "RFC 5280 §4.1.2.5"), help(
        "Browsers stop readers with a warning. The usual cause is a wrong clock: the server's, or \
         this machine's.",
        "Check this machine's clock first; then inform the owner.",
    ).answer("a notBefore in the future")),
    row(TlsName, "tls-name", Error, ("the certificate is for another name", "RFC 9525 §6"), help(
        "Browsers stop readers with a warning: the server cannot prove that it is the host of the \
         link.",
        "Write the name that the certificate has, often with or without www, or inform the owner.",
    ).answer("no subjectAltName that matches the host")),
    row(TlsIssuer, "tls-issuer", Error,
        ("no trusted authority signed the certificate", "RFC 5280 §6.1"), help(
        "Browsers stop readers with a warning. A certificate alone that says where that of its \
         issuer is, which browsers fetch or have, is `unverifiable` instead.",
        "Name the authority with --ca-file if it is your own; otherwise inform the owner.",
    ).answer("a chain that ends at no authority that browsers ship")),
    row(TlsSelfSigned, "tls-self-signed", Error,
        ("the certificate is self-signed", "RFC 5280 §3.2"), help(
        "Browsers stop readers with a warning: no authority vouches for the server's identity.",
        "Name the certificate with --ca-file if the server is your own; otherwise inform the \
         owner.",
    ).answer("a certificate that is its own issuer")),
    row(TlsRevoked, "tls-revoked", Error, ("the certificate was revoked", "RFC 5280 §5"), help(
        "Its authority declares that it must not be trusted: its key may have been stolen.",
        "Do not follow the link. Inform the owner.",
    ).answer("a certificate in a revocation list")),
    row(TlsLegacy, "tls-legacy", Error,
        ("the server supports no safe version of TLS", "RFC 8996"), help(
        "Browsers refuse to connect: TLS 1.0 and 1.1 can be broken.",
        "Inform the owner. The program never falls back to an older version.",
    ).answer("an alert protocol_version")),
    row(TlsFailed, "tls-failed", Error, ("TLS fails in another way", "RFC 8446 §6"), help(
        "Browsers show an error. A server that does not speak TLS on the port is the usual \
         cause.",
        "Look whether the link should be http, or have another port.",
    ).answer("a handshake that breaks off; text in place of TLS")),
    row(ProtocolError, "protocol-error", Error,
        ("the server does not speak the protocol", "RFC 9112 §2"), help(
        "A server answers, but not in the protocol of the link's scheme.",
        "Look whether the scheme or the port is wrong.",
    ).answer("no status line; a redirect without a target")),
    row(Unverifiable, "unverifiable", Skipped,
        ("its state cannot be determined", "RFC 3986 §1.2.2"), help(
        "The link names something that is on no network, such as an XML namespace, or that no \
         program can request without a side effect.",
        "Check it by hand where it matters.",
    ).asked("tel:+1-201-555-0123")),
    row(SideEffect, "side-effect", Skipped,
        ("a request might unsubscribe, confirm or delete", "RFC 9110 §9.2.1"), help(
        "Links in mail act for their recipient: to follow one is to press its button.",
        "Nothing has to be done. `--probe-side-effects` requests them nevertheless.",
    ).answer("a List-Unsubscribe field; /unsubscribe?token=… in mail")),
    row(PolicyAddress, "policy-address", Skipped,
        ("the address is not a public one", "RFC 6890 §2.2"), help(
        "Text from strangers must not make this machine connect to itself or to its own network.",
        "Allow the network with --allow-net or --allow-private if the text is your own.",
    ).asked("http://127.0.0.1/")),
    row(PolicyPort, "policy-port", Skipped,
        ("the port is not allowed for the scheme", "RFC 3986 §7.2"), help(
        "A link to the port of another service talks to it in the reader's name: a way to send \
         mail or to print.",
        "Allow the network with --allow-net if the text is your own.",
    ).asked("http://192.0.2.1:25/")),
    row(PolicyRobots, "policy-robots", Skipped,
        ("robots.txt disallows the request", "RFC 9309 §2.2"), help(
        "The site's owner asks programs not to request the page.",
        "Open it in a browser, or give --no-robots with the owner's permission; --own-host for \
         your own site.",
    ).answer("Disallow: / in robots.txt")),
    row(PolicyScheme, "policy-scheme", Skipped,
        ("the scheme is never followed from text", "RFC 3986 §7.6"), help(
        "To follow such a link is to run a program, or to open a file of this machine, that a \
         stranger chose.",
        "Nothing has to be done; if a link to a file is meant, make it relative.",
    ).asked("javascript:alert(1)")),
    row(PolicyArgument, "policy-argument", Skipped,
        ("it would inject a line into the protocol", "RFC 4266 §4"), help(
        "Decoded, the link contains a line end, and the server would execute the text after it \
         as a command.",
        "Remove the escape of the line end.",
    ).asked("gopher://192.0.2.1/1a%0D%0Ab")),
    row(PolicyLimit, "policy-limit", Skipped,
        ("more links of one host than the limit allows", ""), help(
        "The option --max-urls-per-host limits the requests to one host.",
        "Raise --max-urls-per-host, or remove it.",
    ).answer("links of one host beyond --max-urls-per-host")),
    row(Wrapped, "wrapped", Skipped,
        ("a mail gateway wrapped it and hides its target", ""), help(
        "A gateway replaced the link by a URL of its own, which does not contain the target. A \
         request would be recorded there as a click, so none is sent.",
        "Look for the link in a copy of the message that passed no such gateway. `--no-unwrap` \
         treats gateways as other hosts.",
    ).asked("https://protect-us.mimecast.com/s/a1B2c3D4")),
    row(NotAsked, "not-asked", Skipped, ("it was not probed in this run", ""), help(
        "A signal stopped the run before its turn, the run was offline, or this machine could not \
         connect: it has no route, or no more files, ports or buffers.",
        "Run again; with --state, the run continues where it stopped. If files ran out, raise \
         `ulimit -n`.",
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
