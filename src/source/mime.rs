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
pub use omission::{DEPTH_MAX, HELD_MAX, Omission, Omissions, PARTS_MAX};
pub use replay::{Replay, Source, decode, decode_source};
pub use section::{Content, Section, Sections, Sibling, Siblings};
pub use sight::Edge;
pub(super) use transcoder::Transcoder;
pub use walk::{SECTIONS_MAX, TAKEN_UP_MAX, Walk};
