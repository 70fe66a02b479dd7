//! Probes FTP links over the control connection: whether a file or directory exists.
//!
//! RFC 959 defines the dialogue, RFC 1738 §3.2 the meaning of URLs, and RFC 3659 `SIZE`, `MDTM` and
//! `MLST`. The probe never opens a data connection: it lists and fetches nothing, so that no server
//! can direct it to a port of another host. It logs in as `anonymous` only.
//!
//! `ftps` is the same protocol over TLS. Not supported on purpose: `AUTH TLS` (RFC 4217), and kept
//! connections, because the path of a URL starts at the directory of a new login.

use std::net::IpAddr;

use tokio::time::Instant;

use super::guard;
use super::guard::argument::{decoded, line_argument};
use super::lines::{self, ByLines, Lines, Reply, known, later, smuggled};
use super::tcp::Net;
use super::{Failure, Level, Outcome, Question};
use crate::finding::Class;
use crate::uri::Uri;

const NAME: &str = "ftp";
/// Maximum number of directories in a path, each of which takes a command: paths of archives have
/// some ten.
const DIRECTORIES_MAX: usize = 32;
/// Maximum number of preliminary replies before a final one (RFC 959 §4.2, `1yz`).
const PRELIMINARY_MAX: usize = 4;

/// The probe for FTP.
pub(super) static FTP: ByLines = ByLines {
    name: NAME,
    schemes: &["ftp", "ftps"],
    converse: |question, net, _, address| Box::pin(converse(question, net, address)),
};

async fn converse(
    question: Question<'_>,
    net: &Net,
    address: &mut Option<IpAddr>,
) -> Result<Outcome, Failure> {
    let deadline = Instant::now() + net.timeouts.total;
    let uri = &question.uri;
    let plan = Plan::of(uri)?;
    if question.level != Level::Host && !is_anonymous(uri) {
        let why = "the link names a user, and user names and passwords are never sent";
        return Ok(known(Class::AuthRequired, NAME, why));
    }
    let scheme = lines::scheme(uri);
    let (host, port) = guard::target(scheme, uri)?;
    let (mut lines, from) = Lines::connect(net, scheme, &host, port, deadline).await?;
    *address = Some(from);
    if question.level == Level::Host {
        return Ok(known(Class::Alive, NAME, "the host accepts connections"));
    }
    let outcome = match log_in(&mut lines, &net.agent).await? {
        Some(refused) => refused,
        None => plan.walk(&mut lines).await?,
    };
    lines.part(b"QUIT").await;
    Ok(outcome)
}

/// Reports whether `uri` names no user, or an anonymous one (RFC 1738 §3.2.1). Its password is
/// ignored, as it is never sent.
fn is_anonymous(uri: &Uri<'_>) -> bool {
    let Some(userinfo) = uri.userinfo else { return true };
    let userinfo = userinfo.of(uri.text);
    let user = userinfo.split(|&byte| byte == b':').next().unwrap_or_default();
    let user = decoded(user).to_ascii_lowercase();
    user == b"anonymous" || user == b"ftp"
}

// ---- targets of probes -----------------------------------------------------------------

/// The target of a URL: the directories of its path, and the item at its end.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    directories: Vec<Vec<u8>>,
    wanted: Wanted,
}

/// The item at the end of a path.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    /// The last directory itself.
    Directory,
    /// A file, to be sent as bytes.
    Image(Vec<u8>),
    /// A file, to be sent as text.
    Text(Vec<u8>),
}

impl Plan {
    /// Parses `cwd1/cwd2/…/cwdN/name;type=typecode` (RFC 1738 §3.2.2), split at slashes before any
    /// escape is decoded. A `?` is data (§5, `fsegment`).
    fn of(uri: &Uri<'_>) -> Result<Self, Failure> {
        let path = lines::path_and_query(uri);
        let (path, typecode) = split_type(path.strip_prefix(b"/").unwrap_or(path));
        let mut directories = Vec::new();
        let mut segments = path.split(|&byte| byte == b'/');
        let name = segments.next_back().unwrap_or_default();
        for segment in segments {
            if directories.len() == DIRECTORIES_MAX {
                let why = format!("the path has more than {DIRECTORIES_MAX} directories");
                return Err(Failure::new(Class::Unverifiable, why));
            }
            directories.push(name_of(segment)?);
        }
        let name = name_of(name)?;
        let wanted = match typecode {
            _ if name.is_empty() => Wanted::Directory,
            Some(b'd') => {
                directories.push(name);
                Wanted::Directory
            }
            Some(b'a') => Wanted::Text(name),
            _ => Wanted::Image(name),
        };
        Ok(Self { directories, wanted })
    }

    async fn walk(&self, lines: &mut Lines) -> Result<Outcome, Failure> {
        for directory in &self.directories {
            let reply = ask(lines, "CWD", Some(directory)).await?;
            match reply.code {
                200 | 250 => {}
                // RFC 1738 §3.2.2 sends an empty segment as a null argument, which RFC 959 does not
                // allow: a server that refuses it gives no evidence about the file.
                500..=529 | 550..=599 if directory.is_empty() => {
                    let why = "the path has an empty segment, and the server takes no CWD to it";
                    return Ok(Outcome::Known(reply.reach(Class::Unverifiable, NAME, why)));
                }
                _ => return refused(lines, &reply, "the server does not enter a directory"),
            }
        }
        match &self.wanted {
            Wanted::Directory => Ok(known(Class::Alive, NAME, "the directory is there")),
            Wanted::Image(name) => file(lines, name, b"I", &["SIZE", "MDTM", "MLST"]).await,
            // RFC 3659 §4: the server must read a text to know its size, and many refuse that.
            Wanted::Text(name) => file(lines, name, b"A", &["MDTM", "MLST"]).await,
        }
    }
}

/// Splits a path into the rest and its type code in lower case, if it has a known one (RFC 1738 §5,
/// `ftptype`).
fn split_type(path: &[u8]) -> (&[u8], Option<u8>) {
    let Some((rest, &[.., code])) = path.split_last_chunk::<7>() else { return (path, None) };
    let mark = path.get(rest.len()..path.len() - 1).unwrap_or_default();
    let code = code.to_ascii_lowercase();
    if mark.eq_ignore_ascii_case(b";type=") && matches!(code, b'a' | b'i' | b'd') {
        return (rest, Some(code));
    }
    (path, None)
}

/// Decodes one segment of a path.
fn name_of(segment: &[u8]) -> Result<Vec<u8>, Failure> {
    let name = line_argument(segment)?;
    // RFC 959 §4: the control connection follows Telnet, in which this byte begins a command (RFC
    // 854). Some servers expect it doubled and some do not.
    if name.contains(&0xFF) {
        return Err(smuggled(0xFF));
    }
    Ok(name)
}

// ---- the dialogue ----------------------------------------------------------------------

/// Sends a command, and returns its first reply that is not preliminary.
async fn ask(
    lines: &mut Lines,
    verb: &'static str,
    argument: Option<&[u8]>,
) -> Result<Reply, Failure> {
    lines.command(verb, argument).await?;
    reply(lines).await
}

async fn reply(lines: &mut Lines) -> Result<Reply, Failure> {
    for _ in 0..=PRELIMINARY_MAX {
        let reply = lines.long_reply().await?;
        if !(100..200).contains(&reply.code) {
            return Ok(reply);
        }
    }
    Err(lines.unexpected(&format!("more than {PRELIMINARY_MAX} replies that announce it")))
}

/// Logs in as `anonymous`. Returns the outcome if the server refuses.
async fn log_in(lines: &mut Lines, agent: &str) -> Result<Option<Outcome>, Failure> {
    let greeting = reply(lines).await?;
    if greeting.code != 220 {
        return turned_away(lines, &greeting, "the server refuses service").map(Some);
    }
    let mut reply = ask(lines, "USER", Some(b"anonymous")).await?;
    if reply.code == 331 {
        reply = ask(lines, "PASS", Some(&password(agent))).await?;
    }
    match reply.code {
        // 202: a password that is not needed (RFC 959 §5.4).
        202 | 230 => Ok(None),
        _ => turned_away(lines, &reply, "the server refuses anonymous logins").map(Some),
    }
}

/// Returns the password: the user agent. RFC 1635 §3.3 wants a mail address, and servers that check
/// for one look for its `@`.
fn password(agent: &str) -> Vec<u8> {
    let is_shown = |byte: &u8| matches!(byte, b' '..=b'~');
    let mut password: Vec<u8> = agent.bytes().filter(is_shown).collect();
    if !password.contains(&b'@') {
        password.push(b'@');
    }
    password
}

/// Interprets a reply that prevents the login.
fn turned_away(lines: &Lines, reply: &Reply, why: &str) -> Result<Outcome, Failure> {
    let known = |class| Ok(Outcome::Known(reply.reach(class, NAME, why)));
    match reply.code {
        400..=499 => Ok(passing(reply, why)),
        530 if is_full(&reply.text) => Ok(later(reply.reach(Class::Throttled, NAME, why))),
        // 332 requests an account besides the password (RFC 959 §5.4).
        332 | 530..=539 => known(Class::AuthRequired),
        // FileZilla's server has no other code for it (RFC 4217 §4 has 421 and 534).
        500..=504 if says_any(&reply.text, &[b"auth", b"tls", b"ssl"]) => {
            known(Class::AuthRequired)
        }
        500..=504 => Err(lines.unexpected(&format!("`{}`", reply.quoted()))),
        505..=599 => known(Class::Forbidden),
        _ => Err(lines.unexpected(&format!("`{}`", reply.quoted()))),
    }
}

/// Probes a file with each of `verbs`, and then as a directory.
async fn file(
    lines: &mut Lines,
    name: &[u8],
    typecode: &'static [u8],
    verbs: &[&'static str],
) -> Result<Outcome, Failure> {
    // The reply is ignored: servers that lack the type still know their files.
    let _ = ask(lines, "TYPE", Some(typecode)).await?;
    let alive = |reply: &Reply, why| Ok(Outcome::Known(reply.reach(Class::Alive, NAME, why)));
    let mut refusal = None;
    for verb in verbs {
        let reply = ask(lines, verb, Some(name)).await?;
        match reply.code {
            // RFC 3659 §2.3, §4.1 and §7.2.
            213 | 250 => return alive(&reply, "the file is there"),
            500..=504 => {}
            550..=559 => refusal = refusal.or(Some(reply)),
            _ => return refused(lines, &reply, "the server does not report the state of the file"),
        }
    }
    let reply = ask(lines, "CWD", Some(name)).await?;
    match (reply.code, refusal) {
        (200 | 250, _) => alive(&reply, "a directory of this name is there"),
        (500..=504 | 550..=559, Some(refusal)) => {
            refused(lines, &refusal, "the server has no such file")
        }
        (500..=504 | 550..=559, None) => {
            let why = "the server knows neither SIZE nor MDTM nor MLST";
            Ok(Outcome::Known(reply.reach(Class::Unverifiable, NAME, why)))
        }
        _ => refused(lines, &reply, "the server does not report the state of the file"),
    }
}

/// Interprets a reply after the login that reports no success.
fn refused(lines: &Lines, reply: &Reply, why: &str) -> Result<Outcome, Failure> {
    let class = match reply.code {
        400..=499 => return Ok(passing(reply, why)),
        500..=504 => Class::Unverifiable,
        530..=539 => Class::AuthRequired,
        550..=559 if is_forbidden(&reply.text) => Class::Forbidden,
        550..=559 => Class::Missing,
        _ => return Err(lines.unexpected(&format!("`{}`", reply.quoted()))),
    };
    Ok(Outcome::Known(reply.reach(class, NAME, why)))
}

/// Interprets a temporary failure (RFC 959 §4.2.1, `4yz`). With 421 the server closes the
/// connection, mostly because it has too many.
fn passing(reply: &Reply, why: &str) -> Outcome {
    let class = if reply.code == 421 { Class::Throttled } else { Class::ServerError };
    later(reply.reach(class, NAME, why))
}

/// Reports whether the text of a 530 says that too many users are logged in. RFC 959 has 421 for
/// that, but some servers do not use it.
fn is_full(text: &[u8]) -> bool {
    says_any(text, &[b"maximum", b"too many", b"limit"])
}

/// Reports whether the text of a 550 says that the file exists but access is denied. RFC 959 has
/// one code for "not found" and "no access"; servers put the difference into the text.
fn is_forbidden(text: &[u8]) -> bool {
    says_any(text, &[b"denied", b"privilege", b"not permitted", b"forbidden"])
}

/// Reports whether `text` contains one of `words`, ignoring case.
fn says_any(text: &[u8], words: &[&[u8]]) -> bool {
    let text = text.to_ascii_lowercase();
    words.iter().any(|word| memchr::memmem::find(&text, word).is_some())
}

#[cfg(test)]
mod tests {
    use super::password;

    #[test]
    fn a_password_is_one_line_with_an_at_sign() {
        assert_eq!(password("a/1 (b@example.org)"), b"a/1 (b@example.org)");
        assert_eq!(password("a/1\r\nDELE \u{e9}\0"), b"a/1DELE @");
    }
}
