//! Cisco Secure Email.
//!
//! The first segment of the path is a token, and the rest is the link, escaped. A query of the link
//! that was not escaped is part of it. In an older form, `url` in the path is the link, escaped or
//! not, after the token in `auth`.

use memchr::memmem;

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
    if let Some(link) = named(path) {
        return Ok(link);
    }
    let slash = memchr::memchr(b'/', path).ok_or(Unknown::Opaque)?;
    let link = path.get(slash + 1..).filter(|link| !link.is_empty()).ok_or(Unknown::Opaque)?;
    Ok(decode::with_slashes(unescaped(link).into_owned()))
}

/// Returns the link of the older form, `auth=TOKEN&url=LINK`.
fn named(path: &[u8]) -> Option<Vec<u8>> {
    const TOKEN: &[u8] = b"auth=";
    const LINK: &[u8] = b"url=";
    let rest = path.strip_prefix(b"?").unwrap_or(path);
    rest.get(..TOKEN.len()).filter(|name| name.eq_ignore_ascii_case(TOKEN))?;
    // A reference of HTML for the ampersand ends with a semicolon.
    let start = memmem::find_iter(rest, LINK)
        .find(|&at| matches!(at.checked_sub(1).and_then(|at| rest.get(at)), Some(b'&' | b';')))?;
    let link = rest.get(start + LINK.len()..).filter(|link| !link.is_empty())?;
    Some(match memmem::find(link, b"://") {
        Some(_) => decode::without_references(link),
        None => unescaped(link.split(|byte| *byte == b'&').next()?).into_owned(),
    })
}
