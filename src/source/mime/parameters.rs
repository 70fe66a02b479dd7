//! The value of a structured field and its parameters: `text/plain; charset="x"` (RFC 2045
//! §5.1), with values that are numbered, encoded and continued (RFC 2231 §3, §4).

use memchr::{memchr, memchr2, memchr3};

use crate::span::Span;

/// Parameters that are looked at; nobody needs more.
const PARAMETERS_MAX: usize = 100;

/// Bytes of one comment, at most: each that nothing closes costs a search so far.
const COMMENT_LEN_MAX: usize = 4096;

/// A value and its parameters.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// The value before the first semicolon, in lower case and without blanks.
    pub(super) value: String,
    list: Vec<(String, Vec<u8>)>,
    /// The boundary with the blanks in it, where it has some and no quotes.
    long_boundary: Option<Vec<u8>>,
}

impl Parameters {
    /// Reads a field.
    pub(super) fn of(field: &[u8]) -> Self {
        let mut list: Vec<(String, Vec<u8>)> = Vec::new();
        let mut long_boundary = None;
        let value = each(field, |name, value, place| {
            // Of several, the first one counts.
            if name == "boundary" && list.iter().all(|(other, _)| *other != name) {
                long_boundary = long_value(field, place);
            }
            list.push((name, value));
        });
        let mut value = value.to_ascii_lowercase();
        value.retain(u8::is_ascii_graphic);
        Self { value: word(value), list: joined(list), long_boundary }
    }

    /// What may stand between parts. A blank ends a value without quotes for most programs, but
    /// those that write one there mean it, and some that read it take all up to the semicolon.
    pub(super) fn boundaries(&self) -> impl Iterator<Item = &[u8]> {
        [self.get("boundary"), self.long_boundary.as_deref()].into_iter().flatten()
    }

    /// The value of the parameter called `name`.
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        self.list.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_slice())
    }

    /// True when the parameter called `name` has this value in some case.
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.get(name)
            .is_some_and(|found| found.trim_ascii().eq_ignore_ascii_case(value.as_bytes()))
    }
}

/// One of the numbered parts of a value.
struct Section {
    name: String,
    number: usize,
    is_encoded: bool,
    value: Vec<u8>,
}

/// Joins `name*0`, `name*1` … in the order of their numbers, wherever they stand, and decodes
/// `name*` and `name*0*`. Where a parameter stands as a whole, too, that comes first.
fn joined(list: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    // As in nearly every field.
    if !list.iter().any(|(name, _)| name.contains('*')) {
        return list;
    }
    let mut sections = Vec::new();
    let mut joined = Vec::with_capacity(list.len());
    for (name, value) in list {
        match name.split_once('*') {
            None => joined.push((name, value)),
            Some((name, "")) => joined.push((name.to_owned(), decoded(&value, true))),
            Some((name, section)) => {
                let number = section.strip_suffix('*').unwrap_or(section);
                let (name, is_encoded) = (name.to_owned(), number.len() < section.len());
                let section = |number| Section { name, number, is_encoded, value };
                sections.extend(number.parse().ok().map(section));
            }
        }
    }
    sections.sort_by(|one, next| (&one.name, one.number).cmp(&(&next.name, next.number)));
    sections.dedup_by(|next, one| next.name == one.name && next.number == one.number);
    for group in sections.chunk_by(|one, next| one.name == next.name) {
        let mut whole = Vec::new();
        for (index, Section { is_encoded, value, .. }) in group.iter().enumerate() {
            let is_first = index == 0;
            whole.extend(if *is_encoded { decoded(value, is_first) } else { value.clone() });
        }
        joined.extend(group.first().map(|section| (section.name.clone(), whole)));
    }
    joined
}

/// The URL that stands in numbered parameters of `field`, without white space (RFC 2017 §3),
/// and where they stand, from the first to the last; none when it is not numbered.
pub(super) fn numbered_url(field: &[u8]) -> Option<(Span, Vec<u8>)> {
    let mut list = Vec::new();
    let mut place: Option<Span> = None;
    each(field, |name, value, span| {
        if name == "url" || name.starts_with("url*") {
            list.push((name, value));
            let span = without_quotes(field, span);
            place = Some(Span::new(place.map_or(span.start, |place| place.start), span.end));
        }
    });
    if list.iter().any(|(name, _)| name == "url") {
        return None;
    }
    let (_, mut url) = joined(list).into_iter().next()?;
    url.retain(|byte| !byte.is_ascii_whitespace());
    Some((place?, url))
}

/// `span` of `field` without the quotes that stand around it.
fn without_quotes(field: &[u8], span: Span) -> Span {
    let text = span.of(field);
    let Some(inside) = text.strip_prefix(b"\"") else { return span };
    Span::new(span.start + 1, span.end - usize::from(inside.ends_with(b"\"")))
}

/// Gives every parameter of `field` to `take`, with the place of its value; gives what stands
/// before them.
fn each(field: &[u8], mut take: impl FnMut(String, Vec<u8>, Span)) -> Vec<u8> {
    let mut rest = Text(field);
    let first = rest.media();
    rest.end_of_parameter();
    for _ in 0..PARAMETERS_MAX {
        if rest.0.is_empty() {
            break;
        }
        rest.pass_comments();
        let name = rest.until(memchr3(b'=', b';', b'(', rest.0)).trim_ascii().to_ascii_lowercase();
        rest.pass_comments();
        if rest.next_if(b'=') {
            rest.begin_value();
            let start = field.len() - rest.0.len();
            let value = rest.value();
            take(word(name), value, Span::new(start, field.len() - rest.0.len()));
        }
        rest.end_of_parameter();
    }
    first
}

/// `bytes` as a word; those that are no UTF-8 become characters each.
fn word(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// The value at `place` of `field`, when it has no quotes and goes on up to a semicolon.
fn long_value(field: &[u8], place: Span) -> Option<Vec<u8>> {
    let rest = field.get(place.start..)?;
    let long = rest.get(..memchr(b';', rest).unwrap_or(rest.len()))?.trim_ascii_end();
    let is_longer = !rest.starts_with(b"\"") && long.len() > place.of(field).len();
    is_longer.then(|| long.to_vec())
}

/// The value without its charset and language, which stand before the first section's, and
/// with its escapes resolved.
fn decoded(value: &[u8], is_first: bool) -> Vec<u8> {
    let mut quotes = memchr::memchr_iter(b'\'', value).skip(1);
    let start = if is_first { quotes.next().map_or(0, |at| at + 1) } else { 0 };
    let mut rest = value.get(start..).unwrap_or_default();
    let mut out = Vec::with_capacity(rest.len());
    while let Some((first, behind)) = rest.split_first() {
        let byte = if *first == b'%' { super::quoted::byte(behind) } else { None };
        out.push(byte.unwrap_or(*first));
        rest = behind.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    out
}

/// The first word of a structured field, without what may follow: parameters, comments.
pub(super) fn first(field: &[u8]) -> &[u8] {
    Text(field).first()
}

/// What is left of a field.
struct Text<'t>(&'t [u8]);

impl<'t> Text<'t> {
    /// Takes what stands before a semicolon or a comment, behind comments.
    fn first(&mut self) -> &'t [u8] {
        self.pass_comments();
        self.until(memchr2(b';', b'(', self.0))
    }

    /// Takes a media type. Comments may stand around its slash (RFC 2045 §5.1).
    fn media(&mut self) -> Vec<u8> {
        let mut media = self.first().trim_ascii_end().to_vec();
        // The slash, and what stands behind it.
        for _ in 0..2 {
            self.pass_comments();
            if media.ends_with(b"/") || !media.contains(&b'/') && self.0.starts_with(b"/") {
                let more = self.until(memchr2(b';', b'(', self.0));
                media.extend_from_slice(more.trim_ascii_end());
            }
        }
        media
    }

    /// Passes blanks and comments (RFC 5322 §3.2.2).
    fn pass_comments(&mut self) {
        self.0 = self.0.trim_ascii_start();
        while self.pass_comment() {
            self.0 = self.0.trim_ascii_start();
        }
    }

    /// Passes a comment; false when there is none.
    fn pass_comment(&mut self) -> bool {
        match comment_len(self.0).and_then(|len| self.0.get(len..)) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Takes what stands before the next parameter. A semicolon within a value without quotes
    /// ends it; one within a comment does not.
    fn end_of_parameter(&mut self) {
        self.until(memchr2(b';', b'(', self.0));
        while self.pass_comment() {
            self.until(memchr2(b';', b'(', self.0));
        }
        self.until(memchr(b';', self.0));
        self.next_if(b';');
    }

    /// Takes what stands before `at`; all when that is nowhere.
    fn until(&mut self, at: Option<usize>) -> &'t [u8] {
        let (taken, rest) = self.0.split_at(at.unwrap_or(self.0.len()));
        self.0 = rest;
        taken
    }

    fn next_if(&mut self, wanted: u8) -> bool {
        let Some(rest) = self.0.strip_prefix(&[wanted]) else { return false };
        self.0 = rest;
        true
    }

    /// Passes what stands before a value. Round brackets alone are one: some programs quote
    /// nothing.
    fn begin_value(&mut self) {
        let all = self.0.trim_ascii_start();
        self.pass_comments();
        if matches!(self.0.first(), None | Some(b';')) {
            self.0 = all;
        }
    }

    /// Takes a quoted string without its quotes, or what stands before a blank or a semicolon.
    fn value(&mut self) -> Vec<u8> {
        if !self.next_if(b'"') {
            let is_end = |byte: &u8| matches!(byte, b';' | b' ' | b'\t' | b'\r' | b'\n');
            return self.until(self.0.iter().position(is_end)).to_vec();
        }
        let mut value = Vec::new();
        loop {
            value.extend_from_slice(self.until(memchr2(b'"', b'\\', self.0)));
            match *self.0 {
                [b'\\', escaped, ref rest @ ..] => {
                    value.push(escaped);
                    self.0 = rest;
                }
                // A backslash that is the last byte of all stands for itself.
                [last, ref rest @ ..] => {
                    value.extend((last != b'"').then_some(last));
                    self.0 = rest;
                    return value;
                }
                [] => return value,
            }
        }
    }
}

/// Length of the comment that `text` begins with: in each other, and with quoted pairs; none
/// when nothing closes it.
fn comment_len(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"(")?;
    let mut depth = 1_usize;
    let mut bytes = inside.iter().zip(2..COMMENT_LEN_MAX);
    while let Some((byte, len)) = bytes.next() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(len),
            b')' => depth -= 1,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    None
}
