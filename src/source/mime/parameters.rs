//! The value of a structured field and its parameters: `text/plain; charset="x"` (RFC 2045
//! §5.1), with values that are numbered, encoded and continued (RFC 2231 §3, §4).

/// Parameters that are looked at; nobody needs more.
const PARAMETERS_MAX: usize = 100;

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
        let kept = rest.until_any(b";(").iter().filter(|byte| byte.is_ascii_graphic());
        let value = kept.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
        rest.until_any(b";");
        rest.next_if(b';');
        let mut list = Vec::new();
        while list.len() < PARAMETERS_MAX && !rest.0.is_empty() {
            let name = rest.until_any(b"=;").trim_ascii();
            if rest.next_if(b'=') {
                list.push((name.to_ascii_lowercase(), rest.value()));
            }
            // A semicolon within a value without quotes ends it, and so does a comment.
            rest.until_any(b";");
            rest.next_if(b';');
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

/// What is left of a field.
struct Text<'t>(&'t [u8]);

impl<'t> Text<'t> {
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

    /// Takes a quoted string without its quotes, or what stands before a blank, a semicolon
    /// or a comment.
    fn value(&mut self) -> Vec<u8> {
        self.0 = self.0.trim_ascii_start();
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
