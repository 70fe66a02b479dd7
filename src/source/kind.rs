//! Defines the kinds of inputs, which their first bytes show or their senders declare.

use super::mail::boxes::Style;
use super::mail::charset::Wide;
use super::mail::mime::Charset;
use super::markup::Markup;

/// Kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text in an encoding that extends US-ASCII.
    Text,
    /// Text in UTF-16 or UTF-32.
    Wide(Wide),
    /// A sequence of messages.
    Box(Style),
    /// One message.
    Message,
    /// A document.
    Document(Markup),
    /// Packed data, whose bytes are not text.
    Packed(Packing),
}

/// Format of packed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// RFC 1952.
    Gzip,
    /// RFC 1950.
    Zlib,
    /// The format of `bzip2`, which has no specification.
    Bzip2,
    /// The .xz file format, version 1.2.
    Xz,
    /// RFC 8878.
    Zstd,
    /// The LZ4 frame format.
    Lz4,
    /// The legacy frames of LZ4.
    Lz4Legacy,
    /// The format of LZMA Utils, which xz calls `.lzma`.
    Lzma,
    /// The file format of lzip, versions 0 and 1.
    Lzip,
    /// The format of `compress`, `.Z`.
    Compress,
    /// POSIX.1 ustar and pax, the GNU format, and that of Unix version 7.
    Tar,
    /// PKWARE's APPNOTE.
    Zip,
    /// Archives of `ar`, packages of Debian among them.
    Ar,
    /// Archives of `cpio`, POSIX.1 and SVR4.
    Cpio,
    /// Messages in the storage format of Dovecot.
    Dbox,
    /// A header in a spool of Exim.
    Exim,
    /// A message in a queue of Postfix.
    Postfix,
    /// Packages of RPM.
    Rpm,
    /// ISO 28500.
    Warc,
    /// The format of the Internet Archive before WARC.
    Arc,
    /// Articles packed for `rnews`, after a line that names the program to unpack them.
    Batch,
    /// A format that is not read, with its name in messages.
    Unread(&'static str),
}

impl Packing {
    /// Returns the name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zlib => "zlib",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::Lz4 | Self::Lz4Legacy => "lz4",
            Self::Lzma => "lzma",
            Self::Lzip => "lzip",
            Self::Compress => "compress",
            Self::Tar => "tar",
            Self::Zip => "zip",
            Self::Ar => "ar",
            Self::Cpio => "cpio",
            Self::Dbox => "dbox",
            Self::Exim => "Exim's header",
            Self::Postfix => "Postfix's message",
            Self::Rpm => "rpm",
            Self::Warc => "WARC",
            Self::Arc => "ARC",
            Self::Batch => "batch",
            Self::Unread(name) => name,
        }
    }

    /// Reports whether data in this format is read.
    #[must_use]
    pub const fn is_read(self) -> bool {
        match self {
            Self::Unread(_) => false,
            Self::Tar
            | Self::Ar
            | Self::Cpio
            | Self::Dbox
            | Self::Exim
            | Self::Postfix
            | Self::Rpm
            | Self::Warc
            | Self::Arc
            | Self::Batch
            | Self::Compress => true,
            _ => cfg!(feature = "archives"),
        }
    }
}

/// Declarations of a field `Content-Type` about a text. The text's first bytes take precedence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared {
    /// The language of a document.
    pub markup: Option<Markup>,
    /// The charset, if it must be decoded.
    pub charset: Option<Charset>,
}
