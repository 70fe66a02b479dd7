//! Egress Defend, now of KnowBe4.
//!
//! `Base64Url` is the link, compressed by zlib, in base64. Without the feature `archives` it is not
//! decompressed, and the target is unknown.

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper, base64};

pub(super) const ROW: Row = Row {
    gateway: Gateway::Egress,
    name: "egress",
    about: "Defend of Egress",
    form: "links.us1.defend.egress.com/Warning?crId=TOKEN&Domain=HOST&Base64Url=BASE64",
    read,
};

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    let packed = base64(decode::value(wrapper)?).ok_or(Unknown::Encoding)?;
    inflated(&packed)
}

#[cfg(feature = "archives")]
fn inflated(packed: &[u8]) -> Result<Vec<u8>, Unknown> {
    use std::io::Read as _;

    let mut link = Vec::new();
    let text = flate2::read::ZlibDecoder::new(packed);
    match text.take(super::WRAPPER_LEN_MAX as u64).read_to_end(&mut link) {
        Ok(_) => Ok(link),
        Err(_) => Err(Unknown::Encoding),
    }
}

#[cfg(not(feature = "archives"))]
fn inflated(_: &[u8]) -> Result<Vec<u8>, Unknown> {
    Err(Unknown::Encoding)
}

#[cfg(test)]
mod tests {
    use crate::check::unwrap::unwrapped;

    #[test]
    #[cfg(feature = "archives")]
    fn the_link_is_decompressed() {
        let wrapper = b"https://links.us1.defend.egress.com/Warning?crId=6abbc0c5&Domain=h.example\
                        &Lang=en&Base64Url=eNrLKCkpKLbS10_PLMkoTdJLzs_VTywtycjPS9XPzssvTzLRTUlN\
                        zk9J1S2oBABhwhAK&@OriginalLink=github.com";
        let found = unwrapped(wrapper).unwrap();
        assert_eq!(found.names(), ["egress"]);
        let wanted: &[u8] = b"https://github.com/authone/knowb4-decode-py";
        assert_eq!(found.target.as_deref(), Ok(wanted));
    }
}
