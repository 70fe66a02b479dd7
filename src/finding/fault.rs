//! Describes why a grammar rejects a text, in a form that a person can learn from.
//!
//! `grammar` decides which rule is broken and what is reported; here are the names, and the
//! description of sets of bytes in words.

use std::borrow::Cow;
use std::fmt;

use super::ByteSet;
use super::help::{Help, help};

/// A named reason that a candidate is malformed.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name in reports: `pct-encoded`.
    pub id: &'static str,
    /// One line on what the rule requires.
    pub about: &'static str,
    /// The section that defines it, without the document's name: `§2.1`.
    pub section: &'static str,
    /// Why it matters, and how to fix it.
    pub help: Help,
}

/// All named faults, with their sections of RFC 3986.
///
/// RFC 3987 keeps the names and the numbers of these components; if its own text is the reason, a
/// fault's `spec` refers to it.
#[rustfmt::skip]
pub static RULES: &[Rule] = &[
    rule("empty", "a URI begins with a scheme", "§3", help(
        "There is nothing to go to. An empty link in a document leads to the document itself, \
         which is rarely meant.",
        "Write the URI that was meant, or take the link away.",
    ).fixed("", "http://www.example.org/")),
    rule(
        "scheme",
        "a scheme is a letter, then letters, digits, +, - or ., then a colon",
        "§3.1",
        help(
            "The scheme says which protocol the rest is for. Without one a text is a relative \
             reference at best, which means something else in each document.",
            "Put the scheme and its colon in front, mostly https://. `linktrawl resolve` makes a \
             whole URI of a relative reference.",
        ).fixed("www.example.org/a", "http://www.example.org/a"),
    ),
    rule(
        "authority",
        "an authority is [userinfo@]host[:port] and ends at /, ? or #",
        "§3.2",
        help(
            "Clients find the host by the two slashes in front of it and the delimiter after \
             it. Where these are wrong, some go to another host than others, and some nowhere.",
            "Write scheme://host/path. Behind the host stand a colon and digits, or a slash, a \
             question mark or a hash sign.",
        ).fixed("http://[::1]x/", "http://[::1]/x"),
    ),
    rule(
        "userinfo",
        "user information is unreserved, escaped, sub-delims or colon",
        "§3.2.1",
        help(
            "The text before an @ is a login. A character that is not allowed there moves the \
             beginning of the host, for some clients and not for others: a way to deceive.",
            "Escape the character, an @ as %40 and a colon in the name as %3A; better still, \
             remove the login from the link.",
        ).fixed("http://me[you@h.example/", "http://me%5Byou@h.example/"),
    ),
    rule(
        "host",
        "a host is a registered name, an IPv4 address or an IP literal",
        "§3.2.2",
        help(
            "Such a name cannot be looked up. Usually a bracket, a quote or a placeholder of a \
             template became part of the link.",
            "Remove the characters that do not belong to the name. A name in letters beyond \
             US-ASCII is written as it is (RFC 3987) or in Punycode.",
        ).fixed("http://www.example{.org/", "http://www.example.org/"),
    ),
    rule(
        "ip-literal",
        "[ and ] enclose an IPv6 address or an IPvFuture",
        "§3.2.2",
        help(
            "Only addresses are in brackets. Other text in them is no host, and without brackets \
             a client may take a colon of the address for the one before a port.",
            "Write the address in the form of RFC 5952, as in [2001:db8::1], and close the \
             bracket. A zone is written as %25 and its name (RFC 6874).",
        ).fixed("http://[2001:db8::g]/", "http://[2001:db8::1]/"),
    ),
    rule("port", "a port is digits", "§3.2.3", help(
        "The number after the colon is the port of the connection. With a letter in it there is \
         no connection, and it may be a password without its @.",
        "Write digits only, or omit colon and port if it is the scheme's default.",
    ).fixed("http://h.example:8o80/", "http://h.example:8080/")),
    rule("path", "a path is segments of pchar with slashes between", "§3.3", help(
        "Some clients escape a character that is not allowed in a path, some end the link there, \
         and many servers refuse it. Some schemes require more: urn requires two colons.",
        "Escape the character by a percent sign and its two hexadecimal digits. If it belongs to \
         the text after the link, remove it from the link.",
    ).fixed("http://h.example/a[1]", "http://h.example/a%5B1%5D")),
    rule("query", "a query is pchar, slash or question mark", "§3.4", help(
        "A program reads the query. It gets another text than intended if a client escapes the \
         character, or does not.",
        "Escape the character: a bracket is %5B or %5D, a bar %7C, a brace %7B or %7D.",
    ).fixed("http://h.example/?a[]=1", "http://h.example/?a%5B%5D=1")),
    rule(
        "fragment",
        "a fragment is pchar, slash or question mark; # occurs once",
        "§3.5",
        help(
            "The first hash sign begins the fragment. Some clients take a second one as part of \
             it, others as a fault, so the place in the page is not found.",
            "Remove the first one, or escape the one that is data as %23.",
        ).fixed("http://h.example/#a#b", "http://h.example/#a%23b"),
    ),
    rule(
        "pct-encoded",
        "a percent sign is followed by two hexadecimal digits",
        "§2.1",
        help(
            "Decoders have to guess: some keep the percent sign, some drop it, and many servers \
             answer 400.",
            "Write a literal percent sign as %25; otherwise complete the escape.",
        ).fixed("http://h.example/100%", "http://h.example/100%25"),
    ),
    rule(
        "non-ascii",
        "a character beyond US-ASCII, which the grammar does not allow",
        "§2",
        help(
            "A URI is US-ASCII. Clients send other characters in different charsets, and older \
             clients not at all. The default grammar accepts them, as IRIs (RFC 3987).",
            "Write the character's bytes in UTF-8 as escapes, and a host in Punycode; or \
             validate against `current` or `rfc3987`.",
        ).fixed("http://h.example/\u{e9}", "http://h.example/%C3%A9"),
    ),
    rule("control", "a control character or a space", "§2", help(
        "A space ends a link in most texts and in every request of HTTP, and browsers drop line \
         ends and tabs silently: they follow another link.",
        "Escape a space as %20, and remove control characters. Write a link that is broken over \
         lines in angle brackets.",
    ).fixed("http://h.example/a b", "http://h.example/a%20b")),
    rule("utf-8", "bytes that are no UTF-8 text", "§2", help(
        "The intended characters are unknown: the text is in an older charset, or was cut within \
         a character.",
        "Save the text as UTF-8, or write the bytes as escapes if the server expects them. In \
         mail, declare the charset in Content-Type.",
    ).bytes(b"http://h.example/caf\xe9")),
    // The rules from here on are the character classes of the documents of 1993 and 1994; in RFC
    // 3986 no rule has these characters, or not in that place.
    rule(
        "national-character",
        "a character that national variants of ASCII replace must be escaped",
        "§2",
        help(
            "The documents of 1993 and 1994 require an escape, because keyboards and screens of \
             some countries had other characters in these places. RFC 3986 allows the tilde.",
            "Escape it if old software must follow the link; otherwise validate against \
             `current`.",
        ).fixed("http://info.cern.ch/~timbl/", "http://info.cern.ch/%7Etimbl/"),
    ),
    rule(
        "unsafe-character",
        "a character that delimits URIs in text must be escaped",
        "§2",
        help(
            "Spaces, quotes and angle brackets surround links in text, so one inside a link is \
             ambiguous.",
            "Escape it, as in %22 for a quote. A hash sign begins a fragment, which is no part \
             of a URL in RFC 1738.",
        ).fixed("http://info.cern.ch/a\"b", "http://info.cern.ch/a%22b"),
    ),
    rule(
        "reserved-character",
        "a reserved character that does not delimit anything here must be escaped",
        "§2.2",
        help(
            "The scheme defines the meaning of a reserved character. Where it defines none, the \
             documents of 1993 and 1994 require an escape, so that a later meaning changes \
             nothing.",
            "Escape it, or validate against a current grammar, which allows most of them.",
        ).fixed("http://info.cern.ch/a:b", "http://info.cern.ch/a%3Ab"),
    ),
];

const fn rule(id: &'static str, about: &'static str, section: &'static str, help: Help) -> Rule {
    Rule { id, about, section, help }
}

/// The reason why a grammar rejects a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// Offset of the first byte after which nothing could have made the text valid; the text's
    /// length if it ends too early. `whatwg` is no grammar: it reports the offset of its validation
    /// error. `None` if a saved run has none.
    pub at: Option<usize>,
    /// The bytes that would have been valid there; empty if the parser has no such set, as that of
    /// `whatwg`.
    pub expected: ByteSet,
    /// Whether the text could have ended there.
    pub end_expected: bool,
    /// The problem, in one line: `"~" must be written %7E`.
    pub message: Cow<'static, str>,
    /// Further help, such as where else the character is allowed.
    pub hint: Option<Box<str>>,
    /// The document and section: `RFC 3986 §2.1`.
    pub spec: Box<str>,
}

impl Fault {
    /// Describes in words what would have been valid at the offset: `a hex digit`, `one of: letter
    /// digit - .`.
    #[must_use]
    pub fn expectation(&self) -> String {
        describe(&self.expected, self.end_expected)
    }

    /// Returns [`expectation`](Self::expectation), if the offset and the set are known.
    #[must_use]
    pub fn known_expectation(&self) -> Option<String> {
        let is_known = self.at.is_some() && (self.end_expected || !self.expected.is_empty());
        is_known.then(|| self.expectation())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, at, message, spec, .. } = self;
        let sentence = Sentence { rule: rule.id, at: *at, message, spec };
        sentence.write(out, || self.known_expectation())
    }
}

/// The properties of a fault that its sentence has, wherever they come from.
pub(crate) struct Sentence<'f, At> {
    pub(crate) rule: &'f str,
    pub(crate) at: Option<At>,
    pub(crate) message: &'f str,
    pub(crate) spec: &'f str,
}

impl<At: fmt::Display> Sentence<'_, At> {
    /// Writes the fault in one line: the expectation or the problem, the offset, and the
    /// specification.
    pub(crate) fn write<Words: fmt::Display>(
        self,
        out: &mut impl fmt::Write,
        expected: impl FnOnce() -> Option<Words>,
    ) -> fmt::Result {
        let Self { rule, at, message, spec } = self;
        match at {
            None => write!(out, "{message} ({spec})"),
            // The message suffices, and a list of other valid bytes would not help: a character is
            // out of its class.
            Some(at) if rule.ends_with("-character") => {
                write!(out, "{message} at byte {at} ({spec})")
            }
            Some(at) => match expected() {
                Some(expected) => write!(out, "expected {expected} at byte {at} ({spec})"),
                None => write!(out, "{message} at byte {at} ({spec})"),
            },
        }
    }
}

/// Groups of bytes that an expectation names as a whole. A group is named if all of it is expected;
/// of the bytes beyond US-ASCII one is enough.
static NAMED: [(&str, ByteSet); 4] = [
    ("letter", ByteSet::range(b'A', b'Z').with(ByteSet::range(b'a', b'z'))),
    (
        "hex-digit",
        ByteSet::range(b'0', b'9')
            .with(ByteSet::range(b'A', b'F'))
            .with(ByteSet::range(b'a', b'f')),
    ),
    ("digit", ByteSet::range(b'0', b'9')),
    ("non-ascii", ByteSet::range(0x80, 0xFF)),
];

/// Punctuation in the order of its classes: safe, extra, escape, reserved (RFC 1738 §2.2).
const ORDER: &[u8] = b"$-_.~+!*'(),%;:@&=/?#";

/// [`ORDER`] as a set.
const IN_ORDER: ByteSet = {
    let mut set = ByteSet::EMPTY;
    let mut idx = 0;
    while idx < ORDER.len() {
        set.insert(ORDER[idx]);
        idx += 1;
    }
    set
};

/// Describes `set`, and the end of the text if `end` is set. Lists of links have many faults, so
/// one string takes all words.
fn describe(set: &ByteSet, end: bool) -> String {
    let mut left = *set;
    let mut words = String::with_capacity(80);
    let mut count = 0;
    let mut word = |word: &str| {
        words.push_str(if count == 0 { "" } else { " " });
        words.push_str(word);
        count += 1;
    };
    for (name, group) in &NAMED {
        let is_named = match *name {
            "non-ascii" => left.without(*group) != left,
            _ => group.is_within(&left),
        };
        if is_named {
            word(name);
            left = left.without(*group);
        }
    }
    let in_order = ORDER.iter().copied().filter(|&byte| left.has(byte));
    let rest = left.without(IN_ORDER);
    for byte in in_order.chain(rest.iter()) {
        match byte {
            b' ' => word("space"),
            0x21..=0x7E => word(char::from(byte).encode_utf8(&mut [0; 4])),
            _ => word(&format!("%x{byte:02X}")),
        }
    }
    let list = match count {
        0 => return "the end".to_owned(),
        1 if words.len() > 1 => format!("a {}", words.replace('-', " ")),
        1 => format!("\"{words}\""),
        _ => format!("one of: {words}"),
    };
    if end { list + " or the end" } else { list }
}

#[cfg(test)]
mod tests {
    use super::{ByteSet, RULES, describe};

    #[test]
    fn expectations_name_groups_and_list_the_rest() {
        let set = |text: &[u8]| text.iter().copied().collect::<ByteSet>();
        assert_eq!(describe(&set(b"/"), false), "\"/\"");
        assert_eq!(describe(&set(b"0123456789"), true), "a digit or the end");
        assert_eq!(describe(&set(b"0123456789abcdefABCDEF"), false), "a hex digit");
        assert_eq!(describe(&set(b"-."), false), "one of: - .");
        assert_eq!(describe(&ByteSet::EMPTY, true), "the end");
        let in_order = "one of: $ - _ . + ! * ' ( ) , % ; : @ & = / ? or the end";
        assert_eq!(describe(&set(b"?/=&@:;%,)('*!+._-$"), true), in_order);
        assert_eq!(describe(&set(b"|?/ $"), false), "one of: $ / ? space |");
    }

    #[test]
    fn rule_ids_are_unique() {
        let mut ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
    }
}
