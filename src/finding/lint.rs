//! Lints: what is worth a look in a text that its grammar takes, each with a name.
//!
//! A lint is no fault: the text is what its specification asks for, and the warning says why
//! somebody may still want to read it again. `grammar::lint` finds them.

use std::fmt;

/// One kind of thing that is worth a look.
#[derive(Debug, PartialEq, Eq)]
pub struct Lint {
    /// The name in reports and options: `port-range`.
    pub id: &'static str,
    /// One line on what is looked for.
    pub about: &'static str,
    /// The document and section that give the reason: `RFC 3986 §3.2.3`.
    pub spec: &'static str,
}

/// A scheme nobody knows, one slip of a finger away from one that everybody knows.
pub static SCHEME_TYPO: Lint = Lint {
    id: "scheme-typo",
    about: "an unknown scheme, one slip away from a common one: hhtp, mailo",
    spec: "RFC 3986 §3.1",
};

/// Something behind the first colon of user information.
pub static PASSWORD: Lint = Lint {
    id: "password",
    about: "user information with a password, which every reader of the text gets to know",
    spec: "RFC 3986 §3.2.1",
};

/// Four groups of digits, one of them too great for an address.
pub static IPV4_RANGE: Lint = Lint {
    id: "ipv4-range",
    about: "a host that looks like an IPv4 address, with a group above 255",
    spec: "RFC 3986 §3.2.2",
};

/// A label that the domain name system cannot hold.
pub static LABEL_LENGTH: Lint = Lint {
    id: "label-length",
    about: "a host with a label above 63 bytes in the domain name system",
    spec: "RFC 1034 §3.1",
};

/// A name that the domain name system cannot hold.
pub static HOST_LENGTH: Lint = Lint {
    id: "host-length",
    about: "a host above 253 bytes in the domain name system",
    spec: "RFC 1034 §3.1",
};

/// Letters of several scripts, or of one that looks like another.
pub static MIXED_SCRIPT: Lint = Lint {
    id: "mixed-script",
    about: "a host label that mixes scripts, or whose letters look like Latin ones",
    spec: "UTS 39 §5.2",
};

/// A text that names another host than the one the link goes to.
pub static SHOWN_HOST: Lint = Lint {
    id: "shown-host",
    about: "a link whose text begins with the address of another host",
    spec: "RFC 3986 §7.6",
};

/// A port that does not fit in 16 bits.
pub static PORT_RANGE: Lint =
    Lint { id: "port-range", about: "a port above 65535", spec: "RFC 3986 §3.2.3" };

/// A mailbox without a domain.
pub static MAILTO_ADDRESS: Lint =
    Lint { id: "mailto-address", about: "a mailto address without @", spec: "RFC 6068 §2" };

/// An escape that ends a line or a text once a client decodes it.
pub static CONTROL_ESCAPE: Lint = Lint {
    id: "control-escape",
    about: "an escaped NUL, tab or line end that a text protocol would take for its own",
    spec: "RFC 3986 §7.2",
};

/// Every lint, in the order that their components stand in a URI.
pub static LINTS: &[&Lint] = &[
    &SCHEME_TYPO,
    &PASSWORD,
    &IPV4_RANGE,
    &LABEL_LENGTH,
    &HOST_LENGTH,
    &MIXED_SCRIPT,
    &SHOWN_HOST,
    &PORT_RANGE,
    &MAILTO_ADDRESS,
    &CONTROL_ESCAPE,
];

/// The lint called `id`.
#[must_use]
pub fn find(id: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.id == id)
}

/// What a lint says of one text.
///
/// The message never quotes user information, so that no report tells a password by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which lint.
    pub lint: &'static Lint,
    /// Offset in the text of the first byte that it is about.
    pub at: usize,
    /// What is the matter, in harmless characters: `the port is above 65535`.
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
