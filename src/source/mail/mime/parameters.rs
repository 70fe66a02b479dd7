//! Parses the value of a structured field and its parameters: `text/plain; charset="x"` (RFC 2045
//! §5.1), with values that are numbered, encoded and continued (RFC 2231 §3, §4).

use memchr::{memchr, memchr2, memchr3};

use crate::source::hex;
use crate::span::Span;

/// Maximum number of parameters that are read; real fields have fewer.
const PARAMETERS_MAX: usize = 100;

/// Maximum length of a comment in bytes: each unclosed one costs a search this long.
const COMMENT_LEN_MAX: usize = 4096;

/// A value and its parameters.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// The value before the first semicolon, in lower case and without blanks.
    pub(super) value: String,
    list: Vec<(String, Vec<u8>)>,
    /// The boundary including its blanks, if it contains some and has no quotes.
    long_boundary: Option<Vec<u8>>,
}

impl Parameters {
    /// Parses a field.
    pub(super) fn of(field: &[u8]) -> Self {
        let mut list: Vec<(String, Vec<u8>)> = Vec::new();
        let mut long_boundary = None;
        let value = each(field, |name, value, place| {
            // Of repeated parameters, the first counts.
            if name == "boundary" && list.iter().all(|(other, _)| *other != name) {
                long_boundary = long_value(field, place);
            }
            list.push((name, value));
        });
        let mut value = value.to_ascii_lowercase();
        value.retain(u8::is_ascii_graphic);
        Self { value: word(unquoted(value)), list: joined(list), long_boundary }
    }

    /// Returns the possible boundaries between parts. For most programs, a blank ends a value
    /// without quotes; but programs that write such a blank mean it, and some readers take all up
    /// to the semicolon.
    pub(super) fn boundaries(&self) -> impl Iterator<Item = &[u8]> {
        [self.get("boundary"), self.long_boundary.as_deref()].into_iter().flatten()
    }

    /// Returns the value of the parameter called `name`.
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        self.list.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_slice())
    }

    /// Reports whether the parameter called `name` has this value in any case.
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.get(name)
            .is_some_and(|found| found.trim_ascii().eq_ignore_ascii_case(value.as_bytes()))
    }
}

/// A numbered part of a value.
struct Section {
    name: String,
    number: usize,
    is_encoded: bool,
    value: Vec<u8>,
}

/// Joins `name*0`, `name*1` … in the order of their numbers, wherever they occur, and decodes
/// `name*` and `name*0*`. An unnumbered parameter precedes the numbered parts of the same name.
fn joined(list: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    // Nearly every field returns here.
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

/// Returns the URL in numbered parameters of `field`, without white space (RFC 2017 §3), and the
/// range of their values, from the first to the last; `None` if the URL is not numbered.
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

/// Returns `span` of `field` without the quotes around it.
fn without_quotes(field: &[u8], span: Span) -> Span {
    let text = span.of(field);
    let Some(inside) = text.strip_prefix(b"\"") else { return span };
    Span::new(span.start + 1, span.end - usize::from(inside.ends_with(b"\"")))
}

/// Passes every parameter of `field` to `take`, with the range of its value; returns the value
/// before the parameters.
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

/// Returns `value` without the quotes around it, which are no part of a type (RFC 2045 §5.1) but
/// leave no doubt of what was meant.
fn unquoted(value: Vec<u8>) -> Vec<u8> {
    match value.as_slice() {
        [b'"', inside @ .., b'"'] if !inside.is_empty() => inside.to_vec(),
        _ => value,
    }
}

/// Returns `bytes` as a string; if they are not UTF-8, each becomes a character.
fn word(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// Returns the value at `place` of `field`, if it has no quotes and continues up to a semicolon.
fn long_value(field: &[u8], place: Span) -> Option<Vec<u8>> {
    let rest = field.get(place.start..)?;
    let long = rest.get(..memchr(b';', rest).unwrap_or(rest.len()))?.trim_ascii_end();
    let is_longer = !rest.starts_with(b"\"") && long.len() > place.of(field).len();
    is_longer.then(|| long.to_vec())
}

/// Returns the value with its escapes decoded, and without the charset and language that precede
/// the value of the first section.
fn decoded(value: &[u8], is_first: bool) -> Vec<u8> {
    let mut quotes = memchr::memchr_iter(b'\'', value).skip(1);
    let start = if is_first { quotes.next().map_or(0, |at| at + 1) } else { 0 };
    let mut rest = value.get(start..).unwrap_or_default();
    let mut out = Vec::with_capacity(rest.len());
    while let Some((first, after)) = rest.split_first() {
        let byte = if *first == b'%' { hex::octet(after) } else { None };
        out.push(byte.unwrap_or(*first));
        rest = after.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    out
}

/// Returns the first word of a structured field, without following parameters and comments.
pub(super) fn first(field: &[u8]) -> &[u8] {
    Text(field).first()
}

/// The rest of a field.
struct Text<'t>(&'t [u8]);

impl<'t> Text<'t> {
    /// Skips comments; takes the bytes before a semicolon or another comment.
    fn first(&mut self) -> &'t [u8] {
        self.pass_comments();
        self.until(memchr2(b';', b'(', self.0))
    }

    /// Takes a media type. Comments may surround its slash (RFC 2045 §5.1).
    fn media(&mut self) -> Vec<u8> {
        self.pass_comments();
        let mut media = self.before_parameters().trim_ascii_end().to_vec();
        // The slash, and the subtype.
        for _ in 0..2 {
            self.pass_comments();
            if media.ends_with(b"/") || !media.contains(&b'/') && self.0.starts_with(b"/") {
                media.extend_from_slice(self.before_parameters().trim_ascii_end());
            }
        }
        media
    }

    /// Takes the bytes before a semicolon, a comment, or a parameter after a type whose semicolon
    /// is missing.
    fn before_parameters(&mut self) -> &'t [u8] {
        let end = memchr2(b';', b'(', self.0).unwrap_or(self.0.len());
        let text = self.0.get(..end).unwrap_or_default();
        self.until(Some(type_len(text).unwrap_or(end)))
    }

    /// Skips blanks and comments (RFC 5322 §3.2.2).
    fn pass_comments(&mut self) {
        self.0 = self.0.trim_ascii_start();
        while self.pass_comment() {
            self.0 = self.0.trim_ascii_start();
        }
    }

    /// Skips a comment; returns false if there is none.
    fn pass_comment(&mut self) -> bool {
        match comment_len(self.0).and_then(|len| self.0.get(len..)) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Skips the bytes before the next parameter. A semicolon within a value without quotes ends
    /// it; one within a comment does not. Mailers that people write by hand omit semicolons.
    fn end_of_parameter(&mut self) {
        if self.pass_blanks_before_parameter() {
            return;
        }
        self.until(memchr2(b';', b'(', self.0));
        while self.pass_comment() {
            self.until(memchr2(b';', b'(', self.0));
        }
        self.until(memchr(b';', self.0));
        self.next_if(b';');
    }

    /// Skips blanks and a comma before a name and an equals sign; returns false if no parameter
    /// follows.
    fn pass_blanks_before_parameter(&mut self) -> bool {
        let next = self.0.trim_ascii_start();
        let next = next.strip_prefix(b",").map_or(next, <[u8]>::trim_ascii_start);
        let name = next.iter().take_while(|byte| is_of_name(**byte)).count();
        let after = next.get(name..).unwrap_or_default().trim_ascii_start();
        let is_one = name > 0 && after.starts_with(b"=");
        if is_one {
            self.0 = next;
        }
        is_one
    }

    /// Takes the bytes before `at`, or all of them if it is `None`.
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

    /// Skips comments before a value. Parentheses with no value after them are the value: some
    /// programs quote nothing.
    fn begin_value(&mut self) {
        let all = self.0.trim_ascii_start();
        self.pass_comments();
        if matches!(self.0.first(), None | Some(b';')) {
            self.0 = all;
        }
    }

    /// Takes a quoted string without its quotes, or the bytes before a blank or a semicolon.
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
                // A backslash that is the very last byte is literal.
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

/// Returns the length of the media type that `text` begins with, if only blanks or a comma divide
/// it from a parameter: `text/html charset=utf-8`. Mail programs end a type there, too.
fn type_len(text: &[u8]) -> Option<usize> {
    let before = text.get(..memchr(b'=', text)?)?.trim_ascii_end();
    let name = before.iter().rev().take_while(|byte| is_of_name(**byte)).count();
    let first = before.get(..before.len() - name)?;
    let media = first.trim_ascii_end();
    let media = media.strip_suffix(b",").unwrap_or(media).trim_ascii_end();
    let is_type = media.contains(&b'/') && !media.ends_with(b"/");
    (name > 0 && is_type && media.len() < first.len()).then_some(media.len())
}

/// Reports whether the name of a parameter may contain `byte`.
const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'*')
}

/// Returns the length of the comment that `text` begins with, including nested comments and quoted
/// pairs; `None` if it is not closed.
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

#[cfg(test)]
mod tests {
    use super::Parameters;

    #[track_caller]
    fn case(field: &str, value: &str, charset: Option<&str>) {
        let parameters = Parameters::of(field.as_bytes());
        assert_eq!(parameters.value, value, "{field}");
        assert_eq!(parameters.get("charset"), charset.map(str::as_bytes), "{field}");
    }

    #[test]
    fn a_semicolon_may_be_missing() {
        case("text/html charset=utf-8", "text/html", Some("utf-8"));
        case("text/html, charset=\"utf-8\"", "text/html", Some("utf-8"));
        case("text/html\r\n\tcharset = utf-8", "text/html", Some("utf-8"));
        case("text/plain charset=big5; format=flowed", "text/plain", Some("big5"));
        case("text/plain; format=flowed charset=big5", "text/plain", Some("big5"));
        case("text/plain; name=\"a\", charset=big5", "text/plain", Some("big5"));
        case("text / html charset=big5", "text/html", Some("big5"));
    }

    #[test]
    fn other_equals_signs_begin_no_parameter() {
        case("text/htmlcharset=utf-8", "text/htmlcharset=utf-8", None);
        case("text/plain; name=a b charset", "text/plain", None);
        case("text/plain; name=\"a charset=big5\"", "text/plain", None);
        case("charset=big5", "charset=big5", None);
    }
}
