//! EdgePilot.
//!
//! `u` is the link, escaped; both segments of the path are tokens.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::EdgePilot,
    name: "edgepilot",
    about: "EdgePilot of AppRiver",
    form: "link.edgepilot.com/s/TOKEN/TOKEN?u=LINK",
    read: |wrapper| decode::last_parameter(wrapper, &[]),
};
