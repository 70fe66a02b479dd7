//! Reads macros of AsciiDoc in a paragraph, and macros that are a block of their own.

use memchr::{memchr3, memchr3_iter};

use super::attributes::{Attributes, reference_len};
use crate::source::markup::lines::{shown, trimmed};
use crate::source::markup::{Link, Page, html, without_blanks};
use crate::span::{Span, last_line};

/// Bytes of the text of a macro that are searched for its closing bracket.
const TEXT_LEN_MAX: usize = 2048;

/// Longest destination of a macro.
const TARGET_LEN_MAX: usize = 1 << 16;

/// Schemes of URIs that are links without a macro.
const SCHEMES: [&[u8]; 5] = [b"http", b"https", b"ftp", b"irc", b"file"];

/// Marks that pass the text between two of them verbatim (AsciiDoc, "Passthrough Macros").
const PASSES: [&[u8]; 3] = [b"+++", b"++", b"$$"];

/// The macro that the value of an attribute may begin.
const LINK: &[u8] = b"link:";

/// The way in which a macro's destination is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MacroKind {
    /// As written.
    Link,
    /// A document, or the name of a place in this one.
    Reference,
    /// The name of a place in this document, or after the name of another document.
    Place,
    /// A picture or a sound, in the directory for those.
    Media,
    /// A film, in the same directory, or with a service.
    Film,
    /// A file that is included.
    File,
    /// An address of mail.
    Address,
}

/// Every macro that has a destination.
const MACROS: [(&[u8], MacroKind); 7] = [
    (LINK, MacroKind::Link),
    (b"xref:", MacroKind::Reference),
    (b"image:", MacroKind::Media),
    (b"video:", MacroKind::Film),
    (b"audio:", MacroKind::Media),
    (b"include:", MacroKind::File),
    (b"mailto:", MacroKind::Address),
];

/// Adds the links of the paragraph at `span`.
pub(super) fn read(text: &[u8], span: Span, attributes: &mut Attributes, page: &mut Page) {
    let (end, after) = (span.end, span.start);
    let mut reader = MacroReader { text, end, after, stop: span.start, attributes, page };
    for at in memchr3_iter(b':', b'<', b'{', span.of(text)).map(|at| span.start + at) {
        if at < reader.after {
            continue;
        }
        match text.get(at) {
            Some(b':') => reader.colon(at, span.start),
            Some(b'<') => reader.angle(at),
            _ => reader.attribute(at),
        }
    }
}

/// Reads `span`, attributes of the next block; reports whether they give the target of a picture.
pub(super) fn read_attributes(
    text: &[u8],
    span: Span,
    attributes: &mut Attributes,
    page: &mut Page,
) -> bool {
    let before = page.links.len();
    let (end, after) = (span.end, span.start);
    MacroReader { text, end, after, stop: span.start, attributes, page }.linked(span);
    page.links.len() > before
}

/// Reports whether `text` is a URI by its scheme.
pub(super) fn is_uri(text: &[u8]) -> bool {
    let is_its =
        |scheme: &&[u8]| text.strip_prefix(*scheme).is_some_and(|after| after.starts_with(b"://"));
    !text.iter().any(u8::is_ascii_whitespace) && SCHEMES.iter().any(is_its)
        || text.starts_with(b"mailto:")
}

struct MacroReader<'r, 't> {
    text: &'t [u8],
    end: usize,
    /// End offset of the text already read.
    after: usize,
    /// Offset of the first bracket or line end found by the last search; none precedes it.
    stop: usize,
    attributes: &'r mut Attributes,
    page: &'r mut Page,
}

impl<'t> MacroReader<'_, 't> {
    fn from(&self, at: usize) -> &'t [u8] {
        Span::new(at, self.end).of(self.text)
    }

    /// Reads the macro or URI of the colon at `at`, in a paragraph that begins at `start`.
    fn colon(&mut self, at: usize, start: usize) {
        let before = Span::new(start.max(self.after), at).of(self.text);
        let is_word = |byte: &&u8| byte.is_ascii_alphabetic();
        let word_len = before.iter().rev().take(8).take_while(is_word).count();
        let word = Span::new(at - word_len, at).of(self.text);
        let ahead = before.len().checked_sub(word_len + 1).and_then(|ahead| before.get(ahead));
        if ahead.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"\\+".contains(byte)) {
            return;
        }
        let is_its = |(name, _): &&(&[u8], MacroKind)| name.strip_suffix(b":") == Some(word);
        if word == b"pass" {
            if let Some((open, close)) = self.closing(at) {
                self.html(Span::new(open + 1, close));
            }
        } else if word == b"icon" {
            if let Some((open, close)) = self.closing(at) {
                self.after = open + 1;
                self.linked(Span::new(open + 1, close));
            }
        } else if let Some((_, kind)) = MACROS.iter().find(is_its) {
            self.named(at + 1, *kind);
        } else if self.from(at).starts_with(b"://") && SCHEMES.contains(&word) {
            self.uri(at - word_len);
        }
    }

    /// Reads the macro whose destination begins at `at`.
    fn named(&mut self, at: usize, kind: MacroKind) {
        let is_block = self.from(at).starts_with(b":");
        let at = at + usize::from(is_block);
        let passed = self.passed(at);
        let Some((open, close)) = self.closing(passed.map_or(at, |(_, open)| open)) else { return };
        let target = passed.map_or(Span::new(at, open), |(target, _)| target);
        if passed.is_none() && !is_target(target.of(self.text), kind, is_block) {
            return;
        }
        let inside = Span::new(open + 1, close);
        self.after = open + 1;
        self.add(target, kind, inside);
        self.linked(inside);
    }

    /// Returns the span of a passed-through destination at `at`, and the offset of the bracket
    /// after it.
    fn passed(&self, at: usize) -> Option<(Span, usize)> {
        /// The mark before such a destination, and the mark between it and its text.
        const MARKS: [(&[u8], &[u8]); 2] = [(b"++", b"++["), (b"pass:[", b"][")];
        let rest = self.from(at);
        let (begin, end) = MARKS.iter().find(|(begin, _)| rest.starts_with(begin))?;
        let near = rest.get(begin.len()..rest.len().min(TEXT_LEN_MAX))?;
        let line = near.get(..memchr::memchr(b'\n', near).unwrap_or(near.len()))?;
        let len = memchr::memmem::find(line, end)?;
        let start = at + begin.len();
        Some((Span::new(start, start + len), start + len + end.len() - 1))
    }

    /// Reads a URI at `start`, which is a link of the language if text in brackets follows.
    fn uri(&mut self, start: usize) {
        let rest = self.from(start);
        let len = self.target_len(start);
        if let Some((open, close)) = self.closing(start).filter(|(open, _)| *open == start + len) {
            self.after = open + 1;
            self.add(Span::new(start, open), MacroKind::Link, Span::new(open + 1, close));
        } else if memchr::memchr(b'{', rest.get(..len).unwrap_or_default()).is_some() {
            self.bare(start, len);
        } else {
            self.after = start + len;
        }
    }

    /// Adds a URI of `len` bytes that begins with, or holds, a reference to an attribute.
    fn bare(&mut self, start: usize, len: usize) {
        let rest = self.from(start).get(..len).unwrap_or_default();
        // The mark of a highlight is one if it also precedes the URI.
        let mark = start.checked_sub(1).and_then(|at| self.text.get(at)).filter(|it| **it == b'#');
        let is_end = |byte: &&u8| b".,;:!?)'\"*_`".contains(byte) || mark == Some(byte);
        let end = start + len - rest.iter().rev().take_while(is_end).count();
        self.after = end;
        self.add(Span::new(start, end), MacroKind::Link, Span::new(end, end));
    }

    /// Reads a reference to an attribute at `at`, where a URI may begin.
    fn attribute(&mut self, at: usize) {
        let Some(len) = reference_len(self.from(at)) else { return };
        if self.is_passed(Span::new(at, at + len)) {
            return;
        }
        let name = Span::new(at + 1, at + len - 1).of(self.text);
        let value = self.attributes.get(name).unwrap_or_default();
        let is_macro = value.starts_with(LINK) && memchr::memchr(b'[', value).is_none();
        if self.text.get(at.wrapping_sub(1)) != Some(&b'\\') && (is_macro || is_uri(value)) {
            let len = self.target_len(at);
            match self.closing(at).filter(|(open, _)| *open == at + len) {
                Some((open, close)) => {
                    self.after = open + 1;
                    self.add(Span::new(at, open), MacroKind::Link, Span::new(open + 1, close));
                }
                None if is_macro => self.after = at + len,
                None => self.bare(at, len),
            }
        }
    }

    /// Reports whether marks directly around `span` pass it through verbatim.
    fn is_passed(&self, span: Span) -> bool {
        let before = Span::new(self.after.min(span.start), span.start).of(self.text);
        let after = self.from(span.end);
        let is_between = |mark: &[u8]| before.ends_with(mark) && after.starts_with(mark);
        is_between(b"+") || is_between(b"$$")
    }

    /// Returns the length of the URI at `start`. In a row of a table, a bar ends its cell, and the
    /// URI (Asciidoctor, "Build a Basic Table").
    fn target_len(&self, start: usize) -> usize {
        let before = self.text.get(..start).unwrap_or_default();
        let near = before.get(start.saturating_sub(TEXT_LEN_MAX)..).unwrap_or_default();
        let line = near.get(last_line(near)..).unwrap_or_default();
        let is_row = line.trim_ascii_start().starts_with(b"|");
        let ends = |byte: u8| {
            byte.is_ascii_whitespace() || b"[]<>".contains(&byte) || is_row && byte == b'|'
        };
        let near = self.from(start).iter().take(TARGET_LEN_MAX);
        near.take_while(|byte| !ends(**byte)).count()
    }

    /// Reads HTML that is passed through verbatim.
    fn html(&mut self, span: Span) {
        self.after = span.end;
        self.page.append(html::page(span.of(self.text)), span.start);
    }

    /// Reads the tag at `at` as HTML, if it follows a mark that passes text through.
    fn passed_tag(&mut self, at: usize) {
        let before = Span::new(self.after.min(at), at).of(self.text);
        let Some(mark) = PASSES.iter().find(|mark| before.ends_with(mark)) else { return };
        let rest = self.from(at);
        let near = rest.get(..TEXT_LEN_MAX).unwrap_or(rest);
        if let Some(len) = memchr::memmem::find(near, mark) {
            self.html(Span::new(at, at + len));
        }
    }

    /// Reads the reference `<<place,text>>` or `<<path#place,text>>` at `at`.
    fn angle(&mut self, at: usize) {
        let near = self.from(at + 2);
        let near = near.get(..TEXT_LEN_MAX).unwrap_or(near);
        let is_begin = |byte: &u8| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_#/.:{".contains(byte)
        };
        if !self.from(at).starts_with(b"<<") {
            return self.passed_tag(at);
        }
        let is_open = near.first().is_some_and(is_begin)
            && !matches!(self.text.get(at.wrapping_sub(1)), Some(b'\\' | b'<' | b'+'));
        if !is_open {
            return;
        }
        let Some(close) = memchr::memmem::find(near, b">>") else { return };
        let inside = near.get(..close).unwrap_or_default();
        let comma = memchr::memchr(b',', inside).unwrap_or(close);
        let target = trimmed(self.text, Span::new(at + 2, at + 2 + comma));
        if inside.contains(&b'<') || target.of(self.text).contains(&b'\n') {
            return;
        }
        self.after = at + 2 + close;
        let text = Span::new((at + 2 + comma + 1).min(self.after), self.after);
        self.add(target, MacroKind::Place, text);
    }

    /// Returns the offsets of the opening and the closing bracket of the macro whose destination
    /// begins at `start`. Starts must not decrease.
    fn closing(&mut self, start: usize) -> Option<(usize, usize)> {
        if start > self.stop || self.stop == self.after {
            let len = memchr3(b'[', b']', b'\n', self.from(start));
            self.stop = len.map_or(self.end, |len| start + len);
        }
        let open = self.stop;
        let text = self.from(open).strip_prefix(b"[")?;
        let near = text.get(..TEXT_LEN_MAX).unwrap_or(text);
        let is_close = |at: &usize| near.get(at.wrapping_sub(1)) != Some(&b'\\');
        let close = memchr::memchr_iter(b']', near).find(is_close)?;
        Some((open, open + 1 + close))
    }

    /// Adds the destination in the attribute `link` of a picture.
    fn linked(&mut self, inside: Span) {
        let text = inside.of(self.text);
        let Some(at) = memchr::memmem::find(text, b"link=") else { return };
        let is_apart = at == 0 || matches!(text.get(at - 1), Some(b',' | b' '));
        let value = text.get(at + "link=".len()..).filter(|_| is_apart).unwrap_or_default();
        let quote = value.first().copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let ends = |byte: &u8| quote.map_or(*byte == b',', |quote| *byte == quote);
        let ahead = usize::from(quote.is_some());
        let value = value.get(ahead..).unwrap_or_default();
        let len = value.iter().position(ends).unwrap_or(value.len());
        let start = inside.start + at + "link=".len() + ahead;
        let target = trimmed(self.text, Span::new(start, start + len));
        if !target.is_empty() && !matches!(target.of(self.text), b"self" | b"none") {
            self.after = target.end;
            self.add(target, MacroKind::Link, Span::new(target.end, target.end));
        }
    }

    fn add(&mut self, span: Span, kind: MacroKind, inside: Span) {
        let raw = span.of(self.text);
        let is_elsewhere = kind == MacroKind::Film && is_at_service(inside.of(self.text));
        if is_elsewhere {
            return;
        }
        let Some(mut target) = self.attributes.resolve(raw) else {
            self.page.templates += 1;
            return;
        };
        if kind == MacroKind::Link && raw.starts_with(b"{") && target.starts_with(LINK) {
            target.drain(..LINK.len());
        }
        if kind == MacroKind::Link {
            target = without_passes(&target);
        }
        if target.is_empty() {
            return;
        }
        if matches!(kind, MacroKind::Media | MacroKind::Film) && !is_absolute(&target) {
            let directory = self.attributes.get(b"imagesdir").unwrap_or_default();
            if !directory.is_empty() {
                target = [directory.strip_suffix(b"/").unwrap_or(directory), &target].join(&b'/');
            }
        }
        // Asciidoctor escapes the blanks in names of files, but not those in links.
        if matches!(kind, MacroKind::Media | MacroKind::Film | MacroKind::File) {
            target = without_blanks(target);
        }
        let is_within = match kind {
            MacroKind::Reference => !is_path(&target),
            MacroKind::Place => memchr::memchr(b'#', &target).is_none(),
            _ => false,
        };
        if let (false, MacroKind::Reference | MacroKind::Place) = (is_within, kind) {
            target = with_ending(target);
        }
        if is_within {
            target = without_blanks([b"#", target.as_slice()].concat());
        }
        if kind == MacroKind::Address {
            target = [b"mailto:", target.as_slice()].concat();
        }
        let text = inside.of(self.text);
        let shown = match kind {
            MacroKind::Media | MacroKind::Film | MacroKind::File => None,
            // The subject follows the first comma.
            MacroKind::Address => {
                shown(text.split(|byte| *byte == b',').next().unwrap_or_default())
            }
            MacroKind::Link | MacroKind::Reference | MacroKind::Place => visible(text),
        };
        self.page.links.push(Link { span, target, shown });
    }
}

/// Reports whether `text` can be the destination of a macro: only those of pictures and of block
/// macros may have white space inside.
fn is_target(text: &[u8], kind: MacroKind, is_block: bool) -> bool {
    let is_trimmed = !text.is_empty() && text.trim_ascii().len() == text.len();
    let may_have_blanks = kind == MacroKind::Media || is_block;
    let is_path = matches!(kind, MacroKind::Reference | MacroKind::Media | MacroKind::File);
    is_trimmed
        && !(is_path && is_versioned(text))
        && (may_have_blanks || !text.iter().any(u8::is_ascii_whitespace))
}

/// Reports whether `target` is a resource of Antora with its version, `2.0@component:module:a.adoc`
/// (Antora, "Resource IDs"): neither a path nor a URI.
fn is_versioned(target: &[u8]) -> bool {
    let version = memchr::memchr(b'@', target).and_then(|at| target.split_at_checked(at));
    version.is_some_and(|(version, rest)| {
        memchr::memchr2(b'/', b':', version).is_none() && rest.contains(&b':')
    })
}

/// Returns `target` without the marks that pass the text between them, so that its underscores are
/// literal.
fn without_passes(target: &[u8]) -> Vec<u8> {
    let (mut made, mut rest) = (Vec::with_capacity(target.len()), target);
    while let Some(first) = rest.first() {
        let passed = PASSES.iter().find_map(|mark| {
            let after = rest.strip_prefix(*mark)?;
            let len = memchr::memmem::find(after, mark).filter(|len| *len > 0)?;
            Some((after.get(..len)?, after.get(len + mark.len()..)?))
        });
        match passed {
            Some((inside, after)) => {
                made.extend_from_slice(inside);
                rest = after;
            }
            None => {
                made.push(*first);
                rest = rest.get(1..).unwrap_or_default();
            }
        }
    }
    made
}

/// Reports whether a destination is no name of a place in the same document.
fn is_path(target: &[u8]) -> bool {
    target.iter().any(|byte| matches!(byte, b'#' | b'.' | b'/'))
}

/// Adds the ending to a destination in another document, whose name may omit it (AsciiDoc,
/// "Document to Document Cross References").
fn with_ending(mut target: Vec<u8>) -> Vec<u8> {
    if let Some(hash) = memchr::memchr(b'#', &target).filter(|hash| *hash > 0) {
        let name = target.get(..hash).unwrap_or_default().rsplit(|byte| *byte == b'/').next();
        if name.is_some_and(|name| !name.is_empty() && !name.contains(&b'.')) {
            target.splice(hash..hash, b".adoc".iter().copied());
        }
    }
    target
}

/// Reports whether the attributes are those of a film at a service, where its destination is a
/// number.
fn is_at_service(attributes: &[u8]) -> bool {
    let first = attributes.split(|byte| *byte == b',').next().unwrap_or_default().trim_ascii();
    matches!(first, b"youtube" | b"vimeo" | b"wistia")
}

fn is_absolute(target: &[u8]) -> bool {
    is_uri(target) || target.starts_with(b"/") || target.starts_with(b"data:")
}

/// Returns the part of the text in brackets that a reader sees: without attributes, and without the
/// mark for a new window.
fn visible(text: &[u8]) -> Option<Vec<u8>> {
    let has_names = memchr::memchr(b'=', text).is_some();
    let comma = memchr::memchr(b',', text).filter(|_| has_names);
    let text = comma.map_or(text, |comma| text.get(..comma).unwrap_or_default());
    if comma.is_none() && has_names {
        return None;
    }
    let text = text.trim_ascii();
    let text = text.strip_suffix(b"^").unwrap_or(text);
    let quoted = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
    shown(quoted.unwrap_or(text))
}
