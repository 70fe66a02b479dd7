//! Resolves links to messages and to parts of messages, `mid:` and `cid:` (RFC 2392), within the
//! inputs of the run, without any request.

use std::sync::{Mutex, PoisonError};

use super::hash::hash;
use super::target::apart;
use crate::finding::{Class, Finding, Origin, Reach};
use crate::probe::guard::argument::decoded;
use crate::source::mail::names::{Name, Named};

/// Number of names that are kept: 64 MB of hashes, for some two million letters.
const NAMES_MAX: usize = 1 << 22;

/// The names of messages and parts in the inputs, each as a hash.
#[derive(Default)]
pub(super) struct Names(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    hashes: Vec<u128>,
    /// Whether there are more names than the limit. Then no name is kept, so that results do not
    /// depend on the order of names.
    is_full: bool,
}

/// The kind of thing that has a name.
enum NamedThing<'k> {
    Message,
    Inner,
    /// A part of the message with this number in its box.
    PartOf(&'k Origin, Option<u64>),
    /// A part of the message with this Message-ID.
    PartOfNamed(&'k [u8]),
}

impl Names {
    /// Adds the names that were read in `origin`.
    pub(super) fn take(&self, origin: &Origin, names: &[Name]) {
        if names.is_empty() {
            return;
        }
        let mut hashes = Vec::with_capacity(2 * names.len());
        for Name { number, of, id } in names {
            match of {
                Named::Message => hashes.push(stands_for(&NamedThing::Message, id)),
                Named::Inner => hashes.push(stands_for(&NamedThing::Inner, id)),
                Named::Part(message) => {
                    hashes.push(stands_for(&NamedThing::PartOf(origin, *number), id));
                    let named = message.as_deref().map(NamedThing::PartOfNamed);
                    hashes.extend(named.map(|kind| stands_for(&kind, id)));
                }
            }
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(&hashes, NAMES_MAX);
    }

    /// Returns the names sorted, ready for lookups.
    pub(super) fn sorted(self) -> Self {
        let mut kept = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.hashes.sort_unstable();
        Self(Mutex::new(kept))
    }

    /// Looks up the target of `finding`, a link in mail.
    pub(super) fn ask(&self, finding: &Finding<'_>) -> Reach {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_full {
            let message = format!("expected at most {NAMES_MAX} names in all mail, found more");
            return Reach::new(Class::Unverifiable, Reach::LOCAL, message);
        }
        let (uri, _) = apart(finding.uri.in_clear());
        let scheme_end = memchr::memchr(b':', uri).map_or(0, |colon| colon + 1);
        let id = uri.get(scheme_end..).unwrap_or_default();
        let (class, message) = match &*finding.facts.scheme {
            "cid" => kept.part(id, finding),
            _ => kept.message(id),
        };
        Reach::new(class, Reach::LOCAL, message)
    }
}

impl Kept {
    fn add(&mut self, hashes: &[u128], most: usize) {
        self.is_full |= self.hashes.len() + hashes.len() > most;
        if self.is_full {
            self.hashes = Vec::new();
        } else {
            self.hashes.extend_from_slice(hashes);
        }
    }

    fn holds(&self, kind: &NamedThing<'_>, id: &[u8]) -> bool {
        self.hashes.binary_search(&stands_for(kind, id)).is_ok()
    }

    /// Looks up a `cid:` link: a part of the message that contains the link.
    fn part(&self, id: &[u8], finding: &Finding<'_>) -> (Class, &'static str) {
        let number = finding.message.and_then(|message| message.number);
        if self.holds(&NamedThing::PartOf(finding.place.origin, number), &decoded(id)) {
            (Class::Alive, "a part of this message has that Content-ID")
        } else {
            (Class::Missing, "no part of this message has that Content-ID")
        }
    }

    /// Looks up a `mid:` link: a message, or after a slash, a part of it. A slash within a name is
    /// escaped (RFC 2392 §2).
    fn message(&self, id: &[u8]) -> (Class, &'static str) {
        let mut halves = id.splitn(2, |byte| *byte == b'/').map(decoded);
        let message = halves.next().unwrap_or_default();
        let is_whole = self.holds(&NamedThing::Message, &message);
        if !is_whole && !self.holds(&NamedThing::Inner, &message) {
            // The user may have other mailboxes: the message need not be gone.
            return (Class::Unverifiable, "no message of this run has that Message-ID");
        }
        match halves.next() {
            None => (Class::Alive, "a message of this run has that Message-ID"),
            Some(part) if self.holds(&NamedThing::PartOfNamed(&message), &part) => {
                (Class::Alive, "a message of this run has that Message-ID, and such a part")
            }
            Some(_) if is_whole => {
                (Class::Missing, "no part of the message with that Message-ID has that Content-ID")
            }
            Some(_) => {
                let why = "the message is part of another, and their parts are not distinguished";
                (Class::Unverifiable, why)
            }
        }
    }
}

/// Returns a hash that identifies the name `id` of a thing of this kind.
fn stands_for(kind: &NamedThing<'_>, id: &[u8]) -> u128 {
    let mut text = Vec::new();
    // A length prefix keeps fields from running into each other.
    let mut push = |field: &[u8]| {
        text.extend_from_slice(&(field.len() as u64).to_le_bytes());
        text.extend_from_slice(field);
    };
    match kind {
        NamedThing::Message => push(b"message"),
        NamedThing::Inner => push(b"inner"),
        NamedThing::PartOf(origin, number) => {
            push(b"part");
            push(&number.unwrap_or_default().to_le_bytes());
            push(origin.path.as_os_str().as_encoded_bytes());
            origin.members.iter().for_each(|member| push(member));
        }
        NamedThing::PartOfNamed(message) => {
            push(b"named");
            push(message);
        }
    }
    push(id);
    hash(&text)
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn too_many_names_are_none_in_whatever_order_they_come() {
        for parts in [&[&[1, 2][..], &[3, 4]][..], &[&[1], &[2, 3], &[4]], &[&[1, 2, 3, 4]]] {
            let mut kept = Kept::default();
            parts.iter().for_each(|part| kept.add(part, 3));
            kept.add(&[5], 3);
            assert!(kept.is_full && kept.hashes.is_empty(), "{parts:?}");
        }
        let mut kept = Kept::default();
        kept.add(&[1, 2], 3);
        kept.add(&[3], 3);
        assert!(!kept.is_full && kept.hashes.len() == 3);
    }
}
