//! Counts content of messages that is not read, and defines the limits that cause it.

use crate::finding::{NoteKind, Skip};
use crate::source::limits::PART_LEN_MAX;
use crate::source::mail::mailbox::HEADER_LEN_MAX;

/// Maximum number of nested levels of multiparts and messages. More occur only in attacks on mail
/// readers; public-inbox stops at 20.
pub const DEPTH_MAX: usize = 32;

/// Maximum number of bytes that are kept of nested encoded messages before another encoded message
/// in them is entered: the text of each must be kept until those in it are read, together with the
/// state of its parts.
pub const HELD_MAX: usize = 4 * 1024 * 1024;

/// Maximum number of parts of one message; public-inbox stops at 1000.
pub const PARTS_MAX: usize = 10_000;

/// Reason that content of a message is not read, or not as its header declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// A part that is not text.
    Attachment,
    /// TNEF, which holds text in a form of its own.
    Tnef,
    /// A block or a part in uuencode.
    Uuencode,
    /// A block in yEnc.
    Yenc,
    /// A block in the armour of PGP.
    Armour,
    /// Parts beyond [`DEPTH_MAX`] levels, and messages in [`HELD_MAX`] bytes of encoded ones:
    /// scanned undecoded.
    TooDeep,
    /// Parts beyond [`PARTS_MAX`]: scanned undecoded.
    TooMany,
    /// The rest of an encoded part that is too long to be decoded at once, and cannot be decoded
    /// line by line: scanned undecoded.
    TooLong,
    /// Fields after `HEADER_LEN_MAX` bytes of a header that describe its body.
    HeaderTooLong,
}

impl Omission {
    /// Every reason, in the order of [`Omissions`].
    pub const ALL: [Self; 9] = [
        Self::Attachment,
        Self::Tnef,
        Self::Uuencode,
        Self::Yenc,
        Self::Armour,
        Self::TooDeep,
        Self::TooMany,
        Self::TooLong,
        Self::HeaderTooLong,
    ];

    /// Returns the reason by which summaries count it.
    #[must_use]
    pub const fn skip(self) -> Skip {
        match self {
            Self::Attachment => Skip::Attachment,
            Self::Tnef => Skip::Note(NoteKind::Tnef),
            Self::Uuencode => Skip::Uuencode,
            Self::Yenc => Skip::Yenc,
            Self::Armour => Skip::Armour,
            Self::TooDeep => Skip::Note(NoteKind::MimeTooDeep),
            Self::TooMany => Skip::Note(NoteKind::MimeTooMany),
            Self::TooLong => Skip::Note(NoteKind::MimeTooLong),
            Self::HeaderTooLong => Skip::Note(NoteKind::MimeHeaderTooLong),
        }
    }

    /// Returns the kind of its note, and the expected and found values; `None` for an omission that
    /// is common in mail.
    #[must_use]
    pub fn note(self) -> Option<(NoteKind, String)> {
        let as_written = "is read as written, undecoded";
        Some(match self {
            Self::Attachment | Self::Uuencode | Self::Yenc | Self::Armour => return None,
            Self::Tnef => {
                (NoteKind::Tnef, "found TNEF, which may hold text and is not read".into())
            }
            Self::TooDeep => {
                let limit = format!("expected at most {DEPTH_MAX} nested parts and messages");
                let held = format!("and at most {HELD_MAX} bytes in encoded messages within them");
                (NoteKind::MimeTooDeep, format!("{limit}, {held}, found more: it {as_written}"))
            }
            Self::TooMany => {
                let limit = format!("expected a message of at most {PARTS_MAX} parts");
                (NoteKind::MimeTooMany, format!("{limit}, found more: the rest {as_written}"))
            }
            Self::TooLong => {
                let limit = format!("expected an encoded part of at most {PART_LEN_MAX} bytes");
                let lines = "or an encoding that is decoded line by line";
                (
                    NoteKind::MimeTooLong,
                    format!("{limit}, {lines}, found neither: the rest {as_written}"),
                )
            }
            Self::HeaderTooLong => {
                let limit = format!("expected a header of at most {HEADER_LEN_MAX} bytes");
                let rest = "fields after them do not decide how the body is read";
                (NoteKind::MimeHeaderTooLong, format!("{limit}, found a longer one: {rest}"))
            }
        })
    }
}

/// Number of omissions for each reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omissions([u64; Omission::ALL.len()]);

impl Omissions {
    /// Counts an omission.
    pub fn count(&mut self, omission: Omission) {
        for (count, of) in self.0.iter_mut().zip(Omission::ALL) {
            *count += u64::from(of == omission);
        }
    }

    /// Adds the counts of `others`.
    pub fn add(&mut self, others: &Self) {
        for (count, other) in self.0.iter_mut().zip(others.0) {
            *count += other;
        }
    }

    /// Returns the reasons and their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Omission, u64)> {
        Omission::ALL.into_iter().zip(self.0)
    }
}
