//! Parses the structure of messages (RFC 2045, RFC 2046): finds header fields and text, determines
//! how text is encoded, and skips content that is not text.
//!
//! Nothing is copied or decoded except on request: [`Walk`] goes through a message once, from
//! boundary to boundary, and returns [`Section`]s; [`decode_source`] decodes an encoded one to
//! text, and [`Replay`] maps decoded offsets back to the source. A walk can stop anywhere and
//! resume in the next piece of the message. It keeps a stack of its own with [`DEPTH_MAX`] levels,
//! so that no message can exhaust the call stack.
//!
//! From the bottom up: a `run` is one step of a decoder; each coding has a decoder of its own
//! (`base64`, `quoted`, `charset` …), and `coding` selects it; `replay` decodes a whole text.
//! `head` and `parameters` read header fields, `entity` determines the kind of a body from them,
//! and `walk` goes from one body to the next.
//!
//! Not done: `message/partial` is not reassembled, TNEF is not read, S/MIME and PGP are not
//! decrypted, and charsets that extend US-ASCII are decoded only for the sake of IRIs.

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
mod worded;
mod words;

pub use super::charset::Charset;
pub use blocks::{Blocks, LOOK_LEN, Look, find as find_blocks};
pub use coding::Coding;
pub(in crate::source) use entity::{content_type, open_boundaries};
pub use heads::Heads;
pub use omission::{DEPTH_MAX, HELD_MAX, Omission, Omissions, PARTS_MAX};
pub use replay::{Replay, Source, decode, decode_source};
pub use section::{Content, Section, Sections, Sibling, Siblings};
pub use sight::Edge;
pub(in crate::source) use transcoder::Transcoder;
pub use walk::{SECTIONS_MAX, TAKEN_UP_MAX, Text, Walk};
