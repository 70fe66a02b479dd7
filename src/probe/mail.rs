//! Checks the addresses of `mailto` links as far as the domain name system allows.
//!
//! No mail server is ever contacted: a check of a recipient looks like spam, and many servers
//! accept recipients that they later refuse. `alive` therefore means that the domain accepts mail,
//! not that the recipient exists. Specifications: RFC 6068 §2 for the link, RFC 5321 §4.1.2 for
//! addresses and §5.1 for exchangers, RFC 6531 §3.3 for addresses beyond US-ASCII, RFC 7505 for
//! domains that accept no mail.

use std::collections::BTreeSet;

use tokio::time::timeout;

use super::guard::{Host, argument};
use super::tcp::Net;
use super::{Answer, AnswerFuture, Failure, Kept, Outcome, Probe, Question};
use crate::finding::{Class, Reach};
use crate::uri::Uri;

/// Maximum number of recipients of one link that are looked up: more than any program would fill
/// in.
const RECIPIENTS_MAX: usize = 50;
/// Maximum number of exchangers of one domain that are looked up: one that exists is enough.
const EXCHANGERS_MAX: usize = 8;
/// Maximum length of a local part in bytes (RFC 5321 §4.5.3.1.1).
const LOCAL_LEN_MAX: usize = 64;
/// The header fields of a link that hold recipients.
const RECIPIENT_FIELDS: [&[u8]; 3] = [b"to", b"cc", b"bcc"];

/// The probe for `mailto`.
pub struct Mail;

impl Probe for Mail {
    fn name(&self) -> &'static str {
        NAME
    }

    fn schemes(&self) -> &'static [&'static str] {
        &["mailto"]
    }

    fn ask<'a>(
        &'a self,
        question: Question<'a>,
        net: &'a Net,
        _: &'a mut Kept,
    ) -> AnswerFuture<'a> {
        Box::pin(async move {
            let asked = timeout(net.timeouts.total, ask(question.uri, net)).await;
            let late = |_| Err(Failure::new(Class::DnsFailure, "no name server answers in time"));
            asked.unwrap_or_else(late).unwrap_or_else(|failure| failure.into_answer(NAME))
        })
    }
}

const NAME: &str = "mail";

/// Returns `Alive` if the domain of every recipient accepts mail. Otherwise returns the first
/// failure, preferring failures that are evidence against the domain.
async fn ask(uri: Uri<'_>, net: &Net) -> Result<Answer, Failure> {
    let recipients = recipients(uri)?;
    if recipients.is_empty() {
        return Err(Failure::new(Class::Unverifiable, "the link names no recipient"));
    }
    let mut domains = BTreeSet::new();
    for recipient in recipients.iter().take(RECIPIENTS_MAX) {
        domains.insert(domain(recipient)?);
    }
    let mut failed = None;
    for domain in &domains {
        match takes_mail(domain, net).await {
            Ok(()) => {}
            // Failures that are no evidence are reported only if no other follows.
            Err(failure) if !is_evidence(&failure) => failed = failed.or(Some(failure)),
            Err(failure) => return Err(failure),
        }
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    let message = match recipients.len().saturating_sub(RECIPIENTS_MAX) {
        0 => "the domain accepts mail".to_owned(),
        more => format!("the domain accepts mail; {more} more recipients are not looked up"),
    };
    Ok(Answer::of(Outcome::Known(Reach::new(Class::Alive, NAME, message))))
}

/// Returns the decoded recipients of a link, from its path and its header fields (RFC 6068 §2).
///
/// # Errors
/// `PolicyArgument` if one of them holds a byte that ends a line of a protocol.
fn recipients(uri: Uri<'_>) -> Result<Vec<Vec<u8>>, Failure> {
    let mut lists = vec![argument::decoded(uri.path.of(uri.text))];
    let query = uri.query.map(|query| query.of(uri.text)).unwrap_or_default();
    for field in query.split(|byte| *byte == b'&') {
        let mut halves = field.splitn(2, |byte| *byte == b'=');
        let name = argument::decoded(halves.next().unwrap_or_default());
        if RECIPIENT_FIELDS.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            lists.push(argument::decoded(halves.next().unwrap_or_default()));
        }
    }
    for list in &lists {
        argument::wire_argument(list)?;
    }
    Ok(lists.iter().flat_map(|list| listed(list)).map(<[u8]>::to_vec).collect())
}

/// Returns the addresses of a list, without display names (RFC 5322 §3.4).
fn listed(list: &[u8]) -> Vec<&[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let items = list.split(|&byte| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'\\' if is_quoted && !was_escaped => is_escaped = true,
            b'"' if !was_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        byte == b',' && !is_quoted
    });
    items.map(bare).filter(|item| !item.is_empty()).collect()
}

/// Returns the text within the angle brackets at the end of `item`, or all of `item` without them.
fn bare(item: &[u8]) -> &[u8] {
    let item = item.trim_ascii();
    let inside = item.strip_suffix(b">").and_then(|item| {
        let open = memchr::memrchr(b'<', item)?;
        item.get(open + 1..)
    });
    inside.unwrap_or(item).trim_ascii()
}

/// Returns the domain of `recipient` in the form in which it is looked up.
fn domain(recipient: &[u8]) -> Result<String, Failure> {
    let missing = |why: &str| Failure::new(Class::Missing, format!("no mail address: {why}"));
    let Some(at) = memchr::memrchr(b'@', recipient) else {
        return Err(missing("expected an @ (RFC 5321 §4.1.2)"));
    };
    let (local, domain) = (recipient.get(..at), recipient.get(at + 1..));
    if !local.is_some_and(is_local) {
        return Err(missing("expected a local part before the @ (RFC 5321 §4.1.2)"));
    }
    let domain = domain.unwrap_or_default();
    if domain.starts_with(b"[") {
        let message = "mail to an address without a name cannot be looked up";
        return Err(Failure::new(Class::Unverifiable, message));
    }
    if domain.is_empty() {
        return Err(missing("expected a domain after the @ (RFC 5321 §4.1.2)"));
    }
    let host = Host::parse(domain)?;
    match host {
        Host::Name(_) if host.is_localhost() => {
            Err(Failure::new(Class::PolicyAddress, "the domain is this machine"))
        }
        Host::Name(name) => Ok(name),
        Host::Address(_) => Err(missing("expected an address in brackets (RFC 5321 §4.1.3)")),
    }
}

/// Reports whether `text` is a `Local-part` (RFC 5321 §4.1.2), with the characters that RFC 6531
/// §3.3 adds.
fn is_local(text: &[u8]) -> bool {
    if text.len() > LOCAL_LEN_MAX || std::str::from_utf8(text).is_err() {
        return false;
    }
    match text {
        [b'"', inside @ .., b'"'] => is_quoted_content(inside),
        _ => text
            .split(|byte| *byte == b'.')
            .all(|atom| !atom.is_empty() && atom.iter().all(|byte| is_atext(*byte))),
    }
}

/// Reports whether `text` is `*QcontentSMTP`: no control characters, and quotes and backslashes
/// escaped by a backslash.
fn is_quoted_content(text: &[u8]) -> bool {
    let mut is_escaped = false;
    let is_content = text.iter().all(|&byte| {
        let was_escaped = std::mem::take(&mut is_escaped);
        is_escaped = byte == b'\\' && !was_escaped;
        (was_escaped || byte != b'"') && !byte.is_ascii_control()
    });
    is_content && !is_escaped
}

/// Reports whether `byte` is `atext` (RFC 5322 §3.2.3).
fn is_atext(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

/// Checks that a host accepts mail for `domain` (RFC 5321 §5.1).
async fn takes_mail(domain: &str, net: &Net) -> Result<(), Failure> {
    let missing = |why: String| Err(Failure::new(Class::Missing, why));
    let exchangers = net.names.exchangers(domain).await?;
    match exchangers.as_ref() {
        // A domain without exchangers is its own exchanger.
        [] => match has_address(domain, net).await {
            Err(failure) if !is_evidence(&failure) => Err(failure),
            Err(failure) => missing(format!("no host accepts mail for it: {}", failure.message)),
            Ok(()) => Ok(()),
        },
        [only] if only.name.is_empty() => {
            missing("the domain declares that it accepts no mail (RFC 7505)".to_owned())
        }
        all => {
            let mut failure = None;
            for exchanger in all.iter().take(EXCHANGERS_MAX) {
                match has_address(&exchanger.name, net).await {
                    Ok(()) => return Ok(()),
                    // A failure that may pass takes precedence over the guard's refusal, because
                    // another try may succeed.
                    Err(why) if why.class == Class::DnsFailure => failure = Some(why),
                    Err(why) if !is_evidence(&why) => failure = failure.or(Some(why)),
                    Err(_) => {}
                }
            }
            match failure {
                Some(failure) => Err(failure),
                None if all.len() > EXCHANGERS_MAX => {
                    let message = format!("none of {EXCHANGERS_MAX} mail exchangers exists");
                    Err(Failure::new(Class::Unverifiable, message))
                }
                None => missing("none of the domain's mail exchangers exists".to_owned()),
            }
        }
    }
}

/// Reports whether `failure` is evidence against a domain. Temporary failures and refusals of the
/// guard are not.
fn is_evidence(failure: &Failure) -> bool {
    !matches!(failure.class, Class::DnsFailure | Class::PolicyAddress)
}

/// Checks that `name` has an address that the guard accepts, without connecting to it.
async fn has_address(name: &str, net: &Net) -> Result<(), Failure> {
    let addresses = net.names.addresses(&Host::parse(name.as_bytes())?).await?;
    let mut failure = None;
    for address in addresses.iter() {
        match net.guard.check_address(*address) {
            Ok(()) => return Ok(()),
            Err(why) => failure = failure.or(Some(why)),
        }
    }
    Err(failure.unwrap_or_else(|| Failure::new(Class::DnsNxdomain, "the name has no address")))
}

#[cfg(test)]
mod tests {
    use super::{bare, domain, is_local, listed};

    #[test]
    fn lists_are_split_where_no_quotes_are() {
        let texts = |list: &str| -> Vec<String> {
            let found = listed(list.as_bytes());
            found.into_iter().map(|item| String::from_utf8_lossy(item).into_owned()).collect()
        };
        assert_eq!(texts("a@x, b@y"), ["a@x", "b@y"]);
        assert_eq!(texts("\"a,b\"@x,c@y"), ["\"a,b\"@x", "c@y"]);
        assert_eq!(texts("\"a\\\",b\"@x,c@y"), ["\"a\\\",b\"@x", "c@y"]);
        assert_eq!(texts("Joe <j@x>,\"A, B\" <k@y>"), ["j@x", "k@y"]);
        assert_eq!(texts(",, ,"), Vec::<String>::new());
        assert_eq!(bare(b" <a@x> "), b"a@x");
    }

    #[test]
    fn local_parts_are_atoms_or_quoted() {
        let long = "a".repeat(64);
        for good in ["a", "a.b", "o'neil+tag", "\"a b\"", "\"a\\\"b\"", "\"\"", "gr\u{fc}n", &long]
        {
            assert!(is_local(good.as_bytes()), "{good}");
        }
        for bad in ["", ".a", "a.", "a..b", "a b", "\"a", "\"a\"b\"", "\"a\\\"", "a\nb", "(a)"] {
            assert!(!is_local(bad.as_bytes()), "{bad}");
        }
        assert!(!is_local(&[b'a'; 65]));
        assert!(!is_local(b"\xff"));
    }

    #[test]
    fn a_recipient_has_a_domain() {
        let case = |text: &str, expected: &str| {
            let found = domain(text.as_bytes());
            let found = found.unwrap_or_else(|why| why.class.row().name.to_owned());
            assert_eq!(found, expected, "{text}");
        };
        case("a@Example.ORG", "example.org");
        case("\"a@b\"@example.org", "example.org");
        case("a@b\u{fc}cher.example", "xn--bcher-kva.example");
        case("a", "missing");
        case("@example.org", "missing");
        case("a@", "missing");
        case("a@1.2.3.4", "missing");
        case("a@[1.2.3.4]", "unverifiable");
        case("a@localhost", "policy-address");
        case("a@0x7f.1", "policy-address");
        case("a@x..y", "dns-nxdomain");
        assert_eq!(listed(b"a@x;b@y").len(), 1);
    }
}
