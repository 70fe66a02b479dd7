//! The value of a structured field and its parameters: `text/plain; charset="x"` (RFC 2045
//! §5.1), with values that are numbered, encoded and continued (RFC 2231 §3, §4).

/// Parameters that are looked at; nobody needs more.
const PARAMETERS_MAX: usize = 100;

/// Bytes of one comment, at most: each that nothing closes costs a search so far.
const COMMENT_LEN_MAX: usize = 4096;

/// A value and its parameters.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// The value before the first semicolon, in lower case and without blanks.
    pub(super) value: String,
    list: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Parameters {
    /// Reads an unfolded field.
    pub(super) fn of(field: &[u8]) -> Self {
        let mut rest = Text(field);
        let first = rest.first();
        let kept = first.iter().filter(|byte| byte.is_ascii_graphic());
        let value = kept.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
        rest.end_of_parameter();
        let mut list = Vec::new();
        while list.len() < PARAMETERS_MAX && !rest.0.is_empty() {
            rest.pass_comments();
            let name = rest.until_any(b"=;(").trim_ascii();
            rest.pass_comments();
            if rest.next_if(b'=') {
                list.push((name.to_ascii_lowercase(), rest.value()));
            }
            rest.end_of_parameter();
        }
        Self { value, list }.with_ends_joined()
    }

    /// The value of the parameter called `name`.
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        let is_named = |(found, _): &&(Vec<u8>, _)| found == name.as_bytes();
        self.list.iter().find(is_named).map(|(_, value)| value.as_slice())
    }

    /// True when the parameter called `name` has this value in some case.
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.get(name)
            .is_some_and(|found| found.trim_ascii().eq_ignore_ascii_case(value.as_bytes()))
    }

    /// Joins `name*0`, `name*1` …, and decodes `name*` and `name*0*`.
    fn with_ends_joined(mut self) -> Self {
        // As in nearly every field.
        if !self.list.iter().any(|(name, _)| name.contains(&b'*')) {
            return self;
        }
        let mut joined: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for (name, value) in self.list {
            let mut parts = name.splitn(2, |byte| *byte == b'*');
            let (base, section) = (parts.next().unwrap_or_default(), parts.next());
            let Some(section) = section else {
                joined.push((name, value));
                continue;
            };
            let is_encoded = section.is_empty() || section.ends_with(b"*");
            let is_first = matches!(section, b"" | b"*" | b"0" | b"0*");
            let value = if is_encoded { decoded(&value, is_first) } else { value };
            match joined.iter_mut().find(|(found, _)| found == base) {
                Some((_, before)) if !is_first => before.extend_from_slice(&value),
                Some(_) => {}
                None => joined.push((base.to_owned(), value)),
            }
        }
        self.list = joined;
        self
    }
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
        self.until_any(b";(")
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
        self.until_any(b";(");
        while self.pass_comment() {
            self.until_any(b";(");
        }
        self.until_any(b";");
        self.next_if(b';');
    }

    /// Takes what stands before any of `ends`; all when there is none.
    fn until_any(&mut self, ends: &[u8]) -> &'t [u8] {
        let at = self.0.iter().position(|byte| ends.contains(byte)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(at);
        self.0 = rest;
        taken
    }

    fn next_if(&mut self, wanted: u8) -> bool {
        let Some(rest) = self.0.strip_prefix(&[wanted]) else { return false };
        self.0 = rest;
        true
    }

    /// Takes a quoted string without its quotes, or what stands before a blank or a semicolon.
    /// Round brackets alone are a value: some programs quote none.
    fn value(&mut self) -> Vec<u8> {
        let all = self.0.trim_ascii_start();
        self.pass_comments();
        if matches!(self.0.first(), None | Some(b';')) {
            self.0 = all;
        }
        if !self.next_if(b'"') {
            return self.until_any(b"; \t\r\n").to_vec();
        }
        let mut value = Vec::new();
        while let Some((first, rest)) = self.0.split_first() {
            self.0 = rest;
            match (first, rest.split_first()) {
                (b'"', _) => break,
                (b'\\', Some((escaped, rest))) => {
                    value.push(*escaped);
                    self.0 = rest;
                }
                _ => value.push(*first),
            }
        }
        value
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
