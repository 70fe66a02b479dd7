//! Reads the header of a record in a WARC (ISO 28500), as far as it describes a memento.

use jiff::Timestamp;

use super::Snapshot;

/// The first bytes of a record.
pub const MARK: &[u8] = b"WARC/";

/// The header of a record.
#[derive(Clone, Debug, Default)]
pub struct Head {
    kind: Vec<u8>,
    uri: Option<Vec<u8>>,
    time: Option<Timestamp>,
}

impl Head {
    /// Reads a header, a field on each line.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        let mut head = Self::default();
        text.split(|byte| *byte == b'\n').for_each(|line| head.field(line));
        head
    }

    /// Reads a line of the header.
    fn field(&mut self, line: &[u8]) {
        let Some(colon) = memchr::memchr(b':', line) else { return };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        let text = || std::str::from_utf8(value).ok();
        match name.to_ascii_lowercase().as_slice() {
            b"warc-type" => self.kind = value.to_ascii_lowercase(),
            b"warc-target-uri" => {
                // Versions before 1.1 were read to mean angle brackets.
                let bare = value.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">"));
                self.uri = Some(bare.unwrap_or(value).to_vec());
            }
            b"warc-date" => self.time = text().and_then(|text| text.parse().ok()),
            _ => {}
        }
    }

    /// Returns the memento that the record is, if it is one. `block` is the beginning of its block:
    /// an answer of HTTP must be one with a page.
    #[must_use]
    pub fn snapshot(&self, block: &[u8]) -> Option<Snapshot> {
        let is_http = block.starts_with(b"HTTP/");
        let is_page = match &*self.kind {
            b"resource" => true,
            b"response" => !is_http || is_good(block),
            // Of the same content as an earlier one.
            b"revisit" => is_http && is_good(block),
            _ => false,
        };
        let original = self.uri.clone().filter(|_| is_page);
        Some(Snapshot { uri: None, original: Some(original?), time: self.time? })
    }
}

/// Reports whether the status line of `answer` has a code of 2xx.
fn is_good(answer: &[u8]) -> bool {
    let line = answer.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let code = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(1);
    code.is_some_and(|code| code.len() == 3 && code.starts_with(b"2"))
}

#[cfg(test)]
mod tests {
    use super::Head;
    use crate::probe::archive::digits;

    fn shown(head: &str, block: &str) -> Option<String> {
        let found = Head::of(head.as_bytes()).snapshot(block.as_bytes())?;
        let original = String::from_utf8(found.original?).unwrap();
        Some(format!("{} {original}", digits(found.time)))
    }

    #[test]
    fn pages_are_mementos_and_nothing_else_is() {
        const HEAD: &str =
            "WARC-Target-URI: <http://h/a>\r\nwarc-date: 2001-02-03T04:05:06Z\r\nX: y";
        let case = |kind: &str, block: &str| shown(&format!("{HEAD}\nWARC-Type: {kind}"), block);
        let page = Some("20010203040506 http://h/a".to_owned());
        assert_eq!(case("response", "HTTP/1.1 200 OK\r\n"), page);
        assert_eq!(case("Response", "HTTP/2 204\r\n"), page);
        assert_eq!(case("revisit", "HTTP/1.1 200 OK\r\n"), page);
        assert_eq!(case("resource", "<p>"), page);
        for (kind, block) in [
            ("response", "HTTP/1.1 404 Not Found"),
            ("response", "HTTP/1.1 301 Moved"),
            ("response", "HTTP/1.1"),
            ("revisit", ""),
            ("request", "GET / HTTP/1.1"),
            ("metadata", ""),
            ("", ""),
        ] {
            assert_eq!(case(kind, block), None, "{kind} {block}");
        }
        assert_eq!(shown("WARC-Type: resource\nWARC-Target-URI: http://h/", ""), None);
    }
}
