//! Schemes without a probe, with a class and a reason for each.
//!
//! Some are never followed from text, because that runs code or opens local resources; some name no
//! location; some have a location, and no probe speaks their protocol.

use crate::finding::{Class, Reach};

/// The probe's name in records: none.
const NAME: &str = "none";

/// Schemes that share a class and a reason.
struct Row {
    class: Class,
    why: &'static str,
    schemes: &'static [&'static str],
}

const fn never(why: &'static str, schemes: &'static [&'static str]) -> Row {
    Row { class: Class::PolicyScheme, why, schemes }
}

const fn unverifiable(why: &'static str, schemes: &'static [&'static str]) -> Row {
    Row { class: Class::Unverifiable, why, schemes }
}

#[rustfmt::skip]
static ROWS: &[Row] = &[
    never("it runs code, and is never followed from text", &["javascript", "vbscript"]),
    never("it is its own content, and is never followed from text", &["data", "blob"]),
    never("it opens a resource of this machine", &["file", "unix", "jdbc", "chrome", "about"]),
    never("it holds another link, which is not followed through it", &["view-source", "jar"]),
    never("it makes this machine install a program", &["apt", "steam", "adiumxtra"]),
    unverifiable(
        "AFS is a file system that is mounted, not asked; the documents of 1993 and 1994 mention \
         it as history",
        &["afs"],
    ),
    unverifiable(
        "Prospero answers by UDP alone (RFC 4157), and no current client speaks it",
        &["prospero"],
    ),
    unverifiable(
        "it was kept for further study (RFC 1630), and its syntax was never defined",
        &["x500", "whois++"],
    ),
    unverifiable(
        "it names a message or a part of one, which is looked for where mail links to it and \
         nowhere else",
        &["mid", "cid"],
    ),
    unverifiable("it is a person's number or account, which is never called", &[
        "acct", "aim", "callto", "facetime", "h323", "iax", "im", "jabber", "matrix", "pres", "sip",
        "sips", "skype", "sms", "tel", "xcon", "xmpp", "ymsgr",
    ]),
    // RFC 1738 §4; RFC 6196 calls it historic.
    unverifiable(
        "it names data that a server sends by mail, and no mail is sent",
        &["mailserver"],
    ),
    unverifiable("it names a thing, not its location", &[
        "crid", "doi", "go", "info", "ni", "nih", "opaquelocktoken", "pkcs11", "tag", "tv",
        "uuid-in-package",
    ]),
    unverifiable(
        "it names something by its content, of which any peer may have a copy",
        &["dweb", "ed2k", "ipfs", "ipns", "magnet"],
    ),
    unverifiable(
        "it is a place on Earth or a sum of money, not a network resource",
        &["bitcoin", "geo", "maps"],
    ),
    unverifiable("it opens a program of the reader's, which alone can resolve it", &[
        "docker", "feed", "fish", "mumble", "service", "spotify", "teamspeak", "ut2004",
        "ventrilo",
    ]),
    unverifiable("no probe speaks its protocol, which begins with TLS", &[
        "amqps", "coaps", "gemini", "imaps", "ipps", "ircs", "ldaps", "mqtts", "msrps", "rediss",
        "rtsps", "smtps", "soap.beeps", "stuns", "turns", "wss",
    ]),
    unverifiable("no probe speaks its protocol", &[
        "afp", "amqp", "bzr", "coap", "cvs", "dav", "dict", "dns", "finger", "git", "hdfs", "icap",
        "imap", "ipp", "irc", "irc6", "iris", "iris.beep", "jms", "ldap", "mms", "mongodb", "mqtt",
        "msrp", "mysql", "nfs", "pop", "postgres", "postgresql", "redis", "rmi", "rsync", "rtmp",
        "rtsp", "s3", "scp", "sftp", "shttp", "sieve", "smb", "smtp", "snmp", "soap.beep", "ssh",
        "stun", "svn", "tftp", "tip", "turn", "udp", "vemmi", "vnc", "whois", "ws", "xmlrpc.beep",
        "z39.50", "z39.50r", "z39.50s",
    ]),
];

/// The reason for experimental schemes (RFC 1738 §4).
const EXPERIMENTAL: &str = "x- marks an experimental scheme, whose meaning is private";
const UNKNOWN: &str = "the scheme is unknown";

/// Returns the result for links of `scheme`, which is in lower case, if no probe handles it.
#[must_use]
pub fn unasked(scheme: &str) -> Reach {
    let (class, why) = reason(scheme);
    Reach::new(class, NAME, why)
}

fn reason(scheme: &str) -> (Class, &'static str) {
    match ROWS.iter().find(|row| row.schemes.contains(&scheme)) {
        Some(row) => (row.class, row.why),
        None if scheme.starts_with("x-") => (Class::Unverifiable, EXPERIMENTAL),
        None => (Class::Unverifiable, UNKNOWN),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{PROBES, find};
    use super::{EXPERIMENTAL, ROWS, UNKNOWN, reason};
    use crate::finding::Class;
    use crate::scheme::{TABLE, is_http};

    #[test]
    fn every_scheme_of_the_table_is_asked_or_has_a_reason() {
        for scheme in TABLE {
            let is_web = is_http(scheme.name.as_bytes());
            let is_asked = is_web || find(scheme.name).is_some();
            let has_reason = reason(scheme.name).1 != UNKNOWN;
            assert!(is_asked || has_reason, "{}", scheme.name);
        }
    }

    #[test]
    fn no_scheme_has_two_reasons_and_all_are_in_the_table() {
        let names = || ROWS.iter().flat_map(|row| row.schemes);
        let distinct: BTreeSet<_> = names().collect();
        assert_eq!(distinct.len(), names().count());
        for name in names() {
            assert!(TABLE.iter().any(|scheme| scheme.name == *name), "{name}");
        }
    }

    #[test]
    fn a_reason_says_where_a_protocol_begins_with_tls() {
        for scheme in TABLE {
            let why = reason(scheme.name).1;
            if why.starts_with("no probe speaks its protocol") {
                assert_eq!(why.contains("TLS"), scheme.is_tls(), "{}", scheme.name);
            }
        }
    }

    #[test]
    fn no_probe_asks_for_what_is_never_followed() {
        let never = ROWS.iter().filter(|row| row.class == Class::PolicyScheme);
        for scheme in never.flat_map(|row| row.schemes) {
            assert!(PROBES.iter().all(|probe| !probe.schemes().contains(scheme)), "{scheme}");
        }
    }

    #[test]
    fn schemes_of_nobody_have_a_reason_too() {
        assert_eq!(reason("x-exec"), (Class::Unverifiable, EXPERIMENTAL));
        assert_eq!(reason("magic"), (Class::Unverifiable, UNKNOWN));
        assert_eq!(reason("javascript").0, Class::PolicyScheme);
    }

    #[test]
    fn a_mail_server_is_no_person() {
        let (class, why) = reason("mailserver");
        assert_eq!(class, Class::Unverifiable);
        assert!(why.contains("sends by mail") && !why.contains("person"), "{why}");
    }
}
