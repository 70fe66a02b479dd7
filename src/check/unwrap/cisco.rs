//! Cisco Secure Email.
//!
//! The first segment of the path is a token, and the rest is the link, escaped. A query of the link
//! that was not escaped is part of it.

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper, unescaped};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Cisco,
    name: "cisco",
    about: "Secure Email of Cisco",
    form: "secure-web.cisco.com/TOKEN/LINK",
    read,
};

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    let path = wrapper.rest.get(1..).unwrap_or_default();
    let slash = memchr::memchr(b'/', path).ok_or(Unknown::Opaque)?;
    let link = path.get(slash + 1..).filter(|link| !link.is_empty()).ok_or(Unknown::Opaque)?;
    Ok(decode::with_slashes(unescaped(link).into_owned()))
}
