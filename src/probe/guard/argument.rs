//! Decodes arguments that a URI brings into a protocol, and confines them to one line.
//!
//! In line-based protocols, a `%0D%0A` in a path would become a line end, and the text after it a
//! command of its own, at a port of the author's choice: the URI's author would speak through us
//! (RFC 4266 §4, RFC 1738 §6).

use crate::finding::Class;
use crate::probe::Failure;
use crate::uri;

/// The bytes that end a line or a field in some protocol: NUL, tab, line feed, carriage return.
const SMUGGLES: [u8; 4] = [0, b'\t', b'\n', b'\r'];

/// Decodes `text` (RFC 3986 §2.1) as an argument of a line-based protocol.
///
/// Gopher's tab between selector and search (RFC 4266 §2.2) is a separator, not part of an
/// argument: split the path at `%09` first.
///
/// # Errors
/// `PolicyArgument` if the decoded text contains CR, LF, NUL or TAB.
pub fn line_argument(text: &[u8]) -> Result<Vec<u8>, Failure> {
    let decoded = decoded(text);
    wire_argument(&decoded)?;
    Ok(decoded)
}

/// Accepts `bytes` that are sent unchanged, such as HTTP's request target, whose escapes are not
/// decoded on the way.
///
/// # Errors
/// `PolicyArgument` if they contain CR, LF, NUL or TAB.
pub fn wire_argument(bytes: &[u8]) -> Result<(), Failure> {
    match bytes.iter().find(|byte| SMUGGLES.contains(byte)) {
        None => Ok(()),
        Some(byte) => Err(Failure::new(
            Class::PolicyArgument,
            format!("an argument of the protocol has the byte {byte:#04x}"),
        )),
    }
}

/// Decodes the escapes of `text`. A percent sign that begins no escape stays.
#[must_use]
pub fn decoded(text: &[u8]) -> Vec<u8> {
    uri::unescaped(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{decoded, line_argument, wire_argument};

    #[test]
    fn escapes_are_decoded_once() {
        assert_eq!(decoded(b"a%2Fb%2f%252F"), b"a/b/%2F");
        assert_eq!(decoded(b"%zz%4"), b"%zz%4");
        assert_eq!(decoded(b"%"), b"%");
    }

    #[test]
    fn no_argument_ends_its_line() {
        for odd in ["a%0d%0aHELO", "%0A", "%0d", "x%00", "a%09b", "a\tb", "a\nb"] {
            assert!(line_argument(odd.as_bytes()).is_err(), "{odd}");
        }
        assert_eq!(line_argument(b"a%20b"), Ok(b"a b".to_vec()));
        assert!(wire_argument(b"/a%0D%0A").is_ok());
        assert!(wire_argument(b"/a\r\nb").is_err());
    }
}
