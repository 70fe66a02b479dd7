//! Microsoft Safe Links, in mail and in Teams.
//!
//! `url` is the link, escaped; `data` has the recipient's address and identifiers of the tenant and
//! the message, and `sdata` signs it. Each region has a host and each national cloud a domain of
//! its own, and some put a version before the query: `/ap/t-59584e83/`. In Teams and in Outlook on
//! the Web a page among their own wraps the link, with the same parameter.

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Parameter, Wrapper, data_start, parameters};

pub(super) const ROW: Row = Row {
    gateway: Gateway::SafeLinks,
    name: "safelinks",
    about: "Safe Links of Microsoft",
    form: "nam01.safelinks.protection.outlook.com/?url=LINK&data=TOKEN&sdata=TOKEN",
    read,
};

/// Returns the link, without the `data` that was escaped together with it if the wrapper has none
/// of its own.
fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    let mut link = decode::parameter(wrapper)?;
    let is_data = |it: Parameter<'_>| it.name.eq_ignore_ascii_case(b"data");
    if !parameters(wrapper.rest).any(is_data) {
        link.truncate(data_start(&link).unwrap_or(link.len()));
    }
    Ok(link)
}
