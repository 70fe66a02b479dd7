//! Lists the lints: named warnings about texts that their grammar accepts.
//!
//! A lint is no fault: the text conforms to its specification, and the warning explains why it may
//! still be a mistake. `grammar::lint` finds them.

use std::fmt;

use super::help::{Help, help};

/// A kind of warning.
#[derive(Debug, PartialEq, Eq)]
pub struct Lint {
    /// The name in reports and options: `port-range`.
    pub id: &'static str,
    /// One line on what the lint looks for.
    pub about: &'static str,
    /// The document and section that give the reason: `RFC 3986 §3.2.3`.
    pub spec: &'static str,
    /// Why it matters, and how to fix it.
    pub help: Help,
}

/// An unknown scheme, one typing error away from a well-known one.
pub static SCHEME_TYPO: Lint = Lint {
    id: "scheme-typo",
    about: "an unknown scheme, one slip away from a common one: hhtp, mailo",
    spec: "RFC 3986 §3.1",
    help: help(
        "Nothing knows the scheme, so that nothing opens the link; the grammar cannot say so, \
         since any letters can be a scheme.",
        "Write the scheme that was meant. `--allow scheme-typo` is for those who have a scheme \
         of that name.",
    )
    .fixed("hhtp://h.example/", "http://h.example/"),
};

/// A second scheme in the place of the host or the path.
pub static DOUBLED_SCHEME: Lint = Lint {
    id: "doubled-scheme",
    about: "a scheme written twice: http://https://, http://http//, http:http://",
    spec: "RFC 3986 §3",
    help: help(
        "The second scheme is read as the host or as the path, so that the link leads to a host \
         called `https`, which does not exist, or to nothing.",
        "Delete the first scheme; usually, the link was pasted after it.",
    )
    .fixed("http://https://h.example/", "https://h.example/"),
};

/// Text after the first colon of user information.
pub static PASSWORD: Lint = Lint {
    id: "password",
    about: "user information with a password, which every reader of the text can see",
    spec: "RFC 3986 §3.2.1",
    help: help(
        "Every reader of the text, every proxy and every log on the way learns the password. \
         RFC 3986 deprecates it, and browsers warn of it or drop it.",
        "Change the password, and remove it from the link; reports show it as three asterisks.",
    )
    .fixed("ftp://me:secret@h.example/", "ftp://me@h.example/"),
};

/// A label that no host name may have.
pub static HOST_LABEL: Lint = Lint {
    id: "host-label",
    about: "a host label that is empty, begins or ends with a hyphen, or has other marks within",
    spec: "RFC 1123 §2.1",
    help: help(
        "Labels of hosts are letters, digits and hyphens, with a letter or digit at each end; `_` \
         begins names of services, which are no hosts. Registries refuse other labels, and so do \
         many clients, proxies and certificate authorities.",
        "Look for surrounding text or an extra dot in the host, and write the name that its \
         owner uses.",
    )
    .fixed("http://my_host.example/", "http://my-host.example/"),
};

/// Four groups of digits, one of them too large for an address.
pub static IPV4_RANGE: Lint = Lint {
    id: "ipv4-range",
    about: "a host that looks like an IPv4 address, with a group above 255",
    spec: "RFC 3986 §3.2.2",
    help: help(
        "An invalid address is read as a name, which does not exist in the domain name system. \
         Some clients take the number modulo 256, and connect to another host.",
        "Write each of the four groups as a number from 0 to 255.",
    )
    .fixed("http://192.168.1.300/", "http://192.168.1.30/"),
};

/// A label that the domain name system cannot hold.
pub static LABEL_LENGTH: Lint = Lint {
    id: "label-length",
    about: "a host with a label above 63 bytes in the domain name system",
    spec: "RFC 1034 §3.1",
    help: help(
        "A label has one byte for its length, of which six bits count: a longer one cannot be \
         looked up.",
        "Look for a missing dot, or for text after the link that became part of it.",
    )
    .fixed(
        "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/",
        "http://aaaaaaaa.example/",
    ),
};

/// A name that the domain name system cannot hold.
pub static HOST_LENGTH: Lint = Lint {
    id: "host-length",
    about: "a host above 253 bytes in the domain name system",
    spec: "RFC 1034 §3.1",
    help: help(
        "A name has 255 bytes in a query to the domain name system, which are 253 characters \
         with dots between: a longer one cannot be looked up.",
        "Look for a missing slash after the host, or for text that became part of it.",
    )
    .fixed(LONG_HOST, "http://a.example/"),
};

/// A label that browsers show in Punycode, since it looks like another.
pub static MIXED_SCRIPT: Lint = Lint {
    id: "mixed-script",
    about: "a host label that mixes scripts, looks like another, or is no valid encoding",
    spec: "UTS 39 §5.2",
    help: help(
        "A letter, mark or sign that looks like a Latin letter, a digit or a dot makes another \
         name, which may belong to a stranger. Browsers show such a host in Punycode, and refuse \
         one that does not decode.",
        "Type the name again. `--allow mixed-script` accepts a name that is meant to be so.",
    )
    .fixed("http://p\u{430}ypal.example/", "http://paypal.example/"),
};

/// A character that no reader sees.
pub static INVISIBLE: Lint = Lint {
    id: "invisible-character",
    about: "a blank, an invisible character, or one that sets the direction of writing",
    spec: "RFC 3987 §4.1",
    help: help(
        "Clients send the character escaped, so that another page is requested than the one that \
         readers see, and mostly there is none. In a host they ignore it, and filters may not. A \
         change of direction shows the link in another order than it is read.",
        "Delete the character, or write its escapes if it belongs to the address.",
    )
    .fixed("http://h.example/a\u{200B}", "http://h.example/a"),
};

/// A link text that names another host than the link's target.
pub static SHOWN_HOST: Lint = Lint {
    id: "shown-host",
    about: "a link whose text, or user, begins with the address of another host",
    spec: "RFC 3986 §7.6",
    help: help(
        "Readers trust the text that they see. A text that shows another host than the link's is \
         a deception, an outdated link, or a counter of clicks; so is a user that reads as a host.",
        "Show the host of the link in its text, or words that are no address.",
    )
    .shown("www.bank.example", "http://stranger.example/"),
};

/// A port that does not fit in 16 bits.
pub static PORT_RANGE: Lint = Lint {
    id: "port-range",
    about: "a port above 65535",
    spec: "RFC 3986 §3.2.3",
    help: help(
        "A port has 16 bits. Clients refuse such a link, or take the number modulo 65536 and \
         connect to another port.",
        "Write the intended port, or omit it with its colon.",
    )
    .fixed("http://h.example:80801/", "http://h.example:8080/"),
};

/// A mailbox without a domain.
pub static MAILTO_ADDRESS: Lint = Lint {
    id: "mailto-address",
    about: "a mailto address without @",
    spec: "RFC 6068 §2",
    help: help(
        "Without an @ and a domain, the only recipient is on the reader's own machine. Usually the \
         text is a path, a name or a placeholder of a template.",
        "Write the whole address, as in mailto:user@domain; an @ that is data is %40.",
    )
    .fixed("mailto:webmaster", "mailto:webmaster@h.example"),
};

/// An escape that a client decodes to the end of a line or of a text.
pub static CONTROL_ESCAPE: Lint = Lint {
    id: "control-escape",
    about: "an escaped NUL, tab or line end that a text protocol would interpret",
    spec: "RFC 3986 §7.2",
    help: help(
        "In line-based protocols the escape becomes a line end, and the text after it a command: \
         the author of the link talks to the server in the reader's name.",
        "Remove the escape. `linktrawl check` never sends it.",
    )
    .fixed("gopher://h.example/1a%0D%0Ab", "gopher://h.example/1a"),
};

/// A bare link that ends within a word, before a byte that browsers accept.
pub static CUT_SHORT: Lint = Lint {
    id: "cut-short",
    about: "a bare link that ends within a word, before a character that browsers take",
    spec: "RFC 3986 App. C",
    help: help(
        "The character is not allowed in a URI, so the link ends before it, and another page than \
         the intended one may answer. If the character belongs to the text, nothing is wrong.",
        "Escape the character if it belongs to the link, or put a space before it if it does not. \
         Angle brackets around a link mark its end.",
    )
    .cut("http://h.example/a", "|b", "http://h.example/a%7Cb"),
};

/// A List-Unsubscribe of which mail programs ignore all, or the rest.
pub static UNSUBSCRIBE_SYNTAX: Lint = Lint {
    id: "unsubscribe-syntax",
    about: "a List-Unsubscribe that is not URIs in angle brackets with commas between them",
    spec: "RFC 2369 §2",
    help: help(
        "Mail programs ignore the field from the first item on that is not a URI in angle \
         brackets, and what follows a URI without a comma. The reader gets no button, or one that \
         does something else.",
        "Put each URI in angle brackets, and one comma between two. Comments in parentheses are \
         allowed around them.",
    )
    .fields(
        "List-Unsubscribe: https://h.example/leave",
        "List-Unsubscribe: <https://h.example/leave>",
    ),
};

/// A field of the offer that a message has twice.
pub static UNSUBSCRIBE_TWICE: Lint = Lint {
    id: "unsubscribe-twice",
    about: "a second List-Unsubscribe or List-Unsubscribe-Post in one message",
    spec: "RFC 2369 §3",
    help: help(
        "A message has at most one of each field. Mail programs read the first or the last one, or \
         neither, and a signature may cover only one of them.",
        "Write one field, with all URIs in it, separated by commas.",
    )
    .fields(
        "List-Unsubscribe: <https://h.example/leave>\n\
         List-Unsubscribe: <mailto:leave@h.example>",
        "List-Unsubscribe: <https://h.example/leave>, <mailto:leave@h.example>",
    ),
};

/// A List-Unsubscribe-Post that nothing can be posted to.
pub static ONE_CLICK_ALONE: Lint = Lint {
    id: "one-click-alone",
    about: "a List-Unsubscribe-Post in a message without List-Unsubscribe",
    spec: "RFC 8058 §3.1",
    help: help(
        "The field declares that a POST to the URI of List-Unsubscribe unsubscribes. Without that \
         URI it declares nothing, and large providers count the message as one without \
         one-click unsubscription.",
        "Add a List-Unsubscribe with an HTTPS URI, or remove List-Unsubscribe-Post.",
    )
    .fields(
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "List-Unsubscribe: <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\
         DKIM-Signature: v=1; h=from:list-unsubscribe:list-unsubscribe-post; b=eA==",
    ),
};

/// A pair of fields without an HTTPS URI.
pub static ONE_CLICK_HTTPS: Lint = Lint {
    id: "one-click-https",
    about: "a List-Unsubscribe-Post beside a List-Unsubscribe without an HTTPS URI",
    spec: "RFC 8058 §3.1",
    help: help(
        "Mail programs post to an HTTPS URI alone, so that there is nothing to post to.",
        "Add the HTTPS URI of a page that unsubscribes on a POST; a mailto URI may stay beside \
         it.",
    )
    .fields(
        "List-Unsubscribe: <mailto:leave@h.example>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "List-Unsubscribe: <mailto:leave@h.example>, <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\
         DKIM-Signature: v=1; h=from:list-unsubscribe:list-unsubscribe-post; b=eA==",
    ),
};

/// A List-Unsubscribe-Post with another value than the only one.
pub static ONE_CLICK_VALUE: Lint = Lint {
    id: "one-click-value",
    about: "a List-Unsubscribe-Post that is not exactly List-Unsubscribe=One-Click",
    spec: "RFC 8058 §3.1",
    help: help(
        "The value is the body that a mail program posts, and the server recognises the request by \
         it. There is no other value, and mail programs offer no button for one.",
        "Write `List-Unsubscribe=One-Click`, without spaces inside and without a comment.",
    )
    .fields(
        "List-Unsubscribe: <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: One-Click",
        "List-Unsubscribe: <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\
         DKIM-Signature: v=1; h=from:list-unsubscribe:list-unsubscribe-post; b=eA==",
    ),
};

/// A pair of fields that no signature covers.
pub static ONE_CLICK_UNCOVERED: Lint = Lint {
    id: "one-click-uncovered",
    about: "a List-Unsubscribe-Post, or its List-Unsubscribe, that no DKIM-Signature covers",
    spec: "RFC 8058 §4",
    help: help(
        "Any relay may have added a field that is not signed, so mail programs do not post to its \
         URI. The signature itself is not verified: that requires its key.",
        "Name both fields in `h=` of the signature.",
    )
    .fields(
        "List-Unsubscribe: <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\
         DKIM-Signature: v=1; h=from:list-unsubscribe; b=eA==",
        "List-Unsubscribe: <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\
         DKIM-Signature: v=1; h=from:list-unsubscribe:list-unsubscribe-post; b=eA==",
    ),
};

/// A pair of fields in a message without a signature.
pub static ONE_CLICK_UNSIGNED: Lint = Lint {
    id: "one-click-unsigned",
    about: "a List-Unsubscribe-Post in a message without a DKIM-Signature",
    spec: "RFC 8058 §4",
    help: help(
        "A signature has to cover both fields. The message may have had one that an archive or a \
         list removed; that cannot be known.",
        "Sign the message when it is sent. `--allow one-click-unsigned` is for archives without \
         signatures.",
    )
    .fields(
        "List-Unsubscribe: <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "List-Unsubscribe: <https://h.example/leave?id=1>\n\
         List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\
         DKIM-Signature: v=1; h=from:list-unsubscribe:list-unsubscribe-post; b=eA==",
    ),
};

/// 254 bytes: one more than a name may have.
const LONG_HOST: &str = concat!(
    "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/",
);

/// All lints, in the order of their components in a URI; then those of header fields.
pub static LINTS: &[&Lint] = &[
    &SCHEME_TYPO,
    &DOUBLED_SCHEME,
    &PASSWORD,
    &HOST_LABEL,
    &IPV4_RANGE,
    &LABEL_LENGTH,
    &HOST_LENGTH,
    &MIXED_SCRIPT,
    &INVISIBLE,
    &SHOWN_HOST,
    &PORT_RANGE,
    &MAILTO_ADDRESS,
    &CONTROL_ESCAPE,
    &CUT_SHORT,
    &UNSUBSCRIBE_SYNTAX,
    &UNSUBSCRIBE_TWICE,
    &ONE_CLICK_ALONE,
    &ONE_CLICK_HTTPS,
    &ONE_CLICK_VALUE,
    &ONE_CLICK_UNCOVERED,
    &ONE_CLICK_UNSIGNED,
];

/// Returns the lint called `id`.
#[must_use]
pub fn find(id: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.id == id)
}

/// A lint's warning about one text.
///
/// The message never quotes user information, so that it reveals no password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The lint.
    pub lint: &'static Lint,
    /// Offset in the text of the first byte concerned.
    pub at: usize,
    /// The problem, in harmless characters: `the port is above 65535`.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.message, self.lint.spec)
    }
}

#[cfg(test)]
mod tests {
    use super::{LINTS, find};

    #[test]
    fn every_lint_is_found_by_a_name_of_its_own() {
        for lint in LINTS {
            assert!(std::ptr::eq(*lint, find(lint.id).unwrap()), "{}", lint.id);
        }
        assert_eq!(find("all"), None, "`--allow all` means every lint");
    }
}
