//! Repairs of links whose right form is certain: what moved for good, what has one possible
//! escape, what is in the tree under another path.
//!
//! A record of a run says what is wrong; here is said what should stand there instead, how that
//! is written in its language, and as which lines of a diff it is shown. Nothing is read or
//! written but the names in a tree. Whoever applies a mend looks whether the bytes are still
//! those of the record, and whether a scan of the mended text finds what was meant.
//!
//! Never mended: what stands in mail, in archives, in what was decoded, on standard input.

mod diff;
mod faults;
mod moved;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use crate::finding::Cue;
pub use crate::finding::Left;
use crate::grammar;
use crate::report::escape::xml::reference;
use crate::report::record::{Record, bytes};
use crate::source::markup::Markup;
use crate::span::Span;

pub use diff::{Hunk, hunks, patch};
pub use moved::Tree;

/// What should stand in the place of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// The file.
    pub path: PathBuf,
    /// Offset of the first byte of the link in it.
    pub offset: u64,
    /// Its bytes.
    pub raw: Vec<u8>,
    /// What it should mean.
    pub uri: Vec<u8>,
    /// How that is written there.
    pub text: Vec<u8>,
}

/// What should stand in the place of the link of `record`, where that is certain; `tree` holds
/// what may have moved.
///
/// None where nothing is wrong that something is known to mend.
#[must_use]
pub fn mend(record: &Record, tree: &Tree) -> Option<Result<Mend, Left>> {
    found(record, Some(tree))
}

/// The same as far as the record alone makes it certain: where the link has moved to for good, and
/// the escapes that it lacks.
#[must_use]
pub fn told(record: &Record) -> Option<Result<Mend, Left>> {
    found(record, None)
}

fn found(record: &Record, tree: Option<&Tree>) -> Option<Result<Mend, Left>> {
    let meant = match record.faults().next() {
        Some(_) => faults::escaped(record, tree)?,
        None => redirected(record).map(Ok).or_else(|| moved::meant(record, tree?))?,
    };
    Some(place(record, meant))
}

/// `meant` at its place. Where nobody may write says more than that nothing is certain.
fn place(record: &Record, meant: Result<Vec<u8>, Left>) -> Result<Mend, Left> {
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
    // Records show asterisks in the place of a password, which must not get into a file.
    let raw = bytes(&record.raw, record.raw_bytes.as_ref()).to_vec();
    let hides = |text: &[u8]| text.windows(HIDDEN.len()).any(|part| part == HIDDEN);
    if hides(&raw) || meant.as_deref().is_ok_and(hides) {
        return Err(Left::Password);
    }
    // In text of another width, UTF-16, the bytes there are not those of the record. What a shell
    // or a string needs there, nobody knows.
    if u64::try_from(raw.len()) != Ok(at.len) || is_escaped(&raw, record) {
        return Err(Left::Scattered);
    }
    let uri = meant?;
    let text = faults::written(&raw, record, &uri).unwrap_or_else(|| written(&uri, record));
    let path = PathBuf::from(OsStr::from_bytes(at.path()));
    Ok(Mend { path, offset, raw, uri, text })
}

/// What records show of a password and what ends it.
const HIDDEN: &[u8] = b"***@";

/// Where a link has gone for good, if its grammars take that.
fn redirected(record: &Record) -> Option<Vec<u8>> {
    let to = record.moved_to()?;
    let is_taken = |name: &str| grammar::find(name).is_some_and(|it| it.check(&to).is_ok());
    record.grammars().all(|syntax| is_taken(&syntax.grammar)).then_some(to)
}

/// `uri` as it is written where `record` stands.
fn written(uri: &[u8], record: &Record) -> Vec<u8> {
    let is_markup = record.cue == Cue::Markup.name();
    match Markup::by_name(record.place.path()) {
        Some(Markup::Html | Markup::Feed) => with_references(uri, is_markup),
        // Nobody looked whether it stands in a tag.
        Some(Markup::Xml) => in_xml(uri, record),
        Some(Markup::Markdown | Markup::Mdx) if is_markup => in_markdown(uri),
        Some(Markup::Tex) if has_tex(record.raw.as_bytes()) => in_tex(uri),
        Some(Markup::Texinfo) => in_texinfo(uri),
        Some(Markup::Folded) if record.raw.contains('\\') => in_card(uri),
        Some(Markup::Folded) if is_quoted(record) => with_escapes(uri, |byte| match byte {
            b'=' => Some(b"=3D"),
            _ => None,
        }),
        // In an attribute of HTML that stands in something else.
        _ if has_ampersand(record) => with_escapes(uri, |byte| match byte {
            b'&' => Some(b"&amp;"),
            _ => None,
        }),
        _ => uri.to_vec(),
    }
}

/// True for a link with backslashes that are none of it, in a language that has no rules for them.
fn is_escaped(raw: &[u8], record: &Record) -> bool {
    let has = |text: &[u8]| memchr::memchr(b'\\', text).is_some();
    let has_rules =
        || Markup::by_name(record.place.path()).is_some_and(|markup| markup.escapes().is_some());
    record.cue != Cue::Markup.name() && has(raw) && !has(record.uri()) && !has_rules()
}

/// With references, and with those of HTML in these where the link had some.
fn in_xml(uri: &[u8], record: &Record) -> Vec<u8> {
    let has = |text: &[u8], reference: &[u8]| memchr::memmem::find(text, reference).is_some();
    let was_html = has(record.raw.as_bytes(), b"&amp;amp;") && !has(record.uri(), b"&amp;");
    let written = with_references(uri, true);
    if was_html { with_references(&written, true) } else { written }
}

/// True where an ampersand of the link is written as a reference.
fn has_ampersand(record: &Record) -> bool {
    let is_reference = |at: usize| {
        let rest = record.raw.as_bytes().get(at + 1..).unwrap_or_default();
        [&b"amp;"[..], b"#38;", b"#038;", b"#x26;"].iter().any(|name| rest.starts_with(name))
    };
    let has_one = memchr::memchr_iter(b'&', record.raw.as_bytes()).any(is_reference);
    has_one && memchr::memmem::find(record.uri(), b"&amp;").is_none()
}

/// With references for what would be markup. Quotes are letters outside of tags.
fn with_references(uri: &[u8], is_in_tag: bool) -> Vec<u8> {
    let is_letter = |byte: u8| !is_in_tag && matches!(byte, b'"' | b'\'');
    with_escapes(uri, |byte| {
        let reference = reference(char::from(byte)).filter(|_| !is_letter(byte));
        reference.map(str::as_bytes)
    })
}

/// With what `escape` gives in the place of a byte.
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

/// With an escape for what would be a character reference, and for parentheses that have no
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

/// True when `raw` has an escape of what means something else in LaTeX; not where only a line may
/// be broken.
fn has_tex(raw: &[u8]) -> bool {
    let is_escape =
        |pair: &[u8; 2]| matches!(pair, [b'\\' | b'{', mark] if b"_%&#$~".contains(mark));
    let has_command = |name: &&[u8]| memchr::memmem::find(raw, name).is_some();
    raw.array_windows().any(is_escape) || [&b"\\text"[..], b"\\sim"].iter().any(has_command)
}

/// With the escapes of LaTeX.
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

/// With the escapes of Texinfo.
fn in_texinfo(uri: &[u8]) -> Vec<u8> {
    with_escapes(uri, |byte| match byte {
        b'@' => Some(b"@@"),
        b'{' => Some(b"@{"),
        b'}' => Some(b"@}"),
        b',' => Some(b"@comma{}"),
        _ => None,
    })
}

/// With the escapes of text in calendars and cards (RFC 5545 §3.3.11).
fn in_card(uri: &[u8]) -> Vec<u8> {
    with_escapes(uri, |byte| match byte {
        b',' => Some(br"\,"),
        b';' => Some(br"\;"),
        _ => None,
    })
}

/// True where an equals sign of the link is the beginning of an escape of quoted-printable: its
/// digits are none of the URI, or it stands before a line's end that is no fold.
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

/// True when `text` goes on behind an ampersand as a character reference does.
fn is_reference(text: &[u8]) -> bool {
    let head = text.get(..REFERENCE_LEN_MAX.min(text.len())).unwrap_or_default();
    let name = head.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#');
    head.get(name.count()) == Some(&b';')
}

impl Mend {
    /// Where the bytes stand that it replaces.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        let start = usize::try_from(self.offset).ok()?;
        Some(Span::new(start, start.checked_add(self.raw.len())?))
    }

    /// True when they stand in `file` as the record has them.
    #[must_use]
    pub fn fits(&self, file: &[u8]) -> bool {
        self.span().and_then(|span| file.get(span.start..span.end)) == Some(&self.raw)
    }

    fn end(&self) -> u64 {
        self.offset.saturating_add(u64::try_from(self.raw.len()).unwrap_or(u64::MAX))
    }
}

/// Puts `mends` in the order of a file, each once; gives how many had to go since they change
/// bytes that another one changes.
pub fn settle(mends: &mut Vec<Mend>) -> u64 {
    mends.sort_by(|a, b| (a.offset, &a.raw, &a.text).cmp(&(b.offset, &b.raw, &b.text)));
    mends.dedup();
    let (mut end, mut gone) = (0, 0);
    mends.retain(|mend| {
        let is_free = mend.offset >= end;
        if is_free {
            end = mend.end();
        } else {
            gone += 1;
        }
        is_free
    });
    gone
}

/// `file` with `mends` in it, which are settled and stand in it.
#[must_use]
pub fn apply<'m>(file: &[u8], mends: impl IntoIterator<Item = &'m Mend>) -> Vec<u8> {
    let mut out = Vec::with_capacity(file.len());
    let mut done = 0;
    for mend in mends {
        let Some(span) = mend.span() else { continue };
        out.extend_from_slice(file.get(done..span.start).unwrap_or_default());
        out.extend_from_slice(&mend.text);
        done = span.end;
    }
    out.extend_from_slice(file.get(done..).unwrap_or_default());
    out
}

/// Where the text of each mend begins in the mended file.
pub fn mended_offsets(mends: &[Mend]) -> impl Iterator<Item = u64> {
    let (mut added, mut removed) = (0_u64, 0_u64);
    mends.iter().map(move |mend| {
        let at = (mend.offset + added).saturating_sub(removed);
        added += u64::try_from(mend.text.len()).unwrap_or_default();
        removed += u64::try_from(mend.raw.len()).unwrap_or_default();
        at
    })
}
