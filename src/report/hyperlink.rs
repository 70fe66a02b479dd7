//! Writes paths as hyperlinks that a terminal opens on a click, by the control sequence OSC 8.
//!
//! The sequence is no standard of ECMA but a convention of terminals, "Hyperlinks in Terminal
//! Emulators": `ESC ] 8 ; parameters ; URI ESC \` begins a hyperlink, and the same without a URI
//! ends it. The URI is a `file` URI with the name of the host (RFC 8089 §2), by which a terminal
//! recognises paths of other machines. Such URIs cannot contain a line number.

use crate::uri::{Redacted, escape};

/// The base of the paths of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The name of this machine, encoded.
    host: Vec<u8>,
    /// The base directory of relative paths, encoded, with a final `/`.
    directory: Vec<u8>,
}

impl Home {
    /// Creates the base for paths that are relative to `directory`, an absolute path on the machine
    /// called `host`.
    #[must_use]
    pub fn new(host: &[u8], directory: &[u8]) -> Self {
        let mut home = Self { host: Vec::new(), directory: Vec::new() };
        append_encoded(host, &mut home.host);
        append_encoded(&Redacted::new(directory).shown(), &mut home.directory);
        if !home.directory.ends_with(b"/") {
            home.directory.push(b'/');
        }
        home
    }

    /// Appends the beginning of a hyperlink to `path`, in which the caller has redacted passwords.
    pub(super) fn append_begin(&self, path: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b]8;;file://");
        out.extend_from_slice(&self.host);
        let mut path = path;
        if !path.starts_with(b"/") {
            out.extend_from_slice(&self.directory);
            while let Some(rest) = path.strip_prefix(b"./") {
                path = rest;
            }
        }
        append_encoded(path, out);
        out.extend_from_slice(END_OF_SEQUENCE);
    }
}

/// Appends the end of a hyperlink.
pub(super) fn append_end(out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b]8;;");
    out.extend_from_slice(END_OF_SEQUENCE);
}

/// ST, the end of control strings (ECMA-48 §8.3.143).
const END_OF_SEQUENCE: &[u8] = b"\x1b\\";

/// Appends `text` with all bytes except unreserved characters and `/` as `%xx` (RFC 3986 §2.1), so
/// that it cannot end the sequence or the URI.
fn append_encoded(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(&escape(byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Home, append_end};

    #[track_caller]
    fn case(directory: &str, path: &[u8], uri: &str) {
        let mut out = Vec::new();
        Home::new(b"h.example", directory.as_bytes()).append_begin(path, &mut out);
        append_end(&mut out);
        let wanted = format!("\x1b]8;;{uri}\x1b\\\x1b]8;;\x1b\\");
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
        // A URI parser recovers the path.
        let read = url::Url::parse(uri).unwrap();
        assert_eq!((read.scheme(), read.host_str()), ("file", Some("h.example")));
        let decoded = percent_decoded(read.path());
        assert!(decoded.ends_with(path.strip_prefix(b"./").unwrap_or(path)), "{decoded:?}");
    }

    fn percent_decoded(text: &str) -> Vec<u8> {
        let mut parts = text.split('%');
        let mut bytes = parts.next().unwrap().as_bytes().to_vec();
        for part in parts {
            bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
            bytes.extend_from_slice(&part.as_bytes()[2..]);
        }
        bytes
    }

    #[test]
    fn a_path_is_absolute_and_has_the_host() {
        case("/home/me", b"docs/a.md", "file://h.example/home/me/docs/a.md");
        case("/home/me", b"./docs/a.md", "file://h.example/home/me/docs/a.md");
        case("/", b"a", "file://h.example/a");
        case("/home", b"/etc/hosts", "file://h.example/etc/hosts");
    }

    #[test]
    fn a_path_of_any_bytes_stays_inside_of_its_uri() {
        case(
            "/a b",
            b"x\x1b\\;\x07?#%41:\xff\n\xc3\xa9",
            "file://h.example/a%20b/x%1B%5C%3B%07%3F%23%2541%3A%FF%0A%C3%A9",
        );
    }

    #[test]
    fn passwords_in_the_name_of_the_directory_do_not_show() {
        let mut out = Vec::new();
        Home::new(b"", b"/ftp://me:secret@h").append_begin(b"a", &mut out);
        assert!(!String::from_utf8(out).unwrap().contains("secret"));
    }
}
