//! The redirectors of Facebook, Instagram, Messenger and WhatsApp.
//!
//! `u` is the link, escaped; `h` and `e` are tokens of the reader. Each language and each network
//! operator has a host of its own below `facebook.com`.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Facebook,
    name: "facebook",
    about: "redirectors of Facebook, Instagram and Messenger",
    form: "l.facebook.com/l.php?u=LINK&h=TOKEN",
    read: decode::parameter,
};
