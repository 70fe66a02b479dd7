//! Barracuda Link Protection.
//!
//! `a` is the link, escaped or not; `c` names the customer, and has a token after a letter and a
//! comma.

use memchr::memmem;

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper, unescaped};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Barracuda,
    name: "barracuda",
    about: "Link Protection of Barracuda",
    form: "linkprotect.cudasvc.com/url?a=LINK&c=TOKEN",
    read,
};

/// Returns the link. If it is not escaped, its own parameters precede those of the gateway.
fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    const CUSTOMER: [&[u8]; 4] = [b"&c=E,", b"&amp;c=E,", b"&c=E%2C", b"&amp;c=E%2C"];
    let value = decode::value(wrapper)?;
    if memmem::find(value, b"://").is_none() {
        return Ok(unescaped(value).into_owned());
    }
    let rest = decode::from_value(wrapper, value);
    let before = wrapper.rest.get(..wrapper.rest.len() - rest.len()).unwrap_or_default();
    let end = CUSTOMER.iter().filter_map(|end| memmem::find(rest, end)).min();
    let end = end.or_else(|| match memmem::find(before, b"c=") {
        Some(_) => memmem::find(rest, b"&typo="),
        None => memmem::rfind(rest, b"&c="),
    });
    Ok(decode::without_references(rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest)))
}
