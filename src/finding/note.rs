//! Notes: what must be told of an input and is no finding.

use super::Origin;
use super::help::{Help, help};

/// Something about the input that is no finding and must not get lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind of note.
    pub kind: NoteKind,
    /// What it is about.
    pub origin: Origin,
    /// Offset in the innermost member where that is known.
    pub offset: Option<u64>,
    /// What was expected, and what was found.
    pub message: String,
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A packed input, or a member of one, is not what it should be; what comes behind the
    /// place is lost, up to the next record where the message says so.
    ArchiveBroken,
    /// A packed input, or a member of one, ends too early.
    ArchiveTruncated,
    /// A document says that its links start from something longer than the limit: they are read
    /// as if it did not.
    BaseTooLong,
    /// Trouble that a baseline knows was looked for, and is no more.
    BaselineFixed,
    /// A document is longer than those that are read by their markup; it was read as text, so
    /// that links which are no URIs by themselves are missing.
    DocumentTooLong,
    /// An input was written to while it was read: what was read may be some of what was there
    /// before and some of what is there now.
    InputChanged,
    /// An input grew while it was read; what came later was not read.
    InputGrew,
    /// An input ended before its size said.
    InputShrank,
    /// An input was listed and was gone when it should be opened.
    InputVanished,
    /// An input that was asked for by name, or a member of an archive, is packed in a way that
    /// is not read.
    InputPacked,
    /// An input could not be opened, listed or read.
    InputUnreadable,
    /// The program failed on a part of an input, which is lost.
    Internal,
    /// A length that an input tells is wrong; where it ends was found without it.
    LengthWrong,
    /// A document has a mistake in its markup that its reader cannot see past: what stands
    /// behind it was read as text.
    MarkupBroken,
    /// A document could not be read by its markup, only as text.
    MarkupUnread,
    /// There are too many files with several names; those behind are read under each of them.
    LinksForgotten,
    /// A limit that bounds what one input may cost was reached; what comes behind it is not
    /// read.
    LimitReached,
    /// The store of what runs learnt failed; what was learnt since is in the report alone.
    StateLost,
    /// A header is longer than what is looked at of one; fields behind that say nothing of how
    /// its body is coded.
    MimeHeaderTooLong,
    /// Parts of a message are in more others than are gone into: read as they stand.
    MimeTooDeep,
    /// A part of a message is coded and too long to be decoded: read as it stands.
    MimeTooLong,
    /// A message has more parts than are told apart: the rest is read as it stands.
    MimeTooMany,
    /// A part of a message is TNEF, which may hold text and is not read.
    Tnef,
    /// Bytes behind the end of a packed input, which belong to nothing in it.
    TrailingBytes,
    /// A candidate was longer than the limit and is reported cut.
    UriTooLong,
}

/// One row of the table of notes.
pub struct NoteRow {
    /// What kind of note.
    pub kind: NoteKind,
    /// Its name in records.
    pub name: &'static str,
    /// What is lost with it.
    pub loss: Loss,
    /// What it tells, in one line.
    pub about: &'static str,
    /// Why it matters, and what to do about it.
    pub help: Help,
}

/// What is lost where a note is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing that was asked for, or nothing that can be helped.
    None,
    /// Something that was asked for was not read: exit code 2.
    Input,
}

const fn row(
    kind: NoteKind,
    name: &'static str,
    loss: Loss,
    about: &'static str,
    help: Help,
) -> NoteRow {
    NoteRow { kind, name, loss, about, help }
}

/// Every kind of note, in the order of [`NoteKind`].
#[rustfmt::skip]
pub static NOTES: &[NoteRow] = {
    use NoteKind::*;
    &[
    row(ArchiveBroken, "archive-broken", Loss::Input,
        "a packed input is not what it should be", help(
        "What stands behind the place is lost: it was not read, and its links are missing. Of an \
         archive of the Web that is so up to its next record.",
        "Get the archive anew, or try its own program, which may save more. The note tells the \
         byte.",
    )),
    row(ArchiveTruncated, "archive-truncated", Loss::Input, "a packed input ends too early", help(
        "A download or a copy was cut. What was there is reported; what is missing cannot be.",
        "Get the archive anew, and compare its length or its checksum.",
    )),
    row(BaseTooLong, "base-too-long", Loss::Input,
        "a document tells a base for its links that is longer than the limit", help(
        "Each record of a link would repeat it. Its links are read as if there was none, so that \
         relative ones seem to lead elsewhere.",
        "No server takes a base so long: look for what wrote it, or who.",
    )),
    row(BaselineFixed, "baseline-fixed", Loss::None,
        "trouble that a baseline knows is no more", help(
        "The link was looked for and is well now, or gone. As long as it is listed, it may break \
         again unseen.",
        "Give --update-baseline, which takes it out of the list.",
    )),
    row(DocumentTooLong, "document-too-long", Loss::Input,
        "a document is longer than those that are read by their markup", help(
        "It was read as text, so that relative links in it are missing.",
        "Split the document, or give --as text where its markup does not matter.",
    )),
    row(InputChanged, "input-changed", Loss::Input,
        "an input was written to while it was read", help(
        "What was read may be some of what was there before and some of what is there now.",
        "Run again when nothing writes to it, or on a copy.",
    )),
    row(InputGrew, "input-grew", Loss::None, "an input grew while it was read", help(
        "It was read to the end that it had; what came later was not. Logs and mailboxes do \
         that.",
        "Run again for what came later.",
    )),
    row(InputShrank, "input-shrank", Loss::Input, "an input ended before its size said", help(
        "Something cut it while it was read, so that links may be missing.",
        "Run again when nothing writes to it, or on a copy.",
    )),
    row(InputVanished, "input-vanished", Loss::Input,
        "an input was listed and was gone when it should be opened", help(
        "A mail that was read elsewhere, or a file that was deleted meanwhile: its links are \
         missing.",
        "Run again; for a moving spool, work on a copy.",
    )),
    row(InputPacked, "input-packed", Loss::Input,
        "an input is packed in a way that is not read", help(
        "Whatever is in it was not looked at.",
        "Unpack it and give what comes out, by a pipe and `-` or as files.",
    )),
    row(InputUnreadable, "input-unreadable", Loss::Input,
        "an input could not be opened, listed or read", help(
        "Its links are missing from the report. The message tells what the system said.",
        "See to its permissions, or leave it out by a .linktrawlignore file.",
    )),
    row(Internal, "internal", Loss::Input, "the program failed on a part of an input", help(
        "That part is lost, the rest of the run is not. It is a fault of the program, not of the \
         input.",
        "Report it with the place that standard error named, and the input if it may be shown.",
    )),
    row(LengthWrong, "length-wrong", Loss::None, "a length that an input tells is wrong", help(
        "Where the message or the record ends was found without it, so that nothing is lost.",
        "Nothing has to be done; the program that wrote the box or the archive counts wrongly, or \
         something edited it.",
    )),
    row(MarkupBroken, "markup-broken", Loss::None,
        "a document has a mistake in its markup that its reader cannot see past", help(
        "What stands behind the mistake was read as text: relative links there are missing.",
        "Mend the markup at the place that the note names.",
    )),
    row(MarkupUnread, "markup-unread", Loss::Input,
        "a document could not be read by its markup", help(
        "It is nested so deep, or made so, that its reader would not come to an end; it was read \
         as text.",
        "Look whether a program went wild when it wrote the document.",
    )),
    row(LinksForgotten, "links-forgotten", Loss::None,
        "there are too many files with several names", help(
        "Those behind the limit are read under each of their names, and so may be reported \
         twice.",
        "Nothing is lost. Give fewer directories at once to have each file once.",
    )),
    row(LimitReached, "limit-reached", Loss::Input,
        "a limit that bounds what one input may cost was reached", help(
        "What comes behind it is not read. Small files that unpack to terabytes are why there \
         are limits.",
        "Unpack it yourself if you trust it, and give what comes out.",
    )),
    row(StateLost, "state-lost", Loss::Input, "the store of what runs learnt failed", help(
        "What was learnt since is in the report alone; the next run asks for it again.",
        "See to the disk and to the file of --state; delete the file if it is broken.",
    )),
    row(MimeHeaderTooLong, "mime-header-too-long", Loss::None,
        "the header of a message or a part is longer than what is looked at of one", help(
        "Fields behind that are searched for links, but what they say of the body does not \
         count: a body that is coded may have been read as it stands, and its links be missing.",
        "Move Content-Type and Content-Transfer-Encoding to the top of the header.",
    )),
    row(MimeTooDeep, "mime-too-deep", Loss::None,
        "parts of a message are in more others than are gone into", help(
        "What lies deeper was read as it stands and not decoded, so that links in it may be \
         missing.",
        "Nothing that people write is so deep. Save the part as a file and give that.",
    )),
    row(MimeTooLong, "mime-too-long", Loss::None,
        "a coded part of a message is too long to be decoded at once, and not line by line", help(
        "The rest of it was read as it stands, so that links in it may be missing.",
        "Save the part as a file and give that.",
    )),
    row(MimeTooMany, "mime-too-many", Loss::None,
        "a message has more parts than are told apart", help(
        "The rest was read as it stands, so that links in coded parts may be missing.",
        "Save the parts as files and give those.",
    )),
    row(Tnef, "tnef", Loss::None,
        "a part of a message is TNEF, which may hold text and is not read", help(
        "winmail.dat is a format of Outlook that may hold the whole letter; its links are \
         missing.",
        "Unpack it with a program for TNEF and give what comes out; ask the sender for MIME.",
    )),
    row(TrailingBytes, "trailing-bytes", Loss::None,
        "bytes stand behind the end of a packed input", help(
        "They were read as what they are, in a member called rest, but for zeros and for what \
         stands between the members of a zip archive. Padding of tapes is harmless, and so is a \
         signature.",
        "Nothing has to be done. If the input should hold nothing else, look what was put there.",
    )),
    row(UriTooLong, "uri-too-long", Loss::None, "a candidate was longer than the limit", help(
        "It is reported cut and not judged. Data in links (data:) is the usual cause.",
        "Nothing has to be done for data. A document that is one long line may have a bracket \
         missing.",
    )),
    ]
};

impl NoteKind {
    /// Its row in the table.
    #[must_use]
    pub const fn row(self) -> &'static NoteRow {
        // The table is in the order of the kinds, which a test holds it to.
        &NOTES[self as usize]
    }

    /// The kind's name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// True when the note says that something asked for was not read: exit code 2.
    #[must_use]
    pub const fn is_incomplete(self) -> bool {
        matches!(self.row().loss, Loss::Input)
    }
}

#[cfg(test)]
mod tests {
    use super::{NOTES, NoteKind};

    #[test]
    fn the_table_is_in_the_order_of_the_kinds() {
        for (idx, row) in NOTES.iter().enumerate() {
            assert_eq!((row.kind as usize, row.kind.name()), (idx, row.name));
        }
        assert_eq!(NOTES.len(), NoteKind::UriTooLong as usize + 1);
    }
}
