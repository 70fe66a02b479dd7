//! Finds links in Org of Emacs (Org Manual, "Hyperlinks", "Include Files", "Literal Examples").
//!
//! Links are `[[target][text]]` and `[[target]]` to files and URIs, pictures in place of such a
//! text, `file:` in text, and the files of `#+INCLUDE:` and `#+SETUPFILE:`. A search in a file is
//! its fragment if it is for an anchor or a heading, `file.org::#anchor` and `file.org::*Heading`,
//! and otherwise no part of a target. The same holds in the document itself; a target that is a
//! bare name is none, since Emacs searches for its text. HTML that is exported verbatim is read as
//! HTML. Paths in the home directory are counted as templates, and code is no link. Brackets and
//! quotes are for names with blanks: a file's name has them as they are, and a URI is escaped
//! before it is opened (Org Manual, "External Links"; `org-link-open`), so that in both a blank is
//! read as its escape.
//!
//! Not read: abbreviations of `#+LINK:`, which are read as URIs of their own schemes.

use super::lines::{Line, shown, trimmed};
use super::{Link, Page, html, without_blanks};
use crate::span::Span;

/// Bytes of a link that are searched for its end.
const LINK_LEN_MAX: usize = 1 << 12;

/// Endings of the names of pictures.
const PICTURES: [&[u8]; 10] =
    [b"avif", b"bmp", b"gif", b"jpeg", b"jpg", b"png", b"svg", b"tif", b"tiff", b"webp"];

/// Returns the links of a document in Org.
pub(super) fn page(text: &[u8]) -> Page {
    let mut page = Page::default();
    let mut at = 0;
    let mut after = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        let body = line.of(text);
        if let Some(block) = BLOCKS.iter().find(|block| is_keyword(body, block)) {
            let inside = block_at(text, line.next);
            at = inside.end;
            if *block == EXPORT && exports_html(body) {
                page.append(html::page(inside.of(text)), inside.start);
            }
        } else if let Some(exported) = exported(text, line) {
            page.append(html::page(exported.of(text)), exported.start);
        } else if let Some(span) = included(text, line) {
            add_file(&mut page, text, span, None);
        } else if !body.starts_with(b"# ") && !body.starts_with(b": ") {
            after = inline(text, line, after, &mut page);
        }
    }
    page
}

/// The beginnings of blocks whose lines are not Org; the last may be HTML.
const BLOCKS: [&[u8]; 4] = [b"#+begin_src", b"#+begin_example", b"#+begin_comment", EXPORT];
const EXPORT: &[u8] = b"#+begin_export";

/// Returns the lines of a block that begins at `at`, up to the next line that ends any block.
fn block_at(text: &[u8], at: usize) -> Span {
    let mut end = at;
    while let Some(line) = Line::at(text, end) {
        if is_keyword(line.of(text), b"#+end_") {
            break;
        }
        end = line.next;
    }
    Span::new(at, end)
}

/// Reports whether the block that `body` begins is exported as HTML.
fn exports_html(body: &[u8]) -> bool {
    let told = body.get(EXPORT.len()..).unwrap_or_default().trim_ascii();
    told.eq_ignore_ascii_case(b"html")
}

/// Returns the HTML on a line for export: `#+HTML: <a href="…">`.
fn exported(text: &[u8], line: Line) -> Option<Span> {
    const KEYWORD: &[u8] = b"#+html:";
    let is_one = is_keyword(line.of(text), KEYWORD);
    is_one.then(|| Span::new(line.body + KEYWORD.len(), line.span.end))
}

fn is_keyword(body: &[u8], keyword: &[u8]) -> bool {
    body.get(..keyword.len()).is_some_and(|word| word.eq_ignore_ascii_case(keyword))
}

/// Returns the file that a line includes.
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

/// Adds the links on `line`, from `after` on; returns the end offset of the last one, which may be
/// on another line.
fn inline(text: &[u8], line: Line, mut after: usize, page: &mut Page) -> usize {
    for found in memchr::memchr2_iter(b'[', b'f', line.span.of(text)) {
        let at = line.span.start + found;
        if at < after {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        if rest.starts_with(b"[[") {
            let Some(link) = bracketed(text, at) else { continue };
            after = link.end;
            // Verbatim text and code are no links.
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
            after = at + len;
            add(page, text, Span::new(at, after), None);
        }
    }
    after
}

/// A link in brackets.
struct Bracketed {
    target: Span,
    /// The text that is shown for it.
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

/// Returns the link in brackets at `at`.
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
    let after = near.get(close + 1..)?;
    if after.starts_with(b"]") {
        return Some(Bracketed { target, words: None, end: start + close + "]]".len() });
    }
    let words = after.strip_prefix(b"[")?;
    let words = words.get(..memchr::memmem::find(words, b"]]")?)?;
    let begin = start + close + "][".len();
    let end = begin + words.len() + "]]".len();
    let is_one = memchr::memmem::find(words, b"\n\n").is_none();
    let words = Some(trimmed(text, Span::new(begin, begin + words.len())));
    is_one.then_some(Bracketed { target, words, end })
}

/// Reports whether the text of a link is itself a link to a picture, which is shown in its place
/// (Org Manual, "Images in HTML Export").
fn is_picture(words: &[u8]) -> bool {
    let is_word = !words.iter().any(|byte| byte.is_ascii_whitespace() || b"[]<>".contains(byte));
    let ending = words.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_its = |of: &&[u8]| ending.eq_ignore_ascii_case(of);
    let schemes: [&[u8]; 3] = [b"file:", b"http://", b"https://"];
    let is_link = is_path(words) || schemes.iter().any(|scheme| words.starts_with(scheme));
    is_word && is_link && PICTURES.iter().any(is_its)
}

/// Adds the link at `span`, unless it is a name in the same document, or code.
fn add(page: &mut Page, text: &[u8], mut span: Span, shown: Option<Vec<u8>>) {
    let raw = span.of(text);
    let path = raw.strip_prefix(FILE).unwrap_or(raw);
    if path.starts_with(b"~") {
        page.templates += 1;
        return;
    }
    let is_file = path.len() < raw.len() || is_path(raw);
    if raw.len() > path.len() && !path.starts_with(b"/") {
        // It is relative to the document, and no URI of that scheme.
        span.start += FILE.len();
    }
    let target = if let Some(heading) = raw.strip_prefix(b"*") {
        at_place(b"", heading)
    } else if is_file {
        return add_file(page, text, span, shown);
    } else if is_destination(raw) {
        unescaped(raw)
    } else {
        return;
    };
    push(page, span, target, shown);
}

/// Adds the link to the file at `span`, in which something may be searched for.
fn add_file(page: &mut Page, text: &[u8], mut span: Span, shown: Option<Vec<u8>>) {
    let raw = span.of(text);
    let len = memchr::memmem::find(raw, b"::").unwrap_or(raw.len());
    let (path, searched) = raw.split_at(len);
    let rooted = if raw.starts_with(b"/") { [FILE, path].concat() } else { path.to_vec() };
    let target = match searched {
        [b':', b':', b'#' | b'*', place @ ..] => at_place(&rooted, place),
        _ => {
            span.end = span.start + len;
            unescaped(&rooted)
        }
    };
    push(page, span, target, shown);
}

fn push(page: &mut Page, span: Span, target: Vec<u8>, shown: Option<Vec<u8>>) {
    if !span.is_empty() {
        page.links.push(Link { span, target: without_blanks(target), shown });
    }
}

/// The prefix of links to files. An absolute path without it would be one of a site.
const FILE: &[u8] = b"file:";

/// Returns the link to a place of a document.
fn at_place(document: &[u8], place: &[u8]) -> Vec<u8> {
    [unescaped(document).as_slice(), b"#", unescaped(place.trim_ascii()).as_slice()].concat()
}

/// Reports whether `raw` is a URI or an anchor.
fn is_destination(raw: &[u8]) -> bool {
    /// Schemes of links that Emacs runs.
    const CODE: [&[u8]; 2] = [b"elisp", b"shell"];
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let len = raw.iter().take_while(is_scheme).count();
    let (scheme, after) = raw.split_at(len);
    let is_uri = len > 1 && after.starts_with(b":") && !after.starts_with(b"::");
    is_uri && !CODE.contains(&scheme) || raw.starts_with(b"#")
}

fn is_path(raw: &[u8]) -> bool {
    let begins: [&[u8]; 3] = [b"./", b"../", b"/"];
    begins.iter().any(|begin| raw.starts_with(begin))
}

/// Returns `raw` without the backslashes that may precede brackets and backslashes.
fn unescaped(raw: &[u8]) -> Vec<u8> {
    let mut target = Vec::with_capacity(raw.len());
    let mut bytes = raw.iter().peekable();
    while let Some(byte) = bytes.next() {
        let is_escape = |next: &&u8| *byte == b'\\' && b"[]\\".contains(next);
        target.push(*bytes.next_if(is_escape).unwrap_or(byte));
    }
    target
}
