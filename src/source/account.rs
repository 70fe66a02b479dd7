//! Defines the counts, notes and warnings that reading a piece gives, besides its haystacks.

use super::mail::mime::Omissions;
use super::mail::names::Name;
use crate::finding::{Note, Warning};

/// The facts about a text that are read only on request, because they cost time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Whether segments carry their messages, and places lines of decoded text.
    pub messages: bool,
    /// Whether the names of messages and of their parts are collected.
    pub names: bool,
}

/// The counts and notes of reading a piece.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Messages that begin in the piece.
    pub messages: u64,
    /// Alternatives whose forms were read as unrelated texts.
    pub unpaired: u64,
    /// Links that a template or a program fills in.
    pub templates: u64,
    /// The parts of messages that were not read.
    pub omissions: Omissions,
    /// Notes to report.
    pub notes: Vec<Note>,
    /// Warnings about offers to unsubscribe that have no link, with their offsets in the text.
    pub offers: Vec<(u64, Vec<Warning>)>,
    /// The names that occur in mail.
    pub names: Vec<Name>,
}
