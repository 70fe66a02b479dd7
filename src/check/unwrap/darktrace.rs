//! Darktrace Email, which keeps the link.
//!
//! The path is a token.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Darktrace,
    name: "darktrace",
    about: "Darktrace Email",
    form: "us01.z.antigena.com/l/TOKEN",
    read: decode::opaque,
};
