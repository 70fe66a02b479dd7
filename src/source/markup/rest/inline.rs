//! Reads inline markup of reStructuredText: references that hold their URI, and escapes.

use memchr::memchr2_iter;

use crate::source::markup::lines::shown;
use crate::source::markup::{Link, Page, Replaced};
use crate::span::Span;

/// The role of files that a reader may download (Sphinx, "Roles").
const DOWNLOAD: &[u8] = b":download:";

/// Adds the links and escapes of the paragraph at `span`, and its literals to `code`.
pub(super) fn read(text: &[u8], span: Span, page: &mut Page, code: &mut Vec<Span>) {
    let body = span.of(text);
    let mut at = 0;
    // Remembers where no closing mark of each kind follows, so that each fruitless search runs
    // once.
    let mut closers = Closers { body, literal_end: body.len(), phrase_end: body.len() };
    for mark in memchr2_iter(b'`', b'\\', body) {
        if mark < at {
            continue;
        }
        let after = body.get(mark + 1..).unwrap_or_default();
        if body.get(mark) == Some(&b'\\') {
            at = mark + 2;
            if let Some(escaped) = after.first().filter(|byte| byte.is_ascii_punctuation()) {
                let span = Span::new(span.start + mark, span.start + mark + 2);
                page.replaced.push(Replaced::new(span, &[*escaped]));
            }
        } else if after.first() == Some(&b'`') {
            let end = closers.literal(mark + 2);
            code.extend(end.map(|end| Span::new(span.start + mark, span.start + end)));
            at = end.map_or(mark + 2, |end| end + 2);
        } else if opens(body, mark) {
            let Some(end) = closers.phrase(mark + 1) else { continue };
            at = end + 1;
            if body.get(at) == Some(&b'_') {
                page.links.extend(embedded(body, mark + 1, end, span.start));
            } else if body.get(..mark).is_some_and(|before| before.ends_with(DOWNLOAD)) {
                page.links.push(file(body, mark + 1, end, span.start));
            }
        }
    }
}

/// Reports whether the mark at `at` may open a phrase: no part of a word precedes it, and text
/// follows.
fn opens(body: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| body.get(before));
    let is_apart = !before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'`');
    is_apart && body.get(at + 1).is_some_and(|byte| !byte.is_ascii_whitespace())
}

/// Finds closing marks.
struct Closers<'t> {
    body: &'t [u8],
    /// Offset from which on no literal is closed.
    literal_end: usize,
    /// Offset from which on no phrase is closed.
    phrase_end: usize,
}

impl Closers<'_> {
    /// Returns the offset of the two marks that close a literal, which may not be empty.
    fn literal(&mut self, from: usize) -> Option<usize> {
        if from >= self.literal_end {
            return None;
        }
        let after = self.body.get(from..)?;
        let found = memchr::memmem::find_iter(after, b"``").map(|at| from + at).find(|at| {
            let before = at.checked_sub(1).and_then(|before| self.body.get(before));
            *at > from && before.is_some_and(|byte| !byte.is_ascii_whitespace())
        });
        if found.is_none() {
            self.literal_end = from;
        }
        found
    }

    /// Returns the offset of the mark that closes a phrase.
    fn phrase(&mut self, from: usize) -> Option<usize> {
        if from >= self.phrase_end {
            return None;
        }
        let after = self.body.get(from..)?;
        let mut is_escaped = false;
        let mut before = b' ';
        for (at, byte) in after.iter().enumerate() {
            if *byte == b'`' && !is_escaped && !before.is_ascii_whitespace() {
                return Some(from + at);
            }
            is_escaped = !is_escaped && *byte == b'\\';
            before = *byte;
        }
        self.phrase_end = from;
        None
    }
}

/// Returns the link of the phrase `text <uri>` in `from..to` of `body`, which begins at `start`.
fn embedded(body: &[u8], from: usize, to: usize, start: usize) -> Option<Link> {
    let phrase = Span::new(from, to).of(body).strip_suffix(b">")?;
    if phrase.ends_with(b"\\") {
        return None;
    }
    let open = phrase.iter().rposition(|byte| *byte == b'<')?;
    let (ahead, uri) = (phrase.get(..open)?, phrase.get(open + 1..)?);
    let is_apart = ahead.last().is_none_or(u8::is_ascii_whitespace);
    let is_filled = uri.first().is_some_and(|byte| !byte.is_ascii_whitespace());
    if !is_apart || !is_filled || uri.contains(&b'>') || is_alias(uri) {
        return None;
    }
    let span = Span::new(start + from + open + 1, start + to - 1);
    let bare = without_borders(uri);
    Some(Link { span, target: target(bare.as_deref().unwrap_or(uri)), shown: shown(ahead) })
}

/// Returns the link to the file of a role in `from..to` of `body`, which begins at `start`: all of
/// the text, or that in brackets after a title.
fn file(body: &[u8], from: usize, to: usize, start: usize) -> Link {
    embedded(body, from, to, start).unwrap_or_else(|| {
        let target = target(Span::new(from, to).of(body));
        Link { span: Span::new(start + from, start + to), target, shown: None }
    })
}

/// Returns `uri` without the borders between its lines, as in the only cell of a row of a grid
/// table; `None` if there are none.
fn without_borders(uri: &[u8]) -> Option<Vec<u8>> {
    let count = memchr::memchr_iter(b'\n', uri).count();
    let mut made = Vec::new();
    for (at, line) in uri.split(|byte| *byte == b'\n').enumerate() {
        let mut line = line.trim_ascii();
        if at > 0 {
            line = line.strip_prefix(b"|")?;
        }
        if at < count {
            line = line.strip_suffix(b"|")?;
        }
        made.extend_from_slice(line);
    }
    (count > 0).then_some(made)
}

/// Reports whether `uri` is the name of a target: it ends in an underscore, and is no URI.
fn is_alias(uri: &[u8]) -> bool {
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let scheme_len = uri.iter().take_while(is_scheme).count();
    let is_uri = scheme_len > 0 && uri.get(scheme_len) == Some(&b':');
    uri.ends_with(b"_") && !uri.ends_with(b"\\_") && !is_uri
}

/// Returns the target of `raw`: without white space unless that is escaped, with escapes decoded; a
/// mail address gets its scheme.
pub(super) fn target(raw: &[u8]) -> Vec<u8> {
    let mut target = Vec::with_capacity(raw.len());
    let mut is_escaped = false;
    for byte in raw {
        let is_blank = byte.is_ascii_whitespace();
        if is_escaped {
            target.push(if is_blank { b' ' } else { *byte });
            is_escaped = false;
        } else if *byte == b'\\' {
            is_escaped = true;
        } else if !is_blank {
            target.push(*byte);
        }
    }
    if is_address(&target) {
        target.splice(..0, b"mailto:".iter().copied());
    }
    target
}

fn is_address(text: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', text) else { return false };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.+@".contains(byte);
    let (name, host) = text.split_at(at);
    !name.is_empty() && host.contains(&b'.') && text.iter().all(is_word)
}
