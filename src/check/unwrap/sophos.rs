//! Sophos Time of Click.
//!
//! `u` is the link in base64, of either alphabet, and `d` its host; `i`, `t`, `h` and `s` are
//! tokens of the customer, the recipient and the message. Links without `u` have tokens only.

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper, base64};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Sophos,
    name: "sophos",
    about: "Time of Click of Sophos",
    form: "eu-central-1.protection.sophos.com/?d=HOST&u=BASE64&i=TOKEN&t=TOKEN&h=TOKEN",
    read,
};

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    let value = decode::value(wrapper).map_err(|_| Unknown::Opaque)?;
    base64(value).ok_or(Unknown::Encoding)
}
