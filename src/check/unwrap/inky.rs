//! INKY, which keeps the link.
//!
//! `domain` is the host of the link, and `t` is a token for the rest.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Inky,
    name: "inky",
    about: "INKY",
    form: "shared.outlook.inky.com/link?domain=HOST&t=TOKEN",
    read: decode::opaque,
};
