//! Barracuda Link Protection.
//!
//! `a` is the link, escaped; `c` names the customer, and has a token.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Barracuda,
    name: "barracuda",
    about: "Link Protection of Barracuda",
    form: "linkprotect.cudasvc.com/url?a=LINK&c=TOKEN",
    read: decode::parameter,
};
