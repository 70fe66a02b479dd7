//! Trend Micro Time-of-Click Protection.
//!
//! `url` is the link, escaped; `umid` names the message, and `auth` signs it. Each product and each
//! of its versions has a host of its own.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::TrendMicro,
    name: "trendmicro",
    about: "Time-of-Click Protection of Trend Micro",
    form: "imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url=LINK&umid=TOKEN&auth=TOKEN",
    read: |wrapper| decode::parameter_before(wrapper, &["umid", "auth"]),
};
