//! The sandbox of Libraesva.
//!
//! `u` is the escaped link, `e` identifies the recipient, and `h` is a signature of both.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Esva,
    name: "esva",
    about: "the URL sandbox of Libraesva",
    form: "urlsand.esvalabs.com/?u=LINK&e=TOKEN&h=TOKEN",
    read: decode::parameter,
};
