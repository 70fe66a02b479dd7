//! Org of Emacs (Org Manual, "Hyperlinks", "Include Files", "Literal Examples").
//!
//! Links are `[[target][text]]` and `[[target]]` to files and URIs, pictures in place of such a
//! text, `file:` in text, and the files of `#+INCLUDE:` and `#+SETUPFILE:`. What is searched for in
//! a file, `file.org::*Heading`, is no part of a target. A target that names a heading or an anchor
//! of the same document is none, except `[[#anchor]]`. Brackets and quotes are for names with
//! blanks: a file's name has them as they are, and a URI is escaped before it is opened (Org
//! Manual, "External Links"; `org-link-open`), so that in both a blank is read as its escape.
//!
//! Not read: abbreviations of `#+LINK:`, which stand as URIs of their own schemes.

use super::lines::{Line, shown, trimmed};
use super::{Link, Page, without_blanks};
use crate::span::Span;

/// Bytes of a link that are looked at for its end.
const LINK_LEN_MAX: usize = 1 << 12;

/// Endings of the names of pictures.
const PICTURES: [&[u8]; 10] =
    [b"avif", b"bmp", b"gif", b"jpeg", b"jpg", b"png", b"svg", b"tif", b"tiff", b"webp"];

/// The links of a document in Org.
pub(super) fn page(text: &[u8]) -> Page {
    let mut page = Page::default();
    let mut at = 0;
    let mut is_example = false;
    let mut behind = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        let body = line.of(text);
        if is_example {
            is_example = !is_keyword(body, b"#+end_");
        } else if is_keyword(body, b"#+begin_src") || is_keyword(body, b"#+begin_example") {
            is_example = true;
        } else if let Some(span) = included(text, line) {
            let target = without_blanks(span.of(text).to_vec());
            page.links.push(Link { span, target, shown: None });
        } else if !body.starts_with(b"# ") && !body.starts_with(b": ") {
            behind = inline(text, line, behind, &mut page);
        }
    }
    page
}

fn is_keyword(body: &[u8], keyword: &[u8]) -> bool {
    body.get(..keyword.len()).is_some_and(|word| word.eq_ignore_ascii_case(keyword))
}

/// The file that a line has included.
fn included(text: &[u8], line: Line) -> Option<Span> {
    let body = line.of(text);
    let keywords: [&[u8]; 2] = [b"#+include:", b"#+setupfile:"];
    let keyword = keywords.iter().find(|keyword| is_keyword(body, keyword))?;
    let value = trimmed(text, Span::new(line.body + keyword.len(), line.span.end));
    let bytes = value.of(text);
    let (ahead, len) = match bytes.strip_prefix(b"\"") {
        Some(quoted) => (1, memchr::memchr(b'"', quoted)?),
        None => (0, bytes.iter().take_while(|byte| !byte.is_ascii_whitespace()).count()),
    };
    let start = value.start + ahead;
    Some(Span::new(start, start + len))
}

/// Adds the links on `line`, from `behind` on; returns where the last one ends, which may be
/// on another line.
fn inline(text: &[u8], line: Line, mut behind: usize, page: &mut Page) -> usize {
    for found in memchr::memchr2_iter(b'[', b'f', line.span.of(text)) {
        let at = line.span.start + found;
        if at < behind {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        if rest.starts_with(b"[[") {
            let Some(link) = bracketed(text, at) else { continue };
            behind = link.end;
            // What is shown as it stands is no link.
            if !matches!(before, Some(b'=' | b'~')) {
                link.add(page, text);
            }
        } else if rest.starts_with(b"file:") && !before.is_some_and(u8::is_ascii_alphanumeric) {
            let end = line.span.end;
            let rest = Span::new(at, end).of(text);
            let is_inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b"[]<>()".contains(byte);
            let word = rest.get(..rest.iter().take_while(is_inside).count()).unwrap_or_default();
            let is_mark = |byte: &&u8| b".,;:!?'\"=~*/_".contains(byte);
            let len = word.len() - word.iter().rev().take_while(is_mark).count();
            behind = at + len;
            add(page, text, Span::new(at, behind), None);
        }
    }
    behind
}

/// A link in brackets.
struct Bracketed {
    target: Span,
    /// What is shown for it.
    words: Option<Span>,
    end: usize,
}

impl Bracketed {
    fn add(self, page: &mut Page, text: &[u8]) {
        let picture = self.words.filter(|words| is_picture(words.of(text)));
        let words = self.words.filter(|_| picture.is_none());
        add(page, text, self.target, words.and_then(|words| shown(words.of(text))));
        if let Some(picture) = picture {
            add(page, text, picture, None);
        }
    }
}

/// The link in brackets at `at`.
fn bracketed(text: &[u8], at: usize) -> Option<Bracketed> {
    let start = at + "[[".len();
    let rest = text.get(start..)?;
    let near = rest.get(..LINK_LEN_MAX).unwrap_or(rest);
    let close = memchr::memchr_iter(b']', near)
        .find(|close| near.get(close.wrapping_sub(1)) != Some(&b'\\'))?;
    if near.get(..close)?.contains(&b'\n') {
        return None;
    }
    let target = trimmed(text, Span::new(start, start + close));
    let behind = near.get(close + 1..)?;
    if behind.starts_with(b"]") {
        return Some(Bracketed { target, words: None, end: start + close + "]]".len() });
    }
    let words = behind.strip_prefix(b"[")?;
    let words = words.get(..memchr::memmem::find(words, b"]]")?)?;
    let begin = start + close + "][".len();
    let end = begin + words.len() + "]]".len();
    let is_one = memchr::memmem::find(words, b"\n\n").is_none();
    let words = Some(trimmed(text, Span::new(begin, begin + words.len())));
    is_one.then_some(Bracketed { target, words, end })
}

/// True when the text of a link is itself a link to a picture, which is shown in its place
/// (Org Manual, "Images in HTML Export").
fn is_picture(words: &[u8]) -> bool {
    let is_word = !words.iter().any(|byte| byte.is_ascii_whitespace() || b"[]<>".contains(byte));
    let ending = words.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_its = |of: &&[u8]| ending.eq_ignore_ascii_case(of);
    let schemes: [&[u8]; 3] = [b"file:", b"http://", b"https://"];
    let is_link = is_path(words) || schemes.iter().any(|scheme| words.starts_with(scheme));
    is_word && is_link && PICTURES.iter().any(is_its)
}

/// Adds what stands at `span`, unless it is a place in the same document.
fn add(page: &mut Page, text: &[u8], mut span: Span, shown: Option<Vec<u8>>) {
    let file = span.of(text).strip_prefix(b"file:");
    // Relative to the document, so that it is no URI of that scheme.
    if file.is_some_and(|file| !file.starts_with(b"/")) {
        span.start += "file:".len();
    }
    if file.is_some() || is_path(span.of(text)) {
        // What is searched for in the file.
        if let Some(at) = memchr::memmem::find(span.of(text), b"::") {
            span.end = span.start + at;
        }
    }
    let raw = span.of(text);
    if !raw.is_empty() && (file.is_some() || is_destination(raw)) {
        page.links.push(Link { span, target: without_blanks(unescaped(raw)), shown });
    }
}

/// True for a URI, a path, and an anchor.
fn is_destination(raw: &[u8]) -> bool {
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let len = raw.iter().take_while(is_scheme).count();
    let is_uri = len > 1 && raw.get(len) == Some(&b':') && raw.get(len + 1) != Some(&b':');
    is_uri || is_path(raw) || raw.starts_with(b"#")
}

fn is_path(raw: &[u8]) -> bool {
    let begins: [&[u8]; 3] = [b"./", b"../", b"/"];
    begins.iter().any(|begin| raw.starts_with(begin))
}

/// Brackets and backslashes may have a backslash before them.
fn unescaped(raw: &[u8]) -> Vec<u8> {
    let mut target = Vec::with_capacity(raw.len());
    let mut bytes = raw.iter().peekable();
    while let Some(byte) = bytes.next() {
        let is_escape = |next: &&u8| *byte == b'\\' && b"[]\\".contains(next);
        target.push(*bytes.next_if(is_escape).unwrap_or(byte));
    }
    target
}
