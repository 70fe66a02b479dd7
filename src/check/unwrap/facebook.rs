//! The redirectors of Facebook, Instagram, Messenger and WhatsApp.
//!
//! `u` is the link, escaped; `h` and `e` are tokens of the reader. Each language and each network
//! operator has a host of its own below `facebook.com`. The form before 2013 has a token and the
//! link, without its scheme, in its path: `/l/TOKEN;h.example/a`, `/l/TOKEN/h.example/a`.

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Facebook,
    name: "facebook",
    about: "redirectors of Facebook, Instagram and Messenger",
    form: "l.facebook.com/l.php?u=LINK&h=TOKEN",
    read,
};

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    const OLD: &[u8] = b"/l/";
    let Some(path) = wrapper.rest.strip_prefix(OLD) else { return decode::parameter(wrapper) };
    let token = path.iter().position(|byte| matches!(byte, b';' | b'/'));
    let link = token.and_then(|len| path.get(len + 1..)).filter(|link| !link.is_empty());
    link.map(|link| [b"http://", link].concat()).ok_or(Unknown::Missing)
}
