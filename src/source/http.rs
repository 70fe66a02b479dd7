//! Answers of HTTP as archives of the Web keep them: header fields, and the body behind them.
//!
//! RFC 9110 and RFC 9112, read as far as the text of a body needs it. A chunked body is joined
//! where its first line is a chunk's, since many archives keep the field and not the chunks.

use std::io::{self, BufRead as _, Read};

use super::markup::Markup;
use super::mime;
use super::packed::Feed;
use super::piece::Declared;

/// Bytes of a line that are read; servers refuse more than 8 or 16 kB.
const LINE_LEN_MAX: usize = 32 * 1024;
/// Lines of a header, at most.
const LINES_MAX: usize = 1000;

/// What a field `Content-Type` says.
#[derive(Clone, Default)]
pub(super) struct Media {
    /// The media type in lower case, without its parameters.
    pub(super) name: String,
    pub(super) declared: Declared,
}

impl Media {
    pub(super) fn of(field: &[u8]) -> Self {
        let (name, charset) = mime::content_type(field);
        let declared = Declared { markup: markup(&name), charset };
        Self { name, declared }
    }

    /// True for what is pictures, sound or type and holds no text. SVG is text.
    pub(super) fn is_textless(&self) -> bool {
        const TOPS: [&str; 4] = ["image/", "audio/", "video/", "font/"];
        let is_one = TOPS.iter().any(|top| self.name.starts_with(top));
        is_one && !self.name.ends_with("+xml")
    }
}

/// The language of documents that are sent as `media_type`. Those of `text/xml` tell their
/// language themselves.
fn markup(media_type: &str) -> Option<Markup> {
    Some(match media_type {
        "text/html" | "application/xhtml+xml" => Markup::Html,
        "text/css" => Markup::Css,
        "application/rss+xml" | "application/atom+xml" => Markup::Feed,
        "text/markdown" | "text/x-markdown" => Markup::Markdown,
        "text/x-rst" | "text/prs.fallenstein.rst" => Markup::Rest,
        "text/asciidoc" | "text/x-asciidoc" => Markup::AsciiDoc,
        "text/org" | "text/x-org" => Markup::Org,
        _ => return None,
    })
}

/// What the header of an answer says of its body.
#[derive(Default)]
pub(super) struct Head {
    pub(super) media: Media,
    /// The coding in lower case; empty for none.
    pub(super) content_coding: String,
    pub(super) is_chunked: bool,
}

impl Head {
    /// Reads the header that `feed` begins with, if it is one of HTTP; else nothing is taken
    /// but the first line.
    ///
    /// # Errors
    /// What reading said.
    pub(super) fn read(feed: &mut Feed<'_>) -> io::Result<Self> {
        let mut head = Self::default();
        if !feed.peek(5)?.starts_with(b"HTTP/") {
            return Ok(head);
        }
        for _ in 0..LINES_MAX {
            let Some(line) = feed.line(LINE_LEN_MAX)? else { break };
            let line = line.trim_ascii();
            if line.is_empty() {
                break;
            }
            head.field(line);
        }
        Ok(head)
    }

    fn field(&mut self, line: &[u8]) {
        let Some(colon) = memchr::memchr(b':', line) else { return };
        let (name, value) = line.split_at(colon);
        let told = value.get(1..).unwrap_or_default().trim_ascii();
        let value = String::from_utf8_lossy(told).to_ascii_lowercase();
        match name.to_ascii_lowercase().as_slice() {
            b"content-type" => self.media = Media::of(told),
            b"content-encoding" => self.content_coding = value,
            b"transfer-encoding" => self.is_chunked = value.ends_with("chunked"),
            _ => {}
        }
    }
}

/// The joined chunks of a body (RFC 9112 §7.1).
pub(super) struct Chunks<'f, 'i> {
    feed: &'f mut Feed<'i>,
    left: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A chunk's length comes next.
    Length,
    /// The bytes of a chunk.
    Bytes,
    /// There are no more.
    End,
    /// The body is no chunked one: it is given as it is.
    Plain,
}

impl<'f, 'i> Chunks<'f, 'i> {
    /// # Errors
    /// What reading said.
    pub(super) fn new(feed: &'f mut Feed<'i>) -> io::Result<Self> {
        let shown = feed.peek_line(CHUNK_LINE_LEN_MAX)?;
        let first = shown.strip_suffix(b"\n");
        let state = if first.and_then(length).is_some() { State::Length } else { State::Plain };
        Ok(Self { feed, left: 0, state })
    }

    /// Reads the line before a chunk. What is no length ends the body.
    fn next(&mut self) -> io::Result<()> {
        let line = self.feed.line(CHUNK_LINE_LEN_MAX)?;
        self.left = line.as_deref().and_then(length).unwrap_or(0);
        self.state = if self.left == 0 { State::End } else { State::Bytes };
        Ok(())
    }
}

/// Bytes of the line before a chunk that are looked at: digits, and extensions that nobody
/// writes.
const CHUNK_LINE_LEN_MAX: usize = 1024;

/// The length that a chunk's line tells in hexadecimal digits.
fn length(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

impl Read for Chunks<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.state == State::Plain {
            return self.feed.read(out);
        }
        if self.state == State::Length {
            self.next()?;
        }
        if self.state == State::End {
            return Ok(0);
        }
        let held = self.feed.fill_buf()?;
        let most = usize::try_from(self.left).unwrap_or(held.len());
        let len = held.len().min(most).min(out.len());
        let taken = held.get(..len).unwrap_or_default();
        out.split_at_mut(len).0.copy_from_slice(taken);
        self.feed.consume(len);
        self.left -= len as u64;
        if self.left == 0 {
            self.state = State::Length;
            self.feed.line(2)?;
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::{Chunks, Head, Markup, Media};
    use crate::source::packed::Feed;
    use std::io::Read as _;

    fn joined(body: &[u8]) -> String {
        let mut input = body;
        let mut feed = Feed::new(&mut input);
        let mut text = String::new();
        Chunks::new(&mut feed).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn chunks_are_joined_where_there_are_any() {
        assert_eq!(joined(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), "abcde");
        assert_eq!(joined(b"A\r\n0123456789\r\n"), "0123456789");
        assert_eq!(joined(b"5\r\nab"), "ab");
        assert_eq!(joined(b"<p>no chunks</p>\n"), "<p>no chunks</p>\n");
        assert_eq!(joined(b""), "");
    }

    #[test]
    fn the_header_says_what_the_body_is() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=x\r\n\
            content-encoding: GZIP\r\nTransfer-Encoding: chunked\r\n\r\nbody: x\r\n";
        let mut input = &answer[..];
        let mut feed = Feed::new(&mut input);
        let head = Head::read(&mut feed).unwrap();
        assert_eq!((&*head.media.name, &*head.content_coding), ("text/html", "gzip"));
        assert!(head.is_chunked);
        assert_eq!(feed.peek(4).unwrap(), b"body");
    }

    #[test]
    fn pictures_are_told_by_their_type() {
        let is_textless = |field: &str| Media::of(field.as_bytes()).is_textless();
        assert!(is_textless("image/PNG; a=b") && is_textless("font/woff2"));
        assert!(!is_textless("image/svg+xml") && !is_textless("text/html") && !is_textless(""));
    }

    #[test]
    fn the_type_tells_the_language_and_the_charset() {
        let media = Media::of(b"Text/HTML ; Charset=\"KOI8-R\"");
        assert_eq!(media.declared.markup, Some(Markup::Html));
        assert!(media.declared.charset.is_some());
        let media = Media::of(b"text/plain;charset=utf-8");
        assert!(media.declared.markup.is_none() && media.declared.charset.is_none());
    }
}
