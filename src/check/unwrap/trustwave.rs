//! Trustwave MailMarshal.
//!
//! `u` is the link, escaped; `c` names the customer, and `d` is a token.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Trustwave,
    name: "trustwave",
    about: "MailMarshal of Trustwave",
    form: "scanmail.trustwave.com/?c=TOKEN&d=TOKEN&s=5&u=LINK",
    read: |wrapper| decode::last_parameter(wrapper, &[b"c", b"d", b"s"]),
};
