//! Mimecast URL Protect, which keeps the link.
//!
//! The path has a token, and `domain` is the host of the link.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Mimecast,
    name: "mimecast",
    about: "URL Protect of Mimecast",
    form: "protect-us.mimecast.com/s/TOKEN?domain=HOST",
    read: decode::opaque,
};
