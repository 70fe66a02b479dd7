//! Why a grammar does not take a text, in a shape that a person can learn from.
//!
//! Which rule is broken and what is said about it is `grammar`'s matter; here are the names,
//! and how a set of bytes is told in words.

use std::borrow::Cow;
use std::fmt;

use super::ByteSet;

/// A named reason that a candidate is malformed.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name in reports: `pct-encoded`.
    pub id: &'static str,
    /// One line on what the rule asks.
    pub about: &'static str,
    /// The section that says so, without the document's name: `§2.1`.
    pub section: &'static str,
}

/// Every fault that can be named, with its section of RFC 3986.
///
/// RFC 3987 keeps the names and the numbers of these components; where its own text is the
/// reason, a fault's `spec` says so.
pub static RULES: &[Rule] = &[
    Rule { id: "empty", about: "a URI begins with a scheme", section: "§3" },
    Rule {
        id: "scheme",
        about: "a scheme is a letter, then letters, digits, +, - or ., then a colon",
        section: "§3.1",
    },
    Rule {
        id: "authority",
        about: "an authority is [userinfo@]host[:port] and ends at /, ? or #",
        section: "§3.2",
    },
    Rule {
        id: "userinfo",
        about: "user information is unreserved, escaped, sub-delims or colon",
        section: "§3.2.1",
    },
    Rule {
        id: "host",
        about: "a host is a registered name, an IPv4 address or an IP literal",
        section: "§3.2.2",
    },
    Rule {
        id: "ip-literal",
        about: "between [ and ] stands an IPv6 address or an IPvFuture",
        section: "§3.2.2",
    },
    Rule { id: "port", about: "a port is digits", section: "§3.2.3" },
    Rule {
        id: "path", about: "a path is segments of pchar with slashes between", section: "§3.3"
    },
    Rule { id: "query", about: "a query is pchar, slash or question mark", section: "§3.4" },
    Rule {
        id: "fragment",
        about: "a fragment is pchar, slash or question mark; # stands once",
        section: "§3.5",
    },
    Rule {
        id: "pct-encoded",
        about: "behind a percent sign stand two hexadecimal digits",
        section: "§2.1",
    },
    Rule {
        id: "non-ascii",
        about: "a character that the grammar has no place for, beyond US-ASCII",
        section: "§2",
    },
    Rule { id: "control", about: "a control character or a space", section: "§2" },
    Rule { id: "utf-8", about: "bytes that are no UTF-8 text", section: "§2" },
    // What follows is told by the classes of characters of the documents of 1993 and 1994;
    // in RFC 3986 these are characters that no rule has, or has not in that place.
    Rule {
        id: "national-character",
        about: "a character that national variants of ASCII replace must be escaped",
        section: "§2",
    },
    Rule {
        id: "unsafe-character",
        about: "a character that delimits URIs in text must be escaped",
        section: "§2",
    },
    Rule {
        id: "reserved-character",
        about: "a reserved character that does not delimit anything here must be escaped",
        section: "§2.2",
    },
];

/// Why a grammar does not take a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// Offset of the first byte after which nothing could have made the text valid; the
    /// text's length when it ends too early. None where the parser behind the grammar does
    /// not tell: that of `whatwg` does not.
    pub at: Option<usize>,
    /// The bytes that could have stood there.
    pub expected: ByteSet,
    /// True when the text could have ended there.
    pub end_expected: bool,
    /// What is wrong, in one line: `"~" must be written %7E`.
    pub message: Cow<'static, str>,
    /// What may help beyond that, such as where else the character is allowed.
    pub hint: Option<Box<str>>,
    /// The document and section: `RFC 3986 §2.1`.
    pub spec: Box<str>,
}

impl Fault {
    /// What could have stood at the offset, in words: `a hex digit`, `one of: letter digit - .`.
    #[must_use]
    pub fn expectation(&self) -> String {
        describe(&self.expected, self.end_expected)
    }

    /// True when the message says all, and a list of what else could have stood there would
    /// not help: a character is out of its class.
    fn is_about_a_character(&self) -> bool {
        self.rule.id.ends_with("-character")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, message, spec, .. } = self;
        match at {
            None => write!(out, "{message} ({spec})"),
            Some(at) if self.is_about_a_character() => {
                write!(out, "{message} at byte {at} ({spec})")
            }
            Some(at) => write!(out, "expected {} at byte {at} ({spec})", self.expectation()),
        }
    }
}

/// Groups of bytes that have a name of their own in an expectation. A group is named when
/// all of it is expected; of the bytes beyond US-ASCII one is enough.
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

/// The same as a set.
const IN_ORDER: ByteSet = {
    let mut set = ByteSet::EMPTY;
    let mut idx = 0;
    while idx < ORDER.len() {
        set.insert(ORDER[idx]);
        idx += 1;
    }
    set
};

/// Lists of links have many faults, so that one string takes all words.
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
