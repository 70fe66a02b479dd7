//! What asking learnt about a link. Nothing here says good or bad: `check::judge` does.

use std::fmt;

use super::Class;
use crate::uri::Guarded;

/// What was learnt about one link. It judges nothing.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reach {
    /// What kind of answer.
    pub class: Class,
    /// What asked: the probe's name; `local` for files and messages, `none` where nobody was
    /// asked.
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

/// Codes that say a link has moved for good (RFC 9110 §15.4.2, §15.4.9).
const FOR_GOOD: [u16; 2] = [301, 308];

/// Those of `hops` that are for good: where the last of them leads is the address that the link
/// has from now on. What stands behind one that is for now is said of an address that nobody
/// should write.
///
/// `code` tells the code of each.
pub fn for_good<H>(hops: &[H], code: impl Fn(&H) -> u16) -> &[H] {
    let count = hops.iter().take_while(|hop| FOR_GOOD.contains(&code(hop))).count();
    hops.get(..count).unwrap_or_default()
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
