//! Fixes links whose right form is certain: permanent redirects, URIs with one possible escape, and
//! files that are in the tree under another path.
//!
//! A record of a run names the fault. This module finds the text to replace the link with, writes
//! it in the language of the document, and shows it as a diff. It reads and writes nothing but the
//! names in a tree. Code that applies a fix must check that the bytes are still those of the
//! record, and that a scan of the fixed text finds the intended URI.
//!
//! Links in mail, in archives, in decoded text and on standard input are never fixed.

mod archived;
mod diff;
mod faults;
mod moved;
mod redirect;

use std::path::PathBuf;

use crate::finding::Cue;
pub use crate::finding::Left;
use crate::grammar;
use crate::platform::{OsBytes as _, path_of};
use crate::report::escape::xml::reference;
use crate::report::record::{Record, bytes};
use crate::source::markup::Markup;
use crate::span::Span;
use crate::uri::Redacted;

pub use archived::archived;
pub use diff::{Hunk, hunks, patch};
pub use moved::Tree;

/// A replacement for the bytes of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The file.
    pub path: PathBuf,
    /// Offset in the file of the first byte of the link.
    pub offset: u64,
    /// The bytes to replace.
    pub raw: Vec<u8>,
    /// The URI that the link should have.
    pub uri: Vec<u8>,
    /// `uri` as it is written in the language of the file.
    pub text: Vec<u8>,
    /// The bytes required at that place.
    pub room: Room,
}

/// The requirement on the place of a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// The link.
    Link,
    /// The link, which leads readers to a page.
    Page,
    /// The link in an anchor of HTML that names no copy yet: the text adds attributes, and the
    /// double quote after the link ends the last one, until [`Replacement::adapt`] was called.
    Anchor,
}

/// Returns the fix for the link of `record`, or the reason why it cannot be fixed. `tree` holds the
/// files to which a link may have moved.
///
/// `None` if nothing with a known fix is wrong.
#[must_use]
pub fn replacement(record: &Record, tree: &Tree) -> Option<Result<Replacement, Left>> {
    found(record, Some(tree))
}

/// Returns the fix that the record alone makes certain: the target of a permanent redirect, or the
/// missing escapes.
#[must_use]
pub fn certain(record: &Record) -> Option<Result<Replacement, Left>> {
    found(record, None)
}

fn found(record: &Record, tree: Option<&Tree>) -> Option<Result<Replacement, Left>> {
    // The result is the target's, but the text in the file is the gateway's URL.
    if !record.wrapped_by.is_empty() {
        return None;
    }
    let meant = match record.faults().next() {
        Some(_) => faults::escaped(record, tree)?,
        None => redirected(record).or_else(|| moved::meant(record, tree?))?,
    };
    Some(place(record, meant))
}

/// Writes `meant` at its place. A reason why the place cannot be written takes precedence over an
/// uncertain `meant`.
fn place(record: &Record, meant: Result<Vec<u8>, Left>) -> Result<Replacement, Left> {
    let at = &record.place;
    if record.message.is_some() {
        return Err(Left::Mail);
    }
    if at.members().next().is_some() {
        return Err(Left::Packed);
    }
    if at.path() == b"-" {
        return Err(Left::Stdin);
    }
    let offset = at.file_offset.filter(|_| at.decoded.is_none()).ok_or(Left::Scattered)?;
    // Records show asterisks in place of a password or a token, which must not get into a file.
    let raw = bytes(&record.raw, record.raw_bytes.as_ref()).to_vec();
    let hides = |text: &[u8]| {
        text.windows(HIDDEN.len()).any(|part| part == HIDDEN) || Redacted::new(text).hides_any()
    };
    if hides(&raw) || meant.as_deref().is_ok_and(hides) {
        return Err(Left::Password);
    }
    // In UTF-16 and other encodings, the bytes of the file are not those of the record. The escapes
    // that a shell or a string literal needs are unknown.
    if u64::try_from(raw.len()) != Ok(at.len) || is_escaped(&raw, record) {
        return Err(Left::Scattered);
    }
    let uri = meant?;
    let text = faults::written(&raw, record, &uri).unwrap_or_else(|| written(&uri, record));
    let path = path_of(at.path()).into_owned();
    Ok(Replacement { path, offset, raw, uri, text, room: Room::Link })
}

/// The mask that records show for a password, with the `@` that ends it.
const HIDDEN: &[u8] = b"***@";

/// Returns the target of a permanent redirect, if the link's grammars accept it, or
/// [`Left::Uncertain`] if another page may be there.
fn redirected(record: &Record) -> Option<Result<Vec<u8>, Left>> {
    let to = record.moved_to().map(|to| legal(&to)).filter(|to| redirectable(record, to))?;
    Some(if redirect::is_certain(record.uri(), &to) { Ok(to) } else { Err(Left::Uncertain) })
}

/// Escapes the bytes after the authority of `uri` that browsers send, but that no grammar allows.
fn legal(uri: &[u8]) -> Vec<u8> {
    let (origin, rest) = uri.split_at_checked(grammar::split(uri).path.start).unwrap_or((uri, &[]));
    let rest = with_escapes(rest, |byte| match byte {
        b'[' => Some(b"%5B"),
        b']' => Some(b"%5D"),
        b'|' => Some(b"%7C"),
        b'\\' => Some(b"%5C"),
        b'^' => Some(b"%5E"),
        b'`' => Some(b"%60"),
        b'{' => Some(b"%7B"),
        b'}' => Some(b"%7D"),
        _ => None,
    });
    [origin, &rest].concat()
}

/// Reports whether `to` is a URI of the Web that the grammars of the link of `record` accept in its
/// place. A saved run may be a stranger's.
fn redirectable(record: &Record, to: &[u8]) -> bool {
    let begins = |web: &&[u8]| to.get(..web.len()).is_some_and(|it| it.eq_ignore_ascii_case(web));
    if ![&b"http://"[..], b"https://"].iter().any(begins) {
        return false;
    }
    let is_taken = |name: &str| grammar::find(name).is_some_and(|it| it.check(to).is_ok());
    record.grammars().all(|syntax| is_taken(&syntax.grammar))
}

/// Writes `uri` in the language of the document that `record` is in.
fn written(uri: &[u8], record: &Record) -> Vec<u8> {
    let is_markup = record.cue == Cue::Markup.name();
    match Markup::by_name(record.place.path()) {
        Some(Markup::Html | Markup::Feed) => with_references(uri, is_markup),
        // Whether the link is in a tag is unknown.
        Some(Markup::Xml) => in_xml(uri, record),
        Some(Markup::Markdown | Markup::Mdx) if is_markup => in_markdown(uri),
        Some(Markup::Tex) if has_tex(record.raw.as_bytes()) => in_tex(uri),
        Some(Markup::Texinfo) => in_texinfo(uri),
        Some(Markup::Folded) if record.raw.contains('\\') => in_card(uri),
        Some(Markup::Folded) if is_quoted(record) => with_escapes(uri, |byte| match byte {
            b'=' => Some(b"=3D"),
            _ => None,
        }),
        // In an attribute of HTML that is embedded in another language.
        _ if has_ampersand(record) => with_escapes(uri, |byte| match byte {
            b'&' => Some(b"&amp;"),
            _ => None,
        }),
        _ => uri.to_vec(),
    }
}

/// Reports whether a link is written with backslashes that are not part of it, in a language
/// without known rules for them.
fn is_escaped(raw: &[u8], record: &Record) -> bool {
    let has = |text: &[u8]| memchr::memchr(b'\\', text).is_some();
    let has_rules =
        || Markup::by_name(record.place.path()).is_some_and(|markup| markup.escapes().is_some());
    record.cue != Cue::Markup.name() && has(raw) && !has(record.uri()) && !has_rules()
}

/// Writes `uri` with XML references, on top of HTML references if the link had those.
fn in_xml(uri: &[u8], record: &Record) -> Vec<u8> {
    let has = |text: &[u8], reference: &[u8]| memchr::memmem::find(text, reference).is_some();
    let was_html = has(record.raw.as_bytes(), b"&amp;amp;") && !has(record.uri(), b"&amp;");
    let written = with_references(uri, true);
    if was_html { with_references(&written, true) } else { written }
}

/// Reports whether an ampersand of the link is written as a reference.
fn has_ampersand(record: &Record) -> bool {
    let is_reference = |at: usize| {
        let rest = record.raw.as_bytes().get(at + 1..).unwrap_or_default();
        [&b"amp;"[..], b"#38;", b"#038;", b"#x26;"].iter().any(|name| rest.starts_with(name))
    };
    let has_one = memchr::memchr_iter(b'&', record.raw.as_bytes()).any(is_reference);
    has_one && memchr::memmem::find(record.uri(), b"&amp;").is_none()
}

/// Writes `uri` with references for markup characters. Outside of tags, quotes are plain
/// characters.
fn with_references(uri: &[u8], is_in_tag: bool) -> Vec<u8> {
    let is_letter = |byte: u8| !is_in_tag && matches!(byte, b'"' | b'\'');
    with_escapes(uri, |byte| {
        let reference = reference(char::from(byte)).filter(|_| !is_letter(byte));
        reference.map(str::as_bytes)
    })
}

/// Replaces each byte for which `escape` returns a text.
fn with_escapes(uri: &[u8], escape: impl Fn(u8) -> Option<&'static [u8]>) -> Vec<u8> {
    let mut out = Vec::with_capacity(uri.len());
    for &byte in uri {
        match escape(byte) {
            Some(text) => out.extend_from_slice(text),
            None => out.push(byte),
        }
    }
    out
}

/// Escapes an ampersand that would begin a character reference, and all parentheses if one has no
/// partner and would end the link (CommonMark §6.3).
fn in_markdown(uri: &[u8]) -> Vec<u8> {
    let has_partners = has_partners(uri);
    let mut out = Vec::with_capacity(uri.len());
    for (at, &byte) in uri.iter().enumerate() {
        match byte {
            b'(' | b')' if !has_partners => out.extend_from_slice(&[b'\\', byte]),
            b'&' if is_reference(uri.get(at + 1..).unwrap_or_default()) => {
                out.extend_from_slice(b"&amp;");
            }
            _ => out.push(byte),
        }
    }
    out
}

/// Reports whether `raw` has an escape of a character that is special in LaTeX. Commands that only
/// allow a line break do not count.
fn has_tex(raw: &[u8]) -> bool {
    let is_escape =
        |pair: &[u8; 2]| matches!(pair, [b'\\' | b'{', mark] if b"_%&#$~".contains(mark));
    let has_command = |name: &&[u8]| memchr::memmem::find(raw, name).is_some();
    raw.array_windows().any(is_escape) || [&b"\\text"[..], b"\\sim"].iter().any(has_command)
}

/// Writes `uri` with the escapes of LaTeX.
fn in_tex(uri: &[u8]) -> Vec<u8> {
    with_escapes(uri, |byte| match byte {
        b'_' => Some(br"\_"),
        b'%' => Some(br"\%"),
        b'&' => Some(br"\&"),
        b'#' => Some(br"\#"),
        b'$' => Some(br"\$"),
        b'~' => Some(br"\~{}"),
        _ => None,
    })
}

/// Writes `uri` with the escapes of Texinfo.
fn in_texinfo(uri: &[u8]) -> Vec<u8> {
    with_escapes(uri, |byte| match byte {
        b'@' => Some(b"@@"),
        b'{' => Some(b"@{"),
        b'}' => Some(b"@}"),
        b',' => Some(b"@comma{}"),
        _ => None,
    })
}

/// Writes `uri` with the escapes of text in calendars and cards (RFC 5545 §3.3.11).
fn in_card(uri: &[u8]) -> Vec<u8> {
    with_escapes(uri, |byte| match byte {
        b',' => Some(br"\,"),
        b';' => Some(br"\;"),
        _ => None,
    })
}

/// Reports whether an equals sign of the link begins an escape of quoted-printable: the URI does
/// not contain it with its two digits, or it is at a line end that is not a fold.
fn is_quoted(record: &Record) -> bool {
    let raw = record.raw.as_bytes();
    memchr::memchr_iter(b'=', raw).any(|at| match raw.get(at..).unwrap_or_default() {
        [_, b'\n', next, ..] | [_, b'\r', b'\n', next, ..] => !next.is_ascii_whitespace(),
        [mark, high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            memchr::memmem::find(record.uri(), &[*mark, *high, *low]).is_none()
        }
        _ => false,
    })
}

fn has_partners(uri: &[u8]) -> bool {
    let mut open = 0_usize;
    for byte in uri {
        open = match (byte, open) {
            (b'(', _) => open + 1,
            (b')', 0) => return false,
            (b')', _) => open - 1,
            _ => open,
        };
    }
    open == 0
}

/// Longest name of a character reference (HTML §13.5), with room for the numbers.
const REFERENCE_LEN_MAX: usize = 32;

/// Reports whether `text`, which follows an ampersand, continues as a character reference.
fn is_reference(text: &[u8]) -> bool {
    let head = text.get(..REFERENCE_LEN_MAX.min(text.len())).unwrap_or_default();
    let name = head.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#');
    head.get(name.count()) == Some(&b';')
}

impl Replacement {
    /// Returns the place in the file of the bytes that the fix replaces.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        let start = usize::try_from(self.offset).ok()?;
        Some(Span::new(start, start.checked_add(self.raw.len())?))
    }

    /// Reports whether `file` has the bytes of the record at that place.
    #[must_use]
    pub fn fits(&self, file: &[u8]) -> bool {
        self.span().and_then(|span| file.get(span.start..span.end)) == Some(&self.raw)
    }

    /// Reports whether the text fits the place in `file`, whatever it replaces there. `anchors` are
    /// the places of the links of its anchors, in order.
    fn has_room(&self, file: &[u8], anchors: &[Span]) -> bool {
        let Some(span) = self.span() else { return false };
        let is_link = || anchors.binary_search_by_key(&span.start, |it| it.start);
        match self.room {
            _ if archived::is_kept(file, span.start) => false,
            Room::Link => true,
            Room::Page => {
                let markup = Markup::by_name(self.path.as_os_str().as_bytes());
                let is_feed = matches!(markup, Some(Markup::Feed | Markup::Xml));
                !archived::is_of_program(file, span.start, is_feed)
            }
            Room::Anchor => is_link().is_ok_and(|found| anchors.get(found) == Some(&span)),
        }
    }

    /// Adapts the text to the quotes that `file` has around the link. Must be called once, and only
    /// for a fix that has room.
    pub fn adapt(&mut self, file: &[u8]) {
        if let (Room::Anchor, Some(span)) = (self.room, self.span()) {
            let text = std::mem::take(&mut self.text);
            self.text = archived::requoted(text, self.raw.len(), file, span);
        }
    }

    fn end(&self) -> u64 {
        self.offset.saturating_add(u64::try_from(self.raw.len()).unwrap_or(u64::MAX))
    }
}

/// Removes those of `replacements` whose text does not fit its place in `file`.
pub fn retain_with_room(replacements: &mut Vec<Replacement>, file: &[u8]) {
    let wants_anchors = replacements.iter().any(|replacement| replacement.room == Room::Anchor);
    let anchors = if wants_anchors { archived::anchors(file) } else { Vec::new() };
    replacements.retain(|replacement| replacement.has_room(file, &anchors));
}

/// Sorts `replacements` in the order of the file, and removes duplicates and fixes that overlap an
/// earlier one. Returns the number of the overlapping ones.
pub fn settle(replacements: &mut Vec<Replacement>) -> u64 {
    replacements.sort_by(|a, b| (a.offset, &a.raw, &a.text).cmp(&(b.offset, &b.raw, &b.text)));
    replacements.dedup();
    let (mut end, mut gone) = (0, 0);
    replacements.retain(|replacement| {
        let is_free = replacement.offset >= end;
        if is_free {
            end = replacement.end();
        } else {
            gone += 1;
        }
        is_free
    });
    gone
}

/// Applies `replacements` to `file`. They must be settled, and fit the file.
#[must_use]
pub fn apply<'m>(file: &[u8], replacements: impl IntoIterator<Item = &'m Replacement>) -> Vec<u8> {
    let mut out = Vec::with_capacity(file.len());
    let mut done = 0;
    for replacement in replacements {
        let Some(span) = replacement.span() else { continue };
        out.extend_from_slice(file.get(done..span.start).unwrap_or_default());
        out.extend_from_slice(&replacement.text);
        done = span.end;
    }
    out.extend_from_slice(file.get(done..).unwrap_or_default());
    out
}

/// Returns the offset of each fix's text in the fixed file.
pub fn replaced_offsets(replacements: &[Replacement]) -> impl Iterator<Item = u64> {
    let (mut added, mut removed) = (0_u64, 0_u64);
    replacements.iter().map(move |replacement| {
        let at = (replacement.offset + added).saturating_sub(removed);
        added += u64::try_from(replacement.text.len()).unwrap_or_default();
        removed += u64::try_from(replacement.raw.len()).unwrap_or_default();
        at
    })
}
