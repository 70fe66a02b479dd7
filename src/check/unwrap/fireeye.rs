//! FireEye, now Trellix.
//!
//! `u`, the last parameter, is the link, which older versions do not escape; `k` and `e` are tokens
//! of the message.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::FireEye,
    name: "fireeye",
    about: "URL protection of FireEye and Trellix",
    form: "protect2.fireeye.com/v1/url?k=TOKEN&q=1&e=TOKEN&u=LINK",
    read: |wrapper| decode::last_parameter(wrapper, &[b"k", b"q", b"e"]),
};
