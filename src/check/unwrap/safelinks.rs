//! Microsoft Safe Links, in mail and in Teams.
//!
//! `url` is the link, escaped; `data` has the recipient's address and identifiers of the tenant and
//! the message, and `sdata` signs it. Each region and each national cloud has a host of its own,
//! and some put a version before the query: `/ap/t-59584e83/`. In Teams a page among its own wraps
//! the link, with the same parameter.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::SafeLinks,
    name: "safelinks",
    about: "Safe Links of Microsoft",
    form: "nam01.safelinks.protection.outlook.com/?url=LINK&data=TOKEN&sdata=TOKEN",
    read: decode::parameter,
};
