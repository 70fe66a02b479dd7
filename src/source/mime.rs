//! The structure of messages (RFC 2045, RFC 2046): which bytes are header fields, which are
//! text, how that is coded, and what is no text at all.
//!
//! Nothing is copied and nothing is decoded here but what is asked for: [`Walk`] goes over a
//! message once, from boundary to boundary, and gives [`Section`]s; [`decode_source`] makes text
//! of one that is coded, and [`Replay`] finds the way back. A walk can stop anywhere and go on
//! in the next piece of the message. It uses a stack of its own with [`DEPTH_MAX`] levels,
//! so that no message can make it run out of the machine's.
//!
//! From below: a `run` is one step of a decoder; each coding has a decoder of its own (`base64`,
//! `quoted`, `charset` …), and `coding` chooses it; `replay` decodes a whole text. `head` and
//! `parameters` read header fields, `entity` decides what a body is by them, and `walk` goes from
//! one to the next.
//!
//! Not done: `message/partial` is not put together, TNEF is not read, S/MIME and PGP are not
//! opened, and charsets whose US-ASCII is US-ASCII are decoded only for the sake of IRIs.

mod base64;
mod blocks;
mod boundary;
mod charset;
mod coding;
mod entity;
mod escaped;
mod flowed;
mod head;
mod heads;
mod html;
mod marked;
mod numbered;
mod omission;
mod parameters;
mod quoted;
mod replay;
mod run;
mod section;
mod sight;
mod signed;
mod transcoder;
mod unfolded;
mod walk;
mod words;

pub use super::charset::Charset;
pub use blocks::{Blocks, LOOK_LEN, Look, find as find_blocks};
pub use coding::Coding;
pub(super) use entity::{content_type, open_boundaries};
pub use heads::Heads;
pub use omission::{DEPTH_MAX, HELD_MAX, Omission, Omissions, PART_LEN_MAX, PARTS_MAX};
pub use replay::{Replay, Source, decode, decode_source};
pub use section::{Content, Section, Sections, Sibling, Siblings};
pub use sight::Edge;
pub(super) use transcoder::Transcoder;
pub use walk::{Edge, TAKEN_UP_MAX, Walk};

use std::sync::Arc;

use parameters::Parameters;

use super::limits::PART_LEN_MAX;
use super::mailbox::HEADER_LEN_MAX;
use crate::finding::NoteKind;
use crate::span::Span;

/// Levels of multiparts and messages inside of each other, at most. More occur only where
/// somebody wants to see readers fall; public-inbox stops at 20.
pub const DEPTH_MAX: usize = 32;

/// Bytes that are kept of coded messages in each other, at most, before a message in them is gone
/// into that is coded, too: the text of each must be there until those in it are read, and what is
/// known of its parts.
pub const HELD_MAX: usize = 4 * 1024 * 1024;

/// Notes on one message, at most; more of the same is only counted.
const NOTES_MAX: usize = 10;

/// Parts of one message, at most; public-inbox stops at 1000.
pub const PARTS_MAX: usize = 10_000;

/// Sections of one message that are given at a time, about: what is known of parts of a few bytes
/// is longer than they.
pub const SECTIONS_MAX: usize = 4096;

/// The media type that a field `Content-Type` tells, in lower case, and the charset, where that
/// must be decoded.
pub(super) fn content_type(field: &[u8]) -> (String, Option<Charset>) {
    let parameters = Parameters::of(field);
    let charset = parameters.get("charset").and_then(charset::find);
    (parameters.value, charset)
}

/// A run of bytes of a message that is read in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Where it stands.
    pub span: Span,
    /// The part it belongs to, as in `1.2`; none for the message itself.
    pub part: Option<Arc<str>>,
    /// What has to be decoded, first the outermost; nothing for what is read as it stands.
    pub codings: Vec<Coding>,
    /// What it is.
    pub content: Content,
    /// Which forms of something it belongs to; mostly there is none.
    pub siblings: Siblings,
    /// What relative links in it start from, where a header says so (RFC 2557 §5).
    pub base: Option<Arc<[u8]>>,
}

impl Section {
    /// A section that stands as it is, in no alternative.
    #[must_use]
    pub fn new(span: Span, part: Option<Arc<str>>, content: Content) -> Self {
        let (codings, siblings) = (Vec::new(), Siblings::NONE);
        Self { span, part, codings, content, siblings, base: None }
    }
}

/// One of the parts of a `multipart/alternative`, which all say the same (RFC 2046 §5.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sibling {
    /// Which multipart of the message.
    pub alternative: usize,
    /// Which part of it, from 1; zero for what stands before the first.
    pub number: usize,
}

/// Forms of something in each other. Sections share all but the innermost, since each of thousands
/// of parts may be in [`DEPTH_MAX`] of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Siblings {
    outer: Option<Arc<[Sibling]>>,
    innermost: Option<Sibling>,
}

impl Siblings {
    const NONE: Self = Self { outer: None, innermost: None };

    /// True for what is no form of anything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.innermost.is_none()
    }

    /// How many forms in each other it is.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.outer().len() + usize::from(self.innermost.is_some())
    }

    /// The form that is in so many others.
    #[must_use]
    pub fn at(&self, level: usize) -> Option<Sibling> {
        let innermost = || self.innermost.filter(|_| level == self.outer().len());
        self.outer().get(level).copied().or_else(innermost)
    }

    fn outer(&self) -> &[Sibling] {
        self.outer.as_deref().unwrap_or_default()
    }

    /// Makes these forms, from the outermost on, the ones that are meant.
    fn renew(&mut self, mut forms: impl DoubleEndedIterator<Item = Sibling> + Clone) {
        self.innermost = forms.next_back();
        if !forms.clone().eq(self.outer().iter().copied()) {
            self.outer = forms.clone().next().map(|_| forms.collect());
        }
    }
}

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Header fields.
    Fields,
    /// Text.
    Text,
    /// Text in HTML.
    Html,
    /// A message with a header and a body of its own.
    Message,
    /// Nothing that is read.
    Skipped,
}

/// Why something in a message is not read, or not as its header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// A part that is no text.
    Attachment,
    /// TNEF, which holds text in a form of its own.
    Tnef,
    /// A block or a part in uuencode.
    Uuencode,
    /// A block in yEnc.
    Yenc,
    /// A block in the armour of PGP.
    Armour,
    /// Parts beyond [`DEPTH_MAX`] levels, and messages in [`HELD_MAX`] bytes of coded ones: read
    /// as they stand.
    TooDeep,
    /// Parts beyond [`PARTS_MAX`]: read as they stand.
    TooMany,
    /// The rest of a part that is coded and too long to be decoded at once, and cannot be decoded
    /// line by line: read as it stands.
    TooLong,
    /// What fields behind `HEADER_LEN_MAX` bytes of a header say of its body.
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

    /// The reason's name in summaries.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attachment => "attachment",
            Self::Tnef => NoteKind::Tnef.name(),
            Self::Uuencode => "uuencode",
            Self::Yenc => "yenc",
            Self::Armour => "armour",
            Self::TooDeep => NoteKind::MimeTooDeep.name(),
            Self::TooMany => NoteKind::MimeTooMany.name(),
            Self::TooLong => NoteKind::MimeTooLong.name(),
            Self::HeaderTooLong => NoteKind::MimeHeaderTooLong.name(),
        }
    }

    /// The kind of its note, and what was expected and found; none for what is passed by in
    /// every other message.
    #[must_use]
    pub fn note(self) -> Option<(NoteKind, String)> {
        let stands = "read as it stands";
        Some(match self {
            Self::Attachment | Self::Uuencode | Self::Yenc | Self::Armour => return None,
            Self::Tnef => {
                (NoteKind::Tnef, "expected text or no text, found TNEF, which is not read".into())
            }
            Self::TooDeep => {
                let most = format!("expected at most {DEPTH_MAX} parts and messages in each other");
                let held = format!("and no coded message in others of {HELD_MAX} bytes");
                (NoteKind::MimeTooDeep, format!("{most}, {held}, found more: {stands}"))
            }
            Self::TooMany => {
                let most = format!("expected a message of at most {PARTS_MAX} parts");
                (NoteKind::MimeTooMany, format!("{most}, found more: {stands} from here on"))
            }
            Self::TooLong => {
                let most = format!("expected a coded part of at most {PART_LEN_MAX} bytes");
                let lines = "or one that is decoded line by line";
                (
                    NoteKind::MimeTooLong,
                    format!("{most}, {lines}, found neither: {stands} from here on"),
                )
            }
            Self::HeaderTooLong => {
                let most = format!("expected a header of at most {HEADER_LEN_MAX} bytes");
                let rest = "what it says of its body behind them does not count";
                (NoteKind::MimeHeaderTooLong, format!("{most}, found a longer one: {rest}"))
            }
        })
    }
}

/// How often something was not read, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omissions([u64; Omission::ALL.len()]);

impl Omissions {
    /// Counts one more.
    pub fn count(&mut self, omission: Omission) {
        for (count, of) in self.0.iter_mut().zip(Omission::ALL) {
            *count += u64::from(of == omission);
        }
    }

    /// Counts all that `others` counted, too.
    pub fn add(&mut self, others: &Self) {
        for (count, other) in self.0.iter_mut().zip(others.0) {
            *count += other;
        }
    }

    /// The reasons and their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Omission, u64)> {
        Omission::ALL.into_iter().zip(self.0)
    }
}

/// What a walk found.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    /// The sections, in the order they stand; none is empty, and nothing lies between them.
    pub list: Vec<Section>,
    /// What is not read.
    pub omissions: Omissions,
    /// Where that has to be told, in order.
    pub noted: Vec<(Omission, usize)>,
    /// Where the header begins that was met last.
    pub header: Option<usize>,
    /// True when a coded part goes on behind, of which more had better be decoded at once, or which
    /// had better be cut elsewhere, as a block had of which too little is seen.
    pub is_divided: bool,
    /// The headers of messages that were read whole.
    pub heads: Heads,
}

impl Sections {
    /// Forgets what was found, but for what is counted.
    pub fn clear(&mut self) {
        self.list.clear();
        self.noted.clear();
        self.heads.clear();
    }
}
