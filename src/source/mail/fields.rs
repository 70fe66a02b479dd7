//! Lists header fields that contain URIs, and fields whose content only looks like a URI, with a
//! rule for each.
//!
//! A field that is not in the table may contain anything, and is scanned like text. Addresses of
//! people in address fields (RFC 5322 §3.6.3) are not URIs.

use std::fmt;

use super::mailbox;
use crate::span::Span;

/// Rule for scanning a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Text in `<…>`; parentheses contain comments (RFC 2369 §2, RFC 5064 §2.2).
    Angle,
    /// Text in `<…>`; quoted parameters may follow (RFC 8288 §3).
    Link,
    /// All text.
    Text,
    /// Nothing: identifiers, signatures, servers on the delivery path.
    Never,
}

/// A header field.
#[derive(Debug)]
pub struct Field {
    /// Its name in lower case; an asterisk at the end matches any rest.
    pub name: &'static str,
    /// Its rule for scanning.
    pub rule: Rule,
    /// The specification of its content; empty for fields that programs write without one.
    pub spec: &'static str,
}

const fn field(name: &'static str, rule: Rule, spec: &'static str) -> Field {
    Field { name, rule, spec }
}

/// Every field with a rule, by name.
pub static FIELDS: &[Field] = &[
    field("arc-*", Rule::Never, "RFC 8617 §4.1"),
    field("archived-at", Rule::Angle, "RFC 5064 §2.2"),
    field("authentication-results*", Rule::Never, "RFC 8601 §2.2"),
    field("comments", Rule::Text, "RFC 5322 §3.6.5"),
    field("content-base", Rule::Text, "RFC 2110 §4.2"),
    field("content-description", Rule::Text, "RFC 2045 §8"),
    field("content-id", Rule::Never, "RFC 2045 §7"),
    field("content-location", Rule::Text, "RFC 2557 §4.2"),
    // An external body declares its URL here (RFC 2017 §3).
    field("content-type", Rule::Text, "RFC 2045 §5.1"),
    field("delivered-to", Rule::Never, "RFC 9228 §2"),
    field("dkim-*", Rule::Never, "RFC 6376 §3.5"),
    field("domainkey-*", Rule::Never, "RFC 4870 §3.3"),
    field("in-reply-to", Rule::Never, "RFC 5322 §3.6.4"),
    field("injection-info", Rule::Never, "RFC 5536 §3.2.8"),
    field("keywords", Rule::Text, "RFC 5322 §3.6.5"),
    field("link", Rule::Link, "RFC 8288 §3"),
    field("list-archive", Rule::Angle, "RFC 2369 §3.6"),
    field("list-help", Rule::Angle, "RFC 2369 §3.1"),
    field("list-owner", Rule::Angle, "RFC 2369 §3.5"),
    field("list-post", Rule::Angle, "RFC 2369 §3.4"),
    field("list-subscribe", Rule::Angle, "RFC 2369 §3.3"),
    field("list-unsubscribe", Rule::Angle, "RFC 2369 §3.2, RFC 8058 §3.1"),
    field("message-id", Rule::Never, "RFC 5322 §3.6.4"),
    field("organization", Rule::Text, "RFC 5536 §3.2.9"),
    field("original-message-id", Rule::Never, "RFC 8098 §3.2.5"),
    field("path", Rule::Never, "RFC 5536 §3.1.5"),
    field("received", Rule::Never, "RFC 5322 §3.6.7"),
    field("received-spf", Rule::Never, "RFC 7208 §9.1"),
    field("references", Rule::Never, "RFC 5322 §3.6.4"),
    field("resent-message-id", Rule::Never, "RFC 5322 §3.6.6"),
    field("return-path", Rule::Never, "RFC 5322 §3.6.7"),
    field("subject", Rule::Text, "RFC 5322 §3.6.5"),
    field("user-agent", Rule::Text, "RFC 5536 §3.2.13"),
    // An image, encoded in arbitrary graphic characters.
    field("x-face", Rule::Never, ""),
    field("x-google-*", Rule::Never, ""),
    field("x-mailer", Rule::Text, ""),
    field("x-received", Rule::Never, ""),
    field("x-report-abuse", Rule::Text, ""),
    field("x-url", Rule::Text, ""),
    field("xref", Rule::Never, "RFC 5536 §3.2.14"),
];

/// Returns the rule of the field called `name`; a field without one is scanned as text.
#[must_use]
pub fn rule(name: &[u8]) -> Rule {
    let Some(first) = name.first().map(u8::to_ascii_lowercase) else { return Rule::Text };
    let is_named = |field: &&Field| match field.name.as_bytes() {
        [start @ .., b'*'] => {
            name.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
        }
        whole => whole.eq_ignore_ascii_case(name),
    };
    let initial = |field: &Field| field.name.as_bytes().first().copied();
    let from = FIELDS.partition_point(|field| initial(field) < Some(first));
    let mut near = FIELDS.iter().skip(from).take_while(|field| initial(field) == Some(first));
    near.find(is_named).map_or(Rule::Text, |field| field.rule)
}

/// Role of text that looks like a URI, by its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// A URI.
    #[default]
    Uri,
    /// A remark, outside of the text that the field's rule selects.
    Comment,
    /// Part of a field without URIs.
    Trace,
}

/// A search for the list field (`List-…`, RFC 2369 §3) that a position appears to be in, where it
/// is not known which lines are headers. Positions must be queried in order.
pub struct ListFields<'b> {
    bytes: &'b [u8],
    /// Offset up to which lines were examined.
    seen: usize,
    /// Offset of the last line before it that is not a continuation line.
    line: Option<usize>,
}

/// Shows the position, and none of the text.
impl fmt::Debug for ListFields<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seen, line, .. } = self;
        out.debug_struct("ListFields")
            .field("seen", seen)
            .field("line", line)
            .finish_non_exhaustive()
    }
}

impl<'b> ListFields<'b> {
    /// Maximum number of bytes to look back: every piece sees more before its core, in any coding,
    /// so that cuts make no difference.
    const BACK_MAX: usize = 2048;

    /// Returns a search in the text `bytes`.
    #[must_use]
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, seen: 0, line: None }
    }

    /// Returns the name of the field at `at`. Anything may precede the name in its line: quote
    /// marks, or bytes of a format that is not read.
    pub fn at(&mut self, at: usize) -> Option<&'b [u8]> {
        const PREFIX: &[u8] = b"list-";
        let end = self.seen.max(at + 1);
        self.line = mailbox::field_start(self.bytes, Span::new(self.seen, end)).or(self.line);
        self.seen = end;
        let line = self.line.filter(|line| at.saturating_sub(*line) < Self::BACK_MAX)?;
        let text = self.bytes.get(line..at)?;
        let text = text.get(..memchr::memchr(b':', text)?)?;
        let is_of_name = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b'-';
        let len = text.iter().rev().take_while(is_of_name).count();
        let name = text.get(text.len() - len..)?;
        name.get(..PREFIX.len())?.eq_ignore_ascii_case(PREFIX).then_some(name)
    }
}

/// A reader that finds the field of a position in header fields, and the role of the text there.
/// Positions must be queried in order.
#[derive(Debug)]
pub struct FieldReader<'b> {
    bytes: &'b [u8],
    /// Name of the only field, if there is just one. The field may be cut.
    alone: Option<&'b [u8]>,
    /// Offset at which it begins to read, and the field that contains that offset.
    from: usize,
    begun: Option<&'b Begun>,
    /// Offset up to which lines were examined, and the field there.
    named: Option<(usize, Option<Named<'b>>)>,
    /// Offset of the field that was partly read, and the offset up to which it was.
    field: Option<usize>,
    at: usize,
    brackets: Brackets,
}

/// The field that a text ends in, for a reader of the following text. However long a field is, its
/// name and the brackets that it opened are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    name: Box<[u8]>,
    brackets: Brackets,
}

impl Begun {
    /// Returns the field that `span` of `bytes` ends in, where `before` is the one it begins in.
    #[must_use]
    pub fn after(bytes: &[u8], span: Span, before: Option<Self>) -> Option<Self> {
        if span.is_empty() {
            return before;
        }
        let (mut begun, from) = match mailbox::field_start(bytes, span) {
            Some(start) => {
                let rest = bytes.get(start..)?;
                let name = rest.get(..mailbox::name_len(rest)?)?;
                let brackets = Brackets::default();
                (Self { name: name.into(), brackets }, start + name.len())
            }
            None => (before?, span.start),
        };
        let rule = rule(&begun.name);
        if matches!(rule, Rule::Angle | Rule::Link) {
            begun.brackets.pass(bytes.get(from..span.end).unwrap_or_default(), rule);
        }
        Some(begun)
    }
}

/// A field that contains a position.
#[derive(Clone, Copy, Debug)]
enum Named<'b> {
    /// Range of its name in the text.
    Here(Span),
    /// The field begins before the text.
    Before(&'b Begun),
}

/// Brackets and quotes around a position in a structured field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Brackets {
    inside: Inside,
    /// Whether a backslash escapes the next byte.
    is_escaped: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Nothing,
    Angle,
    /// Parentheses, nested to this depth.
    Comment(usize),
    Quotes,
}

impl<'b> FieldReader<'b> {
    /// Returns a reader of the header fields in `bytes`.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Self::after(bytes, 0, None)
    }

    /// Returns a reader of the text after `from`, which begins in the field `begun`.
    #[must_use]
    pub fn after(bytes: &'b [u8], from: usize, begun: Option<&'b Begun>) -> Self {
        let (alone, named, field, brackets) = (None, None, None, Brackets::default());
        Self { bytes, alone, from, begun, named, field, at: 0, brackets }
    }

    /// Returns a reader of the field called `name`, which is all of `bytes`.
    #[must_use]
    pub fn alone(bytes: &'b [u8], name: &'b [u8]) -> Self {
        Self { alone: Some(name), ..Self::new(bytes) }
    }

    /// Returns the name of the field at `at`, if it is known, and the role of the text there.
    pub fn at(&mut self, at: usize) -> (Option<&'b [u8]>, Standing) {
        let (start, text, name, brackets) = match self.alone {
            Some(name) => (0, name.len(), name, Brackets::default()),
            None => match self.name(at) {
                Some(Named::Here(span)) => {
                    (span.start, span.end, span.of(self.bytes), Brackets::default())
                }
                Some(Named::Before(begun)) => (self.from, self.from, &*begun.name, begun.brackets),
                None => return (None, Standing::Uri),
            },
        };
        if self.field != Some(start) {
            (self.field, self.at, self.brackets) = (Some(start), text, brackets);
        }
        let standing = match rule(name) {
            Rule::Text => Standing::Uri,
            Rule::Never => Standing::Trace,
            rule @ (Rule::Angle | Rule::Link) if self.is_in_angle(at, rule) => Standing::Uri,
            Rule::Angle | Rule::Link => Standing::Comment,
        };
        (Some(name), standing)
    }

    /// Returns the field that contains the byte at `at`.
    ///
    /// Each line is examined only once: one field may contain thousands of URIs on as many lines.
    fn name(&mut self, at: usize) -> Option<Named<'b>> {
        let (from, before) = match self.named {
            Some(known) => known,
            None if at < self.from => (self.from, self.name_before(at)),
            None => (self.from, self.begun.map(Named::Before)),
        };
        let end = from.max(at + 1);
        let named = match mailbox::field_start(self.bytes, Span::new(from, end)) {
            Some(start) => self.name_at(start),
            None => before,
        };
        self.named = Some((end, named));
        named
    }

    /// Returns the field of a position before `from`, where little of the text may be available.
    fn name_before(&self, at: usize) -> Option<Named<'b>> {
        match mailbox::field_start(self.bytes, Span::new(at + 1, self.from)) {
            Some(_) => mailbox::field_name(self.bytes, at).map(Named::Here),
            None => self.begun.map(Named::Before),
        }
    }

    fn name_at(&self, start: usize) -> Option<Named<'b>> {
        let len = mailbox::name_len(self.bytes.get(start..)?)?;
        Some(Named::Here(Span::new(start, start + len)))
    }

    /// Reports whether the byte at `at` of the current field is in angle brackets.
    fn is_in_angle(&mut self, at: usize, rule: Rule) -> bool {
        self.brackets.pass(self.bytes.get(self.at..at).unwrap_or_default(), rule);
        self.at = self.at.max(at);
        self.brackets.inside == Inside::Angle
    }
}

impl Brackets {
    fn pass(&mut self, bytes: &[u8], rule: Rule) {
        let mut rest = bytes;
        loop {
            if !self.is_escaped {
                let next = self.inside.next(rest, rule);
                rest = rest.get(next.unwrap_or(rest.len())..).unwrap_or_default();
            }
            let Some((byte, after)) = rest.split_first() else { return };
            rest = after;
            if std::mem::take(&mut self.is_escaped) {
                continue;
            }
            self.is_escaped =
                *byte == b'\\' && matches!(self.inside, Inside::Comment(_) | Inside::Quotes);
            self.inside = self.inside.after(*byte, rule);
        }
    }
}

impl Inside {
    /// Returns the offset of the first byte of `text` that may change the state.
    fn next(self, text: &[u8], rule: Rule) -> Option<usize> {
        match self {
            Self::Nothing if rule == Rule::Link => memchr::memchr2(b'<', b'"', text),
            Self::Nothing => memchr::memchr2(b'<', b'(', text),
            Self::Angle => memchr::memchr(b'>', text),
            Self::Comment(_) => memchr::memchr3(b'(', b')', b'\\', text),
            Self::Quotes => memchr::memchr2(b'"', b'\\', text),
        }
    }

    const fn after(self, byte: u8, rule: Rule) -> Self {
        match (self, byte, rule) {
            (Self::Nothing, b'<', _) => Self::Angle,
            (Self::Nothing, b'(', Rule::Angle) => Self::Comment(1),
            (Self::Nothing, b'"', Rule::Link) => Self::Quotes,
            (Self::Angle, b'>', _) | (Self::Quotes, b'"', _) | (Self::Comment(1), b')', _) => {
                Self::Nothing
            }
            (Self::Comment(depth), b'(', _) => Self::Comment(depth + 1),
            (Self::Comment(depth), b')', _) => Self::Comment(depth - 1),
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Begun, FIELDS, FieldReader, ListFields, Rule, Span, Standing, mailbox, rule};

    #[test]
    fn the_table_is_sorted_and_in_lower_case() {
        assert!(FIELDS.is_sorted_by_key(|field| field.name));
        for field in FIELDS {
            assert_eq!(field.name, field.name.to_ascii_lowercase());
        }
    }

    #[test]
    fn names_are_known_in_any_case_and_by_their_beginning() {
        for (name, wanted) in [
            ("LIST-Post", Rule::Angle),
            ("Link", Rule::Link),
            ("Message-ID", Rule::Never),
            ("ARC-Seal", Rule::Never),
            ("X-Google-DKIM-Signature", Rule::Never),
            ("X-Message-ID", Rule::Text),
            ("Lin", Rule::Text),
            ("", Rule::Text),
        ] {
            assert_eq!(rule(name.as_bytes()), wanted, "{name}");
        }
    }

    /// Returns the role of the text at each `@` of `header`.
    #[track_caller]
    fn case(header: &[u8], wanted: &[Standing]) {
        let mut reader = FieldReader::new(header);
        let places = memchr::memchr_iter(b'@', header);
        let found: Vec<Standing> = places.map(|at| reader.at(at).1).collect();
        assert_eq!(found, wanted, "{}", header.escape_ascii());
    }

    #[test]
    fn what_a_rule_reads_stands_in_angle_brackets() {
        use Standing::{Comment, Trace, Uri};
        case(b"List-Post: <@>\n", &[Uri]);
        case(b"List-Post: NO (see <@>), <@>, @\n", &[Comment, Uri, Comment]);
        case(b"List-Help: (a \\) (<@>) <@>) <@\n @> @\n", &[Comment, Comment, Uri, Uri, Comment]);
        case(b"Link: <@>; title=\"a \\\" <@>\"; x=(<@>)\n", &[Uri, Comment, Uri]);
        case(b"List-Post: (a\nList-Post: <@>\n", &[Uri]);
        case(b"To: <@>\nReceived: <@>\nX-Any: @\n", &[Uri, Trace, Uri]);
    }

    #[test]
    fn a_name_is_known_wherever_a_text_is_cut() {
        let header = b"X-A: 1\n 2\n 3\nX-B : 4\nno name\n 5\n\nX-C: 6\n";
        let whole: Vec<_> = (0..header.len()).map(|at| FieldReader::new(header).at(at)).collect();
        for (at, found) in whole.iter().enumerate() {
            let name = mailbox::field_name(header, at).map(|name| name.of(header));
            assert_eq!(found.0, name, "{at}");
        }
        for cut in 0..=header.len() {
            let begun = Begun::after(header, Span::new(0, cut), None);
            let mut reader = FieldReader::after(header, cut, begun.as_ref());
            for (at, found) in whole.iter().enumerate().skip(cut) {
                let alone = FieldReader::after(header, cut, begun.as_ref()).at(at);
                assert_eq!((alone, reader.at(at)), (*found, *found), "{at} behind {cut}");
            }
        }
    }

    #[test]
    fn what_the_beginning_of_a_field_opens_is_known_after_any_cut() {
        for header in [
            &b"To: a\nList-Post: (a \\) (<@>) <@>) <@\n @> @ \n\tb\n"[..],
            b"Link: <@>; title=\"a \\\" <@>\"; x=(<@>)\nReceived: <@\n @\n",
        ] {
            let whole = FieldReader::new(header);
            let mut whole = (whole, Vec::new());
            (0..header.len()).for_each(|at| whole.1.push(whole.0.at(at).1));
            for cut in 0..=header.len() {
                // In three pieces, the one in the middle of any length.
                for end in cut..=header.len() {
                    let first = Begun::after(header, Span::new(0, cut), None);
                    let begun = Begun::after(header, Span::new(cut, end), first);
                    let mut reader = FieldReader::after(header, end, begun.as_ref());
                    for at in (end..header.len()).filter(|at| header[*at] == b'@') {
                        assert_eq!(reader.at(at).1, whole.1[at], "{at} behind {end}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_field_for_lists_is_seen_in_a_text() {
        for (text, wanted) in [
            ("List-Post: <@>", Some("List-Post")),
            ("a\nlist-help:\n <a>,\n\t@", Some("list-help")),
            ("a\n> List-Owner: @", Some("List-Owner")),
            ("\0\x01List-Post: @", Some("List-Post")),
            ("List-Post: <a>\n@", None),
            ("List-Post: <a>\n\n @", None),
            ("see: List-Post: @", None),
            ("List-Post @", None),
            ("Lists: @", None),
            (" List-Post: @", None),
            ("@", None),
        ] {
            let at = text.find('@').unwrap();
            let mut fields = ListFields::new(text.as_bytes());
            assert_eq!(fields.at(at), wanted.map(str::as_bytes), "{text:?}");
            assert_eq!(fields.at(at), wanted.map(str::as_bytes), "{text:?} again");
        }
        let long = |len| [b"List-Post: ", &vec![b'a'; len][..]].concat();
        assert!(ListFields::new(&long(4096)).at(2047).is_some());
        assert!(ListFields::new(&long(4096)).at(2048).is_none());
    }

    #[test]
    fn a_field_alone_has_the_name_that_is_told() {
        let mut reader = FieldReader::alone(b"ist-Post: (@) <@>", b"List-Post");
        assert_eq!(reader.at(11), (Some(&b"List-Post"[..]), Standing::Comment));
        assert_eq!(reader.at(15), (Some(&b"List-Post"[..]), Standing::Uri));
    }
}
