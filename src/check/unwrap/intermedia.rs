//! Intermedia LinkSafe, which keeps the link.
//!
//! The query is a token.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Intermedia,
    name: "intermedia",
    about: "LinkSafe of Intermedia",
    form: "url.emailprotection.link/?TOKEN",
    read: decode::opaque,
};
