//! Rewrites the head of an answer of HTTP/1 to the one that browsers read in it.
//!
//! The parser of hyper rejects a whole answer for one malformed line; browsers skip the line. This
//! is what Chromium does in its `http_response_headers.cc`, with these exceptions: a status line
//! without a number is not `200`, and the line after a bare CR is dropped, not read as a field.
//! A NUL stays in its field, because browsers reject such an answer too.

use crate::uri::escape;

/// The head of one answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The status line and the fields, each with its CRLF, without the empty line at the end.
    pub(super) lines: Vec<u8>,
    pub(super) status: u16,
    /// Whether the head as sent was malformed, so that the end of its body is in doubt.
    pub(super) is_repaired: bool,
    /// Whether the last transfer coding is `chunked` (RFC 9112 §7.1).
    pub(super) is_chunked: bool,
}

/// The beginning of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// Too few bytes arrived.
    Open,
    /// A status line follows.
    Status,
    /// It is not an answer of HTTP/1.
    Foreign,
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the number of bytes before the status line: blanks, line ends (RFC 9112 §2.2) and a byte
/// order mark, which scripts send before they set the status.
pub(super) fn blank_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    while let Some(rest) = bytes.get(len..) {
        len += match rest.first() {
            Some(b' ' | b'\t' | b'\r' | b'\n') => 1,
            _ if rest.starts_with(MARK) => MARK.len(),
            _ => break,
        };
    }
    len
}

/// Classifies `bytes`, which do not begin with a blank.
pub(super) fn beginning(bytes: &[u8]) -> Beginning {
    // SHOUTcast servers call their protocol ICY.
    for name in [&b"HTTP"[..], b"ICY ", MARK] {
        let len = name.len().min(bytes.len());
        if name.iter().zip(bytes).all(|(name, byte)| name.eq_ignore_ascii_case(byte)) {
            return if len < name.len() { Beginning::Open } else { Beginning::Status };
        }
    }
    Beginning::Foreign
}

/// Returns the length of the head at the beginning of `bytes`, with its empty line; the first
/// `seen` bytes are known not to end it.
pub(super) fn head_len(bytes: &[u8], seen: usize) -> Option<usize> {
    // The last two of the seen bytes may begin the end.
    let from = seen.saturating_sub(2);
    let ends = memchr::memchr_iter(b'\n', bytes.get(from..).unwrap_or_default());
    ends.map(|idx| from + idx + 1).find_map(|end| match bytes.get(end..) {
        Some([b'\n', ..]) => Some(end + 1),
        Some([b'\r', b'\n', ..]) => Some(end + 2),
        _ => None,
    })
}

/// Reads `head`, whose beginning is [`Beginning::Status`]. Returns none if no status can be read.
pub(super) fn read(head: &[u8]) -> Option<Head> {
    let mut lines = head.split(|&byte| byte == b'\n').map(|line| match line {
        [line @ .., b'\r'] => line,
        line => line,
    });
    let status = StatusLine::read(lines.next()?)?;
    let mut writer = Writer::new(&status);
    for line in lines.take_while(|line| !line.is_empty()) {
        writer.add(line);
    }
    Some(writer.finish(status.number))
}

/// The status line (RFC 9112 §4) without its reason phrase, which is never shown.
struct StatusLine {
    number: u16,
    /// Whether the version is older than HTTP/1.1.
    is_old: bool,
    /// Whether the line conforms to its grammar.
    is_legal: bool,
}

impl StatusLine {
    fn read(line: &[u8]) -> Option<Self> {
        let len = line.iter().position(|&byte| is_blank(byte))?;
        let (version, rest) = line.split_at_checked(len)?;
        let code = rest.trim_ascii_start();
        let (digits, phrase) = code.split_at_checked(3)?;
        if phrase.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let number = str::from_utf8(digits).ok()?.parse().ok().filter(|number| *number >= 100)?;
        let is_legal = matches!(version, b"HTTP/1.0" | b"HTTP/1.1")
            && rest.strip_prefix(b" ") == Some(code)
            && matches!(phrase.first(), None | Some(b' '))
            && phrase.iter().all(|&byte| is_text(byte));
        Some(Self { number, is_old: is_old(version), is_legal })
    }
}

/// Reports whether `version` is older than HTTP/1.1, or none that can be read.
fn is_old(version: &[u8]) -> bool {
    let numbers = version.get(b"HTTP/".len()..).unwrap_or_default();
    let numbers = str::from_utf8(numbers).unwrap_or_default();
    let (major, minor) = numbers.split_once('.').unwrap_or((numbers, "0"));
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    (number(major), number(minor)) < (1, 1)
}

/// Writes the lines of a head.
struct Writer {
    lines: Vec<u8>,
    /// The last field, unless it was dropped or is complete.
    field: Option<Field>,
    is_repaired: bool,
    has_codings: bool,
    is_chunked: bool,
}

/// The field that is being written.
#[derive(Clone, Copy)]
struct Field {
    start: usize,
    value: usize,
    /// Whether its value is a reference.
    is_location: bool,
}

/// The index of the digit of the minor version in a status line.
const MINOR_IDX: usize = 7;

impl Writer {
    fn new(status: &StatusLine) -> Self {
        let minor = if status.is_old { '0' } else { '1' };
        Self {
            lines: format!("HTTP/1.{minor} {} \r\n", status.number).into_bytes(),
            field: None,
            is_repaired: !status.is_legal,
            has_codings: false,
            is_chunked: false,
        }
    }

    /// Adds `line`: a field, a continuation of the last one, or neither.
    fn add(&mut self, line: &[u8]) {
        if line.first().is_some_and(|&byte| is_blank(byte)) {
            // RFC 9112 §5.2: a user agent replaces line folding by blanks.
            self.is_repaired = true;
            if let Some(field) = self.field {
                let blank_len = line.iter().take_while(|&&byte| is_blank(byte)).count();
                self.add_blank(field);
                self.add_value(line.get(blank_len..).unwrap_or_default(), field);
            }
            return;
        }
        self.end_field();
        let Some(colon) = memchr::memchr(b':', line) else {
            self.is_repaired = true;
            return;
        };
        let (name, value) = line.split_at_checked(colon).unwrap_or_default();
        // RFC 9112 §5.1 forbids blanks before the colon, because some readers ignored them.
        let token = name.trim_ascii_end();
        self.is_repaired |= token.len() < name.len();
        if token.is_empty() || !token.iter().all(|&byte| is_token(byte)) {
            self.is_repaired = true;
            return;
        }
        let start = self.lines.len();
        self.lines.extend_from_slice(token);
        self.lines.extend_from_slice(b": ");
        let is_location = token.eq_ignore_ascii_case(b"location");
        let field = Field { start, value: self.lines.len(), is_location };
        self.field = Some(field);
        self.add_value(value.get(1..).unwrap_or_default(), field);
    }

    /// Adds a part of the value of `field`, up to a bare CR. Controls become blanks (RFC 9110
    /// §5.5), except in a reference, where they are escaped as the URL Standard does.
    fn add_value(&mut self, part: &[u8], field: Field) {
        for &byte in part {
            match byte {
                b' ' | b'\t' if self.lines.len() == field.value => {}
                b'\r' => {
                    self.is_repaired = true;
                    return;
                }
                // hyper rejects it, as browsers do.
                0 => self.lines.push(byte),
                _ if is_text(byte) => self.lines.push(byte),
                _ => {
                    self.is_repaired = true;
                    if field.is_location {
                        self.lines.extend_from_slice(&escape(byte));
                    } else {
                        self.add_blank(field);
                    }
                }
            }
        }
    }

    /// Adds a blank, except at the beginning of the value.
    fn add_blank(&mut self, field: Field) {
        if self.lines.len() > field.value {
            self.lines.push(b' ');
        }
    }

    /// Completes the last field. Reads it if it frames the body, and drops a length that is no
    /// number: browsers then read up to the end of the connection.
    fn end_field(&mut self) {
        let Some(field) = self.field.take() else { return };
        while self.lines.len() > field.value && self.lines.last().is_some_and(|&it| is_blank(it)) {
            self.lines.pop();
        }
        let name = self.lines.get(field.start..field.value).unwrap_or_default();
        let value = self.lines.get(field.value..).unwrap_or_default();
        if name.eq_ignore_ascii_case(b"content-length: ") {
            // RFC 9110 §8.6: a list of equal lengths counts as one. hyper compares them.
            if !value.split(|&byte| byte == b',').all(is_length) {
                self.is_repaired = true;
                self.lines.truncate(field.start);
                return;
            }
        } else if name.eq_ignore_ascii_case(b"transfer-encoding: ") {
            let last = value.rsplit(|&byte| byte == b',').next().unwrap_or_default();
            self.has_codings = true;
            self.is_chunked = last.trim_ascii().eq_ignore_ascii_case(b"chunked");
        }
        self.lines.extend_from_slice(b"\r\n");
    }

    fn finish(mut self, status: u16) -> Head {
        self.end_field();
        if let Some(minor) = self.lines.get_mut(MINOR_IDX)
            && self.has_codings
            && *minor == b'0'
        {
            // RFC 9112 §6.1 calls this framing faulty; curl reads the chunks.
            *minor = b'1';
            self.is_repaired = true;
        }
        let Self { lines, is_repaired, is_chunked, .. } = self;
        Head { lines, status, is_repaired, is_chunked }
    }
}

/// Reports whether `text` is a length in bytes that a number can hold.
fn is_length(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let is_number = text.iter().all(u8::is_ascii_digit);
    is_number && str::from_utf8(text).is_ok_and(|text| text.parse::<u64>().is_ok())
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Reports whether `byte` is allowed in a value or a reason phrase (RFC 9110 §5.5).
fn is_text(byte: u8) -> bool {
    byte == b'\t' || byte >= b' ' && byte != 0x7F
}

/// Reports whether `byte` is a `tchar` (RFC 9110 §5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::{Beginning, Head, beginning, blank_len, head_len, read};

    fn head_of(text: &[u8]) -> Option<Head> {
        let text = text.get(blank_len(text)..).unwrap_or_default();
        let len = head_len(text, 0).unwrap();
        read(text.get(..len).unwrap())
    }

    /// Reads a head of one line and `lines`, which are separated by CRLF.
    #[track_caller]
    fn case(lines: &[u8], expected: &str) {
        let head = head_of(&[b"HTTP/1.1 200 OK\r\n", lines, b"\r\n\r\n"].concat()).unwrap();
        let text = String::from_utf8_lossy(&head.lines).replace("\r\n", "|");
        assert_eq!(text.strip_prefix("HTTP/1.1 200 |").unwrap(), expected);
        assert_eq!(head.is_repaired, expected != "A: b|");
    }

    #[test]
    fn a_malformed_line_is_skipped() {
        for line in [
            "foo bar",
            "<br />",
            "<b>Warning</b>: x",
            ": x",
            "x=y",
            "HTTP/1.1 404 X",
            "X Y: b",
            "X-\u{E4}: b",
            "@x: c",
            "[x]: c",
            "# x",
            "\"CP=NOI\"",
        ] {
            let lines = format!("{line}\r\nX: y");
            case(lines.as_bytes(), "X: y|");
            case(format!("X: y\r\n{line}\r\n folded").as_bytes(), "X: y|");
        }
        case(b" folded\r\nX: y", "X: y|");
        case(b"A:\t b \t", "A: b|");
    }

    #[test]
    fn a_repaired_value_keeps_what_browsers_read() {
        case(b"X : y", "X: y|");
        case(b"X: a\x01b\x7Fc", "X: a b c|");
        case(b"X: a\rSet-Cookie: b", "X: a|");
        case(b"X: \ra", "X: |");
        case(b"X: \x01 a \x02", "X: a|");
        case(b"X:\r\n \r\n\ta\r\n ", "X: a|");
        case(b"X: a\r\n\tb", "X: a b|");
        case(b"Location: /\x1B[2J", "Location: /%1B[2J|");
        case(b"Content-Length: \r\nX: y", "X: y|");
        for value in ["abc", "12.0", "\"5\"", "5 b", "+5", "-1", "5,", "99999999999999999999"] {
            case(format!("Content-Length: {value}").as_bytes(), "");
        }
        case(b"content-length: 5\r\n 6", "");
    }

    #[track_caller]
    fn line(text: &[u8], expected: Option<&str>) {
        let head = head_of(&[text, b"\r\n\r\n"].concat());
        let lines = head.map(|head| String::from_utf8(head.lines).unwrap());
        assert_eq!(lines.as_deref().map(str::trim_end), expected, "{}", text.escape_ascii());
    }

    #[test]
    fn status_lines_are_read_as_browsers_do() {
        let one = Some("HTTP/1.1 200");
        for text in [
            "HTTP/1.1 200 OK",
            "HTTP/1.1 200",
            "HTTP/1.1  200 OK",
            "http/1.1 200 OK",
            "HTTP/1.1\t200\tOK",
            "HTTP/1.2 200 OK",
            "HTTP/2 200",
            "HTTP/1.10 200 OK",
            " HTTP/1.1 200 OK",
            "\u{FEFF}HTTP/1.1 200 OK",
            "HTTP/1.1 200 O\x01K",
            "HTTP/1.1 200, OK",
            "\r\n\r\nHTTP/1.1 200 OK",
        ] {
            line(text.as_bytes(), one);
        }
        for text in ["HTTP/1 200 OK", "HTTP 200 OK", "HTTP/1.0 200 OK", "ICY 200 OK"] {
            line(text.as_bytes(), Some("HTTP/1.0 200"));
        }
        for text in [
            "HTTP/1.1",
            "HTTP/1.1 OK",
            "HTTP/1.1 20 OK",
            "HTTP/1.1 2000",
            "HTTP/1.1 000",
            "HTTP/1.1 +20",
            "HTTP/1.1200OK",
        ] {
            line(text.as_bytes(), None);
        }
        line(
            b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked",
            Some("HTTP/1.1 200 \r\nTransfer-Encoding: chunked"),
        );
    }

    #[test]
    fn other_protocols_are_told_by_their_first_bytes() {
        for (text, expected) in [
            ("", Beginning::Open),
            ("HT", Beginning::Open),
            ("ic", Beginning::Open),
            ("http", Beginning::Status),
            ("ICY ", Beginning::Status),
            ("SSH-2.0-OpenSSH_9.2", Beginning::Foreign),
            ("HEAD /a HTTP/1.1", Beginning::Foreign),
            ("\0", Beginning::Foreign),
        ] {
            assert_eq!(beginning(text.as_bytes()), expected, "{text:?}");
        }
    }

    /// Pieces of heads, of which all sequences of four are read.
    const PIECES: [&str; 12] = [
        "HTTP/1.1 200",
        " ",
        "X",
        ":",
        "\r\n",
        "\n",
        "\r",
        "\u{1}",
        "Content-Length: 5",
        "\t",
        "Transfer-Encoding: chunked",
        "\u{E9}",
    ];

    #[test]
    fn a_repaired_head_is_legal_and_ends_where_it_was_found_to() {
        let count = PIECES.len();
        for number in 0..count.pow(4) {
            let pieces = (0..4).map(|idx| PIECES[number / count.pow(idx) % count]);
            let text = format!("HTTP/1.1 404 \r\n{}\r\n\r\n", pieces.collect::<String>());
            let text = text.as_bytes();
            let len = head_len(text, 0).unwrap();
            for end in 0..text.len() {
                // However the bytes arrive, the end is the same.
                match head_len(&text[..end], 0) {
                    None => assert_eq!(head_len(text, end), Some(len)),
                    early => assert_eq!(early, Some(len)),
                }
            }
            let Some(head) = head_of(text) else { continue };
            let again = read(&[&head.lines[..], b"\r\n"].concat()).unwrap();
            assert_eq!(again, Head { is_repaired: false, ..head });
        }
    }
}
