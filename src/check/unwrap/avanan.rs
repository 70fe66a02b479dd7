//! Check Point Harmony Email, once Avanan.
//!
//! Three underscores and a dot end the link, which is not escaped, and a token follows. Programs
//! may have dropped a slash after its scheme, or escaped the colon. In version 1, a parameter holds
//! the link. Some versions, named in the path, shift the letters of the link; the result is no link
//! of the Web, and is not guessed.

use memchr::memmem;

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper, unescaped};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Avanan,
    name: "avanan",
    about: "Harmony Email of Check Point, once Avanan",
    form: "url.avanan.click/v2/___LINK___.TOKEN",
    read,
};

/// The schemes that the gateway wraps.
const SCHEMES: [&[u8]; 3] = [b"http", b"https", b"ftp"];

/// Bytes of a link that hold its scheme and a colon, perhaps an escaped one.
const SCHEME_LEN_MAX: usize = 8;

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    const OPENS: &[u8] = b"/___";
    const CLOSES: &[u8] = b"___.";
    let Some(start) = memmem::find(wrapper.rest, OPENS).map(|at| at + OPENS.len()) else {
        return decode::parameter(wrapper);
    };
    let after = wrapper.rest.get(start..).unwrap_or_default();
    let end = memmem::find(after, CLOSES).ok_or(Unknown::Missing)?;
    let link = decode::without_references(after.get(..end).unwrap_or_default());
    let start = unescaped(link.get(..SCHEME_LEN_MAX).unwrap_or(&link));
    let scheme = start.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_web = SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    if !is_web {
        return Err(Unknown::Encoding);
    }
    Ok(decode::with_slashes(link))
}
