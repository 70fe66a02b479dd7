//! Lists the reasons why `fix` leaves a link unchanged: the names that it counts by.

use super::help::{Help, help};

/// The reason why a link stays unchanged, although its replacement is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    /// It is in mail or news, which record what was sent.
    Mail,
    /// It is in an archive.
    Packed,
    /// It is in text that was decoded or unpacked, or extends over several lines: its bytes are not
    /// one run of the file.
    Scattered,
    /// It is in standard input, which cannot be rewritten.
    Stdin,
    /// It contains a password, or is near one that a diff would show.
    Password,
    /// Another fix changes the same bytes.
    Overlap,
    /// A scan of the fixed text did not find the intended link.
    Unread,
    /// Its file is outside of the directories that may be changed.
    Outside,
    /// The replacement is only a guess: a file of this name elsewhere may be another one; a text
    /// without an escape may be code or a placeholder, and no link; a permanent redirect may lead
    /// to a login, a session, an error or the home page; a relative link that is dead may be one to
    /// a page of the same site that was renamed.
    Uncertain,
    /// A gateway's URL wraps it.
    Wrapped,
}

/// One row of the table of reasons.
pub struct LeftRow {
    /// The reason.
    pub left: Left,
    /// Its name in counts.
    pub name: &'static str,
    /// Its meaning, in one line.
    pub about: &'static str,
    /// Why it matters, and what to do about it.
    pub help: Help,
}

const fn row(left: Left, name: &'static str, about: &'static str, help: Help) -> LeftRow {
    LeftRow { left, name, about, help }
}

/// All reasons, in the order of [`Left`].
#[rustfmt::skip]
pub static LEFTS: &[LeftRow] = {
    use Left::*;
    &[
    row(Mail, "mail", "it is in mail or news", help(
        "A message records what was sent; signatures and replies depend on its bytes.",
        "Nothing has to be done, or fix the source that the message was made from.",
    )),
    row(Packed, "packed", "it is in an archive", help(
        "Archives are not rewritten: their checksums and dates are part of them.",
        "Unpack it, fix the result, and pack that.",
    )),
    row(Scattered, "scattered", "its bytes are not contiguous in the file", help(
        "It extends over several lines, or its text was decoded, as UTF-16 is.",
        "Fix it by hand at the place that `linktrawl check` reports.",
    )),
    row(Stdin, "stdin", "it is in standard input", help(
        "Standard input cannot be rewritten.",
        "Give the file by its path.",
    )),
    row(Password, "password", "it contains a password, or is beside one", help(
        "Reports have asterisks there, which must not get into a file, and a diff of its lines \
         would show the password.",
        "Fix it by hand, and consider whether the password should be there.",
    )),
    row(Overlap, "overlap", "another fix changes the same bytes", help(
        "One link can contain another. If both need a fix, only the first is applied.",
        "Run `linktrawl fix` again when the other fix is written.",
    )),
    row(Unread, "unread", "a scan of the fixed text did not find the intended link", help(
        "Brackets, quotes or markup around it would change the link.",
        "Fix it by hand at the place that `linktrawl check` reports.",
    )),
    row(Outside, "outside", "its file is outside of the directories that may be changed", help(
        "A saved run may come from a stranger and can name any file.",
        "Give the directory of the file as PATH, or run in it.",
    )),
    row(Uncertain, "uncertain", "the replacement is only a guess", help(
        "A file of the same name elsewhere may be another one, a text without an escape may be \
         code or a placeholder, and no link, and a permanent redirect may lead to a login, a \
         session, an error or the home page. A relative link that is dead may be one to a page of \
         the same site that was renamed, and a link with a fault may be another one.",
        "Decide by hand: `linktrawl check` reports the place and similar names.",
    )),
    row(Wrapped, "wrapped", "the URL of a gateway wraps it", help(
        "The text of the file is the URL that a mail gateway or a social network made of the link, \
         and it may have a token.",
        "Write the target or its copy by hand, in place of the whole URL.",
    )),
    ]
};

impl Left {
    /// Returns the reason's name, for counts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        // The table is in the order of the reasons, as a test verifies.
        LEFTS[self as usize].name
    }
}

#[cfg(test)]
mod tests {
    use super::{LEFTS, Left};

    #[test]
    fn the_table_is_in_the_order_of_the_reasons() {
        for (idx, row) in LEFTS.iter().enumerate() {
            assert_eq!((row.left as usize, row.left.name()), (idx, row.name));
        }
        assert_eq!(LEFTS.len(), Left::Wrapped as usize + 1);
    }
}
