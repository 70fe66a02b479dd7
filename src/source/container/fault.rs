//! Defines the faults of containers: their causes, and the messages about them.
//!
//! A fault travels as a reader's error through all readers inside of the faulty scope. No decision
//! depends on the text of an error.

use std::fmt;
use std::io;

use crate::finding::NoteKind;

/// A fault that ends reading a container or a member.
#[derive(Debug)]
pub(in crate::source) struct Fault {
    /// Number of the faulty scope; nothing inside of that scope can continue.
    pub(in crate::source) scope: usize,
    /// Offset in the packed bytes.
    pub(in crate::source) offset: Option<u64>,
    pub(in crate::source) cause: Cause,
}

/// The cause of a fault.
#[derive(Debug)]
pub(in crate::source) enum Cause {
    Limit(Limit),
    Cut(Cut),
    Broken(Broken),
}

/// A limit on the cost of unpacking that was reached.
#[derive(Debug)]
pub(in crate::source) enum Limit {
    /// Greatest number of members.
    Members(u64),
    /// Greatest number of streams that decode to little.
    ShortStreams(u64),
    /// Greatest number of decoded bytes.
    Bytes(u64),
    /// Number of decoded bytes, and of the packed bytes that they were decoded from.
    Ratio { made: u64, read: u64 },
    /// Greatest length of a header in bytes.
    Header(u64),
    /// Greatest number of codings of a body.
    Codings(usize),
    /// The format of a stream, and the error of its decoder, which needs too much memory.
    Memory(&'static str, io::Error),
}

/// An end that comes too early, by the thing that ends.
#[derive(Debug)]
pub(in crate::source) enum Cut {
    Archive,
    /// The zeros at the end of an archive are missing.
    ArchiveEnd,
    Directory,
    Record,
    Chunk,
    /// The number of missing bytes.
    Bytes(u64),
    /// The format of a stream.
    Stream(&'static str),
}

/// A violation of a format, by the thing that is malformed.
#[derive(Debug)]
pub(in crate::source) enum Broken {
    Member,
    MemberName,
    MemberSize,
    /// The lengths of a member, after it.
    MemberLengths,
    MemberChecksum,
    /// Two members have the same bytes.
    SharedBytes,
    ExtendedHeader,
    SparseMap,
    /// The error of reading the map of a sparse member.
    SparseMapUnread(io::Error),
    SparseBytes,
    DirectoryEntry,
    DirectoryEnd,
    HeaderLength,
    MessageHeader,
    MessageEnd,
    PackageHeader,
    Chunk,
    Record,
    /// A record begins within the header of another.
    RecordHeader,
    RecordHeaderEnd,
    RecordLength,
    /// The format of a stream, and the error of its decoder.
    Stream(&'static str, io::Error),
}

impl Cause {
    /// Returns the kind of the note about the fault.
    pub(in crate::source) const fn kind(&self) -> NoteKind {
        match self {
            Self::Limit(_) => NoteKind::LimitReached,
            Self::Cut(_) => NoteKind::ArchiveTruncated,
            Self::Broken(_) => NoteKind::ArchiveBroken,
        }
    }
}

impl From<Limit> for Cause {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<Cut> for Cause {
    fn from(cut: Cut) -> Self {
        Self::Cut(cut)
    }
}

impl From<Broken> for Cause {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => limit.fmt(out),
            Self::Cut(cut) => cut.fmt(out),
            Self::Broken(broken) => broken.fmt(out),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Members(most) => write!(out, "expected at most {most} members, found more"),
            Self::ShortStreams(most) => {
                write!(out, "expected at most {most} short streams, found more")
            }
            Self::Bytes(most) => write!(out, "expected at most {most} bytes, found more"),
            Self::Ratio { made, read } => write!(out, "{made} bytes were made of {read}"),
            Self::Header(most) => write!(out, "expected at most {most} bytes of a header"),
            Self::Codings(most) => {
                write!(out, "expected at most {most} codings of a body, found more")
            }
            Self::Memory(codec, error) => {
                write!(out, "{codec} asks for too much memory: {error}")
            }
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Archive => "expected more of the archive, found its end",
            Self::ArchiveEnd => "expected zeros at the end of the archive, found none",
            Self::Directory => "expected more of the directory, found its end",
            Self::Record => "expected more of a record, found the end",
            Self::Chunk => "expected more of a chunk, or the last one, found the end",
            Self::Bytes(missing) => {
                return write!(out, "expected {missing} bytes more, found the end");
            }
            Self::Stream(codec) => return write!(out, "expected more of {codec}, found its end"),
        })
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Member => "expected the header of a member, found something else",
            Self::MemberName => "expected the name of a member, found none",
            Self::MemberSize => "expected the size of a member, found no number",
            Self::MemberLengths => "expected the lengths of a member, found something else",
            Self::MemberChecksum => "expected the checksum and length of the member, found others",
            Self::SharedBytes => "expected members with bytes of their own, found shared ones",
            Self::ExtendedHeader => "expected records of an extended header, found others",
            Self::SparseMap => "expected the map of a sparse member, found something else",
            Self::SparseMapUnread(error) => return error.fmt(out),
            Self::SparseBytes => "expected the bytes of a sparse member, found fewer",
            Self::DirectoryEntry => "expected an entry of the directory, found something else",
            Self::DirectoryEnd => "expected the end of the directory, found something else",
            Self::HeaderLength => "expected the length of headers, found none",
            Self::MessageHeader => "expected the header of a message, found something else",
            Self::MessageEnd => "expected the trailer of a message, found something else",
            Self::PackageHeader => "expected the header of a package, found something else",
            Self::Chunk => "expected the end of a chunk and the length of the next, found others",
            Self::Record => "expected a record, found something else",
            Self::RecordHeader => "expected more of the header of a record, found another record",
            Self::RecordHeaderEnd => "expected the header of a record, found no end of it",
            Self::RecordLength => "expected the length of a record, found none",
            Self::Stream(codec, error) => return write!(out, "cannot unpack {codec}: {error}"),
        })
    }
}

impl Fault {
    /// Returns the fault in `error` if it is about `scope`; returns the error otherwise.
    pub(in crate::source) fn about(scope: usize, error: io::Error) -> Result<Self, io::Error> {
        match carried::<Self>(&error) {
            Some(fault) if fault.scope == scope => error.downcast(),
            _ => Err(error),
        }
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        Self::other(fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(out)
    }
}

impl std::error::Error for Fault {}

/// An error of reading the input itself.
#[derive(Debug)]
pub(in crate::source) struct Outside(pub(in crate::source) io::Error);

impl Outside {
    /// Returns the error of reading the input if `error` carries one; returns `error` otherwise.
    pub(in crate::source) fn unwrap(error: io::Error) -> io::Error {
        error.downcast().map_or_else(|error| error, |Self(inner)| inner)
    }
}

impl From<Outside> for io::Error {
    fn from(outside: Outside) -> Self {
        Self::new(outside.0.kind(), outside)
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl std::error::Error for Outside {}

/// Returns the error of type `E` that `error` carries, if it does.
pub(in crate::source) fn carried<E: std::error::Error + 'static>(error: &io::Error) -> Option<&E> {
    error.get_ref().and_then(|inner| inner.downcast_ref())
}

/// Reports whether `error` comes from an enclosing reader and needs no further explanation.
pub(in crate::source) fn is_told(error: &io::Error) -> bool {
    carried::<Fault>(error).is_some() || carried::<Outside>(error).is_some()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Broken, Fault, Outside, is_told};

    #[test]
    fn a_fault_is_taken_by_its_scope_alone() {
        let cause = Broken::Member.into();
        let error = io::Error::from(Fault { scope: 2, offset: None, cause });
        let error = Fault::about(3, error).unwrap_err();
        assert!(is_told(&error));
        let told = "expected the header of a member, found something else";
        assert_eq!(Fault::about(2, error).unwrap().to_string(), told);
        let outside = io::Error::from(Outside(io::ErrorKind::TimedOut.into()));
        assert!(is_told(&outside) && !is_told(&io::ErrorKind::TimedOut.into()));
        assert!(Outside::unwrap(outside).get_ref().is_none());
    }
}
