//! Describes the probe result for a link. Nothing here judges: `check::judge` does.

use std::fmt;

use jiff::Timestamp;

use super::Class;
use crate::uri::Redacted;

/// The probe result for one link, without a judgement.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reach {
    /// The class of the result.
    pub class: Class,
    /// The probe's name, or [`Reach::LOCAL`], or [`Reach::UNREQUESTED`].
    pub probe: &'static str,
    /// The code of the last reply, in protocols that have one.
    pub status: Option<u16>,
    /// The expected and the actual result, in one sentence without a full stop. It may quote a
    /// server: reports escape it, and redact passwords.
    pub message: String,
    /// The redirects, in order.
    pub hops: Vec<Hop>,
    /// A suggestion for the intended link.
    pub hint: Option<String>,
    /// Number of consecutive runs that found it dead; `None` if they are not counted.
    pub dead_runs: Option<u32>,
    /// The content of the page, if it was read whole.
    pub content: Option<Box<Content>>,
}

/// The part of a host's name that does not exist. Stored results and records have only its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The name; its site, the domain that its owner registered, may exist.
    Name,
    /// The name, and its whole site.
    Site,
}

impl Absence {
    /// Returns the message of the result.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Name => "the name does not exist",
            Self::Site => "neither the name nor its site exists",
        }
    }

    /// Returns the absence that a result with `message` reports, if any.
    #[must_use]
    pub fn find(message: &[u8]) -> Option<Self> {
        [Self::Name, Self::Site].into_iter().find(|it| it.message().as_bytes() == message)
    }
}

/// The content of a page, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Content {
    /// A hash of its words.
    pub digest: u128,
    /// A sketch of its words without the name of the page: similar pages differ in few bits.
    pub sketch: u64,
    /// The time at which an earlier run read another content, in seconds since 1970.
    pub changed_since: Option<u64>,
}

/// The number of bits in which sketches of one page differ, at most: some 1 % of the words (Manku,
/// Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", 2007, §2).
const BITS_MAX: u32 = 3;

impl Content {
    /// The sketch of a page that its script makes, which cannot be compared: all pages of a site
    /// may be one shell.
    pub const SCRIPTED: u64 = u64::MAX;

    /// Reports whether `other` is much the same page, perhaps under another name.
    #[must_use]
    pub const fn is_like(&self, other: &Self) -> bool {
        let can_compare = self.sketch != Self::SCRIPTED && other.sketch != Self::SCRIPTED;
        can_compare && (self.sketch ^ other.sketch).count_ones() <= BITS_MAX
    }
}

/// One redirect.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Hop {
    /// The status code of the response.
    pub status: u16,
    /// The absolute URI of the redirect's target. It may contain a password.
    pub to: Vec<u8>,
}

/// Status codes of permanent redirects (RFC 9110 §15.4.2, §15.4.9).
const FOR_GOOD: [u16; 2] = [301, 308];

/// Returns the leading permanent redirects of `hops`: the target of the last of them is the link's
/// new address. A permanent redirect after a temporary one concerns an address that should not be
/// written.
///
/// `code` returns the status code of a redirect.
pub fn for_good<H>(hops: &[H], code: impl Fn(&H) -> u16) -> &[H] {
    let count = hops.iter().take_while(|hop| FOR_GOOD.contains(&code(hop))).count();
    hops.get(..count).unwrap_or_default()
}

/// Redacts passwords, in quotes from servers and in links of hints.
impl fmt::Debug for Reach {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hint = self.hint.as_ref().map(|hint| Redacted::new(hint.as_bytes()));
        out.debug_struct("Reach")
            .field("class", &self.class)
            .field("probe", &self.probe)
            .field("status", &self.status)
            .field("message", &Redacted::new(self.message.as_bytes()))
            .field("hops", &self.hops)
            .field("hint", &hint)
            .field("dead_runs", &self.dead_runs)
            .field("content", &self.content)
            .finish()
    }
}

/// Redacts passwords.
impl fmt::Debug for Hop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = Redacted::new(&self.to);
        out.debug_struct("Hop").field("status", &self.status).field("to", &to).finish()
    }
}

impl Reach {
    /// The name of the probe for pages of the Web.
    pub const HTTP: &str = "http";
    /// The probe's name for files, and for messages that are read in the same run.
    pub const LOCAL: &str = "local";
    /// The probe's name for links that were not requested.
    pub const UNREQUESTED: &str = "none";

    /// Creates a result of `probe`, without further data.
    #[must_use]
    pub fn new(class: Class, probe: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            class,
            probe,
            status: None,
            message,
            hops: Vec::new(),
            hint: None,
            dead_runs: None,
            content: None,
        }
    }

    /// Returns the time at which an earlier run read another content, in the form of RFC 3339.
    #[must_use]
    pub fn changed_since(&self) -> Option<String> {
        let seconds = self.content.as_ref()?.changed_since?;
        let time = Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?;
        Some(time.to_string())
    }

    /// Sets the time at which an earlier run read another content, if this one was read.
    #[must_use]
    pub fn with_changed_since(mut self, seconds: Option<u64>) -> Self {
        if let Some(content) = &mut self.content {
            content.changed_since = seconds;
        }
        self
    }

    /// Sets the status code of the response.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status: Some(status), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Hop, Reach};

    #[test]
    fn debug_shows_no_password() {
        let to = b"http://u:secret@h/".to_vec();
        let hint = Some("ftp://u:secret@h/".to_owned());
        let message = "found http://u:secret@h/";
        let reach = Reach { hint, ..Reach::new(Class::Missing, "http", message) };
        let shown = format!("{:?}", Reach { hops: vec![Hop { status: 301, to }], ..reach });
        assert!(!shown.contains("secret") && shown.matches("***").count() == 3, "{shown}");
    }
}
