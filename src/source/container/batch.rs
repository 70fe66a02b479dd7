//! Batches of news, one behind the other: articles as they are, or compressed.
//!
//! Plain batches are boxes of articles (`boxes`). A compressed one begins with a line such as
//! `#! cunbatch` that names the program to unpack it (RFC 5536 knows nothing of it; INN's
//! `rnews` does); here the bytes behind the line tell how. Sites append batches of both kinds to
//! one file.
//!
//! The first batch of an input is the input. Each behind it is a member that is called by its
//! number, from 1, since lines and offsets of its text are its own; articles that stand behind
//! others are no batch of their own.

use std::io::{self, BufRead as _, Read};

use memchr::memmem;

use crate::finding::NoteKind;
use crate::source::boxes;
use crate::source::container::compress::Codec;
use crate::source::container::{Feed, Halt, Nest, Progress, Unpacker};
use crate::source::detect;
use crate::source::detect::news::{LINE_LEN_MAX, unpacker_line};
use crate::source::kind::{Content, Packing};
use crate::source::limits::SNIFF_LEN_MAX;
use crate::source::mailbox::SEPARATOR_LEN_MAX;

/// Bytes of an article, with the line before it, whose end is looked for before it is passed
/// on. Few are longer, and what is shown of a feed is not much more.
const SEEN_LEN_MAX: usize = 32 * 1024;

/// Reads a text that begins with articles, and the batches behind them.
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

/// Reads the batches of an input that begins with one.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    batches(unpacker, &mut Feed::new(rest), 1, nest)
}

/// Reads the batches that `feed` begins with; the first of them has this number.
fn batches(unpacker: &mut Unpacker<'_>, feed: &mut Feed<'_>, first: u64, nest: &Nest) -> Progress {
    // Members are counted, and an account takes so many.
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

/// Where a batch ends.
enum End {
    /// Here; this offset and message tell what stands behind, when that is no batch.
    Here(Option<(u64, String)>),
    /// Nobody knows where. What is to be said of that was said; articles may stand behind.
    Lost,
}

/// True when another batch follows one that ends so. Tells of what else does.
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

/// Goes on behind what could not be read to the next article; false when there is none. It may
/// stand on the line that ends what is compressed.
fn resume(feed: &mut Feed<'_>) -> io::Result<bool> {
    loop {
        let line = feed.peek_line(SEPARATOR_LEN_MAX)?;
        let begins = |at: &usize| line.get(*at..).and_then(boxes::article).is_some();
        let found = memmem::find_iter(line, boxes::RNEWS).find(begins);
        // In the second half of what is cut, the beginning of one may be cut, too.
        let is_cut = line.len() == SEPARATOR_LEN_MAX && !line.ends_with(b"\n");
        let (len, is_end) = (if is_cut { line.len() / 2 } else { line.len() }, line.is_empty());
        feed.consume(found.unwrap_or(len));
        if found.is_some() || is_end {
            return Ok(found.is_some());
        }
    }
}

/// Reads the batch that `feed` begins with. What no magic number tells is not read.
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
            unpacker.skip("packed")?;
            let message = format!("expected a batch that can be unpacked, found one for {name}");
            // An input that is the batch needs no offset.
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

/// The same, compressed in a way that does not tell where it ends.
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

/// What stands before the line that begins the next batch: in what is compressed, none comes by
/// chance.
struct UpToNext<'f, 'i> {
    feed: &'f mut Feed<'i>,
    /// Bytes that are passed on without a look at them.
    left: usize,
}

impl UpToNext<'_, '_> {
    /// Goes on to more bytes; false where they end.
    fn turn(&mut self) -> io::Result<bool> {
        let shown = self.feed.peek_most(SEEN_LEN_MAX)?;
        let begins = |at: &usize| {
            let line = shown.get(*at..).unwrap_or_default();
            unpacker_line(line).is_some() || boxes::article(line).is_some()
        };
        // In the last bytes of what is shown, the beginning of a line may be cut.
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

/// Articles as they are, up to a batch that is compressed.
///
/// A line that begins such a batch counts where an article ends by its own word, and else where
/// compressed bytes follow it. It counts nowhere in an article of which it can be seen that it is
/// as long as it tells: whoever writes one must not hide those behind it.
struct Articles<'f, 'i> {
    feed: &'f mut Feed<'i>,
    /// Bytes that are passed on without a look at them.
    left: u64,
    /// True when those end where a line does, or an article.
    is_line: bool,
    /// Offset of where the last article ends by its own word.
    until: u64,
}

impl<'f, 'i> Articles<'f, 'i> {
    const fn new(feed: &'f mut Feed<'i>) -> Self {
        Self { feed, left: 0, is_line: true, until: 0 }
    }

    /// Goes on to the next line, or to the next article; false where the articles end.
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

    /// True when compressed bytes stand behind the next `len`.
    fn is_compressed(&mut self, len: usize) -> io::Result<bool> {
        let shown = self.feed.peek_most(len + SNIFF_LEN_MAX)?;
        let content = detect::content(shown.get(len..).unwrap_or_default(), b"");
        let is_stream = |packing| packing != Packing::Batch && Packing::is_read(packing);
        Ok(matches!(content, Content::Packed(packing) if is_stream(packing)))
    }

    /// True when it can be seen that an article or a batch begins behind the next `len` bytes, or
    /// that nothing does.
    fn is_seen(&mut self, len: u64) -> io::Result<bool> {
        let len = usize::try_from(len).ok().filter(|len| *len <= SEEN_LEN_MAX);
        let Some(len) = len else { return Ok(false) };
        let shown = self.feed.peek_most(len + LINE_LEN_MAX)?;
        let Some(behind) = shown.get(len..) else { return Ok(false) };
        let is_end = behind.len() < LINE_LEN_MAX && behind.trim_ascii().is_empty();
        Ok(is_end || unpacker_line(behind).is_some() || boxes::article(behind).is_some())
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
