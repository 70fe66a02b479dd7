//! Decides whether a link is good or bad: the only place that does.

use std::ops::RangeInclusive;

use memchr::memmem;

use super::{Checks, Unchecked};
use crate::finding::{Class, Cue, Finding, Reach, Syntax, Verdict, Warning, is_inaccessible};
use crate::grammar::{self, split};
use crate::scheme;

/// Judges a finding by its text alone. A fault by a requested grammar is an error, and a lint
/// without a fault is a warning; so is a fault that every browser accepts.
///
/// A URI that was cut is not judged.
pub(super) fn text(
    syntax: &[Syntax],
    warnings: &[Warning],
    found: &Unchecked<'_>,
    checks: &Checks,
) -> Verdict {
    if found.is_cut {
        Verdict::Skipped
    } else if syntax.iter().any(|syntax| syntax.fault.is_some()) {
        if is_taken(found, checks) { Verdict::Warn } else { Verdict::Error }
    } else if !warnings.is_empty() {
        Verdict::Warn
    } else {
        Verdict::Ok
    }
}

/// Reports whether a link has a fault that makes no difference to its reader. In a document, a
/// `data` URI or a program in a `javascript` URI leads nowhere, and is read as written; the `@` of
/// an address may be escaped against robots, as Sphinx does, and is decoded when the address is
/// read; and a `#` in a fragment is never sent. Clients of clusters take a list of hosts.
fn is_taken(found: &Unchecked<'_>, checks: &Checks) -> bool {
    let text = found.text;
    let fits = |read: Vec<u8>| {
        checks.grammars.iter().all(|&grammar| {
            let references = found.is_relative().then(|| grammar::of_references(grammar));
            references.unwrap_or(grammar).check(&read).is_ok()
        })
    };
    match (found.cue, found.scheme.map(|scheme| scheme.name)) {
        (Cue::Markup, Some("data" | "javascript")) => true,
        (Cue::Markup, Some("mailto")) => with_at(text).is_some_and(fits),
        _ if found.scheme.is_none_or(|scheme| scheme.class != scheme::Class::Web)
            && with_one_host(text).is_some_and(fits) =>
        {
            true
        }
        (Cue::Markup, _) => with_hashes(text).is_some_and(fits),
        _ => false,
    }
}

/// Returns `text` with only the first of the hosts, some with ports, between the commas of its
/// authority: `mongodb://a:27017,b:27017/db` (MongoDB, "Connection String"; libpq, "Specifying
/// Multiple Hosts").
fn with_one_host(text: &[u8]) -> Option<Vec<u8>> {
    let start = memmem::find(text, b"://")? + 3;
    let rest = text.get(start..)?;
    let end = memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = memchr::memrchr(b'@', authority).map_or(0, |at| at + 1);
    let hosts = authority.get(host..)?;
    let first = hosts.get(..memchr::memchr(b',', hosts)?)?;
    let is_of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(byte);
    let is_one = |host: &[u8]| !host.is_empty() && host.iter().all(is_of_host);
    let before = text.get(..start + host)?;
    hosts.split(|byte| *byte == b',').all(is_one).then(|| [before, first, path].concat())
}

/// Returns `text` with the first escape of an `@` decoded.
fn with_at(text: &[u8]) -> Option<Vec<u8>> {
    const AT: &[u8] = b"%40";
    let (before, after) = text.split_at(memmem::find(text, AT)?);
    Some([before, b"@", after.get(AT.len()..).unwrap_or_default()].concat())
}

/// Returns `text` with each `#` in its fragment escaped.
fn with_hashes(text: &[u8]) -> Option<Vec<u8>> {
    let (before, fragment) = text.split_at(memchr::memchr(b'#', text)? + 1);
    memchr::memchr(b'#', fragment)?;
    let parts: Vec<&[u8]> = fragment.split(|byte| *byte == b'#').collect();
    Some([before, &parts.join(&b"%23"[..])].concat())
}

/// The user's rules for verdicts on responses.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The last exception that fits decides.
    pub exceptions: Vec<Exception>,
    /// Status codes of HTTP that count as alive.
    pub accept: Vec<Accept>,
    /// The number of runs in a row in which a link must be dead to be an error; until then it is a
    /// warning.
    pub confirm: u32,
    /// The rules by which links count as dead.
    pub counting: Counting,
}

/// Rules by which links count as dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// The verdicts of [`CLASSES`](crate::finding::CLASSES).
    #[default]
    Classes,
    /// The rules of the study of the Pew Research Center of 2024: a link that was requested is
    /// either inaccessible, which is an error, or not. Warnings about its text do not count.
    Pew,
}

impl Counting {
    /// Returns the verdict for `reach` by rules that are not those of the classes.
    fn of(self, reach: &Reach) -> Option<Verdict> {
        match self {
            Self::Classes => None,
            Self::Pew => {
                if is_inaccessible(reach.class, reach.probe, reach.status)? {
                    Some(Verdict::Error)
                } else {
                    Some(Verdict::Ok)
                }
            }
        }
    }
}

/// A range of status codes, both ends included.
pub type Accept = RangeInclusive<u16>;

/// The verdict for classes of responses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The classes.
    pub classes: Vec<Class>,
    /// Only for this host, in lower case, and those below it.
    pub host: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Judges a finding by both its text and the result of probing it.
///
/// `asked` is the URI that was requested, if one was. The worse of both verdicts counts; a skipped
/// link is neither good nor bad, but a warning about its text stays one.
#[must_use]
pub fn judge(
    finding: &Finding<'_>,
    reach: &Reach,
    asked: Option<&[u8]>,
    policy: &Policy,
) -> Verdict {
    let text = match policy.counting.of(reach) {
        Some(_) => Verdict::Ok,
        None => finding.facts.verdict,
    };
    match (text, policy.of(reach, asked)) {
        (Verdict::Error | Verdict::Skipped, _) => text,
        (_, Verdict::Error) => Verdict::Error,
        (Verdict::Warn, _) => Verdict::Warn,
        (_, answer) => answer,
    }
}

/// Returns `finding` as skipped, with its verdict recorded as a known problem.
#[must_use]
pub fn forgive<'f>(finding: &Finding<'f>) -> Finding<'f> {
    Finding { known: Some(finding.verdict), verdict: Verdict::Skipped, ..finding.clone() }
}

impl Policy {
    /// Reports whether the status code of `reach` is accepted, whatever its class.
    #[must_use]
    pub fn accepts(&self, reach: &Reach) -> bool {
        let is_code = |code| self.accept.iter().any(|codes| codes.contains(&code));
        reach.probe == Reach::HTTP && reach.status.is_some_and(is_code)
    }

    /// Reports whether a link with the result `reach` is dead. `asked` is the URI that was
    /// requested.
    #[must_use]
    pub fn is_dead(&self, reach: &Reach, asked: &[u8]) -> bool {
        self.of(reach, Some(asked)) == Verdict::Error
    }

    /// Returns the verdict for `reach`.
    fn of(&self, reach: &Reach, asked: Option<&[u8]>) -> Verdict {
        if self.accepts(reach) {
            return Verdict::Ok;
        }
        let fits = |exception: &&Exception| exception.fits(reach.class, asked);
        let exception = self.exceptions.iter().rev().find(fits);
        let counted = || self.counting.of(reach).unwrap_or(reach.class.row().verdict);
        let verdict = exception.map_or_else(counted, |exception| exception.verdict);
        let is_young = reach.dead_runs.is_some_and(|runs| runs < self.confirm);
        if verdict == Verdict::Error && is_young { Verdict::Warn } else { verdict }
    }
}

impl Exception {
    fn fits(&self, class: Class, asked: Option<&[u8]>) -> bool {
        let is_below = |wanted: &str| {
            let host = asked.and_then(|uri| Some(split(uri).host?.of(uri).to_ascii_lowercase()));
            let rest = host.as_deref().and_then(|host| host.strip_suffix(wanted.as_bytes()));
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(b"."))
        };
        self.classes.contains(&class) && self.host.as_deref().is_none_or(is_below)
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Counting, Exception, Policy, Reach, Verdict, with_one_host};

    #[test]
    fn a_list_of_hosts_has_a_first_one() {
        for (text, expected) in [
            ("mongodb://u:p@a:1,b:2/db", Some("mongodb://u:p@a:1/db")),
            ("kafka://a:9092,b:9092", Some("kafka://a:9092")),
            ("x://a:1,b c/", None),
            ("x://a:1,/", None),
            ("x://a:1/b,c", None),
        ] {
            let one = with_one_host(text.as_bytes());
            assert_eq!(one.as_deref(), expected.map(str::as_bytes), "{text}");
        }
    }

    #[test]
    fn the_last_exception_that_fits_decides() {
        let of = |classes: &[Class], host: Option<&str>, verdict| Exception {
            classes: classes.to_vec(),
            host: host.map(str::to_owned),
            verdict,
        };
        let policy = Policy {
            exceptions: vec![
                of(&[Class::Timeout, Class::Refused], None, Verdict::Ok),
                of(&[Class::Timeout], Some("slow.example"), Verdict::Warn),
            ],
            accept: vec![404..=404],
            confirm: 3,
            counting: Counting::Classes,
        };
        let case = |class, host: &str, verdict| {
            let reach = Reach::new(class, "ftp", "");
            let uri = format!("ftp://{host}:21/a");
            assert_eq!(policy.of(&reach, Some(uri.as_bytes())), verdict, "{class:?} {host}");
        };
        case(Class::Timeout, "h", Verdict::Ok);
        case(Class::Timeout, "slow.example", Verdict::Warn);
        case(Class::Timeout, "WWW.Slow.example", Verdict::Warn);
        case(Class::Timeout, "notslow.example", Verdict::Ok);
        case(Class::Refused, "slow.example", Verdict::Ok);
        case(Class::Gone, "h", Verdict::Error);
        for (runs, verdict) in [(1, Verdict::Warn), (2, Verdict::Warn), (3, Verdict::Error)] {
            let gone = Reach { dead_runs: Some(runs), ..Reach::new(Class::Gone, "http", "") };
            assert_eq!(policy.of(&gone, None), verdict);
        }
        let missing = Reach::new(Class::Missing, "http", "").with_status(404);
        assert_eq!(policy.of(&missing, None), Verdict::Ok);
        let other = Reach::new(Class::Missing, "ftp", "").with_status(404);
        assert_eq!(policy.of(&other, None), Verdict::Error);
    }

    #[test]
    fn a_study_counts_by_its_own_rules() {
        let gone =
            vec![Exception { classes: vec![Class::Gone], host: None, verdict: Verdict::Warn }];
        let pew = |exceptions: Vec<Exception>| Policy {
            exceptions,
            counting: Counting::Pew,
            ..Policy::default()
        };
        let case = |policy: &Policy, class, status: Option<u16>, verdict| {
            let reach = Reach { status, ..Reach::new(class, "http", "") };
            assert_eq!(policy.of(&reach, None), verdict, "{class:?} {status:?}");
        };
        case(&pew(Vec::new()), Class::Alive, Some(204), Verdict::Error);
        case(&pew(Vec::new()), Class::ServerError, Some(504), Verdict::Ok);
        case(&pew(Vec::new()), Class::Forbidden, Some(403), Verdict::Ok);
        case(&pew(Vec::new()), Class::TlsExpired, None, Verdict::Ok);
        case(&pew(Vec::new()), Class::DnsFailure, None, Verdict::Error);
        case(&pew(Vec::new()), Class::PolicyRobots, None, Verdict::Skipped);
        // The user's rules precede all others.
        case(&pew(gone), Class::Gone, Some(410), Verdict::Warn);
        let local = Reach::new(Class::FragmentMissing, "local", "");
        assert_eq!(pew(Vec::new()).of(&local, None), Verdict::Error);
    }
}
