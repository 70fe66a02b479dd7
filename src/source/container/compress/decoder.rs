//! One decoder for each format.

use std::io::{self, ErrorKind, Read as _};

use liblzma::stream::{Error as XzError, Stream as XzStream};

use super::bzip2::Blocks;
use super::deferred::Deferred;
use super::gzip::Gzip;
use super::legacy::Legacy;
use super::lzw::Lzw;
use super::xz::{self, Before};
pub(super) use super::zstandard::dictionary_of;
use super::zstandard::{self, Frame, Zstandard};
use super::{Allowance, Codec, Source};
use crate::source::container::{Feed, carried};

/// A decoder of one stream.
pub(super) enum Decoder<'f, 'i> {
    Blocks(Box<Blocks<'f, 'i>>),
    Compress(Lzw<'f, 'i>),
    Deflate(Deferred<flate2::bufread::DeflateDecoder<Source<'f, 'i>>>),
    Frame(Box<Frame<'f, 'i>>),
    Gzip(Box<Gzip<'f, 'i>>),
    Lz4(Box<lz4_flex::frame::FrameDecoder<Source<'f, 'i>>>),
    Lz4Legacy(Legacy<'f, 'i>),
    Stored(Source<'f, 'i>),
    XzBlocks(Box<xz::Blocks<'f, 'i>>),
    Xz(Deferred<liblzma::bufread::XzDecoder<Source<'f, 'i>>>),
    Zlib(Deferred<flate2::bufread::ZlibDecoder<Source<'f, 'i>>>),
    Zstd(Box<Zstandard<'f, 'i>>),
}

impl<'f, 'i> Decoder<'f, 'i> {
    /// Returns a decoder of the stream that `feed` begins with. The streams before it begin at the
    /// offset `start`, and decode to `made` bytes. Frames of Zstandard use `dictionary`, unless it
    /// is empty.
    pub(super) fn new(
        codec: Codec,
        allowed: Allowance,
        feed: Source<'f, 'i>,
        (start, made): (u64, u64),
        dictionary: &[u8],
    ) -> io::Result<Self> {
        Ok(match codec {
            Codec::Bzip2 => Self::Blocks(Box::new(Blocks::new(feed))),
            Codec::Compress => Self::Compress(Lzw::new(feed)?),
            Codec::Deflate => {
                Self::Deflate(Deferred::new(flate2::bufread::DeflateDecoder::new(feed)))
            }
            Codec::Gzip => Self::Gzip(Box::new(Gzip::new(feed))),
            Codec::Lz4 => Self::Lz4(Box::new(lz4_flex::frame::FrameDecoder::new(feed))),
            Codec::Lz4Legacy => Self::Lz4Legacy(Legacy::new(feed)?),
            Codec::Lzip => {
                let stream = XzStream::new_lzip_decoder(allowed.xz_memory_max, 0)?;
                xz(feed, stream)
            }
            Codec::Lzma => {
                let stream = XzStream::new_lzma_decoder(allowed.xz_memory_max)?;
                xz(feed, stream)
            }
            Codec::Stored => Self::Stored(feed),
            Codec::Xz if feed.is_ahead() => {
                let before = Before { memory_max: allowed.xz_memory_max, start, made };
                Self::XzBlocks(Box::new(xz::Blocks::new(feed, before)))
            }
            Codec::Xz => {
                let stream = XzStream::new_stream_decoder(allowed.xz_memory_max, 0)?;
                xz(feed, stream)
            }
            Codec::Zlib => Self::Zlib(Deferred::new(flate2::bufread::ZlibDecoder::new(feed))),
            Codec::Zstd => match feed.part(feed.consumed() * 8) {
                Some(part) => Self::Frame(Box::new(Frame::new(feed, part))),
                None => {
                    let decoder = Zstandard::new(feed, allowed.zstd_window_log_max, dictionary)?;
                    Self::Zstd(Box::new(decoder))
                }
            },
        })
    }

    pub(super) fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Blocks(decoder) => decoder.read(out),
            Self::Compress(decoder) => decoder.read(out),
            Self::Deflate(decoder) => decoder.read(out),
            Self::Frame(decoder) => decoder.read(out),
            Self::Gzip(decoder) => decoder.read(out),
            Self::Lz4(decoder) => decoder.read(out),
            Self::Lz4Legacy(decoder) => decoder.read(out),
            Self::Stored(feed) => feed.read(out),
            Self::Xz(decoder) => decoder.read(out),
            Self::XzBlocks(decoder) => decoder.read(out),
            Self::Zlib(decoder) => decoder.read(out),
            Self::Zstd(decoder) => decoder.read(out),
        }
    }

    pub(super) fn feed(&self) -> &Feed<'i> {
        match self {
            Self::Blocks(decoder) => decoder.feed(),
            Self::Compress(decoder) => decoder.feed(),
            Self::Deflate(decoder) => decoder.decoder.get_ref(),
            Self::Frame(decoder) => decoder.feed(),
            Self::Gzip(decoder) => decoder.feed(),
            Self::Lz4(decoder) => decoder.get_ref(),
            Self::Lz4Legacy(decoder) => decoder.feed(),
            Self::Stored(feed) => feed,
            Self::Xz(decoder) => decoder.decoder.get_ref(),
            Self::XzBlocks(decoder) => decoder.feed(),
            Self::Zlib(decoder) => decoder.decoder.get_ref(),
            Self::Zstd(decoder) => decoder.feed(),
        }
    }

    /// Keeps the packed bytes that members of web archives need, which only gzip has.
    pub(super) fn keep_members(&mut self) {
        if let Self::Gzip(decoder) = self {
            decoder.feed_mut().keep_members();
        }
    }

    pub(super) fn into_feed(self) -> Source<'f, 'i> {
        match self {
            Self::Blocks(decoder) => decoder.into_feed(),
            Self::Compress(decoder) => decoder.into_feed(),
            Self::Deflate(decoder) => decoder.decoder.into_inner(),
            Self::Frame(decoder) => decoder.into_feed(),
            Self::Gzip(decoder) => decoder.into_feed(),
            Self::Lz4(decoder) => decoder.into_inner(),
            Self::Lz4Legacy(decoder) => decoder.into_feed(),
            Self::Stored(feed) => feed,
            Self::Xz(decoder) => decoder.decoder.into_inner(),
            Self::XzBlocks(decoder) => decoder.into_feed(),
            Self::Zlib(decoder) => decoder.decoder.into_inner(),
            Self::Zstd(decoder) => decoder.into_feed(),
        }
    }
}

fn xz<'f, 'i>(feed: Source<'f, 'i>, stream: XzStream) -> Decoder<'f, 'i> {
    Decoder::Xz(Deferred::new(liblzma::bufread::XzDecoder::new_stream(feed, stream)))
}

/// Reports whether a decoder failed because it needs too much memory.
pub(super) fn is_of_memory(error: &io::Error) -> bool {
    let is_of_xz = |error: &XzError| matches!(error, XzError::MemLimit | XzError::Mem);
    error.kind() == ErrorKind::OutOfMemory
        || carried(error).is_some_and(is_of_xz)
        || carried(error).is_some_and(zstandard::Failure::is_of_memory)
}
