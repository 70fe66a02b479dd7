//! Recognises files that contain mail, though they are read as text or not distinguished from other
//! files: strangers wrote it, and its links are restricted as those of mail are.
//!
//! They are stores whose messages are not separated here, and the indexes that programs keep beside
//! messages. A walk skips some of these (`walk::spools`), and so does the reader of archives; the
//! user may name one.

use memchr::memmem;

use super::postal::is_in_delivery;
use crate::finding::Skip;
use crate::source::container::archive::exim;
use crate::source::markup::{self, Markup};

/// First bytes of boxes of Rmail.
pub(in crate::source) const RMAIL: &[u8] = b"BABYL OPTIONS:";
/// First bytes of boxes of the server of the University of Washington.
pub(in crate::source) const MBX: &[u8] = b"*mbx*\r\n";
/// First bytes of TNEF, the format of `winmail.dat` (MS-OXTNEF §2.1.3.1).
pub(in crate::source) const TNEF: &[u8] = b"\x78\x9F\x3E\x22";

/// First bytes of Mork as Mozilla writes it: summaries of mailboxes, and address books.
pub(in crate::source) const MORK: &[u8] = b"// <!-- <mdb:mork:z v=";

/// First parts of the names of Dovecot's files that repeat or number messages, in every layout of
/// its stores. Its hand-written files have other names.
const OF_DOVECOT: [&[u8]; 7] = [
    b"dovecot-keywords",
    b"dovecot-uidlist",
    b"dovecot-uidvalidity",
    b"dovecot.index",
    b"dovecot.list.index",
    b"dovecot.mailbox.log",
    b"dovecot.map.index",
];

/// Files in which Cyrus repeats header fields of messages, or numbers messages, beside them.
const OF_CYRUS: [&[u8]; 6] = [
    b"cyrus.annotations",
    b"cyrus.cache",
    b"cyrus.expunge",
    b"cyrus.header",
    b"cyrus.index",
    b"cyrus.squat",
];

/// Suffixes of stores whose messages are not separated: of Outlook for Mac, Pegasus Mail and The
/// Bat.
const OF_STORES: [&[u8]; 4] = [b"olk14msgsource", b"olk15msgsource", b"pmm", b"tbb"];

/// First bytes of stores of mail, and of files of Thunderbird.
const OF_MAIL: [&[u8]; 4] = [RMAIL, MBX, TNEF, MORK];

/// First bytes of messages of Outlook and documents of Word (MS-CFB §2.2).
pub(in crate::source) const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// First part of the names of the streams in a message, in UTF-16 (MS-OXMSG §2.1.3).
const OF_MESSAGE: &[u8] = b"_\0_\0s\0u\0b\0s\0t\0g\x001\0.\x000\0_\0";
/// Suffixes of messages of Outlook.
const SUFFIXES: [&[u8]; 2] = [b".msg", b".oft"];

/// Reports whether a file that begins with `head` and is called `name` contains mail.
pub(in crate::source) fn holds_mail(head: &[u8], name: &[u8]) -> bool {
    // The body of a message, whose header is in another file.
    if exim::is_body(head) {
        return true;
    }
    let name = markup::without_packing(name);
    let file = file_name(name);
    let suffix = memchr::memrchr(b'.', file).and_then(|dot| file.get(dot + 1..));
    if suffix.is_some_and(|suffix| OF_STORES.iter().any(|it| suffix.eq_ignore_ascii_case(it))) {
        return true;
    }
    if OF_MAIL.iter().any(|magic| head.starts_with(magic)) || is_of_server(file) {
        return true;
    }
    let ending = file.len().checked_sub(4).and_then(|at| file.get(at..)).unwrap_or_default();
    let is_called_so = || SUFFIXES.iter().any(|suffix| ending.eq_ignore_ascii_case(suffix));
    head.starts_with(COMPOUND) && (is_called_so() || memmem::find(head, OF_MESSAGE).is_some())
}

/// The file of an MH folder that lists numbers of messages.
pub(in crate::source) const SEQUENCES: &[u8] = b".mh_sequences";

/// Returns the reason to skip `member` of an archive because of its name: mail programs keep such
/// files for themselves, and a walk skips them.
pub(in crate::source) fn skips_member(member: &[u8]) -> Option<Skip> {
    let file = file_name(member);
    (is_of_server(file) || file == SEQUENCES).then_some(Skip::ControlFile)
}

/// Returns the reason to skip `member` of an archive if it is a message. A walk looks at the files
/// beside it, too; but parts of an archive are read by themselves, so that the other members are
/// not known.
pub(in crate::source) fn skips_message(member: &[u8]) -> Option<Skip> {
    if is_deleted(file_name(member)) {
        return Some(Skip::Deleted);
    }
    is_in_delivery(member).then_some(Skip::InDelivery)
}

/// Reports whether `name` is one that MH gives to deleted messages.
pub(in crate::source) fn is_deleted(name: &[u8]) -> bool {
    matches!(name, [b',' | b'#', number @ ..] if is_number(number))
}

/// Reports whether `name` is one that MH gives to messages.
pub(in crate::source) fn is_number(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// Reports whether `name` is that of a file that Dovecot or Cyrus keeps beside messages.
pub(in crate::source) fn is_of_server(name: &[u8]) -> bool {
    OF_CYRUS.contains(&name) || is_of_dovecot(name)
}

fn is_of_dovecot(name: &[u8]) -> bool {
    let rest = OF_DOVECOT.iter().find_map(|start| name.strip_prefix(*start));
    matches!(rest, Some([] | [b'.', ..])) && Markup::by_name(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::{COMPOUND, OF_MESSAGE, holds_mail, skips_member, skips_message};
    use crate::finding::Skip;

    #[track_caller]
    fn case(head: &[u8], name: &[u8], expected: bool) {
        assert_eq!(
            holds_mail(head, name),
            expected,
            "{} {}",
            head.escape_ascii(),
            name.escape_ascii()
        );
    }

    #[test]
    fn stores_of_mail_are_told_by_their_first_bytes_or_by_what_they_are_called() {
        case(b"BABYL OPTIONS: -*- rmail -*-\n", b"RMAIL", true);
        case(b"*mbx*\r\n5f1c", b"-", true);
        case(b"\x78\x9F\x3E\x22\x01\0", b"winmail.dat", true);
        case(b"// <!-- <mdb:mork:z v=\"1.4\"/> -->", b"Inbox.msf", true);
        case(b"\x01\x05", b"a/dovecot.index.cache", true);
        case(b"\x01\x05", b"dovecot-uidlist.gz", true);
        case(b"\0\0\0\x01From: a", b"user/cyrus.cache", true);
        case(b"\0\0\0\x01", b"cyrus.index.gz", true);
        case(b"see", b"cyrus.conf", false);
        case(b"see", b"cyrus.cache.md", false);
        case(b"MSrc", b"a/1.olk14MsgSource", true);
        case(b"a", b"Mail/PMM.PMM", true);
        case(b"a", b"box.tbb.gz", true);
        case(b"a", b"tbb", false);
        case(COMPOUND, b"a/b.MSG", true);
        case(COMPOUND, b"a/b.msg.gz", true);
        case(&[COMPOUND, b"\0\0", OF_MESSAGE].concat(), b"b", true);
        case(COMPOUND, b"a.doc", false);
        case(b"1abcDE-0001Fg-2H-D\nsee", b"a", true);
        case(b"see 1abcDE-0001Fg-2H-D\n", b"a", false);
        case(b"see", b"a.msg", false);
        case(b"see", b"dovecot.conf", false);
        case(b"see", b"dovecot.index/a", false);
        case(b"see BABYL OPTIONS:", b"a", false);
        case(b"", b"", false);
    }
    #[test]
    fn members_are_skipped_for_names_that_mail_programs_give() {
        for (member, expected) in [
            (&b"inbox/.mh_sequences"[..], Some(Skip::ControlFile)),
            (b"dovecot-uidlist", Some(Skip::ControlFile)),
            (b"inbox/a.mh_sequences", None),
            (b"inbox/,1", None),
        ] {
            assert_eq!(skips_member(member), expected, "{}", member.escape_ascii());
        }
        for (member, expected) in [
            (&b"Mail/tmp/1038592800.M20046P2137.host"[..], Some(Skip::InDelivery)),
            (b"tmp/1038592800.2137_0.host.example", Some(Skip::InDelivery)),
            (b"tmp/a:2,S", Some(Skip::InDelivery)),
            (b"Mail/new/1038592800.M20046P2137.host", None),
            (b"tmp/a.eml", None),
            (b"inbox/,12", Some(Skip::Deleted)),
            (b"#3", Some(Skip::Deleted)),
            (b"#3#", None),
            (b"inbox/,", None),
            (b"inbox/1", None),
        ] {
            assert_eq!(skips_message(member), expected, "{}", member.escape_ascii());
        }
    }
}
