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
    /// The fields by which a message offers to unsubscribe deserve a warning, and have no link that
    /// could carry it.
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
    row(ListUnsubscribe, "list-unsubscribe", Loss::None,
        "an offer to unsubscribe has no link, and deserves a warning", help(
        "The message has a List-Unsubscribe-Post, and no List-Unsubscribe with a URI in angle \
         brackets: mail programs cannot unsubscribe its reader. The note names the lints, which \
         `linktrawl explain` explains.",
        "Give the message a List-Unsubscribe with an HTTPS URI. `--allow` silences each lint.",
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
