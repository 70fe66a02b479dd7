//! What asking learnt about a link: the classes of answers, and one answer.
//!
//! Nothing here says good or bad but the table's default, which `check::judge` may be told to
//! overrule.

use std::fmt;

use super::Verdict;
use crate::uri::Guarded;

/// What kind of answer a link gave, or why it was not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// It answers.
    Alive,
    /// It answers at another address, and says so for good.
    Redirected,
    /// It was there and is gone for good.
    Gone,
    /// It is not there.
    Missing,
    /// It is there, and the place in it that the fragment names is not.
    FragmentMissing,
    /// A file of this name is there, written in another case.
    WrongCase,
    /// A local target lies outside of the tree that is checked.
    OutsideRoot,
    /// The server refuses to show it.
    Forbidden,
    /// The server turns away programs, not readers.
    Blocked,
    /// The server asks us to come later.
    Throttled,
    /// It is shown only to those who log in.
    AuthRequired,
    /// The server fails.
    ServerError,
    /// The host's name does not exist.
    DnsNxdomain,
    /// The host's name could not be looked up.
    DnsFailure,
    /// The host refuses connections.
    Refused,
    /// No way leads to the host.
    Unreachable,
    /// No answer came in time.
    Timeout,
    /// The certificate is past its time.
    TlsExpired,
    /// The certificate's time has not come.
    TlsNotYet,
    /// The certificate is for another name.
    TlsName,
    /// Nobody we trust signed the certificate.
    TlsIssuer,
    /// The certificate is signed by itself.
    TlsSelfSigned,
    /// The certificate was revoked.
    TlsRevoked,
    /// The server speaks no version of TLS that is safe.
    TlsLegacy,
    /// TLS fails in another way.
    TlsFailed,
    /// What answers does not speak the protocol.
    ProtocolError,
    /// Nobody can tell from here.
    Unverifiable,
    /// Asking may change something: unsubscribe, confirm, delete.
    SideEffect,
    /// The address is not one that strangers may make us ask.
    PolicyAddress,
    /// The port is not one that this scheme is asked at.
    PolicyPort,
    /// The site's robots.txt asks programs not to come here.
    PolicyRobots,
    /// The scheme is never followed from text.
    PolicyScheme,
    /// An argument would smuggle a line into the protocol.
    PolicyArgument,
    /// More links of one host than are asked.
    PolicyLimit,
    /// It was to be asked, and the run was stopped before.
    NotAsked,
}

/// One row of the table of classes.
pub struct ClassRow {
    /// The class.
    pub class: Class,
    /// Its name in records and options.
    pub name: &'static str,
    /// What it makes of a link, unless somebody says otherwise.
    pub verdict: Verdict,
    /// What it means, in one line.
    pub about: &'static str,
}

const fn row(class: Class, name: &'static str, verdict: Verdict, about: &'static str) -> ClassRow {
    ClassRow { class, name, verdict, about }
}

/// Every class, in the order of [`Class`].
#[rustfmt::skip]
pub static CLASSES: &[ClassRow] = {
    use Class::*;
    use Verdict::{Error, Ok, Skipped, Warn};
    &[
    row(Alive, "alive", Ok, "it answers"),
    row(Redirected, "redirected", Warn, "it has moved for good, and answers there"),
    row(Gone, "gone", Error, "it was there and is gone for good"),
    row(Missing, "missing", Error, "it is not there"),
    row(FragmentMissing, "fragment-missing", Error, "the page is there, the place in it is not"),
    row(WrongCase, "wrong-case", Error, "the file is there under a name in another case"),
    row(OutsideRoot, "outside-root", Error, "the target lies outside of the tree"),
    row(Forbidden, "forbidden", Warn, "the server refuses to show it"),
    row(Blocked, "blocked", Warn, "the server turns programs away"),
    row(Throttled, "throttled", Warn, "the server asks to come later"),
    row(AuthRequired, "auth-required", Warn, "it is shown after a login only"),
    row(ServerError, "server-error", Error, "the server fails"),
    row(DnsNxdomain, "dns-nxdomain", Error, "the host's name does not exist"),
    row(DnsFailure, "dns-failure", Warn, "the host's name could not be looked up"),
    row(Refused, "refused", Error, "the host refuses connections"),
    row(Unreachable, "unreachable", Error, "no way leads to the host"),
    row(Timeout, "timeout", Error, "no answer came in time"),
    row(TlsExpired, "tls-expired", Error, "the certificate is past its time"),
    row(TlsNotYet, "tls-not-yet", Error, "the certificate's time has not come"),
    row(TlsName, "tls-name", Error, "the certificate is for another name"),
    row(TlsIssuer, "tls-issuer", Error, "nobody trusted signed the certificate"),
    row(TlsSelfSigned, "tls-self-signed", Error, "the certificate is signed by itself"),
    row(TlsRevoked, "tls-revoked", Error, "the certificate was revoked"),
    row(TlsLegacy, "tls-legacy", Error, "the server speaks no safe version of TLS"),
    row(TlsFailed, "tls-failed", Error, "TLS fails in another way"),
    row(ProtocolError, "protocol-error", Error, "what answers does not speak the protocol"),
    row(Unverifiable, "unverifiable", Skipped, "nobody can tell from here"),
    row(SideEffect, "side-effect", Skipped, "asking might unsubscribe, confirm or delete"),
    row(PolicyAddress, "policy-address", Skipped, "the address is not a public one"),
    row(PolicyPort, "policy-port", Skipped, "the port is not one this scheme is asked at"),
    row(PolicyRobots, "policy-robots", Skipped, "robots.txt asks programs not to come"),
    row(PolicyScheme, "policy-scheme", Skipped, "the scheme is never followed from text"),
    row(PolicyArgument, "policy-argument", Skipped, "it would smuggle a line into the protocol"),
    row(PolicyLimit, "policy-limit", Skipped, "more links of one host than are asked"),
    row(NotAsked, "not-asked", Skipped, "it was not asked in this run"),
]
};

impl Class {
    /// Its row in the table.
    #[must_use]
    pub fn row(self) -> &'static ClassRow {
        // The table is in the order of the classes, which a test holds it to.
        CLASSES.get(self as usize).unwrap_or(&CLASSES[0])
    }

    /// The class called `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        CLASSES.iter().find(|row| row.name == name).map(|row| row.class)
    }
}

/// What was learnt about one link. It judges nothing.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reach {
    /// What kind of answer.
    pub class: Class,
    /// What asked: the probe's name; `local` for files, `none` where nobody was asked.
    pub probe: &'static str,
    /// The code of the last reply, in protocols that have one.
    pub status: Option<u16>,
    /// What was expected and what was found, in one sentence without a full stop. It may
    /// quote a server: whoever prints it escapes it, and hides passwords.
    pub message: String,
    /// Where it was sent on to, in order.
    pub hops: Vec<Hop>,
    /// What may have been meant.
    pub hint: Option<String>,
    /// Runs in a row that found it dead; none where nobody counts them.
    pub dead_runs: Option<u32>,
}

/// One redirect.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Hop {
    /// The code that said so.
    pub status: u16,
    /// The URI that it sent us to, absolute. It may hold a password.
    pub to: Vec<u8>,
}

/// Shows no password: a server may be quoted, and a link in a hint.
impl fmt::Debug for Reach {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hint = self.hint.as_ref().map(|hint| Guarded::new(hint.as_bytes()));
        out.debug_struct("Reach")
            .field("class", &self.class)
            .field("probe", &self.probe)
            .field("status", &self.status)
            .field("message", &Guarded::new(self.message.as_bytes()))
            .field("hops", &self.hops)
            .field("hint", &hint)
            .field("dead_runs", &self.dead_runs)
            .finish()
    }
}

/// Shows no password.
impl fmt::Debug for Hop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = Guarded::new(&self.to);
        out.debug_struct("Hop").field("status", &self.status).field("to", &to).finish()
    }
}

impl Reach {
    /// What `probe` learnt, without more.
    #[must_use]
    pub fn new(class: Class, probe: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { class, probe, status: None, message, hops: Vec::new(), hint: None, dead_runs: None }
    }

    /// The same, from a reply with a code.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status: Some(status), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, Class, Hop, Reach};

    #[test]
    fn debug_shows_no_password() {
        let to = b"http://u:secret@h/".to_vec();
        let hint = Some("ftp://u:secret@h/".to_owned());
        let message = "found http://u:secret@h/";
        let reach = Reach { hint, ..Reach::new(Class::Missing, "http", message) };
        let shown = format!("{:?}", Reach { hops: vec![Hop { status: 301, to }], ..reach });
        assert!(!shown.contains("secret") && shown.matches("***").count() == 3, "{shown}");
    }

    #[test]
    fn the_table_is_in_the_order_of_the_classes() {
        for (idx, row) in CLASSES.iter().enumerate() {
            assert_eq!((row.class as usize, row.class.row().name), (idx, row.name));
            assert_eq!(Class::find(row.name), Some(row.class));
        }
        assert_eq!(CLASSES.len(), Class::NotAsked as usize + 1);
    }
}
