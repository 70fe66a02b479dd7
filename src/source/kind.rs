//! The kinds of inputs, as their first bytes or their senders tell them.

use super::boxes::Style;
use super::charset::Wide;
use super::markup::Markup;
use super::mime::Charset;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text in an encoding whose ASCII is ASCII.
    Text,
    /// Text in UTF-16 or UTF-32.
    Wide(Wide),
    /// Messages one behind the other.
    Box(Style),
    /// One message.
    Message,
    /// A document.
    Document(Markup),
    /// Packed, so that its bytes are no text.
    Packed(Packing),
}

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// RFC 1952.
    Gzip,
    /// RFC 1950.
    Zlib,
    /// As `bzip2` writes it; it has no specification.
    Bzip2,
    /// The .xz file format, version 1.2.
    Xz,
    /// RFC 8878.
    Zstd,
    /// The LZ4 frame format.
    Lz4,
    /// The frames that LZ4 had before.
    Lz4Legacy,
    /// The format of LZMA Utils, which xz calls `.lzma`.
    Lzma,
    /// The file format of lzip, versions 0 and 1.
    Lzip,
    /// What `compress` writes, `.Z`.
    Compress,
    /// POSIX.1 ustar and pax, the GNU format, and that of Unix version 7.
    Tar,
    /// PKWARE's APPNOTE.
    Zip,
    /// Archives of `ar`, packages of Debian among them.
    Ar,
    /// Archives of `cpio`, POSIX.1 and SVR4.
    Cpio,
    /// Messages as Dovecot keeps them.
    Dbox,
    /// Packages of RPM.
    Rpm,
    /// ISO 28500.
    Warc,
    /// What the Internet Archive had before WARC.
    Arc,
    /// Articles packed for `rnews`, behind a line that names the program to unpack them.
    Batch,
    /// In a way that is not read, which is called so in messages.
    Unread(&'static str),
}

impl Packing {
    /// The name in messages.
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
            Self::Rpm => "rpm",
            Self::Warc => "WARC",
            Self::Arc => "ARC",
            Self::Batch => "batch",
            Self::Unread(name) => name,
        }
    }

    /// True when what is packed so is read.
    #[must_use]
    pub const fn is_read(self) -> bool {
        !matches!(self, Self::Unread(_))
    }
}

/// What a field `Content-Type` says of a text. What its first bytes say goes before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared {
    /// The language of a document.
    pub markup: Option<Markup>,
    /// The charset, where it must be decoded.
    pub charset: Option<Charset>,
}
