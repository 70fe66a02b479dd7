//! Lists the reasons for skipping something: the names that a summary counts by.
//!
//! What a note reports and a link that is not probed are skipped, too, under the names that the
//! tables of notes and of classes give them.

use std::cmp::Ordering;

use super::help::{Help, help};
use super::{Class, NoteKind};

/// One row of the table of reasons.
#[derive(Debug, PartialEq, Eq)]
pub struct SkipRow {
    /// The reason.
    pub skip: Skip,
    /// Its name in summaries: `ignored`.
    pub name: &'static str,
    /// The skipped items, in one line.
    pub about: &'static str,
    /// Why they are skipped, and how to include them.
    pub help: Help,
}

/// Defines [`Skip`], its names and its table from the rows.
macro_rules! skips {
    ($($skip:ident: $name:literal, $about:literal, $help:expr;)+) => {
        /// The reason for skipping something. Reasons are in the order of their names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Skip {
            $(#[doc = concat!($about, ".")] $skip,)+
            /// The content of a message, or a candidate, about which there is a note of this kind.
            Note(NoteKind),
            /// A link whose probe result has this class.
            Class(Class),
        }

        /// All reasons that are neither a note nor a class of probe results: about directory
        /// walks, archives, messages, then links. `linktrawl explain` prints them in this order.
        pub static SKIPS: &[SkipRow] =
            &[$(SkipRow { skip: Skip::$skip, name: $name, about: $about, help: $help }),+];

        impl Skip {
            /// Returns the reason's name in summaries.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$skip => $name,)+
                    Self::Note(kind) => kind.name(),
                    Self::Class(class) => class.row().name,
                }
            }
        }
    };
}

impl Ord for Skip {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for Skip {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

skips! {
    Hidden: "hidden", "a name that begins with a dot", help(
        "Such files are a program's own, mostly, and no text that people write.",
        "Give --hidden to read them, or name one by its path.",
    );
    Ignored: "ignored", "named by an ignore file", help(
        "A .gitignore of a checkout or a .linktrawlignore says that it is not wanted.",
        "Give --no-ignore to read it, or name it by its path.",
    );
    Symlink: "symlink", "a symbolic link", help(
        "What it leads to is read where it stands, if it stands below what was given; links can \
         lead in circles.",
        "Name the link by its path, which is then followed.",
    );
    Special: "special", "a device, a pipe or a socket", help(
        "To open one may wait for ever, or do something.",
        "Name a pipe by its path, or give it as standard input.",
    );
    HardLink: "hard-link", "another name of a file that was read", help(
        "A file with several names is read once, so that its links are not reported twice; a \
         document that its name tells is read under each, since its links start from where it \
         stands.",
        "Nothing has to be done.",
    );
    OwnOutput: "own-output", "a file that this run writes a report to", help(
        "A report that is read while it is written never ends.",
        "Nothing has to be done; write reports elsewhere to have the old one read.",
    );
    InDelivery: "in-delivery", "a file in the tmp of a Maildir", help(
        "A mail that is being delivered is not whole; it moves to new when it is.",
        "Run again later, or name the file by its path.",
    );
    ControlFile: "control-file", "a file that a mail program keeps beside messages", help(
        "Sequences and indices hold no message.",
        "Name the file by its path to have it read as text.",
    );
    Deleted: "deleted", "a message that MH has deleted", help(
        "Its name begins with a comma: it is there until somebody tidies up.",
        "Name the file by its path to have it read.",
    );
    Packed: "packed", "packed in a way that is not read", help(
        "7z, rar, brotli and members of zip in rare methods have no reader here.",
        "Unpack it and give what comes out.",
    );
    PartPacked: "part-packed", "text that a file keeps packed or coded", help(
        "PDF, Word, databases and stores of mail have no reader here; what stands there was read.",
        "Save it as text or HTML, or a message as .eml, and give that.",
    );
    Encrypted: "encrypted", "an encrypted member of an archive", help(
        "Nobody but who has the password can read it.",
        "Unpack it with its password and give what comes out.",
    );
    Directory: "directory", "a directory in an archive", help(
        "It holds nothing by itself; its files are members of their own.",
        "Nothing has to be done.",
    );
    WarcRecord: "warc-record", "a record of WARC or ARC that holds no answer", help(
        "Requests, metadata and information on the crawl are no pages.",
        "Nothing has to be done.",
    );
    NotText: "not-text", "a body that is a picture, sound or a font", help(
        "It holds no text that people read.",
        "Nothing has to be done.",
    );
    Attachment: "attachment", "a part of a message that is no text", help(
        "Images, sound, programs and office files are passed by.",
        "Save the part as a file and give that where it is text after all.",
    );
    Uuencode: "uuencode", "a part or a block in uuencode", help(
        "It is mostly a file that is no text, and is not decoded.",
        "Decode it with uudecode and give what comes out.",
    );
    Yenc: "yenc", "a block in yEnc", help(
        "It is a file that is mostly no text, and is not decoded.",
        "Decode it with a reader of news and give what comes out.",
    );
    Armour: "armour", "a block in the armour of PGP", help(
        "Encrypted, or a key or a signature: there is nothing to read in it.",
        "Decrypt it and give what comes out.",
    );
    TraceField: "trace-field",
        "what looks like a URI in a field that names machines on the way", help(
        "Received, Message-ID and their kin hold no links to go to.",
        "Nothing has to be done.",
    );
    FieldComment: "field-comment", "what looks like a URI in a remark of a header field", help(
        "In the fields of lists, links stand in angle brackets; all else is a remark (RFC 2369 \
         §2).",
        "Nothing has to be done.",
    );
    Twin: "twin", "the same link in another alternative of a message", help(
        "A letter is sent as text and as HTML: its links are the same and reported once (RFC \
         2046 §5.1.4).",
        "Nothing has to be done; records tell the other places as twins.",
    );
    AlternativeUnpaired: "alternative-unpaired",
        "an alternative of a message whose links were not compared", help(
        "It is too long for that, so that its links are reported where they stand in each form.",
        "Nothing is lost. --unique reports each link once.",
    );
    OtherCue: "other-cue", "a candidate whose cue was not asked for", help(
        "The option --find names where to look.",
        "Add the cue to --find.",
    );
    Filtered: "filtered", "a link that --include or --exclude leaves out", help(
        "It was found and not reported, as was asked.",
        "Change the patterns to see it.",
    );
    IgnoredByComment: "ignored-by-comment",
        "a link that a comment in its document has ignored", help(
        "The document says linktrawl-ignore around it or above it.",
        "Take the comment out to see the link.",
    );
    Template: "template", "a link that a template or a program fills in", help(
        "{{…}}, ${…} and the like are no address until the page is built, nor are %s, %d and \
         %(name)s, which programs fill in, except in mail.",
        "Check the pages that are built, or what the program prints.",
    );
    Disarmed: "disarmed", "an address that somebody disarmed", help(
        "Who warns of a host writes it as h[.]example, h(dot)example or h[:]80, so that nobody \
         follows it; what stands before the bracket may be the name of another host.",
        "Nothing has to be done: it is no link.",
    );
    Relative: "relative", "a relative link of which nothing says where it starts", help(
        "In HTML of a message `base` tells it, or Content-Location in a header around; nothing \
         does in headers that WARC holds.",
        "Nothing has to be done: nobody who reads the message can follow it either.",
    );
    Known: "known", "trouble that a baseline lists", help(
        "The file of --baseline has it with the same reason. Only what is new fails.",
        "Mend it when there is time; --update-baseline takes it out of the list then.",
    );
    Unchanged: "unchanged", "a link on a line that has not changed", help(
        "The option --since names a revision; only what has changed since then is looked at.",
        "Leave --since out to see all links.",
    );
    Repeated: "repeated", "a link that was reported before", help(
        "The option --unique reports each different one where it stands first.",
        "Leave --unique out to see all places.",
    );
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{CLASSES, NOTES};
    use super::{SKIPS, Skip};

    /// The order of reasons, and the keys of a summary, would mix up two of one name.
    #[test]
    fn no_two_reasons_have_one_name() {
        let notes = NOTES.iter().map(|row| Skip::Note(row.kind));
        let classes = CLASSES.iter().map(|row| Skip::Class(row.class));
        let all: Vec<_> = SKIPS.iter().map(|row| row.skip).chain(notes).chain(classes).collect();
        let names: BTreeSet<_> = all.iter().map(|skip| skip.name()).collect();
        assert_eq!(names.len(), all.len());
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        assert!(SKIPS.iter().all(|row| row.skip.name() == row.name));
    }
}
