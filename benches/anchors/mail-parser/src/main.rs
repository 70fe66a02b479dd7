//! Parses every message of a mailbox and decodes its text parts, in memory and on one thread.
//!
//! ```text
//! parts-of-mail MBOX
//! ```
//! It prints the number of messages, their text parts, the bytes of these, and of `://` in them. It
//! searches nothing else, knows no positions, and reports nothing.

use std::{env, fs, io};

use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::MessageParser;

fn main() -> io::Result<()> {
    let Some(path) = env::args().nth(1) else {
        return Err(io::Error::other("expected the path of a mailbox"));
    };
    let text = fs::read(path)?;
    let parser = MessageParser::default();
    let (mut messages, mut parts, mut bytes, mut links) = (0_u64, 0_u64, 0, 0);
    for raw in MessageIterator::new(text.as_slice()) {
        let raw = raw.map_err(|error| io::Error::other(format!("{error:?}")))?;
        let Some(message) = parser.parse(raw.contents()) else { continue };
        messages += 1;
        for part in message.parts() {
            if let Some(text) = part.text() {
                parts += 1;
                bytes += text.len();
                links += text.matches("://").count();
            }
        }
    }
    println!("{messages} messages, {parts} text parts of {bytes} bytes with {links} of ://");
    Ok(())
}
