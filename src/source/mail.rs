//! Reads mail and news: mailboxes and messages, their header fields, parts, transfer encodings and
//! charsets.
//!
//! `mailbox` decides where messages and their headers begin and end, and `boxes` does so for each
//! kind of mailbox; `maildir` knows the names of messages in directories. `fields` reads header
//! fields, `unsubscribe` those by which a message offers to unsubscribe. `letters` recognises mail
//! in text without a header, and `saved` in documents. `mime` walks the parts of a message and
//! decodes them, and `charset` decodes their text, and any other.

pub(super) mod attributes;
pub mod boxes;
pub mod charset;
pub mod fields;
pub(super) mod haystacks;
pub(super) mod letters;
pub mod mailbox;
pub mod maildir;
pub mod mime;
pub mod names;
pub(super) mod saved;
mod unsubscribe;
mod walks;
