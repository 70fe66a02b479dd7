//! Fixes faults with one certain repair: a byte that no URI may hold becomes its escape (RFC 3986
//! §2.1), and a backslash becomes the slash that browsers take it for (WHATWG URL §4.4).
//!
//! A repair is certain where the markup declares the text to be a link, and the text is a complete
//! URI. In code, `http://h/%i` is a pattern to be filled in; so are `http://h/<name>` and
//! `http://h/{name}` anywhere. A name with blanks may be a pattern or no link at all, unless a file
//! has that name. A truncated escape had more digits, which are unknown.

use super::{Left, Tree};
use crate::finding::Cue;
use crate::grammar::{self, split};
use crate::platform::path_of;
use crate::report::record::{Record, bytes};
use crate::scheme::{self, Scheme};
use crate::uri::{Uri, escape};

/// Bytes that no URI holds, but a link of a markup language may hold, since its brackets or quotes
/// delimit it. Elsewhere these bytes end the link, or are prose.
const RAW: &[u8] = b" \"<>\\^`{|}";

/// Bytes of words and placeholders: a link that holds them is usually not complete yet.
const WORDS: &[u8] = b" \t\r\n\"'<>{}";

/// Extensions of plain text: of notes for people, not of code.
const PLAIN: [&str; 2] = ["txt", "text"];

/// Returns the link with escapes, if that makes it valid under every grammar that refuses it; or
/// [`Left::Uncertain`], if it may not be a link.
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

/// Returns `raw` with the escapes of `wanted`, the repaired link of `record`, and otherwise
/// unchanged. `None` if `raw` has character references other than ampersands, or anything else that
/// its language does not read literally.
pub(super) fn written(raw: &[u8], record: &Record, wanted: &[u8]) -> Option<Vec<u8>> {
    let (text, _) = repaired(raw, record.cue == Cue::Markup.name());
    let means = |text: &[u8], uri: &[u8]| text == uri || with_ampersands(text) == uri;
    (means(raw, record.uri()) && means(&text, wanted)).then_some(text)
}

/// Returns `text` with its references to ampersands decoded.
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

/// Returns `uri` with escapes, and whether it is certain that nothing else is wrong with it.
fn repaired(uri: &[u8], is_markup: bool) -> (Vec<u8>, bool) {
    let link = split(uri);
    let mut out = Vec::with_capacity(uri.len() + 8);
    let mut is_sure = true;
    for (at, &byte) in uri.iter().enumerate() {
        let after = uri.get(at + 1..).unwrap_or_default();
        let is_raw = is_markup && RAW.contains(&byte);
        if !is_raw && (byte != b'%' || is_escape(after)) {
            out.push(byte);
            continue;
        }
        is_sure &= at >= link.path.start && (byte != b'%' || is_sign(after));
        if byte == b'\\' && at < link.path.end {
            is_sure &= has_backslashes(&link);
            out.push(b'/');
        } else {
            out.extend_from_slice(&escape(byte));
        }
    }
    // Two backslashes at the beginning would become the slashes before a host.
    is_sure &= split(&out).host.is_some() == link.host.is_some();
    (out, is_sure)
}

/// Reports whether the link is markup, or in brackets in plain text, and no placeholder.
///
/// In a document, brackets that are not markup may belong to code.
fn is_certain(record: &Record) -> bool {
    let raw = bytes(&record.raw, record.raw_bytes.as_ref());
    let is_word = |text: &[u8]| text.iter().any(|byte| WORDS.contains(byte));
    let is_wrapped = [Cue::Angle, Cue::Url].iter().any(|cue| record.cue == cue.name());
    let is_link = record.cue == Cue::Markup.name() || (is_wrapped && is_plain(record));
    is_link && !is_word(raw) && !is_word(record.uri())
}

fn is_plain(record: &Record) -> bool {
    let path = path_of(record.place.path());
    path.extension()
        .is_some_and(|suffix| PLAIN.iter().any(|plain| suffix.eq_ignore_ascii_case(plain)))
}

fn is_escape(after: &[u8]) -> bool {
    after.get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Reports whether a percent sign before `after` can only be literal: not a truncated escape, not
/// one of ECMAScript (`%u00e9`), and not a pattern of a shell or a format: `%NAME%`, `%s`,
/// `%(name)s`.
fn is_sign(after: &[u8]) -> bool {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let word_len = after.iter().take_while(is_word).count();
    let is_cut = after.first().is_some_and(|byte| byte.is_ascii_hexdigit() || b"uU".contains(byte));
    let is_filled_in = word_len == 1 || matches!(after.get(word_len), Some(b'%' | b'('));
    !is_cut && !is_filled_in
}

/// Reports whether browsers read a backslash in `link` as a slash. A relative link counts, since
/// its document has such a URL in a browser.
fn has_backslashes(link: &Uri<'_>) -> bool {
    let is_special = |name: &[u8]| scheme::find(name).is_some_and(Scheme::is_special);
    link.scheme.is_none_or(|name| is_special(name.of(link.text)))
}
