//! Caches facts about files: each file is looked up once, and each document is read once for its
//! places.
//!
//! Nothing but regular files is opened, and no open waits for a reader or writer. The memory has a
//! limit; a forgotten file is looked up again, with the same result.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use icu_normalizer::DecomposingNormalizerBorrowed;

use super::memory::Memory;
use crate::platform::{self, OsBytes as _, path_of};
use crate::source::mail::charset::{self, Decoder, WideText};
use crate::source::mail::mime::{self, Coding};
use crate::source::markup::Markup;
use crate::source::markup::anchors::{self, Anchors, Slugs};

/// Longest document, in bytes, that is read for its places. The longest standards on one page have
/// less.
const DOCUMENT_LEN_MAX: usize = 8 * 1024 * 1024;
/// Bytes at the beginning that decide what a file without a known name is.
const HEAD_LEN: usize = 8 * 1024;
/// Names of a directory that are remembered. A larger directory is a spool, and gives no hints.
const LISTING_MAX: usize = 8 * 1024;

/// The kind of the file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    File,
    Directory,
    /// A pipe, a socket, a device.
    Other,
    Missing,
    /// Not looked up: a symbolic link leads out of the tree that holds the link.
    Outside,
    /// The system could not look; the number is that of its error.
    Unknown(i32),
}

/// Looks up the kind of the file at a path.
pub(super) type Look = fn(&Path) -> io::Result<FileKind>;

/// The places of a document.
#[derive(Debug)]
pub(super) enum Places {
    Known(Anchors, Option<Markup>),
    /// The document is longer than the limit for its language.
    TooLong,
    /// The document is compressed, or could not be read in its language.
    Unread,
}

/// The names in a directory, each after its lower-case form, and sorted by that.
#[derive(Debug)]
pub(super) struct Listing(Vec<(Vec<u8>, Vec<u8>)>);

impl Listing {
    /// Returns the names.
    pub(super) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|(_, name)| name.as_slice())
    }

    /// Returns `name` as it is listed, or the first name that differs in case alone.
    pub(super) fn spelled(&self, name: &[u8]) -> Option<&[u8]> {
        let lower = lower(name);
        let from = self.0.partition_point(|(other, _)| *other < lower);
        let alike = self.0.get(from..)?.iter().take_while(|(other, _)| *other == lower);
        let mut alike = alike.map(|(_, name)| name.as_slice()).peekable();
        let first = alike.peek().copied();
        alike.find(|other| *other == name).or(first)
    }

    /// Returns `name` as it is listed, or the first name with the same letters, composed of other
    /// characters, as macOS stores them (UAX #15).
    pub(super) fn recomposed(&self, name: &[u8]) -> Option<&[u8]> {
        let exact = self.spelled(name).filter(|spelled| *spelled == name);
        if exact.is_some() || name.is_ascii() {
            return exact;
        }
        let wanted = decomposed(name)?;
        self.names().find(|it| !it.is_ascii() && decomposed(it).is_some_and(|it| it == wanted))
    }

    fn weight(&self) -> usize {
        self.names().map(|name| 2 * (name.len() + size_of::<Vec<u8>>())).sum()
    }
}

/// The results of all lookups.
pub(super) struct Files {
    look: Look,
    kinds: Memory<FileKind>,
    /// The places of documents, by the program whose names of headings they have.
    documents: [Memory<Arc<OnceLock<Places>>>; Slugs::COUNT],
    listings: Memory<Option<Arc<Listing>>>,
    reals: Memory<Option<Arc<[u8]>>>,
}

impl Default for Files {
    fn default() -> Self {
        Self::by(look)
    }
}

impl Files {
    /// Creates an empty cache that looks files up with `look`.
    pub(super) fn by(look: Look) -> Self {
        Self {
            look,
            kinds: Memory::default(),
            documents: Default::default(),
            listings: Memory::default(),
            reals: Memory::default(),
        }
    }

    /// Returns the kind of the file at `path`, with symbolic links followed.
    pub(super) fn kind(&self, path: &[u8]) -> FileKind {
        let look = || (self.look)(&path_of(path));
        self.kinds.of(path, |_| 0, || look().unwrap_or_else(|error| failed(&error)))
    }

    /// Returns the places of the document at `path`, with the names of headings that `slugs` make.
    pub(super) fn places(&self, path: &[u8], slugs: Slugs) -> Arc<OnceLock<Places>> {
        // There is one for each value of `Slugs`.
        let memory = self.documents.get(slugs as usize).unwrap_or(&self.documents[0]);
        let cell = memory.of(path, |_| size_of::<Places>(), Arc::default);
        let mut weight = 0;
        cell.get_or_init(|| {
            let places = read_places(path, slugs);
            if let Places::Known(anchors, _) = &places {
                weight = anchors.weight();
            }
            places
        });
        memory.weigh(path, weight);
        cell
    }

    /// Returns the names in `directory`; `None` if it has too many, or cannot be listed.
    pub(super) fn listing(&self, directory: &[u8]) -> Option<Arc<Listing>> {
        let weight = |listing: &Option<Arc<Listing>>| listing.as_ref().map_or(0, |it| it.weight());
        self.listings.of(directory, weight, || list(directory).map(Arc::new))
    }

    /// Returns `directory` without symbolic links and dots.
    pub(super) fn real(&self, directory: &[u8]) -> Option<Vec<u8>> {
        let real = self.reals.of(
            directory,
            |_| 0,
            || {
                let directory = if directory.is_empty() { b"." } else { directory };
                let real = platform::canonicalize(&path_of(directory)).ok()?;
                Some(real.as_os_str().as_bytes().into())
            },
        );
        real.map(|real| real.to_vec())
    }
}

pub(super) fn look(path: &Path) -> io::Result<FileKind> {
    let metadata = platform::look(path)?;
    Ok(if metadata.is_file() {
        FileKind::File
    } else if metadata.is_dir() {
        FileKind::Directory
    } else {
        FileKind::Other
    })
}

/// Returns the kind of a path that could not be looked up. Some errors mean that it does not exist.
/// After all others nothing is known: the disk or the network fails, the system is short of memory,
/// or denies access.
fn failed(error: &io::Error) -> FileKind {
    match error.raw_os_error() {
        Some(code) if platform::is_missing(code) => FileKind::Missing,
        Some(code) => FileKind::Unknown(code),
        // A name with a NUL in it, which no file has.
        None if error.kind() == io::ErrorKind::InvalidInput => FileKind::Missing,
        None => FileKind::Unknown(platform::UNKNOWN_ERROR),
    }
}

/// Returns the bytes of the regular file at `path`; `None` if it is longer than documents may be.
pub(super) fn read(path: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let file = platform::open(&path_of(path))?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(DOCUMENT_LEN_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= DOCUMENT_LEN_MAX).then_some(bytes))
}

fn read_places(path: &[u8], slugs: Slugs) -> Places {
    let mut bytes = match read(path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Places::TooLong,
        Err(_) => return Places::Unread,
    };
    let head = bytes.get(..HEAD_LEN).unwrap_or(&bytes);
    if let Some(order) = charset::sniff(head) {
        let mut text = Vec::new();
        // Reading from memory does not fail.
        let _ = Decoder::new(bytes.as_slice(), WideText::new(order)).read_to_end(&mut text);
        bytes = text;
    }
    let head = bytes.get(..HEAD_LEN).unwrap_or(&bytes);
    let markup = Markup::of(head, path);
    if is_packed(&bytes) {
        return Places::Unread;
    }
    if markup.is_some_and(|markup| bytes.len() > markup.len_max()) {
        return Places::TooLong;
    }
    if let Some(charset) = markup.and_then(|markup| markup.charset(&bytes)) {
        bytes = mime::decode(Coding::Charset(charset), &bytes);
    }
    anchors::anchors_by(slugs, markup, &bytes)
        .map_or(Places::Unread, |anchors| Places::Known(anchors, markup))
}

/// Reports whether gzip, bzip2, xz, Zstandard or LZ4 made `bytes`: they are not unpacked here.
fn is_packed(bytes: &[u8]) -> bool {
    let begins: [&[u8]; 5] =
        [b"\x1F\x8B", b"BZh", b"\xFD7zXZ", b"\x28\xB5\x2F\xFD", b"\x04\x22\x4D\x18"];
    begins.iter().any(|begin| bytes.starts_with(begin))
}

fn list(directory: &[u8]) -> Option<Listing> {
    let directory = if directory.is_empty() { b"." } else { directory };
    let mut names = Vec::new();
    for entry in fs::read_dir(path_of(directory)).ok()? {
        if names.len() == LISTING_MAX {
            return None;
        }
        let name = entry.ok()?.file_name().as_bytes().to_vec();
        names.push((lower(&name), name));
    }
    names.sort_unstable();
    Some(Listing(names))
}

/// Returns `name` in normal form D, in which all marks follow their letters (UAX #15).
fn decomposed(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    Some(DecomposingNormalizerBorrowed::new_nfd().normalize(name).into_owned())
}

/// Returns `name` in lower case, as a key to compare by.
fn lower(name: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(name) {
        Ok(name) => name.to_lowercase().into_bytes(),
        Err(_) => name.to_ascii_lowercase(),
    }
}
