//! Any bytes as mail: a message, a mailbox, a saved page. What is found has a place, and a box
//! read twice says the same.

use linktrawl::internal::source::InputKind;
use linktrawl::internal::source::mail::charset;
use linktrawl::internal::source::mail::mailbox::{self, FromLine};
use linktrawl::internal::source::mail::mime::{Coding, decode};

use super::reading::read;

/// One message, with all that MIME has.
pub(crate) fn message(bytes: &[u8]) {
    read("a.eml", InputKind::Posted, bytes);
}

/// A mailbox.
pub(crate) fn mailbox(bytes: &[u8]) {
    let found = read("a.mbox", InputKind::Mail, bytes);
    assert_eq!(read("a.mbox", InputKind::Mail, bytes), found);
}

/// A page kept as a message.
pub(crate) fn saved_page(bytes: &[u8]) {
    read("a.mht", InputKind::SavedPage, bytes);
}

/// The header of a message: identifier, date, and where it ends.
pub(crate) fn header(bytes: &[u8]) {
    let _ = mailbox::is_message(bytes);
    let _ = mailbox::message(bytes, 0, FromLine::Belongs);
    if let Some(end) = mailbox::header_end(bytes, 0, FromLine::Belongs) {
        assert!(end <= bytes.len());
    }
    let decoded = mailbox::value(bytes);
    // An encoded word of four characters of base64 is three bytes at most, each a character.
    assert!(decoded.len() <= 3 * bytes.len() + 3);
}

/// Each transfer encoding: a decoded byte is decoded from bytes of the input.
pub(crate) fn transfer(bytes: &[u8]) {
    for coding in [Coding::Base64, Coding::Quoted] {
        assert!(decode(coding, bytes).len() <= bytes.len());
    }
}

/// Text in UTF-16 and UTF-32, with and without a mark.
pub(crate) fn wide(bytes: &[u8]) {
    let _ = charset::sniff(bytes);
    let marks: [&[u8]; 4] = [b"\xFF\xFE", b"\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"];
    for mark in marks {
        read("a.txt", InputKind::Auto, &[mark, bytes].concat());
    }
}
