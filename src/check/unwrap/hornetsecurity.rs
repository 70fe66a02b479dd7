//! Hornetsecurity Advanced Threat Protection.
//!
//! `u` is the link, escaped; the older form, `atp_str`, has nothing but a token.

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Hornetsecurity,
    name: "hornetsecurity",
    about: "Advanced Threat Protection of Hornetsecurity",
    form: "atpscan.global.hornetsecurity.com/?d=TOKEN&f=TOKEN&u=LINK",
    read,
};

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    decode::last_parameter(wrapper, &[b"d", b"f"]).map_err(|_| Unknown::Opaque)
}
