//! Probes gopher links: whether a selector returns something other than an error.
//!
//! RFC 1436 defines the dialogue, RFC 4266 the meaning of URLs. The probe sends one line and reads
//! the first line of the answer, or a few lines of an error page; it never fetches whole items.
//!
//! `gophers` is the same protocol over TLS, though no document defines it. Not supported on
//! purpose: Gopher+ beyond its status mark.

use std::net::IpAddr;

use tokio::time::Instant;

use super::guard;
use super::guard::argument::line_argument;
use super::lines::{self, ByLines, Ending, Lines, known, quoted, smuggled};
use super::tcp::Net;
use super::{Failure, Level, Outcome, Question};
use crate::finding::Class;
use crate::uri::Uri;

const NAME: &str = "gopher";
/// Maximum number of tabs in a path: before the search, and before the Gopher+ string (RFC 4266
/// §2.1).
const TABS_MAX: usize = 2;
const ESCAPED_TAB: &[u8] = b"%09";

/// Maximum number of lines searched for a page's title; Gophernicus has it in the fifth.
const TITLE_LINES_MAX: usize = 8;

/// The probe for gopher.
pub(super) static GOPHER: ByLines = ByLines {
    name: NAME,
    schemes: &["gopher", "gophers"],
    converse: |question, net, _, address| Box::pin(converse(question, net, address)),
};

async fn converse(
    question: Question<'_>,
    net: &Net,
    address: &mut Option<IpAddr>,
) -> Result<Outcome, Failure> {
    let deadline = Instant::now() + net.timeouts.total;
    let uri = &question.uri;
    let item = Item::of(uri)?;
    let scheme = lines::scheme(uri);
    let (host, port) = guard::target(scheme, uri)?;
    let (mut lines, from) = Lines::connect(net, scheme, &host, port, deadline).await?;
    *address = Some(from);
    if question.level == Level::Host {
        return Ok(known(Class::Alive, NAME, "the host accepts connections"));
    }
    if let Some(service) = item.service() {
        let why = format!("the host accepts connections; the link names {service} there");
        return Ok(known(Class::Alive, NAME, why));
    }
    lines.send(&item.selector, "an answer").await?;
    item.read(&mut lines).await
}

/// The target of a URL.
#[derive(Debug, PartialEq, Eq)]
struct Item {
    /// The item type (RFC 1436 §3.8).
    item_type: u8,
    /// The line to send, without its end.
    selector: Vec<u8>,
    /// Whether the request uses Gopher+.
    has_plus: bool,
}

impl Item {
    /// Parses `<gophertype><selector>%09<search>%09<gopher+_string>` (RFC 4266 §2.1). Without a
    /// path, the item is the menu at the root. A `?` is data.
    fn of(uri: &Uri<'_>) -> Result<Self, Failure> {
        let path = lines::path_and_query(uri);
        let path = path.strip_prefix(b"/").unwrap_or(path);
        let mut line = Vec::new();
        let mut tabs = 0;
        let mut start = 0;
        for end in memchr::memmem::find_iter(path, ESCAPED_TAB).chain([path.len()]) {
            if start > 0 {
                line.push(b'\t');
                tabs += 1;
            }
            line.extend(line_argument(path.get(start..end).unwrap_or_default())?);
            start = end + ESCAPED_TAB.len();
        }
        let (item_type, selector) = line.split_first().unwrap_or((&b'1', &[]));
        if tabs > TABS_MAX || *item_type == b'\t' {
            return Err(smuggled(b'\t'));
        }
        Ok(Self { item_type: *item_type, selector: selector.to_vec(), has_plus: tabs == TABS_MAX })
    }

    /// Returns the service that the link names, if its type has no selector but refers to another
    /// protocol at this host and port (RFC 1436 §3.8).
    fn service(&self) -> Option<&'static str> {
        match self.item_type {
            b'2' => Some("a CSO phone book"),
            b'8' => Some("a telnet session"),
            b'T' => Some("a tn3270 session"),
            _ => None,
        }
    }

    async fn read(&self, lines: &mut Lines) -> Result<Outcome, Failure> {
        let start = lines.bytes().await?.first().copied();
        match start {
            None => Err(lines.unexpected("the end of the connection")),
            // RFC 1436 §3.9: an error is an item of type 3. §3.8 has it in menus only, but servers
            // send it for any missing item.
            Some(b'3') => self.read_error(lines).await,
            // An error in Gopher+ begins with this mark, and only answers to Gopher+ requests have
            // one.
            Some(b'-') if self.has_plus => {
                let line = lines.some_line().await?.0;
                let why = format!("the server reports by Gopher+: {}", quoted(&line));
                Ok(known(Class::Missing, NAME, why))
            }
            Some(b'+') if self.has_plus => Ok(self.alive()),
            Some(b'E' | b'<') => self.read_words(lines).await,
            Some(_) if self.is_menu() => self.read_menu(&lines.line().await?, lines),
            Some(_) => Ok(self.alive()),
        }
    }

    const fn is_menu(&self) -> bool {
        matches!(self.item_type, b'1' | b'7')
    }

    fn alive(&self) -> Outcome {
        let why = if self.is_menu() { "a menu is there" } else { "the item is there" };
        known(Class::Alive, NAME, why)
    }

    async fn read_error(&self, lines: &mut Lines) -> Result<Outcome, Failure> {
        let (line, _) = lines.some_line().await?;
        let tabs = line.iter().filter(|&&byte| byte == b'\t').count();
        // Outside of menus, a line of other data may begin with the digit. In an error, the three
        // fields of a menu line follow.
        if self.is_menu() || tabs >= 3 {
            let text = line.split(|&byte| byte == b'\t').next().unwrap_or_default();
            let why = format!("it says: {}", quoted(text.get(1..).unwrap_or_default()));
            return Ok(known(Class::Missing, NAME, why));
        }
        Ok(self.alive())
    }

    /// Checks the first line of a menu. A menu line has type and name, selector, host and port,
    /// separated by tabs (RFC 1436 §3.9); a single dot ends the menu.
    fn read_menu(&self, first: &[u8], lines: &Lines) -> Result<Outcome, Failure> {
        if first == b"." {
            return Ok(known(Class::Alive, NAME, "an empty menu is there"));
        }
        // Careless servers omit the fields in lines that only inform.
        let is_item = first.contains(&b'\t') || first.first() == Some(&b'i');
        if is_item { Ok(self.alive()) } else { Err(lines.unexpected("no line of a menu")) }
    }

    /// Looks for an error message of Gophernicus, which many of today's servers run. Depending on
    /// the selector's extension, it sends the message as a menu, a text, a page in HTML, or an
    /// image; the last cannot be recognised.
    async fn read_words(&self, lines: &mut Lines) -> Result<Outcome, Failure> {
        let (first, _) = lines.some_line().await?;
        let mut line = first.clone();
        for _ in 0..TITLE_LINES_MAX {
            let title = line.trim_ascii_start();
            let words = title.strip_prefix(b"<TITLE>").unwrap_or(title);
            let says = |start: &[u8]| words.starts_with(start);
            let answer = |class| Ok(known(class, NAME, format!("it says: {}", quoted(words))));
            if says(b"Error: File or directory not found!") {
                return answer(Class::Missing);
            }
            if says(b"Error: Access denied!") {
                return answer(Class::Forbidden);
            }
            if first.first() != Some(&b'<') {
                break;
            }
            match lines.some_line().await {
                Ok((next, Ending::Line)) => line = next,
                _ => break,
            }
        }
        if self.is_menu() { self.read_menu(&first, lines) } else { Ok(self.alive()) }
    }
}
