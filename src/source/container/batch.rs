//! Reads consecutive batches of news: plain articles, or compressed ones.
//!
//! Plain batches are boxes of articles (`boxes`). A compressed batch begins with a line that names
//! the program to unpack it, such as `#! cunbatch` (not part of RFC 5536; INN's `rnews` accepts
//! it). Here, the bytes after the line decide the format. Sites append batches of both kinds to one
//! file.
//!
//! The first batch of an input is the input itself. Each later batch is a member, named by its
//! number from 1, since lines and offsets of its text are its own. Articles that follow other
//! articles belong to the same batch.

use std::io::{self, BufRead as _, Read};

use memchr::memmem;

use crate::finding::{NoteKind, Skip};
use crate::source::container::compress::Codec;
use crate::source::container::{Feed, Halt, Nest, Progress, Unpacker};
use crate::source::detect;
use crate::source::detect::news::{LINE_LEN_MAX, unpacker_line};
use crate::source::kind::{Content, Packing};
use crate::source::limits::SNIFF_LEN_MAX;
use crate::source::mail::boxes;
use crate::source::mail::mailbox::SEPARATOR_LEN_MAX;

/// Length of an article with the line before it, up to which the end of the article is checked
/// before any of it is passed on. Few articles are longer, and a feed shows not much more.
const SEEN_LEN_MAX: usize = 32 * 1024;

/// Reads a text that begins with articles, and the batches after them.
pub(in crate::source) fn read_articles(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut feed = Feed::new(rest);
    unpacker.plain(&mut Articles::new(&mut feed), nest)?;
    if feed.peek(1)?.is_empty() {
        return Ok(());
    }
    let Some(inside) = unpacker.inside(nest)? else { return Ok(()) };
    let result = batches(unpacker, &mut feed, 2, &inside);
    unpacker.settle(result, &inside)
}

/// Reads the batches of an input that begins with a batch line.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    batches(unpacker, &mut Feed::new(rest), 1, nest)
}

/// Reads the batches that `feed` begins with; `first` is the number of the first one.
fn batches(unpacker: &mut Unpacker<'_>, feed: &mut Feed<'_>, first: u64, nest: &Nest) -> Progress {
    // The budget limits the number of members.
    for number in first.. {
        let place = match number {
            1 => nest.clone(),
            _ => unpacker.member(nest, number.to_string().as_bytes(), None)?,
        };
        let mut end = End::Lost;
        let result = batch(unpacker, feed, &place).map(|found| end = found);
        unpacker.settle(result, &place)?;
        if !is_next(unpacker, feed, end, &place)? {
            break;
        }
    }
    Ok(())
}

/// The end of a batch.
enum End {
    /// At the current offset; holds the offset and description of bytes that follow, unless they
    /// begin a batch.
    Here(Option<(u64, String)>),
    /// Unknown, as already noted; articles may follow.
    Lost,
}

/// Reports whether another batch follows one with this `end`; notes and reads any other bytes.
fn is_next(
    unpacker: &mut Unpacker<'_>,
    feed: &mut Feed<'_>,
    end: End,
    nest: &Nest,
) -> Result<bool, Halt> {
    let End::Here(trailing) = end else { return Ok(resume(feed)?) };
    let at = feed.consumed();
    while let [b'\r' | b'\n'] = feed.peek(1)? {
        feed.skip(1)?;
    }
    let line = feed.peek_line(SEPARATOR_LEN_MAX)?;
    if unpacker_line(line).is_some() || boxes::article(line).is_some() {
        return Ok(true);
    }
    let is_end = line.is_empty();
    let message = || "expected the end of a batch, found more bytes".to_owned();
    let trailing = trailing.or_else(|| (!is_end).then(|| (at, message())));
    if let Some((offset, message)) = trailing {
        unpacker.note(NoteKind::TrailingBytes, nest, Some(offset), message)?;
        unpacker.rest(feed, nest)?;
    }
    Ok(false)
}

/// Skips unreadable bytes up to the next article; returns false when there is none. An article may
/// begin on the line that ends the compressed bytes.
fn resume(feed: &mut Feed<'_>) -> io::Result<bool> {
    loop {
        let line = feed.peek_line(SEPARATOR_LEN_MAX)?;
        let begins = |at: &usize| line.get(*at..).and_then(boxes::article).is_some();
        let found = memmem::find_iter(line, boxes::RNEWS).find(begins);
        // In a cut line, the beginning of an article may itself be cut: keeps the second half.
        let is_cut = line.len() == SEPARATOR_LEN_MAX && !line.ends_with(b"\n");
        let (len, is_end) = (if is_cut { line.len() / 2 } else { line.len() }, line.is_empty());
        feed.consume(found.unwrap_or(len));
        if found.is_some() || is_end {
            return Ok(found.is_some());
        }
    }
}

/// Reads the batch that `feed` begins with. A batch without a known magic number is not read.
fn batch(unpacker: &mut Unpacker<'_>, feed: &mut Feed<'_>, nest: &Nest) -> Result<End, Halt> {
    let at = feed.consumed();
    let Some((len, name)) = unpacker_line(feed.peek_line(LINE_LEN_MAX)?) else {
        return articles(unpacker, feed, nest);
    };
    let name = String::from_utf8_lossy(name).into_owned();
    feed.skip(len as u64)?;
    let packing = match detect::content(feed.peek_most(SNIFF_LEN_MAX)?, b"") {
        Content::Box(_) => return articles(unpacker, feed, nest),
        Content::Packed(packing) if packing.is_read() => packing,
        _ => {
            unpacker.skip(Skip::Packed)?;
            let message = format!("expected a batch that can be unpacked, found one for {name}");
            // No offset is needed when the batch is the input.
            let at = Some(at).filter(|at| *at > 0);
            unpacker.note(NoteKind::InputPacked, nest, at, message)?;
            return Ok(End::Lost);
        }
    };
    match Codec::of(packing) {
        Some(codec) => compressed(unpacker, codec, feed, nest),
        None => unpacker.stream(feed, nest).map(|()| End::Lost),
    }
}

fn articles(unpacker: &mut Unpacker<'_>, feed: &mut Feed<'_>, nest: &Nest) -> Result<End, Halt> {
    unpacker.plain(&mut Articles::new(feed), nest)?;
    Ok(End::Here(None))
}

fn compressed(
    unpacker: &mut Unpacker<'_>,
    codec: Codec,
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Result<End, Halt> {
    let Some(inside) = unpacker.inside(nest)? else { return Ok(End::Lost) };
    if codec == Codec::Compress {
        return endless(unpacker, codec, feed, &inside);
    }
    let mut end = End::Lost;
    let result = unpacker.unpacked(codec, feed, &inside);
    let result = result.map(|trailing| end = End::Here(trailing));
    unpacker.settle(result, &inside)?;
    Ok(end)
}

/// Reads a compressed batch whose format does not mark its end.
fn endless(
    unpacker: &mut Unpacker<'_>,
    codec: Codec,
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Result<End, Halt> {
    let at = feed.consumed();
    let mut own = UpToNext { feed, left: 0 };
    let mut own = Feed::at(at, &mut own);
    let result = unpacker.unpacked(codec, &mut own, nest).map(|_| ());
    unpacker.settle(result, nest)?;
    own.drain()?;
    Ok(End::Here(None))
}

/// A reader of the bytes before the line that begins the next batch; such a line does not occur in
/// compressed bytes by chance.
struct UpToNext<'f, 'i> {
    feed: &'f mut Feed<'i>,
    /// Bytes to pass on before the next search.
    left: usize,
}

impl UpToNext<'_, '_> {
    /// Searches the next bytes; returns false at the end.
    fn turn(&mut self) -> io::Result<bool> {
        let shown = self.feed.peek_most(SEEN_LEN_MAX)?;
        let begins = |at: &usize| {
            let line = shown.get(*at..).unwrap_or_default();
            unpacker_line(line).is_some() || boxes::article(line).is_some()
        };
        // The beginning of a line may be cut by the end of the shown bytes.
        let kept = if shown.len() < SEEN_LEN_MAX { 0 } else { LINE_LEN_MAX };
        self.left = memmem::find_iter(shown, b"#! ").find(begins).unwrap_or(shown.len() - kept);
        Ok(self.left > 0)
    }
}

impl Read for UpToNext<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.turn()? {
            return Ok(0);
        }
        let len = self.left.min(out.len());
        let len = self.feed.read(out.get_mut(..len).unwrap_or_default())?;
        self.left -= len;
        Ok(len)
    }
}

/// A reader of plain articles up to a compressed batch.
///
/// A line that begins such a batch counts where an article ends by its declared length, and
/// elsewhere if compressed bytes follow it. It never counts inside of an article whose declared
/// length is seen to be right: the author of an article must not be able to hide later ones.
struct Articles<'f, 'i> {
    feed: &'f mut Feed<'i>,
    /// Bytes to pass on before the next look.
    left: u64,
    /// Whether these bytes end with a line or an article.
    is_line: bool,
    /// Offset of the end that the last article declares.
    until: u64,
}

impl<'f, 'i> Articles<'f, 'i> {
    const fn new(feed: &'f mut Feed<'i>) -> Self {
        Self { feed, left: 0, is_line: true, until: 0 }
    }

    /// Moves to the next line or article; returns false where the articles end.
    fn turn(&mut self) -> io::Result<bool> {
        let at = self.feed.consumed();
        let line = self.feed.peek_line(SEPARATOR_LEN_MAX)?;
        let (line_len, is_whole) = (line.len(), line.ends_with(b"\n"));
        let packed = unpacker_line(line).filter(|_| self.is_line).map(|(len, _)| len);
        let told = boxes::article(line).filter(|_| self.is_line);
        if let Some(len) = packed
            && (at == self.until || self.is_compressed(len)?)
        {
            return Ok(false);
        }
        (self.left, self.is_line) = (line_len as u64, is_whole);
        if let Some((line_len, told)) = told {
            let len = told.saturating_add(line_len as u64);
            if at >= self.until {
                self.until = at.saturating_add(len);
            }
            if self.is_seen(len)? {
                (self.left, self.is_line) = (len, true);
            }
        }
        Ok(self.left > 0)
    }

    /// Reports whether compressed bytes follow the next `len` bytes.
    fn is_compressed(&mut self, len: usize) -> io::Result<bool> {
        let shown = self.feed.peek_most(len + SNIFF_LEN_MAX)?;
        let content = detect::content(shown.get(len..).unwrap_or_default(), b"");
        let is_stream = |packing| packing != Packing::Batch && Packing::is_read(packing);
        Ok(matches!(content, Content::Packed(packing) if is_stream(packing)))
    }

    /// Reports whether an article, a batch or the end of the input is seen after the next `len`
    /// bytes.
    fn is_seen(&mut self, len: u64) -> io::Result<bool> {
        let len = usize::try_from(len).ok().filter(|len| *len <= SEEN_LEN_MAX);
        let Some(len) = len else { return Ok(false) };
        let shown = self.feed.peek_most(len + LINE_LEN_MAX)?;
        let Some(after) = shown.get(len..) else { return Ok(false) };
        let is_end = after.len() < LINE_LEN_MAX && after.trim_ascii().is_empty();
        Ok(is_end || unpacker_line(after).is_some() || boxes::article(after).is_some())
    }
}

impl Read for Articles<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.turn()? {
            return Ok(0);
        }
        let len = usize::try_from(self.left).unwrap_or(out.len()).min(out.len());
        let len = self.feed.read(out.get_mut(..len).unwrap_or_default())?;
        self.left -= len as u64;
        Ok(len)
    }
}
