//! Zix Link Defense.
//!
//! `u` is the link, escaped; both segments of the path are tokens.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Zix,
    name: "zix",
    about: "Link Defense of Zix",
    form: "link.zixcentral.com/u/TOKEN/TOKEN?u=LINK",
    read: |wrapper| decode::last_parameter(wrapper, &[]),
};
