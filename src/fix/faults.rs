//! Faults with one certain repair: a byte that no URI holds becomes its escape (RFC 3986 §2.1), and
//! a backslash the slash that browsers take it for (WHATWG URL §4.4).
//!
//! It is certain where the text itself says that it is a link, and what it says is one. In code,
//! `http://h/%i` is a pattern that something else fills in, and so is `http://h/<name>` or
//! `http://h/{name}` anywhere. A name with blanks may be that or no link at all, unless a file has
//! it. An escape that was cut had more digits, and nobody knows which.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::{Left, Tree};
use crate::finding::Cue;
use crate::grammar::{self, split};
use crate::report::record::{Record, bytes};
use crate::uri::Uri;

/// What no URI holds, and what a link of a markup language may hold all the same, since its own
/// brackets or quotes tell where it ends. Elsewhere these end the link, or are prose.
const RAW: &[u8] = b" \"<>\\^`{|}";

/// What words and placeholders are made of: a link that holds these is more often none yet.
const WORDS: &[u8] = b" \t\r\n\"'<>{}";

/// The schemes in which a backslash before the query is a slash (WHATWG URL §3.1, "special").
const WITH_BACKSLASHES: [&[u8]; 6] = [b"http", b"https", b"ftp", b"file", b"ws", b"wss"];

/// What the names of plain text end in: of people's notes, and not of code.
const PLAIN: [&str; 2] = ["txt", "text"];

/// The link with escapes, where that makes it valid under every grammar that refuses it, or that
/// nobody knows whether it is a link.
pub(super) fn escaped(record: &Record, tree: Option<&Tree>) -> Option<Result<Vec<u8>, Left>> {
    let uri = record.uri();
    let is_markup = record.cue == Cue::Markup.name();
    let (out, is_sure) = repaired(uri, is_markup);
    let is_taken = |name: &str| grammar::find(name).is_some_and(|it| it.check(&out).is_ok());
    let is_valid = record.faults().all(|(grammar, _)| is_taken(grammar));
    if !is_valid || out == uri {
        return None;
    }
    let is_there = || tree.is_some_and(|tree| tree.leads_to_file(record, &out));
    let is_meant = (is_sure && is_certain(record)) || (is_markup && is_there());
    Some(if is_meant { Ok(out) } else { Err(Left::Uncertain) })
}

/// How `wanted`, the link of `record` with escapes, is written where `raw` stands, byte for byte
/// but for these. None where `raw` has references to characters beside those of ampersands, or
/// anything else that its language does not read as it stands.
pub(super) fn written(raw: &[u8], record: &Record, wanted: &[u8]) -> Option<Vec<u8>> {
    let (text, _) = repaired(raw, record.cue == Cue::Markup.name());
    let means = |text: &[u8], uri: &[u8]| text == uri || with_ampersands(text) == uri;
    (means(raw, record.uri()) && means(&text, wanted)).then_some(text)
}

/// `text` with the references to ampersands as what they stand for.
fn with_ampersands(text: &[u8]) -> Vec<u8> {
    const REFERENCE: &[u8] = b"&amp;";
    let mut out = Vec::with_capacity(text.len());
    let mut done = 0;
    for at in memchr::memmem::find_iter(text, REFERENCE) {
        out.extend_from_slice(text.get(done..=at).unwrap_or_default());
        done = at + REFERENCE.len();
    }
    out.extend_from_slice(text.get(done..).unwrap_or_default());
    out
}

/// `uri` with escapes, and whether it is certain that these are all that it lacked.
fn repaired(uri: &[u8], is_markup: bool) -> (Vec<u8>, bool) {
    let link = split(uri);
    let mut out = Vec::with_capacity(uri.len() + 8);
    let mut is_sure = true;
    for (at, &byte) in uri.iter().enumerate() {
        let behind = uri.get(at + 1..).unwrap_or_default();
        let is_raw = is_markup && RAW.contains(&byte);
        if !is_raw && (byte != b'%' || is_escape(behind)) {
            out.push(byte);
            continue;
        }
        is_sure &= at >= link.path.start && (byte != b'%' || is_sign(behind));
        if byte == b'\\' && at < link.path.end {
            is_sure &= has_backslashes(&link);
            out.push(b'/');
        } else {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    // Two backslashes at the beginning would become those before a host.
    is_sure &= split(&out).host.is_some() == link.host.is_some();
    (out, is_sure)
}

/// True for what a document marks as a link, or plain text has in brackets, and no placeholder.
///
/// In a document brackets that are no markup may be those of code.
fn is_certain(record: &Record) -> bool {
    let raw = bytes(&record.raw, record.raw_bytes.as_ref());
    let is_word = |text: &[u8]| text.iter().any(|byte| WORDS.contains(byte));
    let is_wrapped = [Cue::Angle, Cue::Url].iter().any(|cue| record.cue == cue.name());
    let is_link = record.cue == Cue::Markup.name() || (is_wrapped && is_plain(record));
    is_link && !is_word(raw) && !is_word(record.uri())
}

fn is_plain(record: &Record) -> bool {
    let suffix = Path::new(OsStr::from_bytes(record.place.path())).extension();
    suffix.is_some_and(|suffix| PLAIN.iter().any(|plain| suffix.eq_ignore_ascii_case(plain)))
}

fn is_escape(behind: &[u8]) -> bool {
    behind.get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// True where a percent sign before `behind` can mean nothing but itself: no escape that was cut,
/// none of ECMAScript (`%u00e9`), and nothing that a shell or a format fills in: `%NAME%`, `%s`,
/// `%(name)s`.
fn is_sign(behind: &[u8]) -> bool {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let word_len = behind.iter().take_while(is_word).count();
    let is_cut =
        behind.first().is_some_and(|byte| byte.is_ascii_hexdigit() || b"uU".contains(byte));
    let is_filled_in = word_len == 1 || matches!(behind.get(word_len), Some(b'%' | b'('));
    !is_cut && !is_filled_in
}

/// True for a link in which browsers read a backslash as a slash. A relative one starts from a
/// document, which has an address of theirs.
fn has_backslashes(link: &Uri<'_>) -> bool {
    link.scheme.is_none_or(|scheme| {
        let scheme = scheme.of(link.text);
        WITH_BACKSLASHES.iter().any(|special| scheme.eq_ignore_ascii_case(special))
    })
}
