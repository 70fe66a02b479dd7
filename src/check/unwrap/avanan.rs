//! Check Point Harmony Email, once Avanan.
//!
//! Three underscores and a dot end the link, which is not escaped, and a token follows. Programs
//! may have dropped a slash after its scheme. Some versions, named in the path, shift the letters
//! of the link; what they write is no link of the Web, and is not guessed.

use memchr::memmem;

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Avanan,
    name: "avanan",
    about: "Harmony Email of Check Point, once Avanan",
    form: "url.avanan.click/v2/___LINK___.TOKEN",
    read,
};

/// The schemes that the gateway wraps.
const SCHEMES: [&[u8]; 3] = [b"http", b"https", b"ftp"];

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    const OPENS: &[u8] = b"/___";
    const CLOSES: &[u8] = b"___.";
    let start = memmem::find(wrapper.rest, OPENS).ok_or(Unknown::Missing)? + OPENS.len();
    let after = wrapper.rest.get(start..).unwrap_or_default();
    let end = memmem::find(after, CLOSES).ok_or(Unknown::Missing)?;
    let link = after.get(..end).unwrap_or_default();
    let scheme = link.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_web = SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    if !is_web {
        return Err(Unknown::Encoding);
    }
    Ok(decode::with_slashes(link.to_vec()))
}
