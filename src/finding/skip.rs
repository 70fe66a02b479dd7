//! Lists the reasons for skipping something: the names that a summary counts by.
//!
//! Notes and links without a probe are skips, too, under the names in the tables of notes and of
//! classes.

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
        "Most such files belong to a program and hold no text that people wrote.",
        "Give --hidden to read them, or name one by its path.",
    );
    Ignored: "ignored", "named by an ignore file", help(
        "A .gitignore of a checkout or a .linktrawlignore excludes it.",
        "Give --no-ignore to read it, or name it by its path.",
    );
    Symlink: "symlink", "a symbolic link", help(
        "Its target is read at its own path, if that is below a given directory; links can form \
         cycles.",
        "Name the link by its path to follow it.",
    );
    Special: "special", "a device, a pipe or a socket", help(
        "Opening one may block for ever, or have a side effect.",
        "Name a pipe by its path, or give it as standard input.",
    );
    HardLink: "hard-link", "another name of a file that was read", help(
        "A file with several hard links is read once, so that its links are not reported twice. \
         A document recognised by its name is read under each name, since its relative links are \
         resolved against its path.",
        "Nothing has to be done.",
    );
    OwnOutput: "own-output", "a file that this run writes a report to", help(
        "A report that is read while it is written never ends.",
        "Nothing has to be done; to read an old report, write the new one elsewhere.",
    );
    InDelivery: "in-delivery", "a file in the tmp of a Maildir", help(
        "A message that is being delivered is incomplete; the mail program moves it to new \
         afterwards.",
        "Run again later, or name the file by its path; unpack an archive first.",
    );
    ControlFile: "control-file", "a mail program's own file beside messages", help(
        "Sequences and indices hold no message.",
        "Name the file by its path to read it as text; unpack an archive first.",
    );
    Deleted: "deleted", "a message that MH has deleted", help(
        "A name that begins with a comma marks a deleted message, which stays until it is purged.",
        "Name the file by its path to read it; unpack an archive first.",
    );
    Packed: "packed", "an unsupported packed format", help(
        "There is no decoder for 7z, rar, brotli and rare methods of zip.",
        "Unpack it and scan the result.",
    );
    PartPacked: "part-packed", "packed or encoded text inside a file", help(
        "There is no decoder for PDF, Word, databases and mail stores, nor for the bodies in \
         base64 of an HTTP archive (HAR); only their plain bytes were scanned.",
        "Save it as text or HTML, or a message as .eml, and scan that.",
    );
    Encrypted: "encrypted", "an encrypted member of an archive", help(
        "It cannot be read without its password.",
        "Unpack it with its password and scan the result.",
    );
    Directory: "directory", "a directory in an archive", help(
        "A directory has no content; its files are members of their own.",
        "Nothing has to be done.",
    );
    WarcRecord: "warc-record", "a record of WARC or ARC that is no response", help(
        "Requests, metadata and information on the crawl are no pages.",
        "Nothing has to be done.",
    );
    NotText: "not-text", "a body that is a picture, sound or a font", help(
        "It holds no text that people read.",
        "Nothing has to be done.",
    );
    Attachment: "attachment", "a part of a message that is no text", help(
        "Images, sound, programs and office files are not scanned.",
        "If the part is text, save it as a file and scan that.",
    );
    Uuencode: "uuencode", "a part or a block in uuencode", help(
        "Most such blocks are binary files; they are not decoded.",
        "Decode it with uudecode and scan the result.",
    );
    Yenc: "yenc", "a block in yEnc", help(
        "Most such blocks are binary files; they are not decoded.",
        "Decode it with a news reader and scan the result.",
    );
    Armour: "armour", "a block in the armour of PGP", help(
        "The block is encrypted text, a key or a signature, and holds no readable text.",
        "Decrypt it and scan the result.",
    );
    TraceField: "trace-field",
        "an apparent URI in a trace field", help(
        "Received, Message-ID and similar fields identify hosts and messages; they hold no links.",
        "Nothing has to be done.",
    );
    FieldComment: "field-comment", "an apparent URI in a comment of a header field", help(
        "In the fields of mailing lists, links are in angle brackets; the rest is a comment (RFC \
         2369 §2).",
        "Nothing has to be done.",
    );
    Twin: "twin", "the same link in another alternative of a message", help(
        "A message contains the same content as text and as HTML; each link is reported once (RFC \
         2046 §5.1.4).",
        "Nothing has to be done; records list the other places as twins.",
    );
    AlternativeUnpaired: "alternative-unpaired",
        "an alternative of a message whose links were not compared", help(
        "It is too long for the comparison, so its links are reported in each form.",
        "Nothing is lost. --unique reports each link once.",
    );
    OtherCue: "other-cue", "a candidate whose cue was not requested", help(
        "The option --find selects the cues.",
        "Add the cue to --find.",
    );
    Filtered: "filtered", "a link that --include or --exclude filters out", help(
        "It was found, and the patterns exclude it from the report.",
        "Change the patterns to report it.",
    );
    IgnoredByComment: "ignored-by-comment",
        "a link that a comment in its document ignores", help(
        "The document has a linktrawl-ignore comment around it or above it.",
        "Remove the comment to report the link.",
    );
    Template: "template", "a link with a placeholder of a template or a program", help(
        "{{…}}, ${…} and the like are no address until the page is built, nor are %s, %d and \
         %(name)s, which programs replace, except in mail.",
        "Check the built pages, or the program's output.",
    );
    Disarmed: "disarmed", "a defanged address", help(
        "Warnings write a dangerous host as h[.]example, h(dot)example or h[:]80, so that readers \
         cannot follow it. The text before the bracket may be the name of another host.",
        "Nothing has to be done: it is no link.",
    );
    Relative: "relative", "a relative link without a base URI", help(
        "In HTML of a message, `base` or an enclosing Content-Location declares the base URI; \
         header fields in a WARC record have none.",
        "Nothing has to be done: readers of the message cannot follow it either.",
    );
    Known: "known", "a problem that a baseline lists", help(
        "The file of --baseline lists it with the same reason. Only new problems fail the run.",
        "Fix it when there is time; --update-baseline then removes it from the list.",
    );
    Unchanged: "unchanged", "a link on a line that has not changed", help(
        "The option --since names a revision; only lines that changed since then are reported.",
        "Omit --since to report all links.",
    );
    Repeated: "repeated", "a link that was reported before", help(
        "The option --unique reports each distinct link at its first place only.",
        "Omit --unique to report all places.",
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
