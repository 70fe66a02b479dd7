//! Detects the kind of an input from its first bytes; the name decides only where these do not
//! distinguish a document from other text.

mod hints;
pub(super) mod news;
pub(super) mod postal;
pub(super) mod stores;

pub(super) use hints::Hints;

use super::container::archive::{ar, cpio, dbox, exim, postfix, rpm, tar};
use super::container::compress;
use super::container::web::{arc, warc};
use super::kind::{Content, Packing};
use super::limits::SNIFF_LEN_MAX;
use super::mail::boxes::Style;
use super::mail::charset;
use super::mail::mailbox;
use super::markup::Markup;
use crate::span::BYTE_ORDER_MARK;

/// First bytes of packed formats: RFC 1952 §2.3.1, RFC 8878 §3.1.1, and the formats' own
/// specifications.
const MAGIC: &[(&[u8], Packing)] = &[
    (b"\x1F\x8B\x08", Packing::Gzip),
    (b"\xFD7zXZ\0", Packing::Xz),
    (b"\x28\xB5\x2F\xFD", Packing::Zstd),
    (b"\x04\x22\x4D\x18", Packing::Lz4),
    (b"\x02\x21\x4C\x18", Packing::Lz4Legacy),
    (b"LZIP\x01", Packing::Lzip),
    (b"LZIP\0", Packing::Lzip),
    (b"PK\x03\x04", Packing::Zip),
    (b"PK\x05\x06", Packing::Zip),
    // An archive that was to be in parts and has one (APPNOTE §8.5.3, §8.5.4).
    (b"PK00PK\x03\x04", Packing::Zip),
    (b"PK\x07\x08PK\x03\x04", Packing::Zip),
    (ar::MAGIC, Packing::Ar),
    (rpm::MAGIC, Packing::Rpm),
    (b"WARC/1.", Packing::Warc),
    (b"WARC/0.", Packing::Warc),
    (b"7z\xBC\xAF\x27\x1C", Packing::Unread("7z")),
    (b"Rar!\x1A\x07", Packing::Unread("rar")),
    (b"MSCF\0\0\0\0", Packing::Unread("cab")),
    (b"\x89LZO\0\r\n\x1A\n", Packing::Unread("lzop")),
    (b"RZIP\x02", Packing::Unread("rzip")),
    (b"LRZI", Packing::Unread("lrzip")),
    (b"xar!", Packing::Unread("xar")),
    (b"hsqs", Packing::Unread("squashfs")),
    // Compiled help, and folders of Outlook, Outlook Express and Lotus Notes.
    (b"ITSF\x03\0\0\0", Packing::Unread("chm")),
    (b"!BDN", Packing::Unread("pst")),
    (b"\xCF\xAD\x12\xFE", Packing::Unread("dbx")),
    (b"\x1A\0\0\x04\0\0", Packing::Unread("nsf")),
    // Sessions kept by browsers, messages kept by Dovecot, frames of Snappy, and books for readers
    // of Sony and others.
    (b"mozLz40\0", Packing::Unread("mozlz4")),
    (b"Dovecot-LZ4\r*\x9B\xC5", Packing::Unread("dovecot lz4")),
    (b"\xFF\x06\0\0sNaPpY", Packing::Unread("snappy")),
    (b"L\0R\0F\0", Packing::Unread("lrf")),
    (b"SNBP000B", Packing::Unread("snb")),
    (b"!!8-Bit!!", Packing::Unread("tcr")),
    // Columns of tables, and dumps of Redis, in which texts touch each other.
    (b"PAR1\x15", Packing::Unread("parquet")),
    (b"FEA1\0\0\0\0", Packing::Unread("arrow")),
    (b"ARROW1\0\0", Packing::Unread("arrow")),
    (b"REDIS00", Packing::Unread("redis")),
    // Objects of git, with their version (gitformat-pack, gitformat-bundle).
    (b"PACK\0\0\0\x02", Packing::Unread("git pack")),
    (b"PACK\0\0\0\x03", Packing::Unread("git pack")),
    (b"# v2 git bundle\n", Packing::Unread("git bundle")),
    (b"# v3 git bundle\n", Packing::Unread("git bundle")),
];

/// First bytes of files that are packed or encoded in parts, in ways that are not supported: PDF;
/// files of Word and Outlook; dumps of PostgreSQL; databases of SQLite and binary property lists of
/// Apple, in which texts touch each other; boxes of Rmail and of the server of the University of
/// Washington, whose messages are not separated; and TNEF.
const IN_PART: [&[u8]; 8] = [
    b"%PDF-",
    b"PGDMP",
    stores::TNEF,
    stores::COMPOUND,
    stores::RMAIL,
    stores::MBX,
    b"SQLite format 3\0",
    b"bplist00",
];

/// First bytes, after names and dates, of books for Palm and Kindle, and their offset.
const BOOKS: [&[u8]; 2] = [b"BOOKMOBI", b"TEXtREAd"];
const BOOKS_AT: usize = 60;

/// Reports whether only the uncompressed text of a file that begins with `head` can be read.
#[must_use]
pub(super) fn is_part_packed(head: &[u8]) -> bool {
    let book = head.get(BOOKS_AT..).unwrap_or_default();
    IN_PART.iter().any(|magic| head.starts_with(magic))
        || BOOKS.iter().any(|magic| book.starts_with(magic))
}

/// First bytes of programs and scripts, which may be followed by a zip archive that they unpack,
/// and of extensions of Chrome.
const AHEAD_OF_ZIP: [&[u8]; 4] = [b"MZ", b"\x7FELF", b"#!", b"Cr24"];

/// Reports whether a file that begins with `head` and is called `name` may end as a zip archive
/// does, though it does not begin as one.
#[must_use]
pub(super) fn may_end_in_zip(head: &[u8], name: &[u8]) -> bool {
    AHEAD_OF_ZIP.iter().any(|magic| head.starts_with(magic)) || is_called_zip(name)
}

/// Reports whether `name` ends in `.zip`, in any case.
#[must_use]
pub(super) fn is_called_zip(name: &[u8]) -> bool {
    let ending = name.len().checked_sub(b".zip".len()).and_then(|at| name.get(at..));
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case(b".zip"))
}

/// Returns the content of an input that begins with `head` and is called `name`.
#[must_use]
pub(super) fn content(head: &[u8], name: &[u8]) -> Content {
    let head = head.get(..head.len().min(SNIFF_LEN_MAX)).unwrap_or_default();
    if let Some(packing) = packing(head).or_else(|| after_junk(head, name)) {
        return Content::Packed(packing);
    }
    if let Some(encoding) = charset::sniff(head) {
        return Content::Wide(encoding);
    }
    if let Some(style) = Style::of_box(head) {
        return Content::Box(style);
    }
    let after_garbage = || Style::of_box_after_garbage(head).map(Content::Box);
    let is_document = || {
        let markup = Markup::by_name(name);
        markup.is_some_and(Markup::begins_with_fields) && !mailbox::was_sent(head)
    };
    if mailbox::is_message(head) && !is_document() {
        return after_garbage().unwrap_or(Content::Message);
    }
    // Documents about mail show messages.
    let markup = Markup::of(head, name);
    markup.map(Content::Document).or_else(after_garbage).unwrap_or(Content::Text)
}

/// Returns the format of a web archive that begins with something else: with blanks, NUL bytes or a
/// byte order mark, or with any bytes if its name is that of a web archive.
fn after_junk(head: &[u8], name: &[u8]) -> Option<Packing> {
    let is_blank = |byte: &&u8| matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n');
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let text = text.get(text.iter().take_while(is_blank).count()..).unwrap_or_default();
    if warc::begins_record(text) || warc::is_name(name) && warc::has_record(head) {
        return Some(Packing::Warc);
    }
    let has_member = || {
        memchr::memmem::find_iter(head, b"\x1F\x8B\x08")
            .any(|at| head.get(at..).is_some_and(compress::is_member))
    };
    (warc::is_name(name) && has_member()).then_some(Packing::Gzip)
}

fn packing(head: &[u8]) -> Option<Packing> {
    if let Some((_, packing)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(*packing);
    }
    if is_bzip2(head) {
        return Some(Packing::Bzip2);
    }
    if head.starts_with(b"\x1F\x9D") {
        let is_read = is_compress(head);
        return Some(if is_read { Packing::Compress } else { Packing::Unread("compress") });
    }
    if news::unpacker_line(head).is_some() {
        return Some(Packing::Batch);
    }
    if is_lzma(head) {
        return Some(Packing::Lzma);
    }
    if cpio::is_header(head) {
        return Some(Packing::Cpio);
    }
    if dbox::is_dbox(head) {
        return Some(Packing::Dbox);
    }
    if exim::is_header(head) {
        return Some(Packing::Exim);
    }
    if postfix::is_queued(head) {
        return Some(Packing::Postfix);
    }
    if arc::is_header(head) {
        return Some(Packing::Arc);
    }
    if is_lha(head) {
        return Some(Packing::Unread("lha"));
    }
    if is_arj(head) {
        return Some(Packing::Unread("arj"));
    }
    if is_torrent(head) {
        return Some(Packing::Unread("torrent"));
    }
    if is_zlib(head) {
        return Some(Packing::Zlib);
    }
    // In the output of `pzstd`, skippable frames precede the others (RFC 8878 §3.1.2). Those of LZ4
    // are the same, and the next frame distinguishes the two formats (`compress`).
    if matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]) {
        return Some(Packing::Zstd);
    }
    head.first_chunk().is_some_and(tar::is_header).then_some(Packing::Tar)
}

/// Reports whether `head` is a header of bzip2: `BZh`, the block size in 100 kB, and the first
/// digits of pi, or of its square root for an empty file. The first three bytes alone could begin a
/// word.
fn is_bzip2(head: &[u8]) -> bool {
    let block = head.get(4..10).unwrap_or_default();
    head.starts_with(b"BZh")
        && matches!(head.get(3), Some(b'1'..=b'9'))
        && matches!(block, b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90")
}

/// Reports whether `head` is a readable header of `compress`: two bytes, and the longest code in
/// bits, with a flag and two bits that are not used.
fn is_compress(head: &[u8]) -> bool {
    let is_width = |flags: u8| flags & 0x60 == 0 && (9..=16).contains(&(flags & 0x1F));
    matches!(head, [0x1F, 0x9D, flags, ..] if is_width(*flags))
}

/// Reports whether `head` is a header of `.lzma`, which has no magic number: the properties that
/// all programs write, a size of the dictionary that `xz` would accept (a power of two, or one and
/// a half times one), and an unpacked length, unknown or below 256 GiB.
fn is_lzma(head: &[u8]) -> bool {
    const PROPERTIES: u8 = 0x5D;
    const DICTIONARY_LEN_MIN: u32 = 4096;
    let [PROPERTIES, a, b, c, d, length @ .., _] = head.first_chunk::<14>().unwrap_or(&[0; 14])
    else {
        return false;
    };
    let len = u32::from_le_bytes([*a, *b, *c, *d]);
    let is_size = len.is_power_of_two() || len % 3 == 0 && (len / 3).is_power_of_two();
    let length = u64::from_le_bytes(*length);
    is_size && len >= DICTIONARY_LEN_MIN && (length == u64::MAX || length < 1 << 38)
}

/// Reports whether `head` is a dictionary of bencode whose first key is one of torrents (BEP 3, BEP
/// 12). A string follows its length, so that each string touches the length of the next.
fn is_torrent(head: &[u8]) -> bool {
    const KEYS: [&[u8]; 8] = [
        b"8:announce",
        b"13:announce-list",
        b"7:comment",
        b"10:created by",
        b"13:creation date",
        b"8:encoding",
        b"9:httpseeds",
        b"4:info",
    ];
    let after = |key: &&[u8]| head.strip_prefix(b"d")?.strip_prefix(*key);
    let value = KEYS.iter().find_map(after).unwrap_or_default();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match value {
        [b'i', b'0'..=b'9', ..] | [b'd' | b'l', b'0'..=b'9' | b'l', ..] => true,
        value => digits > 0 && value.get(digits) == Some(&b':'),
    }
}

/// Reports whether `head` is a header of zlib with a window of 32 kB and no dictionary (RFC 1950
/// §2.2), after which the bytes inflate to the end of `head` or of the stream. The header alone may
/// begin a text, `x^2`; more than a few bytes of text are no stream.
fn is_zlib(head: &[u8]) -> bool {
    /// A shorter beginning may be part of a stream by chance.
    const LEN_MIN: usize = 32;
    if !matches!(head, [0x78, 0x01 | 0x5E | 0x9C | 0xDA, ..]) {
        return false;
    }
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let is_long = head.len() >= LEN_MIN && !head.iter().all(is_plain);
    inflates(head, is_long)
}

/// Reports whether `head` inflates to its end, or to that of the stream; returns `is_long` where
/// that takes more bytes.
#[cfg(feature = "archives")]
fn inflates(head: &[u8], is_long: bool) -> bool {
    /// Inflated bytes that are enough to decide.
    const MADE_MAX: u64 = 64 * 1024;
    let (mut inflate, mut out) = (flate2::Decompress::new(true), [0; 4096]);
    loop {
        let (taken, made) = (inflate.total_in(), inflate.total_out());
        let rest = usize::try_from(taken).ok().and_then(|at| head.get(at..)).unwrap_or_default();
        match inflate.decompress(rest, &mut out, flate2::FlushDecompress::None) {
            Ok(flate2::Status::StreamEnd) => return true,
            Err(_) => return false,
            Ok(_) => {}
        }
        let is_done = (taken, made) == (inflate.total_in(), inflate.total_out());
        if is_done || inflate.total_out() >= MADE_MAX {
            return is_long;
        }
    }
}

/// Returns `is_long`, since there is no decoder.
#[cfg(not(feature = "archives"))]
const fn inflates(_: &[u8], is_long: bool) -> bool {
    is_long
}

/// Reports whether `head` is a header of ARJ: its mark, its length and that of its first part, and
/// the kind of an archive.
fn is_arj(head: &[u8]) -> bool {
    let [0x60, 0xEA, low, high, first, _, _, _, _, _, 2] = head.first_chunk().unwrap_or(&[0; 11])
    else {
        return false;
    };
    (30..=2600).contains(&u16::from_le_bytes([*low, *high])) && (30..=64).contains(first)
}

/// Reports whether `head` is a header of LHA: its length and checksum, the method, lengths, time
/// and attribute, and its level.
fn is_lha(head: &[u8]) -> bool {
    const LEVEL_MAX: u8 = 3;
    let is_method = matches!(head.get(2..7), Some([b'-', b'l', b'h' | b'z', _, b'-']));
    is_method && head.get(20).is_some_and(|level| *level <= LEVEL_MAX)
}

#[cfg(test)]
mod tests {
    use super::{Content, Packing, Style};
    use crate::source::markup::Markup;

    fn content(head: &[u8]) -> Content {
        super::content(head, b"")
    }

    #[test]
    fn what_is_read_in_part_is_told_by_the_first_bytes() {
        for (head, expected) in [
            (&b"%PDF-1.4\n"[..], true),
            (b"PGDMP\x01\x0E", true),
            (b"BABYL OPTIONS: -*- rmail -*-\n", true),
            (b"*mbx*\r\n5f1c", true),
            (b"\x78\x9F\x3E\x22\x01\0", true),
            (b"SQLite format 3\0\x10\0", true),
            (b"bplist00\xD1", true),
            (&[&[b'a'; 60][..], b"BOOKMOBI"].concat(), true),
            (&[&[b'a'; 61][..], b"BOOKMOBI"].concat(), false),
            (b"", false),
        ] {
            assert_eq!(super::is_part_packed(head), expected, "{}", head.escape_ascii());
        }
    }

    #[test]
    fn stores_that_are_not_read_are_told_by_the_first_bytes() {
        let dbx = b"\xCF\xAD\x12\xFE\xC5\xFD\x74\x6F";
        assert_eq!(content(dbx), Content::Packed(Packing::Unread("dbx")));
        let nsf = b"\x1A\0\0\x04\0\0\x29\0";
        assert_eq!(content(nsf), Content::Packed(Packing::Unread("nsf")));
        let pack = b"PACK\0\0\0\x02\0\0\0\x01";
        assert_eq!(content(pack), Content::Packed(Packing::Unread("git pack")));
        assert_eq!(content(b"PACK\0\0\0\x01\0\0\0\x01"), Content::Text);
        assert_eq!(content(b"PACK of cards"), Content::Text);
        let bundle = b"# v3 git bundle\n@object-format=sha1\n";
        assert_eq!(content(bundle), Content::Packed(Packing::Unread("git bundle")));
        assert_eq!(content(b"# v2 git bundle is how one begins"), Content::Text);
    }

    #[test]
    fn torrents_are_told_by_their_first_key() {
        let torrent = Content::Packed(Packing::Unread("torrent"));
        for (head, expected) in [
            (&b"d8:announce30:http://h.example:80/announce13:announce-list"[..], torrent),
            (b"d13:announce-listll23:udp://h.example:6969/aeee", torrent),
            (b"d13:creation datei1e4:infod6:lengthi1eee", torrent),
            (b"d4:infod6:lengthi1eee", torrent),
            (b"d8:announce is a key", Content::Text),
            (b"d4:info 1", Content::Text),
            (b"d3:cow3:mooe", Content::Text),
        ] {
            assert_eq!(content(head), expected, "{}", head.escape_ascii());
        }
    }

    #[cfg(feature = "archives")]
    #[test]
    fn zlib_is_told_from_text_that_begins_like_it() {
        use std::io::Write as _;
        let stream = |text: &[u8], level| {
            let level = flate2::Compression::new(level);
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(text).and_then(|()| encoder.finish()).unwrap_or_default()
        };
        let text: Vec<u8> =
            (0..4000_u32).flat_map(|it| (it * it).to_string().into_bytes()).collect();
        for (level, second) in [(0, 0x01), (1, 0x01), (3, 0x5E), (6, 0x9C), (9, 0xDA)] {
            let whole = stream(&text, level);
            assert_eq!(whole.get(..2), Some(&[0x78, second][..]), "{level}");
            for len in [32, 1000, whole.len()] {
                let head = whole.get(..len).unwrap_or(&whole);
                assert_eq!(content(head), Content::Packed(Packing::Zlib), "{level}, {len}");
            }
        }
        let short = stream(b"blob 0\0", 1);
        assert_eq!(content(&short), Content::Packed(Packing::Zlib));
        assert_eq!(content(&[&short[..], b"x"].concat()), Content::Packed(Packing::Zlib));
        for text in ["x^2", "x^2 + y^2 = z^2, see http://h.example/", "x\u{1}", "x^", "x"] {
            assert_eq!(content(text.as_bytes()), Content::Text, "{text}");
        }
    }

    #[test]
    fn content_is_told_by_the_first_bytes() {
        assert_eq!(content(b""), Content::Text);
        assert_eq!(content(b"\x1F\x8B\x08\0rest"), Content::Packed(Packing::Gzip));
        assert_eq!(content(b"BZh91AY&SYrest"), Content::Packed(Packing::Bzip2));
        assert_eq!(content(b"PK00PK\x03\x04"), Content::Packed(Packing::Zip));
        assert_eq!(content(b"PK00 is a model"), Content::Text);
        assert_eq!(content(b"!<arch>\nrest"), Content::Packed(Packing::Ar));
        assert_eq!(content(b"!<thin>\nrest"), Content::Text);
        let cpio = [b"070701".as_slice(), &[b'0'; 104]].concat();
        assert_eq!(content(&cpio), Content::Packed(Packing::Cpio));
        assert_eq!(content(&cpio[..109]), Content::Text);
        let old = *b"\xC7\x71\0\0\0\0\xA4\x81\0\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0a\0";
        assert_eq!(content(&old), Content::Packed(Packing::Cpio));
        let other: Vec<u8> = old[..26].chunks(2).flat_map(|two| [two[1], two[0]]).collect();
        assert_eq!(content(&[&other[..], b"a\0"].concat()), Content::Packed(Packing::Cpio));
        assert_eq!(content(&[&old[..26], b"a\n"].concat()), Content::Text);
        assert_eq!(content(&[b"\xC7\x71", &[b'0'; 40][..]].concat()), Content::Text);
        let cpio = [b"070707".as_slice(), &[b'7'; 70]].concat();
        assert_eq!(content(&cpio), Content::Packed(Packing::Cpio));
        assert_eq!(content(b"070707 is a number"), Content::Text);
        let lha = b"\x1F\x5A-lh5-\0\0\0\0\0\0\0\0\0\0\0\0 \x01";
        assert_eq!(content(lha), Content::Packed(Packing::Unread("lha")));
        assert_eq!(content(b"x -lh5- is a method of an archive"), Content::Text);
        let arj = b"\x60\xEA\x29\0\x22\x0B\x01\x02\x10\0\x02rest";
        assert_eq!(content(arj), Content::Packed(Packing::Unread("arj")));
        assert_eq!(content(&arj[..10]), Content::Text);
        assert_eq!(content(b"RZIP\x02\x01"), Content::Packed(Packing::Unread("rzip")));
        assert_eq!(content(b"LRZI\x00\x06"), Content::Packed(Packing::Unread("lrzip")));
        assert_eq!(content(b"RZIP is a program"), Content::Text);
        let lzma = b"\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0";
        assert_eq!(content(lzma), Content::Packed(Packing::Lzma));
        assert_eq!(content(&[&lzma[..8], b"texts!"].concat()), Content::Text);
        assert_eq!(content(b"LZIP\x01\x0C"), Content::Packed(Packing::Lzip));
        assert_eq!(content(b"\x1F\x9D\x90a"), Content::Packed(Packing::Compress));
        for other in [b"\x1F\x9D\x91a", b"\x1F\x9D\xB0a"] {
            assert_eq!(content(other), Content::Packed(Packing::Unread("compress")));
        }
        assert_eq!(content(b"BZh9 is how bzip2 begins"), Content::Text);
        assert_eq!(
            content(b"From a@b Thu Dec  1 00:00:00 1994\nTo: c\n\n"),
            Content::Box(Style::Mbox)
        );
        assert_eq!(content(b"\n\nFrom a@b Thu\nTo: c\n\n"), Content::Box(Style::Mbox));
        let quoted = "From a@b Thu\nTo: c\nDate: d\n\n";
        let content = |text: &str, name: &str| super::content(text.as_bytes(), name.as_bytes());
        assert_eq!(content(&format!("x\n\n{quoted}"), "a"), Content::Box(Style::Mbox));
        let markdown = Content::Document(Markup::Markdown);
        assert_eq!(content(&format!("x\n\n{quoted}"), "a.md"), markdown);
        let data = "Subject: a\nDate: 1994-12-01\n";
        assert_eq!(content(&format!("{data}\n[a](b)\n"), "a.md"), markdown);
        assert_eq!(content(&format!("{data}\n[a](b)\n"), "a.txt"), Content::Message);
        assert_eq!(content(&format!("{data}MIME-Version: 1.0\n\na"), "a.md"), Content::Message);
        assert_eq!(content(&format!("{data}\na\nReceived: b\n"), "a.md"), markdown);
        let html = Content::Document(Markup::Html);
        assert_eq!(content(&format!("<!doctype html>\n\n{quoted}"), "a"), html);
        assert_eq!(content(&format!("To: a\nFrom: b\n\n{quoted}"), "a"), Content::Message);
        let content = |text: &[u8]| super::content(text, b"");
        assert_eq!(content(b"From Russia with love\nshe came.\n"), Content::Text);
        assert_eq!(content(b"Received: by a\n (b)\nX: y\nfrom: c\n\n"), Content::Message);
        assert_eq!(content(b"Title: a\nDate: 1994-12-01\n\n"), Content::Text);
        assert_eq!(content(b"To: everybody\nwho wonders: see\nFrom: me\n"), Content::Text);
    }
}
