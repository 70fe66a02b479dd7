//! Reads HTTP responses in web archives: header fields, and the body after them.
//!
//! Follows RFC 9110 and RFC 9112 as far as the text of a body needs it. Chunks are joined only if
//! the first line of the body is a chunk's, since many archives keep the header field but not the
//! chunks.

use std::io::{self, BufRead as _, Read};

use crate::source::container::{Broken, Cause, Cut, Fault, Feed};
use crate::source::hex;
use crate::source::kind::Declared;
use crate::source::mail::mime;
use crate::source::markup::Markup;

pub(super) mod body;

/// Maximum length of a field; servers refuse more than 8 or 16 kB.
pub(super) const FIELD_LEN_MAX: usize = 32 * 1024;
/// Maximum length of a header in bytes.
pub(super) const HEADER_LEN_MAX: u64 = 1024 * 1024;
/// Maximum number of fields after the last chunk.
const TRAILERS_MAX: usize = 1000;
/// Maximum number of nested codings of one body; servers that stack them by mistake have two.
pub(super) const CODINGS_MAX: usize = 4;

/// The value of a field `Content-Type`.
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

    /// Reports whether the media type is that of images, sound, video or fonts without text. SVG is
    /// text.
    pub(super) fn is_textless(&self) -> bool {
        const TOPS: [&str; 4] = ["image/", "audio/", "video/", "font/"];
        let is_one = TOPS.iter().any(|top| self.name.starts_with(top));
        is_one && !self.name.ends_with("+xml")
    }
}

/// Returns the markup language of a media type. An XML document may itself declare another one.
fn markup(media_type: &str) -> Option<Markup> {
    Some(match media_type {
        "text/html" | "application/xhtml+xml" => Markup::Html,
        "text/css" => Markup::Css,
        "application/rss+xml" | "application/atom+xml" => Markup::Feed,
        "text/markdown" | "text/x-markdown" => Markup::Markdown,
        "text/mdx" => Markup::Mdx,
        "text/x-rst" | "text/prs.fallenstein.rst" => Markup::Rest,
        "text/asciidoc" | "text/x-asciidoc" => Markup::AsciiDoc,
        "text/org" | "text/x-org" => Markup::Org,
        "text/troff" | "application/x-troff" | "application/x-troff-man" => Markup::Roff,
        _ => return Markup::with_escapes(media_type),
    })
}

/// The header of a response, as far as it describes the body.
#[derive(Default)]
pub(super) struct Head {
    pub(super) media: Media,
    /// The codings of the content in lower case, in the order in which they were applied.
    content: Vec<String>,
    /// The transfer codings in lower case, which were applied after those of the content.
    transfer: Vec<String>,
    /// Whether the body comes in chunks, which are always the last coding (RFC 9112 §6.1).
    pub(super) is_chunked: bool,
    /// Whether the header exceeds the limit, so that its rest precedes the body.
    pub(super) is_cut: bool,
    /// The first line, and the fields with links, each at its own offset; blanks replace all else.
    /// Empty if there are no such fields.
    pub(super) links: Vec<u8>,
    /// Whether a field with links was too long to be kept.
    pub(super) is_link_long: bool,
    /// Number of links without a scheme, whose base is unknown.
    pub(super) relative: usize,
}

/// Fields whose values are links (RFC 9110 §10.2.2, §8.7, RFC 8288 §3), or contain one, as browsers
/// read it (HTML Standard §4.2.5.3).
const LINKS: [&[u8]; 4] = [b"location", b"content-location", b"link", b"refresh"];

/// A collector of fields with links. It keeps the first line, too, so that the text is not taken
/// for a document.
#[derive(Default)]
struct Links {
    /// Whether the current field may hold links.
    is_link: bool,
    is_any: bool,
    is_long: bool,
    relative: usize,
    kept: Vec<u8>,
}

/// Returns the number of links in `value` without a scheme: those in angle brackets, or else
/// `value` itself.
fn relative(value: &[u8]) -> usize {
    let has_scheme = |link: &[u8]| {
        let name = link.split(|byte| b":/?#".contains(byte)).next().unwrap_or_default();
        link.get(name.len()) == Some(&b':')
    };
    let links: Vec<&[u8]> = value.split(|byte| *byte == b'<').skip(1).collect();
    let is_one = memchr::memchr(b'/', value).is_some();
    if links.is_empty() {
        return usize::from(is_one && !has_scheme(value.trim_ascii()) && !holds_uri(value));
    }
    links.into_iter().filter(|link| !has_scheme(link)).count()
}

/// Reports whether `value` contains a whole URI, as that of a field `Refresh` may.
fn holds_uri(value: &[u8]) -> bool {
    memchr::memmem::find(value, b"://").is_some()
}

impl Links {
    /// Takes a line of a header, but never the rest of a line that was cut.
    fn line(&mut self, line: &[u8]) {
        let goes_on = matches!(line, [b' ' | b'\t', ..]);
        let colon = memchr::memchr(b':', line).filter(|_| !goes_on);
        if !goes_on {
            let name = line.get(..colon.unwrap_or_default()).unwrap_or_default().trim_ascii_end();
            self.is_link = LINKS.iter().any(|link| link.eq_ignore_ascii_case(name));
        }
        let is_whole = line.ends_with(b"\n");
        self.is_long |= self.is_link && !is_whole;
        let from = match self.is_link && is_whole {
            true => colon.map_or(0, |colon| colon + 1),
            false if self.kept.is_empty() => 0,
            false => line.len(),
        };
        self.is_any |= self.is_link && is_whole;
        if self.is_link && is_whole {
            self.relative += relative(line.get(from..).unwrap_or_default());
        }
        for (idx, byte) in line.iter().enumerate() {
            let is_kept = idx >= from || matches!(byte, b'\r' | b'\n');
            self.kept.push(if is_kept { *byte } else { b' ' });
        }
    }

    /// Replaces the rest of a cut line by blanks, up to `len` bytes after the start of the header.
    fn pass_to(&mut self, len: usize) {
        self.kept.resize(len.saturating_sub(1).max(self.kept.len()), b' ');
        self.kept.push(b'\n');
    }

    fn finish(self, head: &mut Head) {
        (head.is_link_long, head.relative) = (self.is_long, self.relative);
        if self.is_any {
            head.links = self.kept;
        }
    }
}

/// Appends `codings` but for `chunked`; a field may have several lines (RFC 9110 §5.3). Keeps at
/// most one more than the limit, so that the excess is noticed.
fn add_codings(list: &mut Vec<String>, codings: &[&str]) {
    let room = (CODINGS_MAX + 1).saturating_sub(list.len());
    let codings = codings.iter().filter(|coding| **coding != "chunked").take(room);
    list.extend(codings.map(|coding| (*coding).to_owned()));
}

impl Head {
    /// Returns the head of a body that is kept without a header.
    pub(super) fn of(media: Media) -> Self {
        Self { media, ..Self::default() }
    }

    /// Reads the header that `feed` begins with, if it is one of HTTP; takes nothing otherwise.
    ///
    /// # Errors
    /// Returns the error of reading `feed`.
    pub(super) fn read(feed: &mut Feed<'_>) -> io::Result<Self> {
        let mut head = Self::default();
        if !feed.peek(5)?.starts_with(b"HTTP/") {
            return Ok(head);
        }
        let start = feed.consumed();
        let end = start + HEADER_LEN_MAX;
        let (mut field, mut links) = (Vec::new(), Links::default());
        while feed.consumed() < end {
            let line = feed.peek_line(FIELD_LEN_MAX)?;
            let (len, is_whole) = (line.len(), line.ends_with(b"\n"));
            if !is_whole && len < FIELD_LEN_MAX {
                // Takes nothing, but returns the error if reading failed.
                feed.line(FIELD_LEN_MAX)?;
                break;
            }
            // A line that begins with a blank continues the field (RFC 9112 §5.2).
            if !matches!(line, [b' ' | b'\t', ..]) {
                head.field(&std::mem::take(&mut field));
            }
            links.line(line);
            let is_end = line.trim_ascii().is_empty() && field.is_empty();
            if field.len() < FIELD_LEN_MAX {
                field.extend_from_slice(line);
            }
            feed.consume(len);
            if !is_whole {
                pass_line(feed, end)?;
                links.pass_to(usize::try_from(feed.consumed() - start).unwrap_or_default());
            }
            if is_end {
                links.finish(&mut head);
                return Ok(head);
            }
        }
        head.field(&field);
        head.is_cut = feed.consumed() >= end;
        links.finish(&mut head);
        Ok(head)
    }

    /// Returns all codings of the body but the chunks, in the order in which they were applied.
    pub(super) fn codings(&self) -> Vec<&str> {
        self.content.iter().chain(&self.transfer).map(String::as_str).collect()
    }

    fn field(&mut self, line: &[u8]) {
        let Some(colon) = memchr::memchr(b':', line) else { return };
        let (name, value) = line.split_at(colon);
        let told = value.get(1..).unwrap_or_default().trim_ascii();
        let value = String::from_utf8_lossy(told).to_ascii_lowercase();
        let codings = value.split(',').map(str::trim).filter(|coding| !coding.is_empty());
        match name.trim_ascii_end().to_ascii_lowercase().as_slice() {
            b"content-type" => self.media = Media::of(told),
            b"content-encoding" => add_codings(&mut self.content, &codings.collect::<Vec<_>>()),
            b"transfer-encoding" => {
                let codings: Vec<_> = codings.collect();
                self.is_chunked = codings.last().map_or(self.is_chunked, |last| *last == "chunked");
                add_codings(&mut self.transfer, &codings);
            }
            _ => {}
        }
    }
}

/// Skips the rest of a line; stops early at the first read that reaches the offset `end`.
fn pass_line(feed: &mut Feed<'_>, end: u64) -> io::Result<()> {
    while feed.consumed() < end {
        let line = feed.peek_line(FIELD_LEN_MAX)?;
        let (len, is_whole) = (line.len(), line.ends_with(b"\n"));
        feed.consume(len);
        if is_whole || len == 0 {
            break;
        }
    }
    Ok(())
}

/// The joined chunks of a body (RFC 9112 §7.1).
pub(super) struct Chunks<'f, 'i> {
    feed: &'f mut Feed<'i>,
    left: u64,
    state: ChunkState,
    /// The scope of the body, to which faults of its chunks belong.
    scope: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChunkState {
    /// The length of a chunk comes next.
    Length,
    /// The bytes of a chunk.
    Bytes,
    /// The line end after these bytes.
    After,
    /// The last chunk has ended.
    End,
    /// The body is not chunked: it is read unchanged.
    Plain,
}

impl<'f, 'i> Chunks<'f, 'i> {
    /// # Errors
    /// Returns the error of reading `feed`.
    pub(super) fn new(feed: &'f mut Feed<'i>, scope: usize) -> io::Result<Self> {
        let shown = feed.peek_line(CHUNK_LINE_LEN_MAX)?;
        let first = shown.strip_suffix(b"\n");
        let state =
            if first.and_then(length).is_some() { ChunkState::Length } else { ChunkState::Plain };
        Ok(Self { feed, left: 0, state, scope })
    }

    /// Returns the offset of trailing bytes after the last chunk, if there are any.
    ///
    /// # Errors
    /// Returns the error of reading the body.
    pub(super) fn trailing(&mut self) -> io::Result<Option<u64>> {
        let is_more = self.state == ChunkState::End && !self.feed.peek_most(1)?.is_empty();
        Ok(is_more.then(|| self.feed.consumed()))
    }

    /// Reads the line before a chunk.
    fn next(&mut self) -> io::Result<()> {
        let Some(line) = self.feed.line(CHUNK_LINE_LEN_MAX)? else {
            let is_cut = self.feed.is_ended();
            return Err(if is_cut { self.truncated() } else { self.broken() });
        };
        self.left = length(&line).ok_or_else(|| self.broken())?;
        self.state = ChunkState::Bytes;
        if self.left == 0 {
            self.state = ChunkState::End;
            self.pass_trailers()?;
        }
        Ok(())
    }

    /// Skips the fields after the last chunk and the empty line that ends them (§7.1.2). Some
    /// archives lack that line and everything after it, which loses nothing.
    fn pass_trailers(&mut self) -> io::Result<()> {
        for _ in 0..TRAILERS_MAX {
            let line = self.feed.peek_line(FIELD_LEN_MAX)?;
            let is_empty = matches!(line, b"\r\n" | b"\n");
            let is_field = line.ends_with(b"\n") && is_field(line);
            if !is_empty && !is_field {
                break;
            }
            let len = line.len();
            self.feed.consume(len);
            if is_empty {
                break;
            }
        }
        Ok(())
    }

    /// Takes the line end after the bytes of a chunk.
    fn pass_line_end(&mut self) -> io::Result<()> {
        match self.feed.peek_line(2)? {
            b"\r\n" | b"\n" => self.feed.line(2).map(|_| self.state = ChunkState::Length),
            [] | b"\r" => Err(self.truncated()),
            _ => Err(self.broken()),
        }
    }

    fn truncated(&self) -> io::Error {
        self.fault(Cut::Chunk.into())
    }

    fn broken(&self) -> io::Error {
        self.fault(Broken::Chunk.into())
    }

    fn fault(&self, cause: Cause) -> io::Error {
        Fault { scope: self.scope, offset: Some(self.feed.consumed()), cause }.into()
    }
}

/// Maximum length of the line before a chunk: digits, and extensions that hardly occur.
const CHUNK_LINE_LEN_MAX: usize = 1024;

/// Returns the length that a chunk's line declares in hexadecimal digits.
fn length(line: &[u8]) -> Option<u64> {
    hex::number(line.split(|byte| *byte == b';').next()?.trim_ascii())
}

/// Reports whether `line` may hold a field: a name and a colon.
fn is_field(line: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.!#$%&'*+^`|~".contains(byte);
    let len = line.iter().take_while(|byte| is_name(byte)).count();
    // A name with `://` after it is the scheme of a URI.
    let rest = line.get(len..).unwrap_or_default();
    len > 0 && rest.starts_with(b":") && !rest.starts_with(b"://")
}

impl Read for Chunks<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.state == ChunkState::Plain {
            return self.feed.read(out);
        }
        if self.state == ChunkState::After {
            self.pass_line_end()?;
        }
        if self.state == ChunkState::Length {
            self.next()?;
        }
        if self.state == ChunkState::End || out.is_empty() {
            return Ok(0);
        }
        let held = self.feed.fill_buf()?;
        let most = usize::try_from(self.left).unwrap_or(held.len());
        let len = held.len().min(most).min(out.len());
        let taken = held.get(..len).unwrap_or_default();
        out.split_at_mut(len).0.copy_from_slice(taken);
        if len == 0 {
            return Err(self.truncated());
        }
        self.feed.consume(len);
        self.left -= len as u64;
        if self.left == 0 {
            self.state = ChunkState::After;
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::{CODINGS_MAX, Chunks, FIELD_LEN_MAX, HEADER_LEN_MAX, Head, Markup, Media};
    use crate::finding::NoteKind;
    use crate::source::container::{Fault, Feed};
    use std::io::Read as _;

    /// Returns the joined chunks of `body`, and the kind and offset of their fault.
    fn joined(body: &[u8]) -> (String, Option<(NoteKind, u64)>) {
        let mut input = body;
        let mut feed = Feed::new(&mut input);
        let mut text = String::new();
        let mut chunks = Chunks::new(&mut feed, 3).unwrap();
        let wrong = match chunks.read_to_string(&mut text) {
            Ok(_) => chunks.trailing().unwrap().map(|at| (NoteKind::TrailingBytes, at)),
            Err(error) => {
                let fault = Fault::about(3, error).unwrap();
                Some((fault.cause.kind(), fault.offset.unwrap()))
            }
        };
        (text, wrong)
    }

    #[track_caller]
    fn joins(body: &[u8], text: &str, wrong: Option<(NoteKind, u64)>) {
        assert_eq!(joined(body), (text.to_owned(), wrong));
    }

    #[test]
    fn chunks_are_joined_where_there_are_any() {
        joins(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "abcde", None);
        joins(b"A\n0123456789\n0\n", "0123456789", None);
        joins(b"1\r\na\r\n0\r\nETag: x\r\n\r\n", "a", None);
        joins(b"<p>no chunks</p>\n", "<p>no chunks</p>\n", None);
        joins(b"+3\r\nno chunks\n", "+3\r\nno chunks\n", None);
        joins(b"", "", None);
    }

    #[test]
    fn chunks_that_are_cut_or_broken_say_so_after_what_they_give() {
        let (cut, broken) = (NoteKind::ArchiveTruncated, NoteKind::ArchiveBroken);
        joins(b"5\r\nab", "ab", Some((cut, 5)));
        joins(b"2\r\nab", "ab", Some((cut, 5)));
        joins(b"2\r\nab\r\n", "ab", Some((cut, 7)));
        joins(b"2\r\nab\r\nzz\r\nc", "ab", Some((broken, 11)));
        joins(b"2\r\nabcd\r\n0\r\n", "ab", Some((broken, 5)));
        joins(b"1\r\na\r\n0\r\n\r\nb", "a", Some((NoteKind::TrailingBytes, 11)));
        joins(b"1\na\n0\nhttp://b/\n", "a", Some((NoteKind::TrailingBytes, 6)));
    }

    #[test]
    fn the_header_says_what_the_body_is() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=x\r\n\
            content-encoding: br,\r\nTransfer-Encoding: deflate, chunked\r\n\
            content-encoding: GZIP\r\n\r\nbody: x\r\n";
        let mut input = &answer[..];
        let mut feed = Feed::new(&mut input);
        let head = Head::read(&mut feed).unwrap();
        assert_eq!(head.media.name, "text/html");
        assert_eq!(head.codings(), ["br", "gzip", "deflate"]);
        assert!(head.is_chunked && !head.is_cut);
        assert_eq!(feed.peek(4).unwrap(), b"body");
    }

    /// Returns the header that `answer` begins with, and the rest of it.
    fn head(answer: &[u8]) -> (Head, Vec<u8>) {
        let mut input = answer;
        let mut feed = Feed::new(&mut input);
        let head = Head::read(&mut feed).unwrap();
        let mut rest = Vec::new();
        feed.read_to_end(&mut rest).unwrap();
        (head, rest)
    }

    #[test]
    fn long_fields_and_many_hide_nothing_behind_them() {
        for len in [FIELD_LEN_MAX - 10, FIELD_LEN_MAX, FIELD_LEN_MAX + 1, 5 * FIELD_LEN_MAX] {
            for before in [format!("X: {}\r\n", "a".repeat(len)), "X: y\r\n".repeat(len / 6)] {
                let answer = format!("HTTP/1.1 200 OK\r\n{before}Content-Encoding: br\r\n\r\nbody");
                let (head, rest) = head(answer.as_bytes());
                assert_eq!(
                    (head.codings(), head.is_cut, &*rest),
                    (vec!["br"], false, &b"body"[..])
                );
            }
        }
    }

    #[test]
    fn a_header_without_an_end_is_read_so_far_and_says_so() {
        let long = usize::try_from(HEADER_LEN_MAX).unwrap();
        for unit in ["X: y\r\n", "a"] {
            let answer = ["HTTP/1.1 200 OK\r\n", &unit.repeat(long)].concat();
            let (head, rest) = head(answer.as_bytes());
            let taken = answer.len() - rest.len();
            assert!(head.is_cut && (long..=long + FIELD_LEN_MAX).contains(&taken), "{unit}");
        }
        let (head, rest) = head(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nsee http://a/");
        assert_eq!(
            (head.codings(), head.is_cut, &*rest),
            (vec!["br"], false, &b"see http://a/"[..])
        );
    }

    #[test]
    fn fields_go_on_after_blanks() {
        let (head, rest) = head(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=koi8-r\r\n\
            Content-Encoding:\r\n\tgzip\r\n ,br\r\n \r\n\r\nbody",
        );
        assert!(head.media.name == "text/html" && head.media.declared.charset.is_some());
        assert_eq!((head.codings(), &*rest), (vec!["gzip", "br"], &b"body"[..]));
    }

    #[test]
    fn fields_that_link_are_kept_where_they_stand() {
        let links = |answer: &str| String::from_utf8(head(answer.as_bytes()).0.links).unwrap();
        let answer = "HTTP/1.1 301 Moved\r\nServer: http://s/\r\nLOCATION: http://a/\r\n\r\nbody";
        let blanks = " ".repeat("Server: http://s/".len());
        let kept = format!("HTTP/1.1 301 Moved\r\n{blanks}\r\n          http://a/\r\n\r\n");
        assert_eq!(links(answer), kept);
        let answer = "HTTP/1.1 200\nLink: <http://a/>;\n rel=b\nX: <http://c/>;\n <http://d/>\n\n";
        let kept = "HTTP/1.1 200\n      <http://a/>;\n rel=b\n               \n            \n\n";
        assert_eq!(links(answer), kept);
        assert_eq!(links("HTTP/1.1 200\nA: http://a/\n\n"), "");
        let answer =
            b"HTTP/1.1 302\nLocation: /a\nLink: <b/>,\n <http://c/>\nRefresh: 5\nA: /b\n\n";
        assert_eq!(head(answer).0.relative, 2);
        let answer = b"HTTP/1.1 200\nLink: </s.css>, <http://h/x>, <mailto:a@h/x>\n\
            Location: urn:a/b\nRefresh: 5; url=http://h/\n\n";
        assert_eq!(head(answer).0.relative, 1);
        let long = "b".repeat(FIELD_LEN_MAX + 9);
        let answer = format!("HTTP/1.1 200\nA: {long}\nRefresh: 0;http://a/\n\n");
        let kept = links(&answer);
        assert_eq!(kept.find("0;http://a/"), answer.find("0;http://a/"));
        assert_eq!(kept.lines().nth(2).map(str::trim), Some("0;http://a/"));
        let (head, _) = head(format!("HTTP/1.1 200\nLocation: http://a/{long}\n\n").as_bytes());
        assert_eq!((head.links.len(), head.is_link_long), (0, true));
    }

    #[test]
    fn of_many_codings_only_so_many_are_kept_that_it_shows() {
        let line = ["Transfer-Encoding: ", &"a,chunked,".repeat(1000), "\r\n"].concat();
        let (head, _) = head(["HTTP/1.1 200 OK\r\n", &line.repeat(20), "\r\n"].concat().as_bytes());
        assert_eq!((head.codings(), head.is_chunked), (vec!["a"; CODINGS_MAX + 1], true));
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
