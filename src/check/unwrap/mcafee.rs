//! McAfee ClickProtect, which keeps the link.
//!
//! The path is a token.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::McAfee,
    name: "mcafee",
    about: "ClickProtect of McAfee",
    form: "cp.mcafee.com/d/TOKEN",
    read: decode::opaque,
};
