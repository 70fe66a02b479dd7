//! The redirectors of Facebook, Instagram and Messenger.
//!
//! `u` is the link, escaped; `h` is a token of the reader.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Facebook,
    name: "facebook",
    about: "redirectors of Facebook, Instagram and Messenger",
    form: "l.facebook.com/l.php?u=LINK&h=TOKEN",
    read: decode::parameter,
};
