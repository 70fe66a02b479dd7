//! Symantec Click-time URL Protection, now of Broadcom.
//!
//! `u` is the link, escaped; the path, `d` and `h` are tokens.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Symantec,
    name: "symantec",
    about: "Click-time URL Protection of Symantec",
    form: "clicktime.symantec.com/TOKEN?u=LINK",
    read: |wrapper| decode::last_parameter(wrapper, &[b"h"]),
};
