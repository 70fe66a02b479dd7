//! The sandbox of Libraesva.
//!
//! `u` is the link, escaped; `e` stands for the recipient, and `h` signs both.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Esva,
    name: "esva",
    about: "the URL sandbox of Libraesva",
    form: "urlsand.esvalabs.com/?u=LINK&e=TOKEN&h=TOKEN",
    read: decode::parameter,
};
