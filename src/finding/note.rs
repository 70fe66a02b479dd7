//! Lists the kinds of notes: reports about an input that are no findings.

use super::Origin;
use super::help::{Help, help};

/// A report about an input that is no finding and must not get lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The kind of note.
    pub kind: NoteKind,
    /// The source that it is about.
    pub origin: Origin,
    /// Offset in the innermost member, if known.
    pub offset: Option<u64>,
    /// The expected and the actual state.
    pub message: String,
}

/// The kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A packed input, or a member of one, is malformed; the rest after the offset is lost, up to
    /// the next record if the message says so.
    ArchiveBroken,
    /// A packed input, or a member of one, ends too early.
    ArchiveTruncated,
    /// An archive of the Web on the network could not be asked for some links, or did not answer.
    ArchiveUnanswered,
    /// A document declares a base URI longer than the limit, which is ignored.
    BaseTooLong,
    /// A problem that a baseline lists no longer occurs.
    BaselineFixed,
    /// A document is too long to be parsed by its markup; it was read as text, so that links which
    /// are no URIs by themselves are missing.
    DocumentTooLong,
    /// An input was modified while it was read: the text may mix old and new contents.
    InputChanged,
    /// An input grew while it was read; the added text was not read.
    InputGrew,
    /// An input ended before its reported size.
    InputShrank,
    /// An input was listed, but no longer existed when it was opened.
    InputVanished,
    /// An input that the user named, or a member of an archive, has an unsupported packed format.
    InputPacked,
    /// An input could not be opened, listed or read.
    InputUnreadable,
    /// The program panicked on a part of an input, which is lost.
    Internal,
    /// A length that an input declares is wrong; the end was found without it.
    LengthWrong,
    /// A document has a markup error that its parser cannot recover from: the rest was read as
    /// text.
    MarkupBroken,
    /// A document could not be parsed by its markup, only read as text.
    MarkupUnread,
    /// There are too many files with several hard links; further ones are read under each name.
    LinksForgotten,
    /// A limit on the cost of one input was reached; the rest is not read.
    LimitReached,
    /// The fields by which a message offers to unsubscribe have a warning, and no link that could
    /// carry it.
    ListUnsubscribe,
    /// The store of results failed; later results are in the report alone.
    StateLost,
    /// A header is longer than the limit; later fields, which may declare the encoding of the body,
    /// are ignored.
    MimeHeaderTooLong,
    /// Parts of a message are nested too deeply: they are read undecoded.
    MimeTooDeep,
    /// An encoded part of a message is too long to be decoded: it is read undecoded.
    MimeTooLong,
    /// A message has too many parts: the rest is read undecoded.
    MimeTooMany,
    /// A part of a message is TNEF, which may hold text and is not read.
    Tnef,
    /// Bytes after the end of a packed input, which belong to nothing in it.
    TrailingBytes,
    /// A candidate was longer than the limit and is reported cut.
    UriTooLong,
}

/// One row of the table of notes.
pub struct NoteRow {
    /// The kind of note.
    pub kind: NoteKind,
    /// Its name in records.
    pub name: &'static str,
    /// The loss that it reports.
    pub loss: Loss,
    /// Its meaning, in one line.
    pub about: &'static str,
    /// Why it matters, and what to do about it.
    pub help: Help,
}

/// The loss that a note reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing that was requested, or nothing that can be helped.
    None,
    /// A requested input, or a part of one, was not read: exit code 2.
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

/// All kinds of notes, in the order of [`NoteKind`].
#[rustfmt::skip]
pub static NOTES: &[NoteRow] = {
    use NoteKind::*;
    &[
    row(ArchiveBroken, "archive-broken", Loss::Input,
        "a packed input is malformed", help(
        "The rest of the input after this offset was not read, and its links are missing; of an \
         archive of the Web, the rest of the record.",
        "Fetch the archive again, or try its own program, which may recover more. The note names \
         the offset.",
    )),
    row(ArchiveTruncated, "archive-truncated", Loss::Input, "a packed input ends too early", help(
        "A download or a copy was truncated. The links before the end are reported.",
        "Fetch the archive again, and compare its length or its checksum.",
    )),
    row(ArchiveUnanswered, "archive-unanswered", Loss::None,
        "an archive of the Web did not answer for some links", help(
        "Links that no other archive holds count as not looked up. The note names the archive, the \
         cause and the number of requests.",
        "Check the address of --archive in a browser; one on this machine or in its network needs \
         --allow-net. If the archive was busy, run again.",
    )),
    row(BaseTooLong, "base-too-long", Loss::Input,
        "a document declares a base URI that is longer than the limit", help(
        "Each record of a link would repeat it. The declaration is ignored, so relative links may \
         be resolved wrongly.",
        "No server accepts a base URI so long: look for the program that wrote it.",
    )),
    row(BaselineFixed, "baseline-fixed", Loss::None,
        "a problem that a baseline lists no longer occurs", help(
        "The link works now, or no longer occurs. While the baseline lists it, the same problem \
         would go unnoticed.",
        "Give --update-baseline, which removes it from the list.",
    )),
    row(DocumentTooLong, "document-too-long", Loss::Input,
        "a document is too long to be parsed", help(
        "It was scanned as text, so its relative links are missing.",
        "Split the document, or give --as text if its markup does not matter.",
    )),
    row(InputChanged, "input-changed", Loss::Input,
        "an input was modified while it was read", help(
        "The text that was read may mix old and new contents.",
        "Run again when no program writes to it, or on a copy.",
    )),
    row(InputGrew, "input-grew", Loss::None, "an input grew while it was read", help(
        "It was read up to the size it had at first; text that was appended since was not. Logs \
         and mailboxes grow so.",
        "Run again to read the appended text.",
    )),
    row(InputShrank, "input-shrank", Loss::Input, "an input ended before its reported size", help(
        "It was truncated while it was read, so links may be missing.",
        "Run again when no program writes to it, or on a copy.",
    )),
    row(InputVanished, "input-vanished", Loss::Input,
        "an input disappeared before it was opened", help(
        "A mail program moved the message, or the file was deleted: its links are missing.",
        "Run again; scan a copy of a spool that is in use.",
    )),
    row(InputPacked, "input-packed", Loss::Input,
        "an input has an unsupported packed format", help(
        "Its contents were not scanned.",
        "Unpack it and scan the result, by a pipe and `-` or as files.",
    )),
    row(InputUnreadable, "input-unreadable", Loss::Input,
        "an input could not be opened, listed or read", help(
        "Its links are missing from the report. The message quotes the system's error.",
        "Correct its permissions, or exclude it by a .linktrawlignore file.",
    )),
    row(Internal, "internal", Loss::Input, "the program failed on a part of an input", help(
        "The links of that part are missing; the rest of the run is complete. It is a defect of \
         the program, not of the input.",
        "Report it with the position that standard error names, and the input if you may share \
         it.",
    )),
    row(LengthWrong, "length-wrong", Loss::None, "a length that an input declares is wrong", help(
        "The end of the message or record was found without it, so nothing is lost.",
        "Nothing has to be done; the program that wrote the mailbox or the archive counts wrongly, \
         or the file was edited.",
    )),
    row(MarkupBroken, "markup-broken", Loss::None,
        "a document has a markup error from which its parser cannot recover", help(
        "The rest of the document was scanned as text: relative links there are missing.",
        "Fix the markup at the place that the note names.",
    )),
    row(MarkupUnread, "markup-unread", Loss::Input,
        "a document could not be parsed", help(
        "It is nested too deeply, or would take the parser too long; it was scanned as text.",
        "Look for a defect in the program that wrote the document.",
    )),
    row(LinksForgotten, "links-forgotten", Loss::None,
        "there are too many files with several hard links", help(
        "Files beyond the limit are read under each of their names, so links may be reported \
         twice.",
        "Nothing is lost. Scan fewer directories at once to read each file once.",
    )),
    row(LimitReached, "limit-reached", Loss::Input,
        "a limit on the cost of one input was reached", help(
        "The rest of the input is not read. The limits exist for small files that unpack to \
         terabytes.",
        "If you trust it, unpack it yourself and scan the result.",
    )),
    row(ListUnsubscribe, "list-unsubscribe", Loss::None,
        "an offer to unsubscribe has no link that could carry its warning", help(
        "The message has a List-Unsubscribe-Post, and no List-Unsubscribe with a URI in angle \
         brackets: mail programs cannot unsubscribe its reader. The note names the lints, which \
         `linktrawl explain` explains.",
        "Give the message a List-Unsubscribe with an HTTPS URI. `--allow` silences each lint.",
    )),
    row(StateLost, "state-lost", Loss::Input, "the store of results failed", help(
        "Later results are in the report alone; the next run requests them again.",
        "Check the disk and the file of --state; delete the file if it is corrupt.",
    )),
    row(MimeHeaderTooLong, "mime-header-too-long", Loss::None,
        "the header of a message or a part is longer than the limit", help(
        "Later fields are searched for links, but their declarations about the body are ignored: \
         an encoded body may have been scanned undecoded, and its links be missing.",
        "Move Content-Type and Content-Transfer-Encoding to the top of the header.",
    )),
    row(MimeTooDeep, "mime-too-deep", Loss::None,
        "parts of a message are nested too deeply", help(
        "Deeper parts were scanned undecoded, so links in them may be missing.",
        "Mail that people write is never so deep. Save the part as a file and scan that.",
    )),
    row(MimeTooLong, "mime-too-long", Loss::None,
        "an encoded part of a message is too long to be decoded", help(
        "The rest of it was scanned undecoded, so links in it may be missing.",
        "Save the part as a file and scan that.",
    )),
    row(MimeTooMany, "mime-too-many", Loss::None,
        "a message has more parts than the limit", help(
        "The rest was scanned undecoded, so links in encoded parts may be missing.",
        "Save the parts as files and scan those.",
    )),
    row(Tnef, "tnef", Loss::None,
        "a part of a message is TNEF, which may hold text and is not read", help(
        "winmail.dat is a format of Outlook that may hold the whole message; its links are \
         missing.",
        "Unpack it with a program for TNEF and scan the result; ask the sender for MIME.",
    )),
    row(TrailingBytes, "trailing-bytes", Loss::None,
        "bytes follow the end of a packed input", help(
        "They were scanned as a member called rest, except for zeros and for bytes between the \
         members of a zip archive. Padding of tapes is harmless, and so is a signature.",
        "Nothing has to be done. If the input should hold nothing else, inspect the bytes.",
    )),
    row(UriTooLong, "uri-too-long", Loss::None, "a candidate was longer than the limit", help(
        "It is reported truncated and not validated. Data in links (data:) is the usual cause.",
        "Nothing has to be done for data. A document that is one long line may lack a bracket.",
    )),
    ]
};

impl NoteKind {
    /// Returns its row in the table.
    #[must_use]
    pub const fn row(self) -> &'static NoteRow {
        // The table is in the order of the kinds, as a test verifies.
        &NOTES[self as usize]
    }

    /// Returns the kind's name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Reports whether the note is about a requested input that was not read: exit code 2.
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
