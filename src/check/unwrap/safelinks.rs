//! Microsoft Safe Links, in mail and in Teams.
//!
//! `url` is the link, escaped; `data` has the recipient's address and identifiers of the tenant and
//! the message, and `sdata` signs it. Each region has a host and each national cloud a domain of
//! its own, and some put a version before the query: `/ap/t-59584e83/`. In Teams and in Outlook on
//! the Web a page among their own wraps the link, with the same parameter, and others after it.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::SafeLinks,
    name: "safelinks",
    about: "Safe Links of Microsoft",
    form: "nam01.safelinks.protection.outlook.com/?url=LINK&data=TOKEN&sdata=TOKEN",
    read: |wrapper| decode::parameter_before(wrapper, OTHERS),
};

const OTHERS: &[&str] =
    &["data", "sdata", "reserved", "locale", "corid", "dest", "pc", "wau", "wai"];
